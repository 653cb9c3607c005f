//! RL403 and RL404: what is unknown opens nothing, what is worse opens nothing. One run is carried over into the other cell
//! by cell: a set of assignments becomes that of all that are completed, or worse.

use super::cells::Cells;
use super::diagrams::{Diagrams, Set, TooLarge};
use super::obligations::Asked;
use crate::graph::{Cond, Graph, carries};
use crate::manifest::About;
use crate::model::{EdgeId, EdgeKind, FactId, Model, NodeId, NodeKind, Outcome, RoadId, Type};
use std::collections::{BTreeMap, BTreeSet};

/// What is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compared {
    /// A road's filters, completed.
    FiltersKnown(RoadId),
    /// A road's filters, worse.
    FiltersWorse(RoadId),
    /// The first decision from a node on, completed.
    SentKnown(NodeId),
    /// The first decision from a node on, worse.
    SentWorse(NodeId),
    /// The same: cut for the better, raw for the worse.
    RawWorse(NodeId),
}

/// Every comparison that a strict policy owes.
pub(super) fn due(g: &Graph<'_>) -> Vec<Asked> {
    let m = g.model;
    let mut out = Vec::new();
    let mut ask = |law: &str, about: About, by: &str, c: Compared| out.push(Asked::compared(law, about, by, c));
    for i in 0..m.roads.len() {
        let r = RoadId(crate::graph::narrow(i));
        if m.road(r).remote && m.chooses.iter().any(|c| c.candidates.contains(&r)) {
            ask("RL403", About::Road(r), "filters of two runs", Compared::FiltersKnown(r));
            ask("RL404", About::Road(r), "filters of two runs", Compared::FiltersWorse(r));
        }
    }
    for n in entries(m) {
        let region = Region::new(g, n);
        if region.sends(m).is_empty() {
            continue;
        }
        if !region.guards(g).is_empty() {
            ask("RL403", About::Node(n), "first decisions of two runs", Compared::SentKnown(n));
        }
        if region.cells(g).iter().any(|f| gets_worse(m, *f)) {
            ask("RL404", About::Node(n), "sent where a better payload is not", Compared::SentWorse(n));
            ask("RL404", About::Node(n), "raw where a better payload is cut", Compared::RawWorse(n));
        }
    }
    out
}

/// Where first decisions are asked for: at the starts, and behind each edge that is not `next`.
pub(super) fn entries(m: &Model) -> BTreeSet<NodeId> {
    let behind = m.edges.iter().filter(|e| e.kind != EdgeKind::Next).map(|e| e.to);
    m.flows.iter().map(|f| f.start).chain(behind).collect()
}

/// Whether the comparison holds. Facts under which a node of the region decides nothing (RL701, RL702) are left out:
/// where those laws hold there are none.
pub(crate) fn check(
    g: &Graph<'_>,
    cells: &mut Cells<'_>,
    c: Compared,
    undefined: &[(NodeId, Cond)],
) -> Result<bool, TooLarge> {
    cells.fresh();
    let m = g.model;
    let mut outside = Diagrams::NONE;
    let filters = |r: RoadId| Cond::all(m.road(r).filters.iter().map(|f| Cond::holds(&f.guard)));
    let (first, second, over, worse) = match c {
        Compared::FiltersKnown(r) => {
            let open = cells.cond(&filters(r));
            let shut = cells.d.not(open);
            (open, shut, filters(r).cells().into_iter().collect(), false)
        }
        Compared::FiltersWorse(r) => {
            let open = cells.cond(&filters(r));
            let shut = cells.d.not(open);
            (shut, open, filters(r).cells().into_iter().collect(), true)
        }
        Compared::SentKnown(n) | Compared::SentWorse(n) | Compared::RawWorse(n) => {
            let region = Region::new(g, n);
            if region.cyclic {
                return Ok(false);
            }
            for (_, cond) in undefined.iter().filter(|(n, _)| region.order.contains(n)) {
                let set = cells.cond(cond);
                outside = cells.d.or(outside, set);
            }
            let mut sent = |way| region.sent(g, cells, way);
            match c {
                Compared::SentKnown(_) => {
                    let (a, b) = (sent(Way::Chosen), sent(Way::Any));
                    (a, cells.d.not(b), region.guards(g), false)
                }
                Compared::SentWorse(_) => {
                    let any = sent(Way::Any);
                    (cells.d.not(any), any, region.cells(g), true)
                }
                _ => (sent(Way::Cut), sent(Way::Raw), region.cells(g), true),
            }
        }
    };
    let all: BTreeSet<FactId> = (0..m.facts.len()).map(|i| FactId(crate::graph::narrow(i))).collect();
    let valid = cells.valid(&all);
    let first = cells.d.and(first, valid);
    let (first, second) = (cells.d.without(first, outside), cells.d.without(second, outside));
    let first = if worse {
        let over = over.into_iter().filter(|f| gets_worse(m, *f)).collect();
        cells.worse(first, &over, |f| m.fact(f).role.as_deref() == Some("lineage"))
    } else {
        cells.completed(first, &over)
    };
    let both = cells.d.and(first, second);
    cells.d.never(both)
}

