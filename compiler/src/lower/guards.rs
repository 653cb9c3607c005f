//! Guards: from the tree to the atoms of the model, for one road where they stand for one.
//!
//! A name in a shipped library is read as a role: every fact and `let` that fills it counts. Where several do, an atom
//! that must be true is a conjunction over them, and one under `not` a disjunction, so that all must hold.

use super::facts::{self, Per, Source};
use super::scope::DERIVED;
use super::{Const, Lowering, codes, names};
use crate::model::{Guard, Index, Life, RoadId, TargetId, Type};
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
    reads: Vec<(crate::model::FactId, Span)>,
    full: bool,
}

/// A declaration that a name may mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decl {
    Fact(usize),
    Let(usize),
}

/// What a name means.
enum Meaning {
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
struct Number {
    value: i64,
    time: bool,
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

    /// What a name means, seen from a file that ships with the compiler or not.
    fn meaning(&self, path: &str, shipped: bool) -> Option<Meaning> {
        let scope = self.scope;
        if let Some(rest) = path.strip_prefix("limits.") {
            return Some(Meaning::Limit(rest.to_owned()));
        }
        if let Some(rest) = path.strip_prefix("target.") {
            return Some(Meaning::Target(rest.to_owned()));
        }
        if let Some(d) = DERIVED.iter().find(|d| **d == path) {
            return Some(Meaning::Derived(d));
        }
        if path == "floor" {
            return Some(Meaning::Floor);
        }
        if shipped {
            let items = self.role_items(path);
            if !items.is_empty() {
                return Some(Meaning::Decls(items));
            }
        }
        if let Some(c) = self.consts.get(path) {
            return Some(Meaning::Const(c.clone()));
        }
        if let Some(i) = scope.counters.find(path, &scope.aliases) {
            return Some(Meaning::Counter(i));
        }
        let fact = scope.facts.find(path, &scope.aliases).filter(|i| !self.replaced(*i));
        let by_let = scope.lets.find(path, &scope.aliases);
        let own_let = by_let.filter(|i| !scope.lets.entries[*i].shipped);
        let own_fact = fact.filter(|i| !scope.facts.entries[*i].shipped);
        if let Some(i) = own_fact {
            return Some(Meaning::Decls(vec![Decl::Fact(i)]));
        }
        if let Some(i) = own_let {
            return Some(Meaning::Decls(vec![Decl::Let(i)]));
        }
        if let Some(i) = fact {
            return Some(Meaning::Decls(vec![Decl::Fact(i)]));
        }
        if let Some(i) = by_let {
            return Some(Meaning::Decls(vec![Decl::Let(i)]));
        }
        // The name of a shipped fact that was replaced means its role, and so does a role's own name.
        let role = scope.facts.find(path, &scope.aliases).map_or(path, |i| scope.facts.entries[i].value.role.as_str());
        let items = self.role_items(role);
        (!items.is_empty()).then_some(Meaning::Decls(items))
    }

    /// The facts and `let`s that a name of the policy means.
    pub(crate) fn decls_named(&self, name: &str) -> Vec<Decl> {
        match self.meaning(name, false) {
            Some(Meaning::Decls(decls)) => decls,
            _ => Vec::new(),
        }
    }

    /// A shipped fact whose place a policy's own fact or `let` takes.
    pub(crate) fn replaced(&self, fact: usize) -> bool {
        let e = &self.scope.facts.entries[fact];
        if !e.shipped {
            return false;
        }
        let takes = |shipped: bool, name: &str, role: &str| !shipped && (name == e.name || role == e.value.role);
        self.scope.facts.entries.iter().any(|o| takes(o.shipped, o.name, &o.value.role))
            || self.scope.lets.entries.iter().any(|o| takes(o.shipped, o.name, &o.value.role))
    }

