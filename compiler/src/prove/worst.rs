//! Worst cases over all runs, with a run that reaches each (MODEL.md section 7, RL602).
//!
//! The longest paths over (node, counters, roads tried), which is finite by RL601. Facts are left aside, so a figure is
//! never too low. Where one is above a ceiling, facts count: the ceiling is broken only by a run that some facts open,
//! and that run is replayed and shown.

use super::diagnose::Findings;
use super::fixpoint::Context;
use super::ledger::Ledger;
use super::path::{self, Concrete, Real};
use super::product::Product;
use super::settle::{Settled, settle};
use super::{Engine, witness};
use crate::graph::{Cond, Graph, carries};
use crate::laws::catalogue::profiles::runs;
use crate::laws::track::{Bad, Move, Subject, Track, When};
use crate::model::{
    Ceilings, Edge, EdgeId, EdgeKind, FlowId, Latch, Model, NodeId, NodeKind, Outcome, Road, RoadId, Shape,
};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use roadlaw_grammar::diagnostic::Diagnostic;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A figure that no ceiling bounds. No sum of ceilings comes to it.
pub const NO_LIMIT: i64 = i64::MAX;

/// What one step costs, or a whole run. [`NO_LIMIT`] where a ceiling is not written; `null` in JSON.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Cost {
    /// Times that bytes are sent to a receiver by the flow; redeliveries too.
    #[serde(serialize_with = "limited")]
    pub transmissions: i64,
    /// The same with the automatic retries that the road's `retries` allows each time.
    #[serde(serialize_with = "limited")]
    pub requests: i64,
    /// Tokens in.
    #[serde(serialize_with = "limited")]
    pub tokens_in: i64,
    /// Tokens out.
    #[serde(serialize_with = "limited")]
    pub tokens_out: i64,
    /// Tokens in all.
    #[serde(serialize_with = "limited")]
    pub tokens: i64,
    /// Cents.
    #[serde(serialize_with = "limited")]
    pub spend: i64,
    /// Milliseconds.
    #[serde(serialize_with = "limited")]
    pub time: i64,
}

/// A figure, or `null` where nothing bounds it.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
fn limited<S: serde::Serializer>(figure: &i64, to: S) -> Result<S::Ok, S::Error> {
    match *figure {
        NO_LIMIT => to.serialize_none(),
        n => to.serialize_i64(n),
    }
}

/// One measure: its word, its part of a cost, and the ceiling that bounds it.
type Measure = (&'static str, fn(&Cost) -> i64, fn(&Ceilings) -> Option<i64>);

/// What is measured, in the order in which it is shown.
const MEASURES: [Measure; 7] = [
    ("transmissions", |c| c.transmissions, |_| None),
    ("requests", |c| c.requests, |c| c.requests),
    ("tokens_in", |c| c.tokens_in, |c| c.tokens_in),
    ("tokens_out", |c| c.tokens_out, |c| c.tokens_out),
    ("tokens", |c| c.tokens, |c| c.tokens_total),
    ("spend", |c| c.spend, |c| c.spend),
    ("time", |c| c.time, |c| c.deadline),
];

/// The greatest value of one measure over all runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Figure {
    /// `transmissions`, `requests`, `tokens_in`, `tokens_out`, `tokens`, `spend` (cents) or `time` (milliseconds).
    pub measure: &'static str,
    /// The greatest value, or [`NO_LIMIT`]; `null` in JSON.
    #[serde(serialize_with = "limited")]
    pub most: i64,
    /// The policy's own ceiling, where one is written.
    pub ceiling: Option<i64>,
    /// Which of the paths reaches it; `None` where the value is 0.
    pub path: Option<usize>,
}

/// How often one road is used at most, and what that costs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RoadWorst {
    /// Its name.
    pub road: String,
    /// Greatest number of sends, calls or, of a person, waits in one run.
    pub uses: i64,
    /// What these cost together, at the road's ceilings.
    #[serde(flatten)]
    pub cost: Cost,
    /// Which of the paths reaches it; `None` where the road is not used by the policy's own flow.
    pub path: Option<usize>,
}

