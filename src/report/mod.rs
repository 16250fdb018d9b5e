//! What commands say: data to text, and nothing else. Nothing here prints.

pub mod catalog;
pub mod failure;
pub mod grow;
pub mod resolve;
pub mod targets;
pub mod validate;
