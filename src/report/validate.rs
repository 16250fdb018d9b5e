//! What `validate` says.

use std::fmt::Write as _;

use crate::diag::Severity;
use crate::genpkg::Loaded;

/// One line a finding, then the counts (L7, U15).
pub fn text(loaded: &Loaded) -> String {
    let mut out = String::new();
    for finding in &loaded.findings {
        let _ = writeln!(out, "{finding}");
    }
    let packages = loaded.verdicts.iter().filter(|v| v.package.is_some());
    let _ = writeln!(
        out,
        "{} package(s) loaded, {} error(s), {} warning(s)",
        packages.count(),
        loaded.count(Severity::Error),
        loaded.count(Severity::Warning)
    );
    out
}
