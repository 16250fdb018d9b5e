//! One file while it is injected into: its regions by identity, its insertion points by gap.
//!
//! A gap is the place between two lines outside regions, counted by the lines before it. All regions of a gap stand
//! in it one after another, and a new one goes behind them (I8).

use std::borrow::Cow;

use foldhash::{HashMap, HashMapExt as _};

use crate::expand::{Identity, Injection};
use crate::genpkg::Package;
use crate::marker::{
    self, Attributes, Comments, Element, Ending, LabelRef, Marker, Scan, ScanFault, Tier,
};

use super::RegionOutcome;
use super::places::Places;

/// An injection with the opening line that it writes.
pub(super) struct Prepared<'i, 'p> {
    injection: &'i Injection<'p>,
    /// The line, without indent.
    opening: Box<str>,
}

/// What is kept of a region's opening line on disk.
enum Standing {
    /// It is exactly the opening line of this injection, which need not be read to be known.
    Written(usize),
    /// It says something else.
    Read(Box<Marker>),
}

/// A file being edited.
pub(super) struct FileEdit<'t, 'c> {
    comments: &'c Comments,
    text: &'t str,
    scan: Scan<'t, Standing>,
    /// The element of each injection's region.
    regions: Vec<Option<usize>>,
    /// The replaced regions, by element.
    replaced: HashMap<usize, String>,
    /// The new regions, by gap.
    inserted: HashMap<usize, Vec<Box<str>>>,
    /// Where a new region may go, once there is one.
    places: Option<Places<'t>>,
    /// The region that is being written.
    scratch: String,
}

impl<'i, 'p> Prepared<'i, 'p> {
    /// The injections of one file, with their markers written in `comments`.
    pub fn all(comments: &Comments, injections: &'i [(usize, Injection<'p>)]) -> Vec<Self> {
        // There may be very many: a line takes the memory that it needs and no more.
        let mut line = String::new();
        let prepared = injections.iter().map(|(_, injection)| {
            line.clear();
            comments.write_open_line("", attributes(injection), &mut line);
            Self {
                injection,
                opening: line.as_str().into(),
            }
        });
        prepared.collect()
    }

    fn label(&self) -> LabelRef<'i> {
        attributes(self.injection).label
    }
}

/// The marker that an injection writes.
fn attributes<'i>(injection: &'i Injection<'_>) -> Attributes<'i> {
    Attributes {
        label: LabelRef::new(&injection.action.name, injection.variant.as_deref()),
        tier: &injection.single.tier,
        record: Some(&injection.record),
        writer: None,
        kwargs: &injection.kwargs,
        carried: &[],
    }
}

impl<'t, 'c> FileEdit<'t, 'c> {
    /// Indexes a file's text for the injections that are going to be applied. No two of them make one region (M31).
    pub fn new(
        comments: &'c Comments,
        text: &'t str,
        injections: &[Prepared<'_, '_>],
    ) -> Result<Self, ScanFault> {
        let mut openings: Option<HashMap<&str, usize>> = None;
        let scan = marker::scan_as(comments, text, |open| {
            let openings = openings.get_or_insert_with(|| {
                let lines = injections.iter().enumerate();
                lines.map(|(at, one)| (&*one.opening, at)).collect()
            });
            match openings.get(open.unindented()) {
                Some(&at) => Ok(Standing::Written(at)),
                None => open.parse().map(|marker| Standing::Read(Box::new(marker))),
            }
        })?;
        Ok(Self {
            comments,
            text,
            regions: regions(&scan, injections),
            scan,
            replaced: HashMap::new(),
            inserted: HashMap::new(),
            places: None,
            scratch: String::new(),
        })
    }

    /// Replaces the region of the injection of this number where it stands, or makes it at its anchor (I2-I14); with the
    /// outcome the tier on disk when this version does not know it. The error names what was looked for and what there
    /// is (I9).
    pub fn apply(
        &mut self,
        number: usize,
        prepared: &Prepared<'_, '_>,
    ) -> Result<(RegionOutcome, Option<String>), String> {
        if let Some(at) = self.regions.get(number).copied().flatten() {
            return Ok(self.replace(at, prepared));
        }
        let (scan, comments) = (&self.scan, self.comments);
        let places = self.places.get_or_insert_with(|| Places::of(scan));
        let injection = prepared.injection;
        let spot = places.spot(&injection.single.anchor, scan)?;
        let region = &mut self.scratch;
        region.clear();
        let (opening, body) = (&prepared.opening, &injection.body);
        write_region(
            comments,
            scan.ending,
            (spot.indent, opening, prepared.label(), body),
            region,
        );
        let region = region.as_str().into();
        self.inserted.entry(spot.gap).or_default().push(region);
        Ok((RegionOutcome::Injected, None))
    }

