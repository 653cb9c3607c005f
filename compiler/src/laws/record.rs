//! RL802 and RL803: what an author adds to the decision record, and what may be told of a decision. Read off the model:
//! no fact and no path changes what a field can hold.

use crate::graph::narrow;
use crate::manifest::About;
use crate::model::{Export, Model, RecordField};
use roadlaw_grammar::diagnostic::Diagnostic;
use roadlaw_grammar::span::Span;

/// The fields of a decision (MODEL.md section 10). Each is an integer or a digest of 32 bytes.
pub(crate) const FIELDS: &[&str] = &[
    "policy_digest",
    "table_digest",
    "node",
    "road",
    "target_digest",
    "input_digest",
    "export_digest",
    "artifact_set_digest",
    "source_manifest_digest",
    "influence_digest",
    "residual_disclosure_digest",
    "purpose",
    "expiry",
    "budgets",
    "parent",
    "generation",
    "expected_result",
    "validators",
    "record_class",
    "visibility",
    "retention",
];

/// What a key of exported digests is scoped to.
pub(crate) const SCOPES: &[&str] = &["consumer", "purpose", "class", "epoch", "retention"];

/// Parts of names that no decision has, why, and what says enough instead. The first that fits is told.
const INSTEAD: &[(&[&str], &str)] = &[
    (
        &["lease", "handle", "lock", "socket", "session", "worker"],
        "a live handle is good for whoever reads it; write `generation`, which names the attempt",
    ),
    (
        &["token", "key", "credential", "secret", "password", "login", "cookie"],
        "drop it: credentials stay with the adapter, and no field says which one was used",
    ),
    (
        &["artifact", "file", "path", "document", "attachment", "url", "uri", "_ref"],
        "write `artifact_set_digest`: a full reference or a name says what the work was about",
    ),
    (&["pseudonym", "reversal", "mapping"], "write `residual_disclosure_digest`: what was cut is never recorded"),
    (
        &["subject", "person", "user", "customer", "author", "source", "lineage"],
        "write `source_manifest_digest`: a person is never named",
    ),
    (
        &["status", "outcome", "state", "answer", "verdict", "error"],
        "drop it: a record says what was selected, never what became of it; write `expected_result` for what was asked",
    ),
    (&["provider", "model", "endpoint", "host", "origin", "receiver"], "write `target_digest`"),
    (
        &["prompt", "payload", "content", "text", "body", "message", "query", "span", "excerpt", "quote", "question"],
        "write `input_digest`, or `export_digest` for the bytes that leave",
    ),
];

/// One obligation that is read off the text.
pub(crate) struct Checked {
    pub(crate) law: &'static str,
    pub(crate) about: About,
    pub(crate) wrong: Option<Diagnostic>,
}

/// RL802 for each field of the record, RL803 for each export.
pub(crate) fn check(m: &Model) -> Vec<Checked> {
    let field = |(i, f): (usize, &RecordField)| Checked {
        law: "RL802",
        about: About::Record(narrow(i)),
        wrong: wrong_field(f),
    };
    let export =
        |(i, e): (usize, &Export)| Checked { law: "RL803", about: About::Export(narrow(i)), wrong: wrong_export(e) };
    m.record.iter().enumerate().map(field).chain(m.exports.iter().enumerate().map(export)).collect()
}

fn wrong_field(f: &RecordField) -> Option<Diagnostic> {
    if FIELDS.contains(&f.name.as_str()) {
        return None;
    }
    let near = FIELDS.iter().copied().find(|w| strsim::damerau_levenshtein(w, &f.name) <= 2 && f.name.len() > 4);
    // `input`, `input_hash`, `parent_ref`: the thing is right and what is said of it is not.
    let stem = f.name.rsplit_once('_').map_or(f.name.as_str(), |(stem, _)| stem);
    let is = |w: &str, name: &str| w.strip_suffix("_digest").unwrap_or(w) == name;
    let whole = [f.name.as_str(), stem].into_iter().find_map(|n| FIELDS.iter().copied().find(|w| is(w, n)));
    let known = INSTEAD.iter().find(|(parts, _)| parts.iter().any(|p| f.name.contains(p))).map(|(_, t)| *t);
    let help = match (near, whole, known) {
        (Some(w), ..) => format!("did you mean `{w}`?"),
        (None, Some(w), _) => format!("write `{w}`, and nothing else of it"),
        (None, None, Some(text)) => text.to_owned(),
        (None, None, None) => format!("drop it, or write one of {}", FIELDS.join(", ")),
    };
    Some(
        Diagnostic::error("RL802", f.span, format!("`{}` is no field of the decision record", f.name))
            .with_note("a decision is kept for long and read by many: it holds integers and digests of 32 bytes alone")
            .with_help(help),
    )
}

/// How a lawful digest is written, of what this export speaks of.
fn digest(of: Option<&String>) -> String {
    format!("digest of {} keyed by {}", of.map_or("input", String::as_str), SCOPES.join(", "))
}

