//! The book of a proof: every obligation with how it was settled and, where it is asked for, the evidence.

use super::diagnose::Place;
use super::fixpoint::Context;
use super::path::Concrete;
use super::product::Product;
use super::settle::Found;
use super::space::{Meaning, Space};
use super::{Counts, Settings};
use crate::graph::narrow;
use crate::laws::track::{Subject, Track};
use crate::manifest::{self, About, Group, Resources, RunEvidence, RunStep, Test};
use crate::model::{Cell, FactId, Latch, Model, Type};
use biodivine_lib_bdd::Bdd;
use std::collections::BTreeMap;

/// How an obligation may be proved. By any other word it is entered or counted as one that is not.
pub(crate) const PROVES: [&str; 6] = ["dominance", "invariant", "facts", "reached", "two runs", "static"];

/// One settled obligation.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) law: &'static str,
    pub(crate) about: About,
    pub(crate) by: String,
    pub(crate) method: &'static str,
    /// Facts are wanted that satisfy the condition; else none may.
    pub(crate) wanted: bool,
    /// The other engine gave up: the sets outgrew their limit.
    pub(crate) by_z3_alone: bool,
    pub(crate) track: Option<u32>,
    pub(crate) run: Option<RunEvidence>,
    /// The question as SMT-LIB, where scripts are asked for.
    pub(crate) script: Option<String>,
}

impl From<Subject> for About {
    fn from(s: Subject) -> Self {
        match s {
            Subject::Node(n) => Self::Node(n),
            Subject::Edge(e) => Self::Edge(e),
        }
    }
}

impl From<Place> for About {
    fn from(p: Place) -> Self {
        match p {
            Place::Node(n) => Self::Node(n),
            Place::Edge(e) => Self::Edge(e),
            Place::Road(r) => Self::Road(r),
        }
    }
}

/// Counts and entries.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    pub(crate) counts: Counts,
    pub(crate) entries: Vec<Entry>,
    pub(crate) evidence: Option<Evidence>,
    /// Questions are kept as SMT-LIB.
    pub(crate) scripts: bool,
}

impl Ledger {
    /// With what the settings ask for.
    pub(crate) fn new(settings: Settings) -> Self {
        let evidence = settings.record.then(Evidence::default);
        Self { evidence, scripts: settings.scripts, ..Self::default() }
    }

    /// The question, where scripts are asked for.
    pub(crate) fn script(&self, of: impl FnOnce() -> String) -> Option<String> {
        self.scripts.then(of)
    }

    /// An obligation that is not proved: it is counted, its diagnostic says the rest.
    pub(crate) fn count(&mut self, method: &'static str) {
        self.counts.total += 1;
        *self.counts.by_method.entry(method).or_default() += 1;
    }

    /// Nothing that was entered or counted is open or refuted.
    pub(crate) fn proves(&self) -> bool {
        self.counts.by_method.keys().all(|method| PROVES.contains(method))
    }

    /// An obligation that is settled.
    pub(crate) fn enter(
        &mut self,
        law: &'static str,
        about: impl Into<About>,
        by: impl Into<String>,
        method: &'static str,
    ) -> &mut Entry {
        self.count(method);
        let at = self.entries.len();
        let about = about.into();
        self.entries.push(Entry {
            law,
            about,
            by: by.into(),
            method,
            wanted: false,
            by_z3_alone: false,
            track: None,
            run: None,
            script: None,
        });
        &mut self.entries[at]
    }

    /// Keeps the invariant of a track; its number.
    pub(crate) fn track(
        &mut self,
        cx: &Context<'_, '_>,
        track: &dyn Track,
        product: &Product,
        found: Option<&Found>,
    ) -> Option<u32> {
        let evidence = self.evidence.as_mut()?;
        Some(evidence.track(cx, track, product, found))
    }

    /// A run as it is shown to a checker, where evidence is kept.
    pub(crate) fn run(&self, m: &Model, path: &Concrete) -> Option<RunEvidence> {
        self.evidence.as_ref().map(|_| run(m, path))
    }
}

/// Invariants, and the conditions that they are made of.
#[derive(Debug, Clone, Default)]
pub(crate) struct Evidence {
    pub(crate) tests: Vec<Test>,
    pub(crate) conditions: Vec<(u32, u32, u32)>,
    pub(crate) tracks: Vec<manifest::Track>,
    known_tests: BTreeMap<Test, u32>,
    known: BTreeMap<(u32, u32, u32), u32>,
}

impl Evidence {
    fn track(&mut self, cx: &Context<'_, '_>, track: &dyn Track, product: &Product, found: Option<&Found>) -> u32 {
        let m = cx.graph.model;
        let mut groups: BTreeMap<u32, Vec<(u32, u16, Option<u32>)>> = BTreeMap::new();
        // States from which no bad step can be reached may hold any facts.
        let mut bounded = vec![false; product.states.len()];
        for i in found.iter().flat_map(|f| &f.slice) {
            bounded[product.steps[*i].from] = true;
        }
        let mut resources = Resources { states: product.states.len() as u64, ..Resources::default() };
        if let Some(f) = found {
            resources.refinements = f.refinements as u64;
            resources.facts = f.kept.len() as u64;
        }
        for (i, (node, state)) in product.states.iter().enumerate() {
            let condition = match found {
                Some(f) if bounded[i] => {
                    resources.diagram_nodes += f.sets[i].size() as u64;
                    self.condition(&f.sets[i], cx.space, m)
                }
                _ => 1,
            };
            if condition != 0 {
                groups.entry(condition).or_default().push((node.0, *state, product.current[i].map(|r| r.0)));
            }
        }
        let invariant = groups.into_iter().map(|(condition, states)| Group { condition, states }).collect();
        self.tracks.push(manifest::Track { name: track.name(m), flow: track.flow().0, invariant, resources });
        narrow(self.tracks.len() - 1)
    }

