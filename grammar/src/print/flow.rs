//! Lanes and the steps of flows.

use super::{Printer, WIDTH, guard, list, names};
use crate::ast::*;

/// `(a, b)`, or nothing.
pub(super) fn args(words: &[Ident]) -> String {
    if words.is_empty() { String::new() } else { format!("({})", list(words, ", ")) }
}

/// `send(r).lost`
pub(super) fn call(name: &Ident, words: &[Ident], outcome: Option<&Ident>) -> String {
    let outcome = outcome.map_or(String::new(), |o| format!(".{}", o.value));
    format!("{}{}{outcome}", name.value, args(words))
}

pub(super) fn place(p: &Place) -> String {
    let alias = p.alias.as_ref().map_or(String::new(), |a| format!(" as {}", a.value));
    format!("{}{}{}{alias}", p.name.value, args(&p.args), if p.optional { "?" } else { "" })
}

fn order(o: &Order) -> String {
    match o {
        Order::Keys { keys, .. } => format!("keys {}", list(keys, ", ")),
        Order::Static { roads, without, .. } => {
            let mut out = "order".to_owned();
            if !roads.is_empty() {
                out.push_str(&format!(" {}", list(roads, ", ")));
            }
            if !without.is_empty() {
                out.push_str(&format!(" without {}", list(without, ", ")));
            }
            out
        }
    }
}

fn ports(e: &Edge) -> String {
    if e.from.is_empty() {
        return "else".to_owned();
    }
    e.from.iter().map(|p| call(&p.name, &p.args, p.outcome.as_ref())).collect::<Vec<_>>().join(", ")
}

/// What stands before the first arrow.
fn source(e: &Edge) -> String {
    match &e.cond {
        Cond::None => ports(e),
        Cond::When(g) => format!("{} when {}", ports(e), guard::guard(g)),
        Cond::Else => format!("{} else", ports(e)),
    }
}

fn rest(e: &Edge) -> String {
    let mut out = String::new();
    for h in &e.hops {
        let arrow = match h.kind.value {
            HopKind::Next => "->",
            HopKind::Loop => "-loop->",
            HopKind::Retry => "-retry->",
            HopKind::Redirect => "-redirect->",
            HopKind::Fallback => "-fallback->",
            HopKind::Redeliver => "-redeliver->",
            HopKind::Resume => "-resume->",
        };
        out.push_str(&format!(" {arrow} {}", place(&h.place)));
    }
    match &e.changes {
        Some(Changes::Hole(_)) => out.push_str(" changes ?"),
        Some(Changes::Words(w, _)) => out.push_str(&format!(" changes {}", names(w))),
        None => {}
    }
    if let Some(t) = &e.takes {
        out.push_str(&format!(" takes {}", t.value));
    }
    out
}

impl Printer {
    pub(super) fn lane(&mut self, l: &Lane) {
        let params: Vec<String> = l
            .params
            .iter()
            .map(|p| match &p.kind {
                ParamKind::Road(shape) => format!("{}: road {}", p.name.value, shape.value),
                ParamKind::Counter => format!("{}: counter", p.name.value),
                ParamKind::Place => format!("{}: place", p.name.value),
            })
            .collect();
        self.steps(&format!("lane {}({}) exits {}", l.name.value, params.join(", "), names(&l.exits)), &l.steps);
    }

    pub(super) fn steps(&mut self, head: &str, steps: &[Step]) {
        self.line(1, &format!("{head} {{"));
        for s in steps {
            match s {
                Step::Node { name, kind, args: a, role } => {
                    let role = role.as_ref().map_or(String::new(), |r| format!(" as {}", r.value));
                    self.line(2, &format!("node {} : {}{}{role}", name.value, kind.value, args(a)));
                }
                Step::Choose(c) => self.choose(c),
                Step::Edge(e) => self.edge(e),
            }
        }
        self.line(1, "}");
    }

    fn edge(&mut self, e: &Edge) {
        let (from, to) = (source(e), rest(e));
        if 4 + from.len() + to.len() <= WIDTH || e.from.len() < 2 {
            return self.line(2, &format!("{from}{to}"));
        }
        self.line(2, &from);
        self.line(3, to.trim_start());
    }

    fn choose(&mut self, c: &Choose) {
        let name = c.name.as_ref().map_or(String::new(), |n| format!("{} ", n.value));
        let head = format!("choose {name}{}", names(&c.candidates));
        let each = c.each.as_ref().map_or(String::new(), |e| format!(" each -> {}", e.value));
        match &c.rank {
            Rank::One(o) => self.line(2, &format!("{head} in {}{each}", order(o))),
            Rank::By { fact, profiles } => {
                self.line(2, &format!("{head} by {} {{", fact.value));
                let width = profiles.iter().map(|(v, _)| v.value.len()).max().unwrap_or(0).min(24);
                for (v, o) in profiles {
                    self.line(3, &format!("{:width$} : {}", v.value, order(o)));
                }
                self.line(2, &format!("}}{each}"));
            }
        }
    }
}
