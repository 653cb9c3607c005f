//! Diagnostics as plain data. Nothing here renders: the program does.

use crate::span::Span;
use serde::Serialize;

/// How bad a diagnostic is. Only errors reject.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The policy is rejected.
    Error,
    /// The policy is accepted, and the author is told something.
    Note,
}

/// A secondary place, with what it has to do with the matter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// One short phrase, lower case, no period.
    pub message: String,
}

/// One fact of a witness, in the spelling that `roadlaw decide --facts` takes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WitnessFact {
    /// Name of the fact cell, `available[local]`.
    pub name: String,
    /// `true`, `40`, `private`, `{ a, b }` or `unknown`.
    pub value: String,
}

/// One step of a counterexample.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WitnessStep {
    /// The node that was entered, `send(mistral)`.
    pub node: String,
    /// The outcome that the node had, and the kind of edge that was taken; empty at the last step.
    pub outcome: String,
    /// Gate evidence held when the node is entered, in canonical order.
    pub held: Vec<String>,
    /// What went wrong here, if it did.
    pub fault: Option<String>,
    /// Facts that were read afresh before this step and matter from here on.
    pub facts: Vec<WitnessFact>,
}

/// A counterexample: the fewest facts that matter and the path they open.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Witness {
    /// Facts at the start of the path.
    pub facts: Vec<WitnessFact>,
    /// A second fact vector, for laws that compare two runs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other_facts: Vec<WitnessFact>,
    /// What each of the two vectors gives.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<String>,
    /// The steps, from start to the fault.
    pub path: Vec<WitnessStep>,
}

/// One message for the author.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable code: `RL104`; `RA` for the author's own assertions; `S...` for text, `U...` for use and names (see
    /// `roadlaw explain`).
    pub code: &'static str,
    /// Error or note.
    pub severity: Severity,
    /// One line, lower case, no period, user text in backticks.
    pub message: String,
    /// The smallest wrong text.
    pub primary: Span,
    /// Phrase put under the primary span; may be empty.
    pub primary_label: String,
    /// Other places that matter.
    pub labels: Vec<Label>,
    /// Further sentences.
    pub notes: Vec<String>,
    /// What to write instead.
    pub help: Option<String>,
    /// The counterexample, where there is one.
    pub witness: Option<Witness>,
}

impl Diagnostic {
    /// An error with nothing but a code, a place and a message.
    #[must_use]
    pub fn error(code: &'static str, primary: Span, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: Severity::Error,
            message: message.into(),
            primary,
            primary_label: String::new(),
            labels: Vec::new(),
            notes: Vec::new(),
            help: None,
            witness: None,
        }
    }

    /// A note: the policy stays accepted.
    #[must_use]
    pub fn note(code: &'static str, primary: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Note, ..Self::error(code, primary, message) }
    }

    /// Puts a phrase under the primary span.
    #[must_use]
    pub fn with_primary_label(mut self, message: impl Into<String>) -> Self {
        self.primary_label = message.into();
        self
    }

    /// Adds a secondary place.
    #[must_use]
    pub fn with_label(mut self, span: Span, message: impl Into<String>) -> Self {
        self.labels.push(Label { span, message: message.into() });
        self
    }

    /// Adds a sentence.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Says what to write instead.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// Puts diagnostics in the order they are shown: file, offset, code, message; exact repeats are dropped.
pub fn sort(diagnostics: &mut Vec<Diagnostic>) {
    diagnostics.sort_by(|a, b| {
        (a.primary.file, a.primary.start, a.code, &a.message).cmp(&(
            b.primary.file,
            b.primary.start,
            b.code,
            &b.message,
        ))
    });
    diagnostics.dedup();
}