/// A run, from the start to a terminal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RunPath {
    /// Edges, by their ids in the model.
    pub edges: Vec<EdgeId>,
    /// The same to read: node and outcome of each edge, and the node at the end.
    pub steps: Vec<String>,
    /// The steps that cost something, and edges that go back or elsewhere.
    #[serde(skip)]
    pub brief: String,
}

/// Worst cases over all runs of the policy's own flow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Worst {
    /// Some run that the counters and tried roads allow reaches each figure, facts aside. Otherwise only the number of tried
    /// roads was kept, and a figure may be too high.
    pub exact: bool,
    /// Figures of a whole run.
    pub run: Vec<Figure>,
    /// Figures per road; `None` for a policy too large to tell them apart.
    pub roads: Option<Vec<RoadWorst>>,
    /// The runs that reach the figures, each once.
    pub paths: Vec<RunPath>,
}

impl Worst {
    /// The greatest value of a measure.
    #[must_use]
    pub fn most(&self, measure: &str) -> Option<i64> {
        self.run.iter().find(|f| f.measure == measure).map(|f| f.most)
    }

    fn keep(&mut self, m: &Model, edges: Vec<EdgeId>) -> usize {
        if let Some(i) = self.paths.iter().position(|p| p.edges == edges) {
            return i;
        }
        let mut steps: Vec<String> = edges.iter().map(|e| step_text(m, *e)).collect();
        steps.extend(edges.last().map(|e| m.node(m.edge(*e).to).name.clone()));
        let brief = brief(m, &edges);
        self.paths.push(RunPath { edges, steps, brief });
        self.paths.len() - 1
    }
}

fn step_text(m: &Model, e: EdgeId) -> String {
    let edge = m.edge(e);
    let outcome = match (edge.outcome, edge.candidate) {
        (Outcome::Chosen, Some(r)) => m.road(r).name.as_str(),
        (o, _) => o.word(),
    };
    let mut text = format!("{}.{outcome}", m.node(edge.from).name);
    if edge.kind != EdgeKind::Next {
        text += &format!(" -{}->", edge.kind.word());
    }
    if let Some(c) = edge.takes {
        text += &format!(" takes {}", m.counters[c.index()].name);
    }
    text
}

/// Steps that cost, and what is between them where it is no plain step; the same again and again is counted.
fn brief(m: &Model, edges: &[EdgeId]) -> String {
    let mut parts: Vec<String> = Vec::new();
    for e in edges {
        let edge = m.edge(*e);
        let costs = cost(m, edge.from) != Cost::default();
        match (costs, edge.kind) {
            (_, EdgeKind::Next) if !costs => {}
            (true, EdgeKind::Next) => parts.push(m.node(edge.from).name.clone()),
            (true, kind) => parts.push(format!("{} -{}->", m.node(edge.from).name, kind.word())),
            (false, kind) => parts.push(format!("-{}->", kind.word())),
        }
    }
    let mut out: Vec<String> = Vec::new();
    let mut i = 0;
    while i < parts.len() {
        // The shortest piece that is repeated right here, as often as it is.
        let piece = (1..=8).find_map(|n| {
            let times = parts[i..].chunks(n).take_while(|c| **c == parts[i..(i + n).min(parts.len())]).count();
            (i + n <= parts.len() && times > 1).then_some((n, times))
        });
        let (n, times) = piece.unwrap_or((1, 1));
        let text = parts[i..i + n].join(" ");
        out.push(match (times, n) {
            (1, _) => text,
            (_, 1) => format!("{times} x {text}"),
            _ => format!("{times} x ({text})"),
        });
        i += n * times;
    }
    out.join(" ")
}

/// What entering the node costs. A redelivery counts again.
pub(crate) fn cost(m: &Model, n: NodeId) -> Cost {
    let node = m.node(n);
    match node.road.filter(|_| uses(m, n)) {
        Some(r) => one_use(m.road(r), node.kind == NodeKind::Send),
        None => Cost::default(),
    }
}

