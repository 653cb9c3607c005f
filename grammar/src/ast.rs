//! The syntax tree: what was written, where, in the order it was written. No name is resolved here.
//!
//! Equality of trees ignores spans (see [`Spanned`]), so that parse after print is the identity.

use crate::span::{Span, Spanned};

/// An identifier.
pub type Ident = Spanned<String>;
/// A dotted name, `std.filters.portal`, spelled without blanks.
pub type Path = Spanned<String>;

/// One file.
#[derive(Debug, Clone, PartialEq)]
pub struct File {
    /// `edition N`.
    pub edition: Spanned<i64>,
    /// `use` items before the body.
    pub uses: Vec<Use>,
    /// Doc comments of the policy or library, without `///`.
    pub docs: Vec<String>,
    /// Policy or library.
    pub head: Head,
    /// The body in source order.
    pub items: Vec<Item>,
}

/// What a file declares.
#[derive(Debug, Clone, PartialEq)]
pub enum Head {
    /// `policy desk.chat@1 profile strict {`
    Policy {
        /// The name.
        name: Path,
        /// The version.
        version: Spanned<i64>,
        /// `profile NAME`, if written.
        profile: Option<Ident>,
    },
    /// `library std.lanes {`
    Library {
        /// The name.
        name: Path,
    },
}

/// `use std.facts` or `use "lib/lanes.road"`, `as NAME`.
#[derive(Debug, Clone, PartialEq)]
pub struct Use {
    /// The library: `std.facts`, or a dotted path that is a file beside the policy (`lib.lanes` is `lib/lanes.road`).
    pub path: Path,
    /// `as NAME`.
    pub alias: Option<Ident>,
    /// The whole item.
    pub span: Spanned<()>,
}

/// One item with its doc comments.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// Doc comments, without `///`.
    pub docs: Vec<String>,
    /// The item.
    pub kind: ItemKind,
    /// From its keyword to its last token.
    pub span: Spanned<()>,
}

/// The kinds of items.
#[derive(Debug, Clone, PartialEq)]
pub enum ItemKind {
    /// `use PATH`
    Use(Use),
    /// `pins { pattern ".." .. }`
    Pins(Vec<(Ident, Spanned<String>)>),
    /// `facts { .. }`
    Facts(Vec<Fact>),
    /// `const NAME = VALUE`
    Const(Ident, Value),
    /// `let NAME = GUARD as ROLE`
    Let {
        /// Its name.
        name: Path,
        /// Its meaning.
        guard: Guard,
        /// `as ROLE`.
        role: Option<Ident>,
    },
    /// `need cut when GUARD`
    Need {
        /// `cut` or `durable`.
        what: Ident,
        /// Absent: the need always holds.
        guard: Option<Guard>,
    },
    /// `limits NAME { .. }`
    Limits(Limits),
    /// `target NAME : portal { .. }`
    Target {
        /// Its name.
        name: Ident,
        /// `portal`, `peer`, `runtime`.
        tag: Ident,
        /// Its attributes.
        block: Block,
    },
    /// `projection NAME { field: class, .. }`
    Projection {
        /// Its name.
        name: Ident,
        /// Field and class.
        fields: Vec<(Ident, Ident)>,
    },
    /// `filters NAME { .. }` at top level.
    Filters(Filters),
    /// `role reviewer floor high { road .. }`
    Group {
        /// `reviewer`.
        role: Ident,
        /// `high`.
        floor: Ident,
        /// Roads with their doc comments.
        roads: Vec<(Vec<String>, Road)>,
    },
    /// `road NAME : owner cognition .. { .. }`
    Road(Road),
    /// `counter NAME = 2 spent -> place`
    Counter {
        /// Its name.
        name: Ident,
        /// Its maximum.
        max: Spanned<i64>,
        /// Where to go when it is spent.
        spent: Place,
    },
    /// `record { input_digest, expiry }`
    Record(Vec<Ident>),
    /// `export NAME : digest of X keyed by consumer, ..`
    Export(Export),
    /// `lane NAME(r: road portal, ..) exits { .. } { .. }`
    Lane(Lane),
    /// `child of ROAD calls N { .. }`
    Child {
        /// The coding road.
        road: Ident,
        /// Greatest number of calls.
        calls: Spanned<i64>,
        /// Its flow.
        steps: Vec<Step>,
    },
    /// `flow { .. }`
    Flow(Vec<Step>),
    /// `flow std.first(a, b)`
    FlowTemplate {
        /// `std.first`.
        template: Path,
        /// Arguments.
        args: Vec<Ident>,
    },
    /// `never EVENT ..`
    Never(Never),
    /// `always A before B when GUARD`
    Always {
        /// What must have happened.
        first: Event,
        /// Before what.
        then: Event,
        /// Only where this is not definitely false.
        guard: Option<Guard>,
    },
    /// `given NAME = SETTING`
    Given(Ident, Setting),
    /// `test "name" SETTING ..`
    Test(Test),
}

