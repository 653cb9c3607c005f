//! Rust: one file for a `no_std` crate, over the runtime alone.
//!
//! The writer lays the lines out as rustfmt would. `prettyplease` was the other way: it needs `syn` with everything, drops what
//! is no syntax, and does not promise rustfmt's layout, so that a test against rustfmt would be needed all the same.

mod facts;
mod page;
mod types;

use super::EmitError;
use super::names::{Scope, camel, snake};
use super::plan::Plan;
use crate::model::{Model, Outcome};
use page::{Page, prose};
use roadlaw_runtime::format::OUTCOMES;
use std::collections::{BTreeMap, BTreeSet};
use types::{Enumeration, Item};

/// What the file itself or its reader's prelude calls a type.
const TYPES: &[&str] = &[
    "Self",
    "Option",
    "Some",
    "None",
    "Result",
    "Ok",
    "Err",
    "Box",
    "Vec",
    "String",
    "ToString",
    "ToOwned",
    "Into",
    "From",
    "TryFrom",
    "TryInto",
    "AsRef",
    "AsMut",
    "Iterator",
    "IntoIterator",
    "Extend",
    "Default",
    "Drop",
    "Fn",
    "FnMut",
    "FnOnce",
    "Send",
    "Sync",
    "Copy",
    "Clone",
    "Road",
    "Reason",
    "Node",
    "Outcome",
    "Obligation",
    "Obligations",
    "Flow",
    "Choose",
    "Facts",
    "Policy",
    "Pick",
    "Closed",
    "Run",
    "Step",
    "Aligned",
    // Tuple structs are values as well: a fact may be spelled like a constant of the file.
    "NAME",
    "VERSION",
    "DIGEST",
    "TABLE",
    "ALIGNED",
    "RAW",
];

/// The policy of a table as one Rust file. `bytes` is the finished table of the model.
///
/// # Errors
/// Something has a name that cannot be written, or the bytes are not the model's.
pub fn rust(model: &Model, bytes: &[u8]) -> Result<String, EmitError> {
    let plan = Plan::of(model, bytes)?;
    let mut page = Page::default();
    head(&mut page, &plan)?;
    table(&mut page, &plan);
    let reasons = vocabulary(&mut page, &plan)?;
    facts::write(&mut page, &plan, &mut Scope::new(TYPES))?;
    policy(&mut page, &plan)?;
    page.verbatim(include_str!("run.txt"));
    filters(&mut page, model, &reasons);
    Ok(page.into_text())
}

fn head(page: &mut Page, plan: &Plan<'_>) -> Result<(), EmitError> {
    let m = plan.model;
    page.comment("//!", &format!("The policy `{}@{}`: its facts, its vocabulary and its table.", m.name, m.version));
    if !m.docs.is_empty() {
        page.comment("//!", &format!("\n{}", prose(&m.docs)));
    }
    let first = match m.chooses.first() {
        Some(c) => {
            let name = Scope::new(KEYWORDS).take(snake(&c.name), &c.name)?;
            format!("policy.{name}(&facts)")
        }
        None => "policy::Run::start(&policy, policy::Flow::Flow)".to_owned(),
    };
    page.comment("//!", &HEAD.replace("{first}", &first));
    page.gap();
    page.verbatim(ALLOW);
    Ok(())
}

fn table(page: &mut Page, plan: &Plan<'_>) {
    page.gap();
    page.doc("The policy's name.");
    page.line(&format!("pub const NAME: &str = {:?};", plan.model.name));
    page.gap();
    page.doc("The policy's version.");
    page.line(&format!("pub const VERSION: u32 = {};", plan.model.version));
    page.gap();
    page.doc("The digest of the table, to be compared with one that was pinned.");
    page.open("pub const DIGEST: [u8; 32] = *b\"\\");
    quoted(page, &plan.digest);
    page.gap();
    page.doc("The bytes, as `roadlaw build` writes them.");
    page.line(&format!("pub static TABLE: &[u8; {}] = &ALIGNED.0;", plan.bytes.len()));
    page.verbatim(LOAD);
    page.line(&format!("struct Aligned([u8; {}]);", plan.bytes.len()));
    page.gap();
    page.line("static ALIGNED: Aligned = Aligned(*RAW);");
    page.gap();
    page.open(&format!("const RAW: &[u8; {}] = b\"\\", plan.bytes.len()));
    quoted(page, plan.bytes);
}

