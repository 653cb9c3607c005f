//! Gates before a transmission (MODEL.md sections 5 and 9): who holds which, what ends it, what needs it, and which law is
//! broken where one is missing.

use super::facts::{changes, possible, value};
use super::profile::runs;
use roadlaw_compiler::model::{
    Cell, Change, Edge, EdgeKind, FactId, Guard, Life, Model, Node, NodeKind, Outcome, RoadId, Shape,
};
use std::collections::{BTreeMap, BTreeSet};

/// Gates, in canonical order.
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

/// The law of a gate that was never passed.
#[must_use]
pub fn law_of(g: Gate) -> &'static str {
    match g {
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
    }
}

/// The gate that a node is.
#[must_use]
pub fn gate_of(kind: &NodeKind) -> Option<Gate> {
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

/// Something is sent, called or awaited here.
#[must_use]
pub fn works(kind: &NodeKind) -> bool {
    use NodeKind as K;
    matches!(kind, K::Send | K::Call | K::AwaitUser | K::AwaitExternal)
}

/// Whom a road's evidence is held for, as the least road for which it is the same: the road itself, its consumer, its target.
fn key(m: &Model, g: Gate, r: RoadId) -> u32 {
    let road = &m.roads[r.index()];
    let first = |same: &dyn Fn(usize) -> bool| (0..m.roads.len()).find(|i| same(*i)).unwrap_or(r.index());
    let k = match g {
        G::Cls => 0,
        G::Min | G::Cut | G::Ver if road.consumer.is_some() => first(&|i| m.roads[i].consumer == road.consumer),
        G::Egr if road.target.is_some() => first(&|i| m.roads[i].target == road.target),
        _ => r.index(),
    };
    super::facts::id(k)
}

/// What ended a gate's evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Ended {
    Round,
    Rebinding,
    Resume,
    Redelivery,
    Order,
    Gate,
}

/// Evidence of one gate: a bit for each key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
struct Evidence {
    held: u32,
    /// By what it was ended last, where it is not held.
    ended: [u32; 6],
}

/// What is held in a run.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Gates {
    of: [Evidence; 10],
    /// Needs that were false when a guard was read, with the sealed facts that they read then (RL208).
    excused: BTreeSet<(usize, Vec<Cell>)>,
    /// Each such need at the last reading.
    last_read: BTreeMap<usize, (bool, Vec<Cell>)>,
}

/// Needs that read sealed facts, each once, and those facts.
#[must_use]
pub fn sealed_needs(m: &Model) -> Vec<(&Guard, Vec<FactId>)> {
    let mut out: Vec<(&Guard, Vec<FactId>)> = Vec::new();
    for g in m.roads.iter().flat_map(|r| [&r.need_cut, &r.need_durable]) {
        let cells = super::facts::reads(g).into_iter().filter(|f| m.facts[f.index()].life == Life::Sealed);
        let cells: Vec<FactId> = cells.collect();
        if !cells.is_empty() && out.iter().all(|(o, _)| *o != g) {
            out.push((g, cells));
        }
    }
    out
}

impl Gates {
    /// Held on behalf of a road.
    #[must_use]
    pub fn holds(&self, m: &Model, g: Gate, r: RoadId) -> bool {
        self.of[g as usize].held >> key(m, g, r) & 1 == 1
    }

    fn hold(&mut self, m: &Model, g: Gate, r: RoadId) {
        let bit = 1 << key(m, g, r);
        let e = &mut self.of[g as usize];
        e.held |= bit;
        e.ended.iter_mut().for_each(|x| *x &= !bit);
    }

    fn end(&mut self, m: &Model, gates: &[Gate], of: Option<RoadId>, why: Ended) {
        for g in gates {
            let e = &mut self.of[*g as usize];
            let gone = e.held & of.map_or(u32::MAX, |r| 1 << key(m, *g, r));
            e.held &= !gone;
            e.ended.iter_mut().for_each(|x| *x &= !gone);
            e.ended[why as usize] |= gone;
        }
    }

    /// A guard is read.
    pub fn read(&mut self, m: &Model, needs: &[(&Guard, Vec<FactId>)], facts: &[Cell]) {
        for (i, (need, cells)) in needs.iter().enumerate() {
            let now: Vec<Cell> = cells.iter().map(|f| facts[f.index()]).collect();
            let waived = value(m, need, facts) == Some(false);
            if waived {
                self.excused.insert((i, now.clone()));
            }
            self.last_read.insert(i, (waived, now));
        }
    }

