//! The compiler against the reference: random small policies, and the same verdict from both.
//!
//! `ROADLAW_CASES` and `ROADLAW_SEED` make it longer and different.

use roadlaw_compiler::lower::{Input, lower};
use roadlaw_compiler::model::{
    Cell, Change, ClaimKind, Duty, EdgeKind, EdgeRank, Export, FactId, Guard, Model, NodeId, NodeKind, Outcome,
    Profile, RecordField, RoadId, RoleItem, Type,
};
use roadlaw_compiler::prove::{Verdict, prove};
use roadlaw_compiler::table::{self, Options};
use roadlaw_grammar::diagnostic::Severity;
use roadlaw_runtime::{Closed, Facts, Latches, Pick, Table};
use roadlaw_tests::SHORTEST;
use roadlaw_tests::reference::{facts, local, search};
use std::collections::{BTreeMap, BTreeSet};

/// Codes that the reference decides. Where the compiler names only others, the reference need not object.
const DECIDED: &[&str] = &[
    "RL101", "RL102", "RL103", "RL105", "RL106", "RL107", "RL108", "RL110", "RL111", "RL116", "RL117", "RL204",
    "RL206", "RL309", "RL701", "RL702", "RL802", "RL803",
];

/// Two portals, the second by a declared fallback; a round with a counter after an invalid answer.
fn two_portals() -> String {
    let second = r#"
  target eu : portal { provider "mistral" service "api" model "large" operation "chat" origin "https://eu.example" path "/v1/chat"
                       region eu custody direct retention none training none evidence verified }
  road eu : native portal to eu with { prompt: instructions } { limits one filters { use std.filters.portal } }
  counter rounds = 2  spent -> refused(answer)
  flow {
    start -> classify -> choose
    choose { llama, gpt, eu } in order each -> run
    choose.none     -> pending_no_road
    run.ok          -> accept -> done
    run(gpt).unsent -fallback-> classify changes { provider, service, model, operation, origin, path, region, retention, training, price_class, custody, consumer, projection }
    run(llama).unsent -> refused(road)
    run(eu).unsent  -> refused(road)
    run.uncertain   -> settle
    run.cancelled   -> cancelled
    run.expired     -> expired
    run.others      -> refused(road)
    accept.negative -> refused(answer)
    accept.invalid  -loop-> classify changes { content } takes rounds
    accept.others   -> refused(answer)
    settle.effect   -> accept
    settle.unknown  -> indeterminate
    settle.others   -> refused(road)
    else            -> refused(gate)
  }
  test"#;
    let text = SHORTEST.replace("  flow std.first(llama, gpt)\n", "").replacen("  test", second, 1);
    text.replace(
        "use std.first",
        "use std.facts\n  use std.lanes\n  use std.filters\n  need cut when weight >= portal_threshold",
    )
}

/// [`SHORTEST`], with a test that opens everything.
fn clear(text: &str) -> String {
    let end = text.rfind('}').expect("a policy ends with a brace");
    format!("{}  test \"clear\" std.clear {{ labels {{ }} }} => call(llama)\n}}\n", &text[..end])
}

/// Numbers in a fixed order.
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % u64::try_from(n.max(1)).expect("small")).expect("small")
    }
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|s| s.parse().ok()).unwrap_or(otherwise)
}

fn model(text: &str) -> Model {
    let out = lower(Input { name: "t.road".into(), bytes: text.as_bytes().to_vec(), root: None });
    let errors: Vec<_> = out.diagnostics.iter().filter(|d| d.severity == Severity::Error).map(|d| &d.message).collect();
    assert!(errors.is_empty(), "{errors:?}");
    out.model.expect("a model")
}

/// The guard with constants in the place of all cells but those that stay.
fn fixed(m: &Model, g: &Guard, stay: &BTreeSet<FactId>, at: &[Cell]) -> Guard {
    match g {
        Guard::Not(g) => Guard::Not(Box::new(fixed(m, g, stay, at))),
        Guard::And(gs) => Guard::and(gs.iter().map(|g| fixed(m, g, stay, at))),
        Guard::Or(gs) => Guard::or(gs.iter().map(|g| fixed(m, g, stay, at))),
        Guard::True | Guard::False => g.clone(),
        atom if facts::cells(atom).iter().any(|f| stay.contains(f) || m.fact(*f).latch.is_some()) => atom.clone(),
        atom => match facts::value(m, atom, at) {
            Some(true) => Guard::True,
            _ => Guard::False,
        },
    }
}

