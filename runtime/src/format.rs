//! Constants of the table format, version 2. `FORMAT.md` says what they mean; the compiler's writer imports them.

/// First bytes of a table.
pub const MAGIC: [u8; 8] = *b"ROADLAW\0";
/// The format's version.
pub const VERSION: u16 = 2;
/// Length of the header with its section counts.
pub const HEADER: usize = 208;
/// Where the checksum stands.
pub const CHECKSUM_AT: usize = 24;
/// Where the BLAKE3 digest of the table stands.
pub const DIGEST_AT: usize = 32;
/// Where the digest of the model stands.
pub const MODEL_AT: usize = 64;
/// Where the digest of the proof stands.
pub const PROOF_AT: usize = 96;
/// Where the section counts stand: the number of records of each section, u32. Sections follow the header in this order,
/// each padded with zeros to a multiple of 8 bytes, so that their offsets need not be written.
pub const COUNTS_AT: usize = 128;
/// Everything from here on is covered by checksum and digest, and so are the bytes before the checksum.
pub const COVERED_FROM: usize = 64;

/// Sections in file order, with the size of one record in bytes.
pub const SECTIONS: [(&str, usize); 19] = [
    ("masks", 1),
    ("cells", 8),
    ("numbers", 8),
    ("roads", 8),
    ("filters", 2),
    ("guards", 4),
    ("code", 1),
    ("chooses", 40),
    ("profiles", 20),
    ("digits", 12),
    ("cuts", 4),
    ("indices", 2),
    ("checks", 2),
    ("nodes", 8),
    ("edges", 8),
    ("extras", 12),
    ("counters", 4),
    ("flows", 8),
    ("symbols", 1),
];

/// Indices of the sections.
pub mod section {
    /// Masks of options, and ranks. They stand first: windows over them may reach into what follows.
    pub const MASKS: usize = 0;
    /// Fact cells.
    pub const CELLS: usize = 1;
    /// Numbers of cells that do not fit into their records.
    pub const NUMBERS: usize = 2;
    /// Roads.
    pub const ROADS: usize = 3;
    /// Filters of all roads, in the order of reasons: a guard each.
    pub const FILTERS: usize = 4;
    /// Where each guard begins in the code.
    pub const GUARDS: usize = 5;
    /// Guards, postfix.
    pub const CODE: usize = 6;
    /// Chooses.
    pub const CHOOSES: usize = 7;
    /// Profiles of the chooses.
    pub const PROFILES: usize = 8;
    /// What each fact adds to the row of its group.
    pub const DIGITS: usize = 9;
    /// Thresholds of the digits of ints.
    pub const CUTS: usize = 10;
    /// Candidates, first rows of groups, orders and keys.
    pub const INDICES: usize = 11;
    /// What single options ask beyond their masks.
    pub const CHECKS: usize = 12;
    /// Nodes.
    pub const NODES: usize = 13;
    /// Edges.
    pub const EDGES: usize = 14;
    /// What few edges have.
    pub const EXTRAS: usize = 15;
    /// Counters.
    pub const COUNTERS: usize = 16;
    /// Flows.
    pub const FLOWS: usize = 17;
    /// Names.
    pub const SYMBOLS: usize = 18;
}

/// No index; for a guard: always true.
pub const NONE: u16 = 0xffff;

/// Flag: symbols are present.
pub const FLAG_SYMBOLS: u32 = 1;
/// Flag: the table is laid out compactly.
pub const FLAG_COMPACT: u32 = 2;

/// Greatest depth of the guard stack.
pub const STACK: usize = 64;
/// Greatest number of candidates of a choose.
pub const CANDIDATES: usize = 1_024;

/// Guard operations: one byte each, followed by their operands, little-endian.
pub mod op {
    /// Push false.
    pub const FALSE: u8 = 0;
    /// Push true.
    pub const TRUE: u8 = 1;
    /// Negate the top.
    pub const NOT: u8 = 2;
    /// Conjunction of the top n (u16).
    pub const AND: u8 = 3;
    /// Disjunction of the top n (u16).
    pub const OR: u8 = 4;
    /// The cell (u16) has one of the values whose bits are set in the mask that follows, a byte per 8 values.
    pub const IN: u8 = 5;
    /// The cell (u16) lies between two i32.
    pub const RANGE: u8 = 6;
    /// The cell (u16) is at most another cell (u16) plus a constant (i32).
    pub const DIFF: u8 = 7;
    /// The set (u16) has some label of the mask that follows, a byte per 8 labels.
    pub const ANY: u8 = 8;
    /// The set (u16) has every label of the mask that follows, a byte per 8 labels.
    pub const ALL: u8 = 9;
    /// The cell (u16) is unknown.
    pub const UNKNOWN: u8 = 10;
}

