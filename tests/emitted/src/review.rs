//! The policy `gate.review@2`: its facts, its vocabulary and its table.
//!
//! One independent review of one manuscript chapter. The manager writes; somebody else judges.
//! A broken transport may be replaced. A judgement may not: a `no` goes to repair, never to another reviewer.
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
pub const NAME: &str = "gate.review";

/// The policy's version.
pub const VERSION: u32 = 2;

/// The digest of the table, to be compared with one that was pinned.
pub const DIGEST: [u8; 32] = *b"\
    \x1e\x5c\x88\x82\x7b\x9a\x8a\xd1\x71\x16\x4b\x83\xe8\xc7\xc6\xa0\x9b\x78\xf0\xfd\x96\xaf\xfd\xba\
    \x76\xa7\x52\xaf\x1d\xca\xd4\xf1";

/// The bytes, as `roadlaw build` writes them.
pub static TABLE: &[u8; 6416] = &ALIGNED.0;

/// Checks the bytes and returns the table. It borrows [`TABLE`] and copies nothing.
///
/// # Errors
/// The runtime reads another version of the format than the one this file was written for.
pub fn table() -> Result<::roadlaw_runtime::Table<'static>, ::roadlaw_runtime::TableError> {
    ::roadlaw_runtime::Table::from_bytes(TABLE)
}

#[repr(align(64))]
struct Aligned([u8; 6416]);

static ALIGNED: Aligned = Aligned(*RAW);

