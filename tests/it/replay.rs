//! `sedum grow --execute`: what a replay writes, and what it refuses.

use serde_json::json;

use crate::loom::{REPLAY, SCARF, call, loom, record, recording, recording_of, replay, thread};
use crate::run::Run;

/// A recording of nothing, with its text changed.
fn changed(from: &str, to: &str) -> Run {
    replay(&[thread("red")]).edit("run.json", from, to)
}

fn pick(name: &str, kind: &str) -> serde_json::Value {
    call(
        "addPick",
        json!({ "cloth": "scarf", "name": name, "kind": kind }),
    )
}

#[test]
fn every_kind_of_action_in_one_file() {
    let done = replay(&[
        thread("Red"),
        call(
            "addThread",
            json!({ "cloth": "scarf", "colour": "BLUE", "count": 3 }),
        ),
        pick("one", "plain"),
        call(
            "addPick",
            json!({ "cloth": "scarf", "name": "two", "kind": "twill", "turns": 2 }),
        ),
        pick("three", "sateen"),
        call("addEdges", json!({ "cloth": "scarf" })),
        call(
            "addNote",
            json!({ "file": "cloth/scarf.loom", "text": "{{ as is }} & <b>" }),
        ),
        call(
            "addMend",
            json!({ "file": "./cloth//scarf.loom", "tight": false }),
        ),
    ])
    .ok();
    insta::assert_snapshot!(done.report_with("out"));
    let again = done.then(REPLAY).ok().wrote_nothing();
    insta::assert_snapshot!(again.report());
}

#[test]
fn a_second_recording_replaces_by_identity_and_leaves_what_is_seeded_m25_m22() {
    let note = |text: &str| {
        call(
            "addNote",
            json!({ "file": "cloth/scarf.loom", "text": text }),
        )
    };
    let first = replay(&[thread("red"), pick("one", "plain"), note("first")]).ok();
    let second = recording_of(&[record(
        "r-later",
        &["scarf"],
        &[
            call(
                "addThread",
                json!({ "cloth": "scarf", "colour": "red", "count": 9 }),
            ),
            pick("one", "basket"),
            note("second"),
            thread("green"),
        ],
    )]);
    let done = first.then(REPLAY).file("run.json", second).ok();
    insta::assert_snapshot!(done.report_with("out"));
}

#[test]
fn several_phases_in_order_j23() {
    let mut one = record("r1", &["scarf"], &[thread("a")]);
    one["phases"] = json!([
        { "name": "late", "invocations": [thread("b")] },
        { "name": "default", "invocations": [thread("a")] },
    ]);
    let done = loom(REPLAY).file("run.json", recording_of(&[one])).ok();
    let text = done.text("out/cloth/scarf.loom");
    assert!(text.find("thread b") < text.find("thread a"), "{text}");
}

#[test]
fn only_some_records_u10() {
    let two = recording_of(&[record("r1", &["a"], &[]), record("r2", &["b"], &[])]);
    let run = || loom(REPLAY).file("run.json", two.as_str());
    let done = run().args(["--only", "r2"]).ok();
    assert_eq!(
        done.below("out").keys().collect::<Vec<_>>(),
        ["cloth/", "cloth/b.loom"]
    );
    run()
        .args(["--only", "r3"])
        .refused(1, &["--only", "r3", "r1", "r2"]);
}

#[test]
fn stop_points_u9() {
    let files = replay(&[thread("red")])
        .args(["--stop-after", "files"])
        .ok();
    assert_eq!(files.text("out/cloth/scarf.loom"), SCARF);
    insta::assert_snapshot!(files.report());
    let judged = replay(&[thread("red")])
        .args(["--stop-after", "invocations"])
        .ok();
    assert_eq!(judged.text("out/cloth/scarf.loom"), SCARF);
    insta::assert_snapshot!(judged.report());
    let edges = call("addEdges", json!({ "cloth": "scarf" }));
    let expanded = replay(&[thread("red"), edges])
        .args(["--stop-after", "expansion"])
        .ok();
    assert_eq!(expanded.text("out/cloth/scarf.loom"), SCARF);
    insta::assert_snapshot!(expanded.report());
    replay(&[])
        .args(["--stop-after", "resolution"])
        .refused(2, &["--stop-after", "--execute"]);
}

