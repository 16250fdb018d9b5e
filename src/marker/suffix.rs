//! Keeps a comment's suffix out of a marker's JSON, so that the marker stays one comment (M5).
//!
//! Two means and no other: a character inside a string may be written as a `\u` escape, and a space may stand between
//! two characters outside strings. Neither changes what a JSON reader gets. Carried strings are never touched. What
//! neither means can break makes the package's suffix unusable, which [`is_breakable`] says once, at load.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::ops::Range;

/// A piece of a marker line that is changed as a whole or not at all.
struct Piece<'a> {
    text: Cow<'a, str>,
    /// The character that a piece of a string stands for, while it may still become an escape.
    character: Option<char>,
    /// Whether a space may be put behind it.
    parts: bool,
}

impl<'a> Piece<'a> {
    fn fixed(text: &'a str) -> Self {
        Self {
            text: Cow::Borrowed(text),
            character: None,
            parts: false,
        }
    }

    fn token(text: &'a str) -> Self {
        Self {
            parts: true,
            ..Self::fixed(text)
        }
    }
}

/// `json` with every `suffix` in it broken (M5). `lead` is what stands between the prefix and `json`, `verbatim` the
/// byte ranges of carried values, ascending. Behind `json` come one space and the suffix.
///
/// At each place where the suffix would begin, its first character becomes an escape; where that is no character of a
/// string, a space goes to the first place in it that takes one.
pub(super) fn kept_out(lead: &str, json: &str, verbatim: &[Range<usize>], suffix: &str) -> String {
    let whole = format!("{lead}{json} {suffix}");
    if suffix.is_empty() || whole.find(suffix) == Some(whole.len() - suffix.len()) {
        return json.to_owned();
    }
    let tail = format!(" {suffix}");
    let mut pieces = vec![Piece::fixed(lead)];
    pieces.extend(split(json, verbatim));
    // M1 has exactly one space before the suffix.
    if let Some(last) = pieces.last_mut() {
        last.parts = false;
    }
    pieces.push(Piece::fixed(&tail));

    let end = pieces.len() - 1;
    let mut at = 0;
    while at < end {
        if break_in(&mut pieces, at, suffix) {
            // A change can make the suffix begin anew only where it reaches the changed piece.
            at = at.saturating_sub(suffix.len());
        } else {
            at += 1;
        }
    }
    let kept = pieces.get(1..end).unwrap_or_default();
    kept.iter().map(|piece| &*piece.text).collect()
}

