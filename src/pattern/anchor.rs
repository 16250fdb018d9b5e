//! The regular expressions of `anchor_pattern`: reading them at load and finding their first match in a text.
//!
//! It decides whether an expression is one (A31), whether it looks like one that forgot line mode (A32), and where a
//! text first matches. It must not decide what a match means for a line (I7), and it never changes what the author
//! wrote: the text is kept for every message, and `dialect` writes the same expression for the engine.
//!
//! Every expression is parsed at load. One that is small, as nearly all are, builds its automaton at the first search,
//! because a load of hundreds of actions would otherwise spend most of its time on automata that no run needs. One that
//! could be large is built at load, within a limit, so that size is a fault there and nowhere else.

mod dialect;

use std::fmt;
use std::ops::Range;
use std::sync::OnceLock;

use regex::{Regex, RegexBuilder};
use regex_syntax::hir::{Class, Hir, HirKind};

/// The longest expression, in bytes.
const MAX_LENGTH: usize = 16 * 1024;
/// The largest automaton, in bytes.
const MAX_SIZE: usize = 4 * 1024 * 1024;
/// The weight up to which an automaton stays far below [`MAX_SIZE`], so that building it can wait.
const SMALL: usize = 1000;

/// An `anchor_pattern`, readable by construction.
#[derive(Clone, Debug)]
pub struct AnchorPattern {
    text: String,
    expression: String,
    automaton: OnceLock<Option<Regex>>,
}

/// Why an `anchor_pattern` is no regular expression (A31).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnchorFault {
    pattern: String,
    kind: FaultKind,
    offset: Option<usize>,
}

/// What is wrong with an expression.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FaultKind {
    /// `(?=`, `(?!`, `(?<=`, `(?<!`.
    #[error("look-around ({0}) is used, which RE2 syntax does not have")]
    LookAround(String),
    /// `\1`, `\k<name>`, `(?P=name)`.
    #[error("a back-reference ({0}) is used, which RE2 syntax does not have")]
    BackReference(String),
    /// Another group that other engines know.
    #[error("{0} is no group that RE2 syntax has")]
    Group(String),
    /// An escape that does not exist.
    #[error("{0} is no escape that RE2 syntax has")]
    Escape(String),
    /// A `[` without its `]`.
    #[error("a character class is not closed")]
    UnclosedClass,
    /// A range whose ends are no characters in order, or a `[:name:]` that does not exist.
    #[error("{0} is no range and no class of characters")]
    Range(String),
    /// `a**`, `a*+`, `a{2}{3}`.
    #[error("a repetition is repeated ({0}), which RE2 syntax does not have: use a group")]
    NestedRepetition(String),
    /// `{1001}`, `{3,2}`.
    #[error("{0} repeats more than 1000 times or from more to fewer")]
    RepetitionSize(String),
    /// What the engine says of anything else.
    #[error("{0}")]
    Syntax(String),
    /// Longer or larger than an anchor needs.
    #[error("it is too large: an anchor pattern has at most 16 KiB of text and 4 MiB compiled")]
    TooLarge,
}

impl AnchorFault {
    /// Where in the expression, as a byte offset, when that is known.
    pub fn offset(&self) -> Option<usize> {
        self.offset
    }

    /// What is wrong.
    pub fn kind(&self) -> &FaultKind {
        &self.kind
    }
}

impl fmt::Display for AnchorFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 80;
        let mut shown: String = self.pattern.chars().take(SHOWN).collect();
        if shown.len() < self.pattern.len() {
            shown.push('…');
        }
        // Not the debug form: an expression full of doubled backslashes is not what its author wrote.
        let shown: String = shown
            .chars()
            .map(|c| if c.is_control() { '\u{fffd}' } else { c })
            .collect();
        write!(f, "anchor_pattern `{shown}`: {}", self.kind)
    }
}

impl std::error::Error for AnchorFault {}

impl AnchorPattern {
    /// Reads an expression of RE2 syntax (A31).
    ///
    /// `\w`, `\d`, `\s`, `\b` and the POSIX classes know ASCII only; everything else works on Unicode characters.
    pub fn compile(text: &str) -> Result<AnchorPattern, AnchorFault> {
        let fault = |kind, offset| AnchorFault {
            pattern: text.to_owned(),
            kind,
            offset,
        };
        if text.len() > MAX_LENGTH {
            return Err(fault(FaultKind::TooLarge, None));
        }
        let translated =
            dialect::translate(text).map_err(|(kind, offset)| fault(kind, Some(offset)))?;
        let parsed = regex_syntax::parse(&translated.expression).map_err(|error| {
            let (message, offset) = describe(&error);
            let offset = offset.map(|at| translated.authored_offset(at));
            fault(FaultKind::Syntax(message), offset)
        })?;
        let automaton = OnceLock::new();
        if weight(&parsed) > SMALL {
            let built = build(&translated.expression);
            if built.is_none() {
                return Err(fault(FaultKind::TooLarge, None));
            }
            // The cell is new, so it is empty.
            let _ = automaton.set(built);
        }
        Ok(AnchorPattern {
            text: text.to_owned(),
            expression: translated.expression,
            automaton,
        })
    }

    /// The expression as authored.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The byte range of the first match in `text`, leftmost first, in time linear in `text` (Y33).
    pub fn find(&self, text: &str) -> Option<Range<usize>> {
        let automaton = self.automaton.get_or_init(|| build(&self.expression));
        // What can fail to be built was built by `compile`.
        automaton.as_ref()?.find(text).map(|found| found.range())
    }

    /// Whether the expression has a `^` or `$`, neither escaped nor in a class, and no flag group that turns on `m`
    /// (`(?m)`, `(?im)`, `(?m:...)`) anywhere: it then means the ends of the file where lines were probably meant (A32).
    ///
    /// False for a text that is no expression.
    pub fn lacks_line_mode(text: &str) -> bool {
        dialect::translate(text)
            .is_ok_and(|translated| translated.has_line_end && !translated.has_line_mode)
    }
}

fn build(expression: &str) -> Option<Regex> {
    RegexBuilder::new(expression)
        .size_limit(MAX_SIZE)
        .build()
        .ok()
}

/// The engine's complaint without its drawing, and its place in the translated expression.
fn describe(error: &regex_syntax::Error) -> (String, Option<usize>) {
    match error {
        regex_syntax::Error::Parse(error) => {
            (error.kind().to_string(), Some(error.span().start.offset))
        }
        regex_syntax::Error::Translate(error) => {
            (error.kind().to_string(), Some(error.span().start.offset))
        }
        _ => ("it is no regular expression".to_owned(), None),
    }
}

/// A measure of the automaton of an expression: its characters and ranges, with repetitions written out.
fn weight(expression: &Hir) -> usize {
    match expression.kind() {
        HirKind::Empty | HirKind::Look(_) => 1,
        HirKind::Literal(literal) => literal.0.len(),
        HirKind::Class(Class::Unicode(class)) => 1 + class.ranges().len(),
        HirKind::Class(Class::Bytes(class)) => 1 + class.ranges().len(),
        HirKind::Repetition(repetition) => {
            let times = repetition.max.unwrap_or(repetition.min).max(1);
            let times = usize::try_from(times).unwrap_or(usize::MAX);
            weight(&repetition.sub)
                .saturating_add(1)
                .saturating_mul(times)
        }
        HirKind::Capture(capture) => weight(&capture.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts
            .iter()
            .fold(1usize, |sum, part| sum.saturating_add(weight(part))),
    }
}

#[cfg(test)]
mod tests;
