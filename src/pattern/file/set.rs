//! Many file-template patterns at once: the best match for a path, and the patterns that tie.
//!
//! It decides by the ranking of one pattern against another and adds nothing to it. It must not depend on the order in
//! which patterns are given.

use foldhash::{HashMap, HashMapExt as _};

use super::super::path;
use super::{Captures, Pattern, Piece};

/// Many patterns, indexed for matching a path against all of them.
///
/// A pattern is filed under its number of segments and the plain segments it begins with. A pattern with more plain
/// segments at its beginning is the more specific one wherever both match, so a path looks under its own beginnings,
/// the longest first, and the first list with a match decides.
#[derive(Clone, Debug, Default)]
pub struct PatternSet {
    patterns: Vec<Pattern>,
    /// Number of segments, then plain beginning, then indices by rank.
    index: HashMap<usize, HashMap<String, Vec<usize>>>,
}

/// What matching a path against a set found (F10).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Match<'s> {
    /// No pattern matches.
    None,
    /// One pattern is more specific than every other that matches.
    One {
        /// Its index in the set.
        index: usize,
        /// What its captures hold.
        captures: Captures<'s>,
    },
    /// These patterns match and none is more specific, by text.
    Tie(Vec<usize>),
}

impl PatternSet {
    /// Indexes the patterns; their indices are their places in the list, whose order never changes a result (F10).
    pub fn new(patterns: Vec<Pattern>) -> PatternSet {
        let mut order: Vec<usize> = (0..patterns.len()).collect();
        order.sort_by(|a, b| {
            let (a, b) = (&patterns[*a], &patterns[*b]);
            a.rank_cmp(b).then_with(|| a.text.cmp(&b.text))
        });
        let mut index: HashMap<usize, HashMap<String, Vec<usize>>> = HashMap::new();
        for at in order {
            let pattern = &patterns[at];
            let by_start = index.entry(pattern.segments.len()).or_default();
            by_start.entry(pattern.plain_start()).or_default().push(at);
        }
        PatternSet { patterns, index }
    }

    /// The patterns, in the order given.
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// The most specific pattern that matches `path`, or those that tie for it (F9, F10).
    pub fn best(&self, path: &str) -> Match<'_> {
        let path = path::comparable(path);
        let Some(by_start) = self.index.get(&path.split('/').count()) else {
            return Match::None;
        };
        let starts = path::prefixes(&path).rev().chain([""]);
        starts
            .filter_map(|start| by_start.get(start))
            .find_map(|ranked| self.best_of(ranked, &path))
            .unwrap_or(Match::None)
    }

    /// The first match in a list ordered by rank, with those behind it that rank the same.
    fn best_of(&self, ranked: &[usize], path: &str) -> Option<Match<'_>> {
        let mut candidates = ranked
            .iter()
            .filter_map(|at| Some((*at, self.patterns.get(*at)?)));
        let (index, winner, captures) = candidates
            .find_map(|(at, pattern)| Some((at, pattern, pattern.matches_cleaned(path)?)))?;
        let equals: Vec<usize> = candidates
            .take_while(|(_, pattern)| winner.rank_cmp(pattern).is_eq())
            .filter(|(_, pattern)| pattern.matches_cleaned(path).is_some())
            .map(|(at, _)| at)
            .collect();
        if equals.is_empty() {
            return Some(Match::One { index, captures });
        }
        Some(Match::Tie([vec![index], equals].concat()))
    }

    /// The pairs of patterns that rank the same and share a path (F11), each once, ordered by the patterns' texts
    /// whatever the order of the set (F13).
    pub fn ties(&self) -> Vec<(usize, usize)> {
        let mut groups: HashMap<Vec<Shape<'_>>, Vec<usize>> = HashMap::new();
        for (index, pattern) in self.patterns.iter().enumerate() {
            groups.entry(shape(pattern)).or_default().push(index);
        }
        let text = |index: usize| self.patterns.get(index).map(Pattern::text);
        let mut pairs = Vec::new();
        for mut group in groups.into_values() {
            group.sort_by_key(|index| text(*index));
            for (n, a) in group.iter().enumerate() {
                for b in group.iter().skip(n + 1) {
                    if self.patterns[*a].overlaps(&self.patterns[*b]) {
                        pairs.push((*a, *b));
                    }
                }
            }
        }
        pairs.sort_by_key(|(a, b)| (text(*a), text(*b), *a, *b));
        pairs
    }
}

/// What two patterns must have in common, piece by piece, to tie. A literal at an end of a segment counts by its text:
/// two of one length that differ share no path.
#[derive(PartialEq, Eq, Hash)]
enum Shape<'p> {
    Fixed(&'p str),
    Literal(usize),
    Capture,
    Glob,
    SegmentEnd,
}

fn shape(pattern: &Pattern) -> Vec<Shape<'_>> {
    let mut shape = Vec::new();
    for pieces in &pattern.segments {
        for (n, piece) in pieces.iter().enumerate() {
            shape.push(match piece {
                Piece::Literal(text) if n == 0 || n + 1 == pieces.len() => Shape::Fixed(text),
                Piece::Literal(text) => Shape::Literal(text.chars().count()),
                Piece::Capture(_) => Shape::Capture,
                Piece::Glob => Shape::Glob,
            });
        }
        shape.push(Shape::SegmentEnd);
    }
    shape
}
