//! Where outcomes may lead: transmissions that may have acted, fallbacks, denials, waits (MODEL.md section 6).

use super::gate::right_await;
use super::track::{Bad, Move, Subject, Track, When};
use crate::graph::{Cond, Graph, asks, eligible};
use crate::laws::returns::granted;
use crate::model::{Change, EdgeId, EdgeKind, FlowId, Guard, Latch, Model, NodeKind, Outcome, RoadId, Shape, Stop};
use std::collections::BTreeSet;

fn entry(law: &'static str, g: &Graph<'_>, e: EdgeId, cond: Cond) -> Bad {
    Bad { law, subject: Subject::Node(g.model.edge(e).to), when: When::Entry, cond }
}

fn on_edge(law: &'static str, e: EdgeId, cond: Cond) -> Bad {
    Bad { law, subject: Subject::Edge(e), when: When::Edge, cond }
}

/// RL707, RL304: what is known of one road's transmission. State: 0 none, 1 unknown, 2 known; +3 while a redelivery is
/// on its way.
pub(crate) struct SubmittedTrack {
    pub(crate) flow: FlowId,
    pub(crate) road: RoadId,
}

/// `submitted` of road r after an edge was left.
pub(crate) fn submitted_after_leaving(m: &Model, r: RoadId, before: u16, e: EdgeId) -> u16 {
    use Outcome as O;
    let edge = m.edge(e);
    let from = m.node(edge.from);
    if from.road != Some(r) {
        return before;
    }
    match (&from.kind, edge.outcome) {
        (NodeKind::Send, O::Unavailable | O::FailedBeforeSubmit) | (NodeKind::Call, O::Unavailable) => 0,
        (NodeKind::Send, O::Ok | O::Refused | O::Failed | O::FailedAfterSubmit | O::Declined) => 2,
        (NodeKind::Send, _) => 1,
        (NodeKind::Call | NodeKind::AwaitUser | NodeKind::AwaitExternal, O::Expired) => 1,
        (NodeKind::Call | NodeKind::AwaitUser | NodeKind::AwaitExternal, O::Ok | O::Failed | O::Declined) => 2,
        (NodeKind::Reconcile, O::KnownNoEffect) => 0,
        (NodeKind::Reconcile, O::KnownEffect | O::KnownFailed) => 2,
        _ => before,
    }
}

/// A node that may follow while a transmission may have acted.
fn may_follow_unknown(kind: &NodeKind) -> bool {
    match kind {
        NodeKind::Reconcile | NodeKind::AwaitUser | NodeKind::AwaitExternal | NodeKind::Resolve | NodeKind::Own(_) => {
            true
        }
        NodeKind::Stop(s, _) => matches!(s, Stop::Indeterminate | Stop::Lost | Stop::Cancelled | Stop::Expired),
        NodeKind::Return(name) => {
            matches!(name.as_str(), "indeterminate" | "lost" | "cancelled" | "expired" | "uncertain")
        }
        _ => false,
    }
}

impl Track for SubmittedTrack {
    fn flow(&self) -> FlowId {
        self.flow
    }

    fn name(&self, m: &Model) -> String {
        format!("submitted({})", m.road(self.road).name)
    }

    fn step(&self, g: &Graph<'_>, state: u16, e: EdgeId) -> Move {
        let m = g.model;
        let edge = m.edge(e);
        let to = m.node(edge.to);
        let mut again = state >= 3 || edge.kind == EdgeKind::Redeliver;
        let mut sub = submitted_after_leaving(m, self.road, state % 3, e);
        let mut bad = Vec::new();
        if sub == 1 {
            let redelivers = again && matches!(to.kind, NodeKind::Egress | NodeKind::Send);
            if edge.kind == EdgeKind::Fallback {
                bad.push(on_edge("RL304", e, Cond::True));
            } else if !redelivers && !may_follow_unknown(&to.kind) {
                bad.push(entry("RL707", g, e, Cond::True));
            }
        }
        if to.kind == NodeKind::Send && to.road == Some(self.road) {
            sub = 1;
            again = false;
        }
        if !matches!(to.kind, NodeKind::Egress) {
            again = false;
        }
        Move { next: sub + if again { 3 } else { 0 }, bad }
    }
}

