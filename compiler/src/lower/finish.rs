//! The last steps: flows, claims and tests, the roles of each road, and the arenas of the model with ids in source
//! order, within the limits of MODEL.md section 11.

use super::facts::{Per, Source};
use super::flow::Flows;
use super::guards::{Context, Decl, Reads};
use super::{Const, Lowering, codes, presence};
use crate::laws::catalogue::profiles::runs;
use crate::model::{
    Ceilings, ClaimKind, Counter, CounterId, EdgeKind, Fact, FactId, Guard, Index, Latch, Life, Model, NodeKind, Order,
    Profile, RoadId, RoleItem, TargetId, Type,
};
use roadlaw_grammar::ast;
use roadlaw_grammar::diagnostic::Diagnostic;
use roadlaw_grammar::span::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Facts, a family counted once.
const MAX_FACTS: usize = 256;
/// Cells of families.
const MAX_CELLS: usize = 4096;
const MAX_ROADS: usize = 1024;
const MAX_CHOOSES: usize = 256;
const MAX_PROFILES: usize = 64;
const MAX_COUNTERS: usize = 8;

/// Constants that laws speak of, with their values where the policy declares none.
const THRESHOLDS: &[(&str, i64)] = &[("forbidden_threshold", 90), ("portal_threshold", 40)];

/// What stands in the policy's heading.
pub(crate) struct Heading {
    pub(crate) name: String,
    pub(crate) version: u32,
    pub(crate) docs: Vec<String>,
    pub(crate) pins: BTreeMap<String, String>,
}