/// Lifetimes of facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Life {
    /// Fixed for the run.
    Pinned,
    /// Fixed when an attempt's payload is sealed.
    Sealed,
    /// Constant within an epoch.
    Volatile,
    /// Monotone, written by the run.
    Latch,
    /// Order-only.
    Rank,
}

/// `sealed weight : int 0..100 per road unknown = 100 as weight`
#[derive(Debug, Clone, PartialEq)]
pub struct Fact {
    /// Doc comments.
    pub docs: Vec<String>,
    /// Its lifetime.
    pub life: Spanned<Life>,
    /// Its name.
    pub name: Ident,
    /// Its type.
    pub ty: Spanned<Type>,
    /// `per road` or `per target`.
    pub per: Option<Ident>,
    /// `unknown = VALUE`.
    pub unknown: Option<Value>,
    /// `as ROLE`.
    pub role: Option<Ident>,
    /// The whole declaration.
    pub span: Spanned<()>,
}

/// Types of facts.
#[derive(Debug, Clone, PartialEq)]
pub enum Type {
    /// `bool`
    Bool,
    /// `evidence`: absent < declared < present < probed < attested.
    Evidence,
    /// `enum { a, b }`
    Enum(Vec<Ident>),
    /// `set { a, b }`
    Set(Vec<Ident>),
    /// `level { a < b }`
    Level(Vec<Ident>),
    /// `int lo..hi cents`
    Int {
        /// Least value.
        lo: Spanned<i64>,
        /// Greatest value.
        hi: Spanned<i64>,
        /// An amount of money.
        cents: bool,
    },
}

/// Units of a quantity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Milliseconds.
    Ms,
    /// Seconds.
    S,
    /// Minutes.
    M,
    /// Hours.
    H,
    /// Days.
    D,
    /// Money.
    Cents,
}

/// A number with an optional unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Qty {
    /// The number as written.
    pub number: i64,
    /// Its unit.
    pub unit: Option<Unit>,
}

/// A value in a guard, a constant or a setting.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A number.
    Qty(Spanned<Qty>),
    /// A name: `true`, `false`, an enum value, a constant, a fact, `limits.spend`, `target.region`.
    Path(Path),
}

/// `{ attr.. }` of a road, target or limits.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// Entries in order.
    pub entries: Vec<Entry>,
    /// With its braces.
    pub span: Spanned<()>,
}

/// One entry of a block.
#[derive(Debug, Clone, PartialEq)]
pub enum Entry {
    /// `filters NAME` or `filters { .. }`.
    Filters(FiltersRef),
    /// `limits NAME { overrides }`.
    Limits(Limits),
    /// `tokens N in N out N total`.
    Tokens {
        /// Tokens in.
        input: Spanned<i64>,
        /// Tokens out.
        output: Spanned<i64>,
        /// Total.
        total: Spanned<i64>,
        /// The whole entry.
        span: Spanned<()>,
    },
    /// `workspace { "src" write .. }`, `artifacts { patch "..." .. }` or `question { rubric "..." .. }`: pairs in order.
    Table {
        /// `workspace`, `artifacts` or `question`.
        name: Ident,
        /// The pairs.
        rows: Vec<(Atom, Atom)>,
    },
    /// `NAME VALUE`.
    Attr(Ident, AttrValue),
}

/// A text or a word.
#[derive(Debug, Clone, PartialEq)]
pub enum Atom {
    /// `"text"`
    Text(Spanned<String>),
    /// `word`
    Word(Ident),
}

