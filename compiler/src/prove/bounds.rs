//! Bounds: RL601 and RL602 (MODEL.md section 7).
//!
//! Cycles: edges that take a counter and fallback edges are deleted; what is left must have no cycle but through the
//! policy's own nodes. Worst cases: longest path over (node, counters, roads tried), which is finite by RL601; facts are
//! ignored, so the figures are upper bounds.

use super::{Counts, count, diagnose::Findings};
use crate::graph::{Graph, carries};
use crate::model::{Ceilings, Edge, EdgeKind, FlowId, Latch, Model, NodeId, NodeKind, Outcome, Profile, RoadId, Shape};
use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;
use roadlaw_grammar::diagnostic::{Diagnostic, Label};
use roadlaw_grammar::span::Span;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Upper bounds for one whole run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Worst {
    /// Transmissions.
    pub requests: i64,
    /// Tokens.
    pub tokens: i64,
    /// Cents.
    pub spend: i64,
    /// Milliseconds.
    pub time: i64,
}

impl Worst {
    fn plus(self, o: Self) -> Self {
        Self {
            requests: self.requests.saturating_add(o.requests),
            tokens: self.tokens.saturating_add(o.tokens),
            spend: self.spend.saturating_add(o.spend),
            time: self.time.saturating_add(o.time),
        }
    }

    fn max(self, o: Self) -> Self {
        Self {
            requests: self.requests.max(o.requests),
            tokens: self.tokens.max(o.tokens),
            spend: self.spend.max(o.spend),
            time: self.time.max(o.time),
        }
    }
}

/// Product of counters beyond which worst cases are undecided.
const UNROLLED: u64 = 65_536;

/// Checks RL601 and RL602; returns the worst case of the policy's own flow.
pub(crate) fn check(g: &Graph<'_>, findings: &mut Findings<'_>, counts: &mut Counts) -> Option<Worst> {
    let m = g.model;
    let cycles = unbounded(g);
    if !cycles.is_empty() {
        for c in cycles {
            count(counts, "refuted");
            findings.error(c);
        }
        return None;
    }
    count(counts, "static");
    redeliveries(g, findings, counts);
    children(g, findings, counts);
    let unrolled = m.counters.iter().fold(1_u64, |acc, c| acc.saturating_mul(u64::from(c.max) + 1));
    if unrolled > UNROLLED {
        count(counts, "undecided");
        findings.undecided(
            "RL602",
            crate::laws::track::Subject::Node(m.flows[0].start),
            "the product of the counters is above 65,536",
        );
        return None;
    }
    let start = m.flows[0].start;
    let (worst, exact) = match longest(g, &Exact { g }).or_else(|| longest(g, &Coarse { g })) {
        Some(Longest::Bound(worst, exact)) => (worst, exact),
        Some(Longest::Cycle(nodes)) => {
            count(counts, "refuted");
            findings.error(untried(m, &nodes));
            return None;
        }
        None => {
            count(counts, "undecided");
            findings.undecided("RL602", crate::laws::track::Subject::Node(start), "too many combinations of counters");
            return None;
        }
    };
    if let Some(c) = &m.ceilings {
        let pairs = [
            ("requests", worst.requests, c.requests),
            ("tokens", worst.tokens, c.tokens_total),
            ("spend", worst.spend, c.spend),
            ("deadline", worst.time, c.deadline),
        ];
        for (word, reached, ceiling) in pairs {
            match ceiling {
                Some(limit) if reached > limit && !exact => {
                    count(counts, "undecided");
                    let why = "with so many roads only a coarse worst case is known, and it is above the ceiling";
                    findings.undecided("RL602", crate::laws::track::Subject::Node(start), why);
                }
                Some(limit) if reached > limit => {
                    count(counts, "refuted");
                    findings.error(
                        Diagnostic::error(
                            "RL602",
                            c.span,
                            format!("a run may reach {word} {reached}, above the policy's {limit}"),
                        )
                        .with_primary_label("the ceiling of the policy")
                        .with_help("raise the ceiling, lower those of the roads, or take fewer rounds"),
                    );
                }
                Some(_) => count(counts, "static"),
                None => {}
            }
        }
    }
    Some(worst)
}

