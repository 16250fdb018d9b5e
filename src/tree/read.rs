//! Reading one file of the output directory: a regular file, within the limit, in UTF-8, or an error.
//!
//! It says also how the file may later be told to have changed (X35). It keeps nothing and resolves no path.

use std::fs::File;
use std::io;
use std::time::{Duration, SystemTime};

use cap_std::fs::{Dir, Metadata};

use super::disk::Disk;
use super::error::TreeError;
use super::folders::Seen;
use crate::platform::Stamp;
use crate::work::{self, Work};

/// The largest target file that is read, in bytes (X36).
pub const FILE_LIMIT: u64 = 256 * 1024 * 1024;

/// A file changed so shortly before it was read may change again without its time of modification moving on, so its time
/// proves nothing. Two seconds is the coarsest clock among common file systems.
const CLOCK_STEP: Duration = Duration::from_secs(2);

/// A file as it was on disk.
#[derive(Debug)]
pub(super) struct Before {
    pub(super) text: String,
    pub(super) stamp: Stamp,
    /// Whether the file may have changed since with the stamp staying the same.
    pub(super) doubtful: bool,
}

/// Why a file's text could not be had; it gets its path where it is reported.
pub(super) enum Fault {
    Io(io::Error),
    TooLarge(u64),
    NotUtf8 { line: usize, offset: usize },
}

impl Fault {
    /// The fault as an error of `path`.
    pub(super) fn at(self, path: &str) -> TreeError {
        let path = path.to_owned();
        match self {
            Fault::Io(source) => TreeError::Io {
                path,
                doing: "read",
                source,
            },
            Fault::TooLarge(size) => TreeError::TooLarge {
                path,
                size,
                limit: FILE_LIMIT,
            },
            Fault::NotUtf8 { line, offset } => TreeError::NotUtf8 { path, line, offset },
        }
    }
}

/// Reads the regular file that `seen` shows. What took its place in between is refused: what was opened must be it (X32).
pub(super) fn read_text(
    disk: &mut dyn Disk,
    folder: &Dir,
    name: &str,
    seen: Seen,
) -> Result<Before, Fault> {
    let started = SystemTime::now();
    let file = disk.open_file(folder, name).map_err(Fault::Io)?;
    let metadata = disk.file_metadata(&file).map_err(Fault::Io)?;
    if !metadata.is_file() || Seen::of(&metadata) != seen {
        let error = io::Error::other("another file took its place at this moment");
        return Err(Fault::Io(error));
    }
    text_of(disk, file, &metadata, started)
}

/// Reads the regular file at `name`, if there is one, without a look before it is opened. The error is that something else
/// is there, or that the file cannot be read.
pub(super) fn read_at_once(
    disk: &mut dyn Disk,
    folder: &Dir,
    name: &str,
) -> Result<Option<(Seen, Before)>, Fault> {
    let started = SystemTime::now();
    let Some(file) = disk.open_at_once(folder, name).map_err(Fault::Io)? else {
        return Ok(None);
    };
    let metadata = disk.file_metadata(&file).map_err(Fault::Io)?;
    if !metadata.is_file() {
        return Err(Fault::Io(io::Error::other("not a regular file")));
    }
    let before = text_of(disk, file, &metadata, started)?;
    Ok(Some((Seen::of(&metadata), before)))
}

/// The text of an open regular file, which was opened after `started`.
fn text_of(
    disk: &mut dyn Disk,
    mut file: File,
    metadata: &Metadata,
    started: SystemTime,
) -> Result<Before, Fault> {
    if metadata.len() > FILE_LIMIT {
        return Err(Fault::TooLarge(metadata.len()));
    }
    work::done(Work::TargetRead);
    let stamp = Stamp::of(metadata);
    let bytes = disk
        .read(&mut file, metadata.len(), FILE_LIMIT)
        .map_err(Fault::Io)?;
    if bytes.len() as u64 > FILE_LIMIT {
        return Err(Fault::TooLarge(bytes.len() as u64));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        let good = error.as_bytes().get(..offset).unwrap_or_default();
        let line = good.split(|&byte| byte == b'\n').count();
        Fault::NotUtf8 { line, offset }
    })?;
    let settled = stamp.modified().is_some_and(|modified| {
        started
            .duration_since(modified)
            .is_ok_and(|age| age >= CLOCK_STEP)
    });
    let doubtful = !settled || text.len() as u64 != stamp.length();
    Ok(Before {
        text,
        stamp,
        doubtful,
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::tree::disk::SystemDisk;

    #[test]
    fn x35_a_file_changed_within_a_clock_step_of_its_reading_is_doubtful() {
        let folder = tempfile::tempdir().unwrap();
        let authority = cap_std::ambient_authority();
        let handle = Dir::open_ambient_dir(folder.path(), authority).unwrap();
        let hour = Duration::from_hours(1);
        let now = SystemTime::now();
        // Just now, long ago, and, by a clock that is wrong, later than now.
        for (modified, expected) in [(now, true), (now - hour, false), (now + hour, true)] {
            let file = File::create(folder.path().join("a")).unwrap();
            file.set_modified(modified).unwrap();
            let seen = SystemDisk.look(&handle, "a").unwrap().unwrap();
            let before = read_text(&mut SystemDisk, &handle, "a", Seen::of(&seen));
            assert!(before.is_ok_and(|before| before.doubtful == expected));
        }
    }
}
