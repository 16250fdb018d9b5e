//! Which of a record's actions can reach any of its files (N20-N23), and whether there is anything to ask (K22, N22).
//!
//! The catalog that a model sees holds no action that could only ever be answered wrongly. Only patterns are compared
//! with paths here, forwards; whether a given invocation is right is [`super::validate`]'s, which looks names up in the
//! whole catalog (N21).

use std::borrow::Cow;
use std::fmt;

use crate::diag::{listed, quoted, shown};
use crate::expand::Part;
use crate::genpkg::{Action, Package, Single};
use crate::resolve::{Resolved, Variables};
use crate::template::{Reference, operand};

use super::catalog::{Catalog, Choice, singles};

/// An action that the prompt's catalog leaves out (N23).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removal {
    /// The action.
    pub action: String,
    /// Its package.
    pub package: String,
    /// The first target pattern of it that no managed path can match, as authored.
    pub pattern: String,
}

/// What there is to ask about a record.
#[derive(Debug)]
pub enum Reach<'p> {
    /// None of its paths is managed: no call, an empty selection (K22).
    NoManagedPath,
    /// Its packages expose no action: no call, an empty selection (N22).
    NothingExposed,
    /// A model is asked.
    Actions {
        /// What it chooses from.
        catalog: Catalog<'p>,
        /// What that leaves out.
        removals: Vec<Removal>,
    },
}

/// A record that authorises files which no exposed action can reach (N22).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreachable {
    /// The record's id.
    pub record: String,
    /// Its managed paths.
    pub paths: Vec<String>,
    /// What was left out.
    pub removals: Vec<Removal>,
}

impl fmt::Display for Unreachable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "record {}: no exposed action can write into any of its files: {}; the targets of the actions there are: {}",
            quoted(&self.record),
            listed(&self.paths),
            listed(self.removals.iter().map(|removal| &removal.pattern))
        )
    }
}

impl fmt::Display for Removal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "left out of the catalog: action {} of package {}, target {}",
            shown(&self.action),
            shown(&self.package),
            shown(&self.pattern)
        )
    }
}

/// What there is to ask about a record; with `full_catalog` every exposed action counts as able to reach it (N21).
pub fn reach<'p>(
    record: &Resolved<'p>,
    variables: &Variables,
    full_catalog: bool,
) -> Result<Reach<'p>, Unreachable> {
    if record.files.is_empty() {
        return Ok(Reach::NoManagedPath);
    }
    let exposed = Catalog::of(&record.packages(), false);
    if exposed.is_empty() {
        return Ok(Reach::NothingExposed);
    }
    let (catalog, removals) = if full_catalog {
        (exposed, Vec::new())
    } else {
        narrowed(&exposed, record, variables)
    };
    if catalog.is_empty() {
        let paths = record.files.iter().map(|file| file.path.clone()).collect();
        return Err(Unreachable {
            record: record.record.clone(),
            paths,
            removals,
        });
    }
    Ok(Reach::Actions { catalog, removals })
}

/// The catalog without the actions that no values of their kwargs could aim at a managed path of the record, and what
/// was taken out, in catalog order (N20).
pub fn narrowed<'p>(
    catalog: &Catalog<'p>,
    record: &Resolved<'p>,
    variables: &Variables,
) -> (Catalog<'p>, Vec<Removal>) {
    let mut removals = Vec::new();
    let kept = catalog.filtered(|choice| match idle_target(choice, record, variables) {
        None => true,
        Some(single) => {
            removals.push(Removal {
                action: choice.action.name.clone(),
                package: choice.package.name.clone(),
                pattern: single.injects_into.text().to_owned(),
            });
            false
        }
    });
    (kept, removals)
}

/// The first target of an action, or of a composite's children, that can be none of the record's files.
fn idle_target<'p>(
    choice: Choice<'p>,
    record: &Resolved<'_>,
    variables: &Variables,
) -> Option<&'p Single> {
    singles(choice).into_iter().find_map(|(action, single)| {
        // K13: a free target can be aimed anywhere.
        if single.injects_into.is_one_placeholder() {
            return None;
        }
        let target = Target::of(action, single, choice.package, variables);
        let reaches =
            target.is_some_and(|target| record.files.iter().any(|file| target.can_be(&file.path)));
        (!reaches).then_some(single)
    })
}