/// A step that prepares or makes a transmission.
fn begins_anew(kind: &NodeKind) -> bool {
    use NodeKind as K;
    matches!(
        kind,
        K::Classify
            | K::Minimize
            | K::Cut
            | K::Verify
            | K::Reserve
            | K::Decide { .. }
            | K::Attempt
            | K::Checkpoint
            | K::Egress
            | K::Send
            | K::Choose(_)
            | K::Call
    )
}

/// RL202: while something is out, a `next` edge leads only to what handles its return.
pub(crate) struct OutTrack {
    pub(crate) flow: FlowId,
}

impl Track for OutTrack {
    fn flow(&self) -> FlowId {
        self.flow
    }

    fn name(&self, _: &Model) -> String {
        "something is out".to_owned()
    }

    fn step(&self, g: &Graph<'_>, state: u16, e: EdgeId) -> Move {
        use NodeKind as K;
        let m = g.model;
        let edge = m.edge(e);
        let (from, to) = (m.node(edge.from), m.node(edge.to));
        let out = state == 1 && edge.kind == EdgeKind::Next;
        let mut bad = Vec::new();
        if out && begins_anew(&to.kind) {
            bad.push(entry("RL202", g, e, Cond::True));
        }
        if from.kind == K::Reconcile
            && edge.outcome == Outcome::KnownEffect
            && edge.kind != EdgeKind::Fallback
            && !(matches!(to.kind, K::Quarantine | K::Validate) || to.kind.is_terminal())
        {
            bad.push(on_edge("RL202", e, Cond::True));
        }
        Move { next: u16::from(out || crate::graph::carries(&to.kind)), bad }
    }
}

/// RL304, RL306, RL308, RL312: a fallback leaves only an outcome that allows it. State: 0 none of these, 1 allowed, 2 a transmission
/// failed and may have had an effect, 3 a negative, 4 a verifier that was not sure, 5 a negative that a step of the policy's
/// own summed up (RL312).
pub(crate) struct FallbackEntryTrack {
    pub(crate) flow: FlowId,
}

/// Work is done again, or by another road: a negative is not a reason for either.
fn hides_negative(kind: EdgeKind) -> bool {
    matches!(kind, EdgeKind::Fallback | EdgeKind::Retry | EdgeKind::Redirect | EdgeKind::Redeliver)
}

/// Nodes whose ok says nothing about the failure before them.
fn passes_on(kind: &NodeKind) -> bool {
    matches!(kind, NodeKind::Release | NodeKind::Resolve | NodeKind::Consume | NodeKind::Own(_))
}

impl Track for FallbackEntryTrack {
    fn flow(&self) -> FlowId {
        self.flow
    }

    fn name(&self, _: &Model) -> String {
        "fallbacks leave outcomes that allow them".to_owned()
    }

    fn step(&self, g: &Graph<'_>, state: u16, e: EdgeId) -> Move {
        use NodeKind as K;
        use Outcome as O;
        let m = g.model;
        let edge = m.edge(e);
        let from = m.node(edge.from);
        let next = match (&from.kind, edge.outcome) {
            (K::Send | K::Call | K::AwaitUser | K::AwaitExternal, O::Unavailable | O::Declined) => 1,
            (K::Send, O::FailedBeforeSubmit | O::Refused | O::FailedAfterSubmit) => 1,
            (K::Send, O::Failed) => 2,
            (K::Call | K::AwaitUser | K::AwaitExternal, O::Failed) => 1,
            (K::Egress, O::EgressDenied) | (K::Cut, O::CutSemanticsLost) | (K::Validate, O::Invalid) => 1,
            (K::Reconcile, O::KnownNoEffect | O::KnownFailed) => 1,
            (K::Validate, O::Negative) => 3,
            (K::Verify, O::VerifierUncertain) => 4,
            (K::Own(_), _) if state == 3 || state == 5 => 5,
            (k, O::Ok | O::Duplicate) if passes_on(k) => state,
            _ => 0,
        };
        let mut bad = Vec::new();
        if edge.kind == EdgeKind::Fallback {
            match next {
                0 => bad.push(on_edge("RL304", e, Cond::True)),
                2 => {
                    let none = role_holds(m, from.road, "no_effect");
                    bad.push(on_edge("RL304", e, Cond::fails(&none)));
                }
                3 => bad.push(on_edge("RL306", e, Cond::True)),
                4 => bad.push(on_edge("RL308", e, Cond::True)),
                _ => {}
            }
        }
        if next == 5 && hides_negative(edge.kind) {
            bad.push(on_edge("RL312", e, Cond::True));
        }
        Move { next: if edge.kind == EdgeKind::Fallback { 0 } else { next }, bad }
    }
}

