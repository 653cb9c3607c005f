//! Laws on numbers (MODEL.md section 7): cycles, redeliveries, what a child may use.

use super::gates::works;
use roadlaw_compiler::model::{
    Ceilings, Edge, EdgeKind, FlowId, Guard, Model, NodeId, NodeKind, Outcome, RoadId, Shape,
};
use std::collections::{BTreeMap, BTreeSet};

/// Laws that the policy breaks whatever the facts.
#[must_use]
pub fn broken(m: &Model) -> BTreeSet<&'static str> {
    let mut out = BTreeSet::new();
    if endless(m) || (0..m.flows.len()).any(|f| again_and_again(m, f)) {
        // What has no bound is compared with none.
        return BTreeSet::from(["RL601"]);
    }
    for (i, r) in m.roads.iter().enumerate() {
        let again = m.edges.iter().filter(|e| e.kind == EdgeKind::Redeliver);
        let mine = again.filter(|e| m.nodes[e.from.index()].road.is_some_and(|r| r.index() == i));
        let times: Vec<i64> = mine.filter_map(|e| e.takes).map(|c| i64::from(m.counters[c.index()].max)).collect();
        let sent = times.iter().sum::<i64>() + 1;
        let over = |limit: Option<i64>| !times.is_empty() && limit.is_some_and(|l| sent > l);
        let (uses, requests) = (r.ceilings.uses, r.ceilings.requests);
        if over(uses) && requests.is_none_or(|q| uses.is_some_and(|u| u <= q)) {
            out.insert("RL604");
        }
    }
    if m.flows.iter().enumerate().any(|(i, f)| f.of.is_some_and(|p| above(m, i, p))) {
        out.insert("RL603");
    }
    out
}

/// RL601: a way round without a counter or a fallback, through anything but the policy's own nodes; and a repair that
/// takes no counter.
fn endless(m: &Model) -> bool {
    let free = |e: &&Edge| e.takes.is_none() && e.kind != EdgeKind::Fallback;
    let reach = |from: NodeId| -> BTreeSet<NodeId> {
        let mut seen = BTreeSet::new();
        let mut work = vec![from];
        while let Some(n) = work.pop() {
            let next = m.edges.iter().filter(free).filter(|e| e.from == n).map(|e| e.to);
            work.extend(next.filter(|to| seen.insert(*to)));
        }
        seen
    };
    let nodes = (0..m.nodes.len()).map(|i| NodeId(super::facts::id(i)));
    let mut real = nodes.filter(|n| !matches!(m.nodes[n.index()].kind, NodeKind::Own(_)));
    let ends = |n: NodeId| matches!(m.nodes[n.index()].kind, NodeKind::Stop(..) | NodeKind::Return(_));
    let repaired = |e: &Edge| m.nodes[e.from.index()].kind == NodeKind::Repair && e.outcome == Outcome::Ok;
    m.edges.iter().any(|e| repaired(e) && e.takes.is_none() && !ends(e.to)) || real.any(|n| reach(n).contains(&n))
}

/// RL601 (DESIGN.md, reading 27): a run, facts aside, that comes back to a node with the same counters, tried roads and
/// current road. Only the policy's own steps may do so.
fn again_and_again(m: &Model, flow: usize) -> bool {
    type State = (NodeId, Vec<u8>, BTreeSet<RoadId>, Option<RoadId>);
    let next = |(n, left, tried, current): &State| -> Vec<State> {
        let out = m.edges.iter().filter(|e| e.from == *n && e.guard != Guard::False);
        out.filter_map(|e| {
            let (from, mut left, mut tried) = (&m.nodes[n.index()], left.clone(), tried.clone());
            if e.candidate.is_some_and(|r| tried.contains(&r)) {
                return None;
            }
            if let Some(c) = e.takes {
                left[c.index()] = left[c.index()].checked_sub(1)?;
            }
            let here = if works(&from.kind) { from.road.or(*current) } else { *current };
            if e.kind == EdgeKind::Fallback {
                tried.extend(here);
            }
            if from.kind == NodeKind::Repair && e.outcome == Outcome::Ok {
                tried.clear();
            }
            Some((e.to, left, tried, e.candidate.or(here)))
        })
        .collect()
    };
    let start: State = (m.flows[flow].start, m.counters.iter().map(|c| c.max).collect(), BTreeSet::new(), None);
    // Depth first; what is on the way to a state is open, and coming back to an open state is a cycle.
    let mut open: BTreeMap<State, bool> = BTreeMap::new();
    let mut work: Vec<(State, Vec<State>)> = vec![(start.clone(), next(&start))];
    open.insert(start, true);
    while let Some((state, rest)) = work.last_mut() {
        let Some(to) = rest.pop() else {
            open.insert(state.clone(), false);
            work.pop();
            continue;
        };
        match open.get(&to) {
            Some(true) => {
                let round = work.iter().rev().map(|(s, _)| s);
                let mut round = round.take_while(|s| **s != to).chain([&to]);
                if round.any(|s| !matches!(m.nodes[s.0.index()].kind, NodeKind::Own(_))) {
                    return true;
                }
            }
            Some(false) => {}
            None => {
                open.insert(to.clone(), true);
                let onward = next(&to);
                work.push((to, onward));
            }
        }
    }
    false
}

/// RL603: all roads of a child, in all its calls, use more than its parent may.
fn above(m: &Model, flow: usize, parent: RoadId) -> bool {
    let here = FlowId(super::facts::id(flow));
    let roads: BTreeSet<RoadId> =
        m.nodes.iter().filter(|n| n.flow == here && works(&n.kind)).filter_map(|n| n.road).collect();
    let calls = i64::from(m.flows[flow].calls);
    let kinds: [fn(&Ceilings) -> Option<i64>; 5] = [
        |c| c.tokens_in,
        |c| c.tokens_out,
        |c| c.tokens_total.or_else(|| Some(c.tokens_in? + c.tokens_out?)),
        |c| c.spend,
        |c| c.deadline,
    ];
    // Nothing bounds what is not written, except at home and with people, where it need not be.
    let free = |r: RoadId| matches!(m.roads[r.index()].shape, Shape::Local | Shape::Human);
    kinds.iter().any(|of| {
        let each: Option<Vec<i64>> =
            roads.iter().map(|r| of(&m.roads[r.index()].ceilings).or(free(*r).then_some(0))).collect();
        let most = each.map(|all| all.iter().sum::<i64>() * calls);
        of(&m.roads[parent.index()].ceilings).is_some_and(|limit| most.is_none_or(|n| n > limit))
    })
}
