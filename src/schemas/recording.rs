//! The schema of a recording (J1, J10-J12, J24). Unknown keys are ignored everywhere, as its reader does.

use serde_json::{Value, json};

use super::paths;
use super::shapes::{described, forms, merged, not_blank};

pub(super) fn schema() -> Value {
    described(
        "Sedum recording",
        "What a run of Sedum resolved and selected, as grow --record writes it and grow --execute replays it. It may be written by hand; keys that are not described here are passed over.",
        json!({
            "type": "object",
            "properties": {
                "sedum_version": described(
                    "Version",
                    "The version of Sedum that wrote the recording. Nothing compares it.",
                    optional_string(),
                ),
                "packages": described(
                    "Packages",
                    "The packages that the files use, by name. A replay checks that each is there and still claims its extensions.",
                    map_of(&json!({
                        "title": "Package",
                        "type": "object",
                        "properties": {
                            "extensions": described(
                                "Extensions",
                                "The extensions that the package claimed, each with its dot.",
                                json!({ "type": ["array", "null"], "items": { "type": "string" } }),
                            ),
                        },
                    })),
                ),
                "records": described(
                    "Records",
                    "The records in the order they are replayed; an empty list is allowed.",
                    json!({ "type": "array", "items": record() }),
                ),
                "variables": described(
                    "Run variables",
                    "The run variables that were given, by name.",
                    map_of(&json!({ "type": "string" })),
                ),
            },
            "required": ["records"],
        }),
    )
}

fn optional_string() -> Value {
    json!({ "type": ["string", "null"] })
}

fn map_of(shape: &Value) -> Value {
    json!({ "type": ["object", "null"], "additionalProperties": shape })
}

fn list_of(shape: &Value) -> Value {
    json!({ "type": ["array", "null"], "items": shape })
}

fn record() -> Value {
    json!({
        "title": "Record",
        "type": "object",
        "properties": {
            "record_id": described(
                "Record id",
                "The id of the provenance record, which the markers carry.",
                optional_string(),
            ),
            "files": described(
                "Files",
                "The files to create where they are missing, and to reconcile with their template where they are not.",
                list_of(&file()),
            ),
            "phases": described(
                "Phases",
                "What is injected, phase after phase. Sedum itself writes one, called default.",
                list_of(&phase()),
            ),
        },
    })
}

fn file() -> Value {
    let mut path_rules = paths::rules(false);
    path_rules.push(json!({
        "title": "folders are separated by /",
        "not": { "pattern": r"\\" },
    }));
    path_rules.push(json!({ "title": "a file, not a folder", "not": { "pattern": "/$" } }));
    json!({
        "title": "File",
        "type": "object",
        "properties": {
            "path": described(
                "Path",
                "The file, relative to the output directory.",
                json!({ "type": "string", "pattern": not_blank(), "allOf": path_rules }),
            ),
            "package": described(
                "Package",
                "The package that owns the file.",
                json!({ "type": "string", "pattern": not_blank() }),
            ),
            "template": described(
                "File template",
                "The path of the file template below the package's files/, such as app/models/{name}.rb. Left out or empty, the file starts empty.",
                optional_string(),
            ),
            "captures": described(
                "Captures",
                "What the template's {captures} stand for.",
                map_of(&json!({ "type": "string" })),
            ),
        },
        "required": ["path", "package"],
    })
}

fn phase() -> Value {
    json!({
        "title": "Phase",
        "type": "object",
        "properties": {
            "name": described("Name", "The phase's name; default when left out.", optional_string()),
            "invocations": described(
                "Invocations",
                "The actions to run, in order.",
                list_of(&json!({
                    "title": "Invocation",
                    "type": "object",
                    "properties": {
                        "action": described(
                            "Action",
                            "The name of an action of the record's packages; a composite runs its children.",
                            json!({ "type": "string", "pattern": not_blank() }),
                        ),
                        "kwargs": described(
                            "Arguments",
                            "The action's arguments. One with a default may be left out.",
                            map_of(&argument()),
                        ),
                    },
                    "required": ["action"],
                })),
            ),
        },
    })
}

/// D16: what fits some type of kwarg.
fn argument() -> Value {
    described(
        "Argument",
        "A value of the kwarg's type. For a kwarg of type string it may be an object with an explicit singular and plural.",
        merged([
            json!({
                "type": ["string", "integer", "boolean", "array", "object"],
                "items": { "type": ["string", "number", "boolean"] },
            }),
            forms(),
        ]),
    )
}
