//! Diagnostics for people: the source underlined, notes, what to write instead, and the counterexample as a table of
//! the path with the gates held at each step.

use super::style;
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet, normalize_untrusted_str};
use roadlaw_grammar::diagnostic::{Diagnostic, Severity, Witness, WitnessFact, WitnessStep};
use roadlaw_grammar::span::{FileId, Sources, Span};
use std::fmt::Write;

/// All diagnostics, in the order given, an empty line after each.
pub(crate) fn diagnostics(sources: &Sources, diagnostics: &[Diagnostic]) -> String {
    let mut text = String::new();
    for d in diagnostics {
        text += &diagnostic(sources, d);
        text += "\n";
    }
    text
}

fn diagnostic(sources: &Sources, d: &Diagnostic) -> String {
    let level = match d.severity {
        Severity::Error => Level::ERROR,
        Severity::Note => Level::NOTE,
    };
    let mut group = Group::with_title(level.primary_title(d.message.as_str()).id(d.code));
    for (file, marks) in places(d) {
        if let Some(snippet) = snippet(sources, file, &marks) {
            group = group.element(snippet);
        }
    }
    for note in &d.notes {
        group = group.element(Level::NOTE.message(normalize_untrusted_str(note)));
    }
    if let Some(help) = &d.help {
        group = group.element(Level::HELP.message(normalize_untrusted_str(help)));
    }
    let mut text = Renderer::styled().render(&[group]);
    text.push('\n');
    if let Some(w) = &d.witness {
        text += &witness(w);
    }
    text
}

/// A mark in one file: where, what it says, and whether it is the one to blame.
type Mark<'a> = (Span, &'a str, AnnotationKind);

