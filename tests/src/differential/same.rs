//! What must not matter: layout, the order of declarations, and names. The texts are rewritten word by word, by none of the
//! grammar's own code but its printer.

use super::bases::read;
use super::draw::Draw;
use roadlaw_compiler::model::Model;
use roadlaw_compiler::prove::{Verdict, prove_warm};
use roadlaw_compiler::table::{self, Options};
use roadlaw_grammar::diagnostic::Severity;
use roadlaw_grammar::span::Sources;

/// A text in pieces: words, single marks, strings, comments, and the space between them.
fn pieces(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = match first {
            '"' => rest[1..].find('"').map(|i| i + 2),
            '/' if rest.starts_with("//") => rest.find('\n').map(|i| i + 1),
            c if c.is_whitespace() => rest.find(|c: char| !c.is_whitespace()),
            c if word(c) => rest.find(|c: char| !word(c)),
            c => Some(c.len_utf8()),
        };
        let (piece, after) = rest.split_at(end.unwrap_or(rest.len()));
        out.push(piece);
        rest = after;
    }
    out
}

fn word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The same words with other space and comments between them.
#[must_use]
pub fn laid_out(text: &str, d: &mut Draw) -> String {
    let all = pieces(text);
    let space = |(i, piece): (usize, &&str)| {
        // Cents may stand apart from their number by spaces alone.
        let kept = !piece.starts_with(char::is_whitespace) || all.get(i + 1).is_some_and(|next| *next == "cents");
        let other = ["\n", "\n\n\t", "   ", " // a note\n", "\r\n  "];
        if kept { (*piece).to_owned() } else { (*d.one(&other)).to_owned() }
    };
    all.iter().enumerate().map(space).collect()
}

/// As the printer lays it out.
#[must_use]
pub fn printed(text: &str) -> Option<String> {
    let mut sources = Sources::default();
    let id = sources.add("t.road", text);
    roadlaw_grammar::parse(&sources, id).0.map(|tree| roadlaw_grammar::print(&tree))
}

/// With other names: `other` of each word that is one.
#[must_use]
pub fn renamed(text: &str, other: impl Fn(&str) -> Option<String>) -> String {
    let new = |piece: &&str| other(piece).unwrap_or_else(|| (*piece).to_owned());
    pieces(text).iter().map(new).collect()
}

/// A word that the policy gave to a road, target, counter, filter or fact of its own.
#[must_use]
pub fn declared(text: &str) -> Vec<String> {
    let all = pieces(text);
    let words: Vec<&str> = all.into_iter().filter(|p| !p.starts_with(char::is_whitespace)).collect();
    // Not `per road unknown = ..`, nor the parameters of a lane.
    let named = words
        .windows(3)
        .filter(|w| ["road", "target", "counter", "projection"].contains(&w[1]) && !["per", ":", ","].contains(&w[0]));
    let mut out: Vec<String> = named.map(|w| w[2].to_owned()).filter(|w| w.starts_with(word)).collect();
    // Words of the language that a policy may use for its own as well, and those of `std.filters.local` and the like.
    let kept = ["rounds", "uses", "requests", "retries", "human", "local", "portal", "peer"];
    out.retain(|w| {
        !kept.contains(&w.as_str())
            && !text.contains(&format!("std.filters.{w}"))
            && !text.contains(&format!("std.lanes.{w}"))
    });
    out.sort();
    out.dedup();
    out
}

