//! Places in a YAML text: those the library tells, and those it does not tell or tells otherwise than a reader would.
//!
//! Every place is a range of bytes. Nothing here judges what stands at one.

use super::super::node::{Kind, Node};
use crate::diag::Span;

/// The place of a part of a scalar's value, given as byte offsets in [`Node::text`]: exact where the value stands
/// verbatim in the source, else the whole scalar.
pub fn part_span(source: &str, node: &Node<'_>, start: usize, end: usize) -> Span {
    let Kind::Scalar { text, .. } = &node.kind else {
        return node.span;
    };
    let written = source
        .get(node.span.start as usize..node.span.end as usize)
        .unwrap_or_default();
    let quote = usize::from(written.starts_with(['"', '\'']));
    let is_verbatim = written
        .get(quote..)
        .is_some_and(|inner| inner.starts_with(&**text) && inner.len() == text.len() + quote);
    if !is_verbatim || end > text.len() || start > end {
        return node.span;
    }
    let base = node.span.start as usize + quote;
    Span::new(base + start, base + end)
}

/// A place of the library's.
pub(super) fn span_of(place: &granit_parser::Span) -> Span {
    // Text that lies in memory always has byte offsets.
    place
        .byte_range()
        .map_or_else(Span::default, |range| Span::new(range.start, range.end))
}

/// The place of a map's value that is left out: behind the colon, when that comes next.
pub(super) fn left_out(text: &str, span: Span) -> Span {
    let rest = text.get(span.start as usize..).unwrap_or_default();
    let left = rest.trim_start_matches([' ', '\t']);
    if left.starts_with(':') {
        let behind = text.len() - left.len() + 1;
        return Span::new(behind, behind);
    }
    span
}

/// A block scalar from its `|` or `>` to the end of its last line that is not blank. `from` is where the value before
/// it ended, `content` its text's place.
pub(super) fn block_scalar(text: &str, from: usize, content: Span) -> Span {
    let inside = content.start as usize;
    let start = indicator(text, from, inside, b"|>").unwrap_or(inside);
    let written = text.get(start..content.end as usize).unwrap_or_default();
    let kept = written.trim_end_matches([' ', '\t', '\r', '\n']);
    Span::new(start, start + kept.len())
}

/// The first of the `wanted` indicators between two values, outside comments, anchors and tags.
pub(super) fn indicator(text: &str, from: usize, to: usize, wanted: &[u8]) -> Option<usize> {
    let bytes = text.as_bytes().get(..to)?;
    let mut at = from;
    while let Some(byte) = bytes.get(at) {
        let rest = bytes.get(at..).unwrap_or_default();
        let skipped = match byte {
            b if wanted.contains(b) => return Some(at),
            b'#' => rest.iter().position(|b| matches!(b, b'\n' | b'\r')),
            b'&' | b'!' => rest.iter().position(u8::is_ascii_whitespace),
            _ => Some(1),
        };
        at += skipped?;
    }
    None
}
