//! The table of a proved policy against the reference: what it decides.

use super::draw::Draw;
use super::given::{latches, nothing, set};
use crate::reference::facts::{self, Asked, contents, reads};
use roadlaw_compiler::model::{Cell, Choose, EdgeId, FactId, Guard, Latch, Model, Order, Outcome, RoadId, Type};
use roadlaw_runtime::{Chooser, Closed, Facts, Latches, NotPackable, Packed, Pick, Table};
use std::collections::BTreeSet;

/// Every so many decisions the eligibility and the reasons of all candidates are compared as well, and what packed facts
/// choose with what the same facts choose that are not packed.
const LOOK: u64 = 16;

/// Numbers of fewer values are tried at each of them, also where no guard tells them apart.
const EACH: i32 = 128;

/// The table decides as the reference does: road or way on, from facts and from packed facts, eligibility and reasons.
/// Every content of the facts that a choose asks for where they are at most `most`, else so many at random, near `usual`.
/// Returns how many decisions were compared.
///
/// # Errors
/// The first that differs.
pub fn decides(m: &Model, t: &Table<'_>, usual: &[(FactId, Cell)], d: &mut Draw, most: u64) -> Result<u64, String> {
    let mut compared = 0;
    for (i, c) in m.chooses.iter().enumerate() {
        let asked = asked(m, c);
        let size = asked.iter().try_fold(1_u64, |n, (_, some)| n.checked_mul(some.len() as u64)).unwrap_or(u64::MAX);
        let chooser = t.chooser(i).ok_or("no choose")?;
        let mut case = Case::of(m, t, chooser, i, c)?;
        for (f, content) in usual {
            if asked.iter().any(|(x, some)| x == f && some.contains(content)) {
                case.put(*f, *content)?;
            }
        }
        let usual: Vec<Cell> = asked.iter().map(|(f, _)| case.v[f.index()]).collect();
        if size <= most {
            // Counted up like the digits of a number.
            let mut digits = vec![0; asked.len()];
            for (f, some) in &asked {
                case.put(*f, some[0])?;
            }
            for n in 0..size {
                case.compare(n)?;
                for (digit, (f, some)) in digits.iter_mut().zip(&asked) {
                    *digit = (*digit + 1) % some.len();
                    case.put(*f, some[*digit])?;
                    if *digit > 0 {
                        break;
                    }
                }
            }
            compared += size;
            continue;
        }
        // Some facts as they are where roads are open, or hardly any choose would have one.
        let often = [2, 8, 24][d.below(3)];
        for n in 0..most {
            for _ in 0..1 + d.below(3) {
                let k = d.below(asked.len());
                let (f, some) = &asked[k];
                let content = if d.below(often) > 0 { usual[k] } else { *d.one(some) };
                case.put(*f, content)?;
            }
            case.compare(n)?;
        }
        compared += most;
    }
    Ok(compared)
}

/// The cells that a choose asks for, latches among them, with the contents that can be told apart.
fn asked(m: &Model, c: &Choose) -> Vec<(FactId, Vec<Cell>)> {
    let leads = none_edges(m, c);
    let filters = c.candidates.iter().flat_map(|r| m.roads[r.index()].filters.iter().map(|f| &f.guard));
    let guards: Vec<&Guard> = filters.chain(leads.iter().map(|e| &m.edges[e.index()].guard)).collect();
    let mut read: BTreeSet<FactId> = guards.iter().flat_map(|g| reads(g)).chain(c.by).collect();
    let keys = c.profiles.iter().filter_map(|(_, o)| if let Order::Keys(keys) = o { Some(keys) } else { None });
    let keys: Vec<FactId> = keys.flatten().flat_map(|k| k.cells.iter().copied()).collect();
    read.extend(&keys);
    let latch = |f: &FactId| match m.fact(*f).latch {
        Some(Latch::Tried(r)) => c.candidates.contains(&r),
        Some(Latch::Judged) => true,
        Some(Latch::Consumed) => read.contains(f),
        Some(Latch::Left(x)) => {
            read.contains(f) || leads.iter().any(|e| m.edges[e.index()].takes.is_some_and(|y| x == y))
        }
        None => read.contains(f),
    };
    let cells: Vec<FactId> = (0..m.facts.len()).map(|i| FactId(facts::id(i))).filter(latch).collect();
    let of = |f: &FactId| {
        let mut some = contents(m, *f, &guards);
        match m.fact(*f).latch {
            Some(Latch::Left(x)) => some = [0, 1, m.counters[x.index()].max].map(|n| Cell::Known(i64::from(n))).into(),
            Some(_) => some = vec![Cell::Known(0), Cell::Known(1)],
            None => some.extend(more(m, *f, keys.contains(f))),
        }
        some.sort();
        some.dedup();
        some
    };
    cells.iter().map(|f| (*f, of(f))).collect()
}

/// Contents that guards do not tell apart, and orders may.
fn more(m: &Model, f: FactId, ranks: bool) -> Vec<Cell> {
    let (known, unknown): (Vec<i32>, bool) = match m.fact(f).ty {
        Type::Int { lo, hi } if hi.saturating_sub(lo) < EACH => ((lo..=hi).collect(), ranks),
        Type::Int { lo, hi } => ([lo, hi, lo.saturating_add(1).min(hi), lo / 2 + hi / 2].into(), ranks),
        _ => return if ranks { vec![Cell::Unknown] } else { Vec::new() },
    };
    known.into_iter().map(|n| Cell::Known(i64::from(n))).chain(unknown.then_some(Cell::Unknown)).collect()
}

fn none_edges(m: &Model, c: &Choose) -> Vec<EdgeId> {
    facts::port(m, c.node, Outcome::Closed, None)
}

