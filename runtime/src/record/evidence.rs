//! Digests that may be told: keyed, and scoped so that two readers, purposes, classes, key epochs or retentions cannot compare
//! what they were told. A plain hash of a prompt tells everyone who can guess the prompt.

use super::hash;
use crate::control::Digest;

/// What the digest of a scope is derived under.
const CONTEXT: &str = "roadlaw evidence digest 1";

/// Longest evidence in bytes. Longer evidence is told by a digest of it.
pub const EVIDENCE: usize = hash::LONGEST;

/// The five scopes of a digest, all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scope {
    consumer: Digest,
    purpose: u32,
    class: u16,
    epoch: u32,
    retention: u32,
}

/// Why there is no such scope or digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ScopeError {
    /// The consumer is zeros: it is nobody.
    Consumer,
    /// The purpose is 0: it is none.
    Purpose,
    /// The record class is 0: it is none.
    Class,
    /// The key epoch is 0, or not that of the key.
    Epoch,
    /// The retention is 0: it is none.
    Retention,
    /// The key is zeros.
    Key,
    /// The evidence is longer than [`EVIDENCE`].
    Evidence,
}

impl core::fmt::Display for ScopeError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Consumer => "the scope names no consumer",
            Self::Purpose => "the scope names no purpose",
            Self::Class => "the scope names no record class",
            Self::Epoch => "the scope names no key epoch, or that of another key",
            Self::Retention => "the scope names no retention",
            Self::Key => "the key is all zeros",
            Self::Evidence => "the evidence is longer than 1024 bytes: tell a digest of it",
        })
    }
}

impl core::error::Error for ScopeError {}

impl Scope {
    /// A scope. Numbers are the program's own, as in records.
    ///
    /// # Errors
    /// One of the five is none.
    pub fn new(consumer: Digest, purpose: u32, class: u16, epoch: u32, retention: u32) -> Result<Self, ScopeError> {
        let made = Self { consumer, purpose, class, epoch, retention };
        match (consumer == [0; 32], purpose, class, epoch, retention) {
            (true, ..) => Err(ScopeError::Consumer),
            (_, 0, ..) => Err(ScopeError::Purpose),
            (_, _, 0, ..) => Err(ScopeError::Class),
            (_, _, _, 0, _) => Err(ScopeError::Epoch),
            (.., 0) => Err(ScopeError::Retention),
            _ => Ok(made),
        }
    }
}

/// A key of one epoch. It cannot be printed or copied by accident; who keeps and changes it is the program's matter.
pub struct EvidenceKey {
    key: Digest,
    epoch: u32,
}

impl core::fmt::Debug for EvidenceKey {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("EvidenceKey").field("epoch", &self.epoch).finish_non_exhaustive()
    }
}

/// A digest that may be told to the consumer of its scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EvidenceDigest(pub Digest);

impl EvidenceKey {
    /// A key, from 32 secret random bytes.
    ///
    /// # Errors
    /// The bytes are zeros, or the epoch is 0.
    pub fn new(secret: Digest, epoch: u32) -> Result<Self, ScopeError> {
        match (secret == [0; 32], epoch) {
            (true, _) => Err(ScopeError::Key),
            (_, 0) => Err(ScopeError::Epoch),
            _ => Ok(Self { key: secret, epoch }),
        }
    }

    /// The digest of evidence in a scope: BLAKE3 keyed with a key that is derived from this one for the scope alone.
    ///
    /// # Errors
    /// The scope is of another key epoch, or the evidence is longer than [`EVIDENCE`].
    pub fn digest(&self, scope: &Scope, evidence: &[u8]) -> Result<EvidenceDigest, ScopeError> {
        if scope.epoch != self.epoch {
            return Err(ScopeError::Epoch);
        }
        // Every part has a fixed length, so that no two scopes are written alike.
        let numbers = [scope.purpose.to_le_bytes(), scope.epoch.to_le_bytes(), scope.retention.to_le_bytes()];
        let [purpose, epoch, retention] = numbers;
        let class = scope.class.to_le_bytes();
        let parts: [&[u8]; 6] = [&self.key, &scope.consumer, &purpose, &class, &epoch, &retention];
        let mut material = [0; 78];
        for (to, from) in material.iter_mut().zip(parts.into_iter().flatten()) {
            *to = *from;
        }
        let scoped = hash::derive(CONTEXT, &material).ok_or(ScopeError::Evidence)?;
        hash::keyed(&scoped, evidence).map(EvidenceDigest).ok_or(ScopeError::Evidence)
    }
}
