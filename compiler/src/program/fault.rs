//! Why a command could not answer: usage, files, or input that is not what it should be. Exit code 2.

use super::{json, render, style};
use roadlaw_grammar::diagnostic::Diagnostic;
use roadlaw_grammar::span::Sources;
use serde_json::{Value, json};

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The arguments do not fit together, or name something that does not exist.
    Usage { message: String, help: Option<String> },
    /// A file cannot be read or written.
    File { doing: &'static str, path: String, reason: String },
    /// Input was read and is wrong, at a place.
    Input { sources: Sources, diagnostics: Vec<Diagnostic> },
}

impl Fault {
    pub(crate) fn human(&self) -> String {
        match self {
            Self::Usage { message, help } => {
                let mut text = format!("{}: {message}\n", style::bad("error"));
                if let Some(help) = help {
                    text += &format!("  {}: {help}\n", style::strong("help"));
                }
                text
            }
            Self::File { doing, path, reason } => {
                format!("{}: cannot {doing} `{}`: {reason}\n", style::bad("error"), style::plain(path))
            }
            Self::Input { sources, diagnostics } => render::diagnostics(sources, diagnostics),
        }
    }

    pub(crate) fn json(&self) -> String {
        json::line(&self.value())
    }

    /// `{error: {kind, message, ..}}`, and the diagnostics of wrong input.
    pub(crate) fn value(&self) -> Value {
        match self {
            Self::Usage { message, help } => json!({ "error": { "kind": "usage", "message": message, "help": help } }),
            Self::File { doing, path, reason } => {
                json!({ "error": { "kind": "file", "message": format!("cannot {doing} `{path}`: {reason}"), "file": path } })
            }
            Self::Input { sources, diagnostics } => json!({
                "error": { "kind": "input", "message": diagnostics.first().map(|d| d.message.clone()) },
                "diagnostics": json::diagnostics(sources, diagnostics),
            }),
        }
    }
}
