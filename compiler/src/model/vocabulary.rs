//! The closed vocabularies of the model (MODEL.md sections 1 to 6), each with its words. One word per idea.

use serde::Serialize;

/// Which laws speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Profile {
    /// Every law.
    Strict,
    /// A policy that was imported from a gateway's file: the laws that such a file has no words for do not speak.
    Gateway,
    /// A pure choose: roads are options, no work leaves by this table, gate laws have nothing to say.
    Choice,
}

impl Profile {
    /// All, in canonical order.
    pub const ALL: &'static [Self] = &[Self::Strict, Self::Gateway, Self::Choice];

    /// The word in the language.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Gateway => "gateway",
            Self::Choice => "choice",
        }
    }

    /// The value with this word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|v| v.word() == word)
    }
}

/// Lifetimes of facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Life {
    /// Fixed for the run.
    Pinned,
    /// Fixed when a payload is sealed.
    Sealed,
    /// Constant within an epoch.
    Volatile,
    /// Monotone, written by the run.
    Latch,
    /// Order-only; read afresh at every choose.
    Rank,
}

impl Life {
    /// All, in canonical order.
    pub const ALL: &'static [Self] = &[Self::Pinned, Self::Sealed, Self::Volatile, Self::Latch, Self::Rank];

    /// The word in the language.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Pinned => "pinned",
            Self::Sealed => "sealed",
            Self::Volatile => "volatile",
            Self::Latch => "latch",
            Self::Rank => "rank",
        }
    }

    /// The value with this word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|v| v.word() == word)
    }
}

/// Kinds of targets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TargetTag {
    /// A provider's API.
    Portal,
    /// A sovereign agent.
    Peer,
    /// A coding runtime.
    Runtime,
}

impl TargetTag {
    /// All, in canonical order.
    pub const ALL: &'static [Self] = &[Self::Portal, Self::Peer, Self::Runtime];

    /// The word in the language.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Portal => "portal",
            Self::Peer => "peer",
            Self::Runtime => "runtime",
        }
    }

    /// The value with this word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|v| v.word() == word)
    }
}

/// Labour owners.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Owner {
    /// The plan stays here.
    Native,
    /// A sovereign agent (A2A).
    Peer,
    /// A contained coding job.
    CodingJob,
    /// A person.
    Human,
    /// An option of a choice policy.
    Choice,
}

impl Owner {
    /// All, in canonical order.
    pub const ALL: &'static [Self] = &[Self::Native, Self::Peer, Self::CodingJob, Self::Human, Self::Choice];

    /// The word in the language.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Peer => "peer",
            Self::CodingJob => "coding_job",
            Self::Human => "human",
            Self::Choice => "option",
        }
    }

    /// The value with this word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|v| v.word() == word)
    }
}

/// Kinds of cognition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cognition {
    /// A tool.
    Deterministic,
    /// A model on this machine.
    LocalModel,
    /// A provider's API.
    Portal,
    /// The receiver's own affair.
    Opaque,
    /// A person.
    Human,
    /// An option of a choice policy.
    None,
}

impl Cognition {
    /// All, in canonical order.
    pub const ALL: &'static [Self] =
        &[Self::Deterministic, Self::LocalModel, Self::Portal, Self::Opaque, Self::Human, Self::None];

    /// The word in the language.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Deterministic => "deterministic",
            Self::LocalModel => "local_model",
            Self::Portal => "portal",
            Self::Opaque => "opaque",
            Self::Human => "human",
            Self::None => "none",
        }
    }

    /// The value with this word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|v| v.word() == word)
    }
}

/// Carriers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Carrier {
    /// Call or send.
    Direct,
    /// A person relays it: await(user) follows.
    Manual,
    /// A machine carries it: await(external) follows.
    Queue,
}

impl Carrier {
    /// All, in canonical order.
    pub const ALL: &'static [Self] = &[Self::Direct, Self::Manual, Self::Queue];

    /// The word in the language.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Manual => "manual",
            Self::Queue => "queue",
        }
    }

    /// The value with this word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|v| v.word() == word)
    }
}

