//! The schema of `actions/actions.yaml` (A1-A35).

use serde_json::{Value, json};

use crate::genpkg::{
    ACTION_KEYS, ANCHOR_COMPANIONS, ANCHOR_KINDS, COMPOSITE_KEYS, KwargType, companions_of,
};
use crate::marker::Tier;

use super::shapes::{
    BLANKS, CONTROLS, LABEL, TEXT, described, forms, given, merged, optional_text, text,
};

pub(super) fn schema() -> Value {
    described(
        "Sedum actions",
        "actions/actions.yaml of a generator package: what can be injected into files, where, and with which arguments.",
        json!({
            "type": "object",
            "properties": {
                "actions": described(
                    "Actions",
                    "Every action by its name. A package without actions writes actions: {}.",
                    json!({
                        "type": "object",
                        "propertyNames": {
                            "title": "letters, digits, _, - and . make an action's name; anchor is reserved",
                            "pattern": LABEL,
                            "not": { "const": "anchor" },
                        },
                        "additionalProperties": action(),
                    }),
                ),
            },
            "required": ["actions"],
            "additionalProperties": false,
        }),
    )
}

fn action() -> Value {
    let mut rules = vec![
        json!({ "if": given("composes"), "then": composite(), "else": injecting() }),
        json!({
            "if": given("variants"),
            "then": merged([json!({ "title": "variants go with a discriminator" }), given("discriminator")]),
        }),
        json!({
            "if": given("discriminator"),
            "then": has_kwarg(
                "a discriminator names a kwarg of type string",
                &json!({ "required": ["type"], "properties": { "type": { "const": KwargType::String.name() } } }),
            ),
        }),
        json!({
            "if": given("identity"),
            "then": has_kwarg(
                "an identity names required kwargs",
                &json!({ "required": ["required"], "properties": { "required": { "const": true } } }),
            ),
        }),
    ];
    rules.extend(ANCHOR_COMPANIONS.map(companion));
    described(
        "Action",
        "A simple action has one template, actions/NAME.EXT. With a discriminator it has one for each variant, actions/NAME/VARIANT.EXT. With composes it has none and runs other actions.",
        json!({
            "type": "object",
            "properties": keys(),
            "additionalProperties": false,
            "allOf": rules,
        }),
    )
}

/// A21: what a composite leaves to its children.
fn composite() -> Value {
    let foreign = ACTION_KEYS
        .into_iter()
        .filter(|key| !COMPOSITE_KEYS.contains(key))
        .map(|key| {
            let title = format!("a composite leaves {key} to its children");
            (key.to_owned(), json!({ "title": title, "type": "null" }))
        });
    json!({ "properties": Value::Object(foreign.collect()) })
}

/// A14.
fn injecting() -> Value {
    json!({
        "title": "an action that is no composite needs injects_into and anchor",
        "required": ["injects_into", "anchor"],
        "properties": { "injects_into": { "type": TEXT }, "anchor": { "type": TEXT } },
    })
}

/// That some kwarg is of a shape.
fn has_kwarg(title: &str, shape: &Value) -> Value {
    json!({
        "title": title,
        "required": ["kwargs"],
        "properties": {
            "kwargs": { "title": title, "not": { "additionalProperties": { "not": shape } } },
        },
    })
}

/// A30: the anchors that need the key, and that all others may not have it.
fn companion(key: &str) -> Value {
    let owners: Vec<&str> = ANCHOR_KINDS
        .into_iter()
        .filter(|kind| companions_of(kind).contains(&key))
        .collect();
    let owned_by = owners.join(" and ");
    let needs = format!("the anchor {} needs {key}", owners.join(" or "));
    let foreign = format!("{key} belongs to the anchor {owned_by} only");
    json!({
        "if": { "required": ["anchor"], "properties": { "anchor": { "enum": owners } } },
        "then": merged([json!({ "title": needs }), given(key)]),
        "else": { "properties": { key: { "title": foreign, "type": "null" } } },
    })
}

