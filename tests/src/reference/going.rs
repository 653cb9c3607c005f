//! What is out, and where its outcomes may lead (MODEL.md section 6): transmissions that may have acted, fallbacks,
//! denials, waits, plans, and who answers in whose place.

use super::facts::{changes, latched, role_true};
use super::gates::{gate_of, works};
use roadlaw_compiler::model::{
    Carrier, Cell, Change, Edge, EdgeId, EdgeKind, Latch, Model, Node, NodeKind, Outcome, RoadId, Shape, Stop,
};

/// What the last outcome says about another road.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
enum Lead {
    #[default]
    Nothing,
    Allows,
    MayHaveActed,
    Negative,
    /// A step of the policy's own stands between a negative and what follows.
    SummedUp,
    Unsure,
}

/// What a run has sent and asked.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Going {
    /// Work is out.
    out: bool,
    /// Roads (bits) whose transmission may have acted; is known.
    unknown: u32,
    known: u32,
    redelivering: bool,
    lead: Lead,
    /// Roads that were denied, whose cut lost its meaning, whose verifier was not sure.
    denied: u32,
    lost: u32,
    unsure: u32,
    /// The road that was chosen first, and all that were sent to or called.
    first: Option<RoadId>,
    used: u32,
    decided: bool,
    parent_due: bool,
    /// Roads whose carrier has not brought anything back.
    waiting: u32,
    /// A new plan that was not classified.
    planned: bool,
    /// Reached by a fallback since the last work.
    pub fell: bool,
    /// The road last sent, called or awaited, else chosen.
    pub current: Option<RoadId>,
    /// The fallback that was taken, and the road that it left; until the next road answers.
    pub crossing: Option<(EdgeId, RoadId)>,
    anew: bool,
}

fn bit(r: Option<RoadId>) -> u32 {
    r.map_or(0, |r| 1 << r.0)
}

/// A road is asked here: it is sent to or called, or it is a person who is waited for.
#[must_use]
pub fn answers(m: &Model, to: &Node) -> bool {
    let person = to.road.is_some_and(|r| m.roads[r.index()].shape == Shape::Human);
    matches!(to.kind, NodeKind::Send | NodeKind::Call) || (works(&to.kind) && person)
}

/// A step that prepares work or does it.
fn goes_on(kind: &NodeKind) -> bool {
    gate_of(kind).is_some() || matches!(kind, NodeKind::Send | NodeKind::Call)
}

/// Where a run may stop while something may have acted.
fn open_end(kind: &NodeKind) -> bool {
    matches!(kind, NodeKind::Stop(Stop::Indeterminate | Stop::Lost | Stop::Cancelled | Stop::Expired, _))
}

/// How the carrier of a road is waited for.
fn wait_of(m: &Model, r: RoadId) -> Option<NodeKind> {
    match (m.roads[r.index()].shape, m.roads[r.index()].carrier) {
        (Shape::Human, _) | (_, Carrier::Direct) => None,
        (_, Carrier::Manual) => Some(NodeKind::AwaitUser),
        (_, Carrier::Queue) => Some(NodeKind::AwaitExternal),
    }
}

impl Going {
    /// A node is left.
    pub fn leave(&mut self, m: &Model, e: &Edge) {
        use NodeKind as K;
        use Outcome as O;
        let from = &m.nodes[e.from.index()];
        let mine = bit(from.road);
        let awaits = matches!(from.kind, K::AwaitUser | K::AwaitExternal);
        // None, unknown or known, where the outcome says something of it.
        let said = match (&from.kind, e.outcome) {
            (K::Send | K::Call, O::Unavailable) | (K::Send, O::FailedBeforeSubmit) => Some((0, 0)),
            (K::Reconcile, O::KnownNoEffect) => Some((0, 0)),
            (K::Send, O::Ok | O::Refused | O::Failed | O::FailedAfterSubmit | O::Declined) => Some((0, mine)),
            (K::Reconcile, O::KnownEffect | O::KnownFailed) => Some((0, mine)),
            (k, O::Ok | O::Failed | O::Declined) if *k == K::Call || awaits => Some((0, mine)),
            (k, O::Expired) if *k == K::Call || awaits => Some((mine, 0)),
            (K::Send, _) => Some((mine, 0)),
            _ => None,
        };
        if let Some((unknown, known)) = said {
            self.unknown = self.unknown & !mine | unknown;
            self.known = self.known & !mine | known;
        }
        if let Some(r) = from.road {
            let settled = from.kind == K::Reconcile && e.outcome != O::StillUnknown;
            if settled || wait_of(m, r).as_ref() == Some(&from.kind) {
                self.waiting &= !mine;
            } else if matches!(from.kind, K::Send | K::Call) && e.outcome == O::Ok && wait_of(m, r).is_some() {
                self.waiting |= mine;
            }
            let what = match (&from.kind, e.outcome) {
                (_, O::EgressDenied | O::Denied) | (K::Verify, O::Failed) => Some((mine, 0, 0)),
                (_, O::CutSemanticsLost) => Some((0, mine, 0)),
                (_, O::VerifierUncertain) => Some((0, 0, mine)),
                _ => None,
            };
            if let Some((denied, lost, unsure)) = what {
                self.denied = self.denied & !mine | denied;
                self.lost = self.lost & !mine | lost;
                self.unsure = self.unsure & !mine | unsure;
            }
        }
        match (&from.kind, e.outcome) {
            (K::Decide { .. }, O::Ok) => (self.decided, self.parent_due) = (true, false),
            (K::Review, O::NewPlan) => self.planned = true,
            _ => {}
        }
        self.lead = match (&from.kind, e.outcome) {
            (K::Own(_), _) if matches!(self.lead, Lead::Negative | Lead::SummedUp) => Lead::SummedUp,
            // They say nothing of the failure before them.
            (K::Own(_) | K::Release | K::Resolve | K::Consume, O::Ok | O::Duplicate) => self.lead,
            (K::Validate, O::Negative) => Lead::Negative,
            (K::Verify, O::VerifierUncertain) => Lead::Unsure,
            (K::Send, O::Failed) => Lead::MayHaveActed,
            (K::Send, O::FailedBeforeSubmit | O::Refused | O::FailedAfterSubmit) => Lead::Allows,
            (k, O::Unavailable | O::Declined) if works(k) => Lead::Allows,
            (k, O::Failed) if works(k) => Lead::Allows,
            (K::Egress, O::EgressDenied) | (K::Cut, O::CutSemanticsLost) | (K::Validate, O::Invalid) => Lead::Allows,
            (K::Reconcile, O::KnownNoEffect | O::KnownFailed) => Lead::Allows,
            _ => Lead::Nothing,
        };
    }

