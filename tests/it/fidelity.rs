//! Bytes that must not change: those of a person's file around a region, and those of a text that a model gave.
//!
//! `properties` tries files as people write them, with every kind of anchor. Here are the bytes that tools tend to mend
//! behind one's back, and the texts that tend to be taken for something else. A text is written as it is or refused by
//! name: it is never syntax of a template, of a replacement or of a marker, and no message carries it to a terminal raw.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use proptest::prelude::*;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::run::{PROGRAM, files_below};

/// A package whose one action writes its text as it is, at every kind of place; its comments are delimited, so that a
/// text may try to end one.
const PACKAGE: &[(&str, &str)] = &[
    (
        "gen/weld/sedum.yaml",
        "name: weld\nextensions: [.weld]\ncomment_prefix: \"/*\"\ncomment_suffix: \"*/\"\nvariables:\n  foundry: { description: where it is made, default: North }\n",
    ),
    (
        "gen/weld/actions/actions.yaml",
        r"actions:
  first: &one
    kwargs: { text: { type: literal, required: true }, kind: { type: string, required: true } }
    discriminator: kind
    variants: [plain]
    identity: [kind]
    injects_into: a.weld
    anchor: start_of_file
  last: { <<: *one, anchor: end_of_file }
  below: { <<: *one, anchor: after_match, anchor_pattern: '(?m)^seam' }
",
    ),
    ("gen/weld/actions/first/plain.weld", "<{{text}}>\n"),
    ("gen/weld/actions/first/_default.weld", "<{{text}}>\n"),
    ("gen/weld/actions/last/plain.weld", "<{{text}}>\n"),
    ("gen/weld/actions/last/_default.weld", "<{{text}}>\n"),
    ("gen/weld/actions/below/plain.weld", "<{{text}}>\n"),
    ("gen/weld/actions/below/_default.weld", "<{{text}}>\n"),
];

const ACTIONS: [&str; 3] = ["first", "last", "below"];

struct Bench {
    dir: TempDir,
}

