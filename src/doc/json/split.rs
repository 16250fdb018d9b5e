//! A large list of an object, passed over when the object is read, so that its items can be read one by one.
//!
//! Where the items begin and end is told by their brackets alone. What they hold is looked at when they are read, and
//! whoever passes over a list reads the whole text anew when an item is not sound: places and order of faults are those
//! of one reading.

use super::super::node::{Fault, Kind, Node};
use super::reader::Reader;
use super::{Read, first_value};
use crate::diag::Span;

/// A list that is passed over.
pub(super) struct PassedOver<'p> {
    key: &'p str,
    /// Told where each item is.
    item: &'p mut dyn FnMut(Span),
    is_met: bool,
}

/// The object that a text begins with, with an empty list at `key`; `item` is told where the items of that list are, one
/// after another. `None` when the object is not sound, has no such list or has something in it that is neither an object
/// nor a list.
pub fn read_around<'a>(text: &'a str, key: &str, item: &mut dyn FnMut(Span)) -> Option<Read<'a>> {
    let mut reader = Reader::new(text, 0);
    reader.passed = Some(PassedOver {
        key,
        item,
        is_met: false,
    });
    reader.skip_space();
    let root = reader.value("a value").ok()?;
    let is_met = reader.passed.take()?.is_met;
    let read = Read {
        root,
        end: reader.at,
        repeats: Vec::new(),
    };
    (is_met && reader.repeats.is_empty()).then_some(read)
}

/// The value at a place that [`read_around`] gave. A key that is given twice is a fault, as is a value that ends elsewhere.
pub fn read_item(text: &str, place: Span) -> Result<Node<'_>, Fault> {
    let mut reader = Reader::new(text, place.start as usize);
    // The object and the list that it lies in.
    reader.depth = 2;
    let read = first_value(reader)?;
    if let Some(fault) = read.repeats.into_iter().next() {
        return Err(fault);
    }
    if read.root.span != place {
        return Err(Fault::new(place, "expected one value"));
    }
    Ok(read.root)
}

impl<'a> Reader<'a, '_> {
    /// Steps over the list that comes next, if it is the one to pass over. A list that its brackets do not make plain is
    /// read like any other value.
    pub(super) fn pass_over(&mut self, key: &str) -> Option<Node<'a>> {
        if self.depth != 1 || self.peek() != Some(b'[') {
            return None;
        }
        let passed = self.passed.as_mut()?;
        if passed.key != key || passed.is_met {
            return None;
        }
        let start = self.at;
        let end = items(self.text.as_bytes(), start, passed.item)?;
        passed.is_met = true;
        self.at = end;
        Some(Node {
            span: Span::new(start, end),
            kind: Kind::List(Vec::new()),
        })
    }
}

/// The offset behind the list that begins at an offset; `item` is told where its items are.
fn items(text: &[u8], list: usize, item: &mut dyn FnMut(Span)) -> Option<usize> {
    let mut at = past_space(text, list + 1);
    if text.get(at) == Some(&b']') {
        return Some(at + 1);
    }
    loop {
        let end = past_brackets(text, at)?;
        item(Span::new(at, end));
        at = past_space(text, end);
        match text.get(at)? {
            b',' => at = past_space(text, at + 1),
            b']' => return Some(at + 1),
            _ => return None,
        }
    }
}

fn past_space(text: &[u8], mut at: usize) -> usize {
    while matches!(text.get(at), Some(b' ' | b'\n' | b'\t' | b'\r')) {
        at += 1;
    }
    at
}

/// The offset behind the object or list that begins at an offset.
fn past_brackets(text: &[u8], start: usize) -> Option<usize> {
    let mut open = 0_usize;
    let mut at = start;
    if !matches!(text.get(at)?, b'{' | b'[') {
        return None;
    }
    loop {
        at = next(text, at, &STRUCTURAL)?;
        match text.get(at)? {
            b'{' | b'[' => open += 1,
            b'"' => at = closing_quote(text, at + 1)?,
            _ => open = open.checked_sub(1)?,
        }
        at += 1;
        if open == 0 {
            return Some(at);
        }
    }
}

fn closing_quote(text: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at = next(text, at, &ENDS_TEXT)?;
        match text.get(at)? {
            b'"' => return Some(at),
            _ => at += 2,
        }
    }
}

