//! A file's text and positions in it.

use std::sync::{Arc, OnceLock};

/// A byte range in a [`Source`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// A span from byte offsets; an offset beyond four gigabytes (no input is that large, X36) is cut.
    pub fn new(start: usize, end: usize) -> Self {
        let cut = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Self {
            start: cut(start),
            end: cut(end.max(start)),
        }
    }

    /// The same span, `by` bytes further on.
    #[must_use]
    pub fn shifted(self, by: usize) -> Self {
        Self::new(self.start as usize + by, self.end as usize + by)
    }
}

/// A file as it was read: its name as a message shows it, and its text.
#[derive(Debug)]
pub struct Source {
    name: String,
    text: String,
    line_starts: OnceLock<Vec<u32>>,
}

impl Source {
    /// A source from the name that messages show and the file's text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Arc<Self> {
        Arc::new(Self {
            name: name.into(),
            text: text.into(),
            line_starts: OnceLock::new(),
        })
    }

    /// The name that messages show.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    fn line_starts(&self) -> &[u32] {
        self.line_starts.get_or_init(|| {
            let breaks = self.text.bytes().enumerate().filter(|(_, b)| *b == b'\n');
            std::iter::once(0)
                .chain(breaks.map(|(at, _)| Span::new(at + 1, at + 1).start))
                .collect()
        })
    }

    /// Line and column, both from 1, of a byte offset; the column counts characters (L7).
    pub fn position(&self, offset: u32) -> (u32, u32) {
        let starts = self.line_starts();
        let line = starts.partition_point(|start| *start <= offset).max(1) - 1;
        let start = starts.get(line).copied().unwrap_or(0) as usize;
        let end = (offset as usize).min(self.text.len());
        let column = self
            .text
            .get(start..end)
            .map_or(0, |before| before.chars().count());
        let count = |n: usize| u32::try_from(n + 1).unwrap_or(u32::MAX);
        (count(line), count(column))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_and_characters_from_one() {
        let source = Source::new("a", "one\nzwö x\n");
        assert_eq!(source.position(0), (1, 1));
        assert_eq!(source.position(3), (1, 4));
        assert_eq!(source.position(4), (2, 1));
        assert_eq!(source.position(9), (2, 5));
        assert_eq!(source.position(11), (3, 1));
        assert_eq!(source.position(99), (3, 1));
    }
}
