//! The lowered model: what a policy means, with every name resolved, every lane copied out and every family of facts
//! spread into cells. All later stages read this and nothing earlier; spans are kept for diagnostics only.
//!
//! Arenas with newtype ids; order is source order, so equal policies give equal models.

mod digest;
pub mod guard;
pub mod vocabulary;

pub use digest::digest;
pub use guard::{Assignment, Cell, Guard, Truth};
pub use vocabulary::*;

use roadlaw_grammar::span::Span;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

macro_rules! ids {
    ($($(#[$m:meta])* $name:ident),* $(,)?) => {$(
        $(#[$m])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        #[serde(transparent)]
        pub struct $name(pub u32);
        impl $name {
            /// The id as an index into its arena.
            #[must_use]
            pub fn index(self) -> usize { self.0 as usize }
        }
    )*};
}

ids! {
    /// A fact cell: a plain fact, or one member of a family.
    FactId,
    /// A road.
    RoadId,
    /// A target.
    TargetId,
    /// A consumer: a (target, projection) pair.
    ConsumerId,
    /// A node of some flow.
    NodeId,
    /// An edge of some flow.
    EdgeId,
    /// A choose.
    ChooseId,
    /// A counter.
    CounterId,
    /// A flow: 0 is the policy's own, the others are children.
    FlowId,
}

/// A whole policy.
#[derive(Debug, Clone, Serialize)]
pub struct Model {
    /// Dotted name.
    pub name: String,
    /// Version.
    pub version: u32,
    /// Profile: which laws speak.
    pub profile: Profile,
    /// Doc comments of the policy.
    pub docs: Vec<String>,
    /// The eight pins that were written.
    pub pins: BTreeMap<String, String>,
    /// Fact cells. Facts of a shipped library that nothing reads are left out; an author's own are all here.
    pub facts: Vec<Fact>,
    /// Numbers that some guard compares with another fact. A hint for provers: what is missing here costs time alone.
    #[serde(skip)]
    pub compared: BTreeSet<FactId>,
    /// Counters.
    pub counters: Vec<Counter>,
    /// Targets.
    pub targets: Vec<Target>,
    /// Consumers of the roads, each pair once.
    pub consumers: Vec<Consumer>,
    /// Roads.
    pub roads: Vec<Road>,
    /// Flows; the first is the policy's own.
    pub flows: Vec<Flow>,
    /// Nodes of all flows.
    pub nodes: Vec<Node>,
    /// Edges of all flows. The edges of one port stand in the order in which they are tried:
    /// guarded, then spent, then else.
    pub edges: Vec<Edge>,
    /// Chooses of all flows.
    pub chooses: Vec<Choose>,
    /// `never` and `always`.
    pub claims: Vec<Claim>,
    /// `test` blocks.
    pub tests: Vec<Test>,
    /// `limits policy { .. }`: ceilings for a whole run.
    pub ceilings: Option<Ceilings>,
    /// `record { .. }`: fields that are written with each decision, beside those that the run fills by itself.
    pub record: Vec<RecordField>,
    /// `export NAME : ..`: what may be told of a decision.
    pub exports: Vec<Export>,
    /// `portal_threshold` and the other constants that laws speak of, and the author's.
    pub constants: BTreeMap<String, i32>,
    /// The same policy where the name of each target's provider is a fact (role `provider`), if a filter, need or edge
    /// guard reads one: RL406 is proved on it. Roads, nodes and edges have the ids they have here.
    #[serde(skip)]
    pub any_provider: Option<Box<Self>>,
    /// Where the policy's name stands.
    #[serde(skip)]
    pub span: Span,
    /// Where `need cut` and `need durable` stand, if written.
    #[serde(skip)]
    pub need_spans: BTreeMap<String, Span>,
}

/// A field that an author adds to the decision record, as written: lawful or not (RL802).
#[derive(Debug, Clone, Serialize)]
#[serde(transparent)]
pub struct RecordField {
    /// Its name.
    pub name: String,
    /// Where it stands.
    #[serde(skip)]
    pub span: Span,
}

/// What leaves for a log, for telemetry or another reader, as written: lawful or not (RL803).
#[derive(Debug, Clone, Serialize)]
pub struct Export {
    /// Its name.
    pub name: String,
    /// `opaque`, `digest`, `count`, `stage`, or a word that is none of them.
    pub form: String,
    /// What it is made of.
    pub of: Option<String>,
    /// What its key is scoped to.
    pub keyed: Vec<String>,
    /// Where the name stands.
    #[serde(skip)]
    pub span: Span,
    /// Where the form stands.
    #[serde(skip)]
    pub form_span: Span,
    /// Where it says what it is made of.
    #[serde(skip)]
    pub of_span: Option<Span>,
    /// From the first scope to the last.
    #[serde(skip)]
    pub keyed_span: Option<Span>,
}

/// One fact cell.
#[derive(Debug, Clone, Serialize)]
pub struct Fact {
    /// `weight`, `available[local]`.
    pub name: String,
    /// `available` of `available[local]`.
    pub family: String,
    /// The road or target of a family's cell.
    pub index: Option<Index>,
    /// Its lifetime.
    pub life: Life,
    /// Its type.
    pub ty: Type,
    /// The value that unknown stands for.
    pub unknown: Option<Value>,
    /// Its role.
    pub role: Option<String>,
    /// Who writes a latch; `None` for a fact that the caller supplies.
    pub latch: Option<Latch>,
    /// Doc comments.
    pub docs: Vec<String>,
    /// Where it is declared.
    #[serde(skip)]
    pub span: Span,
}

/// What a family's cell belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Index {
    /// One per road.
    Road(RoadId),
    /// One per target.
    Target(TargetId),
}

/// Latches: written by the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Latch {
    /// Set by a fallback edge that leaves the road; cleared by repair(ok).
    Tried(RoadId),
    /// Set by validate(negative); cleared by repair(ok).
    Judged,
    /// Set by consume(ok, duplicate); cleared by repair(ok).
    Consumed,
    /// What is left of a counter.
    Left(CounterId),
}

