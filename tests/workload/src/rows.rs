//! The inputs.

use crate::Size;

const BYTES: usize = 14;
static DATA: &[u8] = include_bytes!("../data/facts-10000.bin");
static NOTHING: &[u8] = include_bytes!("../data/nothing-1000.bin");

/// One input, and what is due for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Row {
    /// Bools, one bit each.
    pub bools: u16,
    /// Labels, one bit each.
    pub labels: u8,
    /// Ints.
    pub ints: [u8; 3],
    /// Enums, as places of their values.
    pub enums: [u8; 10],
    /// The outcome at 24 and at 1,000 roads: a road's place, or the number of roads and the place of a refusal.
    expected: [u16; 2],
}

impl Row {
    /// 14 bytes: bools (2, little endian), labels, the three ints, the enums (two a byte, the first in the low four bits), the
    /// outcome at 24 roads (1) and at 1,000 (2).
    fn read(b: &[u8; BYTES]) -> Self {
        let mut enums = [0; 10];
        for (i, slot) in enums.iter_mut().enumerate() {
            *slot = b[6 + i / 2] >> (i % 2 * 4) & 15;
        }
        Self {
            bools: u16::from_le_bytes([b[0], b[1]]),
            labels: b[2],
            ints: [b[3], b[4], b[5]],
            enums,
            expected: [u16::from(b[11]), u16::from_le_bytes([b[12], b[13]])],
        }
    }

    /// A bool.
    #[must_use]
    pub fn bool(&self, fact: usize) -> bool {
        self.bools >> fact & 1 == 1
    }

    /// The outcome that is due.
    #[must_use]
    pub fn expected(&self, size: Size) -> usize {
        usize::from(self.expected[usize::from(size == Size::Large)])
    }
}

/// All inputs, with the outcomes that were recorded for them before this project existed.
#[must_use]
pub fn rows() -> Vec<Row> {
    DATA.as_chunks().0.iter().map(Row::read).collect()
}

/// 1,000 more inputs, for which no road is eligible at 1,000 roads: the worst case, which none of [`rows`] reaches. They were
/// found by a walk from input to input that closes roads fact by fact.
#[must_use]
pub fn nothing_eligible() -> Vec<Row> {
    NOTHING.as_chunks().0.iter().map(Row::read).collect()
}