/// The policy with few facts: all others are what the last test says.
fn restricted(m: &Model, stay: &BTreeSet<FactId>) -> Model {
    let mut at = vec![Cell::Unknown; m.facts.len()];
    for (f, c) in &m.tests[m.tests.len() - 1].facts {
        at[f.index()] = *c;
    }
    let mut out = m.clone();
    let fix = |g: &mut Guard| *g = fixed(m, g, stay, &at);
    for e in &mut out.edges {
        fix(&mut e.guard);
    }
    for r in &mut out.roads {
        r.filters.iter_mut().for_each(|f| fix(&mut f.guard));
        fix(&mut r.need_cut);
        fix(&mut r.need_durable);
        for item in r.roles.values_mut().flatten() {
            match item {
                RoleItem::Let(g) => fix(g),
                RoleItem::Fact(f) if stay.contains(f) => {}
                RoleItem::Fact(f) => {
                    let Cell::Known(v) = at[f.index()] else { continue };
                    let yes = match m.fact(*f).ty {
                        Type::Level(_) => v >= 2,
                        Type::Int { .. } => v >= 40,
                        _ => v == 1,
                    };
                    *item = RoleItem::Let(if yes { Guard::True } else { Guard::False });
                }
            }
        }
    }
    for c in &mut out.claims {
        match &mut c.kind {
            ClaimKind::Never { at, .. } => at.iter_mut().for_each(|(_, _, g)| fix(g)),
            ClaimKind::Always { at } => at.iter_mut().for_each(|(_, _, g, _)| fix(g)),
        }
    }
    out
}

fn gates(m: &Model) -> Vec<usize> {
    use NodeKind as K;
    let gate = |k: &K| {
        matches!(
            k,
            K::Classify
                | K::Minimize
                | K::Cut
                | K::Verify
                | K::Reserve
                | K::Decide { .. }
                | K::Attempt
                | K::Checkpoint
                | K::Egress
                | K::Quarantine
                | K::Validate
                | K::Consume
                | K::Adopt
                | K::Reconcile
        )
    };
    (0..m.nodes.len()).filter(|i| gate(&m.nodes[*i].kind)).collect()
}

