//! Flows as nodes and edges. Begins at each flow's start and follows what is written: a node, or a lane's copy for one
//! road, exists once something leads to it; each of its outcomes is then routed once (see `route`).

use super::body::{Body, BodyKind, From};
use super::kinds::{self};
use crate::lower::{Lowering, codes, names, scope::FlowDecl};
use crate::model::{Choose, CounterId, Edge, Flow, FlowId, Node, NodeId, NodeKind, RoadId, Shape, Stop};
use roadlaw_grammar::ast::{self};
use roadlaw_grammar::diagnostic::Diagnostic;
use roadlaw_grammar::span::Span;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

/// Nodes, and edges, of all flows.
const MAX_NODES: usize = 65_535;
/// Lanes may use lanes this deep.
pub(crate) const MAX_DEPTH: usize = 16;

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
    pub(crate) nodes: BTreeMap<(String, Vec<String>, Option<String>), NodeId>,
    pub(crate) copies: BTreeMap<(String, Vec<String>, Option<String>), usize>,
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
type Unrouted = BTreeMap<(Span, String), Unled>;

/// An outcome, exit or candidate that no edge leads anywhere.
#[derive(Debug, Clone)]
pub(crate) struct Unled {
    pub(crate) code: &'static str,
    /// `outcome`, `exit` or `candidate`.
    pub(crate) what: &'static str,
    /// The node or lane.
    pub(crate) label: String,
    /// The roads whose copy lacks it.
    pub(crate) roads: BTreeSet<String>,
}

/// All flows while they are built.
pub(crate) struct Flows<'l, 'a> {
    pub(crate) l: &'l mut Lowering<'a>,
    pub(crate) bodies: Vec<Rc<Body>>,
    pub(crate) lanes: BTreeMap<usize, usize>,
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
                let code = me.l.law_or("RL009", "RL009", codes::OUT_OF_DOMAIN);
                let e = Diagnostic::error(code, child.calls_span, "`calls` is out of range")
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
    pub(crate) fn add_node(
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
        self.nodes.push(Node { name, flow, kind, road, duty: None, spans });
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
            let (kind, args, at, duty) = (decl.kind.value.clone(), decl.args.clone(), decl.span, decl.duty);
            // A declared node with a road of its own takes no other; one without takes that of the place.
            let args = if args.is_empty() { place.args.clone() } else { args };
            let node = self.node(instance, name, &kind, &args, variant, at, road)?;
            if let Some(n) = self.nodes.get_mut(node.index()) {
                n.duty = duty;
            }
            return Some(Goal::Node(node));
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
                let lane = self.instances[instance].body.name.clone();
                let at = self.blame(instance, arg.span);
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

    /// The id of a counter in the model.
    pub(crate) fn counter_id(counter: usize) -> CounterId {
        CounterId(u32::try_from(counter).unwrap_or(u32::MAX))
    }

    fn finish_routes(&mut self) {
        // One mistake each: what one step lacks for the same roads; and a flow that has no `else`, whatever then fails.
        let mut lacking: Vec<(Span, Unled, Vec<String>)> = Vec::new();
        let mut failing: Vec<(Span, String)> = Vec::new();
        for ((span, word), u) in std::mem::take(&mut self.unrouted) {
            if u.code == "RL701" {
                failing.push((span, format!("{}.{word}", u.label)));
                continue;
            }
            let same = |o: &Unled| (o.what, &o.label, &o.roads) == (u.what, &u.label, &u.roads);
            match lacking.iter_mut().find(|(s, o, _)| *s == span && same(o)) {
                Some((_, _, words)) => words.push(word),
                None => lacking.push((span, u, vec![word])),
            }
        }
        for (span, u, words) in lacking {
            self.l.d.push(unled(span, &u, &words));
        }
        if let Some(((span, first), others)) = failing.split_first() {
            let message = match others {
                [] => format!("nothing says what happens after `{first}`"),
                _ => format!("nothing says what happens after `{first}` and {} more like it", others.len()),
            };
            let mut e = Diagnostic::error("RL701", *span, message)
                .with_help("write `else -> refused(REASON)` in the flow, or an edge for each");
            for (other, name) in others.iter().filter(|(s, _)| s != span).take(3) {
                e = e.with_label(*other, format!("nor after `{name}`"));
            }
            self.l.d.push(e);
        }
    }

    pub(crate) fn note_unused(&mut self) {
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

/// RL703 for one step.
fn unled(span: Span, u: &Unled, words: &[String]) -> Diagnostic {
    let list: Vec<&str> = words.iter().map(String::as_str).collect();
    let (what, label) = (u.what, &u.label);
    let message = match what {
        "candidate" => format!("candidate {} of `{label}` leads nowhere", names::list(&list)),
        _ if list.len() > 1 => format!("{what}s {} of `{label}` are not routed", names::list(&list)),
        _ => format!("{what} {} of `{label}` is not routed", names::list(&list)),
    };
    let mut ports: Vec<String> = words.iter().take(3).map(|w| format!("{label}.{w}")).collect();
    if words.len() > 3 {
        ports.push("..".to_owned());
    }
    let help = match words {
        [none] if none == "none" => {
            format!("write `{label}.none -> pending_no_road`, `refused(..)` or a further choose")
        }
        [one] if what == "candidate" => format!("write `{label}.{one} -> ..`, or `each -> run` for all candidates"),
        _ => format!(
            "write `{} -> ..`; `{label}.others` covers the rest, but nothing that may have been submitted and no `negative`",
            ports.join(", ")
        ),
    };
    let mut e = Diagnostic::error(u.code, span, message).with_help(help);
    let roads: Vec<&str> = u.roads.iter().map(String::as_str).take(8).collect();
    if !roads.is_empty() {
        let noun = if u.roads.len() == 1 { "road" } else { "roads" };
        let more = if u.roads.len() > 8 { ", .." } else { "" };
        e.notes.push(format!("for the {noun} {}{more}", names::list(&roads)));
    }
    e
}
