//! Every run there is: breadth first over node, monitor, facts and latches.

use super::facts::{Asked, atoms, cells, contents, ends_epoch, fresh, port, ports, taken, vectors, write};
use super::gates::{Gate, works};
use super::going::differences;
use super::monitor::{Monitor, Step, World};
use super::profile::runs;
use foldhash::{HashMap, HashSet};
use roadlaw_compiler::model::{
    Cell, Change, ClaimKind, EdgeId, EdgeKind, FactId, Guard, Latch, Life, Model, NodeId, NodeKind, Order, Outcome,
    Profile, RoadId, RoleItem, Stop, Type,
};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hash;
use std::rc::Rc;

/// Roles whose truth some step asks for.
pub const ROLES: [&str; 3] = ["replay_proved", "no_effect", "owner_authorised"];

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
        for role in ROLES {
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
        for role in ROLES {
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

/// Values that occur again and again, each once, by number.
struct Numbered<T> {
    all: Vec<Rc<T>>,
    numbers: HashMap<Rc<T>, u32>,
}

impl<T: Eq + Hash> Numbered<T> {
    fn new() -> Self {
        Self { all: Vec::new(), numbers: HashMap::default() }
    }

    fn number(&mut self, value: T) -> u32 {
        if let Some(n) = self.numbers.get(&value) {
            return *n;
        }
        let (n, value) = (super::facts::id(self.all.len()), Rc::new(value));
        self.all.push(value.clone());
        self.numbers.insert(value, n);
        n
    }

    fn get(&self, n: u32) -> Rc<T> {
        self.all[n as usize].clone()
    }
}

/// An edge that is open under some facts: those under which its port was read, and all that may follow.
struct Move {
    edge: EdgeId,
    before: u32,
    after: Vec<u32>,
}

/// A node's moves, by its facts and the road that a fallback would leave.
type Moves = HashMap<(usize, u32, Option<RoadId>), Rc<Vec<Move>>>;

/// Cells, and what each may hold.
type Contents = Vec<(FactId, Vec<Cell>)>;

/// The facts of one policy as a search goes through them.
struct Ways<'m> {
    m: &'m Model,
    free: Contents,
    /// Latches that nothing reads.
    unread: Vec<FactId>,
    restless: bool,
    chooses: Vec<Asked<'m>>,
    ports: Vec<Vec<Port>>,
    renewed: Vec<Contents>,
    facts: Numbered<Vec<Cell>>,
    moves: Moves,
}

impl Ways<'_> {
    /// What may be taken from a node, and to which facts.
    fn moves(&mut self, at: usize, facts: u32, current: Option<RoadId>) -> Rc<Vec<Move>> {
        if let Some(known) = self.moves.get(&(at, facts, current)) {
            return known.clone();
        }
        let mut out = Vec::new();
        let (m, node) = (self.m, &self.m.nodes[at]);
        let unsteady = |f: &FactId| matches!(m.facts[f.index()].life, Life::Volatile | Life::Rank);
        let again = |f: &FactId| {
            let new = ends_epoch(&node.kind) && m.facts[f.index()].life == Life::Volatile;
            new || (self.restless && unsteady(f))
        };
        let volatile: Vec<_> = self.free.iter().filter(|(f, _)| again(f)).cloned().collect();
        for before in vectors(&self.facts.get(facts), &volatile) {
            let number = self.facts.number(before.clone());
            for ((outcome, candidate), port) in &self.ports[at] {
                if let NodeKind::Choose(c) = &node.kind {
                    let picked = self.chooses[c.index()].choose(&before);
                    let asked = if *outcome == Outcome::Chosen { *candidate } else { None };
                    if picked != asked {
                        continue;
                    }
                }
                for e in taken(m, port, &before) {
                    let edge = &m.edges[e.index()];
                    let mut written = before.clone();
                    // A choose that just chose leaves the chosen road.
                    write(m, edge, edge.rank, candidate.or(current), &mut written);
                    self.unread.iter().for_each(|f| written[f.index()] = Cell::Unknown);
                    let after = vectors(&written, &self.renewed[e.index()]);
                    let after = after.into_iter().map(|v| self.facts.number(v)).collect();
                    out.push(Move { edge: e, before: number, after });
                }
            }
        }
        let out = Rc::new(out);
        self.moves.insert((at, facts, current), out.clone());
        out
    }
}

/// A monitor, an edge, and what it asks of the facts before and after it.
type StepKey = (u32, EdgeId, u32, u32);

/// Monitors of one policy, and what their steps do: each is taken once for all facts that it cannot tell apart.
struct Steps<'m> {
    world: World<'m>,
    monitors: Numbered<Monitor>,
    answers: Numbered<Vec<i64>>,
    /// By facts.
    told: HashMap<u32, u32>,
    done: HashMap<StepKey, Rc<(u32, Step)>>,
}

impl Steps<'_> {
    fn told(&mut self, facts: &Numbered<Vec<Cell>>, n: u32) -> u32 {
        if let Some(known) = self.told.get(&n) {
            return *known;
        }
        let told = self.answers.number(self.world.asks(&facts.get(n)));
        self.told.insert(n, told);
        told
    }

    fn step(&mut self, facts: &Numbered<Vec<Cell>>, monitor: u32, e: EdgeId, at: u32, then: u32) -> Rc<(u32, Step)> {
        let m = self.world.m;
        let pending = matches!(m.node(m.edge(e).to).kind, NodeKind::Stop(Stop::PendingNoRoad, _));
        let key = (monitor, e, if pending { u32::MAX - at } else { self.told(facts, at) }, self.told(facts, then));
        if let Some(known) = self.done.get(&key) {
            return known.clone();
        }
        let mut next = (*self.monitors.get(monitor)).clone();
        let step = next.step(&self.world, e, &facts.get(at), &facts.get(then));
        let out = Rc::new((self.monitors.number(next), step));
        self.done.insert(key, out.clone());
        out
    }
}

