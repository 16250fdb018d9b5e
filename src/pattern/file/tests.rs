//! Tests of file-template patterns.

use super::*;
use proptest::prelude::*;

fn pattern(text: &str) -> Pattern {
    Pattern::parse(text).unwrap()
}

fn set(texts: &[&str]) -> PatternSet {
    PatternSet::new(texts.iter().map(|text| pattern(text)).collect())
}

fn names(captures: &[(&str, &str)]) -> Names<String> {
    captures
        .iter()
        .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
        .collect()
}

fn bound(text: &str, path: &str) -> Option<String> {
    let pattern = pattern(text);
    let captures = pattern.matches(path)?;
    let shown: Vec<String> = captures
        .iter()
        .map(|(name, text)| format!("{name}={text}"))
        .collect();
    Some(shown.join(" "))
}

#[test]
fn f5_malformed_patterns_are_refused_by_name() {
    use PatternFaultKind as K;
    for (text, kind) in [
        ("", K::Empty),
        ("/", K::Empty),
        ("{a}{b}.py", K::Adjacent),
        ("{area}*/{name}.py", K::Adjacent),
        ("**", K::Adjacent),
        ("{name.py", K::Unclosed),
        ("{a/b}", K::Unclosed),
        ("name}.py", K::Unopened),
        ("{a}}", K::Unopened),
        ("{}.py", K::Unnamed),
        ("{name}/test_{name}.py", K::Reused("name".into())),
        ("{1a}", K::Name("1a".into())),
        ("{a-b}", K::Name("a-b".into())),
        ("{é}", K::Name("é".into())),
        ("a\\{b}", K::Backslash),
    ] {
        let fault = Pattern::parse(text).unwrap_err();
        assert_eq!(fault.kind, kind, "{text}");
        assert!(fault.to_string().contains(&format!("{text:?}")), "{fault}");
    }
    assert_eq!(
        Pattern::parse("{a}{b}.py").unwrap_err().to_string(),
        "file template \"{a}{b}.py\": two wildcards stand side by side, so where one ends is open: put text between them"
    );
}

#[test]
fn f8_patterns_and_paths_are_cleaned() {
    assert_eq!(pattern("/a//./{x}.rb").text(), "a/{x}.rb");
    assert_eq!(bound("a/{x}.rb", "./a//b.rb"), Some("x=b".into()));
    assert_eq!(bound("a/{x}.rb", "/a/b.rb"), Some("x=b".into()));
}

#[test]
fn f2_names_come_in_order() {
    let pattern = pattern("{top}/x_{mid}_*.{ext}");
    assert_eq!(
        pattern.captures().collect::<Vec<_>>(),
        ["top", "mid", "ext"]
    );
}

#[test]
fn f6_captures_are_as_short_as_the_rest_allows() {
    for (text, path, expected) in [
        ("pair/{a}-{b}.py", "pair/x-y-z.py", Some("a=x b=y-z")),
        ("pair/{a}-{b}.py", "pair/--.py", None),
        ("pair/{a}-{b}.py", "pair/---.py", Some("a=- b=-")),
        ("pair/{a}-{b}.py", "pair/-z.py", None),
        (
            "tests/{name}_test.py",
            "tests/my_test_test.py",
            Some("name=my_test"),
        ),
        ("tests/{name}_test.py", "tests/_test.py", None),
        (
            "tests/{name}_test.py",
            "tests/_test_test.py",
            Some("name=_test"),
        ),
        (
            "three/{a}.{b}.{c}.py",
            "three/a.b.c.d.py",
            Some("a=a b=b c=c.d"),
        ),
        (
            "three/{a}.{b}.{c}.py",
            "three/a..b.c.py",
            Some("a=a b=.b c=c"),
        ),
        ("edge/x{a}y.py", "edge/xyy.py", Some("a=y")),
        ("edge/x{a}y.py", "edge/xy.py", None),
        ("{a}é{b}", "éééx", Some("a=é b=éx")),
    ] {
        assert_eq!(bound(text, path).as_deref(), expected, "{text} {path}");
    }
}

