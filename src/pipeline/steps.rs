//! The steps that a run and a replay share, in order.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::MutexGuard;

use foldhash::{HashMap, HashMapExt as _};

use crate::diag::{Problem, Severity, listed, quoted, shown};
use crate::expand::{ExpandFault, Identity, Injection};
use crate::genpkg::{self, Package, PackageSet};
use crate::inject;
use crate::invocation::Invocation;
use crate::log;
use crate::parallel;
use crate::recording;
use crate::resolve::create::{self, Created};
use crate::resolve::{Resolved, Variables};
use crate::selection::{Judge, Judged};
use crate::tree::{Options, Tree};

use super::capture::capture;
use super::told;
use super::{
    Changed, Config, Expansion, Outcome, Phase, Rejection, RunError, Selected, Source, Stop,
    Surroundings,
};

/// Phase 0: every package of the directory, or none (L34); warnings go to the outcome.
pub fn load_packages(generators: &Path, outcome: &mut Outcome) -> Result<PackageSet, RunError> {
    let loaded = genpkg::load(generators, &[])?;
    if loaded.count(Severity::Error) > 0 {
        return Err(RunError::Packages(loaded.findings));
    }
    outcome.findings.clone_from(&loaded.findings);
    let packages = loaded.into_set();
    outcome.packages = packages.len();
    Ok(packages)
}

/// The packages that managed paths resolved to, by name.
pub(super) fn used_packages<'p>(records: &[Resolved<'p>]) -> Vec<&'p Package> {
    let by_name: BTreeMap<&str, &Package> = records
        .iter()
        .flat_map(Resolved::packages)
        .map(|package| (package.name.as_str(), package))
        .collect();
    by_name.into_values().collect()
}

