//! Findings of phase 0 and problems of every other phase.

use std::fmt;
use std::sync::Arc;

use super::rule::Rule;
use super::source::{Source, Span};

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The package is rejected.
    Error,
    /// The package loads.
    Warning,
}

impl Severity {
    /// The word that reports print.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// A byte range in a file that was read.
#[derive(Clone, Debug)]
pub struct Place {
    /// The file.
    pub source: Arc<Source>,
    /// The range in it.
    pub span: Span,
}

impl Place {
    /// A place from its parts; a range that cuts a character takes all of it.
    pub fn new(source: &Arc<Source>, span: Span) -> Self {
        let text = source.text();
        Self {
            source: Arc::clone(source),
            span: Span::new(
                text.floor_char_boundary(span.start as usize),
                text.ceil_char_boundary(span.end as usize),
            ),
        }
    }

    /// Line and column of the first character, from 1.
    pub fn position(&self) -> (u32, u32) {
        self.source.position(self.span.start)
    }

    /// Line and column after the last character, from 1.
    pub fn end_position(&self) -> (u32, u32) {
        self.source.position(self.span.end)
    }
}

/// A second place that belongs to a finding, and what is there.
#[derive(Clone, Debug)]
pub struct Label {
    /// Where.
    pub place: Place,
    /// What is there.
    pub text: String,
}

/// What phase 0 says about a package (L7).
#[derive(Clone, Debug)]
pub struct Finding {
    /// Error or warning.
    pub severity: Severity,
    /// The name of the package's directory.
    pub package: String,
    /// The file, relative to the package, with slashes.
    pub file: String,
    /// Where in the file, when the fault has a place.
    pub place: Option<Place>,
    /// The rule that is broken.
    pub rule: Rule,
    /// What was found and what was expected.
    pub message: String,
    /// The likely mend.
    pub help: Option<String>,
    /// Other places that belong to it.
    pub labels: Vec<Label>,
}

impl Finding {
    /// Line and column from 1, when the fault has a place.
    pub fn position(&self) -> Option<(u32, u32)> {
        self.place.as_ref().map(Place::position)
    }

    /// Puts findings in the order of L8: errors first, then package, file, line (none first), column, slug, message.
    pub fn sort(findings: &mut [Self]) {
        // A position is counted from the line's start, so it is worked out once a finding.
        findings.sort_by_cached_key(|f| {
            let place = (f.severity, f.package.clone(), f.file.clone(), f.position());
            (place, f.rule.slug(), f.message.clone())
        });
    }
}

/// L7's first printed line: `severity: package/file:line:column [slug] message`.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = self.severity.name();
        let (package, file) = (super::shown(&self.package), super::shown(&self.file));
        write!(f, "{severity}: {package}/{file}")?;
        if let Some((line, column)) = self.position() {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, " [{}] {}", self.rule.slug(), self.message)
    }
}

/// What a phase other than 0 says went wrong with an input.
#[derive(Clone, Debug, Default)]
pub struct Problem {
    /// Names the artefact, what was found, what was expected.
    pub message: String,
    /// Where, when the input is a file that was read.
    pub place: Option<Place>,
    /// The likely mend.
    pub help: Option<String>,
    /// Other places that belong to it.
    pub labels: Vec<Label>,
}

impl Problem {
    /// A problem without a place.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            ..Self::default()
        }
    }

    /// The same problem, at a place.
    #[must_use]
    pub fn at(mut self, source: &Arc<Source>, span: Span) -> Self {
        self.place = Some(Place::new(source, span));
        self
    }

    /// The same problem, with its likely mend.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same problem, with a second place.
    #[must_use]
    pub fn label(mut self, source: &Arc<Source>, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label {
            place: Place::new(source, span),
            text: text.into(),
        });
        self
    }
}

/// One line, and the help under it: `file:line:column: message`.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            let (line, column) = place.position();
            write!(f, "{}:{line}:{column}: ", super::shown(place.source.name()))?;
        }
        write!(f, "{}", self.message)?;
        if let Some(help) = &self.help {
            write!(f, "\n    help: {help}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// L7: what is about a whole document stands at its first character, however many bytes that has.
    #[test]
    fn a_place_holds_whole_characters() {
        let source = Source::new("sedum.yaml", "été: x\n");
        let place = Place::new(&source, Span::new(0, 1));
        assert_eq!(place.position(), (1, 1));
        assert_eq!(place.end_position(), (1, 2));
        let behind = Place::new(&source, Span::new(99, 99));
        assert_eq!(behind.position(), behind.end_position());
    }
}