/// Its items in another order, those of facts and of flows as well: what begins on a line of its own, with all its lines.
#[must_use]
pub fn shuffled(text: &str, d: &mut Draw) -> String {
    let mut lines = text.lines().peekable();
    let mut out = String::new();
    while let Some(line) = lines.next() {
        out += &format!("{line}\n");
        if !(line.ends_with('{') && (line.starts_with("policy") || matches!(line.trim(), "facts {" | "flow {"))) {
            continue;
        }
        let indent = line.len() - line.trim_start().len();
        let mut items: Vec<String> = Vec::new();
        let mut inside = Vec::new();
        while let Some(next) = lines.peek().filter(|l| l.trim().is_empty() || l.len() - l.trim_start().len() > indent) {
            inside.push(*next);
            lines.next();
        }
        // Comments before an item and what lies deeper belong to it, and so does the brace that closes it.
        let deep = inside.first().map_or(0, |l: &&str| l.len() - l.trim_start().len());
        let mut item = String::new();
        for l in inside {
            let begins = l.len() - l.trim_start().len() == deep && !l.trim().starts_with('}') && !l.trim().is_empty();
            let told = item.lines().all(|l| l.trim().is_empty() || l.trim().starts_with("//"));
            if begins && !told {
                items.push(std::mem::take(&mut item));
            }
            item += &format!("{l}\n");
        }
        items.push(item);
        // An `else` stands behind what was asked before it, or it is no edge of a port.
        let (mut items, last): (Vec<_>, Vec<_>) = items.into_iter().partition(|i| !pieces(i).contains(&"else"));
        let mut left = items.len();
        while left > 0 {
            let chosen = d.below(left);
            items[chosen..].rotate_left(1);
            left -= 1;
        }
        // Nor does one follow an order, which would be longer by it.
        if let Some(edge) = items.iter().position(|i| i.contains("->") && !i.contains(" in order")) {
            let edge = items.remove(edge);
            items.push(edge);
        }
        for next in items.into_iter().chain(last) {
            // A block of the block is shuffled in its turn.
            out += &if next.lines().count() > 1 { shuffled(&next, d) } else { next };
        }
    }
    out
}

/// What is said of a text: the verdict, the codes, and the table, or why it is none.
pub type Said = Result<(Verdict, Vec<&'static str>, Option<Vec<u8>>), Vec<&'static str>>;

/// What is said of a text.
///
/// # Errors
/// The codes of a text that makes no sense.
pub fn said(text: &str) -> Said {
    read(text).map(|m: Model| {
        let report = prove_warm(&m);
        let errors = report.diagnostics.iter().filter(|d| d.severity == Severity::Error);
        let mut codes: Vec<_> = errors.map(|d| d.code).collect();
        codes.sort_unstable();
        let table = report.proof.as_ref().and_then(|p| table::build(&m, p, Options::default()).ok());
        (report.verdict, codes, table)
    })
}

fn without_table(said: &Said) -> Result<(Verdict, &[&'static str]), &[&'static str]> {
    said.as_ref().map(|(v, codes, _)| (*v, codes.as_slice())).map_err(Vec::as_slice)
}

/// The first that differs among a text of [`super::options`], laid out, printed, shuffled and renamed.
#[must_use]
pub fn differing(text: &str, d: &mut Draw) -> Option<String> {
    let before = said(text);
    let printed = printed(text)?;
    for other in [laid_out(text, d), printed] {
        if said(&other) != before {
            return Some(format!("layout matters: {:?}\n{other}", without_table(&said(&other))));
        }
    }
    let names = |first: &str| first.len() == 2 && first.ends_with(|c: char| c.is_ascii_digit());
    let named = |w: &str| names(w) && w.starts_with(['f', 'l', 'r', 'c']);
    let longer = |w: &str| (named(w) || ["p", "q", "s", "t", "cost", "rounds"].contains(&w)).then(|| format!("x_{w}"));
    // The last key is the road's name: only where nothing is ranked by keys may names stand in another order.
    let swapped = |w: &str| named(w).then(|| w.replacen(|c: char| c.is_ascii_digit(), &turned(w), 1));
    let mut others = vec![renamed(text, longer), shuffled(text, d)];
    if !text.contains(" keys ") {
        others.push(renamed(text, swapped));
    }
    let differs = |other: &&String| without_table(&said(other)) != without_table(&before);
    let wrong = others.iter().find(differs)?;
    Some(format!("order or names matter: {:?}\n{wrong}", without_table(&said(wrong))))
}

/// The last figure of a name, turned round: names stand in another order then.
fn turned(name: &str) -> String {
    let figure = name.chars().last().and_then(|c| c.to_digit(10)).unwrap_or(0);
    (9 - figure).to_string()
}
