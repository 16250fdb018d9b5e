//! What can go wrong in the staged tree, each error naming its file and what to do about it.
//!
//! Two types: [`TreeError`] for opening and reading, when nothing was written; [`CommitError`] for the commit, which says
//! also whether the output tree is as it was.

use std::fmt;
use std::io;
use std::time::Duration;

use thiserror::Error;

use super::names::Shown;

/// Why a tree could not be opened or a file of it not be read. Nothing was written.
#[derive(Debug, Error)]
pub enum TreeError {
    /// The path is not relative and clean (X32).
    #[error("path `{}` is refused: {why}; write it relative to the output directory, like `folder/name`", Shown(.path))]
    BadPath {
        /// The path as given.
        path: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// The path leads to a place that is not the run's to write: `.git`, `.sedum`, a temporary file's name.
    #[error("path `{}` is refused: it leads to `{}`, which is not generated code; choose another path", Shown(.path), Shown(.place))]
    Reserved {
        /// The path as given.
        path: String,
        /// Where it leads.
        place: String,
    },
    /// A link on the way leaves the output directory (X32).
    #[error("path `{}` leaves the output directory: `{}` is a link to `{}`; remove the link or choose another path", Shown(.path), Shown(.link), Shown(.target))]
    LinkOutside {
        /// The path as given.
        path: String,
        /// The link, relative to the output directory.
        link: String,
        /// What the link holds.
        target: String,
    },
    /// A link on the way leads to nothing.
    #[error("path `{}` leads nowhere: the link `{}` points to `{}`, which does not exist; create that or remove the link", Shown(.path), Shown(.link), Shown(.target))]
    LinkDangling {
        /// The path as given.
        path: String,
        /// The link, relative to the output directory.
        link: String,
        /// What the link holds.
        target: String,
    },
    /// Links on the way lead to each other.
    #[error("path `{}` leads through more than {limit} links, the last of them `{}`; remove the loop", Shown(.path), Shown(.link))]
    LinkLoop {
        /// The path as given.
        path: String,
        /// The link at which it was given up.
        link: String,
        /// How many links are followed.
        limit: usize,
    },
    /// A folder is where the file belongs (C19).
    #[error("path `{}` is a folder in the output directory, where a file belongs; move the folder away or choose another path", Shown(.path))]
    IsFolder {
        /// The path as given.
        path: String,
    },
    /// A file is where a folder of the path belongs.
    #[error("path `{}` cannot exist: `{}` is not a folder; move it away or choose another path", Shown(.path), Shown(.parent))]
    ParentIsFile {
        /// The path as given.
        path: String,
        /// The file in the way, relative to the output directory.
        parent: String,
    },
    /// Neither a regular file nor a link to one (X32).
    #[error("path `{}` is {kind}, not a regular file; move it away or choose another path", Shown(.path))]
    NotRegular {
        /// The path as given.
        path: String,
        /// What it is, with its article.
        kind: &'static str,
    },
    /// The file's bytes are not UTF-8 (X33).
    #[error("file `{}` is not UTF-8 (line {line}, byte offset {offset}); convert it to UTF-8 or choose another path", Shown(.path))]
    NotUtf8 {
        /// The path as given.
        path: String,
        /// Line of the first wrong byte, from 1.
        line: usize,
        /// Offset of the first wrong byte in the file, in bytes from 0.
        offset: usize,
    },
    /// The file exceeds the limit (X36).
    #[error("file `{}` has {size} bytes, more than the limit of {limit}; split it or choose another path", Shown(.path))]
    TooLarge {
        /// The path as given.
        path: String,
        /// Its size in bytes.
        size: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// Two paths of the run lead to one file (X31).
    #[error("paths `{}` and `{}` lead to one file, `{}`; name it once", Shown(.first), Shown(.second), Shown(.place))]
    OneFile {
        /// The path read first.
        first: String,
        /// The path read second.
        second: String,
        /// The file, relative to the output directory.
        place: String,
    },
    /// A path leads to a file that the run uses for something else.
    #[error("path `{}` is a file to generate and {what} at once; send one of them elsewhere", Shown(.path))]
    Apart {
        /// The path as given.
        path: String,
        /// What the file is to the run.
        what: &'static str,
    },
    /// One path of the run is a folder of another path of it.
    #[error("path `{}` cannot be a file, as path `{}` needs it for a folder; rename one of them", Shown(.file), Shown(.inside))]
    FileAndFolder {
        /// The path that would be both.
        file: String,
        /// The path inside it, or its folder.
        inside: String,
    },
    /// The system refused something.
    #[error("cannot {doing} `{}`: {source}", Shown(.path))]
    Io {
        /// The path as given.
        path: String,
        /// What was attempted, as a verb phrase.
        doing: &'static str,
        /// The system's answer.
        source: io::Error,
    },
    /// The output directory cannot be used.
    #[error("output directory `{}` cannot be used: {why}; name a folder with `--output`", Shown(.root))]
    Root {
        /// The directory as given.
        root: String,
        /// What is wrong, or the system's answer.
        why: String,
    },
    /// Another run holds the lock (X34).
    #[error("another run{} works on output directory `{}` and did not end within {}; wait for it, or raise `--lock-timeout`", Holder(.holder.as_deref()), Shown(.root), Seconds(*.waited))]
    Locked {
        /// The directory as given.
        root: String,
        /// The holder: program id, machine and start, when the lock tells.
        holder: Option<String>,
        /// How long was waited.
        waited: Duration,
    },
    /// The lock cannot be taken at all.
    #[error("cannot lock output directory `{}` with `.sedum/lock`: {why}; make it writable, or run with `--dry-run`", Shown(.root))]
    Lock {
        /// The directory as given.
        root: String,
        /// What is wrong, or the system's answer.
        why: String,
    },
    /// The run was interrupted while it waited for the lock.
    #[error("interrupted while waiting for another run on output directory `{}`", Shown(.root))]
    Interrupted {
        /// The directory as given.
        root: String,
    },
}

/// Why a commit wrote nothing, or, when that failed too, what of the output tree is not as it was (X31).
#[derive(Debug)]
pub struct CommitError {
    /// What failed.
    pub cause: CommitFault,
    /// Files and folders that could not be put back; empty when the output tree is as it was.
    pub unrestored: Vec<Unrestored>,
    /// Temporary files that could not be removed, relative to the output directory; the next run removes them.
    pub leftovers: Vec<String>,
}

/// What stopped a commit.
#[derive(Debug, Error)]
pub enum CommitFault {
    /// A file differs from what was read of it (X35).
    #[error("file `{}` changed on disk while the run worked on it; run again", Shown(.0))]
    Changed(String),
    /// A file to be created exists by now (X35).
    #[error("file `{}` appeared on disk while the run was about to create it; run again", Shown(.0))]
    Appeared(String),
    /// A link leads elsewhere than when its path was read (X32).
    #[error("path `{}` leads elsewhere than when the run read it: a link on it changed; run again", Shown(.0))]
    LinkChanged(String),
    /// The system refused something.
    #[error("cannot {doing} `{}`: {source}", Shown(.path))]
    Io {
        /// The path of the run that was being written.
        path: String,
        /// What was attempted, as a verb phrase.
        doing: &'static str,
        /// The system's answer.
        source: io::Error,
    },
    /// The run was told to stop.
    #[error("interrupted while writing the output directory")]
    Interrupted,
    /// The tree was opened for a dry run (C22).
    #[error("a dry run writes nothing to the output directory")]
    DryRun,
    /// A path was staged that could not be read.
    #[error(transparent)]
    Unreadable(Box<TreeError>),
}

/// A file or folder that a failed commit could not put back.
#[derive(Debug)]
pub struct Unrestored {
    /// Its path, relative to the output directory.
    pub path: String,
    /// What is there instead of what was, and why.
    pub why: String,
    /// The file beside it that holds its former text, relative to the output directory, when it had one.
    pub former: Option<String>,
}

impl fmt::Display for CommitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; ", self.cause)?;
        if self.unrestored.is_empty() {
            write!(f, "the output tree is as it was")?;
        } else {
            write!(f, "the output tree could not be put back as it was: ")?;
            for (index, lost) in self.unrestored.iter().enumerate() {
                let separator = if index == 0 { "" } else { ", " };
                write!(f, "{separator}`{}` {}", Shown(&lost.path), lost.why)?;
                if let Some(former) = &lost.former {
                    write!(f, " (its former text is in `{}`)", Shown(former))?;
                }
            }
        }
        for (index, name) in self.leftovers.iter().enumerate() {
            let start = if index == 0 { "; left behind: " } else { ", " };
            write!(f, "{start}`{}`", Shown(name))?;
        }
        Ok(())
    }
}

impl std::error::Error for CommitError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        // The cause's own text is part of this error's text already, so the chain goes on behind it.
        std::error::Error::source(&self.cause)
    }
}

struct Holder<'a>(Option<&'a str>);

impl fmt::Display for Holder<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(holder) => write!(f, " ({})", Shown(holder)),
            None => Ok(()),
        }
    }
}

struct Seconds(Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.subsec_millis() == 0 {
            write!(f, "{} s", self.0.as_secs())
        } else {
            write!(f, "{:.1} s", self.0.as_secs_f64())
        }
    }
}
