//! Tests of inflection: the vectors of X18, the rules X11-X14, and a list of nouns.

use super::*;
use proptest::prelude::*;

/// The nouns of `inflections/nouns.txt` as (singular, plural).
fn nouns() -> Vec<(&'static str, &'static str)> {
    include_str!("inflections/nouns.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(' '))
        .collect()
}

#[test]
fn x10_the_table_is_read_whole() {
    let table = english();
    assert!(table.unread.is_empty(), "{:?}", table.unread);
    let rules = table.plural_rules.iter().chain(&table.singular_rules);
    for rule in rules {
        assert!(rule.regex().is_some(), "{}", rule.pattern);
        assert!(!rule.pattern.contains('\\'), "{}", rule.pattern);
        let depth_of_bars =
            rule.pattern
                .char_indices()
                .filter(|(_, c)| *c == '|')
                .map(|(at, _)| {
                    let before = &rule.pattern[..at];
                    before.matches('(').count() - before.matches(')').count()
                });
        assert!(depth_of_bars.min().unwrap_or(1) > 0, "{}", rule.pattern);
    }
}

#[test]
fn x10_a_literal_rule_does_what_its_expression_does() {
    let table = english();
    for rule in table.plural_rules.iter().chain(&table.singular_rules) {
        if rule.is_literal() {
            let word = format!("abc{}", rule.ending);
            let by_regex = rule.regex().unwrap().replace(&word, rule.replacement);
            assert_eq!(rule.apply(&word).unwrap(), by_regex);
        }
    }
}

#[test]
fn x18_plural_vectors() {
    for (word, expected) in [
        ("category", "categories"),
        ("axis", "axes"),
        ("wolf", "wolves"),
        ("roof", "roofs"),
        ("cafe", "cafes"),
        ("canvas", "canvases"),
        ("bonus", "bonuses"),
        ("lens", "lenses"),
        ("gas", "gases"),
        ("quota", "quotas"),
        ("beta", "betas"),
        ("leaf", "leaves"),
        ("loaf", "loaves"),
        ("safe", "safes"),
        ("campus", "campuses"),
        ("census", "censuses"),
        ("virus", "viruses"),
        ("octopus", "octopuses"),
        ("stadium", "stadia"),
        ("metadata", "metadata"),
    ] {
        assert_eq!(plural(word), expected);
        assert_eq!(plural(expected), expected, "a fixed point");
    }
}

#[test]
fn x18_singular_vectors() {
    for (word, expected) in [
        ("news", "news"),
        ("data", "datum"),
        ("quotas", "quota"),
        ("betas", "beta"),
        ("bonuses", "bonus"),
        ("canvases", "canvas"),
        ("lenses", "lens"),
        ("series", "series"),
        ("statuses", "status"),
        ("analyses", "analysis"),
        ("indices", "index"),
        ("matrices", "matrix"),
        ("criteria", "criterion"),
        ("people", "person"),
        ("leaves", "leaf"),
        ("cookies", "cookie"),
        ("caches", "cache"),
        ("waves", "wave"),
        ("stadia", "stadium"),
        ("dns", "dns"),
        ("sms", "sms"),
        ("us", "us"),
    ] {
        assert_eq!(singular(word), expected);
        assert_eq!(singular(expected), expected, "a fixed point");
    }
}

#[test]
fn x14_the_last_word_of_a_compound() {
    for (one, many) in [
        ("sales_person", "sales_people"),
        ("old-man", "old-men"),
        ("streetChild", "streetChildren"),
        ("OrderStatus", "OrderStatuses"),
        ("userNews", "userNews"),
        ("TopCategory", "TopCategories"),
        ("order line", "order lines"),
        ("first person", "first people"),
        ("a.mouse", "a.mice"),
        ("human", "humans"),
        ("salesperson", "salespersons"),
        ("3d", "3ds"),
    ] {
        assert_eq!(plural(one), many);
        assert_eq!(singular(many), one);
    }
}

#[test]
fn x14_case_is_carried_over() {
    for (one, many) in [
        ("Person", "People"),
        ("PERSON", "PEOPLE"),
        ("STATUS", "STATUSES"),
        ("URL", "URLS"),
        ("userID", "userIDS"),
        ("ORDER_LINE", "ORDER_LINES"),
        ("CAFÉ", "CAFÉS"),
        ("Ox", "Oxen"),
        ("日本Name", "日本Names"),
    ] {
        assert_eq!(plural(one), many);
        assert_eq!(singular(many), one);
    }
    // One letter is never all capitals.
    assert_eq!(plural("planB"), "planBs");
    assert_eq!(singular("planBs"), "planB");
    assert_eq!(plural("A"), "As");
}

#[test]
fn x14_a_last_word_without_letters_stays() {
    for word in ["", " ", "v2", "user_", "user_42", "_", "100%", "日本語2"] {
        assert_eq!(plural(word), word);
        assert_eq!(singular(word), word);
    }
    assert_eq!(
        plural(" user "),
        " users ",
        "white space is trimmed, X5, and kept"
    );
}

#[test]
fn x11_what_no_rule_knows_is_itself() {
    assert_eq!(plural("имя"), "имя");
    assert_eq!(plural("c++"), "c++");
    assert_eq!(singular("s"), "s");
    assert_eq!(singular("user's"), "user's");
}

#[test]
fn x12_the_irregular_map_works_in_both_directions() {
    for (one, many) in &english().plural_of {
        assert_eq!(plural(one), *many);
        assert_eq!(plural(many), *many);
        assert_eq!(singular(many), *one);
        assert_eq!(singular(one), *one);
    }
}

#[test]
fn nouns_in_both_directions_and_as_fixed_points() {
    let nouns = nouns();
    assert!(nouns.len() >= 300, "{} nouns", nouns.len());
    let mut wrong = Vec::new();
    for (one, many) in nouns {
        for (made, expected) in [
            (plural(one), many),
            (plural(many), many),
            (singular(many), one),
            (singular(one), one),
        ] {
            if made != expected {
                wrong.push(format!("{one}, {many}: {made} is not {expected}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn singular_understands_second_plurals() {
    for (many, one) in [
        ("indexes", "index"),
        ("appendices", "appendix"),
        ("apices", "apex"),
        ("formulae", "formula"),
        ("schemata", "schema"),
        ("octopi", "octopus"),
        ("cactuses", "cactus"),
        ("zeroes", "zero"),
        ("scarfs", "scarf"),
        ("abuses", "abuse"),
        ("syllabuses", "syllabus"),
        ("postmen", "postman"),
    ] {
        assert_eq!(singular(many), one);
    }
}

proptest! {
    #[test]
    fn no_text_panics_and_only_the_last_word_changes(text in any::<String>()) {
        let (head, _, tail) = words::last_word(&text);
        for made in [plural(&text), singular(&text)] {
            prop_assert!(made.starts_with(head) && made.ends_with(tail));
        }
    }

    #[test]
    fn an_inflected_word_in_capitals_is_the_capitals_of_the_inflected_word(at in 0..400_usize) {
        let nouns = nouns();
        let (one, many) = nouns[at % nouns.len()];
        let (one, many) = (words::upper(one), words::upper(many));
        prop_assert_eq!(plural(&one), many.as_str());
        prop_assert_eq!(singular(&many), one.as_str());
    }

    /// Endings that singular words have too are left out: `lens`, `-us`, `-ss`, `-sis`.
    #[test]
    fn plural_of_a_plural_made_by_rule_stays(word in "[a-z]{2,10}") {
        let many = plural(&word).into_owned();
        let like_singular = ["us", "ss", "sis", "polis"].iter().any(|end| many.ends_with(end))
            || english().plural_of.contains_key(many.as_str());
        if !like_singular {
            prop_assert_eq!(plural(&many), many.as_str());
        }
    }
}
