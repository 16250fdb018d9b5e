//! Phase 2: each authorised path to its package, file template and captures; phase 3 in [`create`].
//!
//! Phase 2 is pure: it reads nothing but the loaded packages and the records (N1). What it decides, [`Resolved`], is
//! what every later phase gets, whether a record or a recording named the path.

pub mod create;
pub mod reconcile;
mod variables;

use std::collections::{BTreeMap, BTreeSet};

use crate::diag::{Problem, listed, nearest, quoted};
use crate::genpkg::{FileTemplate, Package, PackageSet};
use crate::pattern::file::Match;
use crate::record::{Record, RecordSet};
use crate::template::{RenderFault, Scope};
use crate::value::{Bindings, Value};

pub use variables::Variables;

/// A record with every path decided.
#[derive(Clone, Debug)]
pub struct Resolved<'p> {
    /// The record's id.
    pub record: String,
    /// What the change intends.
    pub intent: String,
    /// What it must keep to.
    pub constraints: Vec<String>,
    /// The paths that Sedum manages, sorted.
    pub files: Vec<ResolvedFile<'p>>,
    /// The paths that some package disowns, sorted.
    pub unmanaged: Vec<Unmanaged<'p>>,
}

/// A managed path.
#[derive(Clone, Debug)]
pub struct ResolvedFile<'p> {
    /// The path, cleaned.
    pub path: String,
    /// The package that claims it.
    pub package: &'p Package,
    /// The template that matched, or the package's fallback; none starts the file empty (F15).
    pub template: Option<&'p FileTemplate>,
    /// Whether `template` is the fallback (F14).
    pub is_default: bool,
    /// What the template's path captured.
    pub captures: Bindings,
}

impl ResolvedFile<'_> {
    /// What its template renders with the run's variables; `None` for a file that starts empty (F15).
    pub fn rendered(&self, variables: &Variables) -> Option<Result<String, RenderFault>> {
        let scope = Scope {
            bound: &self.captures,
            variables: variables.of(self.package),
        };
        let template = &self.template?.template;
        Some(template.render(scope, &self.package.engine))
    }

    /// What the template's path captured, each with its text.
    pub fn captured(&self) -> impl Iterator<Item = (String, String)> {
        self.captures
            .iter()
            .filter_map(|(name, value)| match value {
                Value::Text(text) => Some((name.clone(), text.clone())),
                _ => None,
            })
    }
}

/// A path that Sedum leaves alone (N2, N13).
#[derive(Clone, Debug)]
pub struct Unmanaged<'p> {
    /// The path.
    pub path: String,
    /// The first package by name that disowns it (N4).
    pub package: &'p str,
    /// Its first entry that matches.
    pub entry: &'p str,
}

impl<'p> Resolved<'p> {
    /// The packages of the managed paths, by name, each once (K1).
    pub fn packages(&self) -> Vec<&'p Package> {
        let by_name: BTreeMap<&str, &'p Package> = self
            .files
            .iter()
            .map(|file| (file.package.name.as_str(), file.package))
            .collect();
        by_name.into_values().collect()
    }
}

/// What phase 2 gives.
#[derive(Debug)]
pub struct Resolution<'p> {
    /// The records in order.
    pub records: Vec<Resolved<'p>>,
    /// What `--lang` named in vain (N9).
    pub warnings: Vec<Problem>,
}

/// Resolves every path of every record; all faults are reported together (N10).
pub fn resolve<'p>(
    packages: &'p PackageSet,
    records: &RecordSet,
    lang: &[String],
) -> Result<Resolution<'p>, Vec<Problem>> {
    let mut problems = Vec::new();
    let mut suffixes = BTreeSet::new();
    let mut resolved = Vec::with_capacity(records.records.len());
    for record in &records.records {
        resolved.push(resolve_record(
            packages,
            record,
            lang,
            &mut suffixes,
            &mut problems,
        ));
    }
    if problems.is_empty() {
        Ok(Resolution {
            records: resolved,
            warnings: idle_lang(packages, lang, &suffixes),
        })
    } else {
        Err(problems)
    }
}

fn resolve_record<'p>(
    packages: &'p PackageSet,
    record: &Record,
    lang: &[String],
    suffixes: &mut BTreeSet<String>,
    problems: &mut Vec<Problem>,
) -> Resolved<'p> {
    let mut resolved = Resolved {
        record: record.id.clone(),
        intent: record.intent.clone(),
        constraints: record.constraints.clone(),
        files: Vec::with_capacity(record.paths.len()),
        unmanaged: Vec::new(),
    };
    for path in &record.paths {
        if let Some(unmanaged) = disowned(packages, &path.path) {
            resolved.unmanaged.push(unmanaged);
            continue;
        }
        match claimed(packages, &path.path, lang, suffixes) {
            Ok((package, suffix)) => match templated(package, &path.path, &suffix) {
                Ok(file) => resolved.files.push(file),
                Err(problem) => problems.push(problem.at(&record.source, path.span)),
            },
            Err(problem) => problems.push(problem.at(&record.source, path.span)),
        }
    }
    resolved
}

