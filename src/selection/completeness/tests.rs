use super::{Unfilled, question, unfilled};
use crate::invocation::Invocation;
use crate::selection::converse::fixture::Fixture;
use crate::selection::decode::decode;
use crate::selection::prompt::ENVELOPE;

fn open(fixture: &Fixture, answer: &str) -> Vec<(String, Vec<String>)> {
    let invocations: Vec<Invocation> = decode(answer).unwrap();
    let judged = fixture.judge().judge(&invocations).unwrap();
    unfilled(fixture.record(), &fixture.planted, judged.iter().flatten())
        .into_iter()
        .map(|file| (file.path, file.anchors))
        .collect()
}

fn file(path: &str, anchors: &[&str]) -> (String, Vec<String>) {
    (
        path.to_owned(),
        anchors.iter().map(|a| (*a).to_owned()).collect(),
    )
}

#[test]
fn planted_less_filled_less_unfillable_by_file_e1_e4_e5() {
    // "nobody" is planted too, and no action fills it.
    let fixture = Fixture::new(&[&[
        "cloths/rug.weft",
        "cloths/bag.weft",
        "books/north_hall/mon.weft",
    ]]);
    let expected = [
        file("books/north_hall/mon.weft", &["notes", "uses"]),
        file("cloths/bag.weft", &["edge", "edge_end", "picks"]),
        file("cloths/rug.weft", &["edge", "edge_end", "picks"]),
    ];
    assert_eq!(open(&fixture, "[]"), expected);
    let pick = r#"[{"action": "addPick", "kwargs": {"cloth": "rug", "shed": 1}}]"#;
    let mut expected = expected;
    expected[2].1.pop();
    assert_eq!(open(&fixture, pick), expected);
}

#[test]
fn a_region_invocation_fills_both_ends_and_a_composite_counts_by_its_children_e1_e6() {
    let fixture = Fixture::new(&[&["cloths/rug.weft", "books/north_hall/mon.weft"]]);
    let both =
        r#"[{"action": "edgeAndLog", "kwargs": {"cloth": "rug", "kind": "plain", "day": "mon"}}]"#;
    let expected = [
        file("books/north_hall/mon.weft", &["notes"]),
        file("cloths/rug.weft", &["picks"]),
    ];
    assert_eq!(open(&fixture, both), expected);
}

#[test]
fn a_free_target_of_another_package_and_an_unexposed_action_fill_too_e4() {
    let fixture = Fixture::with(
        &[
            (
                "pin/sedum.yaml",
                "name: pin\nextensions: [\".pin\"]\ncomment_prefix: \"~\"\n",
            ),
            (
                "pin/actions/actions.yaml",
                "actions:\n  stick:\n    kwargs: { file: { type: string, required: true } }\n    injects_into: \"{{file}}\"\n    anchor: nobody\n    exposed: false\n",
            ),
            ("pin/actions/stick.pin", "pin\n"),
        ],
        &[&["cloths/rug.weft", "a.pin"]],
    );
    let expected = [file(
        "cloths/rug.weft",
        &["edge", "edge_end", "nobody", "picks"],
    )];
    assert_eq!(open(&fixture, "[]"), expected);
}

#[test]
fn the_question_names_file_and_anchor_asks_and_wants_the_whole_list_e7() {
    let unfilled = Unfilled {
        path: "cloths/rug.weft".to_owned(),
        anchors: vec!["edge".to_owned(), "picks".to_owned()],
    };
    let text = question(std::slice::from_ref(&unfilled), &[]);
    assert!(text.contains("- cloths/rug.weft: edge, picks\n"), "{text}");
    assert!(
        text.contains('?') && text.contains("complete list"),
        "{text}"
    );
    assert!(text.ends_with(ENVELOPE), "{text}");
    let selected = decode(r#"[{"action":"a","kwargs":{"x":1}},{"action":"b"}]"#).unwrap();
    let text = question(&[unfilled], &selected);
    let list = "{\"invocations\": [\n{\"action\":\"a\",\"kwargs\":{\"x\":1}},\n{\"action\":\"b\",\"kwargs\":{}}\n]}";
    assert!(text.ends_with(list), "{text}");
}