/// Puts the decided records into the outcome and the log.
pub(super) fn resolved(records: &[Resolved<'_>], around: &Surroundings<'_>, outcome: &mut Outcome) {
    outcome.describe(records, None);
    told::records(around.log, &outcome.records);
}

/// The output directory, staged.
pub(super) fn open(
    config: &Config,
    records: &[Resolved<'_>],
    around: &Surroundings<'_>,
) -> Result<Tree, RunError> {
    let options = Options {
        write: !config.dry_run,
        lock_timeout: config.lock_timeout,
        sync: config.sync,
    };
    match Tree::open_unless(&config.output, &options, around.interrupt.wanted()) {
        Ok(mut tree) => {
            around.interrupt.entered(tree.release());
            keep_apart(config, &mut tree);
            Ok(tree)
        }
        Err(error) => {
            // The log is written all the same, unless that would be over a file of the run.
            let _ = check_apart(config, records, around);
            Err(error.into())
        }
    }
}

const LOG: &str = "the run log (`--log`)";

/// No path of the run may lead to the files that the run has beside the generated ones.
fn keep_apart(config: &Config, tree: &mut Tree) {
    let replayed = match &config.source {
        Source::Recording(path) => Some(path),
        Source::Model => None,
    };
    for (file, what) in [
        (config.log.as_ref(), LOG),
        (config.record.as_ref(), "the recording (`--record`)"),
        (replayed, "the recording (`--execute`)"),
    ] {
        if let Some(file) = file {
            tree.keep_apart(file, what);
        }
    }
}

/// The same for a run that reads no generated file.
pub(super) fn check_apart(
    config: &Config,
    records: &[Resolved<'_>],
    around: &Surroundings<'_>,
) -> Result<(), RunError> {
    let options = Options {
        write: false,
        lock_timeout: config.lock_timeout,
        sync: false,
    };
    // An output directory that cannot be looked into has no such file to lose.
    let Ok(mut tree) = Tree::open(&config.output, &options) else {
        return Ok(());
    };
    keep_apart(config, &mut tree);
    let files = records.iter().flat_map(|record| &record.files);
    let refusals: Vec<_> = files.filter_map(|file| tree.refusal(&file.path)).collect();
    settle_log(&tree, around);
    let refusal = refusals.into_iter().next();
    refusal.map_or(Ok(()), |error| Err(error.into()))
}

/// Lets the log be written, or not, now that every path of the run is known.
fn settle_log(tree: &Tree, around: &Surroundings<'_>) {
    if tree.has_met(LOG) {
        around.log.give_up();
    } else {
        around.log.begin();
    }
}

/// Phase 3.
pub(super) fn create(
    records: &[Resolved<'_>],
    variables: &Variables,
    tree: &mut Tree,
    around: &Surroundings<'_>,
    outcome: &mut Outcome,
) -> Result<Created, RunError> {
    let created = create::create(records, variables, tree);
    settle_log(tree, around);
    let mut created = created.map_err(|problems| {
        RunError::problems(
            "files cannot be created or reconciled with their templates",
            problems,
        )
    })?;
    outcome.files = std::mem::take(&mut created.files);
    outcome.reached = Phase::Files;
    told::files(around.log, &outcome.files);
    Ok(created)
}

/// What judging one invocation costs, for [`parallel::map`].
const INVOCATION_COST: usize = 256;

/// Phase 5 over every record's invocations; every violation of every record is reported (J18).
pub(super) fn judge<'p, S: AsRef<[Invocation]> + Send>(
    packages: &'p PackageSet,
    records: &[Resolved<'p>],
    selections: Vec<S>,
    variables: &Variables,
    created: &Created,
    around: &Surroundings<'_>,
    outcome: &mut Outcome,
) -> Result<Vec<Judged<'p>>, RunError> {
    let pairs: Vec<_> = records.iter().zip(selections).collect();
    let invocations = |(_, selection): &(_, S)| selection.as_ref().len();
    let cost = pairs.iter().map(invocations).sum::<usize>() * INVOCATION_COST;
    let results = parallel::map(pairs, cost, |(record, selection)| {
        // Given up as soon as it is judged: all of a large recording would be in memory twice.
        let invocations = selection.as_ref();
        let judge = Judge::new(packages, record, variables, &created.planted);
        let result = judge
            .judge(invocations)
            .map_err(|violations| Rejection::new(&record.record, violations, invocations));
        let selected = Selected {
            record: record.record.clone(),
            actions: invocations.iter().map(|i| i.action.clone()).collect(),
            tally: None,
        };
        (result, selected)
    });
    let mut judged = Vec::new();
    let mut rejected = Vec::new();
    for (result, selected) in results {
        match result {
            Ok(injections) => judged.push(injections),
            Err(rejection) => {
                for violation in &rejection.violations {
                    log!(
                        around.log,
                        "record {} rejected: {violation}",
                        rejection.record
                    );
                }
                rejected.push(rejection);
            }
        }
        outcome.selections.push(selected);
    }
    if rejected.is_empty() {
        outcome.reached = Phase::Invocations;
        Ok(judged)
    } else {
        Err(RunError::Rejected(rejected))
    }
}

/// Phase 6: the injections of each record, when every one could be worked out (Y11) and no two of different records make
/// one region (M31).
pub(super) fn expand<'p>(
    judged: Vec<Judged<'p>>,
    created: &Created,
    around: &Surroundings<'_>,
    outcome: &mut Outcome,
) -> Result<Vec<Vec<Injection<'p>>>, RunError> {
    let mut problems = Vec::new();
    let mut kept = |result: Result<Injection<'p>, Box<ExpandFault>>| match result {
        Ok(injection) => Some(injection),
        Err(fault) => {
            let problem = Problem::new(fault.to_string());
            problems.push(match &fault.origin {
                Some(origin) => problem.at(&origin.source, origin.action),
                None => problem,
            });
            None
        }
    };
    let injections: Vec<Vec<Injection<'p>>> = judged
        .into_iter()
        .map(|record| record.into_iter().filter_map(&mut kept).collect())
        .collect();
    problems.extend(duplicates(&injections, &created.shared));
    if !problems.is_empty() {
        return Err(RunError::problems(
            "invocations cannot be expanded",
            problems,
        ));
    }
    outcome.reached = Phase::Expansion;
    let is_end = outcome.stop == Some(Stop::Expansion);
    let listed = injections.iter().flatten().filter(|_| is_end);
    outcome.expansions = listed
        .map(|injection| Expansion {
            record: injection.record.to_string(),
            action: injection.action.name.clone(),
            variant: injection.variant.as_deref().map(str::to_owned),
            path: injection.path.to_string(),
            anchor: injection.single.anchor.name().to_owned(),
        })
        .collect();
    told::expansions(around.log, &injections);
    Ok(injections)
}

