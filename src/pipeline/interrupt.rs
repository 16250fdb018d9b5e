//! The wish of the person who started a run that it ends now.
//!
//! Until the commit a run may simply stop, for nothing has been written. During the commit it has to put everything
//! back first (X31). The gate tells the two apart without a race.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::tree::Release;

/// Shared between a run and whoever hears the signal.
#[derive(Debug, Default)]
pub struct Interrupt {
    wanted: AtomicBool,
    written: AtomicBool,
    gate: Mutex<()>,
    release: Mutex<Option<Release>>,
}

impl Interrupt {
    /// Asks the run to end. `Some`: it is not writing, and cannot begin to while the guard lives, so the program may exit at
    /// once. `None`: the run ends by itself, after the commit has put everything back, or after it has written all that it
    /// was to write.
    pub fn request(&self) -> Option<MutexGuard<'_, ()>> {
        self.wanted.store(true, Ordering::SeqCst);
        let gate = self.gate.try_lock().ok()?;
        let mut release = self.release.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(release) = release.take() {
            release.now();
        }
        Some(gate)
    }

    /// The run is on an output directory, which an exit has to leave as it was.
    pub(super) fn entered(&self, release: Option<Release>) {
        *self.release.lock().unwrap_or_else(PoisonError::into_inner) = release;
    }

    /// Whether the run was asked to end.
    pub fn wanted(&self) -> &AtomicBool {
        &self.wanted
    }

    /// Whether the run has written what it was to write.
    pub fn has_written(&self) -> bool {
        self.written.load(Ordering::SeqCst)
    }

    /// Held while the run writes: the files, the recording.
    pub(super) fn writing(&self) -> MutexGuard<'_, ()> {
        self.gate.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The files are written, or in a dry run the recording.
    pub(super) fn wrote(&self) {
        self.written.store(true, Ordering::SeqCst);
    }
}
