//! Each outcome of each node, and each exit of each copy of a lane, to its edges.
//!
//! Of the rules that fit a port, those that name its outcome win over `others`, and then those that name the copy or
//! node itself (its road, its arguments, its alias) over those that speak of all. An exit is not a node: the edges
//! inside a lane that lead to it are joined with the edges that leave it outside.

use super::body::{Body, BodyKind, Rule};
use super::build::{Arg, Flows, Goal};
use super::kinds;
use crate::lower::guards::{Context, Reads};
use crate::lower::{codes, names};
use crate::model::{
    Change, CounterId, Edge, EdgeKind, EdgeOrigin, EdgeRank, Guard, NodeId, NodeKind, Outcome, RoadId, Shape, Stop,
};
use roadlaw_grammar::ast::{self, Cond};
use roadlaw_grammar::diagnostic::Diagnostic;
use roadlaw_grammar::span::Span;
use std::collections::BTreeSet;
use std::rc::Rc;

/// An edge before it is given a port.
#[derive(Clone)]
pub(crate) struct Out {
    guard: Guard,
    rank: EdgeRank,
    kind: EdgeKind,
    to: NodeId,
    changes: Option<BTreeSet<Change>>,
    hole: bool,
    takes: Option<CounterId>,
    origin: EdgeOrigin,
    spans: Vec<Span>,
    guard_span: Option<Span>,
}

/// What a port belongs to.
#[derive(Clone, Copy)]
enum Source {
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

