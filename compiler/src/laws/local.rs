//! Laws about one road, one port or one guard, decided on a single fact vector: mandatory filters, needs, gaps, overlaps,
//! constant guards.

use super::catalogue::profiles::runs;
use super::returns::holds;
use crate::graph::{Cond, Graph, port_of};
use crate::lower::EVIDENCE;
use crate::model::{
    Edge, EdgeId, EdgeOrigin, EdgeRank, FactId, Guard, Model, NodeKind, Profile, Road, RoadId, RoleItem, Shape, Type,
};
use std::collections::BTreeSet;

/// Something that no fact vector may satisfy (or, for liveness, that one must).
pub(crate) struct Local {
    pub(crate) law: &'static str,
    pub(crate) cond: Cond,
    /// A satisfying vector is what is wanted.
    pub(crate) wanted: bool,
    pub(crate) subject: LocalSubject,
    pub(crate) message: String,
    pub(crate) help: String,
}

/// What it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LocalSubject {
    Road(RoadId),
    Edge(EdgeId),
}

/// Roles that must hold when a remote road is chosen, with the value that opens, in reason order (MODEL.md section 4).
const REMOTE: [(&str, bool); 13] = [
    ("lineage", true),
    ("local_only", false),
    ("prohibited", false),
    ("identity", true),
    ("authority", true),
    ("permission", true),
    ("login", true),
    ("connection", true),
    ("terms", true),
    ("egress_transparent", true),
    ("retention", true),
    ("revoked", false),
    ("expired", false),
];

/// The role's requirement for a road, as a guard; `None` where no fact has the role.
fn requirement(m: &Model, r: &Road, role: &str, open: bool) -> Option<Guard> {
    let items = r.roles.get(role)?;
    Some(Guard::and(items.iter().map(|i| requirement_of(m, r, role, open, i))))
}

fn requirement_of(m: &Model, r: &Road, role: &str, open: bool, item: &RoleItem) -> Guard {
    match item {
        RoleItem::Let(_) if open => holds(item),
        RoleItem::Let(g) => g.negated(),
        RoleItem::Fact(f) => match (&m.fact(*f).ty, role) {
            (Type::Level(levels), "login") => {
                at_least(*f, levels.iter().position(|l| l == "probed").unwrap_or(0), levels.len())
            }
            (Type::Level(levels), "assurance") => at_least(*f, usize::from(r.reviewer.unwrap_or(0)), levels.len()),
            (Type::Level(levels), _) => at_least(*f, levels.len().saturating_sub(2), levels.len()),
            _ => Guard::In(*f, vec![i64::from(open)]),
        },
    }
}

fn at_least(f: FactId, from: usize, levels: usize) -> Guard {
    Guard::In(f, (from..levels).map(|i| i64::try_from(i).unwrap_or(0)).collect())
}

/// Every mandatory filter of a road: law, role, requirement.
pub(crate) fn mandatory(m: &Model, id: RoadId) -> Vec<(&'static str, String, Guard)> {
    let r = m.road(id);
    let mut roles: Vec<(&str, bool)> = Vec::new();
    if r.remote {
        roles.extend(REMOTE);
    }
    match r.shape {
        Shape::Peer => roles.push(("task_schema", true)),
        Shape::Coding | Shape::CodingLocal => roles.push(("containment", true)),
        Shape::Local => roles.push(("available", true)),
        Shape::Portal | Shape::Human | Shape::Choice => {}
    }
    if r.reviewer.is_some() {
        roles.extend([("distinct", true), ("blind", true), ("assurance", true)]);
    }
    roles
        .into_iter()
        .filter_map(|(role, open)| {
            let law = match role {
                "lineage" | "local_only" | "prohibited" | "identity" | "authority" | "egress_transparent"
                | "retention" => "RL103",
                "distinct" | "blind" | "assurance" => "RL501",
                _ => "RL401",
            };
            requirement(m, r, role, open).map(|g| (law, role.to_owned(), g))
        })
        .collect()
}

/// All local obligations of a model.
pub(crate) fn obligations(g: &Graph<'_>) -> Vec<Local> {
    let m = g.model;
    let mut out = Vec::new();
    for i in 0..m.roads.len() {
        let id = RoadId(crate::graph::narrow(i));
        if m.profile != Profile::Choice {
            road(m, id, &mut out);
        }
    }
    for (i, edge) in m.edges.iter().enumerate() {
        let to = m.node(edge.to);
        if let (NodeKind::Repair, Some(r)) = (&to.kind, to.road) {
            out.push(own_reviewer(m, EdgeId(crate::graph::narrow(i)), r));
        }
    }
    let mut ports: BTreeSet<Vec<EdgeId>> = BTreeSet::new();
    for i in 0..m.edges.len() {
        ports.insert(port_of(g, EdgeId(crate::graph::narrow(i))));
    }
    for p in ports {
        port(m, &p, &mut out);
    }
    out.retain(|l| runs(m.profile, l.law));
    out
}

