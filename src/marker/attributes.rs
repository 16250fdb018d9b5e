//! A marker's attributes: one JSON object, read leniently and written in one form.
//!
//! Decides what the four modelled keys say and keeps every other key as it was spelt (M13, M18). It must not look
//! into, check or reorder what it carries (M20). JSON null counts as a key that is missing; a modelled key of any
//! other wrong JSON type makes the attributes unreadable, as bad JSON does: guessing would rewrite what another
//! writer meant.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::{Attributes, Label, MODELLED, Marker, OpenLine, Tier};
use crate::diag::shown;
use crate::doc::{Entry, Kind, Node, Style, json};
use crate::value::{Bindings, Value, write_json_text};
use crate::work::{self, Work};

/// An opening line whose attributes are not a JSON object, or give a modelled key a value of the wrong type (M13).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the attributes of marker {} cannot be read: {message}", shown(&label.to_string()))]
pub struct AttributeFault {
    /// The marker's label.
    pub label: Label,
    /// Where in the line, from 1, in characters.
    pub column: usize,
    /// What was found and what was expected.
    pub message: String,
}

/// The keys of an object with their values' text, in the order written, repeated keys included.
struct Pairs<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'de> Deserialize<'de> for Pairs<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Pairs<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut pairs = Vec::new();
                while let Some((Key(key), value)) = map.next_entry()? {
                    pairs.push((key, value));
                }
                Ok(Pairs(pairs))
            }
        }
        deserializer.deserialize_map(Object)
    }
}

/// A key, borrowed when it has no escape.
#[derive(serde::Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

