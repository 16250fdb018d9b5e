//! What `grow --json` and `resolve --json` say: everything that the reports for people do (O23).
//!
//! The fields are documented in `docs/json.md`; adding one is fine, taking one away or giving it another meaning is
//! not.

use serde::Serialize;

use crate::diag::{Finding, Problem};
use crate::inject::RegionOutcome;
use crate::pipeline::{Outcome, PathReport, Phase, RunError};
use crate::resolve::create::FileOutcome;
use crate::selection::Violation;
use crate::selection::converse::SelectionError;
use crate::value::Names;

/// The document of a run, with `error` when it failed (O23).
pub fn grow(outcome: &Outcome, error: Option<&RunError>, diff: Option<String>) -> String {
    pretty(&Run::of(outcome, error, diff))
}

/// The document of a resolution.
pub fn resolve(outcome: &Outcome, error: Option<&RunError>) -> String {
    pretty(&Resolution {
        version: crate::VERSION,
        packages: outcome.packages,
        records: records(outcome),
        unmanaged: unmanaged(outcome),
        warnings: warnings(outcome),
        error: error.map(Failure::of),
    })
}

fn pretty(document: &impl Serialize) -> String {
    // Serialising plain data into memory has nothing to fail on.
    let mut text = serde_json::to_string_pretty(document).unwrap_or_default();
    text.push('\n');
    text
}

#[derive(Serialize)]
struct Resolution<'a> {
    version: &'static str,
    packages: usize,
    records: Vec<Record<'a>>,
    unmanaged: Vec<Unmanaged<'a>>,
    warnings: Vec<Warning<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Failure<'a>>,
}

#[derive(Serialize)]
struct Run<'a> {
    version: &'static str,
    phase: &'static str,
    dry_run: bool,
    written: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped_after: Option<&'static str>,
    packages: usize,
    records: Vec<Record<'a>>,
    files: Vec<File<'a>>,
    unmanaged: Vec<Unmanaged<'a>>,
    selections: Vec<Selected<'a>>,
    expansions: Vec<Expansion<'a>>,
    regions: Vec<Region<'a>>,
    counts: Counts,
    #[serde(skip_serializing_if = "Option::is_none")]
    changed: Option<Vec<&'a str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<String>,
    warnings: Vec<Warning<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recording: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Failure<'a>>,
}

#[derive(Serialize)]
struct Record<'a> {
    record: &'a str,
    paths: Vec<ResolvedPath<'a>>,
}

#[derive(Serialize)]
struct ResolvedPath<'a> {
    path: &'a str,
    package: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    template: Option<&'a str>,
    default: bool,
    captures: &'a Names<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unmanaged: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rendered: Option<&'a str>,
}

#[derive(Serialize)]
struct File<'a> {
    path: &'a str,
    package: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    template: Option<&'a str>,
    outcome: &'static str,
    lines_added: usize,
}

#[derive(Serialize)]
struct Unmanaged<'a> {
    path: &'a str,
    package: &'a str,
    entry: &'a str,
}

#[derive(Serialize)]
struct Selected<'a> {
    record: &'a str,
    actions: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<Calls>,
}

#[derive(Serialize)]
struct Calls {
    calls: u32,
    rejected: u32,
    completeness: u32,
    prompt_tokens: u64,
    completion_tokens: u64,
}

#[derive(Serialize)]
struct Expansion<'a> {
    record: &'a str,
    action: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    variant: Option<&'a str>,
    path: &'a str,
    anchor: &'a str,
}

#[derive(Serialize)]
struct Region<'a> {
    path: &'a str,
    record: &'a str,
    action: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    variant: Option<&'a str>,
    outcome: &'static str,
}

#[derive(Default, Serialize)]
struct Counts {
    created: usize,
    updated: usize,
    present: usize,
    unmanaged: usize,
    invocations: usize,
    injected: usize,
    replaced: usize,
    unchanged: usize,
    seeded: usize,
}

/// A warning or a problem; the place is left out when there is none.
#[derive(Serialize)]
struct Warning<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'static str>,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    package: Option<&'a str>,
    #[serde(flatten)]
    place: Option<Place<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
}

