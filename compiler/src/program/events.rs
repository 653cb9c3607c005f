//! Events of a trace: one JSON object a line. All lines are read before the first event happens, so that wrong input
//! never stops a run halfway.

use super::binding::{Setting, bind};
use super::document::{self, Field, Item, Value, span};
use super::nearest::nearest;
use super::opened::Opened;
use roadlaw_grammar::diagnostic::Diagnostic;
use roadlaw_grammar::span::{FileId, Sources, Span};
use roadlaw_runtime::format::{OUTCOMES, obligation};

/// Fields of an event.
const FIELDS: [&str; 5] = ["facts", "outcome", "ack", "generation", "flow"];

/// One event.
#[derive(Debug)]
pub(crate) struct Event {
    /// Its line, from 1.
    pub(crate) line: usize,
    pub(crate) span: Span,
    /// Facts read just now; an empty object says that they were read again and did not change.
    pub(crate) facts: Option<Vec<Setting>>,
    pub(crate) facts_span: Span,
    pub(crate) outcome: Option<u8>,
    pub(crate) outcome_span: Span,
    /// Obligations that were met; all of them where an outcome comes without a list.
    pub(crate) ack: Option<u32>,
    /// The attempt that the outcome belongs to.
    pub(crate) generation: Option<u32>,
    /// The flow that is run; only before the first outcome.
    pub(crate) flow: Option<usize>,
}

/// Reads all events.
pub(crate) fn read(o: &Opened<'_>, sources: &Sources) -> Result<Vec<Event>, Vec<Diagnostic>> {
    let text = sources.file(FileId(0)).map_or("", |f| f.text.as_str());
    let (mut events, mut errors) = (Vec::new(), Vec::new());
    let mut start = 0;
    let mut begun = false;
    for (i, line) in text.split('\n').enumerate() {
        let end = start + line.len();
        if !line.trim().is_empty() {
            let made = document::read(FileId(0), text, start, end).map_err(|d| vec![d]);
            match made.and_then(|item| event(o, &item, i + 1, begun)) {
                Ok(event) => {
                    begun |= event.outcome.is_some();
                    events.push(event);
                }
                Err(wrong) => errors.extend(wrong),
            }
        }
        start = end + 1;
    }
    if errors.is_empty() { Ok(events) } else { Err(errors) }
}

fn event(o: &Opened<'_>, item: &Item, line: usize, begun: bool) -> Result<Event, Vec<Diagnostic>> {
    let Value::Object(fields) = &item.value else {
        return Err(vec![
            wrong(item.span, format!("an event is an object, and this is {}", item.noun()))
                .with_help("write {\"outcome\": \"ok\"} or {\"facts\": {..}}"),
        ]);
    };
    let mut errors = Vec::new();
    let mut event = Event {
        line,
        span: item.span,
        facts: None,
        facts_span: item.span,
        outcome: None,
        outcome_span: item.span,
        ack: None,
        generation: None,
        flow: None,
    };
    for f in fields {
        if let Err(mut found) = field(o, f, begun, &mut event) {
            errors.append(&mut found);
        }
    }
    if fields.is_empty() {
        errors.push(
            wrong(item.span, "the event says nothing").with_help("write \"outcome\", \"facts\" or \"ack\" into it"),
        );
    }
    if let Some(name) = event.facts.as_ref().and_then(|s| o.latch_among(s))
        && begun
    {
        errors.push(
            Diagnostic::error("F004", event.facts_span, format!("`{name}` is written by the run from here on"))
                .with_help("give what an earlier run left before the first outcome"),
        );
    }
    if errors.is_empty() { Ok(event) } else { Err(errors) }
}

fn field(o: &Opened<'_>, f: &Field, begun: bool, event: &mut Event) -> Result<(), Vec<Diagnostic>> {
    let one = |d: Diagnostic| Err(vec![d]);
    let at = f.item.span;
    match (f.name.as_str(), &f.item.value) {
        ("facts", _) => {
            event.facts = Some(bind(&o.names, &f.item)?);
            event.facts_span = at;
        }
        ("outcome", Value::Text(word)) => {
            event.outcome_span = at;
            match OUTCOMES.iter().position(|w| !w.is_empty() && w == word) {
                Some(code) => event.outcome = u8::try_from(code).ok(),
                None => return one(unknown(at, format!("no outcome `{word}`"), word, OUTCOMES.iter().copied())),
            }
        }
        ("ack", Value::List(items)) => {
            let (mut errors, mut met) = (Vec::new(), 0);
            for item in items {
                let known = match &item.value {
                    Value::Text(word) => obligation::NAMES.iter().position(|n| n == word).ok_or_else(|| {
                        unknown(item.span, format!("no obligation `{word}`"), word, obligation::NAMES.iter().copied())
                    }),
                    _ => Err(wrong(item.span, format!("an obligation is a string, and this is {}", item.noun()))),
                };
                match known {
                    Ok(bit) => met |= 1_u32 << bit,
                    Err(d) => errors.push(d),
                }
            }
            if !errors.is_empty() {
                return Err(errors);
            }
            event.ack = Some(met);
        }
        ("generation", Value::Int(n)) if u32::try_from(*n).is_ok() => event.generation = u32::try_from(*n).ok(),
        ("flow", Value::Text(word)) => {
            if begun {
                return one(wrong(f.name_span, "the flow is named before the first outcome"));
            }
            match o.symbols.flows.iter().position(|n| n == word) {
                Some(flow) => event.flow = Some(flow),
                None => {
                    let flows = o.symbols.flows.iter().map(String::as_str);
                    return one(unknown(at, format!("no flow `{word}` in this table"), word, flows));
                }
            }
        }
        (name, _) if FIELDS.contains(&name) => {
            let wanted = match name {
                "outcome" => "a string: the outcome of the node",
                "ack" => "a list of obligations",
                "generation" => "a number: the attempt that the outcome belongs to",
                _ => "a string: the name of a flow",
            };
            return one(wrong(at, format!("`{name}` cannot be {}", f.item.noun())).with_help(format!("write {wanted}")));
        }
        (name, _) => {
            return one(unknown(f.name_span, format!("an event has no field `{name}`"), name, FIELDS));
        }
    }
    Ok(())
}

fn wrong(at: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error("F005", at, message)
}

fn unknown<'a>(at: Span, message: String, word: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> Diagnostic {
    let mut d = wrong(at, message);
    d.help = Some(match nearest(word, known.clone().into_iter().filter(|w| !w.is_empty())) {
        Some(n) => format!("did you mean `{n}`?"),
        None => {
            let all: Vec<String> = known.into_iter().filter(|w| !w.is_empty()).map(|w| format!("`{w}`")).collect();
            format!("write one of {}", all.join(", "))
        }
    });
    d
}

/// The place where the input ends.
pub(crate) fn end(sources: &Sources) -> Span {
    let length = sources.file(FileId(0)).map_or(0, |f| f.text.len());
    span(FileId(0), length, length)
}
