//! The published schemas: that they are current, and that they and Sedum's own readers agree.
//!
//! A document is read by Sedum's YAML or JSON reader, and the value goes to a JSON Schema validator that Sedum does not
//! have any part in. The same text goes to the reader of the format. `UPDATE_SCHEMAS=1` rewrites `docs/schemas`.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use jsonschema::Validator;
use proptest::prelude::*;
use sedum::diag::{Severity, Source};
use sedum::doc::{Node, json, yaml};
use sedum::genpkg::{self, KwargType};
use sedum::pattern::path;
use sedum::schemas::Schema;
use serde_json::{Map, Value, json};

#[path = "schemas/tables.rs"]
mod tables;

use tables::{
    BAD_ACTIONS, BAD_MANIFESTS, BAD_RECORDINGS, BAD_RECORDS, ODD_ACTIONS, ODD_MANIFESTS,
    ODD_RECORDINGS, ODD_RECORDS,
};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn validator(schema: Schema) -> &'static Validator {
    static ALL: LazyLock<Vec<(Schema, Validator)>> = LazyLock::new(|| {
        let built = |schema: Schema| jsonschema::validator_for(&schema.value()).unwrap();
        Schema::ALL.map(|schema| (schema, built(schema))).into()
    });
    let found = ALL.iter().find(|(known, _)| *known == schema);
    &found.unwrap().1
}

/// A node as the value that a JSON Schema validator sees.
fn value_of(node: &Node<'_>) -> Value {
    serde_json::from_str(&sedum::value::Value::from_node(node).to_json()).unwrap()
}

/// A YAML document as a value; none when it is not even YAML.
fn yaml_value(text: &str) -> Option<Value> {
    let parsed = yaml::parse(text);
    parsed
        .faults
        .is_empty()
        .then(|| parsed.root.as_ref().map_or(Value::Null, value_of))
}

/// What a validator objects to, one line each.
fn objections(validator: &Validator, value: &Value) -> String {
    let lines = validator
        .iter_errors(value)
        .map(|error| format!("{}: {error}", error.instance_path()));
    lines.collect::<Vec<_>>().join("\n")
}

// The readers.

/// The slugs of the errors of a package of one manifest and one actions file, with the file of each. Every action has
/// the templates that it needs.
fn package_errors(manifest: &str, actions: &str) -> Vec<(String, &'static str)> {
    let folder = tempfile::tempdir().unwrap();
    let package = folder.path().join("pkg");
    fs::create_dir_all(package.join("actions")).unwrap();
    fs::write(package.join("sedum.yaml"), manifest).unwrap();
    fs::write(package.join("actions/actions.yaml"), actions).unwrap();
    write_templates(&package.join("actions"), actions);
    let loaded = genpkg::load(folder.path(), &[]).unwrap();
    let errors = loaded.findings.into_iter();
    errors
        .filter(|finding| finding.severity == Severity::Error)
        .map(|finding| (finding.file, finding.rule.slug()))
        .collect()
}

fn write_templates(folder: &Path, actions: &str) {
    let document = yaml_value(actions).unwrap_or_default();
    let Some(actions) = document["actions"].as_object() else {
        return;
    };
    for (name, action) in actions {
        if name.is_empty() || name.contains('/') || !action["composes"].is_null() {
            continue;
        }
        if action["discriminator"].is_null() {
            fs::write(folder.join(format!("{name}.txt")), "text\n").unwrap();
            continue;
        }
        fs::create_dir(folder.join(name)).unwrap();
        let variants = action["variants"].as_array().into_iter().flatten();
        for variant in variants.filter_map(Value::as_str).chain(["_default"]) {
            if !variant.is_empty() && !variant.contains(['/', '\0']) {
                fs::write(folder.join(name).join(format!("{variant}.txt")), "text\n").unwrap();
            }
        }
    }
}

const MANIFEST: &str = "name: pkg\ncomment_prefix: '#'\n";

fn manifest_errors(text: &str) -> Vec<&'static str> {
    let errors = package_errors(text, "actions: {}\n").into_iter();
    errors
        .filter(|(file, _)| file == "sedum.yaml")
        .map(|(_, slug)| slug)
        .collect()
}

fn actions_errors(text: &str) -> Vec<&'static str> {
    let errors = package_errors(MANIFEST, text).into_iter();
    errors
        .filter(|(file, _)| file == "actions/actions.yaml")
        .map(|(_, slug)| slug)
        .collect()
}

