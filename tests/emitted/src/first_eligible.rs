//! The policy `app.ask@1`: its facts, its vocabulary and its table.
//!
//! First eligible model in order; labelled data never leaves this machine.
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
pub const NAME: &str = "app.ask";

/// The policy's version.
pub const VERSION: u32 = 1;

/// The digest of the table, to be compared with one that was pinned.
pub const DIGEST: [u8; 32] = *b"\
    \x24\x0f\xf8\x6b\x77\x10\x14\xde\x25\x0c\x9b\xd5\x62\xac\x56\x63\x37\xf0\x87\x22\x32\xa9\x71\xeb\
    \xbe\x9c\xbc\x8b\x49\xb9\x5b\xc7";

/// The bytes, as `roadlaw build` writes them.
pub static TABLE: &[u8; 2904] = &ALIGNED.0;

/// Checks the bytes and returns the table. It borrows [`TABLE`] and copies nothing.
///
/// # Errors
/// The runtime reads another version of the format than the one this file was written for.
pub fn table() -> Result<::roadlaw_runtime::Table<'static>, ::roadlaw_runtime::TableError> {
    ::roadlaw_runtime::Table::from_bytes(TABLE)
}

#[repr(align(64))]
struct Aligned([u8; 2904]);

static ALIGNED: Aligned = Aligned(*RAW);

