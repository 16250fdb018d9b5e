//! A map read by named fields; what is left over is reported.

use std::fmt;

use crate::diag::nearest;

use super::node::{Entry, Fault, Node};

/// The fields of one map while it is being read. Every fault goes to one list, so that none hides another (L5).
pub struct Fields<'n, 'a, 'f> {
    entries: &'n [Entry<'a>],
    asked: Vec<&'static str>,
    /// Where faults go.
    pub faults: &'f mut Vec<Fault>,
}

impl<'n, 'a, 'f> Fields<'n, 'a, 'f> {
    /// The fields of `node`; when it is no map that is a fault, and there are none.
    pub fn of(node: &'n Node<'a>, what: impl fmt::Display, faults: &'f mut Vec<Fault>) -> Self {
        let entries = node.map().unwrap_or_else(|| {
            faults.push(Fault::new(
                node.span,
                format!("{what} must be a map, found {}", node.described()),
            ));
            &[]
        });
        Self {
            entries,
            asked: Vec::new(),
            faults,
        }
    }

    /// The entry of a field, when it is there, null or not.
    pub fn entry(&mut self, name: &'static str) -> Option<&'n Entry<'a>> {
        self.asked.push(name);
        self.entries.iter().find(|entry| entry.key == name)
    }

    /// The value of a field; null counts as left out.
    pub fn value(&mut self, name: &'static str) -> Option<&'n Node<'a>> {
        self.entry(name)
            .map(|entry| &entry.value)
            .filter(|value| !value.is_null())
    }

    /// The value of a field as it is written, null included.
    pub fn raw(&mut self, name: &'static str) -> Option<&'n Node<'a>> {
        self.entry(name).map(|entry| &entry.value)
    }

    /// A field of text; null is a fault (L14a).
    pub fn text(&mut self, name: &'static str) -> Option<(&'n str, &'n Node<'a>)> {
        let node = self.raw(name)?;
        match node.text() {
            Ok(text) => Some((text, node)),
            Err(fault) => {
                self.faults.push(named(name, fault));
                None
            }
        }
    }

    /// A field of text; null counts as left out.
    pub fn optional_text(&mut self, name: &'static str) -> Option<(&'n str, &'n Node<'a>)> {
        if self.raw(name)?.is_null() {
            return None;
        }
        self.text(name)
    }

    /// A field that is `true` or `false`; null counts as left out.
    pub fn boolean(&mut self, name: &'static str) -> Option<bool> {
        match self.value(name)?.boolean() {
            Ok(value) => Some(value),
            Err(fault) => {
                self.faults.push(named(name, fault));
                None
            }
        }
    }

    /// A field that is a list; null counts as left out.
    pub fn list(&mut self, name: &'static str) -> Option<&'n [Node<'a>]> {
        let node = self.value(name)?;
        if node.list().is_none() {
            self.faults.push(named(name, node.mismatch("a list")));
        }
        node.list()
    }

    /// A field that is a list of text, each with its node; null counts as left out. Faulty members are reported and
    /// passed over.
    pub fn texts(&mut self, name: &'static str) -> Option<Vec<(&'n str, &'n Node<'a>)>> {
        let items = self.list(name)?;
        let mut texts = Vec::with_capacity(items.len());
        for item in items {
            match item.text() {
                Ok(text) => texts.push((text, item)),
                Err(fault) => self.faults.push(named(name, fault)),
            }
        }
        Some(texts)
    }

    /// A field that is a map; null counts as an empty one.
    pub fn map(&mut self, name: &'static str) -> Option<&'n [Entry<'a>]> {
        let node = self.value(name)?;
        if node.map().is_none() {
            self.faults.push(named(name, node.mismatch("a map")));
        }
        node.map()
    }

    /// Reports every key that nobody asked for (L13). `what` names the owner: `sedum.yaml`, `action "addOne"`.
    pub fn finish(self, what: impl fmt::Display) {
        for entry in self.entries {
            if self.asked.iter().any(|name| entry.key == *name) {
                continue;
            }
            let mut known = self.asked.clone();
            known.sort_unstable();
            known.dedup();
            let fault = Fault::new(
                entry.key_span,
                format!("unknown key {} in {what}", crate::diag::quoted(&entry.key)),
            );
            // A text with a comma in it that stands in { } falls apart into keys without a colon.
            let bare = entry.value.is_null() && entry.value.span.start == entry.key_span.end;
            self.faults
                .push(match nearest(&entry.key, known.iter().copied()) {
                    Some(name) => fault.help(format!("did you mean \"{name}\"?")),
                    None if bare => fault.help("put a text that holds a comma in quotes"),
                    None => fault.help(format!("the keys are {}", crate::diag::listed(known))),
                });
        }
    }
}

fn named(name: &str, fault: Fault) -> Fault {
    Fault {
        message: format!("{name}: {}", fault.message),
        ..fault
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doc::yaml;

    fn helps(text: &str) -> Vec<String> {
        let parsed = yaml::parse(text);
        let root = parsed.root.unwrap();
        let mut faults = Vec::new();
        let mut fields = Fields::of(&root, "it", &mut faults);
        fields.text("description");
        fields.finish("it");
        faults.into_iter().filter_map(|fault| fault.help).collect()
    }

    #[test]
    fn a_text_that_fell_apart_at_its_comma_is_told_from_a_key_l13() {
        let comma = "put a text that holds a comma in quotes";
        assert_eq!(helps("{description: get, post or put}"), [comma]);
        assert_eq!(
            helps("description: x\nother:\n"),
            ["the keys are description"]
        );
        let near = "did you mean \"description\"?";
        assert_eq!(helps("{description: x, descripton: y}"), [near]);
    }
}
