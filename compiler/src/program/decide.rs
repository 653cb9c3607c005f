//! `roadlaw decide TABLE --facts JSON [--explain]`.

use super::args::Format;
use super::binding::bind;
use super::decided::Decided;
use super::document;
use super::fault::Fault;
use super::opened::{self, Opened, obligations};
use super::{Answer, Exit, files, json, style};
use roadlaw_grammar::diagnostic::Diagnostic;
use roadlaw_grammar::span::{FileId, Sources};
use roadlaw_runtime::Run;
use roadlaw_runtime::format::{OK, node};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;

/// Steps after which the gates are taken to go in circles.
const LONGEST: usize = 100_000;

/// Where the work goes if every gate passes: gates answer `ok` until something is sent, called or awaited, or the flow
/// ends. A refusal is a decision like any other.
pub(crate) fn decide(path: &Path, facts: &Path, explain: bool, format: Format) -> Result<Answer, Fault> {
    one_stdin(path, facts)?;
    let bytes = opened::read(path)?;
    let table = Opened::new(path, &bytes)?;
    let sources = files::read_text(facts)?;
    let way = found(&table, sources)?;
    let text = match format {
        Format::Json => json::line(&way.json(&table, path, explain)),
        Format::Human => way.human(&table, explain),
    };
    Ok(Answer { text, exit: Exit::Proved })
}

/// The decision, for people and for programs one after the other: what fuzzing looks at.
pub(crate) fn answer(o: &Opened<'_>, sources: Sources, path: &Path) -> Result<String, Fault> {
    let way = found(o, sources)?;
    Ok(way.human(o, true) + &json::line(&way.json(o, path, true)))
}

fn found(o: &Opened<'_>, sources: Sources) -> Result<Way, Fault> {
    settle(o, &sources).map_err(|diagnostics| Fault::Input { sources, diagnostics })
}

/// Standard input can be read once.
pub(crate) fn one_stdin(a: &Path, b: &Path) -> Result<(), Fault> {
    if a.as_os_str() == "-" && b.as_os_str() == "-" {
        return Err(Fault::Usage {
            message: "both inputs are standard input".to_owned(),
            help: Some("name a file for one of them".to_owned()),
        });
    }
    Ok(())
}

struct Way {
    decisions: Vec<Decided>,
    /// Nodes entered, with their obligations.
    path: Vec<(usize, u32)>,
    place: usize,
    terminal: bool,
    word: &'static str,
}

fn settle(o: &Opened<'_>, sources: &Sources) -> Result<Way, Vec<Diagnostic>> {
    let text = sources.file(FileId(0)).map_or("", |f| f.text.as_str());
    let item = document::read(FileId(0), text, 0, text.len()).map_err(|d| vec![d])?;
    let settings = bind(&o.names, &item)?;
    let mut given = o.nothing();
    o.set(&mut given, &settings, item.span).map_err(|d| vec![*d])?;
    let refused = |e: roadlaw_runtime::RunError| {
        vec![Diagnostic::error("F005", item.span, format!("the table cannot be run with these facts: {e}"))]
    };
    let mut run = Run::start_with(&o.table, 0, given.latches).map_err(refused)?;
    let mut way =
        Way { decisions: Vec::new(), path: vec![(run.node(), 0)], place: run.node(), terminal: false, word: "" };
    for _ in 0..LONGEST {
        let Some(here) = o.table.node(run.node()) else { break };
        (way.place, way.terminal, way.word) = (run.node(), here.is_terminal(), here.word());
        if here.is_terminal() || waits(here.kind()) {
            break;
        }
        if let Some(choose) = here.choose() {
            way.decisions.push(Decided::of(o, choose, &given.facts, run.latches()));
        }
        run.acknowledge(u32::MAX);
        given.facts.set_epoch(run.epoch());
        let step = run.advance(&o.table, run.generation(), OK, &given.facts).map_err(refused)?;
        way.path.push((step.node, step.obligations));
    }
    Ok(way)
}

/// Nothing answers here by itself.
fn waits(kind: u8) -> bool {
    matches!(
        kind,
        node::SEND
            | node::CALL
            | node::AWAIT_USER
            | node::AWAIT_EXTERNAL
            | node::RECONCILE
            | node::REVIEW
            | node::REPAIR
    )
}

impl Way {
    fn road(&self) -> Option<&str> {
        if self.terminal { None } else { self.decisions.iter().rev().find_map(|d| d.road.as_deref()) }
    }

    fn decision(&self) -> &'static str {
        match (self.terminal, self.word) {
            (false, _) => "road",
            (true, "done") => "done",
            (true, _) => "refusal",
        }
    }

    fn all_obligations(&self) -> Vec<&'static str> {
        obligations(self.path.iter().fold(0, |all, (_, bits)| all | bits))
    }

    fn json(&self, o: &Opened<'_>, path: &Path, explain: bool) -> Value {
        let mut value = o.head(path);
        value["decision"] = json!(self.decision());
        value["road"] = json!(self.road());
        value["place"] = json!(o.symbols.node(self.place));
        value["chooses"] = self.decisions.iter().map(|d| d.json(explain)).collect();
        value["obligations"] = json!(self.all_obligations());
        value["path"] = self
            .path
            .iter()
            .map(|(n, bits)| json!({ "node": o.symbols.node(*n), "obligations": obligations(*bits) }))
            .collect();
        value
    }

    fn human(&self, o: &Opened<'_>, explain: bool) -> String {
        let place = style::plain(o.symbols.node(self.place));
        let mut text = match (self.road(), self.decision()) {
            (Some(road), _) => format!("{}  at {place}", style::good(style::plain(road))),
            (None, "refusal") => style::bad(&place),
            (None, _) => style::good(&place),
        };
        let _ = writeln!(text, "  {}", style::faint(format_args!("policy {}", style::plain(o.policy()))));
        for d in &self.decisions {
            let _ = writeln!(text, "  {}", style::strong(style::plain(&d.choose)));
            for line in d.lines(explain) {
                let _ = writeln!(text, "    {}", style::plain(&line));
            }
        }
        let names: Vec<String> = self.path.iter().map(|(n, _)| style::plain(o.symbols.node(*n))).collect();
        let _ = writeln!(text, "  {}  {}", style::strong("passes"), names.join(" -> "));
        let due: Vec<String> = self
            .path
            .iter()
            .filter(|(_, bits)| *bits != 0)
            .map(|(n, bits)| format!("{} at {}", obligations(*bits).join(", "), style::plain(o.symbols.node(*n))))
            .collect();
        if !due.is_empty() {
            let _ = writeln!(text, "  {}  {}", style::strong("obligations"), due.join("; "));
        }
        text
    }
}
