//! `given` and `test`: facts as cells, places as nodes.

use super::facts::{self, Per, Source};
use super::flow::Flows;
use super::guards::Decl;
use super::scope::DERIVED;
use super::{codes, names};
use crate::model::{Cell, Expect, FactId, FlowId, Index, NodeId, NodeKind, Outcome, Test, Type, Value};
use roadlaw_grammar::ast::{self, AssignValue};
use roadlaw_grammar::diagnostic::Diagnostic;
use roadlaw_grammar::span::Span;
use std::collections::BTreeMap;

type Facts = BTreeMap<FactId, Cell>;

/// Reasons why a road is closed that are no filters of it: the question is judged, the road was tried, the profile in force
/// leaves it out.
const REASONS: [&str; 3] = ["judged", "tried", "profile"];

impl Flows<'_, '_> {
    /// Lowers all tests. Every `given` is checked, used or not.
    pub(crate) fn lower_tests(&mut self) -> Vec<Test> {
        let scope = self.l.scope;
        for (i, e) in scope.givens.entries.iter().enumerate() {
            if !e.shipped {
                self.setting(e.value, false, &mut vec![i]);
            }
        }
        let mut out = Vec::new();
        for test in &scope.tests {
            let flow = match &test.child {
                None => Some(FlowId(0)),
                Some(road) => self.child_flow(road),
            };
            let mut facts = self.setting(&test.setting, false, &mut Vec::new());
            self.fresh_latches(&mut facts);
            let Some(flow) = flow else { continue };
            let steps = self.steps(test, flow);
            out.push(Test { name: test.name.value.clone(), flow, facts, steps, span: test.span.span });
        }
        out
    }

    fn child_flow(&mut self, road: &ast::Ident) -> Option<FlowId> {
        let id = self.l.road_named(road, None)?;
        let child = self.l.roads[id.index()].child;
        if child.is_none() {
            let e = Diagnostic::error(codes::WRONG_TYPE, road.span, format!("road `{}` has no child flow", road.value))
                .with_help("name a coding road with a `child of`, or drop `in ..`");
            self.l.d.push(e);
        }
        child
    }

    /// A run begins with its latches open, unless the test says otherwise.
    fn fresh_latches(&mut self, facts: &mut Facts) {
        for (i, (source, _)) in self.l.cells.list.iter().enumerate() {
            let id = FactId(u32::try_from(i).unwrap_or(u32::MAX));
            let value = match source {
                Source::Tried | Source::Judged | Source::Consumed => 0,
                Source::Counter(c) => self.l.scope.counters.entries[*c].value.0,
                Source::Fact(_) | Source::Provider => continue,
            };
            facts.entry(id).or_insert(Cell::Known(value));
        }
    }

    fn setting(&mut self, setting: &ast::Setting, shipped: bool, stack: &mut Vec<usize>) -> Facts {
        let scope = self.l.scope;
        let mut out = Facts::new();
        if let Some(base) = &setting.base {
            match scope.givens.find(&base.value, &scope.aliases) {
                Some(i) if stack.contains(&i) => {
                    let e =
                        Diagnostic::error(codes::STRUCTURE, base.span, format!("`{}` begins from itself", base.value))
                            .with_help("begin from `std.clear`, or from nothing");
                    self.l.d.push(e);
                }
                Some(i) => {
                    stack.push(i);
                    let e = &scope.givens.entries[i];
                    out = self.setting(e.value, e.shipped, stack);
                    stack.pop();
                }
                None => {
                    let mut e = Diagnostic::error(
                        codes::UNKNOWN_NAME,
                        base.span,
                        format!("there is no given `{}`", base.value),
                    );
                    let known: Vec<String> = scope
                        .givens
                        .entries
                        .iter()
                        .map(|e| if e.shipped { format!("std.{}", e.name) } else { e.name.to_owned() })
                        .collect();
                    e.help = names::hint(&base.value, known.iter().map(String::as_str))
                        .or_else(|| Some("write `use std.facts` for `std.clear`, or `given NAME = { .. }`".into()));
                    self.l.d.push(e);
                }
            }
        }
        let mut seen: BTreeMap<(String, Option<String>), Span> = BTreeMap::new();
        for a in &setting.assigns {
            let key = (a.fact.path.value.clone(), a.fact.index.as_ref().map(|i| i.value.clone()));
            if let Some(first) = seen.insert(key, a.fact.span.span) {
                let name = a.fact.path.value.clone();
                self.l.d.push(super::scope::duplicate("the setting of", &name, a.fact.span.span, first));
            }
            self.assign(a, shipped, &mut out);
        }
        out
    }

