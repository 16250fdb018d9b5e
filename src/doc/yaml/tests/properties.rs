//! Properties: JSON reads alike as YAML, and no text makes the reader panic or misplace anything.

use proptest::prelude::*;

use super::super::parse;
use super::cut;
use crate::diag::Span;
use crate::doc::json;
use crate::doc::node::{Kind, Node, Style};

fn same(yaml: &Node<'_>, json: &Node<'_>) -> bool {
    yaml.span == json.span
        && match (&yaml.kind, &json.kind) {
            (Kind::Scalar { text: a, style: s }, Kind::Scalar { text: b, style: t }) => {
                a == b && (*s == Style::Quoted) == (*t == Style::Quoted)
            }
            (Kind::List(a), Kind::List(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
            }
            (Kind::Map(a), Kind::Map(b)) => {
                a.len() == b.len()
                    && a.iter().zip(b).all(|(a, b)| {
                        a.key == b.key && a.key_span == b.key_span && same(&a.value, &b.value)
                    })
            }
            _ => false,
        }
}

fn json_document() -> impl Strategy<Value = String> {
    let text = || "[ -~é日\u{1f600}\u{a0}-\u{ff}\n\t\"\\\\]{0,12}";
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(serde_json::Value::from),
        any::<i64>().prop_map(serde_json::Value::from),
        any::<f64>().prop_map(serde_json::Value::from),
        text().prop_map(serde_json::Value::from),
    ];
    let value = leaf.prop_recursive(5, 40, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(serde_json::Value::from),
            prop::collection::vec((text(), inner), 0..6)
                .prop_map(|entries| { serde_json::Value::Object(entries.into_iter().collect()) }),
        ]
    });
    (value, any::<bool>()).prop_map(|(value, pretty)| {
        if pretty {
            serde_json::to_string_pretty(&value).unwrap()
        } else {
            value.to_string()
        }
    })
}

fn near_yaml() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        6 => prop::sample::select(vec![
            "a", "b", ": ", ":", "\n", "\n  ", "\n    ", "- ", "? ", "[", "]", "{", "}", ", ", "&x ", "*x", "*x ",
            "<<: ", "!t ", "!!str ", "!", "|\n", ">-\n", "\"", "'", "#", " # c\n", "---\n", "...\n", "%", "\t",
            "\r\n", "\u{feff}", "\0", "é", "\\", "~", "1", "k: v\n", "&x\n", "|2\n", "@", "\u{85}",
        ])
        .prop_map(str::to_owned),
        1 => "\\PC{0,3}",
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

fn check_spans(text: &str, node: &Node<'_>, outer: Option<Span>) -> Result<(), TestCaseError> {
    let span = node.span.start as usize..node.span.end as usize;
    prop_assert!(text.get(span).is_some(), "{:?}", node);
    if let Some(outer) = outer {
        prop_assert!(
            outer.start <= node.span.start && node.span.end <= outer.end,
            "{text:?} {node:?} {outer:?}"
        );
    }
    // What an alias stands for lies where it was defined.
    if outer.is_none() || !cut(text, node.span).starts_with('*') {
        for item in node.list().unwrap_or_default() {
            check_spans(text, item, Some(node.span))?;
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn json_is_yaml(text in json_document()) {
        let json = json::parse(&text).map_err(|f| TestCaseError::fail(f.message))?;
        let yaml = parse(&text);
        prop_assert!(yaml.faults.is_empty(), "{:?}", yaml.faults);
        prop_assert!(same(&yaml.root.unwrap(), &json), "{}", text);
    }

    #[test]
    fn no_text_makes_it_panic_x37(text in near_yaml()) {
        let parsed = parse(&text);
        for fault in &parsed.faults {
            prop_assert!(text.get(fault.span.start as usize..fault.span.end as usize).is_some());
        }
        if let Some(root) = &parsed.root {
            check_spans(&text, root, None)?;
        }
    }

    #[test]
    fn no_characters_make_it_panic_x37(text in any::<String>()) {
        let _ = parse(&text);
    }
}
