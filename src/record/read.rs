//! One record file: its text becomes a [`Record`], or the faults that keep it from being one.
//!
//! Everything is judged here that a record shows on its own (R2, R5, R14); its scope lists are read by `scopes`, and what takes
//! several records to see is `ingest`'s affair. Keys that belong to the governance tool are never looked at.

use std::sync::Arc;

use super::model::Record;
use super::scopes;
use crate::diag::{Problem, Source, Span, nearest, quoted};
use crate::doc::{Entry, Fault, Fields, Node, input, yaml};
use crate::pattern::scope::ScopeSet;

/// What a record file gave.
#[derive(Debug, Default)]
pub(super) struct Draft {
    /// The id, when there is one.
    pub id: Option<String>,
    /// The record, as far as it could be read; none without an id, and none when it is not wanted.
    pub record: Option<Record>,
    /// What is wrong with it, in the order of the text.
    pub problems: Vec<Problem>,
    /// What is odd about it.
    pub warnings: Vec<Problem>,
}

/// Reads a record file. Of a record whose id is not `wanted` nothing but the id counts (R19): its own faults stay
/// unsaid.
pub(super) fn read(source: &Arc<Source>, wanted: impl Fn(&str) -> bool) -> Draft {
    let yaml::Parsed { root, mut faults } = yaml::parse(source.text());
    let mut draft = Draft::default();
    let mut warnings = Vec::new();
    match &root {
        Some(root) => {
            if let Some((id, span)) = read_id(root, &mut faults) {
                if !wanted(&id) {
                    draft.id = Some(id);
                    return draft;
                }
                let known = (id.as_str(), span);
                let record = read_fields(root, known, source, &mut faults, &mut warnings);
                draft.id = Some(id);
                draft.record = Some(record);
            }
        }
        None if faults.is_empty() => faults.push(
            Fault::new(Span::default(), "the record is empty: it has no id")
                .help("write `id: ` and a name for the record"),
        ),
        None => {}
    }
    faults.sort_by_key(|fault| fault.span);
    let placed = |fault| input::problem(source, fault);
    draft.problems = faults.into_iter().map(placed).collect();
    draft.warnings = warnings.into_iter().map(placed).collect();
    draft
}

/// Reads a record whatever its id is.
#[cfg(test)]
pub(super) fn read_all(source: &Arc<Source>) -> Draft {
    read(source, |_| true)
}

fn read_id(root: &Node<'_>, faults: &mut Vec<Fault>) -> Option<(String, Span)> {
    let mut fields = Fields::of(root, "a record", faults);
    let text = fields.text("id");
    if let Some((id, node)) = text {
        if !id.trim().is_empty() {
            return Some((id.to_owned(), node.span));
        }
        faults.push(Fault::new(node.span, "id: the record's id is blank").help("give it a name"));
    } else if root.map().is_some() && root.get("id").is_none() {
        let start = root.span.start as usize;
        let fault = Fault::new(Span::new(start, start), "the record has no id");
        faults.push(
            fault.help(
                meant(root, "id")
                    .unwrap_or_else(|| "write `id: ` and a name for the record".to_owned()),
            ),
        );
    }
    None
}

/// The help for a key that is missed where another one is nearly spelt like it.
fn meant(root: &Node<'_>, key: &str) -> Option<String> {
    let keys = root.map()?.iter().map(|entry| &*entry.key);
    let near = nearest(key, keys)?;
    Some(format!("it has {}: did you mean `{key}`?", quoted(near)))
}

fn read_fields(
    root: &Node<'_>,
    id: (&str, Span),
    source: &Arc<Source>,
    faults: &mut Vec<Fault>,
    warnings: &mut Vec<Fault>,
) -> Record {
    let mut fields = Fields::of(root, "a record", faults);
    let intent = fields.text("intent").map(|(text, _)| text.to_owned());
    let constraints = fields.entry("constraints");
    let affected = fields.entry("affected_scope");
    let forbidden = fields.entry("forbidden_scope");

    let constraints = texts(constraints, Nulls::Faulty, faults);
    let authorised = scopes::read_affected(&texts(affected, Nulls::Blank, faults), faults);
    let entries = texts(forbidden, Nulls::Blank, faults);
    let forbidden = scopes::read_forbidden(&entries, faults, warnings);
    scopes::find_contradictions(id.0, &authorised.paths, &forbidden, faults);
    if authorised.paths.is_empty() {
        let place = affected.map_or(id.1, |entry| entry.key_span);
        warnings.push(creates_nothing(root, id.0, place, &authorised.patterns));
    }
    Record {
        id: id.0.to_owned(),
        id_span: id.1,
        intent: intent.unwrap_or_default(),
        constraints: constraints.iter().map(|c| c.0.to_owned()).collect(),
        paths: authorised.paths,
        patterns: authorised.patterns,
        forbidden: forbidden.entries,
        source: Arc::clone(source),
    }
}

/// What a null in a list of text is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nulls {
    /// No text (L14a).
    Faulty,
    /// A blank entry, which a scope list may have (R7).
    Blank,
}

/// The members of a list of text, with their places (R5); a list that is null or not there has none.
fn texts<'n>(
    entry: Option<&'n Entry<'_>>,
    nulls: Nulls,
    faults: &mut Vec<Fault>,
) -> Vec<(&'n str, Span)> {
    let Some(Entry { key, value, .. }) = entry else {
        return Vec::new();
    };
    let named = |fault: Fault| Fault {
        message: format!("{key}: {}", fault.message),
        ..fault
    };
    let Some(items) = value.list() else {
        if !value.is_null() {
            let fault = named(value.mismatch("a list of text"));
            faults.push(match value.text() {
                Ok(_) => fault.help("write `- ` before it, on a line of its own"),
                Err(_) => fault,
            });
        }
        return Vec::new();
    };
    let mut texts = Vec::with_capacity(items.len());
    for item in items {
        match item.text() {
            Ok(text) => texts.push((text, item.span)),
            Err(_) if nulls == Nulls::Blank && item.is_null() => {}
            Err(fault) => faults.push(named(fault)),
        }
    }
    texts
}

/// The warning of a record that names no file (R14).
fn creates_nothing(root: &Node<'_>, id: &str, place: Span, patterns: &ScopeSet) -> Fault {
    let id = quoted(id);
    if !patterns.is_empty() {
        let message = format!("record {id} authorises by patterns only: it creates no file");
        return Fault::new(place, message);
    }
    let fault = Fault::new(place, format!("record {id} authorises no path at all"));
    match (root.get("affected_scope"), meant(root, "affected_scope")) {
        (None, Some(help)) => fault.help(help),
        _ => fault.help("list the files to create in `affected_scope`"),
    }
}

#[cfg(test)]
mod tests;