/// RL502: who repairs a candidate does not review it.
fn own_reviewer(m: &Model, into: EdgeId, r: RoadId) -> Local {
    let road = m.road(r);
    Local {
        law: "RL502",
        cond: if road.reviewer.is_some() { Cond::True } else { Cond::False },
        wanted: false,
        subject: LocalSubject::Edge(into),
        message: format!("`{}` is a reviewer and repairs here what it may be asked to review", road.name),
        help: "let another road repair: a road that is no candidate of the review".to_owned(),
    }
}

fn road(m: &Model, id: RoadId, out: &mut Vec<Local>) {
    let r = m.road(id);
    let filters = Cond::all(r.filters.iter().map(|f| Cond::holds(&f.guard)));
    let chosen = m.chooses.iter().any(|c| c.candidates.contains(&id));
    let reads: BTreeSet<FactId> = r.filters.iter().flat_map(|f| f.guard.cells()).collect();
    for (law, role, guard) in mandatory(m, id) {
        // A login that is looked at and accepted below `probed` is another slip than one that is not looked at.
        let weak = role == "login" && guard.cells().iter().any(|f| reads.contains(f));
        let law = if weak { "RL405" } else { law };
        if chosen {
            out.push(Local {
                law,
                cond: Cond::all([filters.clone(), Cond::fails(&guard)]),
                wanted: false,
                subject: LocalSubject::Road(id),
                message: if weak {
                    format!(
                        "`{}` can be chosen although its `{role}` is not proved: less than `probed` is enough",
                        r.name
                    )
                } else {
                    format!("`{}` can be chosen although its `{role}` check does not hold", r.name)
                },
                help: if weak {
                    format!("write `{role} >= probed` in the filter: presence proves nothing")
                } else {
                    format!("add the filter: `filters {{ use std.filters.{} }}` supplies `{role}`", filter_kind(law, r))
                },
            });
        }
    }
    if chosen {
        for f in reads.iter().filter(|f| is_evidence(m, **f)) {
            // A remote road's login is mandatory: it was looked at above.
            if !(r.remote && m.fact(*f).role.as_deref() == Some("login")) {
                out.push(proven(m, id, *f));
            }
        }
    }
    if r.remote {
        let threshold = m.constants.get("portal_threshold").copied().unwrap_or(40);
        let heavy = Cond::any(r.roles.get("weight").into_iter().flatten().map(|i| match i {
            RoleItem::Fact(f) => match m.fact(*f).ty {
                Type::Int { hi, .. } if threshold <= hi => Cond::holds(&Guard::Range(*f, threshold, hi)),
                _ => Cond::False,
            },
            RoleItem::Let(g) => Cond::holds(g),
        }));
        let required = r.target.is_some_and(|t| m.target(t).cut_required);
        let asks = Cond::any([heavy, if required { Cond::True } else { Cond::False }]);
        let waived = Cond::holds(&r.need_cut.negated());
        out.push(Local {
            law: "RL104",
            cond: Cond::all([asks, waived]),
            wanted: false,
            subject: LocalSubject::Road(id),
            message: format!("`need cut` is waived for `{}` where weight or target ask for a cut", r.name),
            help: "write `need cut when weight >= portal_threshold or target.cut_required`".to_owned(),
        });
    }
    if r.remote || r.leaves_invocation {
        // What is not known reaches, whatever unknown stands for.
        let reaches = |i: &RoleItem| match i {
            RoleItem::Fact(f) => Guard::or([holds(i), Guard::Unknown(*f)]),
            RoleItem::Let(_) => holds(i),
        };
        let reach = Cond::any(r.roles.get("reach").into_iter().flatten().map(|i| Cond::possible(&reaches(i))));
        let d = r.derived;
        let inputs = [d.asynchronous, d.paid, d.auto_retry, d.reconcilable];
        let asks = if inputs.contains(&true) { Cond::True } else { reach };
        let durable = Cond::holds(&r.need_durable.negated());
        let words: Vec<&str> = ["asynchronous", "paid", "auto_retry", "reconcilable"]
            .into_iter()
            .zip(inputs)
            .filter(|(_, b)| *b)
            .map(|(w, _)| w)
            .collect();
        let why = if words.is_empty() { "reach".to_owned() } else { words.join(", ") };
        out.push(Local {
            law: "RL109",
            cond: Cond::all([asks, durable]),
            wanted: false,
            subject: LocalSubject::Road(id),
            message: format!("`need durable` is waived for `{}` although it is durable by: {why}", r.name),
            help: "write `need durable when std.durable`, which names all five conditions".to_owned(),
        });
    }
}

/// The fact says how well something is known.
fn is_evidence(m: &Model, f: FactId) -> bool {
    matches!(&m.fact(f).ty, Type::Level(words) if words.iter().map(String::as_str).eq(EVIDENCE))
}

