//! Whether two proved policies decide and run alike, for all facts and all outcomes: a proof, or no claim.
//!
//! What a policy declares of its roads, targets and receivers must be the same. Then filters are compared by Z3, and the
//! flows run in step: the second flow is an automaton over the edges of the first ([`Twin`]), with a bad step wherever
//! the first takes an edge that the second, under the same facts, does not answer in kind. That no bad step can be reached
//! is settled as every law is: by dominance, or by an invariant that both engines agree on.

use crate::graph::{Cond, Graph, graph};
use crate::laws::track::{Bad, Move, Subject, Track, When};
use crate::model::{
    Ceilings, Choose, Edge, EdgeId, Fact, FactId, FlowId, Guard, Index, Latch, Model, NodeId, NodeKind, Order, Road,
    RoadId,
};
use crate::prove::{Engine, alone, fixpoint::Context, product::Product, settle, settle::Settled, space::Space};
use roadlaw_grammar::span::Span;
use std::collections::{BTreeMap, BTreeSet};

/// The answer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Equal {
    /// Proved.
    Yes,
    /// They differ, and in what.
    No(String),
    /// Not shown either way.
    Undecided(String),
}

/// Compares two proved policies.
pub(crate) fn equal(a: &Model, b: &Model) -> Equal {
    match alone(|| compare(a, b)) {
        Ok(()) => Equal::Yes,
        Err(other) => other,
    }
}

fn differ(what: impl Into<String>) -> Equal {
    Equal::No(what.into())
}

fn compare(a: &Model, b: &Model) -> Result<(), Equal> {
    declared(a, b)?;
    let (union, cells) = union(a, b)?;
    let ids = Ids { cells, roads: roads(a, b)? };
    filters(&union, b, &ids)?;
    if a.flows.len() != b.flows.len() {
        return Err(differ("the number of flows"));
    }
    let (ga, gb) = (graph(&union), graph(b));
    for flow in 0..a.flows.len() {
        in_step(&ga, &gb, &ids, FlowId(crate::graph::narrow(flow)))?;
    }
    Ok(())
}

/// Ids of the second policy as ids of the first.
struct Ids {
    cells: BTreeMap<FactId, FactId>,
    roads: BTreeMap<RoadId, RoadId>,
}

/// What is written down and not decided: two policies that differ in it are not the same, whatever their runs.
fn declared(a: &Model, b: &Model) -> Result<(), Equal> {
    let same = |what: &str, same: bool| if same { Ok(()) } else { Err(differ(what)) };
    same("name", (&a.name, a.version, a.profile) == (&b.name, b.version, b.profile))?;
    same("pins", a.pins == b.pins)?;
    same("ceilings of the policy", a.ceilings.as_ref().map(placeless) == b.ceilings.as_ref().map(placeless))?;
    let counters = |m: &Model| m.counters.iter().map(|c| (c.name.clone(), c.max)).collect::<Vec<_>>();
    same("counters", counters(a) == counters(b))?;
    same("number of roads", a.roads.len() == b.roads.len())?;
    for (x, y) in a.roads.iter().zip(&b.roads) {
        same("roads", x.name == y.name)?;
        same(&format!("what is declared of road `{}`", x.name), road(a, x) == road(b, y))?;
    }
    Ok(())
}

/// Ceilings without the place where they are written.
fn placeless(c: &Ceilings) -> Ceilings {
    Ceilings { span: Span::default(), ..c.clone() }
}

/// A road as it is declared, without ids.
fn road(m: &Model, r: &Road) -> impl PartialEq + use<> {
    let target = r.target.map(|t| {
        let t = m.target(t);
        // How well the others are known decides nothing.
        let said: Vec<_> = t.attributes.iter().filter(|(k, _)| *k != "evidence").collect();
        (t.name.clone(), t.tag, format!("{said:?}"))
    });
    let consumer = r.consumer.map(|c| m.consumers[c.index()].fields.clone());
    (
        (r.owner, r.cognition, r.carrier, r.shape, r.remote, r.reviewer, r.continuity, r.leaves_invocation),
        (placeless(&r.ceilings), r.attributes.clone(), r.question.clone()),
        (target, consumer, r.through.map(|t| m.road(t).name.clone())),
    )
}

fn roads(a: &Model, b: &Model) -> Result<BTreeMap<RoadId, RoadId>, Equal> {
    let at = |name: &str| a.roads.iter().position(|r| r.name == name).map(|i| RoadId(crate::graph::narrow(i)));
    b.roads
        .iter()
        .enumerate()
        .map(|(i, r)| Some((RoadId(crate::graph::narrow(i)), at(&r.name)?)))
        .collect::<Option<_>>()
        .ok_or_else(|| differ("roads"))
}

