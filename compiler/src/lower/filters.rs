//! Filters and needs of each road.

use super::guards::{Context, Reads};
use super::scope::duplicate;
use super::{Lowering, codes, names};
use crate::model::{Filter, Guard, RoadId, RoleItem, Shape};
use roadlaw_grammar::ast::{self, Entry, FiltersRef};
use roadlaw_grammar::diagnostic::Diagnostic;
use roadlaw_grammar::span::Span;
use std::collections::BTreeMap;

/// One filter as written, before it is a guard.
struct Written<'a> {
    name: &'a ast::Ident,
    guard: &'a ast::Guard,
    spans: Vec<Span>,
}

/// Sets of filters may use sets this deep.
const MAX_USES: usize = 32;

impl<'a> Lowering<'a> {
    /// Filters and needs of all roads.
    pub(crate) fn lower_road_guards(&mut self) {
        for i in 0..self.roads.len() {
            let id = RoadId(u32::try_from(i).unwrap_or(u32::MAX));
            self.roads[i].filters = self.filters_of(i, id);
            let shape = self.roads[i].shape;
            if matches!(shape, Shape::Portal | Shape::Peer | Shape::Coding) {
                self.roads[i].need_cut = self.need("cut", id);
            }
            if matches!(shape, Shape::Local | Shape::Portal | Shape::Human) {
                self.roads[i].need_durable = self.need("durable", id);
            }
        }
        // A need that no road has is still checked for names and types.
        let needs: Vec<(&'a ast::Ident, &'a ast::Guard)> =
            self.scope.needs.iter().filter_map(|(w, g, _)| g.map(|g| (*w, g))).collect();
        for (what, guard) in needs {
            if self.roads.is_empty() {
                self.guard(guard, Context { road: None, params: None, reads: Reads::Need });
            }
            let _ = what;
        }
    }

    pub(crate) fn need(&mut self, what: &str, road: RoadId) -> Guard {
        let found = self.scope.needs.iter().find(|(w, ..)| w.value == what).and_then(|(_, g, _)| *g);
        match found {
            Some(g) => self.guard(g, Context { road: Some(road), params: None, reads: Reads::Need }),
            None => Guard::True,
        }
    }

    fn filters_of(&mut self, i: usize, id: RoadId) -> Vec<Filter> {
        let scope = self.scope;
        let decl = scope.roads.entries[i].value.road;
        let mut written: Vec<Written<'a>> = Vec::new();
        let mut first: Option<Span> = None;
        let said = self.d.len();
        for e in &decl.block.entries {
            let Entry::Filters(f) = e else { continue };
            let span = match f {
                FiltersRef::Named(p) => p.span,
                FiltersRef::Inline(f) => f.span.span,
            };
            if let Some(first) = first {
                self.d.push(duplicate("the road's block", "filters", span, first));
                continue;
            }
            first = Some(span);
            match f {
                FiltersRef::Named(p) => self.use_filters(p, &mut Vec::new(), &[], &mut written),
                FiltersRef::Inline(f) => self.own_filters(f, &mut Vec::new(), &[], &mut written),
            }
        }
        // An empty conjunction holds. That is kept, and said: somebody meant to write something there.
        if let Some(span) = first.filter(|_| written.is_empty() && self.d.len() == said) {
            self.d.push(
                Diagnostic::note(
                    codes::CONSTANT_GUARD,
                    span,
                    format!("no filter is asked for: no fact closes `{}` here", decl.name.value),
                )
                .with_help("name what must hold, or drop `filters`"),
            );
        }
        let shape = self.roads[i].shape;
        let has_available = written.iter().any(|w| w.name.value == "available");
        let shipped = scope.filters.find("std.filters.local", &scope.aliases).is_some();
        let mut own_available = None;
        if shape == Shape::Local && !has_available && !self.role_items("available").is_empty() {
            // MODEL.md section 4: availability of a local road, if declared.
            if !shipped {
                own_available = self.available(id);
            }
            if let Some(set) = scope.filters.find("std.filters.local", &scope.aliases) {
                let set = scope.filters.entries[set].value;
                let mut local = Vec::new();
                self.own_filters(set, &mut Vec::new(), &[decl.name.span], &mut local);
                local.append(&mut written);
                written = local;
            }
        }
        let mut out: Vec<Filter> = own_available.into_iter().collect();
        for w in written {
            let guard = self.guard(w.guard, Context { road: Some(id), params: None, reads: Reads::Filter });
            match out.iter_mut().find(|f| f.name == w.name.value) {
                Some(f) if f.guard == guard => {}
                // Two sets that are used together may name a filter alike; then both must hold.
                Some(f) => f.guard = Guard::and([f.guard.clone(), guard]),
                None => out.push(Filter { name: w.name.value.clone(), guard, spans: w.spans }),
            }
        }
        out
    }

