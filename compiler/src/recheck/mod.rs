//! A proof looked at again, without Z3 and without the engines.
//!
//! Takes a [`Manifest`], the model of the source and the table; works out from the model alone what must be proved, and
//! checks that every invariant is one, that every run runs, and that the table says what the model says. Shares with the
//! engines the lowering, the graph of [`crate::graph`] and the statement of the laws in [`crate::laws`], and nothing else:
//! diagrams, conditions, products and the reader of tables are its own.
//!
//! TRUSTED: the lowering, the graph, the statement of the laws, BLAKE3, this module.

mod bounds;
pub(crate) mod cells;
mod chooses;
mod diagrams;
mod invariance;
mod invariant;
mod obligations;
mod runs;
mod table;
pub(crate) mod two_runs;

use crate::graph::graph;
use crate::laws::catalogue::profiles::laws_of;
use crate::laws::local;
use crate::manifest::{self, About, LeftOut, Manifest, Obligation, SCHEMA, hex};
use crate::model::{self, Model};
use bounds::{Counted, Runs};
use cells::Cells;
use invariant::{Checker, Fault};
use obligations::{Asked, Check, Key};
use std::collections::BTreeMap;

/// Why a proof is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The text is no manifest.
    #[error("it is no proof: {0}")]
    Malformed(String),
    /// It is a manifest of another version.
    #[error("it is a `{found}`, and this program reads a `{SCHEMA}`")]
    Schema {
        /// What it calls itself.
        found: String,
    },
    /// It was made for something else, or altered.
    #[error("the {what} is another: the proof names {claimed}, here it is {found}")]
    Digest {
        /// Policy, model, table, ..
        what: &'static str,
        /// What the proof says.
        claimed: String,
        /// What is so.
        found: String,
    },
    /// An obligation is not there.
    #[error("{law} of {subject} ({by}) is not in the proof")]
    Missing {
        /// Code.
        law: String,
        /// What it is about.
        subject: String,
        /// What is followed or asked.
        by: String,
    },
    /// An obligation is there that the policy does not owe.
    #[error("{law} of `{subject}` ({by}) is in the proof, and the policy owes no such thing")]
    Unknown {
        /// Code.
        law: String,
        /// What it is about.
        subject: String,
        /// What is followed or asked.
        by: String,
    },
    /// Evidence is wrong.
    #[error("{law} of {subject} ({by}): {why}")]
    Wrong {
        /// Code.
        law: String,
        /// What it is about.
        subject: String,
        /// What is followed or asked.
        by: String,
        /// What is wrong.
        why: String,
    },
    /// The invariant of a track is wrong.
    #[error("the invariant of `{track}`: {why}")]
    Invariant {
        /// Its name.
        track: String,
        /// What is wrong.
        why: String,
    },
    /// The table says something else.
    #[error("the table does not say what the policy says: {0}")]
    Table(String),
}

impl Refusal {
    /// It is not even a proof that this program could look at.
    #[must_use]
    pub fn unreadable(&self) -> bool {
        matches!(self, Self::Malformed(_) | Self::Schema { .. })
    }
}

/// An obligation that was not looked at again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trusted {
    /// Code.
    pub law: String,
    /// What it is about.
    pub subject: String,
    /// What is followed or asked.
    pub by: String,
    /// Why.
    pub why: String,
}

/// A proof that was looked at again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rechecked {
    /// Obligations in all.
    pub total: usize,
    /// Those that hold, by how that was seen.
    pub checked: BTreeMap<&'static str, usize>,
    /// Those that were taken from the proof as they are.
    pub trusted: Vec<Trusted>,
}

/// Reads a manifest.
///
/// # Errors
/// The text is none, or one of another version.
pub fn read(text: &[u8]) -> Result<Manifest, Refusal> {
    #[derive(serde::Deserialize)]
    struct Head {
        schema: String,
    }
    let malformed = |e: serde_json::Error| Refusal::Malformed(e.to_string());
    let head: Head = serde_json::from_slice(text).map_err(malformed)?;
    if head.schema != SCHEMA {
        return Err(Refusal::Schema { found: head.schema });
    }
    serde_json::from_slice(text).map_err(malformed)
}

