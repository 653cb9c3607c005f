//! Translation validation: the finished bytes are read back and proved equal to the model, for every fact assignment and
//! outcome. Shares nothing with the writer but the format's constants, and nothing with the runtime's reader.

mod check;
mod reader;

pub use check::check;

use crate::model::Guard;

/// The guards of all filters, and those of all edges, in the order of the table: for people to read.
///
/// # Errors
/// The bytes are no table.
pub fn guards(bytes: &[u8]) -> Result<(Vec<Guard>, Vec<Guard>), String> {
    let table = reader::read(bytes)?;
    let edges = table.nodes.into_iter().flat_map(|n| n.ports).flat_map(|(_, _, edges)| edges).map(|e| e.guard);
    Ok((table.filters, edges.collect()))
}