/// Cells that some guard, order or counter reads.
fn read(m: &Model) -> BTreeSet<FactId> {
    let mut out = BTreeSet::new();
    for g in m.roads.iter().flat_map(|r| &r.filters).map(|f| &f.guard).chain(m.edges.iter().map(|e| &e.guard)) {
        out.extend(g.cells());
    }
    for c in &m.chooses {
        out.extend(c.by);
        for (_, order) in &c.profiles {
            if let Order::Keys(keys) = order {
                out.extend(keys.iter().flat_map(|k| k.cells.iter().copied()));
            }
        }
    }
    out.extend(m.counters.iter().map(|c| c.fact));
    out
}

/// The first policy with the cells that only the second has, and the second's cells by the first's. A cell that both read
/// must be the same in both: its type, when it is read, what unknown stands for.
fn union(a: &Model, b: &Model) -> Result<(Model, BTreeMap<FactId, FactId>), Equal> {
    let roads = roads(a, b)?;
    let (read_a, read_b) = (read(a), read(b));
    let mut union = a.clone();
    let mut cells = BTreeMap::new();
    for (i, f) in b.facts.iter().enumerate() {
        let id = FactId(crate::graph::narrow(i));
        let mut f = f.clone();
        f.index = match f.index {
            Some(Index::Road(r)) => Some(Index::Road(roads.get(&r).copied().ok_or_else(|| differ("roads"))?)),
            Some(Index::Target(t)) => {
                let name = &b.target(t).name;
                let at = a.targets.iter().position(|t| t.name == *name).ok_or_else(|| differ("targets"))?;
                Some(Index::Target(crate::model::TargetId(crate::graph::narrow(at))))
            }
            None => None,
        };
        if let Some(Latch::Tried(r)) = f.latch {
            f.latch = Some(Latch::Tried(roads.get(&r).copied().ok_or_else(|| differ("roads"))?));
        }
        let at = a.facts.iter().position(|g| g.name == f.name);
        let to = match at {
            Some(at) => {
                let known = FactId(crate::graph::narrow(at));
                if (read_a.contains(&known) || read_b.contains(&id)) && !alike(&a.facts[at], &f) {
                    return Err(differ(format!("fact `{}`", f.name)));
                }
                known
            }
            None => {
                // Counters are the same in both, and the run writes every other latch.
                union.facts.push(f);
                FactId(crate::graph::narrow(union.facts.len() - 1))
            }
        };
        cells.insert(id, to);
    }
    Ok((union, cells))
}

fn alike(a: &Fact, b: &Fact) -> bool {
    // Of roles only those two decide when a cell is read again.
    let again = |f: &Fact| f.role.as_deref().filter(|r| ["revoked", "expired"].contains(r)).map(str::to_owned);
    (a.life, &a.ty, a.unknown, a.latch, a.index, again(a)) == (b.life, &b.ty, b.unknown, b.latch, b.index, again(b))
}

impl Ids {
    fn cell(&self, f: FactId) -> FactId {
        self.cells.get(&f).copied().unwrap_or(f)
    }

    fn guard(&self, g: &Guard) -> Guard {
        match g {
            Guard::True => Guard::True,
            Guard::False => Guard::False,
            Guard::Not(g) => Guard::Not(Box::new(self.guard(g))),
            Guard::And(gs) => Guard::And(gs.iter().map(|g| self.guard(g)).collect()),
            Guard::Or(gs) => Guard::Or(gs.iter().map(|g| self.guard(g)).collect()),
            Guard::In(f, v) => Guard::In(self.cell(*f), v.clone()),
            Guard::Range(f, lo, hi) => Guard::Range(self.cell(*f), *lo, *hi),
            Guard::Diff { left, right, plus } => {
                Guard::Diff { left: self.cell(*left), right: self.cell(*right), plus: *plus }
            }
            Guard::HasAny(f, m) => Guard::HasAny(self.cell(*f), *m),
            Guard::HasAll(f, m) => Guard::HasAll(self.cell(*f), *m),
            Guard::Unknown(f) => Guard::Unknown(self.cell(*f)),
        }
    }

    fn cond(&self, c: &Cond) -> Cond {
        match c {
            Cond::True => Cond::True,
            Cond::False => Cond::False,
            Cond::Holds(g) => Cond::Holds(self.guard(g)),
            Cond::Not(c) => Cond::Not(Box::new(self.cond(c))),
            Cond::And(cs) => Cond::And(cs.iter().map(|c| self.cond(c)).collect()),
            Cond::Or(cs) => Cond::Or(cs.iter().map(|c| self.cond(c)).collect()),
        }
    }
}

