//! Rewrites an expression of RE2 syntax as one that means the same to the `regex` crate.
//!
//! The two dialects are near relatives. They part where a class is written (RE2 has no nested classes and no set
//! operations, so `[[]` and `[a&&b]` are plain), in the reach of `\w \d \s \b` (ASCII there, Unicode here), and in a few
//! spellings: `\Q...\E`, octal escapes, `\<`, a `{` that opens no repetition. What RE2 does not have is a fault here;
//! what it has and the engine checks alike (groups that balance, names of Unicode classes) is left to the engine.

mod class;

use std::iter::Peekable;
use std::str::CharIndices;

use super::FaultKind;
use class::shorthand;

/// A fault and its byte offset in the authored text.
type Fault = (FaultKind, usize);

const MOST_REPEATS: u32 = 1000;

/// An expression for the engine, and what was noticed on the way.
pub(super) struct Translated {
    pub(super) expression: String,
    /// A `^` or `$` that is an assertion.
    pub(super) has_line_end: bool,
    /// A flag group that turns on `m`.
    pub(super) has_line_mode: bool,
    /// Offsets in `expression` and in the authored text, ascending.
    places: Vec<(usize, usize)>,
}

impl Translated {
    /// The place in the authored text of what stands at `offset` in `expression`.
    pub(super) fn authored_offset(&self, offset: usize) -> usize {
        let after = self.places.partition_point(|(own, _)| *own <= offset);
        let place = after.checked_sub(1).and_then(|at| self.places.get(at));
        place.map_or(0, |(_, authored)| *authored)
    }
}

pub(super) fn translate(text: &str) -> Result<Translated, Fault> {
    let mut reader = Reader {
        text,
        chars: text.char_indices().peekable(),
        names: Vec::new(),
        out: Translated {
            expression: String::new(),
            has_line_end: false,
            has_line_mode: false,
            places: Vec::new(),
        },
    };
    reader.read_all()?;
    Ok(reader.out)
}

struct Reader<'t> {
    text: &'t str,
    chars: Peekable<CharIndices<'t>>,
    names: Vec<&'t str>,
    out: Translated,
}

impl<'t> Reader<'t> {
    fn read_all(&mut self) -> Result<(), Fault> {
        let mut repeated_from = None;
        while let Some((at, c)) = self.chars.next() {
            self.out.places.push((self.out.expression.len(), at));
            let is_repetition = match c {
                '*' | '+' | '?' => {
                    self.push(c);
                    true
                }
                '{' => self.read_counts(at)?,
                _ => false,
            };
            if is_repetition {
                if self.eat('?') {
                    self.push('?');
                }
                if let Some(from) = repeated_from {
                    return Err((FaultKind::NestedRepetition(self.since(from)), from));
                }
                repeated_from = Some(at);
                continue;
            }
            repeated_from = None;
            match c {
                '\\' => self.read_escape(at)?,
                '[' => self.read_class(at)?,
                '(' => self.read_group(at)?,
                '^' | '$' => {
                    self.out.has_line_end = true;
                    self.push(c);
                }
                '.' | '|' | ')' => self.push(c),
                _ => self.push_literal(c),
            }
        }
        Ok(())
    }

    fn push(&mut self, c: char) {
        self.out.expression.push(c);
    }

    fn push_str(&mut self, text: &str) {
        self.out.expression.push_str(text);
    }

    /// One character as itself, within a class or without.
    fn push_literal(&mut self, c: char) {
        // An escaped angle bracket is a word boundary to the engine, and a bare one is itself.
        if c.is_ascii_punctuation() && !matches!(c, '<' | '>') {
            self.push('\\');
        }
        self.push(c);
    }

    fn eat(&mut self, wanted: char) -> bool {
        self.chars.next_if(|(_, c)| *c == wanted).is_some()
    }

