//! A kwarg's value, from decoding to marker.
//!
//! JSON and YAML numbers keep their digits (T8, T9, J11). Equality of values is equality of what they stand for, so
//! `3` is `3.0` and `9007199254740992` is not `9007199254740993` (M25); a spelling is never changed.

mod names;

use std::borrow::Cow;
use std::fmt::Write as _;

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use crate::doc::{Kind, Node, Reading, Style};

pub use names::Names;

/// The values of kwargs or captures by name.
pub type Bindings = Names<Value>;

/// A value as a model, a recording, a marker, a default or the command line gives it.
#[derive(Clone, Debug)]
pub enum Value {
    /// No value; fits no declared type.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number as it was written.
    Number(Number),
    /// Text.
    Text(String),
    /// A list.
    List(Vec<Value>),
    /// An object in the order written; the only one that fits a type is a forms object (X15).
    Object(Vec<(String, Value)>),
}

/// A number in JSON's spelling, with all its digits.
#[derive(Clone, Debug)]
pub struct Number(Box<str>);

/// A value's exact meaning: sign, significant digits, power of ten.
#[derive(PartialEq, Eq)]
struct Exact<'a> {
    negative: bool,
    digits: Cow<'a, str>,
    exponent: Cow<'a, str>,
}

impl Number {
    /// A number from text that JSON accepts, or that YAML's core schema accepts as a number; anything else is `None`.
    pub fn parse(text: &str) -> Option<Self> {
        if !crate::doc::node::is_number(text) {
            return None;
        }
        if let Some(hex) = text.strip_prefix("0x") {
            let value = u128::from_str_radix(hex, 16).ok()?;
            return Some(Self(value.to_string().into()));
        }
        if let Some(octal) = text.strip_prefix("0o") {
            let value = u128::from_str_radix(octal, 8).ok()?;
            return Some(Self(value.to_string().into()));
        }
        let unsigned = text.strip_prefix('+').unwrap_or(text);
        Some(Self(json_spelling(unsigned).into()))
    }

    /// The number as it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the number is whole, however it is spelt: `3`, `3.0`, `3e0` (D16).
    pub fn is_integral(&self) -> bool {
        let exact = self.exact();
        exact.digits == "0" || !exact.exponent.starts_with('-')
    }

    fn exact(&self) -> Exact<'_> {
        let (negative, unsigned) = match self.0.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, &*self.0),
        };
        let (mantissa, power) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = if fraction.is_empty() {
            Cow::Borrowed(whole)
        } else {
            Cow::Owned(format!("{whole}{fraction}"))
        };
        let significant = all.trim_start_matches('0').trim_end_matches('0');
        if significant.is_empty() {
            return Exact {
                negative: false,
                digits: "0".into(),
                exponent: "0".into(),
            };
        }
        let trailing = all.len() - all.trim_end_matches('0').len();
        let shift = i64::try_from(trailing).unwrap_or(i64::MAX)
            - i64::try_from(fraction.len()).unwrap_or(i64::MAX);
        let exponent = match power.parse::<i64>().ok().and_then(|p| p.checked_add(shift)) {
            Some(sum) => Cow::Owned(sum.to_string()),
            // A power of ten beyond 64 bits dwarfs any shift that fits in memory.
            None => Cow::Borrowed(power.trim_start_matches('+')),
        };
        Exact {
            negative,
            digits: significant.to_owned().into(),
            exponent,
        }
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.exact() == other.exact()
    }
}

/// YAML allows `.5`, `1.`, `007` where JSON does not; the value stays, the spelling becomes JSON's.
fn json_spelling(text: &str) -> String {
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text),
    };
    let split = rest.find(['.', 'e', 'E']).unwrap_or(rest.len());
    let (whole, tail) = rest.split_at(split);
    let whole = match whole.trim_start_matches('0') {
        "" => "0",
        digits => digits,
    };
    let tail = if tail == "." {
        ""
    } else if let Some(after) = tail.strip_prefix(".e").or_else(|| tail.strip_prefix(".E")) {
        return format!("{sign}{whole}e{after}");
    } else {
        tail
    };
    format!("{sign}{whole}{tail}")
}

/// A string kwarg's explicit forms (X15).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forms<'a> {
    /// What a bare reference sees.
    pub text: &'a str,
    /// The given singular.
    pub singular: Option<&'a str>,
    /// The given plural.
    pub plural: Option<&'a str>,
}