    fn assign(&mut self, a: &ast::Assign, shipped: bool, out: &mut Facts) {
        let name = a.fact.path.value.as_str();
        let span = a.fact.span.span;
        let scope = self.l.scope;
        if DERIVED.contains(&name) {
            let e = Diagnostic::error(codes::WRONG_TYPE, span, format!("`{name}` is derived from each road's block"))
                .with_help("change the road, or drop the setting");
            self.l.d.push(e);
            return;
        }
        if let Some(i) = scope.counters.find(name, &scope.aliases) {
            let hi = i32::try_from(scope.counters.entries[i].value.0).unwrap_or(0);
            let ty = Type::Int { lo: 0, hi };
            if let (Some(v), Some(id)) = (self.value(a, &ty, shipped), self.l.cells.find(Source::Counter(i), None)) {
                out.insert(id, v);
            }
            return;
        }
        let decls = if shipped { self.shipped_decls(name) } else { self.l.decls_named(name) };
        if decls.is_empty() && !shipped {
            self.l.unknown_value(name, a.fact.path.span);
            return;
        }
        for decl in decls {
            let i = match decl {
                Decl::Fact(i) => i,
                Decl::Let(_) if shipped => continue,
                Decl::Let(i) => {
                    let e = Diagnostic::error(
                        codes::WRONG_TYPE,
                        span,
                        format!("`{}` is a `let`, and only facts are set", scope.lets.entries[i].name),
                    )
                    .with_label(scope.lets.entries[i].span, "declared here")
                    .with_help("set the facts that it reads");
                    self.l.d.push(e);
                    continue;
                }
            };
            let ty = scope.facts.entries[i].value.ty.clone();
            let Some(value) = self.value(a, &ty, shipped) else { continue };
            let cells = self.cells_of(i, a, shipped);
            for c in cells {
                out.insert(c, value);
            }
        }
    }

    /// In a shipped setting a name is a fact's, or else what took its place.
    fn shipped_decls(&self, name: &str) -> Vec<Decl> {
        let scope = self.l.scope;
        match scope.facts.entries.iter().position(|e| e.shipped && e.name == name) {
            Some(i) if !self.l.replaced(i) => vec![Decl::Fact(i)],
            Some(i) => self.l.role_items(&scope.facts.entries[i].value.role),
            None => Vec::new(),
        }
    }

    fn cells_of(&mut self, fact: usize, a: &ast::Assign, shipped: bool) -> Vec<FactId> {
        let e = &self.l.scope.facts.entries[fact];
        let (name, per) = (e.name, e.value.per);
        let source = self.l.source_of(fact);
        let span = a.fact.span.span;
        let index = match (&a.fact.index, per) {
            (None, None) => None,
            (None, Some(_)) => {
                let list = self.l.cells.list.iter().enumerate().filter(|(_, (s, _))| *s == source);
                let all: Vec<FactId> = list.map(|(i, _)| FactId(u32::try_from(i).unwrap_or(u32::MAX))).collect();
                if all.is_empty() && !shipped {
                    self.unread(span);
                }
                return all;
            }
            (Some(i), Some(Per::Road)) => match self.l.road_named(i, None) {
                Some(r) => Some(Index::Road(r)),
                None => return Vec::new(),
            },
            (Some(i), Some(Per::Target)) => match self.l.targets.iter().position(|t| t.name == i.value) {
                Some(t) => Some(Index::Target(crate::model::TargetId(u32::try_from(t).unwrap_or(u32::MAX)))),
                None => {
                    let mut e =
                        Diagnostic::error(codes::UNKNOWN_NAME, i.span, format!("there is no target `{}`", i.value));
                    e.help = names::hint(&i.value, self.l.targets.iter().map(|t| t.name.as_str()));
                    self.l.d.push(e);
                    return Vec::new();
                }
            },
            (Some(i), None) => {
                let e = Diagnostic::error(codes::WRONG_TYPE, i.span, format!("`{name}` is one fact, not a family"))
                    .with_help(format!("write `{name}` without an index"));
                self.l.d.push(e);
                return Vec::new();
            }
        };
        let found = self.l.cells.find(source, index);
        if found.is_none() && !shipped {
            self.unread(span);
        }
        found.into_iter().collect()
    }

