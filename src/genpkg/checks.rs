//! The checks of one declared action that need no file: names, kwargs, kind, anchor, tier, identity.

use std::collections::HashSet;
use std::fmt;

use crate::diag::{Rule, Span, listed, quoted};
use crate::marker::Tier;
use crate::pattern::anchor::AnchorPattern;
use crate::value::Names;

use super::actions::{Declaration, KwargDeclaration};
use super::findings::{File, Findings, Spanned};
use super::model::{ANCHOR_KINDS, Anchor, Kwarg, KwargType, companions_of};

/// A28.
pub(super) fn name(declaration: &Declaration, file: &File, findings: &mut Findings) {
    let name = declaration.name.as_str();
    if name == "anchor" {
        findings
            .error(
                Rule::ActionNameReserved,
                file,
                Some(declaration.span),
                "an action called \"anchor\" would write markers that read as anchor declarations",
            )
            .help("choose another name");
    } else if name.is_empty()
        || !name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
    {
        findings.error(
            Rule::ActionNameInvalid,
            file,
            Some(declaration.span),
            format!(
                "the action name {} cannot stand on a marker: letters, digits, _, - and . can",
                quoted(name)
            ),
        );
    }
}

/// A4-A10: the kwargs that hold.
pub(super) fn kwargs(
    declaration: &Declaration,
    file: &File,
    findings: &mut Findings,
) -> Names<Kwarg> {
    declaration
        .kwargs
        .iter()
        .filter_map(|declared| {
            let kwarg = kwarg(declared, file, findings)?;
            Some((declared.name.value.clone(), kwarg))
        })
        .collect()
}

fn kwarg(declared: &KwargDeclaration, file: &File, findings: &mut Findings) -> Option<Kwarg> {
    let name = fmt::from_fn(|f| f.write_str(&quoted(&declared.name.value)));
    let types = || listed(KwargType::ALL.map(KwargType::name));
    let Some(word) = &declared.kind else {
        findings
            .error(
                Rule::KwargTypeUnknown,
                file,
                Some(declared.name.span),
                format!("kwarg {name} has no type"),
            )
            .help(format!("the types are {}", types()));
        return None;
    };
    let Some(kind) = KwargType::from_name(&word.value) else {
        findings
            .error(
                Rule::KwargTypeUnknown,
                file,
                Some(word.span),
                format!(
                    "kwarg {name} has the type {}; the types are {}",
                    quoted(&word.value),
                    types()
                ),
            )
            .near(&word.value, KwargType::ALL.map(KwargType::name));
        return None;
    };
    if let Some(default) = &declared.default {
        if declared.required {
            findings
                .error(
                    Rule::KwargDefaultOnRequired,
                    file,
                    Some(default.span),
                    format!("kwarg {name} is required, so its default could never apply"),
                )
                .help("leave one of required: true and default out");
        }
        if !kind.accepts(&default.value) {
            findings.error(
                Rule::KwargDefaultType,
                file,
                Some(default.span),
                format!(
                    "the default of kwarg {name} is {}, its type {} wants {}",
                    default.value.described(),
                    kind.name(),
                    kind.expected()
                ),
            );
        }
    }
    Some(Kwarg {
        kind,
        required: declared.required,
        description: declared.description.as_deref().map(Box::from),
        default: declared.default.as_ref().map(|d| Box::new(d.value.clone())),
    })
}

/// A14, A15, A16: what a simple or discriminated action must say.
pub(super) fn kind(
    declaration: &Declaration,
    suffix: Option<&str>,
    file: &File,
    findings: &mut Findings,
) {
    let action = fmt::from_fn(|f| f.write_str(&quoted(&declaration.name)));
    for (key, given) in [
        ("injects_into", declaration.injects_into.is_some()),
        ("anchor", declaration.anchor.is_some()),
    ] {
        if !given {
            findings.error(
                Rule::ActionIncomplete,
                file,
                Some(declaration.span),
                format!("action {action} has no {key}, which every action but a composite needs"),
            );
        }
    }
    let Some(discriminator) = &declaration.discriminator else {
        if let Some(variants) = &declaration.variants {
            findings.error(
                Rule::ActionIncomplete,
                file,
                Some(variants.span),
                format!("action {action} has variants and no discriminator to choose among them"),
            );
        }
        return;
    };
    let kwarg = declaration
        .kwargs
        .iter()
        .find(|kwarg| kwarg.name.value == discriminator.value);
    match kwarg {
        None => {
            findings
                .error(
                    Rule::DiscriminatorUnknownKwarg,
                    file,
                    Some(discriminator.span),
                    format!(
                        "the discriminator {} is no kwarg of action {action}",
                        quoted(&discriminator.value)
                    ),
                )
                .near(
                    &discriminator.value,
                    declaration.kwargs.iter().map(|k| k.name.value.as_str()),
                );
        }
        Some(KwargDeclaration {
            kind: Some(word), ..
        }) if word.value != "string" && KwargType::from_name(&word.value).is_some() => {
            findings.error(
                Rule::DiscriminatorType,
                file,
                Some(discriminator.span),
                format!(
                    "the discriminator {} is a kwarg of type {}; it must be a string",
                    quoted(&discriminator.value),
                    word.value
                ),
            );
        }
        Some(_) => {}
    }
    variants(declaration, suffix, file, findings);
}

