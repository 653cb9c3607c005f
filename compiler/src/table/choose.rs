//! Chooses as masks of options, picked by groups of facts, and as orders.
//!
//! Options are the candidates, then the edges that lead on when all of them are closed. The filters of a candidate, and the
//! guard of such an edge, are clauses ([`super::clauses`]). A clause whose literals all lie in one group of facts is written
//! into the masks of that group's rows; one that spans groups becomes a check of its option.

use super::clauses::{Clause, Place, clauses};
use super::code::Code;
use super::groups::Groups;
use crate::model::{Choose, EdgeRank, Guard, Model, Order, Outcome};
use roadlaw_runtime::format::{EXITS, GROUPS, NONE, profile};
use std::collections::BTreeMap;

/// Bytes that the masks of one choose may take where they are repeated for each order.
const REPEATED: usize = 76 << 10;
/// Rows that merging may lead to where one block holds every option.
const ROWS: usize = 512;

/// How chooses are laid out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Layout {
    /// Groups of facts are merged, and orders are put into masks or ranks.
    #[default]
    Fast,
    /// Every fact is a group, and orders are walked.
    Compact,
}

/// Everything that the chooses of a model put into sections.
#[derive(Default)]
pub(super) struct Chooses {
    pub(super) records: Vec<[u8; 40]>,
    pub(super) profiles: Vec<[u8; 20]>,
    pub(super) digits: Vec<[u8; 12]>,
    pub(super) cuts: Vec<i32>,
    pub(super) masks: Vec<u8>,
    pub(super) indices: Vec<u16>,
    pub(super) checks: Vec<u16>,
}

fn n32(n: usize) -> Option<u32> {
    u32::try_from(n).ok()
}

fn n16(n: usize) -> Option<u16> {
    u16::try_from(n).ok().filter(|n| *n != NONE)
}

/// Little-endian fields one after the other.
fn fields<const N: usize>(parts: &[&[u8]]) -> [u8; N] {
    let mut out = [0; N];
    let mut at = 0;
    for part in parts {
        out[at..at + part.len()].copy_from_slice(part);
        at += part.len();
    }
    out
}

/// One choose on its way into the sections.
struct Shape<'m> {
    m: &'m Model,
    choose: &'m Choose,
    /// Clauses of each option.
    options: Vec<Vec<Clause>>,
    groups: Groups,
    width: usize,
}

/// A profile's order as positions, or none where keys rank.
struct Ranking {
    order: Option<Vec<usize>>,
}

