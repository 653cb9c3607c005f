//! One change to a policy: it breaks something, or nothing.

use super::draw::Draw;
use crate::reference::facts;
use roadlaw_compiler::model::{
    Change, Duty, EdgeKind, EdgeRank, Export, FactId, Guard, Model, NodeId, NodeKind, Outcome, RecordField, Type,
};
use std::collections::BTreeSet;

fn gates(m: &Model) -> Vec<usize> {
    use NodeKind as K;
    let gate = |k: &K| {
        matches!(
            k,
            K::Classify
                | K::Minimize
                | K::Cut
                | K::Verify
                | K::Reserve
                | K::Decide { .. }
                | K::Attempt
                | K::Checkpoint
                | K::Egress
                | K::Quarantine
                | K::Validate
                | K::Consume
                | K::Adopt
                | K::Reconcile
        )
    };
    (0..m.nodes.len()).filter(|i| gate(&m.nodes[*i].kind)).collect()
}

/// Breaks something, or nothing. Returns what it did.
#[must_use]
pub fn change(m: &mut Model, d: &mut Draw, stay: &[FactId]) -> String {
    let e = d.below(m.edges.len());
    let guard = |d: &mut Draw, m: &Model| {
        let f = stay[d.below(stay.len())];
        let g = match m.fact(f).ty {
            Type::Set(_) => Guard::HasAny(f, 3),
            Type::Int { lo, .. } => Guard::Range(f, lo, 39),
            _ => Guard::In(f, vec![1]),
        };
        if d.below(2) == 0 { g } else { Guard::Not(Box::new(g)) }
    };
    match d.below(14) {
        0 | 1 => {
            let all = gates(m);
            let Some(n) = all.get(d.below(all.len())).copied() else { return "nothing".to_owned() };
            let ok = m.edges.iter().find(|e| e.from.index() == n && e.outcome == Outcome::Ok).map(|e| e.to);
            let Some(to) = ok else { return "nothing".to_owned() };
            let from = NodeId(facts::id(n));
            m.edges.iter_mut().filter(|e| e.to == from).for_each(|e| e.to = to);
            format!("without {}", m.nodes[n].name)
        }
        2 | 3 => {
            // Of the same flow: no text leads from one into another.
            let flow = m.node(m.edges[e].from).flow;
            let here: Vec<usize> = (0..m.nodes.len()).filter(|i| m.nodes[*i].flow == flow).collect();
            let to = *d.one(&here);
            m.edges[e].to = NodeId(facts::id(to));
            format!("{} to {}", edge(m, e), m.nodes[to].name)
        }
        4 => {
            let with_guard: Vec<usize> = (0..m.edges.len()).filter(|i| m.edges[*i].guard != Guard::True).collect();
            let Some(e) = with_guard.get(d.below(with_guard.len())).copied() else { return "nothing".to_owned() };
            m.edges[e].guard = if d.below(2) == 0 { m.edges[e].guard.negated() } else { guard(d, m) };
            format!("guard of {}", edge(m, e))
        }
        5 => {
            m.edges[e].guard = if m.edges[e].rank == EdgeRank::Guarded { guard(d, m) } else { Guard::True };
            format!("guard on {}", edge(m, e))
        }
        6 => {
            m.edges[e].kind = EdgeKind::ALL[d.below(EdgeKind::ALL.len())];
            format!("{} is {}", edge(m, e), m.edges[e].kind.word())
        }
        7 => {
            let words = m.edges.iter().position(|e| e.changes.is_some()).unwrap_or(e);
            m.edges[words].changes = if d.below(2) == 0 { None } else { Some(BTreeSet::from([Change::Content])) };
            format!("changes of {}", edge(m, words))
        }
        8 => {
            let r = d.below(m.roads.len());
            if m.roads[r].filters.is_empty() {
                return "nothing".to_owned();
            }
            let f = d.below(m.roads[r].filters.len());
            let gone = m.roads[r].filters.remove(f);
            format!("{} without {}", m.roads[r].name, gone.name)
        }
        9 => {
            let r = d.below(m.roads.len());
            m.roads[r].need_cut = guard(d, m);
            format!("need cut of {}", m.roads[r].name)
        }
        10 => {
            // Whatever the node: the law speaks of what it is for.
            let mut said = Vec::new();
            for duty in Duty::ALL {
                if matches!(duty, Duty::Provenance | Duty::Rights) && d.below(4) == 0 {
                    continue;
                }
                let n = d.below(m.nodes.len());
                m.nodes[n].duty = Some(*duty);
                said.push(format!("{} as {}", m.nodes[n].name, duty.word()));
            }
            said.join(", ")
        }
        11 => {
            let r = d.below(m.roads.len());
            m.roads[r].question.contract = "other@1".to_owned();
            format!("{} asks something else", m.roads[r].name)
        }
        12 => {
            let fields = ["input_digest", "retention", "parent", "payload_digest", "input", "file_name", "node_digest"];
            let field = fields[d.below(fields.len())];
            m.record.push(RecordField { name: field.to_owned(), span: m.span });
            let form = ["opaque", "digest", "stage", "sha256", "prompt"][d.below(5)];
            let mut keyed: Vec<String> =
                ["consumer", "purpose", "class", "epoch", "retention"].map(str::to_owned).to_vec();
            keyed.drain(..[0, 0, 1, 4, 5][d.below(5)]);
            if form != "digest" && d.below(2) == 0 {
                keyed.clear();
            }
            let of = (form == "digest" || d.below(3) == 0).then(|| "input".to_owned());
            let said = format!("record {field}, export {form} of {of:?} keyed by {keyed:?}");
            let (form_span, spans) = (m.span, Some(m.span));
            let export = Export {
                name: "x".to_owned(),
                form: form.to_owned(),
                of_span: of.as_ref().and(spans),
                keyed_span: if keyed.is_empty() { None } else { spans },
                of,
                keyed,
                span: m.span,
                form_span,
            };
            m.exports.push(export);
            said
        }
        _ => "nothing".to_owned(),
    }
}

/// An edge, for people.
#[must_use]
pub fn edge(m: &Model, e: usize) -> String {
    let x = &m.edges[e];
    format!("{}.{} -> {}", m.node(x.from).name, x.outcome.word(), m.node(x.to).name)
}
