//! The end of a commit: what was kept for a failure is cleared away, or the failure is undone.
//!
//! Undoing goes on past whatever it cannot undo and reports that; it never stops half-way and never asks whether the run is
//! interrupted.

use std::io;

use super::Commit;
use crate::tree::Committed;
use crate::tree::error::Unrestored;
use crate::tree::folders::FolderId;

impl Commit<'_> {
    /// Removes the former files of a complete commit.
    pub(super) fn finish(&mut self) -> Committed {
        let mut committed = Committed::default();
        for job in std::mem::take(&mut self.jobs) {
            if let Some(former) = &job.former {
                self.discard(job.file.folder, former);
            }
            let paths = match job.file.before {
                Some(_) => &mut committed.updated,
                None => &mut committed.created,
            };
            paths.push(job.file.path.to_string());
        }
        committed.created.sort_unstable();
        committed.updated.sort_unstable();
        committed
    }

    /// Takes every step back, last first; gives what could not be.
    pub(super) fn undo(&mut self) -> Vec<Unrestored> {
        let mut unrestored = Vec::new();
        for job in std::mem::take(&mut self.jobs).into_iter().rev() {
            let (folder, name) = (job.file.folder, &*job.file.name);
            if self.fresh.holds(folder) {
                // It goes with its folder.
            } else if job.placed {
                let put_back = twice(|| match &job.former {
                    Some(former) => {
                        self.within(folder, |disk, handle| disk.rename(handle, former, name))
                    }
                    None => {
                        gone(self.within(folder, |disk, handle| disk.remove_file(handle, name)))
                    }
                });
                if let Err(error) = put_back {
                    let beside = |former: String| self.folders.real_in(folder, &former);
                    unrestored.push(Unrestored {
                        path: self.folders.real_in(folder, name),
                        why: match job.former {
                            Some(_) => format!("holds the new text: {error}"),
                            None => format!("is new and could not be removed: {error}"),
                        },
                        former: job.former.map(beside),
                    });
                }
            } else {
                for temporary in [job.temporary, job.former].into_iter().flatten() {
                    self.discard(folder, &temporary);
                }
            }
        }
        let mut made = std::mem::take(&mut self.made);
        made.retain(|id| !self.fresh.holds(*id));
        self.discard_fresh_folders();
        for id in made.into_iter().rev() {
            let Some((parent, name)) = self.folders.within(id) else {
                continue;
            };
            let removed = twice(|| {
                gone(self.within(parent, |disk, folder| disk.remove_folder(folder, &name)))
            });
            if let Err(error) = removed {
                unrestored.push(Unrestored {
                    path: self.folders.real(id),
                    why: format!("is a new folder and could not be removed: {error}"),
                    former: None,
                });
            }
        }
        unrestored
    }

    /// Removes a temporary file.
    fn discard(&mut self, folder: FolderId, name: &str) {
        let removed =
            twice(|| gone(self.within(folder, |disk, handle| disk.remove_file(handle, name))));
        if removed.is_err() {
            self.leftovers.push(self.folders.real_in(folder, name));
        }
    }
}

/// Undoing is tried twice, because what stopped the commit may have been a moment's trouble.
pub(super) fn twice(mut attempt: impl FnMut() -> io::Result<()>) -> io::Result<()> {
    attempt().or_else(|_| attempt())
}

/// A removal, for which it is as good that the thing is gone already.
fn gone(removal: io::Result<()>) -> io::Result<()> {
    match removal {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    }
}
