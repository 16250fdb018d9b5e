//! `sedum grow`.

use std::collections::BTreeMap;
use std::env::VarError;
use std::mem::ManuallyDrop;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::diag::quoted;
use crate::pipeline::{self, Asking, Config, Outcome, Source, Stop, Surroundings};
use crate::report;
use crate::report::findings;
use crate::report::progress::Meter;
use crate::runlog::RunLog;
use crate::selection::client::{Client, Model, Settings};
use crate::tree::real_path;

use super::args::{DEFAULT_LOG, DEFAULT_RETRIES, GrowArgs, StopAfter};
use super::failure::Failure;
use super::signals;
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
    let shape = Shape {
        json: args.json,
        diff: args.diff,
        check: args.check,
    };
    let meter = Meter::new(Terminal::error_is_terminal() && !args.json && !args.verbose);
    let config = config(args)?;
    let interrupt = Arc::default();
    signals::heed(&interrupt);
    let around = Surroundings {
        log: &log,
        model: client.as_ref().map(|client| client as &dyn Model),
        progress: &|progress| meter.note(&progress),
        interrupt: &interrupt,
    };
    let (outcome, result) = pipeline::grow(&config, &around);
    // The program ends with it, and giving a large one back piece by piece takes longer than writing what is in it.
    let outcome = ManuallyDrop::new(outcome);
    meter.finish();
    if let Err(error) = &result {
        crate::log!(log, "failed: {error}");
    }
    log.flush();
    if shape.json {
        let diff = shape.diff.then(|| diff(&outcome, false));
        terminal.json(&report::json::grow(&outcome, result.as_ref().err(), diff));
    } else {
        warn(&outcome, terminal);
    }
    result.map_err(|error| terminal.run_failed(&error))?;
    if !shape.json {
        print(&outcome, shape, terminal);
    }
    let changed = outcome.changes.as_ref().map_or(0, Vec::len);
    if shape.check && changed > 0 {
        return Err(Failure::failed(format!(
            "{changed} file(s) would change: the tree is not what the run makes"
        )));
    }
    Ok(())
}

/// How the outcome is shown.
#[derive(Clone, Copy)]
struct Shape {
    json: bool,
    diff: bool,
    check: bool,
}

fn print(outcome: &Outcome, shape: Shape, terminal: &mut Terminal) {
    if shape.diff {
        let text = diff(outcome, terminal.out_color());
        terminal.out(&text);
    }
    if !shape.check {
        terminal.out(&report::grow::text(outcome));
        return;
    }
    for change in outcome.changes.iter().flatten() {
        terminal.out(&format!(
            "would change  {}",
            crate::diag::shown(&change.path)
        ));
    }
}

fn diff(outcome: &Outcome, color: bool) -> String {
    let changes = outcome.changes.as_deref().unwrap_or_default();
    report::diff::text(changes, color)
}

/// Flag interplay, before any work (U6-U11, K24).
fn check(args: &GrowArgs) -> Result<(), Failure> {
    let usage = |message: &str| Err(Failure::usage(message));
    check_log(args)?;
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
    if stops_early {
        return Ok(());
    }
    check_environment()?;
    if model(args).is_none_or(|name| name.trim().is_empty()) {
        return usage(
            "--model is required to select actions (or SEDUM_MODEL); --execute replays a recording without a model, --stop-after files stops before selection",
        );
    }
    Ok(())
}

/// A log that goes where a recording is would be lost to it, or it to the log. A terminal, pipe or device takes both.
fn check_log(args: &GrowArgs) -> Result<(), Failure> {
    for (flag, file) in [("--record", &args.record), ("--execute", &args.execute)] {
        let Some(file) = file else { continue };
        let is_file = file.metadata().is_ok_and(|metadata| metadata.is_file());
        if (is_file || !file.exists()) && real_path(file) == real_path(&args.log) {
            return Err(Failure::usage(format!(
                "{flag} and --log both name {}; send the log elsewhere",
                quoted(&file.to_string_lossy())
            )));
        }
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

/// The model's name; the flag wins (U5).
fn model(args: &GrowArgs) -> Option<String> {
    let named = || std::env::var("SEDUM_MODEL").ok();
    args.model.clone().or_else(named)
}

/// What is no text would be taken for unset, and the key sent to another place than the one that was meant.
fn check_environment() -> Result<(), Failure> {
    for name in [
        "SEDUM_MODEL",
        "OPENAI_BASE_URL",
        "OPENAI_API_KEY",
        "SEDUM_MAX_COMPLETION_TOKENS",
    ] {
        if let Err(VarError::NotUnicode(_)) = std::env::var(name) {
            return Err(Failure::usage(format!(
                "{name} is not UTF-8 text; set it anew, or unset it"
            )));
        }
    }
    Ok(())
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
    let model = model(args);
    let settings = Settings::from_environment(model.as_deref(), timeout, &environment)
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
    let failed = |why: String| {
        Failure::failed(format!(
            "the run log {} cannot be written: {why}; --log chooses another place",
            quoted(&args.log.to_string_lossy())
        ))
    };
    if args.log == Path::new(DEFAULT_LOG) {
        plain(&args.log).map_err(failed)?;
    }
    RunLog::open(&args.log, mirror).map_err(|error| failed(error.to_string()))
}

/// Nobody chose the default place, so what lies there may be a trap: a link would have the log written over the file
/// that it leads to.
fn plain(log: &Path) -> Result<(), String> {
    let folder = log.parent().map(|parent| (parent, true));
    for (path, is_folder) in folder.into_iter().chain([(log, false)]) {
        let Ok(metadata) = path.symlink_metadata() else {
            continue;
        };
        let fits = if is_folder {
            metadata.is_dir()
        } else {
            metadata.is_file()
        };
        if !fits {
            let kind = if is_folder { "folder" } else { "regular file" };
            return Err(format!(
                "{} is not a {kind}",
                quoted(&path.to_string_lossy())
            ));
        }
    }
    Ok(())
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
        dry_run: args.dry_run || args.check,
        stop: args.stop_after.map(stop_of),
        record: args.record,
        log: Some(args.log),
        lock_timeout: Duration::from_secs(args.lock_timeout),
        sync: args.sync,
        keep_changes: args.diff || args.check,
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
    let drawing = terminal.drawing();
    for finding in &outcome.findings {
        terminal.err(&findings::shown_finding(finding, drawing));
    }
    for warning in &outcome.warnings {
        terminal.warning(&findings::shown_problem(warning, drawing));
    }
}
