//! The marker codec: the one reader and writer of anchor lines and ownership markers.
//!
//! It decides what a line of a generated file is to Sedum (text, a planted anchor, the opening or the closing line of
//! a region), what a marker's attributes say, and how a marker is written so that every reader gets the same back.
//! Loading, prompting, validating, reconciling and injecting all ask here, so they cannot disagree. It must not know
//! packages, actions or files, touch nothing on disk, and decide nothing about what happens to a region.

mod attributes;
mod comments;
#[cfg(test)]
mod properties;
mod scan;
mod suffix;

use std::fmt;

use crate::value::{Bindings, write_json_text};

pub use attributes::AttributeFault;
pub use comments::{Comments, Line, OpenLine, body_marker, malformed_anchor};
pub use scan::{
    Element, Ending, LineText, Region, Scan, ScanFault, Skeleton, scan, scan_as, scan_plain,
};

/// The attribute keys that Sedum gives a meaning, in the order written (M3).
const MODELLED: [&str; 4] = ["tier", "record", "writer", "kwargs"];

/// A region's label, `action[:variant]`, literal on both marker lines (M1, M2).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label {
    /// The action; it has no colon and no white space (A28).
    pub action: String,
    /// The discriminator's value (M29): all that follows the first colon.
    pub variant: Option<String>,
}

impl Label {
    /// A label from its parts; an empty variant is none.
    pub fn new(action: impl Into<String>, variant: Option<&str>) -> Self {
        Self {
            action: action.into(),
            variant: variant.filter(|v| !v.is_empty()).map(str::to_owned),
        }
    }

    /// The label, borrowed.
    pub fn as_ref(&self) -> LabelRef<'_> {
        LabelRef::new(&self.action, self.variant.as_deref())
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_ref().fmt(f)
    }
}

/// A [`Label`] in a text: a file has two marker lines for each region, and few of their labels are ever kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LabelRef<'a> {
    /// As [`Label::action`].
    pub action: &'a str,
    /// As [`Label::variant`].
    pub variant: Option<&'a str>,
}

impl<'a> LabelRef<'a> {
    /// A label from its parts; an empty variant is none.
    pub fn new(action: &'a str, variant: Option<&'a str>) -> Self {
        Self {
            action,
            variant: variant.filter(|v| !v.is_empty()),
        }
    }

    /// The label by itself.
    pub fn to_label(self) -> Label {
        Label::new(self.action, self.variant)
    }

    /// The label as it is written, in three pieces.
    fn pieces(self) -> [&'a str; 3] {
        match self.variant {
            Some(variant) => [self.action, ":", variant],
            None => [self.action, "", ""],
        }
    }

    /// The label that `text` spells, `action[:variant]`. `None` when the action is empty (M17) or `anchor`, a name
    /// that no action may bear (M11, A28).
    fn parse(text: &'a str) -> Option<Self> {
        let (action, variant) = match text.split_once(':') {
            Some((action, variant)) => (action, Some(variant)),
            None => (text, None),
        };
        (!action.is_empty() && action != "anchor").then(|| Self::new(action, variant))
    }
}

impl fmt::Display for LabelRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pieces()
            .into_iter()
            .try_for_each(|piece| f.write_str(piece))
    }
}

/// Who may change a region (M14, M22).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Tier {
    /// Replaced on each run.
    #[default]
    Owned,
    /// Written once, then left.
    Seeded,
    /// A word this version does not know: the region is left as it is, with a warning (M14).
    Other(String),
}

impl Tier {
    /// The tier that a marker or a declaration spells.
    pub fn parse(name: &str) -> Self {
        match name {
            "owned" => Self::Owned,
            "seeded" => Self::Seeded,
            other => Self::Other(other.to_owned()),
        }
    }

    /// The tier's spelling.
    pub fn name(&self) -> &str {
        match self {
            Self::Owned => "owned",
            Self::Seeded => "seeded",
            Self::Other(name) => name,
        }
    }
}

/// What an opening line says about its region.
#[derive(Clone, Debug, PartialEq)]
pub struct Marker {
    /// The region's label.
    pub label: Label,
    /// Who may change the region.
    pub tier: Tier,
    /// The record that last parameterised it.
    pub record: Option<String>,
    /// The tool that wrote it; `None` is Sedum (M6).
    pub writer: Option<String>,
    /// The effective kwargs (M7).
    pub kwargs: Bindings,
    /// Keys that Sedum does not model, with their values' JSON as it was read, compacted (M4, M20). Reading gives
    /// them sorted by key, each key once.
    pub carried: Vec<(String, String)>,
}

impl Marker {
    /// A marker without attributes: owned, by Sedum, no record, no kwargs (M12).
    pub fn new(label: Label) -> Self {
        Self {
            label,
            tier: Tier::default(),
            record: None,
            writer: None,
            kwargs: Bindings::new(),
            carried: Vec::new(),
        }
    }

    /// What [`identity`] gives for this marker's action and kwargs, and its variant when `with_variant`.
    pub fn identity<'n>(
        &self,
        with_variant: bool,
        names: impl IntoIterator<Item = &'n str>,
    ) -> String {
        let variant = self.label.variant.as_deref().filter(|_| with_variant);
        identity(&self.label.action, variant, &self.kwargs, names)
    }
}

impl<'a> From<&'a Label> for LabelRef<'a> {
    fn from(label: &'a Label) -> Self {
        label.as_ref()
    }
}

/// What an opening line is written from: a [`Marker`], or one that is put together from what is there.
#[derive(Clone, Copy, Debug)]
pub struct Attributes<'a> {
    /// As [`Marker::label`].
    pub label: LabelRef<'a>,
    /// As [`Marker::tier`].
    pub tier: &'a Tier,
    /// As [`Marker::record`]; an empty one is none.
    pub record: Option<&'a str>,
    /// As [`Marker::writer`].
    pub writer: Option<&'a str>,
    /// As [`Marker::kwargs`].
    pub kwargs: &'a Bindings,
    /// As [`Marker::carried`].
    pub carried: &'a [(String, String)],
}

