//! Grants of a provider gate: one job may call one model of one provider, under one credential, up to some ceilings.

use super::{Digest, expired, lifetime};

/// What calls used, or use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Requests.
    pub requests: u64,
    /// Tokens sent.
    pub tokens_in: u64,
    /// Tokens received.
    pub tokens_out: u64,
    /// Cost, in the unit of the ceiling.
    pub cost: u64,
}

/// The most that all calls together may use. What is used up to a ceiling is allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ceilings {
    /// Requests.
    pub requests: u64,
    /// Tokens sent.
    pub tokens_in: u64,
    /// Tokens received.
    pub tokens_out: u64,
    /// Tokens in all.
    pub tokens: u64,
    /// Cost.
    pub cost: u64,
}

/// Who asks for what. The credential appears by its digest alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Subject {
    /// The job.
    pub job: Digest,
    /// The provider.
    pub provider: Digest,
    /// The model.
    pub model: Digest,
    /// The credential that the job presented.
    pub bearer: Digest,
}

/// One call: exactly one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Call {
    subject: Subject,
    usage: Usage,
}

/// Why a call is not let through, or cannot be one. Dimensions are compared in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Denied {
    /// A call is one request, neither none nor several.
    NotOneRequest,
    /// A grant lasts from one second to one day.
    Lifetime,
    /// The grant ran out.
    Expired,
    /// Another job.
    Job,
    /// Another provider.
    Provider,
    /// Another model.
    Model,
    /// Another credential.
    Bearer,
    /// Too many requests.
    Requests,
    /// Too many tokens in.
    TokensIn,
    /// Too many tokens out.
    TokensOut,
    /// Too many tokens in all.
    Tokens,
    /// Too dear.
    Cost,
}

impl core::fmt::Display for Denied {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::NotOneRequest => "a call is exactly one request",
            Self::Lifetime => "a grant lasts from one second to one day",
            Self::Expired => "the grant is expired",
            Self::Job => "the grant is for another job",
            Self::Provider => "the grant is for another provider",
            Self::Model => "the grant is for another model",
            Self::Bearer => "the credential is not that of the grant",
            Self::Requests => "no request is left",
            Self::TokensIn => "too few tokens in are left",
            Self::TokensOut => "too few tokens out are left",
            Self::Tokens => "too few tokens are left",
            Self::Cost => "too little money is left",
        })
    }
}

impl core::error::Error for Denied {}

impl Call {
    /// A call of this subject that will use this much at most.
    ///
    /// # Errors
    /// The usage is not that of one request.
    pub fn new(subject: Subject, usage: Usage) -> Result<Self, Denied> {
        if usage.requests == 1 { Ok(Self { subject, usage }) } else { Err(Denied::NotOneRequest) }
    }
}

/// A grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grant {
    subject: Subject,
    most: Ceilings,
    expiry: u64,
}

impl Grant {
    /// A grant from now on.
    ///
    /// # Errors
    /// The lifetime is out of range.
    pub fn new(subject: Subject, most: Ceilings, now: u64, seconds: u64) -> Result<Self, Denied> {
        if !lifetime(seconds) {
            return Err(Denied::Lifetime);
        }
        Ok(Self { subject, most, expiry: now.saturating_add(seconds) })
    }

    /// Lets a call through; returns what will be consumed with it. Reserve that before the call leaves.
    ///
    /// # Errors
    /// The grant is expired or another's, or a ceiling would be passed. Sums that do not fit pass every ceiling.
    pub fn authorize(&self, call: &Call, consumed: &Usage, now: u64) -> Result<Usage, Denied> {
        if expired(now, self.expiry) {
            return Err(Denied::Expired);
        }
        let (may, asks) = (&self.subject, &call.subject);
        for (same, other) in [
            (may.job == asks.job, Denied::Job),
            (may.provider == asks.provider, Denied::Provider),
            (may.model == asks.model, Denied::Model),
            (may.bearer == asks.bearer, Denied::Bearer),
        ] {
            if !same {
                return Err(other);
            }
        }
        let add = |had: u64, more: u64, most: u64, passed: Denied| {
            had.checked_add(more).filter(|sum| *sum <= most).ok_or(passed)
        };
        let (had, more, most) = (consumed, &call.usage, &self.most);
        let sum = Usage {
            requests: add(had.requests, more.requests, most.requests, Denied::Requests)?,
            tokens_in: add(had.tokens_in, more.tokens_in, most.tokens_in, Denied::TokensIn)?,
            tokens_out: add(had.tokens_out, more.tokens_out, most.tokens_out, Denied::TokensOut)?,
            cost: had.cost,
        };
        add(sum.tokens_in, sum.tokens_out, most.tokens, Denied::Tokens)?;
        let cost = add(had.cost, more.cost, most.cost, Denied::Cost)?;
        Ok(Usage { cost, ..sum })
    }
}
