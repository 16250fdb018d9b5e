//! `sedum.yaml` (section 3), in a package whose other files are sound.

use tempfile::TempDir;

use super::{input, loom, package};

/// The other files need nothing that a manifest declares but a comment prefix.
const FILES: &[(&str, &str)] = &[
    (
        "actions/actions.yaml",
        "actions:\n  add:\n    kwargs: { key: { type: string, required: true } }\n    injects_into: \"{{key|snake}}.x\"\n    anchor: here\n",
    ),
    ("actions/add.x", "{{key|upper}}\n"),
    ("files/src/{stem}_unit.x", "{{stem|pascal}}\n"),
];

thread_local! {
    /// Gone when the thread is.
    static WORLD: TempDir = loom::world(FILES);
}

/// Reads the input as the manifest.
pub fn check(data: &[u8]) {
    let Some(text) = input::text(data, 1 << 13) else {
        return;
    };
    WORLD.with(|world| package::holds(world.path(), "sedum.yaml", &text));
}
