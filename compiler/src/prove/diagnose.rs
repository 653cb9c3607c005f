//! Findings of the engines as diagnostics: code, the smallest text to blame, the replayed witness, what to write.

use super::fixpoint::Context;
use super::path::Concrete;
use super::two_runs::Answers;
use super::witness;
use super::{Engine, Verdict, subject_name};
use crate::laws::local::{Local, LocalSubject};
use crate::laws::track::{Subject, Track};
use crate::model::{Change, Claim, EdgeId, EdgeKind, Model, NodeId, Profile, RoadId};
use roadlaw_grammar::diagnostic::{Diagnostic, Label, Severity, Witness, sort};
use roadlaw_grammar::span::{FileId, Span};
use std::collections::BTreeSet;

/// What a finding is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// A road.
    Road(RoadId),
    /// A node.
    Node(NodeId),
    /// An edge.
    Edge(EdgeId),
}

impl From<Subject> for Place {
    fn from(s: Subject) -> Self {
        match s {
            Subject::Node(n) => Self::Node(n),
            Subject::Edge(e) => Self::Edge(e),
        }
    }
}

/// Collects what the engines found.
pub(crate) struct Findings<'m> {
    model: &'m Model,
    out: Vec<Diagnostic>,
    undecided: bool,
}

impl<'m> Findings<'m> {
    pub(crate) fn new(model: &'m Model) -> Self {
        Self { model, out: Vec::new(), undecided: false }
    }

    /// Something was found.
    pub(crate) fn found_any(&self) -> bool {
        !self.out.is_empty()
    }

    /// Says the same under everything that was found.
    pub(crate) fn note(&mut self, text: &str) {
        self.out.iter_mut().for_each(|d| d.notes.push(text.to_owned()));
    }

    /// A real path that breaks a law: replayed, coded by the reference interpreter, shown up to its first fault.
    pub(crate) fn refuted(
        &mut self,
        cx: &Context<'_, '_>,
        track: &dyn Track,
        law: &'static str,
        subject: Subject,
        path: &Concrete,
    ) {
        let m = self.model;
        let text = track.name(m);
        let claim: Option<&Claim> = if law == "RA" { m.claims.iter().find(|c| c.text == text) } else { None };
        let replay = witness::replay(m, path, claim);
        let Some(first) = replay.violations.first() else {
            self.disagreement(law, subject, "the reference interpreter does not replay the counterexample");
            return;
        };
        if !replay.faithful {
            self.disagreement(law, subject, "the facts of the counterexample open another edge");
            return;
        }
        let mut code = first.code;
        // A negative that is adopted lacks its validation: that it is judged by now says the same.
        let lacks = replay.violations.iter().any(|v| v.code == "RL111");
        if law == "RL306" && lacks {
            code = "RL111";
        } else if replay.violations.iter().any(|v| v.code == law) {
            code = law;
        }
        if track.free_volatile()
            && matches!(code, "RL104" | "RL105" | "RL109")
            && only_when_free(cx, track, law, subject)
        {
            code = "RL114";
        }
        let edge = path.edges[replay.at];
        let what = replay.violations.iter().find(|v| v.code == code).unwrap_or(first).what.clone();
        let mut d = Diagnostic::error(code, self.blame(edge), message(m, code, edge, &what, claim));
        d.primary_label = "this step breaks it".to_owned();
        // A change is to be said by the edge that makes it, not by the send where it shows.
        let silent = what.contains(" without saying so") || code == "RL309";
        let before = path.edges.iter().take(replay.at + 1).rev();
        let crossing = before.copied().find(|e| m.edge(*e).kind == EdgeKind::Fallback).filter(|_| silent);
        if let Some(f) = crossing {
            d.primary = self.blame(f);
            let asks = code == "RL309";
            d.primary_label = if asks { "asked again here" } else { "this fallback does not say it" }.to_owned();
            d.message = format!("the fallback from {what}");
        }
        if let Some(c) = claim {
            d.primary = c.span;
            d.primary_label = "asserted here".to_owned();
            d.labels.push(Label { span: self.blame(edge), message: "broken by this step".to_owned() });
        }
        if let Some(f) = crossing {
            let until_f = path.edges.iter().take(replay.at + 1).rev().skip_while(|e| **e != f);
            let left = until_f.copied().find_map(|e| m.node(m.edge(e).from).road);
            for r in [left, m.node(m.edge(edge).to).road].into_iter().flatten() {
                let message = format!("the road `{}`", m.road(r).name);
                d.labels.push(Label { span: m.road(r).span, message });
            }
        } else {
            self.labels(&mut d, edge);
        }
        d.help = match crossing {
            Some(_) if code == "RL309" => Some(
                "let both roads have one `question`, or end here: another input, rubric or contract is other work"
                    .to_owned(),
            ),
            Some(f) => Some(saying(m, f, &what)),
            None => help(m, code, edge, &what),
        };
        d.witness = Some(replay.witness);
        self.push(d);
    }

