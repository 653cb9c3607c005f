//! Obligations as scripts for other solvers: SMT-LIB 2.6, each by itself, with the status that is expected.
//!
//! No text of the policy gets into a script but in comments, and there only printable characters.

use super::ledger::Entry;
use super::product::{Obligation, Product};
use crate::graph::{Cond, Graph};
use crate::laws::track::Track;
use crate::model::{Model, NodeId};
use std::collections::BTreeMap;
use std::fmt::Write;

/// One script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Script {
    /// Name of its file: number and law.
    pub name: String,
    /// What it must hold.
    pub text: String,
}

/// The scripts of these obligations, and how many have none: what is settled by counting.
pub(super) fn scripts(entries: &[Entry], m: &Model) -> (Vec<Script>, usize) {
    let mut out = Vec::new();
    for (i, e) in entries.iter().enumerate() {
        let Some(body) = &e.script else { continue };
        let sat = e.wanted || e.method == "reached";
        let status = if sat { "sat" } else { "unsat" };
        let text = format!(
            "; {} of {}: {}\n(set-info :smt-lib-version 2.6)\n(set-logic ALL)\n(set-info :status {status})\n{}(exit)\n",
            e.law,
            plain(&e.about.name(m)),
            plain(&e.by),
            commands(body)
        );
        out.push(Script { name: format!("{:04}-{}.smt2", i + 1, e.law), text });
    }
    let without = entries.len() - out.len();
    (out, without)
}

fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_graphic() || c == ' ' { c } else { '?' }).collect()
}

/// Without comments and information that Z3 writes by itself.
fn commands(body: &str) -> String {
    let own = |l: &&str| !l.starts_with(';') && !l.starts_with("(set-info") && !l.starts_with("(set-logic");
    body.lines().filter(own).fold(String::new(), |all, l| all + l + "\n")
}

/// That no path of the product takes a bad step of the obligation: what a path can reach is closed, and holds no such step.
/// Steps are those of all states that the track has at the nodes of the product, reached or not.
pub(super) fn dominance(g: &Graph<'_>, track: &dyn Track, product: &Product, o: Obligation) -> String {
    let m = g.model;
    let mut ids: BTreeMap<(NodeId, u16), usize> = BTreeMap::new();
    let mut work: Vec<(NodeId, u16)> = Vec::new();
    for s in &product.states {
        let next = ids.len();
        ids.entry(*s).or_insert_with(|| {
            work.push(*s);
            next
        });
    }
    let reached = ids.len();
    for (n, _) in &product.states {
        let next = ids.len();
        ids.entry((*n, track.start())).or_insert_with(|| {
            work.push((*n, track.start()));
            next
        });
    }
    let (mut steps, mut bad) = (String::new(), String::new());
    while let Some(at) = work.pop() {
        let from = ids[&at];
        for e in &g.out[at.0.index()] {
            let made = track.step(g, at.1, *e);
            let next = ids.len();
            let to = *ids.entry((m.edge(*e).to, made.next)).or_insert_with(|| {
                work.push((m.edge(*e).to, made.next));
                next
            });
            if made.bad.iter().any(|b| (b.law, b.subject) == o && b.cond != Cond::False) {
                let _ = writeln!(bad, "  (and (= a {from}) (= b {to}))");
            }
            if !g.effect(*e).open.contains(&Cond::False) {
                let _ = writeln!(steps, "  (and (= a {from}) (= b {to}))");
            }
        }
    }
    format!(
        "(declare-const f Int)\n(declare-const t Int)\n\
         (define-fun reached ((a Int)) Bool (and (<= 0 a) (< a {reached})))\n\
         (define-fun step ((a Int) (b Int)) Bool (or false\n{steps}))\n\
         (define-fun bad ((a Int) (b Int)) Bool (or false\n{bad}))\n\
         (assert (or (not (reached 0)) (and (reached f) (step f t) (or (not (reached t)) (bad f t)))))\n(check-sat)\n"
    )
}
