//! Codes of this stage that are no laws: use of files, names, types, structure.

/// A name that nothing declares.
pub const UNKNOWN_NAME: &str = "U001";
/// A name, attribute or entry that is declared twice.
pub const DUPLICATE: &str = "U002";
/// A value, fact or road of the wrong type or shape.
pub const WRONG_TYPE: &str = "U003";
/// A value outside its domain.
pub const OUT_OF_DOMAIN: &str = "U004";
/// A file or library that cannot be used.
pub const USE: &str = "U005";
/// A limit of MODEL.md section 11 is exceeded.
pub const LIMIT: &str = "U006";
/// A flow, lane or chain that is not well formed.
pub const STRUCTURE: &str = "U007";
/// A part of a declaration is missing or does not belong there.
pub const DECLARATION: &str = "U008";
/// Something is declared and never used (note).
pub const UNUSED: &str = "U009";
/// An edge that no run of the flow comes to (note).
pub const NEVER_TAKEN: &str = "U010";
/// A guard, or the filters of a road, that have always the same value (note).
pub const CONSTANT_GUARD: &str = "U011";

/// The codes with one sentence each.
pub const ALL: &[(&str, &str)] = &[
    (UNKNOWN_NAME, "A name that nothing declares."),
    (DUPLICATE, "A name, attribute or entry is declared twice."),
    (WRONG_TYPE, "A value, fact or road has the wrong type or shape."),
    (OUT_OF_DOMAIN, "A value lies outside its domain."),
    (USE, "A file or library cannot be used: not found, outside the policy's folder, a cycle, not text."),
    (LIMIT, "A limit of the model is exceeded."),
    (STRUCTURE, "A flow, lane or chain of edges is not well formed."),
    (DECLARATION, "A part of a declaration is missing, or does not belong where it stands."),
    (UNUSED, "Something is declared and never used (note)."),
    (NEVER_TAKEN, "An edge that no run of the flow comes to (note)."),
    (
        CONSTANT_GUARD,
        "A comparison that has the same value for every value of its fact, or filters that ask for nothing (note).",
    ),
];