impl Value {
    /// The value of a document's node, by its YAML or JSON type.
    pub fn from_node(node: &Node<'_>) -> Self {
        match &node.kind {
            Kind::Scalar {
                text,
                style: Style::Quoted,
            } => Self::Text(text.clone().into_owned()),
            Kind::Scalar { text, .. } => match node.scalar().map(|(_, reading)| reading) {
                Some(Reading::Null) => Self::Null,
                Some(Reading::Bool(value)) => Self::Bool(value),
                Some(Reading::Number) => Number::parse(text)
                    .map_or_else(|| Self::Text(text.clone().into_owned()), Self::Number),
                _ => Self::Text(text.clone().into_owned()),
            },
            Kind::List(items) => Self::List(items.iter().map(Self::from_node).collect()),
            Kind::Map(entries) => Self::Object(
                entries
                    .iter()
                    .map(|entry| {
                        (
                            entry.key.clone().into_owned(),
                            Self::from_node(&entry.value),
                        )
                    })
                    .collect(),
            ),
        }
    }

    /// The explicit forms of a sound forms object (X15): at least one of `singular` and `plural`, an optional
    /// `text`, each non-blank text, and no other key.
    pub fn forms(&self) -> Option<Forms<'_>> {
        let Self::Object(entries) = self else {
            return None;
        };
        let (mut text, mut singular, mut plural) = (None, None, None);
        for (key, value) in entries {
            let Self::Text(given) = value else {
                return None;
            };
            if given.trim().is_empty() {
                return None;
            }
            match key.as_str() {
                "text" => text = Some(given.as_str()),
                "singular" => singular = Some(given.as_str()),
                "plural" => plural = Some(given.as_str()),
                _ => return None,
            }
        }
        let shown = singular.or(plural)?;
        Some(Forms {
            text: text.unwrap_or(shown),
            singular,
            plural,
        })
    }

    /// What a message calls the value: `the text "x"`, `the number 2.5`, `a list`, `null`.
    pub fn described(&self) -> String {
        match self {
            Self::Null => "null".to_owned(),
            Self::Bool(value) => format!("the boolean {value}"),
            Self::Number(number) => {
                format!(
                    "the number {}",
                    crate::diag::shown(crate::diag::shown::cut_at(&number.0, 80))
                )
            }
            Self::Text(text) => format!("the text {}", crate::diag::quoted(text)),
            Self::List(_) => "a list".to_owned(),
            Self::Object(_) => format!("the object {}", crate::diag::quoted(&self.to_json())),
        }
    }

    /// Compact JSON: object keys as they stand, no HTML escapes, U+2028 and U+2029 escaped (M4, M5).
    pub fn to_json(&self) -> String {
        let mut out = String::new();
        self.write_json(&mut out);
        out
    }

    /// Appends [`Value::to_json`] to `out`.
    pub fn write_json(&self, out: &mut String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Self::Number(number) => out.push_str(&number.0),
            Self::Text(text) => write_json_text(text, out),
            Self::List(items) => {
                out.push('[');
                for (n, item) in items.iter().enumerate() {
                    if n > 0 {
                        out.push(',');
                    }
                    item.write_json(out);
                }
                out.push(']');
            }
            Self::Object(entries) => {
                out.push('{');
                for (n, (key, value)) in entries.iter().enumerate() {
                    if n > 0 {
                        out.push(',');
                    }
                    write_json_text(key, out);
                    out.push(':');
                    value.write_json(out);
                }
                out.push('}');
            }
        }
    }

    /// Appends a form that is equal for equal values and differs for different ones (M25): numbers by their exact
    /// value, object keys sorted.
    pub fn write_canonical(&self, out: &mut String) {
        match self {
            Self::Number(number) => {
                let exact = number.exact();
                let sign = if exact.negative { "-" } else { "" };
                let _ = write!(out, "{sign}{}e{}", exact.digits, exact.exponent);
            }
            Self::List(items) => {
                out.push('[');
                for item in items {
                    item.write_canonical(out);
                    out.push(',');
                }
                out.push(']');
            }
            Self::Object(entries) => {
                let mut sorted: Vec<_> = entries.iter().collect();
                sorted.sort_by(|a, b| a.0.cmp(&b.0));
                out.push('{');
                for (key, value) in sorted {
                    write_json_text(key, out);
                    out.push(':');
                    value.write_canonical(out);
                    out.push(',');
                }
                out.push('}');
            }
            _ => self.write_json(out),
        }
    }
}

/// Equality of what values stand for (M25).
impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        let canonical = |value: &Self| {
            let mut out = String::new();
            value.write_canonical(&mut out);
            out
        };
        canonical(self) == canonical(other)
    }
}

/// Appends `text` as a JSON string with only the escapes that JSON needs, and U+2028 and U+2029 (M5).
pub fn write_json_text(text: &str, out: &mut String) {
    out.push('"');
    if text.bytes().all(is_plain) {
        out.push_str(text);
        out.push('"');
        return;
    }
    let mut rest = text;
    while let Some(at) = rest.find(needs_escape) {
        let (plain, from) = rest.split_at(at);
        out.push_str(plain);
        let mut chars = from.chars();
        match chars.next() {
            Some('"') => out.push_str("\\\""),
            Some('\\') => out.push_str("\\\\"),
            Some('\n') => out.push_str("\\n"),
            Some('\r') => out.push_str("\\r"),
            Some('\t') => out.push_str("\\t"),
            Some('\u{8}') => out.push_str("\\b"),
            Some('\u{c}') => out.push_str("\\f"),
            Some(c) => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            None => {}
        }
        rest = chars.as_str();
    }
    out.push_str(rest);
    out.push('"');
}