/// Types of fact cells.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Type {
    /// Values 0 (false), 1 (true).
    Bool,
    /// Values 0..n in declared order, no order meant.
    Enum(Vec<String>),
    /// Values 0..n, ascending.
    Level(Vec<String>),
    /// Values are bit masks over the labels.
    Set(Vec<String>),
    /// Values lo..=hi.
    Int {
        /// Least value.
        lo: i32,
        /// Greatest value.
        hi: i32,
    },
}

/// A value: 0/1 of a bool, index of an enum or level, the number of an int, the mask of a set.
pub type Value = i64;

/// A counter.
#[derive(Debug, Clone, Serialize)]
pub struct Counter {
    /// Its name.
    pub name: String,
    /// What a run starts with.
    pub max: u8,
    /// Its latch cell.
    pub fact: FactId,
    /// Where it is declared.
    #[serde(skip)]
    pub span: Span,
}

/// A target.
#[derive(Debug, Clone, Serialize)]
pub struct Target {
    /// Its name.
    pub name: String,
    /// What it is.
    pub tag: TargetTag,
    /// Attributes as written: provider, service, region, ...
    pub attributes: BTreeMap<String, String>,
    /// `cut_required`: absent is false, `unknown` counts as true.
    pub cut_required: bool,
    /// Evidence is `verified`, not merely `asserted`.
    pub verified: bool,
    /// Where it is declared.
    #[serde(skip)]
    pub span: Span,
}

/// A consumer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Consumer {
    /// The target; absent for a person.
    pub target: Option<TargetId>,
    /// Name of the projection.
    pub projection: String,
    /// Field and class.
    pub fields: Vec<(String, String)>,
}

