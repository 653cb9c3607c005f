//! Tree to text, in one layout: two spaces of indent, one edge a line, blocks on one line where they fit.
//!
//! For every tree that some text has, parsing the printed text gives that tree again (spans aside), so printing twice is
//! printing once. Ordinary comments are not in the tree; [`crate::comments`] finds them.

mod flow;
mod guard;
mod road;

use crate::ast::*;

/// Lines are kept this short where that is easily done.
const WIDTH: usize = 120;

/// The text of a file in canonical layout, with a line end at its end.
#[must_use]
pub fn print(file: &File) -> String {
    let mut p = Printer { out: String::new() };
    p.file(file);
    p.out
}

/// A `never` on one line.
#[must_use]
pub fn never(n: &Never) -> String {
    guard::never(n)
}

/// An `always` on one line.
#[must_use]
pub fn always(first: &Event, then: &Event, guard: Option<&Guard>) -> String {
    let when = guard.map_or_else(String::new, |g| format!(" when {}", guard::guard(g)));
    format!("always {} before {}{when}", guard::event(first), guard::event(then))
}

struct Printer {
    out: String,
}

impl Printer {
    fn line(&mut self, depth: usize, text: &str) {
        if !text.is_empty() {
            self.out.push_str(&"  ".repeat(depth));
            self.out.push_str(text);
        }
        self.out.push('\n');
    }

    fn docs(&mut self, depth: usize, docs: &[String]) {
        for d in docs {
            self.line(depth, format!("/// {d}").trim_end());
        }
    }

    fn file(&mut self, file: &File) {
        self.line(0, &format!("edition {}", number(file.edition.value)));
        self.line(0, "");
        for u in &file.uses {
            self.line(0, &use_item(u));
        }
        if !file.uses.is_empty() {
            self.line(0, "");
        }
        self.docs(0, &file.docs);
        let head = match &file.head {
            Head::Policy { name, version, profile } => {
                let profile = profile.as_ref().map_or(String::new(), |p| format!(" profile {}", p.value));
                format!("policy {}@{}{profile} {{", name.value, number(version.value))
            }
            Head::Library { name } => format!("library {} {{", name.value),
        };
        self.line(0, &head);
        let mut before: Option<&Item> = None;
        for item in &file.items {
            if before.is_some_and(|b| apart(b, item)) {
                self.line(0, "");
            }
            self.docs(1, &item.docs);
            self.item(&item.kind);
            before = Some(item);
        }
        self.line(0, "}");
    }

    fn item(&mut self, kind: &ItemKind) {
        match kind {
            ItemKind::Use(u) => self.line(1, &use_item(u)),
            ItemKind::Pins(pins) => {
                let parts: Vec<String> = pins.iter().map(|(n, t)| format!("{} \"{}\"", n.value, t.value)).collect();
                self.braced(1, "pins", &parts);
            }
            ItemKind::Facts(facts) => {
                self.line(1, "facts {");
                for f in facts {
                    self.docs(2, &f.docs);
                    self.line(2, &fact(f));
                }
                self.line(1, "}");
            }
            ItemKind::Const(name, v) => self.line(1, &format!("const {} = {}", name.value, value(v))),
            ItemKind::Let { name, guard, role } => {
                let role = role.as_ref().map_or(String::new(), |r| format!(" as {}", r.value));
                self.line(1, &format!("let {} = {}{role}", name.value, guard::guard(guard)));
            }
            ItemKind::Need { what, guard } => self.line(1, &format!("need {}{}", what.value, guard::when(guard))),
            ItemKind::Limits(l) => self.limits(1, l),
            ItemKind::Target { name, tag, block } => {
                self.block(1, &format!("target {} : {}", name.value, tag.value), block);
            }
            ItemKind::Projection { name, fields } => {
                self.line(1, &format!("projection {} {}", name.value, road::fields(fields)));
            }
            ItemKind::Filters(f) => self.filters(1, f),
            ItemKind::Group { role, floor, roads } => {
                self.line(1, &format!("role {} floor {} {{", role.value, floor.value));
                for (docs, r) in roads {
                    self.docs(2, docs);
                    self.road(2, r);
                }
                self.line(1, "}");
            }
            ItemKind::Road(r) => self.road(1, r),
            ItemKind::Counter { name, max, spent } => {
                self.line(1, &format!("counter {} = {} spent -> {}", name.value, number(max.value), flow::place(spent)))
            }
            ItemKind::Record(fields) => self.line(1, &format!("record {}", names(fields))),
            ItemKind::Export(e) => {
                let of = e.of.as_ref().map_or(String::new(), |o| format!(" of {}", o.value));
                let keyed =
                    if e.keyed.is_empty() { String::new() } else { format!(" keyed by {}", list(&e.keyed, ", ")) };
                let form = format!("{}{}{of}{keyed}", e.form.value, flow::args(&e.args));
                self.line(1, &format!("export {} : {form}", e.name.value));
            }
            ItemKind::Lane(l) => self.lane(l),
            ItemKind::Child { road, calls, steps } => {
                self.steps(&format!("child of {} calls {}", road.value, number(calls.value)), steps);
            }
            ItemKind::Flow(steps) => self.steps("flow", steps),
            ItemKind::FlowTemplate { template, args } => {
                self.line(1, &format!("flow {}{}", template.value, flow::args(args)));
            }
            ItemKind::Never(n) => self.line(1, &guard::never(n)),
            ItemKind::Always { first, then, guard } => self.line(1, &always(first, then, guard.as_ref())),
            ItemKind::Given(name, s) => self.setting(1, &format!("given {} =", name.value), s, ""),
            ItemKind::Test(t) => self.test(t),
        }
    }

