//! The YAML library's events become a flat list of items.
//!
//! It decides what may stand where: one document, text as keys, a bounded depth (X36). It expands no alias and looks
//! for no repeated key; that is for `tree`, once the whole document is known to be of a sane size.

use std::borrow::Cow;

use granit_parser::{Event, Parser, ScalarStyle, StrInput, StructureStyle, Tag};

use super::super::DEPTH_LIMIT;
use super::super::node::{Fault, Style, reads_null};
use super::anchors::{Anchors, Size};
use super::faults::Faults;
use super::item::{Item, What};
use super::spans::{block_scalar, indicator, left_out, span_of};
use super::{tags, words};
use crate::diag::{Span, shown};

/// For how many items there is room from the beginning, at most.
const MOST_ROOM: usize = 32 * 1024;

/// A list or a map that is not closed yet.
struct Frame {
    item: usize,
    anchor: usize,
    is_map: bool,
    children: usize,
    size: Size,
}

/// A document while its events come in.
pub(super) struct Reader<'a> {
    text: &'a str,
    items: Vec<Item<'a>>,
    open: Vec<Frame>,
    anchors: Anchors,
    /// What the outermost list or map weighs with every alias expanded; 0 while it is open.
    expanded: u64,
    /// Where the last value, bracket or document marker ended.
    last_end: usize,
    faults: Faults,
}

