//! Laws that need no proof: something must be written down, or must not be. RL001 to RL010 (RL005 to RL007 are in
//! `secrets`, the completeness of targets in `targets`).

use super::roads::atom;
use super::{Lowering, codes, facts, limits, names};
use crate::laws::catalogue::profiles::runs;
use crate::model::{Carrier, Cognition, Continuity, Guard, Life, Profile, Road, RoadId, Shape, Type};
use roadlaw_grammar::ast::{self, Entry};
use roadlaw_grammar::diagnostic::Diagnostic;
use roadlaw_grammar::span::Span;
use std::collections::BTreeMap;

/// The pins, all mandatory.
const PINS: &[&str] = &["pattern", "spell", "placement", "purpose", "input", "output", "error", "noncompletion"];

/// Roles of the mandatory filters of a remote road, in reason order.
pub(crate) const REMOTE_ROLES: &[&str] = &[
    "lineage",
    "local_only",
    "prohibited",
    "identity",
    "authority",
    "permission",
    "login",
    "connection",
    "terms",
    "egress_transparent",
    "retention",
    "revoked",
    "expired",
];

/// Roles whose facts must have one type. `level` and `int` stand for any.
const ROLE_TYPES: &[(&str, &str)] = &[
    ("weight", "int"),
    ("class", "level"),
    ("lineage", "bool"),
    ("local_only", "bool"),
    ("prohibited", "bool"),
    ("consent", "bool"),
    ("question_same", "bool"),
    ("identity", "bool"),
    ("authority", "bool"),
    ("owner_authorised", "bool"),
    ("interaction", "bool"),
    ("model_execution", "bool"),
    ("terms", "bool"),
    ("permission", "bool"),
    ("login", "evidence"),
    ("connection", "bool"),
    ("capability", "evidence"),
    ("available", "bool"),
    ("revoked", "bool"),
    ("expired", "bool"),
    ("usage", "bool"),
    ("containment", "bool"),
    ("task_schema", "bool"),
    ("egress_transparent", "bool"),
    ("retention", "bool"),
    ("resumable", "bool"),
    ("locality", "bool"),
    ("distinct", "bool"),
    ("blind", "bool"),
    ("assurance", "level"),
    ("reach", "bool"),
    ("spend_left", "int"),
    ("price", "int"),
    ("replay_proved", "bool"),
    ("no_effect", "bool"),
    ("tried", "a latch"),
    ("judged", "a latch"),
    ("consumed", "a latch"),
];

/// Laws speak of facts with this role.
pub(crate) fn laws_speak_of(role: &str) -> bool {
    role == "labels" || ROLE_TYPES.iter().any(|(r, _)| *r == role)
}

/// Classes of what a receiver may get (MODEL.md section 1). A local station gets whatever it is authorised to.
fn may_get(shape: Shape) -> &'static [&'static str] {
    match shape {
        Shape::Portal => &["instructions", "selected_history", "query", "evidence", "schemas", "options"],
        Shape::Peer => &["task_schema_value", "authorised_reference"],
        Shape::Coding => &["bounded_task", "immutable_projection", "disposable_worktree"],
        Shape::Local | Shape::CodingLocal | Shape::Human | Shape::Choice => &[],
    }
}

/// The roles that the mandatory laws read for a road.
pub(crate) fn needed_roles(road: &Road) -> Vec<&'static str> {
    let mut out: Vec<&'static str> = Vec::new();
    if road.remote {
        out.extend(REMOTE_ROLES);
    }
    if road.shape == Shape::Peer {
        out.push("task_schema");
    }
    if matches!(road.shape, Shape::Coding | Shape::CodingLocal) {
        out.push("containment");
    }
    if road.reviewer.is_some() {
        out.extend(["distinct", "blind", "assurance"]);
    }
    if !matches!(road.need_cut, Guard::True) {
        out.push("weight");
    }
    if !matches!(road.need_durable, Guard::True) {
        out.push("reach");
    }
    out
}

