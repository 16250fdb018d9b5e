//! What both YAML schemas are held to: a document means the same as its own tree written as JSON, places lie in the
//! text, a package with an error is dropped whole, and what loads keeps the rules that a reader of it relies on.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use sedum::diag::{Finding, Severity};
use sedum::doc::{Kind, Node, Style, yaml};
use sedum::genpkg::{self, Action, ActionKind, Body, KwargType, Loaded, Package};
use sedum::marker::Tier;
use sedum::value::Value;

use super::loom;

/// What loading came to, without places: severity, file, rule and message of each finding, and the package.
type Verdict = (BTreeSet<String>, Option<String>);

/// Loads the package in `dir` with `text` as its `file`, and again with the same document written as JSON.
pub fn holds(dir: &Path, file: &str, text: &str) {
    let parsed = yaml::parse(text);
    for fault in &parsed.faults {
        assert!(
            text.get(fault.span.start as usize..fault.span.end as usize)
                .is_some(),
            "{fault:?}"
        );
    }
    loom::write(dir, file, text);
    let first = loaded(dir, file, text);
    let Some(root) = parsed.root.filter(|_| parsed.faults.is_empty()) else {
        assert_eq!(first.1, None, "L4: a faulty document gives no package");
        return;
    };
    let mut json = String::new();
    write_json(&root, &mut json);
    // Aliases written out may be more than a document can hold (X36), and a key written with its escapes more than YAML
    // takes for one.
    if json.len() > (1 << 16) || longest_key(&root) > LONGEST_KEY {
        return;
    }
    let again = yaml::parse(&json);
    assert!(again.faults.is_empty(), "{json}: {:?}", again.faults);
    let mut twice = String::new();
    write_json(&again.root.expect("a value"), &mut twice);
    assert_eq!(twice, json, "{text:?}");
    loom::write(dir, file, &json);
    assert_eq!(loaded(dir, file, &json), first, "{text:?}\n{json}");
}

/// The longest key that YAML takes without a `?` before it, in characters.
const LONGEST_KEY: usize = 1024;

/// The longest key of a tree as JSON, in characters.
fn longest_key(node: &Node<'_>) -> usize {
    match &node.kind {
        Kind::Scalar { .. } => 0,
        Kind::List(items) => items.iter().map(longest_key).max().unwrap_or(0),
        Kind::Map(entries) => {
            let length = |key: &str| {
                let mut json = String::new();
                sedum::value::write_json_text(key, &mut json);
                json.chars().count()
            };
            let lengths = entries.iter();
            lengths
                .map(|entry| length(&entry.key).max(longest_key(&entry.value)))
                .max()
                .unwrap_or(0)
        }
    }
}

/// A tree as JSON for a YAML reader: a plain scalar that is no text stays as it is spelt.
fn write_json(node: &Node<'_>, out: &mut String) {
    match &node.kind {
        Kind::Scalar { text, style } => {
            let bare = *style != Style::Quoted
                && node
                    .scalar()
                    .is_some_and(|(_, reading)| reading != sedum::doc::Reading::Text);
            match (bare, text.is_empty()) {
                (true, true) => out.push_str("null"),
                (true, false) => out.push_str(text),
                (false, _) => sedum::value::write_json_text(text, out),
            }
        }
        Kind::List(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at > 0 { ", " } else { "" });
                write_json(item, out);
            }
            out.push(']');
        }
        Kind::Map(entries) => {
            out.push('{');
            for (at, entry) in entries.iter().enumerate() {
                out.push_str(if at > 0 { ", " } else { "" });
                sedum::value::write_json_text(&entry.key, out);
                out.push_str(": ");
                write_json(&entry.value, out);
            }
            out.push('}');
        }
    }
}

fn loaded(dir: &Path, file: &str, text: &str) -> Verdict {
    let loaded: Loaded = genpkg::load(&dir.join("gen"), &[]).expect("a directory with a package");
    let mut findings = BTreeSet::new();
    let mut sorted = loaded.findings.clone();
    sorted.reverse();
    Finding::sort(&mut sorted);
    let shown = |findings: &[Finding]| findings.iter().map(Finding::to_string).collect::<Vec<_>>();
    assert_eq!(shown(&sorted), shown(&loaded.findings), "L8");
    for finding in &loaded.findings {
        if let Some(place) = finding.place.as_ref().filter(|_| finding.file == file) {
            assert!(
                text.get(place.span.start as usize..place.span.end as usize)
                    .is_some(),
                "{finding:?}"
            );
        }
        let shown = finding.to_string();
        assert!(
            shown.contains("loom/") && !shown.contains(|c: char| c.is_control()),
            "{shown:?}"
        );
        let help = finding.help.as_deref().unwrap_or_default();
        assert!(
            !help.contains(|c: char| c.is_control() && c != '\n'),
            "{help:?}"
        );
        findings.insert(format!(
            "{} {} {} {}",
            finding.severity.name(),
            finding.file,
            finding.rule.slug(),
            finding.message
        ));
    }
    let errors = loaded.count(Severity::Error);
    let package = loaded.verdicts[0].package.as_ref();
    assert_eq!(package.is_none(), errors > 0, "L4");
    (
        findings,
        package.map(|package| {
            keeps_rules(package);
            super::reach();
            summary(package)
        }),
    )
}

