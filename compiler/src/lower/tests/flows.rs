//! Flows, lanes, ports, chooses, children.

use super::*;
use crate::model::{Change, NodeKind, Order, Shape};

fn lane_of(m: &Model, road: &str) -> String {
    let e = m.edges.iter().find(|e| e.candidate.is_some_and(|c| m.road(c).name == road)).expect("a port");
    let mut out = Vec::new();
    let mut at = e.to;
    for _ in 0..16 {
        out.push(m.node(at).kind.word().to_owned());
        let own = |n: &str| n.split(['(', '.']).next().unwrap_or_default().to_owned();
        let next = m
            .edges
            .iter()
            .rfind(|e| e.from == at && e.outcome == Outcome::Ok)
            .filter(|e| e.origin == EdgeOrigin::Lane || own(&m.node(e.to).name) == "cut");
        match next {
            Some(e) => at = e.to,
            None => break,
        }
    }
    out.join(" ")
}

#[test]
fn every_shape_has_its_lane() {
    let m = model(BASE);
    assert_eq!(lane_of(&m, "home"), "decide attempt call");
    let remote = "minimize cut verify reserve decide attempt checkpoint egress send";
    assert_eq!(lane_of(&m, "alpha"), remote);
    let m = model(PEERS);
    let remote = "minimize cut verify reserve decide attempt checkpoint egress send";
    assert_eq!(lane_of(&m, "desk"), remote);
    assert_eq!(lane_of(&m, "relayed"), format!("{remote} await"));
    assert_eq!(lane_of(&m, "box"), remote);
    assert_eq!(lane_of(&m, "pen"), "reserve decide attempt checkpoint send");
    assert_eq!(lane_of(&m, "queued"), "decide attempt checkpoint call await");
    assert_eq!(road(&m, "pen").shape, Shape::CodingLocal);
    assert!(!road(&m, "pen").remote && road(&m, "box").remote);
    assert!(
        m.nodes.iter().any(|n| n.kind == NodeKind::AwaitUser)
            && m.nodes.iter().any(|n| n.kind == NodeKind::AwaitExternal)
    );
}

#[test]
fn a_durable_local_road_is_checkpointed() {
    let m = model(&with(BASE, &[("{ limits all { spend 0 } }", "{ limits all { spend 0 } continuity durable_job }")]));
    assert_eq!(lane_of(&m, "home"), "decide attempt checkpoint call");
    assert!(road(&m, "home").leaves_invocation && road(&m, "home").derived.asynchronous);
}

#[test]
fn a_skipped_step_leads_around_its_whole_need() {
    let m = model(BASE);
    let edges: Vec<_> = m.edges.iter().filter(|e| m.node(e.from).name == "minimize(alpha)").collect();
    assert_eq!(m.node(edges[0].to).name, "reserve(alpha)");
    assert_eq!((edges[0].origin, edges[0].rank), (EdgeOrigin::Skip, EdgeRank::Guarded));
    assert_eq!(spelled(&m, &edges[0].guard), "not weight 40..100");
    assert_eq!(m.node(edges[1].to).name, "cut(alpha)");
    assert_eq!(edges[1].rank, EdgeRank::Else);
    assert_eq!(port(&m, "cut(alpha)", Outcome::Ok), ["next verify(alpha)"]);
}

#[test]
fn a_road_s_own_port_wins_over_that_of_all() {
    let m = model(POLICIES[0].1);
    assert_eq!(port(&m, "run(mistral).release(mistral)", Outcome::Ok), ["fallback resolve"]);
    assert_eq!(port(&m, "run(ovh).release(ovh)", Outcome::Ok), ["next refused(road)"]);
    let fallbacks: Vec<_> = m.edges.iter().filter(|e| e.kind == EdgeKind::Fallback).collect();
    assert!(fallbacks.iter().all(|e| e.changes.as_ref().is_some_and(|c| c.len() == 5 && c.contains(&Change::Model))));
    // `others` does not take an outcome that another edge names for all roads.
    let m =
        model(&with(BASE, &[("run.expired -> expired", "run.expired -> expired\n    alpha.others -> refused(alpha)")]));
    assert_eq!(port(&m, "send(alpha)", Outcome::Cancelled), ["next cancelled"]);
    assert_eq!(port(&m, "send(alpha)", Outcome::Refused), ["next refused(alpha)"]);
    assert_eq!(port(&m, "send(beta)", Outcome::Refused), ["next refused(road)"]);
}

