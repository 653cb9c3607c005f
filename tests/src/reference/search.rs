//! Every run there is: breadth first over node, monitor, facts and latches.

use super::facts::{atoms, cells, choose, contents, ends_epoch, fresh, port, ports, taken, vectors, write};
use super::gates::{Gate, works};
use super::going::differences;
use super::monitor::{Monitor, World};
use super::profile::runs;
use foldhash::HashSet;
use roadlaw_compiler::model::{
    Cell, Change, ClaimKind, EdgeId, EdgeKind, FactId, Guard, Latch, Life, Model, NodeId, NodeKind, Order, Outcome,
    Profile, RoadId, RoleItem, Type,
};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// One edge of a run.
#[derive(Debug, Clone)]
pub struct Stride {
    /// The edge.
    pub edge: EdgeId,
    /// The facts under which its port was read.
    pub at: Vec<Cell>,
    /// Those at its end, latches written.
    pub then: Vec<Cell>,
}

/// What the search found.
#[derive(Debug, Default)]
pub struct Found {
    /// Laws broken, each with a shortest run that breaks it by its last edge; none where no run alone shows it.
    pub broken: BTreeMap<&'static str, Vec<Stride>>,
    /// Edges that break a law first on some run, with that law.
    pub first: BTreeSet<(EdgeId, &'static str)>,
    /// Gates that are missing at a node, with the law.
    pub lacking: BTreeMap<(NodeId, Gate), BTreeSet<&'static str>>,
    /// Pairs of roads that a fallback joins on some run, lawful or not.
    pub pairs: BTreeSet<(EdgeId, RoadId, RoadId)>,
    /// Roads that some run uses, lawful or not.
    pub used: BTreeSet<RoadId>,
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
        for role in ["replay_proved", "no_effect", "owner_authorised"] {
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

fn read_cells(m: &Model) -> BTreeSet<FactId> {
    let mut read: BTreeSet<FactId> = BTreeSet::new();
    for g in guards(m) {
        atoms(g, &mut |a| read.extend(cells(a)));
    }
    for c in &m.chooses {
        read.extend(c.by);
        for (_, order) in &c.profiles {
            if let Order::Keys(keys) = order {
                read.extend(keys.iter().flat_map(|k| k.cells.iter().copied()));
            }
        }
    }
    for r in &m.roads {
        for role in ["replay_proved", "no_effect", "owner_authorised"] {
            read.extend(r.roles.get(role).into_iter().flatten().filter_map(|i| match i {
                RoleItem::Fact(f) => Some(*f),
                RoleItem::Let(_) => None,
            }));
        }
    }
    read
}

/// Cells that can matter, with the contents that can be told apart.
#[must_use]
pub fn free(m: &Model) -> Vec<(FactId, Vec<Cell>)> {
    let guards = guards(m);
    read_cells(m)
        .into_iter()
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

/// All runs of all flows, and what only they show together: roads that no run uses, words of fallbacks that are not real.
/// Up to a number of states for each flow.
#[must_use]
pub fn search(m: &Model, most: usize) -> Found {
    let mut all = Found { complete: true, ..Found::default() };
    for flow in 0..m.flows.len() {
        let found = search_flow(m, flow, most, false);
        if all.complete && found.complete && runs(m.profile, "RL114") && reads_volatile(m) {
            exempt(m, flow, most, &found, &mut all);
        }
        for (law, path) in found.broken {
            all.broken.entry(law).or_insert(path);
        }
        all.first.extend(found.first);
        all.pairs.extend(found.pairs);
        all.used.extend(found.used);
        all.states += found.states;
        all.complete &= found.complete;
    }
    // What no run shows is known only where all were seen.
    if all.complete && runs(m.profile, "RL303") {
        unreal(m, &mut all);
    }
    if all.complete && all.used.len() < m.roads.len() {
        all.broken.entry("RL704").or_default();
    }
    all
}

/// RL114: a gate that is missing only where volatile and rank facts change at every edge.
fn exempt(m: &Model, flow: usize, most: usize, bound: &Found, all: &mut Found) {
    let free = search_flow(m, flow, most, true);
    all.complete &= free.complete;
    for ((n, g), laws) in &free.lacking {
        if !matches!(g, Gate::Cut | Gate::Ver | Gate::Att) || bound.lacking.contains_key(&(*n, *g)) {
            continue;
        }
        for law in laws {
            let own = matches!(*law, "RL104" | "RL105" | "RL109");
            all.broken.entry(if own { "RL114" } else { law }).or_default();
        }
    }
}

/// Some guard of an edge or need reads a fact that can change between two edges of an epoch.
fn reads_volatile(m: &Model) -> bool {
    let needs = m.roads.iter().flat_map(|r| [&r.need_cut, &r.need_durable]);
    let mut read = needs.chain(m.edges.iter().map(|e| &e.guard)).flat_map(super::facts::reads);
    read.any(|f| matches!(m.facts[f.index()].life, Life::Volatile | Life::Rank))
}

/// RL303: a declared word that no pair of roads differs in. Copies of one written edge share their words.
fn unreal(m: &Model, all: &mut Found) {
    let mut written: BTreeMap<_, Vec<EdgeId>> = BTreeMap::new();
    for (i, e) in m.edges.iter().enumerate().filter(|(_, e)| e.kind == EdgeKind::Fallback) {
        written.entry(e.spans.first().copied()).or_default().push(EdgeId(super::facts::id(i)));
    }
    for edges in written.into_values() {
        let pairs: Vec<_> = all.pairs.iter().filter(|(e, s, d)| edges.contains(e) && s != d).collect();
        let entry = ["RL304", "RL306", "RL307", "RL312"];
        let refused = all.first.iter().any(|(e, law)| edges.contains(e) && entry.contains(law));
        if refused && pairs.is_empty() {
            continue;
        }
        let real: BTreeSet<Change> = pairs.iter().flat_map(|(_, s, d)| differences(m, *s, *d)).collect();
        let payload = [Change::Content, Change::Workspace, Change::Policy, Change::Actor];
        let mut said = edges.iter().flat_map(|e| m.edges[e.index()].changes.iter().flatten());
        if said.any(|c| !payload.contains(c) && !real.contains(c)) {
            all.broken.entry("RL303").or_default();
        }
    }
}

/// All runs of one flow: 0 is the policy's own, the others are those of children. `restless`: volatile and rank facts are
/// read afresh before every edge.
#[must_use]
pub fn search_flow(m: &Model, flow: usize, most: usize, restless: bool) -> Found {
    let world = World::new(m);
    let free = free(m);
    let read = read_cells(m);
    let mut found = Found { complete: true, ..Found::default() };
    let mut begin = vec![Cell::Unknown; m.facts.len()];
    let mut latches: Vec<(FactId, Vec<Cell>)> = Vec::new();
    for (i, f) in m.facts.iter().enumerate() {
        let id = FactId(super::facts::id(i));
        match f.latch {
            Some(Latch::Left(c)) => begin[i] = Cell::Known(i64::from(m.counters[c.index()].max)),
            Some(Latch::Consumed) if !read.contains(&id) => {}
            Some(_) => latches.push((id, vec![Cell::Known(0), Cell::Known(1)])),
            None => {}
        }
    }
    // Only these cells ever differ between two states.
    let mut moving: Vec<FactId> = free.iter().map(|(f, _)| *f).collect();
    moving.extend((0..m.facts.len()).map(|i| FactId(super::facts::id(i))).filter(|f| {
        let fact = &m.facts[f.index()];
        fact.latch.is_some() && (fact.latch != Some(Latch::Consumed) || read.contains(f))
    }));
    let short = |facts: &[Cell]| -> Vec<Cell> { moving.iter().map(|f| facts[f.index()]).collect() };
    let long = |cells: &[Cell]| -> Vec<Cell> {
        let mut out = begin.clone();
        moving.iter().zip(cells).for_each(|(f, c)| out[f.index()] = *c);
        out
    };
    let out: Vec<Vec<Port>> = (0..m.nodes.len())
        .map(|n| NodeId(super::facts::id(n)))
        .map(|n| ports(m, n).into_iter().map(|p| (p, port(m, n, p.0, p.1))).collect())
        .collect();
    let unsteady = |f: &FactId| matches!(m.facts[f.index()].life, Life::Volatile | Life::Rank);
    let renewed: Vec<Vec<(FactId, Vec<Cell>)>> =
        m.edges.iter().map(|e| free.iter().filter(|(f, _)| fresh(m, e, *f)).cloned().collect()).collect();
    let mut seen: HashSet<(usize, Monitor, Vec<Cell>)> = HashSet::default();
    let mut came: Vec<Came> = Vec::new();
    let mut work: VecDeque<(usize, usize, Monitor, Vec<Cell>)> = VecDeque::new();
    let mut add = |from: Came,
                   state: (usize, Monitor, Vec<Cell>),
                   came: &mut Vec<Came>,
                   work: &mut VecDeque<(usize, usize, Monitor, Vec<Cell>)>| {
        if !seen.contains(&state) {
            seen.insert(state.clone());
            work.push_back((came.len(), state.0, state.1, state.2));
            came.push(from);
        }
    };
    let start = m.flows[flow].start.index();
    for facts in vectors(&begin, &free).iter().flat_map(|v| vectors(v, &latches)) {
        add(None, (start, Monitor::default(), short(&facts)), &mut came, &mut work);
    }
    while let Some((number, at, monitor, cells)) = work.pop_front() {
        found.states += 1;
        if found.states > most {
            found.complete = false;
            break;
        }
        let facts = long(&cells);
        let node = &m.nodes[at];
        let volatile: Vec<_> = free
            .iter()
            .filter(|(f, _)| {
                let new = ends_epoch(&node.kind) && m.facts[f.index()].life == Life::Volatile;
                new || (restless && unsteady(f))
            })
            .cloned()
            .collect();
        for before in vectors(&facts, &volatile) {
            for ((outcome, candidate), port) in &out[at] {
                if let NodeKind::Choose(c) = &node.kind {
                    let picked = choose(m, &m.chooses[c.index()], &before);
                    let asked = if *outcome == Outcome::Chosen { *candidate } else { None };
                    if picked != asked {
                        continue;
                    }
                }
                for e in taken(m, port, &before) {
                    let edge = &m.edges[e.index()];
                    let mut written = before.clone();
                    // A choose that just chose leaves the chosen road.
                    write(m, edge, edge.rank, candidate.or(monitor.current()), &mut written);
                    for after in vectors(&written, &renewed[e.index()]) {
                        let mut next = monitor.clone();
                        let step = next.step(&world, e, &before, &after);
                        for b in step.broken {
                            let last = || Stride { edge: e, at: before.clone(), then: after.clone() };
                            found.broken.entry(b.law).or_insert_with(|| path(&came, number, last(), &long));
                            found.first.insert((e, b.law));
                            if let Some(g) = b.gate {
                                found.lacking.entry((edge.to, g)).or_default().insert(b.law);
                            }
                        }
                        found.pairs.extend(step.formed);
                        let to = &m.nodes[edge.to.index()];
                        if m.profile == Profile::Choice {
                            found.used.extend(edge.candidate);
                        } else if works(&to.kind) || to.kind == NodeKind::Repair {
                            found.used.extend(to.road);
                        }
                        let came_by = (number, e, short(&before), short(&after));
                        add(Some(came_by), (edge.to.index(), next, short(&after)), &mut came, &mut work);
                    }
                }
            }
        }
    }
    found
}

/// Outcome and candidate of a port, and its edges.
type Port = ((Outcome, Option<RoadId>), Vec<EdgeId>);

/// The state before, the edge from there, and the moving cells before and after it; none at the start.
type Came = Option<(usize, EdgeId, Vec<Cell>, Vec<Cell>)>;

fn path(came: &[Came], mut number: usize, last: Stride, long: &impl Fn(&[Cell]) -> Vec<Cell>) -> Vec<Stride> {
    let mut out = vec![last];
    while let Some((before, edge, at, then)) = &came[number] {
        out.push(Stride { edge: *edge, at: long(at), then: long(then) });
        number = *before;
    }
    out.reverse();
    out
}
