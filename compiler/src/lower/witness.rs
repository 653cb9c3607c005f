//! The two-run witness of RL402: two fact vectors that differ in one rank fact, and a guard that tells them apart.

use super::Lowering;
use super::facts::Source;
use crate::model::{FactId, Guard, Index, Life, Truth, Type, Value};
use roadlaw_grammar::diagnostic::{Witness, WitnessFact};
use std::collections::BTreeMap;

/// Vectors that are tried before a witness is given up; the diagnostic stands without one.
const MAX_TRIES: usize = 20_000;

impl Lowering<'_> {
    /// The lifetime of a cell.
    pub(crate) fn cell_life(&self, f: FactId) -> Life {
        match self.cells.list[f.index()].0 {
            Source::Fact(i) => self.scope.facts.entries[i].value.life,
            _ => Life::Latch,
        }
    }

    /// The type of a cell.
    fn cell_type(&self, f: FactId) -> Type {
        match self.cells.list[f.index()].0 {
            Source::Fact(i) => self.scope.facts.entries[i].value.ty.clone(),
            Source::Counter(i) => Type::Int {
                lo: 0,
                hi: i32::try_from(self.scope.counters.entries[i].value.0).unwrap_or(i32::MAX).max(0),
            },
            Source::Tried | Source::Judged | Source::Consumed => Type::Bool,
            Source::Provider => Type::Enum(self.providers.clone().unwrap_or_default()),
        }
    }

    /// The name of a cell's family, `available`.
    pub(crate) fn cell_family(&self, f: FactId) -> &str {
        match self.cells.list[f.index()].0 {
            Source::Fact(i) => self.scope.facts.entries[i].name,
            Source::Counter(i) => self.scope.counters.entries[i].name,
            Source::Tried => "tried",
            Source::Judged => "judged",
            Source::Consumed => "consumed",
            Source::Provider => "target.provider",
        }
    }

    /// The name of a cell, `available[local]`.
    fn cell_name(&self, f: FactId) -> String {
        let family = self.cell_family(f);
        let (_, index) = self.cells.list[f.index()];
        match index {
            None => family.to_owned(),
            Some(Index::Road(r)) => format!("{family}[{}]", self.roads[r.index()].name),
            Some(Index::Target(t)) => format!("{family}[{}]", self.targets[t.index()].name),
        }
    }

    /// Two vectors that differ in `rank` alone, on which the guard differs.
    pub(crate) fn rank_witness(&self, guard: &Guard, rank: FactId) -> Option<Witness> {
        let cells = guard.cells();
        let mut values: BTreeMap<FactId, Vec<Value>> = BTreeMap::new();
        for c in &cells {
            values.insert(*c, self.ends(*c));
        }
        self.boundaries(guard, &mut values);
        let others: Vec<FactId> = cells.iter().copied().filter(|c| *c != rank).collect();
        let own = values.get(&rank)?.clone();
        let mut tries = 0usize;
        let mut digits = vec![0usize; others.len()];
        loop {
            let mut known: BTreeMap<FactId, Value> =
                others.iter().zip(&digits).filter_map(|(c, d)| Some((*c, *values.get(c)?.get(*d)?))).collect();
            let mut first: Option<(Value, Truth)> = None;
            for v in &own {
                tries += 1;
                known.insert(rank, *v);
                let t = evaluate(guard, &known);
                match first {
                    None => first = Some((*v, t)),
                    Some((w, u)) if (u == Truth::True) != (t == Truth::True) => {
                        let with = |value: Value| {
                            let mut facts = vec![self.fact(rank, value)];
                            facts.extend(others.iter().filter_map(|c| Some(self.fact(*c, *known.get(c)?))));
                            facts
                        };
                        let said = |t: Truth| if t == Truth::True { "open" } else { "closed" }.to_owned();
                        return Some(Witness {
                            facts: with(w),
                            other_facts: with(*v),
                            answers: vec![said(u), said(t)],
                            path: Vec::new(),
                        });
                    }
                    Some(_) => {}
                }
            }
            if tries > MAX_TRIES || !step(&mut digits, &others, &values) {
                return None;
            }
        }
    }

    fn fact(&self, f: FactId, v: Value) -> WitnessFact {
        WitnessFact { name: self.cell_name(f), value: spell(&self.cell_type(f), v) }
    }

    fn ends(&self, f: FactId) -> Vec<Value> {
        match self.cell_type(f) {
            Type::Bool => vec![0, 1],
            Type::Enum(w) | Type::Level(w) => (0..i64::try_from(w.len()).unwrap_or(0)).collect(),
            Type::Set(w) => (0..w.len().min(62)).map(|i| 1i64 << i).chain([0]).collect(),
            Type::Int { lo, hi } => vec![i64::from(lo), i64::from(hi)],
        }
    }

    /// Adds the values just inside and outside of each bound.
    fn boundaries(&self, guard: &Guard, values: &mut BTreeMap<FactId, Vec<Value>>) {
        match guard {
            Guard::Not(g) => self.boundaries(g, values),
            Guard::And(gs) | Guard::Or(gs) => gs.iter().for_each(|g| self.boundaries(g, values)),
            Guard::Range(f, a, b) => {
                if let (Type::Int { lo, hi }, Some(list)) = (self.cell_type(*f), values.get_mut(f)) {
                    for v in [i64::from(*a) - 1, i64::from(*a), i64::from(*b), i64::from(*b) + 1] {
                        if v >= i64::from(lo) && v <= i64::from(hi) && !list.contains(&v) {
                            list.push(v);
                        }
                    }
                }
            }
            _ => {}
        }
    }
}

