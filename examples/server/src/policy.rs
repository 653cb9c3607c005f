//! A policy in force: a table that was checked whole, with its names looked up once.

use crate::told::Told;
use roadlaw_runtime::format::{OK, node};
use roadlaw_runtime::verify::{VerifyError, verify};
use roadlaw_runtime::{
    CellKind, Closed, Facts, Latches, Obligation, Obligations, Run, RunError, Symbol, Table, TableError,
};
use self_cell::self_cell;
use std::collections::BTreeMap;

self_cell!(
    /// Bytes and the table that borrows them: dropped together, when the last request that uses them is answered.
    struct Owned {
        owner: Vec<u8>,
        #[covariant]
        dependent: Table,
    }
);

/// Whose tables are taken.
#[derive(Debug, Clone, Copy)]
pub enum Trust {
    /// Those that this key signed.
    Key([u8; 32]),
    /// Any: for machines where only the owner can write the file.
    Anybody,
}

/// Why a table is not taken. The one in force stays.
#[derive(Debug)]
#[non_exhaustive]
pub enum Rejected {
    /// The file cannot be read.
    Unreadable(String),
    /// The bytes are no table.
    Table(TableError),
    /// The signature does not fit, or is of an older epoch.
    Signature(VerifyError),
    /// Another table of the epoch in force: which of the two is newer, nobody could say.
    SameEpoch(u64),
    /// It was built with `--strip`: requests name facts.
    Stripped,
    /// The greatest epoch so far cannot be read or kept.
    Unkept(String),
}

impl std::fmt::Display for Rejected {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unreadable(e) => write!(f, "the file cannot be read: {e}"),
            Self::Table(e) => write!(f, "{e}"),
            Self::Signature(e) => write!(f, "{e}"),
            Self::SameEpoch(n) => write!(f, "another table of epoch {n} is in force: sign this one for a later epoch"),
            Self::Stripped => f.write_str("the table has no names: build it without --strip"),
            Self::Unkept(e) => write!(f, "the greatest epoch cannot be kept: {e}"),
        }
    }
}

impl std::error::Error for Rejected {}

impl Rejected {
    /// One word, for counting.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Unreadable(_) => "unreadable",
            Self::Table(_) | Self::Signature(VerifyError::Table(_) | VerifyError::Digest) => "damaged",
            Self::Signature(VerifyError::Epoch { .. }) => "older_epoch",
            Self::Signature(VerifyError::Unsigned) => "unsigned",
            Self::Signature(_) => "signature",
            Self::SameEpoch(_) => "same_epoch",
            Self::Stripped => "stripped",
            Self::Unkept(_) => "unkept",
        }
    }
}

/// A fact that cannot be used as it was told. Nothing is decided then.
#[derive(Debug, PartialEq, Eq)]
pub struct Misfit {
    /// The fact.
    pub fact: String,
    /// What is wrong with it.
    pub why: String,
}

/// What was decided.
#[derive(Debug)]
pub struct Decision {
    /// The road that may carry the work; `None`: it is refused.
    pub road: Option<usize>,
    /// Where the flow stands: what it waits for, or its end.
    pub place: usize,
    /// The first reason of every candidate that is closed.
    pub closed: Vec<(usize, Closed)>,
    /// What the caller must see to on the way to that place.
    pub obligations: u32,
}

/// A checked table with its names.
pub struct Policy {
    owned: Owned,
    /// The epoch that it was signed for; 0 where nobody signed.
    pub epoch: u64,
    /// The policy's name and version.
    pub name: String,
    /// Names of the roads.
    pub roads: Vec<String>,
    /// Names of the filters of all roads.
    pub filters: Vec<String>,
    places: Vec<String>,
    cells: BTreeMap<String, usize>,
    /// Words of the values or labels of each cell.
    words: Vec<Vec<String>>,
}

