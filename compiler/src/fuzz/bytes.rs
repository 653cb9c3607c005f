//! Bodies on tables, decisions and runs.

use super::{tables, with_table};
use crate::validate::view;
use roadlaw_runtime::format::{
    CHECKSUM_AT, COUNTS_AT, COVERED_FROM, DIGEST_AT, FLAG_COMPACT, FLAG_SYMBOLS, HEADER, MAGIC, OUTCOMES, SECTIONS,
    VERSION, checksum,
};
use roadlaw_runtime::{CellKind, Facts, FactsError, Latches, Pick, Run, RunError, Table};

/// Steps after which a run that goes in circles has shown enough.
const STEPS: usize = 64;

/// Bytes in front of the sections in a packed table: flags, and a count for each section.
const LEAD: usize = 1 + 2 * SECTIONS.len();

/// A table without what can be computed: flags, counts, sections. What [`table`] takes, and makes a table of again.
///
/// # Panics
/// If the bytes are no table.
#[must_use]
pub fn packing(table: &[u8]) -> Vec<u8> {
    let t = Table::from_bytes(table).expect("a table");
    let flags = u8::from(t.has_symbols()) | u8::from(t.is_compact()) << 1;
    let mut packed = vec![flags];
    let sizes = t.section_sizes();
    for count in sizes {
        packed.extend(u16::try_from(count).expect("few records").to_le_bytes());
    }
    let mut at = HEADER;
    for (count, (_, size)) in sizes.iter().zip(SECTIONS) {
        packed.extend(&table[at..at + count * size]);
        at = (at + count * size).next_multiple_of(8);
    }
    packed
}

/// The table that packed bytes stand for: header, directory, padding, checksum and digest are as they should be, so that
/// only the records can be wrong. Counts beyond the bytes that are there are cut, so that no small input makes a large table.
#[must_use]
pub fn unpacked(packed: &[u8]) -> Vec<u8> {
    let mut lead = [0; LEAD];
    let given = packed.len().min(LEAD);
    lead[..given].copy_from_slice(&packed[..given]);
    let mut rest = &packed[given..];
    let mut bytes = vec![0; HEADER];
    bytes[..8].copy_from_slice(&MAGIC);
    bytes[8..10].copy_from_slice(&VERSION.to_le_bytes());
    bytes[10..12].copy_from_slice(&u16::try_from(HEADER).unwrap_or(u16::MAX).to_le_bytes());
    bytes[12..16].copy_from_slice(&(u32::from(lead[0]) & (FLAG_SYMBOLS | FLAG_COMPACT)).to_le_bytes());
    for (i, (_, size)) in SECTIONS.iter().enumerate() {
        let count = usize::from(u16::from_le_bytes([lead[1 + 2 * i], lead[2 + 2 * i]])).min(rest.len() / size);
        let at = COUNTS_AT + 4 * i;
        bytes[at..at + 4].copy_from_slice(&u32::try_from(count).unwrap_or(0).to_le_bytes());
        let (body, after) = rest.split_at(count * size);
        bytes.extend(body);
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        rest = after;
    }
    let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    bytes[16..20].copy_from_slice(&length.to_le_bytes());
    let sum = checksum(&bytes);
    bytes[CHECKSUM_AT..CHECKSUM_AT + 8].copy_from_slice(&sum.to_le_bytes());
    let mut hasher = blake3::Hasher::new();
    hasher.update(&bytes[..CHECKSUM_AT]);
    hasher.update(&bytes[COVERED_FROM..]);
    let digest = *hasher.finalize().as_bytes();
    bytes[DIGEST_AT..DIGEST_AT + 32].copy_from_slice(&digest);
    bytes
}

/// Bytes as a table, raw and with a valid header in front: refused, or used to the end without harm.
///
/// # Panics
/// If something does not hold that must.
pub fn table(bytes: &[u8]) {
    for candidate in [bytes.to_vec(), unpacked(bytes)] {
        // The second reader has limits of its own, and must say no where the first does.
        let second = view(&candidate);
        match Table::from_bytes(&candidate) {
            Ok(t) => exercise(&t),
            Err(why) => assert!(!why.to_string().is_empty()),
        }
        if let Err(why) = second {
            assert!(!why.is_empty());
        }
        crate::program::fuzz::listed(&candidate);
    }
}

