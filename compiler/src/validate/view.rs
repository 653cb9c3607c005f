//! What people are shown of a table: the decoded guards and orders. Read by the second reader, so that a listing
//! shows the bytes and not what the runtime makes of them.

use super::reader::{Decoded, read};
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
            ChooseView { node: usize::from(c.node), by, candidates, profiles }
        })
        .collect();
    Ok(View { symbols, latches, filters, edges, chooses })
}
