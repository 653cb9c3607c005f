//! The text of the road policy language.
//!
//! Takes bytes, gives a faithful tree with spans ([`ast`]) or diagnostics as data ([`diagnostic`]). Nothing here knows
//! what a policy means; that is the compiler's work.

pub mod ast;
pub mod diagnostic;
mod parse;
mod rules;
mod scan;
pub mod span;

pub use parse::{LARGEST_FILE, decode, parse};
pub use scan::DEEPEST;
