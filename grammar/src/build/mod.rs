//! Pairs of the grammar to the syntax tree: files and items.
//!
//! Takes pairs that the grammar matched, so every part that the grammar demands is there; the fall-backs below only keep
//! the code total. What the grammar cannot say (too large numbers, a word written twice) is reported here.

mod flow;
mod guard;
mod road;

use crate::ast::*;
use crate::code;
use crate::diagnostic::Diagnostic;
use crate::rules::{Rule, is_fixed};
use crate::span::{FileId, Span, Spanned};
use pest::iterators::Pair;

/// Builds the tree of one file, or of one item of it.
pub(crate) struct Build {
    file: FileId,
    /// Where the parsed text begins in its file.
    base: usize,
    /// Faults that the grammar cannot see.
    pub(crate) errors: Vec<Diagnostic>,
}

type P<'a> = Pair<'a, Rule>;

fn at32(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// Children of a pair without keywords and punctuation.
fn kids<'a>(p: &P<'a>) -> Vec<P<'a>> {
    p.clone().into_inner().filter(|k| !is_fixed(k.as_rule())).collect()
}

fn first<'a>(p: &P<'a>) -> P<'a> {
    kids(p).into_iter().next().unwrap_or_else(|| p.clone())
}

fn of<'a>(p: &P<'a>, r: Rule) -> Option<P<'a>> {
    kids(p).into_iter().find(|k| k.as_rule() == r)
}

fn all<'a>(p: &P<'a>, r: Rule) -> Vec<P<'a>> {
    kids(p).into_iter().filter(|k| k.as_rule() == r).collect()
}

impl Build {
    pub(crate) fn new(file: FileId, base: usize) -> Self {
        Self { file, base, errors: Vec::new() }
    }

    fn span(&self, p: &P<'_>) -> Span {
        // A pair of a rule that ends in something optional reaches over the blanks and comments before what is not
        // there; its last token does not.
        let mut last = p.clone();
        while last.as_rule() != Rule::text {
            let Some(inner) = last.clone().into_inner().next_back() else { break };
            last = inner;
        }
        let start = self.base + p.as_span().start();
        Span::new(self.file, at32(start), at32((self.base + last.as_span().end()).max(start)))
    }

    fn unit(&self, p: &P<'_>) -> Spanned<()> {
        Spanned { value: (), span: self.span(p) }
    }

    fn word(&self, p: &P<'_>) -> Ident {
        Spanned { value: p.as_str().to_owned(), span: self.span(p) }
    }

    fn nth(&self, p: &P<'_>, rule: Rule, n: usize) -> Ident {
        all(p, rule).get(n).map_or_else(|| self.word(p), |k| self.word(k))
    }

    fn words(&self, p: &P<'_>) -> Vec<Ident> {
        all(p, Rule::word).iter().map(|w| self.word(w)).collect()
    }

    fn docs(&self, p: &P<'_>) -> Vec<String> {
        all(p, Rule::doc)
            .iter()
            .map(|d| {
                let t = d.as_str().strip_prefix("///").unwrap_or("");
                t.strip_prefix(' ').unwrap_or(t).trim_end().to_owned()
            })
            .collect()
    }

    fn int(&mut self, p: &P<'_>) -> Spanned<i64> {
        let digits: String = p.as_str().chars().filter(|c| *c != '_').collect();
        let span = self.span(p);
        let value = digits.trim().parse().unwrap_or_else(|_| {
            self.errors.push(
                Diagnostic::error(code::NUMBER, span, format!("`{}` is too large a number", p.as_str()))
                    .with_help("numbers of a policy lie within 32 bits"),
            );
            0
        });
        Spanned { value, span }
    }

    fn qty(&mut self, p: &P<'_>) -> Spanned<Qty> {
        let number = of(p, Rule::int).map_or(0, |i| self.int(&i).value);
        let unit = of(p, Rule::unit).and_then(|u| match u.as_str() {
            "ms" => Some(Unit::Ms),
            "s" => Some(Unit::S),
            "m" => Some(Unit::M),
            "h" => Some(Unit::H),
            "d" => Some(Unit::D),
            "cents" => Some(Unit::Cents),
            _ => None,
        });
        Spanned { value: Qty { number, unit }, span: self.span(p) }
    }

    fn text(&self, p: &P<'_>) -> Spanned<String> {
        Spanned { value: first(p).as_str().to_owned(), span: self.span(p) }
    }

