//! A table with the names of what it holds. A stripped table has numbers for names: `road 2`, `fact 7`.

use super::binding::{self, FactName, Kind, Setting};
use super::document::Item;
use super::fault::Fault;
use super::files;
use roadlaw_grammar::diagnostic::Diagnostic;
use roadlaw_runtime::format::obligation;
use roadlaw_runtime::{CellKind, Closed, Facts, Latches, Symbol, Table};
use std::path::Path;

/// A table and its names.
pub(crate) struct View<'t> {
    pub(crate) table: Table<'t>,
    pub(crate) cells: Vec<FactName>,
}

impl<'t> View<'t> {
    /// Checks the bytes that stood at `path`.
    pub(crate) fn new(path: &Path, bytes: &'t [u8]) -> Result<Self, Fault> {
        let table = Table::from_bytes(bytes).map_err(|e| Fault::File {
            doing: "use",
            path: files::name(path),
            reason: e.to_string(),
        })?;
        // The runtime leaves this to whoever pins a table.
        if roadlaw_compiler::table::digest(bytes) != table.digest() {
            let reason = "the digest does not fit: the table was altered".to_owned();
            return Err(Fault::File { doing: "use", path: files::name(path), reason });
        }
        let cells = (0..table.cells()).map(|i| cell(&table, i)).collect();
        Ok(Self { table, cells })
    }

    pub(crate) fn policy(&self) -> String {
        self.table.name(Symbol::Policy).map_or_else(|| "(stripped)".to_owned(), |n| n.to_string())
    }

    pub(crate) fn road(&self, i: usize) -> String {
        named(&self.table, Symbol::Road(i), "road", i)
    }

    pub(crate) fn node(&self, i: usize) -> String {
        named(&self.table, Symbol::Node(i), "node", i)
    }

    pub(crate) fn flow(&self, i: usize) -> String {
        named(&self.table, Symbol::Flow(i), "flow", i)
    }

    pub(crate) fn counter(&self, i: usize) -> String {
        named(&self.table, Symbol::Counter(i), "counter", i)
    }

    /// A filter by its place in the filters section.
    pub(crate) fn filter(&self, i: usize) -> String {
        named(&self.table, Symbol::Filter(i), "filter", i)
    }

    /// The word for a reason that closed a road.
    pub(crate) fn reason(&self, road: usize, why: Closed) -> String {
        match why {
            Closed::Judged => "judged".to_owned(),
            Closed::Tried => "tried".to_owned(),
            Closed::Profile => "profile".to_owned(),
            Closed::Filter(i) => self.filter(self.table.road(road).map_or(0, |r| r.first_filter()) + i),
        }
    }

    /// Applies an object of named facts. Latches are those that earlier runs of the same question left.
    pub(crate) fn apply(&self, item: &Item, facts: &mut Facts, latches: &mut Latches) -> Result<(), Vec<Diagnostic>> {
        for setting in binding::bind(&self.cells, item)? {
            // What was bound lies in the domain of its cell.
            let _ = self.set(setting, facts, latches);
        }
        Ok(())
    }

    fn set(&self, (at, value): Setting, facts: &mut Facts, latches: &mut Latches) -> Option<()> {
        let c = self.table.cell(at)?;
        let Some(v) = value else {
            facts.unset(at);
            return Some(());
        };
        if c.latch() {
            *latches = latches.with_cell(&self.table, at, v);
            return Some(());
        }
        let t = &self.table;
        match c.kind() {
            CellKind::Bool => facts.set_bool(t, at, v == 1),
            CellKind::Enum { .. } | CellKind::Level { .. } => facts.set_value(t, at, u8::try_from(v).ok()?),
            CellKind::Set { .. } => facts.set_labels(t, at, v.cast_unsigned()),
            CellKind::Int { .. } => facts.set_int(t, at, i32::try_from(v).ok()?),
        }
        .ok()
    }
}

fn named(table: &Table<'_>, of: Symbol, what: &str, i: usize) -> String {
    table.name(of).map_or_else(|| format!("{what} {i}"), |n| n.to_string())
}

fn cell(table: &Table<'_>, i: usize) -> FactName {
    let words = |n: u16| -> Vec<String> {
        (0..usize::from(n))
            .map(|k| {
                let name = table.name(Symbol::Value { cell: i, value: k });
                name.map_or_else(|| k.to_string(), |n| n.to_string())
            })
            .collect()
    };
    let kind = match table.cell(i).map(|c| c.kind()) {
        Some(CellKind::Enum { values } | CellKind::Level { values }) => Kind::Word(words(values)),
        Some(CellKind::Set { labels }) => Kind::Set(words(labels)),
        Some(CellKind::Int { lo, hi }) => Kind::Int(i64::from(lo), i64::from(hi)),
        Some(CellKind::Bool) | None => Kind::Bool,
    };
    FactName { name: named(table, Symbol::Cell(i), "fact", i), kind }
}

/// The words of a mask of obligations.
pub(crate) fn obligations(mask: u32) -> Vec<&'static str> {
    obligation::NAMES.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1).map(|(_, n)| *n).collect()
}

/// Lower-case hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}
