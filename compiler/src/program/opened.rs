//! A table as the commands that read one get it: checked by the runtime, its digest computed, its names at hand.

use super::binding::{FactName, Kind, Setting};
use super::fault::Fault;
use super::files;
use super::symbols::Symbols;
use roadlaw_compiler::model::Latch;
use roadlaw_compiler::validate::{View, view};
use roadlaw_grammar::diagnostic::Diagnostic;
use roadlaw_grammar::span::Span;
use roadlaw_runtime::{CellKind, Facts, FactsError, Latches, Obligation, Obligations, Table};
use serde_json::{Value, json};
use std::path::Path;

/// Reads a table file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Fault> {
    files::read(path)
}

/// Checks the bytes: form and checksum by the runtime, the digest here, since the runtime computes none.
pub(crate) fn check<'a>(path: &Path, bytes: &'a [u8]) -> Result<(Table<'a>, View), Fault> {
    let unusable = |reason: String| Fault::File { doing: "use the table", path: files::name(path), reason };
    let table = Table::from_bytes(bytes).map_err(|e| unusable(e.to_string()))?;
    let view = view(bytes).map_err(|what| match what.as_str() {
        "digest" => unusable("its digest does not fit: it was altered".to_owned()),
        _ => unusable(format!("malformed: {what}")),
    })?;
    Ok((table, view))
}

/// A table with its names.
#[derive(Debug)]
pub(crate) struct Opened<'a> {
    pub(crate) table: Table<'a>,
    pub(crate) view: View,
    pub(crate) symbols: Symbols,
    /// Names by which facts and latches are given: the cells in order, then latches that no guard reads.
    pub(crate) names: Vec<FactName>,
    latches: Vec<Option<Latch>>,
}

/// Facts with the latches that an earlier run of the same question left.
#[derive(Debug)]
pub(crate) struct Given {
    pub(crate) facts: Facts,
    pub(crate) latches: Latches,
}

impl<'a> Opened<'a> {
    /// Checks the bytes and reads the names.
    pub(crate) fn new(path: &Path, bytes: &'a [u8]) -> Result<Self, Fault> {
        let (table, view) = check(path, bytes)?;
        let symbols = Symbols::read(&table, &view);
        let mut names: Vec<FactName> = (0..table.cells())
            .map(|i| FactName { name: symbols.cell(i).to_owned(), kind: kind(&table, &symbols, i) })
            .collect();
        let mut latches = view.latches.clone();
        let mut extra = |name: String, latch: Latch| {
            if !latches.contains(&Some(latch)) && names.iter().all(|n| n.name != name) {
                names.push(FactName { name, kind: Kind::Bool });
                latches.push(Some(latch));
            }
        };
        extra("judged".to_owned(), Latch::Judged);
        extra("consumed".to_owned(), Latch::Consumed);
        for (i, road) in symbols.roads.iter().enumerate() {
            let id = u32::try_from(i).unwrap_or(u32::MAX);
            extra(format!("tried[{road}]"), Latch::Tried(roadlaw_compiler::model::RoadId(id)));
        }
        Ok(Self { table, view, symbols, names, latches })
    }

    /// Nothing known, nothing tried.
    pub(crate) fn nothing(&self) -> Given {
        Given { facts: Facts::new(), latches: Latches::fresh(&self.table) }
    }

    /// Writes settings into facts and latches. An unknown latch is its closed end.
    pub(crate) fn set(&self, given: &mut Given, settings: &[Setting], at: Span) -> Result<(), Box<Diagnostic>> {
        for (cell, value) in settings {
            match (self.latch(*cell), value) {
                (Some(latch), value) => given.latches = latched(given.latches, latch, *value),
                (None, None) => given.facts.unset(*cell),
                (None, Some(v)) => self.fact(&mut given.facts, *cell, *v).map_err(|e| {
                    let name = self.names.get(*cell).map_or("", |n| n.name.as_str());
                    Box::new(Diagnostic::error("F004", at, format!("`{name}` cannot be set: {e}")))
                })?,
            }
        }
        Ok(())
    }

    /// The first of the settings that is a latch.
    pub(crate) fn latch_among(&self, settings: &[Setting]) -> Option<&str> {
        let cell = settings.iter().map(|s| s.0).find(|c| self.latch(*c).is_some())?;
        self.names.get(cell).map(|n| n.name.as_str())
    }

    fn fact(&self, facts: &mut Facts, cell: usize, value: i64) -> Result<(), FactsError> {
        let t = &self.table;
        match t.cell(cell).map(|c| c.kind()) {
            None => Err(FactsError::NoCell),
            Some(CellKind::Bool) => facts.set_bool(t, cell, value == 1),
            Some(CellKind::Enum { .. } | CellKind::Level { .. }) => {
                facts.set_value(t, cell, u8::try_from(value).map_err(|_| FactsError::Domain)?)
            }
            Some(CellKind::Set { .. }) => facts.set_labels(t, cell, value.cast_unsigned()),
            Some(CellKind::Int { .. }) => facts.set_int(t, cell, i32::try_from(value).map_err(|_| FactsError::Domain)?),
        }
    }

    /// The latch that a cell is; `None` for a cell that the caller supplies.
    pub(crate) fn latch(&self, cell: usize) -> Option<Latch> {
        self.latches.get(cell).copied().flatten()
    }

    /// What every JSON answer on a table begins with.
    pub(crate) fn head(&self, path: &Path) -> Value {
        json!({
            "table": files::name(path),
            "policy": self.symbols.policy,
            "digest": hex(&self.table.digest()),
        })
    }

    /// The policy as people see it.
    pub(crate) fn policy(&self) -> &str {
        self.symbols.policy.as_deref().unwrap_or("(names are stripped)")
    }
}

fn latched(latches: Latches, latch: Latch, value: Option<i64>) -> Latches {
    match latch {
        Latch::Left(c) => latches.with_left(c.index(), u8::try_from(value.unwrap_or(0)).unwrap_or(0)),
        _ if value == Some(0) => latches,
        Latch::Tried(r) => latches.with_tried(r.index()),
        Latch::Judged => latches.with_judged(),
        Latch::Consumed => latches.with_consumed(),
    }
}

fn kind(table: &Table<'_>, symbols: &Symbols, i: usize) -> Kind {
    let labels = || symbols.cells.get(i).map(|c| c.labels.clone()).unwrap_or_default();
    match table.cell(i).map(|c| c.kind()) {
        Some(CellKind::Enum { .. } | CellKind::Level { .. }) => Kind::Word(labels()),
        Some(CellKind::Set { .. }) => Kind::Set(labels()),
        Some(CellKind::Int { lo, hi }) => Kind::Int(lo.into(), hi.into()),
        Some(CellKind::Bool) | None => Kind::Bool,
    }
}

/// Names of obligations.
pub(crate) fn obligations(bits: u32) -> Vec<&'static str> {
    Obligations::named(bits).iter().map(Obligation::name).collect()
}

/// Digests as they are pinned.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}
