//! The policy `odd.names@3`: its facts, its vocabulary and its table.
//!
//! Names that an emitted file has itself, and words that \[Markdown\] or \<b\>Rust\</b\> would read: `a[0]`, https:\//a.example.
//! \`\`\`rust
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
pub const NAME: &str = "odd.names";

/// The policy's version.
pub const VERSION: u32 = 3;

/// The digest of the table, to be compared with one that was pinned.
pub const DIGEST: [u8; 32] = *b"\
    \x14\xfd\x2a\xad\xc1\x63\x81\xbf\x7a\xff\x49\xd9\x65\xf3\xeb\x01\x02\x09\x08\x5e\x8f\x47\x49\x3f\
    \x18\xb9\xfe\xcd\x06\xc4\xbe\x1c";

/// The bytes, as `roadlaw build` writes them.
pub static TABLE: &[u8; 1552] = &ALIGNED.0;

/// Checks the bytes and returns the table. It borrows [`TABLE`] and copies nothing.
///
/// # Errors
/// The runtime reads another version of the format than the one this file was written for.
pub fn table() -> Result<::roadlaw_runtime::Table<'static>, ::roadlaw_runtime::TableError> {
    ::roadlaw_runtime::Table::from_bytes(TABLE)
}

#[repr(align(64))]
struct Aligned([u8; 1552]);

static ALIGNED: Aligned = Aligned(*RAW);

