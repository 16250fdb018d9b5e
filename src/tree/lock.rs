//! The lock on an output directory, and what a run that was killed under it left behind.
//!
//! The lock is the system's advisory lock on `.sedum/lock` (X34), so it ends with the program that holds it. The file's
//! text says who holds it; a run that ends cleanly empties it. Text found in a lock that could be taken is therefore that
//! of a run that was killed, whose temporary files are swept (X31). The text is never used for anything else (P12).
//! A lock file that has a second name elsewhere, as in a copy of the tree made of hard links, is never written into: the
//! name in `.sedum` is given a file of its own.

use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, Metadata, OpenOptions};

use super::disk::{Disk, SystemDisk};
use super::error::TreeError;
use super::names::{LOCK_FILE, OWN_FOLDER, temporary_owner};
use crate::platform;

/// How often a held lock is tried again.
const POLL: Duration = Duration::from_millis(20);
/// Mode of the lock file, under the umask.
const LOCK_MODE: u32 = 0o644;

/// The held lock. Dropping it ends the run on the output directory: the text is emptied, and folders that were made for the
/// lock alone are removed unless [`Lock::keep_root`] was called.
#[derive(Debug)]
pub(super) struct Lock(Shared);

type Shared = Arc<Mutex<Option<Held>>>;

/// Ends a run on an output directory from outside of it, for a program that exits at once.
#[derive(Clone, Debug)]
pub struct Release(Shared);

impl Release {
    /// As if the tree were dropped uncommitted. The run must not commit any more.
    pub fn now(&self) {
        drop(with(&self.0, Option::take));
    }
}

fn with<T>(shared: &Shared, work: impl FnOnce(&mut Option<Held>) -> T) -> T {
    work(&mut shared.lock().unwrap_or_else(PoisonError::into_inner))
}

#[derive(Debug)]
struct Held {
    file: File,
    root: Dir,
    clean: bool,
    made: MadeFolders,
}

impl Lock {
    /// Takes the lock of the output directory `root`, making that when it does not exist, and sweeps what a killed run left.
    /// Waits for another run up to `timeout`, or until `interrupted`. Gives the directory's handle and the lock.
    pub(super) fn take(
        root: &Path,
        timeout: Duration,
        interrupted: &AtomicBool,
    ) -> Result<(Dir, Lock), TreeError> {
        let started = Instant::now();
        let shown = root.display().to_string();
        let fail = |error: &io::Error| TreeError::Lock {
            root: shown.clone(),
            why: error.to_string(),
        };
        loop {
            let made = MadeFolders::make(root)?;
            let (handle, mut file) = match open_lock_file(root) {
                Ok(opened) => opened,
                // The holder was the directory's maker, failed, and took it away again.
                Err(error) if vanished(&error) && started.elapsed() < timeout => {
                    std::thread::sleep(POLL);
                    continue;
                }
                Err(error) => return Err(fail(&error)),
            };
            loop {
                match file.try_lock() {
                    Ok(()) => break,
                    Err(TryLockError::Error(error)) => return Err(fail(&error)),
                    Err(TryLockError::WouldBlock) => {}
                }
                if interrupted.load(Ordering::Relaxed) {
                    return Err(TreeError::Interrupted { root: shown });
                }
                if started.elapsed() >= timeout {
                    return Err(TreeError::Locked {
                        root: shown,
                        // Any other text is not of a run, and nobody's to show.
                        holder: holder(&mut file)
                            .ok()
                            .flatten()
                            .filter(|text| pid_of(text).is_some()),
                        waited: timeout,
                    });
                }
                std::thread::sleep(POLL.min(timeout.saturating_sub(started.elapsed())));
            }
            if !is_at(root, &file).map_err(|error| fail(&error))? {
                continue;
            }
            if let Some(text) = holder(&mut file).map_err(|error| fail(&error))? {
                sweep(&handle, pid_of(&text));
            }
            // Who holds the lock may take its name away: who waits for it looks afterwards whether it is still there.
            if is_shared(&file).map_err(|error| fail(&error))? {
                let removed = handle
                    .open_dir(OWN_FOLDER)
                    .and_then(|folder| SystemDisk.remove_file(&folder, LOCK_FILE));
                removed.map_err(|error| fail(&error))?;
                continue;
            }
            sign(&mut file).map_err(|error| fail(&error))?;
            let root = handle.try_clone().map_err(|error| fail(&error))?;
            let held = Held {
                file,
                root,
                clean: true,
                made,
            };
            return Ok((handle, Lock(Arc::new(Mutex::new(Some(held))))));
        }
    }

