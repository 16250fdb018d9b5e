//! `sedum render`: where an invocation would land.

use crate::loom::loom;
use crate::run::Run;

fn render(action: &str, kwargs: &str) -> Run {
    loom(["render", "--generators", "gen", "--package", "loom"])
        .args(["--action", action, "--kwargs", kwargs])
}

#[test]
fn one_target_u19() {
    let done = render("addThread", r#"{"cloth": "RedScarves", "colour": "red"}"#)
        .ok()
        .wrote_nothing();
    insta::assert_snapshot!(done.report());
    let json = render("addThread", r#"{"cloth": "RedScarves"}"#)
        .args(["--json"])
        .ok();
    assert_eq!(
        json.out,
        "{\"package\":\"loom\",\"action\":\"addThread\",\"targets\":[{\"action\":\"addThread\",\"injects_into\":\"cloth/{{cloth|ident}}.loom\",\"path\":\"cloth/red_scarf.loom\"}]}\n"
    );
}

#[test]
fn a_composite_lists_its_children_in_order_u19() {
    insta::assert_snapshot!(render("addEdges", r#"{"cloth": "scarf"}"#).ok().report());
}

#[test]
fn unexposed_actions_and_extra_kwargs_are_fine_u20() {
    render("topEdge", r#"{"cloth": "scarf", "more": [1, {"a": null}]}"#)
        .ok()
        .says(&["cloth/scarf.loom\n"]);
}

#[test]
fn numbers_keep_their_digits_u20() {
    let run = |number: &str| render("addNote", &format!("{{\"file\": {number}}}"));
    for number in ["1000000", "1e3", "2.50", "9007199254740993"] {
        run(number).ok().says(&[&format!("{number}\n")]);
    }
}

#[test]
fn explicit_forms_x15() {
    render(
        "addThread",
        r#"{"cloth": {"singular": "Garb", "plural": "Garbage"}}"#,
    )
    .ok()
    .says(&["cloth/garb.loom\n"]);
    // A missing form falls back to the table over the value's text.
    render("addThread", r#"{"cloth": {"plural": "boxes"}}"#)
        .ok()
        .says(&["cloth/box.loom\n"]);
}

#[test]
fn the_path_is_cleaned_and_may_not_leave_u20() {
    render("addNote", r#"{"file": "./a//b.loom"}"#)
        .ok()
        .says(&["a/b.loom\n"]);
    render("addNote", r#"{"file": "../b.loom"}"#).refused(1, &["addNote", "../b.loom"]);
    render("addNote", r#"{"file": "/b.loom"}"#).refused(1, &["addNote", "/b.loom"]);
}

#[test]
fn values_that_cannot_be_rendered_t6_t8_x17() {
    render("addThread", "{}").refused(1, &["addThread", "cloth"]);
    render("addThread", r#"{"cloth": null}"#).refused(1, &["addThread", "cloth"]);
    render("addThread", r#"{"cloth": ["a"]}"#).refused(1, &["addThread", "cloth"]);
    render("addNote", r#"{"file": ["a"]}"#).refused(1, &["addNote", "file"]);
}

#[test]
fn kwargs_that_are_not_one_object_u20_u3() {
    for text in ["[]", "7", "{", "{} {}", "", r#"{"a": 1, "a": 2}"#] {
        render("addThread", text).refused(2, &["--kwargs", "line 1"]);
    }
}

#[test]
fn an_unknown_action_u18() {
    render("addThraed", "{}").refused(1, &["addThraed", "addThread", "loom"]);
}

#[test]
fn variables_in_a_target_v7() {
    let run = || {
        render("addMend", "{}")
            .edit("gen/loom/actions/actions.yaml", "      tight: { type: bool, required: true }\n    injects_into: \"{{file}}\"", "      tight: { type: bool, required: true }\n    injects_into: \"{{mill|snake}}/x.loom\"")
    };
    run().ok().says(&["north_mill/x.loom\n"]);
    run()
        .args(["--var", "mill=EastMill"])
        .ok()
        .says(&["east_mill/x.loom\n"]);
    run().args(["--var", "mil=x"]).refused(1, &["mil", "mill"]);
    let bare = || run().edit("gen/loom/sedum.yaml", "    default: North Mill\n", "");
    bare().refused(1, &["mill"]);
    bare().args(["--var", "mill=a"]).ok();
}