impl<'a> Reader<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text,
            // Room that is not used costs nothing; a list that grows is copied, and its memory new each time.
            items: Vec::with_capacity((text.len() / 8).min(MOST_ROOM)),
            open: Vec::new(),
            anchors: Anchors::default(),
            expanded: 0,
            last_end: 0,
            faults: Faults::default(),
        }
    }

    /// The first document's items, and what is wrong with the text so far. The items are whole, and their expansion is
    /// within the budget, unless the faults say that the document is broken.
    pub(super) fn read(mut self) -> (Vec<Item<'a>>, Faults) {
        self.read_events();
        self.anchors
            .check_budget(&self.items, self.expanded, &mut self.faults);
        (self.items, self.faults)
    }

    fn read_events(&mut self) {
        let options = granit_parser::options! {
            emit_comments: false,
            emit_unresolved_aliases: true,
            flow_nesting_limit: DEPTH_LIMIT,
            block_nesting_limit: DEPTH_LIMIT,
        };
        let mut documents = 0;
        let mut parser: Parser<'a, StrInput<'a>> =
            Parser::new_from_str_with_options(self.text, options);
        while let Some(next) = parser.next_event() {
            let (event, place) = match next {
                Ok(next) => next,
                Err(error) => {
                    self.faults.fail(words::syntax_fault(self.text, &error));
                    return;
                }
            };
            if let Event::DocumentStart(..) = event {
                documents += 1;
                let span = span_of(&place);
                if documents > 1 {
                    let fault = Fault::new(span, "expected one document, found a second");
                    self.faults
                        .report(fault.help("remove it, or put it into a file of its own"));
                    return;
                }
                self.last_end = span.end as usize;
            } else {
                self.take(event, &place);
            }
            if self.open.len() > DEPTH_LIMIT {
                self.faults.too_deep(span_of(&place));
                return;
            }
        }
    }

    fn take(&mut self, event: Event<'a>, place: &granit_parser::Span) {
        let span = span_of(place);
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                self.scalar(text, style, anchor, tag.as_deref(), place);
            }
            Event::SequenceStart(style, anchor, tag) => {
                tags::check_collection(tag.as_deref(), "seq", place, &mut self.faults);
                self.start(What::List(0), style, span, anchor);
            }
            Event::MappingStart(style, anchor, tag) => {
                tags::check_collection(tag.as_deref(), "map", place, &mut self.faults);
                self.start(What::Map(0), style, span, anchor);
            }
            Event::SequenceEnd | Event::MappingEnd => self.finish(span),
            Event::Alias(anchor) => self.alias(anchor, span),
            Event::UnresolvedAlias(name) => {
                let message = format!("nothing is anchored as &{}", shown(&name));
                self.unknown_alias(message, span);
            }
            _ => {}
        }
    }

    /// Whether the next value is a key of the innermost map.
    fn at_key(&self) -> bool {
        self.open
            .last()
            .is_some_and(|frame| frame.is_map && frame.children % 2 == 0)
    }

    /// Adds an item of this size; gives back its index.
    fn add(&mut self, what: What<'a>, span: Span, size: Size, anchored: bool) -> usize {
        if let Some(frame) = self.open.last_mut() {
            frame.children += 1;
            frame.size.weight = frame.size.weight.saturating_add(size.weight);
            frame.size.height = frame.size.height.max(size.height + 1);
        }
        self.items.push(Item {
            span,
            what,
            anchored,
        });
        self.last_end = self.last_end.max(span.end as usize);
        self.items.len() - 1
    }

    fn scalar(
        &mut self,
        text: Cow<'a, str>,
        style: ScalarStyle,
        anchor: usize,
        tag: Option<&Tag>,
        place: &granit_parser::Span,
    ) {
        let span = span_of(place);
        let is_left_out = style == ScalarStyle::Plain && span.start == span.end;
        let (text, span) = match style {
            _ if is_left_out => (Cow::Borrowed(""), self.place_left_out(span)),
            ScalarStyle::Literal | ScalarStyle::Folded => {
                (text, block_scalar(self.text, self.last_end, span))
            }
            _ => (text, span),
        };
        let style = match style {
            ScalarStyle::Plain => Style::Plain,
            _ => Style::Quoted,
        };
        let style = tags::style(&text, style, tag, place, &mut self.faults);
        if style == Style::Plain && self.at_key() && reads_null(&text) {
            let fault = Fault::new(span, "expected text as a key, found null");
            self.faults.report(fault.help("put the key in quotes"));
        }
        let what = What::Scalar(text, style);
        let size = Size {
            weight: what.own_weight(),
            height: 0,
        };
        let item = self.add(what, span, size, anchor != 0);
        self.anchors.note(anchor, item, size);
    }

    fn place_left_out(&self, span: Span) -> Span {
        let is_value = self.open.last().is_some_and(|f| f.is_map) && !self.at_key();
        if is_value {
            left_out(self.text, span)
        } else {
            span
        }
    }

    fn start(&mut self, what: What<'a>, style: StructureStyle, span: Span, anchor: usize) {
        let is_map = matches!(what, What::Map(_));
        if self.at_key() {
            let found = if is_map { "a map" } else { "a list" };
            self.faults.report(Fault::new(
                span,
                format!("expected text as a key, found {found}"),
            ));
        }
        let is_value = self.open.last().is_some_and(|frame| frame.is_map);
        let span = if !is_map && is_value && style == StructureStyle::Block {
            // The parser places a list that is indented no further than its key behind the first dash.
            let dash = indicator(self.text, self.last_end, span.start as usize, b"-");
            dash.map_or(span, |at| Span::new(at, at))
        } else {
            span
        };
        let size = Size {
            weight: 1,
            height: 1,
        };
        let item = self.add(what, span, size, anchor != 0);
        self.open.push(Frame {
            item,
            anchor,
            is_map,
            children: 0,
            size,
        });
    }

    fn finish(&mut self, span: Span) {
        let Some(frame) = self.open.pop() else {
            return;
        };
        // A block list or map has no closing bracket: it ends with what is last in it.
        if span.start < span.end {
            self.last_end = self.last_end.max(span.end as usize);
        }
        if let Some(item) = self.items.get_mut(frame.item) {
            item.span = Span::new(item.span.start as usize, self.last_end);
            if let What::List(children) | What::Map(children) = &mut item.what {
                *children = frame.children;
            }
        }
        self.anchors.note(frame.anchor, frame.item, frame.size);
        match self.open.last_mut() {
            Some(outer) => {
                let size = &mut outer.size;
                // What it weighs by itself was added when it began.
                size.weight = size.weight.saturating_add(frame.size.weight - 1);
                size.height = size.height.max(frame.size.height + 1);
            }
            None => self.expanded = frame.size.weight,
        }
    }

    fn alias(&mut self, anchor: usize, span: Span) {
        let Some(target) = self.anchors.follow(anchor, span) else {
            let message = "the alias stands inside the value that it refers to";
            self.unknown_alias(message.to_owned(), span);
            return;
        };
        if self.at_key() && target.size.height > 0 {
            let fault = Fault::new(span, "expected text as a key, found a list or a map");
            self.faults.report(fault);
        }
        if self.open.len() + target.size.height > DEPTH_LIMIT {
            self.faults.too_deep(span);
        }
        // An anchored alias does not exist in YAML, so every alias refers to a value itself.
        self.add(What::Alias(target.item), span, target.size, false);
    }

    /// An alias that stands for nothing: any text takes its place, so that what follows is read in its turn.
    fn unknown_alias(&mut self, message: String, span: Span) {
        self.faults.fail(Fault::new(span, message));
        let what = What::Scalar(Cow::Borrowed("*"), Style::Quoted);
        let size = Size {
            weight: what.own_weight(),
            height: 0,
        };
        self.add(what, span, size, false);
    }
}
