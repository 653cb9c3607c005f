//! The monitor that every path carries (MODEL.md sections 5, 6 and 9): what is held, what clears it, what needs it.

use super::facts::{open, possible};
use roadlaw_compiler::model::{
    Carrier, Cell, Change, Duty, Edge, EdgeKind, Latch, Model, Node, NodeKind, Outcome, Profile, Road, RoadId,
    RoleItem, Shape, Stop,
};
use std::collections::{BTreeMap, BTreeSet};

/// Gates before a transmission, in canonical order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Gate {
    /// classify
    Cls,
    /// minimize
    Min,
    /// choose
    Eli,
    /// cut
    Cut,
    /// verify
    Ver,
    /// reserve
    Bud,
    /// decide
    Dec,
    /// attempt
    Att,
    /// checkpoint
    Chk,
    /// egress
    Egr,
}
use Gate as G;

const ALL: [Gate; 10] = [G::Cls, G::Min, G::Eli, G::Cut, G::Ver, G::Bud, G::Dec, G::Att, G::Chk, G::Egr];

/// What ended a gate's evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Ended {
    Round,
    Rebinding,
    Resume,
    Redelivery,
    Order,
    Gate,
}

/// What is known of a transmission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Sub {
    None,
    Unknown,
    Known,
}

/// A validated return, or a negative one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Val {
    No,
    Negative,
    Yes,
}

/// What the last outcome says about another road (MODEL.md section 6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Lead {
    Nothing,
    Allows,
    MayHaveActed,
    Negative,
    Unsure,
}

fn lead(from: &NodeKind, outcome: Outcome) -> Lead {
    use NodeKind as K;
    use Outcome as O;
    match (from, outcome) {
        (K::Validate, O::Negative) => Lead::Negative,
        (K::Verify, O::VerifierUncertain) => Lead::Unsure,
        (K::Send, O::Failed) => Lead::MayHaveActed,
        (K::Call | K::AwaitUser | K::AwaitExternal, O::Failed) => Lead::Allows,
        (
            _,
            O::Unavailable
            | O::FailedBeforeSubmit
            | O::EgressDenied
            | O::CutSemanticsLost
            | O::FailedAfterSubmit
            | O::Declined
            | O::Invalid
            | O::KnownNoEffect
            | O::KnownFailed,
        )
        | (K::Send, O::Refused) => Lead::Allows,
        _ => Lead::Nothing,
    }
}

/// The state of one run.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Monitor {
    held: BTreeSet<(Gate, u32)>,
    ended: BTreeMap<(Gate, u32), Ended>,
    ret: bool,
    qua: bool,
    val: Val,
    con: Val,
    ado: bool,
    out: bool,
    acted: bool,
    effect: Option<bool>,
    submitted: BTreeMap<u32, Sub>,
    redelivering: bool,
    last: Option<RoadId>,
    used: BTreeSet<RoadId>,
    crossed: Option<(RoadId, Outcome)>,
    lead: Lead,
    unconsumed: bool,
    fell: bool,
    /// The road that a fallback left, until the next road works: both answer one question.
    fell_from: Option<RoadId>,
    /// Found material, and how many of its two checks it passed in order.
    found: Option<u8>,
    /// The road that was last asked for something, where that is a search.
    seeking: Option<RoadId>,
    /// It is about to be asked once more.
    anew: bool,
}

impl Default for Monitor {
    fn default() -> Self {
        Self {
            held: BTreeSet::new(),
            ended: BTreeMap::new(),
            ret: false,
            qua: false,
            val: Val::No,
            con: Val::No,
            ado: false,
            out: false,
            acted: false,
            effect: None,
            submitted: BTreeMap::new(),
            redelivering: false,
            last: None,
            used: BTreeSet::new(),
            crossed: None,
            lead: Lead::Nothing,
            unconsumed: false,
            fell: false,
            fell_from: None,
            found: None,
            seeking: None,
            anew: false,
        }
    }
}

fn number(r: RoadId) -> u32 {
    r.0
}

/// The key under which a road's evidence of a gate is held.
fn key(m: &Model, g: Gate, r: RoadId) -> u32 {
    let road = &m.roads[r.index()];
    match g {
        G::Cls => 0,
        // Roads without a consumer or target hold theirs alone.
        G::Min | G::Cut | G::Ver => road.consumer.map_or(100_000 + number(r), |c| c.0),
        G::Egr => road.target.map_or(100_000 + number(r), |t| t.0),
        G::Eli | G::Bud | G::Dec | G::Att | G::Chk => number(r),
    }
}

