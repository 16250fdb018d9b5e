//! Composites: their own keys, their children, the union of the children's kwargs (A20-A27).

use std::collections::BTreeMap;

use crate::diag::{Rule, listed, quoted};
use crate::value::Names;

use super::actions::Declaration;
use super::findings::{File, Findings};
use super::model::{Action, Kwarg};

/// The keys that a composite may have besides `composes`.
pub(crate) const ALLOWED: [&str; 3] = ["composes", "description", "exposed"];

/// A21, A22, A26: what is wrong with the declaration itself; the children that can be used.
pub(super) fn children(
    declaration: &Declaration,
    declarations: &BTreeMap<&str, &Declaration>,
    file: &File,
    findings: &mut Findings,
) -> Vec<String> {
    let name = quoted(&declaration.name);
    let stray: Vec<_> = declaration
        .given
        .iter()
        .filter(|key| !ALLOWED.contains(key))
        .copied()
        .collect();
    if !stray.is_empty() {
        findings
            .error(
                Rule::CompositeMalformed,
                file,
                Some(declaration.span),
                format!("composite {name} may not have {}", listed(stray)),
            )
            .help("these belong to its children");
    }
    let Some(composes) = &declaration.composes else {
        return Vec::new();
    };
    if composes.value.is_empty() {
        findings.error(
            Rule::CompositeMalformed,
            file,
            Some(composes.span),
            format!("composite {name} composes nothing"),
        );
    }
    let mut children: Vec<String> = Vec::new();
    for child in &composes.value {
        if children.contains(&child.value) {
            findings.error(
                Rule::CompositeMalformed,
                file,
                Some(child.span),
                format!(
                    "composite {name} lists {} twice: the two would be one region",
                    quoted(&child.value)
                ),
            );
            continue;
        }
        match declarations.get(child.value.as_str()) {
            None => {
                findings
                    .error(
                        Rule::CompositeUnknownChild,
                        file,
                        Some(child.span),
                        format!(
                            "composite {name} composes {}, which is no action of this package",
                            quoted(&child.value)
                        ),
                    )
                    .near(
                        &child.value,
                        declarations
                            .values()
                            .filter(|d| d.composes.is_none())
                            .map(|d| d.name.as_str()),
                    );
            }
            Some(other) if other.composes.is_some() => {
                findings
                    .error(
                        Rule::CompositeNested,
                        file,
                        Some(child.span),
                        format!(
                            "composite {name} composes {}, which is a composite itself",
                            quoted(&child.value)
                        ),
                    )
                    .help("name the children of that composite instead")
                    .label(file, other.span, "the composite");
            }
            Some(_) => children.push(child.value.clone()),
        }
    }
    children
}

/// A23-A25: the union of the children's kwargs.
pub(super) fn union(
    declaration: &Declaration,
    children: &[String],
    actions: &BTreeMap<String, Action>,
    file: &File,
    findings: &mut Findings,
) -> Names<Kwarg> {
    let mut union: BTreeMap<String, (Kwarg, &str)> = BTreeMap::new();
    let kwargs = children
        .iter()
        .filter_map(|name| actions.get(name))
        .flat_map(|child| child.kwargs.iter().map(move |(n, k)| (child, n, k)));
    for (child, name, kwarg) in kwargs {
        let Some((known, first)) = union.get_mut(name) else {
            union.insert(name.clone(), (kwarg.clone(), &child.name));
            continue;
        };
        let mut conflict = |message: String| {
            findings.error(
                Rule::CompositeKwargConflict,
                file,
                Some(declaration.span),
                format!(
                    "composite {}: kwarg {} {message}",
                    quoted(&declaration.name),
                    quoted(name)
                ),
            );
        };
        if known.kind != kwarg.kind {
            conflict(format!(
                "is {} in {} and {} in {}",
                known.kind.name(),
                quoted(first),
                kwarg.kind.name(),
                quoted(&child.name)
            ));
            continue;
        }
        if let (Some(a), Some(b)) = (&known.default, &kwarg.default)
            && a != b
        {
            conflict(format!(
                "has the default {} in {} and {} in {}",
                crate::diag::shown(&a.to_json()),
                quoted(first),
                crate::diag::shown(&b.to_json()),
                quoted(&child.name)
            ));
        }
        known.required |= kwarg.required;
        if known.description.is_none() {
            known.description.clone_from(&kwarg.description);
        }
        if known.default.is_none() {
            known.default.clone_from(&kwarg.default);
        }
    }
    union
        .into_iter()
        .map(|(name, (mut kwarg, _))| {
            if kwarg.required {
                kwarg.default = None;
            }
            (name, kwarg)
        })
        .collect()
}
