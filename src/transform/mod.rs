//! Transforms: what `|name` steps of a template do to a value.
//!
//! A tour, in the order a value travels:
//! - [`operation`] declares the built-in operations, once, and carries out each of them;
//! - `declared` checks a package's pipelines and exception tables, [`faults`] says what is wrong;
//! - [`engine`] is the vocabulary made of them: it resolves the steps of a reference and applies
//!   them;
//! - [`words`] splits identifiers into words and maps letter case;
//! - [`inflection`] knows singular and plural from an embedded table of English.
//!
//! The machine imports nothing else of the crate (X2): callers bring values as [`Operand`]s and
//! put their own places and names around the faults they get back. It reads no file, and it keeps
//! no state besides the inflection table, which is immutable and built at its first use.

mod declared;
pub mod engine;
pub mod faults;
pub mod inflection;
pub mod operation;
pub mod words;

pub use declared::split_step;
pub use engine::{Engine, Forms, Operand};
pub use faults::{ApplyFault, EngineFault, EngineWhere, StepFault};
pub use operation::{Operation, Step};
