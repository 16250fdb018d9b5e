//! A replay: phase 0, the recording checked, then phases 3, 5, 6 and 7 (J13-J27).

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use crate::diag::shown::{QUOTE_LIMIT, cut_at};
use crate::diag::{Problem, Source, listed, nearest, quoted, shown};
use crate::genpkg::{Package, PackageSet};
use crate::invocation::Invocation;
use crate::parallel;
use crate::pattern::path;
use crate::record::{self, RecordSet};
use crate::recording::{self, ReadError, RecordedFile, RecordedRecord, Recording};
use crate::resolve::{self, Resolved, ResolvedFile, Variables};
use crate::value::Value;

use super::steps;
use super::{Config, Outcome, RunError, Stop, Surroundings};

const UNUSABLE: &str = "the recording cannot be replayed";

pub(super) fn replay(
    config: &Config,
    file: &Path,
    around: &Surroundings<'_>,
    outcome: &mut Outcome,
) -> Result<(), RunError> {
    let packages = steps::load_packages(&config.generators, outcome)?;
    let unusable = |problems| RunError::problems(UNUSABLE, problems);
    let mut recording = recording::read(file).map_err(|error| match error {
        ReadError::Faults(problems) => unusable(problems),
        unreadable @ ReadError::Unreadable { .. } => {
            unusable(vec![Problem::new(unreadable.to_string())])
        }
    })?;
    outcome.warnings.append(&mut recording.warnings);
    keep_only(&mut recording, &config.only).map_err(unusable)?;
    let records = authorised(config, &packages, &recording, outcome)?;
    outcome
        .warnings
        .extend(idle_variables(&packages, &recording));
    let used = steps::used_packages(&records);
    let variables = Variables::bind(&packages, &used, &config.vars, &recording.variables)
        .map_err(|problems| RunError::problems("run variables are not bound", problems))?;
    steps::resolved(&records, around, outcome);

    let mut tree = steps::open(config, &records, around)?;
    let created = steps::create(&records, &variables, &mut tree, around, outcome)?;
    if steps::stops_at(config, Stop::Files) {
        return steps::commit(config, tree, around, outcome).map(drop);
    }
    // The text is needed until the last invocation, which has its place in it, is judged.
    drop(recording.source);
    let selections: Vec<Vec<Invocation>> = recording
        .records
        .into_iter()
        .map(|record| {
            let mut phases = record.phases.into_iter();
            // Nearly always the only one.
            let mut all = phases
                .next()
                .map_or_else(Vec::new, |phase| phase.invocations);
            all.extend(phases.flat_map(|phase| phase.invocations));
            all
        })
        .collect();
    let judged = steps::judge(
        &packages, &records, selections, &variables, &created, around, outcome,
    )?;
    if steps::stops_at(config, Stop::Invocations) {
        return steps::commit(config, tree, around, outcome).map(drop);
    }
    let injections = steps::expand(judged, &created, around, outcome)?;
    if !steps::stops_at(config, Stop::Expansion) {
        steps::inject(injections, &created, &mut tree, around, outcome)?;
    }
    steps::commit(config, tree, around, outcome).map(drop)
}

/// U10: `--only` keeps the records it names; an unknown id is an error.
fn keep_only(recording: &mut Recording, only: &[String]) -> Result<(), Vec<Problem>> {
    if only.is_empty() {
        return Ok(());
    }
    let ids: Vec<&str> = recording
        .records
        .iter()
        .map(|record| record.record_id.as_str())
        .collect();
    let unknown: Vec<_> = only
        .iter()
        .filter(|id| !ids.contains(&id.as_str()))
        .map(|id| {
            let problem = Problem::new(format!(
                "--only {}: the recording has no such record; it has: {}",
                quoted(id),
                listed(&ids)
            ));
            match nearest(id, ids.iter().copied()) {
                Some(near) => problem.help(format!("did you mean {}?", quoted(near))),
                None => problem,
            }
        })
        .collect();
    if !unknown.is_empty() {
        return Err(unknown);
    }
    recording
        .records
        .retain(|record| only.contains(&record.record_id));
    Ok(())
}

/// What checking one recorded file costs, for [`parallel::map`].
const FILE_COST: usize = 512;

