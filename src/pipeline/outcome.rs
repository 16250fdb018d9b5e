//! What a run did, as data for a report.

use std::path::PathBuf;

use crate::diag::{Finding, Problem};
use crate::inject::RegionReport;
use crate::resolve::create::FileReport;
use crate::selection::converse::Tally;
use crate::value::Names;

use super::Stop;

/// How far a run came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Not even the packages are loaded.
    #[default]
    Start,
    /// Every path is resolved.
    Resolution,
    /// Every file is staged.
    Files,
    /// Every invocation is valid.
    Invocations,
    /// Every injection is worked out.
    Expansion,
    /// Every region is staged.
    Injection,
}

/// What a run did, or would do.
#[derive(Debug, Default)]
pub struct Outcome {
    /// How far it came.
    pub reached: Phase,
    /// Whether nothing was to be written.
    pub dry_run: bool,
    /// Where it was to stop.
    pub stop: Option<Stop>,
    /// Whether the tree was written.
    pub committed: bool,
    /// How many packages were loaded.
    pub packages: usize,
    /// The warnings of the packages (L34).
    pub findings: Vec<Finding>,
    /// Other warnings, in the order they came up.
    pub warnings: Vec<Problem>,
    /// Each record with its paths.
    pub records: Vec<RecordReport>,
    /// What phase 3 did, by path.
    pub files: Vec<FileReport>,
    /// What is left to a person or another tool, by path.
    pub unmanaged: Vec<UnmanagedReport>,
    /// What was selected, by record.
    pub selections: Vec<Selected>,
    /// What phase 6 made of it, when the run stops there.
    pub expansions: Vec<Expansion>,
    /// What phase 7 did, in order.
    pub regions: Vec<RegionReport>,
    /// The files whose text differs, when the run was asked to keep them.
    pub changes: Option<Vec<Changed>>,
    /// The recording that was written.
    pub recording: Option<PathBuf>,
}

/// A record and what its paths resolved to.
#[derive(Clone, Debug)]
pub struct RecordReport {
    /// The record's id.
    pub record: String,
    /// Its paths, sorted.
    pub paths: Vec<PathReport>,
}

/// What a path resolved to.
#[derive(Clone, Debug)]
pub struct PathReport {
    /// The path.
    pub path: String,
    /// The package; for an unmanaged path the one that disowns it.
    pub package: String,
    /// The template that matched, or the fallback.
    pub template: Option<String>,
    /// Whether `template` is the fallback.
    pub is_default: bool,
    /// What the template's path captured.
    pub captures: Names<String>,
    /// The entry that disowns it.
    pub unmanaged: Option<String>,
    /// The rendered template, when asked for.
    pub rendered: Option<String>,
}

/// A path that is left alone.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnmanagedReport {
    /// The path.
    pub path: String,
    /// The package that disowns it.
    pub package: String,
    /// Its entry.
    pub entry: String,
}

/// What was selected for a record.
#[derive(Clone, Debug)]
pub struct Selected {
    /// The record's id.
    pub record: String,
    /// The actions, in order.
    pub actions: Vec<String>,
    /// What it took a model; none on a replay (D26).
    pub tally: Option<Tally>,
}

/// One injection as phase 6 worked it out.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// The record's id.
    pub record: String,
    /// The action.
    pub action: String,
    /// The discriminator's value.
    pub variant: Option<String>,
    /// The target.
    pub path: String,
    /// The anchor.
    pub anchor: String,
}

/// A file whose text differs.
#[derive(Clone, Debug)]
pub struct Changed {
    /// The path.
    pub path: String,
    /// The text on disk; none for a new file.
    pub before: Option<String>,
    /// The new text.
    pub after: String,
}

impl RecordReport {
    /// How many paths are managed.
    pub fn managed(&self) -> impl Iterator<Item = &PathReport> {
        self.paths.iter().filter(|path| path.unmanaged.is_none())
    }
}
