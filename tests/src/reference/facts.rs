//! Facts: what they may be, what guards, chooses and ports make of them, and when they are read afresh (MODEL.md 2 to 4).

use roadlaw_compiler::model::{
    Cell, Change, Choose, CounterId, Edge, EdgeId, EdgeKind, EdgeRank, FactId, Guard, Index, Latch, Life, Model, Node,
    NodeId, NodeKind, Order, Outcome, RoadId, RoleItem, Type,
};
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// A small index as an id's number.
#[must_use]
pub fn id(i: usize) -> u32 {
    u32::try_from(i).unwrap_or(u32::MAX)
}

/// What a cell is read as: its content, or what unknown stands for.
#[must_use]
pub fn read(m: &Model, f: FactId, facts: &[Cell]) -> Option<i64> {
    match facts[f.index()] {
        Cell::Known(v) => Some(v),
        Cell::Unknown => m.facts[f.index()].unknown,
    }
}

/// Kleene's value of a guard: `None` is undecided.
#[must_use]
pub fn value(m: &Model, g: &Guard, facts: &[Cell]) -> Option<bool> {
    match g {
        Guard::True => Some(true),
        Guard::False => Some(false),
        Guard::Not(g) => value(m, g, facts).map(|b| !b),
        Guard::And(gs) => every(m, gs, facts, false),
        Guard::Or(gs) => every(m, gs, facts, true),
        Guard::In(f, vs) => read(m, *f, facts).map(|v| vs.contains(&v)),
        Guard::Range(f, lo, hi) => read(m, *f, facts).map(|v| v >= i64::from(*lo) && v <= i64::from(*hi)),
        Guard::Diff { left, right, plus } => Some(read(m, *left, facts)? - read(m, *right, facts)? <= i64::from(*plus)),
        Guard::HasAny(f, mask) => read(m, *f, facts).map(|v| v.cast_unsigned() & mask != 0),
        Guard::HasAll(f, mask) => read(m, *f, facts).map(|v| v.cast_unsigned() & mask == *mask),
        Guard::Unknown(f) => Some(facts[f.index()] == Cell::Unknown),
    }
}

/// One part that has the value sought decides; else it is undecided where some part is, and the other value where none is.
fn every(m: &Model, gs: &[Guard], facts: &[Cell], seeks: bool) -> Option<bool> {
    let mut out = Some(!seeks);
    for g in gs {
        match value(m, g, facts) {
            Some(b) if b == seeks => return Some(seeks),
            None => out = None,
            Some(_) => {}
        }
    }
    out
}

/// The guard is open: definitely true.
#[must_use]
pub fn open(m: &Model, g: &Guard, facts: &[Cell]) -> bool {
    value(m, g, facts) == Some(true)
}

/// The guard is not definitely false: so is a need that holds.
#[must_use]
pub fn possible(m: &Model, g: &Guard, facts: &[Cell]) -> bool {
    value(m, g, facts) != Some(false)
}

/// The edge declares this change.
#[must_use]
pub fn changes(e: &Edge, c: Change) -> bool {
    e.changes.iter().flatten().any(|x| *x == c)
}

/// The cells that a guard reads.
#[must_use]
pub fn reads(g: &Guard) -> BTreeSet<FactId> {
    let mut out = BTreeSet::new();
    atoms(g, &mut |a| out.extend(cells(a)));
    out
}

/// A role is known to be true: what unknown stands for grants nothing. Where a node has no road, any road's reading does.
#[must_use]
pub fn role_true(m: &Model, road: Option<RoadId>, role: &str, facts: &[Cell]) -> bool {
    let own = road.and_then(|r| m.roads[r.index()].roles.get(role));
    let items = own.or_else(|| m.roads.iter().find_map(|r| r.roles.get(role)));
    items.is_some_and(|items| {
        items.iter().all(|i| match i {
            RoleItem::Fact(f) => facts[f.index()] == Cell::Known(1),
            RoleItem::Let(g) => open(m, g, facts),
        })
    })
}

/// Calls with every atom of a guard.
pub fn atoms<'g>(g: &'g Guard, with: &mut impl FnMut(&'g Guard)) {
    match g {
        Guard::True | Guard::False => {}
        Guard::Not(g) => atoms(g, with),
        Guard::And(gs) | Guard::Or(gs) => {
            for g in gs {
                atoms(g, with);
            }
        }
        atom => with(atom),
    }
}

