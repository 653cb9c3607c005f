//! Source B: capabilities and roads, states, fallbacks, and what binds a result. Where its own program breaks its rules, the
//! rule is kept.

use crate::support::{accepted, checked_text, folder, rejected, rejected_on_a_run};
use crate::tables::{Built, Ride, blocks, built, built_from, chosen, code};
use roadlaw_compiler::prove::Verdict;
use roadlaw_grammar::diagnostic::Severity;
use roadlaw_runtime::control::consume::{Consumption, Entry, Key, Processing, ProcessingError, consume};
use roadlaw_runtime::control::handoff::{Completed, Handoff, HandoffError, State};
use roadlaw_runtime::control::resume::{Asker, Binding, Blocked, Checkpoint, resume};
use roadlaw_runtime::control::session::Session;
use roadlaw_runtime::control::{Digest, LONGEST};
use roadlaw_runtime::format::obligation;
use roadlaw_runtime::{Latches, Run, RunError, Submitted, Table};

const SOURCE: Digest = [1; 32];
const ONE: Digest = [2; 32];
const OTHER: Digest = [3; 32];

fn entry(kind: u16, id: u8, consumer: u8, content: u8) -> Entry {
    Entry { key: Key { kind, id: [id; 32], consumer: [consumer; 32] }, content: [content; 32] }
}

/// A handoff that worker `ONE` holds from 0 to 10.
fn held() -> Handoff {
    Handoff::new(SOURCE).claim(ONE, 0, 10).expect("it is open")
}

fn checkpoint(session: Session) -> Checkpoint {
    Checkpoint { binding: NOW, session, pending_gate: false, pending_handoff: false }
}

const NOW: Binding = Binding { version: 1, project: [1; 32], artifacts: [2; 32] };