const RAW: &[u8; 1552] = b"\
    \x52\x4f\x41\x44\x4c\x41\x57\x00\x02\x00\xd0\x00\x01\x00\x00\x00\x10\x06\x00\x00\x00\x00\x00\x00\
    \x5c\xca\xbf\x9f\x45\x87\x97\xc4\x14\xfd\x2a\xad\xc1\x63\x81\xbf\x7a\xff\x49\xd9\x65\xf3\xeb\x01\
    \x02\x09\x08\x5e\x8f\x47\x49\x3f\x18\xb9\xfe\xcd\x06\xc4\xbe\x1c\x5e\x78\xc4\x7f\x58\x58\x23\x20\
    \xbb\xe1\xb2\x4d\xa1\xf4\x01\x69\x1c\x81\xeb\x0c\xa1\x15\x0b\xc4\xd3\x03\xdf\x2d\x62\xca\x40\x97\
    \xea\x97\x21\xab\x67\x46\xf7\xe9\xd7\x43\x35\x10\x37\x1c\xca\x85\x8e\xaf\x88\x15\x29\x9f\xc9\x8e\
    \x71\x1a\xee\x1f\x66\x10\x5c\x9b\xb3\x00\x00\x00\x0e\x00\x00\x00\x09\x00\x00\x00\x03\x00\x00\x00\
    \x0a\x00\x00\x00\x0c\x00\x00\x00\x66\x00\x00\x00\x01\x00\x00\x00\x04\x00\x00\x00\x0c\x00\x00\x00\
    \x05\x00\x00\x00\x26\x00\x00\x00\x00\x00\x00\x00\x07\x00\x00\x00\x06\x00\x00\x00\x00\x00\x00\x00\
    \x00\x00\x00\x00\x01\x00\x00\x00\x28\x01\x00\x00\x00\x00\x00\x00\xff\x3e\x3f\x3f\x3e\x3f\x33\x2f\
    \x23\x37\x2f\x27\x33\x2f\x23\x3f\x3f\x3f\x3d\x3f\x3d\x3d\x3f\x3d\x3d\x3f\x3f\x3d\x3b\x39\x3f\x3d\
    \x39\x3b\x3f\x39\x3d\x39\x3e\x3f\x3e\x3e\x3e\x3f\x3e\x3d\x3f\x3d\x3b\x3f\x3b\xff\x00\x01\x00\x02\
    \x00\x01\x00\x03\x00\x01\x00\x02\x00\x01\x00\xff\x04\x05\x04\xff\x04\x05\x04\xff\x04\x05\x04\xff\
    \x04\x05\x04\xff\xff\x00\x00\x01\x01\x00\x00\x02\x02\x00\x00\x01\x01\x00\x00\xff\x03\x04\x03\xff\
    \x03\x04\x03\xff\x03\x04\x03\xff\x03\x04\x03\xff\x01\xff\x01\x00\x00\x00\x00\x02\x01\x02\x01\x00\
    \x00\x00\x00\xff\x03\x04\x03\xff\x03\x04\x03\xff\x03\x04\x03\xff\x03\x04\x03\xff\x02\x01\x01\x00\
    \x00\x00\x00\x03\x02\x01\x01\x00\x00\x00\x00\xff\x04\x05\x04\xff\x04\x05\x04\xff\x04\x05\x04\xff\
    \x04\x05\x04\x00\x00\x00\x00\x00\x01\x08\x04\x00\xff\xff\x02\x00\x00\x00\x02\x00\xff\xff\x00\x00\
    \x00\x00\x02\x00\xff\xff\x00\x00\x00\x00\x02\x00\xff\xff\x00\x00\x02\x01\x03\x00\xff\xff\x00\x00\
    \x03\x01\x0b\x00\xff\xff\x00\x00\x04\x0a\x00\x00\xff\xff\x02\x00\x04\x02\x03\x00\xff\xff\x00\x00\
    \x04\x02\x05\x00\xff\xff\x00\x00\x04\x02\x07\x00\xff\xff\x00\x00\x00\x02\x02\x00\xff\xff\x00\x00\
    \x00\x02\x02\x00\xff\xff\x00\x00\x00\x02\x02\x00\xff\xff\x00\x00\x00\x2b\x02\x00\xff\xff\x01\x00\
    \x30\xf8\xff\xff\xff\xff\xff\xff\xd0\x07\x00\x00\x00\x00\x00\x00\xf9\xff\xff\xff\xff\xff\xff\xff\
    \x00\x00\x00\x00\x00\x00\x00\x00\x09\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\
    \x09\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x09\x00\x00\x00\x00\x00\x00\x00\
    \x00\x00\x00\x00\x03\x00\x00\x06\x03\x00\x00\x00\x04\x00\x00\x06\x07\x00\x00\x00\x03\x00\x00\x06\
    \x00\x00\x01\x00\x02\x00\x03\x00\x04\x00\x05\x00\x06\x00\x07\x00\x08\x00\x09\x00\x00\x00\x00\x00\
    \x00\x00\x00\x00\x04\x00\x00\x00\x0f\x00\x00\x00\x28\x00\x00\x00\x2c\x00\x00\x00\x30\x00\x00\x00\
    \x36\x00\x00\x00\x42\x00\x00\x00\x46\x00\x00\x00\x4b\x00\x00\x00\x5d\x00\x00\x00\x61\x00\x00\x00\
    \x05\x0a\x00\x02\x05\x00\x00\x02\x05\x00\x00\x04\x04\x02\x00\x06\x06\x00\xfb\xff\xff\xff\xd0\x07\
    \x00\x00\x06\x06\x00\x30\xf8\xff\xff\x83\x03\x00\x00\x03\x02\x00\x05\x0b\x00\x02\x05\x04\x00\x06\
    \x08\x05\x00\x01\x04\x02\x05\x02\x00\x02\x05\x03\x00\x02\x02\x04\x02\x00\x05\x0c\x00\x02\x09\x05\
    \x00\x02\x02\x06\x09\x00\x04\x00\x00\x00\x09\x00\x00\x00\x05\x01\x00\x02\x04\x02\x00\x05\x01\x00\
    \x02\x05\x01\x00\x02\x02\x00\x00\x01\x00\x03\x00\x00\x00\x00\x00\x00\x00\x04\x01\x00\x00\x00\x00\
    \x00\x00\x00\x00\x0c\x00\x0a\x00\x06\x00\x00\x00\x33\x00\x03\x00\x03\x00\x00\x00\xff\xff\xff\xff\
    \x00\x00\x02\x00\x06\x00\x00\x00\x10\x00\x00\x00\x00\x00\x00\x00\x33\x00\x00\x00\x01\x00\x02\x00\
    \x05\x00\x00\x00\x16\x00\x00\x00\x00\x00\x00\x00\x53\x00\x00\x00\x02\x00\x02\x00\x05\x00\x00\x00\
    \x1b\x00\x00\x00\x00\x00\x00\x00\x73\x00\x00\x00\x03\x00\x02\x00\x06\x00\x00\x00\x20\x00\x00\x00\
    \x00\x00\x00\x00\x93\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x05\x00\x00\x00\x00\x00\x01\x00\
    \x01\x00\x01\x00\x03\x00\x00\x00\x00\x00\x02\x00\x02\x00\x01\x00\x03\x00\x00\x00\x00\x00\x03\x00\
    \x02\x00\x03\x00\x03\x00\x00\x00\x00\x00\x04\x00\x03\x00\x01\x00\x04\x00\x00\x00\x02\x02\x05\x00\
    \x04\x00\x01\x00\x05\x00\x00\x00\x02\x02\x05\x00\x05\x00\x01\x00\x05\x00\x09\x00\x01\x00\x06\x00\
    \x06\x00\x01\x00\x04\x00\x00\x00\x01\x00\x09\x00\x01\x00\x03\x00\x03\x00\x03\x00\x00\x00\x0a\x00\
    \x07\x00\x01\x00\x03\x00\x00\x00\x00\x00\x0b\x00\x08\x00\x01\x00\x03\x00\x00\x00\x00\x00\x0c\x00\
    \x09\x00\x01\x00\x03\x00\x00\x00\x02\x00\x00\x00\xfb\xff\xff\xff\x84\x03\x00\x00\x01\x00\x00\x00\
    \x04\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x02\x00\x03\x00\x04\x00\x05\x00\x01\x00\x06\x00\
    \x0f\x00\x18\x00\x1c\x00\x21\x00\x26\x00\x2a\x00\x2d\x00\x30\x00\x00\x00\x01\x00\x02\x00\x03\x00\
    \x04\x00\x05\x00\x01\x00\x02\x00\x03\x00\x04\x00\x05\x00\x02\x00\x00\x00\x03\x00\x04\x00\x05\x00\
    \x02\x00\x01\x00\x00\x00\x03\x00\x04\x00\x05\x00\x00\x00\x00\x00\x00\x00\xff\xff\x00\x00\x00\x00\
    \x06\x00\x00\x00\x00\x00\x02\x00\x21\x00\xff\xff\x00\x00\x06\x00\x20\x00\xff\xff\x00\x00\x06\x00\
    \x21\x00\xff\xff\x00\x00\x06\x00\x22\x00\xff\xff\x00\x00\x06\x00\x21\x00\xff\xff\x00\x00\x06\x00\
    \x01\x00\x01\x00\xff\xff\xff\xff\x02\x10\x02\x00\xff\xff\xff\xff\x00\x00\x03\x00\xff\xff\xff\xff\
    \x03\x00\x04\x00\x0a\x00\xff\xff\x03\x00\x05\x00\x0b\x00\xff\xff\x03\x10\x06\x00\xff\xff\xff\xff\
    \x00\x00\xff\xff\x00\x00\x00\x00\x07\x00\x05\x65\x70\x6f\x63\x68\x07\x72\x65\x66\x75\x73\x65\x64\
    \x04\x73\x65\x6c\x66\x07\x5b\x6f\x74\x68\x65\x72\x5d\x06\x5b\x70\x69\x63\x6b\x5d\x06\x5b\x73\x65\
    \x6c\x66\x5d\x06\x6c\x61\x62\x65\x6c\x73\x6f\x64\x64\x2e\x6e\x61\x6d\x65\x73\x40\x33\x00\x74\x79\
    \x70\x65\x00\x6e\x6f\x6e\x65\x00\x82\x00\x73\x6f\x6d\x65\x00\x6f\x6b\x00\x6f\x70\x74\x69\x6f\x6e\
    \x00\x61\x5f\x62\x00\x61\x5f\x5f\x62\x00\x72\x6f\x61\x64\x00\x6c\x6f\x77\x00\x6d\x69\x64\x00\x68\
    \x69\x67\x68\x00\x86\x00\x6e\x6f\x6e\x65\x00\x61\x6c\x6c\x00\x78\x5f\x31\x00\x78\x31\x00\x62\x34\
    \x00\x62\x35\x00\x62\x36\x00\x62\x37\x00\x62\x38\x00\x62\x39\x00\x62\x31\x30\x00\x69\x6e\x74\x00\
    \x80\x84\x00\x80\x85\x00\x80\x83\x00\x75\x70\x84\x00\x75\x70\x85\x00\x75\x70\x83\x00\x6a\x75\x64\
    \x67\x65\x64\x00\x70\x69\x63\x6b\x00\x82\x00\x6f\x74\x68\x65\x72\x00\x75\x70\x00\x82\x00\x69\x6e\
    \x74\x00\x75\x70\x00\x68\x69\x67\x68\x00\x86\x00\x61\x62\x00\x75\x70\x00\x61\x6c\x6c\x00\x80\x00\
    \x73\x74\x61\x72\x74\x00\x63\x68\x6f\x6f\x73\x65\x00\x81\x28\x69\x6e\x70\x75\x74\x29\x00\x64\x6f\
    \x6e\x65\x00\x81\x28\x73\x65\x6c\x66\x29\x00\x70\x65\x6e\x64\x69\x6e\x67\x5f\x6e\x6f\x5f\x72\x6f\
    \x61\x64\x00\x81\x28\x6e\x6f\x6e\x65\x29\x00\x66\x6c\x6f\x77\x00";

