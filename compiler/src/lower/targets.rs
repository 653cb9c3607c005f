//! Targets: attributes of the three kinds, complete or reported (RL002, RL003, RL004).

use super::{Lowering, codes, names, origin, secrets};
use crate::model::{Target, TargetTag};
use roadlaw_grammar::ast::{self, AttrValue, Entry};
use roadlaw_grammar::diagnostic::Diagnostic;
use roadlaw_grammar::span::Span;
use std::collections::BTreeMap;

/// The attributes that a kind of target must have, and those it may have.
fn attributes(tag: TargetTag) -> (&'static [&'static str], &'static [&'static str]) {
    match tag {
        TargetTag::Portal => (
            &[
                "provider",
                "service",
                "model",
                "operation",
                "origin",
                "path",
                "region",
                "custody",
                "retention",
                "training",
                "evidence",
            ],
            &["cut_required"],
        ),
        TargetTag::Peer => (&["peer", "task_schema", "adapter", "origin", "evidence"], &["cut_required"]),
        TargetTag::Runtime => (&["runtime", "profile", "job", "adapter", "destination"], &["evidence", "cut_required"]),
    }
}

/// What a peer keeps to itself.
pub(crate) const PEER_PRIVATE: &[&str] =
    &["provider", "model", "models", "service", "tool", "tools", "prompt", "prompt_floor", "system_prompt"];

/// An attribute's value as text: numbers as written.
pub(crate) fn spelled(value: &AttrValue) -> (String, Span) {
    match value {
        AttrValue::Text(t) => (t.value.clone(), t.span),
        AttrValue::Path(p) => (p.value.clone(), p.span),
        AttrValue::Qty(q) => {
            let unit = match q.value.unit {
                None => "",
                Some(ast::Unit::Ms) => "ms",
                Some(ast::Unit::S) => "s",
                Some(ast::Unit::M) => "m",
                Some(ast::Unit::H) => "h",
                Some(ast::Unit::D) => "d",
                Some(ast::Unit::Cents) => " cents",
            };
            (format!("{}{unit}", q.value.number), q.span)
        }
    }
}

/// `yes`, `no`, `true`, `false`.
pub(crate) fn yes(word: &str) -> Option<bool> {
    match word {
        "yes" | "true" => Some(true),
        "no" | "false" => Some(false),
        _ => None,
    }
}

