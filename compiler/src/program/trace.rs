//! `roadlaw trace TABLE --events JSONL`: drives one run, an event a line.
//!
//! An event is an object with any of: `facts` (names and values, which also says that volatile facts were read anew),
//! `outcome` (of the node the run is at), `ack` (obligations that were met; all of them if it is not there). A line without
//! an outcome only sets facts.

use super::args::Format;
use super::document::{Field, Item, Value};
use super::fault::Fault;
use super::nearest::nearest;
use super::view::{View, obligations};
use super::{Answer, Exit, document, files, json, style};
use roadlaw_grammar::diagnostic::Diagnostic;
use roadlaw_grammar::span::FileId;
use roadlaw_runtime::format::{OUTCOMES, obligation};
use roadlaw_runtime::{Facts, Latches, Run};
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;

#[derive(Debug, Serialize)]
struct Traced {
    policy: String,
    steps: Vec<Moved>,
    refused: Option<Refused>,
    place: String,
    ended: bool,
}

#[derive(Debug, Serialize)]
struct Moved {
    line: u32,
    from: String,
    outcome: String,
    node: String,
    road: Option<String>,
    obligations: Vec<&'static str>,
    epoch: u32,
    generation: u32,
}

#[derive(Debug, Serialize)]
struct Refused {
    line: u32,
    at: String,
    reason: String,
}

/// What one line says.
struct Event<'a> {
    facts: Option<&'a Item>,
    outcome: Option<u8>,
    ack: u32,
}

/// Drives a run until the events end or it refuses one.
pub(crate) fn trace(table: &Path, events: &Path, format: Format) -> Result<Answer, Fault> {
    let bytes = files::read(table)?;
    let view = View::new(table, &bytes)?;
    let sources = files::read_text(events)?;
    let text = sources.file(FileId(0)).map_or("", |f| f.text.as_str()).to_owned();
    match drive(&view, &text) {
        Err(diagnostics) => Err(Fault::Input { sources, diagnostics }),
        Ok(made) => {
            let exit = if made.refused.is_some() { Exit::Rejected } else { Exit::Proved };
            let text = if format == Format::Json { json::line(&made) } else { human(&made) };
            Ok(Answer { text, exit })
        }
    }
}

/// All lines are read before the first is used: a trace is wrong as a whole or not at all.
fn drive(view: &View<'_>, text: &str) -> Result<Traced, Vec<Diagnostic>> {
    let mut lines = Vec::new();
    let mut at = 0;
    for (n, line) in text.split_inclusive('\n').enumerate() {
        if !line.trim().is_empty() {
            let item = document::read(FileId(0), text, at, at + line.trim_end().len()).map_err(|d| vec![d])?;
            lines.push((u32::try_from(n + 1).unwrap_or(u32::MAX), item));
        }
        at += line.len();
    }
    let parsed = lines.iter().map(|(n, item)| Ok((*n, event(item)?))).collect::<Result<Vec<_>, Vec<Diagnostic>>>()?;
    let (mut facts, mut latches) = (Facts::new(), Latches::fresh(&view.table));
    for (_, e) in &parsed {
        // Names and values are checked before anything moves.
        if let Some(item) = e.facts {
            view.apply(item, &mut facts, &mut latches)?;
        }
    }
    let mut made =
        Traced { policy: view.policy(), steps: Vec::new(), refused: None, place: String::new(), ended: false };
    let mut facts = Facts::new();
    let mut latches = Latches::fresh(&view.table);
    let mut run: Option<Run> = None;
    for (line, e) in parsed {
        if let Some(item) = e.facts {
            view.apply(item, &mut facts, &mut latches)?;
            facts.set_epoch(run.map_or(0, |r| r.epoch()));
        }
        let Some(outcome) = e.outcome else { continue };
        let Ok(current) = run.map_or_else(|| Run::start_with(&view.table, 0, latches), Ok) else { break };
        let mut next = current;
        next.acknowledge(e.ack);
        match next.advance(&view.table, next.generation(), outcome, &facts) {
            Ok(step) => made.steps.push(Moved {
                line,
                from: view.node(current.node()),
                outcome: OUTCOMES.get(usize::from(outcome)).copied().unwrap_or("").to_owned(),
                node: view.node(step.node),
                road: step.road.map(|r| view.road(r)),
                obligations: obligations(step.obligations),
                epoch: next.epoch(),
                generation: next.generation(),
            }),
            Err(why) => {
                let mut reason = why.to_string();
                if let roadlaw_runtime::RunError::Unacknowledged { obligations: open } = why {
                    reason = format!("obligations are not acknowledged: {}", obligations(open).join(", "));
                }
                made.refused = Some(Refused { line, at: view.node(current.node()), reason });
                run = Some(current);
                break;
            }
        }
        run = Some(next);
    }
    let at = run.or_else(|| Run::start(&view.table, 0).ok()).map_or(0, |r| r.node());
    made.place = view.node(at);
    made.ended = view.table.node(at).is_some_and(|n| n.is_terminal());
    Ok(made)
}

