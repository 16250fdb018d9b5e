//! A record as the later phases see it.

use std::sync::Arc;

use crate::diag::{Source, Span};
use crate::pattern::scope::ScopeSet;

/// What one record file says, in the five fields that are read (R2).
#[derive(Clone, Debug)]
pub struct Record {
    /// Its id: not blank, as written.
    pub id: String,
    /// Where the id stands.
    pub id_span: Span,
    /// What the change is for, as written; empty when the record does not say.
    pub intent: String,
    /// What the change is held to, as written.
    pub constraints: Vec<String>,
    /// The files to create, cleaned, sorted, each once (R8, R10).
    pub paths: Vec<RecordPath>,
    /// The `affected_scope` entries that only authorise, in the order written (R8).
    pub patterns: ScopeSet,
    /// The `forbidden_scope` entries, in the order written.
    pub forbidden: ScopeSet,
    /// The file it was read from.
    pub source: Arc<Source>,
}

/// A file that a record authorises by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordPath {
    /// The cleaned path (R10).
    pub path: String,
    /// The entry that names it; the first of several.
    pub span: Span,
}

impl Record {
    /// Whether an `affected_scope` entry, literal or pattern, means `path`, a cleaned path.
    pub fn covers(&self, path: &str) -> bool {
        let names = |known: &RecordPath| known.path.as_str().cmp(path);
        self.paths.binary_search_by(names).is_ok() || self.patterns.first_match(path).is_some()
    }

    /// The first `forbidden_scope` entry that means `path`, a cleaned path.
    pub fn forbids(&self, path: &str) -> Option<&str> {
        let index = self.forbidden.first_match(path)?;
        Some(self.forbidden.entries().get(index)?.text())
    }
}
