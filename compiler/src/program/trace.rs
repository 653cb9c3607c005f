//! `roadlaw trace TABLE --events JSONL`.

use super::args::Format;
use super::decide::one_stdin;
use super::decided::Decided;
use super::events::{self, Event};
use super::fault::Fault;
use super::opened::{self, Given, Opened, obligations};
use super::{Answer, Exit, files, json, render, style};
use roadlaw_grammar::diagnostic::Diagnostic;
use roadlaw_grammar::span::Sources;
use roadlaw_runtime::format::{EDGES, OUTCOMES};
use roadlaw_runtime::{Run, RunError, Submitted};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;

/// Drives a run through the events. It stops at the first event that it refuses.
pub(crate) fn trace(path: &Path, events: &Path, format: Format) -> Result<Answer, Fault> {
    one_stdin(path, events)?;
    let bytes = opened::read(path)?;
    let o = Opened::new(path, &bytes)?;
    let sources = files::read_text(events)?;
    let (followed, sources) = found(&o, sources)?;
    let exit = if followed.refused.is_some() { Exit::Rejected } else { Exit::Proved };
    let text = match format {
        Format::Json => json::line(&followed.json(&o, path, &sources)),
        Format::Human => followed.human(&o, &sources),
    };
    Ok(Answer { text, exit })
}

/// The run, for people and for programs one after the other: what fuzzing looks at.
pub(crate) fn answer(o: &Opened<'_>, sources: Sources, path: &Path) -> Result<String, Fault> {
    let (followed, sources) = found(o, sources)?;
    Ok(followed.human(o, &sources) + &json::line(&followed.json(o, path, &sources)))
}

fn found(o: &Opened<'_>, sources: Sources) -> Result<(Followed, Sources), Fault> {
    match events::read(o, &sources).and_then(|list| follow(o, &list, &sources)) {
        Ok(followed) => Ok((followed, sources)),
        Err(diagnostics) => Err(Fault::Input { sources, diagnostics }),
    }
}

/// One step that was taken.
struct Taken {
    line: usize,
    outcome: u8,
    from: usize,
    to: usize,
    edge: usize,
    road: Option<usize>,
    obligations: u32,
    decided: Option<Decided>,
}

/// The run, and what it did.
struct Followed {
    start: usize,
    steps: Vec<Taken>,
    run: Run,
    ended: bool,
    refused: Option<(usize, Diagnostic)>,
}

fn follow(o: &Opened<'_>, events: &[Event], sources: &Sources) -> Result<Followed, Vec<Diagnostic>> {
    let mut given = o.nothing();
    let before = events.iter().take_while(|e| e.outcome.is_none());
    let first = events.iter().position(|e| e.outcome.is_some()).and_then(|i| events.get(i));
    // What an earlier run left, and which flow is run, stands at the beginning: the run starts with all of it.
    let mut flow = 0;
    for e in before.chain(first) {
        o.set(&mut given, e.facts.as_deref().unwrap_or_default(), e.facts_span).map_err(|d| vec![*d])?;
        flow = e.flow.unwrap_or(flow);
    }
    let Given { latches, .. } = given;
    let run = Run::start_with(&o.table, flow, latches)
        .map_err(|e| vec![Diagnostic::error("F005", events::end(sources), format!("the run cannot start: {e}"))])?;
    given = o.nothing();
    let mut f = Followed { start: run.node(), steps: Vec::new(), run, ended: false, refused: None };
    for e in events {
        if let Some(settings) = &e.facts {
            o.set(&mut given, settings, e.facts_span).map_err(|d| vec![*d])?;
            given.facts.set_epoch(f.run.epoch());
        }
        f.run.acknowledge(e.ack.unwrap_or(if e.outcome.is_some() { u32::MAX } else { 0 }));
        let Some(outcome) = e.outcome else { continue };
        let from = f.run.node();
        let choose = o.table.node(from).and_then(|n| n.choose());
        let decided = choose.map(|c| Decided::of(o, c, &given.facts, f.run.latches()));
        let generation = e.generation.unwrap_or(f.run.generation());
        match f.run.advance(&o.table, generation, outcome, &given.facts) {
            Ok(step) => {
                f.ended = step.ended;
                f.steps.push(Taken {
                    line: e.line,
                    outcome,
                    from,
                    to: step.node,
                    edge: step.edge,
                    road: step.road,
                    obligations: step.obligations,
                    decided,
                });
            }
            Err(why) => {
                f.refused = Some((e.line, refusal(o, &f.run, e, outcome, why)));
                break;
            }
        }
    }
    Ok(f)
}

