//! What tells one region of a file from another (M25-M28).

use std::sync::Arc;

use crate::genpkg::{Action, Single};
use crate::marker;
use crate::value::Bindings;

/// A region's identity. Two regions of one file with equal identities are one region.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Identity(Arc<str>);

impl Identity {
    /// The identity of a region of `action`: with declared identity kwargs the action and their values; else the
    /// action, the variant and the required kwargs (M25).
    pub fn of(action: &Action, single: &Single, variant: Option<&str>, kwargs: &Bindings) -> Self {
        let text = match &single.identity {
            Some(names) => {
                marker::identity(&action.name, None, kwargs, names.iter().map(String::as_str))
            }
            None => marker::identity(&action.name, variant, kwargs, action.required()),
        };
        Self(text.into())
    }

    /// The kwargs that take part, as a message shows them: `name=value`.
    pub fn shown(action: &Action, single: &Single, kwargs: &Bindings) -> String {
        let show = |name: &str| {
            let json = kwargs.get(name)?.to_json();
            let cut = crate::diag::shown::cut_at(&json, 80);
            let dots = if cut.len() < json.len() { "..." } else { "" };
            Some(format!("{name}={}{dots}", crate::diag::shown(cut)))
        };
        let parts: Vec<_> = match &single.identity {
            Some(names) => names.iter().filter_map(|name| show(name)).collect(),
            None => action.required().filter_map(show).collect(),
        };
        if parts.is_empty() {
            "no required kwargs".to_owned()
        } else {
            parts.join(", ")
        }
    }
}
