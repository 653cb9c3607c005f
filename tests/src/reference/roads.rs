//! Laws about one road: its filters, its needs and its rank (MODEL.md sections 2, 4 and 8).

use super::facts::{contents, open, possible, reads, value, vectors};
use super::local::all;
use roadlaw_compiler::model::{Cell, FactId, Guard, Life, Model, NodeKind, Road, RoleItem, Shape, Type};
use std::collections::BTreeSet;

/// Laws that some fact vector breaks for some road.
#[must_use]
pub fn broken(m: &Model) -> BTreeSet<&'static str> {
    let mut out = BTreeSet::new();
    for (i, r) in m.roads.iter().enumerate() {
        if m.chooses.iter().any(|c| c.candidates.iter().any(|x| x.index() == i)) {
            mandatory(m, r, &mut out);
            proven(m, r, &mut out);
            by_rank(m, r, &mut out);
        }
        needed(m, r, &mut out);
    }
    // Who repairs is no reviewer.
    let repairs = |r: &Road| r.reviewer.is_some();
    let into = m.edges.iter().map(|e| &m.nodes[e.to.index()]).filter(|n| n.kind == NodeKind::Repair);
    if into.filter_map(|n| n.road).any(|r| repairs(&m.roads[r.index()])) {
        out.insert("RL502");
    }
    out
}

/// RL104, RL109: what asks for a cut or an attempt while the need is definitely false.
fn needed(m: &Model, r: &Road, out: &mut BTreeSet<&'static str>) {
    let items = |role: &str| r.roles.get(role).cloned().unwrap_or_default();
    let mut read: BTreeSet<FactId> = reads(&r.need_cut);
    read.extend(reads(&r.need_durable));
    for i in items("weight").into_iter().chain(items("reach")) {
        match i {
            RoleItem::Fact(f) => read.extend([f]),
            RoleItem::Let(g) => read.extend(reads(&g)),
        }
    }
    let threshold = i64::from(m.constants.get("portal_threshold").copied().unwrap_or(40));
    let heavy = |facts: &[Cell]| {
        items("weight").iter().any(|i| match i {
            RoleItem::Fact(f) => super::facts::read(m, *f, facts).is_some_and(|v| v >= threshold),
            RoleItem::Let(g) => open(m, g, facts),
        })
    };
    let reaches = |facts: &[Cell]| {
        items("reach").iter().any(|i| match i {
            RoleItem::Fact(f) => facts[f.index()] != Cell::Known(0),
            RoleItem::Let(g) => possible(m, g, facts),
        })
    };
    let d = r.derived;
    let lasting = d.paid || d.asynchronous || d.auto_retry || d.reconcilable;
    let required = r.target.is_some_and(|t| m.targets[t.index()].cut_required);
    let guards = [&r.need_cut, &r.need_durable];
    let lets: Vec<Guard> = items("weight")
        .into_iter()
        .chain(items("reach"))
        .map(|i| match i {
            RoleItem::Let(g) => g,
            RoleItem::Fact(f) => match m.facts[f.index()].ty {
                Type::Int { hi, .. } => Guard::Range(f, i32::try_from(threshold).unwrap_or(hi), hi),
                _ => Guard::In(f, vec![1]),
            },
        })
        .collect();
    let some: Vec<&Guard> = guards.into_iter().chain(&lets).collect();
    for v in all(m, &some).unwrap_or_default() {
        if r.remote && (required || heavy(&v)) && value(m, &r.need_cut, &v) == Some(false) {
            out.insert("RL104");
        }
        let leaves = r.remote || r.leaves_invocation;
        if leaves && (lasting || reaches(&v)) && value(m, &r.need_durable, &v) == Some(false) {
            out.insert("RL109");
        }
    }
}

/// RL402: two vectors that differ in a rank fact alone, and the road is open in one of them.
fn by_rank(m: &Model, r: &Road, out: &mut BTreeSet<&'static str>) {
    let rank = |f: &FactId| m.facts[f.index()].life == Life::Rank;
    let read: BTreeSet<FactId> = r.filters.iter().flat_map(|f| reads(&f.guard)).filter(rank).collect();
    if read.is_empty() {
        return;
    }
    let (with, apart) = connected(m, r, read.clone());
    let free: Vec<(FactId, Vec<Cell>)> = read.into_iter().map(|f| (f, contents(m, f, &with))).collect();
    let opens = |v: &[Cell]| with.iter().all(|g| open(m, g, v));
    let differs = |v: &Vec<Cell>| vectors(v, &free).iter().any(|w| opens(w) != opens(v));
    if apart && all(m, &with).unwrap_or_default().iter().any(differs) {
        out.insert("RL402");
    }
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
    if r.reviewer.is_some() {
        roles.extend(["distinct", "blind", "assurance"].map(|role| (role, true, "RL501")));
    }
    for (role, wanted, law) in roles {
        for item in r.roles.get(role).into_iter().flatten() {
            let due = match item {
                RoleItem::Let(g) if wanted => g.clone(),
                RoleItem::Let(g) => Guard::Not(Box::new(g.clone())),
                RoleItem::Fact(f) => match m.facts[f.index()].ty {
                    // The floor of the gate; else the two highest (probed and attested, of evidence).
                    Type::Level(ref words) => {
                        let floor = r.reviewer.filter(|_| role == "assurance").map(usize::from);
                        let least = floor.unwrap_or(words.len().saturating_sub(2));
                        Guard::In(*f, (least..words.len()).map(|v| i64::from(super::facts::id(v))).collect())
                    }
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
