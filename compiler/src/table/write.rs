//! The writer: sections in order, then the header over them.

use super::choose::Chooses;
use super::code::Code;
use super::symbols::symbols;
use crate::model::{EdgeId, EdgeKind, EdgeRank, Guard, Latch, Life, Model, Node, NodeKind, Outcome, Shape, Stop, Type};
use roadlaw_grammar::diagnostic::Diagnostic;
use roadlaw_runtime::format::{
    self, CHECKSUM_AT, COVERED_FROM, DIGEST_AT, DIRECTORY_AT, FLAG_SYMBOLS, HEADER, MAGIC, MODEL_AT, NONE, PROOF_AT,
    VERSION, cell, latch, node, obligation, rank,
};

fn n16(n: usize) -> u16 {
    u16::try_from(n).unwrap_or(NONE)
}

fn n32(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// Writes a table. Digests are put in as given.
pub(super) fn write(m: &Model, model: [u8; 32], proof: [u8; 32], strip: bool) -> Result<Vec<u8>, Vec<Diagnostic>> {
    limits(m)?;
    let deep = || vec![Diagnostic::error("RL901", m.span, "a guard is nested too deeply for the table format")];
    let mut code = Code::default();
    let mut sections: Vec<Vec<u8>> = vec![Vec::new(); format::SYMBOLS];
    sections[0] = m.facts.iter().flat_map(|f| fact(m, f)).collect();
    let mut first = 0_usize;
    for r in &m.roads {
        sections[1].extend(n32(first).to_le_bytes());
        sections[1].extend(n16(r.filters.len()).to_le_bytes());
        sections[1].push(u8::from(r.remote) | u8::from(r.reviewer.is_some()) << 1 | u8::from(r.leaves_invocation) << 2);
        sections[1].push(shape(r.shape));
        first += r.filters.len();
        for f in &r.filters {
            let at = code.put(m, &f.guard).ok_or_else(deep)?;
            sections[2].extend(at.to_le_bytes());
            sections[2].extend(0_u32.to_le_bytes());
        }
    }
    let mut chooses = Chooses::default();
    for c in &m.chooses {
        chooses.add(m, c, &mut code).ok_or_else(deep)?;
    }
    flow(m, &mut code, &mut sections).ok_or_else(deep)?;
    for c in &m.counters {
        sections[12].extend([c.max, 0]);
        sections[12].extend(n16(c.fact.index()).to_le_bytes());
    }
    for f in &m.flows {
        sections[13].extend(n16(f.start.index()).to_le_bytes());
        sections[13].extend(f.of.map_or(NONE, |r| n16(r.index())).to_le_bytes());
        sections[13].extend(f.calls.to_le_bytes());
    }
    sections[3] = code.words.iter().flat_map(|w| w.to_le_bytes()).collect();
    sections[4] = chooses.records.concat();
    sections[5] = chooses.columns.concat();
    sections[6] = chooses.cuts.iter().flat_map(|w| w.to_le_bytes()).collect();
    sections[7] = chooses.masks.iter().flat_map(|w| w.to_le_bytes()).collect();
    sections[8] = chooses.indices.iter().flat_map(|w| w.to_le_bytes()).collect();
    let names = if strip { Vec::new() } else { symbols(m).ok_or_else(deep)? };
    Ok(assemble(&sections, &names, model, proof))
}

fn assemble(sections: &[Vec<u8>], names: &[u8], model: [u8; 32], proof: [u8; 32]) -> Vec<u8> {
    let mut out = vec![0_u8; HEADER];
    out[..8].copy_from_slice(&MAGIC);
    out[8..10].copy_from_slice(&VERSION.to_le_bytes());
    out[10..12].copy_from_slice(&n16(HEADER).to_le_bytes());
    let flags = if names.is_empty() { 0 } else { FLAG_SYMBOLS };
    out[12..16].copy_from_slice(&flags.to_le_bytes());
    out[MODEL_AT..MODEL_AT + 32].copy_from_slice(&model);
    out[PROOF_AT..PROOF_AT + 32].copy_from_slice(&proof);
    for (i, body) in sections.iter().map(Vec::as_slice).chain([names]).enumerate() {
        let entry = DIRECTORY_AT + 8 * i;
        let count = body.len() / format::SECTIONS.get(i).map_or(1, |s| s.1);
        let offset = n32(out.len());
        out[entry..entry + 4].copy_from_slice(&offset.to_le_bytes());
        out[entry + 4..entry + 8].copy_from_slice(&n32(count).to_le_bytes());
        out.extend(body);
        out.resize(out.len().next_multiple_of(8), 0);
    }
    let length = n32(out.len());
    out[16..20].copy_from_slice(&length.to_le_bytes());
    seal(&mut out);
    out
}

/// Puts checksum and digest over the covered bytes.
pub(crate) fn seal(out: &mut [u8]) {
    let sum = format::checksum(out);
    out[CHECKSUM_AT..CHECKSUM_AT + 8].copy_from_slice(&sum.to_le_bytes());
    let digest = digest(out);
    out[DIGEST_AT..DIGEST_AT + 32].copy_from_slice(&digest);
}

/// BLAKE3 over the bytes before the checksum and those from [`COVERED_FROM`] on.
pub(crate) fn digest(bytes: &[u8]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&bytes[..CHECKSUM_AT.min(bytes.len())]);
    hasher.update(bytes.get(COVERED_FROM..).unwrap_or(&[]));
    *hasher.finalize().as_bytes()
}

