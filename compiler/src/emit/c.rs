//! C: a header and a source over the C ABI of the runtime (`runtime/ffi`).
//!
//! Every name begins with that of the file, so that several policies fit into one program.

use super::EmitError;
use super::names::{Scope, snake, upper, visible};
use super::plan::Plan;
use crate::model::{Fact, Model, Outcome, Type};
use roadlaw_runtime::format::{OUTCOMES, obligation};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The two files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Files {
    /// `OUT.h`.
    pub header: String,
    /// `OUT.c`.
    pub source: String,
}

/// The policy of a table as a header and a source. `stem` is the name of both files without its ending.
///
/// # Errors
/// Something has a name that cannot be written, or the bytes are not the model's.
pub fn c(model: &Model, bytes: &[u8], stem: &str) -> Result<Files, EmitError> {
    let plan = Plan::of(model, bytes)?;
    let p = snake(stem);
    // It stands between quotes as well, where the source includes the header.
    let plain = stem.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
    // Names of the library, whichever case a name or a guard of the header is written in.
    let lower = p.to_ascii_lowercase();
    let library = lower == "roadlaw" || lower.starts_with("roadlaw_");
    if !plain || !p.starts_with(|c: char| c.is_ascii_alphabetic()) || library || p.len() > 48 {
        return Err(EmitError::File { stem: stem.to_owned() });
    }
    let mut out = Writer {
        prefix: p.clone(),
        shout: upper(stem),
        header: String::new(),
        source: String::new(),
        tags: Scope::new(&["road", "reason", "node", "outcome", "obligation", "flow", "choose", "table", "open"]),
        constants: Scope::new(&[&format!("{}_H", upper(stem)), &format!("{}_TABLE_LENGTH", upper(stem))]),
    };
    out.head(&plan, stem);
    out.vocabulary(model)?;
    out.facts(&plan)?;
    out.tail(&plan);
    Ok(Files { header: out.header, source: out.source })
}

struct Writer {
    prefix: String,
    shout: String,
    header: String,
    source: String,
    /// Names of enums, without the prefix.
    tags: Scope,
    /// All constants.
    constants: Scope,
}

impl Writer {
    fn head(&mut self, plan: &Plan<'_>, stem: &str) {
        let m = plan.model;
        let (p, shout) = (&self.prefix, &self.shout);
        let mut docs = String::new();
        for line in &m.docs {
            docs += &format!(" * {}\n", comment(line));
        }
        if !docs.is_empty() {
            docs.insert_str(0, " *\n");
        }
        self.header = format!(
            "/* The policy `{}@{}`: its facts, its vocabulary and its table.\n{docs} *\n * Written by `roadlaw build --emit c` for a \
             policy that was proved: change the policy, not this file. Link it with\n * the library `roadlaw_ffi`.\n */\n\
             #ifndef {shout}_H\n#define {shout}_H\n\n#include \"roadlaw.h\"\n\n#include <stdbool.h>\n#include <stddef.h>\n\
             #include <stdint.h>\n\n#ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n\
             #define {shout}_TABLE_LENGTH {length}\n\n/* The table, as `roadlaw build` writes it. */\n\
             extern const uint8_t {p}_table[{shout}_TABLE_LENGTH];\n\n\
             /* Checks the table, once: keep it. Null and a status if the library reads another version of the format. */\n\
             RoadlawTable *{p}_open(RoadlawStatus *status);\n",
            m.name,
            m.version,
            length = plan.bytes.len(),
        );
        self.source = format!(
            "/* Written by `roadlaw build --emit c`: see {stem}.h. */\n#include \"{stem}.h\"\n\n\
             RoadlawTable *{p}_open(RoadlawStatus *status) {{\n    \
             return roadlaw_table_new({p}_table, {shout}_TABLE_LENGTH, status);\n}}\n"
        );
    }

