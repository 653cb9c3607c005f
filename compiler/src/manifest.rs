//! The proof manifest: what `roadlaw build --proof` writes and `roadlaw recheck` reads. Plain data; its JSON shape is
//! `compiler/proof.schema.json`, its meaning `compiler/PROOF.md`.
//!
//! Written by [`crate::prove`] and read by [`crate::recheck`], which share beside it the graph and the statement of the laws.

use crate::laws::catalogue::profiles;
use crate::model::{EdgeId, EdgeKind, Model, NodeId, Profile, RoadId};
use roadlaw_grammar::span::Span;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;

/// The version of the shape that is written and read.
pub const SCHEMA: &str = "roadlaw proof 1";

/// A whole proof.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// [`SCHEMA`].
    pub schema: String,
    /// `name@version`.
    pub policy: String,
    /// Profile.
    pub profile: String,
    /// `roadlaw 0.1.0`.
    pub tool: String,
    /// The solvers and their versions, by what they do.
    pub solvers: BTreeMap<String, String>,
    /// BLAKE3 of model, table and certificate, as hexadecimal text.
    pub digests: Digests,
    /// Codes of the laws that ran, ascending.
    pub laws: Vec<String>,
    /// Laws that the profile leaves out, and why.
    pub left_out: Vec<LeftOut>,
    /// Names of the fact cells, by which tests speak of them.
    pub cells: Vec<String>,
    /// Tests on one cell, of which conditions are made.
    pub tests: Vec<Test>,
    /// Conditions on facts: 0 is never, 1 is always, the others stand here from 2 on as (test, condition where the test
    /// holds, condition where it does not); a condition speaks only of earlier ones.
    pub conditions: Vec<(u32, u32, u32)>,
    /// What each law, or each key of one, was proved by.
    pub tracks: Vec<Track>,
    /// Every obligation.
    pub obligations: Vec<Obligation>,
    /// What was taken without proof.
    pub assumed: Vec<String>,
}

/// Laws that a profile leaves out for one reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeftOut {
    /// Codes, ascending.
    pub codes: Vec<String>,
    /// Why.
    pub why: String,
}

impl LeftOut {
    /// What a profile leaves out.
    #[must_use]
    pub fn of(profile: Profile) -> Vec<Self> {
        let one = |l: &profiles::LeftOut| Self {
            codes: l.codes.iter().map(|c| (*c).to_owned()).collect(),
            why: l.why.to_owned(),
        };
        profiles::left_out(profile).iter().map(one).collect()
    }
}

/// Digests, as hexadecimal text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Digests {
    /// Of the model's canonical JSON.
    pub model: String,
    /// Of the table.
    pub table: String,
    /// Of [`Manifest::certificate`]; the table carries it.
    pub proof: String,
}

/// A statement about one cell.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Test {
    /// The value is known and lies in one of the ranges (both ends included), or it is unknown and that counts.
    Values {
        /// The cell.
        cell: u32,
        /// Least and greatest value of each range.
        ranges: Vec<(i64, i64)>,
        /// Unknown counts.
        unknown: bool,
    },
    /// The set is known and has the label, or it is unknown and that counts.
    Label {
        /// The cell.
        cell: u32,
        /// The label, by position.
        label: u8,
        /// Unknown counts.
        unknown: bool,
    },
    /// The value is known and this bit of it, less `minus`, is 1, or it is unknown and that counts.
    Bit {
        /// The cell.
        cell: u32,
        /// What is taken from the value first: the least one.
        minus: i64,
        /// The bit, from 0.
        bit: u8,
        /// Unknown counts.
        unknown: bool,
    },
}

/// An inductive invariant: where a run can be, and under which facts. Every obligation that names the track is excluded
/// by it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Track {
    /// What it follows.
    pub name: String,
    /// The flow it runs on.
    pub flow: u32,
    /// States by their condition. A state that is not here is never reached.
    pub invariant: Vec<Group>,
    /// What finding and checking it took.
    pub resources: Resources,
}

/// States with one condition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// The condition.
    pub condition: u32,
    /// Node, state of the track, and the road that a fallback would leave, where that matters.
    pub states: Vec<(u32, u16, Option<u32>)>,
}

/// Resource counts. They do not depend on the machine.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resources {
    /// States of flow and track together.
    pub states: u64,
    /// Times that the abstraction was refined.
    pub refinements: u64,
    /// Facts that the abstraction keeps.
    pub facts: u64,
    /// Nodes of the diagrams of the invariant.
    pub diagram_nodes: u64,
}

/// One obligation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Obligation {
    /// Code of the law.
    pub law: String,
    /// What it is about.
    pub subject: Subject,
    /// What was followed or asked: the name of its track, `one fact vector`, a change word, ..
    pub by: String,
    /// How it was settled.
    pub method: String,
    /// What each engine said, by its name.
    pub engines: BTreeMap<String, String>,
    /// Its track, by position.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub track: Option<u32>,
    /// A run that shows that something is possible.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub run: Option<RunEvidence>,
}

/// What an obligation is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Subject {
    /// Node, edge, road, field of the record or export.
    pub kind: SubjectKind,
    /// Its id in the model.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// The file where it is written: 0 is the policy's own, then those that it uses as they are read. Names of files are no
    /// part of a proof: the same text has the same one wherever it lies.
    pub file: u32,
    /// First byte there.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

/// Kinds of subjects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SubjectKind {
    /// Entering a node.
    Node,
    /// Taking an edge.
    Edge,
    /// A road.
    Road,
    /// A field that the author adds to the decision record.
    Record,
    /// What may be told of a decision.
    Export,
}

