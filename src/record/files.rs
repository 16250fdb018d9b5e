//! Which files of a directory are records (R1), and their text.
//!
//! Only the names and kinds of files count here; what stands in them does not.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::diag::{Problem, Source, shown};
use crate::doc::input::{self, Unreadable};

/// A record file that was found: its text, or why there is none.
pub(super) type Found = Result<Arc<Source>, Problem>;

/// The record files directly inside `directory`, in the order of their names. A special file or a link out of the
/// directory that is called like a record is a problem, as it would be silently left out otherwise (X32); a directory is
/// ignored, and so is a dotfile, which editors and operating systems leave behind.
pub(super) fn find(directory: &Path) -> io::Result<Vec<Found>> {
    let root = fs::canonicalize(directory)?;
    let mut names = Vec::new();
    for entry in fs::read_dir(directory)? {
        let name = entry?.file_name();
        if is_record_name(&name.to_string_lossy()) {
            names.push(name);
        }
    }
    names.sort_unstable();
    let mut files = Vec::with_capacity(names.len());
    for name in names {
        let path = directory.join(name);
        let display = path.display().to_string();
        match read(&path, &root) {
            Ok(text) => files.push(Ok(Source::new(display, text))),
            Err(Unreadable::Directory) => {}
            Err(why) => files.push(Err(Problem::new(format!(
                "record file {} {why}",
                shown(&display)
            )))),
        }
    }
    Ok(files)
}

fn is_record_name(name: &str) -> bool {
    let extension = Path::new(name).extension();
    !name.starts_with('.')
        && extension
            .is_some_and(|e| e.eq_ignore_ascii_case("yml") || e.eq_ignore_ascii_case("yaml"))
}

/// Looks before it opens, since opening a fifo waits for its writer.
fn read(path: &Path, root: &Path) -> Result<String, Unreadable> {
    if fs::symlink_metadata(path)?.is_symlink() {
        let target = fs::canonicalize(path).map_err(|_| Unreadable::BrokenLink)?;
        if !target.starts_with(root) {
            return Err(Unreadable::Outside);
        }
    }
    let metadata = fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(Unreadable::Directory);
    }
    if !metadata.is_file() {
        return Err(Unreadable::Special);
    }
    input::read_text(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(found: Vec<Found>) -> Vec<String> {
        let name = |source: &Source| {
            Path::new(source.name())
                .file_name()
                .unwrap()
                .to_string_lossy()
                .into_owned()
        };
        found
            .into_iter()
            .map(|file| match file {
                Ok(source) => name(&source),
                Err(problem) => problem.to_string(),
            })
            .collect()
    }

    #[test]
    fn r1_records_are_yaml_files_of_the_directory_itself() {
        let folder = tempfile::tempdir().unwrap();
        for name in [
            "b.yml",
            "a.YAML",
            "c.Yml",
            "d.json",
            "yml",
            "e.yml.bak",
            ".f.yml",
        ] {
            fs::write(folder.path().join(name), "id: x").unwrap();
        }
        fs::create_dir(folder.path().join("sub.yml")).unwrap();
        fs::write(folder.path().join("sub.yml/g.yml"), "id: x").unwrap();
        let found = find(folder.path()).unwrap();
        assert_eq!(names(found), ["a.YAML", "b.yml", "c.Yml"]);
        assert!(find(&folder.path().join("none")).is_err());
        assert!(find(&folder.path().join("b.yml")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn x32_special_files_and_links_out_are_refused_by_name() {
        use std::os::unix::fs::symlink;
        use std::os::unix::net::UnixListener;

        let outside = tempfile::NamedTempFile::new().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let status = std::process::Command::new("mkfifo")
            .arg(at("a.yml"))
            .status();
        assert!(status.unwrap().success());
        let _socket = UnixListener::bind(at("b.yml")).unwrap();
        symlink(outside.path(), at("c.yml")).unwrap();
        symlink("d.yml", at("d.yml")).unwrap();
        fs::write(at("real"), "id: x").unwrap();
        symlink("real", at("e.yml")).unwrap();
        symlink("a.yml", at("f.yml")).unwrap();
        let found = names(find(folder.path()).unwrap());
        for (said, part) in found.iter().zip([
            "a.yml is not a regular file",
            "b.yml is not a regular file",
            "c.yml is a link that leads out",
            "d.yml is a link that leads nowhere",
            "e.yml",
            "f.yml is not a regular file",
        ]) {
            assert!(said.contains(part), "{said}");
        }
        assert_eq!(found.len(), 6);
    }
}
