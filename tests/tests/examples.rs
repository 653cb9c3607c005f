//! Every example does what its folder promises, and README.md shows what the program really prints.

use roadlaw_tests::{Program, golden, policies, repository};

fn roadlaw() -> Program {
    Program::new(env!("CARGO_BIN_EXE_roadlaw-under-test"), &repository())
}

/// A path as a user in the repository would type it.
fn typed(path: &std::path::Path) -> String {
    path.strip_prefix(repository()).unwrap_or(path).display().to_string()
}

#[test]
fn every_example_is_proved_built_small_and_passes_its_own_tests() {
    let files = policies("examples");
    assert!(files.len() >= 7, "{files:?}");
    let folder = tempfile::tempdir().expect("a folder");
    for file in files {
        let file = typed(&file);
        let run = roadlaw().run(&["check", &file, "--format", "json"]);
        assert_eq!((run.code, run.json()["verdict"].as_str()), (0, Some("proved")), "{file}\n{}", run.out);

        let table = folder.path().join("t.table");
        let table = table.to_str().expect("a path");
        let run = roadlaw().run(&["build", &file, "-o", table]);
        assert_eq!(run.code, 0, "{file}\n{}", run.out);
        let size = std::fs::metadata(table).expect("a table").len();
        assert!(size < 8 * 1024, "{file}: {size} bytes");
        assert_eq!(roadlaw().run(&["verify", table, "--source", &file]).code, 0, "{file}");
        assert_eq!(roadlaw().run(&["inspect", table]).code, 0, "{file}");

        let run = roadlaw().run(&["test", &file, "--format", "json"]);
        assert_eq!(run.code, 0, "{file}\n{}", run.out);
    }
}

#[test]
fn every_broken_example_is_rejected_with_the_code_that_it_names() {
    let files = policies("examples/bad");
    assert!(files.len() >= 14, "{files:?}");
    for file in files {
        let text = std::fs::read_to_string(&file).expect("text");
        let file = typed(&file);
        // The first line says what is wrong: `// RL301: ...`.
        let named = text.lines().find_map(|l| l.strip_prefix("// ")?.split(':').next().map(str::to_owned));
        let run = roadlaw().run(&["check", &file, "--format", "json"]);
        assert_eq!(run.code, 1, "{file}\n{}", run.out);
        assert_eq!(run.codes(), named.into_iter().collect::<Vec<_>>(), "{file}\n{}", run.out);
    }
}

#[test]
fn what_the_broken_examples_print_is_as_recorded() {
    let mut wrong = Vec::new();
    for file in policies("examples/bad") {
        let file = typed(&file);
        let name = file.rsplit('/').next().unwrap_or(&file).trim_end_matches(".road");
        let human = roadlaw().run(&["check", &file]);
        wrong.extend(golden(&format!("{name}.txt"), &human.out).err());
        let json = roadlaw().run(&["check", &file, "--format", "json"]);
        wrong.extend(golden(&format!("{name}.json"), &json.out).err());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_same_policy_gives_the_same_bytes() {
    for file in policies("examples").into_iter().chain(policies("examples/bad")) {
        let file = typed(&file);
        let one = roadlaw().run(&["check", &file, "--format", "json"]);
        let two = roadlaw().run(&["check", &file, "--format", "json"]);
        assert_eq!(one, two, "{file}");
    }
}

/// Fences of README.md: what stands after the three marks, and the text inside.
fn fences(text: &str) -> Vec<(String, String)> {
    let mut out = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in text.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(info)) => open = Some((info.to_owned(), String::new())),
            (Some(_), Some(_)) => out.extend(open.take()),
            (Some((_, body)), None) => {
                body.push_str(line);
                body.push('\n');
            }
            (None, None) => {}
        }
    }
    out
}

/// README.md with each `$ roadlaw ..` answered by the program and each ```road fence taken from its file.
fn true_readme(text: &str) -> String {
    let mut text = text.to_owned();
    let fences = fences(&text);
    let mut policy = None;
    for (info, body) in &fences {
        let truth = if info == "road" {
            // Which example it is is said by the next command.
            policy = Some(body.clone());
            continue;
        } else if let Some(command) = body.strip_prefix("$ roadlaw ").and_then(|b| b.lines().next()) {
            let arguments: Vec<&str> = command.split_whitespace().collect();
            if let (Some(shown), Some(file)) = (policy.take(), arguments.iter().find(|a| a.ends_with(".road"))) {
                let source = std::fs::read_to_string(repository().join(file)).unwrap_or_default();
                text = text.replace(&shown, &source);
            }
            format!("$ roadlaw {command}\n{}", roadlaw().run(&arguments).out)
        } else {
            continue;
        };
        text = text.replace(body, &truth);
    }
    text
}

#[test]
fn the_readme_shows_real_output() {
    let path = repository().join("README.md");
    let text = std::fs::read_to_string(&path).expect("README.md");
    let truth = true_readme(&text);
    if std::env::var_os("UPDATE_GOLDEN").is_some_and(|v| v == "1") {
        std::fs::write(&path, &truth).expect("README.md can be written");
        return;
    }
    assert_eq!(text, truth, "set UPDATE_GOLDEN=1 to bring README.md up to date");
    let commands = fences(&text).into_iter().filter(|(_, b)| b.starts_with("$ roadlaw ")).count();
    assert!(commands >= 3, "{commands}");
}