    /// The tree of a whole file.
    pub(crate) fn file(&mut self, p: P<'_>) -> File {
        let edition = of(&p, Rule::edition)
            .and_then(|e| of(&e, Rule::int))
            .map_or(Spanned { value: 0, span: Span::new(self.file, 0, 0) }, |i| self.int(&i));
        if edition.value != 1 {
            self.errors.push(
                Diagnostic::error(code::EDITION, edition.span, format!("edition {} is not known", edition.value))
                    .with_help("write `edition 1`"),
            );
        }
        let head = of(&p, Rule::head).map(|h| first(&h));
        let head = match head {
            Some(h) if h.as_rule() == Rule::policy_head => Head::Policy {
                name: self.nth(&h, Rule::path, 0),
                version: of(&h, Rule::int).map_or(Spanned { value: 0, span: self.span(&h) }, |i| self.int(&i)),
                profile: of(&h, Rule::word).map(|w| self.word(&w)),
            },
            Some(h) => Head::Library { name: self.nth(&h, Rule::path, 0) },
            None => Head::Library { name: self.word(&p) },
        };
        File {
            edition,
            uses: all(&p, Rule::use_item).iter().map(|u| self.use_item(u)).collect(),
            docs: self.docs(&p),
            head,
            items: all(&p, Rule::item).iter().map(|i| self.item(i)).collect(),
        }
    }

    /// The one item of a text that is nothing else.
    pub(crate) fn one_item(&mut self, p: &P<'_>) {
        if let Some(i) = of(p, Rule::item) {
            self.item(&i);
        }
    }

    fn use_item(&self, p: &P<'_>) -> Use {
        Use { path: self.nth(p, Rule::path, 0), alias: of(p, Rule::word).map(|w| self.word(&w)), span: self.unit(p) }
    }

    fn item(&mut self, p: &P<'_>) -> Item {
        let docs = self.docs(p);
        let inner = kids(p).into_iter().find(|k| k.as_rule() != Rule::doc).unwrap_or_else(|| p.clone());
        let kind = match inner.as_rule() {
            Rule::use_item => ItemKind::Use(self.use_item(&inner)),
            Rule::pins => ItemKind::Pins(
                all(&inner, Rule::pin)
                    .iter()
                    .map(|k| {
                        (self.nth(k, Rule::word, 0), of(k, Rule::text).map_or_else(|| self.word(k), |t| self.text(&t)))
                    })
                    .collect(),
            ),
            Rule::facts => ItemKind::Facts(all(&inner, Rule::fact).iter().map(|f| self.fact(f)).collect()),
            Rule::constant => ItemKind::Const(self.nth(&inner, Rule::word, 0), self.value_in(&inner)),
            Rule::predicate => ItemKind::Let {
                name: self.nth(&inner, Rule::path, 0),
                guard: self.guard_in(&inner),
                role: of(&inner, Rule::role).map(|r| self.nth(&r, Rule::word, 0)),
            },
            Rule::need => ItemKind::Need { what: self.nth(&inner, Rule::word, 0), guard: self.when(&inner) },
            Rule::limits => ItemKind::Limits(self.limits(&inner)),
            Rule::target => ItemKind::Target {
                name: self.nth(&inner, Rule::word, 0),
                tag: self.nth(&inner, Rule::word, 1),
                block: self.block_in(&inner),
            },
            Rule::projection => {
                ItemKind::Projection { name: self.nth(&inner, Rule::word, 0), fields: self.fields_in(&inner) }
            }
            Rule::top_filters => {
                let name = of(&inner, Rule::word).map(|w| self.word(&w));
                let mut f = self.filters(&of(&inner, Rule::filter_body).unwrap_or_else(|| inner.clone()));
                f.name = name;
                f.span = self.unit(&inner);
                ItemKind::Filters(f)
            }
            Rule::group => ItemKind::Group {
                role: self.nth(&inner, Rule::word, 0),
                floor: self.nth(&inner, Rule::word, 1),
                roads: all(&inner, Rule::group_road)
                    .iter()
                    .map(|g| (self.docs(g), self.road(&of(g, Rule::road).unwrap_or_else(|| g.clone()))))
                    .collect(),
            },
            Rule::road => ItemKind::Road(self.road(&inner)),
            Rule::counter => ItemKind::Counter {
                name: self.nth(&inner, Rule::word, 0),
                max: of(&inner, Rule::int).map_or(Spanned { value: 0, span: self.span(&inner) }, |i| self.int(&i)),
                spent: self.place_in(&inner),
            },
            Rule::record => ItemKind::Record(of(&inner, Rule::names).map(|n| self.words(&n)).unwrap_or_default()),
            Rule::export => ItemKind::Export(Export {
                name: self.nth(&inner, Rule::word, 0),
                form: self.nth(&inner, Rule::word, 1),
                args: of(&inner, Rule::args).map(|a| self.words(&a)).unwrap_or_default(),
                of: of(&inner, Rule::made_of).map(|o| self.nth(&o, Rule::word, 0)),
                keyed: of(&inner, Rule::keyed).map(|k| self.words(&k)).unwrap_or_default(),
            }),
            Rule::lane => ItemKind::Lane(Lane {
                name: self.nth(&inner, Rule::word, 0),
                params: all(&inner, Rule::param).iter().map(|p| self.param(p)).collect(),
                exits: of(&inner, Rule::names).map(|n| self.words(&n)).unwrap_or_default(),
                steps: self.steps(&inner),
            }),
            Rule::child => ItemKind::Child {
                road: self.nth(&inner, Rule::word, 0),
                calls: of(&inner, Rule::int).map_or(Spanned { value: 0, span: self.span(&inner) }, |i| self.int(&i)),
                steps: self.steps(&inner),
            },
            Rule::flow => {
                let body = first(&inner);
                if body.as_rule() == Rule::template {
                    ItemKind::FlowTemplate {
                        template: self.nth(&body, Rule::path, 0),
                        args: of(&body, Rule::args).map(|a| self.words(&a)).unwrap_or_default(),
                    }
                } else {
                    ItemKind::Flow(self.steps(&body))
                }
            }
            Rule::never => {
                let event = of(&inner, Rule::event).map_or_else(|| self.event(&inner), |e| self.event(&e));
                let guard = self
                    .when(&inner)
                    .map(|g| (false, g))
                    .or_else(|| of(&inner, Rule::unless).map(|u| (true, self.guard_in(&u))));
                let after = of(&inner, Rule::never_after).map(|a| {
                    let e = of(&a, Rule::event).map_or_else(|| self.event(&a), |e| self.event(&e));
                    (e, of(&a, Rule::word).map(|w| self.word(&w)))
                });
                ItemKind::Never(Never { event, guard, after })
            }
            Rule::always => {
                let events = all(&inner, Rule::event);
                let nth = |b: &Self, n: usize| events.get(n).map_or_else(|| b.event(&inner), |e| b.event(e));
                ItemKind::Always { first: nth(self, 0), then: nth(self, 1), guard: self.when(&inner) }
            }
            Rule::given => ItemKind::Given(self.nth(&inner, Rule::word, 0), self.setting_in(&inner)),
            _ => ItemKind::Test(self.test(&inner)),
        };
        Item { docs, kind, span: self.unit(&inner) }
    }

