//! Bounds: counters and ceilings.

use super::Operator;
use super::guards::value_span;
use crate::mutate::edit::{Change, Edit};
use crate::mutate::subject::{Subject, edges};
use roadlaw_grammar::ast::{AttrValue, Entry, Ident, ItemKind, Limits};

pub(super) const OPERATORS: &[Operator] = &[
    Operator {
        name: "drop-takes",
        shipped: true,
        meaning: "lets an edge take no counter",
        example: "- -loop-> classify takes rounds\n+ -loop-> classify",
        changes: drop_takes,
    },
    Operator {
        name: "shift-counter",
        shipped: false,
        meaning: "starts a counter with one more or one less",
        example: "- counter rounds = 2\n+ counter rounds = 3",
        changes: shift_counter,
    },
    Operator {
        name: "reroute-spent",
        shipped: false,
        meaning: "leads a spent counter to another terminal",
        example: "- spent -> refused(not_good_enough)\n+ spent -> indeterminate",
        changes: reroute_spent,
    },
    Operator {
        name: "drop-ceiling",
        shipped: false,
        meaning: "leaves one ceiling out",
        example: "- deadline 30s",
        changes: drop_ceiling,
    },
    Operator {
        name: "raise-ceiling",
        shipped: false,
        meaning: "raises a ceiling past that of the policy or of the parent's job",
        example: "- spend 20 cents\n+ spend 601 cents",
        changes: raise_ceiling,
    },
];

fn drop_takes(s: &Subject<'_>) -> Vec<Change> {
    let mut out = Vec::new();
    for body in s.bodies() {
        for (_, e) in edges(body.steps) {
            if let Some(counter) = &e.takes
                && let Some(word) = s.keyword("takes", e.span.span.start, counter.span)
            {
                let what = format!("`takes {}` left out", counter.value);
                out.push(Change::new(counter.span, what, vec![Edit::delete(word.to(counter.span))]));
            }
        }
    }
    out
}

fn shift_counter(s: &Subject<'_>) -> Vec<Change> {
    let mut out = Vec::new();
    for (item, _) in s.items() {
        if let ItemKind::Counter { name, max, .. } = &item.kind {
            for n in [max.value - 1, max.value + 1].into_iter().filter(|n| *n > 0) {
                let what = format!("counter `{}` starts with {n}", name.value);
                out.push(Change::new(max.span, what, vec![Edit::new(max.span, n.to_string())]));
            }
        }
    }
    out
}

fn reroute_spent(s: &Subject<'_>) -> Vec<Change> {
    let mut out = Vec::new();
    for (item, _) in s.items() {
        if let ItemKind::Counter { name, spent, .. } = &item.kind {
            let at = spent.span.span;
            let other = if spent.name.value == "indeterminate" { "cancelled" } else { "indeterminate" };
            let what = format!("spent `{}` led to `{other}`", name.value);
            out.push(Change::new(at, what, vec![Edit::new(at, other)]));
        }
    }
    out
}

/// Limits as defined or used, with the road that uses them.
fn limits<'a>(s: &'a Subject<'_>) -> Vec<(&'a Limits, Option<&'a Ident>)> {
    let mut out = Vec::new();
    for (item, _) in s.items() {
        if let ItemKind::Limits(l) = &item.kind {
            out.push((l, None));
        }
    }
    for r in s.roads() {
        out.extend(r.block.entries.iter().filter_map(|e| match e {
            Entry::Limits(l) => Some((l, Some(&r.name))),
            _ => None,
        }));
    }
    out
}

fn drop_ceiling(s: &Subject<'_>) -> Vec<Change> {
    let mut out = Vec::new();
    // Ceilings of the policy may be left out, and a road that overrides none is right as well.
    for (l, road) in limits(s) {
        let Some(name) = l.name.as_ref().or(road).filter(|n| n.value != "policy") else { continue };
        if road.is_some() && l.name.is_some() {
            continue;
        }
        for e in l.block.iter().flat_map(|b| &b.entries) {
            let (word, at) = match e {
                Entry::Attr(word, v) => (word.value.as_str(), word.span.to(value_span(v))),
                Entry::Tokens { span, .. } => ("tokens", span.span),
                _ => continue,
            };
            let what = format!("ceiling `{word}` of `{}` left out", name.value);
            out.push(Change::new(at, what, vec![Edit::delete(at)]));
        }
    }
    out
}

/// The ceiling of that name that limits give, as written, and where.
fn ceiling<'a>(l: &'a Limits, word: &str) -> Option<&'a AttrValue> {
    l.block.iter().flat_map(|b| &b.entries).find_map(|e| match e {
        Entry::Attr(name, v) if name.value == word => Some(v),
        _ => None,
    })
}

fn raise_ceiling(s: &Subject<'_>) -> Vec<Change> {
    let all = limits(s);
    let named =
        |name: &str| all.iter().find(|(l, _)| l.name.as_ref().is_some_and(|n| n.value == name)).map(|(l, _)| *l);
    let of_road = |road: &str| {
        let used = all.iter().find(|(_, r)| r.is_some_and(|r| r.value == road)).map(|(l, _)| *l)?;
        used.name.as_ref().and_then(|n| named(&n.value))
    };
    // Who stands above whom: the policy above every road, a job above the road that its child calls.
    let mut above: Vec<(&Limits, &Limits)> = Vec::new();
    for r in s.roads() {
        let Some(own) = of_road(&r.name.value) else { continue };
        above.extend(named("policy").map(|p| (p, own)));
        above.extend(r.through.as_ref().and_then(|c| of_road(&c.value)).map(|child| (own, child)));
    }
    let mut out: Vec<Change> = Vec::new();
    for (parent, own) in above {
        for word in ["spend", "deadline"] {
            let (Some(most), Some(v)) = (ceiling(parent, word), ceiling(own, word)) else { continue };
            let (AttrValue::Qty(most), at) = (most, value_span(v)) else { continue };
            // One more in the parent's own unit.
            let text = s.text(most.span);
            let number = most.value.number;
            let digits = text.find(|c: char| !(c.is_ascii_digit() || c == '_')).unwrap_or(text.len());
            let text = format!("{}{}", number.saturating_add(1), &text[digits..]);
            let name = own.name.as_ref().map_or("", |n| n.value.as_str());
            let change =
                Change::new(at, format!("ceiling `{word}` of `{name}` raised to {text}"), vec![Edit::new(at, text)]);
            if !out.contains(&change) {
                out.push(change);
            }
        }
    }
    out
}
