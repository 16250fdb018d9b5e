//! A run as a recording (J1-J9, U14, V9).

use std::collections::BTreeMap;

use crate::invocation::Invocation;
use crate::recording::{RecordedFile, RecordedPackage, RecordedPhase, RecordedRecord, Recording};
use crate::resolve::{Resolved, Variables};

/// The one phase that is written (J4).
const PHASE: &str = "default";

/// The recording of these records with what was selected for each; a record without a selection has an empty phase.
pub(super) fn capture(
    records: &[&Resolved<'_>],
    selections: &BTreeMap<&str, &[Invocation]>,
    variables: &Variables,
) -> Recording {
    let mut packages = BTreeMap::new();
    let mut recorded = Vec::with_capacity(records.len());
    for record in records {
        for package in record.packages() {
            packages
                .entry(package.name.clone())
                .or_insert_with(|| RecordedPackage {
                    extensions: package.extensions.clone(),
                    ..RecordedPackage::default()
                });
        }
        let invocations = selections
            .get(record.record.as_str())
            .map(|list| list.to_vec())
            .unwrap_or_default();
        recorded.push(RecordedRecord {
            record_id: record.record.clone(),
            files: record.files.iter().map(file).collect(),
            phases: vec![RecordedPhase {
                name: PHASE.to_owned(),
                invocations,
            }],
            ..RecordedRecord::default()
        });
    }
    Recording {
        packages,
        records: recorded,
        variables: variables.recorded(),
        ..Recording::default()
    }
}

fn file(file: &crate::resolve::ResolvedFile<'_>) -> RecordedFile {
    RecordedFile {
        path: file.path.clone(),
        package: file.package.name.clone(),
        template: file.template.map(|t| t.name.clone()).unwrap_or_default(),
        captures: file.captured().collect(),
        ..RecordedFile::default()
    }
}
