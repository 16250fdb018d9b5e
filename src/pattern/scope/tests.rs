//! Tests of scope entries.

use super::*;
use proptest::prelude::*;

fn entry(text: &str) -> Entry {
    Entry::parse(text).unwrap()
}

fn check(text: &str, meant: &[&str], others: &[&str]) {
    let entry = entry(text);
    for path in meant {
        assert!(entry.matches(path), "{text} means {path}");
    }
    for path in others {
        assert!(!entry.matches(path), "{text} does not mean {path}");
    }
}

#[test]
fn q1_stars_stay_within_a_segment() {
    check("*.rb", &["a.rb", ".rb"], &["a/b.rb", "a.rbx", "rb"]);
    check("a/*/c", &["a/b/c"], &["a/c", "a/b/b/c"]);
    check("one?.ts", &["one1.ts", "oneé.ts"], &["one.ts", "one12.ts"]);
    check("a**b", &["ab", "axxb"], &["a/b", "ax/xb"]);
    check("**.rb", &["a.rb"], &["x/a.rb"]);
}

#[test]
fn q1_q5_double_star_takes_any_number_of_segments() {
    check(
        "a/**/b",
        &["a/b", "a/x/b", "a/x/y/b"],
        &["ab", "a/xb", "a/b/c"],
    );
    check(
        "**/gen_*.py",
        &["gen_a.py", "x/y/gen_b.py"],
        &["x/agen_b.py"],
    );
    check(
        "docs/**/index.ts",
        &["docs/index.ts", "docs/a/b/index.ts"],
        &["docs/a/index.tsx"],
    );
    check("**", &["a", "a/b/c"], &[]);
    check("a/**", &["a", "a/b", "a/b/c"], &["ab", "b/a"]);
    check("**/a/**/b", &["a/b", "x/a/b", "a/a/x/b/b"], &["b/a", "a/x"]);
}

#[test]
fn q5_a_trailing_slash_is_the_folder_and_all_below() {
    check("src/", &["src", "src/a", "src/a/b"], &["srcs", "lib/src"]);
    check("*/gen/", &["a/gen", "a/gen/b"], &["gen/a", "a/b/gen"]);
}

#[test]
fn q6_slashes_at_the_ends_do_not_count() {
    check("/x", &["x", "/x", "x/"], &["y/x"]);
    check("/src/", &["src/a"], &[]);
}

#[test]
fn q4_a_literal_means_itself() {
    check(
        "app/a.rb",
        &["app/a.rb"],
        &["app/a.rbx", "app/a", "app/a.rb/b", "App/a.rb"],
    );
    check("a+b(c).{x}|$^", &["a+b(c).{x}|$^"], &["aab(c).{x}|$^"]);
    check("./a//b/../c", &["a/c"], &["a/b/c"]);
}

#[test]
fn q7_expressions_are_no_scope_notation() {
    check("a.b*", &["a.bc"], &["axbc"]);
    check("{a,b}*", &["{a,b}c"], &["ac"]);
    check("a+*", &["a+"], &["aa"]);
}

#[test]
fn q1_classes_are_those_of_path_match() {
    check(
        "v[^0-9].py",
        &["va.py", "v^.py"],
        &["v1.py", "v.py", "vab.py"],
    );
    check("w[!0-9].py", &["w!.py", "w1.py"], &["wa.py"]);
    check("[a-cx]", &["b", "x"], &["d", "-"]);
    check("[\\]\\-]", &["]", "-"], &["\\"]);
    check("a[.-0]b", &["a.b", "a0b"], &["a/b"]);
    check("[^a]x", &["bx"], &["ax", "x"]);
    check("[z-a]", &[], &["z", "a", "m"]);
    check("[é-ü]", &["ö"], &["a"]);
    check("]*", &["]a"], &["a"]);
}

#[test]
fn q1_a_backslash_escapes() {
    check("a\\*b", &["a*b"], &["axb"]);
    check("app/\\[id\\].ts", &["app/[id].ts"], &["app/i.ts"]);
    check("a\\**", &["a*", "a*c"], &["ab"]);
}

