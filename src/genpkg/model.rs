//! What a loaded package is: everything compiled, nothing left to read (L32).

use std::collections::{BTreeMap, BTreeSet};

use foldhash::{HashMap, HashMapExt as _};

use crate::marker::{Comments, Tier};
use crate::pattern::anchor::AnchorPattern;
use crate::pattern::file::{Pattern, PatternSet};
use crate::pattern::scope::ScopeSet;
use crate::template::Template;
use crate::transform::Engine;
use crate::value::{Bindings, Names, Value};

/// The packages of a generators directory that loaded, in the order of their names.
#[derive(Debug, Default)]
pub struct PackageSet {
    packages: Vec<Package>,
    by_name: HashMap<String, usize>,
    by_extension: BTreeMap<String, Vec<usize>>,
}

impl PackageSet {
    /// A set of packages.
    pub fn new(mut packages: Vec<Package>) -> Self {
        packages.sort_by(|a, b| a.name.cmp(&b.name));
        let mut by_name = HashMap::new();
        let mut by_extension: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (index, package) in packages.iter().enumerate() {
            by_name.insert(package.name.clone(), index);
            for extension in &package.extensions {
                by_extension
                    .entry(extension.clone())
                    .or_default()
                    .push(index);
            }
        }
        Self {
            packages,
            by_name,
            by_extension,
        }
    }

    /// Every package, by name.
    pub fn iter(&self) -> impl Iterator<Item = &Package> {
        self.packages.iter()
    }

    /// How many packages there are.
    pub fn len(&self) -> usize {
        self.packages.len()
    }

    /// Whether there is no package.
    pub fn is_empty(&self) -> bool {
        self.packages.is_empty()
    }

    /// The package of a name.
    pub fn get(&self, name: &str) -> Option<&Package> {
        self.by_name
            .get(name)
            .and_then(|index| self.packages.get(*index))
    }

    /// The packages that claim an extension, by name (L18).
    pub fn claimants(&self, extension: &str) -> Vec<&Package> {
        self.by_extension
            .get(extension)
            .into_iter()
            .flatten()
            .filter_map(|index| self.packages.get(*index))
            .collect()
    }

    /// Every claimed extension, sorted.
    pub fn extensions(&self) -> impl Iterator<Item = &str> {
        self.by_extension.keys().map(String::as_str)
    }

    /// The longest claimed suffix of a file name, lower-cased (N5).
    pub fn claimed_suffix(&self, file_name: &str) -> Option<String> {
        let lowered = file_name.to_lowercase();
        lowered
            .match_indices('.')
            .map(|(at, _)| &lowered[at..])
            .find(|suffix| self.by_extension.contains_key(*suffix))
            .map(str::to_owned)
    }
}

/// A generator package.
#[derive(Debug)]
pub struct Package {
    /// The name of its directory (L16).
    pub name: String,
    /// The extensions it claims, lower-cased (L17).
    pub extensions: Vec<String>,
    /// Its comment shape; without one it has no actions (S13).
    pub comments: Option<Comments>,
    /// Its transform vocabulary.
    pub engine: Engine,
    /// The paths it does not write.
    pub unmanaged: ScopeSet,
    /// The run variables it declares.
    pub variables: BTreeMap<String, Variable>,
    /// Its actions by name.
    pub actions: BTreeMap<String, Action>,
    /// Its file templates, index-aligned with `patterns`.
    pub files: Vec<FileTemplate>,
    /// The places of `files` by name.
    pub file_names: HashMap<String, usize>,
    /// The paths of its file templates.
    pub patterns: PatternSet,
    /// Its fallback templates by extension (F14).
    pub defaults: BTreeMap<String, FileTemplate>,
}

impl Package {
    /// The file template of a name, as a recording gives it, and its pattern.
    pub fn file_template(&self, name: &str) -> Option<(&FileTemplate, &Pattern)> {
        let at = *self.file_names.get(name)?;
        Some((self.files.get(at)?, self.patterns.patterns().get(at)?))
    }

    /// The variables of this package: what the run supplies, else the package's default (V10, V13).
    pub fn bind_variables(&self, supplied: &BTreeMap<String, String>) -> Bindings {
        self.variables
            .iter()
            .filter_map(|(name, variable)| {
                let value = supplied.get(name).or(variable.default.as_ref())?;
                Some((name.clone(), Value::Text(value.clone())))
            })
            .collect()
    }
}

