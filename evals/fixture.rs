//! A case's fixture, loaded: packages, the record, the files that are there before, and the digest of it all (H60, H67).
//!
//! It loads through the library's own phases and makes [`Scene`]s: one record with its staged tree, as a run would have
//! it at phase 4. It must not judge an answer or know an arm.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sedum::diag::{Severity, quoted};
use sedum::genpkg::{self, PackageSet};
use sedum::record::{self, RecordSet};
use sedum::resolve::create::{Planted, create};
use sedum::resolve::{Resolved, Variables, resolve};
use sedum::selection::Judge;
use sedum::tree::{Options, Tree};

use super::case::Case;
use super::digest;
use super::failure::Failure;

/// A loaded case.
#[derive(Debug)]
pub struct Fixture {
    /// The case.
    pub case: Case,
    /// What it loads.
    pub packages: PackageSet,
    records: RecordSet,
    existing: PathBuf,
    /// 12 digits over all that a rate depends on: packages, record, existing files, variables, wordings, expectations.
    pub digest: String,
    /// 12 digits over what an answer's verdict depends on: packages, record, existing files, variables.
    pub material: String,
}

/// One record with everything that an answer about it is judged by, and the staged tree that it would be written to.
#[derive(Debug)]
pub struct Scene<'f> {
    /// The record.
    pub record: Resolved<'f>,
    /// The packages.
    pub packages: &'f PackageSet,
    /// The run's variables.
    pub variables: Variables,
    /// The anchors of the staged files.
    pub planted: Planted,
    /// The staged files; nothing of it is ever committed.
    pub tree: Tree,
}

impl Scene<'_> {
    /// A judge of answers.
    pub fn judge(&self) -> Judge<'_, '_> {
        Judge::new(self.packages, &self.record, &self.variables, &self.planted)
    }

    /// The record's managed paths.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.record.files.iter().map(|file| file.path.as_str())
    }

    /// The staged text of every managed path.
    pub fn files(&self) -> BTreeMap<String, String> {
        let text = |path: &str| Some((path.to_owned(), self.tree.text(path)?.to_owned()));
        self.paths().filter_map(text).collect()
    }
}

impl Fixture {
    /// Loads what a case names; `fixtures` is the folder that its paths are relative to.
    pub fn load(case: &Case, fixtures: &Path) -> Result<Self, Failure> {
        let about = |what: &str, why: &str| {
            Failure::failed(format!("case {}: {what}: {why}", quoted(&case.id)))
        };
        let generators = fixtures.join(&case.generators);
        let loaded =
            genpkg::load(&generators, &[]).map_err(|e| about("its packages", &e.to_string()))?;
        if loaded.count(Severity::Error) > 0 {
            let first = loaded
                .findings
                .iter()
                .find(|f| f.severity == Severity::Error);
            let why = first.map_or_else(String::new, |finding| finding.message.clone());
            return Err(about("its packages do not load", &why));
        }
        let ingested = record::ingest(
            &fixtures.join(&case.records),
            std::slice::from_ref(&case.only),
        )
        .map_err(|e| about("its record", &e.to_string()))?;
        let mut fixture = Self {
            existing: case
                .existing
                .as_ref()
                // A folder that is not there is an empty tree.
                .map_or_else(
                    || fixtures.join("no-such-folder"),
                    |folder| fixtures.join(folder),
                ),
            packages: loaded.into_set(),
            records: ingested.set,
            case: case.clone(),
            digest: String::new(),
            material: String::new(),
        };
        let mut texts = fixture.material(&generators)?;
        fixture.material = digest::of_set(&texts);
        texts.insert("case".to_owned(), fixture.told().to_string());
        fixture.digest = digest::of_set(&texts);
        // A fixture that cannot be staged is found now, not at the first sample.
        fixture.scene(1)?;
        fixture.known_actions()?;
        Ok(fixture)
    }

