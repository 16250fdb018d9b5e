//! An invocation: what a model or a recording selects, before expansion.

use std::sync::Arc;

use crate::diag::{Source, Span};
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
    /// The value of each kwarg, by name.
    pub kwargs: Vec<(String, Span)>,
}
