//! `sedum actions`: the catalog as text and as JSON.

use crate::loom::loom;
use crate::run::Run;

fn actions() -> Run {
    loom(["actions", "--generators", "gen", "--package", "loom"])
}

#[test]
fn the_catalog_for_people_u17() {
    insta::assert_snapshot!(actions().ok().wrote_nothing().report());
}

#[test]
fn the_catalog_for_programs_k3_k4() {
    insta::assert_snapshot!(actions().args(["--json"]).ok().report());
}

#[test]
fn unexposed_actions_on_request_k10() {
    let all = actions().args(["--all", "--json"]).ok();
    let entries: serde_json::Value = serde_json::from_str(&all.out).unwrap();
    let hidden: Vec<_> = entries["actions"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|entry| entry.get("exposed") == Some(&false.into()))
        .map(|entry| entry["action"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(hidden, ["bottomEdge", "topEdge"]);
    assert!(!actions().args(["--json"]).ok().out.contains("exposed"));
    assert!(
        actions()
            .args(["--all"])
            .ok()
            .out
            .contains("topEdge  (not exposed)")
    );
}

#[test]
fn a_package_without_actions_k4a() {
    let run = || {
        loom(["actions", "--generators", "gen", "--package", "bare"])
            .file("gen/bare/sedum.yaml", "name: bare\nextensions: [.bare]\n")
            .file("gen/bare/actions/actions.yaml", "actions: {}\n")
    };
    assert_eq!(run().args(["--json"]).ok().out, "{\n  \"actions\": []\n}\n");
    assert_eq!(run().ok().out, "0 action(s) in package bare\n");
}

#[test]
fn a_broken_neighbour_does_not_matter_u17() {
    actions().file("gen/rope/sedum.yaml", "name: hemp\n").ok();
}

#[test]
fn a_broken_package_and_an_unknown_one() {
    actions()
        .edit("gen/loom/sedum.yaml", "name: loom", "name: lom")
        .refused(1, &["loom", "[package_name_mismatch]"]);
    loom(["actions", "--generators", "gen", "--package", "lom"]).refused(1, &["lom", "loom"]);
    loom(["actions", "--generators", "gen"]).refused(2, &["--package"]);
}
