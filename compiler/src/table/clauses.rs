//! A guard as a conjunction of clauses, each a disjunction of literals that read one digit.
//!
//! A guard *holds* if Kleene's value is true. Conjunction is the minimum and disjunction the maximum, so that the laws of a
//! distributive lattice and De Morgan's hold: the normal form holds exactly where the guard does. A literal is a comparison of
//! one cell, one label of a set, or, for whatever else there is, a guard of its own.

use crate::model::{FactId, Guard, Model, Type};

/// More clauses than this are not made of one guard: it becomes a literal as it stands.
const MOST: usize = 64;

/// What a literal is read off.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// A cell that is no set.
    Cell(FactId),
    /// A label of a set.
    Label(FactId, u8),
    /// A guard.
    Guard(Guard),
}

/// What one digit says.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Literal {
    pub(super) place: Place,
    pub(super) guard: Guard,
}

/// Literals of which one must hold.
pub(super) type Clause = Vec<Literal>;

/// The clauses that all must hold for the guard to hold.
pub(super) fn clauses(m: &Model, g: &Guard) -> Vec<Clause> {
    normal(m, g, true).unwrap_or_else(|| vec![vec![opaque(g.clone())]])
}

fn opaque(g: Guard) -> Literal {
    Literal { place: Place::Guard(g.clone()), guard: g }
}

/// `None`: too many clauses.
fn normal(m: &Model, g: &Guard, positive: bool) -> Option<Vec<Clause>> {
    match (g, positive) {
        (Guard::True, true) | (Guard::False, false) => Some(Vec::new()),
        (Guard::True, false) | (Guard::False, true) => Some(vec![vec![opaque(Guard::False)]]),
        (Guard::Not(g), _) => normal(m, g, !positive),
        (Guard::And(gs), true) | (Guard::Or(gs), false) => all(m, gs, positive),
        (Guard::Or(gs), true) | (Guard::And(gs), false) => any(m, gs, positive),
        (Guard::HasAny(f, mask), _) if mask.count_ones() > 1 => {
            let single = labels(*mask).map(|l| Guard::HasAny(*f, 1 << l)).collect::<Vec<_>>();
            if positive { any(m, &single, true) } else { all(m, &single, false) }
        }
        (Guard::HasAll(f, mask), _) if *mask != 0 => {
            let single = labels(*mask).map(|l| Guard::HasAny(*f, 1 << l)).collect::<Vec<_>>();
            if positive { all(m, &single, true) } else { any(m, &single, false) }
        }
        _ => {
            let guard = if positive { g.clone() } else { g.negated() };
            Some(vec![vec![Literal { place: place(m, g, &guard), guard }]])
        }
    }
}

fn labels(mask: u64) -> impl Iterator<Item = u8> {
    (0..64_u8).filter(move |l| mask >> l & 1 == 1)
}

fn all(m: &Model, gs: &[Guard], positive: bool) -> Option<Vec<Clause>> {
    let parts = gs.iter().map(|g| normal(m, g, positive)).collect::<Option<Vec<_>>>()?;
    let out: Vec<Clause> = parts.concat();
    (out.len() <= MOST).then_some(out)
}

fn any(m: &Model, gs: &[Guard], positive: bool) -> Option<Vec<Clause>> {
    let mut out: Vec<Clause> = vec![Vec::new()];
    for g in gs {
        let more = normal(m, g, positive)?;
        let mut next = Vec::new();
        for (a, b) in out.iter().flat_map(|a| more.iter().map(move |b| (a, b))) {
            let mut clause: Clause = a.iter().chain(b).cloned().collect();
            clause.sort();
            clause.dedup();
            next.push(clause);
        }
        if next.len() > MOST {
            return None;
        }
        out = next;
    }
    // The empty disjunction never holds, and neither does a literal that is false.
    for clause in &mut out {
        if clause.len() > 1 {
            clause.retain(|l| l.guard != Guard::False);
        }
        if clause.is_empty() {
            clause.push(opaque(Guard::False));
        }
    }
    Some(out)
}

fn place(m: &Model, atom: &Guard, whole: &Guard) -> Place {
    let cells = atom.cells();
    let [f] = cells.as_slice() else { return Place::Guard(whole.clone()) };
    if m.fact(*f).latch.is_some() {
        return Place::Guard(whole.clone());
    }
    match (&m.fact(*f).ty, atom) {
        (Type::Set(_), Guard::HasAny(_, mask)) if mask.count_ones() == 1 => {
            Place::Label(*f, u8::try_from(mask.trailing_zeros()).unwrap_or(0))
        }
        (Type::Set(_), Guard::Unknown(_)) => Place::Label(*f, 0),
        (Type::Set(_), _) => Place::Guard(whole.clone()),
        _ => Place::Cell(*f),
    }
}
