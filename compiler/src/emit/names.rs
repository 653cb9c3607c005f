//! Names of a policy as identifiers of another language.
//!
//! One rule: letters and digits stay, everything else parts words, and a name that the language or the file already has gets
//! `_` at its end until it is free. Names are given in declared order, so equal policies give equal names.

use super::EmitError;
use std::collections::BTreeSet;

/// Longest identifier that is written: a line that declares it still fits a page.
const LONGEST: usize = 72;

/// `accept(local).quarantine` to `AcceptLocalQuarantine`.
pub(super) fn camel(name: &str) -> String {
    words(name).map(capital).collect()
}

/// `available[gpt]` to `available_gpt`.
pub(super) fn snake(name: &str) -> String {
    words(name).collect::<Vec<_>>().join("_")
}

/// `personal` to `PERSONAL`.
pub(super) fn upper(name: &str) -> String {
    snake(name).to_ascii_uppercase()
}

fn words(name: &str) -> impl Iterator<Item = &str> {
    name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty())
}

fn capital(word: &str) -> String {
    let (first, rest) = word.split_at(1);
    first.to_ascii_uppercase() + rest
}

/// A line of the policy's own words without what a compiler refuses in a comment, or what makes one look like another.
pub(super) fn visible(line: &str) -> String {
    let hidden = |c: char| {
        let bidi =
            matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}');
        c.is_control() || bidi
    };
    line.trim().chars().map(|c| if hidden(c) { ' ' } else { c }).collect()
}

/// The names of one scope.
#[derive(Debug)]
pub(super) struct Scope {
    taken: BTreeSet<String>,
}

impl Scope {
    /// A scope in which these names are taken.
    pub(super) fn new(taken: &[&str]) -> Self {
        Self { taken: taken.iter().map(|t| (*t).to_owned()).collect() }
    }

    /// Takes a name: itself, or with `_` at its end.
    ///
    /// # Errors
    /// It has no letter to begin with, or it is too long. `what` is how the policy calls it.
    pub(super) fn take(&mut self, mut wanted: String, what: &str) -> Result<String, EmitError> {
        if !wanted.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return Err(EmitError::Name { what: what.to_owned() });
        }
        while self.taken.contains(&wanted) {
            wanted.push('_');
        }
        if wanted.len() > LONGEST {
            return Err(EmitError::Long { what: what.to_owned(), length: wanted.len(), longest: LONGEST });
        }
        self.taken.insert(wanted.clone());
        Ok(wanted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_the_rules_of_rust() {
        assert_eq!(camel("accept(local).quarantine"), "AcceptLocalQuarantine");
        assert_eq!(camel("await(user, person)"), "AwaitUserPerson");
        assert_eq!(camel("gpt_4o__mini"), "Gpt4oMini");
        assert_eq!(snake("available[gpt]"), "available_gpt");
        assert_eq!(snake("a__b_"), "a_b");
        assert_eq!(upper("very_private"), "VERY_PRIVATE");
    }

    #[test]
    fn a_taken_name_gets_underscores() {
        let mut scope = Scope::new(&["Self"]);
        let mut take = |n: &str| scope.take(camel(n), n).expect("a name");
        assert_eq!([take("self"), take("a_b"), take("ab"), take("a__b")], ["Self_", "AB", "Ab", "AB_"]);
    }

    #[test]
    fn what_cannot_be_a_name_is_refused() {
        assert!(matches!(Scope::new(&[]).take(camel("()"), "()"), Err(EmitError::Name { .. })));
        assert!(matches!(Scope::new(&[]).take("a".repeat(73), "a"), Err(EmitError::Long { length: 73, .. })));
        assert!(Scope::new(&[]).take("a".repeat(72), "a").is_ok());
    }
}