/// The lines of a byte string and its end. Strings are the one form that rustfmt never lays out anew.
fn quoted(page: &mut Page, bytes: &[u8]) {
    let mut chunks = bytes.chunks(24).peekable();
    while let Some(chunk) = chunks.next() {
        let text: String = chunk.iter().map(|b| format!("\\x{b:02x}")).collect();
        if chunks.peek().is_some() { page.line(&format!("{text}\\")) } else { page.close_after(&format!("{text}\";")) }
    }
}

/// The identifiers of a list of names.
fn items<'n>(
    names: impl Iterator<Item = (usize, String, &'n [String])>,
    ident: fn(&str) -> String,
    taken: &[&str],
) -> Result<Vec<Item>, EmitError> {
    let mut scope = Scope::new(taken);
    let item = |(number, name, docs): (usize, String, &[String])| {
        Ok(Item { ident: scope.take(ident(&name), &name)?, name, docs: prose(docs), number })
    };
    names.map(item).collect()
}

/// The enums of what the table numbers. Returns the reasons by name.
fn vocabulary(page: &mut Page, plan: &Plan<'_>) -> Result<BTreeMap<String, String>, EmitError> {
    let m = plan.model;
    let plain = |n: usize, name: &str| (n, name.to_owned(), [].as_slice());
    let mut write = |ident, docs, numbers, items: &[Item]| {
        Enumeration { ident, docs, number: "usize", numbers, ordered: true, items }.write(page);
    };
    let roads = m.roads.iter().enumerate().map(|(i, r)| (i, r.name.clone(), r.docs.as_slice()));
    let roads = items(roads, camel, &["Self"])?;
    write("Road", "Roads of the policy.", "Its number in the table", &roads);

    let mut seen = BTreeSet::new();
    let names = m.roads.iter().flat_map(|r| &r.filters).map(|f| f.name.as_str()).filter(|n| seen.insert(*n));
    let reasons = items(names.enumerate().map(|(i, n)| plain(i, n)), camel, &["Self"])?;
    write("Reason", "Filters that close roads, by name.", "Its number in this file, by first use", &reasons);

    let nodes = m.nodes.iter().enumerate().map(|(i, n)| {
        // Names are unique within their flow.
        let flow = m.flows.get(n.flow.index()).filter(|_| n.flow.index() > 0).map_or("", |f| f.name.as_str());
        plain(i, format!("{flow} {}", n.name).trim())
    });
    let nodes = items(nodes, camel, &["Self"])?;
    write(
        "Node",
        "Places where a run may be. Those of a child flow have its name before theirs.",
        "Its number in the table",
        &nodes,
    );

    let flows = items(m.flows.iter().enumerate().map(|(i, f)| plain(i, &f.name)), camel, &["Self"])?;
    write("Flow", "Flows: the policy's own, then those of its coding jobs.", "Its number in the table", &flows);

    let chooses = m.chooses.iter().enumerate().map(|(i, c)| plain(i, &c.name));
    let chooses = items(chooses, camel, &["Self"])?;
    write("Choose", "Places where the policy chooses a road.", "Its number in the table", &chooses);

    let follows = |o: &str| o == "ok" || m.edges.iter().any(|e| e.outcome.word() == o && !decided(e.outcome));
    let outcomes = OUTCOMES.iter().enumerate().filter(|(_, o)| !o.is_empty() && follows(o));
    let outcomes = items(outcomes.map(|(i, o)| plain(i, o)), camel, &["Self"])?;
    write("Outcome", "What the steps of this policy may answer.", "Its code in the table", &outcomes);

    page.gap();
    page.line("pub use ::roadlaw_runtime::{Obligation, Obligations};");
    Ok(reasons.into_iter().map(|r| (r.name, r.ident)).collect())
}

/// An outcome that the table answers by itself.
fn decided(o: Outcome) -> bool {
    matches!(o, Outcome::Chosen | Outcome::Closed)
}

