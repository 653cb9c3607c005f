//! Guards: from the tree to the atoms of the model, for one road where they stand for one.
//!
//! A name in a shipped library is read as a role: every fact and `let` that fills it counts. Where several do, an atom
//! that must be true is a conjunction over them, and one under `not` a disjunction, so that all must hold.

use super::facts::{self, Source};
use super::{Const, Lowering, codes};
use crate::model::{Guard, Life, RoadId, Type};
use roadlaw_grammar::ast::{self, CmpOp, GuardKind};
use roadlaw_grammar::diagnostic::Diagnostic;
use roadlaw_grammar::span::Span;
use std::collections::BTreeMap;

/// Where a guard stands, which decides what it may read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reads {
    /// A filter: no rank facts.
    Filter,
    /// The guard of an edge: no rank facts.
    Edge,
    /// A need: pinned and sealed facts only.
    Need,
    /// A claim: anything.
    Claim,
}

/// For which road a guard is lowered.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Context<'e> {
    pub(crate) road: Option<RoadId>,
    /// Road parameters of the lane it stands in.
    pub(crate) params: Option<&'e BTreeMap<String, RoadId>>,
    pub(crate) reads: Reads,
}

/// A guard may nest this deep, with the `let`s it names.
const MAX_DEPTH: usize = 200;
/// A guard may have this many atoms, with the `let`s it names.
const MAX_ATOMS: usize = 4096;

/// What is counted while one guard is lowered.
#[derive(Default)]
pub(crate) struct Work {
    depth: usize,
    atoms: usize,
    lets: Vec<usize>,
    pub(crate) reads: Vec<(crate::model::FactId, Span)>,
    full: bool,
}

/// A declaration that a name may mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decl {
    Fact(usize),
    Let(usize),
}

/// What a name means.
pub(crate) enum Meaning {
    Decls(Vec<Decl>),
    Counter(usize),
    Const(Const),
    Derived(&'static str),
    Limit(String),
    Target(String),
    Floor,
}

/// A number with what it counts.
#[derive(Clone, Copy)]
pub(crate) struct Number {
    pub(crate) value: i64,
    pub(crate) time: bool,
}

impl Lowering<'_> {
    /// Lowers a guard. What is wrong is reported, and reads as false.
    pub(crate) fn guard(&mut self, guard: &ast::Guard, cx: Context<'_>) -> Guard {
        self.work = Work::default();
        let out = self.lower_guard(guard, cx, true);
        self.check_reads(guard.span.span, &out, cx);
        out
    }

    fn lower_guard(&mut self, guard: &ast::Guard, cx: Context<'_>, positive: bool) -> Guard {
        if self.work.full {
            return Guard::False;
        }
        self.work.depth += 1;
        self.work.atoms += 1;
        if self.work.depth > MAX_DEPTH || self.work.atoms > MAX_ATOMS {
            self.work.full = true;
            self.d.push(
                Diagnostic::error(
                    codes::LIMIT,
                    guard.span.span,
                    format!(
                        "with the `let`s it names, the guard is deeper than {MAX_DEPTH} or longer than {MAX_ATOMS}"
                    ),
                )
                .with_help("name fewer alternatives"),
            );
            return Guard::False;
        }
        let out = match &*guard.kind {
            GuardKind::Or(gs) => {
                let parts: Vec<Guard> = gs.iter().map(|g| self.lower_guard(g, cx, positive)).collect();
                Guard::or(parts)
            }
            GuardKind::And(gs) => {
                let parts: Vec<Guard> = gs.iter().map(|g| self.lower_guard(g, cx, positive)).collect();
                Guard::and(parts)
            }
            GuardKind::Not(g) => self.lower_guard(g, cx, !positive).negated(),
            GuardKind::Paren(g) => self.lower_guard(g, cx, positive),
            GuardKind::Ref(r) => self.truth(r, cx, positive),
            GuardKind::In(r, words) => self.member(r, words, cx, positive),
            GuardKind::Has(r, w) => self.labels(r, std::slice::from_ref(w), false, cx, positive),
            GuardKind::HasAny(r, ws) => self.labels(r, ws, false, cx, positive),
            GuardKind::HasAll(r, ws) => self.labels(r, ws, true, cx, positive),
            GuardKind::Empty(r) => self.empty(r, cx, positive),
            GuardKind::IsUnknown(r) => self.each_cell(r, cx, positive, |_, f, _, _| Some(Guard::Unknown(f))),
            GuardKind::Compare { left, op, right, plus } => {
                self.compare(left, op.value, right, plus.value, guard.span.span, cx, positive)
            }
        };
        self.work.depth -= 1;
        out
    }

