//! A generators directory to packages and findings, each package by itself.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::diag::{Finding, Rule, Severity, Source, Span, listed, nearest, quoted};
use crate::doc::{Fault, INPUT_LIMIT, Node, yaml};
use crate::parallel;
use crate::pattern::file::PatternSet;

use super::actions::{self, Declaration};
use super::checks;
use super::composites;
use super::files::{PackageDir, ReadFault};
use super::filetemplates::{self, FileTemplates};
use super::findings::{File, Findings};
use super::manifest::{self, Manifest};
use super::model::{Action, ActionKind, Anchor, Package, PackageSet, Single};
use super::templates::{self, ACTIONS_FILE, ActionFiles, Resolver};
use super::vocabulary;

const MANIFEST: &str = "sedum.yaml";

/// Why a generators directory gives no packages at all.
#[derive(Debug, Error)]
pub enum LoadError {
    /// It is not there, is no directory, or cannot be listed.
    #[error("the generators directory {path} cannot be read: {error}")]
    Unreadable {
        /// As given.
        path: String,
        /// What the system says.
        error: io::Error,
    },
    /// L33.
    #[error(
        "the generators directory {path} holds no package: a package is a directory with a sedum.yaml"
    )]
    NoPackage {
        /// As given.
        path: String,
    },
    /// L33.
    #[error("there is no package {wanted} in {path}; there are: {available}{suggestion}")]
    UnknownPackage {
        /// The names that match no directory.
        wanted: String,
        /// As given.
        path: String,
        /// The names there are.
        available: String,
        /// The nearest name, in words.
        suggestion: String,
    },
    /// L3.
    #[error("links in the generators directory lead nowhere or in a circle: {}", listed(.links))]
    BrokenLinks {
        /// The links, sorted.
        links: Vec<String>,
    },
    /// The directory is a package, not one that holds packages.
    #[error(
        "{path} is a generator package itself; point --generators at the directory that holds it"
    )]
    IsPackage {
        /// As given.
        path: String,
    },
}

/// What loading says of one package.
#[derive(Debug)]
pub struct Verdict {
    /// The name of its directory.
    pub name: String,
    /// The package, when it has no error (L4).
    pub package: Option<Package>,
}

/// What loading a generators directory gives.
#[derive(Debug)]
pub struct Loaded {
    /// One verdict a package, by name.
    pub verdicts: Vec<Verdict>,
    /// All findings, in the order of L8.
    pub findings: Vec<Finding>,
}

impl Loaded {
    /// Turns every warning into an error, and drops the packages that have one (L12).
    #[must_use]
    pub fn strict(mut self) -> Self {
        for finding in &mut self.findings {
            finding.severity = Severity::Error;
        }
        for verdict in &mut self.verdicts {
            if self.findings.iter().any(|f| f.package == verdict.name) {
                verdict.package = None;
            }
        }
        Finding::sort(&mut self.findings);
        self
    }

    /// How many findings have a severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.findings
            .iter()
            .filter(|finding| finding.severity == severity)
            .count()
    }

    /// The packages that loaded.
    pub fn into_set(self) -> PackageSet {
        PackageSet::new(
            self.verdicts
                .into_iter()
                .filter_map(|verdict| verdict.package)
                .collect(),
        )
    }
}

/// Loads the packages of a directory, or only those named (L1-L6, L33).
pub fn load(directory: &Path, only: &[String]) -> Result<Loaded, LoadError> {
    let found = packages(directory)?;
    let path = || crate::diag::shown(&directory.to_string_lossy());
    if found.is_empty() {
        return Err(LoadError::NoPackage { path: path() });
    }
    let unknown: Vec<_> = only
        .iter()
        .filter(|name| !found.iter().any(|(known, _)| known == *name))
        .collect();
    if !unknown.is_empty() {
        let names = found.iter().map(|(name, _)| name.as_str());
        let near = unknown.iter().find_map(|name| nearest(name, names.clone()));
        return Err(LoadError::UnknownPackage {
            wanted: listed(unknown.iter().map(|name| quoted(name))),
            path: path(),
            available: listed(names),
            suggestion: near.map_or_else(String::new, |name| {
                format!("; did you mean {}?", quoted(name))
            }),
        });
    }
    let wanted: Vec<_> = found
        .into_iter()
        .filter(|(name, _)| only.is_empty() || only.contains(name))
        .collect();
    // A package is many files.
    let cost = wanted.len() * parallel::SHARE;
    let loaded = parallel::map(wanted, cost, |(name, root)| {
        let mut findings = Findings::new(&name);
        let package = package(&name, &root, &mut findings);
        let package = package.filter(|_| !findings.has_errors());
        (Verdict { name, package }, findings.into_list())
    });
    let mut verdicts = Vec::with_capacity(loaded.len());
    let mut findings = Vec::new();
    for (verdict, found) in loaded {
        verdicts.push(verdict);
        findings.extend(found);
    }
    Finding::sort(&mut findings);
    Ok(Loaded { verdicts, findings })
}

