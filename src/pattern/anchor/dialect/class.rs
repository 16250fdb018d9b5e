//! Character classes: `[...]`, `\w` and its like, `\p{...}`, written so that the engine reads RE2's meaning.
//!
//! Every single character of a class is written escaped where it could mean more, so that nothing in it can be taken for a
//! nested class or a set operation, which RE2 does not have.

use super::{Fault, FaultKind, Reader};

const WORD: &str = "0-9A-Za-z_";
const DIGIT: &str = "0-9";
/// RE2's `\s` has no vertical tab.
const SPACE: &str = r"\t\n\x0C\r ";
const POSIX: [&str; 14] = [
    "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct",
    "space", "upper", "word", "xdigit",
];

impl Reader<'_> {
    /// Copies `\pL` or `\p{Name}`; the engine knows the names.
    pub(super) fn read_unicode_class(&mut self, at: usize) -> Result<(), Fault> {
        self.chars.next();
        let rest = self.rest();
        let length = match rest.chars().next() {
            Some('{') => rest.find('}').map(|end| end + 1),
            Some(c) if c.is_ascii_alphabetic() => Some(1),
            _ => None,
        };
        self.skip(length.unwrap_or(0));
        let class = self.since(at);
        // The engine also reads `\p{sc=Greek}`, with `=`, `:` or `!=`, which this syntax does not have.
        if length.is_none() || class.contains(['=', ':']) {
            return Err((FaultKind::Range(format!("`{class}`")), at));
        }
        self.push_str(&class);
        Ok(())
    }

    /// Reads a class behind its `[`. A `]` that comes first is plain, as is a `-` without two ends.
    pub(super) fn read_class(&mut self, at: usize) -> Result<(), Fault> {
        self.push('[');
        if self.eat('^') {
            self.push('^');
        }
        let mut is_first = true;
        loop {
            let Some((start, c)) = self.chars.next() else {
                return Err((FaultKind::UnclosedClass, at));
            };
            self.out.places.push((self.out.expression.len(), start));
            match c {
                ']' if !is_first => {
                    self.push(']');
                    return Ok(());
                }
                '[' if self.read_posix(start)? => {}
                '\\' if self.rest().starts_with(['p', 'P']) => self.read_unicode_class(start)?,
                '\\' if self.read_shorthand() => {}
                _ => self.read_range(start, c, at)?,
            }
            is_first = false;
        }
    }

    /// Reads `:name:]` behind a `[` within a class; false, with nothing read, when the bracket is plain.
    fn read_posix(&mut self, at: usize) -> Result<bool, Fault> {
        let Some((name, _)) = self
            .rest()
            .strip_prefix(':')
            .and_then(|named| named.split_once(":]"))
        else {
            return Ok(false);
        };
        self.skip(name.len() + 3);
        if !POSIX.contains(&name.strip_prefix('^').unwrap_or(name)) {
            return Err((FaultKind::Range(format!("`[:{name}:]`")), at));
        }
        self.push_str(&format!("[:{name}:]"));
        Ok(true)
    }

    /// Reads the letter of a `\w` and the like within a class, if there is one.
    fn read_shorthand(&mut self) -> bool {
        let found = self.chars.peek().and_then(|(_, c)| shorthand(*c));
        let Some((negated, set)) = found else {
            return false;
        };
        self.chars.next();
        if negated {
            self.push_str("[^");
            self.push_str(set);
            self.push(']');
        } else {
            self.push_str(set);
        }
        true
    }

    /// Reads one character of a class, begun by `first`, or the range that it opens.
    fn read_range(&mut self, start: usize, first: char, class: usize) -> Result<(), Fault> {
        let low = self.class_char(start, first)?;
        self.push_literal(low);
        let rest = self.rest();
        if !rest.starts_with('-') || rest.starts_with("-]") {
            return Ok(());
        }
        self.eat('-');
        let Some((at, second)) = self.chars.next() else {
            return Err((FaultKind::UnclosedClass, class));
        };
        let high = self.class_char(at, second)?;
        if high < low {
            return Err((FaultKind::Range(format!("`{}`", self.since(start))), start));
        }
        self.push('-');
        self.push_literal(high);
        Ok(())
    }

    fn class_char(&mut self, at: usize, c: char) -> Result<char, Fault> {
        if c == '\\' {
            return self.read_escaped_char(at);
        }
        Ok(c)
    }
}

/// Whether the letter of a shorthand negates, and what it stands for.
pub(super) fn shorthand(letter: char) -> Option<(bool, &'static str)> {
    match letter {
        'w' => Some((false, WORD)),
        'W' => Some((true, WORD)),
        'd' => Some((false, DIGIT)),
        'D' => Some((true, DIGIT)),
        's' => Some((false, SPACE)),
        'S' => Some((true, SPACE)),
        _ => None,
    }
}