/// Roads of the policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Road {
    /// `pick`
    Pick,
    /// `self`
    Self_,
    /// `other`
    Other,
}

impl Road {
    /// Its number in the table.
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Self::Pick => 0,
            Self::Self_ => 1,
            Self::Other => 2,
        }
    }

    /// The one with this number, if there is one.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Self> {
        match index {
            0 => Some(Self::Pick),
            1 => Some(Self::Self_),
            2 => Some(Self::Other),
            _ => None,
        }
    }

    /// As the policy says it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pick => "pick",
            Self::Self_ => "self",
            Self::Other => "other",
        }
    }

    /// All of them, by number.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=2).filter_map(Self::from_index)
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
    /// `self`
    Self_,
    /// `int`
    Int,
    /// `high`
    High,
    /// `labels`
    Labels,
    /// `ab`
    Ab,
    /// `all`
    All,
    /// `epoch`
    Epoch,
}

impl Reason {
    /// Its number in this file, by first use.
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Self::Up => 0,
            Self::Self_ => 1,
            Self::Int => 2,
            Self::High => 3,
            Self::Labels => 4,
            Self::Ab => 5,
            Self::All => 6,
            Self::Epoch => 7,
        }
    }

    /// The one with this number, if there is one.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Self> {
        match index {
            0 => Some(Self::Up),
            1 => Some(Self::Self_),
            2 => Some(Self::Int),
            3 => Some(Self::High),
            4 => Some(Self::Labels),
            5 => Some(Self::Ab),
            6 => Some(Self::All),
            7 => Some(Self::Epoch),
            _ => None,
        }
    }

    /// As the policy says it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Up => "up",
            Self::Self_ => "self",
            Self::Int => "int",
            Self::High => "high",
            Self::Labels => "labels",
            Self::Ab => "ab",
            Self::All => "all",
            Self::Epoch => "epoch",
        }
    }

    /// All of them, by number.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=7).filter_map(Self::from_index)
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
    /// `refused(self)`
    RefusedSelf,
    /// `pending_no_road`
    PendingNoRoad,
    /// `refused(none)`
    RefusedNone,
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
            Self::RefusedSelf => 4,
            Self::PendingNoRoad => 5,
            Self::RefusedNone => 6,
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
            4 => Some(Self::RefusedSelf),
            5 => Some(Self::PendingNoRoad),
            6 => Some(Self::RefusedNone),
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
            Self::RefusedSelf => "refused(self)",
            Self::PendingNoRoad => "pending_no_road",
            Self::RefusedNone => "refused(none)",
        }
    }

    /// All of them, by number.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=6).filter_map(Self::from_index)
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

