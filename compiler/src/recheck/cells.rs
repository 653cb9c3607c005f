//! Fact cells as variables of diagrams, and conditions over them.
//!
//! Every cell is one bit for unknown and its value in binary (for a set a bit per label), whatever is asked of it. Each bit
//! has a shadow, the next variable, for a second content of the same cell.

use super::diagrams::{Diagrams, Set, TooLarge};
use crate::graph::{Cond, Graph, Write};
use crate::manifest::Test;
use crate::model::{FactId, Guard, Latch, Model, Type};
use std::collections::{BTreeMap, BTreeSet};

/// Cells of one condition beyond which the checker gives up: its work is recursive in them.
const CELLS: usize = 500;

/// Nodes beyond which a fresh set of diagrams is cheaper than a crowded one.
const CROWDED: usize = 400_000;

struct Coded {
    unknown: Option<u32>,
    /// Least bit first.
    bits: Vec<u32>,
    /// Least value; 0 for sets.
    lo: i64,
    /// Greatest value less the least; no bound for sets.
    most: Option<i64>,
}

/// Conditions on the cells of one model.
pub(crate) struct Cells<'m> {
    pub(super) model: &'m Model,
    pub(super) d: Diagrams,
    coded: Vec<Coded>,
    guards: BTreeMap<Guard, (Set, Set)>,
}

impl<'m> Cells<'m> {
    pub(crate) fn new(g: &Graph<'m>) -> Self {
        let model = g.model;
        let mut compared = BTreeSet::new();
        for c in g.effects.iter().flat_map(|e| &e.open) {
            compared_in(c, &mut compared);
        }
        let mut coded: Vec<Coded> = model
            .facts
            .iter()
            .map(|f| {
                let (lo, most, width) = match &f.ty {
                    Type::Bool => (0, Some(1), 1),
                    Type::Enum(n) | Type::Level(n) => number(0, i64::try_from(n.len()).unwrap_or(1) - 1),
                    Type::Int { lo, hi } => number(i64::from(*lo), i64::from(*hi)),
                    Type::Set(n) => (0, None, n.len()),
                };
                // An unknown latch cannot occur: the run writes them.
                let unknown = f.latch.is_none().then_some(0);
                Coded { unknown, bits: vec![0; width], lo, most }
            })
            .collect();
        let mut next = 0;
        let mut fresh = || {
            next += 2;
            next
        };
        // Numbers that are compared with each other take turns, greatest bit first, or the comparison would not stay small.
        let widest = compared.iter().map(|f| coded[f.index()].bits.len()).max().unwrap_or(0);
        for bit in (0..widest).rev() {
            for f in &compared {
                if let Some(slot) = coded[f.index()].bits.get_mut(bit) {
                    *slot = fresh();
                }
            }
        }
        for c in &mut coded {
            for slot in c.unknown.iter_mut().chain(c.bits.iter_mut().rev()).filter(|s| **s == 0) {
                *slot = fresh();
            }
        }
        Self { model, d: Diagrams::new(), coded, guards: BTreeMap::new() }
    }

    /// Drops the diagrams where there are many. No set made before may be used after it; says whether that is so.
    pub(super) fn tidy(&mut self) -> bool {
        if self.d.len() < CROWDED {
            return false;
        }
        self.fresh();
        true
    }

    /// Drops the diagrams.
    pub(super) fn fresh(&mut self) {
        self.d = Diagrams::new();
        self.guards.clear();
    }

