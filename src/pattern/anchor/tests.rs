//! Tests of anchor patterns.

use super::*;
use proptest::prelude::*;

fn found(pattern: &str, text: &str) -> Option<String> {
    let pattern = AnchorPattern::compile(pattern).unwrap();
    pattern.find(text).map(|range| text[range].to_owned())
}

fn fault(pattern: &str) -> AnchorFault {
    AnchorPattern::compile(pattern).unwrap_err()
}

#[test]
fn a31_shorthands_know_ascii_only() {
    for (pattern, text, expected) in [
        (
            r"class \w+ \{",
            "class Café {\nclass Plain {",
            Some("class Plain {"),
        ),
        (r"class Caf. \{", "class Café {", Some("class Café {")),
        (r"[\w]+", "éa1_é", Some("a1_")),
        (r"\d+", "٣3", Some("3")),
        (r"[^\d]", "٣", Some("٣")),
        (r"\W", "é", Some("é")),
        (r"[\W]", "aé", Some("é")),
        (r"[^\W]+", "éab", Some("ab")),
        (r"\D", "1٣", Some("٣")),
        (r"\s", "\u{a0}\u{b}", None),
        (r"\S", "\u{a0}", Some("\u{a0}")),
        (r"[[:space:]]", "\u{b}", Some("\u{b}")),
        (r"[[:word:]]+", "éa_", Some("a_")),
        (r"[[:^word:]]", "aé", Some("é")),
        (r"[[:alpha:][:digit:]]+", "éb2", Some("b2")),
        (r"\bx", "éx", Some("x")),
        (r"\Bx", "éx", None),
        (r"x\b", "xé", Some("x")),
        (r"[^a]", "é", Some("é")),
        (r"(?i)É", "é", Some("é")),
        (r"\pL+", "éa1", Some("éa")),
        (r"\p{Greek}", "aα", Some("α")),
        (r"[\P{L}]", "a1", Some("1")),
    ] {
        assert_eq!(
            found(pattern, text).as_deref(),
            expected,
            "{pattern} in {text:?}"
        );
    }
}

#[test]
fn a31_spellings_of_re2_are_read() {
    for (pattern, text, expected) in [
        (r"class App {", "class App {", Some("class App {")),
        (r"a{,2}", "a{,2}", Some("a{,2}")),
        (r"a{02}", "a{02}", Some("a{02}")),
        (r"a{2}", "aaa", Some("aa")),
        (r"a{1,2}?b", "aaab", Some("aab")),
        (r"a{2,}", "aaa", Some("aaa")),
        (r"{", "{", Some("{")),
        (r"}]", "}]", Some("}]")),
        (r"\Qa.b*\E+", "a.b**", Some("a.b**")),
        (r"\Q[x](", "[x](", Some("[x](")),
        (r"\<b\>", "<b>", Some("<b>")),
        (r"\_\-\/", "_-/", Some("_-/")),
        (r"\x41\x{e9}\101\07", "AéA\u{7}", Some("AéA\u{7}")),
        (
            r"\a\f\t\n\r\v",
            "\u{7}\u{c}\t\n\r\u{b}",
            Some("\u{7}\u{c}\t\n\r\u{b}"),
        ),
        (r"[]a]+", "]a", Some("]a")),
        (r"[^]a]+", "]b", Some("b")),
        (r"[[]", "[", Some("[")),
        (r"[a[b]", "[", Some("[")),
        (r"[a&&b]+", "a&b", Some("a&b")),
        (r"[!--b]+", "a!-", Some("!-")),
        (r"[a~~b]+", "~", Some("~")),
        (r"[a-]+", "a-", Some("a-")),
        (r"[-a]+", "-a", Some("-a")),
        (r"[\w-]+", "a-b", Some("a-b")),
        (r"[[:x]+", ":[x", Some(":[x")),
        (r"[\]\\^-]+", "]\\^-", Some("]\\^-")),
        (r"[^\x00-\x{10FFFF}]", "a", None),
        (r"(?P<n>a)(?<m>b)", "ab", Some("ab")),
        (r"(?i:A)b", "ab", Some("ab")),
        (r"(?ii)A", "a", Some("a")),
        (r"(?i-i)A", "aA", Some("A")),
        (r"(?s).", "\n", Some("\n")),
        (r".", "\n", None),
        (r"(?U)a+", "aa", Some("a")),
        (r"#  x", "#  x", Some("#  x")),
        (r"\Aa\z", "a", Some("a")),
        (r"(?m)^$", "a\n\nb", Some("")),
        (r"", "abc", Some("")),
        (
            r"(?s)import \{.*?\} from",
            "import {\n a } from } from",
            Some("import {\n a } from"),
        ),
    ] {
        assert_eq!(
            found(pattern, text).as_deref(),
            expected,
            "{pattern} in {text:?}"
        );
    }
}

#[test]
fn a31_what_the_syntax_lacks_is_said_and_placed() {
    for (pattern, offset) in [
        ("one(?=two)", 3),
        ("(?!a)", 0),
        ("é(?<=a)b", 2),
        ("a(?<!b)", 1),
    ] {
        let fault = fault(pattern);
        assert!(
            matches!(fault.kind(), FaultKind::LookAround(_)),
            "{pattern}: {fault}"
        );
        assert_eq!(fault.offset(), Some(offset), "{pattern}");
    }
    for (pattern, offset) in [
        (r"(one)\1", 5),
        (r"\9", 0),
        (r"(?P<a>b)(?P=a)", 8),
        (r"(?<a>b)\k<a>", 7),
    ] {
        let fault = fault(pattern);
        assert!(
            matches!(fault.kind(), FaultKind::BackReference(_)),
            "{pattern}: {fault}"
        );
        assert_eq!(fault.offset(), Some(offset), "{pattern}");
    }
    assert_eq!(
        fault("one(?=two)").to_string(),
        "anchor_pattern `one(?=two)`: look-around (`(?=`) is used, which RE2 syntax does not have"
    );
}

