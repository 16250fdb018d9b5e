//! Inflection: singular and plural of the last word of an identifier.
//!
//! It decides which word is inflected and how letter case is carried over (X13, X14), and in what
//! order the table is asked (X11). What English does is data, in `inflections/en.txt`, and only
//! there (X10). Nothing here looks at a package: exceptions for casing never reach inflection.
//!
//! The table is read at the first inflection of a process and is immutable from then on. A rule's
//! regular expression is compiled when a word first ends as the rule requires, so a process pays
//! for the few rules that it meets.

use std::borrow::Cow;
use std::sync::OnceLock;

use foldhash::{HashMap, HashMapExt as _, HashSet};
use regex::{Regex, RegexBuilder};

use super::words;

/// `text` with its last word in the plural; unchanged when it already is, or has none (X14).
pub fn plural(text: &str) -> Cow<'_, str> {
    inflect(text, Direction::Plural)
}

/// `text` with its last word in the singular; unchanged when it already is (X14).
pub fn singular(text: &str) -> Cow<'_, str> {
    inflect(text, Direction::Singular)
}

#[derive(Clone, Copy)]
enum Direction {
    Plural,
    Singular,
}

fn inflect(text: &str, direction: Direction) -> Cow<'_, str> {
    let (head, word, tail) = words::last_word(text);
    if !word.chars().any(char::is_alphabetic) {
        return Cow::Borrowed(text);
    }
    let lower = words::lower(word);
    let inflected = english().inflect(&lower, direction);
    if inflected == lower {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 4);
    out.push_str(head);
    push_with_case_of(&mut out, word, &inflected);
    out.push_str(tail);
    Cow::Owned(out)
}

/// Whether `word` has two letters or more and all of them are capitals (X14).
fn is_all_capitals(word: &str) -> bool {
    let letters = || word.chars().filter(|letter| letter.is_alphabetic());
    letters().nth(1).is_some() && letters().all(char::is_uppercase)
}

/// Appends `inflected`, which is in lower case, in the letter case of `word` (X14): the beginning
/// they share as `word` has it, the rest in capitals only when all of `word` is.
fn push_with_case_of(out: &mut String, word: &str, inflected: &str) {
    let shared = word
        .chars()
        .zip(inflected.chars())
        .take_while(|(written, new)| words::lower_char(*written) == *new)
        .count();
    out.extend(word.chars().take(shared));
    let rest: String = inflected.chars().skip(shared).collect();
    if is_all_capitals(word) {
        out.push_str(&words::upper(&rest));
    } else if shared == 0 && word.chars().next().is_some_and(char::is_uppercase) {
        words::push_capitalised(out, &rest);
    } else {
        out.push_str(&rest);
    }
}

/// A language's table (X10). All of it is in lower case.
#[derive(Default)]
struct Table {
    plural_rules: Vec<Rule>,
    singular_rules: Vec<Rule>,
    plural_of: HashMap<&'static str, &'static str>,
    singular_of: HashMap<&'static str, &'static str>,
    uncountable: HashSet<&'static str>,
    /// Lines that are neither a section, a comment, nor an entry of their section.
    unread: Vec<&'static str>,
}

/// Room for the irregular words of a language, so that the maps need not grow while they are read.
const IRREGULARS: usize = 400;

fn english() -> &'static Table {
    static ENGLISH: OnceLock<Table> = OnceLock::new();
    ENGLISH.get_or_init(|| Table::read(include_str!("inflections/en.txt")))
}

impl Table {
    /// Reads the format that the head of `inflections/en.txt` explains.
    fn read(text: &'static str) -> Table {
        let mut table = Table {
            plural_of: HashMap::with_capacity(IRREGULARS),
            singular_of: HashMap::with_capacity(IRREGULARS),
            ..Table::default()
        };
        let mut section = "";
        for line in text.lines() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some(name) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
                section = name;
            } else if !table.take(section, line) {
                table.unread.push(line);
            }
        }
        table
    }

    /// Takes one line of a section; `false` if it is not of the section's form.
    fn take(&mut self, section: &str, line: &'static str) -> bool {
        match section {
            "plural" => Rule::read(line).is_some_and(|rule| {
                self.plural_rules.push(rule);
                true
            }),
            "singular" => Rule::read(line).is_some_and(|rule| {
                self.singular_rules.push(rule);
                true
            }),
            "irregular" => line.split_once(' ').is_some_and(|(one, many)| {
                let many = many.trim();
                self.plural_of.insert(one, many).is_none()
                    && self.singular_of.insert(many, one).is_none()
            }),
            "uncountable" => {
                self.uncountable.extend(line.split_whitespace());
                true
            }
            _ => false,
        }
    }

    /// The form of `word`, a whole word in lower case, by the order of X11.
    fn inflect<'w>(&self, word: &'w str, direction: Direction) -> Cow<'w, str> {
        let (wanted, given, rules) = match direction {
            Direction::Plural => (&self.plural_of, &self.singular_of, &self.plural_rules),
            Direction::Singular => (&self.singular_of, &self.plural_of, &self.singular_rules),
        };
        let stays = self.uncountable.contains(word) || given.contains_key(word);
        if word.is_empty() || stays {
            return Cow::Borrowed(word);
        }
        if let Some(form) = wanted.get(word) {
            return Cow::Borrowed(form);
        }
        rules
            .iter()
            .find_map(|rule| rule.apply(word))
            .map_or(Cow::Borrowed(word), Cow::Owned)
    }
}

/// An ordered rule: a pattern for the end of a word, and what the matched part becomes.
struct Rule {
    pattern: &'static str,
    replacement: &'static str,
    /// The plain text that the pattern ends in, which every word that it matches ends in.
    ending: &'static str,
    compiled: OnceLock<Option<Regex>>,
}

/// The characters that mean something in a pattern; all others stand for themselves.
const SYNTAX: &str = r"\.+*?()|[]{}^$";

/// Far above what any rule of the table needs.
const COMPILED_SIZE: usize = 1 << 20;

impl Rule {
    /// Reads `pattern -> replacement`. The pattern must end in `$`; it may hold neither a
    /// backslash nor an alternative outside parentheses, or its last letters would not bind.
    fn read(line: &'static str) -> Option<Rule> {
        let (pattern, replacement) = line.split_once("->")?;
        let pattern = pattern.trim();
        let body = pattern.strip_suffix('$')?;
        let head = body.trim_end_matches(|c| !SYNTAX.contains(c));
        Some(Rule {
            pattern,
            replacement: replacement.trim(),
            ending: body.strip_prefix(head)?,
            compiled: OnceLock::new(),
        })
    }

    /// Whether the pattern is nothing but its ending, so that no regular expression is needed.
    fn is_literal(&self) -> bool {
        self.pattern.len() == self.ending.len() + 1
    }

    /// What the rule makes of `word`, or `None` where it does not match or would leave nothing.
    fn apply(&self, word: &str) -> Option<String> {
        let stem = word.strip_suffix(self.ending)?;
        let made = if self.is_literal() {
            format!("{stem}{}", self.replacement)
        } else {
            match self.regex()?.replace(word, self.replacement) {
                Cow::Owned(made) => made,
                Cow::Borrowed(_) => return None,
            }
        };
        Some(made).filter(|made| !made.is_empty())
    }

    fn regex(&self) -> Option<&Regex> {
        self.compiled
            .get_or_init(|| {
                RegexBuilder::new(self.pattern)
                    .size_limit(COMPILED_SIZE)
                    .build()
                    .ok()
            })
            .as_ref()
    }
}

#[cfg(test)]
#[path = "inflection_tests.rs"]
mod tests;
