//! One file while it is injected into: its regions by identity, its insertion points by gap.
//!
//! A gap is the place between two lines outside regions, counted by the lines before it. All regions of a gap stand
//! in it one after another, and a new one goes behind them (I8).

use std::borrow::Cow;

use foldhash::{HashMap, HashMapExt as _};

use crate::diag::{listed, quoted};
use crate::expand::{Identity, Injection};
use crate::genpkg::{Anchor, Package};
use crate::marker::{
    self, Comments, Element, Ending, Label, Marker, Scan, ScanFault, Skeleton, Tier,
};
use crate::pattern::anchor::AnchorPattern;

use super::RegionOutcome;

/// An injection with the marker that it writes.
pub(super) struct Prepared<'p> {
    package: &'p Package,
    anchor: &'p Anchor,
    identity: Identity,
    marker: Marker,
    /// The marker's opening line, without indent.
    opening: String,
    body: String,
}

/// What is kept of a region's opening line on disk.
enum Standing {
    /// It is exactly the opening line of this injection, which need not be read to be known.
    Written(usize),
    /// It says something else.
    Read(Marker),
}

/// A file being edited.
pub(super) struct FileEdit<'t, 'c> {
    comments: &'c Comments,
    text: &'t str,
    scan: Scan<'t, Standing>,
    /// The element of each region, by identity; the first of equal ones.
    regions: HashMap<Identity, usize>,
    /// The replaced regions, by element.
    replaced: HashMap<usize, String>,
    /// The new regions, by gap.
    inserted: HashMap<usize, Vec<String>>,
    /// The first line that plants each anchor.
    anchors: HashMap<&'t str, usize>,
    indents: Vec<&'t str>,
    skeleton: Option<Skeleton>,
    /// The lines of each pattern's first match.
    matches: HashMap<String, Option<(usize, usize)>>,
}

impl<'p> Prepared<'p> {
    /// The injection, with its marker written in `comments`.
    pub fn new(comments: &Comments, injection: Injection<'p>) -> Self {
        let record = &*injection.record;
        let marker = Marker {
            label: Label::new(injection.action.name.as_str(), injection.variant.as_deref()),
            tier: injection.single.tier.clone(),
            record: (!record.is_empty()).then(|| record.to_owned()),
            writer: None,
            kwargs: injection.kwargs,
            carried: Vec::new(),
        };
        Self {
            package: injection.package,
            anchor: &injection.single.anchor,
            identity: injection.identity,
            opening: comments.open_line("", &marker),
            marker,
            body: injection.body,
        }
    }
}

/// Where a new region goes: the gap, and the white space before its marker lines (I11).
struct Spot<'t> {
    gap: usize,
    indent: &'t str,
}

