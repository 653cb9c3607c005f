//! Whole policies that are changed at random.

use super::draw::Draw;
use crate::reference::facts::eligible;
use crate::reference::search::free;
use crate::{SHORTEST, policies};
use roadlaw_compiler::lower::{Input, lower};
use roadlaw_compiler::model::{Cell, FactId, Model, RoadId};
use roadlaw_grammar::diagnostic::Severity;
use std::collections::BTreeMap;

/// Two portals, the second by a declared fallback; a round with a counter after an invalid answer.
#[must_use]
pub fn two_portals() -> String {
    let second = r#"
  target eu : portal { provider "mistral" service "api" model "large" operation "chat" origin "https://eu.example" path "/v1/chat"
                       region eu custody direct retention none training none evidence verified }
  road eu : native portal to eu with { prompt: instructions } { limits one filters { use std.filters.portal } }
  counter rounds = 2  spent -> refused(answer)
  flow {
    start -> classify -> choose
    choose { llama, gpt, eu } in order each -> run
    choose.none     -> pending_no_road
    run.ok          -> accept -> done
    run(gpt).unsent -fallback-> classify changes { provider, service, model, operation, origin, path, region, retention, training, price_class, custody, consumer, projection }
    run(llama).unsent -> refused(road)
    run(eu).unsent  -> refused(road)
    run.uncertain   -> settle
    run.cancelled   -> cancelled
    run.expired     -> expired
    run.others      -> refused(road)
    accept.negative -> refused(answer)
    accept.invalid  -loop-> classify changes { content } takes rounds
    accept.others   -> refused(answer)
    settle.effect   -> accept
    settle.unknown  -> indeterminate
    settle.others   -> refused(road)
    else            -> refused(gate)
  }
  test"#;
    let text = SHORTEST.replace("  flow std.first(llama, gpt)\n", "").replacen("  test", second, 1);
    text.replace(
        "use std.first",
        "use std.facts\n  use std.lanes\n  use std.filters\n  need cut when weight >= portal_threshold",
    )
}

/// [`SHORTEST`], with a test that opens everything.
///
/// # Panics
/// If it ends with no brace.
#[must_use]
pub fn clear(text: &str) -> String {
    let end = text.rfind('}').expect("a policy ends with a brace");
    format!("{}  test \"clear\" std.clear {{ labels {{ }} }} => call(llama)\n}}\n", &text[..end])
}

/// A policy, and facts under which as many of its roads are open as under those of any of its tests.
#[derive(Debug)]
pub struct Base {
    /// The policy.
    pub model: Model,
    /// The facts.
    pub given: BTreeMap<FactId, Cell>,
}

impl Base {
    /// Two facts that its guards read, or three: the `n`th such set.
    #[must_use]
    pub fn some_facts(&self, n: usize) -> Vec<FactId> {
        let all: Vec<FactId> = free(&self.model).into_iter().map(|(f, _)| f).collect();
        let mut d = Draw::of(0, n as u64);
        let mut stay: Vec<FactId> = (0..2).map(|_| *d.one(&all)).collect();
        if n.is_multiple_of(3) {
            stay.extend(all.iter().filter(|f| self.model.fact(**f).name == "weight"));
        }
        stay.sort_unstable();
        stay.dedup();
        stay
    }
}

/// The model of a text, or the codes of its errors.
///
/// # Errors
/// What is wrong with the text alone.
///
/// # Panics
/// If a text without errors has no model.
pub fn read(text: &str) -> Result<Model, Vec<&'static str>> {
    let out = lower(Input { name: "t.road".into(), bytes: text.as_bytes().to_vec(), root: None });
    let errors: Vec<_> = out.diagnostics.iter().filter(|d| d.severity == Severity::Error).map(|d| d.code).collect();
    if errors.is_empty() { Ok(out.model.expect("a model")) } else { Err(errors) }
}

/// The model of a text without errors.
///
/// # Panics
/// If it has some.
#[must_use]
pub fn model(text: &str) -> Model {
    read(text).unwrap_or_else(|codes| panic!("{codes:?}\n{text}"))
}

fn base(text: &str) -> Base {
    let model = model(text);
    let open = |given: &BTreeMap<FactId, Cell>| {
        let mut at = vec![Cell::Unknown; model.facts.len()];
        model.facts.iter().zip(&mut at).filter(|(f, _)| f.latch.is_some()).for_each(|(_, c)| *c = Cell::Known(0));
        given.iter().for_each(|(f, c)| at[f.index()] = *c);
        let roads = (0..model.roads.len()).map(|i| RoadId(crate::reference::facts::id(i)));
        roads.filter(|r| eligible(&model, *r, &at)).count()
    };
    let most = model.tests.iter().map(|t| &t.facts).rev().max_by_key(|given| open(given)).cloned();
    Base { given: most.unwrap_or_default(), model }
}

/// All of them.
///
/// # Panics
/// If an example cannot be read.
#[must_use]
pub fn bases() -> Vec<Base> {
    let examples = policies("examples").into_iter().map(|p| std::fs::read_to_string(p).expect("text"));
    [clear(SHORTEST), clear(&two_portals())].into_iter().chain(examples).map(|t| base(&t)).collect()
}
