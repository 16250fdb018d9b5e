//! Reads JSON (RFC 8259) strictly, with the place of every value.
//!
//! `serde_json` keeps no places, lets the last of two equal keys win without a word and spells numbers anew; all
//! three matter here (J10, J11, M4). What a document means is decided elsewhere: this module knows the grammar and
//! nothing more, and it changes no value.

use std::borrow::Cow;

use super::DEPTH_LIMIT;
use super::node::{Entry, Fault, Kind, Node, Style, settle_keys};
use crate::diag::shown::cut_at;
use crate::diag::{Span, shown};

/// The byte order mark that some editors put before a file's text.
const BOM: &str = "\u{feff}";

/// The first JSON value of a text.
#[derive(Clone, Debug)]
pub struct Read<'a> {
    /// The value; of a key given twice the last value stands.
    pub root: Node<'a>,
    /// The byte offset behind the value.
    pub end: usize,
    /// One fault for each repetition of a key in one object, in the order of the text: the later key, and beside it
    /// the first. Only so many are kept as a reader can take in.
    pub repeats: Vec<Fault>,
}

/// Reads the one JSON value that `text` holds; a repeated key (D4) and anything behind the value (J10) are faults.
pub fn parse(text: &str) -> Result<Node<'_>, Fault> {
    let read = read(text)?;
    if let Some(fault) = read.repeats.into_iter().next() {
        return Err(fault);
    }
    nothing_after(text, read.end)?;
    Ok(read.root)
}

/// As [`parse`], but a repeated key is no fault and its last value stands: the reading of a marker (J10).
pub fn parse_lenient_keys(text: &str) -> Result<Node<'_>, Fault> {
    let read = read(text)?;
    nothing_after(text, read.end)?;
    Ok(read.root)
}

/// Reads the JSON value that `text` begins with, whatever follows it, and the byte offset behind it; a repeated key
/// is a fault.
pub fn parse_prefix(text: &str) -> Result<(Node<'_>, usize), Fault> {
    let read = read(text)?;
    match read.repeats.into_iter().next() {
        Some(fault) => Err(fault),
        None => Ok((read.root, read.end)),
    }
}

/// Reads the JSON value that `text` begins with, and says which keys are repeated, so that a caller can tell such a
/// fault from one of syntax and knows by its place which part of the document it belongs to (D4). A byte order mark
/// at the start is passed over. The error is the first fault of syntax.
pub fn read(text: &str) -> Result<Read<'_>, Fault> {
    let start = if text.starts_with(BOM) { BOM.len() } else { 0 };
    let mut reader = Reader::new(text, start);
    reader.skip_space();
    let root = reader.value("a value")?;
    let mut repeats = reader.repeats;
    repeats.sort_by_key(|fault| fault.span);
    Ok(Read {
        root,
        end: reader.at,
        repeats,
    })
}

