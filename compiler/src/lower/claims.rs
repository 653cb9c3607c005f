//! `never` and `always`: events spread into nodes, guards instantiated for each node's road.

use super::flow::Flows;
use super::guards::{Context, Reads};
use super::scope::ClaimDecl;
use super::{codes, names};
use crate::model::{Claim, ClaimKind, Guard, NodeId, NodeKind, Outcome, Submitted};
use roadlaw_grammar::ast;
use roadlaw_grammar::diagnostic::Diagnostic;
use roadlaw_grammar::span::Span;

impl Flows<'_, '_> {
    /// Lowers all claims.
    pub(crate) fn lower_claims(&mut self) -> Vec<Claim> {
        let scope = self.l.scope;
        let mut out = Vec::new();
        for claim in &scope.claims {
            match claim {
                ClaimDecl::Never(never, span) => out.extend(self.never(never, *span)),
                ClaimDecl::Always { first, then, guard, span } => out.extend(self.always(first, then, *guard, *span)),
            }
        }
        out
    }

    /// Nodes of an event, each with the outcome that the event names.
    fn event(&mut self, event: &ast::Event) -> Option<Vec<(NodeId, Option<Outcome>)>> {
        let nodes = self.nodes_named(&event.name.value, &event.args, event.span.span, None)?;
        let Some(word) = &event.outcome else { return Some(nodes.into_iter().map(|n| (n, None)).collect()) };
        let mut possible: Vec<&str> = Vec::new();
        let mut out = Vec::new();
        for n in &nodes {
            let node = &self.nodes[n.index()];
            let shape = node.road.map(|r| self.l.roads[r.index()].shape);
            for o in node.kind.outcomes(shape) {
                if o.word() == word.value {
                    out.push((*n, Some(*o)));
                }
                possible.push(o.word());
            }
        }
        if out.is_empty() && !nodes.is_empty() {
            let mut e = Diagnostic::error(
                codes::UNKNOWN_NAME,
                word.span,
                format!("`{}` never has the outcome `{}`", event.name.value, word.value),
            );
            e.help = names::hint(&word.value, possible);
            self.l.d.push(e);
            return None;
        }
        Some(out)
    }

    fn idle(&mut self, event: &ast::Event) {
        let shown = Self::shown(&event.name.value, &event.args);
        let e = Diagnostic::note(
            codes::NEVER_TAKEN,
            event.span.span,
            format!("no flow has `{shown}`, so the claim says nothing about it"),
        );
        self.l.d.push(e);
    }

    fn claim_guard(&mut self, node: NodeId, guard: Option<&(bool, ast::Guard)>) -> Guard {
        let Some((unless, g)) = guard else { return Guard::True };
        let road = self.nodes[node.index()].road;
        let lowered = self.l.guard(g, Context { road, params: None, reads: Reads::Claim });
        if *unless { lowered.negated() } else { lowered }
    }

    fn never(&mut self, never: &ast::Never, span: Span) -> Option<Claim> {
        let nodes = self.event(&never.event)?;
        if nodes.is_empty() {
            self.idle(&never.event);
        }
        let mut at = Vec::new();
        for (n, outcome) in nodes {
            at.push((n, outcome, self.claim_guard(n, never.guard.as_ref())));
        }
        let mut after = None;
        let mut submitted = None;
        if let Some((event, word)) = &never.after {
            let nodes = self.event(event)?;
            if nodes.is_empty() {
                self.idle(event);
            }
            after = Some(nodes);
            if let Some(word) = word {
                submitted = Submitted::parse(&word.value);
                if submitted.is_none() {
                    let mut e = Diagnostic::error(
                        codes::UNKNOWN_NAME,
                        word.span,
                        format!("`{}` is no state of a transmission", word.value),
                    );
                    e.help = names::hint(&word.value, Submitted::ALL.iter().map(|s| s.word()));
                    self.l.d.push(e);
                    return None;
                }
            }
        }
        Some(Claim { kind: ClaimKind::Never { at, after, submitted }, text: roadlaw_grammar::never(never), span })
    }

    fn always(
        &mut self,
        first: &ast::Event,
        then: &ast::Event,
        guard: Option<&ast::Guard>,
        span: Span,
    ) -> Option<Claim> {
        let firsts = self.event(first)?;
        let thens = self.event(then)?;
        if thens.is_empty() {
            self.idle(then);
        }
        // Two events for any road are meant for the same road.
        let open = |e: &ast::Event| e.args.is_empty() || e.args.iter().any(|a| a.value == "any");
        let paired = open(first) && open(then);
        let when = guard.map(|g| (false, g.clone()));
        let mut at = Vec::new();
        for (n, outcome) in thens {
            let guard = self.claim_guard(n, when.as_ref());
            let (flow, road) = (self.nodes[n.index()].flow, self.nodes[n.index()].road);
            let before: Vec<(NodeId, Outcome)> = firsts
                .iter()
                .filter(|(f, _)| {
                    let f = &self.nodes[f.index()];
                    let same = f.road == road || f.road.is_none() || road.is_none();
                    f.flow == flow && (!paired || same)
                })
                .map(|(f, o)| (*f, o.unwrap_or_else(|| passed(&self.nodes[f.index()].kind))))
                .collect();
            at.push((n, outcome, guard, before));
        }
        Some(Claim { kind: ClaimKind::Always { at }, text: roadlaw_grammar::always(first, then, guard), span })
    }
}

/// The outcome by which a node counts as having happened.
fn passed(kind: &NodeKind) -> Outcome {
    match kind {
        NodeKind::Choose(_) => Outcome::Chosen,
        NodeKind::Reconcile => Outcome::KnownEffect,
        NodeKind::Review => Outcome::NewPlan,
        _ => Outcome::Ok,
    }
}