impl Chooses {
    /// Adds a choose; `first_exit` is the first edge that follows when every candidate is closed. `None`: a guard is too deep,
    /// or there are too many rows for the format.
    pub(super) fn add(
        &mut self,
        m: &Model,
        c: &Choose,
        code: &mut Code,
        layout: Layout,
        first_exit: usize,
    ) -> Option<()> {
        let mut options: Vec<Vec<Clause>> = c
            .candidates
            .iter()
            .map(|r| m.road(*r).filters.iter().flat_map(|f| clauses(m, &f.guard)).collect())
            .collect();
        let exits = exits(m, c).unwrap_or_default();
        options.extend(exits.iter().cloned());
        let width = match options.len() {
            0..=8 => 1,
            9..=16 => 2,
            17..=32 => 4,
            33..=64 => 8,
            _ => 16,
        };
        let all: Vec<&Clause> = options.iter().flatten().collect();
        let rankings: Vec<Ranking> = c.profiles.iter().map(|(_, o)| Ranking { order: order(m, c, o) }).collect();
        let repeats = rankings.iter().filter(|r| r.order.is_some()).count();
        let blocks = options.len().div_ceil(8 * width).max(1);
        let most = if width < 16 { ROWS } else { REPEATED / (blocks * width * repeats.max(1)) };
        let groups = Groups::of(m, &all, if layout == Layout::Fast { most } else { 0 });
        // Without room for a copy per order, the masks stand once and orders are walked.
        let ordered = layout == Layout::Fast && width == 16 && groups.rows() <= most;
        let s = Shape { m, choose: c, options, groups, width };
        if s.groups.sizes.len() > GROUPS {
            return None;
        }
        let first_digit = n32(self.digits.len())?;
        self.put_digits(&s, code)?;
        let edges = first_exit..first_exit + exits.len();
        let targets: Vec<usize> = c.candidates.iter().map(|r| r.index()).chain(edges).collect();
        let first_candidate = self.put_indices(&targets)?;
        let first_rows: Vec<usize> =
            s.groups.sizes.iter().scan(1, |at, n| Some(std::mem::replace(at, *at + n))).collect();
        let first_group = self.put_indices(&first_rows)?;
        let checks = self.put_checks(&s)?;
        let first_profile = n32(self.profiles.len())?;
        self.put_profiles(&s, &rankings, layout, ordered)?;
        let rows = n16(s.groups.rows())?;
        self.records.push(fields(&[
            &n16(c.node.index())?.to_le_bytes(),
            &n16(c.candidates.len())?.to_le_bytes(),
            &first_candidate.to_le_bytes(),
            &c.by.map_or(Some(NONE), |f| n16(f.index()))?.to_le_bytes(),
            &[u8::try_from(c.profiles.len()).ok()?, u8::try_from(width).ok()?],
            &first_profile.to_le_bytes(),
            &first_digit.to_le_bytes(),
            &n16(s.groups.digits.len())?.to_le_bytes(),
            &n16(s.groups.sizes.len())?.to_le_bytes(),
            &first_group.to_le_bytes(),
            &rows.to_le_bytes(),
            &n16(exits.len())?.to_le_bytes(),
            &(if exits.is_empty() { 0 } else { n16(first_exit)? }).to_le_bytes(),
            &[0, 0],
            &checks.to_le_bytes(),
        ]));
        Some(())
    }

    fn put_indices(&mut self, list: &[usize]) -> Option<u32> {
        let at = n32(self.indices.len())?;
        for n in list {
            self.indices.push(n16(*n)?);
        }
        Some(at)
    }

    fn put_digits(&mut self, s: &Shape<'_>, code: &mut Code) -> Option<()> {
        for d in &s.groups.digits {
            let argument = if d.cell.is_none() {
                code.put(s.m, &d.guard)?
            } else if matches!(d.source, roadlaw_runtime::format::source::INT) {
                let at = n16(self.cuts.len())?;
                self.cuts.push(i32::try_from(d.cuts.len()).ok()?);
                self.cuts.extend(&d.cuts);
                at
            } else {
                u16::from(d.first)
            };
            self.digits.push(fields(&[
                &[d.source, d.labels],
                &d.cell.map_or(Some(NONE), |f| n16(f.index()))?.to_le_bytes(),
                &n16(d.group)?.to_le_bytes(),
                &n16(d.stride)?.to_le_bytes(),
                &n16(d.radix())?.to_le_bytes(),
                &argument.to_le_bytes(),
            ]));
        }
        Some(())
    }

