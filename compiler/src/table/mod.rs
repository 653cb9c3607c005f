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
    let write = |layout| write::write(model, model_digest(model), proof.digest(), options.strip, layout);
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

/// BLAKE3 of the model's canonical JSON. Tests and doc comments are no part of it: they change no decision.
#[must_use]
pub fn model_digest(model: &Model) -> [u8; 32] {
    let mut value = serde_json::to_value(model).unwrap_or_default();
    if let Some(map) = value.as_object_mut() {
        for key in ["tests", "docs"] {
            map.remove(key);
        }
        for list in ["facts", "roads"] {
            for item in map.get_mut(list).and_then(|v| v.as_array_mut()).into_iter().flatten() {
                if let Some(o) = item.as_object_mut() {
                    o.remove("docs");
                }
            }
        }
    }
    let mut hasher = blake3::Hasher::new_derive_key("roadlaw model 1");
    hasher.update(value.to_string().as_bytes());
    *hasher.finalize().as_bytes()
}
