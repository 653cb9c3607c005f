//! Arguments to answers. Each command is one function that returns an [`Answer`] or a [`Fault`]; only this module
//! writes to the standard streams, and it never panics on a closed one.

mod args;
mod binding;
mod codes;
mod document;
mod explain;
mod fault;
mod files;
mod json;
mod nearest;
mod render;
mod style;

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
    /// Usage, a file, or input that is not what it should be.
    Unusable,
}

impl Exit {
    fn code(self) -> u8 {
        match self {
            Self::Proved => 0,
            Self::Unusable => 2,
        }
    }
}

/// What a command has to say on standard output. Text may hold colour codes; they are dropped where nobody sees them.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) text: String,
    pub(crate) exit: Exit,
}

/// Runs the program with the arguments of the process.
pub(crate) fn run() -> ExitCode {
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
    match &cli.command {
        Command::Explain { code } => explain::explain(code, cli.format),
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
