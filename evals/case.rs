//! Cases: what is asked, on what fixture, by which models, and what a right answer would hold (H9-H16, H24-H28).
//!
//! A case is one strict YAML file. This module decides whether it is sound by itself; whether its fixture loads is
//! [`super::fixture`]'s. Nothing in here knows a target language: commands of checks are data of the case (H6).

mod expect;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use sedum::diag::{Problem, Source, listed, quoted};
use sedum::doc::{Fault, Fields, Node, input, yaml};

use super::failure::Failure;
pub use expect::Expect;

/// One case.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its name, that of its file.
    pub id: String,
    /// What it is about, in a few words.
    pub title: String,
    /// What the fixture pretends to be a part of.
    pub application: Application,
    /// The target's language.
    pub language: String,
    /// The target's framework.
    pub framework: String,
    /// How much of the answer the record states: `tight` or `loose`.
    pub tightness: String,
    /// The arms that may be run (H15).
    pub arms: Vec<Arm>,
    /// The folder of packages, relative to the fixtures.
    pub generators: PathBuf,
    /// The folder of records, relative to the fixtures.
    pub records: PathBuf,
    /// The record's id.
    pub only: String,
    /// Files that are there before, relative to the fixtures.
    pub existing: Option<PathBuf>,
    /// The run's variables (H14).
    pub variables: BTreeMap<String, String>,
    /// Other wordings of the record's intent; the record's own is number 1.
    pub wordings: Vec<String>,
    /// Who may be asked (H11, H12).
    pub models: Vec<ModelRow>,
    /// For each extension the command that tells whether a file parses; the file's path is added (H36).
    pub check: BTreeMap<String, Vec<String>>,
    /// How many seconds a sample is expected to take (H66).
    pub per_sample: u32,
    /// What a right answer holds.
    pub expect: Expect,
}

/// What a fixture pretends to be a part of.
#[derive(Clone, Debug, Serialize)]
pub struct Application {
    /// Its name.
    pub name: String,
    /// How large it is said to be.
    pub complexity: String,
}

/// A model in an engine: the same weights in two engines are two rows (H11).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelRow {
    /// The model.
    pub id: String,
    /// What runs it.
    pub engine: String,
    /// How its weights are quantised.
    pub quant: String,
    /// A part of the name by which the server reports it, so that no row can be filled by another model (H13).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reports: Option<String>,
}

impl ModelRow {
    /// `id/engine-quant`.
    pub fn label(&self) -> String {
        format!("{}/{}-{}", self.id, self.engine, self.quant)
    }
}

/// Who makes the files: the tool from a selection, or the model by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Arm {
    /// The model selects from the catalog, Sedum writes.
    Sedum,
    /// The model sees no catalog and writes the files.
    Baseline,
}

impl Arm {
    /// Every arm.
    pub const ALL: [Self; 2] = [Self::Sedum, Self::Baseline];

    /// The word of case and command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sedum => "sedum",
            Self::Baseline => "baseline",
        }
    }

    /// The arm of a word (H15).
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|arm| arm.name() == name)
    }
}

impl Case {
    /// How many wordings of the record there are, its own included.
    pub fn wording_count(&self) -> usize {
        self.wordings.len() + 1
    }

    /// The row of a model, by id or by label.
    pub fn model(&self, name: &str) -> Option<&ModelRow> {
        let mut rows = self.models.iter();
        rows.find(|row| row.id == name || row.label() == name)
    }
}

/// Reads every case of a folder, in the order of their names, and holds them against each other (H12).
pub fn read_all(folder: &Path) -> Result<Vec<Case>, Failure> {
    let mut paths = Vec::new();
    let entries = std::fs::read_dir(folder).map_err(|e| Failure::io(folder, "listed", &e))?;
    for entry in entries {
        let path = entry.map_err(|e| Failure::io(folder, "listed", &e))?.path();
        if path.extension().is_some_and(|e| e == "yaml") {
            paths.push(path);
        }
    }
    paths.sort();
    let mut cases: Vec<Case> = Vec::new();
    let mut problems = Vec::new();
    for path in paths {
        match read(&path)? {
            Ok(case) => cases.push(case),
            Err(faults) => problems.extend(faults),
        }
    }
    if let Some((first, rest)) = cases.split_first() {
        for case in rest.iter().filter(|case| case.models != first.models) {
            problems.push(Problem::new(format!(
                "the cases {} and {} declare different models: every case declares the same rows (H12)",
                quoted(&first.id),
                quoted(&case.id)
            )));
        }
    }
    if problems.is_empty() {
        Ok(cases)
    } else {
        Err(Failure::problems("the cases cannot be used", &problems))
    }
}