/// Marks by file: the primary's file first, then in order of appearance.
fn places(d: &Diagnostic) -> Vec<(FileId, Vec<Mark<'_>>)> {
    let mut files: Vec<(FileId, Vec<Mark<'_>>)> =
        vec![(d.primary.file, vec![(d.primary, d.primary_label.as_str(), AnnotationKind::Primary)])];
    for label in &d.labels {
        let mark = (label.span, label.message.as_str(), AnnotationKind::Context);
        match files.iter_mut().find(|(f, _)| *f == label.span.file) {
            Some((_, marks)) => marks.push(mark),
            None => files.push((label.span.file, vec![mark])),
        }
    }
    files
}

/// The lines that the marks touch. Only these are handed to the renderer: a large file costs nothing, and spans are cut
/// to what is there, so that a wrong one cannot stop the program.
fn snippet<'a>(sources: &'a Sources, file: FileId, marks: &[Mark<'a>]) -> Option<Snippet<'a, Annotation<'a>>> {
    let source = sources.file(file)?;
    let text = source.text.as_str();
    let clamped: Vec<_> = marks.iter().map(|(s, l, k)| (first_line(text, clamp(text, *s)), *l, *k)).collect();
    let from = clamped.iter().map(|(r, _, _)| r.start).min()?;
    let to = clamped.iter().map(|(r, _, _)| r.end).max()?;
    let from = text[..from].rfind('\n').map_or(0, |i| i + 1);
    let to = text[to..].find('\n').map_or(text.len(), |i| to + i);
    let line = text[..from].matches('\n').count() + 1;
    let annotations = clamped.into_iter().map(|(range, label, kind)| {
        let annotation = kind.span(range.start - from..range.end - from);
        if label.is_empty() { annotation } else { annotation.label(label) }
    });
    Some(Snippet::source(&text[from..to]).path(style::plain(&source.name)).line_start(line).annotations(annotations))
}

/// What a range has on its first line. A label at the end of several lines stands far from what it speaks of.
fn first_line(text: &str, range: std::ops::Range<usize>) -> std::ops::Range<usize> {
    let line = text[range.clone()].lines().next().unwrap_or_default().trim_end();
    range.start..range.start + line.len()
}

fn clamp(text: &str, span: Span) -> std::ops::Range<usize> {
    let floor = |at: u32| {
        let mut at = (at as usize).min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let start = floor(span.start);
    start..floor(span.end).max(start)
}

/// Facts, then the path. Columns are as wide as their widest entry.
fn witness(w: &Witness) -> String {
    let mut text = format!("  {}\n", style::strong("counterexample"));
    let gives = |i: usize| {
        let answer = w.answers.get(i).map(|a| format!("    {:8}  {}\n", "gives", style::plain(a)));
        answer.unwrap_or_default()
    };
    text += &facts("facts", &w.facts);
    text += &gives(0);
    if !w.other_facts.is_empty() {
        // What both vectors share was said.
        let apart: Vec<WitnessFact> = w.other_facts.iter().filter(|f| !w.facts.contains(f)).cloned().collect();
        text += &facts("against", &apart);
        text += &gives(1);
    }
    if w.path.is_empty() {
        return text;
    }
    let width = |f: fn(&WitnessStep) -> &str| w.path.iter().map(|s| f(s).chars().count()).max().unwrap_or(0);
    let (node, outcome) = (width(|s| &s.node).max(4), width(|s| &s.outcome));
    for (i, step) in w.path.iter().enumerate() {
        for line in rows("now ", &step.facts) {
            let _ = writeln!(text, "    {:8}  {}", "", style::faint(line));
        }
        let lead = if i == 0 { "path" } else { "" };
        let held = if step.held.is_empty() { "-".to_owned() } else { step.held.join(" ") };
        let _ = writeln!(
            text,
            "    {lead:8}  {:node$}  {:outcome$}  {}",
            style::plain(&step.node),
            step.outcome,
            style::faint(format_args!("holds {held}"))
        );
        if let Some(fault) = &step.fault {
            let _ = writeln!(text, "    {:8}  {} {}", "", style::bad("^^"), style::bad(style::plain(fault)));
        }
    }
    text
}

fn facts(title: &str, facts: &[WitnessFact]) -> String {
    if facts.is_empty() {
        return format!("    {title:8}  {}\n", style::faint("any"));
    }
    let mut text = String::new();
    for (i, line) in rows("", facts).into_iter().enumerate() {
        let lead = if i == 0 { title } else { "" };
        let _ = writeln!(text, "    {lead:8}  {line}");
    }
    text
}

/// Facts as a `test` of the language sets them, as many in a line as fit: a road that may be chosen takes twenty.
fn rows(lead: &str, facts: &[WitnessFact]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for (i, f) in facts.iter().enumerate() {
        let comma = if i + 1 < facts.len() { "," } else { "" };
        let setting = match f.value.as_str() {
            "true" => format!("{}{comma}", f.name),
            "false" => format!("not {}{comma}", f.name),
            value => format!("{} {value}{comma}", f.name),
        };
        let setting = style::plain(&setting).to_string();
        match out.last_mut() {
            Some(line) if line.chars().count() + setting.chars().count() < 100 => {
                line.push(' ');
                line.push_str(&setting);
            }
            Some(_) => out.push(format!("{:1$}{setting}", "", lead.chars().count())),
            None => out.push(format!("{lead}{setting}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{clamp, diagnostics};
    use roadlaw_grammar::diagnostic::{Diagnostic, Witness, WitnessFact, WitnessStep};
    use roadlaw_grammar::span::{FileId, Sources, Span};

    fn shown(sources: &Sources, d: Diagnostic) -> String {
        anstream::adapter::strip_str(&diagnostics(sources, &[d])).to_string()
    }

    #[test]
    fn the_source_is_underlined_and_the_path_shows_the_gates() {
        let mut sources = Sources::default();
        let file = sources.add("desk.road", "one\nminimize(a) when weight <= 40 -> reserve(a)\nthree\n");
        let library = sources.add("std.lanes", "lane portal(r: road portal)\n");
        let mut d = Diagnostic::error("RL104", Span::new(file, 21, 33), "`weight <= 40` is wider than `not need cut`")
            .with_primary_label("open at 40")
            .with_label(Span::new(library, 5, 11), "in this lane")
            .with_note("the need begins at 40")
            .with_help("write `weight < 40`");
        d.witness = Some(Witness {
            facts: vec![WitnessFact { name: "weight".into(), value: "40".into() }],
            path: vec![
                WitnessStep {
                    node: "start".into(),
                    outcome: "ok".into(),
                    held: Vec::new(),
                    fault: None,
                    facts: Vec::new(),
                },
                WitnessStep {
                    node: "send(a)".into(),
                    outcome: String::new(),
                    held: vec!["CLS".into(), "MIN(a)".into()],
                    fault: Some("CUT(a) is not held".into()),
                    facts: vec![WitnessFact { name: "usage[a]".into(), value: "true".into() }],
                },
            ],
            ..Witness::default()
        });
        let expected = "\
error[RL104]: `weight <= 40` is wider than `not need cut`
 --> desk.road:2:18
  |
2 | minimize(a) when weight <= 40 -> reserve(a)
  |                  ^^^^^^^^^^^^ open at 40
  |
 ::: std.lanes:1:6
  |
1 | lane portal(r: road portal)
  |      ------ in this lane
  |
  = note: the need begins at 40
  = help: write `weight < 40`
  counterexample
    facts     weight 40
    path      start    ok  holds -
              now usage[a]
              send(a)      holds CLS MIN(a)
              ^^ CUT(a) is not held

";
        assert_eq!(shown(&sources, d), expected);
    }

    #[test]
    fn wrong_spans_are_cut_to_the_text() {
        let mut sources = Sources::default();
        let file = sources.add("a.road", "é\n");
        assert_eq!(clamp("é\n", Span::new(file, 1, 900)), 0..3);
        for span in [Span::new(file, 1, 1), Span::new(file, 3, 3), Span::new(file, 9, 2), Span::new(FileId(7), 0, 1)] {
            assert!(shown(&sources, Diagnostic::error("S001", span, "m")).starts_with("error[S001]: m"));
        }
    }

    #[test]
    fn a_span_of_several_lines_is_marked_on_its_first() {
        let mut sources = Sources::default();
        let file = sources.add("a.road", "a -> b  \n  changes { model,\n region }\n");
        let d = Diagnostic::error("RL301", Span::new(file, 0, 36), "m").with_primary_label("here");
        let expected = "error[RL301]: m\n --> a.road:1:1\n  |\n1 | a -> b  \n  | ^^^^^^ here\n\n";
        assert_eq!(shown(&sources, d), expected);
    }

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        let mut sources = Sources::default();
        let file = sources.add("a\u{1b}[31m.road", "x\u{1b}[2Jy\n");
        let d = Diagnostic::error("S001", Span::new(file, 0, 1), "bad \u{1b}[2J").with_note("n \u{7}");
        let text = diagnostics(&sources, &[d]);
        assert!(
            !text.contains("\u{1b}[2J") && !text.contains("\u{1b}[31m.road") && !text.contains('\u{7}'),
            "{text:?}"
        );
    }
}
