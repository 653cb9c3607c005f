//! A proved policy as a source file of another language: its vocabulary as types, its table as bytes.
//!
//! Written from the finished table and the model that it was validated against; nothing is decided here.

pub mod c;
mod names;
mod plan;
pub mod rust;

/// Why no file is written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EmitError {
    /// A name has no letter to begin with.
    #[error("`{what}` has no letter that a name could begin with: give it another name")]
    Name {
        /// As the policy says it.
        what: String,
    },
    /// A name is too long for a line.
    #[error(
        "`{what}` would be a name of {length} characters, the longest that is written has {longest}: give it a shorter one"
    )]
    Long {
        /// As the policy says it.
        what: String,
        /// What it would have.
        length: usize,
        /// The limit.
        longest: usize,
    },
    /// A file's name begins the names in it, and this one cannot.
    #[error(
        "a file called `{stem}` cannot begin the names in it: call it by a word of ASCII letters that does not begin with `roadlaw`"
    )]
    File {
        /// The file's name without its ending.
        stem: String,
    },
    /// The bytes are not the table of the model.
    #[error("the table does not fit the policy: {0}")]
    Table(String),
}