/// A run of a policy, from a test block of it.
fn ride(policy: &str, block: &str, f: impl FnOnce(&Built, &mut Ride<'_>)) {
    let b = built(policy);
    let t = Table::from_bytes(&b.bytes).expect("a table");
    f(&b, &mut Ride::new(&b.model, &t, block));
}

/// At a review's validation.
fn at_validation(r: &mut Ride<'_>) {
    r.go("call(codex)").then("ok", "await(external, codex)").then("ok", "validate");
}

/// Facts that open a road open none once the question is judged.
fn closed_once_judged(policy: &str, block: &str) {
    let b = built(policy);
    let t = Table::from_bytes(&b.bytes).expect("a table");
    assert_ne!(chosen(&b, block), "none");
    let mut r = Ride::new(&b.model, &t, block);
    r.run = Run::start_with(&t, 0, Latches::fresh(&t).with_judged()).expect("the flow");
    r.go("pending_no_road");
    assert_eq!((r.run.generation(), r.run.submitted()), (0, Submitted::None));
}

crate::rows! {
    BC1 { routed("BC1", 1, "search") }
    BC2 { routed("BC2", 1, "none") }
    BC3 { routed("BC3", 1, "none") }
    BC4 { routed("BC4", 1, "none") }
    BC5 { routed("BC5", 1, "none") }
    BC6 { routed("BC6", 2, "none") }
    BC7 { routed("BC7", 1, "human") }
    BC9 {
        routed("BC9", 1, "search");
        // A road that asks for nothing is kept, and said. It stands last, for behind it nobody would be chosen.
        let path = folder().join("route.road");
        let text = std::fs::read_to_string(path).expect("text");
        let asks = "filters { up : up[human]  user_interaction_forbidden : interaction }";
        assert!(text.contains(asks));
        let lax = text.replace(asks, "filters { }").replace("human, writer }", "writer, human }").split("\n  test ").next().map(|t| format!("{t}}}\n")).expect("text");
        let done = checked_text("lax", lax.into_bytes());
        assert_eq!(done.report.verdict, Verdict::Proved, "{:#?}", done.report.diagnostics);
        let said: Vec<_> = done.report.diagnostics.iter().map(|d| (d.severity, d.message.as_str())).collect();
        assert_eq!(said, [(Severity::Note, "no filter is asked for: no fact closes `human` here")]);
    }
    BC10 { ranked("BC10", "quality") }
    BC11 { ranked("BC11", "fast") }
    BC13 { ranked("BC13 a cent", "fast"); ranked("BC13 to the cent", "quality") }
    BC15 { ranked("BC15", "quality") }
    BC16 { blocks("review", "BC16", 1) }
    BC18 { blocks("review", "BC18", 2) }
    BC20 { blocks("stations", "BC20", 1) }
    BC22 {
        rejected("BC22", &["RL501"]);
        blocks("review", "BC22", 1);
    }
    BC23 { blocks("review", "BC23", 1) }
    BC24 { blocks("review", "BC24", 1) }
    BC25 { blocks("review", "BC25", 1) }
    BC26 { blocks("provenance", "BC26", 3) }
    BC27 { routed("BC27 detected", 2, "none"); routed("BC27 probed", 2, "local") }
    BC28 { routed("BC28", 1, "api") }
    BC30 { routed("BC30", 1, "none") }
    BC31 { routed("BC31", 1, "none") }
    BC32 { blocks("search", "BC32", 2) }
    BC33 { blocks("review", "BC33", 1) }
    BC34 { blocks("review", "BC34", 2) }
    BC35 { rejected_on_a_run("BC35", &["RL706"]) }
    BC37 { blocks("review", "BC37", 1) }
    BC38 {
        let legal = Session::ALL.map(|a| Session::ALL.iter().filter(|b| a.may_become(**b)).count());
        // created, running, idle, awaiting_user, awaiting_external, completed, failed, stale, terminated
        assert_eq!(legal, [2, 7, 4, 4, 4, 1, 3, 1, 0]);
        assert_eq!((legal.iter().sum::<usize>(), Session::ALL.len() * Session::ALL.len()), (26, 81));
    }
    BC39 { assert!(!Session::Completed.may_become(Session::Running)) }
    BC40 { assert!(Session::Created.may_become(Session::Terminated)) }
    BC41 {
        for word in ["semantic_pending", "pending_no_road", "direct_layer_only", "Running", ""] {
            assert_eq!(Session::parse(word), None, "{word} is no status");
        }
    }
    BC42 { rejected("BC42", &["RL501", "U001"]); }
    BC44 {
        ride("portal", "AD07", |b, r| {
            r.go("send(a)").say("failed_before_submit").expect("a step");
            let receipt = r.say("ok").expect("the fallback");
            let a = b.model.roads.iter().position(|x| x.name == "a");
            assert_eq!((receipt.obligations & obligation::FALLBACK_RECEIPT != 0, r.run.road()), (true, a), "from");
            assert_eq!(r.say_unacknowledged("ok"), Err(RunError::Unacknowledged { obligations: receipt.obligations }));
            r.go("send(b)");
            assert_eq!(r.run.road(), b.model.roads.iter().position(|x| x.name == "b"), "used");
        });
    }
    BC45 {
        ride("portal", "AD07", |_, r| {
            r.go("send(a)").run.acknowledge(u32::MAX);
            r.facts.set_epoch(r.run.epoch());
            for attempt in [0, 2, 7] {
                let failed = r.run.advance(r.table, attempt, code("failed_before_submit"), &r.facts);
                assert_eq!(failed, Err(RunError::StaleAttempt { current: 1 }), "not the attempt that was made");
            }
        });
    }
    BC46 { blocks("review", "BC46", 1) }
    BC48 {
        rejected_on_a_run("BC48", &["RL306"]);
        // Nor can a send, a call or a wait say that it was a no: that is for the validator alone.
        ride("review", "BC23", |_, r| {
            r.go("call(codex)");
            assert_eq!(r.say("negative"), Err(RunError::Outcome));
            r.then("ok", "await(external, codex)");
            assert_eq!(r.say("negative"), Err(RunError::Outcome));
        });
    }
    BC50 {
        // A receipt is kept by its key: the same id with another project or budget is other content.
        let kept = [entry(4, 1, 9, 1)];
        assert_eq!(consume(&kept, &entry(4, 1, 9, 2), true), Consumption::Conflict);
        assert_eq!(consume(&kept, &entry(4, 1, 9, 1), true), Consumption::Duplicate);
    }
    BC51 {
        blocks("review", "BC51", 1);
        ride("review", "BC23", |_, r| {
            at_validation(r);
            r.then("negative", "repair(author)");
            assert!(r.run.latches().judged());
            r.then("failed", "refused(candidate_unchanged)").ended();
        });
        closed_once_judged("review", "BC23");
    }
    BC52 {
        let native = held();
        assert_eq!(native.claim(OTHER, 5, 10), Err(HandoffError::LeaseActive));
        assert_eq!(native.complete(OTHER, 1, 5, [7; 32]), Err(HandoffError::NotTheHolder));
        // The infrastructure fails: that handoff is over, and the peer gets one of its own.
        assert_eq!(native.fail(ONE, 1, 5).map(|h| h.state()), Ok(State::Failed));
        let peer = Handoff::new(SOURCE).claim(OTHER, 6, 10).expect("a new handoff");
        assert_eq!(peer.complete(OTHER, 1, 7, [7; 32]).map(|(_, c)| c), Ok(Completed::Kept));
        blocks("review", "BC55", 3);
    }
    BC53 {
        blocks("review", "BC53", 1);
        ride("review", "BC23", |_, r| {
            at_validation(r);
            r.then("invalid", "send(chat)");
            assert_eq!((r.run.latches().judged(), r.run.latches().consumed()), (false, false));
        });
    }
    BC54 {
        ride("review", "BC23", |_, r| {
            at_validation(r);
            r.then("negative", "repair(author)").then("failed", "refused(candidate_unchanged)").ended();
        });
        closed_once_judged("review", "BC23");
    }
    BC55 {
        blocks("review", "BC55", 3);
        ride("review", "BC55 a code", |_, r| {
            r.go("call(codex)").then("failed", "send(chat)");
            assert_eq!((r.run.latches().judged(), r.times("validate")), (false, 0));
        });
    }
    BC56 {
        blocks("review", "BC56", 1);
        // On a wait and on a direct call alike: what holds no verdict is invalid, and judges nothing.
        ride("review", "BC23", |_, r| {
            at_validation(r);
            r.then("invalid", "send(chat)").then("ok", "validate").then("invalid", "send(mcp)");
            assert!(!r.run.latches().judged());
        });
    }
    BC58 {
        blocks("walkback", "BC58", 1);
        closed_once_judged("walkback", "BC60");
        // Rebound by its fingerprint, A, B and A again: the verdict on A is kept under its key.
        let no = [entry(5, 1, 9, 0), entry(5, 2, 9, 0)];
        assert_eq!(consume(&no, &entry(5, 1, 9, 1), true), Consumption::Conflict);
    }
    BC60 { blocks("walkback", "BC60", 1) }
    BC61 {
        blocks("review", "BC61", 2);
        ride("review", "BC23", |_, r| {
            at_validation(r);
            r.then("negative", "repair(author)");
            let (tried, judged) = (r.run.latches().tried(0), r.run.latches().judged());
            r.then("ok", "call(codex)");
            assert_eq!((tried, judged, r.run.latches().judged()), (false, true, false), "a new question");
        });
    }
    BC62 { rejected("BC62", &["RL301", "RL007"]); }
    BC63 {
        blocks("pinned", "BC63", 3);
        let b = built("pinned");
        assert_eq!(["BC63 the one", "BC63 nobody", "BC63 any"].map(|t| chosen(&b, t)), ["none", "none", "claude"]);
    }
    BC64 {
        ride("portal", "AD07", |_, r| {
            r.go("send(a)").then("failed_before_submit", "send(b)");
            assert_eq!((r.times("decide(b)"), r.run.generation()), (1, 2));
        });
        ride("portal", "AD08", |_, r| {
            r.go("send(a)").then("timeout_after_submit", "reconcile(a)").then("still_unknown", "indeterminate");
            assert_eq!((r.times("decide(b)"), r.run.generation()), (0, 1));
        });
    }
    BC65 {
        ride("review", "BC23", |_, r| {
            at_validation(r);
            assert_ne!(r.run.obligations() & obligation::QUESTION_EQUAL, 0);
            let due = r.run.obligations();
            assert_eq!(r.say_unacknowledged("ok"), Err(RunError::Unacknowledged { obligations: due }));
            // Compared, and it answers another question: invalid.
            r.then("invalid", "send(chat)");
            assert_eq!((r.times("consume"), r.run.latches().judged()), (0, false));
        });
    }
    BC66 { accepted("BC66") }
    BC67 { rejected_on_a_run("BC67", &["RL309"]) }
    BC68 { rejected("BC68", &["RL801"]); }
    BC70 {
        blocks("provenance", "BC70", 2);
        ride("provenance", "BC70", |_, r| {
            r.go("send(a)").then("ok", "quarantine");
            let due = r.run.obligations();
            assert_ne!(due & obligation::PROVENANCE, 0);
            assert_eq!(r.say_unacknowledged("ok"), Err(RunError::Unacknowledged { obligations: due }));
        });
    }
    BC71 {
        let kept = [entry(1, 1, 1, 1)];
        assert_eq!(consume(&[], &entry(1, 1, 1, 1), true), Consumption::Consumed);
        assert_eq!(consume(&kept, &entry(1, 1, 1, 1), true), Consumption::Duplicate);
        assert_eq!(consume(&kept, &entry(1, 1, 1, 2), true), Consumption::Conflict);
        assert_eq!(consume(&kept, &entry(1, 1, 2, 1), true), Consumption::Consumed);
        assert_eq!(consume(&kept, &entry(1, 1, 2, 2), true), Consumption::Consumed);
    }
    BC72 {
        rejected_on_a_run("BC72", &["RL111"]);
        assert_eq!(consume(&[], &entry(1, 1, 1, 1), false), Consumption::NotValidated);
    }
    BC73 { assert_eq!(held().complete(OTHER, 1, 5, [7; 32]), Err(HandoffError::NotTheHolder)) }
    BC74 {
        assert_eq!(held().complete(ONE, 1, 10, [7; 32]).map(|(_, c)| c), Ok(Completed::Kept), "the last second counts");
        assert_eq!(held().complete(ONE, 1, 11, [7; 32]), Err(HandoffError::LeaseOver));
    }
    BC75 {
        assert_eq!(held().claim(OTHER, 10, 10), Err(HandoffError::LeaseActive));
        let next = held().claim(OTHER, 11, 10).expect("it is over");
        let State::Leased(lease) = next.state() else { panic!("{next:?}") };
        assert_eq!((lease.worker(), lease.attempt(), lease.until()), (OTHER, 2, 21));
        assert_eq!(next.complete(ONE, 1, 12, [7; 32]), Err(HandoffError::NotTheHolder), "the first is fenced");
        // A worker that reclaims what it held itself fences its former self too.
        let again = held().claim(ONE, 11, 10).expect("it is over");
        assert_eq!(again.complete(ONE, 1, 12, [7; 32]), Err(HandoffError::NotTheHolder));
    }
    BC77 {
        let (done, _) = held().complete(ONE, 1, 5, [7; 32]).expect("kept");
        assert_eq!(done.complete(ONE, 1, 6, [7; 32]).map(|(_, c)| c), Ok(Completed::Duplicate));
        assert_eq!(done.complete(ONE, 1, 6, [8; 32]), Err(HandoffError::Conflict));
    }
    BC78 {
        let failed = held().fail(ONE, 1, 5).expect("given up");
        for (worker, now) in [(ONE, 6), (OTHER, 6), (OTHER, 1_000)] {
            assert_eq!(failed.claim(worker, now, 10), Err(HandoffError::Ended));
        }
    }
    BC79 {
        assert_eq!(Handoff::new(SOURCE).claim(SOURCE, 0, 10), Err(HandoffError::OwnSource));
        assert_eq!(held().claim(SOURCE, 11, 10), Err(HandoffError::OwnSource), "nor by reclaiming");
    }
    BC80 {
        for (seconds, wanted) in [(0, false), (1, true), (LONGEST, true), (LONGEST + 1, false)] {
            assert_eq!(Handoff::new(SOURCE).claim(ONE, 0, seconds).is_ok(), wanted, "{seconds}");
        }
        assert_eq!(LONGEST + 1, 86_401);
    }
    BC81 {
        let left = Processing::begin([1; 32], 0, 10).expect("begun");
        assert_eq!(left.recover([1; 32], 10, 10), Err(ProcessingError::LeaseActive));
        assert_eq!(left.recover([1; 32], 11, 10).map(|p| p.epoch()), Ok(2));
        assert_eq!(left.recover([2; 32], 11, 10), Err(ProcessingError::Consumed));
    }
    BC82 {
        for (session, asker, wanted) in [
            (Session::Idle, Asker::Manager, Ok(())),
            (Session::AwaitingUser, Asker::Manager, Err(Blocked::NeedsPerson)),
            (Session::AwaitingUser, Asker::Person, Ok(())),
            (Session::Failed, Asker::Manager, Err(Blocked::NeedsPerson)),
        ] {
            assert_eq!(resume(&checkpoint(session), &NOW, true, asker), wanted, "{session:?} {asker:?}");
        }
    }
    BC83 {
        let idle = checkpoint(Session::Idle);
        let gate = Checkpoint { pending_gate: true, ..idle };
        let handoff = Checkpoint { pending_handoff: true, ..idle };
        assert_eq!(resume(&gate, &NOW, true, Asker::Person), Err(Blocked::PendingGate));
        assert_eq!(resume(&handoff, &NOW, true, Asker::Person), Err(Blocked::PendingHandoff));
    }
    BC84 {
        let idle = checkpoint(Session::Idle);
        let asked = |now: Binding, capable| resume(&idle, &now, capable, Asker::Person);
        assert_eq!(asked(Binding { version: 999, ..NOW }, true), Err(Blocked::Version));
        assert_eq!(asked(Binding { artifacts: [9; 32], ..NOW }, true), Err(Blocked::Artifacts));
        assert_eq!(asked(Binding { project: [9; 32], ..NOW }, true), Err(Blocked::Project));
        assert_eq!(asked(NOW, false), Err(Blocked::Capability));
    }
    BC85 {
        ride("portal", "AD04", |_, r| {
            r.go("call(home)").then("ok", "done");
            let calls = r.run.generation();
            // Run again with the other road in favour: what is done is done, and nothing is called.
            r.set("lineage", 1);
            r.ended();
            assert_eq!((calls, r.run.generation(), r.times("send(a)")), (1, 1, 0));
        });
        // And its result is there already: replayed, not consumed again.
        assert_eq!(consume(&[entry(6, 1, 1, 1)], &entry(6, 1, 1, 1), true), Consumption::Duplicate);
    }
    BC86 {
        blocks("review", "BC86", 1);
        ride("review", "BC23", |_, r| {
            at_validation(r);
            assert_ne!(r.run.obligations() & obligation::CONTEXT_EQUAL, 0);
            r.then("ok", "adopt");
            assert_ne!(r.run.obligations() & obligation::COMPARE_AND_SWAP, 0);
            r.then("refused", "stale").ended();
        });
    }
    BC87 { blocks("review", "BC87", 1) }
    BC88 { rejected("BC88", &["RL801"]); }
}

/// The blocks of a row pass, and the choose takes this road.
fn routed(block: &str, count: usize, road: &str) {
    let id = block.split(' ').next().unwrap_or(block);
    blocks("route", id, count);
    let first = format!("{id} ");
    assert_eq!(chosen(&built("route"), if block == id { &first } else { block }), road, "{block}");
}

/// The choose takes this road, in whatever order the candidates are listed.
fn ranked(block: &str, road: &str) {
    let text = std::fs::read_to_string(folder().join("ranks.road")).expect("text");
    let reversed = text.replace("choose { fast, quality }", "choose { quality, fast }");
    assert_ne!(text, reversed);
    for listed in [text, reversed] {
        assert_eq!(chosen(&built_from("ranks", listed), block), road, "{block}");
    }
}