/// A road.
#[derive(Debug, Clone, Serialize)]
pub struct Road {
    /// Its name.
    pub name: String,
    /// Labour owner.
    pub owner: Owner,
    /// Cognition.
    pub cognition: Cognition,
    /// Carrier.
    pub carrier: Carrier,
    /// Which gates it has.
    pub shape: Shape,
    /// A remote edge: portal, peer, or a runtime that is not local.
    pub remote: bool,
    /// A reviewer, with the floor of its gate.
    pub reviewer: Option<u8>,
    /// Its target.
    pub target: Option<TargetId>,
    /// Its consumer: every road with a projection has one.
    pub consumer: Option<ConsumerId>,
    /// The child's road.
    pub through: Option<RoadId>,
    /// Its child flow.
    pub child: Option<FlowId>,
    /// Continuity.
    pub continuity: Continuity,
    /// It is durable, awaited, manual or queued.
    pub leaves_invocation: bool,
    /// Ceilings.
    pub ceilings: Ceilings,
    /// Other attributes as written.
    pub attributes: BTreeMap<String, String>,
    /// Full binding: change word and value; absent words are absent here.
    pub binding: BTreeMap<Change, String>,
    /// What is asked by this road.
    pub question: Question,
    /// Filters in reason order, instantiated for this road.
    pub filters: Vec<Filter>,
    /// `need cut`, instantiated for this road; `True` where unstated.
    pub need_cut: Guard,
    /// `need durable`, instantiated for this road; `True` for peer and coding roads and where unstated.
    pub need_durable: Guard,
    /// Facts and `let`s by role, as they read for this road, in declared order.
    pub roles: BTreeMap<String, Vec<RoleItem>>,
    /// Derived facts, from the block.
    pub derived: Derived,
    /// Doc comments.
    pub docs: Vec<String>,
    /// Where its name stands.
    #[serde(skip)]
    pub span: Span,
}

/// What is asked: the input, what an answer is judged by, and what it must look like (MODEL.md section 1). Two roads ask
/// the same question iff all three are the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Question {
    /// The input; the policy's pin `input` where the road says nothing else.
    pub input: String,
    /// The rubric; absent where the road names none: then it is the policy's own.
    pub rubric: Option<String>,
    /// The contract of the answer; the policy's pin `output` where the road says nothing else.
    pub contract: String,
}

impl Question {
    /// The parts in which two questions differ, in the order of the page.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Vec<&'static str> {
        [
            ("input", self.input != other.input),
            ("rubric", self.rubric != other.rubric),
            ("contract", self.contract != other.contract),
        ]
        .into_iter()
        .filter_map(|(word, differs)| differs.then_some(word))
        .collect()
    }
}

/// What fills a role for one road.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RoleItem {
    /// A fact cell.
    Fact(FactId),
    /// A `let`, instantiated for the road.
    Let(Guard),
}

/// Facts that a road's block decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Derived {
    /// Spend above 0.
    pub paid: bool,
    /// Leaves the invocation.
    pub asynchronous: bool,
    /// Retries above 0.
    pub auto_retry: bool,
    /// The receiver can be asked what became of a call; true unless the block says `reconcilable no`.
    pub reconcilable: bool,
}

/// A named filter.
#[derive(Debug, Clone, Serialize)]
pub struct Filter {
    /// The reason when it closes the road.
    pub name: String,
    /// What must hold.
    pub guard: Guard,
    /// Where it is written, and where it is used, innermost first.
    #[serde(skip)]
    pub spans: Vec<Span>,
}

/// Ceilings; `None` where not written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Ceilings {
    /// Milliseconds.
    pub deadline: Option<i64>,
    /// Transmissions.
    pub requests: Option<i64>,
    /// Concurrent attempts.
    pub concurrency: Option<i64>,
    /// Fan-out.
    pub fanout: Option<i64>,
    /// Rounds.
    pub rounds: Option<i64>,
    /// Uses of one disclosure.
    pub uses: Option<i64>,
    /// Tokens in.
    pub tokens_in: Option<i64>,
    /// Tokens out.
    pub tokens_out: Option<i64>,
    /// Tokens in all.
    pub tokens_total: Option<i64>,
    /// Cents.
    pub spend: Option<i64>,
    /// Automatic retries.
    pub retries: Option<i64>,
    /// Where they are written.
    #[serde(skip)]
    pub span: Span,
}

