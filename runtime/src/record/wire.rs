//! The bytes of a decision: one form for each, written and read in the order of `RECORD.md`.

use super::{Budgets, DecisionId, Field, RecordError, RoadDecision, Selection, id_of};
use crate::control::Digest;

/// First bytes of a record.
pub const MAGIC: [u8; 8] = *b"ROADREC\0";
/// Version of the form.
pub const VERSION: u16 = 1;
/// Length of every record in bytes.
pub const LENGTH: usize = 496;
/// Digests that may be absent, in the order of their bits.
const OPTIONAL: u16 = 0xff;
/// A digest that is not there.
const NOTHING: Digest = [0; 32];

impl RoadDecision {
    /// Writes the record into the first [`LENGTH`] bytes of a buffer; the rest of it stays as it is.
    ///
    /// # Errors
    /// The buffer is too small: nothing is written.
    pub fn write(&self, buffer: &mut [u8]) -> Result<(), RecordError> {
        let small = RecordError::Buffer { needed: LENGTH };
        let into = buffer.first_chunk_mut::<LENGTH>().ok_or(small)?;
        self.fill(&mut Out { rest: into }).ok_or(small)
    }

    /// Every field in its order.
    fn fill(&self, out: &mut Out<'_>) -> Option<()> {
        let s = &self.selection;
        out.put(MAGIC)?;
        out.put(VERSION.to_le_bytes())?;
        out.put(self.present().to_le_bytes())?;
        out.put(u32::try_from(LENGTH).ok()?.to_le_bytes())?;
        for n in [self.node, self.road, self.generation, self.epoch] {
            out.put(n.to_le_bytes())?;
        }
        let b = &s.budgets;
        let long = [self.policy_epoch, s.expiry, b.time, b.requests, b.tokens_in, b.tokens_out, b.tokens, b.spend];
        for n in long {
            out.put(n.to_le_bytes())?;
        }
        out.put(s.purpose.to_le_bytes())?;
        out.put(s.retention.to_le_bytes())?;
        out.put(s.class.to_le_bytes())?;
        out.put(s.visibility.to_le_bytes())?;
        out.put([0; 4])?;
        for digest in [self.policy, self.table, s.input, s.expected_result] {
            out.put(digest)?;
        }
        for digest in self.optional() {
            out.put(digest.unwrap_or(NOTHING))?;
        }
        Some(())
    }

    /// Reads a record: exactly the bytes that [`RoadDecision::write`] writes for it. Never panics, whatever they are.
    ///
    /// # Errors
    /// The first thing that no record has.
    pub fn read(bytes: &[u8]) -> Result<Self, RecordError> {
        let bytes: &[u8; LENGTH] = bytes.try_into().map_err(|_| RecordError::Length)?;
        let mut from = In { rest: bytes };
        if from.take() != MAGIC {
            return Err(RecordError::Magic);
        }
        let found = u16::from_le_bytes(from.take());
        if found != VERSION {
            return Err(RecordError::Version { found });
        }
        let present = u16::from_le_bytes(from.take());
        if present & !OPTIONAL != 0 {
            return Err(RecordError::Reserved);
        }
        if usize::try_from(from.u32()) != Ok(LENGTH) {
            return Err(RecordError::Length);
        }
        let [node, road, generation, epoch] = [(); 4].map(|()| from.u32());
        let [policy_epoch, expiry, time, requests, tokens_in, tokens_out, tokens, spend] =
            [(); 8].map(|()| u64::from_le_bytes(from.take()));
        let (purpose, retention) = (from.u32(), from.u32());
        let (class, visibility) = (u16::from_le_bytes(from.take()), u16::from_le_bytes(from.take()));
        if from.u32() != 0 {
            return Err(RecordError::Reserved);
        }
        let [policy, table, input, expected_result] = [(); 4].map(|()| from.take::<32>());
        let mut optional = [None; 8];
        for (i, (slot, field)) in optional.iter_mut().zip(FIELDS).enumerate() {
            let digest = from.take::<32>();
            *slot = match (present >> i & 1 == 1, digest == NOTHING) {
                (true, true) => return Err(RecordError::Missing(field)),
                (false, false) => return Err(RecordError::Absent(field)),
                (true, false) => Some(digest),
                (false, true) => None,
            };
        }
        let [target, export, artifact_set, source_manifest, influence, residual_disclosure, validators, parent] =
            optional;
        let selection = Selection {
            target,
            input,
            export,
            artifact_set,
            source_manifest,
            influence,
            residual_disclosure,
            expected_result,
            validators,
            purpose,
            expiry,
            budgets: Budgets { time, requests, tokens_in, tokens_out, tokens, spend },
            class,
            visibility,
            retention,
        };
        let parent = parent.map(DecisionId);
        let made = Self { policy, table, node, road, generation, epoch, policy_epoch, parent, selection };
        made.complete()?;
        Ok(made)
    }

