//! The command line.

use anstream::ColorChoice;
use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

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
    /// Prove policies, or show why they are rejected
    Check(Check),
    /// Prove a policy and write its table; nothing is written without a proof
    Build(Build),
    /// Write each obligation of a policy as a script for other solvers
    Prove {
        /// The policy
        file: PathBuf,
        /// The folder to make: an SMT-LIB 2.6 script for each obligation, with its expected status
        #[arg(long, value_name = "DIR")]
        smt2: PathBuf,
    },
    /// Prove a policy again and compare its table with this one, byte for byte; or look at a table's signature; or both
    Verify(Verify),
    /// Sign a table for an epoch of its policy
    Sign(Sign),
    /// Look at a proof again, without Z3 and without the engines that made it
    Recheck {
        /// The proof that `build --proof` wrote
        proof: PathBuf,
        /// The policy
        #[arg(long, value_name = "FILE")]
        source: PathBuf,
        /// The table that was built with it
        #[arg(long, value_name = "TABLE")]
        table: PathBuf,
    },
    /// Decide which road may carry a piece of work
    Decide {
        /// The table
        table: PathBuf,
        /// A JSON object of named facts; `-` is standard input
        #[arg(long, value_name = "JSON")]
        facts: PathBuf,
        /// Say of each road every filter that closes it, with the facts that it reads
        #[arg(long)]
        explain: bool,
    },
    /// Drive a run through a list of events
    Trace {
        /// The table
        table: PathBuf,
        /// One JSON object a line; `-` is standard input
        #[arg(long, value_name = "JSONL")]
        events: PathBuf,
    },
    /// Show what a table holds
    Inspect {
        /// The table
        table: PathBuf,
    },
    /// Print the lowered model as JSON
    Model {
        /// The policy
        file: PathBuf,
    },
    /// Say what a code means and how to mend what it reports
    Explain {
        /// `RL104`, `RA`, ...
        code: String,
    },
    /// Run the `test` blocks of policies on their tables
    Test(Files),
    /// Make every single change of a catalogue to a policy, and say what notices it
    Mutate(Mutate),
}

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("against").args(["source", "key"]).required(true).multiple(true)))]
pub(crate) struct Verify {
    /// The table
    pub(crate) table: PathBuf,
    /// The policy that it claims to be
    #[arg(long, value_name = "FILE")]
    pub(crate) source: Option<PathBuf>,
    /// The signer's Ed25519 public key, PEM
    #[arg(long, value_name = "PEM")]
    pub(crate) key: Option<PathBuf>,
    /// The signature [default: TABLE.sig]
    #[arg(long, value_name = "SIG", requires = "key")]
    pub(crate) signature: Option<PathBuf>,
    /// The least epoch that is accepted
    #[arg(long, value_name = "N", requires = "key", default_value_t = 0)]
    pub(crate) epoch: u64,
}

#[derive(Debug, Args)]
pub(crate) struct Sign {
    /// The table
    pub(crate) table: PathBuf,
    /// The Ed25519 private key, PKCS #8 PEM
    #[arg(long, value_name = "PEM")]
    pub(crate) key: PathBuf,
    /// The epoch: higher for each table that takes the place of another
    #[arg(long, value_name = "N")]
    pub(crate) epoch: u64,
    /// Where the signature is written [default: TABLE.sig]
    #[arg(short, long, value_name = "SIG")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) files: Files,
    /// Let one engine work alone, to find a fault of this program; nothing is proved by it
    #[arg(long, value_enum)]
    pub(crate) engine: Option<OneEngine>,
}

/// One of the engines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OneEngine {
    /// Decision diagrams: what they find is checked by nobody
    Diagrams,
    /// Z3: it finds no invariant, and looks at the shortest path to each fault
    Z3,
}

#[derive(Debug, Args)]
pub(crate) struct Files {
    /// The policies
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Build {
    /// The policy
    pub(crate) file: PathBuf,
    /// Where the table is written
    #[arg(short, long, value_name = "TABLE", required_unless_present = "emit")]
    pub(crate) output: Option<PathBuf>,
    /// Write the policy as source code, its table in it: `rust OUT.rs`, or `c OUT` for OUT.h and OUT.c
    #[arg(long, num_args = 2, value_names = ["LANGUAGE", "OUT"])]
    pub(crate) emit: Option<Vec<PathBuf>>,
    /// Where the proof is written
    #[arg(long, value_name = "JSON")]
    pub(crate) proof: Option<PathBuf>,
    /// Leave names out of the table
    #[arg(long)]
    pub(crate) strip: bool,
    /// Refused: a table needs both engines
    #[arg(long, value_enum, hide = true)]
    pub(crate) engine: Option<OneEngine>,
    /// How chooses are laid out; by default `fast`, unless the table would be larger than 128 KiB
    #[arg(long, value_enum)]
    pub(crate) layout: Option<LayoutName>,
}

#[derive(Debug, Args)]
pub(crate) struct Mutate {
    /// The policy, which must be proved and pass its own tests
    #[arg(required_unless_present = "list")]
    pub(crate) file: Option<PathBuf>,
    /// Make only the changes of this operator; may be given several times
    #[arg(long, value_name = "OPERATOR")]
    pub(crate) only: Vec<String>,
    /// List the operators
    #[arg(long)]
    pub(crate) list: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum LayoutName {
    /// Facts are merged into groups, orders into masks or ranks
    Fast,
    /// Every fact is a group, and orders are walked
    Compact,
}
