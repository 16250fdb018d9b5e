//! Phase 5: the one validator (D8-D23, J18).
//!
//! For each invocation: look-up, then schema, then targets, then anchors, then the rendered body; a later stage runs
//! only when the earlier ones found nothing (D8). What a judgement has to work out on the way, the injections, is
//! handed on, so that nothing is worked out twice.

mod aim;

use std::fmt;
use std::sync::Arc;

use foldhash::{HashMap, HashMapExt as _};

use crate::diag::{Rule, listed, quoted, shown};
use crate::expand::{self, ExpandFault, Identity, Injection, Part};
use crate::genpkg::{Action, ActionKind, KwargType, Package, PackageSet, unfit_for_label};
use crate::invocation::Invocation;
use crate::marker::{self, LabelRef};
use crate::resolve::create::Planted;
use crate::resolve::{Resolved, Variables};
use crate::value::Value;

use super::catalog::{Catalog, Choice};
use super::mend::{Mend, coerced};
use super::violation::Violation;

use self::aim::Bound;

/// Everything that one record's invocations are judged by.
pub struct Judge<'a, 'p> {
    packages: &'p PackageSet,
    record: &'a Resolved<'p>,
    catalog: Catalog<'p>,
    variables: &'a Variables,
    /// The record's id and the paths of its files, which many injections share.
    id: Arc<str>,
    files: HashMap<Arc<str>, Held<'a, 'p>>,
}

/// What a file of the record is to its injections.
#[derive(Clone, Copy)]
struct Held<'a, 'p> {
    package: &'p Package,
    /// The anchors that it carries.
    planted: &'a [String],
}

/// A file of the record.
type Target<'a, 'p> = (Arc<str>, Held<'a, 'p>);

/// What valid invocations come to, in order; a part whose body cannot be rendered has no injection.
pub type Judged<'p> = Vec<Result<Injection<'p>, Box<ExpandFault>>>;

/// The violations of one invocation while it is judged.
struct Case<'v, 'i> {
    index: usize,
    action: &'v str,
    /// What the whole answer binds.
    bound: &'v Bound<'i>,
    found: &'v mut Vec<Violation>,
}

impl Case<'_, '_> {
    fn add(&mut self, rule: Rule, kwarg: Option<&str>, message: String) {
        self.add_with(rule, kwarg, message, None);
    }

    fn add_with(&mut self, rule: Rule, kwarg: Option<&str>, message: String, mend: Option<Mend>) {
        self.found.push(Violation {
            rule,
            index: Some(self.index),
            action: self.action.to_owned(),
            kwarg: kwarg.map(str::to_owned),
            message,
            mend: mend.map(Box::new),
        });
    }

    fn has(&self, kwarg: &str) -> bool {
        self.found
            .iter()
            .any(|v| v.index == Some(self.index) && v.kwarg.as_deref() == Some(kwarg))
    }
}

impl<'a, 'p> Judge<'a, 'p> {
    /// A judge for a record, its catalog being the whole of its packages' exposed actions (N21).
    pub fn new(
        packages: &'p PackageSet,
        record: &'a Resolved<'p>,
        variables: &'a Variables,
        planted: &'a Planted,
    ) -> Self {
        Self {
            packages,
            record,
            catalog: Catalog::of(&record.packages(), false),
            variables,
            id: record.record.as_str().into(),
            files: record
                .files
                .iter()
                .map(|file| {
                    let held = Held {
                        package: file.package,
                        planted: planted.of(&file.path),
                    };
                    (file.path.as_str().into(), held)
                })
                .collect(),
        }
    }