    /// Reads a record and compares its id: for bytes that were kept where others write.
    ///
    /// # Errors
    /// As [`RoadDecision::read`], or the id is that of another record.
    pub fn read_as(bytes: &[u8], id: &DecisionId) -> Result<Self, RecordError> {
        let made = Self::read(bytes)?;
        // `read` took exactly these bytes.
        let bytes: &[u8; LENGTH] = bytes.try_into().map_err(|_| RecordError::Length)?;
        if id_of(bytes) == *id { Ok(made) } else { Err(RecordError::Id) }
    }

    /// Nothing that must be there is missing.
    pub(crate) fn complete(&self) -> Result<(), RecordError> {
        let s = &self.selection;
        let missing = |field: Field, is: bool| if is { Err(RecordError::Missing(field)) } else { Ok(()) };
        missing(Field::Policy, self.policy == NOTHING)?;
        missing(Field::Table, self.table == NOTHING)?;
        missing(Field::Input, s.input == NOTHING)?;
        missing(Field::ExpectedResult, s.expected_result == NOTHING)?;
        for (digest, field) in self.optional().iter().zip(FIELDS) {
            missing(field, *digest == Some(NOTHING))?;
        }
        missing(Field::Purpose, s.purpose == 0)?;
        missing(Field::Time, s.budgets.time == 0)?;
        missing(Field::Class, s.class == 0)?;
        missing(Field::Visibility, s.visibility == 0)?;
        missing(Field::Retention, s.retention == 0)
    }

    fn optional(&self) -> [Option<Digest>; 8] {
        let s = &self.selection;
        [
            s.target,
            s.export,
            s.artifact_set,
            s.source_manifest,
            s.influence,
            s.residual_disclosure,
            s.validators,
            self.parent.map(|p| p.0),
        ]
    }

    fn present(&self) -> u16 {
        self.optional().iter().rev().fold(0, |bits, d| bits << 1 | u16::from(d.is_some()))
    }
}

/// What may be absent, by bit.
const FIELDS: [Field; 8] = [
    Field::Target,
    Field::Export,
    Field::ArtifactSet,
    Field::SourceManifest,
    Field::Influence,
    Field::ResidualDisclosure,
    Field::Validators,
    Field::Parent,
];

struct Out<'b> {
    rest: &'b mut [u8],
}

impl Out<'_> {
    fn put<const N: usize>(&mut self, bytes: [u8; N]) -> Option<()> {
        let (head, tail) = core::mem::take(&mut self.rest).split_first_chunk_mut::<N>()?;
        *head = bytes;
        self.rest = tail;
        Some(())
    }
}

struct In<'b> {
    rest: &'b [u8],
}

impl In<'_> {
    /// The next bytes; zeros where there are none, which the fixed length rules out.
    fn take<const N: usize>(&mut self) -> [u8; N] {
        match self.rest.split_first_chunk::<N>() {
            Some((head, tail)) => {
                self.rest = tail;
                *head
            }
            None => [0; N],
        }
    }

    fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.take())
    }
}
