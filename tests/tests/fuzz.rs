//! Every seed of the fuzz targets, and every input that once was a fault, goes through the same bodies again.
//! `UPDATE_GOLDEN=1` writes the seeds that are tables and proofs of this version.

use roadlaw_compiler::fuzz::{TARGETS, packing, sound_proof, tables, unpacked};
use roadlaw_compiler::manifest::Manifest;
use roadlaw_compiler::recheck::read as read_proof;
use roadlaw_runtime::Table;
use roadlaw_tests::{policies, repository};
use std::path::{Path, PathBuf};

/// The files of a folder under tests/fuzz, sorted; none if there is no such folder.
fn files(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(repository().join("tests/fuzz").join(folder)).into_iter().flatten();
    let mut all: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).filter(|p| p.is_file()).collect();
    all.sort();
    all
}

fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn body(target: &str) -> fn(&[u8]) {
    TARGETS.iter().find(|t| t.0 == target).unwrap_or_else(|| panic!("no target {target}")).2
}

#[test]
fn every_seed_passes_its_targets() {
    for (target, seeds, body) in TARGETS {
        let all = files(&format!("seeds/{seeds}"));
        assert!(all.len() >= 3, "{target} has {} seeds", all.len());
        all.iter().for_each(|f| body(&read(f)));
    }
}

/// A file stands in the folder of its target.
#[test]
fn every_input_that_was_a_fault_passes_now() {
    let entries = std::fs::read_dir(repository().join("tests/fuzz/crashes")).into_iter().flatten();
    for entry in entries.filter_map(Result::ok).filter(|e| e.path().is_dir()) {
        let target = entry.file_name().into_string().expect("a name");
        let all = files(&format!("crashes/{target}"));
        all.iter().for_each(|f| body(&target)(&read(f)));
    }
}

#[test]
fn every_shipped_policy_is_printed_and_read_again_and_half_of_it_does_no_harm() {
    let all: Vec<PathBuf> = ["examples", "examples/bad", "tests/cases"].iter().flat_map(|f| policies(f)).collect();
    assert!(all.len() > 50, "{}", all.len());
    for text in all.iter().map(|f| read(f)) {
        ["parse", "print", "lower"].iter().for_each(|t| body(t)(&text));
        let half = &text[..text.len() / 2];
        ["parse", "lower"].iter().for_each(|t| body(t)(half));
    }
}

#[test]
fn every_target_is_a_program_of_the_fuzz_workspace() {
    let programs = files("targets");
    let names: Vec<_> = programs.iter().filter_map(|p| p.file_stem()?.to_str()).collect();
    let mut known: Vec<_> = TARGETS.iter().map(|t| t.0).collect();
    known.sort_unstable();
    assert_eq!(names, known);
    let manifest = String::from_utf8(read(&repository().join("tests/fuzz/Cargo.toml"))).expect("text");
    for (target, ..) in TARGETS {
        assert!(manifest.contains(&format!("name = \"{target}\"")), "{target} is not in the manifest");
        let text =
            String::from_utf8(read(&repository().join(format!("tests/fuzz/targets/{target}.rs")))).expect("text");
        assert!(text.contains(&format!("roadlaw_compiler::fuzz::{target}(")), "{target} runs another body");
    }
}

/// The header that is put in front of packed bytes is that of the table they came from, but for the digests of model and
/// proof; and what stands in the packed bytes does come out.
#[test]
fn packed_tables_are_tables_again() {
    for (i, table) in tables().iter().enumerate() {
        let packed = packing(table);
        let again = unpacked(&packed);
        let (a, b) = (Table::from_bytes(table).expect("sound"), Table::from_bytes(&again).expect("sound"));
        assert_eq!(a.section_sizes(), b.section_sizes());
        assert_eq!(table[128..], again[128..]);
        let seed = repository().join(format!("tests/fuzz/seeds/table/table{i}"));
        if std::env::var_os("UPDATE_GOLDEN").is_some_and(|v| v == "1") {
            std::fs::write(&seed, &packed).expect("written");
        }
        let read = Table::from_bytes(&unpacked(&read(&seed))).map(|t| t.cells());
        assert_eq!(read, Ok(a.cells()), "table{i} is a seed of another version: set UPDATE_GOLDEN=1");
        let mut cut = packed;
        cut.truncate(cut.len() / 2);
        assert!(Table::from_bytes(&unpacked(&cut)).is_err());
    }
}

/// The proof and what is made of it by hand: cut, with another digest, without an obligation, with another invariant.
#[test]
fn proofs_among_the_seeds_are_of_this_version() {
    let sound = sound_proof();
    let mut damaged = vec![sound.clone(); 3];
    damaged[0].digests.table = "0".repeat(64);
    damaged[1].obligations.pop();
    damaged[2].tracks[0].invariant[0].condition = 0;
    let whole = sound.to_json();
    let seeds = [("whole", &whole[..]), ("half", &whole[..whole.len() / 2])];
    let named = ["digest", "obligation", "invariant"].into_iter().zip(damaged.iter().map(|d| d.to_json()));
    let all: Vec<(&str, String)> = seeds.map(|(name, text)| (name, text.to_owned())).into_iter().chain(named).collect();
    for (name, text) in &all {
        let seed = repository().join(format!("tests/fuzz/seeds/proof/{name}.json"));
        if std::env::var_os("UPDATE_GOLDEN").is_some_and(|v| v == "1") {
            std::fs::write(&seed, text).expect("written");
        }
        let (is, wanted) = (read_proof(&read(&seed)), read_proof(text.as_bytes()));
        // Versions of solvers depend on the machine.
        let parts = |m: Manifest| (m.certificate(), m.digests, m.tracks, m.conditions);
        assert_eq!(is.map(parts), wanted.map(parts), "{name} is a seed of another version: set UPDATE_GOLDEN=1");
    }
}
