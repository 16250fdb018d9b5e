//! Phase 5's first step: an answer's text to invocations (D1-D7).
//!
//! It decides whether the text is the envelope and what each entry binds, by JSON alone. It must not know the catalog:
//! whether an action exists and a kwarg fits is [`super::validate`]'s. A text that is nearly the envelope is not
//! mended: prose, a second value or a stray brace is a violation, and keys that nobody asked for are never read (P3).

use std::collections::{HashMap, hash_map};

use crate::diag::{Rule, Source, listed, quoted};
use crate::doc::json::{self, Read};
use crate::doc::{Entry, Fault, Kind, Node};
use crate::invocation::Invocation;
use crate::value::{Bindings, Value};

use super::violation::Violation;

const LIST: &str = "invocations";
const ACTION: &str = "action";
const KWARGS: &str = "kwargs";
/// More broken entries than anybody mends from a list; what an answer costs stays in proportion to it (X37).
const MOST_VIOLATIONS: usize = 1_000;

/// Reads an answer. The error holds one violation for the answer as a whole, or one for each broken entry (D4, D7).
pub fn decode(text: &str) -> Result<Vec<Invocation>, Vec<Violation>> {
    let text = unfenced(without_reasoning(text));
    if text.is_empty() {
        return Err(vec![whole(
            Rule::EmptyResponse,
            "the answer is empty: give the JSON object; only when nothing is to be done is it {\"invocations\": []}"
                .to_owned(),
        )]);
    }
    let read = json::read(text).map_err(|fault| vec![unreadable(text, &fault)])?;
    let rest = text.get(read.end..).unwrap_or_default().trim();
    if !rest.is_empty() {
        return Err(vec![shape(format!(
            "there is text after the JSON value, where nothing may stand: leave it out; it reads {}",
            quoted(rest)
        ))]);
    }
    let entries = envelope(text, &read).map_err(|violation| vec![violation])?;
    let mut invocations = Vec::with_capacity(entries.len());
    let mut violations = Vec::new();
    for (index, node) in entries.iter().enumerate() {
        match entry(text, index, node, repeated_within(&read, node)) {
            Ok(invocation) => invocations.push(invocation),
            Err(violation) if violations.len() < MOST_VIOLATIONS => violations.push(violation),
            Err(_) => break,
        }
    }
    if violations.is_empty() {
        Ok(invocations)
    } else {
        Err(violations)
    }
}

/// The violation of an answer that was cut off, whatever it decodes to (K29).
pub fn truncated() -> Violation {
    whole(
        Rule::ResponseTruncated,
        "the answer was cut off at the limit of its length: give each invocation once, and nothing but the JSON object".to_owned(),
    )
}

/// The invocations of an answer that was cut off, as far as they came through whole, each once. Where the answer went
/// round in circles, what came before the first of them: the circle is what made it long, not what was asked for. With them
/// the answer's beginning that holds them. They are shown to the model and no more: the answer stays rejected (K29).
pub fn before_the_cut(text: &str) -> (Vec<Invocation>, &str) {
    let text = without_reasoning(text);
    let (_, mut rest) = text.split_once('[').unwrap_or_default();
    let mut seen = HashMap::new();
    let mut circle = None;
    let mut invocations = Vec::new();
    let mut ends = Vec::new();
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
        let Ok(read) = json::read(rest) else { break };
        let repeated = repeated_within(&read, &read.root);
        let Ok(invocation) = entry(rest, invocations.len(), &read.root, repeated) else {
            break;
        };
        let behind = rest.get(read.end..).unwrap_or_default();
        // What reads the same is the same.
        match seen.entry(rest.get(..read.end).unwrap_or_default().trim()) {
            hash_map::Entry::Occupied(first) => {
                circle = Some(circle.unwrap_or(usize::MAX).min(*first.get()));
            }
            hash_map::Entry::Vacant(new) => {
                new.insert(invocations.len());
                invocations.push(invocation);
                ends.push(text.len() - behind.len());
            }
        }
        rest = behind;
    }
    if let Some(start @ 1..) = circle {
        invocations.truncate(start);
    }
    let end = invocations
        .len()
        .checked_sub(1)
        .and_then(|last| ends.get(last));
    let beginning = end.and_then(|end| text.get(..*end)).unwrap_or(text);
    (invocations, beginning)
}

/// The text behind a leading, closed reasoning block, trimmed (D2).
pub fn without_reasoning(text: &str) -> &str {
    let text = trimmed(text);
    let Some(inside) = text.strip_prefix("<think>") else {
        return text;
    };
    inside
        .split_once("</think>")
        .map_or(text, |(_, behind)| trimmed(behind))
}

/// The text inside a surrounding code fence with its optional language tag; a text that has none as it is (D2).
fn unfenced(text: &str) -> &str {
    let inside = ["```", "~~~"].into_iter().find_map(|least| {
        let mark = least.chars().next()?;
        let opened = text.strip_prefix(least)?.trim_start_matches(mark);
        let fence = text.get(..text.len() - opened.len())?;
        opened.strip_suffix(fence)
    });
    let is_tag = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '+' | '.');
    inside.map_or(text, |inside| trimmed(inside.trim_start_matches(is_tag)))
}