#[test]
fn variables_flag_over_recording_over_default_v10() {
    let text = recording(&[]);
    let with = |value: &str| {
        let mut recording: serde_json::Value = serde_json::from_str(&text).unwrap();
        recording["variables"] = json!({ "mill": value });
        recording.to_string()
    };
    let first = |run: Run| {
        let text = run.ok().text("out/cloth/scarf.loom");
        text.lines().next().unwrap().to_owned()
    };
    let recorded = || loom(REPLAY).file("run.json", with("South Mill"));
    assert_eq!(
        first(loom(REPLAY).file("run.json", text.as_str())),
        "cloth Scarf at North Mill"
    );
    assert_eq!(first(recorded()), "cloth Scarf at South Mill");
    assert_eq!(
        first(recorded().args(["--var", "mill=East=West"])),
        "cloth Scarf at East=West"
    );
    assert_eq!(
        first(recorded().args(["--var", "mill="])),
        "cloth Scarf at "
    );
}

#[test]
fn a_recorded_variable_that_is_gone_warns_j26() {
    let mut recording: serde_json::Value = serde_json::from_str(&recording(&[])).unwrap();
    recording["variables"] = json!({ "miller": "x" });
    let run = || loom(REPLAY).file("run.json", recording.to_string());
    let done = run().go();
    assert_eq!(done.status, Some(0));
    assert!(done.err.starts_with("sedum: warning: "), "{}", done.err);
    assert!(done.err.contains("miller"), "{}", done.err);
    run()
        .args(["--var", "miller=y"])
        .refused(1, &["miller", "mill"]);
}

#[test]
fn ignored_flags_are_named_u10() {
    let done = replay(&[])
        .args(["--lang", "loom", "--model", "m", "--retries", "7"])
        .go();
    assert_eq!(done.status, Some(0));
    assert_eq!(
        done.err,
        "sedum: warning: --lang is ignored with --execute\n\
         sedum: warning: --model is ignored with --execute\n\
         sedum: warning: --retries is ignored with --execute\n"
    );
}

// Mistakes in the recording's text and files.

#[test]
fn no_such_recording() {
    loom(REPLAY).refused(1, &["run.json"]);
}

#[test]
fn bad_json_has_a_place_j10() {
    changed("\"records\":", "\"records\"")
        .refused(1, &["run.json:", "the recording cannot be replayed"]);
}

#[test]
fn text_after_the_recording_j10() {
    let text = recording(&[]) + "{}\n";
    loom(REPLAY)
        .file("run.json", text)
        .refused(1, &["run.json:"]);
}

#[test]
fn a_key_given_twice_j10() {
    changed(
        "\"record_id\": \"r-scarf\",",
        "\"record_id\": \"r-scarf\", \"record_id\": \"x\",",
    )
    .refused(1, &["run.json:", "record_id"]);
}

#[test]
fn a_value_of_the_wrong_type_j10() {
    changed("\"record_id\": \"r-scarf\"", "\"record_id\": 7")
        .refused(1, &["run.json:", "record_id"]);
}

#[test]
fn unknown_keys_are_ignored_j10() {
    changed(
        "\"sedum_version\": \"0.3.0\"",
        "\"sedum_version\": \"99.0.0\", \"novel\": {}",
    )
    .ok();
}

#[test]
fn a_misspelt_key_is_warned_of_and_ignored_j10() {
    let done = changed("\"invocations\": [", "\"invocatons\": [").go();
    assert_eq!(done.status, Some(0), "{}", done.report());
    let err = &done.err;
    for text in [
        "sedum: warning: run.json:",
        "\"invocatons\"",
        "did you mean \"invocations\"?",
    ] {
        assert!(err.contains(text), "{err}");
    }
    assert!(
        done.out.contains("0 invocation(s) selected"),
        "{}",
        done.out
    );
}

