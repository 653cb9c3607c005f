//! `profile gateway` leaves out the laws that it lists and no other: every pair of `tests/laws` is read again under it, and so
//! is a right policy of a gateway under `strict`.

use roadlaw_compiler::laws::catalogue::profiles::{left_out, runs};
use roadlaw_compiler::lower::{Input, lower};
use roadlaw_compiler::model::{Model, Profile};
use roadlaw_compiler::pipeline::{Checked, check};
use roadlaw_compiler::prove::{STRICT_LAWS, Verdict, laws_of, prove};
use roadlaw_compiler::table::Options;
use roadlaw_grammar::diagnostic::{Diagnostic, Severity};
use roadlaw_tests::pairs::{Pair, pairs, two_at_a_time};
use roadlaw_tests::{Program, policies, repository};
use std::collections::BTreeSet;
use std::path::Path;

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The policy under another profile: its first line `policy NAME@1 {` names none.
fn under(text: &str, profile: &str) -> String {
    let line = text.lines().find(|l| l.starts_with("policy ")).expect("a policy");
    let head = line.strip_suffix(" {").expect("a line of its own");
    let head = head.split(" profile ").next().unwrap_or(head);
    text.replacen(line, &format!("{head} profile {profile} {{"), 1)
}

fn checked(text: &str, root: &Path) -> Checked {
    let input = Input { name: "p.road".into(), bytes: text.as_bytes().to_vec(), root: Some(root.to_owned()) };
    check(input, Options::default())
}

fn lowered(text: &str, root: &Path) -> Model {
    let input = Input { name: "p.road".into(), bytes: text.as_bytes().to_vec(), root: Some(root.to_owned()) };
    lower(input).model.expect("a model")
}

fn codes(diagnostics: &[Diagnostic]) -> BTreeSet<&str> {
    diagnostics.iter().filter(|d| d.severity == Severity::Error).map(|d| d.code).collect()
}

/// All that is wrong is a gate that a gateway need not pass, whatever code its absence has here.
fn lacks_what_is_left_out(text: &str, root: &Path) -> bool {
    let gates = [("MIN ", "RL102"), ("VER ", "RL105"), ("DEC ", "RL108"), ("ATT ", "RL109")];
    let strict = checked(text, root);
    let faults: Vec<&str> =
        strict.report.diagnostics.iter().filter_map(|d| d.witness.as_ref()?.path.last()?.fault.as_deref()).collect();
    let left_out = |fault: &&str| gates.iter().any(|(g, law)| fault.starts_with(g) && !runs(Profile::Gateway, law));
    !faults.is_empty() && faults.iter().all(left_out)
}

fn faults(pair: &Pair) -> Vec<String> {
    let bad = pair.file("bad.road");
    let root = bad.parent().expect("a folder");
    if lowered(&text(&pair.file("good.road")), root).profile == Profile::Choice {
        // Options are a pure choice's own.
        return Vec::new();
    }
    let c = checked(&under(&text(&bad), "gateway"), root);
    let found = codes(&c.report.diagnostics);
    let code = pair.code.as_str();
    let rejected = found == BTreeSet::from([code]) && c.report.verdict == Verdict::Rejected && c.table.is_none();
    let right = match runs(Profile::Gateway, code) {
        false => !found.contains(code),
        true => rejected || (found.is_empty() && lacks_what_is_left_out(&text(&bad), root)),
    };
    if !right {
        return vec![format!("{code}/{}: {found:?} {:?}", pair.shape, c.report.verdict)];
    }
    let c = checked(&under(&text(&pair.file("good.road")), "gateway"), root);
    let fine = c.report.verdict == Verdict::Proved && codes(&c.report.diagnostics).is_empty();
    if fine { Vec::new() } else { vec![format!("{code}/{}: the twin {:?}", pair.shape, codes(&c.report.diagnostics))] }
}

