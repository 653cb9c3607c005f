//! Gates: left out, gone round, in the wrong order, held for somebody else.

use super::Operator;
use crate::mutate::edit::{Change, Edit};
use crate::mutate::subject::{Body, Subject, edges, is_of, same_node, whole, words};
use roadlaw_grammar::ast::{Cond, Edge, HopKind, Ident, Place, Port, Step};
use roadlaw_grammar::span::Span;

pub(super) const OPERATORS: &[Operator] = &[
    Operator {
        name: "drop-gate",
        shipped: true,
        meaning: "leaves a gate, or a lane in the middle of a chain, out: what led to it leads on, and the routes of its outcomes go",
        example: "- quarantine -> validate -> consume\n+ quarantine -> consume",
        changes: drop_gate,
    },
    Operator {
        name: "bypass-gate",
        shipped: true,
        meaning: "adds an edge around a gate that is open where a fact of the policy holds",
        example: "- reserve(r) -> decide(r)\n+ reserve(r) when urgent -> attempt(r)\n+ reserve(r) else -> decide(r)",
        changes: bypass_gate,
    },
    Operator {
        name: "swap-gates",
        shipped: true,
        meaning: "lets two neighbouring gates, one of which needs the other, change places",
        example: "- decide(r) -> attempt(r)\n+ attempt(r) -> decide(r)",
        changes: swap_gates,
    },
    Operator {
        name: "exempt-gate",
        shipped: true,
        meaning: "lets a cut, its verification or an attempt be skipped where its need does not hold",
        example: "- attempt(r)\n+ attempt(r)?",
        changes: exempt_gate,
    },
    Operator {
        name: "insist-gate",
        shipped: true,
        meaning: "takes an exemption away: the gate is passed also where it is not needed",
        example: "- cut(r)?\n+ cut(r)",
        changes: insist_gate,
    },
    Operator {
        name: "share-gate",
        shipped: true,
        meaning: "passes a gate for another road than the one that is sent to (a shared cut, another's egress)",
        example: "- cut(b)\n+ cut(a)",
        changes: share_gate,
    },
    Operator {
        name: "drop-parent",
        shipped: true,
        meaning: "lets a decision name no parent",
        example: "- decide(r)\n+ decide(r, fresh)",
        changes: drop_parent,
    },
    Operator {
        name: "wrong-worker",
        shipped: true,
        meaning: "has another road repair, call or send than the one that is meant",
        example: "- repair(author)\n+ repair(reviewer)",
        changes: wrong_worker,
    },
];

/// Nodes that leave evidence in the monitor (MODEL.md section 5).
const GATES: &[&str] = &[
    "classify",
    "minimize",
    "cut",
    "verify",
    "reserve",
    "decide",
    "attempt",
    "checkpoint",
    "egress",
    "quarantine",
    "validate",
    "consume",
    "adopt",
];

/// Gates whose evidence is held for a road, its consumer or its target.
const KEYED: &[&str] = &["minimize", "cut", "verify", "reserve", "decide", "attempt", "checkpoint", "egress"];

/// Pairs that may stand in either order: none of the two is asked for by the other (MODEL.md section 5).
const EITHER: &[(&str, &str)] = &[
    ("verify", "reserve"),
    ("reserve", "decide"),
    ("reserve", "attempt"),
    ("reserve", "checkpoint"),
    ("decide", "checkpoint"),
    ("attempt", "checkpoint"),
];

/// The kind of the gate that a place names, directly or by a node's name.
fn gate<'a>(body: &Body<'a>, place: &'a Place) -> Option<&'a str> {
    let named = body.steps.iter().find_map(|s| match s {
        Step::Node { name, kind, .. } if name.value == place.name.value => Some(kind.value.as_str()),
        _ => None,
    });
    let kind = named.unwrap_or(&place.name.value);
    GATES.contains(&kind).then_some(kind)
}

