//! Laws that need no proof.

use super::*;

#[test]
fn rl001_every_pin_is_written() {
    error(
        &with(BASE, &[(" purpose \"y\"", "")]),
        "RL001",
        "pins { pattern \"p@1\" spell \"s\" placement \"x\" input \"i@1\" output \"o@1\" error \"e@1\" noncompletion \"n@1\" }",
        "purpose",
    );
    error(&with(BASE, &[("purpose \"y\"", "purpose \"\"")]), "RL001", "\"\"", "version");
    error(&with(BASE, &[("purpose \"y\"", "purpose \"y\" purpse \"z\"")]), "U001", "purpse", "did you mean `purpose`?");
    error(&with(BASE, &[("purpose \"y\"", "purpose \"y\" purpose \"z\"")]), "U002", "purpose", "");
}

#[test]
fn rl002_a_peer_is_named_by_what_it_publishes() {
    error(&with(PEERS, &[("task_schema \"task@1\" ", "")]), "RL002", "desk", "task_schema");
    let road = "road desk : peer opaque to desk with task {\n    limits all continuity durable_job authorisation \"grant@1\" return outbox";
    error(&with(PEERS, &[(road, &road.replace(" authorisation \"grant@1\"", ""))]), "RL002", "desk", "authorisation");
    error(&with(PEERS, &[(road, &road.replace(" return outbox", ""))]), "RL002", "desk", "outbox");
    error(&with(PEERS, &[(road, &road.replace("return outbox", "return memory"))]), "RL002", "desk", "outbox");
    error(&with(PEERS, &[("peer \"desk\"", "peer \"desk\" model \"x\"")]), "RL002", "model \"x\"", "drop");
    error(&with(PEERS, &[(road, &format!("{road} tools \"all\""))]), "RL002", "tools \"all\"", "own affair");
    error(
        &with(PEERS, &[("road desk : peer opaque to desk with task", "road desk : peer opaque to desk")]),
        "RL002",
        "desk",
        "with",
    );
}

#[test]
fn rl003_a_job_is_contained() {
    error(
        &with(
            PEERS,
            &[(
                "artifacts { patch \"patch@1\" }\n    network gate_only budget 5 cents timeout 45m cancel kill\n    filters { use std.filters.coding }",
                "network gate_only budget 5 cents timeout 45m cancel kill\n    filters { use std.filters.coding }",
            )],
        ),
        "RL003",
        "box",
        "contained",
    );
    error(&with(PEERS, &[("durable_job profile candidate", "durable_job")]), "RL003", "box", "contained");
    error(
        &with(
            PEERS,
            &[
                ("durable_job profile candidate", "durable_job profile verify"),
                ("\"box\" profile candidate", "\"box\" profile verify"),
            ],
        ),
        "RL003",
        "write",
        "candidate",
    );
    let roots = |r: &str| with(PEERS, &[("{ \"src\" write \"docs/a\" read }", r)]);
    error(&roots("{ \"src\" write \"../x\" read }"), "RL003", "\"../x\"", "relative");
    error(&roots("{ \"src\" write \"/x\" read }"), "RL003", "\"/x\"", "relative");
    error(&roots("{ \".\" write }"), "RL003", "\".\"", "relative");
    error(&roots("{ \"\" write }"), "RL003", "\"\"", "relative");
    error(&roots("{ \"src\" write \"src/a\" read }"), "RL003", "\"src/a\"", "disjoint");
    error(&roots("{ \"src\" write \"src\" read }"), "RL003", "\"src\"", "once");
    error(&roots("{ \"src\" write \"srcs\" see }"), "RL003", "see", "read");
    model(&roots("{ \"src\" write \"srcs\" read }"));
    let network = "artifacts { patch \"patch@1\" }\n    network gate_only budget 5 cents timeout 45m cancel kill\n    filters { use std.filters.coding }";
    error(&with(PEERS, &[(network, &network.replace("gate_only", "open"))]), "RL003", "open", "gate_only");
    error(
        &with(PEERS, &[(network, &network.replace("network gate_only", "network gate_only direct_provider true"))]),
        "RL003",
        "direct_provider true",
        "gate_only",
    );
    error(&with(PEERS, &[(network, &network.replace("45m", "45"))]), "RL003", "45", "time");
    error(&with(PEERS, &[(" through call to box", " to box")]), "RL003", "box", "through");
    error(&with(PEERS, &[("through call to box", "through desk to box")]), "RL003", "desk", "portal");
}

