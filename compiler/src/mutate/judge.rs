//! What notices one changed policy: the rules of the language, the laws, its tests, or nothing.

use super::Fate;
use super::edit::{Change, Edit};
use super::equal::{Equal, equal};
use super::subject::Subject;
use crate::lower::{Input, Instead, Lowered, lower_with};
use crate::model::Model;
use crate::prove::{Verdict, prove_or_refute};
use crate::table::{self, Options};
use crate::testing;
use roadlaw_grammar::ast::ItemKind;
use roadlaw_grammar::diagnostic::{Diagnostic, Severity};
use roadlaw_grammar::span::{FileId, Sources, Span};

/// The policy that is changed.
pub(crate) struct Base<'a> {
    input: &'a Input,
    sources: &'a Sources,
    model: &'a Model,
    digest: [u8; 32],
    /// Its tests: name and place.
    tests: Vec<(String, Span)>,
}

impl<'a> Base<'a> {
    pub(crate) fn new(input: &'a Input, sources: &'a Sources, model: &'a Model, subject: &Subject<'_>) -> Self {
        let tests = subject
            .items()
            .filter_map(|(i, _)| match &i.kind {
                ItemKind::Test(t) => Some((t.name.value.clone(), i.span.span)),
                _ => None,
            })
            .collect();
        Self { input, sources, model, digest: crate::model::digest(model), tests }
    }

    /// The fate of a change; `None` if it is none: its edits overlap.
    pub(crate) fn judge(&self, change: &Change) -> Option<Fate> {
        let lowered = self.lower(change)?;
        let errors = errors(&lowered.diagnostics);
        // A test that names what is gone has caught the change; the laws are asked first, without the tests.
        let inside =
            |d: &&Diagnostic| self.tests.iter().any(|(_, at)| d.primary.file == FileId(0) && within(d, change, at));
        if let Some(first) = errors.first() {
            if !errors.iter().all(inside) {
                let first = errors.iter().find(|d| !inside(d)).unwrap_or(first);
                return Some(Fate::Rejected { code: first.code, message: first.message.clone() });
            }
            let mut untested = change.clone();
            untested.edits.extend(self.tests.iter().map(|(_, at)| Edit::delete(*at)));
            let test =
                self.tests.iter().find(|(_, at)| within(first, change, at)).map_or_else(String::new, |t| t.0.clone());
            let lowered = self.lower(&untested)?;
            if let Some(d) = self::errors(&lowered.diagnostics).first() {
                return Some(Fate::Rejected { code: d.code, message: d.message.clone() });
            }
            let model = lowered.model?;
            return Some(by_laws(&model).unwrap_or(Fate::Caught { test }));
        }
        let model = lowered.model?;
        if crate::model::digest(&model) == self.digest {
            return Some(Fate::Equivalent { how: "the same model" });
        }
        Some(self.compare(&model))
    }

    fn lower(&self, change: &Change) -> Option<Lowered> {
        let mut input = self.input.clone();
        let mut instead = Instead::new();
        for file in change.files() {
            let text = change.applied(self.sources, file)?;
            if file == FileId(0) {
                input.bytes = text.into_bytes();
            } else {
                instead.insert(self.sources.file(file)?.name.clone(), text);
            }
        }
        Some(lower_with(&input, &instead))
    }

    fn compare(&self, model: &Model) -> Fate {
        let report = prove_or_refute(model);
        if let Some(fate) = fate_of(report.verdict, &report.diagnostics) {
            return fate;
        }
        let Some(proof) = &report.proof else { return Fate::Undecided { why: "no proof".to_owned() } };
        let bytes = match table::build(model, proof, Options::default()) {
            Ok(bytes) => bytes,
            Err(why) => {
                let first = why.into_iter().next();
                return Fate::Undecided { why: first.map_or_else(String::new, |d| d.message) };
            }
        };
        let Ok(tested) = testing::run(model, &bytes) else {
            return Fate::Undecided { why: "its table cannot be read".to_owned() };
        };
        if let Some(failed) = tested.into_iter().find(|t| t.failure.is_some()) {
            return Fate::Caught { test: failed.name };
        }
        match equal(self.model, model) {
            Equal::Yes => Fate::Equivalent { how: "the same decisions and runs" },
            Equal::No(differs) => Fate::Alive { differs },
            Equal::Undecided(why) => Fate::Undecided { why },
        }
    }
}

fn errors(all: &[Diagnostic]) -> Vec<&Diagnostic> {
    all.iter().filter(|d| d.severity == Severity::Error).collect()
}

fn by_laws(model: &Model) -> Option<Fate> {
    let report = prove_or_refute(model);
    fate_of(report.verdict, &report.diagnostics)
}

fn fate_of(verdict: Verdict, diagnostics: &[Diagnostic]) -> Option<Fate> {
    match verdict {
        Verdict::Proved => None,
        Verdict::Rejected => {
            let first = errors(diagnostics).into_iter().find(|d| d.code != "RL903")?;
            Some(Fate::Rejected { code: first.code, message: first.message.clone() })
        }
        Verdict::Undecided => {
            let why = errors(diagnostics).first().map_or_else(String::new, |d| d.message.clone());
            Some(Fate::Undecided { why })
        }
    }
}

/// The diagnostic of the changed policy stands in an item that the change left alone, and that stands here in the
/// original.
fn within(d: &Diagnostic, change: &Change, item: &Span) -> bool {
    let moved: i64 = change
        .edits
        .iter()
        .filter(|e| e.at.file == item.file && e.at.end <= item.start)
        .map(|e| i64::try_from(e.text.len()).unwrap_or(0) - i64::from(e.at.end - e.at.start))
        .sum();
    let at = |n: u32| i64::from(n) + moved;
    at(item.start) <= i64::from(d.primary.start) && i64::from(d.primary.end) <= at(item.end)
}
