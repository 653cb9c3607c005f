//! The policy `app.pick@1`: its facts, its vocabulary and its table.
//!
//! A pure decision, to be embedded where something else does the sending: which model answers? `profile choice` leaves out the
//! laws of gates and payloads, and the verdict says so; that a preference never opens a closed option is still proved.
//!
//! Written by `roadlaw build --emit rust` for a policy that was proved: change the policy, not this file. It needs the crate
//! `roadlaw-runtime` alone: no allocation, no solver, no build script.
//!
//! ```ignore
//! let table = policy::table()?;                        // checks the bytes, once
//! let policy = policy::Policy::new(&table).ok_or(..)?; // keep both
//! let mut facts = policy::Facts::new();                // everything unknown
//! facts.set_..(..);                                    // a setter for each fact
//! policy.choose(&facts)
//! ```

#![allow(
    dead_code,
    unused_imports,
    unreachable_pub,
    clippy::all,
    clippy::pedantic,
    reason = "written by a program; whoever embeds it uses what they need"
)]

/// The policy's name.
pub const NAME: &str = "app.pick";

/// The policy's version.
pub const VERSION: u32 = 1;

/// The digest of the table, to be compared with one that was pinned.
pub const DIGEST: [u8; 32] = *b"\
    \x9c\x70\xb0\x9f\x02\x60\x8c\x2d\x86\xe4\xec\xda\x07\x55\x4b\x24\xef\xc4\xa2\x28\xaf\x8a\x5d\x06\
    \xe9\xcf\xa3\xe6\x9f\x9c\xcb\x93";

/// The bytes, as `roadlaw build` writes them.
pub static TABLE: &[u8; 776] = &ALIGNED.0;

/// Checks the bytes and returns the table. It borrows [`TABLE`] and copies nothing.
///
/// # Errors
/// The runtime reads another version of the format than the one this file was written for.
pub fn table() -> Result<::roadlaw_runtime::Table<'static>, ::roadlaw_runtime::TableError> {
    ::roadlaw_runtime::Table::from_bytes(TABLE)
}

#[repr(align(64))]
struct Aligned([u8; 776]);

static ALIGNED: Aligned = Aligned(*RAW);