#[test]
fn rl004_a_portal_s_target_is_whole_and_verified_where_it_decides() {
    error(&with(BASE, &[("region us ", "")]), "RL004", "beta", "region");
    error(
        &with(BASE, &[("road beta  : native portal to beta with view", "road beta  : native portal to beta")]),
        "RL004",
        "beta",
        "with",
    );
    error(
        &with(BASE, &[("road beta  : native portal to beta with view", "road beta  : native portal with view")]),
        "RL004",
        "beta",
        "target NAME : portal",
    );
    let asserted = with(
        BASE,
        &[(
            "region us custody direct retention none training none evidence verified",
            "region us custody direct retention none training none evidence asserted",
        )],
    );
    model(&asserted);
    let filter = "view { limits all filters { use std.filters.portal } }";
    let text = with(
        &asserted,
        &[(filter, "view { limits all filters { use std.filters.portal  where : target.region == us } }")],
    );
    error(&text, "RL004", "target.region", "evidence verified");
    error(
        &plus(&asserted, "never send(any) unless target.region in { eu, us }"),
        "RL004",
        "target.region",
        "evidence verified",
    );
    model(&plus(&asserted, "never send(any) unless target.evidence >= asserted"));
}

#[test]
fn rl005_a_seat_is_no_destination() {
    error(
        &with(BASE, &[("target beta : portal", "target beta : subscription_bridge")]),
        "RL005",
        "subscription_bridge",
        "classify",
    );
    error(
        &with(
            BASE,
            &[(
                "service \"s\" model \"m\" operation \"o\" origin \"https://b.example\"",
                "service \"operator_seat\" model \"m\" operation \"o\" origin \"https://b.example\"",
            )],
        ),
        "RL005",
        "\"operator_seat\"",
        "classify",
    );
}

#[test]
fn rl006_no_credentials() {
    let attr = |a: &str| with(BASE, &[("region us", &format!("{a} region us"))]);
    error(&attr("api_key \"x\""), "RL006", "api_key", "opaque reference");
    error(&attr("openai_secret \"x\""), "RL006", "openai_secret", "opaque reference");
    let out = errors(
        &with(BASE, &[("origin \"https://b.example\"", "origin \"https://me:pw@b.example\"")]),
        &[("RL006", "\"https://me:pw@b.example\"")],
    );
    assert!(!told(&out).contains("me:pw"), "a credential is not repeated");
    error(&with(BASE, &[("purpose \"y\"", "purpose \"sk-live-12345\"")]), "RL006", "\"sk-live-12345\"", "history");
}

#[test]
fn rl007_no_road_picks_its_provider() {
    let road = "road beta  : native portal to beta with view { limits all";
    error(&with(BASE, &[(road, &format!("{road} fallback auto"))]), "RL007", "fallback auto", "-fallback->");
    error(&with(BASE, &[("region us", "routing auto region us")]), "RL007", "routing auto", "-fallback->");
    error(
        &with(BASE, &[("-loop-> classify takes rounds", "-fallback-> auto takes rounds")]),
        "RL007",
        "auto",
        "changes",
    );
    error(&with(BASE, &[("provider \"b\"", "provider \"auto\"")]), "RL007", "provider \"auto\"", "-fallback->");
}

#[test]
fn rl008_continuity_fits_the_road() {
    let beta = "road beta  : native portal to beta with view { limits all";
    error(
        &with(BASE, &[(beta, &format!("{beta} continuity live_session"))]),
        "RL008",
        "continuity live_session",
        "durable_job",
    );
    model(&with(BASE, &[("{ limits all { spend 0 } }", "{ limits all { spend 0 } continuity live_session }")]));
    let desk = "road desk : peer opaque to desk with task {\n    limits all continuity durable_job";
    error(
        &with(PEERS, &[(desk, &desk.replace("continuity durable_job", "continuity immediate"))]),
        "RL008",
        "continuity immediate",
        "durable_job",
    );
    error(&with(PEERS, &[(desk, &desk.replace(" continuity durable_job", ""))]), "RL008", "desk", "durable_job");
    error(&with(PEERS, &[("spend 0 } continuity durable_job", "spend 0 }")]), "RL008", "queued", "durable_job");
    error(
        &with(BASE, &[(beta, &format!("{beta} continuity durable_jobs"))]),
        "U004",
        "durable_jobs",
        "did you mean `durable_job`?",
    );
}

#[test]
fn rl009_ceilings_are_written_and_in_range() {
    let none = with(BASE, &[("deadline 30s ", "")]);
    errors(&none, &[("RL009", "home"), ("RL009", "alpha"), ("RL009", "beta")]);
    error(&with(BASE, &[("requests 1", "requests 0")]), "RL009", "0", "1 to");
    error(&with(BASE, &[("retries 0", "retries -1")]), "RL009", "-1", "0 to");
    error(&with(BASE, &[("deadline 30s", "deadline 999d")]), "RL009", "999d", "366d");
    error(&with(BASE, &[("tokens 10 in 10 out 20 total", "tokens 0 in 10 out 20 total")]), "RL009", "0", "1 to");
    error(&with(BASE, &[("requests 1", "requests 99999999999")]), "RL009", "99999999999", "1 to");
    error(&with(BASE, &[("requests 1", "requests 1s")]), "U003", "1s", "plain number");
    error(&with(BASE, &[("spend 5 cents", "spend 5")]), "U003", "5", "20 cents");
    error(&with(BASE, &[("deadline 30s", "deadline 30")]), "U003", "30", "30s");
    error(&with(BASE, &[("requests 1", "requets 1")]), "U001", "requets", "did you mean `requests`?");
    error(&with(BASE, &[("requests 1", "requests 1 requests 2")]), "U002", "requests", "");
    // A local road needs a deadline and concurrency alone.
    model(&with(
        BASE,
        &[(
            "road home  : native local_model { limits all { spend 0 } }",
            "road home  : native local_model { limits { deadline 1s concurrency 1 } }",
        )],
    ));
}