    /// The same code at the same text is one finding; the first has the shortest path.
    pub(crate) fn push(&mut self, d: Diagnostic) {
        if let Some(old) = self.out.iter_mut().find(|o| o.code == d.code && o.primary == d.primary) {
            let longer = |w: &Option<Witness>| w.as_ref().map_or(usize::MAX, |w| w.path.len());
            if longer(&d.witness) < longer(&old.witness) {
                *old = d;
            }
            return;
        }
        self.out.push(d);
    }

    /// The author's own text of an edge: its innermost span in the policy's own file, else where it is written.
    fn blame(&self, e: EdgeId) -> Span {
        let m = self.model;
        let edge = m.edge(e);
        let spans = edge.spans.iter().chain(m.node(edge.to).spans.iter());
        spans.clone().find(|s| s.file == FileId(0)).or_else(|| spans.clone().next()).copied().unwrap_or(m.span)
    }

    fn labels(&self, d: &mut Diagnostic, e: EdgeId) {
        let m = self.model;
        let edge = m.edge(e);
        let mut add = |span: Span, message: String| {
            // A mark inside another says nothing new, and two labels under one text cannot be told apart.
            let taken = std::iter::once(&d.primary).chain(d.labels.iter().map(|l| &l.span));
            if d.labels.len() < 3 && !taken.into_iter().any(|t| overlap(*t, span)) {
                d.labels.push(Label { span, message });
            }
        };
        for (spans, text) in [(&edge.spans, "in this lane"), (&m.node(edge.to).spans, "the node that is entered")] {
            for s in spans {
                add(*s, text.to_owned());
            }
        }
        if let Some(r) = m.node(edge.to).road {
            add(m.road(r).span, format!("the road `{}`", m.road(r).name));
        }
    }

    /// A fact vector that breaks a law.
    pub(crate) fn local(&mut self, l: &Local, path: Option<&Concrete>, law: &'static str) {
        let m = self.model;
        let span = self.local_span(l);
        let mut d = Diagnostic::error(law, span, l.message.clone()).with_help(l.help.clone());
        if law == "RL409" {
            d.message = format!("{}: it is checked after the road was chosen", d.message);
            d.help = Some("make it a filter of the road: a closed road must not win the rank".to_owned());
        }
        if let LocalSubject::Road(r) = l.subject
            && law.starts_with("RL10")
            && matches!(law, "RL104" | "RL109")
        {
            let key = if law == "RL104" { "cut" } else { "durable" };
            if let Some(s) = m.need_spans.get(key) {
                d.primary = *s;
                d.labels.push(Label { span: m.road(r).span, message: format!("for the road `{}`", m.road(r).name) });
            }
        }
        if let LocalSubject::Edge(e) = l.subject
            && law == "RL702"
        {
            let edge = m.edge(e);
            let other = m.edges.iter().find(|o| {
                o.from == edge.from
                    && o.outcome == edge.outcome
                    && o.candidate == edge.candidate
                    && !std::ptr::eq(*o, edge)
            });
            if let Some(span) = other.and_then(|o| o.guard_span.or(o.spans.first().copied())) {
                d.labels.push(Label { span, message: "the other guard".to_owned() });
            }
        }
        d.witness = Some(path.map_or_else(Witness::default, |p| witness::vector(m, p)));
        if path.is_none() {
            d.witness = None;
        }
        self.push(d);
    }

    fn local_span(&self, l: &Local) -> Span {
        let m = self.model;
        match l.subject {
            LocalSubject::Road(r) => m.road(r).span,
            LocalSubject::Edge(e) => m.edge(e).guard_span.unwrap_or_else(|| self.blame(e)),
        }
    }

    /// Two fact vectors that a two-run law compares.
    pub(crate) fn two_runs(&mut self, law: &'static str, span: Span, message: String, help: &str, runs: Answers) {
        let [facts, other_facts] = runs.facts;
        let mut d = Diagnostic::error(law, span, message).with_help(help);
        d.witness = Some(Witness { facts, other_facts, answers: runs.said.to_vec(), path: Vec::new() });
        self.push(d);
    }