    fn variables(&self, f: FactId) -> impl Iterator<Item = u32> + '_ {
        let c = &self.coded[f.index()];
        c.unknown.iter().chain(&c.bits).copied()
    }

    fn bits(&self, f: FactId) -> Vec<u32> {
        self.coded[f.index()].bits.clone()
    }

    /// The assignments in which each of these cells holds a value of its domain.
    pub(super) fn valid<'f>(&mut self, cells: impl IntoIterator<Item = &'f FactId>) -> Set {
        let mut all = Diagrams::ALL;
        for f in cells {
            if let Some(most) = self.coded[f.index()].most {
                let bits = self.bits(*f);
                let one = self.at_most(&bits, most);
                all = self.d.and(all, one);
            }
        }
        all
    }

    /// These cells are forgotten: any content will do.
    pub(super) fn forget<'f>(&mut self, a: Set, cells: impl IntoIterator<Item = &'f FactId>) -> Set {
        let variables: BTreeSet<u32> = cells.into_iter().flat_map(|f| self.variables(*f).collect::<Vec<_>>()).collect();
        self.d.exists(a, &variables)
    }

    /// These cells get new contents.
    pub(super) fn renew(&mut self, a: Set, cells: &[FactId]) -> Set {
        let a = self.forget(a, cells);
        let valid = self.valid(cells);
        self.d.and(a, valid)
    }

    fn known(&mut self, f: FactId) -> Set {
        match self.coded[f.index()].unknown {
            None => Diagrams::ALL,
            Some(u) => {
                let u = self.d.variable(u);
                self.d.not(u)
            }
        }
    }

    fn at_most(&mut self, bits: &[u32], n: i64) -> Set {
        if n < 0 {
            return Diagrams::NONE;
        }
        if bits.len() >= 63 || n >> bits.len() > 0 {
            return Diagrams::ALL;
        }
        let mut all = Diagrams::ALL;
        for (i, b) in bits.iter().enumerate() {
            let one = self.d.variable(*b);
            all = if n >> i & 1 == 1 {
                self.d.choice(one, all, Diagrams::ALL)
            } else {
                self.d.choice(one, Diagrams::NONE, all)
            };
        }
        all
    }

    /// The bits of the cell mean a value of lo..=hi.
    fn between(&mut self, f: FactId, lo: i64, hi: i64) -> Set {
        let (bits, least) = (self.bits(f), self.coded[f.index()].lo);
        // A proof may name any numbers: those beyond the cell's are beyond its bits.
        let at = |n: i64| n.saturating_sub(least);
        let (below, upto) = (self.at_most(&bits, at(lo).saturating_sub(1)), self.at_most(&bits, at(hi)));
        self.d.without(upto, below)
    }

    /// The cell holds this value.
    pub(super) fn equals(&mut self, f: FactId, value: i64) -> Set {
        let (known, is) = (self.known(f), self.between(f, value, value));
        self.d.and(known, is)
    }

    /// The cell is given a value.
    pub(super) fn assign(&mut self, a: Set, f: FactId, value: i64) -> Set {
        let (rest, is) = (self.forget(a, [&f]), self.equals(f, value));
        self.d.and(rest, is)
    }

    /// What latches hold after these writes; cells that are not kept are not written.
    pub(super) fn write(&mut self, a: Set, writes: &[Write], kept: &BTreeSet<FactId>) -> Set {
        let mut a = a;
        for w in writes {
            match w {
                Write::Set(f, v) if kept.contains(f) => a = self.assign(a, *f, *v),
                Write::Decrement(f) if kept.contains(f) => {
                    let max = match self.model.fact(*f).latch {
                        Some(Latch::Left(c)) => i64::from(self.model.counters[c.index()].max),
                        _ => 0,
                    };
                    let mut all = Diagrams::NONE;
                    for n in 1..=max {
                        let here = self.equals(*f, n);
                        let here = self.d.and(a, here);
                        let there = self.assign(here, *f, n - 1);
                        all = self.d.or(all, there);
                    }
                    a = all;
                }
                Write::SetOneOf(fs) if fs.iter().any(|f| kept.contains(f)) => {
                    let mut all = Diagrams::NONE;
                    for f in fs {
                        let one = if kept.contains(f) { self.assign(a, *f, 1) } else { a };
                        all = self.d.or(all, one);
                    }
                    a = all;
                }
                _ => {}
            }
        }
        a
    }

    /// Facts at the start of a run: counters are full, everything else is free.
    pub(super) fn initial(&mut self, kept: &BTreeSet<FactId>) -> Set {
        let mut all = self.valid(kept);
        for f in kept {
            if let Some(Latch::Left(c)) = self.model.fact(*f).latch {
                let full = self.equals(*f, i64::from(self.model.counters[c.index()].max));
                all = self.d.and(all, full);
            }
        }
        all
    }

    pub(super) fn cond(&mut self, c: &Cond) -> Set {
        if c.cells().len() > CELLS {
            self.d.give_up();
        }
        self.cond_below(c)
    }

    fn cond_below(&mut self, c: &Cond) -> Set {
        match c {
            Cond::True => Diagrams::ALL,
            Cond::False => Diagrams::NONE,
            Cond::Holds(g) => self.guard(g).0,
            Cond::Not(c) => {
                let a = self.cond_below(c);
                self.d.not(a)
            }
            Cond::And(cs) => cs.iter().fold(Diagrams::ALL, |all, c| {
                let one = self.cond_below(c);
                self.d.and(all, one)
            }),
            Cond::Or(cs) => cs.iter().fold(Diagrams::NONE, |all, c| {
                let one = self.cond_below(c);
                self.d.or(all, one)
            }),
        }
    }

    /// Where the guard is true, and where it is false.
    pub(super) fn guard(&mut self, g: &Guard) -> (Set, Set) {
        if let Some(known) = self.guards.get(g) {
            return *known;
        }
        let made = match g {
            Guard::True => (Diagrams::ALL, Diagrams::NONE),
            Guard::False => (Diagrams::NONE, Diagrams::ALL),
            Guard::Not(g) => {
                let (yes, no) = self.guard(g);
                (no, yes)
            }
            Guard::And(gs) => gs.iter().fold((Diagrams::ALL, Diagrams::NONE), |(yes, no), g| {
                let (y, n) = self.guard(g);
                (self.d.and(yes, y), self.d.or(no, n))
            }),
            Guard::Or(gs) => gs.iter().fold((Diagrams::NONE, Diagrams::ALL), |(yes, no), g| {
                let (y, n) = self.guard(g);
                (self.d.or(yes, y), self.d.and(no, n))
            }),
            Guard::Unknown(f) => {
                let known = self.known(*f);
                (self.d.not(known), known)
            }
            Guard::In(f, values) => {
                let inside = values.iter().fold(Diagrams::NONE, |all, v| {
                    let one = self.between(*f, *v, *v);
                    self.d.or(all, one)
                });
                self.reading(*f, inside, |v| values.contains(&v))
            }
            Guard::Range(f, lo, hi) => {
                let (lo, hi) = (i64::from(*lo), i64::from(*hi));
                let inside = self.between(*f, lo, hi);
                self.reading(*f, inside, |v| lo <= v && v <= hi)
            }
            Guard::HasAny(f, mask) => {
                let inside = self.labels(*f, *mask).into_iter().fold(Diagrams::NONE, |a, b| self.d.or(a, b));
                self.reading(*f, inside, |v| v.cast_unsigned() & mask != 0)
            }
            Guard::HasAll(f, mask) => {
                let inside = self.labels(*f, *mask).into_iter().fold(Diagrams::ALL, |a, b| self.d.and(a, b));
                self.reading(*f, inside, |v| v.cast_unsigned() & mask == *mask)
            }
            Guard::Diff { left, right, plus } => self.difference(*left, *right, i64::from(*plus)),
        };
        self.guards.insert(g.clone(), made);
        made
    }

    fn labels(&mut self, f: FactId, mask: u64) -> Vec<Set> {
        let bits = self.bits(f);
        bits.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1).map(|(_, b)| self.d.variable(*b)).collect()
    }

    /// A cell that is known reads its value, an unknown one what unknown stands for, or nothing.
    fn reading(&mut self, f: FactId, inside: Set, strict: impl Fn(i64) -> bool) -> (Set, Set) {
        let known = self.known(f);
        let (mut yes, mut no) = (self.d.and(known, inside), self.d.without(known, inside));
        if let Some(v) = self.model.fact(f).unknown {
            let unknown = self.d.not(known);
            if strict(v) {
                yes = self.d.or(yes, unknown);
            } else {
                no = self.d.or(no, unknown);
            }
        }
        (yes, no)
    }

    /// `left <= right + plus`.
    fn difference(&mut self, left: FactId, right: FactId, plus: i64) -> (Set, Set) {
        let (mut yes, mut no) = (Diagrams::NONE, Diagrams::NONE);
        for (here, a, x) in self.sides(left) {
            for (there, b, y) in self.sides(right) {
                let both = self.d.and(here, there);
                let holds = self.at_most_other(&a, x, &b, y + plus);
                let (t, f) = (self.d.and(both, holds), self.d.without(both, holds));
                yes = self.d.or(yes, t);
                no = self.d.or(no, f);
            }
        }
        (yes, no)
    }

    /// Ways to read a number: when, and its bits and what is added to them.
    fn sides(&mut self, f: FactId) -> Vec<(Set, Vec<u32>, i64)> {
        let known = self.known(f);
        let mut out = vec![(known, self.bits(f), self.coded[f.index()].lo)];
        if let Some(v) = self.model.fact(f).unknown {
            out.push((self.d.not(known), Vec::new(), v));
        }
        out
    }

    /// a + x <= b + y, bit by bit from the least: what each side carries over, and whether the lower bits hold.
    fn at_most_other(&mut self, a: &[u32], x: i64, b: &[u32], y: i64) -> Set {
        // Only the difference of the constants counts; one side takes it.
        let (x, y) = if x >= y { (x - y, 0) } else { (0, y - x) };
        let width = a.len().max(b.len()).max(64 - (x | y).leading_zeros() as usize) + 1;
        let (mut carry_a, mut carry_b, mut holds) = (Diagrams::NONE, Diagrams::NONE, Diagrams::ALL);
        for i in 0..width {
            let bit = |d: &mut Diagrams, of: &[u32]| of.get(i).map_or(Diagrams::NONE, |b| d.variable(*b));
            let one = |n: i64| i < 63 && n >> i & 1 == 1;
            let (p, q) = (bit(&mut self.d, a), bit(&mut self.d, b));
            let p = self.sum(p, one(x), &mut carry_a);
            let q = self.sum(q, one(y), &mut carry_b);
            let same = {
                let not_q = self.d.not(q);
                self.d.choice(p, q, not_q)
            };
            holds = self.d.choice(same, holds, q);
        }
        holds
    }

    /// One place of an addition.
    fn sum(&mut self, bit: Set, constant: bool, carry: &mut Set) -> Set {
        let not_bit = self.d.not(bit);
        let half = self.d.choice(*carry, not_bit, bit);
        let (both, either) = (self.d.and(bit, *carry), self.d.or(bit, *carry));
        *carry = if constant { either } else { both };
        if constant { self.d.not(half) } else { half }
    }

    /// A test of a manifest. `None`: the model has no such cell, or the test does not fit it.
    pub(super) fn test(&mut self, t: &Test) -> Option<Set> {
        let (cell, unknown) = match t {
            Test::Values { cell, unknown, .. }
            | Test::Label { cell, unknown, .. }
            | Test::Bit { cell, unknown, .. } => (FactId(*cell), *unknown),
        };
        let is_set = matches!(self.model.facts.get(cell.index())?.ty, Type::Set(_));
        let inside = match t {
            Test::Values { ranges, .. } if !is_set || ranges.is_empty() => {
                ranges.iter().fold(Diagrams::NONE, |all, (lo, hi)| {
                    let one = self.between(cell, *lo, *hi);
                    self.d.or(all, one)
                })
            }
            Test::Label { label, .. } if is_set => {
                let bit = *self.coded[cell.index()].bits.get(usize::from(*label))?;
                self.d.variable(bit)
            }
            Test::Bit { minus, bit, .. } if !is_set && *minus == self.coded[cell.index()].lo => {
                let bit = *self.coded[cell.index()].bits.get(usize::from(*bit))?;
                self.d.variable(bit)
            }
            _ => return None,
        };
        let known = self.known(cell);
        Some(self.d.choice(known, inside, if unknown { Diagrams::ALL } else { Diagrams::NONE }))
    }

    /// The assignments that come from one of `a` when these cells, where unknown, become known or stay.
    pub(super) fn completed(&mut self, a: Set, cells: &BTreeSet<FactId>) -> Set {
        let mut a = a;
        for f in cells.iter().filter(|f| self.model.fact(**f).latch.is_none()) {
            let known = self.known(*f);
            let unknown = self.d.without(a, known);
            let anything = self.renew(unknown, &[*f]);
            a = self.d.or(a, anything);
        }
        a
    }

    /// The assignments that come from one of `a` when these cells get worse, or stay: greater, with more labels, or less
    /// where `down` says so. What is unknown stays so.
    pub(super) fn worse(&mut self, a: Set, cells: &BTreeSet<FactId>, down: impl Fn(FactId) -> bool) -> Set {
        let mut a = a;
        for f in cells {
            let bits = self.bits(*f);
            let shadows: BTreeSet<u32> = bits.iter().map(|b| b + 1).collect();
            let before = self.d.shifted(a, &bits.iter().copied().collect());
            let shadow: Vec<u32> = shadows.iter().rev().copied().collect();
            // Bits are ordered greatest first, so that the shadows in descending order begin with the least.
            let relation = if self.coded[f.index()].most.is_none() {
                bits.iter().fold(Diagrams::ALL, |all, b| {
                    let (old, new) = (self.d.variable(b + 1), self.d.variable(*b));
                    let kept = self.d.choice(old, new, Diagrams::ALL);
                    self.d.and(all, kept)
                })
            } else if down(*f) {
                self.at_most_other(&bits, 0, &shadow, 0)
            } else {
                self.at_most_other(&shadow, 0, &bits, 0)
            };
            let known = self.known(*f);
            let after = self.d.and(before, relation);
            let after = self.d.exists(after, &shadows);
            let valid = self.valid([f]);
            let after = self.d.and(after, valid);
            a = self.d.choice(known, after, a);
        }
        a
    }

    /// Every assignment of `a` is in `b`, among those whose cells hold values.
    pub(super) fn within(&mut self, a: Set, b: Set) -> Result<bool, TooLarge> {
        let rest = self.d.without(a, b);
        self.d.never(rest)
    }
}

/// Least value, greatest less the least, and bits.
fn number(lo: i64, hi: i64) -> (i64, Option<i64>, usize) {
    let most = (hi - lo).max(0);
    (lo, Some(most), (64 - most.leading_zeros()) as usize)
}

fn compared_in(c: &Cond, out: &mut BTreeSet<FactId>) {
    fn guard(g: &Guard, out: &mut BTreeSet<FactId>) {
        match g {
            Guard::Diff { left, right, .. } => out.extend([*left, *right]),
            Guard::Not(g) => guard(g, out),
            Guard::And(gs) | Guard::Or(gs) => gs.iter().for_each(|g| guard(g, out)),
            _ => {}
        }
    }
    match c {
        Cond::True | Cond::False => {}
        Cond::Holds(g) => guard(g, out),
        Cond::Not(c) => compared_in(c, out),
        Cond::And(cs) | Cond::Or(cs) => cs.iter().for_each(|c| compared_in(c, out)),
    }
}
