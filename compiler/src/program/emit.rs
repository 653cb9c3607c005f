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
            let stem = out.file_name().and_then(|n| n.to_str()).unwrap_or_default();
            let files = emit::c::c(model, table, stem).map_err(fault)?;
            let beside = |ending: &str| out.with_file_name(format!("{stem}.{ending}"));
            Ok(vec![(beside("h"), files.header), (beside("c"), files.source)])
        }
    }
}
