//! A package for an invented target, patterns of cloth, with one action of every kind; and recordings for it.

use serde_json::{Value, json};

use crate::run::Run;

/// The package, in `gen/loom`.
pub const FILES: &[(&str, &str)] = &[
    (
        "gen/loom/sedum.yaml",
        r#"name: loom
extensions: [.loom]
comment_prefix: "--"
transforms:
  ident: [singular, snake]
  title: [pascal]
op_exceptions:
  pascal:
    xl: XL
unmanaged:
  - legacy/
  - "*.lock"
test_paths: [trials/]
variables:
  mill:
    description: the mill that weaves it
    default: North Mill
"#,
    ),
    (
        "gen/loom/actions/actions.yaml",
        r#"actions:
  addThread:
    description: Adds a thread to a cloth.
    kwargs:
      cloth: { type: string, required: true }
      colour: { type: string, required: true, description: "Its colour." }
      count: { type: int, required: false, default: 1 }
    injects_into: "cloth/{{cloth|ident}}.loom"
    anchor: threads
  addPick:
    kwargs:
      cloth: { type: string, required: true }
      name: { type: string, required: true }
      kind: { type: string, required: true }
      turns: { type: int, required: false }
    discriminator: kind
    variants: [plain, twill]
    identity: [cloth, name]
    injects_into: "cloth/{{cloth|ident}}.loom"
    anchor: region
    anchor_start: picks
    anchor_end: picks_end
  addEdges:
    composes: [topEdge, bottomEdge]
  topEdge:
    kwargs:
      cloth: { type: string, required: true }
    injects_into: "cloth/{{cloth|ident}}.loom"
    anchor: start_of_file
    exposed: false
  bottomEdge:
    kwargs:
      cloth: { type: string, required: true }
      knots: { type: list, required: false, default: [left, right] }
    injects_into: "cloth/{{cloth|ident}}.loom"
    anchor: end_of_file
    exposed: false
  addNote:
    kwargs:
      file: { type: string, required: true }
      text: { type: literal, required: true }
    identity: [file]
    tier: seeded
    injects_into: "{{file}}"
    anchor: after_match
    anchor_pattern: '(?m)^begin$'
  addMend:
    kwargs:
      file: { type: string, required: true }
      tight: { type: bool, required: true }
    injects_into: "{{file}}"
    anchor: before_match
    anchor_pattern: '(?m)^end$'
"#,
    ),
    (
        "gen/loom/actions/addThread.loom",
        "thread {{colour|lower}} x{{count}}\n",
    ),
    ("gen/loom/actions/addPick/plain.loom", "  pick {{name}}\n"),
    (
        "gen/loom/actions/addPick/twill.loom",
        "  pick {{name}} twill {{turns}}\n",
    ),
    (
        "gen/loom/actions/addPick/_default.loom",
        "  pick {{name}} as {{kind}}\n",
    ),
    ("gen/loom/actions/topEdge.loom", "edge of {{cloth|title}}\n"),
    (
        "gen/loom/actions/bottomEdge.loom",
        "knots {{knots|join:, }} by {{mill}}\n",
    ),
    ("gen/loom/actions/addNote.loom", "  {{text}}\n"),
    ("gen/loom/actions/addMend.loom", "  mend tight={{tight}}\n"),
    (
        "gen/loom/files/cloth/{name}.loom",
        "cloth {{name|title}} at {{mill}}\n-- sedum:anchor:threads\n\nbegin\n  -- sedum:anchor:picks\n  -- sedum:anchor:picks_end\nend\n",
    ),
    ("gen/loom/files/_default.loom", "plain {{mill}}\n"),
];

/// Two records: one file and one unmanaged path; one file by the fallback and a pattern.
pub const RECORDS: &[(&str, &str)] = &[
    (
        "rec/scarf.yml",
        "id: r-scarf\nintent: A scarf.\nconstraints: [it is warm]\naffected_scope:\n  - cloth/scarf.loom\n  - legacy/scarf.txt\n",
    ),
    (
        "rec/rag.yaml",
        "id: r-rag\nintent: Rags.\naffected_scope:\n  - rags/old.loom\n  - rags/*.loom\nforbidden_scope: [rags/keep/]\n",
    ),
];

/// What `cloth/scarf.loom` starts as.
pub const SCARF: &str = "cloth Scarf at North Mill\n-- sedum:anchor:threads\n\nbegin\n  -- sedum:anchor:picks\n  -- sedum:anchor:picks_end\nend\n";

/// The command line of a replay.
pub const REPLAY: [&str; 7] = [
    "grow",
    "--generators",
    "gen",
    "--execute",
    "run.json",
    "--output",
    "out",
];

/// The command line of a run over records that stops before selection.
pub const FILES_ONLY: [&str; 9] = [
    "grow",
    "--generators",
    "gen",
    "--records",
    "rec",
    "--output",
    "out",
    "--stop-after",
    "files",
];

/// A command with the package and the records in its folder.
pub fn loom<'a>(args: impl IntoIterator<Item = &'a str>) -> Run {
    Run::new(args)
        .files(FILES.iter().copied())
        .files(RECORDS.iter().copied())
}

/// A replay of these invocations over `cloth/scarf.loom`.
pub fn replay(invocations: &[Value]) -> Run {
    loom(REPLAY).file("run.json", recording(invocations))
}

/// A recording of these invocations over `cloth/scarf.loom`.
pub fn recording(invocations: &[Value]) -> String {
    recording_of(&[record("r-scarf", &["scarf"], invocations)])
}

/// A recording of several records.
pub fn recording_of(records: &[Value]) -> String {
    let recording = json!({
        "sedum_version": "0.3.0",
        "packages": { "loom": { "extensions": [".loom"] } },
        "records": records,
    });
    serde_json::to_string_pretty(&recording).unwrap() + "\n"
}

/// A record of a recording: its id, its cloths, its invocations.
pub fn record(id: &str, cloths: &[&str], invocations: &[Value]) -> Value {
    let file = |name: &&str| {
        json!({
            "path": format!("cloth/{name}.loom"),
            "package": "loom",
            "template": "cloth/{name}.loom",
            "captures": { "name": name },
        })
    };
    json!({
        "record_id": id,
        "files": cloths.iter().map(file).collect::<Vec<_>>(),
        "phases": [{ "name": "default", "invocations": invocations }],
    })
}

/// An invocation.
pub fn call(action: &str, kwargs: Value) -> Value {
    json!({ "action": action, "kwargs": kwargs })
}

/// A thread of a colour in the scarf.
pub fn thread(colour: &str) -> Value {
    call("addThread", json!({ "cloth": "scarf", "colour": colour }))
}