    /// For each option where its clauses stand, then clauses, then sets of rows, each once.
    fn put_checks(&mut self, s: &Shape<'_>) -> Option<u32> {
        let spanning: Vec<Vec<&Clause>> =
            s.options.iter().map(|cs| cs.iter().filter(|c| s.group_of(c).is_none()).collect()).collect();
        if spanning.iter().all(Vec::is_empty) {
            return Some(u32::MAX);
        }
        let first = n32(self.checks.len())?;
        let mut words: Vec<u16> = vec![NONE; s.options.len()];
        let mut patches: Vec<(usize, Vec<u16>)> = Vec::new();
        for (option, clauses) in spanning.iter().enumerate().filter(|(_, c)| !c.is_empty()) {
            words[option] = n16(words.len())?;
            words.push(n16(clauses.len())?);
            for clause in clauses {
                let mut sets: BTreeMap<usize, Vec<bool>> = BTreeMap::new();
                for l in *clause {
                    let rows = s.groups.rows_of(s.m, l);
                    let group = s.groups.digits.get(s.groups.digit(l))?.group;
                    let set = sets.entry(group).or_insert_with(|| vec![false; rows.len()]);
                    set.iter_mut().zip(rows).for_each(|(a, b)| *a |= b);
                }
                words.push(n16(sets.len())?);
                for (group, set) in sets {
                    words.push(n16(group)?);
                    let bits = set.chunks(16).map(|c| c.iter().rev().fold(0_u16, |w, b| w << 1 | u16::from(*b)));
                    patches.push((words.len(), bits.collect()));
                    words.push(NONE);
                }
            }
        }
        let mut known: BTreeMap<Vec<u16>, u16> = BTreeMap::new();
        for (at, bits) in patches {
            let place = match known.get(&bits) {
                Some(place) => *place,
                None => {
                    let place = n16(words.len())?;
                    words.extend(&bits);
                    known.insert(bits, place);
                    place
                }
            };
            words[at] = place;
        }
        self.checks.extend(words);
        Some(first)
    }

    fn put_profiles(&mut self, s: &Shape<'_>, rankings: &[Ranking], layout: Layout, ordered: bool) -> Option<()> {
        let candidates = s.choose.candidates.len();
        let exits = candidates..s.options.len();
        let mut shared = None;
        for ((value, kind), ranking) in s.choose.profiles.iter().zip(rankings) {
            let value = u16::try_from(*value).unwrap_or(NONE);
            let mut rows_of = |out: &mut Self, order: Option<&[usize]>| -> Option<u32> {
                let Some(order) = order else {
                    if shared.is_none() {
                        shared = Some(out.put_rows(s, &(0..s.options.len()).collect::<Vec<_>>())?);
                    }
                    return shared;
                };
                out.put_rows(s, order)
            };
            let (kind, keys, length, first, rows, ranks) = match (&ranking.order, kind) {
                (Some(order), _) => {
                    let order: &Vec<usize> = &order.iter().copied().chain(exits.clone()).collect();
                    let first = self.put_indices(order)?;
                    if ordered {
                        (profile::ORDERED, 0, order.len(), first, rows_of(self, Some(order))?, 0)
                    } else {
                        let rows = rows_of(self, None)?;
                        if layout == Layout::Fast && s.options.len() <= 64 {
                            (profile::RANKED, 0, order.len(), first, rows, self.put_ranks(s, order)?)
                        } else {
                            (profile::LISTED, 0, order.len(), first, rows, 0)
                        }
                    }
                }
                (None, Order::Keys(keys)) => {
                    let mut list: Vec<usize> = keys.iter().flat_map(|k| k.cells.iter().map(|f| f.index())).collect();
                    let mut place = vec![0; candidates];
                    for (n, i) in by_name(s.m, s.choose).into_iter().enumerate() {
                        place[i] = n;
                    }
                    list.extend(place);
                    let first = self.put_indices(&list)?;
                    (profile::KEYED, u8::try_from(keys.len()).ok()?, candidates, first, rows_of(self, None)?, 0)
                }
                (None, Order::Static(_)) => return None,
            };
            self.profiles.push(fields(&[
                &value.to_le_bytes(),
                &[kind, keys],
                &n16(length)?.to_le_bytes(),
                &[0, 0],
                &first.to_le_bytes(),
                &rows.to_le_bytes(),
                &ranks.to_le_bytes(),
            ]));
        }
        Some(())
    }

