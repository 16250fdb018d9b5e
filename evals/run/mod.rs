//! `run`: ask a model, sample by sample, and store what comes (H17-H23, H64-H66).
//!
//! The plan is made and printed before the first call; budgets are looked at before each sample, so that a run ends
//! between two of them. No rate makes a run fail (H2): only a row without any scored sample does.

mod budget;
mod plan;
mod server;
mod take;

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use sedum::selection::client::Settings;

use super::cli::RunArgs;
use super::clock;
use super::failure::Failure;
use super::home::Home;
use super::sample::{Line, Outcome, Resolution};
use super::store::Store;
use super::table;
use budget::Budget;
use plan::Row;

/// So many samples in a row that did not reach the model end a run.
const MOST_FAILURES: u32 = 3;

/// Carries the command out; `say` prints a line.
pub fn run(args: &RunArgs, home: &Home, say: &(dyn Fn(&str) + Sync)) -> Result<(), Failure> {
    let fixtures = home.fixtures(&args.cases)?;
    let settings = settings(args)?;
    let state = super::repository::state(home.folder())?;
    if !state.dirty.is_empty() && !args.dirty && !args.plan {
        return Err(Failure::usage(format!(
            "the checkout has changes that are not committed, {} among them: commit them, or pass --dirty and have a run \
             that is compared with nothing",
            state.dirty.first().map_or("", String::as_str)
        )));
    }
    let store = home.store();
    let stored = store.read()?;
    for warning in &stored.unreadable {
        say(&format!("warning: {warning}"));
    }
    // Only a run that asks needs to know who answers.
    let reported = if args.plan {
        None
    } else {
        Some(server::reported(&settings)?)
    };
    let rows = plan::rows(
        args,
        &fixtures,
        &settings,
        &state,
        reported.as_ref(),
        &stored,
    )?;
    plan::print(args, &rows, say);
    if args.plan {
        return Ok(());
    }
    for row in rows.iter().filter(|row| !row.todo.is_empty()) {
        store.append(&row.head.case, &Line::Run(Box::new(row.head.clone())))?;
    }
    let stopped = Work {
        settings: &settings,
        store: &store,
        budget: Budget::new(args),
        queue: Mutex::new(queue(&rows)),
        failures: AtomicU32::new(0),
        stop: AtomicBool::new(false),
        fault: Mutex::default(),
        why: Mutex::default(),
        say,
    }
    .carry_out(args.jobs)?;
    finish(&rows, &store, stopped.as_deref(), args, say)
}

fn settings(args: &RunArgs) -> Result<Settings, Failure> {
    let env = |name: &str| match name {
        "OPENAI_BASE_URL" if args.endpoint.is_some() => args.endpoint.clone(),
        "SEDUM_MAX_COMPLETION_TOKENS" => Some(args.max_completion_tokens.to_string()),
        name => std::env::var(name).ok(),
    };
    Settings::from_environment(Some(&args.served), Duration::from_secs(args.timeout), &env)
        .map_err(|fault| Failure::usage(fault.to_string()))
}

/// Every sample of every row, row by row, so that a server can keep what a case's prompts have in common.
fn queue<'r>(rows: &'r [Row<'r>]) -> VecDeque<(&'r Row<'r>, u32)> {
    rows.iter()
        .flat_map(|row| row.todo.iter().map(move |n| (row, *n)))
        .collect()
}

/// What the workers of a run share.
struct Work<'a> {
    settings: &'a Settings,
    store: &'a Store,
    budget: Budget,
    queue: Mutex<VecDeque<(&'a Row<'a>, u32)>>,
    failures: AtomicU32,
    stop: AtomicBool,
    fault: Mutex<Option<Failure>>,
    why: Mutex<Option<String>>,
    say: &'a (dyn Fn(&str) + Sync),
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Work<'_> {
    /// Takes every sample of the queue; the reason when it ended before the queue did.
    fn carry_out(self, jobs: usize) -> Result<Option<String>, Failure> {
        thread::scope(|scope| {
            for _ in 1..jobs {
                scope.spawn(|| self.work());
            }
            self.work();
        });
        let fault = lock(&self.fault).take();
        match fault {
            Some(fault) => Err(fault),
            None => Ok(lock(&self.why).take()),
        }
    }

    fn work(&self) {
        while !self.stop.load(Ordering::SeqCst) {
            if let Some(why) = self.budget.spent() {
                return self.end(Some(why), None);
            }
            let Some((row, n)) = lock(&self.queue).pop_front() else {
                return;
            };
            if let Err(fault) = self.one(row, n) {
                return self.end(None, Some(fault));
            }
        }
    }

    fn one(&self, row: &Row<'_>, n: u32) -> Result<(), Failure> {
        let sample = take::take(row, n, self.settings, self.store)?;
        self.budget.spend(&sample);
        let line = format!(
            "{} {} {} {} {n}/{}: {}, {} call(s), {:.1} s{}",
            clock::now(),
            row.head.run,
            row.head.arm.name(),
            row.head.factors.label(),
            row.head.planned,
            sample.outcome.name(),
            sample.attempts.len(),
            Duration::from_millis(sample.wall_ms).as_secs_f64(),
            sample
                .error
                .as_ref()
                .map_or_else(String::new, |e| format!("; {e}")),
        );
        (self.say)(&line);
        let failed = sample.outcome == Outcome::Failed;
        self.store
            .append(&row.head.case, &Line::Sample(Box::new(sample)))?;
        if !failed {
            self.failures.store(0, Ordering::SeqCst);
        } else if self.failures.fetch_add(1, Ordering::SeqCst) + 1 >= MOST_FAILURES {
            return Err(Failure::server(format!(
                "{MOST_FAILURES} samples in a row did not reach the model; what was stored stays, and --resume takes them \
                 again"
            )));
        }
        Ok(())
    }

    fn end(&self, why: Option<String>, fault: Option<Failure>) {
        self.stop.store(true, Ordering::SeqCst);
        if let Some(why) = why {
            lock(&self.why).get_or_insert(why);
        }
        if let Some(fault) = fault {
            lock(&self.fault).get_or_insert(fault);
        }
    }
}

/// Tells what there is now, and fails when a row has nothing at all.
fn finish(
    rows: &[Row<'_>],
    store: &Store,
    stopped: Option<&str>,
    args: &RunArgs,
    say: &(dyn Fn(&str) + Sync),
) -> Result<(), Failure> {
    let stored = store.read()?;
    let mut bare = Vec::new();
    for row in rows {
        let run = stored.runs.iter().find(|run| run.head.run == row.head.run);
        match run {
            Some(run) if run.counted().next().is_some() => {
                say("");
                say(&table::of_run(run, &row.fixture.case));
            }
            _ => bare.push(row.head.run.as_str()),
        }
    }
    if args.resolution == Resolution::Smoke {
        say("a smoke run: whether it works at all; never to be cited as a measurement (H18)");
    }
    if let Some(why) = stopped {
        say(&format!("stopped: {why}; --resume goes on"));
        return Ok(());
    }
    if bare.is_empty() {
        Ok(())
    } else {
        Err(Failure::failed(format!(
            "no sample was scored of: {}",
            sedum::diag::listed(bare)
        )))
    }
}
