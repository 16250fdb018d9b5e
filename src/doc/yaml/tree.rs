//! The flat list of items becomes a tree: aliases are expanded, repeated keys reported (L14), merge keys resolved.
//!
//! The list is walked from front to back, and from elsewhere once for each alias. That the tree is neither too deep nor
//! too large has been made sure of before (X36).

use std::borrow::Cow;

use super::super::node::{Entry, Kind, Node, Style, settle_keys};
use super::faults::Faults;
use super::item::{Item, What};
use super::merge::merge;
use crate::diag::Span;

/// How a part of the list of items is made into a tree.
#[derive(Clone, Copy, Default)]
struct Mode {
    /// An alias may want the same items again, so their text stays where it is.
    keeps: bool,
    /// Faults stay unsaid: they have been reported at the value that an alias stands for, or the whole is thrown away.
    is_silent: bool,
}

/// A tree while it is made.
pub(super) struct Builder<'a, 'f> {
    items: Vec<Item<'a>>,
    /// The item that comes next.
    at: usize,
    faults: &'f mut Faults,
}

impl<'a, 'f> Builder<'a, 'f> {
    /// `items` must be the whole list of a document.
    pub(super) fn new(items: Vec<Item<'a>>, faults: &'f mut Faults) -> Self {
        let at = 0;
        Self { items, at, faults }
    }

    /// The tree of the document.
    pub(super) fn root(mut self) -> Node<'a> {
        self.node(Mode::default())
    }

    /// The tree of the next item. The recursion goes no deeper than the depth that a document may have, aliases
    /// included.
    fn node(&mut self, mut mode: Mode) -> Node<'a> {
        let Some(item) = self.items.get_mut(self.at) else {
            return Node {
                span: Span::default(),
                kind: Kind::List(Vec::new()),
            };
        };
        self.at += 1;
        let span = item.span;
        mode.keeps |= item.anchored;
        let kind = match &mut item.what {
            What::Scalar(text, style) => Kind::Scalar {
                style: *style,
                text: taken(text, mode),
            },
            What::List(items) => {
                let items = *items;
                Kind::List((0..items).map(|_| self.node(mode)).collect())
            }
            What::Map(children) => {
                let pairs = *children / 2;
                Kind::Map(self.map(pairs, mode))
            }
            What::Alias(target) => {
                let target = *target;
                self.copy(target).kind
            }
        };
        Node { span, kind }
    }

    /// The tree of an item elsewhere, which may be wanted again.
    fn copy(&mut self, target: usize) -> Node<'a> {
        let next = std::mem::replace(&mut self.at, target);
        let copy = self.node(Mode {
            keeps: true,
            is_silent: true,
        });
        self.at = next;
        copy
    }

    fn map(&mut self, pairs: usize, mode: Mode) -> Vec<Entry<'a>> {
        let mut entries = Vec::with_capacity(pairs);
        let mut merge_key = None;
        for _ in 0..pairs {
            let key = self.key(mode);
            let value = self.node(mode);
            let Some((key, style, key_span)) = key else {
                continue;
            };
            if key == "<<" && style == Style::Plain {
                merge_key = Some(key_span);
            }
            entries.push(Entry {
                key,
                key_span,
                value,
            });
        }
        let mut faults = (!mode.is_silent).then_some(&mut *self.faults);
        match &mut faults {
            Some(faults) => settle_keys(&mut entries, faults.list()),
            None => settle_keys(&mut entries, &mut Vec::new()),
        }
        if let Some(place) = merge_key {
            merge(&mut entries, place, faults);
        }
        entries
    }

    /// The next item as a key; none when it is no scalar, which has been reported when it was read.
    fn key(&mut self, mut mode: Mode) -> Option<(Cow<'a, str>, Style, Span)> {
        let item = self.items.get_mut(self.at)?;
        let span = item.span;
        mode.keeps |= item.anchored;
        match &mut item.what {
            What::Scalar(text, style) => {
                self.at += 1;
                Some((taken(text, mode), *style, span))
            }
            What::Alias(target) => {
                let target = *target;
                self.at += 1;
                match &self.items.get(target)?.what {
                    What::Scalar(text, style) => Some((text.clone(), *style, span)),
                    _ => None,
                }
            }
            What::List(_) | What::Map(_) => {
                mode.is_silent = true;
                self.node(mode);
                None
            }
        }
    }
}

fn taken<'a>(text: &mut Cow<'a, str>, mode: Mode) -> Cow<'a, str> {
    if mode.keeps {
        text.clone()
    } else {
        std::mem::take(text)
    }
}