/// What later phases take for granted.
fn keeps_rules(package: &Package) {
    for extension in &package.extensions {
        assert!(
            extension.len() > 1
                && extension.starts_with('.')
                && *extension == extension.to_lowercase(),
            "L17"
        );
    }
    assert!(
        package.comments.is_some() || package.actions.is_empty(),
        "S13"
    );
    for (name, action) in &package.actions {
        assert_eq!(*name, action.name);
        assert!(
            !name.contains([':', ' ', '\t', '\n']) && !name.is_empty() && name != "anchor",
            "A28: {name:?}"
        );
        for (kwarg, declared) in &action.kwargs {
            assert!(!package.variables.contains_key(kwarg), "S12: {kwarg}");
            if let Some(default) = &declared.default {
                assert!(
                    !declared.required && fits(declared.kind, default),
                    "A8, A9: {kwarg}"
                );
            }
        }
        match &action.kind {
            ActionKind::Composite { children } => {
                assert!(!children.is_empty(), "A22");
                assert!(children.iter().all(|child| {
                    package
                        .actions
                        .get(child)
                        .is_some_and(|a| a.single().is_some())
                }));
            }
            ActionKind::Single(single) => {
                assert!(!matches!(single.tier, Tier::Other(_)), "A3");
                for name in single.identity.iter().flatten() {
                    assert!(
                        action.kwargs.get(name).is_some_and(|kwarg| kwarg.required),
                        "M25: {name}"
                    );
                }
                let templates = single
                    .body
                    .templates()
                    .into_iter()
                    .map(|(_, template)| template);
                for template in templates.chain([&single.injects_into]) {
                    for reference in template.references() {
                        let name = reference.name;
                        assert!(
                            action.kwargs.contains_key(name)
                                || package.variables.contains_key(name),
                            "L23: {name}"
                        );
                    }
                }
                if let Body::Discriminated {
                    discriminator,
                    variants,
                    ..
                } = &single.body
                {
                    assert!(action.kwargs.contains_key(discriminator));
                    let suffix = package
                        .comments
                        .as_ref()
                        .and_then(|comments| comments.suffix());
                    assert!(
                        variants
                            .iter()
                            .all(|(name, _)| genpkg::unfit_for_label(name, suffix).is_none()),
                        "A16"
                    );
                }
            }
        }
    }
    for file in &package.files {
        assert!(
            package.unmanaged.entries().iter().all(|entry| {
                let (_, pattern) = package
                    .file_template(&file.name)
                    .expect("a template has its name");
                !entry.covers_template(pattern)
            }),
            "S7"
        );
    }
}

/// A7, A9, D16, by hand.
fn fits(kind: KwargType, value: &Value) -> bool {
    let whole = |text: &str| match text.parse::<f64>() {
        // Beyond what a float holds exactly, digits would have to decide.
        Ok(number) => number.abs() > 1e15 || number.abs() < 1e-15 || number.fract() == 0.0,
        Err(_) => false,
    };
    match (kind, value) {
        (KwargType::String | KwargType::Literal, Value::Text(_))
        | (KwargType::Bool, Value::Bool(_)) => true,
        (KwargType::String, Value::Object(forms)) => {
            forms.iter().any(|(name, _)| name != "text")
                && forms.iter().all(|(name, form)| {
                    ["text", "singular", "plural"].contains(&name.as_str())
                        && matches!(form, Value::Text(text) if !text.trim().is_empty())
                })
        }
        (KwargType::Int, Value::Number(number)) => whole(number.as_str()),
        (KwargType::List, Value::List(items)) => items
            .iter()
            .all(|item| matches!(item, Value::Text(_) | Value::Number(_) | Value::Bool(_))),
        _ => false,
    }
}

/// A package as text, without places.
fn summary(package: &Package) -> String {
    let mut out = format!(
        "{:?} {:?} {:?} {:?}\n",
        package.name, package.extensions, package.comments, package.variables
    );
    for entry in package.unmanaged.entries() {
        let _ = writeln!(out, "unmanaged {:?}", entry.text());
    }
    let _ = writeln!(
        out,
        "pipelines {:?}",
        package.engine.pipeline_names().collect::<Vec<_>>()
    );
    for action in package.actions.values() {
        write_action(action, &mut out);
    }
    out
}

fn write_action(action: &Action, out: &mut String) {
    let _ = writeln!(
        out,
        "{} {:?} {} {:?}",
        action.name, action.description, action.exposed, action.kwargs
    );
    match &action.kind {
        ActionKind::Composite { children } => {
            let _ = writeln!(out, "  {children:?}");
        }
        ActionKind::Single(single) => {
            let anchor = &single.anchor;
            let pattern = match anchor {
                genpkg::Anchor::AfterMatch(pattern) | genpkg::Anchor::BeforeMatch(pattern) => {
                    pattern.text()
                }
                _ => "",
            };
            let templates: Vec<_> = single
                .body
                .templates()
                .iter()
                .map(|(name, template)| format!("{name:?} {:?}", template.text()))
                .collect();
            let _ = writeln!(
                out,
                "  {:?} {} {:?} {pattern:?} {:?} {:?} {:?} {templates:?}",
                single.injects_into.text(),
                anchor.name(),
                anchor.markers(),
                single.tier,
                single.identity,
                single.body.discriminator(),
            );
        }
    }
}
