//! Roads: owner, cognition, carrier, target, projection, ceilings, attributes and binding first; then, when all roads
//! are known, the filters and needs that are guards for each of them.

use super::scope::{RoadDecl, duplicate};
use super::targets::{PEER_PRIVATE, spelled, yes};
use super::{Lowering, codes, names, secrets};
use crate::model::{
    Carrier, Ceilings, Change, Cognition, Consumer, ConsumerId, Continuity, Derived, Guard, Owner, Profile, Road,
    RoadId, Shape, TargetId, TargetTag, Type,
};
use roadlaw_grammar::ast::{self, Atom, Entry, With};
use roadlaw_grammar::diagnostic::Diagnostic;
use roadlaw_grammar::span::Span;
use std::collections::BTreeMap;

/// Attributes that every road but an option may have.
const COMMON: &[&str] = &["continuity", "usage", "assurance", "reconcilable", "effectful"];
/// Attributes of a peer road.
const PEER: &[&str] = &["authorisation", "return"];
/// Attributes of a coding road, with its tables.
const CODING: &[&str] = &["profile", "network", "budget", "timeout", "cancel", "tools", "workspace", "artifacts"];

impl<'a> Lowering<'a> {
    /// Everything of the roads but their guards.
    pub(crate) fn lower_roads(&mut self) {
        for i in 0..self.scope.roads.entries.len() {
            let road = self.road(&self.scope.roads.entries[i].value);
            self.roads.push(road);
        }
        // A road may go through one that is declared later.
        for i in 0..self.roads.len() {
            let decl = &self.scope.roads.entries[i].value;
            if let Some(through) = &decl.road.through {
                self.roads[i].through = self.road_named(through, None);
            }
            if let Some((role, floor)) = decl.group {
                self.group(i, role, floor);
            }
        }
    }

    fn group(&mut self, i: usize, role: &ast::Ident, floor: &ast::Ident) {
        if role.value != "reviewer" {
            let mut e = Diagnostic::error(
                codes::UNKNOWN_NAME,
                role.span,
                format!("there is no role of roads called `{}`", role.value),
            );
            e.help = Some("write `role reviewer floor .. { .. }`, or declare the roads by themselves".into());
            self.d.push(e);
            return;
        }
        let levels: Vec<Vec<String>> = self
            .role_items("assurance")
            .iter()
            .filter_map(|d| match d {
                super::guards::Decl::Fact(f) => match &self.scope.facts.entries[*f].value.ty {
                    Type::Level(words) => Some(words.clone()),
                    _ => None,
                },
                super::guards::Decl::Let(_) => None,
            })
            .collect();
        let words = levels.into_iter().next().unwrap_or_else(|| ["low", "medium", "high"].map(str::to_owned).to_vec());
        let Some(index) = words.iter().position(|w| *w == floor.value) else {
            let mut e = Diagnostic::error(
                codes::OUT_OF_DOMAIN,
                floor.span,
                format!("`{}` is no level of assurance", floor.value),
            );
            e.help = names::hint(&floor.value, words.iter().map(String::as_str));
            self.d.push(e);
            return;
        };
        self.roads[i].reviewer = u8::try_from(index).ok();
        self.floors.insert(RoadId(u32::try_from(i).unwrap_or(u32::MAX)), floor.value.clone());
    }

