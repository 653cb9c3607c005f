//! Facts: when they are read, and what unknown stands for.

use super::Operator;
use crate::mutate::edit::{Change, Edit};
use crate::mutate::subject::{Subject, last, references};
use roadlaw_grammar::ast::{Fact, ItemKind, Life, Value};
use std::collections::BTreeSet;

pub(super) const OPERATORS: &[Operator] = &[
    Operator {
        name: "volatile-exemption",
        shipped: true,
        meaning: "makes a fact that a need reads volatile, so that an exemption is judged on what may change",
        example: "- pinned reach : bool\n+ volatile reach : bool",
        changes: volatile_exemption,
    },
    Operator {
        name: "open-strict",
        shipped: true,
        meaning: "turns the value round that an unknown bool stands for",
        example: "- pinned may_ask : bool  unknown = false\n+ pinned may_ask : bool  unknown = true",
        changes: open_strict,
    },
];

/// Declared facts that the policy reads.
fn facts<'a>(s: &'a Subject<'_>) -> Vec<&'a Fact> {
    let mut out = Vec::new();
    for (item, _) in s.items() {
        if let ItemKind::Facts(list) = &item.kind {
            out.extend(list.iter().filter(|f| f.life.value != Life::Latch && s.is_used(f.span.span)));
        }
    }
    out
}

/// Names that the needs read, through `let`s.
fn needed<'a>(s: &'a Subject<'_>) -> BTreeSet<&'a str> {
    let mut found: BTreeSet<&str> = BTreeSet::new();
    let items: Vec<_> = s.items().map(|(i, _)| i).collect();
    for item in &items {
        if let ItemKind::Need { guard: Some(g), .. } = &item.kind {
            references(g, &mut |r| {
                found.insert(&r.path.value);
            });
        }
    }
    loop {
        let before = found.len();
        for item in &items {
            if let ItemKind::Let { name, guard, .. } = &item.kind
                && found.iter().any(|f| last(f) == last(&name.value))
            {
                references(guard, &mut |r| {
                    found.insert(&r.path.value);
                });
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

fn volatile_exemption(s: &Subject<'_>) -> Vec<Change> {
    let needed = needed(s);
    let fixed =
        |f: &&Fact| matches!(f.life.value, Life::Pinned | Life::Sealed) && needed.contains(f.name.value.as_str());
    facts(s).into_iter().filter(fixed).map(|f| lived(f, "volatile")).collect()
}

fn lived(f: &Fact, life: &str) -> Change {
    Change::new(f.span.span, format!("`{}` made {life}", f.name.value), vec![Edit::new(f.life.span, life)])
}

fn open_strict(s: &Subject<'_>) -> Vec<Change> {
    let change = |f: &Fact| {
        let Some(Value::Path(value)) = &f.unknown else { return None };
        let at = value.span;
        let other = match value.value.as_str() {
            "true" => "false",
            "false" => "true",
            _ => return None,
        };
        Some(Change::new(
            f.span.span,
            format!("unknown `{}` stands for {other}", f.name.value),
            vec![Edit::new(at, other)],
        ))
    };
    facts(s).into_iter().filter_map(change).collect()
}
