//! What a road asks: `question { rubric "review@3"  contract "answer@1" }` in its block, the policy's own pins for what
//! it does not name. That a fallback keeps the question is proved later; that no edge declares to change it is said here.

use super::flow::body::Rule;
use super::scope::duplicate;
use super::{Lowering, codes, names};
use crate::model::{Question, Shape};
use roadlaw_grammar::ast::{self, Atom, Entry};
use roadlaw_grammar::diagnostic::Diagnostic;
use roadlaw_grammar::span::Span;
use std::collections::BTreeMap;

/// The parts of a question.
const PARTS: &[&str] = &["input", "rubric", "contract"];

impl Lowering<'_> {
    /// The question of a road.
    pub(crate) fn question(&mut self, r: &ast::Road, shape: Shape) -> Question {
        let pin = |name: &str| {
            let pins = self.scope.pins.map_or(&[][..], |(pins, _)| pins);
            pins.iter().find(|(n, _)| n.value == name).map_or(String::new(), |(_, v)| v.value.clone())
        };
        let mut out = Question { input: pin("input"), rubric: None, contract: pin("output") };
        let mut block: Option<Span> = None;
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        for e in &r.block.entries {
            let Entry::Table { name, rows } = e else { continue };
            if name.value != "question" {
                continue;
            }
            if let Some(first) = block.replace(name.span) {
                self.d.push(duplicate("attribute", "question", name.span, first));
                continue;
            }
            if shape == Shape::Choice {
                let e = Diagnostic::error(codes::DECLARATION, name.span, "an option has no `question`")
                    .with_help("an option holds filters alone: nothing leaves by it");
                self.d.push(e);
                continue;
            }
            if rows.is_empty() {
                let e = Diagnostic::error(codes::DECLARATION, name.span, "the question says nothing")
                    .with_help("write `question { rubric \"review@3\" }`, or drop it: then it is the policy's own");
                self.d.push(e);
            }
            for row in rows {
                if let Some((part, value)) = self.question_part(row, &mut seen) {
                    match part {
                        "input" => out.input = value,
                        "rubric" => out.rubric = Some(value),
                        _ => out.contract = value,
                    }
                }
            }
        }
        out
    }

    /// One part with its text, if the row is one.
    fn question_part<'r>(
        &mut self,
        (part, value): &'r (Atom, Atom),
        seen: &mut BTreeMap<&'r str, Span>,
    ) -> Option<(&'static str, String)> {
        let (word, at) = super::roads::atom(part);
        let known = PARTS.iter().copied().find(|p| *p == word && matches!(part, Atom::Word(_)));
        let Some(known) = known else {
            let mut e = Diagnostic::error(codes::UNKNOWN_NAME, at, format!("`{word}` is no part of a question"));
            e.help = names::closest(word, PARTS.iter().copied())
                .map(|c| format!("did you mean `{c}`?"))
                .or_else(|| Some(format!("a question has {}", names::list(PARTS))));
            self.d.push(e);
            return None;
        };
        if let Some(first) = seen.insert(known, at) {
            self.d.push(duplicate("part of the question", known, at, first));
            return None;
        }
        match value {
            Atom::Text(t) if !t.value.trim().is_empty() => Some((known, t.value.clone())),
            _ => {
                let span = super::roads::atom(value).1;
                let e = Diagnostic::error(codes::WRONG_TYPE, span, format!("the {known} is named by a text"))
                    .with_help(format!("write a name and a version: `{known} \"review@3\"`"));
                self.d.push(e);
                None
            }
        }
    }

    /// `changes { question }`: only a repair makes a new question, and it needs no word to do so.
    pub(crate) fn question_declared(&mut self, rule: &Rule, node_kind: impl Fn(&str) -> String, at: Span) {
        let repaired = |f: &super::flow::body::From| node_kind(&f.name) == "repair" && f.outcome == "ok";
        if !rule.from.is_empty() && rule.from.iter().all(repaired) {
            self.d.push(
                Diagnostic::note(codes::UNUSED, at, "a repair changes the question by itself")
                    .with_help("drop `question` from `changes`"),
            );
            return;
        }
        self.d.push(Diagnostic::error("RL309", at, "no edge changes the question, whatever it declares").with_help(
            "drop `question`; another input, rubric or contract is other work, and a candidate that was \
                     repaired is a new question by itself",
        ));
    }
}
