//! The grammar of JSON values: one pass over the text, lists and objects by recursion that is bounded (X36).
//!
//! A repeated key is noted, not judged: whether it is a fault is for whoever reads the document.

use std::borrow::Cow;

use super::super::DEPTH_LIMIT;
use super::super::node::{Entry, Fault, Kind, Node, Style, settle_keys};
use super::split::PassedOver;
use crate::diag::Span;

/// A place in a JSON text.
pub(super) struct Reader<'a, 'p> {
    pub text: &'a str,
    /// The byte offset of what comes next.
    pub at: usize,
    pub(super) depth: usize,
    /// One fault for each key that its object has already.
    pub repeats: Vec<Fault>,
    /// The items of all open lists, and the entries of all open objects: a list that is closed takes its own from the
    /// end, so that it is allocated once, with the size it needs.
    items: Vec<Node<'a>>,
    entries: Vec<Entry<'a>>,
    /// The list of the outermost object that is passed over.
    pub passed: Option<PassedOver<'p>>,
}

impl<'a> Reader<'a, '_> {
    pub(super) fn new(text: &'a str, at: usize) -> Self {
        Self {
            text,
            at,
            depth: 0,
            repeats: Vec::new(),
            items: Vec::new(),
            entries: Vec::new(),
            passed: None,
        }
    }

    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn slice(&self, start: usize, end: usize) -> &'a str {
        self.text.get(start..end).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    pub(super) fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\t' | b'\r')) {
            self.at += 1;
        }
    }

    pub(super) fn value(&mut self, expected: &str) -> Result<Node<'a>, Fault> {
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
            let value = match self.pass_over(&key) {
                Some(list) => list,
                None => self.value("a value after `:`")?,
            };
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
}
