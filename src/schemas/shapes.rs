//! The shapes that several formats share, and how a key is described.

use serde_json::{Value, json};

/// What a JSON reader makes of a scalar that Sedum takes for text: a plain number or boolean is text as it is spelt
/// (L14a).
pub(super) const TEXT: [&str; 3] = ["string", "number", "boolean"];

/// The same where null counts as left out.
pub(super) const OPTIONAL_TEXT: [&str; 4] = ["string", "number", "boolean", "null"];

/// What stands in a class of a regular expression for white space, as Unicode and Sedum count it. `\s` is not the same
/// in every engine.
pub(super) const BLANKS: &str =
    r"\u0009-\u000d\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000";

/// What stands in a class for control characters.
pub(super) const CONTROLS: &str = r"\u0000-\u001f\u007f-\u009f";

/// What may stand on a marker as a name (A28, A29).
pub(super) const LABEL: &str = "^[A-Za-z0-9_.-]+$";

/// A text with something in it that is no white space.
pub(super) fn not_blank() -> String {
    format!("[^{BLANKS}]")
}

/// The members of several objects in one.
pub(super) fn merged<const N: usize>(parts: [Value; N]) -> Value {
    let members = parts.into_iter().filter_map(|part| match part {
        Value::Object(members) => Some(members),
        _ => None,
    });
    Value::Object(members.flatten().collect())
}

/// A shape with what an author reads about it.
pub(super) fn described(title: &str, description: &str, shape: Value) -> Value {
    let head = json!({ "title": title, "description": description });
    merged([head, shape])
}

/// Prose, or any other text that nothing is asked of.
pub(super) fn text() -> Value {
    json!({ "type": TEXT })
}

/// The same; null counts as left out.
pub(super) fn optional_text() -> Value {
    json!({ "type": OPTIONAL_TEXT })
}

/// That a key is there and not null.
pub(super) fn given(key: &str) -> Value {
    json!({ "required": [key], "properties": { key: { "not": { "type": "null" } } } })
}

/// A forms object (X15); anything that is no object passes.
pub(super) fn forms() -> Value {
    let form = |title: &str, description: &str| {
        described(
            title,
            description,
            json!({ "type": "string", "pattern": not_blank() }),
        )
    };
    json!({
        "properties": {
            "singular": form("Singular", "What the transform singular gives."),
            "plural": form("Plural", "What the transform plural gives."),
            "text": form(
                "Text",
                "What a reference without singular or plural gives; the singular, else the plural, when left out."
            ),
        },
        "additionalProperties": false,
        "anyOf": [{ "required": ["singular"] }, { "required": ["plural"] }],
    })
}
