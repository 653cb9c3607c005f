//! `roadlaw inspect TABLE`: everything that the bytes say. One listing is made, and shown as text or as JSON.

use super::args::Format;
use super::fault::Fault;
use super::opened::{self, Opened, hex, obligations};
use super::{Answer, Exit, guards, json, style};
use roadlaw_compiler::model::Change;
use roadlaw_compiler::validate::{ChooseView, OrderView};
use roadlaw_runtime::format::{self, EDGES, OUTCOMES, rank};
use roadlaw_runtime::{CellKind, Road};
use serde_json::{Value, json};
use std::path::Path;

const LIVES: [&str; 5] = ["pinned", "sealed", "volatile", "latch", "rank"];
const SHAPES: [&str; 7] = ["local", "portal", "peer", "coding", "coding_local", "human", "option"];

/// The listing.
pub(crate) fn inspect(path: &Path, format: Format) -> Result<Answer, Fault> {
    let bytes = opened::read(path)?;
    let o = Opened::new(path, &bytes)?;
    let listing = listing(&o, path, bytes.len());
    let text = match format {
        Format::Json => json::line(&listing),
        Format::Human => super::listing::human(&listing),
    };
    Ok(Answer { text, exit: Exit::Proved })
}

pub(crate) fn listing(o: &Opened<'_>, path: &Path, bytes: usize) -> Value {
    let mut value = o.head(path);
    value["model_digest"] = json!(hex(&o.table.model_digest()));
    value["proof_digest"] = json!(hex(&o.table.proof_digest()));
    value["format"] = json!(format::VERSION);
    value["bytes"] = json!(bytes);
    value["stripped"] = json!(o.symbols.policy.is_none());
    value["header_bytes"] = json!(format::HEADER);
    value["sections"] = format::SECTIONS
        .iter()
        .zip(o.table.section_sizes())
        .map(|((name, size), records)| json!({ "name": name, "records": records, "bytes": records * size }))
        .collect();
    value["facts"] = (0..o.table.cells()).filter_map(|i| fact(o, i)).collect();
    value["counters"] = (0..o.table.counters())
        .map(|i| json!({ "id": i, "name": o.symbols.counters.get(i), "max": o.table.counter_max(i) }))
        .collect();
    value["roads"] = (0..o.table.roads()).filter_map(|i| Some(road(o, i, o.table.road(i)?))).collect();
    value["chooses"] = o.view.chooses.iter().enumerate().map(|(i, c)| choose(o, i, c)).collect();
    value["flows"] = (0..o.table.flows()).filter_map(|i| flow(o, i)).collect();
    value
}

fn fact(o: &Opened<'_>, i: usize) -> Option<Value> {
    let cell = o.table.cell(i)?;
    let labels = o.symbols.cells.get(i).map(|c| c.labels.clone()).unwrap_or_default();
    let of = match cell.kind() {
        CellKind::Bool => "bool".to_owned(),
        CellKind::Enum { .. } => format!("enum {{ {} }}", labels.join(", ")),
        CellKind::Level { .. } => format!("level {{ {} }}", labels.join(" < ")),
        CellKind::Set { .. } => format!("set {{ {} }}", labels.join(", ")),
        CellKind::Int { lo, hi } => format!("int {lo}..{hi}"),
    };
    Some(json!({
        "id": i,
        "name": o.symbols.cell(i),
        "life": LIVES.get(usize::from(cell.life())),
        "type": of,
        "labels": labels,
        "unknown": cell.strict().and_then(|v| guards::value(&o.table, &o.symbols, i, v)),
        "written_by_run": cell.latch(),
    }))
}

fn road(o: &Opened<'_>, i: usize, r: Road) -> Value {
    let filters: Vec<Value> = (r.first_filter()..r.first_filter() + r.filters())
        .map(|k| {
            let guard = o.view.filters.get(k).map(|g| guards::text(&o.table, &o.symbols, g));
            json!({ "name": o.symbols.filters.get(k), "guard": guard })
        })
        .collect();
    json!({
        "id": i,
        "name": o.symbols.road(i),
        "shape": SHAPES.get(usize::from(r.shape())),
        "remote": r.remote(),
        "reviewer": r.reviewer(),
        "filters": filters,
    })
}