/// M31 across records; within one Phase 5 has looked already, so only the files of several are looked at.
fn duplicates(injections: &[Vec<Injection<'_>>], shared: &BTreeSet<String>) -> Vec<Problem> {
    if shared.is_empty() {
        return Vec::new();
    }
    let mut first: HashMap<(&str, &Identity), &str> = HashMap::new();
    let mut problems = Vec::new();
    for injection in injections.iter().flatten() {
        if !shared.contains(&*injection.path) {
            continue;
        }
        let key = (&*injection.path, &injection.identity);
        let Some(record) = first.get(&key) else {
            first.insert(key, &injection.record);
            continue;
        };
        let rule = crate::diag::Rule::DuplicateRegion.slug();
        problems.push(
            Problem::new(format!(
                "[{rule}] record {}: the region of action {} in {} is made by record {} already ({})",
                shown(&injection.record),
                quoted(&injection.action.name),
                quoted(&injection.path),
                shown(record),
                Identity::shown(injection.action, injection.single, &injection.kwargs)
            ))
            .help("bind other values, or take one of the two invocations out"),
        );
    }
    problems
}

/// Phase 7.
pub(super) fn inject(
    injections: Vec<Vec<Injection<'_>>>,
    created: &Created,
    tree: &mut Tree,
    around: &Surroundings<'_>,
    outcome: &mut Outcome,
) -> Result<(), RunError> {
    let regions = inject::inject(injections, &created.shared, tree)
        .map_err(|problems| RunError::problems("injections find no place", problems))?;
    for region in &regions {
        if let Some(tier) = &region.unknown_tier {
            let label = told::label(&region.action, region.variant.as_deref()).to_string();
            outcome.warnings.push(Problem::new(format!(
                "{}: the region {} has the tier {}, which this version does not know; it is left as it is",
                shown(&region.path),
                shown(&label),
                quoted(tier)
            )));
        }
    }
    told::regions(around.log, &regions);
    outcome.regions = regions;
    outcome.reached = Phase::Injection;
    Ok(())
}

/// Writes the tree unless the run is dry; keeps what changed when asked to. While what it gives is held, the run goes to
/// its end whatever signal comes.
pub(super) fn commit<'a>(
    config: &Config,
    tree: Tree,
    around: &Surroundings<'a>,
    outcome: &mut Outcome,
) -> Result<MutexGuard<'a, ()>, RunError> {
    if config.keep_changes {
        let changes = tree.changes().into_iter().map(|change| Changed {
            path: change.path.to_owned(),
            before: change.before.map(str::to_owned),
            after: change.after.to_owned(),
        });
        outcome.changes = Some(changes.collect());
    }
    let gate = around.interrupt.writing();
    if !config.dry_run {
        let committed = tree.commit_unless(around.interrupt.wanted())?;
        around.interrupt.wrote();
        outcome.committed = true;
        log!(
            around.log,
            "committed: {} created, {} updated",
            committed.created.len(),
            committed.updated.len()
        );
    }
    Ok(gate)
}

/// Writes the recording, last of all (U14). The caller holds the gate of [`Interrupt`](super::Interrupt).
pub(super) fn record(
    config: &Config,
    around: &Surroundings<'_>,
    records: &[&Resolved<'_>],
    selections: &BTreeMap<&str, &[Invocation]>,
    variables: &Variables,
    outcome: &mut Outcome,
) -> Result<(), RunError> {
    let Some(path) = &config.record else {
        return Ok(());
    };
    let text = recording::to_json(&capture(records, selections, variables), crate::VERSION);
    recording::write(path, &text)?;
    around.interrupt.wrote();
    outcome.recording = Some(path.clone());
    Ok(())
}

/// Whether the run stops once it has come to `stop`.
pub(super) fn stops_at(config: &Config, stop: Stop) -> bool {
    config.stop == Some(stop)
}

/// The ids of several records for a message.
pub(super) fn ids(ids: &[String]) -> String {
    listed(ids.iter().map(|id| quoted(id)))
}
