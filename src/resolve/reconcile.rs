//! Phase 3's reconciliation: an existing file takes all that its template adds, or the run halts (C2-C14).
//!
//! What is compared is the skeleton: the file's lines outside regions against the lines of the rendered template.
//! Nothing is ever taken out of a file but blank lines that give way to the template's own (C10).

use crate::marker::{Comments, Element, LineText, Region, Scan};

/// What reconciling a file comes to.
#[derive(Debug, PartialEq, Eq)]
pub enum Reconciled {
    /// The file has everything that its template declares.
    Unchanged,
    /// The file with the template's additions, and how many lines those are (C15).
    Grown {
        /// The new text.
        text: String,
        /// How many lines were inserted.
        lines: usize,
    },
    /// A line that the template does not account for (C8).
    Halted {
        /// Its number in the file, from 1.
        number: usize,
        /// The line, trimmed.
        text: String,
        /// The template's lines that resemble it, with their numbers, from 1.
        nearest: Vec<(usize, String)>,
    },
}

/// A line of the file with the regions that directly follow it (C4); the first of all has no line.
struct Owned<'s, 't, M> {
    line: Option<&'s LineText<'t>>,
    regions: Vec<&'s Region<'t, M>>,
}

/// Reconciles a scanned file with its rendered template.
pub fn reconcile<M>(comments: Option<&Comments>, scan: &Scan<'_, M>, template: &str) -> Reconciled {
    let template = template.strip_prefix('\u{feff}').unwrap_or(template);
    let lines = || template.lines().map(without_returns);
    // Most often the file is what its template makes, and its structural lines those of the template one by one.
    let found = scan.skeleton_lines();
    if found.map(|line| without_returns(line.text)).eq(lines()) {
        return Reconciled::Unchanged;
    }
    let wanted: Vec<&str> = lines().collect();
    if scan.elements.is_empty() {
        return whole_template(scan, &wanted);
    }
    let is_structural = |line: &str| match comments {
        Some(comments) => comments.is_structural(line),
        None => !line.trim().is_empty(),
    };
    let owned = by_owner(scan);
    let mut matched = Vec::new();
    let mut next = 0;
    for (at, line) in owned
        .iter()
        .enumerate()
        .filter_map(|(at, o)| Some((at, o.line?)))
    {
        if !is_structural(line.text) {
            continue;
        }
        let text = without_returns(line.text);
        let found = wanted.iter().skip(next).position(|want| *want == text);
        match found {
            Some(offset) => {
                matched.push((at, next + offset));
                next += offset + 1;
            }
            None => return halted(line, &wanted, &is_structural),
        }
    }
    grow(scan, &owned, &wanted, &matched, &is_structural)
}

/// A line as it is compared and inserted (C6). A carriage return at its end that was no part of an ending becomes one
/// as soon as a line feed follows it, so it counts as one from the start.
fn without_returns(line: &str) -> &str {
    line.trim_end_matches('\r')
}

fn by_owner<'s, 't, M>(scan: &'s Scan<'t, M>) -> Vec<Owned<'s, 't, M>> {
    let mut owned = vec![Owned {
        line: None,
        regions: Vec::new(),
    }];
    for element in &scan.elements {
        match element {
            Element::Line(line) => owned.push(Owned {
                line: Some(line),
                regions: Vec::new(),
            }),
            Element::Region(region) => {
                if let Some(last) = owned.last_mut() {
                    last.regions.push(region);
                }
            }
        }
    }
    owned
}

/// C12: an empty file takes the whole template and gains a final newline.
fn whole_template<M>(scan: &Scan<'_, M>, wanted: &[&str]) -> Reconciled {
    if wanted.is_empty() {
        return Reconciled::Unchanged;
    }
    let mut text = String::from(if scan.bom { "\u{feff}" } else { "" });
    for line in wanted {
        text.push_str(line);
        text.push_str(scan.ending.as_str());
    }
    Reconciled::Grown {
        text,
        lines: wanted.len(),
    }
}