    /// The authored text that is still to be read.
    fn rest(&mut self) -> &'t str {
        let at = self.chars.peek().map_or(self.text.len(), |(at, _)| *at);
        self.text.get(at..).unwrap_or_default()
    }

    /// The authored text from `start` to what is to be read next.
    fn since(&mut self, start: usize) -> String {
        let end = self.text.len() - self.rest().len();
        self.text.get(start..end).unwrap_or_default().to_owned()
    }

    fn skip(&mut self, bytes: usize) {
        let end = self.text.len() - self.rest().len() + bytes;
        while self.chars.next_if(|(at, _)| *at < end).is_some() {}
    }

    /// Reads `n}`, `n,}` or `n,m}` behind a `{`; false, with nothing read, when it is none of these and the brace is
    /// plain.
    fn read_counts(&mut self, at: usize) -> Result<bool, Fault> {
        let rest = self.rest();
        let Some((counts, _)) = rest.split_once('}') else {
            return Ok(false);
        };
        let (least, most) = match counts.split_once(',') {
            None => (counts, counts),
            Some((least, "")) => (least, least),
            Some((least, most)) => (least, most),
        };
        let is_count = |text: &str| {
            !text.is_empty()
                && text.bytes().all(|b| b.is_ascii_digit())
                && (text.len() == 1 || !text.starts_with('0'))
        };
        if !is_count(least) || !is_count(most) {
            return Ok(false);
        }
        self.skip(counts.len() + 1);
        let within = |text: &str| {
            text.parse::<u32>()
                .ok()
                .filter(|count| *count <= MOST_REPEATS)
        };
        let fits =
            matches!((within(least), within(most)), (Some(least), Some(most)) if least <= most);
        if !fits {
            return Err((FaultKind::RepetitionSize(self.since(at)), at));
        }
        self.push('{');
        self.push_str(counts);
        self.push('}');
        Ok(true)
    }

    fn read_group(&mut self, at: usize) -> Result<(), Fault> {
        if !self.eat('?') {
            // Nothing reads what a group captured.
            self.push_str("(?:");
            return Ok(());
        }
        let rest = self.rest();
        for sign in ["=", "!", "<=", "<!"] {
            if rest.starts_with(sign) {
                return Err((FaultKind::LookAround(format!("`(?{sign}`")), at));
            }
        }
        if rest.starts_with("P=") {
            return Err((FaultKind::BackReference("`(?P=`".to_owned()), at));
        }
        if let Some(named) = rest.strip_prefix("P<").or_else(|| rest.strip_prefix('<')) {
            return self.read_name(at, rest, named);
        }
        self.read_flags(at)
    }

    fn read_name(&mut self, at: usize, rest: &str, named: &'t str) -> Result<(), Fault> {
        let name = named.split_once('>').map_or("", |(name, _)| name);
        let is_name =
            !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        if !is_name {
            return Err((FaultKind::Group("a group with such a name".to_owned()), at));
        }
        if self.names.contains(&name) {
            return Err((
                FaultKind::Group(format!("a second group named `{name}`")),
                at,
            ));
        }
        self.names.push(name);
        self.skip(rest.len() - named.len() + name.len() + 1);
        self.push_str("(?:");
        Ok(())
    }

    /// Reads flags behind `(?`, up to and with `:` or `)`.
    fn read_flags(&mut self, at: usize) -> Result<(), Fault> {
        let mut flags: Vec<(char, bool)> = Vec::new();
        let (mut turns_on, mut wants_flag) = (true, false);
        let end = loop {
            match self.chars.next().map(|(_, c)| c) {
                Some(flag @ ('i' | 'm' | 's' | 'U')) => {
                    flags.retain(|(known, _)| *known != flag);
                    flags.push((flag, turns_on));
                    wants_flag = false;
                }
                Some('-') if turns_on => (turns_on, wants_flag) = (false, true),
                Some(end @ (':' | ')')) if !wants_flag => break end,
                _ => return Err((FaultKind::Group(format!("`{}`", self.since(at))), at)),
            }
        };
        self.out.has_line_mode |= flags.contains(&('m', true));
        let pick = |wanted: bool| -> String {
            let picked = flags.iter().filter(|(_, on)| *on == wanted);
            picked.map(|(flag, _)| *flag).collect()
        };
        let (on, off) = (pick(true), pick(false));
        if end == ')' && flags.is_empty() {
            // A group of nothing, so that a repetition behind it does not reach what stands before it.
            self.push_str("(?:)");
            return Ok(());
        }
        self.push_str("(?");
        self.push_str(&on);
        if !off.is_empty() {
            self.push('-');
            self.push_str(&off);
        }
        self.push(end);
        Ok(())
    }

    /// Reads what follows a backslash outside of a class.
    fn read_escape(&mut self, at: usize) -> Result<(), Fault> {
        let Some((_, c)) = self.chars.peek().copied() else {
            return Err((FaultKind::Escape("a backslash at the end".to_owned()), at));
        };
        if let Some((negated, set)) = shorthand(c) {
            self.chars.next();
            self.push_str(if negated { "[^" } else { "[" });
            self.push_str(set);
            self.push(']');
            return Ok(());
        }
        match c {
            'A' | 'z' => {
                self.chars.next();
                self.push('\\');
                self.push(c);
            }
            'b' | 'B' => {
                self.chars.next();
                self.push_str(if c == 'b' { r"(?-u:\b)" } else { r"(?-u:\B)" });
            }
            'Q' => {
                self.chars.next();
                self.read_quoted();
            }
            'p' | 'P' => self.read_unicode_class(at)?,
            'k' | 'g' => {
                self.chars.next();
                return Err((FaultKind::BackReference(format!("`\\{c}`")), at));
            }
            _ => {
                let literal = self.read_escaped_char(at)?;
                self.push_literal(literal);
            }
        }
        Ok(())
    }

    /// Reads plain text behind `\Q`, up to `\E` or the end.
    fn read_quoted(&mut self) {
        let rest = self.rest();
        let (quoted, read) = match rest.split_once(r"\E") {
            Some((quoted, _)) => (quoted, quoted.len() + 2),
            None => (rest, rest.len()),
        };
        self.skip(read);
        for c in quoted.chars() {
            self.push_literal(c);
        }
    }

    /// Reads an escape that stands for one character, its backslash being read.
    fn read_escaped_char(&mut self, at: usize) -> Result<char, Fault> {
        let next = self.chars.next().map(|(_, c)| c);
        let read = match next {
            Some('a') => Some('\u{7}'),
            Some('f') => Some('\u{c}'),
            Some('n') => Some('\n'),
            Some('r') => Some('\r'),
            Some('t') => Some('\t'),
            Some('v') => Some('\u{b}'),
            Some('x') => self.read_hex(),
            Some(first @ '0'..='9') => {
                let is_octal = |c: char| ('0'..='7').contains(&c);
                let goes_on = self.chars.peek().is_some_and(|(_, c)| is_octal(*c));
                if first != '0' && (first > '7' || !goes_on) {
                    return Err((FaultKind::BackReference(format!("`\\{first}`")), at));
                }
                let mut value = first.to_digit(8).unwrap_or(0);
                for _ in 0..2 {
                    let Some((_, c)) = self.chars.next_if(|(_, c)| is_octal(*c)) else {
                        break;
                    };
                    value = value * 8 + c.to_digit(8).unwrap_or(0);
                }
                char::from_u32(value)
            }
            Some(c) if c.is_ascii() && !c.is_ascii_alphanumeric() => Some(c),
            _ => None,
        };
        read.ok_or_else(|| (FaultKind::Escape(format!("`{}`", self.since(at))), at))
    }

    /// Reads `FF` or `{10FFFF}` behind `\x`.
    fn read_hex(&mut self) -> Option<char> {
        let rest = self.rest();
        let (digits, length) = match rest.strip_prefix('{') {
            Some(braced) => {
                let digits = braced.split_once('}')?.0;
                (digits, digits.len() + 2)
            }
            None => (rest.get(..2)?, 2),
        };
        if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            return None;
        }
        self.skip(length);
        char::from_u32(u32::from_str_radix(digits, 16).ok()?)
    }
}
