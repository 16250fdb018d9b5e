//! Why a run failed, as text with source excerpts.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::diag::{Severity, listed};
use crate::pipeline::RunError;

use super::findings::{self, Drawing};

/// The whole message: the headline, then every fault under it, with the lines at fault where they are drawn (O20).
pub fn message(error: &RunError, drawing: Option<Drawing>) -> String {
    let mut out = error.headline();
    match error {
        RunError::Packages(list) => {
            let errors = list.iter().filter(|f| f.severity == Severity::Error);
            let names: BTreeSet<_> = errors.map(|f| &f.package).collect();
            let _ = write!(out, ": {}", listed(names));
            for finding in list {
                out.push('\n');
                out.push_str(findings::shown_finding(finding, drawing).trim_end());
            }
        }
        RunError::Rejected(records) => {
            for problem in records.iter().flat_map(|record| &record.problems) {
                out.push('\n');
                out.push_str(findings::shown_problem(problem, drawing).trim_end());
            }
        }
        RunError::Selection { errors, kept } => {
            for error in errors {
                let _ = write!(out, "\n  {error}");
            }
            if let Some(kept) = kept {
                let _ = write!(out, "\n  {kept}");
            }
        }
        other => {
            for problem in other.listed() {
                out.push('\n');
                out.push_str(findings::shown_problem(problem, drawing).trim_end());
            }
        }
    }
    out
}