fn unbounded(g: &Graph<'_>) -> Vec<Diagnostic> {
    let m = g.model;
    let mut net: DiGraph<NodeId, usize> = DiGraph::new();
    let at: Vec<_> = (0..m.nodes.len()).map(|i| net.add_node(NodeId(crate::graph::narrow(i)))).collect();
    for (i, e) in m.edges.iter().enumerate() {
        let bounded = e.takes.is_some() || e.kind == EdgeKind::Fallback;
        if !bounded {
            net.add_edge(at[e.from.index()], at[e.to.index()], i);
        }
    }
    let mut out = Vec::new();
    for scc in tarjan_scc(&net) {
        let mut nodes: Vec<NodeId> = scc.iter().map(|i| net[*i]).collect();
        nodes.sort_unstable();
        let cyclic = nodes.len() > 1
            || m.edges
                .iter()
                .any(|e| e.from == nodes[0] && e.to == nodes[0] && e.takes.is_none() && e.kind != EdgeKind::Fallback);
        let own = nodes.iter().all(|n| matches!(m.node(*n).kind, NodeKind::Own(_)));
        if !cyclic || own {
            continue;
        }
        let inside: BTreeSet<NodeId> = nodes.iter().copied().collect();
        let edges: Vec<_> = m
            .edges
            .iter()
            .filter(|e| {
                inside.contains(&e.from) && inside.contains(&e.to) && e.takes.is_none() && e.kind != EdgeKind::Fallback
            })
            .collect();
        // The edge to blame is the one that goes back: a loop, retry or redirect, else the last written.
        let back = edges
            .iter()
            .find(|e| e.kind != EdgeKind::Next)
            .or_else(|| edges.iter().max_by_key(|e| e.spans.first().copied()));
        let span = back.and_then(|e| e.spans.first()).copied().unwrap_or(m.span);
        let names: Vec<&str> = nodes.iter().take(6).map(|n| m.node(*n).name.as_str()).collect();
        let mut d = Diagnostic::error("RL601", span, format!("a cycle without a bound: `{}`", names.join("`, `")))
            .with_primary_label("this edge closes it")
            .with_help("let the edge take a counter: `counter rounds = 2 spent -> refused(rounds)` and `takes rounds`");
        if let Some(n) = nodes.iter().find(|n| carries(&m.node(**n).kind))
            && let Some(s) = m.node(*n).spans.first()
        {
            d.labels.push(Label { span: *s, message: "it can be repeated for ever".to_owned() });
        }
        out.push(d);
    }
    // The edge out of repair(ok) takes a counter: a new question must not be asked for ever either.
    for e in &m.edges {
        let from = m.node(e.from);
        if from.kind == NodeKind::Repair
            && e.outcome == Outcome::Ok
            && e.takes.is_none()
            && !m.node(e.to).kind.is_terminal()
        {
            let span = e.spans.first().copied().unwrap_or(m.span);
            out.push(
                Diagnostic::error("RL601", span, "the edge out of repair takes no counter")
                    .with_help("write `takes repairs`, with `counter repairs = 2 spent -> refused(..)`"),
            );
        }
    }
    out
}

