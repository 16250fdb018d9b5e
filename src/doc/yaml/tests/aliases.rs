//! Anchors, aliases, merge keys, and how far they may make a document grow.

use super::super::parse;
use super::{as_json, at, faults, one_fault, sound};
use crate::diag::Span;
use crate::value::Value;

#[test]
fn anchors_and_aliases() {
    let text = "a: &x {n: &y [1, \"\\n\"]}\nb: *x\nc: [*y, *x]\n&k key: *k\n*k : 2\n";
    let parsed = parse(text);
    assert_eq!(parsed.faults.len(), 1);
    assert_eq!(
        Value::from_node(&parsed.root.unwrap()).to_json(),
        r#"{"a":{"n":[1,"\n"]},"b":{"n":[1,"\n"]},"c":[[1,"\n"],{"n":[1,"\n"]}],"key":2}"#
    );
    let root = sound("a: &x [one]\nb: *x\n");
    assert_eq!(at(&root, "b").span, Span::new(15, 17));
    assert_eq!(at(&root, "b.0").span, at(&root, "a.0").span);
    // The nearest definition before the alias counts.
    assert_eq!(as_json("[&a 1, *a, &a 2, *a]"), "[1,1,2,2]");
    assert_eq!(
        one_fault("a: *b"),
        ("nothing is anchored as &b".into(), "*b")
    );
    assert!(parse("a: *b").root.is_none());
    let (message, place) = one_fault("&a [1, *a]");
    assert_eq!(
        message,
        "the alias stands inside the value that it refers to"
    );
    assert_eq!(place, "*a");
}

#[test]
fn merge_keys() {
    let base = "x: &x {a: 1, b: 2}\ny: &y {b: 3, c: 4}\n";
    for (text, merged) in [
        ("z: {<<: *x, d: 5}", r#"{"a":1,"b":2,"d":5}"#),
        ("z: {b: 9, <<: *x}", r#"{"b":9,"a":1}"#),
        ("z: {<<: [*x, *y], c: 0}", r#"{"a":1,"b":2,"c":0}"#),
        ("z: {<<: {q: 1}}", r#"{"q":1}"#),
        ("z: {'<<': 1}", r#"{"<<":1}"#),
    ] {
        let text = format!("{base}{text}\n");
        let root = sound(&text);
        assert_eq!(Value::from_node(at(&root, "z")).to_json(), merged, "{text}");
    }
    let through = "a: &a {p: 1}\nb: &b {<<: *a, q: 2}\nc: {<<: *b}\n";
    assert_eq!(
        Value::from_node(at(&sound(through), "c")).to_json(),
        r#"{"p":1,"q":2}"#
    );
    assert_eq!(
        one_fault("a: {<<: word}"),
        (
            "expected a map, or a list of maps, under the merge key <<, found the text \"word\""
                .into(),
            "word"
        )
    );
    // A fault of the merged map is told once.
    assert_eq!(faults("a: &a {p: 1, p: 2}\nb: *a\nc: {<<: *a}\n").len(), 1);
    assert_eq!(
        one_fault("a: {<<: {b: 1}, <<: {c: 2}}").0,
        "key \"<<\" is given twice"
    );
}

#[test]
fn aliases_are_bounded_x36() {
    let mut lines = vec!["a0: &a0 [x,x,x,x,x,x,x,x,x]\n".to_owned()];
    for n in 1..18 {
        let refs = vec![format!("*a{}", n - 1); 9].join(",");
        lines.push(format!("a{n}: &a{n} [{refs}]\n"));
    }
    let text = lines.concat();
    let (message, place) = one_fault(&text);
    assert_eq!(message, "the aliases make the document too large to read");
    assert_eq!(place, "*a16");
    assert!(parse(&text).root.is_none());
    // Long text counts by its length.
    let long = format!(
        "a: &a \"{}\\n\"\nb: [{}]\n",
        "x".repeat(1_000_000),
        vec!["*a"; 1000].join(",")
    );
    assert_eq!(faults(&long).len(), 1);
    // Aliases deepen the tree too.
    let mut lines = vec!["- &a0 [x]\n".to_owned()];
    for n in 1..200 {
        lines.push(format!("- &a{n} [*a{}]\n", n - 1));
    }
    let deep = lines.concat();
    assert_eq!(faults(&deep)[0].0, "nested deeper than 128 levels");
    // Honest use is far from the bounds, and a large file without aliases is none of their business.
    let many = format!(
        "a: &a {{k: v, l: w}}\nb: [{}]\n",
        vec!["*a"; 3000].join(",")
    );
    assert_eq!(at(&sound(&many), "b").list().unwrap().len(), 3000);
    assert!(
        sound(&format!("[{}]", vec!["1"; 1_200_000].join(",")))
            .list()
            .is_some()
    );
}