#[test]
fn a_package_that_is_gone_j14_j15() {
    changed("\"package\": \"loom\"", "\"package\": \"lom\"")
        .refused(1, &["run.json:", "lom", "loom"]);
    changed("\"loom\": {", "\"rope\": {").refused(1, &["run.json:", "rope"]);
}

#[test]
fn an_extension_that_is_gone_j14() {
    changed("        \".loom\"", "        \".loom\",\n        \".wool\"")
        .refused(1, &["run.json:", "loom", ".wool"]);
}

#[test]
fn a_template_that_is_gone_j17() {
    changed(
        "\"template\": \"cloth/{name}.loom\"",
        "\"template\": \"cloths/{name}.loom\"",
    )
    .refused(1, &["run.json:", "cloths/{name}.loom", "cloth/{name}.loom"]);
}

#[test]
fn captures_that_do_not_give_the_path_j24() {
    changed("\"name\": \"scarf\"", "\"name\": \"shawl\"")
        .refused(1, &["cloth/scarf.loom", "cloth/{name}.loom", "shawl"]);
}

#[test]
fn a_fallback_where_a_template_matches_j24() {
    changed(
        "\"template\": \"cloth/{name}.loom\"",
        "\"template\": \"_default.loom\"",
    )
    .refused(1, &["cloth/scarf.loom", "_default.loom"]);
}

#[test]
fn paths_that_leave_j24_x32() {
    for path in [
        "../scarf.loom",
        "/cloth/scarf.loom",
        "cloth/../../x.loom",
        "C:/x.loom",
        "a\\\\b.loom",
        ".git/x.loom",
    ] {
        changed(
            "\"path\": \"cloth/scarf.loom\"",
            &format!("\"path\": \"{path}\""),
        )
        .refused(1, &["run.json:"]);
    }
}

#[test]
fn a_path_that_is_unmanaged_j24() {
    changed(
        "\"path\": \"cloth/scarf.loom\"",
        "\"path\": \"legacy/scarf.loom\"",
    )
    .refused(1, &["legacy/scarf.loom", "legacy/", "loom"]);
}

#[test]
fn an_extension_that_its_package_does_not_claim_j24() {
    changed(
        "\"path\": \"cloth/scarf.loom\"",
        "\"path\": \"cloth/scarf.wool\"",
    )
    .refused(1, &["cloth/scarf.wool", ".loom"]);
}

#[test]
fn records_that_do_not_cover_or_forbid_j20() {
    let run = |scope: &str| {
        replay(&[])
            .without("rec")
            .file("rec/r.yml", format!("id: other\n{scope}"))
            .args(["--records", "rec"])
    };
    let covered = run("affected_scope: [\"cloth/*\"]\n").go();
    assert_eq!(covered.status, Some(0), "{}", covered.report());
    run("affected_scope: [rags/a.loom]\n").refused(1, &["cloth/scarf.loom"]);
    run("affected_scope: [\"cloth/*\"]\nforbidden_scope: [cloth/scarf.loom]\n")
        .refused(1, &["cloth/scarf.loom", "other"]);
}

#[test]
fn a_file_that_two_replays_share_j22() {
    let first = replay(&[thread("red")]).args(["--records", "rec"]).ok();
    let second = recording(&[thread("blue")]);
    let done = first
        .then(REPLAY)
        .args(["--records", "rec"])
        .file("run.json", second)
        .ok();
    let text = done.text("out/cloth/scarf.loom");
    assert!(text.find("thread red") < text.find("thread blue"), "{text}");
}

// Mistakes in the invocations: one validator, all of them at once, slugs shown.

fn invalid(invocation: serde_json::Value, slug: &str, saying: &[&str]) {
    let slug = format!("[{slug}]");
    let saying: Vec<_> = ["r-scarf", &slug].iter().chain(saying).copied().collect();
    replay(&[thread("red"), invocation]).refused(1, &saying);
}

