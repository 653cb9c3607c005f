//! `roadlaw test FILE..`.

use super::args::Format;
use super::check::{exit, human, load, object};
use super::fault::Fault;
use super::{Answer, Exit, files, json, render, style};
use roadlaw_compiler::pipeline::Checked;
use roadlaw_compiler::table::Options;
use roadlaw_compiler::testing::{self, Tested};
use roadlaw_grammar::diagnostic::Diagnostic;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Proves each policy, builds its table in memory and runs its tests there. A file that cannot be read stops nothing but
/// itself.
pub(crate) fn test(paths: &[PathBuf], format: Format) -> Result<Answer, Fault> {
    if let [path] = paths {
        let checked = load(path, Options::default())?;
        let (exit, text, value) = one(path, &checked)?;
        return Ok(Answer { text: if format == Format::Json { json::line(&value) } else { text }, exit });
    }
    let (mut exits, mut text, mut results) = (Vec::new(), String::new(), Vec::new());
    for path in paths {
        match load(path, Options::default()).and_then(|checked| one(path, &checked)) {
            Ok((exit, said, value)) => {
                exits.push(exit);
                text += &said;
                results.push(value);
            }
            Err(fault) => {
                exits.push(Exit::Unusable);
                text += &fault.human();
                results.push(fault.value());
            }
        }
    }
    let exit = Exit::worst(exits);
    if format == Format::Json {
        text = json::line(&json!({ "verdict": exit.verdict(), "results": results }));
    }
    Ok(Answer { text, exit })
}

fn one(path: &Path, checked: &Checked) -> Result<(Exit, String, Value), Fault> {
    let (Some(model), Some(bytes)) = (&checked.model, &checked.table) else {
        let mut value = object(path, checked);
        value["tests"] = json!([]);
        return Ok((exit(checked.report.verdict), human(path, checked), value));
    };
    let tested = testing::run(model, bytes).map_err(|e| Fault::File {
        doing: "test",
        path: files::name(path),
        reason: e.to_string(),
    })?;
    let failed: Vec<Diagnostic> = tested.iter().filter_map(|t| t.failure.clone()).collect();
    let exit = if failed.is_empty() { Exit::Proved } else { Exit::Rejected };
    let name = style::plain(&files::name(path));
    let mut text = render::diagnostics(&checked.sources, &failed);
    text += &match (tested.len(), failed.len()) {
        (0, _) => format!("{}     {name}  has no tests\n", style::good("proved")),
        (n, 0) => format!("{}     {name}  {n} test{}\n", style::good("passed"), plural(n)),
        (n, k) => format!("{}     {name}  {k} of {n} test{}\n", style::bad("failed"), plural(n)),
    };
    let tests: Vec<Value> =
        tested.iter().map(|t: &Tested| json!({ "name": t.name, "passed": t.failure.is_none() })).collect();
    let value = json!({
        "file": files::name(path),
        "policy": format!("{}@{}", model.name, model.version),
        "verdict": exit.verdict(),
        "tests": tests,
        "diagnostics": json::diagnostics(&checked.sources, &failed),
    });
    Ok((exit, text, value))
}

fn plural(n: usize) -> &'static str {
    if n == 1 { "" } else { "s" }
}