    fn road(&mut self, decl: &RoadDecl<'a>) -> Road {
        let r = decl.road;
        let (owner, cognition) = self.labour(r);
        let target = r.target.as_ref().and_then(|t| {
            let found = self.scope.targets.find(&t.value, &self.scope.aliases);
            if let Some(i) = found {
                self.used.insert(("targets", i));
            } else if !secrets::no_destination(&t.value) {
                let mut e = Diagnostic::error(codes::UNKNOWN_NAME, t.span, format!("there is no target `{}`", t.value));
                e.help = names::hint(&t.value, self.scope.targets.names());
                self.d.push(e);
            }
            found.map(|i| TargetId(u32::try_from(i).unwrap_or(u32::MAX)))
        });
        let local_runtime = target.is_some_and(|t| {
            let t = &self.targets[t.index()];
            t.tag == TargetTag::Runtime && t.attributes.get("destination").is_some_and(|d| d == "local")
        });
        let shape = match (owner, cognition) {
            (Owner::Native, Cognition::Portal) => Shape::Portal,
            (Owner::Native, _) => Shape::Local,
            (Owner::Peer, _) => Shape::Peer,
            (Owner::CodingJob, _) if local_runtime => Shape::CodingLocal,
            (Owner::CodingJob, _) => Shape::Coding,
            (Owner::Human, _) => Shape::Human,
            (Owner::Choice, _) => Shape::Choice,
        };
        self.check_target(r, shape, target);
        let mut carrier = match &r.carrier {
            None if owner == Owner::Human => Carrier::Manual,
            None => Carrier::Direct,
            Some(w) => Carrier::parse(&w.value).unwrap_or_else(|| {
                let mut e =
                    Diagnostic::error(codes::UNKNOWN_NAME, w.span, format!("there is no carrier `{}`", w.value));
                e.help = names::hint(&w.value, Carrier::ALL.iter().map(|c| c.word()));
                self.d.push(e);
                Carrier::Direct
            }),
        };
        if let Some(w) = &r.carrier {
            let fits = match owner {
                Owner::Human => carrier == Carrier::Manual,
                Owner::Native if shape == Shape::Local => carrier != Carrier::Manual,
                Owner::Choice => false,
                _ => true,
            };
            if !fits {
                self.d.push(
                    Diagnostic::error(
                        codes::WRONG_TYPE,
                        w.span,
                        format!("a {} road has no carrier `{}`", shape.word(), w.value),
                    )
                    .with_help("a local road is called or queued, a person is asked by hand, an option has no carrier"),
                );
                carrier = if owner == Owner::Human { Carrier::Manual } else { Carrier::Direct };
            }
        }
        let mut limits = Vec::new();
        for e in &r.block.entries {
            if let Entry::Limits(l) = e {
                limits.push(l);
            }
        }
        if let [first, second, ..] = limits.as_slice() {
            self.d.push(duplicate("the road's block", "limits", second.span.span, first.span.span));
        }
        if shape == Shape::Choice
            && let Some(l) = limits.first()
        {
            self.not_for_option(l.span.span, "limits");
        }
        let mut ceilings: Ceilings = self.ceilings(&limits);
        let attributes = self.attributes(r, shape, &mut ceilings);
        let continuity = self.continuity(r);
        let leaves = continuity == Continuity::DurableJob || carrier != Carrier::Direct;
        let consumer = self.consumer(r, target);
        let needless = matches!(shape, Shape::Local | Shape::Human | Shape::Choice);
        let positive = |v: Option<i64>| v.map_or(!needless, |n| n > 0);
        let derived = Derived {
            paid: positive(ceilings.spend),
            asynchronous: leaves,
            auto_retry: positive(ceilings.retries),
            reconcilable: attributes.get("reconcilable").and_then(|w| yes(w)).unwrap_or(target.is_some()),
        };
        let question = self.question(r, shape);
        let binding = self.binding(owner, carrier, target, consumer, &ceilings, &attributes);
        Road {
            name: r.name.value.clone(),
            owner,
            cognition,
            carrier,
            shape,
            remote: matches!(shape, Shape::Portal | Shape::Peer | Shape::Coding),
            reviewer: None,
            target,
            consumer,
            through: None,
            child: None,
            continuity,
            leaves_invocation: leaves,
            ceilings,
            attributes,
            binding,
            question,
            filters: Vec::new(),
            need_cut: Guard::True,
            need_durable: Guard::True,
            roles: BTreeMap::new(),
            derived,
            docs: decl.docs.to_vec(),
            span: r.name.span,
        }
    }

