//! Choosing: who may be chosen, in which order, and what becomes of the chosen.

use super::Operator;
use super::guards::listed;
use crate::mutate::edit::{Change, Edit};
use crate::mutate::subject::{Subject, words};
use roadlaw_grammar::ast::{Choose, Ident, Order, Rank, Step};
use roadlaw_grammar::span::Span;

pub(super) const OPERATORS: &[Operator] = &[
    Operator {
        name: "drop-candidate",
        shipped: false,
        meaning: "leaves one road out of a choose",
        example: "- choose { local, remote }\n+ choose { local }",
        changes: drop_candidate,
    },
    Operator {
        name: "swap-order",
        shipped: false,
        meaning: "lets two neighbours of an order or of a list of keys change places",
        example: "- order local, remote\n+ order remote, local",
        changes: swap_order,
    },
    Operator {
        name: "swap-profiles",
        shipped: false,
        meaning: "lets two neighbouring profiles change their orders",
        example: "- quick : order a, b\n- careful : order b, a\n+ quick : order b, a\n+ careful : order a, b",
        changes: swap_profiles,
    },
    Operator {
        name: "drop-each",
        shipped: true,
        meaning: "leads no chosen road anywhere",
        example: "- choose { a, b } in order each -> run\n+ choose { a, b } in order",
        changes: drop_each,
    },
];

fn chooses<'a>(s: &'a Subject<'_>) -> Vec<&'a Choose> {
    let of = |steps: &'a [Step]| steps.iter().filter_map(|x| if let Step::Choose(c) = x { Some(c) } else { None });
    s.bodies().into_iter().flat_map(|b| of(b.steps)).collect()
}

fn orders(c: &Choose) -> Vec<&Order> {
    match &c.rank {
        Rank::One(o) => vec![o],
        Rank::By { profiles, .. } => profiles.iter().map(|(_, o)| o).collect(),
    }
}

/// The list that an order is written as: roads or keys; the candidates themselves where it lists none.
fn list<'a>(c: &'a Choose, o: &'a Order) -> &'a [Ident] {
    match o {
        Order::Static { roads, .. } if roads.is_empty() => &c.candidates,
        Order::Static { roads, .. } => roads,
        Order::Keys { keys, .. } => keys,
    }
}

fn drop_candidate(s: &Subject<'_>) -> Vec<Change> {
    let mut out = Vec::new();
    for c in chooses(s) {
        // What a template lists is the caller's.
        if c.candidates.len() < 2 || words(&c.candidates) == ["roads"] {
            continue;
        }
        for road in &c.candidates {
            let gone: Option<Vec<Vec<Edit>>> = orders(c).into_iter().map(|o| unordered(s, o, &road.value)).collect();
            let Some(gone) = gone else { continue };
            let mut edits = vec![Edit::delete(listed(s, road.span))];
            edits.extend(gone.into_iter().flatten());
            out.push(Change::new(road.span, format!("`{}` is no candidate", road.value), edits));
        }
    }
    out
}

/// What leaves a road out of an order. `None` if it is all that the order lists: without names an order means every candidate.
fn unordered(s: &Subject<'_>, o: &Order, road: &str) -> Option<Vec<Edit>> {
    let Order::Static { roads, without, .. } = o else { return Some(Vec::new()) };
    let alone = |list: &[Ident]| matches!(list, [one] if one.value == road);
    if alone(roads) {
        return None;
    }
    if alone(without) {
        let before = roads.last().map_or(span_of(o).start, |r| r.span.end);
        let word = s.keyword("without", before, without[0].span)?;
        return Some(vec![Edit::delete(word.to(without[0].span))]);
    }
    let named = roads.iter().chain(without).filter(|r| r.value == road);
    Some(named.map(|r| Edit::delete(listed(s, r.span))).collect())
}

fn span_of(o: &Order) -> Span {
    match o {
        Order::Static { span, .. } | Order::Keys { span, .. } => span.span,
    }
}

fn swap_order(s: &Subject<'_>) -> Vec<Change> {
    let mut out = Vec::new();
    for c in chooses(s) {
        for o in orders(c) {
            for pair in list(c, o).windows(2) {
                let [a, b] = pair else { continue };
                let edits = vec![Edit::new(a.span, &b.value), Edit::new(b.span, &a.value)];
                out.push(Change::new(a.span, format!("`{}` and `{}` swapped", a.value, b.value), edits));
            }
        }
    }
    out.extend(template_order(s));
    out
}

/// The order of a template is that of its arguments.
fn template_order(s: &Subject<'_>) -> Vec<Change> {
    let mut out = Vec::new();
    for (item, _) in s.items() {
        let roadlaw_grammar::ast::ItemKind::FlowTemplate { args, .. } = &item.kind else { continue };
        for pair in args.windows(2) {
            let [a, b] = pair else { continue };
            let edits = vec![Edit::new(a.span, &b.value), Edit::new(b.span, &a.value)];
            out.push(Change::new(a.span, format!("`{}` and `{}` swapped", a.value, b.value), edits));
        }
    }
    out
}

fn swap_profiles(s: &Subject<'_>) -> Vec<Change> {
    let mut out = Vec::new();
    for c in chooses(s) {
        let Rank::By { profiles, .. } = &c.rank else { continue };
        for pair in profiles.windows(2) {
            let [(first, a), (second, b)] = pair else { continue };
            let (a, b) = (span_of(a), span_of(b));
            let edits = vec![Edit::new(a, s.text(b)), Edit::new(b, s.text(a))];
            let what = format!("orders of `{}` and `{}` swapped", first.value, second.value);
            out.push(Change::new(a, what, edits));
        }
    }
    out
}

fn drop_each(s: &Subject<'_>) -> Vec<Change> {
    let mut out = Vec::new();
    for c in chooses(s) {
        if let Some(lane) = &c.each
            && let Some(word) = s.keyword("each", c.span.span.start, lane.span)
        {
            let what = format!("`each -> {}` left out", lane.value);
            out.push(Change::new(lane.span, what, vec![Edit::delete(word.to(lane.span))]));
        }
    }
    out
}
