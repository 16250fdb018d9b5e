//! Properties of whole runs, over random files and random inputs.
//!
//! The oracle for a region is written here again, from the outward form of a marker line alone.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use proptest::prelude::*;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::loom;
use crate::run::{PROGRAM, files_below};

/// How many cases are tried, unless `PROPTEST_CASES` says otherwise.
fn cases(cases: u32) -> ProptestConfig {
    let config = ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    if std::env::var_os("PROPTEST_CASES").is_some() {
        return config;
    }
    ProptestConfig { cases, ..config }
}

/// A folder with packages, where runs can be made over and over.
struct Bench {
    dir: TempDir,
}

impl Bench {
    fn new(files: &[(&str, &str)]) -> Self {
        let bench = Self {
            dir: TempDir::with_prefix("sedum-prop-").unwrap(),
        };
        for (path, text) in files {
            bench.write(path, text);
        }
        bench
    }

    fn at(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.at(path)).unwrap()
    }

    /// A replay of `run.json` into `out`.
    fn grow(&self, more: &[&str]) -> Output {
        Command::new(PROGRAM)
            .args(loom::REPLAY)
            .args(more)
            .current_dir(self.dir.path())
            .env_clear()
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }

    /// A replay that has to succeed; what it reports.
    fn replay(&self, more: &[&str]) -> Result<String, TestCaseError> {
        let output = self.grow(more);
        let err = String::from_utf8_lossy(&output.stderr);
        prop_assert_eq!(output.status.code(), Some(0), "{}", err);
        Ok(String::from_utf8(output.stdout).unwrap())
    }
}

/// A package without file templates whose actions take any file.
const WEFT: &[(&str, &str)] = &[
    (
        "gen/weft/sedum.yaml",
        "name: weft\nextensions: [.weft]\ncomment_prefix: \"--\"\n",
    ),
    (
        "gen/weft/actions/actions.yaml",
        r#"actions:
  mark: &one
    kwargs: { key: { type: string, required: true }, text: { type: literal, required: false, default: "x" } }
    identity: [key]
    injects_into: a.weft
    anchor: alpha
  zone: { <<: *one, anchor: region, anchor_start: beta, anchor_end: gamma }
  top: { <<: *one, anchor: start_of_file }
  end: { <<: *one, anchor: end_of_file }
  below: { <<: *one, anchor: after_match, anchor_pattern: '(?m)^[ \t]*turn$' }
  above: { <<: *one, anchor: before_match, anchor_pattern: '(?m)turn\n?' }
"#,
    ),
    ("gen/weft/actions/mark.weft", "m {{key}}\n{{text}}\n"),
    ("gen/weft/actions/zone.weft", "{{text}}\n"),
    ("gen/weft/actions/top.weft", "t\n\n{{text}}\n\n\n"),
    ("gen/weft/actions/end.weft", "{{text}}"),
    ("gen/weft/actions/below.weft", "  b\n\t{{text}}\n"),
    ("gen/weft/actions/above.weft", ""),
];

const ACTIONS: [&str; 6] = ["mark", "zone", "top", "end", "below", "above"];

fn weft_recording(invocations: &[(usize, u8, String)]) -> String {
    let mut seen = std::collections::BTreeSet::new();
    let invocations: Vec<Value> = invocations
        .iter()
        .filter(|(action, key, _)| seen.insert((*action, *key)))
        .map(|(action, key, text)| {
            json!({
                "action": ACTIONS[*action],
                "kwargs": { "key": format!("k{key}"), "text": text },
            })
        })
        .collect();
    json!({
        "packages": { "weft": { "extensions": [".weft"] } },
        "records": [{
            "record_id": "r1",
            "files": [{ "path": "a.weft", "package": "weft", "template": "" }],
            "phases": [{ "name": "default", "invocations": invocations }],
        }],
    })
    .to_string()
}

