//! Why a command of the harness stops: what to print, and the exit status. It prints nothing itself.

use std::fmt;
use std::io;
use std::path::Path;

use sedum::diag::{Problem, quoted};
use sedum::doc::input;

/// A command that did not succeed.
#[derive(Debug)]
pub struct Failure {
    /// What is printed behind `sedum-evals: `.
    pub message: String,
    /// 1 for a check or a run that failed, 2 for a usage error, 3 for a model server that cannot be reached.
    pub status: u8,
}

impl Failure {
    /// A check or a run that failed.
    pub fn failed(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            status: 1,
        }
    }

    /// A fault that the command line or the environment alone shows.
    pub fn usage(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            status: 2,
        }
    }

    /// A model server that gives no answer.
    pub fn server(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            status: 3,
        }
    }

    /// A file or folder that cannot be used.
    pub fn io(path: &Path, doing: &str, cause: &io::Error) -> Self {
        Self::failed(format!(
            "{} cannot be {doing}: {cause}",
            quoted(&path.to_string_lossy())
        ))
    }

    /// Problems of an input, one a line.
    pub fn problems(doing: &str, problems: &[Problem]) -> Self {
        Self::failed(format!("{doing}\n{}", input::lines(problems)))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}
