//! A directory of record files becomes the records of a run.
//!
//! It holds the records against each other and against `--only`, and gathers what is wrong with any of them into one
//! report (R6). Files are judged one by one in `read`.
//!
//! `--only` comes first (R19): of a record that it leaves out nothing is asked but its id, so that one record can be
//! grown while another is still being written. A file whose id cannot be told is at fault all the same, as it may be the
//! one that is meant.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io;
use std::path::Path;

use thiserror::Error;

use super::files;
use super::model::Record;
use super::read::{self, Draft};
use super::set::RecordSet;
use crate::diag::{Place, Problem, listed, nearest, quoted, shown};
use crate::doc::input;
use crate::parallel;
use crate::pattern::path;

/// The records of a run.
#[derive(Debug)]
pub struct Ingested {
    /// The records, `--only` applied.
    pub set: RecordSet,
    /// What is legal but odd, in the order of files and lines (R14).
    pub warnings: Vec<Problem>,
}

/// Why there are no records.
#[derive(Debug, Error)]
pub enum IngestError {
    /// The directory cannot be read.
    #[error("records directory {} (from --records or SEDUM_RECORDS) cannot be read: {cause}", shown(.directory))]
    Directory {
        /// The directory as it was given.
        directory: String,
        /// The system's reason.
        #[source]
        cause: io::Error,
    },
    /// Records are at fault, in the order of files and lines; ids that `--only` names in vain come last (R6).
    #[error("{}", input::lines(.0))]
    Faults(Vec<Problem>),
    /// Every record is sound, but `--only` names ids that none declares (R15); a problem for each id.
    #[error("{}", input::lines(.0))]
    UnknownIds(Vec<Problem>),
}

/// Reads the records directly inside `directory` (R1); of these, if `only` names any, the ones whose ids it names (R15,
/// R19).
pub fn ingest(directory: &Path, only: &[String]) -> Result<Ingested, IngestError> {
    let found = files::find(directory).map_err(|cause| IngestError::Directory {
        directory: directory.display().to_string(),
        cause,
    })?;
    let wanted: HashSet<&str> = only.iter().map(String::as_str).collect();
    let is_wanted = |id: &str| wanted.is_empty() || wanted.contains(id);

    let mut report = Report::default();
    let mut records: Vec<(usize, Record)> = Vec::new();
    let mut ids = Vec::new();
    let mut warnings = Vec::new();
    let mut anonymous = false;
    let read = found.iter().flatten();
    let cost = read.map(|source| source.text().len()).sum();
    let drafts = parallel::map(found, cost, |found| match found {
        Ok(source) => read::read(&source, is_wanted),
        Err(problem) => Draft {
            problems: vec![problem],
            ..Draft::default()
        },
    });
    for (file, draft) in drafts.into_iter().enumerate() {
        report.extend(file, draft.problems);
        warnings.extend(draft.warnings);
        records.extend(draft.record.map(|record| (file, record)));
        anonymous |= draft.id.is_none();
        ids.extend(draft.id);
    }
    find_repeated_ids(&records, &mut report);
    find_conflicts(&records, &mut report);

    let unknown = unknown_ids(only, &ids);
    let mut faults = report.sorted();
    if !faults.is_empty() {
        // With a file that does not tell its id, an id may only seem to be unknown.
        if !anonymous {
            faults.extend(unknown);
        }
        return Err(IngestError::Faults(faults));
    }
    if !unknown.is_empty() {
        return Err(IngestError::UnknownIds(unknown));
    }
    let records = records.into_iter().map(|(_, record)| record).collect();
    Ok(Ingested {
        set: RecordSet::new(records),
        warnings,
    })
}

/// Problems with the number of the file each belongs to.
#[derive(Default)]
struct Report(Vec<(usize, Problem)>);

impl Report {
    fn extend(&mut self, file: usize, problems: impl IntoIterator<Item = Problem>) {
        self.0
            .extend(problems.into_iter().map(|problem| (file, problem)));
    }

    /// In the order of files and lines (R6).
    fn sorted(mut self) -> Vec<Problem> {
        self.0.sort_by_key(|(file, problem)| {
            let span = problem.place.as_ref().map(|place| place.span);
            (*file, span)
        });
        self.0.into_iter().map(|(_, problem)| problem).collect()
    }
}

/// R17: an id belongs to one file.
fn find_repeated_ids(records: &[(usize, Record)], report: &mut Report) {
    let mut firsts: HashMap<&str, &Record> = HashMap::with_capacity(records.len());
    for (file, record) in records {
        let first = *firsts.entry(&record.id).or_insert(record);
        if std::ptr::eq(first, record) {
            continue;
        }
        let problem = Problem::new(format!(
            "record id {} is declared by two files, {} and {}",
            quoted(&record.id),
            shown(first.source.name()),
            shown(record.source.name())
        ))
        .at(&record.source, record.id_span)
        .label(&first.source, first.id_span, "declared here first")
        .help("give one of them another id");
        report.extend(*file, [problem]);
    }
}

/// R9a: no two paths of a run are one file on some file system.
fn find_conflicts(records: &[(usize, Record)], report: &mut Report) {
    let mut named: BTreeMap<&str, (usize, Place, &str)> = BTreeMap::new();
    let mut in_order = Vec::new();
    for (file, record) in records {
        let mut written: Vec<_> = record.paths.iter().collect();
        written.sort_by_key(|path| path.span);
        for path in written {
            named.entry(&path.path).or_insert_with(|| {
                in_order.push(path.path.as_str());
                (*file, Place::new(&record.source, path.span), &record.id)
            });
        }
    }
    for (earlier, later) in path::conflicts(in_order.into_iter()) {
        let (Some(first), Some(second)) = (named.get(&*earlier), named.get(&*later)) else {
            continue;
        };
        let problem = Problem::new(format!(
            "path {} of record {} and path {} of record {} differ only by letter case or Unicode form: on many file \
             systems they meet in one file or folder",
            quoted(&earlier),
            quoted(first.2),
            quoted(&later),
            quoted(second.2)
        ))
        .at(&second.1.source, second.1.span)
        .label(&first.1.source, first.1.span, "the other spelling")
        .help("spell both alike, or rename one");
        report.extend(second.0, [problem]);
    }
}

/// R15: the ids that `--only` names and no record declares, each once.
fn unknown_ids(only: &[String], known: &[String]) -> Vec<Problem> {
    let mut told: HashSet<&str> = known.iter().map(String::as_str).collect();
    let mut known: Vec<&str> = told.iter().copied().collect();
    known.sort_unstable();
    let mut problems = Vec::new();
    for id in only {
        if !told.insert(id) {
            continue;
        }
        let problem = Problem::new(format!(
            "--only names {}, which no record declares",
            quoted(id)
        ));
        let ids = format!("the ids are {}", listed(&known));
        problems.push(match nearest(id, known.iter().copied()) {
            Some(near) => problem.help(format!("did you mean {}? {ids}", quoted(near))),
            None => problem.help(ids),
        });
    }
    problems
}

#[cfg(test)]
mod tests;
