//! Files that a run writes or reads beside its generated ones: the log, the recording. No path of the run may lead to
//! one, or the one would be lost to the other.
//!
//! Only where such a file lies is looked at here, never what it holds.

use std::fs;
use std::path::{Path, PathBuf};

use cap_std::fs::Metadata;

use super::folders::Folders;
use super::folders::Place;
use crate::platform::{self, Identity};

/// A file that no path of the run may lead to.
#[derive(Debug)]
pub(super) struct Apart {
    /// What it is to the run, for a message.
    pub(super) what: &'static str,
    /// Where it is or will be, relative to the output directory; `None` when that is elsewhere.
    place: Option<String>,
    /// Which file it is, when it exists.
    identity: Option<Identity>,
    /// Whether a path did lead to it.
    pub(super) met: bool,
}

impl Apart {
    /// The file at `file`, seen from the output directory `root`.
    pub(super) fn new(root: &Path, file: &Path, what: &'static str) -> Self {
        let place = real_path(root).zip(real_path(file));
        let identity = fs::metadata(file).ok().map(Metadata::from_just_metadata);
        Self {
            what,
            place: place.and_then(|(root, file)| {
                let place = file.strip_prefix(root).ok()?;
                place.to_str().map(str::to_owned)
            }),
            identity: identity.as_ref().and_then(platform::identity),
            met: false,
        }
    }

    /// Whether a path of the run leads to this file.
    pub(super) fn is_at(&self, folders: &Folders, place: &Place) -> bool {
        let found = place.found.and_then(|seen| seen.0);
        if found.is_some() && found == self.identity {
            return true;
        }
        // Its name first: it is the cheaper to compare.
        self.place.as_ref().is_some_and(|own| {
            own.ends_with(&place.name) && *own == folders.real_in(place.folder, &place.name)
        })
    }
}

/// A path without links, as far as it exists; `None` when there is no working directory to start from.
pub fn real_path(path: &Path) -> Option<PathBuf> {
    let whole = std::path::absolute(path).ok()?;
    let existing = |above: &Path| Some((fs::canonicalize(above).ok()?, whole.strip_prefix(above)));
    let (real, rest) = whole.ancestors().find_map(existing)?;
    Some(real.join(rest.ok()?))
}

#[cfg(test)]
#[cfg(unix)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_is_yet_to_be_made_is_known_by_what_is_above_it() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path().canonicalize().unwrap();
        fs::create_dir(dir.join("real")).unwrap();
        std::os::unix::fs::symlink("real", dir.join("link")).unwrap();
        for (path, real) in [
            ("real/a", "real/a"),
            ("link/a", "real/a"),
            ("link", "real"),
            ("link/a/b/c", "real/a/b/c"),
            ("link/../link/a", "real/a"),
        ] {
            assert_eq!(
                real_path(&dir.join(path)).unwrap(),
                dir.join(real),
                "{path}"
            );
        }
    }
}
