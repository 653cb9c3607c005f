//! Names, so that people can read what a table says. Parts that many names share are written once, in a dictionary.

use crate::model::{Model, Type};
use roadlaw_runtime::format::symbol;
use std::collections::BTreeMap;

/// The symbols section: dictionary, then a name for everything in the order of FORMAT.md.
pub(super) fn symbols(m: &Model) -> Option<Vec<u8>> {
    let names = names(m);
    let words = dictionary(&names);
    let index: BTreeMap<&str, usize> = words.iter().enumerate().map(|(i, w)| (*w, i)).collect();
    let mut out = u16::try_from(words.len()).ok()?.to_le_bytes().to_vec();
    for w in &words {
        out.push(u8::try_from(w.len()).ok()?);
        out.extend(w.bytes());
    }
    for name in &names {
        for piece in pieces(name) {
            match index.get(piece) {
                Some(i) if *i < symbol::SHORT => out.push(symbol::WORD + u8::try_from(*i).ok()?),
                Some(i) => {
                    let [low, high] = u16::try_from(i - symbol::SHORT).ok()?.to_le_bytes();
                    out.extend([symbol::WIDE + high, low]);
                }
                None => out.extend(piece.bytes()),
            }
        }
        out.push(symbol::END);
    }
    Some(out)
}

/// All names, in order.
fn names(m: &Model) -> Vec<String> {
    let mut out = vec![format!("{}@{}", m.name, m.version)];
    for f in &m.facts {
        out.push(f.name.clone());
        if let Type::Enum(n) | Type::Level(n) | Type::Set(n) = &f.ty {
            out.extend(n.iter().cloned());
        }
    }
    out.extend(m.roads.iter().map(|r| r.name.clone()));
    out.extend(m.roads.iter().flat_map(|r| &r.filters).map(|f| f.name.clone()));
    out.extend(m.nodes.iter().map(|n| n.name.clone()));
    out.extend(m.counters.iter().map(|c| c.name.clone()));
    out.extend(m.flows.iter().map(|f| f.name.clone()));
    out
}

/// A name cut before each `(`, `[` and `.`: `run`, `(flat)`, `.release`, `(flat)`.
fn pieces(name: &str) -> impl Iterator<Item = &str> {
    let mut rest = name;
    std::iter::from_fn(move || {
        let mut ends = rest.char_indices().skip(1).filter(|(_, c)| matches!(c, '(' | '[' | '.')).map(|(i, _)| i);
        let end = ends.next().unwrap_or(rest.len());
        let (piece, tail) = rest.split_at(end);
        rest = tail;
        (!piece.is_empty()).then_some(piece)
    })
}

/// The pieces that a dictionary shortens, those that save most first, so that they get the short codes.
fn dictionary(names: &[String]) -> Vec<&str> {
    let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
    for piece in names.iter().flat_map(|n| pieces(n)) {
        *uses.entry(piece).or_default() += 1;
    }
    // A word costs its letters and a length byte once, and up to two bytes a use.
    let saved = |w: &str, n: usize| (n * w.len()).saturating_sub(w.len() + 1 + 2 * n);
    let mut words: Vec<(&str, usize)> = uses.into_iter().filter(|(w, n)| w.len() < 256 && saved(w, *n) > 0).collect();
    words.sort_by(|(a, n), (b, k)| k.cmp(n).then(a.cmp(b)));
    words.truncate(symbol::WORDS);
    words.into_iter().map(|(w, _)| w).collect()
}
