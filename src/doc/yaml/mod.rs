//! Reads YAML 1.2 (core schema) with the place of every value, and every fault of a document in one pass.
//!
//! It decides nothing about what a document means: which keys there may be is its reader's business. This folder is all
//! that knows the YAML library.
//!
//! The way of a text: `reader` turns the library's events into a flat list of `item`s, in which an alias is the number
//! of the item that it stands for; `anchors` keeps count of what the aliases would add, and only when that is within
//! the budget (X36) does `tree` make the list a tree, with `merge` for the merge keys. On the way, `tags` judges tags,
//! `spans` finds the places that the library does not tell, `words` says what is wrong with a text that is no YAML,
//! and `faults` gathers whatever is found.

mod anchors;
mod faults;
mod item;
mod merge;
mod reader;
mod spans;
mod tags;
#[cfg(test)]
mod tests;
mod tree;
mod words;

pub use spans::part_span;

use super::node::{Fault, Node};
use crate::work::{self, Work};
use item::is_empty;
use reader::Reader;
use tree::Builder;

/// What a YAML text holds.
#[derive(Clone, Debug)]
pub struct Parsed<'a> {
    /// The first document's value: `None` for an empty document (L15), and for one that cannot be read.
    pub root: Option<Node<'a>>,
    /// What is wrong, in the order of the text; of very many faults the last says that there are more.
    pub faults: Vec<Fault>,
}

/// Reads a YAML text. Faults (L14, L14a, X36): a syntax error, a repeated key, a key that is no text, an unknown tag,
/// an alias without anchor, aliases that expand too far, nesting that is too deep, a second document. After a syntax
/// error, or one that leaves the value unknown, there is no root.
pub fn parse(text: &str) -> Parsed<'_> {
    work::done(Work::YamlParsed);
    let (items, mut faults) = Reader::new(text).read();
    let has_value = !faults.is_broken() && !is_empty(&items);
    let root = has_value.then(|| Builder::new(items, &mut faults).root());
    Parsed {
        root,
        faults: faults.in_order(),
    }
}