/// Reads one case; the inner error holds every fault of the file.
fn read(path: &Path) -> Result<Result<Case, Vec<Problem>>, Failure> {
    let name = path.to_string_lossy();
    let text = input::read_text(path)
        .map_err(|why| Failure::failed(format!("case {} cannot be read: {why}", quoted(&name))))?;
    let source = Source::new(name.clone(), text);
    let stem = path.file_stem().map(|s| s.to_string_lossy().into_owned());
    let read = parse(source.text(), &stem.unwrap_or_default());
    Ok(read.map_err(|faults| {
        let faults = faults.into_iter();
        faults.map(|fault| input::problem(&source, fault)).collect()
    }))
}

/// The case of a text; `stem` is the name that it must have.
pub fn parse(text: &str, stem: &str) -> Result<Case, Vec<Fault>> {
    let parsed = yaml::parse(text);
    let mut faults = parsed.faults;
    let Some(root) = parsed.root else {
        if faults.is_empty() {
            let nowhere = sedum::diag::Span::new(0, 0);
            faults.push(Fault::new(nowhere, "the case is empty"));
        }
        return Err(faults);
    };
    let case = from_root(&root, stem, &mut faults);
    if faults.is_empty() {
        Ok(case)
    } else {
        Err(faults)
    }
}

fn from_root(root: &Node<'_>, stem: &str, faults: &mut Vec<Fault>) -> Case {
    let mut fields = Fields::of(root, "a case", faults);
    let mut text = |name| required(&mut fields, root, name);
    let case = Case {
        id: text("id"),
        title: text("title"),
        language: text("language"),
        framework: text("framework"),
        tightness: text("tightness"),
        generators: text("generators").into(),
        records: text("records").into(),
        only: text("only"),
        application: application(root, &mut fields),
        arms: arms(root, &mut fields),
        existing: fields.text("existing").map(|(text, _)| text.into()),
        variables: variables(&mut fields),
        wordings: texts(&mut fields, "wordings"),
        models: models(root, &mut fields),
        check: check(&mut fields),
        per_sample: seconds(root, &mut fields),
        expect: expect::read(root, &mut fields),
    };
    if case.id != stem && !case.id.is_empty() {
        let id = root.get("id").map_or(root.span, |node| node.span);
        let message = format!(
            "the case is called {}, and its file {}",
            quoted(&case.id),
            quoted(stem)
        );
        fields
            .faults
            .push(Fault::new(id, message).help("give both one name"));
    }
    if !["tight", "loose", ""].contains(&case.tightness.as_str()) {
        let at = root.get("tightness").map_or(root.span, |node| node.span);
        let message = format!(
            "tightness is tight or loose, not {}",
            quoted(&case.tightness)
        );
        fields.faults.push(Fault::new(at, message));
    }
    fields.finish("a case");
    case
}

/// A field of text that has to be there and say something; empty when it is not.
fn required(fields: &mut Fields<'_, '_, '_>, owner: &Node<'_>, name: &'static str) -> String {
    let before = fields.faults.len();
    let found = fields.text(name).map(|(text, _)| text.trim().to_owned());
    match found {
        Some(text) if !text.is_empty() => text,
        _ => {
            if fields.faults.len() == before {
                let message = format!("the key {name} is missing or blank");
                fields.faults.push(Fault::new(owner.span, message));
            }
            String::new()
        }
    }
}