    pub(crate) fn error(&mut self, d: Diagnostic) {
        self.push(d);
    }

    pub(crate) fn unreachable(&mut self, r: RoadId) {
        let road = self.model.road(r);
        self.push(
            Diagnostic::error("RL704", road.span, format!("the road `{}` can never be used", road.name))
                .with_primary_label(if self.model.profile == Profile::Choice {
                    "no facts let it be chosen"
                } else {
                    "no run sends, calls or awaits it"
                })
                .with_help("make it a candidate that some facts let win, or delete it"),
        );
    }

    /// The outcome that enters this fallback was found not to allow it.
    pub(crate) fn refuses(&self, e: EdgeId) -> bool {
        let at = self.blame(e);
        self.out.iter().any(|d| matches!(d.code, "RL304" | "RL306" | "RL307" | "RL312") && d.primary == at)
    }

    pub(crate) fn unreal(&mut self, e: EdgeId, w: Change) {
        let span = self.model.edge(e).change_spans.get(&w).copied().unwrap_or_else(|| self.blame(e));
        self.push(
            Diagnostic::error("RL303", span, format!("declared change `{}` is not real", w.word()))
                .with_primary_label("no pair of roads that this fallback joins differs in it")
                .with_help(format!("drop `{}` from `changes`", w.word())),
        );
    }

    pub(crate) fn hole(&mut self, e: EdgeId, words: &BTreeSet<Change>) {
        let list: Vec<&str> = words.iter().map(|w| w.word()).collect();
        let span = self.blame(e);
        self.push(
            Diagnostic::error("RL301", span, "`changes ?` leaves open what this fallback changes")
                .with_help(format!("write `changes {{ {} }}`", list.join(", "))),
        );
    }

    pub(crate) fn undecided(&mut self, law: &'static str, subject: Subject, why: &str) {
        self.undecided_at(law, subject.into(), why);
    }

    pub(crate) fn undecided_at(&mut self, law: &'static str, place: Place, why: &str) {
        let (span, name) = self.place(place);
        self.undecided = true;
        self.push(
            Diagnostic::error("RL903", span, format!("{law} is undecided at `{name}`: {why}"))
                .with_help("undecided is not accepted: simplify the guards, or split the flow"),
        );
    }

    /// One engine worked alone.
    pub(crate) fn alone(&mut self, engine: Engine) {
        self.undecided = true;
        let message = format!("only the engine `{}` ran: one engine alone proves nothing", engine.word());
        let d = Diagnostic::error("RL902", self.model.span, message).with_help("leave out `--engine`");
        self.push(d);
    }

    fn place(&self, place: Place) -> (Span, String) {
        let m = self.model;
        match place {
            Place::Road(r) => (m.road(r).span, m.road(r).name.clone()),
            Place::Node(n) => (self.node_span(n), subject_name(m, Subject::Node(n))),
            Place::Edge(e) => (self.blame(e), subject_name(m, Subject::Edge(e))),
        }
    }

    fn node_span(&self, n: NodeId) -> Span {
        let spans = &self.model.node(n).spans;
        spans.iter().find(|s| s.file == FileId(0)).or(spans.first()).copied().unwrap_or(self.model.span)
    }

    pub(crate) fn local_undecided(&mut self, l: &Local, why: &str) {
        self.undecided = true;
        let span = self.local_span(l);
        self.push(Diagnostic::error("RL903", span, format!("{} is undecided: {why}", l.law)));
    }

    pub(crate) fn disagreement(&mut self, law: &'static str, subject: Subject, why: &str) {
        self.disagreement_at(law, subject.into(), why);
    }

    pub(crate) fn disagreement_at(&mut self, law: &'static str, place: Place, why: &str) {
        let (span, name) = self.place(place);
        self.undecided = true;
        self.push(
            Diagnostic::error("RL902", span, format!("internal: {law} at `{name}`: {why}"))
                .with_help("this is a fault of roadlaw, not of the policy: please report it with the policy"),
        );
    }

    /// A law was seen to be broken.
    pub(crate) fn rejected(&self) -> bool {
        self.out.iter().any(|d| d.severity == Severity::Error && !matches!(d.code, "RL902" | "RL903"))
    }

