//! The documents: what they show is what the program does.
//!
//! It decides whether `README.md`, the pages below `docs` and the records below `provenance` agree with the built program
//! and with the repository. It must not judge behaviour: the suite in `tests/it` does.
//!
//! Every `sh` and `console` block is carried out, in a scratch copy of the test data, one for each document. Words behind
//! the language of a block say how it is meant:
//!
//! | words | meaning |
//! |---|---|
//! | `sh` | each line runs `sedum`, as itself or through `cargo run --`, and succeeds |
//! | `sh status=1` | the last command ends with this exit status |
//! | `sh no-run` | needs a network, installs something, or is for another program |
//! | `text output` | lines of what the block above printed; `...` stands for some lines, or for the rest of one |
//! | `yaml file=PATH` | is written to this file before the next command |
//! | `yaml expect=PATH` | is what this file holds now |

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::CommandFactory as _;
use sedum::cli::args::Args;
use sedum::doc::node::Node;
use sedum::pattern::scope::Entry;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The documents that show commands, by their path from the root.
fn documents() -> BTreeMap<String, String> {
    let mut documents = BTreeMap::new();
    for name in ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"] {
        documents.insert(name.to_owned(), read(&root().join(name)));
    }
    for path in files(&root().join("docs"), "md") {
        let name = path.file_name().unwrap().to_string_lossy();
        documents.insert(format!("docs/{name}"), read(&path));
    }
    documents
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files of a folder with this extension, sorted.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    files.sort();
    files
}

/// A fenced block: what its fence says, and its lines.
struct Block {
    line: usize,
    language: String,
    words: Vec<String>,
    text: String,
}

impl Block {
    fn says(&self, word: &str) -> bool {
        self.words.iter().any(|found| found == word)
    }

    fn value(&self, key: &str) -> Option<&str> {
        let mut values = self.words.iter().filter_map(|word| word.split_once('='));
        values
            .find(|(found, _)| *found == key)
            .map(|(_, value)| value)
    }

    fn is_shell(&self) -> bool {
        matches!(self.language.as_str(), "sh" | "console")
    }
}

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (at, line) in text.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(info)) => {
                let mut words = info.split_whitespace().map(str::to_owned);
                open = Some(Block {
                    line: at + 1,
                    language: words.next().unwrap_or_default(),
                    words: words.collect(),
                    text: String::new(),
                });
            }
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(block), None) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a fence is not closed");
    blocks
}

/// The commands of a shell block, continued lines joined; the arguments of `sedum`, and the file that `>` names.
fn commands(block: &Block, name: &str) -> Vec<(Vec<String>, Option<String>)> {
    let joined = block.text.replace("\\\n", " ");
    let mut commands = Vec::new();
    for line in joined.lines() {
        let line = line.trim();
        let line = line.strip_prefix("$ ").unwrap_or(line);
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let rest = line
            .strip_prefix("sedum ")
            .or_else(|| line.strip_prefix("cargo run -- "))
            .unwrap_or_else(|| {
                panic!(
                    "{name}:{}: {line:?} is not sedum: mark the block no-run",
                    block.line
                )
            });
        let mut words = words(rest);
        let target = words
            .iter()
            .position(|word| word == ">")
            .map(|at| words.split_off(at).pop().unwrap());
        commands.push((words, target));
    }
    commands
}

/// Words as a shell splits them, with both kinds of quotes and nothing else.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in text.chars() {
        match (quote, c) {
            (Some(open), c) if open == c => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Runs `sedum` in a folder, with no setting of the surrounding shell: its exit status, its output, its errors.
fn sedum(folder: &Path, arguments: &[String]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sedum"));
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("SEDUM_") || text.starts_with("OPENAI_") {
            command.env_remove(&name);
        }
    }
    let output = command
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap_or(-1),
        text(output.stdout),
        text(output.stderr),
    )
}

