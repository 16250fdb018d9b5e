//! `sedum.yaml`: decoding (S1, S2, S11, L13, L14) and the checks that need nothing else (L16, L17, S6, S9, S13).

use std::collections::BTreeMap;

use crate::diag::{Rule, Span, quoted};
use crate::doc::{Entry, Fault, Fields, Node};
use crate::marker::Comments;
use crate::pattern::scope::{Entry as ScopeEntry, ScopeSet};

use super::findings::{File, Findings, Spanned};
use super::model::Variable;

/// A decoded `sedum.yaml`.
#[derive(Debug, Default)]
pub(super) struct Manifest {
    pub name: Option<Spanned<String>>,
    pub extensions: Vec<Spanned<String>>,
    pub comment_prefix: Option<Spanned<String>>,
    pub comment_suffix: Option<Spanned<String>>,
    pub transforms: Vec<Pipeline>,
    pub op_exceptions: Vec<Exceptions>,
    pub unmanaged: Vec<Spanned<String>>,
    pub test_paths: Vec<Spanned<String>>,
    pub variables: BTreeMap<String, (Variable, Span)>,
}

/// A declared pipeline.
#[derive(Debug)]
pub(super) struct Pipeline {
    pub name: Spanned<String>,
    pub steps: Vec<Spanned<String>>,
}

/// A declared exception table.
#[derive(Debug)]
pub(super) struct Exceptions {
    pub operation: Spanned<String>,
    pub words: Vec<(Spanned<String>, String)>,
}