/// One use of a road, at its ceilings.
pub(crate) fn one_use(r: &Road, sent: bool) -> Cost {
    let c = &r.ceilings;
    // At home and with people a ceiling that need not be written is none of a cost (reading L12); elsewhere it bounds nothing.
    let home = matches!(r.shape, Shape::Local | Shape::Human);
    let needless = |ceiling: Option<i64>| ceiling.unwrap_or(if home { 0 } else { NO_LIMIT });
    let total = c.tokens_total.or_else(|| Some(c.tokens_in?.saturating_add(c.tokens_out?)));
    Cost {
        transmissions: i64::from(sent),
        requests: if sent { needless(c.retries).saturating_add(1) } else { 0 },
        tokens_in: needless(c.tokens_in),
        tokens_out: needless(c.tokens_out),
        tokens: needless(total),
        spend: needless(c.spend),
        time: c.deadline.unwrap_or(NO_LIMIT),
    }
}

/// Entering the node uses its road. The wait after a send is part of that use.
fn uses(m: &Model, n: NodeId) -> bool {
    let node = m.node(n);
    let person = node.road.is_some_and(|r| m.road(r).shape == Shape::Human);
    node.road.is_some() && (matches!(node.kind, NodeKind::Send | NodeKind::Call) || (person && carries(&node.kind)))
}

/// All that a run can be at, with facts left aside.
pub(crate) struct States {
    exact: bool,
    nodes: Vec<NodeId>,
    next: Vec<Vec<(EdgeId, usize)>>,
    /// Components, each after all that it leads to.
    order: Vec<Vec<usize>>,
}

/// What exploring gave.
pub(crate) enum Explored {
    /// All states; there is no cycle but of the policy's own nodes.
    Whole(States),
    /// A run that can go on for ever.
    Cycle(Vec<NodeId>),
}

/// Explores the runs of a flow, exactly if that is possible, else with coarse memory; `None`: too many states.
pub(crate) fn explore(g: &Graph<'_>, flow: FlowId) -> Option<Explored> {
    if let Some(mut states) = unroll(g, flow, &Exact { g }, true) {
        return Some(match order(g.model, &mut states) {
            Some(nodes) => Explored::Cycle(nodes),
            None => Explored::Whole(states),
        });
    }
    let mut states = unroll(g, flow, &Coarse { g }, false)?;
    // A cycle of coarse states may be none of any run.
    order(g.model, &mut states).is_none().then_some(Explored::Whole(states))
}

fn unroll<U: Unrolled>(g: &Graph<'_>, flow: FlowId, u: &U, exact: bool) -> Option<States> {
    let m = g.model;
    let mut seen: BTreeMap<(NodeId, U::State), usize> = BTreeMap::new();
    let mut keys = vec![(m.flows[flow.index()].start, u.start())];
    seen.insert(keys[0].clone(), 0);
    let mut next: Vec<Vec<(EdgeId, usize)>> = Vec::new();
    while next.len() < keys.len() {
        let (node, state) = keys[next.len()].clone();
        let mut out = Vec::new();
        for e in &g.out[node.index()] {
            let edge = m.edge(*e);
            let Some(after) = u.step(&state, edge) else { continue };
            let key = (edge.to, after);
            let at = *seen.entry(key.clone()).or_insert_with(|| {
                keys.push(key);
                keys.len() - 1
            });
            out.push((*e, at));
        }
        next.push(out);
        if keys.len() > U::LIMIT {
            return None;
        }
    }
    let nodes = keys.into_iter().map(|k| k.0).collect();
    Some(States { exact, nodes, next, order: Vec::new() })
}