fn variants(declaration: &Declaration, suffix: Option<&str>, file: &File, findings: &mut Findings) {
    let variants = declaration.variants.iter().flat_map(|v| &v.value);
    let mut seen: HashSet<&str> = HashSet::new();
    for variant in variants {
        let name = variant.value.as_str();
        let message = if let Some(why) = unfit_for_label(name, suffix) {
            format!("the variant {} {why}", quoted(name))
        } else if name.contains('/') {
            format!(
                "the variant {} holds a /, which no file name can",
                quoted(name)
            )
        } else if seen.insert(name) {
            continue;
        } else {
            format!("the variant {} is declared twice", quoted(name))
        };
        findings.error(Rule::VariantNameInvalid, file, Some(variant.span), message);
    }
}

/// Why a discriminator value cannot stand in a marker label (A16, D17): the one answer for load and Phase 5.
pub fn unfit_for_label(value: &str, suffix: Option<&str>) -> Option<String> {
    if value.is_empty() {
        Some("is empty".to_owned())
    } else if value.chars().any(char::is_whitespace) {
        Some("holds white space, which cannot stand on a marker".to_owned())
    } else if value.chars().any(char::is_control) {
        Some("holds a control character, which cannot stand on a marker".to_owned())
    } else if suffix.is_some_and(|suffix| value.contains(suffix)) {
        Some("holds the comment suffix, which would end the marker".to_owned())
    } else {
        None
    }
}

/// A29-A32: the anchor, when it holds.
pub(super) fn anchor(
    declaration: &Declaration,
    file: &File,
    findings: &mut Findings,
) -> Option<Anchor> {
    let anchor = declaration.anchor.as_ref()?;
    let kind = anchor.value.as_str();
    let mut sound = companions(declaration, anchor, file, findings);
    let value = |field: &Option<Spanned<String>>| field.as_ref().map(|f| f.value.clone());
    let found = match kind {
        "start_of_file" => Some(Anchor::StartOfFile),
        "end_of_file" => Some(Anchor::EndOfFile),
        "region" => value(&declaration.anchor_start)
            .zip(value(&declaration.anchor_end))
            .map(|(start, end)| Anchor::Region { start, end }),
        "after_match" | "before_match" => {
            let pattern = pattern(declaration, file, findings);
            sound &= pattern.is_some();
            pattern.map(|pattern| {
                if kind == "after_match" {
                    Anchor::AfterMatch(pattern)
                } else {
                    Anchor::BeforeMatch(pattern)
                }
            })
        }
        "marker" => {
            findings
                .error(
                    Rule::AnchorInvalid,
                    file,
                    Some(anchor.span),
                    "\"marker\" is the name of a kind of anchor, not of a marker",
                )
                .help("write the name of the marker that a file template plants");
            return None;
        }
        name => {
            sound &= marker_name(name, anchor.span, file, findings);
            Some(Anchor::Marker(name.to_owned()))
        }
    };
    for end in [&declaration.anchor_start, &declaration.anchor_end]
        .into_iter()
        .flatten()
    {
        sound &= kind != "region" || marker_name(&end.value, end.span, file, findings);
    }
    found.filter(|_| sound)
}

fn marker_name(name: &str, span: Span, file: &File, findings: &mut Findings) -> bool {
    let sound = !name.is_empty()
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'));
    if !sound {
        findings
            .error(
                Rule::AnchorInvalid,
                file,
                Some(span),
                format!(
                    "{} is no marker name: letters, digits, _, . and - make one",
                    quoted(name)
                ),
            )
            .near(
                name,
                ANCHOR_KINDS.into_iter().filter(|kind| *kind != "marker"),
            );
    }
    sound
}

