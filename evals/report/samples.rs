//! One sample as the site shows it: the conversation, what was judged, what was made.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use super::super::arms::baseline;
use super::super::case::Arm;
use super::super::failure::Failure;
use super::super::fixture::Fixture;
use super::super::sample::{Attempt, Sample, Scores};
use super::super::score;
use super::super::store::{Run, Store};
use super::super::verdict;
use super::text;

/// Where a sample's file is, from the report's folder.
pub fn path(run: &str, n: u32) -> String {
    format!("samples/{run}/{n}.json")
}

/// A sample's file.
pub fn detail(
    fixture: &Fixture,
    run: &Run,
    sample: &Sample,
    store: &Store,
) -> Result<Json, Failure> {
    let scores = run.scores(sample);
    let attempts: Vec<Json> = sample
        .attempts
        .iter()
        .enumerate()
        .map(|(at, one)| attempt(at + 1, one, store))
        .collect();
    let (missing, unexpected) = differences(fixture, &scores);
    Ok(json!({
        "run": run.head.run,
        "n": sample.n,
        "time": sample.time,
        "outcome": sample.outcome,
        "paraphrase": sample.wording,
        "seed": sample.seed,
        "prompt_digest": sample.prompt,
        "tree_digest": sample.tree,
        "attempts": attempts,
        "selection": sample.selection,
        "expected": fixture.case.expect.to_json(),
        "bindings": scores.bindings,
        "tree": tree(fixture, run, sample, store)?,
        "anchors": scores.anchors,
        "missing": missing,
        "unexpected": unexpected,
        "written": scores.written,
        "syntax": scores.syntax,
        "error": sample.error,
    }))
}

fn attempt(call: usize, attempt: &Attempt, store: &Store) -> Json {
    let messages: Vec<Json> = attempt
        .messages
        .iter()
        .map(|said| json!({"role": said.role, "content": text(store, Some(&said.text))}))
        .collect();
    let schema = text(store, attempt.schema.as_ref());
    let schema: Option<Json> = schema.and_then(|schema| serde_json::from_str(&schema).ok());
    json!({
        "call": call,
        "purpose": attempt.purpose,
        "messages": messages,
        "schema": schema,
        "answer": text(store, attempt.answer.as_ref()),
        "finish_reason": attempt.finish,
        "latency_ms": attempt.latency_ms,
        "usage": attempt.usage,
        "decoded": attempt.decoded,
        "violations": attempt.violations,
        "error": attempt.error,
    })
}

/// A number for each action.
type Counts = BTreeMap<String, u32>;

/// How often each action is selected too seldom, and too often; none where nothing was selected at all.
fn differences(fixture: &Fixture, scores: &Scores) -> (Option<Counts>, Option<Counts>) {
    let Some(counts) = &scores.counts else {
        return (None, None);
    };
    let wanted = &fixture.case.expect.actions;
    let beyond = |more: &Counts, less: &Counts| {
        let over = more.iter().filter_map(|(action, count)| {
            let excess = count.saturating_sub(less.get(action).copied().unwrap_or(0));
            (excess > 0).then(|| (action.clone(), excess))
        });
        over.collect()
    };
    (Some(beyond(wanted, counts)), Some(beyond(counts, wanted)))
}

/// The files that the sample makes, made again; none when the fixture or the result is another by now.
fn tree(
    fixture: &Fixture,
    run: &Run,
    sample: &Sample,
    store: &Store,
) -> Result<Option<Vec<Json>>, Failure> {
    if fixture.material != run.head.material {
        return Ok(None);
    }
    let mut scene = fixture.scene(sample.wording)?;
    let files = match run.head.arm {
        Arm::Baseline => {
            let answer = sample.attempts.first().and_then(|a| a.answer.as_ref());
            let answer = text(store, answer).unwrap_or_default();
            Some(baseline::files(&answer, &scene).kept)
        }
        Arm::Sedum => match score::standing(&sample.attempts) {
            None => None,
            Some(attempt) => {
                let answer = text(store, attempt.answer.as_ref()).unwrap_or_default();
                let verdict = verdict::judge(&scene, &answer, attempt.truncated);
                let valid = verdict.is_valid();
                valid
                    .then(|| verdict::grow(&mut scene, &verdict).files)
                    .flatten()
            }
        },
    };
    let same =
        files.filter(|files| sample.tree.as_ref() == Some(&super::super::digest::of_set(files)));
    Ok(same.map(|files| {
        let listed = files.into_iter();
        listed
            .map(|(path, content)| json!({"path": path, "content": content}))
            .collect()
    }))
}
