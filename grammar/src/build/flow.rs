//! Lanes and the steps of flows.

use super::{Build, P, all, first, kids, of};
use crate::ast::*;
use crate::code;
use crate::diagnostic::Diagnostic;
use crate::rules::Rule;
use crate::span::Spanned;

impl Build {
    pub(super) fn param(&self, p: &P<'_>) -> Param {
        let kind = kids(p).into_iter().nth(1);
        Param {
            name: self.nth(p, Rule::word, 0),
            kind: match kind {
                Some(k) if k.as_rule() == Rule::p_road => ParamKind::Road(self.nth(&k, Rule::word, 0)),
                Some(k) if k.as_rule() == Rule::p_counter => ParamKind::Counter,
                _ => ParamKind::Place,
            },
        }
    }

    pub(super) fn steps(&mut self, p: &P<'_>) -> Vec<Step> {
        all(p, Rule::step).iter().map(|s| self.step(&first(s))).collect()
    }

    pub(super) fn step(&mut self, s: &P<'_>) -> Step {
        match s.as_rule() {
            Rule::node => Step::Node {
                name: self.nth(s, Rule::word, 0),
                kind: self.nth(s, Rule::word, 1),
                args: of(s, Rule::args).map(|a| self.words(&a)).unwrap_or_default(),
                role: of(s, Rule::role).map(|r| self.nth(&r, Rule::word, 0)),
            },
            Rule::choose => Step::Choose(self.choose(s)),
            _ => Step::Edge(self.edge(s)),
        }
    }

    pub(super) fn choose(&self, s: &P<'_>) -> Choose {
        let rank = match (of(s, Rule::choose_in), of(s, Rule::choose_by)) {
            (Some(i), _) => Rank::One(self.order(&first(&i))),
            (None, Some(b)) => Rank::By {
                fact: self.nth(&b, Rule::word, 0),
                profiles: all(&b, Rule::profile)
                    .iter()
                    .map(|p| {
                        let o = kids(p).into_iter().nth(1).unwrap_or_else(|| p.clone());
                        (self.nth(p, Rule::word, 0), self.order(&o))
                    })
                    .collect(),
            },
            (None, None) => Rank::One(Order::Static { roads: Vec::new(), without: Vec::new(), span: self.unit(s) }),
        };
        Choose {
            name: of(s, Rule::word).map(|w| self.word(&w)),
            candidates: of(s, Rule::names).map(|n| self.words(&n)).unwrap_or_default(),
            rank,
            each: of(s, Rule::each).map(|e| self.nth(&e, Rule::path, 0)),
            span: self.unit(s),
        }
    }

    pub(super) fn order(&self, o: &P<'_>) -> Order {
        if o.as_rule() == Rule::keys {
            return Order::Keys { keys: self.words(o), span: self.unit(o) };
        }
        let list = |r: Rule| of(o, r).map(|l| self.words(&l)).unwrap_or_default();
        Order::Static { roads: list(Rule::order_list), without: list(Rule::order_without), span: self.unit(o) }
    }

    pub(super) fn edge(&mut self, s: &P<'_>) -> Edge {
        let from = of(s, Rule::ports)
            .map(|ps| all(&ps, Rule::port).iter().map(|p| self.port(p)).collect())
            .unwrap_or_default();
        let cond = match (self.when(s), of(s, Rule::port_else)) {
            (Some(g), _) => Cond::When(g),
            (None, Some(_)) => Cond::Else,
            (None, None) => Cond::None,
        };
        let hops = all(s, Rule::hop)
            .iter()
            .map(|h| {
                let arrow = of(h, Rule::arrow);
                let kind = match arrow.as_ref().map(|a| a.as_str()) {
                    Some("-loop->") => HopKind::Loop,
                    Some("-retry->") => HopKind::Retry,
                    Some("-redirect->") => HopKind::Redirect,
                    Some("-fallback->") => HopKind::Fallback,
                    Some("-redeliver->") => HopKind::Redeliver,
                    Some("-resume->") => HopKind::Resume,
                    _ => HopKind::Next,
                };
                let span = arrow.map_or_else(|| self.span(h), |a| self.span(&a));
                Hop { kind: Spanned { value: kind, span }, place: self.place_in(h) }
            })
            .collect();
        for (rule, word) in [(Rule::changes, "changes"), (Rule::takes, "takes")] {
            if let Some(second) = all(s, rule).get(1) {
                self.errors.push(Diagnostic::error(
                    code::TWICE,
                    self.span(second),
                    format!("`{word}` is written twice on one edge"),
                ));
            }
        }
        Edge {
            from,
            cond,
            hops,
            changes: of(s, Rule::changes).map(|c| match of(&c, Rule::names) {
                Some(n) => Changes::Words(self.words(&n), self.unit(&c)),
                None => Changes::Hole(self.unit(&c)),
            }),
            takes: of(s, Rule::takes).map(|t| self.nth(&t, Rule::word, 0)),
            span: self.unit(s),
        }
    }

    pub(super) fn port(&self, p: &P<'_>) -> Port {
        let words = all(p, Rule::word);
        Port {
            name: self.nth(p, Rule::word, 0),
            args: of(p, Rule::args).map(|a| self.words(&a)).unwrap_or_default(),
            outcome: words.get(1).map(|w| self.word(w)),
            span: self.unit(p),
        }
    }

    pub(super) fn place_in(&self, p: &P<'_>) -> Place {
        let k = of(p, Rule::place).unwrap_or_else(|| p.clone());
        Place {
            name: self.nth(&k, Rule::path, 0),
            args: of(&k, Rule::args).map(|a| self.words(&a)).unwrap_or_default(),
            optional: of(&k, Rule::optional).is_some(),
            alias: of(&k, Rule::word).map(|w| self.word(&w)),
            span: self.unit(&k),
        }
    }
}