/// The cell says how bad it would be if the payload got out.
fn gets_worse(m: &Model, f: FactId) -> bool {
    let fact = m.fact(f);
    matches!(
        (fact.role.as_deref(), &fact.ty),
        (Some("weight"), Type::Int { .. })
            | (Some("class"), Type::Level(_))
            | (Some("lineage"), Type::Bool)
            | (Some("labels"), Type::Set(_))
    )
}

/// Which remote sends are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Any,
    /// After a choose.
    Chosen,
    /// After a cut.
    Cut,
    /// Without a cut.
    Raw,
}

/// What is reached from a node while every gate answers ok, up to what is sent, called or awaited.
pub(super) struct Region {
    /// In topological order, if there is one.
    pub(super) order: Vec<NodeId>,
    /// There is none. Such a region has no proof: facts alone do not say what is decided first.
    pub(super) cyclic: bool,
}

impl Region {
    pub(super) fn new(g: &Graph<'_>, entry: NodeId) -> Self {
        let (mut order, mut cyclic) = (Vec::new(), false);
        let mut open: BTreeSet<NodeId> = BTreeSet::new();
        let mut closed: BTreeSet<NodeId> = BTreeSet::new();
        // A node is entered, and left again when all that follow it were.
        let mut work = vec![(entry, false)];
        while let Some((n, leaving)) = work.pop() {
            if leaving {
                open.remove(&n);
                if closed.insert(n) {
                    order.push(n);
                }
                continue;
            }
            if closed.contains(&n) {
                continue;
            }
            if !open.insert(n) {
                cyclic = true;
                continue;
            }
            work.push((n, true));
            let next = followed(g, n).map(|e| (g.model.edge(e).to, false));
            work.extend(next.filter(|(to, _)| !closed.contains(to)).collect::<BTreeSet<_>>());
        }
        order.reverse();
        Self { order, cyclic }
    }

    pub(super) fn edges(&self, g: &Graph<'_>) -> Vec<EdgeId> {
        // Guards are read also where nothing is followed any more: on the edges out of what is sent.
        self.order.iter().flat_map(|n| &g.out[n.index()]).copied().filter(|e| plain(g.model, *e)).collect()
    }

    fn sends(&self, m: &Model) -> Vec<NodeId> {
        let remote =
            |n: &NodeId| m.node(*n).kind == NodeKind::Send && m.node(*n).road.is_some_and(|r| m.road(r).remote);
        self.order.iter().copied().filter(remote).collect()
    }

    /// Cells of the authors' guards on the way.
    fn guards(&self, g: &Graph<'_>) -> BTreeSet<FactId> {
        let m = g.model;
        let all = self.edges(g).into_iter().flat_map(|e| m.edge(e).guard.cells());
        all.filter(|f| m.fact(*f).latch.is_none()).collect()
    }

