//! Phase 3: every resolved path exists in the staged tree with what its template declares (section 12).
//!
//! A missing file is created from its rendered template, an existing one reconciled with it. Nothing is written here:
//! the staged tree keeps the edits until the run commits.

use std::collections::BTreeSet;
use std::sync::Arc;

use foldhash::{HashMap, HashSet, HashSetExt as _};

use crate::diag::{Problem, Source, Span, quoted, shown};
use crate::marker::{self, Comments, OpenLine, ScanFault};
use crate::parallel;
use crate::tree::{Names, Tree, TreeError};

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
    by_path: HashMap<String, Arc<[String]>>,
    /// The anchors that were planted last. The files of a template mostly have the same.
    last: Arc<[String]>,
}

impl Planted {
    /// The anchors of a file; none for a file that is not part of the run.
    pub fn of(&self, path: &str) -> &[String] {
        self.by_path.get(path).map_or(&[], |anchors| anchors)
    }

    fn add(&mut self, path: &str, anchors: Vec<String>) {
        if *self.last != *anchors {
            self.last = anchors.into();
        }
        self.by_path.insert(path.to_owned(), Arc::clone(&self.last));
    }
}

/// What phase 3 gives.
#[derive(Clone, Debug, Default)]
pub struct Created {
    /// One entry a path, sorted by path.
    pub files: Vec<FileReport>,
    /// The anchors of the files.
    pub planted: Planted,
    /// The paths that are named more than once.
    pub shared: BTreeSet<String>,
}

/// What one file costs, for [`parallel::map`].
const FILE_COST: usize = 1024;

/// Creates or reconciles every file of the records; every fault of every file is reported (C16).
pub fn create(
    records: &[Resolved<'_>],
    variables: &Variables,
    tree: &mut Tree,
) -> Result<Created, Vec<Problem>> {
    let files = || records.iter().flat_map(|record| &record.files);
    // A replay may name a path twice: the second time, the file is what the first time made of it.
    let mut seen = HashSet::with_capacity(files().count());
    let (firsts, repeats): (Vec<_>, Vec<_>) =
        files().partition(|file| seen.insert(file.path.as_str()));
    drop(seen);
    let mut made = Made {
        problems: Vec::new(),
        reports: Vec::with_capacity(firsts.len()),
        planted: Planted::default(),
    };
    made.planted.by_path.reserve(firsts.len());
    let shared = repeats.iter().map(|file| file.path.clone()).collect();
    made.stage(firsts, variables, tree);
    for repeat in repeats {
        made.stage(vec![repeat], variables, tree);
    }
    let Made {
        problems,
        mut reports,
        planted,
    } = made;
    if !problems.is_empty() {
        return Err(in_order(problems, files()));
    }
    // A stable sort: the first thing done to a path is what happened to the file.
    reports.sort_by(|a, b| a.path.cmp(&b.path));
    reports.dedup_by(|later, first| {
        let is_same = later.path == first.path;
        if is_same && first.outcome == FileOutcome::Present {
            first.outcome = later.outcome;
        }
        is_same
    });
    Ok(Created {
        files: reports,
        planted,
        shared,
    })
}

/// The problems in the order in which the records name their files.
fn in_order<'f, 'p: 'f>(
    mut problems: Vec<(&'f ResolvedFile<'p>, Problem)>,
    files: impl Iterator<Item = &'f ResolvedFile<'p>>,
) -> Vec<Problem> {
    let places: HashMap<*const ResolvedFile<'p>, usize> = files
        .enumerate()
        .map(|(at, file)| (std::ptr::from_ref(file), at))
        .collect();
    problems.sort_by_key(|(file, _)| places.get(&std::ptr::from_ref(*file)).copied());
    problems.into_iter().map(|(_, problem)| problem).collect()
}

/// What comes of the files so far.
struct Made<'f, 'p> {
    problems: Vec<(&'f ResolvedFile<'p>, Problem)>,
    reports: Vec<FileReport>,
    planted: Planted,
}

