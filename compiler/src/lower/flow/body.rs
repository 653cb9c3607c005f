//! A flow or lane as rules: chains are taken apart into single hops, node and choose declarations are collected.
//! What is wrong without looking at any copy of it is reported here, once.

use super::kinds;
use crate::lower::{Lowering, codes, names, scope, secrets};
use crate::model::{Duty, EdgeKind};
use roadlaw_grammar::ast::{self, Cond, HopKind, Step};
use roadlaw_grammar::diagnostic::Diagnostic;
use roadlaw_grammar::span::Span;
use std::collections::BTreeMap;

/// What a body belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BodyKind {
    Flow,
    Child,
    Lane,
}

/// A port that a rule starts at.
#[derive(Debug, Clone)]
pub(crate) struct From {
    pub(crate) name: String,
    pub(crate) args: Vec<ast::Ident>,
    pub(crate) outcome: String,
    /// Which of several nodes of one name, see [`Rule::variant`].
    pub(crate) variant: Option<String>,
    pub(crate) span: Span,
}

/// One hop.
#[derive(Debug, Clone)]
pub(crate) struct Rule {
    pub(crate) from: Vec<From>,
    pub(crate) cond: Cond,
    pub(crate) kind: EdgeKind,
    pub(crate) place: ast::Place,
    /// A `release` in the middle of a chain is one node for each continuation, because it always goes on to where the
    /// chain goes on: this names the continuation.
    pub(crate) variant: Option<String>,
    /// The rule of the next hop of the chain.
    pub(crate) next: Option<usize>,
    /// The place before this one in the chain was optional by this need.
    pub(crate) after_optional: Option<&'static str>,
    pub(crate) changes: Option<ast::Changes>,
    pub(crate) takes: Option<ast::Ident>,
    pub(crate) span: Span,
    /// A later hop of a chain.
    pub(crate) chained: bool,
}

/// A declared node.
#[derive(Debug, Clone)]
pub(crate) struct NodeDecl {
    pub(crate) kind: ast::Ident,
    pub(crate) args: Vec<ast::Ident>,
    pub(crate) duty: Option<Duty>,
    pub(crate) span: Span,
}

/// A flow or lane.
pub(crate) struct Body {
    pub(crate) kind: BodyKind,
    /// The lane's name, or what the flow is.
    pub(crate) name: String,
    pub(crate) shipped: bool,
    pub(crate) params: Vec<ast::Param>,
    pub(crate) exits: Vec<ast::Ident>,
    pub(crate) nodes: BTreeMap<String, NodeDecl>,
    pub(crate) chooses: BTreeMap<String, ast::Choose>,
    pub(crate) aliases: BTreeMap<String, String>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) by_name: BTreeMap<String, Vec<usize>>,
    pub(crate) els: Option<usize>,
    pub(crate) span: Span,
}

/// Chains may have this many hops.
const MAX_HOPS: usize = 1024;

/// The kind of an edge.
fn edge_kind(kind: HopKind) -> EdgeKind {
    match kind {
        HopKind::Next => EdgeKind::Next,
        HopKind::Loop => EdgeKind::Loop,
        HopKind::Retry => EdgeKind::Retry,
        HopKind::Redirect => EdgeKind::Redirect,
        HopKind::Fallback => EdgeKind::Fallback,
        HopKind::Redeliver => EdgeKind::Redeliver,
        HopKind::Resume => EdgeKind::Resume,
    }
}

/// A place as written, on one line.
pub(crate) fn render(place: &ast::Place) -> String {
    let mut out = place.name.value.clone();
    if !place.args.is_empty() {
        let args: Vec<&str> = place.args.iter().map(|a| a.value.as_str()).collect();
        out.push_str(&format!("({})", args.join(", ")));
    }
    if place.optional {
        out.push('?');
    }
    out
}

impl Body {
    fn empty(kind: BodyKind, name: String, shipped: bool, span: Span) -> Self {
        Self {
            kind,
            name,
            shipped,
            params: Vec::new(),
            exits: Vec::new(),
            nodes: BTreeMap::new(),
            chooses: BTreeMap::new(),
            aliases: BTreeMap::new(),
            rules: Vec::new(),
            by_name: BTreeMap::new(),
            els: None,
            span,
        }
    }

    /// The rule at which the body is entered: the one from `start`.
    pub(crate) fn start_rules(&self) -> Vec<usize> {
        self.by_name.get("start").cloned().unwrap_or_default()
    }
}