/// A keyword, and values that a prelude has.
///
/// The fact `type`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Type {
    /// `none`
    None,
    /// `self`
    Self_,
    /// `some`
    Some,
    /// `ok`
    Ok,
}

impl Type {
    /// Its number, from 0.
    #[must_use]
    pub const fn index(self) -> u8 {
        match self {
            Self::None => 0,
            Self::Self_ => 1,
            Self::Some => 2,
            Self::Ok => 3,
        }
    }

    /// The one with this number, if there is one.
    #[must_use]
    pub const fn from_index(index: u8) -> Option<Self> {
        match index {
            0 => Some(Self::None),
            1 => Some(Self::Self_),
            2 => Some(Self::Some),
            3 => Some(Self::Ok),
            _ => None,
        }
    }

    /// As the policy says it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Self_ => "self",
            Self::Some => "some",
            Self::Ok => "ok",
        }
    }

    /// All of them, by number.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=3).filter_map(Self::from_index)
    }
}

impl core::fmt::Display for Type {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

/// Spelled as a road.
///
/// The fact `road`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Road_ {
    /// `low`
    Low,
    /// `mid`
    Mid,
    /// `high`
    High,
}

impl Road_ {
    /// Its number, ascending from 0.
    #[must_use]
    pub const fn index(self) -> u8 {
        match self {
            Self::Low => 0,
            Self::Mid => 1,
            Self::High => 2,
        }
    }

