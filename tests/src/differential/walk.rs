//! Runs of a table against the reference, step by step: the same node, latches and submission after every step, and nothing
//! moves a run that must be refused.

use super::draw::Draw;
use super::given::{given, nothing};
use crate::reference::facts;
use roadlaw_compiler::model::{Cell, Latch, Model, NodeId, NodeKind, Outcome, RoadId, Type};
use roadlaw_runtime::format::OUTCOMES;
use roadlaw_runtime::{Facts, Latches, Run, RunError, Submitted, Table};

/// Steps after which a run is left.
const LONGEST: usize = 60;

/// Both are the same, or what differs and where.
macro_rules! same {
    ($have:expr, $want:expr, $($about:tt)+) => {{
        let (have, want) = (&$have, &$want);
        if have != want {
            return Err(format!("{}: {have:?}, not {want:?}", format!($($about)+)));
        }
    }};
}

/// A code of an outcome in tables.
#[must_use]
pub fn code(word: &str) -> u8 {
    OUTCOMES.iter().position(|w| *w == word).and_then(|i| u8::try_from(i).ok()).unwrap_or(u8::MAX)
}

/// Facts of one of the policy's tests, with some cells changed; latches are left as they are.
fn some_facts(m: &Model, d: &mut Draw, v: &mut [Cell]) {
    let base = (!m.tests.is_empty()).then(|| &m.tests[d.below(m.tests.len())].facts);
    let often = [2, 12, 40][d.below(3)];
    for (i, f) in m.facts.iter().enumerate().filter(|(_, f)| f.latch.is_none()) {
        let given = base.and_then(|t| t.iter().find(|(x, _)| x.index() == i)).map_or(Cell::Unknown, |(_, c)| *c);
        v[i] = if d.below(often) > 0 {
            given
        } else if d.below(4) == 0 {
            Cell::Unknown
        } else {
            Cell::Known(match &f.ty {
                Type::Bool => i64::from(d.below(2) == 1),
                Type::Enum(n) | Type::Level(n) => i64::from(facts::id(d.below(n.len()))),
                Type::Set(n) => i64::from(facts::id(d.below(1 << n.len().min(16)))),
                Type::Int { lo, hi } => i64::from(*[lo, hi][d.below(2)]),
            })
        };
    }
}

fn same_latches(m: &Model, v: &[Cell], have: &Latches) -> bool {
    m.facts.iter().zip(v).all(|(f, c)| {
        let now = match f.latch {
            None => return true,
            Some(Latch::Tried(r)) => i64::from(have.tried(r.index())),
            Some(Latch::Judged) => i64::from(have.judged()),
            Some(Latch::Consumed) => i64::from(have.consumed()),
            Some(Latch::Left(c)) => i64::from(have.left(c.index())),
        };
        *c == Cell::Known(now)
    })
}

/// What a send or a reconciliation says of its transmission (MODEL.md section 6); `None` where the outcome says nothing.
fn submitted(kind: &NodeKind, o: Outcome) -> Option<Submitted> {
    use Outcome as O;
    match (kind, o) {
        (NodeKind::Send, O::Unavailable | O::FailedBeforeSubmit) | (NodeKind::Reconcile, O::KnownNoEffect) => {
            Some(Submitted::None)
        }
        (NodeKind::Send, O::Ok | O::Refused | O::Failed | O::FailedAfterSubmit | O::Declined)
        | (NodeKind::Reconcile, O::KnownEffect | O::KnownFailed) => Some(Submitted::Known),
        (NodeKind::Send, _) => Some(Submitted::Unknown),
        _ => None,
    }
}

/// Everything that must be refused is, and leaves the run as it was.
fn refusals(m: &Model, t: &Table<'_>, run: &Run, facts: &Facts, about: &str) -> Result<(), String> {
    let (ok, mut r) = (code("ok"), *run);
    let wrong = run.generation().wrapping_add(1);
    same!(r.advance(t, wrong, ok, facts), Err(RunError::StaleAttempt { current: run.generation() }), "{about}");
    if run.epoch() > 0 {
        let mut old = *facts;
        old.set_epoch(run.epoch() - 1);
        let needed = run.epoch();
        same!(r.advance(t, run.generation(), ok, &old), Err(RunError::StaleFacts { needed }), "{about}");
    }
    let node = NodeId(facts::id(run.node()));
    let choose = matches!(m.node(node).kind, NodeKind::Choose(_));
    let can: Vec<u8> = facts::ports(m, node).iter().map(|(o, _)| code(o.word())).collect();
    for o in 0..u8::try_from(OUTCOMES.len()).unwrap_or(u8::MAX).saturating_add(3) {
        if (choose && o != ok) || (!choose && !can.contains(&o)) {
            same!(r.advance(t, run.generation(), o, facts), Err(RunError::Outcome), "{about}: outcome {o}");
        }
    }
    same!(r, *run, "{about}");
    Ok(())
}

