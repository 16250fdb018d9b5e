//! The completeness pass: which planted anchors a valid answer leaves empty, and the question about them (E1-E9).
//!
//! It only ever asks. That an anchor stays empty is never a fault (E3, E9), and nothing here judges an answer.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt::{self, Write as _};

use crate::diag::{listed, shown};
use crate::expand::Injection;
use crate::invocation::Invocation;
use crate::resolve::Resolved;
use crate::resolve::create::Planted;

use super::catalog::{Choice, singles};
use super::mend;
use super::prompt::ENVELOPE;

/// A file with the anchors that an answer leaves empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfilled {
    /// The path.
    pub path: String,
    /// The anchors, sorted.
    pub anchors: Vec<String>,
}

/// Planted less filled less unfillable (E1), by path; `injections` are what the answer comes to (E6).
pub fn unfilled<'i, 'p: 'i>(
    record: &Resolved<'p>,
    planted: &Planted,
    injections: impl IntoIterator<Item = &'i Injection<'p>>,
) -> Vec<Unfilled> {
    let fillable = fillable(record);
    let mut filled: HashMap<&str, HashSet<&str>> = HashMap::new();
    for injection in injections {
        let markers = injection.single.anchor.markers();
        filled.entry(&injection.path).or_default().extend(markers);
    }
    let mut unfilled: Vec<Unfilled> = record
        .files
        .iter()
        .filter_map(|file| {
            let filled = filled.get(file.path.as_str());
            let is_open = |name: &&str| {
                fillable.contains(name) && filled.is_none_or(|filled| !filled.contains(name))
            };
            let names = planted.of(&file.path).iter().map(String::as_str);
            let open: BTreeSet<&str> = names.filter(is_open).collect();
            (!open.is_empty()).then(|| Unfilled {
                path: file.path.clone(),
                anchors: open.into_iter().map(str::to_owned).collect(),
            })
        })
        .collect();
    unfilled.sort_by(|a, b| a.path.cmp(&b.path));
    unfilled
}

/// The markers that some action of the record's packages fills, whichever file it is aimed at (E4).
fn fillable<'p>(record: &Resolved<'p>) -> HashSet<&'p str> {
    record
        .packages()
        .into_iter()
        .flat_map(|package| {
            package
                .actions
                .values()
                .map(move |action| Choice { package, action })
        })
        .flat_map(singles)
        .flat_map(|(_, single)| single.anchor.markers())
        .collect()
}

/// The question about them: it names file and anchor, asks, and demands the complete list again (E7). That list is shown
/// as it stands, for what a valid reply lacks is taken back (E2).
pub fn question(unfilled: &[Unfilled], selected: &[Invocation]) -> String {
    let mut places = String::new();
    for file in unfilled {
        let _ = writeln!(places, "- {file}");
    }
    let list = if selected.is_empty() {
        ENVELOPE.to_owned()
    } else {
        mend::list(selected)
    };
    format!(
        "That answer is valid. It puts nothing at these anchors:\n{places}\
         Most anchors stay empty in most changes. Does the change itself say in words that something belongs there which \
         the answer lacks? Only then add that, and nothing else; if the change does not say so, keep the answer as it \
         is. Either way give the complete list of invocations again, those of the last answer included, as one JSON \
         object and nothing else; one that you leave out is taken back:\n{list}"
    )
}

/// `path: anchor, anchor`.
impl fmt::Display for Unfilled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", shown(&self.path), listed(&self.anchors))
    }
}

#[cfg(test)]
mod tests;
