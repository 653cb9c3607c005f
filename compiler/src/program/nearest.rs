//! "Did you mean".

/// The candidate with the fewest edits, if it is near enough to be meant; the first one on a tie.
pub(crate) fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Nobody means a name when typing a page of text, and the distance costs the product of both lengths.
    if word.len() > 128 {
        return None;
    }
    let allowed = (word.chars().count() / 3).clamp(1, 3);
    candidates
        .into_iter()
        .map(|c| (strsim::osa_distance(word, c), c))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, c)| c)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn only_near_words_are_meant() {
        assert_eq!(nearest("wieght", ["class", "weight"]), Some("weight"));
        assert_eq!(nearest("available[locl]", ["available[local]", "available[ovh]"]), Some("available[local]"));
        assert_eq!(nearest("colour", ["class", "weight"]), None);
        assert_eq!(nearest(&"weight".repeat(1000), ["weight"]), None);
    }
}