    fn unread(&mut self, span: Span) {
        let name = self.l.sources.text(span).to_owned();
        let e = Diagnostic::note(
            codes::UNUSED,
            span,
            format!("nothing in the policy reads `{name}`, so the setting changes nothing"),
        );
        self.l.d.push(e);
    }

    fn value(&mut self, a: &ast::Assign, ty: &Type, shipped: bool) -> Option<Cell> {
        let span = a.fact.span.span;
        let before = self.l.d.len();
        let known = |v: Option<Value>| v.map(Cell::Known);
        let out = match &a.value {
            AssignValue::Unknown => Some(Cell::Unknown),
            AssignValue::True | AssignValue::False if *ty == Type::Bool => {
                Some(Cell::Known(i64::from(a.value == AssignValue::True)))
            }
            AssignValue::True | AssignValue::False => {
                let what = format!("`{}` is a {}, not a bool", a.fact.path.value, facts::describe(ty));
                self.l.d.push(Diagnostic::error(codes::WRONG_TYPE, span, what).with_help("write its value after it"));
                None
            }
            AssignValue::Set(labels) => {
                if matches!(ty, Type::Set(_)) {
                    known(facts::mask(labels, ty, &mut self.l.d).map(u64::cast_signed))
                } else {
                    let what = format!("`{}` is a {}, not a set", a.fact.path.value, facts::describe(ty));
                    self.l.d.push(Diagnostic::error(codes::WRONG_TYPE, span, what).with_help("write one value"));
                    None
                }
            }
            AssignValue::Qty(q) => match ty {
                // The shipped fixture means as much as there can be.
                Type::Int { lo, hi } if shipped => {
                    Some(Cell::Known(q.value.number.clamp(i64::from(*lo), i64::from(*hi))))
                }
                Type::Set(_) => {
                    let what = format!("`{}` is a set, and `{}` is a number", a.fact.path.value, q.value.number);
                    self.l.d.push(
                        Diagnostic::error(codes::WRONG_TYPE, q.span, what).with_help("write labels like `{ a, b }`"),
                    );
                    None
                }
                _ => known(facts::number(q.value, q.span, ty, &mut self.l.d)),
            },
            AssignValue::Word(w) => {
                let number = match self.l.consts.get(&w.value) {
                    Some(super::Const::Number(n)) if matches!(ty, Type::Int { .. }) => Some(*n),
                    _ => None,
                };
                match number {
                    Some(n) => known(facts::number(ast::Qty { number: n, unit: None }, w.span, ty, &mut self.l.d)),
                    None => known(facts::word(&w.value, w.span, ty, &mut self.l.d)),
                }
            }
        };
        if shipped && out.is_none() {
            // The fixture was written for the shipped type; another one has its own best value.
            self.l.d.truncate(before);
            return match ty {
                Type::Level(w) if a.fact.path.value != "class" => {
                    Some(Cell::Known(i64::try_from(w.len()).unwrap_or(1) - 1))
                }
                Type::Level(_) => Some(Cell::Known(0)),
                _ => None,
            };
        }
        out
    }

