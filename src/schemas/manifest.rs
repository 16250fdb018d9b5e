//! The schema of `sedum.yaml` (S1-S16, L13, L16, L17).

use serde_json::{Value, json};

use crate::transform::Operation;

use super::paths;
use super::shapes::{
    BLANKS, OPTIONAL_TEXT, TEXT, described, given, merged, not_blank, optional_text, text,
};

pub(super) fn schema() -> Value {
    described(
        "Sedum package",
        "sedum.yaml at the root of a generator package: which files the package speaks for and how it writes in them.",
        json!({
            "type": "object",
            "properties": {
                "name": described(
                    "Package name",
                    "The name of the directory that holds this file. Options such as --lang and --package use it.",
                    // A directory that begins with a dot is no package (L1), and no directory has a slash in its name.
                    json!({ "type": TEXT, "pattern": "^[^./][^/]*$" }),
                ),
                "extensions": extensions(),
                "comment_prefix": described(
                    "Comment prefix",
                    "What starts a comment in these files, such as # or //. Sedum puts its markers behind it, so a package with actions needs one.",
                    one_line(),
                ),
                "comment_suffix": described(
                    "Comment suffix",
                    "What ends a comment, where a comment does not end with its line: --> after <!--, or */ after /*.",
                    one_line(),
                ),
                "transforms": transforms(),
                "op_exceptions": exceptions(),
                "unmanaged": scopes(
                    "Unmanaged paths",
                    "Paths of a project that people keep by hand. Sedum never writes one of them, even where a record names it.",
                ),
                "test_paths": scopes(
                    "Test paths",
                    "Paths of a project that hold tests. They are checked for being readable; no step uses them.",
                ),
                "variables": variables(),
            },
            "required": ["name"],
            "additionalProperties": false,
            "if": merged([
                given("comment_suffix"),
                json!({ "properties": { "comment_suffix": filled() } }),
            ]),
            "then": {
                "title": "a comment_suffix goes with a comment_prefix",
                "required": ["comment_prefix"],
                "properties": { "comment_prefix": filled() },
            },
        }),
    )
}

/// A text that is not blank.
fn filled() -> Value {
    json!({ "type": TEXT, "pattern": not_blank() })
}

fn one_line() -> Value {
    // Not by `$`, which some engines let stand before a last line break.
    json!({
        "type": OPTIONAL_TEXT,
        "not": { "title": "one line", "type": "string", "pattern": r"[\n\r]" },
    })
}

fn extensions() -> Value {
    described(
        "Extensions",
        "The file name endings that this package claims, each with its dot. Letter case makes no difference; two packages may claim the same one.",
        json!({
            "type": ["array", "null"],
            // A bare `.1`, a manual page's, is a number to a YAML reader.
            "items": {
                "type": ["string", "number"],
                "pattern": r"^\.[^/\\]*[^/\\.]$",
                "minimum": 0,
                "exclusiveMaximum": 1,
                "examples": [".rb", ".html.erb"],
            },
            "uniqueItems": true,
        }),
    )
}

fn transforms() -> Value {
    let names = Operation::ALL.map(Operation::name);
    described(
        "Transforms",
        "Pipelines of this package by name. A template uses one as it uses a built-in operation: {{value|name}}.",
        json!({
            "type": ["object", "null"],
            "propertyNames": {
                "title": "a name that a template can write and no built-in operation has",
                "pattern": "^[A-Za-z_][A-Za-z0-9_]*$",
                "not": { "enum": names },
            },
            "additionalProperties": {
                "title": "Pipeline",
                "description": "Built-in operations, carried out from the first to the last. A pipeline cannot use another one.",
                "type": "array",
                "minItems": 1,
                "items": step(),
            },
        }),
    )
}

/// A built-in operation, with an argument where it takes one and without where it takes none (X3).
fn step() -> Value {
    let named = |takes_argument: bool| {
        let operations = Operation::ALL.into_iter();
        let those = operations.filter(|operation| operation.takes_argument() == takes_argument);
        those.map(Operation::name).collect::<Vec<_>>().join("|")
    };
    let (plain, with_argument) = (named(false), named(true));
    let blank = format!("[{BLANKS}]*");
    described(
        "Operation",
        &format!("One of {}; X is the text to use.", Operation::listing()),
        json!({
            "type": "string",
            "pattern": format!(
                r"^{blank}(?:(?:{plain}){blank}$|(?:{with_argument}){blank}:[\s\S]*{})",
                not_blank()
            ),
            "not": { "title": "an argument that is worked out later", "pattern": r"\{\{" },
            "examples": Operation::ALL.map(Operation::shown),
        }),
    )
}

fn exceptions() -> Value {
    let tables = Operation::ALL
        .into_iter()
        .filter(|operation| operation.consults_exceptions())
        .map(|operation| {
            let name = operation.name();
            let table = described(
                &format!("Exceptions of {name}"),
                &format!("From a word, in any letter case, to what {name} writes for it: id: ID."),
                json!({ "type": "object", "additionalProperties": text() }),
            );
            (name.to_owned(), table)
        });
    described(
        "Exceptions",
        "Words that an operation spells in a way of their own.",
        json!({
            "type": ["object", "null"],
            "properties": Value::Object(tables.collect()),
            "additionalProperties": false,
        }),
    )
}

fn scopes(title: &str, description: &str) -> Value {
    let pattern = "A file; a folder, with / at its end; or a pattern, where * stands for any part of a name, ? for one character, [a-z] for one of several, and ** for any number of folders.";
    described(
        title,
        description,
        json!({
            "type": ["array", "null"],
            "items": described(
                "Path or pattern",
                pattern,
                merged([filled(), json!({ "allOf": [paths::readable()] })]),
            ),
        }),
    )
}

fn variables() -> Value {
    described(
        "Run variables",
        "Values that belong to a project and not to a record, by name. A run gives them with --var NAME=VALUE, and every template of the package may use them. No kwarg and no capture may have the same name.",
        json!({
            "type": ["object", "null"],
            "additionalProperties": {
                "title": "Run variable",
                "type": ["object", "null"],
                "properties": {
                    "description": described(
                        "Description",
                        "What the value is, for the person who runs Sedum.",
                        optional_text(),
                    ),
                    "default": described(
                        "Default",
                        "The value when a run gives none. An empty text is a value; without a default the run must give one.",
                        optional_text(),
                    ),
                },
                "additionalProperties": false,
            },
        }),
    )
}