#[test]
fn an_unknown_action_d9() {
    invalid(
        call("addThred", json!({})),
        "unknown_action",
        &["addThred", "addThread"],
    );
    invalid(
        call("topEdge", json!({ "cloth": "scarf" })),
        "unknown_action",
        &["topEdge"],
    );
}

#[test]
fn a_missing_kwarg_d11() {
    invalid(
        call("addThread", json!({ "cloth": "scarf" })),
        "missing_kwarg",
        &["addThread", "colour"],
    );
}

#[test]
fn an_empty_kwarg_d12() {
    invalid(
        call("addThread", json!({ "cloth": "scarf", "colour": " " })),
        "empty_kwarg",
        &["colour"],
    );
}

#[test]
fn a_missing_derived_kwarg_d13() {
    invalid(
        pick("two", "twill"),
        "missing_derived_kwarg",
        &["turns", "twill"],
    );
}

#[test]
fn an_unknown_kwarg_d15() {
    invalid(
        call(
            "addThread",
            json!({ "cloth": "scarf", "colour": "red", "color": "red" }),
        ),
        "unknown_kwarg",
        &["color", "colour", "count"],
    );
}

#[test]
fn kwargs_of_the_wrong_type_d16() {
    invalid(
        call("addThread", json!({ "cloth": "scarf", "colour": 7 })),
        "kwarg_type",
        &["colour", "7"],
    );
    invalid(
        call(
            "addThread",
            json!({ "cloth": "scarf", "colour": "red", "count": 1.5 }),
        ),
        "kwarg_type",
        &["count", "1.5"],
    );
    invalid(
        call(
            "addMend",
            json!({ "file": "cloth/scarf.loom", "tight": "yes" }),
        ),
        "kwarg_type",
        &["tight"],
    );
    invalid(
        call(
            "addNote",
            json!({ "file": "cloth/scarf.loom", "text": { "singular": "a" } }),
        ),
        "kwarg_type",
        &["text"],
    );
}

#[test]
fn a_variant_that_no_label_can_hold_d17() {
    invalid(pick("two", "with blank"), "variant", &["with blank"]);
}

#[test]
fn a_target_that_is_not_authorised_d18() {
    invalid(
        call("addThread", json!({ "cloth": "shawl", "colour": "red" })),
        "unauthorized_path",
        &["cloth/shawl.loom"],
    );
    let unmanaged = call("addNote", json!({ "file": "legacy/a.loom", "text": "x" }));
    invalid(
        unmanaged,
        "unauthorized_path",
        &["legacy/a.loom", "legacy/"],
    );
    let outside = call("addNote", json!({ "file": "../a.loom", "text": "x" }));
    invalid(outside, "unauthorized_path", &["../a.loom"]);
}

#[test]
fn an_anchor_that_is_not_planted_d20() {
    let mut one = record("r-scarf", &["scarf"], &[thread("red")]);
    one["files"] = json!([{ "path": "cloth/scarf.loom", "package": "loom", "template": "" }]);
    loom(REPLAY)
        .file("run.json", recording_of(&[one]))
        .file("out/cloth/scarf.loom", "-- sedum:anchor:other\n")
        .refused(
            1,
            &["[anchor_unplanted]", "cloth/scarf.loom", "threads", "other"],
        );
}

#[test]
fn two_invocations_for_one_region_m31() {
    invalid(
        thread("red"),
        "duplicate_region",
        &["addThread", "cloth/scarf.loom", "red"],
    );
    // A recording may have an id twice; that makes the two no one record.
    for second in ["r2", "r1"] {
        let two = |other: &str| {
            recording_of(&[
                record("r1", &["scarf"], &[thread("red")]),
                record(second, &["scarf"], &[thread(other)]),
            ])
        };
        loom(REPLAY)
            .file("run.json", two("red"))
            .refused(1, &["[duplicate_region]", "r1", "cloth/scarf.loom"]);
        loom(REPLAY).file("run.json", two("blue")).ok();
    }
}

