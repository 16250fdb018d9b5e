//! What is asked and what is answered, apart from any wire: the words that the selection loop knows.
//!
//! Decides what an answer can carry at all (K31); must know nothing of HTTP.

use serde::Serialize;
use serde_json::value::RawValue;

use super::ModelFault;

/// Who speaks in a message of a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The rules of the conversation.
    System,
    /// What Sedum asks.
    User,
    /// What the model answered before.
    Assistant,
}

/// One message of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Message {
    /// Who says it.
    pub role: Role,
    /// What is said.
    pub content: String,
}

/// What a model answered; nothing of a response goes further than this (K31).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    /// The text as received, undecoded.
    pub text: String,
    /// Whether the completion ran into its cap: finish reason `length` (K29).
    pub truncated: bool,
    /// The finish reason, when the server gave one; escaped, fit to be shown.
    pub finish: Option<String>,
    /// Whether the text stood in `reasoning_content` beside an empty `content` (K32a).
    pub from_reasoning: bool,
    /// Tokens of the prompt; 0 means not reported.
    pub prompt_tokens: u64,
    /// Tokens of the completion; 0 means not reported.
    pub completion_tokens: u64,
}

/// What answers a conversation. A trait, so that whatever asks can be tested without a network.
pub trait Model: Sync {
    /// Asks with the whole conversation so far and, with `--response-schema`, the schema of the answer (N24).
    ///
    /// `log` gets one line an attempt, and more for what is out of the ordinary. An error ends the run with exit
    /// status 3 (U3); whatever was worth another attempt has had it.
    fn ask(
        &self,
        messages: &[Message],
        schema: Option<&RawValue>,
        log: &dyn Fn(&str),
    ) -> Result<Answer, ModelFault>;
}
