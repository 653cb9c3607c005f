//! Digits and groups: what the facts of a choose pick, and in how many rows.
//!
//! Every group costs one read per block of masks, and as many rows as the product of its digits' values. A layout is fast if
//! groups are merged while rows are cheap, first where a clause would otherwise need a check of its own; it is compact if
//! every digit stays a group.

use super::clauses::{Clause, Literal, Place};
use crate::model::{Cell, FactId, Guard, Model, Truth, Type};
use roadlaw_runtime::format::source;
use std::collections::{BTreeMap, BTreeSet};

/// Labels that one digit holds at most.
const LABELS: u8 = 2;
/// Rows of one group at most, where groups are merged.
const MERGED: usize = 256;
/// Groups that are read in two steps: fewer are not worth a row.
const ENOUGH: usize = 16;

/// What picks a digit, and what it says of the literals.
#[derive(Debug)]
pub(super) struct Digit {
    pub(super) source: u8,
    /// `None`: a guard.
    pub(super) cell: Option<FactId>,
    /// Number of labels.
    pub(super) labels: u8,
    /// The first of them.
    pub(super) first: u8,
    /// The guard.
    pub(super) guard: Guard,
    pub(super) cuts: Vec<i32>,
    /// What the cell holds for each value of the digit; empty for a guard.
    holds: Vec<Cell>,
    pub(super) group: usize,
    pub(super) stride: usize,
}

impl Digit {
    /// Number of its values.
    pub(super) fn radix(&self) -> usize {
        if self.cell.is_none() { 2 } else { self.holds.len() }
    }

    fn reads(&self, place: &Place) -> bool {
        match place {
            Place::Cell(f) => self.cell == Some(*f),
            Place::Label(f, l) => self.cell == Some(*f) && (self.first..self.first + self.labels).contains(l),
            Place::Guard(g) => self.cell.is_none() && self.guard == *g,
        }
    }
}

/// The digits of a choose, by cell with guards last, and the size of its groups.
#[derive(Debug, Default)]
pub(super) struct Groups {
    pub(super) digits: Vec<Digit>,
    /// Rows of each group.
    pub(super) sizes: Vec<usize>,
}

impl Groups {
    /// Lays out what the clauses read. `rows` bounds the rows that merging may lead to; 0 merges nothing.
    pub(super) fn of(m: &Model, clauses: &[&Clause], rows: usize) -> Self {
        let literals: BTreeSet<&Literal> = clauses.iter().flat_map(|c| c.iter()).collect();
        let mut out = Self { digits: digits(m, &literals), sizes: Vec::new() };
        for (i, d) in out.digits.iter_mut().enumerate() {
            d.group = i;
        }
        if rows > 0 {
            out.merge(clauses, rows);
        }
        out.number();
        out
    }

    /// Rows of all groups and the neutral one.
    pub(super) fn rows(&self) -> usize {
        1 + self.sizes.iter().sum::<usize>()
    }

    /// The digit that a literal reads.
    pub(super) fn digit(&self, l: &Literal) -> usize {
        self.digits.iter().position(|d| d.reads(&l.place)).unwrap_or(usize::MAX)
    }

    /// Whether a literal holds, for each value of its digit.
    pub(super) fn truth(&self, m: &Model, l: &Literal) -> Vec<bool> {
        let Some(d) = self.digits.get(self.digit(l)) else { return Vec::new() };
        let Some(f) = d.cell else { return vec![false, true] };
        let mut facts = vec![Cell::Unknown; m.facts.len()];
        let mut holds = |c: &Cell| {
            facts[f.index()] = *c;
            l.guard.eval(m, &facts) == Truth::True
        };
        d.holds.iter().map(&mut holds).collect()
    }

    /// The rows of a group in which a literal of one of its digits holds.
    pub(super) fn rows_of(&self, m: &Model, l: &Literal) -> Vec<bool> {
        let truth = self.truth(m, l);
        let Some(d) = self.digits.get(self.digit(l)) else { return Vec::new() };
        (0..self.sizes[d.group]).map(|row| truth[row / d.stride % d.radix()]).collect()
    }

    fn sizes_now(&self) -> BTreeMap<usize, usize> {
        let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
        for d in &self.digits {
            *sizes.entry(d.group).or_insert(1) *= d.radix();
        }
        sizes
    }

    /// Merges the groups that clauses span, cheapest first, then those that cost least, within the bounds.
    fn merge(&mut self, clauses: &[&Clause], rows: usize) {
        loop {
            let sizes = self.sizes_now();
            let total: usize = 1 + sizes.values().sum::<usize>();
            let spans = clauses.iter().map(|c| self.span(c)).filter(|s| s.len() > 1);
            let best = spans.filter_map(|s| Some((growth(&sizes, &s, total, rows)?, s))).min();
            let Some((_, groups)) = best else { break };
            self.join(&groups);
        }
        loop {
            let sizes = self.sizes_now();
            if sizes.len() <= ENOUGH {
                break;
            }
            let total: usize = 1 + sizes.values().sum::<usize>();
            let groups: Vec<usize> = self.plain(&sizes);
            let pairs =
                groups.iter().enumerate().flat_map(|(i, a)| groups[i + 1..].iter().map(|b| BTreeSet::from([*a, *b])));
            let best = pairs.filter_map(|s| Some((growth(&sizes, &s, total, rows)?, s))).min();
            let Some((_, groups)) = best else { break };
            self.join(&groups);
        }
    }

