//! Each outcome of each node, and each exit of each copy of a lane, to its edges.
//!
//! Of the rules that fit a port, those that name its outcome win over `others`, and then those that name the copy or
//! node itself (its road, its arguments, its alias) over those that speak of all. An exit is not a node: the edges
//! inside a lane that lead to it are joined with the edges that leave it outside.

use super::body::{Body, BodyKind, Rule};
use super::build::{Arg, Flows, Goal, Unled};
use super::kinds;
use crate::lower::codes;
use crate::lower::guards::{Context, Reads};
use crate::model::{
    Change, CounterId, Edge, EdgeKind, EdgeOrigin, EdgeRank, Guard, NodeId, NodeKind, Outcome, RoadId, Shape,
};
use roadlaw_grammar::ast::{self, Cond};
use roadlaw_grammar::diagnostic::Diagnostic;
use roadlaw_grammar::span::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// An edge before it is given a port.
#[derive(Clone)]
pub(crate) struct Out {
    pub(crate) guard: Guard,
    pub(crate) rank: EdgeRank,
    pub(crate) kind: EdgeKind,
    pub(crate) to: NodeId,
    pub(crate) changes: Option<BTreeSet<Change>>,
    /// Where each change is written.
    pub(crate) change_spans: BTreeMap<Change, Span>,
    pub(crate) hole: bool,
    pub(crate) takes: Option<CounterId>,
    pub(crate) origin: EdgeOrigin,
    pub(crate) spans: Vec<Span>,
    pub(crate) guard_span: Option<Span>,
}

/// What a port belongs to.
#[derive(Clone, Copy)]
pub(crate) enum Source {
    Node(NodeId),
    Copy(usize),
}

/// Rules that fit a port: the rule and which of its ports.
struct Found {
    rules: Vec<(usize, usize)>,
    others: bool,
}

impl Flows<'_, '_> {
    /// Routes every outcome of a node.
    pub(crate) fn route_node(&mut self, node: NodeId) {
        let (kind, road) = {
            let n = &self.nodes[node.index()];
            (n.kind.clone(), n.road)
        };
        let shape: Option<Shape> = road.map(|r| self.l.roads[r.index()].shape);
        let instance = self.info[node.index()].instance;
        let word = self.info[node.index()].word.clone();
        for outcome in kind.outcomes(shape) {
            match (&kind, outcome) {
                (NodeKind::Choose(id), Outcome::Chosen) => {
                    let candidates = self.chooses[id.index()].candidates.clone();
                    for c in candidates {
                        let outs = self.route_candidate(instance, node, c);
                        self.put(node, Outcome::Chosen, Some(c), outs);
                    }
                }
                _ => {
                    let coverable = !kinds::by_name_only(&word, *outcome);
                    let outs = self
                        .route(instance, Source::Node(node), outcome.word(), road, coverable, false)
                        .or_else(|| self.by_else(instance, &kind, *outcome, road));
                    let Some(outs) = outs else {
                        self.note_unrouted(node, *outcome, &kind);
                        continue;
                    };
                    self.put(node, *outcome, None, outs);
                }
            }
        }
    }

    pub(crate) fn put(&mut self, from: NodeId, outcome: Outcome, candidate: Option<RoadId>, mut outs: Vec<Out>) {
        let order = |o: &Out| match o.rank {
            EdgeRank::Guarded => 0,
            EdgeRank::Spent(_) => 1,
            EdgeRank::Else => 2,
        };
        // Sorting is stable: source order within each rank.
        outs.sort_by_key(order);
        for o in outs {
            self.edges.push(Edge {
                from,
                outcome,
                candidate,
                guard: o.guard,
                rank: o.rank,
                kind: o.kind,
                to: o.to,
                changes: o.changes,
                change_spans: o.change_spans,
                changes_hole: o.hole,
                takes: o.takes,
                origin: o.origin,
                spans: o.spans,
                guard_span: o.guard_span,
            });
        }
    }

    fn note_unrouted(&mut self, node: NodeId, outcome: Outcome, kind: &NodeKind) {
        let info = &self.info[node.index()];
        let word = outcome.word();
        let n = &self.nodes[node.index()];
        let road = n.road.map(|r| self.l.roads[r.index()].name.clone());
        let span = n.spans.first().copied().unwrap_or(self.l.span);
        let code = if kinds::covered_by_else(kind, outcome) { "RL701" } else { "RL703" };
        let unled = Unled { code, what: "outcome", label: info.label.clone(), roads: BTreeSet::new() };
        self.unrouted.entry((span, word.to_owned())).or_insert(unled).roads.extend(road);
    }