#[derive(Serialize)]
struct Place<'a> {
    file: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_column: Option<u32>,
}

#[derive(Serialize)]
struct Failure<'a> {
    message: String,
    status: u8,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    details: Vec<String>,
    problems: Vec<Warning<'a>>,
    violations: Vec<Broken<'a>>,
}

#[derive(Serialize)]
struct Broken<'a> {
    record: &'a str,
    rule: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    invocation: Option<usize>,
    action: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    kwarg: Option<&'a str>,
    message: &'a str,
}

impl<'a> Run<'a> {
    fn of(outcome: &'a Outcome, error: Option<&'a RunError>, diff: Option<String>) -> Self {
        Self {
            version: crate::VERSION,
            phase: phase(outcome.reached),
            dry_run: outcome.dry_run,
            written: outcome.committed,
            stopped_after: outcome.stop.map(crate::pipeline::Stop::name),
            packages: outcome.packages,
            records: records(outcome),
            files: outcome
                .files
                .iter()
                .map(|file| {
                    let (outcome, lines_added) = match file.outcome {
                        FileOutcome::Created => ("created", 0),
                        FileOutcome::Updated { lines } => ("updated", lines),
                        FileOutcome::Present => ("present", 0),
                    };
                    File {
                        path: &file.path,
                        package: &file.package,
                        template: file.template.as_deref(),
                        outcome,
                        lines_added,
                    }
                })
                .collect(),
            unmanaged: unmanaged(outcome),
            selections: selections(outcome),
            expansions: outcome
                .expansions
                .iter()
                .map(|expansion| Expansion {
                    record: &expansion.record,
                    action: &expansion.action,
                    variant: expansion.variant.as_deref(),
                    path: &expansion.path,
                    anchor: &expansion.anchor,
                })
                .collect(),
            regions: outcome
                .regions
                .iter()
                .map(|region| Region {
                    path: &region.path,
                    record: &region.record,
                    action: &region.action,
                    variant: region.variant.as_deref(),
                    outcome: region_outcome(region.outcome),
                })
                .collect(),
            counts: counts(outcome),
            changed: outcome
                .changes
                .as_ref()
                .map(|changes| changes.iter().map(|change| change.path.as_str()).collect()),
            diff,
            warnings: warnings(outcome),
            recording: outcome
                .recording
                .as_ref()
                .map(|path| path.to_string_lossy().into_owned()),
            error: error.map(Failure::of),
        }
    }
}

fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Start => "start",
        Phase::Resolution => "resolution",
        Phase::Files => "files",
        Phase::Invocations => "invocations",
        Phase::Expansion => "expansion",
        Phase::Injection => "injection",
    }
}

fn region_outcome(outcome: RegionOutcome) -> &'static str {
    match outcome {
        RegionOutcome::Injected => "injected",
        RegionOutcome::Replaced => "replaced",
        RegionOutcome::Unchanged => "unchanged",
        RegionOutcome::Seeded => "seeded",
    }
}

fn records(outcome: &Outcome) -> Vec<Record<'_>> {
    outcome
        .records
        .iter()
        .map(|record| Record {
            record: &record.record,
            paths: record.paths.iter().map(ResolvedPath::of).collect(),
        })
        .collect()
}

impl<'a> ResolvedPath<'a> {
    fn of(path: &'a PathReport) -> Self {
        Self {
            path: &path.path,
            package: &path.package,
            template: path.template.as_deref(),
            default: path.is_default,
            captures: &path.captures,
            unmanaged: path.unmanaged.as_deref(),
            rendered: path.rendered.as_deref(),
        }
    }
}

fn unmanaged(outcome: &Outcome) -> Vec<Unmanaged<'_>> {
    outcome
        .unmanaged
        .iter()
        .map(|path| Unmanaged {
            path: &path.path,
            package: &path.package,
            entry: &path.entry,
        })
        .collect()
}

