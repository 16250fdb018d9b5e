//! `sedum resolve`.

use std::collections::BTreeMap;

use crate::pipeline::{self, Outcome, RunError};
use crate::record;
use crate::report;
use crate::resolve::{self, Resolved, Variables};

use super::args::ResolveArgs;
use super::failure::Failure;
use super::grow::{variables, warn};
use super::terminal::Terminal;

/// Phases 0 to 2, and rendering; reads nothing but the two directories (U16).
pub(super) fn run(args: &ResolveArgs, terminal: &mut Terminal) -> Result<(), Failure> {
    let flags = variables(&args.var)?;
    let mut outcome = Outcome::default();
    let result = decide(args, &flags, &mut outcome);
    if args.json {
        terminal.json(&report::json::resolve(&outcome, result.as_ref().err()));
    } else {
        warn(&outcome, terminal);
    }
    result.map_err(|error| terminal.run_failed(&error))?;
    if args.json {
        return Ok(());
    }
    terminal.out(&report::resolve::text(&outcome));
    Ok(())
}

fn decide(
    args: &ResolveArgs,
    flags: &BTreeMap<String, String>,
    outcome: &mut Outcome,
) -> Result<(), RunError> {
    let packages = pipeline::load_packages(&args.generators.generators, outcome)?;
    let ingested = record::ingest(&args.records, &args.only)?;
    outcome.warnings.extend(ingested.warnings);
    let resolution = resolve::resolve(&packages, &ingested.set, &args.lang)
        .map_err(|problems| RunError::problems("paths cannot be resolved", problems))?;
    outcome.warnings.extend(resolution.warnings);
    let records = resolution.records;
    let used: Vec<_> = packages
        .iter()
        .filter(|package| {
            let uses = |r: &Resolved<'_>| r.files.iter().any(|f| f.package.name == package.name);
            records.iter().any(uses)
        })
        .collect();
    let variables = Variables::bind(&packages, &used, flags, &BTreeMap::new())
        .map_err(|problems| RunError::problems("run variables are not bound", problems))?;
    outcome.describe(&records, args.show_template.then_some(&variables));
    Ok(())
}
