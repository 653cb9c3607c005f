//! The policy that is changed: its trees, its text, and what of its libraries it uses.

use crate::model::{Life, Model, RoadId, Type};
use roadlaw_grammar::ast::{
    self, Edge, Entry, FiltersRef, Guard, GuardKind, Ident, Item, ItemKind, Path, Place, Port, Step,
};
use roadlaw_grammar::span::{FileId, Sources, Span};
use std::collections::BTreeSet;

/// One parsed file.
pub(crate) struct Source {
    pub(crate) id: FileId,
    /// It ships with the compiler.
    pub(crate) shipped: bool,
    pub(crate) file: ast::File,
}

/// A policy that is proved, as operators see it.
pub(crate) struct Subject<'a> {
    pub(crate) sources: &'a Sources,
    pub(crate) model: &'a Model,
    pub(crate) files: Vec<Source>,
    /// Places of text that something of the model comes from.
    used: Vec<Span>,
    /// Last parts of the names that the authors' guards read.
    read: BTreeSet<String>,
}

/// Steps that stand together: a flow, a child's flow or a lane.
#[derive(Clone, Copy)]
pub(crate) struct Body<'a> {
    pub(crate) steps: &'a [Step],
    pub(crate) lane: Option<&'a ast::Lane>,
    /// Of the policy's authors, not of a shipped library.
    pub(crate) own: bool,
    pub(crate) span: Span,
}

/// What a guard guards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Guards {
    Need,
    Filter,
    Edge,
    Let,
}

/// A guard and what it is for.
#[derive(Clone)]
pub(crate) struct Guarded<'a> {
    pub(crate) guard: &'a Guard,
    pub(crate) of: Guards,
    /// For people: `filter class`, `need cut`, ...
    pub(crate) what: String,
}

impl<'a> Subject<'a> {
    /// Of the sources of a policy that was lowered without error.
    pub(crate) fn new(sources: &'a Sources, model: &'a Model) -> Self {
        let files: Vec<Source> = sources
            .iter()
            .filter_map(|(id, f)| {
                let file = roadlaw_grammar::parse(sources, id).0?;
                Some(Source { id, shipped: f.name.starts_with("std."), file })
            })
            .collect();
        let mut used = Vec::new();
        for n in &model.nodes {
            used.extend(n.spans.iter().copied());
        }
        for e in &model.edges {
            used.extend(e.spans.iter().copied());
        }
        for f in model.roads.iter().flat_map(|r| &r.filters) {
            used.extend(f.spans.iter().copied());
        }
        used.extend(model.facts.iter().map(|f| f.span));
        used.sort_unstable();
        used.dedup();
        let mut subject = Self { sources, model, files, used, read: BTreeSet::new() };
        let mut read = BTreeSet::new();
        for g in subject.guards().iter().filter(|g| !subject.is_shipped(g.guard.span.span.file)) {
            references(g.guard, &mut |r| {
                read.insert(last(&r.path.value).to_owned());
            });
        }
        subject.read = read;
        subject
    }