/// A text with its regions taken out.
fn without_regions(text: &str) -> String {
    let mut out = String::new();
    let mut inside: Option<String> = None;
    for line in text.split_inclusive('\n') {
        let bare = line.trim_start_matches('\u{feff}').trim();
        let opened = bare
            .strip_prefix("-- sedum:")
            // M11, M17: an anchor and prose are no markers.
            .filter(|rest| !rest.starts_with("anchor:") && !rest.starts_with(' '));
        match (&inside, opened) {
            (None, Some(rest)) => {
                let label = rest.split(' ').next().unwrap();
                inside = Some(format!("-- /sedum:{label}"));
                if line.starts_with('\u{feff}') {
                    out.push('\u{feff}');
                }
            }
            (None, None) => out.push_str(line),
            (Some(close), _) => {
                if bare == close {
                    inside = None;
                }
            }
        }
    }
    assert_eq!(inside, None, "{text}");
    out
}

/// One line of a file, and how it ends.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[ \t]{0,3}[a-z]{1,6}( [a-zé✓]{1,5})?",
        2 => Just(String::new()),
        1 => Just("   ".to_owned()),
        1 => Just("\t-- a comment".to_owned()),
        1 => Just("-- sedum: no marker".to_owned()),
        1 => Just("x -- sedum:anchor:alpha".to_owned()),
        1 => Just("-- /sedum:stray".to_owned()),
        1 => Just("\"{\u{a0}}\"".to_owned()),
    ]
}

/// A file that has every anchor once, somewhere.
fn file() -> impl Strategy<Value = String> {
    let lines = || proptest::collection::vec(line(), 0..5);
    let indent = || prop_oneof![Just(""), Just("  "), Just("\t"), Just(" \t ")];
    (
        [lines(), lines(), lines(), lines(), lines()],
        [indent(), indent(), indent(), indent()],
        0..3_usize,
        proptest::collection::vec(any::<bool>(), 40),
        any::<[bool; 3]>(),
    )
        .prop_map(|(parts, indents, order, mixed, [bom, shebang, open])| {
            let mut anchors = [
                format!("{}-- sedum:anchor:alpha", indents[0]),
                format!("{}--  sedum:anchor:beta ", indents[1]),
                format!("{}-- sedum:anchor:gamma", indents[2]),
                format!("{}turn", indents[3]),
            ];
            // beta stays before gamma.
            match order {
                1 => anchors.swap(0, 3),
                2 => anchors.rotate_left(1),
                _ => {}
            }
            let mut lines: Vec<String> = Vec::new();
            if shebang {
                lines.push("#!/bin/weft".to_owned());
            }
            for (at, part) in parts.into_iter().enumerate() {
                lines.extend(part);
                lines.extend(anchors.get(at).cloned());
            }
            let mut text = String::new();
            if bom {
                text.push('\u{feff}');
            }
            let last = lines.len() - 1;
            for (at, line) in lines.iter().enumerate() {
                text.push_str(line);
                if at < last || !open {
                    text.push_str(if mixed[at % mixed.len()] {
                        "\r\n"
                    } else {
                        "\n"
                    });
                }
            }
            text
        })
}

fn uniform(text: &str, crlf: u8) -> String {
    match crlf {
        0 => text.replace("\r\n", "\n"),
        1 => text.replace("\r\n", "\n").replace('\n', "\r\n"),
        _ => text.to_owned(),
    }
}

fn invocations() -> impl Strategy<Value = Vec<(usize, u8, String)>> {
    let text = prop_oneof![
        "[a-z]{1,8}",
        "[a-z][a-z {}|&<é\"]{0,8}\n\n[ \t][a-z]{0,4}",
        Just("turn".to_owned()),
        Just("-- sedum:anchor:alpha".to_owned()),
    ];
    proptest::collection::vec((0..ACTIONS.len(), 0..4_u8, text), 0..9)
}

