//! Faults that were found once, each as a small case.

use roadlaw_compiler::lower::{Input, lower};
use roadlaw_compiler::model::{EdgeRank, Guard};
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