/// Transmissions of one attempt: the first and its redeliveries must fit into the road's requests and uses.
fn redeliveries(g: &Graph<'_>, findings: &mut Findings<'_>, counts: &mut Counts) {
    let m = g.model;
    let mut taken: BTreeMap<RoadId, (i64, roadlaw_grammar::span::Span)> = BTreeMap::new();
    for e in m.edges.iter().filter(|e| e.kind == EdgeKind::Redeliver) {
        if let (Some(r), Some(c)) = (m.node(e.from).road, e.takes) {
            let slot = taken.entry(r).or_insert((0, m.counters[c.index()].span));
            slot.0 += i64::from(m.counters[c.index()].max);
        }
    }
    for (r, (n, span)) in taken {
        let road = m.road(r);
        let limit = road.ceilings.requests.into_iter().chain(road.ceilings.uses).min();
        match limit {
            Some(limit) if n + 1 > limit => {
                count(counts, "refuted");
                findings.error(
                    Diagnostic::error(
                        if road.ceilings.uses == Some(limit) { "RL604" } else { "RL602" },
                        span,
                        format!("`{}` may be transmitted {} times, above its ceiling of {limit}", road.name, n + 1),
                    )
                    .with_label(road.ceilings.span, "requests and uses of the road")
                    .with_help("a redelivery needs `requests` and `uses` of one more than the counter"),
                );
            }
            _ => count(counts, "static"),
        }
    }
}

/// One use of a road, at its ceilings. A redelivery counts again.
fn cost(m: &Model, n: NodeId) -> Worst {
    let node = m.node(n);
    let Some(r) = node.road else { return Worst::default() };
    let road = m.road(r);
    let c = &road.ceilings;
    let person = road.shape == Shape::Human;
    let first = matches!(node.kind, NodeKind::Send | NodeKind::Call) || (person && carries(&node.kind));
    if !first {
        return Worst::default();
    }
    Worst {
        requests: i64::from(node.kind == NodeKind::Send),
        tokens: c.tokens_total.unwrap_or(0),
        spend: c.spend.unwrap_or(0),
        time: c.deadline.unwrap_or(0),
    }
}

/// A fallback cycle in which no road is tried anew.
fn untried(m: &Model, nodes: &[NodeId]) -> Diagnostic {
    let inside: BTreeSet<NodeId> = nodes.iter().copied().collect();
    let back = m.edges.iter().find(|e| {
        e.kind == EdgeKind::Fallback && inside.contains(&e.from) && inside.contains(&e.to) && e.takes.is_none()
    });
    let names: Vec<&str> = nodes.iter().take(6).map(|n| m.node(*n).name.as_str()).collect();
    let span = back.and_then(|e| e.spans.first()).copied().unwrap_or(m.span);
    Diagnostic::error("RL601", span, format!("a cycle without a bound: `{}`", names.join("`, `")))
        .with_primary_label("this fallback leaves no road that was not tried before")
        .with_help("let the fallback lead to a choose, which leaves out what was tried, or let it take a counter")
}

/// How runs are told apart while the longest is looked for.
trait Unrolled {
    /// What is remembered beside the node.
    type State: Clone + Ord;
    /// What `longest` says if this memory was enough.
    const EXACT: bool;
    /// States beyond which it gives up.
    const LIMIT: usize;
    fn start(&self) -> Self::State;
    /// What is remembered after the edge; `None`: the edge cannot be taken.
    fn step(&self, state: &Self::State, e: &Edge) -> Option<Self::State>;
}

enum Longest {
    /// The worst case, and whether it is exact but for facts.
    Bound(Worst, bool),
    /// A run that can go on for ever.
    Cycle(Vec<NodeId>),
}

