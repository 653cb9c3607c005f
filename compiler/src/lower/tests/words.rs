//! Questions, records, exports and what own nodes are for.

use super::*;

const BETA: &str = "road beta  : native portal to beta with view { limits all";

fn asking(question: &str) -> String {
    with(BASE, &[(BETA, &format!("{BETA} {question}"))])
}

#[test]
fn a_question_is_the_policys_own_but_for_what_the_road_names() {
    let m = model(&asking("question { rubric \"r@1\" }"));
    let own = &road(&m, "alpha").question;
    assert_eq!((own.input.as_str(), own.rubric.as_deref(), own.contract.as_str()), ("i@1", None, "o@1"));
    let other = &road(&m, "beta").question;
    assert_eq!((other.input.as_str(), other.rubric.as_deref(), other.contract.as_str()), ("i@1", Some("r@1"), "o@1"));
    assert_eq!(own.difference(other), ["rubric"]);
    let m = model(&asking("question { contract \"o@1\" input \"i@1\" }"));
    assert!(road(&m, "alpha").question.difference(&road(&m, "beta").question).is_empty());
}

#[test]
fn slips_in_questions_are_told_where_they_are() {
    error(&asking("question { rubrik \"r@1\" }"), "U001", "rubrik", "did you mean `rubric`?");
    error(&asking("question { \"rubric\" \"r@1\" }"), "U001", "\"rubric\"", "");
    error(&asking("question { rubric \"r@1\" rubric \"r@2\" }"), "U002", "rubric", "");
    error(&asking("question { rubric \"r@1\" } question { }"), "U002", "question", "");
    error(&asking("question { rubric \" \" }"), "U003", "\" \"", "a version");
    error(&asking("question { rubric plain }"), "U003", "plain", "a version");
    error(&asking("question { }"), "U008", "question", "the policy's own");
}

#[test]
fn rl309_no_edge_declares_another_question() {
    let loops = "accept.negative -> refused(answer)";
    assert!(BASE.contains(loops), "the base policy has changed");
    let asks = "accept.negative -loop-> classify changes { question } takes rounds";
    error(&with(BASE, &[(loops, asks)]), "RL309", "question", "drop `question`");
    let repairs = "accept.negative -> repair(home) -loop-> classify changes { question } takes rounds\n\
                   repair(home).failed -> refused(repair)";
    let out = low(&with(BASE, &[(loops, repairs)]));
    let codes: Vec<&str> = out.diagnostics.iter().filter(|d| d.message.contains("repair")).map(|d| d.code).collect();
    assert_eq!(codes, ["U009"], "{}", told(&out));
}

const ACCEPTED: &str = "run.ok -> accept -> done";

/// The base policy with nodes of its own after adoption.
fn keeping(chain: &str, nodes: &str) -> String {
    with(BASE, &[(ACCEPTED, &format!("run.ok -> accept -> {chain} -> done\n{nodes}"))])
}

#[test]
fn nodes_say_what_they_do_with_what_is_found() {
    use crate::model::Duty;
    let nodes = "node look : own as search\nnode keep : effect(shelf) as storage\n\
                 look.failed, keep.others -> refused(library)";
    let m = model(&keeping("look -> ingest -> keep", &format!("{nodes}\ningest.others -> refused(library)")));
    let duties: Vec<_> = m.nodes.iter().filter_map(|n| n.duty.map(|d| (n.name.as_str(), d))).collect();
    let want = [
        ("look", Duty::Search),
        ("ingest.provenance", Duty::Provenance),
        ("ingest.rights", Duty::Rights),
        ("ingest.storage", Duty::Storage),
        ("keep(shelf)", Duty::Storage),
    ];
    for pair in want {
        assert!(duties.contains(&pair), "{duties:?}");
    }
    assert_eq!(duties.len(), want.len(), "{duties:?}");
}

#[test]
fn slips_in_roles_of_nodes_are_told_where_they_are() {
    let own = |role: &str| keeping("look", &format!("node look : {role}\nlook.others -> refused(library)"));
    error(&own("own as serach"), "U001", "serach", "did you mean `search`?");
    error(&own("own as weight"), "U001", "weight", "the roles are `search`, `provenance`");
    error(&own("consume as search"), "U003", "search", "`own`");
    error(&own("effect(shelf) as rights"), "U003", "rights", "own as rights");
    error(&own("consume as provenance"), "U003", "provenance", "accept what a road answers");
}

fn saying(item: &str) -> String {
    plus(BASE, item)
}

#[test]
fn records_and_exports_are_kept_as_written() {
    let m = model(&saying(
        "record { retention, subject }\nexport id : opaque\n\
         export seen : digest of prompt keyed by retention, epoch, class, purpose, consumer\nexport bad : sha256(payload)",
    ));
    let fields: Vec<&str> = m.record.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(fields, ["retention", "subject"]);
    let forms: Vec<_> = m.exports.iter().map(|e| (e.form.as_str(), e.of.as_deref(), e.keyed.len())).collect();
    assert_eq!(forms, [("opaque", None, 0), ("digest", Some("prompt"), 5), ("sha256", Some("payload"), 0)]);
}

#[test]
fn slips_in_records_and_exports_are_told_where_they_are() {
    error(&saying("record { retention, retention }"), "U002", "retention", "drop it");
    error(&saying("record { node } record { road }"), "U002", "record { road }", "drop it");
    error(&saying("export a : opaque export a : count"), "U002", "a", "drop it");
    error(&saying("export a : digest"), "U008", "digest", "digest of input");
    error(&saying("export a : digest(input)"), "U008", "input", "digest of input");
    error(&saying("export a : count of prompt"), "U008", "prompt", "export a : count");
    let keyed = |of: &str, scopes: &str| saying(&format!("export a : digest of {of} keyed by {scopes}"));
    let all = "consumer, purpose, class, epoch, retention";
    error(&keyed("promt", all), "U001", "promt", "did you mean `prompt`?");
    error(&keyed("weather", all), "U001", "weather", "a field of a projection");
    error(&keyed("api_key", all), "RL006", "api_key", "");
    error(
        &keyed("input", "consumer, purpose, class, key_epoch, retention"),
        "U001",
        "key_epoch",
        "did you mean `epoch`?",
    );
    error(&keyed("input", "consumer, purpose, class, epoch, retention, week"), "U001", "week", "`consumer`, `purpose`");
    error(&keyed("input", "consumer, consumer, purpose, class, epoch, retention"), "U002", "consumer", "drop it");
}