#[test]
fn a_body_that_would_corrupt_its_region_i13() {
    for text in [
        "a\n-- /sedum:addNote",
        "-- sedum:x {}",
        "a\r\n  --sedum:addThread",
    ] {
        invalid(
            call(
                "addNote",
                json!({ "file": "cloth/scarf.loom", "text": text }),
            ),
            "body_contains_marker",
            &["addNote"],
        );
    }
}

#[test]
fn all_violations_of_all_records_at_once_y11() {
    let two = recording_of(&[
        record("r1", &["a"], &[thread("red"), call("nope", json!({}))]),
        record(
            "r2",
            &["b"],
            &[call("addThread", json!({ "cloth": "b", "tint": 1 }))],
        ),
    ]);
    let done = loom(REPLAY).file("run.json", two).refused(1, &[]);
    insta::assert_snapshot!(done.report());
}

// Mistakes in the output tree.

#[test]
fn a_file_that_cannot_be_reconciled_c8() {
    let done = replay(&[thread("red")])
        .file(
            "out/cloth/scarf.loom",
            "cloth Scarf at North Mill\n\nbegun\nend\n",
        )
        .refused(
            1,
            &[
                "cloth/scarf.loom",
                "cloth/{name}.loom",
                "3",
                "begun",
                "begin",
            ],
        );
    insta::assert_snapshot!(done.report());
}

#[test]
fn a_region_that_is_not_closed_c20_m15() {
    replay(&[])
        .file(
            "out/cloth/scarf.loom",
            format!("{SCARF}-- sedum:addThread {{}}\n"),
        )
        .refused(1, &["cloth/scarf.loom", "addThread", "8"]);
    replay(&[])
        .file(
            "out/cloth/scarf.loom",
            format!("{SCARF}-- sedum:addThread {{}}\n-- /sedum:addPick\n"),
        )
        .refused(1, &["cloth/scarf.loom", "addThread", "addPick"]);
    replay(&[])
        .file(
            "out/cloth/scarf.loom",
            format!("{SCARF}-- sedum:addThread {{\n-- /sedum:addThread\n"),
        )
        .refused(1, &["cloth/scarf.loom", "addThread"]);
}

#[test]
fn a_target_that_is_a_folder_c19() {
    replay(&[])
        .file("out/cloth/scarf.loom/x", "")
        .refused(1, &["cloth/scarf.loom"]);
    replay(&[])
        .file("out/cloth", "a file\n")
        .refused(1, &["cloth"]);
}

#[test]
fn a_target_that_is_not_utf8_x33() {
    replay(&[])
        .file("out/cloth/scarf.loom", b"caf\xe9\n")
        .refused(1, &["cloth/scarf.loom", "UTF-8"]);
}

#[cfg(unix)]
#[test]
fn a_link_that_leaves_x32() {
    use std::os::unix::fs::symlink;
    replay(&[thread("red")])
        .file("elsewhere/scarf.loom", SCARF)
        .set_up(|dir| {
            std::fs::create_dir(dir.join("out")).unwrap();
            symlink(dir.join("elsewhere"), dir.join("out/cloth")).unwrap();
        })
        .refused(1, &["cloth"]);
    replay(&[thread("red")])
        .file("elsewhere/scarf.loom", SCARF)
        .set_up(|dir| {
            std::fs::create_dir_all(dir.join("out/cloth")).unwrap();
            symlink(
                "../../elsewhere/scarf.loom",
                dir.join("out/cloth/scarf.loom"),
            )
            .unwrap();
        })
        .refused(1, &["cloth/scarf.loom"]);
}

#[cfg(unix)]
#[test]
fn a_link_that_stays_inside_is_followed_x32_x31() {
    let done = replay(&[thread("red")])
        .file("out/real/scarf.loom", SCARF)
        .set_up(|dir| {
            std::fs::create_dir(dir.join("out/cloth")).unwrap();
            std::os::unix::fs::symlink("../real/scarf.loom", dir.join("out/cloth/scarf.loom"))
                .unwrap();
        })
        .ok();
    assert!(
        done.after
            .contains_key("out/cloth/scarf.loom -> ../real/scarf.loom")
    );
    assert!(done.text("out/real/scarf.loom").contains("thread red"));
}

