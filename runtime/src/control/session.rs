//! The life of a session. That no road is open is a decision (`pending_no_road`), never a status: there is no such state.

/// Where a session stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Session {
    /// It exists, and nothing ran.
    Created,
    /// Something runs.
    Running,
    /// Nothing runs, and nothing is awaited.
    Idle,
    /// A person is awaited.
    AwaitingUser,
    /// A machine is awaited.
    AwaitingExternal,
    /// The work is done.
    Completed,
    /// The work failed.
    Failed,
    /// What it was about has changed.
    Stale,
    /// It is over.
    Terminated,
}

impl Session {
    /// All, in order.
    pub const ALL: [Self; 9] = [
        Self::Created,
        Self::Running,
        Self::Idle,
        Self::AwaitingUser,
        Self::AwaitingExternal,
        Self::Completed,
        Self::Failed,
        Self::Stale,
        Self::Terminated,
    ];

    /// The word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Running => "running",
            Self::Idle => "idle",
            Self::AwaitingUser => "awaiting_user",
            Self::AwaitingExternal => "awaiting_external",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Stale => "stale",
            Self::Terminated => "terminated",
        }
    }

    /// The state with this word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.word() == word)
    }

    /// Whether the session may go from here to there. Staying is no step.
    #[must_use]
    pub fn may_become(self, to: Self) -> bool {
        match self {
            Self::Created => matches!(to, Self::Running | Self::Terminated),
            Self::Running => !matches!(to, Self::Created | Self::Running),
            Self::Idle => matches!(to, Self::Running | Self::Completed | Self::Terminated | Self::Stale),
            Self::AwaitingUser | Self::AwaitingExternal => {
                matches!(to, Self::Running | Self::Failed | Self::Terminated | Self::Stale)
            }
            Self::Failed => matches!(to, Self::Running | Self::Terminated | Self::Stale),
            Self::Completed => to == Self::Stale,
            Self::Stale => to == Self::Terminated,
            Self::Terminated => false,
        }
    }
}
