//! Words: where an identifier's words begin, and how letters change case.
//!
//! It decides word borders (X5), `snake` and `kebab`, and the character-by-character case mapping
//! (X4) that everything else in transforms uses. It must not know operations, exceptions or
//! inflection, and no list of acronyms lives here or anywhere else (X9).

/// What a byte is to the splitter. Bytes outside ASCII are all `Other`: they never make a border.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Lower,
    Upper,
    Digit,
    Delimiter,
    Other,
}

fn kind(byte: u8) -> Kind {
    match byte {
        b'a'..=b'z' => Kind::Lower,
        b'A'..=b'Z' => Kind::Upper,
        b'0'..=b'9' => Kind::Digit,
        b' ' | b'_' | b'-' | b'.' => Kind::Delimiter,
        _ => Kind::Other,
    }
}

/// Whether a word begins at byte `at` without a delimiter in front of it (X5).
fn begins_word(bytes: &[u8], at: usize) -> bool {
    let kind_at = |i: usize| bytes.get(i).map_or(Kind::Other, |byte| kind(*byte));
    let Some(before) = at.checked_sub(1).map(kind_at) else {
        return false;
    };
    match (before, kind_at(at)) {
        (Kind::Lower, Kind::Upper | Kind::Digit)
        | (Kind::Upper, Kind::Digit)
        | (Kind::Digit, Kind::Lower | Kind::Upper) => true,
        (Kind::Upper, Kind::Upper) => kind_at(at + 1) == Kind::Lower,
        _ => false,
    }
}

fn delimited(text: &str, delimiter: char) -> String {
    let text = text.trim();
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    for (at, letter) in text.char_indices() {
        if begins_word(bytes, at) {
            out.push(delimiter);
        }
        match letter {
            ' ' | '_' | '-' | '.' => out.push(delimiter),
            other => out.push(other.to_ascii_lowercase()),
        }
    }
    out
}

/// `text` trimmed, its words in lower case and joined by `_` (X5). Each delimiter of the input
/// (space, `_`, `-`, `.`) becomes one `_`; characters outside ASCII pass through.
pub fn snake(text: &str) -> String {
    delimited(text, '_')
}

/// As [`snake`], joined by `-` (X5).
pub fn kebab(text: &str) -> String {
    delimited(text, '-')
}

/// Splits `text` in three: what precedes its last word, that word, and trailing white space (X14).
/// The word is empty when `text` ends in a delimiter. The three parts make up `text` again.
pub fn last_word(text: &str) -> (&str, &str, &str) {
    let (body, tail) = text.split_at(text.trim_end().len());
    let bytes = body.as_bytes();
    let last_delimiter = bytes
        .iter()
        .rposition(|byte| kind(*byte) == Kind::Delimiter);
    let earliest = match last_delimiter {
        Some(at) => at + 1,
        None => body.len() - body.trim_start().len(),
    };
    let begin = (earliest..bytes.len())
        .rev()
        .find(|at| begins_word(bytes, *at))
        .unwrap_or(earliest);
    let (head, word) = body.split_at(begin);
    (head, word, tail)
}

/// One character's upper case; a character whose mapping is not one character stays (X4).
pub fn upper_char(letter: char) -> char {
    let mut mapped = letter.to_uppercase();
    match (mapped.next(), mapped.next()) {
        (Some(upper), None) => upper,
        _ => letter,
    }
}

/// One character's lower case; a character whose mapping is not one character stays (X4).
pub fn lower_char(letter: char) -> char {
    // The dotted capital I has a one-character mapping in Unicode's character database, but the
    // standard library only offers the longer one that keeps the dot as a combining mark.
    if letter == '\u{130}' {
        return 'i';
    }
    let mut mapped = letter.to_lowercase();
    match (mapped.next(), mapped.next()) {
        (Some(lower), None) => lower,
        _ => letter,
    }
}

/// The whole of `text` in upper case, without splitting it into words (X4).
pub fn upper(text: &str) -> String {
    text.chars().map(upper_char).collect()
}

/// The whole of `text` in lower case, without splitting it into words (X4).
pub fn lower(text: &str) -> String {
    text.chars().map(lower_char).collect()
}

