//! Guards of needs, filters, edges and `let`s: wider, narrower, the other way round, off by one.

use super::Operator;
use crate::lower::EVIDENCE;
use crate::mutate::edit::{Change, Edit};
use crate::mutate::subject::{Guarded, Guards, Subject, parts};
use roadlaw_grammar::ast::{AttrValue, CmpOp, Entry, FiltersRef, Guard, GuardKind, Ident, ItemKind, Type, Value};
use roadlaw_grammar::span::Span;

pub(super) const OPERATORS: &[Operator] = &[
    Operator {
        name: "drop-part",
        shipped: true,
        meaning: "leaves one part of an `and` or an `or` out",
        example: "- short : ready and small\n+ short : ready",
        changes: drop_part,
    },
    Operator {
        name: "widen-guard",
        shipped: false,
        meaning: "opens a guard also where a fact of the policy holds that it does not read",
        example: "- class : class <= private\n+ class : class <= private or urgent",
        changes: widen_guard,
    },
    Operator {
        name: "negate-guard",
        shipped: false,
        meaning: "turns a guard round",
        example: "- prose : not needs_code\n+ prose : not (not needs_code)",
        changes: negate_guard,
    },
    Operator {
        name: "shift-number",
        shipped: false,
        meaning: "moves a number of a guard or a constant by one, both ways",
        example: "- const portal_threshold = 40\n+ const portal_threshold = 41",
        changes: shift_number,
    },
    Operator {
        name: "shift-comparison",
        shipped: false,
        meaning: "lets a comparison include its border, or leave it out",
        example: "- weight < 40\n+ weight <= 40",
        changes: shift_comparison,
    },
    Operator {
        name: "shift-level",
        shipped: false,
        meaning: "moves a level that a guard asks for by one, both ways",
        example: "- login >= probed\n+ login >= present",
        changes: shift_level,
    },
    Operator {
        name: "drop-value",
        shipped: false,
        meaning: "leaves one value of an `in` or `has` list out",
        example: "- region in { eu, ch }\n+ region in { eu }",
        changes: drop_value,
    },
    Operator {
        name: "drop-need",
        shipped: false,
        meaning: "takes the guard of a need away, so that it always holds",
        example: "- need cut when weight >= 40\n+ need cut",
        changes: drop_need,
    },
    Operator {
        name: "drop-filter",
        shipped: true,
        meaning: "leaves one filter, or one use of a set of filters, out",
        example: "- permission : permission",
        changes: drop_filter,
    },
];

fn drop_part(s: &Subject<'_>) -> Vec<Change> {
    let mut out = Vec::new();
    for g in s.guards() {
        // Of what ships, `let`s such as `std.durable` may be written out by hand; the filters are as they are.
        if g.of != Guards::Let && s.is_shipped(g.guard.span.span.file) {
            continue;
        }
        parts(g.guard, &mut |part| {
            let (word, list) = match &*part.kind {
                GuardKind::And(list) => (" and ", list),
                GuardKind::Or(list) => (" or ", list),
                _ => return,
            };
            for i in 0..list.len() {
                let rest: Vec<&str> =
                    list.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, p)| s.text(p.span.span)).collect();
                let what = format!("`{}` left out of {}", s.text(list[i].span.span), g.what);
                out.push(Change::new(list[i].span.span, what, vec![Edit::new(part.span.span, rest.join(word))]));
            }
        });
    }
    out
}

fn widen_guard(s: &Subject<'_>) -> Vec<Change> {
    let mut out = Vec::new();
    for g in s.guards() {
        let Some(fact) = s.other_bool(Some(g.guard)) else { continue };
        let at = g.guard.span.span;
        let what = format!("{} open also where `{fact}` holds", g.what);
        out.push(Change::new(at, what, vec![Edit::new(at, format!("{} or {fact}", s.text(at)))]));
    }
    out
}

fn negate_guard(s: &Subject<'_>) -> Vec<Change> {
    let negated = |g: &Guarded<'_>| {
        let at = g.guard.span.span;
        let text = match &*g.guard.kind {
            GuardKind::Not(inner) => s.text(inner.span.span).to_owned(),
            _ => format!("not ({})", s.text(at)),
        };
        Change::new(at, format!("{} turned round", g.what), vec![Edit::new(at, text)])
    };
    s.guards().iter().map(negated).collect()
}

/// A number with its unit, moved.
fn moved(text: &str, by: i64) -> Option<String> {
    let digits = text.find(|c: char| !(c.is_ascii_digit() || c == '_' || c == '-')).unwrap_or(text.len());
    let number: i64 = text.get(..digits)?.replace('_', "").parse().ok()?;
    Some(format!("{}{}", number.checked_add(by)?, text.get(digits..)?))
}

fn shift(s: &Subject<'_>, at: Span, of: &str, out: &mut Vec<Change>) {
    for by in [-1, 1] {
        if let Some(text) = moved(s.text(at), by) {
            out.push(Change::new(
                at,
                format!("`{}` of {of} made `{text}`", s.text(at)),
                vec![Edit::new(at, text.clone())],
            ));
        }
    }
}

fn shift_number(s: &Subject<'_>) -> Vec<Change> {
    let mut out = Vec::new();
    for (item, _) in s.items() {
        if let ItemKind::Const(name, Value::Qty(q)) = &item.kind {
            shift(s, q.span, &format!("`{}`", name.value), &mut out);
        }
    }
    for g in s.guards() {
        parts(g.guard, &mut |part| {
            if let GuardKind::Compare { right, plus, .. } = &*part.kind {
                if let Value::Qty(q) = right {
                    shift(s, q.span, &g.what, &mut out);
                }
                if plus.value != 0 {
                    shift(s, plus.span, &g.what, &mut out);
                }
            }
        });
    }
    out
}

