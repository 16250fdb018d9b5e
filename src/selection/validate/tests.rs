use crate::selection::converse::fixture::Fixture;
use crate::selection::decode::decode;
use crate::selection::mend::Mend;
use crate::value::{Number, Value};

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
                    record's files: bind \"file\" to the whole path \"books/north_hall/mon.weft\"";
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
fn a_target_made_of_values_is_told_every_file_that_it_can_reach_d18() {
    let fixture = Fixture::new(&[&["cloths/rug.weft", "cloths/bag.weft"]]);
    let pick = r#"{"action": "addPick", "kwargs": {"cloth": "rag", "shed": 1}}"#;
    let [line] = &said(&fixture, &[pick])[..] else {
        panic!("one violation is expected");
    };
    for part in [
        "aims at \"cloths/rag.weft\"",
        "bind other values, or leave this invocation out; it could write into: ",
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

/// The message and the mend of the one violation of a list of invocations.
fn only(fixture: &Fixture, invocations: &[&str]) -> (String, Option<Mend>) {
    let list = decode(&format!("[{}]", invocations.join(","))).unwrap();
    let mut violations = fixture.judge().judge(&list).unwrap_err();
    assert_eq!(violations.len(), 1, "{violations:?}");
    let violation = violations.remove(0);
    (violation.message, violation.mend.map(|mend| *mend))
}

fn bind(kwarg: &str, text: &str) -> Mend {
    Mend::Bind(kwarg.to_owned(), Value::Text(text.to_owned()))
}

#[test]
fn a_value_that_nearly_aims_at_a_file_is_told_the_one_that_does_d18_k20() {
    let fixture = Fixture::new(&[&["cloths/rug.weft"]]);
    for given in ["rugs", "The Rug Cloth"] {
        let pick =
            format!(r#"{{"action": "addPick", "kwargs": {{"cloth": "{given}", "shed": 1}}}}"#);
        let (message, mend) = only(&fixture, &[&pick]);
        let end = ": bind \"cloth\" to \"rug\", which makes it \"cloths/rug.weft\"";
        assert!(message.ends_with(end), "{message}");
        assert_eq!(mend, Some(bind("cloth", "rug")));
    }
}

#[test]
fn a_path_where_a_part_of_it_is_asked_for_is_told_the_part_d18() {
    let fixture = Fixture::new(&[&["cloths/red_rug.weft", "cloths/rug.weft"]]);
    for given in ["cloths/rug.weft", "rug.weft", "cloths/rug"] {
        let pick =
            format!(r#"{{"action": "addPick", "kwargs": {{"cloth": "{given}", "shed": 1}}}}"#);
        assert_eq!(
            only(&fixture, &[&pick]).1,
            Some(bind("cloth", "rug")),
            "{given}"
        );
    }
}

#[test]
fn a_number_that_aims_at_no_file_is_told_the_one_that_does_d18() {
    let actions = "actions:\n  tie:\n    kwargs:\n      row: { type: int, required: true }\n      name: { type: string, required: true }\n    injects_into: \"{{row}}_{{name}}.knot\"\n    anchor: end_of_file\n";
    let manifest = "name: knot\nextensions: [\".knot\"]\ncomment_prefix: \"~\"\n";
    let files = [
        ("knot/sedum.yaml", manifest),
        ("knot/actions/actions.yaml", actions),
        ("knot/actions/tie.knot", "t\n"),
        ("knot/files/{row}_{name}.knot", ""),
    ];
    let fixture = Fixture::with(&files, &[&["1_reef.knot", "2_bend.knot"]]);
    let tie = r#"{"action": "tie", "kwargs": {"row": 4, "name": "bend"}}"#;
    let (message, mend) = only(&fixture, &[tie]);
    let end = ": bind \"row\" to 2, which makes it \"2_bend.knot\"";
    assert!(message.ends_with(end), "{message}");
    let two = Value::Number(Number::parse("2").unwrap());
    assert_eq!(mend, Some(Mend::Bind("row".to_owned(), two)));
}

#[test]
fn a_value_that_means_something_else_is_to_be_left_out_d18() {
    let fixture = Fixture::new(&[&["cloths/rug.weft"]]);
    let curtain = r#"{"action": "addPick", "kwargs": {"cloth": "bag", "shed": 1}}"#;
    let (message, mend) = only(&fixture, &[curtain]);
    let end = ": leave this invocation out; only if it is meant for \"cloths/rug.weft\", bind \"cloth\" to \"rug\"";
    assert!(message.ends_with(end), "{message}");
    assert_eq!(mend, Some(Mend::LeaveOut));
}

#[test]
fn an_action_that_reaches_no_file_is_to_be_left_out_n21() {
    let fixture = Fixture::new(&[&["books/north_hall/mon.weft"]]);
    let pick = r#"{"action": "addPick", "kwargs": {"cloth": "rug", "shed": 1}}"#;
    let (message, mend) = only(&fixture, &[pick]);
    let end = ": leave this invocation out, for no value makes it one of them";
    assert!(message.ends_with(end), "{message}");
    assert_eq!(mend, Some(Mend::LeaveOut));
}

#[test]
fn of_several_files_the_one_that_ends_in_the_given_name_is_meant_d18_k13() {
    let fixture = Fixture::new(&[&["books/north_hall/mon.weft", "books/north_hall/tue.weft"]]);
    let note = |file: &str| {
        format!(r#"{{"action": "addNote", "kwargs": {{"file": "{file}", "text": "t"}}}}"#)
    };
    let (_, mend) = only(&fixture, &[&note("tue.weft")]);
    assert_eq!(mend, Some(bind("file", "books/north_hall/tue.weft")));
    let (message, mend) = only(&fixture, &[&note("wed.weft")]);
    assert_eq!(mend, None);
    let end = "it could write into: books/north_hall/mon.weft, books/north_hall/tue.weft";
    assert!(message.ends_with(end), "{message}");
}

#[test]
fn a_missing_kwarg_of_the_target_is_proposed_where_one_value_fits_d11() {
    let fixture = Fixture::new(&[&["cloths/rug.weft"]]);
    let pick = r#"{"action": "addPick", "kwargs": {"cloth": "Rug", "shed": 1}}"#;
    let bare = r#"{"action": "addPick", "kwargs": {"shed": 2}}"#;
    // The value that the answer has elsewhere comes before the file's own.
    for (list, value) in [(&[pick, bare][..], "Rug"), (&[bare][..], "rug")] {
        let (message, mend) = only(&fixture, list);
        let expected = format!(
            "the required kwarg \"cloth\" (string) is not bound: bind it, most likely to \"{value}\""
        );
        assert_eq!(message, expected);
        assert_eq!(mend, Some(bind("cloth", value)));
    }
    // Two files could be meant.
    let fixture = Fixture::new(&[&["cloths/rug.weft", "cloths/bag.weft"]]);
    assert_eq!(only(&fixture, &[bare]).1, None);
}

#[test]
fn the_other_faults_that_mend_themselves_d15_d16_d21() {
    let fixture = Fixture::new(&[&["cloths/rug.weft"]]);
    let pick = |more: &str| {
        format!(r#"{{"action": "addPick", "kwargs": {{"cloth": "rug", "shed": {more}}}}}"#)
    };
    let mend = |more: &str| only(&fixture, &[&pick(more)]).1;
    let unbind = |names: &[&str]| {
        Some(Mend::Unbind(
            names.iter().map(|n| (*n).to_owned()).collect(),
        ))
    };
    assert_eq!(mend(r#"1, "tint": "red""#), unbind(&["tint"]));
    let near = Mend::Rename("beets".to_owned(), "beats".to_owned());
    assert_eq!(mend(r#"1, "beets": 3"#), Some(near));
    let seven = Value::Number(Number::parse("7").unwrap());
    assert_eq!(mend(r#"" 7 ""#), Some(Mend::Bind("shed".to_owned(), seven)));
    assert_eq!(mend(r#""seven""#), None);
    assert_eq!(
        only(&fixture, &[&pick("1"), &pick("1")]).1,
        Some(Mend::LeaveOut)
    );
}