#[test]
fn a_match_that_is_not_there_undoes_everything_i1_c17() {
    let mut one = record("r1", &["scarf", "shawl"], &[]);
    one["files"][1]["template"] = json!("");
    one["files"][1]["captures"] = json!({});
    one["phases"][0]["invocations"] = json!([
        thread("red"),
        call(
            "addMend",
            json!({ "file": "cloth/shawl.loom", "tight": true })
        ),
    ]);
    loom(REPLAY)
        .file("run.json", recording_of(&[one]))
        .refused(1, &["cloth/shawl.loom", "addMend", "(?m)^end$"]);
}

#[test]
fn broken_packages_stop_a_replay_l34() {
    replay(&[])
        .file("gen/other/sedum.yaml", "name: another\n")
        .refused(
            1,
            &["other", "[package_name_mismatch]", "[actions_missing]"],
        );
}

#[test]
fn package_warnings_go_to_stderr_l34() {
    let done = replay(&[]).file("gen/loom/actions/spare.loom", "x\n").go();
    assert_eq!(done.status, Some(0));
    assert!(
        done.err
            .contains("warning: loom/actions/spare.loom [template_unused]"),
        "{}",
        done.err
    );
    assert!(!done.out.contains("template_unused"));
}

// Details of what is written.

#[test]
fn crlf_no_final_newline_and_a_shebang_i6_i13() {
    let file = "#!/usr/bin/loom\r\ncloth Scarf at North Mill\r\n-- sedum:anchor:threads\r\n\r\nbegin\r\n  -- sedum:anchor:picks\r\n  -- sedum:anchor:picks_end\r\nend";
    let done = replay(&[thread("red"), call("addEdges", json!({ "cloth": "scarf" }))])
        .edit(
            "gen/loom/files/cloth/{name}.loom",
            "cloth {{name",
            "#!/usr/bin/loom\ncloth {{name",
        )
        .file("out/cloth/scarf.loom", file)
        .ok();
    let text = done.text("out/cloth/scarf.loom");
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count());
    assert!(
        text.starts_with("#!/usr/bin/loom\r\n-- sedum:topEdge "),
        "{text}"
    );
    assert!(text.contains("\r\nend\r\n-- sedum:bottomEdge "), "{text}");
    done.then(REPLAY).ok().wrote_nothing();
}

/// Of two regions with one identity it is the first that is Sedum's, also when only the second is as it would write it.
#[test]
fn the_first_of_equal_regions_is_replaced_m25() {
    let region = |record: &str, body: &str| {
        format!(
            "-- sedum:addThread {{\"tier\":\"owned\",\"record\":\"{record}\",\"kwargs\":{{\"cloth\":\"scarf\",\"colour\":\"red\",\"count\":1}}}}\n{body}\n-- /sedum:addThread\n"
        )
    };
    let written = region("r-scarf", "thread red x1");
    let file = |first: &str| SCARF.replace("threads\n", &format!("threads\n{first}{written}"));
    let done = replay(&[thread("red")])
        .file("out/cloth/scarf.loom", file(&region("r-other", "old")))
        .ok();
    done.wrote("out/cloth/scarf.loom", &file(&written));
}

#[test]
fn carried_keys_and_a_foreign_writer_m18_m21() {
    let region = "-- sedum:addThread {\"zeal\": [1, 2],\"tier\":\"owned\",\"writer\":\"weaver\",\"kwargs\":{\"cloth\":\"scarf\",\"colour\":\"red\"},\"angle\":{\"b\":1,\"a\":2}}\nold\n-- /sedum:addThread\n";
    let file = SCARF.replace("threads\n", &format!("threads\n{region}"));
    let done = replay(&[thread("red")])
        .file("out/cloth/scarf.loom", file)
        .ok();
    let want = "-- sedum:addThread {\"tier\":\"owned\",\"record\":\"r-scarf\",\"kwargs\":{\"cloth\":\"scarf\",\"colour\":\"red\",\"count\":1},\"angle\":{\"b\":1,\"a\":2},\"zeal\":[1,2]}\nthread red x1\n-- /sedum:addThread\n";
    done.wrote(
        "out/cloth/scarf.loom",
        &SCARF.replace("threads\n", &format!("threads\n{want}")),
    );
}

