//! Decoded bytes against the model: per cell, per road, per choose, per edge.

use super::choose;
use super::reader::{DEdge, Decoded, read};
use crate::graph::Cond;
use crate::model::{Duty, EdgeId, EdgeKind, EdgeRank, Guard, Latch, Life, Model, NodeKind, RoadId, Stop, Type};
use crate::prove::{alone, equivalent};
use roadlaw_grammar::diagnostic::Diagnostic;

/// Reads the finished bytes back and proves them equal to the model.
///
/// # Errors
/// RL901: what the table says differently, or could not be shown to say.
pub fn check(bytes: &[u8], model: &Model) -> Result<(), Vec<Diagnostic>> {
    let wrong = |what: String| {
        vec![
            Diagnostic::error(
                "RL901",
                model.span,
                format!("internal: the table does not say what the policy says: {what}"),
            )
            .with_help("this is a fault of roadlaw, not of the policy: please report it with the policy"),
        ]
    };
    let table = read(bytes).map_err(|e| wrong(format!("malformed: {e}")))?;
    // What this reader has no use for (padding, reserved fields) is still the runtime's to refuse.
    roadlaw_runtime::Table::from_bytes(bytes).map_err(|e| wrong(format!("the runtime refuses it: {e}")))?;
    alone(|| compare(&table, model)).map_err(wrong)
}

pub(super) type Outcome = Result<(), String>;

pub(super) fn same<T: PartialEq + std::fmt::Debug>(what: &str, table: T, model: T) -> Outcome {
    if table == model { Ok(()) } else { Err(format!("{what}: {table:?} for {model:?}")) }
}

fn compare(t: &Decoded, m: &Model) -> Outcome {
    cells(t, m)?;
    same("number of roads", t.roads.len(), m.roads.len())?;
    for (d, r) in t.roads.iter().zip(&m.roads) {
        same("filters of a road", d.filters.len(), r.filters.len())?;
        same(
            "flags of a road",
            d.flags,
            u8::from(r.remote) + 2 * u8::from(r.reviewer.is_some()) + 4 * u8::from(r.leaves_invocation),
        )?;
        let shapes = ["local", "portal", "peer", "coding", "coding_local", "human", "option"];
        same("shape of a road", shapes.get(usize::from(d.shape)).copied(), Some(r.shape.word()))?;
        for (i, f) in r.filters.iter().enumerate() {
            let written = t.filters.get(d.filters.start + i).ok_or("a filter is missing")?;
            guards(m, &format!("filter `{}` of `{}`", f.name, r.name), written, &f.guard)?;
        }
    }
    same("number of chooses", t.chooses.len(), m.chooses.len())?;
    for (d, c) in t.chooses.iter().zip(&m.chooses) {
        choose::choose(t, m, d, c)?;
    }
    same("counters", &t.counters, &m.counters.iter().map(|c| (c.max, u16::try_from(c.fact.0).unwrap_or(0))).collect())?;
    let flows = m.flows.iter().map(|f| (half(f.start.0), f.of.map_or(u16::MAX, |r| half(r.0)), f.calls)).collect();
    same("flows", &t.flows, &flows)?;
    nodes(t, m)?;
    symbols(t, m)
}

pub(super) fn half(n: u32) -> u16 {
    u16::try_from(n).unwrap_or(u16::MAX)
}

fn cells(t: &Decoded, m: &Model) -> Outcome {
    same("number of cells", t.cells.len(), m.facts.len())?;
    for (d, f) in t.cells.iter().zip(&m.facts) {
        let (kind, count, range) = match &f.ty {
            Type::Bool => (0, 2, (0, 0)),
            Type::Enum(n) => (1, n.len(), (0, 0)),
            Type::Level(n) => (2, n.len(), (0, 0)),
            Type::Set(n) => (3, n.len(), (0, 0)),
            Type::Int { lo, hi } => (4, 0, (*lo, *hi)),
        };
        let life = match f.life {
            Life::Pinned => 0,
            Life::Sealed => 1,
            Life::Volatile => 2,
            Life::Latch => 3,
            Life::Rank => 4,
        };
        let latch = match f.latch {
            None => (0, u16::MAX),
            Some(Latch::Tried(r)) => (1, half(r.0)),
            Some(Latch::Judged) => (2, u16::MAX),
            Some(Latch::Consumed) => (3, u16::MAX),
            Some(Latch::Left(c)) => (4, half(c.0)),
        };
        same(&format!("cell `{}`", f.name), (d.kind, usize::from(d.count), d.range), (kind, count, range))?;
        same(&format!("life of `{}`", f.name), (d.life, d.latch, d.strict), (life, latch, f.unknown))?;
    }
    Ok(())
}

