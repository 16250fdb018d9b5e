//! The published corpus of recordings, replayed with the built program (B2, J1-J27).
//!
//! A field that is not known here fails the test, and so does a rule that no case pins: what nobody checks is no case.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use sedum::diag::rule::{Rule, RuleKind};
use serde_json::Value;

use crate::run::{Done, Files, Run, files_below, repository};

/// Rules of recordings that no single replay shows: what a run writes of its own accord (J2, J3, J6-J9), and a
/// template that changes between two replays (J16).
const NOT_SHOWN: [&str; 7] = ["J2", "J3", "J6", "J7", "J8", "J9", "J16"];

/// Violations of an answer's shape. A recording with such a fault cannot be read, and gets a place and no slug.
const OF_ANSWERS: [Rule; 5] = [
    Rule::EmptyResponse,
    Rule::InvocationShape,
    Rule::MissingAction,
    Rule::ResponseShape,
    Rule::ResponseTruncated,
];

/// One case: its folder, and what `case.json` says.
struct Case {
    id: String,
    folder: PathBuf,
    told: Value,
}

fn cases() -> Vec<Case> {
    let all = fs::read_dir(repository("conformance/recordings/cases")).unwrap();
    let mut folders: Vec<_> = all.map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    folders.into_iter().map(Case::read).collect()
}

impl Case {
    fn read(folder: PathBuf) -> Self {
        let text = fs::read_to_string(folder.join("case.json")).unwrap();
        Self {
            id: folder.file_name().unwrap().to_str().unwrap().to_owned(),
            told: serde_json::from_str(&text).unwrap(),
            folder,
        }
    }

    fn text(&self, key: &str) -> &str {
        let found = self.told[key].as_str().filter(|text| !text.is_empty());
        found.unwrap_or_else(|| panic!("{}: no {key}", self.id))
    }

    /// A list of texts; none when it is left out.
    fn texts(&self, key: &str) -> Vec<&str> {
        let list = self.told[key].as_array().map_or(&[][..], Vec::as_slice);
        list.iter().map(|text| text.as_str().unwrap()).collect()
    }

    /// Asserts that the case says what one of its verdict says, and nothing else.
    fn is_well_formed(&self) {
        let own: &[&str] = match self.text("verdict") {
            "done" => &[],
            "invalid" => &["violations"],
            "refused" => &["names"],
            "unreadable" => &["names", "lines"],
            other => panic!("{}: unknown verdict {other}", self.id),
        };
        let start = format!("{}-", self.text("verdict"));
        assert!(self.id.starts_with(&start), "{}: not {start}", self.id);
        for key in ["decided_by", "why"] {
            self.text(key);
        }
        assert!(!self.texts("rules").is_empty(), "{}: no rule", self.id);
        let common = ["verdict", "decided_by", "rules", "why", "records", "warns"];
        for key in self.told.as_object().unwrap().keys() {
            let known = common.contains(&&**key) || own.contains(&&**key);
            assert!(known, "{}: unknown field {key}", self.id);
        }
        for key in own {
            assert!(self.told[*key].is_array(), "{}: no {key}", self.id);
        }
        let parts = fs::read_dir(&self.folder).unwrap();
        for part in parts.map(|entry| entry.unwrap().file_name()) {
            let known = ["case.json", "recording.json", "before", "tree"];
            assert!(
                known.iter().any(|k| part == *k),
                "{}: {}",
                self.id,
                part.display()
            );
        }
    }

    fn run(&self) -> Done {
        let corpus = |path: &str| {
            let path = repository("conformance/recordings").join(path);
            path.to_str().unwrap().to_owned()
        };
        let generators = corpus("generators");
        let recording = corpus(&format!("cases/{}/recording.json", self.id));
        let args = ["grow", "--generators", &generators, "--execute", &recording];
        let mut run = Run::new(args).args(["--output", "out", "--json"]);
        if self.told.get("records").is_some() {
            run = run.args(["--records", &corpus(self.text("records"))]);
        }
        let before = self.tree("before");
        run.set_up(|dir| {
            for (path, bytes) in before.iter().filter(|(path, _)| !path.ends_with('/')) {
                let path = dir.join("out").join(path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, bytes).unwrap();
            }
        })
        .go()
    }

    fn tree(&self, name: &str) -> Files {
        let folder = self.folder.join(name);
        if folder.exists() {
            files_below(&folder)
        } else {
            Files::new()
        }
    }

