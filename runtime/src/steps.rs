//! Runs whose obligations the type system carries.
//!
//! [`Run`] refuses at run time to go on while obligations are open. Here that order is one of types: a [`Ready`] run can be
//! advanced, a [`Due`] run can only be told that its obligations were met, an [`Ended`] one neither. None of them can be copied,
//! so that no earlier state of a run can be advanced a second time. What the types cannot know, whether an obligation was met
//! truly and in time, stays with the caller. [`Run`] itself is for storing between two steps.
//!
//! ```
//! use roadlaw_runtime::{Facts, Table, format::OK, steps::{Refused, State}};
//! /// One step by `ok`, after whatever is due.
//! fn step(state: State, table: &Table<'_>, facts: &Facts) -> Result<State, Refused> {
//!     match state {
//!         State::Ready(ready) => {
//!             let generation = ready.run().generation();
//!             ready.advance(table, generation, OK, facts).map(|(next, _)| next)
//!         }
//!         State::Due(due) => {
//!             let open = due.obligations(); // see to them here
//!             Ok(due.met(open))
//!         }
//!         ended => Ok(ended),
//!     }
//! }
//! ```
//!
//! A run of which something is due has no way on:
//!
//! ```compile_fail,E0599
//! use roadlaw_runtime::{Facts, Table, format::OK, steps::Due};
//! fn skip(due: Due, table: &Table<'_>, facts: &Facts) {
//!     let _ = due.advance(table, 0, OK, facts);
//! }
//! ```
//!
//! Nor is a run advanced twice from one place:
//!
//! ```compile_fail,E0382
//! use roadlaw_runtime::{Facts, Table, format::OK, steps::Ready};
//! fn twice(ready: Ready, table: &Table<'_>, facts: &Facts) {
//!     let _ = ready.advance(table, 0, OK, facts);
//!     let _ = ready.advance(table, 0, OK, facts);
//! }
//! ```

use crate::facts::Facts;
use crate::run::{Run, RunError, Step};
use crate::table::Table;

/// A run that nothing is due of.
#[derive(Debug, PartialEq, Eq)]
pub struct Ready(Run);

/// A run whose last step left obligations open.
#[derive(Debug, PartialEq, Eq)]
#[must_use = "the run goes on only when its obligations are met"]
pub struct Due {
    run: Run,
    ended: bool,
}

/// A run that has ended, and whose obligations were met.
#[derive(Debug, PartialEq, Eq)]
pub struct Ended(Run);

/// Where a step leads.
#[derive(Debug, PartialEq, Eq)]
#[must_use = "it holds the run"]
pub enum State {
    /// The next step may be taken.
    Ready(Ready),
    /// Obligations come first, those of an end too.
    Due(Due),
    /// No step follows.
    Ended(Ended),
}

/// A step that was refused: the run as it was, and why.
#[derive(Debug, PartialEq, Eq)]
pub struct Refused {
    /// The run.
    pub run: Ready,
    /// Why.
    pub why: RunError,
}

impl core::fmt::Display for Refused {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}", self.why)
    }
}

impl core::error::Error for Refused {}

impl State {
    /// A run in its state: one that was just started, or stored.
    ///
    /// # Errors
    /// The table is not the one that the run pinned.
    pub fn of(run: Run, table: &Table<'_>) -> Result<Self, RunError> {
        if run.table_digest() != table.digest() {
            return Err(RunError::PinnedPolicyUnavailable);
        }
        Ok(Self::sorted(run, table.node(run.node()).is_none_or(|n| n.is_terminal())))
    }

    fn sorted(run: Run, ended: bool) -> Self {
        match (run.obligations(), ended) {
            (0, true) => Self::Ended(Ended(run)),
            (0, false) => Self::Ready(Ready(run)),
            _ => Self::Due(Due { run, ended }),
        }
    }
}

impl Ready {
    /// The run, to read or store.
    #[must_use]
    pub fn run(&self) -> &Run {
        &self.0
    }

    /// Moves along the port of an outcome: see [`Run::advance`].
    ///
    /// # Errors
    /// The step is refused; the run comes back unchanged.
    #[expect(clippy::result_large_err, reason = "a refused step gives the run back, and nothing here allocates")]
    pub fn advance(
        self,
        table: &Table<'_>,
        generation: u32,
        outcome: u8,
        facts: &Facts,
    ) -> Result<(State, Step), Refused> {
        let mut run = self.0;
        match run.advance(table, generation, outcome, facts) {
            Ok(step) => Ok((State::sorted(run, step.ended), step)),
            Err(why) => Err(Refused { run: self, why }),
        }
    }
}

impl Due {
    /// The run, to read or store.
    #[must_use]
    pub fn run(&self) -> &Run {
        &self.run
    }

    /// What is due, as bits: see [`crate::format::obligation`].
    #[must_use]
    pub fn obligations(&self) -> u32 {
        self.run.obligations()
    }

    /// Says that obligations were met. While some are open the run stays due.
    pub fn met(mut self, obligations: u32) -> State {
        self.run.acknowledge(obligations);
        State::sorted(self.run, self.ended)
    }
}

impl Ended {
    /// The run, to read.
    #[must_use]
    pub fn run(&self) -> &Run {
        &self.0
    }
}