#[test]
fn others_never_covers_what_may_have_been_submitted() {
    let out = errors(
        &with(
            BASE,
            &[
                "run.uncertain -> settle\n",
                "settle.effect -> accept\n    settle.unknown -> indeterminate\n    settle.others -> refused(road)\n",
            ]
            .map(|l| (l, "")),
        ),
        &[("RL703", "run")],
    );
    assert!(told(&out).contains("exit `uncertain` of `run`"), "{}", told(&out));
    errors(&with(BASE, &[("run.cancelled -> cancelled\n", "")]), &[("RL703", "run")]);
    errors(&with(BASE, &[("accept.negative -> refused(answer)\n", "")]), &[("RL703", "accept")]);
    errors(&with(BASE, &[("settle.unknown -> indeterminate\n", "")]), &[("RL703", "settle")]);
    errors(
        &with(
            PEERS,
            &[(
                "run.uncertain, run.timed_out, run.revoked, run.expired -> settle",
                "run.uncertain, run.timed_out, run.expired -> settle",
            )],
        ),
        &[("RL703", "run")],
    );
    // An exit of an author's lane is judged by what leads to it, not by its name.
    let lane = "lane mine(r: road portal) exits { ok, rest } {
      start -> minimize(r) -> cut(r) -> verify(r) -> reserve(r) -> decide(r) -> attempt(r) -> checkpoint(r) -> egress(r) -> send(r) -> exit(ok)
      node note : own
      send(r).lost, send(r).lost_envelope, send(r).indeterminate, send(r).timeout_after_submit, send(r).cancelled -> note -> exit(rest)
      note.failed -> exit(rest)
      send(r).others -> exit(rest)
      cut(r).others -> exit(rest)
      verify(r).others -> exit(rest)
      else -> exit(rest)
    }";
    let text = plus(
        &with(
            BASE,
            &[(
                "choose.none -> pending_no_road",
                "choose.none -> pending_no_road\n    choose.beta -> mine\n    mine.ok -> accept\n    mine.others -> refused(road)",
            )],
        ),
        lane,
    );
    let out = errors(&text, &[("RL703", "mine")]);
    assert!(told(&out).contains("exit `rest` of `mine`"), "{}", told(&out));
    model(&with(&text, &[("mine.others -> refused(road)", "mine.rest -> lost")]));
}

#[test]
fn every_outcome_of_an_owner_is_routed() {
    let text = with(
        BASE,
        &[
            ("in order each -> run", "in order each -> call"),
            ("choose { home, alpha, beta }", "choose { home }"),
            ("run.ok -> accept -> done", "call.ok -> accept -> done"),
            ("run.uncertain -> settle\n", ""),
            ("run.cancelled -> cancelled\n", "call.cancelled -> cancelled\n"),
            ("run.expired -> expired\n", ""),
            ("run.others -> refused(road)\n", ""),
            ("settle.effect -> accept\n", ""),
            ("settle.unknown -> indeterminate\n", ""),
            ("settle.others -> refused(road)\n", ""),
            ("alpha.unsent -loop-> classify takes rounds\n", ""),
        ],
    );
    let out = errors(&text, &[("RL703", "call")]);
    let said = "outcomes `declined`, `expired`, `failed`, `unavailable` of `call` are not routed";
    assert!(told(&out).contains(said), "{}", told(&out));
}

#[test]
fn a_flow_without_else_says_nothing_of_failures() {
    let out = errors(&with(BASE, &[("else -> refused(gate)\n", "")]), &[("RL701", "start")]);
    let other = out.diagnostics.iter().flat_map(|d| &d.labels).map(|l| out.sources.text(l.span));
    assert_eq!(other.collect::<Vec<_>>(), ["classify"]);
}

