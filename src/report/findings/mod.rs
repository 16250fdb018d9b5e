//! What phase 0 found, in the five formats of `validate --format` (O21, L7).
//!
//! Every format carries the same findings in the order they are given in (L8); none decides which findings there are,
//! what severity they have or what the exit status is. A format is a file of its own here. [`problem`] draws a
//! [`Problem`] of another phase with the same excerpts.
//!
//! No output can drive a terminal, whatever a name, a message or a source line holds (O28).

mod excerpt;
mod github;
mod human;
mod json;
mod lines;
mod sarif;
mod short;

use std::path::{Component, Path};

use crate::diag::{Finding, Problem, Severity, shown};

/// How findings are printed (O21).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Source excerpts, for a reader at a terminal.
    Human,
    /// One line a finding.
    Short,
    /// One JSON document.
    Json,
    /// A SARIF 2.1.0 log.
    Sarif,
    /// Workflow commands that GitHub turns into annotations.
    Github,
}

impl Format {
    /// Every format, in the order in which help lists them.
    pub const ALL: [Self; 5] = [
        Self::Human,
        Self::Short,
        Self::Json,
        Self::Sarif,
        Self::Github,
    ];

    /// The name that `--format` takes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Short => "short",
            Self::Json => "json",
            Self::Sarif => "sarif",
            Self::Github => "github",
        }
    }

    /// The format of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }
}

/// What loading a generators directory said.
#[derive(Clone, Debug)]
pub struct Report<'a> {
    /// Each package that was looked at, and whether it loaded.
    pub packages: Vec<(String, bool)>,
    /// The findings, in the order to print them in.
    pub findings: &'a [Finding],
    /// The generators directory as it was given: where `sarif` and `github` say that a file lies.
    pub generators: &'a Path,
}

/// How source lines are drawn.
#[derive(Clone, Copy, Debug)]
pub struct Drawing {
    /// In colour.
    pub color: bool,
    /// In so many columns.
    pub width: usize,
}

/// A finding for a person: with its source lines when there is somewhere to draw them, else one line (L7).
pub fn shown_finding(one: &Finding, drawing: Option<Drawing>) -> String {
    match drawing {
        Some(Drawing { color, width }) => finding(one, color, width),
        None => one.to_string(),
    }
}

/// A problem for a person: with its source lines when there is somewhere to draw them, else its text and help.
pub fn shown_problem(one: &Problem, drawing: Option<Drawing>) -> String {
    match drawing {
        Some(Drawing { color, width }) => problem(one, color, width),
        None => one.to_string(),
    }
}

impl Report<'_> {
    fn loaded(&self) -> usize {
        self.packages.iter().filter(|(_, loaded)| *loaded).count()
    }

    fn count(&self, severity: Severity) -> usize {
        let of_severity = |finding: &&Finding| finding.severity == severity;
        self.findings.iter().filter(of_severity).count()
    }

    /// U15's last line, without its line break.
    fn summary(&self) -> String {
        format!(
            "{} package(s) loaded, {} error(s), {} warning(s)",
            self.loaded(),
            self.count(Severity::Error),
            self.count(Severity::Warning)
        )
    }

    /// The segments of a finding's file, seen from where the command was run, and whether the first stands at the
    /// root. A leading `./` is left out.
    fn segments(&self, package: &str, file: &str) -> (bool, Vec<String>) {
        let mut is_absolute = false;
        let mut segments = Vec::new();
        for component in self.generators.components() {
            match component {
                Component::RootDir => is_absolute = true,
                Component::CurDir => {}
                Component::Prefix(prefix) => {
                    is_absolute = true;
                    segments.push(prefix.as_os_str().to_string_lossy().into_owned());
                }
                Component::ParentDir => segments.push("..".to_owned()),
                Component::Normal(name) => segments.push(name.to_string_lossy().into_owned()),
            }
        }
        segments.push(package.to_owned());
        segments.extend(file.split('/').map(str::to_owned));
        (is_absolute, segments)
    }
}

/// The whole report in a format, its last line ended.
///
/// `color` and `width` (of the terminal, in columns) matter to [`Format::Human`] only.
pub fn render(format: Format, report: &Report<'_>, color: bool, width: usize) -> String {
    match format {
        Format::Human => human::render(report, color, width),
        Format::Short => short::render(report),
        Format::Json => json::render(report),
        Format::Sarif => sarif::render(report),
        Format::Github => github::render(report),
    }
}

/// One finding as [`Format::Human`] shows it, the last line ended: for a run that a package stops (L34).
pub fn finding(finding: &Finding, color: bool, width: usize) -> String {
    human::finding(finding, color, width)
}

/// A problem with its excerpt and its help: `file:line:column: message` first, the last line ended (O20).
pub fn problem(problem: &Problem, color: bool, width: usize) -> String {
    human::problem(problem, color, width)
}

/// A text of several lines with every control character escaped but the line breaks (O28).
fn shown_lines(text: &str) -> String {
    let lines: Vec<_> = text.trim_end().lines().map(shown).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests;
