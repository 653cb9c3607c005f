//! The whole way from text to a validated table, as the program and the tests go it. Each step is one function of the
//! stage that owns it, and runs only where the one before succeeded.

use crate::lower::{Input, lower};
use crate::model::Model;
use crate::prove::{Analysed, Counts, Report, Settings, Verdict, prove_with};
use crate::table::{self, Options};
use roadlaw_grammar::diagnostic::{self, Diagnostic, Severity};
use roadlaw_grammar::span::Sources;

/// A policy, and what was found out about it.
#[derive(Debug)]
pub struct Checked {
    /// The files that were read.
    pub sources: Sources,
    /// The lowered policy, where its text made sense.
    pub model: Option<Model>,
    /// The verdict. Its diagnostics are those of all stages, in the order in which they are shown.
    pub report: Report,
    /// The finished table, validated against the model; there exactly where the verdict is proved.
    pub table: Option<Vec<u8>>,
}

/// Lowers, proves, builds and validates. Deterministic; never panics; writes nothing.
#[must_use]
pub fn check(input: Input, options: Options) -> Checked {
    check_with(input, options, Settings::default())
}

/// The same, by other settings of the proof.
#[must_use]
pub fn check_with(input: Input, options: Options, settings: Settings) -> Checked {
    let lowered = lower(input);
    let Some(model) = lowered.model else {
        return Checked { sources: lowered.sources, model: None, report: unread(lowered.diagnostics), table: None };
    };
    let mut report = prove_with(&model, settings);
    if lowered.diagnostics.iter().any(|d| d.severity == Severity::Error) {
        report.verdict = Verdict::Rejected;
        report.proof = None;
    }
    report.diagnostics.extend(lowered.diagnostics);
    let mut bytes = None;
    if let Some(proof) = &report.proof {
        match table::build(&model, proof, options) {
            Ok(finished) => bytes = Some(finished),
            Err(why) => {
                // A table that does not say what the policy says, or could not be compared with it, is our fault: nothing
                // is then proved about it. Anything else is a limit that the policy exceeds.
                let ours = why.iter().all(|d| d.code.starts_with("RL9"));
                report.verdict = if ours { Verdict::Undecided } else { Verdict::Rejected };
                report.proof = None;
                report.diagnostics.extend(why);
            }
        }
    }
    diagnostic::sort(&mut report.diagnostics);
    Checked { sources: lowered.sources, model: Some(model), report, table: bytes }
}

/// The report on a policy that could not be made sense of: no law ran.
fn unread(diagnostics: Vec<Diagnostic>) -> Report {
    let mut report = Report {
        verdict: Verdict::Rejected,
        laws: Vec::new(),
        obligations: Counts::default(),
        analysed: Analysed::default(),
        worst: None,
        diagnostics,
        proof: None,
    };
    diagnostic::sort(&mut report.diagnostics);
    report
}
