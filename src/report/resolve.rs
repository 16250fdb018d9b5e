//! What `resolve` says, and `grow --stop-after resolution` (U16).

use std::fmt::Write as _;

use crate::diag::shown;
use crate::pipeline::{Outcome, PathReport, RecordReport, UnmanagedReport};

/// Each record with its paths, then the counts and what is left unmanaged.
pub fn text(outcome: &Outcome) -> String {
    let (records, packages) = (&outcome.records, outcome.packages);
    let mut out = String::new();
    for record in records.iter().filter(|record| !record.paths.is_empty()) {
        let _ = writeln!(out, "{}", shown(&record.record));
        for path in &record.paths {
            path_text(path, &mut out);
        }
    }
    if !out.is_empty() {
        out.push('\n');
    }
    let managed: Vec<_> = records.iter().flat_map(RecordReport::managed).collect();
    let _ = writeln!(
        out,
        "{} record(s), {} path(s) resolved across {packages} package(s)",
        records.len(),
        managed.len()
    );
    unmanaged(&outcome.unmanaged, &mut out);
    out
}

fn path_text(path: &PathReport, out: &mut String) {
    let _ = writeln!(out, "  {}", shown(&path.path));
    if let Some(entry) = &path.unmanaged {
        let _ = writeln!(
            out,
            "    unmanaged {} declares \"{}\"",
            shown(&path.package),
            shown(entry)
        );
        return;
    }
    let _ = writeln!(out, "    package   {}", shown(&path.package));
    let template = match &path.template {
        None => "(none: the file starts empty)".to_owned(),
        Some(name) if path.is_default => format!("{} (default)", shown(name)),
        Some(name) => shown(name),
    };
    let _ = writeln!(out, "    template  {template}");
    if !path.captures.is_empty() {
        let captures: Vec<_> = path
            .captures
            .iter()
            .map(|(name, text)| format!("{name}={}", shown(text)))
            .collect();
        let _ = writeln!(out, "    captures  {}", captures.join(" "));
    }
    if let Some(rendered) = &path.rendered {
        let _ = writeln!(out, "    rendered");
        if rendered.is_empty() {
            let _ = writeln!(out, "      (empty)");
        }
        for line in rendered.lines() {
            let line = shown(line.trim_end());
            let _ = writeln!(
                out,
                "{}",
                if line.is_empty() {
                    line
                } else {
                    format!("      {line}")
                }
            );
        }
    }
}

/// The handoff: what is left for a person or another tool (N13).
pub fn unmanaged(left: &[UnmanagedReport], out: &mut String) {
    if left.is_empty() {
        return;
    }
    let _ = writeln!(
        out,
        "{} path(s) left unmanaged, for a person or another tool:",
        left.len()
    );
    for path in left {
        let _ = writeln!(
            out,
            "  {} ({} declares \"{}\")",
            shown(&path.path),
            shown(&path.package),
            shown(&path.entry)
        );
    }
}