    /// The run succeeded: an output directory made for the lock stays.
    pub(super) fn keep_root(&mut self) {
        with(&self.0, |held| {
            if let Some(held) = held {
                held.made.0.clear();
            }
        });
    }

    /// Temporary files were left behind: the next run is to sweep as if this one had been killed.
    pub(super) fn leave_for_sweep(&mut self) {
        with(&self.0, |held| {
            if let Some(held) = held {
                held.clean = false;
            }
        });
    }

    /// What ends the run from outside of it.
    pub(super) fn release(&self) -> Release {
        Release(Arc::clone(&self.0))
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        self.release().now();
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // Nothing can be done about a failure here, and none does harm: the next run sweeps once in vain.
        if self.clean {
            let _ = self.file.set_len(0);
        }
        if !self.made.0.is_empty()
            && let Ok(folder) = self.root.open_dir(OWN_FOLDER)
        {
            let _ = folder.remove_file(LOCK_FILE);
            let _ = self.root.remove_dir(OWN_FOLDER);
            self.made.remove();
        }
        // Closing the file would not do: a program that another thread is starting at this moment has a copy of the handle,
        // and with it the lock, until it has started.
        let _ = self.file.unlock();
    }
}

/// Folders made so that the lock has a place, outermost first; removed when dropped, if empty.
#[derive(Debug)]
struct MadeFolders(Vec<PathBuf>);

impl MadeFolders {
    fn make(root: &Path) -> Result<MadeFolders, TreeError> {
        let fail = |why: String| TreeError::Root {
            root: root.display().to_string(),
            why,
        };
        let mut missing = Vec::new();
        let mut at = root;
        while !at.as_os_str().is_empty() && !folder_exists(at).map_err(fail)? {
            missing.push(at.to_owned());
            at = at.parent().unwrap_or(Path::new(""));
        }
        let mut made = MadeFolders(Vec::new());
        for path in missing.into_iter().rev() {
            match platform::root_builder().create(&path) {
                Ok(()) => made.0.push(path),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(fail(error.to_string())),
            }
        }
        Ok(made)
    }
}

impl MadeFolders {
    fn remove(&mut self) {
        for path in std::mem::take(&mut self.0).iter().rev() {
            // One that is no longer empty belongs to somebody else by now.
            if std::fs::remove_dir(path).is_err() {
                break;
            }
        }
    }
}

impl Drop for MadeFolders {
    fn drop(&mut self) {
        self.remove();
    }
}

/// Whether a path is a folder; what else it is, or why that cannot be told, as the error's text.
pub(super) fn folder_exists(path: &Path) -> Result<bool, String> {
    match std::fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => Ok(true),
        Ok(_) => Err("it is not a folder".to_owned()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            // Another run may have made it since.
            match std::fs::symlink_metadata(path) {
                Ok(metadata) if metadata.is_dir() => Ok(true),
                Ok(metadata) if metadata.is_symlink() => Err("it is a link to nothing".to_owned()),
                Ok(_) => Err("it is not a folder".to_owned()),
                Err(_) => Ok(false),
            }
        }
        Err(error) => Err(error.to_string()),
    }
}