#[test]
fn f3_f4_f7_wildcards_take_one_or_more_characters_of_one_segment() {
    assert_eq!(bound("jobs/*.py", "jobs/nightly.py").as_deref(), Some(""));
    assert_eq!(bound("jobs/{team}/*_job.py", "jobs/ops/_job.py"), None);
    assert_eq!(bound("jobs/*.py", "jobs/ops/x.py"), None);
    assert_eq!(bound("*", ""), None);
    assert_eq!(bound("a/{x}", "a"), None);
}

#[test]
fn f9_specificity() {
    let ranked = [
        "api/routes/user_admin.py",
        "api/routes/user_{rest}.py",
        "api/routes/us{rest}.py",
        "api/routes/{area}_v2.py",
        "api/routes/{area}.py",
        "api/{kind}/{area}.py",
        "api/*/{area}.py",
        "{top}/routes/user_admin.py",
        "*/routes/{area}.py",
    ];
    for (n, a) in ranked.iter().enumerate() {
        for (m, b) in ranked.iter().enumerate() {
            assert_eq!(pattern(a).rank_cmp(&pattern(b)), n.cmp(&m), "{a} {b}");
        }
    }
}

#[test]
fn f9_what_is_left_over_of_a_segment_decides() {
    let order = |a: &str, b: &str| pattern(a).rank_cmp(&pattern(b));
    assert_eq!(order("{a}.py", "{a}"), Ordering::Less);
    assert_eq!(order("abc{a}", "abc"), Ordering::Greater);
    assert_eq!(order("abc*", "abc{x}"), Ordering::Greater);
    assert_eq!(order("é{a}", "e{a}"), Ordering::Equal);
    assert_eq!(order("app/{x}.rb", "lib/{x}.rb"), Ordering::Equal);
}

#[test]
fn f10_the_best_match_wins_in_any_order() {
    let texts = [
        "*/routes/{area}.py",
        "api/*/{area}.py",
        "api/routes/user_admin.py",
        "api/routes/user_{rest}.py",
        "api/{kind}/{area}.py",
        "{top}/routes/user_admin.py",
    ];
    let mut reversed = texts;
    reversed.reverse();
    for texts in [texts, reversed] {
        let set = set(&texts);
        for (path, expected) in [
            ("api/routes/user_admin.py", Some("api/routes/user_admin.py")),
            ("api/routes/user_list.py", Some("api/routes/user_{rest}.py")),
            ("api/models/order.py", Some("api/{kind}/{area}.py")),
            (
                "web/routes/user_admin.py",
                Some("{top}/routes/user_admin.py"),
            ),
            ("web/routes/order.py", Some("*/routes/{area}.py")),
            ("web/models/order.py", None),
            ("api/x.py", None),
        ] {
            let found = match set.best(path) {
                Match::One { index, .. } => Some(set.patterns()[index].text()),
                Match::None => None,
                Match::Tie(all) => panic!("{path}: {all:?}"),
            };
            assert_eq!(found, expected, "{path}");
        }
    }
}

#[test]
fn f10_a_tie_is_reported() {
    let set = set(&["a/{y}_base.py", "a/{z}.py", "a/{x}.py", "b/{x}.py"]);
    assert_eq!(set.best("a/m.py"), Match::Tie(vec![2, 1]));
    assert_eq!(
        set.best("a/m_base.py"),
        Match::One {
            index: 0,
            captures: vec![("y", "m".to_owned())]
        }
    );
}

#[test]
fn f11_f12_f13_ties_need_equal_rank_and_a_common_path() {
    let set = set(&[
        "lib/{a}_main.py",
        "api/{resource}.py",
        "api/{area}.py",
        "jobs/{area}.py",
        "lib/*.py",
        "lib/x_{a}.py",
        "lib/x_{a}_end.py",
        "lib/{a}_base.py",
        "mid/{a}-x-{b}",
        "mid/{a}-y-{b}",
    ]);
    assert_eq!(set.ties(), [(2, 1), (8, 9)]);
}