    fn steps(&mut self, test: &ast::Test, flow: FlowId) -> Vec<(Option<Outcome>, Expect)> {
        let mut out: Vec<(Option<Outcome>, Expect)> = Vec::new();
        for (word, expect) in &test.steps {
            let outcome = match word {
                None => None,
                Some(w) => {
                    let Some(o) = Outcome::parse(&w.value).filter(|o| *o != Outcome::Chosen) else {
                        let mut e = Diagnostic::error(
                            codes::UNKNOWN_NAME,
                            w.span,
                            format!("there is no outcome `{}`", w.value),
                        );
                        e.help = names::closest(&w.value, Outcome::ALL.iter().map(|o| o.word()))
                            .map(|c| format!("did you mean `{c}`?"));
                        self.l.d.push(e);
                        return out;
                    };
                    let before = out.last().map(|(_, e)| (e.places.clone(), e.text.clone()));
                    if let Some((places, text)) = before.filter(|(p, _)| !p.is_empty())
                        && !places.iter().any(|n| self.has_outcome(*n, o))
                    {
                        let e = Diagnostic::error(
                            codes::UNKNOWN_NAME,
                            w.span,
                            format!("`{text}` never has the outcome `{}`", w.value),
                        )
                        .with_help("give an outcome that the node can have");
                        self.l.d.push(e);
                    }
                    Some(o)
                }
            };
            let Some(e) = self.expect(expect, flow) else { return out };
            out.push((outcome, e));
        }
        out
    }

    fn has_outcome(&self, node: NodeId, outcome: Outcome) -> bool {
        let n = &self.nodes[node.index()];
        n.kind.outcomes(n.road.map(|r| self.l.roads[r.index()].shape)).contains(&outcome)
    }

    fn expect(&mut self, e: &ast::Expect, flow: FlowId) -> Option<Expect> {
        let text = Self::shown(&e.place.name.value, &e.place.args);
        let span = e.place.span.span;
        let places = self.nodes_named(&e.place.name.value, &e.place.args, span, Some(flow))?;
        if places.is_empty() {
            let d = Diagnostic::error(codes::UNKNOWN_NAME, span, format!("the flow has no `{text}`"))
                .with_help("name a node that the flow comes to");
            self.l.d.push(d);
        }
        let mut via = Vec::new();
        let mut chosen = Vec::new();
        let mut without = Vec::new();
        for (list, out, must) in [(&e.via, &mut via, true), (&e.without, &mut without, false)] {
            for event in list {
                let shown = Self::shown(&event.name.value, &event.args);
                let nodes = self.nodes_named(&event.name.value, &event.args, event.span.span, Some(flow))?;
                if let Some(o) = &event.outcome {
                    // Which road a choose decided for is all that a decision alone can say.
                    let chooses = nodes.iter().all(|n| matches!(self.nodes[n.index()].kind, NodeKind::Choose(_)));
                    if must && chooses && !nodes.is_empty() {
                        let road = self.l.road_named(o, None)?;
                        chosen.push((format!("{shown}.{}", o.value), nodes, road));
                        continue;
                    }
                    let d = Diagnostic::error(codes::STRUCTURE, o.span, "`via` and `without` name nodes, not outcomes")
                        .with_help("drop the outcome; only `via` a choose names the road that it decided for");
                    self.l.d.push(d);
                }
                if must && nodes.is_empty() {
                    let d =
                        Diagnostic::error(codes::UNKNOWN_NAME, event.span.span, format!("the flow has no `{shown}`"))
                            .with_help("name a node that the flow comes to");
                    self.l.d.push(d);
                }
                out.push((shown, nodes));
            }
        }
        let mut because = Vec::new();
        for (road, filter) in &e.because {
            let Some(id) = self.l.road_named(road, None) else { continue };
            let r = &self.l.roads[id.index()];
            let built_in = REASONS.contains(&filter.value.as_str());
            if !built_in && !r.filters.iter().any(|f| f.name == filter.value) {
                let mut d = Diagnostic::error(
                    codes::UNKNOWN_NAME,
                    filter.span,
                    format!("road `{}` has no filter `{}`", r.name, filter.value),
                )
                .with_label(r.span, "the road");
                d.help = names::hint(&filter.value, r.filters.iter().map(|f| f.name.as_str()).chain(REASONS));
                self.l.d.push(d);
                continue;
            }
            because.push((id, filter.value.clone()));
        }
        Some(Expect { places, text, via, chosen, without, because, span })
    }
}
