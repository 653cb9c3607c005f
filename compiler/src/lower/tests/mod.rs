//! Tests of the whole stage: two small policies, changed in one place at a time.

mod flows;
mod guards;
mod hostile;
mod loading;
mod presence;
mod settings;
mod words;

use super::*;
use crate::model::{EdgeKind, EdgeOrigin, EdgeRank, Guard, Outcome};

/// The policies of the design papers, with the `else` that the model asks for.
const POLICIES: &[(&str, &str)] = &[
    ("a", include_str!("../policies/a-eu-chat.road")),
    ("b", include_str!("../policies/b-peer-and-job.road")),
    ("c", include_str!("../policies/c-review.road")),
    ("d", include_str!("../policies/d-first-eligible.road")),
];
/// A local road and two portals.
const BASE: &str = include_str!("base.road");
/// Peers, coding jobs, a queued local road and a child.
const PEERS: &str = include_str!("peers.road");

fn low(text: &str) -> Lowered {
    lower(Input { name: "t.road".into(), bytes: text.as_bytes().to_vec(), root: None })
}

/// A policy with some of its text replaced. Each text must be there exactly once.
fn with(policy: &str, changes: &[(&str, &str)]) -> String {
    let mut text = policy.to_owned();
    for (from, to) in changes {
        assert_eq!(text.matches(from).count(), 1, "`{from}` is not there once");
        text = text.replace(from, to);
    }
    text
}

/// A policy with items put before its last brace.
fn plus(policy: &str, items: &str) -> String {
    let end = policy.rfind('}').expect("a policy ends with a brace");
    format!("{}{items}\n}}\n", &policy[..end])
}

/// Diagnostics, one a line.
fn told(out: &Lowered) -> String {
    let mut s = String::new();
    for d in &out.diagnostics {
        let (line, column) = out.sources.line_column(d.primary.file, d.primary.start);
        let name = out.sources.file(d.primary.file).map(|f| f.name.clone()).unwrap_or_default();
        let help = d.help.clone().unwrap_or_default();
        s.push_str(&format!("{:?} {} {name}:{line}:{column} {} | {help}\n", d.severity, d.code, d.message));
    }
    s
}

fn model(text: &str) -> Model {
    let out = low(text);
    let told = told(&out);
    out.model.unwrap_or_else(|| panic!("{told}"))
}

/// Asserts that the only errors are these: code and underlined text.
#[track_caller]
fn errors(text: &str, want: &[(&str, &str)]) -> Lowered {
    let out = low(text);
    let have: Vec<(&str, &str)> = out
        .diagnostics
        .iter()
        .filter(|d| d.severity == Severity::Error)
        .map(|d| (d.code, out.sources.text(d.primary)))
        .collect();
    assert_eq!(have, want, "{}", told(&out));
    for d in &out.diagnostics {
        let lower = d.message.chars().next().is_some_and(|c| !c.is_uppercase());
        assert!(lower && !d.message.ends_with('.') && !d.message.contains('\n'), "{}", d.message);
    }
    out
}

/// Asserts one error, and that its help says something.
#[track_caller]
fn error(text: &str, code: &str, underlined: &str, help: &str) {
    let out = errors(text, &[(code, underlined)]);
    let d = out.diagnostics.iter().find(|d| d.severity == Severity::Error).expect("one error");
    let said = d.help.clone().unwrap_or_default();
    assert!(said.contains(help), "help is `{said}`, not `{help}`: {}", d.message);
}

/// Edges of a port, as `kind to`.
fn port(m: &Model, node: &str, outcome: Outcome) -> Vec<String> {
    m.edges
        .iter()
        .filter(|e| m.node(e.from).name == node && e.outcome == outcome)
        .map(|e| format!("{} {}", e.kind.word(), m.node(e.to).name))
        .collect()
}

fn road<'m>(m: &'m Model, name: &str) -> &'m Road {
    m.roads.iter().find(|r| r.name == name).expect("the road")
}