const RAW: &[u8; 6416] = b"\
    \x52\x4f\x41\x44\x4c\x41\x57\x00\x02\x00\xd0\x00\x01\x00\x00\x00\x10\x19\x00\x00\x00\x00\x00\x00\
    \xfe\x61\x62\xaf\x6b\xef\x9a\xa6\x1e\x5c\x88\x82\x7b\x9a\x8a\xd1\x71\x16\x4b\x83\xe8\xc7\xc6\xa0\
    \x9b\x78\xf0\xfd\x96\xaf\xfd\xba\x76\xa7\x52\xaf\x1d\xca\xd4\xf1\x35\xc5\x0f\xcd\x67\x3d\x85\x65\
    \x4e\x03\xee\x37\x51\x7d\x2a\xf9\x9f\x15\xb3\x04\xdd\x2c\x3b\xcd\xd1\xcd\xd6\x98\x61\x9a\x83\x82\
    \x72\xc0\x0f\xef\x34\x9a\xf9\x5b\x5d\xf2\x13\x67\x03\x07\xc3\xdf\x2f\xba\xf0\x14\xc1\xa9\x89\x3e\
    \xe5\xdd\x04\x0e\x48\x5e\x6e\xcc\x2a\x02\x00\x00\x3f\x00\x00\x00\x10\x00\x00\x00\x05\x00\x00\x00\
    \x33\x00\x00\x00\x2d\x00\x00\x00\xee\x00\x00\x00\x01\x00\x00\x00\x03\x00\x00\x00\x2f\x00\x00\x00\
    \x02\x00\x00\x00\x2b\x00\x00\x00\x00\x00\x00\x00\x47\x00\x00\x00\xc3\x00\x00\x00\x06\x00\x00\x00\
    \x01\x00\x00\x00\x01\x00\x00\x00\xb4\x05\x00\x00\x00\x00\x00\x00\xff\x12\x1a\x12\x12\x1a\x12\x12\
    \x1a\x12\x12\x1a\x12\x12\x1a\x12\x12\x1a\x12\x13\x1b\x13\x13\x1b\x13\x13\x1b\x13\x13\x1f\x13\x13\
    \x1f\x13\x13\x1b\x13\x12\x1a\x12\x12\x1a\x12\x12\x1a\x12\x12\x1a\x12\x12\x1a\x12\x12\x1a\x12\x1c\
    \x1c\x1c\x1d\x1d\x1c\x1c\x1c\x1c\x1d\x1d\x1c\x1c\x1c\x1c\x1d\x1d\x1c\x1e\x1e\x1e\x1f\x1f\x1e\x1e\
    \x1e\x1e\x1f\x1f\x1e\x1c\x1c\x1c\x1d\x1d\x1c\x1f\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\
    \x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1f\x1f\x1f\x1a\x1a\x1a\x1a\x1a\x1a\x1a\
    \x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1f\x1a\x1a\x1a\x1a\x1a\x1a\
    \x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x17\x17\x10\x10\
    \x10\x17\x17\x10\x10\x10\x1f\x1f\x18\x18\x18\x17\x17\x10\x10\x10\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\
    \x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1b\
    \x1a\x1a\x1a\x1a\x1a\x1e\x1a\x1a\x1f\x1a\x1a\x1e\x1a\x1a\x1a\x1a\x1a\x1b\x1a\x1a\x1a\x1a\x1a\x1a\
    \x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\
    \x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1e\x1a\x1a\x1e\x1a\x1a\x1e\x1a\x1a\x1a\x1a\x1a\x1a\
    \x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1b\x1a\x1a\x1a\x1a\x1a\x1e\x1a\x1a\x1f\x1a\x1a\x1e\x1a\x1a\x1a\
    \x1a\x1a\x1b\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1e\x1a\x1a\x1e\x1a\x1a\x1e\
    \x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1e\x1a\x1b\x1f\x1b\x1a\x1e\x1a\x1a\x1e\x1a\x1b\x1f\
    \x1b\x1a\x1e\x1a\x1a\x1e\x1a\x1b\x1f\x1b\x1a\x1e\x1a\x19\x1b\x19\x1d\x1f\x1d\x19\x1b\x19\x1f\x1e\
    \x1e\x1b\x1a\x1a\x1b\x1a\x1a\x1f\x1e\x1e\x1b\x1a\x1a\x1b\x1a\x1a\x1a\x1e\x1a\x1b\x1f\x1b\x1a\x1e\
    \x1a\x1a\x1e\x1a\x1b\x1f\x1b\x1a\x1e\x1a\x1a\x1e\x1a\x1b\x1f\x1b\x1a\x1e\x1a\x19\x1b\x19\x1d\x1f\
    \x1d\x19\x1b\x19\x16\x1e\x16\x17\x1f\x17\x16\x1e\x16\x19\x1b\x19\x1d\x1f\x1d\x19\x1b\x19\x16\x1e\
    \x16\x16\x1e\x16\x17\x1f\x17\x16\x1e\x16\x19\x19\x1b\x19\x19\x19\x1b\x19\x1d\x1d\x1f\x1d\x19\x19\
    \x1b\x19\xff\x01\x02\x01\x03\x01\x02\x01\x00\x00\x00\x00\x00\x00\x00\x00\xff\x04\xff\x04\xff\x04\
    \xff\x04\xff\x04\xff\x04\xff\x04\xff\x04\xff\x03\x00\x00\x01\x01\x00\x00\x02\x02\x00\x00\x01\x01\
    \x00\x00\xff\x04\xff\x04\xff\x04\xff\x04\xff\x04\xff\x04\xff\x04\xff\x04\x00\x00\x00\x00\x00\x00\
    \x01\x08\x03\x00\xff\xff\x02\x00\x00\x00\x02\x00\xff\xff\x00\x00\x02\x02\x05\x00\xff\xff\x00\x00\
    \x02\x02\x05\x00\xff\xff\x00\x00\x02\x02\x05\x00\xff\xff\x00\x00\x02\x02\x05\x00\xff\xff\x00\x00\
    \x02\x02\x05\x00\xff\xff\x00\x00\x04\x04\x00\x00\xff\xff\x00\x00\x04\x04\x02\x00\xff\xff\x00\x00\
    \x04\x04\x04\x00\xff\xff\x00\x00\x04\x04\x06\x00\xff\xff\x00\x00\x04\x04\x08\x00\xff\xff\x00\x00\
    \x04\x09\x0a\x00\xff\xff\x0c\x00\x02\x09\x04\x00\xff\xff\x03\x00\x00\x09\x02\x00\xff\xff\x00\x00\
    \x00\x09\x02\x00\xff\xff\x01\x00\x00\x09\x02\x00\xff\xff\x01\x00\x00\x09\x02\x00\xff\xff\x00\x00\
    \x00\x09\x02\x00\xff\xff\x01\x00\x00\x08\x02\x00\xff\xff\x00\x00\x00\x08\x02\x00\xff\xff\x00\x00\
    \x00\x08\x02\x00\xff\xff\x00\x00\x00\x08\x02\x00\xff\xff\x00\x00\x00\x08\x02\x00\xff\xff\x00\x00\
    \x00\x08\x02\x00\xff\xff\x00\x00\x00\x08\x02\x00\xff\xff\x00\x00\x00\x08\x02\x00\xff\xff\x00\x00\
    \x00\x08\x02\x00\xff\xff\x00\x00\x00\x0a\x02\x00\xff\xff\x00\x00\x00\x0a\x02\x00\xff\xff\x00\x00\
    \x00\x0a\x02\x00\xff\xff\x00\x00\x00\x0a\x02\x00\xff\xff\x00\x00\x00\x0a\x02\x00\xff\xff\x00\x00\
    \x00\x0a\x02\x00\xff\xff\x00\x00\x00\x0a\x02\x00\xff\xff\x00\x00\x00\x0a\x02\x00\xff\xff\x00\x00\
    \x00\x0a\x02\x00\xff\xff\x01\x00\x00\x0a\x02\x00\xff\xff\x01\x00\x00\x0a\x02\x00\xff\xff\x01\x00\
    \x00\x0a\x02\x00\xff\xff\x01\x00\x00\x08\x02\x00\xff\xff\x00\x00\x00\x08\x02\x00\xff\xff\x00\x00\
    \x00\x08\x02\x00\xff\xff\x00\x00\x00\x08\x02\x00\xff\xff\x00\x00\x00\x08\x02\x00\xff\xff\x00\x00\
    \x00\x08\x02\x00\xff\xff\x00\x00\x00\x08\x02\x00\xff\xff\x00\x00\x00\x08\x02\x00\xff\xff\x00\x00\
    \x00\x08\x02\x00\xff\xff\x00\x00\x00\x08\x02\x00\xff\xff\x00\x00\x00\x08\x02\x00\xff\xff\x00\x00\
    \x00\x08\x02\x00\xff\xff\x00\x00\x00\x08\x02\x00\xff\xff\x00\x00\x02\x08\x03\x00\xff\xff\x00\x00\
    \x02\x08\x03\x00\xff\xff\x00\x00\x02\x08\x03\x00\xff\xff\x00\x00\x02\x08\x03\x00\xff\xff\x00\x00\
    \x00\x1b\x02\x00\x00\x00\x01\x00\x00\x1b\x02\x00\x01\x00\x01\x00\x00\x1b\x02\x00\x02\x00\x01\x00\
    \x00\x1b\x02\x00\x03\x00\x01\x00\x00\x2b\x02\x00\xff\xff\x01\x00\x04\x4b\x0d\x00\x00\x00\x0f\x00\
    \x00\x00\x00\x00\x00\x00\x00\x00\xe8\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\
    \xe8\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xe8\x03\x00\x00\x00\x00\x00\x00\
    \x00\x00\x00\x00\x00\x00\x00\x00\xe8\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\
    \xe8\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x64\x00\x00\x00\x00\x00\x00\x00\
    \x64\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x00\x00\x00\x00\
    \x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x13\x00\x07\x01\x13\x00\x00\x00\x06\x00\x06\x00\
    \x19\x00\x00\x00\x15\x00\x07\x02\x2e\x00\x00\x00\x04\x00\x06\x05\x32\x00\x00\x00\x01\x00\x00\x00\
    \x00\x00\x01\x00\x02\x00\x03\x00\x04\x00\x05\x00\x06\x00\x07\x00\x08\x00\x09\x00\x0a\x00\x0b\x00\
    \x0c\x00\x0d\x00\x0e\x00\x0f\x00\x10\x00\x11\x00\x12\x00\x13\x00\x14\x00\x15\x00\x03\x00\x16\x00\
    \x17\x00\x18\x00\x19\x00\x1a\x00\x03\x00\x1b\x00\x05\x00\x06\x00\x07\x00\x1c\x00\x1d\x00\x1e\x00\
    \x1f\x00\x20\x00\x21\x00\x22\x00\x23\x00\x24\x00\x11\x00\x25\x00\x26\x00\x27\x00\x28\x00\x29\x00\
    \x2a\x00\x27\x00\x2b\x00\x00\x00\x00\x00\x00\x00\x04\x00\x00\x00\x08\x00\x00\x00\x0c\x00\x00\x00\
    \x10\x00\x00\x00\x14\x00\x00\x00\x18\x00\x00\x00\x1d\x00\x00\x00\x22\x00\x00\x00\x35\x00\x00\x00\
    \x39\x00\x00\x00\x3d\x00\x00\x00\x41\x00\x00\x00\x45\x00\x00\x00\x49\x00\x00\x00\x4d\x00\x00\x00\
    \x52\x00\x00\x00\x57\x00\x00\x00\x69\x00\x00\x00\x6d\x00\x00\x00\x71\x00\x00\x00\x75\x00\x00\x00\
    \x79\x00\x00\x00\x7d\x00\x00\x00\x81\x00\x00\x00\x85\x00\x00\x00\x89\x00\x00\x00\x8d\x00\x00\x00\
    \x91\x00\x00\x00\xa4\x00\x00\x00\xa8\x00\x00\x00\xac\x00\x00\x00\xb0\x00\x00\x00\xb4\x00\x00\x00\
    \xb8\x00\x00\x00\xbc\x00\x00\x00\xc1\x00\x00\x00\xc6\x00\x00\x00\xca\x00\x00\x00\xce\x00\x00\x00\
    \xd2\x00\x00\x00\xd6\x00\x00\x00\xda\x00\x00\x00\xde\x00\x00\x00\xe2\x00\x00\x00\x00\x00\x00\x00\
    \x05\x2d\x00\x02\x05\x31\x00\x02\x05\x35\x00\x04\x05\x0d\x00\x03\x05\x02\x00\x18\x05\x0e\x00\x02\
    \x05\x0f\x00\x02\x02\x05\x10\x00\x02\x02\x05\x13\x00\x02\x05\x14\x00\x02\x05\x16\x00\x02\x05\x17\
    \x00\x02\x03\x04\x00\x05\x18\x00\x02\x05\x1c\x00\x02\x05\x1e\x00\x02\x05\x1a\x00\x02\x05\x29\x00\
    \x02\x05\x2b\x00\x02\x05\x24\x00\x02\x02\x05\x26\x00\x02\x02\x06\x0c\x00\x00\x00\x00\x00\x59\x00\
    \x00\x00\x05\x11\x00\x02\x04\x02\x00\x05\x20\x00\x02\x05\x2e\x00\x02\x05\x32\x00\x02\x05\x36\x00\
    \x04\x05\x03\x00\x18\x05\x21\x00\x02\x05\x2f\x00\x02\x05\x33\x00\x02\x05\x37\x00\x04\x05\x04\x00\
    \x18\x05\x13\x00\x02\x05\x15\x00\x02\x05\x16\x00\x02\x05\x17\x00\x02\x03\x04\x00\x05\x19\x00\x02\
    \x05\x1d\x00\x02\x05\x1f\x00\x02\x05\x1b\x00\x02\x05\x2a\x00\x02\x05\x2c\x00\x02\x05\x25\x00\x02\
    \x02\x05\x27\x00\x02\x02\x05\x28\x00\x02\x05\x22\x00\x02\x05\x01\x00\x02\x05\x30\x00\x02\x05\x34\
    \x00\x02\x05\x38\x00\x04\x05\x23\x00\x02\x06\x0c\x00\x28\x00\x00\x00\x64\x00\x00\x00\x02\x00\x00\
    \x03\x00\x04\x00\x00\x00\x00\x00\x00\x00\x03\x01\x00\x00\x00\x00\x00\x00\x00\x00\x2f\x00\x14\x00\
    \x05\x00\x00\x00\xea\x01\x01\x00\x08\x00\x00\x00\xff\xff\xff\xff\x00\x00\x03\x01\x04\x00\x00\x00\
    \x19\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x02\x00\x05\x00\x00\x00\x21\x00\x00\x00\
    \x00\x00\x00\x00\xea\x01\x00\x00\x02\x00\x02\x00\x05\x00\x00\x00\x26\x00\x00\x00\x00\x00\x00\x00\
    \x0a\x02\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x01\x00\x03\x00\x00\x00\x00\x00\x02\x00\
    \x01\x00\x01\x00\x06\x00\x00\x00\x00\x00\x03\x00\x01\x00\x06\x00\x06\x00\x00\x00\x00\x00\x04\x00\
    \x00\x00\x03\x00\x06\x00\x00\x00\x01\x00\x0c\x00\x02\x00\x01\x00\x03\x00\x00\x00\x00\x00\x0d\x00\
    \x03\x00\x01\x00\x05\x00\x00\x00\x00\x00\x0e\x00\x00\x00\x12\x00\x03\x00\x00\x00\x00\x00\x0f\x00\
    \x02\x00\x03\x00\x03\x00\x00\x00\x00\x00\x10\x00\x02\x00\x09\x00\x03\x00\x00\x00\x00\x00\x11\x00\
    \x02\x00\x1b\x00\x03\x00\x00\x00\x00\x00\x13\x00\x04\x00\x01\x00\x03\x00\x00\x00\x00\x00\x14\x00\
    \x04\x00\x03\x00\x03\x00\x00\x00\x00\x00\x15\x00\x04\x00\x09\x00\x03\x00\x00\x00\x00\x00\x16\x00\
    \x04\x00\x1b\x00\x03\x00\x00\x00\x00\x00\x17\x00\x05\x00\x01\x00\x03\x00\x00\x00\x00\x00\x18\x00\
    \x05\x00\x03\x00\x03\x00\x00\x00\x00\x00\x19\x00\x05\x00\x09\x00\x03\x00\x00\x00\x00\x00\x1a\x00\
    \x05\x00\x1b\x00\x03\x00\x00\x00\x00\x00\x1b\x00\x06\x00\x01\x00\x03\x00\x00\x00\x00\x00\x1c\x00\
    \x06\x00\x03\x00\x03\x00\x00\x00\x00\x00\x1d\x00\x07\x00\x01\x00\x03\x00\x00\x00\x00\x00\x1e\x00\
    \x07\x00\x03\x00\x03\x00\x00\x00\x00\x00\x1f\x00\x08\x00\x01\x00\x03\x00\x00\x00\x00\x00\x20\x00\
    \x08\x00\x03\x00\x03\x00\x00\x00\x00\x00\x21\x00\x09\x00\x01\x00\x03\x00\x00\x00\x00\x00\x22\x00\
    \x09\x00\x03\x00\x03\x00\x00\x00\x00\x00\x24\x00\x0a\x00\x01\x00\x03\x00\x00\x00\x00\x00\x25\x00\
    \x0a\x00\x03\x00\x03\x00\x00\x00\x00\x00\x26\x00\x0b\x00\x01\x00\x03\x00\x00\x00\x00\x00\x27\x00\
    \x0b\x00\x03\x00\x03\x00\x00\x00\x00\x00\x28\x00\x0c\x00\x01\x00\x03\x00\x00\x00\x00\x00\x29\x00\
    \x0c\x00\x03\x00\x03\x00\x00\x00\x00\x00\x2a\x00\x0d\x00\x01\x00\x03\x00\x00\x00\x00\x00\x2b\x00\
    \x0d\x00\x03\x00\x03\x00\x00\x00\x00\x00\x2c\x00\x0e\x00\x01\x00\x03\x00\x00\x00\x00\x00\x2d\x00\
    \x0e\x00\x03\x00\x03\x00\x00\x00\x00\x00\x2e\x00\x0f\x00\x01\x00\x03\x00\x00\x00\x00\x00\x2f\x00\
    \x0f\x00\x03\x00\x03\x00\x00\x00\x00\x00\x30\x00\x10\x00\x01\x00\x03\x00\x00\x00\x00\x00\x31\x00\
    \x10\x00\x03\x00\x03\x00\x00\x00\x00\x00\x32\x00\x11\x00\x01\x00\x03\x00\x00\x00\x00\x00\x33\x00\
    \x11\x00\x03\x00\x03\x00\x00\x00\x00\x00\x34\x00\x12\x00\x01\x00\x03\x00\x00\x00\x00\x00\x35\x00\
    \x12\x00\x03\x00\x04\x00\x00\x00\x00\x00\x36\x00\x13\x00\x01\x00\x04\x00\x00\x00\x00\x00\x37\x00\
    \x13\x00\x04\x00\x04\x00\x00\x00\x00\x00\x38\x00\x03\x00\x05\x00\x04\x00\x00\x00\x00\x00\x00\x00\
    \x01\x00\x00\x00\x5a\x00\x00\x00\x00\x00\x01\x00\x02\x00\x03\x00\x08\x00\x01\x00\x37\x00\x5b\x00\
    \xac\x00\xc0\x00\x11\x01\x62\x01\x6b\x01\x74\x01\x7d\x01\x86\x01\x8f\x01\x98\x01\xa1\x01\xaa\x01\
    \xb3\x01\xbc\x01\xc5\x01\xce\x01\xda\x01\x07\x00\x08\x00\x09\x00\x0a\x00\x01\x00\x00\x00\x02\x00\
    \x03\x00\x03\x00\x00\x00\x01\x00\x02\x00\x04\x00\x01\x00\x02\x00\x03\x00\x00\x00\x04\x00\x00\x00\
    \x00\x00\xff\xff\x00\x00\x00\x00\x01\x00\xff\xff\x00\x00\x02\x00\x21\x00\xff\xff\x00\x00\x04\x00\
    \x06\x00\x00\x00\x00\x00\x04\x00\x02\x00\x00\x00\x00\x00\x09\x00\x0a\x00\x01\x00\x00\x00\x0c\x00\
    \x02\x00\x02\x00\x00\x00\x0e\x00\x02\x00\x03\x00\x00\x00\x11\x00\x22\x00\xff\xff\x00\x00\x13\x00\
    \x09\x00\x00\x00\x00\x00\x13\x00\x07\x00\x00\x00\x00\x00\x15\x00\x21\x00\xff\xff\x00\x00\x18\x00\
    \x0c\x00\x01\x00\x80\x08\x18\x00\x09\x00\x02\x00\x00\x00\x1a\x00\x07\x00\x02\x00\x00\x00\x1c\x00\
    \x0a\x00\x03\x00\x00\x00\x1f\x00\x0a\x00\x00\x00\x00\x00\x21\x00\x08\x00\x00\x00\x00\x00\x23\x00\
    \x04\x00\x01\x00\x01\x00\x26\x00\x0a\x00\x02\x00\x00\x00\x28\x00\x08\x00\x02\x00\x00\x00\x2a\x00\
    \x04\x00\x03\x00\x01\x00\x2d\x00\x0c\x00\x00\x00\x80\x08\x2f\x00\x0f\x00\x01\x00\x0c\x00\x31\x00\
    \x0c\x00\x02\x00\x80\x08\x37\x00\x10\x00\x03\x00\x0c\x00\x39\x00\x04\x00\x00\x00\x01\x00\x3f\x00\
    \x11\x00\x01\x00\x0c\x00\x41\x00\x03\x00\xff\xff\x02\x00\x47\x00\x26\x00\xff\xff\x00\x00\x49\x00\
    \x25\x00\xff\xff\x00\x00\x49\x00\x04\x00\x02\x00\x01\x00\x49\x00\x03\x00\xff\xff\x02\x00\x4b\x00\
    \x0d\x00\x00\x00\x00\x20\x4d\x00\x17\x00\x01\x00\x00\x00\x4f\x00\x0d\x00\x02\x00\x00\x20\x53\x00\
    \x12\x00\xff\xff\x40\x00\x55\x00\x0e\x00\x00\x00\x0c\x00\x57\x00\x05\x00\x00\x00\x00\x00\x61\x00\
    \x12\x00\x01\x00\x40\x00\x63\x00\x23\x00\xff\xff\x00\x00\x65\x00\x0e\x00\x02\x00\x0c\x00\x65\x00\
    \x05\x00\x02\x00\x00\x00\x70\x00\x13\x00\xff\xff\x30\x00\x72\x00\x21\x00\xff\xff\x00\x00\x76\x00\
    \x12\x00\x00\x00\x40\x00\x76\x00\x05\x00\x00\x00\x00\x00\x78\x00\x17\x00\x00\x00\x00\x00\x7a\x00\
    \x13\x00\x01\x00\x30\x00\x7e\x00\x10\x00\x02\x00\x0c\x00\x82\x00\x05\x00\x02\x00\x00\x00\x88\x00\
    \x17\x00\x02\x00\x00\x00\x8a\x00\x14\x00\xff\xff\x00\x01\x8e\x00\x14\x00\xff\xff\x00\x01\x91\x00\
    \x13\x00\x00\x00\x30\x00\x94\x00\x14\x00\x01\x00\x00\x01\x98\x00\x14\x00\x01\x00\x00\x01\x9b\x00\
    \x12\x00\x02\x00\x40\x00\x9e\x00\x15\x00\xff\xff\x80\x04\xa0\x00\x19\x00\x04\x00\x00\x00\xa4\x00\
    \x14\x00\x00\x00\x00\x01\xa7\x00\x14\x00\x00\x00\x00\x01\xaa\x00\x15\x00\x01\x00\x80\x04\xad\x00\
    \x13\x00\x02\x00\x30\x00\xb1\x00\x20\x00\xff\xff\x00\x00\xb5\x00\x21\x00\xff\xff\x00\x00\xb5\x00\
    \x21\x00\xff\xff\x00\x00\xb5\x00\x15\x00\x00\x00\x80\x04\xb5\x00\x14\x00\x02\x00\x00\x01\xb9\x00\
    \x14\x00\x02\x00\x00\x01\xbc\x00\x15\x00\x02\x00\x80\x04\xbf\x00\x01\x00\x01\x00\xff\xff\xff\xff\
    \x02\x10\x02\x00\xff\xff\xff\xff\x01\x00\x03\x00\xff\xff\xff\xff\x02\x10\x02\x00\xff\xff\xff\xff\
    \x00\x00\x04\x00\xff\xff\x00\x00\x00\x00\x05\x00\xff\xff\x01\x00\x00\x00\x06\x00\xff\xff\x02\x00\
    \x00\x00\x07\x00\xff\xff\x03\x00\x03\x00\x08\x00\xff\xff\xff\xff\x01\x00\x09\x00\x2c\x00\xff\xff\
    \x01\x10\x0a\x00\xff\xff\xff\xff\x02\x10\x0b\x00\xff\xff\xff\xff\x01\x00\x0c\x00\xff\xff\xff\xff\
    \x06\x10\x0b\x00\xff\xff\xff\xff\x01\x00\x0d\x00\x2c\x00\xff\xff\x01\x10\x0e\x00\xff\xff\xff\xff\
    \x02\x10\x0b\x00\xff\xff\xff\xff\x01\x00\x0f\x00\xff\xff\xff\xff\x02\x10\x0b\x00\xff\xff\xff\xff\
    \x01\x00\x10\x00\xff\xff\xff\xff\x06\x10\x0b\x00\xff\xff\xff\xff\x01\x00\x11\x00\xff\xff\xff\xff\
    \x02\x10\x0b\x00\xff\xff\xff\xff\x04\x00\x0b\x00\xff\xff\xff\xff\x01\x00\x12\x00\xff\xff\xff\xff\
    \x06\x10\x0b\x00\xff\xff\xff\xff\x01\x00\x13\x00\xff\xff\xff\xff\x06\x10\x0b\x00\xff\xff\xff\xff\
    \x01\x00\x14\x00\xff\xff\xff\xff\x02\x10\x0b\x00\xff\xff\xff\xff\x04\x00\x0b\x00\xff\xff\xff\xff\
    \x01\x00\x15\x00\xff\xff\xff\xff\x06\x10\x0b\x00\xff\xff\xff\xff\x01\x00\x16\x00\xff\xff\xff\xff\
    \x06\x10\x0b\x00\xff\xff\xff\xff\x01\x00\x09\x00\xff\xff\xff\xff\x02\x10\x0b\x00\xff\xff\xff\xff\
    \x05\x00\x0b\x00\xff\xff\xff\xff\x01\x00\x17\x00\xff\xff\xff\xff\x02\x10\x0b\x00\xff\xff\xff\xff\
    \x01\x00\x18\x00\xff\xff\xff\xff\x06\x10\x0b\x00\xff\xff\xff\xff\x01\x00\x0d\x00\xff\xff\xff\xff\
    \x02\x10\x0b\x00\xff\xff\xff\xff\x05\x00\x0b\x00\xff\xff\xff\xff\x01\x00\x19\x00\xff\xff\xff\xff\
    \x02\x10\x0b\x00\xff\xff\xff\xff\x01\x00\x1a\x00\xff\xff\xff\xff\x06\x10\x0b\x00\xff\xff\xff\xff\
    \x01\x00\x1b\x00\xff\xff\xff\xff\x02\x00\x0b\x00\xff\xff\xff\xff\x08\x24\x1c\x00\xff\xff\x04\x00\
    \x10\x00\x1e\x00\xff\xff\xff\xff\x11\x24\x1c\x00\xff\xff\x04\x00\x12\x00\x1d\x00\xff\xff\xff\xff\
    \x01\x00\x1f\x00\xff\xff\xff\xff\x06\x10\x0b\x00\xff\xff\xff\xff\x01\x26\x20\x00\xff\xff\xff\xff\
    \x02\x00\x0b\x00\xff\xff\xff\xff\x08\x24\x1c\x00\xff\xff\x04\x00\x10\x00\x1e\x00\xff\xff\xff\xff\
    \x11\x24\x1c\x00\xff\xff\x04\x00\x12\x00\x1d\x00\xff\xff\xff\xff\x01\x00\x21\x00\xff\xff\xff\xff\
    \x02\x10\x0b\x00\xff\xff\xff\xff\x01\x26\x20\x00\xff\xff\xff\xff\x02\x00\x0b\x00\xff\xff\xff\xff\
    \x08\x00\x22\x00\xff\xff\xff\xff\x10\x00\x1e\x00\xff\xff\xff\xff\x11\x24\x1c\x00\xff\xff\x04\x00\
    \x12\x00\x1d\x00\xff\xff\xff\xff\x01\x00\x01\x00\xff\xff\xff\xff\x02\x10\x02\x00\xff\xff\xff\xff\
    \x01\x00\x23\x00\xff\xff\xff\xff\x02\x10\x0b\x00\xff\xff\xff\xff\x01\x00\x24\x00\xff\xff\xff\xff\
    \x02\x10\x02\x00\xff\xff\xff\xff\x01\x00\x25\x00\xff\xff\xff\xff\x07\x00\x26\x00\xff\xff\xff\xff\
    \x1b\x24\x1c\x00\xff\xff\x04\x00\x1c\x00\x27\x00\xff\xff\xff\xff\x1d\x00\x0b\x00\xff\xff\xff\xff\
    \x1e\x00\x28\x00\xff\xff\xff\xff\x01\x00\x29\x00\xff\xff\xff\xff\x07\x00\x2a\x00\xff\xff\xff\xff\
    \x01\x00\x2b\x00\xff\xff\xff\xff\x02\x10\x2c\x00\xff\xff\xff\xff\x01\x00\x2d\x00\xff\xff\xff\xff\
    \x08\x00\x2e\x00\xff\xff\xff\xff\x09\x00\x2e\x00\xff\xff\xff\xff\x0a\x00\x0b\x00\xff\xff\xff\xff\
    \x0b\x00\x0b\x00\xff\xff\xff\xff\x0c\x00\x2f\x00\xff\xff\xff\xff\x0d\x00\x2f\x00\xff\xff\xff\xff\
    \x0e\x00\x2f\x00\xff\xff\xff\xff\x0f\x00\x2f\x00\xff\xff\xff\xff\x10\x00\x1e\x00\xff\xff\xff\xff\
    \x01\x00\x0b\x00\xff\xff\xff\xff\x02\x10\x0b\x00\xff\xff\xff\xff\x01\x00\x30\x00\xff\xff\xff\xff\
    \x02\x10\x2c\x00\xff\xff\xff\xff\x01\x00\x31\x00\xff\xff\xff\xff\x02\x00\x0b\x00\xff\xff\xff\xff\
    \x08\x00\x32\x00\xff\xff\xff\xff\x09\x00\x32\x00\xff\xff\xff\xff\x0a\x00\x0b\x00\xff\xff\xff\xff\
    \x0e\x00\x33\x00\xff\xff\xff\xff\x0f\x00\x33\x00\xff\xff\xff\xff\x10\x00\x1e\x00\xff\xff\xff\xff\
    \x11\x24\x1c\x00\xff\xff\x04\x00\x12\x00\x1d\x00\xff\xff\xff\xff\x13\x00\x33\x00\xff\xff\xff\xff\
    \x01\x00\x0b\x00\xff\xff\xff\xff\x02\x10\x0b\x00\xff\xff\xff\xff\x01\x00\x34\x00\xff\xff\xff\xff\
    \x15\x00\x35\x00\xff\xff\xff\xff\x16\x24\x1c\x00\xff\xff\x04\x00\x17\x00\x2c\x00\xff\xff\xff\xff\
    \x01\x00\x36\x00\xff\xff\xff\xff\x02\x10\x2c\x00\xff\xff\xff\xff\x01\x24\x1c\x00\xff\xff\x04\x00\
    \x02\x10\x0b\x00\xff\xff\xff\xff\x1b\x24\x1c\x00\xff\xff\x04\x00\x1c\x00\x2d\x00\xff\xff\xff\xff\
    \x1d\x00\x0b\x00\xff\xff\xff\xff\x1e\x00\x28\x00\xff\xff\xff\xff\x01\x00\x37\x00\xff\xff\xff\xff\
    \x15\x00\x38\x00\xff\xff\xff\xff\x16\x24\x1c\x00\xff\xff\x04\x00\x17\x00\x2c\x00\xff\xff\xff\xff\
    \x01\x26\x20\x00\xff\xff\xff\xff\x02\x00\x0b\x00\xff\xff\xff\xff\x08\x00\x33\x00\xff\xff\xff\xff\
    \x10\x00\x1e\x00\xff\xff\xff\xff\x11\x24\x1c\x00\xff\xff\x04\x00\x12\x00\x1d\x00\xff\xff\xff\xff\
    \x01\x24\x1c\x00\xff\xff\x04\x00\x02\x10\x0b\x00\xff\xff\xff\xff\x1b\x24\x1c\x00\xff\xff\x04\x00\
    \x1c\x00\x39\x00\xff\xff\xff\xff\x1d\x00\x0b\x00\xff\xff\xff\xff\x1e\x00\x28\x00\xff\xff\xff\xff\
    \x01\x00\x3a\x00\xff\xff\xff\xff\x18\x00\x2c\x00\xff\xff\xff\xff\x19\x00\x2c\x00\xff\xff\xff\xff\
    \x01\x00\x3b\x00\xff\xff\xff\xff\x18\x00\x3b\x00\xff\xff\xff\xff\x19\x00\x2c\x00\xff\xff\xff\xff\
    \x01\x00\x3c\x00\xff\xff\xff\xff\x15\x00\x3d\x00\xff\xff\xff\xff\x16\x24\x1c\x00\xff\xff\x04\x00\
    \x17\x00\x2c\x00\xff\xff\xff\xff\x01\x00\x3e\x00\xff\xff\xff\xff\x18\x00\x2c\x00\xff\xff\xff\xff\
    \x19\x00\x2c\x00\xff\xff\xff\xff\x01\x00\x3b\x00\xff\xff\xff\xff\x18\x00\x3b\x00\xff\xff\xff\xff\
    \x19\x00\x2c\x00\xff\xff\xff\xff\x01\x00\x3f\x00\xff\xff\xff\xff\x02\x10\x2c\x00\xff\xff\xff\xff\
    \x01\x00\x40\x00\xff\xff\xff\xff\x0a\x00\x2c\x00\xff\xff\xff\xff\x12\x00\x2c\x00\xff\xff\xff\xff\
    \x1a\x00\x2c\x00\xff\xff\xff\xff\x01\x21\x01\x00\xff\xff\x05\x00\x01\x08\x41\x00\xff\xff\x05\x00\
    \x02\x00\x42\x00\xff\xff\xff\xff\x01\x00\x43\x00\xff\xff\xff\xff\x18\x00\x2c\x00\xff\xff\xff\xff\
    \x19\x00\x2c\x00\xff\xff\xff\xff\x01\x00\x3b\x00\xff\xff\xff\xff\x18\x00\x3b\x00\xff\xff\xff\xff\
    \x19\x00\x2c\x00\xff\xff\xff\xff\x01\x00\x40\x00\xff\xff\xff\xff\x0a\x00\x2c\x00\xff\xff\xff\xff\
    \x12\x00\x2c\x00\xff\xff\xff\xff\x1a\x00\x2c\x00\xff\xff\xff\xff\x01\x00\x44\x00\xff\xff\xff\xff\
    \x15\x00\x45\x00\xff\xff\xff\xff\x16\x24\x1c\x00\xff\xff\x04\x00\x17\x00\x2c\x00\xff\xff\xff\xff\
    \x01\x00\x40\x00\xff\xff\xff\xff\x0a\x00\x2c\x00\xff\xff\xff\xff\x12\x00\x2c\x00\xff\xff\xff\xff\
    \x1a\x00\x2c\x00\xff\xff\xff\xff\x01\x00\x46\x00\xff\xff\xff\xff\x18\x00\x2c\x00\xff\xff\xff\xff\
    \x19\x00\x2c\x00\xff\xff\xff\xff\x01\x00\x3b\x00\xff\xff\xff\xff\x18\x00\x3b\x00\xff\xff\xff\xff\
    \x19\x00\x2c\x00\xff\xff\xff\xff\x01\x00\x40\x00\xff\xff\xff\xff\x0a\x00\x2c\x00\xff\xff\xff\xff\
    \x12\x00\x2c\x00\xff\xff\xff\xff\x1a\x00\x2c\x00\xff\xff\xff\xff\x00\x00\xff\x00\x00\x00\x00\x00\
    \x00\x00\x00\x00\x01\x00\xff\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xff\x00\x00\x00\x00\x00\
    \x00\x00\x00\x00\x03\x00\xff\x00\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff\xff\x00\xf8\xff\x05\x00\
    \x00\x02\x00\x00\xff\xff\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x3e\x00\x00\x00\x00\x00\
    \x00\x00\xff\xff\x00\x00\x00\x00\x3b\x00\x06\x61\x63\x63\x65\x70\x74\x05\x28\x61\x70\x69\x29\x06\
    \x28\x70\x65\x65\x72\x29\x06\x5b\x70\x65\x65\x72\x5d\x05\x5b\x61\x70\x69\x5d\x07\x28\x61\x67\x65\
    \x6e\x74\x29\x09\x61\x73\x73\x75\x72\x61\x6e\x63\x65\x09\x61\x76\x61\x69\x6c\x61\x62\x6c\x65\x05\
    \x62\x6c\x69\x6e\x64\x08\x64\x69\x73\x74\x69\x6e\x63\x74\x05\x6c\x6f\x67\x69\x6e\x07\x5b\x61\x67\
    \x65\x6e\x74\x5d\x08\x5b\x70\x65\x72\x73\x6f\x6e\x5d\x06\x61\x62\x73\x65\x6e\x74\x08\x61\x74\x74\
    \x65\x73\x74\x65\x64\x08\x64\x65\x63\x6c\x61\x72\x65\x64\x07\x65\x78\x70\x69\x72\x65\x64\x07\x70\
    \x72\x65\x73\x65\x6e\x74\x05\x70\x72\x69\x63\x65\x06\x70\x72\x6f\x62\x65\x64\x07\x72\x65\x66\x75\
    \x73\x65\x64\x06\x2e\x61\x64\x6f\x70\x74\x08\x2e\x63\x6f\x6e\x73\x75\x6d\x65\x0b\x2e\x71\x75\x61\
    \x72\x61\x6e\x74\x69\x6e\x65\x07\x2e\x72\x65\x63\x6f\x72\x64\x09\x2e\x76\x61\x6c\x69\x64\x61\x74\
    \x65\x09\x61\x75\x74\x68\x6f\x72\x69\x74\x79\x0a\x63\x68\x65\x63\x6b\x70\x6f\x69\x6e\x74\x05\x63\
    \x6c\x61\x73\x73\x0a\x63\x6f\x6e\x6e\x65\x63\x74\x69\x6f\x6e\x06\x64\x65\x63\x69\x64\x65\x12\x65\
    \x67\x72\x65\x73\x73\x5f\x74\x72\x61\x6e\x73\x70\x61\x72\x65\x6e\x74\x04\x68\x69\x67\x68\x06\x6d\
    \x65\x64\x69\x75\x6d\x0a\x70\x65\x72\x6d\x69\x73\x73\x69\x6f\x6e\x07\x72\x65\x76\x6f\x6b\x65\x64\
    \x05\x74\x65\x72\x6d\x73\x05\x74\x72\x69\x65\x64\x08\x28\x70\x65\x72\x73\x6f\x6e\x29\x08\x5b\x61\
    \x75\x74\x68\x6f\x72\x5d\x07\x61\x74\x74\x65\x6d\x70\x74\x05\x61\x77\x61\x69\x74\x07\x6c\x69\x6e\
    \x65\x61\x67\x65\x0a\x6c\x6f\x63\x61\x6c\x5f\x6f\x6e\x6c\x79\x08\x6d\x69\x6e\x69\x6d\x69\x7a\x65\
    \x0a\x70\x72\x6f\x68\x69\x62\x69\x74\x65\x64\x09\x72\x65\x63\x6f\x6e\x63\x69\x6c\x65\x08\x2e\x72\
    \x65\x6c\x65\x61\x73\x65\x06\x65\x67\x72\x65\x73\x73\x09\x66\x6f\x72\x62\x69\x64\x64\x65\x6e\x08\
    \x69\x64\x65\x6e\x74\x69\x74\x79\x0f\x69\x64\x65\x6e\x74\x69\x74\x79\x5f\x74\x61\x72\x67\x65\x74\
    \x07\x72\x65\x6c\x65\x61\x73\x65\x07\x72\x65\x70\x61\x69\x72\x73\x07\x72\x65\x73\x65\x72\x76\x65\
    \x09\x72\x65\x74\x65\x6e\x74\x69\x6f\x6e\x0c\x72\x65\x74\x65\x6e\x74\x69\x6f\x6e\x5f\x6f\x6b\x0b\
    \x74\x61\x73\x6b\x5f\x73\x63\x68\x65\x6d\x61\x06\x76\x65\x72\x69\x66\x79\x67\x61\x74\x65\x2e\x72\
    \x65\x76\x69\x65\x77\x40\x32\x00\x74\x61\x73\x74\x65\x00\x71\x75\x69\x63\x6b\x00\x74\x68\x6f\x72\
    \x6f\x75\x67\x68\x00\x6e\x6f\x5f\x70\x61\x69\x64\x00\x75\x73\x65\x72\x5f\x6f\x6b\x00\x8a\x84\x00\
    \x8d\x00\x8f\x00\x91\x00\x93\x00\x8e\x00\x8a\x8b\x00\x8d\x00\x8f\x00\x91\x00\x93\x00\x8e\x00\x8a\
    \x83\x00\x8d\x00\x8f\x00\x91\x00\x93\x00\x8e\x00\x8a\x8c\x00\x8d\x00\x8f\x00\x91\x00\x93\x00\x8e\
    \x00\x8a\xa7\x00\x8d\x00\x8f\x00\x91\x00\x93\x00\x8e\x00\x92\x84\x00\x92\x8b\x00\x92\x83\x00\x92\
    \x8c\x00\x92\xa7\x00\x77\x65\x69\x67\x68\x74\x00\x9c\x00\x70\x75\x62\x6c\x69\x63\x00\x69\x6e\x74\
    \x65\x72\x6e\x61\x6c\x00\x70\x72\x69\x76\x61\x74\x65\x00\x72\x65\x73\x74\x72\x69\x63\x74\x65\x64\
    \x00\xaa\x00\xab\x00\xad\x00\x63\x6f\x6e\x73\x65\x6e\x74\x00\x71\x75\x65\x73\x74\x69\x6f\x6e\x5f\
    \x73\x61\x6d\x65\x00\x69\x64\x65\x6e\x74\x69\x74\x79\x5f\x61\x63\x74\x6f\x72\x00\xb3\x84\x00\xb3\
    \x83\x00\x69\x64\x65\x6e\x74\x69\x74\x79\x5f\x70\x6f\x6c\x69\x63\x79\x00\x69\x64\x65\x6e\x74\x69\
    \x74\x79\x5f\x70\x75\x72\x70\x6f\x73\x65\x00\x9a\x84\x00\x9a\x83\x00\xa4\x84\x00\xa4\x83\x00\xa2\
    \x84\x00\xa2\x83\x00\x9d\x84\x00\x9d\x83\x00\x87\x84\x00\x87\x8b\x00\x87\x83\x00\x87\xa7\x00\xa3\
    \x84\x00\xa3\x83\x00\x90\x84\x00\x90\x83\x00\xb9\x83\x00\x9f\x84\x00\x9f\x83\x00\xb8\x84\x00\xb8\
    \x83\x00\x89\x84\x00\x89\x8b\x00\x89\x83\x00\x89\x8c\x00\x88\x84\x00\x88\x8b\x00\x88\x83\x00\x88\
    \x8c\x00\x86\x84\x00\x6c\x6f\x77\x00\xa1\x00\xa0\x00\x86\x8b\x00\x6c\x6f\x77\x00\xa1\x00\xa0\x00\
    \x86\x83\x00\x6c\x6f\x77\x00\xa1\x00\xa0\x00\x86\x8c\x00\x6c\x6f\x77\x00\xa1\x00\xa0\x00\xa5\x84\
    \x00\xa5\x8b\x00\xa5\x83\x00\xa5\x8c\x00\x6a\x75\x64\x67\x65\x64\x00\xb5\x00\x61\x70\x69\x00\x61\
    \x67\x65\x6e\x74\x00\x70\x65\x65\x72\x00\x70\x65\x72\x73\x6f\x6e\x00\x61\x75\x74\x68\x6f\x72\x00\
    \x89\x00\x88\x00\x86\x00\x9c\x00\x8a\x00\xaa\x00\xab\x00\xad\x00\xb2\x00\x9a\x00\xa2\x00\x9d\x00\
    \xa4\x00\x9f\x00\xb7\x00\xa3\x00\x90\x00\xb1\x00\x87\x00\x89\x00\x88\x00\x86\x00\x9c\x00\x8a\x00\
    \x87\x00\x89\x00\x88\x00\x86\x00\x9c\x00\x8a\x00\xaa\x00\xab\x00\xad\x00\xb2\x00\x9a\x00\xa2\x00\
    \x9d\x00\xa4\x00\x9f\x00\xb7\x00\xa3\x00\x90\x00\xb1\x00\xb9\x00\x87\x00\x61\x73\x6b\x00\x89\x00\
    \x88\x00\x86\x00\x61\x73\x6b\x00\x87\x00\x73\x74\x61\x72\x74\x00\x63\x6c\x61\x73\x73\x69\x66\x79\
    \x00\x94\x28\x67\x61\x74\x65\x29\x00\x63\x68\x6f\x6f\x73\x65\x00\xac\x81\x00\x9e\x85\x00\xac\x82\
    \x00\xac\xa6\x00\x70\x65\x6e\x64\x69\x6e\x67\x5f\x6e\x6f\x5f\x72\x6f\x61\x64\x00\xb6\x81\x00\x63\
    \x75\x74\x81\x00\x94\x28\x72\x65\x76\x69\x65\x77\x29\x00\xa8\x85\x00\xb6\x82\x00\x63\x75\x74\x82\
    \x00\x9e\xa6\x00\x9e\x81\x00\xba\x81\x00\x9b\x85\x00\x9e\x82\x00\xba\x82\x00\x9b\xa6\x00\xa8\x81\
    \x00\x63\x61\x6c\x6c\x85\x00\xa8\x82\x00\xa9\x28\x75\x73\x65\x72\x2c\x20\x70\x65\x72\x73\x6f\x6e\
    \x29\x00\x9b\x81\x00\xa9\x28\x65\x78\x74\x65\x72\x6e\x61\x6c\x2c\x20\x61\x67\x65\x6e\x74\x29\x00\
    \x6e\x65\x78\x74\x00\x90\x00\x63\x61\x6e\x63\x65\x6c\x6c\x65\x64\x00\x9b\x82\x00\x72\x65\x72\x65\
    \x61\x64\x00\xb0\x81\x00\xae\x85\x00\xb0\x82\x00\x80\x97\x00\x73\x65\x6e\x64\x81\x00\xb4\x81\x00\
    \x80\x85\x97\x00\x69\x6e\x64\x65\x74\x65\x72\x6d\x69\x6e\x61\x74\x65\x00\x73\x65\x6e\x64\x82\x00\
    \xb4\x82\x00\x80\x99\x00\x94\x28\x76\x65\x72\x64\x69\x63\x74\x29\x00\x80\x81\x97\x00\x72\x75\x6e\
    \x81\xaf\x81\x00\xae\x81\x00\x80\x85\x99\x00\xa9\x28\x75\x73\x65\x72\x2c\x20\x70\x65\x65\x72\x29\
    \x00\x72\x75\x6e\x82\xaf\x82\x00\xae\x82\x00\x80\x96\x00\x80\x98\x00\x80\x81\x99\x00\x80\x85\x96\
    \x00\x80\x85\x98\x00\x80\x82\x97\x00\x80\x95\x00\x72\x65\x70\x61\x69\x72\x28\x61\x75\x74\x68\x6f\
    \x72\x29\x00\x80\x81\x96\x00\x80\x81\x98\x00\x80\x85\x95\x00\x80\x82\x99\x00\x64\x6f\x6e\x65\x00\
    \x94\x28\x6e\x6f\x74\x5f\x67\x6f\x6f\x64\x5f\x65\x6e\x6f\x75\x67\x68\x29\x00\x94\x28\x72\x65\x70\
    \x61\x69\x72\x29\x00\x80\x81\x95\x00\x80\x82\x96\x00\x80\x82\x98\x00\x80\x82\x95\x00\xb5\x00\x66\
    \x6c\x6f\x77\x00\x00\x00\x00\x00";

