//! `files/`: patterns, bodies, fallbacks, planted anchors (section 7, L24, L30, S7, S8).

use std::collections::BTreeMap;

use crate::diag::{Rule, Span, quoted};
use crate::marker::{self, Comments};
use crate::pattern::file::{Pattern, PatternSet};
use crate::pattern::scope::Entry as ScopeEntry;
use crate::transform::Engine;

use super::files::{self, FileText, Kind, PackageDir, TEMPLATE_LIMIT};
use super::findings::{File, Findings};
use super::model::FileTemplate;
use super::templates::{report, source_file};
use super::vocabulary;

const DIRECTORY: &str = "files";

/// A marker that a template plants, and where.
#[derive(Debug)]
pub(super) struct Planted {
    pub name: String,
    pub file: File,
    pub span: Span,
}

/// Everything below `files/`.
#[derive(Debug, Default)]
pub(super) struct FileTemplates {
    pub files: Vec<FileTemplate>,
    pub patterns: Vec<Pattern>,
    pub defaults: BTreeMap<String, FileTemplate>,
    /// Every planted marker of every template, the second planting of a name in one template left out.
    pub planted: Vec<Planted>,
    /// The names in faulty declarations: reported already, and meant all the same.
    pub meant: Vec<String>,
}

/// What reading the file templates needs.
pub(super) struct Reader<'c> {
    pub directory: &'c PackageDir,
    pub engine: Option<&'c Engine>,
    pub comments: Option<&'c Comments>,
    pub variables: Vec<&'c str>,
}

impl Reader<'_> {
    /// Reads and compiles every file template; each keeps its pattern (L30).
    pub fn read(&self, findings: &mut Findings) -> FileTemplates {
        let mut paths = Vec::new();
        self.walk(DIRECTORY, 0, &mut paths, findings);
        let mut found = FileTemplates::default();
        for path in paths {
            let name = path
                .strip_prefix(DIRECTORY)
                .and_then(|rest| rest.strip_prefix('/'))
                .unwrap_or(&path)
                .to_owned();
            self.template(&path, &name, &mut found, findings);
        }
        found
    }

    fn walk(&self, path: &str, depth: usize, paths: &mut Vec<String>, findings: &mut Findings) {
        let entries = match self.directory.list(path) {
            Ok(entries) if depth <= crate::doc::DEPTH_LIMIT => entries,
            Ok(_) => {
                let limit = crate::doc::DEPTH_LIMIT;
                findings.error(
                    Rule::FileUnreadable,
                    &File::unread(path),
                    None,
                    format!("folders are nested more than {limit} deep, or a link leads back into itself"),
                );
                return;
            }
            Err(fault) => return report(path, &fault, findings),
        };
        for entry in entries {
            let path = files::join(path, &entry.name);
            match entry.kind {
                Ok(Kind::Directory) => self.walk(&path, depth + 1, paths, findings),
                Ok(Kind::File) => paths.push(path),
                Err(fault) => report(&path, &fault, findings),
            }
        }
    }

    fn template(&self, path: &str, name: &str, found: &mut FileTemplates, findings: &mut Findings) {
        let default = name
            .strip_prefix("_default")
            .filter(|rest| rest.len() > 1 && rest.starts_with('.') && !rest.contains('/'));
        let pattern = match default {
            Some(_) => None,
            None if name.contains("{{") => {
                findings
                    .error(
                        Rule::TemplateSyntaxInvalid,
                        &File::unread(path),
                        None,
                        format!(
                            "the path {} renders nothing: it binds captures",
                            quoted(name)
                        ),
                    )
                    .help("write a capture with single braces: {name}");
                return;
            }
            None => match Pattern::parse(name) {
                Ok(pattern) => Some(pattern),
                Err(fault) => {
                    findings.error(
                        Rule::FileTemplateInvalid,
                        &File::unread(path),
                        None,
                        fault.to_string(),
                    );
                    return;
                }
            },
        };
        let FileText { text, executable } = match self.directory.read_listed(path, TEMPLATE_LIMIT) {
            Ok(file) => file,
            Err(fault) => return report(path, &fault, findings),
        };
        let (file, source) = source_file(path, text);
        self.anchors(&file, source.text(), found, findings);
        let captures: Vec<String> = pattern
            .iter()
            .flat_map(|pattern| pattern.captures().map(str::to_owned))
            .collect();
        let known: Vec<_> = captures
            .iter()
            .map(String::as_str)
            .chain(self.variables.iter().copied())
            .collect();
        let text = vocabulary::Text {
            text: source.text(),
            file: &file,
            scalar: None,
            known: &known,
            what: if default.is_some() {
                &"a capture, for a _default template has none,"
            } else {
                &"a capture of this template's path"
            },
        };
        let Some(template) = vocabulary::template(&text, self.engine, findings) else {
            return;
        };
        let template = FileTemplate {
            name: name.to_owned(),
            captures,
            template,
            executable,
        };
        match (default, pattern) {
            (Some(extension), _) => {
                found.defaults.insert(extension.to_lowercase(), template);
            }
            (None, Some(pattern)) => {
                found.files.push(template);
                found.patterns.push(pattern);
            }
            (None, None) => {}
        }
    }

    /// F20, F21: the markers that a template plants, and the lines that only look as if they did.
    fn anchors(&self, file: &File, text: &str, found: &mut FileTemplates, findings: &mut Findings) {
        let Some(comments) = self.comments else {
            return;
        };
        let mut first: BTreeMap<String, Span> = BTreeMap::new();
        let mut at = 0;
        for whole in text.split_inclusive('\n') {
            let line = whole.trim_end_matches(['\n', '\r']);
            let span = visible(line, at);
            at += whole.len();
            if let marker::Line::Anchor(name) = comments.read(line) {
                if let Some(before) = first.get(name) {
                    findings
                        .warning(
                            Rule::AnchorPlantedTwice,
                            file,
                            Some(span),
                            format!(
                                "the marker {} is planted a second time; only the first is used",
                                quoted(name)
                            ),
                        )
                        .label(file, *before, "the first");
                    continue;
                }
                first.insert(name.to_owned(), span);
                found.planted.push(Planted {
                    name: name.to_owned(),
                    file: file.clone(),
                    span,
                });
            } else if marker::malformed_anchor(line, comments) {
                let name = named(line);
                findings
                    .warning(
                        Rule::AnchorLineMalformed,
                        file,
                        Some(span),
                        if comments.is_comment(line.trim()) {
                            "this line plants no marker: the declaration is not all of its line".to_owned()
                        } else {
                            format!(
                                "this line plants no marker: it does not start with {}, the package's comment_prefix",
                                quoted(comments.prefix())
                            )
                        },
                    )
                    .help(format!("write {}", comments.anchor_line("", name)));
                found.meant.push(name.to_owned());
            }
        }
    }
}