impl Lowering<'_> {
    /// Lowers all targets.
    pub(crate) fn lower_targets(&mut self) {
        for i in 0..self.scope.targets.entries.len() {
            let e = &self.scope.targets.entries[i];
            let (tag_word, block) = e.value;
            let tag = TargetTag::parse(&tag_word.value);
            if tag.is_none() && !secrets::no_destination(&tag_word.value) {
                let mut x = Diagnostic::error(
                    codes::UNKNOWN_NAME,
                    tag_word.span,
                    format!("there is no kind of target called `{}`", tag_word.value),
                );
                x.help = names::hint(&tag_word.value, TargetTag::ALL.iter().map(|t| t.word()));
                self.d.push(x);
            }
            let target = self.target(e.name, e.span, tag, block);
            self.targets.push(target);
        }
    }

    fn target(&mut self, name: &str, span: Span, tag: Option<TargetTag>, block: &ast::Block) -> Target {
        let mut out = Target {
            name: name.to_owned(),
            tag: tag.unwrap_or(TargetTag::Portal),
            attributes: BTreeMap::new(),
            cut_required: false,
            verified: false,
            span,
        };
        let (must, may) = attributes(out.tag);
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        for entry in &block.entries {
            let (n, v) = match entry {
                Entry::Attr(n, v) => (n, v),
                Entry::Filters(_) => {
                    self.misplaced(block.span.span, "filters", "a road");
                    continue;
                }
                Entry::Limits(l) => {
                    self.misplaced(l.span.span, "limits", "a road");
                    continue;
                }
                Entry::Tokens { span, .. } => {
                    self.misplaced(span.span, "tokens", "limits");
                    continue;
                }
                Entry::Table { name, .. } => {
                    self.misplaced(name.span, &name.value, "a road");
                    continue;
                }
            };
            if let Some(first) = seen.insert(&n.value, n.span) {
                self.d.push(super::scope::duplicate("attribute", &n.value, n.span, first));
                continue;
            }
            let word = n.value.as_str();
            let (text, at) = spelled(v);
            if tag == Some(TargetTag::Peer) && PEER_PRIVATE.contains(&word) {
                self.d.push(
                    Diagnostic::error(
                        "RL002",
                        n.span.to(at),
                        format!("peer target `{name}` names `{word}`, which the receiver chooses privately"),
                    )
                    .with_help("drop it; a peer is named by `peer`, `task_schema`, `adapter` and `origin`"),
                );
                continue;
            }
            if tag.is_some() && !must.contains(&word) && !may.contains(&word) {
                if !secrets::judged_name(word) {
                    let mut e = Diagnostic::error(
                        codes::UNKNOWN_NAME,
                        n.span,
                        format!("a {} target has no attribute `{word}`", out.tag.word()),
                    );
                    e.help = names::hint(word, must.iter().chain(may).copied());
                    self.d.push(e);
                }
                continue;
            }
            match word {
                "cut_required" => match (text.as_str(), yes(&text)) {
                    (_, Some(v)) => out.cut_required = v,
                    ("unknown", _) => out.cut_required = true,
                    _ => self.word_wanted(at, "cut_required", &text, &["yes", "no", "unknown"]),
                },
                "evidence" => match text.as_str() {
                    "verified" => out.verified = true,
                    "asserted" => {}
                    _ => self.word_wanted(at, "evidence", &text, &["asserted", "verified"]),
                },
                "origin" | "path" if !text.trim().is_empty() => self.endpoint(name, out.tag, word, &text, at),
                _ => {}
            }
            if !text.trim().is_empty() {
                out.attributes.insert(word.to_owned(), text);
            }
        }
        if let Some(tag) = tag {
            let missing: Vec<&str> = must.iter().copied().filter(|m| !out.attributes.contains_key(*m)).collect();
            if !missing.is_empty() {
                let code = match tag {
                    TargetTag::Portal => "RL004",
                    TargetTag::Peer => "RL002",
                    TargetTag::Runtime => "RL003",
                };
                self.d.push(
                    Diagnostic::error(
                        code,
                        span,
                        format!("{} target `{name}` says no {}", tag.word(), names::list(&missing)),
                    )
                    .with_help(format!("write {} in its block", names::list(&missing))),
                );
            }
        }
        out
    }

    /// RL004 and RL002: an origin and a path are written in the one way in which they can be compared.
    fn endpoint(&mut self, target: &str, tag: TargetTag, word: &str, text: &str, at: Span) {
        if secrets::credential_text(text) {
            return; // RL006 says so, and the text is not to be repeated in any form.
        }
        let fault = if word == "origin" { origin::fault(text) } else { origin::path_fault(text) };
        let Some((what, help)) = fault else { return };
        let code = if tag == TargetTag::Peer { "RL002" } else { "RL004" };
        self.d.push(
            Diagnostic::error(code, at, format!("the {word} of target `{target}` {what}")).with_help(help.to_owned()),
        );
    }

    fn misplaced(&mut self, span: Span, what: &str, place: &str) {
        self.d.push(
            Diagnostic::error(codes::DECLARATION, span, format!("a target has no `{what}`"))
                .with_help(format!("write it in {place}")),
        );
    }

    /// An attribute whose value is one of a few words.
    pub(crate) fn word_wanted(&mut self, span: Span, attribute: &str, word: &str, words: &[&str]) {
        let mut e = Diagnostic::error(codes::OUT_OF_DOMAIN, span, format!("`{word}` is no value of `{attribute}`"));
        e.help = names::hint(word, words.iter().copied());
        self.d.push(e);
    }
}
