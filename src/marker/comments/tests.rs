//! What single lines are, and how they are spelt.

use super::*;
use crate::marker::{Label, Marker};

fn hash() -> Comments {
    Comments::new("#", None)
}

fn html() -> Comments {
    Comments::new("<!--", Some("-->"))
}

fn opened<'a>(comments: &Comments, line: &'a str) -> Option<(String, &'a str)> {
    match comments.read(line) {
        Line::Open(open) => Some((open.label.to_string(), open.attributes)),
        _ => None,
    }
}

fn closed(comments: &Comments, line: &str) -> Option<String> {
    match comments.read(line) {
        Line::Close(label) => Some(label.to_string()),
        _ => None,
    }
}

#[test]
fn an_opening_line_may_be_indented_and_glued_m10() {
    for line in [
        "# sedum:add:v {}",
        "\t #sedum:add:v   {} ",
        "#\t  sedum:add:v {}\r",
    ] {
        assert_eq!(
            opened(&hash(), line),
            Some(("add:v".into(), "{}")),
            "{line:?}"
        );
    }
    assert_eq!(opened(&hash(), "# sedum:add"), Some(("add".into(), "")));
}

#[test]
fn a_label_ends_at_white_space_only_m1() {
    assert_eq!(
        opened(&hash(), "# sedum:add:{x} {}"),
        Some(("add:{x}".into(), "{}"))
    );
    assert_eq!(
        opened(&hash(), "# sedum:add\t{}"),
        Some(("add".into(), "{}"))
    );
}

#[test]
fn other_text_is_no_marker_m8_m10_m17() {
    for line in [
        "",
        "#",
        "# sedum",
        "# sedum: text",
        "# sedum::v",
        "// sedum:add",
        "## sedum:add",
        "x # sedum:add",
        "# Sedum:add",
        "# / sedum:add",
        "# /sedum: add",
    ] {
        assert_eq!(hash().read(line), Line::Text, "{line:?}");
    }
}

#[test]
fn a_suffix_comes_off_first_and_may_be_missing_m10() {
    for line in [
        "<!-- sedum:add {} -->",
        "<!--sedum:add {}-->",
        "<!-- sedum:add {}",
    ] {
        assert_eq!(
            opened(&html(), line),
            Some(("add".into(), "{}")),
            "{line:?}"
        );
    }
    for line in [
        "<!-- /sedum:add -->",
        "<!--/sedum:add-->",
        " <!-- /sedum:add",
    ] {
        assert_eq!(closed(&html(), line), Some("add".into()), "{line:?}");
    }
    assert_eq!(
        Comments::new("/*", Some("*/")).read("/*/ sedum:add"),
        Line::Text
    );
    assert_eq!(
        opened(&html(), "<!-- sedum:add {\"a\":\"-->\"} -->"),
        Some(("add".into(), "{\"a\":\"-->\"}"))
    );
}

#[test]
fn an_anchor_is_all_of_its_line_f21() {
    for (line, name) in [
        ("# sedum:anchor:a", "a"),
        ("  #sedum:anchor:A-b_c.9  ", "A-b_c.9"),
        ("#\tsedum:anchor:a\r", "a"),
    ] {
        assert_eq!(hash().read(line), Line::Anchor(name), "{line:?}");
        assert!(!malformed_anchor(line, &hash()));
    }
    for line in [
        "# sedum:anchor:",
        "# sedum:anchor:a b",
        "x # sedum:anchor:a",
        "// sedum:anchor:a",
        "# sedum:anchor:é",
        "# sedum:anchor:a -->",
        "# sedum:anchor:a {}",
        "# /sedum:anchor:a",
    ] {
        assert_eq!(hash().read(line), Line::Text, "{line:?}");
        assert!(malformed_anchor(line, &hash()), "{line:?}");
    }
    for line in [
        "<!-- sedum:anchor:a -->",
        "<!-- sedum:anchor:a-->",
        "<!-- sedum:anchor:a",
    ] {
        assert_eq!(html().read(line), Line::Anchor("a"), "{line:?}");
    }
    assert!(malformed_anchor("<!-- sedum:anchor:a --> x", &html()));
    assert!(!malformed_anchor("# sedum:anchors:a", &hash()));
}

