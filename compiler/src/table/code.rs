//! Guards as postfix code.

use crate::model::{Guard, Model, Type};
use roadlaw_runtime::format::{ALWAYS, STACK, op};
use std::collections::BTreeMap;

/// The code section, with each guard written once.
#[derive(Default)]
pub(super) struct Code {
    pub(super) words: Vec<u32>,
    known: BTreeMap<Guard, u32>,
}

impl Code {
    /// Where the guard begins; [`ALWAYS`] for `True`. `None`: too deep for the format.
    pub(super) fn put(&mut self, m: &Model, g: &Guard) -> Option<u32> {
        if *g == Guard::True {
            return Some(ALWAYS);
        }
        if let Some(at) = self.known.get(g) {
            return Some(*at);
        }
        if depth(g) > STACK {
            return None;
        }
        let at = u32::try_from(self.words.len()).ok()?;
        self.emit(m, g);
        self.word(op::END, 0);
        self.known.insert(g.clone(), at);
        Some(at)
    }

    fn word(&mut self, operation: u8, arg: u32) {
        self.words.push(u32::from(operation) | arg << 8);
    }

    fn emit(&mut self, m: &Model, g: &Guard) {
        match g {
            Guard::False => self.word(op::FALSE, 0),
            Guard::True => self.word(op::TRUE, 0),
            Guard::Not(g) => {
                self.emit(m, g);
                self.word(op::NOT, 0);
            }
            Guard::And(gs) | Guard::Or(gs) => {
                gs.iter().for_each(|g| self.emit(m, g));
                let operation = if matches!(g, Guard::And(_)) { op::AND } else { op::OR };
                self.word(operation, u32::try_from(gs.len()).unwrap_or(u32::MAX));
            }
            Guard::In(f, vs) => {
                self.word(op::IN, f.0);
                let count = match &m.fact(*f).ty {
                    Type::Enum(n) | Type::Level(n) => n.len(),
                    _ => 2,
                };
                let mut mask = vec![0_u32; count.div_ceil(32)];
                for v in vs {
                    if let Some(word) = usize::try_from(*v).ok().and_then(|v| mask.get_mut(v / 32)) {
                        *word |= 1 << (v % 32);
                    }
                }
                self.words.extend(mask);
            }
            Guard::Range(f, lo, hi) => {
                self.word(op::RANGE, f.0);
                self.words.extend([lo.cast_unsigned(), hi.cast_unsigned()]);
            }
            Guard::Diff { left, right, plus } => {
                self.word(op::DIFF, left.0);
                self.words.extend([right.0, plus.cast_unsigned()]);
            }
            Guard::HasAny(f, mask) | Guard::HasAll(f, mask) => {
                self.word(if matches!(g, Guard::HasAny(..)) { op::ANY } else { op::ALL }, f.0);
                self.words
                    .extend([u32::try_from(mask & 0xffff_ffff).unwrap_or(0), u32::try_from(mask >> 32).unwrap_or(0)]);
            }
            Guard::Unknown(f) => self.word(op::UNKNOWN, f.0),
        }
    }
}

/// Greatest number of values on the stack.
fn depth(g: &Guard) -> usize {
    match g {
        Guard::Not(g) => depth(g),
        Guard::And(gs) | Guard::Or(gs) => gs.iter().enumerate().map(|(i, g)| i + depth(g)).max().unwrap_or(0).max(1),
        _ => 1,
    }
}
