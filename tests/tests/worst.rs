//! Worst cases: each path that the program shows is a run of the printed model, and its costs, added up here from the
//! printed ceilings, are the figure. Nothing of the compiler is used but its output.

use roadlaw_tests::{Program, policies, repository};
use serde_json::Value;

fn roadlaw() -> Program {
    Program::new(env!("CARGO_BIN_EXE_roadlaw-under-test"), &repository())
}

const MEASURES: [&str; 7] = ["transmissions", "requests", "tokens_in", "tokens_out", "tokens", "spend", "time"];

fn index(v: &Value) -> usize {
    usize::try_from(v.as_u64().expect("an id")).expect("small")
}

/// A figure that nothing bounds, `null` in the program's answer.
const NO_LIMIT: i64 = i64::MAX;

fn limited(figure: &Value) -> i64 {
    if figure.is_null() { NO_LIMIT } else { figure.as_i64().expect("a figure") }
}

/// What entering a node costs, in the order of `MEASURES`; `None` where it uses no road.
fn cost(model: &Value, node: &Value) -> Option<(usize, [i64; 7])> {
    let road = index(node["road"].is_u64().then_some(&node["road"])?);
    let r = &model["roads"][road];
    let kind = node["kind"].as_str().unwrap_or_default();
    let person = r["shape"] == "human" && kind.starts_with("await");
    if !matches!(kind, "send" | "call") && !person {
        return None;
    }
    // What is not written is none at home and with people, and bounds nothing elsewhere.
    let home = r["shape"] == "local" || r["shape"] == "human";
    let c = |name: &str| r["ceilings"][name].as_i64().unwrap_or(if home { 0 } else { NO_LIMIT });
    let sent = i64::from(kind == "send");
    let costs = [
        sent,
        if sent == 0 { 0 } else { c("retries").saturating_add(1) },
        c("tokens_in"),
        c("tokens_out"),
        c("tokens_total"),
        c("spend"),
        c("deadline"),
    ];
    Some((road, costs))
}

/// The sums over a path, and how often each road is used; the path is checked on the way.
fn walk(model: &Value, path: &Value) -> ([i64; 7], Vec<i64>) {
    let mut at = index(&model["flows"][0]["start"]);
    let mut sums = [0; 7];
    let mut used = vec![0; model["roads"].as_array().expect("roads").len()];
    let mut left: Vec<u64> =
        model["counters"].as_array().expect("counters").iter().map(|c| c["max"].as_u64().expect("max")).collect();
    let mut tried = vec![false; used.len()];
    let mut current = None;
    for e in path["edges"].as_array().expect("edges") {
        let edge = &model["edges"][index(e)];
        assert_eq!(index(&edge["from"]), at, "the path hangs together");
        let from = &model["nodes"][at];
        let kind = from["kind"].as_str().unwrap_or_default();
        if kind == "send" || kind == "call" || kind.starts_with("await") {
            current = from["road"].as_u64();
        }
        if edge["candidate"].is_u64() {
            assert!(!tried[index(&edge["candidate"])], "a tried road is chosen again");
            current = edge["candidate"].as_u64();
        }
        if edge["takes"].is_u64() {
            let c = index(&edge["takes"]);
            left[c] = left[c].checked_sub(1).expect("a counter is not overdrawn");
        }
        if edge["kind"] == "fallback"
            && let Some(r) = current
        {
            tried[usize::try_from(r).expect("small")] = true;
        }
        if kind == "repair" && edge["outcome"] == "ok" {
            tried.fill(false);
        }
        at = index(&edge["to"]);
        if let Some((road, costs)) = cost(model, &model["nodes"][at]) {
            used[road] += 1;
            sums.iter_mut().zip(costs).for_each(|(s, c)| *s = i64::saturating_add(*s, c));
        }
    }
    let steps = path["steps"].as_array().expect("steps").len();
    assert_eq!(steps, path["edges"].as_array().expect("edges").len() + 1);
    (sums, used)
}