    /// The one with this number, if there is one.
    #[must_use]
    pub const fn from_index(index: u8) -> Option<Self> {
        match index {
            0 => Some(Self::Low),
            1 => Some(Self::Mid),
            2 => Some(Self::High),
            _ => None,
        }
    }

    /// As the policy says it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Mid => "mid",
            Self::High => "high",
        }
    }

    /// All of them, by number.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=2).filter_map(Self::from_index)
    }
}

impl core::fmt::Display for Road_ {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

/// The fact `labels`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Labels(u64);

impl Labels {
    /// None of them.
    pub const EMPTY: Self = Self(0);
    /// `none`
    pub const NONE: Self = Self(1 << 0);
    /// `all`
    pub const ALL_: Self = Self(1 << 1);
    /// `x_1`
    pub const X_1: Self = Self(1 << 2);
    /// `x1`
    pub const X1: Self = Self(1 << 3);
    /// `b4`
    pub const B4: Self = Self(1 << 4);
    /// `b5`
    pub const B5: Self = Self(1 << 5);
    /// `b6`
    pub const B6: Self = Self(1 << 6);
    /// `b7`
    pub const B7: Self = Self(1 << 7);
    /// `b8`
    pub const B8: Self = Self(1 << 8);
    /// `b9`
    pub const B9: Self = Self(1 << 9);
    /// `b10`
    pub const B10: Self = Self(1 << 10);
    /// All of them.
    pub const ALL: Self = Self(0x7ff);

    /// The mask.
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// From a mask, if it has no other bit.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Option<Self> {
        if bits & !Self::ALL.0 != 0 {
            return None;
        }
        Some(Self(bits))
    }

    /// These and those.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Every one of the others is among these.
    #[must_use]
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

impl core::ops::BitOr for Labels {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        self.with(other)
    }
}

/// The fact `int`. -2000 to 2000.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Int(i32);

impl Int {
    /// The least.
    pub const MIN: i32 = -2000;
    /// The greatest.
    pub const MAX: i32 = 2000;

    /// `None` if the value is out of bounds: given to a setter, that leaves the fact unknown.
    #[must_use]
    pub const fn new(value: i32) -> Option<Self> {
        if value < Self::MIN || value > Self::MAX {
            return None;
        }
        Some(Self(value))
    }

    /// The value.
    #[must_use]
    pub const fn get(self) -> i32 {
        self.0
    }
}

/// The fact `epoch`. 0 to 9.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Epoch(i32);

impl Epoch {
    /// The least.
    pub const MIN: i32 = 0;
    /// The greatest.
    pub const MAX: i32 = 9;

    /// `None` if the value is out of bounds: given to a setter, that leaves the fact unknown.
    #[must_use]
    pub const fn new(value: i32) -> Option<Self> {
        if value < Self::MIN || value > Self::MAX {
            return None;
        }
        Some(Self(value))
    }

