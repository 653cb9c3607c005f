//! Ceilings: blocks of limits, with overrides, into integers. Ranges are checked here (RL009); which ceilings a road
//! needs is checked in `presence`.

use super::{Const, Lowering, codes, names};
use crate::model::Ceilings;
use roadlaw_grammar::ast::{self, AttrValue, Entry};
use roadlaw_grammar::diagnostic::Diagnostic;
use roadlaw_grammar::span::Span;
use std::collections::BTreeMap;

/// The ceilings, in the order of MODEL.md section 1.
pub(crate) const NAMES: &[&str] = &[
    "deadline",
    "requests",
    "concurrency",
    "fanout",
    "rounds",
    "uses",
    "tokens_in",
    "tokens_out",
    "tokens_total",
    "spend",
    "retries",
];

/// A deadline of more than this is a mistake: 366 days.
const MAX_MILLIS: i64 = 366 * 24 * 3_600_000;

/// The ceiling with a name: outer `None` if there is no such ceiling.
pub(crate) fn read(c: &Ceilings, name: &str) -> Option<Option<i64>> {
    Some(match name {
        "deadline" => c.deadline,
        "requests" => c.requests,
        "concurrency" => c.concurrency,
        "fanout" => c.fanout,
        "rounds" => c.rounds,
        "uses" => c.uses,
        "tokens_in" => c.tokens_in,
        "tokens_out" => c.tokens_out,
        "tokens_total" => c.tokens_total,
        "spend" => c.spend,
        "retries" => c.retries,
        _ => return None,
    })
}

fn write(c: &mut Ceilings, name: &str, value: i64) {
    let slot = match name {
        "deadline" => &mut c.deadline,
        "requests" => &mut c.requests,
        "concurrency" => &mut c.concurrency,
        "fanout" => &mut c.fanout,
        "rounds" => &mut c.rounds,
        "uses" => &mut c.uses,
        "tokens_in" => &mut c.tokens_in,
        "tokens_out" => &mut c.tokens_out,
        "tokens_total" => &mut c.tokens_total,
        "spend" => &mut c.spend,
        _ => &mut c.retries,
    };
    *slot = Some(value);
}

/// A span of time in milliseconds; a number without a unit of time as it is. Saturates.
pub(crate) fn millis(q: ast::Qty) -> i64 {
    let factor = match q.unit {
        Some(ast::Unit::S) => 1000,
        Some(ast::Unit::M) => 60_000,
        Some(ast::Unit::H) => 3_600_000,
        Some(ast::Unit::D) => 86_400_000,
        _ => 1,
    };
    q.number.saturating_mul(factor)
}

