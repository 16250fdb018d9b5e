//! The faults of one document while it is read: how many are kept, in what order, and whether a value is left.
//!
//! What is a fault, and what is said about it, is decided where it is found.

use super::super::DEPTH_LIMIT;
use super::super::node::{FAULT_LIMIT, Fault};
use crate::diag::Span;

/// What is wrong with a document, as far as it has been read.
#[derive(Default)]
pub(super) struct Faults {
    list: Vec<Fault>,
    broken: bool,
}

impl Faults {
    /// Adds a fault that leaves the document's value known.
    pub(super) fn report(&mut self, fault: Fault) {
        if self.list.len() < FAULT_LIMIT {
            self.list.push(fault);
        }
    }

    /// Adds a fault after which the document's value cannot be known.
    pub(super) fn fail(&mut self, fault: Fault) {
        self.broken = true;
        self.report(fault);
    }

    /// Adds the fault of a document that nests too deep at `span` (X36).
    pub(super) fn too_deep(&mut self, span: Span) {
        self.fail(Fault::new(
            span,
            format!("nested deeper than {DEPTH_LIMIT} levels"),
        ));
    }

    /// Whether the document's value cannot be known.
    pub(super) fn is_broken(&self) -> bool {
        self.broken
    }

    /// The list itself, for what keeps to [`FAULT_LIMIT`] on its own.
    pub(super) fn list(&mut self) -> &mut Vec<Fault> {
        &mut self.list
    }

    /// All faults in the order of the text; when they are too many to be kept, the last says so (X37).
    pub(super) fn in_order(self) -> Vec<Fault> {
        let mut list = self.list;
        list.sort_by_key(|fault| fault.span);
        if list.len() >= FAULT_LIMIT
            && let Some(last) = list.last().map(|fault| fault.span)
        {
            let message = format!("too many faults: only {FAULT_LIMIT} are told");
            list.push(Fault::new(last, message));
        }
        list
    }
}
