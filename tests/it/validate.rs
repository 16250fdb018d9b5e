//! `sedum validate`: the counts, the order, the exit status, and one deliberate mistake a test.
//!
//! Each mistake starts from the sound package of `loom` and asserts the whole of what L7 fixes of a finding's first
//! line: severity, place and slug.

use crate::loom::loom;
use crate::run::{Done, Run};

const MANIFEST: &str = "gen/loom/sedum.yaml";
const ACTIONS: &str = "gen/loom/actions/actions.yaml";
const CLOTH: &str = "gen/loom/files/cloth/{name}.loom";

fn validate() -> Run {
    loom(["validate", "--generators", "gen"])
}

/// The findings' lines up to the slug.
fn heads(done: &Done) -> Vec<String> {
    let lines = done.out.lines();
    lines
        .filter(|line| line.starts_with("error: ") || line.starts_with("warning: "))
        .map(|line| line.split_inclusive(']').next().unwrap().to_owned())
        .collect()
}

/// The package is rejected for exactly these errors, and the full report says each of `saying`.
fn rejected(run: Run, findings: &[&str], saying: &[&str]) -> Done {
    let done = run.go();
    assert_eq!(done.status, Some(1), "{}", done.report());
    let mut errors = heads(&done);
    errors.retain(|head| head.starts_with("error: "));
    assert_eq!(errors, findings, "{}", done.report());
    assert_eq!(done.err, "sedum: packages rejected: loom\n");
    let done = done
        .wrote_nothing()
        .then(["validate", "--generators", "gen", "--format", "human"]);
    done.go().says(saying)
}

/// The package loads with exactly these warnings, and is rejected under `--strict` for them.
fn warned(change: impl Fn(Run) -> Run, findings: &[&str], saying: &[&str]) {
    let done = change(validate()).ok().wrote_nothing();
    assert_eq!(heads(&done), findings, "{}", done.report());
    let count = format!(
        "1 package(s) loaded, 0 error(s), {} warning(s)\n",
        findings.len()
    );
    assert!(done.out.ends_with(&count), "{}", done.out);
    let errors: Vec<_> = findings
        .iter()
        .map(|head| head.replace("warning: ", "error: "))
        .collect();
    let errors: Vec<_> = errors.iter().map(String::as_str).collect();
    rejected(change(validate()).args(["--strict"]), &errors, saying);
}

#[test]
fn a_sound_package_u15() {
    let done = validate().ok().wrote_nothing();
    assert_eq!(done.out, "1 package(s) loaded, 0 error(s), 0 warning(s)\n");
}

#[test]
fn findings_are_ordered_and_a_package_drops_whole_l4_l8() {
    let done = validate()
        .edit(MANIFEST, "  title: [pascal]", "  title: [pascle]")
        .edit(ACTIONS, "    anchor: threads", "    anchor: thread")
        .file("gen/loom/actions/spare.loom", "x\n")
        .file("gen/asp/sedum.yaml", "name: wasp\n")
        .file("gen/asp/actions/actions.yaml", "actions: {}\n")
        .file("gen/yarn/sedum.yaml", "name: yarn\nextensions: [.loom]\n")
        .file("gen/yarn/actions/actions.yaml", "actions: {}\n")
        .go()
        .wrote_nothing();
    insta::assert_snapshot!(done.report());
}

#[test]
fn manifest_missing_l6() {
    rejected(
        validate().without(MANIFEST),
        &["error: loom/sedum.yaml [manifest_missing]"],
        &[],
    );
}

#[test]
fn manifest_empty_l6() {
    rejected(
        validate().file(MANIFEST, ""),
        &["error: loom/sedum.yaml [manifest_malformed]"],
        &[],
    );
}

#[test]
fn manifest_with_an_unknown_key_l13() {
    rejected(
        validate().edit(MANIFEST, "unmanaged:", "unmanagd:"),
        &["error: loom/sedum.yaml:10:1 [manifest_malformed]"],
        &["unmanagd", "unmanaged"],
    );
}

