//! What `actions` says to a person.

use std::fmt::Write as _;

use crate::diag::{listed, shown};
use crate::selection::catalog::Entry;

/// Each action with its kwargs, variants and targets, prose wrapped at `width` columns.
pub fn text(package: &str, entries: &[Entry<'_>], width: usize) -> String {
    let mut out = String::new();
    for entry in entries {
        action(entry, width, &mut out);
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

/// Prose below a heading.
fn prose(text: &str, indent: &str, width: usize, out: &mut String) {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let options = textwrap::Options::new(width.clamp(40, 110))
        .initial_indent(indent)
        .subsequent_indent(indent);
    for line in textwrap::wrap(&shown(&text), options) {
        let _ = writeln!(out, "{line}");
    }
}

fn action(entry: &Entry<'_>, width: usize, out: &mut String) {
    let hidden = if entry.exposed == Some(false) {
        "  (not exposed)"
    } else {
        ""
    };
    let _ = writeln!(out, "{}{hidden}", shown(entry.action));
    if let Some(description) = entry.description {
        prose(description, "  ", width, out);
    }
    if !entry.composes.is_empty() {
        let _ = writeln!(out, "  composes  {}", listed(&entry.composes));
    }
    for (target, anchor) in entry.injects_into.iter().zip(&entry.anchor) {
        let _ = writeln!(out, "  into      {} at {}", shown(target), shown(anchor));
    }
    if let Some(discriminator) = entry.discriminator {
        let fallback = if entry.has_default == Some(true) {
            ", or any other value"
        } else {
            ""
        };
        let _ = writeln!(
            out,
            "  variants  {} = {}{fallback}",
            shown(discriminator),
            listed(&entry.variants)
        );
    }
    kwargs(entry, width, out);
    if !entry.requires.is_empty() {
        let _ = writeln!(out, "  renders   {}", listed(&entry.requires));
    }
    for (variant, needs) in &entry.variant_requires {
        let variant = shown(variant);
        let _ = writeln!(out, "  renders   {} as {variant}", listed(needs));
    }
}

fn kwargs(entry: &Entry<'_>, width: usize, out: &mut String) {
    for (name, kwarg) in entry.kwargs.iter().flatten() {
        let need = match (&kwarg.default, kwarg.required) {
            (_, true) => "required".to_owned(),
            (Some(default), false) => format!("default {}", shown(&default.to_json())),
            (None, false) => "optional".to_owned(),
        };
        let _ = writeln!(out, "  {}: {}, {need}", shown(name), kwarg.kind);
        if let Some(description) = kwarg.description {
            prose(description, "      ", width, out);
        }
    }
}
