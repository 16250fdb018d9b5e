//! Phase 1: record files become records, each with the paths it authorises.
//!
//! It decides which files are records, what each of them says, whether what it says can be meant, and which paths the
//! records of a run authorise and forbid. It writes nothing (R4), consults no output tree and no package, and reads no
//! field that belongs to the governance tool alone (R2, R3).
//!
//! [`ingest`] is the way in. `files` finds the record files of a directory, `read` and `scopes` turn one of them into a
//! [`Record`], `ingest` holds the records against each other; [`model`] is what comes out.

mod files;
mod ingest;
pub mod model;
mod read;
mod scopes;
mod set;

pub use ingest::{IngestError, Ingested, ingest};
pub use model::{Record, RecordPath};
pub use set::{RecordSet, Unauthorised};
