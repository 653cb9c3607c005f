//! JSON with places. Facts and events come from outside, so that each name and value must be able to be pointed at, a
//! key written twice must not silently win, and no depth or size may stop the program. Only what facts need is taken:
//! numbers are integers of 64 bits.

use roadlaw_grammar::diagnostic::Diagnostic;
use roadlaw_grammar::span::{FileId, Span};

/// Nesting beyond this is refused; facts need three levels.
const DEPTH: usize = 32;

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Item {
    pub(crate) value: Value,
    pub(crate) span: Span,
}

/// A value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    Int(i64),
    Text(String),
    List(Vec<Item>),
    Object(Vec<Field>),
}

/// A field of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) name_span: Span,
    pub(crate) item: Item,
}

impl Item {
    /// What it is, for messages.
    pub(crate) fn noun(&self) -> &'static str {
        match self.value {
            Value::Null => "null",
            Value::Bool(_) => "a bool",
            Value::Int(_) => "a number",
            Value::Text(_) => "a string",
            Value::List(_) => "a list",
            Value::Object(_) => "an object",
        }
    }
}

/// Reads the one value that stands in `text[start..end]`.
///
/// # Errors
/// The first place where the text is no JSON, a field that stands twice, a number that is no integer of 64 bits, or
/// nesting above the cap.
pub(crate) fn read(file: FileId, text: &str, start: usize, end: usize) -> Result<Item, Diagnostic> {
    let mut reader = Reader { file, text: text.get(..end).unwrap_or(text), at: start };
    let item = reader.item(0)?;
    reader.space();
    match reader.peek() {
        None => Ok(item),
        Some(_) => Err(reader.wrong("the end was expected after the value")),
    }
}

/// Half-open byte range as a span of this file. Inputs are below 4 GiB: [`super::files`] reads no more than 64 MiB.
pub(crate) fn span(file: FileId, start: usize, end: usize) -> Span {
    Span::new(file, u32::try_from(start).unwrap_or(u32::MAX), u32::try_from(end).unwrap_or(u32::MAX))
}

