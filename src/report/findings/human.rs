//! Findings for a reader: L7's line, the source with the fault underlined, the help (O20).

use std::fmt::Write as _;

use anstyle::{AnsiColor, Effects, Style};

use crate::diag::{Finding, Problem, Severity, Source, shown};

use super::excerpt::Drawing;
use super::{Report, shown_lines};

const BOLD: Style = Style::new().effects(Effects::BOLD);
const ERROR: Style = AnsiColor::BrightRed.on_default().effects(Effects::BOLD);
const WARNING: Style = AnsiColor::Yellow.on_default().effects(Effects::BOLD);

/// Every finding with its excerpt, a blank line after each, and the counts.
pub(super) fn render(report: &Report<'_>, color: bool, width: usize) -> String {
    let mut out = String::new();
    for found in report.findings {
        let _ = writeln!(out, "{}", finding(found, color, width));
    }
    let _ = writeln!(out, "{}", report.summary());
    out
}

/// One finding: L7's line, excerpt, help.
pub(super) fn finding(finding: &Finding, color: bool, width: usize) -> String {
    let name = |source: &Source| format!("{}/{}", finding.package, source.name());
    let drawing = Drawing {
        severity: finding.severity,
        place: finding.place.as_ref(),
        labels: &finding.labels,
        help: finding.help.as_deref(),
        name: &name,
    };
    format!(
        "{}\n{}",
        headline(finding, color),
        drawing.draw(color, width)
    )
}

/// A problem of another phase: `file:line:column: message`, excerpt, help.
pub(super) fn problem(problem: &Problem, color: bool, width: usize) -> String {
    let mut out = String::new();
    if let Some(place) = &problem.place {
        let (line, column) = place.position();
        let _ = write!(out, "{}:{line}:{column}: ", shown(place.source.name()));
    }
    let _ = writeln!(
        out,
        "{}",
        styled(&shown_lines(&problem.message), BOLD, color)
    );
    let name = |source: &Source| source.name().to_owned();
    let drawing = Drawing {
        severity: Severity::Error,
        place: problem.place.as_ref(),
        labels: &problem.labels,
        help: problem.help.as_deref(),
        name: &name,
    };
    out.push_str(&drawing.draw(color, width));
    out
}

/// L7's first line: plain, the same bytes as the finding's own; colored, the same text.
fn headline(finding: &Finding, color: bool) -> String {
    let line = shown(&finding.to_string());
    let (severity, message) = (finding.severity.name(), shown(&finding.message));
    let middle = line
        .strip_prefix(severity)
        .and_then(|rest| rest.strip_suffix(message.as_str()));
    let Some(middle) = middle.filter(|_| color) else {
        return line;
    };
    let style = match finding.severity {
        Severity::Error => ERROR,
        Severity::Warning => WARNING,
    };
    format!(
        "{}{middle}{}",
        styled(severity, style, color),
        styled(&message, BOLD, color)
    )
}

fn styled(text: &str, style: Style, color: bool) -> String {
    if color {
        format!("{style}{text}{style:#}")
    } else {
        text.to_owned()
    }
}
