//! A generated policy of the size that the compiler is built for: about 500 nodes, every road with all its gates, and a
//! fallback from each to all others.

use roadlaw_compiler::lower::Input;
use roadlaw_compiler::pipeline;
use roadlaw_compiler::prove::Verdict;
use roadlaw_compiler::table::Options;
use std::fmt::Write;

/// A chain of portals that replace each other. `changes`: what the fallback says that it changes.
fn chain(roads: usize, changes: &str) -> Input {
    let mut text = String::from(
        r#"edition 1
policy big.chat@1 {
  use std.facts
  use std.lanes
  use std.filters
  pins { pattern "ask@1" spell "ask" placement "any" purpose "answer" input "q@1" output "a@1" error "e@1" noncompletion "n@1" }
  facts { sealed labels : set { personal, secret, client } }
  let labelled = not labels empty  as local_only
  limits one { deadline 30s requests 1 tokens 4_000 in 1_000 out 5_000 total concurrency 1 spend 5 cents retries 0 fanout 1 rounds 1 uses 1 }
"#,
    );
    let names: Vec<String> = (0..roads).map(|i| format!("g{i}")).collect();
    for (i, name) in names.iter().enumerate() {
        let _ = write!(
            text,
            r#"  target {name} : portal {{ provider "p{i}" service "api" model "m{i}" operation "chat" origin "https://api{i}.example" path "/v1/chat"
    region us custody direct retention none training none evidence verified }}
  road {name} : native portal to {name} with {{ prompt: instructions }} {{ limits one filters {{ use std.filters.portal }} }}
"#
        );
    }
    let list = names.join(", ");
    let _ = write!(
        text,
        "  flow {{
    start -> classify -> choose
    choose {{ {list} }} in order {list} each -> run
    choose.none     -> pending_no_road
    node again : resolve
    node more : classify
    run.ok          -> accept -> done
    run.uncertain   -> settle
    run.cancelled   -> cancelled
    run.unsent -fallback-> again changes {{ {changes} }}
    again -> more -> choose
    run.others      -> refused(road)
    accept.negative -> refused(answer)
    accept.others   -> refused(answer)
    settle.effect   -> accept
    settle.unknown  -> indeterminate
    settle.others   -> refused(road)
    else            -> refused(gate)
  }}
  never send(any) when labelled
}}
"
    );
    Input { name: "big.road".to_owned(), bytes: text.into_bytes(), root: None }
}

#[test]
fn five_hundred_nodes_are_proved_and_frozen() {
    let checked = pipeline::check(chain(29, "provider, model, origin, consumer"), Options::default());
    let report = &checked.report;
    assert_eq!(report.verdict, Verdict::Proved, "{:?}", report.diagnostics);
    assert!(report.analysed.nodes >= 500, "{:?}", report.analysed);
    assert_eq!(report.worst.as_ref().and_then(|w| w.most("transmissions")), Some(29));
    assert!(checked.table.is_some());
}

#[test]
fn one_missing_word_among_all_pairs_is_found() {
    let checked = pipeline::check(chain(12, "provider, model, consumer"), Options::default());
    let codes: Vec<&str> = checked.report.diagnostics.iter().map(|d| d.code).collect();
    assert_eq!((checked.report.verdict, codes.contains(&"RL301")), (Verdict::Rejected, true), "{codes:?}");
}
