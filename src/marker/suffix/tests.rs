//! Where the suffix is broken, and which suffixes cannot be.

use std::slice::from_ref;

use super::*;

fn kept(json: &str, suffix: &str) -> String {
    kept_out(" sedum:add ", json, &[], suffix)
}

#[test]
fn the_first_character_becomes_an_escape_m5() {
    for (json, suffix, expected) in [
        (r#"{"a":"x*)y*)"}"#, "*)", r#"{"a":"x\u002a)y\u002a)"}"#),
        (r#"{"a":"***)"}"#, "*)", r#"{"a":"**\u002a)"}"#),
        (r#"{"*)":["*)"]}"#, "*)", r#"{"\u002a)":["\u002a)"]}"#),
        (r#"{"a":"|#"}"#, "|#", r#"{"a":"\u007c#"}"#),
        (r#"{"a":"x]]]"}"#, "]]", r#"{"a":"x\u005d\u005d]"}"#),
        (r#"{"a":"😀!"}"#, "😀!", r#"{"a":"\ud83d\ude00!"}"#),
        (r#"{"a":"é"}"#, "é", r#"{"a":"\u00e9"}"#),
        (r#"{"a":"\\\\"}"#, r"\\", r#"{"a":"\u005c\u005c"}"#),
        (r#"{"a":"x\ny"}"#, r"\n", r#"{"a":"x\u000ay"}"#),
        (r#"{"a":"x\ny"}"#, "ny", r#"{"a":"x\u000ay"}"#),
        (r#"{"a":"say \"x"}"#, "\"x", r#"{"a":"say \u0022x"}"#),
        (r#"{"a":"b-"}"#, "-\"", r#"{"a":"b\u002d"}"#),
        (r#"{"a":"-"}"#, "-->", r#"{"a":"-"}"#),
    ] {
        assert_eq!(kept(json, suffix), expected, "{suffix}");
    }
}

#[test]
fn where_the_first_character_cannot_become_one_the_next_does_m5() {
    assert_eq!(
        kept("{\"a\":\"\\u000end\"}", "end"),
        "{\"a\":\"\\u000e\\u006ed\"}"
    );
    assert_eq!(kept(r#"{"a":"b"}"#, "\"b"), r#"{"a":"\u0062"}"#);
}

#[test]
fn outside_strings_a_space_parts_two_characters_m5() {
    for (json, suffix, expected) in [
        (r#"{"a":{"b":1}}"#, "}}", r#"{"a":{"b":1} }"#),
        (r#"{"a":{"b":[]}}"#, "]}}", r#"{"a":{"b":[] }}"#),
        (
            r#"{"a":{"b":{"c":{}}}}"#,
            "}}",
            r#"{"a":{"b":{"c":{} } } }"#,
        ),
        (r#"{"a":"b","c":1}"#, "\",", r#"{"a":"b" ,"c":1}"#),
        (r#"{"a":"b"}"#, ":\"", r#"{"a": "b"}"#),
        (r#"{"a":true}"#, "e}", r#"{"a":true }"#),
        (r#"{"a":{"b":1}}"#, "}} }", r#"{"a":{"b":1} }"#),
        (r#"{"a":"}}"}"#, "}}", r#"{"a":"\u007d}"}"#),
    ] {
        assert_eq!(kept(json, suffix), expected, "{suffix}");
    }
}

#[test]
fn carried_strings_stay_verbatim_and_what_is_around_them_parts_m5() {
    let json = r#"{"t":1,"k":{"a":"}}*)","b":{}}}"#;
    let carried = 11..30;
    assert_eq!(&json[11..30], r#"{"a":"}}*)","b":{}}"#);
    let kept = |suffix| kept_out(" sedum:add ", json, from_ref(&carried), suffix);
    assert_eq!(kept("*)"), json);
    assert_eq!(kept("}}"), r#"{"t":1,"k":{"a":"}}*)","b":{} } }"#);
}

#[test]
fn usual_suffixes_can_be_broken() {
    for suffix in [
        "-->", "*/", "*)", "#}", "%>", "]]>", "--%>", "}}", "--}}", "*}", "]]", "|#", "=#", "-}",
        "#>", "\"\"\"", "'''", "=cut", "=end", "*#", "+/", "--", "%}", "end", "!>", "###", "*@",
        "-->}}", "#", ">", "*", "%", "!",
    ] {
        assert!(is_breakable("(", suffix), "{suffix}");
    }
}

#[test]
fn suffixes_that_neither_can_break() {
    for suffix in [
        "{", "}", "[", "]", ":", ",", "\"", "\"\"", "\\", "1", "-", ".", "e", "E", "+", "-1", "e-",
        "1.", "00", "tr", "ue", "false", "null", "nu", "u00", "\\u00", "s", "sedum:", "dum", "/",
        "/s", "} }", "} } }", "u2028", "b", "u0001\"", "0e", "1.5e3",
    ] {
        assert!(!is_breakable("(", suffix), "{suffix}");
    }
    // HTML and others let the end overlap the beginning.
    assert!(!is_breakable("<!", "! s"));
    assert!(is_breakable("\"\"\"", "\"\"\""));
    assert!(is_breakable("%%", "%%"));
}
