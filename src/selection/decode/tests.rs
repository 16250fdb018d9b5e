use proptest::prelude::*;

use super::{decode, truncated, without_reasoning};
use crate::diag::Rule;
use crate::selection::Violation;

const STEP: &str = r#"{"action": "addPick", "kwargs": {"cloth": "rug", "shed": 3.0}}"#;

/// The actions and their kwargs as JSON.
fn decoded(text: &str) -> Vec<(String, Vec<(String, String)>)> {
    let invocations = decode(text).unwrap_or_else(|v| panic!("{text}: {v:?}"));
    invocations
        .into_iter()
        .map(|i| {
            let kwargs = i.kwargs.iter().map(|(n, v)| (n.clone(), v.to_json()));
            (i.action, kwargs.collect())
        })
        .collect()
}

fn violations(text: &str) -> Vec<Violation> {
    decode(text)
        .err()
        .unwrap_or_else(|| panic!("{text} is accepted"))
}

fn faults(text: &str) -> Vec<(Rule, Option<usize>)> {
    violations(text).iter().map(|v| (v.rule, v.index)).collect()
}

#[test]
fn the_envelope_and_a_bare_array_are_read_and_numbers_keep_their_spelling_d1() {
    for text in [
        format!("{{\"invocations\": [{STEP}]}}"),
        format!(" [{STEP}]\n"),
    ] {
        let kwargs = [("cloth", "\"rug\""), ("shed", "3.0")];
        let kwargs = kwargs.map(|(n, v)| (n.to_owned(), v.to_owned())).to_vec();
        assert_eq!(decoded(&text), [("addPick".to_owned(), kwargs)]);
    }
}

#[test]
fn a_reasoning_block_and_a_fence_are_taken_off_d2() {
    let plain = r#"{"invocations": []}"#;
    for text in [
        format!("<think>\nmaybe {{1}}, [2]\n</think>\n\n{plain}"),
        format!("```json\n{plain}\n```"),
        format!("```\n{plain}\n```"),
        format!("``` {plain} ```"),
        format!("~~~json\n{plain}\n~~~"),
        format!("````\n{plain}\n````"),
        format!("\u{feff} <think></think>```JSON\n{plain}```\n"),
    ] {
        assert_eq!(decoded(&text), [], "{text}");
    }
}

#[test]
fn any_other_prose_is_a_response_shape_d2_d4() {
    let plain = r#"{"invocations": []}"#;
    for text in [
        format!("Here you are: {plain}"),
        format!("{plain} Done."),
        format!("{plain}}}"),
        format!("{plain}\n{plain}"),
        format!("```json\n{plain}"),
        format!("```json\n{plain}\n````"),
        format!("Look:\n```json\n{plain}\n```"),
        format!("<think>never closed {plain}"),
        format!("first <think></think>{plain}"),
        "``````".to_owned(),
        r#"{"invocations": [}"#.to_owned(),
        "{'invocations': []}".to_owned(),
    ] {
        assert_eq!(faults(&text), [(Rule::ResponseShape, None)], "{text}");
    }
}

#[test]
fn no_text_is_an_empty_response_d4() {
    for text in [
        "",
        " \n\t",
        "<think>I do not know</think>",
        "```\n```",
        "```json\n\n```",
    ] {
        assert_eq!(faults(text), [(Rule::EmptyResponse, None)], "{text:?}");
    }
}

#[test]
fn a_wrong_root_or_no_list_is_a_response_shape_d4() {
    for text in [
        "3",
        "null",
        "\"invocations\"",
        "{}",
        r#"{"Invocations": []}"#,
        r#"{"invocations": {}}"#,
        r#"{"invocations": null}"#,
        r#"{"action": "addPick", "kwargs": {}}"#,
        r#"{"invocations": [], "invocations": []}"#,
        r#"{"why": {"a": 1, "a": 2}, "invocations": []}"#,
    ] {
        assert_eq!(faults(text), [(Rule::ResponseShape, None)], "{text}");
    }
    assert!(
        violations(r#"{"Invocations": []}"#)[0]
            .message
            .contains("Invocations")
    );
}

#[test]
fn extra_keys_are_never_read_d3() {
    let text =
        r#"{"thought": ["x"], "invocations": [{"why": 1, "action": "a", "kwargs": {}}], "n": {}}"#;
    assert_eq!(decoded(text), [("a".to_owned(), Vec::new())]);
}

#[test]
fn kwargs_may_be_missing_misspelt_or_null_d4_d6() {
    for entry in [
        r#"{"action": "a"}"#,
        r#"{"action": "a", "args": {"x": 1}}"#,
        r#"{"action": "a", "Kwargs": {"x": 1}}"#,
        r#"{"action": "a", "kwargs": null}"#,
    ] {
        assert_eq!(
            decoded(&format!("[{entry}]")),
            [("a".to_owned(), Vec::new())],
            "{entry}"
        );
    }
}

#[test]
fn each_bad_entry_makes_one_violation_with_its_place_d4_d7() {
    let text = r#"{"invocations": [
        "a",
        {"action": "fine"},
        {"action": "a", "kwargs": [1]},
        {"name": "a"},
        {"action": " ", "kwargs": 3},
        {"action": 3},
        {"action": null, "kwargs": []},
        {"action": "a", "action": "b"},
        {"action": "a", "kwargs": {"x": 1, "y": 2, "x": 3}},
        {"action": "a", "kwargs": {"x": {"plural": "p", "plural": "q"}}},
        null
    ]}"#;
    let shape = |n| (Rule::InvocationShape, Some(n));
    let nameless = |n| (Rule::MissingAction, Some(n));
    let expected = [
        shape(0),
        shape(2),
        nameless(3),
        nameless(4),
        shape(5),
        shape(6),
        shape(7),
        shape(8),
        shape(9),
        shape(10),
    ];
    assert_eq!(faults(text), expected);
    assert_eq!(violations(text)[1].action, "a");
    assert!(violations(text)[7].message.contains("\"x\""));
}

