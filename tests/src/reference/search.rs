//! Every run there is: breadth first over node, monitor, facts and latches.

use super::facts::{atoms, cells, choose, contents, ends_epoch, fresh, port, ports, taken, vectors, write};
use super::monitor::Monitor;
use roadlaw_compiler::model::{
    Cell, ClaimKind, EdgeId, FactId, Guard, Latch, Life, Model, NodeKind, Outcome, RoleItem, Type,
};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// What the search found.
#[derive(Debug, Default)]
pub struct Found {
    /// Laws broken, each with the edges of a shortest run that breaks it.
    pub broken: BTreeMap<&'static str, Vec<EdgeId>>,
    /// States seen.
    pub states: usize,
    /// Every state was seen.
    pub complete: bool,
}

/// Guards that decide something on a run.
fn guards(m: &Model) -> Vec<&Guard> {
    let mut out: Vec<&Guard> = m.edges.iter().map(|e| &e.guard).collect();
    for r in &m.roads {
        out.extend(r.filters.iter().map(|f| &f.guard));
        out.extend([&r.need_cut, &r.need_durable]);
        for role in ["replay_proved", "no_effect"] {
            out.extend(r.roles.get(role).into_iter().flatten().filter_map(|i| match i {
                RoleItem::Let(g) => Some(g),
                RoleItem::Fact(_) => None,
            }));
        }
    }
    for c in &m.claims {
        match &c.kind {
            ClaimKind::Never { at, .. } => out.extend(at.iter().map(|(_, _, g)| g)),
            ClaimKind::Always { at } => out.extend(at.iter().map(|(_, _, g, _)| g)),
        }
    }
    out
}

/// Cells that can matter, with the contents that can be told apart.
#[must_use]
pub fn free(m: &Model) -> Vec<(FactId, Vec<Cell>)> {
    let guards = guards(m);
    let mut read: BTreeSet<FactId> = BTreeSet::new();
    for g in &guards {
        atoms(g, &mut |a| read.extend(cells(a)));
    }
    for c in &m.chooses {
        read.extend(c.by);
        for (_, order) in &c.profiles {
            if let roadlaw_compiler::model::Order::Keys(keys) = order {
                read.extend(keys.iter().flat_map(|k| k.cells.iter().copied()));
            }
        }
    }
    read.into_iter()
        .filter(|f| m.facts[f.index()].latch.is_none())
        .map(|f| {
            let mut some = contents(m, f, &guards);
            if let Type::Int { lo, hi } = m.facts[f.index()].ty {
                some.extend([lo, hi].map(|v| Cell::Known(i64::from(v))));
                some.sort();
                some.dedup();
            }
            (f, some)
        })
        .collect()
}

/// Searches all runs of the policy's own flow, up to a number of states.
#[must_use]
pub fn search(m: &Model, most: usize) -> Found {
    search_flow(m, 0, most)
}

/// As [`search`], the runs of one flow: 0 is the policy's own, the others are those of children.
#[must_use]
pub fn search_flow(m: &Model, flow: usize, most: usize) -> Found {
    let free = free(m);
    let mut found = Found { complete: true, ..Found::default() };
    let mut begin = vec![Cell::Unknown; m.facts.len()];
    let mut latches: Vec<(FactId, Vec<Cell>)> = Vec::new();
    for (i, f) in m.facts.iter().enumerate() {
        let id = FactId(super::facts::id(i));
        match f.latch {
            Some(Latch::Left(c)) => begin[i] = Cell::Known(i64::from(m.counters[c.index()].max)),
            Some(_) => latches.push((id, vec![Cell::Known(0), Cell::Known(1)])),
            None => {}
        }
    }
    let starts: Vec<Vec<Cell>> = vectors(&begin, &free).iter().flat_map(|v| vectors(v, &latches)).collect();
    let mut numbers: BTreeMap<(usize, Monitor, Vec<Cell>), usize> = BTreeMap::new();
    let mut came: Vec<Option<(usize, EdgeId)>> = Vec::new();
    let mut work: VecDeque<(usize, usize, Monitor, Vec<Cell>)> = VecDeque::new();
    let start = m.flows[flow].start.index();
    for facts in starts {
        let number = came.len();
        if numbers.insert((start, Monitor::default(), facts.clone()), number).is_none() {
            came.push(None);
            work.push_back((number, start, Monitor::default(), facts));
        }
    }
    while let Some((number, at, monitor, facts)) = work.pop_front() {
        found.states += 1;
        if found.states > most {
            found.complete = false;
            break;
        }
        let node = &m.nodes[at];
        let volatile: Vec<_> = free
            .iter()
            .filter(|(f, _)| ends_epoch(&node.kind) && m.facts[f.index()].life == Life::Volatile)
            .cloned()
            .collect();
        let nid = roadlaw_compiler::model::NodeId(super::facts::id(at));
        for before in vectors(&facts, &volatile) {
            for (outcome, candidate) in ports(m, nid) {
                if let NodeKind::Choose(c) = &node.kind {
                    let picked = choose(m, &m.chooses[c.index()], &before);
                    let asked = if outcome == Outcome::Chosen { candidate } else { None };
                    if picked != asked {
                        continue;
                    }
                }
                for e in taken(m, &port(m, nid, outcome, candidate), &before) {
                    let edge = &m.edges[e.index()];
                    let mut written = before.clone();
                    // The road that is left: a choose that just chose leaves the chosen one.
                    let left = candidate.or(monitor.current());
                    write(m, edge, edge.rank, left, &mut written);
                    let renewed: Vec<_> = free.iter().filter(|(f, _)| fresh(m, edge, *f)).cloned().collect();
                    for after in vectors(&written, &renewed) {
                        let mut next = monitor.clone();
                        let mut broken = next.step(m, edge, &before, &after);
                        broken.extend(claimed(m, e, &before, &after));
                        if !broken.is_empty() {
                            for law in broken {
                                found.broken.entry(law).or_insert_with(|| path(&came, number, e));
                            }
                            continue;
                        }
                        let state = (edge.to.index(), next, after);
                        if numbers.contains_key(&state) {
                            continue;
                        }
                        let id = came.len();
                        came.push(Some((number, e)));
                        work.push_back((id, state.0, state.1.clone(), state.2.clone()));
                        numbers.insert(state, id);
                    }
                }
            }
        }
    }
    found
}

fn path(came: &[Option<(usize, EdgeId)>], mut number: usize, last: EdgeId) -> Vec<EdgeId> {
    let mut out = vec![last];
    while let Some((before, e)) = came[number] {
        out.push(e);
        number = before;
    }
    out.reverse();
    out
}

/// The author's `never` without `after`.
fn claimed(m: &Model, e: EdgeId, before: &[Cell], after: &[Cell]) -> Option<&'static str> {
    let edge = &m.edges[e.index()];
    let hit = m.claims.iter().any(|c| match &c.kind {
        ClaimKind::Never { at, after: None, submitted: None } => at.iter().any(|(n, o, g)| match o {
            None => *n == edge.to && super::facts::possible(m, g, after),
            Some(o) => *n == edge.from && *o == edge.outcome && super::facts::possible(m, g, before),
        }),
        _ => false,
    });
    hit.then_some("RA")
}
