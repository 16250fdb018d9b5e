//! The run log: what a run decided and why, as text for a person (G1-G4).
//!
//! Nothing reads it back (P12). It never holds the API key, because nothing that is logged is ever given one. It is held
//! back until the run knows its paths, so that a file of the run is not lost to a log that was sent to the same place.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// A log of one run. Writing to it never fails a run: a full disk loses the log, not the work.
pub struct RunLog {
    sinks: Mutex<Sinks>,
}

#[derive(Default)]
struct Sinks {
    file: Place,
    mirror: Option<Box<dyn Write + Send>>,
}

/// Where the lines go.
#[derive(Default)]
enum Place {
    #[default]
    Nowhere,
    /// Into memory, until the file may be written.
    Held {
        file: File,
        path: PathBuf,
        /// Whether there was no such file before.
        is_new: bool,
        text: Vec<u8>,
    },
    /// Into the file.
    Open(BufWriter<File>),
}

impl Place {
    fn is_on(&self) -> bool {
        !matches!(self, Self::Nowhere)
    }

    fn line(&mut self, text: &impl fmt::Display) {
        let _ = match self {
            Self::Nowhere => Ok(()),
            Self::Held { text: held, .. } => writeln!(held, "{text}"),
            Self::Open(file) => writeln!(file, "{text}"),
        };
    }

    fn text(&mut self, text: &str) {
        let _ = match self {
            Self::Nowhere => Ok(()),
            Self::Held { text: held, .. } => held.write_all(text.as_bytes()),
            Self::Open(file) => file.write_all(text.as_bytes()),
        };
    }

    /// From here on the file is written.
    fn begin(&mut self) {
        let (file, path, text) = match std::mem::take(self) {
            Self::Held {
                file, path, text, ..
            } => (file, path, text),
            other => {
                *self = other;
                return;
            }
        };
        if let Ok(mut file) = emptied(file, &path).map(BufWriter::new) {
            let _ = file.write_all(&text);
            *self = Self::Open(file);
        }
    }
}

/// The file at `path`, empty. One that has a second name is left to it, and the name at `path` gets a file of its own.
fn emptied(file: File, path: &Path) -> io::Result<File> {
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Ok(file);
    }
    if names(&metadata) > 1 {
        let path = fs::canonicalize(path)?;
        fs::remove_file(&path)?;
        return File::create_new(path);
    }
    file.set_len(0)?;
    Ok(file)
}

#[cfg(unix)]
fn names(metadata: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(metadata)
}

#[cfg(not(unix))]
fn names(_metadata: &fs::Metadata) -> u64 {
    1
}

impl fmt::Debug for RunLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RunLog")
    }
}

impl RunLog {
    /// A log that goes nowhere.
    pub fn silent() -> Self {
        Self {
            sinks: Mutex::new(Sinks::default()),
        }
    }

