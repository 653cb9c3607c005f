//! The catalogue of changes. Each operator is data and one function that finds where it can be made.

mod bounds;
mod choose;
mod edges;
mod facts;
mod gates;
mod guards;
mod roads;

use super::edit::Change;
use super::subject::Subject;

/// One kind of change.
#[derive(Clone, Copy)]
pub struct Operator {
    /// Stable name, `drop-gate`.
    pub name: &'static str,
    /// What is changed, for people: one line, lower case, no period.
    pub meaning: &'static str,
    /// It is made also in the shipped libraries, where the policy uses them; the others only in what its authors wrote.
    pub shipped: bool,
    /// A change of this kind, as an excerpt would show it.
    pub example: &'static str,
    pub(crate) changes: fn(&Subject<'_>) -> Vec<Change>,
}

impl std::fmt::Debug for Operator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Operator").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A group of operators: what they change.
#[derive(Debug, Clone, Copy)]
pub struct Family {
    /// For people.
    pub title: &'static str,
    /// In the order in which they are tried.
    pub operators: &'static [Operator],
}

/// All operators, by what they change.
pub const CATALOGUE: &[Family] = &[
    Family { title: "Gates", operators: gates::OPERATORS },
    Family { title: "Edges", operators: edges::OPERATORS },
    Family { title: "Guards", operators: guards::OPERATORS },
    Family { title: "Facts", operators: facts::OPERATORS },
    Family { title: "Roads and targets", operators: roads::OPERATORS },
    Family { title: "Choosing", operators: choose::OPERATORS },
    Family { title: "Bounds", operators: bounds::OPERATORS },
];

/// All operators in order.
pub fn all() -> impl Iterator<Item = &'static Operator> {
    CATALOGUE.iter().flat_map(|f| f.operators)
}