/// The value of an attribute.
#[derive(Debug, Clone, PartialEq)]
pub enum AttrValue {
    /// `"text"`
    Text(Spanned<String>),
    /// A number.
    Qty(Spanned<Qty>),
    /// A name.
    Path(Path),
}

/// `limits NAME { .. }`: a definition at top level (name and block), a use in a road (name, perhaps overrides).
#[derive(Debug, Clone, PartialEq)]
pub struct Limits {
    /// The name; absent only in a road, for limits written in place.
    pub name: Option<Ident>,
    /// The block.
    pub block: Option<Block>,
    /// The whole item.
    pub span: Spanned<()>,
}

/// A set of named filters.
#[derive(Debug, Clone, PartialEq)]
pub struct Filters {
    /// The name, at top level.
    pub name: Option<Ident>,
    /// `use PATH, PATH`, in order.
    pub uses: Vec<Path>,
    /// `name : guard`.
    pub filters: Vec<(Ident, Guard)>,
    /// The whole item.
    pub span: Spanned<()>,
}

/// Filters in a road's block.
#[derive(Debug, Clone, PartialEq)]
pub enum FiltersRef {
    /// `filters eu_only`
    Named(Path),
    /// `filters { .. }`
    Inline(Filters),
}

/// What a road shows its consumer.
#[derive(Debug, Clone, PartialEq)]
pub enum With {
    /// `with turn_fields`
    Named(Ident),
    /// `with { prompt: instructions }`
    Inline(Vec<(Ident, Ident)>),
}

/// `road NAME : owner cognition through R to T with P carrier C { .. }`
#[derive(Debug, Clone, PartialEq)]
pub struct Road {
    /// Its name.
    pub name: Ident,
    /// `native`, `peer`, `coding_job`, `human`, `option` (choice profile).
    pub owner: Ident,
    /// `deterministic`, `local_model`, `portal`, `opaque`, `human`; absent only for `option`.
    pub cognition: Option<Ident>,
    /// `through ROAD`: the child's road.
    pub through: Option<Ident>,
    /// `to TARGET`.
    pub target: Option<Ident>,
    /// `with PROJECTION`.
    pub with: Option<With>,
    /// `carrier direct | manual | queue`.
    pub carrier: Option<Ident>,
    /// Its block.
    pub block: Block,
    /// The whole item.
    pub span: Spanned<()>,
}

/// `export NAME : FORM of X keyed by SCOPE, ..`, `export NAME : FORM(X)`
#[derive(Debug, Clone, PartialEq)]
pub struct Export {
    /// Its name.
    pub name: Ident,
    /// What leaves: `opaque`, `digest`, ..
    pub form: Ident,
    /// `(X, ..)`.
    pub args: Vec<Ident>,
    /// `of X`.
    pub of: Option<Ident>,
    /// `keyed by SCOPE, ..`.
    pub keyed: Vec<Ident>,
}

/// A lane definition.
#[derive(Debug, Clone, PartialEq)]
pub struct Lane {
    /// Its name.
    pub name: Ident,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Its exits.
    pub exits: Vec<Ident>,
    /// Its flow; `start` is where it is entered.
    pub steps: Vec<Step>,
}

/// `r: road portal`
#[derive(Debug, Clone, PartialEq)]
pub struct Param {
    /// Its name.
    pub name: Ident,
    /// What it takes.
    pub kind: ParamKind,
}

/// What a lane's parameter takes.
#[derive(Debug, Clone, PartialEq)]
pub enum ParamKind {
    /// A road of this shape: `portal`, `peer`, `coding`, `coding_local`, `local`, `human`, `any`, ...
    Road(Ident),
    /// A counter.
    Counter,
    /// A place.
    Place,
}

/// One step of a flow.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// `node NAME : kind(args) as ROLE`
    Node {
        /// Its name.
        name: Ident,
        /// Its kind.
        kind: Ident,
        /// Arguments of the kind.
        args: Vec<Ident>,
        /// `as ROLE`: what laws may take the node for.
        role: Option<Ident>,
    },
    /// `choose ..`
    Choose(Choose),
    /// An edge, or a chain of edges.
    Edge(Edge),
}

