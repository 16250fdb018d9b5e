//! File-template paths as patterns: what they match and bind, which is the more specific, which can meet (section 7).
//!
//! It decides the grammar of a template's path (`{capture}`, `*`, literal text), matching, ranking and ties. It must not
//! decide which package claims a path, what `_default` stands in for (F14, F16), or whether a binding may be rendered:
//! a pattern is given to it as text and answers about text.
//!
//! A wildcard, capture or `*`, takes one or more characters of one segment (F4), and no two stand side by side (F5). So
//! within a segment the least a wildcard can take runs to the next place of the literal behind it, what earlier ones
//! took never has to be taken back, and matching is a scan (F6, Y33).

mod set;

use std::cmp::Ordering;

use super::path;
use super::segment::{self, CharSet, Token};
use crate::value::Names;

pub use set::{Match, PatternSet};

/// A file template's path, compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    text: String,
    segments: Vec<Vec<Piece>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Literal(String),
    Capture(String),
    Glob,
}

/// A path that is no pattern (F5, F8): the pattern as given, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("file template {pattern:?}: {kind}")]
pub struct PatternFault {
    /// The pattern as given.
    pub pattern: String,
    /// What is wrong with it.
    pub kind: PatternFaultKind,
}

/// What is wrong with a pattern.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternFaultKind {
    /// There is no path at all.
    #[error("the path is empty")]
    Empty,
    /// A `{` without its `}` in the same segment.
    #[error("a `{{` is not closed within its segment")]
    Unclosed,
    /// A `}` without its `{`.
    #[error("a `}}` closes nothing")]
    Unopened,
    /// `{}`.
    #[error("a capture has no name")]
    Unnamed,
    /// This is not an identifier.
    #[error(
        "{0:?} cannot name a capture: a name is letters, digits and `_`, and starts with no digit"
    )]
    Name(String),
    /// This name occurs more than once.
    #[error("the capture {{{0}}} occurs twice")]
    Reused(String),
    /// Two wildcards with nothing between them.
    #[error("two wildcards stand side by side, so where one ends is open: put text between them")]
    Adjacent,
    /// A backslash (F8).
    #[error("a backslash is no separator and no escape: write `/` between folders")]
    Backslash,
}

/// The captures a match binds: name and text, in the order of the pattern.
pub type Captures<'p> = Vec<(&'p str, String)>;

impl Pattern {
    /// Reads a template's path relative to `files/`. It is cleaned and a leading `/` dropped (F8).
    pub fn parse(path: &str) -> Result<Pattern, PatternFault> {
        read(path).map_err(|kind| PatternFault {
            pattern: path.to_owned(),
            kind,
        })
    }

    /// The pattern as text, cleaned.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The names of the captures, in order.
    pub fn captures(&self) -> impl Iterator<Item = &str> {
        self.segments
            .iter()
            .flatten()
            .filter_map(|piece| match piece {
                Piece::Capture(name) => Some(name.as_str()),
                _ => None,
            })
    }

