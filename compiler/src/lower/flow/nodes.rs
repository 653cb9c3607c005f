//! Nodes that places name: their roads, written or inferred, and whether the step is one of the road.

use super::build::{Arg, Flows};
use super::kinds::{self, Takes};
use crate::lower::{codes, names};
use crate::model::{NodeId, NodeKind, RoadId, Shape};
use roadlaw_grammar::ast;
use roadlaw_grammar::diagnostic::Diagnostic;
use roadlaw_grammar::span::Span;

impl Flows<'_, '_> {
    #[expect(clippy::too_many_arguments, reason = "the parts of one place")]
    pub(crate) fn node(
        &mut self,
        instance: usize,
        label: &str,
        word: &str,
        args: &[ast::Ident],
        variant: Option<&str>,
        span: Span,
        port_road: Option<RoadId>,
    ) -> Option<NodeId> {
        let takes = kinds::takes(word)?;
        let lane_road = self.instances[instance].road;
        let inferred = lane_road.or(port_road);
        let too_many = |me: &mut Self, at: &ast::Ident| {
            let e = Diagnostic::error(codes::STRUCTURE, at.span, format!("`{word}` does not take `{}`", at.value))
                .with_help("name one road, or nothing");
            me.l.d.push(e);
        };
        let mut fresh = false;
        let mut plain: Vec<&ast::Ident> = Vec::new();
        for a in args {
            let is_fresh = word == "decide" && a.value == "fresh";
            fresh |= is_fresh;
            if !is_fresh {
                plain.push(a);
            }
        }
        let (kind, road, key) = match takes {
            Takes::Road => {
                let road = match plain.as_slice() {
                    [] => inferred,
                    [one] => Some(self.road_arg(instance, one)?),
                    [_, extra, ..] => {
                        too_many(self, extra);
                        return None;
                    }
                };
                let Some(road) = road else {
                    let at = self.blame(instance, span);
                    let e = Diagnostic::error(codes::STRUCTURE, at, format!("`{word}` needs a road here"))
                        .with_help(format!("write `{word}(ROAD)`"));
                    self.l.d.push(e);
                    return None;
                };
                let at = self.blame(instance, span);
                self.check_shape(word, road, at)?;
                let mut key = vec![self.l.roads[road.index()].name.clone()];
                let kind = if word == "decide" {
                    if fresh {
                        key.push("fresh".into());
                    }
                    NodeKind::Decide { fresh }
                } else {
                    kinds::simple(word)?
                };
                (kind, Some(road), key)
            }
            Takes::MaybeRoad => {
                let (road, key) = match plain.as_slice() {
                    [] => (lane_road, Vec::new()),
                    [one] => {
                        let road = match self.instances[instance].args.get(&one.value) {
                            Some(Arg::Road(None)) => None,
                            _ => Some(self.road_arg(instance, one)?),
                        };
                        let key = match road {
                            Some(r) if lane_road != Some(r) => vec![self.l.roads[r.index()].name.clone()],
                            _ => Vec::new(),
                        };
                        (road, key)
                    }
                    [_, extra, ..] => {
                        too_many(self, extra);
                        return None;
                    }
                };
                (kinds::simple(word)?, road, key)
            }
            Takes::Wait => {
                let who = plain.first().map(|a| a.value.as_str());
                let kind = match who {
                    Some("user") => NodeKind::AwaitUser,
                    Some("external") => NodeKind::AwaitExternal,
                    _ => {
                        let mut e = Diagnostic::error(codes::STRUCTURE, span, "`await` says whom it waits for")
                            .with_help("write `await(user)` for a person, `await(external)` for a machine");
                        if let Some(c) = who.and_then(|w| names::closest(w, ["user", "external"])) {
                            e.help = Some(format!("did you mean `await({c})`?"));
                        }
                        self.l.d.push(e);
                        return None;
                    }
                };
                let road = match plain.get(1) {
                    Some(r) => Some(self.road_arg(instance, r)?),
                    None => inferred,
                };
                let Some(road) = road else {
                    let who = who.unwrap_or("user");
                    let at = self.blame(instance, span);
                    let e = Diagnostic::error(codes::STRUCTURE, at, "`await` needs a road here")
                        .with_help(format!("write `await({who}, ROAD)`"));
                    self.l.d.push(e);
                    return None;
                };
                (kind, Some(road), vec![who.unwrap_or_default().to_owned(), self.l.roads[road.index()].name.clone()])
            }
            Takes::Effect => match plain.as_slice() {
                [one] => (NodeKind::Effect(one.value.clone()), lane_road, vec![one.value.clone()]),
                _ => {
                    let e = Diagnostic::error(codes::STRUCTURE, span, "an effect has one name")
                        .with_help("write `effect(publish)`");
                    self.l.d.push(e);
                    return None;
                }
            },
            Takes::Nothing => {
                if let Some(extra) = plain.first() {
                    too_many(self, extra);
                }
                (NodeKind::Own(label.to_owned()), lane_road, Vec::new())
            }
        };
        Some(self.add_node(instance, label, word, kind, road, key, variant.map(str::to_owned), span))
    }

    /// The author's text for a place: inside a shipped lane, where the lane is used.
    pub(crate) fn blame(&self, instance: usize, span: Span) -> Span {
        let shipped = &self.l.scope.shipped_files;
        let all = std::iter::once(&span).chain(&self.instances[instance].uses);
        all.copied().find(|s| !shipped.contains(&s.file)).unwrap_or(span)
    }

    /// Steps that a road of this shape does not have.
    fn check_shape(&mut self, word: &str, road: RoadId, span: Span) -> Option<()> {
        let r = &self.l.roads[road.index()];
        let wrong = match (word, r.shape) {
            ("send", Shape::Local) => Some("a local road is called: write `call`"),
            ("send", Shape::Human) => Some("a person is asked: write `await(user)`"),
            ("call", Shape::Local) => None,
            ("call", _) => Some("only a local road is called: write `send`"),
            ("egress", Shape::Local | Shape::Human | Shape::CodingLocal) => Some("nothing leaves by this road"),
            ("minimize" | "cut" | "verify", Shape::Local) => Some("nothing leaves by this road"),
            (_, Shape::Choice) => Some("an option only leads to a place: nothing is done by this policy"),
            _ => None,
        };
        let Some(help) = wrong else { return Some(()) };
        let e = Diagnostic::error(
            codes::WRONG_TYPE,
            span,
            format!("`{word}` is no step of `{}`, a {} road", r.name, r.shape.word()),
        )
        .with_label(r.span, "the road")
        .with_help(help);
        self.l.d.push(e);
        None
    }
}
