//! Phase 3: every resolved path exists in the staged tree with what its template declares (section 12).
//!
//! A missing file is created from its rendered template, an existing one reconciled with it. Nothing is written here:
//! the staged tree keeps the edits until the run commits.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::diag::{Problem, Source, Span, quoted, shown};
use crate::marker::{self, Comments, ScanFault};
use crate::template::Scope;
use crate::tree::{Names, Tree};

use super::reconcile::{Reconciled, reconcile};
use super::{Resolved, ResolvedFile, Variables};

/// What phase 3 did to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileOutcome {
    /// It was not there.
    Created,
    /// It lacked lines of its template (C15).
    Updated {
        /// How many lines were inserted.
        lines: usize,
    },
    /// It has all that its template declares.
    Present,
}

/// One file of phase 3's report.
#[derive(Clone, Debug)]
pub struct FileReport {
    /// The path.
    pub path: String,
    /// The package.
    pub package: String,
    /// The template, when there is one.
    pub template: Option<String>,
    /// What was done.
    pub outcome: FileOutcome,
}

/// The anchors that the staged files carry, in the order of their lines (K18): the one computation for the prompt,
/// Phase 5 and the completeness pass.
#[derive(Clone, Debug, Default)]
pub struct Planted {
    by_path: HashMap<String, Vec<String>>,
}

impl Planted {
    /// The anchors of a file; none for a file that is not part of the run.
    pub fn of(&self, path: &str) -> &[String] {
        self.by_path.get(path).map_or(&[], Vec::as_slice)
    }
}

/// What phase 3 gives.
#[derive(Clone, Debug, Default)]
pub struct Created {
    /// One entry a path, sorted by path.
    pub files: Vec<FileReport>,
    /// The anchors of the files.
    pub planted: Planted,
}

/// Creates or reconciles every file of the records; every fault of every file is reported (C16).
pub fn create(
    records: &[Resolved<'_>],
    variables: &Variables,
    tree: &mut Tree,
) -> Result<Created, Vec<Problem>> {
    let names = tree.names();
    let mut problems = Vec::new();
    let mut reports: BTreeMap<&str, FileReport> = BTreeMap::new();
    let mut planted = Planted::default();
    for file in records.iter().flat_map(|record| &record.files) {
        match stage(file, variables, tree, &names) {
            Ok((outcome, anchors)) => {
                if let Some(anchors) = anchors {
                    planted.by_path.insert(file.path.clone(), anchors);
                }
                // A replay may name a path twice; the first thing done to it is what happened to the file.
                let report = reports.entry(&file.path).or_insert_with(|| FileReport {
                    path: file.path.clone(),
                    package: file.package.name.clone(),
                    template: file.template.map(|t| t.name.clone()),
                    outcome,
                });
                if report.outcome == FileOutcome::Present {
                    report.outcome = outcome;
                }
            }
            Err(problem) => problems.push(problem),
        }
    }
    if problems.is_empty() {
        Ok(Created {
            files: reports.into_values().collect(),
            planted,
        })
    } else {
        Err(problems)
    }
}

/// Stages one file: what was done, and its anchors when it carries any.
fn stage(
    file: &ResolvedFile<'_>,
    variables: &Variables,
    tree: &mut Tree,
    names: &Names,
) -> Result<(FileOutcome, Option<Vec<String>>), Problem> {
    let rendered = render(file, variables)?;
    let comments = file.package.comments.as_ref();
    let scanned = |text: &str| -> Result<Option<Vec<String>>, Problem> {
        let Some(comments) = comments else {
            return Ok(None);
        };
        let scan = marker::scan(comments, text)
            .map_err(|fault| corrupt(&names.of(&file.path), text, &fault, comments))?;
        Ok(anchors(&scan))
    };
    let existing = tree
        .read(&file.path)
        .map_err(|error| Problem::new(error.to_string()))?;
    let Some(existing) = existing else {
        let text = rendered.unwrap_or_default();
        let anchors = scanned(&text)?;
        let executable = file.template.is_some_and(|template| template.executable);
        tree.stage(&file.path, text, executable);
        return Ok((FileOutcome::Created, anchors));
    };
    let scan = match comments {
        Some(comments) => marker::scan(comments, existing)
            .map_err(|fault| corrupt(&names.of(&file.path), existing, &fault, comments))?,
        None => marker::scan_plain(existing),
    };
    let present = (FileOutcome::Present, anchors(&scan));
    let Some(template) = rendered.filter(|text| !text.is_empty()) else {
        return Ok(present);
    };
    match reconcile(comments, &scan, &template) {
        Reconciled::Unchanged => Ok(present),
        Reconciled::Grown { text, lines } => {
            let anchors = scanned(&text)?;
            tree.stage(&file.path, text, false);
            Ok((FileOutcome::Updated { lines }, anchors))
        }
        Reconciled::Halted {
            number,
            text,
            nearest,
        } => Err(halted(
            file,
            &Source::new(names.of(&file.path), existing),
            number,
            &text,
            &nearest,
        )),
    }
}

fn anchors(scan: &marker::Scan<'_>) -> Option<Vec<String>> {
    let names: Vec<String> = scan.anchors().map(str::to_owned).collect();
    (!names.is_empty()).then_some(names)
}

fn render(file: &ResolvedFile<'_>, variables: &Variables) -> Result<Option<String>, Problem> {
    let Some(template) = file.template else {
        return Ok(None);
    };
    let scope = Scope {
        bound: &file.captures,
        variables: variables.of(file.package),
    };
    template
        .template
        .render(scope, &file.package.engine)
        .map(Some)
        .map_err(|fault| {
            Problem::new(format!(
                "path {}: file template {} of package {} cannot be rendered: {fault}",
                quoted(&file.path),
                quoted(&template.name),
                quoted(&file.package.name)
            ))
        })
}

/// The span of a line, from 1, of a text.
fn line_span(text: &str, number: usize) -> Span {
    let mut at = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        if index + 1 == number {
            let visible = line.trim_end();
            let start = at + visible.len() - visible.trim_start().len();
            return Span::new(start, at + visible.len());
        }
        at += line.len();
    }
    Span::new(at, at)
}

/// C20.
pub fn corrupt(path: &str, text: &str, fault: &ScanFault, comments: &Comments) -> Problem {
    let source = Source::new(path, text);
    Problem::new(fault.message())
        .at(&source, line_span(text, fault.line()))
        .help(match fault {
            ScanFault::Attributes { .. } => {
                "mend the JSON, or take the whole region out, marker lines included".to_owned()
            }
            ScanFault::Unclosed { label, .. } | ScanFault::Mismatched { label, .. } => format!(
                "write `{}` below the last line of the region",
                shown(&comments.close_line("", label))
            ),
        })
}

/// C8.
fn halted(
    file: &ResolvedFile<'_>,
    source: &Arc<Source>,
    number: usize,
    text: &str,
    nearest: &[(usize, String)],
) -> Problem {
    let template = file.template.map_or("", |template| &template.name);
    let problem = Problem::new(format!(
        "line {number} is not in the file template {}, so the two cannot be reconciled: {}",
        quoted(template),
        quoted(text)
    ))
    .at(source, line_span(source.text(), number));
    if nearest.is_empty() {
        return problem.help(
            "add the line to the template, move it into a comment or a region, or take the file out of the record",
        );
    }
    let lines: Vec<_> = nearest
        .iter()
        .map(|(at, line)| format!("{at}: {}", shown(line)))
        .collect();
    problem.help(format!(
        "take the line out of the file, or add it to the template; the nearest lines of the template are\n        {}",
        lines.join("\n        ")
    ))
}
