//! A small package for an invented target, on disk: what the oracles that load packages start from.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

/// The package.
pub const FILES: &[(&str, &str)] = &[
    ("sedum.yaml", MANIFEST),
    ("actions/actions.yaml", ACTIONS),
    (
        "actions/addThread.loom",
        "thread {{colour|lower}} x{{count}}\n",
    ),
    ("actions/addPick/plain.loom", "  pick {{name}}\n"),
    (
        "actions/addPick/_default.loom",
        "  pick {{name}} as {{kind}}\n",
    ),
    ("actions/topEdge.loom", "edge of {{cloth|title}}\n"),
    (
        "actions/bottomEdge.loom",
        "knots {{knots|join:, }} by {{mill}}\n",
    ),
    ("actions/addNote.loom", "  {{text}}\n"),
    (
        "files/cloth/{name}.loom",
        "cloth {{name|title}} at {{mill}}\n-- sedum:anchor:threads\n\nbegin\n  -- sedum:anchor:picks\n  -- sedum:anchor:picks_end\nend\n",
    ),
    ("files/_default.loom", "plain {{mill}}\n"),
];

/// Its manifest.
pub const MANIFEST: &str = r#"name: loom
extensions: [.loom]
comment_prefix: "--"
transforms:
  ident: [singular, snake]
  title: [pascal]
op_exceptions:
  pascal: { xl: XL }
unmanaged: [legacy/, "*.lock"]
test_paths: [trials/]
variables:
  mill: { description: the mill that weaves it, default: North Mill }
"#;

/// Its actions.
pub const ACTIONS: &str = r#"actions:
  addThread:
    description: Adds a thread to a cloth.
    kwargs:
      cloth: &cloth { type: string, required: true }
      colour: { type: string, required: true, description: "Its colour." }
      count: { type: int, required: false, default: 1 }
    injects_into: "cloth/{{cloth|ident}}.loom"
    anchor: threads
  addPick:
    kwargs:
      cloth: *cloth
      name: { type: string, required: true }
      kind: { type: string, required: true }
    discriminator: kind
    variants: [plain]
    identity: [cloth, name]
    injects_into: "cloth/{{cloth|ident}}.loom"
    anchor: region
    anchor_start: picks
    anchor_end: picks_end
  addEdges: { composes: [topEdge, bottomEdge] }
  topEdge: &edge
    kwargs: { cloth: *cloth }
    injects_into: "cloth/{{cloth|ident}}.loom"
    anchor: start_of_file
    exposed: false
  bottomEdge:
    <<: *edge
    kwargs:
      cloth: *cloth
      knots: { type: list, required: false, default: [left, right] }
    anchor: end_of_file
  addNote:
    kwargs:
      cloth: *cloth
      text: { type: literal, required: true }
    identity: [cloth]
    tier: seeded
    injects_into: "cloth/{{cloth}}.loom"
    anchor: after_match
    anchor_pattern: '(?m)^begin$'
"#;

/// A folder, in memory where there is one, with these files in `gen/loom`.
pub fn world(files: &[(&str, &str)]) -> TempDir {
    let memory = Path::new("/dev/shm");
    let mut named = tempfile::Builder::new();
    named.prefix("sedum-fuzz-");
    let made = if memory.is_dir() {
        named.tempdir_in(memory)
    } else {
        named.tempdir()
    };
    let dir = made.expect("a folder");
    for (path, text) in files {
        write(dir.path(), path, text);
    }
    dir
}

/// Writes a file of the package.
pub fn write(dir: &Path, path: &str, text: &str) {
    let path = dir.join("gen/loom").join(path);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder is made");
    fs::write(path, text).expect("a file is written");
}
