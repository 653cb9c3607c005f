//! Decision records. Feature `record`.
//!
//! A [`RoadDecision`] says what was selected at a `decide` of a run, in integers and digests of 32 bytes alone: no field could hold
//! a name, a path, a text or a credential. It says nothing of what became of the selection. Its form is `RECORD.md` beside this
//! crate; [`RoadDecision::write`] fills a buffer of the caller's, [`RoadDecision::read`] takes bytes back and refuses those that
//! it would not have written. A [`Recorder`] makes the decisions of one run and links each to the one before.
//!
//! A record never leaves: what may be told of it is an opaque random id, or an [`EvidenceDigest`].
//!
//! TRUSTED: the caller's digests, its clock, and that it keeps what it wrote.

mod evidence;
mod hash;
mod recorder;
mod wire;

pub use evidence::{EVIDENCE, EvidenceDigest, EvidenceKey, Scope, ScopeError};
pub use recorder::{Recorder, Written};
pub use wire::{LENGTH, MAGIC, VERSION};

use crate::control::{Digest, expired};
use crate::format::node;
use crate::table::Table;

/// What an id is derived under: a digest of anything else is none of a decision.
const CONTEXT: &str = "roadlaw road decision 1";

/// The id of a decision: BLAKE3 in its key derivation mode over the canonical bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DecisionId(pub Digest);

/// The most that the road may use under this decision. What is used up to a ceiling is allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budgets {
    /// Milliseconds; at least 1.
    pub time: u64,
    /// Requests.
    pub requests: u64,
    /// Tokens sent.
    pub tokens_in: u64,
    /// Tokens received.
    pub tokens_out: u64,
    /// Tokens in all.
    pub tokens: u64,
    /// Spend, in the policy's unit (cents).
    pub spend: u64,
}

/// What the program knows of a decision; the rest is the run's. Numbers are the program's own: 0 stands for none of them and is
/// refused, and so is a digest of zeros.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Selection {
    /// Digest of the target; a road that leaves this machine has one.
    pub target: Option<Digest>,
    /// Digest of the work's input.
    pub input: Digest,
    /// Digest of the exact bytes that are to leave; a road that leaves this machine has one.
    pub export: Option<Digest>,
    /// Digest of the set of artifacts.
    pub artifact_set: Option<Digest>,
    /// Digest of the manifest of sources.
    pub source_manifest: Option<Digest>,
    /// Digest of what influenced the selection.
    pub influence: Option<Digest>,
    /// Digest of what is still disclosed after a cut.
    pub residual_disclosure: Option<Digest>,
    /// Digest of what is expected to come back.
    pub expected_result: Digest,
    /// Digest of the validators that will look at it.
    pub validators: Option<Digest>,
    /// Number of the purpose.
    pub purpose: u32,
    /// From this second on the decision is expired.
    pub expiry: u64,
    /// What may be used.
    pub budgets: Budgets,
    /// Number of the record class.
    pub class: u16,
    /// Number of who may see the record.
    pub visibility: u16,
    /// Number of the rule by which it is kept.
    pub retention: u32,
}

/// A decision: `Copy`, of fixed size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RoadDecision {
    policy: Digest,
    table: Digest,
    node: u32,
    road: u32,
    generation: u32,
    epoch: u32,
    policy_epoch: u64,
    parent: Option<DecisionId>,
    selection: Selection,
}

/// A field that a decision must have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Field {
    /// The digest of the policy.
    Policy,
    /// The digest of the table.
    Table,
    /// The digest of the target.
    Target,
    /// The digest of the input.
    Input,
    /// The digest of the export.
    Export,
    /// The digest of the set of artifacts.
    ArtifactSet,
    /// The digest of the manifest of sources.
    SourceManifest,
    /// The digest of the influences.
    Influence,
    /// The digest of what is still disclosed.
    ResidualDisclosure,
    /// The digest of the expected result.
    ExpectedResult,
    /// The digest of the validators.
    Validators,
    /// The id of the parent.
    Parent,
    /// The purpose.
    Purpose,
    /// The time among the budgets.
    Time,
    /// The record class.
    Class,
    /// The visibility.
    Visibility,
    /// The retention.
    Retention,
}