/// A30: a kind has exactly its companion fields.
fn companions(
    declaration: &Declaration,
    anchor: &Spanned<String>,
    file: &File,
    findings: &mut Findings,
) -> bool {
    let wanted = companions_of(&anchor.value);
    let given = [
        ("anchor_start", &declaration.anchor_start),
        ("anchor_end", &declaration.anchor_end),
        ("anchor_pattern", &declaration.anchor_pattern),
    ];
    let kind = fmt::from_fn(|f| f.write_str(&quoted(&anchor.value)));
    let mut sound = true;
    for (key, field) in given {
        let (span, message) = match field {
            None if wanted.contains(&key) => {
                (anchor.span, format!("the anchor {kind} needs {key}"))
            }
            Some(field) if !wanted.contains(&key) => (
                field.span,
                format!("{key} does not belong to the anchor {kind}"),
            ),
            _ => continue,
        };
        sound = false;
        findings.error(Rule::AnchorInvalid, file, Some(span), message);
    }
    sound
}

/// A31, A32.
fn pattern(
    declaration: &Declaration,
    file: &File,
    findings: &mut Findings,
) -> Option<AnchorPattern> {
    let declared = declaration.anchor_pattern.as_ref()?;
    match AnchorPattern::compile(&declared.value) {
        Ok(pattern) => {
            if AnchorPattern::lacks_line_mode(&declared.value) {
                findings
                    .warning(
                        Rule::AnchorPatternLineMode,
                        file,
                        Some(declared.span),
                        format!(
                            "in the anchor_pattern of action {} ^ and $ stand for the bounds of the whole file",
                            quoted(&declaration.name)
                        ),
                    )
                    .help("start the pattern with (?m) to make them the bounds of a line");
            }
            Some(pattern)
        }
        Err(fault) => {
            findings.error(
                Rule::AnchorInvalid,
                file,
                Some(declared.span),
                format!(
                    "the anchor_pattern {} does not compile: {}",
                    quoted(&declared.value),
                    fault.kind()
                ),
            );
            None
        }
    }
}

/// A3.
pub(super) fn tier(declaration: &Declaration, file: &File, findings: &mut Findings) -> Tier {
    match declaration
        .tier
        .as_ref()
        .map(|t| (t.value.as_str(), t.span))
    {
        None | Some(("owned", _)) => Tier::Owned,
        Some(("seeded", _)) => Tier::Seeded,
        Some((word, span)) => {
            findings
                .error(
                    Rule::TierUnknown,
                    file,
                    Some(span),
                    format!("{} is no tier: a region is owned or seeded", quoted(word)),
                )
                .near(word, ["owned", "seeded"]);
            Tier::Owned
        }
    }
}

/// M25: the identity, when it is declared.
pub(super) fn identity(
    declaration: &Declaration,
    file: &File,
    findings: &mut Findings,
) -> Option<Vec<String>> {
    let identity = declaration.identity.as_ref()?;
    if identity.value.is_empty() {
        findings
            .error(
                Rule::IdentityEmpty,
                file,
                Some(identity.span),
                format!(
                    "identity of action {} is an empty list: every region would be one",
                    quoted(&declaration.name)
                ),
            )
            .help("name the required kwargs that tell its regions apart, or leave identity out");
    }
    for name in &identity.value {
        let kwarg = declaration
            .kwargs
            .iter()
            .find(|kwarg| kwarg.name.value == name.value);
        let (rule, why) = match kwarg {
            None => (Rule::IdentityUnknownKwarg, "is no kwarg of it"),
            Some(kwarg) if !kwarg.required => {
                (Rule::IdentityOptionalKwarg, "is not a required kwarg of it")
            }
            Some(_) => continue,
        };
        findings
            .error(
                rule,
                file,
                Some(name.span),
                format!(
                    "identity of action {} names {}, which {why}",
                    quoted(&declaration.name),
                    quoted(&name.value)
                ),
            )
            .near(
                &name.value,
                declaration
                    .kwargs
                    .iter()
                    .filter(|kwarg| kwarg.required)
                    .map(|kwarg| kwarg.name.value.as_str()),
            );
    }
    let mut names: Vec<_> = identity.value.iter().map(|n| n.value.clone()).collect();
    names.sort_unstable();
    names.dedup();
    Some(names)
}
