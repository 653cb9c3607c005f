//! The edges of one rule: to a node, around an exempted step, or out of a lane by an exit.

use super::body::{Body, BodyKind, Rule};
use super::build::{Arg, Flows, Goal, Unled};
use super::kinds;
use super::route::{Out, Source};
use crate::lower::{codes, names};
use crate::model::{Change, EdgeKind, EdgeOrigin, EdgeRank, Guard, NodeId, NodeKind, Outcome, RoadId, Shape, Stop};
use roadlaw_grammar::ast;
use roadlaw_grammar::diagnostic::Diagnostic;
use roadlaw_grammar::span::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

impl Flows<'_, '_> {
    /// The edges of a rule's place, as if the rule had no condition.
    #[expect(clippy::too_many_arguments, reason = "where a rule stands, and for which port")]
    pub(crate) fn rule_outs(
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

    pub(crate) fn base(&mut self, instance: usize, rule: &Rule, origin: EdgeOrigin) -> Out {
        let mut spans = vec![rule.span];
        spans.extend_from_slice(&self.instances[instance].uses);
        let mut changes = None;
        let mut change_spans = BTreeMap::new();
        let mut hole = false;
        match &rule.changes {
            None => {}
            Some(ast::Changes::Hole(_)) => hole = true,
            Some(ast::Changes::Words(words, span)) => {
                let mut set = BTreeSet::new();
                for w in words {
                    if w.value == "question" {
                        let body = Rc::clone(&self.instances[instance].body);
                        let kind = |name: &str| body.nodes.get(name).map_or(name, |n| &n.kind.value).to_owned();
                        self.l.question_declared(rule, kind, w.span);
                        continue;
                    }
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
                    change_spans.entry(c).or_insert(w.span);
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
            change_spans,
            hole,
            takes: None,
            origin,
            spans,
            guard_span: None,
        }
    }

    /// Where a spent counter leads: a place of the policy's flow.
    pub(crate) fn spent(&mut self, instance: usize, counter: usize, road: Option<RoadId>, base: &Out) -> Vec<Out> {
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
            change_spans: BTreeMap::new(),
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
    pub(crate) fn lead(
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
    pub(crate) fn leave(&mut self, instance: usize, exit: &str, at: Span, base: &Out) -> Vec<Out> {
        let Some(copy) = self.instances[instance].copy else { return Vec::new() };
        let (outer, road, span, word) = {
            let c = &self.copies[copy];
            (c.outer, c.road, c.span, c.word.clone())
        };
        let body_id = self.instances[instance].body_id;
        let coverable = exit != "answered" && !self.named_only(body_id, exit, 0);
        let Some(outs) = self.route(outer, Source::Copy(copy), exit, road, coverable, false) else {
            let name = road.map(|r| self.l.roads[r.index()].name.clone());
            let unled = Unled { code: "RL703", what: "exit", label: word, roads: BTreeSet::new() };
            self.unrouted.entry((span, exit.to_owned())).or_insert(unled).roads.extend(name);
            return Vec::new();
        };
        if exit == "answered" {
            outs.iter().for_each(|o| self.check_answered(o, &word, at));
        }
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
                    o.change_spans.extend(base.change_spans.iter().map(|(c, s)| (*c, *s)));
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

    /// RL207: somebody answered later, and what may have changed meanwhile is read again before the answer is used.
    fn check_answered(&mut self, o: &Out, word: &str, at: Span) {
        let to = &self.nodes[o.to.index()];
        let fine = match &to.kind {
            NodeKind::Resolve => o.kind == EdgeKind::Resume,
            // An `else`, or a spent counter, may end the run.
            kind => o.rank != EdgeRank::Guarded && kind.is_terminal(),
        };
        let span = o.spans.first().copied().unwrap_or(at);
        if !fine && self.l.told.insert(("RL207", span)) {
            let e = Diagnostic::error("RL207", span, format!("`{word}.answered` leads to `{}` and is no resume", to.name))
                .with_help("lead it by `-resume->` to a resolve, and go on from there: `-resume-> reread`, `node reread : resolve`");
            self.l.d.push(e);
        }
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
                    let consumes =
                        body.nodes.get(&f.name).map_or(f.name.as_str(), |n| n.kind.value.as_str()) == "consume";
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
    pub(crate) fn by_else(
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
                .with_help(
                    "lead it to a refusal, a local road or a person; for the rest of one port write `NODE else -> ..`",
                );
                self.l.d.push(e);
            }
        }
    }
}
