//! The template language: text with `{{name|transform}}` references (T1-T10).
//!
//! A template is parsed once, at load, into literal pieces and references whose transforms are resolved; rendering
//! walks the pieces. One renderer serves file templates, action templates and path patterns (T7). Nothing here knows
//! what a template is for.

mod compile;
mod grammar;
mod render;

pub use compile::{CompileFault, Reference, Template, compile};
pub use grammar::is_identifier;
pub use render::{RenderFault, Scope, operand};
