//! The action catalog: one builder for the prompt, `sedum actions` and Phase 5's look-up (K1-K14, D9, D10).

use std::collections::{BTreeMap, BTreeSet};

use serde::{Serialize, Serializer};

use crate::genpkg::{Action, ActionKind, Anchor, FALLBACK, Kwarg, Package, Single};
use crate::value::Value;

/// The exposed actions of some packages.
#[derive(Clone, Debug)]
pub struct Catalog<'p> {
    by_name: BTreeMap<&'p str, Vec<Choice<'p>>>,
    /// The names as they are listed; sorted, unless somebody asked for another order.
    order: Vec<&'p str>,
}

/// An exposed action and its package.
#[derive(Clone, Copy, Debug)]
pub struct Choice<'p> {
    /// The package.
    pub package: &'p Package,
    /// The action.
    pub action: &'p Action,
}

impl<'p> Catalog<'p> {
    /// The exposed actions of these packages (K1), of all of them with `all`.
    pub fn of(packages: &[&'p Package], all: bool) -> Self {
        let mut by_name: BTreeMap<&str, Vec<Choice<'p>>> = BTreeMap::new();
        for package in packages {
            for action in package.actions.values() {
                if action.exposed || all {
                    by_name
                        .entry(&action.name)
                        .or_default()
                        .push(Choice { package, action });
                }
            }
        }
        let order = by_name.keys().copied().collect();
        Self { by_name, order }
    }

    /// The actions of a name: none, one, or one for each package that exposes it (D9, D10).
    pub fn named(&self, name: &str) -> &[Choice<'p>] {
        self.by_name.get(name).map_or(&[], Vec::as_slice)
    }

    /// The names, sorted.
    pub fn names(&self) -> impl Iterator<Item = &'p str> + Clone + '_ {
        self.by_name.keys().copied()
    }

    /// Every choice, by action and then package (K4), unless the catalog was put in another order.
    pub fn choices(&self) -> impl Iterator<Item = Choice<'p>> + '_ {
        self.order.iter().flat_map(|name| self.named(name)).copied()
    }

    /// The same catalog with its names in this order; names that are not in it are passed over, those that the order
    /// lacks come last. For experiments with what a model makes of the order: `sedum` keeps K4's.
    #[must_use]
    pub fn ordered(mut self, order: &[String]) -> Self {
        let place = |name: &&str| order.iter().position(|other| other == name);
        self.order
            .sort_by_key(|name| place(name).unwrap_or(order.len()));
        self
    }

    /// Whether there is nothing to choose.
    pub fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }

    /// The same catalog with only the choices that `keep` accepts.
    #[must_use]
    pub fn filtered(&self, mut keep: impl FnMut(Choice<'p>) -> bool) -> Self {
        let mut by_name = BTreeMap::new();
        for (name, choices) in &self.by_name {
            let kept: Vec<_> = choices.iter().copied().filter(|c| keep(*c)).collect();
            if !kept.is_empty() {
                by_name.insert(*name, kept);
            }
        }
        let order = self.order.iter().copied();
        Self {
            order: order.filter(|name| by_name.contains_key(name)).collect(),
            by_name,
        }
    }

    /// The entries as JSON prints them.
    pub fn entries(&self) -> Vec<Entry<'p>> {
        self.choices().map(Entry::of).collect()
    }
}

/// One action of a catalog as JSON (K3). Empty fields are left out; what `K` rules call a field is the field here.
#[derive(Clone, Debug, Serialize)]
pub struct Entry<'p> {
    /// The action's name.
    pub action: &'p str,
    /// Its package.
    pub package: &'p str,
    /// Its description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<&'p str>,
    /// Its kwargs by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kwargs: Option<BTreeMap<&'p str, KwargEntry<'p>>>,
    /// The kwarg that chooses among its variants.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub discriminator: Option<&'p str>,
    /// The values with templates of their own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variants: Vec<&'p str>,
    /// Whether other values have a template too; only ever true (K7).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub has_default: Option<bool>,
    /// A composite's children.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub composes: Vec<&'p str>,
    /// The target pattern of each region, as authored (K5).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub injects_into: Vec<&'p str>,
    /// The anchor of each region (K6).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub anchor: Vec<&'p str>,
    /// The opening marker of each region anchor, else empty text; all three lists or none (K6).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub anchor_start: Vec<&'p str>,
    /// The closing marker of each region anchor.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub anchor_end: Vec<&'p str>,
    /// The pattern of each match anchor.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub anchor_pattern: Vec<&'p str>,
    /// What every invocation's template renders (K8).
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub requires: BTreeSet<&'p str>,
    /// What each variant's template renders, `_default` included (K8).
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub variant_requires: BTreeMap<&'p str, BTreeSet<&'p str>>,
    /// Only ever false (K10).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exposed: Option<bool>,
}