#[test]
fn manifest_with_a_tab_is_placed_l7() {
    rejected(
        validate().edit(MANIFEST, "  ident:", "\tident:"),
        &["error: loom/sedum.yaml:5:2 [manifest_malformed]"],
        &[],
    );
}

#[test]
fn name_of_another_folder_l16() {
    rejected(
        validate().edit(MANIFEST, "name: loom", "name: spindle"),
        &["error: loom/sedum.yaml:1:7 [package_name_mismatch]"],
        &["spindle", "loom"],
    );
}

#[test]
fn extension_without_a_dot_and_a_repeated_one_l17() {
    rejected(
        validate().edit(MANIFEST, "[.loom]", "[.loom, cloth, .LOOM]"),
        &[
            "error: loom/sedum.yaml:2:21 [extension_invalid]",
            "error: loom/sedum.yaml:2:28 [extension_invalid]",
        ],
        &["cloth", ".LOOM"],
    );
}

#[test]
fn comment_prefixes_that_cannot_be_s13() {
    for (to, place, slug) in [
        ("", "", "comment_prefix_missing"),
        (
            "comment_prefix: \"-\\n-\"\n",
            ":3:17",
            "comment_prefix_invalid",
        ),
        (
            "comment_suffix: \"*/\"\n",
            ":3:17",
            "comment_suffix_without_prefix",
        ),
    ] {
        let done = validate()
            .edit(MANIFEST, "comment_prefix: \"--\"\n", to)
            .go()
            .wrote_nothing();
        assert_eq!(done.status, Some(1), "{}", done.report());
        let head = format!("error: loom/sedum.yaml{place} [{slug}]");
        assert!(heads(&done).contains(&head), "{}", done.report());
    }
}

#[test]
fn transform_faults_s2_s3_s4() {
    rejected(
        validate()
            .edit(
                MANIFEST,
                "  title: [pascal]",
                "  title: [pascal]\n  none: []\n  upper: [lower]\n  twice: [title]",
            )
            .edit(
                MANIFEST,
                "  pascal:\n    xl: XL",
                "  pascal:\n    xl: XL\n  snake: { a: b }",
            ),
        &[
            "error: loom/sedum.yaml:7:3 [transform_invalid]",
            "error: loom/sedum.yaml:8:3 [transform_invalid]",
            "error: loom/sedum.yaml:9:11 [transform_invalid]",
            "error: loom/sedum.yaml:13:3 [transform_invalid]",
        ],
        &["upper", "title", "snake"],
    );
}

#[test]
fn unmanaged_over_a_file_template_s7_s8() {
    rejected(
        validate().edit(MANIFEST, "  - legacy/", "  - cloth/"),
        &["error: loom/sedum.yaml:11:5 [unmanaged_contradiction]"],
        &["cloth/{name}.loom"],
    );
}

#[test]
fn unmanaged_and_test_paths_that_cannot_be_read_s6_s9() {
    rejected(
        validate()
            .edit(MANIFEST, "  - legacy/", "  - \"le[gacy\"\n  - \" \"")
            .edit(MANIFEST, "[trials/]", "[\"trials/[\"]"),
        &[
            "error: loom/sedum.yaml:11:5 [unmanaged_invalid]",
            "error: loom/sedum.yaml:12:5 [unmanaged_invalid]",
            "error: loom/sedum.yaml:14:14 [test_paths_invalid]",
        ],
        &[],
    );
}

#[test]
fn a_variable_named_like_a_kwarg_and_a_capture_s12() {
    let done = validate()
        .edit(MANIFEST, "  mill:", "  name: {}\n  mill:")
        .go();
    assert_eq!(done.status, Some(1));
    let heads = heads(&done);
    assert!(!heads.is_empty());
    for head in heads {
        assert!(
            head.starts_with("error: loom/sedum.yaml:15:3 [variable_collides]"),
            "{head}"
        );
    }
}

