//! Where the harness keeps its things: the folder `evals` of the checkout.

use std::path::{Path, PathBuf};

use sedum::diag::{listed, nearest, quoted};

use super::case::{self, Case};
use super::failure::Failure;
use super::fixture::Fixture;
use super::store::Store;

/// The folder `evals`.
#[derive(Clone, Debug)]
pub struct Home {
    folder: PathBuf,
}

impl Home {
    /// The home in a folder that has cases in it.
    pub fn new(folder: &Path) -> Result<Self, Failure> {
        if folder.join("cases").is_dir() {
            return Ok(Self {
                folder: folder.to_owned(),
            });
        }
        Err(Failure::usage(format!(
            "{} has no folder cases: run this at the top of the repository, or name the folder with --evals",
            quoted(&folder.to_string_lossy())
        )))
    }

    /// The folder itself.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Every case, or those that are named.
    pub fn cases(&self, only: &[String]) -> Result<Vec<Case>, Failure> {
        let cases = case::read_all(&self.folder.join("cases"))?;
        for name in only {
            if cases.iter().any(|case| case.id == *name) {
                continue;
            }
            let known: Vec<&str> = cases.iter().map(|case| case.id.as_str()).collect();
            let near = nearest(name, known.iter().copied());
            let hint = near.map_or_else(String::new, |near| format!(" (did you mean {near}?)"));
            return Err(Failure::usage(format!(
                "there is no case {}{hint}; there are: {}",
                quoted(name),
                listed(known)
            )));
        }
        let is_named = |case: &Case| only.is_empty() || only.contains(&case.id);
        Ok(cases.into_iter().filter(is_named).collect())
    }

    /// A case's fixture, loaded.
    pub fn fixture(&self, case: &Case) -> Result<Fixture, Failure> {
        Fixture::load(case, &self.folder.join("fixtures"))
    }

    /// The fixtures of these cases.
    pub fn fixtures(&self, only: &[String]) -> Result<Vec<Fixture>, Failure> {
        let cases = self.cases(only)?;
        cases.iter().map(|case| self.fixture(case)).collect()
    }

    /// The results.
    pub fn store(&self) -> Store {
        Store::new(&self.folder.join("results"))
    }

    /// The file of pinned verdicts.
    pub fn corpus(&self) -> PathBuf {
        self.folder.join("corpus").join("answers.jsonl")
    }
}
