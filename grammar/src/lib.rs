//! The text of the road policy language.
//!
//! Takes bytes, gives a faithful tree with spans ([`ast`]) or diagnostics as data ([`diagnostic`]);
//! gives the text of a tree again ([`print()`]).
//! Nothing here knows what a policy means; that is the compiler's work.

pub mod ast;
mod build;
pub mod code;
pub mod diagnostic;
mod explain;
mod parse;
mod print;
mod rules;
mod scan;
pub mod span;
pub mod trivia;

pub use parse::{LARGEST_FILE, decode, parse};
pub use print::{always, never, print};
pub use scan::DEEPEST;
pub use trivia::{Comment, comments};