    pub(crate) fn wrong(&mut self, span: Span, what: String, help: &str) -> Guard {
        self.d.push(Diagnostic::error(codes::WRONG_TYPE, span, what).with_help(help));
        Guard::False
    }

    /// Applies an atom to every cell that a reference means, and joins what comes out.
    pub(crate) fn each_cell(
        &mut self,
        r: &ast::Ref,
        cx: Context<'_>,
        positive: bool,
        mut atom: impl FnMut(&mut Self, crate::model::FactId, &Type, bool) -> Option<Guard>,
    ) -> Guard {
        let Some(meaning) = self.look_up(r, cx) else { return Guard::False };
        let name = &r.path.value;
        let mut parts = Vec::new();
        match meaning {
            Meaning::Decls(decls) => {
                for decl in decls {
                    match decl {
                        Decl::Fact(i) => {
                            let Some(id) = self.cell(i, r, cx) else { continue };
                            let v = &self.scope.facts.entries[i].value;
                            if let Some(g) = atom(self, id, &v.ty, v.evidence) {
                                parts.push(g);
                            } else {
                                parts.push(Guard::False);
                            }
                        }
                        Decl::Let(i) => {
                            let what =
                                format!("`{}` is a `let`, and this asks for a fact", self.scope.lets.entries[i].name);
                            return self.wrong(r.span.span, what, "a `let` is only true, false or undecided");
                        }
                    }
                }
            }
            Meaning::Counter(i) => {
                let id = self.cells.make(Source::Counter(i), None);
                self.work.reads.push((id, r.span.span));
                let hi = i32::try_from(self.scope.counters.entries[i].value.0).unwrap_or(i32::MAX).max(0);
                parts.push(atom(self, id, &Type::Int { lo: 0, hi }, false).unwrap_or(Guard::False));
            }
            _ => return self.wrong(r.span.span, format!("`{name}` is no fact"), "name a fact here"),
        }
        if positive { Guard::and(parts) } else { Guard::or(parts) }
    }

    /// A reference that stands for its truth.
    pub(crate) fn truth(&mut self, r: &ast::Ref, cx: Context<'_>, positive: bool) -> Guard {
        match (r.path.value.as_str(), &r.index) {
            ("true", None) => return Guard::True,
            ("false", None) => return Guard::False,
            _ => {}
        }
        let Some(meaning) = self.look_up(r, cx) else { return Guard::False };
        let name = r.path.value.clone();
        let span = r.span.span;
        match meaning {
            Meaning::Decls(decls) => {
                let mut parts = Vec::new();
                for decl in decls {
                    parts.push(match decl {
                        Decl::Fact(i) => {
                            let Some(id) = self.cell(i, r, cx) else {
                                parts.push(Guard::False);
                                continue;
                            };
                            let ty = &self.scope.facts.entries[i].value.ty;
                            if *ty == Type::Bool {
                                Guard::In(id, vec![1])
                            } else {
                                let what = format!("`{name}` is a {}, not a bool", facts::describe(ty));
                                let help = match ty {
                                    Type::Set(_) => "write `x has label` or `x empty`",
                                    _ => "compare it with a value",
                                };
                                self.wrong(span, what, help)
                            }
                        }
                        Decl::Let(i) => self.expand(i, r, cx, positive),
                    });
                }
                if positive { Guard::and(parts) } else { Guard::or(parts) }
            }
            Meaning::Derived(d) if d != "role" => match self.derived(d, span, cx) {
                Some(true) => Guard::True,
                _ => Guard::False,
            },
            Meaning::Target(attr) if attr == "cut_required" => {
                match cx.road.and_then(|r| self.roads[r.index()].target) {
                    Some(t) if self.targets[t.index()].cut_required => Guard::True,
                    Some(_) => Guard::False,
                    None => {
                        let _: Option<()> = self.no_context("target.cut_required", "target", span);
                        Guard::False
                    }
                }
            }
            _ => self.wrong(span, format!("`{name}` is neither true nor false"), "compare it with a value"),
        }
    }

