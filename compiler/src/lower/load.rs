//! Loads the policy and what it uses. Shipped libraries come out of the program itself; other libraries are files
//! beside the policy, never outside its folder, each loaded once, never in a cycle.

use super::{codes, names};
use roadlaw_grammar::ast::{self, Head, ItemKind};
use roadlaw_grammar::diagnostic::Diagnostic;
use roadlaw_grammar::span::{FileId, Sources, Span};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The shipped libraries. `std.facts` brings the filters with it.
const SHIPPED: &[(&str, &str)] = &[
    ("std.latches", include_str!("../../std/latches.road")),
    ("std.facts", include_str!("../../std/facts.road")),
    ("std.filters", include_str!("../../std/filters.road")),
    ("std.first", include_str!("../../std/first.road")),
    ("std.lanes", include_str!("../../std/lanes.road")),
];

/// A shipped library declares a fact or `let` with this name, used or not.
pub(crate) fn ships(library: &str, name: &str) -> bool {
    let text = SHIPPED.iter().find(|(l, _)| *l == library).map_or("", |(_, text)| *text);
    text.lines().any(|line| !line.trim_start().starts_with("//") && line.split_whitespace().nth(1) == Some(name))
}

/// A library may be this long.
const MAX_BYTES: u64 = roadlaw_grammar::LARGEST_FILE as u64;

/// Libraries may use libraries this deep.
const MAX_DEPTH: usize = 32;

/// One loaded file.
pub(crate) struct Loaded {
    /// Its place in the sources.
    pub(crate) id: FileId,
    /// `std.facts`, `lib.lanes`; empty for the policy.
    pub(crate) name: String,
    /// It ships with the compiler.
    pub(crate) shipped: bool,
    /// The tree.
    pub(crate) file: ast::File,
}

/// All files, libraries before what uses them, the policy last.
pub(crate) struct Load {
    pub(crate) files: Vec<Loaded>,
    /// `use PATH as NAME`: alias, library, where.
    pub(crate) aliases: Vec<(String, String, Span)>,
}

/// Texts that stand in the place of libraries, by the name that is shown for them (`std.lanes`, `lib/lanes.road`).
pub(crate) type Instead = BTreeMap<String, String>;

/// Loads everything from the policy's bytes. `None` if the policy itself cannot be read.
pub(crate) fn load(
    sources: &mut Sources,
    name: &str,
    bytes: &[u8],
    root: Option<&Path>,
    instead: &Instead,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Load> {
    let text = match roadlaw_grammar::decode(bytes) {
        Ok(text) => text,
        Err(at) => {
            let id = sources.add(name, String::from_utf8_lossy(bytes.get(..at).unwrap_or(&[])).into_owned());
            let at = u32::try_from(at).unwrap_or(u32::MAX);
            diagnostics.push(Diagnostic::error(
                roadlaw_grammar::code::NOT_UTF8,
                Span::new(id, at, at),
                format!("the file is not UTF-8 text from byte {at} on"),
            ));
            return None;
        }
    };
    let id = sources.add(name, text);
    let mut loader =
        Loader { sources, root, instead, diagnostics, done: Vec::new(), aliases: Vec::new(), stack: Vec::new() };
    loader.visit(id, String::new(), false);
    let Loader { done, aliases, .. } = loader;
    done.last().filter(|f| f.id == id)?;
    Some(Load { files: done, aliases })
}

struct Loader<'a> {
    sources: &'a mut Sources,
    root: Option<&'a Path>,
    instead: &'a Instead,
    diagnostics: &'a mut Vec<Diagnostic>,
    done: Vec<Loaded>,
    aliases: Vec<(String, String, Span)>,
    stack: Vec<String>,
}

