//! What is said about a fault: where it is, which rule it breaks, what would mend it.
//!
//! A [`Source`] is a file's name and text, a [`Span`] a byte range in it. A [`Finding`] is what phase 0 says about a
//! package, with a stable rule slug; a [`Problem`] is what any other phase says, which has no slug of its own unless
//! it is a violation. Rendering lies apart from both: nothing here prints.

pub mod finding;
pub mod rule;
pub mod shown;
pub mod source;

pub use finding::{Finding, Label, Place, Problem, Severity};
pub use rule::Rule;
pub use shown::{Shown, listed, nearest, printable, printable_json, quoted, shown};
pub use source::{Source, Span};