impl<'t, 'c> FileEdit<'t, 'c> {
    /// Indexes a file's text for the injections that are going to be applied. No two of them make one region (M31).
    pub fn new(
        comments: &'c Comments,
        text: &'t str,
        injections: &[Prepared<'_>],
    ) -> Result<Self, ScanFault> {
        let mut openings: Option<HashMap<&str, usize>> = None;
        let scan = marker::scan_as(comments, text, |open| {
            let openings = openings.get_or_insert_with(|| {
                let lines = injections.iter().enumerate();
                lines.map(|(at, one)| (&*one.opening, at)).collect()
            });
            match openings.get(open.unindented()) {
                Some(&at) => Ok(Standing::Written(at)),
                None => open.parse().map(Standing::Read),
            }
        })?;
        let packages = packages(injections);
        let mut regions = HashMap::new();
        let mut anchors = HashMap::new();
        let mut indents = Vec::new();
        for (at, element) in scan.elements.iter().enumerate() {
            match element {
                Element::Line(line) => {
                    if let Some(name) = line.anchor {
                        anchors.entry(name).or_insert(indents.len());
                    }
                    let indent = line.text.len() - line.text.trim_start().len();
                    indents.push(line.text.get(..indent).unwrap_or_default());
                }
                Element::Region(region) => {
                    let mut note = |identity| {
                        regions.entry(identity).or_insert(at);
                    };
                    match &region.marker {
                        Standing::Written(at) => {
                            if let Some(one) = injections.get(*at) {
                                note(one.identity.clone());
                            }
                        }
                        Standing::Read(marker) => {
                            let known = packages.iter().filter_map(|p| identity(p, marker));
                            known.for_each(note);
                        }
                    }
                }
            }
        }
        Ok(Self {
            comments,
            text,
            scan,
            regions,
            replaced: HashMap::new(),
            inserted: HashMap::new(),
            anchors,
            indents,
            skeleton: None,
            matches: HashMap::new(),
        })
    }

    /// Replaces the injection's region where it stands, or makes it at its anchor (I2-I14); with the outcome the tier
    /// on disk when this version does not know it. The error names what was looked for and what there is (I9).
    pub fn apply(
        &mut self,
        injection: &Prepared<'_>,
    ) -> Result<(RegionOutcome, Option<String>), String> {
        if let Some(at) = self.regions.get(&injection.identity) {
            return Ok(self.replace(*at, injection));
        }
        let spot = self.spot(injection.anchor)?;
        let (label, body) = (&injection.marker.label, &injection.body);
        let region = self.region(spot.indent, &injection.opening, label, body);
        self.inserted.entry(spot.gap).or_default().push(region);
        Ok((RegionOutcome::Injected, None))
    }

    fn replace(&mut self, at: usize, injection: &Prepared<'_>) -> (RegionOutcome, Option<String>) {
        let Some(region) = self.scan.elements.get(at).and_then(Element::region) else {
            return (RegionOutcome::Unchanged, None);
        };
        let (opening, tier) = match &region.marker {
            Standing::Written(_) => (Cow::Borrowed(&*injection.opening), &injection.marker.tier),
            Standing::Read(old) => {
                let marker = injection.marker.clone().replacing(old);
                (Cow::Owned(self.comments.open_line("", &marker)), &old.tier)
            }
        };
        match tier {
            Tier::Owned => {}
            Tier::Seeded => return (RegionOutcome::Seeded, None),
            Tier::Other(word) => return (RegionOutcome::Seeded, Some(word.clone())),
        }
        let (indent, old) = (region.indent, region.text);
        let mut new = self.region(indent, &opening, &injection.marker.label, &injection.body);
        if !old.ends_with('\n') {
            new.truncate(new.trim_end_matches(['\n', '\r']).len());
        }
        if new == old {
            return (RegionOutcome::Unchanged, None);
        }
        self.replaced.insert(at, new);
        (RegionOutcome::Replaced, None)
    }

    /// A region's text (I13, M1): marker line, body, marker line, all with the file's line ending.
    fn region(&self, indent: &str, opening: &str, label: &Label, body: &str) -> String {
        let ending = self.scan.ending.as_str();
        let body = written_body(self.scan.ending, body);
        let closing = self.comments.close_line(indent, label);
        let length = indent.len() + opening.len() + body.len() + closing.len() + 6;
        let mut out = String::with_capacity(length);
        out.push_str(indent);
        out.push_str(opening);
        out.push_str(ending);
        if !body.is_empty() {
            out.push_str(&body);
            out.push_str(ending);
        }
        out.push_str(&closing);
        out.push_str(ending);
        out
    }

    /// I4-I7, I11, I17.
    fn spot(&mut self, anchor: &Anchor) -> Result<Spot<'t>, String> {
        match anchor {
            Anchor::Marker(name) => {
                let line = self.anchor_line(name)?;
                Ok(self.spot_at(line + 1, line))
            }
            Anchor::Region { start, end } => {
                let opens = self.anchor_line(start)?;
                let lines = self.scan.skeleton_lines().enumerate().skip(opens + 1);
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
                let first = self.scan.elements.first().and_then(Element::line);
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
                let (_, last) = self.match_lines(pattern)?;
                Ok(self.spot_at(last + 1, last))
            }
            Anchor::BeforeMatch(pattern) => {
                let (first, _) = self.match_lines(pattern)?;
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
    fn match_lines(&mut self, pattern: &AnchorPattern) -> Result<(usize, usize), String> {
        if !self.matches.contains_key(pattern.text()) {
            let skeleton = self.skeleton.get_or_insert_with(|| self.scan.skeleton());
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

    /// The file's new text, when it differs.
    pub fn finish(self) -> Option<String> {
        if self.replaced.is_empty() && self.inserted.is_empty() {
            return None;
        }
        let added: usize = self.inserted.values().flatten().map(String::len).sum();
        let mut out = String::with_capacity(self.text.len() + added + 2);
        if self.scan.bom {
            out.push('\u{feff}');
        }
        let ending = self.scan.ending.as_str();
        let mut line_at = 0;
        for (at, element) in self.scan.elements.iter().enumerate() {
            match element {
                Element::Line(line) => {
                    self.push_gap(line_at, ending, &mut out);
                    line_at += 1;
                    out.push_str(line.text);
                    out.push_str(line.ending);
                }
                Element::Region(region) => {
                    out.push_str(self.replaced.get(&at).map_or(region.text, String::as_str));
                }
            }
        }
        self.push_gap(line_at, ending, &mut out);
        Some(out)
    }

    fn push_gap(&self, gap: usize, ending: &str, out: &mut String) {
        for region in self.inserted.get(&gap).into_iter().flatten() {
            // I13: the last line gets an ending before anything is inserted after it.
            // A byte-order mark is no line where it begins the file, and text anywhere else.
            if !matches!(&**out, "" | "\u{feff}") && !out.ends_with('\n') {
                out.push_str(ending);
            }
            out.push_str(region);
        }
    }
}

/// A body as it stands in a file, without the line break at its end (I13). It takes the file's ending first: what a
/// value ends with may be CR LF already, and half of one would be left over.
fn written_body(ending: Ending, body: &str) -> Cow<'_, str> {
    if ending == Ending::Lf {
        return Cow::Borrowed(body.trim_end_matches('\n'));
    }
    let mut body = ending.applied(body).into_owned();
    body.truncate(body.trim_end_matches("\r\n").len());
    Cow::Owned(body)
}

/// The packages of a file's injections, each once; nearly always it is one.
fn packages<'p>(injections: &[Prepared<'p>]) -> Vec<&'p Package> {
    let mut packages: Vec<&Package> = Vec::new();
    for injection in injections {
        if !packages.iter().any(|p| std::ptr::eq(*p, injection.package)) {
            packages.push(injection.package);
        }
    }
    packages
}

/// The identity of a region on disk, when its action is one of the package's (M25, M28).
fn identity(package: &Package, marker: &Marker) -> Option<Identity> {
    let action = package.actions.get(&marker.label.action)?;
    let variant = marker.label.variant.as_deref();
    Some(Identity::of(
        action,
        action.single()?,
        variant,
        &marker.kwargs,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_ends_once_in_a_crlf_file_i13() {
        for (body, written) in [
            ("a\nb\n\n", "a\r\nb"),
            ("t\r\n\n", "t"),
            ("t\n\r\n", "t"),
            ("a\r\nb\r\n\r\n", "a\r\nb"),
            ("\r\n", ""),
            ("", ""),
        ] {
            assert_eq!(written_body(Ending::CrLf, body), written, "{body:?}");
        }
        // In an LF file it is written as rendered.
        assert_eq!(written_body(Ending::Lf, "a\r\nb\n\n"), "a\r\nb");
    }
}