fn record_is_sound(text: &str) -> bool {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("r.yml"), text).unwrap();
    sedum::record::ingest(folder.path(), &[]).is_ok()
}

/// Whether a recording can be read, its paths written to, and its kwargs bound to a kwarg of some type (J12, J24, D16):
/// what a replay asks before it looks at any package.
fn recording_is_sound(text: &str) -> bool {
    let Ok(recording) = sedum::recording::parse(&Source::new("r.json", text)) else {
        return false;
    };
    recording.records.iter().all(|record| {
        let mut bound = record
            .phases
            .iter()
            .flat_map(|phase| &phase.invocations)
            .flat_map(|invocation| invocation.kwargs.values());
        record
            .files
            .iter()
            .all(|file| path::check(&file.path).is_ok())
            && bound.all(|value| KwargType::ALL.iter().any(|kind| kind.accepts(value)))
    })
}

// The files of this repository.

#[test]
fn the_published_schemas_are_current() {
    for schema in Schema::ALL {
        let path = root().join(format!("docs/schemas/{}.json", schema.name()));
        if std::env::var_os("UPDATE_SCHEMAS").is_some() {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, schema.text()).unwrap();
        }
        let published = fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(
            published.replace("\r\n", "\n"),
            schema.text(),
            "{} is out of date: run the tests with UPDATE_SCHEMAS=1",
            path.display()
        );
    }
}

fn files(folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join(folder)).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(paths.len() > 1, "{folder} holds examples");
    paths
}

fn assert_valid(schema: Schema, path: &Path) {
    let text = fs::read_to_string(path).unwrap();
    let value = if path
        .extension()
        .is_some_and(|extension| extension == "json")
    {
        value_of(&json::parse(&text).unwrap())
    } else {
        yaml_value(&text).unwrap()
    };
    let found = objections(validator(schema), &value);
    assert!(found.is_empty(), "{}:\n{found}", path.display());
}

#[test]
fn every_package_of_the_test_data_is_valid() {
    for package in files("testdata/generators") {
        assert_valid(Schema::Manifest, &package.join("sedum.yaml"));
        assert_valid(Schema::Actions, &package.join("actions/actions.yaml"));
    }
}

#[test]
fn every_record_of_the_test_data_is_valid() {
    for path in files("testdata/records") {
        assert_valid(Schema::Record, &path);
    }
}

#[test]
fn every_recording_of_the_test_data_is_valid() {
    for path in files("testdata/recordings") {
        assert_valid(Schema::Recording, &path);
    }
}

/// L13: the reader lists the keys that it knows when it meets another one.
#[test]
fn the_keys_are_those_that_the_readers_know() {
    let manifest = Schema::Manifest.value();
    let actions = Schema::Actions.value();
    let action = &actions["properties"]["actions"]["additionalProperties"];
    let variable = &manifest["properties"]["variables"]["additionalProperties"];
    let kwarg = &action["properties"]["kwargs"]["additionalProperties"];
    let none = "actions: {}\n";
    for (shape, manifest, actions) in [
        (&manifest, "name: pkg\nqqqqqqqqqqqq: 1\n", none),
        (
            variable,
            "name: pkg\nvariables: {a: {qqqqqqqqqqqq: 1}}\n",
            none,
        ),
        (action, MANIFEST, "actions: {a: {qqqqqqqqqqqq: 1}}\n"),
        (
            kwarg,
            MANIFEST,
            "actions: {a: {kwargs: {b: {qqqqqqqqqqqq: 1}}}}\n",
        ),
    ] {
        let mut keys: Vec<&str> = shape["properties"]
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        keys.sort_unstable();
        let folder = tempfile::tempdir().unwrap();
        let package = folder.path().join("pkg");
        fs::create_dir_all(package.join("actions")).unwrap();
        fs::write(package.join("sedum.yaml"), manifest).unwrap();
        fs::write(package.join("actions/actions.yaml"), actions).unwrap();
        let loaded = genpkg::load(folder.path(), &[]).unwrap();
        let helps = loaded
            .findings
            .iter()
            .filter_map(|finding| finding.help.as_ref());
        let known: Vec<&str> = helps
            .filter_map(|help| help.strip_prefix("the keys are "))
            .flat_map(|list| list.split([',', ' ']))
            .filter(|word| !word.is_empty() && *word != "and")
            .collect();
        assert_eq!(keys, known, "{:?}", loaded.findings);
    }
}

// The tables.

