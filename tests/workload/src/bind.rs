//! Inputs as the facts of a built table.

use crate::Workload;
use crate::rows::Row;
use roadlaw_runtime::{Chooser, Facts, Packed, Pick, Symbol, Table};

/// Where a table keeps the facts of the workload, found by name once. A fact that no road asks has no cell.
#[derive(Debug, Clone)]
pub struct Bound {
    bools: Vec<Option<usize>>,
    enums: Vec<Option<usize>>,
    set: Option<usize>,
    ints: Vec<Option<usize>>,
    /// Per road and per edge of the table: the outcome it stands for.
    roads: Vec<usize>,
    exits: Vec<usize>,
}

impl Bound {
    /// Finds the facts and outcomes of the workload in its table.
    ///
    /// # Panics
    /// If the table holds no names, or roads or reasons that the workload does not know.
    #[must_use]
    pub fn new(table: &Table<'_>, workload: &Workload) -> Self {
        assert!(table.has_symbols(), "the table must be built with its names");
        let name = |of| table.name(of).map(|n| n.to_string()).unwrap_or_default();
        let cells: Vec<_> = (0..table.cells()).map(|i| name(Symbol::Cell(i))).collect();
        let at = |wanted: &str| cells.iter().position(|c| c == wanted);
        let road = |wanted: &str| workload.roads.iter().position(|r| r.name == wanted);
        // A refusal's node is named by its reason.
        let refusal = |node: &str| {
            let reason = node.strip_prefix("refused(").and_then(|n| n.strip_suffix(')'));
            let found = workload.refusals.iter().position(|r| Some(r.name.as_str()) == reason);
            found.map_or(usize::MAX, |i| workload.roads.len() + i)
        };
        Self {
            bools: workload.bools.iter().map(|n| at(n)).collect(),
            enums: workload.enums.iter().map(|n| at(&n.0)).collect(),
            set: at(&workload.set),
            ints: workload.ints.iter().map(|n| at(&n.0)).collect(),
            roads: (0..table.roads()).map(|i| road(&name(Symbol::Road(i))).expect("a road")).collect(),
            exits: (0..table.edges())
                .map(|i| refusal(&name(Symbol::Node(table.edge(i).expect("an edge").to()))))
                .collect(),
        }
    }

    /// Sets every fact of packed facts.
    ///
    /// # Panics
    /// If the table is not the one that was bound.
    #[inline]
    pub fn set<const N: usize>(&self, chooser: &Chooser<'_, '_>, packed: &mut Packed<N>, row: &Row) {
        let mine = "a fact of this table";
        for (i, cell) in self.bools.iter().enumerate() {
            if let Some(cell) = cell {
                chooser.set_bool(packed, *cell, row.bool(i)).expect(mine);
            }
        }
        for (value, cell) in row.enums.iter().zip(&self.enums) {
            if let Some(cell) = cell {
                chooser.set_value(packed, *cell, *value).expect(mine);
            }
        }
        if let Some(cell) = self.set {
            chooser.set_labels(packed, cell, u64::from(row.labels)).expect(mine);
        }
        for (value, cell) in row.ints.iter().zip(&self.ints) {
            if let Some(cell) = cell {
                chooser.set_int(packed, *cell, i32::from(*value)).expect(mine);
            }
        }
    }

    /// The input as packed facts.
    ///
    /// # Panics
    /// If the table is not the one that was bound, or its choose cannot be packed.
    #[must_use]
    pub fn packed<const N: usize>(&self, chooser: &Chooser<'_, '_>, row: &Row) -> Packed<N> {
        let mut packed = chooser.packed().expect("the choose can be packed");
        self.set(chooser, &mut packed, row);
        packed
    }

    /// The input as facts.
    ///
    /// # Panics
    /// If the table is not the one that was bound.
    #[must_use]
    pub fn facts(&self, table: &Table<'_>, row: &Row) -> Facts {
        let mine = "a fact of this table";
        let mut facts = Facts::new();
        for (i, cell) in self.bools.iter().enumerate() {
            if let Some(cell) = cell {
                facts.set_bool(table, *cell, row.bool(i)).expect(mine);
            }
        }
        for (value, cell) in row.enums.iter().zip(&self.enums) {
            if let Some(cell) = cell {
                facts.set_value(table, *cell, *value).expect(mine);
            }
        }
        if let Some(cell) = self.set {
            facts.set_labels(table, cell, u64::from(row.labels)).expect(mine);
        }
        for (value, cell) in row.ints.iter().zip(&self.ints) {
            if let Some(cell) = cell {
                facts.set_int(table, *cell, i32::from(*value)).expect(mine);
            }
        }
        facts
    }

    /// The outcome that a pick stands for; `usize::MAX` for none.
    #[must_use]
    pub fn outcome(&self, pick: Pick) -> usize {
        let found = match pick {
            Pick::Road(road) => self.roads.get(road),
            Pick::Exit(edge) => self.exits.get(edge),
            Pick::None => None,
        };
        found.copied().unwrap_or(usize::MAX)
    }
}
