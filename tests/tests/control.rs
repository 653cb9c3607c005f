//! The control-plane rules against a second statement of each: as sets, histories and sums without bounds, the plainest way
//! that says the same.

use proptest::prelude::*;
use roadlaw_runtime::control::consume::{Consumption, Entry, Key, Processing, ProcessingError, consume};
use roadlaw_runtime::control::grant::{Call, Ceilings, Denied, Grant, Subject, Usage};
use roadlaw_runtime::control::handoff::{Completed, Handoff, HandoffError, State};
use roadlaw_runtime::control::label::{Class, Label, LabelError};
use roadlaw_runtime::control::resume::{Asker, Binding, Blocked, Checkpoint, Work, resume, work};
use roadlaw_runtime::control::session::Session;
use roadlaw_runtime::control::{Digest, LONGEST, expired, lifetime};
use std::collections::{BTreeMap, BTreeSet};

/// From, and where it may go from there.
const SESSIONS: &[(&str, &str)] = &[
    ("created", "running terminated"),
    ("running", "idle awaiting_user awaiting_external completed failed terminated stale"),
    ("idle", "running completed terminated stale"),
    ("awaiting_user", "running failed terminated stale"),
    ("awaiting_external", "running failed terminated stale"),
    ("failed", "running terminated stale"),
    ("completed", "stale"),
    ("stale", "terminated"),
    ("terminated", ""),
];

#[test]
fn sessions_go_where_the_table_says_and_nowhere_else() {
    let mut legal = 0;
    for (from, may) in SESSIONS {
        for (to, _) in SESSIONS {
            let (a, b) = (Session::parse(from).expect("a state"), Session::parse(to).expect("a state"));
            let wanted = may.split(' ').any(|w| w == *to);
            assert_eq!(a.may_become(b), wanted, "{from} to {to}");
            legal += usize::from(wanted);
        }
    }
    assert_eq!((SESSIONS.len() * SESSIONS.len(), legal), (81, 26));
    assert_eq!(Session::ALL.map(Session::word).to_vec(), {
        let mut words: Vec<&str> = SESSIONS.iter().map(|(w, _)| *w).collect();
        words.sort_by_key(|w| Session::ALL.iter().position(|s| s.word() == *w));
        words
    });
}

#[test]
fn lifetimes_and_expiry_at_their_bounds() {
    for (seconds, wanted) in [(0, false), (1, true), (LONGEST, true), (LONGEST + 1, false), (u64::MAX, false)] {
        assert_eq!(lifetime(seconds), wanted, "{seconds}");
    }
    assert_eq!([9, 10, 11].map(|now| expired(now, 10)), [false, true, true]);
}

fn digest(n: u8) -> Digest {
    [n; 32]
}

/// What somebody tries to do with a handoff.
#[derive(Debug, Clone)]
enum Try {
    Claim(u8, u64),
    Complete(u8, u32, u8),
    Fail(u8, u32),
}

fn tries() -> impl Strategy<Value = Vec<(u64, Try)>> {
    let seconds = prop_oneof![4 => 1_u64..8, 1 => Just(0), 1 => Just(LONGEST), 1 => Just(LONGEST + 1)];
    let one = prop_oneof![
        3 => (0_u8..4, seconds).prop_map(|(w, s)| Try::Claim(w, s)),
        3 => (0_u8..4, 0_u32..4, 0_u8..2).prop_map(|(w, a, r)| Try::Complete(w, a, r)),
        1 => (0_u8..4, 0_u32..4).prop_map(|(w, a)| Try::Fail(w, a)),
    ];
    prop::collection::vec((0_u64..4, one), 0..24)
}

/// A handoff as the list of what has happened to it.
#[derive(Default)]
struct History {
    claims: Vec<(u8, u64)>,
    result: Option<u8>,
    failed: bool,
}

