//! The flow graph of a model: petgraph over nodes and edges, with everything an edge does spelled out once.
//!
//! Takes a [`Model`]; guarantees that for each edge the condition under which it is open, the facts it refreshes and
//! the latches it writes are written down here and nowhere else among the engines. (The reference interpreter in
//! [`crate::monitor`] states the same rules by itself.)

use crate::model::{
    Change, Choose, EdgeId, EdgeKind, EdgeRank, FactId, FlowId, Guard, Index, Latch, Life, Model, NodeId, NodeKind,
    Order, Outcome, RoadId,
};
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::BTreeSet;

/// A two-valued condition on facts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cond {
    /// Always.
    True,
    /// Never.
    False,
    /// The guard is definitely true.
    Holds(Guard),
    /// Two-valued negation.
    Not(Box<Cond>),
    /// All.
    And(Vec<Cond>),
    /// Any.
    Or(Vec<Cond>),
}

impl Cond {
    /// The guard is definitely true.
    #[must_use]
    pub fn holds(guard: &Guard) -> Self {
        match guard {
            Guard::True => Self::True,
            Guard::False => Self::False,
            g => Self::Holds(g.clone()),
        }
    }

    /// The guard is not definitely true.
    #[must_use]
    pub fn fails(guard: &Guard) -> Self {
        Self::holds(guard).not()
    }

    /// The guard is not definitely false.
    #[must_use]
    pub fn possible(guard: &Guard) -> Self {
        Self::fails(&guard.negated())
    }

    /// Negation.
    #[must_use]
    #[expect(
        clippy::should_implement_trait,
        reason = "a condition is data; an operator would hide that this builds a term"
    )]
    pub fn not(self) -> Self {
        match self {
            Self::True => Self::False,
            Self::False => Self::True,
            Self::Not(c) => *c,
            c => Self::Not(Box::new(c)),
        }
    }

    /// Conjunction, flattened.
    #[must_use]
    pub fn all(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut out = Vec::new();
        for p in parts {
            match p {
                Self::True => {}
                Self::False => return Self::False,
                Self::And(inner) => out.extend(inner),
                p => out.push(p),
            }
        }
        match out.len() {
            0 => Self::True,
            1 => out.remove(0),
            _ => Self::And(out),
        }
    }

    /// Disjunction, flattened.
    #[must_use]
    pub fn any(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut out = Vec::new();
        for p in parts {
            match p {
                Self::False => {}
                Self::True => return Self::True,
                Self::Or(inner) => out.extend(inner),
                p => out.push(p),
            }
        }
        match out.len() {
            0 => Self::False,
            1 => out.remove(0),
            _ => Self::Or(out),
        }
    }

    /// The cells it reads, ascending, each once.
    #[must_use]
    pub fn cells(&self) -> Vec<FactId> {
        fn collect(c: &Cond, out: &mut BTreeSet<FactId>) {
            match c {
                Cond::True | Cond::False => {}
                Cond::Holds(g) => out.extend(g.cells()),
                Cond::Not(c) => collect(c, out),
                Cond::And(cs) | Cond::Or(cs) => cs.iter().for_each(|c| collect(c, out)),
            }
        }
        let mut out = BTreeSet::new();
        collect(self, &mut out);
        out.into_iter().collect()
    }

    /// The top-level conjuncts: none for `True`, one for anything that is no conjunction.
    #[must_use]
    pub fn conjuncts(&self) -> Vec<&Self> {
        match self {
            Self::True => Vec::new(),
            Self::And(cs) => cs.iter().collect(),
            c => vec![c],
        }
    }
}

/// A write to a latch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Write {
    /// The cell becomes this value.
    Set(FactId, i64),
    /// The counter loses one; it was above 0.
    Decrement(FactId),
    /// One of the cells becomes true: which one depends on the road that is left.
    SetOneOf(Vec<FactId>),
}