/// Which gates a road has; the word is the shape of a lane's road parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// native, deterministic or local_model: call.
    Local,
    /// native portal: send.
    Portal,
    /// peer opaque: send.
    Peer,
    /// coding_job in a remote runtime: send.
    Coding,
    /// coding_job in a local runtime: send, without egress and cut.
    CodingLocal,
    /// human: await(user).
    Human,
    /// An option: nothing leaves.
    Choice,
}

impl Shape {
    /// All, in canonical order.
    pub const ALL: &'static [Self] =
        &[Self::Local, Self::Portal, Self::Peer, Self::Coding, Self::CodingLocal, Self::Human, Self::Choice];

    /// The word in the language.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Portal => "portal",
            Self::Peer => "peer",
            Self::Coding => "coding",
            Self::CodingLocal => "coding_local",
            Self::Human => "human",
            Self::Choice => "option",
        }
    }

    /// The value with this word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|v| v.word() == word)
    }
}

/// Continuity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Continuity {
    /// Within the invocation.
    Immediate,
    /// Outlives the invocation.
    DurableJob,
    /// Refused on a remote road.
    LiveSession,
}

impl Continuity {
    /// All, in canonical order.
    pub const ALL: &'static [Self] = &[Self::Immediate, Self::DurableJob, Self::LiveSession];

    /// The word in the language.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Immediate => "immediate",
            Self::DurableJob => "durable_job",
            Self::LiveSession => "live_session",
        }
    }

    /// The value with this word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|v| v.word() == word)
    }
}

/// Kinds of edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EdgeKind {
    /// Within an epoch.
    Next,
    /// A new round.
    Loop,
    /// The same road again.
    Retry,
    /// Another place.
    Redirect,
    /// Another road.
    Fallback,
    /// The same bytes again.
    Redeliver,
    /// After a wait.
    Resume,
}

impl EdgeKind {
    /// All, in canonical order.
    pub const ALL: &'static [Self] =
        &[Self::Next, Self::Loop, Self::Retry, Self::Redirect, Self::Fallback, Self::Redeliver, Self::Resume];

    /// The word in the language.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Next => "next",
            Self::Loop => "loop",
            Self::Retry => "retry",
            Self::Redirect => "redirect",
            Self::Fallback => "fallback",
            Self::Redeliver => "redeliver",
            Self::Resume => "resume",
        }
    }

    /// The value with this word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|v| v.word() == word)
    }
}

/// What is known of a transmission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Submitted {
    /// Nothing was submitted.
    None,
    /// It may have been.
    Unknown,
    /// It was, and what became of it is known.
    Known,
}

impl Submitted {
    /// All, in canonical order.
    pub const ALL: &'static [Self] = &[Self::None, Self::Unknown, Self::Known];

    /// The word in the language.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Unknown => "unknown",
            Self::Known => "known",
        }
    }

    /// The value with this word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|v| v.word() == word)
    }
}

/// Change words (MODEL.md section 5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// `content`.
    Content,
    /// `workspace`.
    Workspace,
    /// `policy`.
    Policy,
    /// `projection`.
    Projection,
    /// `provider`.
    Provider,
    /// `service`.
    Service,
    /// `model`.
    Model,
    /// `operation`.
    Operation,
    /// `origin`.
    Origin,
    /// `path`.
    Path,
    /// `region`.
    Region,
    /// `retention`.
    Retention,
    /// `training`.
    Training,
    /// `consumer`.
    Consumer,
    /// `labour`.
    Labour,
    /// `transport`.
    Transport,
    /// `price_class`.
    PriceClass,
    /// `assurance`.
    Assurance,
    /// `custody`.
    Custody,
    /// `actor`.
    Actor,
}

