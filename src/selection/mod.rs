//! Phases 4 and 5: which actions a record may invoke, what a model selects, and whether a selection is right.
//!
//! [`catalog`] says what there is to choose from, [`narrow`] leaves out what cannot reach a record's files, [`prompt`]
//! puts the question, [`client`] asks it, [`decode`] reads the answer. [`validate`] is the one validator, for a model's
//! answer and for a recording alike (J18), [`mend`] what a re-prompt proposes. [`converse`] is the loop around them: re-prompts, and the one question of
//! [`completeness`].

pub mod catalog;
pub mod client;
pub mod completeness;
pub mod converse;
pub mod decode;
pub mod mend;
pub mod narrow;
pub mod prompt;
pub mod schema;
pub mod validate;
pub mod violation;

pub use catalog::Catalog;
pub use validate::{Judge, Judged};
pub use violation::Violation;