/// Roads of the policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Road {
    /// `api`
    Api,
    /// `agent`
    Agent,
    /// `peer`
    Peer,
    /// `person`
    Person,
    /// `author`
    Author,
}

impl Road {
    /// Its number in the table.
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Self::Api => 0,
            Self::Agent => 1,
            Self::Peer => 2,
            Self::Person => 3,
            Self::Author => 4,
        }
    }

    /// The one with this number, if there is one.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Self> {
        match index {
            0 => Some(Self::Api),
            1 => Some(Self::Agent),
            2 => Some(Self::Peer),
            3 => Some(Self::Person),
            4 => Some(Self::Author),
            _ => None,
        }
    }

    /// As the policy says it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Api => "api",
            Self::Agent => "agent",
            Self::Peer => "peer",
            Self::Person => "person",
            Self::Author => "author",
        }
    }

    /// All of them, by number.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=4).filter_map(Self::from_index)
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
    /// `distinct`
    Distinct,
    /// `blind`
    Blind,
    /// `assurance`
    Assurance,
    /// `class`
    Class,
    /// `login`
    Login,
    /// `lineage`
    Lineage,
    /// `local_only`
    LocalOnly,
    /// `prohibited`
    Prohibited,
    /// `identity`
    Identity,
    /// `authority`
    Authority,
    /// `permission`
    Permission,
    /// `connection`
    Connection,
    /// `terms`
    Terms,
    /// `egress_transparent`
    EgressTransparent,
    /// `retention`
    Retention,
    /// `revoked`
    Revoked,
    /// `expired`
    Expired,
    /// `forbidden`
    Forbidden,
    /// `available`
    Available,
    /// `task_schema`
    TaskSchema,
    /// `ask`
    Ask,
}

