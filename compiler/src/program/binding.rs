//! Named facts to cells of a table. Strict: an unknown name, a wrong type or a value outside the domain is an error with
//! a place, never a fact left out; all of them are reported.

use super::document::{Field, Item, Value};
use super::nearest::nearest;
use roadlaw_grammar::diagnostic::Diagnostic;
use roadlaw_grammar::span::Span;
use std::collections::BTreeMap;

/// What a table says about one of its fact cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FactName {
    /// `weight`, `available[local]`.
    pub(crate) name: String,
    /// What values it takes.
    pub(crate) kind: Kind,
}

/// Values of a fact cell, as numbers in the order given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kind {
    /// 0 and 1.
    Bool,
    /// One of these words.
    Word(Vec<String>),
    /// Some of these labels; bit i is label i.
    Set(Vec<String>),
    /// A number of this range.
    Int(i64, i64),
}

/// A cell and what it is set to; `None` is unknown.
pub(crate) type Setting = (usize, Option<i64>);

/// The settings that an object of named facts stands for, in the order given.
///
/// # Errors
/// Everything that is wrong with the object.
pub(crate) fn bind(names: &[FactName], item: &Item) -> Result<Vec<Setting>, Vec<Diagnostic>> {
    let Value::Object(fields) = &item.value else {
        return Err(vec![
            Diagnostic::error("F004", item.span, format!("facts are an object, and this is {}", item.noun()))
                .with_help("write {\"name\": value, ..}"),
        ]);
    };
    let mut binder = Binder { names, settings: Vec::new(), places: BTreeMap::new(), errors: Vec::new() };
    for field in fields {
        binder.field(field);
    }
    if binder.errors.is_empty() { Ok(binder.settings) } else { Err(binder.errors) }
}

struct Binder<'a> {
    names: &'a [FactName],
    settings: Vec<Setting>,
    places: BTreeMap<usize, Span>,
    errors: Vec<Diagnostic>,
}

impl Binder<'_> {
    fn find(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|f| f.name == name)
    }

    fn family(&self, name: &str) -> Vec<&str> {
        self.names.iter().filter_map(|f| f.name.strip_prefix(name)?.strip_prefix('[')?.strip_suffix(']')).collect()
    }

    fn field(&mut self, field: &Field) {
        if let Some(cell) = self.find(&field.name) {
            self.set(cell, field.name_span, &field.item);
            return;
        }
        let members = self.family(&field.name);
        if members.is_empty() {
            let families = self.names.iter().map(|f| f.name.split('[').next().unwrap_or(&f.name));
            let all = self.names.iter().map(|f| f.name.as_str()).chain(families);
            let help = nearest(&field.name, all).map(|n| format!("did you mean `{n}`?"));
            let mut d = Diagnostic::error("F003", field.name_span, format!("no fact `{}` in this table", field.name));
            d.help = help;
            self.errors.push(d);
            return;
        }
        let Value::Object(inner) = &field.item.value else {
            let example = members.first().copied().unwrap_or_default();
            self.errors.push(
                Diagnostic::error(
                    "F004",
                    field.item.span,
                    format!("`{}` has one value per road or target", field.name),
                )
                .with_help(format!("write \"{0}[{example}]\": .. or \"{0}\": {{\"{example}\": ..}}", field.name)),
            );
            return;
        };
        for member in inner {
            match self.find(&format!("{}[{}]", field.name, member.name)) {
                Some(cell) => self.set(cell, member.name_span, &member.item),
                None => {
                    let message = format!("`{}` has no member `{}`", field.name, member.name);
                    let mut d = Diagnostic::error("F003", member.name_span, message);
                    let members = self.family(&field.name);
                    d.help = Some(match nearest(&member.name, members.iter().copied()) {
                        Some(n) => format!("did you mean `{n}`?"),
                        None => format!("its members are {}", list(members)),
                    });
                    self.errors.push(d);
                }
            }
        }
    }

    fn set(&mut self, cell: usize, at: Span, item: &Item) {
        let Some(fact) = self.names.get(cell) else { return };
        if let Some(first) = self.places.insert(cell, at) {
            self.errors.push(
                Diagnostic::error("F002", at, format!("`{}` is given twice", fact.name))
                    .with_label(first, "first here")
                    .with_help("give each fact once"),
            );
            return;
        }
        match value(fact, item) {
            Ok(value) => self.settings.push((cell, value)),
            Err(d) => self.errors.push(*d),
        }
    }
}

fn value(fact: &FactName, item: &Item) -> Result<Option<i64>, Box<Diagnostic>> {
    let name = &fact.name;
    match (&fact.kind, &item.value) {
        (_, Value::Null) => Ok(None),
        (Kind::Bool, Value::Bool(b)) => Ok(Some(i64::from(*b))),
        (Kind::Int(lo, hi), Value::Int(n)) if (lo..=hi).contains(&n) => Ok(Some(*n)),
        (Kind::Int(lo, hi), Value::Int(n)) => {
            Err(wrong(item, format!("`{name}` is {lo}..{hi}, and {n} is outside"), None))
        }
        (Kind::Word(words), Value::Text(text)) => match position(words, text) {
            Some(i) => Ok(Some(i)),
            None => Err(wrong(item, format!("`{name}` has no value `{text}`"), Some(meant(words, text)))),
        },
        (Kind::Set(labels), Value::List(items)) => set(name, labels, items).map(Some),
        (kind, _) => {
            let wanted = match kind {
                Kind::Bool => "true or false".to_owned(),
                Kind::Word(words) => format!("one of {}", quoted(words)),
                Kind::Set(labels) => format!("a list of some of {}", quoted(labels)),
                Kind::Int(lo, hi) => format!("a number {lo}..{hi}"),
            };
            let help = format!("write {wanted}, or null for unknown");
            Err(wrong(item, format!("`{name}` cannot be {}", item.noun()), Some(help)))
        }
    }
}