impl Lowering<'_> {
    /// Constants: numbers and words, and those that laws speak of.
    pub(crate) fn lower_consts(&mut self) {
        for (name, value) in THRESHOLDS {
            self.consts.insert((*name).to_owned(), Const::Number(*value));
        }
        // A constant may name one that was declared before it.
        for e in &self.scope.consts.entries {
            let value = match e.value {
                ast::Value::Qty(q) => {
                    if !matches!(q.value.unit, None | Some(ast::Unit::Cents)) {
                        self.d.push(
                            Diagnostic::error(
                                codes::WRONG_TYPE,
                                q.span,
                                "a constant is a number or a word, not a time",
                            )
                            .with_help("write the time where it is used"),
                        );
                        continue;
                    }
                    if i32::try_from(q.value.number).is_err() {
                        self.d.push(Diagnostic::error(codes::LIMIT, q.span, "the constant does not fit in 32 bits"));
                        continue;
                    }
                    Const::Number(q.value.number)
                }
                ast::Value::Path(p) => match self.consts.get(&p.value) {
                    Some(c) => c.clone(),
                    None if p.value.contains('.') => {
                        self.d.push(
                            Diagnostic::error(codes::WRONG_TYPE, p.span, format!("`{}` is no constant", p.value))
                                .with_help("write a number or a word"),
                        );
                        continue;
                    }
                    None => Const::Word(p.value.clone()),
                },
            };
            self.consts.insert(e.name.to_owned(), value);
        }
        for (name, _) in THRESHOLDS {
            if matches!(self.consts.get(*name), Some(Const::Word(_))) {
                let span = self.scope.consts.entries.iter().find(|e| e.name == *name).map_or(self.span, |e| e.span);
                self.d.push(
                    Diagnostic::error(
                        codes::WRONG_TYPE,
                        span,
                        format!("`{name}` is a number that laws compare weights with"),
                    )
                    .with_help("write a number"),
                );
            }
        }
    }

    /// RL604: a weight is cut before it is forbidden.
    pub(crate) fn check_thresholds(&mut self) {
        let number = |name: &str| match self.consts.get(name) {
            Some(Const::Number(n)) => Some(*n),
            _ => None,
        };
        let (Some(portal), Some(forbidden)) = (number("portal_threshold"), number("forbidden_threshold")) else {
            return;
        };
        if portal > forbidden && runs(self.profile, "RL604") {
            let at = |name: &str| self.scope.consts.entries.iter().find(|e| e.name == name).map(|e| e.span);
            let (a, b) = (at("portal_threshold"), at("forbidden_threshold"));
            let mut e = Diagnostic::error(
                "RL604",
                a.or(b).unwrap_or(self.span),
                format!("portal_threshold {portal} is above forbidden_threshold {forbidden}"),
            )
            .with_help(
                "a weight is cut from the one on and forbidden from the other on: write the smaller number first",
            );
            if let (Some(_), Some(b)) = (a, b) {
                e = e.with_label(b, "the other threshold");
            }
            self.d.push(e);
        }
    }

    /// Where a need is written.
    pub(crate) fn need_span(&self, what: &str) -> Option<Span> {
        self.scope.needs.iter().find(|(w, ..)| w.value == what).map(|(_, g, s)| g.map_or(*s, |g| g.span.span))
    }

    /// Flows, claims, tests, and the model.
    pub(crate) fn finish(&mut self, heading: Heading) -> Option<Model> {
        self.own_cells();
        let counters = self.counters();
        let mut flows = Flows::build(self)?;
        let claims = flows.lower_claims();
        // Cells that laws read must be there before settings are applied to cells.
        let effects: Vec<Span> = flows
            .nodes
            .iter()
            .filter(|n| matches!(n.kind, NodeKind::Effect(_)))
            .filter_map(|n| n.spans.first().copied())
            .collect();
        let redelivers: Vec<Span> = flows
            .edges
            .iter()
            .filter(|e| e.kind == EdgeKind::Redeliver)
            .filter_map(|e| e.spans.first().copied())
            .collect();
        flows.l.roles(&effects, &redelivers);
        let tests = flows.lower_tests();
        let Flows { flows, nodes, edges, chooses, .. } = flows;
        let ceilings = self.policy_ceilings();
        let record = self.record();
        let exports = self.exports();
        self.note_unused();
        let mut model = Model {
            name: heading.name,
            version: heading.version,
            profile: self.profile,
            docs: heading.docs,
            pins: heading.pins,
            facts: Vec::new(),
            compared: BTreeSet::new(),
            counters,
            targets: std::mem::take(&mut self.targets),
            consumers: std::mem::take(&mut self.consumers),
            roads: std::mem::take(&mut self.roads),
            flows,
            nodes,
            edges,
            chooses,
            claims,
            tests,
            ceilings,
            record,
            exports,
            constants: self
                .consts
                .iter()
                .filter_map(|(n, c)| match c {
                    Const::Number(v) => i32::try_from(*v).ok().map(|v| (n.clone(), v)),
                    Const::Word(_) => None,
                })
                .collect(),
            span: self.span,
            any_provider: None,
            need_spans: self.scope.needs.iter().map(|(w, _, s)| (w.value.clone(), *s)).collect(),
        };
        if let Some(names) = &mut self.providers {
            // Any other name.
            names.push("another".to_owned());
        }
        self.facts_of(&mut model);
        model.compared = compared(&model);
        self.check_limits(&model);
        Some(model)
    }

    /// A policy's own facts are there for every road and target, read or not.
    fn own_cells(&mut self) {
        for (i, e) in self.scope.facts.entries.iter().enumerate().filter(|(_, e)| !e.shipped) {
            match e.value.per {
                None => {
                    self.cells.make(Source::Fact(i), None);
                }
                Some(Per::Road) => {
                    for r in 0..self.roads.len() {
                        self.cells
                            .make(Source::Fact(i), Some(Index::Road(RoadId(u32::try_from(r).unwrap_or(u32::MAX)))));
                    }
                }
                Some(Per::Target) => {
                    for t in 0..self.targets.len() {
                        let id = TargetId(u32::try_from(t).unwrap_or(u32::MAX));
                        self.cells.make(Source::Fact(i), Some(Index::Target(id)));
                    }
                }
            }
        }
        self.cells.make(Source::Judged, None);
    }

    fn counters(&mut self) -> Vec<Counter> {
        let mut out = Vec::new();
        for (i, e) in self.scope.counters.entries.iter().enumerate() {
            let (max, _, span) = e.value;
            let fact = self.cells.make(Source::Counter(i), None);
            let fits = u8::try_from(max).ok().filter(|m| *m >= 1);
            if fits.is_none() {
                self.d.push(
                    Diagnostic::error(codes::LIMIT, span, format!("counter `{}` counts from 1 to 255", e.name))
                        .with_help("write a maximum from 1 to 255"),
                );
            }
            out.push(Counter { name: e.name.to_owned(), max: fits.unwrap_or(1), fact, span: e.span });
        }
        if out.len() > MAX_COUNTERS {
            let span = self.scope.counters.entries.last().map_or(self.span, |e| e.span);
            self.d.push(Diagnostic::error(codes::LIMIT, span, format!("more than {MAX_COUNTERS} counters")));
        }
        out
    }

    /// Facts and `let`s by role, for each road.
    fn roles(&mut self, effects: &[Span], redelivers: &[Span]) {
        let gates = self.profile != Profile::Choice;
        let mut extra: Vec<&'static str> = Vec::new();
        if gates {
            if let Some(at) = effects.first() {
                extra.push("owner_authorised");
                self.role_for_step("owner_authorised", &["owner_authorised"], "an effect", *at);
            }
            if let Some(at) = redelivers.first() {
                extra.extend(["replay_proved", "no_effect"]);
                self.role_for_step("replay_proved", &["replay_proved", "no_effect"], "a redelivery", *at);
            }
        }
        let mut names: Vec<String> = Vec::new();
        for e in &self.scope.facts.entries {
            names.push(e.value.role.clone());
        }
        for e in self.scope.lets.entries.iter().filter(|e| !e.shipped) {
            names.push(e.value.role.clone());
        }
        names.sort_unstable();
        names.dedup();
        for i in 0..self.roads.len() {
            let id = RoadId(u32::try_from(i).unwrap_or(u32::MAX));
            let needed = if gates { presence::needed_roles(&self.roads[i]) } else { Vec::new() };
            let mut roles: BTreeMap<String, Vec<RoleItem>> = BTreeMap::new();
            for role in &names {
                let wanted = needed.contains(&role.as_str()) || extra.contains(&role.as_str());
                let mut items = Vec::new();
                for decl in self.role_items(role) {
                    items.extend(self.role_item(decl, id, wanted));
                }
                if !items.is_empty() {
                    roles.insert(role.clone(), items);
                }
            }
            self.roads[i].roles = roles;
        }
        self.check_lets();
    }

    fn role_for_step(&mut self, role: &str, any: &[&str], what: &str, at: Span) {
        if runs(self.profile, "RL010") && any.iter().all(|r| self.role_items(r).is_empty()) {
            self.d.push(
                Diagnostic::error("RL010", at, format!("no fact has the role `{role}`, which {what} needs"))
                    .with_help(format!("write `use std.facts`, or declare a fact `as {role}`")),
            );
        }
    }

    pub(crate) fn role_item(&mut self, decl: Decl, road: RoadId, wanted: bool) -> Option<RoleItem> {
        match decl {
            Decl::Fact(i) => {
                let index = match self.scope.facts.entries[i].value.per {
                    None => None,
                    Some(Per::Road) => Some(Index::Road(road)),
                    Some(Per::Target) => Some(Index::Target(self.roads[road.index()].target?)),
                };
                let source = self.source_of(i);
                let id = if wanted { Some(self.cells.make(source, index)) } else { self.cells.find(source, index) };
                id.map(RoleItem::Fact)
            }
            Decl::Let(i) => {
                // A `let` that cannot be read for this road fills nothing there; where it is used it is reported.
                let before = self.d.len();
                let told = self.told.clone();
                let guard = self.scope.lets.entries[i].value.guard;
                let out = self.guard(guard, Context { road: Some(road), params: None, reads: Reads::Claim });
                let failed = self.d.len() > before;
                self.d.truncate(before);
                self.told = told;
                (!failed).then_some(RoleItem::Let(out))
            }
        }
    }

    /// A `let` that can be read for no road at all is wrong, used or not.
    fn check_lets(&mut self) {
        for e in self.scope.lets.entries.iter().filter(|e| !e.shipped) {
            let mut first: Option<Vec<Diagnostic>> = None;
            let mut fine = false;
            let roads: Vec<Option<RoadId>> = (0..self.roads.len())
                .map(|i| Some(RoadId(u32::try_from(i).unwrap_or(u32::MAX))))
                .chain([None])
                .collect();
            for road in roads {
                let before = self.d.len();
                let told = self.told.clone();
                self.guard(e.value.guard, Context { road, params: None, reads: Reads::Claim });
                let problems = self.d.split_off(before);
                self.told = told;
                if problems.iter().all(|p| p.severity != roadlaw_grammar::diagnostic::Severity::Error) {
                    fine = true;
                    break;
                }
                first.get_or_insert(problems);
            }
            if let (false, Some(problems)) = (fine, first) {
                self.d.extend(problems);
            }
        }
    }

    fn policy_ceilings(&mut self) -> Option<Ceilings> {
        let limits = self.scope.policy_limits?;
        let mut out = Ceilings { span: limits.span.span, ..Ceilings::default() };
        if let Some(block) = &limits.block {
            self.ceiling_block(block, &mut out);
        }
        Some(out)
    }

    fn note_unused(&mut self) {
        let mut notes: Vec<(Span, String)> = Vec::new();
        let scope = self.scope;
        let used = &self.used;
        let mut look = |what: &'static str, i: usize, shipped: bool, library: bool, name: &str, span: Span| {
            // A library may hold more than one policy uses.
            if !shipped && !library && !used.contains(&(what, i)) {
                let said = match what {
                    "limits" | "filters" => format!("{what} `{name}` are never used"),
                    one => format!("{} `{name}` is never used", one.trim_end_matches('s')),
                };
                notes.push((span, said));
            }
        };
        for (i, e) in scope.targets.entries.iter().enumerate() {
            look("targets", i, e.shipped, !e.library.is_empty(), e.name, e.span);
        }
        for (i, e) in scope.limits.entries.iter().enumerate() {
            look("limits", i, e.shipped, !e.library.is_empty(), e.name, e.span);
        }
        for (i, e) in scope.projections.entries.iter().enumerate() {
            look("projections", i, e.shipped, !e.library.is_empty(), e.name, e.span);
        }
        for (i, e) in scope.filters.entries.iter().enumerate() {
            look("filters", i, e.shipped, !e.library.is_empty(), e.name, e.span);
        }
        for (i, e) in scope.lanes.entries.iter().enumerate() {
            look("lanes", i, e.shipped, !e.library.is_empty(), e.name, e.span);
        }
        for (i, e) in scope.counters.entries.iter().enumerate() {
            look("counters", i, e.shipped, !e.library.is_empty(), e.name, e.span);
        }
        for (span, text) in notes {
            self.d.push(Diagnostic::note(codes::UNUSED, span, text));
        }
    }

    /// The cells as facts, in source order, and every id in the model after them.
    fn facts_of(&mut self, model: &mut Model) {
        let mut order: Vec<usize> = (0..self.cells.list.len()).collect();
        let class = |s: Source| match s {
            Source::Fact(i) if !self.scope.facts.entries[i].shipped => (0, i),
            Source::Fact(i) => (1, i),
            Source::Tried => (2, 0),
            Source::Judged => (2, 1),
            Source::Consumed => (2, 2),
            Source::Provider => (3, 0),
            Source::Counter(i) => (3, i),
        };
        order.sort_by_key(|i| {
            let (s, index) = self.cells.list[*i];
            (class(s), index)
        });
        let mut new = vec![FactId(0); order.len()];
        for (to, from) in order.iter().enumerate() {
            new[*from] = FactId(u32::try_from(to).unwrap_or(u32::MAX));
        }
        for from in order {
            let fact = self.fact_of(model, from);
            model.facts.push(fact);
        }
        renumber(model, &new);
    }

    fn fact_of(&self, model: &Model, cell: usize) -> Fact {
        let (source, index) = self.cells.list[cell];
        let road = |i: Option<Index>| match i {
            Some(Index::Road(r)) => r,
            _ => RoadId(0),
        };
        let suffix = match index {
            None => String::new(),
            Some(Index::Road(r)) => format!("[{}]", model.roads[r.index()].name),
            Some(Index::Target(t)) => format!("[{}]", model.targets[t.index()].name),
        };
        let shipped = |name: &str| self.scope.facts.entries.iter().find(|e| e.shipped && e.name == name);
        let latch = |family: &str, latch: Latch, ty: Type, unknown: i64| {
            let e = shipped(family);
            Fact {
                name: format!("{family}{suffix}"),
                family: family.to_owned(),
                index,
                life: Life::Latch,
                ty,
                unknown: Some(unknown),
                role: Some(family.to_owned()),
                latch: Some(latch),
                docs: e.map(|e| e.value.docs.to_vec()).unwrap_or_default(),
                span: e.map_or(self.span, |e| e.span),
            }
        };
        match source {
            Source::Fact(i) => {
                let e = &self.scope.facts.entries[i];
                Fact {
                    name: format!("{}{suffix}", e.name),
                    family: e.name.to_owned(),
                    index,
                    life: e.value.life,
                    ty: e.value.ty.clone(),
                    unknown: e.value.unknown,
                    role: Some(e.value.role.clone()),
                    latch: None,
                    docs: e.value.docs.to_vec(),
                    span: e.span,
                }
            }
            Source::Tried => latch("tried", Latch::Tried(road(index)), Type::Bool, 1),
            Source::Judged => latch("judged", Latch::Judged, Type::Bool, 1),
            Source::Consumed => latch("consumed", Latch::Consumed, Type::Bool, 1),
            Source::Provider => Fact {
                name: format!("target.provider{suffix}"),
                family: "target.provider".to_owned(),
                index,
                life: Life::Pinned,
                ty: Type::Enum(self.providers.clone().unwrap_or_default()),
                unknown: None,
                role: Some("provider".to_owned()),
                latch: None,
                docs: Vec::new(),
                span: self.span,
            },
            Source::Counter(i) => {
                let e = &self.scope.counters.entries[i];
                let hi = i32::try_from(e.value.0).unwrap_or(i32::MAX).max(0);
                let counter = CounterId(u32::try_from(i).unwrap_or(u32::MAX));
                Fact { span: e.span, role: None, ..latch(e.name, Latch::Left(counter), Type::Int { lo: 0, hi }, 0) }
            }
        }
    }

    fn check_limits(&mut self, model: &Model) {
        let span = self.span;
        let mut exceed = |n: usize, max: usize, what: &str| {
            if n > max {
                self.d.push(Diagnostic::error(
                    codes::LIMIT,
                    span,
                    format!("the policy has {n} {what}, and at most {max} are allowed"),
                ));
            }
        };
        exceed(model.roads.len(), MAX_ROADS, "roads");
        exceed(model.chooses.len(), MAX_CHOOSES, "chooses");
        let mut families: Vec<&str> = model.facts.iter().map(|f| f.family.as_str()).collect();
        families.sort_unstable();
        families.dedup();
        exceed(families.len(), MAX_FACTS, "facts");
        exceed(model.facts.iter().filter(|f| f.index.is_some()).count(), MAX_CELLS, "cells of families");
        for c in &model.chooses {
            exceed(c.profiles.len(), MAX_PROFILES, "profiles of one choose");
        }
    }
}

