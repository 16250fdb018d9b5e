//! Why a run failed, as text.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::diag::{Severity, listed};
use crate::pipeline::RunError;

/// The whole message: the headline, then every fault under it.
pub fn message(error: &RunError) -> String {
    let mut out = error.headline();
    match error {
        RunError::Packages(findings) => {
            let errors = findings.iter().filter(|f| f.severity == Severity::Error);
            let names: BTreeSet<_> = errors.map(|f| &f.package).collect();
            let _ = write!(out, ": {}", listed(names));
            for finding in findings {
                let _ = write!(out, "\n{finding}");
            }
        }
        RunError::Rejected(records) => {
            for (record, violations) in records {
                for violation in violations {
                    let _ = write!(out, "\n  {}: {violation}", crate::diag::shown(record));
                }
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
                let _ = write!(out, "\n  {problem}");
            }
        }
    }
    out
}
