//! Every declaration of all files, by name. Duplicates are reported here, with both places; references are resolved
//! by the tables of [`Scope`]. Nothing is lowered yet, except the types of facts.

use super::facts::{self, FactDecl};
use super::load::{Load, Loaded};
use super::{codes, names};
use roadlaw_grammar::ast::{self, ItemKind};
use roadlaw_grammar::diagnostic::Diagnostic;
use roadlaw_grammar::span::{FileId, Span};
use std::collections::{BTreeMap, BTreeSet};

/// One declaration.
pub(crate) struct Entry<'a, T> {
    /// Its library; empty for the policy.
    pub(crate) library: &'a str,
    /// The library ships with the compiler.
    pub(crate) shipped: bool,
    /// Its name.
    pub(crate) name: &'a str,
    /// Where the name stands.
    pub(crate) span: Span,
    /// What is declared.
    pub(crate) value: T,
}

/// Declarations of one kind, in loading order.
pub(crate) struct Table<'a, T> {
    pub(crate) entries: Vec<Entry<'a, T>>,
}

impl<T> Default for Table<'_, T> {
    fn default() -> Self {
        Self { entries: Vec::new() }
    }
}

impl<'a, T> Table<'a, T> {
    /// The declaration that a path names: a plain name (the policy's own first), or one with its library, the
    /// library's alias, or `std` before it.
    pub(crate) fn find(&self, path: &str, aliases: &BTreeMap<String, String>) -> Option<usize> {
        let Some((prefix, name)) = path.rsplit_once('.') else {
            let own = self.entries.iter().position(|e| e.library.is_empty() && e.name == path);
            return own
                .or_else(|| self.entries.iter().position(|e| !e.shipped && e.name == path))
                .or_else(|| self.entries.iter().position(|e| e.name == path));
        };
        let library = aliases.get(prefix).map_or(prefix, String::as_str);
        self.entries.iter().position(|e| e.name == name && (e.library == library || (prefix == "std" && e.shipped)))
    }

    /// Their names, plain and (where shipped) qualified.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|e| e.name)
    }
}

/// A `let`.
pub(crate) struct LetDecl<'a> {
    pub(crate) guard: &'a ast::Guard,
    pub(crate) role: String,
    pub(crate) role_span: Span,
}

/// A road with the group it stands in.
pub(crate) struct RoadDecl<'a> {
    pub(crate) road: &'a ast::Road,
    pub(crate) docs: &'a [String],
    /// Role and floor of the group.
    pub(crate) group: Option<(&'a ast::Ident, &'a ast::Ident)>,
}

/// A child flow.
pub(crate) struct ChildDecl<'a> {
    pub(crate) road: &'a ast::Ident,
    pub(crate) calls: i64,
    pub(crate) calls_span: Span,
    pub(crate) steps: &'a [ast::Step],
    pub(crate) span: Span,
}

/// The policy's own flow.
pub(crate) enum FlowDecl<'a> {
    Steps(&'a [ast::Step], Span),
    /// The steps of a template, its arguments and where it is used.
    Template {
        template: &'a ast::Path,
        args: &'a [ast::Ident],
        span: Span,
    },
}