fn trimmed(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}')
}

/// The entries of the envelope or of the bare array (D1).
fn envelope<'n, 't>(text: &str, read: &'n Read<'t>) -> Result<&'n [Node<'t>], Violation> {
    let entries = match &read.root.kind {
        Kind::List(entries) => entries.as_slice(),
        Kind::Map(keys) => listing(text, keys)?,
        Kind::Scalar { .. } => {
            return Err(shape(format!(
                "an object with the list {LIST} is expected, and the answer is {}",
                read.root.described()
            )));
        }
    };
    let outside = read.repeats.iter().find(|fault| !is_within(entries, fault));
    match outside {
        Some(fault) => Err(shape(fault.message.clone())),
        None => Ok(entries),
    }
}

fn listing<'n, 't>(text: &str, keys: &'n [Entry<'t>]) -> Result<&'n [Node<'t>], Violation> {
    let Some(found) = keys.iter().find(|entry| entry.key == LIST) else {
        return Err(shape(format!(
            "the object has no key {LIST}: put every invocation into a list under that key; it has: {}",
            quoted(&listed(keys.iter().map(|entry| &entry.key)))
        )));
    };
    found.value.list().ok_or_else(|| {
        shape(format!(
            "{LIST} is a list, and the answer gives {}",
            quoted(written(text, &found.value))
        ))
    })
}

/// Whether a repeated key stands in one of the entries, which are in the order of the text.
fn is_within(entries: &[Node<'_>], fault: &Fault) -> bool {
    let next = entries.partition_point(|entry| entry.span.start <= fault.span.start);
    next.checked_sub(1)
        .and_then(|at| entries.get(at))
        .is_some_and(|entry| fault.span.start < entry.span.end)
}

/// The first repeated key of an entry.
fn repeated_within<'r>(read: &'r Read<'_>, entry: &Node<'_>) -> Option<&'r Fault> {
    let first = read
        .repeats
        .partition_point(|fault| fault.span.start < entry.span.start);
    read.repeats
        .get(first)
        .filter(|fault| fault.span.start < entry.span.end)
}

/// One entry: an invocation, or the first thing that is wrong with it (D7).
fn entry(
    text: &str,
    index: usize,
    node: &Node<'_>,
    repeated: Option<&Fault>,
) -> Result<Invocation, Violation> {
    let fault = |rule, action: &str, message| Violation {
        rule,
        index: Some(index),
        action: action.to_owned(),
        kwarg: None,
        message,
        mend: None,
    };
    let shape = |action: &str, message| fault(Rule::InvocationShape, action, message);
    if node.map().is_none() {
        let message = format!(
            "an invocation is an object with {ACTION} and {KWARGS}, and this is {}",
            node.described()
        );
        return Err(shape("", message));
    }
    if let Some(repeated) = repeated {
        return Err(shape("", repeated.message.clone()));
    }
    let nameless = |found: &str| {
        let message = format!("{found} {ACTION} in {}", quoted(written(text, node)));
        fault(Rule::MissingAction, "", message)
    };
    let action = match node.get(ACTION) {
        None => return Err(nameless("there is no")),
        Some(value) => value.text().map_err(|_| {
            let message = format!(
                "{ACTION} is the name of an action, and this is {}",
                value.described()
            );
            shape("", message)
        })?,
    };
    if action.trim().is_empty() {
        return Err(nameless("there is an empty"));
    }
    let kwargs = match node.get(KWARGS) {
        None => Bindings::new(),
        Some(value) if value.is_null() => Bindings::new(),
        Some(value) => {
            let entries = value.map().ok_or_else(|| {
                let message = format!(
                    "{KWARGS} is an object of names and values, and this is {}",
                    quoted(written(text, value))
                );
                shape(action, message)
            })?;
            let bound = |entry: &Entry<'_>| {
                (
                    entry.key.clone().into_owned(),
                    Value::from_node(&entry.value),
                )
            };
            entries.iter().map(bound).collect()
        }
    };
    Ok(Invocation {
        action: action.to_owned(),
        kwargs,
        origin: None,
    })
}

/// A value as the answer spells it.
fn written<'t>(text: &'t str, node: &Node<'_>) -> &'t str {
    text.get(node.span.start as usize..node.span.end as usize)
        .unwrap_or_default()
}

fn unreadable(text: &str, fault: &Fault) -> Violation {
    let (line, column) = Source::new("", text).position(fault.span.start);
    shape(format!(
        "the answer is no JSON value: {} (line {line}, column {column}); it reads {}",
        fault.message,
        quoted(text)
    ))
}

fn shape(message: String) -> Violation {
    whole(Rule::ResponseShape, message)
}

fn whole(rule: Rule, message: String) -> Violation {
    Violation {
        rule,
        index: None,
        action: String::new(),
        kwarg: None,
        message,
        mend: None,
    }
}

#[cfg(test)]
mod tests;
