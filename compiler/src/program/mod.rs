//! Arguments to answers. Each command is one function that returns an `Answer` or a `Fault`; only this module
//! writes to the standard streams, and it never panics on a closed one.

mod args;
mod binding;
mod build;
mod check;
mod codes;
mod decide;
mod decided;
mod document;
mod emit;
mod events;
mod explain;
mod fault;
mod files;
pub(crate) mod fuzz;
mod guards;
mod inspect;
mod json;
mod listing;
mod mutate;
mod nearest;
mod opened;
mod places;
mod prove;
mod recheck;
mod render;
mod sign;
mod style;
mod symbols;
mod test;
mod trace;
mod worst;

use args::{Cli, Command, Format};
use clap::Parser;
use fault::Fault;
use std::io::Write;
use std::process::ExitCode;

/// Exit codes of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Proved, decided, passed.
    Proved,
    /// A law is broken, a test fails, a table is not that of its policy, a run refuses an event.
    Rejected,
    /// Usage, a file, or input that is not what it should be.
    Unusable,
    /// Neither proved nor refuted.
    Undecided,
}

impl Exit {
    fn code(self) -> u8 {
        match self {
            Self::Proved => 0,
            Self::Rejected => 1,
            Self::Unusable => 2,
            Self::Undecided => 3,
        }
    }

    /// The word in JSON.
    fn verdict(self) -> &'static str {
        match self {
            Self::Proved => "proved",
            Self::Rejected => "rejected",
            Self::Unusable => "unusable",
            Self::Undecided => "undecided",
        }
    }

    /// The worst of several: what could not even be looked at, then rejected, then undecided.
    fn worst(of: impl IntoIterator<Item = Self>) -> Self {
        let badness = |e: &Self| match e {
            Self::Proved => 0,
            Self::Undecided => 1,
            Self::Rejected => 2,
            Self::Unusable => 3,
        };
        of.into_iter().max_by_key(badness).unwrap_or(Self::Proved)
    }
}

/// What a command has to say on standard output. Text may hold colour codes; they are dropped where nobody sees them.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) text: String,
    pub(crate) exit: Exit,
}

/// Runs the program with the arguments of the process.
#[must_use]
pub fn run() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // A closed stream leaves nobody to tell.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    cli.color.choice().write_global();
    match dispatch(&cli) {
        Ok(answer) => {
            let written = anstream::stdout().lock().write_all(answer.text.as_bytes());
            finish(written, answer.exit)
        }
        Err(fault) => report(&fault, cli.format),
    }
}

fn dispatch(cli: &Cli) -> Result<Answer, Fault> {
    places::check(&cli.command)?;
    match &cli.command {
        Command::Check(c) => check::check(&c.files.files, c.engine, cli.format),
        Command::Build(arguments) => build::build(arguments, cli.format),
        Command::Prove { file, smt2 } => prove::scripts(file, smt2, cli.format),
        Command::Verify(arguments) => build::verify(arguments, cli.format),
        Command::Sign(arguments) => sign::sign(arguments, cli.format),
        Command::Recheck { proof, source, table } => recheck::recheck(proof, source, table, cli.format),
        Command::Model { file } => build::model(file, cli.format),
        Command::Explain { code } => explain::explain(code, cli.format),
        Command::Test(list) => test::test(&list.files, cli.format),
        Command::Mutate(arguments) => mutate::mutate(arguments, cli.format),
        Command::Decide { table, facts, explain } => decide::decide(table, facts, *explain, cli.format),
        Command::Trace { table, events } => trace::trace(table, events, cli.format),
        Command::Inspect { table } => inspect::inspect(table, cli.format),
    }
}

/// Faults go to standard error for people, and as one object to standard output for programs.
fn report(fault: &Fault, format: Format) -> ExitCode {
    let written = match format {
        Format::Human => anstream::stderr().lock().write_all(fault.human().as_bytes()),
        Format::Json => anstream::stdout().lock().write_all(fault.json().as_bytes()),
    };
    finish(written, Exit::Unusable)
}

/// A reader that went away (`roadlaw .. | head`) changes no verdict; any other failure to write is a fault.
fn finish(written: std::io::Result<()>, exit: Exit) -> ExitCode {
    match written {
        Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => ExitCode::from(Exit::Unusable.code()),
        _ => ExitCode::from(exit.code()),
    }
}