fn choose(o: &Opened<'_>, i: usize, c: &ChooseView) -> Value {
    let roads = |list: &[usize]| list.iter().map(|r| o.symbols.road(*r).to_owned()).collect::<Vec<_>>();
    let profiles: Vec<Value> = c
        .profiles
        .iter()
        .map(|(value, order)| {
            let of = c.by.map(|by| o.symbols.label(by, *value));
            match order {
                OrderView::Static(list) => json!({ "value": of, "order": roads(list), "keys": Value::Null }),
                OrderView::Keys(keys) => {
                    let cells = |k: &Vec<usize>| k.iter().map(|c| o.symbols.cell(*c).to_owned()).collect::<Vec<_>>();
                    let keys: Vec<Vec<String>> = keys.iter().map(cells).collect();
                    json!({ "value": of, "order": Value::Null, "keys": keys })
                }
            }
        })
        .collect();
    json!({
        "id": i,
        "node": o.symbols.node(c.node),
        "candidates": roads(&c.candidates),
        "by": c.by.map(|by| o.symbols.cell(by)),
        "profiles": profiles,
    })
}

fn flow(o: &Opened<'_>, i: usize) -> Option<Value> {
    let flow = o.table.flow(i)?;
    let nodes: Vec<Value> = (0..o.table.nodes())
        .filter(|n| o.table.node(*n).is_some_and(|node| node.flow() == i))
        .filter_map(|n| node(o, n))
        .collect();
    Some(json!({
        "id": i,
        "name": o.symbols.flows.get(i),
        "child_of": flow.of().map(|r| o.symbols.road(r)),
        "calls": flow.of().map(|_| flow.calls()),
        "start": o.symbols.node(flow.start()),
        "nodes": nodes,
    }))
}

fn node(o: &Opened<'_>, n: usize) -> Option<Value> {
    let node = o.table.node(n)?;
    let ports: Vec<Value> = o
        .table
        .ports(n)
        .map(|(outcome, candidate, edges)| {
            json!({
                "outcome": OUTCOMES.get(usize::from(outcome)),
                "candidate": candidate.map(|r| o.symbols.road(r)),
                "edges": edges.filter_map(|e| edge(o, e)).collect::<Vec<_>>(),
            })
        })
        .collect();
    Some(json!({
        "id": n,
        "name": o.symbols.node(n),
        "kind": node.word(),
        "road": node.road().map(|r| o.symbols.road(r)),
        "obligations": obligations(node.obligations()),
        "ports": ports,
    }))
}

fn edge(o: &Opened<'_>, e: usize) -> Option<Value> {
    let edge = o.table.edge(e)?;
    let guard = edge.guard().and(o.view.edges.get(e)).map(|g| guards::text(&o.table, &o.symbols, g));
    let changes: Vec<&str> =
        Change::ALL.iter().enumerate().filter(|(i, _)| edge.changes() >> i & 1 == 1).map(|(_, c)| c.word()).collect();
    let open = match edge.rank() {
        rank::SPENT => "spent",
        rank::ELSE => "else",
        _ => "guarded",
    };
    Some(json!({
        "to": o.symbols.node(edge.to()),
        "kind": EDGES.get(usize::from(edge.kind())),
        "rank": open,
        "guard": guard,
        "counter": edge.counter().and_then(|c| o.symbols.counters.get(c)),
        "changes": changes,
        "obligations": obligations(edge.obligations()),
        "ends_epoch": edge.ends_epoch(),
    }))
}

/// Headings of the listing as text.
pub(crate) fn heading(word: &str) -> String {
    format!("\n{}\n", style::strong(word))
}