    /// `head { part  part }` on one line, or its parts on as few lines as they fit.
    fn braced(&mut self, depth: usize, head: &str, parts: &[String]) {
        let open = if head.is_empty() { "{".to_owned() } else { format!("{head} {{") };
        let one = if parts.is_empty() { format!("{open} }}") } else { format!("{open} {} }}", parts.join("  ")) };
        // A number without unit takes a following `s`, `cents`, .. on its line for its unit.
        let clash = parts.windows(2).any(|w| takes_unit(&w[0], &w[1]));
        if !clash && 2 * depth + one.len() <= WIDTH {
            return self.line(depth, &one);
        }
        self.line(depth, &open);
        let mut row = String::new();
        let mut last: Option<&String> = None;
        for p in parts {
            let clash = last.is_some_and(|l| takes_unit(l, p));
            if !row.is_empty() && (clash || 2 * depth + 4 + row.len() + p.len() > WIDTH) {
                self.line(depth + 1, &row);
                row.clear();
            }
            if !row.is_empty() {
                row.push_str("  ");
            }
            row.push_str(p);
            last = Some(p);
        }
        if !row.is_empty() {
            self.line(depth + 1, &row);
        }
        self.line(depth, "}");
    }
}

/// Whether the end of one entry is a number that would take the next entry's name for its unit.
fn takes_unit(before: &str, after: &str) -> bool {
    let unit = after.split(' ').next().is_some_and(|w| matches!(w, "ms" | "s" | "m" | "h" | "d" | "cents"));
    unit && before.ends_with(|c: char| c.is_ascii_digit())
}

/// Items of different kinds, and items of more than a line, stand apart.
fn apart(a: &Item, b: &Item) -> bool {
    let small = |k: &ItemKind| {
        matches!(
            k,
            ItemKind::Use(_)
                | ItemKind::Const(..)
                | ItemKind::Let { .. }
                | ItemKind::Need { .. }
                | ItemKind::Counter { .. }
                | ItemKind::Record(_)
                | ItemKind::Export(_)
                | ItemKind::Never(_)
                | ItemKind::Always { .. }
                | ItemKind::Given(..)
                | ItemKind::Test(_)
                | ItemKind::Road(_)
        )
    };
    // `never` and `always` are one kind to a reader, and so are constants and what they are for.
    let group = |k: &ItemKind| match k {
        ItemKind::Never(_) | ItemKind::Always { .. } => 1,
        ItemKind::Const(..) | ItemKind::Let { .. } | ItemKind::Need { .. } => 2,
        ItemKind::Use(_) => 3,
        ItemKind::Counter { .. } => 4,
        ItemKind::Given(..) => 5,
        ItemKind::Test(_) => 6,
        ItemKind::Road(_) => 7,
        ItemKind::Record(_) | ItemKind::Export(_) => 8,
        _ => 0,
    };
    !small(&a.kind) || group(&a.kind) != group(&b.kind)
}

fn use_item(u: &Use) -> String {
    let alias = u.alias.as_ref().map_or(String::new(), |a| format!(" as {}", a.value));
    format!("use {}{alias}", u.path.value)
}

fn fact(f: &Fact) -> String {
    let life = match f.life.value {
        Life::Pinned => "pinned",
        Life::Sealed => "sealed",
        Life::Volatile => "volatile",
        Life::Latch => "latch",
        Life::Rank => "rank",
    };
    let ty = match &f.ty.value {
        Type::Bool => "bool".to_owned(),
        Type::Evidence => "evidence".to_owned(),
        Type::Enum(n) => format!("enum {}", names(n)),
        Type::Set(n) => format!("set {}", names(n)),
        Type::Level(n) => format!("level {{ {} }}", list(n, " < ")),
        Type::Int { lo, hi, cents } => {
            format!("int {}..{}{}", number(lo.value), number(hi.value), if *cents { " cents" } else { "" })
        }
    };
    let mut out = format!("{life} {} : {ty}", f.name.value);
    if let Some(p) = &f.per {
        out.push_str(&format!(" per {}", p.value));
    }
    if let Some(u) = &f.unknown {
        out.push_str(&format!("  unknown = {}", value(u)));
    }
    if let Some(r) = &f.role {
        out.push_str(&format!("  as {}", r.value));
    }
    out
}

fn list(words: &[Ident], between: &str) -> String {
    words.iter().map(|w| w.value.as_str()).collect::<Vec<_>>().join(between)
}

/// `{ a, b }`
fn names(words: &[Ident]) -> String {
    if words.is_empty() { "{ }".to_owned() } else { format!("{{ {} }}", list(words, ", ")) }
}

/// Digits in groups of three.
fn number(n: i64) -> String {
    let digits = n.unsigned_abs().to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push('_');
        }
        out.push(c);
    }
    if n < 0 { format!("-{out}") } else { out }
}

fn qty(q: Qty) -> String {
    let unit = match q.unit {
        None => "",
        Some(Unit::Ms) => "ms",
        Some(Unit::S) => "s",
        Some(Unit::M) => "m",
        Some(Unit::H) => "h",
        Some(Unit::D) => "d",
        Some(Unit::Cents) => " cents",
    };
    format!("{}{unit}", number(q.number))
}

fn value(v: &Value) -> String {
    match v {
        Value::Qty(q) => qty(q.value),
        Value::Path(p) => p.value.clone(),
    }
}
