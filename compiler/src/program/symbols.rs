//! Names of what a table holds. A stripped table has none: ids take their place, and are accepted where names are.

use roadlaw_compiler::validate::View;
use roadlaw_runtime::{CellKind, Table};

/// A name for everything.
#[derive(Debug)]
pub(crate) struct Symbols {
    /// Dotted name of the policy with its version; `None` in a stripped table.
    pub(crate) policy: Option<String>,
    pub(crate) cells: Vec<CellSymbol>,
    pub(crate) roads: Vec<String>,
    pub(crate) filters: Vec<String>,
    pub(crate) nodes: Vec<String>,
    pub(crate) counters: Vec<String>,
    pub(crate) flows: Vec<String>,
}

/// A fact cell, with its values or labels.
#[derive(Debug)]
pub(crate) struct CellSymbol {
    pub(crate) name: String,
    pub(crate) labels: Vec<String>,
}

impl Symbols {
    /// The names that the table holds, or ids: `fact 7`, `road 2`.
    pub(crate) fn read(table: &Table<'_>, view: &View) -> Self {
        let named = !view.symbols.is_empty();
        let mut names = view.symbols.iter().cloned();
        let policy = names.next();
        // The validated table has one name for each thing; an id stands in for a name only where there is none at all.
        let mut next = |noun: &str, i: usize| names.next().filter(|_| named).unwrap_or_else(|| format!("{noun} {i}"));
        let cells = (0..table.cells())
            .map(|i| {
                let name = next("fact", i);
                let (noun, count) = match table.cell(i).map(|c| c.kind()) {
                    Some(CellKind::Enum { values } | CellKind::Level { values }) => ("value", values),
                    Some(CellKind::Set { labels }) => ("label", labels),
                    _ => ("value", 0),
                };
                let labels = (0..usize::from(count)).map(|k| next(noun, k)).collect();
                CellSymbol { name, labels }
            })
            .collect();
        let mut list = |noun: &str, count: usize| (0..count).map(|i| next(noun, i)).collect::<Vec<_>>();
        Self {
            policy,
            cells,
            roads: list("road", table.roads()),
            filters: list("filter", table.filters()),
            nodes: list("node", table.nodes()),
            counters: list("counter", table.counters()),
            flows: list("flow", table.flows()),
        }
    }

    /// The name of a road.
    pub(crate) fn road(&self, i: usize) -> &str {
        self.roads.get(i).map_or("", String::as_str)
    }

    /// The name of a node.
    pub(crate) fn node(&self, i: usize) -> &str {
        self.nodes.get(i).map_or("", String::as_str)
    }

    /// The name of a cell.
    pub(crate) fn cell(&self, i: usize) -> &str {
        self.cells.get(i).map_or("", |c| c.name.as_str())
    }

    /// The word of a value of a cell.
    pub(crate) fn label(&self, cell: usize, value: usize) -> &str {
        self.cells.get(cell).and_then(|c| c.labels.get(value)).map_or("", String::as_str)
    }
}