#[test]
fn the_costs_of_each_path_add_up_to_its_figure() {
    let mut figures = 0;
    let mut files = policies("examples");
    files.extend(
        ["RL602", "RL603", "RL203", "RL306", "RL115"].iter().flat_map(|l| policies(&format!("tests/laws/{l}"))),
    );
    for file in files {
        let file = file.display().to_string();
        let checked = roadlaw().run(&["check", &file, "--format", "json"]).json();
        let model = roadlaw().run(&["model", &file]).json();
        let worst = &checked["worst_case"];
        if worst.is_null() {
            continue;
        }
        assert_eq!(worst["exact"], true, "{file}");
        let walked: Vec<_> = worst["paths"].as_array().expect("paths").iter().map(|p| walk(&model, p)).collect();
        for (i, name) in MEASURES.iter().enumerate() {
            let figure = &worst["run"][i];
            assert_eq!(figure["measure"], *name, "{file}");
            let most = limited(&figure["most"]);
            match figure["path"].as_u64() {
                Some(p) => assert_eq!(walked[usize::try_from(p).expect("small")].0[i], most, "{file}: {name}"),
                None => assert_eq!(most, 0, "{file}: {name}"),
            }
            // No other path that is shown is above it.
            assert!(walked.iter().all(|w| w.0[i] <= most), "{file}: {name}");
            figures += 1;
        }
        for (r, road) in worst["roads"].as_array().expect("roads").iter().enumerate() {
            assert_eq!(road["road"], model["roads"][r]["name"], "{file}");
            let uses = road["uses"].as_i64().expect("uses");
            match road["path"].as_u64() {
                Some(p) => assert_eq!(walked[usize::try_from(p).expect("small")].1[r], uses, "{file}: {road}"),
                None => assert_eq!(uses, 0, "{file}: {road}"),
            }
            assert!(walked.iter().all(|w| w.1[r] <= uses), "{file}: {road}");
            let c = model["nodes"].as_array().expect("nodes").iter().filter_map(|n| cost(&model, n)).find(|c| c.0 == r);
            for (i, name) in MEASURES.iter().enumerate().filter(|_| uses > 0) {
                let want = c.map(|c| c.1[i].saturating_mul(uses));
                assert_eq!(Some(limited(&road[*name])), want, "{file}: {name} of {road}");
            }
        }
    }
    assert!(figures >= 7 * 15, "{figures}");
}

/// Two roads in turn; the second is reached after the first only where `both` says so.
fn two(both: &str, ceiling: i64) -> String {
    format!(
        r#"edition 1
policy t.two@1 {{
  use std.facts
  use std.lanes
  pins {{ pattern "ask@1" spell "ask" placement "any" purpose "answer" input "q@1" output "a@1" error "e@1" noncompletion "n@1" }}
  facts {{ pinned deep : bool }}
  limits policy {{ deadline 60s requests 2 tokens 8_000 in 2_000 out {ceiling} total concurrency 1 spend 0 retries 0 fanout 1 rounds 1 uses 1 }}
  limits one {{ deadline 30s requests 1 tokens 4_000 in 1_000 out 5_000 total concurrency 1 spend 0 retries 0 fanout 1 rounds 1 uses 1 }}
  road small : native local_model {{ limits one }}
  road large : native local_model {{ limits one }}
  flow {{
    start -> classify -> pick
    node pick : own
    pick when deep -> big
    pick else -> first
    pick.failed -> refused(gate)
    choose first {{ small }} in order
    choose big {{ large }} in order
    first.small -> local(small)
    big.large -> local(large)
    first.none, big.none -> pending_no_road
    local(small).failed {both}
    local(small).failed else -> refused(road)
    local(large).failed -> refused(road)
    local.expired -> expired
    local.cancelled -> cancelled
    local.others -> refused(road)
    local.ok -> accept -> done
    accept.negative, accept.others -> refused(answer)
    else -> refused(gate)
  }}
}}
"#
    )
}

#[test]
fn a_ceiling_is_broken_only_by_a_run_that_facts_open() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("two.road");
    let check = |text: String| {
        std::fs::write(&path, text).expect("written");
        roadlaw().run(&["check", path.to_str().expect("a path"), "--format", "json"])
    };
    // The first road is taken only when not deep, the second after it only when deep: no run takes both.
    let closed = check(two("when deep -fallback-> big", 5_000));
    let json = closed.json();
    let tokens = json["worst_case"]["run"].as_array().expect("run").iter().find(|f| f["measure"] == "tokens").cloned();
    assert_eq!(tokens.expect("tokens")["most"], 10_000, "facts aside, both are used");
    assert!(!closed.codes().contains(&"RL602".to_owned()), "{}", closed.out);
    let open = check(two("when not deep -fallback-> big", 5_000));
    assert!(open.codes().contains(&"RL602".to_owned()), "{}", open.out);
    let open = open.json();
    let found = open["diagnostics"].as_array().expect("list").iter().find(|d| d["code"] == "RL602").cloned();
    let found = found.expect("RL602");
    assert!(
        found["notes"][0].as_str().is_some_and(|n| n.contains("call(small)") && n.ends_with("call(large)")),
        "{found}"
    );
    assert!(!found["witness"]["path"].as_array().expect("path").is_empty());
    assert!(!check(two("when not deep -fallback-> big", 10_000)).codes().contains(&"RL602".to_owned()));
}
