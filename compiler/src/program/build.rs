//! `roadlaw build`, `roadlaw verify` and `roadlaw model`.

use super::args::{Build, Format, LayoutName, Verify};
use super::check::{exit, human, input, load, load_with, object};
use super::fault::Fault;
use super::{Answer, Exit, emit, files, json, opened, places, render, sign, style};
use roadlaw_compiler::lower::lower;
use roadlaw_compiler::prove::{Settings, Verdict};
use roadlaw_compiler::table::{Layout, Options};
use roadlaw_grammar::span::{FileId, Sources};
use roadlaw_runtime::Table;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Checks the policy and, where everything is proved, writes the table and the proof. Both are complete beside their
/// places before either takes its place.
pub(crate) fn build(arguments: &Build, format: Format) -> Result<Answer, Fault> {
    if arguments.engine.is_some() {
        let message = "a table needs both engines: `--engine` is for `check`".to_owned();
        return Err(Fault::Usage { message, help: Some("leave out `--engine`".to_owned()) });
    }
    let layout = arguments.layout.map(|l| match l {
        LayoutName::Fast => Layout::Fast,
        LayoutName::Compact => Layout::Compact,
    });
    let emitted = emit::asked(arguments)?;
    let settings = Settings { record: arguments.proof.is_some(), ..Settings::default() };
    let checked = load_with(&arguments.file, Options { strip: arguments.strip, layout }, settings)?;
    let layout = checked.table.as_deref().and_then(laid_out);
    let mut written = Vec::new();
    if let (Some(table), Some(proof), Some(model)) = (&checked.table, &checked.report.proof, &checked.model) {
        let mut pending = Vec::new();
        let manifest = proof.manifest(model, table);
        if let (Some(path), Some(manifest)) = (&arguments.proof, manifest) {
            pending.push((path.clone(), files::stage(path, manifest.to_json().as_bytes())?));
        }
        if let Some(emitted) = &emitted {
            for (path, text) in emit::texts(emitted, &arguments.file, &checked, table)? {
                let staged = files::stage(&path, text.as_bytes())?;
                pending.push((path, staged));
            }
        }
        if let Some(path) = &arguments.output {
            pending.push((path.clone(), files::stage(path, table)?));
        }
        let used = libraries(&arguments.file, &checked.sources);
        let used: Vec<&Path> = used.iter().map(PathBuf::as_path).collect();
        places::apart(&used, &pending.iter().map(|(path, _)| path.clone()).collect::<Vec<_>>())?;
        for (path, staged) in pending {
            files::commit(&path, staged)?;
            written.push(files::name(&path));
        }
    }
    let text = match format {
        Format::Human => {
            let mut text = human(&arguments.file, &checked);
            if written.is_empty() {
                text += &format!("           {}\n", style::faint("nothing was written"));
            }
            for name in &written {
                text += &format!("           wrote {}\n", style::plain(name));
            }
            if let (Some(layout), false) = (layout, written.is_empty()) {
                text += &format!("           the table is laid out {layout}\n");
            }
            text
        }
        Format::Json => {
            let mut value = object(&arguments.file, &checked);
            value["written"] = json!(written);
            value["layout"] = json!(layout);
            json::line(&value)
        }
    };
    Ok(Answer { text, exit: exit(checked.report.verdict) })
}

/// Files beside the policy that it uses.
fn libraries(policy: &Path, sources: &Sources) -> Vec<PathBuf> {
    let files = (1..).map_while(|i| sources.file(FileId(i)));
    files.map(|f| policy.with_file_name(&f.name)).collect()
}

/// The word of a table's layout.
fn laid_out(table: &[u8]) -> Option<&'static str> {
    let t = Table::from_bytes(table).ok()?;
    Some(if t.is_compact() { "compact" } else { "fast" })
}

/// Looks at the signature of a table, proves its policy again, or both; the worst counts.
pub(crate) fn verify(arguments: &Verify, format: Format) -> Result<Answer, Fault> {
    let table = &arguments.table;
    let bytes = opened::read(table)?;
    let mut exits = Vec::new();
    let mut text = String::new();
    let mut value = json!({ "table": files::name(table) });
    if let Some(source) = &arguments.source {
        let (exit, said, object) = same(table, &bytes, source)?;
        exits.push(exit);
        text += &said;
        value = object;
    }
    if let Some(key) = &arguments.key {
        let seen = sign::look(table, &bytes, key, arguments.signature.as_deref(), arguments.epoch)?;
        exits.push(seen.exit);
        text += &seen.text;
        value["signature"] = seen.value;
    }
    let exit = Exit::worst(exits);
    value["verdict"] = json!(exit.verdict());
    if format == Format::Json {
        text = json::line(&value);
    }
    Ok(Answer { text, exit })
}

/// Proves the policy again and compares the bytes. Bytes that are no table at all are wrong input, not another policy's. The
/// table says itself whether it was built with names, and how it is laid out.
fn same(table: &Path, bytes: &[u8], source: &Path) -> Result<(Exit, String, Value), Fault> {
    let (t, _) = opened::check(table, bytes)?;
    let layout = if t.is_compact() { Layout::Compact } else { Layout::Fast };
    let checked = load(source, Options { strip: !t.has_symbols(), layout: Some(layout) })?;
    let identical = checked.table.as_ref().map(|t| t.as_slice() == bytes);
    let exit = match identical {
        Some(false) => Exit::Rejected,
        _ => exit(checked.report.verdict),
    };
    let offset = checked.table.as_ref().filter(|t| t.as_slice() != bytes).map(|t| first_difference(t, bytes));
    let mut value = object(source, &checked);
    value["table"] = json!(files::name(table));
    value["identical"] = json!(identical);
    value["first_difference"] = json!(offset);
    if identical == Some(false) {
        value["verdict"] = json!(Verdict::Rejected);
    }
    let mut text = human(source, &checked);
    let name = style::plain(&files::name(table));
    text += &match (identical, offset) {
        (Some(true), _) => format!("{}   {name}: the same {} bytes\n", style::good("verified"), bytes.len()),
        (Some(false), Some(at)) => format!(
            "{}   {name}: not the table of this policy; the first difference is at byte {at}\n",
            style::bad("rejected")
        ),
        _ => format!("{name}: not compared, since the policy is not proved\n"),
    };
    Ok((exit, text, value))
}

fn first_difference(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).position(|(x, y)| x != y).unwrap_or(a.len().min(b.len()))
}

/// The lowered model, which need not be proved; JSON in either format.
pub(crate) fn model(path: &Path, format: Format) -> Result<Answer, Fault> {
    let lowered = lower(input(path)?);
    if let Some(model) = lowered.model {
        return Ok(Answer { text: json::line(&model), exit: Exit::Proved });
    }
    let text = match format {
        Format::Human => render::diagnostics(&lowered.sources, &lowered.diagnostics),
        Format::Json => json::line(&json!({
            "verdict": Verdict::Rejected,
            "diagnostics": json::diagnostics(&lowered.sources, &lowered.diagnostics),
        })),
    };
    Ok(Answer { text, exit: Exit::Rejected })
}