/// Why there is no such record. Nothing was written, and nothing else changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecordError {
    /// The buffer is too small.
    Buffer {
        /// Bytes that a record takes.
        needed: usize,
    },
    /// The bytes are not as many as a record has.
    Length,
    /// They do not begin as a record does.
    Magic,
    /// The record is of another version.
    Version {
        /// The version that it names.
        found: u16,
    },
    /// Bits or bytes that are zero in every record are not.
    Reserved,
    /// A field is missing: its number is 0, its digest is zeros, or nothing stands where something must.
    Missing(Field),
    /// A field that is said to be absent is there.
    Absent(Field),
    /// The id is that of another record.
    Id,
    /// The run stands at no `decide` of a road.
    NotADecision,
    /// The table is not the one that the run pinned, or another than that of the decision before.
    PinnedPolicyUnavailable,
    /// The facts were read in an older epoch than the run's.
    StaleFacts {
        /// The run's epoch.
        needed: u32,
    },
    /// The policy's epoch is not that of the decision before.
    PolicyEpoch,
    /// The generation is before that of the decision before.
    StaleAttempt,
    /// It would be expired already.
    Expired,
    /// The table has no such node, or the node decides about another road.
    Place,
    /// It names another parent, or none.
    Parent,
}

impl core::fmt::Display for RecordError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Buffer { needed } => write!(f, "the buffer is too small: a record takes {needed} bytes"),
            Self::Length => write!(f, "a record has {LENGTH} bytes"),
            Self::Magic => f.write_str("not a decision record: the magic bytes are missing"),
            Self::Version { found } => write!(f, "record version {found} is not known; this runtime reads {VERSION}"),
            Self::Reserved => f.write_str("reserved bits or bytes are not zero"),
            Self::Missing(field) => write!(f, "{} is missing", field.word()),
            Self::Absent(field) => write!(f, "{} is said to be absent, and is there", field.word()),
            Self::Id => f.write_str("the id is that of another record"),
            Self::NotADecision => f.write_str("the run stands at no decide of a road"),
            Self::PinnedPolicyUnavailable => f.write_str("pinned policy unavailable: the table has another digest"),
            Self::StaleFacts { needed } => write!(f, "stale facts: the run is in epoch {needed}"),
            Self::PolicyEpoch => f.write_str("the policy is of another epoch than that of the decision before"),
            Self::StaleAttempt => f.write_str("stale attempt: the decision before is of a later generation"),
            Self::Expired => f.write_str("the decision is expired"),
            Self::Place => f.write_str("the table has no such decide of this road"),
            Self::Parent => f.write_str("it does not name this parent"),
        }
    }
}

impl core::error::Error for RecordError {}

impl Field {
    /// What it is called.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Policy => "policy_digest",
            Self::Table => "table_digest",
            Self::Target => "target_digest",
            Self::Input => "input_digest",
            Self::Export => "export_digest",
            Self::ArtifactSet => "artifact_set_digest",
            Self::SourceManifest => "source_manifest_digest",
            Self::Influence => "influence_digest",
            Self::ResidualDisclosure => "residual_disclosure_digest",
            Self::ExpectedResult => "expected_result",
            Self::Validators => "validators",
            Self::Parent => "parent",
            Self::Purpose => "purpose",
            Self::Time => "budgets.time",
            Self::Class => "record_class",
            Self::Visibility => "visibility",
            Self::Retention => "retention",
        }
    }
}

impl RoadDecision {
    /// Digest of the policy: of the model that the table was made from.
    #[must_use]
    pub fn policy(&self) -> Digest {
        self.policy
    }