impl Change {
    /// All, in canonical order.
    pub const ALL: &'static [Self] = &[
        Self::Content,
        Self::Workspace,
        Self::Policy,
        Self::Projection,
        Self::Provider,
        Self::Service,
        Self::Model,
        Self::Operation,
        Self::Origin,
        Self::Path,
        Self::Region,
        Self::Retention,
        Self::Training,
        Self::Consumer,
        Self::Labour,
        Self::Transport,
        Self::PriceClass,
        Self::Assurance,
        Self::Custody,
        Self::Actor,
    ];

    /// The word in the language.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Content => "content",
            Self::Workspace => "workspace",
            Self::Policy => "policy",
            Self::Projection => "projection",
            Self::Provider => "provider",
            Self::Service => "service",
            Self::Model => "model",
            Self::Operation => "operation",
            Self::Origin => "origin",
            Self::Path => "path",
            Self::Region => "region",
            Self::Retention => "retention",
            Self::Training => "training",
            Self::Consumer => "consumer",
            Self::Labour => "labour",
            Self::Transport => "transport",
            Self::PriceClass => "price_class",
            Self::Assurance => "assurance",
            Self::Custody => "custody",
            Self::Actor => "actor",
        }
    }

    /// The value with this word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|v| v.word() == word)
    }
}

/// Outcomes of nodes. `Chosen` is the port of a choose for one candidate (the edge names it).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// A choose took the edge's candidate.
    Chosen,
    /// `ok`.
    Ok,
    /// `failed`.
    Failed,
    /// `none` of a choose: every candidate is closed.
    Closed,
    /// `cut_semantics_lost`.
    CutSemanticsLost,
    /// `verifier_uncertain`.
    VerifierUncertain,
    /// `denied`.
    Denied,
    /// `egress_denied`.
    EgressDenied,
    /// `unavailable`.
    Unavailable,
    /// `failed_before_submit`.
    FailedBeforeSubmit,
    /// `refused`.
    Refused,
    /// `failed_after_submit`.
    FailedAfterSubmit,
    /// `timeout_after_submit`.
    TimeoutAfterSubmit,
    /// `indeterminate`.
    Indeterminate,
    /// `lost`.
    Lost,
    /// `lost_envelope`.
    LostEnvelope,
    /// `cancelled`.
    Cancelled,
    /// `declined`.
    Declined,
    /// `expired`.
    Expired,
    /// `revoked`.
    Revoked,
    /// `timed_out`.
    TimedOut,
    /// `negative`.
    Negative,
    /// `invalid`.
    Invalid,
    /// `validation_failed`.
    ValidationFailed,
    /// `duplicate`.
    Duplicate,
    /// `conflict`.
    Conflict,
    /// `lease_lost`.
    LeaseLost,
    /// `known_no_effect`.
    KnownNoEffect,
    /// `known_effect`.
    KnownEffect,
    /// `known_failed`.
    KnownFailed,
    /// `still_unknown`.
    StillUnknown,
    /// `new_plan`.
    NewPlan,
}

impl Outcome {
    /// All, in canonical order.
    pub const ALL: &'static [Self] = &[
        Self::Chosen,
        Self::Ok,
        Self::Failed,
        Self::Closed,
        Self::CutSemanticsLost,
        Self::VerifierUncertain,
        Self::Denied,
        Self::EgressDenied,
        Self::Unavailable,
        Self::FailedBeforeSubmit,
        Self::Refused,
        Self::FailedAfterSubmit,
        Self::TimeoutAfterSubmit,
        Self::Indeterminate,
        Self::Lost,
        Self::LostEnvelope,
        Self::Cancelled,
        Self::Declined,
        Self::Expired,
        Self::Revoked,
        Self::TimedOut,
        Self::Negative,
        Self::Invalid,
        Self::ValidationFailed,
        Self::Duplicate,
        Self::Conflict,
        Self::LeaseLost,
        Self::KnownNoEffect,
        Self::KnownEffect,
        Self::KnownFailed,
        Self::StillUnknown,
        Self::NewPlan,
    ];

    /// The word in the language.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Chosen => "chosen",
            Self::Ok => "ok",
            Self::Failed => "failed",
            Self::Closed => "none",
            Self::CutSemanticsLost => "cut_semantics_lost",
            Self::VerifierUncertain => "verifier_uncertain",
            Self::Denied => "denied",
            Self::EgressDenied => "egress_denied",
            Self::Unavailable => "unavailable",
            Self::FailedBeforeSubmit => "failed_before_submit",
            Self::Refused => "refused",
            Self::FailedAfterSubmit => "failed_after_submit",
            Self::TimeoutAfterSubmit => "timeout_after_submit",
            Self::Indeterminate => "indeterminate",
            Self::Lost => "lost",
            Self::LostEnvelope => "lost_envelope",
            Self::Cancelled => "cancelled",
            Self::Declined => "declined",
            Self::Expired => "expired",
            Self::Revoked => "revoked",
            Self::TimedOut => "timed_out",
            Self::Negative => "negative",
            Self::Invalid => "invalid",
            Self::ValidationFailed => "validation_failed",
            Self::Duplicate => "duplicate",
            Self::Conflict => "conflict",
            Self::LeaseLost => "lease_lost",
            Self::KnownNoEffect => "known_no_effect",
            Self::KnownEffect => "known_effect",
            Self::KnownFailed => "known_failed",
            Self::StillUnknown => "still_unknown",
            Self::NewPlan => "new_plan",
        }
    }

    /// The value with this word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|v| v.word() == word)
    }
}