    /// The value.
    #[must_use]
    pub const fn get(self) -> i32 {
        self.0
    }
}

/// What is known when something is decided. Everything is unknown until it is set, and unknown opens nothing.
///
/// A setter takes a value, or `None` for unknown. Each packs what it is told: keep one `Facts` and change it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    read_in_epoch: u32,
    told_type: Option<Type>,
    told_option: Option<bool>,
    told_a_b: Option<bool>,
    told_a_b_: Option<bool>,
    told_road: Option<Road_>,
    told_labels: Option<Labels>,
    told_int: Option<Int>,
    told_epoch_pick: Option<Epoch>,
    told_epoch_self: Option<Epoch>,
    told_epoch_other: Option<Epoch>,
    told_up_pick: Option<bool>,
    told_up_self: Option<bool>,
    told_up_other: Option<bool>,
    rows_of_0: [u16; 16],
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
            told_type: None,
            told_option: None,
            told_a_b: None,
            told_a_b_: None,
            told_road: None,
            told_labels: None,
            told_int: None,
            told_epoch_pick: None,
            told_epoch_self: None,
            told_epoch_other: None,
            told_up_pick: None,
            told_up_self: None,
            told_up_other: None,
            rows_of_0: unknown_0(),
            profile_of_0: 2,
        }
    }

    /// Says in which epoch of a run the volatile facts were read.
    pub fn set_epoch(&mut self, epoch: u32) -> &mut Self {
        self.read_in_epoch = epoch;
        self
    }

    /// A keyword, and values that a prelude has.
    ///
    /// Sets `type`, a pinned fact. Unknown stands for `some`.
    pub fn set_type(&mut self, value: impl Into<Option<Type>>) -> &mut Self {
        let value = value.into();
        self.told_type = value;
        let digit = value.map_or(4, |v| u16::from(v.index()));
        put(&mut self.rows_of_0[0], 1, 1, 5, digit);
        self.profile_of_0 = match value {
            None => 2,
            Some(Type::None) => 0,
            Some(Type::Self_) => 1,
            Some(Type::Some) => 2,
            Some(Type::Ok) => 3,
        };
        self
    }

    /// Sets `option`, a pinned fact.
    pub fn set_option(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_option = value;
        let digit = value.map_or(2, u16::from);
        put(&mut self.rows_of_0[1], 6, 1, 3, digit);
        self
    }

    /// Sets `a_b`, a pinned fact.
    pub fn set_a_b(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_a_b = value;
        let digit = value.map_or(2, u16::from);
        put(&mut self.rows_of_0[2], 15, 1, 3, digit);
        self
    }

    /// Sets `a__b`, a pinned fact.
    pub fn set_a_b_(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_a_b_ = value;
        let digit = value.map_or(2, u16::from);
        put(&mut self.rows_of_0[2], 15, 3, 3, digit);
        self
    }

    /// Spelled as a road.
    ///
    /// Sets `road`, a sealed fact.
    pub fn set_road(&mut self, value: impl Into<Option<Road_>>) -> &mut Self {
        let value = value.into();
        self.told_road = value;
        let digit = value.map_or(3, |v| u16::from(v.index()));
        put(&mut self.rows_of_0[3], 24, 1, 4, digit);
        self
    }

    /// Sets `labels`, a sealed fact.
    pub fn set_labels(&mut self, value: impl Into<Option<Labels>>) -> &mut Self {
        let value = value.into();
        self.told_labels = value;
        let digit = value.map_or(4, |v| ((v.bits() >> 0) & 3) as u16);
        put(&mut self.rows_of_0[4], 28, 1, 5, digit);
        let digit = value.map_or(4, |v| ((v.bits() >> 9) & 3) as u16);
        put(&mut self.rows_of_0[5], 33, 1, 5, digit);
        self
    }

    /// Sets `int`, a volatile fact. Unknown stands for `-7`.
    pub fn set_int(&mut self, value: impl Into<Option<Int>>) -> &mut Self {
        let value = value.into();
        self.told_int = value;
        let digit = match value.map(Int::get) {
            None => 3,
            Some(..-5) => 0,
            Some(-5..900) => 1,
            Some(900..) => 2,
        };
        put(&mut self.rows_of_0[6], 38, 1, 4, digit);
        self
    }

    /// Sets `epoch[pick]`, a volatile fact.
    pub fn set_epoch_pick(&mut self, value: impl Into<Option<Epoch>>) -> &mut Self {
        let value = value.into();
        self.told_epoch_pick = value;
        self
    }

    /// Sets `epoch[self]`, a volatile fact.
    pub fn set_epoch_self(&mut self, value: impl Into<Option<Epoch>>) -> &mut Self {
        let value = value.into();
        self.told_epoch_self = value;
        self
    }

    /// Sets `epoch[other]`, a volatile fact.
    pub fn set_epoch_other(&mut self, value: impl Into<Option<Epoch>>) -> &mut Self {
        let value = value.into();
        self.told_epoch_other = value;
        let digit = match value.map(Epoch::get) {
            None => 2,
            Some(..4) => 0,
            Some(4..) => 1,
        };
        put(&mut self.rows_of_0[1], 6, 3, 3, digit);
        self
    }

    /// Sets `up[pick]`, a volatile fact.
    pub fn set_up_pick(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_up_pick = value;
        let digit = value.map_or(2, u16::from);
        put(&mut self.rows_of_0[7], 42, 1, 3, digit);
        self
    }

    /// Sets `up[self]`, a volatile fact.
    pub fn set_up_self(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_up_self = value;
        let digit = value.map_or(2, u16::from);
        put(&mut self.rows_of_0[8], 45, 1, 3, digit);
        self
    }

    /// Sets `up[other]`, a volatile fact.
    pub fn set_up_other(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_up_other = value;
        let digit = value.map_or(2, u16::from);
        put(&mut self.rows_of_0[9], 48, 1, 3, digit);
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
        if let Some(value) = self.told_type {
            cells.set_value(table, 0, value.index())?;
        }
        if let Some(value) = self.told_option {
            cells.set_bool(table, 1, value)?;
        }
        if let Some(value) = self.told_a_b {
            cells.set_bool(table, 2, value)?;
        }
        if let Some(value) = self.told_a_b_ {
            cells.set_bool(table, 3, value)?;
        }
        if let Some(value) = self.told_road {
            cells.set_value(table, 4, value.index())?;
        }
        if let Some(value) = self.told_labels {
            cells.set_labels(table, 5, value.bits())?;
        }
        if let Some(value) = self.told_int {
            cells.set_int(table, 6, value.get())?;
        }
        if let Some(value) = self.told_epoch_pick {
            cells.set_int(table, 7, value.get())?;
        }
        if let Some(value) = self.told_epoch_self {
            cells.set_int(table, 8, value.get())?;
        }
        if let Some(value) = self.told_epoch_other {
            cells.set_int(table, 9, value.get())?;
        }
        if let Some(value) = self.told_up_pick {
            cells.set_bool(table, 10, value)?;
        }
        if let Some(value) = self.told_up_self {
            cells.set_bool(table, 11, value)?;
        }
        if let Some(value) = self.told_up_other {
            cells.set_bool(table, 12, value)?;
        }
        Ok(cells)
    }

    const fn packed_0(&self) -> ::roadlaw_runtime::Packed<16> {
        let stamp = 0xbf8163c1ad2afd15;
        ::roadlaw_runtime::Packed::assembled(stamp, self.profile_of_0, self.rows_of_0)
    }
}

const fn unknown_0() -> [u16; 16] {
    let mut rows = [0; 16];
    rows[0] = 5;
    rows[1] = 14;
    rows[2] = 23;
    rows[3] = 27;
    rows[4] = 32;
    rows[5] = 37;
    rows[6] = 41;
    rows[7] = 44;
    rows[8] = 47;
    rows[9] = 50;
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
        1 => Some(Reason::Self_),
        2 => Some(Reason::Int),
        3 => Some(Reason::Up),
        4 => Some(Reason::High),
        5 => Some(Reason::Labels),
        6 => Some(Reason::Ab),
        7 => Some(Reason::Up),
        8 => Some(Reason::All),
        9 => Some(Reason::Epoch),
        _ => None,
    }
}
