//! A command that did not succeed: what to print and the exit status.

use crate::genpkg::LoadError;

/// Why a command failed.
#[derive(Debug)]
pub(super) struct Failure {
    /// Printed once, behind `sedum: `; empty when everything is said already.
    pub message: String,
    /// The exit status (U3).
    pub status: u8,
}

impl Failure {
    /// A run, validation or check that failed.
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
}

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Self {
        Self::failed(error.to_string())
    }
}
