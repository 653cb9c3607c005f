//! Guards, facts, roles, needs.

use super::*;
use crate::model::{Latch, Life, RoleItem};

/// `beta` with one more filter, as it reads.
fn reads(guard: &str) -> String {
    let text = with(
        BASE,
        &[(
            "view { limits all filters { use std.filters.portal } }",
            &format!("view {{ limits all filters {{ use std.filters.portal  x : {guard} }} }}"),
        )],
    );
    filter(&model(&text), "beta", "x")
}

/// The errors of `beta` with one more filter.
fn refused(guard: &str, code: &str, underlined: &str, help: &str) {
    let text = with(
        BASE,
        &[(
            "view { limits all filters { use std.filters.portal } }",
            &format!("view {{ limits all filters {{ use std.filters.portal  x : {guard} }} }}"),
        )],
    );
    error(&text, code, underlined, help);
}

#[test]
fn comparisons_become_ranges_and_values() {
    assert_eq!(reads("weight < 40"), "weight 0..39");
    assert_eq!(reads("weight <= 40"), "weight 0..40");
    assert_eq!(reads("weight > 40"), "weight 41..100");
    assert_eq!(reads("weight >= portal_threshold"), "weight 40..100");
    assert_eq!(reads("weight == 40"), "weight 40..40");
    assert_eq!(reads("weight != 40"), "not weight 40..40");
    assert_eq!(reads("size <= small"), "size in [0]");
    assert_eq!(reads("size != small"), "not size in [0]");
    assert_eq!(reads("taste == two"), "taste in [1]");
    assert_eq!(reads("taste in { two, one }"), "taste in [0, 1]");
    assert_eq!(reads("login >= probed"), "login[beta] in [3, 4]");
    assert_eq!(reads("login[alpha] == attested"), "login[alpha] in [4]");
    assert_eq!(reads("lineage == true"), "lineage in [1]");
    assert_eq!(reads("labels has red"), "labels any 1");
    assert_eq!(reads("labels has any { green, red }"), "labels any 11");
    assert_eq!(reads("labels has all { green, red }"), "labels all 11");
    assert_eq!(reads("labels empty"), "not labels any 11");
    assert_eq!(reads("weight is unknown"), "weight unknown");
    assert_eq!(reads("not (size == small or labels empty)"), "not (size in [0] or not labels any 11)");
}

#[test]
fn pairs_of_int_facts_become_differences() {
    let m = |g: &str| {
        let text = plus(
            &with(
                BASE,
                &[(
                    "view { limits all filters { use std.filters.portal } }",
                    &format!("view {{ limits all filters {{ use std.filters.portal  x : {g} }} }}"),
                )],
            ),
            "facts { sealed other : int 0..100 }",
        );
        filter(&model(&text), "beta", "x")
    };
    assert_eq!(m("weight <= other + 3"), "weight <= other + 3");
    assert_eq!(m("weight < other"), "weight <= other + -1");
    assert_eq!(m("weight >= other - 2"), "other <= weight + 2");
    assert_eq!(m("weight > other"), "other <= weight + -1");
    assert_eq!(m("weight == other"), "(weight <= other + 0 and other <= weight + 0)");
    assert_eq!(m("weight != other"), "not (weight <= other + 0 and other <= weight + 0)");
}

#[test]
fn what_a_road_s_block_says_is_constant() {
    assert_eq!(reads("paid"), "true");
    assert_eq!(reads("asynchronous"), "false");
    assert_eq!(reads("auto_retry"), "false");
    assert_eq!(reads("reconcilable"), "true");
    assert_eq!(reads("target.region in { us, eu }"), "true");
    assert_eq!(reads("target.region == eu"), "false");
    assert_eq!(reads("target.evidence >= verified"), "true");
    assert_eq!(reads("not target.cut_required"), "true");
    assert_eq!(reads("limits.spend <= 5"), "true");
    assert_eq!(reads("limits.deadline < 30s"), "false");
    assert_eq!(reads("spend_left >= limits.spend"), "spend_left 5..1000000");
    assert_eq!(reads("role == worker"), "true");
}

