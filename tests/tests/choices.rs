//! Chooses of every size and layout against an independent reading of the model: facts as they are, and packed.

use roadlaw_compiler::lower::{Input, lower};
use roadlaw_compiler::model::{Cell, Model, NodeKind, Type};
use roadlaw_compiler::pipeline;
use roadlaw_compiler::table::{Layout, Options};
use roadlaw_runtime::format::{CHECKSUM_AT, DIGEST_AT, checksum};
use roadlaw_runtime::{Facts, FactsError, Latches, Packed, Pick, Table};
use roadlaw_tests::reference::facts;
use std::fmt::Write;

/// Deterministic, and good enough to mix cases: a multiplicative congruential generator (Park and Miller, 1988).
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0 * 48_271 % 0x7fff_ffff;
        usize::try_from(self.0).expect("64 bits") % n
    }
}

const LABELS: [&str; 5] = ["legal", "medical", "finance", "minors", "export"];
const TIERS: [&str; 3] = ["free", "pro", "team"];

fn condition(d: &mut Dice) -> String {
    match d.below(9) {
        0 | 1 => format!("{}b{}", if d.below(2) == 0 { "not " } else { "" }, d.below(6)),
        2 => format!("tier in {{ {}, {} }}", TIERS[d.below(2)], TIERS[2]),
        3 => format!("labels has {}", LABELS[d.below(5)]),
        4 => format!("not labels has {}", LABELS[d.below(5)]),
        5 => format!("budget >= {}", 10 * (1 + d.below(5))),
        6 => format!("(budget < {} or b{})", 10 * (1 + d.below(5)), d.below(6)),
        7 => format!("not (b{} and level >= mid)", d.below(6)),
        _ => format!("(b{} or level < high or not labels has {})", d.below(6), LABELS[d.below(5)]),
    }
}

/// A pure decision between so many options, with guarded refusals. Any option may be asked for alone, so that each is chosen
/// somewhere, whatever the order.
fn policy(options: usize, keyed: bool, d: &mut Dice) -> String {
    let drawn: Vec<Vec<String>> = (0..options).map(|_| (0..d.below(5)).map(|_| condition(d)).collect()).collect();
    let orders: Vec<Vec<usize>> = TIERS
        .iter()
        .map(|_| {
            let mut order: Vec<usize> = (0..options).collect();
            for i in (1..order.len()).rev() {
                order.swap(i, d.below(i + 1));
            }
            order
        })
        .collect();
    // Conditions that contradict each other would close an option for ever: of those one is left.
    let text = written(&drawn, &orders, keyed);
    let lowered = lower(input(&text));
    let m = lowered.model.unwrap_or_else(|| panic!("{:?}\n{text}", lowered.diagnostics));
    let vectors: Vec<Vec<Cell>> = (0..2_000)
        .map(|_| {
            let mut v = draw(&m, d);
            v[10..12].fill(Cell::Known(0));
            v
        })
        .collect();
    let kept: Vec<Vec<String>> = drawn
        .into_iter()
        .zip(&m.roads)
        .map(|(mut filters, road)| {
            let holds = |v: &Vec<Cell>| road.filters.iter().all(|f| facts::open(&m, &f.guard, v));
            if !vectors.iter().any(holds) {
                filters.truncate(1);
            }
            filters
        })
        .collect();
    written(&kept, &orders, keyed)
}