    /// A node is left by this edge: only `ok` sets a gate's evidence, and the outcome of a choose.
    pub fn leave(&mut self, m: &Model, e: &Edge) {
        let (from, to) = (&m.nodes[e.from.index()], &m.nodes[e.to.index()]);
        match (gate_of(&from.kind), from.road, e.outcome) {
            (Some(G::Eli), ..) => {
                self.end(m, &[G::Eli], None, Ended::Order);
                if let Some(r) = e.candidate {
                    self.hold(m, G::Eli, r);
                }
            }
            (Some(G::Cls), _, Outcome::Ok) => self.hold(m, G::Cls, RoadId(0)),
            (Some(g), Some(r), Outcome::Ok) => self.hold(m, g, r),
            _ => {}
        }
        if let (NodeKind::Egress, Some(r)) = (&from.kind, from.road) {
            let there = to.kind == NodeKind::Send && to.road.is_some_and(|q| key(m, G::Egr, q) == key(m, G::Egr, r));
            if !there {
                self.end(m, &[G::Egr], None, Ended::Gate);
            }
        }
    }

    /// What the edge itself clears: the second table of section 5.
    pub fn along(&mut self, m: &Model, e: &Edge) {
        let from = &m.nodes[e.from.index()].kind;
        let says = |c| changes(e, c);
        let repaired = *from == NodeKind::Repair && e.outcome == Outcome::Ok;
        let planned = *from == NodeKind::Review && e.outcome == Outcome::NewPlan;
        match e.kind {
            EdgeKind::Next => {}
            EdgeKind::Loop => self.end(m, &ALL, None, Ended::Round),
            EdgeKind::Retry => self.end(m, &ALL[3..], None, Ended::Rebinding),
            EdgeKind::Redirect | EdgeKind::Fallback => self.end(m, &ALL[1..], None, Ended::Rebinding),
            EdgeKind::Redeliver => self.end(m, &[G::Egr], None, Ended::Redelivery),
            EdgeKind::Resume if *from == NodeKind::AwaitUser => self.end(m, &ALL, None, Ended::Resume),
            EdgeKind::Resume => self.end(m, &[G::Eli, G::Egr], None, Ended::Resume),
        }
        if repaired || planned || says(Change::Content) || says(Change::Workspace) || says(Change::Policy) {
            self.end(m, &ALL, None, Ended::Round);
        }
        if says(Change::Custody) || says(Change::Actor) {
            self.end(m, &ALL[2..], None, Ended::Rebinding);
        }
        let mine = [Change::Content, Change::Workspace, Change::Policy, Change::Custody, Change::Actor];
        if e.changes.iter().flatten().any(|c| !mine.contains(c)) {
            self.end(m, &ALL[1..], None, Ended::Rebinding);
        }
    }

    /// A node is entered: a gate ends its own evidence and that of all that must follow it.
    pub fn enter(&mut self, m: &Model, to: &Node) {
        use Ended::{Gate, Order};
        match (&to.kind, to.road) {
            (NodeKind::Classify, _) => {
                self.end(m, &[G::Cls], None, Gate);
                self.end(m, &ALL[1..], None, Order);
            }
            (NodeKind::Choose(_), _) => self.end(m, &[G::Bud, G::Dec, G::Att, G::Chk, G::Egr], None, Order),
            (NodeKind::Send, _) => self.end(m, &[G::Egr], None, Gate),
            (NodeKind::Minimize, Some(r)) => self.of_consumer(m, &[G::Min, G::Cut, G::Ver], r),
            (NodeKind::Cut, Some(r)) => self.of_consumer(m, &[G::Cut, G::Ver], r),
            (NodeKind::Verify, Some(r)) => self.of_consumer(m, &[G::Ver], r),
            (NodeKind::Reserve, r) => self.end(m, &[G::Bud, G::Egr], r, Gate),
            (NodeKind::Decide { .. }, r) => self.end(m, &[G::Dec, G::Att, G::Egr], r, Gate),
            (NodeKind::Attempt, r) => self.end(m, &[G::Att, G::Egr], r, Gate),
            (NodeKind::Checkpoint, r) => self.end(m, &[G::Chk, G::Egr], r, Gate),
            (NodeKind::Egress, r) => self.end(m, &[G::Egr], r, Gate),
            _ => {}
        }
    }

