//! Where samples are lost: the rungs of a run one after the other, and the faults by rule, action and kwarg.

use std::collections::BTreeMap;

use serde::Serialize;

use super::super::case::{Arm, Case};
use super::super::sample::{Sample, Scores};
use super::super::signals::{self, id};
use super::super::store::Run;

/// The rungs of the funnel; those that have no meaning for a run are left out.
const STAGES: [&str; 8] = [
    id::ANSWERED,
    id::DECODED,
    id::ACCEPTED_FIRST,
    id::ACCEPTED,
    id::NONEMPTY,
    id::COMPLETE,
    id::EQUAL,
    id::BOUND,
];

/// One stage: how many samples are left, and why the others are not.
#[derive(Debug, Serialize)]
pub struct Stage {
    stage: &'static str,
    count: usize,
    dropped: Vec<Dropped>,
}

/// Why some samples went no further.
#[derive(Debug, Serialize)]
pub struct Dropped {
    reason: String,
    count: usize,
    samples: Vec<u32>,
}

/// One kind of fault.
#[derive(Debug, Serialize)]
pub struct Fault {
    rule: String,
    action: Option<String>,
    kwarg: Option<String>,
    count: usize,
    samples: Vec<u32>,
}

/// The funnel of a run, over the samples that reached the model. A sample counts at a stage when it passed every
/// stage before as well.
pub fn funnel(run: &Run, case: &Case) -> Vec<Stage> {
    let mut left: Vec<(&Sample, Scores)> = run
        .counted()
        .map(|sample| (sample, run.scores(sample)))
        .collect();
    let mut stages = vec![Stage {
        stage: "asked",
        count: left.len(),
        dropped: Vec::new(),
    }];
    for stage in STAGES {
        // With re-prompts a sample may be accepted that was not at first: no rung of one ladder.
        let passes_over = stage == id::ACCEPTED_FIRST && run.head.retries > 0;
        if passes_over || signals::undefined(stage, run.head.arm, case).is_some() {
            continue;
        }
        let mut reasons: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        left.retain(|(sample, scores)| {
            let passes = scores.signals.get(stage).copied().unwrap_or(false);
            if !passes {
                let why = reason(stage, run.head.arm, sample, scores, case);
                reasons.entry(why).or_default().push(sample.n);
            }
            passes
        });
        let mut dropped: Vec<Dropped> = reasons
            .into_iter()
            .map(|(reason, samples)| Dropped {
                reason,
                count: samples.len(),
                samples,
            })
            .collect();
        dropped.sort_by_key(|drop| std::cmp::Reverse(drop.count));
        stages.push(Stage {
            stage,
            count: left.len(),
            dropped,
        });
    }
    stages
}

/// Why a sample does not pass a stage, in few words.
fn reason(stage: &str, arm: Arm, sample: &Sample, scores: &Scores, case: &Case) -> String {
    let last = sample.attempts.iter().rev().find(|a| a.answer.is_some());
    let first_rule = last.and_then(|attempt| attempt.violations.first());
    match stage {
        id::ANSWERED => "no text".to_owned(),
        id::DECODED if arm == Arm::Baseline => "no file of the record".to_owned(),
        id::DECODED | id::ACCEPTED_FIRST | id::ACCEPTED => {
            let first = sample.attempts.first().and_then(|a| a.violations.first());
            let broken = if stage == id::ACCEPTED {
                first_rule
            } else {
                first
            };
            broken.map_or_else(|| "other".to_owned(), |broken| broken.rule.clone())
        }
        id::NONEMPTY => "an empty list".to_owned(),
        id::COMPLETE => {
            let counts = scores.counts.clone().unwrap_or_default();
            let lacks = case
                .expect
                .actions
                .iter()
                .filter(|(action, want)| counts.get(*action).copied().unwrap_or(0) < **want);
            let names: Vec<&str> = lacks.map(|(action, _)| action.as_str()).collect();
            format!("too few: {}", names.join(", "))
        }
        id::EQUAL => {
            let counts = scores.counts.clone().unwrap_or_default();
            let over = counts.iter().filter(|(action, count)| {
                **count > case.expect.actions.get(*action).copied().unwrap_or(0)
            });
            let names: Vec<&str> = over.map(|(action, _)| action.as_str()).collect();
            format!("too many: {}", names.join(", "))
        }
        _ => {
            let wrong = scores.bindings.iter().filter(|score| !score.right);
            let mut names: Vec<String> = wrong
                .map(|score| format!("{}.{}", score.action, score.kwarg))
                .collect();
            names.sort();
            names.dedup();
            if names.is_empty() {
                "no invocation that an expectation is about".to_owned()
            } else {
                format!("wrong: {}", names.join(", "))
            }
        }
    }
}

/// The broken rules of every answer of a run, by rule, action and kwarg, the most frequent first.
pub fn faults(run: &Run) -> Vec<Fault> {
    type Key = (String, Option<String>, Option<String>);
    let mut found: BTreeMap<Key, (usize, Vec<u32>)> = BTreeMap::new();
    for sample in run.counted() {
        for broken in sample.attempts.iter().flat_map(|a| &a.violations) {
            let key = (
                broken.rule.clone(),
                broken.action.clone(),
                broken.kwarg.clone(),
            );
            let entry = found.entry(key).or_default();
            entry.0 += 1;
            if entry.1.last() != Some(&sample.n) {
                entry.1.push(sample.n);
            }
        }
    }
    let mut faults: Vec<Fault> = found
        .into_iter()
        .map(|((rule, action, kwarg), (count, samples))| Fault {
            rule,
            action,
            kwarg,
            count,
            samples,
        })
        .collect();
    faults.sort_by_key(|fault| std::cmp::Reverse(fault.count));
    faults
}
