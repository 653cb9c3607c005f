//! Text that is hostile: long, deep, broken at random. Never a panic, and work that grows with the length.

use super::support::{good, policy, read, shipped, told};
use proptest::prelude::*;

const LONG: usize = 20_000;

#[test]
fn long_chains_and_lists_parse() {
    let many = |one: &str, between: &str| vec![one; LONG].join(between);
    good(&policy(&format!("let a = {}", many("b", " or "))));
    good(&policy(&format!("let a = {}", many("not b", " and "))));
    good(&policy(&format!("facts {{ pinned a : set {{ {} }} }}", many("b", ", "))));
    good(&policy(&format!("flow {{ a {} }}", many("-> b", " "))));
    good(&policy(&format!("flow {{ {} -> b }}", many("a", ", "))));
    good(&policy(&format!("flow {{ choose {{ a }} in order {} }}", many("a", ", "))));
}

#[test]
fn a_fault_at_the_end_of_a_long_text_has_its_place() {
    let text = policy(&format!("let a = {} or", vec!["b"; LONG].join(" or ")));
    assert_eq!(told(&text), ["4:1 S001 expected a condition, found `}`"]);
}

#[test]
fn depth_is_counted_and_the_last_depth_parses() {
    let nested = |n: usize| policy(&format!("let a = {}b{}", "(".repeat(n), ")".repeat(n)));
    good(&nested(roadlaw_grammar::DEEPEST - 1));
    let line = |c: usize| format!("3:{c} S009 nested more than 64 deep | name a part of it: `let part = ..`");
    assert_eq!(told(&nested(roadlaw_grammar::DEEPEST)), [line(72)]);
    assert_eq!(told(&nested(100_000)), [line(72)]);
    let nots = |n: usize| policy(&format!("let a = {}b", "not ".repeat(n)));
    good(&nots(roadlaw_grammar::DEEPEST));
    assert_eq!(told(&nots(100_000)), [line(9 + 4 * 64)]);
    // Depth that fails inside must not be tried again and again on the way out.
    let n = roadlaw_grammar::DEEPEST - 1;
    assert_eq!(told(&policy(&format!("let a = {}+{}", "(".repeat(n), ")".repeat(n)))).len(), 1);
}

#[test]
fn a_file_may_be_one_mebibyte_long_and_no_longer() {
    let base = policy("need cut");
    let pad = roadlaw_grammar::LARGEST_FILE - base.len();
    good(&format!("{base}{}", " ".repeat(pad)));
    let over = format!("{base}{}", " ".repeat(pad + 1));
    assert_eq!(told(&over), ["1:1 S002 the file is larger than 1 MiB | split it with `use`"]);
}

#[test]
fn bytes_that_are_no_text_have_a_place() {
    assert_eq!(roadlaw_grammar::decode(b"ab\xffc"), Err(2));
    assert_eq!(roadlaw_grammar::decode("é".as_bytes()), Ok("é".to_owned()));
}

/// Every span lies within the text, and there is a tree or a reason.
fn sound(text: &str) {
    let (sources, tree, found) = read(text);
    assert_eq!(tree.is_none(), !found.is_empty());
    for d in &found {
        let (a, b) = (d.primary.start as usize, d.primary.end as usize);
        assert!(text.get(a..b).is_some(), "{d:?}");
        assert!(!d.message.is_empty() && !d.message.contains('\n'), "{d:?}");
        assert_eq!(sources.text(d.primary), &text[a..b]);
    }
    if let Some(tree) = tree {
        let once = roadlaw_grammar::print(&tree);
        assert_eq!(good(&once), tree, "{once}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,200}") {
        sound(&text);
    }

    #[test]
    fn any_tokens_are_read_or_refused(
        words in prop::collection::vec(
            prop::sample::select(vec![
                "road", "a", "b.c", "{", "}", "(", ")", ":", "=", "->", "-retry->", "when", "else", "not", "or", "and", "flow",
                "choose", "in", "order", "each", "let", "3", "30s", "\"t\"", ",", "<=", "?", ".", "test", "=>", "///d\n",
            ]),
            0..40,
        )
    ) {
        sound(&policy(&words.join(" ")));
    }

    #[test]
    fn a_damaged_policy_is_read_or_refused(file in 0_usize..8, at in any::<prop::sample::Index>(), cut in 0_usize..12, put in "[ -~]{0,4}") {
        let all = shipped();
        let text = &all[file % all.len()].1;
        let mut chars: Vec<char> = text.chars().collect();
        let from = at.index(chars.len());
        let to = (from + cut).min(chars.len());
        chars.splice(from..to, put.chars());
        sound(&chars.into_iter().collect::<String>());
    }
}
