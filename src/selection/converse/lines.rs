//! How a conversation is told to the run log (G3): directly, or held back until the records before it are told (Y32).

use std::cell::RefCell;
use std::fmt::Display;

use crate::runlog::RunLog;

use super::super::client::{Answer, Message, Role};

/// Where the lines of one record go.
pub(super) struct Lines<'l> {
    log: &'l RunLog,
    held: Option<RefCell<Vec<String>>>,
}

impl<'l> Lines<'l> {
    /// Lines that are written at once.
    pub(super) fn live(log: &'l RunLog) -> Self {
        Self { log, held: None }
    }

    /// Lines that wait until [`Lines::into_held`].
    pub(super) fn held(log: &'l RunLog) -> Self {
        // Nothing reads a silent log, so nothing is kept for it.
        let held = log.is_on().then(RefCell::default);
        Self { log, held }
    }

    /// Adds a line, or several.
    pub(super) fn line(&self, text: impl Display) {
        match &self.held {
            Some(held) => held.borrow_mut().push(text.to_string()),
            None => self.log.line(text),
        }
    }

    /// What waits.
    pub(super) fn into_held(self) -> Vec<String> {
        self.held.map(RefCell::into_inner).unwrap_or_default()
    }
}

/// A message as it is sent.
pub(super) fn message(lines: &Lines<'_>, record: &str, message: &Message) {
    let role = match message.role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
    };
    crate::log!(
        lines,
        "record {record}: prompt, {role}:\n{}",
        message.content
    );
}

/// An answer as it was received, with its token counts; zero counts were not reported (K31).
pub(super) fn answer(lines: &Lines<'_>, record: &str, call: u32, answer: &Answer) {
    let tokens = match (answer.prompt_tokens, answer.completion_tokens) {
        (0, 0) => "tokens not reported".to_owned(),
        (prompt, completion) => format!("{prompt} prompt and {completion} completion token(s)"),
    };
    let cut = if answer.truncated { ", cut off" } else { "" };
    crate::log!(
        lines,
        "record {record}: answer to call {call}, {tokens}{cut}:\n{}",
        answer.text
    );
}
