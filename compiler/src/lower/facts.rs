//! Facts: their types as declared, and the cells that are made of them on demand.
//!
//! A cell exists once something reads it; a policy's own facts exist always. Ids are given in order of first use and
//! put into source order at the end (see `finish`).

use super::{codes, names};
use crate::model::{FactId, Index, Life, Type, Value};
use roadlaw_grammar::ast;
use roadlaw_grammar::diagnostic::Diagnostic;
use roadlaw_grammar::span::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Values of an evidence fact, ascending.
pub(crate) const EVIDENCE: [&str; 5] = ["absent", "declared", "present", "probed", "attested"];
/// At most this many labels of a set.
const MAX_LABELS: usize = 64;
/// At most this many values of an enum or level.
const MAX_VALUES: usize = 256;

/// What a family has a cell for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Per {
    Road,
    Target,
}

/// A declared fact.
pub(crate) struct FactDecl<'a> {
    pub(crate) life: Life,
    pub(crate) ty: Type,
    pub(crate) evidence: bool,
    pub(crate) per: Option<Per>,
    pub(crate) unknown: Option<Value>,
    pub(crate) role: String,
    pub(crate) role_span: Span,
    pub(crate) docs: &'a [String],
}

/// What a cell is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Source {
    /// A declared fact.
    Fact(usize),
    /// The latch of a counter.
    Counter(usize),
    /// `tried`, per road.
    Tried,
    /// `judged`.
    Judged,
    /// `consumed`.
    Consumed,
    /// The name of a target's provider, where it is not fixed (RL406).
    Provider,
}

/// The cells made so far.
#[derive(Default)]
pub(crate) struct Cells {
    pub(crate) list: Vec<(Source, Option<Index>)>,
    by_key: BTreeMap<(Source, Option<Index>), FactId>,
}

impl Cells {
    /// The cell, made if it is new.
    pub(crate) fn make(&mut self, source: Source, index: Option<Index>) -> FactId {
        let next = FactId(u32::try_from(self.list.len()).unwrap_or(u32::MAX));
        let id = *self.by_key.entry((source, index)).or_insert(next);
        if id == next {
            self.list.push((source, index));
        }
        id
    }

    /// The cell, if it was made.
    pub(crate) fn find(&self, source: Source, index: Option<Index>) -> Option<FactId> {
        self.by_key.get(&(source, index)).copied()
    }
}

/// The type in words, for messages.
pub(crate) fn describe(ty: &Type) -> String {
    match ty {
        Type::Bool => "bool".into(),
        Type::Enum(_) => "enum".into(),
        Type::Level(words) if words.iter().map(String::as_str).eq(EVIDENCE) => "evidence".into(),
        Type::Level(_) => "level".into(),
        Type::Set(_) => "set".into(),
        Type::Int { lo, hi } => format!("int {lo}..{hi}"),
    }
}

/// Checks a declaration and lowers its type.
pub(crate) fn declare<'a>(fact: &'a ast::Fact, shipped: bool, d: &mut Vec<Diagnostic>) -> Option<FactDecl<'a>> {
    let life = match fact.life.value {
        ast::Life::Pinned => Life::Pinned,
        ast::Life::Sealed => Life::Sealed,
        ast::Life::Volatile => Life::Volatile,
        ast::Life::Latch => Life::Latch,
        ast::Life::Rank => Life::Rank,
    };
    if life == Life::Latch && !shipped {
        d.push(
            Diagnostic::error(
                codes::DECLARATION,
                fact.life.span,
                format!("latch `{}` is declared, and latches are written by the run alone", fact.name.value),
            )
            .with_help("use `std.facts` or `std.latches` for `tried`, `judged` and `consumed`, and `counter` for what is counted"),
        );
        return None;
    }
    let (ty, evidence) = lower_type(&fact.ty, d)?;
    let per = match &fact.per {
        None => None,
        Some(p) if p.value == "road" => Some(Per::Road),
        Some(p) if p.value == "target" => Some(Per::Target),
        Some(p) => {
            let mut e = Diagnostic::error(codes::UNKNOWN_NAME, p.span, format!("there is no family per `{}`", p.value));
            e.help = names::hint(&p.value, ["road", "target"]);
            d.push(e);
            return None;
        }
    };
    let unknown = match &fact.unknown {
        None => None,
        Some(v) => Some(literal(v, &ty, &BTreeMap::new(), d)?),
    };
    Some(FactDecl {
        life,
        ty,
        evidence,
        per,
        unknown,
        role: fact.role.as_ref().map_or_else(|| fact.name.value.clone(), |r| r.value.clone()),
        role_span: fact.role.as_ref().map_or(fact.name.span, |r| r.span),
        docs: &fact.docs,
    })
}

