//! Gates after a return: quarantine, validate, consume, adopt, effect, done (MODEL.md section 5).

use super::facts::{latched, role_true};
use super::gates::works;
use roadlaw_compiler::model::{Cell, Edge, EdgeKind, Latch, Model, NodeKind, Outcome, RoadId, Shape, Stop};

/// A validated return, or a negative one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
enum Val {
    #[default]
    No,
    Negative,
    Yes,
}

/// What is known of the last return.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Returns {
    ret: bool,
    qua: bool,
    val: Val,
    con: bool,
    ado: bool,
    /// It is not a local station's own.
    foreign: bool,
    acted: bool,
    /// A negative that was not consumed.
    unconsumed: bool,
    /// An effect was entered: whether its last outcome was ok.
    effect: Option<bool>,
}

fn foreign(m: &Model, r: Option<RoadId>) -> bool {
    r.is_none_or(|r| {
        let road = &m.roads[r.index()];
        road.shape != Shape::Local || road.attributes.get("lower_trust").is_some_and(|v| v != "no")
    })
}

impl Returns {
    fn clear(&mut self) {
        (self.ret, self.qua, self.val, self.con, self.ado) = (false, false, Val::No, false, false);
    }

    /// A node is left.
    pub fn leave(&mut self, m: &Model, e: &Edge) {
        use NodeKind as K;
        use Outcome as O;
        let from = &m.nodes[e.from.index()];
        match (&from.kind, e.outcome) {
            (K::Reconcile, O::KnownEffect) | (K::Send | K::Call | K::AwaitUser | K::AwaitExternal, O::Ok) => {
                self.clear();
                self.ret = true;
                self.foreign = foreign(m, from.road);
            }
            (K::Quarantine, O::Ok) => self.qua = true,
            (K::Validate, O::Ok) => self.val = Val::Yes,
            (K::Validate, O::Negative) => (self.val, self.unconsumed) = (Val::Negative, true),
            (K::Validate, _) => (self.ret, self.qua) = (false, false),
            (K::Consume, O::Ok | O::Duplicate) => (self.con, self.unconsumed) = (e.outcome == O::Ok, false),
            (K::Adopt, O::Ok) => self.ado = true,
            (K::Effect(_), o) => self.effect = Some(o == O::Ok),
            _ => {}
        }
        if !matches!(e.kind, EdgeKind::Next | EdgeKind::Redeliver | EdgeKind::Resume) {
            self.clear();
        }
    }

    /// The law that entering the node breaks.
    #[must_use]
    pub fn missing(&self, m: &Model, e: &Edge, facts: &[Cell]) -> Option<&'static str> {
        use NodeKind as K;
        let to = &m.nodes[e.to.index()];
        let raw = self.foreign && !self.qua;
        let judged = latched(m, Latch::Judged, facts);
        match &to.kind {
            K::Validate if !self.ret => Some("RL111"),
            K::Validate | K::Adopt if raw => Some("RL110"),
            K::Consume if self.val == Val::No => Some("RL111"),
            K::Adopt if self.val != Val::Yes || !self.con => Some("RL111"),
            K::Adopt if judged => Some("RL306"),
            K::Effect(_) if !self.ado || !role_true(m, to.road, "owner_authorised", facts) => Some("RL112"),
            K::Repair if self.unconsumed => Some("RL111"),
            K::Stop(Stop::Done, _) if (self.acted && !self.ado) || self.effect == Some(false) => Some("RL117"),
            _ => None,
        }
    }

    /// A node is entered.
    pub fn enter(&mut self, kind: &NodeKind) {
        use NodeKind as K;
        match kind {
            K::Quarantine => (self.qua, self.val, self.con, self.ado) = (false, Val::No, false, false),
            K::Validate => (self.val, self.con, self.ado) = (Val::No, false, false),
            K::Consume => (self.con, self.ado) = (false, false),
            K::Adopt => self.ado = false,
            K::Effect(_) => self.effect = Some(false),
            k if works(k) => {
                self.clear();
                self.acted = true;
            }
            _ => {}
        }
    }
}