/// Two guards agree on every assignment: structurally, or by Z3.
fn guards(m: &Model, what: &str, written: &Guard, meant: &Guard) -> Outcome {
    if written == meant || equivalent(m, &Cond::holds(written), &Cond::holds(meant))? {
        return Ok(());
    }
    Err(format!("{what} is another guard"))
}

fn nodes(t: &Decoded, m: &Model) -> Outcome {
    same("number of nodes", t.nodes.len(), m.nodes.len())?;
    let mut seen = 0;
    for (i, (d, n)) in t.nodes.iter().zip(&m.nodes).enumerate() {
        same(&format!("kind of `{}`", n.name), kind_word(d.kind), model_word(&n.kind))?;
        let choose = if let NodeKind::Choose(c) = n.kind { half(c.0) } else { u16::MAX };
        same(
            &format!("record of `{}`", n.name),
            (d.road, d.choose, d.flow),
            (n.road.map_or(u16::MAX, |r| half(r.0)), choose, half(n.flow.0)),
        )?;
        same(&format!("obligations of `{}`", n.name), obligation_words(d.obligations), obliged(m, i))?;
        for (outcome, candidate, edges) in &d.ports {
            if (*outcome, *candidate) == (roadlaw_runtime::format::CHOSEN, u16::MAX) {
                let NodeKind::Choose(c) = n.kind else { return Err(format!("a choice at `{}`", n.name)) };
                seen += whatever_is_chosen(m, edges, &m.choose(c).candidates, i)?;
                continue;
            }
            let port: Vec<EdgeId> = (0..m.edges.len())
                .map(|k| EdgeId(crate::graph::narrow(k)))
                .filter(|e| {
                    let e = m.edge(*e);
                    e.from.index() == i
                        && roadlaw_runtime::format::OUTCOMES.get(usize::from(*outcome)) == Some(&e.outcome.word())
                        && e.candidate.map_or(u16::MAX, |r| half(r.0)) == *candidate
                })
                .collect();
            same(&format!("edges of `{}`", n.name), edges.len(), port.len())?;
            seen += port.len();
            for (w, e) in edges.iter().zip(&port) {
                edge(m, w, *e, &port)?;
            }
        }
    }
    same("number of edges", seen, m.edges.len())
}

/// One edge for whatever was chosen: it is the only edge of each candidate. Returns how many edges it stands for.
fn whatever_is_chosen(m: &Model, edges: &[DEdge], candidates: &[RoadId], node: usize) -> Result<usize, String> {
    let [written] = edges else { return Err("several edges for whatever was chosen".to_owned()) };
    for r in candidates {
        let port: Vec<EdgeId> = (0..m.edges.len())
            .map(|k| EdgeId(crate::graph::narrow(k)))
            .filter(|e| m.edge(*e).from.index() == node && m.edge(*e).candidate == Some(*r))
            .collect();
        let [only] = port[..] else { return Err(format!("edges after `{}` is chosen", m.road(*r).name)) };
        edge(m, written, only, &port)?;
    }
    Ok(candidates.len())
}

