//! Copies of lanes: which lane a road runs by, what its parameters stand for, where it is entered.

use super::build::{Arg, Copy, Flows, Goal, Instance, MAX_DEPTH};
use crate::lower::{codes, names};
use crate::model::{Carrier, RoadId, Shape};
use roadlaw_grammar::ast::{self, ParamKind};
use roadlaw_grammar::diagnostic::Diagnostic;
use roadlaw_grammar::span::Span;
use std::collections::BTreeMap;
use std::rc::Rc;

impl Flows<'_, '_> {
    /// The lane that `run(r)` is.
    pub(crate) fn lane_of(&self, road: RoadId) -> Option<&'static str> {
        let r = &self.l.roads[road.index()];
        Some(match (r.shape, r.carrier) {
            (Shape::Local, Carrier::Queue | Carrier::Manual) => "queue_local",
            (Shape::Local, Carrier::Direct) if r.leaves_invocation => "local_durable",
            (Shape::Local, Carrier::Direct) => "local",
            (Shape::Portal, Carrier::Direct) => "portal",
            (Shape::Peer, Carrier::Direct) => "peer",
            (Shape::Coding, Carrier::Direct) => "coding",
            (Shape::CodingLocal, Carrier::Direct) => "coding_local",
            (Shape::CodingLocal, _) => "queue_coding_local",
            (Shape::Portal | Shape::Peer | Shape::Coding, Carrier::Manual) => "relay",
            (Shape::Portal | Shape::Peer | Shape::Coding, Carrier::Queue) => "queue",
            (Shape::Human, _) => "human",
            (Shape::Choice, _) => return None,
        })
    }

    pub(crate) fn copy(
        &mut self,
        instance: usize,
        place: &ast::Place,
        road: Option<RoadId>,
        chosen: bool,
    ) -> Option<usize> {
        let word = place.name.value.clone();
        let span = place.span.span;
        let inferred = road.or(self.instances[instance].road);
        let scope = self.l.scope;
        let (lane, mut args) = if word == "run" {
            let road = match place.args.as_slice() {
                [] => inferred,
                [one] => Some(self.road_arg(instance, one)?),
                [_, extra, ..] => {
                    let e = Diagnostic::error(codes::STRUCTURE, extra.span, "`run` takes one road")
                        .with_help("write `run(ROAD)`");
                    self.l.d.push(e);
                    return None;
                }
            };
            let Some(road) = road else { return self.no_road(&word, span) };
            let Some(name) = self.lane_of(road) else {
                let e = Diagnostic::error(codes::STRUCTURE, span, "an option has no lane to run")
                    .with_help("let `each` lead to a terminal, `each -> done`");
                self.l.d.push(e);
                return None;
            };
            let found = scope.lanes.find(&format!("std.lanes.{name}"), &scope.aliases)?;
            (found, vec![Arg::Road(Some(road))])
        } else {
            let lane = scope.lanes.find(&word, &scope.aliases)?;
            self.l.used.insert(("lanes", lane));
            (lane, Vec::new())
        };
        let decl = scope.lanes.entries[lane].value;
        if word != "run" {
            args = self.arguments(instance, decl, place, inferred)?;
        }
        let key: Vec<String> = args
            .iter()
            .map(|a| match a {
                Arg::Road(None) => String::new(),
                Arg::Road(Some(r)) => self.l.roads[r.index()].name.clone(),
                Arg::Counter(c) => scope.counters.entries[*c].name.to_owned(),
                Arg::Place(p, at) => format!("{}@{at}", super::body::render(p)),
            })
            .collect();
        let alias = place.alias.as_ref().map(|a| a.value.clone());
        let full_key = (word.clone(), key.clone(), alias.clone());
        if let Some(id) = self.instances[instance].copies.get(&full_key) {
            let id = *id;
            self.copies[id].chosen |= chosen;
            return Some(id);
        }
        let depth = self.instances[instance].depth + 1;
        if depth > MAX_DEPTH {
            let e = Diagnostic::error(
                codes::STRUCTURE,
                span,
                format!("lane `{word}` uses lanes more than {MAX_DEPTH} deep"),
            )
            .with_help("a lane cannot use itself");
            self.l.d.push(e);
            return None;
        }
        let body_id = match self.lanes.get(&lane) {
            Some(b) => *b,
            None => {
                let body = self.l.lane_body(decl, scope.lanes.entries[lane].shipped);
                self.bodies.push(Rc::new(body));
                self.lanes.insert(lane, self.bodies.len() - 1);
                self.bodies.len() - 1
            }
        };
        let mut by_name = BTreeMap::new();
        let mut params = BTreeMap::new();
        let mut roads = Vec::new();
        for (p, a) in decl.params.iter().zip(&args) {
            if let Arg::Road(r) = a {
                roads.push(*r);
                if let Some(r) = r {
                    params.insert(p.name.value.clone(), *r);
                }
            }
            by_name.insert(p.name.value.clone(), a.clone());
        }
        let road = if let [one] = roads.as_slice() { *one } else { None };
        let shown: Vec<&str> = key.iter().map(String::as_str).filter(|k| !k.is_empty()).collect();
        let base = if shown.is_empty() { word.clone() } else { format!("{word}({})", shown.join(", ")) };
        let own = alias.clone().unwrap_or(base);
        let outer_label = &self.instances[instance].label;
        let label = if outer_label.is_empty() { own } else { format!("{outer_label}.{own}") };
        let mut uses = vec![span];
        uses.extend_from_slice(&self.instances[instance].uses);
        let id = self.copies.len();
        let inner = self.instances.len();
        self.instances.push(Instance {
            body: Rc::clone(&self.bodies[body_id]),
            body_id,
            flow: self.instances[instance].flow,
            args: by_name,
            params,
            copy: Some(id),
            road,
            label,
            uses,
            depth,
            nodes: BTreeMap::new(),
            copies: BTreeMap::new(),
        });
        self.copies.push(Copy { word, alias, road, chosen, outer: instance, inner, span });
        self.instances[instance].copies.insert(full_key, id);
        Some(id)
    }

    fn no_road<T>(&mut self, word: &str, span: Span) -> Option<T> {
        let e = Diagnostic::error(
            codes::STRUCTURE,
            span,
            format!("`{word}` needs a road here, and the port it is reached from speaks of none"),
        )
        .with_help(format!("write `{word}(ROAD)`"));
        self.l.d.push(e);
        None
    }

    pub(crate) fn arguments(
        &mut self,
        instance: usize,
        lane: &ast::Lane,
        place: &ast::Place,
        inferred: Option<RoadId>,
    ) -> Option<Vec<Arg>> {
        let span = place.span.span;
        let name = &lane.name.value;
        let missing = lane.params.len().checked_sub(place.args.len());
        let first_is_road = matches!(lane.params.first().map(|p| &p.kind), Some(ParamKind::Road(_)));
        let skip = match missing {
            Some(0) => 0,
            Some(1) if first_is_road => 1,
            _ => {
                let params: Vec<&str> = lane.params.iter().map(|p| p.name.value.as_str()).collect();
                let e = Diagnostic::error(
                    codes::STRUCTURE,
                    span,
                    format!("lane `{name}` takes {} arguments, not {}", lane.params.len(), place.args.len()),
                )
                .with_label(lane.name.span, "declared here")
                .with_help(format!("write `{name}({})`", params.join(", ")));
                self.l.d.push(e);
                return None;
            }
        };
        let mut out = Vec::new();
        for (i, p) in lane.params.iter().enumerate() {
            let arg = i.checked_sub(skip).and_then(|j| place.args.get(j));
            out.push(match &p.kind {
                ParamKind::Road(shape) => {
                    let passed = arg.map(|a| self.instances[instance].args.get(&a.value).cloned());
                    let road = match (arg, passed) {
                        (None, _) => inferred,
                        (Some(_), Some(Some(Arg::Road(r)))) => r,
                        (Some(a), _) => Some(self.road_arg(instance, a)?),
                    };
                    if road.is_none() && shape.value != "any" {
                        return self.no_road(name, span);
                    }
                    if let Some(r) = road {
                        self.fits(shape, r, arg.map_or(span, |a| a.span))?;
                    }
                    Arg::Road(road)
                }
                ParamKind::Counter => {
                    let a = arg?;
                    match self.instances[instance].args.get(&a.value) {
                        Some(Arg::Counter(c)) => Arg::Counter(*c),
                        _ => Arg::Counter(self.counter(a)?),
                    }
                }
                ParamKind::Place => {
                    let a = arg?;
                    let inner = ast::Place {
                        name: a.clone(),
                        args: Vec::new(),
                        optional: false,
                        alias: None,
                        span: roadlaw_grammar::span::Spanned { value: (), span: a.span },
                    };
                    let body = Rc::clone(&self.instances[instance].body);
                    self.l.check_body_place(&body, &inner);
                    Arg::Place(inner, instance)
                }
            });
        }
        Some(out)
    }

    pub(crate) fn fits(&mut self, shape: &ast::Ident, road: RoadId, span: Span) -> Option<()> {
        let r = &self.l.roads[road.index()];
        let ok = match shape.value.as_str() {
            "any" => true,
            "remote" => r.remote,
            w => match Shape::parse(w) {
                Some(s) => r.shape == s,
                None => {
                    let mut e = Diagnostic::error(
                        codes::UNKNOWN_NAME,
                        shape.span,
                        format!("there is no shape of road called `{w}`"),
                    );
                    e.help = names::hint(w, Shape::ALL.iter().map(|s| s.word()).chain(["any", "remote"]));
                    self.l.d.push(e);
                    return None;
                }
            },
        };
        if !ok {
            let e = Diagnostic::error(
                codes::WRONG_TYPE,
                span,
                format!("the lane takes a {} road, and `{}` is a {} road", shape.value, r.name, r.shape.word()),
            )
            .with_label(r.span, "the road")
            .with_help("use the lane of its shape, or `run`");
            self.l.d.push(e);
            return None;
        }
        Some(())
    }

    /// The counter with a name.
    pub(crate) fn counter(&mut self, name: &ast::Ident) -> Option<usize> {
        let scope = self.l.scope;
        let found = scope.counters.find(&name.value, &scope.aliases);
        match found {
            Some(i) => {
                self.l.used.insert(("counters", i));
            }
            None => {
                let mut e =
                    Diagnostic::error(codes::UNKNOWN_NAME, name.span, format!("there is no counter `{}`", name.value));
                e.help = names::hint(&name.value, scope.counters.names())
                    .or_else(|| Some("write `counter NAME = 2 spent -> PLACE`".into()));
                self.l.d.push(e);
            }
        }
        found
    }

    /// Where a lane's copy is entered.
    pub(crate) fn entry(&mut self, copy: usize) -> Option<Goal> {
        let inner = self.copies[copy].inner;
        let body = Rc::clone(&self.instances[inner].body);
        let starts = body.start_rules();
        let [only] = starts.as_slice() else {
            let e = Diagnostic::error(
                codes::STRUCTURE,
                body.span,
                format!("lane `{}` is entered by exactly one edge from `start`", body.name),
            )
            .with_help("write `start -> STEP -> ..` once");
            self.l.d.push(e);
            return None;
        };
        let rule = &body.rules[*only];
        self.used.insert((self.instances[inner].body_id, *only, 0));
        let plain = matches!(rule.cond, ast::Cond::None)
            && rule.kind == crate::model::EdgeKind::Next
            && !rule.place.optional
            && rule.changes.is_none()
            && rule.takes.is_none()
            && rule.from.iter().all(|f| f.name != "start" || f.outcome == "ok");
        if !plain {
            let e = Diagnostic::error(
                codes::STRUCTURE,
                rule.span,
                format!("lane `{}` begins with a condition, and a lane has one first step", body.name),
            )
            .with_help("begin with a step that is always taken");
            self.l.d.push(e);
            return None;
        }
        let road = self.instances[inner].road;
        match self.goal(inner, &rule.place, rule.variant.as_deref(), road, false)? {
            Goal::Node(n) => Some(Goal::Node(n)),
            Goal::Exit(_) => {
                let e = Diagnostic::error(codes::STRUCTURE, rule.span, format!("lane `{}` does nothing", body.name))
                    .with_help("begin with a step");
                self.l.d.push(e);
                None
            }
        }
    }
}