    fn labour(&mut self, r: &ast::Road) -> (Owner, Cognition) {
        let choice = self.profile == Profile::Choice;
        let Some(owner) = Owner::parse(&r.owner.value) else {
            if !secrets::no_destination(&r.owner.value) {
                let mut e = Diagnostic::error(
                    codes::UNKNOWN_NAME,
                    r.owner.span,
                    format!("there is no owner `{}`", r.owner.value),
                );
                e.help = names::hint(&r.owner.value, Owner::ALL.iter().map(|o| o.word()));
                self.d.push(e);
            }
            return if choice { (Owner::Choice, Cognition::None) } else { (Owner::Native, Cognition::LocalModel) };
        };
        if (owner == Owner::Choice) != choice {
            let (what, help) = if choice {
                (
                    "a choice policy has only options as roads",
                    "write `road NAME : option { .. }`, or drop `profile choice`",
                )
            } else {
                (
                    "an option is a road of a choice policy only",
                    "write `profile choice` after the policy's version, or name an owner",
                )
            };
            self.d.push(Diagnostic::error(codes::DECLARATION, r.owner.span, what).with_help(help));
        }
        if owner == Owner::Choice {
            if let Some(c) = &r.cognition {
                self.not_for_option(c.span, &c.value);
            }
            return (owner, Cognition::None);
        }
        let allowed: &[Cognition] = match owner {
            Owner::Native => &[Cognition::Deterministic, Cognition::LocalModel, Cognition::Portal],
            Owner::Peer => &[Cognition::Opaque],
            Owner::CodingJob => &[Cognition::LocalModel, Cognition::Portal],
            Owner::Human | Owner::Choice => &[Cognition::Human],
        };
        let words: Vec<&str> = allowed.iter().map(|c| c.word()).collect();
        let first = allowed[0];
        let Some(c) = &r.cognition else {
            self.d.push(
                Diagnostic::error(
                    codes::DECLARATION,
                    r.owner.span,
                    format!("road `{}` names no cognition", r.name.value),
                )
                .with_help(match words.as_slice() {
                    [one] => format!("write `{one}` after `{}`", owner.word()),
                    _ => format!("write one of {} after `{}`", names::list(&words), owner.word()),
                }),
            );
            return (owner, first);
        };
        match Cognition::parse(&c.value) {
            Some(cognition) if allowed.contains(&cognition) => (owner, cognition),
            _ => {
                if !secrets::no_destination(&c.value) {
                    let mut e = Diagnostic::error(
                        codes::WRONG_TYPE,
                        c.span,
                        format!("`{}` is no cognition of a `{}` road", c.value, owner.word()),
                    );
                    e.help = names::hint(&c.value, words.iter().copied());
                    self.d.push(e);
                }
                (owner, first)
            }
        }
    }

    fn not_for_option(&mut self, span: Span, what: &str) {
        self.d.push(
            Diagnostic::error(codes::DECLARATION, span, format!("an option has no `{what}`"))
                .with_help("an option holds filters alone: nothing leaves by it"),
        );
    }

    fn check_target(&mut self, r: &ast::Road, shape: Shape, target: Option<TargetId>) {
        let want = match shape {
            Shape::Portal => Some((TargetTag::Portal, "RL004")),
            Shape::Peer => Some((TargetTag::Peer, "RL002")),
            Shape::Coding | Shape::CodingLocal => Some((TargetTag::Runtime, "RL003")),
            Shape::Local | Shape::Human | Shape::Choice => None,
        };
        match (want, &r.target) {
            (Some((tag, code)), None) => self.d.push(
                Diagnostic::error(code, r.name.span, format!("road `{}` has no target", r.name.value))
                    .with_help(format!("write `to NAME` with a `target NAME : {} {{ .. }}`", tag.word())),
            ),
            (None, Some(t)) => self.d.push(
                Diagnostic::error(codes::WRONG_TYPE, t.span, format!("a {} road has no target", shape.word()))
                    .with_help("drop `to ..`, or name the owner and cognition that send there"),
            ),
            (Some((tag, _)), Some(t)) => {
                if let Some(id) = target {
                    let actual = self.targets[id.index()].tag;
                    if actual != tag {
                        let e = Diagnostic::error(
                            codes::WRONG_TYPE,
                            t.span,
                            format!(
                                "`{}` is a {} target, and the road needs a {} target",
                                t.value,
                                actual.word(),
                                tag.word()
                            ),
                        )
                        .with_label(self.targets[id.index()].span, "declared here")
                        .with_help(format!("name a target that is `: {}`", tag.word()));
                        self.d.push(e);
                    }
                }
            }
            (None, None) => {}
        }
        if let Some(through) = &r.through
            && !matches!(shape, Shape::Coding | Shape::CodingLocal)
        {
            self.d.push(
                Diagnostic::error(codes::WRONG_TYPE, through.span, "only a coding job goes through another road")
                    .with_help("drop `through ..`"),
            );
        }
    }

