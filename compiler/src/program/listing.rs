//! The listing of a table as text. It is made from the JSON listing, so that the two cannot disagree.

use super::inspect::heading;
use super::style;
use serde_json::Value;
use std::fmt::Write;

/// Lines for people.
pub(crate) fn human(v: &Value) -> String {
    let mut text = format!("{}  {}, {} bytes\n", style::strong("table   "), word(&v["table"]), v["bytes"]);
    let policy = if v["stripped"] == true { "(names are stripped)".to_owned() } else { word(&v["policy"]) };
    for (name, value) in [
        ("policy  ", policy),
        ("format  ", v["format"].to_string()),
        ("digest  ", word(&v["digest"])),
        ("model   ", word(&v["model_digest"])),
        ("proof   ", word(&v["proof_digest"])),
    ] {
        let _ = writeln!(text, "{}  {value}", style::strong(name));
    }
    text += &heading("sections");
    let _ = writeln!(text, "  {:10} {:>7} {:>16} bytes", "header", "", number(&v["header_bytes"]));
    for s in items(&v["sections"]) {
        let (records, bytes) = (number(&s["records"]), number(&s["bytes"]));
        let _ = writeln!(text, "  {:10} {records:>7} records {bytes:>8} bytes", word(&s["name"]));
    }
    text += &heading("facts");
    let width = items(&v["facts"]).map(|f| word(&f["name"]).chars().count()).max().unwrap_or(0);
    for f in items(&v["facts"]) {
        let unknown =
            if f["unknown"].is_null() { String::new() } else { format!("  unknown = {}", word(&f["unknown"])) };
        let line = format!("{:8} {:width$} : {}{unknown}", word(&f["life"]), word(&f["name"]), word(&f["type"]));
        let _ = writeln!(text, "  {:>4}  {line}", number(&f["id"]));
    }
    if items(&v["counters"]).next().is_some() {
        text += &heading("counters");
    }
    for c in items(&v["counters"]) {
        let _ = writeln!(text, "  {:>4}  {} = {}", number(&c["id"]), word(&c["name"]), c["max"]);
    }
    text += &heading("roads");
    for r in items(&v["roads"]) {
        let remote = if r["remote"] == true { ", remote" } else { "" };
        let reviewer = if r["reviewer"] == true { ", reviewer" } else { "" };
        let name = style::strong(word(&r["name"]));
        let _ = writeln!(text, "  {:>4}  {name}  {}{remote}{reviewer}", number(&r["id"]), word(&r["shape"]));
        let width = items(&r["filters"]).map(|f| word(&f["name"]).chars().count()).max().unwrap_or(0);
        for f in items(&r["filters"]) {
            let _ = writeln!(text, "          {:width$} : {}", word(&f["name"]), word(&f["guard"]));
        }
    }
    text += &heading("chooses");
    for c in items(&v["chooses"]) {
        let by = if c["by"].is_null() { String::new() } else { format!(" by {}", word(&c["by"])) };
        let name = style::strong(word(&c["node"]));
        let _ = writeln!(text, "  {:>4}  {name} {{ {} }}{by}", number(&c["id"]), words(&c["candidates"]));
        for p in items(&c["profiles"]) {
            let value = if p["value"].is_null() { String::new() } else { format!("{} : ", word(&p["value"])) };
            let order = if p["keys"].is_null() {
                format!("order {}", words(&p["order"]))
            } else {
                let keys: Vec<String> = items(&p["keys"]).map(|k| format!("({})", words(k))).collect();
                format!("keys {}", keys.join(", "))
            };
            let _ = writeln!(text, "          {value}{order}");
        }
    }
    for f in items(&v["flows"]) {
        flow(&mut text, f);
    }
    text
}

fn flow(text: &mut String, f: &Value) {
    let calls = if f["calls"].is_null() { String::new() } else { format!(" calls {}", f["calls"]) };
    *text += &heading(&format!("{}{calls}", word(&f["name"])));
    for n in items(&f["nodes"]) {
        let due = due(&n["obligations"]);
        let name = style::strong(word(&n["name"]));
        let _ = writeln!(text, "  {:>4}  {name}  {}{due}", number(&n["id"]), style::faint(word(&n["kind"])));
        for p in items(&n["ports"]) {
            let candidate =
                if p["candidate"].is_null() { String::new() } else { format!(" {}", word(&p["candidate"])) };
            let port = format!("{}{candidate}", word(&p["outcome"]));
            for e in items(&p["edges"]) {
                let _ = writeln!(text, "          {port}{}", edge(e));
            }
        }
    }
}

fn edge(e: &Value) -> String {
    let guard = if e["guard"].is_null() { String::new() } else { format!(" when {}", word(&e["guard"])) };
    let guard = if e["rank"] == "else" { " else".to_owned() } else { guard };
    let arrow = if e["kind"] == "next" { "->".to_owned() } else { format!("-{}->", word(&e["kind"])) };
    let counter = match (e["counter"].is_null(), e["rank"] == "spent") {
        (true, _) => String::new(),
        (false, true) => format!(" where {} is spent", word(&e["counter"])),
        (false, false) => format!(" takes {}", word(&e["counter"])),
    };
    let changes = if items(&e["changes"]).next().is_none() {
        String::new()
    } else {
        format!(" changes {{ {} }}", words(&e["changes"]))
    };
    format!("{guard} {arrow} {}{changes}{counter}{}", word(&e["to"]), due(&e["obligations"]))
}

fn due(obligations: &Value) -> String {
    if items(obligations).next().is_none() {
        return String::new();
    }
    style::faint(format_args!("  obliges to {}", words(obligations)))
}

fn items(v: &Value) -> impl Iterator<Item = &Value> {
    v.as_array().into_iter().flatten()
}

fn word(v: &Value) -> String {
    style::plain(v.as_str().unwrap_or_default())
}

fn words(v: &Value) -> String {
    items(v).map(word).collect::<Vec<_>>().join(", ")
}

/// As text, so that widths apply.
fn number(v: &Value) -> String {
    v.to_string()
}
