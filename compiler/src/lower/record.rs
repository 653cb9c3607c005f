//! `record { .. }` and `export NAME : ..`, as written. What they may hold is a matter of laws (RL802, RL803); here is told
//! what does not make sense whatever is lawful.

use super::scope::duplicate;
use super::secrets::credential_name;
use super::{Lowering, codes, names};
use crate::laws::record::SCOPES;
use crate::model::{Export, RecordField};
use roadlaw_grammar::ast::{self, Ident};
use roadlaw_grammar::diagnostic::Diagnostic;
use roadlaw_grammar::span::Span;
use std::collections::BTreeMap;

/// What a digest can be of, beside the fields of the policy's projections.
const SUBJECTS: &[&str] = &[
    "artifacts",
    "decision",
    "disclosure",
    "influence",
    "input",
    "payload",
    "policy",
    "question",
    "result",
    "sources",
    "table",
    "target",
];

impl Lowering<'_> {
    /// The fields that the author adds to each decision.
    pub(crate) fn record(&mut self) -> Vec<RecordField> {
        let fields = self.scope.record.map_or(&[][..], |(fields, _)| fields);
        self.distinct("field", fields).map(|f| RecordField { name: f.value.clone(), span: f.span }).collect()
    }

    /// The exports, in source order.
    pub(crate) fn exports(&mut self) -> Vec<Export> {
        let all: Vec<&ast::Export> = self.scope.exports.entries.iter().map(|e| e.value).collect();
        all.into_iter().map(|e| self.export(e)).collect()
    }

    fn export(&mut self, e: &ast::Export) -> Export {
        let form = e.form.value.as_str();
        let args = match (e.args.first(), e.args.last()) {
            (Some(a), Some(b)) => Some(a.span.to(b.span)),
            _ => None,
        };
        let of_span = e.of.as_ref().map(|o| o.span).or(args);
        let keyed_span = match (e.keyed.first(), e.keyed.last()) {
            (Some(a), Some(b)) => Some(a.span.to(b.span)),
            _ => None,
        };
        if form == "digest" {
            match (&e.of, args) {
                (Some(of), _) => self.subject(of),
                (None, Some(span)) => self.d.push(
                    Diagnostic::error(codes::DECLARATION, span, "a digest says with `of` what it is made of")
                        .with_help("write `digest of input keyed by ..`"),
                ),
                (None, None) => self.d.push(
                    Diagnostic::error(codes::DECLARATION, e.form.span, "the digest does not say what it is made of")
                        .with_help("write `digest of input keyed by ..`"),
                ),
            }
        } else if matches!(form, "count" | "stage")
            && let Some(span) = of_span.or(keyed_span)
        {
            self.d.push(
                Diagnostic::error(codes::DECLARATION, span, format!("a `{form}` is made of nothing else"))
                    .with_help(format!("write `export {} : {form}`", e.name.value)),
            );
        }
        let keyed: Vec<String> = self.distinct("scope", &e.keyed).map(|k| k.value.clone()).collect();
        let mut meant = Vec::new();
        for k in e.keyed.iter().filter(|k| !SCOPES.contains(&k.value.as_str())) {
            let near = SCOPES.iter().copied().find(|s| k.value.ends_with(&format!("_{s}")));
            let near = near.or_else(|| names::closest(&k.value, SCOPES.iter().copied()));
            meant.extend(near);
            let mut error = Diagnostic::error(
                codes::UNKNOWN_NAME,
                k.span,
                format!("`{}` is no scope of a key of exports", k.value),
            );
            error.help = near
                .map(|c| format!("did you mean `{c}`?"))
                .or_else(|| Some(format!("a key is scoped to {}", names::list(SCOPES))));
            self.d.push(error);
        }
        Export {
            name: e.name.value.clone(),
            form: form.to_owned(),
            of: e.of.as_ref().or(e.args.first()).map(|o| o.value.clone()),
            // A slip in a word is one error, not two.
            keyed: keyed.into_iter().chain(meant.into_iter().map(str::to_owned)).collect(),
            span: e.name.span,
            form_span: e.form.span,
            of_span,
            keyed_span,
        }
    }

    /// What a digest is made of is something that there is.
    fn subject(&mut self, of: &Ident) {
        let fields = self.consumers.iter().flat_map(|c| &c.fields).map(|(f, _)| f.as_str());
        let known: Vec<&str> = SUBJECTS.iter().copied().chain(fields).collect();
        if known.contains(&of.value.as_str()) || credential_name(&of.value) {
            return;
        }
        let mut e =
            Diagnostic::error(codes::UNKNOWN_NAME, of.span, format!("there is no `{}` to make a digest of", of.value));
        e.help = names::closest(&of.value, known.iter().copied())
            .map(|c| format!("did you mean `{c}`?"))
            .or_else(|| Some(format!("name a field of a projection, or one of {}", names::list(SUBJECTS))));
        self.d.push(e);
    }

    /// Each word once; a second one is told.
    fn distinct<'w>(&mut self, what: &str, words: &'w [Ident]) -> impl Iterator<Item = &'w Ident> + use<'w> {
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        let mut out = Vec::new();
        for w in words {
            match seen.get(w.value.as_str()) {
                Some(first) => self.d.push(duplicate(what, &w.value, w.span, *first)),
                None => {
                    seen.insert(&w.value, w.span);
                    out.push(w);
                }
            }
        }
        out.into_iter()
    }
}
