//! The tree that both readers give, and the typed looks at it.

use std::borrow::Cow;

use foldhash::{HashMap, HashMapExt as _};

use crate::diag::Span;

/// How a scalar was written, which decides what it may be read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// A plain YAML scalar: its text decides whether it is null, a boolean, a number or text (L14a).
    Plain,
    /// A quoted or block scalar, or a JSON string: text and nothing else.
    Quoted,
    /// A bare JSON token: `null`, `true`, `false` or a number; never text.
    Token,
}

/// A value of a document, with its place.
#[derive(Clone, Debug)]
pub struct Node<'a> {
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub kind: Kind<'a>,
}

/// What a [`Node`] is.
#[derive(Clone, Debug)]
pub enum Kind<'a> {
    /// A single value; its text is unescaped.
    Scalar {
        /// The text.
        text: Cow<'a, str>,
        /// How it was written.
        style: Style,
    },
    /// A list.
    List(Vec<Node<'a>>),
    /// A map in the order written; keys are distinct (a repeated key is a fault of the document, L14, J10).
    Map(Vec<Entry<'a>>),
}

/// One key of a map with its value.
#[derive(Clone, Debug)]
pub struct Entry<'a> {
    /// The key's text.
    pub key: Cow<'a, str>,
    /// Where the key stands.
    pub key_span: Span,
    /// The value.
    pub value: Node<'a>,
}

/// What is wrong with a document, and where.
#[derive(Clone, Debug)]
pub struct Fault {
    /// Where.
    pub span: Span,
    /// What was found and what was expected.
    pub message: String,
    /// The likely mend.
    pub help: Option<String>,
    /// A second place, and what is there.
    pub also: Option<(Span, String)>,
}

impl Fault {
    /// A fault without help.
    pub fn new(span: Span, message: impl Into<String>) -> Self {
        Self {
            span,
            message: message.into(),
            help: None,
            also: None,
        }
    }

    /// The same fault with its likely mend.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// What a plain scalar or a token stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// No value.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, spelt as YAML 1.2 core or JSON spells one.
    Number,
    /// Text.
    Text,
}

impl<'a> Node<'a> {
    /// A scalar's text and what it stands for; `None` for a list or a map.
    pub fn scalar(&self) -> Option<(&str, Reading)> {
        let Kind::Scalar { text, style } = &self.kind else {
            return None;
        };
        let reading = match style {
            Style::Quoted => Reading::Text,
            Style::Plain | Style::Token => read_plain(text),
        };
        Some((text, reading))
    }

    /// Whether this is a null.
    pub fn is_null(&self) -> bool {
        matches!(&self.kind, Kind::Scalar { text, style } if *style != Style::Quoted && reads_null(text))
    }

    /// The items of a list.
    pub fn list(&self) -> Option<&[Node<'a>]> {
        match &self.kind {
            Kind::List(items) => Some(items),
            _ => None,
        }
    }

    /// The entries of a map.
    pub fn map(&self) -> Option<&[Entry<'a>]> {
        match &self.kind {
            Kind::Map(entries) => Some(entries),
            _ => None,
        }
    }

    /// The value of a key of a map.
    pub fn get(&self, key: &str) -> Option<&Node<'a>> {
        self.map()?
            .iter()
            .find(|entry| entry.key == key)
            .map(|entry| &entry.value)
    }

    /// What a message calls this value: `a list`, `the number 3`, `null`.
    pub fn described(&self) -> String {
        match &self.kind {
            Kind::List(_) => "a list".to_owned(),
            Kind::Map(_) => "a map".to_owned(),
            Kind::Scalar { text, .. } => match self.scalar().map(|(_, reading)| reading) {
                Some(Reading::Null) => "null".to_owned(),
                Some(Reading::Bool(b)) => format!("the boolean {b}"),
                Some(Reading::Number) => format!("the number {}", crate::diag::shown(text)),
                _ => format!("the text {}", crate::diag::quoted(text)),
            },
        }
    }

    /// Text: a quoted scalar, or a plain YAML scalar that is not null, as it is spelt (L14a). A bare JSON token is
    /// no text.
    pub fn text(&self) -> Result<&str, Fault> {
        match &self.kind {
            Kind::Scalar { text, style } => match style {
                Style::Quoted => Ok(text),
                Style::Plain if !self.is_null() => Ok(text),
                _ => Err(self.mismatch("text")),
            },
            Kind::Map(_) => Err(self
                .mismatch("text")
                .help("put a text that starts with { in quotes")),
            Kind::List(_) => Err(self.mismatch("text")),
        }
    }

    /// A boolean; `yes`, `no`, `on` and `off` are told what to write (L14a).
    pub fn boolean(&self) -> Result<bool, Fault> {
        match self.scalar() {
            Some((_, Reading::Bool(value))) => Ok(value),
            Some((text, _)) => {
                let fault = self.mismatch("true or false");
                Err(match text.to_ascii_lowercase().as_str() {
                    "yes" | "on" | "y" | "true" => fault.help("write true"),
                    "no" | "off" | "n" | "false" => fault.help("write false"),
                    _ => fault,
                })
            }
            None => Err(self.mismatch("true or false")),
        }
    }

    /// The fault of a value that is not what its place declares.
    pub fn mismatch(&self, expected: &str) -> Fault {
        Fault::new(
            self.span,
            format!("expected {expected}, found {}", self.described()),
        )
    }
}