#[test]
fn under_gateway_a_law_that_runs_is_kept_alone_and_one_that_is_left_out_is_silent() {
    let pairs = pairs().unwrap_or_else(|stray| panic!("{stray}"));
    let wrong = two_at_a_time(&pairs, faults);
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn a_right_policy_of_a_gateway_breaks_under_strict_what_is_left_out_and_nothing_else() {
    let path = repository().join("examples/gateway.road");
    let text = text(&path);
    let root = path.parent().expect("a folder");
    let left: BTreeSet<&str> = left_out(Profile::Gateway).iter().flat_map(|l| l.codes.iter().copied()).collect();
    let by_text = checked(&under(&text, "strict"), root);
    let mut found: BTreeSet<String> = codes(&by_text.report.diagnostics).into_iter().map(str::to_owned).collect();
    // A path that lacks several gates is told of the first: they are put in, one by one.
    let gates = ["minimize", "verify", "decide", "attempt"];
    for n in 0..=gates.len() {
        let has = |gate: &str| if gates[..n].contains(&gate) { format!("{gate}(r) -> ") } else { String::new() };
        let chain = format!(
            "start -> {}cut(r) -> {}reserve(r) -> {}{}egress(r)",
            has("minimize"),
            has("verify"),
            has("decide"),
            has("attempt")
        );
        let unsure = "    verify(r).verifier_uncertain -> exit(blocked)\n    cut(r).cut_semantics_lost";
        let text = if n >= 2 { text.replacen("    cut(r).cut_semantics_lost", unsure, 1) } else { text.clone() };
        let text = text.replacen("start -> cut(r) -> reserve(r) -> egress(r)", &chain, 1);
        let mut model = lowered(&text, root);
        model.profile = Profile::Strict;
        found.extend(codes(&prove(&model).diagnostics).into_iter().map(str::to_owned));
    }
    assert_eq!(found.iter().map(String::as_str).collect::<BTreeSet<_>>(), left);
}

#[test]
fn the_verdict_prints_the_profile_what_ran_and_what_was_left_out_with_the_reason() {
    let roadlaw = Program::new(env!("CARGO_BIN_EXE_roadlaw-under-test"), &repository());
    for profile in Profile::ALL {
        let file = policies("examples").into_iter().find(|f| {
            let head = text(f).lines().find(|l| l.starts_with("policy ")).unwrap_or_default().to_owned();
            match profile {
                Profile::Strict => !head.contains(" profile "),
                p => head.contains(&format!(" profile {} ", p.word())),
            }
        });
        let file = file.expect("an example of each profile").display().to_string();
        let json = roadlaw.run(&["check", &file, "--format", "json"]).json();
        assert_eq!(json["profile"], profile.word());
        let list = |key: &str| json[key].as_array().cloned().unwrap_or_default();
        let ran: Vec<String> = list("laws").iter().map(|l| l.as_str().unwrap_or_default().to_owned()).collect();
        assert_eq!(ran, laws_of(*profile), "{file}");
        let left: BTreeSet<String> =
            list("left_out").iter().map(|l| l["code"].as_str().unwrap_or_default().to_owned()).collect();
        let all: BTreeSet<String> = ran.iter().cloned().chain(left.iter().cloned()).collect();
        assert_eq!(all, STRICT_LAWS.iter().map(|l| (*l).to_owned()).collect(), "{file}");
        assert_eq!(left.len() + ran.len(), STRICT_LAWS.len(), "{file}");
        let human = roadlaw.run(&["check", &file]).out;
        let words = |s: &str| s.split_whitespace().map(str::to_owned).collect::<Vec<_>>().join(" ");
        assert!(human.contains(&format!("profile {}, {} laws: RA ", profile.word(), ran.len())), "{human}");
        for l in left_out(*profile) {
            assert!(words(&human).contains(&words(l.why)), "{}\n{human}", l.why);
        }
        assert_eq!(human.contains("left out:"), *profile != Profile::Strict, "{human}");
    }
}

#[test]
fn a_role_that_a_gateway_policy_fills_is_asked_of_every_road() {
    let path = repository().join("examples/gateway.road");
    let text = text(&path);
    let root = path.parent().expect("a folder");
    // `small` forgets the key that `large` asks for: the policy's own fact has the role, for both.
    let forgot = text
        .replacen(
            "  filters allowed",
            "  filters mine { home : not stays_home  health : healthy }\n  filters allowed",
            1,
        )
        .replacen(
            "road small : native portal to small with { body: whole } { limits file  filters allowed }",
            "road small : native portal to small with { body: whole } { limits file  filters mine }",
            1,
        );
    assert_ne!(forgot, text);
    assert_eq!(codes(&checked(&forgot, root).report.diagnostics), BTreeSet::from(["RL103"]));
}

#[test]
fn a_child_that_leaves_its_ceilings_open_fits_into_no_parent() {
    let path = repository().join("tests/accepted/child-of-its-own.road");
    let whole = under(&text(&path), "gateway");
    let root = path.parent().expect("a folder");
    assert_eq!(checked(&whole, root).report.verdict, Verdict::Proved);
    let bare = "{ prompt: instructions } { limits { deadline 30s retries 0 }";
    let open = whole.replace("{ prompt: instructions } { limits one", bare);
    assert_ne!(open, whole);
    let c = checked(&open, root);
    assert_eq!(codes(&c.report.diagnostics), BTreeSet::from(["RL603"]));
    let said = &c.report.diagnostics[0].message;
    assert!(said.contains("spend without a limit above 5 cents"), "{said}");
}
