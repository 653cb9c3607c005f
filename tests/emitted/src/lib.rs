//! Emitted files as modules of a crate that is as strict as a user's can be. `tests/tests/emit.rs` compares them with what the
//! program writes; `UPDATE_GOLDEN=1` writes them anew.
#![no_std]
#![deny(warnings, missing_docs, unsafe_code)]

// rustfmt looks at them in its default style, not in this repository's.
#[rustfmt::skip]
pub mod first_eligible;
#[rustfmt::skip]
pub mod names;
#[rustfmt::skip]
#[path = "../../../examples/embed/src/pick_model.rs"]
pub mod pick_model;
#[rustfmt::skip]
pub mod review;
