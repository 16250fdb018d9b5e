//! What `actions` says to a person.

use std::fmt::Write as _;

use crate::diag::shown;
use crate::selection::catalog::Entry;

/// Each action with its kwargs, variants and targets.
pub fn text(package: &str, entries: &[Entry<'_>]) -> String {
    let mut out = String::new();
    for entry in entries {
        action(entry, &mut out);
        out.push('\n');
    }
    let _ = writeln!(
        out,
        "{} action(s) in package {}",
        entries.len(),
        shown(package)
    );
    out
}

fn action(entry: &Entry<'_>, out: &mut String) {
    let hidden = if entry.exposed == Some(false) {
        "  (not exposed)"
    } else {
        ""
    };
    let _ = writeln!(out, "{}{hidden}", shown(entry.action));
    if let Some(description) = entry.description {
        let _ = writeln!(out, "  {}", shown(description.trim()));
    }
    if !entry.composes.is_empty() {
        let _ = writeln!(out, "  composes    {}", entry.composes.join(", "));
    }
    for (target, anchor) in entry.injects_into.iter().zip(&entry.anchor) {
        let _ = writeln!(out, "  target      {} at {}", shown(target), shown(anchor));
    }
    if let Some(discriminator) = entry.discriminator {
        let fallback = if entry.has_default == Some(true) {
            ", or any other value"
        } else {
            ""
        };
        let _ = writeln!(
            out,
            "  variants    {} = {}{fallback}",
            shown(discriminator),
            crate::diag::listed(&entry.variants)
        );
    }
    let kwargs = entry.kwargs.iter().flatten();
    let width = kwargs
        .clone()
        .map(|(name, _)| name.len())
        .max()
        .unwrap_or(0);
    for (name, kwarg) in kwargs {
        let need = match (&kwarg.default, kwarg.required) {
            (_, true) => "required".to_owned(),
            (Some(default), false) => format!("default {}", shown(&default.to_json())),
            (None, false) => "optional".to_owned(),
        };
        let _ = write!(out, "  kwarg       {name:width$}  {}, {need}", kwarg.kind);
        match kwarg.description {
            Some(description) => {
                let _ = writeln!(out, ": {}", shown(description.trim()));
            }
            None => out.push('\n'),
        }
    }
    if !entry.requires.is_empty() {
        let _ = writeln!(
            out,
            "  renders     {}",
            crate::diag::listed(&entry.requires)
        );
    }
    for (variant, needs) in &entry.variant_requires {
        let _ = writeln!(
            out,
            "  renders     {} (variant {})",
            crate::diag::listed(needs),
            shown(variant)
        );
    }
}
