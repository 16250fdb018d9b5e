//! The staged output tree: the one road to the output directory (X30, C23).
//!
//! It reads a file once, keeps what the phases make of it in memory, says what differs from the disk, and writes all of it
//! in one commit or none of it (C17, X31). A dry run is the same tree, never committed (C22). It holds the lock of the
//! output directory, refuses every path that leaves it or is no regular text file, and notices what changed on disk behind
//! its back. It must not know what the text means: markers, templates and records are other modules' business.

mod ahead;
mod apart;
mod commit;
mod disk;
mod error;
mod folders;
mod lock;
mod names;
mod read;
mod staged;
#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used)]
mod tests;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use foldhash::{HashSet, HashSetExt as _};

use apart::Apart;
pub use apart::real_path;
use disk::SystemDisk;
pub use error::{CommitError, CommitFault, TreeError, Unrestored};
use folders::Folders;
use lock::Lock;
pub use lock::Release;
pub use names::is_temporary_name;
pub use read::FILE_LIMIT;
use read::{Fault, read_text};
use staged::{Staged, StagedFile};

/// How a tree is opened.
#[derive(Clone, Debug)]
pub struct Options {
    /// Take the lock and be able to commit. Without it, a dry run: nothing at all is created (C22, X34).
    pub write: bool,
    /// How long to wait for another run's lock; zero tries once (X34).
    pub lock_timeout: Duration,
    /// Wait at commit until files and folders are on the disk, so that the result outlives a power cut.
    pub sync: bool,
}

/// An output directory with a run's edits, which are in memory until [`Tree::commit`].
#[derive(Debug)]
pub struct Tree {
    folders: Folders,
    staged: Staged,
    unreadable: Option<TreeError>,
    sync: bool,
    lock: Option<Lock>,
}

/// A file that differs from the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change<'a> {
    /// The path as the run knows it.
    pub path: &'a str,
    /// The text on disk; `None` for a file that does not exist yet.
    pub before: Option<&'a str>,
    /// The text that a commit writes.
    pub after: &'a str,
}

/// Names of files for messages.
#[derive(Clone, Debug)]
pub struct Names {
    root: PathBuf,
}

impl Names {
    /// The name of a file, the output directory in front unless that is the working directory.
    pub fn of(&self, path: &str) -> String {
        if self.root == Path::new(".") {
            return path.to_owned();
        }
        let root = self.root.to_string_lossy();
        format!("{}/{path}", root.trim_end_matches('/'))
    }
}

/// What a commit wrote; paths as the run knows them, sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Committed {
    /// Files that did not exist before.
    pub created: Vec<String>,
    /// Files whose text was replaced.
    pub updated: Vec<String>,
}

impl Tree {
    /// Opens the output directory `root`. One that does not exist is an empty tree; for writing it is made at once, since
    /// the lock lies in it, and taken away again unless the run commits.
    pub fn open(root: &Path, options: &Options) -> Result<Tree, TreeError> {
        Tree::open_unless(root, options, &AtomicBool::new(false))
    }

    /// [`Tree::open`], giving up the wait for another run's lock once `interrupted` is set.
    pub fn open_unless(
        root: &Path,
        options: &Options,
        interrupted: &AtomicBool,
    ) -> Result<Tree, TreeError> {
        let root: PathBuf = if root.as_os_str().is_empty() {
            PathBuf::from(".")
        } else {
            root.to_owned()
        };
        let fail = |why: String| TreeError::Root {
            root: root.display().to_string(),
            why,
        };
        let (handle, lock) = if options.write {
            let (handle, lock) = Lock::take(&root, options.lock_timeout, interrupted)?;
            (Some(handle), Some(lock))
        } else if lock::folder_exists(&root).map_err(fail)? {
            let handle = Dir::open_ambient_dir(&root, ambient_authority());
            (Some(handle.map_err(|error| fail(error.to_string()))?), None)
        } else {
            (None, None)
        };
        Ok(Tree {
            folders: Folders::new(handle, root),
            staged: Staged::default(),
            unreadable: None,
            sync: options.sync,
            lock,
        })
    }

    /// What ends the run on the output directory when the program exits before this tree is dropped; `None` for a dry run.
    pub fn release(&self) -> Option<Release> {
        self.lock.as_ref().map(Lock::release)
    }

    /// From here on no path may lead to `file`, which is `what` to the run, like `the recording (--record)`.
    pub fn keep_apart(&mut self, file: &Path, what: &'static str) {
        let root = self.folders.root_path();
        self.staged.apart.push(Apart::new(root, file, what));
    }

    /// The error that reading `path` would give because it leads to a file that is kept apart. Reads no file.
    pub fn refusal(&mut self, path: &str) -> Option<TreeError> {
        names::check(path).ok()?;
        let place = self.folders.place(&mut SystemDisk, path).ok()?;
        self.staged.refuse_apart(&self.folders, path, &place).err()
    }

    /// Whether a path led to the file that is kept apart as `what`.
    pub fn has_met(&self, what: &str) -> bool {
        let mut apart = self.staged.apart.iter();
        apart.any(|apart| apart.met && apart.what == what)
    }

