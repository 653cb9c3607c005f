//! Control-plane rules: what a store, a queue or a gate decides about leases, consumption, sessions, resumption, budgets and
//! labels, as pure functions. Times are seconds of one clock, digests are 32 bytes, and nothing here keeps anything: the
//! caller holds the records, swaps them whole (compare and swap), and asks before it does.
//!
//! They are rules of a run, not of a policy: no table proves that a store follows them. A run's obligations name the moments
//! at which they are due: `lease_fence`, `consume_once`, `re_resolve`, `compare_and_swap`.
//!
//! TRUSTED: the caller's clock, its digests, and that a record it hands in is the one it keeps.

pub mod consume;
pub mod grant;
pub mod handoff;
pub mod label;
pub mod resume;
pub mod session;

/// A digest of content, an opaque id, or the digest of a credential that stays where it is.
pub type Digest = [u8; 32];

/// Longest lifetime of a lease or a grant: 24 hours, in seconds.
pub const LONGEST: u64 = 86_400;

/// A lifetime is at least one second and at most [`LONGEST`].
#[must_use]
pub fn lifetime(seconds: u64) -> bool {
    (1..=LONGEST).contains(&seconds)
}

/// From its expiry on a thing is expired. Silence is expiry by our own clock: neither a refusal nor a success.
#[must_use]
pub fn expired(now: u64, expiry: u64) -> bool {
    now >= expiry
}