fn limits(m: &Model) -> Result<(), Vec<Diagnostic>> {
    let checks = [
        (m.facts.len(), roadlaw_runtime::CELLS, "fact cells"),
        (m.roads.len(), 1_024, "roads"),
        (m.chooses.len(), 256, "chooses"),
        (m.nodes.len(), 65_535, "nodes"),
        (m.edges.len(), 65_535, "edges"),
        (m.counters.len(), 8, "counters"),
    ];
    let found: Vec<Diagnostic> = checks
        .into_iter()
        .filter(|(n, limit, _)| n > limit)
        .map(|(n, limit, what)| {
            Diagnostic::error("RL901", m.span, format!("{n} {what}, and a table holds {limit}"))
                .with_help("split the policy, or leave out what nothing reads")
        })
        .collect();
    if found.is_empty() { Ok(()) } else { Err(found) }
}

fn fact(m: &Model, f: &crate::model::Fact) -> [u8; 24] {
    let _ = m;
    let mut b = [0_u8; 24];
    let (kind, count, lo, hi) = match &f.ty {
        Type::Bool => (cell::BOOL, 2, 0, 0),
        Type::Enum(n) => (cell::ENUM, n.len(), 0, 0),
        Type::Level(n) => (cell::LEVEL, n.len(), 0, 0),
        Type::Set(n) => (cell::SET, n.len(), 0, 0),
        Type::Int { lo, hi } => (cell::INT, 0, *lo, *hi),
    };
    let (written_by, argument) = match f.latch {
        None => (latch::NONE, NONE),
        Some(Latch::Tried(r)) => (latch::TRIED, n16(r.index())),
        Some(Latch::Judged) => (latch::JUDGED, NONE),
        Some(Latch::Consumed) => (latch::CONSUMED, NONE),
        Some(Latch::Left(c)) => (latch::LEFT, n16(c.index())),
    };
    let life = match f.life {
        Life::Pinned => 0,
        Life::Sealed => 1,
        Life::Volatile => 2,
        Life::Latch => 3,
        Life::Rank => 4,
    };
    b[..4].copy_from_slice(&[kind, life, written_by, u8::from(f.unknown.is_some())]);
    b[4..6].copy_from_slice(&n16(count).to_le_bytes());
    b[6..8].copy_from_slice(&argument.to_le_bytes());
    b[8..16].copy_from_slice(&f.unknown.unwrap_or(0).to_le_bytes());
    b[16..20].copy_from_slice(&lo.to_le_bytes());
    b[20..24].copy_from_slice(&hi.to_le_bytes());
    b
}