/// `choose NAME { a, b } by fact { .. } each -> lane`
#[derive(Debug, Clone, PartialEq)]
pub struct Choose {
    /// Its name; `choose` where absent.
    pub name: Option<Ident>,
    /// The candidates.
    pub candidates: Vec<Ident>,
    /// How they are ranked.
    pub rank: Rank,
    /// `each -> PATH`.
    pub each: Option<Path>,
    /// The whole step.
    pub span: Spanned<()>,
}

/// How a choose ranks.
#[derive(Debug, Clone, PartialEq)]
pub enum Rank {
    /// `in order a, b` (no names: the order of the candidates) or `in keys price, name`.
    One(Order),
    /// `by FACT { value : order a, b .. }`
    By {
        /// The fact that picks the profile.
        fact: Ident,
        /// Value and order, in declared order.
        profiles: Vec<(Ident, Order)>,
    },
}

/// One profile.
#[derive(Debug, Clone, PartialEq)]
pub enum Order {
    /// `order a, b without c, d`
    Static {
        /// Best first; empty: the candidates as listed.
        roads: Vec<Ident>,
        /// Candidates that this profile leaves out on purpose.
        without: Vec<Ident>,
        /// The whole order.
        span: Spanned<()>,
    },
    /// `keys price, name`
    Keys {
        /// Least first.
        keys: Vec<Ident>,
        /// The whole order.
        span: Spanned<()>,
    },
}

/// `from, from when guard -> place -kind-> place changes {..} takes c`
#[derive(Debug, Clone, PartialEq)]
pub struct Edge {
    /// The ports; empty for a flow-level `else`.
    pub from: Vec<Port>,
    /// `when`, `else` or nothing.
    pub cond: Cond,
    /// The chain: at least one hop. Later hops start at the previous place's `ok`.
    pub hops: Vec<Hop>,
    /// `changes`, of the first hop that is not `->` (or the first hop).
    pub changes: Option<Changes>,
    /// `takes COUNTER`, of the same hop.
    pub takes: Option<Ident>,
    /// The whole step.
    pub span: Spanned<()>,
}

/// The condition of an edge.
#[derive(Debug, Clone, PartialEq)]
pub enum Cond {
    /// Nothing.
    None,
    /// `when GUARD`
    When(Guard),
    /// `else`
    Else,
}

/// One hop.
#[derive(Debug, Clone, PartialEq)]
pub struct Hop {
    /// The kind; `next` for `->`.
    pub kind: Spanned<HopKind>,
    /// Where to.
    pub place: Place,
}

/// Kinds of edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HopKind {
    /// `->`
    Next,
    /// `-loop->`
    Loop,
    /// `-retry->`
    Retry,
    /// `-redirect->`
    Redirect,
    /// `-fallback->`
    Fallback,
    /// `-redeliver->`
    Redeliver,
    /// `-resume->`
    Resume,
}

/// `changes { model }` or `changes ?`
#[derive(Debug, Clone, PartialEq)]
pub enum Changes {
    /// `?`: a hole that is an error, with the words to write as help.
    Hole(Spanned<()>),
    /// The words.
    Words(Vec<Ident>, Spanned<()>),
}

/// `send(r).unavailable`, `run.ok`, `choose.none`, `again`
#[derive(Debug, Clone, PartialEq)]
pub struct Port {
    /// Node, lane, road or label.
    pub name: Ident,
    /// Arguments.
    pub args: Vec<Ident>,
    /// The outcome; absent: `ok`.
    pub outcome: Option<Ident>,
    /// The whole port.
    pub span: Spanned<()>,
}

/// `send(r)`, `cut(r)?`, `refused(reason)`, `exit(ok)`, `portal(x) as n`
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// Node, lane, terminal, `exit` or `return`.
    pub name: Path,
    /// Arguments.
    pub args: Vec<Ident>,
    /// `?`: skipped where its need is definitely false.
    pub optional: bool,
    /// `as NAME`: a second copy of a lane.
    pub alias: Option<Ident>,
    /// The whole place.
    pub span: Spanned<()>,
}

/// A guard with its span.
#[derive(Debug, Clone, PartialEq)]
pub struct Guard {
    /// The guard.
    pub kind: Box<GuardKind>,
    /// The whole guard.
    pub span: Spanned<()>,
}