fn gate_of(kind: &NodeKind) -> Option<Gate> {
    use NodeKind as K;
    Some(match kind {
        K::Classify => G::Cls,
        K::Minimize => G::Min,
        K::Choose(_) => G::Eli,
        K::Cut => G::Cut,
        K::Verify => G::Ver,
        K::Reserve => G::Bud,
        K::Decide { .. } => G::Dec,
        K::Attempt => G::Att,
        K::Checkpoint => G::Chk,
        K::Egress => G::Egr,
        _ => return None,
    })
}

/// Gates that entering one clears for its key, its own bit among them.
fn cleared_by(g: Gate) -> &'static [Gate] {
    match g {
        G::Cls => &ALL,
        G::Min => &[G::Min, G::Cut, G::Ver, G::Dec, G::Att, G::Egr],
        G::Eli => &[G::Bud, G::Dec, G::Att, G::Chk, G::Egr],
        G::Cut => &[G::Cut, G::Ver, G::Dec, G::Att, G::Egr],
        G::Ver => &[G::Ver, G::Dec, G::Att, G::Egr],
        G::Dec => &[G::Dec, G::Att, G::Egr],
        G::Bud => &[G::Bud, G::Egr],
        G::Att => &[G::Att, G::Egr],
        G::Chk => &[G::Chk, G::Egr],
        G::Egr => &[G::Egr],
    }
}

fn works(kind: &NodeKind) -> bool {
    use NodeKind as K;
    matches!(kind, K::Send | K::Call | K::AwaitUser | K::AwaitExternal)
}

/// A road is asked here: it is sent to or called, or it is a person who is waited for.
fn answers(m: &Model, to: &Node) -> bool {
    let person = to.road.is_some_and(|r| m.roads[r.index()].shape == Shape::Human);
    matches!(to.kind, NodeKind::Send | NodeKind::Call) || (works(&to.kind) && person)
}

fn outcome_submitted(kind: &NodeKind, o: Outcome, now: Sub) -> Sub {
    use Outcome as O;
    match (kind, o) {
        (NodeKind::Send | NodeKind::Call, O::Unavailable) | (NodeKind::Send, O::FailedBeforeSubmit) => Sub::None,
        (NodeKind::Reconcile, O::KnownNoEffect) => Sub::None,
        (NodeKind::Reconcile, O::KnownEffect | O::KnownFailed) => Sub::Known,
        (NodeKind::Send, O::Ok | O::Refused | O::Failed | O::FailedAfterSubmit | O::Declined) => Sub::Known,
        (NodeKind::AwaitUser | NodeKind::AwaitExternal | NodeKind::Call, O::Expired) => Sub::Unknown,
        (NodeKind::Send, _) => Sub::Unknown,
        _ => now,
    }
}

impl Monitor {
    fn end(&mut self, gates: &[Gate], only: Option<&dyn Fn(Gate) -> u32>, why: Ended) {
        let gone: Vec<(Gate, u32)> = self
            .held
            .iter()
            .copied()
            .filter(|(g, k)| gates.contains(g) && only.is_none_or(|key| key(*g) == *k))
            .collect();
        for x in gone {
            self.held.remove(&x);
            self.ended.insert(x, why);
        }
    }

    fn clear_return(&mut self) {
        self.ret = false;
        self.qua = false;
        self.val = Val::No;
        self.con = Val::No;
        self.ado = false;
    }

