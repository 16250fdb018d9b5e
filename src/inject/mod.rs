//! Phase 7: injections into the staged files (sections 17 and 18).
//!
//! Each target is read as lines and regions once; every injection then finds its region or its anchor by look-up, and
//! the file is put together once at the end. The lines outside regions never change in this phase, so an anchor's
//! place is found once a file (Y30).

mod edit;

use std::collections::HashMap;

use crate::diag::{Problem, quoted, shown};
use crate::expand::Injection;
use crate::resolve::create::corrupt;
use crate::tree::Tree;

use edit::FileEdit;

/// What phase 7 did to a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegionOutcome {
    /// It is new.
    Injected,
    /// It was there and says something else now (I10).
    Replaced,
    /// It was there and says the same.
    Unchanged,
    /// It is not Sedum's to change (I14, M14).
    Seeded,
}

/// One region of phase 7's report.
#[derive(Clone, Debug)]
pub struct RegionReport {
    /// The file.
    pub path: String,
    /// The record.
    pub record: String,
    /// The action.
    pub action: String,
    /// The discriminator's value.
    pub variant: Option<String>,
    /// What was done.
    pub outcome: RegionOutcome,
    /// A tier on disk that this version does not know (M14).
    pub unknown_tier: Option<String>,
}

/// Applies every injection to the staged tree, in order; any problem means that nothing may be written, and all are
/// reported (I1).
pub fn inject(
    injections: &[Injection<'_>],
    tree: &mut Tree,
) -> Result<Vec<RegionReport>, Vec<Problem>> {
    let mut paths: Vec<&str> = Vec::new();
    let mut by_path: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, injection) in injections.iter().enumerate() {
        let list = by_path.entry(&injection.path).or_insert_with(|| {
            paths.push(&injection.path);
            Vec::new()
        });
        list.push(at);
    }
    let mut reports: Vec<Option<RegionReport>> = injections.iter().map(|_| None).collect();
    let mut problems = Vec::new();
    for path in paths {
        let indices = by_path.remove(path).unwrap_or_default();
        match file(path, &indices, injections, tree, &mut reports) {
            Ok(Some(text)) => tree.stage(path, text, false),
            Ok(None) => {}
            Err(faults) => problems.extend(faults),
        }
    }
    if problems.is_empty() {
        Ok(reports.into_iter().flatten().collect())
    } else {
        Err(problems)
    }
}

/// Applies the injections of one file; the new text when it differs.
fn file(
    path: &str,
    indices: &[usize],
    injections: &[Injection<'_>],
    tree: &mut Tree,
    reports: &mut [Option<RegionReport>],
) -> Result<Option<String>, Vec<Problem>> {
    let missing = || {
        vec![Problem::new(format!(
            "{}: the target of an injection does not exist",
            shown(path)
        ))]
    };
    let name = tree.names().of(path);
    let text = tree
        .read(path)
        .map_err(|error| vec![Problem::new(error.to_string())])?
        .ok_or_else(missing)?;
    let mine = || {
        indices
            .iter()
            .filter_map(|at| Some((*at, injections.get(*at)?)))
    };
    let Some((_, first)) = mine().next() else {
        return Ok(None);
    };
    let Some(comments) = first.package.comments.as_ref() else {
        return Ok(None);
    };
    let mut edit = FileEdit::new(comments, first.package, text)
        .map_err(|fault| vec![corrupt(&name, text, &fault, comments)])?;
    let mut problems = Vec::new();
    for (at, injection) in mine() {
        match edit.apply(injection) {
            Ok((outcome, unknown_tier)) => {
                if let Some(report) = reports.get_mut(at) {
                    *report = Some(RegionReport {
                        path: path.to_owned(),
                        record: injection.record.clone(),
                        action: injection.action.name.clone(),
                        variant: injection.variant.clone(),
                        outcome,
                        unknown_tier,
                    });
                }
            }
            Err(missing) => problems.push(Problem::new(format!(
                "{}: action {} finds no place to inject: {missing}",
                shown(path),
                quoted(&injection.action.name)
            ))),
        }
    }
    if problems.is_empty() {
        Ok(edit.finish())
    } else {
        Err(problems)
    }
}
