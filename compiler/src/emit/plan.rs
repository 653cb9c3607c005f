//! What an emitted file says, in whatever language: facts that a caller sets, and how each moves the rows of packed facts.

use super::EmitError;
use crate::model::{Fact, Model, Type, Value};
use crate::validate::{ChooseView, DigitView, OrderView, Source, view};
use roadlaw_runtime::Table;

/// Groups that packed facts of the runtime hold.
pub(super) const WIDTH: usize = 64;

/// A policy with what its table says of packing.
#[derive(Debug)]
pub(super) struct Plan<'a> {
    pub(super) model: &'a Model,
    pub(super) bytes: &'a [u8],
    pub(super) digest: [u8; 32],
    /// Cells that a caller sets, with their facts.
    pub(super) facts: Vec<(usize, &'a Fact)>,
    /// One per choose; `None` where packed facts cannot hold what it asks.
    pub(super) packings: Vec<Option<Packing>>,
}

/// How the facts of one choose are packed.
#[derive(Debug)]
pub(super) struct Packing {
    /// Tells packed facts of this choose from others.
    pub(super) stamp: u64,
    /// The row of each group while everything is unknown.
    pub(super) unknown: Vec<u16>,
    /// Cell and digit.
    pub(super) digits: Vec<(usize, Digit)>,
    /// The cell that picks a profile, and the profile for each of its values and for unknown, where not always the first.
    pub(super) by: Option<(usize, Vec<usize>, usize)>,
}

/// How one fact moves one row.
#[derive(Debug)]
pub(super) struct Digit {
    pub(super) source: Source,
    pub(super) group: usize,
    /// First row of the group.
    pub(super) first: usize,
    pub(super) stride: usize,
    pub(super) radix: usize,
}

impl Packing {
    /// Groups that its packed facts hold: rows are read eight at a time.
    pub(super) fn width(&self) -> usize {
        self.unknown.len().div_ceil(8).max(1) * 8
    }
}

impl<'a> Plan<'a> {
    /// Reads what the table says of a model.
    pub(super) fn of(model: &'a Model, bytes: &'a [u8]) -> Result<Self, EmitError> {
        let table = Table::from_bytes(bytes).map_err(|e| EmitError::Table(e.to_string()))?;
        let view = view(bytes).map_err(EmitError::Table)?;
        let fits = table.cells() == model.facts.len()
            && table.roads() == model.roads.len()
            && table.nodes() == model.nodes.len()
            && view.chooses.len() == model.chooses.len();
        if !fits {
            return Err(EmitError::Table("it is another policy's".to_owned()));
        }
        let digest = table.digest();
        let facts = model.facts.iter().enumerate().filter(|(_, f)| f.latch.is_none()).collect();
        let packings = view.chooses.iter().map(|c| packing(model, &digest, c)).collect();
        Ok(Self { model, bytes, digest, facts, packings })
    }
}

/// `None` where the runtime would refuse to pack.
fn packing(model: &Model, digest: &[u8; 32], c: &ChooseView) -> Option<Packing> {
    if c.first_rows.len() > WIDTH || c.profiles.iter().any(|(_, o)| matches!(o, OrderView::Keys(_))) {
        return None;
    }
    let digit = |d: &DigitView| {
        let first = *c.first_rows.get(d.group)?;
        Some((d.cell?, Digit { source: d.source.clone(), group: d.group, first, stride: d.stride, radix: d.radix }))
    };
    let digits = c.digits.iter().map(digit).collect::<Option<Vec<_>>>()?;
    let mut unknown = c.first_rows.clone();
    for (_, d) in &digits {
        *unknown.get_mut(d.group)? += (d.radix - 1) * d.stride;
    }
    let unknown = unknown.into_iter().map(|r| u16::try_from(r).ok()).collect::<Option<Vec<_>>>()?;
    let by = match c.by {
        Some(cell) => Some(profiles(model.facts.get(cell)?, cell, c)?),
        None => None,
    };
    let stamp = u64::from_le_bytes(*digest.first_chunk()?) ^ u64::try_from(c.node).ok()?;
    Some(Packing {
        stamp,
        unknown,
        digits,
        by: by.filter(|(_, all, unknown)| *unknown != 0 || all.iter().any(|p| *p != 0)),
    })
}

/// The profile for each value of the cell that picks one, and for unknown.
fn profiles(fact: &Fact, cell: usize, c: &ChooseView) -> Option<(usize, Vec<usize>, usize)> {
    let count = match &fact.ty {
        Type::Bool => 2,
        Type::Enum(n) | Type::Level(n) if fact.latch.is_none() => n.len(),
        _ => return None,
    };
    if fact.latch.is_some() {
        return None;
    }
    let of = |value: usize| c.profiles.iter().position(|(v, _)| *v == value).unwrap_or(0);
    let strict = |v: Value| usize::try_from(v).map_or(0, of);
    Some((cell, (0..count).map(of).collect(), fact.unknown.map_or(0, strict)))
}