    /// Facts and `let`s that fill a role: a policy's own, or else the shipped ones.
    pub(crate) fn role_items(&self, role: &str) -> Vec<Decl> {
        let scope = self.scope;
        let mut out: Vec<(Span, Decl)> = Vec::new();
        for (i, e) in scope.facts.entries.iter().enumerate() {
            if !e.shipped && e.value.role == role {
                out.push((e.span, Decl::Fact(i)));
            }
        }
        for (i, e) in scope.lets.entries.iter().enumerate() {
            if !e.shipped && e.value.role == role {
                out.push((e.span, Decl::Let(i)));
            }
        }
        if out.is_empty() {
            for (i, e) in scope.facts.entries.iter().enumerate() {
                if e.shipped && e.value.role == role && !self.replaced(i) {
                    out.push((e.span, Decl::Fact(i)));
                }
            }
        }
        out.sort_by_key(|(span, _)| (span.file, span.start));
        out.into_iter().map(|(_, d)| d).collect()
    }

    fn look_up(&mut self, r: &ast::Ref, cx: Context<'_>) -> Option<Meaning> {
        let shipped = self.scope.shipped_files.contains(&r.span.span.file);
        let found = self.meaning(&r.path.value, shipped);
        match (found.is_none(), cx.road) {
            // A library is right about its names: what lacks is a fact of the policy.
            (true, Some(road)) if shipped => self.missing_role(&r.path.value, road),
            (true, _) => self.unknown_value(&r.path.value, r.path.span),
            (false, _) => {}
        }
        found
    }

    /// Reports a name that no fact, `let`, constant or counter has.
    pub(crate) fn unknown_value(&mut self, name: &str, span: Span) {
        let s = self.scope;
        let known = s
            .facts
            .names()
            .chain(s.lets.names())
            .chain(self.consts.keys().map(String::as_str))
            .chain(s.counters.names())
            .chain(DERIVED.iter().copied());
        let help = match names::closest(name, known) {
            Some(c) => Some(format!("did you mean `{c}`?")),
            None if s.shipped_files.is_empty() => Some("write `use std.facts` for the shipped facts".into()),
            None => Some("declare it in `facts { .. }` or with `let`".into()),
        };
        let mut e =
            Diagnostic::error(codes::UNKNOWN_NAME, span, format!("there is no fact, `let` or constant `{name}`"));
        e.help = help;
        self.d.push(e);
    }

    /// The cell of a fact that a reference means in a context.
    pub(crate) fn cell(&mut self, fact: usize, r: &ast::Ref, cx: Context<'_>) -> Option<crate::model::FactId> {
        let e = &self.scope.facts.entries[fact];
        let (name, per) = (e.name, e.value.per);
        let index = match (per, &r.index) {
            (None, None) => None,
            (None, Some(i)) => {
                self.d.push(
                    Diagnostic::error(codes::WRONG_TYPE, i.span, format!("`{name}` is one fact, not a family"))
                        .with_help(format!("write `{name}` without an index")),
                );
                return None;
            }
            (Some(Per::Road), Some(i)) => Some(Index::Road(self.road_named(i, cx.params)?)),
            (Some(Per::Target), Some(i)) => Some(Index::Target(self.target_named(i)?)),
            (Some(Per::Road), None) => match cx.road {
                Some(road) => Some(Index::Road(road)),
                None => return self.no_context(name, "road", r.span.span),
            },
            (Some(Per::Target), None) => match cx.road.and_then(|r| self.roads[r.index()].target) {
                Some(target) => Some(Index::Target(target)),
                None => return self.no_context(name, "target", r.span.span),
            },
        };
        let id = self.cells.make(self.source_of(fact), index);
        self.work.reads.push((id, r.span.span));
        Some(id)
    }

    /// What a declared fact's cells are made of: the shipped latches are written by the run.
    pub(crate) fn source_of(&self, fact: usize) -> Source {
        let e = &self.scope.facts.entries[fact];
        match (e.value.life, e.name) {
            (Life::Latch, "tried") => Source::Tried,
            (Life::Latch, "judged") => Source::Judged,
            (Life::Latch, "consumed") => Source::Consumed,
            _ => Source::Fact(fact),
        }
    }

