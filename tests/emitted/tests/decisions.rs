//! What emitted code decides is what the table decides of the same facts: packed where it packs, and step by step in runs.

use roadlaw_emitted::{first_eligible, names, pick_model, review};
use roadlaw_runtime::{CellKind, Facts, Latches, Run, Symbol, Table};

/// Deterministic, and good enough to mix cases (Park and Miller, 1988).
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0 * 48_271 % 0x7fff_ffff;
        self.0 % n
    }

    /// A value of a cell, or unknown.
    fn value(&mut self, kind: CellKind, often: u64) -> Option<i64> {
        if self.below(often) == 0 {
            return None;
        }
        Some(match kind {
            CellKind::Bool => i64::try_from(self.below(2)).expect("small"),
            CellKind::Enum { values } | CellKind::Level { values } => {
                i64::try_from(self.below(values.into())).expect("small")
            }
            CellKind::Set { labels } => i64::try_from(self.below(1 << labels)).expect("small"),
            CellKind::Int { lo, hi } => {
                // Near zero as often as anywhere: that is where the cuts of these policies are.
                let n = i64::from(lo) + i64::try_from(self.below((hi - lo + 1).unsigned_abs().into())).expect("small");
                if self.below(2) == 0 { n } else { (n % 12).clamp(lo.into(), hi.into()) }
            }
        })
    }
}

fn told(t: &Table<'_>, values: &[Option<i64>], epoch: u32) -> Facts {
    let mut out = Facts::new();
    out.set_epoch(epoch);
    for (i, v) in values.iter().enumerate() {
        let Some(v) = *v else { continue };
        match t.cell(i).expect("a cell").kind() {
            CellKind::Bool => out.set_bool(t, i, v == 1),
            CellKind::Enum { .. } | CellKind::Level { .. } => out.set_value(t, i, u8::try_from(v).expect("small")),
            CellKind::Int { .. } => out.set_int(t, i, i32::try_from(v).expect("small")),
            CellKind::Set { .. } => out.set_labels(t, i, v.cast_unsigned()),
        }
        .expect("a value of the cell");
    }
    out
}

