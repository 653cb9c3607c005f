//! A proof: what a table needs to be written, and what a checker needs to look at it again.
//!
//! Takes the entries of a book in which nothing is open; gives the certificate, whose digest the table carries, and the
//! manifest of [`crate::manifest`]. That each entry is true is left to who entered it.

use super::ledger::{Entry, Evidence};
use super::scripts::{self, Script};
use crate::manifest::{self, Manifest};
use crate::model::Model;
use std::collections::BTreeMap;

/// Evidence that every obligation of a model is discharged. Made only by [`super::prove`].
#[derive(Debug, Clone)]
pub struct Proof {
    json: String,
    digest: [u8; 32],
    entries: Vec<Entry>,
    evidence: Option<Evidence>,
    laws: Vec<&'static str>,
}

impl Proof {
    /// Called only where every obligation was entered as proved.
    pub(super) fn new(m: &Model, laws: Vec<&'static str>, entries: Vec<Entry>, evidence: Option<Evidence>) -> Self {
        let subjects: Vec<String> = entries.iter().map(|e| e.about.name(m)).collect();
        let json = manifest::certificate(
            &format!("{}@{}", m.name, m.version),
            m.profile.word(),
            TOOL,
            &laws.iter().map(|l| (*l).to_owned()).collect::<Vec<_>>(),
            &manifest::LeftOut::of(m.profile),
            entries.iter().zip(&subjects).map(|(e, s)| [e.law, s, &e.by, e.method]),
        );
        let digest = manifest::certificate_digest(&json);
        Self { json, digest, entries, evidence, laws }
    }

    /// BLAKE3 of [`Proof::to_json`].
    #[must_use]
    pub fn digest(&self) -> [u8; 32] {
        self.digest
    }

    /// The certificate as JSON: laws, and each obligation with its law, subject and method.
    #[must_use]
    pub fn to_json(&self) -> String {
        self.json.clone()
    }

    /// The whole proof, as `roadlaw recheck` reads it; `None` where it was not recorded ([`super::Settings::record`]).
    #[must_use]
    pub fn manifest(&self, model: &Model, table: &[u8]) -> Option<Manifest> {
        let evidence = self.evidence.clone()?;
        let solvers = BTreeMap::from([
            ("diagrams".to_owned(), DIAGRAMS.to_owned()),
            ("z3".to_owned(), z3::full_version().to_owned()),
        ]);
        let digests = manifest::Digests {
            model: manifest::hex(&crate::model::digest(model)),
            table: manifest::hex(&crate::table::digest(table)),
            proof: manifest::hex(&self.digest),
        };
        Some(Manifest {
            schema: manifest::SCHEMA.to_owned(),
            policy: format!("{}@{}", model.name, model.version),
            profile: model.profile.word().to_owned(),
            tool: TOOL.to_owned(),
            solvers,
            digests,
            laws: self.laws.iter().map(|l| (*l).to_owned()).collect(),
            left_out: manifest::LeftOut::of(model.profile),
            cells: model.facts.iter().map(|f| f.name.clone()).collect(),
            tests: evidence.tests,
            conditions: evidence.conditions,
            tracks: evidence.tracks,
            obligations: self.entries.iter().map(|e| obligation(e, model)).collect(),
            assumed: manifest::ASSUMED.iter().map(|a| (*a).to_owned()).collect(),
        })
    }

    /// Each obligation as a script for other solvers, and how many have none since they are settled by counting. Empty where they
    /// were not asked for ([`super::Settings::scripts`]).
    #[must_use]
    pub fn scripts(&self, model: &Model) -> (Vec<Script>, usize) {
        scripts::scripts(&self.entries, model)
    }
}

/// The program, as proofs name it.
const TOOL: &str = concat!("roadlaw ", env!("CARGO_PKG_VERSION"));

/// The package of decision diagrams, as proofs name it.
const DIAGRAMS: &str = "biodivine-lib-bdd 0.6";

fn obligation(e: &Entry, m: &Model) -> manifest::Obligation {
    let answer = if e.wanted { "satisfiable" } else { "unsatisfiable" };
    let engines: &[(&str, &str)] = match e.method {
        "dominance" => &[("product", "no path of the flow leads there")],
        "invariant" => &[("diagrams", "invariant found"), ("z3", "invariant is inductive and excludes it")],
        "facts" => &[("diagrams", answer), ("z3", answer)],
        "reached" => &[("diagrams", "path found"), ("z3", "path is open")],
        "two runs" if matches!(e.law, "RL406" | "RL408") => {
            &[("diagrams", "no two such runs"), ("z3", "unsatisfiable")]
        }
        "two runs" if e.by_z3_alone => &[("sets", "too large"), ("z3", "unsatisfiable")],
        "two runs" => &[("sets", "nothing is carried over"), ("z3", "unsatisfiable")],
        _ if e.by == manifest::AS_WRITTEN => &[("text", "as it must be")],
        _ => &[("arithmetic", "within bounds")],
    };
    manifest::Obligation {
        law: e.law.to_owned(),
        subject: e.about.subject(m),
        by: e.by.clone(),
        method: e.method.to_owned(),
        engines: engines.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect(),
        track: e.track,
        run: e.run.clone(),
    }
}
