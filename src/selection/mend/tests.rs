use super::{Mend, Mended, coerced, mended, spelled};
use crate::diag::Rule;
use crate::genpkg::KwargType;
use crate::selection::Violation;
use crate::selection::decode::decode;
use crate::value::{Number, Value};

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

fn number(digits: &str) -> Value {
    Value::Number(Number::parse(digits).unwrap())
}

#[test]
fn a_value_is_respelled_only_where_the_type_leaves_no_choice_d16() {
    let cases = [
        (
            KwargType::List,
            text("a"),
            Some(Value::List(vec![text("a")])),
        ),
        (KwargType::Int, text(" 900 "), Some(number("900"))),
        (KwargType::Int, text("1.5"), None),
        (KwargType::Int, text("nine"), None),
        (KwargType::Bool, text("true"), Some(Value::Bool(true))),
        (KwargType::Bool, text("yes"), None),
        (KwargType::Bool, number("1"), None),
        (KwargType::String, number("12"), Some(text("12"))),
        (KwargType::Literal, Value::Bool(false), Some(text("false"))),
        (
            KwargType::Literal,
            Value::List(vec![text("a")]),
            Some(text("a")),
        ),
        (
            KwargType::String,
            Value::List(vec![text("a"), text("b")]),
            None,
        ),
        (KwargType::String, Value::Null, None),
        (
            KwargType::Literal,
            Value::Object(vec![
                ("type".to_owned(), text("literal")),
                ("description".to_owned(), text("a: 1")),
            ]),
            Some(text("a: 1")),
        ),
        (
            KwargType::Literal,
            Value::Object(vec![("a".to_owned(), text("1"))]),
            None,
        ),
    ];
    for (kind, value, expected) in cases {
        assert_eq!(coerced(kind, &value), expected, "{kind:?} {value:?}");
    }
}

#[test]
fn all_mends_of_an_invocation_are_applied_and_one_unclear_fault_hides_it_d24() {
    let answer = decode(
        r#"[{"action":"a","kwargs":{"x":1,"y":"2"}},{"action":"b","kwargs":{"x":1}},{"action":"c"}]"#,
    )
    .unwrap();
    let fault = |index: Option<usize>, mend: Option<Mend>| Violation {
        rule: Rule::KwargType,
        index,
        action: String::new(),
        kwarg: None,
        message: String::new(),
        mend: mend.map(Box::new),
    };
    let violations = [
        fault(Some(0), Some(Mend::Rename("x".to_owned(), "z".to_owned()))),
        fault(Some(0), Some(Mend::Bind("y".to_owned(), number("2")))),
        fault(Some(1), Some(Mend::LeaveOut)),
        fault(Some(1), None),
        fault(Some(2), Some(Mend::LeaveOut)),
        fault(Some(9), Some(Mend::LeaveOut)),
        fault(None, None),
    ];
    let all = mended(&answer, &violations);
    assert_eq!(all.keys().copied().collect::<Vec<_>>(), [0, 2]);
    let Mended::Reads(first) = &all[&0] else {
        panic!("the first is kept");
    };
    assert_eq!(spelled(first), r#"{"action":"a","kwargs":{"y":2,"z":1}}"#);
    assert!(matches!(all[&2], Mended::LeftOut));
}