#[test]
fn received_text_is_quoted_and_cut_on_a_character_boundary_d7() {
    // 300 bytes fall into the middle of an "é"; the quotation marks and dots come on top.
    let text = format!("x{}", "é".repeat(400));
    let message = violations(&text)[0].message.clone();
    assert!(
        message.contains(&format!("\"x{}...\"", "é".repeat(149))),
        "{message}"
    );
    let entry = format!("[{{\"name\": \"{}\"}}]", "y".repeat(1_000));
    assert!(violations(&entry)[0].message.len() < 400);
}

#[test]
fn more_broken_entries_than_anybody_reads_cost_no_more_x37() {
    let text = format!("[{}1]", "1,".repeat(50_000));
    assert_eq!(violations(&text).len(), super::MOST_VIOLATIONS);
}

#[test]
fn deep_nesting_is_a_response_shape_and_no_crash_x36_x37() {
    let text = format!("[{}", "[".repeat(1_000_000));
    assert_eq!(faults(&text), [(Rule::ResponseShape, None)]);
}

#[test]
fn a_cut_off_answer_has_its_own_slug_k29() {
    assert_eq!(truncated().rule.slug(), "response_truncated");
}

#[test]
fn only_a_leading_closed_block_is_reasoning_d2() {
    assert_eq!(
        without_reasoning(" <think>a</think> b</think> "),
        "b</think>"
    );
    assert_eq!(without_reasoning("<think>a"), "<think>a");
    assert_eq!(
        without_reasoning("a <think>b</think>"),
        "a <think>b</think>"
    );
}

proptest! {
    #[test]
    fn no_text_makes_it_panic_x37(text in ".{0,60}") {
        let _ = decode(&text);
        let _ = decode(&format!("```{text}```"));
        let _ = decode(&format!("[{{\"action\": \"a\", {text}}}]"));
    }

    #[test]
    fn what_a_sound_writer_writes_is_read_back_d1(
        list in prop::collection::vec(("[a-z]{1,5}", prop::collection::btree_map("[a-z]{1,4}", "\\PC{0,8}", 0..4)), 0..5)
    ) {
        let entries: Vec<_> = list
            .iter()
            .map(|(action, kwargs)| serde_json::json!({"action": action, "kwargs": kwargs}))
            .collect();
        let text = serde_json::json!({"invocations": entries}).to_string();
        let got = decode(&text).unwrap();
        prop_assert_eq!(got.len(), list.len());
        for (invocation, (action, kwargs)) in got.iter().zip(&list) {
            prop_assert_eq!(&invocation.action, action);
            for (name, value) in kwargs {
                let bound = &invocation.kwargs[name];
                prop_assert_eq!(bound, &crate::value::Value::Text(value.clone()));
            }
        }
    }
}

#[test]
fn what_came_before_the_cut_is_each_whole_entry_once_k29() {
    let [one, two] = [
        r#"{"action": "a", "kwargs": {"x": [1]}}"#,
        r#"{"action": "b"}"#,
    ];
    let names = |text: &str| -> Vec<String> {
        let (list, beginning) = super::before_the_cut(text);
        assert!(text.contains(beginning));
        list.into_iter()
            .map(|invocation| invocation.action)
            .collect()
    };
    let cut =
        format!("```json\n{{\"invocations\": [\n{one},\n{two},\n{one},\n{{\"action\": \"a\", \"kw");
    assert_eq!(names(&cut), ["a", "b"]);
    // A circle that does not begin with the first: what came before it.
    let three = r#"{"action": "c"}"#;
    let circle = format!("[{one},{two},{three},{two},{three},{two},{{\"act");
    assert_eq!(names(&circle), ["a"]);
    assert_eq!(super::before_the_cut(&circle).1, format!("[{one}"));
    assert_eq!(super::before_the_cut("[").1, "[");
    assert_eq!(names(&format!("<think>[3]</think>[{two}, {{\"act")), ["b"]);
    for nothing in [
        "",
        "no list",
        "[",
        "{\"invocations\": [",
        "[{\"action\": \"a",
    ] {
        assert!(names(nothing).is_empty(), "{nothing}");
    }
}