const RAW: &[u8; 776] = b"\
    \x52\x4f\x41\x44\x4c\x41\x57\x00\x02\x00\xd0\x00\x01\x00\x00\x00\x08\x03\x00\x00\x00\x00\x00\x00\
    \x01\x9e\xff\xd6\xcf\x93\xea\xd3\x9c\x70\xb0\x9f\x02\x60\x8c\x2d\x86\xe4\xec\xda\x07\x55\x4b\x24\
    \xef\xc4\xa2\x28\xaf\x8a\x5d\x06\xe9\xcf\xa3\xe6\x9f\x9c\xcb\x93\xcd\x3b\x2a\x99\xb5\x17\xbb\x41\
    \xe1\xaa\xfa\x26\x66\xf6\x92\x81\x52\xa1\xe1\x51\x3a\xe1\x79\x33\x9a\xde\x75\xe0\x84\x01\x40\x81\
    \x56\xf2\xea\xe7\x04\xf5\x8c\xcc\xa0\x45\xe4\x03\xd8\xd4\x2f\x42\x0b\xec\xd3\x68\xa2\xce\x2b\x1a\
    \x6b\xc7\x75\xf7\x77\x91\x79\x5a\x4d\x00\x00\x00\x05\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\
    \x04\x00\x00\x00\x04\x00\x00\x00\x11\x00\x00\x00\x01\x00\x00\x00\x02\x00\x00\x00\x04\x00\x00\x00\
    \x00\x00\x00\x00\x0d\x00\x00\x00\x00\x00\x00\x00\x05\x00\x00\x00\x04\x00\x00\x00\x00\x00\x00\x00\
    \x00\x00\x00\x00\x01\x00\x00\x00\x8d\x00\x00\x00\x00\x00\x00\x00\xff\x05\x07\x05\x07\x05\x05\x06\
    \x07\x06\x05\x07\x05\xff\x00\x01\x00\x02\x00\x01\x00\xff\x00\x01\x00\x02\x00\x01\x00\xff\xff\xff\
    \xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00\x00\x02\x01\x00\x00\xff\x01\x00\
    \x00\x02\x01\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\
    \x01\x08\x02\x00\xff\xff\x00\x00\x00\x09\x02\x00\xff\xff\x01\x00\x00\x02\x02\x00\xff\xff\x00\x00\
    \x00\x02\x02\x00\xff\xff\x00\x00\x00\x2b\x02\x00\xff\xff\x01\x00\x00\x00\x00\x00\x01\x00\x00\x06\
    \x01\x00\x00\x00\x03\x00\x00\x06\x00\x00\x01\x00\x02\x00\x03\x00\x00\x00\x00\x00\x04\x00\x00\x00\
    \x08\x00\x00\x00\x0c\x00\x00\x00\x05\x02\x00\x02\x05\x03\x00\x02\x05\x00\x00\x02\x05\x01\x00\x02\
    \x02\x00\x00\x00\x00\x00\x00\x00\x01\x00\x02\x00\x00\x00\x00\x00\x00\x00\x02\x01\x00\x00\x00\x00\
    \x00\x00\x00\x00\x04\x00\x04\x00\x03\x00\x00\x00\x0d\x00\x01\x00\x03\x00\x00\x00\xff\xff\xff\xff\
    \x00\x00\x02\x00\x03\x00\x00\x00\x07\x00\x00\x00\x00\x00\x00\x00\x0d\x00\x00\x00\x01\x00\x02\x00\
    \x03\x00\x00\x00\x0a\x00\x00\x00\x00\x00\x00\x00\x2d\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\
    \x03\x00\x00\x00\x00\x00\x01\x00\x01\x00\x01\x00\x03\x00\x00\x00\x00\x00\x02\x00\x02\x00\x01\x00\
    \x03\x00\x00\x00\x00\x00\x03\x00\x03\x00\x01\x00\x03\x00\x00\x00\x00\x00\x01\x00\x03\x00\x01\x00\
    \x04\x00\x07\x00\x0a\x00\x00\x00\x01\x00\x02\x00\x01\x00\x00\x00\x02\x00\x00\x00\x00\x00\x00\x00\
    \x00\x00\xff\xff\x00\x00\x00\x00\x06\x00\x00\x00\x00\x00\x02\x00\x21\x00\xff\xff\x00\x00\x04\x00\
    \x20\x00\xff\xff\x00\x00\x04\x00\x22\x00\xff\xff\x00\x00\x04\x00\x01\x00\x01\x00\xff\xff\xff\xff\
    \x02\x10\x02\x00\xff\xff\xff\xff\x00\x00\x03\x00\xff\xff\xff\xff\x03\x00\x04\x00\xff\xff\xff\xff\
    \x00\x00\xff\xff\x00\x00\x00\x00\x00\x00\x61\x70\x70\x2e\x70\x69\x63\x6b\x40\x31\x00\x74\x69\x65\
    \x72\x00\x66\x72\x65\x65\x00\x70\x72\x6f\x00\x70\x72\x69\x76\x61\x74\x65\x00\x75\x70\x5b\x73\x6d\
    \x61\x6c\x6c\x5d\x00\x75\x70\x5b\x62\x69\x67\x5d\x00\x6a\x75\x64\x67\x65\x64\x00\x73\x6d\x61\x6c\
    \x6c\x00\x62\x69\x67\x00\x75\x70\x00\x75\x70\x00\x70\x61\x69\x64\x00\x63\x6c\x65\x61\x6e\x00\x73\
    \x74\x61\x72\x74\x00\x63\x68\x6f\x6f\x73\x65\x00\x72\x65\x66\x75\x73\x65\x64\x28\x69\x6e\x70\x75\
    \x74\x29\x00\x64\x6f\x6e\x65\x00\x70\x65\x6e\x64\x69\x6e\x67\x5f\x6e\x6f\x5f\x72\x6f\x61\x64\x00\
    \x66\x6c\x6f\x77\x00\x00\x00\x00";

