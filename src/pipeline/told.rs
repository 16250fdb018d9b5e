//! What the run log says of what the phases did (G2), line by line.
//!
//! A large run has very many of these lines, so they are written on all processors. Nothing is decided here.

use std::fmt::{self, Write as _};

use crate::expand::Injection;
use crate::inject::{RegionOutcome, RegionReport};
use crate::parallel;
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

/// [`label`], written behind what is there.
fn push_label(action: &str, variant: Option<&str>, out: &mut String) {
    out.push_str(action);
    if let Some(variant) = variant {
        out.extend([":", variant]);
    }
}

/// Phase 2: each path with what it was resolved to.
pub(super) fn records(log: &RunLog, records: &[RecordReport]) {
    let count = records.iter().map(|record| 1 + record.paths.len()).sum();
    tell(log, records, count, |record, out| {
        out.extend(["record ", &record.record, "\n"]);
        for path in &record.paths {
            out.extend(["  ", &path.path]);
            if let Some(entry) = &path.unmanaged {
                out.extend([" unmanaged: package ", &path.package]);
                let _ = writeln!(out, " declares {entry:?}");
            } else {
                let template = path.template.as_deref().unwrap_or("(none)");
                out.extend([" package ", &path.package, " template ", template]);
                let _ = writeln!(out, " captures {:?}", path.captures);
            }
        }
    });
}

/// Phase 3: each file with what was done to it.
pub(super) fn files(log: &RunLog, files: &[FileReport]) {
    tell(log, files, files.len(), |file, out| {
        out.extend(["file ", &file.path]);
        match file.outcome {
            FileOutcome::Created => out.push_str(" created"),
            FileOutcome::Updated { lines } => {
                let _ = write!(out, " updated (+{lines} lines)");
            }
            FileOutcome::Present => out.push_str(" already present"),
        }
        let template = file.template.as_deref();
        out.extend([
            ", template ",
            template.unwrap_or("(none: starts empty)"),
            "\n",
        ]);
    });
}

/// Phase 6: each injection with where it goes.
pub(super) fn expansions(log: &RunLog, injections: &[Vec<Injection<'_>>]) {
    let count = injections.iter().map(Vec::len).sum();
    tell(log, injections, count, |record, out| {
        for injection in record {
            out.extend(["expanded ", &injection.record, " "]);
            push_label(&injection.action.name, injection.variant.as_deref(), out);
            let anchor = injection.single.anchor.name();
            out.extend([" to ", &injection.path, " at ", anchor, "\n"]);
        }
    });
}

/// Phase 7: each region with what was done to it.
pub(super) fn regions(log: &RunLog, regions: &[RegionReport]) {
    tell(log, regions, regions.len(), |region, out| {
        out.extend(["region ", &region.path, " "]);
        push_label(&region.action, region.variant.as_deref(), out);
        let done = match region.outcome {
            RegionOutcome::Injected => " injected (",
            RegionOutcome::Replaced => " replaced (",
            RegionOutcome::Unchanged => " unchanged (",
            RegionOutcome::Seeded => " left as seeded (",
        };
        out.extend([done, &region.record, ")\n"]);
    });
}

/// Logs what `write` makes of each item, `count` lines in all.
fn tell<T: Sync>(log: &RunLog, items: &[T], count: usize, write: impl Fn(&T, &mut String) + Sync) {
    if log.is_on() {
        parallel::lines(items, count, write, |text| log.lines(&text));
    }
}
