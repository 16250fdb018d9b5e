//! The template files of actions: which file belongs to which action or variant, and which to none (A17, A18, L35).

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;
use std::sync::Arc;

use crate::diag::{Rule, Source, Span, listed, quoted, shown};
use crate::marker::Ending;
use crate::template::Template;
use crate::transform::Engine;

use super::actions::Declaration;
use super::files::{self, DirEntry, Kind, PackageDir, ReadFault, TEMPLATE_LIMIT};
use super::findings::{File, Findings};
use super::model::{Body, FALLBACK};
use super::vocabulary;

const DIRECTORY: &str = "actions";
/// The declarations' own file name.
pub(super) const ACTIONS_FILE: &str = "actions.yaml";

/// What lies in `actions/`, sorted by the action it belongs to.
#[derive(Debug, Default)]
pub(super) struct ActionFiles {
    files: BTreeMap<String, Vec<String>>,
    directories: BTreeSet<String>,
    unused: Vec<String>,
}

impl ActionFiles {
    /// Lists `actions/` once and gives each file to the action whose name and a dot is its longest beginning (A17).
    pub fn read(
        directory: &PackageDir,
        declarations: &[Declaration],
        findings: &mut Findings,
    ) -> Self {
        let mut found = Self::default();
        let owners: HashSet<&str> = declarations
            .iter()
            .filter(|d| d.composes.is_none())
            .map(|d| d.name.as_str())
            .collect();
        for entry in list(directory, DIRECTORY, findings) {
            let path = files::join(DIRECTORY, &entry.name);
            match entry.kind {
                Ok(Kind::Directory) => {
                    found.directories.insert(entry.name);
                }
                Ok(Kind::File) if entry.name == ACTIONS_FILE => {}
                Ok(Kind::File) => match owner(&entry.name, &owners) {
                    Some(name) => found.files.entry(name.to_owned()).or_default().push(path),
                    None => found.unused.push(path),
                },
                Err(fault) => report(&path, &fault, findings),
            }
        }
        let is_owner = |name: &String| owners.contains(&name.as_str());
        let (kept, stray): (BTreeSet<_>, BTreeSet<_>) =
            found.directories.into_iter().partition(is_owner);
        found.directories = kept;
        for name in stray {
            below(
                directory,
                &files::join(DIRECTORY, &name),
                findings,
                &mut found.unused,
                0,
            );
        }
        found
    }

    fn files_of(&self, action: &str) -> &[String] {
        self.files.get(action).map_or(&[], Vec::as_slice)
    }
}

/// Every file below a directory that nothing names.
fn below(
    directory: &PackageDir,
    path: &str,
    findings: &mut Findings,
    unused: &mut Vec<String>,
    depth: usize,
) {
    if depth > crate::doc::DEPTH_LIMIT {
        return;
    }
    for entry in list(directory, path, findings) {
        let path = files::join(path, &entry.name);
        match entry.kind {
            Ok(Kind::Directory) => below(directory, &path, findings, unused, depth + 1),
            Ok(Kind::File) => unused.push(path),
            Err(fault) => report(&path, &fault, findings),
        }
    }
}

fn list(directory: &PackageDir, path: &str, findings: &mut Findings) -> Vec<DirEntry> {
    match directory.list(path) {
        Ok(entries) => entries
            .into_iter()
            .filter(|entry| !files::is_ignored(&entry.name))
            .collect(),
        Err(fault) => {
            report(path, &fault, findings);
            Vec::new()
        }
    }
}

/// A file that cannot be read is a finding on that file (L6, L3).
pub(super) fn report(path: &str, fault: &ReadFault, findings: &mut Findings) {
    let rule = match fault {
        ReadFault::Outside => Rule::TemplateOutsidePackage,
        _ => Rule::FileUnreadable,
    };
    findings.error(rule, &File::unread(path), None, fault.to_string());
}

/// The longest of the names that, with a dot, begins a file's name and is not all of it.
fn owner<'n>(file: &str, names: &HashSet<&'n str>) -> Option<&'n str> {
    file.rmatch_indices('.')
        .filter(|(at, _)| at + 1 < file.len())
        .find_map(|(at, _)| names.get(file.get(..at)?).copied())
}

/// What resolving the templates of an action needs.
pub(super) struct Resolver<'c> {
    pub directory: &'c PackageDir,
    pub engine: Option<&'c Engine>,
    /// `actions/actions.yaml`, where a missing template is reported (O20).
    pub file: &'c File,
    /// The package's variables.
    pub variables: Vec<&'c str>,
}

