//! A package's transform vocabulary (L19, S2-S5), and templates compiled with it (L20-L24).

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use crate::diag::{Rule, Source, Span, quoted};
use crate::template::{Template, compile};
use crate::transform::{Engine, EngineWhere};

use super::findings::{File, Findings};
use super::manifest::Manifest;

/// The engine of a manifest; `None` when it cannot be built, with each problem found (L19).
pub(super) fn engine(manifest: &Manifest, file: &File, findings: &mut Findings) -> Option<Engine> {
    let pipelines: Vec<_> = manifest
        .transforms
        .iter()
        .map(|pipeline| {
            let steps = pipeline.steps.iter().map(|step| step.value.clone());
            (pipeline.name.value.clone(), steps.collect())
        })
        .collect();
    let exceptions: Vec<_> = manifest
        .op_exceptions
        .iter()
        .map(|table| {
            let words = table.words.iter();
            let words = words.map(|(word, to)| (word.value.clone(), to.clone()));
            (table.operation.value.clone(), words.collect())
        })
        .collect();
    let faults = match Engine::new(&pipelines, &exceptions) {
        Ok(engine) => return Some(engine),
        Err(faults) => faults,
    };
    for fault in faults {
        let span = place(manifest, &fault.place);
        findings.error(Rule::TransformInvalid, file, span, fault.message);
    }
    None
}

fn place(manifest: &Manifest, place: &EngineWhere) -> Option<Span> {
    let pipeline = |at: usize| manifest.transforms.get(at);
    let table = |at: usize| manifest.op_exceptions.get(at);
    match *place {
        EngineWhere::Pipeline(at) => pipeline(at).map(|p| p.name.span),
        EngineWhere::Step(at, step) => pipeline(at)
            .and_then(|p| p.steps.get(step))
            .map(|step| step.span),
        EngineWhere::Exceptions(at) => table(at).map(|t| t.operation.span),
        EngineWhere::Exception(at, word) => table(at)
            .and_then(|t| t.words.get(word))
            .map(|(word, _)| word.span),
    }
}

/// So many names are compared faster one by one than hashed.
const FEW: usize = 16;

/// A text to compile: where it stands, and the names it may use.
pub(super) struct Text<'t> {
    pub text: &'t str,
    pub file: &'t File,
    /// The scalar that it is in a YAML file; a template file has none.
    pub scalar: Option<Span>,
    pub known: &'t [&'t str],
    /// What a known name is, for a message.
    pub what: &'t dyn fmt::Display,
}

/// Compiles a template, with a finding for each fault and for each name that nothing declares (L20-L24); the template,
/// when its syntax and its transforms hold.
pub(super) fn template(
    text: &Text<'_>,
    engine: Option<&Engine>,
    findings: &mut Findings,
) -> Option<Template> {
    let place = |inner: Span| match text.scalar {
        Some(scalar) => within_scalar(text.file.source.as_ref(), text.text, scalar, inner),
        None => inner,
    };
    let (template, faults) = compile(text.text, engine);
    let is_sound = faults.is_empty();
    for fault in faults {
        let rule = if fault.transform {
            Rule::TransformUndefined
        } else {
            Rule::TemplateSyntaxInvalid
        };
        findings
            .error(rule, text.file, Some(place(fault.span)), fault.message)
            .maybe_help(fault.help);
    }
    let many: Option<HashSet<&str>> =
        (text.known.len() > FEW).then(|| text.known.iter().copied().collect());
    let is_known = |name: &str| match &many {
        Some(many) => many.contains(name),
        None => text.known.contains(&name),
    };
    let mut reported: HashSet<&str> = HashSet::new();
    for reference in template.references() {
        let name = reference.name;
        if is_known(name) || !reported.insert(name) {
            continue;
        }
        findings
            .error(
                Rule::TemplateValueUndeclared,
                text.file,
                Some(place(reference.span)),
                format!(
                    "{} is neither {} nor a variable of the package",
                    quoted(name),
                    text.what
                ),
            )
            .near(name, text.known.iter().copied());
    }
    is_sound.then_some(template)
}

/// The place in the file of a range of a scalar's text: exact when the scalar is written without escapes, else the
/// whole scalar.
fn within_scalar(source: Option<&Arc<Source>>, text: &str, scalar: Span, inner: Span) -> Span {
    let written = source
        .and_then(|source| {
            source
                .text()
                .get(scalar.start as usize..scalar.end as usize)
        })
        .unwrap_or_default();
    match written.find(text) {
        Some(at) if !text.is_empty() => inner.shifted(scalar.start as usize + at),
        _ => scalar,
    }
}