/// Orders the components; returns the nodes of a cycle that is not of the policy's own nodes, if there is one.
fn order(m: &Model, s: &mut States) -> Option<Vec<NodeId>> {
    let mut net: DiGraph<(), ()> = DiGraph::new();
    for _ in &s.nodes {
        net.add_node(());
    }
    for (i, out) in s.next.iter().enumerate() {
        for (_, to) in out {
            net.add_edge(NodeIndex::new(i), NodeIndex::new(*to), ());
        }
    }
    for scc in kosaraju_scc(&net) {
        let mut scc: Vec<usize> = scc.into_iter().map(NodeIndex::index).collect();
        scc.sort_unstable();
        let cyclic = scc.len() > 1 || s.next[scc[0]].iter().any(|(_, to)| *to == scc[0]);
        if cyclic && !scc.iter().all(|i| matches!(m.node(s.nodes[*i]).kind, NodeKind::Own(_))) {
            let inside: BTreeSet<usize> = scc.iter().copied().collect();
            let mut walk = vec![scc[0]];
            loop {
                let at = walk[walk.len() - 1];
                let to = s.next[at].iter().map(|(_, to)| *to).find(|to| inside.contains(to))?;
                if let Some(from) = walk.iter().position(|w| *w == to) {
                    return Some(walk[from..].iter().map(|i| s.nodes[*i]).collect());
                }
                walk.push(to);
            }
        }
        s.order.push(scc);
    }
    None
}

/// Steps of states times roads beyond which roads are not told apart.
const PER_ROAD: usize = 4_000_000;

/// Greatest sum from a state on, steps of the shortest way to it, and the next step.
type Rest = (i64, usize, Option<(EdgeId, usize)>);

impl States {
    /// The greatest sum of `of` over all runs, and the shortest run that reaches it.
    fn longest(&self, of: impl Fn(NodeId) -> i64) -> (i64, Vec<EdgeId>) {
        let mut best: Vec<Rest> = vec![(0, 0, None); self.nodes.len()];
        for scc in &self.order {
            let inside: BTreeSet<usize> = scc.iter().copied().collect();
            let mut exit: Option<(i64, usize, usize, (EdgeId, usize))> = None;
            for i in scc {
                for (e, to) in self.next[*i].iter().filter(|(_, to)| !inside.contains(to)) {
                    let (sum, steps, _) = best[*to];
                    if exit.is_none_or(|(most, least, ..)| sum > most || (sum == most && steps + 1 < least)) {
                        exit = Some((sum, steps + 1, *i, (*e, *to)));
                    }
                }
            }
            let Some((sum, steps, at, step)) = exit else {
                for i in scc {
                    best[*i].0 = of(self.nodes[*i]);
                }
                continue;
            };
            best[at] = (sum.saturating_add(of(self.nodes[at])), steps, Some(step));
            // The policy's own nodes of a cycle cost nothing: all of them lead to the best exit.
            let mut reached = BTreeSet::from([at]);
            let mut work = VecDeque::from([at]);
            while let Some(to) = work.pop_front() {
                for i in scc {
                    let Some((e, _)) = self.next[*i].iter().find(|(_, t)| *t == to) else { continue };
                    if reached.insert(*i) {
                        best[*i] = (best[to].0, best[to].1 + 1, Some((*e, to)));
                        work.push_back(*i);
                    }
                }
            }
        }
        let mut edges = Vec::new();
        let mut at = 0;
        while let Some((e, to)) = best[at].2 {
            edges.push(e);
            at = to;
        }
        (best[0].0, edges)
    }

