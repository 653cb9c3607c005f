//! Fact cells as decision-diagram variables.
//!
//! Takes the cells of a model and every guard that is read; gives each cell a total encoding (each bit pattern means
//! exactly one class of values), so that conditions become diagrams. Int cells that are only compared with constants
//! become interval classes; those compared with each other keep their bits. The other engine ([`super::smt`]) shares
//! none of this.

use crate::graph::Cond;
use crate::model::{Cell, FactId, Guard, Model, Truth, Type, Value};
use biodivine_lib_bdd::{Bdd, BddVariable, BddVariableSet};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// How one cell is encoded.
enum Coding {
    /// Class index in binary; patterns beyond the last class mean the last class.
    Classes { bits: Vec<BddVariable>, representatives: Vec<Cell> },
    /// One bit per label, and one for unknown if it can be.
    Labels { bits: Vec<BddVariable>, unknown: Option<BddVariable> },
    /// Value minus `lo` in binary (least bit first), and one bit for unknown if it can be.
    Number { bits: Vec<BddVariable>, lo: i64, hi: i64, unknown: Option<BddVariable> },
}

/// The encoding of all cells.
pub(crate) struct Space<'m> {
    model: &'m Model,
    set: BddVariableSet,
    coding: Vec<Coding>,
    guards: RefCell<BTreeMap<Guard, (Bdd, Bdd)>>,
}

/// What the guards of a policy ask of one cell.
#[derive(Default)]
struct Asked {
    cuts: BTreeSet<i64>,
    unknown: bool,
    diff: bool,
}

impl<'m> Space<'m> {
    /// Encodes the cells for these conditions. Every guard that is later turned into a diagram must be among them.
    pub(crate) fn new(model: &'m Model, conditions: &[&Cond]) -> Self {
        let mut asked: Vec<Asked> = model.facts.iter().map(|_| Asked::default()).collect();
        for c in conditions {
            ask(c, &mut asked);
        }
        let mut next: u16 = 0;
        let mut fresh = |n: usize| -> Vec<BddVariable> {
            (0..n)
                .map(|_| {
                    let v = BddVariable::from_index(usize::from(next));
                    next = next.saturating_add(1);
                    v
                })
                .collect()
        };
        let mut coding: Vec<Option<Coding>> = model.facts.iter().map(|_| None).collect();
        // Numbers that are compared with each other get interleaved bits: the comparison stays linear in size.
        let numbers: Vec<usize> = (0..asked.len()).filter(|i| asked[*i].diff).collect();
        let width = |lo: i64, hi: i64| (64 - (hi - lo).leading_zeros()) as usize;
        let mut planes: Vec<Vec<BddVariable>> = numbers.iter().map(|_| Vec::new()).collect();
        let widest = numbers.iter().map(|i| int_range(model, *i)).map(|(lo, hi)| width(lo, hi)).max().unwrap_or(0);
        for bit in (0..widest).rev() {
            for (k, i) in numbers.iter().enumerate() {
                let (lo, hi) = int_range(model, *i);
                if bit < width(lo, hi) {
                    planes[k].insert(0, fresh(1)[0]);
                }
            }
        }
        for (k, i) in numbers.iter().enumerate() {
            let (lo, hi) = int_range(model, *i);
            let unknown = has_unknown(model, *i, &asked[*i]).then(|| fresh(1)[0]);
            coding[*i] = Some(Coding::Number { bits: std::mem::take(&mut planes[k]), lo, hi, unknown });
        }
        let coding: Vec<Coding> = coding
            .into_iter()
            .enumerate()
            .map(|(i, done)| done.unwrap_or_else(|| encode(model, i, &asked[i], &mut fresh)))
            .collect();
        Self { model, set: BddVariableSet::new_anonymous(next), coding, guards: RefCell::default() }
    }

    pub(crate) fn top(&self) -> Bdd {
        self.set.mk_true()
    }

    pub(crate) fn bottom(&self) -> Bdd {
        self.set.mk_false()
    }