    /// The verdict and the sorted diagnostics.
    pub(crate) fn finish(mut self) -> (Verdict, Vec<Diagnostic>) {
        let verdict = match (self.rejected(), self.undecided) {
            (true, _) => Verdict::Rejected,
            (false, true) => Verdict::Undecided,
            (false, false) => Verdict::Proved,
        };
        sort(&mut self.out);
        (verdict, self.out)
    }
}

/// The bad step is reachable only because volatile facts were free: RL114.
fn only_when_free(cx: &Context<'_, '_>, track: &dyn Track, law: &'static str, subject: Subject) -> bool {
    struct Bound<'t>(&'t dyn Track);
    impl Track for Bound<'_> {
        fn flow(&self) -> crate::model::FlowId {
            self.0.flow()
        }
        fn name(&self, m: &Model) -> String {
            self.0.name(m)
        }
        fn start(&self) -> u16 {
            self.0.start()
        }
        fn step(&self, g: &crate::graph::Graph<'_>, s: u16, e: EdgeId) -> crate::laws::track::Move {
            self.0.step(g, s, e)
        }
    }
    let bound = Bound(track);
    let product = super::product::Product::new(cx.graph, &bound);
    let settled = super::settle::settle(cx, &bound, &product, false);
    !matches!(
        settled.get(&(law, subject)),
        Some(super::settle::Settled::Refuted(_) | super::settle::Settled::Undecided(_))
    )
}

/// The words that a fallback left out, as they are to be written.
fn saying(m: &Model, f: EdgeId, what: &str) -> String {
    let words =
        what.split_once(" changes ").and_then(|(_, w)| w.strip_suffix(" without saying so")).unwrap_or_default();
    if m.edge(f).changes.is_some() {
        format!("add `{words}` to its `changes`, or lead to a `choose` without that road")
    } else {
        format!("write `changes {{ {words} }}`, or lead to a `choose` without that road")
    }
}

fn overlap(a: Span, b: Span) -> bool {
    a.file == b.file && a.start < b.end && b.start < a.end
}

fn message(m: &Model, code: &str, e: EdgeId, what: &str, claim: Option<&Claim>) -> String {
    let to = &m.node(m.edge(e).to).name;
    if claim.is_some() {
        return format!("{what} at `{to}`");
    }
    // Some say all in their own words.
    match code {
        "RL202" if what.ends_with("while something is out") => {
            return format!("`{to}` begins new work by `->` while something is out");
        }
        "RL705" => return format!("`{to}` is reached while {what}"),
        "RL301" | "RL302" | "RL305" | "RL309" | "RL310" => return format!("`{to}`: {what}"),
        _ => {}
    }
    let said = match code {
        "RL101" => "is reached without classify",
        "RL102" => "is reached without minimize for its consumer",
        "RL103" => "is reached although the road was not chosen as eligible",
        "RL104" => "is reached without the cut that is needed",
        "RL105" => "is reached without a verified cut",
        "RL106" => "is reached without an egress decision directly before it",
        "RL107" => "is reached without a reserved budget",
        "RL108" => "is reached without a committed decision",
        "RL109" => "is reached without the durable attempt that is needed",
        "RL110" => "is reached with a return that was not quarantined",
        "RL111" => "is reached out of order",
        "RL112" => "is reached without adoption and the owner's authorisation",
        "RL113" => "is reached without a checkpoint, and leaves the invocation",
        "RL114" => "is exempt by a guard that reads volatile facts",
        "RL115" => "is reached by a child that did not pass its own gates",
        "RL116" => "keeps what was found without the checks that it needs",
        "RL117" => "is reached without adoption",
        "RL201" => "is reached in a new round with evidence of the old one",
        "RL202" => "is reached with evidence that a retry, redirect or change ended",
        "RL203" => "redelivers without proved replay, a use left, or a fresh egress",
        "RL204" => "is reached with gates passed in the wrong order",
        "RL205" => "is reached with a cut for another consumer",
        "RL206" => "is reached with an egress decision for another target",
        "RL207" => "is reached with evidence that a wait ended",
        "RL208" => "is reached by an exemption that outlived its payload",
        "RL304" => "follows an outcome that allows no such road",
        "RL306" => "follows a judgement that was already made",
        "RL307" => "sends to another receiver what could not be cut without losing its meaning",
        "RL308" => "goes on although the verifier was not sure",
        "RL311" => "uses a review's new plan before it is classified",
        "RL312" => "does work again after a step that sums up a negative",
        "RL313" => "uses a road that failed for this question already",
        "RL706" => "says that no road is eligible, which is not so",
        "RL707" => "ends a transmission that may have acted",
        _ => "breaks the law",
    };
    format!("`{to}` {said}: {what}")
}