    /// Cells of all conditions on the way.
    fn cells(&self, g: &Graph<'_>) -> BTreeSet<FactId> {
        self.edges(g).into_iter().flat_map(|e| g.effect(e).open.iter().flat_map(Cond::cells)).collect()
    }

    /// Where the first decision is a remote send of this kind.
    fn sent(&self, g: &Graph<'_>, cells: &mut Cells<'_>, way: Way) -> Set {
        let m = g.model;
        let marks = |k: &NodeKind| match way {
            Way::Cut | Way::Raw => *k == NodeKind::Cut,
            Way::Any | Way::Chosen => matches!(k, NodeKind::Choose(_)),
        };
        let sends = self.sends(m);
        // Where a run is here, and where it is here after a node that marks.
        let mut at: BTreeMap<NodeId, (Set, Set)> = BTreeMap::new();
        if let Some(entry) = self.order.first() {
            at.insert(*entry, (Diagrams::ALL, Diagrams::NONE));
        }
        let mut result = Diagrams::NONE;
        for n in &self.order {
            let (here, marked) = at.get(n).copied().unwrap_or((Diagrams::NONE, Diagrams::NONE));
            if sends.contains(n) {
                let sent = match way {
                    Way::Any => here,
                    Way::Chosen | Way::Cut => marked,
                    Way::Raw => cells.d.without(here, marked),
                };
                result = cells.d.or(result, sent);
            }
            let passed = if marks(&m.node(*n).kind) { here } else { marked };
            for e in followed(g, *n) {
                let open = g.effect(e).open.iter().fold(Diagrams::ALL, |all, c| {
                    let one = cells.cond(c);
                    cells.d.and(all, one)
                });
                let (a, b) = (cells.d.and(here, open), cells.d.and(passed, open));
                let (x, y) = at.get(&m.edge(e).to).copied().unwrap_or((Diagrams::NONE, Diagrams::NONE));
                at.insert(m.edge(e).to, (cells.d.or(a, x), cells.d.or(b, y)));
            }
        }
        result
    }
}

fn plain(m: &Model, e: EdgeId) -> bool {
    let edge = m.edge(e);
    edge.kind == EdgeKind::Next && matches!(edge.outcome, Outcome::Ok | Outcome::Chosen | Outcome::Closed)
}

pub(super) fn followed<'g>(g: &'g Graph<'_>, n: NodeId) -> impl Iterator<Item = EdgeId> + 'g {
    let stays = !carries(&g.model.node(n).kind);
    g.out[n.index()].iter().copied().filter(move |e| stays && plain(g.model, *e))
}

#[cfg(test)]
mod tests {
    use super::{Cells, Compared, Region, check, due};
    use crate::graph::graph;
    use crate::lower::{Input, lower};

    #[test]
    fn what_goes_round_before_the_choice_is_due_and_has_no_proof() {
        let text = include_str!("../../../tests/laws/RL404/edge_weight.good.road")
            .replace("  flow {\n", "  counter tries = 2 spent -> refused(busy)\n  flow {\n")
            .replace("  use std.lanes\n", "  use std.lanes\n  facts { volatile busy : bool  unknown = true }\n")
            .replace(
                "    start -> classify -> choose\n",
                "    start -> classify\n    classify when busy -> classify takes tries\n    classify when not busy -> choose\n",
            );
        let input = Input { name: "p.road".to_owned(), bytes: text.into_bytes(), root: None };
        let model = lower(input).model.expect("a model");
        let g = graph(&model);
        let start = model.flows[0].start;
        assert!(Region::new(&g, start).cyclic);
        assert_eq!(due(&g).iter().filter(|a| a.key.0 == "RL404" && a.key.2.contains("payload")).count(), 2);
        let mut cells = Cells::new(&g);
        assert_eq!(check(&g, &mut cells, Compared::SentWorse(start), &[]).ok(), Some(false));
    }
}