#[test]
fn the_else_of_a_flow_leads_to_no_remote_road() {
    error(&with(BASE, &[("else -> refused(gate)", "else -> run(alpha)")]), "RL304", "run(alpha)", "refusal");
    error(&with(BASE, &[("else -> refused(gate)", "else -> classify")]), "RL304", "classify", "refusal");
    error(&with(BASE, &[("else -> refused(gate)", "else -> done")]), "RL304", "done", "refusal");
    let m = model(&with(BASE, &[("else -> refused(gate)", "else -> run(home)")]));
    assert_eq!(port(&m, "classify", Outcome::Failed), ["next decide(home)"]);
}

#[test]
fn two_unguarded_edges_of_a_port_overlap() {
    let text = with(
        BASE,
        &[("settle.unknown -> indeterminate", "settle.unknown -> indeterminate\n    settle.unknown -> lost")],
    );
    error(&text, "RL702", "settle.unknown -> lost", "drop one");
    let text = with(
        BASE,
        &[(
            "settle.unknown -> indeterminate",
            "settle.unknown when lineage -> indeterminate\n    settle.unknown else -> lost\n    settle.unknown else -> lost",
        )],
    );
    error(&text, "RL702", "settle.unknown else -> lost", "drop one");
    // Chains through the same place say the same thing again.
    model(&with(BASE, &[("settle.effect -> accept", "settle.effect -> accept -> done")]));
}

#[test]
fn a_guarded_port_without_else_falls_to_that_of_the_flow() {
    let text = with(
        BASE,
        &[(
            "settle.unknown -> indeterminate",
            "settle.unknown when lineage -> indeterminate\n    settle.unknown when not lineage -> lost",
        )],
    );
    let m = model(&text);
    let edges: Vec<_> = m
        .edges
        .iter()
        .filter(|e| m.node(e.from).name == "reconcile(alpha)" && e.outcome == Outcome::StillUnknown)
        .map(|e| (m.node(e.to).name.as_str(), e.rank, e.origin))
        .collect();
    assert_eq!(
        edges,
        [
            ("indeterminate", EdgeRank::Guarded, EdgeOrigin::Flow),
            ("lost", EdgeRank::Guarded, EdgeOrigin::Flow),
            ("refused(gate)", EdgeRank::Else, EdgeOrigin::FlowElse),
        ]
    );
}

#[test]
fn a_counter_s_spent_place_is_taken_where_no_else_is_written() {
    let m = model(BASE);
    let edges: Vec<_> = m
        .edges
        .iter()
        .filter(|e| m.node(e.from).name == "run(alpha).release(alpha)" && e.outcome == Outcome::Ok)
        .map(|e| (m.node(e.to).name.as_str(), e.kind, e.takes.is_some(), e.origin))
        .collect();
    assert_eq!(
        edges,
        [
            ("classify", EdgeKind::Loop, true, EdgeOrigin::Flow),
            ("refused(rounds)", EdgeKind::Next, false, EdgeOrigin::Spent)
        ]
    );
    let c = &m.counters[0];
    assert_eq!((c.max, m.fact(c.fact).name.as_str()), (2, "rounds"));
    error(&with(BASE, &[("takes rounds", "takes round")]), "U001", "round", "did you mean `rounds`?");
    error(&with(BASE, &[("counter rounds = 2", "counter rounds = 256")]), "U006", "256", "1 to 255");
    error(&with(BASE, &[("spent -> refused(rounds)", "spent -> nowhere")]), "U001", "nowhere", "own");
}

#[test]
fn a_lane_takes_the_road_of_the_port() {
    let m = model(BASE);
    assert_eq!(port(&m, "send(alpha)", Outcome::Ok), ["next accept(alpha).quarantine"]);
    assert_eq!(port(&m, "send(alpha)", Outcome::Lost), ["next reconcile(alpha)"]);
    assert_eq!(port(&m, "reconcile(alpha)", Outcome::KnownEffect), ["next accept(alpha).quarantine"]);
    assert_eq!(port(&m, "accept(beta).validate", Outcome::Negative), ["next accept(beta).record"]);
    assert_eq!(port(&m, "accept(beta).record", Outcome::Duplicate), ["next refused(answer)"]);
    let m = model(PEERS);
    assert_eq!(port(&m, "reread", Outcome::Ok), ["next accept.quarantine"]);
    assert!(m.nodes.iter().filter(|n| n.name.starts_with("accept.")).all(|n| n.road.is_none()));
    let text = with(PEERS, &[("reread -> accept", "reread -> settle")]);
    error(&text, "U007", "settle", "settle(ROAD)");
}

