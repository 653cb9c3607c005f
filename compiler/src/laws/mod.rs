//! The laws: data with a code, a title and an explanation.

pub mod catalogue;
