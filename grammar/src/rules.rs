//! The pest grammar, compiled.
#![allow(missing_docs, reason = "pest derives an enum of rules, documented by the grammar itself")]

#[derive(pest_derive::Parser)]
#[grammar = "road.pest"]
pub(crate) struct Grammar;