/// Roads of the policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Road {
    /// `small`
    Small,
    /// `big`
    Big,
}

impl Road {
    /// Its number in the table.
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Self::Small => 0,
            Self::Big => 1,
        }
    }

    /// The one with this number, if there is one.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Self> {
        match index {
            0 => Some(Self::Small),
            1 => Some(Self::Big),
            _ => None,
        }
    }

    /// As the policy says it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Small => "small",
            Self::Big => "big",
        }
    }

    /// All of them, by number.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=1).filter_map(Self::from_index)
    }
}

impl core::fmt::Display for Road {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

/// Filters that close roads, by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// `up`
    Up,
    /// `paid`
    Paid,
    /// `clean`
    Clean,
}

impl Reason {
    /// Its number in this file, by first use.
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Self::Up => 0,
            Self::Paid => 1,
            Self::Clean => 2,
        }
    }

    /// The one with this number, if there is one.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Self> {
        match index {
            0 => Some(Self::Up),
            1 => Some(Self::Paid),
            2 => Some(Self::Clean),
            _ => None,
        }
    }

    /// As the policy says it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Up => "up",
            Self::Paid => "paid",
            Self::Clean => "clean",
        }
    }

    /// All of them, by number.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=2).filter_map(Self::from_index)
    }
}

impl core::fmt::Display for Reason {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

/// Places where a run may be. Those of a child flow have its name before theirs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Node {
    /// `start`
    Start,
    /// `choose`
    Choose,
    /// `refused(input)`
    RefusedInput,
    /// `done`
    Done,
    /// `pending_no_road`
    PendingNoRoad,
}

impl Node {
    /// Its number in the table.
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Self::Start => 0,
            Self::Choose => 1,
            Self::RefusedInput => 2,
            Self::Done => 3,
            Self::PendingNoRoad => 4,
        }
    }

    /// The one with this number, if there is one.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Self> {
        match index {
            0 => Some(Self::Start),
            1 => Some(Self::Choose),
            2 => Some(Self::RefusedInput),
            3 => Some(Self::Done),
            4 => Some(Self::PendingNoRoad),
            _ => None,
        }
    }

    /// As the policy says it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Choose => "choose",
            Self::RefusedInput => "refused(input)",
            Self::Done => "done",
            Self::PendingNoRoad => "pending_no_road",
        }
    }

    /// All of them, by number.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=4).filter_map(Self::from_index)
    }
}

impl core::fmt::Display for Node {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

/// Flows: the policy's own, then those of its coding jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Flow {
    /// `flow`
    Flow,
}

impl Flow {
    /// Its number in the table.
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Self::Flow => 0,
        }
    }

    /// The one with this number, if there is one.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Self> {
        match index {
            0 => Some(Self::Flow),
            _ => None,
        }
    }

    /// As the policy says it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Flow => "flow",
        }
    }

    /// All of them, by number.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=0).filter_map(Self::from_index)
    }
}

impl core::fmt::Display for Flow {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

/// Places where the policy chooses a road.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Choose {
    /// `choose`
    Choose,
}

impl Choose {
    /// Its number in the table.
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Self::Choose => 0,
        }
    }

    /// The one with this number, if there is one.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Self> {
        match index {
            0 => Some(Self::Choose),
            _ => None,
        }
    }

    /// As the policy says it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Choose => "choose",
        }
    }

    /// All of them, by number.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=0).filter_map(Self::from_index)
    }
}

impl core::fmt::Display for Choose {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

/// What the steps of this policy may answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// `ok`
    Ok,
    /// `failed`
    Failed,
}

impl Outcome {
    /// Its code in the table.
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Self::Ok => 1,
            Self::Failed => 2,
        }
    }

    /// The one with this number, if there is one.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Self> {
        match index {
            1 => Some(Self::Ok),
            2 => Some(Self::Failed),
            _ => None,
        }
    }

    /// As the policy says it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Failed => "failed",
        }
    }

    /// All of them, by number.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=2).filter_map(Self::from_index)
    }
}