impl Bench {
    fn new() -> Self {
        let bench = Self {
            dir: TempDir::with_prefix("sedum-fidelity-").unwrap(),
        };
        for (path, text) in PACKAGE {
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

    fn target(&self) -> Vec<u8> {
        fs::read(self.at("out/a.weld")).unwrap()
    }

    /// A recording of these texts, one for each action.
    fn record(&self, invocations: &[(usize, &str)]) {
        let invocations: Vec<Value> = invocations
            .iter()
            .map(|(action, text)| json!({ "action": ACTIONS[*action], "kwargs": { "text": text, "kind": "plain" } }))
            .collect();
        self.replaying(&invocations);
    }

    fn replaying(&self, invocations: &[Value]) {
        let recording = json!({
            "packages": { "weld": { "extensions": [".weld"] } },
            "records": [{
                "record_id": "r-1",
                "files": [{ "path": "a.weld", "package": "weld", "template": "" }],
                "phases": [{ "name": "default", "invocations": invocations }],
            }],
        });
        self.write("run.json", recording.to_string());
    }

    fn grow(&self, more: &[&str]) -> Output {
        let output = Command::new(PROGRAM)
            .args([
                "grow",
                "--generators",
                "gen",
                "--execute",
                "run.json",
                "--output",
                "out",
            ])
            .args(more)
            .current_dir(self.dir.path())
            .env_clear()
            .stdin(Stdio::null())
            .output()
            .unwrap();
        for printed in [&output.stdout, &output.stderr] {
            let text = String::from_utf8(printed.clone()).expect("output is UTF-8");
            // A tab of a file stands in its diff, and drives nothing.
            let raw = text
                .chars()
                .find(|c| c.is_control() && !matches!(c, '\n' | '\t'));
            assert_eq!(raw, None, "{text:?}");
            assert!(!text.contains("panicked"), "{text}");
        }
        output
    }
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The bytes before the region of an action, its body, and the bytes behind it, by the outward form of its markers.
fn split<'t>(file: &'t str, action: &str) -> Option<(&'t str, &'t str, &'t str)> {
    let opener = format!("/* sedum:{action}:plain ");
    let closer = format!("/* /sedum:{action}:plain */");
    let start = file.find(&opener)?;
    let body = start + file[start..].find('\n')? + 1;
    let close = body + file[body..].rfind(&closer)?;
    let end = close + closer.len();
    let end = file[end..].find('\n').map_or(file.len(), |at| end + at + 1);
    Some((&file[..start], &file[body..close], &file[end..]))
}

/// Texts that mean something to somebody, though not to Sedum.
const TEXTS: &[&str] = &[
    "{{text}}",
    "{{ text | upper }}",
    "{{foundry}}",
    "{{",
    "}}{{",
    "{text}",
    "$&",
    "$0 $1 ${1} $text",
    "\\1 \\0 \\g<0>",
    "\\n is no line break",
    "%s %d %n {} {0}",
    "`id` $(id)",
    "\" ' ` \\ / < > & &amp;",
    "seam",
    "*/",
    "/* */",
    "a */ b /* c",
    "*\\u002f",
    "/* sedum:anchor:seam */",
    "sedum:first",
    "<!-- sedum:first {} -->",
    "-- /sedum:first",
    "two\nlines",
    "\n\n  blanks before",
    "blanks behind  \n\t\n\n",
    "tab\tand trailing \t",
    "a\r\nb",
    "a\rb",
    "a\r",
    "\u{feff}a mark",
    "\u{0}",
    "\u{1}\u{8}\u{b}\u{c}\u{1f}\u{7f}",
    "\u{1b}[31mred\u{1b}[0m \u{1b}]0;title\u{7}",
    "\u{9b}31m \u{85} \u{a0}",
    "\u{2028}line\u{2029}paragraph",
    "\u{202e}turned\u{2066}",
    "\u{e9} and e\u{301}",
    "\u{fb01} \u{212b} \u{1f469}\u{200d}\u{1f680} \u{10ffff}",
    "null",
    "---\n- a: *x",
];

/// Texts that read as a marker of the package itself: they would end or begin a region.
const MARKERS: &[&str] = &[
    "x\n/* /sedum:first:plain */\ny",
    "x\n/* sedum:first:plain {} */\ny",
    "x\n  /* /sedum:other */  \ny",
    "x\r\n/* /sedum:first:plain */\r\ny",
    "x\n/*/sedum:first:plain*/",
    "x\n/* sedum:last:plain {\"tier\":\"seeded\"} */",
];

/// What a text comes to in a file with these line endings (I13).
fn as_written(text: &str, ending: &str) -> String {
    let body = format!("<{text}>\n");
    if ending == "\r\n" {
        body.replace("\r\n", "\n").replace('\n', "\r\n")
    } else {
        body
    }
}

#[test]
fn a_text_is_written_as_it_is_m5_i13() {
    let mut written = 0;
    for ending in ["\n", "\r\n"] {
        for text in TEXTS {
            let bench = Bench::new();
            let before = format!("before{ending}seam {ending}\tafter");
            bench.write("out/a.weld", &before);
            bench.record(&[(2, text)]);
            let done = bench.grow(&["-v"]);
            assert_eq!(done.status.code(), Some(0), "{text:?}: {}", err(&done));
            let file = String::from_utf8(bench.target()).unwrap();
            let (head, body, tail) = split(&file, "below").unwrap();
            assert_eq!(body, as_written(text, ending), "{text:?} in {file:?}");
            assert_eq!([head, tail].concat(), before, "{text:?}");
            // The marker gives back the same text to any reader of JSON.
            let opener = file[head.len()..].lines().next().unwrap();
            let attributes = &opener[opener.find('{').unwrap()..=opener.rfind('}').unwrap()];
            assert_eq!(attributes.matches("*/").count(), 0, "{attributes}");
            let attributes: Value = serde_json::from_str(attributes).unwrap();
            assert_eq!(attributes["kwargs"]["text"], json!(text));
            let again = bench.grow(&["--check", "--diff"]);
            assert_eq!(again.status.code(), Some(0), "{text:?}: {}", err(&again));
            // And the region is found again: another text takes its place.
            bench.record(&[(2, "other")]);
            let replaced = bench.grow(&["--diff"]);
            assert_eq!(replaced.status.code(), Some(0), "{}", err(&replaced));
            let file = String::from_utf8(bench.target()).unwrap();
            let (head, body, tail) = split(&file, "below").unwrap();
            assert_eq!(body, as_written("other", ending));
            assert_eq!([head, tail].concat(), before);
            written += 1;
        }
    }
    assert_eq!(written, 2 * TEXTS.len());
}

#[test]
fn a_text_that_reads_as_a_marker_is_refused_i13() {
    for text in MARKERS {
        for action in 0..ACTIONS.len() {
            let bench = Bench::new();
            bench.write("out/a.weld", "seam\n");
            bench.record(&[(action, text)]);
            let before = files_below(&bench.at("out"));
            let done = bench.grow(&[]);
            assert_eq!(done.status.code(), Some(1), "{text:?}");
            assert!(
                err(&done).contains("[body_contains_marker]"),
                "{}",
                err(&done)
            );
            assert_eq!(files_below(&bench.at("out")), before);
        }
    }
}

#[test]
fn a_variant_that_a_label_cannot_hold_is_refused_d17() {
    for kind in [
        "a b",
        "a\tb",
        "a\nb",
        "a*/b",
        "*/",
        "a\u{0}b",
        "a\u{1b}[31mb",
        "a\u{2028}b",
        "a\u{a0}b",
    ] {
        let bench = Bench::new();
        bench.write("out/a.weld", "seam\n");
        bench.replaying(&[json!({ "action": "below", "kwargs": { "text": "x", "kind": kind } })]);
        let done = bench.grow(&[]);
        assert_eq!(done.status.code(), Some(1), "{kind:?}");
        assert!(err(&done).contains("[variant]"), "{kind:?}: {}", err(&done));
        assert_eq!(bench.target(), b"seam\n");
    }
}

#[test]
fn a_mebibyte_of_text_is_written_whole() {
    let line = "0123456789 abcdef \u{e9}\n";
    for text in ["x".repeat(1 << 20), line.repeat((1 << 20) / line.len())] {
        let bench = Bench::new();
        bench.write("out/a.weld", "seam\n");
        bench.record(&[(0, &text), (1, &text), (2, &text)]);
        let done = bench.grow(&[]);
        assert_eq!(done.status.code(), Some(0), "{:.2000}", err(&done));
        let file = String::from_utf8(bench.target()).unwrap();
        for action in ACTIONS {
            let (_, body, _) = split(&file, action).unwrap();
            assert!(body == format!("<{text}>\n"), "{action}");
        }
        let again = bench.grow(&["--check"]);
        assert_eq!(again.status.code(), Some(0), "{:.2000}", err(&again));
        // Where such a text is refused, the message holds a part of it only.
        bench.replaying(&[
            json!({ "action": "below", "kwargs": { "text": "x", "kind": format!("a {text}") } }),
        ]);
        let refused = bench.grow(&[]);
        assert_eq!(refused.status.code(), Some(1));
        assert!(
            refused.stderr.len() < 10_000,
            "{} bytes",
            refused.stderr.len()
        );
    }
}

#[test]
fn a_byte_order_mark_is_text_except_at_the_start_c12_i13() {
    for (file, made) in [
        ("\u{feff}", "\u{feff}"),
        ("seam\n\u{feff}", "seam\n\u{feff}\n"),
        ("\u{feff}\u{feff}", "\u{feff}\u{feff}\n"),
    ] {
        let bench = Bench::new();
        bench.write("out/a.weld", file);
        bench.record(&[(1, "x")]);
        let done = bench.grow(&[]);
        assert_eq!(done.status.code(), Some(0), "{}", err(&done));
        let text = String::from_utf8(bench.target()).unwrap();
        let (head, _, tail) = split(&text, "last").unwrap();
        assert_eq!((head, tail), (made, ""), "{file:?}");
        let again = bench.grow(&["--check"]);
        assert_eq!(again.status.code(), Some(0), "{file:?}: {}", err(&again));
    }
    // The same where a template grows a file.
    for (file, made) in [
        ("seam\n\u{feff}", "seam\n\u{feff}\nmore"),
        ("\u{feff}seam", "\u{feff}seam\nmore"),
        ("\u{feff}", "\u{feff}seam\n\u{feff}\nmore\n"),
    ] {
        let bench = Bench::new();
        bench.write("gen/weld/files/_default.weld", "seam\n\u{feff}\nmore\n");
        if !file.ends_with('\u{feff}') {
            bench.write("gen/weld/files/_default.weld", "seam\nmore\n");
        }
        bench.write("out/a.weld", file);
        bench.replaying(&[]);
        let recording = fs::read_to_string(bench.at("run.json")).unwrap();
        let recording = recording.replace("\"template\":\"\"", "\"template\":\"_default.weld\"");
        bench.write("run.json", recording);
        let done = bench.grow(&[]);
        assert_eq!(done.status.code(), Some(0), "{}", err(&done));
        assert_eq!(String::from_utf8(bench.target()).unwrap(), made, "{file:?}");
        let again = bench.grow(&["--check"]);
        assert_eq!(again.status.code(), Some(0), "{file:?}: {}", err(&again));
    }
}

/// Pieces of lines as tools tend to mend them.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[a-z]{1,6}",
        1 => Just(" ".to_owned()),
        1 => Just("\t".to_owned()),
        1 => Just("  \t ".to_owned()),
        1 => Just("\u{e9}e\u{301}".to_owned()),
        1 => Just("\u{1112}\u{1161}\u{11ab}\u{d55c}".to_owned()),
        1 => Just("\u{feff}".to_owned()),
        1 => Just("\r".to_owned()),
        1 => Just("\u{b}\u{c}\u{85}\u{2028}".to_owned()),
        1 => Just("\u{0}\u{1b}".to_owned()),
        1 => Just("/* sedum */ */".to_owned()),
        1 => Just("{{text}}".to_owned()),
        1 => any::<char>().prop_map(String::from),
        1 => (0..20_000_usize).prop_map(|length| "long ".repeat(length / 5)),
    ]
}