impl Reason {
    /// Its number in this file, by first use.
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Self::Distinct => 0,
            Self::Blind => 1,
            Self::Assurance => 2,
            Self::Class => 3,
            Self::Login => 4,
            Self::Lineage => 5,
            Self::LocalOnly => 6,
            Self::Prohibited => 7,
            Self::Identity => 8,
            Self::Authority => 9,
            Self::Permission => 10,
            Self::Connection => 11,
            Self::Terms => 12,
            Self::EgressTransparent => 13,
            Self::Retention => 14,
            Self::Revoked => 15,
            Self::Expired => 16,
            Self::Forbidden => 17,
            Self::Available => 18,
            Self::TaskSchema => 19,
            Self::Ask => 20,
        }
    }

    /// The one with this number, if there is one.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Self> {
        match index {
            0 => Some(Self::Distinct),
            1 => Some(Self::Blind),
            2 => Some(Self::Assurance),
            3 => Some(Self::Class),
            4 => Some(Self::Login),
            5 => Some(Self::Lineage),
            6 => Some(Self::LocalOnly),
            7 => Some(Self::Prohibited),
            8 => Some(Self::Identity),
            9 => Some(Self::Authority),
            10 => Some(Self::Permission),
            11 => Some(Self::Connection),
            12 => Some(Self::Terms),
            13 => Some(Self::EgressTransparent),
            14 => Some(Self::Retention),
            15 => Some(Self::Revoked),
            16 => Some(Self::Expired),
            17 => Some(Self::Forbidden),
            18 => Some(Self::Available),
            19 => Some(Self::TaskSchema),
            20 => Some(Self::Ask),
            _ => None,
        }
    }

    /// As the policy says it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Distinct => "distinct",
            Self::Blind => "blind",
            Self::Assurance => "assurance",
            Self::Class => "class",
            Self::Login => "login",
            Self::Lineage => "lineage",
            Self::LocalOnly => "local_only",
            Self::Prohibited => "prohibited",
            Self::Identity => "identity",
            Self::Authority => "authority",
            Self::Permission => "permission",
            Self::Connection => "connection",
            Self::Terms => "terms",
            Self::EgressTransparent => "egress_transparent",
            Self::Retention => "retention",
            Self::Revoked => "revoked",
            Self::Expired => "expired",
            Self::Forbidden => "forbidden",
            Self::Available => "available",
            Self::TaskSchema => "task_schema",
            Self::Ask => "ask",
        }
    }

    /// All of them, by number.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=20).filter_map(Self::from_index)
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
    /// `classify`
    Classify,
    /// `refused(gate)`
    RefusedGate,
    /// `choose`
    Choose,
    /// `minimize(api)`
    MinimizeApi,
    /// `decide(agent)`
    DecideAgent,
    /// `minimize(peer)`
    MinimizePeer,
    /// `minimize(person)`
    MinimizePerson,
    /// `pending_no_road`
    PendingNoRoad,
    /// `reserve(api)`
    ReserveApi,
    /// `cut(api)`
    CutApi,
    /// `refused(review)`
    RefusedReview,
    /// `attempt(agent)`
    AttemptAgent,
    /// `reserve(peer)`
    ReservePeer,
    /// `cut(peer)`
    CutPeer,
    /// `decide(person)`
    DecidePerson,
    /// `decide(api)`
    DecideApi,
    /// `verify(api)`
    VerifyApi,
    /// `checkpoint(agent)`
    CheckpointAgent,
    /// `decide(peer)`
    DecidePeer,
    /// `verify(peer)`
    VerifyPeer,
    /// `checkpoint(person)`
    CheckpointPerson,
    /// `attempt(api)`
    AttemptApi,
    /// `call(agent)`
    CallAgent,
    /// `attempt(peer)`
    AttemptPeer,
    /// `await(user, person)`
    AwaitUserPerson,
    /// `checkpoint(api)`
    CheckpointApi,
    /// `await(external, agent)`
    AwaitExternalAgent,
    /// `next`
    Next,
    /// `expired`
    Expired,
    /// `cancelled`
    Cancelled,
    /// `checkpoint(peer)`
    CheckpointPeer,
    /// `reread`
    Reread,
    /// `egress(api)`
    EgressApi,
    /// `reconcile(agent)`
    ReconcileAgent,
    /// `egress(peer)`
    EgressPeer,
    /// `accept.quarantine`
    AcceptQuarantine,
    /// `send(api)`
    SendApi,
    /// `release(api)`
    ReleaseApi,
    /// `accept(agent).quarantine`
    AcceptAgentQuarantine,
    /// `indeterminate`
    Indeterminate,
    /// `send(peer)`
    SendPeer,
    /// `release(peer)`
    ReleasePeer,
    /// `accept.validate`
    AcceptValidate,
    /// `refused(verdict)`
    RefusedVerdict,
    /// `accept(api).quarantine`
    AcceptApiQuarantine,
    /// `run(api).release(api)`
    RunApiReleaseApi,
    /// `reconcile(api)`
    ReconcileApi,
    /// `accept(agent).validate`
    AcceptAgentValidate,
    /// `await(user, peer)`
    AwaitUserPeer,
    /// `run(peer).release(peer)`
    RunPeerReleasePeer,
    /// `reconcile(peer)`
    ReconcilePeer,
    /// `accept.consume`
    AcceptConsume,
    /// `accept.record`
    AcceptRecord,
    /// `accept(api).validate`
    AcceptApiValidate,
    /// `accept(agent).consume`
    AcceptAgentConsume,
    /// `accept(agent).record`
    AcceptAgentRecord,
    /// `accept(peer).quarantine`
    AcceptPeerQuarantine,
    /// `accept.adopt`
    AcceptAdopt,
    /// `repair(author)`
    RepairAuthor,
    /// `accept(api).consume`
    AcceptApiConsume,
    /// `accept(api).record`
    AcceptApiRecord,
    /// `accept(agent).adopt`
    AcceptAgentAdopt,
    /// `accept(peer).validate`
    AcceptPeerValidate,
    /// `done`
    Done,
    /// `refused(not_good_enough)`
    RefusedNotGoodEnough,
    /// `refused(repair)`
    RefusedRepair,
    /// `accept(api).adopt`
    AcceptApiAdopt,
    /// `accept(peer).consume`
    AcceptPeerConsume,
    /// `accept(peer).record`
    AcceptPeerRecord,
    /// `accept(peer).adopt`
    AcceptPeerAdopt,
}

