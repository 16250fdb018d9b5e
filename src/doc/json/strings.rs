//! JSON strings: escapes are read, anything but text is refused.
//!
//! Nothing is normalised: a string means exactly the characters it spells.

use std::borrow::Cow;

use super::super::node::Fault;
use super::reader::Reader;
use crate::diag::{Span, shown};

impl<'a> Reader<'a, '_> {
    /// Reads a string, borrowed when it holds no escape.
    pub(super) fn string(&mut self) -> Result<Cow<'a, str>, Fault> {
        let start = self.at;
        self.at += 1;
        let mut kept = self.at;
        let mut owned = String::new();
        loop {
            let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
            let Some(plain) = rest
                .iter()
                .position(|b| matches!(b, b'"' | b'\\') || *b < b' ')
            else {
                return Err(Fault::new(
                    Span::new(start, self.text.len()),
                    "expected `\"` at the end of the string, found the end of the text",
                ));
            };
            self.at += plain;
            match self.peek() {
                Some(b'"') => {
                    let last = self.slice(kept, self.at);
                    self.at += 1;
                    if owned.is_empty() && kept == start + 1 {
                        return Ok(Cow::Borrowed(last));
                    }
                    owned.push_str(last);
                    return Ok(Cow::Owned(owned));
                }
                Some(b'\\') => {
                    owned.push_str(self.slice(kept, self.at));
                    owned.push(self.escape()?);
                    kept = self.at;
                }
                _ => return Err(self.control()),
            }
        }
    }

    fn control(&self) -> Fault {
        let (what, escape) = match self.peek() {
            Some(b'\n' | b'\r') => ("line break".to_owned(), "\\n".to_owned()),
            Some(b'\t') => ("tab".to_owned(), "\\t".to_owned()),
            other => {
                let code = other.unwrap_or_default();
                (
                    format!("control character U+{code:04X}"),
                    format!("\\u{code:04x}"),
                )
            }
        };
        Fault::new(
            Span::new(self.at, self.at + 1),
            format!("expected no raw control character in a string, found a {what}"),
        )
        .help(format!("write {escape}"))
    }

    fn escape(&mut self) -> Result<char, Fault> {
        let start = self.at;
        self.at += 1;
        let short = match self.peek() {
            Some(b @ (b'"' | b'\\' | b'/')) => char::from(b),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                return self.code_point(start);
            }
            _ => {
                let next = self.rest().chars().next();
                let end = self.at + next.map_or(0, char::len_utf8);
                let found = shown(self.slice(start, end));
                let fault = Fault::new(
                    Span::new(start, end),
                    format!("expected an escape that JSON has, found `{found}`"),
                );
                return Err(fault.help("write \\\\ for a backslash"));
            }
        };
        self.at += 1;
        Ok(short)
    }

    /// The character of a `\u` escape whose digits come next, joined with the second half of a surrogate pair.
    fn code_point(&mut self, start: usize) -> Result<char, Fault> {
        let first = self.hex4(start)?;
        let code = if !(0xd800..0xe000).contains(&first) {
            Some(first)
        } else if first < 0xdc00 && self.rest().starts_with("\\u") {
            let second_start = self.at;
            self.at += 2;
            let second = self.hex4(second_start)?;
            (0xdc00..0xe000)
                .contains(&second)
                .then(|| 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00))
        } else {
            None
        };
        code.and_then(char::from_u32).ok_or_else(|| {
            Fault::new(
                Span::new(start, start + 6),
                format!(
                    "expected a whole surrogate pair, found one half, `{}`",
                    self.slice(start, start + 6)
                ),
            )
        })
    }

    fn hex4(&mut self, start: usize) -> Result<u32, Fault> {
        let digits = self.slice(self.at, self.at + 4);
        let all_hex = digits.len() == 4 && digits.bytes().all(|b| b.is_ascii_hexdigit());
        let code = u32::from_str_radix(digits, 16).ok().filter(|_| all_hex);
        let Some(code) = code else {
            let written = self
                .rest()
                .bytes()
                .take(4)
                .take_while(u8::is_ascii_hexdigit)
                .count();
            let end = self.at + written;
            return Err(Fault::new(
                Span::new(start, end),
                format!(
                    "expected four hexadecimal digits after `\\u`, found `{}`",
                    self.slice(start, end)
                ),
            ));
        };
        self.at += 4;
        Ok(code)
    }
}