fn halted(
    line: &LineText<'_>,
    wanted: &[&str],
    is_structural: &dyn Fn(&str) -> bool,
) -> Reconciled {
    const SHOWN: usize = 3;
    let text = line.text.trim();
    let near = |want: &str| {
        strsim::normalized_damerau_levenshtein(
            crate::diag::shown::cut_at(text, 200),
            crate::diag::shown::cut_at(want.trim(), 200),
        )
    };
    let mut nearest: Vec<(f64, usize, &str)> = wanted
        .iter()
        .enumerate()
        .filter(|(_, want)| is_structural(want))
        .take(2_000)
        .map(|(at, want)| (near(want), at + 1, *want))
        .filter(|(likeness, _, _)| *likeness > 0.4)
        .collect();
    nearest.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    Reconciled::Halted {
        number: line.number,
        text: text.to_owned(),
        nearest: nearest
            .into_iter()
            .take(SHOWN)
            .map(|(_, at, want)| (at, want.trim_end().to_owned()))
            .collect(),
    }
}

/// Builds the new text: the file as it is, with the template's slice in each gap where that adds structural lines
/// (C9-C11).
fn grow<M>(
    scan: &Scan<'_, M>,
    owned: &[Owned<'_, '_, M>],
    wanted: &[&str],
    matched: &[(usize, usize)],
    is_structural: &dyn Fn(&str) -> bool,
) -> Reconciled {
    let ending = scan.ending.as_str();
    let mut out = String::from(if scan.bom { "\u{feff}" } else { "" });
    let mut added = 0;
    let (mut file_at, mut template_at) = (0, 0);
    let ends = matched.iter().copied().chain([(owned.len(), wanted.len())]);
    for (file_end, template_end) in ends {
        let slice = wanted.get(template_at..template_end).unwrap_or_default();
        let gap = owned.get(file_at..file_end).unwrap_or_default();
        let (first, filler) = gap.split_first().map_or((None, gap), |(o, f)| (Some(o), f));
        if let Some(first) = first {
            push(first, &mut out);
        }
        let grows = slice.iter().any(|line| is_structural(line));
        let blank = filler
            .iter()
            .all(|o| o.regions.is_empty() && o.line.is_none_or(|l| l.text.trim().is_empty()));
        if !(grows && blank) {
            for line in filler {
                push(line, &mut out);
            }
        }
        if grows {
            // A byte-order mark is no line where it begins the file, and text anywhere else.
            if !matches!(&*out, "" | "\u{feff}") && !out.ends_with('\n') {
                out.push_str(ending);
            }
            for line in slice {
                out.push_str(line);
                out.push_str(ending);
            }
            added += slice.len();
        }
        (file_at, template_at) = (file_end, template_end + 1);
    }
    if added == 0 {
        return Reconciled::Unchanged;
    }
    if !scan.final_newline {
        // C12: the file ended without a line ending, and goes on doing so.
        if let Some(bare) = out.strip_suffix(ending) {
            out.truncate(bare.len());
        }
    }
    Reconciled::Grown {
        text: out,
        lines: added,
    }
}

/// A line and its regions, as they stand in the file.
fn push<M>(owned: &Owned<'_, '_, M>, out: &mut String) {
    if let Some(line) = owned.line {
        out.push_str(line.text);
        out.push_str(line.ending);
    }
    for region in &owned.regions {
        out.push_str(region.text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::marker::scan_plain;

    fn grown(file: &str, template: &str) -> String {
        match reconcile(None, &scan_plain(file), template) {
            Reconciled::Grown { text, .. } => text,
            other => panic!("{file:?}: {other:?}"),
        }
    }

    #[test]
    fn a_return_before_an_ending_is_part_of_it_c6_c21() {
        for template in ["a\nb\r", "a\nb\r\r\n", "a\r\nb\r"] {
            for file in ["", "a\n", "a\r\n", "a\r", "b\r"] {
                let text = grown(file, template);
                let again = reconcile(None, &scan_plain(&text), template);
                assert_eq!(
                    again,
                    Reconciled::Unchanged,
                    "{file:?} {template:?} {text:?}"
                );
            }
            // C1: a new file is the template as it stands.
            let again = reconcile(None, &scan_plain(template), template);
            assert_eq!(again, Reconciled::Unchanged, "{template:?}");
        }
        assert_eq!(grown("", "a\nb\r"), "a\nb\n");
    }
}