#[test]
fn a_step_that_needs_a_road_says_so() {
    let text = with(BASE, &[("start -> classify -> choose", "start -> classify -> minimize -> choose")]);
    error(&text, "U007", "minimize", "minimize(ROAD)");
    let text = with(BASE, &[("start -> classify -> choose", "start -> classify -> await -> choose")]);
    error(&text, "U007", "await", "await(user)");
    let text = with(BASE, &[("run.ok -> accept -> done", "run.ok -> effect -> done")]);
    let out = low(&text);
    assert!(told(&out).contains("an effect has one name"), "{}", told(&out));
}

#[test]
fn steps_fit_their_roads() {
    let to = |place: &str| with(BASE, &[("settle.unknown -> indeterminate", &format!("settle.unknown -> {place}"))]);
    error(&to("send(home)"), "U003", "send(home)", "call");
    error(&to("call(alpha)"), "U003", "call(alpha)", "send");
    error(&to("egress(home)"), "U003", "egress(home)", "nothing leaves");
    error(&to("send(alpah)"), "U001", "alpah", "did you mean `alpha`?");
    error(&to("portal(home)"), "U003", "home", "lane of its shape");
}

#[test]
fn names_in_flows_are_checked() {
    let to = |place: &str| with(BASE, &[("settle.unknown -> indeterminate", &format!("settle.unknown -> {place}"))]);
    error(&to("indeterminat"), "U001", "indeterminat", "did you mean `indeterminate`?");
    error(&to("alpha"), "U001", "alpha", "run(alpha)");
    error(&to("exit(ok)"), "U007", "exit(ok)", "terminal");
    error(&to("return(ok)"), "U007", "return(ok)", "terminal");
    error(&to("start"), "U007", "start", "first step");
    error(&to("operator_seat"), "RL005", "operator_seat", "classify");
    error(&to("refused"), "U007", "refused", "refused(REASON)");
    error(&to("lost(x)"), "U007", "x", "write `lost`");
    error(&to("decide(alpha, fresh, beta)"), "U007", "beta", "one road");
    let from = |edge: &str| {
        with(BASE, &[("settle.unknown -> indeterminate", &format!("settle.unknown -> indeterminate\n    {edge}"))])
    };
    error(&from("run.uncertian -> lost"), "U001", "run.uncertian", "did you mean `run.uncertain`?");
    error(&from("setle.effect -> lost"), "U001", "setle.effect", "did you mean `settle`?");
    error(&from("done -> lost"), "U001", "done", "drop");
    error(&from("choose.gamma -> lost"), "U001", "choose.gamma", "");
}

#[test]
fn chains_end_where_nothing_goes_on() {
    let chain = |c: &str| with(BASE, &[("start -> classify -> choose", c)]);
    error(&chain("start -> classify -> choose -> resolve"), "U007", "choose", "each");
    let text = with(BASE, &[("run.ok -> accept -> done", "run.ok -> accept -> done -> resolve")]);
    let out = low(&text);
    assert!(told(&out).contains("nothing goes on from `done`"), "{}", told(&out));
    let text = with(BASE, &[("run.ok -> accept -> done", "run.ok -> settle -> done")]);
    let out = low(&text);
    assert!(told(&out).contains("`settle` never has"), "{}", told(&out));
}

#[test]
fn exempted_steps_stand_before_another() {
    let lane = |chain: &str| {
        plus(
            BASE,
            &format!(
                "lane mine(r: road portal) exits {{ ok }} {{ start -> minimize(r) -> {chain} -> exit(ok)\n cut(r).others -> exit(ok)\n verify(r).others -> exit(ok)\n else -> exit(ok) }}"
            ),
        )
    };
    error(&lane("reserve(r)?"), "U007", "reserve(r)?", "cut, verify and attempt");
    let mixed = with(
        &lane("verify(r)? -> attempt(r)?"),
        &[(
            "choose.none -> pending_no_road",
            "choose.none -> pending_no_road\n    choose.beta -> mine\n    mine.ok -> accept",
        )],
    );
    let mixed = mixed.replace("need durable when std.durable", "need durable when std.durable and weight > 3");
    let out = low(&mixed.replace("spend 5 cents", "spend 0"));
    let _ = out;
    let text = with(BASE, &[("settle.effect -> accept", "settle.effect -> cut(alpha)?")]);
    let out = low(&text);
    assert!(told(&out).contains("`cut?` has no next step to skip to"), "{}", told(&out));
}

