//! Signed tables. Feature `verify`.
//!
//! A signature is a file of its own beside the table (`FORMAT.md`): Ed25519 (RFC 8032) over the table's digest and a policy
//! epoch. [`Verified`] is made by [`verify`] alone, so that a program which takes a `Verified<Table>` cannot be handed a table
//! that nobody signed. Tables without a signature stay usable through [`Table`] itself.

use crate::format::{CHECKSUM_AT, COVERED_FROM};
use crate::table::{Table, TableError};
use crate::wire::{u16_at, u32_at};
use ed25519_dalek::{Signature, VerifyingKey};

/// First bytes of a signature.
pub const MAGIC: [u8; 8] = *b"ROADSIG\0";
/// Version of the form that is read and written.
pub const VERSION: u16 = 1;
/// Length of a signature in bytes.
pub const LENGTH: usize = 120;
/// Bytes from the start that are signed.
pub const SIGNED: usize = 56;
/// What stands before the signed bytes when they are signed: a signature made for anything else is none of a table.
pub const CONTEXT: &[u8; 24] = b"roadlaw table signature\0";

/// Something that was verified, and the epoch that it was signed for. Made only by [`verify`].
#[derive(Debug, Clone, Copy)]
pub struct Verified<T> {
    inner: T,
    epoch: u64,
}

impl<T> Verified<T> {
    /// The epoch of the policy. Keep it: no table of an older one is to follow.
    #[must_use]
    pub fn epoch(&self) -> u64 {
        self.epoch
    }
}

impl<T> core::ops::Deref for Verified<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.inner
    }
}

/// Why a table is not taken as signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum VerifyError {
    /// There is no signature: it is empty.
    Unsigned,
    /// The signature is not 120 bytes long.
    Length,
    /// It does not begin as a signature does.
    Magic,
    /// It is of another version.
    Version {
        /// The version that it names.
        found: u16,
    },
    /// The key is no Ed25519 public key.
    Key,
    /// It was not made with this key, or something of it was changed.
    Signature,
    /// The bytes are no table.
    Table(TableError),
    /// The digest that stands in the table is not that of its bytes.
    Digest,
    /// It was made for another table.
    OtherTable,
    /// The policy is older than the least epoch that is accepted.
    Epoch {
        /// The epoch that was signed.
        signed: u64,
        /// The least that is accepted.
        least: u64,
    },
}

impl core::fmt::Display for VerifyError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Unsigned => f.write_str("it is not signed"),
            Self::Length => f.write_str("the signature is not 120 bytes long"),
            Self::Magic => f.write_str("the signature is none"),
            Self::Version { found } => write!(f, "the signature is of version {found}, not {VERSION}"),
            Self::Key => f.write_str("the key is no Ed25519 public key"),
            Self::Signature => f.write_str("the signature was made with another key, or was changed"),
            Self::Table(e) => write!(f, "{e}"),
            Self::Digest => f.write_str("the digest in the table is not that of its bytes"),
            Self::OtherTable => f.write_str("the signature was made for another table"),
            Self::Epoch { signed, least } => {
                write!(f, "the policy is of epoch {signed}, and none before {least} is accepted")
            }
        }
    }
}

impl core::error::Error for VerifyError {}

/// Checks form, digest and signature of a table.
///
/// `key` is the signer's public key (32 bytes), `least` the least epoch that is accepted: the greatest that was ever verified for
/// this policy, or 0. Weak keys and signatures that are not in canonical form are refused. Never panics; the time grows with the
/// table's length only.
///
/// # Errors
/// [`VerifyError`] says which condition does not hold.
pub fn verify<'a>(
    table: &'a [u8],
    signature: &[u8],
    key: &[u8; 32],
    least: u64,
) -> Result<Verified<Table<'a>>, VerifyError> {
    if signature.is_empty() {
        return Err(VerifyError::Unsigned);
    }
    if signature.get(..8) != Some(&MAGIC) {
        return Err(VerifyError::Magic);
    }
    let found = u16_at(signature, 8);
    if found != VERSION {
        return Err(VerifyError::Version { found });
    }
    let (Some(signed), Some(mark)) = (signature.first_chunk::<SIGNED>(), signature.last_chunk::<64>()) else {
        return Err(VerifyError::Length);
    };
    if signature.len() != LENGTH {
        return Err(VerifyError::Length);
    }
    if u16_at(signature, 10) != 0 || u32_at(signature, 12) != 120 {
        return Err(VerifyError::Magic);
    }
    let key = VerifyingKey::from_bytes(key).map_err(|_| VerifyError::Key)?;
    let mut message = [0_u8; 80];
    for (slot, byte) in message.iter_mut().zip(CONTEXT.iter().chain(signed)) {
        *slot = *byte;
    }
    key.verify_strict(&message, &Signature::from_bytes(mark)).map_err(|_| VerifyError::Signature)?;
    let inner = Table::from_bytes(table).map_err(VerifyError::Table)?;
    let mut hasher = blake3::Hasher::new();
    hasher.update(table.get(..CHECKSUM_AT).unwrap_or(&[]));
    hasher.update(table.get(COVERED_FROM..).unwrap_or(&[]));
    let digest = *hasher.finalize().as_bytes();
    if inner.digest() != digest {
        return Err(VerifyError::Digest);
    }
    if signed.get(24..) != Some(&digest) {
        return Err(VerifyError::OtherTable);
    }
    let epoch = signed.get(16..24).and_then(|b| b.first_chunk::<8>()).copied().map_or(0, u64::from_le_bytes);
    if epoch < least {
        return Err(VerifyError::Epoch { signed: epoch, least });
    }
    Ok(Verified { inner, epoch })
}

/// The bytes that are signed for a table with this digest: the context, then the first 56 bytes of the signature.
#[must_use]
pub fn message(digest: &[u8; 32], epoch: u64) -> [u8; 80] {
    let head = MAGIC.iter().chain(&[1, 0, 0, 0, 120, 0, 0, 0]).copied();
    let bytes = CONTEXT.iter().copied().chain(head).chain(epoch.to_le_bytes()).chain(*digest);
    let mut out = [0_u8; 80];
    for (slot, byte) in out.iter_mut().zip(bytes) {
        *slot = byte;
    }
    out
}
