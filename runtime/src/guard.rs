//! Guards: postfix code over Kleene's three values.

use crate::facts::Facts;
use crate::format::{ALWAYS, STACK, op};
use crate::run::Latches;
use crate::table::Table;
use crate::wire::ix;

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
    pub(crate) fn holds(&self, code: u32) -> bool {
        code == ALWAYS || self.eval(ix(code)) == 2
    }

    fn eval(&self, start: usize) -> Truth {
        let code = self.table.code();
        let mut stack = [0_u8; STACK];
        let mut top = 0_usize;
        let mut at = start;
        let known = |b: Option<bool>| match b {
            None => 1_u8,
            Some(false) => 0,
            Some(true) => 2,
        };
        while at < code.len() {
            let word = code.u32(at);
            let arg = ix(word >> 8);
            let [operation, ..] = word.to_le_bytes();
            at = at.saturating_add(1);
            let value = match operation {
                op::FALSE => 0,
                op::TRUE => 2,
                op::NOT => {
                    top = top.saturating_sub(1);
                    2_u8.saturating_sub(stack.get(top).copied().unwrap_or(0))
                }
                op::AND | op::OR => {
                    let from = top.saturating_sub(arg);
                    let parts = stack.get(from..top).unwrap_or(&[]).iter().copied();
                    top = from;
                    if operation == op::AND { parts.min().unwrap_or(2) } else { parts.max().unwrap_or(0) }
                }
                op::IN => {
                    let words = self.table.cell(arg).map_or(1, |c| c.value_words());
                    let here = at;
                    at = at.saturating_add(words);
                    known(self.read(arg).map(|v| {
                        let v = ix(v);
                        code.u32(here.saturating_add(v >> 5)) >> (v & 31) & 1 == 1
                    }))
                }
                op::RANGE => {
                    let (lo, hi) = (code.i32(at), code.i32(at.saturating_add(1)));
                    at = at.saturating_add(2);
                    known(self.read(arg).map(|v| i64::from(lo) <= v && v <= i64::from(hi)))
                }
                op::DIFF => {
                    let (other, plus) = (ix(code.u32(at)), code.i32(at.saturating_add(1)));
                    at = at.saturating_add(2);
                    known(match (self.read(arg), self.read(other)) {
                        (Some(a), Some(b)) => Some(a <= b.saturating_add(i64::from(plus))),
                        _ => None,
                    })
                }
                op::ANY | op::ALL => {
                    let mask = u64::from(code.u32(at)) | u64::from(code.u32(at.saturating_add(1))) << 32;
                    at = at.saturating_add(2);
                    known(self.read(arg).map(|v| {
                        let hit = v.cast_unsigned() & mask;
                        if operation == op::ANY { hit != 0 } else { hit == mask }
                    }))
                }
                op::UNKNOWN => {
                    if self.raw_unknown(arg) {
                        2
                    } else {
                        0
                    }
                }
                _ => break,
            };
            if let Some(slot) = stack.get_mut(top) {
                *slot = value;
                top = top.saturating_add(1);
            }
        }
        stack.first().copied().unwrap_or(0)
    }
}