/// `Policy`: the table with what choosing needs at hand.
fn policy(page: &mut Page, plan: &Plan<'_>) -> Result<(), EmitError> {
    page.gap();
    page.doc("The table of this policy, ready to decide. Make it once and keep it.");
    page.line("#[derive(Debug, Clone, Copy)]");
    page.open("pub struct Policy<'t, 'a> {");
    page.line("table: &'t ::roadlaw_runtime::Table<'a>,");
    let packed: Vec<usize> = facts::packed(plan).map(|(i, _)| i).collect();
    for i in &packed {
        page.line(&format!("chooser_{i}: ::roadlaw_runtime::Chooser<'t, 'a>,"));
    }
    page.close("}");
    page.gap();
    page.open("impl<'t, 'a> Policy<'t, 'a> {");
    page.doc("Takes the table of [`table`], or one with the same digest. `None`: it is another policy's.");
    page.line("#[must_use]");
    page.open("pub fn new(table: &'t ::roadlaw_runtime::Table<'a>) -> Option<Self> {");
    page.open("if table.digest() != DIGEST {");
    page.line("return None;");
    page.close("}");
    if packed.is_empty() {
        page.line("Some(Self { table })");
    } else {
        page.open("Some(Self {");
        page.line("table,");
        for i in &packed {
            page.line(&format!("chooser_{i}: table.chooser({i})?,"));
        }
        page.close("})");
    }
    page.close("}");
    let mut scope = Scope::new(KEYWORDS);
    for (i, c) in plan.model.chooses.iter().enumerate() {
        let with = format!("{} with", c.name);
        let (plain, with) = (scope.take(snake(&c.name), &c.name)?, scope.take(snake(&with), &c.name)?);
        let at = plan.model.nodes.get(c.node.index()).map_or("", |n| n.name.as_str());
        page.gap();
        page.doc(&format!("Decides at `{at}`, where nothing was tried or judged before."));
        page.line("#[must_use]");
        page.function(&format!("pub fn {plain}"), &["&self", "facts: &Facts"], " -> Pick");
        if packed.contains(&i) {
            page.line(&format!("self.picked(self.chooser_{i}.pick(&facts.packed_{i}()))"));
        } else {
            page.line("let latches = ::roadlaw_runtime::Latches::fresh(self.table);");
            page.line(&format!("self.{with}(facts, &latches)"));
        }
        page.close("}");
        page.gap();
        page.doc(&format!("Decides at `{at}`, with what a run of the same question remembers."));
        page.line("#[must_use]");
        let latches = "latches: &::roadlaw_runtime::Latches";
        page.function(&format!("pub fn {with}"), &["&self", "facts: &Facts", latches], " -> Pick");
        if packed.contains(&i) {
            page.line(&format!("let packed = facts.packed_{i}();"));
            page.line(&format!("self.picked(self.chooser_{i}.pick_with(&packed, latches))"));
        } else {
            page.line(&format!("self.decided({i}, facts, latches)"));
        }
        page.close("}");
    }
    page.verbatim_to_end(include_str!("policy.txt"));
    Ok(())
}

/// Which reason each filter of the table is.
fn filters(page: &mut Page, m: &Model, reasons: &BTreeMap<String, String>) {
    page.gap();
    page.open("const fn reason_of(filter: usize) -> Option<Reason> {");
    let names = m.roads.iter().flat_map(|r| &r.filters).enumerate();
    let arms = names.filter_map(|(i, f)| Some((i.to_string(), format!("Some(Reason::{})", reasons.get(&f.name)?))));
    page.all_arms("filter", arms.chain([("_".to_owned(), "None".to_owned())]));
    page.close("}");
}

/// What cannot be the name of a function, and the functions of `Policy` itself.
const KEYWORDS: &[&str] = &[
    "new", "table", "why", "picked", "decided", "as", "async", "await", "break", "const", "continue", "crate", "dyn",
    "else", "enum", "extern", "false", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "match", "mod", "move",
    "mut", "pub", "ref", "return", "self", "static", "struct", "super", "trait", "true", "type", "unsafe", "use",
    "where", "while", "abstract", "become", "box", "do", "final", "macro", "override", "priv", "try", "typeof",
    "unsized", "virtual", "yield",
];

const HEAD: &str = "
Written by `roadlaw build --emit rust` for a policy that was proved: change the policy, not this file. It needs the crate
`roadlaw-runtime` alone: no allocation, no solver, no build script.

```ignore
let table = policy::table()?;                        // checks the bytes, once
let policy = policy::Policy::new(&table).ok_or(..)?; // keep both
let mut facts = policy::Facts::new();                // everything unknown
facts.set_..(..);                                    // a setter for each fact
{first}
```
";

const ALLOW: &str = "#![allow(
    dead_code,
    unused_imports,
    unreachable_pub,
    clippy::all,
    clippy::pedantic,
    reason = \"written by a program; whoever embeds it uses what they need\"
)]
";

const LOAD: &str = "
/// Checks the bytes and returns the table. It borrows [`TABLE`] and copies nothing.
///
/// # Errors
/// The runtime reads another version of the format than the one this file was written for.
pub fn table() -> Result<::roadlaw_runtime::Table<'static>, ::roadlaw_runtime::TableError> {
    ::roadlaw_runtime::Table::from_bytes(TABLE)
}

#[repr(align(64))]
";
