//! JSON as `serde_json` reads it, keeping digits, the order of keys and repeated keys: a second opinion on every reader.

use std::fmt;

use sedum::value::Value;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    /// `null`, `true`, `false` or a number, as spelt.
    Bare(String),
    /// A string, unescaped.
    Text(String),
    /// A list.
    List(Vec<Json>),
    /// An object, repeated keys included.
    Object(Vec<(String, Json)>),
}

struct Pairs<'a>(Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Pairs<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Pairs<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }
        deserializer.deserialize_map(Object)
    }
}

impl Json {
    /// The one value that a text holds.
    pub fn read(text: &str) -> Option<Json> {
        let raw: &RawValue = serde_json::from_str(text).ok()?;
        Self::from_raw(raw.get())
    }

    fn from_raw(raw: &str) -> Option<Json> {
        Some(match raw.as_bytes().first()? {
            b'"' => Self::Text(serde_json::from_str(raw).ok()?),
            b'[' => {
                let items: Vec<&RawValue> = serde_json::from_str(raw).ok()?;
                let items = items.into_iter().map(|item| Self::from_raw(item.get()));
                Self::List(items.collect::<Option<_>>()?)
            }
            b'{' => {
                let Pairs(pairs) = serde_json::from_str(raw).ok()?;
                let pairs = pairs
                    .into_iter()
                    .map(|(key, item)| Some((key, Self::from_raw(item.get())?)));
                Self::Object(pairs.collect::<Option<_>>()?)
            }
            _ => Self::Bare(raw.to_owned()),
        })
    }

    /// The keys of the one object that a text holds. Its values are sound by grammar and not read: an escape in one may
    /// stand for no character.
    pub fn keys(text: &str) -> Option<Vec<String>> {
        let Pairs(pairs) = serde_json::from_str(text).ok()?;
        Some(pairs.into_iter().map(|(key, _)| key).collect())
    }

    /// The value of a key; of one given twice, the first.
    pub fn get(&self, key: &str) -> Option<&Json> {
        let Self::Object(pairs) = self else {
            return None;
        };
        pairs
            .iter()
            .find(|(name, _)| name == key)
            .map(|(_, value)| value)
    }

    /// Whether this is `null`.
    pub fn is_null(&self) -> bool {
        *self == Self::Bare("null".to_owned())
    }

    /// Whether some object in it gives a key twice.
    pub fn repeats_a_key(&self) -> bool {
        match self {
            Self::Object(pairs) => {
                let mut names: Vec<&str> = pairs.iter().map(|(name, _)| name.as_str()).collect();
                names.sort_unstable();
                names.windows(2).any(|pair| pair[0] == pair[1])
                    || pairs.iter().any(|(_, value)| value.repeats_a_key())
            }
            Self::List(items) => items.iter().any(Self::repeats_a_key),
            _ => false,
        }
    }

    /// How deep lists and objects stand in each other.
    pub fn depth(&self) -> usize {
        match self {
            Self::Object(pairs) => {
                1 + pairs
                    .iter()
                    .map(|(_, value)| value.depth())
                    .max()
                    .unwrap_or(0)
            }
            Self::List(items) => 1 + items.iter().map(Self::depth).max().unwrap_or(0),
            _ => 0,
        }
    }

    /// Whether a value of Sedum's is this one, digit by digit.
    pub fn is(&self, value: &Value) -> bool {
        match (self, value) {
            (Self::Bare(text), Value::Null) => text == "null",
            (Self::Bare(text), Value::Bool(value)) => *text == value.to_string(),
            (Self::Bare(text), Value::Number(number)) => text == number.as_str(),
            (Self::Text(text), Value::Text(value)) => text == value,
            (Self::List(items), Value::List(values)) => {
                items.len() == values.len()
                    && items.iter().zip(values).all(|(item, value)| item.is(value))
            }
            (Self::Object(pairs), Value::Object(entries)) => {
                pairs.len() == entries.len()
                    && pairs
                        .iter()
                        .zip(entries)
                        .all(|(a, b)| a.0 == b.0 && a.1.is(&b.1))
            }
            _ => false,
        }
    }
}
