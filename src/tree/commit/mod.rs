//! The commit: all of a tree's changes are written, or none (C17, X31).
//!
//! First every text goes to a temporary file beside its target, or to its own name in a new folder that has a temporary
//! name itself; what can run out, such as space, runs out here, with no file touched. Then, file by file, the target is
//! looked at again (X35), an existing one gets a second name to come back under, and the temporary file is renamed over
//! it; last, the new folders get their names. On any failure or interruption the steps are undone in reverse. A kill at any
//! moment leaves each file whole, and leaves nothing else but files and folders under temporary names, which the next run
//! recognises. It must not decide what to write; that was settled before.

mod fresh;
mod undo;

use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use cap_std::fs::{Dir, Metadata};

use crate::platform::{self, Stamp};
use crate::tree::disk::Disk;
use crate::tree::error::{CommitError, CommitFault};
use crate::tree::folders::{FolderId, Folders, Seen};
use crate::tree::names::temporary_name;
use crate::tree::read::{Before, Fault, read_text};
use crate::tree::{Committed, StagedFile, Tree};
use fresh::Fresh;

/// Mode of a new file, before the umask (C1).
const FILE_MODE: u32 = 0o644;
/// Mode of a new file whose template is executable, before the umask (C1).
const EXECUTABLE_MODE: u32 = 0o755;
/// How many temporary names that exist already are passed over before giving up.
const NAME_ATTEMPTS: usize = 10_000;

/// Commits `tree` through `disk`. On failure the error says whether the output directory is as it was.
pub(in crate::tree) fn commit(
    tree: Tree,
    disk: &mut dyn Disk,
    interrupted: &AtomicBool,
) -> Result<Committed, CommitError> {
    let Tree {
        mut folders,
        staged,
        unreadable,
        sync,
        lock,
        ..
    } = tree;
    let nothing_done = |cause| CommitError {
        cause,
        unrestored: Vec::new(),
        leftovers: Vec::new(),
    };
    if let Some(error) = unreadable {
        return Err(nothing_done(CommitFault::Unreadable(Box::new(error))));
    }
    let Some(mut lock) = lock else {
        return Err(nothing_done(CommitFault::DryRun));
    };
    let jobs = jobs(&staged.files);
    let mut commit = Commit {
        folders: &mut folders,
        disk,
        interrupted,
        sync,
        pid: std::process::id(),
        counter: 0,
        made: Vec::new(),
        fresh: Fresh::default(),
        jobs,
        leftovers: Vec::new(),
    };
    let result = commit.write();
    let (outcome, leftovers) = match result {
        Ok(()) => {
            lock.keep_root();
            let committed = commit.finish();
            let left = !commit.leftovers.is_empty();
            (Ok(committed), left)
        }
        Err(cause) => {
            let unrestored = commit.undo();
            let left = !commit.leftovers.is_empty();
            if !unrestored.is_empty() {
                lock.keep_root();
            }
            // A sweep would take the former texts that the error names.
            let sweepable = left && unrestored.is_empty();
            let error = CommitError {
                cause,
                unrestored,
                leftovers: commit.leftovers,
            };
            (Err(error), sweepable)
        }
    };
    if leftovers {
        lock.leave_for_sweep();
    }
    outcome
}

/// The changed files, those of one folder together so that its handle is opened once.
fn jobs(files: &[StagedFile]) -> Vec<Job<'_>> {
    let mut jobs: Vec<Job<'_>> = files
        .iter()
        .filter_map(|file| {
            Some(Job {
                file,
                text: file.change()?.after,
                temporary: None,
                exact: None,
                former: None,
                placed: false,
            })
        })
        .collect();
    jobs.sort_unstable_by_key(|job| (job.file.folder, &*job.file.name));
    jobs
}

/// One changed file, and how far it got.
struct Job<'a> {
    file: &'a StagedFile,
    text: &'a str,
    /// The temporary file with the new text, until it is renamed.
    temporary: Option<String>,
    /// The existing file's mode, given to the temporary file, and whose it is.
    exact: Option<Exact>,
    /// The existing file's second name, until the commit is complete.
    former: Option<String>,
    /// Whether the new text is at the target.
    placed: bool,
}

/// The mode of a file that is replaced.
#[derive(Clone, Copy)]
struct Exact {
    mode: u32,
    owner: (u32, u32),
}

impl Exact {
    fn of(metadata: &Metadata) -> Option<Self> {
        Some(Self {
            mode: platform::mode(metadata)?,
            owner: platform::owner(metadata),
        })
    }
}

struct Commit<'a> {
    folders: &'a mut Folders,
    disk: &'a mut dyn Disk,
    interrupted: &'a AtomicBool,
    sync: bool,
    pid: u32,
    counter: u64,
    /// Folders that this commit made, outermost first.
    made: Vec<FolderId>,
    /// Those of them that are filled under a temporary name.
    fresh: Fresh,
    jobs: Vec<Job<'a>>,
    leftovers: Vec<String>,
}