fn ways(m: &Model, restless: bool, most: usize) -> (Ways<'_>, bool) {
    let (mut free, mut complete) = (free(m), true);
    // Where there are too many facts to begin with, the last of them do not vary.
    let set = m.facts.iter().filter(|f| matches!(f.latch, Some(Latch::Tried(_) | Latch::Judged))).count();
    let room = most >> set.min(16) >> 1;
    while free.iter().fold(1_usize, |n, (_, some)| n.saturating_mul(some.len())) > room.max(1) {
        complete = false;
        let varies = free.iter_mut().rev().find(|(_, some)| some.len() > 1);
        varies.into_iter().for_each(|(_, some)| some.truncate(1));
    }
    let nodes = (0..m.nodes.len()).map(|n| NodeId(super::facts::id(n)));
    let ports = nodes.map(|n| ports(m, n).into_iter().map(|p| (p, port(m, n, p.0, p.1))).collect()).collect();
    let renewed = m.edges.iter().map(|e| free.iter().filter(|(f, _)| fresh(m, e, *f)).cloned().collect()).collect();
    let chooses = m.chooses.iter().map(|c| Asked::of(m, c)).collect();
    let read = read_cells(m);
    let nobody = |f: &FactId| m.fact(*f).latch == Some(Latch::Consumed) && !read.contains(f);
    let unread = (0..m.facts.len()).map(|i| FactId(super::facts::id(i))).filter(nobody).collect();
    let (facts, moves) = (Numbered::new(), HashMap::default());
    (Ways { m, free, unread, restless, chooses, ports, renewed, facts, moves }, complete)
}

/// The facts that a run may begin with.
fn beginnings(m: &Model, free: &[(FactId, Vec<Cell>)]) -> Vec<Vec<Cell>> {
    let read = read_cells(m);
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
    vectors(&begin, free).iter().flat_map(|v| vectors(v, &latches)).collect()
}

/// All runs of one flow: 0 is the policy's own, the others are those of children. `restless`: volatile and rank facts are
/// read afresh before every edge.
#[must_use]
pub fn search_flow(m: &Model, flow: usize, most: usize, restless: bool) -> Found {
    let (mut ways, complete) = ways(m, restless, most);
    let mut found = Found { complete, ..Found::default() };
    let (monitors, answers) = (Numbered::new(), Numbered::new());
    let (told, done) = (HashMap::default(), HashMap::default());
    let mut steps = Steps { world: World::new(m), monitors, answers, told, done };
    let first = steps.monitors.number(Monitor::default());
    let mut seen: HashSet<State> = HashSet::default();
    let (mut states, mut came): (Vec<State>, Vec<Came>) = (Vec::new(), Vec::new());
    let mut add = |from: Came, state: State, states: &mut Vec<State>, came: &mut Vec<Came>| {
        if seen.insert(state) {
            states.push(state);
            came.push(from);
        }
    };
    for facts in beginnings(m, &ways.free) {
        let facts = ways.facts.number(facts);
        add(None, (m.flows[flow].start.index(), first, facts), &mut states, &mut came);
    }
    while let Some((at, monitor, facts)) = states.get(found.states).copied() {
        let number = found.states;
        found.states += 1;
        if found.states > most {
            found.complete = false;
            break;
        }
        let current = steps.monitors.get(monitor).current();
        for way in ways.moves(at, facts, current).iter() {
            let (e, edge) = (way.edge, m.edge(way.edge));
            for after in &way.after {
                let taken = steps.step(&ways.facts, monitor, e, way.before, *after);
                for b in &taken.1.broken {
                    let last = || Stride {
                        edge: e,
                        at: ways.facts.get(way.before).to_vec(),
                        then: ways.facts.get(*after).to_vec(),
                    };
                    found.broken.entry(b.law).or_insert_with(|| path(&came, number, last(), &ways.facts));
                    found.first.insert((e, b.law));
                    if let Some(g) = b.gate {
                        found.lacking.entry((edge.to, g)).or_default().insert(b.law);
                    }
                }
                found.pairs.extend(taken.1.formed);
                add(Some((number, e, way.before, *after)), (edge.to.index(), taken.0, *after), &mut states, &mut came);
            }
            let to = m.node(edge.to);
            if m.profile == Profile::Choice {
                found.used.extend(edge.candidate);
            } else if works(&to.kind) || to.kind == NodeKind::Repair {
                found.used.extend(to.road);
            }
        }
    }
    found
}

/// A node, a monitor and facts, by their numbers.
type State = (usize, u32, u32);

/// Outcome and candidate of a port, and its edges.
type Port = ((Outcome, Option<RoadId>), Vec<EdgeId>);

/// The state before, the edge from there, and the facts before and after it; none at the start.
type Came = Option<(usize, EdgeId, u32, u32)>;

fn path(came: &[Came], mut number: usize, last: Stride, facts: &Numbered<Vec<Cell>>) -> Vec<Stride> {
    let mut out = vec![last];
    while let Some((before, edge, at, then)) = &came[number] {
        out.push(Stride { edge: *edge, at: facts.get(*at).to_vec(), then: facts.get(*then).to_vec() });
        number = *before;
    }
    out.reverse();
    out
}
