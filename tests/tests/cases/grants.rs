//! Source A, 3.3: what its code and tests decide.

use crate::support::{folder, rejected, rejected_on_a_run};
use crate::tables::{Ride, blocks, built, code};
use roadlaw_runtime::control::consume::{Consumption, Entry, Key, consume};
use roadlaw_runtime::control::grant::{Call, Ceilings, Denied, Grant, Subject, Usage};
use roadlaw_runtime::control::label::{Class, Label, LabelError};
use roadlaw_runtime::control::{LONGEST, expired};
use roadlaw_runtime::{RunError, Submitted, Table};
use roadlaw_tests::{Program, Run};

/// A digest that differs from that of every other number.
fn digest(n: u8) -> [u8; 32] {
    [n; 32]
}

const SUBJECT: Subject = Subject { job: [1; 32], provider: [2; 32], model: [3; 32], bearer: [4; 32] };
const MOST: Ceilings = Ceilings { requests: 10, tokens_in: 1_000, tokens_out: 500, tokens: 1_200, cost: 50_000 };

fn usage(requests: u64, tokens_in: u64, tokens_out: u64, cost: u64) -> Usage {
    Usage { requests, tokens_in, tokens_out, cost }
}

fn grant() -> Grant {
    Grant::new(SUBJECT, MOST, 0, 60).expect("a grant")
}

fn call(subject: Subject) -> Call {
    Call::new(subject, usage(1, 100, 50, 500)).expect("one request")
}

fn key(kind: u16, id: u8) -> Key {
    Key { kind, id: digest(id), consumer: digest(9) }
}

/// `decide` with these facts about a job's bounds.
fn bounds(facts: &str) -> Run {
    let out = tempfile::tempdir().expect("a folder");
    let table = out.path().join("bounds.table").display().to_string();
    let program = Program::new(env!("CARGO_BIN_EXE_roadlaw-under-test"), &folder());
    assert_eq!(program.run(&["build", "bounds.road", "-o", &table]).code, 0);
    program.run_with(&["decide", &table, "--facts", "-", "--format", "json"], facts.as_bytes())
}