#[test]
fn wrong_guards_are_refused() {
    refused("wieght < 40", "U001", "wieght", "did you mean `weight`?");
    refused("available[beat]", "U001", "beat", "did you mean `beta`?");
    refused("size < smal", "U004", "smal", "did you mean `small`?");
    refused("weight == 101", "U004", "weight == 101", "range");
    refused("weight", "U003", "weight", "compare");
    refused("labels", "U003", "labels", "has label");
    refused("labels == red", "U003", "labels == red", "has any");
    refused("labels has blue", "U004", "blue", "known here: `green`, `red`");
    refused("taste < two", "U003", "taste < two", "in { .. }");
    refused("size has red", "U003", "size", "compare");
    refused("weight < weight", "U003", "weight < weight", "two different");
    refused("weight < 30s", "U003", "weight < 30s", "plain number");
    refused("limits.deadline < 30", "U003", "limits.deadline < 30", "unit");
    refused("limits.spnd < 3", "U001", "limits.spnd", "did you mean `spend`?");
    refused("target.regon == eu", "U001", "target.regon", "did you mean `target.region`?");
    refused("target.evidence >= sure", "U004", "sure", "asserted");
    refused("weight[beta] < 3", "U003", "beta", "without an index");
    refused("lineage < true", "U003", "lineage < true", "==");
    refused("size == 3", "U003", "size == 3", "one of its values");
    refused("taste in { one, one }", "U002", "one", "drop it");
}

#[test]
fn a_comparison_that_nothing_changes_is_noted() {
    let text = with(BASE, &[("class : class <= internal", "class : weight >= 0")]);
    let out = errors(&text, &[]);
    assert!(out.diagnostics.iter().any(|d| d.code == codes::CONSTANT_GUARD), "{}", told(&out));
    let text = with(BASE, &[("class : class <= internal", "class : weight > 100")]);
    assert_eq!(filter(&model(&text), "alpha", "class"), "false");
}

#[test]
fn a_rank_fact_decides_no_filter_guard_or_need() {
    let text = with(BASE, &[("class : class <= internal", "class : weight < 40 or cost < 5")]);
    let out = errors(&text, &[("RL402", "cost")]);
    let w = out.diagnostics[0].witness.clone().expect("a witness");
    let value = |facts: &[roadlaw_grammar::diagnostic::WitnessFact], name: &str| {
        facts.iter().find(|f| f.name == name).map(|f| f.value.clone()).expect("the fact")
    };
    assert_ne!(value(&w.facts, "cost[alpha]"), value(&w.other_facts, "cost[alpha]"));
    assert_eq!(value(&w.facts, "weight"), value(&w.other_facts, "weight"));
    errors(&with(BASE, &[("need cut when weight >= 40", "need cut when cost > 3")]), &[("RL402", "cost")]);
    let edge = "settle.unknown when cost[home] < 3 -> indeterminate\n    settle.unknown else -> lost";
    errors(&with(BASE, &[("settle.unknown -> indeterminate", edge)]), &[("RL402", "cost[home]")]);
}

#[test]
fn a_need_reads_what_cannot_change() {
    let text = with(BASE, &[("need cut when weight >= 40", "need cut when weight >= 40 or available")]);
    let out = low(&text);
    let codes: Vec<_> = out.diagnostics.iter().map(|d| d.code).collect();
    assert_eq!(codes, ["RL114"; 1].map(|c| c), "{}", told(&out));
}

#[test]
fn lets_are_read_for_the_road_and_never_in_a_cycle() {
    let text = plus(
        &with(BASE, &[("class : class <= internal", "class : dear")]),
        "let dear = cheap or spend_left > limits.spend\n let cheap = price_ok and true\n let price_ok = not paid",
    );
    assert_eq!(filter(&model(&text), "alpha", "class"), "spend_left 6..1000000");
    let text = plus(BASE, "let one_ = two_\n let two_ = one_");
    let out = low(&text);
    assert!(out.model.is_none());
    assert!(told(&out).contains("cycle: one_ -> two_ -> one_"), "{}", told(&out));
}

#[test]
fn an_own_fact_takes_the_place_of_the_shipped_ones() {
    let text = plus(
        BASE,
        "facts { sealed secret_parts : set { a, b } }\n let secretive = not secret_parts empty as local_only",
    );
    let m = model(&text);
    assert_eq!(filter(&m, "beta", "local_only"), "not secret_parts any 11");
    assert!(m.facts.iter().all(|f| f.name != "local_only"));
    assert!(matches!(road(&m, "beta").roles["local_only"].as_slice(), [RoleItem::Let(_)]));
    // Two of the policy's own with one role must both hold.
    let text = plus(
        BASE,
        "facts { sealed left : bool as lineage\n sealed right : bool as lineage\n sealed bad : bool as prohibited\n sealed worse : bool as prohibited }",
    );
    let m = model(&text);
    assert_eq!(filter(&m, "beta", "lineage"), "(left in [1] and right in [1])");
    assert_eq!(filter(&m, "beta", "prohibited"), "not (bad in [1] or worse in [1])");
}

#[test]
fn identity_is_four_facts() {
    let m = model(BASE);
    let want = "(identity_actor in [1] and identity_target[beta] in [1] and identity_policy in [1] and identity_purpose in [1])";
    assert_eq!(filter(&m, "beta", "identity"), want);
}

