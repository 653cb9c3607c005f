//! Codes of the faults of text. Codes are never used again for another fault.

/// The text does not follow the grammar: something else could stand here.
pub const UNEXPECTED: &str = "S001";
/// The file is larger than [`crate::LARGEST_FILE`].
pub const TOO_LARGE: &str = "S002";
/// A number is too large to be held.
pub const NUMBER: &str = "S003";
/// The edition is not known to this compiler.
pub const EDITION: &str = "S004";
/// A part of an edge is written twice.
pub const TWICE: &str = "S005";
/// A bracket is not closed, closes nothing, or closes another.
pub const BRACKET: &str = "S006";
/// A text in quotes is not closed on its line, or holds an escape.
pub const TEXT: &str = "S007";
/// A character that is not ASCII stands outside texts and comments.
pub const NOT_ASCII: &str = "S008";
/// Brackets or `not` are nested deeper than [`crate::DEEPEST`].
pub const DEEP: &str = "S009";
/// The bytes of the file are not UTF-8.
pub const NOT_UTF8: &str = "S010";

/// Each code with its meaning in one line.
pub const ALL: &[(&str, &str)] = &[
    (UNEXPECTED, "The text does not follow the grammar: something else could stand here."),
    (TOO_LARGE, "The file is larger than 1 MiB."),
    (NUMBER, "A number is too large to be held."),
    (EDITION, "The edition is not known to this compiler."),
    (TWICE, "A part of an edge is written twice."),
    (BRACKET, "A bracket is not closed, closes nothing, or closes another."),
    (TEXT, "A text in quotes is not closed on its line, or holds an escape."),
    (NOT_ASCII, "A character that is not ASCII stands outside texts and comments."),
    (DEEP, "Brackets or `not` are nested deeper than 64."),
    (NOT_UTF8, "The bytes of the file are not UTF-8."),
];
