//! Codes that are no laws: what can be wrong with input other than a policy.

/// Codes of facts and events, with one sentence each. F001 to F002 come from [`super::document`].
pub(crate) const INPUT: &[(&str, &str)] = &[
    ("F001", "The text of facts or events is not JSON, or holds a number that is no integer."),
    ("F002", "A fact or field is given twice; neither one silently wins."),
    ("F003", "A name that the table does not know."),
    ("F004", "A value of the wrong type, or outside the domain of its fact."),
    ("F005", "An event that the run refuses, or that is not formed as an event."),
];
