//! What recordings written by hand give.

use super::*;
use proptest::prelude::*;

fn sound(text: &str) -> Recording {
    parse(&Source::new("rec.json", text)).unwrap_or_else(|problems| panic!("{problems:?}"))
}

fn faults(text: &str) -> Vec<Problem> {
    parse(&Source::new("rec.json", text)).expect_err("unsound")
}

/// Asserts where each fault is and a part of what it says.
fn assert_faults(text: &str, expected: &[(u32, u32, &str)]) {
    let found = faults(text);
    assert_eq!(found.len(), expected.len(), "{text}\n{found:?}");
    for (problem, (line, column, part)) in found.iter().zip(expected) {
        let position = problem.place.as_ref().unwrap().position();
        assert_eq!(position, (*line, *column), "{}", problem.message);
        assert!(
            problem.message.contains(part),
            "{} lacks {part}",
            problem.message
        );
    }
}

fn help(text: &str) -> String {
    faults(text).remove(0).help.unwrap_or_default()
}

const WHOLE: &str = r#"{
  "sedum_version": "9.9.9",
  "packages": {"barn": {"extensions": [".tf", ".b"], "digest": "abc"}},
  "records": [
    {"record_id": "REC-1",
     "files": [
       {"path": "envs/net.tf", "package": "barn", "template": "envs/{part}.tf", "captures": {"part": "net"}, "mode": 7}
     ],
     "phases": [
       {"name": "second", "gate": null, "invocations": [
         {"why": [1], "action": "addOutput", "kwargs": {"n": 2.50, "file": "a.tf"}}
       ]},
       {"invocations": null}
     ]}
  ],
  "variables": {"region": "eu"},
  "made_by": {"tool": [1]}
}"#;