#[test]
fn lanes_are_checked_where_they_are_written() {
    let lane = |l: &str| plus(BASE, l);
    error(
        &lane("lane mine(r: road portal) exits { ok, ok } { start -> minimize(r) -> exit(ok)\n else -> exit(ok) }"),
        "U002",
        "ok",
        "",
    );
    error(
        &lane("lane mine(r: road portal) exits { ok } { start -> minimize(r) -> exit(okay)\n else -> exit(ok) }"),
        "U001",
        "okay",
        "did you mean `ok`?",
    );
    error(
        &lane(
            "lane mine(r: road portal, r: counter) exits { ok } { start -> minimize(r) -> exit(ok)\n else -> exit(ok) }",
        ),
        "U002",
        "r",
        "",
    );
    error(
        &lane("lane portal(r: road portal) exits { ok } { start -> minimize(r) -> exit(ok)\n else -> exit(ok) }"),
        "U002",
        "portal",
        "another name",
    );
    let use_mine = |l: &str| {
        plus(
            &with(
                BASE,
                &[(
                    "choose.none -> pending_no_road",
                    "choose.none -> pending_no_road\n    choose.beta -> mine\n    mine.ok -> accept",
                )],
            ),
            l,
        )
    };
    error(
        &use_mine("lane mine(r: road peer) exits { ok } { start -> minimize(r) -> exit(ok)\n else -> exit(ok) }"),
        "U003",
        "mine",
        "lane of its shape",
    );
    error(
        &use_mine("lane mine(r: road portal) exits { ok } { start -> minimize(r) -> exit(ok) }"),
        "RL701",
        "minimize(r)",
        "else",
    );
    error(
        &use_mine("lane mine(r: road portal) exits { ok } { minimize(r) -> exit(ok)\n else -> exit(ok) }"),
        "U007",
        "mine",
        "once",
    );
    error(
        &use_mine("lane mine(r: road portal) exits { ok } { start -> mine(r)\n mine(r).ok -> exit(ok) }"),
        "U007",
        "mine(r)",
        "cannot use itself",
    );
    error(
        &use_mine("lane mine(r: road prtal) exits { ok } { start -> minimize(r) -> exit(ok)\n else -> exit(ok) }"),
        "U001",
        "prtal",
        "did you mean `portal`?",
    );
}

#[test]
fn a_lane_may_take_counters_places_and_other_lanes() {
    let text = plus(
        &with(
            BASE,
            &[
                (
                    "choose.none -> pending_no_road",
                    "choose.none -> pending_no_road\n    choose.beta -> again_lane(beta, sends, indeterminate)\n    again_lane.ok -> accept\n    again_lane.uncertain -> settle\n    again_lane.others -> refused(road)",
                ),
                ("counter rounds", "counter sends = 1 spent -> refused(sends)\n  counter rounds"),
            ],
        ),
        "lane again_lane(r: road portal, c: counter, where_to: place) exits { ok, uncertain, rest } {
           start -> portal_redelivering(r, c)
           portal_redelivering.ok -> exit(ok)
           portal_redelivering.uncertain -> exit(uncertain)
           portal_redelivering.cancelled -> where_to
           portal_redelivering.others -> exit(rest)
         }",
    );
    let m = model(&text);
    let redeliver: Vec<_> = m.edges.iter().filter(|e| e.kind == EdgeKind::Redeliver).collect();
    assert_eq!(redeliver.len(), 1);
    assert_eq!(m.counters[redeliver[0].takes.expect("a counter").index()].name, "sends");
    assert_eq!(m.node(redeliver[0].to).name, "again(beta)");
    assert_eq!(port(&m, "send(beta)", Outcome::Cancelled), ["next indeterminate"]);
    assert_eq!(port(&m, "send(beta)", Outcome::Lost), ["next reconcile(beta)"]);
    assert!(road(&m, "beta").roles.contains_key("replay_proved"));
}

