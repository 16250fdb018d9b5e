//! A SARIF 2.1.0 log, as code scanning takes it (O21).
//!
//! One run, one result a finding, in the order of the findings. `rules` describes the rules that occur, with their
//! entry of `docs/rules.md` as help. A file's uri is the generators directory as it was given and the file in it. A
//! finding without a place points at the start of its file, because code scanning wants a region. The fingerprint of
//! a result is made from its rule, its file and the source line, so that it outlives edits elsewhere in the file.

use std::collections::HashMap;
use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use crate::diag::rule::RuleKind;
use crate::diag::shown::{QUOTE_LIMIT, cut_at};
use crate::diag::{Finding, Place, Rule, Severity, printable_json};

use super::super::explain;
use super::Report;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The log, two blanks a level, its last line ended.
pub(super) fn render(report: &Report<'_>) -> String {
    let mut used: Vec<Rule> = report.findings.iter().map(|f| f.rule).collect();
    used.sort_unstable();
    used.dedup();
    let mut seen = HashMap::new();
    let results: Vec<Value> = report
        .findings
        .iter()
        .map(|finding| result(report, finding, &used, &mut seen))
        .collect();
    let rules: Vec<Value> = used.iter().copied().map(descriptor).collect();
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {
                "driver": {
                    "name": "sedum",
                    "version": env!("CARGO_PKG_VERSION"),
                    "semanticVersion": env!("CARGO_PKG_VERSION"),
                    "informationUri": env!("CARGO_PKG_REPOSITORY"),
                    "rules": rules,
                }
            },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }]
    });
    printable_json(&format!("{log:#}\n"))
}

fn descriptor(rule: Rule) -> Value {
    let section = explain::section(rule.slug()).unwrap_or_default();
    let meaning = section.split("\n\n").next().unwrap_or_default();
    let level = match rule.kind() {
        RuleKind::LoadWarning => Severity::Warning,
        RuleKind::LoadError | RuleKind::Violation => Severity::Error,
    };
    json!({
        "id": rule.slug(),
        "shortDescription": { "text": rule.summary() },
        "fullDescription": { "text": meaning.replace('\n', " ") },
        "help": {
            "text": explain::explain(rule.slug()).unwrap_or_default(),
            "markdown": section,
        },
        "defaultConfiguration": { "level": level.name() },
    })
}

fn result(
    report: &Report<'_>,
    finding: &Finding,
    used: &[Rule],
    seen: &mut HashMap<u64, usize>,
) -> Value {
    let at_start = json!({ "startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 1 });
    let place = finding.place.as_ref().map_or(at_start, region);
    let mut result = json!({
        "ruleId": finding.rule.slug(),
        "ruleIndex": used.binary_search(&finding.rule).unwrap_or_default(),
        "level": finding.severity.name(),
        "message": { "text": message(finding) },
        "locations": [location(report, finding, &finding.file, &place)],
        "partialFingerprints": { "sedumFinding/v1": fingerprint(finding, seen) },
    });
    if !finding.labels.is_empty() {
        let related = finding.labels.iter().enumerate().map(|(at, label)| {
            let file = label.place.source.name();
            let mut related = location(report, finding, file, &region(&label.place));
            if let Value::Object(fields) = &mut related {
                fields.insert("id".to_owned(), json!(at + 1));
                fields.insert("message".to_owned(), json!({ "text": label.text }));
            }
            related
        });
        result["relatedLocations"] = related.collect();
    }
    result
}

/// The message, the help, and a link to each related place, which is what makes code scanning show it.
fn message(finding: &Finding) -> String {
    let mut text = finding.message.clone();
    if let Some(help) = &finding.help {
        text.push_str("\nhelp: ");
        text.push_str(help);
    }
    for (at, label) in finding.labels.iter().enumerate() {
        let words = label.text.replace('[', "\\[").replace(']', "\\]");
        let _ = write!(text, "\nsee [{words}]({})", at + 1);
    }
    text
}

fn location(report: &Report<'_>, finding: &Finding, file: &str, region: &Value) -> Value {
    json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(report, &finding.package, file) },
            "region": region,
        }
    })
}

fn region(place: &Place) -> Value {
    let ((line, column), (end_line, end_column)) = (place.position(), place.end_position());
    let mut region = Map::new();
    for (key, number) in [
        ("startLine", line),
        ("startColumn", column),
        ("endLine", end_line),
        ("endColumn", end_column),
    ] {
        region.insert(key.to_owned(), json!(number));
    }
    Value::Object(region)
}

/// A relative reference, or a `file` uri when the generators directory was given as an absolute path.
fn uri(report: &Report<'_>, package: &str, file: &str) -> String {
    let (is_absolute, segments) = report.segments(package, file);
    let encoded: Vec<_> = segments.iter().map(|s| encoded(s)).collect();
    let root = if is_absolute { "file:///" } else { "" };
    format!("{root}{}", encoded.join("/"))
}

/// Everything but what RFC 3986 calls unreserved is percent-encoded.
fn encoded(segment: &str) -> String {
    let mut out = String::with_capacity(segment.len());
    for byte in segment.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// What stays the same of a finding while other parts of its file change; equal ones are numbered.
fn fingerprint(finding: &Finding, seen: &mut HashMap<u64, usize>) -> String {
    let mut hash = Fnv::new();
    hash.add(finding.rule.slug());
    hash.add(&finding.package);
    hash.add(&finding.file);
    match &finding.place {
        None => hash.add(&finding.message),
        Some(place) => {
            let text = place.source.text();
            let start = (place.span.start as usize).min(text.len());
            let before = text.get(..start).unwrap_or_default();
            let line = before.rfind('\n').map_or(0, |at| at + 1);
            let line = text.get(line..).and_then(|rest| rest.lines().next());
            let marked = text.get(start..place.span.end as usize);
            hash.add(cut_at(line.unwrap_or_default().trim(), QUOTE_LIMIT));
            hash.add(cut_at(marked.unwrap_or_default().trim(), QUOTE_LIMIT));
        }
    }
    let count = seen.entry(hash.0).or_default();
    *count += 1;
    format!("{:016x}:{count}", hash.0)
}

/// FNV-1a: a hash that no release of the standard library changes.
struct Fnv(u64);

impl Fnv {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    /// Adds a text and its end.
    fn add(&mut self, text: &str) {
        for byte in text.bytes().chain([0]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