/// Decisions, reasons and runs of one emitted policy. `$set` sets the cell that has this name.
macro_rules! agrees {
    ($policy:ident, $seed:literal, $choose:ident, $with:ident, $set:expr) => {{
        let table = $policy::table().expect("the table of the file");
        let policy = $policy::Policy::new(&table).expect("the same table");
        let cells: Vec<(usize, String)> = (0..table.cells())
            .filter(|i| table.cell(*i).is_some_and(|c| !c.latch()))
            .map(|i| (i, table.name(Symbol::Cell(i)).expect("names").to_string()))
            .collect();
        let set = $set;
        let mut d = Dice($seed);
        let mut facts = $policy::Facts::new();
        let mut values = vec![None; table.cells()];
        let mut picks = [0_usize; 3];
        let mut steps = 0_usize;
        for round in 0..4_000 {
            // Some facts change, the others are kept.
            let often = 2 + d.below(30);
            for (i, name) in &cells {
                if d.below(3) == 0 {
                    values[*i] = d.value(table.cell(*i).expect("a cell").kind(), often);
                    set(&mut facts, name.as_str(), values[*i]);
                }
            }
            let as_told = told(&table, &values, 0);
            assert_eq!(facts.cells(&policy), Ok(as_told));
            let mut latches = Latches::fresh(&table);
            if round % 3 == 0 {
                latches = latches.with_tried(usize::try_from(d.below(3)).expect("small"));
            }
            for (latches, pick) in
                [(Latches::fresh(&table), policy.$choose(&facts)), (latches, policy.$with(&facts, &latches))]
            {
                let expected = table.choose_with(0, &as_told, &latches);
                let got = match pick {
                    $policy::Pick::Road(r) => (Some(r.index()), None),
                    $policy::Pick::Exit(n) => (None, Some(n.index())),
                    $policy::Pick::None => (None, None),
                };
                let exit = expected.exit().and_then(|e| table.edge(e)).map(|e| e.to());
                assert_eq!(got, (expected.road(), exit), "{values:?}");
                picks[if got.0.is_some() {
                    0
                } else if got.1.is_some() {
                    1
                } else {
                    2
                }] += 1;
            }
            for (position, road) in table.candidates(0).enumerate() {
                let at = $policy::Choose::from_index(0).expect("a choose");
                let typed = $policy::Road::from_index(road).expect("a road");
                let why = policy.why(at, typed, &facts, &latches);
                let expected = table.reason(0, position, &as_told, &latches);
                match (why, expected) {
                    (Some($policy::Closed::Filter(f)), Some(roadlaw_runtime::Closed::Filter(i))) => {
                        let filter = table.road(road).expect("a road").first_filter() + i;
                        let name = table.name(Symbol::Filter(filter)).expect("names").to_string();
                        assert_eq!(f.name(), name);
                        assert_eq!($policy::Reason::from_index(f.index()), Some(f));
                    }
                    (a, b) => assert_eq!(format!("{a:?}"), format!("{b:?}")),
                }
            }
            if round % 8 == 0 {
                let mut run = $policy::Run::start(&policy, $policy::Flow::Flow).expect("a flow");
                let mut plain = Run::start(&table, 0).expect("a flow");
                for _ in 0..40 {
                    facts.set_epoch(plain.epoch());
                    let all: Vec<$policy::Outcome> = $policy::Outcome::all().collect();
                    // Mostly `ok`, so that runs come far.
                    let at = usize::try_from(d.below(3 * u64::try_from(all.len()).expect("small"))).expect("small");
                    let outcome = all.get(at).copied().unwrap_or($policy::Outcome::Ok);
                    let code = u8::try_from(outcome.index()).expect("a byte");
                    let now = told(&table, &values, plain.epoch());
                    let one = run.advance(&policy, plain.generation(), outcome, &facts);
                    let two = plain.advance(&table, plain.generation(), code, &now);
                    assert_eq!(run.inner(), &plain);
                    match (one, two) {
                        (Ok(one), Ok(two)) => {
                            assert_eq!((one.node.index(), one.ended), (two.node, two.ended));
                            assert_eq!(one.node.name(), table.name(Symbol::Node(two.node)).expect("names").to_string());
                            assert_eq!(one.road.map($policy::Road::index), two.road);
                            assert_eq!(one.obligations.bits(), two.obligations);
                            let bits = one.obligations.iter().fold(0, |m, o| m | 1 << o.index());
                            assert_eq!(bits, two.obligations);
                            run.acknowledge(one.obligations);
                            plain.acknowledge(two.obligations);
                            steps += 1;
                            if two.ended {
                                break;
                            }
                        }
                        (one, two) => assert_eq!(one.err(), two.err()),
                    }
                }
                facts.set_epoch(0);
            }
        }
        (picks, steps)
    }};
}

fn is(v: Option<i64>) -> Option<bool> {
    v.map(|v| v == 1)
}

fn byte(v: Option<i64>) -> Option<u8> {
    v.map(|v| u8::try_from(v).expect("a byte"))
}

fn int(v: Option<i64>) -> Option<i32> {
    v.map(|v| i32::try_from(v).expect("an int"))
}

fn mask(v: Option<i64>) -> Option<u64> {
    v.map(i64::cast_unsigned)
}

#[test]
fn a_pure_choice() {
    use pick_model::{Facts, Tier};
    let (picks, steps) = agrees!(pick_model, 5, choose, choose_with, |f: &mut Facts, name: &str, v: Option<i64>| {
        match name {
            "tier" => f.set_tier(byte(v).and_then(Tier::from_index)),
            "private" => f.set_private(is(v)),
            "up[small]" => f.set_up_small(is(v)),
            "up[big]" => f.set_up_big(is(v)),
            other => panic!("{other}"),
        };
    });
    assert!(picks[0] > 1_000 && picks[1] > 1_000 && steps > 500, "{picks:?} {steps}");
}

