//! Text to tree: [`crate::ast`] from bytes, or diagnostics.
//!
//! Guarantees: never panics, whatever the text; work grows with the length of the text; nesting is counted before the
//! grammar runs, so that what is refused does not depend on the size of a stack.

use crate::ast::*;
use crate::diagnostic::Diagnostic;
use crate::rules::{Grammar, Rule};
use crate::scan;
use crate::span::{FileId, Sources, Span, Spanned};
use pest::Parser as _;
use pest::error::{ErrorVariant, InputLocation};
use pest::iterators::Pair;

/// Greatest size of one file, in bytes.
pub const LARGEST_FILE: usize = 1 << 20;

/// Text of bytes, or the offset of the first byte that is no UTF-8.
///
/// # Errors
/// The bytes are not UTF-8.
pub fn decode(bytes: &[u8]) -> Result<String, usize> {
    std::str::from_utf8(bytes).map(str::to_owned).map_err(|e| e.valid_up_to())
}

/// Parses one file of a set. The tree is there iff no diagnostic is an error.
#[must_use]
pub fn parse(sources: &Sources, file: FileId) -> (Option<File>, Vec<Diagnostic>) {
    let Some(source) = sources.file(file) else { return (None, Vec::new()) };
    let text = source.text.as_str();
    if text.len() > LARGEST_FILE {
        let d = Diagnostic::error("S002", Span::new(file, 0, 0), "the file is larger than 1 MiB")
            .with_help("split it with `use`");
        return (None, vec![d]);
    }
    let found = scan::check(file, text);
    if !found.is_empty() {
        return (None, found);
    }
    let pairs = match Grammar::parse(Rule::file, text) {
        Ok(p) => p,
        Err(e) => return (None, vec![explain(file, text, &e)]),
    };
    let mut b = Build { file, errors: Vec::new() };
    let tree = pairs.into_iter().next().map(|p| b.file(p));
    if b.errors.is_empty() { (tree, Vec::new()) } else { (None, b.errors) }
}

fn explain(file: FileId, text: &str, e: &pest::error::Error<Rule>) -> Diagnostic {
    let at = match e.location {
        InputLocation::Pos(p) => p,
        InputLocation::Span((s, _)) => s,
    };
    let end = scan::token_end(text, at);
    let found = text
        .get(at..end)
        .filter(|t| !t.is_empty())
        .map_or_else(|| "the end of the file".to_owned(), |t| format!("`{t}`"));
    let mut wanted: Vec<String> = match &e.variant {
        ErrorVariant::ParsingError { positives, .. } => positives.iter().filter_map(|r| describe(*r)).collect(),
        ErrorVariant::CustomError { .. } => Vec::new(),
    };
    wanted.sort();
    wanted.dedup();
    let span = Span::new(file, at32(at), at32(end.max(at)));
    let message = match wanted.as_slice() {
        [] => format!("unexpected {found}"),
        [one] => format!("expected {one}, found {found}"),
        many if many.len() <= 6 => {
            format!("expected {} or {}, found {found}", many[..many.len() - 1].join(", "), many[many.len() - 1])
        }
        many => format!("unexpected {found}; possible here: {}, ...", many[..6].join(", ")),
    };
    let mut d = Diagnostic::error("S001", span, message);
    if found.starts_with("`///") {
        d.help = Some("a doc comment documents the item after it; write `//` here".to_owned());
    } else if text.get(at..end).is_some_and(|t| RESERVED.contains(&t)) {
        d.help = Some(format!("{found} is a word of the language and cannot be a name here"));
    }
    d
}

const RESERVED: [&str; 21] = [
    "when", "unless", "else", "changes", "takes", "and", "or", "not", "in", "has", "is", "empty", "as", "use", "via",
    "without", "because", "after", "before", "each", "spent",
];

