//! What is accepted and how it is read; what is refused, and in which words.

mod properties;

use std::borrow::Cow;

use super::super::node::{Kind, Node, Style};
use super::{parse, parse_lenient_keys, parse_prefix, read};
use crate::diag::Span;
use crate::value::Value;

fn fault(text: &str) -> (String, &str, Option<String>) {
    let fault = parse(text).unwrap_err();
    let span = fault.span.start as usize..fault.span.end as usize;
    (fault.message, &text[span], fault.help)
}

pub(super) fn verbatim<'t>(text: &'t str, node: &Node<'_>) -> &'t str {
    &text[node.span.start as usize..node.span.end as usize]
}

fn scalar<'n>(node: &'n Node<'_>) -> (&'n str, Style) {
    match &node.kind {
        Kind::Scalar { text, style } => (text, *style),
        _ => panic!("no scalar"),
    }
}

#[test]
fn numbers_keep_their_digits_j11() {
    for number in [
        "0",
        "-0",
        "12",
        "1.50",
        "1E+2",
        "-0.0e-7",
        "9007199254740993",
        "1e999",
    ] {
        assert_eq!(scalar(&parse(number).unwrap()), (number, Style::Token));
    }
}

#[test]
fn every_value_knows_its_text() {
    let text = "\u{feff} {\"é\" : [1 , \"\\u00e9x\"], \"b\": {\"c\":null} }\n";
    let root = parse(text).unwrap();
    assert_eq!(
        verbatim(text, &root),
        "{\"é\" : [1 , \"\\u00e9x\"], \"b\": {\"c\":null} }"
    );
    let list = root.get("é").unwrap();
    assert_eq!(verbatim(text, list), "[1 , \"\\u00e9x\"]");
    let second = &list.list().unwrap()[1];
    assert_eq!(scalar(second), ("éx", Style::Quoted));
    assert_eq!(verbatim(text, second), "\"\\u00e9x\"");
    assert_eq!(verbatim(text, root.get("b").unwrap()), "{\"c\":null}");
    let key = root.map().unwrap()[0].key_span;
    assert_eq!(&text[key.start as usize..key.end as usize], "\"é\"");
}

#[test]
fn strings_are_borrowed_unless_they_hold_escapes() {
    let is_borrowed = |text: &str| match parse(text).unwrap().kind {
        Kind::Scalar { text, .. } => matches!(text, Cow::Borrowed(_)),
        _ => false,
    };
    assert!(is_borrowed("\"aé日\u{7f}\u{2028}\""));
    assert!(is_borrowed("\"\""));
    assert!(!is_borrowed("\"\\n\""));
}

