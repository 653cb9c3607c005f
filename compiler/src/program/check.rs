//! `roadlaw check FILE..`, and the verdict as every other command shows it.

use super::args::{Format, OneEngine};
use super::fault::Fault;
use super::{Answer, Exit, files, json, render, style, worst};
use roadlaw_compiler::laws::catalogue::profiles::{self, LeftOut};
use roadlaw_compiler::lower::Input;
use roadlaw_compiler::model::Profile;
use roadlaw_compiler::pipeline::{self, Checked};
use roadlaw_compiler::prove::{Engine, Report, Settings, Verdict};
use roadlaw_compiler::table::Options;
use roadlaw_grammar::diagnostic::Severity;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// One policy: one object, or its diagnostics and a summary. Several: `{verdict, results}`, or one after the other.
/// A file that cannot be read stops nothing but itself.
pub(crate) fn check(paths: &[PathBuf], engine: Option<OneEngine>, format: Format) -> Result<Answer, Fault> {
    let engine = match engine {
        None => Engine::Both,
        Some(OneEngine::Diagrams) => Engine::Diagrams,
        Some(OneEngine::Z3) => Engine::Z3,
    };
    let settings = Settings { engine, ..Settings::default() };
    if let [path] = paths {
        let checked = load_with(path, Options::default(), settings)?;
        let exit = exit(checked.report.verdict);
        return Ok(match format {
            Format::Human => Answer { text: human(path, &checked), exit },
            Format::Json => Answer { text: json::line(&object(path, &checked)), exit },
        });
    }
    let mut exits = Vec::new();
    let mut text = String::new();
    let mut results = Vec::new();
    for path in paths {
        match load_with(path, Options::default(), settings) {
            Ok(checked) => {
                exits.push(exit(checked.report.verdict));
                match format {
                    Format::Human => text += &human(path, &checked),
                    Format::Json => results.push(object(path, &checked)),
                }
            }
            Err(fault) => {
                exits.push(Exit::Unusable);
                match format {
                    Format::Human => text += &fault.human(),
                    Format::Json => results.push(fault.value()),
                }
            }
        }
    }
    let exit = Exit::worst(exits);
    if format == Format::Json {
        text = json::line(&json!({ "verdict": exit.verdict(), "results": results }));
    }
    Ok(Answer { text, exit })
}

/// Reads and checks one policy.
pub(crate) fn load(path: &Path, options: Options) -> Result<Checked, Fault> {
    load_with(path, options, Settings::default())
}

/// The same, by other settings of the proof.
pub(crate) fn load_with(path: &Path, options: Options, settings: Settings) -> Result<Checked, Fault> {
    Ok(pipeline::check_with(input(path)?, options, settings))
}

/// Reads one policy. `use` finds files in its folder and below; text from standard input has no folder.
pub(crate) fn input(path: &Path) -> Result<Input, Fault> {
    let bytes = files::read(path)?;
    let root = match path.parent() {
        _ if path.as_os_str() == "-" => None,
        Some(folder) if !folder.as_os_str().is_empty() => Some(folder.to_owned()),
        _ => Some(PathBuf::from(".")),
    };
    Ok(Input { name: files::name(path), bytes, root })
}

/// The exit code of a verdict.
pub(crate) fn exit(verdict: Verdict) -> Exit {
    match verdict {
        Verdict::Proved => Exit::Proved,
        Verdict::Rejected => Exit::Rejected,
        Verdict::Undecided => Exit::Undecided,
    }
}

/// The verdict as an object.
pub(crate) fn object(path: &Path, checked: &Checked) -> Value {
    let report = &checked.report;
    json!({
        "file": files::name(path),
        "policy": policy(checked),
        "profile": checked.model.as_ref().map(|m| m.profile),
        "verdict": report.verdict,
        "laws": report.laws,
        "left_out": left_out(checked).flat_map(|l| l.codes.iter().map(|c| json!({ "code": c, "why": l.why }))).collect::<Vec<_>>(),
        "obligations": report.obligations,
        "analysed": report.analysed,
        "worst_case": report.worst,
        "table_bytes": checked.table.as_ref().map(Vec::len),
        "diagnostics": json::diagnostics(&checked.sources, &report.diagnostics),
    })
}

/// Diagnostics, then the verdict.
pub(crate) fn human(path: &Path, checked: &Checked) -> String {
    let mut text = render::diagnostics(&checked.sources, &checked.report.diagnostics);
    text += &summary(path, checked);
    text
}

fn policy(checked: &Checked) -> Option<String> {
    checked.model.as_ref().map(|m| format!("{}@{}", m.name, m.version))
}