/// A `never` or `always`.
pub(crate) enum ClaimDecl<'a> {
    Never(&'a ast::Never, Span),
    Always { first: &'a ast::Event, then: &'a ast::Event, guard: Option<&'a ast::Guard>, span: Span },
}

/// A pin and its value.
pub(crate) type Pin = (ast::Ident, roadlaw_grammar::span::Spanned<String>);

/// Everything that is declared.
#[derive(Default)]
pub(crate) struct Scope<'a> {
    pub(crate) aliases: BTreeMap<String, String>,
    pub(crate) shipped_files: BTreeSet<FileId>,
    pub(crate) pins: Option<(&'a [Pin], Span)>,
    pub(crate) facts: Table<'a, FactDecl<'a>>,
    pub(crate) lets: Table<'a, LetDecl<'a>>,
    pub(crate) consts: Table<'a, &'a ast::Value>,
    pub(crate) counters: Table<'a, (i64, &'a ast::Place, Span)>,
    pub(crate) limits: Table<'a, &'a ast::Limits>,
    pub(crate) targets: Table<'a, (&'a ast::Ident, &'a ast::Block)>,
    pub(crate) projections: Table<'a, &'a [(ast::Ident, ast::Ident)]>,
    pub(crate) filters: Table<'a, &'a ast::Filters>,
    pub(crate) lanes: Table<'a, &'a ast::Lane>,
    pub(crate) roads: Table<'a, RoadDecl<'a>>,
    pub(crate) givens: Table<'a, &'a ast::Setting>,
    pub(crate) needs: Vec<(&'a ast::Ident, Option<&'a ast::Guard>, Span)>,
    pub(crate) record: Option<(&'a [ast::Ident], Span)>,
    pub(crate) exports: Table<'a, &'a ast::Export>,
    pub(crate) policy_limits: Option<&'a ast::Limits>,
    pub(crate) children: Vec<ChildDecl<'a>>,
    pub(crate) flow: Option<FlowDecl<'a>>,
    pub(crate) template_steps: BTreeMap<String, &'a [ast::Step]>,
    pub(crate) claims: Vec<ClaimDecl<'a>>,
    pub(crate) tests: Vec<&'a ast::Test>,
}

/// Words that name something of the language wherever a value is read.
pub(crate) const DERIVED: &[&str] = &["paid", "asynchronous", "auto_retry", "reconcilable", "role"];
/// Names that roads cannot have.
const NO_ROAD: &[&str] = &["any", "others", "none", "user", "external", "fresh", "choose", "run"];

/// Collects the declarations of all files.
pub(crate) fn collect<'a>(load: &'a Load, diagnostics: &mut Vec<Diagnostic>) -> Scope<'a> {
    let mut scope = Scope::default();
    for (alias, library, span) in &load.aliases {
        if scope.aliases.insert(alias.clone(), library.clone()).is_some_and(|old| old != *library) {
            diagnostics.push(
                Diagnostic::error(codes::DUPLICATE, *span, format!("the alias `{alias}` stands for two libraries"))
                    .with_help("take another word after `as`"),
            );
        }
    }
    for f in &load.files {
        if f.shipped {
            scope.shipped_files.insert(f.id);
        }
    }
    for f in &load.files {
        for item in &f.file.items {
            Collector { scope: &mut scope, file: f, diagnostics }.item(item);
        }
    }
    cross_checks(&scope, diagnostics);
    scope
}

struct Collector<'s, 'a> {
    scope: &'s mut Scope<'a>,
    file: &'a Loaded,
    diagnostics: &'s mut Vec<Diagnostic>,
}

fn put<'a, T>(
    table: &mut Table<'a, T>,
    file: &'a Loaded,
    name: &'a ast::Ident,
    what: &str,
    value: T,
    diagnostics: &mut Vec<Diagnostic>,
) {
    put_as(table, file, &name.value, name.span, what, value, diagnostics);
}

fn put_as<'a, T>(
    table: &mut Table<'a, T>,
    file: &'a Loaded,
    name: &'a str,
    span: Span,
    what: &str,
    value: T,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let same = |e: &&Entry<'a, T>| e.name == name && (e.library == file.name || (!e.shipped && !file.shipped));
    if let Some(first) = table.entries.iter().find(same) {
        diagnostics.push(duplicate(what, name, span, first.span));
        return;
    }
    table.entries.push(Entry { library: &file.name, shipped: file.shipped, name, span, value });
}

/// Two declarations of one name.
pub(crate) fn duplicate(what: &str, name: &str, second: Span, first: Span) -> Diagnostic {
    Diagnostic::error(codes::DUPLICATE, second, format!("{what} `{name}` is declared twice"))
        .with_label(first, "first declared here")
        .with_help("give one of the two another name, or drop it")
}