#[test]
fn actions_file_missing_and_empty_l6_l15() {
    let without = validate().without("gen/loom/actions");
    rejected(
        without,
        &["error: loom/actions/actions.yaml [actions_missing]"],
        &[],
    );
    rejected(
        validate().file(ACTIONS, ""),
        &["error: loom/actions/actions.yaml [actions_malformed]"],
        &["actions: {}"],
    );
}

#[test]
fn a_repeated_action_names_both_places_l14() {
    rejected(
        validate().edit(ACTIONS, "  addMend:", "  addNote: {}\n  addMend:"),
        &["error: loom/actions/actions.yaml:47:3 [actions_malformed]"],
        &["addNote", "38"],
    );
}

#[test]
fn an_unknown_action_key_says_which_l13() {
    rejected(
        validate().edit(ACTIONS, "    tier: seeded", "    teir: seeded"),
        &["error: loom/actions/actions.yaml:43:5 [actions_malformed]"],
        &["teir", "tier"],
    );
}

#[test]
fn yes_is_no_boolean_l14a() {
    rejected(
        validate().edit(
            ACTIONS,
            "tight: { type: bool, required: true }",
            "tight: { type: bool, required: yes }",
        ),
        &["error: loom/actions/actions.yaml:50:38 [actions_malformed]"],
        &["true"],
    );
}

#[test]
fn a_kwarg_of_an_unknown_type_a5() {
    rejected(
        validate().edit(ACTIONS, "type: bool", "type: boolean"),
        &["error: loom/actions/actions.yaml:50:22 [kwarg_type_unknown]"],
        &["string", "int", "bool", "list", "literal"],
    );
}

#[test]
fn defaults_where_they_may_not_be_a8_a9() {
    rejected(
        validate()
            .edit(
                ACTIONS,
                "count: { type: int, required: false, default: 1 }",
                "count: { type: int, required: false, default: one }",
            )
            .edit(
                ACTIONS,
                "tight: { type: bool, required: true }",
                "tight: { type: bool, required: true, default: true }",
            ),
        &[
            "error: loom/actions/actions.yaml:7:53 [kwarg_default_type]",
            "error: loom/actions/actions.yaml:50:53 [kwarg_default_on_required]",
        ],
        &["count", "tight"],
    );
}

#[test]
fn an_action_without_target_and_anchor_a14() {
    rejected(
        validate().edit(ACTIONS, "  addMend:\n    kwargs:\n      file: { type: string, required: true }\n      tight: { type: bool, required: true }\n    injects_into: \"{{file}}\"\n    anchor: before_match\n    anchor_pattern: '(?m)^end$'\n", "  addMend:\n    kwargs:\n      file: { type: string, required: true }\n      tight: { type: bool, required: true }\n"),
        &[
            "error: loom/actions/actions.yaml:47:3 [action_incomplete]",
            "error: loom/actions/actions.yaml:47:3 [action_incomplete]",
        ],
        &["addMend", "injects_into", "anchor"],
    );
}

#[test]
fn an_action_named_anchor_or_with_a_blank_a28() {
    let anchor = rejected(
        validate()
            .edit(ACTIONS, "  addMend:", "  anchor:")
            .set_up(|dir| {
                let at = dir.join("gen/loom/actions");
                std::fs::rename(at.join("addMend.loom"), at.join("anchor.loom")).unwrap();
            }),
        &["error: loom/actions/actions.yaml:47:3 [action_name_reserved]"],
        &["anchor"],
    );
    drop(anchor);
    let done = validate().edit(ACTIONS, "  addMend:", "  add mend:").go();
    assert!(
        heads(&done)
            .contains(&"error: loom/actions/actions.yaml:47:3 [action_name_invalid]".to_owned()),
        "{}",
        done.report()
    );
}