impl Node {
    /// Its number in the table.
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Self::Start => 0,
            Self::Classify => 1,
            Self::RefusedGate => 2,
            Self::Choose => 3,
            Self::MinimizeApi => 4,
            Self::DecideAgent => 5,
            Self::MinimizePeer => 6,
            Self::MinimizePerson => 7,
            Self::PendingNoRoad => 8,
            Self::ReserveApi => 9,
            Self::CutApi => 10,
            Self::RefusedReview => 11,
            Self::AttemptAgent => 12,
            Self::ReservePeer => 13,
            Self::CutPeer => 14,
            Self::DecidePerson => 15,
            Self::DecideApi => 16,
            Self::VerifyApi => 17,
            Self::CheckpointAgent => 18,
            Self::DecidePeer => 19,
            Self::VerifyPeer => 20,
            Self::CheckpointPerson => 21,
            Self::AttemptApi => 22,
            Self::CallAgent => 23,
            Self::AttemptPeer => 24,
            Self::AwaitUserPerson => 25,
            Self::CheckpointApi => 26,
            Self::AwaitExternalAgent => 27,
            Self::Next => 28,
            Self::Expired => 29,
            Self::Cancelled => 30,
            Self::CheckpointPeer => 31,
            Self::Reread => 32,
            Self::EgressApi => 33,
            Self::ReconcileAgent => 34,
            Self::EgressPeer => 35,
            Self::AcceptQuarantine => 36,
            Self::SendApi => 37,
            Self::ReleaseApi => 38,
            Self::AcceptAgentQuarantine => 39,
            Self::Indeterminate => 40,
            Self::SendPeer => 41,
            Self::ReleasePeer => 42,
            Self::AcceptValidate => 43,
            Self::RefusedVerdict => 44,
            Self::AcceptApiQuarantine => 45,
            Self::RunApiReleaseApi => 46,
            Self::ReconcileApi => 47,
            Self::AcceptAgentValidate => 48,
            Self::AwaitUserPeer => 49,
            Self::RunPeerReleasePeer => 50,
            Self::ReconcilePeer => 51,
            Self::AcceptConsume => 52,
            Self::AcceptRecord => 53,
            Self::AcceptApiValidate => 54,
            Self::AcceptAgentConsume => 55,
            Self::AcceptAgentRecord => 56,
            Self::AcceptPeerQuarantine => 57,
            Self::AcceptAdopt => 58,
            Self::RepairAuthor => 59,
            Self::AcceptApiConsume => 60,
            Self::AcceptApiRecord => 61,
            Self::AcceptAgentAdopt => 62,
            Self::AcceptPeerValidate => 63,
            Self::Done => 64,
            Self::RefusedNotGoodEnough => 65,
            Self::RefusedRepair => 66,
            Self::AcceptApiAdopt => 67,
            Self::AcceptPeerConsume => 68,
            Self::AcceptPeerRecord => 69,
            Self::AcceptPeerAdopt => 70,
        }
    }

    /// The one with this number, if there is one.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Self> {
        match index {
            0 => Some(Self::Start),
            1 => Some(Self::Classify),
            2 => Some(Self::RefusedGate),
            3 => Some(Self::Choose),
            4 => Some(Self::MinimizeApi),
            5 => Some(Self::DecideAgent),
            6 => Some(Self::MinimizePeer),
            7 => Some(Self::MinimizePerson),
            8 => Some(Self::PendingNoRoad),
            9 => Some(Self::ReserveApi),
            10 => Some(Self::CutApi),
            11 => Some(Self::RefusedReview),
            12 => Some(Self::AttemptAgent),
            13 => Some(Self::ReservePeer),
            14 => Some(Self::CutPeer),
            15 => Some(Self::DecidePerson),
            16 => Some(Self::DecideApi),
            17 => Some(Self::VerifyApi),
            18 => Some(Self::CheckpointAgent),
            19 => Some(Self::DecidePeer),
            20 => Some(Self::VerifyPeer),
            21 => Some(Self::CheckpointPerson),
            22 => Some(Self::AttemptApi),
            23 => Some(Self::CallAgent),
            24 => Some(Self::AttemptPeer),
            25 => Some(Self::AwaitUserPerson),
            26 => Some(Self::CheckpointApi),
            27 => Some(Self::AwaitExternalAgent),
            28 => Some(Self::Next),
            29 => Some(Self::Expired),
            30 => Some(Self::Cancelled),
            31 => Some(Self::CheckpointPeer),
            32 => Some(Self::Reread),
            33 => Some(Self::EgressApi),
            34 => Some(Self::ReconcileAgent),
            35 => Some(Self::EgressPeer),
            36 => Some(Self::AcceptQuarantine),
            37 => Some(Self::SendApi),
            38 => Some(Self::ReleaseApi),
            39 => Some(Self::AcceptAgentQuarantine),
            40 => Some(Self::Indeterminate),
            41 => Some(Self::SendPeer),
            42 => Some(Self::ReleasePeer),
            43 => Some(Self::AcceptValidate),
            44 => Some(Self::RefusedVerdict),
            45 => Some(Self::AcceptApiQuarantine),
            46 => Some(Self::RunApiReleaseApi),
            47 => Some(Self::ReconcileApi),
            48 => Some(Self::AcceptAgentValidate),
            49 => Some(Self::AwaitUserPeer),
            50 => Some(Self::RunPeerReleasePeer),
            51 => Some(Self::ReconcilePeer),
            52 => Some(Self::AcceptConsume),
            53 => Some(Self::AcceptRecord),
            54 => Some(Self::AcceptApiValidate),
            55 => Some(Self::AcceptAgentConsume),
            56 => Some(Self::AcceptAgentRecord),
            57 => Some(Self::AcceptPeerQuarantine),
            58 => Some(Self::AcceptAdopt),
            59 => Some(Self::RepairAuthor),
            60 => Some(Self::AcceptApiConsume),
            61 => Some(Self::AcceptApiRecord),
            62 => Some(Self::AcceptAgentAdopt),
            63 => Some(Self::AcceptPeerValidate),
            64 => Some(Self::Done),
            65 => Some(Self::RefusedNotGoodEnough),
            66 => Some(Self::RefusedRepair),
            67 => Some(Self::AcceptApiAdopt),
            68 => Some(Self::AcceptPeerConsume),
            69 => Some(Self::AcceptPeerRecord),
            70 => Some(Self::AcceptPeerAdopt),
            _ => None,
        }
    }

    /// As the policy says it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Classify => "classify",
            Self::RefusedGate => "refused(gate)",
            Self::Choose => "choose",
            Self::MinimizeApi => "minimize(api)",
            Self::DecideAgent => "decide(agent)",
            Self::MinimizePeer => "minimize(peer)",
            Self::MinimizePerson => "minimize(person)",
            Self::PendingNoRoad => "pending_no_road",
            Self::ReserveApi => "reserve(api)",
            Self::CutApi => "cut(api)",
            Self::RefusedReview => "refused(review)",
            Self::AttemptAgent => "attempt(agent)",
            Self::ReservePeer => "reserve(peer)",
            Self::CutPeer => "cut(peer)",
            Self::DecidePerson => "decide(person)",
            Self::DecideApi => "decide(api)",
            Self::VerifyApi => "verify(api)",
            Self::CheckpointAgent => "checkpoint(agent)",
            Self::DecidePeer => "decide(peer)",
            Self::VerifyPeer => "verify(peer)",
            Self::CheckpointPerson => "checkpoint(person)",
            Self::AttemptApi => "attempt(api)",
            Self::CallAgent => "call(agent)",
            Self::AttemptPeer => "attempt(peer)",
            Self::AwaitUserPerson => "await(user, person)",
            Self::CheckpointApi => "checkpoint(api)",
            Self::AwaitExternalAgent => "await(external, agent)",
            Self::Next => "next",
            Self::Expired => "expired",
            Self::Cancelled => "cancelled",
            Self::CheckpointPeer => "checkpoint(peer)",
            Self::Reread => "reread",
            Self::EgressApi => "egress(api)",
            Self::ReconcileAgent => "reconcile(agent)",
            Self::EgressPeer => "egress(peer)",
            Self::AcceptQuarantine => "accept.quarantine",
            Self::SendApi => "send(api)",
            Self::ReleaseApi => "release(api)",
            Self::AcceptAgentQuarantine => "accept(agent).quarantine",
            Self::Indeterminate => "indeterminate",
            Self::SendPeer => "send(peer)",
            Self::ReleasePeer => "release(peer)",
            Self::AcceptValidate => "accept.validate",
            Self::RefusedVerdict => "refused(verdict)",
            Self::AcceptApiQuarantine => "accept(api).quarantine",
            Self::RunApiReleaseApi => "run(api).release(api)",
            Self::ReconcileApi => "reconcile(api)",
            Self::AcceptAgentValidate => "accept(agent).validate",
            Self::AwaitUserPeer => "await(user, peer)",
            Self::RunPeerReleasePeer => "run(peer).release(peer)",
            Self::ReconcilePeer => "reconcile(peer)",
            Self::AcceptConsume => "accept.consume",
            Self::AcceptRecord => "accept.record",
            Self::AcceptApiValidate => "accept(api).validate",
            Self::AcceptAgentConsume => "accept(agent).consume",
            Self::AcceptAgentRecord => "accept(agent).record",
            Self::AcceptPeerQuarantine => "accept(peer).quarantine",
            Self::AcceptAdopt => "accept.adopt",
            Self::RepairAuthor => "repair(author)",
            Self::AcceptApiConsume => "accept(api).consume",
            Self::AcceptApiRecord => "accept(api).record",
            Self::AcceptAgentAdopt => "accept(agent).adopt",
            Self::AcceptPeerValidate => "accept(peer).validate",
            Self::Done => "done",
            Self::RefusedNotGoodEnough => "refused(not_good_enough)",
            Self::RefusedRepair => "refused(repair)",
            Self::AcceptApiAdopt => "accept(api).adopt",
            Self::AcceptPeerConsume => "accept(peer).consume",
            Self::AcceptPeerRecord => "accept(peer).record",
            Self::AcceptPeerAdopt => "accept(peer).adopt",
        }
    }

    /// All of them, by number.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=70).filter_map(Self::from_index)
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
    /// `cut_semantics_lost`
    CutSemanticsLost,
    /// `verifier_uncertain`
    VerifierUncertain,
    /// `denied`
    Denied,
    /// `egress_denied`
    EgressDenied,
    /// `unavailable`
    Unavailable,
    /// `failed_before_submit`
    FailedBeforeSubmit,
    /// `refused`
    Refused,
    /// `failed_after_submit`
    FailedAfterSubmit,
    /// `timeout_after_submit`
    TimeoutAfterSubmit,
    /// `indeterminate`
    Indeterminate,
    /// `lost`
    Lost,
    /// `lost_envelope`
    LostEnvelope,
    /// `cancelled`
    Cancelled,
    /// `declined`
    Declined,
    /// `expired`
    Expired,
    /// `revoked`
    Revoked,
    /// `negative`
    Negative,
    /// `invalid`
    Invalid,
    /// `validation_failed`
    ValidationFailed,
    /// `duplicate`
    Duplicate,
    /// `conflict`
    Conflict,
    /// `lease_lost`
    LeaseLost,
    /// `known_no_effect`
    KnownNoEffect,
    /// `known_effect`
    KnownEffect,
    /// `known_failed`
    KnownFailed,
    /// `still_unknown`
    StillUnknown,
}

