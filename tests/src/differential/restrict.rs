//! A policy with few facts: all others are fixed, so that every run of it can be tried.

use crate::reference::{facts, search};
use roadlaw_compiler::model::{Cell, ClaimKind, FactId, Guard, Model, RoleItem, Type};
use std::collections::{BTreeMap, BTreeSet};

/// The guard with constants in the place of all cells but those that stay.
fn fixed(m: &Model, g: &Guard, stay: &BTreeSet<FactId>, at: &[Cell]) -> Guard {
    match g {
        Guard::Not(g) => Guard::Not(Box::new(fixed(m, g, stay, at))),
        Guard::And(gs) => Guard::and(gs.iter().map(|g| fixed(m, g, stay, at))),
        Guard::Or(gs) => Guard::or(gs.iter().map(|g| fixed(m, g, stay, at))),
        Guard::True | Guard::False => g.clone(),
        atom if facts::cells(atom).iter().any(|f| stay.contains(f) || m.fact(*f).latch.is_some()) => atom.clone(),
        atom => match facts::value(m, atom, at) {
            Some(true) => Guard::True,
            _ => Guard::False,
        },
    }
}

/// The policy with few facts: all others are as they are given.
#[must_use]
pub fn restricted(m: &Model, given: &BTreeMap<FactId, Cell>, stay: &BTreeSet<FactId>) -> Model {
    let mut at = vec![Cell::Unknown; m.facts.len()];
    for (f, c) in given {
        at[f.index()] = *c;
    }
    let mut out = m.clone();
    let fix = |g: &mut Guard| *g = fixed(m, g, stay, &at);
    for e in &mut out.edges {
        fix(&mut e.guard);
    }
    for r in &mut out.roads {
        r.filters.iter_mut().for_each(|f| fix(&mut f.guard));
        fix(&mut r.need_cut);
        fix(&mut r.need_durable);
        for item in r.roles.values_mut().flatten() {
            match item {
                RoleItem::Let(g) => fix(g),
                RoleItem::Fact(f) if stay.contains(f) => {}
                RoleItem::Fact(f) => {
                    let Cell::Known(v) = at[f.index()] else { continue };
                    let yes = match m.fact(*f).ty {
                        Type::Level(_) => v >= 2,
                        Type::Int { .. } => v >= 40,
                        _ => v == 1,
                    };
                    *item = RoleItem::Let(if yes { Guard::True } else { Guard::False });
                }
            }
        }
    }
    for c in &mut out.claims {
        match &mut c.kind {
            ClaimKind::Never { at, .. } => at.iter_mut().for_each(|(_, _, g)| fix(g)),
            ClaimKind::Always { at } => at.iter_mut().for_each(|(_, _, g, _)| fix(g)),
        }
    }
    out
}

/// With few facts fewer pairs of roads are joined by a fallback: words that none of them differs in are left out. Whether all its
/// runs were seen.
pub fn mend(m: &mut Model, most: usize) -> bool {
    let found = search::search(m, most);
    if !found.complete {
        return false;
    }
    for i in 0..m.edges.len() {
        let text = m.edges[i].spans.first().copied();
        let real: BTreeSet<_> = found
            .pairs
            .iter()
            .filter(|(e, ..)| m.edges[e.index()].spans.first().copied() == text)
            .flat_map(|(_, s, d)| crate::reference::going::differences(m, *s, *d))
            .collect();
        let e = &mut m.edges[i];
        if e.kind == roadlaw_compiler::model::EdgeKind::Fallback
            && let Some(words) = &mut e.changes
        {
            words.retain(|w| real.contains(w));
        }
    }
    true
}