fn edge(m: &Model, d: &DEdge, id: EdgeId, port: &[EdgeId]) -> Outcome {
    let e = m.edge(id);
    let what = format!("edge of `{}` on {}", m.node(e.from).name, e.outcome.word());
    same(&what, u32::from(d.to), e.to.0)?;
    same(&what, roadlaw_runtime::format::EDGES.get(usize::from(d.kind)).copied(), Some(e.kind.word()))?;
    let (rank, counter, guard) = match e.rank {
        EdgeRank::Guarded => (0, e.takes, e.guard.clone()),
        EdgeRank::Spent(c) => {
            let asks = port.iter().map(|o| m.edge(*o)).filter(|o| o.takes == Some(c)).map(|o| o.guard.clone());
            (1, Some(c), Guard::or(asks))
        }
        EdgeRank::Else => (2, None, e.guard.clone()),
    };
    same(&what, (d.rank, u32::from(d.counter)), (rank, counter.map_or(255, |c| c.0)))?;
    same(&what, d.ends_epoch, e.kind != EdgeKind::Next)?;
    same(&what, d.changes.clone(), e.changes.iter().flatten().copied().collect())?;
    let owed = match e.kind {
        EdgeKind::Fallback => vec!["fallback_receipt"],
        EdgeKind::Redeliver => vec!["replay_proof"],
        _ => Vec::new(),
    };
    same(&what, obligation_words(d.obligations), owed)?;
    guards(m, &what, &d.guard, &guard)
}

fn obligation_words(bits: u32) -> Vec<&'static str> {
    let names = roadlaw_runtime::format::obligation::NAMES;
    names.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1).map(|(_, n)| *n).collect()
}

/// What entering a node obliges to, stated once more.
fn obliged(m: &Model, i: usize) -> Vec<&'static str> {
    let n = &m.nodes[i];
    let reviews = n.road.is_some_and(|r| m.road(r).reviewer.is_some());
    let mut words = match &n.kind {
        NodeKind::Checkpoint => vec!["checkpoint"],
        NodeKind::Resolve => vec!["re_resolve"],
        k if crate::graph::carries(k) && reviews => vec!["check_distinct", "check_blind"],
        NodeKind::Quarantine => vec!["provenance"],
        NodeKind::Validate => vec!["question_equal", "context_equal"],
        NodeKind::Attempt => vec!["lease_fence", "fresh_identity"],
        NodeKind::Consume => vec!["consume_once"],
        NodeKind::Adopt => vec!["lease_fence", "compare_and_swap"],
        NodeKind::Egress => vec!["egress_once"],
        _ => Vec::new(),
    };
    if n.duty == Some(Duty::Provenance) {
        words.push("provenance");
    }
    // In the order of their bits, which is that of their names.
    let names = roadlaw_runtime::format::obligation::NAMES;
    words.sort_by_key(|w| names.iter().position(|n| n == w));
    words.dedup();
    words
}

fn kind_word(code: u8) -> String {
    use roadlaw_runtime::format::node;
    let stop = code.checked_sub(node::STOP).and_then(|k| node::STOPS.get(usize::from(k)));
    stop.or_else(|| node::WORDS.get(usize::from(code))).map_or_else(String::new, |w| (*w).to_owned())
}

fn model_word(k: &NodeKind) -> String {
    match k {
        NodeKind::AwaitUser => "await_user".to_owned(),
        NodeKind::AwaitExternal => "await_external".to_owned(),
        NodeKind::Decide { fresh: true } => "decide_fresh".to_owned(),
        NodeKind::Own(_) => "own".to_owned(),
        NodeKind::Stop(s, _) => Stop::word(*s).to_owned(),
        k => k.word().to_owned(),
    }
}

fn symbols(t: &Decoded, m: &Model) -> Outcome {
    if t.symbols.is_empty() {
        return Ok(());
    }
    let mut names = vec![format!("{}@{}", m.name, m.version)];
    for f in &m.facts {
        names.push(f.name.clone());
        if let Type::Enum(n) | Type::Level(n) | Type::Set(n) = &f.ty {
            names.extend(n.iter().cloned());
        }
    }
    names.extend(m.roads.iter().map(|r| r.name.clone()));
    names.extend(m.roads.iter().flat_map(|r| &r.filters).map(|f| f.name.clone()));
    names.extend(m.nodes.iter().map(|n| n.name.clone()));
    names.extend(m.counters.iter().map(|c| c.name.clone()));
    names.extend(m.flows.iter().map(|f| f.name.clone()));
    same("symbols", &t.symbols, &names)
}
