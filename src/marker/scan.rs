//! A file's text as lines and regions, read once for everybody who needs it.
//!
//! Decides where regions begin and end (M15, M16) and what lies outside them (C4, I17). It must not decide what
//! becomes of either, and loses no byte: the elements one after another are the text.

use std::borrow::Cow;

use super::{AttributeFault, Comments, Label, LabelRef, Line, Marker, OpenLine};
use crate::diag::shown;
use crate::work::{self, Work};

/// How a file ends its lines (C6).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// A line feed.
    #[default]
    Lf,
    /// Carriage return and line feed.
    CrLf,
}

impl Ending {
    /// The ending of a text's first line; LF when it has none (C6).
    pub fn of(text: &str) -> Self {
        match text.split_once('\n') {
            Some((first, _)) if first.ends_with('\r') => Self::CrLf,
            _ => Self::Lf,
        }
    }

    /// The characters.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Lf => "\n",
            Self::CrLf => "\r\n",
        }
    }

    /// `text` with every line ended this way, whatever ended it before (C6, I13).
    pub fn applied(self, text: &str) -> Cow<'_, str> {
        match self {
            Self::Lf if !text.contains("\r\n") => Cow::Borrowed(text),
            Self::Lf => Cow::Owned(text.replace("\r\n", "\n")),
            Self::CrLf => Cow::Owned(text.replace("\r\n", "\n").replace('\n', "\r\n")),
        }
    }
}

/// A line outside regions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineText<'t> {
    /// The line without its ending.
    pub text: &'t str,
    /// Its own ending; empty on a last line without one.
    pub ending: &'t str,
    /// Its place in the file, from 1; lines of regions count.
    pub number: usize,
    /// The anchor that it plants (F21).
    pub anchor: Option<&'t str>,
}

/// A region, from its opening to its closing line.
#[derive(Clone, Debug, PartialEq)]
pub struct Region<'t, M = Marker> {
    /// What the opening line says.
    pub marker: M,
    /// The white space before the opening marker (I12).
    pub indent: &'t str,
    /// All of it, both marker lines and the closing line's ending included.
    pub text: &'t str,
    /// What stands between the marker lines, endings included.
    pub body: &'t str,
    /// The opening line's place in the file, from 1.
    pub line: usize,
    /// The closing line's place in the file, from 1.
    pub last_line: usize,
}

/// A part of a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Element<'t, M = Marker> {
    /// A line outside regions.
    Line(LineText<'t>),
    /// A region.
    Region(Box<Region<'t, M>>),
}

/// A file's text as lines and regions. `M` is what is kept of an opening line.
#[derive(Clone, Debug, PartialEq)]
pub struct Scan<'t, M = Marker> {
    /// Whether a byte-order mark stands at the start; it is part of no element (C12).
    pub bom: bool,
    /// How the file ends its lines.
    pub ending: Ending,
    /// Its parts in order.
    pub elements: Vec<Element<'t, M>>,
    /// Whether the last line has an ending; `false` for an empty text.
    pub final_newline: bool,
}

/// The lines outside regions as one text, for patterns (C6, I17).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Skeleton {
    /// The lines joined, each with LF where it has an ending.
    pub text: String,
    starts: Vec<usize>,
}

/// Why a file cannot be read as regions. Lines count from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScanFault {
    /// A region without a closing line (M15).
    #[error("region {} is opened on line {line} and never closed", shown(&label.to_string()))]
    Unclosed {
        /// The region's label.
        label: Label,
        /// The opening line.
        line: usize,
    },
    /// A region whose first closing line has another label (M15).
    #[error(
        "region {} is opened on line {line}, but the next closing marker, on line {closing_line}, is that of {}",
        shown(&label.to_string()), shown(&closing.to_string())
    )]
    Mismatched {
        /// The region's label.
        label: Label,
        /// The opening line.
        line: usize,
        /// The closing line's label.
        closing: Label,
        /// The closing line.
        closing_line: usize,
    },
    /// An opening line whose attributes cannot be read (M13).
    #[error("line {line}, column {}: {fault}", fault.column)]
    Attributes {
        /// What is wrong.
        fault: AttributeFault,
        /// The opening line.
        line: usize,
    },
}

