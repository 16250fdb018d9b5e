use crate::selection::converse::fixture::Fixture;
use crate::selection::decode::decode;

/// What is said of a list of invocations, a line for each violation.
fn said(fixture: &Fixture, invocations: &[&str]) -> Vec<String> {
    let list = decode(&format!("[{}]", invocations.join(","))).unwrap();
    let violations = fixture.judge().judge(&list).unwrap_err();
    violations.iter().map(ToString::to_string).collect()
}

#[test]
fn a_free_target_that_is_no_file_is_told_the_whole_paths_it_may_name_d18_k13() {
    let fixture = Fixture::new(&[&["cloths/rug.weft", "books/north_hall/mon.weft"]]);
    let note = r#"{"action": "addNote", "kwargs": {"file": "mon.weft", "text": "t"}}"#;
    let expected = "[unauthorized_path] #1 addNote: addNote aims at \"mon.weft\" (\"{{file}}\"), which is none of this \
                    record's files: bind \"file\" to the whole path of one that carries its anchor: \
                    books/north_hall/mon.weft";
    assert_eq!(said(&fixture, &[note]), [expected]);
}

#[test]
fn a_free_target_that_nothing_could_mend_is_to_be_left_out_d18_k13() {
    let fixture = Fixture::new(&[&["cloths/rug.weft"]]);
    let note = r#"{"action": "addNote", "kwargs": {"file": "rug.weft", "text": "t"}}"#;
    let [line] = &said(&fixture, &[note])[..] else {
        panic!("one violation is expected");
    };
    assert!(
        line.ends_with(": leave this invocation out, for none of them carries its anchor"),
        "{line}"
    );
}

#[test]
fn a_target_made_of_values_is_told_every_file_d18() {
    let fixture = Fixture::new(&[&["cloths/rug.weft", "cloths/bag.weft"]]);
    let pick = r#"{"action": "addPick", "kwargs": {"cloth": "rag", "shed": 1}}"#;
    let [line] = &said(&fixture, &[pick])[..] else {
        panic!("one violation is expected");
    };
    for part in [
        "aims at \"cloths/rag.weft\"",
        "bind other values, or leave this invocation out",
        "cloths/bag.weft",
        "cloths/rug.weft",
    ] {
        assert!(line.contains(part), "{part} is missing in: {line}");
    }
}

#[test]
fn a_file_without_the_anchor_is_told_its_anchors_and_the_files_that_have_it_d20() {
    let both = Fixture::new(&[&["cloths/rug.weft", "books/north_hall/mon.weft"]]);
    let note = r#"{"action": "addNote", "kwargs": {"file": "cloths/rug.weft", "text": "t"}}"#;
    let expected = "[anchor_unplanted] #1 addNote: addNote injects at the anchor \"notes\", which \"cloths/rug.weft\" does \
                    not carry (that file plants: edge, edge_end, nobody, picks): aim it at one that does: \
                    books/north_hall/mon.weft";
    assert_eq!(said(&both, &[note]), [expected]);
    let alone = Fixture::new(&[&["cloths/rug.weft"]]);
    let [line] = &said(&alone, &[note])[..] else {
        panic!("one violation is expected");
    };
    assert!(
        line.ends_with(": leave this invocation out, for no file of this record does"),
        "{line}"
    );
}

#[test]
fn a_violation_says_what_is_to_be_done_d11_d15_d16_g3() {
    let fixture = Fixture::new(&[&["cloths/rug.weft"]]);
    let pick = r#"{"action": "addPick", "kwargs": {"cloth": "rug", "shed": 1, "tint": "red"}}"#;
    let bare = r#"{"action": "addPick", "kwargs": {"cloth": "rug"}}"#;
    let text = r#"{"action": "addPick", "kwargs": {"cloth": "rug", "shed": "one"}}"#;
    let expected = [
        "[unknown_kwarg] #1 addPick: it declares no kwarg \"tint\": leave that out; its kwargs are: beats, cloth, shed",
        "[missing_kwarg] #2 addPick: the required kwarg \"shed\" (int) is not bound: bind it",
        "[kwarg_type] #3 addPick: kwarg \"shed\" is of type int: bind a whole number, not the text \"one\"",
    ];
    assert_eq!(said(&fixture, &[pick, bare, text]), expected);
}