#[test]
fn a31_bad_expressions_are_faults() {
    for pattern in [
        r"def (\w+",
        "a)",
        "*a",
        "(*a)",
        "[a",
        "[",
        "[]",
        "[^]",
        "[z-a]",
        "[a--b]",
        "[a-",
        "[[:foo:]]",
        r"\",
        r"[\",
        r"\h",
        r"\Z",
        r"\u0041",
        r"\E",
        r"\é",
        r"\x4",
        r"\x{110000}",
        r"\x{D800}",
        r"\p",
        r"\p{Nope}",
        r"\p{sc=Greek}",
        "a**",
        "a*+",
        "a{2}{3}",
        "a??*",
        "(?>a)",
        "(?x)a",
        "(?-u)a",
        "(?#c)",
        "(?P>a)",
        "(?",
        "(?i",
        "(?i-)a",
        "(?<a.b>c)",
        "(?<a>b)(?<a>c)",
        "a{1001}",
        "a{3,2}",
        "a{99999999999}",
        "{2}",
    ] {
        assert!(AnchorPattern::compile(pattern).is_err(), "{pattern}");
    }
    assert_eq!(fault(r"x\wé(").offset(), Some(5));
    assert_eq!(fault(r"é\wa)").offset(), Some(5));
    assert_eq!(fault("ab[c").offset(), Some(2));
}

#[test]
fn a31_a_huge_expression_is_a_fault() {
    for pattern in [
        r"((\pL{1000}){1000}){1000}".to_owned(),
        r"[^x]{1000}".repeat(100),
        "(a{1000}){1000}".to_owned(),
        "a".repeat(MAX_LENGTH + 1),
    ] {
        assert_eq!(fault(&pattern).kind(), &FaultKind::TooLarge);
    }
    assert!(matches!(
        fault(&"(".repeat(5000)).kind(),
        FaultKind::Syntax(_)
    ));
    assert!(fault(&"(?=".repeat(1000)).to_string().len() < 300);
}

#[test]
fn a31_what_may_wait_can_be_built() {
    // The heaviest expressions whose automaton waits: many ranges, each of many encodings.
    let dots = ".".repeat(SMALL / 4);
    let letters = r"[\pL\pN\pM\pP\pS]";
    for pattern in [
        dots.as_str(),
        letters,
        r"(?i)\pL",
        &"[^é]".repeat(300),
        "(?i)(é|ö|k|ſ){60}",
    ] {
        let compiled = AnchorPattern::compile(pattern).unwrap();
        assert!(build(&compiled.expression).is_some(), "{pattern}");
    }
}

#[test]
fn a32_line_mode() {
    for pattern in [
        "^import", "return$", "(?i)^x", "(?s)x$", "(?-m)^x", "a|^b", r"\Qm\E^", r"[$]^", r"\\^",
        r"(a^)",
    ] {
        assert!(AnchorPattern::lacks_line_mode(pattern), "{pattern}");
    }
    for pattern in [
        "(?m)^import .*$",
        "(?mi)^IMPORT",
        "(?im)^x",
        "x(?m:^y)",
        "(?sm-i)^",
        "[^a-z$]x",
        r"cost\$ \^",
        r"\Q^$\E",
        "[]^]",
        r"[\]^]",
        "[[:alpha:]^]",
        "plain",
        "(?=^)",
    ] {
        assert!(!AnchorPattern::lacks_line_mode(pattern), "{pattern}");
    }
}

#[test]
fn the_text_stays_as_authored() {
    assert_eq!(
        AnchorPattern::compile(r"\Qa\E\w{").unwrap().text(),
        r"\Qa\E\w{"
    );
}

proptest! {
    #[test]
    fn no_text_makes_an_expression_panic(pattern in r"([\\\[\](){}^$.*+?|:<>=!,-]|[pPQEbBwxk]|[0-9]|a|é|m|i){0,16}", text in "[aé1 \n]{0,6}") {
        AnchorPattern::lacks_line_mode(&pattern);
        match AnchorPattern::compile(&pattern) {
            Ok(compiled) => {
                compiled.find(&text);
                prop_assert!(build(&compiled.expression).is_some());
            }
            Err(fault) => prop_assert!(fault.offset().is_none_or(|at| pattern.is_char_boundary(at))),
        }
    }

    /// Plain text finds itself however it is quoted.
    #[test]
    fn quoted_text_is_plain(text in r"[a-z\[\](){}^$.*+?|&~ #éß-]{1,10}") {
        let quoted = format!(r"\Q{text}\E");
        prop_assert_eq!(AnchorPattern::compile(&quoted).unwrap().find(&text), Some(0..text.len()));
        let escaped: String = text.chars().map(|c| if c.is_ascii_punctuation() { format!("\\{c}") } else { c.to_string() }).collect();
        prop_assert_eq!(AnchorPattern::compile(&escaped).unwrap().find(&text), Some(0..text.len()));
    }
}
