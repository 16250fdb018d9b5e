//! The folders that the run's paths lie in, known by where they really are.
//!
//! A folder seen once is not looked at again. It is known by its place without links and by its identity; whenever it is
//! opened again, the identity must be the same, so that a folder exchanged for a link between planning and commit is noticed
//! (X32). The walk along a path, links and all, is in [`walk`]. Nothing is written here.

mod walk;

use std::io;
use std::path::{Path, PathBuf};

use cap_std::fs::{Dir, Metadata};
use foldhash::{HashMap, HashMapExt as _};

use crate::platform::{self, Identity};
use crate::tree::disk::Disk;
use crate::tree::names::join;

/// How many folders are held open at a time; well below the usual limit of 256 or 1,024 files a program.
const OPEN_LIMIT: usize = 96;

/// A folder's number in [`Folders`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::tree) struct FolderId(usize);

/// The output directory itself.
pub(in crate::tree) const ROOT: FolderId = FolderId(0);

#[derive(Debug)]
struct Folder {
    /// Its own name; empty for the output directory itself.
    name: String,
    parent: Option<FolderId>,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Missing,
    There(Option<Identity>),
}

/// Where a path of the run leads.
#[derive(Debug)]
pub(in crate::tree) struct Place {
    pub(in crate::tree) folder: FolderId,
    pub(in crate::tree) name: String,
    /// Whether a link was on the way.
    pub(in crate::tree) linked: bool,
    /// The regular file there; `None` when there is nothing yet.
    pub(in crate::tree) found: Option<Seen>,
}

/// A file that was looked at: who it is, where the system says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tree) struct Seen(pub(in crate::tree) Option<Identity>);

impl Seen {
    pub(in crate::tree) fn of(metadata: &Metadata) -> Self {
        Self(platform::identity(metadata))
    }
}

/// The folders of the output directory that the run's paths lie in.
#[derive(Debug)]
pub(in crate::tree) struct Folders {
    root: Option<Dir>,
    root_path: PathBuf,
    all: Vec<Folder>,
    by_name: HashMap<(FolderId, String), FolderId>,
    /// The folder part of paths of the run, as written, to where it leads and whether through a link.
    by_path: HashMap<String, (FolderId, bool)>,
    open: HashMap<FolderId, Dir>,
}

impl Folders {
    /// The output directory as it was given.
    pub(in crate::tree) fn root_path(&self) -> &Path {
        &self.root_path
    }

    /// The folders below `root`, the handle of `root_path`; `None` for an output directory that does not exist.
    pub(in crate::tree) fn new(root: Option<Dir>, root_path: PathBuf) -> Folders {
        let state = if root.is_some() {
            State::There(None)
        } else {
            State::Missing
        };
        Folders {
            root,
            root_path,
            all: vec![Folder {
                name: String::new(),
                parent: None,
                state,
            }],
            by_name: HashMap::new(),
            by_path: HashMap::new(),
            open: HashMap::new(),
        }
    }

    /// The same output directory with nothing known about it.
    pub(in crate::tree) fn anew(&self) -> io::Result<Folders> {
        let root = self.root.as_ref().map(Dir::try_clone).transpose()?;
        Ok(Folders::new(root, self.root_path.clone()))
    }

    /// A folder's place without links, relative to the output directory; empty for that itself.
    pub(in crate::tree) fn real(&self, id: FolderId) -> String {
        let mut names = Vec::new();
        let mut at = self.get(id);
        while let Some(folder) = at
            && let Some(parent) = folder.parent
        {
            names.push(&*folder.name);
            at = self.get(parent);
        }
        names.reverse();
        names.join("/")
    }

    /// The place of `name` in a folder, as [`Folders::real`] gives the folder's.
    pub(in crate::tree) fn real_in(&self, id: FolderId, name: &str) -> String {
        join(&self.real(id), name)
    }

    /// The folder above, `None` for the output directory itself.
    pub(in crate::tree) fn parent(&self, id: FolderId) -> Option<FolderId> {
        self.get(id)?.parent
    }

    /// Whether a folder is yet to be created.
    pub(in crate::tree) fn is_missing(&self, id: FolderId) -> bool {
        self.get(id)
            .is_some_and(|folder| folder.state == State::Missing)
    }