    /// The port of a choose for one candidate: its own edge, `each`, or `others`.
    fn route_candidate(&mut self, instance: usize, node: NodeId, road: RoadId) -> Vec<Out> {
        let body = Rc::clone(&self.instances[instance].body);
        let label = self.info[node.index()].label.clone();
        let name = self.l.roads[road.index()].name.clone();
        let each = body.chooses.get(&label).and_then(|c| c.each.clone());
        let explicit = self.find(instance, Source::Node(node), &name, false);
        if let (true, Some(each)) = (explicit.rules.is_empty(), each) {
            let place = ast::Place {
                name: each.clone(),
                args: Vec::new(),
                optional: false,
                alias: None,
                span: roadlaw_grammar::span::Spanned { value: (), span: each.span },
            };
            let Some(Goal::Node(to)) = self.goal(instance, &place, None, Some(road), true) else { return Vec::new() };
            let mut spans = vec![each.span];
            spans.extend_from_slice(&self.instances[instance].uses);
            return vec![Out {
                guard: Guard::True,
                rank: EdgeRank::Guarded,
                kind: EdgeKind::Next,
                to,
                changes: None,
                change_spans: BTreeMap::new(),
                hole: false,
                takes: None,
                origin: if body.kind == BodyKind::Lane { EdgeOrigin::Lane } else { EdgeOrigin::Flow },
                spans,
                guard_span: None,
            }];
        }
        match self.route(instance, Source::Node(node), &name, Some(road), true, true) {
            Some(outs) => outs,
            None => {
                let span = self.nodes[node.index()].spans.first().copied().unwrap_or(self.l.span);
                let unled = Unled { code: "RL703", what: "candidate", label, roads: BTreeSet::new() };
                self.unrouted.entry((span, name)).or_insert(unled);
                Vec::new()
            }
        }
    }

    /// How well a port of a rule fits: `None` not at all, 1 for all of a kind, 2 for this one.
    fn fits_port(&mut self, instance: usize, body: &Body, rule: usize, port: usize, source: Source) -> Option<u8> {
        let from = &body.rules[rule].from[port];
        let args = |me: &Self| -> Vec<String> {
            from.args
                .iter()
                .map(|a| match me.instances[instance].args.get(&a.value) {
                    Some(Arg::Road(Some(r))) => me.l.roads[r.index()].name.clone(),
                    _ => a.value.clone(),
                })
                .collect()
        };
        match source {
            Source::Node(n) => {
                let info = &self.info[n.index()];
                if info.label != from.name || (from.variant.is_some() && from.variant != info.variant) {
                    return None;
                }
                if from.args.is_empty() {
                    return Some(1);
                }
                let args = args(self);
                let road = self.nodes[n.index()].road.map(|r| self.l.roads[r.index()].name.clone());
                let same = info.args.starts_with(&args) || (args.len() == 1 && args.first() == road.as_ref());
                let unknown_road = args.len() == 1
                    && road.is_none()
                    && from
                        .args
                        .first()
                        .is_some_and(|a| matches!(self.instances[instance].args.get(&a.value), Some(Arg::Road(None))));
                (same || unknown_road).then_some(2)
            }
            Source::Copy(c) => {
                let copy = &self.copies[c];
                let road = copy.road.map(|r| self.l.roads[r.index()].name.as_str());
                if let Some(alias) = &copy.alias {
                    return (*alias == from.name).then_some(2);
                }
                let names_road = self.l.roads.iter().any(|r| r.name == from.name);
                if from.name == copy.word && (!from.args.is_empty() || !names_road || body.kind == BodyKind::Lane) {
                    if from.args.is_empty() {
                        return Some(1);
                    }
                    let args = args(self);
                    return (args.first().map(String::as_str) == road && road.is_some()).then_some(2);
                }
                let by_road = copy.chosen && body.kind != BodyKind::Lane && road == Some(from.name.as_str());
                (by_road && from.args.is_empty()).then_some(2)
            }
        }
    }

