//! An invocation: what a model or a recording selects, before expansion.

use std::sync::Arc;

use crate::diag::{Source, Span};
use crate::doc::{Kind, json};
use crate::value::Bindings;

/// An action with the arguments bound to it, as selected (J5).
#[derive(Clone, Debug, Default)]
pub struct Invocation {
    /// The name of the action.
    pub action: String,
    /// What was bound; declared defaults are not in here (Y5).
    pub kwargs: Bindings,
    /// Where it stands, when it comes from a file.
    pub origin: Option<Origin>,
}

/// The place of an invocation in the file it was read from.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The file.
    pub source: Arc<Source>,
    /// The value of `action`.
    pub action: Span,
    /// The value of `kwargs`.
    pub kwargs: Option<Span>,
}

impl Origin {
    /// The place of a kwarg's value. Read anew from the file's text: it is asked for when something is wrong, and kept for
    /// each kwarg of a large recording it would be a good part of the run's memory.
    pub fn kwarg(&self, name: &str) -> Option<Span> {
        let kwargs = json::read_at(self.source.text(), self.kwargs?.start as usize).ok()?;
        match kwargs.root.kind {
            Kind::Map(entries) => entries
                .iter()
                .find(|entry| entry.key == name)
                .map(|entry| entry.value.span),
            _ => None,
        }
    }
}
