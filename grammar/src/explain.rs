//! The grammar's errors as messages for people: what was found, what could stand there, what was probably meant.

use crate::code;
use crate::diagnostic::Diagnostic;
use crate::parse::ITEMS;
use crate::rules::Rule;
use crate::scan;
use crate::span::{FileId, Span};
use crate::trivia::{Kind, pieces};
use pest::error::{Error, ErrorVariant, InputLocation};
use std::collections::BTreeSet;

/// More possibilities than this are told in a note, not in the message.
const FEW: usize = 5;

const RESERVED: [&str; 21] = [
    "when", "unless", "else", "changes", "takes", "and", "or", "not", "in", "has", "is", "empty", "as", "use", "via",
    "without", "because", "after", "before", "each", "spent",
];

/// The diagnostic for an error of the grammar on the part of `text` that begins at `base`.
pub(crate) fn explain(file: FileId, text: &str, base: usize, e: &Error<Rule>) -> Diagnostic {
    let at = base
        + match e.location {
            InputLocation::Pos(p) => p,
            InputLocation::Span((s, _)) => s,
        };
    let (start, end) = found_at(text, at);
    let token = text.get(start..end).unwrap_or("");
    let found = if token.is_empty() { "the end of the file".to_owned() } else { format!("`{token}`") };
    let span = if start == end {
        // Nothing is left: point at the last token there is.
        let last = pieces(text).into_iter().rev().find(|p| !matches!(p.kind, Kind::Blank | Kind::Comment));
        last.map_or(Span::new(file, 0, 0), |p| Span::new(file, at32(p.start), at32(p.end)))
    } else {
        Span::new(file, at32(start), at32(end))
    };

    let rules: &[Rule] = match &e.variant {
        ErrorVariant::ParsingError { positives, .. } => positives,
        ErrorVariant::CustomError { .. } => &[],
    };
    let wanted = wanted(rules, base > 0);
    let message = match wanted.as_slice() {
        [] => format!("unexpected {found}"),
        [one] => format!("expected {one}, found {found}"),
        many if many.len() <= FEW => {
            format!("expected {} or {}, found {found}", many[..many.len() - 1].join(", "), many[many.len() - 1])
        }
        _ => format!("unexpected {found}"),
    };
    let mut d = Diagnostic::error(code::UNEXPECTED, span, message);
    if wanted.len() > FEW {
        d = d.with_note(format!("possible here: {}", wanted.join(", ")));
    }
    let before = text.get(..start).unwrap_or("").trim_end();
    let told = habit(token, before, &wanted).map(str::to_owned);
    if let Some(help) = told.or_else(|| help(token, rules, &wanted)) {
        d = d.with_help(help);
    }
    d
}

/// The token at a byte, or the next one after blanks and comments; empty at the end of the text.
fn found_at(text: &str, at: usize) -> (usize, usize) {
    let bytes = text.as_bytes();
    let wordy = |i: usize| bytes.get(i).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
    let mut start = at.min(text.len());
    // An error within a word is an error of the word.
    while start > 0 && wordy(start) && wordy(start - 1) {
        start -= 1;
    }
    let rest = text.get(start..).unwrap_or("");
    let skip = pieces(rest)
        .into_iter()
        .find(|p| !matches!(p.kind, Kind::Blank | Kind::Comment))
        .map_or(rest.len(), |p| p.start);
    start += skip;
    (start, scan::token_end(text, start))
}

/// What could stand there, each once: names and things first, then words and marks.
fn wanted(rules: &[Rule], in_item: bool) -> Vec<String> {
    let set: BTreeSet<Rule> = rules.iter().copied().collect();
    // Where many kinds of items could begin, they are one thing.
    let item = set.contains(&Rule::item) || set.contains(&Rule::k_flow) && set.contains(&Rule::k_never);
    let mut things = BTreeSet::new();
    let mut words = BTreeSet::new();
    if item || (in_item && set.contains(&Rule::EOI)) {
        things.insert("an item".to_owned());
        words.insert("`}`".to_owned());
    }
    for r in set {
        if let Some(w) = fixed(r) {
            if !(item && ITEMS.contains(&w)) {
                words.insert(format!("`{w}`"));
            }
        } else if let Some(t) = thing(r)
            && (r != Rule::EOI || !in_item)
        {
            things.insert(t.to_owned());
        }
    }
    if things.is_empty() && words.iter().eq(["`use`"]) {
        // After the edition the grammar reports only what it tried first.
        words.extend(["`library`".to_owned(), "`policy`".to_owned()]);
    }
    things.into_iter().chain(words).collect()
}

/// The line ends in a number, a word that is a unit, and perhaps one word more.
fn unit_apart(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().rev().take(3).collect();
    words.windows(2).any(|w| ["ms", "s", "m", "h", "d"].contains(&w[0]) && w[1].ends_with(|c: char| c.is_ascii_digit()))
}