proptest! {
    #![proptest_config(cases(48))]

    /// I4-I8, I13, I17, M25, P4: what is outside regions stays, byte for byte; a rerun changes nothing; replacing keeps
    /// it all true; what Sedum adds ends as the file's first line does.
    #[test]
    fn text_outside_regions_never_changes(
        text in file(),
        crlf in 0..3_u8,
        first in invocations(),
        second in invocations(),
    ) {
        let text = uniform(&text, crlf);
        let bench = Bench::new(WEFT);
        bench.write("out/a.weft", &text);
        let ending = if text.split_inclusive('\n').next().is_some_and(|l| l.ends_with("\r\n")) { "\r\n" } else { "\n" };
        let mut kept = None;
        for recording in [weft_recording(&first), weft_recording(&second)] {
            let before = bench.read("out/a.weft");
            bench.write("run.json", &recording);
            bench.replay(&[])?;
            let made = bench.read("out/a.weft");
            let bare = without_regions(&made);
            // I13: a last line without an ending may have gained one.
            prop_assert!(
                bare == text || (!text.ends_with('\n') && bare == format!("{text}{ending}")),
                "\n{text:?}\n{bare:?}\n{made:?}"
            );
            if before == text && made != text && !text.contains('\r') {
                prop_assert!(!made.contains('\r'));
            }
            if ending == "\r\n" && crlf == 1 {
                prop_assert_eq!(made.matches('\n').count(), made.matches("\r\n").count());
            }
            let again = bench.replay(&[])?;
            prop_assert_eq!(bench.read("out/a.weft"), &made[..], "a rerun");
            prop_assert!(again.contains("\n0 region(s) injected, 0 replaced, "), "{}", again);
            kept = Some(made);
        }
        // Every region of the first recording is still there (I15).
        let made = kept.unwrap_or_default();
        for (action, key, _) in &first {
            let opener = format!("-- sedum:{} ", ACTIONS[*action]);
            let key = format!("\"key\":\"k{key}\"");
            prop_assert!(made.lines().any(|l| l.contains(&opener) && l.contains(&key)));
        }
    }

    /// C22, U12: a dry run writes nothing at all, and reports what the run then does.
    #[test]
    fn a_dry_run_reports_the_real_run(text in file(), list in invocations()) {
        let bench = Bench::new(WEFT);
        bench.write("out/a.weft", &text);
        bench.write("run.json", weft_recording(&list));
        let before = files_below(&bench.at("out"));
        let dry = bench.replay(&["--dry-run"])?;
        prop_assert_eq!(files_below(&bench.at("out")), before);
        prop_assert!(!bench.at("out/.sedum").exists());
        let real = bench.replay(&[])?;
        let said = dry.replace("would be ", "");
        prop_assert_eq!(said.replace("dry run: no generated file was written\n", ""), real);
    }
}

/// The lines of a template that some file kept, with a person's blanks and comments between them.
fn kept_lines() -> impl Strategy<Value = (Vec<bool>, Vec<u8>, bool)> {
    let lines = loom::SCARF.lines().count();
    (
        proptest::collection::vec(any::<bool>(), lines),
        proptest::collection::vec(0..4_u8, lines + 1),
        any::<bool>(),
    )
}

proptest! {
    #![proptest_config(cases(32))]

    /// C2-C14, C21: whatever a file lost of its template comes back, what a person added stays, and then nothing more.
    #[test]
    fn a_file_grows_to_its_template_and_no_further((kept, filler, open) in kept_lines()) {
        let template: Vec<&str> = loom::SCARF.lines().collect();
        let mut text = String::new();
        let mut mine = 0;
        for (at, line) in template.iter().enumerate() {
            match filler[at] {
                1 => text.push('\n'),
                2 => {
                    mine += 1;
                    text.push_str("  -- mine\n");
                }
                _ => {}
            }
            if kept[at] {
                text.push_str(line);
                text.push('\n');
            }
        }
        if open {
            text.pop();
        }
        let bench = Bench::new(loom::FILES);
        bench.write("out/cloth/scarf.loom", &text);
        bench.write("run.json", loom::recording(&[]));
        bench.replay(&["--stop-after", "files"])?;
        let made = bench.read("out/cloth/scarf.loom");
        let structural: Vec<_> = made
            .lines()
            .filter(|line| !line.trim().is_empty() && line.trim() != "-- mine")
            .collect();
        let wanted: Vec<_> = template.iter().copied().filter(|line| !line.trim().is_empty()).collect();
        prop_assert_eq!(structural, wanted, "{:?}", text);
        prop_assert_eq!(made.matches("-- mine").count(), mine);
        bench.replay(&["--stop-after", "files"])?;
        prop_assert_eq!(bench.read("out/cloth/scarf.loom"), made);
    }
}