/// The same JSON text without the white space outside its strings, everything else as it stands (M4). `text` must be
/// valid JSON.
pub fn compact(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let bytes = text.as_bytes();
    let (mut kept, mut at, mut in_string) = (0, 0, false);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => in_string = !in_string,
            b'\\' if in_string => at += 1,
            b' ' | b'\t' | b'\n' | b'\r' if !in_string => {
                out.push_str(text.get(kept..at).unwrap_or_default());
                kept = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    out.push_str(text.get(kept..).unwrap_or_default());
    out
}

fn nothing_after(text: &str, end: usize) -> Result<(), Fault> {
    let reader = Reader::new(text, end);
    let rest = reader.rest();
    let left = rest.trim_start_matches([' ', '\t', '\n', '\r']);
    if left.is_empty() {
        return Ok(());
    }
    let at = text.len() - left.len();
    let (token, found) = reader.found(at);
    Err(Fault::new(
        token,
        format!("expected nothing after the JSON value, found {found}"),
    ))
}

/// A place in a JSON text.
struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    repeats: Vec<Fault>,
    /// The items of all open lists, and the entries of all open objects: a list that is closed takes its own from the
    /// end, so that it is allocated once, with the size it needs.
    items: Vec<Node<'a>>,
    entries: Vec<Entry<'a>>,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, at: usize) -> Self {
        Self {
            text,
            at,
            depth: 0,
            repeats: Vec::new(),
            items: Vec::new(),
            entries: Vec::new(),
        }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn slice(&self, start: usize, end: usize) -> &'a str {
        self.text.get(start..end).unwrap_or_default()
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\t' | b'\r')) {
            self.at += 1;
        }
    }

    /// What stands at a byte offset, as a message calls it: a whole word, or one character.
    fn found(&self, at: usize) -> (Span, String) {
        let rest = self.text.get(at..).unwrap_or_default();
        let word = rest
            .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '+' | '-')))
            .unwrap_or(rest.len());
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let token = rest.get(..word.max(first)).unwrap_or_default();
        let span = Span::new(at, at + token.len());
        if token.is_empty() {
            return (span, "the end of the text".to_owned());
        }
        let cut = cut_at(token, 40);
        let dots = if cut.len() < token.len() { "..." } else { "" };
        (span, format!("`{}{dots}`", shown(cut)))
    }

    /// The fault of something other than `expected` at the present place.
    fn expected(&self, expected: &str) -> Fault {
        let (span, found) = self.found(self.at);
        let fault = Fault::new(span, format!("expected {expected}, found {found}"));
        match mend(self.rest()) {
            Some(help) => fault.help(help),
            None => fault,
        }
    }

    /// As [`Reader::expected`] inside a list or an object, which the end of the text leaves open.
    fn expected_inside(&self, expected: &str, start: usize) -> Fault {
        let mut fault = self.expected(expected);
        if self.at >= self.text.len() {
            fault.also = Some((Span::new(start, start + 1), "opened here".to_owned()));
        }
        fault
    }

    fn value(&mut self, expected: &str) -> Result<Node<'a>, Fault> {
        let start = self.at;
        let kind = match self.peek() {
            Some(b'"') => Kind::Scalar {
                text: self.string()?,
                style: Style::Quoted,
            },
            Some(b'{') => {
                self.enter()?;
                Kind::Map(self.object(start)?)
            }
            Some(b'[') => {
                self.enter()?;
                Kind::List(self.array(start)?)
            }
            Some(b'-' | b'0'..=b'9') => {
                self.number()?;
                self.token(start)
            }
            _ => match self.word() {
                Some(word) => {
                    self.at += word.len();
                    self.token(start)
                }
                None => return Err(self.expected(expected)),
            },
        };
        Ok(Node {
            span: Span::new(start, self.at),
            kind,
        })
    }

    /// The bare word that comes next.
    fn word(&self) -> Option<&'static str> {
        let rest = self.rest();
        let word = ["true", "false", "null"]
            .into_iter()
            .find(|word| rest.starts_with(word))?;
        let next = rest.get(word.len()..)?.chars().next();
        let is_whole = !next.is_some_and(|c| c.is_alphanumeric() || c == '_');
        is_whole.then_some(word)
    }

    fn token(&self, start: usize) -> Kind<'a> {
        Kind::Scalar {
            text: Cow::Borrowed(self.slice(start, self.at)),
            style: Style::Token,
        }
    }

    /// Steps over an opening bracket, if the document may nest that deep (X36).
    fn enter(&mut self) -> Result<(), Fault> {
        if self.depth == DEPTH_LIMIT {
            return Err(Fault::new(
                Span::new(self.at, self.at + 1),
                format!("nested deeper than {DEPTH_LIMIT} levels"),
            ));
        }
        self.depth += 1;
        self.at += 1;
        self.skip_space();
        Ok(())
    }

    fn leave(&mut self) {
        self.depth -= 1;
        self.at += 1;
    }

    fn array(&mut self, start: usize) -> Result<Vec<Node<'a>>, Fault> {
        let first = self.items.len();
        if self.peek() == Some(b']') {
            self.leave();
            return Ok(Vec::new());
        }
        let mut expected = "a value or `]`";
        loop {
            if matches!(self.peek(), None | Some(b']' | b'}' | b',')) {
                return Err(self.after_comma(expected, start));
            }
            let item = self.value(expected)?;
            self.items.push(item);
            self.skip_space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.leave();
                    return Ok(self.items.drain(first..).collect());
                }
                _ => return Err(self.expected_inside("`,` or `]` after a list's item", start)),
            }
            self.skip_space();
            expected = "a value after the comma";
        }
    }

    fn object(&mut self, start: usize) -> Result<Vec<Entry<'a>>, Fault> {
        let first = self.entries.len();
        if self.peek() == Some(b'}') {
            self.leave();
            return Ok(Vec::new());
        }
        let mut expected = "a key in double quotes or `}`";
        loop {
            let key_start = self.at;
            if self.peek() != Some(b'"') {
                return Err(self.after_comma(expected, start));
            }
            let key = self.string()?;
            let key_span = Span::new(key_start, self.at);
            self.skip_space();
            if self.peek() != Some(b':') {
                return Err(self.expected_inside("`:` after a key", start));
            }
            self.at += 1;
            self.skip_space();
            if self.peek().is_none() {
                return Err(self.expected_inside("a value after `:`", start));
            }
            let value = self.value("a value after `:`")?;
            self.entries.push(Entry {
                key,
                key_span,
                value,
            });
            self.skip_space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.leave();
                    let mut entries: Vec<_> = self.entries.drain(first..).collect();
                    settle_keys(&mut entries, &mut self.repeats);
                    return Ok(entries);
                }
                _ => return Err(self.expected_inside("`,` or `}` after a value", start)),
            }
            self.skip_space();
            expected = "a key in double quotes after the comma";
        }
    }

    /// The fault of a missing key or item; a comma before a closing bracket is the usual reason.
    fn after_comma(&self, expected: &str, start: usize) -> Fault {
        let fault = self.expected_inside(expected, start);
        let closes = matches!(self.peek(), Some(b']' | b'}'));
        if closes && expected.ends_with("comma") {
            return fault.help("remove the comma before it");
        }
        fault
    }

    fn digits(&mut self, after: &str) -> Result<(), Fault> {
        if !matches!(self.peek(), Some(b'0'..=b'9')) {
            let (span, found) = self.found(self.at);
            return Err(Fault::new(
                span,
                format!("expected a digit after {after}, found {found}"),
            ));
        }
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        Ok(())
    }

    /// Steps over a number.
    fn number(&mut self) -> Result<(), Fault> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
            if matches!(self.peek(), Some(b'0'..=b'9')) {
                let (span, found) = self.found(start);
                return Err(Fault::new(
                    span,
                    format!("expected a number without a leading zero, found {found}"),
                ));
            }
        } else {
            self.digits("`-`")?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits("the decimal point")?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits("the exponent's `e`")?;
        }
        Ok(())
    }

    /// Reads a string, borrowed when it holds no escape.
    fn string(&mut self) -> Result<Cow<'a, str>, Fault> {
        let start = self.at;
        self.at += 1;
        let mut kept = self.at;
        let mut owned = String::new();
        loop {
            let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
            let Some(plain) = rest
                .iter()
                .position(|b| matches!(b, b'"' | b'\\') || *b < b' ')
            else {
                return Err(Fault::new(
                    Span::new(start, self.text.len()),
                    "expected `\"` at the end of the string, found the end of the text",
                ));
            };
            self.at += plain;
            match self.peek() {
                Some(b'"') => {
                    let last = self.slice(kept, self.at);
                    self.at += 1;
                    if owned.is_empty() && kept == start + 1 {
                        return Ok(Cow::Borrowed(last));
                    }
                    owned.push_str(last);
                    return Ok(Cow::Owned(owned));
                }
                Some(b'\\') => {
                    owned.push_str(self.slice(kept, self.at));
                    owned.push(self.escape()?);
                    kept = self.at;
                }
                _ => return Err(self.control()),
            }
        }
    }

    fn control(&self) -> Fault {
        let (what, escape) = match self.peek() {
            Some(b'\n' | b'\r') => ("line break".to_owned(), "\\n".to_owned()),
            Some(b'\t') => ("tab".to_owned(), "\\t".to_owned()),
            other => {
                let code = other.unwrap_or_default();
                (
                    format!("control character U+{code:04X}"),
                    format!("\\u{code:04x}"),
                )
            }
        };
        Fault::new(
            Span::new(self.at, self.at + 1),
            format!("expected no raw control character in a string, found a {what}"),
        )
        .help(format!("write {escape}"))
    }

    fn escape(&mut self) -> Result<char, Fault> {
        let start = self.at;
        self.at += 1;
        let short = match self.peek() {
            Some(b @ (b'"' | b'\\' | b'/')) => char::from(b),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                return self.code_point(start);
            }
            _ => {
                let next = self.rest().chars().next();
                let end = self.at + next.map_or(0, char::len_utf8);
                let found = shown(self.slice(start, end));
                let fault = Fault::new(
                    Span::new(start, end),
                    format!("expected an escape that JSON has, found `{found}`"),
                );
                return Err(fault.help("write \\\\ for a backslash"));
            }
        };
        self.at += 1;
        Ok(short)
    }

    /// The character of a `\u` escape whose digits come next, joined with the second half of a surrogate pair.
    fn code_point(&mut self, start: usize) -> Result<char, Fault> {
        let first = self.hex4(start)?;
        let code = if !(0xd800..0xe000).contains(&first) {
            Some(first)
        } else if first < 0xdc00 && self.rest().starts_with("\\u") {
            let second_start = self.at;
            self.at += 2;
            let second = self.hex4(second_start)?;
            (0xdc00..0xe000)
                .contains(&second)
                .then(|| 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00))
        } else {
            None
        };
        code.and_then(char::from_u32).ok_or_else(|| {
            Fault::new(
                Span::new(start, start + 6),
                format!(
                    "expected a whole surrogate pair, found one half, `{}`",
                    self.slice(start, start + 6)
                ),
            )
        })
    }

    fn hex4(&mut self, start: usize) -> Result<u32, Fault> {
        let digits = self.slice(self.at, self.at + 4);
        let all_hex = digits.len() == 4 && digits.bytes().all(|b| b.is_ascii_hexdigit());
        let code = u32::from_str_radix(digits, 16).ok().filter(|_| all_hex);
        let Some(code) = code else {
            let written = self
                .rest()
                .bytes()
                .take(4)
                .take_while(u8::is_ascii_hexdigit)
                .count();
            let end = self.at + written;
            return Err(Fault::new(
                Span::new(start, end),
                format!(
                    "expected four hexadecimal digits after `\\u`, found `{}`",
                    self.slice(start, end)
                ),
            ));
        };
        self.at += 4;
        Ok(code)
    }
}