fn summary(path: &Path, checked: &Checked) -> String {
    let report = &checked.report;
    let name = style::plain(&files::name(path));
    let of = policy(checked).map(|p| format!("  policy {p}")).unwrap_or_default();
    let mut text = match report.verdict {
        Verdict::Proved => format!("{}     {name}{of}\n", style::good("proved")),
        Verdict::Rejected => format!("{}   {name}{of}\n", style::bad("rejected")),
        Verdict::Undecided => format!("{}  {name}{of}\n", style::bad("undecided")),
    };
    let mut row = |line: String| {
        let _ = writeln!(text, "           {line}");
    };
    if !report.laws.is_empty() {
        let profile = checked.model.as_ref().map_or(Profile::Strict, |m| m.profile).word();
        let lead = format!("profile {profile}, {} laws: ", report.laws.len());
        wrapped(&lead, &ranges(&report.laws)).into_iter().for_each(&mut row);
        let omitted: Vec<(String, &str)> = left_out(checked).map(|l| (ranges(l.codes), l.why)).collect();
        let width = omitted.iter().map(|(codes, _)| codes.len()).max().unwrap_or(0);
        for (i, (codes, why)) in omitted.iter().enumerate() {
            let lead = if i == 0 { "left out:" } else { "" };
            wrapped(&format!("{lead:9} {codes:width$}  "), why).into_iter().for_each(&mut row);
        }
        row(format!("{} obligations: {}", report.obligations.total, methods(report)));
        let a = &report.analysed;
        row(format!("{} facts, {} roads, {} nodes, {} edges", a.facts, a.roads, a.nodes, a.edges));
    }
    if let Some(w) = &report.worst {
        worst::rows(w).into_iter().for_each(&mut row);
    }
    match (report.verdict, &checked.table) {
        (Verdict::Proved, Some(table)) => {
            row(format!("table of {} bytes, read back and found equal to the policy", table.len()));
            row("no declared bypass; facts supplied at run time, and that gates named are crossed, stay trusted".into());
        }
        _ => {
            row(count(report));
            if let Some(code) = codes(report).into_iter().next() {
                row(format!("more: roadlaw explain {code}"));
            }
        }
    }
    text
}

/// Text behind a lead, broken at spaces so that lines stay within 120 columns; what follows stands below its beginning.
fn wrapped(lead: &str, text: &str) -> Vec<String> {
    let indent = lead.chars().count();
    let mut out = vec![lead.to_owned()];
    for word in text.split_whitespace() {
        let last = out.last().map_or(0, |l| l.chars().count());
        match out.last_mut() {
            Some(line) if last == indent || last + word.chars().count() < 109 => {
                if last > indent {
                    line.push(' ');
                }
                line.push_str(word);
            }
            _ => out.push(format!("{:indent$}{word}", "")),
        }
    }
    out
}

/// What the profile of a policy that was proved or refuted leaves out.
fn left_out(checked: &Checked) -> impl Iterator<Item = &'static LeftOut> {
    checked.model.iter().flat_map(|m| profiles::left_out(m.profile))
}

fn methods(report: &Report) -> String {
    let methods = report.obligations.by_method.iter().map(|(m, n)| format!("{n} {m}"));
    methods.collect::<Vec<_>>().join(", ")
}

fn codes(report: &Report) -> BTreeSet<&'static str> {
    report.diagnostics.iter().filter(|d| d.severity == Severity::Error).map(|d| d.code).collect()
}

fn count(report: &Report) -> String {
    let errors = report.diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
    let notes = report.diagnostics.len() - errors;
    let plural = |n: usize| if n == 1 { "" } else { "s" };
    let codes = codes(report).into_iter().collect::<Vec<_>>().join(", ");
    let mut text = format!("{errors} error{} ({codes})", plural(errors));
    if notes > 0 {
        let _ = write!(text, ", {notes} note{}", plural(notes));
    }
    text
}

/// Codes with runs of neighbours drawn together: `RL001-RL010 RL101-RL115 RL117 RA`.
fn ranges(codes: &[&'static str]) -> String {
    let number = |c: &str| c.strip_prefix("RL").and_then(|n| n.parse::<u32>().ok());
    let mut runs: Vec<(&str, &str)> = Vec::new();
    for code in codes {
        match runs.last_mut() {
            Some((_, last)) if number(last).is_some_and(|n| number(code) == Some(n + 1)) => *last = code,
            _ => runs.push((code, code)),
        }
    }
    let shown = runs.iter().map(|(a, b)| if a == b { (*a).to_owned() } else { format!("{a}-{b}") });
    shown.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::{ranges, wrapped};

    #[test]
    fn long_rows_go_on_below_their_beginning() {
        let rows = wrapped("laws: ", &"RL101-RL115 ".repeat(20));
        assert!(rows.len() > 2 && rows.iter().all(|r| r.len() < 110), "{rows:?}");
        assert!(rows[1].starts_with("      RL101"), "{rows:?}");
        assert_eq!(wrapped("a: ", "b"), ["a: b"]);
    }

    #[test]
    fn neighbouring_codes_are_drawn_together() {
        assert_eq!(ranges(&["RA", "RL001", "RL002", "RL003", "RL101", "RL117"]), "RA RL001-RL003 RL101 RL117");
        assert_eq!(ranges(&[]), "");
    }
}