/// Cells that an atom reads.
#[must_use]
pub fn cells(atom: &Guard) -> Vec<FactId> {
    match atom {
        Guard::In(f, _) | Guard::Range(f, _, _) | Guard::HasAny(f, _) | Guard::HasAll(f, _) | Guard::Unknown(f) => {
            vec![*f]
        }
        Guard::Diff { left, right, .. } => vec![*left, *right],
        _ => Vec::new(),
    }
}

/// The contents of a cell that some of these guards could tell apart.
#[must_use]
pub fn contents(m: &Model, f: FactId, guards: &[&Guard]) -> Vec<Cell> {
    let fact = &m.facts[f.index()];
    let (mut cuts, mut asked, mut all) = (BTreeSet::new(), false, false);
    for g in guards {
        atoms(g, &mut |a| match a {
            Guard::Range(x, lo, hi) if *x == f => cuts.extend([i64::from(*lo), i64::from(*hi) + 1]),
            Guard::Unknown(x) if *x == f => asked = true,
            Guard::Diff { left, right, .. } if *left == f || *right == f => all = true,
            Guard::In(x, vs) if *x == f => cuts.extend(vs.iter().flat_map(|v| [*v, *v + 1])),
            _ => {}
        });
    }
    let known: Vec<i64> = match &fact.ty {
        Type::Bool => vec![0, 1],
        Type::Enum(n) | Type::Level(n) => (0..i64::from(id(n.len()))).collect(),
        Type::Set(n) => (0..1_i64 << n.len()).collect(),
        Type::Int { lo, hi } => (i64::from(*lo)..=i64::from(*hi))
            .filter(|v| all || fact.latch.is_some() || *v == i64::from(*lo) || cuts.contains(v))
            .collect(),
    };
    let unknown = fact.latch.is_none() && (fact.unknown.is_none() || asked);
    known.into_iter().map(Cell::Known).chain(unknown.then_some(Cell::Unknown)).collect()
}

/// All vectors that differ from `facts` in these cells only.
#[must_use]
pub fn vectors(facts: &[Cell], free: &[(FactId, Vec<Cell>)]) -> Vec<Vec<Cell>> {
    free.iter().fold(vec![facts.to_vec()], |all, (f, contents)| {
        all.iter()
            .flat_map(|v| {
                contents.iter().map(|c| {
                    let mut v = v.clone();
                    v[f.index()] = *c;
                    v
                })
            })
            .collect()
    })
}

/// The latch may be set.
#[must_use]
pub fn latched(m: &Model, latch: Latch, facts: &[Cell]) -> bool {
    place(m, latch).is_some_and(|i| facts[i] != Cell::Known(0))
}

/// The cell of a latch.
fn place(m: &Model, latch: Latch) -> Option<usize> {
    m.facts.iter().position(|f| f.latch == Some(latch))
}

/// Nothing closes the road: no filter, and it was not tried, and nothing was judged.
#[must_use]
pub fn eligible(m: &Model, r: RoadId, facts: &[Cell]) -> bool {
    first_closed(m, r, facts).is_none() && !latched(m, Latch::Tried(r), facts) && !latched(m, Latch::Judged, facts)
}

/// The first filter that is not true.
#[must_use]
pub fn first_closed(m: &Model, r: RoadId, facts: &[Cell]) -> Option<usize> {
    m.roads[r.index()].filters.iter().position(|f| !open(m, &f.guard, facts))
}

/// The road that a choose takes.
#[must_use]
pub fn choose(m: &Model, c: &Choose, facts: &[Cell]) -> Option<RoadId> {
    Asked::of(m, c).choose(facts)
}

/// A choose that is asked often: the cells of its latches are looked up once.
#[derive(Debug)]
pub struct Asked<'m> {
    m: &'m Model,
    c: &'m Choose,
    judged: Option<usize>,
    tried: Vec<Option<usize>>,
}

impl<'m> Asked<'m> {
    /// Of a choose.
    #[must_use]
    pub fn of(m: &'m Model, c: &'m Choose) -> Self {
        let tried = c.candidates.iter().map(|r| place(m, Latch::Tried(*r))).collect();
        Self { m, c, judged: place(m, Latch::Judged), tried }
    }

    /// A candidate, by its position, is eligible.
    #[must_use]
    pub fn eligible(&self, i: usize, facts: &[Cell]) -> bool {
        let latched = |cell: Option<usize>| cell.is_some_and(|i| facts[i] != Cell::Known(0));
        !latched(self.judged) && !latched(self.tried[i]) && first_closed(self.m, self.c.candidates[i], facts).is_none()
    }