/// Breaks something, or nothing. Returns what it did.
fn change(m: &mut Model, d: &mut Draw, stay: &[FactId]) -> String {
    let e = d.below(m.edges.len());
    let guard = |d: &mut Draw, m: &Model| {
        let f = stay[d.below(stay.len())];
        let g = match m.fact(f).ty {
            Type::Set(_) => Guard::HasAny(f, 3),
            Type::Int { lo, .. } => Guard::Range(f, lo, 39),
            _ => Guard::In(f, vec![1]),
        };
        if d.below(2) == 0 { g } else { Guard::Not(Box::new(g)) }
    };
    match d.below(14) {
        0 | 1 => {
            let all = gates(m);
            let n = all[d.below(all.len())];
            let ok = m.edges.iter().find(|e| e.from.index() == n && e.outcome == Outcome::Ok).map(|e| e.to);
            let Some(to) = ok else { return "nothing".to_owned() };
            let from = NodeId(facts::id(n));
            m.edges.iter_mut().filter(|e| e.to == from).for_each(|e| e.to = to);
            format!("without {}", m.nodes[n].name)
        }
        2 | 3 => {
            let to = d.below(m.nodes.len());
            m.edges[e].to = NodeId(facts::id(to));
            format!("{} to {}", edge(m, e), m.nodes[to].name)
        }
        4 => {
            let with_guard: Vec<usize> = (0..m.edges.len()).filter(|i| m.edges[*i].guard != Guard::True).collect();
            let Some(e) = with_guard.get(d.below(with_guard.len())).copied() else { return "nothing".to_owned() };
            m.edges[e].guard = if d.below(2) == 0 { m.edges[e].guard.negated() } else { guard(d, m) };
            format!("guard of {}", edge(m, e))
        }
        5 => {
            m.edges[e].guard = if m.edges[e].rank == EdgeRank::Guarded { guard(d, m) } else { Guard::True };
            format!("guard on {}", edge(m, e))
        }
        6 => {
            m.edges[e].kind = EdgeKind::ALL[d.below(EdgeKind::ALL.len())];
            format!("{} is {}", edge(m, e), m.edges[e].kind.word())
        }
        7 => {
            let words = m.edges.iter().position(|e| e.changes.is_some()).unwrap_or(e);
            m.edges[words].changes = if d.below(2) == 0 { None } else { Some(BTreeSet::from([Change::Content])) };
            format!("changes of {}", edge(m, words))
        }
        8 => {
            let r = d.below(m.roads.len());
            if m.roads[r].filters.is_empty() {
                return "nothing".to_owned();
            }
            let f = d.below(m.roads[r].filters.len());
            let gone = m.roads[r].filters.remove(f);
            format!("{} without {}", m.roads[r].name, gone.name)
        }
        9 => {
            let r = d.below(m.roads.len());
            m.roads[r].need_cut = guard(d, m);
            format!("need cut of {}", m.roads[r].name)
        }
        10 => {
            // Whatever the node: the law speaks of what it is for.
            let mut said = Vec::new();
            for duty in Duty::ALL {
                if matches!(duty, Duty::Provenance | Duty::Rights) && d.below(4) == 0 {
                    continue;
                }
                let n = d.below(m.nodes.len());
                m.nodes[n].duty = Some(*duty);
                said.push(format!("{} as {}", m.nodes[n].name, duty.word()));
            }
            said.join(", ")
        }
        11 => {
            let r = d.below(m.roads.len());
            m.roads[r].question.contract = "other@1".to_owned();
            format!("{} asks something else", m.roads[r].name)
        }
        12 => {
            let fields = ["input_digest", "retention", "parent", "payload_digest", "input", "file_name", "node_digest"];
            let field = fields[d.below(fields.len())];
            m.record.push(RecordField { name: field.to_owned(), span: m.span });
            let form = ["opaque", "digest", "stage", "sha256", "prompt"][d.below(5)];
            let mut keyed: Vec<String> =
                ["consumer", "purpose", "class", "epoch", "retention"].map(str::to_owned).to_vec();
            keyed.drain(..[0, 0, 1, 4, 5][d.below(5)]);
            if form != "digest" && d.below(2) == 0 {
                keyed.clear();
            }
            let of = (form == "digest" || d.below(3) == 0).then(|| "input".to_owned());
            let said = format!("record {field}, export {form} of {of:?} keyed by {keyed:?}");
            let (form_span, spans) = (m.span, Some(m.span));
            let export = Export {
                name: "x".to_owned(),
                form: form.to_owned(),
                of_span: of.as_ref().and(spans),
                keyed_span: if keyed.is_empty() { None } else { spans },
                of,
                keyed,
                span: m.span,
                form_span,
            };
            m.exports.push(export);
            said
        }
        _ => "nothing".to_owned(),
    }
}

fn edge(m: &Model, e: usize) -> String {
    let x = &m.edges[e];
    format!("{}.{} -> {}", m.node(x.from).name, x.outcome.word(), m.node(x.to).name)
}