impl<'a> Collector<'_, 'a> {
    fn item(&mut self, item: &'a ast::Item) {
        let file = self.file;
        let library = !file.name.is_empty();
        let span = item.span.span;
        let s = &mut *self.scope;
        let d = &mut *self.diagnostics;
        match &item.kind {
            ItemKind::Use(_) => {}
            ItemKind::Facts(list) => {
                for fact in list {
                    if let Some(decl) = facts::declare(fact, file.shipped, d) {
                        put(&mut s.facts, file, &fact.name, "fact", decl, d);
                    }
                }
            }
            ItemKind::Const(name, value) => put(&mut s.consts, file, name, "constant", value, d),
            ItemKind::Let { name, guard, role } => {
                let plain =
                    if file.shipped { name.value.rsplit('.').next().unwrap_or(&name.value) } else { &name.value };
                if plain.contains('.') {
                    d.push(
                        Diagnostic::error(codes::DECLARATION, name.span, format!("a `let` cannot be called `{plain}`"))
                            .with_help("take a name without dots; dotted names are of libraries"),
                    );
                    return;
                }
                let decl = LetDecl {
                    guard,
                    role: role.as_ref().map_or_else(|| plain.to_owned(), |r| r.value.clone()),
                    role_span: role.as_ref().map_or(name.span, |r| r.span),
                };
                put_as(&mut s.lets, file, plain, name.span, "let", decl, d);
            }
            ItemKind::Limits(limits) => match &limits.name {
                Some(name) if name.value == "policy" && !library => {
                    if let Some(first) = s.policy_limits {
                        d.push(duplicate("limits", "policy", name.span, first.span.span));
                    }
                    s.policy_limits = Some(limits);
                }
                Some(name) => put(&mut s.limits, file, name, "limits", limits, d),
                None => d.push(
                    Diagnostic::error(codes::DECLARATION, span, "limits that stand by themselves need a name")
                        .with_help("write `limits NAME { .. }`"),
                ),
            },
            ItemKind::Target { name, tag, block } => put(&mut s.targets, file, name, "target", (tag, block), d),
            ItemKind::Projection { name, fields } => {
                put(&mut s.projections, file, name, "projection", fields.as_slice(), d);
            }
            ItemKind::Filters(filters) => match &filters.name {
                Some(name) => put(&mut s.filters, file, name, "filters", filters, d),
                None => d.push(
                    Diagnostic::error(codes::DECLARATION, span, "filters that stand by themselves need a name")
                        .with_help("write `filters NAME { .. }`"),
                ),
            },
            ItemKind::Group { role, floor, roads } => {
                for (docs, road) in roads {
                    let decl = RoadDecl { road, docs, group: Some((role, floor)) };
                    put(&mut s.roads, file, &road.name, "road", decl, d);
                }
            }
            ItemKind::Road(road) => {
                put(&mut s.roads, file, &road.name, "road", RoadDecl { road, docs: &item.docs, group: None }, d);
            }
            ItemKind::Counter { name, max, spent } => {
                put(&mut s.counters, file, name, "counter", (max.value, spent, max.span), d);
            }
            ItemKind::Lane(lane) => put(&mut s.lanes, file, &lane.name, "lane", lane, d),
            ItemKind::Given(name, setting) => put(&mut s.givens, file, name, "given", setting, d),
            ItemKind::Flow(steps) if library => {
                s.template_steps.insert(file.name.clone(), steps);
                if !file.shipped {
                    d.push(misplaced(span, "flow"));
                }
            }
            ItemKind::Record(_) if library => d.push(misplaced(span, "record")),
            ItemKind::Export(_) if library => d.push(misplaced(span, "export")),
            ItemKind::Record(fields) => match s.record {
                Some((_, first)) => d.push(duplicate("the block", "record", span, first)),
                None => s.record = Some((fields, span)),
            },
            ItemKind::Export(e) => put(&mut s.exports, file, &e.name, "export", e, d),
            ItemKind::Pins(_) if library => d.push(misplaced(span, "pins")),
            ItemKind::FlowTemplate { .. } if library => d.push(misplaced(span, "flow")),
            ItemKind::Child { .. } if library => d.push(misplaced(span, "child")),
            ItemKind::Test(_) if library => d.push(misplaced(span, "test")),
            ItemKind::Pins(pins) => {
                if let Some((_, first)) = s.pins {
                    d.push(duplicate("the block", "pins", span, first));
                }
                s.pins = Some((pins, span));
            }
            ItemKind::Need { what, guard } => {
                if let Some((_, _, first)) = s.needs.iter().find(|(w, ..)| w.value == what.value) {
                    d.push(duplicate("need", &what.value, span, *first));
                } else {
                    s.needs.push((what, guard.as_ref(), span));
                }
            }
            ItemKind::Child { road, calls, steps } => {
                if let Some(first) = s.children.iter().find(|c| c.road.value == road.value) {
                    d.push(duplicate("the child of", &road.value, road.span, first.road.span));
                    return;
                }
                s.children.push(ChildDecl { road, calls: calls.value, calls_span: calls.span, steps, span });
            }
            ItemKind::Flow(steps) => Self::flow(s, d, FlowDecl::Steps(steps, span), span),
            ItemKind::FlowTemplate { template, args } => {
                Self::flow(s, d, FlowDecl::Template { template, args, span }, span);
            }
            ItemKind::Never(never) => s.claims.push(ClaimDecl::Never(never, span)),
            ItemKind::Always { first, then, guard } => {
                s.claims.push(ClaimDecl::Always { first, then, guard: guard.as_ref(), span });
            }
            ItemKind::Test(test) => {
                if let Some(first) = s.tests.iter().find(|t| t.name.value == test.name.value) {
                    d.push(duplicate("test", &test.name.value, test.name.span, first.name.span));
                    return;
                }
                s.tests.push(test);
            }
        }
    }

    fn flow(s: &mut Scope<'a>, d: &mut Vec<Diagnostic>, flow: FlowDecl<'a>, span: Span) {
        match &s.flow {
            Some(FlowDecl::Steps(_, first) | FlowDecl::Template { span: first, .. }) => {
                d.push(duplicate("the policy's", "flow", span, *first));
            }
            None => s.flow = Some(flow),
        }
    }
}