/// Every hop of a body: its edge and its place in the chain.
fn hops<'a>(body: &Body<'a>) -> Vec<(&'a Edge, usize)> {
    let steps = body.steps;
    edges(steps).flat_map(|(_, e)| (0..e.hops.len()).map(move |i| (e, i))).collect()
}

fn is_ok(p: &Port) -> bool {
    p.outcome.as_ref().is_none_or(|o| o.value == "ok")
}

/// Takes the routes of a node's outcomes away.
fn without_ports(s: &Subject<'_>, body: &Body<'_>, name: &Place) -> Vec<Edit> {
    let mut out = Vec::new();
    for (_, e) in edges(body.steps) {
        let kept: Vec<&Port> = e.from.iter().filter(|p| !is_of(p, &name.name, &name.args)).collect();
        if kept.len() == e.from.len() {
            continue;
        }
        if kept.is_empty() {
            out.push(Edit::delete(e.span.span));
        } else if let Some(list) = whole(e.from.iter().map(|p| p.span.span)) {
            let texts: Vec<&str> = kept.iter().map(|p| s.text(p.span.span)).collect();
            out.push(Edit::new(list, texts.join(", ")));
        }
    }
    out
}

fn drop_gate(s: &Subject<'_>) -> Vec<Change> {
    let mut out = Vec::new();
    for body in s.bodies() {
        for (e, i) in hops(&body) {
            let place = &e.hops[i].place;
            let kind = gate(&body, place);
            let alone = hops(&body).iter().filter(|(e, i)| same_node(&e.hops[*i].place, place)).count() == 1;
            let what = format!("gate `{}` left out", s.text(place.span.span).trim_end_matches('?'));
            if let Some(next) = e.hops.get(i + 1) {
                let lane = e.hops[i].kind.value == HopKind::Next && next.kind.value == HopKind::Next;
                if kind.is_none() && !(lane && is_lane(s, place)) {
                    continue;
                }
                let here = place.span.span;
                let first = i == 0 && body.lane.is_some() && next.place.optional;
                let mut edits = if first {
                    // A lane has one first step: one that carries no gate stands there instead.
                    vec![Edit::new(here, OWN), Edit::new(end_of_line(e.span.span), own_node())]
                } else {
                    vec![Edit::delete(Span::new(here.file, here.start, next.place.span.span.start))]
                };
                if alone {
                    edits.extend(without_ports(s, &body, place));
                    edits.extend(without_node(&body, place));
                }
                out.push(Change::new(here, what, edits));
            } else if kind.is_some() && alone {
                out.extend(bridged(s, &body, place, what));
            }
        }
    }
    out
}

/// A node that carries no gate, put where a node must be.
const OWN: &str = "passing";

fn own_node() -> String {
    format!("\n    node {OWN} : own")
}

/// The end of a step, as a place to write the next one.
fn end_of_line(at: Span) -> Span {
    Span::new(at.file, at.end, at.end)
}

fn is_lane(s: &Subject<'_>, place: &Place) -> bool {
    let name = place.name.value.as_str();
    s.bodies().iter().any(|b| b.lane.is_some_and(|l| l.name.value == name))
}

fn without_node(body: &Body<'_>, place: &Place) -> Option<Edit> {
    body.steps.iter().find_map(|s| match s {
        Step::Node { name, kind, args, role } if name.value == place.name.value => {
            // From the keyword on; a step has no span of its own.
            let last = args.last().map_or(kind.span.end, |a| a.span.end + 1);
            let end = role.as_ref().map_or(last, |r| r.span.end);
            Some(Edit::delete(Span::new(name.span.file, name.span.start.saturating_sub(5), end)))
        }
        _ => None,
    })
}