/// So many keys are compared faster one by one than hashed.
pub(super) const FEW: usize = 12;

fn all_differ(entries: &[Entry<'_>]) -> bool {
    entries.iter().enumerate().all(|(n, entry)| {
        let before = entries.get(..n).unwrap_or_default();
        before.iter().all(|earlier| earlier.key != entry.key)
    })
}

/// The most faults that are kept of one document: a file of nothing but faults must not take memory out of proportion
/// (X37).
pub(super) const FAULT_LIMIT: usize = 1000;

/// Leaves each key of a map once, at its first place with its last value, and adds one fault for each repetition: the
/// later key, and beside it the first (L14, J10). The cost is linear in the number of entries.
pub(super) fn settle_keys(entries: &mut Vec<Entry<'_>>, faults: &mut Vec<Fault>) {
    if entries.len() <= FEW && all_differ(entries) {
        return;
    }
    let mut firsts: HashMap<&str, usize> = HashMap::with_capacity(entries.len());
    let owners: Vec<usize> = entries
        .iter()
        .enumerate()
        .map(|(n, entry)| *firsts.entry(&entry.key).or_insert(n))
        .collect();
    if firsts.len() == entries.len() {
        return;
    }
    let spans: Vec<Span> = entries.iter().map(|entry| entry.key_span).collect();
    let mut slots = Vec::with_capacity(entries.len());
    let mut kept: Vec<Entry<'_>> = Vec::with_capacity(spans.len());
    for (entry, owner) in std::mem::take(entries).into_iter().zip(owners) {
        if owner == slots.len() {
            slots.push(kept.len());
            kept.push(entry);
            continue;
        }
        let slot = slots.get(owner).copied().unwrap_or_default();
        slots.push(slot);
        if faults.len() < FAULT_LIMIT {
            let name = crate::diag::quoted(&entry.key);
            let mut fault = Fault::new(entry.key_span, format!("key {name} is given twice"));
            let first = spans.get(owner);
            fault.also = first.map(|span| (*span, "first given here".to_owned()));
            faults.push(fault);
        }
        if let Some(first) = kept.get_mut(slot) {
            *first = entry;
        }
    }
    *entries = kept;
}

/// YAML 1.2's core schema, with `true` and `false` as the only booleans (L14a); JSON's tokens are a part of it.
pub(super) fn read_plain(text: &str) -> Reading {
    match text {
        _ if reads_null(text) => Reading::Null,
        "true" => Reading::Bool(true),
        "false" => Reading::Bool(false),
        _ if is_number(text) => Reading::Number,
        _ => Reading::Text,
    }
}

/// Whether a plain scalar of this text is a null.
pub(super) fn reads_null(text: &str) -> bool {
    matches!(text, "" | "~" | "null" | "Null" | "NULL")
}

/// Whether text is a number as YAML 1.2's core schema or JSON spells one; `.inf` and `.nan` are none.
pub(crate) fn is_number(text: &str) -> bool {
    let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    if let Some(hex) = text.strip_prefix("0x") {
        return !hex.is_empty() && hex.bytes().all(|b| b.is_ascii_hexdigit());
    }
    if let Some(octal) = text.strip_prefix("0o") {
        return !octal.is_empty() && octal.bytes().all(|b| matches!(b, b'0'..=b'7'));
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let exponent_is_sound =
        exponent.is_none_or(|e| digits(e.strip_prefix(['-', '+']).unwrap_or(e)));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mantissa_is_sound = (digits(whole) && (fraction.is_empty() || digits(fraction)))
        || (whole.is_empty() && digits(fraction));
    exponent_is_sound && mantissa_is_sound
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_scalars_are_read_as_the_core_schema_says() {
        for (text, reading) in [
            ("", Reading::Null),
            ("~", Reading::Null),
            ("true", Reading::Bool(true)),
            ("yes", Reading::Text),
            ("True", Reading::Text),
            ("12", Reading::Number),
            ("-1.50", Reading::Number),
            ("1e3", Reading::Number),
            (".5", Reading::Number),
            ("0x1F", Reading::Number),
            ("0o17", Reading::Number),
            ("1.", Reading::Number),
            (".", Reading::Text),
            ("1e", Reading::Text),
            ("1.2.3", Reading::Text),
            ("-", Reading::Text),
            ("0xZ", Reading::Text),
        ] {
            assert_eq!(read_plain(text), reading, "{text:?}");
        }
    }
}
