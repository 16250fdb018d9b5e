//! Unified diffs of the files that a run changes (O24).

use std::fmt::Write as _;

use similar::{ChangeTag, TextDiff};

use crate::pipeline::Changed;

const RED: &str = "\u{1b}[31m";
const GREEN: &str = "\u{1b}[32m";
const CYAN: &str = "\u{1b}[36m";
const BOLD: &str = "\u{1b}[1m";
const PLAIN: &str = "\u{1b}[0m";

/// The diffs of all files, one after another, with three lines of context.
pub fn text(changes: &[Changed], color: bool) -> String {
    let mut out = String::new();
    for change in changes {
        file(change, color, &mut out);
    }
    out
}

fn file(change: &Changed, color: bool, out: &mut String) {
    let paint = |style: &'static str| if color { style } else { "" };
    let end = paint(PLAIN);
    let path = crate::diag::shown(&change.path);
    let before = match change.before {
        Some(_) => format!("a/{path}"),
        None => "/dev/null".to_owned(),
    };
    let bold = paint(BOLD);
    let _ = writeln!(out, "{bold}--- {before}{end}");
    let _ = writeln!(out, "{bold}+++ b/{path}{end}");
    let old = change.before.as_deref().unwrap_or_default();
    let (old, new) = (lines(old), lines(&change.after));
    let diff = TextDiff::from_slices(&old, &new);
    for hunk in diff.unified_diff().context_radius(3).iter_hunks() {
        let header = hunk.header().to_string();
        let _ = writeln!(out, "{}{}{end}", paint(CYAN), header.trim_end());
        for line in hunk.iter_changes() {
            let (sign, style) = match line.tag() {
                ChangeTag::Delete => ("-", paint(RED)),
                ChangeTag::Insert => ("+", paint(GREEN)),
                ChangeTag::Equal => (" ", ""),
            };
            let value = line.value();
            let bare = value.strip_suffix('\n').unwrap_or(value);
            let end = if style.is_empty() { "" } else { end };
            let _ = writeln!(out, "{style}{sign}{}{end}", visible(bare));
            if bare.len() == value.len() {
                out.push_str("\\ No newline at end of file\n");
            }
        }
    }
}

/// The lines of a text, each with its line feed. A return alone ends none, as everywhere in Sedum.
fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// A line of a file with control characters escaped, tabs apart (O28).
fn visible(line: &str) -> String {
    let parts: Vec<_> = line.split('\t').map(crate::diag::shown).collect();
    parts.join("\t")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(before: Option<&str>, after: &str) -> Changed {
        Changed {
            path: "a.x".to_owned(),
            before: before.map(str::to_owned),
            after: after.to_owned(),
        }
    }

    #[test]
    fn a_new_file_comes_from_nowhere_o24() {
        assert_eq!(
            text(&[changed(None, "one\n\ttwo")], false),
            "--- /dev/null\n+++ b/a.x\n@@ -0,0 +1,2 @@\n+one\n+\ttwo\n\\ No newline at end of file\n"
        );
    }

    #[test]
    fn a_return_alone_ends_no_line_o24() {
        assert_eq!(
            text(&[changed(Some("a\rb\n"), "a\rb\r\nc\n")], false),
            "--- a/a.x\n+++ b/a.x\n@@ -1 +1,2 @@\n-a\\rb\n+a\\rb\\r\n+c\n"
        );
    }

    #[test]
    fn control_characters_are_escaped_and_colour_is_asked_for_o28() {
        let changes = [changed(Some("a\n"), "a\n\u{1b}[31mb\n")];
        assert!(text(&changes, false).contains("+\\u{1b}[31mb\n"));
        assert!(!text(&changes, false).contains('\u{1b}'));
        assert!(text(&changes, true).contains("\u{1b}[32m+\\u{1b}[31mb\u{1b}[0m"));
    }
}
