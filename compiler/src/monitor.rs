//! The reference interpreter: MODEL.md's monitor (sections 5 and 6), run over one concrete path with concrete facts.
//!
//! It decides which law a path breaks first and at which gate. Written as the page reads, with no code of the tracks
//! in [`crate::laws`], of the graph's effects or of the engines: a counterexample is shown only if this agrees.

mod ingest;

use crate::laws::catalogue::profiles::runs;
use crate::model::{
    Cell, Change, Choose, ConsumerId, EdgeId, EdgeKind, EdgeRank, FactId, Guard, Index, Latch, Life, Model, Node,
    NodeKind, Order, Outcome, Road, RoadId, RoleItem, Shape, Stop, Submitted, TargetId, Truth,
};
use std::collections::{BTreeMap, BTreeSet};

/// What last ended a gate's evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cause {
    /// A new round, new content, repair, review.
    Round,
    /// Retry, redirect, fallback, or a change of binding.
    Rebind,
    /// A resume.
    Resume,
    /// A redelivery.
    Redeliver,
    /// Entering choose or classify.
    Order,
    /// Entering another gate, or the gate's own second entry, or use.
    Gate,
}

/// A law that is broken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The code.
    pub code: &'static str,
    /// The gate that is missing, or what is wrong, for people.
    pub what: String,
}

/// Names of gates in canonical order, as the page writes them.
pub const GATES: [&str; 15] =
    ["CLS", "MIN", "ELI", "CUT", "VER", "BUD", "DEC", "ATT", "CHK", "EGR", "RET", "QUA", "VAL", "CON", "ADO"];

/// The key that evidence is held for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    All,
    Consumer(ConsumerId),
    Target(TargetId),
    Road(RoadId),
}

/// The monitor of one run.
#[derive(Debug, Clone)]
pub struct Monitor<'m> {
    model: &'m Model,
    child: bool,
    held: BTreeSet<(&'static str, Key)>,
    ended: BTreeMap<(&'static str, Key), Cause>,
    /// Evidence about the return.
    ret: bool,
    qua: bool,
    val: Option<bool>,
    con: Option<bool>,
    ado: bool,
    /// What returned last is remote or lower-trust; nothing did, nothing is.
    untrusted: bool,
    acted: bool,
    unconsumed_negative: bool,
    /// A step of the policy's own took a negative and said something else instead.
    summed_up: bool,
    /// What was found, and what was checked of it.
    ingest: ingest::Ingest,
    /// A review's new plan that is not classified yet.
    planned: bool,
    effect: Option<bool>,
    out: bool,
    submitted: BTreeMap<RoadId, Submitted>,
    redelivering: bool,
    last: Option<(NodeWord, Outcome)>,
    denied: BTreeMap<RoadId, Outcome>,
    first: Option<RoadId>,
    used: BTreeSet<RoadId>,
    decided: bool,
    parent_due: bool,
    waiting: Option<RoadId>,
    reached_by_fallback: bool,
    /// The road last sent, called or awaited, else chosen.
    current: Option<RoadId>,
    /// A fallback that was taken, and from where.
    crossing: Option<(EdgeId, RoadId)>,
    /// A repair made a new question since that fallback.
    asked_anew: bool,
    /// Facts at each earlier step at which a guard was read, for RL208.
    read: Vec<Vec<Cell>>,
    visited: Vec<(crate::model::NodeId, Option<Outcome>)>,
}

/// Which node had the last outcome that a fallback looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NodeWord {
    Send,
    Call,
    Await,
    Egress,
    Cut,
    Verify,
    Validate,
    Reconcile,
}

/// Steps by which work goes on, as opposed to a refusal or a review.
fn goes_on(kind: &NodeKind) -> bool {
    use NodeKind as K;
    matches!(
        kind,
        K::Classify
            | K::Minimize
            | K::Choose(_)
            | K::Cut
            | K::Verify
            | K::Reserve
            | K::Decide { .. }
            | K::Attempt
            | K::Checkpoint
            | K::Egress
            | K::Send
            | K::Call
    )
}

impl<'m> Monitor<'m> {
    /// A monitor at the start of a flow.
    #[must_use]
    pub fn new(model: &'m Model, child: bool) -> Self {
        Self {
            model,
            child,
            held: BTreeSet::new(),
            ended: BTreeMap::new(),
            ret: false,
            qua: false,
            val: None,
            con: None,
            ado: false,
            untrusted: false,
            acted: false,
            unconsumed_negative: false,
            summed_up: false,
            ingest: ingest::Ingest::default(),
            planned: false,
            effect: None,
            out: false,
            submitted: BTreeMap::new(),
            redelivering: false,
            last: None,
            denied: BTreeMap::new(),
            first: None,
            used: BTreeSet::new(),
            decided: false,
            parent_due: false,
            waiting: None,
            reached_by_fallback: false,
            current: None,
            crossing: None,
            asked_anew: false,
            read: Vec::new(),
            visited: Vec::new(),
        }
    }

    /// Gates held on behalf of a road, in canonical order; without a road, of anyone.
    #[must_use]
    pub fn held(&self, road: Option<RoadId>) -> Vec<String> {
        let mut out: Vec<String> = GATES[..10]
            .iter()
            .filter(|g| match road {
                Some(r) => self.held.contains(&(**g, self.key(g, r))),
                None => self.held.iter().any(|(h, _)| h == *g),
            })
            .map(|g| (*g).to_owned())
            .collect();
        let returns = [self.ret, self.qua, self.val == Some(true), self.con == Some(true), self.ado];
        out.extend(GATES[10..].iter().zip(returns).filter(|(_, h)| *h).map(|(g, _)| (*g).to_owned()));
        if self.out {
            out.push("OUT".to_owned());
        }
        out.extend(self.ingest.held());
        for (r, s) in &self.submitted {
            if *s == Submitted::Unknown {
                out.push(format!("submitted({})=unknown", self.model.road(*r).name));
            }
        }
        out
    }

