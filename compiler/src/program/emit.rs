//! `roadlaw build --emit LANGUAGE OUT`.

use super::args::Build;
use super::fault::Fault;
use super::files;
use roadlaw_compiler::emit;
use roadlaw_compiler::pipeline::Checked;
use std::path::{Path, PathBuf};

/// A language, and where its file is written.
#[derive(Debug)]
pub(crate) enum Emit {
    Rust(PathBuf),
    C(PathBuf),
}

/// What the arguments ask for: a wrong language is told before anything is proved.
pub(crate) fn asked(arguments: &Build) -> Result<Option<Emit>, Fault> {
    let Some([language, out]) = arguments.emit.as_deref() else { return Ok(None) };
    match language.to_str() {
        Some("rust") => Ok(Some(Emit::Rust(out.clone()))),
        Some("c") => Ok(Some(Emit::C(out.clone()))),
        _ => Err(Fault::Usage {
            message: format!("`{}` is no language that a policy is written in", files::name(language)),
            help: Some("write `--emit rust OUT.rs`, or `--emit c OUT` for OUT.h and OUT.c".to_owned()),
        }),
    }
}

/// Where its files are written.
pub(crate) fn places(emit: &Emit) -> Vec<PathBuf> {
    match emit {
        Emit::Rust(out) => vec![out.clone()],
        Emit::C(out) => ["h", "c"].map(|ending| beside(out, ending)).into(),
    }
}

fn beside(out: &Path, ending: &str) -> PathBuf {
    out.with_file_name(format!("{}.{ending}", stem(out)))
}

fn stem(out: &Path) -> &str {
    out.file_name().and_then(|n| n.to_str()).unwrap_or_default()
}

/// The files and their texts.
pub(crate) fn texts(
    emit: &Emit,
    file: &Path,
    checked: &Checked,
    table: &[u8],
) -> Result<Vec<(PathBuf, String)>, Fault> {
    let Some(model) = &checked.model else { return Ok(Vec::new()) };
    let fault = |e: emit::EmitError| Fault::Usage {
        message: format!("`{}` cannot be written as source code: {e}", files::name(file)),
        help: None,
    };
    match emit {
        Emit::Rust(out) => Ok(vec![(out.clone(), emit::rust::rust(model, table).map_err(fault)?)]),
        Emit::C(out) => {
            let files = emit::c::c(model, table, stem(out)).map_err(fault)?;
            Ok(vec![(beside(out, "h"), files.header), (beside(out, "c"), files.source)])
        }
    }
}