#[test]
fn anchors_that_do_not_hold_together_a29_a30_a31() {
    rejected(
        validate()
            .edit(ACTIONS, "    anchor: threads", "    anchor: marker")
            .edit(ACTIONS, "    anchor_end: picks_end\n", "")
            .edit(
                ACTIONS,
                "    anchor: end_of_file",
                "    anchor: end_of_file\n    anchor_pattern: x",
            )
            .edit(ACTIONS, "'(?m)^end$'", "'(?=end)'"),
        &[
            "error: loom/actions/actions.yaml:9:13 [anchor_invalid]",
            "error: loom/actions/actions.yaml:20:13 [anchor_invalid]",
            "error: loom/actions/actions.yaml:36:21 [anchor_invalid]",
            "error: loom/actions/actions.yaml:53:21 [anchor_invalid]",
        ],
        &["look", "anchor_end"],
    );
}

#[test]
fn a_discriminator_that_is_no_kwarg_a15() {
    let done = validate()
        .edit(
            ACTIONS,
            "    discriminator: kind",
            "    discriminator: sort",
        )
        .go();
    assert_eq!(
        heads(&done),
        ["error: loom/actions/actions.yaml:16:20 [discriminator_unknown_kwarg]"],
        "{}",
        done.report()
    );
}

#[test]
fn a_discriminator_of_another_type_a16() {
    rejected(
        validate().edit(ACTIONS, "kind: { type: string", "kind: { type: int"),
        &["error: loom/actions/actions.yaml:16:20 [discriminator_type]"],
        &["kind"],
    );
}

#[test]
fn tiers_and_identities_a3_m25() {
    rejected(
        validate()
            .edit(ACTIONS, "tier: seeded", "tier: kept")
            .edit(
                ACTIONS,
                "identity: [cloth, name]",
                "identity: [cloth, nam, turns]",
            )
            .edit(ACTIONS, "identity: [file]", "identity: []"),
        &[
            "error: loom/actions/actions.yaml:18:23 [identity_unknown_kwarg]",
            "error: loom/actions/actions.yaml:18:28 [identity_optional_kwarg]",
            "error: loom/actions/actions.yaml:42:15 [identity_empty]",
            "error: loom/actions/actions.yaml:43:11 [tier_unknown]",
        ],
        &["nam", "turns", "owned", "seeded"],
    );
}

#[test]
fn composites_that_do_not_hold_together_a21_a22_a26() {
    rejected(
        validate().edit(
            ACTIONS,
            "    composes: [topEdge, bottomEdge]",
            "    composes: [topEdge, topEdge]\n    anchor: threads\n    tier: owned\n  both:\n    composes: [addEdges, bottomEdgy]\n  useless:\n    composes: []",
        ),
        &[
            "error: loom/actions/actions.yaml:23:3 [composite_malformed]",
            "error: loom/actions/actions.yaml:24:25 [composite_malformed]",
            "error: loom/actions/actions.yaml:28:16 [composite_nested]",
            "error: loom/actions/actions.yaml:28:26 [composite_unknown_child]",
            "error: loom/actions/actions.yaml:30:15 [composite_malformed]",
        ],
        &["anchor, tier", "bottomEdge"],
    );
}

#[test]
fn children_that_disagree_a23_a25() {
    rejected(
        validate().edit(
            ACTIONS,
            "  topEdge:\n    kwargs:\n      cloth: { type: string, required: true }",
            "  topEdge:\n    kwargs:\n      cloth: { type: string, required: true }\n      knots: { type: int, required: true }",
        ),
        &["error: loom/actions/actions.yaml:23:3 [composite_kwarg_conflict]"],
        &["knots"],
    );
}

