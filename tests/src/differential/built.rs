//! The table of a proved policy against the reference.

use super::draw::Draw;
use crate::reference::{facts, search};
use roadlaw_compiler::model::{Cell, Latch, Model, RoadId, Type};
use roadlaw_compiler::prove::Report;
use roadlaw_compiler::table::{self, Options};
use roadlaw_runtime::{Closed, Facts, Latches, Pick, Table};

/// The table of a proved policy decides as the reference does: road, eligibility and reason. Returns how many decisions
/// were compared.
///
/// # Errors
/// The first that differs.
pub fn as_built(m: &Model, report: &Report, d: &mut Draw) -> Result<u64, String> {
    let mut compared = 0;
    let proof = report.proof.as_ref().ok_or("no proof")?;
    let bytes = table::build(m, proof, Options::default()).map_err(|e| format!("no table: {e:?}"))?;
    let t = Table::from_bytes(&bytes).map_err(|e| format!("unreadable table: {e:?}"))?;
    let start = vec![Cell::Unknown; m.facts.len()];
    let vectors = facts::vectors(&start, &search::free(m));
    for v in vectors.iter().take(400) {
        let mut v = v.clone();
        let mut given = Facts::new();
        let mut latches = Latches::fresh(&t);
        for (i, f) in m.facts.iter().enumerate() {
            match (f.latch, v[i]) {
                (Some(l), _) => {
                    let set = d.below(5) == 0;
                    v[i] = Cell::Known(i64::from(set));
                    match l {
                        Latch::Tried(r) if set => latches = latches.with_tried(r.index()),
                        Latch::Judged if set => latches = latches.with_judged(),
                        Latch::Consumed if set => latches = latches.with_consumed(),
                        Latch::Left(c) => v[i] = Cell::Known(i64::from(m.counters[c.index()].max)),
                        _ => {}
                    }
                }
                (None, Cell::Known(x)) => match f.ty {
                    Type::Bool => given.set_bool(&t, i, x == 1),
                    Type::Enum(_) | Type::Level(_) => given.set_value(&t, i, u8::try_from(x).unwrap_or(u8::MAX)),
                    Type::Int { .. } => given.set_int(&t, i, i32::try_from(x).unwrap_or(i32::MAX)),
                    Type::Set(_) => given.set_labels(&t, i, x.cast_unsigned()),
                }
                .map_err(|e| format!("cell {i}: {e}"))?,
                (None, Cell::Unknown) => {}
            }
        }
        for (i, c) in m.chooses.iter().enumerate() {
            let want = facts::choose(m, c, &v);
            let have = t.choose_with(i, &given, &latches);
            compared += 1;
            if have.road() != want.map(RoadId::index) {
                return Err(format!("choose {i} takes {:?}, not {want:?} at {v:?}", have.road()));
            }
            let chooser = t.chooser(i).ok_or("no choose")?;
            if let Ok(packed) = chooser.pack::<64>(&given) {
                let road = match chooser.pick_with(&packed, &latches) {
                    Pick::Road(r) => Some(r),
                    _ => None,
                };
                if road != have.road() {
                    return Err(format!("choose {i} of packed facts takes {road:?} at {v:?}"));
                }
            }
            for (k, r) in c.candidates.iter().enumerate() {
                if t.is_eligible(i, k, &given, &latches) != facts::eligible(m, *r, &v) {
                    return Err(format!(
                        "choose {i}: {k} eligible is {} at {v:?}",
                        t.is_eligible(i, k, &given, &latches)
                    ));
                }
                let reason = t.reason(i, k, &given, &latches);
                let closed = facts::first_closed(m, *r, &v);
                if let (Some(Closed::Filter(f)), Some(want)) = (reason, closed)
                    && f != want
                {
                    return Err(format!("choose {i}: {k} is closed by {f}, not {want} at {v:?}"));
                }
            }
        }
    }
    Ok(compared)
}
