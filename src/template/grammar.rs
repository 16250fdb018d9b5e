//! Text to pieces: the whole grammar (T1-T5).

use crate::diag::Span;

/// A piece of a template as it is written.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Text that is emitted as it stands.
    Text(Span),
    /// The escape `{{{{`, which emits `{{` (T3).
    Braces,
    /// A reference.
    Reference(RawReference),
}

/// `{{name|op:arg}}` before its transforms are resolved.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RawReference {
    pub span: Span,
    pub name: Span,
    pub steps: Vec<RawStep>,
}

/// One `|op` or `|op:arg`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RawStep {
    pub span: Span,
    pub name: Span,
    pub argument: Option<Span>,
}

/// What is wrong with the syntax, and where.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SyntaxFault {
    pub span: Span,
    pub message: String,
    pub help: Option<String>,
}

/// Whether a name is one that a template can write (T1, T4).
pub fn is_identifier(name: &str) -> bool {
    let mut chars = name.bytes();
    chars
        .next()
        .is_some_and(|c| c.is_ascii_alphabetic() || c == b'_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == b'_')
}

/// Where a brace first stands twice. Texts are many and short, and a search that prepares itself costs more than it finds.
fn doubled(text: &str, brace: u8) -> Option<usize> {
    text.as_bytes()
        .windows(2)
        .position(|pair| pair == [brace, brace])
}

/// The pieces of a text, and everything that is wrong with it. An unclosed `{{` ends the scan (T3).
pub(super) fn parse(text: &str) -> (Vec<Piece>, Vec<SyntaxFault>) {
    let mut pieces = Vec::new();
    let mut faults = Vec::new();
    let (mut at, mut literal) = (0, 0);
    while let Some(found) = text.get(at..).and_then(|rest| doubled(rest, b'{')) {
        let open = at + found;
        if open > literal {
            pieces.push(Piece::Text(Span::new(literal, open)));
        }
        let inner = open + 2;
        let rest = text.get(inner..).unwrap_or_default();
        if rest.starts_with("{{") {
            pieces.push(Piece::Braces);
            at = inner + 2;
        } else if let Some(length) = doubled(rest, b'}') {
            let end = inner + length + 2;
            let span = Span::new(open, end);
            match reference(text, span, Span::new(inner, inner + length)) {
                Ok(reference) => pieces.push(Piece::Reference(reference)),
                Err(fault) => faults.push(fault),
            }
            at = end;
        } else {
            faults.push(SyntaxFault {
                span: Span::new(open, inner),
                message: "this {{ is never closed by }}".to_owned(),
                help: Some("write {{{{ for a literal {{".to_owned()),
            });
            return (pieces, faults);
        }
        literal = at;
    }
    if text.len() > literal {
        pieces.push(Piece::Text(Span::new(literal, text.len())));
    }
    (pieces, faults)
}

/// The inside of one pair of braces.
fn reference(text: &str, whole: Span, inside: Span) -> Result<RawReference, SyntaxFault> {
    let fault = |span: Span, message: String| SyntaxFault {
        span,
        message,
        help: None,
    };
    let mut parts = split(text, inside, '|').into_iter();
    let name = trimmed(text, parts.next().unwrap_or(inside));
    let name_text = slice(text, name);
    if name_text.is_empty() {
        return Err(fault(whole, "a reference without a name".to_owned()));
    }
    if doubled(name_text, b'{').is_some() || name_text.contains('\n') {
        let open = Span::new(whole.start as usize, inside.start as usize);
        return Err(SyntaxFault {
            help: Some("write }} behind the name".to_owned()),
            ..fault(
                open,
                "this {{ is not closed by }} on its line, or before the next {{".to_owned(),
            )
        });
    }
    if !is_identifier(name_text) {
        // A brace of the target's own stands right before the reference.
        let after_brace = name_text.strip_prefix('{').map(str::trim);
        let help = match after_brace.filter(|name| is_identifier(name)) {
            Some(name) => format!("for a {{ right before it write {{{{{name}|prefix:{{}}}}"),
            None => "a template has no conditions and no loops: declare variants instead; a literal {{ is written {{{{"
                .to_owned(),
        };
        return Err(SyntaxFault {
            help: Some(help),
            ..fault(
                whole,
                format!(
                    "{} is no name: a reference is {{{{name}}}} or {{{{name|transform}}}}",
                    crate::diag::quoted(name_text)
                ),
            )
        });
    }
    let mut steps = Vec::new();
    for part in parts {
        let step = trimmed(text, part);
        let step_text = slice(text, step);
        let (op, argument) = match step_text.find(':') {
            Some(colon) => {
                let colon = step.start as usize + colon;
                let op = trimmed(text, Span::new(step.start as usize, colon));
                let argument = trimmed(text, Span::new(colon + 1, step.end as usize));
                (op, Some(argument))
            }
            None => (step, None),
        };
        let op_text = slice(text, op);
        if op_text.is_empty() {
            return Err(fault(whole, "a | without a transform after it".to_owned()));
        }
        if !is_identifier(op_text) {
            return Err(fault(
                whole,
                format!("{} is no transform name", crate::diag::quoted(op_text)),
            ));
        }
        steps.push(RawStep {
            span: step,
            name: op,
            argument,
        });
    }
    Ok(RawReference {
        span: whole,
        name,
        steps,
    })
}

fn slice(text: &str, span: Span) -> &str {
    text.get(span.start as usize..span.end as usize)
        .unwrap_or_default()
}

fn split(text: &str, span: Span, separator: char) -> Vec<Span> {
    let mut start = span.start as usize;
    let mut parts = Vec::new();
    for part in slice(text, span).split(separator) {
        parts.push(Span::new(start, start + part.len()));
        start += part.len() + separator.len_utf8();
    }
    parts
}

fn trimmed(text: &str, span: Span) -> Span {
    let part = slice(text, span);
    let start = span.start as usize + (part.len() - part.trim_start().len());
    Span::new(start, start + part.trim().len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(text: &str) -> usize {
        parse(text).1.len()
    }

    #[test]
    fn the_whole_grammar_t1() {
        let text = "a {{ name | snake|prefix: x:y }} b";
        let (pieces, faults) = parse(text);
        assert!(faults.is_empty());
        let Some(Piece::Reference(reference)) = pieces.get(1) else {
            panic!("no reference in {pieces:?}");
        };
        assert_eq!(slice(text, reference.name), "name");
        assert_eq!(slice(text, reference.steps[0].name), "snake");
        assert_eq!(slice(text, reference.steps[1].name), "prefix");
        let argument = reference.steps[1].argument.unwrap();
        assert_eq!(slice(text, argument), "x:y");
    }

    #[test]
    fn anything_else_is_refused_t2() {
        for text in [
            "{{a.b}}",
            "{{}}",
            "{{ }}",
            "{{a b}}",
            "{{a|}}",
            "{{a|b c}}",
            "{{1a}}",
            "{{a|join:|}}",
            "{{a",
        ] {
            assert_eq!(faults(text), 1, "{text}");
        }
    }

    #[test]
    fn escapes_and_lone_closers_t3() {
        assert_eq!(parse("{{{{").0, vec![Piece::Braces]);
        assert_eq!(parse("}} x").0, vec![Piece::Text(Span::new(0, 4))]);
        let (pieces, faults) = parse("{{{{{{n}}");
        assert!(faults.is_empty());
        assert!(matches!(pieces[..], [Piece::Braces, Piece::Reference(_)]));
    }

    /// A reference that lost its closing braces is told where it begins, and not by all the text up to the next ones.
    #[test]
    fn a_reference_that_runs_on_is_one_that_is_not_closed_t3() {
        for text in ["{{path, {{name}}", "{{path\", x\ny}}"] {
            let [fault] = &parse(text).1[..] else {
                panic!("{text}");
            };
            assert_eq!(fault.span, Span::new(0, 2), "{text}");
            assert!(fault.message.contains("not closed"), "{text}");
        }
        assert_eq!(faults("{{ name\n| snake }}"), 0);
    }

    #[test]
    fn an_unclosed_brace_ends_the_scan_and_others_do_not_t3() {
        assert_eq!(faults("{{a.b}} {{c.d}} {{e"), 3);
    }
}