/// A kwarg in a catalog.
#[derive(Clone, Debug, Serialize)]
pub struct KwargEntry<'p> {
    /// The type's word.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// As declared.
    pub required: bool,
    /// Its description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<&'p str>,
    /// Its default (K9).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<&'p Value>,
}

impl<'p> KwargEntry<'p> {
    fn of(kwarg: &'p Kwarg) -> Self {
        Self {
            kind: kwarg.kind.name(),
            required: kwarg.required,
            description: kwarg.description.as_deref(),
            default: kwarg.default.as_deref(),
        }
    }
}

/// The simple and discriminated actions that an action runs, in order.
pub fn singles(choice: Choice<'_>) -> Vec<(&Action, &Single)> {
    match &choice.action.kind {
        ActionKind::Single(single) => vec![(choice.action, single)],
        ActionKind::Composite { children } => children
            .iter()
            .filter_map(|name| choice.package.actions.get(name))
            .filter_map(|child| Some((child, child.single()?)))
            .collect(),
    }
}

impl<'p> Entry<'p> {
    fn of(choice: Choice<'p>) -> Self {
        let Choice { package, action } = choice;
        let singles = singles(choice);
        let kwargs: BTreeMap<_, _> = action
            .kwargs
            .iter()
            .map(|(name, kwarg)| (name.as_str(), KwargEntry::of(kwarg)))
            .collect();
        let mut entry = Self {
            action: &action.name,
            package: &package.name,
            description: action.description.as_deref(),
            kwargs: (!kwargs.is_empty()).then_some(kwargs),
            discriminator: None,
            variants: Vec::new(),
            has_default: None,
            composes: Vec::new(),
            injects_into: singles.iter().map(|(_, s)| s.injects_into.text()).collect(),
            anchor: singles.iter().map(|(_, s)| s.anchor.name()).collect(),
            anchor_start: Vec::new(),
            anchor_end: Vec::new(),
            anchor_pattern: Vec::new(),
            requires: BTreeSet::new(),
            variant_requires: BTreeMap::new(),
            exposed: (!action.exposed).then_some(false),
        };
        entry.companions(&singles);
        for (child, single) in &singles {
            for (variant, template) in single.body.templates() {
                let rendered = child.rendered_kwargs(template);
                match variant {
                    None => entry.requires.extend(rendered),
                    Some(variant) => entry
                        .variant_requires
                        .entry(variant)
                        .or_default()
                        .extend(rendered),
                }
            }
        }
        match &action.kind {
            ActionKind::Composite { children } => {
                entry.composes = children.iter().map(String::as_str).collect();
            }
            ActionKind::Single(single) => {
                entry.discriminator = single.body.discriminator();
                let templates = single.body.templates();
                let names = templates.iter().filter_map(|(variant, _)| *variant);
                entry.has_default = names.clone().any(|name| name == FALLBACK).then_some(true);
                entry.variants = names.filter(|name| *name != FALLBACK).collect();
            }
        }
        entry
    }

    fn companions(&mut self, singles: &[(&'p Action, &'p Single)]) {
        let companions: Vec<[&str; 3]> = singles
            .iter()
            .map(|(_, single)| match &single.anchor {
                Anchor::Region { start, end } => [start.as_str(), end.as_str(), ""],
                Anchor::AfterMatch(pattern) | Anchor::BeforeMatch(pattern) => {
                    ["", "", pattern.text()]
                }
                _ => ["", "", ""],
            })
            .collect();
        if companions.iter().flatten().any(|text| !text.is_empty()) {
            self.anchor_start = companions.iter().map(|[start, _, _]| *start).collect();
            self.anchor_end = companions.iter().map(|[_, end, _]| *end).collect();
            self.anchor_pattern = companions.iter().map(|[_, _, text]| *text).collect();
        }
    }
}

/// A catalog as one JSON document: indented by two, nothing escaped that JSON does not ask for (K4).
pub fn to_json(entries: &impl Serialize) -> String {
    #[derive(Serialize)]
    struct Document<'e, E: Serialize> {
        #[serde(serialize_with = "whole")]
        actions: &'e E,
    }
    #[allow(clippy::trivially_copy_pass_by_ref)] // the shape that serde asks for
    fn whole<E: Serialize, S: Serializer>(entries: &&E, serializer: S) -> Result<S::Ok, S::Error> {
        entries.serialize(serializer)
    }
    // Serialising plain data into memory has nothing to fail on.
    serde_json::to_string_pretty(&Document { actions: entries }).unwrap_or_default()
}
