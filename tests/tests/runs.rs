//! Runs of the built tables against the reference.

use roadlaw_compiler::lower::Input;
use roadlaw_compiler::model::Profile;
use roadlaw_compiler::pipeline::check;
use roadlaw_compiler::prove::Verdict;
use roadlaw_compiler::table::Options;
use roadlaw_runtime::Table;
use roadlaw_tests::differential::draw::Draw;
use roadlaw_tests::differential::walk::walk;
use roadlaw_tests::{policies, repository};

#[test]
fn every_run_of_a_table_is_a_run_of_the_policy() {
    let mut d = Draw::of(7, 0);
    let files = policies("examples");
    assert!(files.len() >= 7, "{files:?}");
    for file in files {
        let name = file.strip_prefix(repository()).unwrap_or(&file).display().to_string();
        let bytes = std::fs::read(&file).expect("a policy");
        let done = check(Input { name: name.clone(), bytes, root: file.parent().map(Into::into) }, Options::default());
        assert_eq!(done.report.verdict, Verdict::Proved, "{name}");
        let (model, bytes) = (done.model.expect("a model"), done.table.expect("a table"));
        let t = Table::from_bytes(&bytes).expect("readable");
        let runs: Vec<(usize, u32)> = (0..300)
            .map(|i| walk(&model, &t, 0, &mut d, &format!("{name} run {i}")).unwrap_or_else(|why| panic!("{why}")))
            .collect();
        // Random answers end many runs early: some must still get as far as real work, and on from there.
        let sent = runs.iter().filter(|(_, sent)| *sent > 0).count();
        let longest = runs.iter().map(|(steps, _)| *steps).max().unwrap_or(0);
        println!(
            "{name}: {} steps, {sent} runs send or call, {longest} steps at most",
            runs.iter().map(|r| r.0).sum::<usize>()
        );
        // A pure decision sends nothing: its runs are as short as its flow.
        let deep = sent > 5 && longest > 8 || model.profile == Profile::Choice && sent == 0;
        assert!(deep, "{name}: {sent} runs send or call, {longest} steps at most");
    }
}
