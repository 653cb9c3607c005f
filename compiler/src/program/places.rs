//! Files that a command reads and writes: standard input is read once, and nothing is written over what was read or over
//! another output.

use super::args::Command;
use super::emit;
use super::fault::Fault;
use super::files;
use super::sign;
use std::path::{Path, PathBuf};

/// Refuses arguments that name one place twice where that would lose something, before anything is read.
pub(crate) fn check(command: &Command) -> Result<(), Fault> {
    let (inputs, outputs) = match command {
        Command::Check(c) => (all(&c.files.files), Vec::new()),
        Command::Test(list) => (all(&list.files), Vec::new()),
        Command::Build(b) => {
            let mut outputs: Vec<PathBuf> = b.proof.iter().chain(&b.output).cloned().collect();
            outputs.extend(emit::asked(b)?.iter().flat_map(emit::places));
            (vec![b.file.as_path()], outputs)
        }
        Command::Prove { file, smt2 } => (vec![file.as_path()], vec![smt2.clone()]),
        Command::Verify(v) => {
            let more = [&v.source, &v.key, &v.signature].into_iter().flatten().map(PathBuf::as_path);
            (std::iter::once(v.table.as_path()).chain(more).collect(), Vec::new())
        }
        Command::Sign(s) => (vec![s.table.as_path(), s.key.as_path()], vec![sign::place(s)]),
        Command::Recheck { proof, source, table } => {
            (vec![proof.as_path(), source.as_path(), table.as_path()], Vec::new())
        }
        Command::Decide { table, facts, .. } => (vec![table.as_path(), facts.as_path()], Vec::new()),
        Command::Trace { table, events } => (vec![table.as_path(), events.as_path()], Vec::new()),
        Command::Model { file } | Command::Inspect { table: file } => (vec![file.as_path()], Vec::new()),
        Command::Mutate(m) => (m.file.iter().map(PathBuf::as_path).collect(), Vec::new()),
        Command::Explain { .. } => (Vec::new(), Vec::new()),
    };
    let standard = |p: &Path| p.as_os_str() == "-";
    if inputs.iter().filter(|p| standard(p)).count() > 1 {
        return Err(usage("standard input is named for several files, and can be read once".to_owned()));
    }
    if outputs.iter().any(|p| standard(p)) {
        return Err(usage("`-` is standard input: what is written needs a file of its own".to_owned()));
    }
    apart(&inputs, &outputs)
}

/// Each output has a place of its own, which is none of the inputs.
pub(crate) fn apart(inputs: &[&Path], outputs: &[PathBuf]) -> Result<(), Fault> {
    let mut taken: Vec<PathBuf> = Vec::new();
    for i in inputs.iter().filter(|p| p.as_os_str() != "-") {
        // A link is replaced and not followed: both it and what it leads to are kept.
        taken.extend(i.canonicalize().ok().into_iter().chain([place(i)]));
    }
    let read = taken.len();
    for o in outputs {
        let here = place(o);
        match taken.iter().position(|t| *t == here) {
            Some(at) if at < read => {
                return Err(usage(format!("`{}` would be written over what is read from there", files::name(o))));
            }
            Some(_) => return Err(usage(format!("`{}` is named for two outputs", files::name(o)))),
            None => taken.push(here),
        }
    }
    Ok(())
}

/// The folder as it really is, and the name in it; as it is written where there is no such folder.
fn place(path: &Path) -> PathBuf {
    let parent = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (parent.canonicalize(), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

fn all(paths: &[PathBuf]) -> Vec<&Path> {
    paths.iter().map(PathBuf::as_path).collect()
}

fn usage(message: String) -> Fault {
    Fault::Usage { message, help: None }
}
