//! Edges: left out, led elsewhere, declared as what they are not.

use super::Operator;
use crate::laws::changes::not_of_bindings;
use crate::model::Change as Word;
use crate::mutate::edit::{Change, Edit};
use crate::mutate::subject::{Body, Subject, edges, whole};
use roadlaw_grammar::ast::{Changes, Cond, Edge, HopKind, ItemKind, Place};
use roadlaw_grammar::span::Span;

pub(super) const OPERATORS: &[Operator] = &[
    Operator {
        name: "drop-route",
        shipped: false,
        meaning: "leaves the route of one outcome out",
        example: "- run.cancelled, run.expired -> refused(road)\n+ run.expired -> refused(road)",
        changes: drop_route,
    },
    Operator {
        name: "reroute",
        shipped: false,
        meaning: "leads an outcome where the next edge of its flow leads",
        example: "- settle.unknown -> indeterminate\n+ settle.unknown -> refused(road)",
        changes: reroute,
    },
    Operator {
        name: "other-reason",
        shipped: false,
        meaning: "lets an `else` refuse for another reason of its flow",
        example: "- else -> refused(gate)\n+ else -> refused(road)",
        changes: other_reason,
    },
    Operator {
        name: "plain-edge",
        shipped: true,
        meaning: "makes a fallback, loop, retry, redirect, redelivery or resume an ordinary edge",
        example: "- run.unsent -fallback-> resolve\n+ run.unsent -> resolve",
        changes: plain_edge,
    },
    Operator {
        name: "drop-change",
        shipped: false,
        meaning: "leaves one word of a `changes` list out",
        example: "- changes { provider, model }\n+ changes { model }",
        changes: drop_change,
    },
    Operator {
        name: "false-change",
        shipped: false,
        meaning: "declares a change that is not there",
        example: "- changes { model }\n+ changes { model, region }",
        changes: false_change,
    },
];

fn drop_route(s: &Subject<'_>) -> Vec<Change> {
    let mut out = Vec::new();
    for body in s.bodies() {
        for (_, e) in edges(body.steps) {
            if e.from.is_empty() {
                out.push(Change::new(e.span.span, "`else` left out", vec![Edit::delete(e.span.span)]));
            }
            for (i, port) in e.from.iter().enumerate() {
                if port.name.value == "start" {
                    continue;
                }
                let rest: Vec<&str> =
                    e.from.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, p)| s.text(p.span.span)).collect();
                let edit = match whole(e.from.iter().map(|p| p.span.span)) {
                    Some(list) if !rest.is_empty() => Edit::new(list, rest.join(", ")),
                    _ => Edit::delete(e.span.span),
                };
                let what = format!("route of `{}` left out", port_text(s, e, i));
                out.push(Change::new(port.span.span, what, vec![edit]));
            }
        }
    }
    out
}

fn port_text<'a>(s: &Subject<'a>, e: &Edge, i: usize) -> &'a str {
    e.from.get(i).map_or("else", |p| s.text(p.span.span))
}

/// The last places of a body's edges, in order.
fn ends<'a>(body: &Body<'a>) -> Vec<(&'a Edge, &'a Place)> {
    edges(body.steps).filter_map(|(_, e)| Some((e, &e.hops.last()?.place))).collect()
}

fn reroute(s: &Subject<'_>) -> Vec<Change> {
    let mut out = Vec::new();
    // What a shipped lane leads to its exits is for the policy to route, not to rewrite.
    for body in s.bodies().into_iter().filter(|b| b.own) {
        let ends = ends(&body);
        for (i, (e, place)) in ends.iter().enumerate() {
            let text = s.text(place.span.span);
            let other = (1..ends.len()).map(|d| s.text(ends[(i + d) % ends.len()].1.span.span)).find(|t| *t != text);
            // An `else` has an operator of its own.
            let (Some(other), false) = (other, e.from.is_empty()) else { continue };
            let what = format!("`{}` led to `{other}`", port_text(s, e, 0));
            out.push(Change::new(place.span.span, what, vec![Edit::new(place.span.span, other)]));
        }
    }
    out
}

fn other_reason(s: &Subject<'_>) -> Vec<Change> {
    let mut out = Vec::new();
    for body in s.bodies().into_iter().filter(|b| b.own) {
        let ends = ends(&body);
        for (e, place) in &ends {
            if e.cond != Cond::Else && !e.from.is_empty() {
                continue;
            }
            let text = s.text(place.span.span);
            let like = |p: &&(&Edge, &Place)| {
                p.1.name.value == place.name.value && !p.1.args.is_empty() && s.text(p.1.span.span) != text
            };
            let Some((_, other)) = ends.iter().rev().find(like) else { continue };
            let other = s.text(other.span.span);
            let what = format!("`else` of `{}` led to `{other}`", port_text(s, e, 0));
            out.push(Change::new(place.span.span, what, vec![Edit::new(place.span.span, other)]));
        }
    }
    out
}

fn plain_edge(s: &Subject<'_>) -> Vec<Change> {
    let mut out = Vec::new();
    for body in s.bodies() {
        for (_, e) in edges(body.steps) {
            for h in e.hops.iter().filter(|h| h.kind.value != HopKind::Next) {
                let at = h.kind.span;
                let mut edits = vec![Edit::new(at, "->")];
                if let Some(Changes::Words(_, span)) = &e.changes {
                    edits.push(Edit::delete(span.span));
                }
                let what = format!("`{}` of `{}` made an ordinary edge", s.text(at), port_text(s, e, 0));
                out.push(Change::new(at, what, edits));
            }
        }
    }
    out
}

/// Edges with their written words, and where those stand.
fn declared<'a>(s: &'a Subject<'_>) -> Vec<(&'a Edge, Vec<&'a str>, Span)> {
    let mut out = Vec::new();
    for (item, _) in s.items() {
        let steps = match &item.kind {
            ItemKind::Flow(steps) | ItemKind::Child { steps, .. } => steps,
            ItemKind::Lane(l) => &l.steps,
            _ => continue,
        };
        for (_, e) in edges(steps) {
            if let Some(Changes::Words(words, span)) = &e.changes {
                out.push((e, words.iter().map(|w| w.value.as_str()).collect(), span.span));
            }
        }
    }
    out
}

fn list(words: &[&str]) -> String {
    format!("changes {{ {} }}", words.join(", "))
}

fn drop_change(s: &Subject<'_>) -> Vec<Change> {
    let mut out = Vec::new();
    for (e, words, at) in declared(s) {
        for w in &words {
            let rest: Vec<&str> = words.iter().filter(|x| x != &w).copied().collect();
            let edit = if rest.is_empty() { Edit::delete(at) } else { Edit::new(at, list(&rest)) };
            out.push(Change::new(at, format!("change `{w}` of `{}` not declared", port_text(s, e, 0)), vec![edit]));
        }
    }
    out
}

fn false_change(s: &Subject<'_>) -> Vec<Change> {
    let mut out = Vec::new();
    for (e, mut words, at) in declared(s) {
        // Only the words of bindings say what a fallback changes; `content` and the like are for the author to know.
        let mut of_bindings = Word::ALL.iter().filter(|c| !not_of_bindings(**c));
        let Some(extra) = of_bindings.find(|c| !words.contains(&c.word())).map(|c| c.word()) else { continue };
        if !e.hops.iter().any(|h| h.kind.value == HopKind::Fallback) {
            continue;
        }
        words.push(extra);
        let what = format!("change `{extra}` of `{}` declared", port_text(s, e, 0));
        out.push(Change::new(at, what, vec![Edit::new(at, list(&words))]));
    }
    out
}
