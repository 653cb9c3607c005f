//! `roadlaw inspect TABLE`: everything that the bytes hold, for people and for programs.

use super::args::Format;
use super::binding::Kind;
use super::fault::Fault;
use super::view::{View, hex, obligations};
use super::{Answer, Exit, files, json, style};
use roadlaw_compiler::model::{Change, Guard};
use roadlaw_compiler::validate;
use roadlaw_runtime::format::{EDGES, OUTCOMES, SECTIONS, rank};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;

/// Words of lifetimes by code.
const LIVES: [&str; 5] = ["pinned", "sealed", "volatile", "latch", "rank"];
/// Words of shapes by code.
const SHAPES: [&str; 7] = ["local", "portal", "peer", "coding", "coding_local", "human", "option"];

/// Shows a table.
pub(crate) fn inspect(table: &Path, format: Format) -> Result<Answer, Fault> {
    let bytes = files::read(table)?;
    let view = View::new(table, &bytes)?;
    let (filters, edges) =
        validate::guards(&bytes).map_err(|reason| Fault::File { doing: "use", path: files::name(table), reason })?;
    let value = object(&view, bytes.len(), &filters, &edges);
    let text = if format == Format::Json { json::line(&value) } else { human(&value) };
    Ok(Answer { text, exit: Exit::Proved })
}

fn object(view: &View<'_>, length: usize, filters: &[Guard], guards: &[Guard]) -> Value {
    let t = &view.table;
    let shown = |g: Option<&Guard>| g.map(|g| guard(view, g));
    let cells: Vec<Value> = (0..t.cells())
        .filter_map(|i| {
            let (c, name) = (t.cell(i)?, view.cells.get(i)?);
            let life = LIVES.get(usize::from(c.life())).copied().unwrap_or("");
            Some(json!({
                "name": name.name, "life": life, "type": kind(&name.kind),
                "unknown": c.strict().map(|v| value(&name.kind, v)),
            }))
        })
        .collect();
    let roads: Vec<Value> = (0..t.roads())
        .filter_map(|i| {
            let r = t.road(i)?;
            let list: Vec<Value> = (r.first_filter()..r.first_filter() + r.filters())
                .map(|f| json!({ "name": view.filter(f), "guard": shown(filters.get(f)) }))
                .collect();
            let shape = SHAPES.get(usize::from(r.shape())).copied().unwrap_or("");
            Some(json!({ "name": view.road(i), "shape": shape, "remote": r.remote(), "reviewer": r.reviewer(), "filters": list }))
        })
        .collect();
    let nodes: Vec<Value> = (0..t.nodes())
        .filter_map(|i| {
            let n = t.node(i)?;
            let edges: Vec<Value> = t
                .edges_of(i)
                .filter_map(|k| {
                    let e = t.edge(k)?;
                    let changes: Vec<&str> = Change::ALL
                        .iter()
                        .enumerate()
                        .filter(|(b, _)| e.changes() >> b & 1 == 1)
                        .map(|(_, c)| c.word())
                        .collect();
                    Some(json!({
                        "outcome": OUTCOMES.get(usize::from(e.outcome())),
                        "candidate": e.candidate().map(|r| view.road(r)),
                        "kind": EDGES.get(usize::from(e.kind())),
                        "to": view.node(e.to()),
                        "guard": e.guard().and_then(|_| shown(guards.get(k))),
                        "rank": match e.rank() { rank::GUARDED => "guarded", rank::SPENT => "spent", _ => "else" },
                        "counter": e.counter().map(|c| view.counter(c)),
                        "changes": changes,
                        "obligations": obligations(e.obligations()),
                    }))
                })
                .collect();
            Some(json!({
                "name": view.node(i), "kind": n.word(), "flow": view.flow(n.flow()),
                "road": n.road().map(|r| view.road(r)),
                "obligations": obligations(n.obligations()), "edges": edges,
            }))
        })
        .collect();
    let sizes = t.section_sizes();
    let sections: Vec<Value> = SECTIONS
        .iter()
        .zip(sizes)
        .map(|((name, size), records)| json!({ "name": name, "records": records, "bytes": records * size }))
        .collect();
    json!({
        "policy": view.policy(),
        "bytes": length,
        "digest": hex(&t.digest()),
        "model": hex(&t.model_digest()),
        "proof": hex(&t.proof_digest()),
        "sections": sections,
        "cells": cells,
        "roads": roads,
        "counters": (0..t.counters()).map(|i| json!({ "name": view.counter(i), "max": t.counter_max(i) })).collect::<Vec<_>>(),
        "flows": (0..t.flows()).filter_map(|i| {
            let f = t.flow(i)?;
            Some(json!({ "name": view.flow(i), "start": view.node(f.start()), "of": f.of().map(|r| view.road(r)), "calls": f.calls() }))
        }).collect::<Vec<_>>(),
        "nodes": nodes,
    })
}

