//! The policy in force, and how another takes its place: checked first, swapped whole, or not at all.

use crate::kept;
use crate::metrics::{Counters, Metrics};
use crate::policy::{Policy, Rejected, Trust};
use arc_swap::ArcSwap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::MissedTickBehavior;

/// Larger files are not read.
const LARGEST: u64 = 64 << 20;

/// Where tables come from, and which are taken.
#[derive(Debug, Clone)]
pub struct Source {
    /// The table; its signature stands beside it, with `.sig` after the name.
    pub table: PathBuf,
    /// Whose tables are taken.
    pub trust: Trust,
    /// The least epoch that is taken.
    pub least: u64,
    /// Where the greatest epoch is kept from one start to the next.
    pub keep: Option<PathBuf>,
    /// How often the files are looked at.
    pub poll: Duration,
}

impl Source {
    /// Keeps the epoch of a policy that is about to be in force.
    fn kept(&self, policy: &Policy) -> Result<(), Rejected> {
        self.keep.as_ref().map_or(Ok(()), |keep| kept::write(keep, policy.epoch))
    }
}

/// A policy in force.
pub struct InForce {
    /// The policy.
    pub policy: Policy,
    /// Which one it is since the server began, from 1.
    pub generation: u64,
    /// What is counted of it.
    pub counters: Counters,
}

/// What every request and the reloader share.
pub struct Live {
    now: ArcSwap<InForce>,
    /// What is counted.
    pub metrics: Metrics,
    last_rejected: Mutex<Option<String>>,
    source: Source,
}

/// The files as they were last looked at.
#[derive(PartialEq, Eq)]
enum Seen {
    Files { table: Vec<u8>, signature: Vec<u8> },
    Unreadable(String),
}

impl Live {
    /// Takes the first policy. Without one there is no server.
    ///
    /// # Errors
    /// What is wrong with the table.
    pub async fn open(mut source: Source) -> Result<Self, Rejected> {
        if let Some(keep) = &source.keep {
            source.least = source.least.max(kept::read(keep)?);
        }
        let policy = match look(&source).await {
            Seen::Unreadable(why) => return Err(Rejected::Unreadable(why)),
            Seen::Files { table, signature } => Policy::new(table, &signature, source.trust, source.least)?,
        };
        source.kept(&policy)?;
        let metrics = Metrics::new();
        let first = InForce { generation: 1, counters: metrics.of(&policy), policy };
        metrics.swapped(&first, None);
        Ok(Self { now: ArcSwap::from_pointee(first), metrics, last_rejected: Mutex::new(None), source })
    }

    /// The policy in force. A request takes it once and keeps it to its end: no answer mixes two policies.
    pub fn now(&self) -> Arc<InForce> {
        self.now.load_full()
    }

    /// Why the last table was not taken, unless one was taken since.
    pub fn last_rejected(&self) -> Option<String> {
        self.last_rejected.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Looks at the files for ever, by their content: times of change lie on some file systems. What is there is judged once,
    /// whenever it is not what was there before, so that a table which is written in pieces is rejected until it is whole. To
    /// avoid such reports, write table and signature elsewhere and rename them.
    pub async fn follow(&self) {
        let mut seen = None;
        let mut tick = tokio::time::interval(self.source.poll);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tick.tick().await;
            let found = look(&self.source).await;
            if seen.as_ref() != Some(&found) {
                self.judge(&found);
                seen = Some(found);
            }
        }
    }

    fn judge(&self, found: &Seen) {
        let now = self.now();
        let judged = match found {
            Seen::Unreadable(why) => Err(Rejected::Unreadable(why.clone())),
            // The bytes in force are fine as they are; but signed for a later epoch they close the way to those between.
            Seen::Files { table, signature } if table == now.policy.table().bytes() => {
                match self.next(&now.policy, table, signature) {
                    Ok(same) if same.epoch > now.policy.epoch => Ok(same),
                    _ => return self.note(None),
                }
            }
            Seen::Files { table, signature } => self.next(&now.policy, table, signature),
        };
        match judged {
            Ok(policy) => {
                let generation = now.generation.saturating_add(1);
                let next = InForce { generation, counters: self.metrics.of(&policy), policy };
                self.metrics.swapped(&next, Some(&now));
                let p = &next.policy;
                eprintln!("in force: {} {}, epoch {}, generation {generation}", p.name, p.digest(), p.epoch);
                self.now.store(Arc::new(next));
                self.note(None);
            }
            Err(why) => {
                self.metrics.rejected(&why);
                eprintln!("not taken: {why}; generation {} stays in force", now.generation);
                self.note(Some(why.to_string()));
            }
        }
    }

    fn next(&self, now: &Policy, table: &[u8], signature: &[u8]) -> Result<Policy, Rejected> {
        let Source { trust, least, .. } = self.source;
        let next = Policy::new(table.to_vec(), signature, trust, least.max(now.epoch))?;
        // Two tables of one epoch could be swapped back and forth by whoever can write the file.
        if matches!(trust, Trust::Key(_)) && next.epoch == now.epoch {
            return Err(Rejected::SameEpoch(now.epoch));
        }
        self.source.kept(&next)?;
        Ok(next)
    }

    fn note(&self, rejected: Option<String>) {
        *self.last_rejected.lock().unwrap_or_else(PoisonError::into_inner) = rejected;
    }
}

async fn look(source: &Source) -> Seen {
    let said = |path: &Path, e: &std::io::Error| Seen::Unreadable(format!("{}: {e}", path.display()));
    let table = match read(&source.table).await {
        Ok(table) => table,
        Err(e) => return said(&source.table, &e),
    };
    if matches!(source.trust, Trust::Anybody) {
        return Seen::Files { table, signature: Vec::new() };
    }
    let mut beside = source.table.clone().into_os_string();
    beside.push(".sig");
    let beside = PathBuf::from(beside);
    // A signature that is not there is an empty one: the table is unsigned.
    match read(&beside).await {
        Ok(signature) => Seen::Files { table, signature },
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Seen::Files { table, signature: Vec::new() },
        Err(e) => said(&beside, &e),
    }
}

async fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    let size = tokio::fs::metadata(path).await?.len();
    if size > LARGEST {
        return Err(std::io::Error::other(format!("{size} bytes are more than the {LARGEST} that are read")));
    }
    tokio::fs::read(path).await
}