impl ScanFault {
    /// What is wrong, for a report that gives the place itself.
    pub fn message(&self) -> String {
        match self {
            Self::Attributes { fault, .. } => fault.to_string(),
            other => other.to_string(),
        }
    }

    /// The opening line of the region at fault, from 1.
    pub fn line(&self) -> usize {
        match self {
            Self::Unclosed { line, .. }
            | Self::Mismatched { line, .. }
            | Self::Attributes { line, .. } => *line,
        }
    }

    /// The label of the region at fault.
    pub fn label(&self) -> &Label {
        match self {
            Self::Unclosed { label, .. } | Self::Mismatched { label, .. } => label,
            Self::Attributes { fault, .. } => &fault.label,
        }
    }
}

/// A region whose closing line is not found yet.
struct Opened<'t, M> {
    label: LabelRef<'t>,
    marker: M,
    indent: &'t str,
    line: usize,
    start: usize,
    body_start: usize,
}

/// Reads a file's text as lines and regions. Inside a region the first closing line ends it, and must bear its label
/// (M15); opening lines of other labels there and closing lines outside regions are text (M16). The error is the first fault.
pub fn scan<'t>(comments: &Comments, text: &'t str) -> Result<Scan<'t>, ScanFault> {
    scan_as(comments, text, OpenLine::parse)
}

/// [`scan`] with `read` making of an opening line what is kept of it.
pub fn scan_as<'t, M>(
    comments: &Comments,
    text: &'t str,
    mut read: impl FnMut(&OpenLine<'t>) -> Result<M, AttributeFault>,
) -> Result<Scan<'t, M>, ScanFault> {
    work::done(Work::TargetScanned);
    let bare = without_mark(text);
    let mut elements = Vec::new();
    let mut opened: Option<Opened<'t, M>> = None;
    let mut at = 0;
    for (index, whole) in lines(bare).enumerate() {
        let (number, start) = (index + 1, at);
        at += whole.len();
        let line = without_ending(whole);
        let reading = comments.read(line);
        if let Some(open) = opened.take() {
            match reading {
                Line::Close(label) if label == open.label => {
                    elements.push(Element::Region(Box::new(Region {
                        marker: open.marker,
                        indent: open.indent,
                        text: bare.get(open.start..at).unwrap_or_default(),
                        body: bare.get(open.body_start..start).unwrap_or_default(),
                        line: open.line,
                        last_line: number,
                    })));
                }
                Line::Close(closing) => {
                    return Err(ScanFault::Mismatched {
                        label: open.label.to_label(),
                        line: open.line,
                        closing: closing.to_label(),
                        closing_line: number,
                    });
                }
                // Sedum writes no marker into a body (I13), so this one begins the next region and the closing line
                // of the first is gone (M15); swallowing it would lose what stands between the two.
                Line::Open(again) if again.label == open.label => {
                    return Err(ScanFault::Unclosed {
                        label: open.label.to_label(),
                        line: open.line,
                    });
                }
                _ => opened = Some(open),
            }
            continue;
        }
        let anchor = match reading {
            Line::Open(open) => {
                work::done(Work::MarkerRead);
                let marker = read(&open).map_err(|fault| ScanFault::Attributes {
                    fault,
                    line: number,
                })?;
                opened = Some(Opened {
                    marker,
                    indent: open.indent(),
                    label: open.label,
                    line: number,
                    start,
                    body_start: at,
                });
                continue;
            }
            Line::Anchor(name) => Some(name),
            Line::Text | Line::Close(_) => None,
        };
        elements.push(Element::Line(LineText::new(whole, number, anchor)));
    }
    if let Some(open) = opened {
        return Err(ScanFault::Unclosed {
            label: open.label.to_label(),
            line: open.line,
        });
    }
    Ok(Scan::new(text, bare, elements))
}