    /// Digest of the table.
    #[must_use]
    pub fn table(&self) -> Digest {
        self.table
    }

    /// The `decide`, as a node of the table.
    #[must_use]
    pub fn node(&self) -> u32 {
        self.node
    }

    /// The road, as a road of the table.
    #[must_use]
    pub fn road(&self) -> u32 {
        self.road
    }

    /// The run's generation when it decided.
    #[must_use]
    pub fn generation(&self) -> u32 {
        self.generation
    }

    /// The run's epoch when it decided.
    #[must_use]
    pub fn epoch(&self) -> u32 {
        self.epoch
    }

    /// The epoch that the policy was signed for; 0 where nobody signed.
    #[must_use]
    pub fn policy_epoch(&self) -> u64 {
        self.policy_epoch
    }

    /// The decision that this one follows; `None`: a first attempt.
    #[must_use]
    pub fn parent(&self) -> Option<DecisionId> {
        self.parent
    }

    /// What the program said.
    #[must_use]
    pub fn selection(&self) -> &Selection {
        &self.selection
    }

    /// Its id.
    #[must_use]
    pub fn id(&self) -> DecisionId {
        let mut bytes = [0; LENGTH];
        // A record fits its length.
        let _ = self.write(&mut bytes);
        id_of(&bytes)
    }

    /// Whether it is expired now. An expired decision is decided again.
    #[must_use]
    pub fn is_expired(&self, now: u64) -> bool {
        expired(now, self.selection.expiry)
    }

    /// Whether it belongs to this table: its digests, a `decide` at its node, and that one's road.
    ///
    /// # Errors
    /// It belongs to another.
    pub fn fits(&self, table: &Table<'_>) -> Result<(), RecordError> {
        if self.table != table.digest() || self.policy != table.model_digest() {
            return Err(RecordError::PinnedPolicyUnavailable);
        }
        let node = usize::try_from(self.node).ok().and_then(|n| table.node(n)).ok_or(RecordError::Place)?;
        let road = usize::try_from(self.road).ok();
        let parent = self.parent.is_some();
        if !decides(node.kind()) || node.road() != road || parent && node.kind() == node::DECIDE_FRESH {
            return Err(RecordError::Place);
        }
        match road.and_then(|r| table.road(r)) {
            Some(r) if r.remote() => self.selection.leaves(),
            Some(_) => Ok(()),
            None => Err(RecordError::Place),
        }
    }

    /// Whether it follows another decision of the same run.
    ///
    /// # Errors
    /// It names another parent or none, or policy, epoch or generation are not such as follow.
    pub fn follows(&self, parent: &Self) -> Result<(), RecordError> {
        if self.parent != Some(parent.id()) {
            return Err(RecordError::Parent);
        }
        if self.table != parent.table || self.policy != parent.policy {
            return Err(RecordError::PinnedPolicyUnavailable);
        }
        if self.policy_epoch != parent.policy_epoch {
            return Err(RecordError::PolicyEpoch);
        }
        if self.generation < parent.generation || self.epoch < parent.epoch {
            return Err(RecordError::StaleAttempt);
        }
        Ok(())
    }
}

impl Selection {
    /// What leaves this machine names its target and its exact bytes.
    fn leaves(&self) -> Result<(), RecordError> {
        match (self.target, self.export) {
            (None, _) => Err(RecordError::Missing(Field::Target)),
            (_, None) => Err(RecordError::Missing(Field::Export)),
            _ => Ok(()),
        }
    }
}

/// The id of canonical bytes, which are shorter than the longest input.
pub(crate) fn id_of(bytes: &[u8; LENGTH]) -> DecisionId {
    DecisionId(hash::derive(CONTEXT, bytes).unwrap_or_default())
}

const _: () = assert!(LENGTH <= hash::LONGEST);

fn decides(kind: u8) -> bool {
    kind == node::DECIDE || kind == node::DECIDE_FRESH
}