    /// Rules of the edge itself, and what it begins.
    pub fn along(&mut self, m: &Model, id: EdgeId, e: &Edge, at: &[Cell], broken: &mut Vec<&'static str>) {
        use EdgeKind as E;
        use NodeKind as K;
        let (from, to) = (&m.nodes[e.from.index()], &m.nodes[e.to.index()]);
        let known_true = |role| role_true(m, from.road, role, at);
        let again = matches!(e.kind, E::Fallback | E::Retry | E::Redirect | E::Redeliver);
        match (e.kind, self.lead) {
            _ if again && self.lead == Lead::SummedUp => broken.push("RL312"),
            (E::Fallback, _) if self.unknown != 0 => broken.push("RL304"),
            (E::Fallback, Lead::Negative) => broken.push("RL306"),
            (E::Fallback, Lead::Unsure) => broken.push("RL308"),
            (E::Fallback, Lead::Nothing) => broken.push("RL304"),
            (E::Fallback, Lead::MayHaveActed) if !known_true("no_effect") => broken.push("RL304"),
            _ => {}
        }
        if e.kind == E::Redeliver {
            let proved = known_true("replay_proved") || known_true("no_effect");
            let same = to.kind == K::Egress && to.road == from.road && e.changes.iter().flatten().count() == 0;
            if !proved || !same || e.takes.is_none() {
                broken.push("RL203");
            }
        }
        if e.kind == E::Resume && !matches!(from.kind, K::AwaitUser | K::AwaitExternal) {
            broken.push("RL207");
        }
        let handled = matches!(to.kind, K::Quarantine | K::Validate | K::Stop(..) | K::Return(_));
        if from.kind == K::Reconcile && e.outcome == Outcome::KnownEffect && e.kind != E::Fallback && !handled {
            broken.push("RL202");
        }
        if matches!(to.kind, K::Stop(Stop::PendingNoRoad, _)) {
            let none = matches!(from.kind, K::Choose(_)) && e.outcome == Outcome::Closed;
            if !none || super::facts::unasked(m, from, at) {
                broken.push("RL706");
            }
        }
        if e.kind == E::Fallback {
            self.parent_due |= self.decided;
            self.crossing = self.current.map(|r| (id, r));
            // Answered: the next fallback needs a failure of its own.
            (self.fell, self.lead, self.anew) = (true, Lead::Nothing, false);
        }
        self.chooses_anew(m, e);
        self.redelivering |= e.kind == E::Redeliver;
        self.out &= e.kind == E::Next;
    }

    /// Where the run may use another road than before, and what of a denial is over.
    fn chooses_anew(&mut self, m: &Model, e: &Edge) {
        use NodeKind as K;
        let from = &m.nodes[e.from.index()];
        let repaired = from.kind == K::Repair && e.outcome == Outcome::Ok;
        let planned = from.kind == K::Review && e.outcome == Outcome::NewPlan;
        let content = changes(e, Change::Content);
        let relayed = from.kind == K::AwaitUser && e.kind == EdgeKind::Resume && e.outcome == Outcome::Ok;
        if e.kind == EdgeKind::Fallback || repaired || planned || content || relayed {
            (self.first, self.used) = (None, 0);
        }
        if planned || content {
            (self.denied, self.lost, self.unsure) = (0, 0, 0);
        }
        self.anew |= repaired;
        if let Some(r) = e.candidate {
            self.first = self.first.or(Some(r));
            self.current = Some(r);
        }
    }