#[test]
fn the_compiler_and_the_reference_give_the_same_verdicts() {
    let bases = [model(&clear(SHORTEST)), model(&clear(&two_portals()))];
    let cases = number("ROADLAW_CASES", 120);
    let mut d = Draw(number("ROADLAW_SEED", 1));
    let mut mix: BTreeMap<String, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    let (mut proved, mut rejected, mut whole) = (0, 0, 0);
    for case in 0..cases {
        let base = &bases[d.below(bases.len())];
        let all: Vec<FactId> = search::free(base).into_iter().map(|(f, _)| f).collect();
        let mut stay: Vec<FactId> = (0..2).map(|_| all[d.below(all.len())]).collect();
        stay.extend(all.iter().filter(|f| base.fact(**f).name == "weight").filter(|_| d.below(2) == 0));
        let mut m = restricted(base, &stay.iter().copied().collect());
        if d.below(4) == 0 {
            m.profile = Profile::Gateway;
        }
        let did: Vec<String> = (0..d.below(3)).map(|_| change(&mut m, &mut d, &stay)).collect();
        let about = format!(
            "case {case}, {}: {}; facts {:?}",
            m.profile.word(),
            did.join(", "),
            stay.iter().map(|f| &m.fact(*f).name).collect::<Vec<_>>()
        );
        let found = search::search(&m, 30_000);
        whole += usize::from(found.complete);
        let mut expected: BTreeSet<&str> = found.broken.keys().copied().collect();
        expected.extend(local::broken(&m));
        let report = prove(&m);
        let codes: BTreeSet<&str> =
            report.diagnostics.iter().filter(|x| x.severity == Severity::Error).map(|x| x.code).collect();
        match report.verdict {
            Verdict::Undecided => wrong.push(format!("{about}: undecided {codes:?}")),
            // A verdict that came with a disagreement of the engines is no verdict.
            _ if codes.contains("RL902") => wrong.push(format!("{about}: internal {codes:?}")),
            Verdict::Proved => {
                proved += 1;
                if !expected.is_empty() {
                    let paths: Vec<_> = found
                        .broken
                        .iter()
                        .map(|(law, p)| {
                            format!("{law}: {}", p.iter().map(|e| edge(&m, e.index())).collect::<Vec<_>>().join(" | "))
                        })
                        .collect();
                    wrong.push(format!("{about}: proved, but {expected:?} {paths:#?}"));
                } else if let Err(why) = as_built(&m, &report, &mut d) {
                    wrong.push(format!("{about}: {why}"));
                }
            }
            Verdict::Rejected => {
                rejected += 1;
                for c in &codes {
                    *mix.entry((*c).to_owned()).or_default() += 1;
                }
                let decided = codes.iter().all(|c| DECIDED.contains(c));
                if decided && found.complete && expected.is_empty() {
                    let why: Vec<_> = report
                        .diagnostics
                        .iter()
                        .filter(|x| x.severity == Severity::Error)
                        .map(|x| format!("{} {}", x.code, x.message))
                        .collect();
                    wrong.push(format!("{about}: rejected, but nothing is broken: {why:?}"));
                }
            }
        }
    }
    println!("{proved} proved, {rejected} rejected, {whole} of {cases} searched whole; {mix:?}");
    assert!(wrong.is_empty(), "{} of {cases} disagree\n{}", wrong.len(), wrong.join("\n"));
    assert!(proved > 10 && rejected > 10 && mix.len() >= 12, "{proved} proved, {rejected} rejected, {mix:?}");
}

/// The pairs of laws that random policies do not come to: the reference finds the law in the one and not in the other.
#[test]
fn pairs_of_rare_laws_on_runs_are_read_alike_by_the_reference() {
    for law in ["RL116", "RL309"] {
        let folder = roadlaw_tests::repository().join("tests/laws").join(law);
        let mut files: Vec<_> =
            std::fs::read_dir(&folder).expect("a folder").map(|f| f.expect("an entry").path()).collect();
        files.sort();
        let mut seen = 0;
        for file in files {
            let name = file.display().to_string();
            let out = lower(Input { name: name.clone(), bytes: std::fs::read(&file).expect("text"), root: None });
            if out.diagnostics.iter().any(|d| d.severity == Severity::Error) {
                // Broken by its text alone: no run is there to be searched.
                continue;
            }
            let m = restricted(&out.model.expect("a model"), &BTreeSet::new());
            let mut broken = BTreeSet::new();
            for flow in 0..m.flows.len() {
                let found = search::search_flow(&m, flow, 200_000);
                assert!(found.complete, "{name}: {} states", found.states);
                broken.extend(found.broken.into_keys());
            }
            assert_eq!(broken.contains(law), name.ends_with(".bad.road"), "{name}: {broken:?}");
            seen += 1;
        }
        assert!(seen >= 4, "{law}: {seen}");
    }
}