/// What one edge does.
#[derive(Debug, Clone)]
pub struct Effect {
    /// The condition under which it is taken, as conjuncts.
    pub open: Vec<Cond>,
    /// Volatile cells read afresh before the condition is evaluated (the outcome ended the epoch).
    pub before: Vec<FactId>,
    /// Cells read afresh after it, before the next node is entered.
    pub after: Vec<FactId>,
    /// Latches written, after the condition was evaluated.
    pub writes: Vec<Write>,
}

/// The graph of a model.
pub struct Graph<'m> {
    /// The model.
    pub model: &'m Model,
    /// Nodes and edges; indices are those of the model's arenas.
    pub net: DiGraph<NodeId, EdgeId>,
    /// Edges out of each node, in order.
    pub out: Vec<Vec<EdgeId>>,
    /// Edges into each node, in order.
    pub into: Vec<Vec<EdgeId>>,
    /// What each edge does.
    pub effects: Vec<Effect>,
    /// Roads that may be the current one (last sent, called or awaited, else chosen) at each node.
    pub current: Vec<BTreeSet<Option<RoadId>>>,
}

/// Builds the graph of a model. Time: O(edges x candidates + roads x edges).
#[must_use]
pub fn graph(model: &Model) -> Graph<'_> {
    let mut net = DiGraph::with_capacity(model.nodes.len(), model.edges.len());
    let mut out = vec![Vec::new(); model.nodes.len()];
    let mut into = vec![Vec::new(); model.nodes.len()];
    for i in 0..model.nodes.len() {
        net.add_node(NodeId(narrow(i)));
    }
    for (i, e) in model.edges.iter().enumerate() {
        let id = EdgeId(narrow(i));
        net.add_edge(NodeIndex::new(e.from.index()), NodeIndex::new(e.to.index()), id);
        out[e.from.index()].push(id);
        into[e.to.index()].push(id);
    }
    let mut g = Graph { model, net, out, into, effects: Vec::new(), current: Vec::new() };
    g.current = current_roads(&g);
    g.effects = (0..model.edges.len()).map(|i| effect(&g, EdgeId(narrow(i)))).collect();
    g
}

pub(crate) fn narrow(i: usize) -> u32 {
    u32::try_from(i).unwrap_or(u32::MAX)
}

impl Graph<'_> {
    /// The effect of an edge.
    #[must_use]
    pub fn effect(&self, e: EdgeId) -> &Effect {
        &self.effects[e.index()]
    }

    /// Nodes of one flow that can be reached from its start when guards are ignored, in ascending order.
    #[must_use]
    pub fn reachable(&self, flow: FlowId) -> Vec<NodeId> {
        let mut seen = vec![false; self.model.nodes.len()];
        let mut work = vec![self.model.flows[flow.index()].start];
        while let Some(n) = work.pop() {
            if std::mem::replace(&mut seen[n.index()], true) {
                continue;
            }
            work.extend(self.out[n.index()].iter().map(|e| self.model.edge(*e).to));
        }
        (0..seen.len()).filter(|i| seen[*i]).map(|i| NodeId(narrow(i))).collect()
    }
}

/// The edges of one port (same node, outcome, candidate), in order.
pub(crate) fn port_of(g: &Graph<'_>, e: EdgeId) -> Vec<EdgeId> {
    let edge = g.model.edge(e);
    g.out[edge.from.index()]
        .iter()
        .copied()
        .filter(|o| {
            let o = g.model.edge(*o);
            o.outcome == edge.outcome && o.candidate == edge.candidate
        })
        .collect()
}

fn current_roads(g: &Graph<'_>) -> Vec<BTreeSet<Option<RoadId>>> {
    let m = g.model;
    let mut at: Vec<BTreeSet<Option<RoadId>>> = vec![BTreeSet::new(); m.nodes.len()];
    let mut work: Vec<NodeId> = Vec::new();
    for f in &m.flows {
        at[f.start.index()].insert(None);
        work.push(f.start);
    }
    while let Some(n) = work.pop() {
        let node = m.node(n);
        for e in &g.out[n.index()] {
            let edge = m.edge(*e);
            let mut next = at[n.index()].clone();
            if edge.outcome == Outcome::Chosen {
                next = BTreeSet::from([edge.candidate]);
            } else if carries(&node.kind) {
                next = BTreeSet::from([node.road]);
            }
            let to = edge.to.index();
            let before = at[to].len();
            at[to].extend(next);
            if at[to].len() != before {
                work.push(edge.to);
            }
        }
    }
    at
}

