//! Where values, keys and parts of values stand.

use super::super::super::node::{Kind, Style};
use super::super::part_span;
use super::{as_json, at, cut, sound};
use crate::diag::Span;

#[test]
fn scalars_of_several_lines() {
    let text =
        "a: one\n  two\n\n  three\nb: |\n  x\n    y\n\nc: >-\n  p\n  q\n\n  r\nd: \"s\n  t\"\n";
    assert_eq!(
        as_json(text),
        r#"{"a":"one two\nthree","b":"x\n  y\n","c":"p q\nr","d":"s t"}"#
    );
    let root = sound(text);
    assert_eq!(cut(text, at(&root, "a").span), "one\n  two\n\n  three");
    assert_eq!(cut(text, at(&root, "b").span), "|\n  x\n    y");
    assert_eq!(cut(text, at(&root, "c").span), ">-\n  p\n  q\n\n  r");
    assert_eq!(cut(text, at(&root, "d").span), "\"s\n  t\"");
    assert!(matches!(
        at(&root, "b").kind,
        Kind::Scalar {
            style: Style::Quoted,
            ..
        }
    ));
}

#[test]
fn a_block_scalar_begins_at_its_indicator() {
    let text = "- &a|b !!str # > no\n  |2-\n   x\n- >\n\n- k: |\n    y\n";
    let root = sound(text);
    assert_eq!(cut(text, at(&root, "0").span), "|2-\n   x");
    assert_eq!(cut(text, at(&root, "1").span), ">");
    assert_eq!(cut(text, at(&root, "2.k").span), "|\n    y");
}

#[test]
fn places_are_bytes_o20() {
    for mark in ["", "\u{feff}"] {
        for line_break in ["\n", "\r\n"] {
            let text = format!(
                "{mark}é: ü x # ä{line_break}l:{line_break}- [日, {{k: 'v'}}]{line_break}\
                 -  \"q\\u00e9\" {line_break}{line_break}# end{line_break}m: {{}}{line_break}"
            );
            let root = sound(&text);
            let place = |path: &str| cut(&text, at(&root, path).span);
            let entry = &root.map().unwrap()[0];
            assert_eq!(cut(&text, entry.key_span), "é");
            assert_eq!(place("é"), "ü x");
            assert_eq!(
                place("l"),
                format!("- [日, {{k: 'v'}}]{line_break}-  \"q\\u00e9\"")
            );
            assert_eq!(place("l.0"), "[日, {k: 'v'}]");
            assert_eq!(place("l.0.0"), "日");
            assert_eq!(place("l.0.1"), "{k: 'v'}");
            assert_eq!(place("l.0.1.k"), "'v'");
            assert_eq!(place("l.1"), "\"q\\u00e9\"");
            let whole = text.trim_start_matches('\u{feff}').trim_end();
            assert_eq!(cut(&text, root.span), whole);
        }
    }
}

#[test]
fn places_of_block_lists_and_values_left_out() {
    let text = "a:\n# - c\n- - b\n  - c\n- d\ne:\n  - f: g\n    h: i\nk  :   # c\n";
    let root = sound(text);
    assert_eq!(cut(text, at(&root, "a").span), "- - b\n  - c\n- d");
    assert_eq!(cut(text, at(&root, "a.0").span), "- b\n  - c");
    assert_eq!(cut(text, at(&root, "e").span), "- f: g\n    h: i");
    assert_eq!(cut(text, at(&root, "e.0").span), "f: g\n    h: i");
    let colon = text.rfind(':').unwrap();
    assert_eq!(at(&root, "k").span, Span::new(colon + 1, colon + 1));
    assert!(at(&root, "k").is_null());
}

#[test]
fn a_part_of_a_scalar_has_a_place_o20() {
    let text = "a: \"ui/{{page}}.lua\"\nb: ui/{{page}}.lua\nc: 'it''s {{x}}'\nd: \"\\t{{x}}\"\n";
    let root = sound(text);
    assert_eq!(
        cut(text, part_span(text, at(&root, "a"), 3, 11)),
        "{{page}}"
    );
    assert_eq!(
        cut(text, part_span(text, at(&root, "b"), 3, 11)),
        "{{page}}"
    );
    assert_eq!(
        cut(text, part_span(text, at(&root, "c"), 5, 10)),
        "'it''s {{x}}'"
    );
    assert_eq!(
        cut(text, part_span(text, at(&root, "d"), 1, 6)),
        "\"\\t{{x}}\""
    );
    assert_eq!(part_span(text, &root, 0, 1), root.span);
}
