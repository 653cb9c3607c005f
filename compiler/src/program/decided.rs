//! A decision in names: how each candidate fared, and what closes it.

use super::guards;
use super::opened::Opened;
use roadlaw_compiler::model::{FactId, Latch};
use roadlaw_runtime::{Closed, Facts, Latches};
use serde_json::{Map, Value, json};

/// A decision in names.
#[derive(Debug)]
pub(crate) struct Decided {
    pub(crate) choose: String,
    pub(crate) road: Option<String>,
    candidates: Vec<Candidate>,
}

/// How a candidate fared.
#[derive(Debug)]
struct Candidate {
    road: String,
    chosen: bool,
    /// How many filters it has.
    filters: usize,
    /// Everything that closes it, in the order of the model; nothing if it is eligible.
    reasons: Vec<Reason>,
}

/// What closes a candidate.
#[derive(Debug)]
enum Reason {
    Judged,
    Tried,
    Profile,
    /// A filter that does not hold.
    Filter(Broken),
}

/// A filter that does not hold, and what it reads.
#[derive(Debug)]
struct Broken {
    name: String,
    guard: String,
    reads: Vec<Read>,
}

/// A cell that a filter reads.
#[derive(Debug)]
struct Read {
    name: String,
    /// `None` is unknown.
    value: Option<String>,
    /// What an unknown counts as, if the policy says so.
    counts_as: Option<String>,
}

impl Decided {
    /// What a choose decides, with everything that closes each road.
    pub(crate) fn of(o: &Opened<'_>, choose: usize, facts: &Facts, latches: &Latches) -> Self {
        let made = o.table.choose_with(choose, facts, latches);
        let candidates = o
            .table
            .candidates(choose)
            .enumerate()
            .map(|(position, road)| Candidate {
                road: o.symbols.road(road).to_owned(),
                chosen: made.road() == Some(road),
                filters: o.table.road(road).map_or(0, |r| r.filters()),
                reasons: (o.table.reasons(choose, position, facts, latches).into_iter().flatten())
                    .map(|closed| match closed {
                        Closed::Judged => Reason::Judged,
                        Closed::Tried => Reason::Tried,
                        Closed::Profile => Reason::Profile,
                        Closed::Filter(i) => Reason::Filter(broken(o, road, i, facts, latches)),
                    })
                    .collect(),
            })
            .collect();
        let node = o.view.chooses.get(choose).map_or(0, |c| c.node);
        Self {
            choose: o.symbols.node(node).to_owned(),
            road: made.road().map(|r| o.symbols.road(r).to_owned()),
            candidates,
        }
    }

    /// With the first reason of each closed candidate, or, `explained`, with all of them.
    pub(crate) fn json(&self, explained: bool) -> Value {
        let candidates: Vec<Value> = self
            .candidates
            .iter()
            .map(|c| {
                let status = match (c.reasons.is_empty(), c.chosen) {
                    (_, true) => "chosen",
                    (true, false) => "open",
                    (false, false) => "closed",
                };
                let first = c.reasons.first().map(Reason::json);
                let mut value = json!({ "road": c.road, "status": status, "closed_by": first });
                if explained {
                    value["filters"] = json!(c.filters);
                    value["reasons"] = c.reasons.iter().map(Reason::json).collect();
                }
                value
            })
            .collect();
        json!({ "choose": self.choose, "road": self.road, "candidates": candidates })
    }

    /// One line a candidate, with the first reason; `explained`, with all of them, a line each below it.
    pub(crate) fn lines(&self, explained: bool) -> Vec<String> {
        let width = self.candidates.iter().map(|c| c.road.chars().count()).max().unwrap_or(0);
        self.candidates
            .iter()
            .flat_map(|c| {
                let fared = match c.reasons.first() {
                    _ if c.chosen => "chosen".to_owned(),
                    None => "open, ranks behind".to_owned(),
                    Some(_) if explained => c.count(),
                    Some(first) => first.said(),
                };
                let more = c.reasons.iter().filter(|_| explained).map(|r| format!("{:width$}    {}", "", r.said()));
                std::iter::once(format!("{:width$}  {fared}", c.road)).chain(more).collect::<Vec<_>>()
            })
            .collect()
    }
}