#[test]
fn a_key_nearly_spelt_like_one_that_is_not_there_is_warned_of_j10() {
    assert!(sound(WHOLE).warnings.is_empty());
    for (from, to, place, near) in [
        ("\"variables\"", "\"variable\"", (16, 3), "variables"),
        ("\"packages\"", "\"Packages\"", (3, 3), "packages"),
        ("\"extensions\"", "\"extension\"", (3, 25), "extensions"),
        ("\"phases\"", "\"phase\"", (9, 6), "phases"),
        ("\"captures\"", "\"capture\"", (7, 81), "captures"),
        (
            "\"gate\": null, \"invocations\"",
            "\"invocatons\"",
            (10, 27),
            "invocations",
        ),
        ("\"kwargs\"", "\"kwarg\"", (11, 46), "kwargs"),
    ] {
        assert_eq!(WHOLE.matches(from).count(), 1, "{from}");
        let recording = sound(&WHOLE.replace(from, to));
        let [warning] = &recording.warnings[..] else {
            panic!("{to}: {:?}", recording.warnings)
        };
        assert_eq!(warning.place.as_ref().unwrap().position(), place, "{to}");
        assert_eq!(
            warning.help.as_deref(),
            Some(&*format!("did you mean \"{near}\"?"))
        );
    }
    // The right key is there too, so the other is somebody's own.
    let both = WHOLE.replace("\"gate\": null", "\"invocation\": null");
    assert!(sound(&both).warnings.is_empty());
    let phase = r#"{"phases": [{"invocation": []}, {"invocation": []}, {"Invocations": []}]}"#;
    let often = format!(r#"{{"records": [{phase}, {phase}]}}"#);
    assert_eq!(sound(&often).warnings.len(), 2, "each is said once");
}

#[test]
fn j1_every_key_is_read_and_unknown_ones_are_ignored_j10() {
    let recording = sound(WHOLE);
    assert_eq!(recording.packages["barn"].extensions, [".tf", ".b"]);
    assert_eq!(recording.variables["region"], "eu");
    let [record] = &recording.records[..] else {
        panic!("{recording:?}")
    };
    assert_eq!(record.record_id, "REC-1");
    let [file] = &record.files[..] else {
        panic!("{record:?}")
    };
    assert_eq!(
        (file.path.as_str(), file.package.as_str()),
        ("envs/net.tf", "barn")
    );
    assert_eq!(file.template, "envs/{part}.tf");
    assert_eq!(file.captures["part"], "net");
    let names: Vec<&str> = record
        .phases
        .iter()
        .map(|phase| phase.name.as_str())
        .collect();
    assert_eq!(names, ["second", "default"]);
    let [invocation] = &record.phases[0].invocations[..] else {
        panic!("{record:?}")
    };
    assert_eq!(invocation.action, "addOutput");
    assert_eq!(invocation.kwargs["n"].to_json(), "2.50");
    assert_eq!(invocation.kwargs["file"].to_json(), "\"a.tf\"");
}

#[test]
fn places_are_those_of_the_values() {
    let recording = sound(WHOLE);
    let source = recording.source.as_ref().unwrap();
    let cut = |span: crate::diag::Span| &source.text()[span.start as usize..span.end as usize];
    let record = &recording.records[0];
    assert_eq!(cut(recording.packages["barn"].span), "\"barn\"");
    assert_eq!(cut(record.span), "\"REC-1\"");
    assert_eq!(cut(record.files[0].span), "\"envs/net.tf\"");
    let origin = record.phases[0].invocations[0].origin.as_ref().unwrap();
    assert_eq!(cut(origin.action), "\"addOutput\"");
    let kwargs = ["n", "file", "none"].map(|name| origin.kwarg(name).map(cut));
    assert_eq!(kwargs, [Some("2.50"), Some("\"a.tf\""), None]);
}

#[test]
fn j10_what_is_missing_or_null_is_empty() {
    for text in [
        r#"{"records": [{"files": [{"path": "a.x", "package": "p"}], "phases": [{"invocations": [{"action": "a"}]}]}]}"#,
        r#"{"sedum_version": null, "packages": null, "variables": null, "records": [{"record_id": null, "files":
          [{"path": "a.x", "package": "p", "template": null, "captures": null}],
          "phases": [{"name": null, "invocations": [{"action": "a", "kwargs": null}]}]}]}"#,
    ] {
        let recording = sound(text);
        assert!(recording.packages.is_empty() && recording.variables.is_empty());
        let record = &recording.records[0];
        assert_eq!(record.record_id, "");
        assert_eq!(record.files[0].template, "");
        assert!(record.files[0].captures.is_empty());
        assert_eq!(record.phases[0].name, "default");
        assert!(record.phases[0].invocations[0].kwargs.is_empty());
    }
    let bare =
        sound(r#"{"packages": {"p": {}}, "records": [{}, {"files": null, "phases": null}]}"#);
    assert!(bare.packages["p"].extensions.is_empty());
    assert!(
        bare.records
            .iter()
            .all(|record| record.files.is_empty() && record.phases.is_empty())
    );
    assert!(sound(r#"{"records": []}"#).records.is_empty());
}

#[test]
fn j12_keys_that_are_needed_are_asked_for() {
    assert_faults(
        "{}",
        &[(1, 1, "the recording: the key \"records\" is missing")],
    );
    assert_faults("{\n\"records\": null}", &[(2, 12, "\"records\" is null")]);
    assert_faults(
        "{\"records\": [{\"files\": [\n{\"package\": \"p\"},\n{\"path\": \"a\"},\n{\"path\": \" \", \"package\": null}\n],\
         \"phases\": [{\"invocations\": [\n{\"kwargs\": {}},\n{\"action\": \"\"}]}]}]}",
        &[
            (2, 1, "records[0].files[0]: the key \"path\" is missing"),
            (3, 1, "records[0].files[1]: the key \"package\" is missing"),
            (4, 10, "records[0].files[2].path: expected"),
            (4, 26, "\"package\" is null"),
            (
                6,
                1,
                "records[0].phases[0].invocations[0]: the key \"action\" is missing",
            ),
            (
                7,
                12,
                "invocations[1].action: expected the name of an action, found the text \"\"",
            ),
        ],
    );
    assert_eq!(
        help("{\"record\": []}"),
        "it has \"record\": did you mean \"records\"?"
    );
    assert_eq!(
        help("{\"Records\": []}"),
        "it has \"Records\": did you mean \"records\"?"
    );
    assert!(help("{}").contains("a list of records"));
}

#[test]
fn j10_wrong_types_are_all_reported_by_line_and_column() {
    assert_faults(
        r#"{"sedum_version": 3,
"packages": {"a": [], "b c": {"extensions": ".x"}, "d": {"extensions": [1]}},
"records": [7, {"record_id": 12, "files": {}, "phases": [[]]},
{"files": ["a.x", {"path": ["a"], "package": 1, "template": false, "captures": {"n": 1}}],
"phases": [{"name": 1, "invocations": ["a", {"action": 5, "kwargs": []}, {"action": "b", "kwargs": "x"}]}]}],
"variables": {"n": null}}"#,
        &[
            (1, 19, "sedum_version: expected text, found the number 3"),
            (
                2,
                19,
                "packages.a: expected an object with the key \"extensions\", found a list",
            ),
            (
                2,
                45,
                "packages[\"b c\"].extensions: expected a list of text, found the text \".x\"",
            ),
            (
                2,
                73,
                "packages.d.extensions[0]: expected text, found the number 1",
            ),
            (
                3,
                13,
                "records[0]: expected a record, an object, found the number 7",
            ),
            (
                3,
                30,
                "records[1].record_id: expected text, found the number 12",
            ),
            (
                3,
                43,
                "records[1].files: expected a list of files, found an object",
            ),
            (3, 58, "records[1].phases[0]: expected a phase"),
            (4, 12, "records[2].files[0]: expected a file"),
            (
                4,
                28,
                "records[2].files[1].path: expected text, found a list",
            ),
            (4, 46, "records[2].files[1].package: expected text"),
            (
                4,
                61,
                "records[2].files[1].template: expected text, found the boolean false",
            ),
            (
                4,
                86,
                "records[2].files[1].captures.n: expected text, found the number 1",
            ),
            (5, 21, "records[2].phases[0].name: expected text"),
            (5, 40, "invocations[0]: expected an invocation"),
            (
                5,
                56,
                "invocations[1].action: expected text, found the number 5",
            ),
            (
                5,
                69,
                "invocations[1].kwargs: expected an object from kwarg to value, found a list",
            ),
            (5, 100, "invocations[2].kwargs: expected an object"),
            (6, 20, "variables.n: expected text, found null"),
        ],
    );
    for text in ["[]", "3", "null", "\"x\""] {
        assert_faults(
            text,
            &[(
                1,
                1,
                "the recording: expected an object with the key \"records\"",
            )],
        );
    }
    assert_eq!(
        help("{\"records\": [{\"record_id\": 12}]}"),
        "put it in double quotes: \"12\""
    );
    assert_eq!(
        help("{\"records\": {}}"),
        "put it in square brackets: [{ ... }]"
    );
}

#[test]
fn j10_unsound_json_text_behind_it_and_repeated_keys_are_faults() {
    assert_eq!(faults("{\"records\": [}").len(), 1);
    assert_eq!(faults("").len(), 1);
    assert_faults(
        "{\"records\": []}\ngarbage {",
        &[(2, 1, "nothing after the JSON value")],
    );
    assert_faults(
        "{\"records\": []}\n{\"records\": []}",
        &[(2, 1, "nothing after")],
    );
    assert_faults(
        "{\"records\": [],\n\"records\": [{\"record_id\": 1, \"x\": {\"y\": 1,\n\"y\": 2}}]} x",
        &[
            (2, 1, "\"records\" is given twice"),
            (2, 27, "expected text"),
            (3, 1, "\"y\" is given twice"),
            (3, 12, "nothing after"),
        ],
    );
}

#[test]
fn j19_a_record_or_a_path_may_come_twice() {
    let file = r#"{"path": "a.x", "package": "p"}"#;
    let text = format!(
        r#"{{"records": [{{"record_id": "R", "files": [{file}, {file}]}}, {{"record_id": "R"}}]}}"#
    );
    let recording = sound(&text);
    assert_eq!(recording.records.len(), 2);
    assert_eq!(recording.records[0].files.len(), 2);
}

#[test]
fn a_file_that_gives_no_text_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rec.json");
    let gone = read(&path).unwrap_err().to_string();
    assert!(gone.contains("rec.json cannot be read"), "{gone}");
    std::fs::write(&path, b"{\"records\": [\xff]}").unwrap();
    let unsound = read(&path).unwrap_err().to_string();
    assert!(unsound.contains("rec.json is not UTF-8"), "{unsound}");
    let directory = read(folder.path()).unwrap_err().to_string();
    assert!(directory.contains("is a directory"), "{directory}");
    std::fs::write(&path, "\u{feff}{\"records\": []}\n").unwrap();
    assert!(read(&path).unwrap().records.is_empty());
    std::fs::write(&path, "{\"records\": 1}").unwrap();
    let fault = read(&path).unwrap_err().to_string();
    assert!(
        fault.contains("rec.json:1:13: records: expected a list of records"),
        "{fault}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn x37_no_text_makes_it_panic(text in "(\\{|\\}|\\[|\\]|,|:|\"records\":|\"files\":|\"phases\":|\"path\"|null|1| |\\PC){0,20}") {
        let _ = parse(&Source::new("rec.json", text));
    }

    /// Cutting or changing a sound recording anywhere gives a recording or faults with places inside the text.
    #[test]
    fn x37_changed_recordings_have_placed_faults(at in 0..WHOLE.len(), with in "[\\[\\]{}\",:0-9a ]{0,2}", drop in 0usize..12) {
        let mut text = WHOLE.to_owned();
        text.replace_range(at..(at + drop).min(WHOLE.len()), &with);
        if let Err(problems) = parse(&Source::new("rec.json", text.as_str())) {
            prop_assert!(!problems.is_empty());
            for problem in problems {
                prop_assert!(problem.place.unwrap().span.end as usize <= text.len());
            }
        }
    }
}
