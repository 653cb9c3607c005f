//! The table: a proved policy as bytes. `runtime/FORMAT.md` specifies them.
//!
//! [`build`] takes a proof, so that an unproved policy cannot become a table, and releases bytes only after
//! [`crate::validate`] read them back and found them equal to the model.

mod choose;
mod clauses;
mod code;
mod groups;
mod symbols;
mod write;

pub use choose::Layout;

use crate::model::Model;
use crate::prove::Proof;
use crate::validate;
use roadlaw_grammar::diagnostic::Diagnostic;

/// How to write.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Options {
    /// Leave symbol names out.
    pub strip: bool,
    /// Which layout chooses take; `None`: the fast one, unless the table would be larger than [`LARGE`] bytes.
    pub layout: Option<Layout>,
}

/// Tables beyond so many bytes are laid out compactly unless their author says otherwise.
pub const LARGE: usize = 128 << 10;

/// Writes the table of a proved policy and validates it.
///
/// # Errors
/// A limit of the format is exceeded, or the finished bytes do not say what the model says (RL901).
pub fn build(model: &Model, proof: &Proof, options: Options) -> Result<Vec<u8>, Vec<Diagnostic>> {
    let write = |layout| write::write(model, crate::model::digest(model), proof.digest(), options.strip, layout);
    let mut bytes = write(options.layout.unwrap_or_default())?;
    if options.layout.is_none() && bytes.len() > LARGE {
        bytes = write(Layout::Compact)?;
    }
    validate::check(&bytes, model)?;
    Ok(bytes)
}

/// The digest that a table with these bytes must carry (`runtime/FORMAT.md`).
#[must_use]
pub fn digest(bytes: &[u8]) -> [u8; 32] {
    write::digest(bytes)
}
