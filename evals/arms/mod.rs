//! The arms: one sample from question to what came of it, whoever makes the files (H15, H47).
//!
//! An arm asks and keeps; it scores nothing. What both share, how a call is stored, is here.

pub mod baseline;
pub mod selecting;

use sedum::selection::client::{Message, Role};

use super::digest;
use super::failure::Failure;
use super::observe::Call;
use super::sample::{Attempt, Said, Usage};
use super::store::Store;
use super::verdict::Verdict;

/// What came of one sample, before it is scored.
#[derive(Debug)]
pub struct Taken {
    /// Every call.
    pub attempts: Vec<Attempt>,
    /// 12 digits over the first messages and the schema.
    pub prompt: String,
    /// Whether an answer was accepted; none when the model was not reached.
    pub accepted: Option<bool>,
    /// What the transport said.
    pub error: Option<String>,
}

/// The word of a role.
fn role(role: Role) -> &'static str {
    match role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
    }
}

/// 12 digits over what a conversation begins with.
fn prompt_digest(messages: &[Message], schema: Option<&str>) -> String {
    let mut text = String::new();
    for message in messages {
        text.push_str(role(message.role));
        text.push('\0');
        text.push_str(&message.content);
        text.push('\0');
    }
    text.push_str(schema.unwrap_or_default());
    digest::short(&text)
}

/// A call as it is stored; the verdict is the sedum arm's.
fn attempt(
    purpose: &str,
    call: &Call,
    verdict: Option<&Verdict<'_>>,
    store: &Store,
) -> Result<Attempt, Failure> {
    let said = |message: &Message| {
        Ok(Said {
            role: role(message.role).to_owned(),
            text: store.keep(&message.content)?,
        })
    };
    let answer = call.answer.as_ref().ok();
    let usage = answer.map(|a| (a.prompt_tokens, a.completion_tokens));
    Ok(Attempt {
        purpose: purpose.to_owned(),
        messages: call
            .messages
            .iter()
            .map(said)
            .collect::<Result<_, Failure>>()?,
        schema: call.schema.as_ref().map(|s| store.keep(s)).transpose()?,
        answer: answer.map(|a| store.keep(&a.text)).transpose()?,
        finish: answer.and_then(|a| a.finish.clone()),
        truncated: answer.is_some_and(|a| a.truncated),
        latency_ms: call.latency_ms,
        // Zero counts mean "not reported" (K31).
        usage: usage
            .filter(|counts| *counts != (0, 0))
            .map(|(prompt, completion)| Usage { prompt, completion }),
        decoded: verdict
            .and_then(|v| v.decoded.as_ref())
            .map(|list| selecting::to_json(list)),
        violations: verdict.map(Verdict::broken).unwrap_or_default(),
        error: call.answer.as_ref().err().cloned(),
    })
}
