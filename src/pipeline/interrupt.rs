//! The wish of the person who started a run that it ends now.
//!
//! Until the commit a run may simply stop, for nothing has been written. During the commit it has to put everything
//! back first (X31). The gate tells the two apart without a race.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Shared between a run and whoever hears the signal.
#[derive(Debug, Default)]
pub struct Interrupt {
    wanted: AtomicBool,
    gate: Mutex<()>,
}

impl Interrupt {
    /// Asks the run to end. `Some`: it is not committing, and cannot begin to while the guard lives, so the program may
    /// exit at once. `None`: the commit puts everything back and the run ends by itself.
    pub fn request(&self) -> Option<MutexGuard<'_, ()>> {
        self.wanted.store(true, Ordering::SeqCst);
        self.gate.try_lock().ok()
    }

    /// Whether the run was asked to end.
    pub fn wanted(&self) -> &AtomicBool {
        &self.wanted
    }

    /// Held while the run commits.
    pub(super) fn committing(&self) -> MutexGuard<'_, ()> {
        self.gate.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