    /// The figures of a policy.
    pub(crate) fn figures(&self, g: &Graph<'_>) -> Worst {
        let m = g.model;
        let mut out = Worst { exact: self.exact, run: Vec::new(), roads: None, paths: Vec::new() };
        for (measure, of, ceiling) in MEASURES {
            let (most, edges) = self.longest(|n| of(&cost(m, n)));
            let path = (most > 0).then(|| out.keep(m, edges));
            out.run.push(Figure { measure, most, ceiling: m.ceilings.as_ref().and_then(ceiling), path });
        }
        if self.nodes.len().saturating_mul(m.roads.len()) > PER_ROAD {
            return out;
        }
        let mut roads = Vec::new();
        for (i, road) in m.roads.iter().enumerate() {
            let r = RoadId(crate::graph::narrow(i));
            let mine = |n: NodeId| m.node(n).road == Some(r) && uses(m, n);
            let (times, edges) = self.longest(|n| i64::from(mine(n)));
            let one = self.nodes.iter().copied().find(|n| mine(*n)).map_or(Cost::default(), |n| cost(m, n));
            let path = (times > 0).then(|| out.keep(m, edges));
            let of = |v: i64| v.saturating_mul(times);
            let cost = Cost {
                transmissions: of(one.transmissions),
                requests: of(one.requests),
                tokens_in: of(one.tokens_in),
                tokens_out: of(one.tokens_out),
                tokens: of(one.tokens),
                spend: of(one.spend),
                time: of(one.time),
            };
            roads.push(RoadWorst { road: road.name.clone(), uses: times, cost, path });
        }
        out.roads = Some(roads);
        out
    }
}

/// Different sums of one measure beyond which a ceiling is undecided.
const SUMS: usize = 4_096;

/// What a run has used of one measure; bad where it is more than the ceiling.
struct Used<'m> {
    model: &'m Model,
    of: fn(&Cost) -> i64,
    limit: i64,
    sums: Vec<i64>,
    word: &'static str,
}

impl<'m> Used<'m> {
    /// `None`: too many different sums.
    fn new(model: &'m Model, (word, of, _): Measure, limit: i64) -> Option<Self> {
        let costs: BTreeSet<i64> = (0..model.nodes.len())
            .map(|i| of(&cost(model, NodeId(crate::graph::narrow(i)))))
            .filter(|c| *c > 0)
            .collect();
        let mut sums = BTreeSet::from([0]);
        let mut work = vec![0_i64];
        while let Some(s) = work.pop() {
            for c in &costs {
                let t = s.saturating_add(*c);
                if t <= limit && sums.insert(t) {
                    work.push(t);
                }
            }
            if sums.len() > SUMS {
                return None;
            }
        }
        Some(Self { model, of, limit, sums: sums.into_iter().collect(), word })
    }
}

impl Track for Used<'_> {
    fn flow(&self) -> FlowId {
        FlowId(0)
    }

    fn name(&self, _: &Model) -> String {
        format!("{} used", self.word)
    }

    fn step(&self, _: &Graph<'_>, state: u16, e: EdgeId) -> Move {
        let m = self.model;
        let before = self.sums.get(usize::from(state)).copied().unwrap_or(0);
        let after = before.saturating_add((self.of)(&cost(m, m.edge(e).to)));
        if after > self.limit {
            let subject = Subject::Node(m.flows[0].start);
            let bad = Bad { law: "RL602", subject, when: When::Entry, cond: Cond::True };
            return Move { next: state, bad: vec![bad] };
        }
        let next = self.sums.binary_search(&after).ok().and_then(|i| u16::try_from(i).ok()).unwrap_or(state);
        Move { next, bad: Vec::new() }
    }
}