/// The longest run by depth-first search; `None`: too many states.
fn longest<U: Unrolled>(g: &Graph<'_>, u: &U) -> Option<Longest> {
    let m = g.model;
    let start = (m.flows[FlowId(0).index()].start, u.start());
    let mut done: BTreeMap<(NodeId, U::State), Worst> = BTreeMap::new();
    let mut path: Vec<(NodeId, U::State)> = Vec::new();
    let mut on_path: BTreeSet<(NodeId, U::State)> = BTreeSet::new();
    let mut stack = vec![(start.clone(), false)];
    let next = |key: &(NodeId, U::State)| -> Vec<(NodeId, U::State)> {
        let edges = g.out[key.0.index()].iter().map(|e| m.edge(*e));
        edges.filter_map(|e| Some((e.to, u.step(&key.1, e)?))).collect()
    };
    while let Some((key, leaving)) = stack.pop() {
        if leaving {
            path.pop();
            on_path.remove(&key);
            let tail = next(&key).iter().filter_map(|k| done.get(k).copied()).fold(Worst::default(), Worst::max);
            done.insert(key.clone(), cost(m, key.0).plus(tail));
            continue;
        }
        if done.contains_key(&key) || on_path.contains(&key) {
            continue;
        }
        if done.len() > U::LIMIT {
            return None;
        }
        path.push(key.clone());
        on_path.insert(key.clone());
        stack.push((key.clone(), true));
        for to in next(&key) {
            if on_path.contains(&to) {
                let from = path.iter().position(|k| *k == to).unwrap_or(0);
                let nodes: Vec<NodeId> = path[from..].iter().map(|k| k.0).collect();
                // The policy's own nodes may go round; everything else in a cycle is unbounded.
                if !nodes.iter().all(|n| matches!(m.node(*n).kind, NodeKind::Own(_))) {
                    return if U::EXACT { Some(Longest::Cycle(nodes)) } else { None };
                }
            } else if !done.contains_key(&to) {
                stack.push((to, false));
            }
        }
    }
    done.get(&start).map(|w| Longest::Bound(*w, U::EXACT))
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

/// RL603: what the roads of a child may use, in all the calls that it may make, fits in the ceilings of its parent.
fn children(g: &Graph<'_>, findings: &mut Findings<'_>, counts: &mut Counts) {
    let m = g.model;
    for (i, flow) in m.flows.iter().enumerate().filter(|_| m.profile == Profile::Strict) {
        let Some(parent) = flow.of.map(|r| m.road(r)) else { continue };
        let here = g.reachable(FlowId(crate::graph::narrow(i)));
        let roads: BTreeSet<RoadId> =
            here.iter().map(|n| m.node(*n)).filter(|n| carries(&n.kind)).filter_map(|n| n.road).collect();
        let mut above = Vec::new();
        for (word, of) in CHILD_CEILINGS {
            let sum: i64 = roads.iter().filter_map(|r| of(&m.road(*r).ceilings)).fold(0, i64::saturating_add);
            let all = sum.saturating_mul(i64::from(flow.calls));
            if let Some(limit) = of(&parent.ceilings)
                && all > limit
            {
                above.push(format!("{word} {all} above {limit}"));
            }
        }
        if above.is_empty() {
            count(counts, "static");
            continue;
        }
        count(counts, "refuted");
        let mut e = Diagnostic::error(
            "RL603",
            flow.span,
            format!("{} calls of this child may use more than `{}` may: {}", flow.calls, parent.name, above.join(", ")),
        )
        .with_primary_label("the child")
        .with_help("lower `calls` or the ceilings of the child's roads, or raise those of the parent");
        if parent.ceilings.span != Span::default() {
            e = e.with_label(parent.ceilings.span, "the parent's ceilings");
        }
        findings.error(e);
    }
}

/// A ceiling by its word.
type Ceiling = (&'static str, fn(&Ceilings) -> Option<i64>);

/// Ceilings of a child that add up, call by call. Requests are each road's own transmissions and add to nobody's.
const CHILD_CEILINGS: [Ceiling; 5] = [
    ("tokens in", |c| c.tokens_in),
    ("tokens out", |c| c.tokens_out),
    ("tokens", |c| c.tokens_total),
    ("spend", |c| c.spend),
    ("deadline", |c| c.deadline),
];

fn renews(m: &Model, e: &Edge) -> bool {
    m.node(e.from).kind == NodeKind::Repair && e.outcome == Outcome::Ok
}

/// Counters, the roads tried, and the current road.
struct Exact<'g, 'm> {
    g: &'g Graph<'m>,
}

impl Unrolled for Exact<'_, '_> {
    type State = (Vec<u8>, BTreeSet<RoadId>, Option<RoadId>);
    const EXACT: bool = true;
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
    const EXACT: bool = false;
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
