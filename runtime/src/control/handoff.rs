//! Handoffs: work that one worker at a time holds under a lease.

use super::{Digest, lifetime};

/// The right to work on a handoff, and to complete it, until a moment that is still included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lease {
    worker: Digest,
    until: u64,
    attempt: u32,
}

impl Lease {
    /// Who holds it.
    #[must_use]
    pub fn worker(&self) -> Digest {
        self.worker
    }

    /// Its last second.
    #[must_use]
    pub fn until(&self) -> u64 {
        self.until
    }

    /// Which attempt this is, from 1. An answer that names another is fenced.
    #[must_use]
    pub fn attempt(&self) -> u32 {
        self.attempt
    }

    /// Others may reclaim from here on, and its holder is fenced, whether or not anybody does.
    #[must_use]
    pub fn over(&self, now: u64) -> bool {
        self.until < now
    }
}

/// Where a handoff stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Nobody holds it.
    Open,
    /// Somebody holds it, or held it and let the lease run out.
    Leased(Lease),
    /// It has a result, by its digest. For good.
    Completed(Digest),
    /// It failed. For good: what follows is a new handoff, under a decision of its own.
    Failed,
}

/// One handoff: who asked, and where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Handoff {
    source: Digest,
    state: State,
}

/// Why a handoff is not given or not taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum HandoffError {
    /// The lease lasts less than a second or more than a day.
    Lifetime,
    /// A worker is not its own source: whoever asks does not answer.
    OwnSource,
    /// Another worker holds a lease that is not over.
    LeaseActive,
    /// The handoff is completed or failed.
    Ended,
    /// The answer is not that of the lease in force: another worker, an older attempt, or no lease at all.
    NotTheHolder,
    /// The lease is over: reclaim first.
    LeaseOver,
    /// There is another result already: a hard stop.
    Conflict,
}

impl core::fmt::Display for HandoffError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Lifetime => "a lease lasts from one second to one day",
            Self::OwnSource => "a worker is not its own source",
            Self::LeaseActive => "another worker holds the lease",
            Self::Ended => "the handoff is completed or failed",
            Self::NotTheHolder => "the answer is not that of the lease in force",
            Self::LeaseOver => "the lease is over",
            Self::Conflict => "there is another result already",
        })
    }
}

impl core::error::Error for HandoffError {}

/// What completing did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Completed {
    /// The result is kept.
    Kept,
    /// The same result again: nothing happens twice.
    Duplicate,
}

impl Handoff {
    /// A new handoff of this source.
    #[must_use]
    pub fn new(source: Digest) -> Self {
        Self { source, state: State::Open }
    }

    /// Where it stands.
    #[must_use]
    pub fn state(&self) -> State {
        self.state
    }

    /// Takes an open handoff, or reclaims one whose lease is over: the next attempt, which fences the one before.
    ///
    /// # Errors
    /// The lifetime is out of range, the worker asked for this itself, another lease is active, or the handoff has ended.
    pub fn claim(&self, worker: Digest, now: u64, seconds: u64) -> Result<Self, HandoffError> {
        if !lifetime(seconds) {
            return Err(HandoffError::Lifetime);
        }
        if worker == self.source {
            return Err(HandoffError::OwnSource);
        }
        let attempt = match self.state {
            State::Open => 1,
            State::Leased(held) if held.over(now) => held.attempt.saturating_add(1),
            State::Leased(_) => return Err(HandoffError::LeaseActive),
            State::Completed(_) | State::Failed => return Err(HandoffError::Ended),
        };
        let lease = Lease { worker, until: now.saturating_add(seconds), attempt };
        Ok(Self { state: State::Leased(lease), ..*self })
    }

    /// Completes with a result, under the lease in force and not after it.
    ///
    /// # Errors
    /// The answer is not that of the lease in force, the lease is over, the handoff failed, or it has another result.
    pub fn complete(
        &self,
        worker: Digest,
        attempt: u32,
        now: u64,
        result: Digest,
    ) -> Result<(Self, Completed), HandoffError> {
        match self.state {
            State::Completed(kept) if kept == result => Ok((*self, Completed::Duplicate)),
            State::Completed(_) => Err(HandoffError::Conflict),
            State::Failed => Err(HandoffError::Ended),
            State::Open => Err(HandoffError::NotTheHolder),
            State::Leased(held) => {
                held_by(&held, worker, attempt, now)?;
                Ok((Self { state: State::Completed(result), ..*self }, Completed::Kept))
            }
        }
    }

    /// Gives it up for good, under the lease in force and not after it.
    ///
    /// # Errors
    /// The answer is not that of the lease in force, the lease is over, or the handoff has ended.
    pub fn fail(&self, worker: Digest, attempt: u32, now: u64) -> Result<Self, HandoffError> {
        match self.state {
            State::Leased(held) => {
                held_by(&held, worker, attempt, now)?;
                Ok(Self { state: State::Failed, ..*self })
            }
            State::Open => Err(HandoffError::NotTheHolder),
            State::Completed(_) | State::Failed => Err(HandoffError::Ended),
        }
    }
}

fn held_by(held: &Lease, worker: Digest, attempt: u32, now: u64) -> Result<(), HandoffError> {
    if held.worker != worker || held.attempt != attempt {
        return Err(HandoffError::NotTheHolder);
    }
    if held.over(now) { Err(HandoffError::LeaseOver) } else { Ok(()) }
}