pub(crate) fn shape(s: Shape) -> u8 {
    match s {
        Shape::Local => 0,
        Shape::Portal => 1,
        Shape::Peer => 2,
        Shape::Coding => 3,
        Shape::CodingLocal => 4,
        Shape::Human => 5,
        Shape::Choice => 6,
    }
}

fn kind(k: &NodeKind) -> u8 {
    match k {
        NodeKind::Start => 0,
        NodeKind::Classify => 1,
        NodeKind::Minimize => 2,
        NodeKind::Resolve => 3,
        NodeKind::Checkpoint => 4,
        NodeKind::Release => 5,
        NodeKind::Choose(_) => 6,
        NodeKind::Cut => 7,
        NodeKind::Verify => 8,
        NodeKind::Reserve => 9,
        NodeKind::Decide { fresh: false } => 10,
        NodeKind::Decide { fresh: true } => 11,
        NodeKind::Attempt => 12,
        NodeKind::Egress => 13,
        NodeKind::Send => 14,
        NodeKind::Call => 15,
        NodeKind::AwaitUser => 16,
        NodeKind::AwaitExternal => 17,
        NodeKind::Quarantine => 18,
        NodeKind::Validate => 19,
        NodeKind::Consume => 20,
        NodeKind::Adopt => 21,
        NodeKind::Effect(_) => 22,
        NodeKind::Reconcile => 23,
        NodeKind::Review => 24,
        NodeKind::Repair => 25,
        NodeKind::Own(_) => 26,
        NodeKind::Return(_) => node::RETURN,
        NodeKind::Stop(s, _) => {
            let at = [
                Stop::Done,
                Stop::Refused,
                Stop::PendingNoRoad,
                Stop::Indeterminate,
                Stop::Lost,
                Stop::Cancelled,
                Stop::Expired,
                Stop::Stale,
            ]
            .iter()
            .position(|x| x == s)
            .unwrap_or(0);
            node::STOP + u8::try_from(at).unwrap_or(0)
        }
    }
}

pub(crate) fn outcome(o: Outcome) -> u8 {
    let at = format::OUTCOMES.iter().position(|w| *w == o.word());
    at.and_then(|i| u8::try_from(i).ok()).unwrap_or(u8::MAX)
}

/// What entering a node obliges the caller to (MODEL.md section 11).
fn node_obligations(m: &Model, n: &Node) -> u32 {
    use obligation as ob;
    let reviewer = n.road.is_some_and(|r| m.road(r).reviewer.is_some());
    match n.kind {
        NodeKind::Checkpoint => ob::CHECKPOINT,
        NodeKind::Resolve => ob::RE_RESOLVE,
        NodeKind::Send | NodeKind::Call | NodeKind::AwaitUser | NodeKind::AwaitExternal if reviewer => {
            ob::CHECK_DISTINCT | ob::CHECK_BLIND
        }
        NodeKind::Quarantine => ob::PROVENANCE,
        NodeKind::Validate => ob::QUESTION_EQUAL | ob::CONTEXT_EQUAL,
        NodeKind::Attempt => ob::LEASE_FENCE | ob::FRESH_IDENTITY,
        NodeKind::Consume => ob::CONSUME_ONCE,
        NodeKind::Adopt => ob::COMPARE_AND_SWAP | ob::LEASE_FENCE,
        NodeKind::Egress => ob::EGRESS_ONCE,
        _ => 0,
    }
}

