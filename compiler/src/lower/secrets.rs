//! Words and texts that no policy may hold: credentials and live handles (RL006), destinations that are none (RL005),
//! roads whose runtime picks providers by itself (RL007). Looks at every attribute and text of the author's files.

use super::load::Loaded;
use roadlaw_grammar::ast::{self, Atom, AttrValue, Entry, ItemKind};
use roadlaw_grammar::diagnostic::Diagnostic;
use roadlaw_grammar::span::Span;

/// Names of attributes that hold secrets or handles.
const NAMES: &[&str] = &[
    "access_key",
    "access_token",
    "api_key",
    "apikey",
    "auth_token",
    "bearer",
    "cookie",
    "credential",
    "credentials",
    "fd",
    "handle",
    "key",
    "lease_handle",
    "live_handle",
    "passphrase",
    "passwd",
    "password",
    "pid",
    "private_key",
    "refresh_token",
    "secret",
    "secret_key",
    "session_id",
    "session_token",
    "socket",
    "token",
];
/// Parts of names that say the same.
const NAME_PARTS: &[&str] =
    &["api_key", "apikey", "password", "passwd", "secret", "credential", "_token", "private_key"];
/// How credentials of well-known kinds begin.
const PREFIXES: &[&str] = &[
    "sk-",
    "sk_",
    "pk-",
    "rk_",
    "ghp_",
    "gho_",
    "ghs_",
    "github_pat_",
    "glpat-",
    "xoxb-",
    "xoxp-",
    "xapp-",
    "AKIA",
    "ASIA",
    "AIza",
    "ya29.",
    "eyJ",
    "-----BEGIN",
    "hf_",
    "Bearer ",
    "bearer ",
    "Basic ",
    "fd:",
    "handle:",
    "unix:",
    "pid:",
];
/// Parts of a text that carry credentials.
const PARTS: &[&str] =
    &["api_key=", "apikey=", "access_token=", "token=", "password=", "passwd=", "secret=", "signature=", "sig="];
/// What is never the destination of work.
const NO_DESTINATION: &[&str] = &["operator_seat", "subscription_bridge"];

/// The name of an attribute that would hold a credential or a live handle.
pub(crate) fn credential_name(name: &str) -> bool {
    NAMES.contains(&name) || NAME_PARTS.iter().any(|p| name.contains(p))
}

/// A text that looks like a credential or a live handle.
pub(crate) fn credential_text(text: &str) -> bool {
    let t = text.trim();
    let user_in_address = t
        .split_once("://")
        .is_some_and(|(_, rest)| rest.split(['/', '?', '#']).next().is_some_and(|authority| authority.contains('@')));
    let lower = t.to_ascii_lowercase();
    user_in_address
        || PREFIXES.iter().any(|p| t.starts_with(p) && t.len() > p.len())
        || PARTS.iter().any(|p| lower.contains(p))
}

/// `operator_seat` and `subscription_bridge`.
pub(crate) fn no_destination(word: &str) -> bool {
    NO_DESTINATION.contains(&word)
}

/// The diagnostic for such a destination.
pub(crate) fn seat(word: &str, span: Span) -> Diagnostic {
    Diagnostic::error("RL005", span, format!("`{word}` may be where an artifact comes from, never where work goes"))
        .with_help("give its artifact to `classify` as input, and send work to a declared target")
}

/// Checks one file.
pub(crate) fn check(file: &Loaded, d: &mut Vec<Diagnostic>) {
    for item in &file.file.items {
        match &item.kind {
            ItemKind::Pins(pins) => pins.iter().for_each(|(n, v)| {
                name(n, d);
                text(&v.value, v.span, d);
            }),
            ItemKind::Limits(l) => {
                if let Some(b) = &l.block {
                    block(b, d);
                }
            }
            ItemKind::Target { name: n, tag, block: b } => {
                for w in [n, tag] {
                    if no_destination(&w.value) {
                        d.push(seat(&w.value, w.span));
                    }
                }
                block(b, d);
            }
            ItemKind::Road(r) => road(r, d),
            ItemKind::Group { roads, .. } => roads.iter().for_each(|(_, r)| road(r, d)),
            ItemKind::Projection { fields, .. } => fields.iter().for_each(|(n, c)| {
                name(n, d);
                name(c, d);
            }),
            // A name in `record` is judged as a field of the record (RL802).
            ItemKind::Export(e) => e.of.iter().chain(&e.args).for_each(|w| name(w, d)),
            _ => {}
        }
    }
}

