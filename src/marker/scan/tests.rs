//! Where regions begin and end, and what lies outside them.

use super::*;

fn lua() -> Comments {
    Comments::new("--", None)
}

const FILE: &str = "a\n-- sedum:anchor:top\n  -- sedum:add:v {\"record\":\"R\"}\n-- sedum:anchor:in\n-- sedum:other\n\n  -- /sedum:add:v\n-- /sedum:stray\nb";

#[test]
fn lines_and_regions_with_their_places_c4() {
    let scanned = scan(&lua(), FILE).unwrap();
    let numbers: Vec<_> = scanned
        .skeleton_lines()
        .map(|l| (l.number, l.text))
        .collect();
    assert_eq!(
        numbers,
        [
            (1, "a"),
            (2, "-- sedum:anchor:top"),
            (8, "-- /sedum:stray"),
            (9, "b")
        ]
    );
    let region = scanned.regions().next().unwrap();
    assert_eq!(region.marker.label, Label::new("add", Some("v")));
    assert_eq!(region.marker.record.as_deref(), Some("R"));
    assert_eq!((region.line, region.last_line), (3, 7));
    assert_eq!(region.indent, "  ");
    assert_eq!(region.body, "-- sedum:anchor:in\n-- sedum:other\n\n");
    assert!(region.text.starts_with("  -- sedum:add:v {"));
    assert!(region.text.ends_with("\n  -- /sedum:add:v\n"));
    assert!(!scanned.final_newline && !scanned.bom);
}

#[test]
fn anchors_in_regions_do_not_count_i17() {
    let scanned = scan(&lua(), FILE).unwrap();
    assert_eq!(scanned.anchors().collect::<Vec<_>>(), ["top"]);
}

#[test]
fn an_empty_region_and_one_at_the_end() {
    let scanned = scan(
        &lua(),
        "-- sedum:a\n-- /sedum:a\n-- sedum:a\nx\n-- /sedum:a",
    )
    .unwrap();
    let bodies: Vec<_> = scanned.regions().map(|r| r.body).collect();
    assert_eq!(bodies, ["", "x\n"]);
    assert!(!scanned.final_newline);
}

#[test]
fn faults_name_label_and_line_m13_m15() {
    let fault = scan(&lua(), "x\n-- sedum:a:b\ny\n").unwrap_err();
    assert_eq!((fault.line(), fault.label().to_string()), (2, "a:b".into()));
    assert!(matches!(fault, ScanFault::Unclosed { .. }));

    let fault = scan(&lua(), "-- sedum:a:b\n\n-- /sedum:a\n").unwrap_err();
    let ScanFault::Mismatched {
        closing,
        closing_line,
        ..
    } = &fault
    else {
        panic!("{fault}");
    };
    assert_eq!((closing.to_string(), *closing_line), ("a".into(), 3));
    let shown = fault.to_string();
    assert!(
        shown.contains("a:b") && shown.contains('1') && shown.contains('3'),
        "{shown}"
    );

    let fault = scan(&lua(), "\n-- sedum:a [1]\n-- /sedum:a\n").unwrap_err();
    assert!(
        matches!(fault, ScanFault::Attributes { line: 2, .. }),
        "{fault}"
    );
    assert_eq!(fault.label().to_string(), "a");
}

#[test]
fn inside_a_region_openers_are_text_and_outside_closers_are_m16() {
    assert!(scan(&lua(), "-- sedum:a\n-- sedum:b {broken\n-- /sedum:a\n").is_ok());
    assert!(scan(&lua(), "-- /sedum:a\n-- /sedum:b\n").is_ok());
    // The inner opener opens nothing, so its closer is the first one that the outer region meets.
    let nested = "-- sedum:a\n-- sedum:b\n-- /sedum:b\n-- /sedum:a\n";
    assert!(matches!(
        scan(&lua(), nested),
        Err(ScanFault::Mismatched { .. })
    ));
    // An anchor's label never closes anything (M11).
    assert!(scan(&lua(), "-- sedum:a\n-- /sedum:anchor:x\n-- /sedum:a\n").is_ok());
}

#[test]
fn endings_and_the_byte_order_mark_c6_c12() {
    for (text, ending) in [
        ("", Ending::Lf),
        ("a", Ending::Lf),
        ("a\r", Ending::Lf),
        ("a\n\r\n", Ending::Lf),
        ("\r\na\n", Ending::CrLf),
        ("\u{feff}\r\n", Ending::CrLf),
    ] {
        assert_eq!(scan(&lua(), text).unwrap().ending, ending, "{text:?}");
    }
    let scanned = scan(&lua(), "\u{feff}-- sedum:anchor:a\r\nb\rc\n\r\n").unwrap();
    assert!(scanned.bom && scanned.final_newline);
    let lines: Vec<_> = scanned
        .skeleton_lines()
        .map(|l| (l.text, l.ending))
        .collect();
    assert_eq!(
        lines,
        [("-- sedum:anchor:a", "\r\n"), ("b\rc", "\n"), ("", "\r\n")]
    );
    assert!(!scan(&lua(), "").unwrap().final_newline);
    assert_eq!(Ending::CrLf.applied("a\nb\r\nc"), "a\r\nb\r\nc");
    assert_eq!(Ending::Lf.applied("a\r\nb\rc"), "a\nb\rc");
}

#[test]
fn patterns_see_the_skeleton_with_lf_c6_i7_i17() {
    let text = "one\r\n-- sedum:a\r\ntwo\r\n-- /sedum:a\r\n\r\nthree";
    let skeleton = scan(&lua(), text).unwrap().skeleton();
    assert_eq!(skeleton.text, "one\n\nthree");
    let lines: Vec<_> = (0..=11).map(|at| skeleton.line_at(at)).collect();
    let expected = [0, 0, 0, 0, 1, 2, 2, 2, 2, 2, 2].map(Some);
    assert_eq!(lines.get(..11), Some(&expected[..]));
    assert_eq!(lines.last(), Some(&None));
    // A match that ends with a line break ends on the line that it breaks.
    assert_eq!(skeleton.lines_of(0..4), (Some(0), Some(0)));
    assert_eq!(skeleton.lines_of(4..4), (Some(1), Some(1)));
    assert_eq!(skeleton.lines_of(2..6), (Some(0), Some(2)));
    let ended = scan(&lua(), "a\n").unwrap().skeleton();
    assert_eq!(ended.line_at(2), None);
    assert_eq!(scan(&lua(), "").unwrap().skeleton().line_at(0), None);
}

#[test]
fn without_a_comment_shape_every_line_is_plain_s13() {
    for text in ["", "\u{feff}a\r\n-- sedum:a\n", FILE] {
        let none = scan_as(&Comments::new("", None), text, OpenLine::check).unwrap();
        assert_eq!(scan_plain(text), none);
        assert_eq!(none.regions().count() + none.anchors().count(), 0);
    }
}