    /// The road that it takes.
    #[must_use]
    pub fn choose(&self, facts: &[Cell]) -> Option<RoadId> {
        let by = self.c.by.and_then(|f| read(self.m, f, facts));
        let (_, order) = match by {
            Some(v) => self.c.profiles.iter().find(|(x, _)| *x == v)?,
            None => self.c.profiles.first()?,
        };
        let here = |r: &RoadId| self.c.candidates.iter().position(|x| x == r).is_some_and(|i| self.eligible(i, facts));
        match order {
            Order::Static(best_first) => best_first.iter().copied().find(here),
            Order::Keys(keys) => {
                // Unknown comes last: no int fact reaches this value.
                let rank = |i: usize, k: usize| read(self.m, keys[k].cells[i], facts).unwrap_or(i64::MAX);
                let name = |i: usize| self.m.roads[self.c.candidates[i].index()].name.as_str();
                let all = (0..self.c.candidates.len()).filter(|i| self.eligible(*i, facts));
                let best = all.min_by(|a, b| {
                    let by_keys = (0..keys.len()).map(|k| rank(*a, k).cmp(&rank(*b, k)));
                    by_keys.fold(Ordering::Equal, Ordering::then).then_with(|| name(*a).cmp(name(*b)))
                });
                best.map(|i| self.c.candidates[i])
            }
        }
    }
}

/// RL706: a choose that chose nothing did not ask some road that is eligible, among all that are first choices. A
/// preference that leaves a road out is another law's business.
#[must_use]
pub fn unasked(m: &Model, from: &Node, facts: &[Cell]) -> bool {
    let NodeKind::Choose(c) = from.kind else { return true };
    let mut seen = BTreeSet::new();
    let mut work = vec![m.flows[from.flow.index()].start];
    let mut first = BTreeSet::new();
    while let Some(n) = work.pop() {
        if !seen.insert(n) {
            continue;
        }
        if let NodeKind::Choose(c) = m.nodes[n.index()].kind {
            first.extend(m.chooses[c.index()].candidates.iter().copied());
        }
        work.extend(m.edges.iter().filter(|e| e.from == n && e.kind == EdgeKind::Next).map(|e| e.to));
    }
    let c = &m.chooses[c.index()];
    let names = |o: &Order, r: &RoadId| match o {
        Order::Static(roads) => roads.contains(r),
        Order::Keys(_) => c.candidates.contains(r),
    };
    let condition = ["class", "labels", "weight", "lineage"];
    let prefers = c.by.is_some_and(|f| !m.facts[f.index()].role.as_deref().is_some_and(|r| condition.contains(&r)));
    let by = c.by.and_then(|f| read(m, f, facts));
    let picked = match by {
        Some(v) => c.profiles.iter().find(|(x, _)| *x == v),
        None => c.profiles.first(),
    };
    let asked = |r: &RoadId| {
        picked.is_some_and(|(_, o)| names(o, r)) || (prefers && c.profiles.iter().any(|(_, o)| names(o, r)))
    };
    first.iter().any(|r| !asked(r) && eligible(m, *r, facts))
}

/// Ports of a node: outcome and candidate, each once.
#[must_use]
pub fn ports(m: &Model, n: NodeId) -> Vec<(Outcome, Option<RoadId>)> {
    let set: BTreeSet<_> = m.edges.iter().filter(|e| e.from == n).map(|e| (e.outcome, e.candidate)).collect();
    set.into_iter().collect()
}

/// Edges of a port, in order.
#[must_use]
pub fn port(m: &Model, n: NodeId, outcome: Outcome, candidate: Option<RoadId>) -> Vec<EdgeId> {
    let fits = |e: &Edge| e.from == n && e.outcome == outcome && e.candidate == candidate;
    (0..m.edges.len()).filter(|i| fits(&m.edges[*i])).map(|i| EdgeId(id(i))).collect()
}

fn left(m: &Model, c: CounterId, facts: &[Cell]) -> bool {
    matches!(facts[m.counters[c.index()].fact.index()], Cell::Known(n) if n > 0)
}