crate::rows! {
    AC01 { blocks("station", "AC01", 1) }
    AC02 { blocks("station", "AC02", 3) }
    AC03 { blocks("station", "AC03", 1) }
    AC04 { blocks("station", "AC04", 1) }
    AC05 {
        blocks("station", "AC05", 1);
        let b = built("station");
        let t = Table::from_bytes(&b.bytes).expect("a table");
        let mut r = Ride::new(&b.model, &t, "AC05");
        r.go("refused(unavailable)");
        assert_eq!((r.times("refresh"), r.times("refused(transition_required)")), (1, 0));
    }
    AC06 {
        blocks("station", "AC06", 1);
        // It closes after it was found open: the facts of the moment decide.
        let b = built("station");
        let t = Table::from_bytes(&b.bytes).expect("a table");
        let mut r = Ride::new(&b.model, &t, "AC01");
        r.go("choose").set("admission", 1);
        r.go("refused(transition_required)");
        assert_eq!(r.times("done"), 0);
    }
    AC07 { blocks("station", "AC07", 2) }
    AC08 { blocks("stations", "AC08", 4) }
    AC09 { blocks("stations", "AC09", 4) }
    AC10 {
        blocks("portal", "AC10", 1);
        let b = built("portal");
        let t = Table::from_bytes(&b.bytes).expect("a table");
        let mut r = Ride::new(&b.model, &t, "AC10");
        r.go("pending_no_road");
        assert_eq!((r.run.generation(), r.run.submitted()), (0, Submitted::None), "nothing was sent to find out");
    }
    AC11 {
        let sum = grant().authorize(&call(SUBJECT), &usage(2, 200, 100, 1_000), 0);
        assert_eq!(sum, Ok(usage(3, 300, 150, 1_500)));
    }
    AC12 {
        for (subject, denied) in [
            (Subject { job: digest(7), ..SUBJECT }, Denied::Job),
            (Subject { provider: digest(7), ..SUBJECT }, Denied::Provider),
            (Subject { model: digest(7), ..SUBJECT }, Denied::Model),
            (Subject { bearer: digest(7), ..SUBJECT }, Denied::Bearer),
        ] {
            assert_eq!(grant().authorize(&call(subject), &usage(0, 0, 0, 0), 0), Err(denied));
        }
    }
    AC14 {
        for (consumed, denied) in [
            (usage(10, 0, 0, 0), Denied::Requests),
            (usage(0, 950, 0, 0), Denied::TokensIn),
            (usage(0, 0, 475, 0), Denied::TokensOut),
            (usage(0, 900, 160, 0), Denied::Tokens),
            (usage(0, 1_000, 150, 0), Denied::TokensIn),
            (usage(0, 0, 0, 49_750), Denied::Cost),
            (usage(0, u64::MAX, 0, 0), Denied::TokensIn),
        ] {
            assert_eq!(grant().authorize(&call(SUBJECT), &consumed, 0), Err(denied), "{consumed:?}");
        }
    }
    AC15 {
        let sum = grant().authorize(&call(SUBJECT), &usage(0, 900, 0, 0), 0);
        assert_eq!(sum, Ok(usage(1, 1_000, 50, 500)), "up to the ceiling is within it");
    }
    AC16 {
        for requests in [0, 2, u64::MAX] {
            assert_eq!(Call::new(SUBJECT, usage(requests, 100, 50, 500)), Err(Denied::NotOneRequest));
        }
    }
    AC17 {
        for (seconds, wanted) in [(0, false), (1, true), (LONGEST, true), (LONGEST + 1, false)] {
            assert_eq!(Grant::new(SUBJECT, MOST, 0, seconds).is_ok(), wanted, "{seconds}");
        }
        let day = Grant::new(SUBJECT, MOST, 100, LONGEST).expect("a day");
        let none = usage(0, 0, 0, 0);
        assert!(day.authorize(&call(SUBJECT), &none, 100 + LONGEST - 1).is_ok());
        assert_eq!(day.authorize(&call(SUBJECT), &none, 100 + LONGEST), Err(Denied::Expired));
    }
    AC18 { rejected("AC18", &["RL003"]); }
    AC19 { blocks("bounds", "AC19", 5) }
    AC20 {
        let facts = |memory: &str| format!(r#"{{"memory_kib": {memory}, "wall_s": 1, "processes": 1}}"#);
        assert_eq!(bounds(&facts("1")).json()["decision"], "done");
        for memory in ["1.5", "true", "\"1\"", "1e3", "[1]"] {
            let run = bounds(&facts(memory));
            assert_eq!((run.code, run.codes().len()), (2, 1), "{memory}: {}{}", run.out, run.err);
        }
    }
    AC21 { rejected("AC21", &["RL004"]); }
    AC22 { blocks("capacity", "AC22", 4) }
    AC23 { blocks("capacity", "AC23", 2) }
    AC24 { blocks("capacity", "AC24", 4) }
    AC25 {
        let internal = Label::new(Class::Internal, 20, 0b01, true).expect("a label");
        let private = Label::new(Class::Private, 70, 0b10, true).expect("a label");
        let both = internal.join(private);
        assert_eq!((both.class(), both.weight(), both.categories(), both.lineage()), (Class::Private, 70, 0b11, true));
        assert_eq!(both, private.join(internal));
    }
    AC26 {
        assert_eq!(Label::new(Class::Private, 70, 0, false), Err(LabelError::Lineage));
        let lost = Label::new(Class::Restricted, 70, 0, false).expect("a label");
        let joined = lost.join(Label::new(Class::Public, 0, 0, true).expect("a label"));
        assert_eq!((joined.class(), joined.lineage()), (Class::Restricted, false));
    }
    AC27 {
        // Type 1: tasks by id, type 2: nonces. Either under other content is a hard stop.
        let (first, changed) = (digest(1), digest(2));
        let kept = [Entry { key: key(1, 5), content: first }, Entry { key: key(2, 6), content: first }];
        assert_eq!(consume(&kept, &Entry { key: key(1, 5), content: changed }, true), Consumption::Conflict);
        assert_eq!(consume(&kept, &Entry { key: key(2, 6), content: changed }, true), Consumption::Conflict);
        assert_eq!(consume(&kept, &Entry { key: key(1, 7), content: changed }, true), Consumption::Consumed);
    }
    AC28 { rejected("AC28", &["RA"]); }
    AC29 {
        let b = built("peer");
        let t = Table::from_bytes(&b.bytes).expect("a table");
        let mut r = Ride::new(&b.model, &t, "AC30");
        r.go("send(p)").then("ok", "await(external, p)").then("ok", "done");
        r.ended();
        assert_eq!(r.at(), "done");
    }
    AC30 {
        blocks("peer", "AC30", 2);
        assert_eq!([0, 1, 2].map(|now| expired(now, 1)), [false, true, true]);
        let b = built("peer");
        let t = Table::from_bytes(&b.bytes).expect("a table");
        let mut r = Ride::new(&b.model, &t, "AC30");
        r.go("send(p)").then("ok", "await(external, p)").then("ok", "adopt").then("expired", "refused(answer)");
        assert_eq!(r.times("done"), 0);
    }
    AC31 {
        let kept = [Entry { key: key(3, 5), content: digest(1) }];
        assert_eq!(consume(&kept, &Entry { key: key(3, 5), content: digest(2) }, true), Consumption::Conflict);
        assert_eq!(consume(&kept, &Entry { key: key(3, 5), content: digest(1) }, true), Consumption::Duplicate);
    }
    AC32 {
        rejected_on_a_run("AC32", &["RL707"]);
        blocks("job", "AC32", 1);
        let b = built("job");
        let t = Table::from_bytes(&b.bytes).expect("a table");
        let mut r = Ride::new(&b.model, &t, "AC32");
        r.go("send(coder)").then("cancelled", "lost");
        assert_eq!(r.run.submitted(), Submitted::Unknown);
    }
    AC33 {
        let b = built("job");
        let t = Table::from_bytes(&b.bytes).expect("a table");
        let mut r = Ride::new(&b.model, &t, "AC32");
        r.go("send(coder)").then("cancelled", "lost");
        r.ended();
        assert_eq!((r.at(), r.times("reconcile(coder)"), r.times("send(coder)")), ("lost", 0, 1), "nobody is asked again");
    }
    AC34 {
        blocks("job", "AC34", 2);
        let b = built("job");
        let t = Table::from_bytes(&b.bytes).expect("a table");
        let mut r = Ride::new(&b.model, &t, "AC34");
        r.go("send(coder)").then("lost", "stop");
        assert_eq!(r.times("cancelled"), 0, "it is not cancelled before the runtime has stopped it");
        assert_eq!(r.say("cancelled"), Err(RunError::Outcome));
        r.then("ok", "cancelled");
    }
    AC35 {
        let b = built("portal");
        let t = Table::from_bytes(&b.bytes).expect("a table");
        let mut r = Ride::new(&b.model, &t, "AD07");
        r.go("send(a)").then("failed_before_submit", "send(b)").run.acknowledge(u32::MAX);
        r.facts.set_epoch(r.run.epoch());
        for outcome in ["ok", "refused", "lost", "cancelled"] {
            let before = r.run;
            assert_eq!(r.run.advance(&t, 1, code(outcome), &r.facts), Err(RunError::StaleAttempt { current: 2 }));
            assert_eq!(r.run, before);
        }
        r.then("ok", "done");
    }
}