impl Resolver<'_> {
    /// The body of a simple or discriminated action, when all its templates hold.
    pub fn body(
        &self,
        declaration: &Declaration,
        listing: &mut ActionFiles,
        findings: &mut Findings,
    ) -> Option<Body> {
        if declaration.discriminator.is_some() {
            self.discriminated(declaration, listing, findings)
        } else {
            self.simple(declaration, listing, findings)
        }
    }

    fn simple(
        &self,
        declaration: &Declaration,
        listing: &ActionFiles,
        findings: &mut Findings,
    ) -> Option<Body> {
        let name = &declaration.name;
        if listing.directories.contains(name) {
            self.fault(
                Rule::ActionTemplateWrongForm,
                declaration.span,
                format!("action {} is simple, so its template is a file actions/{}.<ext>, but actions/{}/ is a directory", quoted(name), shown(name), shown(name)),
                findings,
            );
            return None;
        }
        match listing.files_of(name) {
            [] => {
                self.fault(
                    Rule::ActionTemplateMissing,
                    declaration.span,
                    format!(
                        "action {} has no template file actions/{}.<ext>",
                        quoted(name),
                        shown(name)
                    ),
                    findings,
                );
                None
            }
            [path] => self.template(path, declaration, findings).map(Body::Simple),
            several => {
                self.fault(
                    Rule::ActionTemplateAmbiguous,
                    declaration.span,
                    format!(
                        "action {} has several template files: {}",
                        quoted(name),
                        listed(several)
                    ),
                    findings,
                );
                None
            }
        }
    }

    fn discriminated(
        &self,
        declaration: &Declaration,
        listing: &mut ActionFiles,
        findings: &mut Findings,
    ) -> Option<Body> {
        let name = &declaration.name;
        let declared = declaration.variants.iter().flat_map(|v| &v.value);
        let variants: Vec<_> = declared.map(|v| (v.value.as_str(), v.span)).collect();
        let is_directory = listing.directories.contains(name);
        if !is_directory && !variants.is_empty() {
            let (rule, message) = match listing.files_of(name) {
                [] => (
                    Rule::ActionTemplateMissing,
                    format!(
                        "action {} has variants, and there is no directory actions/{}/ with their templates",
                        quoted(name),
                        shown(name)
                    ),
                ),
                files => (
                    Rule::ActionTemplateWrongForm,
                    format!(
                        "action {} has variants, so its templates lie in a directory actions/{}/, but there is {}",
                        quoted(name),
                        shown(name),
                        listed(files)
                    ),
                ),
            };
            self.fault(rule, declaration.span, message, findings);
            return None;
        }
        if is_directory {
            let stray = listing.files_of(name).to_vec();
            listing.unused.extend(stray);
        }
        let path = files::join(DIRECTORY, name);
        let stems: HashSet<&str> = variants.iter().map(|(v, _)| *v).chain([FALLBACK]).collect();
        let mut by_stem: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        let entries = if is_directory {
            list(self.directory, &path, findings)
        } else {
            Vec::new()
        };
        for entry in entries {
            let path = files::join(&path, &entry.name);
            match entry.kind {
                Ok(Kind::Directory) => {
                    below(self.directory, &path, findings, &mut listing.unused, 0);
                }
                Ok(Kind::File) => match owner(&entry.name, &stems) {
                    Some(stem) => by_stem.entry(stem).or_default().push(path),
                    None => listing.unused.push(path),
                },
                Err(fault) => report(&path, &fault, findings),
            }
        }
        self.variants(declaration, &variants, &by_stem, findings)
    }

    fn variants(
        &self,
        declaration: &Declaration,
        variants: &[(&str, Span)],
        by_stem: &BTreeMap<&str, Vec<String>>,
        findings: &mut Findings,
    ) -> Option<Body> {
        let name = &declaration.name;
        if variants.is_empty() && !by_stem.contains_key(FALLBACK) {
            self.fault(
                Rule::ActionIncomplete,
                declaration.span,
                format!("action {} has a discriminator, and neither a variant nor a template {FALLBACK}", quoted(name)),
                findings,
            );
            return None;
        }
        let mut found = Vec::with_capacity(variants.len());
        let mut whole = true;
        for (variant, span) in variants {
            let files = by_stem.get(variant).map_or(&[][..], Vec::as_slice);
            if files.is_empty() {
                self.fault(
                    Rule::VariantTemplateMissing,
                    *span,
                    format!(
                        "the variant {} of action {} has no template actions/{}/{}.<ext>",
                        quoted(variant),
                        quoted(name),
                        shown(name),
                        shown(variant)
                    ),
                    findings,
                );
            }
            match self.one(files, *span, variant, declaration, findings) {
                Some(template) => found.push(((*variant).to_owned(), template)),
                None => whole = false,
            }
        }
        let fallback = match by_stem.get(FALLBACK) {
            Some(_) if variants.iter().any(|(name, _)| *name == FALLBACK) => None,
            Some(files) => {
                let template = self.one(files, declaration.span, FALLBACK, declaration, findings);
                whole &= template.is_some();
                template
            }
            None => None,
        };
        whole.then(|| Body::Discriminated {
            discriminator: declaration
                .discriminator
                .as_ref()
                .map(|d| d.value.clone())
                .unwrap_or_default(),
            variants: found,
            fallback,
        })
    }

    /// The template of a stem that must have exactly one file; that it has none is reported by the caller.
    fn one(
        &self,
        files: &[String],
        span: Span,
        stem: &str,
        declaration: &Declaration,
        findings: &mut Findings,
    ) -> Option<Template> {
        match files {
            [] => None,
            [path] => self.template(path, declaration, findings),
            several => {
                self.fault(
                    Rule::ActionTemplateAmbiguous,
                    span,
                    format!(
                        "{} of action {} has several template files: {}",
                        quoted(stem),
                        quoted(&declaration.name),
                        listed(several)
                    ),
                    findings,
                );
                None
            }
        }
    }

    fn fault(&self, rule: Rule, span: Span, message: String, findings: &mut Findings) {
        findings.error(rule, self.file, Some(span), message);
    }

    fn template(
        &self,
        path: &str,
        declaration: &Declaration,
        findings: &mut Findings,
    ) -> Option<Template> {
        let text = match self.directory.read_listed(path, TEMPLATE_LIMIT) {
            Ok(file) => file.text,
            Err(fault) => {
                report(path, &fault, findings);
                return None;
            }
        };
        // A body takes the line ending of the file that it goes into (C6), so the template's own is dropped.
        let text = match Ending::Lf.applied(&text) {
            Cow::Borrowed(_) => text,
            Cow::Owned(unix) => unix,
        };
        let (file, source) = source_file(path, text);
        let known = self.known(declaration);
        let text = vocabulary::Text {
            text: source.text(),
            file: &file,
            scalar: None,
            known: &known,
            what: &fmt::from_fn(|f| kwarg_of(declaration, f)),
        };
        vocabulary::template(&text, self.engine, findings)
    }

    /// The names that a template of an action may use.
    pub fn known<'d>(&'d self, declaration: &'d Declaration) -> Vec<&'d str> {
        let kwargs = declaration.kwargs.iter().map(|k| k.name.value.as_str());
        kwargs.chain(self.variables.iter().copied()).collect()
    }
}

