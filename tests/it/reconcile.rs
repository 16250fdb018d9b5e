//! The reconciliation corpus (C24, B10): every folder of `testdata/reconcile` through the program.
//!
//! A case's template text becomes the one file template of a package, a record names the path, and phase 3 runs.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::run::{Run, repository};

const ARGS: [&str; 9] = [
    "grow",
    "--generators",
    "gen",
    "--records",
    "rec",
    "--output",
    "out",
    "--stop-after",
    "files",
];

struct Case {
    name: String,
    folder: PathBuf,
    json: Value,
}

impl Case {
    fn read(folder: PathBuf) -> Self {
        let text = fs::read_to_string(folder.join("case.json")).unwrap();
        let json: Value = serde_json::from_str(&text).unwrap();
        let known = [
            "about",
            "rules",
            "comment_prefix",
            "comment_suffix",
            "outcome",
            "added",
            "halt_line",
            "halt_text",
        ];
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        for key in json.as_object().unwrap().keys() {
            assert!(known.contains(&key.as_str()), "{name}: unknown field {key}");
        }
        assert!(!json["about"].as_str().unwrap().is_empty(), "{name}");
        assert!(!json["rules"].as_array().unwrap().is_empty(), "{name}");
        Self { name, folder, json }
    }

    fn text(&self, key: &str) -> Option<&str> {
        self.json.get(key).map(|value| value.as_str().unwrap())
    }

    fn prefix(&self) -> &str {
        self.text("comment_prefix").unwrap()
    }

    fn bytes(&self, file: &str) -> Vec<u8> {
        fs::read(self.folder.join(file)).unwrap()
    }

    fn run(&self) -> Run {
        let mut manifest = format!(
            "name: pack\nextensions: [.rec]\ncomment_prefix: {}\n",
            Value::from(self.prefix())
        );
        if let Some(suffix) = self.text("comment_suffix") {
            let suffix = Value::from(suffix).to_string();
            manifest += &["comment_suffix: ", &suffix, "\n"].concat();
        }
        let template = String::from_utf8(self.bytes("template")).unwrap();
        Run::new(ARGS)
            .file("gen/pack/sedum.yaml", manifest)
            .file("gen/pack/actions/actions.yaml", "actions: {}\n")
            .file("gen/pack/files/case.rec", template.replace("{{", "{{{{"))
            .file("rec/r.yml", "id: r1\naffected_scope: [case.rec]\n")
            .file("out/case.rec", self.bytes("before"))
    }

    /// A run; its findings about anchors that nothing fills are of no matter here.
    fn check(&self) {
        let outcome = self.text("outcome").unwrap();
        let done = self.run().go();
        let about = format!("{}: {}\n{}", self.name, self.json["about"], done.report());
        let has = |key: &str| self.json.get(key).is_some();
        if outcome == "halt" {
            assert!(!has("added") && !self.folder.join("after").exists());
            let line = self.json["halt_line"].as_u64().unwrap();
            let text = self.text("halt_text").unwrap();
            assert_eq!(done.status, Some(1), "{about}");
            for part in ["case.rec", &format!("line {line}"), text] {
                let place = format!("case.rec:{line}");
                assert!(
                    done.err.contains(part) || done.err.contains(&place),
                    "{part} is not named: {about}"
                );
            }
            done.wrote_nothing();
            return;
        }
        assert!(!has("halt_line") && !has("halt_text"), "{about}");
        assert_eq!(done.status, Some(0), "{about}");
        let (line, count, after) = if outcome == "apply" {
            let added = self.json["added"].as_u64().unwrap();
            let line = format!("updated  case.rec  (+{added} lines)\n");
            (line, "0 created, 1 updated, 0 already", self.bytes("after"))
        } else {
            assert_eq!(outcome, "unchanged", "{about}");
            assert!(!has("added"), "{about}");
            let line = "present  case.rec\n".to_owned();
            (
                line,
                "0 created, 0 updated, 1 already",
                self.bytes("before"),
            )
        };
        assert!(done.out.contains(&line), "{about}");
        assert!(done.out.contains(count), "{about}");
        let made = &done.after["out/case.rec"];
        assert_eq!(
            String::from_utf8_lossy(made),
            String::from_utf8_lossy(&after),
            "{about}"
        );
        // C21: reconciling again changes nothing.
        let again = done.then(ARGS).go().wrote_nothing();
        assert_eq!(again.status, Some(0), "again: {about}");
        assert!(again.out.contains("present  case.rec\n"), "again: {about}");
    }
}

fn cases() -> Vec<Case> {
    let mut folders: Vec<_> = fs::read_dir(repository("testdata/reconcile"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path: &PathBuf| Path::is_dir(path))
        .collect();
    folders.sort();
    folders.into_iter().map(Case::read).collect()
}

#[test]
fn the_corpus_has_every_outcome_and_prefix_c24() {
    let cases = cases();
    assert!(cases.len() >= 20, "{}", cases.len());
    let outcomes: BTreeSet<_> = cases.iter().filter_map(|c| c.text("outcome")).collect();
    assert_eq!(outcomes, BTreeSet::from(["apply", "halt", "unchanged"]));
    let prefixes: BTreeSet<_> = cases.iter().map(Case::prefix).collect();
    assert!(prefixes.is_superset(&BTreeSet::from(["#", "//", ";;", "--", "<!--"])));
    assert!(cases.iter().any(|c| c.text("comment_suffix").is_some()));
}

#[test]
fn every_case_holds_c2_c24() {
    for case in cases() {
        case.check();
    }
}

#[test]
fn every_irreconcilable_file_is_named_and_help_shows_the_template_c8_c16() {
    let text = "one\ntwo\nthree\n";
    let done = Run::new(ARGS)
        .file(
            "gen/pack/sedum.yaml",
            "name: pack\nextensions: [.rec]\ncomment_prefix: \"#\"\n",
        )
        .file("gen/pack/actions/actions.yaml", "actions: {}\n")
        .file("gen/pack/files/{name}.rec", text)
        .file(
            "rec/r.yml",
            "id: r1\naffected_scope: [a.rec, b.rec, c.rec]\n",
        )
        .file("out/a.rec", "# mine\none\n  two\n")
        .file("out/b.rec", "two\none\n")
        .refused(1, &["a.rec", "b.rec", "{name}.rec", "two", "one", "help"]);
    assert!(!done.err.contains("c.rec"), "{}", done.err);
}