fn help(m: &Model, code: &str, e: EdgeId, what: &str) -> Option<String> {
    let edge = m.edge(e);
    let to = m.node(edge.to);
    let r = to.road.map_or("r", |r| m.road(r).name.as_str());
    let text = match code {
        "RL101" => "write `start -> classify` before the road is chosen".to_owned(),
        "RL102" => format!("write `minimize({r})` after classify"),
        "RL103" => format!("let a `choose` with `{r}` among its candidates lead here"),
        "RL104" => {
            format!("write `cut({r})? -> verify({r})?`: the step is skipped only where `need cut` is definitely false")
        }
        "RL105" => format!("write `cut({r})? -> verify({r})?` and let only verify's ok go on"),
        "RL106" => format!("write `egress({r}) -> send({r})` with nothing in between"),
        "RL107" => format!("write `reserve({r})` before `decide({r})`, whatever the price"),
        "RL108" => format!("write `decide({r})` before `attempt({r})`"),
        "RL109" => format!("write `attempt({r})?`: the step is skipped only where `need durable` is definitely false"),
        "RL110" => "write `quarantine -> validate -> consume -> adopt`, or use the lane `accept`".to_owned(),
        "RL111" => {
            "keep the order `quarantine -> validate -> consume -> adopt`; consume a negative before repair".to_owned()
        }
        "RL112" => "write `adopt -> effect(..)` with `when owner_authorised`".to_owned(),
        "RL113" => format!("write `checkpoint` before `{}`", to.name),
        "RL114" => "let the exemption read pinned and sealed facts only".to_owned(),
        "RL115" => "give the child its own chain: classify, choose, minimize, .. egress, send".to_owned(),
        "RL116" => format!(
            "pass a node `as provenance`, then a node `as rights`, each by its ok, on every way from the search to `{}`; \
             the lane `ingest` has them in series",
            to.name
        ),
        "RL117" => "accept the return before `done`: `-> accept -> done`".to_owned(),
        "RL201" => "lead the new round to `classify`".to_owned(),
        "RL202" if what.ends_with("while something is out") => {
            "say how work begins again: `-loop->`, `-retry->`, `-redirect->`, `-fallback->` or `-resume->` in the place of `->`"
                .to_owned()
        }
        "RL202" => {
            "lead back to the first gate that the change ended, by a loop, retry, redirect or fallback edge".to_owned()
        }
        "RL203" => format!(
            "write `when replay_proved or no_effect -redeliver-> again takes c`, with `node again : egress({r})`, and no `changes`"
        ),
        "RL204" => "keep the order classify, choose, reserve, decide, attempt, egress".to_owned(),
        "RL205" => format!("minimize, cut and verify for `{r}` itself"),
        "RL206" => format!("decide egress for `{r}` itself: `egress({r}) -> send({r})`"),
        "RL207" => "lead the resume to `resolve`, then to classify or choose".to_owned(),
        "RL208" => "judge the new payload: read the exemption again after the round".to_owned(),
        "RL301" | "RL302" => "say it: a `-fallback->` edge with `changes { .. }` that names each difference".to_owned(),
        "RL304" => "reconcile first, or refuse, or take a local or human road".to_owned(),
        "RL305" => format!("write `decide({r})` without `fresh`: the run then names the decision that failed"),
        "RL306" => "consume the negative and repair; a new candidate is a new question".to_owned(),
        "RL307" => "go to a local or human road, back to classify with `changes { content }`, or refuse".to_owned(),
        "RL308" => "refuse, or let a person review".to_owned(),
        "RL311" => "lead `new_plan` to `classify`".to_owned(),
        "RL312" => "keep the outcome of each item, and repair what was refused".to_owned(),
        "RL313" => "lead the fallback to a `choose`, which leaves out what was tried".to_owned(),
        "RL705" => match to.road.map(|r| m.road(r).carrier) {
            Some(crate::model::Carrier::Queue) => "write `-> await(external)`".to_owned(),
            _ => "write `-> await(user)` for a manual carrier, `-> await(external)` for a queue".to_owned(),
        },
        "RL706" => "lead only `none` of a choose here, after every road was asked".to_owned(),
        "RL707" => "lead to `reconcile`, or end as indeterminate, lost, cancelled or expired".to_owned(),
        _ => return None,
    };
    Some(text)
}