    fn replace(
        &mut self,
        at: usize,
        prepared: &Prepared<'_, '_>,
    ) -> (RegionOutcome, Option<String>) {
        let Some(region) = self.scan.elements.get(at).and_then(Element::region) else {
            return (RegionOutcome::Unchanged, None);
        };
        let injection = prepared.injection;
        let (opening, tier) = match &region.marker {
            Standing::Written(_) => (Cow::Borrowed(&*prepared.opening), &injection.single.tier),
            Standing::Read(old) => {
                let marker = attributes(injection).replacing(old);
                (Cow::Owned(self.comments.open_line("", marker)), &old.tier)
            }
        };
        match tier {
            Tier::Owned => {}
            Tier::Seeded => return (RegionOutcome::Seeded, None),
            Tier::Other(word) => return (RegionOutcome::Seeded, Some(word.clone())),
        }
        let new = &mut self.scratch;
        new.clear();
        write_region(
            self.comments,
            self.scan.ending,
            (region.indent, &opening, prepared.label(), &injection.body),
            new,
        );
        if !region.text.ends_with('\n') {
            new.truncate(new.trim_end_matches(['\n', '\r']).len());
        }
        if new == region.text {
            return (RegionOutcome::Unchanged, None);
        }
        self.replaced.insert(at, std::mem::take(new));
        (RegionOutcome::Replaced, None)
    }

    /// The file's new text, when it differs.
    pub fn finish(self) -> Option<String> {
        if self.replaced.is_empty() && self.inserted.is_empty() {
            return None;
        }
        let added: usize = self
            .inserted
            .values()
            .flatten()
            .map(|region| region.len())
            .sum();
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

/// A region's text (I13, M1): marker line, body, marker line, all with the file's line ending. Of the region are given
/// the indent, the opening line, the label and the body.
fn write_region(
    comments: &Comments,
    ending: Ending,
    (indent, opening, label, body): (&str, &str, LabelRef<'_>, &str),
    out: &mut String,
) {
    let body = written_body(ending, body);
    let ending = ending.as_str();
    out.extend([indent, opening, ending]);
    if !body.is_empty() {
        out.extend([&body, ending]);
    }
    comments.write_close_line(indent, label, out);
    out.push_str(ending);
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

/// The element of each injection's region; of regions with one identity the first.
fn regions(scan: &Scan<'_, Standing>, injections: &[Prepared<'_, '_>]) -> Vec<Option<usize>> {
    let mut found = vec![None; injections.len()];
    let mut read = Vec::new();
    for (at, element) in scan.elements.iter().enumerate() {
        match element.region().map(|region| &region.marker) {
            Some(Standing::Written(number)) => {
                if let Some(place) = found.get_mut(*number) {
                    place.get_or_insert(at);
                }
            }
            Some(Standing::Read(marker)) => read.push((at, marker)),
            None => {}
        }
    }
    // Which injection's region it is takes more to tell of one that says something else.
    if read.is_empty() {
        return found;
    }
    let by_identity: HashMap<&Identity, usize> = injections
        .iter()
        .enumerate()
        .map(|(number, one)| (&one.injection.identity, number))
        .collect();
    let packages = packages(injections);
    for (at, marker) in read {
        for identity in packages.iter().filter_map(|p| identity(p, marker)) {
            let number = by_identity.get(&identity);
            if let Some(place) = number.and_then(|number| found.get_mut(*number)) {
                *place = Some(place.map_or(at, |before: usize| before.min(at)));
            }
        }
    }
    found
}

/// The packages of a file's injections, each once; nearly always it is one.
fn packages<'p>(injections: &[Prepared<'_, 'p>]) -> Vec<&'p Package> {
    let mut packages: Vec<&Package> = Vec::new();
    for one in injections {
        let package = one.injection.package;
        if !packages.iter().any(|p| std::ptr::eq(*p, package)) {
            packages.push(package);
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