#[test]
fn chooses_are_total_and_say_what_they_leave_out() {
    let order = |o: &str| with(BASE, &[("in order each -> run", &format!("{o} each -> run"))]);
    error(&order("in order home, alpha"), "RL407", "order home, alpha", "without beta");
    error(&order("in order home, alpha, alpha, beta"), "RL407", "alpha", "once");
    error(&order("in order home, alpha, beta, gamma"), "RL407", "gamma", "known here");
    error(&order("in keys price, price"), "RL407", "price", "once");
    error(&order("in keys name, price"), "RL407", "name", "last");
    error(&order("in keys taste"), "U003", "taste", "int");
    error(&order("by taste { one : order home, alpha, beta }"), "RL407", "taste", "each value");
    error(
        &order("by taste { one : order home, alpha, beta two : order beta, alpha, home three : order }"),
        "U004",
        "three",
        "known here",
    );
    error(&order("by weight { one : order }"), "U003", "weight", "few values");
    error(&order("by tast { one : order }"), "U001", "tast", "did you mean `taste`?");
    let m = model(&order("by taste { one : order home, alpha without beta two : keys price, name }"));
    let c = &m.chooses[0];
    assert!(matches!(&c.profiles[0].1, Order::Static(r) if r.len() == 2));
    assert!(matches!(&c.profiles[1].1, Order::Keys(k) if k.len() == 1 && k[0].cells.len() == 3));
    error(&with(BASE, &[("{ home, alpha, beta }", "{ home, alpha, beta, home }")]), "RL407", "home", "");
    error(
        &with(BASE, &[("{ home, alpha, beta }", "{ home, alpha, beta, hom }")]),
        "U001",
        "hom",
        "did you mean `home`?",
    );
}

#[test]
fn a_candidate_that_leads_nowhere_is_not_routed() {
    let text = with(
        BASE,
        &[
            ("in order each -> run", "in order home, alpha, beta"),
            ("choose.none", "choose.home, choose.alpha -> run\n    choose.none"),
        ],
    );
    let out = errors(&text, &[("RL703", "choose { home, alpha, beta } in order home, alpha, beta")]);
    assert!(told(&out).contains("candidate `beta`"), "{}", told(&out));
}

#[test]
fn children_are_flows_of_their_own() {
    let m = model(PEERS);
    assert_eq!(m.flows.len(), 2);
    let child = road(&m, "box").child.expect("a child");
    assert_eq!((m.flows[child.index()].calls, m.flows[child.index()].name.as_str()), (3, "child of box"));
    assert_eq!(road(&m, "box").through.map(|r| m.road(r).name.as_str()), Some("call"));
    assert!(m.nodes.iter().any(|n| n.kind == NodeKind::Return("denied".into()) && n.flow == child));
    errors(&with(PEERS, &[("child of box calls 3", "child of desk calls 3")]), &[("RL003", "box"), ("U003", "desk")]);
    error(&with(PEERS, &[("calls 3", "calls 0")]), "RL009", "0", "from 1");
}

#[test]
fn changes_are_words_of_the_model() {
    let change = |c: &str| {
        with(
            BASE,
            &[(
                "alpha.unsent -loop-> classify takes rounds",
                &format!("alpha.unsent -fallback-> classify changes {c}"),
            )],
        )
    };
    error(&change("{ provder }"), "U001", "provder", "did you mean `provider`?");
    error(&change("{ provider, provider }"), "U002", "provider", "drop");
    let m = model(&change("?"));
    assert!(m.edges.iter().any(|e| e.changes_hole && e.changes.is_none()));
}

#[test]
fn an_edge_that_no_run_comes_to_is_noted() {
    let text = with(
        BASE,
        &[(
            "settle.unknown -> indeterminate",
            "settle.unknown -> indeterminate\n    run.declined -> refused(road)\n    run.timed_out -> lost",
        )],
    );
    let out = errors(&text, &[]);
    let notes: Vec<_> = out.diagnostics.iter().map(|d| (d.code, out.sources.text(d.primary))).collect();
    assert_eq!(notes, [("U010", "run.timed_out")]);
}