    fn find(&mut self, instance: usize, source: Source, outcome: &str, coverable: bool) -> Found {
        let body = Rc::clone(&self.instances[instance].body);
        let mut words: Vec<String> = Vec::new();
        match source {
            Source::Node(n) => words.push(self.info[n.index()].label.clone()),
            Source::Copy(c) => {
                let copy = &self.copies[c];
                words.push(copy.word.clone());
                words.extend(copy.alias.clone());
                words.extend(copy.road.map(|r| self.l.roads[r.index()].name.clone()));
            }
        }
        words.sort_unstable();
        words.dedup();
        let mut indices: Vec<usize> = words.iter().filter_map(|w| body.by_name.get(w)).flatten().copied().collect();
        indices.sort_unstable();
        indices.dedup();
        let mut best: Option<(bool, u8)> = None;
        let mut rules: Vec<(usize, usize)> = Vec::new();
        for i in indices {
            for p in 0..body.rules[i].from.len() {
                let from = &body.rules[i].from[p];
                let exact = from.outcome == outcome;
                let remaining = coverable && from.outcome == "others";
                if !exact && !remaining {
                    continue;
                }
                let Some(fit) = self.fits_port(instance, &body, i, p, source) else { continue };
                let score = (exact, fit);
                match best {
                    Some(b) if b > score => {}
                    Some(b) if b == score => rules.push((i, p)),
                    _ => {
                        best = Some(score);
                        rules = vec![(i, p)];
                    }
                }
            }
        }
        Found { rules, others: best.is_some_and(|(exact, _)| !exact) }
    }

    /// Edges for a port; `None` where no rule speaks of it.
    pub(crate) fn route(
        &mut self,
        instance: usize,
        source: Source,
        outcome: &str,
        road: Option<RoadId>,
        coverable: bool,
        chosen: bool,
    ) -> Option<Vec<Out>> {
        let body = Rc::clone(&self.instances[instance].body);
        let body_id = self.instances[instance].body_id;
        let mut found = self.find(instance, source, outcome, coverable);
        if found.rules.is_empty() {
            return None;
        }
        for (r, p) in &found.rules {
            self.used.insert((body_id, *r, *p));
        }
        self.drop_repeats(&body, &mut found.rules);
        let mut plain = 0;
        let mut otherwise = 0;
        for (r, _) in &found.rules {
            match body.rules[*r].cond {
                Cond::None => plain += 1,
                Cond::Else => otherwise += 1,
                Cond::When(_) => {}
            }
        }
        if plain > 1 || otherwise > 1 {
            self.overlap(&body, &found.rules, outcome, plain > 1);
        }
        let alone = found.rules.len() == 1;
        let mut outs: Vec<Out> = Vec::new();
        for (r, _) in &found.rules {
            let rule = &body.rules[*r];
            let origin = match (found.others, body.kind) {
                (true, _) => EdgeOrigin::Others,
                (false, BodyKind::Lane) => EdgeOrigin::Lane,
                (false, _) => EdgeOrigin::Flow,
            };
            let written_else = found.rules.iter().any(|(r, _)| matches!(body.rules[*r].cond, Cond::Else));
            let these = self.rule_outs(instance, &body, *r, road, chosen, origin, written_else);
            outs.extend(self.conditioned(instance, rule, these, road, alone));
        }
        if plain == 0 && otherwise == 0 {
            // Unknown guards fall to the `else` of the flow or lane.
            if let Some(e) = body.els {
                let these = self.rule_outs(instance, &body, e, road, false, EdgeOrigin::FlowElse, true);
                outs.extend(self.as_else(&body.rules[e], these, false));
            }
        }
        one_else(&mut outs);
        Some(outs)
    }

    /// Chains that pass through one place in the same way say the same thing again.
    fn drop_repeats(&self, body: &Body, rules: &mut Vec<(usize, usize)>) {
        let mut kept: Vec<(usize, usize)> = Vec::new();
        for (r, p) in rules.iter().copied() {
            let rule = &body.rules[r];
            let repeat = kept.iter().any(|(k, _)| {
                let k = &body.rules[*k];
                *k != *rule && (k.chained || rule.chained) && same_hop(k, rule)
            });
            if !repeat {
                kept.push((r, p));
            }
        }
        *rules = kept;
    }