fn texts(fields: &mut Fields<'_, '_, '_>, name: &'static str) -> Vec<String> {
    let found = fields.texts(name).unwrap_or_default();
    found
        .iter()
        .map(|(text, _)| text.trim().to_owned())
        .collect()
}

fn application(root: &Node<'_>, fields: &mut Fields<'_, '_, '_>) -> Application {
    let Some(node) = fields.value("application") else {
        fields
            .faults
            .push(Fault::new(root.span, "the key application is missing"));
        return Application {
            name: String::new(),
            complexity: String::new(),
        };
    };
    let mut inner = Fields::of(node, "application", fields.faults);
    let application = Application {
        name: required(&mut inner, node, "name"),
        complexity: required(&mut inner, node, "complexity"),
    };
    inner.finish("application");
    application
}

fn arms(root: &Node<'_>, fields: &mut Fields<'_, '_, '_>) -> Vec<Arm> {
    let mut arms = Vec::new();
    for (name, node) in fields.texts("arm").unwrap_or_default() {
        match Arm::named(name) {
            Some(arm) if !arms.contains(&arm) => arms.push(arm),
            _ => {
                let known = listed(Arm::ALL.map(Arm::name));
                let message = format!("an arm is one of {known}, each once, not {}", quoted(name));
                fields.faults.push(Fault::new(node.span, message));
            }
        }
    }
    if arms.is_empty() {
        fields
            .faults
            .push(Fault::new(root.span, "arm lists no arm"));
    }
    arms
}

fn variables(fields: &mut Fields<'_, '_, '_>) -> BTreeMap<String, String> {
    let mut variables = BTreeMap::new();
    for entry in fields.map("variables").unwrap_or_default() {
        match entry.value.text() {
            Ok(value) => drop(variables.insert(entry.key.to_string(), value.to_owned())),
            Err(fault) => fields.faults.push(fault),
        }
    }
    variables
}

fn models(root: &Node<'_>, fields: &mut Fields<'_, '_, '_>) -> Vec<ModelRow> {
    let mut rows: Vec<ModelRow> = Vec::new();
    let mut labels = BTreeSet::new();
    for node in fields.list("models").unwrap_or_default() {
        let mut inner = Fields::of(node, "a model", fields.faults);
        let row = ModelRow {
            id: required(&mut inner, node, "id"),
            engine: required(&mut inner, node, "engine"),
            quant: required(&mut inner, node, "quant"),
            reports: inner.text("reports").map(|(text, _)| text.to_owned()),
        };
        inner.finish("a model");
        if !labels.insert(row.label()) {
            let message = format!("the model {} is declared twice", quoted(&row.label()));
            fields.faults.push(Fault::new(node.span, message));
        }
        rows.push(row);
    }
    if rows.is_empty() {
        fields
            .faults
            .push(Fault::new(root.span, "models lists no model"));
    }
    rows
}

fn check(fields: &mut Fields<'_, '_, '_>) -> BTreeMap<String, Vec<String>> {
    let mut commands = BTreeMap::new();
    for entry in fields.map("check").unwrap_or_default() {
        let words: Option<Vec<String>> = entry.value.list().and_then(|items| {
            let words = items.iter().map(|item| item.text().ok().map(str::to_owned));
            words.collect()
        });
        match words {
            Some(words) if !words.is_empty() && entry.key.starts_with('.') => {
                commands.insert(entry.key.to_string(), words);
            }
            _ => {
                let message =
                    "a check is an extension with a dot and the list of a command's words";
                fields.faults.push(Fault::new(entry.key_span, message));
            }
        }
    }
    commands
}

fn seconds(root: &Node<'_>, fields: &mut Fields<'_, '_, '_>) -> u32 {
    let Some(node) = fields.value("per_sample") else {
        // H66.
        return 90;
    };
    let number = node.scalar().and_then(|(text, _)| text.parse().ok());
    number.filter(|n| *n > 0).unwrap_or_else(|| {
        let at = root.get("per_sample").map_or(root.span, |node| node.span);
        let message = "per_sample is a whole number of seconds, at least 1";
        fields.faults.push(Fault::new(at, message));
        0
    })
}

#[cfg(test)]
mod tests;