    /// The enums of what the table numbers, each with the names that the policy has for them.
    fn vocabulary(&mut self, m: &Model) -> Result<(), EmitError> {
        let number = |names: Vec<String>| names.into_iter().enumerate().collect::<Vec<_>>();
        self.numbered("road", "Roads.", &number(m.roads.iter().map(|r| r.name.clone()).collect()))?;
        let filters: Vec<&str> = m.roads.iter().flat_map(|r| &r.filters).map(|f| f.name.as_str()).collect();
        let mut seen = BTreeSet::new();
        let reasons: Vec<&str> = filters.iter().copied().filter(|n| seen.insert(*n)).collect();
        self.numbered(
            "reason",
            "Filters that close roads, by name.",
            &number(reasons.iter().map(|r| (*r).to_owned()).collect()),
        )?;
        let nodes = m.nodes.iter().map(|n| {
            let flow = m.flows.get(n.flow.index()).filter(|_| n.flow.index() > 0).map_or("", |f| f.name.as_str());
            format!("{flow} {}", n.name).trim().to_owned()
        });
        self.numbered("node", "Places where a run may be.", &number(nodes.collect()))?;
        self.numbered("flow", "Flows.", &number(m.flows.iter().map(|f| f.name.clone()).collect()))?;
        self.numbered(
            "choose",
            "Places where the policy chooses a road.",
            &number(m.chooses.iter().map(|c| c.name.clone()).collect()),
        )?;
        let decided = |o: Outcome| matches!(o, Outcome::Chosen | Outcome::Closed);
        let follows = |o: &str| o == "ok" || m.edges.iter().any(|e| e.outcome.word() == o && !decided(e.outcome));
        let outcomes = OUTCOMES.iter().enumerate().filter(|(_, o)| !o.is_empty() && follows(o));
        let outcomes: Vec<_> = outcomes.map(|(i, o)| (i, (*o).to_owned())).collect();
        self.numbered("outcome", "What the steps of this policy may answer.", &outcomes)?;
        let due: Vec<_> = obligation::NAMES.iter().enumerate().map(|(i, o)| (i, (*o).to_owned())).collect();
        self.masks("obligation", "What a step of a run obliges to, as bits.", "UINT32_C", &due)?;
        self.reason_of(&filters, &reasons);
        Ok(())
    }

    /// An enum, and a function that tells the names of its values.
    fn numbered(&mut self, tag: &str, docs: &str, items: &[(usize, String)]) -> Result<(), EmitError> {
        if items.is_empty() {
            return Ok(());
        }
        self.enumeration(tag, docs, items)?;
        let p = &self.prefix;
        self.header += &format!(
            "\n/* The policy's name for it; null if there is none. */\nconst char *{p}_{tag}_name(size_t {tag});\n"
        );
        let mut cases = String::new();
        for (i, name) in items {
            cases += &format!("    case {i}:\n        return {name:?};\n");
        }
        self.source += &format!(
            "\nconst char *{p}_{tag}_name(size_t {tag}) {{\n    switch ({tag}) {{\n{cases}    default:\n        return NULL;\n    }}\n}}\n"
        );
        Ok(())
    }

    fn enumeration(&mut self, tag: &str, docs: &str, items: &[(usize, String)]) -> Result<(), EmitError> {
        let mut lines = Vec::new();
        for (i, name) in items {
            let constant = self.constant(tag, name)?;
            lines.push(format!("    {constant} = {i}"));
        }
        self.header += &format!("\n/* {docs} */\nenum {}_{tag} {{\n{}\n}};\n", self.prefix, lines.join(",\n"));
        Ok(())
    }

    fn masks(&mut self, tag: &str, docs: &str, of: &str, items: &[(usize, String)]) -> Result<(), EmitError> {
        self.header += &format!("\n/* {docs} */\n");
        for (i, name) in items {
            let constant = self.constant(tag, name)?;
            self.header += &format!("#define {constant} ({of}(1) << {i})\n");
        }
        Ok(())
    }

    fn constant(&mut self, tag: &str, name: &str) -> Result<String, EmitError> {
        self.constants.take(format!("{}_{}_{}", self.shout, upper(tag), upper(name)), name)
    }

    /// The reason of a filter that `roadlaw_why` names.
    fn reason_of(&mut self, filters: &[&str], reasons: &[&str]) {
        if filters.is_empty() {
            return;
        }
        let p = &self.prefix;
        self.header += &format!(
            "\n/* The reason (enum {p}_reason) of a filter that `roadlaw_why` tells; -1 if there is none. */\nint {p}_reason_of(size_t filter);\n"
        );
        let mut cases = String::new();
        for (i, f) in filters.iter().enumerate() {
            let reason = reasons.iter().position(|r| r == f).unwrap_or_default();
            cases += &format!("    case {i}:\n        return {reason};\n");
        }
        self.source += &format!(
            "\nint {p}_reason_of(size_t filter) {{\n    switch (filter) {{\n{cases}    default:\n        return -1;\n    }}\n}}\n"
        );
    }