/// The recorded files as phase 2 would have decided them, every fault of every file reported (J14-J17, J20, J24).
fn authorised<'p>(
    config: &Config,
    packages: &'p PackageSet,
    recording: &Recording,
    outcome: &mut Outcome,
) -> Result<Vec<Resolved<'p>>, RunError> {
    let scope = match &config.records {
        Some(directory) => {
            let ingested = record::ingest(directory, &[])?;
            outcome.warnings.extend(ingested.warnings);
            Some(ingested.set)
        }
        None => None,
    };
    let check = Check {
        packages,
        scope: scope.as_ref(),
        source: recording.source.as_ref(),
    };
    let mut problems = check.packages(recording);
    let records: Vec<_> = recording.records.iter().collect();
    let cost = records.iter().map(|r| r.files.len()).sum::<usize>() * FILE_COST;
    let checked = parallel::map(records, cost, |record| {
        let mut problems = Vec::new();
        let resolved = check.record(record, &mut problems);
        (resolved, problems)
    });
    let mut records = Vec::with_capacity(checked.len());
    for (record, found) in checked {
        records.push(record);
        problems.extend(found);
    }
    problems.extend(conflicts(&records));
    if problems.is_empty() {
        Ok(records)
    } else {
        Err(RunError::problems(UNUSABLE, problems))
    }
}

/// R9a: paths of the run that some file systems take for one file.
fn conflicts(records: &[Resolved<'_>]) -> Vec<Problem> {
    let paths = || {
        let files = records.iter().flat_map(|record| &record.files);
        files.map(|file| file.path.as_str())
    };
    if path::are_plain(paths()) {
        return Vec::new();
    }
    let mut paths: Vec<_> = paths().collect();
    paths.sort_unstable();
    paths.dedup();
    path::conflicts(paths.into_iter())
        .into_iter()
        .map(|(a, b)| {
            Problem::new(format!(
                "paths {} and {} differ only by letter case or Unicode form: on many file systems they are one file",
                quoted(&a),
                quoted(&b)
            ))
        })
        .collect()
}

/// J26: recorded variables that nobody declares any more.
fn idle_variables(packages: &PackageSet, recording: &Recording) -> Vec<Problem> {
    recording
        .variables
        .keys()
        .filter(|name| !packages.iter().any(|p| p.variables.contains_key(*name)))
        .map(|name| {
            Problem::new(format!(
                "the recording has a value for the variable {}, which no package declares any more",
                quoted(name)
            ))
        })
        .collect()
}

/// What recorded files are held to.
struct Check<'a, 'p> {
    packages: &'p PackageSet,
    scope: Option<&'a RecordSet>,
    source: Option<&'a Arc<Source>>,
}

impl<'p> Check<'_, 'p> {
    fn at(&self, problem: Problem, span: crate::diag::Span) -> Problem {
        match self.source {
            Some(source) => problem.at(source, span),
            None => problem,
        }
    }

    /// J14.
    fn packages(&self, recording: &Recording) -> Vec<Problem> {
        let mut problems = Vec::new();
        for (name, recorded) in &recording.packages {
            let Some(package) = self.packages.get(name) else {
                problems.push(self.at(self.unknown(name), recorded.span));
                continue;
            };
            let lost: Vec<_> = recorded
                .extensions
                .iter()
                .filter(|extension| !package.extensions.contains(&extension.to_lowercase()))
                .collect();
            if !lost.is_empty() {
                let problem = Problem::new(format!(
                    "package {} does not claim {} any more; it claims: {}",
                    quoted(name),
                    listed(lost),
                    listed(&package.extensions)
                ));
                problems.push(self.at(problem, recorded.span));
            }
        }
        problems
    }

    fn unknown(&self, name: &str) -> Problem {
        let names = || self.packages.iter().map(|package| package.name.as_str());
        let problem = Problem::new(format!(
            "package {} is not in the generators directory; there are: {}",
            quoted(name),
            listed(names())
        ));
        match nearest(name, names()) {
            Some(near) => problem.help(format!("did you mean {}?", quoted(near))),
            None => problem,
        }
    }

    fn record(&self, record: &RecordedRecord, problems: &mut Vec<Problem>) -> Resolved<'p> {
        let mut files = Vec::with_capacity(record.files.len());
        for file in &record.files {
            match self.file(file) {
                Ok(resolved) => files.push(resolved),
                Err(faults) => problems.extend(faults),
            }
        }
        Resolved {
            record: record.record_id.clone(),
            intent: String::new(),
            constraints: Vec::new(),
            files,
            unmanaged: Vec::new(),
        }
    }

    /// J15, J17, J20, J24: one recorded file.
    fn file(&self, file: &RecordedFile) -> Result<ResolvedFile<'p>, Vec<Problem>> {
        let mut problems = Vec::new();
        let resolved = self.resolved(file, &mut problems);
        let mut placed: Vec<_> = problems
            .into_iter()
            .map(|problem| self.at(problem, file.span))
            .collect();
        match resolved {
            Some(Ok(resolved)) if placed.is_empty() => return Ok(resolved),
            Some(Err(problem)) => placed.push(self.at(problem, file.template_span)),
            _ => {}
        }
        Err(placed)
    }

    /// The file with its template, `Err` when the template is at fault; everything else goes to `problems`.
    fn resolved(
        &self,
        file: &RecordedFile,
        problems: &mut Vec<Problem>,
    ) -> Option<Result<ResolvedFile<'p>, Problem>> {
        let shown_path = fmt::from_fn(|f| f.write_str(&quoted(&file.path)));
        let path = match path::check(&file.path) {
            Ok(path) => path,
            Err(fault) => {
                problems.push(Problem::new(format!("path {shown_path}: {fault}")));
                return None;
            }
        };
        if let Some(scope) = self.scope
            && let Err(why) = scope.authorise(&path)
        {
            problems.push(Problem::new(why.to_string()));
        }
        if let Some(unmanaged) = resolve::disowned(self.packages, &path) {
            problems.push(Problem::new(format!(
                "path {shown_path} is left unmanaged by package {} (its entry {}), so Sedum does not write it",
                quoted(unmanaged.package),
                quoted(unmanaged.entry)
            )));
        }
        let Some(package) = self.packages.get(&file.package) else {
            let unknown = self.unknown(&file.package);
            problems.push(Problem {
                message: format!("path {shown_path}: {}", unknown.message),
                ..unknown
            });
            return None;
        };
        let suffix = claimed_suffix(package, &path);
        if suffix.is_none() {
            problems.push(Problem::new(format!(
                "path {shown_path}: package {} does not claim its extension; it claims: {}",
                quoted(&package.name),
                listed(&package.extensions)
            )));
        }
        Some(template(file, path, package, suffix.as_deref()))
    }
}

