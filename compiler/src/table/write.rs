//! The writer: sections in order, then the header over them.

use super::choose::{Chooses, Layout};
use super::code::Code;
use super::symbols::symbols;
use crate::model::{
    Duty, Edge, EdgeId, EdgeKind, EdgeRank, Guard, Latch, Life, Model, Node, NodeId, NodeKind, Outcome, Shape, Stop,
    Type,
};
use roadlaw_grammar::diagnostic::Diagnostic;
use roadlaw_runtime::format::{
    self, CHECKSUM_AT, COUNTS_AT, COVERED_FROM, DIGEST_AT, FLAG_COMPACT, FLAG_SYMBOLS, HEADER, MAGIC, MODEL_AT, NONE,
    PROOF_AT, VERSION, cell, latch, node, obligation, rank, section,
};
use std::collections::BTreeMap;

fn n16(n: usize) -> u16 {
    u16::try_from(n).unwrap_or(NONE)
}

fn n32(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// Writes a table. Digests are put in as given.
pub(super) fn write(
    m: &Model,
    model: [u8; 32],
    proof: [u8; 32],
    strip: bool,
    layout: Layout,
) -> Result<Vec<u8>, Vec<Diagnostic>> {
    limits(m)?;
    let big = || vec![Diagnostic::error("RL901", m.span, "a guard or a choose is too large for the table format")];
    let mut code = Code::default();
    let mut s: Vec<Vec<u8>> = vec![Vec::new(); format::SECTIONS.len()];
    cells(m, &mut s);
    let mut first = 0_usize;
    for r in &m.roads {
        s[section::ROADS].extend(n32(first).to_le_bytes());
        s[section::ROADS].extend(n16(r.filters.len()).to_le_bytes());
        let flags = u8::from(r.remote) | u8::from(r.reviewer.is_some()) << 1 | u8::from(r.leaves_invocation) << 2;
        s[section::ROADS].extend([flags, shape(r.shape)]);
        first += r.filters.len();
        for f in &r.filters {
            let guard = code.put(m, &f.guard).ok_or_else(big)?;
            s[section::FILTERS].extend(guard.to_le_bytes());
        }
    }
    let mut chooses = Chooses::default();
    let exits = flow(m, &mut code, &mut s).ok_or_else(big)?;
    for c in &m.chooses {
        let first_exit = exits.get(&c.node).copied().unwrap_or(0);
        chooses.add(m, c, &mut code, layout, first_exit).ok_or_else(big)?;
    }
    for c in &m.counters {
        s[section::COUNTERS].extend([c.max, 0]);
        s[section::COUNTERS].extend(n16(c.fact.index()).to_le_bytes());
    }
    for f in &m.flows {
        s[section::FLOWS].extend(n16(f.start.index()).to_le_bytes());
        s[section::FLOWS].extend(f.of.map_or(NONE, |r| n16(r.index())).to_le_bytes());
        s[section::FLOWS].extend(f.calls.to_le_bytes());
    }
    s[section::GUARDS] = code.starts.iter().flat_map(|w| w.to_le_bytes()).collect();
    s[section::CODE] = code.bytes;
    s[section::CHOOSES] = chooses.records.concat();
    s[section::PROFILES] = chooses.profiles.concat();
    s[section::DIGITS] = chooses.digits.concat();
    s[section::CUTS] = chooses.cuts.iter().flat_map(|w| w.to_le_bytes()).collect();
    s[section::MASKS] = chooses.masks;
    s[section::INDICES] = chooses.indices.iter().flat_map(|w| w.to_le_bytes()).collect();
    s[section::CHECKS] = chooses.checks.iter().flat_map(|w| w.to_le_bytes()).collect();
    if !strip {
        s[section::SYMBOLS] = symbols(m).ok_or_else(big)?;
    }
    Ok(assemble(&s, model, proof, layout))
}

fn assemble(sections: &[Vec<u8>], model: [u8; 32], proof: [u8; 32], layout: Layout) -> Vec<u8> {
    let mut out = vec![0_u8; HEADER];
    out[..8].copy_from_slice(&MAGIC);
    out[8..10].copy_from_slice(&VERSION.to_le_bytes());
    out[10..12].copy_from_slice(&n16(HEADER).to_le_bytes());
    let flags = if sections[section::SYMBOLS].is_empty() { 0 } else { FLAG_SYMBOLS }
        | if layout == Layout::Compact { FLAG_COMPACT } else { 0 };
    out[12..16].copy_from_slice(&flags.to_le_bytes());
    out[MODEL_AT..MODEL_AT + 32].copy_from_slice(&model);
    out[PROOF_AT..PROOF_AT + 32].copy_from_slice(&proof);
    for (i, (body, (_, size))) in sections.iter().zip(format::SECTIONS).enumerate() {
        let at = COUNTS_AT + 4 * i;
        out[at..at + 4].copy_from_slice(&n32(body.len() / size).to_le_bytes());
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
        (m.nodes.len(), 65_534, "nodes"),
        (m.edges.len(), 65_534, "edges"),
        (m.flows.len(), 255, "flows"),
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

fn cells(m: &Model, s: &mut [Vec<u8>]) {
    for f in &m.facts {
        let mut number = |n: i64| {
            let at = s[section::NUMBERS].len() / 8;
            s[section::NUMBERS].extend(n.to_le_bytes());
            n16(at)
        };
        let (kind, count) = match &f.ty {
            Type::Bool => (cell::BOOL, 2),
            Type::Enum(n) => (cell::ENUM, n16(n.len())),
            Type::Level(n) => (cell::LEVEL, n16(n.len())),
            Type::Set(n) => (cell::SET, n16(n.len())),
            Type::Int { lo, hi } => {
                let at = number(i64::from(*lo));
                number(i64::from(*hi));
                (cell::INT, at)
            }
        };
        let strict = match (f.unknown, &f.ty) {
            (None, _) => 0,
            (Some(v), Type::Int { .. } | Type::Set(_)) => number(v),
            (Some(v), _) => u16::try_from(v).unwrap_or(NONE),
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
        let b = &mut s[section::CELLS];
        b.extend([kind, life | u8::from(f.unknown.is_some()) << 3 | written_by << 4]);
        b.extend(count.to_le_bytes());
        b.extend(argument.to_le_bytes());
        b.extend(strict.to_le_bytes());
    }
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
    let found = if n.duty == Some(Duty::Provenance) { ob::PROVENANCE } else { 0 };
    let of_kind = match n.kind {
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
    };
    of_kind | found
}

/// Nodes and edges. Returns for each choose the index of the first edge that follows when every candidate is closed.
fn flow(m: &Model, code: &mut Code, s: &mut [Vec<u8>]) -> Option<BTreeMap<NodeId, usize>> {
    let mut exits = BTreeMap::new();
    let mut edges: Vec<Vec<EdgeId>> = vec![Vec::new(); m.nodes.len()];
    for (k, e) in m.edges.iter().enumerate() {
        edges[e.from.index()].push(EdgeId(n32(k)));
    }
    let mut extras: BTreeMap<[u8; 12], u16> = BTreeMap::new();
    let mut written = 0_usize;
    for (n, edges) in m.nodes.iter().zip(edges) {
        let subject = match n.kind {
            NodeKind::Choose(c) => n16(c.index()),
            _ => n.road.map_or(NONE, |r| n16(r.index())),
        };
        let b = &mut s[section::NODES];
        b.extend([kind(&n.kind), u8::try_from(n.flow.index()).ok()?]);
        b.extend(subject.to_le_bytes());
        b.extend(u16::try_from(node_obligations(m, n)).ok()?.to_le_bytes());
        b.extend(n16(written).to_le_bytes());
        let mut ports: BTreeMap<(u8, u16), Vec<EdgeId>> = BTreeMap::new();
        for e in edges {
            let edge = m.edge(e);
            let key = (outcome(edge.outcome), edge.candidate.map_or(NONE, |r| n16(r.index())));
            ports.entry(key).or_default().push(e);
        }
        if let Some(one) = whatever_is_chosen(m, &ports) {
            ports.retain(|(o, _), _| *o != format::CHOSEN);
            ports.insert((format::CHOSEN, NONE), vec![one]);
        }
        written += ports.values().map(Vec::len).sum::<usize>();
        for ((o, candidate), port) in ports {
            if o == format::CLOSED
                && let Some(first) = port.first()
            {
                exits.insert(m.edge(*first).from, s[section::EDGES].len() / format::SECTIONS[section::EDGES].1);
            }
            for e in &port {
                let extra = extra(m, *e, candidate)?;
                let at = match extra {
                    None => NONE,
                    Some(record) => {
                        let next = n16(extras.len());
                        *extras.entry(record).or_insert_with(|| {
                            s[section::EXTRAS].extend(record);
                            next
                        })
                    }
                };
                let edge = m.edge(*e);
                let guard = code.put(m, &written_guard(m, *e, &port))?;
                let b = &mut s[section::EDGES];
                b.extend([o, bits(edge)]);
                b.extend(n16(edge.to.index()).to_le_bytes());
                b.extend(guard.to_le_bytes());
                b.extend(at.to_le_bytes());
            }
        }
    }
    Some(exits)
}

/// The edge that stands for those of every candidate: they are alike but for the candidate, and unconditional.
fn whatever_is_chosen(m: &Model, ports: &BTreeMap<(u8, u16), Vec<EdgeId>>) -> Option<EdgeId> {
    let chosen: Vec<&Vec<EdgeId>> = ports.iter().filter(|((o, _), _)| *o == format::CHOSEN).map(|(_, p)| p).collect();
    let [[first], _, ..] = chosen.iter().map(|p| p.as_slice()).collect::<Vec<_>>()[..] else { return None };
    let model = m.edge(*first);
    let alike = chosen.iter().all(|port| match port[..] {
        [e] => {
            let e = m.edge(e);
            (e.to, &e.guard, bits(e), e.takes, &e.changes) == (model.to, &Guard::True, bits(model), None, &None)
        }
        _ => false,
    });
    alike.then_some(*first)
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

/// Kind, rank and whether the edge ends the epoch.
fn bits(e: &Edge) -> u8 {
    let kind = match e.kind {
        EdgeKind::Next => 0,
        EdgeKind::Loop => 1,
        EdgeKind::Retry => 2,
        EdgeKind::Redirect => 3,
        EdgeKind::Fallback => 4,
        EdgeKind::Redeliver => 5,
        EdgeKind::Resume => 6,
    };
    let rank = match e.rank {
        EdgeRank::Guarded => rank::GUARDED,
        EdgeRank::Spent(_) => rank::SPENT,
        EdgeRank::Else => rank::ELSE,
    };
    kind | rank << 3 | u8::from(e.kind != EdgeKind::Next) << 5
}

/// Candidate, counter, changes and obligations; `None` if the edge has none of them.
fn extra(m: &Model, e: EdgeId, candidate: u16) -> Option<Option<[u8; 12]>> {
    let e = m.edge(e);
    let counter = match e.rank {
        EdgeRank::Guarded => e.takes,
        EdgeRank::Spent(c) => Some(c),
        EdgeRank::Else => None,
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
    if candidate == NONE && counter.is_none() && changes == 0 && obligations == 0 {
        return Some(None);
    }
    let mut b = [0_u8; 12];
    b[..2].copy_from_slice(&candidate.to_le_bytes());
    b[2] = counter.map_or(Some(u8::MAX), |c| u8::try_from(c.index()).ok())?;
    b[4..8].copy_from_slice(&changes.to_le_bytes());
    b[8..10].copy_from_slice(&u16::try_from(obligations).ok()?.to_le_bytes());
    Some(Some(b))
}
