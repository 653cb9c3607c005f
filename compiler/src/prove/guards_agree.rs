//! Guards mean the same to everybody who reads them: a plain evaluation written here, the model's own, the
//! decision diagrams and the solver's terms, compared on every assignment.

use super::smt::{self, Cells, Term};
use super::space::Space;
use crate::graph::Cond;
use crate::lower::{Input, lower};
use crate::model::{Cell, Fact, FactId, Guard, Life, Model, Truth, Type, Value};
use z3::ast::{Ast, Bool, Int};

const BASE: &str = include_str!("../lower/tests/base.road");

/// Numbers in a fixed order.
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn number(&mut self, lo: i32, hi: i32) -> i32 {
        lo + i32::try_from(self.below(u64::try_from(hi - lo + 1).expect("a range"))).expect("small")
    }
}

fn names(n: usize) -> Vec<String> {
    (0..n).map(|i| format!("v{i}")).collect()
}

fn fact(i: usize, ty: Type, unknown: Option<Value>) -> Fact {
    Fact {
        name: format!("f{i}"),
        family: format!("f{i}"),
        index: None,
        life: Life::Pinned,
        ty,
        unknown,
        role: None,
        latch: None,
        docs: Vec::new(),
        span: roadlaw_grammar::span::Span::default(),
    }
}

/// One fact of each type with a strict value and one without.
fn model() -> Model {
    let input = Input { name: "t.road".into(), bytes: BASE.as_bytes().to_vec(), root: None };
    let mut m = lower(input).model.expect("the base lowers");
    let kinds = [
        (Type::Bool, 1),
        (Type::Enum(names(3)), 2),
        (Type::Level(names(3)), 1),
        (Type::Set(names(2)), 2),
        (Type::Int { lo: -2, hi: 2 }, -1),
        (Type::Int { lo: 1, hi: 3 }, 3),
    ];
    m.facts = kinds
        .into_iter()
        .flat_map(|(ty, strict)| [(ty.clone(), Some(strict)), (ty, None)])
        .enumerate()
        .map(|(i, (ty, unknown))| fact(i, ty, unknown))
        .collect();
    m
}

fn values(f: &Fact) -> Vec<Cell> {
    let known: Vec<i64> = match &f.ty {
        Type::Bool => vec![0, 1],
        Type::Enum(n) | Type::Level(n) => (0..i64::try_from(n.len()).expect("few")).collect(),
        Type::Set(n) => (0..1_i64 << n.len()).collect(),
        Type::Int { lo, hi } => (i64::from(*lo)..=i64::from(*hi)).collect(),
    };
    known.into_iter().map(Cell::Known).chain([Cell::Unknown]).collect()
}

fn atom(d: &mut Draw, m: &Model, among: &[usize]) -> Guard {
    let i = among[usize::try_from(d.below(among.len() as u64)).expect("small")];
    let f = FactId(u32::try_from(i).expect("small"));
    if d.below(6) == 0 {
        return Guard::Unknown(f);
    }
    match &m.facts[i].ty {
        Type::Bool => Guard::In(f, vec![i64::from(d.number(0, 1))]),
        Type::Enum(_) | Type::Level(_) => Guard::In(f, (0..3).filter(|_| d.below(2) == 0).collect()),
        Type::Set(_) if d.below(2) == 0 => Guard::HasAny(f, d.below(4)),
        Type::Set(_) => Guard::HasAll(f, d.below(4)),
        Type::Int { .. } => {
            let ints: Vec<usize> =
                among.iter().copied().filter(|j| matches!(m.facts[*j].ty, Type::Int { .. })).collect();
            if d.below(2) == 0 {
                let right = ints[usize::try_from(d.below(ints.len() as u64)).expect("small")];
                return Guard::Diff {
                    left: f,
                    right: FactId(u32::try_from(right).expect("small")),
                    plus: d.number(-4, 4),
                };
            }
            let a = d.number(-4, 4);
            Guard::Range(f, a, d.number(a, 5))
        }
    }
}

fn guard(d: &mut Draw, m: &Model, among: &[usize], depth: u32) -> Guard {
    match d.below(if depth == 0 { 1 } else { 5 }) {
        0 => atom(d, m, among),
        1 => Guard::Not(Box::new(guard(d, m, among, depth - 1))),
        2 | 3 => {
            let parts = (0..d.below(4)).map(|_| guard(d, m, among, depth - 1)).collect();
            if d.below(2) == 0 { Guard::And(parts) } else { Guard::Or(parts) }
        }
        _ if d.below(4) == 0 => Guard::True,
        _ if d.below(4) == 0 => Guard::False,
        _ => atom(d, m, among),
    }
}

/// `Some(b)` where the guard is known, by Kleene's tables.
fn plain(m: &Model, g: &Guard, facts: &[Cell]) -> Option<bool> {
    let read = |f: &FactId| match facts[f.index()] {
        Cell::Known(v) => Some(v),
        Cell::Unknown => m.facts[f.index()].unknown,
    };
    let has = |v: i64, label: u32| v >> label & 1 == 1;
    match g {
        Guard::True => Some(true),
        Guard::False => Some(false),
        Guard::Not(g) => plain(m, g, facts).map(|b| !b),
        Guard::And(gs) => {
            let parts: Vec<_> = gs.iter().map(|g| plain(m, g, facts)).collect();
            if parts.contains(&Some(false)) {
                Some(false)
            } else if parts.contains(&None) {
                None
            } else {
                Some(true)
            }
        }
        Guard::Or(gs) => {
            let parts: Vec<_> = gs.iter().map(|g| plain(m, g, facts)).collect();
            if parts.contains(&Some(true)) {
                Some(true)
            } else if parts.contains(&None) {
                None
            } else {
                Some(false)
            }
        }
        Guard::In(f, vs) => read(f).map(|v| vs.contains(&v)),
        Guard::Range(f, lo, hi) => read(f).map(|v| v >= i64::from(*lo) && v <= i64::from(*hi)),
        Guard::Diff { left, right, plus } => Some(read(left)? - read(right)? <= i64::from(*plus)),
        Guard::HasAny(f, mask) => read(f).map(|v| (0..64).any(|l| mask >> l & 1 == 1 && has(v, l))),
        Guard::HasAll(f, mask) => read(f).map(|v| (0..64).all(|l| mask >> l & 1 == 0 || has(v, l))),
        Guard::Unknown(f) => Some(facts[f.index()] == Cell::Unknown),
    }
}

