//! `decide`, `trace`, `inspect` and `test` from end to end, for people and for programs.

use roadlaw_tests::{Program, Run, SHORTEST};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

fn roadlaw(folder: &Path) -> Program {
    Program::new(env!("CARGO_BIN_EXE_roadlaw-under-test"), folder)
}

/// A folder with the table of a policy, with names and without.
fn built(policy: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("p.road"), policy).expect("written");
    for arguments in [&["build", "p.road", "-o", "t.table"][..], &["build", "p.road", "-o", "s.table", "--strip"]] {
        let run = roadlaw(folder.path()).run(arguments);
        assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    }
    folder
}

fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples").join(name);
    fs::read_to_string(path).expect("an example")
}

fn with(folder: &tempfile::TempDir, command: &[&str], input: &str) -> Run {
    roadlaw(folder.path()).run_with(command, input.as_bytes())
}

fn decide(folder: &tempfile::TempDir, facts: &str) -> Value {
    let run = with(folder, &["decide", "t.table", "--facts", "-", "--format", "json"], facts);
    assert_eq!(run.code, 0, "{facts}: {}{}", run.out, run.err);
    run.json()
}

fn trace(folder: &tempfile::TempDir, events: &[&str]) -> Run {
    with(folder, &["trace", "t.table", "--events", "-", "--format", "json"], &events.join("\n"))
}

/// Every fact with which `gpt` of the shortest policy is open.
const OPEN: &str = r#""labels": [], "lineage": true, "prohibited": false, "identity_actor": true, "identity_policy": true,
    "identity_purpose": true, "identity_target[gpt]": true, "authority[gpt]": true, "permission[gpt]": true,
    "login[gpt]": "attested", "connection[gpt]": true, "terms[gpt]": true, "egress_transparent[gpt]": true,
    "retention_ok[gpt]": true, "revoked[gpt]": false, "expired[gpt]": false, "weight": 0, "available[gpt]": true"#;

fn open(more: &str) -> String {
    format!("{{{}{more}}}", OPEN.replace('\n', " "))
}

/// How a candidate of the first choose fared.
fn candidate<'a>(decided: &'a Value, road: &str) -> &'a Value {
    let list = decided["chooses"][0]["candidates"].as_array().expect("candidates");
    list.iter().find(|c| c["road"] == road).expect("the road")
}