impl core::fmt::Display for Outcome {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

pub use ::roadlaw_runtime::{Obligation, Obligations};

/// The fact `tier`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tier {
    /// `free`
    Free,
    /// `pro`
    Pro,
}

impl Tier {
    /// Its number, from 0.
    #[must_use]
    pub const fn index(self) -> u8 {
        match self {
            Self::Free => 0,
            Self::Pro => 1,
        }
    }

    /// The one with this number, if there is one.
    #[must_use]
    pub const fn from_index(index: u8) -> Option<Self> {
        match index {
            0 => Some(Self::Free),
            1 => Some(Self::Pro),
            _ => None,
        }
    }

    /// As the policy says it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Pro => "pro",
        }
    }

    /// All of them, by number.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=1).filter_map(Self::from_index)
    }
}

impl core::fmt::Display for Tier {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

/// What is known when something is decided. Everything is unknown until it is set, and unknown opens nothing.
///
/// A setter takes a value, or `None` for unknown. Each packs what it is told: keep one `Facts` and change it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    read_in_epoch: u32,
    told_tier: Option<Tier>,
    told_private: Option<bool>,
    told_up_small: Option<bool>,
    told_up_big: Option<bool>,
    rows_of_0: [u16; 8],
    profile_of_0: u16,
}

impl Default for Facts {
    fn default() -> Self {
        Self::new()
    }
}

impl Facts {
    /// Everything unknown, in epoch 0.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            read_in_epoch: 0_u32,
            told_tier: None,
            told_private: None,
            told_up_small: None,
            told_up_big: None,
            rows_of_0: unknown_0(),
            profile_of_0: 0,
        }
    }

    /// Says in which epoch of a run the volatile facts were read.
    pub fn set_epoch(&mut self, epoch: u32) -> &mut Self {
        self.read_in_epoch = epoch;
        self
    }

    /// Sets `tier`, a pinned fact. Unknown stands for `free`.
    pub fn set_tier(&mut self, value: impl Into<Option<Tier>>) -> &mut Self {
        let value = value.into();
        self.told_tier = value;
        let digit = value.map_or(2, |v| u16::from(v.index()));
        put(&mut self.rows_of_0[0], 1, 1, 3, digit);
        self.profile_of_0 = match value {
            None => 0,
            Some(Tier::Free) => 0,
            Some(Tier::Pro) => 1,
        };
        self
    }

    /// Sets `private`, a sealed fact. Unknown stands for `true`.
    pub fn set_private(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_private = value;
        let digit = value.map_or(2, u16::from);
        put(&mut self.rows_of_0[1], 4, 1, 3, digit);
        self
    }

    /// Sets `up[small]`, a volatile fact.
    pub fn set_up_small(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_up_small = value;
        let digit = value.map_or(2, u16::from);
        put(&mut self.rows_of_0[2], 7, 1, 3, digit);
        self
    }

    /// Sets `up[big]`, a volatile fact.
    pub fn set_up_big(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_up_big = value;
        let digit = value.map_or(2, u16::from);
        put(&mut self.rows_of_0[3], 10, 1, 3, digit);
        self
    }

    /// The same facts by cells, as the runtime takes them.
    ///
    /// # Errors
    /// The policy has more cells than the runtime's facts hold.
    pub fn cells(
        &self,
        policy: &Policy<'_, '_>,
    ) -> Result<::roadlaw_runtime::Facts, ::roadlaw_runtime::FactsError> {
        let table = policy.table;
        let mut cells = ::roadlaw_runtime::Facts::new();
        cells.set_epoch(self.read_in_epoch);
        if let Some(value) = self.told_tier {
            cells.set_value(table, 0, value.index())?;
        }
        if let Some(value) = self.told_private {
            cells.set_bool(table, 1, value)?;
        }
        if let Some(value) = self.told_up_small {
            cells.set_bool(table, 2, value)?;
        }
        if let Some(value) = self.told_up_big {
            cells.set_bool(table, 3, value)?;
        }
        Ok(cells)
    }

    const fn packed_0(&self) -> ::roadlaw_runtime::Packed<8> {
        let stamp = 0x2d8c60029fb0709d;
        ::roadlaw_runtime::Packed::assembled(stamp, self.profile_of_0, self.rows_of_0)
    }
}

