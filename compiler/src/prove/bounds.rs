//! Bounds: RL601 and RL602 (MODEL.md section 7).
//!
//! Cycles: edges that take a counter and fallback edges are deleted; what is left must have no cycle but through the
//! policy's own nodes. Then the runs of each flow are followed with their counters and tried roads ([`super::worst`], which finds
//! worst cases too): none may come back to where it was.

use super::diagnose::Findings;
use super::fixpoint::Context;
use super::ledger::Ledger;
use super::worst::{self, Cost, Explored, States, Worst};
use crate::graph::{Graph, carries};
use crate::laws::track::Subject;
use crate::manifest::About;
use crate::model::{Ceilings, Edge, EdgeKind, FlowId, Model, NodeId, NodeKind, Outcome, Profile, RoadId};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use roadlaw_grammar::diagnostic::{Diagnostic, Label};
use roadlaw_grammar::span::{FileId, Span};
use std::collections::{BTreeMap, BTreeSet};

/// Product of counters beyond which worst cases are undecided.
const UNROLLED: u64 = 65_536;

/// Checks RL601 and RL602; returns the worst case of the policy's own flow.
pub(crate) fn check(cx: &Context<'_, '_>, findings: &mut Findings<'_>, ledger: &mut Ledger) -> Option<Worst> {
    let g = cx.graph;
    let cycles = unbounded(g);
    if !cycles.is_empty() {
        for c in cycles {
            ledger.count("refuted");
            findings.error(c);
        }
        return None;
    }
    let own = ends(g, findings, ledger);
    redeliveries(g, findings, ledger);
    children(g, findings, ledger);
    let states = own?;
    let found = states.figures(g);
    worst::ceilings(cx, &states, &found, findings, ledger);
    Some(found)
}

/// RL601 where counters and tried roads count: each run of each flow comes to an end. What runs of the policy's own flow can be
/// at; a child may go round on its own, and what it costs is settled by its ceilings (RL603).
fn ends(g: &Graph<'_>, findings: &mut Findings<'_>, ledger: &mut Ledger) -> Option<States> {
    let m = g.model;
    let start = Subject::Node(m.flows[0].start);
    let unrolled = m.counters.iter().fold(1_u64, |acc, c| acc.saturating_mul(u64::from(c.max) + 1));
    if unrolled > UNROLLED {
        ledger.count("undecided");
        findings.undecided("RL602", start, "the product of the counters is above 65,536");
        return None;
    }
    let mut own = None;
    for (i, flow) in m.flows.iter().enumerate() {
        match worst::explore(g, FlowId(crate::graph::narrow(i))) {
            Some(Explored::Whole(states)) => {
                own.get_or_insert(states);
            }
            Some(Explored::Cycle(nodes)) => {
                ledger.count("refuted");
                findings.error(untried(m, &nodes));
                return None;
            }
            None => {
                ledger.count("undecided");
                findings.undecided("RL601", Subject::Node(flow.start), TOO_MANY);
                return None;
            }
        }
    }
    ledger.enter("RL601", start, "every cycle takes a counter or a fallback", "static");
    own
}

/// Why it is not known whether each run of a flow ends.
const TOO_MANY: &str = "too many combinations of counters and tried roads to follow each run to its end";

/// Where an author wrote the edge: in the policy itself, if it is there at all.
fn own_text(e: &Edge) -> Option<Span> {
    e.spans.iter().find(|s| s.file == FileId(0)).or_else(|| e.spans.first()).copied()
}

/// The nodes of a cycle, the first few by name.
fn cycle(m: &Model, nodes: &[NodeId]) -> String {
    let names: Vec<&str> = nodes.iter().take(6).map(|n| m.node(*n).name.as_str()).collect();
    let more = nodes.len().saturating_sub(6);
    let rest = if more == 0 { String::new() } else { format!(" and {more} more") };
    format!("`{}`{rest}", names.join("`, `"))
}