fn kind(k: &Kind) -> String {
    match k {
        Kind::Bool => "bool".to_owned(),
        Kind::Word(words) => format!("{{ {} }}", words.join(", ")),
        Kind::Set(labels) => format!("set {{ {} }}", labels.join(", ")),
        Kind::Int(lo, hi) => format!("int {lo}..{hi}"),
    }
}

fn value(k: &Kind, v: i64) -> String {
    match k {
        Kind::Bool => (v == 1).to_string(),
        Kind::Word(words) => usize::try_from(v).ok().and_then(|i| words.get(i)).cloned().unwrap_or_default(),
        Kind::Set(labels) => set(labels, v.cast_unsigned()),
        Kind::Int(..) => v.to_string(),
    }
}

fn set(labels: &[String], mask: u64) -> String {
    let names: Vec<&str> =
        labels.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1).map(|(_, l)| l.as_str()).collect();
    format!("{{ {} }}", names.join(", "))
}

/// A guard in the words of the language.
fn guard(view: &View<'_>, g: &Guard) -> String {
    let cell = |f: &roadlaw_compiler::model::FactId| view.cells.get(f.index());
    let name = |f: &roadlaw_compiler::model::FactId| cell(f).map_or("?", |c| c.name.as_str());
    let labels = |f: &roadlaw_compiler::model::FactId, mask: u64| match cell(f).map(|c| &c.kind) {
        Some(Kind::Set(labels)) => set(labels, mask),
        _ => mask.to_string(),
    };
    let join = |gs: &[Guard], word: &str| {
        let parts: Vec<String> = gs
            .iter()
            .map(|g| match g {
                Guard::And(_) | Guard::Or(_) => format!("({})", guard(view, g)),
                g => guard(view, g),
            })
            .collect();
        parts.join(word)
    };
    match g {
        Guard::True => "true".to_owned(),
        Guard::False => "false".to_owned(),
        Guard::Not(g) => match &**g {
            Guard::And(_) | Guard::Or(_) => format!("not ({})", guard(view, g)),
            g => format!("not {}", guard(view, g)),
        },
        Guard::And(gs) => join(gs, " and "),
        Guard::Or(gs) => join(gs, " or "),
        Guard::In(f, vs) => match (cell(f).map(|c| &c.kind), vs.as_slice()) {
            (Some(Kind::Bool), [1]) => name(f).to_owned(),
            (Some(Kind::Bool), [0]) => format!("not {}", name(f)),
            (Some(k), vs) => {
                let words: Vec<String> = vs.iter().map(|v| value(k, *v)).collect();
                format!("{} in {{ {} }}", name(f), words.join(", "))
            }
            (None, _) => "?".to_owned(),
        },
        Guard::Range(f, lo, hi) => match cell(f).map(|c| &c.kind) {
            Some(Kind::Int(least, _)) if i64::from(*lo) <= *least => format!("{} <= {hi}", name(f)),
            Some(Kind::Int(_, most)) if i64::from(*hi) >= *most => format!("{} >= {lo}", name(f)),
            _ => format!("{} >= {lo} and {} <= {hi}", name(f), name(f)),
        },
        Guard::Diff { left, right, plus: 0 } => format!("{} <= {}", name(left), name(right)),
        Guard::Diff { left, right, plus } => format!("{} <= {} + {plus}", name(left), name(right)),
        Guard::HasAny(f, mask) => format!("{} has any {}", name(f), labels(f, *mask)),
        Guard::HasAll(f, mask) => format!("{} has all {}", name(f), labels(f, *mask)),
        Guard::Unknown(f) => format!("{} is unknown", name(f)),
    }
}