impl Policy {
    /// Checks everything before anything is used. `least` is the least epoch that is taken.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn new(bytes: Vec<u8>, signature: &[u8], trust: Trust, least: u64) -> Result<Self, Rejected> {
        let epoch = match trust {
            Trust::Anybody => 0,
            Trust::Key(key) => verify(&bytes, signature, &key, least).map_err(Rejected::Signature)?.epoch(),
        };
        let owned = Owned::try_new(bytes, |bytes| Table::from_bytes(bytes)).map_err(Rejected::Table)?;
        let table = owned.borrow_dependent();
        if !table.has_symbols() {
            return Err(Rejected::Stripped);
        }
        let name = |s: Symbol| table.name(s).map(|n| n.to_string()).unwrap_or_default();
        let words = |cell: usize| match table.cell(cell).map(|c| c.kind()) {
            Some(CellKind::Enum { values: n } | CellKind::Level { values: n } | CellKind::Set { labels: n }) => {
                (0..usize::from(n)).map(|value| name(Symbol::Value { cell, value })).collect()
            }
            _ => Vec::new(),
        };
        Ok(Self {
            epoch,
            name: name(Symbol::Policy),
            roads: (0..table.roads()).map(|i| name(Symbol::Road(i))).collect(),
            filters: (0..table.filters()).map(|i| name(Symbol::Filter(i))).collect(),
            places: (0..table.nodes()).map(|i| name(Symbol::Node(i))).collect(),
            cells: (0..table.cells()).map(|i| (name(Symbol::Cell(i)), i)).collect(),
            words: (0..table.cells()).map(words).collect(),
            owned,
        })
    }

    /// The table.
    pub fn table(&self) -> &Table<'_> {
        self.owned.borrow_dependent()
    }

    /// Its digest, as it is pinned.
    pub fn digest(&self) -> String {
        self.table().digest().iter().map(|b| format!("{b:02x}")).collect()
    }

    /// The name of a place of the flow.
    pub fn place(&self, node: usize) -> &str {
        self.places.get(node).map_or("", String::as_str)
    }

    /// Why a road is closed, in one word: the name of its filter, or what the run remembers.
    pub fn reason(&self, road: usize, why: Closed) -> &str {
        match why {
            Closed::Filter(i) => {
                let first = self.table().road(road).map_or(0, |r| r.first_filter());
                self.filters.get(first.saturating_add(i)).map_or("", String::as_str)
            }
            Closed::Tried => "tried",
            Closed::Judged => "judged",
            Closed::Profile => "profile",
        }
    }

    /// Facts as they were told. What is not told is unknown.
    ///
    /// # Errors
    /// A fact that the policy does not have, that is told twice, or whose value is none of its values.
    pub fn facts(&self, told: &[(String, Told)]) -> Result<Facts, Misfit> {
        let mut facts = Facts::new();
        let mut seen = vec![false; self.words.len()];
        for (name, value) in told {
            match value {
                // A family: {"available": {"gpt": true}} is "available[gpt]": true.
                Told::Object(members) => {
                    for (member, value) in members {
                        self.set(&mut facts, &mut seen, &format!("{name}[{member}]"), value)?;
                    }
                }
                value => self.set(&mut facts, &mut seen, name, value)?,
            }
        }
        Ok(facts)
    }

    fn set(&self, facts: &mut Facts, seen: &mut [bool], name: &str, value: &Told) -> Result<(), Misfit> {
        let misfit = |why: String| Misfit { fact: name.to_owned(), why };
        let Some(&cell) = self.cells.get(name) else {
            return Err(misfit(format!("policy {} has no such fact", self.name)));
        };
        if std::mem::replace(&mut seen[cell], true) {
            return Err(misfit("it is told twice".to_owned()));
        }
        let (table, words) = (self.table(), &self.words[cell]);
        let word = |w: &str| {
            let found = words.iter().position(|have| have == w);
            found.ok_or_else(|| misfit(format!("`{w}` is none of its words: {}", words.join(", "))))
        };
        let kind = table.cell(cell).map(|c| c.kind());
        let set = match (kind, value) {
            (_, Told::Null) => return Ok(()),
            (Some(CellKind::Bool), Told::Bool(b)) => facts.set_bool(table, cell, *b),
            (Some(CellKind::Int { .. }), Told::Int(n)) => {
                facts.set_int(table, cell, i32::try_from(*n).map_err(|_| misfit(format!("{n} is out of its range")))?)
            }
            (Some(CellKind::Enum { .. } | CellKind::Level { .. }), Told::Word(w)) => {
                facts.set_value(table, cell, u8::try_from(word(w)?).unwrap_or(u8::MAX))
            }
            (Some(CellKind::Set { .. }), Told::List(labels)) => {
                let mask = labels.iter().try_fold(0_u64, |mask, l| Ok(mask | 1 << word(l)?))?;
                facts.set_labels(table, cell, mask)
            }
            (kind, _) => {
                let wanted = match kind {
                    Some(CellKind::Bool) => "true or false",
                    Some(CellKind::Int { .. }) => "a whole number",
                    Some(CellKind::Set { .. }) => "a list of labels",
                    _ => "a word",
                };
                return Err(misfit(format!("{wanted} is wanted, or null where it is unknown")));
            }
        };
        set.map_err(|e| misfit(e.to_string()))
    }

    /// Where the work goes if every gate passes: gates answer `ok` until something is to be sent, called or awaited, or the
    /// flow ends.
    ///
    /// # Errors
    /// The run refused a step; a proved table has no facts for which it does.
    pub fn decide(&self, facts: &mut Facts) -> Result<Decision, RunError> {
        let table = self.table();
        let mut run = Run::start(table, 0)?;
        let mut decision = Decision { road: None, place: run.node(), closed: Vec::new(), obligations: 0 };
        // Every loop of a proved flow takes a counter of at most 255, so that no way is as long.
        for _ in 0..table.nodes().saturating_mul(2_048) {
            let here = table.node(run.node()).ok_or(RunError::Ended)?;
            decision.place = run.node();
            if here.is_terminal() && here.word() != "done" {
                decision.road = None;
            }
            if here.is_terminal() || waits(here.kind()) {
                return Ok(decision);
            }
            if let Some(choose) = here.choose() {
                decision.closed = self.closed(choose, facts, run.latches());
            }
            run.acknowledge(u32::MAX);
            facts.set_epoch(run.epoch());
            let step = run.advance(table, run.generation(), OK, facts)?;
            decision.road = run.road();
            decision.obligations |= step.obligations;
        }
        Err(RunError::NoEdge)
    }

    fn closed(&self, choose: usize, facts: &Facts, latches: &Latches) -> Vec<(usize, Closed)> {
        let table = self.table();
        let Some(chooser) = table.chooser(choose) else { return Vec::new() };
        (0..table.candidates(choose).count())
            .filter_map(|position| {
                let mut reasons = chooser.reasons(position, facts, latches)?;
                Some((reasons.road(), reasons.next()?))
            })
            .collect()
    }
}

/// Nothing answers here by itself.
fn waits(kind: u8) -> bool {
    matches!(
        kind,
        node::SEND
            | node::CALL
            | node::AWAIT_USER
            | node::AWAIT_EXTERNAL
            | node::RECONCILE
            | node::REVIEW
            | node::REPAIR
    )
}

/// Names of obligations.
pub fn obligations(bits: u32) -> Vec<&'static str> {
    Obligations::named(bits).iter().map(Obligation::name).collect()
}
