//! The tree against real folders. What is right is worked out from the rules, whose ids the names carry.

mod committing;
mod faults;
mod locking;
mod reading;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

use super::{Options, Tree};

/// A folder of its own with an output directory `out` in it.
struct Place {
    _temporary: TempDir,
    out: PathBuf,
}

impl Place {
    fn new() -> Place {
        let temporary = tempfile::tempdir().unwrap();
        let out = temporary.path().join("out");
        fs::create_dir(&out).unwrap();
        Place {
            _temporary: temporary,
            out,
        }
    }

    fn beside(&self, name: &str) -> PathBuf {
        self.out.parent().unwrap().join(name)
    }

    fn at(&self, path: &str) -> PathBuf {
        self.out.join(path)
    }

    /// Writes a file, folders included.
    fn write(&self, path: &str, text: &str) -> &Place {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    fn mode(&self, path: &str, mode: u32) -> &Place {
        fs::set_permissions(self.at(path), fs::Permissions::from_mode(mode)).unwrap();
        self
    }

    fn link(&self, path: &str, target: &str) -> &Place {
        symlink(target, self.at(path)).unwrap();
        self
    }

    /// Makes a file's times old enough to be trusted.
    fn age(&self, path: &str) -> &Place {
        let old = SystemTime::now() - Duration::from_hours(1);
        let file = fs::File::options().write(true).open(self.at(path)).unwrap();
        file.set_modified(old).unwrap();
        self
    }

    fn text(&self, path: &str) -> String {
        fs::read_to_string(self.at(path)).unwrap()
    }

    fn mode_of(&self, path: &str) -> u32 {
        mode(&self.at(path))
    }

    fn tree(&self) -> Tree {
        Tree::open(&self.out, &writing()).unwrap()
    }

    fn dry(&self) -> Tree {
        Tree::open(&self.out, &dry()).unwrap()
    }

    /// The message with which a path is refused.
    fn refusal(&self, path: &str) -> String {
        self.dry().read(path).unwrap_err().to_string()
    }

    fn snapshot(&self) -> BTreeMap<PathBuf, Entry> {
        snapshot(&self.out)
    }
}

/// Figures, shown by `cargo test -- --nocapture`.
#[allow(clippy::print_stdout)]
fn tell(text: &str) {
    println!("{text}");
}

fn writing() -> Options {
    Options {
        write: true,
        lock_timeout: Duration::ZERO,
        sync: false,
    }
}

fn dry() -> Options {
    Options {
        write: false,
        ..writing()
    }
}

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).unwrap().permissions().mode() & 0o7777
}

/// What there is at a path: enough that two equal snapshots mean a tree unchanged in bytes, modes and links.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Entry {
    Folder(u32),
    Link(PathBuf),
    File(u32, Vec<u8>),
}

/// All below a folder, without `.sedum`.
fn snapshot(root: &Path) -> BTreeMap<PathBuf, Entry> {
    let mut entries = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let metadata = fs::symlink_metadata(&path).unwrap();
            if path == root.join(".sedum") {
                continue;
            }
            let entry = if metadata.is_dir() {
                folders.push(path.clone());
                Entry::Folder(mode(&path))
            } else if metadata.is_symlink() {
                Entry::Link(fs::read_link(&path).unwrap())
            } else {
                Entry::File(mode(&path), fs::read(&path).unwrap())
            };
            entries.insert(path.strip_prefix(root).unwrap().to_owned(), entry);
        }
    }
    entries
}