fn wrong_export(e: &Export) -> Option<Diagnostic> {
    let error = |span: Span, message: String, help: String| {
        Some(Diagnostic::error("RL803", span, message).with_help(help).with_label(e.span, "this export"))
    };
    match e.form.as_str() {
        "opaque" => {
            let made = e.of_span.or(e.keyed_span)?;
            error(
                made,
                format!("the opaque id `{}` is made of something, and can be compared with it", e.name),
                format!("an opaque id is drawn at random: write `opaque`, or `{}`", digest(e.of.as_ref())),
            )
        }
        "count" | "stage" => None,
        "digest" if e.keyed.is_empty() => error(
            e.form_span,
            format!("the digest of `{}` has no key: whoever can guess the input can test the guess", e.name),
            format!("write `{}`, or `opaque`", digest(e.of.as_ref())),
        ),
        "digest" => {
            let missing: Vec<&str> = SCOPES.iter().copied().filter(|s| !e.keyed.iter().any(|k| k == s)).collect();
            if missing.is_empty() {
                return None;
            }
            error(
                e.keyed_span.unwrap_or(e.form_span),
                format!("the key of `{}` is not scoped to {}: digests under it can be joined", e.name, and(&missing)),
                format!("add {}: all five are {}", and(&missing), SCOPES.join(", ")),
            )
        }
        form if is_hash(form) => error(
            e.form_span,
            if e.keyed.is_empty() {
                format!("`{form}` is a plain hash: whoever can guess the input can test the guess")
            } else {
                format!("`{form}` is another hash than that of exports: only the key of a `digest` has scopes")
            },
            format!("write `{}`, or `opaque`", digest(e.of.as_ref())),
        ),
        form => {
            let near = ["opaque", "digest", "count", "stage"].into_iter().find(|w| {
                form.split('_').any(|p| p == *w) || (form.len() > 3 && strsim::damerau_levenshtein(w, form) <= 2)
            });
            let help = near.map_or_else(
                || format!("write `opaque` for an id, or `{}`; counts and stages: `count`, `stage`", digest(None)),
                |w| format!("did you mean `{w}`?"),
            );
            error(e.form_span, format!("`{form}` would leave as it is"), help)
        }
    }
}

/// A word for a hash of any kind, keyed ones whose key has no scopes among them.
fn is_hash(form: &str) -> bool {
    let words =
        ["hash", "sha", "shasum", "md", "mdsum", "hmac", "mac", "cmac", "checksum", "fingerprint", "crc", "siphash"];
    let plain: String = form.chars().filter(|c| !c.is_ascii_digit()).collect();
    plain.split('_').any(|p| words.contains(&p) || p.starts_with("blake"))
}

/// `` `a`, `b` and `c` ``
fn and(words: &[&str]) -> String {
    let shown: Vec<String> = words.iter().map(|w| format!("`{w}`")).collect();
    match shown.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use roadlaw_grammar::span::FileId;

    const HERE: Span = Span { file: FileId(0), start: 0, end: 1 };

    fn field(name: &str) -> Option<String> {
        wrong_field(&RecordField { name: name.to_owned(), span: HERE }).and_then(|d| d.help)
    }

    fn export(form: &str, of: Option<&str>, keyed: &[&str]) -> Option<Diagnostic> {
        wrong_export(&Export {
            name: "x".to_owned(),
            form: form.to_owned(),
            of: of.map(str::to_owned),
            keyed: keyed.iter().map(|k| (*k).to_owned()).collect(),
            span: HERE,
            form_span: HERE,
            of_span: of.map(|_| HERE),
            keyed_span: (!keyed.is_empty()).then_some(HERE),
        })
    }

    #[test]
    fn every_field_of_a_decision_is_lawful() {
        for f in FIELDS {
            assert_eq!(field(f), None);
        }
    }

    #[test]
    fn what_is_no_field_is_told_with_what_to_write() {
        for (name, say) in [
            ("inptu_digest", "did you mean `input_digest`?"),
            ("input", "`input_digest`"),
            ("input_hash", "`input_digest`"),
            ("parent_ref", "`parent`"),
            ("artifact_ref", "`artifact_set_digest`"),
            ("file_names", "`artifact_set_digest`"),
            ("lease_handle", "`generation`"),
            ("user_id", "`source_manifest_digest`"),
            ("pseudonym_map", "`residual_disclosure_digest`"),
            ("api_key", "drop it"),
            ("outcome", "never what became of it"),
            ("model_name", "`target_digest`"),
            ("raw_prompt", "`input_digest`"),
            ("weather", "one of policy_digest"),
        ] {
            let help = field(name).unwrap_or_default();
            assert!(help.contains(say), "{name}: {help}");
        }
    }

    #[test]
    fn exports_are_ids_counts_stages_or_digests_under_a_key_with_every_scope() {
        assert_eq!(export("opaque", None, &[]), None);
        assert_eq!(export("count", None, &[]), None);
        assert_eq!(export("stage", None, &[]), None);
        assert_eq!(export("digest", Some("input"), SCOPES), None);
        let mut turned = SCOPES.to_vec();
        turned.reverse();
        assert_eq!(export("digest", Some("input"), &turned), None);
        for i in 0..SCOPES.len() {
            let mut some = SCOPES.to_vec();
            let without = some.remove(i);
            let d = export("digest", Some("input"), &some).expect("a scope is missing");
            assert!(d.message.contains(&format!("`{without}`")), "{}", d.message);
        }
        for (form, of, keyed, say) in [
            ("digest", Some("input"), &[][..], "has no key"),
            ("opaque", Some("input"), &[][..], "made of something"),
            ("opaque", None, SCOPES, "made of something"),
            ("sha256", Some("input"), &[][..], "a plain hash"),
            ("blake3", Some("input"), SCOPES, "another hash"),
            ("keyed_hash", Some("input"), SCOPES, "another hash"),
            ("prompt", None, &[][..], "leave as it is"),
            ("shape", None, &[][..], "leave as it is"),
        ] {
            let d = export(form, of, keyed).unwrap_or_else(|| panic!("{form} is lawful"));
            assert!(d.code == "RL803" && d.message.contains(say), "{form}: {}", d.message);
        }
        let near = export("opaqe", None, &[]).and_then(|d| d.help).unwrap_or_default();
        assert_eq!(near, "did you mean `opaque`?");
    }
}
