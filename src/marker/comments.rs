//! What one line is to Sedum, and how anchor and marker lines are spelt in a package's comments.
//!
//! Decides by the package's prefix and suffix alone (M8, M9), never by a language. It must not read a marker's
//! attributes unless asked: [`super::attributes`] does that.

use super::{Attributes, LabelRef, attributes, suffix};

/// What every anchor declaration holds (F20).
const ANCHOR: &str = "sedum:anchor:";
/// What an opening line has behind its prefix (M1).
const OPEN: &str = "sedum:";
/// What a closing line has behind its prefix (M1).
const CLOSE: &str = "/sedum:";

/// A package's comment shape (S13, M8, M9).
///
/// White space around the suffix and before the prefix is not part of them: a line is read trimmed (M10), so it could
/// never be found again. A blank prefix is none: then no line is a comment, an anchor or a marker. A blank suffix is
/// none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comments {
    prefix: String,
    suffix: Option<String>,
}

/// What a line is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// Nothing of Sedum's.
    Text,
    /// A planted anchor of this name (F21).
    Anchor(&'a str),
    /// The opening line of a region (M10).
    Open(OpenLine<'a>),
    /// The closing line of a region (M10).
    Close(LabelRef<'a>),
}

/// An opening line whose attributes are not read yet; [`OpenLine::parse`] reads them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenLine<'a> {
    /// The region's label.
    pub label: LabelRef<'a>,
    /// The text of the attributes, trimmed, without the suffix; empty when there is none.
    pub attributes: &'a str,
    /// The whole line, with the white space around it.
    pub(super) line: &'a str,
}

impl<'a> OpenLine<'a> {
    /// The white space before the marker (I12).
    pub fn indent(&self) -> &'a str {
        let indent = self.line.len() - self.line.trim_start().len();
        self.line.get(..indent).unwrap_or_default()
    }

    /// The line behind [`OpenLine::indent`], as [`Comments::open_line`] gives it for no indent.
    pub fn unindented(&self) -> &'a str {
        self.line.trim_start()
    }
}

impl Comments {
    /// A comment shape from the manifest's `comment_prefix` and `comment_suffix`.
    pub fn new(prefix: &str, suffix: Option<&str>) -> Self {
        let suffix = suffix.map(str::trim).filter(|s| !s.is_empty());
        let prefix = prefix.trim_start();
        Self {
            prefix: prefix.to_owned(),
            suffix: suffix.map(str::to_owned),
        }
    }

    /// The prefix; empty when the package has none.
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// The suffix, when comments close.
    pub fn suffix(&self) -> Option<&str> {
        self.suffix.as_deref()
    }

    /// Whether no marker needs to hold `suffix` before its end: a `\u` escape in a string or a space outside strings
    /// breaks it wherever the marker of some values would hold it. If not, the package is rejected
    /// (`comment_prefix_invalid`, M5). A line break in either is another fault (S13), not looked for here.
    pub fn suffix_is_breakable(prefix: &str, suffix: &str) -> bool {
        let shape = Self::new(prefix, Some(suffix));
        shape
            .suffix()
            .is_none_or(|found| suffix::is_breakable(shape.prefix(), found))
    }

