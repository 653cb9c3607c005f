//! Givens, tests and claims.

use super::*;
use crate::model::{Cell, ClaimKind, Submitted};

fn cell(m: &Model, test: usize, name: &str) -> Option<Cell> {
    let id = m.facts.iter().position(|f| f.name == name).expect("the fact");
    m.tests[test].facts.iter().find(|(f, _)| f.index() == id).map(|(_, c)| *c)
}

fn tested(setting: &str) -> Model {
    model(&plus(BASE, &format!("test \"t\" {setting} => done")))
}

#[test]
fn settings_begin_from_others() {
    let text = plus(
        BASE,
        "given clear = std.clear { taste two, size small }\n test \"t\" clear { weight 40, not available[home], labels { red, green } } => done",
    );
    let m = model(&text);
    assert_eq!(cell(&m, 0, "weight"), Some(Cell::Known(40)));
    assert_eq!(cell(&m, 0, "taste"), Some(Cell::Known(1)));
    assert_eq!(cell(&m, 0, "size"), Some(Cell::Known(0)));
    assert_eq!(cell(&m, 0, "labels"), Some(Cell::Known(3)));
    assert_eq!(cell(&m, 0, "available[home]"), Some(Cell::Known(0)));
    assert_eq!(cell(&m, 0, "available[beta]"), Some(Cell::Known(1)));
    assert_eq!(cell(&m, 0, "login[beta]"), Some(Cell::Known(4)));
    assert_eq!(cell(&m, 0, "class"), Some(Cell::Known(0)));
    assert_eq!(cell(&m, 0, "tried[beta]"), Some(Cell::Known(0)));
    assert_eq!(cell(&m, 0, "rounds"), Some(Cell::Known(2)));
    assert_eq!(cell(&m, 0, "cost[beta]"), None);
}

#[test]
fn a_family_without_an_index_means_all_its_cells() {
    let m = tested("std.clear { not revoked, cost 3, lineage unknown, labels { } }");
    assert_eq!(cell(&m, 0, "cost[home]"), Some(Cell::Known(3)));
    assert_eq!(cell(&m, 0, "cost[beta]"), Some(Cell::Known(3)));
    assert_eq!(cell(&m, 0, "lineage"), Some(Cell::Unknown));
    assert_eq!(cell(&m, 0, "labels"), Some(Cell::Known(0)));
    let m = tested("{ }");
    assert_eq!(cell(&m, 0, "weight"), None);
    assert_eq!(cell(&m, 0, "judged"), Some(Cell::Known(0)));
    let m = tested("std.clear { judged, tried[home], rounds 1 }");
    assert_eq!(cell(&m, 0, "judged"), Some(Cell::Known(1)));
    assert_eq!((cell(&m, 0, "tried[home]"), cell(&m, 0, "tried[beta]")), (Some(Cell::Known(1)), Some(Cell::Known(0))));
    assert_eq!(cell(&m, 0, "rounds"), Some(Cell::Known(1)));
}

#[test]
fn the_fixture_sets_what_took_a_shipped_fact_s_place() {
    let text = plus(
        BASE,
        "facts { pinned may_ask : bool as interaction\n pinned clean : bool as lineage\n pinned assurance : level { none_ < some } per road\n volatile spend_left : int 0..50 cents }
         test \"t\" std.clear { } => done",
    );
    let m = model(&text);
    assert_eq!(cell(&m, 0, "may_ask"), Some(Cell::Known(1)));
    assert_eq!(cell(&m, 0, "clean"), Some(Cell::Known(1)));
    assert_eq!(cell(&m, 0, "assurance[beta]"), Some(Cell::Known(1)));
    assert_eq!(cell(&m, 0, "spend_left"), Some(Cell::Known(50)));
}

#[test]
fn wrong_settings_are_refused() {
    let test = |s: &str| plus(BASE, &format!("test \"t\" {s} => done"));
    error(&test("std.claer { }"), "U001", "std.claer", "did you mean `std.clear`?");
    error(&test("std.clear { wieght 3 }"), "U001", "wieght", "did you mean `weight`?");
    error(&test("std.clear { weight 101 }"), "U004", "101", "range");
    error(&test("std.clear { weight heavy }"), "U003", "heavy", "a number");
    error(&test("std.clear { weight }"), "U003", "weight", "value");
    error(&test("std.clear { size smal }"), "U004", "smal", "did you mean `small`?");
    error(&test("std.clear { labels { blue } }"), "U004", "blue", "known here");
    error(&test("std.clear { size { small } }"), "U003", "size", "one value");
    error(&test("std.clear { available[hom] }"), "U001", "hom", "did you mean `home`?");
    error(&test("std.clear { lineage[home] }"), "U003", "home", "without an index");
    error(&test("std.clear { weight 3, weight 4 }"), "U002", "weight", "drop");
    error(&test("std.clear { paid }"), "U003", "paid", "road");
    error(
        &plus(&test("std.clear { labelled }"), "let labelled = not labels empty"),
        "U003",
        "labelled",
        "facts that it reads",
    );
    errors(&plus(BASE, "given one_ = two_ { }\n given two_ = one_ { }\n"), &[("U007", "two_"), ("U007", "one_")]);
    error(&plus(&test("std.clear { }"), "test \"t\" std.clear { } => done"), "U002", "\"t\"", "");
}