/// A gate at the end of a chain whose `ok` is routed by a step of its own.
fn bridged(s: &Subject<'_>, body: &Body<'_>, place: &Place, what: String) -> Option<Change> {
    let (_, onward) =
        edges(body.steps).find(|(_, e)| e.from.iter().any(|p| is_of(p, &place.name, &place.args) && is_ok(p)))?;
    let [hop] = onward.hops.as_slice() else { return None };
    if onward.cond != Cond::None || hop.kind.value != HopKind::Next {
        return None;
    }
    let mut edits = vec![Edit::new(place.span.span, s.text(hop.place.span.span))];
    edits.extend(without_ports(s, body, place));
    edits.extend(without_node(body, place));
    Some(Change::new(place.span.span, what, edits))
}

fn bypass_gate(s: &Subject<'_>) -> Vec<Change> {
    let Some(fact) = s.other_bool(None) else { return Vec::new() };
    let mut out = Vec::new();
    for body in s.bodies() {
        for (e, i) in hops(&body) {
            let (place, Some(next)) = (&e.hops[i].place, e.hops.get(i + 1)) else { continue };
            if gate(&body, place).is_none() || e.hops[i].kind.value != HopKind::Next || next.kind.value != HopKind::Next
            {
                continue;
            }
            // A `step?` needs a next step on its own chain: the way round ends behind it.
            let Some(onward) = e.hops[i + 1..].iter().find(|h| !h.place.optional) else { continue };
            let onward = s.text(onward.place.span.span);
            let before = if i == 0 {
                let ([port], Cond::None) = (e.from.as_slice(), &e.cond) else { continue };
                port.span.span
            } else {
                e.hops[i - 1].place.span.span
            };
            // A node that carries no gate forks, whatever stands before it.
            let text = format!(" -> {OWN}\n    {OWN} when {fact} -> {onward}\n    {OWN} else");
            let edits =
                vec![Edit::insert(before.file, before.end, text), Edit::new(end_of_line(e.span.span), own_node())];
            let what =
                format!("gate `{}` bypassed where `{fact}` holds", s.text(place.span.span).trim_end_matches('?'));
            out.push(Change::new(place.span.span, what, edits));
        }
    }
    out
}

fn swap_gates(s: &Subject<'_>) -> Vec<Change> {
    let mut out = Vec::new();
    for body in s.bodies() {
        for (e, i) in hops(&body) {
            let (a, Some(b)) = (&e.hops[i].place, e.hops.get(i + 1).map(|h| &h.place)) else { continue };
            let (Some(k), Some(l)) = (gate(&body, a), gate(&body, b)) else { continue };
            let unordered = EITHER.contains(&(k, l)) || EITHER.contains(&(l, k));
            // A lane's first step is passed always.
            if unordered || (i == 0 && body.lane.is_some() && b.optional) {
                continue;
            }
            let (first, second) = (s.text(a.span.span), s.text(b.span.span));
            out.push(Change::new(
                a.span.span,
                format!("gates `{first}` and `{second}` swapped"),
                vec![Edit::new(a.span.span, second), Edit::new(b.span.span, first)],
            ));
        }
    }
    out
}

fn exempt_gate(s: &Subject<'_>) -> Vec<Change> {
    optional(s, false)
}

fn insist_gate(s: &Subject<'_>) -> Vec<Change> {
    optional(s, true)
}

fn optional(s: &Subject<'_>, now: bool) -> Vec<Change> {
    let mut out = Vec::new();
    // A `step?` is written in lanes only.
    for body in s.bodies().into_iter().filter(|b| b.lane.is_some()) {
        for (e, i) in hops(&body) {
            let place = &e.hops[i].place;
            if place.optional != now || !["cut", "verify", "attempt"].contains(&place.name.value.as_str()) {
                continue;
            }
            let text = s.text(place.span.span);
            let (what, text) = if now {
                let bare = text.trim_end_matches('?').trim_end();
                (format!("`{bare}` passed also where it is not needed"), bare.to_owned())
            } else {
                (format!("`{text}` skipped where its need does not hold"), format!("{text}?"))
            };
            out.push(Change::new(place.span.span, what, vec![Edit::new(place.span.span, text)]));
        }
    }
    out
}

