//! The list of the cases and the tests that they are.

use crate::support::folder;
use std::collections::{BTreeMap, BTreeSet};

/// Ids of the tests, group by group.
const TESTED: &[&[&str]] = &[crate::policies::IDS, crate::decisions::IDS, crate::grants::IDS, crate::routing::IDS];

/// Each row of the list: id, what it decides, how it is kept (`policy`, `decision`, `run`, `rule`; `out of scope: why`).
fn listed() -> Vec<(String, String)> {
    let text = std::fs::read_to_string(folder().join("README.md")).expect("the list");
    let rows = text.lines().filter_map(|l| l.strip_prefix("| ")).map(|l| l.split(" | ").collect::<Vec<_>>());
    rows.filter(|r| r.len() == 3 && is_id(r[0]))
        .map(|r| (r[0].to_owned(), r[2].trim_end_matches(" |").to_owned()))
        .collect()
}

/// `AP01`, `BC7`.
fn is_id(word: &str) -> bool {
    let digits = ["AP", "AD", "AC", "BC"].iter().find_map(|p| word.strip_prefix(p));
    digits.is_some_and(|d| !d.is_empty() && d.bytes().all(|b| b.is_ascii_digit()))
}

#[test]
fn every_case_is_a_test_or_out_of_scope_with_its_reason() {
    let rows = listed();
    let tested: Vec<&str> = TESTED.concat();
    let unique: BTreeSet<&str> = tested.iter().copied().collect();
    assert_eq!(unique.len(), tested.len(), "an id is tested twice");
    let list: BTreeMap<&str, &str> = rows.iter().map(|(id, how)| (id.as_str(), how.as_str())).collect();
    assert_eq!(list.len(), rows.len(), "an id is listed twice");
    for (id, how) in &list {
        let out = how.strip_prefix("out of scope: ");
        assert_ne!(unique.contains(id), out.is_some(), "{id}: {how}");
        if let Some(why) = out {
            assert!(why.split_whitespace().count() >= 8, "{id} is out of scope without a reason: {why}");
        } else {
            assert!(how.split(", ").all(|h| ["policy", "decision", "run", "rule"].contains(&h)), "{id}: {how}");
        }
    }
    let unlisted: Vec<&&str> = unique.iter().filter(|id| !list.contains_key(**id)).collect();
    assert!(unlisted.is_empty(), "tested and not listed: {unlisted:?}");

    let count = |prefix: &str| list.keys().filter(|id| id.starts_with(prefix)).count();
    assert_eq!([count("AP"), count("AD"), count("AC"), count("BC")], COUNTS);
}

/// How many rows of each group there are, so that none is lost from the list and its tests at once.
const COUNTS: [usize; 4] = [49, 25, 35, 73];

#[test]
fn every_policy_belongs_to_a_case() {
    let rows = listed();
    for entry in std::fs::read_dir(folder()).expect("a folder") {
        let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        let Some(policy) = name.strip_suffix(".bad.road").or_else(|| name.strip_suffix(".good.road")) else { continue };
        let id = policy.split('-').next().unwrap_or(policy);
        assert!(rows.iter().any(|(i, how)| i == id && how.contains("policy")), "{name} belongs to no case");
    }
}
