//! Where in a file a new region may go (I4-I7, I11, I17): its anchors, found once a file.
//!
//! Only the lines outside regions are looked at; what becomes of a region is not decided here.

use foldhash::{HashMap, HashMapExt as _};

use crate::diag::{listed, quoted};
use crate::genpkg::Anchor;
use crate::marker::{Element, Scan, Skeleton};
use crate::pattern::anchor::AnchorPattern;

/// Where new regions may go.
pub(super) struct Places<'t> {
    /// The first line that plants each anchor.
    anchors: HashMap<&'t str, usize>,
    indents: Vec<&'t str>,
    skeleton: Option<Skeleton>,
    /// The lines of each pattern's first match.
    matches: HashMap<String, Option<(usize, usize)>>,
}

/// Where a new region goes: the gap, and the white space before its marker lines (I11).
pub(super) struct Spot<'t> {
    pub(super) gap: usize,
    pub(super) indent: &'t str,
}

impl<'t> Places<'t> {
    pub(super) fn of<M>(scan: &Scan<'t, M>) -> Self {
        let mut anchors = HashMap::new();
        let mut indents = Vec::new();
        for line in scan.skeleton_lines() {
            if let Some(name) = line.anchor {
                anchors.entry(name).or_insert(indents.len());
            }
            let indent = line.text.len() - line.text.trim_start().len();
            indents.push(line.text.get(..indent).unwrap_or_default());
        }
        Self {
            anchors,
            indents,
            skeleton: None,
            matches: HashMap::new(),
        }
    }

    /// I4-I7, I11, I17.
    pub(super) fn spot<M>(
        &mut self,
        anchor: &Anchor,
        scan: &Scan<'t, M>,
    ) -> Result<Spot<'t>, String> {
        match anchor {
            Anchor::Marker(name) => {
                let line = self.anchor_line(name)?;
                Ok(self.spot_at(line + 1, line))
            }
            Anchor::Region { start, end } => {
                let opens = self.anchor_line(start)?;
                let lines = scan.skeleton_lines().enumerate().skip(opens + 1);
                let mut ends = lines.filter(|(_, line)| line.anchor == Some(end.as_str()));
                let (closes, _) = ends.next().ok_or_else(|| {
                    format!(
                        "the marker {} does not follow {}",
                        quoted(end),
                        quoted(start)
                    )
                })?;
                Ok(self.spot_at(closes, closes))
            }
            Anchor::StartOfFile => {
                let first = scan.elements.first().and_then(Element::line);
                let shebang = first.is_some_and(|line| line.text.starts_with("#!"));
                Ok(Spot {
                    gap: usize::from(shebang),
                    indent: "",
                })
            }
            Anchor::EndOfFile => Ok(Spot {
                gap: self.indents.len(),
                indent: "",
            }),
            Anchor::AfterMatch(pattern) => {
                let (_, last) = self.match_lines(pattern, scan)?;
                Ok(self.spot_at(last + 1, last))
            }
            Anchor::BeforeMatch(pattern) => {
                let (first, _) = self.match_lines(pattern, scan)?;
                Ok(self.spot_at(first, first))
            }
        }
    }

    fn spot_at(&self, gap: usize, line: usize) -> Spot<'t> {
        Spot {
            gap: gap.min(self.indents.len()),
            indent: self.indents.get(line).copied().unwrap_or_default(),
        }
    }

    fn anchor_line(&self, name: &str) -> Result<usize, String> {
        self.anchors.get(name).copied().ok_or_else(|| {
            let mut names: Vec<_> = self.anchors.keys().collect();
            names.sort_unstable();
            format!(
                "there is no marker {}; the markers there are: {}",
                quoted(name),
                listed(names)
            )
        })
    }

    /// The lines on which a pattern's first match begins and ends, looked for once a file.
    fn match_lines<M>(
        &mut self,
        pattern: &AnchorPattern,
        scan: &Scan<'t, M>,
    ) -> Result<(usize, usize), String> {
        if !self.matches.contains_key(pattern.text()) {
            let skeleton = self.skeleton.get_or_insert_with(|| scan.skeleton());
            let lines = self.indents.len();
            let found = pattern.find(&skeleton.text).map(|range| {
                let (first, last) = skeleton.lines_of(range);
                (first.unwrap_or(lines), last.unwrap_or(lines))
            });
            self.matches.insert(pattern.text().to_owned(), found);
        }
        self.matches
            .get(pattern.text())
            .copied()
            .flatten()
            .ok_or_else(|| {
                format!(
                    "nothing outside regions matches its pattern {}",
                    quoted(pattern.text())
                )
            })
    }
}