fn selections(outcome: &Outcome) -> Vec<Selected<'_>> {
    outcome
        .selections
        .iter()
        .map(|selected| Selected {
            record: &selected.record,
            actions: &selected.actions,
            model: selected.tally.map(|tally| Calls {
                calls: tally.calls,
                rejected: tally.rejected,
                completeness: tally.completeness,
                prompt_tokens: tally.prompt_tokens,
                completion_tokens: tally.completion_tokens,
            }),
        })
        .collect()
}

fn counts(outcome: &Outcome) -> Counts {
    let mut counts = Counts {
        unmanaged: outcome.unmanaged.len(),
        invocations: outcome.selections.iter().map(|s| s.actions.len()).sum(),
        ..Counts::default()
    };
    for file in &outcome.files {
        *match file.outcome {
            FileOutcome::Created => &mut counts.created,
            FileOutcome::Updated { .. } => &mut counts.updated,
            FileOutcome::Present => &mut counts.present,
        } += 1;
    }
    for region in &outcome.regions {
        *match region.outcome {
            RegionOutcome::Injected => &mut counts.injected,
            RegionOutcome::Replaced => &mut counts.replaced,
            RegionOutcome::Unchanged => &mut counts.unchanged,
            RegionOutcome::Seeded => &mut counts.seeded,
        } += 1;
    }
    counts
}

fn warnings(outcome: &Outcome) -> Vec<Warning<'_>> {
    let findings = outcome.findings.iter().map(Warning::of_finding);
    let warnings = outcome.warnings.iter().map(Warning::of_problem);
    findings.chain(warnings).collect()
}

fn place(place: &crate::diag::Place) -> Place<'_> {
    let (line, column) = place.position();
    let (end_line, end_column) = place.end_position();
    Place {
        file: place.source.name(),
        line: Some(line),
        column: Some(column),
        end_line: Some(end_line),
        end_column: Some(end_column),
    }
}

impl<'a> Warning<'a> {
    fn of_finding(finding: &'a Finding) -> Self {
        let unplaced = Place {
            file: &finding.file,
            line: None,
            column: None,
            end_line: None,
            end_column: None,
        };
        Self {
            rule: Some(finding.rule.slug()),
            message: &finding.message,
            package: Some(&finding.package),
            place: Some(finding.place.as_ref().map_or(unplaced, place)),
            help: finding.help.as_deref(),
        }
    }

    fn of_problem(problem: &'a Problem) -> Self {
        Self {
            rule: None,
            message: &problem.message,
            package: None,
            place: problem.place.as_ref().map(place),
            help: problem.help.as_deref(),
        }
    }
}

impl<'a> Failure<'a> {
    fn of(error: &'a RunError) -> Self {
        let mut failure = Self {
            message: error.headline(),
            status: error.status(),
            details: Vec::new(),
            problems: error.listed().iter().map(Warning::of_problem).collect(),
            violations: Vec::new(),
        };
        match error {
            RunError::Packages(findings) => {
                failure.problems = findings.iter().map(Warning::of_finding).collect();
            }
            RunError::Rejected(records) => {
                failure.problems = records
                    .iter()
                    .flat_map(|rejection| &rejection.problems)
                    .map(Warning::of_problem)
                    .collect();
                for rejection in records {
                    failure.add(&rejection.record, &rejection.violations);
                }
            }
            RunError::Selection { errors, kept } => {
                failure.details = errors.iter().map(ToString::to_string).collect();
                failure.details.extend(kept.clone());
                for error in errors {
                    if let SelectionError::Rejected {
                        record, attempts, ..
                    } = error
                        && let Some(last) = attempts.last()
                    {
                        failure.add(record, &last.violations);
                    }
                }
            }
            _ => {}
        }
        failure
    }

    fn add(&mut self, record: &'a str, violations: &'a [Violation]) {
        self.violations
            .extend(violations.iter().map(|violation| Broken {
                record,
                rule: violation.rule.slug(),
                invocation: violation.index,
                action: &violation.action,
                kwarg: violation.kwarg.as_deref(),
                message: &violation.message,
            }));
    }
}