/// The package directories, sorted by name (L1-L3).
fn packages(directory: &Path) -> Result<Vec<(String, PathBuf)>, LoadError> {
    let unreadable = |error: io::Error| LoadError::Unreadable {
        path: crate::diag::shown(&directory.to_string_lossy()),
        error,
    };
    let mut found = Vec::new();
    let mut links = Vec::new();
    for entry in fs::read_dir(directory).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') {
            continue;
        }
        let path = entry.path();
        let kind = entry.file_type().map_err(unreadable)?;
        let is_directory = if kind.is_symlink() {
            if let Ok(metadata) = fs::metadata(&path) {
                metadata.is_dir()
            } else {
                links.push(path.to_string_lossy().into_owned());
                continue;
            }
        } else {
            kind.is_dir()
        };
        if is_directory {
            found.push((name, path));
        }
    }
    if !links.is_empty() {
        links.sort();
        return Err(LoadError::BrokenLinks { links });
    }
    let has_manifest = |path: &Path| path.join(MANIFEST).is_file();
    if has_manifest(directory) && !found.iter().any(|(_, path)| has_manifest(path)) {
        return Err(LoadError::IsPackage {
            path: crate::diag::shown(&directory.to_string_lossy()),
        });
    }
    found.sort();
    Ok(found)
}

/// One package, checked as far as it goes (L5, L6).
fn package(name: &str, root: &Path, findings: &mut Findings) -> Option<Package> {
    let directory = match PackageDir::open(root) {
        Ok(directory) => directory,
        Err(error) => {
            let file = File::unread(MANIFEST);
            findings.error(Rule::ManifestMissing, &file, None, error.to_string());
            return None;
        }
    };
    let (file, manifest) = read_manifest(name, &directory, findings)?;
    let extensions = manifest::check_identity(&manifest, name, &file, findings);
    let unmanaged = manifest::check_scopes(&manifest, &file, findings);
    let engine = vocabulary::engine(&manifest, &file, findings);
    let actions = read_actions(&directory, findings);
    let has_actions = actions.as_ref().is_none_or(|(_, list)| !list.is_empty());
    let comments = manifest::check_comments(&manifest, has_actions, &file, findings);
    let (actions_file, declarations) = actions?;

    let variables = || manifest.variables.keys().map(String::as_str).collect();
    let templates = filetemplates::Reader {
        directory: &directory,
        engine: engine.as_ref(),
        comments: comments.as_ref(),
        variables: variables(),
    }
    .read(findings);
    let patterns = PatternSet::new(templates.patterns.clone());
    filetemplates::ties(&templates, &patterns, findings);

    let resolver = Resolver {
        directory: &directory,
        engine: engine.as_ref(),
        file: &actions_file,
        variables: variables(),
    };
    let suffix = manifest.comment_suffix.as_ref().map(|s| s.value.as_str());
    let mut listing = ActionFiles::read(&directory, &declarations, findings);
    let mut actions = BTreeMap::new();
    let mut anchored = Vec::new();
    for declaration in declarations.iter().filter(|d| d.composes.is_none()) {
        let (anchor, action) = single(declaration, &resolver, suffix, &mut listing, findings);
        anchored.extend(anchor.map(|anchor| (declaration, anchor)));
        if let Some(action) = action {
            actions.insert(action.name.clone(), action);
        }
    }
    composite_actions(&declarations, &mut actions, &actions_file, findings);
    let names: Vec<_> = declarations.iter().map(|d| d.name.as_str()).collect();
    templates::report_unused(&listing, &names, findings);
    collisions(&manifest, &declarations, &templates, &file, findings);
    let targets = literal_targets(&declarations);
    filetemplates::contradictions(&unmanaged, &templates, &targets, &file, findings);
    if comments.is_some() {
        anchors(
            &declarations,
            &anchored,
            &templates,
            &actions_file,
            findings,
        );
    }
    dead(&declarations, &actions_file, findings);

    Some(Package {
        name: name.to_owned(),
        extensions,
        comments,
        engine: engine?,
        unmanaged: manifest::scope_set(unmanaged),
        variables: manifest
            .variables
            .into_iter()
            .map(|(name, (variable, _))| (name, variable))
            .collect(),
        actions,
        file_names: templates
            .files
            .iter()
            .enumerate()
            .map(|(at, file)| (file.name.clone(), at))
            .collect(),
        files: templates.files,
        patterns,
        defaults: templates.defaults,
    })
}

