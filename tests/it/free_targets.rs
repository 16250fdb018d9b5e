//! A free target in a file of another package than the action's (E4): its markers are comments of the file.

use serde_json::{Value, json};

use crate::loom::REPLAY;
use crate::run::Run;

const HOME: &str = "name: home\nextensions: [.rug]\ncomment_prefix: \"#\"\n";

/// Package `home` has `tea.rug`, whose anchor its action fills; package `guest` has an action for any file of the record.
fn replay(calls: &[Value]) -> Run {
    let guest = "actions:\n  addNote:\n    kwargs:\n      file: { type: string, required: true }\n      \
                 at: { type: string, required: true }\n      text: { type: literal, required: false, default: none }\n    \
                 discriminator: at\n    variants: [foot]\n    injects_into: \"{{file}}\"\n    anchor: end_of_file\n";
    let home = "actions:\n  addKnot:\n    kwargs:\n      rug: { type: string, required: true }\n    \
                injects_into: \"{{rug}}.rug\"\n    anchor: knots\n";
    Run::new(REPLAY)
        .files([
            ("gen/home/sedum.yaml", HOME),
            (
                "gen/home/files/{name}.rug",
                "rug {{name}}\n# sedum:anchor:knots\nend\n",
            ),
            ("gen/home/actions/actions.yaml", home),
            ("gen/home/actions/addKnot.rug", "knot\n"),
            (
                "gen/guest/sedum.yaml",
                "name: guest\nextensions: [.memo]\ncomment_prefix: \"//\"\n",
            ),
            ("gen/guest/files/{name}.memo", "memo {{name}}\n"),
            ("gen/guest/actions/actions.yaml", guest),
            ("gen/guest/actions/addNote/foot.memo", "note {{text}}\n"),
            ("gen/guest/actions/addNote/_default.memo", "note {{text}}\n"),
        ])
        .file("run.json", recording(calls))
}

fn recording(calls: &[Value]) -> String {
    let file = |path: &str, package: &str, template: &str, name: &str| json!({ "path": path, "package": package, "template": template, "captures": { "name": name } });
    json!({
        "packages": { "home": { "extensions": [".rug"] }, "guest": { "extensions": [".memo"] } },
        "records": [{
            "record_id": "r",
            "files": [file("tea.rug", "home", "{name}.rug", "tea"), file("m.memo", "guest", "{name}.memo", "m")],
            "phases": [{ "name": "default", "invocations": calls }],
        }],
    })
    .to_string()
}

fn knot() -> Value {
    json!({ "action": "addKnot", "kwargs": { "rug": "tea" } })
}

fn note(at: &str, text: &str) -> Value {
    json!({ "action": "addNote", "kwargs": { "file": "tea.rug", "at": at, "text": text } })
}

/// The file with the knot's region and the note's.
fn written(text: &str) -> String {
    let knot = "# sedum:addKnot {\"tier\":\"owned\",\"record\":\"r\",\"kwargs\":{\"rug\":\"tea\"}}\nknot\n# /sedum:addKnot\n";
    let kwargs = json!({ "at": "foot", "file": "tea.rug", "text": text });
    format!(
        "rug tea\n# sedum:anchor:knots\n{knot}end\n# sedum:addNote:foot {{\"tier\":\"owned\",\"record\":\"r\",\"kwargs\":{kwargs}}}\nnote {text}\n# /sedum:addNote:foot\n"
    )
}

#[test]
fn markers_are_comments_of_the_file_whoever_comes_first_m8() {
    for calls in [[knot(), note("foot", "a")], [note("foot", "a"), knot()]] {
        let done = replay(&calls).ok();
        done.wrote("out/tea.rug", &written("a"));
    }
}

#[test]
fn a_region_of_either_package_is_replaced_where_it_stands_m25_i10() {
    for calls in [[knot(), note("foot", "b")], [note("foot", "b"), knot()]] {
        let done = replay(&calls).file("out/tea.rug", written("a")).ok();
        done.wrote("out/tea.rug", &written("b"));
    }
}

#[test]
fn a_body_holds_no_marker_of_the_file_i13() {
    replay(&[note("foot", "a\n# /sedum:addNote:foot")])
        .refused(1, &["body_contains_marker", "tea.rug"])
        .wrote_nothing();
    // What is a marker in the action's own package is text here.
    let text = "a\n// /sedum:addNote:foot";
    let done = replay(&[note("foot", text)]).ok();
    let file = String::from_utf8(done.after["out/tea.rug"].clone()).unwrap();
    assert!(file.contains(text), "{file}");
}

#[test]
fn a_label_does_not_end_the_files_comments_d17() {
    let closed = HOME.replace("\"#\"", "\"<!--\"\ncomment_suffix: \"-->\"");
    replay(&[note("a-->b", "a")])
        .file("gen/home/sedum.yaml", closed)
        .file(
            "gen/home/files/{name}.rug",
            "rug {{name}}\n<!-- sedum:anchor:knots -->\n",
        )
        .refused(1, &["variant", "addNote:a-->b", "-->"])
        .wrote_nothing();
}

#[test]
fn a_file_without_comments_takes_no_region_s13() {
    replay(&[note("foot", "a")])
        .file("gen/home/sedum.yaml", "name: home\nextensions: [.rug]\n")
        .file("gen/home/files/{name}.rug", "rug {{name}}\n")
        .without("gen/home/actions/addKnot.rug")
        .file("gen/home/actions/actions.yaml", "actions: {}\n")
        .refused(1, &["tea.rug", "addNote", "declares no comment_prefix"])
        .wrote_nothing();
}
