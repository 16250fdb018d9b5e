//! What the anchors of a document stand for, and how far its aliases may make it grow (X36).
//!
//! It knows sizes only: what an alias expands to is taken from the list of items, by `tree`.

use std::collections::HashMap;

use super::super::node::Fault;
use super::faults::Faults;
use super::item::Item;
use crate::diag::Span;

/// How many times its own weight a document may grow by its aliases, and how much a small one may grow besides.
const ALIAS_FACTOR: u64 = 10;
const ALIAS_ALLOWANCE: u64 = 10_000;
/// The most that aliases may add to any document.
const ALIAS_LIMIT: u64 = 1_000_000;

/// A value that aliases may stand for, read to its end.
#[derive(Clone, Copy)]
pub(super) struct Anchored {
    /// Its index in the list of items.
    pub item: usize,
    /// What it measures.
    pub size: Size,
}

/// The measures of a value with every alias inside it expanded.
#[derive(Clone, Copy)]
pub(super) struct Size {
    /// How much it weighs: 1 for each value, and more for long text.
    pub weight: u64,
    /// How many levels of lists and maps it makes, itself included.
    pub height: usize,
}

/// The anchors of a document, and what its aliases made of them so far.
#[derive(Default)]
pub(super) struct Anchors {
    /// By the parser's numbers; a value that is not read to its end is not here yet.
    known: HashMap<usize, Anchored>,
    heaviest_alias: Option<(u64, Span)>,
}

impl Anchors {
    /// Notes a value that is read to its end. `anchor` is the parser's number, 0 for a value without an anchor.
    pub(super) fn note(&mut self, anchor: usize, item: usize, size: Size) {
        if anchor != 0 {
            self.known.insert(anchor, Anchored { item, size });
        }
    }

    /// What the alias at `span` stands for; none when it stands inside of that.
    pub(super) fn follow(&mut self, anchor: usize, span: Span) -> Option<Anchored> {
        let found = *self.known.get(&anchor)?;
        let weight = found.size.weight;
        if self.heaviest_alias.is_none_or(|(most, _)| weight > most) {
            self.heaviest_alias = Some((weight, span));
        }
        Some(found)
    }

    /// Refuses a document that its aliases would make far larger than it is (X36). `expanded` is its weight with every
    /// alias expanded.
    pub(super) fn check_budget(&self, items: &[Item<'_>], expanded: u64, faults: &mut Faults) {
        let Some((_, span)) = self.heaviest_alias else {
            return;
        };
        let own: u64 = items.iter().map(|item| item.what.own_weight()).sum();
        let allowed = own
            .saturating_mul(ALIAS_FACTOR)
            .saturating_add(ALIAS_ALLOWANCE)
            .min(ALIAS_LIMIT);
        if expanded.saturating_sub(own) > allowed {
            faults.fail(Fault::new(
                span,
                "the aliases make the document too large to read",
            ));
        }
    }
}
