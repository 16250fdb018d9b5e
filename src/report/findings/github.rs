//! GitHub workflow commands: one `::error` or `::warning` a finding, which the runner turns into an annotation (O21).
//!
//! The escaping is the one that the runner undoes: `%`, carriage return and line feed everywhere, `:` and `,` in a
//! property too. A place that spans lines goes without columns: the runner takes them for one line only.

use std::fmt::Write as _;

use crate::diag::{Finding, shown};

use super::{Report, shown_lines};

/// The commands, and the counts as a plain line.
pub(super) fn render(report: &Report<'_>) -> String {
    let mut out = String::new();
    for finding in report.findings {
        let mut properties = format!("file={}", property(&path(report, finding)));
        if let Some(place) = &finding.place {
            let ((line, column), (end_line, end_column)) = (place.position(), place.end_position());
            let _ = write!(properties, ",line={line}");
            if line == end_line {
                let _ = write!(properties, ",col={column}");
            }
            let _ = write!(properties, ",endLine={end_line}");
            if line == end_line {
                let _ = write!(properties, ",endColumn={end_column}");
            }
        }
        let mut message = shown_lines(&finding.message);
        if let Some(help) = &finding.help {
            let _ = write!(message, "\nhelp: {}", shown_lines(help));
        }
        let _ = writeln!(
            out,
            "::{} {properties},title={}::{}",
            finding.severity.name(),
            finding.rule.slug(),
            data(&message)
        );
    }
    let _ = writeln!(out, "{}", report.summary());
    out
}

fn path(report: &Report<'_>, finding: &Finding) -> String {
    let (is_absolute, segments) = report.segments(&finding.package, &finding.file);
    let root = match segments.first() {
        Some(first) if is_absolute && !first.ends_with(':') => "/",
        _ => "",
    };
    shown(&format!("{root}{}", segments.join("/")))
}

fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