/// Greatest number of exits of a choose.
pub const EXITS: usize = 64;
/// Greatest number of groups of a choose.
pub const GROUPS: usize = 1_024;

/// What a digit is read off.
pub mod source {
    /// A cell that is no int or set: its value; the greatest digit is unknown.
    pub const CELL: u8 = 0;
    /// An int: the number of cuts at or below it; the greatest digit is unknown.
    pub const INT: u8 = 1;
    /// Neighbouring labels of a set: their bits as a number; the greatest digit is unknown.
    pub const LABELS: u8 = 2;
    /// A guard: 0 not true, 1 true.
    pub const GUARD: u8 = 3;
}

/// How a profile finds the best of the options that are open.
pub mod profile {
    /// Its order is walked; bits are candidates.
    pub const LISTED: u8 = 0;
    /// Its masks stand in its order: the first bit wins.
    pub const ORDERED: u8 = 1;
    /// A table of ranks: the least wins; bits are candidates.
    pub const RANKED: u8 = 2;
    /// Keys; bits are candidates.
    pub const KEYED: u8 = 3;
}

/// Codes of symbols: see [`crate::Name`].
pub mod symbol {
    /// End of a name.
    pub const END: u8 = 0;
    /// From here on a byte is a word of the dictionary.
    pub const WORD: u8 = 0x80;
    /// From here on a byte and the next one are a word.
    pub const WIDE: u8 = 0xf0;
    /// Number of words that one byte can name.
    pub const SHORT: usize = 112;
    /// Greatest number of words.
    pub const WORDS: usize = 112 + 16 * 256;
}

/// Obligations: bits that a step hands to the caller, to be acknowledged before the next step.
pub mod obligation {
    /// Names by bit.
    pub const NAMES: [&str; 15] = [
        "checkpoint",
        "re_resolve",
        "check_distinct",
        "check_blind",
        "question_equal",
        "context_equal",
        "provenance",
        "lease_fence",
        "consume_once",
        "fallback_receipt",
        "compare_and_swap",
        "fresh_identity",
        "replay_proof",
        "egress_once",
        "release",
    ];
    /// Persist before leaving the invocation.
    pub const CHECKPOINT: u32 = 1;
    /// Read volatile facts again.
    pub const RE_RESOLVE: u32 = 1 << 1;
    /// The reviewer is another invocation, session or worker.
    pub const CHECK_DISTINCT: u32 = 1 << 2;
    /// The reviewer's context is blind and bounded.
    pub const CHECK_BLIND: u32 = 1 << 3;
    /// The return answers the question that was asked.
    pub const QUESTION_EQUAL: u32 = 1 << 4;
    /// The context did not change meanwhile.
    pub const CONTEXT_EQUAL: u32 = 1 << 5;
    /// Where a return, or found material, came from is recorded.
    pub const PROVENANCE: u32 = 1 << 6;
    /// The lease is held and fences older owners.
    pub const LEASE_FENCE: u32 = 1 << 7;
    /// Consume keys are taken once.
    pub const CONSUME_ONCE: u32 = 1 << 8;
    /// A fallback leaves a receipt.
    pub const FALLBACK_RECEIPT: u32 = 1 << 9;
    /// Adopt by compare and swap.
    pub const COMPARE_AND_SWAP: u32 = 1 << 10;
    /// The attempt has an identity of its own.
    pub const FRESH_IDENTITY: u32 = 1 << 11;
    /// The proof of replay is kept.
    pub const REPLAY_PROOF: u32 = 1 << 12;
    /// The egress decision is used once.
    pub const EGRESS_ONCE: u32 = 1 << 13;
    /// Release the reservation.
    pub const RELEASE: u32 = 1 << 14;
}

/// Kinds of cells.
pub mod cell {
    /// bool
    pub const BOOL: u8 = 0;
    /// enum
    pub const ENUM: u8 = 1;
    /// level
    pub const LEVEL: u8 = 2;
    /// set
    pub const SET: u8 = 3;
    /// int
    pub const INT: u8 = 4;
}

/// Latches of cells.
pub mod latch {
    /// The caller supplies the cell.
    pub const NONE: u8 = 0;
    /// The road of the argument was tried.
    pub const TRIED: u8 = 1;
    /// Something is judged.
    pub const JUDGED: u8 = 2;
    /// The return was consumed.
    pub const CONSUMED: u8 = 3;
    /// What is left of the counter of the argument.
    pub const LEFT: u8 = 4;
}

