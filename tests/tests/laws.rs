//! Every law on its own: a policy that breaks this law and no other, and its twin, mended in one place, that is proved.
//! `tests/laws/CODE/SHAPE.bad.road` and `SHAPE.good.road`.

use roadlaw_compiler::lower::Input;
use roadlaw_compiler::pipeline::{Checked, check};
use roadlaw_compiler::prove::{STRICT_LAWS, Verdict};
use roadlaw_compiler::table::Options;
use roadlaw_grammar::diagnostic::{Diagnostic, Severity};
use roadlaw_tests::pairs::{Pair, pairs, two_at_a_time};
use roadlaw_tests::{Program, golden_at, repository};
use std::collections::BTreeSet;
use std::path::Path;

/// Laws about the compiler itself: no policy breaks them.
const INTERNAL: &[&str] = &["RL901", "RL902", "RL903"];

/// What a diagnostic shows as its counterexample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Shown {
    /// Nothing: the text says it all.
    Text,
    /// One fact vector.
    Facts,
    /// Two fact vectors with what each gives.
    TwoRuns,
    /// A run.
    Run,
}

/// Every pair whose bad policy shows something else than a run. A pair that is not here shows a run.
const WITHOUT_A_RUN: &[(Shown, &str)] = &[
    (
        Shown::Text,
        "
        RL001: error input noncompletion output pattern pin placement spell
        RL002: adapter authorisation names_model names_prompt_floor names_provider names_tools
            no_return target_names_model target_names_provider target_names_service task_schema origin
        RL003: artifacts budget cancel nested network network_open outside profile same_twice
            timeout whole_root workspace writes_as_read writes_as_verify
        RL004: asserted need_reads_asserted no_custody no_model no_operation no_path no_provider
            no_region no_retention no_service no_training origin path
        RL005: bridge seat
        RL006: bearer handle key token_in_text
        RL007: any_model any_provider auto auto_fallback router
        RL008: coding_immediate immediate live_session relay_immediate
        RL009: no_concurrency no_deadline no_fanout no_retries no_rounds no_spend no_tokens no_uses
            requests zero_deadline zero_requests zero_tokens zero_uses
        RL010: reach
        RL207: answered
        RL209: expired_once read_once
        RL303: no_assurance no_labour no_model no_price_class no_projection no_provider no_retention
            no_transport not_real
        RL309: declared
        RL407: candidate_twice key_twice left_out listed_and_left_out name_first no_candidate
            profile_leaves_out profile_lists_twice profile_missing profile_twice twice
        RL501: live_session
        RL601: child no_counter redirect repair retry
        RL603: deadline sum_above tokens
        RL604: redeliveries thresholds tokens
        RL704: option_closed option_left_out option_shadowed
        RL703: cut_lost duplicate forgotten negative none peer_expired peer_revoked
            portal_failed_after_submit portal_lost_envelope portal_refused
            portal_timeout_after_submit portal_unavailable verifier_unsure
        RL704: always_true closed_filter guard never_a_candidate shadowed
        RL801: coding_gets_instructions coding_gets_whole_checkout coding_gets_workspace peer
            peer_gets_instructions peer_gets_local_graph peer_gets_model_inventory
            peer_gets_tool_inventory peer_gets_workspace portal portal_gets_authority
            portal_gets_local_graph portal_gets_private_error portal_gets_prompt_floor
            portal_gets_pseudonym_map portal_gets_raw_span portal_gets_tool_inventory
            portal_gets_whole_checkout portal_gets_workspace
            RL802: all_but_one artifact_ref credential file_name lease_handle plain_input status subject
            RL803: keyed_hash made_of_input no_class no_consumer no_epoch no_key no_purpose no_retention
                one_of_two plain_hash raw_field
        ",
    ),
    (
        Shown::Facts,
        "
        RL103: authority egress_transparent either identity lineage local_only one_identity
            prohibited retention
        RL104: need need_above need_forgets_target
        RL109: forgets_asynchronous forgets_auto_retry forgets_paid forgets_reach
            forgets_reconcilable need unknown
        RL401: available connection containment expired login permission permission_is_no_authority
            revoked task_schema terms
        RL405: by_a_let capability_declared capability_not_absent capability_present cli_on_path
            either_way login_declared own_session present
        RL409: checked_later
        RL501: another_provider_only assurance blind lower_than_the_floor not_distinct person
        RL502: repairs_itself
        RL701: a_value_forgotten gap gap_at_40
        RL702: at_40 overlap two_facts
        ",
    ),
    (
        Shown::TwoRuns,
        "
        RL402: price_filter
        RL403: edge_is_unknown else_sends else_to_the_lane is_unknown lenient_default not_known_bad
        RL404: class class_equals edge_class edge_weight labels labels_empty not_internal
            raw_by_class raw_for_private weight
        RL406: a_fact as_a_permission by_a_let by_constant by_name cut edge in_a_list
            not_the_managers
        RL408: edge filter left_out named nothing_after
        ",
    ),
];