    /// The blocks of masks whose bits are these options.
    fn put_rows(&mut self, s: &Shape<'_>, bits: &[usize]) -> Option<u32> {
        let at = n32(self.masks.len())?;
        let per_block = s.width * 8;
        for block in 0..bits.len().div_ceil(per_block).max(1) {
            let here: Vec<usize> = bits.iter().copied().skip(block * per_block).take(per_block).collect();
            self.masks.extend(vec![u8::MAX; s.width]);
            for group in 0..s.groups.sizes.len() {
                let mut rows = vec![vec![0_u8; s.width]; s.groups.sizes[group]];
                for (bit, option) in here.iter().enumerate() {
                    for (row, mask) in s.open_rows(*option, group).into_iter().zip(&mut rows) {
                        mask[bit / 8] |= u8::from(row) << (bit % 8);
                    }
                }
                self.masks.extend(rows.concat());
            }
        }
        Some(at)
    }

    /// For every four options a table of the least rank among those of them that are open.
    fn put_ranks(&mut self, s: &Shape<'_>, order: &[usize]) -> Option<u32> {
        let at = n32(self.masks.len())?;
        let rank = |option: usize| order.iter().position(|o| *o == option);
        for four in 0..2 * s.width {
            for open in 0..16_usize {
                let least = (0..4).filter(|k| open >> k & 1 == 1).filter_map(|k| rank(4 * four + k)).min();
                self.masks.push(least.map_or(Some(u8::MAX), |r| u8::try_from(r).ok())?);
            }
        }
        Some(at)
    }
}

impl Shape<'_> {
    /// The group that all literals of a clause read, if there is one.
    fn group_of(&self, c: &Clause) -> Option<usize> {
        let mut groups = c.iter().map(|l| self.groups.digits.get(self.groups.digit(l)).map(|d| d.group));
        let first = groups.next()??;
        groups.all(|g| g == Some(first)).then_some(first)
    }

    /// The rows of a group in which its clauses leave an option open.
    fn open_rows(&self, option: usize, group: usize) -> Vec<bool> {
        let mut open = vec![true; self.groups.sizes[group]];
        for clause in self.options[option].iter().filter(|c| self.group_of(c) == Some(group)) {
            let mut holds = vec![false; open.len()];
            for l in clause {
                holds.iter_mut().zip(self.groups.rows_of(self.m, l)).for_each(|(a, b)| *a |= b);
            }
            open.iter_mut().zip(holds).for_each(|(a, b)| *a &= b);
        }
        open
    }
}

/// Positions, best first; `None` where keys rank. The empty list of keys ranks by name alone.
fn order(m: &Model, c: &Choose, order: &Order) -> Option<Vec<usize>> {
    match order {
        Order::Static(roads) => {
            let position = |r: &crate::model::RoadId| c.candidates.iter().position(|q| q == r);
            Some(roads.iter().filter_map(position).collect())
        }
        Order::Keys(keys) if keys.is_empty() => Some(by_name(m, c)),
        Order::Keys(_) => None,
    }
}

fn by_name(m: &Model, c: &Choose) -> Vec<usize> {
    let mut by_name: Vec<usize> = (0..c.candidates.len()).collect();
    by_name.sort_by_key(|i| &m.road(c.candidates[*i]).name);
    by_name
}

/// The clauses of each edge that follows when every candidate is closed; `None` where counters or latches decide.
fn exits(m: &Model, c: &Choose) -> Option<Vec<Vec<Clause>>> {
    let port = m.edges.iter().filter(|e| e.from == c.node && e.outcome == Outcome::Closed && e.candidate.is_none());
    let out = port
        .map(|e| match e.rank {
            EdgeRank::Guarded if e.takes.is_none() => Some(clauses(m, &e.guard)),
            EdgeRank::Else => Some(clauses(m, &Guard::True)),
            _ => None,
        })
        .collect::<Option<Vec<_>>>()?;
    let evaluated = out.iter().flatten().flatten().any(|l| matches!(l.place, Place::Guard(_)));
    (out.len() <= EXITS && !evaluated).then_some(out)
}
