//! `use`: shipped libraries, files beside the policy, and none elsewhere.

use super::*;
use std::fs;

fn beside(files: &[(&str, &str)], policy: &str) -> Lowered {
    let dir = tempfile::tempdir().expect("a folder");
    let root = dir.path().join("root");
    fs::create_dir_all(root.join("lib")).expect("a folder");
    for (name, text) in files {
        fs::write(root.join(name), text).expect("a file");
    }
    lower(Input { name: "t.road".into(), bytes: policy.as_bytes().to_vec(), root: Some(root) })
}

const LIBRARY: &str = "edition 1\nlibrary lib.mine {
  const ceiling = 30
  facts { sealed calm : bool unknown = false }
  let quiet = calm and weight < ceiling
  filters calm { quiet : quiet }
  given still = std.clear { calm }
}\n";

#[test]
fn a_library_beside_the_policy_is_used() {
    let policy = with(
        BASE,
        &[
            ("  use std.facts\n", "  use std.facts\n  use lib.mine as m\n"),
            ("class : class <= internal", "use m.calm  class : quiet or m.quiet"),
        ],
    );
    let policy = policy.replace("use std.filters.portal  use m.calm", "use std.filters.portal, m.calm ");
    let out = beside(&[("lib/mine.road", LIBRARY)], &plus(&policy, "test \"t\" still { } => done"));
    let told = told(&out);
    let m = out.model.unwrap_or_else(|| panic!("{told}"));
    assert_eq!(filter(&m, "alpha", "quiet"), "(calm in [1] and weight 0..29)");
    assert_eq!(m.facts[0].name, "calm");
    assert_eq!(out.sources.iter().filter(|(_, f)| f.name == "lib/mine.road").count(), 1);
}

#[track_caller]
fn refused(files: &[(&str, &str)], uses: &str, message: &str) {
    let policy = with(BASE, &[("  use std.facts\n", &format!("  use std.facts\n  {uses}\n"))]);
    let out = beside(files, &policy);
    assert!(out.model.is_none());
    assert!(told(&out).contains(message), "{}", told(&out));
}

#[test]
fn libraries_that_cannot_be_used_are_refused() {
    refused(&[], "use lib.mine", "`lib.mine` cannot be used");
    refused(&[], "use std.fact", "no shipped library is called `std.fact` | did you mean `std.facts`?");
    refused(
        &[
            ("lib/a.road", "edition 1\nlibrary lib.a { use lib.b }"),
            ("lib/b.road", "edition 1\nlibrary lib.b { use lib.a }"),
        ],
        "use lib.a",
        "cycle: lib.a -> lib.b -> lib.a",
    );
    refused(
        &[("lib/a.road", "edition 1\nlibrary lib.b { }")],
        "use lib.a",
        "the library is called `lib.b`, and it is used as `lib.a`",
    );
    refused(&[("lib/a.road", "edition 2\nlibrary lib.a { }")], "use lib.a", "edition 2 is not known");
    refused(&[("lib/a.road", BASE)], "use lib.a", "cannot be used as a library");
    refused(
        &[("lib/a.road", "edition 1\nlibrary lib.a { pins { pattern \"x\" } }")],
        "use lib.a",
        "a library has no `pins`",
    );
    refused(&[("lib/a.road", LIBRARY)], "use lib.a\n  use lib.a", "`lib.a` is used twice");
    refused(
        &[("lib/a.road", "edition 1\nlibrary lib.a { const taste = 3 }")],
        "use lib.a",
        "`taste` is declared twice",
    );
    refused(
        &[("lib/a.road", "edition 1\nlibrary lib.a { road home : native local_model { } }")],
        "use lib.a",
        "road `home` is declared twice",
    );
    let out = low(&with(BASE, &[("  use std.facts\n", "  use std.facts\n  use lib.mine\n")]));
    assert!(told(&out).contains("the policy is in no folder"), "{}", told(&out));
}

#[cfg(unix)]
#[test]
fn no_link_leads_out_of_the_folder() {
    let dir = tempfile::tempdir().expect("a folder");
    let root = dir.path().join("root");
    fs::create_dir_all(&root).expect("a folder");
    fs::write(dir.path().join("outside.road"), "edition 1\nlibrary inside { }").expect("a file");
    std::os::unix::fs::symlink(dir.path().join("outside.road"), root.join("inside.road")).expect("a link");
    std::os::unix::fs::symlink(dir.path(), root.join("up")).expect("a link");
    for path in ["inside", "up.outside"] {
        let policy = with(BASE, &[("  use std.facts\n", &format!("  use std.facts\n  use {path}\n"))]);
        let out = lower(Input { name: "t".into(), bytes: policy.into_bytes(), root: Some(root.clone()) });
        assert!(told(&out).contains("leads outside the policy's folder"), "{}", told(&out));
    }
}

#[test]
fn a_library_is_no_policy_and_bytes_may_be_no_text() {
    let out = low("edition 1\nlibrary lib.a { }");
    assert!(out.model.is_none() && told(&out).contains("is a library, not a policy"), "{}", told(&out));
    let out = lower(Input { name: "t".into(), bytes: vec![b'e', 0xff, 0xfe], root: None });
    assert!(out.model.is_none() && out.diagnostics.len() == 1, "{}", told(&out));
    let out = low("edition 1\npolicy a.b@1 { }");
    assert!(out.model.is_none() && told(&out).contains("the policy has no flow"), "{}", told(&out));
}

#[test]
fn without_the_shipped_facts_their_use_is_suggested() {
    let out = low(&with(BASE, &[("  use std.facts\n", "")]));
    assert!(out.model.is_none());
    assert!(told(&out).contains("use std.facts"), "{}", told(&out));
    let out = low(&with(BASE, &[("  use std.lanes\n", "")]));
    assert!(told(&out).contains("use std.lanes"), "{}", told(&out));
}

#[test]
fn a_flow_template_is_a_whole_flow() {
    let out = low(&with(POLICIES[3].1, &[("flow std.first(llama, gpt)", "flow std.frist(llama, gpt)")]));
    assert!(told(&out).contains("did you mean `std.first`?"), "{}", told(&out));
    let out = low(&with(POLICIES[3].1, &[("flow std.first(llama, gpt)", "flow std.first(llama, gtp)")]));
    assert!(told(&out).contains("did you mean `gpt`?"), "{}", told(&out));
}
