//! Resuming from a checkpoint: only the same work, only by whoever may, and never on facts that were read before.

use super::Digest;
use super::session::Session;

/// Who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asker {
    /// The program that manages the session.
    Manager,
    /// A person.
    Person,
}

/// What a checkpoint belongs to. Everything must be as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Binding {
    /// The version of the checkpoint's own form.
    pub version: u32,
    /// The project.
    pub project: Digest,
    /// The artifacts that the work had.
    pub artifacts: Digest,
}

/// A checkpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checkpoint {
    /// What it belongs to.
    pub binding: Binding,
    /// Where the session stood.
    pub session: Session,
    /// A gate has not answered.
    pub pending_gate: bool,
    /// A handoff has not come back.
    pub pending_handoff: bool,
}

/// Why a session is not resumed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Blocked {
    /// The checkpoint has a form that is not this one.
    Version,
    /// It belongs to another project.
    Project,
    /// The artifacts changed.
    Artifacts,
    /// The session is not one that waits: it is new, runs, or is over.
    Session,
    /// Only a person resumes what waits for a person, or has failed.
    NeedsPerson,
    /// A gate has not answered.
    PendingGate,
    /// A handoff has not come back.
    PendingHandoff,
    /// Something that the work needs cannot be had now.
    Capability,
}

impl core::fmt::Display for Blocked {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Version => "the checkpoint has another version",
            Self::Project => "the checkpoint belongs to another project",
            Self::Artifacts => "the artifacts changed",
            Self::Session => "the session does not wait",
            Self::NeedsPerson => "only a person resumes this",
            Self::PendingGate => "a gate has not answered",
            Self::PendingHandoff => "a handoff has not come back",
            Self::Capability => "a capability that the work needs cannot be had",
        })
    }
}

impl core::error::Error for Blocked {}

/// Whether a session may be resumed. `capable`: every capability that the work needs was found again, now.
///
/// # Errors
/// The first reason, in the order of [`Blocked`].
pub fn resume(checkpoint: &Checkpoint, now: &Binding, capable: bool, asker: Asker) -> Result<(), Blocked> {
    let was = &checkpoint.binding;
    if was.version != now.version {
        return Err(Blocked::Version);
    }
    if was.project != now.project {
        return Err(Blocked::Project);
    }
    if was.artifacts != now.artifacts {
        return Err(Blocked::Artifacts);
    }
    match (checkpoint.session, asker) {
        (Session::Idle | Session::AwaitingExternal, _) | (Session::AwaitingUser | Session::Failed, Asker::Person) => {}
        (Session::AwaitingUser | Session::Failed, Asker::Manager) => return Err(Blocked::NeedsPerson),
        _ => return Err(Blocked::Session),
    }
    if checkpoint.pending_gate {
        return Err(Blocked::PendingGate);
    }
    if checkpoint.pending_handoff {
        return Err(Blocked::PendingHandoff);
    }
    if capable { Ok(()) } else { Err(Blocked::Capability) }
}

/// What a resumed session does with a piece of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// It was consumed: it is not done again.
    Skip,
    /// It is pending: volatile facts are read again before anything is decided about it.
    ReResolve,
}

/// What a resumed session does with a piece of work.
#[must_use]
pub fn work(consumed: bool) -> Work {
    if consumed { Work::Skip } else { Work::ReResolve }
}