#[test]
fn a_choice_policy_has_options_alone() {
    let text = "edition 1\npolicy t.choice@1 profile choice {
      use std.facts
      facts { pinned wish : enum { fast, good }  rank cost : int 0..9 per road }
      road quick : option { filters { fit : weight < 40 } }
      road fine  : option { filters { fit : class <= internal } }
      flow {
        start -> choose
        choose { quick, fine } by wish { fast : order quick, fine good : keys cost } each -> done
        choose.none -> pending_no_road
        else -> refused(gate)
      }
      test \"quick\" std.clear { wish fast } => done
    }";
    let m = model(text);
    assert_eq!((m.profile, m.roads[0].shape), (Profile::Choice, Shape::Choice));
    assert!(m.roads.iter().all(|r| r.binding.is_empty() && r.consumer.is_none()));
    let limits = text.replace("road quick : option { filters", "road quick : option { limits all filters");
    errors(&limits, &[("U008", "limits all"), ("U001", "all")]);
    error(&text.replace(" profile choice", " profile chioce"), "U001", "chioce", "did you mean `choice`?");
    error(&text.replace("road quick : option {", "road quick : native local_model {"), "U008", "native", "option");
    let out = low(&with(BASE, &[("road home  : native local_model {", "road home  : option {")]));
    assert!(told(&out).contains("an option is a road of a choice policy only"), "{}", told(&out));
}

#[test]
fn a_flow_may_be_written_step_by_step() {
    let at = BASE.find("    start -> classify").expect("the flow");
    let text = format!(
        "{}{}",
        &BASE[..at],
        "    start -> classify -> choose
    choose { alpha, beta } in order alpha, beta
    choose.alpha, choose.beta -> minimize -> cut? -> verify? -> reserve -> decide -> attempt? -> checkpoint -> egress -> send -> quarantine
    quarantine -> validate -> consume -> adopt -> done
    choose.none -> pending_no_road
    cut.cut_semantics_lost -> refused(cut)
    verify.verifier_uncertain -> refused(verify)
    send.lost, send.indeterminate, send.timeout_after_submit, send.lost_envelope -> reconcile
    send(beta).cancelled -> lost
    send.cancelled -> cancelled
    send.others -> refused(road)
    reconcile.known_effect -> quarantine
    reconcile.still_unknown -> indeterminate
    reconcile.others -> refused(road)
    validate.negative -> record
    node record : consume
    record.ok, record.duplicate -> refused(no)
    record.conflict -> refused(conflict)
    validate.invalid -> refused(invalid)
    consume.others -> refused(consume)
    adopt.others -> refused(adopt)
    else -> refused(gate)
  }
}
"
    );
    let m = model(&text);
    assert_eq!(port(&m, "minimize(beta)", Outcome::Ok), ["next reserve(beta)", "next cut(beta)"]);
    assert_eq!(port(&m, "send(alpha)", Outcome::Lost), ["next reconcile(alpha)"]);
    assert_eq!(port(&m, "send(alpha)", Outcome::Cancelled), ["next cancelled"]);
    assert_eq!(port(&m, "send(beta)", Outcome::Cancelled), ["next lost"]);
    assert_eq!(port(&m, "send(beta)", Outcome::Ok), ["next quarantine"]);
}

#[test]
fn a_lane_may_be_copied_twice() {
    let text = with(
        BASE,
        &[(
            "choose.none -> pending_no_road",
            "choose.none -> pending_no_road\n    choose.beta -> portal(beta) as first\n    first.ok -> accept\n    first.uncertain -> settle\n    first.cancelled -> cancelled\n    first.unsent -retry-> portal(beta) as second takes rounds\n    first.others -> refused(road)\n    second.ok -> accept\n    second.uncertain -> settle\n    second.cancelled -> lost\n    second.others -> refused(road)",
        )],
    );
    let m = model(&text);
    assert_eq!(port(&m, "send(beta)", Outcome::Cancelled), ["next cancelled"]);
    assert_eq!(port(&m, "second.send(beta)", Outcome::Cancelled), ["next lost"]);
    assert_eq!(m.nodes.iter().filter(|n| n.name.ends_with("send(beta)")).count(), 2);
}

#[test]
fn a_step_of_a_shipped_lane_is_blamed_where_the_lane_is_used() {
    let text = with(BASE, &[("settle.unknown -> indeterminate", "settle.unknown -> relay(home)")]);
    let out = low(&text);
    assert!(out.diagnostics.iter().all(|d| d.primary.file.0 == 0), "{}", told(&out));
    assert!(told(&out).contains("`minimize` is no step of `home`"), "{}", told(&out));
}