fn written(filters: &[Vec<String>], orders: &[Vec<usize>], keyed: bool) -> String {
    let mut s = String::from("edition 1\npolicy a.b@1 profile choice {\n  facts {\n");
    for b in 0..6 {
        let strict = if b == 0 { "  unknown = true" } else { "" };
        writeln!(s, "    volatile b{b} : bool{strict}").expect("text");
    }
    s += "    volatile tier : enum { free, pro, team }\n    volatile level : level { low < mid < high }\n";
    s += "    volatile labels : set { legal, medical, finance, minors, export }\n    volatile budget : int 0..100\n";
    s += "    pinned sixteens : int 0..16  pinned ones : int 0..16\n";
    s += "    rank price : int 0..9 per road\n  }\n";
    for (r, filters) in filters.iter().enumerate() {
        let mut all: Vec<String> = filters.iter().enumerate().map(|(i, c)| format!("c{i} : {c}")).collect();
        let (sixteens, ones) = (r / 16 + 1, r % 16 + 1);
        all.push(format!("s : sixteens == 0 or sixteens == {sixteens}  o : ones == 0 or ones == {ones}"));
        writeln!(s, "  road r{r} : option {{ filters {{ {} }} }}", all.join(" ")).expect("text");
    }
    let names: Vec<String> = (0..filters.len()).map(|r| format!("r{r}")).collect();
    writeln!(s, "  flow {{\n    start -> choose\n    choose {{ {} }} by tier {{", names.join(", ")).expect("text");
    for (tier, order) in TIERS.iter().zip(orders) {
        let order: Vec<&str> = order.iter().map(|r| names[*r].as_str()).collect();
        if keyed && *tier == "pro" {
            writeln!(s, "      {tier} : keys price").expect("text");
        } else {
            writeln!(s, "      {tier} : order {}", order.join(", ")).expect("text");
        }
    }
    s += "    } each -> done\n    choose.none when b1 and budget < 20 -> refused(poor)\n";
    s += "    choose.none when not (b1 and budget < 20) and tier == free -> refused(free)\n";
    s + "    choose.none else -> pending_no_road\n    else -> refused(input)\n  }\n}\n"
}

fn input(text: &str) -> Input {
    Input { name: "p.road".to_owned(), bytes: text.as_bytes().to_vec(), root: None }
}

fn draw(m: &Model, d: &mut Dice) -> Vec<Cell> {
    let mut one = |f: &roadlaw_compiler::model::Fact| {
        if f.latch.is_some() {
            return Cell::Known(0);
        }
        if d.below(5) == 0 {
            return Cell::Unknown;
        }
        // Mostly nobody asks for one option alone.
        if matches!(f.name.as_str(), "sixteens" | "ones") && d.below(8) != 0 {
            return Cell::Known(0);
        }
        let n = match &f.ty {
            Type::Bool => d.below(2),
            Type::Enum(n) | Type::Level(n) => d.below(n.len()),
            Type::Set(n) => d.below(1 << n.len()),
            Type::Int { hi, .. } => d.below(usize::try_from(*hi).expect("small") + 1),
        };
        Cell::Known(i64::try_from(n).expect("small"))
    };
    m.facts.iter().map(&mut one).collect()
}

fn given(t: &Table<'_>, m: &Model, v: &[Cell]) -> Facts {
    let mut out = Facts::new();
    for (i, c) in v.iter().enumerate() {
        let (Cell::Known(x), None) = (c, m.facts[i].latch) else { continue };
        match m.facts[i].ty {
            Type::Bool => out.set_bool(t, i, *x == 1),
            Type::Enum(_) | Type::Level(_) => out.set_value(t, i, u8::try_from(*x).expect("small")),
            Type::Int { .. } => out.set_int(t, i, i32::try_from(*x).expect("small")),
            Type::Set(_) => out.set_labels(t, i, x.cast_unsigned()),
        }
        .expect("a value of the cell");
    }
    out
}

/// The same facts, set one after the other over those of another vector.
fn set(t: &Table<'_>, packed: &mut Packed, m: &Model, v: &[Cell]) {
    let c = t.chooser(0).expect("a choose");
    for (i, cell) in v.iter().enumerate().filter(|(i, _)| m.facts[*i].latch.is_none()) {
        let Cell::Known(x) = cell else {
            c.unset(packed, i);
            continue;
        };
        match m.facts[i].ty {
            Type::Bool => c.set_bool(packed, i, *x == 1),
            Type::Enum(_) | Type::Level(_) => c.set_value(packed, i, u8::try_from(*x).expect("small")),
            Type::Int { .. } => c.set_int(packed, i, i32::try_from(*x).expect("small")),
            Type::Set(_) => c.set_labels(packed, i, x.cast_unsigned()),
        }
        .expect("a value of the cell");
    }
}