fn kind(d: &Diagnostic) -> Shown {
    match &d.witness {
        None => Shown::Text,
        Some(w) if !w.path.is_empty() => Shown::Run,
        Some(w) if w.answers.len() == 2 && !w.facts.is_empty() && w.facts.len() == w.other_facts.len() => {
            Shown::TwoRuns
        }
        Some(_) => Shown::Facts,
    }
}

/// `CODE/shape` for each shape of a list `CODE: shape shape ..`.
fn names(list: &str) -> Vec<String> {
    let mut code = "";
    let mut out = Vec::new();
    for word in list.split_whitespace() {
        match word.strip_suffix(':') {
            Some(c) => code = c,
            None => out.push(format!("{code}/{word}")),
        }
    }
    out
}

/// What the pair is to show.
fn due(code: &str, shape: &str) -> Shown {
    let name = format!("{code}/{shape}");
    WITHOUT_A_RUN.iter().find(|(_, list)| names(list).contains(&name)).map_or(Shown::Run, |(kind, _)| *kind)
}

fn all() -> Vec<Pair> {
    pairs().unwrap_or_else(|stray| panic!("{stray}"))
}

fn name(path: &Path) -> String {
    path.file_name().expect("a name").to_string_lossy().into_owned()
}

fn checked(path: &Path) -> Checked {
    let bytes = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    check(Input { name: name(path), bytes, root: path.parent().map(Path::to_owned) }, Options::default())
}

fn errors(c: &Checked) -> Vec<&Diagnostic> {
    c.report.diagnostics.iter().filter(|d| d.severity == Severity::Error).collect()
}

fn shown(ds: &[&Diagnostic]) -> String {
    ds.iter().map(|d| format!("\n  {} {}", d.code, d.message)).collect()
}

/// What is wrong with a pair; empty if nothing is.
fn faults(pair: &Pair) -> Vec<String> {
    let (code, shape) = (pair.code.as_str(), pair.shape.as_str());
    let mut out = Vec::new();
    let mut say = |what: String| out.push(format!("{code}/{shape}: {what}"));
    let c = checked(&pair.file("bad.road"));
    let found = errors(&c);
    let codes: BTreeSet<&str> = found.iter().map(|d| d.code).collect();
    if codes != BTreeSet::from([code]) {
        say(format!("the bad policy breaks {codes:?}{}", shown(&found)));
    }
    if c.report.verdict != Verdict::Rejected || c.table.is_some() || c.report.proof.is_some() {
        say(format!("the bad policy is {:?}", c.report.verdict));
    }
    for d in &found {
        let length = c.sources.file(d.primary.file).map_or(0, |f| f.text.len());
        let inside = d.primary.start <= d.primary.end && usize::try_from(d.primary.end).is_ok_and(|e| e <= length);
        if !inside || c.sources.text(d.primary).is_empty() {
            say(format!("`{}` points nowhere", d.message));
        }
        if kind(d) != due(code, shape) {
            say(format!("`{}` shows {:?}, not {:?}", d.message, kind(d), due(code, shape)));
        }
    }
    let c = checked(&pair.file("good.road"));
    // Not even a note.
    let found: Vec<&Diagnostic> = c.report.diagnostics.iter().collect();
    if c.report.verdict != Verdict::Proved || !found.is_empty() {
        say(format!("the twin is {:?}{}", c.report.verdict, shown(&found)));
    }
    if c.table.is_none() {
        say("the twin has no table".to_owned());
    }
    out
}

