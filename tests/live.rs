//! The built program with a real model behind it: an opt-in test, since no two models answer alike.
//!
//! It holds for any model that selects at all: what a model selected and `--record` kept replays, without a model, to
//! the same tree (P10). Whether the selection is a good one is no part of it.
//!
//! ```text
//! SEDUM_LIVE=1 OPENAI_BASE_URL=http://127.0.0.1:8080/v1 SEDUM_MODEL=NAME cargo test --test live -- --nocapture
//! ```
//!
//! `SEDUM_LIVE_RECORDS` names other records of `testdata/records` by id, separated by commas. `OPENAI_API_KEY`,
//! `SEDUM_MAX_COMPLETION_TOKENS` and `SEDUM_LIVE_FLAGS` (further flags of `grow`, separated by blanks) are passed on.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const TESTDATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata");
/// Two records that a model of the smallest useful size manages, from two packages.
const USUAL_RECORDS: &str = "prov-2026-chi0001,prov-2026-cairn0001";

#[test]
fn what_a_live_model_selects_replays_to_the_same_tree_p10() {
    if set("SEDUM_LIVE").as_deref() != Some("1") {
        say(
            "skipped: SEDUM_LIVE=1 runs it against the model that OPENAI_BASE_URL and SEDUM_MODEL name",
        );
        return;
    }
    let model = set("SEDUM_MODEL").expect("SEDUM_LIVE=1 needs SEDUM_MODEL");
    assert!(
        set("OPENAI_BASE_URL").is_some(),
        "SEDUM_LIVE=1 needs OPENAI_BASE_URL, so that no hosted model is asked by accident"
    );
    let records = set("SEDUM_LIVE_RECORDS").unwrap_or_else(|| USUAL_RECORDS.to_owned());
    let further = set("SEDUM_LIVE_FLAGS").unwrap_or_default();
    for record in records.split(',').map(str::trim) {
        grow_and_replay(record, &model, &further);
    }
}

fn grow_and_replay(record: &str, model: &str, further: &str) {
    let work = tempfile::tempdir().unwrap();
    let recording = work.path().join("recording.json");
    let [grown, replayed] = ["grown", "replayed"].map(|name| work.path().join(name));
    for folder in [&grown, &replayed] {
        fs::create_dir(folder).unwrap();
    }
    let records = format!("{TESTDATA}/records");
    let asked = sedum(work.path())
        .args(["--records", &records, "--only", record, "--model", model])
        .args(further.split_whitespace())
        .arg("--record")
        .arg(&recording)
        .arg("--output")
        .arg(&grown)
        .output()
        .unwrap();
    succeeded(record, "grow --record", &asked, work.path());

    let again = sedum(work.path())
        // A replay that asked a model would fail here (P10).
        .env_remove("OPENAI_BASE_URL")
        .env_remove("OPENAI_API_KEY")
        .env_remove("SEDUM_MODEL")
        .arg("--execute")
        .arg(&recording)
        .arg("--output")
        .arg(&replayed)
        .output()
        .unwrap();
    succeeded(record, "grow --execute", &again, work.path());

    let [grown, replayed] = [tree(&grown), tree(&replayed)];
    assert!(!grown.is_empty(), "{record}: nothing was generated");
    assert_eq!(
        grown, replayed,
        "{record}: the recording replays differently"
    );
}

/// `sedum grow` with what both runs have in common.
fn sedum(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sedum"));
    command
        .current_dir(folder)
        .args(["grow", "--generators", &format!("{TESTDATA}/generators")])
        .args(["--log", "run.log"]);
    command
}

fn succeeded(record: &str, what: &str, output: &Output, folder: &Path) {
    let [stdout, stderr] = [&output.stdout, &output.stderr].map(|b| String::from_utf8_lossy(b));
    say(&format!("{record}: {what}\n{stdout}{stderr}"));
    if !output.status.success() {
        let log = fs::read_to_string(folder.join("run.log")).unwrap_or_default();
        panic!("{record}: {what} ends with {}\n{log}", output.status);
    }
}

/// Every file below a folder with its bytes, by path.
fn tree(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                // The lock's folder is no part of what is generated.
                if path.file_name().is_none_or(|name| name != ".sedum") {
                    open.push(path);
                }
            } else {
                let name = path.strip_prefix(folder).unwrap().to_string_lossy();
                found.insert(name.into_owned(), fs::read(&path).unwrap());
            }
        }
    }
    found
}

fn set(variable: &str) -> Option<String> {
    std::env::var(variable)
        .ok()
        .filter(|value| !value.is_empty())
}

/// Shown with `--nocapture`.
#[allow(clippy::print_stdout)]
fn say(text: &str) {
    println!("{text}");
}