impl OpenLine<'_> {
    /// The marker that the line opens. No attributes are all defaults (M12); unknown keys are carried (M13); of a key
    /// given twice the last counts (J10).
    pub fn parse(&self) -> Result<Marker, AttributeFault> {
        let mut marker = Marker::new(self.label.to_label());
        if self.attributes.is_empty() {
            return Ok(marker);
        }
        // One pass for what nearly every marker is; what it refuses is read piece by piece, to say which piece is wrong.
        if let Some(marker) = self.sound(&marker) {
            return Ok(marker);
        }
        let Pairs(pairs) =
            serde_json::from_str(self.attributes).map_err(|error| self.unreadable(&error))?;
        for (key, raw) in latest(pairs) {
            match &*key {
                "tier" => {
                    if let Some(name) = self.text("tier", raw)? {
                        marker.tier = Tier::parse(&name);
                    }
                }
                "record" => marker.record = self.text("record", raw)?.filter(|t| !t.is_empty()),
                "writer" => marker.writer = self.text("writer", raw)?.filter(|t| !t.is_empty()),
                "kwargs" => marker.kwargs = self.kwargs(raw)?,
                _ => marker
                    .carried
                    .push((key.into_owned(), json::compact(raw.get()))),
            }
        }
        Ok(marker)
    }

    /// Whether [`OpenLine::parse`] gives a marker, found out without making it.
    pub fn check(&self) -> Result<(), AttributeFault> {
        let text = self.attributes;
        if text.is_empty() || is_usual(text.as_bytes()) || self.sound_entries().is_some() {
            return Ok(());
        }
        self.parse().map(drop)
    }

    /// The entries of attributes that are plainly sound; `None` when a second look is needed.
    fn sound_entries(&self) -> Option<Vec<Entry<'_>>> {
        if !self.attributes.starts_with('{') {
            return None;
        }
        let node = json::parse_lenient_keys(self.attributes).ok()?;
        let Kind::Map(entries) = node.kind else {
            return None;
        };
        let is_sound = |entry: &Entry<'_>| match &*entry.key {
            "tier" | "record" | "writer" => is_text(&entry.value.kind),
            "kwargs" => matches!(entry.value.kind, Kind::Map(_)),
            _ => true,
        };
        entries.iter().all(is_sound).then_some(entries)
    }

    /// The marker of attributes that are plainly sound.
    fn sound(&self, bare: &Marker) -> Option<Marker> {
        let mut marker = bare.clone();
        for entry in self.sound_entries()? {
            let (key, value) = (entry.key, entry.value);
            match (&*key, value.kind) {
                ("tier", kind) => marker.tier = Tier::parse(&text_of(kind)?),
                ("record", kind) => marker.record = Some(text_of(kind)?).filter(|t| !t.is_empty()),
                ("writer", kind) => marker.writer = Some(text_of(kind)?).filter(|t| !t.is_empty()),
                ("kwargs", Kind::Map(kwargs)) => {
                    let bind = |kwarg: Entry<'_>| {
                        let value = match kwarg.value.kind {
                            Kind::Scalar {
                                text,
                                style: Style::Quoted,
                            } => Value::Text(text.into_owned()),
                            _ => Value::from_node(&kwarg.value),
                        };
                        (kwarg.key.into_owned(), value)
                    };
                    marker.kwargs = kwargs.into_iter().map(bind).collect();
                }
                ("kwargs", _) => return None,
                _ => {
                    let (start, end) = (value.span.start as usize, value.span.end as usize);
                    let raw = self.attributes.get(start..end)?;
                    marker.carried.push((key.into_owned(), json::compact(raw)));
                }
            }
        }
        marker.carried.sort_by(|a, b| a.0.cmp(&b.0));
        Some(marker)
    }

    fn fault(&self, at: usize, message: String) -> AttributeFault {
        let start = self.attributes.as_ptr().addr() - self.line.as_ptr().addr();
        let (found, whole) = (self.line.get(..start + at), self.line.get(..start));
        let before = found.or(whole).unwrap_or_default();
        AttributeFault {
            label: self.label.to_label(),
            column: before.chars().count() + 1,
            message,
        }
    }

    /// The document reader finds the same faults and words them with what was found.
    fn unreadable(&self, error: &serde_json::Error) -> AttributeFault {
        match json::parse_lenient_keys(self.attributes) {
            Err(fault) => self.fault(fault.span.start as usize, fault.message),
            Ok(node) if node.map().is_none() => {
                let found = node.described();
                self.fault(0, format!("expected a JSON object, found {found}"))
            }
            Ok(_) => {
                let message = error.to_string();
                let message = message.rsplit_once(" at line ").map_or(&*message, |m| m.0);
                self.fault(error.column().saturating_sub(1), message.to_owned())
            }
        }
    }

    fn value<'r>(&self, raw: &'r RawValue) -> Result<Node<'r>, AttributeFault> {
        json::parse_lenient_keys(raw.get()).map_err(|fault| {
            self.fault(self.offset(raw) + fault.span.start as usize, fault.message)
        })
    }

    fn offset(&self, raw: &RawValue) -> usize {
        let start = self.attributes.as_ptr().addr();
        raw.get().as_ptr().addr().saturating_sub(start)
    }

    fn mismatch(
        &self,
        key: &str,
        expected: &str,
        raw: &RawValue,
        node: &Node<'_>,
    ) -> AttributeFault {
        let found = node.described();
        let message = format!("expected {expected} for `{key}`, found {found}");
        self.fault(self.offset(raw), message)
    }

    fn text(&self, key: &str, raw: &RawValue) -> Result<Option<String>, AttributeFault> {
        if let Some(text) = plain_text(raw) {
            return Ok(Some(text));
        }
        let node = self.value(raw)?;
        if node.is_null() {
            return Ok(None);
        }
        Err(self.mismatch(key, "text", raw, &node))
    }

    fn kwargs(&self, raw: &RawValue) -> Result<Bindings, AttributeFault> {
        let Ok(Pairs(pairs)) = serde_json::from_str(raw.get()) else {
            let node = self.value(raw)?;
            if node.is_null() {
                return Ok(Bindings::new());
            }
            return Err(self.mismatch("kwargs", "an object", raw, &node));
        };
        latest(pairs)
            .into_iter()
            .map(|(name, raw)| {
                let value = match plain_text(raw) {
                    Some(text) => Value::Text(text),
                    None => Value::from_node(&self.value(raw)?),
                };
                Ok((name.into_owned(), value))
            })
            .collect()
    }
}

