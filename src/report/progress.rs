//! Progress on a terminal while a run takes longer than half a second (O26).

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::diag::shown;
use crate::selection::converse::Progress;

const DELAY: Duration = Duration::from_millis(500);
const TICK: Duration = Duration::from_millis(120);

/// A line on stderr that says what the run is doing; without a terminal it draws nothing.
pub struct Meter {
    bar: ProgressBar,
    state: Mutex<State>,
    ended: Arc<Mutex<bool>>,
}

#[derive(Default)]
struct State {
    settled: usize,
    /// The calls in flight: record to attempt.
    asking: BTreeMap<String, u32>,
}

impl Meter {
    /// A meter; `visible` says whether stderr is a terminal that may be drawn on.
    pub fn new(visible: bool) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
            bar.set_style(style);
        }
        bar.set_message("working");
        let ended = Arc::new(Mutex::new(false));
        if visible {
            let (bar, ended) = (bar.clone(), Arc::clone(&ended));
            std::thread::spawn(move || {
                std::thread::sleep(DELAY);
                // Held while the line is first drawn, so that it cannot come after the end.
                if let Ok(ended) = ended.lock()
                    && !*ended
                {
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                    bar.enable_steady_tick(TICK);
                }
            });
        }
        Self {
            bar,
            state: Mutex::new(State::default()),
            ended,
        }
    }

    /// Takes note of what phase 4 does.
    pub fn note(&self, progress: &Progress<'_>) {
        let Ok(mut state) = self.state.lock() else {
            return;
        };
        match progress {
            Progress::Asking { record, call } => {
                state.asking.insert((*record).to_owned(), *call);
            }
            Progress::Settled { record } => {
                state.asking.remove(*record);
                state.settled += 1;
            }
        }
        let calls: Vec<_> = state
            .asking
            .iter()
            .map(|(record, call)| format!("{} (attempt {call})", shown(record)))
            .collect();
        let message = format!(
            "{} record(s) done; asking for {}",
            state.settled,
            calls.join(", ")
        );
        self.bar.set_message(if calls.is_empty() {
            format!("{} record(s) done", state.settled)
        } else {
            message
        });
    }

    /// Takes the line away.
    pub fn finish(&self) {
        if let Ok(mut ended) = self.ended.lock() {
            *ended = true;
        }
        self.bar.finish_and_clear();
    }
}