    fn continuity(&mut self, r: &ast::Road) -> Continuity {
        for e in &r.block.entries {
            if let Entry::Attr(n, v) = e
                && n.value == "continuity"
            {
                let (text, span) = spelled(v);
                if let Some(c) = Continuity::parse(&text) {
                    return c;
                }
                let words: Vec<&str> = Continuity::ALL.iter().map(|c| c.word()).collect();
                self.word_wanted(span, "continuity", &text, &words);
            }
        }
        Continuity::Immediate
    }

    fn attributes(&mut self, r: &ast::Road, shape: Shape, ceilings: &mut Ceilings) -> BTreeMap<String, String> {
        let mut out = BTreeMap::new();
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        let own: &[&str] = match shape {
            Shape::Peer => PEER,
            Shape::Coding | Shape::CodingLocal => CODING,
            _ => &[],
        };
        let common: &[&str] = if shape == Shape::Choice { &[] } else { COMMON };
        for e in &r.block.entries {
            let (n, text, at) = match e {
                Entry::Filters(_) | Entry::Limits(_) => continue,
                Entry::Table { name, .. } if name.value == "question" => continue,
                Entry::Tokens { span, .. } => {
                    if let Some(first) = seen.insert("tokens", span.span) {
                        self.d.push(duplicate("ceiling", "tokens", span.span, first));
                        continue;
                    }
                    let block = ast::Block { entries: vec![e.clone()], span: span.clone() };
                    self.ceiling_block(&block, ceilings);
                    continue;
                }
                Entry::Table { name, rows } => {
                    let text: Vec<String> = rows.iter().map(|(a, b)| format!("{} {}", atom(a).0, atom(b).0)).collect();
                    (name, text.join(", "), name.span)
                }
                Entry::Attr(n, v) => {
                    let (text, at) = spelled(v);
                    (n, text, at)
                }
            };
            let word = n.value.as_str();
            if let Some(first) = seen.insert(word, n.span) {
                self.d.push(duplicate("attribute", word, n.span, first));
                continue;
            }
            if shape == Shape::Peer && PEER_PRIVATE.contains(&word) {
                self.d.push(
                    Diagnostic::error(
                        "RL002",
                        n.span.to(at),
                        format!("peer road `{}` names `{word}`, which the receiver chooses privately", r.name.value),
                    )
                    .with_help("drop it; what a peer uses is its own affair"),
                );
                continue;
            }
            if matches!(shape, Shape::Coding | Shape::CodingLocal) && word == "direct_provider" {
                if yes(&text) != Some(false) {
                    self.d.push(
                        Diagnostic::error(
                            "RL003",
                            n.span.to(at),
                            "a coding job reaches a provider only through its gate",
                        )
                        .with_help("drop it and write `network gate_only`"),
                    );
                }
                continue;
            }
            if !own.contains(&word) && !common.contains(&word) {
                if !secrets::judged_name(word) {
                    let mut e = Diagnostic::error(
                        codes::UNKNOWN_NAME,
                        n.span,
                        format!("a {} road has no attribute `{word}`", shape.word()),
                    );
                    let ceiling = super::limits::NAMES.contains(&word);
                    e.help = if ceiling {
                        Some(format!("`{word}` is a ceiling: write it in `limits`"))
                    } else {
                        names::hint(word, own.iter().chain(common).copied())
                    };
                    self.d.push(e);
                }
                continue;
            }
            match word {
                "reconcilable" | "effectful" if yes(&text).is_none() => {
                    self.word_wanted(at, word, &text, &["yes", "no"]);
                    continue;
                }
                _ => {}
            }
            out.insert(word.to_owned(), text);
        }
        out
    }