/// Uses everything that a table offers.
fn exercise(t: &Table<'_>) {
    let facts = Facts::new();
    let latches = Latches::fresh(t);
    for choose in 0..t.chooses().min(STEPS) {
        let decision = t.choose_with(choose, &facts, &latches);
        for (position, _) in t.candidates(choose).enumerate().take(STEPS) {
            let _ = t.reason(choose, position, &facts, &latches);
            let _ = t.is_eligible(choose, position, &facts, &latches);
        }
        if let Some(chooser) = t.chooser(choose)
            && let Ok(packed) = chooser.pack::<64>(&facts)
        {
            assert!(decision.choose() == choose);
            // Without latches another way is taken through the same masks.
            assert_eq!(
                chooser.pick(&packed),
                chooser.pick_with(&packed, &latches),
                "fresh latches change what is picked"
            );
        }
    }
    for flow in 0..t.flows().min(STEPS) {
        let Ok(mut run) = Run::start(t, flow) else { continue };
        for step in 0..STEPS {
            run.acknowledge(u32::MAX);
            let mut facts = Facts::new();
            facts.set_epoch(run.epoch());
            let outcome = u8::try_from(1 + step % 3).unwrap_or(1);
            if run.advance(t, run.generation(), outcome, &facts).is_err() {
                break;
            }
        }
    }
}

/// Bytes, one after the other.
pub(super) struct Draw<'a>(pub(super) &'a [u8]);

impl Draw<'_> {
    pub(super) fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    pub(super) fn below(&mut self, n: usize) -> Option<usize> {
        Some(usize::from(self.byte()?) % n.max(1))
    }

    pub(super) fn word(&mut self) -> Option<i32> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(i32::from_le_bytes(*first))
    }
}

/// Sets a cell to something, mostly of its own type. What is refused changes nothing; what is taken can be read.
fn set(t: &Table<'_>, facts: &mut Facts, d: &mut Draw<'_>) -> Option<()> {
    let cell = d.below(t.cells() + 1)?;
    let way = d.byte()?;
    let before = *facts;
    let kind = t.cell(cell).map(|c| c.kind());
    let (value, done): (i64, Result<(), FactsError>) = match (way % 8, kind) {
        (0, _) => {
            facts.unset(cell);
            assert_eq!(facts.get(cell), None);
            return Some(());
        }
        (1, _) | (2.., Some(CellKind::Bool)) => {
            let v = d.byte()? & 1 == 1;
            (v.into(), facts.set_bool(t, cell, v))
        }
        (2, _) | (3.., Some(CellKind::Enum { .. } | CellKind::Level { .. })) => {
            let v = d.byte()?;
            (v.into(), facts.set_value(t, cell, v))
        }
        (3, _) | (4.., Some(CellKind::Set { .. })) => {
            let v = u64::from(d.word()?.cast_unsigned());
            (v.cast_signed(), facts.set_labels(t, cell, v))
        }
        _ => {
            let v = d.word()?;
            (v.into(), facts.set_int(t, cell, v))
        }
    };
    match done {
        Ok(()) => {
            assert!(kind.is_some() && !t.cell(cell).is_some_and(|c| c.latch()), "cell {cell} was set");
            assert_eq!(facts.get(cell), Some(value));
        }
        Err(_) => assert!(*facts == before, "cell {cell} was refused and changed"),
    }
    Some(())
}

fn latched(t: &Table<'_>, latches: Latches, d: &mut Draw<'_>) -> Option<Latches> {
    Some(match d.byte()? % 8 {
        0 => latches.with_judged(),
        1 => latches.with_consumed(),
        2 => latches.with_left(d.below(16)?, d.byte()?),
        3 => latches.with_cell(t, d.below(t.cells() + 1)?, d.byte()?.into()),
        _ => latches.with_tried(d.below(t.roads() + 1)?),
    })
}

/// Facts and latches set at random: choosing, its reasons and choosing from packed facts say the same.
///
/// # Panics
/// If something does not hold that must.
pub fn decide(bytes: &[u8]) {
    let (table, rest) = with_table(bytes);
    let t = Table::from_bytes(table).expect("a sound table");
    let mut d = Draw(rest);
    let mut facts = Facts::new();
    let mut latches = Latches::fresh(&t);
    while let Some(what) = d.byte() {
        let went_on = match what % 8 {
            0 => latched(&t, latches, &mut d).map(|l| latches = l),
            _ => set(&t, &mut facts, &mut d),
        };
        if went_on.is_none() {
            break;
        }
    }
    (0..t.chooses()).for_each(|choose| agrees(&t, choose, &facts, &latches));
}