/// Why the run does not move, and what it would take.
fn refusal(o: &Opened<'_>, run: &Run, e: &Event, outcome: u8, why: RunError) -> Diagnostic {
    let here = o.symbols.node(run.node());
    let word = OUTCOMES.get(usize::from(outcome)).copied().unwrap_or("");
    let at = if matches!(why, RunError::Outcome) { e.outcome_span } else { e.span };
    let (message, help) = match why {
        RunError::Outcome => {
            let possible = possible(o, run.node());
            let list = possible.iter().map(|w| format!("`{w}`")).collect::<Vec<_>>().join(", ");
            (format!("`{here}` cannot have the outcome `{word}`"), Some(format!("its outcomes are {list}")))
        }
        RunError::Unacknowledged { obligations: bits } => {
            let due = obligations(bits);
            let list = due.iter().map(|n| format!("\"{n}\"")).collect::<Vec<_>>().join(", ");
            let what = due.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ");
            (
                format!("obligations of `{here}` are not acknowledged: {what}"),
                Some(format!("meet them and write \"ack\": [{list}]")),
            )
        }
        RunError::StaleFacts { needed } => (
            format!("the facts are stale at `{here}`: they were read before epoch {needed} began"),
            Some("read them again and write \"facts\": {..}; an empty object says that nothing changed".to_owned()),
        ),
        RunError::StaleAttempt { current } => (
            format!("the outcome belongs to another attempt: the run at `{here}` is at generation {current}"),
            Some("drop the outcome of the old attempt".to_owned()),
        ),
        RunError::Ended => (format!("the run has ended at `{here}`"), None),
        other => (format!("the run refuses `{word}` at `{here}`: {other}"), None),
    };
    let mut d = Diagnostic::error("F005", at, message).with_primary_label(format!("the run stays at `{here}`"));
    d.help = help;
    d
}

/// Outcomes that the ports of a node name. A choose decides by itself: there the only answer is `ok`.
fn possible(o: &Opened<'_>, node: usize) -> Vec<&'static str> {
    if o.table.node(node).is_some_and(|n| n.choose().is_some()) {
        return vec!["ok"];
    }
    let mut words: Vec<&str> =
        o.table.ports(node).filter_map(|(code, _, _)| OUTCOMES.get(usize::from(code)).copied()).collect();
    words.dedup();
    words
}

fn submitted(s: Submitted) -> &'static str {
    match s {
        Submitted::None => "none",
        Submitted::Unknown => "unknown",
        Submitted::Known => "known",
    }
}

impl Taken {
    fn kind(&self, o: &Opened<'_>) -> &'static str {
        let kind = o.table.edge(self.edge).map_or(0, |e| e.kind());
        EDGES.get(usize::from(kind)).copied().unwrap_or("next")
    }

    fn said(&self) -> &'static str {
        // At a choose the facts say more than the event.
        match &self.decided {
            Some(d) if d.road.is_none() => "none",
            Some(_) => "chosen",
            None => OUTCOMES.get(usize::from(self.outcome)).copied().unwrap_or(""),
        }
    }

    fn json(&self, o: &Opened<'_>) -> Value {
        json!({
            "line": self.line,
            "from": o.symbols.node(self.from),
            "outcome": self.said(),
            "kind": self.kind(o),
            "to": o.symbols.node(self.to),
            "road": self.road.map(|r| o.symbols.road(r)),
            "obligations": obligations(self.obligations),
            "decision": self.decided.as_ref().map(|d| d.json(false)),
        })
    }
}

impl Followed {
    fn json(&self, o: &Opened<'_>, path: &Path, sources: &Sources) -> Value {
        let mut value = o.head(path);
        value["start"] = json!(o.symbols.node(self.start));
        value["steps"] = self.steps.iter().map(|s| s.json(o)).collect();
        value["place"] = json!(o.symbols.node(self.run.node()));
        value["ended"] = json!(self.ended);
        value["road"] = json!(self.run.road().map(|r| o.symbols.road(r)));
        value["epoch"] = json!(self.run.epoch());
        value["generation"] = json!(self.run.generation());
        value["submitted"] = json!(submitted(self.run.submitted()));
        value["open_obligations"] = json!(obligations(self.run.obligations()));
        value["refused"] = match &self.refused {
            Some((line, d)) => json!({ "line": line, "message": d.message, "help": d.help }),
            None => Value::Null,
        };
        let diagnostics: Vec<Diagnostic> = self.refused.iter().map(|(_, d)| d.clone()).collect();
        value["diagnostics"] = json!(json::diagnostics(sources, &diagnostics));
        value
    }

    fn human(&self, o: &Opened<'_>, sources: &Sources) -> String {
        let node = |n: usize| style::plain(o.symbols.node(n));
        let mut text = format!("{}  {}\n", style::strong("start"), node(self.start));
        let width = self.steps.iter().map(|s| node(s.from).chars().count()).max().unwrap_or(0);
        let said = self.steps.iter().map(|s| s.said().chars().count()).max().unwrap_or(0);
        for s in &self.steps {
            let arrow = if s.kind(o) == "next" { "->".to_owned() } else { format!("-{}->", s.kind(o)) };
            let _ = writeln!(text, "  {:width$}  {:said$}  {arrow} {}", node(s.from), s.said(), node(s.to));
            if let Some(d) = &s.decided {
                for line in d.lines(false) {
                    let _ = writeln!(text, "  {:width$}    {}", "", style::faint(style::plain(&line)));
                }
            }
            if s.obligations != 0 {
                let line = format!("obligations: {}", obligations(s.obligations).join(", "));
                let _ = writeln!(text, "  {:width$}    {}", "", style::faint(line));
            }
        }
        if let Some((_, d)) = &self.refused {
            text += &render::diagnostics(sources, std::slice::from_ref(d));
        }
        let word = match (&self.refused, self.ended) {
            (Some(_), _) => style::bad("refused"),
            (None, true) => style::good("ended"),
            (None, false) => style::strong("waits"),
        };
        let _ = writeln!(text, "{word}  at {}", node(self.run.node()));
        let (epoch, generation) = (self.run.epoch(), self.run.generation());
        let submitted = submitted(self.run.submitted());
        let _ = writeln!(text, "  epoch {epoch}, generation {generation}, submitted {submitted}");
        text
    }
}