/// The edge that is taken where nothing is eligible, by the model.
fn exit(m: &Model, v: &[Cell]) -> Vec<usize> {
    let choose = m.nodes.iter().position(|n| matches!(n.kind, NodeKind::Choose(_))).expect("a choose");
    let node = roadlaw_compiler::model::NodeId(u32::try_from(choose).expect("small"));
    let port = facts::port(m, node, roadlaw_compiler::model::Outcome::Closed, None);
    facts::taken(m, &port, v).into_iter().map(|e| m.edge(e).to.index()).collect()
}

#[test]
fn every_size_and_layout_chooses_what_the_model_chooses() {
    let mut chosen = 0_usize;
    let mut refused = 0_usize;
    for (options, keyed) in [(2, false), (5, true), (12, false), (25, false), (40, false), (40, true), (150, false)] {
        let mut d = Dice(7 + u64::try_from(options).expect("64 bits"));
        let text = policy(options, keyed, &mut d);
        let lowered = lower(input(&text));
        let m = lowered.model.unwrap_or_else(|| panic!("{:?}\n{text}", lowered.diagnostics));
        for layout in [Layout::Fast, Layout::Compact] {
            let made = pipeline::check(input(&text), Options { layout: Some(layout), ..Options::default() });
            let bytes = made.table.unwrap_or_else(|| panic!("{:?}", made.report.diagnostics));
            let t = Table::from_bytes(&bytes).expect("a table");
            let c = t.chooser(0).expect("a choose");
            assert_eq!(t.is_compact(), layout == Layout::Compact);
            let mut kept = c.packed::<64>();
            assert_eq!(kept.is_err(), keyed, "{options} {layout:?}: facts rank, so that masks do not suffice");
            let latches = Latches::fresh(&t);
            for _ in 0..400 {
                let v = draw(&m, &mut d);
                let facts_of = given(&t, &m, &v);
                let want = facts::choose(&m, &m.chooses[0], &v);
                let have = t.choose(0, &facts_of);
                assert_eq!(have.road(), want.map(|r| r.index()), "{options} {layout:?} {v:?}");
                for (k, r) in m.chooses[0].candidates.iter().enumerate() {
                    assert_eq!(t.is_eligible(0, k, &facts_of, &latches), facts::eligible(&m, *r, &v), "{k} {v:?}");
                }
                if want.is_none() {
                    refused += 1;
                    let edge = have.exit().and_then(|e| t.edge(e)).expect("masks tell the exit");
                    assert_eq!(vec![edge.to()], exit(&m, &v), "{options} {layout:?} {v:?}");
                } else {
                    chosen += 1;
                    assert_eq!(have.exit(), None);
                }
                let Ok(packed) = &mut kept else { continue };
                set(&t, packed, &m, &v);
                assert_eq!(Ok(*packed), c.pack(&facts_of), "setting one after the other and packing at once");
                let pick = match (have.road(), have.exit()) {
                    (Some(road), _) => Pick::Road(road),
                    (None, Some(edge)) => Pick::Exit(edge),
                    (None, None) => Pick::None,
                };
                assert_eq!(c.pick(packed), pick);
                if let Some(road) = have.road() {
                    let tried = latches.with_tried(road);
                    assert_ne!(c.pick_with(packed, &tried), pick, "what was tried is not chosen again");
                    assert_eq!(c.pick_with(packed, &latches.with_judged()), Pick::None);
                    let again = t.choose_with(0, &facts_of, &tried).road();
                    assert_eq!(
                        again.map(Pick::Road),
                        match c.pick_with(packed, &tried) {
                            Pick::Road(r) => Some(Pick::Road(r)),
                            _ => None,
                        }
                    );
                }
            }
        }
    }
    assert!(chosen > 1_000 && refused > 100, "{chosen} chosen, {refused} refused");
}

