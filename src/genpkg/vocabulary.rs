//! A package's transform vocabulary (L19, S2-S5), and templates compiled with it (L20-L24).

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

/// Compiles the text of a template file, with a finding for each fault.
pub(super) fn template_file(
    text: &str,
    engine: Option<&Engine>,
    file: &File,
    findings: &mut Findings,
) -> Option<Template> {
    template(text, engine, file, |span| span, findings)
}

/// Compiles a template that stands as a scalar in a YAML file.
pub(super) fn template_scalar(
    text: &str,
    scalar: Span,
    engine: Option<&Engine>,
    file: &File,
    findings: &mut Findings,
) -> Option<Template> {
    let source = file.source.clone();
    let place = move |inner: Span| within_scalar(source.as_ref(), text, scalar, inner);
    template(text, engine, file, place, findings)
}

fn template(
    text: &str,
    engine: Option<&Engine>,
    file: &File,
    place: impl Fn(Span) -> Span,
    findings: &mut Findings,
) -> Option<Template> {
    let faults = match compile(text, engine) {
        Ok(template) => return Some(template),
        Err(faults) => faults,
    };
    for fault in faults {
        let rule = if fault.transform {
            Rule::TransformUndefined
        } else {
            Rule::TemplateSyntaxInvalid
        };
        findings
            .error(rule, file, Some(place(fault.span)), fault.message)
            .maybe_help(fault.help);
    }
    None
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

/// L23, L24: every name that a template uses and nothing declares, each once.
pub(super) fn undeclared(
    template: &Template,
    known: &[&str],
    what: &str,
    file: &File,
    scalar: Option<Span>,
    findings: &mut Findings,
) {
    let mut reported: Vec<&str> = Vec::new();
    for reference in template.references() {
        let name = reference.name.as_str();
        if known.contains(&name) || reported.contains(&name) {
            continue;
        }
        reported.push(name);
        let span = match scalar {
            Some(scalar) => within_scalar(
                file.source.as_ref(),
                template.text(),
                scalar,
                reference.span,
            ),
            None => reference.span,
        };
        findings
            .error(
                Rule::TemplateValueUndeclared,
                file,
                Some(span),
                format!(
                    "{} is neither {what} nor a variable of the package",
                    quoted(name)
                ),
            )
            .near(name, known.iter().copied());
    }
}