/// Reads the text of a file whose package declares no comment shape (S13): every line is outside regions and plants
/// nothing.
pub fn scan_plain(text: &str) -> Scan<'_, ()> {
    let bare = without_mark(text);
    let elements = lines(bare)
        .enumerate()
        .map(|(index, whole)| Element::Line(LineText::new(whole, index + 1, None)))
        .collect();
    Scan::new(text, bare, elements)
}

/// The lines of a text with their endings. Lines are short, and there are very many.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let ends = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1);
    let last = (!text.ends_with('\n')).then_some(text.len());
    let mut start = 0;
    ends.chain(last).filter(|end| *end > 0).map(move |end| {
        let line = text.get(start..end).unwrap_or_default();
        start = end;
        line
    })
}

/// The text behind a byte-order mark.
fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// A line without its LF or CR LF; a carriage return alone ends no line.
fn without_ending(line: &str) -> &str {
    match line.strip_suffix('\n') {
        Some(bare) => bare.strip_suffix('\r').unwrap_or(bare),
        None => line,
    }
}

impl<'t, M> Element<'t, M> {
    /// The line, outside a region.
    pub fn line(&self) -> Option<&LineText<'t>> {
        match self {
            Self::Line(line) => Some(line),
            Self::Region(_) => None,
        }
    }

    /// The region.
    pub fn region(&self) -> Option<&Region<'t, M>> {
        match self {
            Self::Line(_) => None,
            Self::Region(region) => Some(region),
        }
    }
}

impl<'t> LineText<'t> {
    fn new(whole: &'t str, number: usize, anchor: Option<&'t str>) -> Self {
        let text = without_ending(whole);
        Self {
            text,
            ending: whole.get(text.len()..).unwrap_or_default(),
            number,
            anchor,
        }
    }
}

impl<'t, M> Scan<'t, M> {
    /// `bare` is `text` behind its byte-order mark.
    fn new(text: &str, bare: &str, elements: Vec<Element<'t, M>>) -> Self {
        Self {
            bom: bare.len() < text.len(),
            ending: Ending::of(bare),
            elements,
            final_newline: bare.ends_with('\n'),
        }
    }

    /// The lines outside regions, in order (C4).
    pub fn skeleton_lines(&self) -> impl Iterator<Item = &LineText<'t>> {
        self.elements.iter().filter_map(Element::line)
    }

    /// The regions, in order.
    pub fn regions(&self) -> impl Iterator<Item = &Region<'t, M>> {
        self.elements.iter().filter_map(Element::region)
    }

    /// The names of the anchors planted outside regions, in order, repeated ones too (I17).
    pub fn anchors(&self) -> impl Iterator<Item = &'t str> {
        self.skeleton_lines().filter_map(|line| line.anchor)
    }

    /// The lines outside regions as one text (C6, I17).
    pub fn skeleton(&self) -> Skeleton {
        let mut skeleton = Skeleton::default();
        for line in self.skeleton_lines() {
            skeleton.starts.push(skeleton.text.len());
            skeleton.text.push_str(line.text);
            if !line.ending.is_empty() {
                skeleton.text.push('\n');
            }
        }
        skeleton
    }
}

impl Skeleton {
    /// The line, from 0 and as [`Scan::skeleton_lines`] counts, that holds the byte at `offset`; a line break is part
    /// of the line that it ends. The end of the text is in the last line if that has no ending. `None` is behind all
    /// lines.
    pub fn line_at(&self, offset: usize) -> Option<usize> {
        let ended = self.text.is_empty() || self.text.ends_with('\n');
        if offset > self.text.len() || (offset == self.text.len() && ended) {
            return None;
        }
        self.starts
            .partition_point(|start| *start <= offset)
            .checked_sub(1)
    }

    /// The lines, from 0, on which a match stands: that of its first byte and that of its last. An empty match stands
    /// on the line it is in (I7). `None` is behind all lines.
    pub fn lines_of(&self, found: std::ops::Range<usize>) -> (Option<usize>, Option<usize>) {
        let last = if found.is_empty() {
            found.start
        } else {
            found.end - 1
        };
        (self.line_at(found.start), self.line_at(last))
    }
}

#[cfg(test)]
mod tests;
