//! Laws about one road or one port, decided by trying every content of the cells that they read.

use super::facts::{cells, contents, open, port, ports, value, vectors};
use roadlaw_compiler::model::{
    Cell, EdgeOrigin, EdgeRank, FactId, Guard, Model, NodeId, Profile, Road, RoleItem, Shape, Type,
};
use std::collections::BTreeSet;

/// All vectors of the cells that some guards read; `None` where they are too many.
#[must_use]
pub fn all(m: &Model, guards: &[&Guard]) -> Option<Vec<Vec<Cell>>> {
    let mut read = BTreeSet::new();
    for g in guards {
        super::facts::atoms(g, &mut |a| read.extend(cells(a)));
    }
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
    if m.profile != Profile::Choice {
        for (i, r) in m.roads.iter().enumerate() {
            if m.chooses.iter().any(|c| c.candidates.iter().any(|x| x.index() == i)) {
                mandatory(m, r, &mut out);
                proven(m, r, &mut out);
            }
        }
    }
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

/// Filters that a road of its shape must have (MODEL.md section 4).
fn mandatory(m: &Model, r: &Road, out: &mut BTreeSet<&'static str>) {
    let mut roles: Vec<(&str, bool, &'static str)> = Vec::new();
    if r.remote {
        for (role, wanted) in [
            ("lineage", true),
            ("local_only", false),
            ("prohibited", false),
            ("identity", true),
            ("authority", true),
            ("egress_transparent", true),
            ("retention", true),
        ] {
            roles.push((role, wanted, "RL103"));
        }
        for (role, wanted) in [
            ("permission", true),
            ("login", true),
            ("connection", true),
            ("terms", true),
            ("revoked", false),
            ("expired", false),
        ] {
            roles.push((role, wanted, "RL401"));
        }
    }
    match r.shape {
        Shape::Peer => roles.push(("task_schema", true, "RL401")),
        Shape::Coding | Shape::CodingLocal => roles.push(("containment", true, "RL401")),
        Shape::Local => roles.push(("available", true, "RL401")),
        _ => {}
    }
    for (role, wanted, law) in roles {
        for item in r.roles.get(role).into_iter().flatten() {
            let due = match item {
                RoleItem::Let(g) if wanted => g.clone(),
                RoleItem::Let(g) => Guard::Not(Box::new(g.clone())),
                RoleItem::Fact(f) => match m.facts[f.index()].ty {
                    // attested and probed are the two highest of evidence.
                    Type::Level(_) => Guard::In(*f, vec![3, 4]),
                    _ => Guard::In(*f, vec![i64::from(wanted)]),
                },
            };
            if closes_without(m, r, &due) {
                out.insert(law);
            }
        }
    }
}

/// Evidence opens a road only from `probed` on: 1 and 2 are `declared` and `present`, 0 is `absent`.
fn proven(m: &Model, r: &Road, out: &mut BTreeSet<&'static str>) {
    let evidence = ["absent", "declared", "present", "probed", "attested"];
    let read: BTreeSet<FactId> = r.filters.iter().flat_map(|f| reads(&f.guard)).collect();
    for f in read {
        if !matches!(&m.facts[f.index()].ty, Type::Level(words) if *words == evidence) {
            continue;
        }
        let (with, apart) = connected(m, r, BTreeSet::from([f]));
        for v in all(m, &with).unwrap_or_default() {
            let mut absent = v.clone();
            absent[f.index()] = Cell::Known(0);
            let opens = |facts: &[Cell]| with.iter().all(|g| open(m, g, facts));
            if apart && matches!(v[f.index()], Cell::Known(1 | 2)) && opens(&v) && !opens(&absent) {
                out.insert("RL405");
            }
        }
    }
}

fn reads(g: &Guard) -> BTreeSet<FactId> {
    let mut out = BTreeSet::new();
    super::facts::atoms(g, &mut |a| out.extend(cells(a)));
    out
}

/// The filters that share cells with these, with each other; and whether each of the others can be open at all.
fn connected<'r>(m: &Model, r: &'r Road, mut asked: BTreeSet<FactId>) -> (Vec<&'r Guard>, bool) {
    let mut with: Vec<&Guard> = Vec::new();
    loop {
        let more: Vec<&Guard> =
            r.filters.iter().map(|f| &f.guard).filter(|g| !with.contains(g) && !reads(g).is_disjoint(&asked)).collect();
        if more.is_empty() {
            break;
        }
        for g in more {
            asked.extend(reads(g));
            with.push(g);
        }
    }
    let apart = r
        .filters
        .iter()
        .map(|f| &f.guard)
        .filter(|g| !with.contains(g))
        .all(|g| all(m, &[g]).is_none_or(|vs| vs.iter().any(|v| open(m, g, v))));
    (with, apart)
}

/// Some vector opens every filter and not the guard. Filters that share no cell with it cannot matter, where each can
/// be open at all; the others are tried together.
fn closes_without(m: &Model, r: &Road, due: &Guard) -> bool {
    let (with, apart) = connected(m, r, reads(due));
    let read_all: Vec<&Guard> = with.iter().copied().chain([due]).collect();
    apart
        && all(m, &read_all).unwrap_or_default().iter().any(|v| !open(m, due, v) && with.iter().all(|g| open(m, g, v)))
}