    fn expand(&mut self, i: usize, r: &ast::Ref, cx: Context<'_>, positive: bool) -> Guard {
        let e = &self.scope.lets.entries[i];
        if let Some(index) = &r.index {
            // `labelled[mistral]` is the `let` as it reads for that road.
            let Some(road) = self.road_named(index, cx.params) else { return Guard::False };
            let inner = Context { road: Some(road), ..cx };
            return self.expand_in(i, e.value.guard, r.span.span, inner, positive);
        }
        self.expand_in(i, e.value.guard, r.span.span, cx, positive)
    }

    fn expand_in(&mut self, i: usize, guard: &ast::Guard, at: Span, cx: Context<'_>, positive: bool) -> Guard {
        if let Some(from) = self.work.lets.iter().position(|l| *l == i) {
            let mut cycle: Vec<&str> =
                self.work.lets[from..].iter().map(|l| self.scope.lets.entries[*l].name).collect();
            cycle.push(self.scope.lets.entries[i].name);
            let text = cycle.join(" -> ");
            self.d.push(
                Diagnostic::error(codes::STRUCTURE, at, format!("`let`s mean each other in a cycle: {text}"))
                    .with_help("let one of them say what it means without the others"),
            );
            return Guard::False;
        }
        self.work.lets.push(i);
        let before = self.work.reads.len();
        let out = self.lower_guard(guard, cx, positive);
        self.work.lets.pop();
        // Blame the reference as written in the guard, not the inside of the `let`.
        if self.work.lets.is_empty() {
            for (_, span) in &mut self.work.reads[before..] {
                *span = at;
            }
        }
        out
    }

    pub(crate) fn derived(&mut self, d: &str, span: Span, cx: Context<'_>) -> Option<bool> {
        let Some(road) = cx.road else { return self.no_context(d, "road", span) };
        let v = self.roads[road.index()].derived;
        Some(match d {
            "paid" => v.paid,
            "asynchronous" => v.asynchronous,
            "auto_retry" => v.auto_retry,
            _ => v.reconcilable,
        })
    }

    fn empty_list(&mut self, span: Span) -> Guard {
        self.wrong(span, "the list is empty".into(), "list at least one value")
    }

    /// `x in { a, b }`
    fn member(&mut self, r: &ast::Ref, words: &[ast::Ident], cx: Context<'_>, positive: bool) -> Guard {
        if words.is_empty() {
            return self.empty_list(r.span.span);
        }
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        for w in words {
            if let Some(first) = seen.insert(&w.value, w.span) {
                self.d.push(super::scope::duplicate("value", &w.value, w.span, first));
            }
        }
        let Some(meaning) = self.look_up(r, cx) else { return Guard::False };
        match meaning {
            Meaning::Target(attr) => {
                let Some(actual) = self.target_attribute(&attr, r, cx) else { return Guard::False };
                if let Some(cell) = self.any_provider(&attr, &actual, cx) {
                    let named = words.iter().map(|w| self.provider_named(&w.value)).collect();
                    return Guard::In(cell, named);
                }
                let hit = words.iter().any(|w| self.word_or_const(&w.value) == actual);
                if hit { Guard::True } else { Guard::False }
            }
            Meaning::Derived("role") => {
                let Some(actual) = self.group_of(r.span.span, cx) else { return Guard::False };
                if words.iter().any(|w| w.value == actual) { Guard::True } else { Guard::False }
            }
            _ => self.each_cell(r, cx, positive, |me, f, ty, _| {
                if matches!(ty, Type::Set(_)) {
                    me.wrong(r.span.span, format!("`{}` is a set", r.path.value), "write `x has any { .. }`");
                    return None;
                }
                let mut values = Vec::new();
                for w in words {
                    values.push(facts::word(&me.word_or_const(&w.value), w.span, ty, &mut me.d)?);
                }
                values.sort_unstable();
                values.dedup();
                Some(Guard::In(f, values))
            }),
        }
    }

