//! Answers of a model (D1-D7): decoded as a second reader says, digits kept, and the same after a round trip.

use std::collections::BTreeMap;

use sedum::invocation::Invocation;
use sedum::selection::decode::{decode, without_reasoning};

use super::input;
use super::json::Json;

/// Reads the input as an answer.
pub fn check(data: &[u8]) {
    let Some(text) = input::text(data, 1 << 16) else {
        return;
    };
    let wanted = naive(&text);
    match decode(&text) {
        Ok(invocations) => {
            let wanted = wanted.expect("what is no envelope was taken");
            assert_eq!(wanted.len(), invocations.len(), "{text:?}");
            for ((action, kwargs), invocation) in wanted.iter().zip(&invocations) {
                assert_eq!(*action, invocation.action);
                assert_eq!(kwargs.len(), invocation.kwargs.len());
                for (name, value) in kwargs {
                    assert!(
                        invocation
                            .kwargs
                            .get(name)
                            .is_some_and(|bound| value.is(bound)),
                        "{name}: {value:?}"
                    );
                }
            }
            let again = written(&invocations);
            for form in [
                again.clone(),
                format!("```json\n{again}\n```"),
                format!("<think>{{</think>\n{again}"),
            ] {
                let back = decode(&form).expect("what was written again is read");
                assert_eq!(written(&back), again, "{form:?}");
            }
            super::reach();
        }
        Err(violations) => {
            assert!(!violations.is_empty());
            assert!(wanted.is_none(), "{text:?}: {violations:?}");
            for violation in violations {
                // D7: what was received is cut, so that a message stays in proportion (and O28).
                let shown = violation.to_string();
                assert!(shown.len() < 2_000, "{}", shown.len());
                assert!(!shown.contains(|c: char| c.is_control()), "{shown:?}");
            }
        }
    }
    assert!(text.contains(without_reasoning(&text)));
}

fn written(invocations: &[Invocation]) -> String {
    let entries: Vec<String> = invocations
        .iter()
        .map(|invocation| {
            let kwargs: Vec<String> = invocation
                .kwargs
                .iter()
                .map(|(name, value)| format!("{}:{}", quoted(name), value.to_json()))
                .collect();
            format!(
                "{{\"action\":{},\"kwargs\":{{{}}}}}",
                quoted(&invocation.action),
                kwargs.join(",")
            )
        })
        .collect();
    format!("{{\"invocations\":[{}]}}", entries.join(","))
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("text is JSON")
}

type Entry = (String, BTreeMap<String, Json>);

/// The entries of a sound answer; `None` for any other.
fn naive(text: &str) -> Option<Vec<Entry>> {
    let blank = |c: char| c.is_whitespace() || c == '\u{feff}';
    let mut text = text.trim_matches(blank);
    if text.starts_with("<think>")
        && let Some(end) = text.find("</think>")
    {
        text = text[end + "</think>".len()..].trim_matches(blank);
    }
    for mark in ['`', '~'] {
        let ticks = text.len() - text.trim_start_matches(mark).len();
        let fence = &text[..ticks];
        if ticks >= 3 && text.len() >= 2 * ticks && text.ends_with(fence) {
            let inside = &text[ticks..text.len() - ticks];
            let tag = |c: char| c.is_alphanumeric() || "-_+.".contains(c);
            text = inside.trim_start_matches(tag).trim_matches(blank);
            break;
        }
    }
    let root = Json::read(text)?;
    let entries = match &root {
        Json::List(entries) => entries,
        Json::Object(pairs) => {
            let mut names: Vec<&str> = pairs.iter().map(|(name, _)| name.as_str()).collect();
            names.sort_unstable();
            names.dedup();
            let Some(Json::List(entries)) = root.get("invocations") else {
                return None;
            };
            let outside = pairs.iter().filter(|(name, _)| name != "invocations");
            if names.len() < pairs.len()
                || outside.into_iter().any(|(_, value)| value.repeats_a_key())
            {
                return None;
            }
            entries
        }
        _ => return None,
    };
    entries.iter().map(entry).collect()
}

fn entry(entry: &Json) -> Option<Entry> {
    if entry.repeats_a_key() {
        return None;
    }
    let Some(Json::Text(action)) = entry.get("action") else {
        return None;
    };
    if action.trim().is_empty() {
        return None;
    }
    let kwargs = match entry.get("kwargs") {
        None => BTreeMap::new(),
        Some(value) if value.is_null() => BTreeMap::new(),
        Some(Json::Object(pairs)) => pairs.iter().cloned().collect(),
        Some(_) => return None,
    };
    Some((action.clone(), kwargs))
}