impl Candidate {
    fn count(&self) -> String {
        let broken = self.reasons.iter().filter(|r| matches!(r, Reason::Filter(_))).count();
        let plural = if self.filters == 1 { "" } else { "s" };
        format!("closed: {broken} of {} filter{plural} not true", self.filters)
    }
}

impl Reason {
    fn json(&self) -> Value {
        match self {
            Self::Judged => json!({ "kind": "judged", "reason": "judged" }),
            Self::Tried => json!({ "kind": "tried", "reason": "tried" }),
            Self::Profile => json!({ "kind": "ranking", "reason": "profile" }),
            Self::Filter(b) => b.json(),
        }
    }

    fn said(&self) -> String {
        match self {
            Self::Judged => "closed: the question is judged".to_owned(),
            Self::Tried => "closed: tried for this question".to_owned(),
            Self::Profile => "closed: the profile in force leaves it out".to_owned(),
            Self::Filter(b) => b.said(),
        }
    }
}

impl Broken {
    fn json(&self) -> Value {
        let reads: Map<String, Value> = self.reads.iter().map(|r| (r.name.clone(), json!(r.value))).collect();
        let counts: Map<String, Value> =
            self.reads.iter().filter_map(|r| Some((r.name.clone(), json!(r.counts_as.as_ref()?)))).collect();
        let mut value = json!({ "kind": "filter", "reason": self.name, "guard": self.guard, "reads": reads });
        if !counts.is_empty() {
            value["counts_as"] = Value::Object(counts);
        }
        value
    }

    fn said(&self) -> String {
        // A filter like `lineage : lineage` says enough by its values.
        let values: Vec<String> = self
            .reads
            .iter()
            .map(|r| match (&r.value, &r.counts_as) {
                (Some(v), _) => format!("{} = {v}", r.name),
                (None, Some(v)) => format!("{} is unknown, counts as {v}", r.name),
                (None, None) => format!("{} is unknown", r.name),
            })
            .collect();
        if values.is_empty() {
            return format!("closed by `{}`: {}", self.name, self.guard);
        }
        format!("closed by `{}`: {}  ({})", self.name, self.guard, values.join(", "))
    }
}

fn broken(o: &Opened<'_>, road: usize, i: usize, facts: &Facts, latches: &Latches) -> Broken {
    let at = o.table.road(road).map_or(0, |r| r.first_filter()) + i;
    let name = o.symbols.filters.get(at).cloned().unwrap_or_default();
    let Some(guard) = o.view.filters.get(at) else {
        return Broken { name, guard: String::new(), reads: Vec::new() };
    };
    let reads = guard.cells().into_iter().map(|f| read(o, f, facts, latches)).collect();
    Broken { name, guard: guards::text(&o.table, &o.symbols, guard), reads }
}

/// A latch is read off the run; it is never unknown.
fn read(o: &Opened<'_>, cell: FactId, facts: &Facts, latches: &Latches) -> Read {
    let at = cell.index();
    let word = |v: i64| guards::value(&o.table, &o.symbols, at, v);
    let value = match o.latch(at) {
        Some(Latch::Tried(r)) => Some(i64::from(latches.tried(r.index()))),
        Some(Latch::Judged) => Some(i64::from(latches.judged())),
        Some(Latch::Consumed) => Some(i64::from(latches.consumed())),
        Some(Latch::Left(c)) => Some(i64::from(latches.left(c.index()))),
        None => facts.get(at),
    };
    let counts_as = if value.is_none() { o.table.cell(at).and_then(|c| c.strict()) } else { None };
    Read { name: o.symbols.cell(at).to_owned(), value: value.and_then(word), counts_as: counts_as.and_then(word) }
}
