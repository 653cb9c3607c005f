//! What people are shown of a table: the decoded guards and orders. Read by the second reader, so that a listing
//! shows the bytes and not what the runtime makes of them.

use super::reader::{DDigit, DSource, Decoded, read};
use crate::model::{CounterId, Guard, Latch, RoadId};
use roadlaw_runtime::format;

/// A table as a listing shows it. Ids of facts in guards are cells of the table.
#[derive(Debug)]
pub struct View {
    /// All names in the order of the format; empty in a stripped table.
    pub symbols: Vec<String>,
    /// What each latch cell holds; `None` for a cell that the caller supplies.
    pub latches: Vec<Option<Latch>>,
    /// Guards of the filters section.
    pub filters: Vec<Guard>,
    /// Guards of the edges.
    pub edges: Vec<Guard>,
    /// Chooses.
    pub chooses: Vec<ChooseView>,
}

/// A choose.
#[derive(Debug)]
pub struct ChooseView {
    /// Its node.
    pub node: usize,
    /// The cell that picks the profile.
    pub by: Option<usize>,
    /// Candidate roads.
    pub candidates: Vec<usize>,
    /// Value of `by`, and the order.
    pub profiles: Vec<(usize, OrderView)>,
    /// First row of each group.
    pub first_rows: Vec<usize>,
    /// What facts add to the rows of their groups.
    pub digits: Vec<DigitView>,
}

/// What one fact adds to the row of its group.
#[derive(Debug)]
pub struct DigitView {
    /// The cell; `None`: the digit is read off a guard.
    pub cell: Option<usize>,
    /// What of the cell.
    pub source: Source,
    /// Its group.
    pub group: usize,
    /// The row moves by so much for each step of the digit.
    pub stride: usize,
    /// Number of its values; the greatest means unknown.
    pub radix: usize,
}

/// What a digit is read off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// The value of a bool, enum or level.
    Value,
    /// An int: the number of cuts at or below it.
    Cuts(Vec<i32>),
    /// Neighbouring labels of a set.
    Labels {
        /// The first of them.
        first: u16,
        /// How many.
        count: u8,
    },
    /// A guard: whether it holds.
    Guard,
}

/// The order of a profile.
#[derive(Debug)]
pub enum OrderView {
    /// Roads, best first.
    Static(Vec<usize>),
    /// For each key the cells in the order of the candidates, least value first.
    Keys(Vec<Vec<usize>>),
}

/// Decodes a table for a listing. Never panics, whatever the bytes are.
///
/// # Errors
/// The bytes are malformed, or their digest does not fit.
pub fn view(bytes: &[u8]) -> Result<View, String> {
    let d = read(bytes)?;
    let Decoded { cells, filters, chooses, nodes, symbols, .. } = d;
    let latches = cells
        .iter()
        .map(|c| match c.latch {
            (format::latch::TRIED, road) => Some(Latch::Tried(RoadId(road.into()))),
            (format::latch::JUDGED, _) => Some(Latch::Judged),
            (format::latch::CONSUMED, _) => Some(Latch::Consumed),
            (format::latch::LEFT, counter) => Some(Latch::Left(CounterId(counter.into()))),
            _ => None,
        })
        .collect();
    // Edges stand in the order of their nodes, so that their place in this list is their index.
    let ports = nodes.into_iter().flat_map(|n| n.ports);
    let edges = ports.flat_map(|(_, _, edges)| edges).map(|e| e.guard).collect();
    let wide = |list: &[u16]| list.iter().map(|i| usize::from(*i)).collect::<Vec<_>>();
    let chooses = chooses
        .into_iter()
        .map(|c| {
            let candidates = wide(&c.candidates);
            let profiles = c.profiles.iter().map(|p| {
                let order = if p.keys.is_empty() {
                    OrderView::Static(p.order.iter().filter_map(|i| candidates.get(usize::from(*i)).copied()).collect())
                } else {
                    OrderView::Keys(p.keys.iter().map(|k| wide(k)).collect())
                };
                (usize::from(p.value), order)
            });
            let profiles = profiles.collect();
            let by = if c.by == format::NONE { None } else { Some(usize::from(c.by)) };
            let first_rows = c.groups.iter().map(|(first, _)| *first).collect();
            let digits = c.digits.into_iter().map(digit).collect();
            ChooseView { node: usize::from(c.node), by, candidates, profiles, first_rows, digits }
        })
        .collect();
    Ok(View { symbols, latches, filters, edges, chooses })
}

fn digit(d: DDigit) -> DigitView {
    let (cell, source) = match d.source {
        DSource::Cell { at, cuts: None } => (Some(usize::from(at)), Source::Value),
        DSource::Cell { at, cuts: Some(cuts) } => (Some(usize::from(at)), Source::Cuts(cuts)),
        DSource::Labels { at, first, count } => (Some(usize::from(at)), Source::Labels { first, count }),
        DSource::Guard(_) => (None, Source::Guard),
    };
    DigitView { cell, source, group: d.group, stride: d.stride, radix: d.radix }
}
