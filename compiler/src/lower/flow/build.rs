//! Flows as nodes and edges. Begins at each flow's start and follows what is written: a node, or a lane's copy for one
//! road, exists once something leads to it; each of its outcomes is then routed once (see `route`).

use super::body::{Body, BodyKind, From};
use super::kinds::{self, Takes};
use crate::lower::{Lowering, codes, names, scope::FlowDecl};
use crate::model::{Carrier, Choose, CounterId, Edge, Flow, FlowId, Node, NodeId, NodeKind, RoadId, Shape, Stop};
use roadlaw_grammar::ast::{self, ParamKind};
use roadlaw_grammar::diagnostic::Diagnostic;
use roadlaw_grammar::span::Span;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

/// Nodes, and edges, of all flows.
const MAX_NODES: usize = 65_535;
/// Lanes may use lanes this deep.
const MAX_DEPTH: usize = 16;

/// What a lane's parameter stands for in one copy.
#[derive(Clone)]
pub(crate) enum Arg {
    /// A road; absent where a lane for any road is entered from a port without one.
    Road(Option<RoadId>),
    Counter(usize),
    /// A place, and the instance it is a place of.
    Place(ast::Place, usize),
}

/// A flow, or one copy of a lane.
pub(crate) struct Instance {
    pub(crate) body: Rc<Body>,
    pub(crate) body_id: usize,
    pub(crate) flow: FlowId,
    pub(crate) args: BTreeMap<String, Arg>,
    /// Road parameters that are known.
    pub(crate) params: BTreeMap<String, RoadId>,
    /// The copy this is the inside of.
    pub(crate) copy: Option<usize>,
    pub(crate) road: Option<RoadId>,
    pub(crate) label: String,
    /// Where the lane is used, innermost first.
    pub(crate) uses: Vec<Span>,
    pub(crate) depth: usize,
    nodes: BTreeMap<(String, Vec<String>, Option<String>), NodeId>,
    copies: BTreeMap<(String, Vec<String>, Option<String>), usize>,
}

/// One copy of a lane.
pub(crate) struct Copy {
    /// The word it is used by: the lane's name, or `run`.
    pub(crate) word: String,
    pub(crate) alias: Option<String>,
    pub(crate) road: Option<RoadId>,
    /// A choose leads to it: the road's name stands for it in ports.
    pub(crate) chosen: bool,
    /// The instance it is used in, and the one it is.
    pub(crate) outer: usize,
    pub(crate) inner: usize,
    pub(crate) span: Span,
}

/// How a node is written.
pub(crate) struct Info {
    pub(crate) instance: usize,
    /// The declared name, or the kind.
    pub(crate) label: String,
    /// The kind's word.
    pub(crate) word: String,
    pub(crate) args: Vec<String>,
    pub(crate) variant: Option<String>,
}

/// Where an edge may lead.
pub(crate) enum Goal {
    Node(NodeId),
    Exit(String),
}

/// Exits and outcomes that nothing routes: where, what, by whom, and the law.
type Unrouted = BTreeMap<(Span, String), (&'static str, String, BTreeSet<String>)>;

/// All flows while they are built.
pub(crate) struct Flows<'l, 'a> {
    pub(crate) l: &'l mut Lowering<'a>,
    pub(crate) bodies: Vec<Rc<Body>>,
    lanes: BTreeMap<usize, usize>,
    pub(crate) instances: Vec<Instance>,
    pub(crate) copies: Vec<Copy>,
    pub(crate) flows: Vec<Flow>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) info: Vec<Info>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) chooses: Vec<Choose>,
    /// Rules that some port used, by body and rule and port of the rule.
    pub(crate) used: BTreeSet<(usize, usize, usize)>,
    pub(crate) unrouted: Unrouted,
    names: BTreeSet<(FlowId, String)>,
    queue: VecDeque<NodeId>,
    full: bool,
    /// Arguments of a flow template, in the place of its `roads`.
    pub(crate) template: Option<&'a [ast::Ident]>,
}