    /// The variables of a cell.
    pub(crate) fn variables(&self, f: FactId) -> Vec<BddVariable> {
        match &self.coding[f.index()] {
            Coding::Classes { bits, .. } => bits.clone(),
            Coding::Labels { bits, unknown } | Coding::Number { bits, unknown, .. } => {
                bits.iter().copied().chain(*unknown).collect()
            }
        }
    }

    /// Every bit pattern of the cell that means a value. Only numbers have patterns that mean none.
    pub(crate) fn valid(&self, f: FactId) -> Bdd {
        match &self.coding[f.index()] {
            Coding::Number { bits, lo, hi, .. } => self.at_most(bits, hi - lo),
            _ => self.top(),
        }
    }

    /// The condition as a diagram.
    pub(crate) fn cond(&self, c: &Cond) -> Bdd {
        match c {
            Cond::True => self.top(),
            Cond::False => self.bottom(),
            Cond::Holds(g) => self.guard(g).0,
            Cond::Not(c) => self.cond(c).not(),
            Cond::And(cs) => {
                cs.iter().fold(self.top(), |acc, c| if acc.is_false() { acc } else { acc.and(&self.cond(c)) })
            }
            Cond::Or(cs) => {
                cs.iter().fold(self.bottom(), |acc, c| if acc.is_true() { acc } else { acc.or(&self.cond(c)) })
            }
        }
    }

    /// Where the guard is true, and where it is false.
    fn guard(&self, g: &Guard) -> (Bdd, Bdd) {
        if let Some(done) = self.guards.borrow().get(g) {
            return done.clone();
        }
        let made = match g {
            Guard::True => (self.top(), self.bottom()),
            Guard::False => (self.bottom(), self.top()),
            Guard::Not(g) => {
                let (t, f) = self.guard(g);
                (f, t)
            }
            Guard::And(gs) => gs.iter().fold((self.top(), self.bottom()), |(t, f), g| {
                let (gt, gf) = self.guard(g);
                (t.and(&gt), f.or(&gf))
            }),
            Guard::Or(gs) => gs.iter().fold((self.bottom(), self.top()), |(t, f), g| {
                let (gt, gf) = self.guard(g);
                (t.or(&gt), f.and(&gf))
            }),
            Guard::Diff { left, right, plus } => self.difference(*left, *right, *plus),
            Guard::In(f, _) | Guard::Range(f, _, _) | Guard::HasAny(f, _) | Guard::HasAll(f, _) | Guard::Unknown(f) => {
                self.atom(*f, g)
            }
        };
        self.guards.borrow_mut().insert(g.clone(), made.clone());
        made
    }

    fn atom(&self, f: FactId, g: &Guard) -> (Bdd, Bdd) {
        match &self.coding[f.index()] {
            Coding::Classes { bits, representatives } => {
                let mut facts = vec![Cell::Unknown; self.model.facts.len()];
                let (mut t, mut no) = (self.bottom(), self.bottom());
                for (i, cell) in representatives.iter().enumerate() {
                    facts[f.index()] = *cell;
                    match g.eval(self.model, &facts) {
                        Truth::True => t = t.or(&self.class(bits, i, representatives.len())),
                        Truth::False => no = no.or(&self.class(bits, i, representatives.len())),
                        Truth::Unknown => {}
                    }
                }
                (t, no)
            }
            Coding::Labels { bits, unknown } => {
                let mask = |m: u64| {
                    bits.iter().enumerate().filter(move |(i, _)| m >> i & 1 == 1).map(|(_, b)| self.set.mk_var(*b))
                };
                let known = unknown.map_or(self.top(), |u| self.set.mk_not_var(u));
                let value = match g {
                    Guard::HasAny(_, m) => mask(*m).fold(self.bottom(), |a, b| a.or(&b)),
                    Guard::HasAll(_, m) => mask(*m).fold(self.top(), |a, b| a.and(&b)),
                    _ => return (known.not(), known),
                };
                self.lift(f, &known, &value, g)
            }
            Coding::Number { bits, lo, unknown, .. } => {
                let known = unknown.map_or(self.top(), |u| self.set.mk_not_var(u));
                let value = match g {
                    Guard::Range(_, a, b) => {
                        let (a, b) = (i64::from(*a) - lo, i64::from(*b) - lo);
                        self.at_most(bits, b).and_not(&self.at_most(bits, a - 1))
                    }
                    Guard::In(_, vs) => vs.iter().fold(self.bottom(), |acc, v| {
                        acc.or(&self.at_most(bits, v - lo).and_not(&self.at_most(bits, v - lo - 1)))
                    }),
                    _ => return (known.not(), known),
                };
                self.lift(f, &known, &value, g)
            }
        }
    }

