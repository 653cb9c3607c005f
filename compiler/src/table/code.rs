//! Guards as postfix code.

use crate::model::{Guard, Model, Type};
use roadlaw_runtime::format::{NONE, STACK, op};
use std::collections::BTreeMap;

/// The code of all guards, each written once.
#[derive(Default)]
pub(super) struct Code {
    pub(super) bytes: Vec<u8>,
    /// Where each guard begins.
    pub(super) starts: Vec<u32>,
    known: BTreeMap<Guard, u16>,
}

impl Code {
    /// The guard's index; [`NONE`] for `True`. `None`: too deep, or one guard too many for the format.
    pub(super) fn put(&mut self, m: &Model, g: &Guard) -> Option<u16> {
        if *g == Guard::True {
            return Some(NONE);
        }
        if let Some(at) = self.known.get(g) {
            return Some(*at);
        }
        if depth(g) > STACK || self.starts.len() >= usize::from(NONE) {
            return None;
        }
        let at = u16::try_from(self.starts.len()).ok()?;
        self.starts.push(u32::try_from(self.bytes.len()).ok()?);
        self.emit(m, g)?;
        self.known.insert(g.clone(), at);
        Some(at)
    }

    fn operation(&mut self, operation: u8, arg: usize) -> Option<()> {
        self.bytes.push(operation);
        self.bytes.extend(u16::try_from(arg).ok()?.to_le_bytes());
        Some(())
    }

    fn emit(&mut self, m: &Model, g: &Guard) -> Option<()> {
        match g {
            Guard::False => self.bytes.push(op::FALSE),
            Guard::True => self.bytes.push(op::TRUE),
            Guard::Not(g) => {
                self.emit(m, g)?;
                self.bytes.push(op::NOT);
            }
            Guard::And(gs) | Guard::Or(gs) => {
                gs.iter().try_for_each(|g| self.emit(m, g))?;
                self.operation(if matches!(g, Guard::And(_)) { op::AND } else { op::OR }, gs.len())?;
            }
            Guard::In(f, vs) => {
                self.operation(op::IN, f.index())?;
                let count = match &m.fact(*f).ty {
                    Type::Enum(n) | Type::Level(n) => n.len(),
                    _ => 2,
                };
                let mut mask = vec![0_u8; count.div_ceil(8)];
                for v in vs {
                    if let Some(byte) = usize::try_from(*v).ok().and_then(|v| mask.get_mut(v / 8)) {
                        *byte |= 1 << (v % 8);
                    }
                }
                self.bytes.extend(mask);
            }
            Guard::Range(f, lo, hi) => {
                self.operation(op::RANGE, f.index())?;
                self.bytes.extend(lo.to_le_bytes());
                self.bytes.extend(hi.to_le_bytes());
            }
            Guard::Diff { left, right, plus } => {
                self.operation(op::DIFF, left.index())?;
                self.bytes.extend(u16::try_from(right.index()).ok()?.to_le_bytes());
                self.bytes.extend(plus.to_le_bytes());
            }
            Guard::HasAny(f, mask) | Guard::HasAll(f, mask) => {
                self.operation(if matches!(g, Guard::HasAny(..)) { op::ANY } else { op::ALL }, f.index())?;
                let labels = if let Type::Set(n) = &m.fact(*f).ty { n.len() } else { 0 };
                self.bytes.extend(mask.to_le_bytes().into_iter().take(labels.div_ceil(8)));
            }
            Guard::Unknown(f) => self.operation(op::UNKNOWN, f.index())?,
        }
        Some(())
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