#[test]
fn decide_names_the_road_and_what_closes_the_others() {
    let folder = built(SHORTEST);
    let d = decide(&folder, r#"{"labels": ["client"], "available": {"llama": true}}"#);
    assert_eq!((&d["decision"], &d["road"], &d["place"]), (&json!("road"), &json!("llama"), &json!("call(llama)")));
    assert_eq!(d["policy"], "app.ask@1");
    assert_eq!(d["digest"].as_str().map(str::len), Some(64));
    assert_eq!(candidate(&d, "llama"), &json!({ "road": "llama", "status": "chosen", "closed_by": null }));
    let closed = &candidate(&d, "gpt")["closed_by"];
    assert_eq!((&closed["kind"], &closed["reason"]), (&json!("filter"), &json!("lineage")));
    assert_eq!(closed["reads"], json!({ "lineage": null }));
    // The attempt is due before the call, with what the caller must see to.
    let names: Vec<&str> = d["path"].as_array().expect("a path").iter().filter_map(|s| s["node"].as_str()).collect();
    assert!(names.starts_with(&["start", "classify", "choose"]), "{names:?}");
    assert_eq!(names.last(), Some(&"call(llama)"));
    assert!(d["obligations"].as_array().expect("a list").contains(&json!("fresh_identity")), "{d}");
}

#[test]
fn decide_follows_the_order_and_says_who_ranks_behind() {
    let folder = built(SHORTEST);
    let d = decide(&folder, &open(r#", "available[llama]": true"#));
    assert_eq!((&d["road"], &candidate(&d, "gpt")["status"]), (&json!("llama"), &json!("open")));
    let d = decide(&folder, &open(r#", "available[llama]": false"#));
    assert_eq!((&d["road"], &d["place"]), (&json!("gpt"), &json!("send(gpt)")));
    assert_eq!(candidate(&d, "llama")["closed_by"]["reason"], "available");
    assert_eq!(candidate(&d, "llama")["closed_by"]["reads"], json!({ "available[llama]": "false" }));
}

#[test]
fn a_refusal_is_a_decision() {
    let folder = built(SHORTEST);
    let d = decide(&folder, "{}");
    assert_eq!((&d["decision"], &d["road"]), (&json!("refusal"), &Value::Null));
    assert_eq!(d["place"], "pending_no_road");
    let d = decide(&folder, &open("").replace(r#""labels": []"#, r#""labels": ["secret"]"#));
    assert_eq!(candidate(&d, "gpt")["closed_by"]["reason"], "local_only");
    assert_eq!(candidate(&d, "gpt")["closed_by"]["reads"], json!({ "labels": "{ secret }" }));
}

#[test]
fn latches_of_an_earlier_run_close_roads() {
    let folder = built(SHORTEST);
    let d = decide(&folder, &open(r#", "available": {"llama": true}, "tried": {"llama": true}"#));
    assert_eq!(candidate(&d, "llama")["closed_by"], json!({ "kind": "tried", "reason": "tried" }));
    assert_eq!(d["road"], "gpt");
    let d = decide(&folder, &open(r#", "judged": true"#));
    for road in ["llama", "gpt"] {
        assert_eq!(candidate(&d, road)["closed_by"]["kind"], "judged");
    }
    assert_eq!(d["decision"], "refusal");
}

#[test]
fn people_read_the_same_decision() {
    let folder = built(SHORTEST);
    let run = with(&folder, &["decide", "t.table", "--facts", "-"], r#"{"labels": [], "available[llama]": true}"#);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines[0], "llama  at call(llama)  policy app.ask@1");
    assert!(lines.contains(&"    llama  chosen"), "{}", run.out);
    assert!(
        lines.contains(&"    gpt    closed by `lineage`: lineage  (lineage is unknown, counts as false)"),
        "{}",
        run.out
    );
    assert!(run.out.contains("passes  start -> classify -> choose -> "), "{}", run.out);
    assert!(run.out.contains("obligations  lease_fence, fresh_identity at attempt(llama)"), "{}", run.out);
}

#[test]
fn a_stripped_table_is_spoken_to_by_ids() {
    let folder = built(SHORTEST);
    let named = roadlaw(folder.path()).run(&["inspect", "t.table", "--format", "json"]).json();
    let facts = named["facts"].as_array().expect("facts");
    let id = |name: &str| facts.iter().find(|f| f["name"] == name).and_then(|f| f["id"].as_u64()).expect("the fact");
    let input = format!("{{\"fact {}\": [\"label 2\"], \"fact {}\": true}}", id("labels"), id("available[llama]"));
    let run = with(&folder, &["decide", "s.table", "--facts", "-", "--format", "json"], &input);
    let d = run.json();
    assert_eq!((run.code, &d["road"], &d["policy"]), (0, &json!("road 0"), &Value::Null), "{}", run.out);
    assert_eq!(candidate(&d, "road 1")["status"], "closed");
    let run = with(&folder, &["decide", "s.table", "--facts", "-", "--format", "json"], "{\"labels\": []}");
    assert_eq!((run.code, run.codes()), (2, vec!["F003".to_owned()]), "{}", run.out);
    let stripped = roadlaw(folder.path()).run(&["inspect", "s.table", "--format", "json"]).json();
    assert_eq!(stripped["stripped"], true);
    assert_eq!(stripped["facts"].as_array().map(Vec::len), Some(facts.len()));
}

#[test]
fn a_trace_goes_where_the_outcomes_lead() {
    let folder = built(SHORTEST);
    let facts = r#"{"facts": {"labels": [], "available": {"llama": true}}}"#;
    let ok = r#"{"outcome": "ok"}"#;
    let acked = r#"{"outcome": "ok", "ack": ["lease_fence", "fresh_identity"]}"#;
    let run = trace(&folder, &[facts, ok, ok, ok, ok, acked]);
    let t = run.json();
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert_eq!((&t["start"], &t["place"], &t["ended"]), (&json!("start"), &json!("call(llama)"), &json!(false)));
    assert_eq!((&t["generation"], &t["epoch"], &t["road"]), (&json!(1), &json!(1), &json!("llama")));
    let steps = t["steps"].as_array().expect("steps");
    assert_eq!(steps.len(), 5);
    assert_eq!(steps[0]["line"], 2);
    assert_eq!((&steps[2]["outcome"], &steps[2]["decision"]["road"]), (&json!("chosen"), &json!("llama")));
    assert_eq!(steps[3]["obligations"], json!(["lease_fence", "fresh_identity"]));
    // Without a list all obligations are met.
    let brief = trace(&folder, &[facts, ok, ok, ok, ok, ok]).json();
    assert_eq!((&brief["place"], &brief["open_obligations"]), (&json!("call(llama)"), &json!([])));
    // The call fails: the run ends in a refusal.
    let run = trace(&folder, &[facts, ok, ok, ok, ok, acked, r#"{"outcome": "failed", "facts": {}}"#]);
    let t = run.json();
    assert_eq!((run.code, &t["ended"], &t["refused"]), (0, &json!(true), &Value::Null), "{}", run.out);
    assert!(t["place"].as_str().is_some_and(|p| p.starts_with("refused")), "{}", run.out);
}

#[test]
fn a_refused_event_stops_the_trace_and_says_why() {
    let folder = built(SHORTEST);
    let facts = r#"{"facts": {"labels": [], "available": {"llama": true}}}"#;
    let ok = r#"{"outcome": "ok"}"#;
    let acked = r#"{"outcome": "ok", "ack": ["lease_fence", "fresh_identity"]}"#;
    let to_call = [facts, ok, ok, ok, ok, acked];
    let cases: [(Vec<&str>, &str, u64, &str, &str); 6] = [
        (vec![facts, r#"{"outcome": "declined"}"#], "start", 2, "cannot have the outcome `declined`", "`ok`"),
        (vec![facts, ok, ok, r#"{"outcome": "failed"}"#], "choose", 4, "`choose` cannot have", "`ok`"),
        (
            vec![facts, ok, ok, ok, ok, r#"{"outcome": "ok", "ack": ["fresh_identity"]}"#],
            "attempt(llama)",
            6,
            "not acknowledged: `lease_fence`",
            "\"ack\": [\"lease_fence\"]",
        ),
        ([&to_call[..], &[ok]].concat(), "call(llama)", 7, "stale", "\"facts\""),
        (
            [&to_call[..], &[r#"{"outcome": "ok", "facts": {}, "generation": 0}"#]].concat(),
            "call(llama)",
            7,
            "another attempt",
            "old attempt",
        ),
        (vec!["{\"facts\": {}}", ok, ok, ok, ok], "pending_no_road", 5, "has ended", ""),
    ];
    for (events, place, line, message, help) in cases {
        let run = trace(&folder, &events);
        let t = run.json();
        assert_eq!((run.code, t["place"].as_str()), (1, Some(place)), "{events:?}: {}{}", run.out, run.err);
        let refused = &t["refused"];
        assert_eq!(refused["line"], line, "{}", run.out);
        assert!(refused["message"].as_str().is_some_and(|m| m.contains(message)), "{message}: {}", run.out);
        assert!(refused["help"].as_str().unwrap_or("").contains(help), "{help}: {}", run.out);
        let d = &t["diagnostics"][0];
        assert_eq!((d["code"].as_str(), d["span"]["line"].as_u64()), (Some("F005"), Some(line)));
    }
    let events = [facts, ok, ok, ok, ok, r#"{"outcome": "ok", "ack": []}"#].join("\n");
    let run = with(&folder, &["trace", "t.table", "--events", "-"], &events);
    assert_eq!(run.code, 1);
    for words in [
        "start  start",
        "-> choose",
        "gpt    closed by `lineage`",
        "error[F005]",
        "stdin:6:1",
        "refused  at attempt(llama)",
    ] {
        assert!(run.out.contains(words), "{words}: {}", run.out);
    }
}

#[test]
fn facts_read_later_change_what_is_decided_later() {
    let folder = built(SHORTEST);
    let ok = r#"{"outcome": "ok"}"#;
    let late = format!("{{\"facts\": {}, \"outcome\": \"ok\"}}", open(r#", "available[llama]": false"#));
    let first = r#"{"facts": {"labels": ["client"], "available[llama]": true}}"#;
    let run = trace(&folder, &[first, ok, ok, &late]);
    assert_eq!((run.code, &run.json()["place"]), (0, &json!("minimize(gpt)")), "{}", run.out);
}

#[test]
fn a_latch_is_given_before_the_run_and_not_during_it() {
    let folder = built(SHORTEST);
    let ok = r#"{"outcome": "ok"}"#;
    let facts = r#"{"facts": {"labels": [], "available": {"llama": true}, "tried[llama]": true}}"#;
    let run = trace(&folder, &[facts, ok, ok, ok]);
    assert_eq!((run.code, &run.json()["place"]), (0, &json!("pending_no_road")), "{}", run.out);
    let run = trace(&folder, &[ok, r#"{"facts": {"judged": true}}"#]);
    assert_eq!((run.code, run.codes()), (2, vec!["F004".to_owned()]), "{}", run.out);
}

#[test]
fn badly_formed_events_are_all_reported() {
    let folder = built(SHORTEST);
    let run = trace(
        &folder,
        &[
            "{\"facts\": {}}",
            "{\"outcome\": \"expird\"}",
            "{}",
            "{\"ack\": [1, \"lease\"]}",
            "{\"flow\": \"nowhere\"}",
            "[]",
        ],
    );
    let all = run.json()["diagnostics"].as_array().cloned().unwrap_or_default();
    let lines: Vec<_> = all.iter().filter_map(|d| d["span"]["line"].as_u64()).collect();
    assert_eq!((run.code, lines), (2, vec![2, 3, 4, 4, 5, 6]), "{}", run.out);
    assert!(all.iter().all(|d| d["code"] == "F005"), "{}", run.out);
    assert_eq!(all[0]["help"], "did you mean `expired`?");
}

#[test]
fn inspect_shows_everything_that_the_bytes_say() {
    let folder = built(&example("review.road"));
    let bytes = fs::read(folder.path().join("t.table")).expect("a table");
    let run = roadlaw(folder.path()).run(&["inspect", "t.table", "--format", "json"]);
    let v = run.json();
    assert_eq!((run.code, &v["policy"], &v["bytes"]), (0, &json!("gate.review@2"), &json!(bytes.len())));
    for (field, at) in [("digest", 32), ("model_digest", 64), ("proof_digest", 96)] {
        let hex: String = bytes[at..at + 32].iter().map(|b| format!("{b:02x}")).collect();
        assert_eq!(v[field], json!(hex), "{field}");
    }
    // Header and padded sections are the whole file.
    let sections = v["sections"].as_array().expect("sections");
    let padded: u64 = sections.iter().filter_map(|s| s["bytes"].as_u64()).map(|n| n.next_multiple_of(8)).sum();
    assert_eq!(v["header_bytes"].as_u64().map(|h| h + padded), Some(bytes.len() as u64));
    let facts = v["facts"].as_array().expect("facts");
    let taste = facts.iter().find(|f| f["name"] == "taste").expect("the fact");
    assert_eq!((&taste["type"], &taste["unknown"]), (&json!("enum { quick, thorough, no_paid }"), &json!("no_paid")));
    let api = &v["roads"][0];
    assert_eq!((&api["name"], &api["shape"], &api["reviewer"]), (&json!("api"), &json!("portal"), &json!(true)));
    let filters = api["filters"].as_array().expect("filters");
    let guard = |name: &str| filters.iter().find(|f| f["name"] == name).map(|f| f["guard"].clone());
    assert_eq!(guard("class"), Some(json!("class <= internal")));
    assert_eq!(guard("login"), Some(json!("login[api] >= probed")));
    assert_eq!(guard("forbidden"), Some(json!("weight <= 89 or consent")));
    let choose = &v["chooses"][0];
    assert_eq!((&choose["node"], &choose["by"]), (&json!("choose"), &json!("taste")));
    assert_eq!(choose["profiles"][0]["keys"][0], json!(["price[api]", "price[agent]", "price[peer]", "price[person]"]));
    assert_eq!(choose["profiles"][1]["order"], json!(["person", "api", "agent", "peer"]));
    let nodes = v["flows"][0]["nodes"].as_array().expect("nodes");
    let repair = nodes.iter().find(|n| n["name"] == "repair(author)").expect("the node");
    let ok =
        &repair["ports"].as_array().expect("ports").iter().find(|p| p["outcome"] == "ok").expect("the port")["edges"];
    assert_eq!(
        (&ok[0]["kind"], &ok[0]["counter"], &ok[0]["to"]),
        (&json!("loop"), &json!("repairs"), &json!("classify"))
    );
    assert_eq!((&ok[1]["rank"], &ok[1]["to"]), (&json!("spent"), &json!("refused(not_good_enough)")));
    let minimize = nodes.iter().find(|n| n["name"] == "minimize(api)").expect("the node");
    assert!(
        minimize["ports"][0]["edges"][0]["guard"].as_str().is_some_and(|g| g.contains("weight >= 40")),
        "{minimize}"
    );
}

#[test]
fn people_read_the_same_listing() {
    let folder = built(&example("review.road"));
    let run = roadlaw(folder.path()).run(&["inspect", "t.table"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    for line in [
        "policy    gate.review@2",
        "     0  repairs = 2",
        "     0  api  portal, remote, reviewer",
        "          forbidden          : weight <= 89 or consent",
        "     0  choose { api, agent, peer, person } by taste",
        "          thorough : order person, api, agent, peer",
        "          ok -loop-> classify takes repairs",
    ] {
        assert!(run.out.lines().any(|l| l == line), "{line}: {}", run.out);
    }
}

#[test]
fn tests_pass_on_the_table_or_say_where_the_run_is() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("good.road"), SHORTEST).expect("written");
    let wrong = SHORTEST.replace("=> pending_no_road because", "=> send(gpt) because");
    fs::write(folder.path().join("wrong.road"), wrong).expect("written");
    let other = SHORTEST.replace("because gpt: local_only", "because gpt: lineage");
    fs::write(folder.path().join("other.road"), other).expect("written");
    let program = roadlaw(folder.path());
    let run = program.run(&["test", "good.road", "--format", "json"]);
    assert_eq!(run.code, 0, "{}", run.out);
    assert_eq!(run.json()["tests"], json!([{ "name": "labelled stays", "passed": true }]));
    assert!(program.run(&["test", "good.road"]).out.contains("1 test"));
    let run = program.run(&["test", "wrong.road", "--format", "json"]);
    let d = &run.json()["diagnostics"][0];
    assert_eq!((run.code, d["code"].as_str(), d["span"]["line"].as_u64()), (1, Some("T001"), Some(15)), "{}", run.out);
    assert!(d["label"].as_str().is_some_and(|l| l.contains("`pending_no_road`")), "{}", run.out);
    assert!(d["notes"].to_string().contains("`gpt` by `local_only`"), "{}", run.out);
    let run = program.run(&["test", "good.road", "other.road"]);
    assert_eq!(run.code, 1, "{}", run.out);
    assert!(run.out.contains("`gpt` is closed by `local_only`, not by `lineage`"), "{}", run.out);
}

#[test]
fn an_unknown_latch_is_closed_in_a_test() {
    let folder = tempfile::tempdir().expect("a folder");
    let old = "std.clear { labels { client }, not available[llama] } => pending_no_road because gpt: local_only";
    assert!(SHORTEST.contains(old));
    for (setting, because) in [("judged unknown", "llama: judged, gpt: judged"), ("judged", "gpt: judged")] {
        let new = format!("std.clear {{ labels {{ client }}, {setting} }} => pending_no_road because {because}");
        fs::write(folder.path().join("p.road"), SHORTEST.replace(old, &new)).expect("written");
        let run = roadlaw(folder.path()).run(&["test", "p.road"]);
        assert_eq!(run.code, 0, "{setting}: {}{}", run.out, run.err);
    }
}
