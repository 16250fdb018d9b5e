//! The rules of a path that Sedum writes (R9, R9a) and of a scope entry (R11, S6), as far as regular expressions can tell
//! them. What a path or an entry means is decided by [`crate::pattern`].
//!
//! Each rule is a `not` of its own with a title, so that an editor can say which one is broken. What depends on the cleaned
//! path is told of paths without `..` only, for cleaning may take a folder away again.

use serde_json::{Value, json};

use super::shapes::{BLANKS, CONTROLS};

/// The rules that every path is held to. `trimmed` says that white space around it is dropped first.
pub(super) fn rules(trimmed: bool) -> Vec<Value> {
    let blank = if trimmed {
        format!("[{BLANKS}]*")
    } else {
        String::new()
    };
    let (start, end) = (format!("^{blank}"), format!("{blank}$"));
    let refused = |title: &str, pattern: String| json!({ "title": title, "not": { "type": "string", "pattern": pattern } });
    vec![
        json!({ "title": "no control character", "pattern": format!("{start}[^{CONTROLS}]*{end}") }),
        refused("relative to the output directory", format!("{start}/")),
        refused("without a drive", format!("{start}[A-Za-z]:")),
        refused(
            "inside the output directory",
            format!(r"{start}(?:\./+)*\.\.(?:/|{end})"),
        ),
        json!({
            "if": { "not": { "pattern": format!(r"(?:{start}|/)\.\.(?:/|{end})") } },
            "then": {
                "allOf": [
                    refused(
                        "outside of .git",
                        format!(r"(?:{start}|/)\.[gG][iI][tT](?:/|{end})"),
                    ),
                    refused("no device name of Windows", device(&start, &end)),
                    refused(
                        "no folder that ends in a dot or a space, which Windows drops",
                        format!(r" /|(?:{start}[^/{BLANKS}]|/[^/])[^/]*\.(?:/|{end})"),
                    ),
                ],
            },
        }),
    ]
}

/// A component whose text before the first dot or colon is a device's name, in any letter case.
fn device(start: &str, end: &str) -> String {
    let names = [
        "con", "prn", "aux", "nul", "conin$", "conout$", "com#", "lpt#",
    ];
    let any_case = |name: &str| -> String {
        name.chars()
            .map(|c| match c {
                '#' => "[1-9¹²³]".to_owned(),
                '$' => r"\$".to_owned(),
                letter => format!("[{letter}{}]", letter.to_ascii_uppercase()),
            })
            .collect()
    };
    let names = names.map(any_case).join("|");
    format!(r"(?:{start}|/)(?:{names}) *(?:[.:][^/]*)?(?:/|{end})")
}

/// A scope entry that can be read: its classes are closed and hold something, its backslashes escape something (Q1).
pub(super) fn readable() -> Value {
    const ESCAPED: &str = r"\\[^/]";
    let one = format!(r"(?:[^\\\]\-/]|{ESCAPED})");
    // Behind `[`, a `^` negates and is no member.
    let first = format!(r"(?:[^\\\]\-/^]|{ESCAPED})");
    let class = format!(r"\[(?:\^{one}|{first})(?:-{one})?(?:{one}(?:-{one})?)*\]");
    json!({
        "title": "a pattern whose [ ] are closed and not empty",
        "pattern": format!(r"^(?:[^\[\\]|{ESCAPED}|{class})*$"),
    })
}