impl<'a> Attributes<'a> {
    /// This marker as it replaces `old`: unmodelled keys (M18) and the tier (M23) are those on disk, all else is as
    /// it stands here, so a foreign writer goes (M21).
    #[must_use]
    pub fn replacing(self, old: &'a Marker) -> Self {
        Self {
            tier: &old.tier,
            carried: &old.carried,
            ..self
        }
    }
}

impl<'a> From<&'a Marker> for Attributes<'a> {
    fn from(marker: &'a Marker) -> Self {
        Self {
            label: marker.label.as_ref(),
            tier: &marker.tier,
            record: marker.record.as_deref(),
            writer: marker.writer.as_deref(),
            kwargs: &marker.kwargs,
            carried: &marker.carried,
        }
    }
}

/// A region's identity (M25) as text that is equal exactly when identities are: the action, the variant when it takes
/// part (pass `None` for an action that declares `identity`), and the kwargs named, by exact value. A name without a
/// binding differs from every binding.
pub fn identity<'n>(
    action: &str,
    variant: Option<&str>,
    kwargs: &Bindings,
    names: impl IntoIterator<Item = &'n str>,
) -> String {
    let mut names: Vec<&str> = names.into_iter().collect();
    names.sort_unstable();
    names.dedup();
    let mut out = String::with_capacity(64);
    write_json_text(action, &mut out);
    if let Some(variant) = variant {
        out.push(':');
        write_json_text(variant, &mut out);
    }
    for name in names {
        if let Some(value) = kwargs.get(name) {
            out.push(' ');
            write_json_text(name, &mut out);
            out.push('=');
            value.write_canonical(&mut out);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{Number, Value};

    fn number(text: &str) -> Value {
        Value::Number(Number::parse(text).unwrap())
    }

    fn bound(pairs: &[(&str, Value)]) -> Bindings {
        pairs
            .iter()
            .map(|(k, v)| ((*k).to_owned(), v.clone()))
            .collect()
    }

    #[test]
    fn labels_split_at_the_first_colon_m1() {
        for (text, variant) in [
            ("add", None),
            ("add:v", Some("v")),
            ("add:v:w", Some("v:w")),
            ("add:", None),
        ] {
            assert_eq!(LabelRef::parse(text), Some(LabelRef::new("add", variant)));
        }
        assert_eq!(Label::new("add", Some("v:w")).to_string(), "add:v:w");
    }

    #[test]
    fn an_empty_action_and_anchor_are_no_labels_m11_m17() {
        for text in ["", ":v", "anchor", "anchor:", "anchor:x", "anchor:x:y"] {
            assert_eq!(LabelRef::parse(text), None, "{text}");
        }
        assert!(LabelRef::parse("anchors:x").is_some());
    }

    #[test]
    fn replacing_keeps_carried_keys_and_the_tier_and_drops_the_writer_m18_m21_m23() {
        let mut old = Marker::new(Label::new("add", Some("a")));
        old.tier = Tier::Owned;
        old.record = Some("R-0".into());
        old.writer = Some("mender".into());
        old.carried = vec![("seen".into(), "[1]".into())];
        let mut new = Marker::new(Label::new("add", Some("b")));
        new.tier = Tier::Seeded;
        new.record = Some("R-1".into());
        let written = Attributes::from(&new).replacing(&old);
        assert_eq!(written.label, LabelRef::new("add", Some("b")));
        assert_eq!(written.tier, &Tier::Owned);
        assert_eq!(written.record, Some("R-1"));
        assert_eq!(written.writer, None);
        assert_eq!(written.carried, old.carried);
    }

    #[test]
    fn identity_is_action_variant_and_named_kwargs_by_exact_value_m25_m26() {
        let names = ["n", "t"];
        let of = |kwargs: &[(&str, Value)]| identity("add", Some("v"), &bound(kwargs), names);
        let text = |t: &str| Value::Text(t.to_owned());
        assert_eq!(
            of(&[("n", number("3")), ("t", text("x")), ("other", text("y"))]),
            of(&[("t", text("x")), ("n", number("3.0"))])
        );
        assert_ne!(
            of(&[("n", number("9007199254740992"))]),
            of(&[("n", number("9007199254740993"))])
        );
        assert_ne!(of(&[("n", number("3"))]), of(&[("n", text("3"))]));
        assert_ne!(of(&[]), of(&[("n", Value::Null)]));
        let none = bound(&[]);
        assert_ne!(
            identity("add", Some("v"), &none, names),
            identity("add", None, &none, names)
        );
        assert_ne!(
            identity("a:b", None, &none, names),
            identity("a", Some("b"), &none, names)
        );
        let mut marker = Marker::new(Label::new("add", Some("v")));
        let plain = marker.identity(true, names);
        marker.record = Some("R".into());
        marker.writer = Some("w".into());
        marker.tier = Tier::Seeded;
        marker.carried = vec![("k".into(), "1".into())];
        assert_eq!(marker.identity(true, names), plain);
        assert_eq!(
            marker.identity(false, names),
            identity("add", None, &none, names)
        );
    }

    #[test]
    fn a_tier_nobody_knows_is_kept_m14() {
        assert_eq!(Tier::parse("frozen").name(), "frozen");
        assert_eq!(Tier::parse(""), Tier::Other(String::new()));
        assert_eq!(Tier::parse("owned"), Tier::Owned);
        assert_eq!(Tier::parse("seeded"), Tier::Seeded);
    }
}