/// The role is known to be true for the road (or for any road, where the node has none); `False` where no fact has it.
pub(crate) fn role_holds(m: &Model, road: Option<RoadId>, role: &str) -> Guard {
    let of = |r: &crate::model::Road| r.roles.get(role).cloned();
    let items = road.and_then(|r| of(m.road(r))).or_else(|| m.roads.iter().find_map(of));
    items.map_or(Guard::False, |items| Guard::and(items.iter().map(granted)))
}

/// RL304, RL307: no other remote road follows a denial of this road's gates; RL308: nothing but a refusal or a review
/// follows an uncertain verifier. State: 0 none, 1 denied, 2 semantics lost, 3 verifier uncertain.
pub(crate) struct DeniedTrack {
    pub(crate) flow: FlowId,
    pub(crate) road: RoadId,
}

impl Track for DeniedTrack {
    fn flow(&self) -> FlowId {
        self.flow
    }

    fn name(&self, m: &Model) -> String {
        format!("denied({})", m.road(self.road).name)
    }

    fn step(&self, g: &Graph<'_>, state: u16, e: EdgeId) -> Move {
        use Outcome as O;
        let m = g.model;
        let edge = m.edge(e);
        let (from, to) = (m.node(edge.from), m.node(edge.to));
        let mut state = state;
        if from.road == Some(self.road) {
            match (&from.kind, edge.outcome) {
                (_, O::EgressDenied | O::Denied) | (NodeKind::Verify, O::Failed) => state = 1,
                (_, O::CutSemanticsLost) => state = 2,
                (_, O::VerifierUncertain) => state = 3,
                _ => {}
            }
        }
        if says(m, e, Change::Content) || (from.kind == NodeKind::Review && edge.outcome == O::NewPlan) {
            state = 0;
        }
        let mut bad = Vec::new();
        let other = to.road.is_some_and(|r| r != self.road && m.road(r).remote);
        if state == 3 && begins_anew(&to.kind) {
            bad.push(entry("RL308", g, e, Cond::True));
        } else if state != 0 && to.kind == NodeKind::Send && other {
            bad.push(entry(if state == 2 { "RL307" } else { "RL304" }, g, e, Cond::True));
        }
        Move { next: state, bad }
    }
}

pub(crate) fn says(m: &Model, e: EdgeId, c: Change) -> bool {
    m.edge(e).changes.as_ref().is_some_and(|s| s.contains(&c))
}

/// A new choice of road is due after this edge.
pub(crate) fn new_choice(m: &Model, e: EdgeId) -> bool {
    let edge = m.edge(e);
    let from = &m.node(edge.from).kind;
    edge.kind == EdgeKind::Fallback
        || says(m, e, Change::Content)
        || matches!((from, edge.outcome), (NodeKind::Repair, Outcome::Ok) | (NodeKind::Review, Outcome::NewPlan))
        || (*from == NodeKind::AwaitUser && edge.kind == EdgeKind::Resume && edge.outcome == Outcome::Ok)
}

/// RL301: another road than the first chosen is used only after a declared fallback. State: 0 nothing chosen, 1 this road
/// first, 2 another first; +3 once another road was sent or called.
pub(crate) struct FirstTrack {
    pub(crate) flow: FlowId,
    pub(crate) road: RoadId,
}

impl Track for FirstTrack {
    fn flow(&self) -> FlowId {
        self.flow
    }

    fn name(&self, m: &Model) -> String {
        format!("first({})", m.road(self.road).name)
    }