/// Kinds of nodes, with their words in the language.
pub mod node {
    /// Words by code.
    pub const WORDS: [&str; 28] = [
        "start",
        "classify",
        "minimize",
        "resolve",
        "checkpoint",
        "release",
        "choose",
        "cut",
        "verify",
        "reserve",
        "decide",
        "decide_fresh",
        "attempt",
        "egress",
        "send",
        "call",
        "await_user",
        "await_external",
        "quarantine",
        "validate",
        "consume",
        "adopt",
        "effect",
        "reconcile",
        "review",
        "repair",
        "own",
        "return",
    ];
    /// choose
    pub const CHOOSE: u8 = 6;
    /// decide
    pub const DECIDE: u8 = 10;
    /// decide, as a first attempt
    pub const DECIDE_FRESH: u8 = 11;
    /// reserve
    pub const RESERVE: u8 = 9;
    /// release
    pub const RELEASE: u8 = 5;
    /// send
    pub const SEND: u8 = 14;
    /// call
    pub const CALL: u8 = 15;
    /// await(user)
    pub const AWAIT_USER: u8 = 16;
    /// await(external)
    pub const AWAIT_EXTERNAL: u8 = 17;
    /// validate
    pub const VALIDATE: u8 = 19;
    /// consume
    pub const CONSUME: u8 = 20;
    /// reconcile
    pub const RECONCILE: u8 = 23;
    /// review
    pub const REVIEW: u8 = 24;
    /// repair
    pub const REPAIR: u8 = 25;
    /// A child returns.
    pub const RETURN: u8 = 27;
    /// First terminal; the others follow in the order of [`STOPS`].
    pub const STOP: u8 = 32;
    /// Terminals by code minus [`STOP`].
    pub const STOPS: [&str; 8] =
        ["done", "refused", "pending_no_road", "indeterminate", "lost", "cancelled", "expired", "stale"];
}

/// Outcomes by code.
pub const OUTCOMES: [&str; 34] = [
    "chosen",
    "ok",
    "failed",
    "none",
    "cut_semantics_lost",
    "verifier_uncertain",
    "denied",
    "egress_denied",
    "unavailable",
    "failed_before_submit",
    "refused",
    "failed_after_submit",
    "timeout_after_submit",
    "indeterminate",
    "lost",
    "lost_envelope",
    "cancelled",
    "declined",
    "expired",
    "revoked",
    "timed_out",
    "negative",
    "invalid",
    "validation_failed",
    "duplicate",
    "conflict",
    "lease_lost",
    "known_no_effect",
    "known_effect",
    "known_failed",
    "still_unknown",
    "new_plan",
    "",
    "",
];
/// Code of `chosen`.
pub const CHOSEN: u8 = 0;
/// Code of `ok`.
pub const OK: u8 = 1;
/// Code of `none`.
pub const CLOSED: u8 = 3;

/// Kinds of edges by code.
pub const EDGES: [&str; 7] = ["next", "loop", "retry", "redirect", "fallback", "redeliver", "resume"];
/// Code of `fallback`.
pub const FALLBACK: u8 = 4;

/// Edge ranks.
pub mod rank {
    /// Open if its guard is true and its counter is left.
    pub const GUARDED: u8 = 0;
    /// Open if its guard is true and its counter is spent.
    pub const SPENT: u8 = 1;
    /// Open if no other is.
    pub const ELSE: u8 = 2;
}

/// Checksum of the covered bytes, taken as little-endian words of 64 bits: FNV-1a (Fowler, Noll, Vo 1991) with words for
/// octets. Each step is a bijection of the state, so that a change within one word always shows. It finds damage, not malice:
/// that is the digest's work.
#[must_use]
pub fn checksum(bytes: &[u8]) -> u64 {
    let head = bytes.get(..CHECKSUM_AT).unwrap_or(&[]);
    let body = bytes.get(COVERED_FROM..).unwrap_or(&[]);
    let step = |h: u64, word: &[u8]| {
        let word = word.first_chunk().map_or(0, |c| u64::from_le_bytes(*c));
        (h ^ word).wrapping_mul(0x0000_0100_0000_01b3)
    };
    let h = head.chunks_exact(8).fold(0xcbf2_9ce4_8422_2325_u64, step);
    body.chunks_exact(8).fold(h, step)
}
