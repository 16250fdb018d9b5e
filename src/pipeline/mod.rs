//! The phases in order: what `grow` does, with a model or with a recording.
//!
//! [`run`] goes through phases 0 to 7, [`replay`] joins the same road at phase 3; both work on a staged tree that is
//! written once, at the end or at the stop point (C17). What happened is an [`Outcome`]; it is filled as the run goes,
//! so that a run that fails can still say how far it came.

mod capture;
mod described;
mod error;
mod interrupt;
#[cfg(test)]
mod linear;
mod outcome;
mod replay;
mod run;
mod steps;
mod told;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use crate::runlog::RunLog;
use crate::selection::client::Model;
use crate::selection::converse::Progress;

pub use error::{Rejection, RunError};
pub use interrupt::Interrupt;
pub use outcome::{
    Changed, Expansion, Outcome, PathReport, Phase, RecordReport, Selected, UnmanagedReport,
};
pub use steps::load_packages;

/// Where a run is stopped (U7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stop {
    /// After phase 2.
    Resolution,
    /// After phase 3.
    Files,
    /// After phase 5.
    Invocations,
    /// After phase 6.
    Expansion,
}

impl Stop {
    /// Every stop point, in phase order.
    pub const ALL: [Self; 4] = [
        Self::Resolution,
        Self::Files,
        Self::Invocations,
        Self::Expansion,
    ];

    /// The word of the flag.
    pub fn name(self) -> &'static str {
        match self {
            Self::Resolution => "resolution",
            Self::Files => "files",
            Self::Invocations => "invocations",
            Self::Expansion => "expansion",
        }
    }
}

/// What a run is asked to do; everything that flags and environment decide, decided.
#[derive(Clone, Debug)]
pub struct Config {
    /// The generators directory.
    pub generators: PathBuf,
    /// The records directory, when given.
    pub records: Option<PathBuf>,
    /// The output directory.
    pub output: PathBuf,
    /// Packages to prefer (N7).
    pub lang: Vec<String>,
    /// Record ids to keep (R15).
    pub only: Vec<String>,
    /// Run variables (V1).
    pub vars: BTreeMap<String, String>,
    /// Where the invocations come from.
    pub source: Source,
    /// Decide everything and write no file (U12).
    pub dry_run: bool,
    /// Where to stop.
    pub stop: Option<Stop>,
    /// Where to write the recording.
    pub record: Option<PathBuf>,
    /// Where the run log goes, to keep the generated files off it.
    pub log: Option<PathBuf>,
    /// How long to wait for another run (X34).
    pub lock_timeout: Duration,
    /// Whether to wait for the disk at commit.
    pub sync: bool,
    /// Whether the outcome is to hold the text of every changed file.
    pub keep_changes: bool,
    /// How a model is asked.
    pub asking: Asking,
}

/// How a model is asked.
#[derive(Clone, Copy, Debug)]
pub struct Asking {
    /// Re-prompts after a rejected answer (D24).
    pub retries: u32,
    /// Records whose models are called at once (Y32).
    pub jobs: usize,
    /// Show the whole catalog, unnarrowed (N21).
    pub full_catalog: bool,
    /// Send a response schema (N24).
    pub response_schema: bool,
}

/// Where a run's invocations come from.
#[derive(Clone, Debug)]
pub enum Source {
    /// A recording (J13).
    Recording(PathBuf),
    /// A model; without one the run stops before phase 4.
    Model,
}

/// What a run is given besides its configuration.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    /// The run log.
    pub log: &'a RunLog,
    /// The model, configured before anything else is done (K33); a run that stops before phase 4 needs none (K34).
    pub model: Option<&'a dyn Model>,
    /// Told what phase 4 is doing, from any thread.
    pub progress: &'a (dyn Fn(Progress<'_>) + Sync),
    /// The wish of the person who started the run that it ends.
    pub interrupt: &'a Interrupt,
}

/// Carries a run out: how far it came, and why it ended early if it did.
pub fn grow(config: &Config, around: &Surroundings<'_>) -> (Outcome, Result<(), RunError>) {
    let mut outcome = Outcome {
        dry_run: config.dry_run,
        stop: config.stop,
        ..Outcome::default()
    };
    let result = match &config.source {
        Source::Recording(path) => replay::replay(config, path, around, &mut outcome),
        Source::Model => run::run(config, around, &mut outcome),
    };
    (outcome, result)
}
