//! The greatest epoch that was ever in force, in a file of its own: whoever kills the server and puts an older table in its place
//! is found out at the next start.

use crate::policy::Rejected;
use std::io::{ErrorKind, Write};
use std::path::Path;

/// The epoch that is kept; 0 where there is no file yet.
///
/// # Errors
/// The file cannot be read, or holds something else: nobody knows then which epoch was the greatest.
pub(crate) fn read(path: &Path) -> Result<u64, Rejected> {
    let unkept = |why: String| Rejected::Unkept(format!("{}: {why}", path.display()));
    match std::fs::read_to_string(path) {
        Ok(text) => text.trim_end().parse().map_err(|_| unkept("it holds no epoch".to_owned())),
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(0),
        Err(e) => Err(unkept(e.to_string())),
    }
}

/// Keeps an epoch: whole, on the disk, and before a table of it is used.
///
/// # Errors
/// The file cannot be written.
pub(crate) fn write(path: &Path, epoch: u64) -> Result<(), Rejected> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    let written = std::fs::File::create(&beside)
        .and_then(|mut file| writeln!(file, "{epoch}").and_then(|()| file.sync_all()))
        .and_then(|()| std::fs::rename(&beside, path));
    written.map_err(|e| Rejected::Unkept(format!("{}: {e}", path.display())))
}