fn agrees(t: &Table<'_>, choose: usize, facts: &Facts, latches: &Latches) {
    let decision = t.choose_with(choose, facts, latches);
    let candidates: Vec<usize> = t.candidates(choose).collect();
    let open: Vec<usize> = (0..candidates.len())
        .filter(|p| t.reason(choose, *p, facts, latches).is_none())
        .map(|p| candidates[p])
        .collect();
    match decision.road() {
        Some(road) => assert!(open.contains(&road), "{road} is taken of {open:?}"),
        None => assert!(open.is_empty(), "nothing is taken of {open:?}"),
    }
    for (p, road) in candidates.iter().enumerate() {
        let eligible = t.is_eligible(choose, p, facts, latches);
        assert!(eligible || !open.contains(road), "{road} is open and not eligible");
    }
    let chooser = t.chooser(choose).expect("a choose of the table");
    if let Ok(packed) = chooser.pack::<64>(facts) {
        let said = match chooser.pick_with(&packed, latches) {
            Pick::Road(road) => Some(road),
            _ => None,
        };
        assert_eq!(said, decision.road(), "packed facts say something else");
    }
}

/// A run driven at random: what it refuses leaves it as it was, and what it takes is an edge of its table.
///
/// # Panics
/// If something does not hold that must.
pub fn run(bytes: &[u8]) {
    let (table, rest) = with_table(bytes);
    let t = Table::from_bytes(table).expect("a sound table");
    let other = tables().iter().find(|o| o.as_slice() != table).map(|o| Table::from_bytes(o));
    let Some(Ok(other)) = other else { panic!("there are several tables") };
    let mut d = Draw(rest);
    let Some(flow) = d.below(t.flows() + 1) else { return };
    let Ok(mut run) = Run::start(&t, flow) else {
        assert_eq!(flow, t.flows());
        return;
    };
    let mut facts = Facts::new();
    while let Some(what) = d.byte() {
        let went_on = match what % 8 {
            0 | 1 => set(&t, &mut facts, &mut d),
            2 => d.byte().map(|bits| run.acknowledge(u32::from(bits))),
            3 => {
                let before = run;
                let refused = run.advance(&other, run.generation(), 1, &facts);
                assert!(refused == Err(RunError::PinnedPolicyUnavailable) && run == before, "another table drove it");
                Some(())
            }
            4 => {
                facts.set_epoch(run.epoch());
                Some(())
            }
            _ => d.byte().map(|outcome| advance(&t, &mut run, &facts, what, outcome)),
        };
        if went_on.is_none() {
            break;
        }
    }
}

fn advance(t: &Table<'_>, run: &mut Run, facts: &Facts, what: u8, outcome: u8) {
    // Mostly nothing stands in the way, so that runs get somewhere.
    if what & 0x80 == 0 {
        run.acknowledge(u32::MAX);
    }
    let mut facts = *facts;
    if what & 0x40 == 0 {
        facts.set_epoch(run.epoch());
    }
    let outcome = if what & 0x20 == 0 { outcome % u8::try_from(OUTCOMES.len()).unwrap_or(1) } else { outcome };
    let before = *run;
    let stale = what & 0x18 == 0x18;
    let generation = run.generation().wrapping_add(u32::from(stale));
    match run.advance(t, generation, outcome, &facts) {
        Ok(step) => {
            assert!(!stale && before.obligations() == 0 && facts.epoch() >= before.epoch(), "it moved too early");
            let edges = t.edges_of(before.node());
            assert!(edges.contains(&step.edge), "edge {} is not of node {}", step.edge, before.node());
            assert_eq!(t.edge(step.edge).map(|e| e.to()), Some(step.node));
            assert_eq!((run.node(), run.obligations()), (step.node, step.obligations));
            assert!(run.generation() >= before.generation() && run.epoch() >= before.epoch(), "time went back");
            assert_eq!(t.node(step.node).map(|n| n.is_terminal()), Some(step.ended));
        }
        Err(why) => {
            assert!(*run == before, "refused with {why}, and moved");
            // A proved table has an edge for every outcome that a node can have.
            assert!(why != RunError::NoEdge, "no edge at node {}", before.node());
        }
    }
}