fn human(v: &Value) -> String {
    let text = |v: &Value| v.as_str().unwrap_or_default().to_owned();
    let list = |v: &Value| v.as_array().cloned().unwrap_or_default();
    let words = |v: &Value| list(v).iter().map(&text).collect::<Vec<_>>().join(", ");
    let mut out = format!("{}  {} bytes\n", style::strong(text(&v["policy"])), v["bytes"]);
    for (label, field) in [("digest", "digest"), ("model", "model"), ("proof", "proof")] {
        let _ = writeln!(out, "  {label:<7} {}", text(&v[field]));
    }
    let sections = list(&v["sections"]).into_iter().filter(|s| s["records"] != 0);
    let sizes: Vec<String> = sections.map(|s| format!("{} {}", text(&s["name"]), s["bytes"])).collect();
    let _ = writeln!(out, "  bytes   {}", sizes.join(", "));
    let _ = writeln!(out, "\n{}", style::strong("facts"));
    for c in list(&v["cells"]) {
        let unknown = c["unknown"].as_str().map_or_else(String::new, |u| format!("  unknown = {u}"));
        let _ = writeln!(out, "  {:<9}{} : {}{unknown}", text(&c["life"]), text(&c["name"]), text(&c["type"]));
    }
    let _ = writeln!(out, "\n{}", style::strong("roads"));
    for r in list(&v["roads"]) {
        let remote = if r["remote"] == true { ", remote" } else { "" };
        let reviewer = if r["reviewer"] == true { ", reviewer" } else { "" };
        let _ = writeln!(out, "  {} : {}{remote}{reviewer}", text(&r["name"]), text(&r["shape"]));
        for f in list(&r["filters"]) {
            let _ = writeln!(out, "    {:<16} {}", text(&f["name"]), text(&f["guard"]));
        }
    }
    for c in list(&v["counters"]) {
        let _ = writeln!(out, "\n{} {} = {}", style::strong("counter"), text(&c["name"]), c["max"]);
    }
    for f in list(&v["flows"]) {
        let _ = writeln!(out, "\n{} {} from {}", style::strong("flow"), text(&f["name"]), text(&f["start"]));
        for n in list(&v["nodes"]).into_iter().filter(|n| n["flow"] == f["name"]) {
            let owed = words(&n["obligations"]);
            let owed = if owed.is_empty() { String::new() } else { style::faint(format!("  owes {owed}")) };
            let _ = writeln!(out, "  {}{owed}", text(&n["name"]));
            for e in list(&n["edges"]) {
                let mut line = text(&e["outcome"]);
                if let Some(r) = e["candidate"].as_str() {
                    line = r.to_owned();
                }
                let arrow = match e["kind"].as_str() {
                    Some("next") | None => "->".to_owned(),
                    Some(k) => format!("-{k}->"),
                };
                let _ = write!(line, " {arrow} {}", text(&e["to"]));
                if let Some(g) = e["guard"].as_str() {
                    let _ = write!(line, "  when {g}");
                }
                match (e["rank"].as_str(), e["counter"].as_str()) {
                    (Some("spent"), Some(c)) => _ = write!(line, "  if {c} is spent"),
                    (_, Some(c)) => _ = write!(line, "  takes {c}"),
                    (Some("else"), _) => line += "  else",
                    _ => {}
                }
                let changes = words(&e["changes"]);
                if !changes.is_empty() {
                    let _ = write!(line, "  changes {{ {changes} }}");
                }
                let _ = writeln!(out, "    {line}");
            }
        }
    }
    out
}
