//! Little-endian primitives over byte slices. Out of bounds reads give zero; the constructor checks bounds once, so that no
//! caller behind it sees one.

/// A section: records of one size.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Records<'a> {
    bytes: &'a [u8],
    size: usize,
    count: usize,
}

impl<'a> Records<'a> {
    pub(crate) fn new(bytes: &'a [u8], size: usize) -> Self {
        // Divided once: how many there are is asked at every step of a run.
        Self { bytes, size, count: bytes.len().checked_div(size).unwrap_or(0) }
    }

    pub(crate) fn len(self) -> usize {
        self.count
    }

    /// All of it.
    pub(crate) fn bytes(self) -> &'a [u8] {
        self.bytes
    }

    pub(crate) fn record(self, i: usize) -> &'a [u8] {
        let at = i.saturating_mul(self.size);
        self.bytes.get(at..at.saturating_add(self.size)).unwrap_or(&[])
    }

    /// Record i of a section whose records have N bytes: what is read of it needs no check of bounds.
    pub(crate) fn of<const N: usize>(self, i: usize) -> Option<&'a [u8; N]> {
        self.bytes.as_chunks().0.get(i)
    }

    /// All records of a section whose records have N bytes.
    pub(crate) fn all<const N: usize>(self) -> &'a [[u8; N]] {
        self.bytes.as_chunks().0
    }

    /// Record i read as one u16, u32 or u64.
    pub(crate) fn u16(self, i: usize) -> u16 {
        u16_at(self.record(i), 0)
    }

    pub(crate) fn u32(self, i: usize) -> u32 {
        u32_at(self.record(i), 0)
    }

    pub(crate) fn i32(self, i: usize) -> i32 {
        i32_at(self.record(i), 0)
    }
}

pub(crate) fn u8_at(b: &[u8], at: usize) -> u8 {
    b.get(at).copied().unwrap_or(0)
}

pub(crate) fn u16_at(b: &[u8], at: usize) -> u16 {
    b.get(at..).and_then(|s| s.first_chunk()).map_or(0, |c| u16::from_le_bytes(*c))
}

pub(crate) fn u32_at(b: &[u8], at: usize) -> u32 {
    b.get(at..).and_then(|s| s.first_chunk()).map_or(0, |c| u32::from_le_bytes(*c))
}

pub(crate) fn u64_at(b: &[u8], at: usize) -> u64 {
    b.get(at..).and_then(|s| s.first_chunk()).map_or(0, |c| u64::from_le_bytes(*c))
}

pub(crate) fn i32_at(b: &[u8], at: usize) -> i32 {
    b.get(at..).and_then(|s| s.first_chunk()).map_or(0, |c| i32::from_le_bytes(*c))
}

pub(crate) fn i64_at(b: &[u8], at: usize) -> i64 {
    b.get(at..).and_then(|s| s.first_chunk()).map_or(0, |c| i64::from_le_bytes(*c))
}

/// An index from a field.
pub(crate) fn ix(n: impl TryInto<usize>) -> usize {
    n.try_into().unwrap_or(usize::MAX)
}