/// Looks at a proof again. Deterministic; never panics.
///
/// # Errors
/// The first thing that is not as the proof says.
pub fn recheck(proof: &Manifest, model: &Model, table: &[u8]) -> Result<Rechecked, Refusal> {
    digests(proof, model, table)?;
    let g = graph(model);
    let tracks = obligations::tracks(&g);
    let mut claimed: BTreeMap<Key, Vec<&Obligation>> = BTreeMap::new();
    for o in &proof.obligations {
        let key = (o.law.clone(), (o.subject.kind, o.subject.id), o.by.clone());
        claimed.entry(key).or_default().push(o);
    }
    let other = model.any_provider.as_deref().map(graph);
    let any = other.as_ref().unwrap_or(&g);
    let due = obligations::due(&g, any, &tracks, local::obligations(&g));
    let mut pairs = Vec::new();
    for asked in due {
        let Some(o) = claimed.get_mut(&asked.key).and_then(Vec::pop) else {
            let (law, (kind, id), by) = asked.key;
            let subject = proof.obligations.iter().find(|o| (o.subject.kind, o.subject.id) == (kind, id));
            let subject =
                subject.map_or_else(|| format!("{kind:?} {id}").to_lowercase(), |o| format!("`{}`", o.subject.name));
            return Err(Refusal::Missing { law, subject, by });
        };
        pairs.push((asked, o));
    }
    if let Some(o) = claimed.values().flatten().next() {
        let (law, subject, by) = (o.law.clone(), o.subject.name.clone(), o.by.clone());
        return Err(Refusal::Unknown { law, subject, by });
    }
    let mut whole = invariants(proof, &g, &tracks)?;
    let mut book = Rechecked { total: pairs.len(), ..Rechecked::default() };
    let mut cells = Cells::new(&g);
    let runs = Runs::of(&g);
    for (asked, o) in &pairs {
        let wrong = |why: &str| {
            let (law, subject, by) = (o.law.clone(), format!("`{}`", o.subject.name), o.by.clone());
            Err(Refusal::Wrong { law, subject, by, why: why.to_owned() })
        };
        if o.subject != About::of(asked.key.1).subject(model) {
            return wrong("what it is about stands elsewhere, or has another name");
        }
        if !asked.methods.contains(&o.method.as_str()) {
            return wrong(&format!("it is not proved by `{}`", o.method));
        }
        let wanted = evidence(&asked.check);
        if wanted.1 && o.run.is_none() {
            return wrong("there is no run");
        }
        if (o.track.is_some(), o.run.is_some()) != wanted {
            return wrong("its evidence is that of another method");
        }
        match one(asked, o, &g, any, &mut whole, &mut cells, &runs) {
            Answer::Checked(how) => *book.checked.entry(how).or_default() += 1,
            Answer::Wrong(why) => return wrong(&why),
            Answer::Trusted(why) => book.trusted.push(Trusted {
                law: o.law.clone(),
                subject: o.subject.name.clone(),
                by: o.by.clone(),
                why: why.to_owned(),
            }),
        }
    }
    for what in table::check(table, &g, &mut cells).map_err(Refusal::Table)? {
        let (law, by, why) = ("RL901".to_owned(), "the table".to_owned(), TOO_LARGE.to_owned());
        book.trusted.push(Trusted { law, subject: what, by, why });
    }
    Ok(book)
}

/// Names and digests: what the proof is about is what is here.
fn digests(proof: &Manifest, model: &Model, table: &[u8]) -> Result<(), Refusal> {
    let at = |from: usize| table.get(from..from + 32).and_then(|b| b.first_chunk::<32>()).map(hex).unwrap_or_default();
    let certificate = hex(&manifest::certificate_digest(&proof.certificate()));
    let model_here = hex(&model::digest(model));
    let names: Vec<String> = model.facts.iter().map(|f| f.name.clone()).collect();
    for (what, claimed, found) in [
        ("policy", &proof.policy, &format!("{}@{}", model.name, model.version)),
        ("profile", &proof.profile, &model.profile.word().to_owned()),
        ("model", &proof.digests.model, &model_here),
        ("list of laws", &proof.laws.join(" "), &laws_of(model.profile).join(" ")),
        ("list of cells", &proof.cells.join(" "), &names.join(" ")),
        ("list of obligations", &proof.digests.proof, &certificate),
        ("table", &proof.digests.table, &hex(&table::digest(table))),
        ("model that the table names", &proof.digests.model, &at(roadlaw_runtime::format::MODEL_AT)),
        ("proof that the table names", &proof.digests.proof, &at(roadlaw_runtime::format::PROOF_AT)),
    ] {
        if claimed != found {
            return Err(Refusal::Digest { what, claimed: claimed.clone(), found: found.clone() });
        }
    }
    if proof.left_out != LeftOut::of(model.profile) {
        return Err(Refusal::Malformed("its list of laws that are left out is not that of the profile".to_owned()));
    }
    if proof.assumed != manifest::ASSUMED {
        return Err(Refusal::Malformed("its list of what is assumed is not that of this program".to_owned()));
    }
    Ok(())
}