    /// Laws that entering a node breaks.
    pub fn missing(&self, m: &Model, e: &Edge, facts: &[Cell], broken: &mut Vec<&'static str>) {
        use NodeKind as K;
        let to = &m.nodes[e.to.index()];
        let waits = matches!(to.kind, K::Reconcile | K::AwaitUser | K::AwaitExternal | K::Resolve | K::Own(_));
        let resent = self.redelivering && matches!(to.kind, K::Egress | K::Send);
        let told = match &to.kind {
            K::Return(n) => ["indeterminate", "lost", "cancelled", "expired", "uncertain"].contains(&n.as_str()),
            k => open_end(k),
        };
        if self.unknown != 0 && e.kind != EdgeKind::Fallback && !waits && !resent && !told {
            broken.push("RL707");
        }
        if self.out && goes_on(&to.kind) {
            broken.push("RL202");
        }
        for r in (0..m.roads.len()).map(|i| RoadId(super::facts::id(i))).filter(|r| self.waiting & bit(Some(*r)) != 0) {
            let fine = wait_of(m, r).as_ref() == Some(&to.kind) || matches!(to.kind, K::Own(_) | K::Resolve);
            if !fine && !open_end(&to.kind) {
                broken.push("RL705");
            }
        }
        if answers(m, to) && latched(m, Latch::Judged, facts) {
            broken.push("RL306");
        }
        if self.planned && goes_on(&to.kind) && to.kind != K::Classify {
            broken.push("RL311");
        }
        if self.unsure != 0 && goes_on(&to.kind) {
            broken.push("RL308");
        }
        if to.kind == (K::Decide { fresh: true }) && self.parent_due {
            broken.push("RL305");
        }
        let Some(r) = to.road.filter(|_| works(&to.kind)) else { return };
        let (road, others) = (&m.roads[r.index()], !bit(Some(r)));
        if answers(m, to) && e.kind != EdgeKind::Redeliver && latched(m, Latch::Tried(r), facts) {
            broken.push("RL313");
        }
        let carries = to.kind == K::Send && road.remote;
        if carries && self.lost & others != 0 {
            broken.push("RL307");
        }
        if carries && self.denied & others != 0 {
            broken.push("RL304");
        }
        let another = carries && self.first.is_some_and(|f| f != r);
        if matches!(to.kind, K::Send | K::Call) && (another || self.used & others != 0) {
            broken.push("RL301");
        }
        if let Some((edge, left)) = self.crossing.filter(|_| answers(m, to)) {
            self.crossed(m, edge, left, r, broken);
        }
    }

    /// Two roads that a fallback joins: one question, and every difference said.
    fn crossed(&self, m: &Model, edge: EdgeId, left: RoadId, r: RoadId, broken: &mut Vec<&'static str>) {
        let (a, b) = (&m.roads[left.index()], &m.roads[r.index()]);
        let (asked, asks) = (&a.question, &b.question);
        if !self.anew && (&asked.input, &asked.rubric, &asked.contract) != (&asks.input, &asks.rubric, &asks.contract) {
            broken.push("RL309");
        }
        let silent: Vec<Change> =
            differences(m, left, r).into_iter().filter(|c| !changes(&m.edges[edge.index()], *c)).collect();
        match silent[..] {
            [] if a.reviewer.is_some_and(|floor| b.reviewer.is_none_or(|f| f < floor)) => broken.push("RL310"),
            [] => {}
            [Change::Assurance] => broken.push("RL310"),
            [Change::Projection] => broken.push("RL302"),
            _ => broken.push("RL301"),
        }
    }

    /// A node is entered.
    pub fn enter(&mut self, m: &Model, to: &Node) {
        self.planned &= !goes_on(&to.kind);
        if works(&to.kind) {
            (self.out, self.fell) = (true, false);
            self.current = to.road.or(self.current);
            if matches!(to.kind, NodeKind::Send | NodeKind::Call) {
                self.used |= bit(to.road);
            }
            if to.kind == NodeKind::Send {
                self.unknown |= bit(to.road);
                self.known &= !bit(to.road);
            }
            if answers(m, to) {
                self.crossing = None;
            }
        }
        self.redelivering &= to.kind == NodeKind::Egress;
    }

    /// Nothing but which road is current and which fallback was taken from where.
    #[must_use]
    pub fn roads_alone(&self) -> Self {
        Self { current: self.current, crossing: self.crossing, ..Self::default() }
    }

    /// What is known of a road's transmission: 0 nothing was sent, 1 it may have acted, 2 it is known.
    #[must_use]
    pub fn submitted(&self, r: RoadId) -> u8 {
        match bit(Some(r)) {
            b if self.unknown & b != 0 => 1,
            b if self.known & b != 0 => 2,
            _ => 0,
        }
    }
}

/// The words in which two roads' bindings differ; an absent attribute differs from a present one.
#[must_use]
pub fn differences(m: &Model, a: RoadId, b: RoadId) -> Vec<Change> {
    let (a, b) = (&m.roads[a.index()].binding, &m.roads[b.index()].binding);
    Change::ALL.iter().copied().filter(|c| a.get(c) != b.get(c)).collect()
}