/// One choose under facts that change a little at a time.
struct Case<'c, 't, 'a> {
    m: &'c Model,
    t: &'t Table<'a>,
    number: usize,
    c: &'c Choose,
    asked: Asked<'c>,
    leads: Vec<EdgeId>,
    chooser: Chooser<'t, 'a>,
    v: Vec<Cell>,
    facts: Facts,
    latches: Latches,
    /// The same facts packed, where this choose can be asked by packed facts.
    packed: Option<Packed>,
}

impl<'c, 't, 'a> Case<'c, 't, 'a> {
    fn of(
        m: &'c Model,
        t: &'t Table<'a>,
        chooser: Chooser<'t, 'a>,
        number: usize,
        c: &'c Choose,
    ) -> Result<Self, String> {
        let packed = match chooser.packed::<64>() {
            Ok(p) => Some(p),
            Err(NotPackable::Groups | NotPackable::Guard | NotPackable::Keys) => None,
            Err(e) => return Err(format!("choose {number} cannot be packed: {e}")),
        };
        let v = nothing(m);
        let latches = latches(m, t, &v);
        let (asked, leads) = (Asked::of(m, c), none_edges(m, c));
        Ok(Self { m, t, number, c, asked, leads, chooser, v, facts: Facts::new(), latches, packed })
    }

    fn put(&mut self, f: FactId, c: Cell) -> Result<(), String> {
        let i = f.index();
        if self.v[i] == c {
            return Ok(());
        }
        self.v[i] = c;
        if self.m.facts[i].latch.is_some() {
            self.latches = latches(self.m, self.t, &self.v);
            return Ok(());
        }
        set(self.m, self.t, &mut self.facts, i, c).map_err(|e| format!("{}: {e}", self.m.facts[i].name))?;
        let (Some(packed), chooser) = (&mut self.packed, &self.chooser) else { return Ok(()) };
        match (c, &self.m.facts[i].ty) {
            (Cell::Unknown, _) => {
                chooser.unset(packed, i);
                Ok(())
            }
            (Cell::Known(x), Type::Bool) => chooser.set_bool(packed, i, x == 1),
            (Cell::Known(x), Type::Enum(_) | Type::Level(_)) => {
                chooser.set_value(packed, i, u8::try_from(x).unwrap_or(u8::MAX))
            }
            (Cell::Known(x), Type::Int { .. }) => chooser.set_int(packed, i, i32::try_from(x).unwrap_or(i32::MAX)),
            (Cell::Known(x), Type::Set(_)) => chooser.set_labels(packed, i, x.cast_unsigned()),
        }
        .map_err(|e| format!("{}, packed: {e}", self.m.facts[i].name))
    }

    /// The `n`th decision.
    fn compare(&self, n: u64) -> Result<(), String> {
        let (i, v) = (self.number, &self.v);
        let want = self.asked.choose(v);
        let pick = match &self.packed {
            Some(packed) => self.chooser.pick_with(packed, &self.latches),
            None => self.plain(),
        };
        let road = if let Pick::Road(r) = pick { Some(r) } else { None };
        if road != want.map(RoadId::index) {
            return Err(format!("choose {i} takes {pick:?}, not {want:?} at {v:?}"));
        }
        if let Pick::Exit(exit) = pick {
            let to = self.t.edge(exit).map(|e| e.to());
            let lead = facts::taken(self.m, &self.leads, v);
            if lead.len() != 1 || to != lead.first().map(|e| self.m.edges[e.index()].to.index()) {
                return Err(format!("choose {i} leads on to {to:?}, not by {lead:?} at {v:?}"));
            }
        }
        if n.is_multiple_of(LOOK) {
            if self.packed.is_some() && self.chooser.pack::<64>(&self.facts).ok() != self.packed {
                return Err(format!("choose {i}: facts packed one by one differ from those packed at once at {v:?}"));
            }
            let plain = self.plain();
            if plain != pick {
                return Err(format!("choose {i} takes {plain:?}, and {pick:?} of packed facts, at {v:?}"));
            }
            for (k, r) in self.c.candidates.iter().enumerate() {
                self.candidate(k, *r)?;
            }
        }
        Ok(())
    }

    /// What facts choose that are not packed.
    fn plain(&self) -> Pick {
        let have = self.t.choose_with(self.number, &self.facts, &self.latches);
        let exit = || have.exit().map_or(Pick::None, Pick::Exit);
        have.road().map_or_else(exit, Pick::Road)
    }

    fn candidate(&self, k: usize, r: RoadId) -> Result<(), String> {
        let (m, i, v) = (self.m, self.number, &self.v);
        let open = self.t.is_eligible(i, k, &self.facts, &self.latches);
        if open != self.asked.eligible(k, v) {
            return Err(format!("choose {i}: {k} eligible is {open} at {v:?}"));
        }
        let said: Vec<Closed> = self.t.reasons(i, k, &self.facts, &self.latches).ok_or("no such candidate")?.collect();
        let mut due = Vec::new();
        if facts::latched(m, Latch::Judged, v) {
            due.push(Closed::Judged);
        }
        if facts::latched(m, Latch::Tried(r), v) {
            due.push(Closed::Tried);
        }
        let filters = m.roads[r.index()].filters.iter().enumerate();
        due.extend(filters.filter(|(_, f)| !facts::open(m, &f.guard, v)).map(|(n, _)| Closed::Filter(n)));
        if !said.iter().filter(|c| **c != Closed::Profile).eq(&due) {
            return Err(format!("choose {i}: {k} is closed by {said:?}, not {due:?} at {v:?}"));
        }
        Ok(())
    }
}