const RAW: &[u8; 2904] = b"\
    \x52\x4f\x41\x44\x4c\x41\x57\x00\x02\x00\xd0\x00\x01\x00\x00\x00\x58\x0b\x00\x00\x00\x00\x00\x00\
    \xe4\x4c\x99\x30\xc7\x1f\xe8\x86\x24\x0f\xf8\x6b\x77\x10\x14\xde\x25\x0c\x9b\xd5\x62\xac\x56\x63\
    \x37\xf0\x87\x22\x32\xa9\x71\xeb\xbe\x9c\xbc\x8b\x49\xb9\x5b\xc7\xf4\xcb\xec\x23\xf0\xe1\x96\xdd\
    \xe1\xbe\x78\x8e\x3e\xd7\x86\x11\xa8\x00\x31\x0b\x1a\x6b\x23\x84\x1b\x30\xba\x3b\xf7\x8b\x4a\x73\
    \xf7\xa8\x7f\x4a\x3c\x1d\x1b\x79\xaa\x24\x1e\xd4\x81\x7c\x17\x41\x16\xa4\x14\x37\x10\xd2\xd3\x75\
    \x9c\x2b\x4e\xa2\xa9\x14\xb7\xbf\x74\x00\x00\x00\x17\x00\x00\x00\x03\x00\x00\x00\x02\x00\x00\x00\
    \x10\x00\x00\x00\x10\x00\x00\x00\x61\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00\x15\x00\x00\x00\
    \x02\x00\x00\x00\x16\x00\x00\x00\x00\x00\x00\x00\x24\x00\x00\x00\x55\x00\x00\x00\x02\x00\x00\x00\
    \x00\x00\x00\x00\x01\x00\x00\x00\x03\x03\x00\x00\x00\x00\x00\x00\xff\x07\x05\x05\x05\x05\x05\x05\
    \x05\x07\x05\x05\x05\x05\x05\x07\x05\x05\x07\x07\x07\x07\x05\x05\x05\x05\x05\x07\x05\x05\x05\x05\
    \x05\x05\x05\x05\x05\x07\x05\x05\x05\x05\x05\x05\x05\x05\x07\x05\x05\x05\x05\x05\x07\x05\x05\x07\
    \x05\x05\x05\x05\x07\x07\x05\x05\x07\x05\x06\x07\x06\x05\x07\x05\x07\x05\x05\x07\x05\x05\x05\x07\
    \x05\x05\x07\x05\xff\x00\x01\x00\x02\x00\x01\x00\xff\x00\x01\x00\x02\x00\x01\x00\xff\xff\xff\xff\
    \xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00\x03\x01\x03\x00\xff\xff\x00\x00\
    \x04\x09\x00\x00\xff\xff\x02\x00\x00\x09\x02\x00\xff\xff\x00\x00\x00\x09\x02\x00\xff\xff\x01\x00\
    \x00\x09\x02\x00\xff\xff\x00\x00\x00\x08\x02\x00\xff\xff\x00\x00\x00\x08\x02\x00\xff\xff\x00\x00\
    \x00\x08\x02\x00\xff\xff\x00\x00\x00\x08\x02\x00\xff\xff\x00\x00\x00\x08\x02\x00\xff\xff\x00\x00\
    \x00\x08\x02\x00\xff\xff\x00\x00\x00\x0a\x02\x00\xff\xff\x00\x00\x02\x02\x05\x00\xff\xff\x00\x00\
    \x00\x0a\x02\x00\xff\xff\x00\x00\x00\x0a\x02\x00\xff\xff\x00\x00\x00\x0a\x02\x00\xff\xff\x00\x00\
    \x00\x0a\x02\x00\xff\xff\x01\x00\x00\x0a\x02\x00\xff\xff\x01\x00\x00\x08\x02\x00\xff\xff\x00\x00\
    \x00\x08\x02\x00\xff\xff\x00\x00\x00\x1b\x02\x00\x00\x00\x01\x00\x00\x1b\x02\x00\x01\x00\x01\x00\
    \x00\x2b\x02\x00\xff\xff\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x64\x00\x00\x00\x00\x00\x00\x00\
    \x64\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00\x0f\x00\x01\x01\
    \x00\x00\x01\x00\x02\x00\x03\x00\x04\x00\x05\x00\x06\x00\x07\x00\x08\x00\x09\x00\x0a\x00\x0b\x00\
    \x0c\x00\x0d\x00\x0e\x00\x0f\x00\x00\x00\x00\x00\x04\x00\x00\x00\x08\x00\x00\x00\x0d\x00\x00\x00\
    \x12\x00\x00\x00\x25\x00\x00\x00\x29\x00\x00\x00\x2d\x00\x00\x00\x31\x00\x00\x00\x35\x00\x00\x00\
    \x39\x00\x00\x00\x3d\x00\x00\x00\x41\x00\x00\x00\x46\x00\x00\x00\x4b\x00\x00\x00\x5d\x00\x00\x00\
    \x05\x0e\x00\x02\x05\x02\x00\x02\x08\x00\x00\x07\x02\x05\x03\x00\x02\x02\x05\x05\x00\x02\x05\x06\
    \x00\x02\x05\x07\x00\x02\x05\x08\x00\x02\x03\x04\x00\x05\x09\x00\x02\x05\x0b\x00\x02\x05\x0c\x00\
    \x18\x05\x0d\x00\x02\x05\x0a\x00\x02\x05\x12\x00\x02\x05\x13\x00\x02\x05\x10\x00\x02\x02\x05\x11\
    \x00\x02\x02\x06\x01\x00\x00\x00\x00\x00\x59\x00\x00\x00\x05\x04\x00\x02\x04\x02\x00\x05\x0f\x00\
    \x02\x00\x00\x00\x00\x00\x00\x00\x03\x00\x02\x00\x00\x00\x00\x00\xff\xff\x01\x01\x00\x00\x00\x00\
    \x00\x00\x00\x00\x15\x00\x10\x00\x03\x00\x00\x00\x54\x00\x01\x00\x06\x00\x00\x00\xff\xff\xff\xff\
    \x00\x00\x02\x00\x03\x00\x00\x00\x13\x00\x00\x00\x00\x00\x00\x00\x54\x00\x00\x00\x00\x00\x00\x00\
    \x02\x02\x00\x00\x00\x00\x01\x00\x05\x00\x00\x00\x02\x01\x00\x00\x01\x00\x01\x00\x03\x00\x02\x00\
    \x01\x00\x01\x00\x02\x00\x01\x00\x03\x00\x00\x00\x00\x00\x02\x00\x01\x00\x03\x00\x03\x00\x00\x00\
    \x00\x00\x03\x00\x03\x00\x01\x00\x03\x00\x00\x00\x00\x00\x04\x00\x02\x00\x03\x00\x03\x00\x00\x00\
    \x00\x00\x05\x00\x03\x00\x03\x00\x03\x00\x00\x00\x00\x00\x06\x00\x04\x00\x01\x00\x03\x00\x00\x00\
    \x00\x00\x07\x00\x04\x00\x03\x00\x03\x00\x00\x00\x00\x00\x08\x00\x05\x00\x01\x00\x03\x00\x00\x00\
    \x00\x00\x09\x00\x05\x00\x03\x00\x03\x00\x00\x00\x00\x00\x0a\x00\x06\x00\x01\x00\x03\x00\x00\x00\
    \x00\x00\x0b\x00\x07\x00\x01\x00\x03\x00\x00\x00\x00\x00\x0c\x00\x08\x00\x01\x00\x06\x00\x00\x00\
    \x00\x00\x0d\x00\x09\x00\x01\x00\x03\x00\x00\x00\x00\x00\x0e\x00\x0a\x00\x01\x00\x03\x00\x00\x00\
    \x00\x00\x0f\x00\x0b\x00\x01\x00\x03\x00\x00\x00\x00\x00\x10\x00\x0c\x00\x01\x00\x03\x00\x00\x00\
    \x00\x00\x11\x00\x0d\x00\x01\x00\x03\x00\x00\x00\x00\x00\x12\x00\x0e\x00\x01\x00\x03\x00\x00\x00\
    \x00\x00\x13\x00\x0f\x00\x01\x00\x03\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x5a\x00\x00\x00\
    \x00\x00\x01\x00\x06\x00\x01\x00\x06\x00\x0f\x00\x18\x00\x21\x00\x2a\x00\x33\x00\x36\x00\x39\x00\
    \x3f\x00\x42\x00\x45\x00\x48\x00\x4b\x00\x4e\x00\x51\x00\x00\x00\x01\x00\x02\x00\x00\x00\x00\x00\
    \x00\x00\xff\xff\x00\x00\x00\x00\x01\x00\xff\xff\x00\x00\x02\x00\x21\x00\xff\xff\x00\x00\x04\x00\
    \x06\x00\x00\x00\x00\x00\x04\x00\x0a\x00\x00\x00\x00\x00\x07\x00\x02\x00\x01\x00\x00\x00\x09\x00\
    \x22\x00\xff\xff\x00\x00\x0b\x00\x0c\x00\x00\x00\x80\x08\x0b\x00\x21\x00\xff\xff\x00\x00\x0d\x00\
    \x07\x00\x01\x00\x00\x00\x0d\x00\x0f\x00\x00\x00\x00\x00\x10\x00\x08\x00\x01\x00\x00\x00\x16\x00\
    \x12\x00\x00\x00\x40\x00\x19\x00\x26\x00\xff\xff\x00\x00\x1b\x00\x25\x00\xff\xff\x00\x00\x1b\x00\
    \x09\x00\x01\x00\x00\x00\x1b\x00\x13\x00\x00\x00\x30\x00\x1d\x00\x21\x00\xff\xff\x00\x00\x21\x00\
    \x0a\x00\x01\x00\x00\x00\x21\x00\x14\x00\x00\x00\x00\x01\x23\x00\x14\x00\x00\x00\x00\x01\x26\x00\
    \x0c\x00\x01\x00\x80\x08\x29\x00\x15\x00\x00\x00\x80\x04\x2b\x00\x04\x00\x01\x00\x01\x00\x2f\x00\
    \x20\x00\xff\xff\x00\x00\x31\x00\x0d\x00\x01\x00\x00\x20\x31\x00\x0e\x00\x01\x00\x00\x00\x33\x00\
    \x05\x00\x01\x00\x00\x00\x3d\x00\x12\x00\x01\x00\x40\x00\x3f\x00\x05\x00\x01\x00\x00\x00\x41\x00\
    \x17\x00\x01\x00\x00\x00\x43\x00\x13\x00\x01\x00\x30\x00\x47\x00\x23\x00\xff\xff\x00\x00\x4b\x00\
    \x14\x00\x01\x00\x00\x01\x4b\x00\x14\x00\x01\x00\x00\x01\x4e\x00\x15\x00\x01\x00\x80\x04\x51\x00\
    \x01\x00\x01\x00\xff\xff\xff\xff\x02\x10\x02\x00\xff\xff\xff\xff\x01\x00\x03\x00\xff\xff\xff\xff\
    \x02\x10\x02\x00\xff\xff\xff\xff\x00\x00\x04\x00\xff\xff\x00\x00\x00\x00\x05\x00\xff\xff\x01\x00\
    \x03\x00\x06\x00\xff\xff\xff\xff\x01\x00\x07\x00\xff\xff\xff\xff\x06\x10\x08\x00\xff\xff\xff\xff\
    \x01\x00\x09\x00\xff\xff\xff\xff\x02\x10\x08\x00\xff\xff\xff\xff\x01\x00\x0a\x00\xff\xff\xff\xff\
    \x06\x10\x08\x00\xff\xff\xff\xff\x01\x00\x0b\x00\xff\xff\xff\xff\x02\x10\x08\x00\xff\xff\xff\xff\
    \x04\x00\x08\x00\xff\xff\xff\xff\x01\x00\x0c\x00\xff\xff\xff\xff\x02\x00\x08\x00\xff\xff\xff\xff\
    \x08\x00\x08\x00\xff\xff\xff\xff\x10\x00\x0e\x00\xff\xff\xff\xff\x11\x00\x08\x00\xff\xff\xff\xff\
    \x12\x00\x0d\x00\xff\xff\xff\xff\x01\x00\x0f\x00\xff\xff\xff\xff\x02\x10\x08\x00\xff\xff\xff\xff\
    \x05\x00\x08\x00\xff\xff\xff\xff\x01\x00\x10\x00\xff\xff\xff\xff\x02\x10\x11\x00\xff\xff\xff\xff\
    \x01\x00\x12\x00\xff\xff\xff\xff\x06\x10\x08\x00\xff\xff\xff\xff\x01\x00\x13\x00\xff\xff\xff\xff\
    \x15\x00\x14\x00\xff\xff\xff\xff\x16\x00\x11\x00\xff\xff\xff\xff\x17\x00\x11\x00\xff\xff\xff\xff\
    \x01\x00\x15\x00\xff\xff\xff\xff\x06\x10\x08\x00\xff\xff\xff\xff\x01\x00\x16\x00\xff\xff\xff\xff\
    \x18\x00\x11\x00\xff\xff\xff\xff\x19\x00\x11\x00\xff\xff\xff\xff\x01\x00\x11\x00\xff\xff\xff\xff\
    \x18\x00\x11\x00\xff\xff\xff\xff\x19\x00\x11\x00\xff\xff\xff\xff\x01\x00\x17\x00\xff\xff\xff\xff\
    \x06\x10\x08\x00\xff\xff\xff\xff\x01\x00\x18\x00\xff\xff\xff\xff\x0a\x00\x11\x00\xff\xff\xff\xff\
    \x12\x00\x11\x00\xff\xff\xff\xff\x1a\x00\x11\x00\xff\xff\xff\xff\x01\x00\x19\x00\xff\xff\xff\xff\
    \x02\x10\x08\x00\xff\xff\xff\xff\x01\x00\x1a\x00\xff\xff\xff\xff\x07\x00\x1b\x00\xff\xff\xff\xff\
    \x01\x00\x1c\x00\xff\xff\xff\xff\x08\x00\x1d\x00\xff\xff\xff\xff\x09\x00\x1d\x00\xff\xff\xff\xff\
    \x0a\x00\x08\x00\xff\xff\xff\xff\x0b\x00\x08\x00\xff\xff\xff\xff\x0c\x00\x1e\x00\xff\xff\xff\xff\
    \x0d\x00\x1e\x00\xff\xff\xff\xff\x0e\x00\x1e\x00\xff\xff\xff\xff\x0f\x00\x1e\x00\xff\xff\xff\xff\
    \x10\x00\x0e\x00\xff\xff\xff\xff\x01\x00\x08\x00\xff\xff\xff\xff\x02\x10\x08\x00\xff\xff\xff\xff\
    \x01\x00\x1f\x00\xff\xff\xff\xff\x02\x10\x11\x00\xff\xff\xff\xff\x01\x00\x08\x00\xff\xff\xff\xff\
    \x02\x10\x08\x00\xff\xff\xff\xff\x1b\x00\x08\x00\xff\xff\xff\xff\x1c\x00\x1c\x00\xff\xff\xff\xff\
    \x1d\x00\x08\x00\xff\xff\xff\xff\x1e\x00\x20\x00\xff\xff\xff\xff\x01\x00\x21\x00\xff\xff\xff\xff\
    \x15\x00\x22\x00\xff\xff\xff\xff\x16\x00\x11\x00\xff\xff\xff\xff\x17\x00\x11\x00\xff\xff\xff\xff\
    \x01\x00\x23\x00\xff\xff\xff\xff\x18\x00\x11\x00\xff\xff\xff\xff\x19\x00\x11\x00\xff\xff\xff\xff\
    \x01\x00\x11\x00\xff\xff\xff\xff\x18\x00\x11\x00\xff\xff\xff\xff\x19\x00\x11\x00\xff\xff\xff\xff\
    \x01\x00\x18\x00\xff\xff\xff\xff\x0a\x00\x11\x00\xff\xff\xff\xff\x12\x00\x11\x00\xff\xff\xff\xff\
    \x1a\x00\x11\x00\xff\xff\xff\xff\x00\x00\xff\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\xff\x00\
    \x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff\x00\x00\x00\x00\x16\x00\x05\x28\x67\x70\x74\x29\
    \x05\x5b\x67\x70\x74\x5d\x06\x61\x63\x63\x65\x70\x74\x07\x28\x6c\x6c\x61\x6d\x61\x29\x09\x61\x76\
    \x61\x69\x6c\x61\x62\x6c\x65\x07\x65\x78\x70\x69\x72\x65\x64\x07\x72\x65\x66\x75\x73\x65\x64\x06\
    \x2e\x61\x64\x6f\x70\x74\x08\x2e\x63\x6f\x6e\x73\x75\x6d\x65\x0b\x2e\x71\x75\x61\x72\x61\x6e\x74\
    \x69\x6e\x65\x07\x2e\x72\x65\x63\x6f\x72\x64\x09\x2e\x76\x61\x6c\x69\x64\x61\x74\x65\x07\x5b\x6c\
    \x6c\x61\x6d\x61\x5d\x07\x61\x74\x74\x65\x6d\x70\x74\x09\x61\x75\x74\x68\x6f\x72\x69\x74\x79\x0a\
    \x63\x6f\x6e\x6e\x65\x63\x74\x69\x6f\x6e\x06\x64\x65\x63\x69\x64\x65\x12\x65\x67\x72\x65\x73\x73\
    \x5f\x74\x72\x61\x6e\x73\x70\x61\x72\x65\x6e\x74\x07\x6c\x69\x6e\x65\x61\x67\x65\x0a\x70\x65\x72\
    \x6d\x69\x73\x73\x69\x6f\x6e\x0a\x70\x72\x6f\x68\x69\x62\x69\x74\x65\x64\x07\x72\x65\x76\x6f\x6b\
    \x65\x64\x61\x70\x70\x2e\x61\x73\x6b\x40\x31\x00\x6c\x61\x62\x65\x6c\x73\x00\x70\x65\x72\x73\x6f\
    \x6e\x61\x6c\x00\x73\x65\x63\x72\x65\x74\x00\x63\x6c\x69\x65\x6e\x74\x00\x77\x65\x69\x67\x68\x74\
    \x00\x92\x00\x94\x00\x63\x6f\x6e\x73\x65\x6e\x74\x00\x69\x64\x65\x6e\x74\x69\x74\x79\x5f\x61\x63\
    \x74\x6f\x72\x00\x69\x64\x65\x6e\x74\x69\x74\x79\x5f\x74\x61\x72\x67\x65\x74\x81\x00\x69\x64\x65\
    \x6e\x74\x69\x74\x79\x5f\x70\x6f\x6c\x69\x63\x79\x00\x69\x64\x65\x6e\x74\x69\x74\x79\x5f\x70\x75\
    \x72\x70\x6f\x73\x65\x00\x8e\x81\x00\x74\x65\x72\x6d\x73\x81\x00\x93\x81\x00\x6c\x6f\x67\x69\x6e\
    \x81\x00\x61\x62\x73\x65\x6e\x74\x00\x64\x65\x63\x6c\x61\x72\x65\x64\x00\x70\x72\x65\x73\x65\x6e\
    \x74\x00\x70\x72\x6f\x62\x65\x64\x00\x61\x74\x74\x65\x73\x74\x65\x64\x00\x8f\x81\x00\x84\x8c\x00\
    \x84\x81\x00\x95\x81\x00\x85\x81\x00\x91\x81\x00\x72\x65\x74\x65\x6e\x74\x69\x6f\x6e\x5f\x6f\x6b\
    \x81\x00\x74\x72\x69\x65\x64\x8c\x00\x74\x72\x69\x65\x64\x81\x00\x6a\x75\x64\x67\x65\x64\x00\x6c\
    \x6c\x61\x6d\x61\x00\x67\x70\x74\x00\x84\x00\x92\x00\x6c\x6f\x63\x61\x6c\x5f\x6f\x6e\x6c\x79\x00\
    \x94\x00\x69\x64\x65\x6e\x74\x69\x74\x79\x00\x8e\x00\x93\x00\x6c\x6f\x67\x69\x6e\x00\x8f\x00\x74\
    \x65\x72\x6d\x73\x00\x91\x00\x72\x65\x74\x65\x6e\x74\x69\x6f\x6e\x00\x95\x00\x85\x00\x66\x6f\x72\
    \x62\x69\x64\x64\x65\x6e\x00\x84\x00\x73\x74\x61\x72\x74\x00\x63\x6c\x61\x73\x73\x69\x66\x79\x00\
    \x86\x28\x67\x61\x74\x65\x29\x00\x63\x68\x6f\x6f\x73\x65\x00\x90\x83\x00\x6d\x69\x6e\x69\x6d\x69\
    \x7a\x65\x80\x00\x70\x65\x6e\x64\x69\x6e\x67\x5f\x6e\x6f\x5f\x72\x6f\x61\x64\x00\x8d\x83\x00\x86\
    \x28\x72\x6f\x61\x64\x29\x00\x63\x75\x74\x80\x00\x63\x61\x6c\x6c\x83\x00\x76\x65\x72\x69\x66\x79\
    \x80\x00\x82\x83\x89\x00\x85\x00\x63\x61\x6e\x63\x65\x6c\x6c\x65\x64\x00\x72\x65\x73\x65\x72\x76\
    \x65\x80\x00\x82\x83\x8b\x00\x86\x28\x61\x6e\x73\x77\x65\x72\x29\x00\x90\x80\x00\x82\x83\x88\x00\
    \x82\x83\x8a\x00\x8d\x80\x00\x82\x83\x87\x00\x63\x68\x65\x63\x6b\x70\x6f\x69\x6e\x74\x80\x00\x64\
    \x6f\x6e\x65\x00\x65\x67\x72\x65\x73\x73\x80\x00\x73\x65\x6e\x64\x80\x00\x72\x65\x6c\x65\x61\x73\
    \x65\x80\x00\x82\x80\x89\x00\x72\x75\x6e\x80\x2e\x72\x65\x6c\x65\x61\x73\x65\x80\x00\x72\x65\x63\
    \x6f\x6e\x63\x69\x6c\x65\x80\x00\x82\x80\x8b\x00\x69\x6e\x64\x65\x74\x65\x72\x6d\x69\x6e\x61\x74\
    \x65\x00\x82\x80\x88\x00\x82\x80\x8a\x00\x82\x80\x87\x00\x66\x6c\x6f\x77\x00\x00\x00\x00\x00\x00";