#[test]
fn rl010_every_role_has_a_fact() {
    let out = errors(&plus(BASE, "facts { sealed lineage : bool as origin_known }"), &[("RL010", "alpha")]);
    assert!(told(&out).contains("no fact has the role `lineage`, which roads `alpha`, `beta` need"), "{}", told(&out));
    assert!(out.model.is_none());
}

#[test]
fn owners_and_targets_fit() {
    let home = "road home  : native local_model {";
    error(&with(BASE, &[(home, "road home  : native opaque {")]), "U003", "opaque", "deterministic");
    error(&with(BASE, &[(home, "road home  : nativ local_model {")]), "U001", "nativ", "did you mean `native`?");
    error(
        &with(BASE, &[(home, "road home  : native {")]),
        "U008",
        "native",
        "write one of `deterministic`, `local_model`",
    );
    let out = low(&with(BASE, &[(home, "road home  : human {")]));
    assert!(told(&out).contains("names no cognition | write `human` after `human`"), "{}", told(&out));
    error(&with(BASE, &[(home, "road home  : native local_model to beta {")]), "U003", "beta", "drop");
    error(&with(BASE, &[(home, "road home  : native local_model carrier manual {")]), "U003", "manual", "queued");
    error(
        &with(BASE, &[("native portal to beta with view", "native portal to betta with view")]),
        "U001",
        "betta",
        "did you mean `beta`?",
    );
    error(
        &with(PEERS, &[("peer opaque to desk with task {\n", "peer opaque to gate with task {\n")]),
        "U003",
        "gate",
        "peer",
    );
    error(
        &with(BASE, &[("native portal to beta with view", "native portal to beta with veiw")]),
        "U001",
        "veiw",
        "did you mean `view`?",
    );
    error(&with(BASE, &[("region us", "regin us region us")]), "U001", "regin", "did you mean `region`?");
    error(&with(BASE, &[("region us", "region eu region us")]), "U002", "region", "");
    error(
        &with(
            BASE,
            &[(
                "road beta  : native portal to beta with view { limits all",
                "road beta  : native portal to beta with view { limits all contnuity immediate",
            )],
        ),
        "U001",
        "contnuity",
        "did you mean `continuity`?",
    );
    error(
        &with(
            BASE,
            &[(
                "road beta  : native portal to beta with view { limits all",
                "road beta  : native portal to beta with view { limits al",
            )],
        ),
        "U001",
        "al",
        "did you mean `all`?",
    );
    error(
        &with(BASE, &[("use std.filters.portal  class", "use std.filters.portl  class")]),
        "U001",
        "std.filters.portl",
        "std.filters.portal",
    );
}

#[test]
fn filters_used_together_must_all_hold() {
    let text = with(BASE, &[("class : class <= internal", "login : login >= attested  class : class <= internal")]);
    assert_eq!(filter(&model(&text), "alpha", "login"), "(login[alpha] in [3, 4] and login[alpha] in [4])");
    error(
        &with(BASE, &[("class : class <= internal", "class : class <= internal class : lineage")]),
        "U002",
        "class",
        "",
    );
    let names: Vec<String> = road(&model(BASE), "beta").filters.iter().map(|f| f.name.clone()).collect();
    assert_eq!(
        names,
        [
            "lineage",
            "local_only",
            "prohibited",
            "identity",
            "authority",
            "permission",
            "login",
            "connection",
            "terms",
            "egress_transparent",
            "retention",
            "revoked",
            "expired",
            "forbidden",
            "available"
        ]
    );
    assert_eq!(road(&model(BASE), "home").filters[0].name, "available");
}

#[test]
fn reviewers_stand_in_a_group() {
    let group = |r: &str| {
        plus(
            BASE,
            &format!(
                "role reviewer floor {r} {{ road judge : native local_model {{ limits all {{ spend 0 }} filters {{ use std.filters.reviewer }} }} }}"
            ),
        )
    };
    let m = model(&group("medium"));
    assert_eq!(road(&m, "judge").reviewer, Some(1));
    assert_eq!(filter(&m, "judge", "assurance"), "assurance[judge] in [1, 2]");
    error(&group("mediun"), "U004", "mediun", "did you mean `medium`?");
    let text = with(BASE, &[("class : class <= internal", "class : assurance >= floor")]);
    error(&text, "U003", "floor", "role reviewer");
}

#[test]
fn presence_errors_leave_the_rest_provable() {
    let out = low(&with(BASE, &[(" purpose \"y\"", "")]));
    assert!(out.model.is_some());
    let out = low(&with(BASE, &[("class : class <= internal", "class : clas <= internal")]));
    assert!(out.model.is_none());
}