#[test]
fn r11_malformed_entries_are_unreadable() {
    for text in [
        "src/[a-.py",
        "x/[.py",
        "lib/[a-",
        "[]",
        "[]a]",
        "[^]",
        "[a-]",
        "[-a]",
        "[a-b-c]",
        "[a/b]",
        "[",
        "[\\",
        "[a\\]",
    ] {
        assert_eq!(
            Entry::parse(text).unwrap_err(),
            Unreadable::Class(text.to_owned()),
            "{text}"
        );
    }
    for text in ["a\\", "a\\/b*"] {
        assert_eq!(
            Entry::parse(text).unwrap_err(),
            Unreadable::Backslash(text.to_owned()),
            "{text}"
        );
    }
    assert_eq!(Entry::parse(" \t").unwrap_err(), Unreadable::Blank);
}

#[test]
fn r7_r8_text_is_trimmed_and_literals_are_told_apart() {
    assert_eq!(entry(" a/b.rb ").text(), "a/b.rb");
    assert!(entry("a/b.rb").is_literal());
    assert!(entry("a\\b").is_literal());
    for text in ["a/", "a*", "a?", "[a]", "a\\*"] {
        assert!(!entry(text).is_literal(), "{text}");
    }
}

#[test]
fn s8_an_entry_covers_what_a_template_produces() {
    for (text, template, covered) in [
        ("config/", "config/{name}.yml", true),
        ("config/other.yml", "config/{name}.yml", false),
        ("conf/", "config/{name}.yml", false),
        ("config", "config/{name}.yml", false),
        ("config/*.yml", "config/{name}.yml", true),
        ("config/??*.yml", "config/{name}.yml", false),
        ("config/[a-z]*.yml", "config/{name}.yml", false),
        ("config/[^x]*.yml", "config/{name}.yml", false),
        ("**/gen_*.py", "{m}.py", false),
        ("**/*.py", "{m}.py", true),
        ("**/*.lock.ts", "src/{name}.ts", false),
        ("**/deep/*", "{a}/deep/c.rb", true),
        ("x/**/y", "x/y", true),
    ] {
        let pattern = file::Pattern::parse(template).unwrap();
        assert_eq!(
            entry(text).covers_template(&pattern),
            covered,
            "{text} {template}"
        );
    }
}

#[test]
fn y33_many_double_stars_cost_little() {
    let text = format!("{}a/b.brew", "**/a/".repeat(200));
    let path = format!("{}z.brew", "a/".repeat(2000));
    assert!(!entry(&text).matches(&path));
    let stars = format!("{}b", "*a".repeat(500));
    assert!(!entry(&stars).matches(&"a".repeat(5000)));
}

#[test]
fn the_first_of_several_entries_is_found() {
    let texts = [
        "x/",
        "a/b.rb",
        "a/*",
        "**/b.rb",
        "**/*.rb",
        "a/b.rb",
        "**",
        "a/**/c.py",
    ];
    let set = ScopeSet::new(texts.iter().map(|text| entry(text)).collect());
    assert_eq!(set.first_match("a/b.rb"), Some(1));
    assert_eq!(set.first_match("a/c.rb"), Some(2));
    assert_eq!(set.first_match("x"), Some(0));
    assert_eq!(set.first_match("q/b.rb"), Some(3));
    assert_eq!(set.first_match("q/c.rb"), Some(4));
    assert_eq!(set.first_match("a/x/c.py"), Some(6));
    assert!(!set.is_empty());
    assert!(ScopeSet::new(vec![]).is_empty());
    assert_eq!(ScopeSet::new(vec![]).first_match("a"), None);
}

/// A matcher written straight from Q1, which tries everything.
fn slow(pattern: &[&str], path: &[&str]) -> bool {
    match pattern.split_first() {
        None => path.is_empty(),
        Some((&"**", rest)) => (0..=path.len()).any(|taken| slow(rest, &path[taken..])),
        Some((own, rest)) => path.split_first().is_some_and(|(segment, tail)| {
            let own: Vec<char> = own.chars().collect();
            let segment: Vec<char> = segment.chars().collect();
            slow_segment(&own, &segment) && slow(rest, tail)
        }),
    }
}

