//! Consuming once: a return counts one time for one consumer.

use super::{Digest, lifetime};

/// What is consumed, and by whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    /// The type of the thing: a handoff, a verdict, a message, a nonce. The caller numbers its types.
    pub kind: u16,
    /// Its id.
    pub id: Digest,
    /// Who consumes it.
    pub consumer: Digest,
}

/// A consumption that is kept: the key, and the digest of what was consumed under it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The key.
    pub key: Key,
    /// The digest of the content.
    pub content: Digest,
}

/// What consuming comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consumption {
    /// For the first time: keep the entry, then act.
    Consumed,
    /// The same content under the same key: nothing happens twice.
    Duplicate,
    /// Other content under the same key: a hard stop.
    Conflict,
    /// There is no such thing, or nobody found it valid: nothing is kept.
    NotValidated,
}

/// Consumes against the entries that are kept, in any order. O(entries).
#[must_use]
pub fn consume(kept: &[Entry], new: &Entry, validated: bool) -> Consumption {
    if !validated {
        return Consumption::NotValidated;
    }
    match kept.iter().find(|e| e.key == new.key) {
        None => Consumption::Consumed,
        Some(e) if e.content == new.content => Consumption::Duplicate,
        Some(_) => Consumption::Conflict,
    }
}

/// A consumption in progress: begun on some evidence, under a lease, in an epoch that fences the ones before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Processing {
    evidence: Digest,
    until: u64,
    epoch: u32,
}

/// Why a consumption in progress is not taken over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProcessingError {
    /// The lease lasts less than a second or more than a day.
    Lifetime,
    /// Whoever began is still at it.
    LeaseActive,
    /// It was begun on other evidence: for this evidence the thing is consumed.
    Consumed,
}

impl core::fmt::Display for ProcessingError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Lifetime => "a lease lasts from one second to one day",
            Self::LeaseActive => "the consumption is in progress",
            Self::Consumed => "it was consumed on other evidence",
        })
    }
}

impl core::error::Error for ProcessingError {}

impl Processing {
    /// Begins, in epoch 1.
    ///
    /// # Errors
    /// The lifetime is out of range.
    pub fn begin(evidence: Digest, now: u64, seconds: u64) -> Result<Self, ProcessingError> {
        if !lifetime(seconds) {
            return Err(ProcessingError::Lifetime);
        }
        Ok(Self { evidence, until: now.saturating_add(seconds), epoch: 1 })
    }

    /// The epoch: whoever finishes names it.
    #[must_use]
    pub fn epoch(&self) -> u32 {
        self.epoch
    }

    /// Whether this epoch may still finish.
    #[must_use]
    pub fn may_finish(&self, epoch: u32, now: u64) -> bool {
        epoch == self.epoch && now <= self.until
    }

    /// Takes over what somebody left unfinished: the same evidence, in the next epoch.
    ///
    /// # Errors
    /// The lifetime is out of range, the evidence is other evidence, or the lease is not over.
    pub fn recover(&self, evidence: Digest, now: u64, seconds: u64) -> Result<Self, ProcessingError> {
        if !lifetime(seconds) {
            return Err(ProcessingError::Lifetime);
        }
        if evidence != self.evidence {
            return Err(ProcessingError::Consumed);
        }
        if now <= self.until {
            return Err(ProcessingError::LeaseActive);
        }
        Ok(Self { evidence, until: now.saturating_add(seconds), epoch: self.epoch.saturating_add(1) })
    }
}