/// Terminals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// Adopted and finished.
    Done,
    /// Refused, with a reason.
    Refused,
    /// No declared road is eligible.
    PendingNoRoad,
    /// It may have acted.
    Indeterminate,
    /// It may have acted and cannot be asked.
    Lost,
    /// Cancelled.
    Cancelled,
    /// Expired.
    Expired,
    /// Overtaken.
    Stale,
}

impl Stop {
    /// All, in canonical order.
    pub const ALL: &'static [Self] = &[
        Self::Done,
        Self::Refused,
        Self::PendingNoRoad,
        Self::Indeterminate,
        Self::Lost,
        Self::Cancelled,
        Self::Expired,
        Self::Stale,
    ];

    /// The word in the language.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Refused => "refused",
            Self::PendingNoRoad => "pending_no_road",
            Self::Indeterminate => "indeterminate",
            Self::Lost => "lost",
            Self::Cancelled => "cancelled",
            Self::Expired => "expired",
            Self::Stale => "stale",
        }
    }

    /// The value with this word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|v| v.word() == word)
    }
}

/// What a node does with material that was found elsewhere (RL116).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Duty {
    /// Finds it.
    Search,
    /// Checks where it came from.
    Provenance,
    /// Checks that it may be taken in; an unknown right is none.
    Rights,
    /// Keeps it.
    Storage,
}

impl Duty {
    /// All, in canonical order.
    pub const ALL: &'static [Self] = &[Self::Search, Self::Provenance, Self::Rights, Self::Storage];

    /// The word in the language.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::Provenance => "provenance",
            Self::Rights => "rights",
            Self::Storage => "storage",
        }
    }

    /// The value with this word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|v| v.word() == word)
    }
}

/// What a node is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NodeKind {
    /// Entry of a flow.
    Start,
    /// Classify the payload.
    Classify,
    /// Minimise for the road's consumer.
    Minimize,
    /// Read volatile facts again.
    Resolve,
    /// Persist before leaving the invocation.
    Checkpoint,
    /// Release a reservation.
    Release,
    /// Choose a road.
    Choose(super::ChooseId),
    /// Privacy cut for the road's consumer.
    Cut,
    /// Verify the cut.
    Verify,
    /// Reserve budget.
    Reserve,
    /// Commit a decision.
    Decide {
        /// `decide fresh`: names no parent decision.
        fresh: bool,
    },
    /// Durable attempt.
    Attempt,
    /// Egress decision for the road's target.
    Egress,
    /// Transmit to the road's target.
    Send,
    /// Call a local road.
    Call,
    /// Wait for a person.
    AwaitUser,
    /// Wait for a machine.
    AwaitExternal,
    /// Quarantine a return.
    Quarantine,
    /// Validate a return.
    Validate,
    /// Consume once.
    Consume,
    /// Adopt.
    Adopt,
    /// An effect, by name.
    Effect(String),
    /// Ask what became of a transmission.
    Reconcile,
    /// A person reviews and makes a new plan.
    Review,
    /// Repair a candidate: a new question.
    Repair,
    /// A node of the policy's own: carries no gate. Its only outcomes are ok and failed.
    Own(String),
    /// A child returns to its parent, by name.
    Return(String),
    /// A terminal, with the reason of a refusal (empty for the others).
    Stop(Stop, String),
}