/// Appends `word` to `out` with its first character in upper case and the rest as it is (X6).
pub fn push_capitalised(out: &mut String, word: &str) {
    let mut letters = word.chars();
    if let Some(first) = letters.next() {
        out.push(upper_char(first));
        out.push_str(letters.as_str());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use regex::Regex;

    #[test]
    fn x18_snake_vectors() {
        for (text, expected) in [
            ("UserURL", "user_url"),
            ("HTTPServer", "http_server"),
            ("user2name", "user_2_name"),
            ("OAuth2Token", "o_auth_2_token"),
            ("a.b", "a_b"),
            ("db/user", "db/user"),
        ] {
            assert_eq!(snake(text), expected);
        }
    }

    #[test]
    fn x5_delimiters_are_mapped_one_for_one_and_the_ends_are_trimmed() {
        assert_eq!(snake("  padded  "), "padded");
        assert_eq!(snake("two  spaces"), "two__spaces");
        assert_eq!(snake("mixed_-.case"), "mixed___case");
        assert_eq!(kebab("__init__"), "--init--");
        assert_eq!(kebab("Order Line"), "order-line");
        assert_eq!(snake(""), "");
        assert_eq!(snake(" \t "), "");
    }

    #[test]
    fn x5_only_ascii_makes_borders() {
        assert_eq!(snake("caféBar"), "cafébar");
        assert_eq!(snake("ÉcoleNom"), "École_nom");
        assert_eq!(snake("имяФайла"), "имяФайла");
    }

    #[test]
    fn x5_the_last_capital_of_a_run_belongs_to_the_next_word() {
        assert_eq!(snake("ABc"), "a_bc");
        assert_eq!(snake("aBC"), "a_bc");
        assert_eq!(snake("XMLHttpRequest"), "xml_http_request");
        assert_eq!(snake("UserIDs"), "user_i_ds");
    }

    #[test]
    fn x4_case_is_mapped_character_by_character() {
        assert_eq!(upper("straße"), "STRAßE");
        assert_eq!(lower("ΟΔΟΣ"), "οδοσ");
        assert_eq!(lower("İstanbul"), "istanbul");
        assert_eq!(upper("ﬁn"), "ﬁN");
    }

    #[test]
    fn x14_last_words() {
        assert_eq!(last_word("sales_person"), ("sales_", "person", ""));
        assert_eq!(last_word("OrderStatus"), ("Order", "Status", ""));
        assert_eq!(last_word("HTTPServer"), ("HTTP", "Server", ""));
        assert_eq!(last_word("userID"), ("user", "ID", ""));
        assert_eq!(last_word(" big user "), (" big ", "user", " "));
        assert_eq!(last_word("v2"), ("v", "2", ""));
        assert_eq!(last_word("user_"), ("user_", "", ""));
        assert_eq!(last_word("\tuser"), ("\t", "user", ""));
        assert_eq!(last_word(""), ("", "", ""));
    }

    /// X5 said another way: rewrite until no border is left, then map and lower-case.
    fn snake_by_rewriting(text: &str) -> String {
        let borders = [
            "([a-z])([A-Z0-9])",
            "([A-Z])([0-9])",
            "([0-9])([A-Za-z])",
            "([A-Z])([A-Z][a-z])",
        ]
        .map(|pattern| Regex::new(pattern).unwrap());
        let mut text = text.trim().to_owned();
        loop {
            let before = text.clone();
            for border in &borders {
                text = border.replace_all(&text, "${1}_${2}").into_owned();
            }
            if text == before {
                break;
            }
        }
        text.replace([' ', '-', '.'], "_").to_ascii_lowercase()
    }

    proptest! {
        #[test]
        fn snake_agrees_with_rewriting(text in "[a-zA-Z0-9 _.é/-]{0,16}") {
            prop_assert_eq!(snake(&text), snake_by_rewriting(&text));
        }

        #[test]
        fn snake_and_kebab_change_nothing_a_second_time(text in any::<String>()) {
            prop_assert_eq!(snake(&snake(&text)), snake(&text));
            prop_assert_eq!(kebab(&kebab(&text)), kebab(&text));
        }

        #[test]
        fn case_mapping_keeps_the_number_of_characters(text in any::<String>()) {
            prop_assert_eq!(upper(&text).chars().count(), text.chars().count());
            prop_assert_eq!(lower(&text).chars().count(), text.chars().count());
        }

        #[test]
        fn the_last_word_is_the_last_of_snake(text in any::<String>()) {
            let (head, word, tail) = last_word(&text);
            prop_assert_eq!(format!("{head}{word}{tail}"), text.clone());
            let whole = snake(&text);
            let last = whole.rsplit('_').next().unwrap_or("");
            prop_assert_eq!(word.to_ascii_lowercase(), last);
        }
    }
}
