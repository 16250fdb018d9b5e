//! The records of `provenance`: why Sedum is as it is, in its own format.
//!
//! It decides whether they have the keys, types, statuses and links that they should, whether what they name exists, and
//! whether Sedum ingests them. It must not judge what they say.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};

use sedum::doc::node::Node;
use sedum::pattern::scope::Entry;

mod support;

use support::{files, read, root};

/// A record as this test reads it.
struct Decision {
    id: String,
    kind: String,
    /// The records that it names, by the key that names them.
    links: Vec<(&'static str, String)>,
    specs: Vec<String>,
    status: String,
    /// The commit that an implemented record is sealed to.
    sealed: Option<String>,
    constraints: Vec<String>,
}

impl Decision {
    fn names(&self, key: &str, id: &str) -> bool {
        self.links
            .iter()
            .any(|(k, linked)| *k == key && linked == id)
    }
}

/// Pr1's keys.
const KEYS: [&str; 18] = [
    "affected_scope",
    "associated_specs",
    "associated_traces",
    "author",
    "constraints",
    "created_at",
    "forbidden_scope",
    "id",
    "intent",
    "monitors",
    "related",
    "sealed_at_sha",
    "status",
    "superseded_by",
    "supersedes",
    "tags",
    "title",
    "type",
];

/// The records below `provenance`, read with the program's own YAML reader.
fn decisions() -> BTreeMap<String, Decision> {
    let mut decisions = BTreeMap::new();
    for path in files(&root().join("provenance"), "yml") {
        let text = read(&path);
        let parsed = sedum::doc::yaml::parse(&text);
        assert!(
            parsed.faults.is_empty(),
            "{}: {:?}",
            path.display(),
            parsed.faults
        );
        let decision = decision(&parsed.root.unwrap());
        let stem = path.file_stem().unwrap().to_string_lossy();
        assert_eq!(decision.id, stem, "a record's file is named by its id");
        decisions.insert(decision.id.clone(), decision);
    }
    decisions
}

fn decision(record: &Node<'_>) -> Decision {
    let text = |key: &str| record.get(key).and_then(|node| node.text().ok());
    let id = text("id").unwrap().to_owned();
    let mut keys: BTreeSet<_> = record.map().unwrap().iter().map(|e| &*e.key).collect();
    let mut links = Vec::new();
    for key in ["implements", "extends", "superseded_by"] {
        if key != "superseded_by" {
            keys.remove(key);
        }
        links.extend(text(key).map(|found| (key, found.to_owned())));
    }
    for key in ["related", "supersedes"] {
        let found = record.get(key).and_then(Node::list).unwrap_or_default();
        links.extend(
            found
                .iter()
                .map(|node| (key, node.text().unwrap().to_owned())),
        );
    }
    assert_eq!(keys, BTreeSet::from(KEYS), "{id}: the keys of a record");
    let status = text("status").unwrap();
    let statuses = ["draft", "open", "implemented", "superseded", "deprecated"];
    assert!(statuses.contains(&status), "{id}: {status}");
    let list = |key: &str| record.get(key).and_then(Node::list).unwrap_or_default();
    let constraint = |node: &Node<'_>| node.text().unwrap().to_owned();
    let path = |spec: &Node<'_>| spec.get("path").unwrap().text().unwrap().to_owned();
    Decision {
        kind: text("type").unwrap().to_owned(),
        links,
        specs: list("associated_specs").iter().map(path).collect(),
        status: status.to_owned(),
        sealed: text("sealed_at_sha").map(str::to_owned),
        constraints: list("constraints").iter().map(constraint).collect(),
        id,
    }
}

/// Pr1, Pr2: a record has its keys, its type, and the link that its type calls for; every link and spec exists.
#[test]
fn decisions_are_linked() {
    let decisions = decisions();
    for decision in decisions.values() {
        let id = &decision.id;
        let parents = decision
            .links
            .iter()
            .filter(|(key, _)| ["implements", "extends"].contains(key));
        let parents: Vec<_> = parents.map(|(key, parent)| (*key, parent)).collect();
        for (key, linked) in &decision.links {
            assert!(decisions.contains_key(linked), "{id}: {key}: {linked}");
        }
        let wanted = match decision.kind.as_str() {
            "brief" => None,
            "blueprint" => Some(("implements", "brief")),
            "imprint" => Some(("implements", "blueprint")),
            "bug" => Some(("extends", "")),
            other => panic!("{id}: there is no type {other}"),
        };
        match (wanted, parents.as_slice()) {
            (None, []) => {}
            (Some((key, kind)), [(found, parent)]) if key == *found => {
                let parent = &decisions[*parent].kind;
                assert!(kind.is_empty() || parent == kind, "{id}: {key} a {parent}");
            }
            _ => panic!("{id}: a {} with {parents:?}", decision.kind),
        }
        for spec in &decision.specs {
            assert!(root().join(spec).exists(), "{id}: there is no {spec}");
        }
    }
}

/// Pr3, Pr4: an implemented record is sealed to a commit, an open one is not; one that is superseded and its successor
/// name each other.
#[test]
fn decisions_have_their_status() {
    let decisions = decisions();
    for decision in decisions.values() {
        let id = &decision.id;
        let sealed = decision.sealed.as_deref();
        let is_commit = |sha: &str| sha.len() == 40 && sha.bytes().all(|b| b.is_ascii_hexdigit());
        match decision.status.as_str() {
            "draft" | "open" => assert_eq!(sealed, None, "{id}"),
            _ => assert!(sealed.is_some_and(is_commit), "{id}: {sealed:?}"),
        }
        let is_superseded = decision
            .links
            .iter()
            .any(|(key, _)| *key == "superseded_by");
        assert_eq!(is_superseded, decision.status == "superseded", "{id}");
        for (key, linked) in &decision.links {
            let back = match *key {
                "supersedes" => "superseded_by",
                "superseded_by" => "supersedes",
                _ => continue,
            };
            assert!(decisions[linked].names(back, id), "{linked}: {back} {id}");
        }
    }
}

/// Pr12: a decision says what else there was.
#[test]
fn decisions_say_what_was_turned_down() {
    for decision in decisions().values().filter(|d| d.kind == "imprint") {
        let said = |text: &String| text.contains("Turned down: ");
        let id = &decision.id;
        assert!(decision.constraints.iter().any(said), "{id}");
    }
}

/// B4: each case of the two corpora names the record that decided it.
#[test]
fn cases_cite_decisions() {
    let decisions = decisions();
    let json = |path: &std::path::Path| -> serde_json::Value {
        serde_json::from_str(&read(path)).unwrap()
    };
    let corpus = root().join("conformance");
    let markers = json(&corpus.join("markers/cases.json"));
    let mut cases = markers["cases"].as_array().unwrap().clone();
    let folders = std::fs::read_dir(corpus.join("recordings/cases")).unwrap();
    cases.extend(folders.map(|folder| json(&folder.unwrap().path().join("case.json"))));
    assert!(cases.len() > 160, "{}", cases.len());
    for case in cases {
        let cited = case["decided_by"].as_str().unwrap();
        assert!(decisions.contains_key(cited), "a case cites {cited}");
    }
}

/// Sedum ingests its own records; the files and folders that they govern exist, and an imprint governs no file that its
/// blueprint does not (Pr5).
#[test]
fn decisions_are_records() {
    let ingested = sedum::record::ingest(&root().join("provenance"), &[]).unwrap();
    let decisions = decisions();
    let records: BTreeMap<_, _> = ingested.set.records.iter().map(|r| (&r.id, r)).collect();
    assert_eq!(records.len(), decisions.len());
    for record in records.values() {
        let (id, decision) = (&record.id, &decisions[&record.id]);
        let named = record.paths.iter().map(|path| path.path.as_str());
        let allowed = record.patterns.entries().iter().map(Entry::text);
        let governed: Vec<_> = named.chain(allowed).collect();
        assert!(!governed.is_empty(), "{id} governs nothing");
        for path in governed {
            let plain = path.trim_end_matches('/');
            let is_pattern = plain.contains(['*', '?', '[']);
            assert!(is_pattern || root().join(plain).exists(), "{id}: {path}");
            for (key, parent) in &decision.links {
                let covered = records[parent].covers(plain);
                assert!(
                    *key != "implements" || decision.kind != "imprint" || covered,
                    "{id}: {path} is not {parent}'s"
                );
            }
        }
    }
}
