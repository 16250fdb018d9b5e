//! What `grow` says (U13).

use std::fmt::Write as _;

use crate::diag::{Shown, shown};
use crate::inject::{RegionOutcome, RegionReport};
use crate::parallel;
use crate::pipeline::{Outcome, Phase, Stop};
use crate::resolve::create::{FileOutcome, FileReport};

use super::resolve;

/// The whole report of a run that succeeded.
pub fn text(outcome: &Outcome) -> String {
    let mut out = String::new();
    if outcome.reached >= Phase::Files {
        files(outcome, &mut out);
    } else {
        out.push_str(&resolve::text(outcome));
    }
    if outcome.reached >= Phase::Invocations {
        selections(outcome, &mut out);
    }
    if outcome.stop == Some(Stop::Expansion) {
        expansions(outcome, &mut out);
    }
    if outcome.reached >= Phase::Injection {
        regions(outcome, &mut out);
    }
    notes(outcome, &mut out);
    out
}

fn files(outcome: &Outcome, out: &mut String) {
    let place = |outcome: FileOutcome| match outcome {
        FileOutcome::Created => 0,
        FileOutcome::Updated { .. } => 1,
        FileOutcome::Present => 2,
    };
    let mut groups = [Vec::new(), Vec::new(), Vec::new()];
    for file in &outcome.files {
        if let Some(group) = groups.get_mut(place(file.outcome)) {
            group.push(file);
        }
    }
    for group in &groups {
        let line = |file: &&FileReport, out: &mut String| {
            out.push_str(match file.outcome {
                FileOutcome::Created => "created  ",
                FileOutcome::Updated { .. } => "updated  ",
                FileOutcome::Present => "present  ",
            });
            Shown(&file.path).push_to(out);
            if let FileOutcome::Updated { lines } = file.outcome {
                let _ = write!(out, "  (+{lines} lines)");
            }
            out.push('\n');
        };
        parallel::lines(group, group.len(), line, |text| out.push_str(&text));
    }
    let be = if outcome.dry_run { "would be " } else { "" };
    let [created, updated, present] = groups.map(|group| group.len());
    let _ = writeln!(
        out,
        "{} path(s) authorized, {created} {be}created, {updated} {be}updated, {present} already present, {} left unmanaged",
        outcome.files.len() + outcome.unmanaged.len(),
        outcome.unmanaged.len()
    );
    resolve::unmanaged(&outcome.unmanaged, out);
}

fn selections(outcome: &Outcome, out: &mut String) {
    let mut total = 0;
    for selected in &outcome.selections {
        total += selected.actions.len();
        let tally = selected
            .tally
            .map_or_else(String::new, |tally| format!("  ({tally})"));
        let _ = writeln!(
            out,
            "selected  {}  {}{tally}",
            shown(&selected.record),
            tallied(&selected.actions)
        );
    }
    let _ = writeln!(
        out,
        "{total} invocation(s) selected across {} record(s)",
        outcome.selections.len()
    );
}

/// Actions in the order of their first use, each with how often it is used.
fn tallied(actions: &[String]) -> String {
    let mut tally: Vec<(&str, usize)> = Vec::new();
    for action in actions {
        match tally.iter_mut().find(|(name, _)| name == action) {
            Some((_, count)) => *count += 1,
            None => tally.push((action, 1)),
        }
    }
    let shown: Vec<_> = tally
        .into_iter()
        .map(|(name, count)| match count {
            1 => shown(name),
            _ => format!("{} x{count}", shown(name)),
        })
        .collect();
    if shown.is_empty() {
        "(nothing)".to_owned()
    } else {
        shown.join(", ")
    }
}

fn label(action: &str, variant: Option<&str>) -> String {
    match variant {
        Some(variant) => format!("{}:{}", shown(action), shown(variant)),
        None => shown(action),
    }
}

fn expansions(outcome: &Outcome, out: &mut String) {
    for expansion in &outcome.expansions {
        let _ = writeln!(
            out,
            "expanded  {}  {} at {}",
            shown(&expansion.path),
            label(&expansion.action, expansion.variant.as_deref()),
            shown(&expansion.anchor)
        );
    }
}

fn regions(outcome: &Outcome, out: &mut String) {
    let place = |outcome| match outcome {
        RegionOutcome::Injected => (0, "injected "),
        RegionOutcome::Replaced => (1, "replaced "),
        RegionOutcome::Unchanged => (2, "unchanged"),
        RegionOutcome::Seeded => (3, "seeded   "),
    };
    let mut counts = [0_usize; 4];
    for region in &outcome.regions {
        if let Some(count) = counts.get_mut(place(region.outcome).0) {
            *count += 1;
        }
    }
    let line = |region: &RegionReport, out: &mut String| {
        let (_, word) = place(region.outcome);
        out.push_str(word);
        out.push_str("  ");
        Shown(&region.path).push_to(out);
        out.push_str("  ");
        Shown(&region.action).push_to(out);
        if let Some(variant) = region.variant.as_deref() {
            out.push(':');
            Shown(variant).push_to(out);
        }
        out.push('\n');
    };
    let count = outcome.regions.len();
    parallel::lines(&outcome.regions, count, line, |text| out.push_str(&text));
    let [injected, replaced, unchanged, seeded] = counts;
    let _ = writeln!(
        out,
        "{injected} region(s) injected, {replaced} replaced, {unchanged} unchanged, {seeded} left as seeded"
    );
}

fn notes(outcome: &Outcome, out: &mut String) {
    if let Some(stop) = outcome.stop {
        let next = match &outcome.recording {
            Some(path) if stop >= Stop::Invocations => format!(
                "--execute {} goes on from here, without a model",
                shown(&path.to_string_lossy())
            ),
            _ => "the same command without --stop-after goes on".to_owned(),
        };
        let _ = writeln!(out, "stopped after {}; {next}", stop.name());
    }
    if outcome.dry_run {
        let _ = writeln!(out, "dry run: no generated file was written");
    }
    if let Some(path) = &outcome.recording {
        let _ = writeln!(
            out,
            "recording written to {}",
            shown(&path.to_string_lossy())
        );
    }
}