/// Decodes the document; faults go to `faults`, and with any the manifest is not to be used.
pub(super) fn decode(root: &Node<'_>, faults: &mut Vec<Fault>) -> Manifest {
    let mut fields = Fields::of(root, "sedum.yaml", faults);
    let spanned = |(text, node): (&str, &Node<'_>)| Spanned::new(text.to_owned(), node.span);
    let texts = |found: Option<Vec<(&str, &Node<'_>)>>| {
        found.into_iter().flatten().map(spanned).collect::<Vec<_>>()
    };
    let name = fields.text("name").map(spanned);
    if name.is_none() && fields.raw("name").is_none() {
        let start = Span::new(root.span.start as usize, root.span.start as usize + 1);
        fields.faults.push(
            Fault::new(start, "name is missing").help("write name: and the directory's name"),
        );
    }
    let manifest = Manifest {
        name,
        extensions: texts(fields.texts("extensions")),
        comment_prefix: fields.optional_text("comment_prefix").map(spanned),
        comment_suffix: fields.optional_text("comment_suffix").map(spanned),
        transforms: pipelines(fields.map("transforms").unwrap_or_default(), fields.faults),
        op_exceptions: exceptions(
            fields.map("op_exceptions").unwrap_or_default(),
            fields.faults,
        ),
        unmanaged: texts(fields.texts("unmanaged")),
        test_paths: texts(fields.texts("test_paths")),
        variables: variables(fields.map("variables").unwrap_or_default(), fields.faults),
    };
    fields.finish("sedum.yaml");
    manifest
}

fn key(entry: &Entry<'_>) -> Spanned<String> {
    Spanned::new(entry.key.clone().into_owned(), entry.key_span)
}

fn pipelines(entries: &[Entry<'_>], faults: &mut Vec<Fault>) -> Vec<Pipeline> {
    let mut found = Vec::with_capacity(entries.len());
    for entry in entries {
        let Some(items) = entry.value.list() else {
            faults.push(entry.value.mismatch(&format!(
                "transforms.{}: a list of operations",
                crate::diag::shown(&entry.key)
            )));
            continue;
        };
        let mut steps = Vec::with_capacity(items.len());
        for item in items {
            match item.text() {
                Ok(text) => steps.push(Spanned::new(text.to_owned(), item.span)),
                Err(fault) => faults.push(fault),
            }
        }
        found.push(Pipeline {
            name: key(entry),
            steps,
        });
    }
    found
}

fn exceptions(entries: &[Entry<'_>], faults: &mut Vec<Fault>) -> Vec<Exceptions> {
    let mut found = Vec::with_capacity(entries.len());
    for entry in entries {
        let Some(words) = entry.value.map() else {
            faults.push(entry.value.mismatch(&format!(
                "op_exceptions.{}: a map from word to replacement",
                crate::diag::shown(&entry.key)
            )));
            continue;
        };
        let mut table = Vec::with_capacity(words.len());
        for word in words {
            match word.value.text() {
                Ok(text) => table.push((key(word), text.to_owned())),
                Err(fault) => faults.push(fault),
            }
        }
        found.push(Exceptions {
            operation: key(entry),
            words: table,
        });
    }
    found
}

fn variables(entries: &[Entry<'_>], faults: &mut Vec<Fault>) -> BTreeMap<String, (Variable, Span)> {
    let mut found = BTreeMap::new();
    for entry in entries {
        let mut variable = Variable::default();
        if !entry.value.is_null() {
            let what = format!("variable {}", quoted(&entry.key));
            let mut fields = Fields::of(&entry.value, &what, faults);
            variable.description = fields
                .optional_text("description")
                .map(|(text, _)| text.to_owned());
            variable.default = fields
                .optional_text("default")
                .map(|(text, _)| text.to_owned());
            fields.finish(&what);
        }
        found.insert(entry.key.clone().into_owned(), (variable, entry.key_span));
    }
    found
}

/// L16 and L17; returns the extensions that hold, lower-cased.
pub(super) fn check_identity(
    manifest: &Manifest,
    directory: &str,
    file: &File,
    findings: &mut Findings,
) -> Vec<String> {
    if let Some(name) = &manifest.name
        && name.value != directory
    {
        findings
            .error(
                Rule::PackageNameMismatch,
                file,
                Some(name.span),
                format!(
                    "the package calls itself {}, its directory is {}",
                    quoted(&name.value),
                    quoted(directory)
                ),
            )
            .help(format!("write name: {}", crate::diag::shown(directory)));
    }
    let mut extensions: Vec<String> = Vec::new();
    for extension in &manifest.extensions {
        let lowered = extension.value.to_lowercase();
        let shown = quoted(&extension.value);
        let message = if !lowered.starts_with('.') {
            format!("the extension {shown} does not start with a dot")
        } else if lowered.len() < 2 || lowered.ends_with('.') || lowered.contains(['/', '\\']) {
            format!("the extension {shown} names nothing after its dot that a file name can end in")
        } else if extensions.contains(&lowered) {
            format!("the extension {shown} is claimed twice; letter case makes no difference")
        } else {
            extensions.push(lowered);
            continue;
        };
        let added = findings.error(Rule::ExtensionInvalid, file, Some(extension.span), message);
        if !lowered.starts_with('.') && !lowered.is_empty() {
            added.help(format!(
                "write \".{}\"",
                crate::diag::shown(&extension.value)
            ));
        }
    }
    extensions
}

/// S13 and M5; `has_actions` says whether the package declares any.
pub(super) fn check_comments(
    manifest: &Manifest,
    has_actions: bool,
    file: &File,
    findings: &mut Findings,
) -> Option<Comments> {
    let breaks = |text: &str| text.contains(['\n', '\r']);
    let mut sound = true;
    for (what, value) in [
        ("comment_prefix", &manifest.comment_prefix),
        ("comment_suffix", &manifest.comment_suffix),
    ] {
        if let Some(text) = value
            && breaks(&text.value)
        {
            sound = false;
            findings.error(
                Rule::CommentPrefixInvalid,
                file,
                Some(text.span),
                format!("{what} holds a line break; a marker is one line"),
            );
        }
        // At the start of a file it would be taken for the file's own (C12), and the marker behind it never found again.
        if let Some(text) = value
            && text.value.contains('\u{feff}')
        {
            sound = false;
            findings.error(
                Rule::CommentPrefixInvalid,
                file,
                Some(text.span),
                format!("{what} holds a byte-order mark; take it out"),
            );
        }
    }
    let filled = |value: &Option<Spanned<String>>| {
        value
            .as_ref()
            .filter(|text| !text.value.trim().is_empty())
            .map(|text| (text.value.clone(), text.span))
    };
    let prefix = filled(&manifest.comment_prefix);
    let suffix = filled(&manifest.comment_suffix);
    if let (None, Some((text, span))) = (&prefix, &suffix) {
        sound = false;
        findings
            .error(
                Rule::CommentSuffixWithoutPrefix,
                file,
                Some(*span),
                format!(
                    "comment_suffix {} closes nothing: there is no comment_prefix",
                    quoted(text)
                ),
            )
            .help("declare comment_prefix, or leave comment_suffix out");
    }
    if prefix.is_none() && suffix.is_none() && has_actions {
        sound = false;
        findings
            .error(
                Rule::CommentPrefixMissing,
                file,
                manifest.comment_prefix.as_ref().map(|text| text.span),
                "the package declares actions, and without a comment_prefix their regions cannot be marked",
            )
            .help("write comment_prefix: and what starts a comment in these files");
    }
    let (prefix, _) = prefix?;
    if let Some((text, span)) = &suffix
        && !Comments::suffix_is_breakable(&prefix, text)
    {
        sound = false;
        findings.error(
            Rule::CommentPrefixInvalid,
            file,
            Some(*span),
            format!(
                "comment_suffix {} can stand in a marker's JSON in a way that nothing can break up",
                quoted(text)
            ),
        );
    }
    sound.then(|| Comments::new(&prefix, suffix.as_ref().map(|(text, _)| text.as_str())))
}

/// S6 and S9: the entries of `unmanaged` that can be read, with their places; `test_paths` is only checked.
pub(super) fn check_scopes(
    manifest: &Manifest,
    file: &File,
    findings: &mut Findings,
) -> Vec<(ScopeEntry, Span)> {
    let mut read = |entries: &[Spanned<String>], what: &str, rule: Rule| {
        let mut sound = Vec::with_capacity(entries.len());
        for entry in entries {
            let text = entry.value.trim();
            if text.is_empty() {
                findings.error(
                    rule,
                    file,
                    Some(entry.span),
                    format!("a blank entry in {what}"),
                );
                continue;
            }
            match ScopeEntry::parse(text) {
                Ok(parsed) => sound.push((parsed, entry.span)),
                Err(fault) => {
                    findings.error(
                        rule,
                        file,
                        Some(entry.span),
                        format!("the {what} entry {} cannot be read: {fault}", quoted(text)),
                    );
                }
            }
        }
        sound
    };
    read(&manifest.test_paths, "test_paths", Rule::TestPathsInvalid);
    read(&manifest.unmanaged, "unmanaged", Rule::UnmanagedInvalid)
}

/// The compiled set of the entries.
pub(super) fn scope_set(entries: Vec<(ScopeEntry, Span)>) -> ScopeSet {
    ScopeSet::new(entries.into_iter().map(|(entry, _)| entry).collect())
}

#[cfg(test)]
mod tests {
    use crate::genpkg::load;

    /// C12, M10: an empty file that got such a marker as its first line would not show it to the next run.
    #[test]
    fn a_prefix_holds_no_byte_order_mark() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("p/actions")).unwrap();
        let manifest = "name: p\nextensions: [.p]\ncomment_prefix: \"\\ufeff#\"\n";
        std::fs::write(folder.path().join("p/sedum.yaml"), manifest).unwrap();
        std::fs::write(
            folder.path().join("p/actions/actions.yaml"),
            "actions: {}\n",
        )
        .unwrap();
        let findings = load(folder.path(), &[]).unwrap().findings;
        let rules: Vec<_> = findings.iter().map(|f| f.rule.slug()).collect();
        assert_eq!(rules, ["comment_prefix_invalid"]);
    }
}