    /// Known cells read their value; unknown ones the strict value, or nothing.
    fn lift(&self, f: FactId, known: &Bdd, value: &Bdd, g: &Guard) -> (Bdd, Bdd) {
        let (t, no) = (known.and(value), known.and_not(value));
        match g.eval(self.model, &vec![Cell::Unknown; self.model.facts.len()]) {
            Truth::True if self.model.fact(f).unknown.is_some() => (t.or(&known.not()), no),
            Truth::False if self.model.fact(f).unknown.is_some() => (t, no.or(&known.not())),
            _ => (t, no),
        }
    }

    fn difference(&self, left: FactId, right: FactId, plus: i32) -> (Bdd, Bdd) {
        let mut t = self.bottom();
        let mut no = self.bottom();
        // Strict values of unknown cells are few: each side is "known" or "reads as v".
        for (lk, lv) in self.readings(left) {
            for (rk, rv) in self.readings(right) {
                let holds = self.le(left, lv, right, rv, i64::from(plus));
                let both = lk.and(&rk);
                t = t.or(&both.and(&holds));
                no = no.or(&both.and_not(&holds));
            }
        }
        (t, no)
    }

    fn readings(&self, f: FactId) -> Vec<(Bdd, Option<Value>)> {
        let Coding::Number { unknown, .. } = &self.coding[f.index()] else { return Vec::new() };
        let mut out = vec![(unknown.map_or(self.top(), |u| self.set.mk_not_var(u)), None)];
        if let (Some(u), Some(v)) = (unknown, self.model.fact(f).unknown) {
            out.push((self.set.mk_var(*u), Some(v)));
        }
        out
    }

    /// `left <= right + plus`, each side its bits or a constant: a ripple comparison from the least bit up.
    fn le(&self, left: FactId, lv: Option<Value>, right: FactId, rv: Option<Value>, plus: i64) -> Bdd {
        let side = |f: FactId, v: Option<Value>| match (&self.coding[f.index()], v) {
            (Coding::Number { lo, .. }, Some(v)) => (Vec::new(), v - lo, *lo),
            (Coding::Number { bits, lo, .. }, None) => (bits.clone(), 0, *lo),
            _ => (Vec::new(), 0, 0),
        };
        let (lb, lc, llo) = side(left, lv);
        let (rb, rc, rlo) = side(right, rv);
        // lbits + lc + llo <= rbits + rc + rlo + plus, that is lbits + shift <= rbits.
        let shift = lc + llo - rc - rlo - plus;
        let (add_l, add_r) = if shift >= 0 { (shift, 0) } else { (0, -shift) };
        let width = lb.len().max(rb.len()).max((64 - shift.unsigned_abs().leading_zeros()) as usize) + 1;
        let bit = |bs: &[BddVariable], i: usize| bs.get(i).map_or(self.bottom(), |b| self.set.mk_var(*b));
        let konst = |c: i64, i: usize| if i < 63 && c >> i & 1 == 1 { self.top() } else { self.bottom() };
        let (mut lcarry, mut rcarry, mut less_eq) = (self.bottom(), self.bottom(), self.top());
        for i in 0..width {
            let (a, ac) = full_add(&bit(&lb, i), &konst(add_l, i), &lcarry);
            let (b, bc) = full_add(&bit(&rb, i), &konst(add_r, i), &rcarry);
            lcarry = ac;
            rcarry = bc;
            less_eq = b.and_not(&a).or(&a.iff(&b).and(&less_eq));
        }
        less_eq
    }