fn read_manifest(
    name: &str,
    directory: &PackageDir,
    findings: &mut Findings,
) -> Option<(File, Manifest)> {
    let rules = (Rule::ManifestMissing, Rule::ManifestMalformed);
    let empty = || {
        format!(
            "the file is empty; it needs at least name: {}",
            crate::diag::shown(name)
        )
    };
    document(
        MANIFEST,
        directory,
        rules,
        &empty,
        manifest::decode,
        findings,
    )
}

fn read_actions(
    directory: &PackageDir,
    findings: &mut Findings,
) -> Option<(File, Vec<Declaration>)> {
    let path = format!("actions/{ACTIONS_FILE}");
    let rules = (Rule::ActionsMissing, Rule::ActionsMalformed);
    let empty = || "the file is empty; a package without actions writes: actions: {}".to_owned();
    document(&path, directory, rules, &empty, actions::decode, findings)
}

/// Reads one YAML file of the package and decodes it; any fault is a finding and there is nothing to use (L6).
fn document<T>(
    path: &str,
    directory: &PackageDir,
    (missing, malformed): (Rule, Rule),
    empty: &dyn Fn() -> String,
    decode: impl Fn(&Node<'_>, &mut Vec<Fault>) -> T,
    findings: &mut Findings,
) -> Option<(File, T)> {
    let unread = File::unread(path);
    let text = match directory.read(path, INPUT_LIMIT) {
        Ok(file) => file.text,
        Err(ReadFault::Missing) => {
            findings.error(missing, &unread, None, format!("the package has no {path}"));
            return None;
        }
        Err(fault) => {
            findings.error(malformed, &unread, None, fault.to_string());
            return None;
        }
    };
    let source = Source::new(path, text);
    let file = File {
        path: path.to_owned(),
        source: Some(std::sync::Arc::clone(&source)),
    };
    let parsed = yaml::parse(source.text());
    let mut faults = parsed.faults;
    let Some(root) = parsed.root else {
        if faults.is_empty() {
            findings.error(malformed, &unread, None, empty());
        }
        findings.faults(malformed, &file, faults);
        return None;
    };
    let decoded = decode(&root, &mut faults);
    if faults.is_empty() {
        return Some((file, decoded));
    }
    findings.faults(malformed, &file, faults);
    None
}

/// A simple or discriminated action, when all of it holds, and its anchor, when that does.
fn single(
    declaration: &Declaration,
    resolver: &Resolver<'_>,
    suffix: Option<&str>,
    listing: &mut ActionFiles,
    findings: &mut Findings,
) -> (Option<Anchor>, Option<Action>) {
    let file = resolver.file;
    checks::name(declaration, file, findings);
    let kwargs = checks::kwargs(declaration, file, findings);
    checks::kind(declaration, suffix, file, findings);
    let anchor = checks::anchor(declaration, file, findings);
    let tier = checks::tier(declaration, file, findings);
    let identity = checks::identity(declaration, file, findings);
    let target = declaration.injects_into.as_ref().and_then(|target| {
        let known = resolver.known(declaration);
        let text = vocabulary::Text {
            text: &target.value,
            file,
            scalar: Some(target.span),
            known: &known,
            what: &fmt::from_fn(|f| templates::kwarg_of(declaration, f)),
        };
        vocabulary::template(&text, resolver.engine, findings)
    });
    let body = resolver.body(declaration, listing, findings);
    if let Some(super::model::Body::Simple(template)) = &body {
        understated(declaration, template, file, findings);
    }
    let kind = target.zip(anchor.clone()).zip(body).map(|parts| {
        let ((injects_into, anchor), body) = parts;
        ActionKind::Single(Box::new(Single {
            injects_into,
            anchor,
            tier,
            identity,
            body,
        }))
    });
    let action = kind.map(|kind| Action {
        name: declaration.name.clone(),
        description: declaration.description.clone(),
        exposed: declaration.exposed,
        kwargs,
        kind,
    });
    (anchor, action)
}

fn composite_actions(
    declarations: &[Declaration],
    actions: &mut BTreeMap<String, Action>,
    file: &File,
    findings: &mut Findings,
) {
    let by_name: BTreeMap<&str, &Declaration> =
        declarations.iter().map(|d| (d.name.as_str(), d)).collect();
    for declaration in declarations.iter().filter(|d| d.composes.is_some()) {
        checks::name(declaration, file, findings);
        let children = composites::children(declaration, &by_name, file, findings);
        let kwargs = composites::union(declaration, &children, actions, file, findings);
        actions.insert(
            declaration.name.clone(),
            Action {
                name: declaration.name.clone(),
                description: declaration.description.clone(),
                exposed: declaration.exposed,
                kwargs,
                kind: ActionKind::Composite { children },
            },
        );
    }
}

/// L25.
fn understated(
    declaration: &Declaration,
    template: &crate::template::Template,
    file: &File,
    findings: &mut Findings,
) {
    for kwarg in &declaration.kwargs {
        if !kwarg.required && kwarg.default.is_none() && template.renders(&kwarg.name.value) {
            findings
                .warning(
                    Rule::KwargRequirementUnderstated,
                    file,
                    Some(kwarg.name.span),
                    format!(
                        "kwarg {} of action {} is optional, and its template renders it every time",
                        quoted(&kwarg.name.value),
                        quoted(&declaration.name)
                    ),
                )
                .help("make it required: true, or give it a default");
        }
    }
}

/// S12: one finding for each clash.
fn collisions(
    manifest: &Manifest,
    declarations: &[Declaration],
    templates: &FileTemplates,
    file: &File,
    findings: &mut Findings,
) {
    for (name, (_, span)) in &manifest.variables {
        let kwargs = declarations
            .iter()
            .filter(|d| d.kwargs.iter().any(|k| k.name.value == *name))
            .map(|d| format!("a kwarg of action {}", quoted(&d.name)));
        let captures = templates
            .files
            .iter()
            .filter(|f| f.captures.contains(name))
            .map(|f| format!("a capture of the file template {}", quoted(&f.name)));
        for clashes in [kwargs.collect::<Vec<_>>(), captures.collect()] {
            let Some((first, more)) = clashes.split_first() else {
                continue;
            };
            let more = if more.is_empty() {
                String::new()
            } else {
                format!(" (and {} more)", more.len())
            };
            findings
                .error(
                    Rule::VariableCollides,
                    file,
                    Some(*span),
                    format!("the variable {} is {first} too{more}; a template has one name for one value", quoted(name)),
                )
                .help("rename the variable");
        }
    }
}

/// The targets that are literal, with their actions (S7).
fn literal_targets(declarations: &[Declaration]) -> Vec<(String, String)> {
    declarations
        .iter()
        .filter_map(|d| Some((d.name.clone(), d.injects_into.as_ref()?.value.clone())))
        .filter(|(_, target)| !target.contains("{{"))
        .collect()
}

/// L26, L27: markers that actions want and nothing plants, and the other way round.
fn anchors(
    declarations: &[Declaration],
    anchored: &[(&Declaration, Anchor)],
    templates: &FileTemplates,
    file: &File,
    findings: &mut Findings,
) {
    let planted = &templates.planted;
    let names: BTreeSet<&str> = planted
        .iter()
        .map(|p| &p.name)
        .chain(&templates.meant)
        .map(String::as_str)
        .collect();
    // A faulty anchor has been reported; what it names is meant all the same.
    let mut wanted: BTreeSet<&str> = declarations
        .iter()
        .flat_map(|d| [&d.anchor, &d.anchor_start, &d.anchor_end])
        .flatten()
        .map(|field| field.value.as_str())
        .filter(|_| anchored.len() < declarations.len())
        .collect();
    for (declaration, anchor) in anchored {
        for name in anchor.markers() {
            wanted.insert(name);
            if names.contains(name) {
                continue;
            }
            findings
                .warning(
                    Rule::AnchorMarkerUnplanted,
                    file,
                    marker_place(declaration, name),
                    format!(
                        "action {} is anchored to the marker {}, which no file template of this package plants",
                        quoted(&declaration.name),
                        quoted(name)
                    ),
                )
                .near(name, names.iter().copied());
        }
    }
    for marker in planted {
        if !wanted.contains(marker.name.as_str()) {
            findings
                .warning(
                    Rule::AnchorMarkerUnfilled,
                    &marker.file,
                    Some(marker.span),
                    format!(
                        "no action of this package injects at the marker {}",
                        quoted(&marker.name)
                    ),
                )
                .maybe_help(
                    nearest(&marker.name, wanted.iter().copied())
                        .map(|name| format!("did you mean {}?", quoted(name))),
                );
        }
    }
}

/// Where a declaration names a marker.
fn marker_place(declaration: &Declaration, name: &str) -> Option<Span> {
    [
        &declaration.anchor,
        &declaration.anchor_start,
        &declaration.anchor_end,
    ]
    .into_iter()
    .flatten()
    .find(|field| field.value == name)
    .map(|field| field.span)
}

/// L29.
fn dead(declarations: &[Declaration], file: &File, findings: &mut Findings) {
    let composed: BTreeSet<&str> = declarations
        .iter()
        .filter_map(|d| d.composes.as_ref())
        .flat_map(|c| c.value.iter().map(|child| child.value.as_str()))
        .collect();
    for declaration in declarations {
        if !declaration.exposed && !composed.contains(declaration.name.as_str()) {
            findings
                .warning(
                    Rule::ActionDead,
                    file,
                    Some(declaration.span),
                    format!(
                        "action {} is not exposed and no composite composes it: nothing can select it",
                        quoted(&declaration.name)
                    ),
                )
                .help("expose it, compose it, or take it out");
        }
    }
}
