//! The files that the run has come to, and which paths may lead to one (X31, X32). It reads nothing from the disk.

use std::sync::Arc;

use foldhash::HashMap;

use super::Change;
use super::ahead::Found;
use super::apart::Apart;
use super::error::TreeError;
use super::folders::{FolderId, Folders, Place};
use super::read::Before;
use crate::platform::Identity;

/// The files that the run has come to.
#[derive(Debug, Default)]
pub(super) struct Staged {
    pub(super) files: Vec<StagedFile>,
    pub(super) by_path: HashMap<Arc<str>, usize>,
    /// Where files really are that a link leads to; any other file is where its path says.
    by_real: HashMap<String, usize>,
    by_identity: HashMap<Identity, usize>,
    pub(super) apart: Vec<Apart>,
}

#[derive(Debug)]
pub(super) struct StagedFile {
    pub(super) path: Arc<str>,
    pub(super) folder: FolderId,
    pub(super) name: String,
    /// Whether a link leads to it.
    pub(super) linked: bool,
    pub(super) before: Option<Before>,
    pub(super) after: Option<String>,
    pub(super) executable: bool,
}

impl Staged {
    pub(super) fn reserve(&mut self, count: usize) {
        self.files.reserve(count);
        self.by_path.reserve(count);
        self.by_identity.reserve(count);
    }

    /// Takes in what was found at `path`, unless the path is known.
    pub(super) fn enter(
        &mut self,
        folders: &Folders,
        path: &str,
        found: Found,
    ) -> Result<usize, TreeError> {
        if let Some(&index) = self.by_path.get(path) {
            return Ok(index);
        }
        self.admit(folders, path, &found.place)?;
        Ok(self.put(folders, path, found.place, found.before))
    }

    /// Whether `path`, which is new, may lead where it leads.
    pub(super) fn admit(
        &mut self,
        folders: &Folders,
        path: &str,
        place: &Place,
    ) -> Result<(), TreeError> {
        self.refuse_apart(folders, path, place)?;
        self.refuse_shared_place(folders, path, place)
    }

    /// Takes in the file at `place`, which `path` leads to.
    pub(super) fn put(
        &mut self,
        folders: &Folders,
        path: &str,
        place: Place,
        before: Option<Before>,
    ) -> usize {
        let index = self.files.len();
        let path: Arc<str> = path.into();
        self.by_path.insert(Arc::clone(&path), index);
        if place.linked {
            let at = folders.real_in(place.folder, &place.name);
            self.by_real.insert(at, index);
        }
        if let Some(identity) = place.found.and_then(|seen| seen.0) {
            self.by_identity.insert(identity, index);
        }
        self.files.push(StagedFile {
            path,
            folder: place.folder,
            name: place.name,
            linked: place.linked,
            before,
            after: None,
            executable: false,
        });
        index
    }

    /// Refuses a path to a file that is kept apart.
    pub(super) fn refuse_apart(
        &mut self,
        folders: &Folders,
        path: &str,
        place: &Place,
    ) -> Result<(), TreeError> {
        let Some(apart) = self.apart.iter_mut().find(|a| a.is_at(folders, place)) else {
            return Ok(());
        };
        apart.met = true;
        Err(TreeError::Apart {
            path: path.to_owned(),
            what: apart.what,
        })
    }

    /// The number of the file that is really at a place, whatever path led to it.
    fn at_real(&self, real: &str) -> Option<usize> {
        if let Some(&index) = self.by_real.get(real) {
            return Some(index);
        }
        let index = *self.by_path.get(real)?;
        self.files.get(index).filter(|file| !file.linked)?;
        Some(index)
    }

    /// Refuses a second path to one file, by name or by identity, and a file where another path needs a folder (X31).
    fn refuse_shared_place(
        &self,
        folders: &Folders,
        path: &str,
        place: &Place,
    ) -> Result<(), TreeError> {
        let path_of = |index: usize| Some(self.files.get(index)?.path.to_string());
        let twin = if place.linked {
            self.at_real(&folders.real_in(place.folder, &place.name))
        } else {
            self.at_real(path)
        };
        let twin = twin.or_else(|| self.by_identity.get(&place.found?.0?).copied());
        if let Some(first) = twin.and_then(path_of) {
            return Err(TreeError::OneFile {
                first,
                second: path.to_owned(),
                place: folders.real_in(place.folder, &place.name),
            });
        }
        if place.found.is_none() && folders.needs(place.folder, &place.name) {
            return Err(TreeError::FileAndFolder {
                file: path.to_owned(),
                inside: format!("{path}/…"),
            });
        }
        for folder in folders.to_create(place.folder) {
            let file = self.at_real(&folders.real(folder));
            if let Some(file) = file.and_then(path_of) {
                return Err(TreeError::FileAndFolder {
                    file,
                    inside: path.to_owned(),
                });
            }
        }
        Ok(())
    }
}

impl StagedFile {
    pub(super) fn text(&self) -> Option<&str> {
        let before = self.before.as_ref().map(|before| &*before.text);
        self.after.as_deref().or(before)
    }

    pub(super) fn change(&self) -> Option<Change<'_>> {
        let after = self.after.as_deref()?;
        let before = self.before.as_ref().map(|before| &*before.text);
        (before != Some(after)).then_some(Change {
            path: &self.path,
            before,
            after,
        })
    }
}