/// The table of a proved policy decides as the reference does: road, eligibility and reason.
fn as_built(m: &Model, report: &roadlaw_compiler::prove::Report, d: &mut Draw) -> Result<(), String> {
    let proof = report.proof.as_ref().ok_or("no proof")?;
    let bytes = table::build(m, proof, Options::default()).map_err(|e| format!("no table: {e:?}"))?;
    let t = Table::from_bytes(&bytes).map_err(|e| format!("unreadable table: {e:?}"))?;
    let start = vec![Cell::Unknown; m.facts.len()];
    let vectors = facts::vectors(&start, &search::free(m));
    for v in vectors.iter().take(400) {
        let mut v = v.clone();
        let mut given = Facts::new();
        let mut latches = Latches::fresh(&t);
        for (i, f) in m.facts.iter().enumerate() {
            match (f.latch, v[i]) {
                (Some(l), _) => {
                    use roadlaw_compiler::model::Latch;
                    let set = d.below(5) == 0;
                    v[i] = Cell::Known(i64::from(set));
                    match l {
                        Latch::Tried(r) if set => latches = latches.with_tried(r.index()),
                        Latch::Judged if set => latches = latches.with_judged(),
                        Latch::Consumed if set => latches = latches.with_consumed(),
                        Latch::Left(c) => v[i] = Cell::Known(i64::from(m.counters[c.index()].max)),
                        _ => {}
                    }
                }
                (None, Cell::Known(x)) => match f.ty {
                    Type::Bool => given.set_bool(&t, i, x == 1),
                    Type::Enum(_) | Type::Level(_) => given.set_value(&t, i, u8::try_from(x).expect("small")),
                    Type::Int { .. } => given.set_int(&t, i, i32::try_from(x).expect("small")),
                    Type::Set(_) => given.set_labels(&t, i, x.cast_unsigned()),
                }
                .map_err(|e| format!("cell {i}: {e}"))?,
                (None, Cell::Unknown) => {}
            }
        }
        for (i, c) in m.chooses.iter().enumerate() {
            let want = facts::choose(m, c, &v);
            let have = t.choose_with(i, &given, &latches);
            if have.road() != want.map(RoadId::index) {
                return Err(format!("choose {i} takes {:?}, not {want:?} at {v:?}", have.road()));
            }
            let chooser = t.chooser(i).ok_or("no choose")?;
            if let Ok(packed) = chooser.pack(&given) {
                let road = match chooser.pick_with(&packed, &latches) {
                    Pick::Road(r) => Some(r),
                    _ => None,
                };
                if road != have.road() {
                    return Err(format!("choose {i} of packed facts takes {road:?} at {v:?}"));
                }
            }
            for (k, r) in c.candidates.iter().enumerate() {
                if t.is_eligible(i, k, &given, &latches) != facts::eligible(m, *r, &v) {
                    return Err(format!(
                        "choose {i}: {k} eligible is {} at {v:?}",
                        t.is_eligible(i, k, &given, &latches)
                    ));
                }
                let reason = t.reason(i, k, &given, &latches);
                let closed = facts::first_closed(m, *r, &v);
                if let (Some(Closed::Filter(f)), Some(want)) = (reason, closed)
                    && f != want
                {
                    return Err(format!("choose {i}: {k} is closed by {f}, not {want} at {v:?}"));
                }
            }
        }
    }
    Ok(())
}

#[test]
fn the_policies_that_are_changed_are_proved() {
    // With all other facts fixed, fewer pairs of roads are real, and so are fewer words of a fallback edge.
    for (text, stays) in [(SHORTEST.to_owned(), vec![false, true]), (two_portals(), vec![true])] {
        for stay in stays {
            let m = model(&clear(&text));
            let all: BTreeSet<FactId> = search::free(&m).into_iter().map(|(f, _)| f).collect();
            let m = restricted(&m, &if stay { all } else { BTreeSet::new() });
            let report = prove(&m);
            let why: Vec<_> = report
                .diagnostics
                .iter()
                .filter(|x| x.severity == Severity::Error)
                .map(|x| format!("{} {} {:?}", x.code, x.message, x.help))
                .collect();
            assert_eq!((report.verdict, why), (Verdict::Proved, Vec::new()), "{}", m.name);
        }
    }
}