impl Lowering<'_> {
    /// The code of something that is wrong in any profile, and breaks a law where `asked` runs.
    pub(crate) fn law_or(&self, asked: &str, law: &'static str, text: &'static str) -> &'static str {
        if runs(self.profile, asked) { law } else { text }
    }

    /// RL001.
    pub(crate) fn check_pins(&mut self) -> BTreeMap<String, String> {
        let mut out = BTreeMap::new();
        let mut at: BTreeMap<&str, Span> = BTreeMap::new();
        let (pins, span) = match self.scope.pins {
            Some((pins, span)) => (pins, span),
            None => (&[][..], self.span),
        };
        for (name, value) in pins {
            if let Some(first) = at.insert(&name.value, name.span) {
                self.d.push(super::scope::duplicate("pin", &name.value, name.span, first));
                continue;
            }
            if !PINS.contains(&name.value.as_str()) {
                if !super::secrets::judged_name(&name.value) {
                    let mut e = Diagnostic::error(
                        codes::UNKNOWN_NAME,
                        name.span,
                        format!("there is no pin called `{}`", name.value),
                    );
                    e.help = names::hint(&name.value, PINS.iter().copied());
                    self.d.push(e);
                }
                continue;
            }
            if value.value.trim().is_empty() {
                self.d.push(
                    Diagnostic::error(
                        self.law_or("RL001", "RL001", codes::OUT_OF_DOMAIN),
                        value.span,
                        format!("pin `{}` is empty", name.value),
                    )
                    .with_help("write a name and a version, `\"desk.chat@1\"`"),
                );
                out.insert(name.value.clone(), String::new());
                continue;
            }
            out.insert(name.value.clone(), value.value.clone());
        }
        let missing: Vec<&str> = PINS.iter().copied().filter(|p| !out.contains_key(*p)).collect();
        if runs(self.profile, "RL001") && !missing.is_empty() {
            let example: Vec<String> = missing.iter().map(|m| format!("{m} \"..\"")).collect();
            self.d.push(
                Diagnostic::error("RL001", span, format!("not every pin is written: {} missing", names::are(&missing)))
                    .with_help(format!("write `pins {{ {} }}`", example.join("  "))),
            );
        }
        out
    }

    /// Facts and `let`s that fill a role of the laws have the role's type.
    pub(crate) fn check_role_types(&mut self) {
        let wrong = |d: &mut Vec<Diagnostic>, span: Span, role: &str, want: &str, have: &str| {
            d.push(
                Diagnostic::error(
                    codes::WRONG_TYPE,
                    span,
                    format!("role `{role}` is filled by {want}, not by a {have}"),
                )
                .with_help("give it that type, or another role with `as NAME`"),
            );
        };
        let want = |role: &str| ROLE_TYPES.iter().find(|(r, _)| *r == role).map(|(_, t)| *t);
        for e in self.scope.facts.entries.iter().filter(|e| !e.shipped) {
            let Some(t) = want(&e.value.role) else { continue };
            let reread = matches!(e.value.role.as_str(), "revoked" | "expired");
            if reread && e.value.life != Life::Volatile && runs(self.profile, "RL209") {
                self.d.push(
                    Diagnostic::error(
                        "RL209",
                        e.value.role_span,
                        format!("`{}` is not volatile: egress and adopt could not read it again", e.value.role),
                    )
                    .with_help("declare it `volatile`"),
                );
            }
            let fits = match (t, &e.value.ty) {
                ("bool", Type::Bool) | ("int", Type::Int { .. }) => true,
                ("evidence", Type::Level(_)) => e.value.evidence,
                ("level", Type::Level(_)) => !e.value.evidence,
                _ => false,
            };
            if !fits {
                wrong(&mut self.d, e.value.role_span, &e.value.role, &article(t), &facts::describe(&e.value.ty));
            }
        }
        for e in self.scope.lets.entries.iter().filter(|e| !e.shipped) {
            let Some(t) = want(&e.value.role) else { continue };
            if t != "bool" {
                wrong(&mut self.d, e.value.role_span, &e.value.role, &article(t), "`let`");
            }
        }
    }

    /// RL002, RL003, RL004, RL008, RL009, RL501 for every road.
    pub(crate) fn check_roads(&mut self) {
        for i in 0..self.roads.len() {
            let decl = self.scope.roads.entries[i].value.road;
            let road = self.roads[i].clone();
            if road.shape == Shape::Choice || self.profile == Profile::Choice {
                continue;
            }
            self.check_ceilings(&road);
            self.check_continuity(&road, decl);
            self.check_projection(&road, decl);
            self.check_receiver(&road);
            match road.shape {
                Shape::Peer => self.check_peer(&road),
                Shape::Coding | Shape::CodingLocal => self.check_coding(&road, decl),
                _ => {}
            }
        }
    }

    fn check_ceilings(&mut self, road: &Road) {
        let needed: &[&str] = match road.shape {
            Shape::Local | Shape::Human => &["deadline", "concurrency"],
            _ => limits::NAMES,
        };
        let missing: Vec<&str> =
            needed.iter().copied().filter(|n| limits::read(&road.ceilings, n).flatten().is_none()).collect();
        let totals = (road.ceilings.tokens_in, road.ceilings.tokens_out, road.ceilings.tokens_total);
        if let (Some(i), Some(o), Some(total)) = totals
            && total > i.saturating_add(o)
            && self.d.iter().all(|d| d.code != "RL009")
        {
            let at = if road.ceilings.span == Span::default() { road.span } else { road.ceilings.span };
            self.d.push(
                Diagnostic::error(
                    "RL604",
                    at,
                    format!("road `{}` may use {total} tokens in all, more than {i} in and {o} out", road.name),
                )
                .with_help("let the total be at most the tokens in plus the tokens out"),
            );
        }
        if missing.is_empty() || !runs(self.profile, "RL009") {
            return;
        }
        let shown: Vec<String> = missing.iter().map(|m| m.replace("tokens_", "tokens ")).collect();
        let shown: Vec<&str> = shown.iter().map(String::as_str).collect();
        let mut e = Diagnostic::error(
            "RL009",
            road.span,
            format!("road `{}` has no ceiling for {}", road.name, names::list(&shown)),
        )
        .with_help("write them in its `limits`");
        if road.ceilings.span != Span::default() {
            e = e.with_label(road.ceilings.span, "its limits");
        }
        self.d.push(e);
    }

    fn check_continuity(&mut self, road: &Road, decl: &ast::Road) {
        let written = decl.block.entries.iter().find_map(|e| match e {
            Entry::Attr(n, v) if n.value == "continuity" => Some(n.span.to(super::targets::spelled(v).1)),
            _ => None,
        });
        let at = written.unwrap_or(road.span);
        let name = &road.name;
        if road.continuity == Continuity::LiveSession && road.shape != Shape::Local {
            self.d.push(
                Diagnostic::error(
                    "RL008",
                    at,
                    format!("road `{name}` leaves this machine and cannot be a live session"),
                )
                .with_help("write `continuity durable_job`, or `immediate` for a direct portal call"),
            );
            return;
        }
        if road.continuity == Continuity::LiveSession && road.reviewer.is_some() {
            self.d.push(
                Diagnostic::error(
                    "RL501",
                    at,
                    format!("reviewer `{name}` is a live session, which remembers what it saw"),
                )
                .with_help("drop it: a reviewer begins with a bounded context of its own, each time"),
            );
        }
        let why = match (road.shape, road.carrier) {
            (Shape::Peer, _) => "a peer answers in its own time",
            (Shape::Coding | Shape::CodingLocal, _) => "a coding job outlives the call that starts it",
            (Shape::Human, _) => "a person answers in their own time",
            (_, Carrier::Manual) => "a person carries it",
            (_, Carrier::Queue) => "a queue carries it",
            _ => return,
        };
        if road.continuity != Continuity::DurableJob {
            self.d.push(
                Diagnostic::error("RL008", at, format!("road `{name}` is not durable, and {why}"))
                    .with_help("write `continuity durable_job`"),
            );
        }
    }

    fn check_projection(&mut self, road: &Road, decl: &ast::Road) {
        let code = match road.shape {
            Shape::Portal => "RL004",
            Shape::Peer => "RL002",
            Shape::Coding | Shape::Human => codes::DECLARATION,
            Shape::Local | Shape::CodingLocal | Shape::Choice => return,
        };
        if road.consumer.is_none() && decl.with.is_none() {
            self.d.push(
                Diagnostic::error(code, road.span, format!("road `{}` does not say what its receiver sees", road.name))
                    .with_help("write `with PROJECTION` or `with { field: class }`"),
            );
        }
    }

    /// RL801.
    fn check_receiver(&mut self, road: &Road) {
        if !runs(self.profile, "RL801") {
            return;
        }
        let allowed = may_get(road.shape);
        let Some(consumer) = road.consumer.filter(|_| !allowed.is_empty()) else { return };
        let fields = &self.consumers[consumer.index()].fields;
        let wrong: Vec<String> =
            fields.iter().filter(|(_, c)| !allowed.contains(&c.as_str())).map(|(f, c)| format!("{f}: {c}")).collect();
        if !wrong.is_empty() {
            let shown: Vec<&str> = wrong.iter().map(String::as_str).collect();
            self.d.push(
                Diagnostic::error(
                    "RL801",
                    road.span,
                    format!("the receiver of `{}` may not get {}", road.name, names::list(&shown)),
                )
                .with_help(format!("drop it, or give it a class that this receiver may get: {}", allowed.join(", "))),
            );
        }
    }

    fn check_peer(&mut self, road: &Road) {
        let mut missing = Vec::new();
        if road.attributes.get("authorisation").is_none_or(|a| a.trim().is_empty()) {
            missing.push("authorisation");
        }
        match road.attributes.get("return").map(String::as_str) {
            None => missing.push("return"),
            Some("outbox") => {}
            Some(other) => self.d.push(
                Diagnostic::error(
                    "RL002",
                    road.span,
                    format!("peer road `{}` returns by `{other}`, which does not outlive a crash", road.name),
                )
                .with_help("write `return outbox`"),
            ),
        }
        if !missing.is_empty() {
            self.d.push(
                Diagnostic::error(
                    "RL002",
                    road.span,
                    format!("peer road `{}` says no {}", road.name, names::list(&missing)),
                )
                .with_help("write `authorisation \"..\"` and `return outbox`"),
            );
        }
    }

    fn check_coding(&mut self, road: &Road, decl: &ast::Road) {
        let rl003 = |span: Span, message: String, help: &str| Diagnostic::error("RL003", span, message).with_help(help);
        let name = &road.name;
        let wanted = ["profile", "workspace", "artifacts", "network", "budget", "timeout", "cancel"];
        let missing: Vec<&str> = wanted.iter().copied().filter(|w| !road.attributes.contains_key(*w)).collect();
        if !missing.is_empty() {
            self.d.push(rl003(
                road.span,
                format!("coding road `{name}` says no {}", names::list(&missing)),
                "write them in its block: a job is contained by what its road says",
            ));
        }
        let at = |word: &str| {
            decl.block.entries.iter().find_map(|e| match e {
                Entry::Attr(n, v) if n.value == word => Some(super::targets::spelled(v).1),
                Entry::Table { name, .. } if name.value == word => Some(name.span),
                _ => None,
            })
        };
        let profile = road.attributes.get("profile").map(String::as_str);
        if let Some(p) = profile {
            if !["read", "candidate", "verify"].contains(&p) {
                self.d.push(rl003(
                    at("profile").unwrap_or(road.span),
                    format!("`{p}` is no profile of a coding job"),
                    "write `profile read`, `candidate` or `verify`",
                ));
            }
            let target = road.target.map(|t| &self.targets[t.index()]);
            if let Some(other) = target.and_then(|t| t.attributes.get("profile")).filter(|o| *o != p) {
                let span = target.map_or(road.span, |t| t.span);
                self.d.push(
                    rl003(
                        at("profile").unwrap_or(road.span),
                        format!("road `{name}` has profile `{p}`, and its runtime target `{other}`"),
                        "let both say the same",
                    )
                    .with_label(span, "the target"),
                );
            }
        }
        if let Some(n) = road.attributes.get("network").filter(|n| *n != "gate_only") {
            self.d.push(rl003(
                at("network").unwrap_or(road.span),
                format!("network `{n}` lets the job reach more than the provider gate"),
                "write `network gate_only`",
            ));
        }
        for e in &decl.block.entries {
            match e {
                Entry::Table { name, rows } if rows.is_empty() => {
                    self.d.push(rl003(name.span, format!("`{}` is empty", name.value), "list at least one"));
                }
                Entry::Table { name, rows } if name.value == "workspace" => self.check_workspace(rows, profile),
                Entry::Attr(n, v) if ["workspace", "artifacts"].contains(&n.value.as_str()) => {
                    let span = super::targets::spelled(v).1;
                    self.d.push(rl003(span, format!("`{}` is a table", n.value), "write `{ \"src\" read }`"));
                }
                Entry::Attr(n, v) if n.value == "timeout" => {
                    let time = matches!(v, ast::AttrValue::Qty(q) if q.value.number > 0
                        && !matches!(q.value.unit, None | Some(ast::Unit::Cents)));
                    if !time {
                        let span = super::targets::spelled(v).1;
                        self.d.push(rl003(span, "`timeout` is no time".into(), "write a time, `45m`"));
                    }
                }
                Entry::Attr(n, v) if n.value == "budget" => {
                    let money = matches!(v, ast::AttrValue::Qty(q) if q.value.number >= 0
                        && (q.value.unit == Some(ast::Unit::Cents) || q.value.number == 0));
                    if !money {
                        let span = super::targets::spelled(v).1;
                        self.d.push(rl003(span, "`budget` is no amount".into(), "write an amount, `450 cents`"));
                    }
                }
                _ => {}
            }
        }
        match (road.cognition, road.through) {
            (Cognition::Portal, None) if decl.through.is_none() => self.d.push(rl003(
                road.span,
                format!("coding road `{name}` does not say by which road its job reaches a model"),
                "write `through ROAD` and a `child of` flow",
            )),
            (Cognition::LocalModel, Some(_)) => self.d.push(rl003(
                decl.through.as_ref().map_or(road.span, |t| t.span),
                format!("coding road `{name}` has a local model and goes through a road"),
                "drop `through`, or write `coding_job portal`",
            )),
            (Cognition::Portal, Some(t)) => {
                let other = &self.roads[t.index()];
                if other.shape != Shape::Portal {
                    let e = rl003(
                        decl.through.as_ref().map_or(road.span, |t| t.span),
                        format!("`{}` is no portal road, and a job reaches a model only through one", other.name),
                        "name a `native portal` road",
                    )
                    .with_label(other.span, "this road");
                    self.d.push(e);
                }
                if !self.scope.children.iter().any(|c| c.road.value == *name) {
                    self.d.push(rl003(
                        road.span,
                        format!(
                            "coding road `{name}` goes through `{}` and has no child flow",
                            self.roads[t.index()].name
                        ),
                        "write `child of ROAD calls N { .. }`: each call of the job crosses its own gates",
                    ));
                }
            }
            _ => {}
        }
    }

    fn check_workspace(&mut self, rows: &[(ast::Atom, ast::Atom)], profile: Option<&str>) {
        let mut roots: Vec<(Vec<&str>, Span)> = Vec::new();
        for (root, mode) in rows {
            let (path, span) = atom(root);
            let (mode, mode_span) = atom(mode);
            let mut wrong = |span: Span, message: String, help: &str| {
                self.d.push(Diagnostic::error("RL003", span, message).with_help(help));
            };
            match mode {
                "read" => {}
                "write" if profile.is_none_or(|p| p == "candidate") => {}
                "write" => wrong(
                    mode_span,
                    format!("only profile `candidate` writes, and this is `{}`", profile.unwrap_or("unknown")),
                    "write `read`, or `profile candidate`",
                ),
                _ => wrong(mode_span, format!("`{mode}` is no way to use a workspace root"), "write `read` or `write`"),
            }
            let parts: Vec<&str> = path.split('/').collect();
            let strict = !path.is_empty()
                && !path.contains(['\\', '\0', ':', '~', '$'])
                && parts.iter().all(|p| !p.is_empty() && *p != "." && *p != ".." && p.trim() == *p);
            if !strict {
                wrong(
                    span,
                    format!("`{path}` is no strict child of the job's root"),
                    "write a relative path without `.` and `..`, `\"src\"`",
                );
                continue;
            }
            let clash = roots.iter().find(|(r, _)| r.starts_with(&parts) || parts.starts_with(r));
            if let Some((r, first)) = clash {
                let what = if *r == parts { "is listed twice" } else { "lies in another root, or holds one" };
                let e = Diagnostic::error("RL003", span, format!("workspace root `{path}` {what}"))
                    .with_label(*first, "the other root")
                    .with_help("let roots be disjoint, each once");
                self.d.push(e);
                continue;
            }
            roots.push((parts, span));
        }
    }

    /// RL010, RL209: roles that no fact has, for the roads that need them and for laws about other steps of the flow.
    pub(crate) fn check_roles(&mut self) {
        if !runs(self.profile, "RL010") {
            return;
        }
        // Roads that lack the same roles have made one mistake.
        let mut lacking: BTreeMap<(bool, Vec<&str>), Vec<RoadId>> = BTreeMap::new();
        for i in 0..self.roads.len() {
            let needed = needed_roles(&self.roads[i]).into_iter();
            let missing: Vec<&str> = needed.filter(|role| self.role_items(role).is_empty()).collect();
            let (again, once): (Vec<&str>, Vec<&str>) = missing.into_iter().partition(|role| is_read_again(role));
            let id = RoadId(u32::try_from(i).unwrap_or(u32::MAX));
            for (again, roles) in [(true, again), (false, once)].into_iter().filter(|(_, roles)| !roles.is_empty()) {
                lacking.entry((again, roles)).or_default().push(id);
            }
        }
        for ((_, roles), roads) in lacking {
            self.missing_roles(&roles, &roads);
        }
    }

    /// Reports that nothing fills roles that some roads need; all of them are of one law.
    pub(crate) fn missing_roles(&mut self, roles: &[&str], roads: &[RoadId]) {
        let Some((role, (first, others))) = roles.first().zip(roads.split_first()) else { return };
        let law = if is_read_again(role) { "RL209" } else { "RL010" };
        let code = self.law_or(law, law, codes::UNKNOWN_NAME);
        let named: Vec<&str> = roads.iter().map(|r| self.roads[r.index()].name.as_str()).collect();
        let who = match others {
            [] => format!("road {} needs", names::list(&named)),
            _ => format!("roads {} need", names::list(&named)),
        };
        let what = if roles.len() == 1 { "role" } else { "roles" };
        let first = self.roads[first.index()].span;
        let mut e =
            Diagnostic::error(code, first, format!("no fact has the {what} {}, which {who}", names::list(roles)))
                .with_help(format!("write `use std.facts`, or declare a fact `as {role}`"));
        for other in others {
            e = e.with_label(self.roads[other.index()].span, "and this road");
        }
        self.d.push(e);
    }
}

/// Egress and adopt read these two again by themselves: without the facts there is nothing to read (RL209).
fn is_read_again(role: &str) -> bool {
    matches!(role, "revoked" | "expired")
}

fn article(t: &str) -> String {
    match t {
        "int" | "evidence" => format!("an {t} fact"),
        "a latch" => "the run alone, as a latch".into(),
        _ => format!("a {t} fact"),
    }
}
