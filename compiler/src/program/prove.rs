//! `roadlaw prove FILE --smt2 DIR`.

use super::args::Format;
use super::check::{exit, human, load_with, object};
use super::fault::Fault;
use super::{Answer, files, json, style};
use roadlaw_compiler::prove::Settings;
use roadlaw_compiler::table::Options;
use serde_json::json;
use std::path::Path;

/// Proves the policy and writes the question of each obligation. The folder is made beside its place and renamed: it is there
/// whole or not at all.
pub(crate) fn scripts(path: &Path, folder: &Path, format: Format) -> Result<Answer, Fault> {
    let checked = load_with(path, Options::default(), Settings { scripts: true, ..Settings::default() })?;
    let mut said = None;
    if let (Some(proof), Some(model), Some(_)) = (&checked.report.proof, &checked.model, &checked.table) {
        let (scripts, without) = proof.scripts(model);
        let texts: Vec<(&str, &str)> = scripts.iter().map(|s| (s.name.as_str(), s.text.as_str())).collect();
        files::folder(folder, &texts)?;
        said = Some((scripts.len(), without));
    }
    let text = match format {
        Format::Human => {
            let mut text = human(path, &checked);
            text += &match said {
                Some((n, without)) => format!(
                    "           wrote {n} {} to {}; {without} {} settled by counting and {} none\n",
                    if n == 1 { "script" } else { "scripts" },
                    style::plain(&files::name(folder)),
                    if without == 1 { "obligation is" } else { "obligations are" },
                    if without == 1 { "has" } else { "have" },
                ),
                None => format!("           {}\n", style::faint("nothing was written")),
            };
            text
        }
        Format::Json => {
            let mut value = object(path, &checked);
            value["scripts"] = json!(said.map(|(n, _)| n));
            value["without_script"] = json!(said.map(|(_, n)| n));
            json::line(&value)
        }
    };
    Ok(Answer { text, exit: exit(checked.report.verdict) })
}
