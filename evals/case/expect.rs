//! What a right answer holds: how often each action, and what some of their kwargs are bound to (H24-H28).
//!
//! Only reading and soundness; what a selection comes to against it is [`super::super::score`]'s.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value as Json, json};

use sedum::diag::quoted;
use sedum::doc::{Fault, Fields, Node};
use sedum::value::Value;

use super::required;

/// What a right answer holds.
#[derive(Clone, Debug, Default)]
pub struct Expect {
    /// How often each action is invoked; empty when nothing is to be done.
    pub actions: BTreeMap<String, u32>,
    /// What kwargs are bound to.
    pub bindings: Vec<Binding>,
}

/// What the kwargs of one action's invocations are bound to.
#[derive(Clone, Debug)]
pub struct Binding {
    /// The action.
    pub action: String,
    /// Where the record says so (H25).
    pub because: String,
    /// The kwarg by whose value an invocation is found (H26).
    pub key: String,
    /// The invocations that are expected.
    pub rows: Vec<Row>,
}

/// One expected invocation.
#[derive(Clone, Debug)]
pub struct Row {
    /// The value of the key.
    pub key: Value,
    /// For each other kwarg that is scored the values that are right; null stands for leaving it out (H27).
    pub kwargs: BTreeMap<String, Vec<Value>>,
}

impl Expect {
    /// The expectations as JSON, for a report and for a digest.
    pub fn to_json(&self) -> Json {
        let value = |value: &Value| serde_json::from_str(&value.to_json()).unwrap_or(Json::Null);
        let bindings: Vec<Json> = self
            .bindings
            .iter()
            .map(|binding| {
                let rows: Vec<Json> = binding
                    .rows
                    .iter()
                    .map(|row| {
                        let kwargs: BTreeMap<&String, Vec<Json>> = row
                            .kwargs
                            .iter()
                            .map(|(name, right)| (name, right.iter().map(value).collect()))
                            .collect();
                        json!({"key": value(&row.key), "kwargs": kwargs})
                    })
                    .collect();
                json!({"action": binding.action, "because": binding.because, "key": binding.key, "rows": rows})
            })
            .collect();
        json!({"actions": self.actions, "bindings": bindings})
    }
}

impl Serialize for Expect {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_json().serialize(serializer)
    }
}

/// Reads the key `expect` of a case.
pub(super) fn read(root: &Node<'_>, fields: &mut Fields<'_, '_, '_>) -> Expect {
    let Some(node) = fields.value("expect") else {
        fields
            .faults
            .push(Fault::new(root.span, "the key expect is missing"));
        return Expect::default();
    };
    let mut inner = Fields::of(node, "expect", fields.faults);
    let mut expect = Expect::default();
    match inner.raw("actions") {
        None => inner.faults.push(
            Fault::new(node.span, "expect has no actions")
                .help("write actions: {} when nothing is to be done"),
        ),
        Some(actions) => {
            for entry in actions.map().unwrap_or_default() {
                let count = entry.value.scalar().and_then(|(text, _)| text.parse().ok());
                match count.filter(|n| *n > 0) {
                    Some(count) => drop(expect.actions.insert(entry.key.to_string(), count)),
                    None => inner
                        .faults
                        .push(entry.value.mismatch("a whole number of at least 1")),
                }
            }
        }
    }
    for node in inner.list("bindings").unwrap_or_default() {
        let binding = binding(node, inner.faults);
        if !expect.actions.contains_key(&binding.action) {
            let message = format!(
                "a binding is about the action {}, which is not expected",
                quoted(&binding.action)
            );
            inner.faults.push(Fault::new(node.span, message));
        }
        expect.bindings.push(binding);
    }
    inner.finish("expect");
    expect
}

fn binding(node: &Node<'_>, faults: &mut Vec<Fault>) -> Binding {
    let mut fields = Fields::of(node, "a binding", faults);
    let mut binding = Binding {
        action: required(&mut fields, node, "action"),
        because: required(&mut fields, node, "because"),
        key: required(&mut fields, node, "key"),
        rows: Vec::new(),
    };
    let rows = fields.list("rows").unwrap_or_default();
    for node in rows {
        match row(node, &binding.key) {
            Ok(row) if binding.rows.iter().any(|other| other.key == row.key) => {
                fields.faults.push(Fault::new(
                    node.span,
                    "two rows have one key, so no invocation can be told from another (H25)",
                ));
            }
            Ok(row) => binding.rows.push(row),
            Err(fault) => fields.faults.push(fault),
        }
    }
    if rows.is_empty() {
        fields
            .faults
            .push(Fault::new(node.span, "a binding has at least one row"));
    }
    fields.finish("a binding");
    binding
}

fn row(node: &Node<'_>, key: &str) -> Result<Row, Fault> {
    let entries = node.map().ok_or_else(|| node.mismatch("a map of kwargs"))?;
    let Some(keyed) = node.get(key) else {
        return Err(Fault::new(
            node.span,
            format!("the row has no {}, which is its key", quoted(key)),
        ));
    };
    if keyed.list().is_some() || keyed.map().is_some() || keyed.is_null() {
        return Err(keyed.mismatch("one literal, since it is the key"));
    }
    let kwargs = entries.iter().filter(|entry| entry.key != key);
    Ok(Row {
        key: Value::from_node(keyed),
        kwargs: kwargs
            .map(|entry| {
                let right = match Value::from_node(&entry.value) {
                    Value::List(several) => several,
                    one => vec![one],
                };
                (entry.key.to_string(), right)
            })
            .collect(),
    })
}