#[test]
fn names_that_are_in_the_way() {
    use names::{Epoch, Facts, Int, Labels, Road_, Type};
    let (picks, steps) = agrees!(names, 7, choose, choose_with, |f: &mut Facts, name: &str, v: Option<i64>| {
        match name {
            "type" => f.set_type(byte(v).and_then(Type::from_index)),
            "option" => f.set_option(is(v)),
            "a_b" => f.set_a_b(is(v)),
            "a__b" => f.set_a_b_(is(v)),
            "road" => f.set_road(byte(v).and_then(Road_::from_index)),
            "labels" => f.set_labels(mask(v).and_then(Labels::from_bits)),
            "int" => f.set_int(int(v).and_then(Int::new)),
            "epoch[pick]" => f.set_epoch_pick(int(v).and_then(Epoch::new)),
            "epoch[self]" => f.set_epoch_self(int(v).and_then(Epoch::new)),
            "epoch[other]" => f.set_epoch_other(int(v).and_then(Epoch::new)),
            "up[pick]" => f.set_up_pick(is(v)),
            "up[self]" => f.set_up_self(is(v)),
            "up[other]" => f.set_up_other(is(v)),
            other => panic!("{other}"),
        };
    });
    assert!(picks[0] > 1_000 && picks[1] > 500 && steps > 500, "{picks:?} {steps}");
    assert_eq!(Labels::X_1.with(Labels::X1).bits(), 0b1100);
    assert_eq!(
        (Labels::from_bits(1 << 11), Int::new(2_001), Int::new(-2_000).map(Int::get)),
        (None, None, Some(-2_000))
    );
}

#[test]
fn a_flow_with_gates() {
    use first_eligible::{Facts, Labels, Login, Weight};
    let (picks, steps) =
        agrees!(first_eligible, 11, choose, choose_with, |f: &mut Facts, name: &str, v: Option<i64>| {
            match name {
                "labels" => f.set_labels(mask(v).and_then(Labels::from_bits)),
                "weight" => f.set_weight(int(v).and_then(Weight::new)),
                "lineage" => f.set_lineage(is(v)),
                "prohibited" => f.set_prohibited(is(v)),
                "consent" => f.set_consent(is(v)),
                "identity_actor" => f.set_identity_actor(is(v)),
                "identity_target[gpt]" => f.set_identity_target_gpt(is(v)),
                "identity_policy" => f.set_identity_policy(is(v)),
                "identity_purpose" => f.set_identity_purpose(is(v)),
                "authority[gpt]" => f.set_authority_gpt(is(v)),
                "terms[gpt]" => f.set_terms_gpt(is(v)),
                "permission[gpt]" => f.set_permission_gpt(is(v)),
                "login[gpt]" => f.set_login_gpt(byte(v).and_then(Login::from_index)),
                "connection[gpt]" => f.set_connection_gpt(is(v)),
                "available[llama]" => f.set_available_llama(is(v)),
                "available[gpt]" => f.set_available_gpt(is(v)),
                "revoked[gpt]" => f.set_revoked_gpt(is(v)),
                "expired[gpt]" => f.set_expired_gpt(is(v)),
                "egress_transparent[gpt]" => f.set_egress_transparent_gpt(is(v)),
                "retention_ok[gpt]" => f.set_retention_ok_gpt(is(v)),
                other => panic!("{other}"),
            };
        });
    assert!(picks[0] > 500 && picks[1] > 500 && steps > 2_000, "{picks:?} {steps}");
}

