//! Runs of the built tables against the reference: the same node, latches and submission after every step, and nothing
//! moves a run that must be refused.

use roadlaw_compiler::lower::Input;
use roadlaw_compiler::model::{Cell, Latch, Model, NodeId, NodeKind, Outcome, Profile, RoadId, Type};
use roadlaw_compiler::pipeline::check;
use roadlaw_compiler::prove::Verdict;
use roadlaw_compiler::table::Options;
use roadlaw_runtime::format::OUTCOMES;
use roadlaw_runtime::{Facts, Latches, Run, RunError, Submitted, Table};
use roadlaw_tests::reference::facts;
use roadlaw_tests::{policies, repository};

/// Numbers in a fixed order.
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % u64::try_from(n.max(1)).expect("small")).expect("small")
    }
}

fn code(word: &str) -> u8 {
    u8::try_from(OUTCOMES.iter().position(|w| *w == word).expect("an outcome of the table")).expect("small")
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

fn given(m: &Model, t: &Table<'_>, v: &[Cell], epoch: u32) -> Facts {
    let mut out = Facts::new();
    out.set_epoch(epoch);
    for (i, f) in m.facts.iter().enumerate().filter(|(_, f)| f.latch.is_none()) {
        let Cell::Known(x) = v[i] else { continue };
        match f.ty {
            Type::Bool => out.set_bool(t, i, x == 1),
            Type::Enum(_) | Type::Level(_) => out.set_value(t, i, u8::try_from(x).expect("small")),
            Type::Int { .. } => out.set_int(t, i, i32::try_from(x).expect("small")),
            Type::Set(_) => out.set_labels(t, i, x.cast_unsigned()),
        }
        .expect("a cell of this type");
    }
    out
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
fn refusals(m: &Model, t: &Table<'_>, run: &Run, facts: &Facts, ok: u8, about: &str) {
    let mut r = *run;
    let wrong = run.generation().wrapping_add(1);
    assert_eq!(r.advance(t, wrong, ok, facts), Err(RunError::StaleAttempt { current: run.generation() }), "{about}");
    if run.epoch() > 0 {
        let mut old = *facts;
        old.set_epoch(run.epoch() - 1);
        let needed = run.epoch();
        assert_eq!(r.advance(t, run.generation(), ok, &old), Err(RunError::StaleFacts { needed }), "{about}");
    }
    let node = NodeId(facts::id(run.node()));
    let choose = matches!(m.node(node).kind, NodeKind::Choose(_));
    let can: Vec<u8> = facts::ports(m, node).iter().map(|(o, _)| code(o.word())).collect();
    for o in 0..u8::try_from(OUTCOMES.len()).expect("small") + 3 {
        if (choose && o != ok) || (!choose && !can.contains(&o)) {
            assert_eq!(r.advance(t, run.generation(), o, facts), Err(RunError::Outcome), "{about}: outcome {o}");
        }
    }
    assert_eq!(r, *run, "{about}");
}

/// One run; returns its steps, and its sends and calls.
fn walk(m: &Model, t: &Table<'_>, d: &mut Draw, about: &str) -> (usize, u32) {
    let ok = code("ok");
    let mut run = Run::start(t, 0).expect("the policy's own flow");
    let mut v = vec![Cell::Unknown; m.facts.len()];
    for (f, c) in m.facts.iter().zip(v.iter_mut()) {
        *c = match f.latch {
            Some(Latch::Left(c)) => Cell::Known(i64::from(m.counters[c.index()].max)),
            Some(_) => Cell::Known(0),
            None => continue,
        };
    }
    let mut last: Option<RoadId> = None;
    let mut sub = Submitted::None;
    for step in 0..60 {
        let at = NodeId(facts::id(run.node()));
        let from = m.node(at);
        let about = format!("{about} step {step} at {}", from.name);
        some_facts(m, d, &mut v);
        let facts = given(m, t, &v, run.epoch());
        if matches!(from.kind, NodeKind::Stop(..)) {
            let before = run;
            assert_eq!(run.advance(t, run.generation(), ok, &facts), Err(RunError::Ended), "{about}");
            assert_eq!(run, before, "{about}");
            return (step, run.generation());
        }
        refusals(m, t, &run, &facts, ok, &about);
        let all = facts::ports(m, at);
        let (outcome, candidate) = if let NodeKind::Choose(c) = &from.kind {
            let road = facts::choose(m, &m.chooses[c.index()], &v);
            *all.iter().find(|(o, r)| *r == road && (road.is_some() == (*o == Outcome::Chosen))).expect("a port")
        } else {
            // `ok` more often than not, or few runs get far.
            let fine = all.iter().find(|(o, _)| *o == Outcome::Ok).filter(|_| d.below(4) > 0);
            *fine.unwrap_or(&all[d.below(all.len())])
        };
        let taken = facts::taken(m, &facts::port(m, at, outcome, candidate), &v);
        assert_eq!(taken.len(), 1, "{about}: {}", outcome.word());
        let edge = &m.edges[taken[0].index()];
        facts::write(m, edge, edge.rank, candidate.or(last), &mut v);
        last = candidate.or(last);
        let said = if candidate.is_some() { ok } else { code(outcome.word()) };
        let said = if matches!(from.kind, NodeKind::Choose(_)) { ok } else { said };
        let generation = run.generation();
        let done = run.advance(t, generation, said, &facts).expect("a step");
        let to = m.node(edge.to);
        let about = format!("{about}: {} to {}", outcome.word(), to.name);
        assert_eq!((done.node, run.node()), (edge.to.index(), edge.to.index()), "{about}");
        let transmits = matches!(to.kind, NodeKind::Send | NodeKind::Call);
        assert_eq!(run.generation(), generation + u32::from(transmits), "{about}");
        if transmits || matches!(to.kind, NodeKind::AwaitUser | NodeKind::AwaitExternal) {
            last = to.road.or(last);
        }
        assert_eq!(run.road(), last.map(RoadId::index), "{about}");
        assert!(same_latches(m, &v, run.latches()), "{about}: {:?}", run.latches());
        sub = match submitted(&from.kind, outcome) {
            _ if to.kind == NodeKind::Send => Submitted::Unknown,
            Some(s) => s,
            // The table of section 6 is about transmissions: what calls and waits add is the run's own.
            None if matches!(from.kind, NodeKind::Call | NodeKind::AwaitUser | NodeKind::AwaitExternal) => {
                run.submitted()
            }
            None => sub,
        };
        assert_eq!(run.submitted(), sub, "{about}");
        if run.obligations() != 0 {
            let before = run;
            let open = run.obligations();
            let fresh = given(m, t, &v, run.epoch());
            let refused = if done.ended { None } else { Some(run.advance(t, run.generation(), ok, &fresh)) };
            if let Some(r) = refused {
                assert_eq!(r, Err(RunError::Unacknowledged { obligations: open }), "{about}");
            }
            assert_eq!(run, before, "{about}");
            run.acknowledge(open);
        }
    }
    (60, run.generation())
}

#[test]
fn every_run_of_a_table_is_a_run_of_the_policy() {
    let mut d = Draw(7);
    let files = policies("examples");
    assert!(files.len() >= 7, "{files:?}");
    for file in files {
        let name = file.strip_prefix(repository()).unwrap_or(&file).display().to_string();
        let bytes = std::fs::read(&file).expect("a policy");
        let done = check(Input { name: name.clone(), bytes, root: file.parent().map(Into::into) }, Options::default());
        assert_eq!(done.report.verdict, Verdict::Proved, "{name}");
        let (model, bytes) = (done.model.expect("a model"), done.table.expect("a table"));
        let t = Table::from_bytes(&bytes).expect("readable");
        let runs: Vec<(usize, u32)> = (0..300).map(|i| walk(&model, &t, &mut d, &format!("{name} run {i}"))).collect();
        // Random answers end many runs early: some must still get as far as real work, and on from there.
        let sent = runs.iter().filter(|(_, sent)| *sent > 0).count();
        let longest = runs.iter().map(|(steps, _)| *steps).max().unwrap_or(0);
        println!(
            "{name}: {} steps, {sent} runs send or call, {longest} steps at most",
            runs.iter().map(|r| r.0).sum::<usize>()
        );
        // A pure decision sends nothing: its runs are as short as its flow.
        let deep = sent > 5 && longest > 8 || model.profile == Profile::Choice && sent == 0;
        assert!(deep, "{name}: {sent} runs send or call, {longest} steps at most");
    }
}