impl Outcome {
    /// Its code in the table.
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Self::Ok => 1,
            Self::Failed => 2,
            Self::CutSemanticsLost => 4,
            Self::VerifierUncertain => 5,
            Self::Denied => 6,
            Self::EgressDenied => 7,
            Self::Unavailable => 8,
            Self::FailedBeforeSubmit => 9,
            Self::Refused => 10,
            Self::FailedAfterSubmit => 11,
            Self::TimeoutAfterSubmit => 12,
            Self::Indeterminate => 13,
            Self::Lost => 14,
            Self::LostEnvelope => 15,
            Self::Cancelled => 16,
            Self::Declined => 17,
            Self::Expired => 18,
            Self::Revoked => 19,
            Self::Negative => 21,
            Self::Invalid => 22,
            Self::ValidationFailed => 23,
            Self::Duplicate => 24,
            Self::Conflict => 25,
            Self::LeaseLost => 26,
            Self::KnownNoEffect => 27,
            Self::KnownEffect => 28,
            Self::KnownFailed => 29,
            Self::StillUnknown => 30,
        }
    }

    /// The one with this number, if there is one.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Self> {
        match index {
            1 => Some(Self::Ok),
            2 => Some(Self::Failed),
            4 => Some(Self::CutSemanticsLost),
            5 => Some(Self::VerifierUncertain),
            6 => Some(Self::Denied),
            7 => Some(Self::EgressDenied),
            8 => Some(Self::Unavailable),
            9 => Some(Self::FailedBeforeSubmit),
            10 => Some(Self::Refused),
            11 => Some(Self::FailedAfterSubmit),
            12 => Some(Self::TimeoutAfterSubmit),
            13 => Some(Self::Indeterminate),
            14 => Some(Self::Lost),
            15 => Some(Self::LostEnvelope),
            16 => Some(Self::Cancelled),
            17 => Some(Self::Declined),
            18 => Some(Self::Expired),
            19 => Some(Self::Revoked),
            21 => Some(Self::Negative),
            22 => Some(Self::Invalid),
            23 => Some(Self::ValidationFailed),
            24 => Some(Self::Duplicate),
            25 => Some(Self::Conflict),
            26 => Some(Self::LeaseLost),
            27 => Some(Self::KnownNoEffect),
            28 => Some(Self::KnownEffect),
            29 => Some(Self::KnownFailed),
            30 => Some(Self::StillUnknown),
            _ => None,
        }
    }

    /// As the policy says it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Failed => "failed",
            Self::CutSemanticsLost => "cut_semantics_lost",
            Self::VerifierUncertain => "verifier_uncertain",
            Self::Denied => "denied",
            Self::EgressDenied => "egress_denied",
            Self::Unavailable => "unavailable",
            Self::FailedBeforeSubmit => "failed_before_submit",
            Self::Refused => "refused",
            Self::FailedAfterSubmit => "failed_after_submit",
            Self::TimeoutAfterSubmit => "timeout_after_submit",
            Self::Indeterminate => "indeterminate",
            Self::Lost => "lost",
            Self::LostEnvelope => "lost_envelope",
            Self::Cancelled => "cancelled",
            Self::Declined => "declined",
            Self::Expired => "expired",
            Self::Revoked => "revoked",
            Self::Negative => "negative",
            Self::Invalid => "invalid",
            Self::ValidationFailed => "validation_failed",
            Self::Duplicate => "duplicate",
            Self::Conflict => "conflict",
            Self::LeaseLost => "lease_lost",
            Self::KnownNoEffect => "known_no_effect",
            Self::KnownEffect => "known_effect",
            Self::KnownFailed => "known_failed",
            Self::StillUnknown => "still_unknown",
        }
    }

    /// All of them, by number.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=30).filter_map(Self::from_index)
    }
}

impl core::fmt::Display for Outcome {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

pub use ::roadlaw_runtime::{Obligation, Obligations};

/// The fact `taste`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Taste {
    /// `quick`
    Quick,
    /// `thorough`
    Thorough,
    /// `no_paid`
    NoPaid,
}

impl Taste {
    /// Its number, from 0.
    #[must_use]
    pub const fn index(self) -> u8 {
        match self {
            Self::Quick => 0,
            Self::Thorough => 1,
            Self::NoPaid => 2,
        }
    }

    /// The one with this number, if there is one.
    #[must_use]
    pub const fn from_index(index: u8) -> Option<Self> {
        match index {
            0 => Some(Self::Quick),
            1 => Some(Self::Thorough),
            2 => Some(Self::NoPaid),
            _ => None,
        }
    }

    /// As the policy says it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Thorough => "thorough",
            Self::NoPaid => "no_paid",
        }
    }

    /// All of them, by number.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=2).filter_map(Self::from_index)
    }
}

impl core::fmt::Display for Taste {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

/// The fact `login`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Login {
    /// `absent`
    Absent,
    /// `declared`
    Declared,
    /// `present`
    Present,
    /// `probed`
    Probed,
    /// `attested`
    Attested,
}

impl Login {
    /// Its number, ascending from 0.
    #[must_use]
    pub const fn index(self) -> u8 {
        match self {
            Self::Absent => 0,
            Self::Declared => 1,
            Self::Present => 2,
            Self::Probed => 3,
            Self::Attested => 4,
        }
    }

    /// The one with this number, if there is one.
    #[must_use]
    pub const fn from_index(index: u8) -> Option<Self> {
        match index {
            0 => Some(Self::Absent),
            1 => Some(Self::Declared),
            2 => Some(Self::Present),
            3 => Some(Self::Probed),
            4 => Some(Self::Attested),
            _ => None,
        }
    }

    /// As the policy says it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Absent => "absent",
            Self::Declared => "declared",
            Self::Present => "present",
            Self::Probed => "probed",
            Self::Attested => "attested",
        }
    }

    /// All of them, by number.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=4).filter_map(Self::from_index)
    }
}

impl core::fmt::Display for Login {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

/// The fact `price`. 0 to 1000.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Price(i32);

impl Price {
    /// The least.
    pub const MIN: i32 = 0;
    /// The greatest.
    pub const MAX: i32 = 1000;

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

/// How revealing the payload is, 0 to 100.
///
/// The fact `weight`. 0 to 100.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Weight(i32);

impl Weight {
    /// The least.
    pub const MIN: i32 = 0;
    /// The greatest.
    pub const MAX: i32 = 100;

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

/// Class of the payload.
///
/// The fact `class`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// `public`
    Public,
    /// `internal`
    Internal,
    /// `private`
    Private,
    /// `restricted`
    Restricted,
}

impl Class {
    /// Its number, ascending from 0.
    #[must_use]
    pub const fn index(self) -> u8 {
        match self {
            Self::Public => 0,
            Self::Internal => 1,
            Self::Private => 2,
            Self::Restricted => 3,
        }
    }

    /// The one with this number, if there is one.
    #[must_use]
    pub const fn from_index(index: u8) -> Option<Self> {
        match index {
            0 => Some(Self::Public),
            1 => Some(Self::Internal),
            2 => Some(Self::Private),
            3 => Some(Self::Restricted),
            _ => None,
        }
    }

    /// As the policy says it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Internal => "internal",
            Self::Private => "private",
            Self::Restricted => "restricted",
        }
    }

    /// All of them, by number.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=3).filter_map(Self::from_index)
    }
}

impl core::fmt::Display for Class {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

/// How much a verdict of this road is worth.
///
/// The fact `assurance`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Assurance {
    /// `low`
    Low,
    /// `medium`
    Medium,
    /// `high`
    High,
}