#[test]
fn escapes_are_those_of_the_grammar() {
    let all = parse(r#""\"\\\/\b\f\n\r\t\u0041\ud83d\ude00\uFFFF""#).unwrap();
    assert_eq!(scalar(&all).0, "\"\\/\u{8}\u{c}\n\r\tA\u{1f600}\u{ffff}");
    for (text, at) in [
        (r#""\x41""#, r"\x"),
        (r#""\ud800""#, r"\ud800"),
        (r#""a\udc00b""#, r"\udc00"),
        (r#""\ud800\ud800""#, r"\ud800"),
        (r#""\ud800\n""#, r"\ud800"),
        (r#""\u12g4""#, r"\u12"),
        (r#""\u12é""#, r"\u12"),
        (r#""\é""#, r"\é"),
        (r#""\u+123""#, r"\u"),
    ] {
        assert_eq!(fault(text).1, at, "{text}");
    }
}

#[test]
fn raw_control_characters_are_faults() {
    assert_eq!(fault("\"a\nb\"").1, "\n");
    assert_eq!(fault("\"a\tb\"").2.as_deref(), Some("write \\t"));
    assert_eq!(fault("\"\u{1f}\"").2.as_deref(), Some("write \\u001f"));
    assert!(parse("\"\0\"").is_err());
}

#[test]
fn repeated_keys_are_faults_that_name_the_key_d4_j10() {
    let text = r#"{"a": 1, "b": {"x": 1, "\u0078": 2}, "a": 3}"#;
    let read = read(text).unwrap();
    let places: Vec<_> = read
        .repeats
        .iter()
        .map(|f| (f.message.as_str(), f.span, f.also.clone().unwrap().0))
        .collect();
    assert_eq!(
        places,
        [
            (
                "key \"x\" is given twice",
                Span::new(23, 31),
                Span::new(15, 18)
            ),
            (
                "key \"a\" is given twice",
                Span::new(37, 40),
                Span::new(1, 4)
            ),
        ]
    );
    assert_eq!(fault(text).0, "key \"x\" is given twice");
    assert!(parse_prefix(text).is_err());
}

#[test]
fn the_last_of_equal_keys_wins_on_a_marker_j10() {
    let root = parse_lenient_keys(r#"{"a": 1, "b": 2, "a": 3}"#).unwrap();
    assert_eq!(Value::from_node(&root).to_json(), r#"{"a":3,"b":2}"#);
    assert!(parse_lenient_keys("{} x").is_err());
}

#[test]
fn keys_are_exact_d4() {
    assert!(parse(r#"{"a": 1, "A": 2}"#).is_ok());
    let many: Vec<_> = (0..20_000).map(|n| format!("\"k{n}\":0")).collect();
    assert!(parse(&format!("{{{}}}", many.join(","))).is_ok());
    let twice = format!("{{{},\"k7\":1}}", many.join(","));
    assert_eq!(fault(&twice).0, "key \"k7\" is given twice");
}

#[test]
fn anything_after_the_value_is_a_fault_j10() {
    let (message, at, _) = fault("{} }");
    assert_eq!(message, "expected nothing after the JSON value, found `}`");
    assert_eq!(at, "}");
    assert_eq!(fault("1 word").1, "word");
    assert!(parse(" 1 \r\n\t").is_ok());
    let (node, end) = parse_prefix("{\"a\":1} -->").unwrap();
    assert_eq!((end, node.map().unwrap().len()), (7, 1));
    assert_eq!(parse_prefix("12]").unwrap().1, 2);
}

#[test]
fn faults_say_what_was_expected_and_found() {
    for (text, message, at, help) in [
        ("", "expected a value, found the end of the text", "", None),
        (
            "{",
            "expected a key in double quotes or `}`, found the end of the text",
            "",
            None,
        ),
        (
            "[1",
            "expected `,` or `]` after a list's item, found the end of the text",
            "",
            None,
        ),
        (
            "[1,]",
            "expected a value after the comma, found `]`",
            "]",
            Some("remove the comma before it"),
        ),
        (
            "{\"a\":1,}",
            "expected a key in double quotes after the comma, found `}`",
            "}",
            Some("remove the comma before it"),
        ),
        ("[,1]", "expected a value or `]`, found `,`", ",", None),
        (
            "[1 2]",
            "expected `,` or `]` after a list's item, found `2`",
            "2",
            None,
        ),
        (
            "{\"a\" 1}",
            "expected `:` after a key, found `1`",
            "1",
            None,
        ),
        (
            "{\"a\":}",
            "expected a value after `:`, found `}`",
            "}",
            None,
        ),
        (
            "{\"a\":1 \"b\":2}",
            "expected `,` or `}` after a value, found `\"`",
            "\"",
            None,
        ),
        (
            "{name: 1}",
            "expected a key in double quotes or `}`, found `name`",
            "name",
            None,
        ),
        (
            "{'a': 1}",
            "expected a key in double quotes or `}`, found `'`",
            "'",
            Some("text and keys stand in double quotes"),
        ),
        (
            "[True]",
            "expected a value or `]`, found `True`",
            "True",
            Some("write true"),
        ),
        ("truthy", "expected a value, found `truthy`", "truthy", None),
        (
            "[1 // x\n]",
            "expected `,` or `]` after a list's item, found `/`",
            "/",
            Some("JSON has no comments"),
        ),
        (
            "01",
            "expected a number without a leading zero, found `01`",
            "01",
            None,
        ),
        (
            "1.",
            "expected a digit after the decimal point, found the end of the text",
            "",
            None,
        ),
        ("-x", "expected a digit after `-`, found `x`", "x", None),
        (
            "1e+",
            "expected a digit after the exponent's `e`, found the end of the text",
            "",
            None,
        ),
        (
            "+1",
            "expected a value, found `+1`",
            "+1",
            Some("a number has no plus sign"),
        ),
        (
            "\"ab",
            "expected `\"` at the end of the string, found the end of the text",
            "\"ab",
            None,
        ),
        (
            "\u{1b}[0m",
            "expected a value, found `\\u{1b}`",
            "\u{1b}",
            None,
        ),
        (
            "\u{a0}1",
            "expected a value, found `\u{a0}`",
            "\u{a0}",
            None,
        ),
    ] {
        let (got, place, mend) = fault(text);
        assert_eq!(
            (got.as_str(), place, mend.as_deref()),
            (message, at, help),
            "{text:?}"
        );
    }
    let open = parse("[1, {\"a\": 2").unwrap_err();
    assert_eq!(open.also, Some((Span::new(4, 5), "opened here".to_owned())));
}

#[test]
fn nesting_is_bounded_x36() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(parse(&nested(128)).is_ok());
    assert_eq!(fault(&nested(129)).0, "nested deeper than 128 levels");
    let deep = "{\"a\":[".repeat(1_000_000);
    assert_eq!(
        parse(&deep).unwrap_err().span,
        Span::new(64 * 6, 64 * 6 + 1)
    );
    assert!(parse(&vec!["[]"; 1000].join(",").replace("[]", "[[]]")).is_err());
    assert!(parse(&format!("[{}]", vec!["[]"; 1000].join(","))).is_ok());
}