/// A flow.
#[derive(Debug, Clone, Serialize)]
pub struct Flow {
    /// `flow`, or `child of coder`.
    pub name: String,
    /// Its entry.
    pub start: NodeId,
    /// The coding road whose child this is.
    pub of: Option<RoadId>,
    /// Greatest number of runs of a child.
    pub calls: u32,
    /// Where it is written.
    #[serde(skip)]
    pub span: Span,
}

/// A node.
#[derive(Debug, Clone, Serialize)]
pub struct Node {
    /// Unique within its flow: `send(mistral)`, `accept(ovh).record`, `again(mistral)`.
    pub name: String,
    /// Its flow.
    pub flow: FlowId,
    /// What it is.
    pub kind: NodeKind,
    /// The road it speaks of: always there for minimize, cut, verify, reserve, decide, attempt, checkpoint, egress,
    /// send, call, await, release, reconcile; there for others where the flow says.
    pub road: Option<RoadId>,
    /// What it does with found material, if the author says so: `as ROLE`.
    pub duty: Option<Duty>,
    /// Where it is written and, for a node of a lane, where the lane is used: innermost first.
    #[serde(skip)]
    pub spans: Vec<Span>,
}

/// An edge.
#[derive(Debug, Clone, Serialize)]
pub struct Edge {
    /// From.
    pub from: NodeId,
    /// The port.
    pub outcome: Outcome,
    /// For the port of a choose: the candidate.
    pub candidate: Option<RoadId>,
    /// The guard: open only if true. `True` for spent and else edges as well.
    pub guard: Guard,
    /// How it stands among the edges of its port.
    pub rank: EdgeRank,
    /// Its kind.
    pub kind: EdgeKind,
    /// To.
    pub to: NodeId,
    /// Declared changes; `None` where no `changes` was written.
    pub changes: Option<BTreeSet<Change>>,
    /// Where each declared change is written.
    #[serde(skip)]
    pub change_spans: BTreeMap<Change, Span>,
    /// `changes ?` was written.
    pub changes_hole: bool,
    /// The counter it takes.
    pub takes: Option<CounterId>,
    /// Who wrote it.
    pub origin: EdgeOrigin,
    /// Where it is written and, for an edge of a lane, where the lane is used: innermost first.
    #[serde(skip)]
    pub spans: Vec<Span>,
    /// Where its guard is written.
    #[serde(skip)]
    pub guard_span: Option<Span>,
}

/// How an edge stands among the edges of its port.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EdgeRank {
    /// Open if its guard is true and its counter is not spent.
    Guarded,
    /// Open if the guard of the `takes` edge of this port with this counter is true and the counter is spent.
    Spent(CounterId),
    /// Open if no other edge of the port is.
    Else,
}

/// Who wrote an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EdgeOrigin {
    /// An edge of the author's own flow.
    Flow,
    /// An edge inside a lane.
    Lane,
    /// The way round a `step?`.
    Skip,
    /// A flow-level or lane-level `else`.
    FlowElse,
    /// `others`.
    Others,
    /// A counter's `spent` place.
    Spent,
}

/// A choose.
#[derive(Debug, Clone, Serialize)]
pub struct Choose {
    /// Its node.
    pub node: NodeId,
    /// Its name.
    pub name: String,
    /// Candidates in listed order. A candidate is eligible iff all its filters are true, it is not tried and nothing
    /// is judged (an unknown latch is closed).
    pub candidates: Vec<RoadId>,
    /// The fact that picks the profile; unknown (without a strict value) picks the first.
    pub by: Option<FactId>,
    /// Profiles: the value of `by` (ignored where `by` is absent) and the order. One profile per value of `by`.
    pub profiles: Vec<(Value, Order)>,
    /// The whole step.
    #[serde(skip)]
    pub span: Span,
}

/// One profile of a choose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// Best first. Candidates not named are never chosen under this profile.
    Static(Vec<RoadId>),
    /// Up to four integer keys, least first, unknown last; then the road's name.
    Keys(Vec<Key>),
}