/// Checks every invariant; which of them are too large to be looked at.
fn invariants(
    proof: &Manifest,
    g: &crate::graph::Graph<'_>,
    tracks: &[Box<dyn crate::laws::track::Track>],
) -> Result<Vec<bool>, Refusal> {
    if proof.tracks.len() != tracks.len() {
        let why = format!("it has {} invariants, and the policy asks for {}", proof.tracks.len(), tracks.len());
        return Err(Refusal::Malformed(why));
    }
    let mut checker = Checker::new(g, proof).map_err(Refusal::Malformed)?;
    let mut whole = Vec::new();
    for (track, claimed) in tracks.iter().zip(&proof.tracks) {
        whole.push(match checker.track(track.as_ref(), claimed) {
            Ok(()) => true,
            Err(Fault::TooLarge) => {
                checker = Checker::new(g, proof).map_err(Refusal::Malformed)?;
                false
            }
            Err(Fault::Wrong(why)) => return Err(Refusal::Invariant { track: track.name(g.model), why }),
        });
    }
    Ok(whole)
}

enum Answer {
    Checked(&'static str),
    Trusted(&'static str),
    Wrong(String),
}

const TOO_LARGE: &str = "too large for the checker's own diagrams";

/// Whether an obligation names an invariant, and whether it holds a run.
fn evidence(check: &Check) -> (bool, bool) {
    (matches!(check, Check::Track(_)), matches!(check, Check::Used(_) | Check::Word(..)))
}

fn one(
    asked: &Asked,
    o: &Obligation,
    g: &crate::graph::Graph<'_>,
    any: &crate::graph::Graph<'_>,
    whole: &mut [bool],
    cells: &mut Cells<'_>,
    runs: &[Runs],
) -> Answer {
    let m = g.model;
    match &asked.check {
        Check::Track(i) if o.track != crate::graph::narrow(*i).into() => {
            Answer::Wrong("it names the invariant of another".to_owned())
        }
        Check::Track(i) if whole[*i] => Answer::Checked("invariant"),
        Check::Track(_) => Answer::Trusted(TOO_LARGE),
        Check::Facts(cond, wanted) => {
            cells.tidy();
            let (set, valid) = (cells.cond(cond), cells.valid(&cond.cells()));
            let set = cells.d.and(set, valid);
            match cells.d.never(set) {
                Err(_) => {
                    cells.fresh();
                    Answer::Trusted(TOO_LARGE)
                }
                Ok(never) if never == *wanted => {
                    let what = if *wanted { "no facts satisfy it" } else { "some facts satisfy what none may" };
                    Answer::Wrong(what.to_owned())
                }
                Ok(_) => Answer::Checked("facts"),
            }
        }
        Check::Used(_) | Check::Word(..) => {
            let Some(run) = &o.run else { return Answer::Wrong("there is no run".to_owned()) };
            let edges = match runs::replay(g, run) {
                Ok(edges) => edges,
                Err(why) => return Answer::Wrong(format!("the run does not replay: {why}")),
            };
            let shown = match (&asked.check, run.pair) {
                (Check::Used(r), _) => runs::uses(m, &edges, *r),
                (Check::Word(group, word), Some(pair)) => runs::shows_change(g, &edges, group, pair, word),
                _ => false,
            };
            if shown { Answer::Checked("run") } else { Answer::Wrong("the run does not show it".to_owned()) }
        }
        Check::Compared(c) => match two_runs::check(g, cells, *c, &[]) {
            Ok(true) => Answer::Checked("two runs"),
            Ok(false) => Answer::Wrong("two runs differ where they must not".to_owned()),
            Err(_) => {
                cells.fresh();
                Answer::Trusted(TOO_LARGE)
            }
        },
        Check::Differ(names, c) => match invariance::check(if *names { any } else { g }, *names, *c) {
            Ok(true) => Answer::Checked("two runs"),
            Ok(false) => Answer::Wrong("two runs differ where they must not".to_owned()),
            Err(_) => Answer::Trusted(TOO_LARGE),
        },
        Check::Written(true) => Answer::Checked("reading"),
        Check::Written(false) => Answer::Wrong("the policy does not say what it must".to_owned()),
        Check::Bound(b) => match bounds::check(g, runs, *b) {
            Counted::Holds => Answer::Checked("counting"),
            Counted::Broken => Answer::Wrong("it does not hold".to_owned()),
            Counted::Trusted(why) => Answer::Trusted(why),
        },
    }
}