    fn overlap(&mut self, body: &Body, rules: &[(usize, usize)], outcome: &str, plain: bool) {
        let same: Vec<(Span, &str)> = rules
            .iter()
            .filter(|(r, _)| match body.rules[*r].cond {
                Cond::None => plain,
                Cond::Else => !plain,
                Cond::When(_) => false,
            })
            .map(|(r, p)| (body.rules[*r].span, body.rules[*r].from[*p].name.as_str()))
            .collect();
        let [(first, name), (second, _), ..] = same.as_slice() else { return };
        let what = if plain { "edges without a guard" } else { "`else` edges" };
        let e = Diagnostic::error("RL702", *second, format!("`{name}.{outcome}` has two {what}"))
            .with_label(*first, "the other one")
            .with_help("drop one, or give both guards of which exactly one is true");
        self.l.d.push(e);
    }

    /// Puts a rule's condition on the edges of its place.
    fn conditioned(
        &mut self,
        instance: usize,
        rule: &Rule,
        outs: Vec<Out>,
        road: Option<RoadId>,
        alone: bool,
    ) -> Vec<Out> {
        match &rule.cond {
            Cond::None => outs,
            Cond::Else => self.as_else(rule, outs, alone),
            Cond::When(g) => {
                let params = self.instances[instance].params.clone();
                let own = self.instances[instance].road.or(road);
                let guard = self.l.guard(g, Context { road: own, params: Some(&params), reads: Reads::Edge });
                if outs.iter().any(|o| o.rank == EdgeRank::Else && o.origin != EdgeOrigin::FlowElse) {
                    self.two_conditions(rule);
                    return Vec::new();
                }
                outs.into_iter()
                    .map(|mut o| {
                        if o.rank == EdgeRank::Guarded {
                            o.guard = Guard::and([guard.clone(), o.guard]);
                            o.guard_span = Some(o.guard_span.unwrap_or(g.span.span));
                        }
                        o
                    })
                    .collect()
            }
        }
    }

    pub(crate) fn as_else(&mut self, rule: &Rule, outs: Vec<Out>, alone: bool) -> Vec<Out> {
        match outs.as_slice() {
            [one] if one.guard == Guard::True && one.rank == EdgeRank::Guarded => {
                let mut one = one.clone();
                if one.takes.is_some() {
                    let e = Diagnostic::error(codes::STRUCTURE, rule.span, "an `else` edge takes no counter")
                        .with_help("take the counter on a guarded edge; the `else` is where it goes when it is spent");
                    self.l.d.push(e);
                }
                one.rank = EdgeRank::Else;
                vec![one]
            }
            [] => outs,
            [one] if one.rank == EdgeRank::Else => outs,
            _ if alone => outs,
            _ => {
                self.two_conditions(rule);
                Vec::new()
            }
        }
    }

    pub(crate) fn two_conditions(&mut self, rule: &Rule) {
        let e = Diagnostic::error(
            codes::STRUCTURE,
            rule.span,
            "the edge is conditional, and so is what follows at the same port",
        )
        .with_help("put a node between them: `node NAME : own`, or take the `?` away");
        self.l.d.push(e);
    }
}

/// A port has one `else`. Where guards inside a lane meet guards outside, the flow's and the lane's may both speak: a
/// written one wins, then the innermost, which was added last.
fn one_else(outs: &mut Vec<Out>) {
    let is = |o: &Out, flow: bool| o.rank == EdgeRank::Else && (o.origin == EdgeOrigin::FlowElse) == flow;
    if outs.iter().any(|o| is(o, false)) {
        outs.retain(|o| !is(o, true));
        return;
    }
    let last = outs.iter().rposition(|o| is(o, true));
    let mut at = 0;
    outs.retain(|o| {
        let keep = !is(o, true) || Some(at) == last;
        at += 1;
        keep
    });
}

fn same_hop(a: &Rule, b: &Rule) -> bool {
    let plain = |r: &Rule| matches!(r.cond, Cond::None) && r.changes.is_none() && r.takes.is_none();
    plain(a)
        && plain(b)
        && a.kind == b.kind
        && a.variant == b.variant
        && super::body::render(&a.place) == super::body::render(&b.place)
}

impl PartialEq for Rule {
    /// Rules are the same only if they are one rule.
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}
