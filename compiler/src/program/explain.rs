//! `roadlaw explain CODE`.

use super::args::Format;
use super::codes::{INPUT, STRUCTURE, TEXT};
use super::fault::Fault;
use super::nearest::nearest;
use super::{Answer, Exit, json, style};
use roadlaw_compiler::laws::catalogue::{self, LAWS, Law, SHAPES};
use roadlaw_compiler::prove::checked_by;
use serde_json::json;

/// What the code means, or a fault that names the nearest code.
pub(crate) fn explain(code: &str, format: Format) -> Result<Answer, Fault> {
    let text = if let Some(law) = catalogue::find(code) {
        match format {
            Format::Human => human(law),
            Format::Json => json::line(&json!({
                "code": law.code,
                "title": law.title,
                "shape": law.shape,
                "protects": law.protects,
                "bad": law.bad,
                "repaired": law.repaired,
                "fix": law.fix,
                "checked": checked_by(law.code),
            })),
        }
    } else if let Some((code, meaning)) = plain_codes().find(|(c, _)| c.eq_ignore_ascii_case(code)) {
        match format {
            Format::Human => format!("{}  {meaning}\n", style::strong(code)),
            Format::Json => json::line(&json!({ "code": code, "title": meaning })),
        }
    } else {
        let upper = code.to_ascii_uppercase();
        let known = LAWS.iter().map(|l| l.code).chain(plain_codes().map(|(c, _)| c));
        let help = nearest(&upper, known).map(|c| format!("did you mean `{c}`?"));
        return Err(Fault::Usage { message: format!("no code `{}`", style::plain(code)), help });
    };
    Ok(Answer { text, exit: Exit::Proved })
}

/// Codes that are no laws, with what they mean.
fn plain_codes() -> impl Iterator<Item = (&'static str, &'static str)> {
    TEXT.iter().chain(STRUCTURE).chain(INPUT).copied()
}

fn human(law: &Law) -> String {
    let mut text = format!("{}  {}\n\n", style::strong(law.code), law.title);
    text += &wrap(law.protects);
    text += &format!("\n{}\n{}\n", style::bad("rejected"), indent(law.bad));
    text += &format!("\n{}\n{}\n", style::good("accepted"), indent(law.repaired));
    text += &format!("\n{}\n{}", style::strong("how to mend it"), wrap(law.fix));
    for shape in law.shape.split(", ") {
        if let Some((_, meaning)) = SHAPES.iter().find(|(s, _)| *s == shape) {
            text += &format!("\n{}", style::faint(format_args!("{shape}: {meaning}\n")));
        }
    }
    text += &format!("{}\n", style::faint(format_args!("checked: {}", checked_by(law.code))));
    text
}

fn indent(block: &str) -> String {
    block.lines().map(|l| format!("    {l}")).collect::<Vec<_>>().join("\n")
}

/// Breaks at spaces so that lines stay within 100 characters.
fn wrap(text: &str) -> String {
    let mut out = String::new();
    let mut width = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > 100 {
            out.push('\n');
            width = 0;
        }
        if width > 0 {
            out.push(' ');
            width += 1;
        }
        out += word;
        width += length;
    }
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use super::{Fault, Format, explain, wrap};

    #[test]
    fn near_codes_are_named() {
        for (typed, meant) in [("RL1O4", "RL104"), ("rl1044", "RL104"), ("F01", "F001")] {
            let Err(Fault::Usage { help, .. }) = explain(typed, Format::Human) else { panic!("{typed} is no code") };
            assert_eq!(help, Some(format!("did you mean `{meant}`?")));
        }
        assert!(matches!(explain("nonsense", Format::Human), Err(Fault::Usage { help: None, .. })));
    }

    #[test]
    fn long_text_is_broken_at_spaces() {
        let text = wrap(&"word ".repeat(60));
        assert!(text.lines().all(|l| l.len() <= 100));
        assert_eq!(text.split_whitespace().count(), 60);
    }
}
