//! Tests of paths.

use super::*;
use proptest::prelude::*;

#[test]
fn r10_paths_are_cleaned() {
    for (written, cleaned) in [
        ("./x//k.rb", "x/k.rb"),
        ("a/../x", "x"),
        ("a/b/../../..", ".."),
        ("../../a", "../../a"),
        ("/../a/", "/a"),
        ("/", "/"),
        ("", "."),
        ("a/..", "."),
        ("...", "..."),
        ("a/./b/.", "a/b"),
    ] {
        assert_eq!(clean(written), cleaned, "{written:?}");
    }
}

#[test]
fn f8_comparable_paths_have_no_leading_slash() {
    assert_eq!(comparable("/a//b/"), "a/b");
    assert_eq!(comparable("a/b"), "a/b");
    assert_eq!(comparable("/"), "");
    assert_eq!(comparable(""), "");
}

#[test]
fn r9_unsafe_paths_are_refused() {
    use PathFault as F;
    for (path, fault) in [
        ("", F::Empty),
        ("  ", F::Empty),
        ("/etc/x.py", F::Absolute),
        ("../x", F::Escapes),
        ("ok/../../up.py", F::Escapes),
        ("..", F::Escapes),
        ("bell\u{7}.brew", F::Control),
        ("a\0b", F::Control),
        ("menu\\tea.brew", F::Backslash),
        ("C:\\brew\\x.brew", F::Drive),
        ("c:/x.brew", F::Drive),
        ("c:x", F::Drive),
        ("./c:/x", F::Drive),
        ("\\\\srv\\share\\x.brew", F::Drive),
        ("//server/share", F::Drive),
        (".git/hooks/x", F::GitComponent),
        ("sub/.GIT/x", F::GitComponent),
        ("nul", F::DeviceName("nul".into())),
        ("a/aux.rb", F::DeviceName("aux.rb".into())),
        ("Com1.tar.gz/x", F::DeviceName("Com1.tar.gz".into())),
        ("lpt³", F::DeviceName("lpt³".into())),
        ("con .txt", F::DeviceName("con .txt".into())),
        ("a./b", F::TrailingDotOrSpace("a.".into())),
        ("a/b ", F::TrailingDotOrSpace("b ".into())),
        ("a/...", F::TrailingDotOrSpace("...".into())),
        ("a/", F::Folder),
        (".", F::Folder),
        ("a/..", F::Folder),
    ] {
        assert_eq!(check(path), Err(fault), "{path:?}");
    }
}

#[test]
fn r9_ordinary_paths_pass_cleaned() {
    for (path, cleaned) in [
        ("./x//k.rb", "x/k.rb"),
        ("a/../b.rb", "b.rb"),
        (".gitignore", ".gitignore"),
        ("git/x", "git/x"),
        ("com0", "com0"),
        ("com10", "com10"),
        ("console/nullable.rb", "console/nullable.rb"),
        (".env", ".env"),
        ("a b/ü.rb", "a b/ü.rb"),
        ("..a/x", "..a/x"),
    ] {
        assert_eq!(check(path).as_deref(), Ok(cleaned), "{path:?}");
    }
}

#[test]
fn r9_scope_patterns_are_held_to_the_same() {
    use PathFault as F;
    for (entry, fault) in [
        ("../*.brew", F::Escapes),
        ("*/../../x", F::Escapes),
        ("/app/", F::Absolute),
        ("c:/*", F::Drive),
        ("//srv/*", F::Drive),
        ("menu\\*.brew", F::Backslash),
        ("src\\", F::Backslash),
        ("x/[\\\\]", F::Backslash),
        ("a\\-b*", F::Backslash),
        (".git/**", F::GitComponent),
        ("**/nul.*", F::DeviceName("nul.*".into())),
        ("a*.", F::TrailingDotOrSpace("a*.".into())),
        ("a\u{1b}*", F::Control),
    ] {
        assert_eq!(check_scope_pattern(entry), Err(fault), "{entry:?}");
    }
    for entry in [
        "src/",
        "**",
        "./",
        "a/**/b",
        "app/\\[id\\].ts",
        "v[\\^\\-].py",
        "*.git",
    ] {
        assert_eq!(check_scope_pattern(entry), Ok(()), "{entry:?}");
    }
}