    fn key(&self, gate: &str, r: RoadId) -> Key {
        let road = self.model.road(r);
        match gate {
            "CLS" => Key::All,
            "MIN" | "CUT" | "VER" => road.consumer.map_or(Key::Road(r), Key::Consumer),
            "EGR" => road.target.map_or(Key::Road(r), Key::Target),
            _ => Key::Road(r),
        }
    }

    fn end(&mut self, gates: &[&'static str], key: Option<RoadId>, cause: Cause) {
        let doomed: Vec<(&'static str, Key)> = self
            .held
            .iter()
            .filter(|(g, k)| gates.contains(g) && key.is_none_or(|r| self.speaks_of(g, *k, r)))
            .copied()
            .collect();
        for d in doomed {
            self.held.remove(&d);
            self.ended.insert(d, cause);
        }
    }

    /// The evidence with this key belongs to the road, its consumer or its target.
    fn speaks_of(&self, gate: &str, k: Key, r: RoadId) -> bool {
        k == self.key(gate, r)
    }

    fn hold(&mut self, gate: &'static str, key: Key) {
        self.held.insert((gate, key));
    }

    /// Takes an edge: `at_guard` are the facts its guard reads, `after` those at its end. Returns what is wrong with the
    /// step, most basic first. The monitor goes on as if nothing were.
    pub fn step(&mut self, e: EdgeId, at_guard: &[Cell], after: &[Cell]) -> Vec<Violation> {
        let m = self.model;
        let edge = m.edge(e);
        let (from, to) = (m.node(edge.from), m.node(edge.to));
        let mut wrong = Vec::new();
        if edge.guard != Guard::True || matches!(from.kind, NodeKind::Choose(_)) {
            self.read.push(at_guard.to_vec());
        }
        self.visited.push((edge.from, Some(edge.outcome)));
        self.outcome(e);
        let prior_last = self.last;
        self.edge_rules(e, at_guard, &mut wrong);
        self.edge_clears(e);
        self.entry_rules(e, after, prior_last, &mut wrong);
        self.needs(e, after, &mut wrong);
        wrong.extend(self.ingest.step(m, edge).map(|what| v("RL116", what)));
        self.enter(to, e);
        self.visited.push((edge.to, None));
        let _ = from;
        wrong
    }

    /// Section 5: only the ok edge sets a bit; section 6: what an outcome says.
    fn outcome(&mut self, e: EdgeId) {
        use NodeKind as K;
        use Outcome as O;
        let m = self.model;
        let edge = m.edge(e);
        let from = m.node(edge.from);
        let ok = edge.outcome == O::Ok;
        let gate = match from.kind {
            K::Classify => Some("CLS"),
            K::Minimize => Some("MIN"),
            K::Cut => Some("CUT"),
            K::Verify => Some("VER"),
            K::Reserve => Some("BUD"),
            K::Decide { .. } => Some("DEC"),
            K::Attempt => Some("ATT"),
            K::Checkpoint => Some("CHK"),
            K::Egress => Some("EGR"),
            _ => None,
        };
        if let (true, Some(gate)) = (ok, gate) {
            let key = from.road.map_or(Key::All, |r| self.key(gate, r));
            self.hold(gate, if gate == "CLS" { Key::All } else { key });
        }
        match (&from.kind, edge.outcome) {
            (K::Choose(_), O::Chosen) => {
                self.end(&["ELI"], None, Cause::Order);
                if let Some(r) = edge.candidate {
                    self.hold("ELI", Key::Road(r));
                }
            }
            (K::Choose(_), _) => self.end(&["ELI"], None, Cause::Order),
            (K::Send | K::Call | K::AwaitUser | K::AwaitExternal, O::Ok) | (K::Reconcile, O::KnownEffect) => {
                self.clear_return();
                self.ret = true;
                self.untrusted = from.road.is_none_or(|r| {
                    let road = m.road(r);
                    road.shape != Shape::Local || road.attributes.get("lower_trust").is_some_and(|x| x != "no")
                });
            }
            (K::Quarantine, O::Ok) => self.qua = true,
            (K::Validate, O::Ok) => self.val = Some(true),
            (K::Validate, O::Negative) => {
                self.val = Some(false);
                self.unconsumed_negative = true;
            }
            (K::Validate, _) => (self.ret, self.qua) = (false, false),
            (K::Consume, O::Ok) => (self.con, self.unconsumed_negative) = (Some(true), false),
            (K::Consume, O::Duplicate) => (self.con, self.unconsumed_negative) = (Some(false), false),
            (K::Adopt, O::Ok) => self.ado = true,
            (K::Effect(_), o) => self.effect = Some(o == O::Ok),
            (K::Decide { .. }, O::Ok) => (self.decided, self.parent_due) = (true, false),
            _ => {}
        }
        self.transmission(from, edge.outcome);
        self.wait(from, edge.outcome);
        let negative = self.last == Some((NodeWord::Validate, O::Negative));
        self.summed_up = match (&from.kind, edge.outcome) {
            (K::Own(_), _) => negative || self.summed_up,
            (K::Release | K::Resolve | K::Consume, O::Ok | O::Duplicate) => self.summed_up,
            _ => false,
        };
        self.planned |= from.kind == K::Review && edge.outcome == O::NewPlan;
        self.last = match (&from.kind, edge.outcome) {
            (K::Release | K::Resolve | K::Consume | K::Own(_), O::Ok | O::Duplicate) => self.last,
            (K::Send, o) => Some((NodeWord::Send, o)),
            (K::Call, o) => Some((NodeWord::Call, o)),
            (K::AwaitUser | K::AwaitExternal, o) => Some((NodeWord::Await, o)),
            (K::Egress, o) => Some((NodeWord::Egress, o)),
            (K::Cut, o) => Some((NodeWord::Cut, o)),
            (K::Verify, o) => Some((NodeWord::Verify, o)),
            (K::Validate, o) => Some((NodeWord::Validate, o)),
            (K::Reconcile, o) => Some((NodeWord::Reconcile, o)),
            _ => None,
        };
        let denies = matches!(edge.outcome, O::EgressDenied | O::Denied | O::CutSemanticsLost | O::VerifierUncertain)
            || (from.kind == K::Verify && edge.outcome == O::Failed);
        if let (true, Some(r)) = (denies, from.road) {
            self.denied.insert(r, edge.outcome);
        }
    }

    fn transmission(&mut self, from: &Node, outcome: Outcome) {
        use Outcome as O;
        let Some(r) = from.road else { return };
        let now = match &from.kind {
            NodeKind::Send => match outcome {
                O::Unavailable | O::FailedBeforeSubmit => Submitted::None,
                O::Ok | O::Refused | O::Failed | O::FailedAfterSubmit | O::Declined => Submitted::Known,
                _ => Submitted::Unknown,
            },
            NodeKind::Call if outcome == O::Unavailable => Submitted::None,
            NodeKind::Call | NodeKind::AwaitUser | NodeKind::AwaitExternal => match outcome {
                O::Expired => Submitted::Unknown,
                O::Ok | O::Failed | O::Declined => Submitted::Known,
                _ => return,
            },
            NodeKind::Reconcile => match outcome {
                O::KnownNoEffect => Submitted::None,
                O::KnownEffect | O::KnownFailed => Submitted::Known,
                _ => return,
            },
            _ => return,
        };
        self.submitted.insert(r, now);
    }

    /// RL705: the wait of the carrier's name ends the waiting however it ends, and so does a reconcile that settles.
    fn wait(&mut self, from: &Node, outcome: Outcome) {
        use Outcome as O;
        let Some(r) = from.road else { return };
        let right = waits_by(self.model.road(r));
        if self.waiting == Some(r) {
            let settled = matches!(from.kind, NodeKind::Reconcile) && outcome != O::StillUnknown;
            if settled || Some(&from.kind) == right.as_ref() {
                self.waiting = None;
            }
        }
        if outcome == O::Ok && matches!(from.kind, NodeKind::Send | NodeKind::Call) && right.is_some() {
            self.waiting = Some(r);
        }
    }

    fn unknown_out(&self) -> Option<RoadId> {
        self.submitted.iter().find(|(_, s)| **s == Submitted::Unknown).map(|(r, _)| *r)
    }

    /// Rules of the edge itself, with the facts its guard reads.
    fn edge_rules(&mut self, e: EdgeId, facts: &[Cell], wrong: &mut Vec<Violation>) {
        use Outcome as O;
        let m = self.model;
        let edge = m.edge(e);
        let (from, to) = (m.node(edge.from), m.node(edge.to));
        let again =
            matches!(edge.kind, EdgeKind::Fallback | EdgeKind::Retry | EdgeKind::Redirect | EdgeKind::Redeliver);
        if again && self.summed_up {
            wrong.push(v("RL312", "a negative was summed up as something else"));
        }
        if edge.kind == EdgeKind::Fallback {
            if self.summed_up {
                // Said already.
            } else if let Some(r) = self.unknown_out() {
                wrong.push(v("RL304", format!("the transmission to `{}` may have acted", m.road(r).name)));
            } else {
                match self.last {
                    Some((NodeWord::Validate, O::Negative)) => {
                        wrong.push(v("RL306", "a negative goes to repair, never to another road"));
                    }
                    Some((NodeWord::Send | NodeWord::Call | NodeWord::Await, O::Unavailable | O::Declined))
                    | Some((NodeWord::Send, O::FailedBeforeSubmit | O::Refused | O::FailedAfterSubmit))
                    | Some((NodeWord::Call | NodeWord::Await, O::Failed))
                    | Some((NodeWord::Egress, O::EgressDenied))
                    | Some((NodeWord::Cut, O::CutSemanticsLost))
                    | Some((NodeWord::Validate, O::Invalid))
                    | Some((NodeWord::Reconcile, O::KnownNoEffect | O::KnownFailed)) => {}
                    Some((NodeWord::Send, O::Failed)) => {
                        if !self.role_true(from.road, "no_effect", facts) {
                            wrong.push(v("RL304", "the failed work may have left an effect"));
                        }
                    }
                    Some((NodeWord::Verify, O::VerifierUncertain)) => {
                        wrong.push(v("RL308", "an uncertain verifier leads to a refusal or a review"));
                    }
                    _ => wrong.push(v("RL304", format!("`{}` allows no fallback", edge.outcome.word()))),
                }
            }
            if let Some(r) = self.current {
                self.crossing = Some((e, r));
            } else {
                self.crossing = None;
            }
            self.asked_anew = false;
            self.parent_due |= self.decided;
            // One failure is answered once: what comes next needs a failure of its own.
            self.last = None;
        }
        if edge.kind == EdgeKind::Redeliver {
            let replay =
                self.role_true(from.road, "replay_proved", facts) || self.role_true(from.road, "no_effect", facts);
            if !replay {
                wrong.push(v("RL203", "replay is not proved"));
            } else if edge.takes.is_none() {
                wrong.push(v("RL203", "no use is taken"));
            } else if to.kind != NodeKind::Egress || to.road != from.road {
                wrong.push(v("RL203", "a redelivery goes to an egress of its own road"));
            } else if edge.changes.as_ref().is_some_and(|c| !c.is_empty()) {
                wrong.push(v("RL203", "a redelivery changes nothing"));
            }
        }
        if edge.kind == EdgeKind::Resume && !matches!(from.kind, NodeKind::AwaitUser | NodeKind::AwaitExternal) {
            wrong.push(v("RL207", "a resume leaves an await only"));
        }
        // A fallback says more: no outcome of an effect allows one.
        if from.kind == NodeKind::Reconcile
            && edge.outcome == O::KnownEffect
            && edge.kind != EdgeKind::Fallback
            && !matches!(to.kind, NodeKind::Quarantine | NodeKind::Validate | NodeKind::Return(_) | NodeKind::Stop(..))
        {
            wrong.push(v("RL202", "a known effect leads to quarantine, validate or an end"));
        }
        if let NodeKind::Stop(Stop::PendingNoRoad, _) = to.kind {
            match from.kind {
                NodeKind::Choose(c) if edge.outcome == O::Closed => {
                    let roads = first_roads(m, from).into_iter();
                    let mut missed = roads.filter(|r| !was_asked(m, m.choose(c), *r, facts));
                    if let Some(r) = missed.find(|r| is_eligible(m, *r, facts)) {
                        wrong.push(v("RL706", format!("`{}` is eligible and was not asked", m.road(r).name)));
                    }
                }
                _ => wrong.push(v("RL706", "only `none` of a choose leads here")),
            }
        }
    }

    /// The table of section 5.
    fn edge_clears(&mut self, e: EdgeId) {
        use EdgeKind as E;
        let m = self.model;
        let edge = m.edge(e);
        let from = m.node(edge.from);
        const ALL: [&str; 10] = ["CLS", "MIN", "ELI", "CUT", "VER", "BUD", "DEC", "ATT", "CHK", "EGR"];
        if from.kind == NodeKind::Egress {
            let to = m.node(edge.to);
            let right = to.kind == NodeKind::Send
                && matches!((to.road, from.road), (Some(a), Some(b)) if self.key("EGR", a) == self.key("EGR", b));
            if !right {
                self.end(&["EGR"], None, Cause::Gate);
            }
        }
        match edge.kind {
            E::Next => {}
            E::Loop => self.end(&ALL, None, Cause::Round),
            E::Retry => self.end(&ALL[3..], None, Cause::Rebind),
            E::Redirect | E::Fallback => self.end(&ALL[1..], None, Cause::Rebind),
            E::Redeliver => self.end(&["EGR"], None, Cause::Redeliver),
            E::Resume if from.kind == NodeKind::AwaitUser => self.end(&ALL, None, Cause::Resume),
            E::Resume => self.end(&["ELI", "EGR"], None, Cause::Resume),
        }
        if matches!((&from.kind, edge.outcome), (NodeKind::Repair, Outcome::Ok) | (NodeKind::Review, Outcome::NewPlan))
        {
            self.end(&ALL, None, Cause::Round);
            (self.first, self.denied) =
                (None, if from.kind == NodeKind::Review { BTreeMap::new() } else { self.denied.clone() });
            self.used.clear();
        }
        for c in edge.changes.iter().flatten() {
            match c {
                Change::Content => {
                    self.end(&ALL, None, Cause::Round);
                    self.first = None;
                    self.used.clear();
                    self.denied.clear();
                }
                Change::Workspace | Change::Policy => self.end(&ALL, None, Cause::Round),
                Change::Custody | Change::Actor => self.end(&ALL[2..], None, Cause::Rebind),
                _ => self.end(&ALL[1..], None, Cause::Rebind),
            }
        }
        if edge.kind == E::Fallback
            || (edge.kind == E::Resume && from.kind == NodeKind::AwaitUser && edge.outcome == Outcome::Ok)
        {
            self.first = None;
            self.used.clear();
        }
        self.asked_anew |= from.kind == NodeKind::Repair && edge.outcome == Outcome::Ok;
        if edge.outcome == Outcome::Chosen {
            self.first = self.first.or(edge.candidate);
            self.current = edge.candidate;
        }
        self.reached_by_fallback |= edge.kind == E::Fallback;
        if edge.kind != E::Next {
            self.redelivering |= edge.kind == E::Redeliver;
            if !matches!(edge.kind, E::Redeliver | E::Resume) {
                self.clear_return();
            }
        }
    }

    fn clear_return(&mut self) {
        (self.ret, self.qua, self.val, self.con, self.ado) = (false, false, None, None, false);
    }

    /// Where a step may lead, whatever gates are held.
    fn entry_rules(
        &mut self,
        e: EdgeId,
        facts: &[Cell],
        _last: Option<(NodeWord, Outcome)>,
        wrong: &mut Vec<Violation>,
    ) {
        use NodeKind as K;
        let m = self.model;
        let edge = m.edge(e);
        let to = m.node(edge.to);
        if let (Some(r), false) = (self.unknown_out(), edge.kind == EdgeKind::Fallback) {
            let fine = match &to.kind {
                K::Reconcile | K::AwaitUser | K::AwaitExternal | K::Resolve | K::Own(_) => true,
                K::Egress | K::Send => self.redelivering,
                K::Stop(s, _) => matches!(s, Stop::Indeterminate | Stop::Lost | Stop::Cancelled | Stop::Expired),
                K::Return(n) => matches!(n.as_str(), "indeterminate" | "lost" | "cancelled" | "expired" | "uncertain"),
                _ => false,
            };
            if !fine {
                wrong.push(v("RL707", format!("the transmission to `{}` may have acted", m.road(r).name)));
            }
        }
        if edge.kind != EdgeKind::Next {
            self.out = false;
        } else if self.out
            && matches!(
                to.kind,
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
        {
            wrong.push(v("RL202", format!("`{}` is reached by `->` while something is out", to.name)));
        }
        if let Some(r) = self.waiting {
            let fine = Some(&to.kind) == waits_by(m.road(r)).as_ref()
                || match &to.kind {
                    K::Own(_) | K::Resolve => true,
                    K::Stop(s, _) => matches!(s, Stop::Indeterminate | Stop::Lost | Stop::Cancelled | Stop::Expired),
                    _ => false,
                };
            if !fine {
                wrong.push(v("RL705", format!("`{}` is out and not waited for by its name", m.road(r).name)));
            }
        }
        let judged = m.latch(Latch::Judged).is_some_and(|f| !matches!(facts.get(f.index()), Some(Cell::Known(0))));
        let human = to.road.is_some_and(|r| m.road(r).shape == Shape::Human);
        let starts =
            matches!(to.kind, K::Send | K::Call) || (matches!(to.kind, K::AwaitUser | K::AwaitExternal) && human);
        if judged && (starts || to.kind == K::Adopt) {
            wrong.push(v("RL306", "the question is judged already"));
        }
        if self.planned && goes_on(&to.kind) {
            if to.kind != K::Classify {
                wrong.push(v("RL311", format!("the new plan reaches `{}` before classify", to.name)));
            }
            self.planned = false;
        }
        let tried = to.road.and_then(|r| m.latch(Latch::Tried(r)));
        let tried = tried.is_some_and(|f| !matches!(facts.get(f.index()), Some(Cell::Known(0))));
        if tried && starts && edge.kind != EdgeKind::Redeliver {
            wrong.push(v("RL313", "this road failed before for the same question"));
        }
        if goes_on(&to.kind) && self.denied.values().any(|o| *o == Outcome::VerifierUncertain) {
            wrong.push(v("RL308", "an uncertain verifier leads to a refusal or a review"));
        }
        let Some(r) = to.road else { return };
        if to.kind == K::Send
            && m.road(r).remote
            && let Some((d, o)) = self.denied.iter().find(|(d, _)| **d != r)
        {
            wrong.push(v(
                if *o == Outcome::CutSemanticsLost { "RL307" } else { "RL304" },
                format!("`{}` of `{}` was answered by another remote road", o.word(), m.road(*d).name),
            ));
        }
        if matches!(to.kind, K::Send | K::Call) {
            let first = to.kind == K::Send && m.road(r).remote && self.first.is_some_and(|f| f != r);
            if first || self.used.iter().any(|u| *u != r) {
                wrong.push(v(
                    "RL301",
                    format!("`{}` is used in the place of another road, and no fallback says so", m.road(r).name),
                ));
            }
        }
        if to.kind == (K::Decide { fresh: true }) && self.parent_due {
            wrong.push(v("RL305", "it follows a fallback and names no parent decision"));
        }
        if let (true, false, Some((_, s))) = (starts, self.asked_anew, self.crossing) {
            let (a, b) = (&m.road(s).question, &m.road(r).question);
            let own = |x: &Option<String>| x.as_ref().map_or("the policy's own".to_owned(), |x| format!("\"{x}\""));
            let mut parts = Vec::new();
            if a.input != b.input {
                parts.push(format!("input \"{}\" becomes \"{}\"", a.input, b.input));
            }
            if a.rubric != b.rubric {
                parts.push(format!("rubric {} becomes {}", own(&a.rubric), own(&b.rubric)));
            }
            if a.contract != b.contract {
                parts.push(format!("contract \"{}\" becomes \"{}\"", a.contract, b.contract));
            }
            if !parts.is_empty() {
                let (from, to) = (&m.road(s).name, &m.road(r).name);
                wrong.push(v("RL309", format!("`{from}` to `{to}` asks another question: {}", parts.join(", "))));
            }
        }
        if let (true, Some((edge, s))) = (starts, self.crossing) {
            let said = m.edge(edge).changes.clone().unwrap_or_default();
            let (a, b) = (&m.road(s).binding, &m.road(r).binding);
            let missing: Vec<&str> =
                Change::ALL.iter().filter(|c| a.get(c) != b.get(c) && !said.contains(c)).map(|c| c.word()).collect();
            if !missing.is_empty() {
                let code = match missing.as_slice() {
                    ["projection"] => "RL302",
                    ["assurance"] => "RL310",
                    _ => "RL301",
                };
                wrong.push(v(
                    code,
                    format!(
                        "`{}` to `{}` changes {} without saying so",
                        m.road(s).name,
                        m.road(r).name,
                        missing.join(", ")
                    ),
                ));
            } else if let Some(floor) = m.road(s).reviewer
                && m.road(r).reviewer.is_none_or(|f| f < floor)
            {
                wrong
                    .push(v("RL310", format!("`{}` is not held to the floor of `{}`", m.road(r).name, m.road(s).name)));
            }
        }
    }

    /// The needs table of section 5, in canonical order; the first that is missing.
    fn needs(&mut self, e: EdgeId, facts: &[Cell], wrong: &mut Vec<Violation>) {
        use NodeKind as K;
        let m = self.model;
        let edge = m.edge(e);
        let to = m.node(edge.to);
        match &to.kind {
            K::Validate if !self.ret => wrong.push(v("RL111", "RET is missing: nothing returned")),
            K::Validate | K::Adopt if self.untrusted && !self.qua => wrong.push(v("RL110", "QUA is missing")),
            K::Consume if self.val.is_none() => wrong.push(v("RL111", "VAL is missing: not validated")),
            K::Adopt if self.val != Some(true) => wrong.push(v("RL111", "VAL is missing: not validated")),
            K::Adopt if self.con != Some(true) => wrong.push(v("RL111", "CON is missing: not consumed")),
            K::Effect(_) if !self.ado => wrong.push(v("RL112", "ADO is missing")),
            K::Effect(_) if !self.role_true(to.road, "owner_authorised", facts) => {
                wrong.push(v("RL112", "the owner did not authorise the effect"));
            }
            K::Stop(Stop::Done, _) if !runs(m.profile, "RL117") => {}
            K::Stop(Stop::Done, _) if self.acted && !self.ado => wrong.push(v("RL117", "ADO is missing")),
            K::Stop(Stop::Done, _) if self.effect == Some(false) => {
                wrong.push(v("RL117", "the effect did not end in ok"))
            }
            K::Repair if self.unconsumed_negative => {
                wrong.push(v("RL111", "CON is missing: the negative is not consumed"))
            }
            _ => {}
        }
        let Some(r) = to.road else { return };
        let road = m.road(r);
        let cut_needed = road.need_cut.eval(m, facts) != Truth::False;
        let durable =
            matches!(road.shape, Shape::Peer | Shape::Coding) || road.need_durable.eval(m, facts) != Truth::False;
        let wanted: Vec<&'static str> = match (&to.kind, road.shape) {
            (K::Attempt, _) => vec!["DEC"],
            (K::Send, Shape::CodingLocal) => vec!["CLS", "ELI", "BUD", "DEC", "ATT", "CHK"],
            (K::Send, shape) => {
                let leaves = road.leaves_invocation || matches!(shape, Shape::Peer | Shape::Coding);
                let asked = |g: &&str| match *g {
                    "CUT" | "VER" => cut_needed,
                    "ATT" => durable,
                    "CHK" => leaves,
                    _ => true,
                };
                GATES[..10].iter().filter(|g| asked(g)).copied().collect()
            }
            (K::Call, _) => {
                let effectful = road.attributes.get("effectful").is_some_and(|x| x != "no");
                let mut w = vec!["CLS", "ELI"];
                if self.reached_by_fallback || effectful {
                    w.push("DEC");
                }
                if road.derived.asynchronous {
                    w.extend(["ATT", "CHK"]);
                }
                w
            }
            (K::AwaitUser | K::AwaitExternal, Shape::Human) => vec!["CLS", "MIN", "ELI", "DEC", "CHK"],
            (K::AwaitUser | K::AwaitExternal, _) => vec!["CHK"],
            _ => Vec::new(),
        };
        let asked = |g: &&'static str| runs(m.profile, law_of_gate(g));
        if let Some(gate) = wanted.into_iter().filter(asked).find(|g| !self.held.contains(&(*g, self.key(g, r)))) {
            let code = self.blame(gate, r, e, facts);
            wrong.push(v(code, format!("{gate} is missing for `{}`", road.name)));
        }
    }

    /// Section 9: which code a missing gate has.
    fn blame(&self, gate: &'static str, r: RoadId, e: EdgeId, facts: &[Cell]) -> &'static str {
        let m = self.model;
        let from = m.node(m.edge(e).from);
        if gate == "EGR" && from.kind == NodeKind::Egress {
            return "RL206";
        }
        let other = self.held.iter().any(|(g, _)| *g == gate);
        match gate {
            "MIN" | "CUT" | "VER" if other => return "RL205",
            "EGR" if other => return "RL206",
            _ => {}
        }
        let never = law_of_gate(gate);
        if matches!(gate, "CUT" | "VER" | "ATT") && self.outlived(gate, r, facts) {
            return "RL208";
        }
        match self.ended.get(&(gate, self.key(gate, r))) {
            None if self.child && never != "RL103" => "RL115",
            None | Some(Cause::Gate) => never,
            Some(Cause::Round) => "RL201",
            Some(Cause::Rebind) => "RL202",
            Some(Cause::Resume) => "RL207",
            Some(Cause::Redeliver) => "RL203",
            Some(Cause::Order) => "RL204",
        }
    }

    /// The need was definitely false when a guard last read it, and the payload was refreshed since.
    fn outlived(&self, gate: &str, r: RoadId, facts: &[Cell]) -> bool {
        let m = self.model;
        let road = m.road(r);
        let need = if gate == "ATT" { &road.need_durable } else { &road.need_cut };
        let sealed: Vec<FactId> = need.cells().into_iter().filter(|f| m.fact(*f).life == Life::Sealed).collect();
        !sealed.is_empty()
            && self.read.iter().any(|then| {
                need.eval(m, then) == Truth::False && sealed.iter().any(|f| then.get(f.index()) != facts.get(f.index()))
            })
            && need.eval(m, facts) != Truth::False
            && self.read.last().is_some_and(|then| {
                sealed.iter().any(|f| then.get(f.index()) != facts.get(f.index())) || need.eval(m, then) != Truth::False
            })
    }

    /// Entering a node.
    fn enter(&mut self, to: &Node, e: EdgeId) {
        use NodeKind as K;
        let _ = e;
        let r = to.road;
        match &to.kind {
            K::Classify => {
                self.end(&["CLS"], None, Cause::Gate);
                self.end(&["MIN", "ELI", "CUT", "VER", "BUD", "DEC", "ATT", "CHK", "EGR"], None, Cause::Order);
            }
            K::Choose(_) => self.end(&["BUD", "DEC", "ATT", "CHK", "EGR"], None, Cause::Order),
            K::Minimize => self.enter_consumer_gate(&["MIN", "CUT", "VER"], r),
            K::Cut => self.enter_consumer_gate(&["CUT", "VER"], r),
            K::Verify => self.enter_consumer_gate(&["VER"], r),
            K::Reserve => self.end(&["BUD", "EGR"], r, Cause::Gate),
            K::Decide { .. } => self.end(&["DEC", "ATT", "EGR"], r, Cause::Gate),
            K::Attempt => self.end(&["ATT", "EGR"], r, Cause::Gate),
            K::Checkpoint => self.end(&["CHK", "EGR"], r, Cause::Gate),
            K::Egress => self.end(&["EGR"], r, Cause::Gate),
            K::Quarantine => (self.qua, self.val, self.con, self.ado) = (false, None, None, false),
            K::Validate => (self.val, self.con, self.ado) = (None, None, false),
            K::Consume => (self.con, self.ado) = (None, false),
            K::Adopt => self.ado = false,
            K::Effect(_) => self.effect = Some(false),
            K::Send | K::Call | K::AwaitUser | K::AwaitExternal => {
                self.clear_return();
                self.out = true;
                self.acted = true;
                self.reached_by_fallback = false;
                if let Some(r) = r {
                    self.current = Some(r);
                    if matches!(to.kind, K::Send | K::Call) {
                        self.used.insert(r);
                    }
                    if to.kind == K::Send {
                        self.submitted.insert(r, Submitted::Unknown);
                        self.end(&["EGR"], None, Cause::Gate);
                    }
                    let person = self.model.road(r).shape == Shape::Human;
                    if matches!(to.kind, K::Send | K::Call) || person {
                        self.crossing = None;
                    }
                }
            }
            _ => {}
        }
        if !matches!(to.kind, K::Egress) {
            self.redelivering = false;
        }
    }

    /// minimize, cut and verify speak for a consumer: every road with that consumer starts its later gates again.
    fn enter_consumer_gate(&mut self, own: &[&'static str], r: Option<RoadId>) {
        let Some(r) = r else { return };
        self.end(own, Some(r), Cause::Gate);
        let consumer = self.model.road(r).consumer;
        for i in 0..self.model.roads.len() {
            let q = RoadId(crate::graph::narrow(i));
            if q == r || (consumer.is_some() && self.model.road(q).consumer == consumer) {
                self.end(&["DEC", "ATT", "EGR"], Some(q), Cause::Gate);
            }
        }
    }

    fn role_true(&self, road: Option<RoadId>, role: &str, facts: &[Cell]) -> bool {
        let m = self.model;
        let of = |r: &'m Road| r.roles.get(role);
        let items = road.and_then(|r| of(m.road(r))).or_else(|| m.roads.iter().find_map(of));
        items.is_some_and(|items| {
            items.iter().all(|i| match i {
                // A value that unknown stands for grants nothing.
                RoleItem::Fact(f) => facts.get(f.index()) == Some(&Cell::Known(1)),
                RoleItem::Let(g) => g.eval(m, facts) == Truth::True,
            })
        })
    }
}

/// The law that asks for a gate where it was never passed.
fn law_of_gate(gate: &str) -> &'static str {
    match gate {
        "CLS" => "RL101",
        "MIN" => "RL102",
        "ELI" => "RL103",
        "CUT" => "RL104",
        "VER" => "RL105",
        "BUD" => "RL107",
        "DEC" => "RL108",
        "ATT" => "RL109",
        "CHK" => "RL113",
        _ => "RL106",
    }
}

fn v(code: &'static str, what: impl Into<String>) -> Violation {
    Violation { code, what: what.into() }
}

fn waits_by(r: &Road) -> Option<NodeKind> {
    use crate::model::Carrier;
    match (r.shape, r.carrier) {
        (Shape::Human, _) | (_, Carrier::Manual) => Some(NodeKind::AwaitUser),
        (_, Carrier::Queue) => Some(NodeKind::AwaitExternal),
        (_, Carrier::Direct) => None,
    }
}

/// All filters true, not tried, nothing judged.
#[must_use]
pub fn is_eligible(m: &Model, r: RoadId, facts: &[Cell]) -> bool {
    let closed = [Latch::Tried(r), Latch::Judged]
        .into_iter()
        .filter_map(|l| m.latch(l))
        .any(|f| !matches!(facts.get(f.index()), Some(Cell::Known(0))));
    !closed && m.road(r).filters.iter().all(|f| f.guard.eval(m, facts) == Truth::True)
}

/// The value of a cell, or what unknown stands for.
fn value(m: &Model, f: FactId, facts: &[Cell]) -> Option<i64> {
    match facts.get(f.index()) {
        Some(Cell::Known(v)) => Some(*v),
        _ => m.fact(f).unknown,
    }
}

/// The order in which a choose asks its candidates.
fn order_of<'m>(m: &Model, choose: &'m Choose, facts: &[Cell]) -> Option<&'m Order> {
    let profile = match choose.by.map(|f| value(m, f, facts)) {
        Some(Some(v)) => choose.profiles.iter().find(|(x, _)| *x == v),
        _ => choose.profiles.first(),
    };
    profile.map(|(_, order)| order)
}

/// A choose that chose nothing asked the road, or left it out by a preference (RL408's business).
fn was_asked(m: &Model, choose: &Choose, r: RoadId, facts: &[Cell]) -> bool {
    let names = |order: &Order| match order {
        Order::Static(roads) => roads.contains(&r),
        Order::Keys(_) => choose.candidates.contains(&r),
    };
    let prefers = choose.by.is_some_and(|f| !crate::lower::laws_speak_of(m.fact(f).role.as_deref().unwrap_or("")));
    order_of(m, choose, facts).is_some_and(names) || (prefers && choose.profiles.iter().any(|(_, o)| names(o)))
}

/// What a choose picks.
#[must_use]
pub fn choice(m: &Model, choose: &Choose, facts: &[Cell]) -> Option<RoadId> {
    match order_of(m, choose, facts)? {
        Order::Static(roads) => roads.iter().copied().find(|r| is_eligible(m, *r, facts)),
        Order::Keys(keys) => choose
            .candidates
            .iter()
            .enumerate()
            .filter(|(_, r)| is_eligible(m, **r, facts))
            .min_by_key(|(i, r)| {
                let ks: Vec<(bool, i64)> = keys
                    .iter()
                    .map(|k| k.cells.get(*i).and_then(|f| value(m, *f, facts)).map_or((true, 0), |x| (false, x)))
                    .collect();
                (ks, m.road(**r).name.clone())
            })
            .map(|(_, r)| *r),
    }
}

/// The edge that is taken out of a port, if any is open.
#[must_use]
pub fn taken(m: &Model, port: &[EdgeId], facts: &[Cell]) -> Option<EdgeId> {
    let open = |e: EdgeId| m.edge(e).guard.eval(m, facts) == Truth::True;
    let left = |c: crate::model::CounterId| matches!(facts.get(m.counters[c.index()].fact.index()), Some(Cell::Known(n)) if *n > 0);
    let guarded = port
        .iter()
        .copied()
        .find(|e| m.edge(*e).rank == EdgeRank::Guarded && open(*e) && m.edge(*e).takes.is_none_or(left));
    let spent = || {
        port.iter().copied().find(|e| match m.edge(*e).rank {
            EdgeRank::Spent(c) => !left(c) && port.iter().any(|o| m.edge(*o).takes == Some(c) && open(*o)),
            _ => false,
        })
    };
    guarded.or_else(spent).or_else(|| port.iter().copied().find(|e| m.edge(*e).rank == EdgeRank::Else))
}

fn first_roads(m: &Model, node: &Node) -> BTreeSet<RoadId> {
    let mut seen = BTreeSet::new();
    let mut out = BTreeSet::new();
    let mut work = vec![m.flows[node.flow.index()].start];
    while let Some(n) = work.pop() {
        if !seen.insert(n) {
            continue;
        }
        if let NodeKind::Choose(c) = m.node(n).kind {
            out.extend(m.choose(c).candidates.iter().copied());
        }
        work.extend(m.edges.iter().filter(|e| e.from == n && e.kind == EdgeKind::Next).map(|e| e.to));
    }
    out
}

/// Cells that an edge refreshes before its guard is read, and after it (sections 2 and 11).
#[must_use]
pub fn refreshed(m: &Model, e: EdgeId) -> (BTreeSet<FactId>, BTreeSet<FactId>) {
    use Change as C;
    let edge = m.edge(e);
    let (from, to) = (m.node(edge.from), m.node(edge.to));
    let ends = matches!(
        from.kind,
        NodeKind::Send
            | NodeKind::Call
            | NodeKind::AwaitUser
            | NodeKind::AwaitExternal
            | NodeKind::Review
            | NodeKind::Reconcile
    );
    let words = edge.changes.clone().unwrap_or_default();
    let payload = [C::Content, C::Workspace, C::Projection].iter().any(|c| words.contains(c))
        || edge.kind == EdgeKind::Loop
        || (from.kind == NodeKind::Repair && edge.outcome == Outcome::Ok)
        || (from.kind == NodeKind::Review && edge.outcome == Outcome::NewPlan)
        || (from.kind == NodeKind::AwaitUser && edge.kind == EdgeKind::Resume);
    let target = matches!(edge.kind, EdgeKind::Redirect | EdgeKind::Fallback)
        || words.iter().any(|c| {
            !matches!(
                c,
                C::Content | C::Workspace | C::Policy | C::Projection | C::PriceClass | C::Assurance | C::Actor
            )
        });
    let (mut before, mut after) = (BTreeSet::new(), BTreeSet::new());
    for (i, f) in m.facts.iter().enumerate() {
        let id = FactId(crate::graph::narrow(i));
        match f.life {
            Life::Volatile => {
                if ends {
                    before.insert(id);
                }
                let reread = matches!(to.kind, NodeKind::Egress | NodeKind::Adopt)
                    && matches!(f.role.as_deref(), Some("revoked" | "expired"));
                if edge.kind != EdgeKind::Next || reread {
                    after.insert(id);
                }
            }
            Life::Sealed => {
                let fresh = match f.index {
                    None => payload,
                    Some(Index::Target(_)) => target,
                    Some(Index::Road(_)) => payload || target,
                };
                if fresh {
                    after.insert(id);
                }
            }
            Life::Rank if matches!(to.kind, NodeKind::Choose(_)) => {
                after.insert(id);
            }
            Life::Rank | Life::Pinned | Life::Latch => {}
        }
    }
    (before, after)
}

/// Latches after an edge.
pub fn write_latches(m: &Model, e: EdgeId, left: Option<RoadId>, facts: &mut [Cell]) {
    let edge = m.edge(e);
    let from = m.node(edge.from);
    if let Some(c) = edge.takes
        && let Some(Cell::Known(n)) = facts.get_mut(m.counters[c.index()].fact.index())
    {
        *n = (*n - 1).max(0);
    }
    let mut set = |l: Latch, x: i64| {
        if let Some(f) = m.latch(l) {
            facts[f.index()] = Cell::Known(x);
        }
    };
    match (&from.kind, edge.outcome) {
        (NodeKind::Validate, Outcome::Negative) => set(Latch::Judged, 1),
        (NodeKind::Consume, Outcome::Ok | Outcome::Duplicate) => set(Latch::Consumed, 1),
        (NodeKind::Repair, Outcome::Ok) => {
            set(Latch::Judged, 0);
            set(Latch::Consumed, 0);
            (0..m.roads.len()).for_each(|i| set(Latch::Tried(RoadId(crate::graph::narrow(i))), 0));
        }
        _ => {}
    }
    if edge.kind == EdgeKind::Fallback
        && let Some(r) = left
    {
        set(Latch::Tried(r), 1);
    }
}

impl Monitor<'_> {
    /// The road that a fallback would leave now.
    #[must_use]
    pub fn current(&self) -> Option<RoadId> {
        self.current
    }
}