/// A run variable that a package declares (S11).
#[derive(Clone, Debug, Default)]
pub struct Variable {
    /// For the person who runs the command (V12).
    pub description: Option<String>,
    /// The value when the run supplies none; an empty one is a value.
    pub default: Option<String>,
}

/// A file template or a fallback template.
#[derive(Clone, Debug)]
pub struct FileTemplate {
    /// Its path below `files/`, which is its pattern too.
    pub name: String,
    /// The names it captures.
    pub captures: Vec<String>,
    /// Its text.
    pub template: Template,
    /// Whether a file made from it is executable (C1).
    pub executable: bool,
}

/// The type of a kwarg (A5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KwargType {
    /// Text.
    String,
    /// A whole number.
    Int,
    /// `true` or `false`.
    Bool,
    /// A list of scalars.
    List,
    /// Text that is target source, emitted verbatim (A6).
    Literal,
}

impl KwargType {
    /// The closed set, in the order that messages list it.
    pub const ALL: [Self; 5] = [
        Self::String,
        Self::Int,
        Self::Bool,
        Self::List,
        Self::Literal,
    ];

    /// The word that `actions.yaml` and the catalog use.
    pub fn name(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Int => "int",
            Self::Bool => "bool",
            Self::List => "list",
            Self::Literal => "literal",
        }
    }

    /// The type of a word.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether a value has this type (A7, D16, D23): the one predicate for defaults and bound kwargs.
    pub fn accepts(self, value: &Value) -> bool {
        match (self, value) {
            (Self::String | Self::Literal, Value::Text(_)) | (Self::Bool, Value::Bool(_)) => true,
            (Self::String, Value::Object(_)) => value.forms().is_some(),
            (Self::Int, Value::Number(number)) => number.is_integral(),
            (Self::List, Value::List(items)) => items
                .iter()
                .all(|item| matches!(item, Value::Text(_) | Value::Number(_) | Value::Bool(_))),
            _ => false,
        }
    }

    /// What a message says is expected.
    pub fn expected(self) -> &'static str {
        match self {
            Self::String => "a string, or an object of explicit forms (singular, plural, text)",
            Self::Int => "a whole number",
            Self::Bool => "true or false",
            Self::List => "a list of strings, numbers or booleans",
            Self::Literal => "a string that holds source text",
        }
    }
}

/// An argument of an action.
#[derive(Clone, Debug)]
pub struct Kwarg {
    /// Its type.
    pub kind: KwargType,
    /// Whether every invocation binds it.
    pub required: bool,
    /// For the model (A12).
    pub description: Option<Box<str>>,
    /// Its value when an invocation does not bind it (A8).
    pub default: Option<Box<Value>>,
}

/// An action of a package.
#[derive(Clone, Debug)]
pub struct Action {
    /// Its name.
    pub name: String,
    /// For the model (A12).
    pub description: Option<String>,
    /// Whether the catalog has it (A11).
    pub exposed: bool,
    /// Its kwargs; of a composite, the union of its children's (A23).
    pub kwargs: Names<Kwarg>,
    /// What it does.
    pub kind: ActionKind,
}

/// The two kinds of action.
#[derive(Clone, Debug)]
pub enum ActionKind {
    /// Makes one region.
    Single(Box<Single>),
    /// Runs its children in order (Y1).
    Composite {
        /// The names of simple or discriminated actions of the same package.
        children: Vec<String>,
    },
}

/// What a simple or discriminated action injects, and where.
#[derive(Clone, Debug)]
pub struct Single {
    /// The target's path pattern.
    pub injects_into: Template,
    /// Where in the target.
    pub anchor: Anchor,
    /// The tier of a new region (M24).
    pub tier: Tier,
    /// The kwargs that identify a region, when declared (M25).
    pub identity: Option<Vec<String>>,
    /// The template or templates.
    pub body: Body,
}

/// An action's templates.
#[derive(Clone, Debug)]
pub enum Body {
    /// One template.
    Simple(Template),
    /// A template for each value of a kwarg.
    Discriminated {
        /// The kwarg whose value chooses.
        discriminator: String,
        /// The declared values in order, each with its template.
        variants: Vec<(String, Template)>,
        /// The template for every other value.
        fallback: Option<Template>,
    },
}

