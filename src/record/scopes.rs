//! A record's two scope lists: which entries name a file, which only authorise, which forbid.
//!
//! It decides what an entry may be (R7-R12). What an entry's text means and what makes a path unsafe is decided by
//! [`crate::pattern`], for packages and recordings alike.

use super::model::RecordPath;
use crate::diag::{Span, quoted};
use crate::doc::Fault;
use crate::pattern::path::{self, PathFault};
use crate::pattern::scope::{Entry, ScopeSet, Unreadable};

/// What an `affected_scope` authorises.
#[derive(Debug, Default)]
pub(super) struct Authorised {
    /// The files it names, cleaned, sorted, each once, at the first entry that names it (R8, R10).
    pub paths: Vec<RecordPath>,
    /// The entries that only authorise.
    pub patterns: ScopeSet,
}

/// What a `forbidden_scope` forbids.
#[derive(Debug, Default)]
pub(super) struct Forbidden {
    /// The entries, in the order written.
    pub entries: ScopeSet,
    /// Where each stands.
    spans: Vec<Span>,
}

/// Reads `affected_scope`: blank entries are passed over (R7), unsafe paths (R9, R9a) and unreadable patterns (R11) are
/// faults.
pub(super) fn read_affected(texts: &[(&str, Span)], faults: &mut Vec<Fault>) -> Authorised {
    let mut paths = Vec::new();
    let mut patterns = Vec::new();
    for (text, span) in trimmed(texts) {
        match Entry::parse(text) {
            Ok(entry) if entry.is_literal() => match path::check(text) {
                Ok(path) => paths.push(RecordPath { path, span }),
                Err(fault) => faults.push(unsafe_entry(text, span, &fault)),
            },
            parsed => match (path::check_scope_pattern(text), parsed) {
                (Err(fault), _) => faults.push(unsafe_entry(text, span, &fault)),
                (Ok(()), Err(why)) => faults.push(unreadable("affected_scope", span, &why)),
                (Ok(()), Ok(entry)) => patterns.push(entry),
            },
        }
    }
    // The sort is stable, so that of equal paths the first entry is the one that is kept.
    paths.sort_by(|a, b| a.path.cmp(&b.path));
    paths.dedup_by(|later, first| later.path == first.path);
    Authorised {
        paths,
        patterns: ScopeSet::new(patterns),
    }
}

/// Reads `forbidden_scope`: blank entries are passed over (R7), unreadable patterns are faults (R11). R9 does not apply,
/// since what is forbidden is not written; but an entry spelt so that it cannot protect what it means earns a warning.
pub(super) fn read_forbidden(
    texts: &[(&str, Span)],
    faults: &mut Vec<Fault>,
    warnings: &mut Vec<Fault>,
) -> Forbidden {
    let mut entries = Vec::new();
    let mut spans = Vec::new();
    for (text, span) in trimmed(texts) {
        match Entry::parse(text) {
            Ok(entry) => {
                warnings.extend(powerless(text, span));
                entries.push(entry);
                spans.push(span);
            }
            Err(why) => faults.push(unreadable("forbidden_scope", span, &why)),
        }
    }
    Forbidden {
        entries: ScopeSet::new(entries),
        spans,
    }
}

/// The paths that their own record forbids (R12).
pub(super) fn find_contradictions(
    id: &str,
    paths: &[RecordPath],
    forbidden: &Forbidden,
    faults: &mut Vec<Fault>,
) {
    for RecordPath { path, span } in paths {
        let Some(index) = forbidden.entries.first_match(path) else {
            continue;
        };
        let entry = forbidden.entries.entries().get(index);
        let message = format!(
            "record {} authorises path {} and forbids it by {}",
            quoted(id),
            quoted(path),
            quoted(entry.map_or("", Entry::text))
        );
        let mut fault = Fault::new(*span, message).help(
            "take the path out of `affected_scope`, or narrow the entry of `forbidden_scope`",
        );
        fault.also = forbidden
            .spans
            .get(index)
            .map(|span| (*span, "forbidden here".to_owned()));
        faults.push(fault);
    }
}

/// The entries trimmed, without the blank ones (R7).
fn trimmed<'t>(texts: &[(&'t str, Span)]) -> impl Iterator<Item = (&'t str, Span)> {
    let trimmed = texts.iter().map(|(text, span)| (text.trim(), *span));
    trimmed.filter(|(text, _)| !text.is_empty())
}

fn unsafe_entry(text: &str, span: Span, fault: &PathFault) -> Fault {
    let what = format!("affected_scope entry {}: {fault}", quoted(text));
    Fault::new(span, what)
}

fn unreadable(list: &str, span: Span, why: &Unreadable) -> Fault {
    let fault = Fault::new(span, format!("{list}: {why}"));
    match why {
        Unreadable::Class(_) => fault.help(
            "close the class, as in `[a-z]`; a bracket that is part of a name is written `\\[`",
        ),
        Unreadable::Backslash(_) => fault.help("write `/` between folders"),
        Unreadable::Blank => fault,
    }
}

/// The warning of a forbidden entry that is spelt as no path of a run ever is.
fn powerless(text: &str, span: Span) -> Option<Fault> {
    match path::check_scope_pattern(text.trim_start_matches('/')) {
        Err(fault @ (PathFault::Backslash | PathFault::Escapes | PathFault::Drive)) => {
            let what = format!(
                "forbidden_scope entry {} forbids no path: {fault}",
                quoted(text)
            );
            Some(Fault::new(span, what))
        }
        _ => None,
    }
}