/// Whether attributes are beyond doubt what Sedum usually writes: an object of plain texts, in which `kwargs` is another
/// one. A look at each byte; anything else takes a reader to tell.
fn is_usual(attributes: &[u8]) -> bool {
    let nested = |rest| object(rest, &|_, rest| text(rest).map(|(_, rest)| rest));
    let whole = object(attributes, &|key, rest| match key {
        b"kwargs" => nested(rest),
        _ => text(rest).map(|(_, rest)| rest),
    });
    whole.is_some_and(<[u8]>::is_empty)
}

/// What follows an object without white space; of each entry `value` gets the key and what follows it, and gives what
/// follows the value.
fn object<'b>(
    bytes: &'b [u8],
    value: &dyn Fn(&'b [u8], &'b [u8]) -> Option<&'b [u8]>,
) -> Option<&'b [u8]> {
    let mut rest = bytes.strip_prefix(b"{")?;
    loop {
        let (key, behind) = text(rest)?;
        rest = value(key, behind.strip_prefix(b":")?)?;
        let (next, behind) = rest.split_first()?;
        rest = behind;
        match next {
            b',' => {}
            b'}' => return Some(rest),
            _ => return None,
        }
    }
}

/// A string of plain characters without escapes, and what follows it.
fn text(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let rest = bytes.strip_prefix(b"\"")?;
    let is_plain = |byte: &u8| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\');
    let end = rest.iter().position(|byte| !is_plain(byte))?;
    let (text, behind) = rest.split_at(end);
    Some((text, behind.strip_prefix(b"\"")?))
}

fn is_text(kind: &Kind<'_>) -> bool {
    let quoted = Style::Quoted;
    matches!(kind, Kind::Scalar { style, .. } if *style == quoted)
}

/// The text of a JSON string.
fn text_of(kind: Kind<'_>) -> Option<String> {
    match kind {
        Kind::Scalar {
            text,
            style: Style::Quoted,
        } => Some(text.into_owned()),
        _ => None,
    }
}

/// The text of a string; most values are strings, and this reading makes no tree.
fn plain_text(raw: &RawValue) -> Option<String> {
    raw.get()
        .starts_with('"')
        .then(|| serde_json::from_str(raw.get()).ok())?
}

/// The pairs sorted by key, of each key the last one written (J10).
fn latest<'a>(mut pairs: Vec<(Cow<'a, str>, &'a RawValue)>) -> Vec<(Cow<'a, str>, &'a RawValue)> {
    pairs.reverse();
    pairs.sort_by(|a, b| a.0.cmp(&b.0));
    pairs.dedup_by(|later, kept| later.0 == kept.0);
    pairs
}

/// Writes the attributes of a marker in their one form (M3-M6); a carried key that has a modelled name is left out (M19).
/// What comes out is which bytes, from the start of the object, are carried values, to be left as they are (M4, M5).
pub(super) fn encode(marker: Attributes<'_>, json: &mut String) -> Vec<Range<usize>> {
    work::done(Work::MarkerWritten);
    let start = json.len();
    json.push_str("{\"tier\":");
    write_json_text(marker.tier.name(), json);
    for (key, value) in [("record", marker.record), ("writer", marker.writer)] {
        if let Some(text) = value.filter(|text| !text.is_empty()) {
            write_key(key, json);
            write_json_text(text, json);
        }
    }
    if !marker.kwargs.is_empty() {
        write_key("kwargs", json);
        let mut before = '{';
        for (name, value) in marker.kwargs {
            json.push(before);
            write_json_text(name, json);
            json.push(':');
            value.write_json(json);
            before = ',';
        }
        json.push('}');
    }
    let carried: BTreeMap<&str, &str> = marker
        .carried
        .iter()
        .map(|(key, value)| (key.as_str(), value.as_str()))
        .collect();
    let mut verbatim = Vec::with_capacity(carried.len());
    for (key, value) in carried {
        if !MODELLED.contains(&key) {
            write_key(key, json);
            let at = json.len() - start;
            verbatim.push(at..at + value.len());
            json.push_str(value);
        }
    }
    json.push('}');
    verbatim
}

fn write_key(key: &str, json: &mut String) {
    json.push(',');
    write_json_text(key, json);
    json.push(':');
}

#[cfg(test)]
mod tests;
