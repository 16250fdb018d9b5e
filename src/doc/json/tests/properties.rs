//! Properties: what is accepted and what comes back, held against `serde_json`.

use proptest::prelude::*;

use super::super::{BOM, compact, parse, parse_lenient_keys};
use super::verbatim;
use crate::value::Value;

/// Text that is JSON or nearly so.
fn near_json() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(vec![
            "{", "}", "[", "]", ",", ":", "\"", "\"a\"", "\"b\":", "1", "-0", "2.5e3", "01", "1.", "true",
            "null", "tru", " ", "\n", "\\", "\\u", "\"\\ud83d\\ude00\"", "\"\\ud83d\"", "\"\\n\"", "é", "\u{1}",
            "{\"a\":1}", "[1,2]", "[]", "{}", ".", "e", "+", "-", "\u{feff}",
        ])
        .prop_map(str::to_owned),
        1 => "\\PC{0,3}",
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

fn any_json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(serde_json::Value::from),
        any::<i64>().prop_map(serde_json::Value::from),
        any::<f64>().prop_map(serde_json::Value::from),
        any::<String>().prop_map(serde_json::Value::from),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(serde_json::Value::from),
            prop::collection::vec((any::<String>(), inner), 0..6)
                .prop_map(|entries| { serde_json::Value::Object(entries.into_iter().collect()) }),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn accepts_what_serde_json_accepts(text in near_json()) {
        let ours = parse_lenient_keys(&text);
        match serde_json::from_str::<serde_json::Value>(&text) {
            Ok(value) => {
                let node = ours.map_err(|f| TestCaseError::fail(f.message))?;
                let again: serde_json::Value =
                    serde_json::from_str(&Value::from_node(&node).to_json()).unwrap();
                prop_assert_eq!(again, value);
            }
            // Of what serde_json refuses, a number beyond its range and a byte order mark are fine here.
            Err(error) => prop_assert!(
                ours.is_err()
                    || text.starts_with(BOM)
                    || error.to_string().contains("out of range"),
                "{text:?}"
            ),
        }
    }

    #[test]
    fn every_kind_of_document_comes_back(value in any_json(), pretty in any::<bool>()) {
        let compacted = serde_json::to_string(&value).unwrap();
        let text = if pretty { serde_json::to_string_pretty(&value).unwrap() } else { compacted.clone() };
        let node = parse(&text).map_err(|f| TestCaseError::fail(f.message))?;
        prop_assert_eq!(verbatim(&text, &node), &text);
        // Not `value` itself: serde_json reads some numbers as their neighbours.
        let expected: serde_json::Value = serde_json::from_str(&compacted).unwrap();
        let again: serde_json::Value =
            serde_json::from_str(&Value::from_node(&node).to_json()).unwrap();
        prop_assert_eq!(again, expected);
        prop_assert_eq!(compact(&text), compacted);
    }

    #[test]
    fn no_text_makes_it_panic_x37(text in any::<String>()) {
        let _ = parse(&text);
        let _ = compact(&text);
    }
}
