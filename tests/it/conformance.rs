//! The published conformance cases, driven through Sedum's own marker codec (B2, B3, B5).
//!
//! A kind or a field that is not known here fails the test: a case that nobody checks is no case.

use std::collections::{BTreeMap, BTreeSet};

use sedum::doc::{Node, json};
use sedum::marker::{Attributes, Comments, Label, Line, Marker, Tier, scan};
use sedum::value::{Bindings, Value};

const CASES: &str = include_str!("../../conformance/markers/cases.json");

const COMMON: [&str; 7] = [
    "id",
    "kind",
    "decided_by",
    "rules",
    "why",
    "comment_prefix",
    "comment_suffix",
];

/// One case, with the comment shape that it is about.
struct Case<'a> {
    node: &'a Node<'a>,
    id: &'a str,
    comments: Comments,
}

impl<'a> Case<'a> {
    fn new(node: &'a Node<'a>) -> Self {
        let text = |key: &str| node.get(key).map(|found| found.text().unwrap());
        for key in ["decided_by", "why"] {
            assert!(text(key).is_some_and(|t| !t.is_empty()), "{key} is missing");
        }
        let rules = node.get("rules").and_then(Node::list).unwrap();
        assert!(!rules.is_empty(), "a case without a rule");
        Self {
            node,
            id: text("id").unwrap(),
            comments: Comments::new(text("comment_prefix").unwrap(), text("comment_suffix")),
        }
    }

    fn get(&self, key: &str) -> &'a Node<'a> {
        let id = self.id;
        self.node
            .get(key)
            .unwrap_or_else(|| panic!("{id}: no {key}"))
    }

