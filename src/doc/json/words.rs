//! What is said about a text that is no JSON: what was expected, what stands there, and the likely mend.
//!
//! Where the reader was is all that counts; nothing here moves it on.

use super::super::node::Fault;
use super::reader::Reader;
use crate::diag::shown::cut_at;
use crate::diag::{Span, shown};

impl Reader<'_, '_> {
    /// What stands at a byte offset, as a message calls it: a whole word, or one character.
    pub(super) fn found(&self, at: usize) -> (Span, String) {
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
    pub(super) fn expected(&self, expected: &str) -> Fault {
        let (span, found) = self.found(self.at);
        let fault = Fault::new(span, format!("expected {expected}, found {found}"));
        match mend(self.rest()) {
            Some(help) => fault.help(help),
            None => fault,
        }
    }

    /// As [`Reader::expected`] inside a list or an object, which the end of the text leaves open.
    pub(super) fn expected_inside(&self, expected: &str, start: usize) -> Fault {
        let mut fault = self.expected(expected);
        if self.at >= self.text.len() {
            fault.also = Some((Span::new(start, start + 1), "opened here".to_owned()));
        }
        fault
    }

    /// The fault of a missing key or item; a comma before a closing bracket is the usual reason.
    pub(super) fn after_comma(&self, expected: &str, start: usize) -> Fault {
        let fault = self.expected_inside(expected, start);
        let closes = matches!(self.peek(), Some(b']' | b'}'));
        if closes && expected.ends_with("comma") {
            return fault.help("remove the comma before it");
        }
        fault
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