    pub(crate) fn labels(
        &mut self,
        r: &ast::Ref,
        labels: &[ast::Ident],
        all: bool,
        cx: Context<'_>,
        positive: bool,
    ) -> Guard {
        if labels.is_empty() {
            return self.empty_list(r.span.span);
        }
        self.each_cell(r, cx, positive, |me, f, ty, _| {
            if !matches!(ty, Type::Set(_)) {
                let what = format!("`{}` is a {}, not a set", r.path.value, facts::describe(ty));
                me.wrong(r.span.span, what, "compare it with a value");
                return None;
            }
            let mask = facts::mask(labels, ty, &mut me.d)?;
            Some(if all { Guard::HasAll(f, mask) } else { Guard::HasAny(f, mask) })
        })
    }

    pub(crate) fn empty(&mut self, r: &ast::Ref, cx: Context<'_>, positive: bool) -> Guard {
        self.each_cell(r, cx, positive, |me, f, ty, _| {
            let Type::Set(words) = ty else {
                let what = format!("`{}` is a {}, not a set", r.path.value, facts::describe(ty));
                me.wrong(r.span.span, what, "compare it with a value");
                return None;
            };
            let all = if words.len() >= 64 { u64::MAX } else { (1u64 << words.len()) - 1 };
            Some(Guard::HasAny(f, all).negated())
        })
    }

    /// Rank facts decide nothing but order (RL402), and a need reads what cannot change within the payload (RL114).
    fn check_reads(&mut self, whole: Span, guard: &Guard, cx: Context<'_>) {
        if cx.reads == Reads::Claim {
            return;
        }
        let reads = std::mem::take(&mut self.work.reads);
        let mut seen: Vec<(crate::model::FactId, Span)> = Vec::new();
        for (f, span) in reads {
            if seen.contains(&(f, span)) {
                continue;
            }
            seen.push((f, span));
            let life = self.cell_life(f);
            let name = self.cell_family(f).to_owned();
            let code = if life == Life::Rank { "RL402" } else { "RL114" };
            let wrong = life == Life::Rank || (cx.reads == Reads::Need && !matches!(life, Life::Pinned | Life::Sealed));
            // One road's instance of a guard says it for all.
            if !wrong || !self.told.insert((code, span)) {
                continue;
            }
            if life == Life::Rank {
                let mut e = Diagnostic::error(
                    "RL402",
                    span,
                    format!("rank fact `{name}` decides whether, not only in which order"),
                )
                .with_help("read it in `keys` of a `choose`, and drop it here");
                if span != whole {
                    e = e.with_label(whole, "in this guard");
                }
                e.witness = self.rank_witness(guard, f);
                self.d.push(e);
            } else {
                let mut e = Diagnostic::error(
                    "RL114",
                    span,
                    format!("a need reads `{name}`, which is {} and can change after it was judged", life.word()),
                )
                .with_help("let the need read pinned and sealed facts only");
                if span != whole {
                    e = e.with_label(whole, "in this need");
                }
                self.d.push(e);
            }
        }
    }
}

pub(crate) fn truth(v: bool) -> Guard {
    if v { Guard::True } else { Guard::False }
}

pub(crate) fn holds(op: CmpOp, ordering: std::cmp::Ordering) -> bool {
    match op {
        CmpOp::Lt => ordering.is_lt(),
        CmpOp::Le => ordering.is_le(),
        CmpOp::Gt => ordering.is_gt(),
        CmpOp::Ge => ordering.is_ge(),
        CmpOp::Eq => ordering.is_eq(),
        CmpOp::Ne => ordering.is_ne(),
    }
}
