//! `sedum grow`.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::diag::quoted;
use crate::pipeline::{self, Asking, Config, Outcome, Source, Stop, Surroundings};
use crate::report;
use crate::runlog::RunLog;
use crate::selection::client::{Client, Model, Settings};

use super::args::{DEFAULT_RETRIES, GrowArgs, StopAfter};
use super::failure::Failure;
use super::terminal::Terminal;

/// Carries the run out and prints its report.
pub(super) fn run(args: GrowArgs, terminal: &mut Terminal) -> Result<(), Failure> {
    check(&args)?;
    for flag in ignored(&args) {
        terminal.warning(&format!("{flag} is ignored with --execute"));
    }
    variables(&args.var)?;
    let client = client(&args)?;
    let log = open_log(&args)?;
    let config = config(args)?;
    let interrupted = AtomicBool::new(false);
    let around = Surroundings {
        log: &log,
        model: client.as_ref().map(|client| client as &dyn Model),
        progress: &|_| {},
        interrupted: &interrupted,
    };
    let (outcome, result) = pipeline::grow(&config, &around);
    if let Err(error) = &result {
        crate::log!(log, "failed: {error}");
    }
    log.flush();
    warn(&outcome, terminal);
    match result {
        Ok(()) => {
            terminal.out(&report::grow::text(&outcome));
            Ok(())
        }
        Err(error) => Err(error.into()),
    }
}

/// Flag interplay, before any work (U6-U11, K24).
fn check(args: &GrowArgs) -> Result<(), Failure> {
    let usage = |message: &str| Err(Failure::usage(message));
    if args.execute.is_some() {
        if args.stop_after == Some(StopAfter::Resolution) {
            return usage(
                "--stop-after resolution does not go with --execute: a replay starts with its paths resolved; `sedum resolve` shows resolution",
            );
        }
        return Ok(());
    }
    if args.records.is_none() {
        return usage("--records is required unless --execute replays a recording");
    }
    let stops_early = matches!(
        args.stop_after,
        Some(StopAfter::Resolution | StopAfter::Files)
    );
    if let Some(stop) = args.stop_after
        && !stops_early
        && args.record.is_none()
    {
        return usage(&format!(
            "--stop-after {} needs --record FILE: without it the selection would be lost",
            stop_of(stop).name()
        ));
    }
    if !stops_early
        && args
            .model
            .as_deref()
            .is_none_or(|name| name.trim().is_empty())
    {
        return usage(
            "--model is required to select actions (or SEDUM_MODEL); --execute replays a recording without a model, --stop-after files stops before selection",
        );
    }
    Ok(())
}

/// U10.
fn ignored(args: &GrowArgs) -> Vec<&'static str> {
    if args.execute.is_none() {
        return Vec::new();
    }
    [
        ("--lang", !args.lang.is_empty()),
        ("--model", args.model.is_some()),
        ("--retries", args.retries != DEFAULT_RETRIES),
        ("--jobs", args.jobs != 1),
        ("--full-catalog", args.full_catalog),
        ("--response-schema", args.response_schema),
    ]
    .into_iter()
    .filter_map(|(flag, given)| given.then_some(flag))
    .collect()
}

/// The model's client, when the run comes to phase 4 (K33, K34).
fn client(args: &GrowArgs) -> Result<Option<Client>, Failure> {
    let selects = args.execute.is_none()
        && !matches!(
            args.stop_after,
            Some(StopAfter::Resolution | StopAfter::Files)
        );
    if !selects {
        return Ok(None);
    }
    let environment = |name: &str| std::env::var(name).ok();
    let timeout = Duration::from_secs(args.timeout);
    let settings = Settings::from_environment(args.model.as_deref(), timeout, &environment)
        .map_err(|error| Failure::usage(error.to_string()))?;
    let client = Client::new(settings).map_err(|fault| Failure {
        message: fault.to_string(),
        status: 3,
    })?;
    Ok(Some(client))
}

fn stop_of(stop: StopAfter) -> Stop {
    match stop {
        StopAfter::Resolution => Stop::Resolution,
        StopAfter::Files => Stop::Files,
        StopAfter::Invocations => Stop::Invocations,
        StopAfter::Expansion => Stop::Expansion,
    }
}

fn open_log(args: &GrowArgs) -> Result<RunLog, Failure> {
    let mirror: Option<Box<dyn std::io::Write + Send>> = if args.verbose {
        Some(Box::new(std::io::stdout()))
    } else {
        None
    };
    RunLog::open(&args.log, mirror).map_err(|error| {
        Failure::failed(format!(
            "the run log {} cannot be written: {error}; --log chooses another place",
            quoted(&args.log.to_string_lossy())
        ))
    })
}

fn config(args: GrowArgs) -> Result<Config, Failure> {
    Ok(Config {
        generators: args.generators.generators,
        records: args.records,
        output: args.output,
        lang: args.lang,
        only: args.only,
        vars: variables(&args.var)?,
        source: args.execute.map_or(Source::Model, Source::Recording),
        dry_run: args.dry_run,
        stop: args.stop_after.map(stop_of),
        record: args.record,
        lock_timeout: Duration::from_secs(args.lock_timeout),
        sync: false,
        keep_changes: false,
        asking: Asking {
            retries: args.retries,
            jobs: args.jobs,
            full_catalog: args.full_catalog,
            response_schema: args.response_schema,
        },
    })
}

/// V2: `name=value`, split at the first `=`.
pub(super) fn variables(given: &[String]) -> Result<BTreeMap<String, String>, Failure> {
    let mut variables = BTreeMap::new();
    for text in given {
        let (name, value) = match text.split_once('=') {
            Some((name, value)) if !name.is_empty() => (name, value),
            _ => {
                return Err(Failure::usage(format!(
                    "--var {}: expected NAME=VALUE",
                    quoted(text)
                )));
            }
        };
        if variables
            .insert(name.to_owned(), value.to_owned())
            .is_some()
        {
            return Err(Failure::usage(format!(
                "--var {} is given twice",
                quoted(name)
            )));
        }
    }
    Ok(variables)
}

/// Warnings to stderr: the packages' findings, then the run's own.
pub(super) fn warn(outcome: &Outcome, terminal: &mut Terminal) {
    for finding in &outcome.findings {
        terminal.err(&finding.to_string());
    }
    for warning in &outcome.warnings {
        terminal.warning(&warning.to_string());
    }
}
