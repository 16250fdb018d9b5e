//! YAML and JSON documents as one tree with places.
//!
//! Two readers, [`yaml`] and [`json`], give the same [`Node`]; [`Fields`] reads a map by named fields and reports
//! what is left over. [`input`] brings in the text of one file, for those whose documents stand alone. Whoever may have
//! to blame a value keeps its span. What a document means is its reader's business: nothing here knows packages, records
//! or recordings.

pub mod fields;
pub mod input;
pub mod json;
pub mod node;
pub mod yaml;

pub use fields::Fields;
pub use node::{Entry, Fault, Kind, Node, Reading, Style};

/// The largest YAML or JSON input, in bytes (X36).
pub const INPUT_LIMIT: u64 = 16 * 1024 * 1024;
/// The deepest nesting of a document (X36).
pub const DEPTH_LIMIT: usize = 128;
