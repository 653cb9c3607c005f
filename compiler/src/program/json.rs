//! JSON output. The shapes are documented in README.md and do not change within a major version.

use roadlaw_grammar::diagnostic::{Diagnostic, Severity, Witness};
use roadlaw_grammar::span::{Sources, Span};
use serde::Serialize;

/// One diagnostic.
#[derive(Debug, Serialize)]
pub(crate) struct JsonDiagnostic<'a> {
    code: &'a str,
    severity: Severity,
    message: &'a str,
    file: &'a str,
    span: JsonSpan,
    #[serde(skip_serializing_if = "str::is_empty")]
    label: &'a str,
    labels: Vec<JsonLabel<'a>>,
    notes: &'a [String],
    help: Option<&'a str>,
    witness: Option<&'a Witness>,
}

/// A secondary place.
#[derive(Debug, Serialize)]
struct JsonLabel<'a> {
    message: &'a str,
    file: &'a str,
    span: JsonSpan,
}

/// Bytes `start..end` of the file; line and column of `start`, from 1, columns in characters.
#[derive(Debug, Serialize)]
struct JsonSpan {
    start: u32,
    end: u32,
    line: u32,
    column: u32,
}

fn span(sources: &Sources, span: Span) -> JsonSpan {
    let (line, column) = sources.line_column(span.file, span.start);
    JsonSpan { start: span.start, end: span.end, line, column }
}

fn file(sources: &Sources, span: Span) -> &str {
    sources.file(span.file).map_or("", |f| f.name.as_str())
}

/// The diagnostics as they stand in `diagnostics[]`.
pub(crate) fn diagnostics<'a>(sources: &'a Sources, diagnostics: &'a [Diagnostic]) -> Vec<JsonDiagnostic<'a>> {
    diagnostics
        .iter()
        .map(|d| JsonDiagnostic {
            code: d.code,
            severity: d.severity,
            message: &d.message,
            file: file(sources, d.primary),
            span: span(sources, d.primary),
            label: &d.primary_label,
            labels: d
                .labels
                .iter()
                .map(|l| JsonLabel { message: &l.message, file: file(sources, l.span), span: span(sources, l.span) })
                .collect(),
            notes: &d.notes,
            help: d.help.as_deref(),
            witness: d.witness.as_ref(),
        })
        .collect()
}

/// One value on lines of its own, with a final newline.
pub(crate) fn line(value: &impl Serialize) -> String {
    // Serialising plain data into memory fails on nothing; an empty object would still be an object.
    let mut text = serde_json::to_string_pretty(value).unwrap_or_else(|_| "{}".to_owned());
    text.push('\n');
    text
}
