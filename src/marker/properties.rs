//! Properties of the codec that hold for whatever it is given.

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;

use super::*;
use crate::value::{Number, Value};

fn text() -> impl Strategy<Value = String> {
    let nasty = proptest::sample::select(vec![
        "*)", "***)", "}}", "}}}", "-->", "\"", "\\", "\n", "\r", "\t", "\u{1}", "\u{1b}", "\u{e}",
        "\u{8}", "\u{c}", "\u{2028}", "\u{7f}", "u0", "0", "é", "😀", " ", "end", "]]", "a", ":",
        ",", "",
    ]);
    prop_oneof![
        3 => vec(nasty, 0..6).prop_map(|parts| parts.concat()),
        1 => any::<String>(),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let number = proptest::sample::select(vec![
        "0",
        "-1",
        "1.50",
        "1e3",
        "-0",
        "9007199254740993",
        "12345678901234567890123",
        "2E+7",
        "1e-9",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        number.prop_map(|n| Value::Number(Number::parse(n).unwrap())),
        text().prop_map(Value::Text),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::List),
            btree_map(text(), inner, 0..4)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

fn marker() -> impl Strategy<Value = Marker> {
    let label = proptest::sample::select(vec![
        ("add", None),
        ("a-b.c_9", Some("v:w")),
        ("x", Some("é{}")),
    ]);
    let tier = proptest::sample::select(vec!["owned", "seeded", "frozen", ""]);
    let some = || proptest::option::of(text().prop_filter("empty is none", |t| !t.is_empty()));
    let carried = btree_map(
        text().prop_filter("modelled", |k| !MODELLED.contains(&k.as_str())),
        value().prop_map(|v| v.to_json()),
        0..3,
    );
    (
        label,
        tier,
        some(),
        some(),
        btree_map(text(), value(), 0..4),
        carried,
    )
        .prop_map(
            |((action, variant), tier, record, writer, kwargs, carried)| Marker {
                label: Label::new(action, variant),
                tier: Tier::parse(tier),
                record,
                writer,
                kwargs: kwargs.into_iter().collect(),
                carried: carried.into_iter().collect(),
            },
        )
}

fn read(comments: &Comments, line: &str) -> Marker {
    match comments.read(line) {
        Line::Open(open) => open
            .parse()
            .unwrap_or_else(|fault| panic!("{line}: {fault}")),
        other => panic!("{line}: {other:?}"),
    }
}

/// Where the suffix first stands in a marker line behind the prefix, counted from the line's end.
fn closes(comments: &Comments, line: &str) -> usize {
    let body = line.strip_prefix(comments.prefix()).unwrap();
    let suffix = comments.suffix().unwrap();
    body.len() - body.find(suffix).unwrap() - suffix.len()
}

/// The kinds of values that a suffix can hide in.
fn witnesses(suffix: &str) -> Vec<Marker> {
    let mut texts: Vec<String> = [
        "",
        "\"",
        "\\",
        "\\\\",
        "\u{b}",
        "\u{2028}",
        "\u{2029}",
        "\n\r\t\u{8}\u{c}",
    ]
    .map(str::to_owned)
    .to_vec();
    texts.extend(('\0'..' ').flat_map(|c| [format!("{c}{suffix}"), c.to_string()]));
    texts.extend([suffix.to_owned(), suffix.repeat(3), format!("\\{suffix}")]);
    texts.extend((0..=9).map(|n| n.to_string()));
    let mut values: Vec<Value> = texts.iter().map(|t| Value::Text(t.clone())).collect();
    let numbers = [
        "-1",
        "1.1",
        "1e1",
        "1E1",
        "1e+1",
        "1E-10",
        "-0.5",
        "1234567890",
        "0",
        "10",
        "1e05",
        "1.00",
    ];
    values.extend(numbers.map(|n| Value::Number(Number::parse(n).unwrap())));
    // Every number that holds the suffix in some place.
    values.extend(["", "1", "1.1", "1e", "1e1"].iter().flat_map(|before| {
        ["", "1"].iter().filter_map(move |after| {
            let spelt = format!("{before}{suffix}{after}");
            let is_json =
                serde_json::from_str::<f64>(&spelt).is_ok() && !spelt.contains(char::is_whitespace);
            is_json.then(|| Value::Number(Number::parse(&spelt).unwrap()))
        })
    }));
    values.extend([Value::Bool(true), Value::Bool(false), Value::Null]);
    values.extend([
        Value::List(vec![]),
        Value::Object(vec![]),
        Value::List(vec![Value::List(vec![])]),
    ]);
    values.push(Value::Object(vec![("a".into(), Value::Object(vec![]))]));
    let mut marker = Marker::new(Label::new("x", None));
    let mut markers = vec![marker.clone()];
    for value in values {
        marker.kwargs = [("k".to_owned(), value.clone())].into();
        markers.push(marker.clone());
        marker.kwargs = [("k".to_owned(), Value::List(vec![value.clone(), value]))].into();
        markers.push(marker.clone());
    }
    markers
}

fn is_kept_out_of(comments: &Comments, marker: &Marker) -> bool {
    let line = comments.open_line("", marker);
    let close = comments.close_line("", &marker.label);
    closes(comments, &line) == 0 && closes(comments, &close) == 0
}

/// M5: for every suffix of one or two of the characters that matter, the load check is right both ways.
#[test]
fn unusable_suffixes_are_exactly_those_that_some_marker_cannot_keep_out() {
    let alphabet: Vec<char> = "{}[]:,\"\\/u02a9bdefnrtlsm.+-E*>é".chars().collect();
    let single = alphabet.iter().map(char::to_string);
    let double = alphabet
        .iter()
        .flat_map(|a| alphabet.iter().map(move |b| format!("{a}{b}")));
    let wrong: Vec<String> = single
        .chain(double)
        .filter(|suffix| {
            let comments = Comments::new("(", Some(suffix));
            let works = witnesses(suffix)
                .iter()
                .all(|marker| is_kept_out_of(&comments, marker));
            Comments::suffix_is_breakable("(", suffix) != works
        })
        .collect();
    assert_eq!(wrong, [""; 0]);
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 100_000, ..ProptestConfig::default() })]

    /// M3-M6, M10, M13: what is written is read back, and writing that gives the same line.
    #[test]
    fn a_marker_survives_writing_and_reading(
        marker in marker(),
        shape in proptest::sample::select(vec![
            ("#", None), ("//", None), ("<!--", Some("-->")), ("(*", Some("*)")), ("{{!", Some("}}")),
            ("--[[", Some("]]")), ("\"\"\"", Some("\"\"\"")), ("=begin", Some("end")), ("<", Some(">")),
        ]),
    ) {
        let comments = Comments::new(shape.0, shape.1);
        let line = comments.open_line(" \t", &marker);
        let back = read(&comments, &line);
        prop_assert_eq!(&back, &marker, "{}", &line);
        prop_assert_eq!(comments.open_line(" \t", &back), line);
    }

    /// M5: no suffix that loads ends a marker early, and none changes a value.
    #[test]
    fn no_usable_suffix_stands_inside_a_marker(
        mut marker in marker(),
        suffix in prop_oneof![
            "[-{}\\[\\]:,\"\\\\/u02a9bdefnrt.+*> é]{1,4}",
            "[}\\] \"]{2,7}",
            "[-*#%>!]{1,3}",
        ],
    ) {
        let comments = Comments::new("(", Some(&suffix));
        prop_assume!(comments.suffix().is_some_and(|s| Comments::suffix_is_breakable("(", s)));
        prop_assume!(comments.label_fits(&marker.label));
        let line = comments.open_line("", &marker);
        prop_assert_eq!(&read(&comments, &line), &marker, "{}", &line);
        prop_assert_eq!(comments.open_line("", &read(&comments, &line)), line);
        // Carried strings may hold it; without them nothing may.
        marker.carried.clear();
        let line = comments.open_line("", &marker);
        prop_assert_eq!(closes(&comments, &line), 0, "{} {:?}", &line, &suffix);
    }

    /// C4, C12: the elements one after another are the text, whatever it holds, and no text makes a panic.
    #[test]
    fn a_scan_loses_no_byte(
        parts in vec(proptest::sample::select(vec![
            "\u{feff}", "a", " ", "\t", "\n", "\r\n", "\r", "# sedum:a\n", "#sedum:a {\"k\":1}\r\n", "# /sedum:a\n",
            "  # /sedum:a\r\n", "# /sedum:b\n", "# sedum:anchor:x\n", "# sedum:", "# /sedum:a", "{", "é",
        ]), 0..30),
    ) {
        let text = parts.concat();
        if let Ok(scanned) = scan(&Comments::new("#", None), &text) {
            let mut back = String::from(if scanned.bom { "\u{feff}" } else { "" });
            let mut number = 1;
            for element in &scanned.elements {
                match element {
                    Element::Line(line) => {
                        prop_assert_eq!(line.number, number);
                        number += 1;
                        back.push_str(line.text);
                        back.push_str(line.ending);
                    }
                    Element::Region(region) => {
                        prop_assert_eq!(region.line, number);
                        prop_assert_eq!(region.text.lines().count(), region.last_line + 1 - region.line);
                        number = region.last_line + 1;
                        back.push_str(region.text);
                    }
                }
            }
            prop_assert_eq!(back, text);
        }
    }

    /// I13: a body without a marker line leaves its region readable; one with such a line is told.
    #[test]
    fn a_sound_body_keeps_its_region(
        parts in vec(proptest::sample::select(vec![
            "a", " ", "\n", "\r\n", "\r", "# sedum:a", "#/sedum:a ", "# /sedum:b", "# sedum:anchor:x", "# sedum:", "*",
        ]), 0..12),
    ) {
        let comments = Comments::new("#", None);
        let body = parts.concat();
        let label = Label::new("a", None);
        let open = comments.open_line("", &Marker::new(label.clone()));
        let text = format!("{open}\n{body}\n{}\n", comments.close_line("", &label));
        if body_marker(&comments, &body).is_none() {
            let scanned = scan(&comments, &text).unwrap();
            prop_assert_eq!(scanned.elements.len(), 1);
            prop_assert_eq!(scanned.regions().next().map(|r| r.body), Some(&*format!("{body}\n")));
        }
    }
}