    /// Groups without a guard: what is evaluated stays alone.
    fn plain(&self, sizes: &BTreeMap<usize, usize>) -> Vec<usize> {
        sizes.keys().copied().filter(|g| self.digits.iter().all(|d| d.group != *g || d.cell.is_some())).collect()
    }

    fn span(&self, c: &Clause) -> BTreeSet<usize> {
        let mut out = BTreeSet::new();
        for l in c {
            match self.digits.get(self.digit(l)) {
                Some(d) if d.cell.is_some() => out.insert(d.group),
                _ => return BTreeSet::new(),
            };
        }
        out
    }

    fn join(&mut self, groups: &BTreeSet<usize>) {
        let into = groups.first().copied().unwrap_or(0);
        for d in self.digits.iter_mut().filter(|d| groups.contains(&d.group)) {
            d.group = into;
        }
    }

    /// Numbers groups from 0 by their first digit, and gives digits their strides.
    fn number(&mut self) {
        let mut known: BTreeMap<usize, usize> = BTreeMap::new();
        for d in &mut self.digits {
            let next = known.len();
            d.group = *known.entry(d.group).or_insert(next);
            if d.group == self.sizes.len() {
                self.sizes.push(1);
            }
            d.stride = self.sizes[d.group];
            self.sizes[d.group] *= d.radix();
        }
    }
}

/// How many rows joining adds; `None`: more than the bounds allow.
fn growth(sizes: &BTreeMap<usize, usize>, groups: &BTreeSet<usize>, total: usize, rows: usize) -> Option<usize> {
    let parts = groups.iter().filter_map(|g| sizes.get(g));
    let product = parts.clone().try_fold(1_usize, |n, s| n.checked_mul(*s))?;
    let grown = (total + product).checked_sub(parts.sum())?;
    (product <= MERGED && grown <= rows).then(|| grown.saturating_sub(total))
}

fn digits(m: &Model, literals: &BTreeSet<&Literal>) -> Vec<Digit> {
    let mut cells: BTreeMap<FactId, BTreeSet<u8>> = BTreeMap::new();
    let mut guards: BTreeSet<&Guard> = BTreeSet::new();
    for l in literals {
        match &l.place {
            Place::Cell(f) => drop(cells.entry(*f).or_default()),
            Place::Label(f, label) => drop(cells.entry(*f).or_default().insert(*label)),
            Place::Guard(g) => drop(guards.insert(g)),
        }
    }
    let mut out = Vec::new();
    for (f, labels) in cells {
        let of = literals.iter().filter(|l| l.place == Place::Cell(f)).map(|l| &l.guard);
        out.extend(of_cell(m, f, &labels, of));
    }
    out.extend(guards.into_iter().map(|g| Digit { guard: g.clone(), ..blank(source::GUARD, None) }));
    out
}

fn blank(source: u8, cell: Option<FactId>) -> Digit {
    let (cuts, holds) = (Vec::new(), Vec::new());
    Digit { source, cell, labels: 0, first: 0, guard: Guard::True, cuts, holds, group: 0, stride: 0 }
}

fn of_cell<'a>(m: &Model, f: FactId, labels: &BTreeSet<u8>, asked: impl Iterator<Item = &'a Guard>) -> Vec<Digit> {
    let number = |n: usize| Cell::Known(i64::try_from(n).unwrap_or(0));
    let mut holds: Vec<Cell> = match &m.fact(f).ty {
        Type::Bool => vec![Cell::Known(0), Cell::Known(1)],
        Type::Enum(n) | Type::Level(n) => (0..n.len()).map(number).collect(),
        Type::Set(_) => return of_set(f, labels),
        Type::Int { lo, hi } => {
            let mut found = BTreeSet::new();
            asked.for_each(|g| thresholds(g, &mut found));
            let cuts: Vec<i32> = found.into_iter().filter(|c| lo < c && c <= hi).collect();
            let mut holds: Vec<Cell> =
                std::iter::once(*lo).chain(cuts.iter().copied()).map(|n| Cell::Known(i64::from(n))).collect();
            holds.push(Cell::Unknown);
            return vec![Digit { cuts, holds, ..blank(source::INT, Some(f)) }];
        }
    };
    holds.push(Cell::Unknown);
    vec![Digit { holds, ..blank(source::CELL, Some(f)) }]
}

/// Neighbouring labels, as many as a digit holds.
fn of_set(f: FactId, labels: &BTreeSet<u8>) -> Vec<Digit> {
    let mut out = Vec::new();
    let mut rest = labels.clone();
    while let Some(first) = rest.pop_first() {
        let last = rest.range(first..first + LABELS).next_back().copied().unwrap_or(first);
        rest.retain(|l| *l > last);
        let count = last - first + 1;
        let mut holds: Vec<Cell> = (0..1_i64 << count).map(|n| Cell::Known(n << first)).collect();
        holds.push(Cell::Unknown);
        out.push(Digit { labels: count, first, holds, ..blank(source::LABELS, Some(f)) });
    }
    out
}

fn thresholds(g: &Guard, out: &mut BTreeSet<i32>) {
    match g {
        Guard::Not(g) => thresholds(g, out),
        Guard::And(gs) | Guard::Or(gs) => gs.iter().for_each(|g| thresholds(g, out)),
        Guard::Range(_, lo, hi) => out.extend([*lo, hi.saturating_add(1)]),
        _ => {}
    }
}
