//! One case: the verdict and the codes of the compiler against those of the reference.

use super::bases::{Base, read};
use super::built::decides;
use super::change::{change, edge};
use super::draw::Draw;
use super::options;
use super::restrict::{mend, restricted};
use super::same;
use super::walk::walk;
use crate::reference::search::Stride;
use crate::reference::{local, search};
use roadlaw_compiler::model::{Cell, FactId, Model, Profile};
use roadlaw_compiler::monitor::Monitor;
use roadlaw_compiler::prove::{Report, Verdict, prove, prove_warm};
use roadlaw_compiler::table::{self, Options};
use roadlaw_grammar::diagnostic::Severity;
use roadlaw_runtime::Table;
use std::collections::{BTreeMap, BTreeSet};

/// Codes that the reference does not decide: where the compiler names one, that is left to its own tests.
pub const UNDECIDED: &[&str] = &["RL403", "RL404", "RL406", "RL408", "RL602"];

/// States beyond which a policy is not searched whole; a policy that only chooses.
const MOST: usize = 8_000;
const MOST_OF_CHOICE: usize = 3_000;

/// Decisions of a choose that are compared, where it has more.
const DECISIONS: u64 = 65_536;

/// One of so many texts is laid out, shuffled and renamed.
const SAME: usize = 12;

/// One of so many policies is proved by solvers that were asked nothing before as well.
const COLD: usize = 16;

/// Runs of a table that are compared.
const WALKS: usize = 4;

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
    /// Policies that only choose, and policies of which a fact or two vary.
    pub made: BTreeMap<&'static str, u64>,
    /// Policies by size: so many nodes, or fewer.
    pub sizes: BTreeMap<usize, u64>,
    /// Decisions of tables compared.
    pub decisions: u64,
    /// Runs of tables compared, and their steps.
    pub walks: u64,
    /// Steps of these runs.
    pub steps: u64,
    /// Texts that were laid out, shuffled and renamed as well.
    pub same_texts: u64,
    /// Policies proved with warm and with cold solvers.
    pub cold: u64,
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
        let sizes: Vec<String> = self.sizes.iter().map(|(most, n)| format!("<={most} {n}")).collect();
        format!(
            "{}; {}; nodes {}; {} searched whole, {} states; {} decisions; {} walks, {} steps; {} proved cold, {} rewritten as well; same codes {}; codes: {}; by the \
             reference alone: {}; {} wrong",
            of(&self.verdicts),
            of(&self.made),
            sizes.join(", "),
            self.whole,
            self.states,
            self.decisions,
            self.walks,
            self.steps,
            self.cold,
            self.same_texts,
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

/// One case, by its number: most of them small policies that only choose.
pub fn case(bases: &[Base], mended: &mut Mended, seed: u64, number: u64, mix: &mut Mix) {
    let mut d = Draw::of(seed, number);
    let about = format!("case {number} of seed {seed}");
    if d.below(4) > 0 { chooses(&mut d, &about, mix) } else { changed(bases, mended, &mut d, &about, mix) }
}

/// A policy that only chooses, written at random.
fn chooses(d: &mut Draw, about: &str, mix: &mut Mix) {
    let text = options::text(d);
    let m = match read(&text) {
        Ok(m) => m,
        Err(codes) => return mix.wrong.push(format!("{about}: {codes:?} of the text\n{text}")),
    };
    *mix.made.entry("choices").or_default() += 1;
    for what in check(&m, &[], d, DECISIONS, mix) {
        mix.wrong.push(format!("{about}: {what}\n{text}"));
    }
    if d.below(SAME) == 0 {
        mix.same_texts += 1;
        mix.wrong.extend(same::differing(&text, d).map(|what| format!("{about}: {what}\n{text}")));
    }
}

/// A whole policy with few facts and up to two changes.
fn changed(bases: &[Base], mended: &mut Mended, d: &mut Draw, about: &str, mix: &mut Mix) {
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
    let did: Vec<String> = (0..d.below(3)).map(|_| change(&mut m, d, &stay)).collect();
    let about = format!(
        "{about}, {} {}: {}; facts {:?}",
        m.name,
        m.profile.word(),
        did.join(", "),
        stay.iter().map(|f| &m.fact(*f).name).collect::<Vec<_>>()
    );
    *mix.made.entry("changed").or_default() += 1;
    let usual: Vec<(FactId, Cell)> = base.given.iter().map(|(f, c)| (*f, *c)).collect();
    for what in check(&m, &usual, d, DECISIONS / 4, mix) {
        mix.wrong.push(format!("{about}: {what}"));
    }
}

/// The table of a proved policy decides as the reference does, and its runs go the same way.
fn as_built(
    m: &Model,
    report: &Report,
    usual: &[(FactId, Cell)],
    d: &mut Draw,
    most: u64,
    mix: &mut Mix,
) -> Result<(), String> {
    let proof = report.proof.as_ref().ok_or("no proof")?;
    let bytes = table::build(m, proof, Options::default()).map_err(|e| format!("no table: {e:?}"))?;
    let t = Table::from_bytes(&bytes).map_err(|e| format!("unreadable table: {e:?}"))?;
    mix.decisions += decides(m, &t, usual, d, most)?;
    for n in 0..WALKS {
        let flow = if n == 0 { m.flows.len() - 1 } else { 0 };
        let (steps, _) = walk(m, &t, flow, d, "a walk")?;
        mix.walks += 1;
        mix.steps += steps as u64;
    }
    Ok(())
}

/// What is wrong about one policy.
fn check(m: &Model, usual: &[(FactId, Cell)], d: &mut Draw, most: u64, mix: &mut Mix) -> Vec<String> {
    *mix.sizes.entry(m.nodes.len().next_power_of_two()).or_default() += 1;
    let most_states = if m.profile == Profile::Choice { MOST_OF_CHOICE } else { MOST };
    let found = search::search(m, most_states);
    mix.whole += u64::from(found.complete);
    mix.states += found.states as u64;
    let mut expected: BTreeSet<&'static str> = found.broken.keys().copied().collect();
    expected.extend(local::broken(m));
    let report = prove_warm(m);
    let errors: Vec<_> = report.diagnostics.iter().filter(|x| x.severity == Severity::Error).collect();
    let codes = codes_of(&report);
    let said = |c: &str| errors.iter().find(|x| x.code == c).map_or("", |x| x.message.as_str());
    let shown = |law: &str| -> String {
        let path = found.broken.get(law).map_or(&[][..], Vec::as_slice);
        path.iter().map(|s| edge(m, s.edge.index())).collect::<Vec<_>>().join(" | ")
    };
    let mut wrong = Vec::new();
    if d.below(COLD) == 0 {
        let cold = prove(m);
        mix.cold += 1;
        if (cold.verdict, codes_of(&cold)) != (report.verdict, codes.clone()) {
            wrong.push(format!(
                "by solvers of its own {:?} {:?}, not {:?}",
                cold.verdict,
                codes_of(&cold),
                report.verdict
            ));
        }
    }
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
        wrong.extend(as_built(m, &report, usual, d, most, mix).err());
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
        if matches!(c, "RL103" | "RL401") && codes.contains("RL409") {
            continue;
        }
        if replays(m, run, c) {
            *mix.more.entry(c).or_default() += 1;
            continue;
        }
        wrong.push(format!("the reference alone says {c}: {}; the compiler {codes:?}", shown(c)));
    }
    wrong
}

fn codes_of(report: &Report) -> BTreeSet<&'static str> {
    report.diagnostics.iter().filter(|x| x.severity == Severity::Error).map(|x| x.code).collect()
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
