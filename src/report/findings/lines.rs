//! The lines of a source that an excerpt shows, made safe to print.
//!
//! A stretch of lines is copied out, control characters escaped (O28) and carriage returns at a line's end dropped;
//! a very long line is cut to the part around its mark. The cost is that of the lines shown, not of the file. A mark
//! stays on its first line: where a range goes on below, the lines after it are shown without an underline.

use std::ops::Range;

use crate::diag::{Place, shown};

/// The longest part of a line that is looked at, in bytes.
const LONGEST: usize = 2000;
/// How many lines of a range are shown below its first.
const BELOW: usize = 2;
/// How far apart two marks of one stretch may be, in lines.
const APART: u32 = 30;

/// A range of one line of a source.
#[derive(Clone, Debug)]
pub(super) struct Mark<'a> {
    pub place: &'a Place,
    /// What is there; `None` for the fault itself.
    pub label: Option<&'a str>,
    /// The number of its line, from 1.
    pub line: u32,
    bounds: Range<usize>,
    range: Range<usize>,
    below: Range<usize>,
    below_count: u32,
}

impl<'a> Mark<'a> {
    pub fn new(place: &'a Place, label: Option<&'a str>) -> Self {
        let text = place.source.text();
        let wanted = floor(text, place.span.start as usize);
        let bounds = line_at(text, wanted);
        let start = wanted.min(bounds.end);
        let end = floor(text, place.span.end as usize);
        let (below, below_count) = lines_below(text, bounds.end, end);
        Self {
            place,
            label,
            line: place.position().0,
            range: start..end.clamp(start, bounds.end),
            bounds,
            below,
            below_count,
        }
    }

    /// Whether the two fit into one stretch: the same file, near lines, and near places when they share a long line.
    fn is_near(&self, other: &Self) -> bool {
        let lines = self.line.abs_diff(other.line);
        let bytes = self.range.start.abs_diff(other.range.start);
        std::sync::Arc::ptr_eq(&self.place.source, &other.place.source)
            && lines <= APART
            && (lines > 0 || bytes < LONGEST / 2)
    }
}

/// Consecutive lines of one source, with their marks.
#[derive(Debug)]
pub(super) struct Stretch<'a> {
    marks: Vec<Mark<'a>>,
}

/// A stretch as text, with ranges in that text.
#[derive(Debug, Default)]
pub(super) struct Printable<'a> {
    /// The lines, each ended.
    pub text: String,
    /// The number of the first line.
    pub first: u32,
    /// Where the marks are.
    pub marks: Vec<(Range<usize>, Option<&'a str>)>,
    /// Lines to show without an underline.
    pub plain: Vec<Range<usize>>,
}

impl Printable<'_> {
    /// Whether the last line to show is one without an underline.
    pub fn ends_plain(&self) -> bool {
        let last_mark = self.marks.iter().map(|(range, _)| range.start).max();
        self.plain.last().map(|range| range.start) > last_mark
    }
}

impl<'a> Stretch<'a> {
    /// Marks to stretches: each mark joins the first stretch that it is near to.
    pub fn of(marks: impl IntoIterator<Item = Mark<'a>>) -> Vec<Self> {
        let mut stretches: Vec<Self> = Vec::new();
        for mark in marks {
            let near = stretches.iter_mut().find(|stretch| {
                let mut known = stretch.marks.iter();
                known.all(|known| known.is_near(&mark))
            });
            match near {
                Some(stretch) => stretch.marks.push(mark),
                None => stretches.push(Self { marks: vec![mark] }),
            }
        }
        stretches
    }

    /// The place of its first mark.
    pub fn place(&self) -> Option<&'a Place> {
        self.marks.first().map(|mark| mark.place)
    }

    /// Its lines and marks, ready to print.
    pub fn printable(&self) -> Printable<'a> {
        let mut out = Printable::default();
        let (Some(place), Some(first)) = (self.place(), self.marks.iter().min_by_key(|m| m.line))
        else {
            return out;
        };
        let text = place.source.text();
        let bottom = |mark: &Mark<'_>| mark.line + mark.below_count;
        out.first = first.line;
        let last = self.marks.iter().map(bottom).max().unwrap_or(first.line);
        let mut bounds = first.bounds.clone();
        for line in out.first..=last {
            let on_line: Vec<_> = self.marks.iter().filter(|m| m.line == line).collect();
            let seen = window(text, &bounds, on_line.first().map(|m| m.range.start));
            let start = out.text.len();
            let at = |place: usize| {
                let before = text.get(seen.start..place.clamp(seen.start, seen.end));
                start + printable(before.unwrap_or_default()).len()
            };
            for mark in &on_line {
                let range = at(mark.range.start)..at(mark.range.end);
                out.marks.push((range, mark.label));
            }
            out.text
                .push_str(&printable(text.get(seen.clone()).unwrap_or_default()));
            let is_below = |mark: &Mark<'_>| mark.below.contains(&bounds.start);
            if on_line.is_empty() && self.marks.iter().any(is_below) {
                out.plain.push(start..out.text.len());
            }
            out.text.push('\n');
            bounds = next_line(text, bounds.end);
        }
        out
    }
}

fn printable(text: &str) -> String {
    let pieces: Vec<_> = text.split('\t').map(shown).collect();
    pieces.join("\t")
}

/// The part of a line that is looked at.
fn window(text: &str, bounds: &Range<usize>, mark: Option<usize>) -> Range<usize> {
    if bounds.len() <= LONGEST {
        return bounds.clone();
    }
    let middle = mark.unwrap_or(bounds.start);
    let start = middle.saturating_sub(LONGEST / 2).max(bounds.start);
    let start = floor(text, start).max(bounds.start);
    start..floor(text, (start + LONGEST).min(bounds.end))
}

/// The line around a byte, without its line break.
fn line_at(text: &str, at: usize) -> Range<usize> {
    let before = text.get(..at).unwrap_or_default();
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    line_from(text, start)
}

fn line_from(text: &str, start: usize) -> Range<usize> {
    let rest = text.get(start..).unwrap_or_default();
    let line = rest.split('\n').next().unwrap_or_default();
    let line = line.strip_suffix('\r').unwrap_or(line);
    start..start + line.len()
}

/// The line after the one that ends, its line break left out, at `end`.
fn next_line(text: &str, end: usize) -> Range<usize> {
    let rest = text.get(end..).unwrap_or_default();
    let start = rest.find('\n').map_or(text.len(), |at| end + at + 1);
    line_from(text, start)
}

/// The whole lines that a range reaches into below the line that ends at `line_end`: where they start, and how many.
fn lines_below(text: &str, line_end: usize, range_end: usize) -> (Range<usize>, u32) {
    let first = next_line(text, line_end);
    let mut reached = first.start..first.start;
    let mut count = 0;
    let mut line = first;
    for _ in 0..BELOW {
        if line.start >= range_end {
            break;
        }
        count += 1;
        reached.end = line.start + 1;
        line = next_line(text, line.end);
    }
    (reached, count)
}

/// The greatest character boundary that is not above `at`.
fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