fn flow(m: &Model, code: &mut Code, sections: &mut [Vec<u8>]) -> Option<()> {
    let mut edges_written = 0_usize;
    let mut ports_written = 0_usize;
    for (i, n) in m.nodes.iter().enumerate() {
        let mut ports: std::collections::BTreeMap<(u8, u16), Vec<EdgeId>> = std::collections::BTreeMap::new();
        for (k, e) in m.edges.iter().enumerate().filter(|(_, e)| e.from.index() == i) {
            let key = (outcome(e.outcome), e.candidate.map_or(NONE, |r| n16(r.index())));
            ports.entry(key).or_default().push(EdgeId(n32(k)));
        }
        let b = &mut sections[9];
        b.extend([kind(&n.kind), 0]);
        b.extend(n.road.map_or(NONE, |r| n16(r.index())).to_le_bytes());
        b.extend(node_obligations(m, n).to_le_bytes());
        b.extend(n16(ports_written).to_le_bytes());
        b.extend(n16(ports.len()).to_le_bytes());
        let choose = if let NodeKind::Choose(c) = n.kind { n16(c.index()) } else { NONE };
        b.extend(choose.to_le_bytes());
        b.extend(n16(n.flow.index()).to_le_bytes());
        for ((o, candidate), edges) in ports {
            let b = &mut sections[10];
            b.extend([o, 0]);
            b.extend(candidate.to_le_bytes());
            b.extend(n16(edges_written).to_le_bytes());
            b.extend(n16(edges.len()).to_le_bytes());
            ports_written += 1;
            edges_written += edges.len();
            for e in &edges {
                let record = edge(m, code, *e, &edges)?;
                sections[11].extend(record);
            }
        }
    }
    Some(())
}

/// The guard of an edge as it stands in the table: a spent edge is open where an edge that takes its counter asks.
pub(crate) fn written_guard(m: &Model, e: EdgeId, port: &[EdgeId]) -> Guard {
    match m.edge(e).rank {
        EdgeRank::Spent(c) => {
            Guard::or(port.iter().filter(|o| m.edge(**o).takes == Some(c)).map(|o| m.edge(*o).guard.clone()))
        }
        _ => m.edge(e).guard.clone(),
    }
}

fn edge(m: &Model, code: &mut Code, id: EdgeId, port: &[EdgeId]) -> Option<[u8; 20]> {
    let e = m.edge(id);
    let guard = code.put(m, &written_guard(m, id, port))?;
    let (rank, counter) = match e.rank {
        EdgeRank::Guarded => (rank::GUARDED, e.takes),
        EdgeRank::Spent(c) => (rank::SPENT, Some(c)),
        EdgeRank::Else => (rank::ELSE, None),
    };
    let kind = match e.kind {
        EdgeKind::Next => 0,
        EdgeKind::Loop => 1,
        EdgeKind::Retry => 2,
        EdgeKind::Redirect => 3,
        EdgeKind::Fallback => 4,
        EdgeKind::Redeliver => 5,
        EdgeKind::Resume => 6,
    };
    let changes = crate::model::Change::ALL
        .iter()
        .enumerate()
        .filter(|(_, c)| e.changes.as_ref().is_some_and(|s| s.contains(c)))
        .fold(0_u32, |acc, (i, _)| acc | 1 << i);
    let obligations = match e.kind {
        EdgeKind::Fallback => obligation::FALLBACK_RECEIPT,
        EdgeKind::Redeliver => obligation::REPLAY_PROOF,
        _ => 0,
    };
    let mut b = [0_u8; 20];
    b[..2].copy_from_slice(&n16(e.to.index()).to_le_bytes());
    b[2] = kind;
    b[3] = rank;
    b[4] = counter.map_or(Some(u8::MAX), |c| u8::try_from(c.index()).ok())?;
    b[5] = u8::from(e.kind != EdgeKind::Next);
    b[8..12].copy_from_slice(&guard.to_le_bytes());
    b[12..16].copy_from_slice(&changes.to_le_bytes());
    b[16..20].copy_from_slice(&obligations.to_le_bytes());
    Some(b)
}