    pub(crate) fn text(&self, at: Span) -> &'a str {
        self.sources.text(at)
    }

    /// The file ships with the compiler.
    pub(crate) fn is_shipped(&self, file: FileId) -> bool {
        self.files.iter().any(|f| f.id == file && f.shipped)
    }

    /// The bytes between two places of one file.
    pub(crate) fn between(&self, from: u32, to: Span) -> &'a str {
        self.sources.text(Span::new(to.file, from, to.start))
    }

    /// The last `word` between `from` and the place, which stands for the keyword before it.
    pub(crate) fn keyword(&self, word: &str, from: u32, before: Span) -> Option<Span> {
        let at = self.between(from, before).rfind(word)?;
        let start = from + u32::try_from(at).ok()?;
        Some(Span::new(before.file, start, start + u32::try_from(word.len()).ok()?))
    }

    /// Something of the model comes from this place.
    pub(crate) fn is_used(&self, at: Span) -> bool {
        self.used.iter().any(|u| u.file == at.file && at.start <= u.start && u.end <= at.end)
    }

    /// Items of the policy, and those of its libraries that it uses, with whether the policy's authors wrote them.
    pub(crate) fn items(&self) -> impl Iterator<Item = (&Item, bool)> {
        self.files.iter().flat_map(move |f| {
            f.file
                .items
                .iter()
                .filter(move |i| f.id == FileId(0) || self.reads(i) || self.is_used(i.span.span))
                .map(move |i| (i, !f.shipped))
        })
    }

    /// A `let` whose name some guard of the authors reads.
    fn reads(&self, item: &Item) -> bool {
        matches!(&item.kind, ItemKind::Let { name, .. } if self.read.contains(last(&name.value)))
    }

    /// Flows, children and lanes that the policy uses.
    pub(crate) fn bodies(&self) -> Vec<Body<'_>> {
        self.items()
            .filter_map(|(i, own)| {
                let body = |steps, lane| Some(Body { steps, lane, own, span: i.span.span });
                match &i.kind {
                    ItemKind::Flow(steps) | ItemKind::Child { steps, .. } => body(steps, None),
                    ItemKind::Lane(l) => body(&l.steps, Some(l)),
                    _ => None,
                }
            })
            .collect()
    }

    /// Blocks of filters: those of items and those of roads.
    pub(crate) fn filters(&self) -> Vec<&ast::Filters> {
        let mut out = Vec::new();
        for (i, _) in self.items() {
            match &i.kind {
                ItemKind::Filters(f) => out.push(f),
                ItemKind::Road(r) => out.extend(road_filters(r)),
                ItemKind::Group { roads, .. } => out.extend(roads.iter().flat_map(|(_, r)| road_filters(r))),
                _ => {}
            }
        }
        out
    }

    /// Roads as written.
    pub(crate) fn roads(&self) -> Vec<&ast::Road> {
        let mut out = Vec::new();
        for (i, _) in self.items() {
            match &i.kind {
                ItemKind::Road(r) => out.push(r),
                ItemKind::Group { roads, .. } => out.extend(roads.iter().map(|(_, r)| r)),
                _ => {}
            }
        }
        out
    }

    /// Guards that open or close something: needs, filters, edges, `let`s. Promises and tests are none.
    pub(crate) fn guards(&self) -> Vec<Guarded<'_>> {
        let mut out = Vec::new();
        for (i, _) in self.items() {
            match &i.kind {
                ItemKind::Need { what, guard: Some(g) } => {
                    out.push(Guarded { guard: g, of: Guards::Need, what: format!("need `{}`", what.value) });
                }
                ItemKind::Let { name, guard, .. } => {
                    out.push(Guarded { guard, of: Guards::Let, what: format!("`{}`", name.value) });
                }
                _ => {}
            }
        }
        for f in self.filters() {
            for (name, guard) in &f.filters {
                out.push(Guarded { guard, of: Guards::Filter, what: format!("filter `{}`", name.value) });
            }
        }
        for b in self.bodies() {
            for (_, e) in edges(b.steps) {
                if let ast::Cond::When(guard) = &e.cond {
                    let port = e.from.first().map_or("", |p| self.text(p.span.span));
                    out.push(Guarded { guard, of: Guards::Edge, what: format!("guard of `{port}`") });
                }
            }
        }
        out
    }

    /// A bool that is fixed for the run or the payload, which a careless author would ask, and which this guard does not.
    pub(crate) fn other_bool(&self, not_in: Option<&Guard>) -> Option<&str> {
        let mut read = BTreeSet::new();
        if let Some(g) = not_in {
            references(g, &mut |r| {
                read.insert(r.path.value.as_str());
            });
        }
        let facts = self.model.facts.iter();
        let mut fits = facts.filter(|f| {
            f.ty == Type::Bool
                && f.index.is_none()
                && f.latch.is_none()
                && matches!(f.life, Life::Pinned | Life::Sealed)
                && !read.contains(f.name.as_str())
        });
        fits.next().map(|f| f.name.as_str())
    }

    /// Roads whose nodes come from this body.
    pub(crate) fn roads_in(&self, body: &Body<'_>) -> BTreeSet<RoadId> {
        let inside = |s: &Span| s.file == body.span.file && body.span.start <= s.start && s.end <= body.span.end;
        self.model.nodes.iter().filter(|n| n.spans.first().is_some_and(inside)).filter_map(|n| n.road).collect()
    }
}

/// `durable` of `std.durable`.
pub(crate) fn last(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

fn road_filters(r: &ast::Road) -> impl Iterator<Item = &ast::Filters> {
    r.block.entries.iter().filter_map(|e| match e {
        Entry::Filters(FiltersRef::Inline(f)) => Some(f),
        _ => None,
    })
}

/// The edges of a body, with their places among its steps.
pub(crate) fn edges(steps: &[Step]) -> impl Iterator<Item = (usize, &Edge)> {
    steps.iter().enumerate().filter_map(|(i, s)| if let Step::Edge(e) = s { Some((i, e)) } else { None })
}

/// Calls back with each reference of a guard.
pub(crate) fn references<'g>(g: &'g Guard, with: &mut dyn FnMut(&'g ast::Ref)) {
    match &*g.kind {
        GuardKind::Or(gs) | GuardKind::And(gs) => gs.iter().for_each(|g| references(g, with)),
        GuardKind::Not(g) | GuardKind::Paren(g) => references(g, with),
        GuardKind::Ref(r)
        | GuardKind::In(r, _)
        | GuardKind::Has(r, _)
        | GuardKind::HasAny(r, _)
        | GuardKind::HasAll(r, _)
        | GuardKind::Empty(r)
        | GuardKind::IsUnknown(r)
        | GuardKind::Compare { left: r, .. } => with(r),
    }
}

/// Calls back with every part of a guard, itself first.
pub(crate) fn parts<'g>(g: &'g Guard, with: &mut dyn FnMut(&'g Guard)) {
    with(g);
    match &*g.kind {
        GuardKind::Or(gs) | GuardKind::And(gs) => gs.iter().for_each(|g| parts(g, with)),
        GuardKind::Not(g) | GuardKind::Paren(g) => parts(g, with),
        _ => {}
    }
}

pub(crate) fn words(ids: &[Ident]) -> Vec<&str> {
    ids.iter().map(|i| i.value.as_str()).collect()
}

/// The port is one of this place's node.
pub(crate) fn is_of(port: &Port, name: &Path, args: &[Ident]) -> bool {
    port.name.value == name.value && words(&port.args) == words(args)
}

/// Both name the same node.
pub(crate) fn same_node(a: &Place, b: &Place) -> bool {
    a.name.value == b.name.value && words(&a.args) == words(&b.args) && a.alias == b.alias
}

/// From the first to the last of a list.
pub(crate) fn whole(spans: impl IntoIterator<Item = Span>) -> Option<Span> {
    spans.into_iter().reduce(Span::to)
}
