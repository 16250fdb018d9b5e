//! One line a finding, then the counts (O21): what `validate` prints when nobody sits at a terminal.

use std::fmt::Write as _;

use crate::diag::shown;

use super::Report;

/// L7's first line of each finding, and the counts.
pub(super) fn render(report: &Report<'_>) -> String {
    let mut out = String::new();
    for finding in report.findings {
        let _ = writeln!(out, "{}", shown(&finding.to_string()));
    }
    let _ = writeln!(out, "{}", report.summary());
    out
}
