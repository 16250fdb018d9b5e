//! `history`: every run of a case under one key, oldest first, with what keeps two of them apart (H61-H63).
//!
//! It reads files and writes none. A key is model, arm, factors; within it a run with another fixture or another
//! number of re-prompts begins a new chain.

use std::collections::BTreeMap;

use sedum::diag::{listed, quoted};

use super::case::Case;
use super::failure::Failure;
use super::home::Home;
use super::rate;
use super::sample::Resolution;
use super::signals;
use super::store::Run;
use super::table;

/// What a mark says; a legend is printed for the marks that were used.
const LEGEND: [(char, &str); 4] = [
    ('*', "of a checkout with changes; not compared"),
    ('s', "a smoke run; not compared"),
    ('f', "another fixture than the run before; a new baseline"),
    (
        'r',
        "another number of re-prompts than the run before; a new baseline",
    ),
];

/// Carries the command out.
pub fn run(cases: &[String], signal: &str, home: &Home, say: &dyn Fn(&str)) -> Result<(), Failure> {
    let signal = signals::named(signal).ok_or_else(|| {
        Failure::usage(format!(
            "there is no signal {}; there are: {}",
            quoted(signal),
            listed(signals::ALL.iter().map(|s| s.id))
        ))
    })?;
    let stored = home.store().read()?;
    for warning in &stored.unreadable {
        say(&format!("warning: {warning}"));
    }
    let mut used = String::new();
    for case in home.cases(cases)? {
        let mut chains: BTreeMap<String, Vec<&Run>> = BTreeMap::new();
        for run in stored.runs.iter().filter(|run| run.head.case == case.id) {
            chains.entry(key(run)).or_default().push(run);
        }
        if chains.is_empty() {
            continue;
        }
        say(&format!("{}: {}", case.id, signal.name));
        for (key, runs) in chains {
            say(&format!("  {key}"));
            for (run, marks) in marked(&runs) {
                used.push_str(&marks);
                say(&line(run, &case, signal, &marks));
            }
        }
    }
    for (mark, says) in LEGEND.iter().filter(|(mark, _)| used.contains(*mark)) {
        say(&format!("{mark}  {says}"));
    }
    Ok(())
}

fn key(run: &Run) -> String {
    let head = &run.head;
    format!(
        "{} {} {}",
        head.model.label(),
        head.arm.name(),
        head.factors.label()
    )
}

fn line(run: &Run, case: &Case, signal: &signals::Signal, marks: &str) -> String {
    format!(
        "    {} {:<8} {:<4} {:<18} n {} retries {}",
        run.head.time,
        table::commit(run),
        marks,
        rate::of(run, case, signal).shown(),
        run.counted().count(),
        run.head.retries
    )
}

/// The runs of a chain with their marks. A run that is not compared is no baseline for the next.
fn marked<'r>(runs: &[&'r Run]) -> Vec<(&'r Run, String)> {
    let mut before: Option<&Run> = None;
    let mut marked = Vec::new();
    for run in runs {
        let mut marks = String::new();
        if !run.head.clean {
            marks.push('*');
        }
        if run.head.resolution == Resolution::Smoke {
            marks.push('s');
        }
        if marks.is_empty() {
            if let Some(before) = before {
                if before.head.digest != run.head.digest {
                    marks.push('f');
                }
                if before.head.retries != run.head.retries {
                    marks.push('r');
                }
            }
            before = Some(run);
        }
        marked.push((*run, marks));
    }
    marked
}
