//! Source excerpts in the style of rustc, with the fault underlined, other places labelled and the help below (O20).
//!
//! annotate-snippets draws the lines and the underlines and measures display width (O28); here it is decided which
//! lines it gets, and in which blocks. The line above an excerpt names the fault's place already, so the first block
//! goes without a head; each further place has one, `::: file:line:column`.

use std::fmt::Write as _;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use anstyle::{AnsiColor, Effects, Style};

use crate::diag::{Label, Place, Severity, Source, shown};

use super::lines::{Mark, Printable, Stretch};
use super::shown_lines;

/// Narrower terminals get excerpts that wrap.
const NARROWEST: usize = 40;
const GUTTER: Style = AnsiColor::BrightBlue.on_default().effects(Effects::BOLD);

/// What is to be drawn below the line that names a fault.
pub(super) struct Drawing<'a> {
    pub severity: Severity,
    /// Where the fault is.
    pub place: Option<&'a Place>,
    /// What else belongs to it.
    pub labels: &'a [Label],
    /// The likely mend.
    pub help: Option<&'a str>,
    /// The name of a file as the head of a block shows it.
    pub name: &'a dyn Fn(&Source) -> String,
}

impl Drawing<'_> {
    /// The excerpt and the help, every line ended; empty when there is neither.
    pub fn draw(&self, color: bool, width: usize) -> String {
        let fault = self.place.map(|place| Mark::new(place, None));
        let labels = self.labels.iter();
        let labels = labels.map(|label| Mark::new(&label.place, Some(&label.text)));
        let stretches = Stretch::of(fault.into_iter().chain(labels));
        let width = width.max(NARROWEST);
        let blocks: Vec<_> = stretches
            .iter()
            .map(|stretch| (stretch, self.block(&stretch.printable(), color, width)))
            .collect();
        let gutter = blocks.iter().map(|(_, block)| gutter(block)).max();
        let gutter = gutter.unwrap_or(1);

        let mut out = String::new();
        for (at, (stretch, block)) in blocks.iter().enumerate() {
            if at > 0 || self.place.is_none() {
                self.head(stretch, at > 0, gutter, color, &mut out);
            }
            let pad = gutter.saturating_sub(self::gutter(block));
            for line in block.lines() {
                let _ = writeln!(out, "{:pad$}{line}", "");
            }
        }
        self.helps(gutter, color, !blocks.is_empty(), &mut out);
        out
    }

    fn level(&self) -> Level<'static> {
        match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        }
    }

    fn block(&self, lines: &Printable<'_>, color: bool, width: usize) -> String {
        let renderer = if color {
            Renderer::styled()
        } else {
            Renderer::plain()
        };
        let marks = lines.marks.iter().map(|(range, label)| match label {
            None => AnnotationKind::Primary.span(range.clone()),
            Some(text) => AnnotationKind::Context
                .span(range.clone())
                .label(shown(text)),
        });
        let plain = lines.plain.iter();
        let plain = plain.map(|range| AnnotationKind::Visible.span(range.clone()));
        let snippet = Snippet::source(lines.text.as_str())
            .line_start(lines.first as usize)
            .annotations(marks.chain(plain));
        let group = Group::with_level(self.level()).element(snippet);
        let mut block = renderer.term_width(width).render(&[group]);
        // The library closes a block with an empty line of its own when its last line has no mark.
        if lines.ends_plain()
            && let Some((all_but_last, _)) = block.rsplit_once('\n')
        {
            block.truncate(all_but_last.len());
        }
        block
    }

    fn head(
        &self,
        stretch: &Stretch<'_>,
        follows: bool,
        gutter: usize,
        color: bool,
        out: &mut String,
    ) {
        let Some(place) = stretch.place() else {
            return;
        };
        let (line, column) = place.position();
        let name = shown(&(self.name)(&place.source));
        if follows {
            let _ = writeln!(out, "{:gutter$} {}", "", edge("|", color));
        }
        let _ = writeln!(
            out,
            "{:gutter$}{} {name}:{line}:{column}",
            "",
            edge(":::", color)
        );
    }

    fn helps(&self, gutter: usize, color: bool, follows: bool, out: &mut String) {
        let Some(help) = self.help else {
            return;
        };
        if follows {
            let _ = writeln!(out, "{:gutter$} {}", "", edge("|", color));
        }
        let help = shown_lines(help);
        let mut lines = help.lines();
        let first = lines.next().unwrap_or_default();
        let word = if color {
            let style = annotate_snippets::renderer::DEFAULT_HELP_STYLE;
            format!("{style}help{style:#}")
        } else {
            "help".to_owned()
        };
        let _ = writeln!(out, "{:gutter$} {} {word}: {first}", "", edge("=", color));
        for line in lines {
            let _ = writeln!(out, "{:gutter$}         {line}", "");
        }
    }
}

/// How many columns the line numbers of a block take: its first line is an empty one.
fn gutter(block: &str) -> usize {
    let blank = block.len() - block.trim_start_matches(' ').len();
    blank.saturating_sub(1).max(1)
}

fn edge(text: &str, color: bool) -> String {
    if color {
        format!("{GUTTER}{text}{GUTTER:#}")
    } else {
        text.to_owned()
    }
}