    /// The text at `path`, which is relative, clean and written with slashes: what was staged, else what is on disk, read
    /// once (X30); `None` when there is no file. Errors: C19, X31 (two paths, one file), X32, X33, X36.
    pub fn read(&mut self, path: &str) -> Result<Option<&str>, TreeError> {
        let index = self.index(path)?;
        Ok(self.text_of(index))
    }

    /// Reads all of `paths`, each as [`Tree::read`] does: by what number [`Tree::text_of`] knows the file, in their order; the
    /// errors are in that order too.
    pub fn read_all(&mut self, paths: &[&str]) -> Vec<Result<usize, TreeError>> {
        self.walk_to_folders(paths);
        self.staged.reserve(paths.len());
        let (folders, staged) = (&self.folders, &mut self.staged);
        let mut results = Vec::with_capacity(paths.len());
        let mut early = BTreeMap::new();
        // Taken in while others are read, in the order of the paths as far as that goes.
        ahead::read(folders, paths, |at, found| {
            early.insert(at, found);
            while let Some(found) = early.remove(&results.len())
                && let Some(path) = paths.get(results.len())
            {
                results.push(staged.enter(folders, path, found));
            }
        });
        for (at, path) in paths.iter().enumerate().skip(results.len()) {
            let result = match early.remove(&at) {
                Some(found) => self.staged.enter(&self.folders, path, found),
                None => self.index(path),
            };
            results.push(result);
        }
        results
    }

    /// What a message calls the output directory's files: a path as the run knows it to one that opens from where the
    /// run was started.
    pub fn names(&self) -> Names {
        Names {
            root: self.folders.root_path().to_owned(),
        }
    }

    /// The text at a `path` that was read or staged before, without touching the disk.
    pub fn text(&self, path: &str) -> Option<&str> {
        self.file(path)?.text()
    }

    /// The text of the file of this number.
    pub fn text_of(&self, number: usize) -> Option<&str> {
        self.staged.files.get(number)?.text()
    }

    /// Whether `path`, which was read or staged before, is on disk.
    pub fn existed(&self, path: &str) -> bool {
        self.file(path).is_some_and(|file| file.before.is_some())
    }

    /// Makes `text` the text at `path`, in memory. `executable` is for a file that does not exist yet: mode 0755 instead of
    /// 0644, under the umask (C1). A path that was not read is read first; should that fail, the commit fails with it.
    pub fn stage(&mut self, path: &str, text: String, executable: bool) {
        match self.index(path) {
            Ok(index) => {
                if let Some(file) = self.staged.files.get_mut(index) {
                    file.after = Some(text);
                    // A file that is staged again is the same file.
                    file.executable |= executable;
                }
            }
            Err(error) => {
                self.unreadable.get_or_insert(error);
            }
        }
    }

    /// The files whose text differs from the disk, sorted by path.
    pub fn changes(&self) -> Vec<Change<'_>> {
        let files = self.staged.files.iter();
        let mut changes: Vec<_> = files.filter_map(StagedFile::change).collect();
        changes.sort_unstable_by_key(|change| change.path);
        changes
    }

    /// Writes every change, or nothing (C17, X31, X35). Ends the run on this output directory: the lock is released.
    pub fn commit(self) -> Result<Committed, CommitError> {
        self.commit_unless(&AtomicBool::new(false))
    }

    /// [`Tree::commit`], putting everything back once `interrupted` is set. It is looked at between files, so a signal
    /// handler may set it at any time; set after the last file, it is too late.
    pub fn commit_unless(self, interrupted: &AtomicBool) -> Result<Committed, CommitError> {
        commit::commit(self, &mut SystemDisk, interrupted)
    }

    /// Comes to know the folders of `paths` that are there. One that is missing is left to the path that needs it first,
    /// so that what is said of a file in a folder's place does not depend on who asks.
    fn walk_to_folders(&mut self, paths: &[&str]) {
        let mut tried = HashSet::new();
        for path in paths {
            let (parent, _) = path.rsplit_once('/').unwrap_or(("", path));
            let is_new = self.folders.known(parent).is_none() && tried.insert(parent);
            if is_new
                && names::check(path).is_ok()
                && self.folders.is_there(&mut SystemDisk, parent)
            {
                // What is wrong on the way is said when the path is read.
                let _ = self.folders.place(&mut SystemDisk, path);
            }
        }
    }

    fn file(&self, path: &str) -> Option<&StagedFile> {
        self.staged.files.get(*self.staged.by_path.get(path)?)
    }

    /// The number of the file at `path`, read from disk if this is the first time.
    fn index(&mut self, path: &str) -> Result<usize, TreeError> {
        if let Some(&index) = self.staged.by_path.get(path) {
            return Ok(index);
        }
        names::check(path)?;
        let place = self.folders.place(&mut SystemDisk, path)?;
        self.staged.admit(&self.folders, path, &place)?;
        let before = match place.found {
            None => None,
            Some(seen) => {
                let folder = self.folders.handle(&mut SystemDisk, place.folder);
                let read = folder
                    .map_err(Fault::Io)
                    .and_then(|folder| read_text(&mut SystemDisk, folder, &place.name, seen));
                Some(read.map_err(|fault| fault.at(path))?)
            }
        };
        Ok(self.staged.put(&self.folders, path, place, before))
    }
}