    fn step(&self, g: &Graph<'_>, state: u16, e: EdgeId) -> Move {
        let m = g.model;
        let edge = m.edge(e);
        let to = m.node(edge.to);
        let (mut first, mut other) = (state % 3, state >= 3);
        if new_choice(m, e) {
            (first, other) = (0, false);
        }
        if edge.outcome == Outcome::Chosen && first == 0 {
            first = if edge.candidate == Some(self.road) { 1 } else { 2 };
        }
        let mut bad = Vec::new();
        if matches!(to.kind, NodeKind::Send | NodeKind::Call) {
            if to.road == Some(self.road) {
                if other || (first == 2 && m.road(self.road).remote && to.kind == NodeKind::Send) {
                    bad.push(entry("RL301", g, e, Cond::True));
                }
            } else {
                other = true;
            }
        }
        Move { next: first + if other { 3 } else { 0 }, bad }
    }
}

/// RL305: a decision after a fallback names its parent. State: bit 0 a decision was made, bit 1 its successor is due.
pub(crate) struct ParentTrack {
    pub(crate) flow: FlowId,
}

impl Track for ParentTrack {
    fn flow(&self) -> FlowId {
        self.flow
    }

    fn name(&self, _: &Model) -> String {
        "parent decision".to_owned()
    }

    fn step(&self, g: &Graph<'_>, state: u16, e: EdgeId) -> Move {
        let m = g.model;
        let edge = m.edge(e);
        let (from, to) = (m.node(edge.from), m.node(edge.to));
        let (mut made, mut due) = (state & 1 == 1, state & 2 == 2);
        if matches!(from.kind, NodeKind::Decide { .. }) && edge.outcome == Outcome::Ok {
            (made, due) = (true, false);
        }
        due |= made && edge.kind == EdgeKind::Fallback;
        let mut bad = Vec::new();
        if due && to.kind == (NodeKind::Decide { fresh: true }) {
            bad.push(entry("RL305", g, e, Cond::True));
        }
        Move { next: u16::from(made) | u16::from(due) << 1, bad }
    }
}

/// RL705: what a carrier has taken over is waited for by its name. State: 1 while it is out.
pub(crate) struct WaitTrack {
    pub(crate) flow: FlowId,
    pub(crate) road: RoadId,
}

impl Track for WaitTrack {
    fn flow(&self) -> FlowId {
        self.flow
    }

    fn name(&self, m: &Model) -> String {
        format!("waiting({})", m.road(self.road).name)
    }

    fn step(&self, g: &Graph<'_>, state: u16, e: EdgeId) -> Move {
        let m = g.model;
        let edge = m.edge(e);
        let (from, to) = (m.node(edge.from), m.node(edge.to));
        let right = right_await(m.road(self.road));
        let mut out = state == 1;
        if from.road == Some(self.road) {
            match (&from.kind, edge.outcome) {
                (NodeKind::Send | NodeKind::Call, Outcome::Ok) => out = true,
                (k, _) if Some(k) == right.as_ref() => out = false,
                (NodeKind::Reconcile, o) if o != Outcome::StillUnknown => out = false,
                _ => {}
            }
        }
        let mut bad = Vec::new();
        let fine = Some(&to.kind) == right.as_ref()
            || match &to.kind {
                NodeKind::Own(_) | NodeKind::Resolve => true,
                NodeKind::Stop(s, _) => matches!(s, Stop::Indeterminate | Stop::Lost | Stop::Cancelled | Stop::Expired),
                _ => false,
            };
        if out && !fine {
            bad.push(entry("RL705", g, e, Cond::True));
            out = false;
        }
        Move { next: u16::from(out), bad }
    }
}

/// Laws that look at one edge alone: RL203, RL207 (resume), RL306 (judged), RL313, RL706.
pub(crate) struct EdgeTrack {
    pub(crate) flow: FlowId,
    /// Candidates of chooses that can be reached over `next` edges.
    pub(crate) first_roads: BTreeSet<RoadId>,
}