    fn class(&self, bits: &[BddVariable], i: usize, classes: usize) -> Bdd {
        if i + 1 == classes {
            // The last class also owns the patterns that no class has.
            return self.below(bits, i).not();
        }
        bits.iter().enumerate().fold(self.top(), |acc, (k, b)| acc.and(&self.set.mk_literal(*b, i >> k & 1 == 1)))
    }

    fn below(&self, bits: &[BddVariable], n: usize) -> Bdd {
        self.at_most(bits, i64::try_from(n).unwrap_or(i64::MAX) - 1)
    }

    /// Bits (least first) read as a number are at most n.
    fn at_most(&self, bits: &[BddVariable], n: i64) -> Bdd {
        if n < 0 {
            return self.bottom();
        }
        if bits.len() < 63 && n >= (1_i64 << bits.len()) - 1 {
            return self.top();
        }
        let mut acc = self.top();
        for (i, b) in bits.iter().enumerate() {
            acc = if n >> i & 1 == 1 { self.set.mk_not_var(*b).or(&acc) } else { self.set.mk_not_var(*b).and(&acc) };
        }
        acc
    }

    /// The cell has exactly this value. For classes: the class of the value.
    pub(crate) fn equals(&self, f: FactId, value: Cell) -> Bdd {
        match (&self.coding[f.index()], value) {
            (Coding::Classes { bits, representatives }, v) => {
                let i = class_of(&self.model.fact(f).ty, representatives, v);
                self.class(bits, i, representatives.len())
            }
            (Coding::Labels { unknown, .. } | Coding::Number { unknown, .. }, Cell::Unknown) => {
                unknown.map_or(self.top(), |u| self.set.mk_var(u))
            }
            (Coding::Labels { bits, unknown }, Cell::Known(v)) => {
                bits.iter().enumerate().fold(unknown.map_or(self.top(), |u| self.set.mk_not_var(u)), |acc, (i, b)| {
                    acc.and(&self.set.mk_literal(*b, v >> i & 1 == 1))
                })
            }
            (Coding::Number { bits, lo, unknown, .. }, Cell::Known(v)) => {
                bits.iter().enumerate().fold(unknown.map_or(self.top(), |u| self.set.mk_not_var(u)), |acc, (i, b)| {
                    acc.and(&self.set.mk_literal(*b, (v - lo) >> i & 1 == 1))
                })
            }
        }
    }

    fn silent(&self, f: FactId, unknown: Option<BddVariable>) -> Option<Value> {
        if unknown.is_none() { self.model.fact(f).unknown } else { None }
    }

    /// For the checker: what it means that one variable is set, as a guard-like statement over the cell.
    pub(crate) fn meaning(&self, v: BddVariable) -> Option<(FactId, Meaning)> {
        for (i, c) in self.coding.iter().enumerate() {
            let f = FactId(crate::graph::narrow(i));
            match c {
                Coding::Classes { bits, representatives } => {
                    if let Some(k) = bits.iter().position(|b| *b == v) {
                        let with = (0..representatives.len())
                            .filter(|i| i >> k & 1 == 1)
                            .map(|i| representatives[i])
                            .collect();
                        return Some((f, Meaning::Classes(with, representatives.clone())));
                    }
                }
                Coding::Labels { bits, unknown } => {
                    if *unknown == Some(v) {
                        return Some((f, Meaning::Unknown));
                    }
                    if let Some(k) = bits.iter().position(|b| *b == v) {
                        return Some((f, Meaning::Label(k, self.silent(f, *unknown))));
                    }
                }
                Coding::Number { bits, lo, unknown, .. } => {
                    if *unknown == Some(v) {
                        return Some((f, Meaning::Unknown));
                    }
                    if let Some(k) = bits.iter().position(|b| *b == v) {
                        return Some((f, Meaning::Bit { lo: *lo, bit: k, strict: self.silent(f, *unknown) }));
                    }
                }
            }
        }
        None
    }
}