/// One key: a cell per candidate, in the order of the candidates (a plain fact repeats the same cell).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Key {
    /// Name of the family.
    pub name: String,
    /// The cells.
    pub cells: Vec<FactId>,
}

/// An author's assertion.
#[derive(Debug, Clone, Serialize)]
pub struct Claim {
    /// What is claimed.
    pub kind: ClaimKind,
    /// As written, on one line.
    pub text: String,
    /// The whole item.
    #[serde(skip)]
    pub span: Span,
}

/// The two shapes of assertions. Each event is spread into node (and outcome) patterns; a guard is instantiated for
/// the node's road, so one claim with `any` has one entry per matching node.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ClaimKind {
    /// The node is never entered (or, with an outcome, never left by it) while the guard is not definitely false.
    Never {
        /// Node, outcome, guard for that node.
        at: Vec<(NodeId, Option<Outcome>, Guard)>,
        /// Only after one of these happened on the run.
        after: Option<Vec<(NodeId, Option<Outcome>)>>,
        /// And only while the transmission of the `after` event's road is in this state.
        submitted: Option<Submitted>,
    },
    /// A node of `first` was left by `ok` (or the outcome named) since its evidence was last cleared.
    Always {
        /// What must have happened: nodes that count for each node of `then` (same road where both have one).
        /// (node of `then`, its outcome, guard, nodes of `first` with their outcome).
        at: Vec<Demand>,
    },
}

/// Node of `then`, its outcome, the guard, and the nodes of `first` with their outcomes.
pub type Demand = (NodeId, Option<Outcome>, Guard, Vec<(NodeId, Outcome)>);

/// A test block.
#[derive(Debug, Clone, Serialize)]
pub struct Test {
    /// Its name.
    pub name: String,
    /// The flow it runs.
    pub flow: FlowId,
    /// Facts; cells that are not here are unknown. Latches may be set too.
    pub facts: BTreeMap<FactId, Cell>,
    /// Outcome given (absent for the first), then what is expected.
    pub steps: Vec<(Option<Outcome>, Expect)>,
    /// The whole item.
    #[serde(skip)]
    pub span: Span,
}

/// One expectation.
#[derive(Debug, Clone, Serialize)]
pub struct Expect {
    /// Nodes, any of which will do.
    pub places: Vec<NodeId>,
    /// As written, for messages.
    pub text: String,
    /// Each must have been visited since the last stop: any node of each set.
    pub via: Vec<(String, Vec<NodeId>)>,
    /// Chooses that must have decided for a road since the last stop, as written, and the road.
    pub chosen: Vec<(String, Vec<NodeId>, RoadId)>,
    /// None of these may have been visited since the last stop.
    pub without: Vec<(String, Vec<NodeId>)>,
    /// Road and the first filter that closed it, at the last choose.
    pub because: Vec<(RoadId, String)>,
    /// The expectation.
    #[serde(skip)]
    pub span: Span,
}

impl Model {
    /// The fact with this id.
    #[must_use]
    pub fn fact(&self, id: FactId) -> &Fact {
        &self.facts[id.index()]
    }
    /// The road with this id.
    #[must_use]
    pub fn road(&self, id: RoadId) -> &Road {
        &self.roads[id.index()]
    }
    /// The target with this id.
    #[must_use]
    pub fn target(&self, id: TargetId) -> &Target {
        &self.targets[id.index()]
    }
    /// The node with this id.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }
    /// The edge with this id.
    #[must_use]
    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id.index()]
    }
    /// The choose with this id.
    #[must_use]
    pub fn choose(&self, id: ChooseId) -> &Choose {
        &self.chooses[id.index()]
    }
    /// The latch cell, if the policy has it.
    #[must_use]
    pub fn latch(&self, latch: Latch) -> Option<FactId> {
        self.facts.iter().position(|f| f.latch == Some(latch)).map(|i| FactId(u32::try_from(i).unwrap_or(u32::MAX)))
    }
}
