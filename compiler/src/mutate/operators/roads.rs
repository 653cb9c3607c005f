//! Roads, targets and projections: what is written down about them, and what receivers get.

use super::Operator;
use super::guards::{neighbours, value_span};
use crate::mutate::edit::{Change, Edit};
use crate::mutate::subject::Subject;
use roadlaw_grammar::ast::{AttrValue, Block, Entry, Ident, ItemKind, Type, With};
use roadlaw_grammar::span::Span;

pub(super) const OPERATORS: &[Operator] = &[
    Operator {
        name: "drop-pin",
        shipped: false,
        meaning: "leaves one pin out",
        example: "- purpose \"answer\"",
        changes: drop_pin,
    },
    Operator {
        name: "drop-attribute",
        shipped: false,
        meaning: "leaves one attribute of a target or road out that has no default",
        example: "- task_schema \"review.task@1\"",
        changes: drop_attribute,
    },
    Operator {
        name: "asserted",
        shipped: false,
        meaning: "lets a target's attributes be asserted by a gateway, not verified",
        example: "- evidence verified\n+ evidence asserted",
        changes: asserted,
    },
    Operator {
        name: "self-fallback",
        shipped: false,
        meaning: "lets a road pick another provider by itself",
        example: "+ fallback auto",
        changes: self_fallback,
    },
    Operator {
        name: "wide-projection",
        shipped: false,
        meaning: "gives a receiver a field of the workspace",
        example: "- question: query\n+ question: workspace",
        changes: wide_projection,
    },
    Operator {
        name: "lower-floor",
        shipped: false,
        meaning: "asks less of reviewers",
        example: "- role reviewer floor high\n+ role reviewer floor medium",
        changes: lower_floor,
    },
];

fn drop_pin(s: &Subject<'_>) -> Vec<Change> {
    let mut out = Vec::new();
    for (item, _) in s.items() {
        if let ItemKind::Pins(pins) = &item.kind {
            for (name, text) in pins {
                let at = name.span.to(text.span);
                out.push(Change::new(at, format!("pin `{}` left out", name.value), vec![Edit::delete(at)]));
            }
        }
    }
    out
}

/// Blocks of targets and roads with their names.
fn blocks<'a>(s: &'a Subject<'_>) -> Vec<(&'a Ident, &'a Block)> {
    let mut out = Vec::new();
    for (item, _) in s.items() {
        if let ItemKind::Target { name, block, .. } = &item.kind {
            out.push((name, block));
        }
    }
    out.extend(s.roads().into_iter().map(|r| (&r.name, &r.block)));
    out
}

/// Attributes that need not be written: what holds without them is right as well.
const DEFAULTS: &[&str] = &["continuity", "reconcilable", "assurance", "usage", "cut_required"];

fn drop_attribute(s: &Subject<'_>) -> Vec<Change> {
    let mut out = Vec::new();
    for (of, block) in blocks(s) {
        for (i, e) in block.entries.iter().enumerate() {
            let (name, at) = match e {
                Entry::Attr(name, _) if DEFAULTS.contains(&name.value.as_str()) => continue,
                Entry::Attr(name, v) => (name, name.span.to(value_span(v))),
                Entry::Table { name, .. } => {
                    // A table ends with a bracket, before the next entry or the end of the block.
                    let before = block.entries.get(i + 1).map_or(block.span.span.end - 1, start);
                    let text = s.text(Span::new(name.span.file, name.span.start, before));
                    let end = text.rfind('}').and_then(|k| u32::try_from(k + 1).ok()).unwrap_or(0);
                    (name, Span::new(name.span.file, name.span.start, name.span.start + end))
                }
                _ => continue,
            };
            out.push(Change::new(at, format!("`{}` of `{}` left out", name.value, of.value), vec![Edit::delete(at)]));
        }
    }
    out
}

/// A place at or before which an entry begins, and after which the one before it ends.
fn start(e: &Entry) -> u32 {
    match e {
        Entry::Attr(name, _) | Entry::Table { name, .. } => name.span.start,
        Entry::Tokens { span, .. } => span.span.start,
        Entry::Limits(l) => l.span.span.start,
        Entry::Filters(roadlaw_grammar::ast::FiltersRef::Inline(f)) => f.span.span.start,
        Entry::Filters(roadlaw_grammar::ast::FiltersRef::Named(p)) => p.span.start,
    }
}

fn asserted(s: &Subject<'_>) -> Vec<Change> {
    let mut out = Vec::new();
    for (of, block) in blocks(s) {
        for e in &block.entries {
            if let Entry::Attr(name, AttrValue::Path(p)) = e
                && name.value == "evidence"
                && p.value == "verified"
            {
                out.push(Change::new(
                    p.span,
                    format!("attributes of `{}` asserted only", of.value),
                    vec![Edit::new(p.span, "asserted")],
                ));
            }
        }
    }
    out
}

fn self_fallback(s: &Subject<'_>) -> Vec<Change> {
    let remote = s.roads().into_iter().filter(|r| r.target.is_some());
    remote
        .map(|r| {
            let at = r.block.span.span;
            let edit = Edit::insert(at.file, at.start + 1, " fallback auto ");
            Change::new(r.name.span, format!("`{}` picks another provider by itself", r.name.value), vec![edit])
        })
        .collect()
}

fn wide_projection(s: &Subject<'_>) -> Vec<Change> {
    let mut fields: Vec<&(Ident, Ident)> = Vec::new();
    for (item, _) in s.items() {
        if let ItemKind::Projection { fields: f, .. } = &item.kind {
            fields.extend(f);
        }
    }
    for r in s.roads() {
        if let Some(With::Inline(f)) = &r.with {
            fields.extend(f);
        }
    }
    fields
        .into_iter()
        .map(|(name, class)| {
            let what = format!("field `{}` given of the workspace", name.value);
            Change::new(class.span, what, vec![Edit::new(class.span, "workspace")])
        })
        .collect()
}

fn lower_floor(s: &Subject<'_>) -> Vec<Change> {
    let facts = s.files.iter().flat_map(|f| &f.file.items).filter_map(|i| match &i.kind {
        ItemKind::Facts(facts) => Some(facts),
        _ => None,
    });
    let levels = facts.flatten().find(|f| f.name.value == "assurance").map_or(Vec::new(), |f| match &f.ty.value {
        Type::Level(n) => n.iter().map(|w| w.value.clone()).collect(),
        _ => Vec::new(),
    });
    let mut out = Vec::new();
    for (item, _) in s.items() {
        if let ItemKind::Group { role, floor, .. } = &item.kind
            && let Some(lower) = neighbours(&levels, &floor.value).into_iter().next()
            && levels.first() != Some(&floor.value)
        {
            let what = format!("floor of `{}` lowered to `{lower}`", role.value);
            out.push(Change::new(floor.span, what, vec![Edit::new(floor.span, lower)]));
        }
    }
    out
}