/// Puts every fact id of a model through a map.
fn renumber(model: &mut Model, new: &[FactId]) {
    let to = |f: &mut FactId| {
        if let Some(n) = new.get(f.index()) {
            *f = *n;
        }
    };
    for r in &mut model.roads {
        r.filters.iter_mut().for_each(|f| renumber_guard(&mut f.guard, new));
        renumber_guard(&mut r.need_cut, new);
        renumber_guard(&mut r.need_durable, new);
        for items in r.roles.values_mut() {
            for item in items {
                match item {
                    RoleItem::Fact(f) => to(f),
                    RoleItem::Let(g) => renumber_guard(g, new),
                }
            }
        }
    }
    model.counters.iter_mut().for_each(|c| to(&mut c.fact));
    model.edges.iter_mut().for_each(|e| renumber_guard(&mut e.guard, new));
    for c in &mut model.chooses {
        if let Some(f) = &mut c.by {
            to(f);
        }
        for (_, order) in &mut c.profiles {
            if let Order::Keys(keys) = order {
                keys.iter_mut().flat_map(|k| &mut k.cells).for_each(to);
            }
        }
    }
    for c in &mut model.claims {
        match &mut c.kind {
            ClaimKind::Never { at, .. } => at.iter_mut().for_each(|(_, _, g)| renumber_guard(g, new)),
            ClaimKind::Always { at } => at.iter_mut().for_each(|(_, _, g, _)| renumber_guard(g, new)),
        }
    }
    for t in &mut model.tests {
        let old = std::mem::take(&mut t.facts);
        t.facts = old.into_iter().map(|(f, c)| (new.get(f.index()).copied().unwrap_or(f), c)).collect();
    }
}