    /// The filter of a local road where a fact or `let` says whether it is available, and no shipped filter does.
    fn available(&mut self, id: RoadId) -> Option<Filter> {
        let items: Vec<RoleItem> =
            self.role_items("available").into_iter().filter_map(|decl| self.role_item(decl, id, true)).collect();
        let guard = Guard::and(items.iter().map(|i| match i {
            RoleItem::Fact(f) => Guard::In(*f, vec![1]),
            RoleItem::Let(g) => g.clone(),
        }));
        let name = self.scope.roads.entries[id.index()].value.road.name.span;
        (!items.is_empty()).then(|| Filter { name: "available".to_owned(), guard, spans: vec![name] })
    }

    fn use_filters(&mut self, path: &ast::Path, stack: &mut Vec<usize>, uses: &[Span], out: &mut Vec<Written<'a>>) {
        let scope = self.scope;
        let Some(i) = scope.filters.find(&path.value, &scope.aliases) else {
            let mut e = Diagnostic::error(
                codes::UNKNOWN_NAME,
                path.span,
                format!("there are no filters called `{}`", path.value),
            );
            let qualified: Vec<String> = scope
                .filters
                .entries
                .iter()
                .map(|e| if e.library.is_empty() { e.name.to_owned() } else { format!("{}.{}", e.library, e.name) })
                .collect();
            e.help = if path.value.starts_with("std.filters.")
                && scope.filters.entries.iter().all(|e| e.library != "std.filters")
            {
                Some("write `use std.facts` first".into())
            } else {
                names::hint(&path.value, qualified.iter().map(String::as_str))
            };
            self.d.push(e);
            return;
        };
        if stack.contains(&i) || stack.len() > MAX_USES {
            self.d.push(
                Diagnostic::error(
                    codes::STRUCTURE,
                    path.span,
                    format!("filters `{}` use themselves in a cycle", path.value),
                )
                .with_help("drop one of the `use`s"),
            );
            return;
        }
        self.used.insert(("filters", i));
        stack.push(i);
        let mut inner = vec![path.span];
        inner.extend_from_slice(uses);
        self.own_filters(scope.filters.entries[i].value, stack, &inner, out);
        stack.pop();
    }

    fn own_filters(&mut self, f: &'a ast::Filters, stack: &mut Vec<usize>, uses: &[Span], out: &mut Vec<Written<'a>>) {
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        for p in &f.uses {
            if let Some(first) = seen.insert(&p.value, p.span) {
                self.d.push(duplicate("the use of filters", &p.value, p.span, first));
                continue;
            }
            self.use_filters(p, stack, uses, out);
        }
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        for (name, guard) in &f.filters {
            if let Some(first) = seen.insert(&name.value, name.span) {
                self.d.push(duplicate("filter", &name.value, name.span, first));
                continue;
            }
            let mut spans = vec![name.span.to(guard.span.span)];
            spans.extend_from_slice(uses);
            out.push(Written { name, guard, spans });
        }
    }
}
