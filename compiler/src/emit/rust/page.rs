//! Lines as rustfmt would leave them (its default style). The emitted shapes are few and chosen so that rustfmt has nothing to
//! join or to wrap but what this file knows of: parameter lists and arms of a `match`.

use super::super::names::visible;

/// Greatest width of a line of code.
const WIDTH: usize = 100;

/// A file that is being written.
#[derive(Debug, Default)]
pub(super) struct Page {
    text: String,
    depth: usize,
}

impl Page {
    pub(super) fn into_text(self) -> String {
        self.text
    }

    /// An empty line.
    pub(super) fn gap(&mut self) {
        self.text.push('\n');
    }

    pub(super) fn line(&mut self, line: &str) {
        self.text.extend(std::iter::repeat_n(' ', 4 * self.depth));
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Lines that are indented already.
    pub(super) fn verbatim(&mut self, lines: &str) {
        self.text.push_str(lines);
    }

    /// A line that opens a block, up to [`Page::close`].
    pub(super) fn open(&mut self, line: &str) {
        self.line(line);
        self.depth += 1;
    }

    pub(super) fn close(&mut self, line: &str) {
        self.depth = self.depth.saturating_sub(1);
        self.line(line);
    }

    /// The last line of a block that has no line of its own for its end.
    pub(super) fn close_after(&mut self, line: &str) {
        self.line(line);
        self.depth = self.depth.saturating_sub(1);
    }

    /// Lines that are indented already, and end the open block.
    pub(super) fn verbatim_to_end(&mut self, lines: &str) {
        self.verbatim(lines);
        self.depth = self.depth.saturating_sub(1);
    }

    /// What stands in a block whose first line was written verbatim.
    pub(super) fn inside(&mut self, write: impl FnOnce(&mut Self)) {
        self.depth += 1;
        write(self);
        self.depth = self.depth.saturating_sub(1);
    }

    /// Documentation of what follows.
    pub(super) fn doc(&mut self, text: &str) {
        self.comment("///", text);
    }

    /// A comment, `mark` before each line.
    pub(super) fn comment(&mut self, mark: &str, text: &str) {
        for line in text.lines() {
            if line.trim().is_empty() { self.line(mark) } else { self.line(&format!("{mark} {}", line.trim_end())) }
        }
    }

    /// An arm of a match.
    pub(super) fn arm(&mut self, pattern: &str, body: &str) {
        let one = format!("{pattern} => {body},");
        if self.fits(&one) {
            self.line(&one);
        } else {
            self.open(&format!("{pattern} => {{"));
            self.line(body);
            self.close("}");
        }
    }

    /// A match with these arms; without any, of a value that cannot be.
    pub(super) fn all_arms(&mut self, of: &str, arms: impl Iterator<Item = (String, String)>) {
        let mut arms = arms.peekable();
        if arms.peek().is_none() {
            self.line(&format!("match {of} {{}}"));
            return;
        }
        self.open(&format!("match {of} {{"));
        for (pattern, body) in arms {
            self.arm(&pattern, &body);
        }
        self.close("}");
    }

    /// Opens a function: `head(parameters)tail {`.
    pub(super) fn function(&mut self, head: &str, parameters: &[&str], tail: &str) {
        let one = format!("{head}({}){tail} {{", parameters.join(", "));
        if self.fits(&one) {
            self.open(&one);
            return;
        }
        self.open(&format!("{head}("));
        for p in parameters {
            self.line(&format!("{p},"));
        }
        self.close(&format!("){tail} {{"));
        self.depth += 1;
    }

    fn fits(&self, line: &str) -> bool {
        4 * self.depth + line.chars().count() <= WIDTH
    }
}

/// The policy's own words as documentation: what Markdown would take for a link, a tag or a fence is only text.
pub(super) fn prose(lines: &[String]) -> String {
    let mut out = String::new();
    for line in lines {
        let line = visible(line);
        let spans = !line.contains("``") && line.matches('`').count().is_multiple_of(2);
        let mut code = false;
        let mut before = ' ';
        for c in line.chars() {
            code ^= spans && c == '`';
            let marks = matches!(c, '[' | ']' | '<' | '>' | '\\')
                || c == '/' && before == ':'
                || c == '~'
                || !spans && c == '`';
            if marks && !code {
                out.push('\\');
            }
            out.push(c);
            before = c;
        }
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_text_and_nothing_else() {
        let one = |s: &str| prose(&[s.to_owned()]);
        assert_eq!(one("  see [RFC] <b> and `a[0]`  "), "see \\[RFC\\] \\<b\\> and `a[0]`\n");
        assert_eq!(one("https://a.example"), "https:\\//a.example\n");
        assert_eq!(one("```rust"), "\\`\\`\\`rust\n");
        assert_eq!(one("a \u{202e}b ` c"), "a  b \\` c\n");
    }

    #[test]
    fn long_lines_are_broken_where_rustfmt_breaks_them() {
        let mut page = Page::default();
        page.function("fn f", &["a: u8", &format!("b: {}", "B".repeat(90))], "");
        page.close("}");
        page.arm("1", &"c".repeat(95));
        let expected =
            format!("fn f(\n    a: u8,\n    b: {},\n) {{\n}}\n1 => {{\n    {}\n}}\n", "B".repeat(90), "c".repeat(95));
        assert_eq!(page.into_text(), expected);
    }
}
