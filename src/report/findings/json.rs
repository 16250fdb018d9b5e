//! One JSON document: `packages`, `findings`, `summary` (O21).
//!
//! A finding without a place has no `line`, `column`, `end_line` and `end_column`, one without help no `help`, and one
//! that stands at a single place no `labels`. Lines and columns count from 1, columns in characters; the end is the
//! place after the last character. A label's `file` is relative to the finding's package.

use serde::Serialize;

use crate::diag::{Finding, Label, Place, Severity, printable_json};

use super::Report;

#[derive(Serialize)]
struct Document<'a> {
    packages: Vec<Package<'a>>,
    findings: Vec<Entry<'a>>,
    summary: Summary,
}

#[derive(Serialize)]
struct Package<'a> {
    name: &'a str,
    loaded: bool,
}

#[derive(Serialize)]
struct Entry<'a> {
    severity: &'static str,
    package: &'a str,
    file: &'a str,
    #[serde(flatten)]
    region: Option<Region>,
    rule: &'static str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    labels: Vec<Other<'a>>,
}

#[derive(Serialize)]
struct Region {
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
}

#[derive(Serialize)]
struct Other<'a> {
    file: &'a str,
    #[serde(flatten)]
    region: Region,
    text: &'a str,
}

#[derive(Serialize)]
struct Summary {
    loaded: usize,
    errors: usize,
    warnings: usize,
}

/// The document, two blanks a level, its last line ended.
pub(super) fn render(report: &Report<'_>) -> String {
    let packages = report.packages.iter();
    let document = Document {
        packages: packages
            .map(|(name, loaded)| Package {
                name,
                loaded: *loaded,
            })
            .collect(),
        findings: report.findings.iter().map(entry).collect(),
        summary: Summary {
            loaded: report.loaded(),
            errors: report.count(Severity::Error),
            warnings: report.count(Severity::Warning),
        },
    };
    // Text, numbers and lists alone: there is nothing in it that JSON cannot say.
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    printable_json(&text)
}

fn entry(finding: &Finding) -> Entry<'_> {
    Entry {
        severity: finding.severity.name(),
        package: &finding.package,
        file: &finding.file,
        region: finding.place.as_ref().map(region),
        rule: finding.rule.slug(),
        message: &finding.message,
        help: finding.help.as_deref(),
        labels: finding.labels.iter().map(other).collect(),
    }
}

fn other(label: &Label) -> Other<'_> {
    Other {
        file: label.place.source.name(),
        region: region(&label.place),
        text: &label.text,
    }
}

fn region(place: &Place) -> Region {
    let ((line, column), (end_line, end_column)) = (place.position(), place.end_position());
    Region {
        line,
        column,
        end_line,
        end_column,
    }
}
