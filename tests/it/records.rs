//! Mistakes in records (phases 1 and 2): each names the file, the place and what to write.

use crate::loom::{FILES_ONLY, loom};
use crate::run::Run;

/// A run over one record with this text.
fn record(text: &str) -> Run {
    loom(FILES_ONLY).without("rec").file("rec/r.yml", text)
}

fn scope(entry: &str) -> Run {
    record(&format!("id: r1\naffected_scope:\n  - {entry}\n"))
}

#[test]
fn no_id_r5() {
    record("intent: x\n").refused(1, &["r.yml", "id"]);
}

#[test]
fn no_yaml_r5() {
    record("id: r1\naffected_scope: [a.loom\n")
        .refused(1, &["r.yml:", "the records cannot be used"]);
}

#[test]
fn a_key_given_twice_j10() {
    record("id: r1\nintent: a\nintent: b\n").refused(1, &["r.yml:3:1", "intent"]);
}

#[test]
fn values_of_the_wrong_type_r5() {
    record("id: r1\nintent: [a]\nconstraints: warm\naffected_scope: cloth/a.loom\n").refused(
        1,
        &[
            "r.yml:2:9",
            "r.yml:3:14",
            "r.yml:4:17",
            "constraints",
            "affected_scope",
            "list",
        ],
    );
}

#[test]
fn every_fault_of_every_file_r6() {
    let done = record("id: r1\naffected_scope: [/a.loom, ../b.loom]\n")
        .file("rec/s.yml", "id: [x]\n")
        .refused(1, &["/a.loom", "../b.loom", "s.yml:1:5"]);
    insta::assert_snapshot!(done.report());
}

#[test]
fn a_path_that_is_absolute_r9() {
    scope("/etc/passwd.loom").refused(1, &["r.yml:3:5", "/etc/passwd.loom"]);
}

#[test]
fn a_path_that_climbs_out_r9() {
    scope("cloth/../../x.loom").refused(1, &["r.yml:3:5", "cloth/../../x.loom"]);
}

#[test]
fn a_path_with_a_backslash_r9a() {
    scope("'cloth\\x.loom'").refused(1, &["r.yml:3:5", "/", "backslash"]);
}

#[test]
fn paths_that_other_systems_cannot_hold_r9() {
    for entry in [
        "a/.GIT/x.loom",
        "nul",
        "aux.loom",
        "a/b./x.loom",
        "'a /x.loom'",
        "C:/x.loom",
        "\"a\\tb.loom\"",
    ] {
        scope(entry).refused(1, &["r.yml:3:5"]);
    }
}

#[test]
fn a_pattern_that_cannot_be_read_r11() {
    scope("'cloth/[a.loom'").refused(1, &["r.yml:3:5", "cloth/[a.loom"]);
}

#[test]
fn a_path_that_its_record_forbids_r12() {
    record("id: r1\naffected_scope: [cloth/a.loom]\nforbidden_scope: [\"cloth/*\"]\n")
        .refused(1, &["r1", "cloth/a.loom", "cloth/*"]);
}

#[test]
fn one_id_twice_names_both_files_r17() {
    record("id: r1\n")
        .file("rec/s.yml", "id: r1\n")
        .refused(1, &["r.yml", "s.yml", "r1"]);
}

#[test]
fn an_unknown_id_in_only_r15() {
    loom(FILES_ONLY)
        .args(["--only", "r-scraf"])
        .refused(1, &["--only", "r-scraf", "r-scarf", "r-rag"]);
}

#[test]
fn paths_that_are_one_file_elsewhere_r9a() {
    record("id: r1\naffected_scope: [cloth/a.loom, cloth/A.loom]\n")
        .refused(1, &["cloth/a.loom", "cloth/A.loom"]);
    record("id: r1\naffected_scope: [cloth/a.loom, Cloth/b.loom]\n")
        .refused(1, &["cloth/a.loom", "Cloth/b.loom"]);
}

#[test]
fn no_records_folder_x32() {
    loom(FILES_ONLY).without("rec").refused(1, &["rec"]);
}

#[cfg(unix)]
#[test]
fn a_fifo_does_not_hang_the_run_x32() {
    loom(FILES_ONLY)
        .set_up(|dir| {
            let made = std::process::Command::new("mkfifo")
                .arg(dir.join("rec/z.yml"))
                .status();
            assert!(made.unwrap().success());
        })
        .refused(1, &["z.yml"]);
}

#[test]
fn no_extension_and_one_that_nobody_claims_n6() {
    record("id: r1\naffected_scope: [Makefile, a.wool]\n")
        .refused(1, &["Makefile", "a.wool", ".wool", ".loom"]);
}

fn contested() -> Run {
    scope("a.loom")
        .file("gen/yarn/sedum.yaml", "name: yarn\nextensions: [.loom]\n")
        .file("gen/yarn/actions/actions.yaml", "actions: {}\n")
}

#[test]
fn a_contested_extension_wants_a_flag_n7() {
    contested().refused(1, &["a.loom", "loom", "yarn", "--lang"]);
    contested()
        .args(["--lang", "loom,yarn"])
        .refused(1, &["a.loom", "loom", "yarn", "--lang"]);
    let done = contested().args(["--lang", "yarn"]).ok();
    assert_eq!(done.text("out/a.loom"), "");
    contested()
        .args(["--lang", "loom"])
        .ok()
        .wrote("out/a.loom", "plain North Mill\n");
}

#[test]
fn a_lang_of_no_use_only_warns_n9() {
    let unknown = scope("a.loom").args(["--lang", "wool"]).go();
    assert_eq!(unknown.status, Some(0));
    assert!(
        unknown.err.starts_with("sedum: warning: "),
        "{}",
        unknown.err
    );
    assert!(unknown.err.contains("wool"));
    let idle = scope("a.loom")
        .file("gen/yarn/sedum.yaml", "name: yarn\nextensions: [.yarn]\n")
        .file("gen/yarn/actions/actions.yaml", "actions: {}\n")
        .args(["--lang", "yarn"])
        .go();
    assert!(idle.err.contains("yarn"), "{}", idle.err);
    assert_ne!(idle.err.replace("yarn", "wool"), unknown.err);
}

#[test]
fn a_record_of_patterns_only_warns_r14() {
    let done = scope("'cloth/*.loom'").go();
    assert!(done.below("out").is_empty());
    insta::assert_snapshot!(done.report());
}

#[test]
fn aliases_do_not_explode_x36() {
    let mut text = "id: r1\na: &a [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for (this, last) in ('b'..='j').zip('a'..='i') {
        let list = vec![format!("*{last}"); 10].join(", ");
        let this = this.to_string();
        text += &[&this, ": &", &this, " [", &list, "]\n"].concat();
    }
    let done = record(&text).go();
    assert!(matches!(done.status, Some(0 | 1)), "{}", done.report());
    assert!(done.err.contains("r.yml"), "{}", done.err);
}