/// Roads of the policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Road {
    /// `llama`
    Llama,
    /// `gpt`
    Gpt,
}

impl Road {
    /// Its number in the table.
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Self::Llama => 0,
            Self::Gpt => 1,
        }
    }

    /// The one with this number, if there is one.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Self> {
        match index {
            0 => Some(Self::Llama),
            1 => Some(Self::Gpt),
            _ => None,
        }
    }

    /// As the policy says it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Llama => "llama",
            Self::Gpt => "gpt",
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
    /// `available`
    Available,
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
    /// `login`
    Login,
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
}

impl Reason {
    /// Its number in this file, by first use.
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Self::Available => 0,
            Self::Lineage => 1,
            Self::LocalOnly => 2,
            Self::Prohibited => 3,
            Self::Identity => 4,
            Self::Authority => 5,
            Self::Permission => 6,
            Self::Login => 7,
            Self::Connection => 8,
            Self::Terms => 9,
            Self::EgressTransparent => 10,
            Self::Retention => 11,
            Self::Revoked => 12,
            Self::Expired => 13,
            Self::Forbidden => 14,
        }
    }

    /// The one with this number, if there is one.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Self> {
        match index {
            0 => Some(Self::Available),
            1 => Some(Self::Lineage),
            2 => Some(Self::LocalOnly),
            3 => Some(Self::Prohibited),
            4 => Some(Self::Identity),
            5 => Some(Self::Authority),
            6 => Some(Self::Permission),
            7 => Some(Self::Login),
            8 => Some(Self::Connection),
            9 => Some(Self::Terms),
            10 => Some(Self::EgressTransparent),
            11 => Some(Self::Retention),
            12 => Some(Self::Revoked),
            13 => Some(Self::Expired),
            14 => Some(Self::Forbidden),
            _ => None,
        }
    }

    /// As the policy says it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Available => "available",
            Self::Lineage => "lineage",
            Self::LocalOnly => "local_only",
            Self::Prohibited => "prohibited",
            Self::Identity => "identity",
            Self::Authority => "authority",
            Self::Permission => "permission",
            Self::Login => "login",
            Self::Connection => "connection",
            Self::Terms => "terms",
            Self::EgressTransparent => "egress_transparent",
            Self::Retention => "retention",
            Self::Revoked => "revoked",
            Self::Expired => "expired",
            Self::Forbidden => "forbidden",
        }
    }

    /// All of them, by number.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=14).filter_map(Self::from_index)
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
    /// `decide(llama)`
    DecideLlama,
    /// `minimize(gpt)`
    MinimizeGpt,
    /// `pending_no_road`
    PendingNoRoad,
    /// `attempt(llama)`
    AttemptLlama,
    /// `refused(road)`
    RefusedRoad,
    /// `cut(gpt)`
    CutGpt,
    /// `call(llama)`
    CallLlama,
    /// `verify(gpt)`
    VerifyGpt,
    /// `accept(llama).quarantine`
    AcceptLlamaQuarantine,
    /// `expired`
    Expired,
    /// `cancelled`
    Cancelled,
    /// `reserve(gpt)`
    ReserveGpt,
    /// `accept(llama).validate`
    AcceptLlamaValidate,
    /// `refused(answer)`
    RefusedAnswer,
    /// `decide(gpt)`
    DecideGpt,
    /// `accept(llama).consume`
    AcceptLlamaConsume,
    /// `accept(llama).record`
    AcceptLlamaRecord,
    /// `attempt(gpt)`
    AttemptGpt,
    /// `accept(llama).adopt`
    AcceptLlamaAdopt,
    /// `checkpoint(gpt)`
    CheckpointGpt,
    /// `done`
    Done,
    /// `egress(gpt)`
    EgressGpt,
    /// `send(gpt)`
    SendGpt,
    /// `release(gpt)`
    ReleaseGpt,
    /// `accept(gpt).quarantine`
    AcceptGptQuarantine,
    /// `run(gpt).release(gpt)`
    RunGptReleaseGpt,
    /// `reconcile(gpt)`
    ReconcileGpt,
    /// `accept(gpt).validate`
    AcceptGptValidate,
    /// `indeterminate`
    Indeterminate,
    /// `accept(gpt).consume`
    AcceptGptConsume,
    /// `accept(gpt).record`
    AcceptGptRecord,
    /// `accept(gpt).adopt`
    AcceptGptAdopt,
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
            Self::DecideLlama => 4,
            Self::MinimizeGpt => 5,
            Self::PendingNoRoad => 6,
            Self::AttemptLlama => 7,
            Self::RefusedRoad => 8,
            Self::CutGpt => 9,
            Self::CallLlama => 10,
            Self::VerifyGpt => 11,
            Self::AcceptLlamaQuarantine => 12,
            Self::Expired => 13,
            Self::Cancelled => 14,
            Self::ReserveGpt => 15,
            Self::AcceptLlamaValidate => 16,
            Self::RefusedAnswer => 17,
            Self::DecideGpt => 18,
            Self::AcceptLlamaConsume => 19,
            Self::AcceptLlamaRecord => 20,
            Self::AttemptGpt => 21,
            Self::AcceptLlamaAdopt => 22,
            Self::CheckpointGpt => 23,
            Self::Done => 24,
            Self::EgressGpt => 25,
            Self::SendGpt => 26,
            Self::ReleaseGpt => 27,
            Self::AcceptGptQuarantine => 28,
            Self::RunGptReleaseGpt => 29,
            Self::ReconcileGpt => 30,
            Self::AcceptGptValidate => 31,
            Self::Indeterminate => 32,
            Self::AcceptGptConsume => 33,
            Self::AcceptGptRecord => 34,
            Self::AcceptGptAdopt => 35,
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
            4 => Some(Self::DecideLlama),
            5 => Some(Self::MinimizeGpt),
            6 => Some(Self::PendingNoRoad),
            7 => Some(Self::AttemptLlama),
            8 => Some(Self::RefusedRoad),
            9 => Some(Self::CutGpt),
            10 => Some(Self::CallLlama),
            11 => Some(Self::VerifyGpt),
            12 => Some(Self::AcceptLlamaQuarantine),
            13 => Some(Self::Expired),
            14 => Some(Self::Cancelled),
            15 => Some(Self::ReserveGpt),
            16 => Some(Self::AcceptLlamaValidate),
            17 => Some(Self::RefusedAnswer),
            18 => Some(Self::DecideGpt),
            19 => Some(Self::AcceptLlamaConsume),
            20 => Some(Self::AcceptLlamaRecord),
            21 => Some(Self::AttemptGpt),
            22 => Some(Self::AcceptLlamaAdopt),
            23 => Some(Self::CheckpointGpt),
            24 => Some(Self::Done),
            25 => Some(Self::EgressGpt),
            26 => Some(Self::SendGpt),
            27 => Some(Self::ReleaseGpt),
            28 => Some(Self::AcceptGptQuarantine),
            29 => Some(Self::RunGptReleaseGpt),
            30 => Some(Self::ReconcileGpt),
            31 => Some(Self::AcceptGptValidate),
            32 => Some(Self::Indeterminate),
            33 => Some(Self::AcceptGptConsume),
            34 => Some(Self::AcceptGptRecord),
            35 => Some(Self::AcceptGptAdopt),
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
            Self::DecideLlama => "decide(llama)",
            Self::MinimizeGpt => "minimize(gpt)",
            Self::PendingNoRoad => "pending_no_road",
            Self::AttemptLlama => "attempt(llama)",
            Self::RefusedRoad => "refused(road)",
            Self::CutGpt => "cut(gpt)",
            Self::CallLlama => "call(llama)",
            Self::VerifyGpt => "verify(gpt)",
            Self::AcceptLlamaQuarantine => "accept(llama).quarantine",
            Self::Expired => "expired",
            Self::Cancelled => "cancelled",
            Self::ReserveGpt => "reserve(gpt)",
            Self::AcceptLlamaValidate => "accept(llama).validate",
            Self::RefusedAnswer => "refused(answer)",
            Self::DecideGpt => "decide(gpt)",
            Self::AcceptLlamaConsume => "accept(llama).consume",
            Self::AcceptLlamaRecord => "accept(llama).record",
            Self::AttemptGpt => "attempt(gpt)",
            Self::AcceptLlamaAdopt => "accept(llama).adopt",
            Self::CheckpointGpt => "checkpoint(gpt)",
            Self::Done => "done",
            Self::EgressGpt => "egress(gpt)",
            Self::SendGpt => "send(gpt)",
            Self::ReleaseGpt => "release(gpt)",
            Self::AcceptGptQuarantine => "accept(gpt).quarantine",
            Self::RunGptReleaseGpt => "run(gpt).release(gpt)",
            Self::ReconcileGpt => "reconcile(gpt)",
            Self::AcceptGptValidate => "accept(gpt).validate",
            Self::Indeterminate => "indeterminate",
            Self::AcceptGptConsume => "accept(gpt).consume",
            Self::AcceptGptRecord => "accept(gpt).record",
            Self::AcceptGptAdopt => "accept(gpt).adopt",
        }
    }

    /// All of them, by number.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=35).filter_map(Self::from_index)
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