/// What a set variable says about its cell.
pub(crate) enum Meaning {
    /// The cell lies in one of the first list's classes; the second lists all classes by their representatives.
    Classes(Vec<Cell>, Vec<Cell>),
    /// The cell is unknown.
    Unknown,
    /// The set has the label; an unknown set reads as the value, where unknown has no bit of its own.
    Label(usize, Option<Value>),
    /// This bit of value minus `lo` is set.
    Bit {
        /// Least value.
        lo: i64,
        /// Bit number.
        bit: usize,
        /// What an unknown cell reads as, where unknown has no bit of its own.
        strict: Option<Value>,
    },
}

fn full_add(a: &Bdd, b: &Bdd, c: &Bdd) -> (Bdd, Bdd) {
    (a.xor(b).xor(c), a.and(b).or(&c.and(&a.or(b))))
}

fn class_of(ty: &Type, representatives: &[Cell], v: Cell) -> usize {
    let exact = representatives.iter().position(|r| *r == v);
    match (ty, v) {
        (Type::Int { .. }, Cell::Known(n)) => {
            representatives.iter().rposition(|r| matches!(r, Cell::Known(x) if *x <= n)).unwrap_or(0)
        }
        _ => exact.unwrap_or(representatives.len() - 1),
    }
}

fn int_range(model: &Model, i: usize) -> (i64, i64) {
    match model.facts[i].ty {
        Type::Int { lo, hi } => (i64::from(lo), i64::from(hi)),
        _ => (0, 0),
    }
}

fn has_unknown(model: &Model, i: usize, asked: &Asked) -> bool {
    let fact = &model.facts[i];
    fact.latch.is_none() && (fact.unknown.is_none() || asked.unknown)
}

fn encode(model: &Model, i: usize, asked: &Asked, fresh: &mut impl FnMut(usize) -> Vec<BddVariable>) -> Coding {
    let fact = &model.facts[i];
    let unknown = has_unknown(model, i, asked);
    let mut representatives: Vec<Cell> = match &fact.ty {
        Type::Bool => vec![Cell::Known(0), Cell::Known(1)],
        Type::Enum(names) | Type::Level(names) => {
            (0..names.len()).map(|n| Cell::Known(i64::try_from(n).unwrap_or(0))).collect()
        }
        Type::Int { lo, hi } => {
            // Counters count: each value is a class of its own.
            let all: BTreeSet<i64> =
                if fact.latch.is_some() { (i64::from(*lo)..=i64::from(*hi)).collect() } else { BTreeSet::new() };
            let mut cuts: BTreeSet<i64> =
                asked.cuts.iter().copied().filter(|c| i64::from(*lo) < *c && *c <= i64::from(*hi)).collect();
            cuts.insert(i64::from(*lo));
            cuts.extend(all);
            cuts.into_iter().map(Cell::Known).collect()
        }
        Type::Set(labels) => {
            return Coding::Labels { bits: fresh(labels.len()), unknown: unknown.then(|| fresh(1)[0]) };
        }
    };
    if unknown {
        representatives.push(Cell::Unknown);
    }
    let width = (usize::BITS - (representatives.len() - 1).leading_zeros()) as usize;
    Coding::Classes { bits: fresh(width), representatives }
}

fn ask(c: &Cond, asked: &mut [Asked]) {
    match c {
        Cond::True | Cond::False => {}
        Cond::Holds(g) => ask_guard(g, asked),
        Cond::Not(c) => ask(c, asked),
        Cond::And(cs) | Cond::Or(cs) => cs.iter().for_each(|c| ask(c, asked)),
    }
}

fn ask_guard(g: &Guard, asked: &mut [Asked]) {
    match g {
        Guard::True | Guard::False | Guard::In(..) | Guard::HasAny(..) | Guard::HasAll(..) => {}
        Guard::Not(g) => ask_guard(g, asked),
        Guard::And(gs) | Guard::Or(gs) => gs.iter().for_each(|g| ask_guard(g, asked)),
        Guard::Range(f, lo, hi) => asked[f.index()].cuts.extend([i64::from(*lo), i64::from(*hi) + 1]),
        Guard::Diff { left, right, .. } => {
            asked[left.index()].diff = true;
            asked[right.index()].diff = true;
        }
        Guard::Unknown(f) => asked[f.index()].unknown = true,
    }
}
