//! Phase 0: a generators directory to a [`PackageSet`] and findings.
//!
//! A package is taken whole or not at all (L4), and all its findings come out in one pass (L5). Everything is
//! compiled here: templates, patterns, regular expressions, transforms; later phases read no package file (L32).
//! Loading looks at nothing but the generators directory (L9).

mod actions;
mod checks;
mod composites;
mod files;
mod filetemplates;
mod findings;
mod load;
mod manifest;
pub mod model;
mod templates;
mod vocabulary;

pub(crate) use actions::KEYS as ACTION_KEYS;
pub use checks::unfit_for_label;
pub(crate) use composites::ALLOWED as COMPOSITE_KEYS;
pub use load::{LoadError, Loaded, Verdict, load};
pub(crate) use model::{ANCHOR_COMPANIONS, ANCHOR_KINDS, companions_of};
pub use model::{
    Action, ActionKind, Anchor, Body, FALLBACK, FileTemplate, Kwarg, KwargType, Package,
    PackageSet, Single, Variable,
};
