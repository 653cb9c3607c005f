//! One case: the verdict and the codes of the compiler against those of the reference.

use super::bases::Base;
use super::built::as_built;
use super::change::{change, edge};
use super::draw::Draw;
use super::restrict::{mend, restricted};
use crate::reference::search::Stride;
use crate::reference::{local, search};
use roadlaw_compiler::model::{Model, Profile};
use roadlaw_compiler::monitor::Monitor;
use roadlaw_compiler::prove::{Verdict, prove};
use roadlaw_grammar::diagnostic::Severity;
use std::collections::{BTreeMap, BTreeSet};

/// Codes that the reference does not decide: where the compiler names one, that is left to its own tests.
pub const UNDECIDED: &[&str] = &["RL403", "RL404", "RL406", "RL408", "RL602"];

/// States beyond which a policy is not searched whole.
const MOST: usize = 8_000;

/// Sets of facts that a base is restricted to, each in its turn.
const KEPT: usize = 12;

/// What a run of cases came to.
#[derive(Debug, Default)]
pub struct Mix {
    /// Policies, by verdict.
    pub verdicts: BTreeMap<&'static str, u64>,
    /// Rejections, by code of the compiler.
    pub codes: BTreeMap<&'static str, u64>,
    /// Policies whose every state was seen.
    pub whole: u64,
    /// Rejections with the same set of codes on both sides.
    pub same: u64,
    /// Codes that the reference alone named, each confirmed on its own run.
    pub more: BTreeMap<&'static str, u64>,
    /// States of the reference.
    pub states: u64,
    /// Decisions of tables compared.
    pub decisions: u64,
    /// Disagreements.
    pub wrong: Vec<String>,
}

/// Policies with few facts, without words that are not real there.
pub type Mended = BTreeMap<(usize, usize), (Model, bool)>;

impl Mix {
    /// On one line, without what is wrong.
    #[must_use]
    pub fn line(&self) -> String {
        let of = |m: &BTreeMap<&str, u64>| m.iter().map(|(k, n)| format!("{k} {n}")).collect::<Vec<_>>().join(", ");
        format!(
            "{}; {} searched whole, {} states; {} decisions; same codes {}; codes: {}; by the reference alone: {}; {} wrong",
            of(&self.verdicts),
            self.whole,
            self.states,
            self.decisions,
            self.same,
            of(&self.codes),
            of(&self.more),
            self.wrong.len()
        )
    }
}

fn mended_of<'a>(bases: &[Base], mended: &'a mut Mended, key: (usize, usize)) -> &'a (Model, bool) {
    mended.entry(key).or_insert_with(|| {
        let base = &bases[key.0];
        let mut m = restricted(&base.model, &base.given, &base.some_facts(key.1).into_iter().collect());
        let whole = mend(&mut m, MOST);
        (m, whole)
    })
}

/// One case, by its number.
pub fn case(bases: &[Base], mended: &mut Mended, seed: u64, number: u64, mix: &mut Mix) {
    let mut d = Draw::of(seed, number);
    let (at, n) = (d.below(bases.len()), d.below(KEPT));
    let (_, whole) = mended_of(bases, mended, (at, n));
    // What cannot be searched whole tells less: one of the small ones most of the time.
    let key = if *whole || d.below(6) == 0 { (at, n) } else { (d.below(2), n) };
    let base = &bases[key.0];
    let stay = base.some_facts(n);
    let mut m = mended_of(bases, mended, key).0.clone();
    if m.profile == Profile::Strict && d.below(5) == 0 {
        m.profile = Profile::Gateway;
    }
    let did: Vec<String> = (0..d.below(3)).map(|_| change(&mut m, &mut d, &stay)).collect();
    let about = format!(
        "case {number} of seed {seed}, {} {}: {}; facts {:?}",
        m.name,
        m.profile.word(),
        did.join(", "),
        stay.iter().map(|f| &m.fact(*f).name).collect::<Vec<_>>()
    );
    for what in check(&m, &mut d, mix) {
        mix.wrong.push(format!("{about}: {what}"));
    }
}

/// What is wrong about one policy.
fn check(m: &Model, d: &mut Draw, mix: &mut Mix) -> Vec<String> {
    let found = search::search(m, MOST);
    mix.whole += u64::from(found.complete);
    mix.states += found.states as u64;
    let mut expected: BTreeSet<&'static str> = found.broken.keys().copied().collect();
    expected.extend(local::broken(m));
    let report = prove(m);
    let errors: Vec<_> = report.diagnostics.iter().filter(|x| x.severity == Severity::Error).collect();
    let codes: BTreeSet<&'static str> = errors.iter().map(|x| x.code).collect();
    let said = |c: &str| errors.iter().find(|x| x.code == c).map_or("", |x| x.message.as_str());
    let shown = |law: &str| -> String {
        let path = found.broken.get(law).map_or(&[][..], Vec::as_slice);
        path.iter().map(|s| edge(m, s.edge.index())).collect::<Vec<_>>().join(" | ")
    };
    let mut wrong = Vec::new();
    let word = match report.verdict {
        Verdict::Proved => "proved",
        Verdict::Rejected => "rejected",
        Verdict::Undecided => "undecided",
    };
    *mix.verdicts.entry(word).or_default() += 1;
    if report.verdict == Verdict::Undecided || codes.contains("RL902") || codes.contains("RL903") {
        wrong.push(format!("{word}: {:?}", errors.iter().map(|x| (x.code, &x.message)).collect::<Vec<_>>()));
    }
    if report.verdict == Verdict::Proved {
        for law in &expected {
            wrong.push(format!("proved, but {law} is broken: {}", shown(law)));
        }
        match as_built(m, &report, d) {
            Ok(n) => mix.decisions += n,
            Err(why) => wrong.push(why),
        }
        return wrong;
    }
    codes.iter().for_each(|c| *mix.codes.entry(c).or_default() += 1);
    if found.complete {
        for c in codes.iter().filter(|c| !UNDECIDED.contains(c) && !expected.contains(**c)) {
            // A filter that is checked after the rank is one that is missing: the reference has one word for both.
            let later = *c == "RL409" && (expected.contains("RL103") || expected.contains("RL401"));
            // An assertion is looked for on every run; the reference follows none beyond its first fault.
            let beyond = *c == "RA" && !expected.is_empty();
            if !later && !beyond {
                wrong.push(format!("the compiler alone says {c}: {}; the reference {expected:?}", said(c)));
            }
        }
    }
    let alone: Vec<&'static str> = expected.iter().copied().filter(|c| !codes.contains(c)).collect();
    mix.same += u64::from(found.complete && alone.is_empty());
    for c in alone {
        let run = found.broken.get(c).map_or(&[][..], Vec::as_slice);
        if replays(m, run, c) {
            *mix.more.entry(c).or_default() += 1;
            continue;
        }
        wrong.push(format!("the reference alone says {c}: {}; the compiler {codes:?}", shown(c)));
    }
    wrong
}

/// The compiler names one code for each thing that is wrong, that of the run it shows. That another run breaks another law
/// first is confirmed by its own interpreter: it says so of this very run.
#[must_use]
pub fn replays(m: &Model, run: &[Stride], law: &str) -> bool {
    let Some((last, before)) = run.split_last() else { return false };
    let child = m.node(m.edge(last.edge).from).flow.index() > 0;
    let mut monitor = Monitor::new(m, child);
    let lawful = before.iter().all(|s| monitor.step(s.edge, &s.at, &s.then).is_empty());
    lawful && monitor.step(last.edge, &last.at, &last.then).iter().any(|v| v.code == law)
}