    /// The catalog that names are looked up in.
    pub fn catalog(&self) -> &Catalog<'p> {
        &self.catalog
    }

    /// Judges a list of invocations: the injections that it comes to, or every violation.
    pub fn judge(&self, invocations: &[Invocation]) -> Result<Judged<'p>, Vec<Violation>> {
        let mut violations = Vec::new();
        let mut judged: Judged<'p> = Vec::with_capacity(invocations.len());
        let mut seen = HashMap::with_capacity(invocations.len());
        let bound = Bound::of(invocations);
        for (index, invocation) in invocations.iter().enumerate() {
            let before = violations.len();
            let mut case = Case {
                index,
                action: &invocation.action,
                bound: &bound,
                found: &mut violations,
            };
            let parts = self.parts(invocation, &mut case);
            if case.found.len() > before {
                continue;
            }
            let mut results = Vec::with_capacity(parts.len());
            for (part, (path, held)) in parts {
                let target = (path, held.package);
                let injection =
                    part.injection(&self.id, &invocation.action, target, self.variables);
                results.push(injection.map_err(|mut fault| {
                    fault.origin.clone_from(&invocation.origin);
                    fault
                }));
            }
            for injection in results.iter().flatten() {
                body(injection, &mut case);
                duplicate(injection, &mut seen, &mut case);
            }
            judged.extend(results);
        }
        if violations.is_empty() {
            Ok(judged)
        } else {
            Err(violations)
        }
    }

    /// The parts of an invocation with their targets, as far as the first stage that finds a fault.
    fn parts(
        &self,
        invocation: &Invocation,
        case: &mut Case<'_, '_>,
    ) -> Vec<(Part<'p>, Target<'a, 'p>)> {
        let before = case.found.len();
        let Some(Choice { package, action }) = self.look_up(invocation, case) else {
            return Vec::new();
        };
        let parts = expand::parts(package, action, &invocation.kwargs);
        self.schema(invocation, action, &parts, case);
        if case.found.len() > before {
            return Vec::new();
        }
        let mut aimed = Vec::with_capacity(parts.len());
        for part in parts {
            if let Some(target) = self.target(&part, case) {
                aimed.push((part, target));
            }
        }
        if case.found.len() > before {
            return Vec::new();
        }
        for (part, target) in &aimed {
            self.anchor(part, target, case);
        }
        aimed
    }

    /// D11-D17, all together.
    fn schema(
        &self,
        invocation: &Invocation,
        action: &Action,
        parts: &[Part<'p>],
        case: &mut Case<'_, '_>,
    ) {
        for name in action.required() {
            if !invocation.kwargs.contains_key(name) {
                let kind = action.kwargs.get(name).map_or("", |k| k.kind.name());
                let mut aimed = parts
                    .iter()
                    .filter(|part| part.single.injects_into.renders(name));
                let value = aimed.find_map(|part| Some(self.aims(part, name, "", case.bound)?.1));
                let likely = value.as_ref().map_or_else(String::new, |value| {
                    let value = serde_json::to_string(value).unwrap_or_default();
                    format!(", most likely to {}", shown(&value))
                });
                case.add_with(
                    Rule::MissingKwarg,
                    Some(name),
                    format!(
                        "the required kwarg {} ({kind}) is not bound: bind it{likely}",
                        quoted(name)
                    ),
                    value.map(|value| Mend::Bind(name.to_owned(), value)),
                );
            }
        }
        let unknown: Vec<_> = invocation
            .kwargs
            .keys()
            .filter(|name| !action.kwargs.contains_key(name))
            .collect();
        if let Some(first) = unknown.first() {
            // A misspelt name is most likely meant for one that is not bound.
            let unbound = action.kwargs.keys().map(String::as_str);
            let unbound = unbound.filter(|name| !invocation.kwargs.contains_key(name));
            let (advice, mend) = match crate::diag::nearest(first, unbound) {
                Some(near) if unknown.len() == 1 => (
                    format!("did you mean {}?", quoted(near)),
                    Mend::Rename((*first).clone(), near.to_owned()),
                ),
                _ => (
                    "leave that out;".to_owned(),
                    Mend::Unbind(unknown.iter().map(|name| (*name).clone()).collect()),
                ),
            };
            case.add_with(
                Rule::UnknownKwarg,
                Some(first),
                format!(
                    "it declares no kwarg {}: {advice} its kwargs are: {}",
                    listed(unknown.iter().map(|name| quoted(name))),
                    listed(action.kwargs.keys())
                ),
                Some(mend),
            );
        }
        for (name, value) in &invocation.kwargs {
            if let Some(kwarg) = action.kwargs.get(name)
                && !kwarg.kind.accepts(value)
            {
                let found = misfit(kwarg.kind, value);
                let other = coerced(kwarg.kind, value);
                case.add_with(
                    Rule::KwargType,
                    Some(name),
                    format!(
                        "kwarg {} is of type {}: bind {}, not {found}",
                        quoted(name),
                        kwarg.kind.name(),
                        kwarg.kind.expected()
                    ),
                    other.map(|other| Mend::Bind(name.clone(), other)),
                );
            }
        }
        let is_blank = |name: &str| matches!(invocation.kwargs.get(name), Some(Value::Text(text)) if text.trim().is_empty());
        for name in action.required() {
            if is_blank(name) && !case.has(name) {
                empty(name, case);
            }
        }
        for part in parts {
            variant(part, case);
            derived(part, &is_blank, case);
        }
    }

    /// D9, D10.
    fn look_up(&self, invocation: &Invocation, case: &mut Case<'_, '_>) -> Option<Choice<'p>> {
        let name = invocation.action.as_str();
        match self.catalog.named(name) {
            [choice] => Some(*choice),
            [] => {
                let mut names: Vec<_> = self.catalog.names().collect();
                let near = crate::diag::nearest(name, names.iter().copied());
                let hint = near.map_or_else(String::new, |near| {
                    names.retain(|name| *name != near);
                    names.insert(0, near);
                    format!(" (did you mean {near}?)")
                });
                let hidden = self.hidden(name).unwrap_or_default();
                case.add(
                    Rule::UnknownAction,
                    None,
                    format!(
                        "the catalog has no action {}{hidden}{hint}; it has: {}",
                        quoted(name),
                        listed(names)
                    ),
                );
                None
            }
            several => {
                case.add(
                    Rule::AmbiguousAction,
                    None,
                    format!(
                        "several packages of this record expose {}: {}",
                        quoted(name),
                        listed(several.iter().map(|c| &c.package.name))
                    ),
                );
                None
            }
        }
    }

    /// What to say of a name that a package has and does not expose.
    fn hidden(&self, name: &str) -> Option<String> {
        let packages = self.record.packages();
        let package = packages.iter().find(|p| p.actions.contains_key(name))?;
        let composites = package.actions.values().filter(|action| {
            matches!(&action.kind, ActionKind::Composite { children } if children.iter().any(|c| c == name))
        });
        let names: Vec<_> = composites.map(|action| &action.name).collect();
        Some(if names.is_empty() {
            ", which its package does not expose".to_owned()
        } else {
            format!(
                ", which its package does not expose: it is part of {}",
                listed(names)
            )
        })
    }
}