/// The road that a gate of this body is held for instead: another road of the lane, else another that has a receiver.
fn another<'a>(s: &'a Subject<'_>, body: &Body<'_>, written: &str) -> Option<&'a str> {
    let here = s.roads_in(body);
    let all = || s.model.roads.iter().enumerate();
    let in_lane = body.lane.is_some() && here.len() > 1;
    let name = |i: usize| s.model.roads[i].name.as_str();
    let inside = all().find(|(i, r)| in_lane && r.name != written && here.iter().any(|h| h.index() == *i));
    let outside =
        || all().find(|(i, r)| r.consumer.is_some() && r.name != written && !here.iter().any(|h| h.index() == *i));
    let flow = || all().find(|(_, r)| body.lane.is_none() && r.consumer.is_some() && r.name != written);
    inside.or_else(outside).or_else(flow).map(|(i, _)| name(i))
}

/// Other arguments for a node: at its place and at its ports.
fn renamed(body: &Body<'_>, place: &Place, args: &[&str]) -> Vec<Edit> {
    let mut out = Vec::new();
    let mut put = |list: &[Ident]| {
        if let Some(at) = whole(list.iter().map(|a| a.span)) {
            out.push(Edit::new(at, args.join(", ")));
        }
    };
    for (_, e) in edges(body.steps) {
        e.hops.iter().filter(|h| same_node(&h.place, place)).for_each(|h| put(&h.place.args));
        e.from.iter().filter(|p| is_of(p, &place.name, &place.args)).for_each(|p| put(&p.args));
    }
    out
}

fn share_gate(s: &Subject<'_>) -> Vec<Change> {
    with_other_road(s, KEYED, |gate, other| format!("`{gate}` for `{other}`"))
}

fn wrong_worker(s: &Subject<'_>) -> Vec<Change> {
    with_other_road(s, &["repair", "call", "send"], |worker, other| format!("`{worker}` done by `{other}`"))
}

fn with_other_road(s: &Subject<'_>, kinds: &[&str], what: fn(&str, &str) -> String) -> Vec<Change> {
    let mut out = Vec::new();
    for body in s.bodies() {
        let mut seen: Vec<&Place> = Vec::new();
        for (e, i) in hops(&body) {
            let place = &e.hops[i].place;
            let [road] = place.args.as_slice() else { continue };
            if !kinds.contains(&place.name.value.as_str()) || seen.iter().any(|p| same_node(p, place)) {
                continue;
            }
            seen.push(place);
            let Some(other) = another(s, &body, &road.value) else { continue };
            // What calls cannot send: another worker has the same shape; anybody may be told to repair.
            let shape = |name: &str| s.model.roads.iter().find(|r| r.name == name).map(|r| r.shape);
            let here = s.roads_in(&body).first().map(|r| s.model.road(*r).shape);
            let fits = shape(other) == shape(&road.value).or(here);
            if ["call", "send"].contains(&place.name.value.as_str()) && !fits {
                continue;
            }
            let text = s.text(place.span.span).trim_end_matches('?');
            out.push(Change::new(place.span.span, what(text, other), renamed(&body, place, &[other])));
        }
    }
    out
}

fn drop_parent(s: &Subject<'_>) -> Vec<Change> {
    let mut out = Vec::new();
    for body in s.bodies() {
        for (e, i) in hops(&body) {
            let place = &e.hops[i].place;
            let mut args = words(&place.args);
            if place.name.value != "decide" || args.contains(&"fresh") {
                continue;
            }
            args.push("fresh");
            let text = s.text(place.span.span);
            let what = format!("`{text}` names no parent decision");
            out.push(Change::new(place.span.span, what, renamed(&body, place, &args)));
        }
    }
    out
}
