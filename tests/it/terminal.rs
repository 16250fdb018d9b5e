//! What is printed, whatever it quotes: no output drives a terminal (O28), and one that is lost is not a success (U3).
//!
//! Text that clears screens, sets titles, turns writing around and breaks lines is put into every place that an input has,
//! and every command prints about it in every format. No stream may carry it as it is. A document in JSON still says it.

use std::fs;
use std::process::Stdio;

use serde_json::Value;

use crate::loom::{FILES_ONLY, REPLAY, loom, replay, thread};
use crate::run::Run;

/// What no terminal may get to see.
const HOSTILE: &str = "\u{1b}[31mR\u{1b}]0;t\u{7}\u{9b}2J\u{202e}\u{61c}\u{7f}\rX";

const VALIDATE: [&str; 3] = ["validate", "--generators", "gen"];
const RESOLVE: [&str; 5] = ["resolve", "--generators", "gen", "--records", "rec"];
const ACTIONS: [&str; 6] = [
    "actions",
    "--generators",
    "gen",
    "--package",
    "loom",
    "--all",
];

/// The runs whose output was looked at; says how many at the end.
struct Looked {
    at: &'static str,
    runs: usize,
}

impl Looked {
    fn at(at: &'static str) -> Self {
        Self { at, runs: 0 }
    }

    /// A run's output holds nothing that a terminal would obey, and JSON is JSON.
    fn check(&mut self, name: &str, run: Run) {
        check(name, run);
        self.runs += 1;
    }
}

impl Drop for Looked {
    #[allow(clippy::print_stdout)] // the figures are shown by `cargo test -- --nocapture`
    fn drop(&mut self) {
        println!("hostile text in {}: {} outputs", self.at, self.runs);
    }
}

fn check(name: &str, run: Run) {
    let command = run.command();
    let args: Vec<_> = command.get_args().map(|a| a.to_str().unwrap()).collect();
    let name = format!("{name}: {args:?}");
    let is_json = args.contains(&"--json") || args.contains(&"json") || args.contains(&"sarif");
    let done = run.go();
    assert!(
        matches!(done.status, Some(0..=2)) && !(done.out.is_empty() && done.err.is_empty()),
        "{name}: {}",
        done.report()
    );
    for (stream, text) in [("stdout", &done.out), ("stderr", &done.err)] {
        let stray = text.chars().find(|c| {
            (c.is_control() && !matches!(c, '\n' | '\t')) || matches!(c, '\u{202e}' | '\u{61c}')
        });
        assert_eq!(stray, None, "{name}: {stream} {text:?}");
        assert!(!text.contains("panicked"), "{name}: {text}");
    }
    // `actions` has no document of a package that does not load.
    if is_json && !done.out.is_empty() {
        let parsed: Result<Value, _> = serde_json::from_str(&done.out);
        assert!(parsed.is_ok(), "{name}: {}", done.out);
    }
}

/// Every command over the package and the records.
fn commands() -> Vec<Vec<&'static str>> {
    let mut commands = Vec::new();
    for format in ["human", "short", "json", "sarif", "github"] {
        commands.push([&VALIDATE[..], &["--format", format]].concat());
    }
    for more in [
        &[][..],
        &["--show-template"],
        &["--json", "--show-template"],
    ] {
        commands.push([&RESOLVE[..], more].concat());
    }
    for more in [&[][..], &["--json"]] {
        commands.push([&ACTIONS[..], more].concat());
    }
    for more in [&["--diff"][..], &["--json", "--diff"], &["-v"]] {
        commands.push([&FILES_ONLY[..], more].concat());
    }
    commands
}

#[test]
fn whatever_a_package_or_a_record_holds_o28() {
    const MANIFEST: &str = "gen/loom/sedum.yaml";
    const ACTIONS: &str = "gen/loom/actions/actions.yaml";
    const RECORD: &str = "rec/scarf.yml";
    let mut looked = Looked::at("packages, records and their trees");
    let quoted = serde_json::to_string(HOSTILE).unwrap();
    for (file, from) in [
        (MANIFEST, "name: loom"),
        (MANIFEST, "[.loom]"),
        (MANIFEST, "\"--\""),
        (MANIFEST, "snake]"),
        (MANIFEST, "  pascal:"),
        (MANIFEST, "legacy/"),
        (MANIFEST, "North Mill"),
        (MANIFEST, "variables:"),
        (ACTIONS, "  addThread:"),
        (ACTIONS, "Adds a thread to a cloth."),
        (ACTIONS, "type: int, required: false, default: 1"),
        (ACTIONS, "anchor: threads"),
        (ACTIONS, "[plain, twill]"),
        (ACTIONS, "'(?m)^begin$'"),
        (ACTIONS, "tier: seeded"),
        (ACTIONS, "[topEdge, bottomEdge]"),
        (RECORD, "id: r-scarf"),
        (RECORD, "A scarf."),
        (RECORD, "cloth/scarf.loom"),
        (RECORD, "constraints:"),
    ] {
        // The value, or the key where a key is meant.
        let to = match from.rsplit_once(": ") {
            _ if from.trim_end().ends_with(':') => {
                let indented = &from[..from.len() - from.trim_start().len()];
                format!("{indented}{quoted}:")
            }
            Some((key, _)) => format!("{key}: {quoted}"),
            None => quoted.clone(),
        };
        for command in commands() {
            looked.check(from, loom(command).edit(file, from, &to));
        }
    }
    // As it is, where quotes would have it escaped.
    for (file, text) in [
        (MANIFEST, format!("name: loom\n{HOSTILE}: 1\n")),
        (ACTIONS, format!("actions: [\n{HOSTILE}")),
        (
            RECORD,
            format!("id: r-1\naffected_scope: [cloth/{HOSTILE}.loom]\n"),
        ),
        (
            "gen/loom/files/_default.loom",
            format!("{HOSTILE} {{{{{HOSTILE}}}}}\n"),
        ),
        (
            "gen/loom/actions/addThread.loom",
            format!("{{{{cloth|{HOSTILE}}}}}\n"),
        ),
        (
            "gen/loom/files/cloth/{name}.loom",
            format!("-- sedum:anchor:{HOSTILE}\n"),
        ),
        ("out/cloth/scarf.loom", format!("{HOSTILE}\n")),
        (
            "out/cloth/scarf.loom",
            format!("-- sedum:{HOSTILE} {{}}\n-- /sedum:x\n"),
        ),
        (
            "out/cloth/scarf.loom",
            format!("-- sedum:x {{\"{HOSTILE}\n"),
        ),
    ] {
        for command in commands() {
            looked.check(file, loom(command).file(file, &text));
        }
    }
    // The names of files.
    #[cfg(unix)]
    for path in [
        format!("gen/{HOSTILE}/sedum.yaml"),
        format!("gen/loom/files/{HOSTILE}.loom"),
        format!("gen/loom/files/{{{HOSTILE}}}.loom"),
        format!("gen/loom/actions/{HOSTILE}.loom"),
        format!("rec/{HOSTILE}.yml"),
    ] {
        for command in commands() {
            looked.check(&path, loom(command).file(&path, "id: 3\n{{x}}\n"));
        }
    }
}

