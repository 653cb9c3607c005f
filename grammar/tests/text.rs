//! The text of the language from outside: what parses, what is refused and where, and that printing is faithful.

#[path = "text/round.rs"]
mod round;
#[path = "text/support.rs"]
mod support;

#[path = "text/hard.rs"]
mod hard;

#[path = "text/slips.rs"]
mod slips;

#[path = "text/trees.rs"]
mod trees;