    fn fact(&mut self, p: &P<'_>) -> Fact {
        let life = of(p, Rule::life);
        let value = match life.as_ref().map(|l| l.as_str()) {
            Some("pinned") => Life::Pinned,
            Some("sealed") => Life::Sealed,
            Some("volatile") => Life::Volatile,
            Some("latch") => Life::Latch,
            _ => Life::Rank,
        };
        let start = life.as_ref().map_or_else(|| self.span(p), |l| self.span(l));
        let ty = of(p, Rule::r#type);
        Fact {
            docs: self.docs(p),
            life: Spanned { value, span: start },
            name: self.nth(p, Rule::word, 0),
            ty: ty.map_or(Spanned { value: Type::Bool, span: start }, |t| self.ty(&t)),
            per: of(p, Rule::per).map(|k| self.nth(&k, Rule::word, 0)),
            unknown: of(p, Rule::unknown).map(|k| self.value_in(&k)),
            role: of(p, Rule::role).map(|k| self.nth(&k, Rule::word, 0)),
            span: Spanned { value: (), span: start.to(self.span(p)) },
        }
    }

    fn ty(&mut self, p: &P<'_>) -> Spanned<Type> {
        let t = first(p);
        let list = |b: &Self| of(&t, Rule::names).map(|n| b.words(&n)).unwrap_or_default();
        let value = match t.as_rule() {
            Rule::t_bool => Type::Bool,
            Rule::t_evidence => Type::Evidence,
            Rule::t_enum => Type::Enum(list(self)),
            Rule::t_set => Type::Set(list(self)),
            Rule::t_level => Type::Level(self.words(&t)),
            _ => {
                let ints = all(&t, Rule::int);
                let zero = Spanned { value: 0, span: self.span(&t) };
                Type::Int {
                    lo: ints.first().map_or(zero.clone(), |i| self.int(i)),
                    hi: ints.get(1).map_or(zero, |i| self.int(i)),
                    cents: of(&t, Rule::cents).is_some(),
                }
            }
        };
        Spanned { value, span: self.span(p) }
    }

    fn value_in(&mut self, p: &P<'_>) -> Value {
        let v = if p.as_rule() == Rule::value { Some(p.clone()) } else { of(p, Rule::value) };
        match v.map(|v| first(&v)) {
            Some(q) if q.as_rule() == Rule::qty => Value::Qty(self.qty(&q)),
            Some(w) => Value::Path(self.word(&w)),
            None => Value::Path(self.word(p)),
        }
    }

    fn when(&mut self, p: &P<'_>) -> Option<Guard> {
        of(p, Rule::when).map(|w| self.guard_in(&w))
    }
}
