//! Mutants: every single change of a catalogue, made to a proved policy, and what notices it.
//!
//! Takes a policy whose proof and tests hold. For each change ([`operators`]) the changed text goes the whole way of any
//! policy. It is *rejected* by a law, *caught* by one of the policy's own `test` blocks, *equivalent* where both policies
//! are proved to decide and run alike (`equal`), or *alive*: then a law or a test is missing. What is neither proved
//! nor refuted is undecided, and never equivalent.

mod edit;
mod equal;
mod judge;
pub mod operators;
mod subject;

pub use edit::Hunk;
pub use operators::{CATALOGUE, Operator};

use crate::lower::Input;
use crate::pipeline::{Checked, check};
use crate::table::Options;
use crate::testing;
use judge::Base;
use std::sync::atomic::{AtomicUsize, Ordering};
use subject::Subject;

/// What noticed a mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// A law, or the rules of the language.
    Rejected {
        /// The first code that is reported.
        code: &'static str,
        /// What is said about it.
        message: String,
    },
    /// A `test` block of the policy.
    Caught {
        /// Its name.
        test: String,
    },
    /// Nothing has to: both decide and run alike for all facts and outcomes.
    Equivalent {
        /// By what this was proved.
        how: &'static str,
    },
    /// Nothing did.
    Alive {
        /// Where a run differs, if that is known.
        differs: String,
    },
    /// Neither proved nor refuted.
    Undecided {
        /// What was not decided.
        why: String,
    },
}

impl Fate {
    /// The word in output.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Rejected { .. } => "rejected",
            Self::Caught { .. } => "caught",
            Self::Equivalent { .. } => "equivalent",
            Self::Alive { .. } => "alive",
            Self::Undecided { .. } => "undecided",
        }
    }
}

/// One changed policy.
#[derive(Debug, Clone)]
pub struct Mutant {
    /// The operator's name.
    pub operator: &'static str,
    /// The file that is changed, as it is shown.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// What was changed, for people.
    pub what: String,
    /// The lines that change.
    pub hunks: Vec<Hunk>,
    /// What noticed it.
    pub fate: Fate,
}

/// What came of a policy.
#[derive(Debug)]
pub enum Mutated {
    /// The policy itself is not proved, or not proved and tested: nothing was changed.
    Unfit {
        /// The policy's own verdict.
        checked: Box<Checked>,
        /// Names of its failed tests.
        failed: Vec<String>,
    },
    /// All its mutants, by operator, then in source order.
    Mutants {
        /// The policy, `name@version`.
        policy: String,
        /// The mutants.
        mutants: Vec<Mutant>,
    },
}

/// Changes a policy by the operators with these names (all where none is named), with two threads. Deterministic; never
/// panics on a policy; writes nothing.
#[must_use]
pub fn mutate(input: &Input, only: &[&str]) -> Mutated {
    let checked = check(input.clone(), Options::default());
    let (Some(model), Some(bytes)) = (&checked.model, &checked.table) else {
        return Mutated::Unfit { checked: Box::new(checked), failed: Vec::new() };
    };
    let failed: Vec<String> =
        testing::run(model, bytes).into_iter().flatten().filter(|t| t.failure.is_some()).map(|t| t.name).collect();
    if !failed.is_empty() {
        return Mutated::Unfit { checked: Box::new(checked), failed };
    }
    let subject = Subject::new(&checked.sources, model);
    let chosen = operators::all().filter(|o| only.is_empty() || only.contains(&o.name));
    let changes: Vec<(&'static str, edit::Change)> = chosen
        .flat_map(|o| {
            let mut changes = (o.changes)(&subject);
            changes.retain(|c| o.shipped || !c.files().iter().any(|f| subject.is_shipped(*f)));
            changes.sort_by_key(|c| (c.at.file, c.at.start, c.at.end));
            changes.into_iter().map(|c| (o.name, c))
        })
        .collect();
    let base = Base::new(input, &checked.sources, model, &subject);
    let fates = in_two(&changes, |(_, change)| base.judge(change));
    let mutants = changes
        .iter()
        .zip(fates)
        .filter_map(|((operator, change), fate)| {
            let fate = fate?;
            Some(Mutant {
                operator,
                file: checked.sources.file(change.at.file).map_or_else(String::new, |f| f.name.clone()),
                line: checked.sources.line_column(change.at.file, change.at.start).0,
                what: change.what.clone(),
                hunks: change.excerpt(&checked.sources),
                fate,
            })
        })
        .collect();
    Mutated::Mutants { policy: format!("{}@{}", model.name, model.version), mutants }
}

/// The results of independent pieces of work, in order.
fn in_two<T: Sync, R: Send>(all: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let one = || {
        let mut done = Vec::new();
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = all.get(i) else { return done };
            done.push((i, work(item)));
        }
    };
    let mut done = std::thread::scope(|s| {
        let other = s.spawn(one);
        let mut done = one();
        match other.join() {
            Ok(rest) => done.extend(rest),
            Err(panic) => std::panic::resume_unwind(panic),
        }
        done
    });
    done.sort_by_key(|(i, _)| *i);
    done.into_iter().map(|(_, r)| r).collect()
}