impl EdgeTrack {
    pub(crate) fn new(g: &Graph<'_>, flow: FlowId) -> Self {
        let m = g.model;
        let mut seen = vec![false; m.nodes.len()];
        let mut first_roads = BTreeSet::new();
        let mut work = vec![m.flows[flow.index()].start];
        while let Some(n) = work.pop() {
            if std::mem::replace(&mut seen[n.index()], true) {
                continue;
            }
            if let NodeKind::Choose(c) = m.node(n).kind {
                first_roads.extend(m.choose(c).candidates.iter().copied());
            }
            work.extend(g.out[n.index()].iter().map(|e| m.edge(*e)).filter(|e| e.kind == EdgeKind::Next).map(|e| e.to));
        }
        Self { flow, first_roads }
    }
}

impl Track for EdgeTrack {
    fn flow(&self) -> FlowId {
        self.flow
    }

    fn name(&self, _: &Model) -> String {
        "single edges".to_owned()
    }

    fn step(&self, g: &Graph<'_>, _: u16, e: EdgeId) -> Move {
        let m = g.model;
        let edge = m.edge(e);
        let (from, to) = (m.node(edge.from), m.node(edge.to));
        let mut bad = Vec::new();
        if edge.kind == EdgeKind::Redeliver {
            let replay = Guard::or([role_holds(m, from.road, "replay_proved"), role_holds(m, from.road, "no_effect")]);
            let shaped = to.kind == NodeKind::Egress
                && to.road == from.road
                && edge.takes.is_some()
                && edge.changes.as_ref().is_none_or(BTreeSet::is_empty);
            bad.push(on_edge("RL203", e, if shaped { Cond::fails(&replay) } else { Cond::True }));
        }
        if edge.kind == EdgeKind::Resume && !matches!(from.kind, NodeKind::AwaitUser | NodeKind::AwaitExternal) {
            bad.push(on_edge("RL207", e, Cond::True));
        }
        if let NodeKind::Stop(Stop::PendingNoRoad, _) = to.kind {
            match from.kind {
                NodeKind::Choose(c) if edge.outcome == Outcome::Closed => {
                    let missed = |r: &RoadId| Cond::all([asks(m, m.choose(c), *r).not(), eligible(m, *r)]);
                    let open = Cond::any(self.first_roads.iter().map(missed));
                    if open != Cond::False {
                        bad.push(on_edge("RL706", e, open));
                    }
                }
                _ => bad.push(on_edge("RL706", e, Cond::True)),
            }
        }
        let human = to.road.is_some_and(|r| m.road(r).shape == Shape::Human);
        let closed = match to.kind {
            NodeKind::Send | NodeKind::Call | NodeKind::Adopt => true,
            NodeKind::AwaitUser | NodeKind::AwaitExternal => human,
            _ => false,
        };
        if closed && let Some(judged) = m.latch(Latch::Judged) {
            bad.push(entry("RL306", g, e, Cond::Not(Box::new(Cond::Holds(Guard::In(judged, vec![0]))))));
        }
        let starts = matches!(to.kind, NodeKind::Send | NodeKind::Call) || (closed && human);
        if starts
            && edge.kind != EdgeKind::Redeliver
            && let Some(tried) = to.road.and_then(|r| m.latch(Latch::Tried(r)))
        {
            bad.push(entry("RL313", g, e, Cond::Not(Box::new(Cond::Holds(Guard::In(tried, vec![0]))))));
        }
        Move { next: 0, bad }
    }
}

/// RL311: after a review's new plan nothing is prepared before classify. State: 1 while the new plan is not classified.
pub(crate) struct ReviewTrack {
    pub(crate) flow: FlowId,
}

impl Track for ReviewTrack {
    fn flow(&self) -> FlowId {
        self.flow
    }

    fn name(&self, _: &Model) -> String {
        "new plan".to_owned()
    }

    fn step(&self, g: &Graph<'_>, state: u16, e: EdgeId) -> Move {
        let m = g.model;
        let edge = m.edge(e);
        let (from, to) = (m.node(edge.from), m.node(edge.to));
        let planned = state == 1 || (from.kind == NodeKind::Review && edge.outcome == Outcome::NewPlan);
        let mut bad = Vec::new();
        if planned && to.kind != NodeKind::Classify && begins_anew(&to.kind) {
            bad.push(entry("RL311", g, e, Cond::True));
        }
        Move { next: u16::from(planned && !begins_anew(&to.kind)), bad }
    }
}
