//! Chooses: candidates, profiles and their orders (RL407).

use super::build::Flows;
use crate::lower::facts::{self, Per, Source};
use crate::lower::guards::Decl;
use crate::lower::{codes, names};
use crate::model::{Choose, FactId, Index, Key, NodeId, NodeKind, Order, RoadId, Shape, Type, Value};
use roadlaw_grammar::ast;
use roadlaw_grammar::diagnostic::Diagnostic;
use roadlaw_grammar::span::Span;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Integer keys of one order.
const MAX_KEYS: usize = 4;

impl Flows<'_, '_> {
    /// The node of a choose, made if it is new.
    pub(crate) fn choose_node(&mut self, instance: usize, name: &str) -> Option<NodeId> {
        let key = (name.to_owned(), Vec::new(), None);
        if let Some(id) = self.instances[instance].nodes.get(&key) {
            return Some(*id);
        }
        let body = Rc::clone(&self.instances[instance].body);
        let choose = body.chooses.get(name)?;
        let id = crate::model::ChooseId(u32::try_from(self.chooses.len()).unwrap_or(u32::MAX));
        let span = choose.name.as_ref().map_or(choose.span.span, |n| n.span);
        let lane_road = self.instances[instance].road;
        let node = self.add_node(instance, name, "choose", NodeKind::Choose(id), lane_road, Vec::new(), None, span);
        let lowered = self.lower_choose(node, name, choose);
        self.chooses.push(lowered);
        Some(node)
    }

    /// Lowers a choose step.
    fn lower_choose(&mut self, node: NodeId, name: &str, choose: &ast::Choose) -> Choose {
        let written: Vec<ast::Ident> = match (choose.candidates.as_slice(), self.template) {
            ([only], Some(args)) if only.value == "roads" => args.to_vec(),
            (list, _) => list.to_vec(),
        };
        let mut candidates: Vec<RoadId> = Vec::new();
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        for c in &written {
            if let Some(first) = seen.insert(&c.value, c.span) {
                self.twice(&c.value, "among the candidates", c.span, first);
                continue;
            }
            if let Some(road) = self.l.road_named(c, None) {
                candidates.push(road);
            }
        }
        if written.is_empty() {
            let e = Diagnostic::error(codes::STRUCTURE, choose.span.span, format!("`{name}` has no candidates"))
                .with_help("list at least one road");
            self.l.d.push(e);
        }
        // An option is never sent, so that nothing ever tries it.
        for c in candidates.iter().filter(|c| self.l.roads[c.index()].shape != Shape::Choice) {
            self.l.cells.make(Source::Tried, Some(Index::Road(*c)));
        }
        let (by, profiles) = match &choose.rank {
            ast::Rank::One(order) => (None, vec![(0, self.order(order, &candidates, &written))]),
            ast::Rank::By { fact, profiles } => self.profiles(fact, profiles, &candidates, &written),
        };
        Choose { node, name: name.to_owned(), candidates, by, profiles, span: choose.span.span }
    }

    fn profiles(
        &mut self,
        fact: &ast::Ident,
        written: &[(ast::Ident, ast::Order)],
        candidates: &[RoadId],
        names_: &[ast::Ident],
    ) -> (Option<FactId>, Vec<(Value, Order)>) {
        let index = match self.decl_of(fact) {
            Some(Decl::Fact(i)) => i,
            Some(Decl::Let(_)) => {
                self.no_profile(fact, "a `let`");
                return (None, Vec::new());
            }
            None => return (None, Vec::new()),
        };
        let v = &self.l.scope.facts.entries[index].value;
        let ty = v.ty.clone();
        if v.per.is_some() {
            self.no_profile(fact, "a family of facts");
            return (None, Vec::new());
        }
        let words: Vec<String> = match &ty {
            Type::Bool => vec!["false".into(), "true".into()],
            Type::Enum(w) | Type::Level(w) => w.clone(),
            Type::Set(_) | Type::Int { .. } => {
                self.no_profile(fact, &format!("a {}", facts::describe(&ty)));
                return (None, Vec::new());
            }
        };
        let id = self.l.cells.make(self.l.source_of(index), None);
        let mut out: Vec<(Value, Order)> = Vec::new();
        let mut seen: BTreeMap<Value, Span> = BTreeMap::new();
        for (value, order) in written {
            let Some(i) = facts::word(&value.value, value.span, &ty, &mut self.l.d) else { continue };
            if let Some(first) = seen.insert(i, value.span) {
                self.twice(&value.value, "among the profiles", value.span, first);
                continue;
            }
            let order = self.order(order, candidates, names_);
            out.push((i, order));
        }
        let missing: Vec<&str> = words
            .iter()
            .enumerate()
            .filter(|(i, _)| !seen.keys().any(|k| usize::try_from(*k) == Ok(*i)))
            .map(|(_, w)| w.as_str())
            .collect();
        if !missing.is_empty() && out.len() == written.len() {
            let e = Diagnostic::error(
                "RL407",
                fact.span,
                format!("`{}` can be {}, and no profile says the order then", fact.value, names::list(&missing)),
            )
            .with_help("write one profile for each value");
            self.l.d.push(e);
            // What was forgotten is no second fault: it is the order of the list.
            let rest = (0..words.len()).filter_map(|i| i64::try_from(i).ok()).filter(|i| !seen.contains_key(i));
            out.extend(rest.map(|i| (i, Order::Static(candidates.to_vec()))));
        }
        (Some(id), out)
    }

    fn twice(&mut self, what: &str, place: &str, again: Span, first: Span) {
        let e = Diagnostic::error("RL407", again, format!("`{what}` stands twice {place}"))
            .with_label(first, "first here")
            .with_help("name each once: the rank is the same however the list is sorted");
        self.l.d.push(e);
    }