    /// What the captures hold when the whole `path` matches, each as short as the rest allows, the leftmost first (F6);
    /// `None` when it does not match. The path is cleaned first (F8).
    pub fn matches(&self, path: &str) -> Option<Captures<'_>> {
        self.matches_cleaned(&path::comparable(path))
    }

    fn matches_cleaned(&self, path: &str) -> Option<Captures<'_>> {
        let bound = split_path(&self.segments, path)?;
        let own = |(name, text): (_, &str)| (name, text.to_owned());
        Some(bound.into_iter().map(own).collect())
    }

    /// Orders patterns by how specific they are (F9); `Less` is the more specific. Patterns of equal rank need not be
    /// equal. A pattern of fewer segments that is the beginning of another comes first; the two share no path (F7).
    pub fn rank_cmp(&self, other: &Pattern) -> Ordering {
        let segments = self.segments.iter().zip(&other.segments);
        segments
            .map(|(a, b)| rank_segments(a, b))
            .find(|order| order.is_ne())
            .unwrap_or_else(|| self.segments.len().cmp(&other.segments.len()))
    }

    /// Whether some path matches both patterns, decided exactly (F12).
    pub fn overlaps(&self, other: &Pattern) -> bool {
        self.segments.len() == other.segments.len()
            && self.segments.iter().zip(&other.segments).all(|(a, b)| {
                match (a.as_slice(), b.as_slice()) {
                    ([Piece::Literal(a)], [Piece::Literal(b)]) => a == b,
                    _ => segment::overlap(&tokens(a), &tokens(b)),
                }
            })
    }

    /// A path that the pattern produces: every capture and `*` holds `text`.
    pub(super) fn instance(&self, text: &str) -> String {
        let mut path = String::new();
        for (n, pieces) in self.segments.iter().enumerate() {
            if n > 0 {
                path.push('/');
            }
            for piece in pieces {
                path.push_str(match piece {
                    Piece::Literal(literal) => literal,
                    Piece::Capture(_) | Piece::Glob => text,
                });
            }
        }
        path
    }

    /// The one path the pattern gives with these captures. `None` when it has a `*`, when one of its names is missing,
    /// or when a text is empty or holds a `/`. Further names are ignored.
    pub fn fill(&self, captures: &Names<String>) -> Option<String> {
        let mut path = String::new();
        for (n, pieces) in self.filled_segments(captures)?.into_iter().enumerate() {
            if n > 0 {
                path.push('/');
            }
            match pieces.as_slice() {
                [Piece::Literal(text)] => path.push_str(text),
                _ => return None,
            }
        }
        Some(path)
    }

    /// Whether the pattern gives `path` with exactly these captures filled in, a `*` standing for what it may (J24). The
    /// names must be the pattern's own, all of them and no other; a text that is empty or holds a `/` fills no capture.
    pub fn produces(&self, path: &str, captures: &Names<String>) -> bool {
        // Names are unique within a pattern, so equal counts and every own name present are equal sets.
        self.captures().count() == captures.len()
            && self
                .filled_segments(captures)
                .is_some_and(|segments| split_path(&segments, &path::comparable(path)).is_some())
    }

    /// The segments with literal text in place of captures.
    fn filled_segments(&self, captures: &Names<String>) -> Option<Vec<Vec<Piece>>> {
        let fill_segment = |pieces: &Vec<Piece>| {
            let mut filled: Vec<Piece> = Vec::new();
            for piece in pieces {
                let text = match piece {
                    Piece::Literal(text) => text,
                    Piece::Capture(name) => captures
                        .get(name)
                        .filter(|text| !text.is_empty() && !text.contains('/'))?,
                    Piece::Glob => {
                        filled.push(Piece::Glob);
                        continue;
                    }
                };
                match filled.last_mut() {
                    Some(Piece::Literal(before)) => before.push_str(text),
                    _ => filled.push(Piece::Literal(text.clone())),
                }
            }
            Some(filled)
        };
        self.segments.iter().map(fill_segment).collect()
    }

    /// The segments of plain text the pattern begins with, joined.
    fn plain_start(&self) -> String {
        let plain = self
            .segments
            .iter()
            .map_while(|pieces| match pieces.as_slice() {
                [Piece::Literal(text)] => Some(text.as_str()),
                _ => None,
            });
        plain.collect::<Vec<_>>().join("/")
    }
}

fn read(path: &str) -> Result<Pattern, PatternFaultKind> {
    if path.contains('\\') {
        return Err(PatternFaultKind::Backslash);
    }
    let text = path::comparable(path).into_owned();
    if text.is_empty() {
        return Err(PatternFaultKind::Empty);
    }
    let segments: Vec<Vec<Piece>> = text
        .split('/')
        .map(read_segment)
        .collect::<Result<_, _>>()?;
    let pattern = Pattern { text, segments };
    let mut names: Vec<&str> = pattern.captures().collect();
    names.sort_unstable();
    if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(PatternFaultKind::Reused(pair[0].to_owned()));
    }
    Ok(pattern)
}

fn read_segment(text: &str) -> Result<Vec<Piece>, PatternFaultKind> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut rest = text;
    while let Some(special) = rest.find(['{', '}', '*']) {
        let (literal, tail) = rest.split_at(special);
        if !literal.is_empty() {
            pieces.push(Piece::Literal(literal.to_owned()));
        } else if !pieces.is_empty() && !tail.starts_with('}') {
            return Err(PatternFaultKind::Adjacent);
        }
        if let Some(tail) = tail.strip_prefix('{') {
            let (name, tail) = tail.split_once('}').ok_or(PatternFaultKind::Unclosed)?;
            pieces.push(Piece::Capture(read_name(name)?));
            rest = tail;
        } else if let Some(tail) = tail.strip_prefix('*') {
            pieces.push(Piece::Glob);
            rest = tail;
        } else {
            return Err(PatternFaultKind::Unopened);
        }
    }
    if !rest.is_empty() {
        pieces.push(Piece::Literal(rest.to_owned()));
    }
    Ok(pieces)
}

