//! What is said about documents that cannot be read, or not in full.

use super::super::parse;
use super::{as_json, faults, one_fault, sound};
use crate::value::Value;

#[test]
fn repeated_keys_name_both_places_l14() {
    let text = "a: 1\nb: {c: 1, 'c': 2}\n\"a\": 3\na: 4\n";
    let parsed = parse(text);
    let places: Vec<_> = parsed
        .faults
        .iter()
        .map(|f| {
            (
                f.message.as_str(),
                f.span.start,
                f.also.clone().unwrap().0.start,
            )
        })
        .collect();
    assert_eq!(
        places,
        [
            ("key \"c\" is given twice", 15, 9),
            ("key \"a\" is given twice", 23, 0),
            ("key \"a\" is given twice", 30, 0),
        ]
    );
    assert_eq!(parsed.root.unwrap().map().unwrap().len(), 2);
}

#[test]
fn faults_are_bounded_x37() {
    for text in [
        "?\n".repeat(5000),
        "- !x y\n".repeat(5000),
        "a: 1\n".repeat(5000),
    ] {
        let parsed = parse(&text);
        assert_eq!(parsed.faults.len(), 1001);
        assert_eq!(
            parsed.faults[1000].message,
            "too many faults: only 1000 are told"
        );
    }
}

#[test]
fn a_second_document_is_a_fault_l14a() {
    for text in [
        "a: 1\n---\nb: 2\n",
        "--- a\n--- b",
        "a\n...\n---\n",
        "---\n---\na: 1",
    ] {
        let (message, place) = one_fault(text);
        assert_eq!(
            (message.as_str(), place),
            ("expected one document, found a second", "---")
        );
    }
    let text = "a: 1\n---\nb: [";
    assert_eq!(
        Value::from_node(&parse(text).root.unwrap()).to_json(),
        r#"{"a":1}"#
    );
    assert_eq!(as_json("%YAML 1.2\n---\na: 1\n...\n# end\n"), r#"{"a":1}"#);
}

#[test]
fn nesting_is_bounded_x36() {
    let flow = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    sound(&flow(128));
    let block = |depth: usize| {
        let lines = (0..depth).map(|n| format!("{}a:\n", " ".repeat(n)));
        lines.collect::<Vec<_>>().concat()
    };
    sound(&block(128));
    let mixed =
        format!("{}x: {}", block(64), flow(65)).replace("x:", &format!("{}x:", " ".repeat(64)));
    for text in [
        flow(129),
        flow(10_000),
        "[".repeat(1_000_000),
        block(129),
        block(3_000),
        "- ".repeat(10_000),
        mixed,
    ] {
        let parsed = parse(&text);
        assert_eq!(parsed.faults.len(), 1);
        assert_eq!(parsed.faults[0].message, "nested deeper than 128 levels");
        assert!(parsed.root.is_none());
    }
}

#[test]
fn syntax_errors_stand_at_their_place_r5() {
    for (text, message, place) in [
        (
            "a: [1, 2\n",
            "expected `]` to close this `[`, found the end",
            "[",
        ),
        ("é: \"x\n", "expected a closing quote, found the end", "\""),
        ("a: [1}", "a bracket opened by `[` is closed by `}`", "["),
        ("a: b: c", "a colon may not stand here", ":"),
        ("a: @b", "no value begins with `@`", "@"),
        (
            "a: x\u{1}y",
            "the character U+0001 is not allowed in YAML",
            "\u{1}",
        ),
        ("a: \0", "the character U+0000 is not allowed in YAML", "\0"),
        (
            "# é \u{7}\n",
            "the character U+0007 is not allowed in YAML",
            "\u{7}",
        ),
        ("a: \"\\q\"", "unknown escape in a double-quoted text", "\""),
    ] {
        assert_eq!(one_fault(text), (message.to_owned(), place), "{text:?}");
        assert!(parse(text).root.is_none(), "{text:?}");
    }
    assert_eq!(one_fault("a:\n\t- b\n").0, "expected spaces, found a tab");
    for text in ["a: b\n\tc: d\n", "a:\n  b: c\n \td: e\n"] {
        let tab = ("expected spaces, found a tab".to_owned(), "\t");
        assert_eq!(one_fault(text), tab, "{text:?}");
    }
    // What was found before it is told too.
    assert_eq!(faults("a: !x 1\nb: [").len(), 2);
}
