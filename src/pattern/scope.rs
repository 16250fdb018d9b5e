//! Scope entries: the paths a record authorises or forbids, and those a package disowns or calls tests (section 9).
//!
//! It decides what an entry's text means and whether a path is meant. One implementation serves all four lists (Q2). It
//! must not decide what follows from a match, nor whether an authorised path is a safe one (see [`super::path`]); and it
//! knows nothing of file templates beyond the paths they can produce.
//!
//! An entry is split at `/`; a segment `**` stands for any number of segments, every other segment is read as Go's
//! `path.Match` reads it (Q1). A segment of plain characters compiles to nothing but itself.

use std::collections::HashMap;

use super::file;
use super::path;
use super::segment::{self, CharSet, Token};

/// An entry that cannot be read (R11, S6).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// Nothing but white space.
    #[error("the scope entry is blank")]
    Blank,
    /// A `[` that no `]` closes, or a class that lists nothing or has a `-` without both ends.
    #[error("scope pattern {0:?} has a malformed character class")]
    Class(String),
    /// A `\` with nothing behind it in its segment.
    #[error("scope pattern {0:?} has a backslash that escapes nothing")]
    Backslash(String),
}

/// One scope entry, compiled.
#[derive(Clone, Debug)]
pub struct Entry {
    text: String,
    form: Form,
}

#[derive(Clone, Debug)]
enum Form {
    /// Matches this one path.
    Path(String),
    Steps(Vec<Step>),
}

#[derive(Clone, Debug)]
enum Step {
    /// `**`: any number of segments, none included.
    AnySegments,
    /// A segment without anything special.
    Name(String),
    /// A segment with `*`, `?` or `[...]`.
    Tokens(Vec<Token>),
}

impl Entry {
    /// Reads an entry; white space around it is dropped (R7).
    pub fn parse(text: &str) -> Result<Entry, Unreadable> {
        let text = text.trim();
        if text.is_empty() {
            return Err(Unreadable::Blank);
        }
        let mut steps: Vec<Step> = Vec::new();
        for segment in text.split('/') {
            match segment {
                "" | "." => {}
                ".." if steps.last().is_some_and(|last| !last.is_name("..")) => {
                    steps.pop();
                }
                // `**/**` is `**`, and two in a row would only cost time.
                "**" if matches!(steps.last(), Some(Step::AnySegments)) => {}
                "**" => steps.push(Step::AnySegments),
                _ => steps.push(parse_segment(segment, text)?),
            }
        }
        if text.ends_with('/') && !matches!(steps.last(), Some(Step::AnySegments)) {
            steps.push(Step::AnySegments);
        }
        let names: Option<Vec<&str>> = steps.iter().map(Step::name).collect();
        let form = match names {
            Some(names) => Form::Path(names.join("/")),
            None => Form::Steps(steps),
        };
        Ok(Entry {
            text: text.to_owned(),
            form,
        })
    }

    /// The entry as written, trimmed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the entry names one file to create, rather than only authorising matches (R8).
    pub fn is_literal(&self) -> bool {
        !self.text.contains(['*', '?', '[']) && !self.text.ends_with('/')
    }

    /// Whether the entry means `path`, a cleaned path; slashes at its ends do not count (Q4, Q5, Q6).
    pub fn matches(&self, path: &str) -> bool {
        let path = path.trim_matches('/');
        match &self.form {
            Form::Path(own) => own == path,
            Form::Steps(steps) => {
                // The file name decides most often, and first where the entry begins with `**`.
                let name = path.rsplit('/').next().unwrap_or_default();
                if !steps.last().is_some_and(|last| last.matches(name)) {
                    return false;
                }
                let segments = path.split('/').filter(|segment| !segment.is_empty());
                walk(steps, segments, Step::matches)
            }
        }
    }

    /// Whether the entry means every path that the file template can produce (S7, S8): a capture or `*` stands for any
    /// one or more characters other than `/`, so an entry that only some of them fit does not cover it.
    ///
    /// It is enough to try wildcards that all hold one character, alone and more often than the entry is long: a
    /// character that the entry does not name, and each that it does.
    ///
    /// For a literal target, `matches` says the same.
    pub fn covers_template(&self, pattern: &file::Pattern) -> bool {
        const UNNAMED: char = '\u{e000}';
        let named = self.text.chars().filter(|c| *c != '/');
        let mut probes: Vec<char> = named.chain([UNNAMED]).collect();
        probes.sort_unstable();
        probes.dedup();
        let long = self.text.chars().count() + 2;
        probes.into_iter().all(|probe| {
            let fits = |length: usize| {
                let held = probe.to_string().repeat(length);
                self.matches(&pattern.instance(&held))
            };
            fits(1) && fits(long)
        })
    }

    /// The plain segments the entry begins with, joined, or the plain last segment of one that begins otherwise.
    fn fixed_part(&self) -> Fixed {
        let Form::Steps(steps) = &self.form else {
            return Fixed::None;
        };
        let start: Vec<&str> = steps.iter().map_while(Step::name).collect();
        if !start.is_empty() {
            return Fixed::Start(start.join("/"));
        }
        match steps.last().and_then(Step::name) {
            Some(name) => Fixed::Name(name.to_owned()),
            None => Fixed::None,
        }
    }
}

enum Fixed {
    Start(String),
    Name(String),
    None,
}

impl Step {
    fn name(&self) -> Option<&str> {
        match self {
            Step::Name(name) => Some(name),
            _ => None,
        }
    }

