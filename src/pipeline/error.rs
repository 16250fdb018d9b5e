//! Why a run ended early.

use thiserror::Error;

use crate::diag::{Finding, Problem, shown};
use crate::genpkg::LoadError;
use crate::invocation::Invocation;
use crate::record::IngestError;
use crate::recording;
use crate::selection::Violation;
use crate::selection::converse::SelectionError;
use crate::tree::{CommitError, TreeError};

/// Why a run ended early; each names the phase's artefact, and carries places where there are any.
#[derive(Debug, Error)]
pub enum RunError {
    /// The generators directory gives no packages.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// Packages with errors (L34).
    #[error("the generator packages do not load")]
    Packages(Vec<Finding>),
    /// The records cannot be read.
    #[error(transparent)]
    Records(#[from] IngestError),
    /// Inputs are at fault; what the run was doing, and every fault.
    #[error("{doing}")]
    Problems {
        /// What cannot be done.
        doing: String,
        /// Why not, all of it.
        problems: Vec<Problem>,
    },
    /// Invocations break rules (D25, J18), by record.
    #[error("invocations are not valid")]
    Rejected(Vec<Rejection>),
    /// The output directory cannot be read or is in use.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// The files were not written.
    #[error(transparent)]
    Commit(#[from] CommitError),
    /// The recording was not written; the files were.
    #[error(transparent)]
    Recording(#[from] recording::WriteError),
    /// Phase 4 gave no selection for these records (D25, N22, K32).
    #[error("selection failed")]
    Selection {
        /// One error a record.
        errors: Vec<SelectionError>,
        /// What became of the answers that did validate (D27).
        kept: Option<String>,
    },
    /// The run comes to phase 4 and was given no model (K24).
    #[error("--model is required to select actions")]
    NoModel,
}

/// A record whose invocations break rules.
#[derive(Debug)]
pub struct Rejection {
    /// The record's id.
    pub record: String,
    /// Every violation.
    pub violations: Vec<Violation>,
    /// The same for a report: with the place in the recording, where there is one (O20).
    pub problems: Vec<Problem>,
}

impl Rejection {
    /// The violations of a record's invocations.
    pub fn new(record: &str, violations: Vec<Violation>, invocations: &[Invocation]) -> Self {
        let problem = |violation: &Violation| {
            let problem = Problem::new(format!("{}: {violation}", shown(record)));
            let origin = violation
                .index
                .and_then(|at| invocations.get(at)?.origin.as_ref());
            let Some(origin) = origin else {
                return problem;
            };
            let kwarg = violation.kwarg.as_ref();
            let kwarg = kwarg.and_then(|name| origin.kwarg(name));
            problem.at(&origin.source, kwarg.unwrap_or(origin.action))
        };
        Self {
            problems: violations.iter().map(problem).collect(),
            record: record.to_owned(),
            violations,
        }
    }
}

impl RunError {
    /// Faults of one kind of input.
    pub fn problems(doing: impl Into<String>, problems: Vec<Problem>) -> Self {
        Self::Problems {
            doing: doing.into(),
            problems,
        }
    }

    /// The problems that it carries, for a report that shows their places.
    pub fn listed(&self) -> &[Problem] {
        match self {
            Self::Problems { problems, .. }
            | Self::Records(IngestError::Faults(problems) | IngestError::UnknownIds(problems)) => {
                problems
            }
            _ => &[],
        }
    }

    /// The headline above the problems, or the whole message.
    pub fn headline(&self) -> String {
        match self {
            Self::Records(IngestError::Faults(_) | IngestError::UnknownIds(_)) => {
                "the records cannot be used".to_owned()
            }
            Self::Rejected(records) => {
                let names: Vec<_> = records.iter().map(|r| shown(&r.record)).collect();
                let s = if names.len() == 1 { "" } else { "s" };
                format!(
                    "the invocations of record{s} {} are not valid",
                    names.join(", ")
                )
            }
            other => other.to_string(),
        }
    }

    /// The exit status (U3).
    pub fn status(&self) -> u8 {
        match self {
            Self::Selection { errors, .. } => {
                let is_transport =
                    |error: &SelectionError| matches!(error, SelectionError::Transport { .. });
                if errors.iter().any(is_transport) {
                    3
                } else {
                    1
                }
            }
            Self::NoModel => 2,
            _ => 1,
        }
    }
}