/// Nodes whose road becomes the current one.
pub(crate) fn carries(kind: &NodeKind) -> bool {
    matches!(kind, NodeKind::Send | NodeKind::Call | NodeKind::AwaitUser | NodeKind::AwaitExternal)
}

/// Nodes whose outcome ends the epoch (MODEL.md section 2).
pub(crate) fn outcome_ends_epoch(kind: &NodeKind) -> bool {
    carries(kind) || matches!(kind, NodeKind::Review | NodeKind::Reconcile)
}

/// The edge changes content or projection: payload facts are fresh after it (MODEL.md section 2).
pub(crate) fn changes_payload(model: &Model, e: EdgeId) -> bool {
    let edge = model.edge(e);
    let from = &model.node(edge.from).kind;
    let said = |c: Change| edge.changes.as_ref().is_some_and(|s| s.contains(&c));
    said(Change::Content)
        || said(Change::Workspace)
        || said(Change::Projection)
        || edge.kind == EdgeKind::Loop
        || (*from == NodeKind::Repair && edge.outcome == Outcome::Ok)
        || (*from == NodeKind::Review && edge.outcome == Outcome::NewPlan)
        || (*from == NodeKind::AwaitUser && edge.kind == EdgeKind::Resume)
}

/// The edge changes the target: target facts are fresh after it.
pub(crate) fn changes_target(model: &Model, e: EdgeId) -> bool {
    use Change as C;
    let edge = model.edge(e);
    matches!(edge.kind, EdgeKind::Redirect | EdgeKind::Fallback)
        || edge.changes.as_ref().is_some_and(|s| {
            s.iter().any(|c| {
                matches!(
                    c,
                    C::Provider
                        | C::Service
                        | C::Model
                        | C::Operation
                        | C::Origin
                        | C::Path
                        | C::Region
                        | C::Retention
                        | C::Training
                        | C::Consumer
                        | C::Labour
                        | C::Transport
                        | C::Custody
                )
            })
        })
}

fn effect(g: &Graph<'_>, id: EdgeId) -> Effect {
    let m = g.model;
    let edge = m.edge(id);
    let from = m.node(edge.from);
    let to = m.node(edge.to);
    let before = if outcome_ends_epoch(&from.kind) { cells_of(m, |f| f.life == Life::Volatile) } else { Vec::new() };
    let payload = changes_payload(m, id);
    let target = changes_target(m, id);
    let reread = matches!(to.kind, NodeKind::Egress | NodeKind::Adopt);
    let choose = matches!(to.kind, NodeKind::Choose(_));
    let after = cells_of(m, |f| match f.life {
        Life::Pinned | Life::Latch => false,
        Life::Sealed => match f.index {
            None => payload,
            Some(Index::Target(_)) => target,
            Some(Index::Road(_)) => payload || target,
        },
        Life::Volatile => {
            edge.kind != EdgeKind::Next || (reread && matches!(f.role.as_deref(), Some("revoked" | "expired")))
        }
        Life::Rank => choose,
    });
    Effect { open: open(g, id).conjuncts().into_iter().cloned().collect(), before, after, writes: writes(g, id) }
}

fn cells_of(m: &Model, keep: impl Fn(&crate::model::Fact) -> bool) -> Vec<FactId> {
    m.facts.iter().enumerate().filter(|(_, f)| keep(f)).map(|(i, _)| FactId(narrow(i))).collect()
}