#[test]
fn templates_of_actions_a17_a18() {
    rejected(
        validate()
            .without("gen/loom/actions/addThread.loom")
            .without("gen/loom/actions/addPick/twill.loom")
            .without("gen/loom/actions/topEdge.loom")
            .file("gen/loom/actions/topEdge/a.loom", "x\n")
            .file("gen/loom/actions/addMend.txt", "x\n"),
        &[
            "error: loom/actions/actions.yaml:2:3 [action_template_missing]",
            "error: loom/actions/actions.yaml:17:23 [variant_template_missing]",
            "error: loom/actions/actions.yaml:25:3 [action_template_wrong_form]",
            "error: loom/actions/actions.yaml:47:3 [action_template_ambiguous]",
        ],
        &["addThread", "twill", "topEdge", "addMend.txt"],
    );
}

#[test]
fn template_syntax_and_transforms_l20_l22() {
    rejected(
        validate()
            .file(
                "gen/loom/actions/addThread.loom",
                "a\nthread {{colour|lowr}} {{if count}}\n{{count",
            )
            .file("gen/loom/actions/topEdge.loom", "edge {{cloth|prefix}}\n"),
        &[
            "error: loom/actions/addThread.loom:2:17 [transform_undefined]",
            "error: loom/actions/addThread.loom:2:24 [template_syntax_invalid]",
            "error: loom/actions/addThread.loom:3:1 [template_syntax_invalid]",
            "error: loom/actions/topEdge.loom:1:14 [transform_undefined]",
        ],
        &["lowr", "lower", "if count"],
    );
}

#[test]
fn values_that_nothing_declares_l23_l24() {
    rejected(
        validate()
            .file("gen/loom/actions/addThread.loom", "{{color}}\n")
            .edit(ACTIONS, "  addThread:\n    description: Adds a thread to a cloth.\n    kwargs:\n      cloth: { type: string, required: true }", "  addThread:\n    description: Adds a thread to a cloth.\n    kwargs:\n      clothes: { type: string, required: true }")
            .file(CLOTH, "-- sedum:anchor:threads\n-- sedum:anchor:picks\n-- sedum:anchor:picks_end\n{{title}}\n")
            .file("gen/loom/files/_default.loom", "{{name}}\n"),
        &[
            "error: loom/actions/actions.yaml:8:26 [template_value_undeclared]",
            "error: loom/actions/addThread.loom:1:1 [template_value_undeclared]",
            "error: loom/files/_default.loom:1:1 [template_value_undeclared]",
            "error: loom/files/cloth/{name}.loom:4:1 [template_value_undeclared]",
        ],
        &["color", "colour", "cloth"],
    );
}

#[test]
fn file_templates_that_cannot_be_f5_f11() {
    rejected(
        validate()
            .file("gen/loom/files/a/{x}{y}.loom", "")
            .file("gen/loom/files/b/{x}_{y}.loom", "")
            .file("gen/loom/files/b/{y}_{x}.loom", "")
            .file("gen/loom/files/c/{{x}}.loom", ""),
        &[
            "error: loom/files/a/{x}{y}.loom [file_template_invalid]",
            "error: loom/files/b/{x}_{y}.loom [file_template_tie]",
            "error: loom/files/c/{{x}}.loom [template_syntax_invalid]",
        ],
        &["b/{y}_{x}.loom"],
    );
}

#[test]
fn a_template_that_is_not_text_l6() {
    rejected(
        validate().file("gen/loom/files/_default.loom", b"caf\xe9\n"),
        &["error: loom/files/_default.loom [file_unreadable]"],
        &["UTF-8"],
    );
}

#[cfg(unix)]
#[test]
fn a_template_outside_its_package_l3() {
    rejected(
        validate().set_up(|dir| {
            let link = dir.join("gen/loom/files/out.loom");
            std::os::unix::fs::symlink(dir.join("rec/scarf.yml"), link).unwrap();
        }),
        &["error: loom/files/out.loom [template_outside_package]"],
        &[],
    );
}