/// Guards.
#[derive(Debug, Clone, PartialEq)]
pub enum GuardKind {
    /// `a or b`; two or more.
    Or(Vec<Guard>),
    /// `a and b`; two or more.
    And(Vec<Guard>),
    /// `not a`
    Not(Guard),
    /// `( a )`, kept so that printing is faithful.
    Paren(Guard),
    /// A reference that is true: a bool fact or a `let`; `true` and `false` too.
    Ref(Ref),
    /// `a in { x, y }`
    In(Ref, Vec<Ident>),
    /// `a has x`
    Has(Ref, Ident),
    /// `a has any { x, y }`
    HasAny(Ref, Vec<Ident>),
    /// `a has all { x, y }`
    HasAll(Ref, Vec<Ident>),
    /// `a empty`
    Empty(Ref),
    /// `a is unknown`
    IsUnknown(Ref),
    /// `a < b + 3`
    Compare {
        /// Left side.
        left: Ref,
        /// The comparison.
        op: Spanned<CmpOp>,
        /// Right side.
        right: Value,
        /// `+ N` (negative for `- N`), 0 where absent.
        plus: Spanned<i64>,
    },
}

/// `available[local]`, `target.region`, `std.durable`
#[derive(Debug, Clone, PartialEq)]
pub struct Ref {
    /// The name.
    pub path: Path,
    /// `[road]` or `[target]`.
    pub index: Option<Ident>,
    /// Both.
    pub span: Spanned<()>,
}

/// Comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CmpOp {
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `==`
    Eq,
    /// `!=`
    Ne,
}

/// `never EVENT when GUARD after EVENT with submitted unknown`
#[derive(Debug, Clone, PartialEq)]
pub struct Never {
    /// What must not happen.
    pub event: Event,
    /// `when` (false) or `unless` (true), with its guard.
    pub guard: Option<(bool, Guard)>,
    /// `after EVENT`, with `with submitted WORD`.
    pub after: Option<(Event, Option<Ident>)>,
}

/// `send(any)`, `choose.none`, `validate`
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// Node kind or node name.
    pub name: Ident,
    /// Road, `any`, `user`, `external`, or an own effect's name.
    pub args: Vec<Ident>,
    /// Outcome.
    pub outcome: Option<Ident>,
    /// The whole event.
    pub span: Spanned<()>,
}

/// `clear { weight 40, not available[local] }`
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// The setting it starts from; absent: everything unknown.
    pub base: Option<Path>,
    /// The differences, in order.
    pub assigns: Vec<Assign>,
    /// The whole setting.
    pub span: Spanned<()>,
}

/// One assignment of a setting.
#[derive(Debug, Clone, PartialEq)]
pub struct Assign {
    /// The fact; a family without an index means all its cells.
    pub fact: Ref,
    /// Its value.
    pub value: AssignValue,
}

/// The value assigned.
#[derive(Debug, Clone, PartialEq)]
pub enum AssignValue {
    /// `fact`
    True,
    /// `not fact`
    False,
    /// `fact unknown`
    Unknown,
    /// `fact { a, b }` or `fact { }`
    Set(Vec<Ident>),
    /// `fact 40`
    Qty(Spanned<Qty>),
    /// `fact private`
    Word(Ident),
}

/// A test block.
#[derive(Debug, Clone, PartialEq)]
pub struct Test {
    /// Its name.
    pub name: Spanned<String>,
    /// `in ROAD`: a test of the road's child flow.
    pub child: Option<Ident>,
    /// Its facts.
    pub setting: Setting,
    /// What is expected first, then outcome and expectation in turn; the first outcome is absent.
    pub steps: Vec<(Option<Ident>, Expect)>,
    /// The whole item.
    pub span: Spanned<()>,
}

/// `=> place via event without event because road: filter`
#[derive(Debug, Clone, PartialEq)]
pub struct Expect {
    /// Where the run stops next.
    pub place: Place,
    /// Events that must have happened since the last stop.
    pub via: Vec<Event>,
    /// Events that must not have happened since the last stop.
    pub without: Vec<Event>,
    /// Road and the filter that closed it.
    pub because: Vec<(Ident, Ident)>,
}

/// The span of a node that carries one in a [`Spanned<()>`].
#[must_use]
pub fn span(s: &Spanned<()>) -> Span {
    s.span
}
