//! One path segment as a row of tokens: single characters out of a set, and stars that take any run of characters.
//!
//! It decides whether a text is one the row describes, and whether two rows describe a common text. It must not know
//! where a row came from: scope entries and file templates both end up here, and neither grammar is read here.

use std::str::Chars;

/// What one character of a segment may be. `/` is in no set: it never is part of a segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CharSet {
    /// Any character.
    Any,
    /// This character.
    One(char),
    /// A character within, or with `negated` outside of, these inclusive ranges; a range from high to low is empty.
    Ranges {
        negated: bool,
        ranges: Vec<(char, char)>,
    },
}

/// A piece of a segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// Exactly one character of the set.
    Char(CharSet),
    /// Any number of characters, none included.
    Star,
}

impl CharSet {
    pub(super) fn contains(&self, c: char) -> bool {
        c != '/'
            && match self {
                CharSet::Any => true,
                CharSet::One(own) => *own == c,
                CharSet::Ranges { negated, ranges } => {
                    ranges.iter().any(|(low, high)| (*low..=*high).contains(&c)) != *negated
                }
            }
    }

    /// Whether some character is in both sets.
    ///
    /// A set is a union of intervals, so a common character exists exactly when the first character of one of those
    /// intervals is common.
    fn meets(&self, other: &CharSet) -> bool {
        let mut starts = Vec::new();
        self.push_starts(&mut starts);
        other.push_starts(&mut starts);
        starts
            .into_iter()
            .any(|c| self.contains(c) && other.contains(c))
    }

    /// Every character at which an interval of the set can begin.
    fn push_starts(&self, starts: &mut Vec<char>) {
        // `0` follows `/`, which cuts every interval it lies in.
        match self {
            CharSet::Any => starts.extend(['\0', '0']),
            CharSet::One(c) => starts.push(*c),
            CharSet::Ranges { ranges, .. } => {
                starts.extend(['\0', '0']);
                for (low, high) in ranges {
                    starts.push(*low);
                    starts.extend((*high..=char::MAX).nth(1));
                }
            }
        }
    }
}

/// Whether `text` is described by `tokens`, all of it.
///
/// Only the last star seen is ever taken back: what earlier stars took was the least possible, so the cost is at most
/// the product of the two lengths (Y33).
pub(super) fn matches(tokens: &[Token], text: &str) -> bool {
    let mut at = 0;
    let mut rest = text.chars();
    let mut retry: Option<(usize, Chars<'_>)> = None;
    loop {
        match tokens.get(at) {
            Some(Token::Star) => {
                at += 1;
                retry = Some((at, rest.clone()));
                continue;
            }
            Some(Token::Char(set)) => {
                let mut ahead = rest.clone();
                if ahead.next().is_some_and(|c| set.contains(c)) {
                    rest = ahead;
                    at += 1;
                    continue;
                }
            }
            None if rest.as_str().is_empty() => return true,
            None => {}
        }
        let Some((after_star, from)) = &mut retry else {
            return false;
        };
        if from.next().is_none() {
            return false;
        }
        at = *after_star;
        rest = from.clone();
    }
}

/// Whether some text is described by both rows: a walk of the product of the two automata (F12).
pub(super) fn overlap(a: &[Token], b: &[Token]) -> bool {
    let width = b.len() + 1;
    let mut reached = vec![false; (a.len() + 1) * width];
    reached[0] = true;
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            if !reached[i * width + j] {
                continue;
            }
            let (down, right, diagonal) = steps(a.get(i), b.get(j));
            if down {
                reached[(i + 1) * width + j] = true;
            }
            if right {
                reached[i * width + j + 1] = true;
            }
            if diagonal {
                reached[(i + 1) * width + j + 1] = true;
            }
        }
    }
    reached.last().copied().unwrap_or(false)
}

/// Which of the two rows may go on by a token from here: the first alone, the second alone, both together.
fn steps(a: Option<&Token>, b: Option<&Token>) -> (bool, bool, bool) {
    let takes = |token: Option<&Token>| match token {
        Some(Token::Star) => true,
        Some(Token::Char(set)) => set.meets(&CharSet::Any),
        None => false,
    };
    match (a, b) {
        (Some(Token::Char(x)), Some(Token::Char(y))) => (false, false, x.meets(y)),
        (Some(Token::Star), _) => (true, takes(b), false),
        (_, Some(Token::Star)) => (takes(a), true, false),
        _ => (false, false, false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn slow_match(tokens: &[Token], text: &[char]) -> bool {
        match tokens.split_first() {
            None => text.is_empty(),
            Some((Token::Star, rest)) => {
                (0..=text.len()).any(|taken| slow_match(rest, &text[taken..]))
            }
            Some((Token::Char(set), rest)) => text
                .split_first()
                .is_some_and(|(c, tail)| set.contains(*c) && slow_match(rest, tail)),
        }
    }

    fn texts(alphabet: &[char], longest: usize) -> Vec<String> {
        let mut all = vec![String::new()];
        let mut last = all.clone();
        for _ in 0..longest {
            last = last
                .iter()
                .flat_map(|text| alphabet.iter().map(move |c| format!("{text}{c}")))
                .collect();
            all.extend(last.iter().cloned());
        }
        all
    }

    fn token() -> impl Strategy<Value = Token> {
        prop_oneof![
            Just(Token::Star),
            Just(Token::Char(CharSet::Any)),
            prop::sample::select(vec!['a', 'b', 'é']).prop_map(|c| Token::Char(CharSet::One(c))),
            (
                any::<bool>(),
                prop::sample::select(vec![('a', 'a'), ('a', 'b'), ('b', 'a'), ('b', 'é')]),
            )
                .prop_map(|(negated, range)| {
                    Token::Char(CharSet::Ranges {
                        negated,
                        ranges: vec![range],
                    })
                }),
        ]
    }

    fn row() -> impl Strategy<Value = Vec<Token>> {
        prop::collection::vec(token(), 0..5)
    }

    #[test]
    fn a_set_that_excludes_everything_meets_nothing() {
        let everything = ('\0', char::MAX);
        let none = CharSet::Ranges {
            negated: true,
            ranges: vec![everything],
        };
        assert!(!none.meets(&CharSet::Any));
        let only_slash = CharSet::Ranges {
            negated: true,
            ranges: vec![('\0', '.'), ('0', char::MAX)],
        };
        assert!(!only_slash.meets(&CharSet::Any));
        let after_the_surrogates = CharSet::Ranges {
            negated: true,
            ranges: vec![('\0', '\u{d7ff}')],
        };
        assert!(after_the_surrogates.meets(&CharSet::Any));
        assert!(!after_the_surrogates.meets(&CharSet::One('a')));
    }

    proptest! {
        /// Y33: the quick matcher decides as the slow one does.
        #[test]
        fn matching_agrees_with_a_slow_matcher(
            row in row(),
            text in prop::collection::vec(prop::sample::select(vec!['a', 'b', 'é', 'z']), 0..7),
        ) {
            let joined: String = text.iter().collect();
            prop_assert_eq!(matches(&row, &joined), slow_match(&row, &text));
        }

        /// F12: two rows overlap exactly when one of all short texts is described by both.
        #[test]
        fn overlap_agrees_with_trying_every_text(a in row(), b in row()) {
            let common = texts(&['a', 'b', 'é', 'z', '0'], 5)
                .iter()
                .any(|text| matches(&a, text) && matches(&b, text));
            let found = overlap(&a, &b);
            // Two rows of n and m tokens that overlap at all do so in a text of at most n + m characters.
            if common || a.len() + b.len() <= 5 {
                prop_assert_eq!(found, common);
            }
        }
    }
}
