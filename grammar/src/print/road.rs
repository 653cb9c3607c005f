//! Roads, limits, filters and their blocks.

use super::{Printer, guard, names, number, qty};
use crate::ast::*;

/// `{ question: query, .. }`
pub(super) fn fields(fields: &[(Ident, Ident)]) -> String {
    let parts: Vec<String> = fields.iter().map(|(f, c)| format!("{}: {}", f.value, c.value)).collect();
    format!("{{ {} }}", parts.join(", "))
}

fn atom(a: &Atom) -> String {
    match a {
        Atom::Text(t) => format!("\"{}\"", t.value),
        Atom::Word(w) => w.value.clone(),
    }
}

/// An entry that is written on one line; nothing for one that needs lines of its own.
fn entry(e: &Entry) -> Option<String> {
    Some(match e {
        Entry::Filters(FiltersRef::Named(n)) => format!("filters {}", n.value),
        Entry::Filters(FiltersRef::Inline(f)) if f.filters.is_empty() && f.uses.is_empty() => {
            format!("filters {}", names(&[]))
        }
        Entry::Filters(FiltersRef::Inline(_)) => return None,
        Entry::Limits(l) => {
            let mut out = "limits".to_owned();
            if let Some(n) = &l.name {
                out.push_str(&format!(" {}", n.value));
            }
            if let Some(b) = &l.block {
                out.push_str(&format!(" {}", flat(b)?));
            }
            out
        }
        Entry::Tokens { input, output, total, .. } => {
            let (i, o, t) = (number(input.value), number(output.value), number(total.value));
            format!("tokens {i} in {o} out {t} total")
        }
        Entry::Table { name, rows } => {
            let rows: Vec<String> = rows.iter().map(|(a, b)| format!("{} {}", atom(a), atom(b))).collect();
            if rows.is_empty() {
                format!("{} {{ }}", name.value)
            } else {
                format!("{} {{ {} }}", name.value, rows.join("  "))
            }
        }
        Entry::Attr(name, v) => match v {
            AttrValue::Text(t) => format!("{} \"{}\"", name.value, t.value),
            AttrValue::Qty(q) => format!("{} {}", name.value, qty(q.value)),
            AttrValue::Path(p) => format!("{} {}", name.value, p.value),
        },
    })
}

/// A block on one line, if all its entries can stand there.
fn flat(b: &Block) -> Option<String> {
    let parts: Vec<String> = b.entries.iter().map(entry).collect::<Option<_>>()?;
    if parts.windows(2).any(|w| super::takes_unit(&w[0], &w[1])) {
        return None;
    }
    Some(if parts.is_empty() { "{ }".to_owned() } else { format!("{{ {} }}", parts.join("  ")) })
}

impl Printer {
    pub(super) fn block(&mut self, depth: usize, head: &str, b: &Block) {
        if let Some(parts) = b.entries.iter().map(entry).collect::<Option<Vec<_>>>() {
            return self.braced(depth, head, &parts);
        }
        self.line(depth, &format!("{head} {{"));
        for e in &b.entries {
            match (entry(e), e) {
                (Some(line), _) => self.line(depth + 1, &line),
                (None, Entry::Filters(FiltersRef::Inline(f))) => self.filters(depth + 1, f),
                (None, Entry::Limits(l)) => self.limits(depth + 1, l),
                (None, _) => {}
            }
        }
        self.line(depth, "}");
    }

    pub(super) fn limits(&mut self, depth: usize, l: &Limits) {
        let head = l.name.as_ref().map_or("limits".to_owned(), |n| format!("limits {}", n.value));
        match &l.block {
            Some(b) => self.block(depth, &head, b),
            None => self.line(depth, &head),
        }
    }

    pub(super) fn filters(&mut self, depth: usize, f: &Filters) {
        let name = f.name.as_ref().map_or(String::new(), |n| format!("{} ", n.value));
        if f.uses.is_empty() && f.filters.is_empty() {
            return self.line(depth, &format!("filters {name}{{ }}"));
        }
        self.line(depth, &format!("filters {name}{{"));
        if !f.uses.is_empty() {
            self.line(depth + 1, &format!("use {}", super::list(&f.uses, ", ")));
        }
        let width = f.filters.iter().map(|(n, _)| n.value.len()).max().unwrap_or(0).min(24);
        for (n, g) in &f.filters {
            self.line(depth + 1, &format!("{:width$} : {}", n.value, guard::guard(g)));
        }
        self.line(depth, "}");
    }

    pub(super) fn road(&mut self, depth: usize, r: &Road) {
        let mut head = format!("road {} : {}", r.name.value, r.owner.value);
        if let Some(c) = &r.cognition {
            head.push_str(&format!(" {}", c.value));
        }
        if let Some(t) = &r.through {
            head.push_str(&format!(" through {}", t.value));
        }
        if let Some(t) = &r.target {
            head.push_str(&format!(" to {}", t.value));
        }
        match &r.with {
            Some(With::Named(n)) => head.push_str(&format!(" with {}", n.value)),
            Some(With::Inline(f)) => head.push_str(&format!(" with {}", fields(f))),
            None => {}
        }
        if let Some(c) = &r.carrier {
            head.push_str(&format!(" carrier {}", c.value));
        }
        self.block(depth, &head, &r.block);
    }
}
