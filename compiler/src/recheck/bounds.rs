//! RL601 to RL604, by counting: cycles, redeliveries, children, and the worst case of each measure.

use super::obligations::{Asked, sends_or_calls};
use crate::graph::{Graph, carries};
use crate::manifest::About;
use crate::model::{
    Ceilings, Edge, EdgeKind, FlowId, Latch, Model, NodeId, NodeKind, Outcome, Profile, Road, RoadId, Shape,
};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::{BTreeMap, BTreeSet};

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    /// Every cycle takes a counter or a road that was not tried.
    Cycles,
    /// Redeliveries of a road.
    Redeliveries(RoadId),
    /// A child's ceilings.
    Child(FlowId),
    /// A measure of a whole run, by position.
    Run(usize),
}

/// An answer of counting.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Counted {
    /// It is so.
    Holds,
    /// It is not.
    Broken,
    /// Not looked at again, and why.
    Trusted(&'static str),
}

/// A measure: its word, its part of one use (which may be a transmission), the ceiling on it.
type Measure = (&'static str, fn(&Road, bool) -> i64, fn(&Ceilings) -> Option<i64>);

/// Bounded measures of a run.
const MEASURES: [Measure; 6] = [
    ("requests", |r, sent| if sent { at_most(r, r.ceilings.retries).saturating_add(1) } else { 0 }, |c| c.requests),
    ("tokens_in", |r, _| at_most(r, r.ceilings.tokens_in), |c| c.tokens_in),
    ("tokens_out", |r, _| at_most(r, r.ceilings.tokens_out), |c| c.tokens_out),
    ("tokens", |r, _| at_most(r, tokens(&r.ceilings)), |c| c.tokens_total),
    ("spend", |r, _| at_most(r, r.ceilings.spend), |c| c.spend),
    ("time", |r, _| r.ceilings.deadline.unwrap_or(i64::MAX), |c| c.deadline),
];

/// A ceiling that is not written costs nothing at home and with people, and bounds nothing elsewhere.
fn at_most(r: &Road, written: Option<i64>) -> i64 {
    written.unwrap_or(if matches!(r.shape, Shape::Local | Shape::Human) { 0 } else { i64::MAX })
}

fn tokens(c: &Ceilings) -> Option<i64> {
    c.tokens_total.or_else(|| Some(c.tokens_in?.saturating_add(c.tokens_out?)))
}

/// Combinations of node, counters and tried roads beyond which runs are not counted again.
const STATES: usize = 20_000;

/// Why runs are not counted again.
const TOO_MANY: &str = "too many combinations of counters and tried roads to follow each";

/// What is due.
pub(super) fn due(g: &Graph<'_>) -> Vec<Asked> {
    let m = g.model;
    let start = About::Node(m.flows[0].start);
    let mut out = vec![Asked::bound("RL601", start, "every cycle takes a counter or a fallback", Bound::Cycles)];
    for r in redelivered(m).keys() {
        out.push(Asked::bound(
            "RL604",
            About::Road(*r),
            "redeliveries within requests and uses",
            Bound::Redeliveries(*r),
        ));
    }
    for (i, flow) in m.flows.iter().enumerate().filter(|(_, f)| m.profile != Profile::Choice && f.of.is_some()) {
        let child = Bound::Child(FlowId(crate::graph::narrow(i)));
        out.push(Asked::bound("RL603", About::Node(flow.start), "the child's ceilings within its parent's", child));
    }
    for (i, (word, _, ceiling)) in MEASURES.iter().enumerate() {
        if m.ceilings.as_ref().and_then(ceiling).is_some() {
            out.push(Asked::bound("RL602", start, &format!("{word} of a run"), Bound::Run(i)));
        }
    }
    out
}

/// Counts. `runs`: those of each flow.
pub(super) fn check(g: &Graph<'_>, runs: &[Runs], b: Bound) -> Counted {
    let m = g.model;
    let said = |b: bool| if b { Counted::Holds } else { Counted::Broken };
    match b {
        Bound::Cycles if !cycles_bounded(m) => Counted::Broken,
        Bound::Cycles if runs.iter().any(|r| matches!(r, Runs::Cyclic)) => Counted::Broken,
        // Each cycle still takes a counter or a fallback, and a road that was tried is tried no more; that such a fallback leads
        // to a choose was seen by the engine alone.
        Bound::Cycles if runs.iter().any(|r| matches!(r, Runs::TooMany)) => Counted::Trusted(TOO_MANY),
        Bound::Cycles => Counted::Holds,
        Bound::Redeliveries(r) => {
            let c = &m.road(r).ceilings;
            let sent = redelivered(m).get(&r).copied().unwrap_or(0).saturating_add(1);
            said(c.requests.into_iter().chain(c.uses).all(|limit| sent <= limit))
        }
        Bound::Child(flow) => said(child_fits(g, flow)),
        Bound::Run(i) => {
            let (_, of, ceiling) = MEASURES[i];
            let Some(limit) = m.ceilings.as_ref().and_then(ceiling) else { return Counted::Broken };
            match runs.first() {
                Some(Runs::All(states)) if states.most(m, of) <= limit => Counted::Holds,
                Some(Runs::All(_)) => {
                    Counted::Trusted("above the ceiling only by runs that no facts open, as the engines say")
                }
                _ => Counted::Trusted(TOO_MANY),
            }
        }
    }
}

fn redelivered(m: &Model) -> BTreeMap<RoadId, i64> {
    let mut out = BTreeMap::new();
    for e in m.edges.iter().filter(|e| e.kind == EdgeKind::Redeliver) {
        if let (Some(r), Some(c)) = (m.node(e.from).road, e.takes) {
            *out.entry(r).or_insert(0) += i64::from(m.counters[c.index()].max);
        }
    }
    out
}

fn child_fits(g: &Graph<'_>, id: FlowId) -> bool {
    let m = g.model;
    let flow = &m.flows[id.index()];
    let Some(parent) = flow.of.map(|r| &m.road(r).ceilings) else { return true };
    let nodes = g.reachable(id);
    let roads: BTreeSet<RoadId> =
        nodes.iter().map(|n| m.node(*n)).filter(|n| carries(&n.kind)).filter_map(|n| n.road).collect();
    // Requests are each road's own transmissions and add to nobody's.
    MEASURES.iter().filter(|(word, ..)| *word != "requests").all(|(_, of, ceiling)| {
        let sum = roads.iter().map(|r| of(m.road(*r), true)).fold(0, i64::saturating_add);
        ceiling(parent).is_none_or(|limit| sum.saturating_mul(i64::from(flow.calls)) <= limit)
    })
}

/// Without counters and fallbacks there is no cycle but of the policy's own nodes, and each repair takes a counter.
fn cycles_bounded(m: &Model) -> bool {
    let mut net: DiGraph<(), ()> = DiGraph::new();
    for _ in &m.nodes {
        net.add_node(());
    }
    for e in m.edges.iter().filter(|e| e.takes.is_none() && e.kind != EdgeKind::Fallback) {
        net.add_edge(NodeIndex::new(e.from.index()), NodeIndex::new(e.to.index()), ());
    }
    let own = |n: usize| matches!(m.nodes[n].kind, NodeKind::Own(_));
    let renewing = |e: &&Edge| m.node(e.from).kind == NodeKind::Repair && e.outcome == Outcome::Ok;
    acyclic_but(&net, own)
        && m.edges.iter().filter(renewing).all(|e| e.takes.is_some() || m.node(e.to).kind.is_terminal())
}

/// Every cycle goes only through what may form one.
fn acyclic_but(net: &DiGraph<(), ()>, may: impl Fn(usize) -> bool) -> bool {
    kosaraju_scc(net).iter().all(|part| {
        let cyclic = part.len() > 1 || net.contains_edge(part[0], part[0]);
        !cyclic || part.iter().all(|n| may(n.index()))
    })
}

/// What is left of each counter, the roads that were tried, and the road that a fallback would leave.
type Memory = (Vec<u8>, BTreeSet<RoadId>, Option<RoadId>);

/// All runs of a flow, facts aside.
pub(super) enum Runs {
    All(States),
    /// One of them never ends.
    Cyclic,
    TooMany,
}

pub(super) struct States {
    nodes: Vec<NodeId>,
    net: DiGraph<(), ()>,
}

impl Runs {
    /// Those of each flow.
    pub(super) fn of(g: &Graph<'_>) -> Vec<Self> {
        g.model.flows.iter().map(|f| Self::from(g, f.start)).collect()
    }

    fn from(g: &Graph<'_>, start: NodeId) -> Self {
        let m = g.model;
        let begin: Memory = (m.counters.iter().map(|c| c.max).collect(), BTreeSet::new(), None);
        let mut keys = vec![(start, begin)];
        let mut seen = BTreeMap::from([(keys[0].clone(), 0_usize)]);
        let mut net: DiGraph<(), ()> = DiGraph::new();
        net.add_node(());
        let mut at = 0;
        while at < keys.len() {
            let (node, memory) = keys[at].clone();
            for e in &g.out[node.index()] {
                let edge = m.edge(*e);
                let Some(next) = remembered(m, &memory, edge) else { continue };
                let key = (edge.to, next);
                let to = *seen.entry(key.clone()).or_insert_with(|| {
                    keys.push(key);
                    net.add_node(());
                    keys.len() - 1
                });
                net.add_edge(NodeIndex::new(at), NodeIndex::new(to), ());
            }
            if keys.len() > STATES {
                return Self::TooMany;
            }
            at += 1;
        }
        let nodes: Vec<NodeId> = keys.into_iter().map(|k| k.0).collect();
        if !acyclic_but(&net, |i| matches!(m.node(nodes[i]).kind, NodeKind::Own(_))) {
            return Self::Cyclic;
        }
        Self::All(States { nodes, net })
    }
}

/// After an edge; `None`: it cannot be taken.
fn remembered(m: &Model, (left, tried, current): &Memory, e: &Edge) -> Option<Memory> {
    let (mut left, mut tried) = (left.clone(), tried.clone());
    if let Some(c) = e.takes {
        left[c.index()] = left[c.index()].checked_sub(1)?;
    }
    let from = m.node(e.from);
    let mut current = if carries(&from.kind) { from.road } else { *current };
    if e.outcome == Outcome::Chosen {
        current = e.candidate;
        if current.is_some_and(|r| tried.contains(&r)) {
            return None;
        }
    }
    if e.kind == EdgeKind::Fallback {
        tried.extend(current.filter(|r| m.latch(Latch::Tried(*r)).is_some()));
    }
    if from.kind == NodeKind::Repair && e.outcome == Outcome::Ok {
        tried.clear();
    }
    Some((left, tried, current))
}

impl States {
    /// The most that a run uses.
    fn most(&self, m: &Model, of: fn(&Road, bool) -> i64) -> i64 {
        let cost = |i: usize| {
            let node = m.node(self.nodes[i]);
            let used = node.road.filter(|_| sends_or_calls(m, node));
            used.map_or(0, |r| of(m.road(r), node.kind == NodeKind::Send))
        };
        let mut best = vec![0_i64; self.nodes.len()];
        // Each part comes after all that it leads to; what forms a cycle uses nothing.
        for part in kosaraju_scc(&self.net) {
            let onward = part.iter().flat_map(|n| self.net.neighbors(*n)).map(|n| best[n.index()]).max().unwrap_or(0);
            for n in part {
                best[n.index()] = cost(n.index()).saturating_add(onward);
            }
        }
        best.first().copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::{Bound, Counted, Runs, check};
    use crate::graph::graph;
    use crate::lower::{Input, lower};
    use crate::model::FlowId;

    fn counted(text: &str, b: Bound) -> Counted {
        let input = Input { name: "p.road".to_owned(), bytes: text.as_bytes().to_vec(), root: None };
        let model = lower(input).model.expect("a model");
        let g = graph(&model);
        check(&g, &Runs::of(&g), b)
    }

    const CHILD: &str = include_str!("../../../tests/laws/RL601/child.good.road");
    const ROUND: &str = include_str!("../../../tests/laws/RL601/child.bad.road");

    #[test]
    fn a_child_that_goes_round_has_no_bound() {
        assert_eq!(counted(CHILD, Bound::Cycles), Counted::Holds);
        assert_eq!(counted(ROUND, Bound::Cycles), Counted::Broken);
    }

    /// The child's policy, with another ceiling of its provider's road, as a gateway may leave it open.
    fn open(ceilings: &str) -> String {
        CHILD
            .replace("policy laws.rl601_child@1", "policy laws.rl601_child@1 profile gateway")
            .replace("{ prompt: instructions } { limits one ", &format!("{{ prompt: instructions }} {{ {ceilings} "))
    }

    #[test]
    fn what_is_not_written_fits_into_nothing() {
        let child = Bound::Child(FlowId(1));
        assert_eq!(counted(&open("limits one"), child), Counted::Holds);
        assert_eq!(
            counted(&open("limits { deadline 30s retries 0 tokens 1 in 1 out 2 total }"), child),
            Counted::Broken
        );
    }

    #[test]
    fn what_is_not_written_is_above_each_ceiling_of_a_run() {
        let written = "limits policy { deadline 1h requests 9 tokens 1_000_000 in 1_000_000 out 2_000_000 total spend 900 cents }";
        let gateway = include_str!("../../../examples/gateway.road").replacen(
            "limits file {",
            &format!("{written}\n  limits file {{"),
            1,
        );
        // Deadline and retries are what the file states; tokens and spend it leaves open.
        assert_eq!(counted(&gateway, Bound::Run(0)), Counted::Holds);
        assert!(matches!(counted(&gateway, Bound::Run(1)), Counted::Trusted(_)));
        assert!(matches!(counted(&gateway, Bound::Run(3)), Counted::Trusted(_)));
        assert!(matches!(counted(&gateway, Bound::Run(4)), Counted::Trusted(_)));
        assert_eq!(counted(&gateway, Bound::Run(5)), Counted::Holds);
    }
}