/// The likely mend of what stands where JSON expects something else (J12).
fn mend(rest: &str) -> Option<&'static str> {
    let word = rest
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .next()
        .unwrap_or_default();
    match (word, rest.bytes().next()?) {
        ("True" | "TRUE", _) => Some("write true"),
        ("False" | "FALSE", _) => Some("write false"),
        ("None" | "nil" | "NULL" | "Null" | "undefined", _) => Some("write null"),
        ("NaN" | "Infinity" | "inf" | "nan", _) => Some("JSON has no such number"),
        (_, b'\'' | b'`') => Some("text and keys stand in double quotes"),
        (_, b'#') => Some("JSON has no comments"),
        (_, b'/') if rest.starts_with("//") || rest.starts_with("/*") => {
            Some("JSON has no comments")
        }
        (_, b'+') => Some("a number has no plus sign"),
        (_, b'.') => Some("a number has a digit before its decimal point"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Value;
    use proptest::prelude::*;

    fn fault(text: &str) -> (String, &str, Option<String>) {
        let fault = parse(text).unwrap_err();
        let span = fault.span.start as usize..fault.span.end as usize;
        (fault.message, &text[span], fault.help)
    }

    fn verbatim<'t>(text: &'t str, node: &Node<'_>) -> &'t str {
        &text[node.span.start as usize..node.span.end as usize]
    }

    fn scalar<'n>(node: &'n Node<'_>) -> (&'n str, Style) {
        match &node.kind {
            Kind::Scalar { text, style } => (text, *style),
            _ => panic!("no scalar"),
        }
    }

    #[test]
    fn numbers_keep_their_digits_j11() {
        for number in [
            "0",
            "-0",
            "12",
            "1.50",
            "1E+2",
            "-0.0e-7",
            "9007199254740993",
            "1e999",
        ] {
            assert_eq!(scalar(&parse(number).unwrap()), (number, Style::Token));
        }
    }

    #[test]
    fn every_value_knows_its_text() {
        let text = "\u{feff} {\"é\" : [1 , \"\\u00e9x\"], \"b\": {\"c\":null} }\n";
        let root = parse(text).unwrap();
        assert_eq!(
            verbatim(text, &root),
            "{\"é\" : [1 , \"\\u00e9x\"], \"b\": {\"c\":null} }"
        );
        let list = root.get("é").unwrap();
        assert_eq!(verbatim(text, list), "[1 , \"\\u00e9x\"]");
        let second = &list.list().unwrap()[1];
        assert_eq!(scalar(second), ("éx", Style::Quoted));
        assert_eq!(verbatim(text, second), "\"\\u00e9x\"");
        assert_eq!(verbatim(text, root.get("b").unwrap()), "{\"c\":null}");
        let key = root.map().unwrap()[0].key_span;
        assert_eq!(&text[key.start as usize..key.end as usize], "\"é\"");
    }

    #[test]
    fn strings_are_borrowed_unless_they_hold_escapes() {
        let is_borrowed = |text: &str| match parse(text).unwrap().kind {
            Kind::Scalar { text, .. } => matches!(text, Cow::Borrowed(_)),
            _ => false,
        };
        assert!(is_borrowed("\"aé日\u{7f}\u{2028}\""));
        assert!(is_borrowed("\"\""));
        assert!(!is_borrowed("\"\\n\""));
    }

    #[test]
    fn escapes_are_those_of_the_grammar() {
        let all = parse(r#""\"\\\/\b\f\n\r\t\u0041\ud83d\ude00\uFFFF""#).unwrap();
        assert_eq!(scalar(&all).0, "\"\\/\u{8}\u{c}\n\r\tA\u{1f600}\u{ffff}");
        for (text, at) in [
            (r#""\x41""#, r"\x"),
            (r#""\ud800""#, r"\ud800"),
            (r#""a\udc00b""#, r"\udc00"),
            (r#""\ud800\ud800""#, r"\ud800"),
            (r#""\ud800\n""#, r"\ud800"),
            (r#""\u12g4""#, r"\u12"),
            (r#""\u12é""#, r"\u12"),
            (r#""\é""#, r"\é"),
            (r#""\u+123""#, r"\u"),
        ] {
            assert_eq!(fault(text).1, at, "{text}");
        }
    }

    #[test]
    fn raw_control_characters_are_faults() {
        assert_eq!(fault("\"a\nb\"").1, "\n");
        assert_eq!(fault("\"a\tb\"").2.as_deref(), Some("write \\t"));
        assert_eq!(fault("\"\u{1f}\"").2.as_deref(), Some("write \\u001f"));
        assert!(parse("\"\0\"").is_err());
    }

    #[test]
    fn repeated_keys_are_faults_that_name_the_key_d4_j10() {
        let text = r#"{"a": 1, "b": {"x": 1, "\u0078": 2}, "a": 3}"#;
        let read = read(text).unwrap();
        let places: Vec<_> = read
            .repeats
            .iter()
            .map(|f| (f.message.as_str(), f.span, f.also.clone().unwrap().0))
            .collect();
        assert_eq!(
            places,
            [
                (
                    "key \"x\" is given twice",
                    Span::new(23, 31),
                    Span::new(15, 18)
                ),
                (
                    "key \"a\" is given twice",
                    Span::new(37, 40),
                    Span::new(1, 4)
                ),
            ]
        );
        assert_eq!(fault(text).0, "key \"x\" is given twice");
        assert!(parse_prefix(text).is_err());
    }

    #[test]
    fn the_last_of_equal_keys_wins_on_a_marker_j10() {
        let root = parse_lenient_keys(r#"{"a": 1, "b": 2, "a": 3}"#).unwrap();
        assert_eq!(Value::from_node(&root).to_json(), r#"{"a":3,"b":2}"#);
        assert!(parse_lenient_keys("{} x").is_err());
    }

    #[test]
    fn keys_are_exact_d4() {
        assert!(parse(r#"{"a": 1, "A": 2}"#).is_ok());
        let many: Vec<_> = (0..20_000).map(|n| format!("\"k{n}\":0")).collect();
        assert!(parse(&format!("{{{}}}", many.join(","))).is_ok());
        let twice = format!("{{{},\"k7\":1}}", many.join(","));
        assert_eq!(fault(&twice).0, "key \"k7\" is given twice");
    }

    #[test]
    fn anything_after_the_value_is_a_fault_j10() {
        let (message, at, _) = fault("{} }");
        assert_eq!(message, "expected nothing after the JSON value, found `}`");
        assert_eq!(at, "}");
        assert_eq!(fault("1 word").1, "word");
        assert!(parse(" 1 \r\n\t").is_ok());
        let (node, end) = parse_prefix("{\"a\":1} -->").unwrap();
        assert_eq!((end, node.map().unwrap().len()), (7, 1));
        assert_eq!(parse_prefix("12]").unwrap().1, 2);
    }

    #[test]
    fn faults_say_what_was_expected_and_found() {
        for (text, message, at, help) in [
            ("", "expected a value, found the end of the text", "", None),
            (
                "{",
                "expected a key in double quotes or `}`, found the end of the text",
                "",
                None,
            ),
            (
                "[1",
                "expected `,` or `]` after a list's item, found the end of the text",
                "",
                None,
            ),
            (
                "[1,]",
                "expected a value after the comma, found `]`",
                "]",
                Some("remove the comma before it"),
            ),
            (
                "{\"a\":1,}",
                "expected a key in double quotes after the comma, found `}`",
                "}",
                Some("remove the comma before it"),
            ),
            ("[,1]", "expected a value or `]`, found `,`", ",", None),
            (
                "[1 2]",
                "expected `,` or `]` after a list's item, found `2`",
                "2",
                None,
            ),
            (
                "{\"a\" 1}",
                "expected `:` after a key, found `1`",
                "1",
                None,
            ),
            (
                "{\"a\":}",
                "expected a value after `:`, found `}`",
                "}",
                None,
            ),
            (
                "{\"a\":1 \"b\":2}",
                "expected `,` or `}` after a value, found `\"`",
                "\"",
                None,
            ),
            (
                "{name: 1}",
                "expected a key in double quotes or `}`, found `name`",
                "name",
                None,
            ),
            (
                "{'a': 1}",
                "expected a key in double quotes or `}`, found `'`",
                "'",
                Some("text and keys stand in double quotes"),
            ),
            (
                "[True]",
                "expected a value or `]`, found `True`",
                "True",
                Some("write true"),
            ),
            ("truthy", "expected a value, found `truthy`", "truthy", None),
            (
                "[1 // x\n]",
                "expected `,` or `]` after a list's item, found `/`",
                "/",
                Some("JSON has no comments"),
            ),
            (
                "01",
                "expected a number without a leading zero, found `01`",
                "01",
                None,
            ),
            (
                "1.",
                "expected a digit after the decimal point, found the end of the text",
                "",
                None,
            ),
            ("-x", "expected a digit after `-`, found `x`", "x", None),
            (
                "1e+",
                "expected a digit after the exponent's `e`, found the end of the text",
                "",
                None,
            ),
            (
                "+1",
                "expected a value, found `+1`",
                "+1",
                Some("a number has no plus sign"),
            ),
            (
                "\"ab",
                "expected `\"` at the end of the string, found the end of the text",
                "\"ab",
                None,
            ),
            (
                "\u{1b}[0m",
                "expected a value, found `\\u{1b}`",
                "\u{1b}",
                None,
            ),
            (
                "\u{a0}1",
                "expected a value, found `\u{a0}`",
                "\u{a0}",
                None,
            ),
        ] {
            let (got, place, mend) = fault(text);
            assert_eq!(
                (got.as_str(), place, mend.as_deref()),
                (message, at, help),
                "{text:?}"
            );
        }
        let open = parse("[1, {\"a\": 2").unwrap_err();
        assert_eq!(open.also, Some((Span::new(4, 5), "opened here".to_owned())));
    }

    #[test]
    fn nesting_is_bounded_x36() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(parse(&nested(128)).is_ok());
        assert_eq!(fault(&nested(129)).0, "nested deeper than 128 levels");
        let deep = "{\"a\":[".repeat(1_000_000);
        assert_eq!(
            parse(&deep).unwrap_err().span,
            Span::new(64 * 6, 64 * 6 + 1)
        );
        assert!(parse(&vec!["[]"; 1000].join(",").replace("[]", "[[]]")).is_err());
        assert!(parse(&format!("[{}]", vec!["[]"; 1000].join(","))).is_ok());
    }

    #[test]
    fn compacting_changes_nothing_but_white_space_m4() {
        let text = " { \"b c\" : [ 1.50 ,\t\"\\\" x \\\\\" ] ,\r\n \"a\" : { } } ";
        assert_eq!(compact(text), "{\"b c\":[1.50,\"\\\" x \\\\\"],\"a\":{}}");
        assert_eq!(compact("\"é日 x\""), "\"é日 x\"");
        assert_eq!(compact("\"open \\"), "\"open \\");
    }

    /// Text that is JSON or nearly so.
    fn near_json() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            4 => prop::sample::select(vec![
                "{", "}", "[", "]", ",", ":", "\"", "\"a\"", "\"b\":", "1", "-0", "2.5e3", "01", "1.", "true",
                "null", "tru", " ", "\n", "\\", "\\u", "\"\\ud83d\\ude00\"", "\"\\ud83d\"", "\"\\n\"", "é", "\u{1}",
                "{\"a\":1}", "[1,2]", "[]", "{}", ".", "e", "+", "-", "\u{feff}",
            ])
            .prop_map(str::to_owned),
            1 => "\\PC{0,3}",
        ];
        prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
    }

    fn any_json() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            Just(serde_json::Value::Null),
            any::<bool>().prop_map(serde_json::Value::from),
            any::<i64>().prop_map(serde_json::Value::from),
            any::<f64>().prop_map(serde_json::Value::from),
            any::<String>().prop_map(serde_json::Value::from),
        ];
        leaf.prop_recursive(5, 40, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(serde_json::Value::from),
                prop::collection::vec((any::<String>(), inner), 0..6).prop_map(|entries| {
                    serde_json::Value::Object(entries.into_iter().collect())
                }),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn accepts_what_serde_json_accepts(text in near_json()) {
            let ours = parse_lenient_keys(&text);
            match serde_json::from_str::<serde_json::Value>(&text) {
                Ok(value) => {
                    let node = ours.map_err(|f| TestCaseError::fail(f.message))?;
                    let again: serde_json::Value =
                        serde_json::from_str(&Value::from_node(&node).to_json()).unwrap();
                    prop_assert_eq!(again, value);
                }
                // Of what serde_json refuses, a number beyond its range and a byte order mark are fine here.
                Err(error) => prop_assert!(
                    ours.is_err()
                        || text.starts_with(BOM)
                        || error.to_string().contains("out of range"),
                    "{text:?}"
                ),
            }
        }

        #[test]
        fn every_kind_of_document_comes_back(value in any_json(), pretty in any::<bool>()) {
            let compacted = serde_json::to_string(&value).unwrap();
            let text = if pretty { serde_json::to_string_pretty(&value).unwrap() } else { compacted.clone() };
            let node = parse(&text).map_err(|f| TestCaseError::fail(f.message))?;
            prop_assert_eq!(verbatim(&text, &node), &text);
            // Not `value` itself: serde_json reads some numbers as their neighbours.
            let expected: serde_json::Value = serde_json::from_str(&compacted).unwrap();
            let again: serde_json::Value =
                serde_json::from_str(&Value::from_node(&node).to_json()).unwrap();
            prop_assert_eq!(again, expected);
            prop_assert_eq!(compact(&text), compacted);
        }

        #[test]
        fn no_text_makes_it_panic_x37(text in any::<String>()) {
            let _ = parse(&text);
            let _ = compact(&text);
        }
    }
}