impl History {
    /// Worker 0 is the source.
    fn claim(&mut self, worker: u8, now: u64, seconds: u64) -> Result<(), HandoffError> {
        let active = self.claims.last().is_some_and(|(_, until)| now <= *until);
        let why = [
            (!(1..=24 * 60 * 60).contains(&seconds), HandoffError::Lifetime),
            (worker == 0, HandoffError::OwnSource),
            (self.failed || self.result.is_some(), HandoffError::Ended),
            (active, HandoffError::LeaseActive),
        ];
        if let Some((_, e)) = why.into_iter().find(|(wrong, _)| *wrong) {
            return Err(e);
        }
        self.claims.push((worker, now + seconds));
        Ok(())
    }

    fn holds(&self, worker: u8, attempt: u32, now: u64) -> Result<(), HandoffError> {
        let last = self.claims.last().filter(|(w, _)| *w == worker && u32::try_from(self.claims.len()) == Ok(attempt));
        let (_, until) = last.ok_or(HandoffError::NotTheHolder)?;
        if now > *until { Err(HandoffError::LeaseOver) } else { Ok(()) }
    }

    fn complete(&mut self, worker: u8, attempt: u32, now: u64, result: u8) -> Result<Completed, HandoffError> {
        if self.failed {
            return Err(HandoffError::Ended);
        }
        if let Some(kept) = self.result {
            return if kept == result { Ok(Completed::Duplicate) } else { Err(HandoffError::Conflict) };
        }
        self.holds(worker, attempt, now)?;
        self.result = Some(result);
        Ok(Completed::Kept)
    }

    fn fail(&mut self, worker: u8, attempt: u32, now: u64) -> Result<(), HandoffError> {
        if self.failed || self.result.is_some() {
            return Err(HandoffError::Ended);
        }
        self.holds(worker, attempt, now)?;
        self.failed = true;
        Ok(())
    }
}

