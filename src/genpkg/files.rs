//! Reading the files of a package: regular, UTF-8, of reasonable size, and inside the package (L3, L6, X32, X36).

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use thiserror::Error;

use crate::doc::input::whole_file;
use crate::platform;
use crate::work::{self, Work};

/// The largest template, in bytes (X36).
pub(super) const TEMPLATE_LIMIT: u64 = 4 * 1024 * 1024;

/// How many links to folders are gone into in one package. Two links in a folder that lead back to it would otherwise be
/// as many folders as there are ways through them (X37).
const LINKED_FOLDERS: usize = 64;

/// A package directory, opened for reading.
#[derive(Debug)]
pub(super) struct PackageDir {
    root: PathBuf,
    handle: Dir,
    canonical: PathBuf,
    linked_folders: AtomicUsize,
}

/// Why a file of a package was not read.
#[derive(Debug, Error)]
pub(super) enum ReadFault {
    #[error("there is no such file")]
    Missing,
    #[error("it is a link out of the package")]
    Outside,
    #[error("it is a link that leads nowhere or in a circle")]
    BrokenLink,
    #[error(
        "it is one of more than {LINKED_FOLDERS} links to folders, or leads back into a folder that it lies in"
    )]
    TooManyLinks,
    #[error("it is not a regular file")]
    Special,
    #[error("it has {size} bytes, more than the limit of {limit}")]
    TooLarge { size: u64, limit: u64 },
    #[error(
        "it is not UTF-8: the first wrong byte is at offset {0}; nothing is transcoded, so save it as UTF-8"
    )]
    NotUtf8(usize),
    #[error("it cannot be read: {0}")]
    Io(#[from] io::Error),
}

/// What lies at a path of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    File,
    Directory,
}

/// A file of a package, read.
#[derive(Debug)]
pub(super) struct FileText {
    pub text: String,
    /// Whether its owner may execute it.
    pub executable: bool,
}

/// An entry of a directory of a package.
#[derive(Debug)]
pub(super) struct DirEntry {
    /// Its own name.
    pub name: String,
    /// What it is, links followed.
    pub kind: Result<Kind, ReadFault>,
}

impl PackageDir {
    pub fn open(root: &Path) -> io::Result<Self> {
        Ok(Self {
            root: root.to_owned(),
            handle: Dir::open_ambient_dir(root, ambient_authority())?,
            canonical: fs::canonicalize(root)?,
            linked_folders: AtomicUsize::new(0),
        })
    }

    /// What a path is, links followed as long as they stay inside the package.
    pub fn kind(&self, relative: &str) -> Result<Kind, ReadFault> {
        let path = self.root.join(relative);
        let metadata = fs::symlink_metadata(&path).map_err(missing)?;
        let metadata = if metadata.is_symlink() {
            let target = fs::canonicalize(&path).map_err(|_| ReadFault::BrokenLink)?;
            if !target.starts_with(&self.canonical) {
                return Err(ReadFault::Outside);
            }
            fs::metadata(&target)?
        } else {
            metadata
        };
        if metadata.is_dir() {
            Ok(Kind::Directory)
        } else if metadata.is_file() {
            Ok(Kind::File)
        } else {
            Err(ReadFault::Special)
        }
    }

    /// A file of at most `limit` bytes.
    pub fn read(&self, relative: &str, limit: u64) -> Result<FileText, ReadFault> {
        // Looked at before it is opened, since opening a fifo waits for its writer.
        match self.kind(relative)? {
            Kind::File => self.read_listed(relative, limit),
            Kind::Directory => Err(ReadFault::Special),
        }
    }

    /// As [`PackageDir::read`], for a file that [`PackageDir::list`] has shown to be one.
    pub fn read_listed(&self, relative: &str, limit: u64) -> Result<FileText, ReadFault> {
        work::done(Work::PackageFileRead);
        let mut file = self.open_file(relative)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Err(ReadFault::Special);
        }
        let size = metadata.len();
        if size > limit {
            return Err(ReadFault::TooLarge { size, limit });
        }
        let bytes = whole_file(&mut file, size, limit)?;
        if bytes.len() as u64 > limit {
            let size = bytes.len() as u64;
            return Err(ReadFault::TooLarge { size, limit });
        }
        let text = String::from_utf8(bytes)
            .map_err(|fault| ReadFault::NotUtf8(fault.utf8_error().valid_up_to()))?;
        Ok(FileText {
            text,
            executable: platform::is_executable(&metadata),
        })
    }

    /// Opens a file whose path, links followed, stays inside the package. Nearly always the package's handle opens it,
    /// which cannot leave it; what that refuses may still be a link by a full path to a file of the package.
    fn open_file(&self, relative: &str) -> Result<File, ReadFault> {
        if let Ok(file) = self.handle.open(relative) {
            return Ok(file.into_std());
        }
        let path = fs::canonicalize(self.root.join(relative)).map_err(missing)?;
        if !path.starts_with(&self.canonical) {
            return Err(ReadFault::Outside);
        }
        Ok(File::open(&path)?)
    }

    /// The entries of a directory, sorted by name; none when it is not there. A name that is not UTF-8 is shown with
    /// replacement characters and cannot be read.
    pub fn list(&self, relative: &str) -> Result<Vec<DirEntry>, ReadFault> {
        match self.kind(relative) {
            Ok(Kind::Directory) => {}
            Err(ReadFault::Missing) => return Ok(Vec::new()),
            Ok(Kind::File) => return Err(ReadFault::Special),
            Err(fault) => return Err(fault),
        }
        let mut entries = Vec::new();
        for entry in fs::read_dir(self.root.join(relative))? {
            let entry = entry?;
            let name = entry.file_name();
            let is_text = name.to_str().is_some();
            let name = name.to_string_lossy().into_owned();
            let listed = entry.file_type()?;
            let kind = if listed.is_symlink() || !is_text {
                let kind = self.kind(&join(relative, &name));
                if matches!(kind, Ok(Kind::Directory))
                    && self.linked_folders.fetch_add(1, Ordering::Relaxed) >= LINKED_FOLDERS
                {
                    Err(ReadFault::TooManyLinks)
                } else {
                    kind
                }
            } else if listed.is_dir() {
                Ok(Kind::Directory)
            } else if listed.is_file() {
                Ok(Kind::File)
            } else {
                Err(ReadFault::Special)
            };
            entries.push(DirEntry { name, kind });
        }
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(entries)
    }
}

/// A path inside the package, with slashes on every platform.
pub(super) fn join(directory: &str, name: &str) -> String {
    if directory.is_empty() {
        name.to_owned()
    } else {
        format!("{directory}/{name}")
    }
}

/// Dotfiles and editor backups are no templates (L35, A17).
pub(super) fn is_ignored(name: &str) -> bool {
    let extension = Path::new(name).extension();
    name.starts_with('.')
        || name.ends_with('~')
        || extension.is_some_and(|e| e == "swp" || e == "orig")
}

fn missing(error: io::Error) -> ReadFault {
    if error.kind() == io::ErrorKind::NotFound {
        ReadFault::Missing
    } else {
        ReadFault::Io(error)
    }
}