/// RL602: each figure against the policy's ceiling. Facts count here: a run that no facts open breaks nothing.
pub(crate) fn ceilings(
    cx: &Context<'_, '_>,
    states: &States,
    worst: &Worst,
    findings: &mut Findings<'_>,
    ledger: &mut Ledger,
) {
    let m = cx.graph.model;
    let Some(written) = &m.ceilings else { return };
    let start = Subject::Node(m.flows[0].start);
    let mut broken: Vec<(String, Concrete)> = Vec::new();
    for (measure, figure) in MEASURES.iter().zip(&worst.run) {
        let Some(limit) = figure.ceiling else { continue };
        if figure.most <= limit {
            ledger.enter("RL602", start, format!("{} of a run", figure.measure), "static");
            continue;
        }
        if figure.most == NO_LIMIT && runs(m.profile, "RL009") {
            // The road that does not write its ceiling is reported for that.
            ledger.count("refuted");
            continue;
        }
        if !states.exact {
            ledger.count("undecided");
            let why = "with so many roads only a coarse worst case is known, and it is above the ceiling";
            findings.undecided("RL602", start, why);
            continue;
        }
        let edges: &[EdgeId] = figure.path.and_then(|p| worst.paths.get(p)).map_or(&[], |p| &p.edges);
        match over(cx, *measure, limit, edges) {
            Settled::Refuted(path) => {
                ledger.count("refuted");
                let steps = path.edges.iter().map(|e| (measure.1)(&cost(m, m.edge(*e).to)));
                let reached = steps.fold(0_i64, i64::saturating_add);
                let word = if figure.measure == "time" { "deadline" } else { figure.measure }.replace('_', " ");
                let told = |n: i64| match figure.measure {
                    "time" => duration(n),
                    "spend" => format!("{n} cents"),
                    _ => n.to_string(),
                };
                let how_much = match reached {
                    NO_LIMIT => format!("{word} without a limit"),
                    n => format!("{word} {}", told(n)),
                };
                broken.push((format!("{how_much}, above the policy's {}", told(limit)), path));
            }
            Settled::Reached => {
                ledger.count("undecided");
                findings.undecided("RL602", start, "the diagrams reach it; with which facts, both engines say");
            }
            Settled::Invariant => {
                ledger.enter("RL602", start, format!("{} of a run", figure.measure), "invariant");
            }
            Settled::Undecided(why) => {
                ledger.count("undecided");
                findings.undecided("RL602", start, why);
            }
            Settled::Disagreement(why) => {
                ledger.count("undecided");
                findings.disagreement("RL602", start, why);
            }
        }
    }
    let Some((first, path)) = broken.first() else { return };
    let replay = witness::replay(m, path, None);
    if !replay.faithful {
        findings.disagreement("RL602", start, "the facts of the counterexample open another edge");
        return;
    }
    let mut shown = replay.witness;
    // Where another law is broken on the way, that law shows its own run.
    if replay.violations.is_empty()
        && let Some(last) = shown.path.last_mut()
    {
        last.fault = Some(first.clone());
    }
    let mut d = Diagnostic::error("RL602", written.span, format!("a run may reach {first}"))
        .with_primary_label("the ceiling of the policy")
        .with_note(format!("the run: {}", brief_to_end(m, &path.edges)))
        .with_help("raise the ceiling, lower those of the roads, or take fewer rounds");
    for (more, _) in &broken[1..] {
        d = d.with_note(format!("and {more}"));
    }
    d.witness = Some(shown);
    findings.error(d);
}

/// The steps that cost, with the node that the path ends in.
fn brief_to_end(m: &Model, edges: &[EdgeId]) -> String {
    let last = edges.last().map_or("", |e| m.node(m.edge(*e).to).name.as_str());
    format!("{} {last}", brief(m, edges)).trim_start().to_owned()
}

/// A real run above the limit, or that there is none. The longest run is asked for first; where no facts open it, all are.
fn over(cx: &Context<'_, '_>, measure: Measure, limit: i64, edges: &[EdgeId]) -> Settled {
    let m = cx.graph.model;
    let mut sum = 0_i64;
    let end = edges.iter().position(|e| {
        sum = sum.saturating_add((measure.1)(&cost(m, m.edge(*e).to)));
        sum > limit
    });
    if let Some(end) = end
        && cx.engine != Engine::Diagrams
        && let Real::Yes(path) = path::ask(cx, &edges[..=end], &Cond::True, When::Entry, false, true)
    {
        return Settled::Refuted(path);
    }
    let Some(track) = Used::new(m, measure, limit) else {
        return Settled::Undecided("the ceiling can be reached in too many ways");
    };
    let product = Product::new(cx.graph, &track);
    let settled = settle(cx, &track, &product, true).into_values().next();
    // No site at all: the bare product excludes it.
    settled.unwrap_or(Settled::Invariant)
}

/// How runs are told apart while the longest is looked for.
trait Unrolled {
    /// What is remembered beside the node.
    type State: Clone + Ord;
    /// States beyond which it gives up.
    const LIMIT: usize;
    fn start(&self) -> Self::State;
    /// What is remembered after the edge; `None`: the edge cannot be taken.
    fn step(&self, state: &Self::State, e: &Edge) -> Option<Self::State>;
}

