//! What attributes say, and how they are written.

use super::super::{Comments, Line};
use super::*;
use crate::value::Number;

fn encoded(marker: &Marker) -> String {
    let mut json = String::new();
    encode(marker.into(), &mut json);
    json
}

fn parsed(attributes: &str) -> Result<Marker, AttributeFault> {
    let line = format!("  # sedum:add:v {attributes}");
    match Comments::new("#", None).read(&line) {
        Line::Open(open) => {
            let parsed = open.parse();
            assert_eq!(open.check(), parsed.clone().map(drop), "{attributes}");
            parsed
        }
        other => panic!("{other:?}"),
    }
}

fn plain() -> Marker {
    Marker::new(Label::new("add", Some("v")))
}

fn text(t: &str) -> Value {
    Value::Text(t.to_owned())
}

#[test]
fn no_attributes_are_all_defaults_m12_m13() {
    for attributes in ["", "   ", "{}", " { } ", "{\"tier\":null,\"record\":null}"] {
        assert_eq!(parsed(attributes).unwrap(), plain(), "{attributes:?}");
    }
    let empty = "{\"record\":\"\",\"writer\":\"\",\"kwargs\":null}";
    assert_eq!(parsed(empty).unwrap(), plain());
}

#[test]
fn modelled_keys_are_read_and_others_carried_m3_m13() {
    let marker = parsed(
        "{\"z\": [1.0, {\"b\": 1, \"a\": \"\\u00e9 x\"}], \"kwargs\":{\"n\":1.50,\"f\":{\"b\":null,\"a\":true}}, \
         \"tier\":\"seeded\", \"TIER\":\"x\", \"record\":\"R-1\", \"writer\":\"mender\"}",
    )
    .unwrap();
    assert_eq!(marker.tier, Tier::Seeded);
    assert_eq!(marker.record.as_deref(), Some("R-1"));
    assert_eq!(marker.writer.as_deref(), Some("mender"));
    assert_eq!(
        marker.kwargs.get("n"),
        Some(&Value::Number(Number::parse("1.5").unwrap()))
    );
    assert_eq!(marker.kwargs["n"].to_json(), "1.50");
    assert_eq!(marker.kwargs["f"].to_json(), "{\"b\":null,\"a\":true}");
    assert_eq!(
        marker.carried,
        [
            ("TIER".to_owned(), "\"x\"".to_owned()),
            (
                "z".to_owned(),
                "[1.0,{\"b\":1,\"a\":\"\\u00e9 x\"}]".to_owned()
            ),
        ]
    );
}

#[test]
fn of_a_repeated_key_the_last_counts_j10() {
    let marker = parsed(
        "{\"tier\":3,\"x\":1,\"tier\":\"seeded\",\"\\u0078\":2,\"kwargs\":{\"a\":1,\"a\":2}}",
    )
    .unwrap();
    assert_eq!(marker.tier, Tier::Seeded);
    assert_eq!(marker.carried, [("x".to_owned(), "2".to_owned())]);
    assert_eq!(marker.kwargs["a"].to_json(), "2");
}

#[test]
fn a_carried_value_is_not_looked_into_m20() {
    let deep = format!("{}{}", "[".repeat(5000), "]".repeat(5000));
    let value = format!("{{\"a\":\"\\ud800\",\"a\":{deep}}}");
    let marker = parsed(&format!("{{\"k\":{value}}}")).unwrap();
    assert_eq!(marker.carried, [("k".to_owned(), value)]);
}

#[test]
fn unreadable_attributes_name_label_and_column_m13() {
    for (attributes, column) in [
        ("[1]", 17),
        ("\"x\"", 17),
        ("see below", 17),
        ("{\"tier\":\"owned\"} x", 34),
        ("{\"é\":1,}", 24),
        ("{\"tier\":3}", 25),
        ("{\"record\":[]}", 27),
        ("{\"writer\":true}", 27),
        ("{\"kwargs\":[]}", 27),
        ("{\"kwargs\":\"x\"}", 27),
    ] {
        let fault = parsed(attributes).unwrap_err();
        assert_eq!(fault.label, Label::new("add", Some("v")), "{attributes}");
        assert_eq!(fault.column, column, "{attributes}: {fault}");
        assert!(fault.to_string().contains("add:v"), "{fault}");
    }
    for broken in [
        "{",
        "{\"a\":",
        "{\"a\":\"\u{1}\"}",
        "{'a':1}",
        "{\"\\ud800\":1}",
    ] {
        assert!(parsed(broken).is_err(), "{broken}");
    }
    let deep = format!(
        "{{\"kwargs\":{{\"a\":{}1{}}}}}",
        "[".repeat(200),
        "]".repeat(200)
    );
    assert!(parsed(&deep).is_err());
}

#[test]
fn attributes_are_written_in_order_m3_m4_m6() {
    let mut marker = plain();
    assert_eq!(encoded(&marker), "{\"tier\":\"owned\"}");
    marker.record = Some(String::new());
    marker.writer = Some(String::new());
    assert_eq!(encoded(&marker), "{\"tier\":\"owned\"}");
    marker.tier = Tier::Other("frozen".into());
    marker.record = Some("R".into());
    marker.writer = Some("w".into());
    marker.kwargs.insert("b".into(), text("<&>\u{2028}\u{7f}"));
    marker.kwargs.insert("Z".into(), Value::Bool(true));
    marker.carried = vec![("k".into(), "[1]".into()), ("A".into(), "1e3".into())];
    assert_eq!(
        encoded(&marker),
        "{\"tier\":\"frozen\",\"record\":\"R\",\"writer\":\"w\",\
         \"kwargs\":{\"Z\":true,\"b\":\"<&>\\u2028\u{7f}\"},\"A\":1e3,\"k\":[1]}"
    );
}

#[test]
fn a_carried_key_with_a_modelled_name_is_left_out_m19() {
    let mut marker = plain();
    marker.carried = MODELLED
        .iter()
        .map(|key| ((*key).to_owned(), "1".to_owned()))
        .collect();
    assert_eq!(encoded(&marker), "{\"tier\":\"owned\"}");
}

#[test]
fn usual_attributes_are_sound() {
    for (attributes, usual) in [
        (r#"{"tier":"owned"}"#, true),
        (
            r#"{"tier":"owned","record":"R 1","kwargs":{"a":"","b":"x y"}}"#,
            true,
        ),
        (
            r#"{"kwargs":{"kwargs":"a"},"kwargs":{"a":"b"},"more":"~"}"#,
            true,
        ),
        ("{}", false),
        ("", false),
        (r#"{"tier":"owned"} "#, false),
        (r#"{"tier":"owned",}"#, false),
        (r#"{"tier":"owned""record":"R"}"#, false),
        (r#"{"tier":"owned"}}"#, false),
        (r#"{"tier":"owned""#, false),
        (r#"{"tier":owned}"#, false),
        (r#"{"tier":{"a":"b"}}"#, false),
        (r#"{"kwargs":"a"}"#, false),
        (r#"{"kwargs":{"a":{"b":"c"}}}"#, false),
        (r#"{"a":"\n"}"#, false),
        (r#"{"a":"é"}"#, false),
        ("{\"a\":\"\t\"}", false),
    ] {
        assert_eq!(is_usual(attributes.as_bytes()), usual, "{attributes}");
        assert!(!usual || parsed(attributes).is_ok(), "{attributes}");
    }
}