    fn put(&mut self, from: NodeId, outcome: Outcome, candidate: Option<RoadId>, mut outs: Vec<Out>) {
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
        let (code, message) = if kinds::covered_by_else(kind, outcome) {
            ("RL701", format!("nothing says what happens when `{}` ends as `{word}`", info.label))
        } else {
            ("RL703", format!("outcome `{word}` of `{}` is not routed", info.label))
        };
        let entry = self.unrouted.entry((span, word.to_owned())).or_insert((code, message, BTreeSet::new()));
        entry.2.extend(road);
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
                let message = format!("candidate `{name}` of `{label}` leads nowhere");
                self.unrouted.entry((span, name)).or_insert(("RL703", message, BTreeSet::new()));
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
    fn route(
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
                if outs.iter().any(|o| o.rank == EdgeRank::Else) {
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

    fn as_else(&mut self, rule: &Rule, outs: Vec<Out>, alone: bool) -> Vec<Out> {
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

    fn two_conditions(&mut self, rule: &Rule) {
        let e = Diagnostic::error(
            codes::STRUCTURE,
            rule.span,
            "the edge is conditional, and so is what follows at the same port",
        )
        .with_help("put a node between them: `node NAME : own`, or take the `?` away");
        self.l.d.push(e);
    }

    /// The edges of a rule's place, as if the rule had no condition.
    #[expect(clippy::too_many_arguments, reason = "where a rule stands, and for which port")]
    fn rule_outs(
        &mut self,
        instance: usize,
        body: &Rc<Body>,
        index: usize,
        road: Option<RoadId>,
        chosen: bool,
        origin: EdgeOrigin,
        written_else: bool,
    ) -> Vec<Out> {
        let rule = &body.rules[index];
        let mut base = self.base(instance, rule, origin);
        if let Some(c) = &rule.takes {
            let found = match self.instances[instance].args.get(&c.value) {
                Some(Arg::Counter(i)) => Some(*i),
                _ => self.counter(c),
            };
            base.takes = found.map(Self::counter_id);
            let mut outs = self.place_outs(instance, body, index, road, chosen, &base);
            if let (Some(counter), false) = (found, written_else) {
                outs.extend(self.spent(instance, counter, road, &base));
            }
            return outs;
        }
        self.place_outs(instance, body, index, road, chosen, &base)
    }

    fn base(&mut self, instance: usize, rule: &Rule, origin: EdgeOrigin) -> Out {
        let mut spans = vec![rule.span];
        spans.extend_from_slice(&self.instances[instance].uses);
        let mut changes = None;
        let mut hole = false;
        match &rule.changes {
            None => {}
            Some(ast::Changes::Hole(_)) => hole = true,
            Some(ast::Changes::Words(words, span)) => {
                let mut set = BTreeSet::new();
                for w in words {
                    let Some(c) = Change::parse(&w.value) else {
                        let mut e = Diagnostic::error(
                            codes::UNKNOWN_NAME,
                            w.span,
                            format!("there is no change called `{}`", w.value),
                        );
                        e.help = names::closest(&w.value, Change::ALL.iter().map(|c| c.word()))
                            .map(|c| format!("did you mean `{c}`?"))
                            .or_else(|| {
                                let all: Vec<&str> = Change::ALL.iter().map(|c| c.word()).collect();
                                Some(format!("the words are {}", names::list(&all)))
                            });
                        self.l.d.push(e);
                        continue;
                    };
                    if !set.insert(c) {
                        let e = Diagnostic::error(codes::DUPLICATE, w.span, format!("`{}` is listed twice", w.value))
                            .with_help("drop one of the two");
                        self.l.d.push(e);
                    }
                }
                if words.is_empty() {
                    let e = Diagnostic::error(codes::STRUCTURE, span.span, "the list of changes is empty")
                        .with_help("drop `changes`, or name what differs");
                    self.l.d.push(e);
                }
                changes = Some(set);
            }
        }
        Out {
            guard: Guard::True,
            rank: EdgeRank::Guarded,
            kind: rule.kind,
            to: NodeId(0),
            changes,
            hole,
            takes: None,
            origin,
            spans,
            guard_span: None,
        }
    }

    /// Where a spent counter leads: a place of the policy's flow.
    fn spent(&mut self, instance: usize, counter: usize, road: Option<RoadId>, base: &Out) -> Vec<Out> {
        let (_, place, _) = self.l.scope.counters.entries[counter].value;
        let root = self.root(instance);
        let body = Rc::clone(&self.instances[root].body);
        self.l.check_body_place(&body, place);
        let Some(Goal::Node(to)) = self.goal(root, place, None, road, false) else { return Vec::new() };
        let mut spans = vec![place.span.span];
        spans.extend_from_slice(&base.spans);
        vec![Out {
            guard: Guard::True,
            rank: EdgeRank::Spent(Self::counter_id(counter)),
            kind: EdgeKind::Next,
            to,
            changes: None,
            hole: false,
            takes: None,
            origin: EdgeOrigin::Spent,
            spans,
            guard_span: None,
        }]
    }

    fn place_outs(
        &mut self,
        instance: usize,
        body: &Rc<Body>,
        index: usize,
        road: Option<RoadId>,
        chosen: bool,
        base: &Out,
    ) -> Vec<Out> {
        let rule = &body.rules[index];
        let name = rule.place.name.value.as_str();
        let need = kinds::need_of(name).filter(|_| rule.place.optional);
        // INVARIANT: the step before was not skipped, so this need is not definitely false either.
        let Some(need) = need.filter(|n| rule.after_optional != Some(n)) else {
            return self.lead(instance, &rule.place, rule.variant.as_deref(), road, chosen, base);
        };
        let Some(step_road) = self.step_road(instance, &rule.place, road) else {
            return self.lead(instance, &rule.place, rule.variant.as_deref(), road, chosen, base);
        };
        let r = &self.l.roads[step_road.index()];
        let guard = if need == "cut" { r.need_cut.clone() } else { r.need_durable.clone() };
        if guard == Guard::True {
            return self.lead(instance, &rule.place, rule.variant.as_deref(), road, chosen, base);
        }
        // The first later step of the chain that this need does not exempt.
        let mut next = rule.next;
        while let Some(n) = next {
            let r = &body.rules[n];
            if !r.place.optional {
                break;
            }
            if kinds::need_of(&r.place.name.value) != Some(need) {
                let e = Diagnostic::error(
                    codes::STRUCTURE,
                    r.place.span.span,
                    format!("`{name}?` and `{}?` are exempted by different needs", r.place.name.value),
                )
                .with_help("put a step between them that is always taken");
                self.l.d.push(e);
                return Vec::new();
            }
            next = r.next;
        }
        let Some(after) = next.map(|n| &body.rules[n]) else { return Vec::new() };
        let mut around = base.clone();
        around.origin = EdgeOrigin::Skip;
        around.guard_span = self.l.need_span(need);
        let mut outs = self.lead(instance, &after.place, after.variant.as_deref(), road, false, &around);
        if guard == Guard::False {
            return outs;
        }
        for o in &mut outs {
            if o.rank == EdgeRank::Else || o.guard != Guard::True {
                self.two_conditions(after);
                return Vec::new();
            }
            if o.rank == EdgeRank::Guarded {
                o.guard = guard.negated();
            }
        }
        let into = self.lead(instance, &rule.place, rule.variant.as_deref(), road, chosen, base);
        outs.extend(into.into_iter().map(|mut o| {
            o.rank = EdgeRank::Else;
            o
        }));
        outs
    }

    fn step_road(&mut self, instance: usize, place: &ast::Place, road: Option<RoadId>) -> Option<RoadId> {
        // Without making the node: a need that never holds leaves no way to it.
        match place.args.first() {
            Some(arg) => self.road_arg(instance, arg),
            None => self.instances[instance].road.or(road),
        }
    }

    /// Edges to a place: one to a node, those of the copy's exit where it is one.
    fn lead(
        &mut self,
        instance: usize,
        place: &ast::Place,
        variant: Option<&str>,
        road: Option<RoadId>,
        chosen: bool,
        base: &Out,
    ) -> Vec<Out> {
        match self.goal(instance, place, variant, road, chosen) {
            None => Vec::new(),
            Some(Goal::Node(to)) => vec![Out { to, ..base.clone() }],
            Some(Goal::Exit(exit)) => self.leave(instance, &exit, place.span.span, base),
        }
    }

    /// The edges that leave a lane's copy by an exit, joined with the edge inside that leads there.
    fn leave(&mut self, instance: usize, exit: &str, at: Span, base: &Out) -> Vec<Out> {
        let Some(copy) = self.instances[instance].copy else { return Vec::new() };
        let (outer, road, span, word) = {
            let c = &self.copies[copy];
            (c.outer, c.road, c.span, c.word.clone())
        };
        let body_id = self.instances[instance].body_id;
        let coverable = exit != "answered" && !self.named_only(body_id, exit, 0);
        let Some(outs) = self.route(outer, Source::Copy(copy), exit, road, coverable, false) else {
            let name = road.map(|r| self.l.roads[r.index()].name.clone());
            let message = format!("exit `{exit}` of `{word}` is not routed");
            let entry = self.unrouted.entry((span, exit.to_owned())).or_insert(("RL703", message, BTreeSet::new()));
            entry.2.extend(name);
            return Vec::new();
        };
        let mut joined = Vec::new();
        for mut o in outs {
            if o.rank == EdgeRank::Guarded || o.rank == EdgeRank::Else {
                if base.kind != EdgeKind::Next && o.kind != EdgeKind::Next && base.kind != o.kind {
                    let e = Diagnostic::error(
                        codes::STRUCTURE,
                        at,
                        format!("the edge is a {} inside the lane and a {} outside", base.kind.word(), o.kind.word()),
                    )
                    .with_label(o.spans.first().copied().unwrap_or(at), "the edge outside")
                    .with_help("let one of the two be `->`");
                    self.l.d.push(e);
                }
                if o.kind == EdgeKind::Next {
                    o.kind = base.kind;
                }
                if base.takes.is_some() {
                    o.takes = base.takes;
                }
                o.hole |= base.hole;
                if let Some(c) = &base.changes {
                    o.changes.get_or_insert_with(BTreeSet::new).extend(c.iter().copied());
                }
                // What an exemption or an `else` did stays theirs, wherever it leads.
                if matches!(base.origin, EdgeOrigin::Skip | EdgeOrigin::FlowElse) {
                    o.origin = base.origin;
                    o.guard_span = o.guard_span.or(base.guard_span);
                }
            }
            o.spans.extend(base.spans.iter().copied());
            joined.push(o);
        }
        joined
    }

    /// An exit that some outcome leads to which leaves open what was submitted, or a judgement.
    fn named_only(&self, body_id: usize, exit: &str, depth: usize) -> bool {
        let body = &self.bodies[body_id];
        let mut places: BTreeSet<String> = BTreeSet::new();
        let mut grew = true;
        let open = |f: &super::body::From| {
            let kind = body.nodes.get(&f.name).map_or(f.name.as_str(), |n| n.kind.value.as_str());
            if let Some(o) = Outcome::parse(&f.outcome).filter(|_| kinds::takes(kind).is_some()) {
                return kinds::by_name_only(kind, o);
            }
            let lane = body.aliases.get(&f.name).map_or(f.name.as_str(), String::as_str);
            depth < 8 && self.lane_names_only(lane, &f.outcome, depth + 1)
        };
        while grew {
            grew = false;
            for r in &body.rules {
                let passed = |f: &super::body::From| {
                    let consumes = body.nodes.get(&f.name).map_or(f.name.as_str(), |n| n.kind.value.as_str()) == "consume";
                    places.contains(&f.name) && (!consumes || ["ok", "duplicate"].contains(&f.outcome.as_str()))
                };
                let from_open = r.from.iter().any(|f| open(f) || passed(f));
                let to = r.place.name.value.as_str();
                if !from_open || to == "reconcile" {
                    continue;
                }
                if to == "exit" {
                    if r.place.args.first().is_some_and(|a| a.value == exit) {
                        return true;
                    }
                } else {
                    // Recording a judgement, releasing or a node of one's own settles nothing.
                    let kind = body.nodes.get(to).map_or(to, |n| n.kind.value.as_str());
                    if ["own", "consume", "release", "resolve"].contains(&kind) {
                        grew |= places.insert(to.to_owned());
                    }
                }
            }
        }
        false
    }

    fn lane_names_only(&self, lane: &str, exit: &str, depth: usize) -> bool {
        if exit == "answered" {
            return true;
        }
        let bold = ["uncertain", "cancelled", "expired", "revoked", "timed_out", "negative", "unknown"];
        if lane == "run" {
            return bold.contains(&exit);
        }
        self.bodies
            .iter()
            .position(|b| b.kind == BodyKind::Lane && b.name == lane)
            .is_some_and(|i| self.named_only(i, exit, depth))
    }

    /// The flow-level or lane-level `else`, where it covers this failure.
    fn by_else(
        &mut self,
        instance: usize,
        kind: &NodeKind,
        outcome: Outcome,
        road: Option<RoadId>,
    ) -> Option<Vec<Out>> {
        if !kinds::covered_by_else(kind, outcome) {
            return None;
        }
        let body = Rc::clone(&self.instances[instance].body);
        let index = body.els?;
        let rule = &body.rules[index];
        let outs = self.rule_outs(instance, &body, index, road, false, EdgeOrigin::FlowElse, true);
        if body.kind != BodyKind::Lane {
            self.check_else(&outs, rule);
        }
        Some(self.as_else(rule, outs, true))
    }

    /// RL304: a flow-level `else` leads to refusal, a local road or a person.
    fn check_else(&mut self, outs: &[Out], rule: &Rule) {
        for o in outs {
            let n = &self.nodes[o.to.index()];
            let fine = match &n.kind {
                NodeKind::Stop(stop, _) => !matches!(stop, Stop::Done | Stop::PendingNoRoad),
                NodeKind::Return(_) => true,
                NodeKind::Release | NodeKind::Own(_) => true,
                _ => n.road.is_some_and(|r| matches!(self.l.roads[r.index()].shape, Shape::Local | Shape::Human)),
            };
            if !fine {
                let e = Diagnostic::error(
                    "RL304",
                    rule.place.span.span,
                    format!("the `else` of a flow leads to `{}`, and it covers failures of gates", n.name),
                )
                .with_help("lead it to a refusal, a local road or a person, and write other edges by name");
                self.l.d.push(e);
            }
        }
    }
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
