//! Gates after a return: quarantine, validate, consume, adopt, effect, done (MODEL.md section 5).

use super::track::{Bad, Move, Subject, Track, When};
use crate::graph::{Cond, Graph, carries};
use crate::laws::gate::cleared_by_edge;
use crate::model::{EdgeId, EdgeKind, FlowId, Guard, Model, NodeId, NodeKind, Outcome, RoadId, RoleItem, Shape, Stop};

/// Evidence about the last return.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct State {
    ret: bool,
    qua: bool,
    /// 0 none, 1 a negative, 2 ok.
    val: u16,
    /// 0 none, 1 a duplicate, 2 ok.
    con: u16,
    ado: bool,
    /// The return is remote or lower-trust.
    low: bool,
    /// Something was sent, called or awaited.
    acted: bool,
    /// A negative that was not consumed yet.
    negative: bool,
    /// 0 no effect was entered, 1 its last outcome was ok, 2 it was not.
    effect: u16,
}

impl State {
    fn pack(self) -> u16 {
        let b = u16::from;
        b(self.ret)
            | b(self.qua) << 1
            | self.val << 2
            | self.con << 4
            | b(self.ado) << 6
            | b(self.low) << 7
            | b(self.acted) << 8
            | b(self.negative) << 9
            | self.effect << 10
    }

    fn unpack(s: u16) -> Self {
        let b = |i: u16| s >> i & 1 == 1;
        Self {
            ret: b(0),
            qua: b(1),
            val: s >> 2 & 3,
            con: s >> 4 & 3,
            ado: b(6),
            low: b(7),
            acted: b(8),
            negative: b(9),
            effect: s >> 10 & 3,
        }
    }

    fn clear_return(&mut self) {
        (self.ret, self.qua, self.val, self.con, self.ado) = (false, false, 0, 0, false);
    }
}

/// What this road returns is remote or lower-trust: everything but a local station's answer.
pub(crate) fn lower_trust(m: &Model, r: Option<RoadId>) -> bool {
    r.is_none_or(|r| {
        let road = m.road(r);
        road.shape != Shape::Local || road.attributes.get("lower_trust").is_some_and(|v| v != "no")
    })
}

/// The guard that says that the owner authorised an effect; `False` where no fact does.
pub(crate) fn authorised(m: &Model, road: Option<RoadId>) -> Guard {
    let of = |r: &crate::model::Road| r.roles.get("owner_authorised").cloned();
    let items = road.and_then(|r| of(m.road(r))).or_else(|| m.roads.iter().find_map(of));
    items.map_or(Guard::False, |items| Guard::and(items.iter().map(granted)))
}

/// A role's item read as a bool that must be true.
pub(crate) fn holds(item: &RoleItem) -> Guard {
    match item {
        RoleItem::Fact(f) => Guard::In(*f, vec![1]),
        RoleItem::Let(g) => g.clone(),
    }
}

/// A role's item that grants or proves something: true, and known to be. A value that unknown stands for grants nothing.
pub(crate) fn granted(item: &RoleItem) -> Guard {
    match item {
        RoleItem::Fact(f) => Guard::and([holds(item), Guard::Unknown(*f).negated()]),
        RoleItem::Let(_) => holds(item),
    }
}

/// Follows the evidence about the last return.
pub(crate) struct ReturnTrack {
    pub(crate) flow: FlowId,
}

impl Track for ReturnTrack {
    fn flow(&self) -> FlowId {
        self.flow
    }

    fn name(&self, _: &Model) -> String {
        "evidence about the return".to_owned()
    }