/// Each road is eligible under the same facts. Which of several reasons is reported first is no decision.
fn filters(a: &Model, b: &Model, ids: &Ids) -> Result<(), Equal> {
    for (y, x) in &ids.roads {
        let mine = Cond::all(a.road(*x).filters.iter().map(|f| Cond::holds(&f.guard)));
        let theirs = Cond::all(b.road(*y).filters.iter().map(|f| Cond::holds(&ids.guard(&f.guard))));
        if mine == theirs {
            continue;
        }
        match crate::prove::equivalent(a, &mine, &theirs) {
            Ok(true) => {}
            Ok(false) => return Err(differ(format!("when `{}` may be chosen", a.road(*x).name))),
            Err(why) => return Err(Equal::Undecided(why)),
        }
    }
    Ok(())
}

fn in_step(ga: &Graph<'_>, gb: &Graph<'_>, ids: &Ids, flow: FlowId) -> Result<(), Equal> {
    let (a, b) = (ga.model, gb.model);
    let (fa, fb) = (&a.flows[flow.index()], &b.flows[flow.index()]);
    let of = |m: &Model, f: &crate::model::Flow| f.of.map(|r| m.road(r).name.clone());
    if (&fa.name, of(a, fa), fa.calls) != (&fb.name, of(b, fb), fb.calls) {
        return Err(differ(format!("`{}`", fa.name)));
    }
    let twin = Twin { b: gb, ids, flow };
    if b.nodes.len() > Twin::MOST {
        return Err(Equal::Undecided("the flow is too large to be compared".to_owned()));
    }
    let product = Product::new(ga, &twin);
    if product.sites().is_empty() {
        return Ok(());
    }
    let mut conditions: Vec<&Cond> = ga.effects.iter().flat_map(|e| e.open.iter()).collect();
    conditions.extend(product.steps.iter().flat_map(|s| s.bad.iter()).map(|b| &b.cond));
    let space = Space::new(a, &conditions);
    let cx = Context::new(ga, &space, Engine::Both);
    let mut undecided = None;
    for ((_, subject), settled) in settle::settle(&cx, &twin, &product, false) {
        match settled {
            Settled::Invariant => {}
            Settled::Refuted(path) => return Err(differ(described(a, subject, &path.edges))),
            Settled::Undecided(why) | Settled::Disagreement(why) => undecided = Some(why),
            Settled::Reached => undecided = Some("one engine alone reaches it"),
        }
    }
    undecided.map_or(Ok(()), |why| Err(Equal::Undecided(why.to_owned())))
}

/// The run on which the two part, by the nodes at its end.
fn described(m: &Model, subject: Subject, path: &[EdgeId]) -> String {
    let at = match subject {
        Subject::Node(n) => m.node(n).name.clone(),
        edge => crate::prove::subject_name(m, edge),
    };
    let through: Vec<&str> = path.iter().map(|e| m.node(m.edge(*e).from).name.as_str()).collect();
    let tail = through.len().saturating_sub(4);
    let more = if tail > 0 { ".. -> " } else { "" };
    format!("runs part at `{at}`, after {more}{}", through[tail..].join(" -> "))
}

/// The second flow as an automaton over the edges of the first. State: its node, and whether a decision was made (without
/// one, a decision that names its parent and one that does not are the same).
struct Twin<'g, 'm> {
    b: &'g Graph<'m>,
    ids: &'g Ids,
    flow: FlowId,
}

impl Twin<'_, '_> {
    /// Nodes that a state has room for.
    const MOST: usize = 0x7ffe;
    /// Where the two have parted.
    const PARTED: u16 = 0xffff;

    fn pack(node: NodeId, decided: bool) -> u16 {
        u16::try_from(node.0).map_or(Self::PARTED, |n| n << 1 | u16::from(decided))
    }

    /// The edges differ in nothing that a run shows.
    fn edges_alike(&self, a: &Model, x: &Edge, y: &Edge) -> bool {
        let counter = |m: &Model, e: &Edge| e.takes.map(|c| m.counters[c.index()].name.clone());
        let changes = |e: &Edge| e.changes.clone().unwrap_or_default();
        x.kind == y.kind && counter(a, x) == counter(self.b.model, y) && changes(x) == changes(y)
    }

