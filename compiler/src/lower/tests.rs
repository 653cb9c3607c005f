//! Tests of the whole stage.

use super::*;
use crate::model::{EdgeKind, EdgeOrigin, EdgeRank, Guard, Outcome};

const POLICIES: &[(&str, &str)] = &[
    ("a", include_str!("policies/a-eu-chat.road")),
    ("b", include_str!("policies/b-peer-and-job.road")),
    ("c", include_str!("policies/c-review.road")),
    ("d", include_str!("policies/d-first-eligible.road")),
];

fn low(text: &str) -> Lowered {
    lower(Input { name: "t.road".into(), bytes: text.as_bytes().to_vec(), root: None })
}

/// Diagnostics, one a line, for messages of assertions.
fn told(out: &Lowered) -> String {
    let mut s = String::new();
    for d in &out.diagnostics {
        let (line, column) = out.sources.line_column(d.primary.file, d.primary.start);
        let name = out.sources.file(d.primary.file).map(|f| f.name.clone()).unwrap_or_default();
        s.push_str(&format!(
            "{:?} {} {name}:{line}:{column} {} | {}\n",
            d.severity,
            d.code,
            d.message,
            d.help.clone().unwrap_or_default()
        ));
    }
    s
}

fn model(text: &str) -> Model {
    let out = low(text);
    let told = told(&out);
    out.model.unwrap_or_else(|| panic!("{told}"))
}

/// Edges of a port, as `kind to`.
fn port(m: &Model, node: &str, outcome: Outcome) -> Vec<String> {
    m.edges
        .iter()
        .filter(|e| m.node(e.from).name == node && e.outcome == outcome)
        .map(|e| format!("{} {}", e.kind.word(), m.node(e.to).name))
        .collect()
}

#[test]
fn the_four_policies_lower() {
    for (name, text) in POLICIES {
        let out = low(text);
        assert!(out.model.is_some(), "{name}: {}", told(&out));
        assert!(out.diagnostics.iter().all(|d| d.severity == Severity::Note), "{name}: {}", told(&out));
    }
}

#[test]
fn a_skipped_step_leads_around_its_whole_need() {
    let m = model(POLICIES[0].1);
    let edges: Vec<_> = m.edges.iter().filter(|e| m.node(e.from).name == "minimize(mistral)").collect();
    assert_eq!(m.node(edges[0].to).name, "reserve(mistral)");
    assert_eq!((edges[0].origin, edges[0].rank), (EdgeOrigin::Skip, EdgeRank::Guarded));
    assert!(matches!(edges[0].guard, Guard::Not(_)));
    assert_eq!(m.node(edges[1].to).name, "cut(mistral)");
    assert_eq!(edges[1].rank, EdgeRank::Else);
    assert_eq!(port(&m, "cut(mistral)", Outcome::Ok), ["next verify(mistral)"]);
}

#[test]
fn a_road_s_own_port_wins_over_that_of_all() {
    let m = model(POLICIES[0].1);
    assert_eq!(port(&m, "run(mistral).release(mistral)", Outcome::Ok), ["fallback resolve"]);
    assert_eq!(port(&m, "run(ovh).release(ovh)", Outcome::Ok), ["next refused(road)"]);
    let fallbacks: Vec<_> = m.edges.iter().filter(|e| e.kind == EdgeKind::Fallback).collect();
    assert!(fallbacks.iter().all(|e| e.changes.as_ref().is_some_and(|c| c.len() == 5)));
}
