//! Tables for the terminal. A rate never stands without its sample size, model and commit (H3).

use std::fmt::Write as _;

use super::case::Case;
use super::rate::{self, Rate};
use super::sample::Resolution;
use super::signals;
use super::store::Run;

/// What a run costs; an item that some call did not report is none (H32, H59).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Calls.
    pub calls: u64,
    /// Tokens of prompts.
    pub prompt: Option<u64>,
    /// Tokens of answers.
    pub completion: Option<u64>,
    /// Time of all calls.
    pub wall_ms: u64,
}

/// The cost of a run's samples that reached the model.
pub fn cost(run: &Run) -> Cost {
    let attempts: Vec<_> = run.counted().flat_map(|sample| &sample.attempts).collect();
    let sum = |of: fn(&super::sample::Usage) -> u64| -> Option<u64> {
        let counts = attempts
            .iter()
            .map(|attempt| attempt.usage.as_ref().map(of));
        let counts: Option<Vec<u64>> = counts.collect();
        counts
            .filter(|all| !all.is_empty())
            .map(|all| all.iter().sum())
    };
    Cost {
        calls: attempts.len() as u64,
        prompt: sum(|usage| usage.prompt),
        completion: sum(|usage| usage.completion),
        wall_ms: attempts.iter().map(|attempt| attempt.latency_ms).sum(),
    }
}

/// A commit as it is shown: seven digits, and a star for a checkout that differed from it.
pub fn commit(run: &Run) -> String {
    let hash = run.head.commit.as_deref().unwrap_or("none");
    let star = if run.head.clean { "" } else { "*" };
    format!("{}{star}", hash.get(..7).unwrap_or(hash))
}

/// A run with every signal.
pub fn of_run(run: &Run, case: &Case) -> String {
    let head = &run.head;
    let mut out = format!(
        "{} | {} | {} | {} | commit {} | {} of {} sample(s) scored\n",
        head.case,
        head.model.label(),
        head.arm.name(),
        head.factors.label(),
        commit(run),
        run.counted().count(),
        run.samples.len()
    );
    if head.resolution == Resolution::Smoke {
        out.push_str("  a smoke run, not a measurement\n");
    }
    for signal in &signals::ALL {
        let rate = rate::of(run, case, signal);
        let why = match &rate {
            Rate::Undefined(why) => format!("not defined: {why}"),
            Rate::Unrecorded(why) => format!("not recorded: {why}"),
            Rate::Counted(counted) => format!("{}s", counted.unit.name()),
        };
        let _ = writeln!(out, "  {:<26} {:<18} {why}", signal.name, rate.shown());
    }
    let cost = cost(run);
    let tokens =
        |count: Option<u64>| count.map_or_else(|| "none reported".to_owned(), |n| n.to_string());
    let _ = write!(
        out,
        "  {} call(s); tokens of prompts: {}, of answers: {}; {:.0} s",
        cost.calls,
        tokens(cost.prompt),
        tokens(cost.completion),
        std::time::Duration::from_millis(cost.wall_ms).as_secs_f64()
    );
    out
}