/// The name that a faulty declaration means.
fn named(line: &str) -> &str {
    let rest = line
        .split_once("sedum:anchor:")
        .map_or("", |(_, rest)| rest);
    let end = rest
        .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-')))
        .unwrap_or(rest.len());
    match rest.get(..end) {
        Some(name) if !name.is_empty() => name,
        _ => "NAME",
    }
}

fn visible(line: &str, at: usize) -> Span {
    let start = at + line.len() - line.trim_start().len();
    Span::new(start, start + line.trim().len())
}

/// F11-F13: ties, each pair once, at the first of the two by name.
pub(super) fn ties(found: &FileTemplates, patterns: &PatternSet, findings: &mut Findings) {
    for (a, b) in patterns.ties() {
        let name = |at: usize| found.files.get(at).map_or("", |file| file.name.as_str());
        let (first, second) = if name(a) <= name(b) { (a, b) } else { (b, a) };
        findings
            .error(
                Rule::FileTemplateTie,
                &File::unread(files::join(DIRECTORY, name(first))),
                None,
                format!(
                    "{} and {} are equally specific and some path matches both",
                    quoted(name(first)),
                    quoted(name(second))
                ),
            )
            .help("make one of them more specific: a literal beats a capture, a capture beats *");
    }
}

/// S7, S8: an `unmanaged` entry that covers what the package ships, one finding an entry.
pub(super) fn contradictions(
    unmanaged: &[(ScopeEntry, Span)],
    found: &FileTemplates,
    literal_targets: &[(String, String)],
    manifest: &File,
    findings: &mut Findings,
) {
    for (entry, span) in unmanaged {
        let templates = found
            .patterns
            .iter()
            .zip(&found.files)
            .filter(|(pattern, _)| entry.covers_template(pattern))
            .map(|(_, file)| format!("the file template {}", quoted(&file.name)));
        let targets = literal_targets
            .iter()
            .filter(|(_, target)| entry.matches(&crate::pattern::path::clean(target)))
            .map(|(action, _)| format!("the target of action {}", quoted(action)));
        let covered: Vec<_> = templates.chain(targets).collect();
        let Some((first, more)) = covered.split_first() else {
            continue;
        };
        let more = if more.is_empty() {
            String::new()
        } else {
            format!(", and {} more", more.len())
        };
        let added = findings.error(
            Rule::UnmanagedContradiction,
            manifest,
            Some(*span),
            format!(
                "unmanaged entry {} covers {first}{more}: the package would write what it says it does not",
                quoted(entry.text())
            ),
        );
        added.help("take the entry out or narrow it, or take the template or action out");
    }
}
