//! Reading inputs and writing outputs. An output is written beside its place under a temporary name and renamed: it is
//! there whole or not at all.

use super::document::span;
use super::fault::Fault;
use roadlaw_grammar::diagnostic::Diagnostic;
use roadlaw_grammar::span::Sources;
use std::io::{Read, Write};
use std::path::Path;
use tempfile::NamedTempFile;

/// No input of this program is larger.
const LIMIT: u64 = 64 << 20;

/// The bytes of a file; `-` is standard input.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Fault> {
    let fault = |reason: String| Fault::File { doing: "read", path: name(path), reason };
    let mut bytes = Vec::new();
    if path.as_os_str() == "-" {
        std::io::stdin().lock().take(LIMIT + 1).read_to_end(&mut bytes).map_err(|e| fault(reason(&e)))?;
    } else {
        let file = std::fs::File::open(path).map_err(|e| fault(reason(&e)))?;
        file.take(LIMIT + 1).read_to_end(&mut bytes).map_err(|e| fault(reason(&e)))?;
    }
    if bytes.len() as u64 > LIMIT {
        return Err(fault("it is larger than 64 MiB".to_owned()));
    }
    Ok(bytes)
}

/// The text of a file of facts or events as the only file of a source set.
pub(crate) fn read_text(path: &Path) -> Result<Sources, Fault> {
    text(name(path), read(path)?)
}

/// Bytes as the only file of a source set.
pub(crate) fn text(name: impl Into<String>, bytes: Vec<u8>) -> Result<Sources, Fault> {
    let mut sources = Sources::default();
    match String::from_utf8(bytes) {
        Ok(text) => {
            sources.add(name, text);
            Ok(sources)
        }
        Err(e) => {
            let at = e.utf8_error().valid_up_to();
            // Shown with the wrong bytes replaced; up to there nothing moves.
            let file = sources.add(name, String::from_utf8_lossy(e.as_bytes()));
            let d = Diagnostic::error("F001", span(file, at, at + '\u{fffd}'.len_utf8()), "this is not UTF-8 text");
            Err(Fault::Input { sources, diagnostics: vec![d] })
        }
    }
}

/// The path as it is shown.
pub(crate) fn name(path: &Path) -> String {
    if path.as_os_str() == "-" { "stdin".to_owned() } else { path.display().to_string() }
}

/// Writes a whole file under a temporary name in the folder where it will stand.
pub(crate) fn stage(path: &Path, bytes: &[u8]) -> Result<NamedTempFile, Fault> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".roadlaw-");
    #[cfg(unix)]
    {
        // Readable like any file that a compiler writes; the process's mask still applies.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder).map_err(|e| unwritable(path, &e))?;
    file.write_all(bytes).and_then(|()| file.as_file().sync_all()).map_err(|e| unwritable(path, &e))?;
    Ok(file)
}

/// Makes a folder with these files, whole or not at all. One that is there already must be empty.
pub(crate) fn folder(path: &Path, texts: &[(&str, &str)]) -> Result<(), Fault> {
    let parent = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let made = tempfile::Builder::new().prefix(".roadlaw-").tempdir_in(parent).map_err(|e| unwritable(path, &e))?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let open = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(made.path(), open).map_err(|e| unwritable(path, &e))?;
    }
    for (name, text) in texts {
        std::fs::write(made.path().join(name), text).map_err(|e| unwritable(path, &e))?;
    }
    // What fails from here on leaves the folder to be removed.
    std::fs::rename(made.path(), path).map_err(|e| unwritable(path, &e))?;
    let _ = made.keep();
    Ok(())
}

/// Gives a staged file its name.
pub(crate) fn commit(path: &Path, staged: NamedTempFile) -> Result<(), Fault> {
    staged.persist(path).map(|_| ()).map_err(|e| unwritable(path, &e.error))
}

fn unwritable(path: &Path, error: &std::io::Error) -> Fault {
    Fault::File { doing: "write", path: name(path), reason: reason(error) }
}

/// The system's words without its error number and without the temporary name that `tempfile` adds.
fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "no such file or folder".to_owned(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        std::io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        kind => kind.to_string(),
    }
}
