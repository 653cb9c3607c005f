//! Guards: postfix code over Kleene's three values.

use crate::facts::Facts;
use crate::format::{NONE, STACK, op};
use crate::run::Latches;
use crate::table::Table;
use crate::wire::{i32_at, ix, u8_at, u16_at};

/// 0 false, 1 unknown, 2 true: conjunction is the minimum, disjunction the maximum.
type Truth = u8;

/// Facts and latches together: what a guard reads.
#[derive(Clone, Copy)]
pub(crate) struct View<'t, 'f> {
    pub(crate) table: &'f Table<'t>,
    pub(crate) facts: &'f Facts,
    pub(crate) latches: &'f Latches,
}

impl View<'_, '_> {
    /// The value that a guard reads in a cell: known, or the strict value that unknown stands for.
    pub(crate) fn read(&self, at: usize) -> Option<i64> {
        let c = self.table.cell(at)?;
        if let Some(v) = self.latches.read(&c) {
            return Some(v);
        }
        self.facts.get(at).or(c.strict())
    }

    fn raw_unknown(&self, at: usize) -> bool {
        self.table.cell(at).is_some_and(|c| self.latches.read(&c).is_none()) && self.facts.get(at).is_none()
    }

    /// The guard is definitely true.
    pub(crate) fn holds(&self, guard: u16) -> bool {
        guard == NONE || self.eval(self.table.guard_code(usize::from(guard))) == 2
    }

    fn eval(&self, code: &[u8]) -> Truth {
        let mut stack = [0_u8; STACK];
        let mut top = 0_usize;
        let mut at = 0_usize;
        let known = |b: Option<bool>| match b {
            None => 1_u8,
            Some(false) => 0,
            Some(true) => 2,
        };
        while let Some(operation) = code.get(at) {
            let operand = at.saturating_add(1);
            let arg = usize::from(u16_at(code, operand));
            let after = at.saturating_add(3);
            at = after;
            let value = match *operation {
                op::FALSE | op::TRUE => {
                    at = operand;
                    if *operation == op::TRUE { 2 } else { 0 }
                }
                op::NOT => {
                    at = operand;
                    top = top.saturating_sub(1);
                    2_u8.saturating_sub(stack.get(top).copied().unwrap_or(0))
                }
                op::AND | op::OR => {
                    let from = top.saturating_sub(arg);
                    let parts = stack.get(from..top).unwrap_or(&[]).iter().copied();
                    top = from;
                    if *operation == op::AND { parts.min().unwrap_or(2) } else { parts.max().unwrap_or(0) }
                }
                op::IN => {
                    at = after.saturating_add(self.mask_bytes(arg));
                    known(self.read(arg).map(|v| {
                        let v = ix(v);
                        u8_at(code, after.saturating_add(v >> 3)) >> (v & 7) & 1 == 1
                    }))
                }
                op::RANGE => {
                    at = after.saturating_add(8);
                    let (lo, hi) = (i32_at(code, after), i32_at(code, after.saturating_add(4)));
                    known(self.read(arg).map(|v| i64::from(lo) <= v && v <= i64::from(hi)))
                }
                op::DIFF => {
                    at = after.saturating_add(6);
                    let (other, plus) = (usize::from(u16_at(code, after)), i32_at(code, after.saturating_add(2)));
                    known(match (self.read(arg), self.read(other)) {
                        (Some(a), Some(b)) => Some(a <= b.saturating_add(i64::from(plus))),
                        _ => None,
                    })
                }
                op::ANY | op::ALL => {
                    let bytes = self.mask_bytes(arg);
                    at = after.saturating_add(bytes);
                    let mask =
                        (0..bytes).rev().fold(0_u64, |m, k| m << 8 | u64::from(u8_at(code, after.saturating_add(k))));
                    known(self.read(arg).map(|v| {
                        let hit = v.cast_unsigned() & mask;
                        if *operation == op::ANY { hit != 0 } else { hit == mask }
                    }))
                }
                op::UNKNOWN if self.raw_unknown(arg) => 2,
                _ => 0,
            };
            if let Some(slot) = stack.get_mut(top) {
                *slot = value;
                top = top.saturating_add(1);
            }
        }
        stack.first().copied().unwrap_or(0)
    }

    fn mask_bytes(&self, at: usize) -> usize {
        self.table.cell(at).map_or(0, |c| c.mask_bytes())
    }
}
