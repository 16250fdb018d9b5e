//! Whose turn it is, and the outcomes in the order of the records whatever order they come in (D27, Y32).

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::runlog::RunLog;

use super::Outcomes;
use super::outcome::{Selection, SelectionError};

/// Records that wait for their turn, and what came of those that had it.
pub(super) struct Queue {
    next: AtomicUsize,
    stopped: AtomicBool,
    done: Mutex<Done>,
}

struct Done {
    outcomes: Outcomes,
    lines: Vec<Vec<String>>,
    logged: usize,
}

impl Queue {
    /// A queue of so many records.
    pub(super) fn new(length: usize) -> Self {
        Self {
            next: AtomicUsize::new(0),
            stopped: AtomicBool::new(false),
            done: Mutex::new(Done {
                outcomes: (0..length).map(|_| None).collect(),
                lines: vec![Vec::new(); length],
                logged: 0,
            }),
        }
    }

    /// The next record, unless there is none or a transport fault has ended the calling (D27).
    pub(super) fn next(&self) -> Option<usize> {
        (!self.stopped.load(Ordering::SeqCst)).then(|| self.next.fetch_add(1, Ordering::SeqCst))
    }

    /// Puts down an outcome, and writes the lines of every record whose predecessors are all done.
    pub(super) fn finish(
        &self,
        index: usize,
        outcome: Result<Selection, SelectionError>,
        lines: Vec<String>,
        log: &RunLog,
    ) {
        if matches!(outcome, Err(SelectionError::Transport { .. })) {
            self.stopped.store(true, Ordering::SeqCst);
        }
        let mut guard = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        let done = &mut *guard;
        if let (Some(outcomes), Some(held)) =
            (done.outcomes.get_mut(index), done.lines.get_mut(index))
        {
            *outcomes = Some(outcome);
            *held = lines;
        }
        while matches!(done.outcomes.get(done.logged), Some(Some(_))) {
            let held = done.lines.get_mut(done.logged).map(std::mem::take);
            for line in held.unwrap_or_default() {
                log.line(line);
            }
            done.logged += 1;
        }
    }

    /// The outcomes, once every thread is done.
    pub(super) fn into_outcomes(self) -> Outcomes {
        let done = self.done.into_inner();
        done.unwrap_or_else(PoisonError::into_inner).outcomes
    }
}
