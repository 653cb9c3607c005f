//! Meaning and proof of road policies.
//!
//! source -> ast -> model -> graph -> obligations -> proof -> table, one function per arrow.

// The program's own modules name this library as their users do.
extern crate self as roadlaw_compiler;

pub mod emit;
pub mod fuzz;
pub mod graph;
pub mod laws;
pub mod lower;
pub mod manifest;
pub mod model;
pub mod monitor;
pub mod mutate;
pub mod pipeline;
pub mod program;
pub mod prove;
pub mod recheck;
pub mod table;
pub mod testing;
pub mod validate;