#[cfg(unix)]
#[test]
fn linked_packages_l3() {
    use std::os::unix::fs::symlink;
    let link =
        |to: &'static str| validate().set_up(move |dir| symlink(to, dir.join("gen/felt")).unwrap());
    for nowhere in ["nowhere", "felt"] {
        link(nowhere).refused(1, &["gen/felt"]);
    }
    // A linked package's name is the link's.
    let done = link("loom").go();
    assert_eq!(
        heads(&done),
        ["error: felt/sedum.yaml:1:7 [package_name_mismatch]"]
    );
    link("../elsewhere")
        .file("elsewhere/sedum.yaml", "name: felt\nextensions: [.felt]\n")
        .file("elsewhere/actions/actions.yaml", "actions: {}\n")
        .ok()
        .says(&["2 package(s) loaded, 0 error(s)"]);
}

#[test]
fn warnings_about_anchors_l26_l27_f21() {
    warned(
        |run| {
            run.edit(
                CLOTH,
                "-- sedum:anchor:threads\n",
                "-- sedum:anchor:thread\nx -- sedum:anchor:odd\n-- sedum:anchor:thread\n",
            )
        },
        &[
            "warning: loom/actions/actions.yaml:9:13 [anchor_marker_unplanted]",
            "warning: loom/files/cloth/{name}.loom:2:1 [anchor_marker_unfilled]",
            "warning: loom/files/cloth/{name}.loom:3:1 [anchor_line_malformed]",
            "warning: loom/files/cloth/{name}.loom:4:1 [anchor_planted_twice]",
        ],
        &["threads", "thread"],
    );
}

#[test]
fn warnings_about_actions_l25_l29_l35_a32() {
    warned(
        |run| {
            run.edit(
                ACTIONS,
                "count: { type: int, required: false, default: 1 }",
                "count: { type: int, required: false }",
            )
            .edit(ACTIONS, "'(?m)^end$'", "'^end$'")
            .edit(
                ACTIONS,
                "    anchor: before_match",
                "    exposed: false\n    anchor: before_match",
            )
            .file("gen/loom/actions/addThraed.loom", "x\n")
            .file("gen/loom/actions/addPick/sateen.loom", "x\n")
            .file("gen/loom/actions/addThread.loom~", "x\n")
        },
        &[
            "warning: loom/actions/actions.yaml:7:7 [kwarg_requirement_understated]",
            "warning: loom/actions/actions.yaml:47:3 [action_dead]",
            "warning: loom/actions/actions.yaml:54:21 [anchor_pattern_line_mode]",
            "warning: loom/actions/addPick/sateen.loom [template_unused]",
            "warning: loom/actions/addThraed.loom [template_unused]",
        ],
        &["count", "addMend"],
    );
}

#[test]
fn one_package_of_several_and_an_unknown_one_l33() {
    let broken = || validate().file("gen/rope/sedum.yaml", "name: hemp\n");
    let done = broken().args(["--package", "loom"]).ok();
    assert_eq!(done.out, "1 package(s) loaded, 0 error(s), 0 warning(s)\n");
    broken()
        .args(["--package", "lom"])
        .refused(1, &["lom", "loom", "rope"]);
}

#[test]
fn a_folder_without_packages_l33() {
    Run::new(["validate", "--generators", "gen"])
        .file("gen/README", "nothing\n")
        .file("gen/.git/config", "")
        .refused(1, &["gen"]);
    Run::new(["validate", "--generators", "nowhere"]).refused(1, &["nowhere"]);
}

#[test]
fn the_verdict_does_not_depend_on_where_it_is_asked_l9() {
    let done = validate()
        .edit(MANIFEST, "name: loom", "name: spindle")
        .go();
    let out = done.out.clone();
    let generators = done.path().join("gen");
    let from_elsewhere = Run::new(["validate", "--generators", generators.to_str().unwrap()]).go();
    assert_eq!(from_elsewhere.out, out);
}
