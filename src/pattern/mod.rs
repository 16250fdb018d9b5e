//! The pattern machines: what a path may be, which paths a pattern means, and where in a text an expression is found.
//!
//! Four small languages live here, one file each, because they are four contracts that must not leak into each other:
//!
//! - [`path`]: the rules a path itself is held to, its cleaned form, and when two spellings are one file;
//! - [`scope`]: scope entries (`**`, `*`, `?`, `[...]`), which authorise, forbid, disown and mark as tests;
//! - [`mod@file`]: file-template paths (`{capture}`, `*`), their matching, ranking and overlap;
//! - [`anchor`]: the regular expressions of `anchor_pattern`.
//!
//! `segment` is what the two path languages share: one path segment seen as a row of characters and stars. Everything is
//! compiled once, from text, and is pure afterwards; every match is polynomial in pattern and text (Y33). Nothing here
//! reads a file, knows a package or a record, or imports another module of the crate.

pub mod anchor;
pub mod file;
pub mod path;
pub mod scope;
mod segment;
