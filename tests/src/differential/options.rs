//! Small policies that only choose, written at random: facts of every type, filters of every comparison, every way to rank.

use super::draw::Draw;
use std::fmt::Write;

/// A fact of the policy.
struct Fact {
    name: String,
    kind: Kind,
    per_road: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Bool,
    Enum,
    Level,
    Set,
    Int,
}

const WORDS: [&str; 4] = ["p", "q", "s", "t"];

/// A policy being written.
struct Writer<'d> {
    d: &'d mut Draw,
    facts: Vec<Fact>,
    lets: usize,
    roads: usize,
    /// How many words an enum, level or set has; the greatest number of an int.
    words: usize,
    most: usize,
}

/// The text of one.
#[must_use]
pub fn text(d: &mut Draw) -> String {
    let roads = [1, 2, 2, 2, 2, 3, 3, 5][d.below(8)];
    let (words, most) = ([2, 2, 3, 4][d.below(4)], [3, 5, 9, 100][d.below(4)]);
    let mut w = Writer { d, facts: Vec::new(), lets: 0, roads, words, most };
    let facts = w.facts();
    let lets = w.lets();
    let filters: String = (0..roads).map(|r| w.road(r)).collect();
    let flow = w.flow();
    let never = match w.d.below(6) {
        0 => format!("  never done when {}\n", w.guard(1, None)),
        _ => String::new(),
    };
    format!("edition 1\npolicy random.options@1 profile choice {{\n{facts}{lets}{filters}{flow}{never}}}\n")
}

