//! Codes that are no laws, with one sentence each: what can be wrong with text, and with facts and events.

/// Codes of text, from the `roadlaw_grammar` crate.
pub(crate) const TEXT: &[(&str, &str)] = &[
    ("S001", "The text does not follow the grammar: something else could stand here."),
    ("S002", "The file is larger than 1 MiB."),
    ("S003", "A number is too large to be held."),
    ("S004", "The edition is not known to this compiler."),
    ("S005", "A part of an edge is written twice."),
    ("S006", "A bracket is not closed, closes nothing, or closes another."),
    ("S007", "A text in quotes is not closed on its line, or holds an escape."),
    ("S008", "A character that is not ASCII stands outside texts and comments."),
    ("S009", "Brackets or `not` are nested deeper than 64."),
];

/// Codes of facts, events and tests. F001 and F002 come from [`super::document`].
pub(crate) const INPUT: &[(&str, &str)] = &[
    ("F001", "The text of facts or events is not JSON, or holds a number that is no integer."),
    ("F002", "A fact or field is given twice; neither one silently wins."),
    ("F003", "A name that the table does not know."),
    ("F004", "A value of the wrong type, or outside the domain of its fact."),
    ("F005", "An event that the run refuses, or that is not formed as an event."),
    ("T001", "A test of the policy fails on its table: the run is elsewhere, or went another way."),
];
