//! What phase 2 decided, as data for reports (U13, N13). It decides nothing.

use crate::parallel;
use crate::resolve::{Resolved, ResolvedFile, Variables};
use crate::value::Names;

use super::{Outcome, PathReport, Phase, RecordReport, UnmanagedReport};

/// What describing one path costs, for [`parallel::map`].
const PATH_COST: usize = 512;

/// What phase 2 decided, as data for a report; with `variables` every template rendered too.
fn describe(records: &[Resolved<'_>], variables: Option<&Variables>) -> Vec<RecordReport> {
    let records: Vec<_> = records.iter().collect();
    let paths = records.iter().map(|r| r.files.len() + r.unmanaged.len());
    let cost = paths.sum::<usize>() * PATH_COST;
    parallel::map(records, cost, |record| {
        let files = record.files.iter().map(|file| PathReport {
            path: file.path.clone(),
            package: file.package.name.clone(),
            template: file.template.map(|t| t.name.clone()),
            is_default: file.is_default,
            captures: file.captured().collect(),
            unmanaged: None,
            rendered: variables.map(|variables| rendered(file, variables)),
        });
        let unmanaged = record.unmanaged.iter().map(|path| PathReport {
            path: path.path.clone(),
            package: path.package.to_owned(),
            template: None,
            is_default: false,
            captures: Names::new(),
            unmanaged: Some(path.entry.to_owned()),
            rendered: None,
        });
        let mut paths: Vec<_> = files.chain(unmanaged).collect();
        paths.sort_by(|a, b| a.path.cmp(&b.path));
        RecordReport {
            record: record.record.clone(),
            paths,
        }
    })
}

fn rendered(file: &ResolvedFile<'_>, variables: &Variables) -> String {
    let text = file
        .rendered(variables)
        .unwrap_or_else(|| Ok(String::new()));
    text.unwrap_or_else(|fault| format!("cannot be rendered: {fault}"))
}

impl Outcome {
    /// Takes in what phase 2 decided; with `variables` every template rendered too.
    pub fn describe(&mut self, records: &[Resolved<'_>], variables: Option<&Variables>) {
        self.records = describe(records, variables);
        self.unmanaged = unmanaged(&self.records);
        self.reached = Phase::Resolution;
    }
}

/// The unmanaged paths of all records, each once (N13).
fn unmanaged(records: &[RecordReport]) -> Vec<UnmanagedReport> {
    let mut list: Vec<_> = records
        .iter()
        .flat_map(|record| &record.paths)
        .filter_map(|path| {
            Some(UnmanagedReport {
                path: path.path.clone(),
                package: path.package.clone(),
                entry: path.unmanaged.clone()?,
            })
        })
        .collect();
    list.sort();
    list.dedup();
    list
}