/// Cells with a fixed content.
struct Fixed<'m>(&'m Model, Vec<Cell>);

impl Cells for Fixed<'_> {
    fn term(&mut self, f: FactId) -> Term {
        let fact = self.0.fact(f);
        let (v, unknown) = match self.1[f.index()] {
            Cell::Known(v) => (v, false),
            // Whatever stands in the terms of an unknown cell must not matter.
            Cell::Unknown => (1, true),
        };
        let labels = match &fact.ty {
            Type::Bool => vec![Bool::from_bool(v == 1)],
            Type::Set(n) => (0..n.len()).map(|i| Bool::from_bool(v >> i & 1 == 1)).collect(),
            _ => Vec::new(),
        };
        Term { value: Int::from_i64(v), labels, bits: Vec::new(), unknown: Bool::from_bool(unknown) }
    }

    fn model(&self) -> &Model {
        self.0
    }
}

fn asks_unknown(g: &Guard, of: FactId) -> bool {
    match g {
        Guard::Unknown(f) => *f == of,
        Guard::Not(g) => asks_unknown(g, of),
        Guard::And(gs) | Guard::Or(gs) => gs.iter().any(|g| asks_unknown(g, of)),
        _ => false,
    }
}

fn vectors(m: &Model, cells: &[usize]) -> Vec<Vec<Cell>> {
    cells.iter().fold(vec![vec![Cell::Unknown; m.facts.len()]], |all, i| {
        all.iter()
            .flat_map(|v| {
                values(&m.facts[*i]).into_iter().map(|x| {
                    let mut v = v.clone();
                    v[*i] = x;
                    v
                })
            })
            .collect()
    })
}

#[test]
fn every_reader_of_a_guard_agrees_on_every_assignment() {
    let m = model();
    let cases: u64 = std::env::var("ROADLAW_CASES").ok().and_then(|s| s.parse().ok()).unwrap_or(300);
    let seed = std::env::var("ROADLAW_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(7);
    let mut d = Draw(seed);
    let mut seen = [0_usize; 3];
    for case in 0..cases {
        let among: Vec<usize> =
            (0..3).map(|_| usize::try_from(d.below(m.facts.len() as u64)).expect("small")).collect();
        let g = guard(&mut d, &m, &among, 3);
        let mut cells: Vec<usize> = g.cells().iter().map(|f| f.index()).collect();
        cells.dedup();
        let (yes, no) = (Cond::Holds(g.clone()), Cond::Holds(Guard::Not(Box::new(g.clone()))));
        let space = Space::new(&m, &[&yes, &no]);
        let (yes_diagram, no_diagram) = (space.cond(&yes), space.cond(&no));
        for facts in vectors(&m, &cells) {
            let want = plain(&m, &g, &facts);
            seen[want.map_or(2, usize::from)] += 1;
            let of = |t: Truth| match t {
                Truth::True => Some(true),
                Truth::False => Some(false),
                Truth::Unknown => None,
            };
            assert_eq!(of(g.eval(&m, &facts)), want, "case {case}: {g:?} at {facts:?}");
            assert_eq!(of(g.negated().eval(&m, &facts)), want.map(|b| !b), "case {case}: not {g:?} at {facts:?}");
            let point = cells.iter().fold(space.top(), |acc, i| {
                let f = FactId(u32::try_from(*i).expect("small"));
                // Where nothing asks whether a cell is unknown, it stands for its strict value from the start.
                let cell = match (facts[*i], m.facts[*i].unknown) {
                    (Cell::Unknown, Some(v)) if !asks_unknown(&g, f) => Cell::Known(v),
                    (cell, _) => cell,
                };
                acc.and(&space.equals(f, cell))
            });
            assert!(!point.is_false(), "case {case}: no pattern means {facts:?}");
            assert_eq!(point.and(&yes_diagram).is_false(), want != Some(true), "case {case}: {g:?} at {facts:?}");
            assert_eq!(point.and_not(&yes_diagram).is_false(), want == Some(true), "case {case}: {g:?} at {facts:?}");
            assert_eq!(point.and(&no_diagram).is_false(), want != Some(false), "case {case}: {g:?} at {facts:?}");
            assert_eq!(point.and_not(&no_diagram).is_false(), want == Some(false), "case {case}: {g:?} at {facts:?}");
            let mut fixed = Fixed(&m, facts.clone());
            for (c, holds) in [(&yes, want == Some(true)), (&no, want == Some(false))] {
                let term = smt::cond(c, &mut fixed).simplify();
                assert_eq!(term.as_bool(), Some(holds), "case {case}: {g:?} at {facts:?}");
            }
        }
    }
    assert!(seen.iter().all(|n| *n > 100), "{seen:?}");
}
