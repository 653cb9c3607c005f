//! Guards over fact cells and their three-valued (Kleene) meaning.

use super::{FactId, Model, Value};
use serde::Serialize;

/// A guard. Comparisons are lowered to the few atoms below, so that every later stage has little to get wrong.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Guard {
    /// Always true.
    True,
    /// Always false.
    False,
    /// Kleene negation.
    Not(Box<Guard>),
    /// Kleene conjunction; the empty one is true.
    And(Vec<Guard>),
    /// Kleene disjunction; the empty one is false.
    Or(Vec<Guard>),
    /// A bool, enum or level cell has one of these values (sorted, each once).
    In(FactId, Vec<Value>),
    /// An int cell lies in lo..=hi.
    Range(FactId, i32, i32),
    /// Two int cells: `left <= right + plus`.
    Diff {
        /// Left cell.
        left: FactId,
        /// Right cell.
        right: FactId,
        /// Constant.
        plus: i32,
    },
    /// A set cell has at least one label of the mask.
    HasAny(FactId, u64),
    /// A set cell has every label of the mask.
    HasAll(FactId, u64),
    /// The cell is unknown, whatever unknown stands for. Two-valued.
    Unknown(FactId),
}

/// Kleene's three truth values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Truth {
    /// Definitely false.
    False,
    /// Undecided.
    Unknown,
    /// Definitely true.
    True,
}

impl Truth {
    /// From a two-valued answer.
    #[must_use]
    pub fn of(b: bool) -> Self {
        if b { Self::True } else { Self::False }
    }
}

/// Content of a fact cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cell {
    /// Not known.
    Unknown,
    /// Known.
    Known(Value),
}

/// Values for all cells of a model, by [`FactId`].
pub type Assignment = Vec<Cell>;

impl Guard {
    /// The guard that is true iff `self` is definitely false.
    #[must_use]
    pub fn negated(&self) -> Self {
        match self {
            Self::True => Self::False,
            Self::False => Self::True,
            Self::Not(g) => (**g).clone(),
            g => Self::Not(Box::new(g.clone())),
        }
    }

    /// Conjunction that drops `True` and collapses on `False`.
    #[must_use]
    pub fn and(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut out = Vec::new();
        for p in parts {
            match p {
                Self::True => {}
                Self::False => return Self::False,
                Self::And(inner) => out.extend(inner),
                p => out.push(p),
            }
        }
        match out.len() {
            0 => Self::True,
            1 => out.remove(0),
            _ => Self::And(out),
        }
    }

    /// Disjunction that drops `False` and collapses on `True`.
    #[must_use]
    pub fn or(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut out = Vec::new();
        for p in parts {
            match p {
                Self::False => {}
                Self::True => return Self::True,
                Self::Or(inner) => out.extend(inner),
                p => out.push(p),
            }
        }
        match out.len() {
            0 => Self::False,
            1 => out.remove(0),
            _ => Self::Or(out),
        }
    }

    /// The cells it reads, each once, ascending.
    #[must_use]
    pub fn cells(&self) -> Vec<FactId> {
        let mut out = Vec::new();
        self.collect_cells(&mut out);
        out.sort_unstable();
        out.dedup();
        out
    }

    fn collect_cells(&self, out: &mut Vec<FactId>) {
        match self {
            Self::True | Self::False => {}
            Self::Not(g) => g.collect_cells(out),
            Self::And(gs) | Self::Or(gs) => gs.iter().for_each(|g| g.collect_cells(out)),
            Self::In(f, _) | Self::Range(f, _, _) | Self::HasAny(f, _) | Self::HasAll(f, _) | Self::Unknown(f) => {
                out.push(*f)
            }
            Self::Diff { left, right, .. } => out.extend([*left, *right]),
        }
    }

    /// Kleene value under an assignment. A cell that is unknown reads as its strict value where the fact names one,
    /// except in [`Guard::Unknown`]; an unknown latch of the run cannot occur (the run writes them).
    #[must_use]
    pub fn eval(&self, model: &Model, facts: &[Cell]) -> Truth {
        let read = |f: FactId| match facts.get(f.index()) {
            Some(Cell::Known(v)) => Some(*v),
            _ => model.fact(f).unknown,
        };
        match self {
            Self::True => Truth::True,
            Self::False => Truth::False,
            Self::Not(g) => match g.eval(model, facts) {
                Truth::True => Truth::False,
                Truth::Unknown => Truth::Unknown,
                Truth::False => Truth::True,
            },
            Self::And(gs) => gs.iter().map(|g| g.eval(model, facts)).min().unwrap_or(Truth::True),
            Self::Or(gs) => gs.iter().map(|g| g.eval(model, facts)).max().unwrap_or(Truth::False),
            Self::In(f, vs) => read(*f).map_or(Truth::Unknown, |v| Truth::of(vs.contains(&v))),
            Self::Range(f, lo, hi) => {
                read(*f).map_or(Truth::Unknown, |v| Truth::of(i64::from(*lo) <= v && v <= i64::from(*hi)))
            }
            Self::Diff { left, right, plus } => match (read(*left), read(*right)) {
                (Some(a), Some(b)) => Truth::of(a <= b + i64::from(*plus)),
                _ => Truth::Unknown,
            },
            Self::HasAny(f, mask) => read(*f).map_or(Truth::Unknown, |v| Truth::of(v.cast_unsigned() & mask != 0)),
            Self::HasAll(f, mask) => read(*f).map_or(Truth::Unknown, |v| Truth::of(v.cast_unsigned() & mask == *mask)),
            Self::Unknown(f) => Truth::of(!matches!(facts.get(f.index()), Some(Cell::Known(_)))),
        }
    }
}