    /// These gates speak for a consumer: each of its roads decides again.
    fn of_consumer(&mut self, m: &Model, own: &[Gate], r: RoadId) {
        self.end(m, own, Some(r), Ended::Gate);
        for q in (0..m.roads.len()).map(|i| RoadId(super::facts::id(i))) {
            if key(m, G::Min, q) == key(m, G::Min, r) {
                self.end(m, &[G::Dec, G::Att, G::Egr], Some(q), Ended::Gate);
            }
        }
    }

    /// The first gate that entering this node needs and that is not held, and the law that is broken by it.
    #[must_use]
    pub fn missing(
        &self,
        m: &Model,
        needs: &[(&Guard, Vec<FactId>)],
        e: &Edge,
        fell: bool,
        facts: &[Cell],
    ) -> Option<(Gate, &'static str)> {
        let to = &m.nodes[e.to.index()];
        let r = to.road?;
        let mut due = due(m, to, r, fell, facts);
        due.retain(|g| runs(m.profile, law_of(*g)));
        let g = due.into_iter().find(|g| !self.holds(m, *g, r))?;
        Some((g, self.code(m, needs, e, g, r, facts)))
    }

    fn code(
        &self,
        m: &Model,
        needs: &[(&Guard, Vec<FactId>)],
        e: &Edge,
        g: Gate,
        r: RoadId,
        facts: &[Cell],
    ) -> &'static str {
        let from = &m.nodes[e.from.index()];
        let elsewhere = self.of[g as usize].held != 0;
        match g {
            G::Min | G::Cut | G::Ver if elsewhere => return "RL205",
            G::Egr if elsewhere || from.kind == NodeKind::Egress => return "RL206",
            G::Cut | G::Ver if self.outlived(needs, &m.roads[r.index()].need_cut, facts) => return "RL208",
            G::Att if self.outlived(needs, &m.roads[r.index()].need_durable, facts) => return "RL208",
            _ => {}
        }
        let ended = self.of[g as usize].ended;
        let by = |why: Ended| ended[why as usize] >> key(m, g, r) & 1 == 1;
        match () {
            () if by(Ended::Round) => "RL201",
            () if by(Ended::Rebinding) => "RL202",
            () if by(Ended::Resume) => "RL207",
            () if by(Ended::Redelivery) => "RL203",
            () if by(Ended::Order) => "RL204",
            // A child begins with nothing: what it never passed may have been passed by its parent.
            () if from.flow.index() > 0 && g != G::Eli && !by(Ended::Gate) => "RL115",
            () => law_of(g),
        }
    }

    /// The need was waived by a guard that read another payload.
    fn outlived(&self, needs: &[(&Guard, Vec<FactId>)], need: &Guard, facts: &[Cell]) -> bool {
        let Some(i) = needs.iter().position(|(g, _)| *g == need) else { return false };
        let now: Vec<Cell> = needs[i].1.iter().map(|f| facts[f.index()]).collect();
        let before = self.excused.iter().any(|(j, then)| *j == i && *then != now);
        before && self.last_read.get(&i).is_none_or(|(waived, then)| *then != now || !waived)
    }
}

/// What entering a node needs: the first table of section 5.
fn due(m: &Model, to: &Node, r: RoadId, fell: bool, facts: &[Cell]) -> Vec<Gate> {
    use NodeKind as K;
    let road = &m.roads[r.index()];
    match (&to.kind, road.shape) {
        (K::Attempt, _) => vec![G::Dec],
        (K::Send, Shape::CodingLocal) => vec![G::Cls, G::Eli, G::Bud, G::Dec, G::Att, G::Chk],
        (K::Send, shape) => {
            let durable = matches!(shape, Shape::Peer | Shape::Coding);
            let cut = possible(m, &road.need_cut, facts);
            let asked = |g: &Gate| match g {
                G::Cut | G::Ver => cut,
                G::Att => durable || possible(m, &road.need_durable, facts),
                G::Chk => durable || road.leaves_invocation,
                _ => true,
            };
            ALL.into_iter().filter(asked).collect()
        }
        (K::Call, _) => {
            let effectful = road.attributes.get("effectful").is_some_and(|v| v != "no");
            let mut out = vec![G::Cls, G::Eli];
            if fell || effectful {
                out.push(G::Dec);
            }
            if road.derived.asynchronous {
                out.extend([G::Att, G::Chk]);
            }
            out
        }
        (K::AwaitUser | K::AwaitExternal, Shape::Human) => vec![G::Cls, G::Min, G::Eli, G::Dec, G::Chk],
        (K::AwaitUser | K::AwaitExternal, _) => vec![G::Chk],
        _ => Vec::new(),
    }
}