    /// The scene of one wording of the record, from 1.
    pub fn scene(&self, wording: usize) -> Result<Scene<'_>, Failure> {
        let faulty = |what: &str, problems: &[sedum::diag::Problem]| {
            Failure::problems(&format!("case {}: {what}", quoted(&self.case.id)), problems)
        };
        let resolved = resolve(&self.packages, &self.records, &[])
            .map_err(|p| faulty("its paths do not resolve", &p))?;
        let mut records = resolved.records;
        let (Some(mut record), true) = (records.pop(), records.is_empty()) else {
            return Err(faulty("it does not name one record", &[]));
        };
        if let Some(text) = wording
            .checked_sub(2)
            .and_then(|at| self.case.wordings.get(at))
        {
            record.intent.clone_from(text);
        }
        let used = record.packages();
        let variables = Variables::bind(
            &self.packages,
            &used,
            &self.case.variables,
            &BTreeMap::new(),
        )
        .map_err(|p| faulty("its variables are not bound", &p))?;
        let options = Options {
            write: false,
            lock_timeout: Duration::ZERO,
            sync: false,
        };
        let mut tree = Tree::open(&self.existing, &options)
            .map_err(|error| faulty(&error.to_string(), &[]))?;
        let one = std::slice::from_ref(&record);
        let planted = create(one, &variables, &mut tree)
            .map_err(|p| faulty("its files cannot be staged", &p))?
            .planted;
        Ok(Scene {
            record,
            packages: &self.packages,
            variables,
            planted,
            tree,
        })
    }

    /// The texts of the record's paths that are there before.
    pub fn before(&self) -> Result<BTreeMap<String, String>, Failure> {
        let scene = self.scene(1)?;
        let mut texts = BTreeMap::new();
        for path in scene.paths().filter(|path| scene.tree.existed(path)) {
            let on_disk = self.existing.join(path);
            let text =
                fs::read_to_string(&on_disk).map_err(|e| Failure::io(&on_disk, "read", &e))?;
            texts.insert(path.to_owned(), text);
        }
        Ok(texts)
    }

    /// The record's own intent, its constraints and the file it stands in.
    pub fn record(&self) -> Option<&record::Record> {
        self.records.records.first()
    }

    /// An expected action that no package exposes is a slip of the case, not of a model.
    fn known_actions(&self) -> Result<(), Failure> {
        let scene = self.scene(1)?;
        let judge = scene.judge();
        for name in self.case.expect.actions.keys() {
            if judge.catalog().named(name).is_empty() {
                return Err(Failure::failed(format!(
                    "case {}: it expects the action {}, which no package of its record exposes",
                    quoted(&self.case.id),
                    quoted(name)
                )));
            }
        }
        Ok(())
    }

    /// What an answer's verdict depends on, by name.
    fn material(&self, generators: &Path) -> Result<BTreeMap<String, String>, Failure> {
        let mut texts = BTreeMap::new();
        gather(generators, "packages", &mut texts)?;
        if self.case.existing.is_some() {
            gather(&self.existing, "existing", &mut texts)?;
        }
        if let Some(record) = self.record() {
            texts.insert("record".to_owned(), record.source.text().to_owned());
        }
        let variables = serde_json::json!(self.case.variables);
        texts.insert("variables".to_owned(), variables.to_string());
        Ok(texts)
    }

    /// What else a rate depends on.
    fn told(&self) -> serde_json::Value {
        serde_json::json!({
            "wordings": self.case.wordings,
            "expect": self.case.expect.to_json(),
        })
    }
}

/// Every file below a folder, under a name with slashes; what a package loader passes over, hidden files, counts for
/// nothing here either.
fn gather(folder: &Path, name: &str, into: &mut BTreeMap<String, String>) -> Result<(), Failure> {
    let entries = fs::read_dir(folder).map_err(|e| Failure::io(folder, "listed", &e))?;
    for entry in entries {
        let entry = entry.map_err(|e| Failure::io(folder, "listed", &e))?;
        let file = entry.file_name().to_string_lossy().into_owned();
        if file.starts_with('.') {
            continue;
        }
        let (path, name) = (entry.path(), format!("{name}/{file}"));
        if path.is_dir() {
            gather(&path, &name, into)?;
        } else {
            let text = fs::read_to_string(&path).map_err(|e| Failure::io(&path, "read", &e))?;
            into.insert(name, text);
        }
    }
    Ok(())
}