    /// Takes an edge. `at` are the facts under which its port was read, `then` those at its target, latches written.
    /// Returns the laws broken, most basic first.
    pub fn step(&mut self, m: &Model, e: &Edge, at: &[Cell], then: &[Cell]) -> Vec<&'static str> {
        let (from, to) = (&m.nodes[e.from.index()], &m.nodes[e.to.index()]);
        let mut broken = Vec::new();
        self.leave(m, e, from);
        self.along(m, e, from, to, at, &mut broken);
        self.needs(m, e, to, then, &mut broken);
        self.material(m, e, from, to, &mut broken);
        self.enter(m, from, to, then);
        broken
    }

    fn leave(&mut self, m: &Model, e: &Edge, from: &Node) {
        use NodeKind as K;
        let ok = e.outcome == Outcome::Ok;
        if let (Some(g), Some(r), true) = (gate_of(&from.kind), from.road, ok) {
            self.held.insert((g, key(m, g, r)));
        }
        if from.kind == K::Classify && ok {
            self.held.insert((G::Cls, 0));
        }
        if let (K::Choose(_), Some(r)) = (&from.kind, e.candidate) {
            self.end(&[G::Eli], None, Ended::Order);
            self.held.insert((G::Eli, number(r)));
            self.last = Some(r);
        }
        if works(&from.kind) || from.kind == K::Reconcile {
            if let Some(r) = from.road {
                let now = self.submitted.get(&number(r)).copied().unwrap_or(Sub::None);
                self.submitted.insert(number(r), outcome_submitted(&from.kind, e.outcome, now));
            }
            if (works(&from.kind) && ok) || e.outcome == Outcome::KnownEffect {
                self.clear_return();
                self.ret = true;
            }
        }
        match (&from.kind, e.outcome) {
            (K::Quarantine, Outcome::Ok) => self.qua = true,
            (K::Validate, Outcome::Ok) => self.val = Val::Yes,
            (K::Validate, Outcome::Negative) => {
                self.val = Val::Negative;
                self.unconsumed = true;
            }
            (K::Validate, Outcome::Invalid | Outcome::ValidationFailed) => {
                self.ret = false;
                self.qua = false;
            }
            (K::Consume, Outcome::Ok | Outcome::Duplicate) => {
                let full = e.outcome == Outcome::Ok && self.val == Val::Yes;
                self.con = if full { Val::Yes } else { Val::Negative };
                if self.val == Val::Negative {
                    self.unconsumed = false;
                }
            }
            (K::Adopt, Outcome::Ok) => self.ado = true,
            (K::Effect(_), o) => self.effect = Some(o == Outcome::Ok),
            (K::Egress, Outcome::EgressDenied)
            | (K::Cut, Outcome::CutSemanticsLost)
            | (K::Verify, Outcome::Failed | Outcome::VerifierUncertain)
            | (K::Reserve | K::Decide { .. } | K::Attempt, Outcome::Denied) => {
                if let Some(r) = from.road.filter(|r| m.roads[r.index()].remote) {
                    self.crossed = Some((r, e.outcome));
                }
            }
            _ => {}
        }
        let silent = matches!(from.kind, K::Own(_))
            || (matches!(from.kind, K::Release | K::Resolve) && e.outcome == Outcome::Ok);
        if !silent {
            self.lead = lead(&from.kind, e.outcome);
        }
    }

    fn along(&mut self, m: &Model, e: &Edge, from: &Node, to: &Node, at: &[Cell], broken: &mut Vec<&'static str>) {
        use NodeKind as K;
        let says = |c: Change| e.changes.iter().flatten().any(|x| *x == c);
        let repaired = from.kind == K::Repair && e.outcome == Outcome::Ok;
        let planned = from.kind == K::Review && e.outcome == Outcome::NewPlan;
        if e.kind == EdgeKind::Next && self.out && (gate_of(&to.kind).is_some() || matches!(to.kind, K::Send | K::Call))
        {
            broken.push("RL202");
        }
        if e.kind == EdgeKind::Resume && !matches!(from.kind, K::AwaitUser | K::AwaitExternal) {
            broken.push("RL207");
        }
        if e.kind == EdgeKind::Redeliver {
            let role = |name: &str| self.last.is_some_and(|r| role_true(m, &m.roads[r.index()], name, at));
            let proved = role("replay_proved") || role("no_effect");
            if to.kind != K::Egress || e.takes.is_none() || !proved || e.changes.as_ref().is_some_and(|c| !c.is_empty())
            {
                broken.push("RL203");
            }
        }
        if e.kind == EdgeKind::Fallback {
            let unsettled = self.last.and_then(|r| self.submitted.get(&number(r))) == Some(&Sub::Unknown);
            match self.lead {
                Lead::Negative => broken.push("RL306"),
                _ if unsettled => broken.push("RL304"),
                Lead::Unsure => broken.push("RL308"),
                Lead::Allows => {}
                Lead::MayHaveActed if from.road.is_some_and(|r| role_true(m, &m.roads[r.index()], "no_effect", at)) => {
                }
                Lead::MayHaveActed | Lead::Nothing => broken.push("RL304"),
            }
            // Answered: the next fallback needs a failure of its own.
            self.lead = Lead::Nothing;
        }
        if e.kind != EdgeKind::Next {
            self.out = false;
            if !matches!(e.kind, EdgeKind::Redeliver | EdgeKind::Resume) {
                self.clear_return();
            }
        }
        // What the edge clears.
        use Change as C;
        let waited = from.kind == K::AwaitUser && e.kind == EdgeKind::Resume;
        let anew = says(C::Content) || says(C::Workspace) || says(C::Policy) || e.kind == EdgeKind::Loop;
        if anew || repaired || planned || waited {
            self.end(&ALL, None, if waited { Ended::Resume } else { Ended::Round });
        }
        let other = C::ALL
            .iter()
            .any(|c| says(*c) && !matches!(c, C::Content | C::Workspace | C::Policy | C::Custody | C::Actor));
        if other || matches!(e.kind, EdgeKind::Redirect | EdgeKind::Fallback) {
            self.end(&ALL[1..], None, Ended::Rebinding);
        }
        if says(C::Custody) || says(C::Actor) {
            self.end(&ALL[2..], None, Ended::Rebinding);
        }
        match e.kind {
            EdgeKind::Retry => self.end(&ALL[3..], None, Ended::Rebinding),
            EdgeKind::Redeliver => self.end(&[G::Egr], None, Ended::Redelivery),
            EdgeKind::Resume => self.end(&[G::Eli, G::Egr], None, Ended::Resume),
            _ => {}
        }
        if from.kind == K::Egress {
            let same = to.kind == K::Send && to.road == from.road;
            if !same {
                self.end(&[G::Egr], None, Ended::Gate);
            }
        }
        let chain = e.kind == EdgeKind::Fallback
            || repaired
            || planned
            || says(C::Content)
            || (waited && e.outcome == Outcome::Ok);
        if chain {
            self.used.clear();
        }
        if planned || says(C::Content) || repaired {
            self.crossed = None;
        }
        if repaired {
            self.fell_from = None;
            self.unconsumed = false;
        }
        if e.kind == EdgeKind::Fallback {
            self.fell = true;
            self.fell_from = self.last;
        }
        if e.kind == EdgeKind::Redeliver {
            self.redelivering = true;
        }
    }

    fn needs(&self, m: &Model, e: &Edge, to: &Node, then: &[Cell], broken: &mut Vec<&'static str>) {
        use NodeKind as K;
        let judged = (0..m.facts.len()).any(|i| m.facts[i].latch == Some(Latch::Judged) && then[i] == Cell::Known(1));
        let unsure = self.submitted.values().any(|s| *s == Sub::Unknown);
        let may = matches!(
            to.kind,
            K::Reconcile
                | K::AwaitUser
                | K::AwaitExternal
                | K::Resolve
                | K::Own(_)
                | K::Release
                | K::Return(_)
                | K::Stop(Stop::Indeterminate | Stop::Lost | Stop::Cancelled | Stop::Expired, _)
        );
        if unsure && !may && !self.redelivering && e.kind != EdgeKind::Redeliver {
            broken.push("RL707");
        }
        let remote = |r: Option<RoadId>| r.is_some_and(|r| m.roads[r.index()].remote);
        match &to.kind {
            K::Send | K::Call | K::AwaitUser | K::AwaitExternal if judged => broken.push("RL306"),
            K::Validate if !self.ret => broken.push("RL110"),
            K::Validate | K::Adopt if remote(self.last) && !self.qua => broken.push("RL110"),
            K::Consume if self.val == Val::No => broken.push("RL111"),
            K::Adopt if self.val != Val::Yes || self.con != Val::Yes || judged => broken.push("RL111"),
            K::Effect(_) if !self.ado => broken.push("RL112"),
            K::Repair if self.unconsumed => broken.push("RL111"),
            // Who asked a gateway adopts the answer, out of its sight.
            K::Stop(Stop::Done, _) if m.profile == Profile::Gateway => {}
            K::Stop(Stop::Done, _) if (self.acted && !self.ado) || self.effect == Some(false) => broken.push("RL117"),
            _ => {}
        }
        let Some(r) = to.road else { return };
        let road = &m.roads[r.index()];
        if matches!(to.kind, K::Send | K::Call) && self.used.iter().any(|q| *q != r) {
            broken.push("RL301");
        }
        if let Some(left) = self.fell_from.filter(|_| answers(m, to)) {
            let (asked, asks) = (&m.roads[left.index()].question, &road.question);
            if (&asked.input, &asked.rubric, &asked.contract) != (&asks.input, &asks.rubric, &asks.contract) {
                broken.push("RL309");
            }
        }
        if to.kind == K::Send && road.remote {
            match self.crossed {
                Some((q, o)) if q != r => broken.push(match o {
                    Outcome::CutSemanticsLost => "RL307",
                    Outcome::VerifierUncertain => "RL308",
                    _ => "RL304",
                }),
                _ => {}
            }
        }
        let mut asked: Vec<Gate> = Vec::new();
        match (&to.kind, road.shape) {
            (K::Attempt, _) => asked.push(G::Dec),
            (K::Send, Shape::CodingLocal) => asked.extend([G::Cls, G::Eli, G::Bud, G::Dec, G::Att, G::Chk]),
            (K::Send, shape) => {
                let durable = matches!(shape, Shape::Peer | Shape::Coding);
                let cut = possible(m, &road.need_cut, then);
                for g in ALL {
                    let due = match g {
                        G::Cut | G::Ver => cut,
                        G::Att => durable || possible(m, &road.need_durable, then),
                        G::Chk => durable || leaves(road),
                        _ => true,
                    };
                    if due {
                        asked.push(g);
                    }
                }
            }
            (K::Call, _) => {
                asked.extend([G::Cls, G::Eli]);
                if self.fell {
                    asked.push(G::Dec);
                }
                if road.derived.asynchronous {
                    asked.extend([G::Att, G::Chk]);
                }
            }
            (K::AwaitUser | K::AwaitExternal, Shape::Human) => asked.extend([G::Cls, G::Min, G::Eli, G::Dec, G::Chk]),
            _ => {}
        }
        if m.profile == Profile::Gateway {
            // A gateway file knows neither a payload per receiver, nor a second judge, nor records that outlive a request.
            asked.retain(|g| !matches!(g, G::Min | G::Ver | G::Dec | G::Att));
        }
        if let Some(g) = asked.into_iter().find(|g| !self.held.contains(&(*g, key(m, *g, r)))) {
            broken.push(self.missing(m, g, r));
        }
    }

    /// LAWS.md, RL116: search, provenance, rights, storage. The two checks count in their order, and anew in each round.
    fn material(&mut self, m: &Model, e: &Edge, from: &Node, to: &Node, broken: &mut Vec<&'static str>) {
        let finds = |n: &Node| {
            let child = n.road.and_then(|r| m.roads[r.index()].child).filter(|_| n.kind == NodeKind::Send);
            n.duty == Some(Duty::Search)
                || m.nodes.iter().any(|c| Some(c.flow) == child && c.duty == Some(Duty::Search))
        };
        if from.kind == NodeKind::Start && from.flow.index() > 0 {
            // A child may be handed what its parent found.
            let parent = m.nodes.iter().any(|n| n.flow.index() == 0 && n.duty == Some(Duty::Search));
            self.found = parent.then_some(0);
        }
        let back = if from.kind == NodeKind::Reconcile { Outcome::KnownEffect } else { Outcome::Ok };
        let returns = works(&from.kind) || from.kind == NodeKind::Reconcile;
        let later = returns && from.road.is_some() && from.road == self.seeking && e.outcome == back;
        if later || (finds(from) && e.outcome == Outcome::Ok) {
            self.found = Some(0);
        }
        self.found = self.found.map(|n| match (from.duty, e.outcome, n) {
            (Some(Duty::Provenance), Outcome::Ok, _) => 1,
            (Some(Duty::Rights), Outcome::Ok, 1) => 2,
            _ => n,
        });
        let content =
            e.changes.iter().flatten().any(|c| matches!(c, Change::Content | Change::Workspace | Change::Policy));
        if content {
            self.found = self.found.map(|_| 0);
        }
        if to.duty == Some(Duty::Storage) && self.found.is_some_and(|n| n < 2) {
            broken.push("RL116");
        }
        if finds(to) || to.duty == Some(Duty::Provenance) {
            self.found = self.found.map(|_| 0);
        }
        if to.duty == Some(Duty::Rights) {
            self.found = self.found.map(|n| n.min(1));
        }
        // The same question, once more: what another road finds is found as well.
        use EdgeKind as E;
        if matches!(e.kind, E::Retry | E::Redirect | E::Fallback | E::Redeliver) && self.seeking.is_some() {
            self.anew = true;
        }
        if e.kind == E::Loop {
            self.anew = false;
        }
        let asks = answers(m, to);
        let placed = matches!(to.kind, NodeKind::Choose(_)) && !self.anew;
        if finds(to) {
            self.seeking = to.road.filter(|_| works(&to.kind));
        } else if asks {
            self.seeking = to.road.filter(|_| self.anew);
        } else if placed {
            self.seeking = None;
        }
        self.anew &= !(asks || finds(to));
    }

    fn missing(&self, m: &Model, g: Gate, r: RoadId) -> &'static str {
        let elsewhere = self.held.iter().any(|(h, _)| *h == g);
        match (g, elsewhere) {
            (G::Min | G::Cut | G::Ver, true) => return "RL205",
            (G::Egr, true) => return "RL206",
            _ => {}
        }
        match self.ended.get(&(g, key(m, g, r))) {
            Some(Ended::Round) => "RL201",
            Some(Ended::Rebinding) => "RL202",
            Some(Ended::Resume) => "RL207",
            Some(Ended::Redelivery) => "RL203",
            Some(Ended::Order) => "RL204",
            Some(Ended::Gate) | None => match g {
                G::Cls => "RL101",
                G::Min => "RL102",
                G::Eli => "RL103",
                G::Cut => "RL104",
                G::Ver => "RL105",
                G::Bud => "RL107",
                G::Dec => "RL108",
                G::Att => "RL109",
                G::Chk => "RL113",
                G::Egr => "RL106",
            },
        }
    }

    fn enter(&mut self, m: &Model, from: &Node, to: &Node, then: &[Cell]) {
        use NodeKind as K;
        let _ = (from, then);
        if let Some(g) = gate_of(&to.kind) {
            match (g, to.road) {
                (G::Cls | G::Eli, _) => self.end(cleared_by(g), None, Ended::Order),
                (G::Min | G::Cut | G::Ver, Some(r)) => {
                    // It speaks for a consumer: every road of that consumer decides again.
                    for q in (0..m.roads.len()).map(|i| RoadId(super::facts::id(i))) {
                        if key(m, g, q) == key(m, g, r) {
                            self.end(cleared_by(g), Some(&|h| key(m, h, q)), Ended::Gate);
                        }
                    }
                }
                (_, Some(r)) => self.end(cleared_by(g), Some(&|h| key(m, h, r)), Ended::Gate),
                _ => {}
            }
        }
        if answers(m, to) {
            self.fell_from = None;
        }
        match &to.kind {
            K::Quarantine => {
                self.qua = false;
                self.val = Val::No;
                self.con = Val::No;
                self.ado = false;
            }
            K::Validate => {
                self.val = Val::No;
                self.con = Val::No;
                self.ado = false;
            }
            K::Consume => {
                self.con = Val::No;
                self.ado = false;
            }
            K::Adopt => self.ado = false,
            K::Effect(_) => self.effect = Some(false),
            k if works(k) => {
                self.clear_return();
                self.out = true;
                self.acted = true;
                self.fell = false;
                self.last = to.road.or(self.last);
                if let Some(r) = to.road {
                    if !matches!(k, K::AwaitUser | K::AwaitExternal) {
                        self.used.insert(r);
                    }
                    if *k == K::Send {
                        self.submitted.insert(number(r), Sub::Unknown);
                        self.end(&[G::Egr], Some(&|h| key(m, h, r)), Ended::Gate);
                    }
                }
            }
            _ => {}
        }
        if to.kind != K::Egress {
            self.redelivering = false;
        }
    }

    /// The road last sent, called or awaited, else chosen: the one that a fallback leaves.
    #[must_use]
    pub fn current(&self) -> Option<RoadId> {
        self.last
    }
}

fn leaves(road: &Road) -> bool {
    road.leaves_invocation || road.carrier != Carrier::Direct
}

fn role_true(m: &Model, road: &Road, role: &str, facts: &[Cell]) -> bool {
    road.roles.get(role).is_some_and(|items| {
        items.iter().all(|i| match i {
            RoleItem::Fact(f) => facts.get(f.index()) == Some(&Cell::Known(1)),
            RoleItem::Let(g) => open(m, g, facts),
        })
    })
}