fn shift_comparison(s: &Subject<'_>) -> Vec<Change> {
    let mut out = Vec::new();
    for g in s.guards() {
        parts(g.guard, &mut |part| {
            let GuardKind::Compare { op, .. } = &*part.kind else { return };
            let other = match op.value {
                CmpOp::Lt => "<=",
                CmpOp::Le => "<",
                CmpOp::Gt => ">=",
                CmpOp::Ge => ">",
                CmpOp::Eq | CmpOp::Ne => return,
            };
            let what = format!("`{}` of {} made `{other}`", s.text(op.span), g.what);
            out.push(Change::new(op.span, what, vec![Edit::new(op.span, other)]));
        });
    }
    out
}

/// The levels of the fact or target attribute that a name stands for.
fn levels(s: &Subject<'_>, name: &str) -> Vec<String> {
    if name == "target.evidence" {
        return ["asserted", "verified"].map(str::to_owned).to_vec();
    }
    let items = s.files.iter().flat_map(|f| &f.file.items);
    let facts = items.filter_map(|i| if let ItemKind::Facts(facts) = &i.kind { Some(facts) } else { None });
    match facts.flatten().find(|f| f.name.value == name).map(|f| &f.ty.value) {
        Some(Type::Level(n)) => n.iter().map(|w| w.value.clone()).collect(),
        Some(Type::Evidence) => EVIDENCE.iter().map(|w| (*w).to_owned()).collect(),
        _ => Vec::new(),
    }
}

/// The neighbours of a level.
pub(super) fn neighbours(levels: &[String], at: &str) -> Vec<String> {
    let Some(i) = levels.iter().position(|l| l == at) else { return Vec::new() };
    [i.checked_sub(1), i.checked_add(1)].into_iter().flatten().filter_map(|j| levels.get(j).cloned()).collect()
}

fn shift_level(s: &Subject<'_>) -> Vec<Change> {
    let mut out = Vec::new();
    for g in s.guards() {
        parts(g.guard, &mut |part| {
            let GuardKind::Compare { left, right: Value::Path(level), .. } = &*part.kind else { return };
            for other in neighbours(&levels(s, &left.path.value), &level.value) {
                let what = format!("`{}` of {} made `{other}`", level.value, g.what);
                out.push(Change::new(level.span, what, vec![Edit::new(level.span, other)]));
            }
        });
    }
    out
}

fn drop_value(s: &Subject<'_>) -> Vec<Change> {
    let mut out = Vec::new();
    for g in s.guards() {
        parts(g.guard, &mut |part| {
            let (GuardKind::In(_, list) | GuardKind::HasAny(_, list) | GuardKind::HasAll(_, list)) = &*part.kind else {
                return;
            };
            if list.len() < 2 {
                return;
            }
            for v in list {
                let what = format!("`{}` left out of {}", v.value, g.what);
                out.push(Change::new(v.span, what, vec![Edit::delete(listed(s, v.span))]));
            }
        });
    }
    out
}

/// A member of a list with one of its commas.
pub(super) fn listed(s: &Subject<'_>, at: Span) -> Span {
    let Some(file) = s.sources.file(at.file) else { return at };
    let (before, after) = (&file.text[..at.start as usize], &file.text[at.end as usize..]);
    let blank = after.len() - after.trim_start().len();
    if after.trim_start().starts_with(',') {
        let more = &after[blank + 1..];
        let gap = more.len() - more.trim_start().len();
        return Span::new(at.file, at.start, at.end + u32::try_from(blank + 1 + gap).unwrap_or(0));
    }
    match before.trim_end().strip_suffix(',') {
        Some(rest) => Span::new(at.file, u32::try_from(rest.len()).unwrap_or(at.start), at.end),
        None => at,
    }
}

fn drop_need(s: &Subject<'_>) -> Vec<Change> {
    let mut out = Vec::new();
    for (item, _) in s.items() {
        if let ItemKind::Need { what, guard: Some(g) } = &item.kind {
            let at = Span::new(what.span.file, what.span.end, g.span.span.end);
            out.push(Change::new(
                what.span,
                format!("need `{}` made to hold always", what.value),
                vec![Edit::delete(at)],
            ));
        }
    }
    out
}

fn drop_filter(s: &Subject<'_>) -> Vec<Change> {
    let mut out = Vec::new();
    for f in s.filters() {
        for (name, guard) in &f.filters {
            out.push(left_out(name, guard));
        }
        for path in &f.uses {
            let mut at = listed(s, path.span);
            if at == path.span
                && let Some(word) = s.keyword("use", f.span.span.start, path.span)
            {
                at = word.to(path.span);
            }
            out.push(Change::new(path.span, format!("filters `{}` not used", path.value), vec![Edit::delete(at)]));
        }
    }
    for r in s.roads() {
        for e in &r.block.entries {
            if let Entry::Filters(FiltersRef::Named(path)) = e
                && let Some(word) = s.keyword("filters", r.block.span.span.start, path.span)
            {
                let what = format!("filters `{}` of `{}` not used", path.value, r.name.value);
                out.push(Change::new(path.span, what, vec![Edit::delete(word.to(path.span))]));
            }
        }
    }
    out
}

fn left_out(name: &Ident, guard: &Guard) -> Change {
    let at = name.span.to(guard.span.span);
    Change::new(at, format!("filter `{}` left out", name.value), vec![Edit::delete(at)])
}

/// The value of an attribute as written.
pub(super) fn value_span(v: &AttrValue) -> Span {
    match v {
        AttrValue::Text(t) => t.span,
        AttrValue::Qty(q) => q.span,
        AttrValue::Path(p) => p.span,
    }
}