/// The longest suffix of a path's name that the package claims.
fn claimed_suffix(package: &Package, path: &str) -> Option<String> {
    let name = resolve::file_name(path).to_lowercase();
    let suffixes = name.match_indices('.').map(|(at, _)| name.get(at..));
    suffixes
        .flatten()
        .find(|suffix| package.extensions.iter().any(|e| e == suffix))
        .map(str::to_owned)
}

/// J17, J24: the recorded template exists and gives the path with the recorded captures.
fn template<'p>(
    file: &RecordedFile,
    path: String,
    package: &'p Package,
    suffix: Option<&str>,
) -> Result<ResolvedFile<'p>, Problem> {
    let mut resolved = ResolvedFile {
        path,
        package,
        template: None,
        is_default: false,
        captures: file
            .captures
            .iter()
            .map(|(name, text)| (name.clone(), Value::Text(text.clone())))
            .collect(),
    };
    if file.template.is_empty() {
        return Ok(resolved);
    }
    if let Some((extension, fallback)) = package
        .defaults
        .iter()
        .find(|(_, fallback)| fallback.name == file.template)
    {
        let fits = suffix.is_none_or(|suffix| suffix == extension)
            && matches!(
                package.patterns.best(&resolved.path),
                crate::pattern::file::Match::None
            );
        if !fits || !file.captures.is_empty() {
            let (path, name) = (quoted(&resolved.path), quoted(&file.template));
            return Err(Problem::new(format!(
                "path {path}: {name} is a fallback, without captures and only for a path with its extension that no other template matches"
            )));
        }
        resolved.template = Some(fallback);
        resolved.is_default = true;
        return Ok(resolved);
    }
    let Some((template, pattern)) = package.file_template(&file.template) else {
        let names = || package.files.iter().map(|template| template.name.as_str());
        let problem = Problem::new(format!(
            "path {}: package {} has no file template {}",
            quoted(&resolved.path),
            quoted(&package.name),
            quoted(&file.template)
        ));
        return Err(match nearest(&file.template, names()) {
            Some(near) => problem.help(format!("did you mean \"{}\"?", shown(near))),
            None => problem.help("an empty template starts the file empty"),
        });
    };
    if !pattern.produces(&resolved.path, &file.captures) {
        let captures: Vec<_> = file
            .captures
            .iter()
            .map(|(name, text)| format!("{name}={text}"))
            .collect();
        let captures = captures.join(" ");
        let first = cut_at(&captures, QUOTE_LIMIT);
        let captures = match (first.is_empty(), first.len() < captures.len()) {
            (true, _) => "recorded (none)".to_owned(),
            (false, true) => format!("{}...", shown(first)),
            (false, false) => shown(first),
        };
        return Err(Problem::new(format!(
            "path {} is not what the file template {} gives with the captures {captures}",
            quoted(&resolved.path),
            quoted(&file.template)
        ))
        .help("`sedum resolve` shows the template and captures of a path"));
    }
    resolved.template = Some(template);
    Ok(resolved)
}
