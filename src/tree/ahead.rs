//! Reading many files at once, on all processors, where one after the other would mostly wait for the system (Y31).
//!
//! It refuses nothing and reports nothing: a file that it cannot read without a fault is left to the reading one by one,
//! which knows the rules and the messages. It walks no path either: only what lies in a folder that the tree has come to
//! is read.

use foldhash::{HashMap, HashMapExt as _};

use super::disk::SystemDisk;
use super::folders::{FolderId, Folders, Place, ROOT};
use super::names;
use super::read::{Before, read_at_once};
use crate::parallel;

/// What opening, looking at and reading one file costs, for [`parallel::map`].
const FILE_COST: usize = 2048;

/// How many files of one folder are read in one go.
const BATCH: usize = 32;

/// Where a path leads, and what was read there.
pub(super) struct Found {
    pub(super) place: Place,
    pub(super) before: Option<Before>,
}

/// One path of a batch.
struct Wanted<'a> {
    /// Its place among the paths.
    at: usize,
    name: &'a str,
    linked: bool,
}

/// Gives `take` what is at each of `paths`, with its place among them, in any order; what has to be read by itself is left
/// out.
pub(super) fn read(folders: &Folders, paths: &[&str], mut take: impl FnMut(usize, Found)) {
    let batches = batches(folders, paths);
    let cost = paths.len() * FILE_COST;
    let read = |(folder, wanted)| batch(folders, folder, wanted);
    parallel::each(batches, cost, read, |found| {
        for (at, one) in found {
            take(at, one);
        }
    });
}

/// The paths by folder, in batches.
fn batches<'a>(folders: &Folders, paths: &[&'a str]) -> Vec<(FolderId, Vec<Wanted<'a>>)> {
    let mut batches: Vec<(FolderId, Vec<Wanted<'a>>)> = Vec::new();
    let mut open: HashMap<FolderId, usize> = HashMap::new();
    for (at, path) in paths.iter().enumerate() {
        let (parent, name) = path.rsplit_once('/').unwrap_or(("", path));
        let Some((folder, linked)) = folders.known(parent) else {
            continue;
        };
        let is_reserved = names::is_reserved(name, folder == ROOT);
        if is_reserved || folders.is_missing(folder) || names::check(path).is_err() {
            continue;
        }
        let wanted = Wanted { at, name, linked };
        let last = open.get(&folder).and_then(|&last| batches.get_mut(last));
        if let Some((_, batch)) = last.filter(|(_, batch)| batch.len() < BATCH) {
            batch.push(wanted);
        } else {
            open.insert(folder, batches.len());
            batches.push((folder, vec![wanted]));
        }
    }
    batches
}

/// Reads a batch: its folder is opened, and known again, once.
fn batch(folders: &Folders, folder: FolderId, wanted: Vec<Wanted<'_>>) -> Vec<(usize, Found)> {
    let disk = &mut SystemDisk;
    let Ok(handle) = folders.opened(disk, folder) else {
        return Vec::new();
    };
    let read = wanted
        .into_iter()
        .filter_map(|Wanted { at, name, linked }| {
            let (found, before) = read_at_once(disk, &handle, name).ok()?.unzip();
            let place = Place {
                folder,
                name: name.to_owned(),
                linked,
                found,
            };
            Some((at, Found { place, before }))
        });
    read.collect()
}