    fn consumer(&mut self, r: &ast::Road, target: Option<TargetId>) -> Option<ConsumerId> {
        let (projection, fields, span) = match r.with.as_ref()? {
            With::Named(n) => match self.scope.projections.find(&n.value, &self.scope.aliases) {
                Some(i) => {
                    self.used.insert(("projections", i));
                    (n.value.clone(), self.scope.projections.entries[i].value, self.scope.projections.entries[i].span)
                }
                None => {
                    let mut e =
                        Diagnostic::error(codes::UNKNOWN_NAME, n.span, format!("there is no projection `{}`", n.value));
                    e.help = names::hint(&n.value, self.scope.projections.names());
                    self.d.push(e);
                    return None;
                }
            },
            With::Inline(fields) => (r.name.value.clone(), fields.as_slice(), r.name.span),
        };
        if fields.is_empty() {
            self.d.push(
                Diagnostic::error(codes::DECLARATION, span, format!("projection `{projection}` has no fields"))
                    .with_help("list the fields that the receiver sees, with their classes"),
            );
        }
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        for (f, _) in fields {
            if let Some(first) = seen.insert(&f.value, f.span) {
                self.d.push(duplicate("field", &f.value, f.span, first));
            }
        }
        let fields: Vec<(String, String)> = fields.iter().map(|(f, c)| (f.value.clone(), c.value.clone())).collect();
        let consumer = Consumer { target, projection, fields };
        let found = self.consumers.iter().position(|c| *c == consumer).unwrap_or_else(|| {
            self.consumers.push(consumer);
            self.consumers.len() - 1
        });
        Some(ConsumerId(u32::try_from(found).unwrap_or(u32::MAX)))
    }

    fn binding(
        &self,
        owner: Owner,
        carrier: Carrier,
        target: Option<TargetId>,
        consumer: Option<ConsumerId>,
        ceilings: &Ceilings,
        attributes: &BTreeMap<String, String>,
    ) -> BTreeMap<Change, String> {
        let mut b = BTreeMap::new();
        if owner == Owner::Choice {
            return b;
        }
        b.insert(Change::Labour, owner.word().to_owned());
        b.insert(Change::Transport, carrier.word().to_owned());
        if let Some(spend) = ceilings.spend {
            let usage = attributes.get("usage").map(|u| format!(" {u}")).unwrap_or_default();
            b.insert(Change::PriceClass, format!("{spend} cents{usage}"));
        }
        if let Some(a) = attributes.get("assurance") {
            b.insert(Change::Assurance, a.clone());
        }
        if let Some(c) = consumer {
            let c = &self.consumers[c.index()];
            let to = c.target.map_or("a person", |t| self.targets[t.index()].name.as_str());
            // A projection is its fields: two names for the same fields are no difference.
            let mut fields: Vec<String> = c.fields.iter().map(|(f, class)| format!("{f}: {class}")).collect();
            fields.sort();
            let fields = fields.join(", ");
            b.insert(Change::Consumer, format!("{to} sees {fields}"));
            b.insert(Change::Projection, fields);
        }
        if let Some(t) = target {
            for (name, value) in &self.targets[t.index()].attributes {
                let word = match Change::parse(name) {
                    Some(w) if !matches!(w, Change::Content | Change::Workspace | Change::Policy | Change::Actor) => w,
                    _ => continue,
                };
                b.insert(word, value.clone());
            }
        }
        b
    }
}

/// A text or word of a table, with its place.
pub(crate) fn atom(a: &Atom) -> (&str, Span) {
    match a {
        Atom::Text(t) => (&t.value, t.span),
        Atom::Word(w) => (&w.value, w.span),
    }
}