    /// A log at `path`, its parent directories made (G1); `mirror` gets every line too (`-v`). What the file holds stays
    /// until [`RunLog::begin`] or [`RunLog::flush`].
    pub fn open(path: &Path, mirror: Option<Box<dyn Write + Send>>) -> io::Result<Self> {
        if let Some(parent) = path.parent().filter(|p| !p.as_os_str().is_empty()) {
            fs::create_dir_all(parent)?;
        }
        let mut options = File::options();
        options.write(true);
        let (file, is_new) = match options.open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                (options.create(true).open(path)?, true)
            }
            opened => (opened?, false),
        };
        let file = Place::Held {
            file,
            path: path.to_owned(),
            is_new,
            text: Vec::new(),
        };
        Ok(Self {
            sinks: Mutex::new(Sinks { file, mirror }),
        })
    }

    /// The file may be written: it is none of the run's own.
    pub fn begin(&self) {
        if let Ok(mut sinks) = self.sinks.lock() {
            sinks.file.begin();
        }
    }

    /// The file is one of the run's own and stays as it is; the log is lost.
    pub fn give_up(&self) {
        if let Ok(mut sinks) = self.sinks.lock()
            && let Place::Held { path, is_new, .. } = std::mem::take(&mut sinks.file)
            && is_new
        {
            let _ = fs::remove_file(path);
        }
    }

    /// Whether anything reads the log; a caller may skip costly lines otherwise.
    pub fn is_on(&self) -> bool {
        self.sinks
            .lock()
            .is_ok_and(|sinks| sinks.file.is_on() || sinks.mirror.is_some())
    }

    /// Adds a line, or several when the text has line breaks; each call's lines stand together.
    pub fn line(&self, text: impl fmt::Display) {
        let Ok(mut sinks) = self.sinks.lock() else {
            return;
        };
        sinks.file.line(&text);
        if let Some(mirror) = &mut sinks.mirror {
            // A terminal shows it, so nothing in it may drive one (O28).
            for line in text.to_string().split('\n') {
                let _ = writeln!(mirror, "{}", crate::diag::shown(line));
            }
        }
    }

    /// Adds lines, each with a line break at its end.
    pub fn lines(&self, text: &str) {
        let Ok(mut sinks) = self.sinks.lock() else {
            return;
        };
        sinks.file.text(text);
        if let Some(mirror) = &mut sinks.mirror {
            for line in text.lines() {
                let _ = writeln!(mirror, "{}", crate::diag::shown(line));
            }
        }
    }

    /// Writes out what is held back.
    pub fn flush(&self) {
        if let Ok(mut sinks) = self.sinks.lock() {
            sinks.file.begin();
            if let Place::Open(file) = &mut sinks.file {
                let _ = file.flush();
            }
            if let Some(mirror) = &mut sinks.mirror {
                let _ = mirror.flush();
            }
        }
    }
}

impl Drop for RunLog {
    fn drop(&mut self) {
        self.flush();
    }
}

/// Adds a formatted line to a [`RunLog`].
#[macro_export]
macro_rules! log {
    ($log:expr, $($text:tt)+) => { $log.line(format_args!($($text)+)) };
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn g1_the_file_is_emptied_when_the_log_begins_and_not_before() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a/run.log");
        let ends: [fn(&RunLog); 3] = [RunLog::begin, RunLog::flush, |_| {}];
        for end in ends {
            fs::create_dir_all(dir.path().join("a")).unwrap();
            fs::write(&path, "something longer that was there before").unwrap();
            let log = RunLog::open(&path, None).unwrap();
            log.line("one");
            assert!(fs::read_to_string(&path).unwrap().starts_with("something"));
            end(&log);
            log.line("two");
            drop(log);
            assert_eq!(fs::read_to_string(&path).unwrap(), "one\ntwo\n");
        }
    }

    #[test]
    fn a_log_that_is_given_up_leaves_what_was_there() {
        let dir = tempfile::tempdir().unwrap();
        let (old, new) = (dir.path().join("old"), dir.path().join("new"));
        fs::write(&old, "text").unwrap();
        for path in [&old, &new] {
            let log = RunLog::open(path, None).unwrap();
            log.line("one");
            log.give_up();
            log.line("two");
            assert!(!log.is_on());
        }
        assert_eq!(fs::read_to_string(&old).unwrap(), "text");
        assert!(!new.exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_file_with_a_second_name_is_left_to_it() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name| dir.path().join(name);
        fs::write(at("file"), "text").unwrap();
        fs::hard_link(at("file"), at("name")).unwrap();
        std::os::unix::fs::symlink("name", at("link")).unwrap();
        let log = RunLog::open(&at("link"), None).unwrap();
        log.line("one");
        drop(log);
        assert_eq!(fs::read_to_string(at("file")).unwrap(), "text");
        assert_eq!(fs::read_to_string(at("name")).unwrap(), "one\n");
        assert_eq!(fs::read_link(at("link")).unwrap(), Path::new("name"));
    }
}