    /// Whether `name` in a folder is a folder that a path of the run needs and that is yet to be created.
    pub(in crate::tree) fn needs(&self, folder: FolderId, name: &str) -> bool {
        self.by_name
            .get(&(folder, name.to_owned()))
            .is_some_and(|&id| self.is_missing(id))
    }

    fn get(&self, id: FolderId) -> Option<&Folder> {
        self.all.get(id.0)
    }

    /// The folder's handle. Fails when it is not the folder that was seen first.
    pub(in crate::tree) fn handle(
        &mut self,
        disk: &mut dyn Disk,
        id: FolderId,
    ) -> io::Result<&Dir> {
        let missing = || io::Error::from(io::ErrorKind::NotFound);
        if id == ROOT {
            return self.root.as_ref().ok_or_else(missing);
        }
        if !self.open.contains_key(&id) {
            let handle = self.opened(disk, id)?;
            if self.open.len() >= OPEN_LIMIT {
                self.open.clear();
            }
            self.open.insert(id, handle);
        }
        self.open.get(&id).ok_or_else(missing)
    }

    /// The folder, opened by itself. Fails when it is not the folder that was seen first.
    pub(in crate::tree) fn opened(&self, disk: &mut dyn Disk, id: FolderId) -> io::Result<Dir> {
        let missing = || io::Error::from(io::ErrorKind::NotFound);
        let root = self.root.as_ref().ok_or_else(missing)?;
        if id == ROOT {
            return root.try_clone();
        }
        let Some(State::There(expected)) = self.get(id).map(|folder| folder.state) else {
            return Err(missing());
        };
        let handle = disk.open_folder(root, &self.real(id))?;
        if platform::identity(&disk.folder_metadata(&handle)?) != expected {
            return Err(io::Error::other(
                "its folder is not the one that the run read before",
            ));
        }
        Ok(handle)
    }

    /// Whether the folder part of a path, as written, leads to a folder that is there.
    pub(in crate::tree) fn is_there(&self, disk: &mut dyn Disk, parent: &str) -> bool {
        let root = self.root.as_ref();
        root.is_some_and(|root| parent.is_empty() || disk.open_folder(root, parent).is_ok())
    }

    /// Where the folder part of a path of the run leads, and whether through a link, when a path has been walked there.
    pub(in crate::tree) fn known(&self, parent: &str) -> Option<(FolderId, bool)> {
        self.by_path.get(parent).copied()
    }

    /// Closes all handles, so that each folder is opened, and its identity compared, anew.
    pub(in crate::tree) fn close(&mut self) {
        self.open.clear();
    }

    fn add(&mut self, parent: FolderId, name: String, state: State) -> FolderId {
        let id = FolderId(self.all.len());
        self.by_name.insert((parent, name.clone()), id);
        self.all.push(Folder {
            name,
            parent: Some(parent),
            state,
        });
        id
    }

    /// The folders to create, from the topmost down, so that `id` exists.
    pub(in crate::tree) fn to_create(&self, id: FolderId) -> Vec<FolderId> {
        let mut chain = Vec::new();
        let mut at = Some(id);
        while let Some(id) = at
            && self.is_missing(id)
        {
            chain.push(id);
            at = self.parent(id);
        }
        chain.reverse();
        chain
    }

    /// A folder's own name and the folder it lies in; `None` for the output directory itself.
    pub(in crate::tree) fn within(&self, id: FolderId) -> Option<(FolderId, String)> {
        let folder = self.get(id)?;
        Some((folder.parent?, folder.name.clone()))
    }

    /// Takes note that a folder has another name in its folder for now. Paths still lead to it by the name it was seen by.
    pub(in crate::tree) fn rename(&mut self, id: FolderId, name: String) {
        if let Some(folder) = self.all.get_mut(id.0) {
            folder.name = name;
        }
    }

    /// Takes note that a folder that was missing exists now, and who it is.
    pub(in crate::tree) fn exists_now(
        &mut self,
        disk: &mut dyn Disk,
        id: FolderId,
    ) -> io::Result<()> {
        let real = self.real(id);
        let (Some(root), Some(folder)) = (&self.root, self.all.get_mut(id.0)) else {
            return Err(io::ErrorKind::NotFound.into());
        };
        let handle = disk.open_folder(root, &real)?;
        folder.state = State::There(platform::identity(&disk.folder_metadata(&handle)?));
        if self.open.len() >= OPEN_LIMIT {
            self.open.clear();
        }
        self.open.insert(id, handle);
        Ok(())
    }
}