    /// Asserts the outcome that the case states.
    fn holds(&self) {
        let done = self.run();
        let id = &self.id;
        let told: Value = serde_json::from_str(&done.out).expect(id);
        let warnings = messages(&told["warnings"]);
        let expected = self.texts("warns");
        assert_eq!(warnings.is_empty(), expected.is_empty(), "{id}: {warnings}");
        for text in expected {
            assert!(warnings.contains(text), "{id}: {text} not in: {warnings}");
        }
        if self.text("verdict") == "done" {
            assert_eq!(done.status, Some(0), "{id}: {}", done.report());
            assert_eq!(shown(done.below("out")), shown(self.tree("tree")), "{id}");
            return;
        }
        assert_eq!(done.status, Some(1), "{id}: {}", done.report());
        let error = &told["error"];
        let problems = format!("{}\n{}", error["message"], messages(&error["problems"]));
        for text in self.texts("names") {
            assert!(problems.contains(text), "{id}: {text} not in: {problems}");
        }
        let found = &error["violations"];
        let violations = found.as_array().unwrap().iter().map(without_message);
        let wanted = self.told["violations"].as_array().cloned();
        let violations: Vec<_> = violations.collect();
        assert_eq!(violations, wanted.unwrap_or_default(), "{id}");
        if let Some(lines) = self.told.get("lines") {
            let found = error["problems"].as_array().unwrap().iter();
            let found: Value = found.map(|problem| problem["line"].clone()).collect();
            assert_eq!(&found, lines, "{id}: {problems}");
        }
        done.wrote_nothing();
    }
}

/// A tree with its texts readable in a failure.
fn shown(files: Files) -> Vec<(String, String)> {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let files = files.into_iter();
    files.map(|(path, bytes)| (path, text(bytes))).collect()
}

/// The files, messages and helps of a list of problems, as plain text.
fn messages(problems: &Value) -> String {
    let list = problems.as_array().unwrap().iter();
    let texts = list.flat_map(|problem| [&problem["file"], &problem["message"], &problem["help"]]);
    texts
        .filter_map(Value::as_str)
        .collect::<Vec<_>>()
        .join("\n")
}

/// A violation without its wording, which is nobody's to rely on.
fn without_message(violation: &Value) -> Value {
    let mut violation = violation.clone();
    let message = violation.as_object_mut().unwrap().remove("message");
    assert!(message.is_some_and(|text| text != ""), "{violation}");
    violation
}

#[test]
fn every_recording_gets_its_verdict() {
    let cases = cases();
    assert!(cases.len() >= 80, "{}", cases.len());
    for case in cases {
        case.is_well_formed();
        case.holds();
    }
}

/// The packages that the corpus uses are without a fault, and each of their actions is used (L12).
#[test]
fn the_packages_of_the_corpus_are_sound() {
    let generators = repository("conformance/recordings/generators");
    let generators = generators.to_str().unwrap();
    Run::new(["validate", "--generators", generators, "--strict"])
        .ok()
        .says(&["2 package(s) loaded, 0 error(s), 0 warning(s)"]);
}

/// Each rule of markers and recordings that can be shown by one line or one replay is cited by a case, and each
/// violation that a replay can meet occurs in one.
#[test]
fn every_rule_that_can_be_pinned_is() {
    let cases = cases();
    let mut cited: BTreeSet<String> = BTreeSet::new();
    let mut slugs: BTreeSet<String> = BTreeSet::new();
    for case in &cases {
        cited.extend(case.texts("rules").into_iter().map(str::to_owned));
        for violation in case.told["violations"].as_array().unwrap_or(&Vec::new()) {
            slugs.insert(violation["rule"].as_str().unwrap().to_owned());
        }
    }
    let markers = fs::read_to_string(repository("conformance/markers/cases.json")).unwrap();
    let markers: Value = serde_json::from_str(&markers).unwrap();
    for case in markers["cases"].as_array().unwrap() {
        let rules = case["rules"].as_array().unwrap();
        cited.extend(rules.iter().map(|rule| rule.as_str().unwrap().to_owned()));
    }
    let markers = (1..=31).map(|n| format!("M{n}"));
    let recordings = (1..=27).map(|n| format!("J{n}"));
    for rule in markers.chain(recordings) {
        let shown = !NOT_SHOWN.contains(&&*rule);
        assert_eq!(cited.contains(&rule), shown, "{rule}");
    }
    let all = Rule::ALL.iter();
    let wanted =
        all.filter(|rule| rule.kind() == RuleKind::Violation && !OF_ANSWERS.contains(rule));
    let wanted: BTreeSet<_> = wanted.map(|rule| rule.slug().to_owned()).collect();
    assert_eq!(slugs, wanted);
}

/// The corpus states its own limits: each rule that it leaves out is named in its README.
#[test]
fn what_is_left_out_is_said() {
    let page = fs::read_to_string(repository("conformance/README.md")).unwrap();
    for rule in NOT_SHOWN {
        assert!(page.contains(rule), "{rule}");
    }
    for rule in OF_ANSWERS {
        let slug = format!("`{}`", rule.slug());
        assert!(page.contains(&slug), "{slug}");
    }
}