impl NodeKind {
    /// The word in the language, without arguments.
    #[must_use]
    pub fn word(&self) -> &str {
        match self {
            Self::Start => "start",
            Self::Classify => "classify",
            Self::Minimize => "minimize",
            Self::Resolve => "resolve",
            Self::Checkpoint => "checkpoint",
            Self::Release => "release",
            Self::Choose(_) => "choose",
            Self::Cut => "cut",
            Self::Verify => "verify",
            Self::Reserve => "reserve",
            Self::Decide { .. } => "decide",
            Self::Attempt => "attempt",
            Self::Egress => "egress",
            Self::Send => "send",
            Self::Call => "call",
            Self::AwaitUser | Self::AwaitExternal => "await",
            Self::Quarantine => "quarantine",
            Self::Validate => "validate",
            Self::Consume => "consume",
            Self::Adopt => "adopt",
            Self::Effect(_) => "effect",
            Self::Reconcile => "reconcile",
            Self::Review => "review",
            Self::Repair => "repair",
            Self::Own(name) => name,
            Self::Return(_) => "return",
            Self::Stop(stop, _) => stop.word(),
        }
    }

    /// No edge leaves it.
    #[must_use]
    pub fn is_terminal(&self) -> bool {
        matches!(self, Self::Return(_) | Self::Stop(..))
    }

    /// The outcomes the node can have (MODEL.md section 3), in canonical order; for a choose, [`Outcome::Chosen`] once
    /// per candidate and [`Outcome::Closed`]. `shape` is that of the node's road.
    #[must_use]
    pub fn outcomes(&self, shape: Option<Shape>) -> &'static [Outcome] {
        use Outcome as O;
        match self {
            Self::Start
            | Self::Classify
            | Self::Minimize
            | Self::Resolve
            | Self::Checkpoint
            | Self::Release
            | Self::Quarantine
            | Self::Repair
            | Self::Own(_) => &[O::Ok, O::Failed],
            Self::Choose(_) => &[O::Chosen, O::Closed],
            Self::Cut => &[O::Ok, O::CutSemanticsLost, O::Failed],
            Self::Verify => &[O::Ok, O::VerifierUncertain, O::Failed],
            Self::Reserve | Self::Decide { .. } | Self::Attempt => &[O::Ok, O::Denied],
            Self::Egress => &[O::Ok, O::EgressDenied],
            Self::Send => match shape {
                Some(Shape::Peer) => &[
                    O::Ok,
                    O::Unavailable,
                    O::FailedBeforeSubmit,
                    O::Refused,
                    O::Failed,
                    O::Declined,
                    O::Expired,
                    O::Revoked,
                    O::Cancelled,
                    O::Lost,
                    O::LostEnvelope,
                ],
                Some(Shape::Coding | Shape::CodingLocal) => {
                    &[O::Ok, O::FailedBeforeSubmit, O::Failed, O::Cancelled, O::TimedOut, O::Lost]
                }
                _ => &[
                    O::Ok,
                    O::Unavailable,
                    O::FailedBeforeSubmit,
                    O::Refused,
                    O::FailedAfterSubmit,
                    O::TimeoutAfterSubmit,
                    O::Indeterminate,
                    O::Lost,
                    O::LostEnvelope,
                    O::Cancelled,
                ],
            },
            Self::Call | Self::AwaitUser | Self::AwaitExternal => {
                &[O::Ok, O::Unavailable, O::Failed, O::Declined, O::Expired, O::Cancelled]
            }
            Self::Validate => &[O::Ok, O::Negative, O::Invalid, O::ValidationFailed],
            Self::Consume => &[O::Ok, O::Duplicate, O::Conflict],
            Self::Adopt | Self::Effect(_) => &[O::Ok, O::Refused, O::Expired, O::LeaseLost],
            Self::Reconcile => &[O::KnownNoEffect, O::KnownEffect, O::KnownFailed, O::StillUnknown],
            Self::Review => &[O::NewPlan, O::Refused],
            Self::Return(_) | Self::Stop(..) => &[],
        }
    }
}