/// Whether what a document shows is what was printed: lines that stand next to each other do so there, and `...` on a
/// line of its own stands for any lines between.
fn shows(shown: &str, printed: &str) -> Result<(), String> {
    let printed: Vec<_> = printed.lines().map(str::trim_end).collect();
    let shown: Vec<_> = shown.lines().map(str::trim_end).collect();
    let same = |(found, line): (&&str, &&str)| match line.strip_suffix("...") {
        Some(start) => found.starts_with(start),
        None => found == line,
    };
    let mut at = 0;
    for run in shown.split(|line| line.trim() == "...") {
        let rest = printed.get(at..).unwrap_or_default();
        let stands = |start: &usize| {
            let there = &rest[*start..];
            there.len() >= run.len() && there.iter().zip(run).all(same)
        };
        let start = (0..=rest.len())
            .find(stands)
            .ok_or_else(|| format!("these lines are not printed there:\n{}", run.join("\n")))?;
        at += start + run.len();
    }
    Ok(())
}

#[test]
fn commands_do_what_the_documents_show() {
    let mut faults = Vec::new();
    let mut ran = 0;
    for (name, text) in documents() {
        let scratch = tempfile::tempdir().unwrap();
        for part in ["generators", "records", "recordings"] {
            let part = Path::new("testdata").join(part);
            copy(&root().join(&part), &scratch.path().join(&part));
        }
        let mut printed = None;
        for block in blocks(&text) {
            let place = format!("{name}:{}", block.line);
            if let Some(path) = block.value("file") {
                let path = scratch.path().join(path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, &block.text).unwrap();
            } else if let Some(path) = block.value("expect") {
                if read(&scratch.path().join(path)) != block.text {
                    faults.push(format!("{place}: {path} holds something else"));
                }
            } else if block.says("output") {
                let printed: Option<&String> = printed.as_ref();
                let printed = printed.expect("an output block stands behind a command");
                if let Err(why) = shows(&block.text, printed) {
                    faults.push(format!("{place}: {why}"));
                }
            } else if block.is_shell() && !block.says("no-run") {
                let mut all = String::new();
                let commands = commands(&block, &name);
                let last = commands.len() - 1;
                for (at, (arguments, target)) in commands.iter().enumerate() {
                    let (status, out, err) = sedum(scratch.path(), arguments);
                    let expected = match block.value("status") {
                        Some(status) if at == last => status.parse().unwrap(),
                        _ => 0,
                    };
                    if status != expected {
                        faults.push(format!("{place}: status {status}, not {expected}\n{err}"));
                    }
                    match target {
                        Some(file) => fs::write(scratch.path().join(file), out).unwrap(),
                        None => all.push_str(&out),
                    }
                    all.push_str(&err);
                    ran += 1;
                }
                printed = Some(all);
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(ran > 20, "only {ran} commands were found");
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

/// A record as this test reads it.
struct Decision {
    id: String,
    kind: String,
    /// The records that it names, by the key that names them.
    links: Vec<(&'static str, String)>,
    specs: Vec<String>,
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
    let specs = record.get("associated_specs").and_then(Node::list);
    let path = |spec: &Node<'_>| spec.get("path").unwrap().text().unwrap().to_owned();
    Decision {
        kind: text("type").unwrap().to_owned(),
        links,
        specs: specs.unwrap_or_default().iter().map(path).collect(),
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
    let cases = read(&root().join("conformance/markers/cases.json"));
    let cases: serde_json::Value = serde_json::from_str(&cases).unwrap();
    for case in cases["cases"].as_array().unwrap() {
        let cited = case["decided_by"].as_str().unwrap();
        assert!(decisions.contains_key(cited), "the corpus cites {cited}");
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

/// The man pages come from the command tree, one for each command (O27).
#[test]
fn man_pages_are_made_from_the_command_tree() {
    let folder = tempfile::tempdir().unwrap();
    clap_mangen::generate_to(Args::command().disable_help_subcommand(true), folder.path()).unwrap();
    let page = read(&folder.path().join("sedum-grow.1"));
    assert!(page.contains("lock\\-timeout"), "{page}");
}
