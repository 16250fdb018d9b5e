//! Folders that a commit makes: filled under a temporary name, and named when everything in them is written.
//!
//! A file in such a folder needs no temporary name of its own and no look at what is at its place, since nobody else knows
//! the folder. A kill leaves no folder half full under its own name. What goes into the folders is written elsewhere.

use std::collections::BTreeMap;
use std::io;

use foldhash::HashMap;

use super::undo::twice;
use super::{Commit, Job};
use crate::platform;
use crate::tree::error::CommitFault;
use crate::tree::folders::FolderId;

/// The folders that a commit made.
#[derive(Debug, Default)]
pub(super) struct Fresh {
    /// Those under temporary names, each with the name that it shall have.
    unnamed: BTreeMap<FolderId, String>,
    /// For each of them, and each folder within, the one that has or had the temporary name.
    outermost: HashMap<FolderId, FolderId>,
}

impl Fresh {
    /// Whether a folder is under a temporary name, or within one that is.
    pub(super) fn holds(&self, folder: FolderId) -> bool {
        let outermost = self.outermost.get(&folder);
        outermost.is_some_and(|id| self.unnamed.contains_key(id))
    }
}

impl Commit<'_> {
    /// Makes the folders of a file that are missing, the outermost under a temporary name.
    pub(super) fn make_folders(&mut self, job: &Job<'_>) -> Result<(), CommitFault> {
        for id in self.folders.to_create(job.file.folder) {
            let Some((parent, name)) = self.folders.within(id) else {
                continue;
            };
            if let Some(&outermost) = self.fresh.outermost.get(&parent) {
                self.within(parent, |disk, folder| disk.create_folder(folder, &name))
                    .map_err(job.fails("make a folder of"))?;
                self.fresh.outermost.insert(id, outermost);
                self.made.push(id);
            } else if self.is_folder(job, parent, id, &name)? {
                // Somebody made it since the run looked; it is used as it is.
            } else if platform::RENAMES_FULL_FOLDERS {
                self.make_fresh(parent, id, name)
                    .map_err(job.fails("make a folder of"))?;
            } else {
                self.within(parent, |disk, folder| disk.create_folder(folder, &name))
                    .map_err(job.fails("make a folder of"))?;
                self.made.push(id);
            }
            self.folders
                .exists_now(self.disk, id)
                .map_err(job.fails("open a folder of"))?;
        }
        Ok(())
    }

    /// Whether there is a folder by now where one is to be made; anything else there is an error.
    fn is_folder(
        &mut self,
        job: &Job<'_>,
        parent: FolderId,
        id: FolderId,
        name: &str,
    ) -> Result<bool, CommitFault> {
        let there = self
            .within(parent, |disk, folder| disk.look(folder, name))
            .map_err(job.fails("look at a folder of"))?;
        match there {
            None => Ok(false),
            Some(metadata) if metadata.is_dir() => Ok(true),
            Some(_) => Err(CommitFault::Appeared(self.folders.real(id))),
        }
    }

    fn make_fresh(&mut self, parent: FolderId, id: FolderId, name: String) -> io::Result<()> {
        let mut temporary = None;
        self.under_new_name(parent, &mut temporary, |disk, folder, name| {
            disk.create_folder(folder, name)
        })?;
        if let Some(temporary) = temporary {
            self.folders.rename(id, temporary);
        }
        self.fresh.unnamed.insert(id, name);
        self.fresh.outermost.insert(id, id);
        self.made.push(id);
        Ok(())
    }

    /// Gives the full folders their names.
    pub(super) fn name_fresh_folders(&mut self) -> Result<(), CommitFault> {
        // A folder that somebody has open cannot be renamed everywhere.
        self.folders.close();
        while let Some((&id, name)) = self.fresh.unnamed.first_key_value() {
            let name = name.clone();
            self.stop_if_interrupted()?;
            self.name(id, &name)?;
            self.fresh.unnamed.remove(&id);
        }
        Ok(())
    }

    fn name(&mut self, id: FolderId, name: &str) -> Result<(), CommitFault> {
        let Some((parent, temporary)) = self.folders.within(id) else {
            return Ok(());
        };
        let path = self.folders.real_in(parent, name);
        let fails = |source| CommitFault::Io {
            path: path.clone(),
            doing: "name the new folder",
            source,
        };
        let there = self.within(parent, |disk, folder| disk.look(folder, name));
        if there.map_err(fails)?.is_some() {
            return Err(CommitFault::Appeared(path));
        }
        self.within(parent, |disk, folder| disk.rename(folder, &temporary, name))
            .map_err(fails)?;
        self.folders.rename(id, name.to_owned());
        Ok(())
    }

    /// Removes the folders that are still under temporary names, with all that is in them. What cannot be removed is left
    /// for the next run.
    pub(super) fn discard_fresh_folders(&mut self) {
        for id in std::mem::take(&mut self.fresh.unnamed).into_keys() {
            let Some((parent, temporary)) = self.folders.within(id) else {
                continue;
            };
            let removed =
                twice(|| self.within(parent, |disk, folder| disk.remove_tree(folder, &temporary)));
            if removed.is_err() {
                self.leftovers.push(self.folders.real(id));
            }
        }
    }
}
