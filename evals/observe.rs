//! A model that is listened to: everything that goes to it and comes back, with how long it took.
//!
//! It changes nothing of either. Both arms ask through it, so that both are stored alike.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use serde_json::value::RawValue;

use sedum::selection::client::{Answer, Message, Model, ModelFault};

/// One call as it was observed.
#[derive(Clone, Debug)]
pub struct Call {
    /// The conversation that was sent.
    pub messages: Vec<Message>,
    /// The schema that was sent.
    pub schema: Option<String>,
    /// What came back, or what the transport said.
    pub answer: Result<Answer, String>,
    /// How long it took.
    pub latency_ms: u64,
}

/// A model with everything that it was asked.
pub struct Observed<'m> {
    model: &'m dyn Model,
    calls: Mutex<Vec<Call>>,
}

impl<'m> Observed<'m> {
    /// Listens to a model.
    pub fn new(model: &'m dyn Model) -> Self {
        Self {
            model,
            calls: Mutex::default(),
        }
    }

    /// The calls in order.
    pub fn into_calls(self) -> Vec<Call> {
        self.calls
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Model for Observed<'_> {
    fn ask(
        &self,
        messages: &[Message],
        schema: Option<&RawValue>,
        log: &dyn Fn(&str),
    ) -> Result<Answer, ModelFault> {
        let begun = Instant::now();
        let asked = self.model.ask(messages, schema, log);
        let call = Call {
            messages: messages.to_vec(),
            schema: schema.map(|schema| schema.get().to_owned()),
            answer: match &asked {
                Ok(answer) => Ok(answer.clone()),
                Err(fault) => Err(fault.to_string()),
            },
            latency_ms: u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX),
        };
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        calls.push(call);
        drop(calls);
        asked
    }
}