fn lower_type(ty: &roadlaw_grammar::span::Spanned<ast::Type>, d: &mut Vec<Diagnostic>) -> Option<(Type, bool)> {
    let words = |list: &[ast::Ident], max: usize, d: &mut Vec<Diagnostic>| -> Option<Vec<String>> {
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        let mut ok = true;
        for w in list {
            if let Some(first) = seen.insert(&w.value, w.span) {
                d.push(super::scope::duplicate("value", &w.value, w.span, first));
                ok = false;
            }
        }
        if list.is_empty() {
            d.push(
                Diagnostic::error(codes::OUT_OF_DOMAIN, ty.span, "a type with no values can hold none")
                    .with_help("list at least one value"),
            );
            ok = false;
        }
        if list.len() > max {
            d.push(Diagnostic::error(
                codes::LIMIT,
                ty.span,
                format!("{} values, and at most {max} are allowed", list.len()),
            ));
            ok = false;
        }
        ok.then(|| list.iter().map(|w| w.value.clone()).collect())
    };
    Some(match &ty.value {
        ast::Type::Bool => (Type::Bool, false),
        ast::Type::Evidence => (Type::Level(EVIDENCE.map(str::to_owned).to_vec()), true),
        ast::Type::Enum(w) => (Type::Enum(words(w, MAX_VALUES, d)?), false),
        ast::Type::Level(w) => (Type::Level(words(w, MAX_VALUES, d)?), false),
        ast::Type::Set(w) => (Type::Set(words(w, MAX_LABELS, d)?), false),
        ast::Type::Int { lo, hi, .. } => {
            let (Ok(l), Ok(h)) = (i32::try_from(lo.value), i32::try_from(hi.value)) else {
                d.push(
                    Diagnostic::error(codes::LIMIT, ty.span, "the bounds do not fit in 32 bits").with_help(format!(
                        "stay within {}..{}",
                        i32::MIN,
                        i32::MAX
                    )),
                );
                return None;
            };
            if l > h {
                d.push(
                    Diagnostic::error(codes::OUT_OF_DOMAIN, ty.span, format!("the range {l}..{h} is empty"))
                        .with_help(format!("write `int {h}..{l}`")),
                );
                return None;
            }
            (Type::Int { lo: l, hi: h }, false)
        }
    })
}

/// A written value as a value of a type. Constants stand for their numbers.
fn literal(value: &ast::Value, ty: &Type, consts: &BTreeMap<String, i64>, d: &mut Vec<Diagnostic>) -> Option<Value> {
    match value {
        ast::Value::Qty(q) => number(q.value, q.span, ty, d),
        ast::Value::Path(p) => match (consts.get(&p.value), ty) {
            (Some(n), Type::Int { .. }) => number(ast::Qty { number: *n, unit: None }, p.span, ty, d),
            _ => word(&p.value, p.span, ty, d),
        },
    }
}

/// A number as a value of an int type.
pub(crate) fn number(q: ast::Qty, span: Span, ty: &Type, d: &mut Vec<Diagnostic>) -> Option<Value> {
    let Type::Int { lo, hi } = ty else {
        d.push(
            Diagnostic::error(
                codes::WRONG_TYPE,
                span,
                format!("`{}` is a number, and the fact is a {}", q.number, describe(ty)),
            )
            .with_help(match ty {
                Type::Set(_) => "write a set like `{ a, b }`".to_owned(),
                Type::Enum(words) | Type::Level(words) => format!("write one of `{}`", words.join("`, `")),
                _ => "write the fact's name alone, or `not` before it".to_owned(),
            }),
        );
        return None;
    };
    if !matches!(q.unit, None | Some(ast::Unit::Cents)) {
        d.push(Diagnostic::error(codes::WRONG_TYPE, span, "a span of time is no value of an int fact"));
        return None;
    }
    if q.number < i64::from(*lo) || q.number > i64::from(*hi) {
        d.push(
            Diagnostic::error(codes::OUT_OF_DOMAIN, span, format!("{} lies outside {lo}..{hi}", q.number))
                .with_help("write a value of the fact's range"),
        );
        return None;
    }
    Some(q.number)
}

/// A word as a value of a bool, enum or level type.
pub(crate) fn word(w: &str, span: Span, ty: &Type, d: &mut Vec<Diagnostic>) -> Option<Value> {
    let found = match ty {
        Type::Bool => match w {
            "true" => Some(1),
            "false" => Some(0),
            _ => None,
        },
        Type::Enum(words) | Type::Level(words) => words.iter().position(|x| x == w).and_then(|i| i64::try_from(i).ok()),
        Type::Set(_) | Type::Int { .. } => {
            let what = if matches!(ty, Type::Set(_)) { "a set like `{ a, b }`" } else { "a number" };
            d.push(
                Diagnostic::error(
                    codes::WRONG_TYPE,
                    span,
                    format!("`{w}` is a word, and the fact is a {}", describe(ty)),
                )
                .with_help(format!("write {what}")),
            );
            return None;
        }
    };
    if found.is_none() {
        let mut e =
            Diagnostic::error(codes::OUT_OF_DOMAIN, span, format!("`{w}` is no value of this {}", describe(ty)));
        e.help = match ty {
            Type::Bool => Some("write `true` or `false`".into()),
            Type::Enum(words) | Type::Level(words) => names::hint(w, words.iter().map(String::as_str)),
            _ => None,
        };
        d.push(e);
    }
    found
}

/// A list of labels as a mask.
pub(crate) fn mask(labels: &[ast::Ident], ty: &Type, d: &mut Vec<Diagnostic>) -> Option<u64> {
    let Type::Set(words) = ty else { return None };
    let mut out = 0u64;
    let mut seen = BTreeSet::new();
    let mut ok = true;
    for l in labels {
        let Some(i) = words.iter().position(|w| *w == l.value) else {
            let mut e =
                Diagnostic::error(codes::OUT_OF_DOMAIN, l.span, format!("`{}` is no label of this set", l.value));
            e.help = names::hint(&l.value, words.iter().map(String::as_str));
            d.push(e);
            ok = false;
            continue;
        };
        if !seen.insert(i) {
            d.push(
                Diagnostic::error(codes::DUPLICATE, l.span, format!("label `{}` is listed twice", l.value))
                    .with_help("drop one of the two"),
            );
            ok = false;
        }
        out |= 1 << i;
    }
    ok.then_some(out)
}
