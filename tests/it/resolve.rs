//! `sedum resolve`: what each authorised path resolves to, without touching anything.

use crate::loom::loom;
use crate::run::Run;

fn resolve() -> Run {
    loom(["resolve", "--generators", "gen", "--records", "rec"])
}

#[test]
fn the_listing_u16() {
    insta::assert_snapshot!(resolve().ok().wrote_nothing().report());
}

#[test]
fn templates_are_shown_rendered_u16() {
    let done = resolve()
        .args(["--show-template", "--var", "mill=East"])
        .ok()
        .wrote_nothing();
    insta::assert_snapshot!(done.report());
}

#[test]
fn a_record_without_paths_counts_u16() {
    resolve()
        .args(["--only", "r-rag"])
        .edit("rec/rag.yaml", "  - rags/old.loom\n", "")
        .go()
        .wrote_nothing()
        .says(&["1 record(s), 0 path(s) resolved across 1 package(s)"]);
}

#[test]
fn the_answer_does_not_depend_on_the_output_folder_n1() {
    let done = resolve()
        .file("cloth/scarf.loom", "other\n")
        .file("out/cloth/scarf.loom/x", "")
        .ok();
    assert_eq!(done.out, resolve().ok().out);
    assert!(!done.path().join(".sedum").exists(), "no log (G5)");
}

#[test]
fn ranking_and_no_template_f9_f15() {
    let done = resolve()
        .file("gen/loom/files/cloth/scarf.loom", "the scarf\n")
        .file("gen/loom/files/cloth/s*.loom", "some s\n")
        .without("gen/loom/files/_default.loom")
        .ok();
    insta::assert_snapshot!(done.report());
}

#[test]
fn a_longer_extension_wins_n5() {
    let done = resolve()
        .file(
            "gen/yarn/sedum.yaml",
            "name: yarn\nextensions: [.dyed.loom, .lock]\n",
        )
        .file("gen/yarn/actions/actions.yaml", "actions: {}\n")
        .file(
            "rec/more.yml",
            "id: r-more\naffected_scope: [a.DYED.Loom, dyed.loom, x/yarn.lock]\n",
        )
        .args(["--only", "r-more"])
        .ok();
    insta::assert_snapshot!(done.report());
}

#[test]
fn shared_paths_are_shown_r18() {
    let done = resolve()
        .file(
            "rec/twin.yml",
            "id: r-twin\naffected_scope: [cloth/scarf.loom]\n",
        )
        .go()
        .wrote_nothing();
    assert_eq!(done.status, Some(0));
    assert!(
        done.out.contains("r-twin\n  cloth/scarf.loom\n"),
        "{}",
        done.out
    );
}

#[test]
fn what_it_needs_u16() {
    Run::new(["resolve", "--generators", "gen"]).refused(2, &["--records"]);
    Run::new(["resolve", "--records", "rec"]).refused(2, &["--generators"]);
}

#[test]
fn package_errors_stop_it_l34() {
    resolve()
        .edit("gen/loom/sedum.yaml", "name: loom", "name: lom")
        .refused(1, &["loom/sedum.yaml:1:7", "[package_name_mismatch]"]);
}