impl Assurance {
    /// Its number, ascending from 0.
    #[must_use]
    pub const fn index(self) -> u8 {
        match self {
            Self::Low => 0,
            Self::Medium => 1,
            Self::High => 2,
        }
    }

    /// The one with this number, if there is one.
    #[must_use]
    pub const fn from_index(index: u8) -> Option<Self> {
        match index {
            0 => Some(Self::Low),
            1 => Some(Self::Medium),
            2 => Some(Self::High),
            _ => None,
        }
    }

    /// As the policy says it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }

    /// All of them, by number.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=2).filter_map(Self::from_index)
    }
}

impl core::fmt::Display for Assurance {
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
    told_taste: Option<Taste>,
    told_user_ok: Option<bool>,
    told_login_api: Option<Login>,
    told_login_agent: Option<Login>,
    told_login_peer: Option<Login>,
    told_login_person: Option<Login>,
    told_login_author: Option<Login>,
    told_price_api: Option<Price>,
    told_price_agent: Option<Price>,
    told_price_peer: Option<Price>,
    told_price_person: Option<Price>,
    told_price_author: Option<Price>,
    told_weight: Option<Weight>,
    told_class: Option<Class>,
    told_lineage: Option<bool>,
    told_local_only: Option<bool>,
    told_prohibited: Option<bool>,
    told_consent: Option<bool>,
    told_question_same: Option<bool>,
    told_identity_actor: Option<bool>,
    told_identity_target_api: Option<bool>,
    told_identity_target_peer: Option<bool>,
    told_identity_policy: Option<bool>,
    told_identity_purpose: Option<bool>,
    told_authority_api: Option<bool>,
    told_authority_peer: Option<bool>,
    told_terms_api: Option<bool>,
    told_terms_peer: Option<bool>,
    told_permission_api: Option<bool>,
    told_permission_peer: Option<bool>,
    told_connection_api: Option<bool>,
    told_connection_peer: Option<bool>,
    told_available_api: Option<bool>,
    told_available_agent: Option<bool>,
    told_available_peer: Option<bool>,
    told_available_author: Option<bool>,
    told_revoked_api: Option<bool>,
    told_revoked_peer: Option<bool>,
    told_expired_api: Option<bool>,
    told_expired_peer: Option<bool>,
    told_task_schema_peer: Option<bool>,
    told_egress_transparent_api: Option<bool>,
    told_egress_transparent_peer: Option<bool>,
    told_retention_ok_api: Option<bool>,
    told_retention_ok_peer: Option<bool>,
    told_distinct_api: Option<bool>,
    told_distinct_agent: Option<bool>,
    told_distinct_peer: Option<bool>,
    told_distinct_person: Option<bool>,
    told_blind_api: Option<bool>,
    told_blind_agent: Option<bool>,
    told_blind_peer: Option<bool>,
    told_blind_person: Option<bool>,
    told_assurance_api: Option<Assurance>,
    told_assurance_agent: Option<Assurance>,
    told_assurance_peer: Option<Assurance>,
    told_assurance_person: Option<Assurance>,
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
            told_taste: None,
            told_user_ok: None,
            told_login_api: None,
            told_login_agent: None,
            told_login_peer: None,
            told_login_person: None,
            told_login_author: None,
            told_price_api: None,
            told_price_agent: None,
            told_price_peer: None,
            told_price_person: None,
            told_price_author: None,
            told_weight: None,
            told_class: None,
            told_lineage: None,
            told_local_only: None,
            told_prohibited: None,
            told_consent: None,
            told_question_same: None,
            told_identity_actor: None,
            told_identity_target_api: None,
            told_identity_target_peer: None,
            told_identity_policy: None,
            told_identity_purpose: None,
            told_authority_api: None,
            told_authority_peer: None,
            told_terms_api: None,
            told_terms_peer: None,
            told_permission_api: None,
            told_permission_peer: None,
            told_connection_api: None,
            told_connection_peer: None,
            told_available_api: None,
            told_available_agent: None,
            told_available_peer: None,
            told_available_author: None,
            told_revoked_api: None,
            told_revoked_peer: None,
            told_expired_api: None,
            told_expired_peer: None,
            told_task_schema_peer: None,
            told_egress_transparent_api: None,
            told_egress_transparent_peer: None,
            told_retention_ok_api: None,
            told_retention_ok_peer: None,
            told_distinct_api: None,
            told_distinct_agent: None,
            told_distinct_peer: None,
            told_distinct_person: None,
            told_blind_api: None,
            told_blind_agent: None,
            told_blind_peer: None,
            told_blind_person: None,
            told_assurance_api: None,
            told_assurance_agent: None,
            told_assurance_peer: None,
            told_assurance_person: None,
        }
    }

    /// Says in which epoch of a run the volatile facts were read.
    pub fn set_epoch(&mut self, epoch: u32) -> &mut Self {
        self.read_in_epoch = epoch;
        self
    }

    /// Sets `taste`, a pinned fact. Unknown stands for `no_paid`.
    pub fn set_taste(&mut self, value: impl Into<Option<Taste>>) -> &mut Self {
        let value = value.into();
        self.told_taste = value;
        self
    }

    /// Sets `user_ok`, a pinned fact.
    pub fn set_user_ok(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_user_ok = value;
        self
    }

    /// Sets `login[api]`, a volatile fact.
    pub fn set_login_api(&mut self, value: impl Into<Option<Login>>) -> &mut Self {
        let value = value.into();
        self.told_login_api = value;
        self
    }

    /// Sets `login[agent]`, a volatile fact.
    pub fn set_login_agent(&mut self, value: impl Into<Option<Login>>) -> &mut Self {
        let value = value.into();
        self.told_login_agent = value;
        self
    }

    /// Sets `login[peer]`, a volatile fact.
    pub fn set_login_peer(&mut self, value: impl Into<Option<Login>>) -> &mut Self {
        let value = value.into();
        self.told_login_peer = value;
        self
    }

    /// Sets `login[person]`, a volatile fact.
    pub fn set_login_person(&mut self, value: impl Into<Option<Login>>) -> &mut Self {
        let value = value.into();
        self.told_login_person = value;
        self
    }

    /// Sets `login[author]`, a volatile fact.
    pub fn set_login_author(&mut self, value: impl Into<Option<Login>>) -> &mut Self {
        let value = value.into();
        self.told_login_author = value;
        self
    }

    /// Sets `price[api]`, a rank fact.
    pub fn set_price_api(&mut self, value: impl Into<Option<Price>>) -> &mut Self {
        let value = value.into();
        self.told_price_api = value;
        self
    }

    /// Sets `price[agent]`, a rank fact.
    pub fn set_price_agent(&mut self, value: impl Into<Option<Price>>) -> &mut Self {
        let value = value.into();
        self.told_price_agent = value;
        self
    }

    /// Sets `price[peer]`, a rank fact.
    pub fn set_price_peer(&mut self, value: impl Into<Option<Price>>) -> &mut Self {
        let value = value.into();
        self.told_price_peer = value;
        self
    }

    /// Sets `price[person]`, a rank fact.
    pub fn set_price_person(&mut self, value: impl Into<Option<Price>>) -> &mut Self {
        let value = value.into();
        self.told_price_person = value;
        self
    }

    /// Sets `price[author]`, a rank fact.
    pub fn set_price_author(&mut self, value: impl Into<Option<Price>>) -> &mut Self {
        let value = value.into();
        self.told_price_author = value;
        self
    }

    /// How revealing the payload is, 0 to 100.
    ///
    /// Sets `weight`, a sealed fact. Unknown stands for `100`.
    pub fn set_weight(&mut self, value: impl Into<Option<Weight>>) -> &mut Self {
        let value = value.into();
        self.told_weight = value;
        self
    }

    /// Class of the payload.
    ///
    /// Sets `class`, a sealed fact. Unknown stands for `restricted`.
    pub fn set_class(&mut self, value: impl Into<Option<Class>>) -> &mut Self {
        let value = value.into();
        self.told_class = value;
        self
    }

    /// Every part of the payload has a known source.
    ///
    /// Sets `lineage`, a sealed fact. Unknown stands for `false`.
    pub fn set_lineage(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_lineage = value;
        self
    }

    /// Some part may not leave this machine.
    ///
    /// Sets `local_only`, a sealed fact. Unknown stands for `true`.
    pub fn set_local_only(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_local_only = value;
        self
    }

    /// Some part is of a category that may never leave.
    ///
    /// Sets `prohibited`, a sealed fact. Unknown stands for `true`.
    pub fn set_prohibited(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_prohibited = value;
        self
    }

    /// The person concerned agreed to this disclosure.
    ///
    /// Sets `consent`, a sealed fact. Unknown stands for `false`.
    pub fn set_consent(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_consent = value;
        self
    }

    /// The question is the one that was asked before.
    ///
    /// Sets `question_same`, a sealed fact. Unknown stands for `true`.
    pub fn set_question_same(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_question_same = value;
        self
    }

    /// The actor is identified.
    ///
    /// Sets `identity_actor`, a pinned fact. Unknown stands for `false`.
    pub fn set_identity_actor(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_identity_actor = value;
        self
    }

    /// The receiver is identified.
    ///
    /// Sets `identity_target[api]`, a pinned fact. Unknown stands for `false`.
    pub fn set_identity_target_api(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_identity_target_api = value;
        self
    }

    /// The receiver is identified.
    ///
    /// Sets `identity_target[peer]`, a pinned fact. Unknown stands for `false`.
    pub fn set_identity_target_peer(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_identity_target_peer = value;
        self
    }

    /// The policy in force is identified.
    ///
    /// Sets `identity_policy`, a pinned fact. Unknown stands for `false`.
    pub fn set_identity_policy(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_identity_policy = value;
        self
    }

    /// The purpose is identified.
    ///
    /// Sets `identity_purpose`, a pinned fact. Unknown stands for `false`.
    pub fn set_identity_purpose(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_identity_purpose = value;
        self
    }

    /// The actor may use this road.
    ///
    /// Sets `authority[api]`, a pinned fact. Unknown stands for `false`.
    pub fn set_authority_api(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_authority_api = value;
        self
    }

    /// The actor may use this road.
    ///
    /// Sets `authority[peer]`, a pinned fact. Unknown stands for `false`.
    pub fn set_authority_peer(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_authority_peer = value;
        self
    }

    /// The receiver's terms allow automation.
    ///
    /// Sets `terms[api]`, a pinned fact. Unknown stands for `false`.
    pub fn set_terms_api(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_terms_api = value;
        self
    }

    /// The receiver's terms allow automation.
    ///
    /// Sets `terms[peer]`, a pinned fact. Unknown stands for `false`.
    pub fn set_terms_peer(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_terms_peer = value;
        self
    }

    /// The runtime permits this road now.
    ///
    /// Sets `permission[api]`, a volatile fact. Unknown stands for `false`.
    pub fn set_permission_api(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_permission_api = value;
        self
    }

    /// The runtime permits this road now.
    ///
    /// Sets `permission[peer]`, a volatile fact. Unknown stands for `false`.
    pub fn set_permission_peer(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_permission_peer = value;
        self
    }

    /// The receiver can be reached.
    ///
    /// Sets `connection[api]`, a volatile fact. Unknown stands for `false`.
    pub fn set_connection_api(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_connection_api = value;
        self
    }

    /// The receiver can be reached.
    ///
    /// Sets `connection[peer]`, a volatile fact. Unknown stands for `false`.
    pub fn set_connection_peer(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_connection_peer = value;
        self
    }

    /// The road can be used now.
    ///
    /// Sets `available[api]`, a volatile fact. Unknown stands for `false`.
    pub fn set_available_api(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_available_api = value;
        self
    }

    /// The road can be used now.
    ///
    /// Sets `available[agent]`, a volatile fact. Unknown stands for `false`.
    pub fn set_available_agent(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_available_agent = value;
        self
    }

    /// The road can be used now.
    ///
    /// Sets `available[peer]`, a volatile fact. Unknown stands for `false`.
    pub fn set_available_peer(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_available_peer = value;
        self
    }

    /// The road can be used now.
    ///
    /// Sets `available[author]`, a volatile fact. Unknown stands for `false`.
    pub fn set_available_author(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_available_author = value;
        self
    }

    /// The grant was taken back.
    ///
    /// Sets `revoked[api]`, a volatile fact. Unknown stands for `true`.
    pub fn set_revoked_api(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_revoked_api = value;
        self
    }

    /// The grant was taken back.
    ///
    /// Sets `revoked[peer]`, a volatile fact. Unknown stands for `true`.
    pub fn set_revoked_peer(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_revoked_peer = value;
        self
    }

    /// The grant ran out.
    ///
    /// Sets `expired[api]`, a volatile fact. Unknown stands for `true`.
    pub fn set_expired_api(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_expired_api = value;
        self
    }

    /// The grant ran out.
    ///
    /// Sets `expired[peer]`, a volatile fact. Unknown stands for `true`.
    pub fn set_expired_peer(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_expired_peer = value;
        self
    }

    /// The peer published the task schema.
    ///
    /// Sets `task_schema[peer]`, a pinned fact. Unknown stands for `false`.
    pub fn set_task_schema_peer(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_task_schema_peer = value;
        self
    }

    /// All egress of the receiver is known.
    ///
    /// Sets `egress_transparent[api]`, a pinned fact. Unknown stands for `false`.
    pub fn set_egress_transparent_api(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_egress_transparent_api = value;
        self
    }

    /// All egress of the receiver is known.
    ///
    /// Sets `egress_transparent[peer]`, a pinned fact. Unknown stands for `false`.
    pub fn set_egress_transparent_peer(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_egress_transparent_peer = value;
        self
    }

    /// The receiver's retention is compatible.
    ///
    /// Sets `retention_ok[api]`, a pinned fact. Unknown stands for `false`.
    pub fn set_retention_ok_api(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_retention_ok_api = value;
        self
    }

    /// The receiver's retention is compatible.
    ///
    /// Sets `retention_ok[peer]`, a pinned fact. Unknown stands for `false`.
    pub fn set_retention_ok_peer(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_retention_ok_peer = value;
        self
    }

    /// The reviewer is an invocation, session or worker other than the manager's.
    ///
    /// Sets `distinct[api]`, a pinned fact. Unknown stands for `false`.
    pub fn set_distinct_api(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_distinct_api = value;
        self
    }

    /// The reviewer is an invocation, session or worker other than the manager's.
    ///
    /// Sets `distinct[agent]`, a pinned fact. Unknown stands for `false`.
    pub fn set_distinct_agent(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_distinct_agent = value;
        self
    }

    /// The reviewer is an invocation, session or worker other than the manager's.
    ///
    /// Sets `distinct[peer]`, a pinned fact. Unknown stands for `false`.
    pub fn set_distinct_peer(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_distinct_peer = value;
        self
    }

    /// The reviewer is an invocation, session or worker other than the manager's.
    ///
    /// Sets `distinct[person]`, a pinned fact. Unknown stands for `false`.
    pub fn set_distinct_person(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_distinct_person = value;
        self
    }

    /// The reviewer sees a bounded context without the expected verdict.
    ///
    /// Sets `blind[api]`, a pinned fact. Unknown stands for `false`.
    pub fn set_blind_api(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_blind_api = value;
        self
    }

    /// The reviewer sees a bounded context without the expected verdict.
    ///
    /// Sets `blind[agent]`, a pinned fact. Unknown stands for `false`.
    pub fn set_blind_agent(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_blind_agent = value;
        self
    }

    /// The reviewer sees a bounded context without the expected verdict.
    ///
    /// Sets `blind[peer]`, a pinned fact. Unknown stands for `false`.
    pub fn set_blind_peer(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_blind_peer = value;
        self
    }

    /// The reviewer sees a bounded context without the expected verdict.
    ///
    /// Sets `blind[person]`, a pinned fact. Unknown stands for `false`.
    pub fn set_blind_person(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_blind_person = value;
        self
    }

    /// How much a verdict of this road is worth.
    ///
    /// Sets `assurance[api]`, a pinned fact. Unknown stands for `low`.
    pub fn set_assurance_api(&mut self, value: impl Into<Option<Assurance>>) -> &mut Self {
        let value = value.into();
        self.told_assurance_api = value;
        self
    }

    /// How much a verdict of this road is worth.
    ///
    /// Sets `assurance[agent]`, a pinned fact. Unknown stands for `low`.
    pub fn set_assurance_agent(&mut self, value: impl Into<Option<Assurance>>) -> &mut Self {
        let value = value.into();
        self.told_assurance_agent = value;
        self
    }

    /// How much a verdict of this road is worth.
    ///
    /// Sets `assurance[peer]`, a pinned fact. Unknown stands for `low`.
    pub fn set_assurance_peer(&mut self, value: impl Into<Option<Assurance>>) -> &mut Self {
        let value = value.into();
        self.told_assurance_peer = value;
        self
    }

    /// How much a verdict of this road is worth.
    ///
    /// Sets `assurance[person]`, a pinned fact. Unknown stands for `low`.
    pub fn set_assurance_person(&mut self, value: impl Into<Option<Assurance>>) -> &mut Self {
        let value = value.into();
        self.told_assurance_person = value;
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
        if let Some(value) = self.told_taste {
            cells.set_value(table, 0, value.index())?;
        }
        if let Some(value) = self.told_user_ok {
            cells.set_bool(table, 1, value)?;
        }
        if let Some(value) = self.told_login_api {
            cells.set_value(table, 2, value.index())?;
        }
        if let Some(value) = self.told_login_agent {
            cells.set_value(table, 3, value.index())?;
        }
        if let Some(value) = self.told_login_peer {
            cells.set_value(table, 4, value.index())?;
        }
        if let Some(value) = self.told_login_person {
            cells.set_value(table, 5, value.index())?;
        }
        if let Some(value) = self.told_login_author {
            cells.set_value(table, 6, value.index())?;
        }
        if let Some(value) = self.told_price_api {
            cells.set_int(table, 7, value.get())?;
        }
        if let Some(value) = self.told_price_agent {
            cells.set_int(table, 8, value.get())?;
        }
        if let Some(value) = self.told_price_peer {
            cells.set_int(table, 9, value.get())?;
        }
        if let Some(value) = self.told_price_person {
            cells.set_int(table, 10, value.get())?;
        }
        if let Some(value) = self.told_price_author {
            cells.set_int(table, 11, value.get())?;
        }
        if let Some(value) = self.told_weight {
            cells.set_int(table, 12, value.get())?;
        }
        if let Some(value) = self.told_class {
            cells.set_value(table, 13, value.index())?;
        }
        if let Some(value) = self.told_lineage {
            cells.set_bool(table, 14, value)?;
        }
        if let Some(value) = self.told_local_only {
            cells.set_bool(table, 15, value)?;
        }
        if let Some(value) = self.told_prohibited {
            cells.set_bool(table, 16, value)?;
        }
        if let Some(value) = self.told_consent {
            cells.set_bool(table, 17, value)?;
        }
        if let Some(value) = self.told_question_same {
            cells.set_bool(table, 18, value)?;
        }
        if let Some(value) = self.told_identity_actor {
            cells.set_bool(table, 19, value)?;
        }
        if let Some(value) = self.told_identity_target_api {
            cells.set_bool(table, 20, value)?;
        }
        if let Some(value) = self.told_identity_target_peer {
            cells.set_bool(table, 21, value)?;
        }
        if let Some(value) = self.told_identity_policy {
            cells.set_bool(table, 22, value)?;
        }
        if let Some(value) = self.told_identity_purpose {
            cells.set_bool(table, 23, value)?;
        }
        if let Some(value) = self.told_authority_api {
            cells.set_bool(table, 24, value)?;
        }
        if let Some(value) = self.told_authority_peer {
            cells.set_bool(table, 25, value)?;
        }
        if let Some(value) = self.told_terms_api {
            cells.set_bool(table, 26, value)?;
        }
        if let Some(value) = self.told_terms_peer {
            cells.set_bool(table, 27, value)?;
        }
        if let Some(value) = self.told_permission_api {
            cells.set_bool(table, 28, value)?;
        }
        if let Some(value) = self.told_permission_peer {
            cells.set_bool(table, 29, value)?;
        }
        if let Some(value) = self.told_connection_api {
            cells.set_bool(table, 30, value)?;
        }
        if let Some(value) = self.told_connection_peer {
            cells.set_bool(table, 31, value)?;
        }
        if let Some(value) = self.told_available_api {
            cells.set_bool(table, 32, value)?;
        }
        if let Some(value) = self.told_available_agent {
            cells.set_bool(table, 33, value)?;
        }
        if let Some(value) = self.told_available_peer {
            cells.set_bool(table, 34, value)?;
        }
        if let Some(value) = self.told_available_author {
            cells.set_bool(table, 35, value)?;
        }
        if let Some(value) = self.told_revoked_api {
            cells.set_bool(table, 36, value)?;
        }
        if let Some(value) = self.told_revoked_peer {
            cells.set_bool(table, 37, value)?;
        }
        if let Some(value) = self.told_expired_api {
            cells.set_bool(table, 38, value)?;
        }
        if let Some(value) = self.told_expired_peer {
            cells.set_bool(table, 39, value)?;
        }
        if let Some(value) = self.told_task_schema_peer {
            cells.set_bool(table, 40, value)?;
        }
        if let Some(value) = self.told_egress_transparent_api {
            cells.set_bool(table, 41, value)?;
        }
        if let Some(value) = self.told_egress_transparent_peer {
            cells.set_bool(table, 42, value)?;
        }
        if let Some(value) = self.told_retention_ok_api {
            cells.set_bool(table, 43, value)?;
        }
        if let Some(value) = self.told_retention_ok_peer {
            cells.set_bool(table, 44, value)?;
        }
        if let Some(value) = self.told_distinct_api {
            cells.set_bool(table, 45, value)?;
        }
        if let Some(value) = self.told_distinct_agent {
            cells.set_bool(table, 46, value)?;
        }
        if let Some(value) = self.told_distinct_peer {
            cells.set_bool(table, 47, value)?;
        }
        if let Some(value) = self.told_distinct_person {
            cells.set_bool(table, 48, value)?;
        }
        if let Some(value) = self.told_blind_api {
            cells.set_bool(table, 49, value)?;
        }
        if let Some(value) = self.told_blind_agent {
            cells.set_bool(table, 50, value)?;
        }
        if let Some(value) = self.told_blind_peer {
            cells.set_bool(table, 51, value)?;
        }
        if let Some(value) = self.told_blind_person {
            cells.set_bool(table, 52, value)?;
        }
        if let Some(value) = self.told_assurance_api {
            cells.set_value(table, 53, value.index())?;
        }
        if let Some(value) = self.told_assurance_agent {
            cells.set_value(table, 54, value.index())?;
        }
        if let Some(value) = self.told_assurance_peer {
            cells.set_value(table, 55, value.index())?;
        }
        if let Some(value) = self.told_assurance_person {
            cells.set_value(table, 56, value.index())?;
        }
        Ok(cells)
    }
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
}