const fn unknown_0() -> [u16; 8] {
    let mut rows = [0; 8];
    rows[0] = 3;
    rows[1] = 6;
    rows[2] = 9;
    rows[3] = 12;
    rows
}

/// Gives one digit of a row a new value.
#[inline]
fn put(row: &mut u16, first: u16, stride: u16, radix: u16, digit: u16) {
    let old = row.wrapping_sub(first) / stride % radix;
    let without = row.wrapping_sub(old.wrapping_mul(stride));
    *row = without.wrapping_add(digit.wrapping_mul(stride));
}

/// The table of this policy, ready to decide. Make it once and keep it.
#[derive(Debug, Clone, Copy)]
pub struct Policy<'t, 'a> {
    table: &'t ::roadlaw_runtime::Table<'a>,
    chooser_0: ::roadlaw_runtime::Chooser<'t, 'a>,
}

impl<'t, 'a> Policy<'t, 'a> {
    /// Takes the table of [`table`], or one with the same digest. `None`: it is another policy's.
    #[must_use]
    pub fn new(table: &'t ::roadlaw_runtime::Table<'a>) -> Option<Self> {
        if table.digest() != DIGEST {
            return None;
        }
        Some(Self {
            table,
            chooser_0: table.chooser(0)?,
        })
    }

    /// Decides at `choose`, where nothing was tried or judged before.
    #[must_use]
    pub fn choose(&self, facts: &Facts) -> Pick {
        self.picked(self.chooser_0.pick(&facts.packed_0()))
    }

    /// Decides at `choose`, with what a run of the same question remembers.
    #[must_use]
    pub fn choose_with(&self, facts: &Facts, latches: &::roadlaw_runtime::Latches) -> Pick {
        let packed = facts.packed_0();
        self.picked(self.chooser_0.pick_with(&packed, latches))
    }

    /// The table.
    #[must_use]
    pub const fn table(&self) -> &'t ::roadlaw_runtime::Table<'a> {
        self.table
    }

    /// Why a road is closed at a choose. `None`: it is open, or it is no candidate there.
    #[must_use]
    pub fn why(
        &self,
        choose: Choose,
        road: Road,
        facts: &Facts,
        latches: &::roadlaw_runtime::Latches,
    ) -> Option<Closed> {
        let mut candidates = self.table.candidates(choose.index());
        let position = candidates.position(|r| r == road.index())?;
        let Ok(cells) = facts.cells(self) else {
            return Some(Closed::TooManyFacts);
        };
        let table = self.table;
        let closed = table.reason(choose.index(), position, &cells, latches)?;
        Some(match closed {
            ::roadlaw_runtime::Closed::Judged => Closed::Judged,
            ::roadlaw_runtime::Closed::Tried => Closed::Tried,
            ::roadlaw_runtime::Closed::Profile => Closed::Profile,
            ::roadlaw_runtime::Closed::Filter(i) => {
                let first = self.table.road(road.index())?.first_filter();
                Closed::Filter(reason_of(first.saturating_add(i))?)
            }
        })
    }

    fn picked(&self, pick: ::roadlaw_runtime::Pick) -> Pick {
        match pick {
            ::roadlaw_runtime::Pick::Road(i) => Road::from_index(i).map_or(Pick::None, Pick::Road),
            ::roadlaw_runtime::Pick::Exit(i) => {
                let to = self.table.edge(i).map(|e| e.to());
                to.and_then(Node::from_index).map_or(Pick::None, Pick::Exit)
            }
            ::roadlaw_runtime::Pick::None => Pick::None,
        }
    }

    fn decided(&self, choose: usize, facts: &Facts, latches: &::roadlaw_runtime::Latches) -> Pick {
        let Ok(cells) = facts.cells(self) else {
            return Pick::None;
        };
        let decision = self.table.choose_with(choose, &cells, latches);
        match (decision.road(), decision.exit()) {
            (Some(road), _) => self.picked(::roadlaw_runtime::Pick::Road(road)),
            (None, Some(edge)) => self.picked(::roadlaw_runtime::Pick::Exit(edge)),
            (None, None) => Pick::None,
        }
    }
}

