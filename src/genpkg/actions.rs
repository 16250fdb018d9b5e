//! `actions/actions.yaml`: decoding to declarations with places (A1-A4, L13-L15).

use std::fmt;

use crate::diag::{Span, quoted};
use crate::doc::{Entry, Fault, Fields, Node};
use crate::value::Value;

use super::findings::Spanned;

/// An action as it is declared.
#[derive(Debug, Default)]
pub(super) struct Declaration {
    pub name: String,
    /// Where the name stands.
    pub span: Span,
    pub kwargs: Vec<KwargDeclaration>,
    pub description: Option<String>,
    pub discriminator: Option<Spanned<String>>,
    pub variants: Option<Spanned<Vec<Spanned<String>>>>,
    pub injects_into: Option<Spanned<String>>,
    pub anchor: Option<Spanned<String>>,
    pub anchor_start: Option<Spanned<String>>,
    pub anchor_end: Option<Spanned<String>>,
    pub anchor_pattern: Option<Spanned<String>>,
    pub composes: Option<Spanned<Vec<Spanned<String>>>>,
    pub exposed: bool,
    pub identity: Option<Spanned<Vec<Spanned<String>>>>,
    pub tier: Option<Spanned<String>>,
    /// The keys that are given and not null.
    pub given: Vec<&'static str>,
}

/// A kwarg as it is declared.
#[derive(Debug)]
pub(super) struct KwargDeclaration {
    pub name: Spanned<String>,
    pub kind: Option<Spanned<String>>,
    pub required: bool,
    pub description: Option<String>,
    pub default: Option<Spanned<Value>>,
}

/// Decodes the document; faults go to `faults`, and with any the declarations are not to be used.
pub(super) fn decode(root: &Node<'_>, faults: &mut Vec<Fault>) -> Vec<Declaration> {
    let mut fields = Fields::of(root, "actions.yaml", faults);
    let entry = fields.entry("actions");
    let mut declarations = Vec::new();
    match entry {
        None => {
            let start = Span::new(root.span.start as usize, root.span.start as usize + 1);
            if root.map().is_some() {
                fields.faults.push(
                    Fault::new(start, "the key actions is missing")
                        .help("a package without actions writes: actions: {}"),
                );
            }
        }
        Some(entry) => match entry.value.map() {
            Some(entries) => {
                declarations = entries
                    .iter()
                    .map(|entry| action(entry, fields.faults))
                    .collect();
            }
            None => fields.faults.push(
                entry
                    .value
                    .mismatch("actions: a map from name to declaration")
                    .help("a package without actions writes: actions: {}"),
            ),
        },
    }
    fields.finish("actions.yaml");
    declarations
}

fn action(entry: &Entry<'_>, faults: &mut Vec<Fault>) -> Declaration {
    let mut declaration = Declaration {
        name: entry.key.clone().into_owned(),
        span: entry.key_span,
        exposed: true,
        ..Declaration::default()
    };
    if entry.value.is_null() {
        return declaration;
    }
    let what = fmt::from_fn(|f| write!(f, "action {}", quoted(&entry.key)));
    let mut fields = Fields::of(&entry.value, &what, faults);
    let spanned = |(text, node): (&str, &Node<'_>)| Spanned::new(text.to_owned(), node.span);
    for key in KEYS {
        if fields.value(key).is_some() {
            declaration.given.push(key);
        }
    }
    declaration.kwargs = kwargs(&what, &mut fields);
    declaration.description = fields
        .optional_text("description")
        .map(|(text, _)| text.to_owned());
    declaration.discriminator = fields.optional_text("discriminator").map(spanned);
    declaration.variants = names("variants", &mut fields);
    declaration.injects_into = fields.optional_text("injects_into").map(spanned);
    declaration.anchor = fields.optional_text("anchor").map(spanned);
    declaration.anchor_start = fields.optional_text("anchor_start").map(spanned);
    declaration.anchor_end = fields.optional_text("anchor_end").map(spanned);
    declaration.anchor_pattern = fields.optional_text("anchor_pattern").map(spanned);
    declaration.composes = names("composes", &mut fields);
    declaration.exposed = fields.boolean("exposed").unwrap_or(true);
    declaration.identity = names("identity", &mut fields);
    declaration.tier = fields.optional_text("tier").map(spanned);
    fields.finish(&what);
    declaration
}

/// The keys of an action (A2).
pub(crate) const KEYS: [&str; 13] = [
    "anchor",
    "anchor_end",
    "anchor_pattern",
    "anchor_start",
    "composes",
    "description",
    "discriminator",
    "exposed",
    "identity",
    "injects_into",
    "kwargs",
    "tier",
    "variants",
];

fn names(
    key: &'static str,
    fields: &mut Fields<'_, '_, '_>,
) -> Option<Spanned<Vec<Spanned<String>>>> {
    let span = fields.value(key)?.span;
    let texts = fields.texts(key)?;
    let names = texts
        .into_iter()
        .map(|(text, node)| Spanned::new(text.to_owned(), node.span))
        .collect();
    Some(Spanned::new(names, span))
}

fn kwargs(owner: &dyn fmt::Display, fields: &mut Fields<'_, '_, '_>) -> Vec<KwargDeclaration> {
    let entries = fields.map("kwargs").unwrap_or_default();
    entries
        .iter()
        .map(|entry| kwarg(owner, entry, fields.faults))
        .collect()
}

fn kwarg(owner: &dyn fmt::Display, entry: &Entry<'_>, faults: &mut Vec<Fault>) -> KwargDeclaration {
    let mut kwarg = KwargDeclaration {
        name: Spanned::new(entry.key.clone().into_owned(), entry.key_span),
        kind: None,
        required: false,
        description: None,
        default: None,
    };
    if entry.value.is_null() {
        return kwarg;
    }
    if KEYS.contains(&&*entry.key) && entry.value.map().is_none() {
        let message = format!(
            "{} is a key of {owner}, not one of its kwargs",
            quoted(&entry.key)
        );
        faults.push(Fault::new(entry.key_span, message).help("indent it as far as kwargs:"));
        return kwarg;
    }
    let what = fmt::from_fn(|f| write!(f, "kwarg {} of {owner}", quoted(&entry.key)));
    let mut fields = Fields::of(&entry.value, &what, faults);
    kwarg.kind = fields
        .optional_text("type")
        .map(|(text, node)| Spanned::new(text.to_owned(), node.span));
    kwarg.required = fields.boolean("required").unwrap_or(false);
    kwarg.description = fields
        .optional_text("description")
        .map(|(text, _)| text.to_owned());
    kwarg.default = fields
        .value("default")
        .map(|node| Spanned::new(Value::from_node(node), node.span));
    fields.finish(&what);
    kwarg
}