#[test]
fn j24_filled_captures_give_the_path() {
    let p = pattern("src/{n}_{k}.ts");
    assert!(p.produces("src/a_b_c.ts", &names(&[("n", "a"), ("k", "b_c")])));
    assert!(p.produces("src/a_b_c.ts", &names(&[("n", "a_b"), ("k", "c")])));
    assert!(!p.produces("src/a_b_c.ts", &names(&[("n", "a"), ("k", "b")])));
    assert!(!p.produces("src/a_b.ts", &names(&[("n", "a")])));
    assert!(!p.produces("src/a_b.ts", &names(&[("n", "a"), ("k", "b"), ("z", "")])));
    assert!(!p.produces("src/a_.ts", &names(&[("n", "a"), ("k", "")])));
    assert!(!p.produces("src/a_b/c.ts", &names(&[("n", "a"), ("k", "b/c")])));
    let glob = pattern("jobs/{team}/*_{n}.py");
    assert!(glob.produces("jobs/ops/x_y_z.py", &names(&[("team", "ops"), ("n", "z")])));
    assert!(!glob.produces("jobs/ops/_z.py", &names(&[("team", "ops"), ("n", "z")])));
    assert!(pattern("a.py").produces("a.py", &names(&[])));
    assert_eq!(
        p.fill(&names(&[("n", "a"), ("k", "b")])).as_deref(),
        Some("src/a_b.ts")
    );
    assert_eq!(p.fill(&names(&[("n", "a")])), None);
    assert_eq!(glob.fill(&names(&[("team", "ops"), ("n", "z")])), None);
}

#[test]
fn y33_many_captures_cost_little() {
    let text = (0..300)
        .map(|n| format!("{{c{n}}}"))
        .collect::<Vec<_>>()
        .join("-");
    let p = pattern(&format!("{text}-!.brew"));
    assert_eq!(p.matches(&format!("{}.brew", "-".repeat(20_000))), None);
    assert!(!p.overlaps(&pattern("{a}-!brew")));
}

/// Patterns over `a`, `-` and wildcards, with names made unique.
fn pattern_text() -> impl Strategy<Value = String> {
    let segment = (
        any::<bool>(),
        prop::collection::vec(("[a-]{1,2}", any::<bool>()), 0..3),
        any::<bool>(),
    );
    prop::collection::vec(segment, 1..3).prop_map(|segments| {
        let mut names = 0;
        let mut wildcard = |is_capture: bool| {
            names += 1;
            if is_capture {
                format!("{{c{names}}}")
            } else {
                "*".to_owned()
            }
        };
        let texts: Vec<String> = segments
            .into_iter()
            .map(|(leads, parts, is_capture)| {
                let mut text = String::new();
                if leads || parts.is_empty() {
                    text.push_str(&wildcard(is_capture));
                }
                for (n, (literal, is_capture)) in parts.iter().enumerate() {
                    text.push_str(literal);
                    if n == 0 || *is_capture {
                        text.push_str(&wildcard(*is_capture));
                    }
                }
                text
            })
            .collect();
        texts.join("/")
    })
}

/// The first way to split, wildcards shortest first and leftmost first, found by trying everything (F6).
fn slow(pieces: &[Piece], text: &[char]) -> Option<Vec<String>> {
    let Some((piece, rest)) = pieces.split_first() else {
        return text.is_empty().then(Vec::new);
    };
    if let Piece::Literal(literal) = piece {
        let literal: Vec<char> = literal.chars().collect();
        return slow(rest, text.strip_prefix(literal.as_slice())?);
    }
    (1..=text.len()).find_map(|taken| {
        let mut tail = slow(rest, &text[taken..])?;
        if matches!(piece, Piece::Capture(_)) {
            tail.insert(0, text[..taken].iter().collect());
        }
        Some(tail)
    })
}

fn slow_path(pattern: &Pattern, path: &str) -> Option<Vec<String>> {
    let texts: Vec<&str> = path.split('/').collect();
    if texts.len() != pattern.segments.len() {
        return None;
    }
    let mut all = Vec::new();
    for (pieces, text) in pattern.segments.iter().zip(texts) {
        all.extend(slow(pieces, &text.chars().collect::<Vec<_>>())?);
    }
    Some(all)
}