impl Lowering<'_> {
    /// The body of a lane.
    pub(crate) fn lane_body(&mut self, lane: &ast::Lane, shipped: bool) -> Body {
        let mut body = Body::empty(BodyKind::Lane, lane.name.value.clone(), shipped, lane.name.span);
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        for p in &lane.params {
            if let Some(first) = seen.insert(&p.name.value, p.name.span) {
                self.d.push(scope::duplicate("parameter", &p.name.value, p.name.span, first));
            }
        }
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        for e in &lane.exits {
            if let Some(first) = seen.insert(&e.value, e.span) {
                self.d.push(scope::duplicate("exit", &e.value, e.span, first));
            }
            if e.value == "others" {
                self.d.push(
                    Diagnostic::error(
                        codes::STRUCTURE,
                        e.span,
                        "`others` is no exit: it stands for the remaining ones",
                    )
                    .with_help("take another name"),
                );
            }
        }
        body.params = lane.params.clone();
        body.exits = lane.exits.clone();
        self.fill_body(body, &lane.steps)
    }

    /// The body of a flow or child.
    pub(crate) fn flow_body(
        &mut self,
        kind: BodyKind,
        name: &str,
        shipped: bool,
        span: Span,
        steps: &[ast::Step],
    ) -> Body {
        self.fill_body(Body::empty(kind, name.to_owned(), shipped, span), steps)
    }

    fn fill_body(&mut self, mut body: Body, steps: &[Step]) -> Body {
        for step in steps {
            match step {
                Step::Node { name, kind, args, role } => {
                    let duty = role.as_ref().and_then(|r| self.duty(r, kind));
                    if self.name_taken(&body, name) {
                        continue;
                    }
                    let decl = NodeDecl { kind: kind.clone(), args: args.clone(), duty, span: name.span };
                    body.nodes.insert(name.value.clone(), decl);
                }
                Step::Choose(c) => {
                    let (name, span) =
                        c.name.as_ref().map_or(("choose".to_owned(), c.span.span), |n| (n.value.clone(), n.span));
                    let ident = ast::Ident { value: name.clone(), span };
                    if self.name_taken(&body, &ident) {
                        continue;
                    }
                    body.chooses.insert(name, c.clone());
                }
                Step::Edge(_) => {}
            }
        }
        for step in steps {
            if let Step::Edge(e) = step {
                self.edge(&mut body, e);
            }
        }
        for (i, r) in body.rules.iter().enumerate() {
            for f in &r.from {
                let list = body.by_name.entry(f.name.clone()).or_default();
                if list.last() != Some(&i) {
                    list.push(i);
                }
            }
        }
        body
    }

    /// What a node is for, where its kind can do that.
    fn duty(&mut self, role: &ast::Ident, kind: &ast::Ident) -> Option<Duty> {
        let Some(duty) = Duty::parse(&role.value) else {
            let mut e = Diagnostic::error(
                codes::UNKNOWN_NAME,
                role.span,
                format!("there is no role of nodes called `{}`", role.value),
            );
            let words: Vec<&str> = Duty::ALL.iter().map(|d| d.word()).collect();
            e.help = names::closest(&role.value, words.iter().copied())
                .map(|c| format!("did you mean `{c}`?"))
                .or_else(|| Some(format!("the roles are {}", names::list(&words))));
            self.d.push(e);
            return None;
        };
        let kinds: &[&str] = match duty {
            Duty::Search => &["own", "call", "send", "await"],
            // A road's `ok` says that it answered, not what: its answer is accepted first.
            Duty::Provenance | Duty::Rights => &["own"],
            Duty::Storage => &["own", "call", "send", "effect"],
        };
        if kinds::takes(&kind.value).is_some() && !kinds.contains(&kind.value.as_str()) {
            self.d.push(
                Diagnostic::error(
                    codes::WRONG_TYPE,
                    role.span,
                    format!("a `{}` has no role `{}`", kind.value, duty.word()),
                )
                .with_help(match kinds {
                    ["own"] => format!("accept what a road answers, then pass `node NAME : own as {}`", duty.word()),
                    _ => format!("a node for it is one of {}", names::list(kinds)),
                }),
            );
            return None;
        }
        Some(duty)
    }

    fn name_taken(&mut self, body: &Body, name: &ast::Ident) -> bool {
        let first = body
            .nodes
            .get(&name.value)
            .map(|n| n.span)
            .or_else(|| body.chooses.get(&name.value).map(|c| c.name.as_ref().map_or(c.span.span, |n| n.span)));
        if let Some(first) = first {
            self.d.push(scope::duplicate("node", &name.value, name.span, first));
            return true;
        }
        let w = name.value.as_str();
        let word = kinds::takes(w).is_some()
            || kinds::stop(w).is_some()
            || ["start", "exit", "return", "run", "others", "any"].contains(&w)
            || (w == "choose" && name.span.end.saturating_sub(name.span.start) == 6);
        let what = if word {
            Some(("a word of the language", None))
        } else if let Some(i) = self.scope.lanes.find(w, &self.scope.aliases) {
            Some(("a lane", Some(self.scope.lanes.entries[i].span)))
        } else {
            let road = self.roads.iter().find(|r| r.name == w).map(|r| r.span);
            road.map(|s| ("a road", Some(s)))
        };
        if let Some((what, at)) = what {
            let mut e = Diagnostic::error(codes::DUPLICATE, name.span, format!("`{w}` is {what} already"))
                .with_help("give the node another name");
            if let Some(at) = at {
                e = e.with_label(at, "declared here");
            }
            self.d.push(e);
            return true;
        }
        false
    }

    fn structure(&mut self, span: Span, message: impl Into<String>, help: &str) {
        self.d.push(Diagnostic::error(codes::STRUCTURE, span, message).with_help(help));
    }

    fn edge(&mut self, body: &mut Body, e: &ast::Edge) {
        if e.hops.len() > MAX_HOPS {
            self.d.push(Diagnostic::error(codes::LIMIT, e.span.span, format!("a chain has more than {MAX_HOPS} hops")));
            return;
        }
        let special = e.hops.iter().position(|h| h.kind.value != HopKind::Next).unwrap_or(0);
        let base = body.rules.len();
        for (i, hop) in e.hops.iter().enumerate() {
            let mut last = i + 1 == e.hops.len();
            let mut place = hop.place.clone();
            let name = hop.place.name.value.as_str();
            let chooses = body.chooses.contains_key(name);
            let ends =
                ["exit", "return"].contains(&name) || (kinds::stop(name).is_some() && !body.nodes.contains_key(name));
            if !last && (chooses || ends) {
                let help = if chooses {
                    "a choose goes on by candidate: write `each -> LANE`, and `.none` by itself"
                } else {
                    "end the chain there"
                };
                self.structure(place.span.span, format!("nothing goes on from `{name}` by `ok`"), help);
                last = true;
            }
            if place.optional {
                let next_kind = e.hops.get(i + 1).map(|h| h.kind.value);
                if kinds::need_of(name).is_none() {
                    let help = "`?` stands after cut, verify and attempt: the steps that a need can exempt";
                    self.structure(place.span.span, format!("`{name}` cannot be skipped"), help);
                    place.optional = false;
                } else if next_kind != Some(HopKind::Next) {
                    let help = "write the next step in the same chain, `cut(r)? -> verify(r)?`";
                    self.structure(place.span.span, format!("`{name}?` has no next step to skip to"), help);
                    place.optional = false;
                }
            }
            if let Some(alias) = &place.alias
                && let Some(old) = body.aliases.insert(alias.value.clone(), name.to_owned())
                && old != name
            {
                self.structure(alias.span, format!("`{}` names two lanes", alias.value), "take another name");
            }
            let variant = (name == "release" && !last).then(|| render(&e.hops[i + 1].place));
            let (from, cond) = if i == 0 {
                let ports = e.from.iter().map(|p| From {
                    name: p.name.value.clone(),
                    args: p.args.clone(),
                    outcome: p.outcome.as_ref().map_or_else(|| "ok".to_owned(), |o| o.value.clone()),
                    variant: None,
                    span: p.span.span,
                });
                (ports.collect(), e.cond.clone())
            } else {
                let before = &e.hops[i - 1].place;
                let from = From {
                    name: before.alias.as_ref().map_or_else(|| before.name.value.clone(), |a| a.value.clone()),
                    args: if before.alias.is_some() { Vec::new() } else { before.args.clone() },
                    outcome: "ok".to_owned(),
                    variant: body.rules.last().and_then(|r| r.variant.clone()),
                    span: before.span.span,
                };
                (vec![from], Cond::None)
            };
            let before = i.checked_sub(1).and_then(|j| e.hops.get(j)).filter(|h| h.place.optional);
            body.rules.push(Rule {
                from,
                cond,
                kind: edge_kind(hop.kind.value),
                span: if e.hops.len() == 1 { e.span.span } else { hop.kind.span.to(place.span.span) },
                place,
                variant,
                next: (!last).then_some(base + i + 1),
                after_optional: before.and_then(|h| kinds::need_of(&h.place.name.value)),
                changes: e.changes.clone().filter(|_| i == special),
                takes: e.takes.clone().filter(|_| i == special),
                chained: i > 0,
            });
            if last {
                break;
            }
        }
        if e.from.is_empty() {
            if let Some(first) = body.els {
                let first = body.rules[first].span;
                self.d.push(
                    Diagnostic::error(codes::DUPLICATE, e.span.span, "the `else` of a flow or lane is written twice")
                        .with_label(first, "first written here")
                        .with_help("drop one of the two"),
                );
            } else {
                body.els = Some(base);
            }
            if !matches!(e.cond, Cond::None) {
                self.structure(
                    e.span.span,
                    "an `else` that stands alone is that of the flow, and has no condition",
                    "write `else -> PLACE`; for one port, `NODE when A -> X`, `NODE when not A and B -> Y`, `NODE else -> Z`",
                );
            }
        }
    }

    /// Reports names and outcomes that no copy of the body could have.
    pub(crate) fn check_body(&mut self, body: &Body) {
        for (name, n) in &body.nodes {
            let w = n.kind.value.as_str();
            if kinds::takes(w).is_none() {
                let mut e = Diagnostic::error(
                    codes::UNKNOWN_NAME,
                    n.kind.span,
                    format!("`{name}` is declared as `{w}`, and there is no such kind of node"),
                );
                e.help = names::closest(w, kinds::words().into_iter().chain(["own"]))
                    .map(|c| format!("did you mean `{c}`?"))
                    .or_else(|| Some("write `own` for a node of the policy's own, which carries no gate".into()));
                self.d.push(e);
            }
        }
        for r in &body.rules {
            for f in &r.from {
                if f.variant.is_none() {
                    self.check_port(body, f);
                }
            }
            self.check_place(body, &r.place);
        }
        for c in body.chooses.values() {
            if let Some(each) = &c.each {
                let place = ast::Place {
                    name: each.clone(),
                    args: Vec::new(),
                    optional: false,
                    alias: None,
                    span: roadlaw_grammar::span::Spanned { value: (), span: each.span },
                };
                self.check_place(body, &place);
            }
        }
    }

    fn check_port(&mut self, body: &Body, f: &From) {
        let w = f.name.as_str();
        let words: Vec<String> = if let Some(n) = body.nodes.get(w) {
            kinds::outcomes(&n.kind.value).iter().map(|o| o.word().to_owned()).collect()
        } else if let Some(c) = body.chooses.get(w) {
            let mut words: Vec<String> = c.candidates.iter().map(|c| c.value.clone()).collect();
            if body.shipped {
                return;
            }
            words.push("none".into());
            words
        } else if w == "start" {
            vec!["ok".into(), "failed".into()]
        } else if let Some(lane) = body.aliases.get(w) {
            self.exits_of(lane)
        } else if w == "run" || (self.roads.iter().any(|r| r.name == w) && body.kind != BodyKind::Lane) {
            self.exits_of("run")
        } else if self.scope.lanes.find(w, &self.scope.aliases).is_some() {
            self.exits_of(w)
        } else if kinds::takes(w).is_some() && w != "own" {
            kinds::outcomes(w).iter().map(|o| o.word().to_owned()).collect()
        } else {
            self.unknown_place(body, w, f.span, true);
            return;
        };
        if f.outcome == "others" || words.contains(&f.outcome) || words.is_empty() && self.without_lanes("run") {
            return;
        }
        let what = if f.outcome == "ok" && w == "choose" { "an outcome" } else { "the outcome" };
        let mut e = Diagnostic::error(codes::UNKNOWN_NAME, f.span, format!("`{w}` never has {what} `{}`", f.outcome));
        e.help = names::closest(&f.outcome, words.iter().map(String::as_str))
            .map(|c| format!("did you mean `{w}.{c}`?"))
            .or_else(|| {
                let all: Vec<&str> = words.iter().map(String::as_str).collect();
                Some(format!("it has {}", names::list(&all)))
            });
        self.d.push(e);
    }

    /// The word is a lane that every policy may know, and nothing brings it.
    fn without_lanes(&self, w: &str) -> bool {
        let unknown = self.scope.lanes.find(w, &self.scope.aliases).is_none();
        match w {
            "run" => self.exits_of("run").is_empty(),
            _ => unknown && ["accept", "settle", "ingest"].contains(&w),
        }
    }

    /// Exits of a lane; of `run`, those of every lane that a road may take.
    fn exits_of(&self, lane: &str) -> Vec<String> {
        let scope = self.scope;
        let mut out: Vec<String> = Vec::new();
        let all = lane == "run";
        for e in &scope.lanes.entries {
            let own = scope
                .lanes
                .find(lane, &scope.aliases)
                .is_some_and(|i| std::ptr::eq(&raw const scope.lanes.entries[i], e));
            if (all && !["accept", "settle", "ingest"].contains(&e.name)) || own {
                for x in &e.value.exits {
                    if !out.contains(&x.value) {
                        out.push(x.value.clone());
                    }
                }
            }
        }
        out
    }

    /// Reports a place that is none in the body.
    pub(crate) fn check_body_place(&mut self, body: &Body, place: &ast::Place) {
        self.check_place(body, place);
    }

    fn check_place(&mut self, body: &Body, place: &ast::Place) {
        let w = place.name.value.as_str();
        let known = body.nodes.contains_key(w)
            || body.chooses.contains_key(w)
            || body.params.iter().any(|p| p.name.value == w && p.kind == ast::ParamKind::Place)
            || (kinds::takes(w).is_some() && w != "own")
            || kinds::stop(w).is_some()
            || self.scope.lanes.find(w, &self.scope.aliases).is_some();
        if known {
            return;
        }
        match (w, body.kind) {
            (w, _) if self.without_lanes(w) => {
                self.d.push(
                    Diagnostic::error(codes::UNKNOWN_NAME, place.span.span, format!("`{w}` is a lane of `std.lanes`"))
                        .with_help("write `use std.lanes`"),
                );
            }
            ("run", _) => {}
            ("exit", BodyKind::Lane) => match place.args.as_slice() {
                [x] if body.exits.iter().any(|e| e.value == x.value) => {}
                [x] => {
                    let mut e = Diagnostic::error(
                        codes::UNKNOWN_NAME,
                        x.span,
                        format!("lane `{}` declares no exit `{}`", body.name, x.value),
                    );
                    e.help = names::hint(&x.value, body.exits.iter().map(|e| e.value.as_str()));
                    self.d.push(e);
                }
                _ => self.structure(place.span.span, "`exit` takes one name", "write `exit(ok)`"),
            },
            ("exit", _) => self.structure(place.span.span, "only lanes have exits", "go to a node or a terminal"),
            ("return", BodyKind::Child) => {
                if place.args.len() != 1 {
                    self.structure(place.span.span, "`return` takes one name", "write `return(ok)`");
                }
            }
            ("return", _) => {
                self.structure(place.span.span, "only a child returns", "go to a node or a terminal");
            }
            ("start", _) => {
                let help = "go to the first step after it; what was judged before is judged again there";
                self.structure(place.span.span, "nothing leads back to `start`", help);
            }
            _ => self.unknown_place(body, w, place.name.span, false),
        }
    }

    fn unknown_place(&mut self, body: &Body, w: &str, span: Span, port: bool) {
        if secrets::no_destination(w) {
            self.d.push(secrets::seat(w, span));
            return;
        }
        if w == "auto" {
            self.d.push(
                Diagnostic::error("RL007", span, "a fallback names where it leads, and no runtime picks by itself")
                    .with_help("name a road's place, and write `changes { .. }`"),
            );
            return;
        }
        let here = body.nodes.keys().chain(body.chooses.keys()).map(String::as_str);
        let roads: Vec<&str> = if port { self.roads.iter().map(|r| r.name.as_str()).collect() } else { Vec::new() };
        let ends: Vec<&str> = if port {
            vec!["start"]
        } else {
            crate::model::Stop::ALL.iter().map(|s| s.word()).chain(["exit", "return"]).collect()
        };
        let known = here.chain(kinds::words()).chain(self.scope.lanes.names()).chain(["run"]).chain(roads).chain(ends);
        let close = names::closest(w, known).map(|c| format!("did you mean `{c}`?"));
        let (message, help) = if self.without_lanes(w) {
            (format!("`{w}` is a lane of `std.lanes`"), Some("write `use std.lanes`".to_owned()))
        } else if port && kinds::stop(w).is_some() {
            (format!("`{w}` is where a run ends, and nothing leaves it"), Some("drop the edge".to_owned()))
        } else if self.roads.iter().any(|r| r.name == w) {
            (format!("`{w}` is a road, not a place"), Some(format!("write `run({w})`, or a step of it, `send({w})`")))
        } else {
            let own = format!("declare `node {w} : own` for a node of the policy's own, which carries no gate");
            (format!("there is no node, lane or terminal `{w}`"), close.or(Some(own)))
        };
        let mut e = Diagnostic::error(codes::UNKNOWN_NAME, span, message);
        e.help = help;
        self.d.push(e);
    }
}
