//! Gates before a transmission: which node needs which, what sets one and what clears it (MODEL.md section 5).

use super::catalogue::profiles::runs;
use super::track::{Bad, Move, Subject, Track, When};
use crate::graph::{Cond, Graph};
use crate::model::{Carrier, Change, EdgeId, EdgeKind, FlowId, Model, Node, NodeKind, Outcome, Road, RoadId, Shape};

/// Evidence that a road's transmission needs, in canonical order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Gate {
    Cls,
    Min,
    Eli,
    Cut,
    Ver,
    Bud,
    Dec,
    Att,
    Chk,
    Egr,
}

impl Gate {
    /// The law that a path breaks where the gate was never passed.
    pub(crate) fn law(self) -> &'static str {
        match self {
            Self::Cls => "RL101",
            Self::Min => "RL102",
            Self::Eli => "RL103",
            Self::Cut => "RL104",
            Self::Ver => "RL105",
            Self::Bud => "RL107",
            Self::Dec => "RL108",
            Self::Att => "RL109",
            Self::Chk => "RL113",
            Self::Egr => "RL106",
        }
    }

    /// The gate whose node this is.
    pub(crate) fn of(kind: &NodeKind) -> Option<Self> {
        Some(match kind {
            NodeKind::Classify => Self::Cls,
            NodeKind::Minimize => Self::Min,
            NodeKind::Choose(_) => Self::Eli,
            NodeKind::Cut => Self::Cut,
            NodeKind::Verify => Self::Ver,
            NodeKind::Reserve => Self::Bud,
            NodeKind::Decide { .. } => Self::Dec,
            NodeKind::Attempt => Self::Att,
            NodeKind::Checkpoint => Self::Chk,
            NodeKind::Egress => Self::Egr,
            _ => return None,
        })
    }

    /// Entering the gate's node clears these as well.
    fn followers(self) -> &'static [Self] {
        use Gate as G;
        match self {
            G::Cls => &[G::Min, G::Eli, G::Cut, G::Ver, G::Bud, G::Dec, G::Att, G::Chk, G::Egr],
            G::Min => &[G::Cut, G::Ver, G::Dec, G::Att, G::Egr],
            G::Eli => &[G::Bud, G::Dec, G::Att, G::Chk, G::Egr],
            G::Cut => &[G::Ver, G::Dec, G::Att, G::Egr],
            G::Ver => &[G::Dec, G::Att, G::Egr],
            G::Dec => &[G::Att, G::Egr],
            G::Bud | G::Att | G::Chk => &[G::Egr],
            G::Egr => &[],
        }
    }
}

/// What a node needs before it is entered, in canonical order: gate, and under which condition. A gate whose own law the
/// profile leaves out is not asked for at all, whatever its absence would be called.
pub(crate) fn needs(m: &Model, node: &Node) -> Vec<(Gate, Cond)> {
    let mut out = all_needs(m, node);
    out.retain(|(gate, _)| runs(m.profile, gate.law()));
    out
}

fn all_needs(m: &Model, node: &Node) -> Vec<(Gate, Cond)> {
    use Gate as G;
    let Some(r) = node.road.map(|r| m.road(r)) else { return Vec::new() };
    let always = |gs: &[G]| gs.iter().map(|g| (*g, Cond::True)).collect::<Vec<_>>();
    match (&node.kind, r.shape) {
        (NodeKind::Attempt, _) => always(&[G::Dec]),
        (NodeKind::Send, Shape::CodingLocal) => always(&[G::Cls, G::Eli, G::Bud, G::Dec, G::Att, G::Chk]),
        (NodeKind::Send, shape) => {
            let cut = Cond::possible(&r.need_cut);
            let always_durable = matches!(shape, Shape::Peer | Shape::Coding);
            let durable = if always_durable { Cond::True } else { Cond::possible(&r.need_durable) };
            let mut out = always(&[G::Cls, G::Min, G::Eli]);
            out.extend([
                (G::Cut, cut.clone()),
                (G::Ver, cut),
                (G::Bud, Cond::True),
                (G::Dec, Cond::True),
                (G::Att, durable),
            ]);
            if always_durable || r.leaves_invocation {
                out.push((G::Chk, Cond::True));
            }
            out.push((G::Egr, Cond::True));
            out
        }
        (NodeKind::Call, _) => {
            let mut out = always(&[G::Cls, G::Eli, G::Dec]);
            if r.derived.asynchronous {
                out.extend(always(&[G::Att, G::Chk]));
            }
            out
        }
        (NodeKind::AwaitUser | NodeKind::AwaitExternal, Shape::Human) => {
            always(&[G::Cls, G::Min, G::Eli, G::Dec, G::Chk])
        }
        (NodeKind::AwaitUser | NodeKind::AwaitExternal, _) => always(&[G::Chk]),
        _ => Vec::new(),
    }
}

