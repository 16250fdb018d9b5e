//! Phase 7: injections into the staged files (sections 17 and 18).
//!
//! Each target is read as lines and regions once; every injection then finds its region or its anchor by look-up, and
//! the file is put together once at the end. The lines outside regions never change in this phase, so an anchor's
//! place is found once a file (Y30).

mod edit;
mod places;

use std::collections::BTreeSet;
use std::sync::Arc;

use foldhash::{HashMap, HashMapExt as _};

use crate::diag::{Problem, quoted, shown};
use crate::expand::Injection;
use crate::parallel;
use crate::resolve::create::corrupt;
use crate::tree::Tree;

use edit::{FileEdit, Prepared};

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
    pub path: Arc<str>,
    /// The record.
    pub record: Arc<str>,
    /// The action.
    pub action: String,
    /// The discriminator's value.
    pub variant: Option<Arc<str>>,
    /// What was done.
    pub outcome: RegionOutcome,
    /// A tier on disk that this version does not know (M14).
    pub unknown_tier: Option<String>,
}

/// What one file costs, for [`parallel::map`].
const FILE_COST: usize = 1024;

/// The injections of one file, in order, each with its place among all.
struct Group<'p> {
    path: Arc<str>,
    injections: Vec<(usize, Injection<'p>)>,
}

/// What a file's injections come to.
struct Done {
    path: Arc<str>,
    /// The new text, when it differs.
    text: Option<String>,
    reports: Vec<(usize, RegionReport)>,
}

/// Applies every injection to the staged tree, in order; any problem means that nothing may be written, and all are
/// reported (I1). The lists are those of the records, `shared` has every path that more than one of them may name. The
/// tree has read the targets.
pub fn inject(
    lists: Vec<Vec<Injection<'_>>>,
    shared: &BTreeSet<String>,
    tree: &mut Tree,
) -> Result<Vec<RegionReport>, Vec<Problem>> {
    let groups = by_file(lists, shared);
    let staged: &Tree = tree;
    let cost = groups.len() * FILE_COST;
    let mut reports = Vec::new();
    let mut texts = Vec::new();
    let mut problems = Vec::new();
    parallel::each(
        groups,
        cost,
        |group| file(group, staged),
        |result| match result {
            Ok(done) => {
                reports.extend(done.reports);
                texts.extend(done.text.map(|text| (done.path, text)));
            }
            Err(faults) => problems.extend(faults),
        },
    );
    for (path, text) in texts {
        tree.stage(&path, text, false);
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    reports.sort_unstable_by_key(|(at, _)| *at);
    Ok(reports.into_iter().map(|(_, report)| report).collect())
}

/// What finding the file of one injection costs, for [`parallel::map`].
const INJECTION_COST: usize = 32;

/// The injections of each file, the files in the order of their first ones.
fn by_file<'p>(lists: Vec<Vec<Injection<'p>>>, shared: &BTreeSet<String>) -> Vec<Group<'p>> {
    let mut count = 0;
    let mut numbered = Vec::with_capacity(lists.len());
    for list in lists {
        let first = count;
        count += list.len();
        numbered.push((first, list));
    }
    let found = parallel::map(numbered, count * INJECTION_COST, |(start, list)| {
        groups(start, list)
    });
    let mut all: Vec<Group<'p>> = Vec::with_capacity(found.iter().map(Vec::len).sum());
    let mut places: HashMap<Arc<str>, usize> = HashMap::new();
    for group in found.into_iter().flatten() {
        if !shared.contains(&*group.path) {
            all.push(group);
            continue;
        }
        let place = *places.entry(Arc::clone(&group.path)).or_insert(all.len());
        match all.get_mut(place) {
            Some(first) => first.injections.extend(group.injections),
            None => all.push(group),
        }
    }
    all
}

/// The injections of one list by file; `start` is the number of the first of them.
fn groups(start: usize, injections: Vec<Injection<'_>>) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut places: HashMap<Arc<str>, usize> = HashMap::new();
    for (at, injection) in injections.into_iter().enumerate() {
        let number = start + at;
        // Most often an injection goes where the one before it went.
        let last = groups.len().wrapping_sub(1);
        let place = match groups.last() {
            Some(group) if group.path == injection.path => last,
            _ => *places
                .entry(Arc::clone(&injection.path))
                .or_insert(groups.len()),
        };
        if let Some(group) = groups.get_mut(place) {
            group.injections.push((number, injection));
            continue;
        }
        // The files of a run are much alike.
        let expected = groups.last().map_or(1, |group| group.injections.len());
        let mut group = Group {
            path: Arc::clone(&injection.path),
            injections: Vec::with_capacity(expected),
        };
        group.injections.push((number, injection));
        groups.push(group);
    }
    groups
}

/// Applies the injections of one file.
fn file(group: Group<'_>, tree: &Tree) -> Result<Done, Vec<Problem>> {
    let Group { path, injections } = group;
    let missing = || {
        vec![Problem::new(format!(
            "{}: the target of an injection does not exist",
            shown(&path)
        ))]
    };
    let text = tree.text(&path).ok_or_else(missing)?;
    let mut done = Done {
        path: Arc::clone(&path),
        text: None,
        reports: Vec::with_capacity(injections.len()),
    };
    let Some((_, first)) = injections.first() else {
        return Ok(done);
    };
    let home = first.home;
    let unmarked = || {
        vec![Problem::new(format!(
            "{}: action {} cannot inject here: the file's package {} declares no comment_prefix, so no marker can be written",
            shown(&path),
            quoted(&first.action.name),
            quoted(&home.name)
        ))]
    };
    let comments = home.comments.as_ref().ok_or_else(unmarked)?;
    let report = |injection: &Injection<'_>| RegionReport {
        path: Arc::clone(&path),
        record: Arc::clone(&injection.record),
        action: injection.action.name.clone(),
        variant: injection.variant.clone(),
        outcome: RegionOutcome::Unchanged,
        unknown_tier: None,
    };
    let reports = injections.iter().map(|(at, one)| (*at, report(one)));
    done.reports.extend(reports);
    let prepared = Prepared::all(comments, &injections);
    let mut edit = FileEdit::new(comments, text, &prepared)
        .map_err(|fault| vec![corrupt(&tree.names().of(&path), text, &fault, comments)])?;
    let mut problems = Vec::new();
    let reports = done.reports.iter_mut().map(|(_, report)| report);
    for (number, (report, prepared)) in reports.zip(&prepared).enumerate() {
        match edit.apply(number, prepared) {
            Ok((outcome, unknown_tier)) => {
                report.outcome = outcome;
                report.unknown_tier = unknown_tier;
            }
            Err(missing) => problems.push(Problem::new(format!(
                "{}: action {} finds no place to inject: {missing}",
                shown(&path),
                quoted(&report.action)
            ))),
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    done.text = edit.finish();
    Ok(done)
}
