//! The catalog as a JSON Schema that an endpoint can hold an answer to (N24).
//!
//! What it requires of a kwarg comes from the one function that says what a template renders (N25), so that Phase 5
//! asks for nothing else. It has no `minItems`: an empty answer is an answer (K27). Sending it is [`super::client`]'s.

use std::collections::BTreeSet;

use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value as Json, json};

use crate::genpkg::{Action, Body, Kwarg, KwargType, Single};
use crate::template::Template;

use super::catalog::{Catalog, Choice, singles};

/// The schema of an answer that chooses from this catalog; the same bytes for the same catalog.
pub fn response_schema(catalog: &Catalog<'_>) -> Box<RawValue> {
    let branches: Vec<Json> = catalog.choices().flat_map(branches).collect();
    let list = json!({"type": "array", "items": {"oneOf": branches}});
    let mut schema = Map::new();
    schema.insert("$defs".to_owned(), definitions());
    schema.extend(object([("invocations".to_owned(), list)], ["invocations"]));
    // Plain data has nothing that could fail to be written.
    to_raw_value(&schema).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

/// The branches of an action: one; of a discriminated one, one for each variant as declared, and the fallback's last.
fn branches(choice: Choice<'_>) -> Vec<Json> {
    let action = choice.action;
    if let Some(Body::Discriminated {
        discriminator,
        variants,
        fallback,
    }) = action.single().map(|single| &single.body)
    {
        let chosen = variants
            .iter()
            .map(|(name, template)| (template, json!({"const": name})));
        let other = fallback
            .iter()
            .map(|template| (template, json!({"type": "string"})));
        return chosen
            .chain(other)
            .map(|(template, value)| {
                let rendered = action.rendered_kwargs(template);
                branch(action, &rendered, Some((discriminator, &value)))
            })
            .collect();
    }
    let rendered = singles(choice)
        .into_iter()
        .filter_map(|(child, single)| Some((child, sole_template(single)?)))
        .flat_map(|(child, template)| child.rendered_kwargs(template))
        .collect();
    vec![branch(action, &rendered, None)]
}

/// The template of a simple action. Which one a discriminated child of a composite takes is not known beforehand.
fn sole_template(single: &Single) -> Option<&Template> {
    match &single.body {
        Body::Simple(template) => Some(template),
        Body::Discriminated { .. } => None,
    }
}

/// One way to invoke an action; `fixed` is its discriminator with the values that belong to this way.
fn branch(action: &Action, rendered: &BTreeSet<&str>, fixed: Option<(&str, &Json)>) -> Json {
    let kwargs = action.kwargs.iter().map(|(name, kwarg)| {
        let schema = match &fixed {
            Some((discriminator, value)) if *discriminator == name => (*value).clone(),
            _ => value(kwarg.kind),
        };
        (name.clone(), schema)
    });
    let is_needed = |name: &str, kwarg: &Kwarg| {
        (kwarg.required || rendered.contains(name)) && kwarg.default.is_none()
    };
    let needed = action
        .kwargs
        .iter()
        .filter(|(name, kwarg)| is_needed(name, kwarg))
        .map(|(name, _)| name.as_str());
    let kwargs = Json::Object(object(kwargs, needed));
    let parts = [
        ("action".to_owned(), json!({"const": action.name})),
        ("kwargs".to_owned(), kwargs),
    ];
    Json::Object(object(parts, ["action", "kwargs"]))
}

fn value(kind: KwargType) -> Json {
    match kind {
        KwargType::String => json!({"$ref": "#/$defs/text"}),
        KwargType::Literal => json!({"type": "string"}),
        KwargType::Int => json!({"type": "integer"}),
        KwargType::Bool => json!({"type": "boolean"}),
        KwargType::List => json!({"type": "array", "items": {"$ref": "#/$defs/scalar"}}),
    }
}

/// What a string may be bound to, and what a list may hold, said once however many kwargs there are (X15, D16).
fn definitions() -> Json {
    let forms = |needed: &str| {
        let keys = ["singular", "plural", "text"];
        let properties = keys.map(|key| (key.to_owned(), json!({"type": "string"})));
        Json::Object(object(properties, [needed]))
    };
    json!({
        "text": {"anyOf": [{"type": "string"}, forms("singular"), forms("plural")]},
        "scalar": {"anyOf": [{"type": "string"}, {"type": "number"}, {"type": "boolean"}]},
    })
}

/// An object of these properties and no others.
fn object<'n>(
    properties: impl IntoIterator<Item = (String, Json)>,
    required: impl IntoIterator<Item = &'n str>,
) -> Map<String, Json> {
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!("object"));
    let properties: Map<String, Json> = properties.into_iter().collect();
    schema.insert("properties".to_owned(), Json::Object(properties));
    let required: Vec<&str> = required.into_iter().collect();
    schema.insert("required".to_owned(), json!(required));
    schema.insert("additionalProperties".to_owned(), json!(false));
    schema
}

#[cfg(test)]
mod tests;