fn step(digits: &mut [usize], cells: &[FactId], values: &BTreeMap<FactId, Vec<Value>>) -> bool {
    for (d, c) in digits.iter_mut().zip(cells) {
        *d += 1;
        if *d < values.get(c).map_or(0, Vec::len) {
            return true;
        }
        *d = 0;
    }
    false
}

/// A value in the spelling of settings.
pub(crate) fn spell(ty: &Type, v: Value) -> String {
    match ty {
        Type::Bool => (v != 0).to_string(),
        Type::Enum(w) | Type::Level(w) => {
            usize::try_from(v).ok().and_then(|i| w.get(i)).cloned().unwrap_or_else(|| v.to_string())
        }
        Type::Int { .. } => v.to_string(),
        Type::Set(w) => {
            let mask = v.cast_unsigned();
            let on: Vec<&str> =
                w.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1).map(|(_, w)| w.as_str()).collect();
            if on.is_empty() { "{ }".into() } else { format!("{{ {} }}", on.join(", ")) }
        }
    }
}

/// Kleene value where all cells of a map are known and all others are not.
fn evaluate(guard: &Guard, known: &BTreeMap<FactId, Value>) -> Truth {
    let at = |f: &FactId, p: &dyn Fn(i64) -> bool| known.get(f).map_or(Truth::Unknown, |v| Truth::of(p(*v)));
    match guard {
        Guard::True => Truth::True,
        Guard::False => Truth::False,
        Guard::Not(g) => match evaluate(g, known) {
            Truth::True => Truth::False,
            Truth::Unknown => Truth::Unknown,
            Truth::False => Truth::True,
        },
        Guard::And(gs) => gs.iter().map(|g| evaluate(g, known)).min().unwrap_or(Truth::True),
        Guard::Or(gs) => gs.iter().map(|g| evaluate(g, known)).max().unwrap_or(Truth::False),
        Guard::In(f, vs) => at(f, &|v| vs.contains(&v)),
        Guard::Range(f, lo, hi) => at(f, &|v| i64::from(*lo) <= v && v <= i64::from(*hi)),
        Guard::Diff { left, right, plus } => match (known.get(left), known.get(right)) {
            (Some(a), Some(b)) => Truth::of(*a <= *b + i64::from(*plus)),
            _ => Truth::Unknown,
        },
        Guard::HasAny(f, mask) => at(f, &|v| v.cast_unsigned() & mask != 0),
        Guard::HasAll(f, mask) => at(f, &|v| v.cast_unsigned() & mask == *mask),
        Guard::Unknown(f) => Truth::of(!known.contains_key(f)),
    }
}
