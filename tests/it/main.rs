//! The black-box suite: the built program with files in, arguments, and whole outputs and files out.
//!
//! One module a command, and one each for the fixture packages, the reconciliation corpus, the two published corpora and
//! the properties. `run` starts the program in a folder of its own with a scrubbed environment; `loom` is a small package
//! for an invented target that most tests start from and change. Rules are cited by their ids.

#![allow(
    clippy::expect_used,
    clippy::needless_pass_by_value,
    clippy::panic,
    clippy::unwrap_used
)]

mod actions;
mod attacks;
mod bounds;
mod cli;
mod conformance;
mod corpus;
#[cfg(unix)]
mod crashes;
mod fidelity;
mod fixtures;
mod free_targets;
mod fuzz_seeds;
mod grow;
mod loom;
#[cfg(all(unix, target_arch = "x86_64"))]
mod memory;
mod properties;
mod reconcile;
mod records;
mod render;
mod replay;
mod resolve;
mod run;
mod terminal;
mod validate;
