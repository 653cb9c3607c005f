//! What was found, and what was checked of it, on one run (LAWS.md, RL116): provenance, rights, storage in series.

use crate::model::{Change, Duty, Edge, EdgeKind, Model, Node, NodeKind, Outcome, RoadId, Shape};

/// Found material and the checks it passed, in their order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Ingest {
    /// The search, if its result is at hand.
    found: Option<String>,
    passed: Vec<Duty>,
    /// The search that was last sent or called, with its road, if nothing else was since.
    asked: Option<(String, RoadId)>,
    /// It is asked once more: on the same road or another one, for the question is the same.
    again: bool,
}

impl Ingest {
    /// Takes an edge. Says what is missing where something found is kept.
    pub(super) fn step(&mut self, m: &Model, edge: &Edge) -> Option<String> {
        let (from, to) = (m.node(edge.from), m.node(edge.to));
        if from.kind == NodeKind::Start && m.flows[from.flow.index()].of.is_some() {
            let parent = |n: &&Node| m.flows[n.flow.index()].of.is_none() && n.duty == Some(Duty::Search);
            self.found = m.nodes.iter().find(parent).map(|n| n.name.clone());
        }
        let answers = match (&from.kind, edge.outcome) {
            (NodeKind::Reconcile, o) => o == Outcome::KnownEffect,
            (NodeKind::Send | NodeKind::Call | NodeKind::AwaitUser | NodeKind::AwaitExternal, o) => o == Outcome::Ok,
            _ => false,
        };
        let by = match &self.asked {
            _ if is_search(m, from) && edge.outcome == Outcome::Ok => Some(from.name.clone()),
            Some((search, road)) if answers && from.road == Some(*road) => Some(search.clone()),
            _ => None,
        };
        if by.is_some() {
            self.found = by;
            self.passed.clear();
        }
        if edge.outcome == Outcome::Ok {
            match from.duty {
                Some(Duty::Provenance) => self.passed = vec![Duty::Provenance],
                Some(Duty::Rights) if self.passed == [Duty::Provenance] => self.passed.push(Duty::Rights),
                _ => {}
            }
        }
        if says_other_content(edge) {
            self.passed.clear();
        }
        let missing = match (&self.found, to.duty) {
            (Some(search), Some(Duty::Storage)) if self.passed != [Duty::Provenance, Duty::Rights] => {
                let lacks = if self.passed.is_empty() { "provenance" } else { "rights" };
                Some(format!("{lacks} of what `{search}` found is not checked"))
            }
            _ => None,
        };
        self.ask(m, edge, to);
        if is_search(m, to) || to.duty == Some(Duty::Provenance) {
            self.passed.clear();
        } else if to.duty == Some(Duty::Rights) {
            self.passed.truncate(1);
        }
        missing
    }

    /// What is asked on the way into a node.
    fn ask(&mut self, m: &Model, edge: &Edge, to: &Node) {
        match edge.kind {
            EdgeKind::Retry | EdgeKind::Redirect | EdgeKind::Fallback | EdgeKind::Redeliver => {
                self.again |= self.asked.is_some();
            }
            EdgeKind::Loop => self.again = false,
            EdgeKind::Next | EdgeKind::Resume => {}
        }
        let waits = matches!(to.kind, NodeKind::AwaitUser | NodeKind::AwaitExternal);
        let asked_of = matches!(to.kind, NodeKind::Send | NodeKind::Call)
            || (waits && to.road.is_some_and(|r| m.road(r).shape == Shape::Human));
        let carries = asked_of || waits;
        if is_search(m, to) {
            self.asked = to.road.filter(|_| carries).map(|r| (to.name.clone(), r));
        } else if asked_of && self.again {
            let road = to.road;
            self.asked = self.asked.take().and_then(|(search, _)| Some((search, road?)));
        } else if asked_of || (matches!(to.kind, NodeKind::Choose(_)) && !self.again) {
            self.asked = None;
        }
        if asked_of || is_search(m, to) {
            self.again = false;
        }
    }

    /// For the witness.
    pub(super) fn held(&self) -> impl Iterator<Item = String> {
        let found = self.found.as_ref().map(|_| "found".to_owned());
        found.into_iter().chain(self.passed.iter().map(|d| d.word().to_owned()))
    }
}

/// A node `as search`, or the sending of a job whose child has one.
fn is_search(m: &Model, n: &Node) -> bool {
    if n.duty == Some(Duty::Search) {
        return true;
    }
    let job = |r: RoadId| {
        m.road(r).child.is_some_and(|f| m.nodes.iter().any(|c| c.flow == f && c.duty == Some(Duty::Search)))
    };
    n.kind == NodeKind::Send && n.road.is_some_and(job)
}

/// The words of the first row of the table in MODEL.md section 5.
fn says_other_content(edge: &Edge) -> bool {
    let content = |c: &Change| matches!(c, Change::Content | Change::Workspace | Change::Policy);
    edge.changes.iter().flatten().any(content)
}