fn misplaced(span: Span, what: &str) -> Diagnostic {
    Diagnostic::error(codes::DECLARATION, span, format!("a library has no `{what}`"))
        .with_help("move it into the policy")
}

/// Names that are read in one place, though they are declared by different items.
fn cross_checks(scope: &Scope<'_>, d: &mut Vec<Diagnostic>) {
    let mut values: BTreeMap<&str, (Span, &str)> = BTreeMap::new();
    let facts = scope.facts.entries.iter().filter(|e| !e.shipped).map(|e| (e.name, e.span, "fact"));
    let lets = scope.lets.entries.iter().filter(|e| !e.shipped).map(|e| (e.name, e.span, "let"));
    let consts = scope.consts.entries.iter().filter(|e| !e.shipped).map(|e| (e.name, e.span, "constant"));
    let counters = scope.counters.entries.iter().map(|e| (e.name, e.span, "counter"));
    for (name, span, what) in facts.chain(lets).chain(consts).chain(counters) {
        if let Some((first, other)) = values.get(name) {
            if *other != what {
                d.push(duplicate(&format!("{other} or {what}"), name, span, *first));
            }
            continue;
        }
        values.insert(name, (span, what));
        if DERIVED.contains(&name) {
            d.push(
                Diagnostic::error(
                    codes::DECLARATION,
                    span,
                    format!("`{name}` is derived from each road's block and cannot be declared"),
                )
                .with_help("drop the declaration; guards may read the name as it is"),
            );
        } else if ["true", "false", "limits", "target", "floor", "name", "unknown"].contains(&name) {
            d.push(
                Diagnostic::error(codes::DECLARATION, span, format!("`{name}` is a word of the language"))
                    .with_help("take another name"),
            );
        }
    }
    for e in &scope.roads.entries {
        if NO_ROAD.contains(&e.name) {
            d.push(
                Diagnostic::error(codes::DECLARATION, e.span, format!("a road cannot be called `{}`", e.name))
                    .with_help("the word has another meaning where roads are named"),
            );
        }
    }
    for lane in scope.lanes.entries.iter().filter(|e| !e.shipped) {
        if let Some(other) = scope.lanes.entries.iter().find(|e| e.shipped && e.name == lane.name) {
            d.push(duplicate("lane", lane.name, lane.span, other.span));
        }
    }
    let known = |name: &str| ["cut", "durable"].contains(&name);
    for (what, _, _) in &scope.needs {
        if !known(&what.value) {
            let mut e =
                Diagnostic::error(codes::UNKNOWN_NAME, what.span, format!("there is no need called `{}`", what.value));
            e.help = names::hint(&what.value, ["cut", "durable"]);
            d.push(e);
        }
    }
}