/// A call needs a decision only where it is reached by a fallback or has an effect.
pub(crate) fn call_needs_decision(r: &Road) -> bool {
    r.attributes.get("effectful").is_some_and(|v| v != "no")
}

/// The gate `at` (a node's) speaks of the key that `gate` is held for on behalf of road r.
pub(crate) fn same_key(m: &Model, r: RoadId, node: &Node, at: Gate) -> bool {
    let Some(other) = node.road else { return matches!(at, Gate::Cls | Gate::Eli) };
    let (a, b) = (m.road(r), m.road(other));
    match at {
        Gate::Cls | Gate::Eli => true,
        Gate::Min | Gate::Cut | Gate::Ver => other == r || (a.consumer.is_some() && a.consumer == b.consumer),
        Gate::Egr => other == r || (a.target.is_some() && a.target == b.target),
        Gate::Bud | Gate::Dec | Gate::Att | Gate::Chk => other == r,
    }
}

/// What an edge of this kind, with these changes, clears (the table of MODEL.md section 5).
pub(crate) fn cleared_by_edge(m: &Model, e: EdgeId, gate: Gate) -> bool {
    let edge = m.edge(e);
    let from = &m.node(edge.from).kind;
    let everything = edge.kind == EdgeKind::Loop
        || (*from == NodeKind::Repair && edge.outcome == Outcome::Ok)
        || (*from == NodeKind::Review && edge.outcome == Outcome::NewPlan)
        || (*from == NodeKind::AwaitUser && edge.kind == EdgeKind::Resume);
    let by_kind = match edge.kind {
        EdgeKind::Next | EdgeKind::Loop => false,
        EdgeKind::Redirect | EdgeKind::Fallback => gate > Gate::Cls,
        EdgeKind::Retry => gate >= Gate::Cut,
        EdgeKind::Redeliver => gate == Gate::Egr,
        EdgeKind::Resume => matches!(gate, Gate::Eli | Gate::Egr),
    };
    everything || by_kind || edge.changes.iter().flatten().any(|c| cleared_by_change(*c, gate))
}

fn cleared_by_change(c: Change, gate: Gate) -> bool {
    match c {
        Change::Content | Change::Workspace | Change::Policy => true,
        Change::Custody | Change::Actor => gate > Gate::Min,
        _ => gate > Gate::Cls,
    }
}

/// Whether the gate is held, on behalf of road r, when an edge has been left and before its end is entered.
pub(crate) fn held_after_leaving(g: &Graph<'_>, r: RoadId, gate: Gate, held: bool, e: EdgeId) -> bool {
    let m = g.model;
    let edge = m.edge(e);
    let from = m.node(edge.from);
    let mut held = held;
    match (gate, edge.outcome) {
        (Gate::Eli, Outcome::Chosen) => held = edge.candidate == Some(r),
        (Gate::Eli, Outcome::Closed) => held = false,
        (_, Outcome::Ok) if Gate::of(&from.kind) == Some(gate) && same_key(m, r, from, gate) => held = true,
        _ => {}
    }
    if gate == Gate::Egr && from.kind == NodeKind::Egress {
        let to = m.node(edge.to);
        held &= to.kind == NodeKind::Send && same_key(m, r, to, Gate::Egr);
    }
    held && !cleared_by_edge(m, e, gate)
}

