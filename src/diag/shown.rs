//! How text from outside is shown in a message: escaped, cut, listed, and compared for a near miss.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

/// The longest piece of received text that a message quotes, in bytes (D7).
pub const QUOTE_LIMIT: usize = 300;

/// Text with every control character escaped, so that no message can drive a terminal (O28).
pub fn shown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let _ = write!(out, "{}", Shown(text));
    out
}

/// What [`shown`] gives, to be written where it is wanted.
pub struct Shown<'a>(pub &'a str);

impl Shown<'_> {
    /// Writes the text behind what is there.
    pub fn push_to(&self, out: &mut String) {
        // Nearly every text is.
        if self.is_plain() {
            out.push_str(self.0);
        } else {
            let _ = write!(out, "{self}");
        }
    }

    fn is_plain(&self) -> bool {
        self.0.bytes().all(|byte| matches!(byte, b' '..=b'~'))
    }
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        if self.is_plain() {
            return f.write_str(rest);
        }
        while let Some(at) = rest.find(is_unsafe) {
            let (plain, from) = rest.split_at(at);
            f.write_str(plain)?;
            let mut chars = from.chars();
            if let Some(c) = chars.next() {
                write!(f, "{}", c.escape_default())?;
            }
            rest = chars.as_str();
        }
        f.write_str(rest)
    }
}

/// Bidirectional controls count as control characters: they reorder what a terminal shows.
fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{61c}')
}

/// A whole output, the last thing before it is printed: line breaks and tabs stay, and where `colored` what sets a
/// colour; any other character that could drive a terminal is escaped. What is quoted in an output was escaped where it
/// was put in; this is for what was forgotten there (O28).
pub fn printable(text: &str, colored: bool) -> Cow<'_, str> {
    let is_stray = |c: char| is_unsafe(c) && !matches!(c, '\n' | '\t');
    if is_plain(text) || !text.contains(is_stray) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(is_stray) {
        let (plain, from) = rest.split_at(at);
        out.push_str(plain);
        let color = if colored { color_length(from) } else { 0 };
        let (kept, after) = from.split_at(color);
        out.push_str(kept);
        let mut chars = after.chars();
        if color == 0
            && let Some(c) = chars.next()
        {
            let _ = write!(out, "{}", c.escape_default());
        }
        rest = chars.as_str();
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Whether a text is printable ASCII in lines: nearly every report is, and large ones are looked through block by block.
fn is_plain(text: &str) -> bool {
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t');
    let mut blocks = text.as_bytes().chunks(4096);
    blocks.all(|block| block.iter().fold(true, |all, byte| all & is_plain(*byte)))
}

/// The length of what `text` starts with, when that sets a colour and nothing else; else 0.
fn color_length(text: &str) -> usize {
    let Some(numbers) = text.strip_prefix("\u{1b}[") else {
        return 0;
    };
    let after = numbers.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
    if after.starts_with('m') {
        text.len() - after.len() + 1
    } else {
        0
    }
}

/// A JSON document with every character escaped that could drive a terminal; the values stay the same (O28).
pub fn printable_json(document: &str) -> String {
    let mut out = String::with_capacity(document.len());
    let mut rest = document;
    // What is below the blank is escaped in JSON already, or stands between values.
    while let Some(at) = rest.find(|c: char| c > '~' && is_unsafe(c)) {
        let (plain, from) = rest.split_at(at);
        out.push_str(plain);
        let mut chars = from.chars();
        if let Some(c) = chars.next() {
            let _ = write!(out, "\\u{:04x}", u32::from(c));
        }
        rest = chars.as_str();
    }
    out.push_str(rest);
    out
}

/// Text between double quotes, escaped, cut at [`QUOTE_LIMIT`] bytes on a character boundary (D7).
pub fn quoted(text: &str) -> String {
    let cut = cut_at(text, QUOTE_LIMIT);
    let dots = if cut.len() < text.len() { "..." } else { "" };
    format!("\"{}{dots}\"", shown(cut))
}

/// The longest beginning of `text` that has at most `limit` bytes and ends on a character boundary.
pub fn cut_at(text: &str, limit: usize) -> &str {
    if text.len() <= limit {
        return text;
    }
    let mut end = limit;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}

/// Names joined by commas, or `none`.
pub fn listed<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> String {
    let mut out = String::new();
    for name in names {
        if !out.is_empty() {
            out.push_str(", ");
        }
        out.push_str(&shown(name.as_ref()));
    }
    if out.is_empty() {
        out.push_str("none");
    }
    out
}

/// The known name that a misspelt one most likely means, when one is near enough.
pub fn nearest<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if wrong.len() > 200 {
        return None;
    }
    let lowered = wrong.to_lowercase();
    known
        .into_iter()
        .filter(|name| name.len() <= 200)
        .map(|name| {
            (
                strsim::damerau_levenshtein(&lowered, &name.to_lowercase()),
                name,
            )
        })
        .filter(|(distance, name)| *distance * 3 <= name.chars().count().max(3))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(shown("a\u{1b}[31m\u{7}\n"), "a\\u{1b}[31m\\u{7}\\n");
        assert_eq!(shown("é日"), "é日");
    }

    #[test]
    fn what_is_printed_keeps_breaks_tabs_and_colours_alone_o28() {
        let text = "\u{1b}[1;31ma\u{1b}[0m\tb\n";
        assert_eq!(printable(text, true), text);
        assert_eq!(printable(text, false), "\\u{1b}[1;31ma\\u{1b}[0m\tb\n");
        for (stray, escaped) in [
            ("\u{1b}]0;t\u{7}", "\\u{1b}]0;t\\u{7}"),
            ("\u{1b}[2J", "\\u{1b}[2J"),
            ("\u{1b}[", "\\u{1b}["),
            ("\u{1b}[31", "\\u{1b}[31"),
            ("\u{9b}31m\0\r\u{7f}", "\\u{9b}31m\\u{0}\\r\\u{7f}"),
            ("\u{202e}\u{61c}é", "\\u{202e}\\u{61c}é"),
        ] {
            assert_eq!(printable(stray, true), escaped);
            assert_eq!(printable(stray, false), escaped);
        }
    }

    #[test]
    fn a_json_document_keeps_its_values_o28() {
        let text = "{\n  \"a\": \"\\u001b é\u{9b}\u{7f}\u{202e}😀\"\n}\n";
        assert_eq!(
            printable_json(text),
            "{\n  \"a\": \"\\u001b é\\u009b\\u007f\\u202e😀\"\n}\n"
        );
    }

    #[test]
    fn quotes_are_cut_on_a_character_boundary() {
        let long = "é".repeat(200);
        let quote = quoted(&long);
        assert_eq!(quote, format!("\"{}...\"", "é".repeat(150)));
    }

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        let known = ["comment_prefix", "extensions", "name"];
        assert_eq!(nearest("comment_prefx", known), Some("comment_prefix"));
        assert_eq!(nearest("Name", known), Some("name"));
        assert_eq!(nearest("zebra", known), None);
    }
}
