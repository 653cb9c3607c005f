//! Faults that were found once, each as a small case.

use roadlaw_compiler::lower::{Input, lower};
use roadlaw_compiler::model::{EdgeKind, EdgeRank, Guard, NodeKind};
use roadlaw_compiler::prove::{Verdict, prove};
use roadlaw_tests::SHORTEST;

#[test]
fn an_edge_that_is_never_open_leaves_no_law_undecided() {
    let out = lower(Input { name: "t.road".into(), bytes: SHORTEST.as_bytes().to_vec(), root: None });
    let base = out.model.expect("a model");
    for i in (0..base.edges.len()).filter(|i| base.edges[*i].rank == EdgeRank::Guarded) {
        let mut m = base.clone();
        m.edges[i].guard = Guard::False;
        let report = prove(&m);
        assert_ne!(report.verdict, Verdict::Undecided, "edge {i} from {}", m.node(m.edges[i].from).name);
    }
}

/// A policy that sends what is heavy and refuses what is light (RL404), behind these steps.
fn heavy_behind(counter: &str, steps: &str) -> String {
    include_str!("../laws/RL404/edge_weight.bad.road")
        .replace("  use std.lanes\n", "  use std.lanes\n  facts { volatile busy : bool  unknown = true }\n")
        .replace("  flow {\n", &format!("  {counter}\n  flow {{\n"))
        .replace("    start -> classify -> choose\n", steps)
}

#[test]
fn a_way_round_before_the_choice_hides_no_comparison() {
    let own = "    node ready : own\n    node pause : own\n    start -> ready\n    ready.ok when busy -> pause -> ready
    ready.ok when not busy -> classify -> choose\n    ready.failed, pause.failed -> refused(closed)\n";
    let counted =
        "    start -> classify\n    classify when busy -> classify takes tries\n    classify when not busy -> choose\n";
    for (counter, steps) in [("", own), ("counter tries = 2 spent -> refused(busy)", counted)] {
        let text = heavy_behind(counter, steps);
        let out = lower(Input { name: "t.road".into(), bytes: text.into_bytes(), root: None });
        let report = prove(&out.model.unwrap_or_else(|| panic!("{:?}", out.diagnostics)));
        assert_ne!(report.verdict, Verdict::Proved, "{steps}");
        assert!(report.proof.is_none());
        let said = report.diagnostics.iter().find(|d| d.code == "RL903").expect("nobody knows");
        assert!(said.message.contains("come back to where it was"), "{}", said.message);
    }
    // The same cycle as a loop begins anew, and both sides of it are compared.
    let looped = counted.replace("-> classify takes tries", "-loop-> classify takes tries");
    let text = heavy_behind("counter tries = 2 spent -> refused(busy)", &looped);
    let out = lower(Input { name: "t.road".into(), bytes: text.into_bytes(), root: None });
    let report = prove(&out.model.expect("a model"));
    assert_eq!(report.verdict, Verdict::Rejected);
    assert!(report.diagnostics.iter().any(|d| d.code == "RL404"), "{:?}", report.diagnostics);
}

/// Seen by a random policy: an option whose first way on is closed where all options are open was said to be undecided (RL704).
#[test]
fn a_guard_behind_a_choice_leaves_no_option_undecided() {
    let ways =
        "    choose.small when not up[big] -> done\n    choose.small else -> refused(big)\n    choose.big -> done\n";
    let text = include_str!("../../examples/pick-model.road").replace("} each -> done\n", &format!("}}\n{ways}"));
    let out = lower(Input { name: "t.road".into(), bytes: text.into_bytes(), root: None });
    let report = prove(&out.model.expect("a model"));
    assert_eq!(report.verdict, Verdict::Proved, "{:?}", report.diagnostics);
}

/// Evidence that the edge into a transmission clears is missing there, for an author's assertion as for a law.
#[test]
fn an_assertion_that_the_edge_itself_breaks_is_shown() {
    let text = include_str!("../../examples/gateway.road");
    let out = lower(Input { name: "t.road".into(), bytes: text.as_bytes().to_vec(), root: None });
    let base = out.model.expect("a model");
    let sends = (0..base.edges.len()).filter(|i| base.node(base.edges[*i].to).kind == NodeKind::Send);
    let mut shown = 0;
    for i in sends {
        for kind in [EdgeKind::Loop, EdgeKind::Redirect, EdgeKind::Fallback, EdgeKind::Retry, EdgeKind::Resume] {
            let mut m = base.clone();
            m.edges[i].kind = kind;
            let report = prove(&m);
            let codes: Vec<&str> = report.diagnostics.iter().map(|d| d.code).collect();
            assert!(!codes.contains(&"RL902"), "edge {i} as {kind:?}: {codes:?}");
            shown += usize::from(codes.contains(&"RA"));
        }
    }
    assert!(shown > 0, "no assertion was broken");
}
