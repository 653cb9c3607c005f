//! The decisions of one run, each linked to the one before.

use super::{DecisionId, RecordError, RoadDecision, Selection, decides, id_of, wire::LENGTH};
use crate::control::expired;
use crate::facts::Facts;
use crate::format::node;
use crate::run::Run;
use crate::table::Table;

/// Makes the decisions of one run: `Copy`, to be kept beside it. It remembers the last decision, which `decide` names as its
/// parent by itself, so that no caller can leave the link out or make one up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Recorder {
    last: Option<RoadDecision>,
    policy_epoch: u64,
}

/// A decision that stands in the caller's buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Written {
    /// Its id.
    pub id: DecisionId,
    /// The decision.
    pub decision: RoadDecision,
    /// Bytes that it takes from the buffer's start.
    pub length: usize,
}

impl Recorder {
    /// For a run that has decided nothing. `policy_epoch` is the epoch that its table was signed for; 0 where nobody signed.
    #[must_use]
    pub fn new(policy_epoch: u64) -> Self {
        Self { last: None, policy_epoch }
    }

    /// For a run that is resumed: `last` is the last decision that was kept of it.
    #[must_use]
    pub fn resume(last: RoadDecision) -> Self {
        Self { last: Some(last), policy_epoch: last.policy_epoch() }
    }

    /// The last decision.
    #[must_use]
    pub fn last(&self) -> Option<&RoadDecision> {
        self.last.as_ref()
    }

    /// Whether the `decide` that the run stands at was recorded, in the run's generation and epoch. Ask before `ok` is told of it.
    #[must_use]
    pub fn has(&self, run: &Run) -> bool {
        self.last.as_ref().is_some_and(|d| {
            d.table() == run.table_digest()
                && usize::try_from(d.node()) == Ok(run.node())
                && (d.generation(), d.epoch()) == (run.generation(), run.epoch())
        })
    }

    /// Writes the decision of the `decide` that the run stands at. Keep the bytes before the run goes on. Asked twice at one
    /// place, it replaces nothing: the second is a decision of its own, whose parent is the first.
    ///
    /// # Errors
    /// There is no such decision, something is missing of it, facts are stale, it would be expired, or the buffer is too small;
    /// neither the buffer nor the recorder changes then.
    pub fn record(
        &mut self,
        run: &Run,
        table: &Table<'_>,
        facts: &Facts,
        selection: &Selection,
        now: u64,
        buffer: &mut [u8],
    ) -> Result<Written, RecordError> {
        if run.table_digest() != table.digest() {
            return Err(RecordError::PinnedPolicyUnavailable);
        }
        if facts.epoch() < run.epoch() {
            return Err(RecordError::StaleFacts { needed: run.epoch() });
        }
        let here = table.node(run.node()).ok_or(RecordError::NotADecision)?;
        let road = here.road().filter(|_| decides(here.kind())).ok_or(RecordError::NotADecision)?;
        if expired(now, selection.expiry) {
            return Err(RecordError::Expired);
        }
        // A fresh decision is a first attempt; any other follows the last one, if there is one.
        let parent = self.last.filter(|_| here.kind() != node::DECIDE_FRESH);
        let decision = RoadDecision {
            policy: table.model_digest(),
            table: table.digest(),
            node: u32::try_from(run.node()).map_err(|_| RecordError::Place)?,
            road: u32::try_from(road).map_err(|_| RecordError::Place)?,
            generation: run.generation(),
            epoch: run.epoch(),
            policy_epoch: self.policy_epoch,
            parent: parent.map(|p| p.id()),
            selection: *selection,
        };
        decision.complete()?;
        decision.fits(table)?;
        if let Some(parent) = parent {
            decision.follows(&parent)?;
        }
        decision.write(buffer)?;
        let bytes: &[u8; LENGTH] = buffer.first_chunk().ok_or(RecordError::Buffer { needed: LENGTH })?;
        self.last = Some(decision);
        Ok(Written { id: id_of(bytes), decision, length: LENGTH })
    }
}
