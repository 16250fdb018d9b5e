//! The schema of the fields of a record that Sedum reads (R2-R11). All other keys belong to the governance tool.

use serde_json::{Value, json};

use super::paths;
use super::shapes::{OPTIONAL_TEXT, TEXT, described, not_blank, text};

pub(super) fn schema() -> Value {
    let mut path_rules = paths::rules(true);
    path_rules.push(json!({
        "title": "folders are separated by /",
        "not": { "type": "string", "pattern": r"\\(?:[^\[\]^-]|$)" },
    }));
    path_rules.push(paths::readable());
    described(
        "Provenance record",
        "The fields of a provenance record that Sedum reads. It passes over every other key and never writes to a record.",
        json!({
            "type": "object",
            "properties": {
                "id": described(
                    "Id",
                    "The record's name, which no other record of the directory may have. The markers of what is made for it carry it.",
                    json!({ "type": TEXT, "pattern": not_blank() }),
                ),
                "intent": described(
                    "Intent",
                    "What the change is for, in plain words; the model selects actions by it.",
                    text(),
                ),
                "constraints": described(
                    "Constraints",
                    "What the change is held to, one sentence an entry; the model sees them with the intent.",
                    json!({ "type": ["array", "null"], "items": text() }),
                ),
                "affected_scope": described(
                    "Affected scope",
                    "The paths that the record is about, relative to the output directory.",
                    json!({
                        "type": ["array", "null"],
                        "items": described(
                            "Path or pattern",
                            "A path names a file, which Sedum creates when it is missing. An entry with *, ?, [ or a / at its end only says which other paths may be written.",
                            json!({ "type": OPTIONAL_TEXT, "allOf": path_rules }),
                        ),
                    }),
                ),
                "forbidden_scope": described(
                    "Forbidden scope",
                    "The paths that the record keeps out of, though affected_scope covers them. It says nothing about other records.",
                    json!({
                        "type": ["array", "null"],
                        "items": described(
                            "Path or pattern",
                            "A path, a folder with / at its end, or a pattern with *, ?, [ ] or **.",
                            json!({ "type": OPTIONAL_TEXT, "allOf": [paths::readable()] }),
                        ),
                    }),
                ),
            },
            "required": ["id"],
        }),
    )
}