/// Which bytes mean something outside a string.
static STRUCTURAL: [bool; 256] = table(b"{[}]\"");
/// Which bytes mean something in a string.
static ENDS_TEXT: [bool; 256] = table(b"\"\\");

const fn table(bytes: &[u8]) -> [bool; 256] {
    let mut table = [false; 256];
    let mut at = 0;
    while at < bytes.len() {
        table[bytes[at] as usize] = true;
        at += 1;
    }
    table
}

/// The offset of the next byte that means something. A look-up a byte, since nearly all of a recording goes through here.
fn next(text: &[u8], at: usize, means: &[bool; 256]) -> Option<usize> {
    let rest = text.get(at..)?;
    Some(at + rest.iter().position(|byte| means[usize::from(*byte)])?)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::doc::DEPTH_LIMIT;
    use crate::doc::json::read;

    fn around(text: &str) -> Option<(Read<'_>, Vec<Span>)> {
        let mut places = Vec::new();
        let read = read_around(text, "list", &mut |place| places.push(place))?;
        Some((read, places))
    }

    #[test]
    fn items_are_those_of_a_whole_reading() {
        for text in [
            r#"{"a": 1, "list": [{"x": "]}\\\"[{"}, [], {"y": [{}, "\\"]}], "b": {"list": [1]}}"#,
            r#" {"list":[]}"#,
            r#"{"list": [ [1,2] , {"a":{"b":[]}} ] } behind"#,
        ] {
            let whole = read(text).unwrap();
            let (passed, places) = around(text).unwrap();
            assert_eq!(passed.end, whole.end, "{text}");
            let items: Vec<_> = places
                .iter()
                .map(|place| format!("{:?}", read_item(text, *place).unwrap()))
                .collect();
            let (Kind::Map(entries), Kind::Map(rest)) = (&whole.root.kind, &passed.root.kind)
            else {
                panic!("{text}");
            };
            assert_eq!(entries.len(), rest.len());
            for (entry, passed) in entries.iter().zip(rest) {
                let (value, passed) = (&entry.value, &passed.value);
                if entry.key != "list" {
                    assert_eq!(format!("{value:?}"), format!("{passed:?}"));
                    continue;
                }
                assert_eq!(value.span, passed.span);
                let Kind::List(expected) = &value.kind else {
                    panic!("{text}");
                };
                let expected: Vec<_> = expected.iter().map(|item| format!("{item:?}")).collect();
                assert_eq!(items, expected, "{text}");
            }
        }
    }

    #[test]
    fn x36_an_item_may_nest_as_deep_as_in_a_whole_reading() {
        for depth in [
            DEPTH_LIMIT - 3,
            DEPTH_LIMIT - 2,
            DEPTH_LIMIT - 1,
            DEPTH_LIMIT,
        ] {
            let item = "[".repeat(depth) + &"]".repeat(depth);
            let text = format!("{{\"list\": [{item}]}}");
            let (_, places) = around(&text).unwrap();
            let is_read = read_item(&text, places[0]).is_ok();
            assert_eq!(is_read, read(&text).is_ok(), "{depth}");
            assert_eq!(is_read, depth + 2 <= DEPTH_LIMIT, "{depth}");
        }
    }

    #[test]
    fn what_is_not_plain_is_not_passed_over() {
        for text in [
            "",
            "[]",
            r#"{"list": 1}"#,
            r#"{"other": []}"#,
            r#"{"list": [1]}"#,
            r#"{"list": ["a"]}"#,
            r#"{"list": [{},]}"#,
            r#"{"list": [{} {}]}"#,
            r#"{"list": [{}"#,
            r#"{"list": ["a]}"#,
            r#"{"list": [{}], "a": 1, "a": 2}"#,
            r#"{"list": [{}], "list": [{}]}"#,
            r#"{"a": {"list": [{}]}}"#,
        ] {
            assert!(around(text).is_none(), "{text}");
        }
        for text in [
            r#"{"list": [{"a" 1}]}"#,
            r#"{"list": [{"a": 1, "a": 1}]}"#,
            r#"{"list": [[}]}"#,
        ] {
            let (_, places) = around(text).unwrap();
            assert!(read_item(text, places[0]).is_err(), "{text}");
        }
    }
}