/// Edges of a port that are open: one, but where a law is broken.
#[must_use]
pub fn taken(m: &Model, port: &[EdgeId], facts: &[Cell]) -> Vec<EdgeId> {
    let edge = |e: &EdgeId| &m.edges[e.index()];
    let guarded: Vec<EdgeId> = port
        .iter()
        .copied()
        .filter(|e| {
            let e = edge(e);
            e.rank == EdgeRank::Guarded && open(m, &e.guard, facts) && e.takes.is_none_or(|c| left(m, c, facts))
        })
        .collect();
    if !guarded.is_empty() {
        return guarded;
    }
    let spent: Vec<EdgeId> = port
        .iter()
        .copied()
        .filter(|e| match edge(e).rank {
            EdgeRank::Spent(c) => {
                !left(m, c, facts) && port.iter().any(|o| edge(o).takes == Some(c) && open(m, &edge(o).guard, facts))
            }
            _ => false,
        })
        .collect();
    if !spent.is_empty() {
        return spent;
    }
    port.iter().copied().filter(|e| edge(e).rank == EdgeRank::Else).collect()
}

/// The node's outcome ends the epoch: volatile facts are new before the port's guards are read.
#[must_use]
pub fn ends_epoch(kind: &NodeKind) -> bool {
    use NodeKind as K;
    matches!(kind, K::Send | K::Call | K::AwaitUser | K::AwaitExternal | K::Review | K::Reconcile)
}

/// The edge changes what is sent.
#[must_use]
pub fn changes_content(m: &Model, e: &Edge) -> bool {
    let says = |c| e.changes.iter().flatten().any(|x| *x == c);
    let from = &m.nodes[e.from.index()].kind;
    says(Change::Content)
        || says(Change::Workspace)
        || e.kind == EdgeKind::Loop
        || (*from == NodeKind::Repair && e.outcome == Outcome::Ok)
        || (*from == NodeKind::Review && e.outcome == Outcome::NewPlan)
        || (*from == NodeKind::AwaitUser && e.kind == EdgeKind::Resume)
}

/// A cell is new before the edge's target is entered.
#[must_use]
pub fn fresh(m: &Model, e: &Edge, f: FactId) -> bool {
    let fact = &m.facts[f.index()];
    let to = &m.nodes[e.to.index()].kind;
    match fact.life {
        Life::Pinned | Life::Latch => false,
        Life::Rank => matches!(to, NodeKind::Choose(_)),
        Life::Volatile => {
            let reread = matches!(fact.role.as_deref(), Some("revoked" | "expired"));
            e.kind != EdgeKind::Next || (reread && matches!(to, NodeKind::Egress | NodeKind::Adopt))
        }
        Life::Sealed => {
            let projection = e.changes.iter().flatten().any(|c| *c == Change::Projection);
            let payload = projection || changes_content(m, e);
            let target = matches!(e.kind, EdgeKind::Redirect | EdgeKind::Fallback)
                || e.changes.iter().flatten().any(|c| {
                    use Change as C;
                    let not =
                        [C::Content, C::Workspace, C::Policy, C::Projection, C::PriceClass, C::Assurance, C::Actor];
                    !not.contains(c)
                });
            match fact.index {
                None => payload,
                Some(Index::Target(_)) => target,
                Some(Index::Road(_)) => payload || target,
            }
        }
    }
}

/// Latches that the edge writes; `road` is the one that a fallback leaves.
pub fn write(m: &Model, e: &Edge, rank: EdgeRank, road: Option<RoadId>, facts: &mut [Cell]) {
    if rank == EdgeRank::Guarded
        && let Some(c) = e.takes
        && let Cell::Known(n) = &mut facts[m.counters[c.index()].fact.index()]
    {
        *n -= 1;
    }
    let from = &m.nodes[e.from.index()].kind;
    for (fact, cell) in m.facts.iter().zip(facts.iter_mut()) {
        let repaired = *from == NodeKind::Repair && e.outcome == Outcome::Ok;
        match fact.latch {
            Some(Latch::Judged) if *from == NodeKind::Validate && e.outcome == Outcome::Negative => {
                *cell = Cell::Known(1);
            }
            Some(Latch::Consumed)
                if *from == NodeKind::Consume && matches!(e.outcome, Outcome::Ok | Outcome::Duplicate) =>
            {
                *cell = Cell::Known(1);
            }
            Some(Latch::Tried(r)) if e.kind == EdgeKind::Fallback && road == Some(r) => *cell = Cell::Known(1),
            Some(Latch::Judged | Latch::Consumed | Latch::Tried(_)) if repaired => *cell = Cell::Known(0),
            _ => {}
        }
    }
}
