//! A run from records: phases 0 to 7.

use std::collections::{BTreeMap, HashSet};

use crate::diag::{Problem, quoted};
use crate::genpkg::PackageSet;
use crate::invocation::Invocation;
use crate::record::{self, RecordSet};
use crate::resolve::create::Created;
use crate::resolve::{self, Resolved, Variables};
use crate::selection::converse::{self, Selection, Tally};

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
        if config.record.is_some() {
            steps::check_apart(config, &records, around)?;
        }
        let _gate = around.interrupt.writing();
        return record_files(config, around, &records, &variables, outcome);
    }
    let selects = !steps::stops_at(config, Stop::Files);
    if selects && !shared.is_empty() {
        return Err(RunError::problems(
            "several records name one path, and one model call a record would decide it twice",
            shared,
        ));
    }
    let mut tree = steps::open(config, &records, around)?;
    let created = steps::create(&records, &variables, &mut tree, around, outcome)?;
    if !selects {
        let _gate = steps::commit(config, tree, around, outcome)?;
        return record_files(config, around, &records, &variables, outcome);
    }

    let stage = Stage {
        config,
        around,
        packages: &packages,
        records: &records,
        variables: &variables,
        created: &created,
    };
    let (selections, tallies) = stage.select(outcome)?;
    let judged = steps::judge(
        &packages,
        &records,
        selections.iter().collect(),
        &variables,
        &created,
        around,
        outcome,
    )?;
    for (selected, tally) in outcome.selections.iter_mut().zip(tallies) {
        selected.tally = Some(tally);
    }
    if !steps::stops_at(config, Stop::Invocations) {
        let injections = steps::expand(judged, &created, around, outcome)?;
        if !steps::stops_at(config, Stop::Expansion) {
            steps::inject(injections, &created, &mut tree, around, outcome)?;
        }
    }
    let _gate = steps::commit(config, tree, around, outcome)?;
    let selected: BTreeMap<&str, &[Invocation]> = records
        .iter()
        .zip(&selections)
        .map(|(record, invocations)| (record.record.as_str(), invocations.as_slice()))
        .collect();
    let all: Vec<_> = records.iter().collect();
    steps::record(config, around, &all, &selected, &variables, outcome)
}

/// What phase 4 works with.
struct Stage<'a, 'p> {
    config: &'a Config,
    around: &'a Surroundings<'a>,
    packages: &'p PackageSet,
    records: &'a [Resolved<'p>],
    variables: &'a Variables,
    created: &'a Created,
}

impl Stage<'_, '_> {
    /// Phase 4, with phase 5 inside its loop: the invocations of every record, in record order, and what they took.
    fn select(
        &self,
        outcome: &mut Outcome,
    ) -> Result<(Vec<Vec<Invocation>>, Vec<Tally>), RunError> {
        let Some(model) = self.around.model else {
            return Err(RunError::NoModel);
        };
        let how = &self.config.asking;
        let asking = converse::Asking {
            packages: self.packages,
            variables: self.variables,
            planted: &self.created.planted,
            model,
            retries: how.retries,
            full_catalog: how.full_catalog,
            response_schema: how.response_schema,
            order: None,
            log: self.around.log,
            progress: self.around.progress,
        };
        let mut selected: Vec<Option<Selection>> = Vec::with_capacity(self.records.len());
        let mut errors = Vec::new();
        for result in asking.select_all(self.records, how.jobs) {
            match result {
                Some(Ok(selection)) => selected.push(Some(selection)),
                Some(Err(error)) => {
                    errors.push(error);
                    selected.push(None);
                }
                None => selected.push(None),
            }
        }
        if !errors.is_empty() {
            let kept = self.keep(&selected, outcome)?;
            return Err(RunError::Selection { errors, kept });
        }
        let selections = selected.into_iter().flatten();
        Ok(selections.map(|s| (s.invocations, s.tally)).unzip())
    }

    /// D27: the answers that did validate have been paid for, and are recorded.
    fn keep(
        &self,
        selected: &[Option<Selection>],
        outcome: &mut Outcome,
    ) -> Result<Option<String>, RunError> {
        let Some(path) = &self.config.record else {
            return Ok(None);
        };
        let valid: Vec<_> = self
            .records
            .iter()
            .zip(selected)
            .filter_map(|(record, selection)| Some((record, selection.as_ref()?)))
            .collect();
        if valid.is_empty() {
            return Ok(Some(
                "no record's answer validated, so no recording is written".to_owned(),
            ));
        }
        let by_id: BTreeMap<&str, &[Invocation]> = valid
            .iter()
            .map(|(record, s)| (record.record.as_str(), s.invocations.as_slice()))
            .collect();
        let records: Vec<_> = valid.iter().map(|(record, _)| *record).collect();
        let _gate = self.around.interrupt.writing();
        steps::record(
            self.config,
            self.around,
            &records,
            &by_id,
            self.variables,
            outcome,
        )?;
        let names = valid.iter().map(|(record, _)| record.record.clone());
        Ok(Some(format!(
            "the answers for {} validated and are recorded in {}",
            steps::ids(&names.collect::<Vec<_>>()),
            quoted(&path.to_string_lossy())
        )))
    }
}

/// R18: the managed paths that several records name.
fn shared_paths(set: &RecordSet, records: &[Resolved<'_>]) -> Vec<Problem> {
    let managed: HashSet<&str> = records
        .iter()
        .flat_map(|record| record.files.iter().map(|file| file.path.as_str()))
        .collect();
    set.shared_paths()
        .into_iter()
        .filter(|(path, _)| managed.contains(path.as_str()))
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
    around: &Surroundings<'_>,
    records: &[Resolved<'_>],
    variables: &Variables,
    outcome: &mut Outcome,
) -> Result<(), RunError> {
    let records: Vec<_> = records.iter().collect();
    steps::record(
        config,
        around,
        &records,
        &BTreeMap::new(),
        variables,
        outcome,
    )
}