impl Loader<'_> {
    fn visit(&mut self, id: FileId, name: String, shipped: bool) {
        let (file, problems) = roadlaw_grammar::parse(self.sources, id);
        self.diagnostics.extend(problems);
        let Some(file) = file else { return };
        if file.edition.value != 1 {
            self.diagnostics.push(
                Diagnostic::error(
                    codes::USE,
                    file.edition.span,
                    format!("edition {} is not known to this compiler", file.edition.value),
                )
                .with_help("write `edition 1`"),
            );
        }
        match &file.head {
            Head::Library { name: written } if name.is_empty() => {
                self.diagnostics.push(
                    Diagnostic::error(
                        codes::USE,
                        written.span,
                        format!("`{}` is a library, not a policy", written.value),
                    )
                    .with_help("give a file with a `policy`, and `use` the library there"),
                );
                return;
            }
            Head::Policy { name: written, .. } if !name.is_empty() => {
                self.diagnostics.push(Diagnostic::error(
                    codes::USE,
                    written.span,
                    format!("`{}` is a policy and cannot be used as a library", written.value),
                ));
                return;
            }
            Head::Library { name: written } if written.value != name => {
                self.diagnostics.push(
                    Diagnostic::error(
                        codes::USE,
                        written.span,
                        format!("the library is called `{}`, and it is used as `{name}`", written.value),
                    )
                    .with_help(format!("write `library {name}`")),
                );
            }
            _ => {}
        }
        self.stack.push(name.clone());
        let uses = file.uses.iter().chain(file.items.iter().filter_map(|i| match &i.kind {
            ItemKind::Use(u) => Some(u),
            _ => None,
        }));
        let mut seen: Vec<(&str, Span)> = Vec::new();
        for u in uses {
            if let Some((_, first)) = seen.iter().find(|(p, _)| *p == u.path.value) {
                self.diagnostics.push(
                    Diagnostic::error(codes::DUPLICATE, u.path.span, format!("`{}` is used twice", u.path.value))
                        .with_label(*first, "first used here")
                        .with_help("drop one of the two"),
                );
                continue;
            }
            seen.push((&u.path.value, u.path.span));
            if let Some(alias) = &u.alias {
                self.aliases.push((alias.value.clone(), u.path.value.clone(), alias.span));
            }
            self.require(&u.path.value, u.path.span);
        }
        self.stack.pop();
        self.done.push(Loaded { id, name, shipped, file });
    }

    fn require(&mut self, path: &str, at: Span) {
        if let Some(from) = self.stack.iter().position(|s| s == path) {
            let mut cycle: Vec<&str> = self.stack[from..].iter().map(String::as_str).collect();
            cycle.push(path);
            self.diagnostics.push(
                Diagnostic::error(
                    codes::USE,
                    at,
                    format!("libraries use each other in a cycle: {}", cycle.join(" -> ")),
                )
                .with_help("drop one of these `use` lines"),
            );
            return;
        }
        if self.done.iter().any(|f| f.name == path) {
            return;
        }
        if self.stack.len() > MAX_DEPTH {
            self.diagnostics.push(Diagnostic::error(
                codes::LIMIT,
                at,
                format!("libraries use libraries more than {MAX_DEPTH} deep"),
            ));
            return;
        }
        if path == "std" || path.starts_with("std.") {
            let Some((_, text)) = SHIPPED.iter().find(|(n, _)| *n == path) else {
                let mut d = Diagnostic::error(codes::USE, at, format!("no shipped library is called `{path}`"));
                d.help = names::hint(path, SHIPPED.iter().map(|(n, _)| *n));
                self.diagnostics.push(d);
                return;
            };
            if path == "std.facts" {
                self.require("std.filters", at);
            }
            let text = self.instead.get(path).map_or(*text, String::as_str);
            let id = self.sources.add(path, text);
            self.visit(id, path.to_owned(), true);
            return;
        }
        match self.read(path) {
            Ok((shown, text)) => {
                let text = self.instead.get(&shown).cloned().unwrap_or(text);
                let id = self.sources.add(shown, text);
                self.visit(id, path.to_owned(), false);
            }
            Err(why) => {
                self.diagnostics
                    .push(Diagnostic::error(codes::USE, at, format!("`{path}` cannot be used: {why}")).with_help(
                    "libraries are shipped (`std.facts`), or files in the policy's folder (`lib.x` is `lib/x.road`)",
                ))
            }
        }
    }

    /// Reads a library beside the policy. Links are resolved before the file is looked at, so that none leads outside.
    fn read(&self, path: &str) -> Result<(String, String), String> {
        let root = self.root.ok_or("the policy is in no folder")?;
        let mut relative = PathBuf::new();
        for part in path.split('.') {
            let plain =
                !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
            if !plain {
                return Err("it is not a dotted name".into());
            }
            relative.push(part);
        }
        relative.set_extension("road");
        let shown = relative.to_string_lossy().into_owned();
        let root = root.canonicalize().map_err(|e| format!("the policy's folder cannot be read ({})", e.kind()))?;
        let file =
            root.join(&relative).canonicalize().map_err(|e| format!("`{shown}` cannot be read ({})", e.kind()))?;
        if !file.starts_with(&root) {
            return Err(format!("`{shown}` leads outside the policy's folder"));
        }
        let data = file.metadata().map_err(|e| format!("`{shown}` cannot be read ({})", e.kind()))?;
        if !data.is_file() {
            return Err(format!("`{shown}` is not a file"));
        }
        if data.len() > MAX_BYTES {
            return Err(format!("`{shown}` is longer than {MAX_BYTES} bytes"));
        }
        let bytes = std::fs::read(&file).map_err(|e| format!("`{shown}` cannot be read ({})", e.kind()))?;
        let text =
            roadlaw_grammar::decode(&bytes).map_err(|at| format!("`{shown}` is not UTF-8 text from byte {at} on"))?;
        Ok((shown, text))
    }
}
