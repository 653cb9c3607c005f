//! Places and events of tests and claims, as the nodes they mean.

use super::flow::Flows;
use super::flow::kinds::{self, Takes};
use super::{codes, names};
use crate::model::{FlowId, NodeId, NodeKind, Stop};
use roadlaw_grammar::ast;
use roadlaw_grammar::diagnostic::Diagnostic;
use roadlaw_grammar::span::Span;

impl Flows<'_, '_> {
    /// Nodes that a word and its arguments mean, in one flow or in all; `None` if the word means nothing.
    pub(crate) fn nodes_named(
        &mut self,
        name: &str,
        args: &[ast::Ident],
        span: Span,
        flow: Option<FlowId>,
    ) -> Option<Vec<NodeId>> {
        let takes = kinds::takes(name).filter(|_| name != "own");
        let stop = kinds::stop(name);
        let special = ["start", "return", "choose"].contains(&name);
        let declared = self.info.iter().any(|i| i.label == name && i.word != name)
            || self.bodies.iter().any(|b| b.nodes.contains_key(name) || b.chooses.contains_key(name));
        if takes.is_none() && stop.is_none() && !special && !declared {
            let labels = self.info.iter().map(|i| i.label.as_str());
            let stops = Stop::ALL.iter().map(|s| s.word());
            let mut e = Diagnostic::error(codes::UNKNOWN_NAME, span, format!("no node is called `{name}`"));
            e.help = names::closest(name, labels.chain(kinds::words()).chain(stops))
                .map(|c| format!("did you mean `{c}`?"))
                .or_else(|| {
                    let lane = name == "run" || self.l.scope.lanes.names().any(|l| l == name);
                    lane.then(|| "a lane is no node: name a step of it, `send(ROAD)` or `validate`".to_owned())
                });
            self.l.d.push(e);
            return None;
        }
        // Arguments that name roads must name roads that exist.
        let mut road = None;
        let mut word: Option<&str> = None;
        for (i, a) in args.iter().enumerate() {
            let names_road = match takes {
                Some(Takes::Wait) => i == 1,
                Some(Takes::Effect) => false,
                Some(_) => a.value != "fresh",
                None => stop.is_none() && name != "return",
            };
            if !names_road {
                word = Some(&a.value);
            } else if a.value != "any" {
                road = Some(self.l.road_named(a, None)?);
            }
        }
        if takes == Some(Takes::Wait) && word.is_some_and(|w| !["user", "external", "any"].contains(&w)) {
            let e = Diagnostic::error(codes::STRUCTURE, span, "`await` waits for `user` or `external`")
                .with_help("write `await(user)` or `await(external)`");
            self.l.d.push(e);
            return None;
        }
        let mut out = Vec::new();
        for (i, n) in self.nodes.iter().enumerate() {
            if flow.is_some_and(|f| f != n.flow) {
                continue;
            }
            let label = &self.info[i].label;
            let own_word = self.info[i].word.as_str();
            let fits = *label == name || (own_word == name && own_word != "own");
            if !fits || road.is_some_and(|r| n.road != Some(r)) {
                continue;
            }
            let word_fits = match (&n.kind, word) {
                (_, None) => true,
                (NodeKind::AwaitUser, Some(w)) => w == "user" || w == "any",
                (NodeKind::AwaitExternal, Some(w)) => w == "external" || w == "any",
                (NodeKind::Effect(e), Some(w)) => w == e || w == "any",
                (NodeKind::Stop(_, reason) | NodeKind::Return(reason), Some(w)) => w == reason,
                (NodeKind::Decide { fresh }, Some("fresh")) => *fresh,
                (_, Some(_)) => false,
            };
            if word_fits {
                out.push(NodeId(u32::try_from(i).unwrap_or(u32::MAX)));
            }
        }
        Some(out)
    }

    /// A name with its arguments, as written.
    pub(crate) fn shown(name: &str, args: &[ast::Ident]) -> String {
        if args.is_empty() {
            return name.to_owned();
        }
        let args: Vec<&str> = args.iter().map(|a| a.value.as_str()).collect();
        format!("{name}({})", args.join(", "))
    }
}
