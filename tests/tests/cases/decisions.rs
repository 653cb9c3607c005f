//! Source A, 3.2: what a table decides.

use crate::support::rejected_on_a_run;
use crate::tables::{Ride, blocks, built, code};
use roadlaw_runtime::control::expired;
use roadlaw_runtime::format::obligation;
use roadlaw_runtime::{Run, RunError, Submitted, Table};

crate::rows! {
    AD01 { blocks("portal", "AD01", 1) }
    AD02 { blocks("portal", "AD02", 1) }
    AD03 { blocks("portal", "AD03", 2) }
    AD04 { blocks("portal", "AD04", 1) }
    AD05 { blocks("portal", "AD05", 1) }
    AD06 {
        blocks("portal", "AD06", 1);
        // A first attempt: nothing was tried, nothing falls back, no decision precedes it.
        let b = built("portal");
        let t = Table::from_bytes(&b.bytes).expect("a table");
        let mut r = Ride::new(&b.model, &t, "AD06");
        let mut due = 0;
        while r.at() != "send(a)" {
            due |= r.say("ok").expect("a step").obligations;
        }
        assert_eq!((due & obligation::FALLBACK_RECEIPT, r.run.generation(), r.times("decide(a)")), (0, 1, 1));
        let home = b.model.roads.iter().position(|x| x.name == "home").expect("home");
        assert!(!r.run.latches().tried(home));
    }
    AD07 {
        blocks("portal", "AD07", 1);
        let b = built("portal");
        let t = Table::from_bytes(&b.bytes).expect("a table");
        let mut r = Ride::new(&b.model, &t, "AD07");
        r.go("send(a)").then("failed_before_submit", "release(a)");
        let step = r.say("ok").expect("a fallback");
        assert_ne!(step.obligations & obligation::FALLBACK_RECEIPT, 0);
        let a = b.model.roads.iter().position(|x| x.name == "a").expect("a");
        assert_eq!((r.run.latches().tried(a), r.run.road()), (true, Some(a)), "the receipt names the road that failed");
        r.go("send(b)");
        assert_eq!((r.run.generation(), r.times("decide(b)")), (2, 1));
        // An answer of the first attempt is stale.
        assert_eq!(r.run.advance(&t, 1, code("ok"), &r.facts), Err(RunError::StaleAttempt { current: 2 }));
    }
    AD08 {
        blocks("portal", "AD08", 1);
        let b = built("portal");
        let t = Table::from_bytes(&b.bytes).expect("a table");
        let mut r = Ride::new(&b.model, &t, "AD08");
        r.go("send(a)").then("timeout_after_submit", "reconcile(a)");
        // The same attempt is asked about, and no other is begun.
        assert_eq!((r.run.generation(), r.run.submitted(), r.times("second")), (1, Submitted::Unknown, 0));
    }
    AD09 {
        blocks("portal", "AD09", 1);
        let b = built("portal");
        let t = Table::from_bytes(&b.bytes).expect("a table");
        let mut r = Ride::new(&b.model, &t, "AD09");
        r.go("send(a)").then("indeterminate", "reconcile(a)").then("still_unknown", "indeterminate");
        assert_eq!((r.run.submitted(), r.times("send(b)")), (Submitted::Unknown, 0));
        r.ended();
    }
    AD11 { blocks("redeliver", "AD11", 1) }
    AD12 { blocks("redeliver", "AD12", 1) }
    AD13 { blocks("portal", "AD13", 1) }
    AD14 { moved("AD14") }
    AD15 { moved("AD15") }
    AD16 { moved("AD16") }
    AD17 {
        moved("AD17");
        // A run that was begun under one table does not go on under another.
        let (old, new) = (built("moved"), built("portal"));
        let (pinned, loaded) = (Table::from_bytes(&old.bytes).expect("a table"), Table::from_bytes(&new.bytes).expect("a table"));
        let mut r = Ride::new(&old.model, &pinned, "AD17");
        r.go("egress(a)").run.acknowledge(u32::MAX);
        let refused = r.run.advance(&loaded, r.run.generation(), code("ok"), &r.facts);
        assert_eq!((refused, r.at()), (Err(RunError::PinnedPolicyUnavailable), "egress(a)"));
    }
    AD19 {
        blocks("portal", "AD19", 1);
        rejected_on_a_run("AD19", &["RL117"]);
    }
    AD20 { blocks("reversible", "AD20", 4) }
    AD21 { blocks("prices", "AD21", 4) }
    AD22 {
        blocks("peer", "AD22", 1);
        // Our own clock says so, from the deadline on.
        assert_eq!([99, 100, 101].map(|now| expired(now, 100)), [false, true, true]);
        let b = built("peer");
        let t = Table::from_bytes(&b.bytes).expect("a table");
        let mut r = Ride::new(&b.model, &t, "AD22");
        r.go("send(p)").then("ok", "await(external, p)").then("expired", "expired");
        // Neither a refusal nor an answer: what became of it is unknown, and nothing was validated.
        assert_eq!((r.run.submitted(), r.times("validate")), (Submitted::Unknown, 0));
        r.ended();
    }
    AD24 {
        let (one, other) = (built("portal"), built("prices"));
        let (pinned, loaded) = (Table::from_bytes(&one.bytes).expect("a table"), Table::from_bytes(&other.bytes).expect("a table"));
        let mut run = Run::start(&pinned, 0).expect("the flow");
        let before = run;
        let refused = run.advance(&loaded, 0, code("ok"), &roadlaw_runtime::Facts::new());
        assert_eq!((refused, run), (Err(RunError::PinnedPolicyUnavailable), before));
        assert!(RunError::PinnedPolicyUnavailable.to_string().starts_with("pinned policy unavailable"));
    }
    AD25 { blocks("checkout", "AD25", 4) }
    AD26 { blocks("portal", "AD26", 1) }
    AD27 { blocks("portal", "AD27", 2) }
    AD28 {
        blocks("portal", "AD28", 1);
        let b = built("portal");
        let t = Table::from_bytes(&b.bytes).expect("a table");
        let mut r = Ride::new(&b.model, &t, "AD28");
        r.go("send(a)").then("indeterminate", "reconcile(a)").then("known_effect", "done");
        assert_eq!((r.times("send(a)"), r.run.generation()), (1, 1), "signed once");
    }
}

/// What changed under way asks for a new decision and a new attempt before anything leaves; skipping them is rejected.
fn moved(id: &str) {
    blocks("moved", id, 1);
    rejected_on_a_run(id, &["RL201", "RL202", "RL106", "RL108", "RL104"]);
    let b = built("moved");
    let t = Table::from_bytes(&b.bytes).expect("a table");
    let mut r = Ride::new(&b.model, &t, id);
    r.go("send(a)").then("refused", "send(a)");
    let twice = ["cut(a)", "decide(a)", "attempt(a)", "egress(a)", "send(a)"].map(|n| r.times(n));
    assert_eq!((twice, r.run.generation()), ([2; 5], 2));
}
