//! The calls that the tree makes to the file system, one method a call.
//!
//! All take a folder's handle and a name in it, never an ambient path, so that nothing outside the output directory can be
//! reached (X32). The trait exists so that a test can make any one call fail. It decides nothing: no retry, no fallback.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use cap_std::fs::{Dir, Metadata, OpenOptions};

use crate::doc::input::whole_file;
use crate::platform;

/// The calls. A `name` has one component and is not followed when it is a link.
pub(super) trait Disk {
    /// Opens the folder at `path` (several components) below `root`.
    fn open_folder(&mut self, root: &Dir, path: &str) -> io::Result<Dir>;
    /// What an open folder is.
    fn folder_metadata(&mut self, folder: &Dir) -> io::Result<Metadata>;
    /// What `name` is, not following it; `None` when there is nothing.
    fn look(&mut self, folder: &Dir, name: &str) -> io::Result<Option<Metadata>>;
    /// What the link `name` holds.
    fn read_link(&mut self, folder: &Dir, name: &str) -> io::Result<PathBuf>;
    /// Opens a file for reading. Follows a link that stays in `folder`, so the caller compares identities.
    fn open_file(&mut self, folder: &Dir, name: &str) -> io::Result<File>;
    /// Opens what is at `name` for reading, waiting for nobody; `None` when there is nothing, an error for a link. What is
    /// no regular file may be opened and has nothing read from it: the caller looks at what it got.
    fn open_at_once(&mut self, folder: &Dir, name: &str) -> io::Result<Option<File>>;
    /// What an open file is.
    fn file_metadata(&mut self, file: &File) -> io::Result<Metadata>;
    /// The rest of a file that is said to have `expected` bytes, and of one with more than `limit` one byte more.
    fn read(&mut self, file: &mut File, expected: u64, limit: u64) -> io::Result<Vec<u8>>;
    /// Creates a folder, mode 0755 under the umask; fails when `name` exists.
    fn create_folder(&mut self, folder: &Dir, name: &str) -> io::Result<()>;
    /// Creates a file with `mode` under the umask; fails when `name` exists.
    fn create_file(&mut self, folder: &Dir, name: &str, mode: u32) -> io::Result<File>;
    /// Writes all of `text`.
    fn write(&mut self, file: &mut File, text: &str) -> io::Result<()>;
    /// Sets an open file's permission bits.
    fn set_mode(&mut self, file: &File, mode: u32) -> io::Result<()>;
    /// Waits until a file is on the disk.
    fn sync_file(&mut self, file: &File) -> io::Result<()>;
    /// Waits until a folder's entries are on the disk.
    fn sync_folder(&mut self, folder: &Dir) -> io::Result<()>;
    /// Gives the file `name` a second name.
    fn link(&mut self, folder: &Dir, name: &str, second: &str) -> io::Result<()>;
    /// Renames `from` over `to`.
    fn rename(&mut self, folder: &Dir, from: &str, to: &str) -> io::Result<()>;
    /// Removes a file.
    fn remove_file(&mut self, folder: &Dir, name: &str) -> io::Result<()>;
    /// Removes an empty folder.
    fn remove_folder(&mut self, folder: &Dir, name: &str) -> io::Result<()>;
    /// Removes a folder with all that is in it, following no link.
    fn remove_tree(&mut self, folder: &Dir, name: &str) -> io::Result<()>;
}

/// The system's own file system.
#[derive(Debug)]
pub(super) struct SystemDisk;

impl Disk for SystemDisk {
    fn open_folder(&mut self, root: &Dir, path: &str) -> io::Result<Dir> {
        root.open_dir(path)
    }

    fn folder_metadata(&mut self, folder: &Dir) -> io::Result<Metadata> {
        folder.dir_metadata()
    }

    fn look(&mut self, folder: &Dir, name: &str) -> io::Result<Option<Metadata>> {
        match folder.symlink_metadata(name) {
            Ok(metadata) => Ok(Some(metadata)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn read_link(&mut self, folder: &Dir, name: &str) -> io::Result<PathBuf> {
        folder.read_link_contents(name)
    }

    fn open_file(&mut self, folder: &Dir, name: &str) -> io::Result<File> {
        folder.open(name).map(cap_std::fs::File::into_std)
    }

    fn open_at_once(&mut self, folder: &Dir, name: &str) -> io::Result<Option<File>> {
        match open_at_once(folder, name) {
            Ok(file) => Ok(Some(file)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn file_metadata(&mut self, file: &File) -> io::Result<Metadata> {
        Metadata::from_file(file)
    }

    fn read(&mut self, file: &mut File, expected: u64, limit: u64) -> io::Result<Vec<u8>> {
        whole_file(file, expected, limit)
    }

    fn create_folder(&mut self, folder: &Dir, name: &str) -> io::Result<()> {
        folder.create_dir_with(name, &platform::folder_builder())
    }

    fn create_file(&mut self, folder: &Dir, name: &str, mode: u32) -> io::Result<File> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        platform::create_with_mode(&mut options, mode);
        folder
            .open_with(name, &options)
            .map(cap_std::fs::File::into_std)
    }

    fn write(&mut self, file: &mut File, text: &str) -> io::Result<()> {
        file.write_all(text.as_bytes())
    }

    fn set_mode(&mut self, file: &File, mode: u32) -> io::Result<()> {
        platform::set_mode(file, mode)
    }

    fn sync_file(&mut self, file: &File) -> io::Result<()> {
        file.sync_all()
    }

    fn sync_folder(&mut self, folder: &Dir) -> io::Result<()> {
        if !platform::SYNCS_FOLDERS {
            return Ok(());
        }
        // A folder's handle may be one that names it only; synchronising needs one that can read it.
        folder.open(Path::new("."))?.sync_all()
    }

    fn link(&mut self, folder: &Dir, name: &str, second: &str) -> io::Result<()> {
        folder.hard_link(name, folder, second)
    }

    fn rename(&mut self, folder: &Dir, from: &str, to: &str) -> io::Result<()> {
        folder.rename(from, folder, to)
    }

    fn remove_file(&mut self, folder: &Dir, name: &str) -> io::Result<()> {
        folder.remove_file(name)
    }

    fn remove_folder(&mut self, folder: &Dir, name: &str) -> io::Result<()> {
        folder.remove_dir(name)
    }

    fn remove_tree(&mut self, folder: &Dir, name: &str) -> io::Result<()> {
        folder.remove_dir_all(name)
    }
}

/// A name of one component in an open folder leads nowhere else as long as no link is followed.
#[cfg(unix)]
fn open_at_once(folder: &Dir, name: &str) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags, openat};
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let opened = openat(folder, name, flags | OFlags::NOCTTY, Mode::empty())?;
    Ok(File::from(opened))
}

#[cfg(not(unix))]
fn open_at_once(folder: &Dir, name: &str) -> io::Result<File> {
    if !folder.symlink_metadata(name)?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    folder.open(name).map(cap_std::fs::File::into_std)
}