impl<'l, 'a> Flows<'l, 'a> {
    /// Builds all flows. `None` if there is none.
    pub(crate) fn build(l: &'l mut Lowering<'a>) -> Option<Self> {
        let mut me = Self {
            l,
            bodies: Vec::new(),
            lanes: BTreeMap::new(),
            instances: Vec::new(),
            copies: Vec::new(),
            flows: Vec::new(),
            nodes: Vec::new(),
            info: Vec::new(),
            edges: Vec::new(),
            chooses: Vec::new(),
            used: BTreeSet::new(),
            unrouted: BTreeMap::new(),
            names: BTreeSet::new(),
            queue: VecDeque::new(),
            full: false,
            template: None,
        };
        let scope = me.l.scope;
        for e in scope.lanes.entries.iter().filter(|e| !e.shipped) {
            let body = me.l.lane_body(e.value, false);
            me.l.check_body(&body);
            if let Some(i) = scope.lanes.entries.iter().position(|x| std::ptr::eq(x, e)) {
                me.lanes.insert(i, me.bodies.len());
            }
            me.bodies.push(Rc::new(body));
        }
        let body = match &scope.flow {
            Some(FlowDecl::Steps(steps, span)) => {
                let body = me.l.flow_body(BodyKind::Flow, "flow", false, *span, steps);
                me.l.check_body(&body);
                body
            }
            Some(FlowDecl::Template { template, args, span }) => {
                let library = template.value.as_str();
                let Some(steps) = scope.template_steps.get(library) else {
                    let mut e = Diagnostic::error(
                        codes::UNKNOWN_NAME,
                        template.span,
                        format!("there is no flow template `{library}`"),
                    );
                    e.help = names::closest(library, ["std.first"])
                        .map(|c| format!("did you mean `{c}`?"))
                        .or_else(|| Some("write `use std.first`, or a flow of your own".into()));
                    me.l.d.push(e);
                    return None;
                };
                me.template = Some(args);
                me.l.flow_body(BodyKind::Flow, "flow", true, *span, steps)
            }
            None => {
                let e = Diagnostic::error(codes::DECLARATION, me.l.span, "the policy has no flow")
                    .with_help("write `flow { start -> .. }`, or `flow std.first(..)` with `use std.first`");
                me.l.d.push(e);
                return None;
            }
        };
        me.flow(body, None, 0);
        me.template = None;
        for child in &scope.children {
            let road = me.l.road_named(child.road, None);
            let body = me.l.flow_body(
                BodyKind::Child,
                &format!("child of {}", child.road.value),
                false,
                child.span,
                child.steps,
            );
            me.l.check_body(&body);
            let Some(road) = road else { continue };
            let id = FlowId(u32::try_from(me.flows.len()).unwrap_or(u32::MAX));
            if !matches!(me.l.roads[road.index()].shape, Shape::Coding | Shape::CodingLocal) {
                let e = Diagnostic::error(
                    codes::WRONG_TYPE,
                    child.road.span,
                    format!("`{}` is no coding job, and only a job has a child", child.road.value),
                )
                .with_help("name a `coding_job` road");
                me.l.d.push(e);
                continue;
            }
            let calls = u32::try_from(child.calls).ok().filter(|c| (1..=65_535).contains(c));
            if calls.is_none() {
                let e = Diagnostic::error("RL009", child.calls_span, "`calls` is out of range")
                    .with_help("write a number of calls from 1 to 65535");
                me.l.d.push(e);
            }
            me.l.roads[road.index()].child = Some(id);
            me.flow(body, Some(road), calls.unwrap_or(1));
        }
        me.finish_routes();
        me.note_unused();
        Some(me)
    }