/// What is to be an action is put into a document, unless it is one.
fn actions_document(text: &str) -> String {
    if text.starts_with("actions") || text.starts_with('[') {
        format!("{text}\n")
    } else {
        format!("actions:\n  one: {{injects_into: a.rb, anchor: end_of_file}}\n  two: {text}\n")
    }
}

fn manifest_document(text: &str) -> String {
    if text.starts_with("name") || text.starts_with('[') || text.starts_with('{') {
        format!("{text}\n")
    } else {
        format!("name: pkg\n{text}\n")
    }
}

/// The texts of a table that are not judged as the table says: refused, or accepted, by schema and reader alike.
fn disagreements<'t>(
    texts: impl IntoIterator<Item = (&'t str, bool)>,
    schema: Schema,
    sound: bool,
) -> Vec<String> {
    let validator = validator(schema);
    let mut found = Vec::new();
    for (text, read) in texts {
        let Some(value) = yaml_value(text) else {
            found.push(format!("no YAML: {text}"));
            continue;
        };
        if validator.is_valid(&value) != sound {
            found.push(format!("schema: {text}\n{}", objections(validator, &value)));
        }
        if read != sound {
            found.push(format!("reader: {text}"));
        }
    }
    found
}

fn assert_agreed(found: &[String]) {
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn bad_manifests_are_refused_by_schema_and_reader() {
    for (slug, text) in BAD_MANIFESTS {
        let text = manifest_document(text);
        let errors = manifest_errors(&text);
        let read = !errors.contains(slug);
        assert!(!read, "{text}: {slug} is not among {errors:?}");
        assert_agreed(&disagreements([(&*text, read)], Schema::Manifest, false));
    }
}

#[test]
fn odd_manifests_are_accepted_by_schema_and_reader() {
    for text in ODD_MANIFESTS {
        let text = manifest_document(text);
        let errors = manifest_errors(&text);
        assert!(errors.is_empty(), "{text}: {errors:?}");
        assert_agreed(&disagreements([(&*text, true)], Schema::Manifest, true));
    }
}

#[test]
fn bad_actions_are_refused_by_schema_and_reader() {
    for (slug, text) in BAD_ACTIONS {
        let text = actions_document(text);
        let errors = actions_errors(&text);
        let read = !errors.contains(slug);
        assert!(!read, "{text}: {slug} is not among {errors:?}");
        assert_agreed(&disagreements([(&*text, read)], Schema::Actions, false));
    }
}

#[test]
fn odd_actions_are_accepted_by_schema_and_reader() {
    for text in ODD_ACTIONS {
        let text = actions_document(text);
        let errors = actions_errors(&text);
        assert!(errors.is_empty(), "{text}: {errors:?}");
        assert_agreed(&disagreements([(&*text, true)], Schema::Actions, true));
    }
}

#[test]
fn records_are_judged_alike_by_schema_and_reader() {
    for (table, sound) in [(BAD_RECORDS, false), (ODD_RECORDS, true)] {
        let texts = table.iter().map(|text| (*text, record_is_sound(text)));
        assert_agreed(&disagreements(texts, Schema::Record, sound));
    }
}

#[test]
fn recordings_are_judged_alike_by_schema_and_reader() {
    for (table, sound) in [(BAD_RECORDINGS, false), (ODD_RECORDINGS, true)] {
        let texts = table.iter().map(|text| (*text, recording_is_sound(text)));
        assert_agreed(&disagreements(texts, Schema::Recording, sound));
    }
}

// Documents by chance.

/// Some of the keys, each with one of its values.
fn members(keys: &[(&'static str, &[&'static str])]) -> BoxedStrategy<Value> {
    let pools: Vec<_> = keys
        .iter()
        .map(|(key, values)| {
            let values: Vec<Value> = values
                .iter()
                .map(|text| serde_json::from_str(text).unwrap())
                .collect();
            let value = prop::option::weighted(0.45, prop::sample::select(values));
            value.prop_map(|value| value.map(|value| ((*key).to_owned(), value)))
        })
        .collect();
    pools
        .prop_map(|members| Value::Object(members.into_iter().flatten().collect::<Map<_, _>>()))
        .boxed()
}