/// RL405: what is only declared or present opens no road that its absence closes.
fn proven(m: &Model, id: RoadId, f: FactId) -> Local {
    let r = m.road(id);
    let probed = EVIDENCE.iter().position(|w| *w == "probed").unwrap_or(0);
    let unproven = (1..probed).map(|i| i64::try_from(i).unwrap_or(0)).collect();
    let open = Cond::all(r.filters.iter().map(|x| Cond::holds(&x.guard)));
    let without = Cond::all(r.filters.iter().map(|x| Cond::holds(&without(&x.guard, f))));
    let name = &m.fact(f).name;
    Local {
        law: "RL405",
        cond: Cond::all([open, Cond::holds(&Guard::In(f, unproven)), without.not()]),
        wanted: false,
        subject: LocalSubject::Road(id),
        message: format!("`{}` can be chosen because of a `{name}` that is not proven", r.name),
        help: format!("ask for `{} >= probed`: what is declared or present was not tried", m.fact(f).family),
    }
}

/// The guard where the fact has its least value.
fn without(g: &Guard, f: FactId) -> Guard {
    let truth = |b: bool| if b { Guard::True } else { Guard::False };
    match g {
        Guard::Not(g) => without(g, f).negated(),
        Guard::And(gs) => Guard::and(gs.iter().map(|g| without(g, f))),
        Guard::Or(gs) => Guard::or(gs.iter().map(|g| without(g, f))),
        Guard::In(x, vs) if *x == f => truth(vs.contains(&0)),
        Guard::Range(x, lo, hi) if *x == f => truth(*lo <= 0 && 0 <= *hi),
        Guard::Unknown(x) if *x == f => Guard::False,
        g => g.clone(),
    }
}

/// The shipped filters that supply what a law asks of a road.
fn filter_kind(law: &str, r: &Road) -> &'static str {
    if law == "RL501" {
        return "reviewer";
    }
    match r.shape {
        Shape::Local | Shape::CodingLocal => "local",
        Shape::Peer => "peer",
        Shape::Coding => "coding",
        Shape::Human => "human",
        Shape::Portal | Shape::Choice => "portal",
    }
}

fn written(edge: &Edge) -> bool {
    edge.origin == EdgeOrigin::Flow && edge.rank == EdgeRank::Guarded && edge.guard != Guard::True
}

/// RL701, RL702 and the constant guards of RL704 for one port.
fn port(m: &Model, port: &[EdgeId], out: &mut Vec<Local>) {
    let Some(first) = port.first() else { return };
    let at = m.edge(*first);
    let node = m.node(at.from);
    let name = if at.outcome == crate::model::Outcome::Ok || matches!(node.kind, NodeKind::Choose(_)) {
        node.name.clone()
    } else {
        format!("{}.{}", node.name, at.outcome.word())
    };
    let guarded: Vec<EdgeId> = port.iter().copied().filter(|e| m.edge(*e).rank == EdgeRank::Guarded).collect();
    let falls = port.iter().any(|e| m.edge(*e).rank == EdgeRank::Else);
    if !falls {
        let gap = Cond::all(guarded.iter().map(|e| Cond::fails(&m.edge(*e).guard)));
        out.push(Local {
            law: "RL701",
            cond: gap,
            wanted: false,
            subject: LocalSubject::Edge(*first),
            message: format!("no edge of `{name}` is open for some facts"),
            help: format!(
                "cover the rest: `{name} else -> ...`, or a flow-level `else -> refused(...)` for unknown facts"
            ),
        });
    } else if port.iter().any(|e| m.edge(*e).origin == EdgeOrigin::FlowElse) && !guarded.is_empty() {
        // A flow-level else covers unknown guards only: for known facts one guard must be true.
        let gap = Cond::all(guarded.iter().map(|e| Cond::holds(&m.edge(*e).guard.negated())));
        out.push(Local {
            law: "RL701",
            cond: gap,
            wanted: false,
            subject: LocalSubject::Edge(*first),
            message: format!("no edge of `{name}` is open for some known facts"),
            help: format!("cover the rest: `{name} else -> ...`"),
        });
    }
    for (i, a) in guarded.iter().enumerate() {
        for b in &guarded[i + 1..] {
            out.push(Local {
                law: "RL702",
                cond: Cond::all([Cond::holds(&m.edge(*a).guard), Cond::holds(&m.edge(*b).guard)]),
                wanted: false,
                subject: LocalSubject::Edge(*b),
                message: format!("two edges of `{name}` are open at once"),
                help: "make the guards disjoint, or write `else` on the second".to_owned(),
            });
        }
    }
    for e in guarded.iter().filter(|e| written(m.edge(**e))) {
        let guard = &m.edge(*e).guard;
        for (cond, word) in [(Cond::holds(guard), "true"), (Cond::fails(guard), "anything but true")] {
            out.push(Local {
                law: "RL704",
                cond,
                wanted: true,
                subject: LocalSubject::Edge(*e),
                message: format!("the guard of this edge of `{name}` can never be {word}"),
                help: "fix the guard, or delete it".to_owned(),
            });
        }
    }
}