fn read_name(name: &str) -> Result<String, PatternFaultKind> {
    if name.is_empty() {
        return Err(PatternFaultKind::Unnamed);
    }
    let is_identifier = !name.starts_with(|c: char| c.is_ascii_digit())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !is_identifier {
        return Err(PatternFaultKind::Name(name.to_owned()));
    }
    Ok(name.to_owned())
}

/// Matches a cleaned path segment by segment (F7) and gives what the captures hold.
fn split_path<'p, 't>(
    segments: &'p [Vec<Piece>],
    path: &'t str,
) -> Option<Vec<(&'p str, &'t str)>> {
    // Plain segments cost a comparison, so they turn a path away before anything is bound.
    let fits = |(pieces, text): (&Vec<Piece>, &str)| match pieces.as_slice() {
        [Piece::Literal(literal)] => literal == text,
        _ => true,
    };
    if !segments.iter().zip(path.split('/')).all(fits) {
        return None;
    }
    let mut bound = Vec::new();
    let mut texts = path.split('/');
    for pieces in segments {
        split_segment(pieces, texts.next()?, &mut bound)?;
    }
    texts.next().is_none().then_some(bound)
}

/// Matches one segment. The last literal is held to the end of the text; every other one is placed as early as it can.
fn split_segment<'p, 't>(
    pieces: &'p [Piece],
    text: &'t str,
    bound: &mut Vec<(&'p str, &'t str)>,
) -> Option<()> {
    let mut rest = text;
    let mut open: Option<&Piece> = None;
    for (n, piece) in pieces.iter().enumerate() {
        let Piece::Literal(literal) = piece else {
            open = Some(piece);
            continue;
        };
        let Some(wildcard) = open.take() else {
            rest = rest.strip_prefix(literal.as_str())?;
            continue;
        };
        let least = rest.chars().next()?.len_utf8();
        let end = if n + 1 == pieces.len() {
            rest.strip_suffix(literal.as_str())?.len()
        } else {
            least + rest.get(least..)?.find(literal.as_str())?
        };
        bind(wildcard, rest.get(..end)?, bound)?;
        rest = rest.get(end + literal.len()..)?;
    }
    match open {
        Some(wildcard) => bind(wildcard, rest, bound),
        None => rest.is_empty().then_some(()),
    }
}

fn bind<'p, 't>(
    wildcard: &'p Piece,
    text: &'t str,
    bound: &mut Vec<(&'p str, &'t str)>,
) -> Option<()> {
    if text.is_empty() {
        return None;
    }
    if let Piece::Capture(name) = wildcard {
        bound.push((name, text));
    }
    Some(())
}

/// Compares two segments piece by piece (F9).
fn rank_segments(a: &[Piece], b: &[Piece]) -> Ordering {
    let longer = a.len().max(b.len());
    (0..longer)
        .map(|n| rank_piece(a.get(n)).cmp(&rank_piece(b.get(n))))
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}

/// The rank of what stands at one place of a segment: literals, the longest first, then the segment's end, then a
/// capture, then a glob. The end comes where it does because a surplus literal is more specific, a surplus wildcard less.
fn rank_piece(piece: Option<&Piece>) -> (u8, std::cmp::Reverse<usize>) {
    let (kind, length) = match piece {
        Some(Piece::Literal(text)) => (0, text.chars().count()),
        None => (1, 0),
        Some(Piece::Capture(_)) => (2, 0),
        Some(Piece::Glob) => (3, 0),
    };
    (kind, std::cmp::Reverse(length))
}

fn tokens(pieces: &[Piece]) -> Vec<Token> {
    let mut tokens = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Literal(text) => {
                tokens.extend(text.chars().map(|c| Token::Char(CharSet::One(c))));
            }
            Piece::Capture(_) | Piece::Glob => {
                tokens.extend([Token::Char(CharSet::Any), Token::Star]);
            }
        }
    }
    tokens
}

#[cfg(test)]
mod tests;