    fn no_profile(&mut self, fact: &ast::Ident, what: &str) {
        let e = Diagnostic::error(
            codes::WRONG_TYPE,
            fact.span,
            format!("`{}` is {what}, and a profile is picked by an enum, level or bool", fact.value),
        )
        .with_help("name a plain fact with a few values");
        self.l.d.push(e);
    }

    /// The one fact or `let` that a plain name means.
    fn decl_of(&mut self, name: &ast::Ident) -> Option<Decl> {
        let found = self.l.decls_named(&name.value);
        match found.as_slice() {
            [one] => Some(*one),
            [] => {
                self.l.unknown_value(&name.value, name.span);
                None
            }
            _ => {
                let e = Diagnostic::error(
                    codes::WRONG_TYPE,
                    name.span,
                    format!("`{}` is a role that several facts fill", name.value),
                )
                .with_help("name one of the facts");
                self.l.d.push(e);
                None
            }
        }
    }

    fn order(&mut self, order: &ast::Order, candidates: &[RoadId], written: &[ast::Ident]) -> Order {
        match order {
            ast::Order::Static { roads, without, span } => {
                self.static_order(roads, without, span.span, candidates, written)
            }
            ast::Order::Keys { keys, span } => self.keys(keys, span.span, candidates),
        }
    }

    fn static_order(
        &mut self,
        roads: &[ast::Ident],
        without: &[ast::Ident],
        span: Span,
        candidates: &[RoadId],
        written: &[ast::Ident],
    ) -> Order {
        let mut out: Vec<RoadId> = Vec::new();
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        let mut left_out: Vec<RoadId> = Vec::new();
        for (list, leave) in [(roads, false), (without, true)] {
            for r in list {
                if let Some(first) = seen.insert(&r.value, r.span) {
                    self.twice(&r.value, "in the order", r.span, first);
                    continue;
                }
                let found = written.iter().any(|w| w.value == r.value);
                if !found {
                    let mut e =
                        Diagnostic::error("RL407", r.span, format!("`{}` is no candidate of this choose", r.value));
                    e.help = names::hint(&r.value, written.iter().map(|w| w.value.as_str()));
                    self.l.d.push(e);
                    continue;
                }
                if let Some(id) = candidates.iter().find(|c| self.l.roads[c.index()].name == r.value) {
                    if leave {
                        left_out.push(*id);
                    } else {
                        out.push(*id);
                    }
                }
            }
        }
        if roads.is_empty() {
            return Order::Static(candidates.iter().copied().filter(|c| !left_out.contains(c)).collect());
        }
        let missing: Vec<RoadId> =
            candidates.iter().copied().filter(|c| !out.contains(c) && !left_out.contains(c)).collect();
        if !missing.is_empty() {
            let names: Vec<String> = missing.iter().map(|c| self.l.roads[c.index()].name.clone()).collect();
            let list: Vec<&str> = names.iter().map(String::as_str).collect();
            let e = Diagnostic::error(
                "RL407",
                span,
                format!("the order leaves out {} without saying so", names::list(&list)),
            )
            .with_help(format!("name every candidate, or write `without {}`", list.join(", ")));
            self.l.d.push(e);
            // What was forgotten is no second fault: it comes last.
            out.extend(missing);
        }
        Order::Static(out)
    }

    fn keys(&mut self, keys: &[ast::Ident], span: Span, candidates: &[RoadId]) -> Order {
        let mut out: Vec<Key> = Vec::new();
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        for (n, key) in keys.iter().enumerate() {
            if let Some(first) = seen.insert(&key.value, key.span) {
                self.twice(&key.value, "among the keys", key.span, first);
                continue;
            }
            if key.value == "name" {
                if n + 1 < keys.len() {
                    let e = Diagnostic::error("RL407", key.span, "nothing can be ranked after the road's name")
                        .with_help("put `name` last; it is the last key in any case");
                    self.l.d.push(e);
                }
                continue;
            }
            let Some(Decl::Fact(i)) = self.decl_of(key) else { continue };
            let e = &self.l.scope.facts.entries[i];
            let (family, per, int) = (e.name, e.value.per, matches!(e.value.ty, Type::Int { .. }));
            if !int {
                let what = facts::describe(&e.value.ty);
                let e = Diagnostic::error(
                    codes::WRONG_TYPE,
                    key.span,
                    format!("`{}` is a {what}, and keys are int facts", key.value),
                )
                .with_help("rank by an int fact, `rank price : int 0..1_000 per road`");
                self.l.d.push(e);
                continue;
            }
            let source = self.l.source_of(i);
            let mut cells = Vec::new();
            for c in candidates {
                let index = match per {
                    None => None,
                    Some(Per::Road) => Some(Index::Road(*c)),
                    Some(Per::Target) => match self.l.roads[c.index()].target {
                        Some(t) => Some(Index::Target(t)),
                        None => {
                            let road = self.l.roads[c.index()].name.clone();
                            let e = Diagnostic::error(
                                codes::WRONG_TYPE,
                                key.span,
                                format!("`{}` is one fact per target, and candidate `{road}` has none", key.value),
                            )
                            .with_help("rank by a fact per road");
                            self.l.d.push(e);
                            return Order::Keys(out);
                        }
                    },
                };
                cells.push(self.l.cells.make(source, index));
            }
            out.push(Key { name: family.to_owned(), cells });
        }
        if out.len() > MAX_KEYS {
            self.l.d.push(Diagnostic::error(codes::LIMIT, span, format!("an order has more than {MAX_KEYS} keys")));
        }
        Order::Keys(out)
    }
}
