//! `sedum grow` over records: reports, stop points, dry runs, recordings and flags.

use crate::loom::{FILES_ONLY, REPLAY, SCARF, loom, replay, thread};
use crate::run::Run;

fn files() -> Run {
    loom(FILES_ONLY)
}

#[test]
fn files_are_created_and_then_present_u13() {
    let done = files().ok();
    insta::assert_snapshot!(done.report_with("out"));
    let again = done.then(FILES_ONLY).ok().wrote_nothing();
    insta::assert_snapshot!(again.report());
}

#[test]
fn a_file_that_grows_is_reported_c15() {
    let done = files()
        .file(
            "out/cloth/scarf.loom",
            "cloth Scarf at North Mill\n-- mine\nbegin\nend",
        )
        .ok();
    assert_eq!(
        done.text("out/cloth/scarf.loom"),
        "cloth Scarf at North Mill\n-- mine\n-- sedum:anchor:threads\n\nbegin\n  -- sedum:anchor:picks\n  -- sedum:anchor:picks_end\nend"
    );
    insta::assert_snapshot!(done.report());
}

#[test]
fn a_dry_run_says_would_u12_c22() {
    let dry = files()
        .file("out/rags/old.loom", "plain North Mill\n")
        .args(["--dry-run"])
        .ok()
        .wrote_nothing();
    assert!(!dry.path().join("out/.sedum").exists(), "no lock");
    assert!(
        dry.path().join(".sedum/run.log").exists(),
        "the log is written"
    );
    insta::assert_snapshot!(dry.report());
}

#[test]
fn stop_after_resolution_touches_nothing_n1() {
    let done = loom([
        "grow",
        "--generators",
        "gen",
        "--records",
        "rec",
        "--output",
        "out",
    ])
    .args(["--stop-after", "resolution"])
    .ok()
    .wrote_nothing();
    assert!(!done.path().join("out").exists());
    insta::assert_snapshot!(done.report());
}

#[test]
fn a_shared_path_is_a_warning_after_resolution_r18() {
    let done = loom(["grow", "--generators", "gen", "--records", "rec"])
        .args(["--stop-after", "resolution"])
        .file(
            "rec/twin.yml",
            "id: r-twin\naffected_scope: [cloth/scarf.loom]\n",
        )
        .go()
        .wrote_nothing();
    assert_eq!(done.status, Some(0), "{}", done.report());
    for text in ["sedum: warning: ", "cloth/scarf.loom", "r-scarf", "r-twin"] {
        assert!(done.err.contains(text), "{}", done.err);
    }
}

#[test]
fn a_recording_of_files_has_empty_phases_u14() {
    let done = files().args(["--record", "deep/er/run.json"]).ok();
    insta::assert_snapshot!(done.text("deep/er/run.json"));
    assert!(
        done.out
            .ends_with("recording written to deep/er/run.json\n"),
        "{}",
        done.out
    );
    let dry = files().args(["--record", "run.json", "--dry-run"]).ok();
    assert!(dry.below("out").is_empty());
    assert_eq!(dry.text("run.json"), done.text("deep/er/run.json"));
}

#[test]
fn a_failing_run_leaves_no_recording_and_no_folder_c17() {
    let done = files()
        .args(["--record", "deep/run.json"])
        .file("rec/bad.yml", "id: r-bad\naffected_scope: [a.wool]\n")
        .refused(1, &["a.wool"]);
    assert!(!done.path().join("out").exists());
    // Also when it is found out late, after the folder had to be there for its lock.
    let done = replay(&[thread("red"), thread("red")]).refused(1, &["[duplicate_region]"]);
    assert!(!done.path().join("out").exists());
}

#[test]
fn an_existing_file_without_template_is_left_c18() {
    files()
        .file("rec/more.yml", "id: r-more\naffected_scope: [a.LOOM]\n")
        .without("gen/loom/files/_default.loom")
        .file("out/a.LOOM", "whatever\r\n")
        .ok()
        .says(&["present  a.LOOM\n", "created  rags/old.loom\n"])
        .wrote("out/a.LOOM", "whatever\r\n")
        .wrote("out/rags/old.loom", "");
}

#[test]
fn only_some_records_r15_r19() {
    let done = files().args(["--only", "r-scarf"]).ok();
    assert_eq!(done.text("out/cloth/scarf.loom"), SCARF);
    assert!(!done.after.contains_key("out/rags/old.loom"));
    files()
        .args(["--only", "r-scarf,r-rag"])
        .ok()
        .says(&["2 created"]);
}

