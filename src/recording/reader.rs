//! Typed looks at a recording's JSON that say which key is wrong, what it needs and what it has (J12).
//!
//! It knows JSON's types and the names of places in a document; which keys a recording has is `read`'s affair. A fault
//! never stops the reading: it is noted, and the value counts as left out.

use std::fmt;
use std::sync::Arc;

use crate::diag::{Problem, Source, Span, nearest, quoted, shown};
use crate::doc::{Entry, Kind, Node};

/// The place of a value in a document, from the root: `records[0].files[2].path`.
#[derive(Clone, Copy)]
pub(super) enum At<'p> {
    /// The document itself.
    Root,
    /// The value of a key.
    Key(&'p At<'p>, &'p str),
    /// An item of a list, from 0.
    Item(&'p At<'p>, usize),
}

impl fmt::Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => f.write_str("the recording"),
            Self::Key(Self::Root, key) if is_plain(key) => f.write_str(key),
            Self::Key(owner, key) if is_plain(key) => write!(f, "{owner}.{key}"),
            Self::Key(owner, key) => write!(f, "{owner}[{}]", quoted(key)),
            Self::Item(owner, index) => write!(f, "{owner}[{index}]"),
        }
    }
}

/// What a warning of a key that nothing reads has between the place and the key.
const UNREAD: &str = ": nothing reads the key ";

fn is_plain(key: &str) -> bool {
    !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// An object that is being read.
#[derive(Clone, Copy)]
pub(super) struct Object<'n, 'a> {
    node: &'n Node<'a>,
    /// Its keys, in the order written.
    pub entries: &'n [Entry<'a>],
}

impl<'n, 'a> Object<'n, 'a> {
    /// The value of a key; null counts as left out.
    pub fn value(&self, key: &str) -> Option<&'n Node<'a>> {
        let entry = self.entries.iter().find(|entry| entry.key == key)?;
        Some(&entry.value).filter(|value| !value.is_null())
    }

    /// Where the object begins.
    pub fn start(&self) -> Span {
        let start = self.node.span.start as usize;
        Span::new(start, start + 1)
    }
}

/// A document that is being read, and what was found wrong with it.
pub(super) struct Reader<'s> {
    pub source: &'s Arc<Source>,
    pub problems: Vec<Problem>,
    /// What may be a mistake and is none of the format (J10).
    pub warnings: Vec<Problem>,
}

impl Reader<'_> {
    fn report(&mut self, span: Span, message: String, help: Option<String>) {
        let problem = Problem::new(message).at(self.source, span);
        self.problems.push(match help {
            Some(help) => problem.help(help),
            None => problem,
        });
    }

    /// Notes that a value is not what is expected at its place.
    pub fn mismatch(&mut self, node: &Node<'_>, at: At<'_>, expected: &str, help: Option<String>) {
        let message = format!("{at}: expected {expected}, found {}", described(node));
        self.report(node.span, message, help);
    }

    /// Notes that an object lacks a key that it needs, or has null there; a key nearly spelt like it is pointed out.
    pub fn missing(&mut self, object: Object<'_, '_>, at: At<'_>, key: &str, what: &str) {
        let keys = object.entries.iter().map(|entry| &*entry.key);
        let help = match nearest(key, keys.filter(|other| *other != key)) {
            Some(near) => format!("it has {}: did you mean \"{key}\"?", quoted(near)),
            None => format!("give \"{key}\", {what}"),
        };
        let (span, how) = match object.entries.iter().find(|entry| entry.key == key) {
            Some(entry) => (entry.value.span, "null"),
            None => (object.start(), "missing"),
        };
        let message = format!("{at}: the key \"{key}\" is {how}");
        self.report(span, message, Some(help));
    }

    /// Warns of a key that nobody reads when it is nearly spelt like one of the `known` ones that is not there. Said once
    /// for each such pair, however often it is met.
    pub fn near_misses(&mut self, object: Object<'_, '_>, at: At<'_>, known: &[&str]) {
        let is_known = |key: &str| known.contains(&key);
        for entry in object.entries.iter().filter(|entry| !is_known(&entry.key)) {
            let has = |key: &str| object.entries.iter().any(|other| other.key == key);
            let absent = known.iter().copied().filter(|key| !has(key));
            let Some(near) = nearest(&entry.key, absent) else {
                continue;
            };
            let help = format!("did you mean \"{near}\"?");
            let key = quoted(&entry.key);
            let message = format!("{at}{UNREAD}{key}");
            let problem = Problem::new(message).at(self.source, entry.key_span);
            self.warn(problem.help(help));
        }
    }

    /// Takes a warning up, unless the same key was warned of before.
    pub fn warn(&mut self, warning: Problem) {
        let key = |warning: &Problem| warning.message.rfind(UNREAD);
        let said = |warning: &Problem| {
            key(warning)
                .and_then(|at| warning.message.get(at..))
                .map(str::to_owned)
        };
        let is_told = |told: &Problem| told.help == warning.help && said(told) == said(&warning);
        if !self.warnings.iter().any(is_told) {
            self.warnings.push(warning);
        }
    }

    /// An object.
    pub fn object<'n, 'a>(
        &mut self,
        node: &'n Node<'a>,
        at: At<'_>,
        expected: &str,
    ) -> Option<Object<'n, 'a>> {
        if let Some(entries) = node.map() {
            return Some(Object { node, entries });
        }
        self.mismatch(node, at, expected, None);
        None
    }

    /// The items of a list; of one that is left out, none.
    pub fn list<'n, 'a>(
        &mut self,
        node: Option<&'n Node<'a>>,
        at: At<'_>,
        expected: &str,
    ) -> &'n [Node<'a>] {
        let Some(node) = node else { return &[] };
        if let Some(items) = node.list() {
            return items;
        }
        let help = node
            .map()
            .map(|_| "put it in square brackets: [{ ... }]".to_owned());
        self.mismatch(node, at, expected, help);
        &[]
    }

    /// Text.
    pub fn text(&mut self, node: &Node<'_>, at: At<'_>) -> Option<String> {
        if let Ok(text) = node.text() {
            return Some(text.to_owned());
        }
        let help = match &node.kind {
            Kind::Scalar { text, .. } if !node.is_null() => {
                Some(format!("put it in double quotes: \"{}\"", shown(text)))
            }
            _ => None,
        };
        self.mismatch(node, at, "text", help);
        None
    }

    /// The texts of a list; of one that is left out, none.
    pub fn texts(&mut self, node: Option<&Node<'_>>, at: At<'_>) -> Vec<String> {
        let items = self.list(node, at, "a list of text").iter().enumerate();
        items
            .filter_map(|(n, item)| self.text(item, At::Item(&at, n)))
            .collect()
    }

    /// An object's keys with their values, all of them text; of one that is left out, none.
    pub fn text_map<M>(&mut self, node: Option<&Node<'_>>, at: At<'_>, expected: &str) -> M
    where
        M: Default + Extend<(String, String)>,
    {
        let mut map = M::default();
        let object = node.and_then(|node| self.object(node, at, expected));
        let entries = object.map_or(&[][..], |object| object.entries);
        map.extend(entries.iter().filter_map(|entry| {
            let text = self.text(&entry.value, At::Key(&at, &entry.key))?;
            Some((entry.key.clone().into_owned(), text))
        }));
        map
    }
}

/// What a value is, in JSON's words.
fn described(node: &Node<'_>) -> String {
    match node.kind {
        Kind::Map(_) => "an object".to_owned(),
        _ => node.described(),
    }
}
