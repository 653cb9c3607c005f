//! What is counted, as Prometheus text.

use crate::live::InForce;
use crate::policy::{Decision, Policy, Rejected};
use prometheus_client::encoding::{EncodeLabelSet, text::encode};
use prometheus_client::metrics::{counter::Counter, family::Family, gauge::Gauge};
use prometheus_client::registry::Registry;
use roadlaw_runtime::Closed;

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Road {
    road: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Reason {
    road: String,
    reason: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Why {
    why: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Which {
    policy: String,
    digest: String,
}

/// Everything that is counted, whichever policy is in force.
pub struct Metrics {
    registry: Registry,
    decisions: Family<Road, Counter>,
    closed: Family<Reason, Counter>,
    misfits: Counter,
    swaps: Counter,
    rejections: Family<Why, Counter>,
    in_force: Family<Which, Gauge>,
    generation: Gauge,
    epoch: Gauge,
}

/// The counters of one policy, looked up once: counting is an addition, without a lock or an allocation.
pub struct Counters {
    roads: Vec<Counter>,
    refused: Counter,
    /// By road: its filters, then tried, judged and profile.
    closed: Vec<(Vec<Counter>, [Counter; 3])>,
}

impl Metrics {
    /// Nothing is counted yet.
    pub(crate) fn new() -> Self {
        let mut made = Self {
            registry: Registry::with_prefix("roadlaw"),
            decisions: Family::default(),
            closed: Family::default(),
            misfits: Counter::default(),
            swaps: Counter::default(),
            rejections: Family::default(),
            in_force: Family::default(),
            generation: Gauge::default(),
            epoch: Gauge::default(),
        };
        let r = &mut made.registry;
        r.register("decisions", "Decisions by road; none is a refusal", made.decisions.clone());
        r.register(
            "closed",
            "Closed candidates of the last choose of a decision by road and first reason",
            made.closed.clone(),
        );
        r.register("misfits", "Requests whose facts could not be used", made.misfits.clone());
        r.register("swaps", "Tables that took the place of another", made.swaps.clone());
        r.register("rejections", "Tables that were not taken", made.rejections.clone());
        r.register("in_force", "1 for the table in force", made.in_force.clone());
        r.register("generation", "Which table since the server began is in force", made.generation.clone());
        r.register("epoch", "Epoch of the table in force", made.epoch.clone());
        made
    }

    /// The counters of a policy. Those of roads and reasons that an earlier one had too go on.
    pub(crate) fn of(&self, policy: &Policy) -> Counters {
        let road = |road: &str| self.decisions.get_or_create_owned(&Road { road: road.to_owned() });
        let reason = |road: usize, why: Closed| {
            let (name, reason) = (policy.roads[road].clone(), policy.reason(road, why).to_owned());
            self.closed.get_or_create_owned(&Reason { road: name, reason })
        };
        let filters = |road: usize| 0..policy.table().road(road).map_or(0, |r| r.filters());
        let closed = |r: usize| {
            let others = [Closed::Tried, Closed::Judged, Closed::Profile].map(|why| reason(r, why));
            (filters(r).map(|i| reason(r, Closed::Filter(i))).collect(), others)
        };
        Counters {
            roads: policy.roads.iter().map(|r| road(r)).collect(),
            refused: road("none"),
            closed: (0..policy.roads.len()).map(closed).collect(),
        }
    }

    /// Another policy is in force.
    pub(crate) fn swapped(&self, next: &InForce, before: Option<&InForce>) {
        let which = |p: &Policy| Which { policy: p.name.clone(), digest: p.digest() };
        if let Some(before) = before {
            self.in_force.remove(&which(&before.policy));
            self.swaps.inc();
        }
        self.in_force.get_or_create(&which(&next.policy)).set(1);
        self.generation.set(i64::try_from(next.generation).unwrap_or(i64::MAX));
        self.epoch.set(i64::try_from(next.policy.epoch).unwrap_or(i64::MAX));
    }

    /// A table was not taken.
    pub(crate) fn rejected(&self, why: &Rejected) {
        self.rejections.get_or_create(&Why { why: why.word() }).inc();
    }

    /// Facts could not be used.
    pub(crate) fn misfit(&self) {
        self.misfits.inc();
    }

    /// The text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}

impl Counters {
    /// Counts a decision of their policy.
    pub(crate) fn count(&self, decision: &Decision) {
        decision.road.and_then(|r| self.roads.get(r)).unwrap_or(&self.refused).inc();
        for (road, why) in &decision.closed {
            let counter = self.closed.get(*road).and_then(|(filters, [tried, judged, profile])| match why {
                Closed::Filter(i) => filters.get(*i),
                Closed::Tried => Some(tried),
                Closed::Judged => Some(judged),
                Closed::Profile => Some(profile),
            });
            if let Some(counter) = counter {
                counter.inc();
            }
        }
    }
}
