//! `roadlaw decide TABLE --facts JSON`: what happens to a piece of work with these facts, as long as every gate answers `ok`.

use super::args::Format;
use super::fault::Fault;
use super::view::{View, hex, obligations};
use super::{Answer, Exit, document, files, json, style};
use roadlaw_grammar::span::FileId;
use roadlaw_runtime::format::{OK, node};
use roadlaw_runtime::{Facts, Latches, Run};
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;

#[derive(Debug, Serialize)]
struct Decided {
    policy: String,
    digest: String,
    /// The road that a choose took, or that the first send, call or wait is for.
    road: Option<String>,
    /// Where the run comes to: a send, call or wait, or its end.
    place: String,
    /// Nodes that are entered on the way.
    path: Vec<String>,
    /// What the steps on the way oblige to.
    obligations: Vec<&'static str>,
    chooses: Vec<Chosen>,
}

#[derive(Debug, Serialize)]
struct Chosen {
    node: String,
    road: Option<String>,
    roads: Vec<Candidate>,
}

#[derive(Debug, Serialize)]
struct Candidate {
    road: String,
    open: bool,
    /// The first reason that closes it.
    closed_by: Option<String>,
}

/// Decides. A refusal is a decision like any other.
pub(crate) fn decide(table: &Path, facts: &Path, format: Format) -> Result<Answer, Fault> {
    let bytes = files::read(table)?;
    let view = View::new(table, &bytes)?;
    let sources = files::read_text(facts)?;
    let text = sources.file(FileId(0)).map_or("", |f| f.text.as_str()).to_owned();
    let (mut known, mut latches) = (Facts::new(), Latches::fresh(&view.table));
    let item = match document::read(FileId(0), &text, 0, text.len()) {
        Ok(item) => item,
        Err(d) => return Err(Fault::Input { sources, diagnostics: vec![d] }),
    };
    if let Err(diagnostics) = view.apply(&item, &mut known, &mut latches) {
        return Err(Fault::Input { sources, diagnostics });
    }
    let made = walk(&view, known, latches);
    let text = match format {
        Format::Json => json::line(&made),
        Format::Human => human(&made),
    };
    Ok(Answer { text, exit: Exit::Proved })
}

fn walk(view: &View<'_>, mut facts: Facts, latches: Latches) -> Decided {
    let table = &view.table;
    let mut made = Decided {
        policy: view.policy(),
        digest: hex(&table.digest()),
        road: None,
        place: String::new(),
        path: Vec::new(),
        obligations: Vec::new(),
        chooses: Vec::new(),
    };
    let Ok(mut run) = Run::start_with(table, 0, latches) else { return made };
    let mut owed = 0;
    // No run of a proved table is longer than its nodes without meeting a send, a call or a wait.
    for _ in 0..=table.nodes() {
        let Some(here) = table.node(run.node()) else { break };
        if carries(here.kind()) || here.is_terminal() {
            made.road = here.road().map(|r| view.road(r)).or(made.road);
            break;
        }
        if let (Some(choose), Some(decision)) = (here.choose(), run.decision(table, &facts)) {
            let roads = table.candidates(choose).enumerate().map(|(position, r)| {
                let why = table.reason(choose, position, &facts, run.latches());
                Candidate { road: view.road(r), open: why.is_none(), closed_by: why.map(|w| view.reason(r, w)) }
            });
            let roads = roads.collect();
            made.road = decision.road().map(|r| view.road(r));
            made.chooses.push(Chosen { node: view.node(run.node()), road: made.road.clone(), roads });
        }
        run.acknowledge(u32::MAX);
        facts.set_epoch(run.epoch());
        let Ok(step) = run.advance(table, run.generation(), OK, &facts) else { break };
        owed |= step.obligations;
        made.path.push(view.node(step.node));
    }
    made.place = view.node(run.node());
    made.obligations = obligations(owed);
    made
}

fn carries(kind: u8) -> bool {
    matches!(kind, node::SEND | node::CALL | node::AWAIT_USER | node::AWAIT_EXTERNAL)
}

fn human(d: &Decided) -> String {
    let mut text = match &d.road {
        Some(road) => format!("{}  {}\n", style::good(&d.place), style::faint(format!("road `{road}`, {}", d.policy))),
        None => format!("{}  {}\n", style::strong(&d.place), style::faint(&d.policy)),
    };
    for c in &d.chooses {
        for r in &c.roads {
            let said = match &r.closed_by {
                Some(why) => format!("closed by `{why}`"),
                None if c.road.as_ref() == Some(&r.road) => "taken".to_owned(),
                None => "open".to_owned(),
            };
            let _ = writeln!(text, "  {:<12} {said}", r.road);
        }
    }
    if !d.path.is_empty() {
        let _ = writeln!(text, "  {:<12} {}", "path", d.path.join(" -> "));
    }
    if !d.obligations.is_empty() {
        let _ = writeln!(text, "  {:<12} {}", "obligations", d.obligations.join(", "));
    }
    text
}
