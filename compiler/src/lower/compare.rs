//! Comparisons: of facts with values and with each other, of ceilings, of what a target says.

use super::facts::{self, Source};
use super::guards::{Context, Decl, Meaning, Number, Reads, holds, truth};
use super::{Const, Lowering, codes, names};
use crate::laws::catalogue::profiles::runs;
use crate::model::{Guard, Index, Type};
use roadlaw_grammar::ast::{self, CmpOp};
use roadlaw_grammar::diagnostic::Diagnostic;
use roadlaw_grammar::span::Span;

impl Lowering<'_> {
    /// A word, or the word that a constant stands for.
    pub(crate) fn word_or_const(&self, w: &str) -> String {
        match self.consts.get(w) {
            Some(Const::Word(word)) => word.clone(),
            _ => w.to_owned(),
        }
    }

    pub(crate) fn group_of(&mut self, span: Span, cx: Context<'_>) -> Option<String> {
        let Some(road) = cx.road else { return self.no_context("role", "road", span) };
        Some(if self.roads[road.index()].reviewer.is_some() { "reviewer".into() } else { "worker".into() })
    }

    /// The text of a target's attribute, which must be verified to decide anything (RL004).
    pub(crate) fn target_attribute(&mut self, attr: &str, r: &ast::Ref, cx: Context<'_>) -> Option<String> {
        let span = r.span.span;
        let Some(road) = cx.road else { return self.no_context(&r.path.value, "road", span) };
        let Some(target) = self.roads[road.index()].target else {
            self.d.push(
                Diagnostic::error(
                    codes::WRONG_TYPE,
                    span,
                    format!(
                        "`{}` is read for road `{}`, which has no target",
                        r.path.value,
                        self.roads[road.index()].name
                    ),
                )
                .with_label(self.roads[road.index()].span, "this road")
                .with_help("read a target's attributes only for roads that have one"),
            );
            return None;
        };
        let t = &self.targets[target.index()];
        let Some(actual) = t.attributes.get(attr).cloned() else {
            let mut e = Diagnostic::error(codes::UNKNOWN_NAME, span, format!("target `{}` says no `{attr}`", t.name))
                .with_label(t.span, "this target");
            e.help = names::closest(attr, t.attributes.keys().map(String::as_str))
                .map(|c| format!("did you mean `target.{c}`?"))
                .or_else(|| Some("name an attribute that every target here has".into()));
            if self.told.insert((codes::UNKNOWN_NAME, span)) {
                self.d.push(e);
            }
            return None;
        };
        if attr == "provider" && cx.reads != Reads::Claim && runs(self.profile, "RL406") {
            // Whether it decides anything is proved (RL406), and then it is no question of evidence.
            self.reads_provider = true;
            return Some(actual);
        }
        if attr != "evidence" && !t.verified && self.told.insert(("RL004", span)) {
            self.d.push(
                Diagnostic::error(
                    "RL004",
                    span,
                    format!("`target.{attr}` decides here, and the evidence of target `{}` is not verified", t.name),
                )
                .with_label(t.span, "its attributes are only asserted")
                .with_help("have the attribute verified and write `evidence verified`, or do not decide by it"),
            );
        }
        Some(actual)
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one comparison")]
    pub(crate) fn compare(
        &mut self,
        left: &ast::Ref,
        op: CmpOp,
        right: &ast::Value,
        plus: i64,
        span: Span,
        cx: Context<'_>,
        positive: bool,
    ) -> Guard {
        let Some(meaning) = self.look_up(left, cx) else { return Guard::False };
        match meaning {
            Meaning::Decls(_) | Meaning::Counter(_) => self.each_cell(left, cx, positive, |me, f, ty, _| match ty {
                Type::Set(_) => {
                    let what = format!("`{}` is a set, and a set has no comparison", left.path.value);
                    Some(me.wrong(span, what, "write `has`, `has any`, `has all` or `empty`"))
                }
                ty => me.compare_cell(f, ty, op, right, plus, span, cx),
            }),
            Meaning::Const(Const::Number(value)) => {
                self.compare_number(Number { value, time: false }, op, right, plus, span, cx)
            }
            Meaning::Const(Const::Word(_)) => self.wrong(
                left.span.span,
                format!("`{}` is a constant word", left.path.value),
                "put a fact on the left",
            ),
            Meaning::Limit(name) => match self.limit(&name, left.span.span, cx) {
                Some(n) => self.compare_number(n, op, right, plus, span, cx),
                None => Guard::False,
            },
            Meaning::Target(attr) => self.compare_attribute(&attr, left, op, right, plus, span, cx),
            Meaning::Derived("role") => {
                let Some(actual) = self.group_of(span, cx) else { return Guard::False };
                self.compare_words(&actual, op, right, plus, span)
            }
            Meaning::Derived(d) => {
                let Some(v) = self.derived(d, span, cx) else { return Guard::False };
                self.compare_words(if v { "true" } else { "false" }, op, right, plus, span)
            }
            Meaning::Floor => {
                self.wrong(span, "`floor` stands on the right of a comparison".into(), "write `assurance >= floor`")
            }
        }
    }

    fn compare_words(&mut self, actual: &str, op: CmpOp, right: &ast::Value, plus: i64, span: Span) -> Guard {
        let ast::Value::Path(word) = right else {
            return self.wrong(span, format!("`{actual}` is a word and is compared with a number"), "write a word");
        };
        let same = self.word_or_const(&word.value) == actual;
        match op {
            _ if plus != 0 => self.wrong(span, "nothing can be added to a word".into(), "drop the sum"),
            CmpOp::Eq => truth(same),
            CmpOp::Ne => truth(!same),
            _ => self.wrong(span, "words have no order".into(), "write `==`, `!=` or `in { .. }`"),
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one comparison")]
    fn compare_attribute(
        &mut self,
        attr: &str,
        left: &ast::Ref,
        op: CmpOp,
        right: &ast::Value,
        plus: i64,
        span: Span,
        cx: Context<'_>,
    ) -> Guard {
        if attr == "cut_required" {
            let v = self.truth(left, cx, true);
            return self.compare_words(if v == Guard::True { "true" } else { "false" }, op, right, plus, span);
        }
        if attr == "evidence" {
            let road = cx.road.and_then(|r| self.roads[r.index()].target);
            let Some(target) = road else {
                let _: Option<()> = self.no_context("target.evidence", "target", span);
                return Guard::False;
            };
            let ast::Value::Path(word) = right else {
                return self.wrong(span, "evidence is a word".into(), "write `asserted` or `verified`");
            };
            let order = ["asserted", "verified"];
            let Some(want) = order.iter().position(|w| *w == word.value) else {
                let mut e = Diagnostic::error(
                    codes::OUT_OF_DOMAIN,
                    word.span,
                    format!("`{}` is no evidence of a target", word.value),
                );
                e.help = names::hint(&word.value, order);
                self.d.push(e);
                return Guard::False;
            };
            let have = usize::from(self.targets[target.index()].verified);
            return truth(holds(op, have.cmp(&want)));
        }
        let Some(actual) = self.target_attribute(attr, left, cx) else { return Guard::False };
        match (self.any_provider(attr, &actual, cx), right, op) {
            (Some(cell), ast::Value::Path(word), CmpOp::Eq | CmpOp::Ne) => {
                let is = Guard::In(cell, vec![self.provider_named(&word.value)]);
                if op == CmpOp::Eq { is } else { is.negated() }
            }
            _ => self.compare_words(&actual, op, right, plus, span),
        }
    }

    /// The cell that stands for the name of the road's provider, where names are not fixed.
    pub(crate) fn any_provider(&mut self, attr: &str, actual: &str, cx: Context<'_>) -> Option<crate::model::FactId> {
        self.providers.as_ref().filter(|_| attr == "provider")?;
        self.provider_named(actual);
        let target = self.roads[cx.road?.index()].target?;
        Some(self.cells.make(Source::Provider, Some(Index::Target(target))))
    }

    /// The value that stands for a name of a provider.
    pub(crate) fn provider_named(&mut self, word: &str) -> i64 {
        let word = self.word_or_const(word);
        let names = self.providers.get_or_insert_default();
        let at = names.iter().position(|n| *n == word).unwrap_or_else(|| {
            names.push(word);
            names.len() - 1
        });
        i64::try_from(at).unwrap_or(i64::MAX)
    }

    /// A ceiling of the road.
    pub(crate) fn limit(&mut self, name: &str, span: Span, cx: Context<'_>) -> Option<Number> {
        let Some(road) = cx.road else { return self.no_context(&format!("limits.{name}"), "road", span) };
        let r = &self.roads[road.index()];
        let Some(value) = super::limits::read(&r.ceilings, name) else {
            let mut e = Diagnostic::error(codes::UNKNOWN_NAME, span, format!("there is no ceiling called `{name}`"));
            e.help = names::hint(name, super::limits::NAMES.iter().copied());
            self.d.push(e);
            return None;
        };
        let Some(value) = value else {
            self.d.push(
                Diagnostic::error(codes::DECLARATION, span, format!("road `{}` writes no `{name}`", r.name))
                    .with_label(r.span, "this road")
                    .with_help(format!("write `{name}` in its limits")),
            );
            return None;
        };
        Some(Number { value, time: name == "deadline" })
    }

    /// The right side of a comparison with a number: a number, or an int cell with its bounds.
    fn number_or_cell(
        &mut self,
        right: &ast::Value,
        cx: Context<'_>,
    ) -> Option<Result<Number, (crate::model::FactId, i32, i32)>> {
        match right {
            ast::Value::Qty(q) => Some(Ok(match q.value.unit {
                None | Some(ast::Unit::Cents) => Number { value: q.value.number, time: false },
                Some(_) => Number { value: super::limits::millis(q.value), time: true },
            })),
            ast::Value::Path(p) => {
                let shipped = self.scope.shipped_files.contains(&p.span.file);
                let Some(meaning) = self.meaning(&p.value, shipped) else {
                    self.unknown_value(&p.value, p.span);
                    return None;
                };
                match meaning {
                    Meaning::Const(Const::Number(value)) => Some(Ok(Number { value, time: false })),
                    Meaning::Limit(name) => self.limit(&name, p.span, cx).map(Ok),
                    Meaning::Counter(i) => {
                        let id = self.cells.make(Source::Counter(i), None);
                        self.work.reads.push((id, p.span));
                        let hi = i32::try_from(self.scope.counters.entries[i].value.0).unwrap_or(i32::MAX).max(0);
                        Some(Err((id, 0, hi)))
                    }
                    Meaning::Decls(decls) => {
                        let int = match decls.as_slice() {
                            [Decl::Fact(i)] => match self.scope.facts.entries[*i].value.ty {
                                Type::Int { lo, hi } => Some((*i, lo, hi)),
                                _ => None,
                            },
                            _ => None,
                        };
                        let Some((i, lo, hi)) = int else {
                            self.wrong(
                                p.span,
                                format!("`{}` is no int fact", p.value),
                                "compare with a number or an int fact",
                            );
                            return None;
                        };
                        let r = ast::Ref {
                            path: p.clone(),
                            index: None,
                            span: roadlaw_grammar::span::Spanned { value: (), span: p.span },
                        };
                        self.cell(i, &r, cx).map(|id| Err((id, lo, hi)))
                    }
                    _ => {
                        self.wrong(
                            p.span,
                            format!("`{}` is no number", p.value),
                            "compare with a number or an int fact",
                        );
                        None
                    }
                }
            }
        }
    }

    fn compare_number(
        &mut self,
        left: Number,
        op: CmpOp,
        right: &ast::Value,
        plus: i64,
        span: Span,
        cx: Context<'_>,
    ) -> Guard {
        match self.number_or_cell(right, cx) {
            None => Guard::False,
            Some(Ok(n)) => {
                if n.time != left.time {
                    return self.wrong(
                        span,
                        "a time is compared with a number that is none".into(),
                        "write a unit, `30s`",
                    );
                }
                truth(holds(op, left.value.cmp(&n.value.saturating_add(plus))))
            }
            Some(Err((f, lo, hi))) => {
                if left.time {
                    return self.wrong(span, "a time is compared with a fact".into(), "compare it with a time, `30s`");
                }
                // n op f + plus  is  f flipped-op n - plus
                let flipped = match op {
                    CmpOp::Lt => CmpOp::Gt,
                    CmpOp::Le => CmpOp::Ge,
                    CmpOp::Gt => CmpOp::Lt,
                    CmpOp::Ge => CmpOp::Le,
                    other => other,
                };
                self.int_range(f, (lo, hi), flipped, left.value.saturating_sub(plus), span)
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one comparison")]
    fn compare_cell(
        &mut self,
        f: crate::model::FactId,
        ty: &Type,
        op: CmpOp,
        right: &ast::Value,
        plus: i64,
        span: Span,
        cx: Context<'_>,
    ) -> Option<Guard> {
        match ty {
            Type::Int { lo, hi } => match self.number_or_cell(right, cx)? {
                Ok(n) if n.time => {
                    Some(self.wrong(span, "a fact is compared with a time".into(), "write a plain number"))
                }
                Ok(n) => Some(self.int_range(f, (*lo, *hi), op, n.value.saturating_add(plus), span)),
                Err((other, ..)) => {
                    let Ok(plus) = i32::try_from(plus) else {
                        self.d.push(Diagnostic::error(codes::LIMIT, span, "the sum does not fit in 32 bits"));
                        return None;
                    };
                    if other == f {
                        return Some(self.wrong(
                            span,
                            "a fact is compared with itself".into(),
                            "compare two different facts",
                        ));
                    }
                    self.int_pair(f, op, other, plus, span)
                }
            },
            // The caller, who knows the name, refused it.
            Type::Set(_) => None,
            Type::Bool | Type::Enum(_) | Type::Level(_) => {
                let ast::Value::Path(p) = right else {
                    let what = format!("a number is compared with a {}", facts::describe(ty));
                    return Some(self.wrong(span, what, "write one of its values"));
                };
                if plus != 0 {
                    return Some(self.wrong(span, "nothing can be added to a word".into(), "drop the sum"));
                }
                let word = self.level_word(p, ty, cx)?;
                let value = facts::word(&word, p.span, ty, &mut self.d)?;
                let n = match ty {
                    Type::Enum(w) | Type::Level(w) => i64::try_from(w.len()).unwrap_or(0),
                    _ => 2,
                };
                if !matches!(op, CmpOp::Eq | CmpOp::Ne) && !matches!(ty, Type::Level(_)) {
                    let what = format!("a {} has no order", facts::describe(ty));
                    return Some(self.wrong(span, what, "write `==`, `!=` or `in { .. }`"));
                }
                if op == CmpOp::Ne {
                    return Some(Guard::In(f, vec![value]).negated());
                }
                let values: Vec<i64> = (0..n).filter(|v| holds(op, v.cmp(&value))).collect();
                if values.is_empty() || values.len() == usize::try_from(n).unwrap_or(0) {
                    self.constant(span, !values.is_empty());
                }
                Some(if values.is_empty() { Guard::False } else { Guard::In(f, values) })
            }
        }
    }

    /// The word on the right of a comparison with a level: `floor` is that of the road's group.
    fn level_word(&mut self, p: &ast::Path, ty: &Type, cx: Context<'_>) -> Option<String> {
        let own = matches!(ty, Type::Level(w) | Type::Enum(w) if w.contains(&p.value));
        if own || p.value != "floor" {
            return Some(self.word_or_const(&p.value));
        }
        let floor = cx.road.and_then(|r| self.floors.get(&r).cloned());
        if floor.is_none() {
            self.d.push(
                Diagnostic::error(
                    codes::WRONG_TYPE,
                    p.span,
                    "`floor` is read for a road that stands in no `role reviewer`",
                )
                .with_help("put the road into `role reviewer floor .. { .. }`, or drop the reviewer filters"),
            );
        }
        floor
    }

    fn int_range(&mut self, f: crate::model::FactId, (lo, hi): (i32, i32), op: CmpOp, c: i64, span: Span) -> Guard {
        let (l, h) = (i64::from(lo), i64::from(hi));
        let (a, b) = match op {
            CmpOp::Lt => (l, c.saturating_sub(1)),
            CmpOp::Le => (l, c),
            CmpOp::Gt => (c.saturating_add(1), h),
            CmpOp::Ge => (c, h),
            CmpOp::Eq | CmpOp::Ne => (c, c),
        };
        if matches!(op, CmpOp::Eq | CmpOp::Ne) && (c < l || c > h) {
            self.d.push(
                Diagnostic::error(codes::OUT_OF_DOMAIN, span, format!("{c} lies outside {lo}..{hi}"))
                    .with_help("compare with a value of the fact's range"),
            );
            return Guard::False;
        }
        let (a, b) = (a.max(l), b.min(h));
        if a > b {
            self.constant(span, false);
            return Guard::False;
        }
        if a == l && b == h && !matches!(op, CmpOp::Eq | CmpOp::Ne) {
            self.constant(span, true);
        }
        let (Ok(a), Ok(b)) = (i32::try_from(a), i32::try_from(b)) else { return Guard::False };
        let range = Guard::Range(f, a, b);
        if op == CmpOp::Ne { range.negated() } else { range }
    }

    fn int_pair(
        &mut self,
        f: crate::model::FactId,
        op: CmpOp,
        g: crate::model::FactId,
        plus: i32,
        span: Span,
    ) -> Option<Guard> {
        // INVARIANT: `Diff` is `left <= right + plus`.
        let le = |left, right, plus: Option<i32>| plus.map(|plus| Guard::Diff { left, right, plus });
        let minus = plus.checked_neg();
        let out = match op {
            CmpOp::Le => le(f, g, Some(plus)),
            CmpOp::Lt => le(f, g, plus.checked_sub(1)),
            CmpOp::Ge => le(g, f, minus),
            CmpOp::Gt => le(g, f, minus.and_then(|m| m.checked_sub(1))),
            CmpOp::Eq | CmpOp::Ne => match (le(f, g, Some(plus)), le(g, f, minus)) {
                (Some(a), Some(b)) => {
                    let both = Guard::and([a, b]);
                    Some(if op == CmpOp::Ne { both.negated() } else { both })
                }
                _ => None,
            },
        };
        if out.is_none() {
            self.d.push(Diagnostic::error(codes::LIMIT, span, "the sum does not fit in 32 bits"));
        }
        out
    }

    pub(crate) fn constant(&mut self, span: Span, value: bool) {
        if !self.scope.shipped_files.contains(&span.file) {
            let always = if value { "every" } else { "no" };
            self.d.push(Diagnostic::note(
                codes::CONSTANT_GUARD,
                span,
                format!("the comparison holds for {always} value of the fact"),
            ));
        }
    }
}