/// What [`Resolver::known`] holds, for a message.
pub(super) fn kwarg_of(declaration: &Declaration, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "a kwarg of action {}", quoted(&declaration.name))
}

/// A template file with its text.
pub(super) fn source_file(path: &str, text: String) -> (File, Arc<Source>) {
    let source = Source::new(path, text);
    let file = File {
        path: path.to_owned(),
        source: Some(Arc::clone(&source)),
    };
    (file, source)
}

/// L35: one warning for each file that belongs to nothing.
pub(super) fn report_unused(listing: &ActionFiles, names: &[&str], findings: &mut Findings) {
    for path in &listing.unused {
        let stem = path.rsplit('/').next().unwrap_or(path);
        let stem = stem.split('.').next().unwrap_or(stem);
        findings
            .warning(
                Rule::TemplateUnused,
                &File::unread(path.clone()),
                None,
                "no action and no variant names this file".to_owned(),
            )
            .maybe_help(
                crate::diag::nearest(stem, names.iter().copied())
                    .map(|name| format!("was it meant for {}?", quoted(name))),
            );
    }
}

#[cfg(test)]
mod tests {
    use crate::genpkg::load;

    /// O28: a name that could drive a terminal is shown escaped wherever it is quoted.
    #[test]
    fn control_characters_in_names_are_escaped() {
        let folder = tempfile::tempdir().unwrap();
        let package = folder.path().join("p");
        std::fs::create_dir_all(package.join("actions")).unwrap();
        let manifest = "name: p\nextensions: [.p]\ncomment_prefix: \"#\"\n";
        std::fs::write(package.join("sedum.yaml"), manifest).unwrap();
        let rest = "kwargs: { k: { type: string, required: true } }, injects_into: a.p, anchor: end_of_file";
        let actions = format!(
            "actions:\n  \"a\\eb\": {{ {rest} }}\n  \"c\\ed\": {{ {rest}, discriminator: k, variants: [\"v\\e\"] }}\n"
        );
        std::fs::write(package.join("actions/actions.yaml"), actions).unwrap();
        std::fs::write(package.join("actions/a\u{7}b.p"), "x").unwrap();
        let findings = load(folder.path(), &[]).unwrap().findings;
        let missing = findings
            .iter()
            .filter(|f| f.rule.slug() == "action_template_missing");
        assert_eq!(missing.count(), 2);
        for finding in findings {
            let help = finding.help.clone().unwrap_or_default();
            let shown = format!("{finding} {help}");
            assert!(!shown.contains(char::is_control), "{shown:?}");
        }
    }
}