    /// A diagram as a condition.
    fn condition(&mut self, b: &Bdd, space: &Space<'_>, m: &Model) -> u32 {
        if let Some(v) = b.as_bool() {
            return u32::from(v);
        }
        let mut done: BTreeMap<usize, u32> = BTreeMap::new();
        for p in b.pointers() {
            let at = if p.is_zero() {
                0
            } else if p.is_one() {
                1
            } else {
                let (low, high) = (done[&b.low_link_of(p).to_index()], done[&b.high_link_of(p).to_index()]);
                let test = space.meaning(b.var_of(p)).map(|(f, meaning)| self.test(statement(m, f, &meaning)));
                match test {
                    Some(test) if low != high => self.choice((test, high, low)),
                    _ => low,
                }
            };
            done.insert(p.to_index(), at);
        }
        done.get(&b.root_pointer().to_index()).copied().unwrap_or(1)
    }

    fn test(&mut self, t: Test) -> u32 {
        let next = narrow(self.tests.len());
        *self.known_tests.entry(t.clone()).or_insert_with(|| {
            self.tests.push(t);
            next
        })
    }

    fn choice(&mut self, c: (u32, u32, u32)) -> u32 {
        let next = narrow(self.conditions.len() + 2);
        *self.known.entry(c).or_insert_with(|| {
            self.conditions.push(c);
            next
        })
    }
}

/// What a variable of a diagram says, in words of the model.
fn statement(m: &Model, f: FactId, meaning: &Meaning) -> Test {
    let cell = f.0;
    let strict = m.fact(f).unknown;
    match meaning {
        Meaning::Unknown => Test::Values { cell, ranges: Vec::new(), unknown: true },
        Meaning::Label(i, strict) => {
            let unknown = strict.is_some_and(|v| v >> i & 1 == 1);
            Test::Label { cell, label: u8::try_from(*i).unwrap_or(u8::MAX), unknown }
        }
        Meaning::Bit { lo, bit, strict } => {
            let unknown = strict.is_some_and(|v| (v - lo) >> bit & 1 == 1);
            Test::Bit { cell, minus: *lo, bit: u8::try_from(*bit).unwrap_or(u8::MAX), unknown }
        }
        Meaning::Classes(some, all) => {
            let numbers: Vec<i64> =
                all.iter().filter_map(|c| if let Cell::Known(v) = c { Some(*v) } else { None }).collect();
            let last = |v: i64| match m.fact(f).ty {
                // Classes of an int are intervals, each named by its least value.
                Type::Int { hi, .. } => numbers.iter().find(|n| **n > v).map_or(i64::from(hi), |n| n - 1),
                _ => v,
            };
            let ranges: Vec<(i64, i64)> =
                some.iter().filter_map(|c| if let Cell::Known(v) = c { Some((*v, last(*v))) } else { None }).collect();
            let unknown = if all.contains(&Cell::Unknown) {
                some.contains(&Cell::Unknown)
            } else {
                strict.is_some_and(|v| ranges.iter().any(|(lo, hi)| *lo <= v && v <= *hi))
            };
            Test::Values { cell, ranges, unknown }
        }
    }
}

/// A concrete path as a run: what each cell holds at first, and what changes at each point.
fn run(m: &Model, path: &Concrete) -> RunEvidence {
    let value = |c: &Cell| match c {
        Cell::Unknown => None,
        Cell::Known(v) => Some(*v),
    };
    let usual = |i: usize| match m.facts[i].latch {
        Some(Latch::Left(c)) => Some(i64::from(m.counters[c.index()].max)),
        Some(_) => Some(0),
        None => None,
    };
    let mut now: Vec<Option<i64>> = (0..m.facts.len()).map(usual).collect();
    let mut changed = |facts: Option<&Vec<Cell>>| {
        let mut out = Vec::new();
        for (i, c) in facts.into_iter().flatten().enumerate() {
            if now[i] != value(c) {
                now[i] = value(c);
                out.push((narrow(i), now[i]));
            }
        }
        out
    };
    // What the first guard reads afresh may as well have been so from the start.
    let start = changed(path.facts.first());
    let steps = path
        .edges
        .iter()
        .enumerate()
        .map(|(i, e)| RunStep {
            edge: e.0,
            before: changed(path.facts.get(2 * i)),
            after: changed(path.facts.get(2 * i + 1)),
        })
        .collect();
    RunEvidence { pair: None, start, steps }
}

#[cfg(test)]
mod tests {
    use super::{Ledger, Settings};
    use crate::laws::track::Subject;
    use crate::model::NodeId;

    #[test]
    fn one_open_obligation_is_enough_to_prove_nothing() {
        let mut ledger = Ledger::new(Settings::default());
        ledger.enter("RL101", Subject::Node(NodeId(0)), "a track", "invariant");
        assert!(ledger.proves());
        for open in ["refuted", "undecided", "not run"] {
            let mut ledger = Ledger::new(Settings::default());
            ledger.enter("RL101", Subject::Node(NodeId(0)), "a track", "invariant");
            ledger.count(open);
            assert!(!ledger.proves(), "{open}");
        }
        ledger.enter("RL102", Subject::Node(NodeId(0)), "a track", "refuted");
        assert!(!ledger.proves());
    }
}