    fn no_context<T>(&mut self, name: &str, what: &str, span: Span) -> Option<T> {
        self.d.push(
            Diagnostic::error(
                codes::WRONG_TYPE,
                span,
                format!("`{name}` is one fact per {what}, and no {what} is meant here"),
            )
            .with_help(format!("write `{name}[{what}]` with the name of a {what}")),
        );
        None
    }

    /// The road with a name, or the lane's parameter.
    pub(crate) fn road_named(
        &mut self,
        name: &ast::Ident,
        params: Option<&BTreeMap<String, RoadId>>,
    ) -> Option<RoadId> {
        if let Some(road) = params.and_then(|p| p.get(&name.value)) {
            return Some(*road);
        }
        let found = self.roads.iter().position(|r| r.name == name.value);
        if let Some(i) = found {
            return Some(RoadId(u32::try_from(i).unwrap_or(u32::MAX)));
        }
        let mut e = Diagnostic::error(codes::UNKNOWN_NAME, name.span, format!("there is no road `{}`", name.value));
        e.help = names::hint(&name.value, self.roads.iter().map(|r| r.name.as_str()));
        self.d.push(e);
        None
    }

    fn target_named(&mut self, name: &ast::Ident) -> Option<TargetId> {
        let found = self.targets.iter().position(|t| t.name == name.value);
        if let Some(i) = found {
            return Some(TargetId(u32::try_from(i).unwrap_or(u32::MAX)));
        }
        let mut e = Diagnostic::error(codes::UNKNOWN_NAME, name.span, format!("there is no target `{}`", name.value));
        e.help = names::hint(&name.value, self.targets.iter().map(|t| t.name.as_str()));
        self.d.push(e);
        None
    }

    fn wrong(&mut self, span: Span, what: String, help: &str) -> Guard {
        self.d.push(Diagnostic::error(codes::WRONG_TYPE, span, what).with_help(help));
        Guard::False
    }

