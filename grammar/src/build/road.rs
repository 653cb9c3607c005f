//! Roads, limits, filters, projections and their blocks.

use super::{Build, P, all, first, kids, of};
use crate::ast::*;
use crate::rules::Rule;
use crate::span::Spanned;

impl Build {
    pub(super) fn limits(&mut self, p: &P<'_>) -> Limits {
        Limits {
            name: of(p, Rule::word).map(|w| self.word(&w)),
            block: of(p, Rule::block).map(|b| self.block(&b)),
            span: self.unit(p),
        }
    }

    pub(super) fn block_in(&mut self, p: &P<'_>) -> Block {
        self.block(&of(p, Rule::block).unwrap_or_else(|| p.clone()))
    }

    pub(super) fn block(&mut self, p: &P<'_>) -> Block {
        let entries = all(p, Rule::entry).iter().map(|e| self.entry(&first(e))).collect();
        Block { entries, span: self.unit(p) }
    }

    pub(super) fn entry(&mut self, e: &P<'_>) -> Entry {
        match e.as_rule() {
            Rule::road_filters => Entry::Filters(match of(e, Rule::filter_body) {
                Some(b) => {
                    let mut f = self.filters(&b);
                    f.span = self.unit(e);
                    FiltersRef::Inline(f)
                }
                None => FiltersRef::Named(self.nth(e, Rule::path, 0)),
            }),
            Rule::limits_use => Entry::Limits(self.limits(e)),
            Rule::tokens => {
                let ints = all(e, Rule::int);
                let zero = Spanned { value: 0, span: self.span(e) };
                let mut nth = |n: usize| ints.get(n).map_or(zero.clone(), |i| self.int(i));
                let (input, output, total) = (nth(0), nth(1), nth(2));
                Entry::Tokens { input, output, total, span: self.unit(e) }
            }
            Rule::table => Entry::Table {
                name: self.nth(e, Rule::table_name, 0),
                rows: all(e, Rule::row)
                    .iter()
                    .map(|r| {
                        let cells = all(r, Rule::cell);
                        let nth = |n: usize| cells.get(n).map_or_else(|| Atom::Word(self.word(r)), |c| self.cell(c));
                        (nth(0), nth(1))
                    })
                    .collect(),
            },
            _ => {
                let name = self.nth(e, Rule::word, 0);
                let v = kids(e).into_iter().nth(1).unwrap_or_else(|| e.clone());
                let value = match v.as_rule() {
                    Rule::text => AttrValue::Text(self.text(&v)),
                    Rule::qty => AttrValue::Qty(self.qty(&v)),
                    _ => AttrValue::Path(self.word(&v)),
                };
                Entry::Attr(name, value)
            }
        }
    }

    pub(super) fn cell(&self, c: &P<'_>) -> Atom {
        let k = first(c);
        if k.as_rule() == Rule::text { Atom::Text(self.text(&k)) } else { Atom::Word(self.word(&k)) }
    }

    pub(super) fn fields_in(&self, p: &P<'_>) -> Vec<(Ident, Ident)> {
        of(p, Rule::fields)
            .map(|f| {
                all(&f, Rule::field).iter().map(|k| (self.nth(k, Rule::word, 0), self.nth(k, Rule::word, 1))).collect()
            })
            .unwrap_or_default()
    }

    pub(super) fn filters(&mut self, b: &P<'_>) -> Filters {
        Filters {
            name: None,
            uses: all(b, Rule::filter_use).iter().flat_map(|u| all(u, Rule::path)).map(|p| self.word(&p)).collect(),
            filters: all(b, Rule::filter).iter().map(|f| (self.nth(f, Rule::word, 0), self.guard_in(f))).collect(),
            span: self.unit(b),
        }
    }

    pub(super) fn road(&mut self, p: &P<'_>) -> Road {
        let named = |b: &Self, r: Rule| of(p, r).map(|k| b.nth(&k, Rule::word, 0));
        Road {
            name: self.nth(p, Rule::word, 0),
            owner: named(self, Rule::owner).unwrap_or_else(|| self.word(p)),
            cognition: named(self, Rule::cognition),
            through: named(self, Rule::through),
            target: named(self, Rule::to),
            with: of(p, Rule::with).map(|w| match of(&w, Rule::word) {
                Some(n) => With::Named(self.word(&n)),
                None => With::Inline(self.fields_in(&w)),
            }),
            carrier: named(self, Rule::carrier),
            block: self.block_in(p),
            span: self.unit(p),
        }
    }
}