fn renumber_guard(guard: &mut Guard, new: &[FactId]) {
    let to = |f: &mut FactId| {
        if let Some(n) = new.get(f.index()) {
            *f = *n;
        }
    };
    match guard {
        Guard::True | Guard::False => {}
        Guard::Not(g) => renumber_guard(g, new),
        Guard::And(gs) | Guard::Or(gs) => gs.iter_mut().for_each(|g| renumber_guard(g, new)),
        Guard::In(f, _) | Guard::Range(f, _, _) | Guard::HasAny(f, _) | Guard::HasAll(f, _) | Guard::Unknown(f) => {
            to(f)
        }
        Guard::Diff { left, right, .. } => {
            to(left);
            to(right);
        }
    }
}

/// Facts on either side of a comparison with another fact, in any guard of the model.
fn compared(m: &Model) -> BTreeSet<FactId> {
    fn sides(g: &Guard, out: &mut BTreeSet<FactId>) {
        match g {
            Guard::Not(g) => sides(g, out),
            Guard::And(gs) | Guard::Or(gs) => gs.iter().for_each(|g| sides(g, out)),
            Guard::Diff { left, right, .. } => out.extend([*left, *right]),
            _ => {}
        }
    }
    let mut out = BTreeSet::new();
    m.edges.iter().for_each(|e| sides(&e.guard, &mut out));
    for r in &m.roads {
        r.filters.iter().map(|f| &f.guard).chain([&r.need_cut, &r.need_durable]).for_each(|g| sides(g, &mut out));
        for item in r.roles.values().flatten() {
            if let RoleItem::Let(g) = item {
                sides(g, &mut out);
            }
        }
    }
    for c in &m.claims {
        match &c.kind {
            ClaimKind::Never { at, .. } => at.iter().for_each(|(_, _, g)| sides(g, &mut out)),
            ClaimKind::Always { at } => at.iter().for_each(|(_, _, g, _)| sides(g, &mut out)),
        }
    }
    out
}
