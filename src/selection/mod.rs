//! Phases 4 and 5: which actions a record may invoke, and whether an answer invokes them rightly.
//!
//! [`catalog`] says what there is to choose from; [`validate`] is the one validator, for a model's answer and for a
//! recording alike (J18).

pub mod catalog;
pub mod validate;
pub mod violation;

pub use catalog::Catalog;
pub use validate::{Judge, Judged};
pub use violation::Violation;