fn road(r: &ast::Road, d: &mut Vec<Diagnostic>) {
    let words = [
        Some(&r.name),
        Some(&r.owner),
        r.cognition.as_ref(),
        r.target.as_ref(),
        r.through.as_ref(),
        r.carrier.as_ref(),
    ];
    for w in words.into_iter().flatten() {
        if no_destination(&w.value) {
            d.push(seat(&w.value, w.span));
        }
    }
    if let Some(ast::With::Inline(fields)) = &r.with {
        for (n, c) in fields {
            name(n, d);
            name(c, d);
        }
    }
    block(&r.block, d);
}

fn name(n: &ast::Ident, d: &mut Vec<Diagnostic>) {
    if credential_name(&n.value) {
        d.push(
            Diagnostic::error(
                "RL006",
                n.span,
                format!("`{}` would put a credential or a live handle into the policy", n.value),
            )
            .with_help(
                "drop it; the run's own adapter holds credentials, and a policy names at most an opaque reference",
            ),
        );
    }
}

fn text(t: &str, span: Span, d: &mut Vec<Diagnostic>) {
    if credential_text(t) {
        // The text itself is not repeated: a diagnostic travels further than the policy.
        d.push(
            Diagnostic::error("RL006", span, "the text looks like a credential or a live handle")
                .with_help("take it out, and out of the file's history; name at most an opaque reference"),
        );
    } else if no_destination(t) {
        d.push(seat(t, span));
    }
}

fn block(b: &ast::Block, d: &mut Vec<Diagnostic>) {
    for e in &b.entries {
        match e {
            Entry::Attr(n, v) => attribute(n, v, d),
            Entry::Table { rows, .. } => {
                for (a, b) in rows {
                    for x in [a, b] {
                        match x {
                            Atom::Text(t) => text(&t.value, t.span, d),
                            Atom::Word(w) => name(w, d),
                        }
                    }
                }
            }
            Entry::Limits(l) => {
                if let Some(b) = &l.block {
                    block(b, d);
                }
            }
            Entry::Filters(_) | Entry::Tokens { .. } => {}
        }
    }
}

fn attribute(n: &ast::Ident, v: &AttrValue, d: &mut Vec<Diagnostic>) {
    let (value, span) = match v {
        AttrValue::Text(t) => (t.value.as_str(), t.span),
        AttrValue::Path(p) => (p.value.as_str(), p.span),
        AttrValue::Qty(q) => ("", q.span),
    };
    if credential_name(&n.value) {
        name(n, d);
        return;
    }
    let by_itself = match n.value.as_str() {
        "fallback" => value != "none" && value != "declared",
        "routing" | "router" | "provider" | "model" | "service" => {
            matches!(value, "auto" | "any" | "automatic" | "dynamic" | "gateway_internal" | "best")
        }
        "auto_fallback" | "auto_route" | "provider_choice" => !matches!(value, "no" | "none" | "false"),
        _ => false,
    };
    if by_itself {
        d.push(
            Diagnostic::error(
                "RL007",
                n.span.to(span),
                format!("`{} {value}` lets the runtime pick the provider by itself", n.value),
            )
            .with_help("name one provider, and write another as a road of its own with a `-fallback->` edge"),
        );
        return;
    }
    match v {
        AttrValue::Text(t) => text(&t.value, t.span, d),
        AttrValue::Path(p) if no_destination(&p.value) => d.push(seat(&p.value, p.span)),
        _ => {}
    }
}

/// Attributes that this module has an opinion on, so that no other calls them unknown.
pub(crate) fn judged_name(name: &str) -> bool {
    credential_name(name)
        || matches!(name, "fallback" | "routing" | "router" | "auto_fallback" | "auto_route" | "provider_choice")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_seen() {
        for t in ["sk-live-1234", "https://me:pw@host/x", "https://h/x?api_key=1", "-----BEGIN KEY", "Bearer abc"] {
            assert!(credential_text(t), "{t}");
        }
        for t in ["https://mistral.example", "atelier.grant@1", "sk-", "desk.chat@1", "https://h/a@b"] {
            assert!(!credential_text(t), "{t}");
        }
        assert!(credential_name("api_key") && credential_name("openai_api_key") && !credential_name("operation"));
    }
}
