//! The run log: what a run decided and why, as text for a person (G1-G4).
//!
//! Nothing reads it back (P12). It never holds the API key, because nothing that is logged is ever given one.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Mutex;

/// A log of one run. Writing to it never fails a run: a full disk loses the log, not the work.
pub struct RunLog {
    sinks: Mutex<Sinks>,
}

#[derive(Default)]
struct Sinks {
    file: Option<BufWriter<File>>,
    mirror: Option<Box<dyn Write + Send>>,
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

    /// A log at `path`, emptied, its parent directories made (G1); `mirror` gets every line too (`-v`).
    pub fn open(path: &Path, mirror: Option<Box<dyn Write + Send>>) -> io::Result<Self> {
        if let Some(parent) = path.parent().filter(|p| !p.as_os_str().is_empty()) {
            fs::create_dir_all(parent)?;
        }
        let file = Some(BufWriter::new(File::create(path)?));
        Ok(Self {
            sinks: Mutex::new(Sinks { file, mirror }),
        })
    }

    /// Whether anything reads the log; a caller may skip costly lines otherwise.
    pub fn is_on(&self) -> bool {
        self.sinks
            .lock()
            .is_ok_and(|sinks| sinks.file.is_some() || sinks.mirror.is_some())
    }

    /// Adds a line, or several when the text has line breaks; each call's lines stand together.
    pub fn line(&self, text: impl fmt::Display) {
        let Ok(mut sinks) = self.sinks.lock() else {
            return;
        };
        if sinks.file.is_none() && sinks.mirror.is_none() {
            return;
        }
        if let Some(file) = &mut sinks.file {
            let _ = writeln!(file, "{text}");
        }
        if let Some(mirror) = &mut sinks.mirror {
            // A terminal shows it, so nothing in it may drive one (O28).
            for line in text.to_string().split('\n') {
                let _ = writeln!(mirror, "{}", crate::diag::shown(line));
            }
        }
    }

    /// Writes out what is held back.
    pub fn flush(&self) {
        if let Ok(mut sinks) = self.sinks.lock() {
            if let Some(file) = &mut sinks.file {
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
