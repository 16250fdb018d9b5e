//! What a tag makes of a value, and which tags there are (L14a).
//!
//! The tags of the core schema count where they fit what they stand before; every other one is a fault. The value
//! itself is never changed.

use granit_parser::Tag;

use super::super::node::{Fault, Reading, Style, read_plain};
use super::faults::Faults;
use super::spans::span_of;
use crate::diag::{Span, quoted, shown};

/// The style that a tag gives a scalar written in `style`; a tag that is unknown or does not fit is a fault.
pub(super) fn style(
    text: &str,
    style: Style,
    tag: Option<&Tag>,
    place: &granit_parser::Span,
    faults: &mut Faults,
) -> Style {
    let Some(tag) = tag else {
        return style;
    };
    if tag.parts() == ("", "!") {
        return Style::Quoted;
    }
    let fits = match tag.core_suffix() {
        Some("str") => return Style::Quoted,
        Some("null") => read_plain(text) == Reading::Null,
        Some("bool") => matches!(read_plain(text), Reading::Bool(_)),
        Some("float") => read_plain(text) == Reading::Number,
        Some("int") => {
            let is_based = text.starts_with("0x") || text.starts_with("0o");
            read_plain(text) == Reading::Number && (is_based || !text.contains(['.', 'e', 'E']))
        }
        Some(_) => false,
        None => {
            faults.report(unknown(tag, place));
            return style;
        }
    };
    if fits {
        return Style::Plain;
    }
    faults.report(misfit(tag, place, &format!("the text {}", quoted(text))));
    style
}

/// Judges the tag of a list or a map; `own` is the suffix of the one core tag that fits it.
pub(super) fn check_collection(
    tag: Option<&Tag>,
    own: &str,
    place: &granit_parser::Span,
    faults: &mut Faults,
) {
    let Some(tag) = tag else {
        return;
    };
    match tag.core_suffix() {
        Some(suffix) if suffix == own => {}
        None if tag.parts() == ("", "!") => {}
        None => faults.report(unknown(tag, place)),
        Some(_) => {
            let what = if own == "seq" { "a list" } else { "a map" };
            faults.report(misfit(tag, place, what));
        }
    }
}

fn unknown(tag: &Tag, place: &granit_parser::Span) -> Fault {
    let message = format!("unknown tag {}", quoted(&tag.original()));
    Fault::new(tag_place(place), message)
        .help("remove it; text that begins with ! stands in quotes")
}

fn misfit(tag: &Tag, place: &granit_parser::Span, what: &str) -> Fault {
    let tag = shown(&tag.original());
    Fault::new(
        tag_place(place),
        format!("the tag {tag} does not fit {what}"),
    )
}

fn tag_place(place: &granit_parser::Span) -> Span {
    span_of(&place.tag_span().unwrap_or(*place))
}