#[test]
fn variables_v2_v3_v4_v5() {
    let bound = files().args(["--var", "mill=West"]).ok();
    assert!(
        bound
            .text("out/cloth/scarf.loom")
            .starts_with("cloth Scarf at West\n")
    );
    files()
        .args(["--var", "mill"])
        .refused(2, &["--var", "mill", "NAME=VALUE"]);
    files().args(["--var", "=x"]).refused(2, &["--var", "=x"]);
    files()
        .args(["--var", "mill=a", "--var", "mill=b"])
        .refused(2, &["--var", "mill", "twice"]);
    files()
        .args(["--var", "mil=a"])
        .refused(1, &["mil", "mill"]);
    files()
        .edit("gen/loom/sedum.yaml", "    default: North Mill\n", "")
        .refused(1, &["mill", "loom", "the mill that weaves it", "--var"]);
    // V5: not when no path of the run is the package's.
    let dye = "name: dye\nextensions: [.dye]\ncomment_prefix: \"--\"\nvariables: { tint: {} }\n";
    files()
        .file("gen/dye/sedum.yaml", dye)
        .file("gen/dye/actions/actions.yaml", "actions: {}\n")
        .ok();
}

// U11: flags are looked at before anything else, so nothing here names the folders that are not there.

fn flags(args: &[&str], saying: &[&str]) {
    let nowhere = ["grow", "--generators", "nowhere", "--output", "nowhere"];
    let done = Run::new(nowhere)
        .args(args.iter().copied())
        .refused(2, saying);
    assert!(!done.err.contains("nowhere"), "{}", done.err);
    assert!(!done.path().join(".sedum").exists(), "no log");
}

#[test]
fn records_or_a_recording_u5() {
    flags(&[], &["--records", "--execute"]);
}

#[test]
fn record_and_execute_u6() {
    flags(
        &["--record", "a.json", "--execute", "b.json"],
        &["--record", "--execute"],
    );
}

#[test]
fn an_unknown_stop_point_u7() {
    flags(
        &["--records", "r", "--stop-after", "later"],
        &["later", "resolution", "files", "invocations", "expansion"],
    );
}

#[test]
fn a_stop_point_that_would_lose_the_selection_u8() {
    for stop in ["invocations", "expansion"] {
        flags(
            &["--records", "r", "--stop-after", stop],
            &["--stop-after", stop, "--record"],
        );
    }
}

#[test]
fn resolution_does_not_go_with_a_replay_u9() {
    flags(
        &["--execute", "r", "--stop-after", "resolution"],
        &["--stop-after", "--execute", "resolution"],
    );
}

#[test]
fn a_model_has_to_be_named_k24_k33() {
    flags(&["--records", "r"], &["--model"]);
}

#[test]
fn the_run_log_is_truncated_and_placed_g1_g4() {
    let done = files().args(["--log", "logs/deep/run.log"]).ok();
    let log = done.text("logs/deep/run.log");
    assert!(
        log.contains("cloth/scarf.loom") && log.contains("rags/old.loom"),
        "{log}"
    );
    assert!(!done.path().join(".sedum").exists());
    let again = done
        .then(FILES_ONLY)
        .args(["--log", "logs/deep/run.log", "--only", "r-rag"])
        .ok();
    let log = again.text("logs/deep/run.log");
    assert!(!log.contains("cloth/scarf.loom"), "{log}");
}

#[test]
fn a_failing_run_logs_why_g3() {
    let done = replay(&[thread("red")])
        .file("out/cloth/scarf.loom", "other\n")
        .args(["--log", "run.log"])
        .go();
    assert_eq!(done.status, Some(1));
    let log = done.text("run.log");
    assert!(log.contains("failed"), "{log}");
}

#[test]
fn a_log_that_cannot_be_written() {
    replay(&[])
        .args(["--log", "gen"])
        .refused(1, &["gen", "--log"]);
}

#[test]
fn the_lock_is_waited_for_and_its_holder_named_x34() {
    // A run that holds the lock: it waits on a fifo for its recording, which is opened after nothing but the packages,
    // so the lock is held here through the library instead.
    let run = replay(&[thread("red")]).args(["--lock-timeout", "0"]);
    let mut held = None;
    let run = run.set_up(|dir| {
        let options = sedum::tree::Options {
            write: true,
            lock_timeout: std::time::Duration::ZERO,
            sync: false,
        };
        std::fs::create_dir(dir.join("out")).unwrap();
        held = Some(sedum::tree::Tree::open(&dir.join("out"), &options).unwrap());
    });
    let done = run.refused(1, &["out", &std::process::id().to_string()]);
    drop(held);
    done.then(REPLAY).ok().says(&["1 region(s) injected"]);
}
