//! The plan of a run: its rows, what of them is there already, and how long it may take (H17, H20, H66).
//!
//! Everything that would make a row worthless is refused here, before the first call.

use serde_json::Value as Json;

use sedum::diag::{listed, quoted};
use sedum::selection::client::Settings;

use super::super::case::{Arm, Case, ModelRow};
use super::super::cli::RunArgs;
use super::super::clock;
use super::super::failure::Failure;
use super::super::fixture::Fixture;
use super::super::repository::State;
use super::super::sample::{Factors, Head, Outcome, Resolution, SCHEMA};
use super::super::store::Stored;
use super::server;

/// The least that a ceiling is, in seconds (H66).
const LEAST_CEILING: u64 = 15 * 60;

/// One row: a case, a model, an arm, under one set of factors.
#[derive(Debug)]
pub struct Row<'f> {
    /// The fixture.
    pub fixture: &'f Fixture,
    /// What its samples have in common.
    pub head: Head,
    /// The samples that are not there yet.
    pub todo: Vec<u32>,
}

/// The rows of a command.
pub fn rows<'f>(
    args: &RunArgs,
    fixtures: &'f [Fixture],
    settings: &Settings,
    state: &State,
    reported: Option<&Json>,
    stored: &Stored,
) -> Result<Vec<Row<'f>>, Failure> {
    let planned = samples(args)?;
    let mut rows = Vec::new();
    for fixture in fixtures {
        let case = &fixture.case;
        let model = model(args, case)?;
        if let Some(reported) = reported {
            held_to(&model, reported)?;
        }
        if !case.arms.contains(&args.arm) {
            // A case that has no such arm is no part of the command, unless it was named.
            if args.cases.is_empty() {
                continue;
            }
            return Err(Failure::usage(format!(
                "case {} has no arm {}",
                quoted(&case.id),
                args.arm.name()
            )));
        }
        let factors = factors(args, case, planned)?;
        let mut head = Head {
            schema: SCHEMA,
            run: String::new(),
            case: case.id.clone(),
            model,
            arm: args.arm,
            factors,
            retries: args.retries,
            resolution: args.resolution,
            planned,
            jobs: args.jobs,
            max_completion_tokens: settings.max_completion_tokens,
            tool: sedum::VERSION.to_owned(),
            commit: state.commit.clone(),
            clean: state.dirty.is_empty(),
            dirty: state.dirty.clone(),
            digest: fixture.digest.clone(),
            material: fixture.material.clone(),
            endpoint: server::base(settings),
            asked_for: args.served.clone(),
            reported: reported.filter(|told| !told.is_null()).cloned(),
            time: clock::now(),
        };
        head.run = head.identify();
        let known = stored.runs.iter().find(|run| run.head.run == head.run);
        let is_done = |n: &u32| {
            let sample = known.and_then(|run| run.samples.get(n));
            sample.is_some_and(|sample| sample.outcome != Outcome::Failed)
        };
        let todo: Vec<u32> = (1..=planned).filter(|n| !is_done(n)).collect();
        if known.is_some_and(|run| !run.samples.is_empty()) && !args.resume {
            return Err(Failure::usage(format!(
                "the run {} is there already: pass --resume to add what it lacks",
                quoted(&head.run)
            )));
        }
        rows.push(Row {
            fixture,
            head,
            todo,
        });
    }
    if rows.is_empty() {
        return Err(Failure::usage(format!(
            "no case has the arm {}",
            args.arm.name()
        )));
    }
    Ok(rows)
}

/// H17: no fewer than the resolution says; smoke is exempt.
fn samples(args: &RunArgs) -> Result<u32, Failure> {
    let least = args.resolution.samples();
    let samples = args.samples.unwrap_or(least);
    if samples == 0 || (samples < least && args.resolution != Resolution::Smoke) {
        return Err(Failure::usage(format!(
            "--samples {samples} is less than the {least} of a {} run: take more, or a lower --resolution",
            args.resolution.name()
        )));
    }
    Ok(samples)
}

fn model(args: &RunArgs, case: &Case) -> Result<ModelRow, Failure> {
    case.model(&args.model).cloned().ok_or_else(|| {
        Failure::usage(format!(
            "case {} declares no model {}; it has: {}",
            quoted(&case.id),
            quoted(&args.model),
            listed(case.models.iter().map(ModelRow::label))
        ))
    })
}

/// H13: a row is filled by the model that it names.
fn held_to(model: &ModelRow, reported: &Json) -> Result<(), Failure> {
    let (Some(part), Some(id)) = (&model.reports, reported.get("id").and_then(Json::as_str)) else {
        return Ok(());
    };
    if id.to_lowercase().contains(&part.to_lowercase()) {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "the server has the model {}, and {} is reported with {} in its name: ask the right server, or name the row that \
         it is",
        quoted(id),
        quoted(&model.label()),
        quoted(part)
    )))
}

fn factors(args: &RunArgs, case: &Case, planned: u32) -> Result<Factors, Failure> {
    if args.arm == Arm::Baseline {
        let given = [
            (args.response_schema, "--response-schema"),
            (args.full_catalog, "--full-catalog"),
            (args.shuffle.is_some(), "--shuffle"),
            (args.retries > 0, "--retries"),
        ];
        if let Some((_, flag)) = given.iter().find(|(given, _)| *given) {
            return Err(Failure::usage(format!(
                "{flag} has no meaning in the baseline arm: it has one call and no catalog (H49)"
            )));
        }
    }
    let count = case.wording_count();
    if let Some(fixed) = args.wording.filter(|at| *at == 0 || *at > count) {
        return Err(Failure::usage(format!(
            "case {} has the wordings 1 to {count}, and no {fixed}",
            quoted(&case.id)
        )));
    }
    let distinct = if args.wording.is_some() { 1 } else { count };
    if args.temperature == 0.0 && args.shuffle.is_none() && planned as usize > distinct {
        return Err(Failure::usage(format!(
            "case {} has {distinct} wording(s) to ask, and {planned} samples at temperature 0 would ask one of them twice: \
             take fewer, or vary something (--temperature and --seed, --shuffle)",
            quoted(&case.id)
        )));
    }
    Ok(Factors {
        response_schema: args.response_schema,
        full_catalog: args.full_catalog,
        temperature: args.temperature,
        seed: args.seed,
        wording: args
            .wording
            .map_or_else(|| "each".to_owned(), |at| at.to_string()),
        shuffle: args.shuffle,
    })
}

/// Prints the plan: every row, what it lacks, and how long that may take.
pub fn print(args: &RunArgs, rows: &[Row<'_>], say: &(dyn Fn(&str) + Sync)) {
    let mut expected = 0;
    for row in rows {
        let lacking = row.todo.len() as u64;
        expected += lacking * u64::from(row.fixture.case.per_sample);
        say(&format!(
            "{}  {} {} {}: {} sample(s) to take, {} there",
            row.head.run,
            row.head.model.id,
            row.head.arm.name(),
            row.head.factors.label(),
            lacking,
            u64::from(row.head.planned).saturating_sub(lacking)
        ));
    }
    // A rejected answer is asked for again, and a valid one may be asked about.
    let worst = u64::from(args.retries) + 2;
    let ceiling = (expected * worst * 2).max(LEAST_CEILING);
    say(&format!(
        "expected: about {} min; at worst, by the same measure: {} min{}",
        expected.div_ceil(60),
        ceiling.div_ceil(60),
        args.max_minutes.map_or_else(String::new, |minutes| format!(
            "; stopped after {minutes} min (given)"
        ))
    ));
}
