//! Codes that are no laws, with one sentence each: what can be wrong with text, with what it names, and with facts and events.

/// Codes of text.
pub(crate) use roadlaw_grammar::code::ALL as TEXT;

/// Codes of names, types and structure.
pub(crate) use roadlaw_compiler::lower::codes::ALL as STRUCTURE;

/// Codes of facts, events and tests. F001 and F002 come from [`super::document`].
pub(crate) const INPUT: &[(&str, &str)] = &[
    ("F001", "The text of facts or events is not JSON, or holds a number that is no integer."),
    ("F002", "A fact or field is given twice; neither one silently wins."),
    ("F003", "A name that the table does not know."),
    ("F004", "A value of the wrong type, or outside the domain of its fact."),
    ("F005", "An event that the run refuses, or that is not formed as an event."),
    ("T001", "A test of the policy fails on its table: the run is elsewhere, or went another way."),
];