fn open(g: &Graph<'_>, id: EdgeId) -> Cond {
    let m = g.model;
    let edge = m.edge(id);
    let port = port_of(g, id);
    let own = match edge.rank {
        EdgeRank::Guarded => guarded(m, id),
        EdgeRank::Spent(c) => spent(m, &port, c),
        EdgeRank::Else => Cond::all(port.iter().filter(|e| m.edge(**e).rank != EdgeRank::Else).map(|e| {
            match m.edge(*e).rank {
                EdgeRank::Spent(c) => spent(m, &port, c),
                _ => guarded(m, *e),
            }
            .not()
        })),
    };
    match m.node(edge.from).kind {
        NodeKind::Choose(c) if edge.outcome == Outcome::Chosen => {
            Cond::all([edge.candidate.map_or(Cond::False, |r| chosen(m, m.choose(c), r)), own])
        }
        NodeKind::Choose(c) => Cond::all([none_chosen(m, m.choose(c)), own]),
        _ => own,
    }
}

fn guarded(m: &Model, id: EdgeId) -> Cond {
    let edge = m.edge(id);
    Cond::all([Cond::holds(&edge.guard), edge.takes.map_or(Cond::True, |c| left(m, c))])
}

fn left(m: &Model, c: crate::model::CounterId) -> Cond {
    let counter = &m.counters[c.index()];
    Cond::Holds(Guard::Range(counter.fact, 1, i32::from(counter.max)))
}

fn spent(m: &Model, port: &[EdgeId], c: crate::model::CounterId) -> Cond {
    let asked = Cond::any(port.iter().filter(|e| m.edge(**e).takes == Some(c)).map(|e| Cond::holds(&m.edge(*e).guard)));
    Cond::all([asked, left(m, c).not()])
}

/// The road's filters all hold and its latches are open.
#[must_use]
pub fn eligible(m: &Model, r: RoadId) -> Cond {
    let latches = [Latch::Tried(r), Latch::Judged]
        .into_iter()
        .filter_map(|l| m.latch(l))
        .map(|f| Cond::Holds(Guard::In(f, vec![0])));
    Cond::all(m.road(r).filters.iter().map(|f| Cond::holds(&f.guard)).chain(latches))
}

/// The profile that a value of the choosing fact picks; unknown picks the first.
fn profile_picked(m: &Model, choose: &Choose, i: usize) -> Cond {
    let Some(by) = choose.by else { return Cond::True };
    let value = choose.profiles[i].0;
    let is = Cond::Holds(Guard::In(by, vec![value]));
    if i == 0 && m.fact(by).unknown.is_none() { Cond::any([is, Cond::Holds(Guard::Unknown(by))]) } else { is }
}

fn chosen(m: &Model, choose: &Choose, r: RoadId) -> Cond {
    let mut parts = vec![eligible(m, r)];
    for (i, (_, order)) in choose.profiles.iter().enumerate() {
        let not_this = profile_picked(m, choose, i).not();
        match order {
            Order::Static(roads) => match roads.iter().position(|x| *x == r) {
                None => parts.push(not_this),
                Some(at) => {
                    parts.extend(roads[..at].iter().map(|q| Cond::any([not_this.clone(), eligible(m, *q).not()])))
                }
            },
            Order::Keys(keys) => parts.extend(choose.candidates.iter().filter(|q| **q != r).filter_map(|q| {
                let first = precedes(m, choose, keys, r, *q);
                (first != Cond::True).then(|| Cond::any([not_this.clone(), eligible(m, *q).not(), first]))
            })),
        }
    }
    Cond::all(parts)
}

