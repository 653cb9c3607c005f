//! Random small policies, and the same from both: what the compiler says of each, and what the reference says.

pub mod bases;
pub mod built;
pub mod change;
pub mod compare;
pub mod draw;
pub mod given;
pub mod options;
pub mod restrict;
pub mod same;
pub mod walk;