fn open_lock_file(root: &Path) -> io::Result<(Dir, File)> {
    let root = Dir::open_ambient_dir(root, ambient_authority())?;
    match SystemDisk.look(&root, OWN_FOLDER)? {
        Some(metadata) if metadata.is_dir() => {}
        Some(_) => return Err(io::Error::other("`.sedum` is not a folder")),
        None => match SystemDisk.create_folder(&root, OWN_FOLDER) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        },
    }
    let folder = root.open_dir(OWN_FOLDER)?;
    if let Some(metadata) = SystemDisk.look(&folder, LOCK_FILE)?
        && !metadata.is_file()
    {
        return Err(io::Error::other("it is not a regular file"));
    }
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true);
    platform::create_with_mode(&mut options, LOCK_MODE);
    let file = folder.open_with(LOCK_FILE, &options)?.into_std();
    Ok((root, file))
}

fn vanished(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound
}

/// Whether the lock file at its path is still the one that is open: its holder may have removed it just before.
fn is_at(root: &Path, file: &File) -> io::Result<bool> {
    let ours = platform::identity(&Metadata::from_file(file)?);
    let there = Dir::open_ambient_dir(root, ambient_authority())
        .and_then(|root| root.open_dir(OWN_FOLDER))
        .and_then(|folder| folder.symlink_metadata(LOCK_FILE));
    match there {
        Ok(metadata) => Ok(platform::identity(&metadata) == ours),
        Err(error) if vanished(&error) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Whether a file has other names besides the one it was opened by.
fn is_shared(file: &File) -> io::Result<bool> {
    Ok(platform::names(&Metadata::from_file(file)?) > 1)
}

/// What the lock file says about who holds it, or held it; `None` after a clean end.
fn holder(file: &mut File) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.take(512).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    let line = text.lines().next().unwrap_or("").trim();
    Ok((!line.is_empty()).then(|| line.to_owned()))
}

/// Writes who holds the lock.
fn sign(file: &mut File) -> io::Result<()> {
    let host = match platform::host_name() {
        name if name.is_empty() => name,
        name => format!(" on {name}"),
    };
    let text = format!(
        "pid {}{host} since {}\n",
        std::process::id(),
        timestamp(SystemTime::now())
    );
    file.set_len(0)?;
    file.seek(SeekFrom::Start(0))?;
    file.write_all(text.as_bytes())
}

/// The program id in what [`sign`] wrote.
fn pid_of(text: &str) -> Option<u32> {
    text.strip_prefix("pid ")?.split(' ').next()?.parse().ok()
}

/// Removes the temporary files and folders of the killed program `pid`, or all that are recognisable when it is not
/// known. What cannot be read or removed is passed over: leftovers do no harm but to the eye.
fn sweep(root: &Dir, pid: Option<u32>) {
    let mut folders = vec![PathBuf::from(".")];
    while let Some(path) = folders.pop() {
        let Ok(entries) = root.read_dir(&path) else {
            continue;
        };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            let owner = name.to_str().and_then(temporary_owner);
            let left_behind = owner.is_some() && (pid.is_none() || owner == pid);
            if kind.is_dir() {
                if left_behind {
                    let _ = root.remove_dir_all(path.join(name));
                } else if name != ".git" {
                    folders.push(path.join(name));
                }
            } else if kind.is_file() && left_behind {
                let _ = entry.remove_file();
            }
        }
    }
}

/// A time as RFC 3339 in UTC, to the second.
fn timestamp(time: SystemTime) -> String {
    let seconds = time
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs());
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Years are counted from March here, so that the leap day is a year's last; eras are 400 years, 146,097 days.
    let shifted = days + 719_468;
    let (era, day) = (shifted / 146_097, shifted % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    let year = era * 400 + year + carry;
    let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_are_civil_dates_in_utc() {
        // Worked out with `date -u -d @N`.
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_735_689_599, "2024-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            let time = UNIX_EPOCH + Duration::from_secs(seconds);
            assert_eq!(timestamp(time), text);
        }
    }

    #[test]
    fn x34_the_holder_signs_with_its_program_id() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"something longer that was there before, to be overwritten as a whole")
            .unwrap();
        sign(&mut file).unwrap();
        let text = holder(&mut file).unwrap().unwrap();
        assert_eq!(pid_of(&text), Some(std::process::id()));
        assert!(text.contains(" since 2"), "{text}");
    }
}
