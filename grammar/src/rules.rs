//! The pest grammar, compiled.
#![allow(missing_docs, reason = "pest derives an enum of rules, documented by the grammar itself")]

#[derive(pest_derive::Parser)]
#[grammar = "road.pest"]
pub(crate) struct Grammar;

/// Keywords and punctuation: the rules `k_..`, which the grammar keeps behind all others.
pub(crate) fn is_fixed(rule: Rule) -> bool {
    rule >= Rule::k_after
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_rules_stand_last() {
        for rule in Rule::all_rules() {
            let name = format!("{rule:?}");
            assert_eq!(is_fixed(*rule), name.starts_with("k_"), "{name}");
        }
    }
}