    fn flow(&mut self, body: Body, of: Option<RoadId>, calls: u32) {
        let id = FlowId(u32::try_from(self.flows.len()).unwrap_or(u32::MAX));
        let body = Rc::new(body);
        let (name, span) = (body.name.clone(), body.span);
        let starts: Vec<Span> = body
            .start_rules()
            .iter()
            .filter_map(|r| body.rules.get(*r)?.from.iter().find(|f| f.name == "start"))
            .map(|f| f.span)
            .collect();
        if starts.is_empty() {
            let e = Diagnostic::error(codes::STRUCTURE, span, format!("the {name} has no edge from `start`"))
                .with_help("write `start -> classify -> choose`");
            self.l.d.push(e);
        }
        self.bodies.push(Rc::clone(&body));
        self.instances.push(Instance {
            body_id: self.bodies.len() - 1,
            body,
            flow: id,
            args: BTreeMap::new(),
            params: BTreeMap::new(),
            copy: None,
            road: None,
            label: String::new(),
            uses: Vec::new(),
            depth: 0,
            nodes: BTreeMap::new(),
            copies: BTreeMap::new(),
        });
        let instance = self.instances.len() - 1;
        let at = starts.first().copied().unwrap_or(span);
        let start = self.add_node(instance, "start", "start", NodeKind::Start, None, Vec::new(), None, at);
        self.flows.push(Flow { name, start, of, calls, span });
        while let Some(node) = self.queue.pop_front() {
            self.route_node(node);
            if self.edges.len() > MAX_NODES || self.full {
                self.too_large(span);
                self.queue.clear();
            }
        }
    }

