//! The documents: what they show is what the program does.
//!
//! It decides whether `README.md`, the other pages of the root, those below `docs` and that of the conformance corpus agree
//! with the built program and with the repository. It must not judge behaviour: the suite in `tests/it` does.
//!
//! Every `sh` and `console` block is carried out, in a scratch copy of the test data, one for each document. Words behind
//! the language of a block say how it is meant:
//!
//! | words | meaning |
//! |---|---|
//! | `sh` | each line runs `sedum`, as itself or through `cargo run --`, and succeeds |
//! | `sh status=1` | the last command ends with this exit status |
//! | `sh needs=python3` | each line may run this program as well; skipped where it is missing |
//! | `sh no-run` | needs a network, installs something, or is for another program |
//! | `text output` | lines of what the block above printed; `...` stands for some lines, or for the rest of one |
//! | `yaml file=PATH` | is written to this file before the next command |
//! | `yaml expect=PATH` | is what this file holds now |

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::unwrap_used
)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use clap::CommandFactory as _;
use sedum::cli::args::Args;
use sedum::schemas::Schema;

#[path = "docs/blocks.rs"]
mod blocks;
mod support;
#[path = "docs/walk.rs"]
mod walk;

use blocks::blocks;
use support::{files, read, root};
use walk::Walk;

/// The documents, by their path from the root.
fn documents() -> BTreeMap<String, String> {
    let mut documents = BTreeMap::new();
    for folder in ["", "docs", "conformance"] {
        for path in files(&root().join(folder), "md") {
            let name = Path::new(folder).join(path.file_name().unwrap());
            let name = name.to_str().unwrap().replace('\\', "/");
            documents.insert(name, read(&path));
        }
    }
    documents
}

