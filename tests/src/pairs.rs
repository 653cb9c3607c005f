//! The pairs of `tests/laws/CODE/SHAPE`: a policy that breaks one law, its mended twin, and what is said about the first.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What a shape consists of: the two policies, and the recorded diagnostics of the bad one.
const ENDINGS: &[&str] = &[".bad.road", ".good.road", ".bad.txt", ".bad.json"];

/// One shape in which a law is broken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// The law.
    pub code: String,
    /// The name of the shape.
    pub shape: String,
    folder: PathBuf,
}

impl Pair {
    /// The file of the shape with this ending: `bad.road`, `good.road`, `bad.txt`, `bad.json`.
    #[must_use]
    pub fn file(&self, ending: &str) -> PathBuf {
        self.folder.join(format!("{}.{ending}", self.shape))
    }
}

fn sorted(path: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(path).into_iter().flatten();
    let mut out: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    out.sort();
    out
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// All pairs, by code and shape.
///
/// # Errors
/// Files that belong to no pair.
pub fn pairs() -> Result<Vec<Pair>, String> {
    let mut out = Vec::new();
    for folder in sorted(&super::repository().join("tests/laws")).into_iter().filter(|p| p.is_dir()) {
        let mut shapes = BTreeSet::new();
        for file in sorted(&folder) {
            let file = name(&file);
            let shape = ENDINGS.iter().find_map(|e| file.strip_suffix(e));
            shapes.insert(shape.ok_or_else(|| format!("{}/{file} is no part of a pair", name(&folder)))?.to_owned());
        }
        for shape in shapes {
            let pair = Pair { code: name(&folder), shape, folder: folder.clone() };
            for ending in ["bad.road", "good.road"] {
                if !pair.file(ending).is_file() {
                    return Err(format!("{}/{} has no {ending}", pair.code, pair.shape));
                }
            }
            out.push(pair);
        }
    }
    Ok(out)
}

/// What is wrong with each of the pairs, looked at by two threads: each check is on its own.
///
/// # Panics
/// If looking at one panics.
#[must_use]
pub fn two_at_a_time(pairs: &[Pair], look: impl Fn(&Pair) -> Vec<String> + Sync) -> Vec<String> {
    let half = pairs.len().div_ceil(2).max(1);
    std::thread::scope(|s| {
        let look = &look;
        let work: Vec<_> =
            pairs.chunks(half).map(|part| s.spawn(move || part.iter().flat_map(look).collect::<Vec<_>>())).collect();
        work.into_iter().flat_map(|w| w.join().expect("no panic")).collect()
    })
}
