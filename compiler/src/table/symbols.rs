//! Names, so that people can read what a table says.

use crate::model::{Model, Type};

/// The symbols section: texts of length (u16) and bytes, in the order of FORMAT.md.
pub(super) fn symbols(m: &Model) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let mut put = |s: &str| {
        let n = u16::try_from(s.len()).ok()?;
        out.extend(n.to_le_bytes());
        out.extend(s.as_bytes());
        Some(())
    };
    put(&format!("{}@{}", m.name, m.version))?;
    for f in &m.facts {
        put(&f.name)?;
        if let Type::Enum(n) | Type::Level(n) | Type::Set(n) = &f.ty {
            n.iter().try_for_each(|n| put(n))?;
        }
    }
    m.roads.iter().try_for_each(|r| put(&r.name))?;
    m.roads.iter().flat_map(|r| &r.filters).try_for_each(|f| put(&f.name))?;
    m.nodes.iter().try_for_each(|n| put(&n.name))?;
    m.counters.iter().try_for_each(|c| put(&c.name))?;
    m.flows.iter().try_for_each(|f| put(&f.name))?;
    Some(out)
}
