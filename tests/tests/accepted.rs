//! Policies that a checker which is too strict would reject, and which are right: accepted, and without a word. And the
//! other way round: what is nearly right is rejected, and nothing that is written beside a policy makes a law be silent.

use roadlaw_tests::{Program, policies, repository};

fn roadlaw() -> Program {
    Program::new(env!("CARGO_BIN_EXE_roadlaw-under-test"), &repository())
}

#[test]
fn what_is_right_is_accepted_without_a_word() {
    let files = policies("tests/accepted");
    assert!(files.len() >= 25, "{} policies", files.len());
    let mut wrong = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("text");
        let file = file.display().to_string();
        let why = text.lines().next().and_then(|l| l.strip_prefix("// ")).unwrap_or_default();
        if why.split_whitespace().count() < 8 || !why.ends_with('.') {
            wrong.push(format!("{file}: the first line does not say why it is right"));
        }
        let run = roadlaw().run(&["check", &file, "--format", "json"]);
        let json = run.json();
        let silent = json["diagnostics"].as_array().is_some_and(Vec::is_empty);
        if run.code != 0 || json["verdict"] != "proved" || !silent {
            wrong.push(format!("{file}: {}", json["diagnostics"]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The other side: nearly right, and rejected by exactly the laws that the first line names, `// RL304 RL202: ..`.
#[test]
fn what_is_nearly_right_is_rejected_for_its_fault_alone() {
    let files = policies("tests/rejected");
    assert!(files.len() >= 15, "{} policies", files.len());
    let mut wrong = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("text");
        let file = file.display().to_string();
        let named = text.lines().next().and_then(|l| l.strip_prefix("// ")?.split_once(": ")).map(|(codes, _)| codes);
        let named: Vec<String> = named.unwrap_or_default().split_whitespace().map(str::to_owned).collect();
        let run = roadlaw().run(&["check", &file, "--format", "json"]);
        let json = run.json();
        if run.code != 1 || run.codes() != named || !json["table_bytes"].is_null() {
            wrong.push(format!("{file}: {:?}, not {named:?}", run.codes()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_comment_attribute_or_flag_silences_a_law() {
    let path = repository().join("examples/bad/silent-provider.road");
    let text = std::fs::read_to_string(&path).expect("text");
    let path = path.display().to_string();
    let before = roadlaw().run(&["check", &path, "--format", "json"]);
    assert_eq!((before.code, before.codes()), (1, vec!["RL301".to_owned()]));
    let folder = tempfile::tempdir().expect("a folder");
    let copy = folder.path().join("copy.road");
    let copy = copy.to_str().expect("a path");
    let edge = text.lines().find(|l| l.contains("-fallback->")).expect("a fallback");
    for said in ["// allow RL301", "// roadlaw-ignore", "/// @ignore RL301"] {
        // Above the policy, above the edge and behind it.
        let near = if said.starts_with("///") { edge.to_owned() } else { format!("{said}\n{edge} {said}") };
        let head = text.replacen("policy ", &format!("{said}\npolicy "), 1);
        std::fs::write(copy, head.replacen(edge, &near, 1)).expect("written");
        let run = roadlaw().run(&["check", copy, "--format", "json"]);
        assert_eq!((run.code, run.codes()), (1, vec!["RL301".to_owned()]), "{said}: {}", run.out);
    }
    for said in ["#[allow(RL301)]", "@ignore", "allow RL301"] {
        std::fs::write(copy, text.replacen(edge, &format!("{said}\n{edge}"), 1)).expect("written");
        let run = roadlaw().run(&["check", copy, "--format", "json"]);
        assert_eq!(run.code, 1, "{said} is no text of a policy: {}", run.out);
        assert!(run.json()["table_bytes"].is_null());
    }
    for flag in [&["--allow", "RL301"][..], &["--ignore", "RL301"], &["-A", "RL301"], &["--profile", "choice"]] {
        let run = roadlaw().run(&[&["check", path.as_str()], flag].concat());
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{flag:?}");
    }
}