proptest! {
    #[test]
    fn f6_matching_agrees_with_a_slow_matcher(text in pattern_text(), path in "[a-]{1,7}(/[a-]{1,7})?") {
        let pattern = pattern(&text);
        let found = pattern.matches(&path);
        let texts = found.clone().map(|captures| captures.into_iter().map(|(_, text)| text).collect::<Vec<_>>());
        prop_assert_eq!(texts, slow_path(&pattern, &path));
        if let Some(captures) = found {
            let captures = captures.into_iter().map(|(name, text)| (name.to_owned(), text)).collect();
            prop_assert!(pattern.produces(&path, &captures));
            if !text.contains('*') {
                prop_assert_eq!(pattern.fill(&captures), Some(path));
            }
        }
    }

    #[test]
    fn f9_rank_is_a_total_order(a in pattern_text(), b in pattern_text(), c in pattern_text()) {
        let (a, b, c) = (pattern(&a), pattern(&b), pattern(&c));
        prop_assert_eq!(a.rank_cmp(&a), Ordering::Equal);
        prop_assert_eq!(a.rank_cmp(&b), b.rank_cmp(&a).reverse());
        if a.rank_cmp(&b).is_le() && b.rank_cmp(&c).is_le() {
            prop_assert!(a.rank_cmp(&c).is_le());
            if a.rank_cmp(&b).is_lt() || b.rank_cmp(&c).is_lt() {
                prop_assert!(a.rank_cmp(&c).is_lt());
            }
        }
    }

    /// F12, on one segment: overlapping exactly when one of all short texts matches both.
    #[test]
    fn f12_overlap_agrees_with_trying_every_path(a in pattern_text(), b in pattern_text()) {
        let (a, b) = (pattern(&a), pattern(&b));
        prop_assert_eq!(a.overlaps(&b), b.overlaps(&a));
        // A shortest common text needs no character that neither pattern asks for.
        let asked = |pattern: &Pattern| tokens(&pattern.segments[0]).iter().filter(|token| **token != Token::Star).count();
        let longest = asked(&a) + asked(&b);
        let letters = ['a', '-', 'z'];
        if a.segments.len() == 1 && b.segments.len() == 1 && longest <= 8 {
            let mut words = vec![String::new()];
            let mut common = false;
            for _ in 0..longest {
                words = words.iter().flat_map(|word| letters.map(|c| format!("{word}{c}"))).collect();
                common = common || words.iter().any(|word| a.matches(word).is_some() && b.matches(word).is_some());
            }
            prop_assert_eq!(a.overlaps(&b), common, "{} {}", a.text(), b.text());
        }
    }

    /// F10, F13: the index finds what trying every pattern finds.
    #[test]
    fn f10_a_set_agrees_with_trying_every_pattern(
        texts in prop::collection::vec(prop_oneof![pattern_text(), "[a-]{1,2}(/[a-]{1,2})?"], 0..7),
        path in "[a-]{1,4}(/[a-]{1,4})?",
    ) {
        let set = PatternSet::new(texts.iter().map(|text| pattern(text)).collect());
        let all = set.patterns();
        let matching: Vec<usize> = (0..all.len()).filter(|n| all[*n].matches(&path).is_some()).collect();
        let mut best: Vec<usize> = matching.iter().copied()
            .filter(|n| matching.iter().all(|m| all[*n].rank_cmp(&all[*m]).is_le()))
            .collect();
        best.sort_by_key(|n| all[*n].text());
        match set.best(&path) {
            Match::None => prop_assert!(best.is_empty()),
            Match::One { index, .. } => prop_assert_eq!(best, vec![index]),
            Match::Tie(tied) => prop_assert_eq!(best, tied),
        }
        let mut expected = Vec::new();
        for a in 0..all.len() {
            for b in a + 1..all.len() {
                if all[a].rank_cmp(&all[b]).is_eq() && all[a].overlaps(&all[b]) {
                    expected.push(if all[a].text() <= all[b].text() { (a, b) } else { (b, a) });
                }
            }
        }
        expected.sort_by_key(|(a, b)| (all[*a].text(), all[*b].text(), *a, *b));
        prop_assert_eq!(set.ties(), expected);
    }

    #[test]
    fn no_text_makes_a_pattern_panic(text in "[a/{}*_é.-]{0,14}", path in any::<String>()) {
        if let Ok(pattern) = Pattern::parse(&text) {
            pattern.matches(&path);
            PatternSet::new(vec![pattern]).best(&path);
        }
    }
}
