//! What must not matter: how a policy is laid out, in which order its items stand, and what its roads, targets, counters and
//! projections are called. The verdict and the codes stay; the layout changes not one byte of a table.

use roadlaw_compiler::prove::Verdict;
use roadlaw_tests::differential::draw::Draw;
use roadlaw_tests::differential::same::{Said, declared, laid_out, printed, renamed, said, shuffled};
use roadlaw_tests::policies;
use std::collections::BTreeMap;

/// The examples, what must be accepted, what must be rejected, and every third of the bad examples.
fn texts() -> Vec<(String, String)> {
    let bad = policies("examples/bad").into_iter().step_by(3);
    let all = ["examples", "tests/accepted", "tests/rejected"].into_iter().flat_map(policies).chain(bad);
    all.map(|p| (p.display().to_string(), std::fs::read_to_string(p).expect("text"))).collect()
}

fn verdict(said: &Said) -> Result<(Verdict, &[&str]), &[&str]> {
    said.as_ref().map(|(v, codes, _)| (*v, codes.as_slice())).map_err(Vec::as_slice)
}

/// Other names for what a policy declares, none of them a word of the language or of its libraries. In the same order, or
/// in the opposite one.
fn names(text: &str, turned: bool) -> BTreeMap<String, String> {
    let words = declared(text);
    let number = |i: usize| if turned { words.len() - i } else { i };
    words.iter().enumerate().map(|(i, w)| (w.clone(), format!("zz{:02}_{w}", number(i)))).collect()
}

#[test]
fn layout_changes_no_verdict_and_no_byte_of_a_table() {
    let (mut d, mut tables) = (Draw::of(1, 0), 0);
    for (name, text) in texts() {
        let before = said(&text);
        for other in [printed(&text).expect("a tree"), laid_out(&text, &mut d), text.replace('\n', "\n\n   ")] {
            let after = said(&other);
            assert_eq!(verdict(&before), verdict(&after), "{name}\n{other}");
            assert!(before == after, "{name}: the tables differ\n{other}");
        }
        tables += usize::from(matches!(before, Ok((_, _, Some(_)))));
    }
    assert!(tables >= 60, "{tables}");
}

#[test]
fn the_order_of_items_changes_no_verdict_and_no_code() {
    let (mut d, mut moved) = (Draw::of(2, 0), 0);
    for (name, text) in texts() {
        let text = printed(&text).expect("a tree");
        let other = shuffled(&text, &mut d);
        moved += usize::from(other != text);
        assert_eq!(verdict(&said(&text)), verdict(&said(&other)), "{name}\n{other}");
    }
    assert!(moved >= 90, "{moved}");
}

#[test]
fn names_change_no_verdict_and_no_code() {
    let mut turned = 0;
    for (name, text) in texts() {
        let before = said(&text);
        // Where keys rank, the name of a road is the last of them.
        let ways = if text.contains(" keys ") { &[false][..] } else { &[false, true] };
        for way in ways {
            let names = names(&text, *way);
            let other = renamed(&text, |w| names.get(w).cloned());
            assert!(other != text, "{name}");
            assert_eq!(verdict(&before), verdict(&said(&other)), "{name}\n{other}");
            turned += usize::from(*way);
        }
    }
    assert!(turned >= 80, "{turned}");
}