    /// Whether marker lines of `label` end where the suffix ends, and not within the label (A16, D17).
    pub fn label_fits<'l>(&self, label: impl Into<LabelRef<'l>>) -> bool {
        let label = label.into();
        let Some(suffix) = self.suffix() else {
            return true;
        };
        let closed = format!(" {CLOSE}{label} {suffix}");
        !format!(" {OPEN}{label} {{").contains(suffix)
            && closed.find(suffix) == Some(closed.len() - suffix.len())
    }

    /// Whether a trimmed line is a comment (C5): it begins with the prefix.
    pub fn is_comment(&self, trimmed: &str) -> bool {
        !self.prefix.is_empty() && trimmed.starts_with(&self.prefix)
    }

    /// Whether a line counts in reconciliation (C5): it is neither blank nor a comment, or it plants an anchor.
    pub fn is_structural(&self, line: &str) -> bool {
        let trimmed = line.trim();
        !trimmed.is_empty()
            && (!self.is_comment(trimmed) || matches!(self.read(line), Line::Anchor(_)))
    }

    /// What a line is (F21, M10, M11, M17). `line` comes without its ending; a byte-order mark is no part of it.
    pub fn read<'a>(&self, line: &'a str) -> Line<'a> {
        if !self.may_be_comment(line) {
            return Line::Text;
        }
        let Some(inner) = self.inner(line) else {
            return Line::Text;
        };
        if let Some(name) = inner.strip_prefix(ANCHOR) {
            return if is_anchor_name(name) {
                Line::Anchor(name)
            } else {
                Line::Text
            };
        }
        let (rest, opens) = match (inner.strip_prefix(OPEN), inner.strip_prefix(CLOSE)) {
            (Some(rest), _) => (rest, true),
            (None, Some(rest)) => (rest, false),
            (None, None) => return Line::Text,
        };
        let (spelt, behind) = rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len()));
        let Some(label) = LabelRef::parse(spelt) else {
            return Line::Text;
        };
        if !opens {
            return Line::Close(label);
        }
        let attributes = behind.trim_start();
        Line::Open(OpenLine {
            label,
            attributes,
            line,
        })
    }

    /// Whether a line's first visible character is that of the prefix, or one that takes more to tell: nearly every line
    /// of a file is found to be none of Sedum's here.
    fn may_be_comment(&self, line: &str) -> bool {
        let mut bytes = line.bytes();
        match bytes.find(|byte| !matches!(byte, b' ' | b'\t')) {
            Some(byte) if byte.is_ascii_graphic() => self.prefix.as_bytes().first() == Some(&byte),
            Some(_) => true,
            None => false,
        }
    }

    /// A comment's text between prefix and suffix, trimmed. The suffix goes before anything else is read, and may be
    /// missing (M10).
    fn inner<'a>(&self, line: &'a str) -> Option<&'a str> {
        let trimmed = line.trim();
        if !self.is_comment(trimmed) {
            return None;
        }
        let bare = match self.suffix() {
            Some(suffix) => trimmed.strip_suffix(suffix).unwrap_or(trimmed),
            None => trimmed,
        };
        bare.strip_prefix(&self.prefix).map(str::trim)
    }

    /// The line that plants an anchor (F20), without a line ending.
    pub fn anchor_line(&self, indent: &str, name: &str) -> String {
        let mut line = String::with_capacity(indent.len() + name.len() + 32);
        self.begin(indent, &mut line);
        line.push_str(ANCHOR);
        line.push_str(name);
        self.end(&mut line);
        line
    }

    /// The line that opens a region (M1-M7, M9, M19), without a line ending.
    pub fn open_line<'m>(&self, indent: &str, marker: impl Into<Attributes<'m>>) -> String {
        let mut line = String::new();
        self.write_open_line(indent, marker.into(), &mut line);
        line
    }

    /// Writes what [`Comments::open_line`] gives.
    pub fn write_open_line(&self, indent: &str, marker: Attributes<'_>, line: &mut String) {
        self.begin(indent, line);
        let lead = line.len() - 1;
        line.push_str(OPEN);
        line.extend(marker.label.pieces());
        line.push(' ');
        let json = line.len();
        let verbatim = attributes::encode(marker, line);
        if let Some(suffix) = self.suffix() {
            let (before, attributes) = line.split_at(json);
            let lead = before.get(lead..).unwrap_or_default();
            let kept_out = suffix::kept_out(lead, attributes, &verbatim, suffix);
            line.truncate(json);
            line.push_str(&kept_out);
        }
        self.end(line);
    }

    /// The line that closes a region (M1), without a line ending.
    pub fn close_line<'l>(&self, indent: &str, label: impl Into<LabelRef<'l>>) -> String {
        let mut line = String::new();
        self.write_close_line(indent, label.into(), &mut line);
        line
    }

    /// Writes what [`Comments::close_line`] gives.
    pub fn write_close_line(&self, indent: &str, label: LabelRef<'_>, out: &mut String) {
        self.begin(indent, out);
        out.push_str(CLOSE);
        out.extend(label.pieces());
        self.end(out);
    }

    fn begin(&self, indent: &str, line: &mut String) {
        line.extend([indent, &self.prefix, " "]);
    }

    fn end(&self, line: &mut String) {
        if let Some(suffix) = self.suffix() {
            line.extend([" ", suffix]);
        }
    }
}

fn is_anchor_name(name: &str) -> bool {
    let allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-');
    !name.is_empty() && name.bytes().all(allowed)
}

/// Whether a template's line means to plant an anchor and does not (`anchor_line_malformed`, F21): it holds
/// `sedum:anchor:` and is not exactly an anchor line.
pub fn malformed_anchor(line: &str, comments: &Comments) -> bool {
    line.contains(ANCHOR) && !matches!(comments.read(line), Line::Anchor(_))
}

/// The first line, from 0, of a rendered body that reads as an opening or closing marker of this package
/// (`body_contains_marker`, I13).
pub fn body_marker(comments: &Comments, body: &str) -> Option<usize> {
    if !body.contains(OPEN) {
        return None;
    }
    body.split('\n')
        .position(|line| matches!(comments.read(line), Line::Open(_) | Line::Close(_)))
}

#[cfg(test)]
mod tests;
