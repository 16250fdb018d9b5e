//! Pieces to a template whose transforms are resolved (L19, L20, L22).

use std::borrow::Cow;

use crate::diag::Span;
use crate::transform::{Engine, Step};
use crate::work::{self, Work};

use super::grammar::{self, Piece, RawReference};

/// A template that renders without parsing.
#[derive(Clone, Debug, Default)]
pub struct Template {
    text: Box<str>,
    pub(super) parts: Box<[Part]>,
}

#[derive(Clone, Debug)]
pub(super) enum Part {
    Text(Span),
    Braces,
    Reference(Stored),
}

/// A reference as a template keeps it. A package has very many, so the name stays in the text.
#[derive(Clone, Debug)]
pub(super) struct Stored {
    name: Span,
    steps: Cow<'static, [Step]>,
    span: Span,
}

/// A name that a template renders, with the operations on it.
#[derive(Clone, Copy, Debug)]
pub struct Reference<'t> {
    /// The name.
    pub name: &'t str,
    /// The operations, pipelines taken apart.
    pub steps: &'t [Step],
    /// The `{{...}}` in the template's text.
    pub span: Span,
}

/// What is wrong with a template.
#[derive(Clone, Debug)]
pub struct CompileFault {
    /// Where in its text.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// The likely mend.
    pub help: Option<String>,
    /// Whether the syntax is sound and a transform is not (L20).
    pub transform: bool,
}

/// Compiles a text, giving everything that is wrong with it too; with faults the template holds what is sound and is
/// not to be rendered. Without an engine transforms are taken on trust and dropped: the vocabulary is broken and has
/// been reported already (L19).
pub fn compile(text: &str, engine: Option<&Engine>) -> (Template, Vec<CompileFault>) {
    work::done(Work::TemplateCompiled);
    let (pieces, syntax) = grammar::parse(text);
    let mut faults: Vec<CompileFault> = syntax
        .into_iter()
        .map(|fault| CompileFault {
            span: fault.span,
            message: fault.message,
            help: fault.help,
            transform: false,
        })
        .collect();
    let mut parts = Vec::with_capacity(pieces.len());
    for piece in pieces {
        match piece {
            Piece::Text(span) => parts.push(Part::Text(span)),
            Piece::Braces => parts.push(Part::Braces),
            Piece::Reference(raw) => {
                parts.push(Part::Reference(resolve(text, &raw, engine, &mut faults)));
            }
        }
    }
    faults.sort_by_key(|fault| fault.span);
    let template = Template {
        text: text.into(),
        parts: parts.into(),
    };
    (template, faults)
}

fn resolve(
    text: &str,
    raw: &RawReference,
    engine: Option<&Engine>,
    faults: &mut Vec<CompileFault>,
) -> Stored {
    let slice = |span: Span| {
        text.get(span.start as usize..span.end as usize)
            .unwrap_or_default()
    };
    let mut steps = Cow::Borrowed(&[][..]);
    for step in &raw.steps {
        let Some(engine) = engine else { break };
        match engine.resolve(slice(step.name), step.argument.map(slice)) {
            Ok(found) if steps.is_empty() => steps = found,
            Ok(found) => steps.to_mut().extend(found.into_owned()),
            Err(fault) => faults.push(CompileFault {
                span: step.span,
                message: fault.to_string(),
                help: fault.help(),
                transform: true,
            }),
        }
    }
    Stored {
        name: raw.name,
        steps,
        span: raw.span,
    }
}

impl Template {
    /// The text as authored.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The references in order.
    pub fn references(&self) -> impl Iterator<Item = Reference<'_>> {
        self.parts.iter().filter_map(|part| match part {
            Part::Reference(stored) => Some(self.reference(stored)),
            _ => None,
        })
    }

    pub(super) fn reference<'t>(&'t self, stored: &'t Stored) -> Reference<'t> {
        Reference {
            name: self.slice(stored.name),
            steps: &stored.steps,
            span: stored.span,
        }
    }

    /// Whether the template renders a name.
    pub fn renders(&self, name: &str) -> bool {
        self.references().any(|reference| reference.name == name)
    }

    /// Whether the whole template is one placeholder, whatever its transforms: a free target (K13).
    pub fn is_one_placeholder(&self) -> bool {
        matches!(self.parts[..], [Part::Reference(_)])
    }

    /// Whether nothing in it is rendered: the text stands for itself.
    pub fn is_literal(&self) -> bool {
        self.references().next().is_none()
    }

    /// The text with references left out, as alternating fixed text: for each part the fixed text, or `None` for a
    /// reference (N20).
    pub fn fixed_parts(&self) -> impl Iterator<Item = Result<&str, Reference<'_>>> {
        self.parts.iter().map(|part| match part {
            Part::Text(span) => Ok(self.slice(*span)),
            Part::Braces => Ok("{{"),
            Part::Reference(stored) => Err(self.reference(stored)),
        })
    }

    pub(super) fn slice(&self, span: Span) -> &str {
        self.text
            .get(span.start as usize..span.end as usize)
            .unwrap_or_default()
    }
}