fn describe(r: Rule) -> Option<String> {
    let name = format!("{r:?}");
    if let Some(k) = name.strip_prefix("k_") {
        return Some(format!("`{k}`"));
    }
    Some(
        match r {
            Rule::EOI => "the end of the file",
            Rule::word => "a name",
            Rule::path => "a name",
            Rule::text | Rule::inner => "a text in quotes",
            Rule::int => "a number",
            Rule::qty | Rule::unit => "a number",
            Rule::arrow | Rule::hop => "`->`",
            Rule::cmp | Rule::compare => "a comparison",
            Rule::guard | Rule::conj | Rule::atom | Rule::test_ref | Rule::r#ref => "a guard",
            Rule::block => "`{`",
            Rule::names => "a list of names in braces",
            Rule::args => "an argument in parentheses",
            Rule::life => "`pinned`, `sealed`, `volatile`, `latch` or `rank`",
            Rule::r#type => "a type",
            Rule::item => "an item",
            Rule::step | Rule::edge | Rule::port | Rule::ports => "a step of the flow",
            Rule::doc => return None,
            Rule::value => "a value",
            Rule::place => "a place",
            Rule::event => "an event",
            Rule::expect => "`=>`",
            Rule::setting => "facts in braces",
            Rule::optional | Rule::sign | Rule::index => return None,
            _ => return Some(name.replace('_', " ")),
        }
        .to_owned(),
    )
}