/// Breaks one suffix that begins in a piece; `false` when none does, or none that can be broken.
fn break_in(pieces: &mut [Piece<'_>], at: usize, suffix: &str) -> bool {
    let length = pieces.get(at).map_or(0, |piece| piece.text.len());
    (0..length).any(|offset| {
        reach(pieces, at, offset, suffix)
            .is_some_and(|last| break_between(pieces.get_mut(at..=last).unwrap_or_default()))
    })
}

/// The piece in which a suffix ends that begins at a byte of a piece; `None` when none begins there.
fn reach(pieces: &[Piece<'_>], at: usize, offset: usize, suffix: &str) -> Option<usize> {
    let mut wanted = suffix.as_bytes();
    let mut offset = offset;
    for (index, piece) in pieces.iter().enumerate().skip(at) {
        let here = piece.text.as_bytes().get(offset..)?;
        let shared = here.len().min(wanted.len());
        if here.get(..shared) != wanted.get(..shared) {
            return None;
        }
        wanted = wanted.get(shared..)?;
        if wanted.is_empty() {
            return Some(index);
        }
        offset = 0;
    }
    None
}

fn break_between(pieces: &mut [Piece<'_>]) -> bool {
    let last = pieces.len().saturating_sub(1);
    for (index, piece) in pieces.iter_mut().enumerate() {
        if let Some(character) = piece.character.take() {
            piece.text = Cow::Owned(escaped(character));
            return true;
        }
        if piece.parts && index < last {
            piece.parts = false;
            piece.text.to_mut().push(' ');
            return true;
        }
    }
    false
}

/// A character as JSON's `\u` escape, in lower case; two of them outside the basic plane.
fn escaped(character: char) -> String {
    let mut out = String::new();
    for unit in character.encode_utf16(&mut [0; 2]) {
        let _ = write!(out, "\\u{unit:04x}");
    }
    out
}

/// The pieces of compact JSON.
fn split<'a>(json: &'a str, verbatim: &[Range<usize>]) -> Vec<Piece<'a>> {
    let mut pieces = Vec::new();
    let mut carried = verbatim.iter().peekable();
    let mut at = 0;
    while let Some(first) = json.as_bytes().get(at) {
        while carried.next_if(|range| range.end <= at).is_some() {}
        let rest = json.get(at..).unwrap_or_default();
        let length = match first {
            b'"' => string_length(rest),
            b'{' | b'}' | b'[' | b']' | b':' | b',' => 1,
            _ => rest
                .find(['{', '}', '[', ']', ':', ',', '"'])
                .unwrap_or(rest.len()),
        };
        let token = rest.get(..length).unwrap_or(rest);
        let is_carried = carried.peek().is_some_and(|range| range.contains(&at));
        if *first == b'"' && !is_carried {
            split_string(token, &mut pieces);
        } else {
            pieces.push(Piece::token(token));
        }
        at += token.len().max(1);
    }
    pieces
}

/// The length in bytes of the string that `text` begins with, both quotes included.
fn string_length(text: &str) -> usize {
    let mut escape = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escape => escape = false,
            b'\\' => escape = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The pieces of one string: its quotes, and a piece for each character.
fn split_string<'a>(token: &'a str, pieces: &mut Vec<Piece<'a>>) {
    pieces.push(Piece::fixed("\""));
    let inner = token.strip_prefix('"').unwrap_or(token);
    let mut rest = inner.strip_suffix('"').unwrap_or(inner);
    while let Some(first) = rest.chars().next() {
        let (length, character) = match (first, rest.as_bytes().get(1)) {
            ('\\', Some(b'u')) => (6, None),
            ('\\', Some(short)) => (2, short_escape(*short)),
            _ => (first.len_utf8(), Some(first)),
        };
        let (piece, behind) = rest.split_at_checked(length).unwrap_or((rest, ""));
        pieces.push(Piece {
            character,
            ..Piece::fixed(piece)
        });
        rest = behind;
    }
    pieces.push(Piece::token("\""));
}

fn short_escape(letter: u8) -> Option<char> {
    match letter {
        b'"' | b'\\' | b'/' => Some(char::from(letter)),
        b'b' => Some('\u{8}'),
        b'f' => Some('\u{c}'),
        b'n' => Some('\n'),
        b'r' => Some('\r'),
        b't' => Some('\t'),
        _ => None,
    }
}

/// Whether [`kept_out`] can break `suffix` in the marker of any values. It cannot when the suffix stands in what
/// every marker has (` sedum:`, ` /sedum:`), is part of one token (a bracket, `:`, `,`, a number, `true`, `false`,
/// `null`), is made of quotes and escapes only, or makes the closing bracket begin it (`} }`).
pub(super) fn is_breakable(prefix: &str, suffix: &str) -> bool {
    let is_fixed = ["sedum:", "/sedum:"].iter().any(|lead| {
        let text = format!("{prefix} {lead}");
        // A suffix that is part of the prefix opens the comment there; it ends none.
        text.match_indices(suffix)
            .any(|(at, _)| at + suffix.len() > prefix.len())
    });
    let is_punctuation = matches!(suffix, "{" | "}" | "[" | "]" | ":" | ",");
    let is_word = ["true", "false", "null"].iter().any(|w| w.contains(suffix));
    let mut closers = suffix.split(' ');
    let closes_early = closers.all(|part| part == "}");
    !(is_fixed
        || is_punctuation
        || is_word
        || closes_early
        || is_within_number(suffix)
        || is_within_escapes(suffix))
}

/// Whether some JSON number holds `text`.
fn is_within_number(text: &str) -> bool {
    ["", "1", "1.1", "1e", "1e1"].iter().any(|before| {
        ["", "1"]
            .iter()
            .any(|after| is_number(&format!("{before}{text}{after}")))
    })
}

fn is_number(text: &str) -> bool {
    let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    let (mantissa, power) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    let whole = whole.strip_prefix('-').unwrap_or(whole);
    let power = power.strip_prefix(['+', '-']).unwrap_or(power);
    digits(whole) && (whole == "0" || !whole.starts_with('0')) && digits(fraction) && digits(power)
}

/// Whether a string whose characters are all written as escapes can still hold `suffix`, its quotes included.
fn is_within_escapes(suffix: &str) -> bool {
    let after_quote = suffix.strip_prefix('"');
    let inner = after_quote.unwrap_or(suffix);
    let alignments = if after_quote.is_some() { 0..1 } else { 0..6 };
    let units: Vec<String> = forced_escapes(suffix).map(escaped).collect();
    if suffix == "\"" {
        return true;
    }
    alignments.into_iter().any(|skipped| {
        let inner = inner.strip_suffix('"').map_or(inner, |bare| {
            // A closing quote stands behind a whole escape only.
            if (bare.len() + skipped) % 6 == 0 {
                bare
            } else {
                inner
            }
        });
        let mut rest = inner;
        let mut from = skipped;
        while !rest.is_empty() {
            let Some((chunk, behind)) = rest.split_at_checked(rest.len().min(6 - from)) else {
                return false;
            };
            if !units
                .iter()
                .any(|unit| unit.get(from..from + chunk.len()) == Some(chunk))
            {
                return false;
            }
            rest = behind;
            from = 0;
        }
        true
    })
}

/// The characters that breaking `suffix` may have to write as escapes, and those that always are.
fn forced_escapes(suffix: &str) -> impl Iterator<Item = char> {
    let always = ('\0'..' ').filter(|c| !matches!(c, '\u{8}'..='\n' | '\u{c}' | '\r'));
    let short = [
        ('\u{8}', 'b'),
        ('\u{c}', 'f'),
        ('\n', 'n'),
        ('\r', 'r'),
        ('\t', 't'),
    ]
    .into_iter()
    .filter(|(_, letter)| suffix.contains('\\') || suffix.contains(*letter))
    .map(|(character, _)| character);
    always
        .chain(['\u{2028}', '\u{2029}'])
        .chain(short)
        .chain(suffix.chars())
}

#[cfg(test)]
mod tests;