#[test]
fn a_setting_that_nothing_reads_is_noted() {
    let text = plus(BASE, "test \"t\" std.clear { question_same, containment[home] } => done");
    let out = low(&text);
    let notes: Vec<_> = out.diagnostics.iter().map(|d| (d.code, out.sources.text(d.primary))).collect();
    assert_eq!(notes, [("U009", "question_same"), ("U009", "containment[home]")], "{}", told(&out));
}

#[test]
fn expectations_name_nodes_outcomes_and_reasons() {
    let test = |e: &str| plus(BASE, &format!("test \"t\" std.clear {{ }} {e}"));
    let m = model(&test(
        "{ => send(alpha) via cut(alpha) without reserve  lost => reconcile  still_unknown => indeterminate }",
    ));
    let steps = &m.tests[0].steps;
    assert_eq!(steps.len(), 3);
    assert_eq!(steps[1].0, Some(Outcome::Lost));
    assert_eq!(m.node(steps[0].1.places[0]).name, "send(alpha)");
    assert_eq!(steps[1].1.places.len(), 2, "reconcile of any road");
    assert_eq!(steps[0].1.via[0].1.len(), 1);
    assert_eq!(steps[0].1.without[0].1.len(), 2);
    let m = model(&test("=> pending_no_road because alpha: class, beta: lineage"));
    assert_eq!(m.tests[0].steps[0].1.because.len(), 2);
    error(&test("=> sned(alpha)"), "U001", "sned(alpha)", "did you mean `send`?");
    error(&test("=> send(alpah)"), "U001", "alpah", "did you mean `alpha`?");
    error(&test("=> run(alpha)"), "U001", "run(alpha)", "");
    error(&test("=> pending_no_road because alpha: clas"), "U001", "clas", "did you mean `class`?");
    error(&test("{ => send(alpha) losst => reconcile }"), "U001", "losst", "did you mean `lost`?");
    error(&test("{ => send(alpha) declined => reconcile }"), "U001", "declined", "can have");
    error(&test("=> await(user)"), "U001", "await(user)", "comes to");
    error(&plus(BASE, "test \"t\" in beta std.clear { } => done"), "U003", "beta", "child");
    let m = model(&plus(
        PEERS,
        "test \"t\" in box std.clear { local_only } => return(denied)\n test \"u\" std.clear { } => await(external)",
    ));
    assert_eq!((m.tests[0].flow.0, m.tests[0].steps[0].1.places.len(), m.tests[1].steps[0].1.places.len()), (1, 1, 1));
}

#[test]
fn claims_are_spread_over_nodes() {
    let m = model(&plus(BASE, "never send(any) unless target.region == eu\n always cut(any) before send(any) when weight >= 40\n always validate before done\n never send(beta) after send(alpha) with submitted unknown\n never   settle_nothing_   after send(alpha)").replace("never   settle_nothing_   after send(alpha)", ""));
    let ClaimKind::Never { at, after, submitted } = &m.claims[0].kind else { panic!("a never") };
    let guards: Vec<_> = at.iter().map(|(n, _, g)| (m.node(*n).name.as_str(), g.clone())).collect();
    assert_eq!(guards, [("send(alpha)", Guard::False), ("send(beta)", Guard::True)]);
    assert!(after.is_none() && submitted.is_none());
    let ClaimKind::Always { at } = &m.claims[1].kind else { panic!("an always") };
    for (then, _, guard, first) in at {
        assert_eq!(first.len(), 1, "the same road's cut");
        assert_eq!(m.node(first[0].0).road, m.node(*then).road);
        assert_eq!(spelled(&m, guard), "weight 40..100");
    }
    let ClaimKind::Always { at } = &m.claims[2].kind else { panic!("an always") };
    assert_eq!((at.len(), at[0].3.len()), (1, 3));
    let ClaimKind::Never { after, submitted, .. } = &m.claims[3].kind else { panic!("a never") };
    assert_eq!((after.as_ref().map(Vec::len), *submitted), (Some(1), Some(Submitted::Unknown)));
    assert_eq!(m.claims[0].text, "never send(any) unless target.region == eu");
}

#[test]
fn wrong_claims_are_refused() {
    error(&plus(BASE, "never sned(any)"), "U001", "sned(any)", "did you mean `send`?");
    error(&plus(BASE, "never send(alhpa)"), "U001", "alhpa", "did you mean `alpha`?");
    error(
        &plus(BASE, "never send(any) unless target.regoin == eu"),
        "U001",
        "target.regoin",
        "did you mean `target.region`?",
    );
    error(&plus(BASE, "never send(beta) after send(alpha) with submitted maybe"), "U001", "maybe", "known here");
    error(&plus(BASE, "never send(beta).declined"), "U001", "declined", "");
    error(&plus(BASE, "never accept when available"), "U001", "accept", "step of it");
    error(&plus(BASE, "never done when available"), "U003", "available", "available[road]");
    let out = errors(&plus(BASE, "never await(user) when lineage"), &[]);
    assert!(out.diagnostics.iter().any(|d| d.code == "U010"), "{}", told(&out));
}