impl Writer<'_> {
    fn facts(&mut self) -> String {
        let mut out = "  facts {\n".to_owned();
        let some = [1, 2, 2, 2, 3, 3, 4, 6][self.d.below(8)];
        for i in 0..some {
            let kind = *self.d.one(&[Kind::Bool, Kind::Bool, Kind::Enum, Kind::Level, Kind::Set, Kind::Int, Kind::Int]);
            let life = *self.d.one(&["pinned", "sealed", "volatile"]);
            let per_road = self.d.below(4) == 0;
            let words = &WORDS[..self.words];
            let (ty, some): (String, Vec<String>) = match kind {
                Kind::Bool => ("bool".into(), vec!["true".into(), "false".into()]),
                Kind::Enum => (format!("enum {{ {} }}", words.join(", ")), words.iter().map(|w| (*w).into()).collect()),
                Kind::Level => {
                    (format!("level {{ {} }}", words.join(" < ")), words.iter().map(|w| (*w).into()).collect())
                }
                Kind::Set => (format!("set {{ {} }}", words.join(", ")), Vec::new()),
                Kind::Int => (format!("int 0..{}", self.most), vec!["0".into(), self.most.to_string()]),
            };
            let name = format!("f{i}");
            let per = if per_road { " per road" } else { "" };
            let unknown = if some.is_empty() || self.d.below(2) == 0 {
                String::new()
            } else {
                format!(" unknown = {}", self.d.one(&some))
            };
            let _ = writeln!(out, "    {life} {name} : {ty}{per}{unknown}");
            self.facts.push(Fact { name, kind, per_road });
        }
        let _ = write!(out, "    rank cost : int 0..{} per road\n    rank load : int 0..2 per road\n  }}\n", self.most);
        out
    }

    fn lets(&mut self) -> String {
        let mut out = String::new();
        for i in 0..self.d.below(3) {
            let _ = writeln!(out, "  let l{i} = {}", self.guard(1, None));
            self.lets = i + 1;
        }
        out
    }

    /// A guard; of a road, where facts of a family are read as its own.
    fn guard(&mut self, depth: usize, road: Option<usize>) -> String {
        if depth > 0 && self.d.below(3) > 0 {
            let (a, b) = (self.guard(depth - 1, road), self.guard(depth - 1, road));
            return match self.d.below(4) {
                0 => format!("({a} or {b})"),
                1 => format!("not ({a} and {b})"),
                2 => format!("({a} or not {b})"),
                _ => format!("({a} and {b})"),
            };
        }
        if self.lets > 0 && self.d.below(6) == 0 {
            return format!("l{}", self.d.below(self.lets));
        }
        let f = self.d.below(self.facts.len());
        self.atom(f, road)
    }

    fn atom(&mut self, f: usize, road: Option<usize>) -> String {
        let name = |w: &mut Self, f: usize| match (w.facts[f].per_road, road) {
            (false, _) => w.facts[f].name.clone(),
            (true, Some(_)) if w.d.below(3) > 0 => w.facts[f].name.clone(),
            (true, _) => format!("{}[r{}]", w.facts[f].name, w.d.below(w.roads)),
        };
        let it = name(self, f);
        if self.d.below(10) == 0 {
            return format!("{it} is unknown");
        }
        let word = *self.d.one(&WORDS[..self.words]);
        let other = *self.d.one(&WORDS[..self.words]);
        let two = if word == other { word.to_owned() } else { format!("{word}, {other}") };
        let compared = *self.d.one(&["<=", ">=", "==", "!=", "<", ">"]);
        match self.facts[f].kind {
            Kind::Bool => [it.clone(), format!("not {it}")][self.d.below(2)].clone(),
            Kind::Enum if self.d.below(2) == 0 => format!("{it} in {{ {two} }}"),
            Kind::Enum => format!("{it} {} {word}", ["==", "!="][self.d.below(2)]),
            Kind::Level => format!("{it} {compared} {word}"),
            Kind::Set => match self.d.below(4) {
                0 => format!("{it} has any {{ {two} }}"),
                1 => format!("{it} has all {{ {two} }}"),
                2 => format!("not {it} has {word}"),
                _ => format!("{it} empty"),
            },
            Kind::Int => {
                let ints: Vec<usize> = (0..self.facts.len())
                    .filter(|i| self.facts[*i].kind == Kind::Int && !self.facts[*i].per_road && *i != f)
                    .collect();
                if !ints.is_empty() && self.most <= 9 && self.d.below(3) == 0 {
                    let right = self.facts[*self.d.one(&ints)].name.clone();
                    return format!("{it} {compared} {right} + {}", self.d.below(3));
                }
                format!("{it} {compared} {}", self.d.below(self.most + 1))
            }
        }
    }

    fn road(&mut self, r: usize) -> String {
        let some = [0, 1, 1, 1, 2, 2, 3][self.d.below(7)];
        let depth = self.d.below(3);
        let filters: String = (0..some).map(|i| format!("c{i} : {}  ", self.guard(depth, Some(r)))).collect();
        format!("  road r{r} : option {{ filters {{ {filters}}} }}\n")
    }

    /// Roads in some order, the first of them now and then.
    fn order(&mut self) -> Vec<usize> {
        let mut left: Vec<usize> = (0..self.roads).collect();
        let mut out = Vec::new();
        while !left.is_empty() {
            out.push(left.remove(self.d.below(left.len())));
        }
        out
    }

    fn ranked(&mut self) -> String {
        let roads = self.order().iter().map(|r| format!("r{r}")).collect::<Vec<_>>().join(", ");
        match self.d.below(4) {
            0 => "keys cost".to_owned(),
            1 => "keys load, cost".to_owned(),
            _ => format!("order {roads}"),
        }
    }

    fn choose(&mut self) -> String {
        let all = self.order().iter().map(|r| format!("r{r}")).collect::<Vec<_>>().join(", ");
        let by = |k: &Fact| !k.per_road && matches!(k.kind, Kind::Enum | Kind::Level);
        let by: Vec<String> = self.facts.iter().filter(|f| by(f)).map(|f| f.name.clone()).collect();
        if !by.is_empty() && self.d.below(2) == 0 {
            let fact = self.d.one(&by).clone();
            let orders: String = (0..self.words).map(|i| format!("      {} : {}\n", WORDS[i], self.ranked())).collect();
            return format!("choose {{ {all} }} by {fact} {{\n{orders}    }}");
        }
        match self.ranked() {
            keys if keys.starts_with("keys") => format!("choose {{ {all} }} in {keys}"),
            _ => format!("choose {{ {all} }} in order"),
        }
    }

    fn flow(&mut self) -> String {
        let mut out = "  flow {\n".to_owned();
        if self.d.below(4) == 0 {
            let g = self.guard(1, None);
            let _ = write!(out, "    start when {g} -> choose\n    start when not ({g}) -> refused(no)\n");
        } else {
            out.push_str("    start -> choose\n");
        }
        let choose = self.choose();
        if self.d.below(3) == 0 {
            let _ = writeln!(out, "    {choose}");
            for r in 0..self.roads {
                let to = *self.d.one(&["done", "done", "refused(kind)"]);
                let _ = writeln!(out, "    choose.r{r} -> {to}");
            }
        } else {
            let _ = writeln!(out, "    {choose} each -> done");
        }
        let counter = match self.d.below(4) {
            0 => {
                let g = self.guard(1, None);
                let _ = write!(
                    out,
                    "    node again : own\n    choose.none when {g} -loop-> again takes rounds\n    choose.none else -> refused(none)\n    \
                     again -> choose\n    again.failed -> refused(none)\n"
                );
                format!("  counter rounds = {}  spent -> refused(rounds)\n", 1 + self.d.below(3))
            }
            1 => {
                let g = self.guard(1, None);
                let _ =
                    write!(out, "    choose.none when {g} -> refused(one)\n    choose.none else -> refused(other)\n");
                String::new()
            }
            _ => {
                out.push_str("    choose.none -> pending_no_road\n");
                String::new()
            }
        };
        out.push_str("    else -> refused(input)\n  }\n");
        counter + &out
    }
}
