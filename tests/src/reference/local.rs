//! Laws about one road or one port, decided by trying every content of the cells that they read.

use super::facts::{contents, open, port, ports, reads, value, vectors};
use super::profile::runs;
use roadlaw_compiler::model::{Cell, EdgeOrigin, EdgeRank, FactId, Guard, Model, NodeId};
use std::collections::BTreeSet;

/// All vectors of the cells that some guards read; `None` where they are too many.
#[must_use]
pub fn all(m: &Model, guards: &[&Guard]) -> Option<Vec<Vec<Cell>>> {
    let read: BTreeSet<FactId> = guards.iter().flat_map(|g| reads(g)).collect();
    let free: Vec<(FactId, Vec<Cell>)> = read.into_iter().map(|f| (f, contents(m, f, guards))).collect();
    let size = free.iter().try_fold(1_usize, |n, (_, c)| n.checked_mul(c.len()).filter(|n| *n <= 200_000))?;
    let _ = size;
    Some(vectors(&vec![Cell::Unknown; m.facts.len()], &free))
}

/// Laws that some fact vector breaks by itself.
#[must_use]
pub fn broken(m: &Model) -> BTreeSet<&'static str> {
    let mut out = BTreeSet::new();
    for n in (0..m.nodes.len()).map(|i| NodeId(super::facts::id(i))) {
        for (outcome, candidate) in ports(m, n) {
            let edges: Vec<_> = port(m, n, outcome, candidate).iter().map(|e| &m.edges[e.index()]).collect();
            let guarded: Vec<_> = edges.iter().filter(|e| e.rank == EdgeRank::Guarded).collect();
            let guards: Vec<&Guard> = guarded.iter().map(|e| &e.guard).collect();
            let covered = edges.iter().any(|e| e.rank == EdgeRank::Else);
            let by_flow = edges.iter().any(|e| e.rank == EdgeRank::Else && e.origin == EdgeOrigin::FlowElse);
            for facts in all(m, &guards).unwrap_or_default() {
                let truths: Vec<_> = guards.iter().map(|g| value(m, g, &facts)).collect();
                let on = truths.iter().filter(|t| **t == Some(true)).count();
                if on > 1 {
                    out.insert("RL702");
                }
                if on == 0 && !covered {
                    out.insert("RL701");
                }
                if by_flow && !truths.is_empty() && truths.iter().all(|t| *t == Some(false)) {
                    out.insert("RL701");
                }
            }
            for e in guarded.iter().filter(|e| e.origin == EdgeOrigin::Flow && e.guard != Guard::True) {
                let answers: BTreeSet<bool> =
                    all(m, &[&e.guard]).unwrap_or_default().iter().map(|v| open(m, &e.guard, v)).collect();
                if answers.len() == 1 {
                    out.insert("RL704");
                }
            }
        }
    }
    out.extend(told(m));
    out.extend(super::roads::broken(m));
    out.extend(super::bounds::broken(m));
    out.retain(|law| runs(m.profile, law));
    out
}

/// The words of MODEL.md section 10: what a decision holds, and how it may be told of.
fn told(m: &Model) -> BTreeSet<&'static str> {
    let digests = "policy table target input export artifact_set source_manifest influence residual_disclosure";
    let others = "node road purpose expiry budgets parent generation expected_result validators record_class visibility \
                  retention";
    let held = |f: &str| match f.strip_suffix("_digest") {
        Some(of) => digests.split(' ').any(|w| w == of),
        None => others.split_whitespace().any(|w| w == f),
    };
    let mut out = BTreeSet::new();
    if m.record.iter().any(|f| !held(&f.name)) {
        out.insert("RL802");
    }
    for e in &m.exports {
        let scopes: BTreeSet<&str> = e.keyed.iter().map(String::as_str).collect();
        let by_key = BTreeSet::from(["class", "consumer", "epoch", "purpose", "retention"]);
        let lawful = match (e.form.as_str(), &e.of) {
            ("opaque", None) => scopes.is_empty(),
            ("count" | "stage", _) => true,
            ("digest", _) => by_key.is_subset(&scopes),
            _ => false,
        };
        if !lawful {
            out.insert("RL803");
        }
    }
    out
}