/// The fact `labels`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Labels(u64);

impl Labels {
    /// None of them.
    pub const EMPTY: Self = Self(0);
    /// `personal`
    pub const PERSONAL: Self = Self(1 << 0);
    /// `secret`
    pub const SECRET: Self = Self(1 << 1);
    /// `client`
    pub const CLIENT: Self = Self(1 << 2);
    /// All of them.
    pub const ALL: Self = Self(0x7);

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

/// How well the login is known.
///
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

/// What is known when something is decided. Everything is unknown until it is set, and unknown opens nothing.
///
/// A setter takes a value, or `None` for unknown. Each packs what it is told: keep one `Facts` and change it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    read_in_epoch: u32,
    told_labels: Option<Labels>,
    told_weight: Option<Weight>,
    told_lineage: Option<bool>,
    told_prohibited: Option<bool>,
    told_consent: Option<bool>,
    told_identity_actor: Option<bool>,
    told_identity_target_gpt: Option<bool>,
    told_identity_policy: Option<bool>,
    told_identity_purpose: Option<bool>,
    told_authority_gpt: Option<bool>,
    told_terms_gpt: Option<bool>,
    told_permission_gpt: Option<bool>,
    told_login_gpt: Option<Login>,
    told_connection_gpt: Option<bool>,
    told_available_llama: Option<bool>,
    told_available_gpt: Option<bool>,
    told_revoked_gpt: Option<bool>,
    told_expired_gpt: Option<bool>,
    told_egress_transparent_gpt: Option<bool>,
    told_retention_ok_gpt: Option<bool>,
    rows_of_0: [u16; 16],
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
            told_labels: None,
            told_weight: None,
            told_lineage: None,
            told_prohibited: None,
            told_consent: None,
            told_identity_actor: None,
            told_identity_target_gpt: None,
            told_identity_policy: None,
            told_identity_purpose: None,
            told_authority_gpt: None,
            told_terms_gpt: None,
            told_permission_gpt: None,
            told_login_gpt: None,
            told_connection_gpt: None,
            told_available_llama: None,
            told_available_gpt: None,
            told_revoked_gpt: None,
            told_expired_gpt: None,
            told_egress_transparent_gpt: None,
            told_retention_ok_gpt: None,
            rows_of_0: unknown_0(),
        }
    }

    /// Says in which epoch of a run the volatile facts were read.
    pub fn set_epoch(&mut self, epoch: u32) -> &mut Self {
        self.read_in_epoch = epoch;
        self
    }

    /// Sets `labels`, a sealed fact.
    pub fn set_labels(&mut self, value: impl Into<Option<Labels>>) -> &mut Self {
        let value = value.into();
        self.told_labels = value;
        let digit = value.map_or(4, |v| ((v.bits() >> 0) & 3) as u16);
        put(&mut self.rows_of_0[0], 1, 1, 5, digit);
        let digit = value.map_or(2, |v| ((v.bits() >> 2) & 1) as u16);
        put(&mut self.rows_of_0[1], 6, 1, 3, digit);
        self
    }

    /// How revealing the payload is, 0 to 100.
    ///
    /// Sets `weight`, a sealed fact. Unknown stands for `100`.
    pub fn set_weight(&mut self, value: impl Into<Option<Weight>>) -> &mut Self {
        let value = value.into();
        self.told_weight = value;
        let digit = match value.map(Weight::get) {
            None => 2,
            Some(..90) => 0,
            Some(90..) => 1,
        };
        put(&mut self.rows_of_0[2], 15, 1, 3, digit);
        self
    }

    /// Every part of the payload has a known source.
    ///
    /// Sets `lineage`, a sealed fact. Unknown stands for `false`.
    pub fn set_lineage(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_lineage = value;
        let digit = value.map_or(2, u16::from);
        put(&mut self.rows_of_0[1], 6, 3, 3, digit);
        self
    }

    /// Some part is of a category that may never leave.
    ///
    /// Sets `prohibited`, a sealed fact. Unknown stands for `true`.
    pub fn set_prohibited(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_prohibited = value;
        let digit = value.map_or(2, u16::from);
        put(&mut self.rows_of_0[3], 24, 1, 3, digit);
        self
    }

    /// The person concerned agreed to this disclosure.
    ///
    /// Sets `consent`, a sealed fact. Unknown stands for `false`.
    pub fn set_consent(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_consent = value;
        let digit = value.map_or(2, u16::from);
        put(&mut self.rows_of_0[2], 15, 3, 3, digit);
        self
    }

    /// The actor is identified.
    ///
    /// Sets `identity_actor`, a pinned fact. Unknown stands for `false`.
    pub fn set_identity_actor(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_identity_actor = value;
        let digit = value.map_or(2, u16::from);
        put(&mut self.rows_of_0[3], 24, 3, 3, digit);
        self
    }

    /// The receiver is identified.
    ///
    /// Sets `identity_target[gpt]`, a pinned fact. Unknown stands for `false`.
    pub fn set_identity_target_gpt(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_identity_target_gpt = value;
        let digit = value.map_or(2, u16::from);
        put(&mut self.rows_of_0[4], 33, 1, 3, digit);
        self
    }

    /// The policy in force is identified.
    ///
    /// Sets `identity_policy`, a pinned fact. Unknown stands for `false`.
    pub fn set_identity_policy(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_identity_policy = value;
        let digit = value.map_or(2, u16::from);
        put(&mut self.rows_of_0[4], 33, 3, 3, digit);
        self
    }

    /// The purpose is identified.
    ///
    /// Sets `identity_purpose`, a pinned fact. Unknown stands for `false`.
    pub fn set_identity_purpose(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_identity_purpose = value;
        let digit = value.map_or(2, u16::from);
        put(&mut self.rows_of_0[5], 42, 1, 3, digit);
        self
    }

    /// The actor may use this road.
    ///
    /// Sets `authority[gpt]`, a pinned fact. Unknown stands for `false`.
    pub fn set_authority_gpt(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_authority_gpt = value;
        let digit = value.map_or(2, u16::from);
        put(&mut self.rows_of_0[5], 42, 3, 3, digit);
        self
    }

    /// The receiver's terms allow automation.
    ///
    /// Sets `terms[gpt]`, a pinned fact. Unknown stands for `false`.
    pub fn set_terms_gpt(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_terms_gpt = value;
        let digit = value.map_or(2, u16::from);
        put(&mut self.rows_of_0[6], 51, 1, 3, digit);
        self
    }

    /// The runtime permits this road now.
    ///
    /// Sets `permission[gpt]`, a volatile fact. Unknown stands for `false`.
    pub fn set_permission_gpt(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_permission_gpt = value;
        let digit = value.map_or(2, u16::from);
        put(&mut self.rows_of_0[7], 54, 1, 3, digit);
        self
    }

    /// How well the login is known.
    ///
    /// Sets `login[gpt]`, a volatile fact.
    pub fn set_login_gpt(&mut self, value: impl Into<Option<Login>>) -> &mut Self {
        let value = value.into();
        self.told_login_gpt = value;
        let digit = value.map_or(5, |v| u16::from(v.index()));
        put(&mut self.rows_of_0[8], 57, 1, 6, digit);
        self
    }

    /// The receiver can be reached.
    ///
    /// Sets `connection[gpt]`, a volatile fact. Unknown stands for `false`.
    pub fn set_connection_gpt(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_connection_gpt = value;
        let digit = value.map_or(2, u16::from);
        put(&mut self.rows_of_0[9], 63, 1, 3, digit);
        self
    }

    /// The road can be used now.
    ///
    /// Sets `available[llama]`, a volatile fact. Unknown stands for `false`.
    pub fn set_available_llama(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_available_llama = value;
        let digit = value.map_or(2, u16::from);
        put(&mut self.rows_of_0[10], 66, 1, 3, digit);
        self
    }

    /// The road can be used now.
    ///
    /// Sets `available[gpt]`, a volatile fact. Unknown stands for `false`.
    pub fn set_available_gpt(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_available_gpt = value;
        let digit = value.map_or(2, u16::from);
        put(&mut self.rows_of_0[11], 69, 1, 3, digit);
        self
    }

    /// The grant was taken back.
    ///
    /// Sets `revoked[gpt]`, a volatile fact. Unknown stands for `true`.
    pub fn set_revoked_gpt(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_revoked_gpt = value;
        let digit = value.map_or(2, u16::from);
        put(&mut self.rows_of_0[12], 72, 1, 3, digit);
        self
    }

    /// The grant ran out.
    ///
    /// Sets `expired[gpt]`, a volatile fact. Unknown stands for `true`.
    pub fn set_expired_gpt(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_expired_gpt = value;
        let digit = value.map_or(2, u16::from);
        put(&mut self.rows_of_0[13], 75, 1, 3, digit);
        self
    }

    /// All egress of the receiver is known.
    ///
    /// Sets `egress_transparent[gpt]`, a pinned fact. Unknown stands for `false`.
    pub fn set_egress_transparent_gpt(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_egress_transparent_gpt = value;
        let digit = value.map_or(2, u16::from);
        put(&mut self.rows_of_0[14], 78, 1, 3, digit);
        self
    }

    /// The receiver's retention is compatible.
    ///
    /// Sets `retention_ok[gpt]`, a pinned fact. Unknown stands for `false`.
    pub fn set_retention_ok_gpt(&mut self, value: impl Into<Option<bool>>) -> &mut Self {
        let value = value.into();
        self.told_retention_ok_gpt = value;
        let digit = value.map_or(2, u16::from);
        put(&mut self.rows_of_0[15], 81, 1, 3, digit);
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
        if let Some(value) = self.told_labels {
            cells.set_labels(table, 0, value.bits())?;
        }
        if let Some(value) = self.told_weight {
            cells.set_int(table, 1, value.get())?;
        }
        if let Some(value) = self.told_lineage {
            cells.set_bool(table, 2, value)?;
        }
        if let Some(value) = self.told_prohibited {
            cells.set_bool(table, 3, value)?;
        }
        if let Some(value) = self.told_consent {
            cells.set_bool(table, 4, value)?;
        }
        if let Some(value) = self.told_identity_actor {
            cells.set_bool(table, 5, value)?;
        }
        if let Some(value) = self.told_identity_target_gpt {
            cells.set_bool(table, 6, value)?;
        }
        if let Some(value) = self.told_identity_policy {
            cells.set_bool(table, 7, value)?;
        }
        if let Some(value) = self.told_identity_purpose {
            cells.set_bool(table, 8, value)?;
        }
        if let Some(value) = self.told_authority_gpt {
            cells.set_bool(table, 9, value)?;
        }
        if let Some(value) = self.told_terms_gpt {
            cells.set_bool(table, 10, value)?;
        }
        if let Some(value) = self.told_permission_gpt {
            cells.set_bool(table, 11, value)?;
        }
        if let Some(value) = self.told_login_gpt {
            cells.set_value(table, 12, value.index())?;
        }
        if let Some(value) = self.told_connection_gpt {
            cells.set_bool(table, 13, value)?;
        }
        if let Some(value) = self.told_available_llama {
            cells.set_bool(table, 14, value)?;
        }
        if let Some(value) = self.told_available_gpt {
            cells.set_bool(table, 15, value)?;
        }
        if let Some(value) = self.told_revoked_gpt {
            cells.set_bool(table, 16, value)?;
        }
        if let Some(value) = self.told_expired_gpt {
            cells.set_bool(table, 17, value)?;
        }
        if let Some(value) = self.told_egress_transparent_gpt {
            cells.set_bool(table, 18, value)?;
        }
        if let Some(value) = self.told_retention_ok_gpt {
            cells.set_bool(table, 19, value)?;
        }
        Ok(cells)
    }

    const fn packed_0(&self) -> ::roadlaw_runtime::Packed<16> {
        let stamp = 0xde1410776bf80f27;
        ::roadlaw_runtime::Packed::assembled(stamp, 0, self.rows_of_0)
    }
}

const fn unknown_0() -> [u16; 16] {
    let mut rows = [0; 16];
    rows[0] = 5;
    rows[1] = 14;
    rows[2] = 23;
    rows[3] = 32;
    rows[4] = 41;
    rows[5] = 50;
    rows[6] = 53;
    rows[7] = 56;
    rows[8] = 62;
    rows[9] = 65;
    rows[10] = 68;
    rows[11] = 71;
    rows[12] = 74;
    rows[13] = 77;
    rows[14] = 80;
    rows[15] = 83;
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
        0 => Some(Reason::Available),
        1 => Some(Reason::Lineage),
        2 => Some(Reason::LocalOnly),
        3 => Some(Reason::Prohibited),
        4 => Some(Reason::Identity),
        5 => Some(Reason::Authority),
        6 => Some(Reason::Permission),
        7 => Some(Reason::Login),
        8 => Some(Reason::Connection),
        9 => Some(Reason::Terms),
        10 => Some(Reason::EgressTransparent),
        11 => Some(Reason::Retention),
        12 => Some(Reason::Revoked),
        13 => Some(Reason::Expired),
        14 => Some(Reason::Forbidden),
        15 => Some(Reason::Available),
        _ => None,
    }
}
