//! The results on disk: one append-only file of lines a case, and large texts by their digests beside them (H55).
//!
//! A line is written with one call and waited for, so that a run that is killed has lost the sample under way and no
//! other. Reading passes over a line that was torn by that and says so. Nothing here is ever changed or deleted.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value as Json, json};

use super::digest;
use super::failure::Failure;
use super::sample::{Head, Line, Outcome, Rescored, Sample, Scores};

/// Tells the threads of a run apart when they write the same text at once.
static TURN: AtomicU64 = AtomicU64::new(0);

/// The folder of results.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
}

/// A run as it was stored.
#[derive(Clone, Debug)]
pub struct Run {
    /// The latest head: a run that was taken up again has several.
    pub head: Head,
    /// The samples by number; of one that failed and was taken again the later.
    pub samples: BTreeMap<u32, Sample>,
    /// The latest later scores.
    pub rescored: BTreeMap<u32, Rescored>,
}

impl Run {
    /// The samples that reached the model (H22).
    pub fn counted(&self) -> impl Iterator<Item = &Sample> {
        let samples = self.samples.values();
        samples.filter(|sample| sample.outcome != Outcome::Failed)
    }

    /// A sample's scores: the latest that there are.
    pub fn scores(&self, sample: &Sample) -> Scores {
        let later = self.rescored.get(&sample.n).map(|later| &later.scores);
        later
            .or(sample.scores.as_ref())
            .cloned()
            .unwrap_or_default()
    }

    /// The fixture that the scores belong to.
    pub fn digest(&self) -> &str {
        let later = self.rescored.values().next();
        later.map_or(&self.head.digest, |later| &later.digest)
    }
}

/// The runs of the store, and what could not be read.
#[derive(Debug, Default)]
pub struct Stored {
    /// In the order in which they began, case by case.
    pub runs: Vec<Run>,
    /// Lines that were torn.
    pub unreadable: Vec<Unreadable>,
}

/// A line that is none of results.
#[derive(Debug)]
pub struct Unreadable {
    path: PathBuf,
    /// From 1.
    line: usize,
    why: String,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        write!(
            f,
            "{path} line {}: passed over, it is no line of results ({})",
            self.line, self.why
        )
    }
}

impl Unreadable {
    /// As a report lists it: the file by its name, which is the same wherever the checkout lies (O1).
    pub fn to_json(&self) -> Json {
        let file = self.path.file_name().unwrap_or_default();
        json!({"file": file.to_string_lossy(), "line": self.line, "why": self.why})
    }
}

impl Store {
    /// The store in a folder, which need not be there yet.
    pub fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
        }
    }

    /// Appends a line to a case's file and waits until it is on the disk.
    pub fn append(&self, case: &str, line: &Line) -> Result<(), Failure> {
        let path = self.file(case);
        fs::create_dir_all(&self.folder).map_err(|e| Failure::io(&self.folder, "made", &e))?;
        let text = serde_json::to_string(line).map_err(|e| {
            Failure::failed(format!(
                "a line of {} cannot be written: {e}",
                path.display()
            ))
        })?;
        let failed = |e: &std::io::Error| Failure::io(&path, "written", e);
        let mut file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(&path)
            .map_err(|e| failed(&e))?;
        // A line that was torn must not take this one with it.
        let start = if ends_torn(&mut file).map_err(|e| failed(&e))? {
            "\n"
        } else {
            ""
        };
        file.write_all(format!("{start}{text}\n").as_bytes())
            .and_then(|()| file.sync_data())
            .map_err(|e| failed(&e))
    }

    /// Keeps a text and gives its digest; the same text is kept once.
    pub fn keep(&self, text: &str) -> Result<String, Failure> {
        let name = digest::whole(text);
        let folder = self.texts();
        let path = folder.join(&name);
        if path.exists() {
            return Ok(name);
        }
        fs::create_dir_all(&folder).map_err(|e| Failure::io(&folder, "made", &e))?;
        // Written beside and renamed: a name that is there has its whole text.
        let turn = TURN.fetch_add(1, Ordering::Relaxed);
        let beside = folder.join(format!(".{name}.{}.{turn}", std::process::id()));
        File::create(&beside)
            .and_then(|mut file| {
                file.write_all(text.as_bytes())
                    .and_then(|()| file.sync_data())
            })
            .and_then(|()| fs::rename(&beside, &path))
            .map_err(|e| Failure::io(&path, "written", &e))?;
        Ok(name)
    }

    /// The text of a digest.
    pub fn text(&self, name: &str) -> Result<String, Failure> {
        let path = self.texts().join(name);
        let text = fs::read_to_string(&path).map_err(|e| Failure::io(&path, "read", &e))?;
        if digest::whole(&text) == name {
            Ok(text)
        } else {
            Err(Failure::failed(format!(
                "{} does not hold the text of its name: it was changed after it was written",
                path.display()
            )))
        }
    }

    /// Every run of every case.
    pub fn read(&self) -> Result<Stored, Failure> {
        let mut stored = Stored::default();
        for name in names(&self.folder)? {
            if let Some(case) = name.strip_suffix(".jsonl") {
                self.read_case(case, &mut stored)?;
            }
        }
        Ok(stored)
    }

    fn read_case(&self, case: &str, stored: &mut Stored) -> Result<(), Failure> {
        let path = self.file(case);
        let text = fs::read_to_string(&path).map_err(|e| Failure::io(&path, "read", &e))?;
        let from = stored.runs.len();
        for (at, line) in text.lines().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            let mut known = stored.runs.iter_mut().skip(from);
            match serde_json::from_str::<Line>(line) {
                Ok(Line::Run(head)) => match known.find(|run| run.head.run == head.run) {
                    Some(run) => run.head = *head,
                    None => stored.runs.push(Run {
                        head: *head,
                        samples: BTreeMap::new(),
                        rescored: BTreeMap::new(),
                    }),
                },
                Ok(Line::Sample(sample)) => {
                    if let Some(run) = known.find(|run| run.head.run == sample.run) {
                        run.samples.insert(sample.n, *sample);
                    }
                }
                Ok(Line::Score(score)) => {
                    if let Some(run) = known.find(|run| run.head.run == score.run) {
                        run.rescored.insert(score.n, *score);
                    }
                }
                Err(why) => stored.unreadable.push(Unreadable {
                    path: path.clone(),
                    line: at + 1,
                    why: why.to_string(),
                }),
            }
        }
        Ok(())
    }

    fn file(&self, case: &str) -> PathBuf {
        self.folder.join(format!("{case}.jsonl"))
    }

    fn texts(&self) -> PathBuf {
        self.folder.join("texts")
    }
}

/// The names in a folder, sorted; none of a folder that is not there.
fn names(folder: &Path) -> Result<Vec<String>, Failure> {
    let mut names = Vec::new();
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(names),
        Err(e) => return Err(Failure::io(folder, "listed", &e)),
    };
    for entry in entries {
        let entry = entry.map_err(|e| Failure::io(folder, "listed", &e))?;
        names.push(entry.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

/// Whether a file's last line has no end.
fn ends_torn(file: &mut File) -> std::io::Result<bool> {
    if file.metadata()?.len() == 0 {
        return Ok(false);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last != *b"\n")
}