#[test]
fn a_role_has_a_type() {
    error(&plus(BASE, "facts { sealed w : int 0..3 as lineage }"), "U003", "lineage", "another role");
    error(&plus(BASE, "let ok_login = available[home] as login"), "U003", "login", "another role");
    error(&plus(BASE, "facts { volatile login : bool per road }"), "U003", "login", "another role");
}

#[test]
fn facts_that_nothing_reads_are_left_out_unless_they_are_the_author_s() {
    let m = model(BASE);
    let has = |name: &str| m.facts.iter().any(|f| f.name == name);
    assert!(has("taste") && has("labels") && has("cost[home]") && has("cost[beta]"));
    assert!(has("available[home]") && has("lineage") && has("revoked[alpha]"));
    assert!(!has("question_same") && !has("replay_proved") && !has("lineage[home]") && !has("revoked[home]"));
    let latches: Vec<_> = m.facts.iter().filter_map(|f| f.latch).collect();
    assert!(latches.contains(&Latch::Judged) && latches.iter().filter(|l| matches!(l, Latch::Tried(_))).count() == 3);
    assert!(latches.iter().any(|l| matches!(l, Latch::Left(_))) && !latches.contains(&Latch::Consumed));
    assert!(m.facts.iter().all(|f| (f.life == Life::Latch) == f.latch.is_some()));
    // The author's own come first, in source order.
    assert_eq!(m.facts[0].name, "taste");
    assert_eq!(m.facts[1].name, "labels");
}

#[test]
fn bad_declarations_of_facts_are_refused() {
    let fact = |f: &str| plus(BASE, &format!("facts {{ {f} }}"));
    error(&fact("sealed n : int 5..1"), "U004", "int 5..1", "int 1..5");
    error(&fact("sealed n : int 0..4294967296"), "U006", "int 0..4294967296", "stay within");
    error(&fact("sealed e : enum { a, b, a }"), "U002", "a", "");
    error(&fact("sealed n : int 0..5 unknown = 6"), "U004", "6", "range");
    error(&fact("sealed e : enum { a, b } unknown = c"), "U004", "c", "known here");
    error(&fact("latch n : bool"), "U008", "latch", "counter");
    error(&fact("sealed taste : bool"), "U002", "taste", "another name");
    error(&fact("sealed paid : bool"), "U008", "paid", "drop");
    error(&plus(BASE, "const taste = 4"), "U002", "taste", "another name");
    let labels: Vec<String> = (0..65).map(|i| format!("l{i}")).collect();
    let text = fact(&format!("sealed s : set {{ {} }}", labels.join(", ")));
    let out = low(&text);
    assert!(told(&out).contains("65 values, and at most 64 are allowed"), "{}", told(&out));
    let labels: Vec<String> = (0..64).map(|i| format!("l{i}")).collect();
    model(&fact(&format!("sealed s : set {{ {} }}", labels.join(", "))));
}

#[test]
fn constants_may_be_numbers_and_words() {
    let text = plus(
        &with(BASE, &[("class : class <= internal", "class : weight < top and target.region == home_region")]),
        "const top = 70\n const home_region = eu\n const portal_threshold = 30",
    );
    let m = model(&text);
    assert_eq!(filter(&m, "alpha", "class"), "weight 0..69");
    assert_eq!((m.constants["top"], m.constants["portal_threshold"], m.constants["forbidden_threshold"]), (70, 30, 90));
    error(&plus(BASE, "const top = 30s"), "U003", "30s", "");
}

#[test]
fn needs_are_read_for_each_road() {
    let m = model(&with(
        BASE,
        &[
            ("need cut when weight >= 40", "need cut when weight >= 40 or target.cut_required"),
            ("region us", "cut_required yes region us"),
        ],
    ));
    assert_eq!(spelled(&m, &road(&m, "alpha").need_cut), "weight 40..100");
    assert_eq!(road(&m, "beta").need_cut, Guard::True);
    assert_eq!(road(&m, "beta").need_durable, Guard::True);
    assert_eq!(spelled(&m, &road(&m, "home").need_durable), "reach in [1]");
    error(&plus(BASE, "need cut"), "U002", "need cut", "");
}

#[test]
fn a_need_that_no_value_holds_skips_its_step() {
    let m = model(&plus(BASE, "facts { sealed weight : int 0..39 }"));
    assert_eq!(road(&m, "alpha").need_cut, Guard::False);
    assert_eq!(port(&m, "minimize(alpha)", Outcome::Ok), ["next reserve(alpha)"]);
    assert!(m.nodes.iter().all(|n| !n.name.starts_with("cut")));
}