    fn is_name(&self, name: &str) -> bool {
        self.name() == Some(name)
    }

    fn matches(&self, segment: &str) -> bool {
        match self {
            Step::AnySegments => true,
            Step::Name(name) => name == segment,
            Step::Tokens(tokens) => segment::matches(tokens, segment),
        }
    }
}

/// Whether the steps describe the row of segments, all of it. As in [`segment::matches`], only the last `**` is ever
/// taken back, so the steps of a match are at most the product of the two lengths (Y33).
fn walk<S: Copy>(
    steps: &[Step],
    segments: impl Iterator<Item = S> + Clone,
    fits: impl Fn(&Step, S) -> bool,
) -> bool {
    let mut at = 0;
    let mut rest = segments;
    let mut retry = None;
    loop {
        let mut ahead = rest.clone();
        match (steps.get(at), ahead.next()) {
            (Some(Step::AnySegments), _) => {
                at += 1;
                retry = Some((at, rest.clone()));
                continue;
            }
            (Some(step), Some(segment)) if fits(step, segment) => {
                at += 1;
                rest = ahead;
                continue;
            }
            (None, None) => return true,
            _ => {}
        }
        let Some((after, from)) = &mut retry else {
            return false;
        };
        if from.next().is_none() {
            return false;
        }
        at = *after;
        rest = from.clone();
    }
}

/// Reads one segment as `path.Match` does; `entry` is for the fault.
fn parse_segment(text: &str, entry: &str) -> Result<Step, Unreadable> {
    let mut tokens = Vec::new();
    let mut name = Some(String::new());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        let token = match c {
            '*' => Token::Star,
            '?' => Token::Char(CharSet::Any),
            '[' => Token::Char(
                parse_class(&mut rest).ok_or_else(|| Unreadable::Class(entry.to_owned()))?,
            ),
            '\\' => match rest.next() {
                Some(escaped) => Token::Char(CharSet::One(escaped)),
                None => return Err(Unreadable::Backslash(entry.to_owned())),
            },
            _ => Token::Char(CharSet::One(c)),
        };
        match (&token, &mut name) {
            (Token::Char(CharSet::One(c)), Some(name)) => name.push(*c),
            _ => name = None,
        }
        if token != Token::Star || tokens.last() != Some(&Token::Star) {
            tokens.push(token);
        }
    }
    Ok(name.map_or(Step::Tokens(tokens), Step::Name))
}

/// Reads a class behind its `[`, up to and with its `]`; `None` when it is malformed. A range from high to low is well
/// formed and holds nothing.
fn parse_class(rest: &mut std::str::Chars<'_>) -> Option<CharSet> {
    let negated = rest.as_str().starts_with('^');
    if negated {
        rest.next();
    }
    let mut ranges = Vec::new();
    loop {
        if !ranges.is_empty() && rest.as_str().starts_with(']') {
            rest.next();
            return Some(CharSet::Ranges { negated, ranges });
        }
        let low = class_char(rest)?;
        let high = if rest.as_str().starts_with('-') {
            rest.next();
            class_char(rest)?
        } else {
            low
        };
        ranges.push((low, high));
    }
}

/// One end of a range: any character but a bare `-` or `]`.
fn class_char(rest: &mut std::str::Chars<'_>) -> Option<char> {
    match rest.next()? {
        '-' | ']' => None,
        '\\' => rest.next(),
        c => Some(c),
    }
}

/// A list of entries, indexed: a path is looked up, not tried against every entry (Y30).
#[derive(Clone, Debug, Default)]
pub struct ScopeSet {
    entries: Vec<Entry>,
    /// Entries that mean one path, by that path.
    paths: HashMap<String, usize>,
    /// The other entries: by the folder they begin with, else by the file name they end with, else unsorted. Indices
    /// ascend in every list.
    by_start: HashMap<String, Vec<usize>>,
    by_name: HashMap<String, Vec<usize>>,
    others: Vec<usize>,
}

impl ScopeSet {
    /// Indexes the entries; their order is kept.
    pub fn new(entries: Vec<Entry>) -> ScopeSet {
        let mut set = ScopeSet::default();
        for (index, entry) in entries.iter().enumerate() {
            if let Form::Path(path) = &entry.form {
                set.paths.entry(path.clone()).or_insert(index);
                continue;
            }
            match entry.fixed_part() {
                Fixed::Start(start) => set.by_start.entry(start).or_default().push(index),
                Fixed::Name(name) => set.by_name.entry(name).or_default().push(index),
                Fixed::None => set.others.push(index),
            }
        }
        set.entries = entries;
        set
    }

    /// The entries, in the order given.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The index of the first entry that means `path`, a cleaned path.
    pub fn first_match(&self, path: &str) -> Option<usize> {
        let path = path.trim_matches('/');
        let mut first = self.paths.get(path).copied();
        if self.paths.len() == self.entries.len() {
            return first;
        }
        let name = path.rsplit('/').next().unwrap_or_default();
        let starts = path::prefixes(path).filter_map(|start| self.by_start.get(start));
        let lists = starts.chain(self.by_name.get(name)).chain([&self.others]);
        for list in lists {
            let earlier = list
                .iter()
                .take_while(|index| first.is_none_or(|first| **index < first))
                .find(|index| self.entry_matches(**index, path));
            first = earlier.copied().or(first);
        }
        first
    }

    fn entry_matches(&self, index: usize, path: &str) -> bool {
        self.entries
            .get(index)
            .is_some_and(|entry| entry.matches(path))
    }
}

#[cfg(test)]
mod tests;
