//! What would mend a violation, where the answer itself leaves little doubt (D24).
//!
//! A small model copies more readily than it reasons: told what is wrong, it tends to give its answer again; shown the
//! invocation as it would be right, it gives that. Decided here is only what a re-prompt shows. No answer is changed:
//! whatever the model gives is judged as it stands.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::genpkg::KwargType;
use crate::invocation::Invocation;
use crate::value::{Bindings, Number, Value};

use super::violation::Violation;

/// A change of one invocation that takes a fault away.
#[derive(Clone, Debug, PartialEq)]
pub enum Mend {
    /// Bind a kwarg to a value.
    Bind(String, Value),
    /// Leave kwargs unbound.
    Unbind(Vec<String>),
    /// Call a kwarg by another name.
    Rename(String, String),
    /// Do without the invocation.
    LeaveOut,
}

/// How a faulty invocation would be right.
#[derive(Clone, Debug)]
pub enum Mended {
    /// With these kwargs.
    Reads(Invocation),
    /// Not at all.
    LeftOut,
}

/// The faulty invocations of an answer as their mends would have them, by index; one with a fault that only the model
/// can mend is not among them.
pub fn mended(answer: &[Invocation], violations: &[Violation]) -> BTreeMap<usize, Mended> {
    let mut all: BTreeMap<usize, Mended> = BTreeMap::new();
    let mut unclear = BTreeSet::new();
    for violation in violations {
        let Some(index) = violation.index else {
            continue;
        };
        let (Some(invocation), Some(mend)) = (answer.get(index), &violation.mend) else {
            unclear.insert(index);
            continue;
        };
        let mended = all
            .entry(index)
            .or_insert_with(|| Mended::Reads(invocation.clone()));
        apply(mend, mended);
    }
    all.retain(|index, _| !unclear.contains(index));
    all
}

fn apply(mend: &Mend, to: &mut Mended) {
    let Mended::Reads(invocation) = to else {
        return;
    };
    let kwargs = &mut invocation.kwargs;
    match mend {
        Mend::Bind(name, value) => {
            kwargs.insert(name.clone(), value.clone());
        }
        Mend::Unbind(names) => kwargs.retain(|name| !names.iter().any(|n| n == name)),
        Mend::Rename(from, to) => {
            if let Some(value) = kwargs.remove(from) {
                kwargs.insert(to.clone(), value);
            }
        }
        Mend::LeaveOut => *to = Mended::LeftOut,
    }
}

/// An invocation as an answer spells it, on one line.
pub fn spelled(invocation: &Invocation) -> String {
    #[derive(Serialize)]
    struct Spelled<'i> {
        action: &'i str,
        kwargs: &'i Bindings,
    }
    // Serialising plain data into memory has nothing to fail on.
    serde_json::to_string(&Spelled {
        action: &invocation.action,
        kwargs: &invocation.kwargs,
    })
    .unwrap_or_default()
}

/// A list of invocations as an answer spells it, one a line.
pub fn list<'i>(invocations: impl IntoIterator<Item = &'i Invocation>) -> String {
    let lines: Vec<String> = invocations.into_iter().map(spelled).collect();
    format!("{{\"invocations\": [\n{}\n]}}", lines.join(",\n"))
}

/// A value of the wrong type in the spelling that the type asks for, when it has one.
pub fn coerced(kind: KwargType, value: &Value) -> Option<Value> {
    let other = match (kind, value) {
        (KwargType::List, Value::Text(_) | Value::Number(_) | Value::Bool(_)) => {
            Value::List(vec![value.clone()])
        }
        (KwargType::Int, Value::Text(text)) => Value::Number(Number::parse(text.trim())?),
        (KwargType::Bool, Value::Text(text)) => match text.trim() {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            _ => return None,
        },
        (KwargType::String | KwargType::Literal, Value::Bool(it)) => Value::Text(it.to_string()),
        (KwargType::String | KwargType::Literal, Value::Number(_)) => {
            Value::Text(serde_json::to_string(value).ok()?)
        }
        // The shape in which the catalog describes a kwarg, taken for the shape of its value.
        (KwargType::String | KwargType::Literal, Value::Object(entries)) => {
            let described = entries.iter().find(|(key, _)| key == "description");
            match described {
                Some((_, Value::Text(text))) => Value::Text(text.clone()),
                _ => return None,
            }
        }
        (KwargType::String | KwargType::Literal, Value::List(items)) => match &items[..] {
            [Value::Text(only)] => Value::Text(only.clone()),
            _ => return None,
        },
        _ => return None,
    };
    kind.accepts(&other).then_some(other)
}

#[cfg(test)]
mod tests;
