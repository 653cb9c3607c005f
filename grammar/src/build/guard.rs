//! Guards, events, settings and tests.

use super::{Build, P, all, first, kids, of};
use crate::ast::*;
use crate::rules::Rule;
use crate::span::Spanned;

impl Build {
    pub(super) fn guard_in(&mut self, p: &P<'_>) -> Guard {
        let g = if p.as_rule() == Rule::guard { Some(p.clone()) } else { of(p, Rule::guard) };
        self.guard(&g.unwrap_or_else(|| p.clone()))
    }

    pub(super) fn guard(&mut self, p: &P<'_>) -> Guard {
        let mut parts: Vec<Guard> = all(p, Rule::conj).iter().map(|c| self.conj(c)).collect();
        if parts.len() == 1 {
            return parts.remove(0);
        }
        Guard { kind: Box::new(GuardKind::Or(parts)), span: self.unit(p) }
    }

    pub(super) fn conj(&mut self, p: &P<'_>) -> Guard {
        let mut parts: Vec<Guard> = all(p, Rule::atom).iter().map(|a| self.atom(a)).collect();
        if parts.len() == 1 {
            return parts.remove(0);
        }
        Guard { kind: Box::new(GuardKind::And(parts)), span: self.unit(p) }
    }

    pub(super) fn atom(&mut self, p: &P<'_>) -> Guard {
        let k = first(p);
        let kind = match k.as_rule() {
            Rule::negated => GuardKind::Not(self.atom(&of(&k, Rule::atom).unwrap_or_else(|| k.clone()))),
            Rule::paren => GuardKind::Paren(self.guard_in(&k)),
            _ => self.test_ref(&k),
        };
        Guard { kind: Box::new(kind), span: self.unit(p) }
    }

    pub(super) fn test_ref(&mut self, k: &P<'_>) -> GuardKind {
        let r = of(k, Rule::r#ref).map_or_else(|| self.reference(k), |r| self.reference(&r));
        let list = |b: &Self, p: &P<'_>| of(p, Rule::names).map(|n| b.words(&n)).unwrap_or_default();
        let Some(tail) = kids(k).into_iter().nth(1) else { return GuardKind::Ref(r) };
        match tail.as_rule() {
            Rule::in_names => GuardKind::In(r, list(self, &tail)),
            Rule::has => match kids(&tail).into_iter().next() {
                Some(a) if a.as_rule() == Rule::has_any => GuardKind::HasAny(r, list(self, &a)),
                Some(a) if a.as_rule() == Rule::has_all => GuardKind::HasAll(r, list(self, &a)),
                Some(w) => GuardKind::Has(r, self.word(&w)),
                None => GuardKind::Ref(r),
            },
            Rule::is_empty => GuardKind::Empty(r),
            Rule::is_unknown => GuardKind::IsUnknown(r),
            _ => {
                let op = of(&tail, Rule::cmp);
                let value = match op.as_ref().map(|o| o.as_str()) {
                    Some("<") => CmpOp::Lt,
                    Some("<=") => CmpOp::Le,
                    Some(">") => CmpOp::Gt,
                    Some(">=") => CmpOp::Ge,
                    Some("==") => CmpOp::Eq,
                    _ => CmpOp::Ne,
                };
                let op = Spanned { value, span: op.map_or_else(|| self.span(&tail), |o| self.span(&o)) };
                let right = self.value_in(&tail);
                let plus = of(&tail, Rule::sum).map_or(Spanned { value: 0, span: self.span(&tail) }, |s| {
                    let n = of(&s, Rule::int).map_or(Spanned { value: 0, span: self.span(&s) }, |i| self.int(&i));
                    let minus = of(&s, Rule::sign).is_some_and(|x| x.as_str() == "-");
                    Spanned { value: if minus { n.value.saturating_neg() } else { n.value }, span: n.span }
                });
                GuardKind::Compare { left: r, op, right, plus }
            }
        }
    }

    pub(super) fn reference(&self, p: &P<'_>) -> Ref {
        Ref {
            path: self.nth(p, Rule::path, 0),
            index: of(p, Rule::index).map(|i| self.nth(&i, Rule::word, 0)),
            span: self.unit(p),
        }
    }

    pub(super) fn event(&self, p: &P<'_>) -> Event {
        let words = all(p, Rule::word);
        Event {
            name: self.nth(p, Rule::word, 0),
            args: of(p, Rule::args).map(|a| self.words(&a)).unwrap_or_default(),
            outcome: words.get(1).map(|w| self.word(w)),
            span: self.unit(p),
        }
    }

    pub(super) fn setting_in(&mut self, p: &P<'_>) -> Setting {
        let k = of(p, Rule::setting).unwrap_or_else(|| p.clone());
        Setting {
            base: of(&k, Rule::path).map(|w| self.word(&w)),
            assigns: all(&k, Rule::assign).iter().map(|a| self.assign(&first(a))).collect(),
            span: self.unit(&k),
        }
    }

    pub(super) fn assign(&mut self, a: &P<'_>) -> Assign {
        let fact = of(a, Rule::r#ref).map_or_else(|| self.reference(a), |r| self.reference(&r));
        if a.as_rule() == Rule::assign_not {
            return Assign { fact, value: AssignValue::False };
        }
        let value = match kids(a).into_iter().nth(1) {
            None => AssignValue::True,
            Some(v) => match v.as_rule() {
                Rule::names => AssignValue::Set(self.words(&v)),
                Rule::empty_names => AssignValue::Set(Vec::new()),
                Rule::qty => AssignValue::Qty(self.qty(&v)),
                _ if v.as_str() == "unknown" => AssignValue::Unknown,
                _ => AssignValue::Word(self.word(&v)),
            },
        };
        Assign { fact, value }
    }

    pub(super) fn test(&mut self, p: &P<'_>) -> Test {
        let mut steps = Vec::new();
        match of(p, Rule::test_run) {
            Some(run) => {
                steps.extend(of(&run, Rule::expect).map(|e| (None, self.expect(&e))));
                for n in all(&run, Rule::test_next) {
                    if let Some(e) = of(&n, Rule::expect) {
                        steps.push((Some(self.nth(&n, Rule::word, 0)), self.expect(&e)));
                    }
                }
            }
            None => steps.extend(of(p, Rule::expect).map(|e| (None, self.expect(&e)))),
        }
        Test {
            name: of(p, Rule::text).map_or_else(|| self.word(p), |t| self.text(&t)),
            child: of(p, Rule::test_in).map(|t| self.nth(&t, Rule::word, 0)),
            setting: self.setting_in(p),
            steps,
            span: self.unit(p),
        }
    }

    pub(super) fn expect(&mut self, p: &P<'_>) -> Expect {
        let events = |b: &Self, r: Rule| {
            all(p, r).iter().map(|v| of(v, Rule::event).map_or_else(|| b.event(v), |e| b.event(&e))).collect()
        };
        Expect {
            place: self.place_in(p),
            via: events(self, Rule::via),
            without: events(self, Rule::without),
            because: of(p, Rule::because)
                .map(|b| {
                    all(&b, Rule::reason)
                        .iter()
                        .map(|r| (self.nth(r, Rule::word, 0), self.nth(r, Rule::word, 1)))
                        .collect()
                })
                .unwrap_or_default(),
        }
    }
}
