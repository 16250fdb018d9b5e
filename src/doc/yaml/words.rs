//! What is wrong with a text that is no YAML, in words that need no knowledge of the parser's insides, and at the place
//! that a reader would look at.

use granit_parser::{ErrorKind, ScanError};

use super::super::DEPTH_LIMIT;
use super::super::node::Fault;
use crate::diag::Span;

/// The fault of a text that is no YAML.
pub(super) fn syntax_fault(text: &str, error: &ScanError) -> Fault {
    let mut at = error
        .marker()
        .byte_offset()
        .unwrap_or_default()
        .min(text.len());
    let rest = text.get(at..).unwrap_or_default();
    let (message, help) = match error.kind() {
        ErrorKind::UnexpectedCharacter { character } => {
            // The parser blames the scalar that holds the character.
            at += rest.find(*character).unwrap_or_default();
            unexpected(*character)
        }
        kind @ ErrorKind::TabInPlainScalar => {
            // The parser blames the scalar that the tab would go on with.
            at += indenting_tab(rest);
            in_words(kind)
        }
        kind => in_words(kind),
    };
    let here = text.get(at..).and_then(|rest| rest.chars().next());
    let width = here
        .filter(|c| !matches!(c, '\n' | '\r'))
        .map_or(0, char::len_utf8);
    let fault = Fault::new(Span::new(at, at + width), message);
    match help {
        Some(help) => fault.help(help),
        None => fault,
    }
}

/// Where a tab stands in the indentation of one of the next lines; 0 if none does.
fn indenting_tab(rest: &str) -> usize {
    let mut start = 0;
    for line in rest.split_inclusive('\n') {
        let blank = line.len() - line.trim_start_matches([' ', '\t']).len();
        let indentation = line.get(..blank).unwrap_or_default();
        if let Some(tab) = indentation.find('\t') {
            return start + tab;
        }
        start += line.len();
    }
    0
}

fn unexpected(character: char) -> (String, Option<&'static str>) {
    if character.is_control() || matches!(character, '\u{fffe}' | '\u{ffff}') {
        let code = u32::from(character);
        let message = format!("the character U+{code:04X} is not allowed in YAML");
        return (
            message,
            Some("remove it, or write it as an escape in double quotes"),
        );
    }
    (
        format!("no value begins with `{character}`"),
        Some("put the text in quotes"),
    )
}

/// What the parser found, and the likely mend.
fn in_words(kind: &ErrorKind) -> (String, Option<&'static str>) {
    let (message, help) = match kind {
        ErrorKind::RecursionLimitExceeded => {
            return (format!("nested deeper than {DEPTH_LIMIT} levels"), None);
        }
        ErrorKind::UnclosedFlowCollection { open } => {
            let close = if *open == '[' { ']' } else { '}' };
            return (
                format!("expected `{close}` to close this `{open}`, found the end"),
                None,
            );
        }
        ErrorKind::MismatchedFlowCollectionEnd { open, close } => {
            return (
                format!("a bracket opened by `{open}` is closed by `{close}`"),
                None,
            );
        }
        ErrorKind::MisplacedFlowCollectionEnd => {
            ("found a closing bracket that nothing opens", None)
        }
        ErrorKind::UnclosedQuotedScalar => ("expected a closing quote, found the end", None),
        ErrorKind::TabNotAllowed
        | ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation
        | ErrorKind::TabAtBlockScalarStart
        | ErrorKind::TabInPlainScalar => {
            ("expected spaces, found a tab", Some("indent with spaces"))
        }
        ErrorKind::ExpectedBlockMappingKey => (
            "expected a key of the map that encloses this line",
            Some("indent the keys of one map alike"),
        ),
        ErrorKind::ExpectedBlockSequenceEntry => (
            "expected an item of the list that encloses this line",
            Some("indent the dashes of one list alike"),
        ),
        ErrorKind::MappingValueNotAllowed | ErrorKind::InvalidColonPlacement => (
            "a colon may not stand here",
            Some("put text that holds a colon and a space in quotes"),
        ),
        ErrorKind::SimpleKeyExpected | ErrorKind::InvalidSimpleKey => (
            "expected `:` after a key",
            Some("a key and its colon stand on one line"),
        ),
        ErrorKind::ExpectedFlowMappingSeparator => ("expected `,` or `}` in a map", None),
        ErrorKind::ExpectedFlowSequenceSeparator => ("expected `,` or `]` in a list", None),
        ErrorKind::UnknownQuotedScalarEscape => (
            "unknown escape in a double-quoted text",
            Some("write \\\\ for a backslash, or use single quotes"),
        ),
        ErrorKind::UndeclaredTagHandle => (
            "unknown tag",
            Some("remove it; text that begins with ! stands in quotes"),
        ),
        other => return (other.to_string(), None),
    };
    (message.to_owned(), help)
}