    fn too_large(&mut self, span: Span) {
        self.full = true;
        self.l.d.push(
            Diagnostic::error(codes::LIMIT, span, format!("the flow has more than {MAX_NODES} nodes or edges"))
                .with_help("name fewer roads, or share nodes among them"),
        );
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one node")]
    fn add_node(
        &mut self,
        instance: usize,
        label: &str,
        word: &str,
        kind: NodeKind,
        road: Option<RoadId>,
        args: Vec<String>,
        variant: Option<String>,
        span: Span,
    ) -> NodeId {
        let key = (label.to_owned(), args.clone(), variant.clone());
        if let Some(id) = self.instances[instance].nodes.get(&key) {
            return *id;
        }
        if self.nodes.len() >= MAX_NODES {
            self.full = true;
            return NodeId(0);
        }
        let i = &self.instances[instance];
        let plain = if args.is_empty() { label.to_owned() } else { format!("{label}({})", args.join(", ")) };
        let qualified = if i.label.is_empty() { plain.clone() } else { format!("{}.{plain}", i.label) };
        let first = if args.is_empty() { &qualified } else { &plain };
        let flow = i.flow;
        let mut name = first.clone();
        if self.names.contains(&(flow, name.clone())) {
            name = qualified.clone();
        }
        let mut n = 2;
        while self.names.contains(&(flow, name.clone())) {
            name = format!("{first}#{n}");
            n += 1;
        }
        self.names.insert((flow, name.clone()));
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        let mut spans = vec![span];
        spans.extend_from_slice(&i.uses);
        self.nodes.push(Node { name, flow, kind, road, spans });
        self.info.push(Info { instance, label: label.to_owned(), word: word.to_owned(), args, variant });
        self.instances[instance].nodes.insert(key, id);
        self.queue.push_back(id);
        id
    }

    /// The outermost instance of an instance's flow.
    pub(crate) fn root(&self, mut instance: usize) -> usize {
        while let Some(copy) = self.instances[instance].copy {
            instance = self.copies[copy].outer;
        }
        instance
    }

    /// What a place means in an instance, reached from a port of `road`.
    pub(crate) fn goal(
        &mut self,
        instance: usize,
        place: &ast::Place,
        variant: Option<&str>,
        road: Option<RoadId>,
        chosen: bool,
    ) -> Option<Goal> {
        let body = Rc::clone(&self.instances[instance].body);
        let name = place.name.value.as_str();
        let span = place.span.span;
        if let Some(Arg::Place(inner, outer)) = self.instances[instance].args.get(name).cloned() {
            return match self.goal(outer, &inner, None, road, chosen)? {
                Goal::Node(n) => Some(Goal::Node(n)),
                Goal::Exit(_) => {
                    let e = Diagnostic::error(codes::STRUCTURE, span, "an exit cannot be handed to a lane as a place")
                        .with_help("let the lane have an exit of its own");
                    self.l.d.push(e);
                    None
                }
            };
        }
        if let Some(decl) = body.nodes.get(name) {
            let (kind, args, at) = (decl.kind.value.clone(), decl.args.clone(), decl.span);
            // A declared node with a road of its own takes no other; one without takes that of the place.
            let args = if args.is_empty() { place.args.clone() } else { args };
            return self.node(instance, name, &kind, &args, variant, at, road).map(Goal::Node);
        }
        if body.chooses.contains_key(name) {
            return self.choose_node(instance, name).map(Goal::Node);
        }
        match (name, body.kind) {
            ("exit", BodyKind::Lane) => {
                let exit = place.args.first()?.value.clone();
                return body.exits.iter().any(|e| e.value == exit).then_some(Goal::Exit(exit));
            }
            ("return", BodyKind::Child) => {
                let word = place.args.first()?.value.clone();
                let kind = NodeKind::Return(word.clone());
                let root = self.root(instance);
                return Some(Goal::Node(self.add_node(root, "return", "return", kind, None, vec![word], None, span)));
            }
            _ => {}
        }
        if name == "run" || self.l.scope.lanes.find(name, &self.l.scope.aliases).is_some() {
            let copy = self.copy(instance, place, road, chosen)?;
            return self.entry(copy);
        }
        if kinds::takes(name).is_some() && name != "own" {
            return self.node(instance, name, name, &place.args, variant, span, road).map(Goal::Node);
        }
        if let Some(stop) = kinds::stop(name) {
            let reason = match (stop, place.args.as_slice()) {
                (Stop::Refused, [reason]) => reason.value.clone(),
                (Stop::Refused, _) => {
                    let e = Diagnostic::error(codes::STRUCTURE, span, "a refusal gives one reason")
                        .with_help("write `refused(REASON)` with a word of your own");
                    self.l.d.push(e);
                    String::new()
                }
                (_, []) => String::new(),
                (_, [extra, ..]) => {
                    let e = Diagnostic::error(codes::STRUCTURE, extra.span, format!("`{name}` takes nothing"))
                        .with_help(format!("write `{name}`"));
                    self.l.d.push(e);
                    String::new()
                }
            };
            let args = if reason.is_empty() { Vec::new() } else { vec![reason.clone()] };
            let root = self.root(instance);
            return Some(Goal::Node(self.add_node(
                root,
                name,
                name,
                NodeKind::Stop(stop, reason),
                None,
                args,
                None,
                span,
            )));
        }
        // `check_body` has reported what the place is not; a body of the library has no such place.
        if body.shipped {
            let e =
                Diagnostic::error(codes::UNKNOWN_NAME, span, format!("there is no node, lane or terminal `{name}`"));
            self.l.d.push(e);
        }
        None
    }

    /// A road argument: a lane's parameter or a road.
    pub(crate) fn road_arg(&mut self, instance: usize, arg: &ast::Ident) -> Option<RoadId> {
        match self.instances[instance].args.get(&arg.value) {
            Some(Arg::Road(Some(r))) => Some(*r),
            Some(Arg::Road(None)) => {
                let shipped = &self.l.scope.shipped_files;
                let lane = self.instances[instance].body.name.clone();
                let at = self.instances[instance].uses.iter().find(|s| !shipped.contains(&s.file));
                let at = at.copied().unwrap_or(arg.span);
                let e = Diagnostic::error(
                    codes::STRUCTURE,
                    at,
                    format!("`{lane}` needs a road here, and the port it is reached from speaks of none"),
                )
                .with_label(arg.span, "the road is needed here")
                .with_help(format!("write `{lane}(ROAD)`"));
                self.l.d.push(e);
                None
            }
            Some(_) => {
                let e = Diagnostic::error(codes::WRONG_TYPE, arg.span, format!("`{}` is no road", arg.value))
                    .with_help("name a road or a road parameter");
                self.l.d.push(e);
                None
            }
            None => self.l.road_named(arg, None),
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one place")]
    fn node(
        &mut self,
        instance: usize,
        label: &str,
        word: &str,
        args: &[ast::Ident],
        variant: Option<&str>,
        span: Span,
        port_road: Option<RoadId>,
    ) -> Option<NodeId> {
        let takes = kinds::takes(word)?;
        let lane_road = self.instances[instance].road;
        let inferred = lane_road.or(port_road);
        let too_many = |me: &mut Self, at: &ast::Ident| {
            let e = Diagnostic::error(codes::STRUCTURE, at.span, format!("`{word}` does not take `{}`", at.value))
                .with_help("name one road, or nothing");
            me.l.d.push(e);
        };
        let mut fresh = false;
        let mut plain: Vec<&ast::Ident> = Vec::new();
        for a in args {
            let is_fresh = word == "decide" && a.value == "fresh";
            fresh |= is_fresh;
            if !is_fresh {
                plain.push(a);
            }
        }
        let (kind, road, key) = match takes {
            Takes::Road => {
                let road = match plain.as_slice() {
                    [] => inferred,
                    [one] => Some(self.road_arg(instance, one)?),
                    [_, extra, ..] => {
                        too_many(self, extra);
                        return None;
                    }
                };
                let Some(road) = road else {
                    let e = Diagnostic::error(codes::STRUCTURE, span, format!("`{word}` needs a road here"))
                        .with_help(format!("write `{word}(ROAD)`"));
                    self.l.d.push(e);
                    return None;
                };
                self.check_shape(word, road, span)?;
                let mut key = vec![self.l.roads[road.index()].name.clone()];
                let kind = if word == "decide" {
                    if fresh {
                        key.push("fresh".into());
                    }
                    NodeKind::Decide { fresh }
                } else {
                    kinds::simple(word)?
                };
                (kind, Some(road), key)
            }
            Takes::MaybeRoad => {
                let (road, key) = match plain.as_slice() {
                    [] => (lane_road, Vec::new()),
                    [one] => {
                        let road = match self.instances[instance].args.get(&one.value) {
                            Some(Arg::Road(None)) => None,
                            _ => Some(self.road_arg(instance, one)?),
                        };
                        let key = match road {
                            Some(r) if lane_road != Some(r) => vec![self.l.roads[r.index()].name.clone()],
                            _ => Vec::new(),
                        };
                        (road, key)
                    }
                    [_, extra, ..] => {
                        too_many(self, extra);
                        return None;
                    }
                };
                (kinds::simple(word)?, road, key)
            }
            Takes::Wait => {
                let who = plain.first().map(|a| a.value.as_str());
                let kind = match who {
                    Some("user") => NodeKind::AwaitUser,
                    Some("external") => NodeKind::AwaitExternal,
                    _ => {
                        let mut e = Diagnostic::error(codes::STRUCTURE, span, "`await` says whom it waits for")
                            .with_help("write `await(user)` for a person, `await(external)` for a machine");
                        if let Some(c) = who.and_then(|w| names::closest(w, ["user", "external"])) {
                            e.help = Some(format!("did you mean `await({c})`?"));
                        }
                        self.l.d.push(e);
                        return None;
                    }
                };
                let road = match plain.get(1) {
                    Some(r) => Some(self.road_arg(instance, r)?),
                    None => inferred,
                };
                let Some(road) = road else {
                    let who = who.unwrap_or("user");
                    let e = Diagnostic::error(codes::STRUCTURE, span, "`await` needs a road here")
                        .with_help(format!("write `await({who}, ROAD)`"));
                    self.l.d.push(e);
                    return None;
                };
                (kind, Some(road), vec![who.unwrap_or_default().to_owned(), self.l.roads[road.index()].name.clone()])
            }
            Takes::Effect => match plain.as_slice() {
                [one] => (NodeKind::Effect(one.value.clone()), lane_road, vec![one.value.clone()]),
                _ => {
                    let e = Diagnostic::error(codes::STRUCTURE, span, "an effect has one name")
                        .with_help("write `effect(publish)`");
                    self.l.d.push(e);
                    return None;
                }
            },
            Takes::Nothing => {
                if let Some(extra) = plain.first() {
                    too_many(self, extra);
                }
                (NodeKind::Own(label.to_owned()), lane_road, Vec::new())
            }
        };
        Some(self.add_node(instance, label, word, kind, road, key, variant.map(str::to_owned), span))
    }

    /// Steps that a road of this shape does not have.
    fn check_shape(&mut self, word: &str, road: RoadId, span: Span) -> Option<()> {
        let r = &self.l.roads[road.index()];
        let wrong = match (word, r.shape) {
            ("send", Shape::Local) => Some("a local road is called: write `call`"),
            ("send", Shape::Human) => Some("a person is asked: write `await(user)`"),
            ("call", Shape::Local) => None,
            ("call", _) => Some("only a local road is called: write `send`"),
            ("egress", Shape::Local | Shape::Human | Shape::CodingLocal) => Some("nothing leaves by this road"),
            ("minimize" | "cut" | "verify", Shape::Local) => Some("nothing leaves by this road"),
            (_, Shape::Choice) => Some("an option only leads to a place: nothing is done by this policy"),
            _ => None,
        };
        let Some(help) = wrong else { return Some(()) };
        let e = Diagnostic::error(
            codes::WRONG_TYPE,
            span,
            format!("`{word}` is no step of `{}`, a {} road", r.name, r.shape.word()),
        )
        .with_label(r.span, "the road")
        .with_help(help);
        self.l.d.push(e);
        None
    }

    /// The lane that `run(r)` is.
    fn lane_of(&self, road: RoadId) -> Option<&'static str> {
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

    fn copy(&mut self, instance: usize, place: &ast::Place, road: Option<RoadId>, chosen: bool) -> Option<usize> {
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

    fn arguments(
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

    fn fits(&mut self, shape: &ast::Ident, road: RoadId, span: Span) -> Option<()> {
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
    fn entry(&mut self, copy: usize) -> Option<Goal> {
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

    fn choose_node(&mut self, instance: usize, name: &str) -> Option<NodeId> {
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

    /// The id of a counter in the model.
    pub(crate) fn counter_id(counter: usize) -> CounterId {
        CounterId(u32::try_from(counter).unwrap_or(u32::MAX))
    }

    fn finish_routes(&mut self) {
        let unrouted = std::mem::take(&mut self.unrouted);
        for ((span, _), (code, message, roads)) in unrouted {
            let list: Vec<&str> = roads.iter().map(String::as_str).take(8).collect();
            let mut e = Diagnostic::error(code, span, message);
            if !list.is_empty() {
                e.notes.push(format!("for the roads {}", names::list(&list)));
            }
            e.help = Some(if code == "RL701" {
                "write `else -> refused(REASON)` in the flow, or an edge of its own".into()
            } else {
                "write an edge for it; `others` does not cover what may have been submitted, nor a `negative`".into()
            });
            self.l.d.push(e);
        }
    }

    fn note_unused(&mut self) {
        for (b, body) in self.bodies.clone().iter().enumerate() {
            let instantiated = self.instances.iter().any(|i| i.body_id == b);
            if body.shipped || !instantiated {
                continue;
            }
            for (r, rule) in body.rules.iter().enumerate() {
                for (f, from) in rule.from.iter().enumerate() {
                    if self.used.contains(&(b, r, f)) || from.outcome == "others" || rule.chained {
                        continue;
                    }
                    self.note_port(from);
                }
            }
        }
    }

    fn note_port(&mut self, from: &From) {
        let e = Diagnostic::note(
            codes::NEVER_TAKEN,
            from.span,
            format!("no run of the flow comes to `{}.{}`", from.name, from.outcome),
        )
        .with_help("drop the edge, or lead the flow there");
        self.l.d.push(e);
    }
}