struct Reader<'a> {
    file: FileId,
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.text.get(self.at..).and_then(|rest| rest.chars().next())
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    fn space(&mut self) {
        while self.peek().is_some_and(|c| matches!(c, ' ' | '\t' | '\r' | '\n')) {
            self.at += 1;
        }
    }

    fn span_from(&self, start: usize) -> Span {
        span(self.file, start, self.at)
    }

    /// An error at the next character.
    fn wrong(&self, message: impl Into<String>) -> Diagnostic {
        let width = self.peek().map_or(0, char::len_utf8);
        Diagnostic::error("F001", span(self.file, self.at, self.at + width), message)
    }

    fn item(&mut self, depth: usize) -> Result<Item, Diagnostic> {
        self.space();
        let start = self.at;
        let value = match self.peek() {
            Some('{') => self.object(depth)?,
            Some('[') => self.list(depth)?,
            Some('"') => Value::Text(self.string()?),
            Some(c) if c == '-' || c.is_ascii_digit() => self.number()?,
            Some(c) if c.is_ascii_alphabetic() => self.word()?,
            Some(_) => return Err(self.wrong("a JSON value was expected here")),
            None => return Err(self.wrong("the text ends where a JSON value was expected")),
        };
        Ok(Item { value, span: self.span_from(start) })
    }

    fn deeper(&self, depth: usize) -> Result<usize, Diagnostic> {
        if depth < DEPTH { Ok(depth + 1) } else { Err(self.wrong(format!("nested more than {DEPTH} deep"))) }
    }

    fn object(&mut self, depth: usize) -> Result<Value, Diagnostic> {
        let depth = self.deeper(depth)?;
        self.at += 1;
        let mut fields: Vec<Field> = Vec::new();
        // Places of the names seen, so that a repeat is found without looking at all of them again.
        let mut seen: std::collections::BTreeMap<String, Span> = std::collections::BTreeMap::new();
        self.space();
        if self.peek() == Some('}') {
            self.at += 1;
            return Ok(Value::Object(fields));
        }
        loop {
            self.space();
            let start = self.at;
            if self.peek() != Some('"') {
                return Err(self.wrong("a field name in quotes was expected here"));
            }
            let name = self.string()?;
            let name_span = self.span_from(start);
            if let Some(first) = seen.insert(name.clone(), name_span) {
                return Err(Diagnostic::error("F002", name_span, format!("`{name}` is given twice"))
                    .with_label(first, "first here")
                    .with_help("give each name once"));
            }
            self.space();
            if self.peek() != Some(':') {
                return Err(self.wrong(format!("`:` was expected after \"{name}\"")));
            }
            self.at += 1;
            let item = self.item(depth)?;
            fields.push(Field { name, name_span, item });
            if self.closes('}')? {
                return Ok(Value::Object(fields));
            }
        }
    }

    fn list(&mut self, depth: usize) -> Result<Value, Diagnostic> {
        let depth = self.deeper(depth)?;
        self.at += 1;
        let mut items = Vec::new();
        self.space();
        if self.peek() == Some(']') {
            self.at += 1;
            return Ok(Value::List(items));
        }
        loop {
            items.push(self.item(depth)?);
            if self.closes(']')? {
                return Ok(Value::List(items));
            }
        }
    }

    /// After a member: true at the closing bracket, false after a comma.
    fn closes(&mut self, bracket: char) -> Result<bool, Diagnostic> {
        self.space();
        match self.peek() {
            Some(',') => {
                self.at += 1;
                Ok(false)
            }
            Some(c) if c == bracket => {
                self.at += 1;
                Ok(true)
            }
            _ => Err(self.wrong(format!("`,` or `{bracket}` was expected here"))),
        }
    }

    fn word(&mut self) -> Result<Value, Diagnostic> {
        let start = self.at;
        while self.peek().is_some_and(|c| c.is_ascii_alphanumeric() || c == '_') {
            self.at += 1;
        }
        let word = &self.text[start..self.at];
        match word {
            "null" => Ok(Value::Null),
            "true" => Ok(Value::Bool(true)),
            "false" => Ok(Value::Bool(false)),
            _ => Err(Diagnostic::error("F001", self.span_from(start), format!("`{word}` is no JSON value"))
                .with_help(format!("words stand in quotes: \"{word}\""))),
        }
    }

    fn number(&mut self) -> Result<Value, Diagnostic> {
        let start = self.at;
        while self.peek().is_some_and(|c| c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | 'e' | 'E')) {
            self.at += 1;
        }
        let digits = &self.text[start..self.at];
        let plain = digits.strip_prefix('-').unwrap_or(digits);
        if plain.is_empty() || !plain.bytes().all(|b| b.is_ascii_digit()) {
            return Err(Diagnostic::error("F001", self.span_from(start), format!("`{digits}` is not an integer"))
                .with_help("facts are whole numbers; money is in cents"));
        }
        if plain.len() > 1 && plain.starts_with('0') {
            return Err(Diagnostic::error("F001", self.span_from(start), "a number does not begin with 0"));
        }
        digits.parse().map(Value::Int).map_err(|_| {
            Diagnostic::error("F001", self.span_from(start), "the number is too large")
                .with_note("no fact goes beyond 32 bits")
        })
    }

    fn string(&mut self) -> Result<String, Diagnostic> {
        let start = self.at;
        self.at += 1;
        let mut out = String::new();
        loop {
            match self.next() {
                Some('"') => return Ok(out),
                Some('\\') => out.push(self.escape()?),
                Some(c) if u32::from(c) < 0x20 => {
                    self.at -= c.len_utf8();
                    return Err(self.wrong("a control character stands in a string"));
                }
                Some(c) => out.push(c),
                None => {
                    return Err(Diagnostic::error("F001", span(self.file, start, start + 1), "the string has no end"));
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, Diagnostic> {
        let start = self.at - 1;
        match self.next() {
            Some(c @ ('"' | '\\' | '/')) => return Ok(c),
            Some('b') => return Ok('\u{8}'),
            Some('f') => return Ok('\u{c}'),
            Some('n') => return Ok('\n'),
            Some('r') => return Ok('\r'),
            Some('t') => return Ok('\t'),
            Some('u') => {
                if let Some(c) = self.unicode() {
                    return Ok(c);
                }
            }
            _ => {}
        }
        Err(Diagnostic::error("F001", self.span_from(start), "this escape is not of JSON"))
    }

    /// Four hexadecimal digits, or a pair of surrogates.
    fn unicode(&mut self) -> Option<char> {
        let high = self.four()?;
        if !(0xd800..0xdc00).contains(&high) {
            return char::from_u32(high);
        }
        if self.next() != Some('\\') || self.next() != Some('u') {
            return None;
        }
        let low = self.four()?;
        if !(0xdc00..0xe000).contains(&low) {
            return None;
        }
        char::from_u32(0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00))
    }

    fn four(&mut self) -> Option<u32> {
        let mut value = 0;
        for _ in 0..4 {
            value = value * 16 + self.next()?.to_digit(16)?;
        }
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::{Item, Value, read};
    use roadlaw_grammar::diagnostic::Diagnostic;
    use roadlaw_grammar::span::FileId;

    fn parse(text: &str) -> Result<Item, Diagnostic> {
        read(FileId(0), text, 0, text.len())
    }

    fn place(text: &str) -> (&'static str, u32, u32) {
        let d = parse(text).expect_err(text);
        (d.code, d.primary.start, d.primary.end)
    }

    #[test]
    fn values_are_read_with_their_places() {
        let item = parse(r#" {"a": -7, "b": [true, null, "x\u00e9\ud83d\ude00\n"], "c": {}} "#).expect("it is JSON");
        let Value::Object(fields) = item.value else { panic!("an object") };
        assert_eq!((item.span.start, fields.len()), (1, 3));
        assert_eq!((fields[0].item.value.clone(), fields[0].item.span.start), (Value::Int(-7), 7));
        let Value::List(list) = &fields[1].item.value else { panic!("a list") };
        assert_eq!(list[2].value, Value::Text("xé😀\n".into()));
    }

    #[test]
    fn errors_say_where() {
        assert_eq!(place(r#"{"a": 1, "a": 2}"#), ("F002", 9, 12));
        assert_eq!(place(r#"{"a": 1.5}"#), ("F001", 6, 9));
        assert_eq!(place(r#"{"a": 99999999999999999999}"#), ("F001", 6, 26));
        assert_eq!(place(r#"{"a": yes}"#), ("F001", 6, 9));
        assert_eq!(place(r#"{"a" 1}"#), ("F001", 5, 6));
        assert_eq!(place(r#"{"a": 1"#), ("F001", 7, 7));
        assert_eq!(place(r#""abc"#), ("F001", 0, 1));
        assert_eq!(place(r#""\ud83d""#), ("F001", 1, 8));
        assert_eq!(place("1 2"), ("F001", 2, 3));
        assert_eq!(place(""), ("F001", 0, 0));
    }

    #[test]
    fn deep_nesting_is_refused_not_followed() {
        for open in ["[", "{\"a\":"] {
            let text = open.repeat(1_000_000);
            assert_eq!(parse(&text).expect_err("too deep").code, "F001");
        }
    }
}