    fn text(&self, key: &str) -> &'a str {
        self.get(key).text().unwrap()
    }

    fn has_only(&self, node: &Node<'_>, keys: &[&str]) {
        for entry in node.map().unwrap() {
            assert!(
                keys.contains(&&*entry.key),
                "{}: unknown field {}",
                self.id,
                entry.key
            );
        }
    }

    fn has_only_fields(&self, keys: &[&str]) {
        self.has_only(self.node, &[&COMMON, keys].concat());
    }

    /// The marker that a line opens, or what is wrong with its attributes.
    fn read(&self, line: &str) -> Option<Result<Marker, String>> {
        match self.comments.read(line) {
            Line::Open(open) => Some(open.parse().map_err(|fault| fault.to_string())),
            Line::Text | Line::Anchor(_) | Line::Close(_) => None,
        }
    }

    fn marker(&self, line: &str) -> Marker {
        match self.read(line) {
            Some(Ok(marker)) => marker,
            other => panic!("{}: {line} reads as {other:?}", self.id),
        }
    }

    fn fields(&self, node: &Node<'_>) -> Marker {
        let keys = [
            "action", "variant", "tier", "record", "writer", "kwargs", "carried",
        ];
        self.has_only(node, &keys);
        let text = |key: &str| {
            let found = node.get(key).map(|n| n.text().unwrap().to_owned());
            found.filter(|t| !t.is_empty())
        };
        let entries = |key: &str| node.get(key).map_or(&[][..], |n| n.map().unwrap());
        let label = Label::new(text("action").unwrap(), text("variant").as_deref());
        let mut marker = Marker::new(label);
        marker.tier = text("tier").map_or(Tier::Owned, |name| Tier::parse(&name));
        marker.record = text("record");
        marker.writer = text("writer");
        marker.kwargs = entries("kwargs")
            .iter()
            .map(|e| (e.key.to_string(), Value::from_node(&e.value)))
            .collect::<Bindings>();
        marker.carried = entries("carried")
            .iter()
            .map(|e| (e.key.to_string(), e.value.text().unwrap().to_owned()))
            .collect::<BTreeMap<_, _>>()
            .into_iter()
            .collect();
        marker
    }

    /// Compares a written line, and that reading and writing it again changes nothing (B5).
    fn is_written<'m>(&self, marker: impl Into<Attributes<'m>>) {
        let line = self.comments.open_line("", marker);
        assert_eq!(line, self.text("expect"), "{}", self.id);
        let again = self.comments.open_line("", &self.marker(&line));
        assert_eq!(again, line, "{}: not stable", self.id);
    }

    fn parse(&self) {
        self.has_only_fields(&["line", "expect"]);
        let read = self.read(self.text("line"));
        let expected = self.get("expect");
        if expected.is_null() {
            assert_eq!(read, None, "{}", self.id);
        } else {
            assert_eq!(read, Some(Ok(self.fields(expected))), "{}", self.id);
        }
    }

    fn emit(&self) {
        self.has_only_fields(&["fields", "expect"]);
        self.is_written(&self.fields(self.get("fields")));
    }

    fn round_trip(&self) {
        self.has_only_fields(&["line", "expect"]);
        self.is_written(&self.marker(self.text("line")));
    }

    fn replace(&self) {
        self.has_only_fields(&["line", "fields", "expect"]);
        let old = self.marker(self.text("line"));
        let new = self.fields(self.get("fields"));
        self.is_written(Attributes::from(&new).replacing(&old));
    }

    fn close(&self) {
        self.has_only_fields(&["label", "expect", "also_read"]);
        let (action, variant) = match self.text("label").split_once(':') {
            Some((action, variant)) => (action, Some(variant)),
            None => (self.text("label"), None),
        };
        let label = Label::new(action, variant);
        let line = self.comments.close_line("", &label);
        assert_eq!(line, self.text("expect"), "{}", self.id);
        let also = self.node.get("also_read").and_then(Node::list);
        let also = also.unwrap_or_default().iter().map(|n| n.text().unwrap());
        for read in also.chain([&*line]) {
            let closed = Line::Close(label.as_ref());
            assert_eq!(self.comments.read(read), closed, "{}: {read}", self.id);
        }
    }

    fn error(&self) {
        self.has_only_fields(&["line", "text", "expect"]);
        let expected = self.get("expect");
        self.has_only(expected, &["error", "names"]);
        let (kind, message) = match self.node.get("line") {
            Some(line) => match self.read(line.text().unwrap()) {
                Some(Err(message)) => ("attributes", message),
                other => panic!("{}: reads as {other:?}", self.id),
            },
            None => self.scan_fault(),
        };
        let wanted = expected.get("error").map(|n| n.text().unwrap());
        assert_eq!(Some(kind), wanted, "{}: {message}", self.id);
        for name in expected.get("names").and_then(Node::list).unwrap() {
            let name = name.text().unwrap();
            assert!(
                message.contains(name),
                "{}: {name} not in: {message}",
                self.id
            );
        }
    }

    fn scan_fault(&self) -> (&'static str, String) {
        use sedum::marker::ScanFault;
        let fault = scan(&self.comments, self.text("text")).expect_err(self.id);
        let kind = match fault {
            ScanFault::Unclosed { .. } => "unclosed",
            ScanFault::Mismatched { .. } => "mismatched",
            ScanFault::Attributes { .. } => "attributes",
        };
        (kind, fault.to_string())
    }
}

#[test]
fn the_corpus_is_of_the_version_that_knows_suffixes_b4() {
    let corpus = json::parse(CASES).unwrap();
    assert_eq!(corpus.map().unwrap().len(), 2);
    let version = corpus.get("corpus_version").and_then(Node::scalar);
    assert_eq!(version.map(|(text, _)| text), Some("2"));
}

#[test]
fn every_case_holds_b3_b5() {
    let corpus = json::parse(CASES).unwrap();
    let mut counts = BTreeMap::new();
    let mut ids = BTreeSet::new();
    for node in corpus.get("cases").and_then(Node::list).unwrap() {
        let case = Case::new(node);
        let kind = case.text("kind");
        match kind {
            "parse" => case.parse(),
            "emit" => case.emit(),
            "round_trip" => case.round_trip(),
            "replace" => case.replace(),
            "close" => case.close(),
            "error" => case.error(),
            other => panic!("{}: unknown kind {other}", case.id),
        }
        *counts.entry(kind).or_insert(0) += 1;
        assert!(ids.insert(case.id), "{} is given twice", case.id);
    }
    assert_eq!(counts.len(), 6, "a kind has no case: {counts:?}");
    assert!(counts.values().sum::<usize>() >= 19, "{counts:?}");
}