/// Some bytes of a text struck out, doubled, or replaced by what tends to hurt.
fn damaged(text: &str, hits: &[(prop::sample::Index, u8)]) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for (index, kind) in hits {
        if bytes.is_empty() {
            break;
        }
        let at = index.index(bytes.len());
        let new: &[u8] = match kind {
            0 => b"",
            1 => b"{{",
            2 => b"\0",
            3 => b"\xff",
            4 => b": ",
            5 => b"[",
            6 => b"\n\t",
            7 => b"&a *a",
            8 => b"\"",
            _ => b"\xe2\x80\xa8",
        };
        bytes.splice(at..=at, new.iter().copied());
    }
    bytes
}

fn hits() -> impl Strategy<Value = Vec<(prop::sample::Index, u8)>> {
    proptest::collection::vec((any::<prop::sample::Index>(), 0..10_u8), 1..5)
}

proptest! {
    #![proptest_config(cases(64))]

    /// X37, L5: no damage to a package's files makes loading panic; it loads or says why, naming the package.
    #[test]
    fn damaged_packages_are_refused_in_words(which in 0..loom::FILES.len(), hits in hits()) {
        let (path, text) = loom::FILES[which];
        let bench = Bench::new(loom::FILES);
        bench.write(path, damaged(text, &hits));
        let loaded = sedum::genpkg::load(&bench.at("gen"), &[]).unwrap();
        for finding in &loaded.findings {
            let shown = finding.to_string();
            prop_assert!(shown.contains("loom/"), "{shown}");
            prop_assert!(!shown.contains('\0'), "{shown:?}");
        }
        let errors = loaded.count(sedum::diag::Severity::Error);
        prop_assert_eq!(errors > 0, loaded.verdicts.iter().any(|v| v.package.is_none()));
    }

    /// X37, C17: no damage to a recording, a record or a target makes a run panic; when it fails, nothing is written.
    #[test]
    fn damaged_inputs_write_all_or_nothing(which in 0..3_usize, hits in hits()) {
        let bench = Bench::new(loom::FILES);
        let recording = loom::recording(&[loom::thread("red"), loom::thread("blue")]);
        let target = loom::SCARF.replace("begin", "begin\n-- sedum:addNote {\"tier\":\"seeded\"}\nx\n-- /sedum:addNote");
        let record = loom::RECORDS[0].1;
        let files = [("run.json", recording.as_str()), ("out/cloth/scarf.loom", &target), ("rec/scarf.yml", record)];
        for (at, (path, text)) in files.into_iter().enumerate() {
            bench.write(path, if at == which { damaged(text, &hits) } else { text.into() });
        }
        let before = files_below(&bench.at("out"));
        let output = bench.grow(&["--records", "rec"]);
        let err = String::from_utf8(output.stderr).unwrap();
        match output.status.code() {
            Some(0) => {}
            Some(1) => {
                prop_assert!(err.contains("sedum: "), "{err}");
                prop_assert!(!err.contains('\0'), "{err:?}");
                prop_assert_eq!(files_below(&bench.at("out")), before);
            }
            other => prop_assert!(false, "{other:?}: {err}"),
        }
    }
}

/// Y30: twice the files, and twice the invocations in one file, are still right (the cost has a benchmark of its own).
#[test]
fn many_invocations_land_in_order() {
    let bench = Bench::new(WEFT);
    bench.write("out/a.weft", "-- sedum:anchor:alpha\n");
    let many: Vec<Value> = (0..500)
        .map(|at| json!({ "action": "mark", "kwargs": { "key": format!("k{at}") } }))
        .collect();
    let mut recording: Value = serde_json::from_str(&weft_recording(&[])).unwrap();
    recording["records"][0]["phases"][0]["invocations"] = Value::Array(many);
    bench.write("run.json", recording.to_string());
    bench.replay(&[]).unwrap();
    let text = bench.read("out/a.weft");
    let keys: Vec<_> = text
        .lines()
        .filter_map(|line| line.strip_prefix("m k"))
        .collect();
    let wanted: Vec<_> = (0..500).map(|at| at.to_string()).collect();
    assert_eq!(keys, wanted);
}
