//! Puts a recording on disk: whole or not at all (J2).
//!
//! A recording lies where `--record` says, inside the output directory or not, and is no file of the run; so it is
//! written here and not by the output tree. What stands in it is of no concern here.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use thiserror::Error;

use crate::diag::shown;
use crate::platform;

/// How many links are followed to the file that is meant.
const LINK_LIMIT: usize = 40;
/// How many temporary names are tried; a name is taken only by the leftover of a killed run.
const NAME_LIMIT: u32 = 100;
/// A temporary file that is older is the leftover of a killed run: writing one takes moments.
const LEFTOVER_AGE: Duration = Duration::from_hours(1);

const TEMPORARY_START: &str = ".sedum-recording-";
const TEMPORARY_END: &str = ".tmp";

/// Why a recording was not written. What was at its place before is still there.
#[derive(Debug, Error)]
#[error("recording {} cannot be written: {cause}", shown(.name))]
pub struct WriteError {
    /// The file as it was given.
    pub name: String,
    /// The system's reason.
    #[source]
    pub cause: io::Error,
}

/// Writes `text` to `path`, making the directories above it (U14). The text goes to a temporary file beside the target,
/// which then takes the target's place. A link stays and the file it leads to is replaced; an existing file keeps its
/// permissions, a new one has 0644 under the umask. A device or fifo is written into.
pub fn write(path: &Path, text: &str) -> Result<(), WriteError> {
    replace(path, text).map_err(|cause| WriteError {
        name: path.display().to_string(),
        cause,
    })
}

fn replace(path: &Path, text: &str) -> io::Result<()> {
    let existing = match fs::metadata(path) {
        Ok(metadata) => Some(metadata),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    if let Some(metadata) = &existing {
        if metadata.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if !metadata.is_file() {
            return OpenOptions::new()
                .write(true)
                .open(path)?
                .write_all(text.as_bytes());
        }
    }
    let target = followed(path)?;
    let folder = match target.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    fs::create_dir_all(folder)?;
    let (temporary, file) = create_beside(folder)?;
    let permissions = existing.map(|metadata| metadata.permissions());
    let written = fill(file, text, permissions).and_then(|()| fs::rename(&temporary, &target));
    if written.is_err() {
        // The first error is the one to tell.
        let _ = fs::remove_file(&temporary);
    }
    sweep(folder);
    written
}

/// Removes what killed runs left in `folder`. What cannot be seen or removed is passed over: it does no harm.
fn sweep(folder: &Path) {
    let is_leftover = |entry: &fs::DirEntry| {
        let name = entry.file_name();
        let number = name.to_str().and_then(|name| {
            name.strip_prefix(TEMPORARY_START)?
                .strip_suffix(TEMPORARY_END)
        });
        let is_ours = number.is_some_and(|number| {
            let mut parts = number.split('-');
            parts.clone().count() == 2 && parts.all(|part| part.parse::<u32>().is_ok())
        });
        is_ours
            && entry.metadata().is_ok_and(|metadata| {
                let age = metadata.modified().ok().and_then(|at| at.elapsed().ok());
                metadata.is_file() && age.is_some_and(|age| age > LEFTOVER_AGE)
            })
    };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if is_leftover(&entry) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The file that a path means when its last component is a link; the file need not exist.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..LINK_LIMIT {
        let Ok(next) = fs::read_link(&path) else {
            return Ok(path);
        };
        path = match path.parent() {
            Some(folder) => folder.join(next),
            None => next,
        };
    }
    Err(io::Error::other("too many links"))
}

/// A new file in `folder`, by a name that tells a killed run's leftovers.
fn create_beside(folder: &Path) -> io::Result<(PathBuf, File)> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    platform::create_outside_with_mode(&mut options, 0o644);
    let mut attempt = 0;
    loop {
        let name = format!(
            "{TEMPORARY_START}{}-{attempt}{TEMPORARY_END}",
            std::process::id()
        );
        let path = folder.join(name);
        match options.open(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < NAME_LIMIT => {
                attempt += 1;
            }
            opened => return Ok((path, opened?)),
        }
    }
}

fn fill(mut file: File, text: &str, permissions: Option<fs::Permissions>) -> io::Result<()> {
    file.write_all(text.as_bytes())?;
    if let Some(permissions) = permissions {
        file.set_permissions(permissions)?;
    }
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names in a folder.
    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn u14_folders_are_made_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b/rec.json");
        write(&path, "one").unwrap();
        write(&path, "two").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        assert_eq!(names(&folder.path().join("a/b")), ["rec.json"]);
    }

    #[test]
    fn what_a_killed_run_left_long_ago_is_swept_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let long_ago = std::time::SystemTime::now() - 2 * LEFTOVER_AGE;
        let old = [
            ".sedum-recording-7-0.tmp",
            ".sedum-recording-7.tmp",
            ".sedum-recording-7-x.tmp",
            ".sedum-recording-7-0-1.tmp",
            "sedum-recording-7-0.tmp",
        ];
        for name in old {
            let file = File::create(folder.path().join(name)).unwrap();
            file.set_modified(long_ago).unwrap();
        }
        // Another run writes this one at the moment.
        File::create(folder.path().join(".sedum-recording-8-0.tmp")).unwrap();
        write(&folder.path().join("rec.json"), "{}").unwrap();
        let mut left = old[1..].to_vec();
        left.extend([".sedum-recording-8-0.tmp", "rec.json"]);
        left.sort_unstable();
        assert_eq!(names(folder.path()), left);
    }

    #[test]
    fn a_directory_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("rec")).unwrap();
        let error = write(&folder.path().join("rec"), "x").unwrap_err();
        assert!(error.to_string().contains("rec cannot be written"));
        fs::write(folder.path().join("file"), "x").unwrap();
        assert!(write(&folder.path().join("file/rec"), "x").is_err());
        assert_eq!(names(folder.path()), ["file", "rec"]);
    }

    #[cfg(unix)]
    #[test]
    fn j2_permissions_and_links_stay() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};

        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("old"), "x").unwrap();
        fs::set_permissions(at("old"), fs::Permissions::from_mode(0o640)).unwrap();
        symlink("old", at("link")).unwrap();
        symlink("new", at("dangling")).unwrap();
        symlink("circle", at("circle")).unwrap();
        write(&at("link"), "y").unwrap();
        write(&at("dangling"), "z").unwrap();
        assert!(write(&at("circle"), "z").is_err());
        assert_eq!(fs::read_to_string(at("old")).unwrap(), "y");
        assert_eq!(fs::read_to_string(at("new")).unwrap(), "z");
        assert_eq!(mode(&at("old")), 0o640);
        // No umask gives a file more than it was made with.
        assert_eq!(mode(&at("new")) & !0o644, 0);
        assert!(fs::symlink_metadata(at("link")).unwrap().is_symlink());
        assert!(fs::symlink_metadata(at("dangling")).unwrap().is_symlink());
        write(Path::new("/dev/null"), "z").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