/// The guard of a road's filter, spelled with names.
fn filter(m: &Model, of: &str, name: &str) -> String {
    let f = road(m, of).filters.iter().find(|f| f.name == name).expect("the filter");
    spelled(m, &f.guard)
}

fn spelled(m: &Model, g: &Guard) -> String {
    let name = |f: &crate::model::FactId| m.fact(*f).name.clone();
    let list = |gs: &[Guard], by: &str| format!("({})", gs.iter().map(|g| spelled(m, g)).collect::<Vec<_>>().join(by));
    match g {
        Guard::True => "true".into(),
        Guard::False => "false".into(),
        Guard::Not(g) => format!("not {}", spelled(m, g)),
        Guard::And(gs) => list(gs, " and "),
        Guard::Or(gs) => list(gs, " or "),
        Guard::In(f, v) => format!("{} in {v:?}", name(f)),
        Guard::Range(f, a, b) => format!("{} {a}..{b}", name(f)),
        Guard::Diff { left, right, plus } => format!("{} <= {} + {plus}", name(left), name(right)),
        Guard::HasAny(f, m) => format!("{} any {m:b}", name(f)),
        Guard::HasAll(f, m) => format!("{} all {m:b}", name(f)),
        Guard::Unknown(f) => format!("{} unknown", name(f)),
    }
}

#[test]
fn the_policies_lower() {
    for (name, text) in POLICIES.iter().chain(&[("base", BASE), ("peers", PEERS)]) {
        let out = low(text);
        assert!(out.model.is_some(), "{name}: {}", told(&out));
        assert!(out.diagnostics.iter().all(|d| d.severity == Severity::Note), "{name}: {}", told(&out));
    }
}

#[test]
fn equal_policies_give_equal_models() {
    for (name, text) in POLICIES {
        let one = serde_json::to_string(&model(text)).expect("json");
        let two = serde_json::to_string(&model(text)).expect("json");
        assert_eq!(one, two, "{name}");
    }
}

#[test]
fn the_first_policy_is_short() {
    let lines = POLICIES[3].1.lines().filter(|l| !l.trim().is_empty() && !l.trim().starts_with("///")).count();
    assert!(lines <= 20, "{lines} lines");
}

#[test]
fn every_port_has_an_edge_and_every_id_is_in_its_arena() {
    for (name, text) in POLICIES.iter().chain(&[("base", BASE), ("peers", PEERS)]) {
        let m = model(text);
        for (i, n) in m.nodes.iter().enumerate() {
            let shape = n.road.map(|r| m.road(r).shape);
            for o in n.kind.outcomes(shape) {
                let edges: Vec<_> = m.edges.iter().filter(|e| e.from.index() == i && e.outcome == *o).collect();
                assert!(!edges.is_empty(), "{name}: {} {}", n.name, o.word());
                assert!(edges.windows(2).all(|w| order(w[0].rank) <= order(w[1].rank)), "{name}: {}", n.name);
            }
        }
        let facts = m.facts.len();
        for e in &m.edges {
            assert!(e.to.index() < m.nodes.len() && e.guard.cells().iter().all(|f| f.index() < facts));
            assert_eq!(m.node(e.from).flow, m.node(e.to).flow, "{name}: an edge leaves its flow");
            assert!(!e.spans.is_empty());
        }
        for r in &m.roads {
            let guards = r.filters.iter().map(|f| &f.guard).chain([&r.need_cut, &r.need_durable]);
            assert!(guards.flat_map(Guard::cells).all(|f| f.index() < facts));
        }
        let mut names: Vec<_> = m.nodes.iter().map(|n| (n.flow, &n.name)).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), m.nodes.len(), "{name}: two nodes have one name");
    }
}

fn order(rank: EdgeRank) -> u8 {
    match rank {
        EdgeRank::Guarded => 0,
        EdgeRank::Spent(_) => 1,
        EdgeRank::Else => 2,
    }
}