#[test]
fn an_unknown_tier_is_left_with_a_warning_m14() {
    let region = "-- sedum:addThread {\"tier\":\"frozen\",\"kwargs\":{\"cloth\":\"scarf\",\"colour\":\"red\"}}\nold\n-- /sedum:addThread\n";
    let file = SCARF.replace("threads\n", &format!("threads\n{region}"));
    let done = replay(&[thread("red")])
        .file("out/cloth/scarf.loom", file)
        .go()
        .wrote_nothing();
    assert_eq!(done.status, Some(0));
    assert!(
        done.err.contains("frozen") && done.err.contains("cloth/scarf.loom"),
        "{}",
        done.err
    );
    assert!(done.out.contains("1 left as seeded"), "{}", done.out);
}

#[test]
fn numbers_keep_their_digits_t9_m25() {
    let big = serde_json::from_str::<serde_json::Value>(
        "{\"cloth\":\"scarf\",\"colour\":\"red\",\"count\":9007199254740993}",
    )
    .unwrap();
    let done = replay(&[call("addThread", big)]).ok();
    assert!(
        done.text("out/cloth/scarf.loom")
            .contains("thread red x9007199254740993\n")
    );
}

#[cfg(unix)]
mod modes {
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::Path;

    use super::{SCARF, replay, thread};

    fn of(path: &Path) -> u32 {
        std::fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    fn set(path: &Path, mode: u32) {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    }

    /// The mode of a file whose template is executable.
    fn made(invocations: &[serde_json::Value]) -> u32 {
        let done = replay(invocations)
            .set_up(|dir| set(&dir.join("gen/loom/files/cloth/{name}.loom"), 0o755))
            .ok();
        of(&done.path().join("out/cloth/scarf.loom"))
    }

    #[test]
    fn an_executable_template_makes_an_executable_file_c1() {
        assert_eq!(made(&[]) & 0o100, 0o100);
    }

    #[test]
    fn also_when_the_same_run_injects_into_it_c1() {
        assert_eq!(made(&[thread("red")]) & 0o100, 0o100);
    }

    #[test]
    fn an_existing_file_keeps_its_mode_x31() {
        let done = replay(&[thread("red")])
            .file("out/cloth/scarf.loom", SCARF)
            .set_up(|dir| set(&dir.join("out/cloth/scarf.loom"), 0o600))
            .ok();
        assert_eq!(of(&done.path().join("out/cloth/scarf.loom")), 0o600);
    }
}

#[test]
fn two_records_share_a_file_in_order_j19() {
    let two = recording_of(&[
        record("r1", &["scarf"], &[thread("red")]),
        record("r2", &["scarf"], &[thread("blue")]),
    ]);
    let done = loom(REPLAY).file("run.json", two).ok();
    let text = done.text("out/cloth/scarf.loom");
    assert!(text.find("thread red") < text.find("thread blue"), "{text}");
    done.says(&["1 path(s) authorized, 1 created", "2 region(s) injected"]);
}

#[test]
fn an_empty_list_cannot_be_joined() {
    let edges = call("addEdges", json!({ "cloth": "scarf", "knots": [] }));
    replay(&[edges]).refused(1, &["addEdges", "bottomEdge", "knots", "join"]);
}

#[test]
fn shapes_that_are_no_recording_j12() {
    for text in ["", "null", "[]", "{}", "{\"records\": null}"] {
        loom(REPLAY)
            .file("run.json", text)
            .refused(1, &["run.json:1:", "the recording"]);
    }
    loom(REPLAY).file("run.json", "{\"records\": []}").ok();
}
