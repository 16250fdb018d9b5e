//! What a conversation comes to, as the pipeline and the report take it.

use std::fmt;

use crate::diag::quoted;
use crate::invocation::Invocation;

use super::super::client::ModelFault;
use super::super::narrow::Unreachable;
use super::super::violation::Violation;

/// What a conversation took (D26). Token counts of 0 were not reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How often the model was asked, the completeness question and a call that failed included.
    pub calls: u32,
    /// How many answers were rejected; one to the completeness question is not (E3).
    pub rejected: u32,
    /// 1 when the completeness question was asked, else 0.
    pub completeness: u32,
    /// Tokens of all prompts.
    pub prompt_tokens: u64,
    /// Tokens of all answers.
    pub completion_tokens: u64,
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} call(s), {} rejected, {} completeness, {} prompt and {} completion token(s)",
            self.calls,
            self.rejected,
            self.completeness,
            self.prompt_tokens,
            self.completion_tokens
        )
    }
}

/// The valid invocations of a record.
#[derive(Clone, Debug)]
pub struct Selection {
    /// The record's id.
    pub record: String,
    /// What was selected, in the order of the answer.
    pub invocations: Vec<Invocation>,
    /// What it took.
    pub tally: Tally,
}

impl Selection {
    /// The selection of a record that nobody was asked about (K22, N22).
    pub(super) fn empty(record: &str) -> Self {
        Self {
            record: record.to_owned(),
            invocations: Vec::new(),
            tally: Tally::default(),
        }
    }
}

/// A rejected answer.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// Its text, as received.
    pub answer: String,
    /// Why it was rejected; at least one.
    pub violations: Vec<Violation>,
}

/// Why a record has no selection. The kinds end a run differently: exit status 3 for a transport fault, 1 for the
/// others (D25, U3).
#[derive(Debug)]
pub enum SelectionError {
    /// Every answer was rejected (D25).
    Rejected {
        /// The record's id.
        record: String,
        /// Every answer in order; at least one.
        attempts: Vec<Attempt>,
        /// What it took.
        tally: Tally,
    },
    /// The endpoint gave no answer (K32).
    Transport {
        /// The record's id.
        record: String,
        /// What happened.
        fault: Box<ModelFault>,
        /// What it took.
        tally: Tally,
    },
    /// No action reaches the record's files (N22).
    Unreachable(Unreachable),
}

impl SelectionError {
    /// The record's id.
    pub fn record(&self) -> &str {
        match self {
            Self::Rejected { record, .. } | Self::Transport { record, .. } => record,
            Self::Unreachable(unreachable) => &unreachable.record,
        }
    }

    /// What the conversation took.
    pub fn tally(&self) -> Tally {
        match self {
            Self::Rejected { tally, .. } | Self::Transport { tally, .. } => *tally,
            Self::Unreachable(_) => Tally::default(),
        }
    }
}

/// A rejection shows the violations of the last answer, one a line, as `[slug] action: text` (D7).
impl fmt::Display for SelectionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rejected {
                record, attempts, ..
            } => {
                let answers = match attempts.len() {
                    1 => "the answer was".to_owned(),
                    n => format!("all {n} answers were"),
                };
                write!(f, "record {}: {answers} rejected", quoted(record))?;
                let last = attempts.last().map(|attempt| attempt.violations.as_slice());
                for violation in last.unwrap_or_default() {
                    write!(f, "\n    {violation}")?;
                }
                Ok(())
            }
            Self::Transport { record, fault, .. } => {
                write!(f, "record {}: {fault}", quoted(record))
            }
            Self::Unreachable(unreachable) => unreachable.fmt(f),
        }
    }
}

impl std::error::Error for SelectionError {}

/// What is under way (O26).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress<'r> {
    /// The model is asked about a record, for the `call`-th time.
    Asking {
        /// The record's id.
        record: &'r str,
        /// From 1.
        call: u32,
    },
    /// A record is done, whatever came of it.
    Settled {
        /// The record's id.
        record: &'r str,
    },
}