impl<'t, 'a> Policy<'t, 'a> {
    /// Takes the table of [`table`], or one with the same digest. `None`: it is another policy's.
    #[must_use]
    pub fn new(table: &'t ::roadlaw_runtime::Table<'a>) -> Option<Self> {
        if table.digest() != DIGEST {
            return None;
        }
        Some(Self { table })
    }

    /// Decides at `choose`, where nothing was tried or judged before.
    #[must_use]
    pub fn choose(&self, facts: &Facts) -> Pick {
        let latches = ::roadlaw_runtime::Latches::fresh(self.table);
        self.choose_with(facts, &latches)
    }

    /// Decides at `choose`, with what a run of the same question remembers.
    #[must_use]
    pub fn choose_with(&self, facts: &Facts, latches: &::roadlaw_runtime::Latches) -> Pick {
        self.decided(0, facts, latches)
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
        0 => Some(Reason::Distinct),
        1 => Some(Reason::Blind),
        2 => Some(Reason::Assurance),
        3 => Some(Reason::Class),
        4 => Some(Reason::Login),
        5 => Some(Reason::Lineage),
        6 => Some(Reason::LocalOnly),
        7 => Some(Reason::Prohibited),
        8 => Some(Reason::Identity),
        9 => Some(Reason::Authority),
        10 => Some(Reason::Permission),
        11 => Some(Reason::Connection),
        12 => Some(Reason::Terms),
        13 => Some(Reason::EgressTransparent),
        14 => Some(Reason::Retention),
        15 => Some(Reason::Revoked),
        16 => Some(Reason::Expired),
        17 => Some(Reason::Forbidden),
        18 => Some(Reason::Available),
        19 => Some(Reason::Distinct),
        20 => Some(Reason::Blind),
        21 => Some(Reason::Assurance),
        22 => Some(Reason::Class),
        23 => Some(Reason::Login),
        24 => Some(Reason::Available),
        25 => Some(Reason::Distinct),
        26 => Some(Reason::Blind),
        27 => Some(Reason::Assurance),
        28 => Some(Reason::Class),
        29 => Some(Reason::Login),
        30 => Some(Reason::Lineage),
        31 => Some(Reason::LocalOnly),
        32 => Some(Reason::Prohibited),
        33 => Some(Reason::Identity),
        34 => Some(Reason::Authority),
        35 => Some(Reason::Permission),
        36 => Some(Reason::Connection),
        37 => Some(Reason::Terms),
        38 => Some(Reason::EgressTransparent),
        39 => Some(Reason::Retention),
        40 => Some(Reason::Revoked),
        41 => Some(Reason::Expired),
        42 => Some(Reason::Forbidden),
        43 => Some(Reason::TaskSchema),
        44 => Some(Reason::Available),
        45 => Some(Reason::Ask),
        46 => Some(Reason::Distinct),
        47 => Some(Reason::Blind),
        48 => Some(Reason::Assurance),
        49 => Some(Reason::Ask),
        50 => Some(Reason::Available),
        _ => None,
    }
}