#[test]
fn commands_do_what_the_documents_show() {
    let mut faults = Vec::new();
    let mut ran = 0;
    for (name, text) in documents() {
        let mut walk = Walk::new(name, &text);
        for block in blocks(&text) {
            walk.step(&block);
        }
        faults.append(&mut walk.faults);
        ran += walk.ran;
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(ran > 40, "only {ran} commands were found");
}

/// The keys and the fixed values of a schema, wherever they stand in it.
fn words_of(
    schema: &serde_json::Value,
    keys: &mut BTreeSet<String>,
    values: &mut BTreeSet<String>,
) {
    match schema {
        serde_json::Value::Object(fields) => {
            for (name, value) in fields {
                match (name.as_str(), value) {
                    ("properties", serde_json::Value::Object(found)) => {
                        keys.extend(found.keys().cloned());
                    }
                    ("enum", serde_json::Value::Array(found)) => {
                        let texts = found.iter().filter_map(|value| value.as_str());
                        values.extend(texts.map(str::to_owned));
                    }
                    _ => {}
                }
                words_of(value, keys, values);
            }
        }
        serde_json::Value::Array(items) => {
            for item in items {
                words_of(item, keys, values);
            }
        }
        _ => {}
    }
}

/// Every key of both package files is explained in the guide, and stands in an example there; every fixed value is
/// named (S1, A2, A4).
#[test]
fn every_key_of_a_package_is_explained() {
    let page = read(&root().join("docs/authoring.md"));
    let examples: String = blocks(&page).into_iter().map(|b| b.text).collect();
    let (mut keys, mut values) = (BTreeSet::new(), BTreeSet::new());
    for schema in [Schema::Manifest, Schema::Actions] {
        words_of(&schema.value(), &mut keys, &mut values);
    }
    assert!(
        keys.len() >= 30 && values.len() >= 15,
        "{keys:?} {values:?}"
    );
    let shown = |key: &&String| {
        examples.contains(&format!("{key}:")) || examples.contains(&format!("\"{key}\":"))
    };
    let named = |word: &&String| page.contains(&format!("`{word}`"));
    let missing: Vec<_> = keys
        .iter()
        .filter(|key| !shown(key) || !named(key))
        .collect();
    assert!(
        missing.is_empty(),
        "not explained with an example: {missing:?}"
    );
    // The operations that take an argument are named with one.
    let named = |word: &&String| named(word) || page.contains(&format!("`{word}:X`"));
    let missing: Vec<_> = values.iter().filter(|value| !named(value)).collect();
    assert!(missing.is_empty(), "not named: {missing:?}");
}

/// Every command and flag of the tree is somewhere in the documents.
#[test]
fn every_command_and_flag_is_documented() {
    let text: String = documents().into_values().collect();
    let mut tree = Args::command();
    tree.build();
    let mut missing = Vec::new();
    for command in tree.get_subcommands() {
        let name = command.get_name();
        if name != "help" && !text.contains(&format!("sedum {name}")) {
            missing.push(name.to_owned());
        }
        for flag in command.get_arguments().filter_map(|flag| flag.get_long()) {
            let spelt = format!("--{flag}");
            let mut found = text.match_indices(&spelt).map(|(at, found)| {
                let next = text[at + found.len()..].chars().next();
                !next.is_some_and(|c| c.is_alphanumeric() || c == '-')
            });
            if !["help", "version"].contains(&flag) && !found.any(|whole| whole) {
                missing.push(format!("{name} --{flag}"));
            }
        }
    }
    assert!(missing.is_empty(), "not documented: {missing:?}");
}

/// A link to a file of the repository leads to one, and one to a heading to a heading.
/// Where `cargo run --` is written, Cargo has to know which of the crate's programs is meant.
#[test]
fn cargo_run_is_the_tool() {
    let manifest = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
    assert!(manifest.unwrap().contains("\ndefault-run = \"sedum\"\n"));
}

#[test]
fn links_lead_somewhere() {
    let mut faults = Vec::new();
    let documents = documents();
    for (name, text) in &documents {
        let folder = root().join(name).parent().unwrap().to_owned();
        for (at, _) in text.match_indices("](") {
            let rest = &text[at + 2..];
            let Some(target) = rest.find(')').map(|end| &rest[..end]) else {
                continue;
            };
            if target.contains("://") || target.contains(char::is_whitespace) {
                continue;
            }
            let (path, heading) = target.split_once('#').unwrap_or((target, ""));
            let file = if path.is_empty() {
                root().join(name)
            } else {
                folder.join(path)
            };
            if !file.exists() {
                faults.push(format!("{name}: {target}"));
            } else if !heading.is_empty() && !headings(&read(&file)).contains(heading) {
                faults.push(format!("{name}: {target}: there is no such heading"));
            }
        }
    }
    assert!(faults.is_empty(), "links that lead nowhere: {faults:#?}");
}

/// The fragments of a document's headings, as GitHub makes them.
fn headings(text: &str) -> BTreeSet<String> {
    let mut fenced = false;
    let mut headings = BTreeSet::new();
    for line in text.lines() {
        fenced ^= line.starts_with("```");
        if !fenced && line.starts_with('#') {
            let title = line.trim_start_matches('#').trim().to_lowercase();
            let kept = title
                .chars()
                .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
            headings.insert(kept.map(|c| if c == ' ' { '-' } else { c }).collect());
        }
    }
    headings
}

/// P16: each direct dependency has its reason on the page, and the page names no other.
#[test]
fn every_dependency_has_a_reason() {
    let mut wanted = BTreeSet::new();
    let mut within = false;
    let manifest = read(&root().join("Cargo.toml"));
    for line in manifest.lines() {
        if line.starts_with('[') {
            within = line.trim_matches(['[', ']']).ends_with("dependencies");
        } else if let (true, Some((name, _))) = (within, line.split_once('=')) {
            wanted.insert(name.trim().to_owned());
        }
    }
    let page = read(&root().join("docs/dependencies.md"));
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `"));
    let named: BTreeSet<_> = rows
        .filter_map(|row| Some(row.split_once('`')?.0.to_owned()))
        .collect();
    assert_eq!(named, wanted, "left: the page, right: Cargo.toml");
}

/// The man pages come from the command tree, one for each command (O27).
#[test]
fn man_pages_are_made_from_the_command_tree() {
    let folder = tempfile::tempdir().unwrap();
    clap_mangen::generate_to(Args::command().disable_help_subcommand(true), folder.path()).unwrap();
    let page = read(&folder.path().join("sedum-grow.1"));
    assert!(page.contains("lock\\-timeout"), "{page}");
}
