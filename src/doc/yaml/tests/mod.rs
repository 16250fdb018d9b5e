//! What is read, and what is done with each kind of value; the fixtures of the other tests.

mod aliases;
mod faults;
mod places;
mod properties;

use std::borrow::Cow;

use super::super::node::{Kind, Node, Style};
use super::parse;
use crate::diag::Span;
use crate::value::Value;

pub(super) fn sound(text: &str) -> Node<'_> {
    let parsed = parse(text);
    assert!(parsed.faults.is_empty(), "{:?}", parsed.faults);
    parsed.root.unwrap()
}

pub(super) fn as_json(text: &str) -> String {
    Value::from_node(&sound(text)).to_json()
}

pub(super) fn cut(text: &str, span: Span) -> &str {
    &text[span.start as usize..span.end as usize]
}

/// Messages with the text that they blame.
pub(super) fn faults(text: &str) -> Vec<(String, &str)> {
    parse(text)
        .faults
        .into_iter()
        .map(|fault| (fault.message, cut(text, fault.span)))
        .collect()
}

pub(super) fn one_fault(text: &str) -> (String, &str) {
    let mut all = faults(text);
    assert_eq!(all.len(), 1, "{text:?}: {all:?}");
    all.remove(0)
}

pub(super) fn at<'n, 'a>(root: &'n Node<'a>, path: &str) -> &'n Node<'a> {
    path.split('.')
        .fold(root, |node, step| match step.parse::<usize>() {
            Ok(n) => &node.list().unwrap()[n],
            Err(_) => node.get(step).unwrap(),
        })
}

#[test]
fn scalars_lists_and_maps() {
    let text = "a: 1\nb: [x, \"3\", 'it''s', null]\nc:\n  - d: yes\n    e:\n  - f\n";
    assert_eq!(
        as_json(text),
        r#"{"a":1,"b":["x","3","it's",null],"c":[{"d":"yes","e":null},"f"]}"#
    );
    let root = sound(text);
    let style = |path| match &at(&root, path).kind {
        Kind::Scalar { style, .. } => *style,
        _ => panic!("no scalar"),
    };
    assert_eq!(style("a"), Style::Plain);
    assert_eq!(style("b.0"), Style::Plain);
    assert_eq!(style("b.1"), Style::Quoted);
    assert_eq!(style("b.2"), Style::Quoted);
}

#[test]
fn plain_text_is_borrowed() {
    for text in ["word", "\"word\"", "- a b"] {
        let root = sound(text);
        let node = root.list().map_or(&root, |items| &items[0]);
        assert!(matches!(
            &node.kind,
            Kind::Scalar {
                text: Cow::Borrowed(_),
                ..
            }
        ));
    }
}

#[test]
fn an_empty_document_has_no_root_and_no_fault_l15() {
    for text in [
        "",
        "\n",
        "# c\n",
        "---\n",
        "--- # c\n...\n",
        "\u{feff}",
        "\r\n",
    ] {
        let parsed = parse(text);
        assert!(
            parsed.root.is_none() && parsed.faults.is_empty(),
            "{text:?}"
        );
    }
    for text in ["~", "null", "--- ''", "{}"] {
        assert!(parse(text).root.is_some(), "{text:?}");
    }
}

#[test]
fn tags_l14a() {
    assert_eq!(
        as_json(
            "- !!str 3\n- ! 4\n- !!int 5\n- !!int \"6\"\n- !!float 7.5\n- !!bool true\n- !!null ~\n- !!null\n- !!str\n- !!seq []\n- !!map\n  a: b\n- !<tag:yaml.org,2002:str> 8\n"
        ),
        r#"["3","4",5,6,7.5,true,null,null,"",[],{"a":"b"},"8"]"#
    );
    assert_eq!(
        one_fault("a: !color red"),
        ("unknown tag \"!color\"".into(), "!color")
    );
    assert_eq!(
        one_fault("a: !!set {b}"),
        ("unknown tag \"!!set\"".into(), "!!set")
    );
    assert_eq!(one_fault("a: !!timestamp 2020-01-01").1, "!!timestamp");
    assert_eq!(one_fault("- !e!x a").0, "unknown tag");
    assert_eq!(
        one_fault("a: !!int 2.5"),
        (
            "the tag !!int does not fit the text \"2.5\"".into(),
            "!!int"
        )
    );
    assert_eq!(
        one_fault("a: !!map [b]").0,
        "the tag !!map does not fit a list"
    );
    assert_eq!(one_fault("a: !!seq x").1, "!!seq");
    assert_eq!(one_fault("a: !!bool yes").1, "!!bool");
}

#[test]
fn keys_are_text() {
    for (text, found, place) in [
        ("? [a]\n: b\n", "a list", "["),
        ("{{a: b}: c}", "a map", "{"),
        ("~: b", "null", "~"),
        (": b", "null", ""),
        ("a: &x [1]\n*x : b", "a list or a map", "*x"),
    ] {
        let (message, got) = one_fault(text);
        assert_eq!(
            message,
            format!("expected text as a key, found {found}"),
            "{text}"
        );
        assert!(
            place.starts_with(got) || got.starts_with(place),
            "{text} {got}"
        );
    }
    assert_eq!(
        as_json("1: a\ntrue: b\n'': c\n'null': d\n"),
        r#"{"1":"a","true":"b","":"c","null":"d"}"#
    );
    assert_eq!(as_json("? a\n: b\n"), r#"{"a":"b"}"#);
}
