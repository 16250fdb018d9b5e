//! What commands say: data to text, and nothing else. Nothing here prints.

pub mod catalog;
pub mod diff;
pub mod explain;
pub mod failure;
pub mod findings;
pub mod grow;
pub mod json;
pub mod progress;
pub mod resolve;
pub mod targets;