fn set(name: &str, labels: &[String], items: &[Item]) -> Result<i64, Box<Diagnostic>> {
    let mut mask = 0_i64;
    for item in items {
        let Value::Text(text) = &item.value else {
            let help = format!("write a list of some of {}", quoted(labels));
            return Err(wrong(item, format!("a label of `{name}` cannot be {}", item.noun()), Some(help)));
        };
        let Some(bit) = position(labels, text) else {
            return Err(wrong(item, format!("`{name}` has no label `{text}`"), Some(meant(labels, text))));
        };
        if mask >> bit & 1 == 1 {
            return Err(wrong(item, format!("label `{text}` is given twice"), None));
        }
        mask |= 1 << bit;
    }
    Ok(mask)
}

fn position(words: &[String], text: &str) -> Option<i64> {
    words.iter().position(|w| w == text).and_then(|i| i64::try_from(i).ok())
}

fn meant(words: &[String], text: &str) -> String {
    match nearest(text, words.iter().map(String::as_str)) {
        Some(n) => format!("did you mean `{n}`?"),
        None => format!("write one of {}", quoted(words)),
    }
}

fn quoted(words: &[String]) -> String {
    words.iter().map(|w| format!("\"{w}\"")).collect::<Vec<_>>().join(", ")
}

fn list(words: Vec<&str>) -> String {
    words.iter().map(|w| format!("`{w}`")).collect::<Vec<_>>().join(", ")
}

fn wrong(item: &Item, message: String, help: Option<String>) -> Box<Diagnostic> {
    let mut d = Diagnostic::error("F004", item.span, message);
    d.help = help;
    Box::new(d)
}

#[cfg(test)]
mod tests {
    use super::super::document;
    use super::{FactName, Kind, Setting, bind};
    use roadlaw_grammar::diagnostic::Diagnostic;
    use roadlaw_grammar::span::FileId;

    fn names() -> Vec<FactName> {
        let words = |w: &[&str]| w.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>();
        let fact = |name: &str, kind| FactName { name: name.to_owned(), kind };
        vec![
            fact("weight", Kind::Int(0, 100)),
            fact("class", Kind::Word(words(&["public", "private"]))),
            fact("labels", Kind::Set(words(&["personal", "client", "secret"]))),
            fact("available[local]", Kind::Bool),
            fact("available[ovh]", Kind::Bool),
        ]
    }

    fn bound(text: &str) -> Result<Vec<Setting>, Vec<Diagnostic>> {
        bind(&names(), &document::read(FileId(0), text, 0, text.len()).expect("JSON"))
    }

    fn errors(text: &str) -> Vec<(&'static str, String, Option<String>)> {
        bound(text).expect_err(text).into_iter().map(|d| (d.code, d.message, d.help)).collect()
    }

    #[test]
    fn every_type_is_bound() {
        let text = r#"{"weight": 100, "class": "private", "labels": ["secret", "personal"],
                       "available": {"local": true}, "available[ovh]": null}"#;
        assert_eq!(bound(text), Ok(vec![(0, Some(100)), (1, Some(1)), (2, Some(5)), (3, Some(1)), (4, None)]));
        assert_eq!(bound("{}"), Ok(vec![]));
        assert_eq!(bound(r#"{"labels": []}"#), Ok(vec![(2, Some(0))]));
    }

    #[test]
    fn unknown_names_name_the_nearest() {
        let e = errors(r#"{"wieght": 4, "available": {"locl": true}, "availible": {}}"#);
        assert_eq!(e.iter().map(|e| e.0).collect::<Vec<_>>(), ["F003"; 3]);
        assert_eq!(e[0].2.as_deref(), Some("did you mean `weight`?"));
        assert_eq!(e[1].2.as_deref(), Some("did you mean `local`?"));
        assert_eq!(e[2].2.as_deref(), Some("did you mean `available`?"));
    }

    #[test]
    fn wrong_types_and_values_are_refused() {
        for text in [
            r#"{"weight": true}"#,
            r#"{"weight": 101}"#,
            r#"{"weight": -1}"#,
            r#"{"class": 1}"#,
            r#"{"class": "Private"}"#,
            r#"{"labels": "client"}"#,
            r#"{"labels": ["client", "client"]}"#,
            r#"{"labels": ["klient"]}"#,
            r#"{"labels": [1]}"#,
            r#"{"available": true}"#,
            r#"{"available[local]": "yes"}"#,
            r#"[]"#,
        ] {
            let e = errors(text);
            assert_eq!((e.len(), e[0].0), (1, "F004"), "{text}: {e:?}");
        }
    }

    #[test]
    fn a_fact_is_given_once_in_either_spelling() {
        let e = errors(r#"{"available[local]": true, "available": {"local": false}}"#);
        assert_eq!((e.len(), e[0].0), (1, "F002"));
    }
}