/// r stands before q under the keys. Rank facts are free at every choose, so a key of rank facts can always be lower:
/// exact as long as no two chooses on one path are compared (DESIGN.md reading 8).
fn precedes(m: &Model, choose: &Choose, keys: &[crate::model::Key], r: RoadId, q: RoadId) -> Cond {
    let Some((key, rest)) = keys.split_first() else {
        return if m.road(r).name < m.road(q).name { Cond::True } else { Cond::False };
    };
    let cell = |x: RoadId| choose.candidates.iter().position(|c| *c == x).and_then(|i| key.cells.get(i)).copied();
    let (Some(a), Some(b)) = (cell(r), cell(q)) else { return precedes(m, choose, rest, r, q) };
    if a == b {
        return precedes(m, choose, rest, r, q);
    }
    if m.fact(a).life == Life::Rank {
        return Cond::True;
    }
    let unknown = |f: FactId| if m.fact(f).unknown.is_some() { Cond::False } else { Cond::Holds(Guard::Unknown(f)) };
    let less = Cond::any([
        Cond::Holds(Guard::Diff { left: a, right: b, plus: -1 }),
        Cond::all([unknown(a).not(), unknown(b)]),
    ]);
    let equal = Cond::any([
        Cond::all([
            Cond::Holds(Guard::Diff { left: a, right: b, plus: 0 }),
            Cond::Holds(Guard::Diff { left: b, right: a, plus: 0 }),
        ]),
        Cond::all([unknown(a), unknown(b)]),
    ]);
    Cond::any([less, Cond::all([equal, precedes(m, choose, rest, r, q)])])
}

/// The choose asks the road under the order that is picked, or leaves it out by a preference (RL408's business).
pub(crate) fn asks(m: &Model, choose: &Choose, r: RoadId) -> Cond {
    let names = |order: &Order| match order {
        Order::Static(roads) => roads.contains(&r),
        Order::Keys(_) => choose.candidates.contains(&r),
    };
    let prefers = choose.by.is_some_and(|f| !crate::lower::laws_speak_of(m.fact(f).role.as_deref().unwrap_or("")));
    let asking: Vec<usize> = (0..choose.profiles.len()).filter(|i| names(&choose.profiles[*i].1)).collect();
    match asking.len() {
        n if n == choose.profiles.len() || (prefers && n > 0) => Cond::True,
        _ => Cond::any(asking.into_iter().map(|i| profile_picked(m, choose, i))),
    }
}

fn none_chosen(m: &Model, choose: &Choose) -> Cond {
    let mut parts = Vec::new();
    for (i, (_, order)) in choose.profiles.iter().enumerate() {
        let not_this = profile_picked(m, choose, i).not();
        let roads = match order {
            Order::Static(roads) => roads,
            Order::Keys(_) => &choose.candidates,
        };
        parts.extend(roads.iter().map(|q| Cond::any([not_this.clone(), eligible(m, *q).not()])));
    }
    Cond::all(parts)
}

fn writes(g: &Graph<'_>, id: EdgeId) -> Vec<Write> {
    let m = g.model;
    let edge = m.edge(id);
    let from = m.node(edge.from);
    let mut out = Vec::new();
    if let Some(c) = edge.takes {
        out.push(Write::Decrement(m.counters[c.index()].fact));
    }
    match (&from.kind, edge.outcome) {
        (NodeKind::Validate, Outcome::Negative) => out.extend(m.latch(Latch::Judged).map(|f| Write::Set(f, 1))),
        (NodeKind::Consume, Outcome::Ok | Outcome::Duplicate) => {
            out.extend(m.latch(Latch::Consumed).map(|f| Write::Set(f, 1)));
        }
        (NodeKind::Repair, Outcome::Ok) => {
            for (i, f) in m.facts.iter().enumerate() {
                if matches!(f.latch, Some(Latch::Tried(_) | Latch::Judged | Latch::Consumed)) {
                    out.push(Write::Set(FactId(narrow(i)), 0));
                }
            }
        }
        _ => {}
    }
    if edge.kind == EdgeKind::Fallback {
        let mut roads = g.current[edge.from.index()].clone();
        if carries(&from.kind) {
            roads = BTreeSet::from([from.road]);
        }
        let cells: Vec<FactId> = roads.into_iter().flatten().filter_map(|r| m.latch(Latch::Tried(r))).collect();
        match cells.as_slice() {
            [] => {}
            [one] => out.push(Write::Set(*one, 1)),
            _ => out.push(Write::SetOneOf(cells)),
        }
    }
    out
}