    fn nodes_alike(&self, a: &Model, x: NodeId, y: NodeId, decided: bool) -> bool {
        let b = self.b.model;
        let (x, y) = (a.node(x), b.node(y));
        let kinds = match (&x.kind, &y.kind) {
            (NodeKind::Decide { fresh: f }, NodeKind::Decide { fresh: g }) => f == g || !decided,
            (NodeKind::Choose(c), NodeKind::Choose(d)) => self.chooses_alike(a, a.choose(*c), b.choose(*d)),
            (k, l) => k == l,
        };
        kinds && x.road == y.road.and_then(|r| self.ids.roads.get(&r).copied())
    }

    /// Who is considered, and by which keys: what depends on eligibility alone is on the edges.
    fn chooses_alike(&self, a: &Model, x: &Choose, y: &Choose) -> bool {
        let b = self.b.model;
        let road = |r: &RoadId| self.ids.roads.get(r).copied();
        let candidates: Option<BTreeSet<RoadId>> = y.candidates.iter().map(road).collect();
        if candidates != Some(x.candidates.iter().copied().collect()) {
            return false;
        }
        let keyed = |c: &Choose| c.profiles.iter().any(|(_, o)| matches!(o, Order::Keys(_)));
        if !keyed(x) && !keyed(y) {
            return true;
        }
        // Facts that only order are free in every condition: orders by keys must be written alike.
        let written = |m: &Model, c: &Choose, map: &dyn Fn(&RoadId) -> Option<RoadId>| {
            let orders: Vec<_> = c
                .profiles
                .iter()
                .map(|(v, o)| match o {
                    Order::Static(roads) => (*v, Some(roads.iter().map(map).collect::<Vec<_>>()), Vec::new()),
                    Order::Keys(keys) => {
                        let cells = |k: &crate::model::Key| {
                            let of = c.candidates.iter().map(map).zip(&k.cells);
                            of.map(|(r, f)| (r, m.fact(*f).name.clone())).collect::<BTreeSet<_>>()
                        };
                        (*v, None, keys.iter().map(cells).collect())
                    }
                })
                .collect();
            (c.by.map(|f| m.fact(f).name.clone()), orders)
        };
        written(a, x, &|r| Some(*r)) == written(b, y, &road)
    }

    /// The edge by which the second answers: of the same port, alike, to a node that is alike; the same target by name first.
    fn answer(&self, a: &Model, at: NodeId, e: &Edge, decided: bool) -> Option<EdgeId> {
        let b = self.b.model;
        let road = |r: Option<RoadId>| r.and_then(|r| self.ids.roads.get(&r).copied());
        let fits = |f: &&EdgeId| {
            let f = b.edge(**f);
            f.outcome == e.outcome
                && road(f.candidate) == e.candidate
                && self.edges_alike(a, e, f)
                && self.nodes_alike(a, e.to, f.to, decided)
        };
        let mut all: Vec<EdgeId> = self.b.out[at.index()].iter().filter(fits).copied().collect();
        let named = |f: &EdgeId| b.node(b.edge(*f).to).name != a.node(e.to).name;
        let ranked = |f: &EdgeId| b.edge(*f).rank != e.rank;
        all.sort_by_key(|f| (named(f), ranked(f)));
        all.first().copied()
    }
}

impl Track for Twin<'_, '_> {
    fn flow(&self) -> FlowId {
        self.flow
    }

    fn name(&self, _: &Model) -> String {
        "in step".to_owned()
    }

    fn start(&self) -> u16 {
        Self::pack(self.b.model.flows[self.flow.index()].start, false)
    }

    fn step(&self, g: &Graph<'_>, state: u16, id: EdgeId) -> Move {
        let a = g.model;
        let edge = a.edge(id);
        if state == Self::PARTED {
            return Move { next: state, bad: Vec::new() };
        }
        let (at, mut decided) = (NodeId(u32::from(state >> 1)), state & 1 == 1);
        decided |= matches!(a.node(edge.from).kind, NodeKind::Decide { .. });
        let bad = |cond: Cond| vec![Bad { law: "in step", subject: Subject::Edge(id), when: When::Edge, cond }];
        match self.answer(a, at, edge, decided) {
            None => Move { next: Self::PARTED, bad: bad(Cond::True) },
            Some(f) => {
                // Conjuncts that the first edge shares need no proof.
                let mine = &g.effect(id).open;
                let theirs: Vec<Cond> =
                    self.b.effect(f).open.iter().map(|c| self.ids.cond(c)).filter(|c| !mine.contains(c)).collect();
                let open = Cond::all(theirs);
                let bad = if open == Cond::True { Vec::new() } else { bad(open.not()) };
                Move { next: Self::pack(self.b.model.edge(f).to, decided), bad }
            }
        }
    }
}