#[test]
fn guards_at_an_exit_meet_guards_inside_only_where_that_can_be_said() {
    // One guard after the other is a conjunction.
    let lane = "lane look(r: road any) exits { ok, bad } {
      node eye : own
      start -> eye
      eye.ok when lineage -> exit(ok)
      eye.ok when not lineage -> exit(bad)
      eye.failed -> exit(bad)
      else -> exit(bad)
    }";
    let flow = |edges: &str| {
        plus(
            &with(
                BASE,
                &[(
                    "choose.none -> pending_no_road",
                    &format!("choose.none -> pending_no_road\n    choose.beta -> look\n    {edges}"),
                )],
            ),
            lane,
        )
    };
    let m = model(&flow(
        "look.ok when consent -> refused(a)\n    look.ok when not consent -> refused(b)\n    look.bad -> refused(c)",
    ));
    let guards: Vec<String> = m
        .edges
        .iter()
        .filter(|e| m.node(e.from).name == "look(beta).eye" && e.outcome == Outcome::Ok)
        .map(|e| format!("{} -> {}", spelled(&m, &e.guard), m.node(e.to).name))
        .collect();
    assert_eq!(guards.len(), 4, "{guards:?}");
    assert_eq!(guards[3], "true -> refused(c)");
    assert_eq!(guards[0], "(lineage in [1] and consent in [1]) -> refused(a)");
}

#[test]
fn an_else_that_stands_alone_has_no_condition() {
    let text = with(BASE, &[("    else -> refused(gate)", "    else when judged -> refused(gate)")]);
    error(&text, "U007", "else when judged -> refused(gate)", "`NODE else -> Z`");
}

#[test]
fn nothing_is_said_of_use_and_reach_beside_an_error_that_leaves_the_flow_unfinished() {
    // With `classify` misspelt nothing behind it is reached, and with `view` misspelt the projection is used by nobody.
    for (good, slip) in [("start -> classify", "start -> clasify"), ("to alpha with view", "to alpha with veiw")] {
        let out = low(&with(BASE, &[(good, slip)]));
        let notes: Vec<_> = out.diagnostics.iter().filter(|d| d.severity == Severity::Note).collect();
        assert!(notes.is_empty() && out.diagnostics.len() == 1, "{}", told(&out));
    }
    // A pin that is missing leaves the rest with its meaning.
    let out = low(&with(
        BASE,
        &[("purpose \"y\"", ""), ("run.cancelled -> cancelled", "run.cancelled, run.timed_out -> cancelled")],
    ));
    let codes: Vec<_> = out.diagnostics.iter().map(|d| d.code).collect();
    assert_eq!(codes, ["RL001", "U010"], "{}", told(&out));
}

#[test]
fn a_library_that_is_not_used_is_one_mistake() {
    for (used, name) in [("  use std.lanes\n", "run"), ("  use std.facts\n", "weight")] {
        let out = low(&with(BASE, &[(used, "")]));
        assert_eq!(out.diagnostics.len(), 1, "{}", told(&out));
        let d = &out.diagnostics[0];
        assert_eq!((d.code, out.sources.text(d.primary)), ("U001", name));
        let library = used.trim();
        assert!(d.help.as_deref().is_some_and(|h| h.contains(library)), "{:?}", d.help);
        assert!(d.notes.iter().any(|n| n.contains("more errors are gone")), "{:?}", d.notes);
    }
}

#[test]
fn one_slip_in_two_places_is_told_once() {
    let out = errors(&with(BASE, &[("projection view {", "projection sight {")]), &[("U001", "view")]);
    assert_eq!(out.diagnostics[0].labels.iter().map(|l| out.sources.text(l.span)).collect::<Vec<_>>(), ["view"]);
    // What one step does not lead anywhere is one mistake too, and so is a flow without an `else`.
    let out = errors(&with(BASE, &[("accept -> done", "adopt -> done")]), &[("RL703", "adopt")]);
    assert!(
        told(&out).contains("outcomes `expired`, `lease_lost`, `refused` of `adopt` are not routed"),
        "{}",
        told(&out)
    );
}
