//! What `render` says (U19).

use std::fmt::Write as _;

use serde::Serialize;

use crate::diag::shown;

/// Where an invocation would land.
#[derive(Debug, Serialize)]
pub struct Targets {
    /// The package.
    pub package: String,
    /// The action that was asked for.
    pub action: String,
    /// One entry a region, a composite's children in order.
    pub targets: Vec<Target>,
}

/// One target.
#[derive(Debug, Serialize)]
pub struct Target {
    /// The simple or discriminated action.
    pub action: String,
    /// Its target pattern, as authored.
    pub injects_into: String,
    /// The path that it renders to.
    pub path: String,
}

impl Targets {
    /// One line of JSON.
    pub fn json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The path of each target, and under it the action and the pattern.
    pub fn text(&self) -> String {
        let mut out = String::new();
        for target in &self.targets {
            let _ = writeln!(out, "{}", shown(&target.path));
            let _ = writeln!(
                out,
                "  {} injects into {}",
                shown(&target.action),
                shown(&target.injects_into)
            );
        }
        out
    }
}