#[test]
fn r9a_folding_forgets_case_and_normal_form() {
    for (a, b) in [
        ("menu/Tea.brew", "MENU/tea.BREW"),
        ("café", "cafe\u{301}"),
        ("CAFÉ", "cafe\u{301}"),
        ("Σ", "ς"),
        ("σ", "ς"),
        ("ſ", "S"),
        ("\u{212a}", "k"),
        ("\u{1f0}", "J\u{30c}"),
        ("ẞ", "ß"),
        ("\u{390}", "\u{3aa}\u{301}"),
        ("a\u{345}", "a\u{3b9}"),
    ] {
        assert_eq!(fold(a), fold(b), "{a} {b}");
    }
    for (a, b) in [("a", "b"), ("e", "é"), ("ı", "i"), ("a/b", "a_b")] {
        assert_ne!(fold(a), fold(b), "{a} {b}");
    }
}

#[test]
fn r9a_folding_twice_is_folding_once() {
    for c in '\0'..='\u{1ffff}' {
        let once = fold(&format!("{c}\u{301}"));
        assert_eq!(fold(&once), once, "{c:?}");
    }
}

fn pairs(paths: &[&str]) -> Vec<(String, String)> {
    conflicts(paths.iter().copied())
}

fn pair(a: &str, b: &str) -> (String, String) {
    (a.to_owned(), b.to_owned())
}

#[test]
fn r9a_spellings_of_one_file_conflict() {
    assert_eq!(
        pairs(&[
            "menu/Tea.b",
            "menu/tea.b",
            "ok.b",
            "Soup.b",
            "SOUP.b",
            "ok.b"
        ]),
        [pair("menu/Tea.b", "menu/tea.b"), pair("Soup.b", "SOUP.b")]
    );
    assert_eq!(pairs(&["a/x", "a/y", "b/x"]), []);
}

#[test]
fn r9a_spellings_of_one_folder_conflict_once() {
    assert_eq!(
        pairs(&["Menu/a", "menu/b", "menu/c", "Menu/d", "menu/sub/e"]),
        [pair("Menu/a", "menu/b")]
    );
    assert_eq!(
        pairs(&["Menu/a", "menu/b", "Menu/B"]),
        [pair("Menu/a", "menu/b"), pair("menu/b", "Menu/B")]
    );
    assert_eq!(pairs(&["a/B", "a/b/c"]), [pair("a/B", "a/b/c")]);
}

proptest! {
    #[test]
    fn cleaning_twice_changes_nothing(path in "[./ab]{0,12}") {
        let once = clean(&path);
        prop_assert_eq!(clean(&once), once);
    }

    #[test]
    fn no_text_makes_a_check_panic(path in any::<String>()) {
        let _ = check(&path);
        let _ = check_scope_pattern(&path);
        prop_assert_eq!(fold(&path).matches('/').count(), path.matches('/').count());
        let _ = conflicts([path.as_str(), "a"].into_iter());
    }

    /// R9a: a conflict is found exactly when two paths, or a folder of one and a prefix of the other, are spelled
    /// differently and fold alike.
    #[test]
    fn conflicts_are_found_exactly(paths in prop::collection::vec("[aAb](/[aAbB]){0,2}", 0..6)) {
        let expected = paths.iter().any(|a| paths.iter().any(|b| {
            prefixes(a).any(|x| prefixes(b).any(|y| x != y && fold(x) == fold(y)))
        }));
        prop_assert_eq!(!conflicts(paths.iter().map(String::as_str)).is_empty(), expected);
    }
}