    fn step(&self, g: &Graph<'_>, state: u16, e: EdgeId) -> Move {
        let m = g.model;
        let edge = m.edge(e);
        let (from, to) = (m.node(edge.from), m.node(edge.to));
        let mut s = State::unpack(state);
        leave(m, e, &mut s);
        let _ = from;
        let mut bad = Vec::new();
        if let Some((law, cond)) = missing(m, &s, edge.to) {
            bad.push(Bad { law, subject: Subject::Node(edge.to), when: When::Entry, cond });
        }
        match to.kind {
            ref k if carries(k) => {
                s.clear_return();
                s.acted = true;
            }
            NodeKind::Quarantine => (s.qua, s.val, s.con, s.ado) = (false, 0, 0, false),
            NodeKind::Validate => (s.val, s.con, s.ado) = (0, 0, false),
            NodeKind::Consume => (s.con, s.ado) = (0, false),
            NodeKind::Adopt => s.ado = false,
            NodeKind::Effect(_) => s.effect = 2,
            _ => {}
        }
        Move { next: s.pack(), bad }
    }
}

fn leave(m: &Model, e: EdgeId, s: &mut State) {
    let edge = m.edge(e);
    let from = m.node(edge.from);
    match (&from.kind, edge.outcome) {
        (NodeKind::Send | NodeKind::Call | NodeKind::AwaitUser | NodeKind::AwaitExternal, Outcome::Ok)
        | (NodeKind::Reconcile, Outcome::KnownEffect) => {
            s.clear_return();
            s.ret = true;
            s.low = lower_trust(m, from.road);
        }
        (NodeKind::Quarantine, Outcome::Ok) => s.qua = true,
        (NodeKind::Validate, Outcome::Ok) => s.val = 2,
        (NodeKind::Validate, Outcome::Negative) => {
            s.val = 1;
            s.negative = true;
        }
        (NodeKind::Validate, Outcome::Invalid | Outcome::ValidationFailed) => (s.ret, s.qua) = (false, false),
        (NodeKind::Consume, Outcome::Ok) => {
            s.con = 2;
            s.negative = false;
        }
        (NodeKind::Consume, Outcome::Duplicate) => {
            s.con = 1;
            s.negative = false;
        }
        (NodeKind::Adopt, Outcome::Ok) => s.ado = true,
        (NodeKind::Effect(_), Outcome::Ok) => s.effect = 1,
        _ => {}
    }
    if !matches!(edge.kind, EdgeKind::Next | EdgeKind::Redeliver | EdgeKind::Resume) {
        s.clear_return();
    }
}

/// The first thing that is missing when a node is entered, and under which condition on facts.
fn missing(m: &Model, s: &State, to: NodeId) -> Option<(&'static str, Cond)> {
    let node = m.node(to);
    let qua = s.qua || !s.low;
    match &node.kind {
        NodeKind::Validate if !s.ret => Some(("RL111", Cond::True)),
        NodeKind::Validate if !qua => Some(("RL110", Cond::True)),
        NodeKind::Consume if s.val == 0 => Some(("RL111", Cond::True)),
        NodeKind::Adopt if !qua => Some(("RL110", Cond::True)),
        NodeKind::Adopt if s.val != 2 || s.con != 2 => Some(("RL111", Cond::True)),
        NodeKind::Effect(_) if !s.ado => Some(("RL112", Cond::True)),
        NodeKind::Effect(_) => {
            Some(("RL112", Cond::fails(&authorised(m, node.road)))).filter(|(_, c)| *c != Cond::False)
        }
        NodeKind::Stop(Stop::Done, _) if s.acted && !s.ado => Some(("RL117", Cond::True)),
        NodeKind::Stop(Stop::Done, _) if s.effect == 2 => Some(("RL117", Cond::True)),
        NodeKind::Repair if s.negative => Some(("RL111", Cond::True)),
        _ => None,
    }
}

/// Whether an author's `always validate before ..` still has its evidence after the edge: it is lost with the next
/// transmission, and on every edge that starts anew.
pub(crate) fn starts_anew(m: &Model, e: EdgeId) -> bool {
    let edge = m.edge(e);
    carries(&m.node(edge.to).kind)
        || !matches!(edge.kind, EdgeKind::Next | EdgeKind::Redeliver | EdgeKind::Resume)
        || cleared_by_edge(m, e, crate::laws::gate::Gate::Cls)
}
