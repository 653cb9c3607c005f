//! Chooses as columns of road masks and permutations.
//!
//! Each conjunct of a filter that reads one cell goes into that cell's column; a conjunct that says something about single
//! labels of a set goes into the labels' columns; anything else becomes a column of its own, picked by its guard. A road is
//! eligible iff its bit survives the intersection of the rows that the facts pick.

use super::code::Code;
use crate::model::{Cell, Choose, FactId, Guard, Model, Order, Truth, Type};
use roadlaw_runtime::format::{NONE, source};
use std::collections::{BTreeMap, BTreeSet};

/// Everything that the chooses of a model put into sections.
#[derive(Default)]
pub(super) struct Chooses {
    pub(super) records: Vec<[u8; 28]>,
    pub(super) columns: Vec<[u8; 8]>,
    pub(super) cuts: Vec<i32>,
    pub(super) masks: Vec<u8>,
    pub(super) indices: Vec<u16>,
}

/// What one column asks of one road.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Source {
    Cell(FactId),
    Label(FactId, u8),
    Guard(Guard),
}

fn n32(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

fn n16(n: usize) -> u16 {
    u16::try_from(n).unwrap_or(NONE)
}

impl Chooses {
    /// Adds a choose. `None`: a guard is too deep, or there are too many rows for the format.
    pub(super) fn add(&mut self, m: &Model, c: &Choose, code: &mut Code) -> Option<()> {
        let width = match c.candidates.len() {
            0..=8 => 1,
            9..=16 => 2,
            17..=32 => 4,
            n => n.div_ceil(64) * 8,
        };
        let first_mask = self.masks.len();
        let mut asked: BTreeMap<Source, Vec<Vec<Guard>>> = BTreeMap::new();
        for (position, r) in c.candidates.iter().enumerate() {
            for f in &m.road(*r).filters {
                for part in conjuncts(&f.guard) {
                    for (source, guard) in placed(m, &part) {
                        asked.entry(source).or_insert_with(|| vec![Vec::new(); c.candidates.len()])[position]
                            .push(guard);
                    }
                }
            }
        }
        let first_column = self.columns.len();
        for (source, guards) in &asked {
            let first_row = u16::try_from((self.masks.len() - first_mask) / width).ok()?;
            self.column(m, source, guards, (width, first_row), code)?;
        }
        let columns = self.columns.len() - first_column;
        let first_candidate = self.indices.len();
        self.indices.extend(c.candidates.iter().map(|r| n16(r.index())));
        let first_profile = self.indices.len();
        let position = |r: &crate::model::RoadId| n16(c.candidates.iter().position(|q| q == r).unwrap_or(usize::MAX));
        for (value, order) in &c.profiles {
            let value = u16::try_from(*value).unwrap_or(NONE);
            match order {
                Order::Static(roads) => {
                    self.indices.extend([value, 0, n16(roads.len())]);
                    self.indices.extend(roads.iter().map(position));
                }
                Order::Keys(keys) => {
                    // The empty list of keys ranks by name alone: one static order.
                    let mut by_name: Vec<usize> = (0..c.candidates.len()).collect();
                    by_name.sort_by_key(|i| &m.road(c.candidates[*i]).name);
                    if keys.is_empty() {
                        self.indices.extend([value, 0, n16(by_name.len())]);
                        self.indices.extend(by_name.into_iter().map(n16));
                        continue;
                    }
                    self.indices.extend([value, n16(keys.len()), n16(c.candidates.len())]);
                    for k in keys {
                        self.indices.extend(k.cells.iter().map(|f| n16(f.index())));
                    }
                    let mut place = vec![0_u16; c.candidates.len()];
                    for (n, i) in by_name.into_iter().enumerate() {
                        place[i] = n16(n);
                    }
                    self.indices.extend(place);
                }
            }
        }
        let mut b = [0_u8; 28];
        b[0..2].copy_from_slice(&n16(c.node.index()).to_le_bytes());
        b[2..4].copy_from_slice(&n16(c.candidates.len()).to_le_bytes());
        b[4..8].copy_from_slice(&n32(first_candidate).to_le_bytes());
        b[8..10].copy_from_slice(&c.by.map_or(NONE, |f| n16(f.index())).to_le_bytes());
        b[10] = u8::try_from(c.profiles.len()).ok()?;
        b[11] = u8::try_from(width).ok()?;
        b[12..16].copy_from_slice(&n32(first_profile).to_le_bytes());
        b[16..20].copy_from_slice(&n32(first_column).to_le_bytes());
        b[20..22].copy_from_slice(&u16::try_from(columns).ok()?.to_le_bytes());
        b[24..28].copy_from_slice(&n32(first_mask).to_le_bytes());
        self.records.push(b);
        Some(())
    }

    fn column(
        &mut self,
        m: &Model,
        from: &Source,
        guards: &[Vec<Guard>],
        (width, first_row): (usize, u16),
        code: &mut Code,
    ) -> Option<()> {
        let mut row = |open: &dyn Fn(&Guard) -> bool| {
            let mut mask = vec![0_u8; width];
            for (i, gs) in guards.iter().enumerate() {
                if gs.iter().all(open) {
                    mask[i / 8] |= 1 << (i % 8);
                }
            }
            self.masks.extend(mask);
        };
        let mut rows_of = |f: FactId, cells: &[Cell]| {
            let mut facts = vec![Cell::Unknown; m.facts.len()];
            for cell in cells {
                facts[f.index()] = *cell;
                row(&|g| g.eval(m, &facts) == Truth::True);
            }
        };
        let (kind, label, cell, second) = match from {
            Source::Cell(f) => {
                let mut cuts: Vec<i32> = Vec::new();
                rows_of(*f, &representatives(m, *f, guards, &mut cuts));
                if matches!(m.fact(*f).ty, Type::Int { .. }) {
                    let at = u16::try_from(self.cuts.len()).ok()?;
                    self.cuts.push(i32::try_from(cuts.len()).ok()?);
                    self.cuts.extend(cuts);
                    (source::INT, 0, n16(f.index()), at)
                } else {
                    (source::CELL, 0, n16(f.index()), 0)
                }
            }
            Source::Label(f, label) => {
                rows_of(*f, &[Cell::Known(0), Cell::Known(1 << label), Cell::Unknown]);
                (source::LABEL, *label, n16(f.index()), 0)
            }
            Source::Guard(g) => {
                row(&|_| false);
                row(&|_| true);
                (source::GUARD, 0, NONE, code.put(m, g)?)
            }
        };
        let mut b = [kind, label, 0, 0, 0, 0, 0, 0];
        b[2..4].copy_from_slice(&cell.to_le_bytes());
        b[4..6].copy_from_slice(&first_row.to_le_bytes());
        b[6..8].copy_from_slice(&second.to_le_bytes());
        self.columns.push(b);
        Some(())
    }
}

/// One content per row of a cell's column, unknown last; for an int also the cuts.
fn representatives(m: &Model, f: FactId, guards: &[Vec<Guard>], cuts: &mut Vec<i32>) -> Vec<Cell> {
    let mut out: Vec<Cell> = match &m.fact(f).ty {
        Type::Bool => vec![Cell::Known(0), Cell::Known(1)],
        Type::Enum(n) | Type::Level(n) => (0..n.len()).map(|i| Cell::Known(i64::try_from(i).unwrap_or(0))).collect(),
        Type::Set(_) => Vec::new(),
        Type::Int { lo, hi } => {
            let mut found = BTreeSet::new();
            guards.iter().flatten().for_each(|g| thresholds(g, &mut found));
            cuts.extend(found.into_iter().filter(|c| lo < c && c <= hi));
            std::iter::once(*lo).chain(cuts.iter().copied()).map(|n| Cell::Known(i64::from(n))).collect()
        }
    };
    out.push(Cell::Unknown);
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

fn conjuncts(g: &Guard) -> Vec<Guard> {
    match g {
        Guard::And(gs) => gs.iter().flat_map(conjuncts).collect(),
        Guard::True => Vec::new(),
        g => vec![g.clone()],
    }
}

/// The columns that a conjunct goes into, each with what it asks there.
fn placed(m: &Model, g: &Guard) -> Vec<(Source, Guard)> {
    let whole = vec![(Source::Guard(g.clone()), g.clone())];
    let cells = g.cells();
    let [f] = cells.as_slice() else { return whole };
    if asks_unknown(g) || m.fact(*f).latch.is_some() {
        return whole;
    }
    if !matches!(m.fact(*f).ty, Type::Set(_)) {
        return vec![(Source::Cell(*f), g.clone())];
    }
    let single = |mask: u64, make: &dyn Fn(u64) -> Guard| {
        (0..64_u8).filter(|i| mask >> i & 1 == 1).map(|i| (Source::Label(*f, i), make(1 << i))).collect::<Vec<_>>()
    };
    match g {
        Guard::HasAll(_, mask) => single(*mask, &|one| Guard::HasAny(*f, one)),
        Guard::HasAny(_, mask) if mask.count_ones() == 1 => single(*mask, &|one| Guard::HasAny(*f, one)),
        Guard::Not(inner) => match &**inner {
            Guard::HasAny(_, mask) => single(*mask, &|one| Guard::HasAny(*f, one).negated()),
            _ => whole,
        },
        _ => whole,
    }
}

fn asks_unknown(g: &Guard) -> bool {
    match g {
        Guard::Unknown(_) => true,
        Guard::Not(g) => asks_unknown(g),
        Guard::And(gs) | Guard::Or(gs) => gs.iter().any(asks_unknown),
        _ => false,
    }
}