/// Nothing goes on before what a step asks for was acknowledged.
fn acknowledged(m: &Model, t: &Table<'_>, run: &mut Run, v: &[Cell], about: &str) -> Result<(), String> {
    let (open, before) = (run.obligations(), *run);
    if open != 0 && !matches!(m.node(NodeId(facts::id(run.node()))).kind, NodeKind::Stop(..)) {
        let refused = run.advance(t, run.generation(), code("ok"), &given(m, t, v, run.epoch())?);
        same!(refused, Err(RunError::Unacknowledged { obligations: open }), "{about}");
    }
    same!(*run, before, "{about}");
    run.acknowledge(open);
    Ok(())
}

/// The outcome of a node: that of a choose is the reference's, any other is drawn.
fn outcome(m: &Model, at: NodeId, v: &[Cell], d: &mut Draw) -> Option<(Outcome, Option<RoadId>)> {
    let all = facts::ports(m, at);
    if let NodeKind::Choose(c) = &m.node(at).kind {
        let road = facts::choose(m, &m.chooses[c.index()], v);
        return all.iter().find(|(o, r)| *r == road && (road.is_some() == (*o == Outcome::Chosen))).copied();
    }
    // `ok` more often than not, or few runs get far.
    let fine = all.iter().find(|(o, _)| *o == Outcome::Ok).filter(|_| d.below(4) > 0);
    fine.or_else(|| all.get(d.below(all.len()))).copied()
}

/// One run of a flow; returns its steps, and its sends and calls.
///
/// # Errors
/// The first step that differs.
pub fn walk(m: &Model, t: &Table<'_>, flow: usize, d: &mut Draw, about: &str) -> Result<(usize, u32), String> {
    let mut run = Run::start(t, flow).map_err(|e| format!("{about}: {e}"))?;
    let mut v = nothing(m);
    let mut last: Option<RoadId> = None;
    let mut sub = Submitted::None;
    for step in 0..LONGEST {
        let at = NodeId(facts::id(run.node()));
        let from = m.node(at);
        let about = format!("{about} step {step} at {}", from.name);
        some_facts(m, d, &mut v);
        let facts = given(m, t, &v, run.epoch())?;
        if matches!(from.kind, NodeKind::Stop(..) | NodeKind::Return(_)) {
            let before = run;
            same!(run.advance(t, run.generation(), code("ok"), &facts), Err(RunError::Ended), "{about}");
            same!(run, before, "{about}");
            return Ok((step, run.generation()));
        }
        if d.below(8) == 0 {
            refusals(m, t, &run, &facts, &about)?;
        }
        let (outcome, candidate) = outcome(m, at, &v, d).ok_or_else(|| format!("{about}: no port"))?;
        let taken = facts::taken(m, &facts::port(m, at, outcome, candidate), &v);
        let [taken] = taken[..] else { return Err(format!("{about}: {} leads to {taken:?}", outcome.word())) };
        let edge = &m.edges[taken.index()];
        last = candidate.or(last);
        facts::write(m, edge, edge.rank, last, &mut v);
        let said = if matches!(from.kind, NodeKind::Choose(_)) { "ok" } else { outcome.word() };
        let before = run;
        let done = run.advance(t, run.generation(), code(said), &facts).map_err(|e| format!("{about}: {said}: {e}"))?;
        let to = m.node(edge.to);
        let about = format!("{about}: {} to {}", outcome.word(), to.name);
        same!((done.node, run.node()), (edge.to.index(), edge.to.index()), "{about}");
        let transmits = matches!(to.kind, NodeKind::Send | NodeKind::Call);
        same!(run.generation(), before.generation() + u32::from(transmits), "{about}");
        if transmits || matches!(to.kind, NodeKind::AwaitUser | NodeKind::AwaitExternal) {
            last = to.road.or(last);
        }
        same!(run.road(), last.map(RoadId::index), "{about}");
        same!(same_latches(m, &v, run.latches()), true, "{about}: {:?}", run.latches());
        sub = match submitted(&from.kind, outcome) {
            _ if to.kind == NodeKind::Send => Submitted::Unknown,
            Some(s) => s,
            // The table of section 6 is about transmissions: what calls and waits add is the run's own.
            None if matches!(from.kind, NodeKind::Call | NodeKind::AwaitUser | NodeKind::AwaitExternal) => {
                run.submitted()
            }
            None => sub,
        };
        same!(run.submitted(), sub, "{about}");
        acknowledged(m, t, &mut run, &v, &about)?;
    }
    Ok((LONGEST, run.generation()))
}
