//! Colours of human output, in one place. The stream drops them where they are not wanted.

use annotate_snippets::renderer::{AnsiColor, Effects, Style};
use std::fmt::Display;

const STRONG: Style = Style::new().effects(Effects::BOLD);
const GOOD: Style = AnsiColor::BrightGreen.on_default().effects(Effects::BOLD);
const BAD: Style = AnsiColor::BrightRed.on_default().effects(Effects::BOLD);
const FAINT: Style = Style::new().effects(Effects::DIMMED);

fn paint(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}

/// Headings.
pub(crate) fn strong(text: impl Display) -> String {
    paint(STRONG, text)
}

/// What is well.
pub(crate) fn good(text: impl Display) -> String {
    paint(GOOD, text)
}

/// What is not.
pub(crate) fn bad(text: impl Display) -> String {
    paint(BAD, text)
}

/// What may be skipped.
pub(crate) fn faint(text: impl Display) -> String {
    paint(FAINT, text)
}

/// Text of unknown origin, with control characters made visible, so that no file name or fact can drive a terminal.
pub(crate) fn plain(text: &str) -> String {
    text.chars().flat_map(|c| if c.is_control() { c.escape_default().collect::<Vec<_>>() } else { vec![c] }).collect()
}
