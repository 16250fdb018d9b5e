use proptest::prelude::*;

use super::{Reach, Target, narrowed, reach};
use crate::pattern::path;
use crate::selection::converse::fixture::Fixture;

/// A target of these pieces, a placeholder between any two.
fn target(pieces: &[&str]) -> Target {
    Target::from_pieces(pieces.iter().map(|p| (*p).to_owned()).collect())
}

#[test]
fn fixed_text_matches_in_place_against_the_whole_path_n20() {
    for (pieces, path, expected) in [
        (&["a/b.c"][..], "a/b.c", true),
        (&["a/b.c"], "a/b.cc", false),
        (&["a/", ".c"], "a/b.c", true),
        (&["a/", ".c"], "a/.c", true),
        (&["a/", ".c"], "a/b/d.c", true),
        (&["a/", ".c"], "x/a/b.c", false),
        (&["a/", ".c"], "a/b.cd", false),
        (&["a/", ".c"], "A/b.c", false),
        (&["", "_x/", ".c"], "n_x/m.c", true),
        (&["", "_x/", ".c"], "n_y/m.c", false),
        (&["ab", "ba"], "aba", false),
        (&["ab", "ba"], "abba", true),
        (&["é/", ".c"], "é/ü.c", true),
        (&["", "", "x"], "x", true),
    ] {
        assert_eq!(target(pieces).can_be(path), expected, "{pieces:?} {path}");
    }
}

#[test]
fn a_rendered_target_is_cleaned_before_it_is_compared_y8() {
    for (pieces, path, expected) in [
        (&["./a/", ".c"][..], "a/b.c", true),
        (&["a//b/./", ".c"], "a/b/x.c", true),
        // An empty placeholder leaves two slashes, which are one.
        (&["a/", "/x.c"], "a/x.c", true),
        (&["a/", "/", "/x.c"], "a/x.c", true),
        // An absolute target is no path of a record.
        (&["", "/x.c"], "x.c", false),
        (&["/a/", ".c"], "a/b.c", false),
    ] {
        assert_eq!(target(pieces).can_be(path), expected, "{pieces:?} {path}");
    }
}

#[test]
fn matching_is_not_exponential_y33() {
    let pieces = vec!["a"; 2_000];
    let mut path = "a".repeat(100_000);
    path.push('b');
    assert!(!target(&pieces).can_be(&path));
}

/// Whether some texts of at most two characters in the placeholders render to the path.
fn by_trying(pieces: &[&str], path: &str) -> bool {
    let alphabet = ["", "a", "b", "/"];
    let values: Vec<String> = alphabet
        .iter()
        .flat_map(|x| alphabet.iter().map(move |y| format!("{x}{y}")))
        .collect();
    let mut rendered = vec![pieces[0].to_owned()];
    for piece in &pieces[1..] {
        rendered = rendered
            .iter()
            .flat_map(|text| {
                values
                    .iter()
                    .map(move |value| format!("{text}{value}{piece}"))
            })
            .collect();
    }
    rendered
        .iter()
        .any(|text| path::check(text).is_ok_and(|clean| clean == path))
}

proptest! {
    #[test]
    fn it_agrees_with_trying_all_values_n20(
        pieces in prop::collection::vec("[ab/]{0,3}", 1..4),
        path in "[ab/]{1,5}",
    ) {
        prop_assume!(path::check(&path).is_ok_and(|clean| clean == path));
        let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
        let found = target(&pieces).can_be(&path);
        // Longer values than those tried may exist, so only one direction holds for every path.
        if by_trying(&pieces, &path) {
            prop_assert!(found, "{:?} {}", pieces, path);
        } else if path.len() <= 2 {
            prop_assert!(!found, "{:?} {}", pieces, path);
        }
    }
}

fn names(fixture: &Fixture) -> (Vec<&str>, Vec<(String, String, String)>) {
    let (kept, removals) = narrowed(&fixture.catalog(), fixture.record(), &fixture.variables);
    let removals = removals
        .into_iter()
        .map(|r| (r.action, r.package, r.pattern));
    (kept.names().collect(), removals.collect())
}

#[test]
fn an_action_out_of_reach_goes_and_a_composite_with_one_and_a_free_target_stays_n20_n23() {
    let fixture = Fixture::new(&[&["cloths/rug.weft"]]);
    let (kept, removals) = names(&fixture);
    assert_eq!(kept, ["addEdge", "addNote", "addPick"]);
    let removal = |action: &str| {
        let pattern = "books/{{hall|snake}}/{{day}}.weft";
        (action.to_owned(), "loom".to_owned(), pattern.to_owned())
    };
    assert_eq!(removals, [removal("edgeAndLog"), removal("logUse")]);
}

#[test]
fn a_composite_stays_when_each_child_can_match_n20() {
    let fixture = Fixture::new(&[&["cloths/rug.weft", "books/north_hall/mon.weft"]]);
    let (kept, removals) = names(&fixture);
    assert_eq!(
        kept,
        ["addEdge", "addNote", "addPick", "edgeAndLog", "logUse"]
    );
    assert!(removals.is_empty());
}

#[test]
fn a_run_variable_stands_with_its_value_and_transforms_n20() {
    let fixture = Fixture::new(&[&["books/south_hall/mon.weft"]]);
    let (kept, removals) = names(&fixture);
    assert_eq!(kept, ["addNote"]);
    assert_eq!(removals.len(), 4);
}

#[test]
fn a_record_without_a_managed_path_has_nothing_to_reach_k22_n22() {
    let fixture = Fixture::new(&[&["dye/red.weft"], &["a.bare"], &["cloths/rug.weft"]]);
    let reach = |n: usize, full| reach(&fixture.records[n], &fixture.variables, full);
    assert!(matches!(reach(0, false), Ok(Reach::NoManagedPath)));
    assert!(matches!(reach(1, true), Ok(Reach::NothingExposed)));
    let Ok(Reach::Actions { catalog, removals }) = reach(2, true) else {
        panic!("nothing to choose from");
    };
    assert_eq!((catalog.names().count(), removals.len()), (5, 0), "N21");
}
