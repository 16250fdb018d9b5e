//! One YAML or JSON input file: its bytes become text, and the faults of its document become problems.
//!
//! It knows the limits that every such file is held to (X33, X36) and nothing of what stands in it.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;
use std::sync::Arc;

use thiserror::Error;

use super::{Fault, INPUT_LIMIT};
use crate::diag::{Problem, Source};

/// Why an input file gives no text. The message continues a sentence that names the file.
#[derive(Debug, Error)]
pub enum Unreadable {
    /// A directory.
    #[error("is a directory, not a file")]
    Directory,
    /// A fifo, a socket or a device where only a regular file is read (X32).
    #[error("is not a regular file")]
    Special,
    /// A link that leads out of the directory that is read (X32).
    #[error("is a link that leads out of its directory")]
    Outside,
    /// A link without an end.
    #[error("is a link that leads nowhere or in a circle")]
    BrokenLink,
    /// More than [`INPUT_LIMIT`] bytes.
    #[error("is larger than the limit of {} MiB", INPUT_LIMIT >> 20)]
    TooLarge,
    /// Bytes that are not UTF-8; the line, from 1, of the first of them.
    #[error(
        "is not UTF-8: line {0} holds a byte that is none of it; nothing is transcoded, so save it as UTF-8"
    )]
    NotUtf8(usize),
    /// The system's reason.
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
}

/// The text of a file of at most [`INPUT_LIMIT`] bytes (X36) in UTF-8 (X33). A fifo is waited for: who must not wait
/// looks first.
pub fn read_text(path: &Path) -> Result<String, Unreadable> {
    let mut file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(Unreadable::Directory);
    }
    let bytes = whole_file(&mut file, metadata.len(), INPUT_LIMIT)?;
    if bytes.len() as u64 > INPUT_LIMIT {
        return Err(Unreadable::TooLarge);
    }
    String::from_utf8(bytes).map_err(|fault| {
        let sound = fault.utf8_error().valid_up_to();
        let breaks = fault.as_bytes().iter().take(sound).filter(|b| **b == b'\n');
        Unreadable::NotUtf8(1 + breaks.count())
    })
}

/// The most bytes of a file that are read in one go into memory that is zero; to make it so takes as long as the reading.
const SMALL: usize = 256 * 1024;

/// The bytes of a file that is `size` long, or as many as it has: a device has no length to look at beforehand, and a
/// file can grow meanwhile. Of more than `limit` one more is read. A read that brings all of a file is not followed by
/// another one that would bring nothing.
pub fn whole_file(file: &mut File, size: u64, limit: u64) -> io::Result<Vec<u8>> {
    let expected = usize::try_from(size.min(limit)).unwrap_or_default();
    if !(1..=SMALL).contains(&expected) || size > limit {
        let mut bytes = Vec::with_capacity(expected);
        file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
        return Ok(bytes);
    }
    let mut bytes = vec![0; expected];
    let mut filled = 0;
    while let Some(room) = bytes.get_mut(filled..)
        && !room.is_empty()
    {
        match file.read(room) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    bytes.truncate(filled);
    Ok(bytes)
}

/// A document's fault as a problem of the file it was read from.
pub fn problem(source: &Arc<Source>, fault: Fault) -> Problem {
    let mut problem = Problem::new(fault.message).at(source, fault.span);
    problem.help = fault.help;
    match fault.also {
        Some((span, text)) => problem.label(source, span, text),
        None => problem,
    }
}

/// Problems as an error's text, one after the other.
pub fn lines(problems: &[Problem]) -> String {
    let lines: Vec<String> = problems.iter().map(Problem::to_string).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn read(bytes: &[u8]) -> Result<String, Unreadable> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.json");
        fs::write(&path, bytes).unwrap();
        read_text(&path)
    }

    #[test]
    fn x36_a_file_of_the_limit_is_read_and_one_byte_more_is_not() {
        let limit = usize::try_from(INPUT_LIMIT).unwrap();
        assert_eq!(read(&vec![b' '; limit]).unwrap().len(), limit);
        assert!(matches!(
            read(&vec![b' '; limit + 1]),
            Err(Unreadable::TooLarge)
        ));
    }

    #[test]
    fn x33_bytes_that_are_not_utf8_are_refused_with_their_line() {
        assert!(matches!(read(b"a\nb\n\xff\n"), Err(Unreadable::NotUtf8(3))));
    }

    #[test]
    fn a_directory_is_no_file() {
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(
            read_text(folder.path()),
            Err(Unreadable::Directory)
        ));
        assert!(matches!(
            read_text(&folder.path().join("none")),
            Err(Unreadable::Io(_))
        ));
    }
}
