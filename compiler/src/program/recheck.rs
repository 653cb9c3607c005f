//! `roadlaw recheck PROOF --source FILE --table TABLE`.

use super::args::Format;
use super::check::input;
use super::fault::Fault;
use super::{Answer, Exit, files, json, render, style};
use roadlaw_compiler::lower::lower;
use roadlaw_compiler::manifest::Manifest;
use roadlaw_compiler::recheck::{self, Rechecked, Refusal};
use roadlaw_grammar::diagnostic::Severity;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;

/// Looks at a proof again, without Z3 and without the engines.
pub(crate) fn recheck(proof: &Path, source: &Path, table: &Path, format: Format) -> Result<Answer, Fault> {
    let text = files::read(proof)?;
    let bytes = files::read(table)?;
    let unusable =
        |r: &Refusal| Fault::File { doing: "use the proof", path: files::name(proof), reason: r.to_string() };
    let manifest = recheck::read(&text).map_err(|r| unusable(&r))?;
    let lowered = lower(input(source)?);
    let sound = lowered.diagnostics.iter().all(|d| d.severity != Severity::Error);
    let Some(model) = lowered.model.filter(|_| sound) else {
        let text = match format {
            Format::Human => {
                let shown = render::diagnostics(&lowered.sources, &lowered.diagnostics);
                format!(
                    "{shown}{}   {}: no proof of a policy that is rejected\n",
                    style::bad("rejected"),
                    shown_name(source)
                )
            }
            Format::Json => json::line(&json!({
                "proof": files::name(proof),
                "verdict": Exit::Rejected.verdict(),
                "diagnostics": json::diagnostics(&lowered.sources, &lowered.diagnostics),
            })),
        };
        return Ok(Answer { text, exit: Exit::Rejected });
    };
    let found = recheck::recheck(&manifest, &model, &bytes);
    let exit = match &found {
        Err(r) if r.unreadable() => return Err(unusable(r)),
        Err(_) => Exit::Rejected,
        Ok(r) if r.trusted.is_empty() => Exit::Proved,
        Ok(_) => Exit::Undecided,
    };
    let text = match format {
        Format::Human => human(proof, &manifest, &found),
        Format::Json => json::line(&object(proof, &manifest, &found, exit)),
    };
    Ok(Answer { text, exit })
}

fn shown_name(path: &Path) -> String {
    style::plain(&files::name(path)).to_string()
}

fn human(proof: &Path, manifest: &Manifest, found: &Result<Rechecked, Refusal>) -> String {
    let name = shown_name(proof);
    let r = match found {
        Err(refusal) => {
            return format!("{}   {name}: {}\n", style::bad("rejected"), style::plain(&refusal.to_string()));
        }
        Ok(r) => r,
    };
    let word = if r.trusted.is_empty() { style::good("rechecked") } else { style::bad("undecided") };
    let mut text = format!("{word}  {name}  policy {}\n", style::plain(&manifest.policy));
    let seen: usize = r.checked.values().sum();
    let how: Vec<String> = r.checked.iter().map(|(how, n)| format!("{n} {how}")).collect();
    let _ =
        writeln!(text, "           {seen} of {} obligations without Z3 and the engines: {}", r.total, how.join(", "));
    let _ = writeln!(text, "           the table says what the policy says, for all facts and outcomes");
    for t in &r.trusted {
        let subject = style::plain(&t.subject).to_string();
        let _ = writeln!(text, "           trusted: {} of `{subject}` ({}): {}", t.law, style::plain(&t.by), t.why);
    }
    let _ = writeln!(text, "           trusted: the lowering from text to model, and the statement of the laws");
    let _ = writeln!(
        text,
        "           not looked at: versions of solvers, what engines are said to have answered, counts of resources"
    );
    text
}

fn object(proof: &Path, manifest: &Manifest, found: &Result<Rechecked, Refusal>, exit: Exit) -> Value {
    let mut value = json!({
        "proof": files::name(proof),
        "policy": manifest.policy,
        "verdict": exit.verdict(),
    });
    match found {
        Err(refusal) => value["refused"] = json!(refusal.to_string()),
        Ok(r) => {
            value["obligations"] = json!(r.total);
            value["checked"] = json!(r.checked);
            let trusted =
                r.trusted.iter().map(|t| json!({ "law": t.law, "subject": t.subject, "by": t.by, "why": t.why }));
            value["trusted"] = trusted.collect();
        }
    }
    value
}
