//! What the run log says of what the phases did (G2), line by line.
//!
//! A large run has very many of these lines, so they are written on all processors. Nothing is decided here.

use std::fmt::{self, Write as _};

use crate::expand::Injection;
use crate::inject::{RegionOutcome, RegionReport};
use crate::parallel::{self, LINE_COST};
use crate::resolve::create::{FileOutcome, FileReport};
use crate::runlog::RunLog;

use super::RecordReport;

/// An action, with the discriminator's value where there is one.
pub(super) fn label(action: &str, variant: Option<&str>) -> impl fmt::Display {
    fmt::from_fn(move |f| match variant {
        Some(variant) => write!(f, "{action}:{variant}"),
        None => f.write_str(action),
    })
}

/// Phase 2: each path with what it was resolved to.
pub(super) fn records(log: &RunLog, records: &[RecordReport]) {
    let paths = records.iter().map(|record| record.paths.len());
    tell(log, records, paths.sum(), |record, out| {
        writeln!(out, "record {}", record.record)?;
        for path in &record.paths {
            match &path.unmanaged {
                Some(entry) => writeln!(
                    out,
                    "  {} unmanaged: package {} declares {entry:?}",
                    path.path, path.package
                )?,
                None => writeln!(
                    out,
                    "  {} package {} template {} captures {:?}",
                    path.path,
                    path.package,
                    path.template.as_deref().unwrap_or("(none)"),
                    path.captures
                )?,
            }
        }
        Ok(())
    });
}

/// Phase 3: each file with what was done to it.
pub(super) fn files(log: &RunLog, files: &[FileReport]) {
    tell(log, files, files.len(), |file, out| {
        write!(out, "file {} ", file.path)?;
        match file.outcome {
            FileOutcome::Created => out.push_str("created"),
            FileOutcome::Updated { lines } => write!(out, "updated (+{lines} lines)")?,
            FileOutcome::Present => out.push_str("already present"),
        }
        let template = file.template.as_deref().unwrap_or("(none: starts empty)");
        writeln!(out, ", template {template}")
    });
}

/// Phase 6: each injection with where it goes.
pub(super) fn expansions(log: &RunLog, injections: &[Vec<Injection<'_>>]) {
    let lines = injections.iter().map(Vec::len);
    tell(log, injections, lines.sum(), |record, out| {
        for injection in record {
            let label = label(&injection.action.name, injection.variant.as_deref());
            let anchor = injection.single.anchor.name();
            let (record, path) = (&injection.record, &injection.path);
            writeln!(out, "expanded {record} {label} to {path} at {anchor}")?;
        }
        Ok(())
    });
}

/// Phase 7: each region with what was done to it.
pub(super) fn regions(log: &RunLog, regions: &[RegionReport]) {
    tell(log, regions, regions.len(), |region, out| {
        let label = label(&region.action, region.variant.as_deref());
        let done = match region.outcome {
            RegionOutcome::Injected => "injected",
            RegionOutcome::Replaced => "replaced",
            RegionOutcome::Unchanged => "unchanged",
            RegionOutcome::Seeded => "left as seeded",
        };
        writeln!(
            out,
            "region {} {label} {done} ({})",
            region.path, region.record
        )
    });
}

/// Logs what `write` makes of each item, `lines` in all.
fn tell<T: Sync>(
    log: &RunLog,
    items: &[T],
    lines: usize,
    write: impl Fn(&T, &mut String) -> fmt::Result + Sync,
) {
    if log.is_on() {
        let text = parallel::text(items, lines * LINE_COST, |item, out| {
            // Writing into memory does not fail.
            let _ = write(item, out);
        });
        log.lines(&text);
    }
}