fn keys() -> Value {
    let marker_name = |shape: Value| merged([shape, json!({ "pattern": LABEL })]);
    let kinds: Vec<&str> = ANCHOR_KINDS
        .into_iter()
        .filter(|kind| *kind != "marker")
        .collect();
    json!({
        "description": described(
            "Description",
            "When to use the action and when not, for the model that selects it. It is passed on as it is.",
            optional_text(),
        ),
        "kwargs": described(
            "Arguments",
            "The action's arguments by name. Its templates and injects_into may use them, and run variables.",
            json!({ "type": ["object", "null"], "additionalProperties": kwarg() }),
        ),
        "discriminator": described(
            "Discriminator",
            "The kwarg, of type string, whose value chooses the template.",
            optional_text(),
        ),
        "variants": described(
            "Variants",
            "The values of the discriminator that have a template of their own. Any other value gets the template _default, when there is one.",
            json!({
                "type": ["array", "null"],
                "items": {
                    "title": "a value that can stand on a marker: no white space and no /",
                    "type": TEXT,
                    "pattern": format!("^[^/{CONTROLS}{BLANKS}]+$"),
                },
                "uniqueItems": true,
            }),
        ),
        "injects_into": described(
            "Target",
            "The path of the file to inject into. It may hold {{kwarg}} and transforms: app/models/{{name|snake}}.rb.",
            optional_text(),
        ),
        "anchor": described(
            "Anchor",
            "Where in the target the text goes: start_of_file, end_of_file, region (inside the region between two markers), after_match, before_match (at the line of a pattern's first match), or else the name of a marker that a file template plants.",
            merged([
                marker_name(optional_text()),
                json!({ "not": { "title": "marker is no marker's name", "const": "marker" }, "examples": kinds }),
            ]),
        ),
        "anchor_start": described(
            "Start of the region",
            "With anchor: region, the marker that opens it.",
            marker_name(optional_text()),
        ),
        "anchor_end": described(
            "End of the region",
            "With anchor: region, the marker that closes it; the text goes just before.",
            marker_name(optional_text()),
        ),
        "anchor_pattern": described(
            "Pattern",
            "With anchor: after_match or before_match, a regular expression in RE2 syntax. ^ and $ stand for the bounds of the file unless it starts with (?m).",
            optional_text(),
        ),
        "composes": described(
            "Children",
            "Makes the action a composite: the actions of this package that it runs, in order. It has their kwargs, and can have no more than a description and exposed of its own.",
            json!({
                "type": ["array", "null"],
                "items": { "title": "Name of a simple or discriminated action", "type": TEXT, "pattern": LABEL },
                "minItems": 1,
                "uniqueItems": true,
            }),
        ),
        "exposed": described(
            "Exposed",
            "Whether a model may select the action by itself. Write false for one that only composites run.",
            json!({ "type": ["boolean", "null"], "default": true }),
        ),
        "identity": described(
            "Identity",
            "The required kwargs that tell one region of the action from another; a region with the same values is replaced. Left out, all required kwargs and the variant count.",
            json!({ "type": ["array", "null"], "items": text(), "minItems": 1 }),
        ),
        "tier": described(
            "Tier",
            "Who has a new region: owned is replaced on each run, seeded is written once and then left to people.",
            json!({
                "type": ["string", "null"],
                "enum": [Tier::Owned.name(), Tier::Seeded.name(), null],
                "default": Tier::default().name(),
            }),
        ),
    })
}

fn kwarg() -> Value {
    let mut rules = vec![json!({
        "if": { "required": ["required"], "properties": { "required": { "const": true } } },
        "then": { "properties": { "default": { "title": "a required kwarg has no default", "type": "null" } } },
    })];
    rules.extend(KwargType::ALL.map(|kind| {
        json!({
            "if": { "required": ["type"], "properties": { "type": { "const": kind.name() } } },
            "then": { "properties": { "default": default_of(kind) } },
        })
    }));
    json!({
        "title": "Argument",
        "type": "object",
        "properties": {
            "type": described(
                "Type",
                "string is text that transforms may work on; int a whole number; bool true or false; list a list of strings, numbers or booleans; literal source text that goes into the target as it is.",
                json!({ "type": "string", "enum": KwargType::ALL.map(KwargType::name) }),
            ),
            "required": described(
                "Required",
                "Whether every use of the action must give the argument.",
                json!({ "type": ["boolean", "null"], "default": false }),
            ),
            "description": described(
                "Description",
                "What to give, for the model that gives it. It is passed on as it is.",
                optional_text(),
            ),
            "default": described(
                "Default",
                "The value when none is given, of the argument's type. An empty text is a value.",
                json!({}),
            ),
        },
        "required": ["type"],
        "additionalProperties": false,
        "allOf": rules,
    })
}

/// A9, X15: the defaults that a type takes, null for none.
fn default_of(kind: KwargType) -> Value {
    let shape = match kind {
        KwargType::String => merged([json!({ "type": ["string", "object", "null"] }), forms()]),
        KwargType::Int => json!({ "type": ["integer", "null"] }),
        KwargType::Bool => json!({ "type": ["boolean", "null"] }),
        KwargType::List => json!({ "type": ["array", "null"], "items": { "type": TEXT } }),
        KwargType::Literal => json!({ "type": ["string", "null"] }),
    };
    let title = format!("a default of type {}", kind.name());
    merged([json!({ "title": title }), shape])
}