#[test]
fn packed_facts_belong_to_one_choose_of_one_table() {
    let mut d = Dice(11);
    let tables: Vec<Vec<u8>> = (0..2)
        .map(|_| pipeline::check(input(&policy(5, false, &mut d)), Options::default()).table.expect("a table"))
        .collect();
    let [a, b] = [&tables[0], &tables[1]].map(|t| Table::from_bytes(t).expect("a table"));
    let (one, other) = (a.chooser(0).expect("a choose"), b.chooser(0).expect("a choose"));
    let mut packed: Packed = one.packed().expect("packable");
    assert_eq!(other.pick(&packed), Pick::None);
    assert_eq!(other.set_bool(&mut packed, 0, true), Err(FactsError::Foreign));
    assert_eq!(one.set_bool(&mut packed, 6, true), Err(FactsError::Type));
    assert_eq!(one.set_value(&mut packed, 6, 3), Err(FactsError::Domain));
    assert_eq!(one.set_value(&mut packed, 6, 2), Ok(()));
    assert_eq!(a.chooser(1).map(|_| ()), None);
    // Rows that are no rows of the choose do no harm.
    let _: Pick = one.pick(&Packed::assembled(0, 9, [u16::MAX; 64]));
}

/// Makes checksum and digest fit again, as somebody who knows the format could.
fn seal(bytes: &mut [u8]) {
    let sum = checksum(bytes);
    bytes[CHECKSUM_AT..CHECKSUM_AT + 8].copy_from_slice(&sum.to_le_bytes());
    let digest = roadlaw_compiler::table::digest(bytes);
    bytes[DIGEST_AT..DIGEST_AT + 32].copy_from_slice(&digest);
}

#[test]
fn damage_to_a_choose_behind_a_repaired_digest_is_refused_or_harmless() {
    let (mut refused, mut harmless) = (0, 0);
    for (options, keyed, layout) in [(12, false, Layout::Fast), (40, true, Layout::Compact), (150, false, Layout::Fast)]
    {
        let mut d = Dice(3 + u64::try_from(options).expect("64 bits"));
        let text = policy(options, keyed, &mut d);
        let m = lower(input(&text)).model.expect("a model");
        let made = pipeline::check(input(&text), Options { layout: Some(layout), strip: true });
        let sound = made.table.unwrap_or_else(|| panic!("{:?}", made.report.diagnostics));
        for at in (0..sound.len()).step_by(5) {
            let mut bytes = sound.clone();
            bytes[at] ^= 1 << (at % 8);
            if bytes == sound {
                continue;
            }
            seal(&mut bytes);
            let Ok(t) = Table::from_bytes(&bytes) else {
                refused += 1;
                continue;
            };
            harmless += 1;
            // What it decides is the digest's business; that it ends, and names what the table has, is asked here.
            let facts_of = Facts::new();
            let made = t.choose(0, &facts_of);
            assert!(
                made.road().is_none_or(|r| r < t.roads()) && made.exit().is_none_or(|e| e < t.edges()),
                "byte {at}"
            );
            let latches = Latches::fresh(&t);
            for k in 0..m.chooses[0].candidates.len() {
                let _: bool = t.is_eligible(0, k, &facts_of, &latches);
            }
            let Some(mut packed) = t.chooser(0).and_then(|c| c.packed::<64>().ok()) else { continue };
            for cell in 0..t.cells() {
                let c = t.chooser(0).expect("a choose");
                let _: Result<(), FactsError> =
                    c.set_bool(&mut packed, cell, true).or_else(|_| c.set_value(&mut packed, cell, 1));
            }
            match t.chooser(0).expect("a choose").pick(&packed) {
                Pick::Road(r) => assert!(r < t.roads(), "byte {at}"),
                Pick::Exit(e) => assert!(e < t.edges(), "byte {at}"),
                Pick::None => {}
            }
        }
    }
    assert!(refused > 300 && harmless > 300, "{refused} refused, {harmless} harmless");
}
