//! One oracle a target: what must hold for any input at all, beyond that nothing panics.
//!
//! Each `check` takes bytes and panics when the product is wrong. Two drivers call them: the fuzz targets beside this
//! folder, and the fixed pass of the main crate's test suite. They use nothing but the crate's public face.

pub mod actions;
pub mod anchor;
pub mod decode;
pub mod inject;
pub mod input;
pub mod json;
pub mod loom;
pub mod manifest;
pub mod marker;
mod package;
pub mod patterns;
pub mod reconcile;
pub mod recording;
pub mod seeds;
pub mod template;
mod world;

use std::cell::Cell;
use std::path::Path;

thread_local! {
    static REACHED: Cell<usize> = const { Cell::new(0) };
}

/// Counts an input that got through to the last thing that its oracle holds.
fn reach() {
    REACHED.set(REACHED.get() + 1);
}

/// How many inputs of this thread got through to the end: an oracle that refuses everything holds nothing.
pub fn reached() -> usize {
    REACHED.get()
}

/// A fuzz target.
#[derive(Clone, Copy)]
pub struct Target {
    /// Its name, that of its file in `fuzz_targets` and of its folders of inputs.
    pub name: &'static str,
    /// What it checks.
    pub check: fn(&[u8]),
    /// Inputs to start from, made of the repository's test data.
    pub seeds: fn(&Path) -> Vec<Vec<u8>>,
}

/// Every target.
pub const TARGETS: [Target; 10] = [
    Target {
        name: "manifest",
        check: manifest::check,
        seeds: seeds::manifest,
    },
    Target {
        name: "actions",
        check: actions::check,
        seeds: seeds::actions,
    },
    Target {
        name: "template",
        check: template::check,
        seeds: seeds::template,
    },
    Target {
        name: "patterns",
        check: patterns::check,
        seeds: seeds::patterns,
    },
    Target {
        name: "anchor",
        check: anchor::check,
        seeds: seeds::anchor,
    },
    Target {
        name: "marker",
        check: marker::check,
        seeds: seeds::marker,
    },
    Target {
        name: "reconcile",
        check: reconcile::check,
        seeds: seeds::reconcile,
    },
    Target {
        name: "inject",
        check: inject::check,
        seeds: seeds::inject,
    },
    Target {
        name: "recording",
        check: recording::check,
        seeds: seeds::recording,
    },
    Target {
        name: "decode",
        check: decode::check,
        seeds: seeds::decode,
    },
];
