//! A large list of an object, passed over when the object is read, so that its items can be read one by one.
//!
//! Where the items begin and end is told by their brackets alone. What they hold is looked at when they are read, and
//! whoever passes over a list reads the whole text anew when an item is not sound: places and order of faults are those
//! of one reading.

use super::super::node::{Fault, Kind, Node};
use super::reader::Reader;
use super::{Read, first_value};
use crate::diag::Span;

/// A list that is passed over: its key, and where its items are once it was met.
pub(super) struct PassedOver<'a> {
    key: &'a str,
    items: Option<Vec<Span>>,
}

/// The object that a text begins with, with an empty list at `key`, and where the items of that list are. `None` when the
/// object is not sound, has no such list or has something in it that is neither an object nor a list.
pub fn read_around<'a>(text: &'a str, key: &'a str) -> Option<(Read<'a>, Vec<Span>)> {
    let mut reader = Reader::new(text, 0);
    reader.passed = Some(PassedOver { key, items: None });
    reader.skip_space();
    let root = reader.value("a value").ok()?;
    let items = reader.passed.take()?.items?;
    let read = Read {
        root,
        end: reader.at,
        repeats: Vec::new(),
    };
    reader.repeats.is_empty().then_some((read, items))
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

impl<'a> Reader<'a> {
    /// Steps over the list that comes next, if it is the one to pass over. A list that its brackets do not make plain is
    /// read like any other value.
    pub(super) fn pass_over(&mut self, key: &str) -> Option<Node<'a>> {
        if self.depth != 1 || self.peek() != Some(b'[') {
            return None;
        }
        let passed = self.passed.as_ref()?;
        if passed.key != key || passed.items.is_some() {
            return None;
        }
        let start = self.at;
        let (items, end) = items(self.text.as_bytes(), start)?;
        if let Some(passed) = &mut self.passed {
            passed.items = Some(items);
        }
        self.at = end;
        Some(Node {
            span: Span::new(start, end),
            kind: Kind::List(Vec::new()),
        })
    }
}

/// The items of the list that begins at an offset, and the offset behind it.
fn items(text: &[u8], list: usize) -> Option<(Vec<Span>, usize)> {
    let mut items = Vec::new();
    let mut at = past_space(text, list + 1);
    if text.get(at) == Some(&b']') {
        return Some((items, at + 1));
    }
    loop {
        let end = past_brackets(text, at)?;
        items.push(Span::new(at, end));
        at = past_space(text, end);
        match text.get(at)? {
            b',' => at = past_space(text, at + 1),
            b']' => return Some((items, at + 1)),
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

    #[test]
    fn items_are_those_of_a_whole_reading() {
        for text in [
            r#"{"a": 1, "list": [{"x": "]}\\\"[{"}, [], {"y": [{}, "\\"]}], "b": {"list": [1]}}"#,
            r#" {"list":[]}"#,
            r#"{"list": [ [1,2] , {"a":{"b":[]}} ] } behind"#,
        ] {
            let whole = read(text).unwrap();
            let (around, places) = read_around(text, "list").unwrap();
            assert_eq!(around.end, whole.end, "{text}");
            let items: Vec<_> = places
                .iter()
                .map(|place| format!("{:?}", read_item(text, *place).unwrap()))
                .collect();
            let (Kind::Map(entries), Kind::Map(rest)) = (&whole.root.kind, &around.root.kind)
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
            let (_, places) = read_around(&text, "list").unwrap();
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
            assert!(read_around(text, "list").is_none(), "{text}");
        }
        for text in [
            r#"{"list": [{"a" 1}]}"#,
            r#"{"list": [{"a": 1, "a": 1}]}"#,
            r#"{"list": [[}]}"#,
        ] {
            let (_, places) = read_around(text, "list").unwrap();
            assert!(read_item(text, places[0]).is_err(), "{text}");
        }
    }
}
