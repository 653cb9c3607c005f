//! What names in guards mean: facts and `let`s by name or role, cells, roads and targets.

use super::facts::{Per, Source};
use super::guards::{Context, Decl, Meaning};
use super::scope::DERIVED;
use super::{Lowering, codes, names};
use crate::model::{Index, Life, RoadId, TargetId};
use roadlaw_grammar::ast;
use roadlaw_grammar::diagnostic::Diagnostic;
use roadlaw_grammar::span::Span;
use std::collections::BTreeMap;

impl Lowering<'_> {
    /// What a name means, seen from a file that ships with the compiler or not.
    pub(crate) fn meaning(&self, path: &str, shipped: bool) -> Option<Meaning> {
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

    pub(crate) fn look_up(&mut self, r: &ast::Ref, cx: Context<'_>) -> Option<Meaning> {
        let shipped = self.scope.shipped_files.contains(&r.span.span.file);
        let found = self.meaning(&r.path.value, shipped);
        match (found.is_none(), cx.road) {
            // A library is right about its names: what lacks is a fact of the policy.
            (true, Some(road)) if shipped => self.missing_roles(&[r.path.value.as_str()], &[road]),
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
            None if s.facts.entries.iter().all(|e| e.library != "std.facts")
                && super::load::ships("std.facts", name.strip_prefix("std.").unwrap_or(name)) =>
            {
                Some("write `use std.facts` for the shipped facts".into())
            }
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

    pub(crate) fn no_context<T>(&mut self, name: &str, what: &str, span: Span) -> Option<T> {
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
}