impl Body {
    /// Every template with its variant: none for a simple action, `_default` for the fallback.
    pub fn templates(&self) -> Vec<(Option<&str>, &Template)> {
        match self {
            Self::Simple(template) => vec![(None, template)],
            Self::Discriminated {
                variants, fallback, ..
            } => variants
                .iter()
                .map(|(name, template)| (Some(name.as_str()), template))
                .chain(fallback.as_ref().map(|template| (Some(FALLBACK), template)))
                .collect(),
        }
    }

    /// The kwarg whose value chooses the template.
    pub fn discriminator(&self) -> Option<&str> {
        match self {
            Self::Simple(_) => None,
            Self::Discriminated { discriminator, .. } => Some(discriminator),
        }
    }

    /// The template for a discriminator value: its own, else the fallback (Y9). A simple action has one for any.
    pub fn template_for(&self, value: &str) -> Option<&Template> {
        match self {
            Self::Simple(template) => Some(template),
            Self::Discriminated {
                variants, fallback, ..
            } => variants
                .iter()
                .find(|(name, _)| name == value)
                .map(|(_, template)| template)
                .or(fallback.as_ref()),
        }
    }
}

/// The name of the fallback among an action's templates.
pub const FALLBACK: &str = "_default";

impl Action {
    /// What a simple or discriminated action injects.
    pub fn single(&self) -> Option<&Single> {
        match &self.kind {
            ActionKind::Single(single) => Some(single),
            ActionKind::Composite { .. } => None,
        }
    }

    /// The kwargs that a template of this action renders: the one answer for the schema, Phase 5 and the catalog
    /// (N25). Run variables are no kwargs (V8).
    pub fn rendered_kwargs(&self, template: &Template) -> BTreeSet<&str> {
        template
            .references()
            .filter_map(|reference| self.kwargs.get_key_value(reference.name))
            .map(|(name, _)| name.as_str())
            .collect()
    }

    /// The names of the required kwargs, sorted (M25).
    pub fn required(&self) -> impl Iterator<Item = &str> {
        self.kwargs
            .iter()
            .filter(|(_, kwarg)| kwarg.required)
            .map(|(name, _)| name.as_str())
    }
}

/// The words that `anchor` reserves; any other value names a planted marker, and `marker` itself is refused (A29).
pub(crate) const ANCHOR_KINDS: [&str; 6] = [
    "start_of_file",
    "end_of_file",
    "region",
    "after_match",
    "before_match",
    "marker",
];

/// The keys that go with some anchors.
pub(crate) const ANCHOR_COMPANIONS: [&str; 3] = ["anchor_start", "anchor_end", "anchor_pattern"];

/// The keys of [`ANCHOR_COMPANIONS`] that an `anchor` must have; it may have no other (A30).
pub(crate) fn companions_of(anchor: &str) -> &'static [&'static str] {
    match anchor {
        "region" => &["anchor_start", "anchor_end"],
        "after_match" | "before_match" => &["anchor_pattern"],
        _ => &[],
    }
}

/// Where an action puts its region (A29, A30).
#[derive(Clone, Debug)]
pub enum Anchor {
    /// After the line that plants a marker.
    Marker(String),
    /// Just before the end of the region between two markers.
    Region {
        /// The marker that opens it.
        start: String,
        /// The marker that closes it.
        end: String,
    },
    /// Before the first line.
    StartOfFile,
    /// After the last line.
    EndOfFile,
    /// Below the line of the first match.
    AfterMatch(AnchorPattern),
    /// Above the line of the first match.
    BeforeMatch(AnchorPattern),
}

impl Anchor {
    /// The declared value of `anchor`: a marker's name or the kind's.
    pub fn name(&self) -> &str {
        match self {
            Self::Marker(name) => name,
            Self::Region { .. } => "region",
            Self::StartOfFile => "start_of_file",
            Self::EndOfFile => "end_of_file",
            Self::AfterMatch(_) => "after_match",
            Self::BeforeMatch(_) => "before_match",
        }
    }

    /// The planted markers that it needs, which is what it fills too (L28).
    pub fn markers(&self) -> Vec<&str> {
        match self {
            Self::Marker(name) => vec![name],
            Self::Region { start, end } => vec![start, end],
            _ => Vec::new(),
        }
    }
}