#[test]
fn without_a_prefix_nothing_is_a_comment_s13() {
    for prefix in ["", "  "] {
        let none = Comments::new(prefix, None);
        assert_eq!(none.read("sedum:add {}"), Line::Text);
        assert_eq!(none.read(" sedum:anchor:a"), Line::Text);
        assert!(!none.is_comment("# x"));
        assert!(none.is_structural("# x"));
    }
}

#[test]
fn lines_that_count_c5() {
    for line in ["code", "  # sedum:anchor:a", "x # y"] {
        assert!(hash().is_structural(line), "{line:?}");
    }
    for line in ["", " \t", "# note", "  #", "# sedum:anchor:a b"] {
        assert!(!hash().is_structural(line), "{line:?}");
    }
}

#[test]
fn lines_are_spelt_with_prefix_and_suffix_m1_m9_f20() {
    let marker = Marker::new(Label::new("add", Some("v")));
    assert_eq!(
        hash().open_line("\t ", &marker),
        "\t # sedum:add:v {\"tier\":\"owned\"}"
    );
    assert_eq!(hash().close_line("  ", &marker.label), "  # /sedum:add:v");
    assert_eq!(hash().anchor_line(" ", "a"), " # sedum:anchor:a");
    assert_eq!(
        html().open_line("", &marker),
        "<!-- sedum:add:v {\"tier\":\"owned\"} -->"
    );
    assert_eq!(
        html().close_line(" ", &marker.label),
        " <!-- /sedum:add:v -->"
    );
    assert_eq!(html().anchor_line("", "a"), "<!-- sedum:anchor:a -->");
    let blank = Comments::new("#", Some(" "));
    assert_eq!(blank.close_line("", &marker.label), "# /sedum:add:v");
}

#[test]
fn white_space_around_prefix_and_suffix_is_not_looked_for() {
    let padded = Comments::new(" REM ", Some("  END "));
    let line = padded.close_line("  ", LabelRef::new("add", None));
    assert_eq!(line, "  REM  /sedum:add END");
    assert_eq!(closed(&padded, &line), Some("add".into()));
}

#[test]
fn a_label_must_not_hold_the_suffix_a16() {
    let dashes = Comments::new("--", Some("--"));
    assert!(dashes.label_fits(LabelRef::new("add", Some("a-b"))));
    assert!(!dashes.label_fits(LabelRef::new("add", Some("a--b"))));
    assert!(!dashes.label_fits(LabelRef::new("a--b", None)));
    // ` sedum:add:x {`: a suffix that reaches from the label into the attributes closes early as well.
    let wide = Comments::new("(", Some("x {"));
    assert!(!wide.label_fits(LabelRef::new("add", Some("x"))));
    assert!(wide.label_fits(LabelRef::new("add", Some("y"))));
    assert!(hash().label_fits(LabelRef::new("a--b", Some("*/"))));
}

#[test]
fn a_body_that_reads_as_a_marker_is_found_i13() {
    let find = |body: &str| body_marker(&hash(), body);
    assert_eq!(find("x\n  #sedum:add:v {\"tier\":\ny"), Some(1));
    assert_eq!(find("x\r\n# /sedum:other\r\n"), Some(1));
    assert_eq!(find("# sedum:add"), Some(0));
    assert_eq!(
        find("# sedum:anchor:a\n// sedum:add\nx # sedum:add\n# sedum: x\n"),
        None
    );
    assert_eq!(find(""), None);
    assert_eq!(
        body_marker(&html(), "a\n<!-- /sedum:add -->\n# sedum:add"),
        Some(1)
    );
}