fn any_action() -> BoxedStrategy<Value> {
    let keys: [(&'static str, &[&'static str]); 13] = [
        (
            "kwargs",
            &[
                r#"{"b": {"type": "string", "required": true}}"#,
                r#"{"b": {"type": "string"}}"#,
                r#"{"b": {"type": "int", "required": true, "default": 1}}"#,
                r#"{"b": {"type": "int", "default": 1.5}}"#,
                r#"{"b": {"required": true}}"#,
                "{}",
                "null",
            ],
        ),
        ("injects_into", &[r#""a.rb""#, r#""a.rb""#, "null", "[]"]),
        ("injects_into", &[r#""a.rb""#]),
        (
            "anchor",
            &[
                r#""region""#,
                r#""after_match""#,
                r#""end_of_file""#,
                r#""routes""#,
                r#""marker""#,
                r#""a b""#,
                "null",
            ],
        ),
        ("anchor_start", &[r#""a""#, r#""a""#, "null", r#""""#]),
        ("anchor_end", &[r#""b""#, r#""b""#, "null"]),
        ("anchor_pattern", &[r#""x""#, "null", "7"]),
        ("composes", &[r#"["one"]"#, "[]", "null"]),
        ("discriminator", &[r#""b""#, "null"]),
        ("variants", &[r#"["x"]"#, r#"["x", "x"]"#, "[]", "null"]),
        ("identity", &[r#"["b"]"#, "[]", "null"]),
        ("tier", &[r#""owned""#, r#""frozen""#, "null"]),
        ("exposed", &["true", "null", r#""true""#]),
    ];
    members(&keys)
}

fn any_manifest() -> BoxedStrategy<Value> {
    let keys: [(&'static str, &[&'static str]); 8] = [
        ("name", &[r#""pkg""#]),
        ("extensions", &[r#"[".rb"]"#, r#"["rb"]"#, "null", "{}"]),
        ("comment_prefix", &[r##""#""##, r#"" ""#, "null", r#""\n""#]),
        ("comment_suffix", &[r#""-->""#, r#""""#, "null"]),
        (
            "transforms",
            &[
                r#"{"a": ["upper"]}"#,
                r#"{"a": []}"#,
                r#"{"a": ["prefix"]}"#,
                r#"{"upper": ["lower"]}"#,
                "null",
            ],
        ),
        (
            "op_exceptions",
            &[r#"{"pascal": {"id": "ID"}}"#, r#"{"snake": {}}"#, "null"],
        ),
        ("unmanaged", &[r#"["a/"]"#, r#"[""]"#, "null"]),
        (
            "variables",
            &[
                r#"{"a": null}"#,
                r#"{"a": {"default": ""}}"#,
                r#"{"a": "b"}"#,
            ],
        ),
    ];
    members(&keys)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// The pools hold nothing that only the reader can tell, so that both judge every document alike.
    #[test]
    fn actions_by_chance_are_judged_alike(action in any_action()) {
        let document = json!({ "actions": { "one": { "injects_into": "a", "anchor": "a" }, "two": action } });
        let errors = actions_errors(&document.to_string());
        let valid = validator(Schema::Actions).is_valid(&document);
        prop_assert_eq!(valid, errors.is_empty(), "{} {:?}", document, errors);
    }

    #[test]
    fn manifests_by_chance_are_judged_alike(manifest in any_manifest()) {
        let errors = manifest_errors(&manifest.to_string());
        let valid = validator(Schema::Manifest).is_valid(&manifest);
        prop_assert_eq!(valid, errors.is_empty(), "{} {:?}", manifest, errors);
    }

    /// R9, R9a: what a schema says of a path is true; it need not say everything.
    #[test]
    fn no_path_that_sedum_writes_is_refused(text in r"[ab./\\:\[\]* \u{7}\u{a0}\u{85}]{0,6}(\.git|NuL|com1|conin\$|c:)?[a. /]{0,4}") {
        let recorded = json!({ "records": [{ "files": [{ "path": text, "package": "p" }] }] });
        if path::check(&text).is_ok() {
            let valid = validator(Schema::Recording).is_valid(&recorded);
            prop_assert!(valid, "recorded {:?}", text);
        }
        let record = json!({ "id": "a", "affected_scope": [text] });
        if record_is_sound(&record.to_string()) {
            let valid = validator(Schema::Record).is_valid(&record);
            prop_assert!(valid, "authorised {:?}", text);
        }
    }

    /// Q1: whether a scope entry can be read is all told.
    #[test]
    fn scope_entries_are_judged_alike(text in r"[ab*/\[\]^\\-]{0,8}") {
        let record = json!({ "id": "a", "forbidden_scope": [text] });
        let valid = validator(Schema::Record).is_valid(&record);
        prop_assert_eq!(valid, record_is_sound(&record.to_string()), "{:?}", text);
    }
}