/// What to write for a habit from another language, or for a mark in the wrong place.
fn habit(token: &str, before: &str, wanted: &[String]) -> Option<&'static str> {
    let want = |w: &str| wanted.iter().any(|x| x == w);
    let line = before.rsplit('\n').next().unwrap_or("").trim_start();
    let arrow = wanted.iter().any(|w| w.starts_with("an arrow"));
    Some(match token {
        "&&" | "&" => "write `and`",
        "||" | "|" => "write `or`",
        "!" => "write `not`",
        ";" => "nothing stands between items and steps: delete it",
        "'" => "a text stands in `\"`",
        "#" | "/*" => "a comment begins with `//`",
        "{" if before.ends_with("!=") || before.ends_with("==") => {
            "a set is compared with `has`, `has any { .. }`, `has all { .. }` or `empty`; one of several: `in { .. }`"
        }
        "=" if want("`:`") => "write `:`; `=` stands after `const`, `let`, `given`, `counter` and `unknown`",
        ":" if want("`=`") => "write `=`",
        "=" if want("`and`") || want("a comparison") => "write `==` to compare",
        "when" if before.rsplit('\n').next().is_some_and(|l| l.contains("->")) => {
            "the condition stands before the arrow: `port when GUARD -> place`"
        }
        "if" if want("`when`") => "write `when`",
        "=>" if arrow => "an edge is written with `->`; `=>` stands in tests",
        "->" if want("`=>`") => "a test says what it expects after `=>`",
        "->" if want("`spent`") => "write `spent ->` and the place to go to",
        "->" if before.ends_with("when") => "write what must hold between `when` and the arrow, or delete `when`",
        "(" if want("`:`") && line.starts_with("export") => {
            "an export has a name: `export NAME : opaque`, or `export NAME : digest of X keyed by ..`"
        }
        "to" | "by" if line.starts_with("export") => {
            "an export says who reads it as a scope of its key: `digest of X keyed by consumer, ..`"
        }
        ":" if line.starts_with("record") => "a field of the record says no type: write its name alone",
        "(" if want("`[`") => "the index of a fact stands in `[ ]`: `available[local]`",
        "." if before.ends_with(|c: char| c.is_ascii_digit()) => "numbers are whole: take a smaller unit",
        "-" if want("`..`") => "write `..` between the least and the greatest value",
        "boolean" => "did you mean `bool`?",
        "}" if before.rsplit('\n').next().is_some_and(|l| l.trim_start().starts_with("///")) => {
            "a doc comment documents the item after it; write `//` here"
        }
        t if arrow && t.starts_with('-') => {
            "arrows are `->`, `-loop->`, `-retry->`, `-redirect->`, `-fallback->`, `-redeliver->` and `-resume->`"
        }
        t if t.starts_with(|c: char| c.is_ascii_digit()) && t.ends_with(|c: char| c.is_ascii_alphabetic()) => {
            "units are `ms`, `s`, `m`, `h`, `d` and `cents`"
        }
        _ if want("an entry") && unit_apart(line) => "a unit stands right behind its number: `30s`",
        t if want("`,`") && t.starts_with(|c: char| c.is_ascii_lowercase()) => "a comma stands between the two",
        t if want("a text in quotes") && wanted.len() == 1 && t.starts_with(|c: char| c.is_ascii_lowercase()) => {
            "put it in `\"`"
        }
        _ => return None,
    })
}

/// What was probably meant.
fn help(token: &str, rules: &[Rule], wanted: &[String]) -> Option<String> {
    if token.starts_with("///") {
        return Some("a doc comment documents the item after it; write `//` here".to_owned());
    }
    if wanted.iter().any(|w| w == "`edition`") {
        return Some("begin the file with `edition 1`".to_owned());
    }
    if RESERVED.contains(&token) && wanted.iter().any(|w| w == "a name") {
        return Some(format!("`{token}` is a word of the language and cannot be a name"));
    }
    if token.starts_with(|c: char| c.is_ascii_uppercase()) {
        return Some(format!("names are written in small letters: `{}`", token.to_ascii_lowercase()));
    }
    if token.len() >= 2 && token.starts_with(|c: char| c.is_ascii_lowercase()) {
        let words = rules.iter().filter_map(|r| fixed(*r));
        let items = ITEMS.into_iter().filter(|_| wanted.iter().any(|w| w == "an item"));
        let near = words
            .chain(items)
            .chain(LIVES.into_iter().filter(|_| rules.contains(&Rule::life) || rules.contains(&Rule::fact)))
            .filter(|w| w.starts_with(|c: char| c.is_ascii_lowercase()))
            .map(|w| (distance(token, w), w))
            .filter(|(d, w)| *d > 0 && *d <= 1 + w.len() / 4)
            .min();
        return near.map(|(_, w)| format!("did you mean `{w}`?"));
    }
    None
}