fn at32(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

struct Build {
    file: FileId,
    errors: Vec<Diagnostic>,
}

type P<'a> = Pair<'a, Rule>;

/// Children of a pair without keywords.
fn kids<'a>(p: &P<'a>) -> Vec<P<'a>> {
    p.clone().into_inner().filter(|k| !format!("{:?}", k.as_rule()).starts_with("k_")).collect()
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
    fn span(&self, p: &P<'_>) -> Span {
        let s = p.as_span();
        // Pairs of rules that skip white space may end in it.
        let len = p.as_str().trim_end().len();
        Span::new(self.file, at32(s.start()), at32(s.start() + len))
    }

    fn unit(&self, p: &P<'_>) -> Spanned<()> {
        Spanned { value: (), span: self.span(p) }
    }

    fn word(&self, p: &P<'_>) -> Ident {
        Spanned { value: p.as_str().trim_end().to_owned(), span: self.span(p) }
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
                Diagnostic::error("S003", span, format!("`{}` is too large a number", p.as_str()))
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

    fn file(&mut self, p: P<'_>) -> File {
        let edition = of(&p, Rule::edition)
            .and_then(|e| of(&e, Rule::int))
            .map_or(Spanned { value: 0, span: Span::new(self.file, 0, 0) }, |i| self.int(&i));
        if edition.value != 1 {
            self.errors.push(
                Diagnostic::error("S004", edition.span, format!("edition {} is not known", edition.value))
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

    fn limits(&mut self, p: &P<'_>) -> Limits {
        Limits {
            name: of(p, Rule::word).map(|w| self.word(&w)),
            block: of(p, Rule::block).map(|b| self.block(&b)),
            span: self.unit(p),
        }
    }

    fn block_in(&mut self, p: &P<'_>) -> Block {
        self.block(&of(p, Rule::block).unwrap_or_else(|| p.clone()))
    }

    fn block(&mut self, p: &P<'_>) -> Block {
        let entries = all(p, Rule::entry).iter().map(|e| self.entry(&first(e))).collect();
        Block { entries, span: self.unit(p) }
    }

    fn entry(&mut self, e: &P<'_>) -> Entry {
        match e.as_rule() {
            Rule::road_filters => Entry::Filters(match of(e, Rule::filter_body) {
                Some(b) => {
                    let mut f = self.filters(&b);
                    f.span = self.unit(e);
                    FiltersRef::Inline(f)
                }
                None => FiltersRef::Named(self.nth(e, Rule::path, 0)),
            }),
            Rule::limits_use => Entry::Limits(self.limits(e)),
            Rule::tokens => {
                let ints = all(e, Rule::int);
                let zero = Spanned { value: 0, span: self.span(e) };
                let mut nth = |n: usize| ints.get(n).map_or(zero.clone(), |i| self.int(i));
                let (input, output, total) = (nth(0), nth(1), nth(2));
                Entry::Tokens { input, output, total, span: self.unit(e) }
            }
            Rule::table => Entry::Table {
                name: self.nth(e, Rule::table_name, 0),
                rows: all(e, Rule::row)
                    .iter()
                    .map(|r| {
                        let cells = all(r, Rule::cell);
                        let nth = |n: usize| cells.get(n).map_or_else(|| Atom::Word(self.word(r)), |c| self.cell(c));
                        (nth(0), nth(1))
                    })
                    .collect(),
            },
            _ => {
                let name = self.nth(e, Rule::word, 0);
                let v = kids(e).into_iter().nth(1).unwrap_or_else(|| e.clone());
                let value = match v.as_rule() {
                    Rule::text => AttrValue::Text(self.text(&v)),
                    Rule::qty => AttrValue::Qty(self.qty(&v)),
                    _ => AttrValue::Path(self.word(&v)),
                };
                Entry::Attr(name, value)
            }
        }
    }

    fn cell(&self, c: &P<'_>) -> Atom {
        let k = first(c);
        if k.as_rule() == Rule::text { Atom::Text(self.text(&k)) } else { Atom::Word(self.word(&k)) }
    }

    fn fields_in(&self, p: &P<'_>) -> Vec<(Ident, Ident)> {
        of(p, Rule::fields)
            .map(|f| {
                all(&f, Rule::field).iter().map(|k| (self.nth(k, Rule::word, 0), self.nth(k, Rule::word, 1))).collect()
            })
            .unwrap_or_default()
    }

    fn filters(&mut self, b: &P<'_>) -> Filters {
        Filters {
            name: None,
            uses: all(b, Rule::filter_use).iter().flat_map(|u| all(u, Rule::path)).map(|p| self.word(&p)).collect(),
            filters: all(b, Rule::filter).iter().map(|f| (self.nth(f, Rule::word, 0), self.guard_in(f))).collect(),
            span: self.unit(b),
        }
    }

    fn road(&mut self, p: &P<'_>) -> Road {
        let named = |b: &Self, r: Rule| of(p, r).map(|k| b.nth(&k, Rule::word, 0));
        Road {
            name: self.nth(p, Rule::word, 0),
            owner: named(self, Rule::owner).unwrap_or_else(|| self.word(p)),
            cognition: named(self, Rule::cognition),
            through: named(self, Rule::through),
            target: named(self, Rule::to),
            with: of(p, Rule::with).map(|w| match of(&w, Rule::word) {
                Some(n) => With::Named(self.word(&n)),
                None => With::Inline(self.fields_in(&w)),
            }),
            carrier: named(self, Rule::carrier),
            block: self.block_in(p),
            span: self.unit(p),
        }
    }

    fn param(&self, p: &P<'_>) -> Param {
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

    fn steps(&mut self, p: &P<'_>) -> Vec<Step> {
        all(p, Rule::step).iter().map(|s| self.step(&first(s))).collect()
    }

    fn step(&mut self, s: &P<'_>) -> Step {
        match s.as_rule() {
            Rule::node => Step::Node {
                name: self.nth(s, Rule::word, 0),
                kind: self.nth(s, Rule::word, 1),
                args: of(s, Rule::args).map(|a| self.words(&a)).unwrap_or_default(),
            },
            Rule::choose => Step::Choose(self.choose(s)),
            _ => Step::Edge(self.edge(s)),
        }
    }

    fn choose(&self, s: &P<'_>) -> Choose {
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

    fn order(&self, o: &P<'_>) -> Order {
        if o.as_rule() == Rule::keys {
            return Order::Keys { keys: self.words(o), span: self.unit(o) };
        }
        let list = |r: Rule| of(o, r).map(|l| self.words(&l)).unwrap_or_default();
        Order::Static { roads: list(Rule::order_list), without: list(Rule::order_without), span: self.unit(o) }
    }

    fn edge(&mut self, s: &P<'_>) -> Edge {
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
                    "S005",
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

    fn port(&self, p: &P<'_>) -> Port {
        let words = all(p, Rule::word);
        Port {
            name: self.nth(p, Rule::word, 0),
            args: of(p, Rule::args).map(|a| self.words(&a)).unwrap_or_default(),
            outcome: words.get(1).map(|w| self.word(w)),
            span: self.unit(p),
        }
    }

    fn place_in(&self, p: &P<'_>) -> Place {
        let k = of(p, Rule::place).unwrap_or_else(|| p.clone());
        Place {
            name: self.nth(&k, Rule::path, 0),
            args: of(&k, Rule::args).map(|a| self.words(&a)).unwrap_or_default(),
            optional: of(&k, Rule::optional).is_some(),
            alias: of(&k, Rule::word).map(|w| self.word(&w)),
            span: self.unit(&k),
        }
    }

    fn guard_in(&mut self, p: &P<'_>) -> Guard {
        let g = if p.as_rule() == Rule::guard { Some(p.clone()) } else { of(p, Rule::guard) };
        self.guard(&g.unwrap_or_else(|| p.clone()))
    }

    fn guard(&mut self, p: &P<'_>) -> Guard {
        let mut parts: Vec<Guard> = all(p, Rule::conj).iter().map(|c| self.conj(c)).collect();
        if parts.len() == 1 {
            return parts.remove(0);
        }
        Guard { kind: Box::new(GuardKind::Or(parts)), span: self.unit(p) }
    }

    fn conj(&mut self, p: &P<'_>) -> Guard {
        let mut parts: Vec<Guard> = all(p, Rule::atom).iter().map(|a| self.atom(a)).collect();
        if parts.len() == 1 {
            return parts.remove(0);
        }
        Guard { kind: Box::new(GuardKind::And(parts)), span: self.unit(p) }
    }

    fn atom(&mut self, p: &P<'_>) -> Guard {
        let k = first(p);
        let kind = match k.as_rule() {
            Rule::negated => GuardKind::Not(self.atom(&of(&k, Rule::atom).unwrap_or_else(|| k.clone()))),
            Rule::paren => GuardKind::Paren(self.guard_in(&k)),
            _ => self.test_ref(&k),
        };
        Guard { kind: Box::new(kind), span: self.unit(p) }
    }

    fn test_ref(&mut self, k: &P<'_>) -> GuardKind {
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

    fn reference(&self, p: &P<'_>) -> Ref {
        Ref {
            path: self.nth(p, Rule::path, 0),
            index: of(p, Rule::index).map(|i| self.nth(&i, Rule::word, 0)),
            span: self.unit(p),
        }
    }

    fn event(&self, p: &P<'_>) -> Event {
        let words = all(p, Rule::word);
        Event {
            name: self.nth(p, Rule::word, 0),
            args: of(p, Rule::args).map(|a| self.words(&a)).unwrap_or_default(),
            outcome: words.get(1).map(|w| self.word(w)),
            span: self.unit(p),
        }
    }

    fn setting_in(&mut self, p: &P<'_>) -> Setting {
        let k = of(p, Rule::setting).unwrap_or_else(|| p.clone());
        Setting {
            base: of(&k, Rule::path).map(|w| self.word(&w)),
            assigns: all(&k, Rule::assign).iter().map(|a| self.assign(&first(a))).collect(),
            span: self.unit(&k),
        }
    }

    fn assign(&mut self, a: &P<'_>) -> Assign {
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

    fn test(&mut self, p: &P<'_>) -> Test {
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

    fn expect(&mut self, p: &P<'_>) -> Expect {
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