#[test]
fn every_pair_breaks_its_law_alone_and_is_mended() {
    let wrong = two_at_a_time(&all(), faults);
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// What the program says about a policy, without the verdict: that changes with every law that is added to the catalogue.
fn said(pair: &Pair) -> Vec<String> {
    let roadlaw = Program::new(env!("CARGO_BIN_EXE_roadlaw-under-test"), &repository());
    let bad = pair.file("bad.road");
    let typed = bad.strip_prefix(repository()).unwrap_or(&bad).display().to_string();
    let human = roadlaw.run(&["check", &typed]).out;
    let human: String = human.lines().take_while(|l| !l.starts_with("rejected ")).map(|l| format!("{l}\n")).collect();
    let json = roadlaw.run(&["check", &typed, "--format", "json"]).json();
    // One diagnostic a line: the text for people beside it is what is read.
    let each: Vec<String> = json["diagnostics"].as_array().into_iter().flatten().map(ToString::to_string).collect();
    let json = format!("[\n{}\n]\n", each.join(",\n"));
    [("bad.txt", human), ("bad.json", json)]
        .into_iter()
        .filter_map(|(e, t)| golden_at(&pair.file(e), &t).err())
        .collect()
}

#[test]
fn what_is_said_about_each_bad_policy_is_as_recorded() {
    let wrong = two_at_a_time(&all(), said);
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn every_pair_that_shows_no_run_is_a_pair_and_is_listed_once() {
    let all: BTreeSet<String> = all().iter().map(|p| format!("{}/{}", p.code, p.shape)).collect();
    let mut listed = BTreeSet::new();
    for name in WITHOUT_A_RUN.iter().flat_map(|(_, list)| names(list)) {
        assert!(all.contains(&name), "{name} is no pair");
        assert!(!listed.contains(&name), "{name} is listed twice");
        listed.insert(name);
    }
}

#[test]
fn every_law_that_runs_has_a_pair_and_every_pair_a_law_that_runs() {
    let have: BTreeSet<String> = all().into_iter().map(|p| p.code).collect();
    let want: BTreeSet<String> =
        STRICT_LAWS.iter().filter(|l| !INTERNAL.contains(l)).map(|l| (*l).to_owned()).collect();
    assert_eq!(have.symmetric_difference(&want).collect::<Vec<_>>(), Vec::<&String>::new());
}

/// The page of laws, from the data that `roadlaw explain` shows.
fn page() -> String {
    use roadlaw_compiler::laws::catalogue::profiles::left_out;
    use roadlaw_compiler::laws::catalogue::{LAWS, SHAPES};
    use roadlaw_compiler::model::Profile;
    use roadlaw_compiler::prove::checked_by;
    let mut out = String::from(
        "# Laws\n\nWritten from `compiler/src/laws/catalogue`, the data of `roadlaw explain CODE`; a test keeps it true. \
         Each law says in which\nprofiles it runs. `strict` is the default; `policy NAME@1 profile gateway` and `profile choice` are the only way to leave \
         a law out,\nand a verdict prints which laws ran and which were left out.\n\n## Profiles\n",
    );
    for profile in Profile::ALL.iter().filter(|p| !left_out(**p).is_empty()) {
        out += &format!("\n`{}` leaves out\n\n| laws | because |\n|---|---|\n", profile.word());
        for l in left_out(*profile) {
            out += &format!("| {} | {} |\n", l.codes.join(" "), l.why);
        }
    }
    out += "\n## Shapes\n\n| shape | meaning |\n|---|---|\n";
    for (shape, meaning) in SHAPES {
        out += &format!("| {shape} | {meaning} |\n");
    }
    for law in LAWS {
        let profiles = checked_by(law.code);
        out += &format!(
            "\n## {}: {}\n\n{} · {profiles}\n\n{}\n\nBroken:\n\n```\n{}\n```\n\nMended:\n\n```\n{}\n```\n\n{}\n",
            law.code, law.title, law.shape, law.protects, law.bad, law.repaired, law.fix
        );
    }
    out
}

#[test]
fn the_page_of_laws_is_that_of_the_catalogue() {
    let path = roadlaw_tests::repository().join("compiler/LAWS.md");
    if std::env::var_os("UPDATE_GOLDEN").is_some_and(|v| v == "1") {
        std::fs::write(&path, page()).expect("compiler/LAWS.md can be written");
    }
    let found = std::fs::read_to_string(&path).expect("compiler/LAWS.md");
    assert!(found == page(), "set UPDATE_GOLDEN=1 to bring compiler/LAWS.md up to date");
}