impl<'f, 'p> Made<'f, 'p> {
    /// Stages files of different paths.
    fn stage(&mut self, files: Vec<&'f ResolvedFile<'p>>, variables: &Variables, tree: &mut Tree) {
        let cost = files.len() * FILE_COST;
        let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
        let read = tree.read_all(&paths);
        let (known, names) = (&*tree, tree.names());
        let pairs = files.into_iter().zip(read).collect();
        let settled = |(file, read): (&'f ResolvedFile<'p>, Result<usize, TreeError>)| {
            // Rendered where it is compared: all of them would be as much text again as the files.
            let settled = render(file, variables).and_then(|text| match read {
                Ok(number) => settle(file, text, known.text_of(number), &names),
                Err(error) => Err(Problem::new(error.to_string())),
            });
            (file, settled)
        };
        let mut texts = Vec::new();
        parallel::each(pairs, cost, settled, |(file, result)| match result {
            Ok(settled) => {
                texts.extend(settled.text.map(|text| {
                    let is_new = settled.report.outcome == FileOutcome::Created;
                    (file, text, is_new)
                }));
                if let Some(anchors) = settled.anchors {
                    self.planted.add(&file.path, anchors);
                }
                self.reports.push(settled.report);
            }
            Err(problem) => self.problems.push((file, problem)),
        });
        for (file, text, is_new) in texts {
            let executable = file.template.is_some_and(|template| template.executable);
            tree.stage(&file.path, text, executable && is_new);
        }
    }
}

/// What a file that has been read comes to.
struct Settled {
    report: FileReport,
    anchors: Option<Vec<String>>,
    /// The text to stage, when there is something to do.
    text: Option<String>,
}

/// Holds a file that has been read, if it is there, against its rendered template.
fn settle(
    file: &ResolvedFile<'_>,
    rendered: Option<String>,
    existing: Option<&str>,
    names: &Names,
) -> Result<Settled, Problem> {
    let comments = file.package.comments.as_ref();
    let report = |outcome| FileReport {
        path: file.path.clone(),
        package: file.package.name.clone(),
        template: file.template.map(|template| template.name.clone()),
        outcome,
    };
    let scanned = |text: &str| -> Result<Option<Vec<String>>, Problem> {
        let Some(comments) = comments else {
            return Ok(None);
        };
        let scan = marker::scan_as(comments, text, OpenLine::check)
            .map_err(|fault| corrupt(&names.of(&file.path), text, &fault, comments))?;
        Ok(anchors(&scan))
    };
    let Some(existing) = existing else {
        let text = rendered.unwrap_or_default();
        return Ok(Settled {
            report: report(FileOutcome::Created),
            anchors: scanned(&text)?,
            text: Some(text),
        });
    };
    let scan = match comments {
        Some(comments) => marker::scan_as(comments, existing, OpenLine::check)
            .map_err(|fault| corrupt(&names.of(&file.path), existing, &fault, comments))?,
        None => marker::scan_plain(existing),
    };
    let present = Settled {
        report: report(FileOutcome::Present),
        anchors: anchors(&scan),
        text: None,
    };
    let Some(template) = rendered.filter(|text| !text.is_empty()) else {
        return Ok(present);
    };
    match reconcile(comments, &scan, &template) {
        Reconciled::Unchanged => Ok(present),
        Reconciled::Grown { text, lines } => Ok(Settled {
            report: report(FileOutcome::Updated { lines }),
            anchors: scanned(&text)?,
            text: Some(text),
        }),
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

fn anchors<M>(scan: &marker::Scan<'_, M>) -> Option<Vec<String>> {
    let names: Vec<String> = scan.anchors().map(str::to_owned).collect();
    (!names.is_empty()).then_some(names)
}

fn render(file: &ResolvedFile<'_>, variables: &Variables) -> Result<Option<String>, Problem> {
    file.rendered(variables).transpose().map_err(|fault| {
        Problem::new(format!(
            "path {}: file template {} of package {} cannot be rendered: {fault}",
            quoted(&file.path),
            quoted(file.template.map_or("", |template| &template.name)),
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
