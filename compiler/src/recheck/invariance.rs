//! RL406 and RL408: neither the name of a provider nor a preference decides who may be chosen, or whether anybody carries the
//! work. Of the facts under which a decision is made the law's own cells are forgotten; no facts may be left that two
//! decisions of different kinds share.

use super::cells::Cells;
use super::diagrams::{Diagrams, Set, TooLarge};
use super::obligations::{Asked, Check};
use super::two_runs::{Region, entries, followed};
use crate::graph::{Cond, Graph, carries, narrow};
use crate::laws::catalogue::profiles::runs;
use crate::lower::laws_speak_of;
use crate::manifest::About;
use crate::model::{FactId, Guard, Model, NodeId, NodeKind, Order, Profile, RoadId, Stop};
use std::collections::{BTreeMap, BTreeSet};

/// Different first decisions beyond which the checker gives up.
const MOST: usize = 20_000;

/// What is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Compared {
    /// A road's filters.
    Filters(RoadId),
    /// The first decisions from a node on.
    Decisions(NodeId),
}

/// Every comparison of cells that two runs may differ in. `names`: RL406 is asked, else RL408.
pub(super) fn due(g: &Graph<'_>, names: bool) -> Vec<Asked> {
    let m = g.model;
    let law = if names { "RL406" } else { "RL408" };
    let law_cells = cells_of(m, names);
    if law_cells.is_empty() || !runs(m.profile, law) || (!names && m.profile == Profile::Choice) {
        return Vec::new();
    }
    let reads = |guard: &Guard| guard.cells().iter().any(|f| law_cells.contains(f));
    let mut out = Vec::new();
    let mut ask = |about, by, c| out.push(Asked::new(law, about, by, Check::Differ(names, c)));
    for r in (0..m.roads.len()).map(|i| RoadId(narrow(i))) {
        let chosen = m.chooses.iter().any(|c| c.candidates.contains(&r));
        if chosen && m.road(r).filters.iter().any(|f| reads(&f.guard)) {
            ask(About::Road(r), "filters of two runs", Compared::Filters(r));
        }
    }
    for n in entries(m) {
        let region = Region::new(g, n);
        let leaves_out = |n: &NodeId| {
            let NodeKind::Choose(c) = m.node(*n).kind else { return false };
            let c = m.choose(c);
            let short = |o: &Order| matches!(o, Order::Static(roads) if roads.len() < c.candidates.len());
            c.by.is_some_and(|f| law_cells.contains(&f)) && c.profiles.iter().any(|(_, o)| short(o))
        };
        if region.edges(g).into_iter().any(|e| reads(&m.edge(e).guard)) || region.order.iter().any(leaves_out) {
            ask(About::Node(n), "first decisions of two runs", Compared::Decisions(n));
        }
    }
    out
}

/// The cells that hold names of providers; or preferences: what picks an order, unless laws speak of it.
fn cells_of(m: &Model, names: bool) -> BTreeSet<FactId> {
    let role = |f: FactId| m.fact(f).role.as_deref().unwrap_or_default();
    let wanted = if names { "provider" } else { "preference" };
    let all = (0..m.facts.len()).map(|i| FactId(narrow(i)));
    let own = all.filter(|f| role(*f) == wanted && m.fact(*f).latch.is_none());
    let by = m.chooses.iter().filter_map(|c| c.by).filter(|f| !names && !laws_speak_of(role(*f)));
    own.chain(by).collect()
}

