//! Sedum's internals. This library exists for the `sedum` program and for its tests, benches and fuzzing; it gives no
//! promise of stability, and nothing else should link against it (P9).
//!
//! A run goes through seven phases. Each is a function from what came before to one value, and that value is all that
//! the next phases get:
//!
//! | phase | module | takes | gives |
//! |---|---|---|---|
//! | 0 load | [`genpkg`] | the generators directory | [`genpkg::PackageSet`], findings |
//! | 1 ingest | [`record`] | the records directory | [`record::RecordSet`] |
//! | 2 resolve | [`resolve`] | packages, records | [`resolve::Resolved`] for each record |
//! | 3 create | [`resolve::create`] | resolved records, variables | edits in a [`tree::Tree`], planted anchors |
//! | 4 select, 5 validate | [`selection`] | the above | judged invocations |
//! | 6 expand | [`expand`] | invocations | [`expand::Injection`]s |
//! | 7 inject | [`inject`] | injections | more edits in the same tree |
//!
//! [`pipeline`] puts them in order and commits the tree once. [`recording`] is what a run decided, as a file: a replay
//! starts from it and joins the same road at phase 3. Below the phases stand machines that know none of them:
//! [`marker`], [`template`], [`transform`], [`pattern`], [`tree`], [`doc`], [`diag`], [`value`]. Above them stand
//! [`cli`] and [`report`], the only ones that print.

pub mod cli;
pub mod diag;
pub mod doc;
pub mod expand;
pub mod genpkg;
pub mod inject;
pub mod invocation;
pub mod marker;
mod parallel;
pub mod pattern;
pub mod pipeline;
mod platform;
pub mod record;
pub mod recording;
pub mod report;
pub mod resolve;
pub mod runlog;
pub mod schemas;
pub mod selection;
pub mod template;
pub mod transform;
pub mod tree;
pub mod value;
mod work;

/// The version that `--version` prints and a recording carries (J8).
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