/// What an obligation is about, by id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum About {
    /// Entering a node.
    Node(NodeId),
    /// Taking an edge.
    Edge(EdgeId),
    /// A road.
    Road(RoadId),
    /// A field of the decision record, by position.
    Record(u32),
    /// An export, by position.
    Export(u32),
}

impl About {
    /// Kind and id.
    #[must_use]
    pub fn key(self) -> (SubjectKind, u32) {
        match self {
            Self::Node(n) => (SubjectKind::Node, n.0),
            Self::Edge(e) => (SubjectKind::Edge, e.0),
            Self::Road(r) => (SubjectKind::Road, r.0),
            Self::Record(i) => (SubjectKind::Record, i),
            Self::Export(i) => (SubjectKind::Export, i),
        }
    }

    /// By kind and id.
    #[must_use]
    pub fn of((kind, id): (SubjectKind, u32)) -> Self {
        match kind {
            SubjectKind::Node => Self::Node(NodeId(id)),
            SubjectKind::Edge => Self::Edge(EdgeId(id)),
            SubjectKind::Road => Self::Road(RoadId(id)),
            SubjectKind::Record => Self::Record(id),
            SubjectKind::Export => Self::Export(id),
        }
    }

    /// As people read it.
    #[must_use]
    pub fn name(self, m: &Model) -> String {
        match self {
            Self::Node(n) => m.node(n).name.clone(),
            Self::Road(r) => m.road(r).name.clone(),
            Self::Record(i) => format!("record.{}", m.record[i as usize].name),
            Self::Export(i) => format!("export {}", m.exports[i as usize].name),
            Self::Edge(e) => {
                let edge = m.edge(e);
                format!("{}.{} -> {}", m.node(edge.from).name, edge.outcome.word(), m.node(edge.to).name)
            }
        }
    }

    fn span(self, m: &Model) -> Span {
        match self {
            Self::Node(n) => m.node(n).spans.first().copied().unwrap_or(m.span),
            Self::Road(r) => m.road(r).span,
            Self::Record(i) => m.record[i as usize].span,
            Self::Export(i) => m.exports[i as usize].span,
            Self::Edge(e) => m.edge(e).spans.first().copied().unwrap_or(m.span),
        }
    }

    /// With its place in the text.
    #[must_use]
    pub fn subject(self, m: &Model) -> Subject {
        let (kind, id) = self.key();
        let span = self.span(m);
        Subject { kind, id, name: self.name(m), file: span.file.0, start: span.start, end: span.end }
    }
}

/// A run: which edges are taken, and what every cell holds. Cells begin unknown, latches open and counters full.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunEvidence {
    /// The roads of a fallback, where the run shows one: left and entered.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pair: Option<(u32, u32)>,
    /// What the cells hold at the start, where that is not the usual.
    pub start: Vec<(u32, Option<i64>)>,
    /// The steps.
    pub steps: Vec<RunStep>,
}

/// A step of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunStep {
    /// The edge.
    pub edge: u32,
    /// Cells that hold something else when its guard is read; nothing is unknown.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub before: Vec<(u32, Option<i64>)>,
    /// Cells that hold something else when its end is entered.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub after: Vec<(u32, Option<i64>)>,
}

/// What an obligation is settled by that no fact and no path changes.
pub(crate) const AS_WRITTEN: &str = "as written";

/// What is taken without proof, in every proof.
pub const ASSUMED: &[&str] = &[
    "the lowering from text to model",
    "Z3 and the decision-diagram package, where they agree",
    "that an occurrence crosses the gates that the table names",
    "the facts that the caller supplies",
];

impl Manifest {
    /// The part that the table carries the digest of: it names each obligation and how it was settled, and depends on no
    /// version of a solver.
    #[must_use]
    pub fn certificate(&self) -> String {
        certificate(
            &self.policy,
            &self.profile,
            &self.tool,
            &self.laws,
            &self.left_out,
            self.obligations.iter().map(|o| [o.law.as_str(), &o.subject.name, &o.by, &o.method]),
        )
    }

    /// As it is written.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Plain data into memory: nothing can fail.
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }
}

/// The certificate of a proof as JSON.
pub(crate) fn certificate<'a>(
    policy: &str,
    profile: &str,
    tool: &str,
    laws: &[String],
    left_out: &[LeftOut],
    obligations: impl Iterator<Item = [&'a str; 4]>,
) -> String {
    let obligations: Vec<_> = obligations
        .map(
            |[law, subject, track, method]| json!({ "law": law, "subject": subject, "track": track, "method": method }),
        )
        .collect();
    let body = json!({
        "policy": policy,
        "profile": profile,
        "tool": tool,
        "laws": laws,
        "left_out": left_out,
        "obligations": obligations,
        "assumed": ASSUMED,
    });
    // Plain data into memory: nothing can fail.
    serde_json::to_string_pretty(&body).unwrap_or_default() + "\n"
}

/// BLAKE3 of a certificate, as the table carries it.
pub(crate) fn certificate_digest(certificate: &str) -> [u8; 32] {
    *blake3::hash(certificate.as_bytes()).as_bytes()
}

/// Fallback edges that were written once (a lane has one copy of them per road), each group with its edges in order.
pub(crate) fn written_fallbacks(m: &Model) -> Vec<Vec<EdgeId>> {
    let mut written: BTreeMap<_, Vec<EdgeId>> = BTreeMap::new();
    for (i, edge) in m.edges.iter().enumerate() {
        if edge.kind == EdgeKind::Fallback {
            written.entry(edge.spans.first().copied()).or_default().push(EdgeId(crate::graph::narrow(i)));
        }
    }
    written.into_values().collect()
}

/// Digests as text.
#[must_use]
pub fn hex(digest: &[u8; 32]) -> String {
    digest.iter().map(|b| format!("{b:02x}")).collect()
}