fn empty(name: &str, case: &mut Case<'_, '_>) {
    case.add(
        Rule::EmptyKwarg,
        Some(name),
        format!(
            "kwarg {} is bound to blank text, and it is needed: give it a value",
            quoted(name)
        ),
    );
}

/// What a value is, with the member of a list that does not fit.
fn misfit(kind: KwargType, value: &Value) -> String {
    if let (KwargType::List, Value::List(items)) = (kind, value) {
        let odd = items
            .iter()
            .find(|item| matches!(item, Value::Null | Value::List(_) | Value::Object(_)));
        if let Some(odd) = odd {
            return format!("a list that holds {}", odd.described());
        }
    }
    value.described()
}

/// D17.
fn variant(part: &Part<'_>, case: &mut Case<'_, '_>) {
    let Some((name, value)) = part.discriminator() else {
        return;
    };
    if case.has(name) {
        return;
    }
    let covered = || {
        let templates = part.single.body.templates();
        let names = templates.iter().filter_map(|(variant, _)| *variant);
        listed(names.filter(|name| *name != crate::genpkg::FALLBACK))
    };
    let of = fmt::from_fn(|f| f.write_str(&part.shown_name(case.action)));
    let text = match (value, part.variant()) {
        (_, Ok(Some(text))) => text,
        (None, _) => {
            let message = format!(
                "the discriminator {} of {of} is not bound and has no default: bind one of its values, which are: {}",
                quoted(name),
                covered()
            );
            return case.add(Rule::Variant, Some(name), message);
        }
        _ => return,
    };
    let suffix = part.package.comments.as_ref().and_then(|c| c.suffix());
    let message = if let Some(why) = unfit_for_label(text, suffix) {
        format!("the value {} of {} {why}", quoted(text), quoted(name))
    } else if part.single.body.template_for(text).is_none() {
        format!(
            "{of} has no variant {} of {} and no fallback: bind one of the values it has, which are: {}",
            quoted(text),
            quoted(name),
            covered()
        )
    } else {
        return;
    };
    case.add(Rule::Variant, Some(name), message);
}