proptest! {
    #[test]
    fn handoffs_are_what_their_history_says(steps in tries()) {
        let (mut h, mut history, mut now) = (Handoff::new(digest(0)), History::default(), 0);
        for (passed, step) in steps {
            now += passed;
            match step {
                Try::Claim(w, s) => {
                    let did = h.claim(digest(w), now, s);
                    prop_assert_eq!(did.map(|_| ()), history.claim(w, now, s));
                    h = did.unwrap_or(h);
                }
                Try::Complete(w, a, r) => {
                    let did = h.complete(digest(w), a, now, digest(r));
                    prop_assert_eq!(did.map(|(_, c)| c), history.complete(w, a, now, r));
                    h = did.map_or(h, |(next, _)| next);
                }
                Try::Fail(w, a) => {
                    let did = h.fail(digest(w), a, now);
                    prop_assert_eq!(did.map(|_| ()), history.fail(w, a, now));
                    h = did.unwrap_or(h);
                }
            }
            let attempts = u32::try_from(history.claims.len()).expect("few");
            match h.state() {
                State::Open => prop_assert_eq!(attempts, 0),
                State::Leased(l) => {
                    prop_assert_eq!((l.attempt(), l.until()), (attempts, history.claims[history.claims.len() - 1].1));
                    prop_assert_eq!(l.worker(), digest(history.claims[history.claims.len() - 1].0));
                }
                State::Completed(r) => prop_assert_eq!(Some(r), history.result.map(digest)),
                State::Failed => prop_assert!(history.failed),
            }
        }
    }

    #[test]
    fn a_key_is_consumed_once(offers in prop::collection::vec((0_u16..2, 0_u8..3, 0_u8..2, 0_u8..3, prop::bool::weighted(0.8)), 0..24)) {
        let (mut kept, mut map) = (Vec::new(), BTreeMap::new());
        for (kind, id, consumer, content, validated) in offers {
            let new = Entry { key: Key { kind, id: digest(id), consumer: digest(consumer) }, content: digest(content) };
            let did = consume(&kept, &new, validated);
            let wanted = match map.get(&(kind, id, consumer)) {
                _ if !validated => Consumption::NotValidated,
                None => Consumption::Consumed,
                Some(c) if *c == content => Consumption::Duplicate,
                Some(_) => Consumption::Conflict,
            };
            prop_assert_eq!(did, wanted);
            if did == Consumption::Consumed {
                kept.push(new);
                map.insert((kind, id, consumer), content);
            }
        }
    }

    #[test]
    fn a_consumption_in_progress_is_taken_over_once_it_was_left(begun in 0_u64..9, lasts in 0_u64..4, later in 0_u64..9, again in 0_u64..4, same: bool) {
        let Ok(p) = Processing::begin(digest(1), begun, lasts) else {
            prop_assert_eq!(lasts, 0);
            return Ok(());
        };
        let (now, evidence) = (begun + later, if same { digest(1) } else { digest(2) });
        prop_assert_eq!(p.may_finish(1, now), later <= lasts);
        prop_assert!(!p.may_finish(2, now));
        let wanted = if again == 0 {
            Err(ProcessingError::Lifetime)
        } else if !same {
            Err(ProcessingError::Consumed)
        } else if later <= lasts {
            Err(ProcessingError::LeaseActive)
        } else {
            Ok(2)
        };
        let taken = p.recover(evidence, now, again);
        prop_assert_eq!(taken.map(|n| n.epoch()), wanted);
        if let Ok(n) = taken {
            prop_assert!(n.may_finish(2, now + again) && !n.may_finish(2, now + again + 1) && !n.may_finish(1, now));
        }
    }

    #[test]
    fn a_grant_lets_through_what_every_ceiling_holds(
        had in prop::array::uniform4(amount()),
        more in prop::array::uniform3(amount()),
        most in prop::array::uniform5(amount()),
        differ in 0_usize..6,
        now in 0_u64..5,
        seconds in 1_u64..5,
    ) {
        let subject = Subject { job: digest(1), provider: digest(2), model: digest(3), bearer: digest(4) };
        let other = [
            Subject { job: digest(9), ..subject },
            Subject { provider: digest(9), ..subject },
            Subject { model: digest(9), ..subject },
            Subject { bearer: digest(9), ..subject },
            subject,
            subject,
        ][differ];
        let [requests, tokens_in, tokens_out, tokens, cost] = most;
        let grant = Grant::new(subject, Ceilings { requests, tokens_in, tokens_out, tokens, cost }, 0, seconds).expect("in range");
        let call = Call::new(other, Usage { requests: 1, tokens_in: more[0], tokens_out: more[1], cost: more[2] }).expect("one");
        let consumed = Usage { requests: had[0], tokens_in: had[1], tokens_out: had[2], cost: had[3] };
        // Sums that cannot overflow.
        let sum = |a: u64, b: u64| u128::from(a) + u128::from(b);
        let sums = [sum(had[0], 1), sum(had[1], more[0]), sum(had[2], more[1]), sum(had[3], more[2])];
        let why = [
            (now >= seconds, Denied::Expired),
            (differ == 0, Denied::Job),
            (differ == 1, Denied::Provider),
            (differ == 2, Denied::Model),
            (differ == 3, Denied::Bearer),
            (sums[0] > u128::from(requests), Denied::Requests),
            (sums[1] > u128::from(tokens_in), Denied::TokensIn),
            (sums[2] > u128::from(tokens_out), Denied::TokensOut),
            (sums[1] + sums[2] > u128::from(tokens), Denied::Tokens),
            (sums[3] > u128::from(cost), Denied::Cost),
        ];
        let did = grant.authorize(&call, &consumed, now);
        match why.into_iter().find(|(wrong, _)| *wrong) {
            Some((_, e)) => prop_assert_eq!(did, Err(e)),
            None => {
                let u = did.expect("within every ceiling");
                prop_assert_eq!([u.requests, u.tokens_in, u.tokens_out, u.cost].map(u128::from), sums);
            }
        }
    }

    #[test]
    fn a_label_is_the_least_upper_bound(a in parts(), b in parts(), c in parts()) {
        let made = |p: &Parts| Label::new(p.0, p.1, p.2, p.3);
        for p in [&a, &b, &c] {
            let wanted = if p.1 > 100 { Err(LabelError::Weight) } else if !p.3 && p.0 != Class::Restricted { Err(LabelError::Lineage) } else { Ok(()) };
            prop_assert_eq!(made(p).map(|_| ()), wanted);
        }
        let (Ok(x), Ok(y), Ok(z)) = (made(&a), made(&b), made(&c)) else { return Ok(()) };
        let set = |l: Label| (0..64).filter(|i| l.categories() >> i & 1 == 1).collect::<BTreeSet<u32>>();
        let both = x.join(y);
        prop_assert_eq!(set(both), set(x).union(&set(y)).copied().collect::<BTreeSet<u32>>());
        let worst = if x.class() < y.class() { y.class() } else { x.class() };
        let heavier = if x.weight() < y.weight() { y.weight() } else { x.weight() };
        prop_assert_eq!((both.class(), both.weight(), both.lineage()), (worst, heavier, !(!x.lineage() || !y.lineage())));
        prop_assert_eq!(both, y.join(x));
        prop_assert_eq!(both.join(z), x.join(y.join(z)));
        prop_assert_eq!(x.join(x), x);
        prop_assert!(Label::new(both.class(), both.weight(), both.categories(), both.lineage()).is_ok());
    }

    #[test]
    fn a_session_resumes_where_nothing_speaks_against_it(
        at in 0_usize..9,
        same in prop::array::uniform3(prop::bool::weighted(0.8)),
        pending in prop::array::uniform2(prop::bool::weighted(0.2)),
        capable in prop::bool::weighted(0.8),
        person: bool,
    ) {
        let session = Session::ALL[at];
        let binding = Binding { version: 1, project: digest(1), artifacts: digest(2) };
        let now = Binding {
            version: if same[0] { 1 } else { 999 },
            project: digest(if same[1] { 1 } else { 9 }),
            artifacts: digest(if same[2] { 2 } else { 9 }),
        };
        let checkpoint = Checkpoint { binding, session, pending_gate: pending[0], pending_handoff: pending[1] };
        let word = session.word();
        let why = [
            (!same[0], Blocked::Version),
            (!same[1], Blocked::Project),
            (!same[2], Blocked::Artifacts),
            (!["idle", "awaiting_user", "awaiting_external", "failed"].contains(&word), Blocked::Session),
            (!person && ["awaiting_user", "failed"].contains(&word), Blocked::NeedsPerson),
            (pending[0], Blocked::PendingGate),
            (pending[1], Blocked::PendingHandoff),
            (!capable, Blocked::Capability),
        ];
        let wanted = why.into_iter().find(|(wrong, _)| *wrong).map_or(Ok(()), |(_, e)| Err(e));
        let asker = if person { Asker::Person } else { Asker::Manager };
        prop_assert_eq!(resume(&checkpoint, &now, capable, asker), wanted);
        // Whatever resumes runs: the session may go there.
        prop_assert!(wanted.is_err() || session.may_become(Session::Running));
    }
}

#[test]
fn consumed_work_is_not_done_again() {
    assert_eq!([work(true), work(false)], [Work::Skip, Work::ReResolve]);
}

fn amount() -> impl Strategy<Value = u64> {
    prop_oneof![4 => 0_u64..6, 1 => Just(u64::MAX), 1 => Just(u64::MAX / 2)]
}

type Parts = (Class, u8, u64, bool);

fn parts() -> impl Strategy<Value = Parts> {
    let class = prop_oneof![Just(Class::Public), Just(Class::Internal), Just(Class::Private), Just(Class::Restricted)];
    (class, prop_oneof![6 => 0_u8..=100, 1 => 101_u8..=255], any::<u64>(), prop::bool::weighted(0.7))
}
