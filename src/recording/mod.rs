//! Recordings: what a run resolved and what was selected, as JSON that people edit and other tools write.
//!
//! It decides the shape of a recording, how one is read and how one is written; the types here are that shape. Whether
//! its packages exist, its paths may be written and its invocations are sound is for the replay to check (J14-J24): a
//! recording that was read is well formed and nothing more. So one may name a record twice, or a path twice (J19).

mod encode;
pub mod read;
mod reader;
pub mod write;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use encode::to_json;
pub use read::{ReadError, parse, read};
pub use write::{WriteError, write};

use crate::diag::{Problem, Source, Span};
use crate::invocation::Invocation;
use crate::value::Names;

/// The phase that every recording of Sedum's own has, and no other (J4).
pub const DEFAULT_PHASE: &str = "default";

/// A recording (J1). Its `sedum_version` is not kept, since nothing compares it (P11).
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// The packages that its files use, by name.
    pub packages: BTreeMap<String, RecordedPackage>,
    /// The records, in the order they are replayed.
    pub records: Vec<RecordedRecord>,
    /// The run variables, by name.
    pub variables: BTreeMap<String, String>,
    /// What was read and may be a mistake.
    pub warnings: Vec<Problem>,
    /// The file it was read from, when it was; the spans below point into it.
    pub source: Option<Arc<Source>>,
}

/// What a recording says about a package.
#[derive(Clone, Debug, Default)]
pub struct RecordedPackage {
    /// The extensions that it claimed, in the order written.
    pub extensions: Vec<String>,
    /// Its name in the recording.
    pub span: Span,
}

/// The files of a record and what was selected for them.
#[derive(Clone, Debug, Default)]
pub struct RecordedRecord {
    /// The record's id; empty when the recording does not say.
    pub record_id: String,
    /// The files to create or reconcile.
    pub files: Vec<RecordedFile>,
    /// The phases, in the order they are run (J23).
    pub phases: Vec<RecordedPhase>,
    /// The value of `record_id`, or where the record begins.
    pub span: Span,
}

/// A resolved path.
#[derive(Clone, Debug, Default)]
pub struct RecordedFile {
    /// The path, as written.
    pub path: String,
    /// The package that owns it.
    pub package: String,
    /// The file template, relative to the package's files; empty when there is none (J24).
    pub template: String,
    /// What the template's captures stand for.
    pub captures: Names<String>,
    /// The value of `path`.
    pub span: Span,
    /// The value of `template`, where there is one; else that of `path`.
    pub template_span: Span,
}

/// A step of a record.
#[derive(Clone, Debug, Default)]
pub struct RecordedPhase {
    /// Its name; [`DEFAULT_PHASE`] when the recording does not say.
    pub name: String,
    /// What was selected, before expansion and defaults (J5).
    pub invocations: Vec<Invocation>,
}
