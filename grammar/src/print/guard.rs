//! Guards, events, settings and tests.

use super::{Printer, WIDTH, flow, names, number, qty, value};
use crate::ast::*;

/// ` when GUARD`, or nothing.
pub(super) fn when(g: &Option<Guard>) -> String {
    g.as_ref().map_or(String::new(), |g| format!(" when {}", guard(g)))
}

/// A guard. Parentheses are part of the tree; they are added only where a tree made by hand lacks them.
pub(super) fn guard(g: &Guard) -> String {
    let join = |parts: &[Guard], word: &str| parts.iter().map(|g| within(g, word)).collect::<Vec<_>>().join(word);
    match &*g.kind {
        GuardKind::Or(parts) => join(parts, " or "),
        GuardKind::And(parts) => join(parts, " and "),
        GuardKind::Not(g) => format!("not {}", within(g, "not")),
        GuardKind::Paren(g) => format!("({})", guard(g)),
        GuardKind::Ref(r) => reference(r),
        GuardKind::In(r, n) => format!("{} in {}", reference(r), names(n)),
        GuardKind::Has(r, w) => format!("{} has {}", reference(r), w.value),
        GuardKind::HasAny(r, n) => format!("{} has any {}", reference(r), names(n)),
        GuardKind::HasAll(r, n) => format!("{} has all {}", reference(r), names(n)),
        GuardKind::Empty(r) => format!("{} empty", reference(r)),
        GuardKind::IsUnknown(r) => format!("{} is unknown", reference(r)),
        GuardKind::Compare { left, op, right, plus } => {
            let op = match op.value {
                CmpOp::Lt => "<",
                CmpOp::Le => "<=",
                CmpOp::Gt => ">",
                CmpOp::Ge => ">=",
                CmpOp::Eq => "==",
                CmpOp::Ne => "!=",
            };
            let plus = match plus.value {
                0 => String::new(),
                // Its opposite is no number of 64 bits.
                i64::MIN => format!(" + {}", number(i64::MIN)),
                n if n < 0 => format!(" - {}", number(-n)),
                n => format!(" + {}", number(n)),
            };
            format!("{} {op} {}{plus}", reference(left), value(right))
        }
    }
}

fn within(g: &Guard, outer: &str) -> String {
    let looser = match &*g.kind {
        GuardKind::Or(_) => true,
        GuardKind::And(_) => outer != " or ",
        _ => false,
    };
    if looser { format!("({})", guard(g)) } else { guard(g) }
}

pub(super) fn reference(r: &Ref) -> String {
    r.index.as_ref().map_or_else(|| r.path.value.clone(), |i| format!("{}[{}]", r.path.value, i.value))
}

pub(super) fn event(e: &Event) -> String {
    flow::call(&e.name, &e.args, e.outcome.as_ref())
}

pub(super) fn never(n: &Never) -> String {
    let mut out = format!("never {}", event(&n.event));
    if let Some((unless, g)) = &n.guard {
        out.push_str(&format!(" {} {}", if *unless { "unless" } else { "when" }, guard(g)));
    }
    if let Some((e, with)) = &n.after {
        out.push_str(&format!(" after {}", event(e)));
        if let Some(w) = with {
            out.push_str(&format!(" with submitted {}", w.value));
        }
    }
    out
}

fn assign(a: &Assign) -> String {
    let fact = reference(&a.fact);
    match &a.value {
        AssignValue::True => fact,
        AssignValue::False => format!("not {fact}"),
        AssignValue::Unknown => format!("{fact} unknown"),
        AssignValue::Set(n) => format!("{fact} {}", names(n)),
        AssignValue::Qty(q) => format!("{fact} {}", qty(q.value)),
        AssignValue::Word(w) => format!("{fact} {}", w.value),
    }
}

fn expect(e: &Expect) -> String {
    let mut out = format!("=> {}", flow::place(&e.place));
    for v in &e.via {
        out.push_str(&format!(" via {}", event(v)));
    }
    for w in &e.without {
        out.push_str(&format!(" without {}", event(w)));
    }
    if !e.because.is_empty() {
        let reasons: Vec<String> = e.because.iter().map(|(r, f)| format!("{}: {}", r.value, f.value)).collect();
        out.push_str(&format!(" because {}", reasons.join(", ")));
    }
    out
}

impl Printer {
    /// `head base { assign, .. }tail`, its assignments one a line where they don't fit on one.
    pub(super) fn setting(&mut self, depth: usize, head: &str, s: &Setting, tail: &str) {
        let base = s.base.as_ref().map_or(String::new(), |b| format!("{} ", b.value));
        let parts: Vec<String> = s.assigns.iter().map(assign).collect();
        let inner = if parts.is_empty() { String::new() } else { format!("{} ", parts.join(", ")) };
        let one = format!("{head} {base}{{ {inner}}}{tail}");
        if parts.is_empty() || 2 * depth + one.len() <= WIDTH {
            return self.line(depth, &one);
        }
        self.line(depth, &format!("{head} {base}{{"));
        for p in &parts {
            self.line(depth + 1, &format!("{p},"));
        }
        self.line(depth, &format!("}}{tail}"));
    }

    pub(super) fn test(&mut self, t: &Test) {
        let child = t.child.as_ref().map_or(String::new(), |c| format!(" in {}", c.value));
        let head = format!("test \"{}\"{child}", t.name.value);
        if let [(None, only)] = t.steps.as_slice() {
            return self.setting(1, &head, &t.setting, &format!(" {}", expect(only)));
        }
        self.setting(1, &head, &t.setting, " {");
        for (outcome, e) in &t.steps {
            let outcome = outcome.as_ref().map_or(String::new(), |o| format!("{} ", o.value));
            self.line(2, &format!("{outcome}{}", expect(e)));
        }
        self.line(1, "}");
    }
}