impl Commit<'_> {
    fn write(&mut self) -> Result<(), CommitFault> {
        // A handle goes wherever its folder is moved to, so each is opened again from the output directory (X32).
        self.folders.close();
        self.check_links()?;
        // The jobs are taken out while they are worked on and put back whatever happens, for `undo` and `finish`.
        let mut jobs = std::mem::take(&mut self.jobs);
        let result = self.write_all(&mut jobs);
        self.jobs = jobs;
        result
    }

    fn write_all(&mut self, jobs: &mut [Job<'_>]) -> Result<(), CommitFault> {
        for job in &mut *jobs {
            self.stop_if_interrupted()?;
            self.make_folders(job)?;
            self.write_new(job)?;
        }
        for job in jobs.iter_mut().filter(|job| !job.placed) {
            self.stop_if_interrupted()?;
            self.check_unchanged(job)?;
            self.keep_former(job)?;
            self.place(job)?;
        }
        self.name_fresh_folders()?;
        if self.sync {
            self.sync_folders(jobs)?;
        }
        self.stop_if_interrupted()
    }

    fn stop_if_interrupted(&self) -> Result<(), CommitFault> {
        if self.interrupted.load(Ordering::Relaxed) {
            Err(CommitFault::Interrupted)
        } else {
            Ok(())
        }
    }

    /// Walks the links of paths that have some once more (X32). Paths without need no walk: their folders' identities are
    /// compared when they are opened, and their names are looked at without following.
    fn check_links(&mut self) -> Result<(), CommitFault> {
        if !self.jobs.iter().any(|job| job.file.linked) {
            return Ok(());
        }
        let mut anew = self.folders.anew().map_err(|source| CommitFault::Io {
            path: ".".to_owned(),
            doing: "open",
            source,
        })?;
        for job in self.jobs.iter().filter(|job| job.file.linked) {
            let place = anew.place(self.disk, &job.file.path);
            let same = place.is_ok_and(|place| {
                place.name == job.file.name
                    && anew.real(place.folder) == self.folders.real(job.file.folder)
            });
            if !same {
                return Err(CommitFault::LinkChanged(job.file.path.to_string()));
            }
        }
        Ok(())
    }

    /// Writes the new text: under a temporary name, or at once under its own in a folder that nobody can see yet.
    fn write_new(&mut self, job: &mut Job<'_>) -> Result<(), CommitFault> {
        if job.file.before.is_some() {
            job.exact = Exact::of(&self.look_at_existing(job)?);
        }
        let (exact, sync) = (job.exact, self.sync);
        let new = if job.file.executable {
            EXECUTABLE_MODE
        } else {
            FILE_MODE
        };
        let mode = exact.map_or(new, |exact| exact.mode);
        let text = job.text;
        let file = job.file;
        if self.fresh.holds(file.folder) {
            job.placed = true;
            let created = self.within(file.folder, |disk, folder| {
                disk.create_file(folder, &file.name, mode & 0o777)
            });
            return match created {
                // Another path of this run, to a file system for which the two names are one.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    Err(CommitFault::Appeared(file.path.to_string()))
                }
                created => created
                    .and_then(|new| self.fill(new, text, None, sync))
                    .map_err(job.fails("write")),
            };
        }
        self.fill_new(file.folder, mode, exact, text, sync, &mut job.temporary)
            .map_err(job.fails("write a temporary file for"))
    }

    /// Creates a file under a temporary name, which is in `name` as soon as the file exists, and writes it: `mode` under the
    /// umask, or `exact` whatever that is.
    fn fill_new(
        &mut self,
        folder: FolderId,
        mode: u32,
        exact: Option<Exact>,
        text: &str,
        sync: bool,
        name: &mut Option<String>,
    ) -> io::Result<()> {
        let file = self.under_new_name(folder, name, |disk, folder, name| {
            disk.create_file(folder, name, mode & 0o777)
        })?;
        self.fill(file, text, exact, sync)
    }

    /// Writes a file that was just created.
    fn fill(
        &mut self,
        mut file: File,
        text: &str,
        exact: Option<Exact>,
        sync: bool,
    ) -> io::Result<()> {
        self.disk.write(&mut file, text)?;
        // After writing, because writing clears the bits that change the user.
        if let Some(exact) = exact {
            let mut mode = exact.mode;
            // The new file is this program's user's, who has not lent these rights to what is in the tree.
            if mode & platform::RIGHTS_OF_OWNER != 0
                && platform::owner(&self.disk.file_metadata(&file)?) != exact.owner
            {
                mode &= !platform::RIGHTS_OF_OWNER;
            }
            self.disk.set_mode(&file, mode)?;
        }
        if sync {
            self.disk.sync_file(&file)?;
        }
        Ok(())
    }

    /// Tries `create` with temporary names until one is free.
    fn under_new_name<T>(
        &mut self,
        folder: FolderId,
        taken: &mut Option<String>,
        mut create: impl FnMut(&mut dyn Disk, &Dir, &str) -> io::Result<T>,
    ) -> io::Result<T> {
        let mut attempts = 0;
        loop {
            self.counter += 1;
            attempts += 1;
            let name = temporary_name(self.pid, self.counter);
            match self.within(folder, |disk, folder| create(disk, folder, &name)) {
                Ok(value) => {
                    *taken = Some(name);
                    return Ok(value);
                }
                Err(error)
                    if error.kind() == io::ErrorKind::AlreadyExists && attempts < NAME_ATTEMPTS => {
                }
                Err(error) => return Err(error),
            }
        }
    }

    fn look_at_existing(&mut self, job: &Job<'_>) -> Result<Metadata, CommitFault> {
        self.within(job.file.folder, |disk, folder| {
            disk.look(folder, &job.file.name)
        })
        .map_err(job.fails("look at"))?
        .filter(Metadata::is_file)
        .ok_or_else(|| CommitFault::Changed(job.file.path.to_string()))
    }

    /// Compares the target with what the run read of it (X35).
    fn check_unchanged(&mut self, job: &Job<'_>) -> Result<(), CommitFault> {
        let Some(before) = &job.file.before else {
            let there = self.within(job.file.folder, |disk, folder| {
                disk.look(folder, &job.file.name)
            });
            return match there.map_err(job.fails("look at"))? {
                None => Ok(()),
                Some(_) => Err(CommitFault::Appeared(job.file.path.to_string())),
            };
        };
        let changed = || CommitFault::Changed(job.file.path.to_string());
        let now = self.look_at_existing(job)?;
        if platform::mode(&now) != job.exact.map(|exact| exact.mode)
            || now.len() != before.stamp.length()
        {
            return Err(changed());
        }
        if Stamp::of(&now) == before.stamp && !before.doubtful {
            return Ok(());
        }
        let read = self.folders.handle(self.disk, job.file.folder);
        let folder = read.map_err(job.fails("open the folder of"))?;
        match read_text(self.disk, folder, &job.file.name, Seen::of(&now)) {
            Ok(Before { text, .. }) if text == before.text => Ok(()),
            Err(Fault::Io(error)) => Err(job.fails("read")(error)),
            Ok(_) | Err(_) => Err(changed()),
        }
    }

    /// Gives an existing target a second name, under which it can come back as the very file that it was. Where the file
    /// system has no second names, a copy must do.
    fn keep_former(&mut self, job: &mut Job<'_>) -> Result<(), CommitFault> {
        let Some(before) = &job.file.before else {
            return Ok(());
        };
        let file = job.file;
        let linked = self.under_new_name(file.folder, &mut job.former, |disk, folder, name| {
            disk.link(folder, &file.name, name)
        });
        if linked.is_ok() {
            return Ok(());
        }
        let mode = job.exact.map_or(FILE_MODE, |exact| exact.mode);
        self.fill_new(
            file.folder,
            mode,
            job.exact,
            &before.text,
            false,
            &mut job.former,
        )
        .map_err(job.fails("keep a copy of"))
    }

    fn place(&mut self, job: &mut Job<'_>) -> Result<(), CommitFault> {
        let Some(temporary) = &job.temporary else {
            return Ok(());
        };
        self.within(job.file.folder, |disk, folder| {
            disk.rename(folder, temporary, &job.file.name)
        })
        .map_err(job.fails("replace"))?;
        job.temporary = None;
        job.placed = true;
        Ok(())
    }

    fn sync_folders(&mut self, jobs: &[Job<'_>]) -> Result<(), CommitFault> {
        let made: HashSet<FolderId> = self.made.iter().copied().collect();
        let mut done = HashSet::new();
        for job in jobs {
            let mut at = Some(job.file.folder);
            while let Some(id) = at
                && done.insert(id)
            {
                self.within(id, |disk, folder| disk.sync_folder(folder))
                    .map_err(job.fails("put on the disk the folder of"))?;
                // A folder that was there before is in its own folder's entries on the disk already.
                at = self.folders.parent(id).filter(|_| made.contains(&id));
            }
        }
        Ok(())
    }

    /// Makes one call in a folder.
    fn within<T>(
        &mut self,
        folder: FolderId,
        call: impl FnOnce(&mut dyn Disk, &Dir) -> io::Result<T>,
    ) -> io::Result<T> {
        let handle = self.folders.handle(self.disk, folder)?;
        call(self.disk, handle)
    }
}

impl<'a> Job<'a> {
    /// Makes an error of the system one of this file's.
    fn fails(&self, doing: &'static str) -> impl FnOnce(io::Error) -> CommitFault + use<'a> {
        let file = self.file;
        move |source| CommitFault::Io {
            path: file.path.to_string(),
            doing,
            source,
        }
    }
}
