//! Suggestions for names that nothing declares.

/// The candidate that is closest to `word`, if one is close enough to be meant. Ties go to the first in order.
pub(crate) fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let mut best: Option<(usize, &str)> = None;
    for c in candidates {
        let distance = strsim::damerau_levenshtein(word, c);
        let longer = word.chars().count().max(c.chars().count());
        let near = distance < longer && distance <= 1 + longer / 4;
        if near && c != word && best.is_none_or(|(d, b)| (distance, c) < (d, b)) {
            best = Some((distance, c));
        }
    }
    best.map(|(_, c)| c)
}

/// ``did you mean `x`?``, or the words there are where none is close and they are few.
pub(crate) fn hint<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let mut all: Vec<&str> = candidates.into_iter().collect();
    all.sort_unstable();
    all.dedup();
    if let Some(c) = closest(word, all.iter().copied()) {
        return Some(format!("did you mean `{c}`?"));
    }
    match all.len() {
        0 => None,
        1..=12 => Some(format!("known here: {}", list(&all))),
        _ => None,
    }
}

/// `` `a`, `b` ``
pub(crate) fn list(words: &[&str]) -> String {
    words.iter().map(|w| format!("`{w}`")).collect::<Vec<_>>().join(", ")
}

/// `` `a` is ``, `` `a`, `b` are ``
pub(crate) fn are(words: &[&str]) -> String {
    format!("{} {}", list(words), if words.len() == 1 { "is" } else { "are" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_near_name_is_suggested() {
        assert_eq!(closest("mistrla", ["ovh", "mistral"]), Some("mistral"));
        assert_eq!(closest("zzz", ["ovh", "mistral"]), None);
        assert_eq!(hint("zzz", ["b", "a"]).as_deref(), Some("known here: `a`, `b`"));
        assert_eq!(hint("zzz", []), None);
    }
}