    /// Applies an atom to every cell that a reference means, and joins what comes out.
    fn each_cell(
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
    fn truth(&mut self, r: &ast::Ref, cx: Context<'_>, positive: bool) -> Guard {
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

    fn derived(&mut self, d: &str, span: Span, cx: Context<'_>) -> Option<bool> {
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

    fn labels(&mut self, r: &ast::Ref, labels: &[ast::Ident], all: bool, cx: Context<'_>, positive: bool) -> Guard {
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

    fn empty(&mut self, r: &ast::Ref, cx: Context<'_>, positive: bool) -> Guard {
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

    /// A word, or the word that a constant stands for.
    fn word_or_const(&self, w: &str) -> String {
        match self.consts.get(w) {
            Some(Const::Word(word)) => word.clone(),
            _ => w.to_owned(),
        }
    }

    fn group_of(&mut self, span: Span, cx: Context<'_>) -> Option<String> {
        let Some(road) = cx.road else { return self.no_context("role", "road", span) };
        Some(if self.roads[road.index()].reviewer.is_some() { "reviewer".into() } else { "worker".into() })
    }

    /// The text of a target's attribute, which must be verified to decide anything (RL004).
    fn target_attribute(&mut self, attr: &str, r: &ast::Ref, cx: Context<'_>) -> Option<String> {
        let span = r.span.span;
        let Some(road) = cx.road else { return self.no_context(&r.path.value, "road", span) };
        let Some(target) = self.roads[road.index()].target else {
            self.d.push(
                Diagnostic::error(
                    codes::WRONG_TYPE,
                    span,
                    format!(
                        "`{}` is read for road `{}`, which has no target",
                        r.path.value,
                        self.roads[road.index()].name
                    ),
                )
                .with_label(self.roads[road.index()].span, "this road")
                .with_help("read a target's attributes only for roads that have one"),
            );
            return None;
        };
        let t = &self.targets[target.index()];
        let Some(actual) = t.attributes.get(attr).cloned() else {
            let mut e = Diagnostic::error(codes::UNKNOWN_NAME, span, format!("target `{}` says no `{attr}`", t.name))
                .with_label(t.span, "this target");
            e.help = names::closest(attr, t.attributes.keys().map(String::as_str))
                .map(|c| format!("did you mean `target.{c}`?"))
                .or_else(|| Some("name an attribute that every target here has".into()));
            if self.told.insert((codes::UNKNOWN_NAME, span)) {
                self.d.push(e);
            }
            return None;
        };
        if attr != "evidence" && !t.verified && self.told.insert(("RL004", span)) {
            self.d.push(
                Diagnostic::error(
                    "RL004",
                    span,
                    format!("`target.{attr}` decides here, and the evidence of target `{}` is not verified", t.name),
                )
                .with_label(t.span, "its attributes are only asserted")
                .with_help("have the attribute verified and write `evidence verified`, or do not decide by it"),
            );
        }
        Some(actual)
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one comparison")]
    fn compare(
        &mut self,
        left: &ast::Ref,
        op: CmpOp,
        right: &ast::Value,
        plus: i64,
        span: Span,
        cx: Context<'_>,
        positive: bool,
    ) -> Guard {
        let Some(meaning) = self.look_up(left, cx) else { return Guard::False };
        match meaning {
            Meaning::Decls(_) | Meaning::Counter(_) => {
                self.each_cell(left, cx, positive, |me, f, ty, _| me.compare_cell(f, ty, op, right, plus, span, cx))
            }
            Meaning::Const(Const::Number(value)) => {
                self.compare_number(Number { value, time: false }, op, right, plus, span, cx)
            }
            Meaning::Const(Const::Word(_)) => self.wrong(
                left.span.span,
                format!("`{}` is a constant word", left.path.value),
                "put a fact on the left",
            ),
            Meaning::Limit(name) => match self.limit(&name, left.span.span, cx) {
                Some(n) => self.compare_number(n, op, right, plus, span, cx),
                None => Guard::False,
            },
            Meaning::Target(attr) => self.compare_attribute(&attr, left, op, right, plus, span, cx),
            Meaning::Derived("role") => {
                let Some(actual) = self.group_of(span, cx) else { return Guard::False };
                self.compare_words(&actual, op, right, plus, span)
            }
            Meaning::Derived(d) => {
                let Some(v) = self.derived(d, span, cx) else { return Guard::False };
                self.compare_words(if v { "true" } else { "false" }, op, right, plus, span)
            }
            Meaning::Floor => {
                self.wrong(span, "`floor` stands on the right of a comparison".into(), "write `assurance >= floor`")
            }
        }
    }

    fn compare_words(&mut self, actual: &str, op: CmpOp, right: &ast::Value, plus: i64, span: Span) -> Guard {
        let ast::Value::Path(word) = right else {
            return self.wrong(span, format!("`{actual}` is a word and is compared with a number"), "write a word");
        };
        let same = self.word_or_const(&word.value) == actual;
        match op {
            _ if plus != 0 => self.wrong(span, "nothing can be added to a word".into(), "drop the sum"),
            CmpOp::Eq => truth(same),
            CmpOp::Ne => truth(!same),
            _ => self.wrong(span, "words have no order".into(), "write `==`, `!=` or `in { .. }`"),
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one comparison")]
    fn compare_attribute(
        &mut self,
        attr: &str,
        left: &ast::Ref,
        op: CmpOp,
        right: &ast::Value,
        plus: i64,
        span: Span,
        cx: Context<'_>,
    ) -> Guard {
        if attr == "cut_required" {
            let v = self.truth(left, cx, true);
            return self.compare_words(if v == Guard::True { "true" } else { "false" }, op, right, plus, span);
        }
        if attr == "evidence" {
            let road = cx.road.and_then(|r| self.roads[r.index()].target);
            let Some(target) = road else {
                let _: Option<()> = self.no_context("target.evidence", "target", span);
                return Guard::False;
            };
            let ast::Value::Path(word) = right else {
                return self.wrong(span, "evidence is a word".into(), "write `asserted` or `verified`");
            };
            let order = ["asserted", "verified"];
            let Some(want) = order.iter().position(|w| *w == word.value) else {
                let mut e = Diagnostic::error(
                    codes::OUT_OF_DOMAIN,
                    word.span,
                    format!("`{}` is no evidence of a target", word.value),
                );
                e.help = names::hint(&word.value, order);
                self.d.push(e);
                return Guard::False;
            };
            let have = usize::from(self.targets[target.index()].verified);
            return truth(holds(op, have.cmp(&want)));
        }
        let Some(actual) = self.target_attribute(attr, left, cx) else { return Guard::False };
        self.compare_words(&actual, op, right, plus, span)
    }

    /// A ceiling of the road.
    fn limit(&mut self, name: &str, span: Span, cx: Context<'_>) -> Option<Number> {
        let Some(road) = cx.road else { return self.no_context(&format!("limits.{name}"), "road", span) };
        let r = &self.roads[road.index()];
        let Some(value) = super::limits::read(&r.ceilings, name) else {
            let mut e = Diagnostic::error(codes::UNKNOWN_NAME, span, format!("there is no ceiling called `{name}`"));
            e.help = names::hint(name, super::limits::NAMES.iter().copied());
            self.d.push(e);
            return None;
        };
        let Some(value) = value else {
            self.d.push(
                Diagnostic::error(codes::DECLARATION, span, format!("road `{}` writes no `{name}`", r.name))
                    .with_label(r.span, "this road")
                    .with_help(format!("write `{name}` in its limits")),
            );
            return None;
        };
        Some(Number { value, time: name == "deadline" })
    }

    /// The right side of a comparison with a number: a number, or an int cell with its bounds.
    fn number_or_cell(
        &mut self,
        right: &ast::Value,
        cx: Context<'_>,
    ) -> Option<Result<Number, (crate::model::FactId, i32, i32)>> {
        match right {
            ast::Value::Qty(q) => Some(Ok(match q.value.unit {
                None | Some(ast::Unit::Cents) => Number { value: q.value.number, time: false },
                Some(_) => Number { value: super::limits::millis(q.value), time: true },
            })),
            ast::Value::Path(p) => {
                let shipped = self.scope.shipped_files.contains(&p.span.file);
                let Some(meaning) = self.meaning(&p.value, shipped) else {
                    self.unknown_value(&p.value, p.span);
                    return None;
                };
                match meaning {
                    Meaning::Const(Const::Number(value)) => Some(Ok(Number { value, time: false })),
                    Meaning::Limit(name) => self.limit(&name, p.span, cx).map(Ok),
                    Meaning::Counter(i) => {
                        let id = self.cells.make(Source::Counter(i), None);
                        self.work.reads.push((id, p.span));
                        let hi = i32::try_from(self.scope.counters.entries[i].value.0).unwrap_or(i32::MAX).max(0);
                        Some(Err((id, 0, hi)))
                    }
                    Meaning::Decls(decls) => {
                        let int = match decls.as_slice() {
                            [Decl::Fact(i)] => match self.scope.facts.entries[*i].value.ty {
                                Type::Int { lo, hi } => Some((*i, lo, hi)),
                                _ => None,
                            },
                            _ => None,
                        };
                        let Some((i, lo, hi)) = int else {
                            self.wrong(
                                p.span,
                                format!("`{}` is no int fact", p.value),
                                "compare with a number or an int fact",
                            );
                            return None;
                        };
                        let r = ast::Ref {
                            path: p.clone(),
                            index: None,
                            span: roadlaw_grammar::span::Spanned { value: (), span: p.span },
                        };
                        self.cell(i, &r, cx).map(|id| Err((id, lo, hi)))
                    }
                    _ => {
                        self.wrong(
                            p.span,
                            format!("`{}` is no number", p.value),
                            "compare with a number or an int fact",
                        );
                        None
                    }
                }
            }
        }
    }

    fn compare_number(
        &mut self,
        left: Number,
        op: CmpOp,
        right: &ast::Value,
        plus: i64,
        span: Span,
        cx: Context<'_>,
    ) -> Guard {
        match self.number_or_cell(right, cx) {
            None => Guard::False,
            Some(Ok(n)) => {
                if n.time != left.time {
                    return self.wrong(
                        span,
                        "a time is compared with a number that is none".into(),
                        "write a unit, `30s`",
                    );
                }
                truth(holds(op, left.value.cmp(&n.value.saturating_add(plus))))
            }
            Some(Err((f, lo, hi))) => {
                if left.time {
                    return self.wrong(span, "a time is compared with a fact".into(), "compare it with a time, `30s`");
                }
                // n op f + plus  is  f flipped-op n - plus
                let flipped = match op {
                    CmpOp::Lt => CmpOp::Gt,
                    CmpOp::Le => CmpOp::Ge,
                    CmpOp::Gt => CmpOp::Lt,
                    CmpOp::Ge => CmpOp::Le,
                    other => other,
                };
                self.int_range(f, (lo, hi), flipped, left.value.saturating_sub(plus), span)
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one comparison")]
    fn compare_cell(
        &mut self,
        f: crate::model::FactId,
        ty: &Type,
        op: CmpOp,
        right: &ast::Value,
        plus: i64,
        span: Span,
        cx: Context<'_>,
    ) -> Option<Guard> {
        match ty {
            Type::Int { lo, hi } => match self.number_or_cell(right, cx)? {
                Ok(n) if n.time => {
                    Some(self.wrong(span, "a fact is compared with a time".into(), "write a plain number"))
                }
                Ok(n) => Some(self.int_range(f, (*lo, *hi), op, n.value.saturating_add(plus), span)),
                Err((other, ..)) => {
                    let Ok(plus) = i32::try_from(plus) else {
                        self.d.push(Diagnostic::error(codes::LIMIT, span, "the sum does not fit in 32 bits"));
                        return None;
                    };
                    if other == f {
                        return Some(self.wrong(
                            span,
                            "a fact is compared with itself".into(),
                            "compare two different facts",
                        ));
                    }
                    self.int_pair(f, op, other, plus, span)
                }
            },
            Type::Set(_) => {
                Some(self.wrong(span, "a set has no comparison".into(), "write `has`, `has any`, `has all` or `empty`"))
            }
            Type::Bool | Type::Enum(_) | Type::Level(_) => {
                let ast::Value::Path(p) = right else {
                    let what = format!("a number is compared with a {}", facts::describe(ty));
                    return Some(self.wrong(span, what, "write one of its values"));
                };
                if plus != 0 {
                    return Some(self.wrong(span, "nothing can be added to a word".into(), "drop the sum"));
                }
                let word = self.level_word(p, ty, cx)?;
                let value = facts::word(&word, p.span, ty, &mut self.d)?;
                let n = match ty {
                    Type::Enum(w) | Type::Level(w) => i64::try_from(w.len()).unwrap_or(0),
                    _ => 2,
                };
                if !matches!(op, CmpOp::Eq | CmpOp::Ne) && !matches!(ty, Type::Level(_)) {
                    let what = format!("a {} has no order", facts::describe(ty));
                    return Some(self.wrong(span, what, "write `==`, `!=` or `in { .. }`"));
                }
                if op == CmpOp::Ne {
                    return Some(Guard::In(f, vec![value]).negated());
                }
                let values: Vec<i64> = (0..n).filter(|v| holds(op, v.cmp(&value))).collect();
                if values.is_empty() || values.len() == usize::try_from(n).unwrap_or(0) {
                    self.constant(span, !values.is_empty());
                }
                Some(if values.is_empty() { Guard::False } else { Guard::In(f, values) })
            }
        }
    }

    /// The word on the right of a comparison with a level: `floor` is that of the road's group.
    fn level_word(&mut self, p: &ast::Path, ty: &Type, cx: Context<'_>) -> Option<String> {
        let own = matches!(ty, Type::Level(w) | Type::Enum(w) if w.contains(&p.value));
        if own || p.value != "floor" {
            return Some(self.word_or_const(&p.value));
        }
        let floor = cx.road.and_then(|r| self.floors.get(&r).cloned());
        if floor.is_none() {
            self.d.push(
                Diagnostic::error(
                    codes::WRONG_TYPE,
                    p.span,
                    "`floor` is read for a road that stands in no `role reviewer`",
                )
                .with_help("put the road into `role reviewer floor .. { .. }`, or drop the reviewer filters"),
            );
        }
        floor
    }

    fn int_range(&mut self, f: crate::model::FactId, (lo, hi): (i32, i32), op: CmpOp, c: i64, span: Span) -> Guard {
        let (l, h) = (i64::from(lo), i64::from(hi));
        let (a, b) = match op {
            CmpOp::Lt => (l, c.saturating_sub(1)),
            CmpOp::Le => (l, c),
            CmpOp::Gt => (c.saturating_add(1), h),
            CmpOp::Ge => (c, h),
            CmpOp::Eq | CmpOp::Ne => (c, c),
        };
        if matches!(op, CmpOp::Eq | CmpOp::Ne) && (c < l || c > h) {
            self.d.push(
                Diagnostic::error(codes::OUT_OF_DOMAIN, span, format!("{c} lies outside {lo}..{hi}"))
                    .with_help("compare with a value of the fact's range"),
            );
            return Guard::False;
        }
        let (a, b) = (a.max(l), b.min(h));
        if a > b {
            self.constant(span, false);
            return Guard::False;
        }
        if a == l && b == h && !matches!(op, CmpOp::Eq | CmpOp::Ne) {
            self.constant(span, true);
        }
        let (Ok(a), Ok(b)) = (i32::try_from(a), i32::try_from(b)) else { return Guard::False };
        let range = Guard::Range(f, a, b);
        if op == CmpOp::Ne { range.negated() } else { range }
    }

    fn int_pair(
        &mut self,
        f: crate::model::FactId,
        op: CmpOp,
        g: crate::model::FactId,
        plus: i32,
        span: Span,
    ) -> Option<Guard> {
        // INVARIANT: `Diff` is `left <= right + plus`.
        let le = |left, right, plus: Option<i32>| plus.map(|plus| Guard::Diff { left, right, plus });
        let minus = plus.checked_neg();
        let out = match op {
            CmpOp::Le => le(f, g, Some(plus)),
            CmpOp::Lt => le(f, g, plus.checked_sub(1)),
            CmpOp::Ge => le(g, f, minus),
            CmpOp::Gt => le(g, f, minus.and_then(|m| m.checked_sub(1))),
            CmpOp::Eq | CmpOp::Ne => match (le(f, g, Some(plus)), le(g, f, minus)) {
                (Some(a), Some(b)) => {
                    let both = Guard::and([a, b]);
                    Some(if op == CmpOp::Ne { both.negated() } else { both })
                }
                _ => None,
            },
        };
        if out.is_none() {
            self.d.push(Diagnostic::error(codes::LIMIT, span, "the sum does not fit in 32 bits"));
        }
        out
    }

    fn constant(&mut self, span: Span, value: bool) {
        if !self.scope.shipped_files.contains(&span.file) {
            let always = if value { "every" } else { "no" };
            self.d.push(Diagnostic::note(
                codes::CONSTANT_GUARD,
                span,
                format!("the comparison holds for {always} value of the fact"),
            ));
        }
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
            let wrong = life == Life::Rank
                || (cx.reads == Reads::Need && !matches!(life, Life::Pinned | Life::Sealed));
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

fn truth(v: bool) -> Guard {
    if v { Guard::True } else { Guard::False }
}

fn holds(op: CmpOp, ordering: std::cmp::Ordering) -> bool {
    match op {
        CmpOp::Lt => ordering.is_lt(),
        CmpOp::Le => ordering.is_le(),
        CmpOp::Gt => ordering.is_gt(),
        CmpOp::Ge => ordering.is_ge(),
        CmpOp::Eq => ordering.is_eq(),
        CmpOp::Ne => ordering.is_ne(),
    }
}