/// The package and entry that disown a path, when one does (N2-N4).
pub fn disowned<'p>(packages: &'p PackageSet, path: &str) -> Option<Unmanaged<'p>> {
    packages.iter().find_map(|package| {
        let entry = package.unmanaged.first_match(path)?;
        Some(Unmanaged {
            path: path.to_owned(),
            package: &package.name,
            entry: package.unmanaged.entries().get(entry)?.text(),
        })
    })
}

/// The last part of a path.
pub fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The package that claims a path, and the suffix by which it does (N5-N8).
fn claimed<'p>(
    packages: &'p PackageSet,
    path: &str,
    lang: &[String],
    suffixes: &mut BTreeSet<String>,
) -> Result<(&'p Package, String), Problem> {
    let name = file_name(path);
    let Some(suffix) = packages.claimed_suffix(name) else {
        return Err(unclaimed(packages, path, name));
    };
    suffixes.insert(suffix.clone());
    let claimants = packages.claimants(&suffix);
    if let [only] = claimants[..] {
        return Ok((only, suffix));
    }
    let chosen: Vec<_> = claimants
        .iter()
        .filter(|package| lang.contains(&package.name))
        .collect();
    let names = listed(claimants.iter().map(|p| &p.name));
    match chosen[..] {
        [one] => Ok((one, suffix)),
        [] => Err(Problem::new(format!(
            "path {}: the extension {suffix} is claimed by several packages: {names}",
            quoted(path)
        ))
        .help("name the one to use with --lang")),
        _ => Err(Problem::new(format!(
            "path {}: --lang names several of the packages that claim {suffix}: {}",
            quoted(path),
            listed(chosen.iter().map(|p| &p.name))
        ))
        .help("name one of them only")),
    }
}

fn unclaimed(packages: &PackageSet, path: &str, name: &str) -> Problem {
    let known = listed(packages.extensions());
    let help = "mend the path, declare the extension in a package, or disown the path in a package's unmanaged list";
    match name.rfind('.').map(|at| &name[at..]) {
        Some(extension) if extension.len() > 1 => {
            let problem = Problem::new(format!(
                "path {}: no package claims the extension {}; claimed are: {known}",
                quoted(path),
                crate::diag::shown(extension)
            ));
            match nearest(&extension.to_lowercase(), packages.extensions()) {
                Some(near) => problem.help(format!("did you mean {near}? otherwise {help}")),
                None => problem.help(help),
            }
        }
        _ => Problem::new(format!(
            "path {}: it has no extension by which a package could claim it; claimed are: {known}",
            quoted(path)
        ))
        .help(
            "list it in a package's unmanaged entries, so that a person or another tool writes it",
        ),
    }
}

/// The template of a path in its package (F10, F14, F15).
fn templated<'p>(
    package: &'p Package,
    path: &str,
    suffix: &str,
) -> Result<ResolvedFile<'p>, Problem> {
    let mut file = ResolvedFile {
        path: path.to_owned(),
        package,
        template: None,
        is_default: false,
        captures: Bindings::new(),
    };
    match package.patterns.best(path) {
        Match::One { index, captures } => {
            file.template = package.files.get(index);
            file.captures = captures
                .into_iter()
                .map(|(name, text)| (name.to_owned(), Value::Text(text)))
                .collect();
        }
        Match::None => {
            file.template = package.defaults.get(suffix);
            file.is_default = file.template.is_some();
        }
        Match::Tie(tied) => {
            let names = tied.iter().filter_map(|at| package.files.get(*at));
            return Err(Problem::new(format!(
                "path {}: file templates of package {} match it equally: {}",
                quoted(path),
                quoted(&package.name),
                listed(names.map(|file| &file.name))
            )));
        }
    }
    Ok(file)
}

/// N9: `--lang` values that decide nothing.
fn idle_lang(packages: &PackageSet, lang: &[String], suffixes: &BTreeSet<String>) -> Vec<Problem> {
    let mut warnings = Vec::new();
    for name in lang {
        match packages.get(name) {
            None => warnings.push(Problem::new(format!(
                "--lang {}: there is no such package; there are: {}",
                quoted(name),
                listed(packages.iter().map(|p| &p.name))
            ))),
            Some(package) if !package.extensions.iter().any(|e| suffixes.contains(e)) => {
                warnings.push(Problem::new(format!(
                    "--lang {}: no path of this run has an extension that the package claims ({})",
                    quoted(name),
                    listed(&package.extensions)
                )));
            }
            Some(_) => {}
        }
    }
    warnings
}
