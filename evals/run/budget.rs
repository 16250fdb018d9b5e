//! What a run may cost: calls, tokens, minutes. Looked at between samples, so that a run ends cleanly.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::super::cli::RunArgs;
use super::super::sample::Sample;

/// The limits of a run and what it has used of them.
#[derive(Debug)]
pub struct Budget {
    calls: Option<u64>,
    tokens: Option<u64>,
    until: Option<Instant>,
    used_calls: AtomicU64,
    used_tokens: AtomicU64,
    /// Whether a server did not say how many tokens a call took.
    uncounted: AtomicBool,
}

impl Budget {
    /// The limits of the command line.
    pub fn new(args: &RunArgs) -> Self {
        let minutes = args
            .max_minutes
            .map(|minutes| Duration::from_secs(minutes * 60));
        Self {
            calls: args.max_calls,
            tokens: args.max_tokens,
            until: minutes.and_then(|limit| Instant::now().checked_add(limit)),
            used_calls: AtomicU64::new(0),
            used_tokens: AtomicU64::new(0),
            uncounted: AtomicBool::new(false),
        }
    }

    /// Counts a sample.
    pub fn spend(&self, sample: &Sample) {
        for attempt in &sample.attempts {
            self.used_calls.fetch_add(1, Ordering::SeqCst);
            match attempt.usage {
                Some(usage) => {
                    let tokens = usage.prompt + usage.completion;
                    self.used_tokens.fetch_add(tokens, Ordering::SeqCst);
                }
                None if attempt.answer.is_some() => self.uncounted.store(true, Ordering::SeqCst),
                None => {}
            }
        }
    }

    /// Which limit is reached.
    pub fn spent(&self) -> Option<String> {
        let calls = self.used_calls.load(Ordering::SeqCst);
        let tokens = self.used_tokens.load(Ordering::SeqCst);
        if self.calls.is_some_and(|limit| calls >= limit) {
            return Some(format!("the budget of calls is used, {calls}"));
        }
        if self.tokens.is_some() && self.uncounted.load(Ordering::SeqCst) {
            return Some(
                "the server does not report tokens, so --max-tokens cannot be kept".to_owned(),
            );
        }
        if self.tokens.is_some_and(|limit| tokens >= limit) {
            return Some(format!("the budget of tokens is used, {tokens}"));
        }
        let is_late = self.until.is_some_and(|until| Instant::now() >= until);
        is_late.then(|| "the budget of minutes is used".to_owned())
    }
}
