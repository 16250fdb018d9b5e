//! A document as a flat list in the order of the text: what the reader leaves behind and the tree is made of.
//!
//! A list or a map is followed by all that is inside it, and knows how many of these are its own; so the list can be
//! walked from front to back, or from any item that an alias names. An item is kept small, as there is one for every
//! value of the document.

use std::borrow::Cow;

use super::super::node::Style;
use crate::diag::Span;

/// A value or a key.
pub(super) struct Item<'a> {
    pub span: Span,
    pub what: What<'a>,
    /// Whether an alias may refer to it.
    pub anchored: bool,
}

/// What an [`Item`] is.
pub(super) enum What<'a> {
    Scalar(Cow<'a, str>, Style),
    /// A list of so many items.
    List(usize),
    /// A map of so many keys and values, which take turns.
    Map(usize),
    /// The index of the item that an alias stands for.
    Alias(usize),
}

/// So many bytes of a scalar weigh as much as one more value.
const BYTES_A_VALUE: u64 = 32;

impl What<'_> {
    /// How much this weighs in the budget for aliases, without what is inside it or what it stands for.
    pub(super) fn own_weight(&self) -> u64 {
        match self {
            What::Scalar(text, _) => 1 + text.len() as u64 / BYTES_A_VALUE,
            _ => 1,
        }
    }
}

/// Whether a document has no value at all: no text, or nothing but `---` and comments (L15).
pub(super) fn is_empty(items: &[Item<'_>]) -> bool {
    match items {
        [] => true,
        [only] => {
            !only.anchored
                && matches!(&only.what, What::Scalar(text, Style::Plain) if text.is_empty())
        }
        _ => false,
    }
}
