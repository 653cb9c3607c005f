//! `roadlaw mutate FILE`.

use super::args::{Format, Mutate};
use super::check::{exit, human, input, object};
use super::fault::Fault;
use super::nearest::nearest;
use super::{Answer, Exit, files, json, style};
use roadlaw_compiler::mutate::operators::all;
use roadlaw_compiler::mutate::{Fate, Mutant, Mutated, mutate as make};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;

/// Makes every change of the catalogue, and says what noticed it; or lists the catalogue.
pub(crate) fn mutate(arguments: &Mutate, format: Format) -> Result<Answer, Fault> {
    for name in &arguments.only {
        if !all().any(|o| o.name == name) {
            let help = nearest(name, all().map(|o| o.name)).map(|n| format!("did you mean `{n}`?"));
            let help = help.or_else(|| Some("`roadlaw mutate --list` lists them".to_owned()));
            return Err(Fault::Usage { message: format!("no operator `{}`", style::plain(name)), help });
        }
    }
    if arguments.list {
        return Ok(list(format));
    }
    let Some(path) = &arguments.file else {
        return Err(Fault::Usage { message: "no policy is given".to_owned(), help: None });
    };
    let only: Vec<&str> = arguments.only.iter().map(String::as_str).collect();
    match make(&input(path)?, &only) {
        Mutated::Unfit { checked, failed } if failed.is_empty() => {
            let mut value = object(path, &checked);
            value["mutants"] = json!([]);
            let text = match format {
                Format::Human => {
                    human(path, &checked) + "           nothing was changed: the policy must be proved first\n"
                }
                Format::Json => json::line(&value),
            };
            Ok(Answer { text, exit: exit(checked.report.verdict) })
        }
        Mutated::Unfit { checked, failed } => {
            let mut value = object(path, &checked);
            value["verdict"] = json!(Exit::Rejected.verdict());
            value["failed_tests"] = json!(failed);
            value["mutants"] = json!([]);
            let name = style::plain(&files::name(path));
            let text = match format {
                Format::Human => format!(
                    "{}     {name}  {} of its tests: run `roadlaw test`; nothing was changed\n",
                    style::bad("failed"),
                    failed.len()
                ),
                Format::Json => json::line(&value),
            };
            Ok(Answer { text, exit: Exit::Rejected })
        }
        Mutated::Mutants { policy, mutants } => Ok(answer(path, &policy, &mutants, format)),
    }
}

/// How many had each fate.
#[derive(Debug, Default, PartialEq, Eq)]
struct Score {
    rejected: usize,
    caught: usize,
    equivalent: usize,
    alive: usize,
    undecided: usize,
}

impl Score {
    fn of(mutants: &[Mutant]) -> Self {
        let mut score = Self::default();
        for m in mutants {
            match m.fate {
                Fate::Rejected { .. } => score.rejected += 1,
                Fate::Caught { .. } => score.caught += 1,
                Fate::Equivalent { .. } => score.equivalent += 1,
                Fate::Alive { .. } => score.alive += 1,
                Fate::Undecided { .. } => score.undecided += 1,
            }
        }
        score
    }

    fn exit(&self) -> Exit {
        match (self.alive, self.undecided) {
            (0, 0) => Exit::Proved,
            (0, _) => Exit::Undecided,
            _ => Exit::Rejected,
        }
    }

    /// Mutants that were noticed, and those that could have been.
    fn noticed(&self) -> (usize, usize) {
        let noticed = self.rejected + self.caught;
        (noticed, noticed + self.alive + self.undecided)
    }
}