/// Every cycle without a counter or a fallback, and every repair that may be asked for ever.
pub(crate) fn unbounded(g: &Graph<'_>) -> Vec<Diagnostic> {
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
    for scc in kosaraju_scc(&net) {
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
            .or_else(|| edges.iter().max_by_key(|e| own_text(e).map(|s| (s.file == FileId(0), s))));
        let span = back.and_then(|e| own_text(e)).unwrap_or(m.span);
        let mut d = Diagnostic::error("RL601", span, format!("a cycle without a bound: {}", cycle(m, &nodes)))
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
fn redeliveries(g: &Graph<'_>, findings: &mut Findings<'_>, ledger: &mut Ledger) {
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
                ledger.count("refuted");
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
            _ => {
                ledger.enter("RL604", About::Road(r), "redeliveries within requests and uses", "static");
            }
        }
    }
}

/// A fallback cycle in which no road is tried anew.
fn untried(m: &Model, nodes: &[NodeId]) -> Diagnostic {
    let inside: BTreeSet<NodeId> = nodes.iter().copied().collect();
    let back = m.edges.iter().find(|e| {
        e.kind == EdgeKind::Fallback && inside.contains(&e.from) && inside.contains(&e.to) && e.takes.is_none()
    });
    let span = back.and_then(own_text).unwrap_or(m.span);
    Diagnostic::error("RL601", span, format!("a cycle without a bound: {}", cycle(m, nodes)))
        .with_primary_label("this fallback leaves no road that was not tried before")
        .with_help("let the fallback lead to a choose, which leaves out what was tried, or let it take a counter")
}

/// RL603: what the roads of a child may use, in all the calls that it may make, fits in the ceilings of its parent.
fn children(g: &Graph<'_>, findings: &mut Findings<'_>, ledger: &mut Ledger) {
    let m = g.model;
    for (i, flow) in m.flows.iter().enumerate().filter(|_| m.profile != Profile::Choice) {
        let Some(parent) = flow.of.map(|r| m.road(r)) else { continue };
        let here = g.reachable(FlowId(crate::graph::narrow(i)));
        let roads: BTreeSet<RoadId> =
            here.iter().map(|n| m.node(*n)).filter(|n| carries(&n.kind)).filter_map(|n| n.road).collect();
        let mut above = Vec::new();
        for (word, of, ceiling) in CHILD_CEILINGS {
            let uses = roads.iter().map(|r| of(&worst::one_use(m.road(*r), true)));
            let all = uses.fold(0, i64::saturating_add).saturating_mul(i64::from(flow.calls));
            if let Some(limit) = ceiling(&parent.ceilings)
                && all > limit
            {
                let told = |n: i64| match word {
                    _ if n == worst::NO_LIMIT => "without a limit".to_owned(),
                    "deadline" => worst::duration(n),
                    "spend" => format!("{n} cents"),
                    _ => n.to_string(),
                };
                above.push(format!("{word} {} above {}", told(all), told(limit)));
            }
        }
        if above.is_empty() {
            ledger.enter("RL603", Subject::Node(flow.start), "the child's ceilings within its parent's", "static");
            continue;
        }
        ledger.count("refuted");
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

/// A ceiling: its word, its part of a use, and the parent's.
type Ceiling = (&'static str, fn(&Cost) -> i64, fn(&Ceilings) -> Option<i64>);

/// Ceilings of a child that add up, call by call. Requests are each road's own transmissions and add to nobody's.
const CHILD_CEILINGS: [Ceiling; 5] = [
    ("tokens in", |c| c.tokens_in, |c| c.tokens_in),
    ("tokens out", |c| c.tokens_out, |c| c.tokens_out),
    ("tokens", |c| c.tokens, |c| c.tokens_total),
    ("spend", |c| c.spend, |c| c.spend),
    ("deadline", |c| c.time, |c| c.deadline),
];