/// Whether a byte is no part of a character that [`needs_escape`]; nearly all text is made of such bytes.
fn is_plain(byte: u8) -> bool {
    /// How U+2028 and U+2029 begin, and a few thousand other characters.
    const SEPARATORS: u8 = 0xe2;
    byte >= b' ' && !matches!(byte, b'"' | b'\\' | SEPARATORS)
}

fn needs_escape(c: char) -> bool {
    c < ' ' || matches!(c, '"' | '\\' | '\u{2028}' | '\u{2029}')
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // serde has no number of any length; a raw value keeps the digits.
        match serde_json::value::RawValue::from_string(self.0.to_string()) {
            Ok(raw) => raw.serialize(serializer),
            Err(_) => serializer.serialize_str(&self.0),
        }
    }
}

impl<T: Serialize> Serialize for Names<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self)
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(number) => number.serialize(serializer),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(items) => {
                let mut seq = serializer.serialize_seq(Some(items.len()))?;
                for item in items {
                    seq.serialize_element(item)?;
                }
                seq.end()
            }
            Self::Object(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in entries {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Number {
        Number::parse(text).unwrap()
    }

    #[test]
    fn numbers_are_equal_by_value_and_exactly_m25() {
        assert_eq!(number("3"), number("3.0"));
        assert_eq!(number("100"), number("1e2"));
        assert_eq!(number("0.10"), number("1e-1"));
        assert_eq!(number("-0"), number("0"));
        assert_ne!(number("9007199254740992"), number("9007199254740993"));
        assert_ne!(number("-1"), number("1"));
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in ["", "abc", "1x", "--1", "+-1", "0x", "1 ", "NaN", "1,5"] {
            assert!(Number::parse(text).is_none(), "{text:?}");
        }
    }

    #[test]
    fn whole_numbers_are_whole_however_spelt_d16() {
        for whole in [
            "3",
            "3.0",
            "3e0",
            "1e3",
            "-2",
            "0",
            "0.0",
            "30e-1",
            "123456789012345678901234567890",
        ] {
            assert!(number(whole).is_integral(), "{whole}");
        }
        for fraction in ["2.5", "0.75", "3e-1", "1e-99999999999999999999"] {
            assert!(!number(fraction).is_integral(), "{fraction}");
        }
    }

    #[test]
    fn yaml_spellings_become_json_ones() {
        for (yaml, json) in [
            ("+5", "5"),
            (".5", "0.5"),
            ("1.", "1"),
            ("007", "7"),
            ("0x1F", "31"),
            ("0o17", "15"),
            ("-.5e3", "-0.5e3"),
            ("1.50", "1.50"),
            ("1.e3", "1e3"),
        ] {
            assert_eq!(number(yaml).as_str(), json, "{yaml}");
        }
    }

    #[test]
    fn json_text_has_only_the_needed_escapes_m5() {
        let mut out = String::new();
        write_json_text("a\"\\\u{1}\u{1f}\n\t\r</é&\u{7f}\u{2028}\u{2029}", &mut out);
        assert_eq!(
            out,
            "\"a\\\"\\\\\\u0001\\u001f\\n\\t\\r</é&\u{7f}\\u2028\\u2029\""
        );
    }

    #[test]
    fn forms_objects_x15() {
        let object = |entries: &[(&str, &str)]| {
            Value::Object(
                entries
                    .iter()
                    .map(|(k, v)| ((*k).to_owned(), Value::Text((*v).to_owned())))
                    .collect(),
            )
        };
        let both = object(&[("singular", "user"), ("plural", "users")]);
        assert_eq!(
            both.forms(),
            Some(Forms {
                text: "user",
                singular: Some("user"),
                plural: Some("users")
            })
        );
        assert_eq!(
            object(&[("plural", "users")]).forms().map(|f| f.text),
            Some("users")
        );
        assert_eq!(
            object(&[("plural", "users"), ("text", "User")])
                .forms()
                .map(|f| f.text),
            Some("User")
        );
        assert_eq!(object(&[("text", "User")]).forms(), None);
        assert_eq!(object(&[("plural", " ")]).forms(), None);
        assert_eq!(object(&[("plural", "a"), ("dual", "b")]).forms(), None);
    }

    #[test]
    fn serialised_numbers_keep_their_digits_t9() {
        let value = Value::List(vec![
            Value::Number(number("1000000")),
            Value::Number(number("2.50")),
        ]);
        assert_eq!(serde_json::to_string(&value).unwrap(), "[1000000,2.50]");
        assert_eq!(value.to_json(), "[1000000,2.50]");
    }
}
