//! The findings of one package while it is checked.

use std::fmt::Write as _;
use std::sync::Arc;

use crate::diag::{Finding, Label, Place, Rule, Severity, Source, Span};
use crate::doc::Fault;

/// A file of the package: its path in it, and its text when it could be read.
#[derive(Clone, Debug)]
pub(super) struct File {
    pub path: String,
    pub source: Option<Arc<Source>>,
}

impl File {
    /// A file that has no text to show.
    pub fn unread(path: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            source: None,
        }
    }

    fn place(&self, span: Option<Span>) -> Option<Place> {
        let source = self.source.as_ref()?;
        span.map(|span| Place::new(source, span))
    }
}

/// A value with its place in the file it came from.
#[derive(Clone, Debug)]
pub(super) struct Spanned<T> {
    pub value: T,
    pub span: Span,
}

impl<T> Spanned<T> {
    pub fn new(value: T, span: Span) -> Self {
        Self { value, span }
    }
}

/// One sink for the findings of a package.
#[derive(Debug)]
pub(super) struct Findings {
    package: String,
    list: Vec<Finding>,
}

impl Findings {
    pub fn new(package: &str) -> Self {
        Self {
            package: package.to_owned(),
            list: Vec::new(),
        }
    }

    /// Adds an error; the answer takes help and labels.
    pub fn error(
        &mut self,
        rule: Rule,
        file: &File,
        span: Option<Span>,
        message: impl Into<String>,
    ) -> Added<'_> {
        self.add(Severity::Error, rule, file, span, message.into())
    }

    /// Adds a warning.
    pub fn warning(
        &mut self,
        rule: Rule,
        file: &File,
        span: Option<Span>,
        message: impl Into<String>,
    ) -> Added<'_> {
        self.add(Severity::Warning, rule, file, span, message.into())
    }

    /// Adds the faults of a document under one rule.
    pub fn faults(&mut self, rule: Rule, file: &File, faults: Vec<Fault>) {
        for fault in faults {
            let mut message = fault.message;
            if let (Some((span, _)), Some(source)) = (&fault.also, &file.source) {
                let (line, column) = source.position(span.start);
                let _ = write!(message, " (the other place is {line}:{column})");
            }
            let added = self.error(rule, file, Some(fault.span), message);
            let added = added.maybe_help(fault.help);
            if let Some((span, text)) = fault.also {
                added.label(file, span, text);
            }
        }
    }

    fn add(
        &mut self,
        severity: Severity,
        rule: Rule,
        file: &File,
        span: Option<Span>,
        message: String,
    ) -> Added<'_> {
        self.list.push(Finding {
            severity,
            package: self.package.clone(),
            file: file.path.clone(),
            place: file.place(span),
            rule,
            message,
            help: None,
            labels: Vec::new(),
        });
        Added {
            finding: self.list.last_mut(),
        }
    }

    pub fn has_errors(&self) -> bool {
        self.list.iter().any(|f| f.severity == Severity::Error)
    }

    pub fn into_list(self) -> Vec<Finding> {
        self.list
    }
}

/// A finding that was just added.
pub(super) struct Added<'f> {
    finding: Option<&'f mut Finding>,
}

impl Added<'_> {
    pub fn help(self, help: impl Into<String>) -> Self {
        self.maybe_help(Some(help.into()))
    }

    pub fn maybe_help(mut self, help: Option<String>) -> Self {
        if let Some(finding) = &mut self.finding {
            finding.help = help;
        }
        self
    }

    /// `did you mean "near"?`, else the list of what there is.
    pub fn near<'n>(self, wrong: &str, known: impl IntoIterator<Item = &'n str>) -> Self {
        let known: Vec<_> = known.into_iter().collect();
        match crate::diag::nearest(wrong, known.iter().copied()) {
            Some(name) => self.help(format!("did you mean {}?", crate::diag::quoted(name))),
            None => self.help(format!("there are: {}", crate::diag::listed(known))),
        }
    }

    pub fn label(mut self, file: &File, span: Span, text: impl Into<String>) -> Self {
        if let (Some(finding), Some(place)) = (&mut self.finding, file.place(Some(span))) {
            finding.labels.push(Label {
                place,
                text: text.into(),
            });
        }
        self
    }
}