/// D13, D14, and D12 for derived kwargs.
fn derived(part: &Part<'_>, is_blank: &dyn Fn(&str) -> bool, case: &mut Case<'_, '_>) {
    let Ok(variant) = part.variant() else { return };
    let Some(template) = part.single.body.template_for(variant.unwrap_or_default()) else {
        return;
    };
    let is_sound = |name: &str| {
        let is_kwarg = part.action.kwargs.contains_key(name);
        !is_kwarg || (part.kwargs.contains_key(name) && !is_blank(name))
    };
    if template.references().all(|named| is_sound(named.name)) {
        return;
    }
    for name in part.action.rendered_kwargs(template) {
        if case.has(name) {
            continue;
        }
        if !part.kwargs.contains_key(name) {
            let which = variant.map_or_else(
                || "its template".to_owned(),
                |variant| format!("the template of the variant {}", quoted(variant)),
            );
            case.add(
                Rule::MissingDerivedKwarg,
                Some(name),
                format!(
                    "{which} of {} renders the kwarg {}, which is not bound and has no default: bind it",
                    part.shown_name(case.action),
                    quoted(name)
                ),
            );
        } else if is_blank(name) {
            empty(name, case);
        }
    }
}

/// I13.
fn body(injection: &Injection<'_>, case: &mut Case<'_, '_>) {
    let Some(comments) = &injection.home.comments else {
        return;
    };
    // D17 has looked at the suffix of the action's own package.
    let label = LabelRef::new(&injection.action.name, injection.variant.as_deref());
    if !std::ptr::eq(injection.home, injection.package) && !comments.label_fits(label) {
        case.add(
            Rule::Variant,
            None,
            format!(
                "a marker of {} cannot stand in {}: it would hold what ends a comment there, {}",
                quoted(&label.to_string()),
                quoted(&injection.path),
                quoted(comments.suffix().unwrap_or_default())
            ),
        );
    }
    if let Some(line) = marker::body_marker(comments, &injection.body) {
        let text = injection.body.lines().nth(line).unwrap_or_default().trim();
        case.add(
            Rule::BodyContainsMarker,
            None,
            format!(
                "the text it renders for {} holds a line that reads as an ownership marker, which would corrupt the file; bind other values: {}",
                quoted(&injection.path),
                quoted(text)
            ),
        );
    }
}

/// M31, within one record.
fn duplicate(
    injection: &Injection<'_>,
    seen: &mut HashMap<(Arc<str>, Identity), usize>,
    case: &mut Case<'_, '_>,
) {
    let key = (injection.path.clone(), injection.identity.clone());
    let index = case.index;
    let first = *seen.entry(key).or_insert(index);
    if first < index {
        let message = format!(
            "its region in {} is the one that invocation #{} makes already ({}): leave this invocation out, or give it other values",
            quoted(&injection.path),
            first + 1,
            Identity::shown(injection.action, injection.single, &injection.kwargs)
        );
        case.add_with(Rule::DuplicateRegion, None, message, Some(Mend::LeaveOut));
    }
}

#[cfg(test)]
mod tests;
