//! A run from records: phases 0 to 7.

use std::collections::BTreeMap;

use crate::diag::{Problem, quoted};
use crate::record::{self, RecordSet};
use crate::resolve::{self, Resolved, Variables};

use super::steps;
use super::{Config, Outcome, RunError, Stop, Surroundings};

pub(super) fn run(
    config: &Config,
    around: &Surroundings<'_>,
    outcome: &mut Outcome,
) -> Result<(), RunError> {
    let packages = steps::load_packages(&config.generators, outcome)?;
    let directory = config.records.as_deref().unwrap_or_else(|| "".as_ref());
    let ingested = record::ingest(directory, &config.only)?;
    outcome.warnings.extend(ingested.warnings);
    let resolution = resolve::resolve(&packages, &ingested.set, &config.lang)
        .map_err(|problems| RunError::problems("paths cannot be resolved", problems))?;
    outcome.warnings.extend(resolution.warnings);
    let records = resolution.records;
    let used = steps::used_packages(&records);
    let variables = Variables::bind(&packages, &used, &config.vars, &BTreeMap::new())
        .map_err(|problems| RunError::problems("run variables are not bound", problems))?;
    steps::resolved(&records, around, outcome);

    let shared = shared_paths(&ingested.set, &records);
    if steps::stops_at(config, Stop::Resolution) {
        outcome.warnings.extend(shared);
        return record_files(config, &records, &variables, outcome);
    }
    let selects = !steps::stops_at(config, Stop::Files);
    if selects && !shared.is_empty() {
        return Err(RunError::problems(
            "several records name one path, and one model call a record would decide it twice",
            shared,
        ));
    }
    if selects {
        return Err(RunError::NoSelection);
    }
    let mut tree = steps::open(config, around)?;
    steps::create(&records, &variables, &mut tree, around, outcome)?;
    steps::commit(config, tree, around, outcome)?;
    record_files(config, &records, &variables, outcome)
}

/// R18: the managed paths that several records name.
fn shared_paths(set: &RecordSet, records: &[Resolved<'_>]) -> Vec<Problem> {
    let is_managed = |path: &str| {
        records
            .iter()
            .any(|r| r.files.iter().any(|file| file.path == path))
    };
    set.shared_paths()
        .into_iter()
        .filter(|(path, _)| is_managed(path))
        .map(|(path, ids)| {
            Problem::new(format!(
                "path {} is named by the records {}",
                quoted(&path),
                steps::ids(&ids)
            ))
            .help("grow them one at a time with --only")
        })
        .collect()
}

/// A recording of a run that selected nothing (U14).
fn record_files(
    config: &Config,
    records: &[Resolved<'_>],
    variables: &Variables,
    outcome: &mut Outcome,
) -> Result<(), RunError> {
    let records: Vec<_> = records.iter().collect();
    steps::record(config, &records, &BTreeMap::new(), variables, outcome)
}