fn answer(path: &Path, policy: &str, mutants: &[Mutant], format: Format) -> Answer {
    let score = Score::of(mutants);
    let exit = score.exit();
    let (noticed, of) = score.noticed();
    if format == Format::Json {
        let value = json!({
            "file": files::name(path),
            "policy": policy,
            "verdict": exit.verdict(),
            "score": {
                "mutants": mutants.len(), "rejected": score.rejected, "caught": score.caught,
                "equivalent": score.equivalent, "alive": score.alive, "undecided": score.undecided,
                "noticed": noticed, "of": of,
            },
            "mutants": mutants.iter().map(value).collect::<Vec<_>>(),
        });
        return Answer { text: json::line(&value), exit };
    }
    let mut text = String::new();
    let mut last = "";
    for m in mutants {
        if m.operator != last {
            last = m.operator;
            let meaning = all().find(|o| o.name == m.operator).map_or("", |o| o.meaning);
            let _ = writeln!(text, "{}  {}", style::strong(m.operator), style::faint(meaning));
        }
        let word = match m.fate {
            Fate::Alive { .. } | Fate::Undecided { .. } => style::bad(format_args!("{:10}", m.fate.word())),
            _ => style::good(format_args!("{:10}", m.fate.word())),
        };
        let _ = writeln!(
            text,
            "  {word}  {}:{}  {}  {}",
            style::plain(&m.file),
            m.line,
            style::plain(&m.what),
            because(&m.fate)
        );
        if matches!(m.fate, Fate::Alive { .. } | Fate::Undecided { .. }) {
            for (sign, line) in
                m.hunks.iter().flat_map(|h| h.before.iter().map(|l| ('-', l)).chain(h.after.iter().map(|l| ('+', l))))
            {
                let _ = writeln!(text, "              {sign} {}", style::plain(line.trim()));
            }
        }
    }
    let verdict = match exit {
        Exit::Proved => style::good("none alive"),
        Exit::Undecided => style::bad("undecided"),
        _ => style::bad("alive"),
    };
    let _ = writeln!(text, "{verdict} {}  policy {policy}", style::plain(&files::name(path)));
    let _ = writeln!(
        text,
        "           {} mutants: {} rejected, {} caught by tests, {} equivalent, {} alive, {} undecided",
        mutants.len(),
        score.rejected,
        score.caught,
        score.equivalent,
        score.alive,
        score.undecided
    );
    let _ = writeln!(text, "           score {noticed} of {of}");
    Answer { text, exit }
}

/// What noticed it, or what nobody noticed.
fn because(fate: &Fate) -> String {
    match fate {
        Fate::Rejected { code, .. } => format!("by {code}"),
        Fate::Caught { test } => format!("by test \"{}\"", style::plain(test)),
        Fate::Equivalent { how } => format!("proved: {how}"),
        Fate::Alive { differs } => format!("no law and no test notices: {}", style::plain(differs)),
        Fate::Undecided { why } => style::plain(why),
    }
}

fn value(m: &Mutant) -> Value {
    let mut value = json!({
        "operator": m.operator,
        "file": m.file,
        "line": m.line,
        "what": m.what,
        "fate": m.fate.word(),
    });
    match &m.fate {
        Fate::Rejected { code, message } => {
            value["code"] = json!(code);
            value["message"] = json!(message);
        }
        Fate::Caught { test } => value["test"] = json!(test),
        Fate::Equivalent { how } => value["proved"] = json!(how),
        Fate::Alive { differs } => value["differs"] = json!(differs),
        Fate::Undecided { why } => value["why"] = json!(why),
    }
    value["changed"] = json!(m.hunks);
    value
}

fn list(format: Format) -> Answer {
    let text = match format {
        Format::Json => {
            let of = |o: &roadlaw_compiler::mutate::Operator| json!({ "name": o.name, "meaning": o.meaning, "example": o.example });
            json::line(&json!({ "operators": all().map(of).collect::<Vec<_>>() }))
        }
        Format::Human => {
            let width = all().map(|o| o.name.len()).max().unwrap_or(0);
            all().map(|o| format!("{:width$}  {}\n", o.name, o.meaning)).collect()
        }
    };
    Answer { text, exit: Exit::Proved }
}