/// The counters after an edge; `None`: it takes one that is spent.
fn counted(left: &[u8], e: &Edge) -> Option<Vec<u8>> {
    let mut left = left.to_vec();
    if let Some(c) = e.takes {
        let slot = left.get_mut(c.index())?;
        *slot = slot.checked_sub(1)?;
    }
    Some(left)
}

fn full(m: &Model) -> Vec<u8> {
    m.counters.iter().map(|c| c.max).collect()
}

fn renews(m: &Model, e: &Edge) -> bool {
    m.node(e.from).kind == NodeKind::Repair && e.outcome == Outcome::Ok
}

/// Counters, the roads tried, and the current road.
struct Exact<'g, 'm> {
    g: &'g Graph<'m>,
}

impl Unrolled for Exact<'_, '_> {
    type State = (Vec<u8>, BTreeSet<RoadId>, Option<RoadId>);
    const LIMIT: usize = 20_000;

    fn start(&self) -> Self::State {
        (full(self.g.model), BTreeSet::new(), None)
    }

    fn step(&self, (left, tried, current): &Self::State, e: &Edge) -> Option<Self::State> {
        let m = self.g.model;
        let from = m.node(e.from);
        let left = counted(left, e)?;
        let mut tried = tried.clone();
        let mut current = if carries(&from.kind) { from.road } else { *current };
        if e.outcome == Outcome::Chosen {
            if e.candidate.is_some_and(|r| tried.contains(&r)) {
                return None;
            }
            current = e.candidate;
        }
        if e.kind == EdgeKind::Fallback
            && let Some(r) = current
            && m.latch(Latch::Tried(r)).is_some()
        {
            tried.insert(r);
        }
        if renews(m, e) {
            tried.clear();
        }
        Some((left, tried, current))
    }
}

/// Counters, how many roads are still untried, and whether the current one is. Which ones they are is forgotten, so that a
/// road may be counted in the place of a cheaper one.
struct Coarse<'g, 'm> {
    g: &'g Graph<'m>,
}

impl Coarse<'_, '_> {
    fn roads(&self) -> usize {
        let m = self.g.model;
        (0..m.roads.len()).filter(|i| m.latch(Latch::Tried(RoadId(crate::graph::narrow(*i)))).is_some()).count()
    }
}

impl Unrolled for Coarse<'_, '_> {
    type State = (Vec<u8>, usize, Option<RoadId>);
    const LIMIT: usize = 400_000;

    fn start(&self) -> Self::State {
        (full(self.g.model), self.roads(), None)
    }

    fn step(&self, (left, untried, fresh): &Self::State, e: &Edge) -> Option<Self::State> {
        let m = self.g.model;
        let from = m.node(e.from);
        let left = counted(left, e)?;
        let mut untried = *untried;
        // The road that a choose took last, while no other was sent: a choose takes only what is untried.
        let mut fresh = fresh.filter(|r| !carries(&from.kind) || from.road == Some(*r));
        if e.outcome == Outcome::Chosen {
            if untried == 0 {
                return None;
            }
            fresh = e.candidate.filter(|r| m.latch(Latch::Tried(*r)).is_some());
        }
        if e.kind == EdgeKind::Fallback && fresh.take().is_some() {
            untried = untried.checked_sub(1)?;
        }
        if renews(m, e) {
            untried = self.roads();
        }
        Some((left, untried, fresh))
    }
}

/// Milliseconds in the largest units that lose nothing.
#[must_use]
pub fn duration(ms: i64) -> String {
    if ms == NO_LIMIT {
        return "no limit".to_owned();
    }
    if ms == 0 {
        return "0s".to_owned();
    }
    let mut rest = ms;
    let mut parts = Vec::new();
    for (unit, size) in [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1)] {
        if rest / size > 0 {
            parts.push(format!("{}{unit}", rest / size));
            rest %= size;
        }
    }
    parts.join(" ")
}
