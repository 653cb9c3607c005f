//! The command line.

use anstream::ColorChoice;
use clap::{Parser, Subcommand, ValueEnum};

/// Proves road policies and freezes them into tables.
#[derive(Debug, Parser)]
#[command(name = "roadlaw", version, disable_help_subcommand = true, max_term_width = 110)]
#[command(after_help = "Exit codes: 0 proved, 1 rejected, 2 usage or input, 3 undecided.")]
pub(crate) struct Cli {
    /// How to answer
    #[arg(long, global = true, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
    /// When to use colour (NO_COLOR is honoured)
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto)]
    pub(crate) color: Color,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// For whom to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Human,
    /// For programs: one JSON object
    Json,
}

/// When to use colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Color {
    pub(crate) fn choice(self) -> ColorChoice {
        match self {
            Self::Auto => ColorChoice::Auto,
            Self::Always => ColorChoice::AlwaysAnsi,
            Self::Never => ColorChoice::Never,
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Say what a code means and how to mend what it reports
    Explain {
        /// `RL104`, `RA`, ...
        code: String,
    },
}
