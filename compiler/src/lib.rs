//! Meaning and proof of road policies.
//!
//! source -> ast -> model -> graph -> obligations -> proof -> table, one function per arrow.

pub mod laws;
pub mod model;