#[test]
fn keys_that_cannot_be_packed() {
    use review::{Assurance, Class, Facts, Login, Price, Taste, Weight};
    let (picks, steps) = agrees!(review, 13, choose, choose_with, |f: &mut Facts, name: &str, v: Option<i64>| {
        match name {
            "taste" => f.set_taste(byte(v).and_then(Taste::from_index)),
            "user_ok" => f.set_user_ok(is(v)),
            "login[api]" => f.set_login_api(byte(v).and_then(Login::from_index)),
            "login[agent]" => f.set_login_agent(byte(v).and_then(Login::from_index)),
            "login[peer]" => f.set_login_peer(byte(v).and_then(Login::from_index)),
            "login[person]" => f.set_login_person(byte(v).and_then(Login::from_index)),
            "login[author]" => f.set_login_author(byte(v).and_then(Login::from_index)),
            "price[api]" => f.set_price_api(int(v).and_then(Price::new)),
            "price[agent]" => f.set_price_agent(int(v).and_then(Price::new)),
            "price[peer]" => f.set_price_peer(int(v).and_then(Price::new)),
            "price[person]" => f.set_price_person(int(v).and_then(Price::new)),
            "price[author]" => f.set_price_author(int(v).and_then(Price::new)),
            "weight" => f.set_weight(int(v).and_then(Weight::new)),
            "class" => f.set_class(byte(v).and_then(Class::from_index)),
            "lineage" => f.set_lineage(is(v)),
            "local_only" => f.set_local_only(is(v)),
            "prohibited" => f.set_prohibited(is(v)),
            "consent" => f.set_consent(is(v)),
            "question_same" => f.set_question_same(is(v)),
            "identity_actor" => f.set_identity_actor(is(v)),
            "identity_target[api]" => f.set_identity_target_api(is(v)),
            "identity_target[peer]" => f.set_identity_target_peer(is(v)),
            "identity_policy" => f.set_identity_policy(is(v)),
            "identity_purpose" => f.set_identity_purpose(is(v)),
            "authority[api]" => f.set_authority_api(is(v)),
            "authority[peer]" => f.set_authority_peer(is(v)),
            "terms[api]" => f.set_terms_api(is(v)),
            "terms[peer]" => f.set_terms_peer(is(v)),
            "permission[api]" => f.set_permission_api(is(v)),
            "permission[peer]" => f.set_permission_peer(is(v)),
            "connection[api]" => f.set_connection_api(is(v)),
            "connection[peer]" => f.set_connection_peer(is(v)),
            "available[api]" => f.set_available_api(is(v)),
            "available[agent]" => f.set_available_agent(is(v)),
            "available[peer]" => f.set_available_peer(is(v)),
            "available[author]" => f.set_available_author(is(v)),
            "revoked[api]" => f.set_revoked_api(is(v)),
            "revoked[peer]" => f.set_revoked_peer(is(v)),
            "expired[api]" => f.set_expired_api(is(v)),
            "expired[peer]" => f.set_expired_peer(is(v)),
            "task_schema[peer]" => f.set_task_schema_peer(is(v)),
            "egress_transparent[api]" => f.set_egress_transparent_api(is(v)),
            "egress_transparent[peer]" => f.set_egress_transparent_peer(is(v)),
            "retention_ok[api]" => f.set_retention_ok_api(is(v)),
            "retention_ok[peer]" => f.set_retention_ok_peer(is(v)),
            "distinct[api]" => f.set_distinct_api(is(v)),
            "distinct[agent]" => f.set_distinct_agent(is(v)),
            "distinct[peer]" => f.set_distinct_peer(is(v)),
            "distinct[person]" => f.set_distinct_person(is(v)),
            "blind[api]" => f.set_blind_api(is(v)),
            "blind[agent]" => f.set_blind_agent(is(v)),
            "blind[peer]" => f.set_blind_peer(is(v)),
            "blind[person]" => f.set_blind_person(is(v)),
            "assurance[api]" => f.set_assurance_api(byte(v).and_then(Assurance::from_index)),
            "assurance[agent]" => f.set_assurance_agent(byte(v).and_then(Assurance::from_index)),
            "assurance[peer]" => f.set_assurance_peer(byte(v).and_then(Assurance::from_index)),
            "assurance[person]" => f.set_assurance_person(byte(v).and_then(Assurance::from_index)),
            other => panic!("{other}"),
        };
    });
    assert!(picks[0] > 100 && picks[1] > 500 && steps > 1_000, "{picks:?} {steps}");
}