const LIVES: [&str; 5] = ["pinned", "sealed", "volatile", "latch", "rank"];

/// Edit distance with neighbours swapped counted once (Damerau 1964, restricted form). Tokens longer than any keyword are
/// far from all of them.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() > 16 || b.len() > 16 {
        return usize::MAX;
    }
    let mut d = [[0_usize; 17]; 17];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            if i == 0 || j == 0 {
                d[i][j] = i + j;
                continue;
            }
            let mut best =
                (d[i - 1][j] + 1).min(d[i][j - 1] + 1).min(d[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]));
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(d[i - 2][j - 2] + 1);
            }
            d[i][j] = best;
        }
    }
    d[a.len()][b.len()]
}

/// A keyword or mark as it is written.
fn fixed(r: Rule) -> Option<&'static str> {
    macro_rules! words {
        ($($rule:ident $word:literal),* $(,)?) => {
            match r { $(Rule::$rule => Some($word),)* _ => None }
        };
    }
    words! {
        k_after "after", k_all "all", k_always "always", k_and "and", k_any "any", k_as "as", k_because "because",
        k_before "before", k_bool "bool", k_by "by", k_calls "calls", k_carrier "carrier", k_cents "cents",
        k_changes "changes", k_child "child", k_choose "choose", k_const "const", k_counter "counter", k_each "each",
        k_edition "edition", k_else "else", k_empty "empty", k_enum "enum", k_evidence "evidence", k_exits "exits",
        k_export "export", k_keyed "keyed", k_record "record",
        k_facts "facts", k_filters "filters", k_floor "floor", k_flow "flow", k_given "given", k_has "has", k_in "in",
        k_int "int", k_is "is", k_keys "keys", k_lane "lane", k_let "let", k_level "level", k_library "library",
        k_limits "limits", k_need "need", k_never "never", k_node "node", k_not "not", k_of "of", k_or "or",
        k_order "order", k_out "out", k_per "per", k_pins "pins", k_place "place", k_policy "policy",
        k_profile "profile", k_projection "projection", k_road "road", k_role "role", k_set "set", k_spent "spent",
        k_submitted "submitted", k_takes "takes", k_target "target", k_test "test", k_through "through", k_to "to",
        k_tokens "tokens", k_total "total", k_unknown "unknown", k_unless "unless", k_use "use", k_via "via",
        k_when "when", k_with "with", k_without "without",
        k_open "{", k_close "}", k_left "(", k_right ")", k_from "[", k_upto "]", k_colon ":", k_comma ",",
        k_equals "=", k_arrow "->", k_range "..", k_below "<", k_result "=>", k_at "@",
        hole "?", optional "?",
    }
}

/// A rule that is no fixed word, as people call it.
fn thing(r: Rule) -> Option<&'static str> {
    Some(match r {
        Rule::EOI => "the end of the file",
        Rule::word | Rule::path | Rule::port => "a name",
        Rule::text | Rule::inner => "a text in quotes",
        Rule::int | Rule::qty | Rule::unit => "a number",
        Rule::arrow => "an arrow (`->`, `-fallback->`, ..)",
        Rule::cmp => "a comparison",
        Rule::guard | Rule::conj | Rule::atom => "a condition",
        Rule::r#type => "a type (`bool`, `int 0..100`, `enum { .. }`, `set { .. }`, `level { .. }`, `evidence`)",
        Rule::value => "a number or a name",
        Rule::step | Rule::edge => "a step",
        Rule::entry => "an entry",
        Rule::fact => "a fact (`pinned`, `sealed`, `volatile`, `latch` or `rank`, then its name)",
        Rule::place => "a place to go to",
        Rule::event => "an event",
        Rule::names | Rule::block | Rule::setting => "a block in `{ }`",
        Rule::life => "`pinned`, `sealed`, `volatile`, `latch` or `rank`",
        Rule::table_name => return None,
        Rule::sign => "`+ ..`",
        _ => return None,
    })
}

fn at32(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::is_fixed;

    #[test]
    fn fixed_words_all_have_a_spelling() {
        for r in Rule::all_rules().iter().filter(|r| is_fixed(**r)) {
            assert!(fixed(*r).is_some(), "{r:?}");
        }
    }

    #[test]
    fn distance_counts_edits_and_swaps() {
        assert_eq!(distance("flow", "flow"), 0);
        assert_eq!(distance("flwo", "flow"), 1);
        assert_eq!(distance("rod", "road"), 1);
        assert_eq!(distance("aaaaaaaaaaaaaaaaaaaaaaaaaaa", "b"), usize::MAX);
    }
}
