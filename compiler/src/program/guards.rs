//! Guards of a table in the words of the language.

use super::symbols::Symbols;
use roadlaw_compiler::model::{FactId, Guard};
use roadlaw_runtime::{CellKind, Table};

/// How tightly a text binds: alternatives, conjunctions, atoms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binds {
    Or,
    And,
    Atom,
}

/// The guard as text.
pub(crate) fn text(table: &Table<'_>, symbols: &Symbols, guard: &Guard) -> String {
    Words { table, symbols }.guard(guard).0
}

/// A value of a cell as text; `None` for a cell that does not exist.
pub(crate) fn value(table: &Table<'_>, symbols: &Symbols, cell: usize, value: i64) -> Option<String> {
    let label = |i: i64| symbols.label(cell, usize::try_from(i).unwrap_or(usize::MAX)).to_owned();
    Some(match table.cell(cell)?.kind() {
        CellKind::Bool => (value == 1).to_string(),
        CellKind::Enum { .. } | CellKind::Level { .. } => label(value),
        CellKind::Int { .. } => value.to_string(),
        CellKind::Set { labels } => {
            let names = (0..i64::from(labels)).filter(|i| value >> i & 1 == 1).map(label).collect::<Vec<_>>();
            format!("{{ {} }}", names.join(", "))
        }
    })
}

struct Words<'a> {
    table: &'a Table<'a>,
    symbols: &'a Symbols,
}

impl Words<'_> {
    fn name(&self, f: FactId) -> &str {
        self.symbols.cell(f.index())
    }

    fn kind(&self, f: FactId) -> Option<CellKind> {
        self.table.cell(f.index()).map(|c| c.kind())
    }

    fn guard(&self, g: &Guard) -> (String, Binds) {
        match g {
            Guard::True => ("true".to_owned(), Binds::Atom),
            Guard::False => ("false".to_owned(), Binds::Atom),
            Guard::Not(inner) => match &**inner {
                Guard::HasAny(f, mask) if self.all_labels(*f, *mask) => {
                    (format!("{} empty", self.name(*f)), Binds::Atom)
                }
                inner => (format!("not {}", self.within(inner, Binds::Atom)), Binds::Atom),
            },
            Guard::And(parts) => self.joined(parts, " and ", "true", Binds::And),
            Guard::Or(parts) => self.joined(parts, " or ", "false", Binds::Or),
            Guard::In(f, values) => (self.one_of(*f, values), Binds::Atom),
            Guard::Range(f, lo, hi) => self.range(*f, *lo, *hi),
            Guard::Diff { left, right, plus } => {
                let plus = match plus {
                    0 => String::new(),
                    n if *n < 0 => format!(" - {}", n.unsigned_abs()),
                    n => format!(" + {n}"),
                };
                (format!("{} <= {}{plus}", self.name(*left), self.name(*right)), Binds::Atom)
            }
            Guard::HasAny(f, mask) if self.all_labels(*f, *mask) => {
                (format!("not {} empty", self.name(*f)), Binds::Atom)
            }
            Guard::HasAny(f, mask) => (self.labels(*f, *mask, "any"), Binds::Atom),
            Guard::HasAll(f, mask) => (self.labels(*f, *mask, "all"), Binds::Atom),
            Guard::Unknown(f) => (format!("{} is unknown", self.name(*f)), Binds::Atom),
        }
    }

    /// In brackets where it binds less tightly than its place.
    fn within(&self, g: &Guard, place: Binds) -> String {
        let (text, binds) = self.guard(g);
        if binds < place { format!("({text})") } else { text }
    }

    fn joined(&self, parts: &[Guard], with: &str, empty: &str, binds: Binds) -> (String, Binds) {
        match parts {
            [] => (empty.to_owned(), Binds::Atom),
            [one] => self.guard(one),
            parts => {
                // Atoms and tighter joins need no brackets inside.
                let inner = if binds == Binds::Or { Binds::And } else { Binds::Atom };
                (parts.iter().map(|p| self.within(p, inner)).collect::<Vec<_>>().join(with), binds)
            }
        }
    }

    fn one_of(&self, f: FactId, values: &[i64]) -> String {
        let name = self.name(f);
        let word = |v: i64| value(self.table, self.symbols, f.index(), v).unwrap_or_default();
        match (self.kind(f), values) {
            (_, []) => "false".to_owned(),
            (Some(CellKind::Bool), [0]) => format!("not {name}"),
            (Some(CellKind::Bool), [1]) => name.to_owned(),
            (_, [one]) => format!("{name} == {}", word(*one)),
            (Some(CellKind::Level { values: n }), [first, .., last]) if is_run(values) => {
                match (*first == 0, *last == i64::from(n) - 1) {
                    (true, false) => format!("{name} <= {}", word(*last)),
                    (false, true) => format!("{name} >= {}", word(*first)),
                    _ => self.list(f, values),
                }
            }
            _ => self.list(f, values),
        }
    }

    fn list(&self, f: FactId, values: &[i64]) -> String {
        let word = |v: &i64| value(self.table, self.symbols, f.index(), *v).unwrap_or_default();
        format!("{} in {{ {} }}", self.name(f), values.iter().map(word).collect::<Vec<_>>().join(", "))
    }

    fn range(&self, f: FactId, lo: i32, hi: i32) -> (String, Binds) {
        let name = self.name(f);
        let (least, greatest) = match self.kind(f) {
            Some(CellKind::Int { lo, hi }) => (lo, hi),
            _ => (i32::MIN, i32::MAX),
        };
        if lo == hi {
            return (format!("{name} == {lo}"), Binds::Atom);
        }
        match (lo <= least, hi >= greatest) {
            (_, true) => (format!("{name} >= {lo}"), Binds::Atom),
            (true, false) => (format!("{name} <= {hi}"), Binds::Atom),
            (false, false) => (format!("{name} >= {lo} and {name} <= {hi}"), Binds::And),
        }
    }

    fn all_labels(&self, f: FactId, mask: u64) -> bool {
        matches!(self.kind(f), Some(CellKind::Set { labels }) if mask.count_ones() == u32::from(labels))
    }

    fn labels(&self, f: FactId, mask: u64, word: &str) -> String {
        let names: Vec<&str> =
            (0..64).filter(|i| mask >> i & 1 == 1).map(|i| self.symbols.label(f.index(), i)).collect();
        match names.as_slice() {
            [one] => format!("{} has {one}", self.name(f)),
            names => format!("{} has {word} {{ {} }}", self.name(f), names.join(", ")),
        }
    }
}

fn is_run(values: &[i64]) -> bool {
    values.windows(2).all(|w| matches!(w, [a, b] if a + 1 == *b))
}
