//! The worked cases of sources A and B, each a test named by its id. `tests/cases/README.md` lists every id with a line of
//! what it decides, and those that no policy, table, run or rule can decide with the reason.

mod decisions;
mod grants;
mod index;
mod policies;
mod routing;
mod support;
mod tables;

/// Declares a test per row, named by its id, and the list of the ids.
macro_rules! rows {
    ($($id:ident $body:block)*) => {
        pub(crate) const IDS: &[&str] = &[$(stringify!($id)),*];
        $(#[test]
        #[expect(non_snake_case, reason = "the ids are those of the cases")]
        fn $id() $body)*
    };
}
pub(crate) use rows;
