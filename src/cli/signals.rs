//! Ctrl-C, SIGTERM and SIGHUP: the run ends at once with nothing written, or the commit puts everything back. Once the
//! files are written, the recording is written too before the run ends.

#![allow(clippy::print_stderr)]

use std::sync::Arc;

use crate::pipeline::Interrupt;

/// The exit status of a run that was ended by a signal, as shells have it.
const INTERRUPTED: i32 = 130;

/// Lets signals end the run. Where no handler can be set, the system's own way of ending a program stays.
pub(super) fn heed(interrupt: &Arc<Interrupt>) {
    let interrupt = Arc::clone(interrupt);
    let _ = ctrlc::set_handler(move || {
        if let Some(gate) = interrupt.request() {
            if interrupt.has_written() {
                eprintln!("sedum: interrupted after everything was written");
            } else {
                eprintln!("sedum: interrupted, nothing was written");
            }
            // Kept locked to the end, so that no commit begins.
            std::mem::forget(gate);
            std::process::exit(INTERRUPTED);
        }
    });
}