/// Whether it is still held once the node is entered.
pub(crate) fn held_after_entering(m: &Model, r: RoadId, gate: Gate, held: bool, node: &Node) -> bool {
    if node.kind == NodeKind::Send && gate == Gate::Egr {
        return false;
    }
    let Some(entered) = Gate::of(&node.kind) else { return held };
    let own = entered == gate && entered != Gate::Eli;
    held && !((own || entered.followers().contains(&gate)) && same_key(m, r, node, entered))
}

/// Follows one gate on behalf of one road. State: bit 0 held; bit 1 reached by a fallback since the last transmission
/// (only looked at for the decision of a call).
pub(crate) struct GateTrack {
    pub(crate) flow: FlowId,
    pub(crate) road: RoadId,
    pub(crate) gate: Gate,
    /// Volatile and rank facts are free at every edge: the first half of RL114.
    pub(crate) free: bool,
}

impl Track for GateTrack {
    fn flow(&self) -> FlowId {
        self.flow
    }

    fn name(&self, m: &Model) -> String {
        format!(
            "{:?}({}){}",
            self.gate,
            m.road(self.road).name,
            if self.free { " with volatile facts free" } else { "" }
        )
    }

    fn free_volatile(&self) -> bool {
        self.free
    }

    fn step(&self, g: &Graph<'_>, state: u16, e: EdgeId) -> Move {
        let m = g.model;
        let edge = m.edge(e);
        let to = m.node(edge.to);
        let held = held_after_leaving(g, self.road, self.gate, state & 1 == 1, e);
        let calls = self.gate == Gate::Dec && m.road(self.road).shape == Shape::Local;
        let mut fallback = calls && (state & 2 == 2 || edge.kind == EdgeKind::Fallback);
        let mut bad = Vec::new();
        if !held && to.road == Some(self.road) {
            for (gate, when) in needs(m, to) {
                let excused = to.kind == NodeKind::Call
                    && gate == Gate::Dec
                    && !fallback
                    && !call_needs_decision(m.road(self.road));
                if gate == self.gate && when != Cond::False && !excused {
                    bad.push(Bad { law: gate.law(), subject: Subject::Node(edge.to), when: When::Entry, cond: when });
                }
            }
        }
        if crate::graph::carries(&to.kind) {
            fallback = false;
        }
        let held = held_after_entering(m, self.road, self.gate, held, to);
        Move { next: u16::from(held) | u16::from(fallback) << 1, bad }
    }
}

/// Every gate track of a flow.
pub(crate) fn tracks(g: &Graph<'_>, flow: FlowId) -> Vec<Box<dyn Track>> {
    let m = g.model;
    let mut wanted: std::collections::BTreeSet<(RoadId, Gate)> = std::collections::BTreeSet::new();
    for n in g.reachable(flow) {
        let node = m.node(n);
        if let Some(r) = node.road {
            wanted.extend(needs(m, node).into_iter().filter(|(_, c)| *c != Cond::False).map(|(gate, _)| (r, gate)));
        }
    }
    wanted
        .into_iter()
        .map(|(road, gate)| {
            let free = matches!(gate, Gate::Cut | Gate::Ver | Gate::Att);
            Box::new(GateTrack { flow, road, gate, free }) as Box<dyn Track>
        })
        .collect()
}

/// The await that a road's carrier asks for.
pub(crate) fn right_await(r: &Road) -> Option<NodeKind> {
    match r.carrier {
        _ if r.shape == Shape::Human => Some(NodeKind::AwaitUser),
        Carrier::Direct => None,
        Carrier::Manual => Some(NodeKind::AwaitUser),
        Carrier::Queue => Some(NodeKind::AwaitExternal),
    }
}