fn slow_segment(own: &[char], text: &[char]) -> bool {
    match own {
        [] => text.is_empty(),
        ['*', rest @ ..] => (0..=text.len()).any(|taken| slow_segment(rest, &text[taken..])),
        ['?', rest @ ..] => !text.is_empty() && slow_segment(rest, &text[1..]),
        ['[', '^', c, ']', rest @ ..] => {
            text.first().is_some_and(|t| t != c) && slow_segment(rest, &text[1..])
        }
        ['[', c, ']', rest @ ..] => {
            text.first().is_some_and(|t| t == c) && slow_segment(rest, &text[1..])
        }
        [c, rest @ ..] => text.first() == Some(c) && slow_segment(rest, &text[1..]),
    }
}

fn pattern_text() -> impl Strategy<Value = String> {
    let segment = prop_oneof![
        3 => "([ab*?]|\\[a\\]|\\[\\^a\\]){1,3}",
        1 => Just("**".to_owned()),
    ];
    prop::collection::vec(segment, 1..5).prop_map(|segments| segments.join("/"))
}

proptest! {
    #[test]
    fn q1_matching_agrees_with_a_slow_matcher(text in pattern_text(), folder in any::<bool>(), path in "[ab]{1,2}(/[ab]{1,2}){0,4}") {
        let text = if folder { format!("{text}/") } else { text };
        let mut steps: Vec<&str> = text.trim_end_matches('/').split('/').collect();
        if folder {
            steps.push("**");
        }
        let segments: Vec<&str> = path.split('/').collect();
        prop_assert_eq!(entry(&text).matches(&path), slow(&steps, &segments));
    }

    #[test]
    fn a_set_finds_what_trying_each_entry_finds(
        texts in prop::collection::vec(prop_oneof![pattern_text(), "[ab]{1,2}(/[ab]){0,2}/?"], 0..8),
        path in "[ab]{1,2}(/[ab]{1,2}){0,3}",
    ) {
        let entries: Vec<Entry> = texts.iter().map(|text| entry(text)).collect();
        let expected = entries.iter().position(|entry| entry.matches(&path));
        prop_assert_eq!(ScopeSet::new(entries).first_match(&path), expected);
    }

    /// S8: what is covered means every short path that is produced.
    #[test]
    fn s8_covering_agrees_with_trying_every_path(
        text in prop::collection::vec(prop_oneof![3 => "([ab*?]|\\[\\^a\\]){1,2}", 1 => Just("**".to_owned())], 1..4),
        template in prop::collection::vec(prop::sample::select(vec!["a", "b", "ab", "X", "aX", "Xb", "aXa"]), 1..3),
    ) {
        let template = template.iter().enumerate()
            .map(|(n, segment)| segment.replace('X', &format!("{{c{n}}}")))
            .collect::<Vec<_>>().join("/");
        let pattern = file::Pattern::parse(&template).unwrap();
        let entry = entry(&text.join("/"));
        let words: Vec<String> = short_words(4);
        let paths: Vec<String> = if template.contains('/') {
            words.iter().flat_map(|a| words.iter().map(move |b| format!("{a}/{b}"))).collect()
        } else {
            words
        };
        let every = paths.iter().all(|path| pattern.matches(path).is_none() || entry.matches(path));
        prop_assert!(!entry.covers_template(&pattern) || every, "{} {}", entry.text(), template);
    }

    #[test]
    fn no_text_makes_an_entry_panic(text in "[ab/*?\\[\\]\\\\^.é-]{0,14}", path in any::<String>()) {
        if let Ok(entry) = Entry::parse(&text) {
            entry.matches(&path);
            ScopeSet::new(vec![entry]).first_match(&path);
        }
    }
}

fn short_words(longest: usize) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut last = vec![String::new()];
    for _ in 0..longest {
        last = last
            .iter()
            .flat_map(|word| ["a", "b", "c"].map(|c| format!("{word}{c}")))
            .collect();
        all.extend(last.iter().cloned());
    }
    all
}