impl Lowering<'_> {
    /// The ceilings of a road: the limits it names, then those it writes itself.
    pub(crate) fn ceilings(&mut self, used: &[&ast::Limits]) -> Ceilings {
        let mut out = Ceilings::default();
        for limits in used {
            out.span = limits.span.span;
            if let Some(name) = &limits.name {
                match self.scope.limits.find(&name.value, &self.scope.aliases) {
                    Some(i) => {
                        self.used.insert(("limits", i));
                        let definition = self.scope.limits.entries[i].value;
                        if let Some(block) = &definition.block {
                            self.ceiling_block(block, &mut out);
                        }
                    }
                    None => {
                        let mut e = Diagnostic::error(
                            codes::UNKNOWN_NAME,
                            name.span,
                            format!("there are no limits called `{}`", name.value),
                        );
                        e.help = names::hint(&name.value, self.scope.limits.names());
                        self.d.push(e);
                        // The limits that were meant say what they say.
                        NAMES.iter().for_each(|n| write(&mut out, n, 1));
                    }
                }
            }
            if let Some(block) = &limits.block {
                self.ceiling_block(block, &mut out);
            }
        }
        out
    }

    /// Ceilings of one block over what is there already.
    pub(crate) fn ceiling_block(&mut self, block: &ast::Block, out: &mut Ceilings) {
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        for entry in &block.entries {
            match entry {
                Entry::Tokens { input, output, total, span } => {
                    if let Some(first) = seen.insert("tokens", span.span) {
                        self.d.push(super::scope::duplicate("ceiling", "tokens", span.span, first));
                        continue;
                    }
                    for (name, v) in [("tokens_in", input), ("tokens_out", output), ("tokens_total", total)] {
                        self.put_ceiling(out, name, v.value, v.span);
                    }
                }
                Entry::Attr(name, value) => {
                    if let Some(first) = seen.insert(&name.value, name.span) {
                        self.d.push(super::scope::duplicate("ceiling", &name.value, name.span, first));
                        continue;
                    }
                    if !NAMES.contains(&name.value.as_str()) {
                        if super::secrets::credential_name(&name.value) {
                            continue;
                        }
                        let mut e = Diagnostic::error(
                            codes::UNKNOWN_NAME,
                            name.span,
                            format!("there is no ceiling called `{}`", name.value),
                        );
                        e.help = names::closest(&name.value, NAMES.iter().copied().chain(["tokens"]))
                            .map(|c| format!("did you mean `{c}`?"))
                            .or_else(|| Some(format!("the ceilings are {}", names::list(NAMES))));
                        self.d.push(e);
                        // What was probably meant is not missing too.
                        if let Some(meant) = names::closest(&name.value, NAMES.iter().copied()) {
                            write(out, meant, 1);
                        }
                        continue;
                    }
                    match self.ceiling_value(&name.value, value) {
                        Some(v) => self.put_ceiling(out, &name.value, v.0, v.1),
                        None => write(out, &name.value, 1),
                    }
                }
                Entry::Filters(_) => self.stray(block.span.span, "filters"),
                Entry::Limits(l) => self.stray(l.span.span, "limits"),
                Entry::Table { name, .. } => self.stray(name.span, &name.value),
            }
        }
    }

    fn stray(&mut self, span: Span, what: &str) {
        self.d.push(
            Diagnostic::error(codes::DECLARATION, span, format!("limits hold ceilings, not `{what}`"))
                .with_help("move it into the road's block"),
        );
    }

    fn ceiling_value(&mut self, name: &str, value: &AttrValue) -> Option<(i64, Span)> {
        let time = name == "deadline";
        match value {
            AttrValue::Qty(q) => {
                use ast::Unit::{Cents, D, H, M, Ms, S};
                let fits = match q.value.unit {
                    Some(Ms | S | M | H | D) => time,
                    Some(Cents) => name == "spend",
                    None => !time && (name != "spend" || q.value.number == 0),
                };
                if !fits {
                    let want = if time {
                        "write a time, `30s`"
                    } else if name == "spend" {
                        "write an amount, `20 cents`"
                    } else {
                        "write a plain number"
                    };
                    self.d.push(
                        Diagnostic::error(codes::WRONG_TYPE, q.span, format!("`{name}` has the wrong unit"))
                            .with_help(want),
                    );
                    return None;
                }
                Some((millis(q.value), q.span))
            }
            AttrValue::Path(p) => match self.consts.get(&p.value) {
                Some(Const::Number(n)) if !time => Some((*n, p.span)),
                _ => {
                    self.d.push(
                        Diagnostic::error(
                            codes::WRONG_TYPE,
                            p.span,
                            format!("`{}` is no number for `{name}`", p.value),
                        )
                        .with_help("write a number, or a constant that is one"),
                    );
                    None
                }
            },
            AttrValue::Text(t) => {
                self.d.push(
                    Diagnostic::error(codes::WRONG_TYPE, t.span, format!("`{name}` is a number, not text"))
                        .with_help("drop the quotes"),
                );
                None
            }
        }
    }

    fn put_ceiling(&mut self, out: &mut Ceilings, name: &str, value: i64, span: Span) {
        let least = i64::from(!matches!(name, "spend" | "retries"));
        let most = if name == "deadline" { MAX_MILLIS } else { i64::from(i32::MAX) };
        if value < least || value > most {
            let code = self.law_or("RL009", "RL009", codes::OUT_OF_DOMAIN);
            let range = if name == "deadline" { "1ms to 366d".to_owned() } else { format!("{least} to {most}") };
            self.d.push(
                Diagnostic::error(code, span, format!("`{}` is out of range", name.replace("tokens_", "tokens ")))
                    .with_help(format!("write a value from {range}")),
            );
        }
        write(out, name, value.clamp(least, most));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_milliseconds_and_saturate() {
        let q = |number, unit| millis(ast::Qty { number, unit: Some(unit) });
        assert_eq!(q(30, ast::Unit::S), 30_000);
        assert_eq!(q(7, ast::Unit::D), 604_800_000);
        assert_eq!(q(i64::MAX, ast::Unit::D), i64::MAX);
    }

    #[test]
    fn every_ceiling_can_be_written_and_read() {
        for (i, name) in NAMES.iter().enumerate() {
            let mut c = Ceilings::default();
            let v = i64::try_from(i).unwrap_or(0) + 1;
            write(&mut c, name, v);
            assert_eq!(read(&c, name), Some(Some(v)), "{name}");
        }
        assert_eq!(read(&Ceilings::default(), "tokens"), None);
    }
}
