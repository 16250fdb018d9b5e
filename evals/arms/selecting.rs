//! The sedum arm: the library's own conversation about one record, observed.
//!
//! The loop, the re-prompts and the completeness question are the library's; nothing of them is done again here. What
//! each call was for follows from the verdicts of the answers before it.

use serde_json::{Value as Json, json};

use sedum::diag::quoted;
use sedum::invocation::Invocation;
use sedum::runlog::RunLog;
use sedum::selection::client::{Answer, Model};
use sedum::selection::converse::{Asking, SelectionError};

use super::super::failure::Failure;
use super::super::fixture::Scene;
use super::super::observe::Observed;
use super::super::store::Store;
use super::super::verdict;
use super::{Taken, attempt, prompt_digest};

/// How the library is told to ask.
#[derive(Clone, Copy, Debug)]
pub struct How<'a> {
    /// Re-prompts after a rejected answer.
    pub retries: u32,
    /// Whether the catalog is not narrowed.
    pub full_catalog: bool,
    /// Whether answers are held to a schema.
    pub response_schema: bool,
    /// The catalog's order.
    pub order: Option<&'a [String]>,
}

/// Takes one sample: the calls, and the selection when there is one.
pub fn take(
    scene: &Scene<'_>,
    how: How<'_>,
    model: &dyn Model,
    store: &Store,
) -> Result<(Taken, Option<Vec<Invocation>>), Failure> {
    let observed = Observed::new(model);
    let log = RunLog::silent();
    let asking = Asking {
        packages: scene.packages,
        variables: &scene.variables,
        planted: &scene.planted,
        model: &observed,
        retries: how.retries,
        full_catalog: how.full_catalog,
        response_schema: how.response_schema,
        order: how.order,
        log: &log,
        progress: &|_| (),
    };
    let selected = asking.select(&scene.record);
    let calls = observed.into_calls();
    let mut attempts = Vec::with_capacity(calls.len());
    let mut purpose = "select";
    for call in &calls {
        let judged = |answer: &Answer| verdict::judge(scene, &answer.text, answer.truncated);
        let verdict = call.answer.as_ref().ok().map(judged);
        attempts.push(attempt(purpose, call, verdict.as_ref(), store)?);
        purpose = match verdict {
            Some(verdict) if !verdict.is_valid() => "correct",
            _ => "complete",
        };
    }
    let first = calls.first();
    let prompt = first.map_or_else(String::new, |call| {
        prompt_digest(&call.messages, call.schema.as_deref())
    });
    let (accepted, error, selection) = match selected {
        Ok(selection) => (Some(true), None, Some(selection.invocations)),
        Err(SelectionError::Rejected { .. }) => (Some(false), None, None),
        Err(SelectionError::Transport { fault, .. }) => (None, Some(fault.to_string()), None),
        Err(SelectionError::Unreachable(why)) => {
            return Err(Failure::failed(format!(
                "record {}: there is nothing to ask: {why}",
                quoted(&scene.record.record)
            )));
        }
    };
    let taken = Taken {
        attempts,
        prompt,
        accepted,
        error,
    };
    Ok((taken, selection))
}

/// A selection as JSON; a number that no reader keeps is given as its text.
pub fn to_json(invocations: &[Invocation]) -> Json {
    let value = |value: &sedum::value::Value| {
        serde_json::from_str(&value.to_json()).unwrap_or_else(|_| Json::from(value.to_json()))
    };
    let list = invocations.iter().map(|invocation| {
        let kwargs: serde_json::Map<String, Json> = invocation
            .kwargs
            .iter()
            .map(|(name, bound)| (name.clone(), value(bound)))
            .collect();
        json!({"action": invocation.action, "kwargs": kwargs})
    });
    Json::Array(list.collect())
}