    /// A setter and an unsetter for each fact that a caller supplies.
    fn facts(&mut self, plan: &Plan<'_>) -> Result<(), EmitError> {
        let mut declared: BTreeMap<&str, String> = BTreeMap::new();
        let mut names = Scope::new(&[]);
        for (cell, fact) in &plan.facts {
            let tag = match declared.get(fact.family.as_str()) {
                Some(tag) => tag.clone(),
                None => {
                    let tag = self.tags.take(snake(&fact.family), &fact.family)?;
                    self.declare(&tag, fact)?;
                    declared.insert(&fact.family, tag.clone());
                    tag
                }
            };
            let name = names.take(snake(&fact.name), &fact.name)?;
            self.setter(*cell, fact, &tag, &name);
        }
        Ok(())
    }

    fn declare(&mut self, tag: &str, fact: &Fact) -> Result<(), EmitError> {
        let number = |n: &[String]| n.iter().cloned().enumerate().collect::<Vec<_>>();
        let docs = format!("Values of the fact `{}`.", fact.family);
        match &fact.ty {
            Type::Enum(n) | Type::Level(n) => self.enumeration(tag, &docs, &number(n)),
            Type::Set(n) => self.masks(tag, &format!("Labels of the fact `{}`.", fact.family), "UINT64_C", &number(n)),
            Type::Bool | Type::Int { .. } => Ok(()),
        }
    }

    fn setter(&mut self, cell: usize, fact: &Fact, tag: &str, name: &str) {
        let p = &self.prefix;
        let (set, ty, value, says) = match &fact.ty {
            Type::Bool => ("bool", "bool".to_owned(), "value", String::new()),
            Type::Enum(_) | Type::Level(_) => ("value", format!("enum {p}_{tag}"), "(uint32_t)value", String::new()),
            Type::Int { lo, hi } => ("int", "int32_t".to_owned(), "value", format!(", {lo} to {hi}")),
            Type::Set(_) => ("labels", "uint64_t".to_owned(), "value", ", a mask of its labels".to_owned()),
        };
        let mut docs = String::new();
        for line in &fact.docs {
            docs += &format!("{}\n * ", comment(line));
        }
        // Cannot fail: it writes to a string.
        let _ = write!(
            self.header,
            "\n/* {docs}The fact `{}`{says}. */\n\
             static inline RoadlawStatus {p}_set_{name}(RoadlawFacts *facts, const RoadlawTable *table, {ty} value) {{\n    \
             return roadlaw_set_{set}(facts, table, {cell}, {value});\n}}\n\
             static inline void {p}_unset_{name}(RoadlawFacts *facts) {{\n    roadlaw_unset(facts, {cell});\n}}\n",
            comment(&fact.name),
        );
    }

    fn tail(&mut self, plan: &Plan<'_>) {
        let (p, shout) = (&self.prefix, &self.shout);
        self.header += &format!("\n#ifdef __cplusplus\n}}\n#endif\n\n#endif /* {shout}_H */\n");
        self.source += &format!("\nconst uint8_t {p}_table[{shout}_TABLE_LENGTH] = {{\n");
        for chunk in plan.bytes.chunks(16) {
            let line: Vec<String> = chunk.iter().map(|b| format!("0x{b:02x},")).collect();
            self.source += &format!("    {}\n", line.join(" "));
        }
        self.source += "};\n";
    }
}

/// The policy's own words inside a comment: nothing ends it, begins another, or is a trigraph. Pairs are parted as they are
/// written, so that no replacement makes what another one took away.
fn comment(line: &str) -> String {
    let mut out = String::new();
    for c in visible(line).chars().map(|c| if c == '\\' { '/' } else { c }) {
        if matches!((out.chars().next_back(), c), (Some('*'), '/') | (Some('/'), '*') | (Some('?'), '?')) {
            out.push(' ');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_a_comment() {
        assert_eq!(comment(" a */ b /*/ c ??/ d\\"), "a * / b / * / c ? ?/ d/");
        assert_eq!(comment("*\\ int x; \\*"), "* / int x; / *");
        assert_eq!(comment("???/ **\\/*"), "? ? ?/ ** // *");
        // Every text of these characters, up to six of them.
        for n in 0..5_usize.pow(6) {
            let text: String = (0..6).map(|i| ['*', '/', '\\', '?', 'x'][n / 5_usize.pow(i) % 5]).collect();
            let safe = comment(&text);
            assert!(!["*/", "/*", "??", "\\"].iter().any(|s| safe.contains(s)), "{text}: {safe}");
        }
    }
}