/// Whether the comparison holds.
pub(super) fn check(g: &Graph<'_>, names: bool, c: Compared) -> Result<bool, TooLarge> {
    let m = g.model;
    let mut cells = Cells::new(g);
    let forgotten = cells_of(m, names);
    let all: Vec<FactId> = (0..m.facts.len()).map(|i| FactId(narrow(i))).collect();
    let mut within = cells.valid(&all);
    // What is unknown is the business of RL403.
    for f in forgotten.iter().filter(|f| m.fact(**f).unknown.is_none()) {
        let unknown = cells.guard(&Guard::Unknown(*f)).0;
        within = cells.d.without(within, unknown);
    }
    let apart = |cells: &mut Cells<'_>, a: Set, b: Set| {
        let (a, b) = (cells.d.and(a, within), cells.d.and(b, within));
        let (a, b) = (cells.forget(a, &forgotten), cells.forget(b, &forgotten));
        let both = cells.d.and(a, b);
        cells.d.never(both)
    };
    match c {
        Compared::Filters(r) => {
            let open = cells.cond(&Cond::all(m.road(r).filters.iter().map(|f| Cond::holds(&f.guard))));
            let shut = cells.d.not(open);
            apart(&mut cells, open, shut)
        }
        Compared::Decisions(n) => {
            let region = Region::new(g, n);
            if region.cyclic {
                return Ok(false);
            }
            let firsts = firsts(g, &region, &mut cells)?;
            let mut some = |kind: &dyn Fn(&First) -> bool| {
                let these = firsts.iter().filter(|(f, _)| kind(f));
                these.fold(Diagrams::NONE, |all, (_, set)| cells.d.or(all, *set))
            };
            let emptied = |f: &First| matches!(f.chose.last(), Some(None));
            let mut pairs = vec![(some(&|f| f.carried(m)), some(&|f| f.refused(m) && emptied(f)))];
            for chose in firsts.keys().map(|f| &f.chose).collect::<BTreeSet<_>>() {
                let same = |f: &First| f.chose == *chose;
                pairs.push((some(&|f| same(f) && f.carried(m)), some(&|f| same(f) && f.refused(m) && !emptied(f))));
                if names {
                    let sent = |f: &First, cut| same(f) && f.sent(m) && f.cut == cut;
                    pairs.push((some(&|f| sent(f, true)), some(&|f| sent(f, false))));
                }
            }
            for (a, b) in pairs {
                if !apart(&mut cells, a, b)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
    }
}

/// A first decision: where it ends and what it passed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct First {
    end: NodeId,
    /// What each choose on the way chose.
    chose: Vec<Option<RoadId>>,
    cut: bool,
}

impl First {
    fn carried(&self, m: &Model) -> bool {
        let kind = &m.node(self.end).kind;
        carries(kind) || *kind == NodeKind::Stop(Stop::Done, String::new())
    }

    fn refused(&self, m: &Model) -> bool {
        matches!(m.node(self.end).kind, NodeKind::Stop(..)) && !self.carried(m)
    }

    fn sent(&self, m: &Model) -> bool {
        let n = m.node(self.end);
        n.kind == NodeKind::Send && n.road.is_some_and(|r| m.road(r).remote)
    }
}

/// The first decisions of a region, each with its facts.
fn firsts(g: &Graph<'_>, region: &Region, cells: &mut Cells<'_>) -> Result<BTreeMap<First, Set>, TooLarge> {
    let m = g.model;
    let mut at: BTreeMap<NodeId, BTreeMap<First, Set>> = BTreeMap::new();
    if let Some(entry) = region.order.first() {
        let first = First { end: *entry, chose: Vec::new(), cut: false };
        at.entry(*entry).or_default().insert(first, Diagrams::ALL);
    }
    let (mut out, mut made) = (BTreeMap::new(), 0);
    for n in &region.order {
        let here = at.remove(n).unwrap_or_default();
        let kind = &m.node(*n).kind;
        if carries(kind) || matches!(kind, NodeKind::Stop(..)) {
            out.extend(here);
            continue;
        }
        for e in followed(g, *n) {
            let open = g.effect(e).open.iter().fold(Diagrams::ALL, |all, c| {
                let one = cells.cond(c);
                cells.d.and(all, one)
            });
            for (first, when) in &here {
                let mut next = first.clone();
                next.end = m.edge(e).to;
                next.cut |= *kind == NodeKind::Cut;
                if matches!(kind, NodeKind::Choose(_)) {
                    next.chose.push(m.edge(e).candidate);
                }
                let when = cells.d.and(*when, open);
                let slot = at.entry(next.end).or_default().entry(next).or_insert(Diagrams::NONE);
                *slot = cells.d.or(*slot, when);
                made += 1;
            }
            if made > MOST {
                return Err(TooLarge);
            }
        }
    }
    Ok(out)
}