#[test]
fn whatever_a_recording_holds_o28() {
    let mut looked = Looked::at("recordings");
    for pointer in [
        "/sedum_version",
        "/records/0/record_id",
        "/records/0/files/0/path",
        "/records/0/files/0/package",
        "/records/0/files/0/template",
        "/records/0/files/0/captures/name",
        "/records/0/phases/0/name",
        "/records/0/phases/0/invocations/0/action",
        "/records/0/phases/0/invocations/0/kwargs/cloth",
        "/records/0/phases/0/invocations/0/kwargs/colour",
        "/records/0/phases/0/invocations/0/kwargs/count",
        "/packages/loom/extensions/0",
        "/variables/mill",
        // Keys.
        "/packages/",
        "/variables/",
        "/records/0/files/0/captures/",
        "/records/0/phases/0/invocations/0/kwargs/",
        "/records/0/",
    ] {
        for more in [
            &[][..],
            &["--diff"],
            &["--json", "--diff"],
            &["-v"],
            &["--check"],
            &["--stop-after", "expansion"],
        ] {
            let run = replay(&[thread("red")]).args(more.iter().copied());
            let path = run.command().get_current_dir().unwrap().join("run.json");
            let mut recording: Value =
                serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
            let (owner, key) = pointer.rsplit_once('/').unwrap();
            if recording.pointer(owner).is_none() {
                recording["variables"] = Value::Object(serde_json::Map::new());
            }
            match recording.pointer_mut(owner).unwrap() {
                Value::Array(items) => items[0] = HOSTILE.into(),
                owner => owner[if key.is_empty() { HOSTILE } else { key }] = HOSTILE.into(),
            }
            looked.check(pointer, run.file("run.json", recording.to_string()));
        }
    }
}

#[test]
fn whatever_the_command_line_holds_o28() {
    let mut looked = Looked::at("the command line");
    for args in [
        &["grow", "--generators", HOSTILE, "--execute", "run.json"][..],
        &["grow", "--generators", "gen", "--execute", HOSTILE],
        &[
            "grow",
            "--generators",
            "gen",
            "--records",
            HOSTILE,
            "--stop-after",
            "files",
        ],
        &[
            "grow",
            "--generators",
            "gen",
            "--execute",
            "run.json",
            "--stop-after",
            HOSTILE,
        ],
        &["validate", "--generators", "gen", "--package", HOSTILE],
        &["validate", "--explain", HOSTILE],
        &[
            "render",
            "--generators",
            "gen",
            "--package",
            "loom",
            "--action",
            HOSTILE,
        ],
        &["resolve", HOSTILE],
        &[HOSTILE],
    ] {
        looked.check("flag", replay(&[]).edit_all_args(args));
    }
    for more in [["--only", HOSTILE], ["--var", HOSTILE], ["--log", HOSTILE]] {
        looked.check("flag", loom(FILES_ONLY).args(more));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_is_lost_is_a_failure_and_a_pipe_that_closes_is_none_u3() {
    let kwargs = r#"{"cloth": "scarf", "colour": "red"}"#;
    let render = [
        "render",
        "--generators",
        "gen",
        "--package",
        "loom",
        "--action",
        "addThread",
    ];
    for args in [
        &REPLAY[..],
        &[&REPLAY[..], &["--json"]].concat(),
        &[&VALIDATE[..], &["--format", "json"]].concat(),
        &[&RESOLVE[..], &["--json"]].concat(),
        &ACTIONS,
        &[&render[..], &["--kwargs", kwargs]].concat(),
        &["--version"],
        &["--help"],
        &["completions", "bash"],
    ] {
        let run = || replay(&[thread("red")]).edit_all_args(args);
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let lost = run();
        let done = lost.command().stdout(full).output().unwrap();
        let err = String::from_utf8(done.stderr).unwrap();
        assert_eq!(done.status.code(), Some(1), "{args:?}: {err}");
        assert!(err.starts_with("sedum: stdout cannot be written"), "{err}");
        let closed = run();
        let mut child = closed
            .command()
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let done = child.wait_with_output().unwrap();
        let err = String::from_utf8(done.stderr).unwrap();
        assert_eq!((done.status.code(), &*err), (Some(0), ""), "{args:?}");
    }
}
