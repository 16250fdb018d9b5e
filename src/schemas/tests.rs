//! What the schemas are as documents. That they agree with the readers is tested from outside, over whole files.

use serde_json::Value;

use super::{Schema, actions, manifest, record, recording};
use crate::genpkg::ACTION_KEYS;

/// Calls `look` with every subschema that stands for a key of a document, and the key.
fn each_key(schema: &Value, look: &mut impl FnMut(&str, &Value)) {
    let Some(members) = schema.as_object() else {
        return;
    };
    for (word, part) in members {
        match word.as_str() {
            "properties" => {
                for (key, shape) in part.as_object().unwrap() {
                    look(key, shape);
                    each_key(shape, look);
                }
            }
            "items" | "additionalProperties" => each_key(part, look),
            _ => {}
        }
    }
}

/// Calls `look` with every regular expression.
fn each_pattern(schema: &Value, look: &mut impl FnMut(&str)) {
    match schema {
        Value::Object(members) => {
            for (word, part) in members {
                match part {
                    Value::String(pattern) if word == "pattern" => look(pattern),
                    _ => each_pattern(part, look),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| each_pattern(item, look)),
        _ => {}
    }
}

#[test]
fn every_schema_is_a_sound_draft_07_schema_at_its_published_address() {
    for schema in Schema::ALL {
        let value = schema.value();
        assert!(jsonschema::meta::is_valid(&value), "{schema:?}");
        assert_eq!(value["$schema"], "http://json-schema.org/draft-07/schema#");
        assert_eq!(
            value["$id"],
            format!(
                "https://raw.githubusercontent.com/livecodelife/sedum/main/docs/schemas/{}.json",
                schema.name()
            )
        );
        assert!(schema.text().ends_with("}\n"));
        assert_eq!(schema.text(), schema.text());
        assert_eq!(Schema::from_name(schema.name()), Some(schema));
    }
    assert_eq!(Schema::from_name("records"), None);
}

#[test]
fn every_key_has_a_title_and_a_description() {
    for schema in Schema::ALL {
        let value = schema.value();
        let mut keys = 0;
        each_key(&value, &mut |key, shape| {
            keys += 1;
            for word in ["title", "description"] {
                let text = shape[word].as_str().unwrap_or_default();
                assert!(!text.is_empty(), "{schema:?}: {key} has no {word}");
            }
        });
        assert!(keys > 4, "{schema:?} has keys");
    }
}

/// Every editor has another engine; these are the words that they do not all know, or do not all mean alike.
#[test]
fn patterns_use_nothing_that_engines_read_differently() {
    for body in [
        manifest::schema(),
        actions::schema(),
        record::schema(),
        recording::schema(),
    ] {
        each_pattern(&body, &mut |pattern| {
            let plain = pattern.replace(r"[\s\S]", "");
            for word in [
                "(?=", "(?!", "(?<", "(?i", r"\s", r"\S", r"\w", r"\d", r"\b", r"\p",
            ] {
                assert!(!plain.contains(word), "{pattern} has {word}");
            }
        });
    }
}

#[test]
fn a2_the_keys_of_an_action_are_those_of_the_reader() {
    let schema = Schema::Actions.value();
    let keys = schema["properties"]["actions"]["additionalProperties"]["properties"]
        .as_object()
        .unwrap();
    let mut keys: Vec<&str> = keys.keys().map(String::as_str).collect();
    keys.sort_unstable();
    assert_eq!(keys, ACTION_KEYS);
}