/// A whole file with one seam, and every way to end a line.
fn file() -> impl Strategy<Value = String> {
    let ending = || prop_oneof![Just("\n"), Just("\r\n"), Just("\n\n"), Just("\r\r\n")];
    let line = || (proptest::collection::vec(piece(), 0..4), ending());
    let lines = || proptest::collection::vec(line(), 0..6);
    (lines(), lines(), ending(), any::<bool>(), any::<bool>()).prop_map(
        |(above, below, ending, mark, open)| {
            let mut text = String::new();
            if mark {
                text.push('\u{feff}');
            }
            let add = |text: &mut String, lines: &[(Vec<String>, &str)]| {
                for (pieces, ending) in lines {
                    let _ = write!(text, "{}{ending}", pieces.concat());
                }
            };
            add(&mut text, &above);
            let _ = write!(text, "seam{ending}");
            add(&mut text, &below);
            if open {
                let kept = text.trim_end_matches(['\r', '\n']).len();
                text.truncate(kept);
            }
            text
        },
    )
}

/// Texts in parts, whole ones of [`TEXTS`] among them.
fn text() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        2 => (0..TEXTS.len()).prop_map(|at| TEXTS[at].to_owned()),
        1 => "\\PC{0,12}",
        1 => any::<String>(),
    ];
    proptest::collection::vec(part, 1..4).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        cases: std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(40),
        ..ProptestConfig::default()
    })]

    /// I4-I8, I13, C6: outside the region no byte changes, taking the region out gives the file back, a rerun changes
    /// nothing; and a text is there as it was given or the run is refused and nothing is there.
    #[test]
    fn no_byte_outside_changes_and_none_inside(file in file(), text in text(), action in 0..ACTIONS.len()) {
        let bench = Bench::new();
        bench.write("out/a.weld", &file);
        bench.record(&[(action, &text)]);
        let done = bench.grow(&[]);
        if done.status.code() == Some(1) {
            let said = err(&done);
            prop_assert!(
                ["[body_contains_marker]", "[empty_kwarg]"].iter().any(|slug| said.contains(slug))
                    || said.contains("seam"),
                "{said}"
            );
            prop_assert_eq!(bench.target(), file.as_bytes());
            return Ok(());
        }
        prop_assert_eq!(done.status.code(), Some(0));
        let made = String::from_utf8(bench.target()).unwrap();
        let (head, body, tail) = split(&made, ACTIONS[action]).unwrap();
        let first = file.split_inclusive('\n').next().unwrap_or_default();
        let ending = if first.ends_with("\r\n") { "\r\n" } else { "\n" };
        prop_assert_eq!(body, as_written(&text, ending));
        let rest = [head, tail].concat();
        // I13: a last line without an ending gains one when something comes behind it.
        prop_assert!(
            rest == file || (!file.ends_with('\n') && rest == format!("{file}{ending}")),
            "{file:?}\n{made:?}"
        );
        let again = bench.grow(&["--check"]);
        prop_assert_eq!(again.status.code(), Some(0), "{}", err(&again));
    }
}