/// Whether some values of its kwargs could aim an action at this path (N20).
pub(super) fn could_write(part: &Part<'_>, variables: &Variables, path: &str) -> bool {
    part.single.injects_into.is_one_placeholder()
        || Target::of(part.action, part.single, part.package, variables)
            .is_some_and(|target| target.can_be(path))
}

/// A target pattern as the fixed text around its placeholders: one piece more than there are placeholders.
#[derive(Debug)]
struct Target {
    first: String,
    rest: Vec<String>,
}

impl Target {
    /// The pattern with the run's variables in place; nothing when a variable's value cannot be rendered there, for
    /// then no invocation can be either.
    fn of(
        action: &Action,
        single: &Single,
        package: &Package,
        variables: &Variables,
    ) -> Option<Self> {
        let mut pieces = vec![String::new()];
        for part in single.injects_into.fixed_parts() {
            let text = match part {
                Ok(text) => Cow::Borrowed(text),
                Err(reference) if action.kwargs.contains_key(reference.name) => {
                    pieces.push(String::new());
                    continue;
                }
                Err(reference) => variable(reference, package, variables)?,
            };
            if let Some(last) = pieces.last_mut() {
                last.push_str(&text);
            }
        }
        Some(Self::from_pieces(pieces))
    }

    fn from_pieces(pieces: Vec<String>) -> Self {
        let mut pieces = pieces.into_iter();
        Self {
            first: collapsed(&pieces.next().unwrap_or_default(), true),
            rest: pieces.map(|piece| collapsed(&piece, false)).collect(),
        }
    }

    /// Whether some texts in the placeholders make the pattern a spelling of this clean path (N20, Y8).
    ///
    /// Taking the earliest place for each piece loses nothing, since what follows a placeholder may stand at any later
    /// place; so the cost is linear in the path for each piece (Y33).
    fn can_be(&self, path: &str) -> bool {
        let Some((last, middle)) = self.rest.split_last() else {
            return self.first == path;
        };
        if !path.starts_with(&self.first) {
            return false;
        }
        let mut at = self.first.len();
        for piece in middle {
            let rest = path.get(at..).unwrap_or_default();
            at += if let Some(joined) = joined(path, at, piece).filter(|p| rest.starts_with(p)) {
                joined.len()
            } else if let Some(found) = rest.find(piece.as_str()) {
                found + piece.len()
            } else {
                return false;
            };
        }
        let rest = path.get(at..).unwrap_or_default();
        rest.ends_with(last.as_str()) || joined(path, at, last) == Some(rest)
    }
}

/// What is left of a piece that starts with `/` when its placeholder is empty and a `/` stands before it already: two
/// slashes of a rendered target are one (Y8).
fn joined<'a>(path: &str, at: usize, piece: &'a str) -> Option<&'a str> {
    path.get(..at)?.strip_suffix('/')?;
    piece.strip_prefix('/')
}

/// Fixed text without the components that cleaning takes out of a path wherever they stand whole: empty ones and `.`.
fn collapsed(piece: &str, is_first: bool) -> String {
    let components: Vec<&str> = piece.split('/').collect();
    let last = components.len() - 1;
    let kept: Vec<&str> = components
        .into_iter()
        .enumerate()
        .filter(|(at, component)| match *component {
            "." if is_first && *at == 0 => last == 0,
            "" | "." => *at == 0 || *at == last,
            _ => true,
        })
        .map(|(_, component)| component)
        .collect();
    kept.join("/")
}

/// A run variable's text as the pattern renders it. A name that is neither kwarg nor variable is a load error; it
/// counts as text that cannot be rendered.
fn variable<'a>(
    reference: Reference<'_>,
    package: &Package,
    variables: &'a Variables,
) -> Option<Cow<'a, str>> {
    let value = variables.of(package).get(reference.name)?;
    package
        .engine
        .apply(reference.steps, operand(value).ok()?)
        .ok()
}

#[cfg(test)]
mod tests;