fn event(item: &Item) -> Result<Event<'_>, Vec<Diagnostic>> {
    let wrong = |item: &Item, message: String| vec![Diagnostic::error("F005", item.span, message)];
    let Value::Object(fields) = &item.value else {
        return Err(vec![
            Diagnostic::error("F005", item.span, format!("an event is an object, and this is {}", item.noun()))
                .with_help("write {\"outcome\": \"ok\"}, {\"facts\": {..}} or both"),
        ]);
    };
    let mut made = Event { facts: None, outcome: None, ack: u32::MAX };
    for Field { name, name_span, item } in fields {
        match (name.as_str(), &item.value) {
            ("facts", _) => made.facts = Some(item),
            ("outcome", Value::Text(word)) => {
                let code = OUTCOMES.iter().position(|w| w == word && !w.is_empty());
                let Some(code) = code.and_then(|c| u8::try_from(c).ok()) else {
                    let mut d = Diagnostic::error("F005", item.span, format!("no outcome is called `{word}`"));
                    d.help = nearest(word, OUTCOMES.iter().copied().filter(|w| !w.is_empty()))
                        .map(|n| format!("did you mean `{n}`?"));
                    return Err(vec![d]);
                };
                made.outcome = Some(code);
            }
            ("ack", Value::List(words)) => {
                made.ack = 0;
                for w in words {
                    let Value::Text(word) = &w.value else {
                        return Err(wrong(w, format!("an obligation is a string, and this is {}", w.noun())));
                    };
                    let Some(bit) = obligation::NAMES.iter().position(|n| n == word) else {
                        let mut d = Diagnostic::error("F005", w.span, format!("no obligation is called `{word}`"));
                        let help = nearest(word, obligation::NAMES.iter().copied());
                        d.help = help.map(|n| format!("did you mean `{n}`?"));
                        return Err(vec![d]);
                    };
                    made.ack |= 1 << bit;
                }
            }
            ("outcome" | "ack", _) => {
                let wanted = if name == "ack" { "a list of obligations" } else { "a string" };
                return Err(wrong(item, format!("`{name}` is {wanted}, and this is {}", item.noun())));
            }
            _ => {
                let mut d = Diagnostic::error("F005", *name_span, format!("an event has no `{name}`"));
                let help = nearest(name, ["facts", "outcome", "ack"]);
                d.help = Some(help.map_or_else(
                    || "write `facts`, `outcome` or `ack`".to_owned(),
                    |n| format!("did you mean `{n}`?"),
                ));
                return Err(vec![d]);
            }
        }
    }
    Ok(made)
}

fn human(t: &Traced) -> String {
    let mut text = String::new();
    for s in &t.steps {
        let _ = write!(text, "{:>4}  {} {} -> {}", s.line, s.from, style::faint(&s.outcome), style::strong(&s.node));
        if !s.obligations.is_empty() {
            let _ = write!(text, "  {}", style::faint(format!("owes {}", s.obligations.join(", "))));
        }
        text.push('\n');
    }
    if let Some(r) = &t.refused {
        let _ = writeln!(text, "{:>4}  {} at {}: {}", r.line, style::bad("refused"), r.at, r.reason);
    }
    let _ = writeln!(text, "{} {}", if t.ended { "ended at" } else { "stands at" }, style::strong(&t.place));
    text
}