/// What a choose decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pick {
    /// The best road that is open.
    Road(Road),
    /// Every road is closed, and a run goes on to this place.
    Exit(Node),
    /// Every road is closed. Where a run goes on depends on more than facts.
    None,
}

/// Why a road is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Closed {
    /// The question is judged.
    Judged,
    /// The road was tried for this question.
    Tried,
    /// This filter of the road does not hold.
    Filter(Reason),
    /// The order in force leaves it out.
    Profile,
    /// The policy has more cells than the runtime's facts hold: reasons cannot be told.
    TooManyFacts,
}

/// A run of a flow: a small value that this policy drives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run(::roadlaw_runtime::Run);

/// One step of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The node that was entered.
    pub node: Node,
    /// The road of the node, or the one that a choose just took.
    pub road: Option<Road>,
    /// To be met and acknowledged before the next step.
    pub obligations: Obligations,
    /// No step follows.
    pub ended: bool,
}

impl Run {
    /// Starts a flow.
    ///
    /// # Errors
    /// The table has no such flow, which the policy's own table has.
    pub fn start(policy: &Policy<'_, '_>, flow: Flow) -> Result<Self, ::roadlaw_runtime::RunError> {
        ::roadlaw_runtime::Run::start(policy.table, flow.index()).map(Self)
    }

    /// Starts a flow with what earlier runs of the same question remember.
    ///
    /// # Errors
    /// As [`Run::start`].
    pub fn start_with(
        policy: &Policy<'_, '_>,
        flow: Flow,
        latches: ::roadlaw_runtime::Latches,
    ) -> Result<Self, ::roadlaw_runtime::RunError> {
        ::roadlaw_runtime::Run::start_with(policy.table, flow.index(), latches).map(Self)
    }

    /// Moves along the port of an outcome. At a choose the outcome is [`Outcome::Ok`]: the facts
    /// decide.
    ///
    /// # Errors
    /// The run refuses the outcome, and is unchanged.
    pub fn advance(
        &mut self,
        policy: &Policy<'_, '_>,
        generation: u32,
        outcome: Outcome,
        facts: &Facts,
    ) -> Result<Step, ::roadlaw_runtime::RunError> {
        let other = ::roadlaw_runtime::RunError::PinnedPolicyUnavailable;
        let code = u8::try_from(outcome.index()).map_err(|_| other)?;
        let cells = facts.cells(policy).map_err(|_| other)?;
        let mut next = self.0;
        let step = next.advance(policy.table, generation, code, &cells)?;
        let node = Node::from_index(step.node).ok_or(other)?;
        self.0 = next;
        Ok(Step {
            node,
            road: step.road.and_then(Road::from_index),
            obligations: Obligations::named(step.obligations),
            ended: step.ended,
        })
    }

    /// Says that obligations were met.
    pub fn acknowledge(&mut self, met: Obligations) {
        self.0.acknowledge(met.bits());
    }

    /// Obligations that are still open.
    #[must_use]
    pub fn obligations(&self) -> Obligations {
        Obligations::named(self.0.obligations())
    }

    /// Where the run is.
    #[must_use]
    pub fn node(&self) -> Option<Node> {
        Node::from_index(self.0.node())
    }

    /// The road last sent, called or awaited, else chosen.
    #[must_use]
    pub fn road(&self) -> Option<Road> {
        self.0.road().and_then(Road::from_index)
    }

    /// The run as the runtime knows it: generation, epoch, latches, what was submitted.
    #[must_use]
    pub const fn inner(&self) -> &::roadlaw_runtime::Run {
        &self.0
    }
}

const fn reason_of(filter: usize) -> Option<Reason> {
    match filter {
        0 => Some(Reason::Up),
        1 => Some(Reason::Up),
        2 => Some(Reason::Paid),
        3 => Some(Reason::Clean),
        _ => None,
    }
}
