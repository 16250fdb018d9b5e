//! Reads YAML 1.2 (core schema) with the place of every value, and every fault of a document in one pass.
//!
//! The parser's events become a flat list of items, in which aliases are numbers; only when their expansion is known
//! to be within the budget (X36) does the list become a tree. This is the only module that knows the YAML library.
//! It decides nothing about what a document means: which keys there may be is its reader's business.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use granit_parser::{
    ErrorKind, Event, Parser, ScalarStyle, ScanError, StrInput, StructureStyle, Tag,
};

use super::DEPTH_LIMIT;
use super::node::{Entry, FAULT_LIMIT, Fault, Kind, Node, Reading, Style, settle_keys};
use crate::diag::{Span, quoted, shown};

/// What a YAML text holds.
#[derive(Clone, Debug)]
pub struct Parsed<'a> {
    /// The first document's value: `None` for an empty document (L15), and for one that cannot be read.
    pub root: Option<Node<'a>>,
    /// What is wrong, in the order of the text; of very many faults the last says that there are more.
    pub faults: Vec<Fault>,
}

/// How many times its own weight a document may grow by its aliases, and how much a small one may grow besides.
const ALIAS_FACTOR: u64 = 10;
const ALIAS_ALLOWANCE: u64 = 10_000;
/// The most that aliases may add to any document.
const ALIAS_LIMIT: u64 = 1_000_000;
/// So many bytes of a scalar weigh as much as one more value.
const BYTES_A_VALUE: u64 = 32;

/// Reads a YAML text. Faults (L14, L14a, X36): a syntax error, a repeated key, a key that is no text, an unknown tag,
/// an alias without anchor, aliases that expand too far, nesting that is too deep, a second document. After a syntax
/// error, or one that leaves the value unknown, there is no root.
pub fn parse(text: &str) -> Parsed<'_> {
    let mut reader = Reader {
        text,
        items: Vec::new(),
        open: Vec::new(),
        anchors: HashMap::new(),
        heaviest_alias: None,
        last_end: 0,
        broken: false,
        faults: Vec::new(),
    };
    reader.read_events();
    reader.check_budget();
    let root = (!reader.broken && !reader.is_empty()).then(|| reader.build(0, Mode::default()));
    let mut faults = reader.faults;
    faults.sort_by_key(|fault| fault.span);
    if faults.len() >= FAULT_LIMIT
        && let Some(last) = faults.last().map(|fault| fault.span)
    {
        let message = format!("too many faults: only {FAULT_LIMIT} are told");
        faults.push(Fault::new(last, message));
    }
    Parsed { root, faults }
}

/// The place of a part of a scalar's value, given as byte offsets in [`Node::text`]: exact where the value stands
/// verbatim in the source, else the whole scalar.
pub fn part_span(source: &str, node: &Node<'_>, start: usize, end: usize) -> Span {
    let Kind::Scalar { text, .. } = &node.kind else {
        return node.span;
    };
    let written = source
        .get(node.span.start as usize..node.span.end as usize)
        .unwrap_or_default();
    let quote = usize::from(written.starts_with(['"', '\'']));
    let is_verbatim = written
        .get(quote..)
        .is_some_and(|inner| inner.starts_with(&**text) && inner.len() == text.len() + quote);
    if !is_verbatim || end > text.len() || start > end {
        return node.span;
    }
    let base = node.span.start as usize + quote;
    Span::new(base + start, base + end)
}

/// A value in the order of the text; what is inside a list or a map follows it, up to `end`.
struct Item<'a> {
    span: Span,
    what: What<'a>,
    /// The index behind the item and all that is inside it; 0 while it is open.
    end: usize,
    /// How much it weighs with every alias inside it expanded.
    weight: u64,
    /// How many levels of lists and maps it makes, itself included, with every alias expanded.
    height: usize,
    /// Whether an alias may refer to it.
    anchored: bool,
}

enum What<'a> {
    Scalar(Cow<'a, str>, Style),
    List,
    Map,
    /// The index of the item that an alias stands for.
    Alias(usize),
}

/// A list or a map that is not closed yet.
struct Frame {
    item: usize,
    is_map: bool,
    children: usize,
    height: usize,
    weight: u64,
}

struct Reader<'a> {
    text: &'a str,
    items: Vec<Item<'a>>,
    open: Vec<Frame>,
    /// From the parser's number of an anchor to the item that bears it.
    anchors: HashMap<usize, usize>,
    heaviest_alias: Option<(u64, Span)>,
    /// Where the last value, bracket or document marker ended.
    last_end: usize,
    /// Whether the document's value cannot be known.
    broken: bool,
    faults: Vec<Fault>,
}

impl<'a> Reader<'a> {
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
                    self.fail(syntax_fault(self.text, &error));
                    return;
                }
            };
            let span = span_of(&place);
            match event {
                Event::DocumentStart(..) => {
                    documents += 1;
                    if documents > 1 {
                        let fault = Fault::new(span, "expected one document, found a second");
                        self.report(fault.help("remove it, or put it into a file of its own"));
                        return;
                    }
                    self.last_end = span.end as usize;
                }
                Event::Scalar(text, style, anchor, tag) => {
                    self.scalar(text, style, span, anchor, tag.as_deref(), &place);
                }
                Event::SequenceStart(style, anchor, tag) => {
                    self.check_collection_tag(tag.as_deref(), "seq", &place);
                    self.start(What::List, style, span, anchor);
                }
                Event::MappingStart(style, anchor, tag) => {
                    self.check_collection_tag(tag.as_deref(), "map", &place);
                    self.start(What::Map, style, span, anchor);
                }
                Event::SequenceEnd | Event::MappingEnd => self.finish(span),
                Event::Alias(anchor) => self.alias(anchor, span),
                Event::UnresolvedAlias(name) => {
                    let name = shown(&name);
                    self.fail(Fault::new(span, format!("nothing is anchored as &{name}")));
                    self.add(What::Scalar(name.into(), Style::Quoted), span, 0);
                }
                _ => {}
            }
            if self.open.len() > DEPTH_LIMIT {
                self.too_deep(span);
                return;
            }
        }
    }

    fn report(&mut self, fault: Fault) {
        if self.faults.len() < FAULT_LIMIT {
            self.faults.push(fault);
        }
    }

    fn fail(&mut self, fault: Fault) {
        self.broken = true;
        self.report(fault);
    }

    fn too_deep(&mut self, span: Span) {
        self.fail(Fault::new(
            span,
            format!("nested deeper than {DEPTH_LIMIT} levels"),
        ));
    }

    /// Whether the next value is a key of the innermost map.
    fn at_key(&self) -> bool {
        self.open
            .last()
            .is_some_and(|frame| frame.is_map && frame.children % 2 == 0)
    }

    /// Adds an item that holds no others; gives back its index.
    fn add(&mut self, what: What<'a>, span: Span, anchor: usize) -> usize {
        let (weight, height) = match &what {
            What::Scalar(text, _) => (1 + text.len() as u64 / BYTES_A_VALUE, 0),
            What::Alias(target) => self
                .items
                .get(*target)
                .map_or((1, 0), |item| (item.weight, item.height)),
            What::List | What::Map => (1, 1),
        };
        let index = self.items.len();
        if let Some(frame) = self.open.last_mut() {
            frame.children += 1;
            frame.weight = frame.weight.saturating_add(weight);
            frame.height = frame.height.max(height + 1);
        }
        if anchor != 0 {
            self.anchors.insert(anchor, index);
        }
        self.items.push(Item {
            span,
            what,
            end: index + 1,
            weight,
            height,
            anchored: anchor != 0,
        });
        self.last_end = self.last_end.max(span.end as usize);
        index
    }

    fn scalar(
        &mut self,
        text: Cow<'a, str>,
        style: ScalarStyle,
        span: Span,
        anchor: usize,
        tag: Option<&Tag>,
        place: &granit_parser::Span,
    ) {
        let is_empty = style == ScalarStyle::Plain && span.start == span.end;
        let (text, span) = match style {
            _ if is_empty => (Cow::Borrowed(""), self.empty_place(span)),
            ScalarStyle::Literal | ScalarStyle::Folded => (text, self.block_scalar_place(span)),
            _ => (text, span),
        };
        let style = match style {
            ScalarStyle::Plain => Style::Plain,
            _ => Style::Quoted,
        };
        let style = self.tagged_style(&text, style, tag, place);
        let node = Node {
            span,
            kind: Kind::Scalar { text, style },
        };
        if self.at_key() && node.is_null() {
            let fault = Fault::new(span, "expected text as a key, found null");
            self.report(fault.help("put the key in quotes"));
        }
        if let Kind::Scalar { text, style } = node.kind {
            self.add(What::Scalar(text, style), span, anchor);
        }
    }

    /// The style that a tag gives a scalar; a tag that is unknown or does not fit is a fault (L14a).
    fn tagged_style(
        &mut self,
        text: &str,
        style: Style,
        tag: Option<&Tag>,
        place: &granit_parser::Span,
    ) -> Style {
        let Some(tag) = tag else {
            return style;
        };
        if tag.parts() == ("", "!") {
            return Style::Quoted;
        }
        let plain = Node {
            span: Span::default(),
            kind: Kind::Scalar {
                text: Cow::Borrowed(text),
                style: Style::Plain,
            },
        };
        let reading = plain.scalar().map(|(_, reading)| reading);
        let fits = match tag.core_suffix() {
            Some("str") => return Style::Quoted,
            Some("null") => reading == Some(Reading::Null),
            Some("bool") => matches!(reading, Some(Reading::Bool(_))),
            Some("float") => reading == Some(Reading::Number),
            Some("int") => {
                let is_based = text.starts_with("0x") || text.starts_with("0o");
                reading == Some(Reading::Number) && (is_based || !text.contains(['.', 'e', 'E']))
            }
            Some(_) => false,
            None => {
                self.unknown_tag(tag, place);
                return style;
            }
        };
        if fits {
            return Style::Plain;
        }
        self.misfit(tag, place, &format!("the text {}", quoted(text)));
        style
    }

    fn check_collection_tag(&mut self, tag: Option<&Tag>, own: &str, place: &granit_parser::Span) {
        let Some(tag) = tag else {
            return;
        };
        match tag.core_suffix() {
            Some(suffix) if suffix == own => {}
            None if tag.parts() == ("", "!") => {}
            None => self.unknown_tag(tag, place),
            Some(_) => {
                let what = if own == "seq" { "a list" } else { "a map" };
                self.misfit(tag, place, what);
            }
        }
    }

    fn unknown_tag(&mut self, tag: &Tag, place: &granit_parser::Span) {
        let span = place
            .tag_span()
            .map_or_else(|| span_of(place), |s| span_of(&s));
        let fault = Fault::new(span, format!("unknown tag {}", quoted(&tag.original())));
        self.report(fault.help("remove it; text that begins with ! stands in quotes"));
    }

    fn misfit(&mut self, tag: &Tag, place: &granit_parser::Span, what: &str) {
        let span = place
            .tag_span()
            .map_or_else(|| span_of(place), |s| span_of(&s));
        let tag = shown(&tag.original());
        self.report(Fault::new(
            span,
            format!("the tag {tag} does not fit {what}"),
        ));
    }

    fn start(&mut self, what: What<'a>, style: StructureStyle, span: Span, anchor: usize) {
        let is_map = matches!(what, What::Map);
        if self.at_key() {
            let found = if is_map { "a map" } else { "a list" };
            self.report(Fault::new(
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
        let item = self.add(what, span, anchor);
        if let Some(item) = self.items.get_mut(item) {
            item.end = 0;
        }
        self.open.push(Frame {
            item,
            is_map,
            children: 0,
            height: 1,
            weight: 1,
        });
    }

    fn finish(&mut self, span: Span) {
        let Some(frame) = self.open.pop() else {
            return;
        };
        // A block list or map has no closing bracket: it ends with what is last in it.
        self.last_end = self.last_end.max(if span.start < span.end {
            span.end as usize
        } else {
            0
        });
        let end = self.items.len();
        if let Some(item) = self.items.get_mut(frame.item) {
            item.span = Span::new(item.span.start as usize, self.last_end);
            item.end = end;
            item.weight = frame.weight;
            item.height = frame.height;
        }
        if let Some(outer) = self.open.last_mut() {
            outer.weight = outer.weight.saturating_add(frame.weight - 1);
            outer.height = outer.height.max(frame.height + 1);
        }
    }

    fn alias(&mut self, anchor: usize, span: Span) {
        let target = self.anchors.get(&anchor).copied();
        let found = target.and_then(|index| Some((index, self.items.get(index)?)));
        let Some((index, item)) = found.filter(|(_, item)| item.end != 0) else {
            self.fail(Fault::new(
                span,
                "the alias stands inside the value that it refers to",
            ));
            self.add(What::Scalar("~".into(), Style::Quoted), span, 0);
            return;
        };
        let (weight, height) = (item.weight, item.height);
        if self.at_key() && height > 0 {
            let fault = Fault::new(span, "expected text as a key, found a list or a map");
            self.report(fault);
        }
        if self.open.len() + height > DEPTH_LIMIT {
            self.too_deep(span);
        }
        if self.heaviest_alias.is_none_or(|(most, _)| weight > most) {
            self.heaviest_alias = Some((weight, span));
        }
        // An anchored alias does not exist in YAML, so every alias refers to a value itself.
        self.add(What::Alias(index), span, 0);
    }

    /// Refuses a document that its aliases would make far larger than it is (X36).
    fn check_budget(&mut self) {
        let (Some((_, span)), Some(root)) = (self.heaviest_alias, self.items.first()) else {
            return;
        };
        let own: u64 = self
            .items
            .iter()
            .map(|item| match &item.what {
                What::Scalar(text, _) => 1 + text.len() as u64 / BYTES_A_VALUE,
                _ => 1,
            })
            .sum();
        let allowed = own
            .saturating_mul(ALIAS_FACTOR)
            .saturating_add(ALIAS_ALLOWANCE)
            .min(ALIAS_LIMIT);
        if root.weight.saturating_sub(own) > allowed {
            self.fail(Fault::new(
                span,
                "the aliases make the document too large to read",
            ));
        }
    }

    /// Whether the document has no value at all: no text, or nothing but `---` and comments.
    fn is_empty(&self) -> bool {
        match self.items.as_slice() {
            [] => true,
            [only] => {
                !only.anchored
                    && matches!(&only.what, What::Scalar(text, Style::Plain) if text.is_empty())
            }
            _ => false,
        }
    }

    /// A value left out after `key:` stands behind the colon.
    fn empty_place(&self, span: Span) -> Span {
        let rest = self.text.get(span.start as usize..).unwrap_or_default();
        let left = rest.trim_start_matches([' ', '\t']);
        let is_value = self.open.last().is_some_and(|f| f.is_map) && !self.at_key();
        if is_value && left.starts_with(':') {
            return Span::new(0, 0).shifted(self.text.len() - left.len() + 1);
        }
        span
    }

    /// A block scalar from its `|` or `>` to the end of its last line that is not blank.
    fn block_scalar_place(&self, span: Span) -> Span {
        let content = span.start as usize;
        let start = indicator(self.text, self.last_end, content, b"|>").unwrap_or(content);
        let written = self.text.get(start..span.end as usize).unwrap_or_default();
        let kept = written.trim_end_matches([' ', '\t', '\r', '\n']);
        Span::new(start, start + kept.len())
    }
}

/// How a part of the list of items is made into a tree.
#[derive(Clone, Copy, Default)]
struct Mode {
    /// An alias may want the same items again, so their text stays where it is.
    keeps: bool,
    /// An alias is being expanded: the faults inside have been reported at the value that it stands for.
    is_copy: bool,
}

impl<'a> Reader<'a> {
    /// The tree of an item. The recursion goes no deeper than [`DEPTH_LIMIT`], aliases included.
    fn build(&mut self, at: usize, mut mode: Mode) -> Node<'a> {
        let Some(item) = self.items.get_mut(at) else {
            return Node {
                span: Span::default(),
                kind: Kind::List(Vec::new()),
            };
        };
        let (span, end) = (item.span, item.end);
        mode.keeps |= item.anchored;
        let kind = match &mut item.what {
            What::Scalar(text, style) => Kind::Scalar {
                text: taken(text, mode),
                style: *style,
            },
            What::Alias(target) => {
                let target = *target;
                let copy = Mode {
                    keeps: true,
                    is_copy: true,
                };
                self.build(target, copy).kind
            }
            What::List => Kind::List(self.build_list(at + 1, end, mode)),
            What::Map => Kind::Map(self.build_map(at + 1, end, mode)),
        };
        Node { span, kind }
    }

    /// The index behind an item and all that is inside it.
    fn after(&self, at: usize) -> usize {
        self.items.get(at).map_or(usize::MAX, |item| item.end)
    }

    /// How many items stand side by side up to `end`.
    fn count(&self, mut at: usize, end: usize) -> usize {
        let mut count = 0;
        while at < end {
            count += 1;
            at = self.after(at);
        }
        count
    }

    fn build_list(&mut self, mut at: usize, end: usize, mode: Mode) -> Vec<Node<'a>> {
        let mut nodes = Vec::with_capacity(self.count(at, end));
        while at < end {
            nodes.push(self.build(at, mode));
            at = self.after(at);
        }
        nodes
    }

    fn build_map(&mut self, mut at: usize, end: usize, mode: Mode) -> Vec<Entry<'a>> {
        let mut entries = Vec::with_capacity(self.count(at, end) / 2);
        let mut merge_key = None;
        while at < end {
            let value_at = self.after(at);
            let key = self.key(at, mode);
            let value = self.build(value_at, mode);
            at = self.after(value_at);
            // A key that is no scalar has been reported when it was read.
            let Some((key, style, key_span)) = key else {
                continue;
            };
            if key == "<<" && style == Style::Plain {
                merge_key = Some(key_span);
            }
            entries.push(Entry {
                key,
                key_span,
                value,
            });
        }
        if mode.is_copy {
            settle_keys(&mut entries, &mut Vec::new());
        } else {
            settle_keys(&mut entries, &mut self.faults);
        }
        if let Some(place) = merge_key {
            self.merge(&mut entries, place, mode);
        }
        entries
    }

    fn key(&mut self, at: usize, mut mode: Mode) -> Option<(Cow<'a, str>, Style, Span)> {
        let item = self.items.get_mut(at)?;
        let span = item.span;
        mode.keeps |= item.anchored;
        match &mut item.what {
            What::Scalar(text, style) => Some((taken(text, mode), *style, span)),
            What::Alias(target) => {
                let target = *target;
                match &self.items.get(target)?.what {
                    What::Scalar(text, style) => Some((text.clone(), *style, span)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Puts the entries of the maps under a merge key in its stead. A key of the map's own wins over a merged one,
    /// and of two merged maps the earlier wins.
    fn merge(&mut self, entries: &mut Vec<Entry<'a>>, place: Span, mode: Mode) {
        let Some(position) = entries.iter().position(|e| e.key_span == place) else {
            return;
        };
        let merge = entries.remove(position);
        let sources = match merge.value.kind {
            Kind::List(nodes) => nodes,
            _ => vec![merge.value],
        };
        let mut taken: HashSet<Cow<'a, str>> = entries.iter().map(|e| e.key.clone()).collect();
        let mut merged = Vec::new();
        for source in sources {
            if let Kind::Map(from) = source.kind {
                merged.extend(from.into_iter().filter(|e| taken.insert(e.key.clone())));
            } else if !mode.is_copy {
                let fault = source.mismatch("a map, or a list of maps, under the merge key <<");
                self.report(fault);
            }
        }
        entries.splice(position..position, merged);
    }
}

fn taken<'a>(text: &mut Cow<'a, str>, mode: Mode) -> Cow<'a, str> {
    if mode.keeps {
        text.clone()
    } else {
        std::mem::take(text)
    }
}

fn span_of(place: &granit_parser::Span) -> Span {
    // Text that lies in memory always has byte offsets.
    place
        .byte_range()
        .map_or_else(Span::default, |range| Span::new(range.start, range.end))
}

/// The first of the `wanted` indicators between two values, outside comments, anchors and tags.
fn indicator(text: &str, from: usize, to: usize, wanted: &[u8]) -> Option<usize> {
    let bytes = text.as_bytes().get(..to)?;
    let mut at = from;
    while let Some(byte) = bytes.get(at) {
        let rest = bytes.get(at..).unwrap_or_default();
        let skipped = match byte {
            b if wanted.contains(b) => return Some(at),
            b'#' => rest.iter().position(|b| matches!(b, b'\n' | b'\r')),
            b'&' | b'!' => rest.iter().position(u8::is_ascii_whitespace),
            _ => Some(1),
        };
        at += skipped?;
    }
    None
}

/// The fault of a text that is no YAML.
fn syntax_fault(text: &str, error: &ScanError) -> Fault {
    let mut at = error
        .marker()
        .byte_offset()
        .unwrap_or_default()
        .min(text.len());
    let rest = text.get(at..).unwrap_or_default();
    let (message, help) = match error.kind() {
        ErrorKind::UnexpectedCharacter { character } => {
            // The parser blames the scalar that holds the character.
            at += rest.find(*character).unwrap_or_default();
            unexpected(*character)
        }
        kind => in_words(kind),
    };
    let here = text.get(at..).and_then(|rest| rest.chars().next());
    let width = here
        .filter(|c| !matches!(c, '\n' | '\r'))
        .map_or(0, char::len_utf8);
    let fault = Fault::new(Span::new(at, at + width), message);
    match help {
        Some(help) => fault.help(help),
        None => fault,
    }
}

fn unexpected(character: char) -> (String, Option<&'static str>) {
    if character.is_control() || matches!(character, '\u{fffe}' | '\u{ffff}') {
        let code = u32::from(character);
        let message = format!("the character U+{code:04X} is not allowed in YAML");
        return (
            message,
            Some("remove it, or write it as an escape in double quotes"),
        );
    }
    (
        format!("no value begins with `{character}`"),
        Some("put the text in quotes"),
    )
}

/// What the parser found, in words that need no knowledge of its insides.
fn in_words(kind: &ErrorKind) -> (String, Option<&'static str>) {
    let (message, help) = match kind {
        ErrorKind::RecursionLimitExceeded => {
            return (format!("nested deeper than {DEPTH_LIMIT} levels"), None);
        }
        ErrorKind::UnclosedFlowCollection { open } => {
            let close = if *open == '[' { ']' } else { '}' };
            return (
                format!("expected `{close}` to close this `{open}`, found the end"),
                None,
            );
        }
        ErrorKind::MismatchedFlowCollectionEnd { open, close } => {
            return (
                format!("a bracket opened by `{open}` is closed by `{close}`"),
                None,
            );
        }
        ErrorKind::MisplacedFlowCollectionEnd => {
            ("found a closing bracket that nothing opens", None)
        }
        ErrorKind::UnclosedQuotedScalar => ("expected a closing quote, found the end", None),
        ErrorKind::TabNotAllowed
        | ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation
        | ErrorKind::TabAtBlockScalarStart
        | ErrorKind::TabInPlainScalar => {
            ("expected spaces, found a tab", Some("indent with spaces"))
        }
        ErrorKind::ExpectedBlockMappingKey => (
            "expected a key of the map that encloses this line",
            Some("indent the keys of one map alike"),
        ),
        ErrorKind::ExpectedBlockSequenceEntry => (
            "expected an item of the list that encloses this line",
            Some("indent the dashes of one list alike"),
        ),
        ErrorKind::MappingValueNotAllowed | ErrorKind::InvalidColonPlacement => (
            "a colon may not stand here",
            Some("put text that holds a colon and a space in quotes"),
        ),
        ErrorKind::SimpleKeyExpected | ErrorKind::InvalidSimpleKey => (
            "expected `:` after a key",
            Some("a key and its colon stand on one line"),
        ),
        ErrorKind::ExpectedFlowMappingSeparator => ("expected `,` or `}` in a map", None),
        ErrorKind::ExpectedFlowSequenceSeparator => ("expected `,` or `]` in a list", None),
        ErrorKind::UnknownQuotedScalarEscape => (
            "unknown escape in a double-quoted text",
            Some("write \\\\ for a backslash, or use single quotes"),
        ),
        ErrorKind::UndeclaredTagHandle => (
            "unknown tag",
            Some("remove it; text that begins with ! stands in quotes"),
        ),
        other => return (other.to_string(), None),
    };
    (message.to_owned(), help)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doc::json;
    use crate::value::Value;
    use proptest::prelude::*;

    fn sound(text: &str) -> Node<'_> {
        let parsed = parse(text);
        assert!(parsed.faults.is_empty(), "{:?}", parsed.faults);
        parsed.root.unwrap()
    }

    fn as_json(text: &str) -> String {
        Value::from_node(&sound(text)).to_json()
    }

    fn cut(text: &str, span: Span) -> &str {
        &text[span.start as usize..span.end as usize]
    }

    /// Messages with the text that they blame.
    fn faults(text: &str) -> Vec<(String, &str)> {
        parse(text)
            .faults
            .into_iter()
            .map(|fault| (fault.message, cut(text, fault.span)))
            .collect()
    }

    fn one_fault(text: &str) -> (String, &str) {
        let mut all = faults(text);
        assert_eq!(all.len(), 1, "{text:?}: {all:?}");
        all.remove(0)
    }

    fn at<'n, 'a>(root: &'n Node<'a>, path: &str) -> &'n Node<'a> {
        path.split('.')
            .fold(root, |node, step| match step.parse::<usize>() {
                Ok(n) => &node.list().unwrap()[n],
                Err(_) => node.get(step).unwrap(),
            })
    }

    #[test]
    fn scalars_lists_and_maps() {
        let text = "a: 1\nb: [x, \"3\", 'it''s', null]\nc:\n  - d: yes\n    e:\n  - f\n";
        assert_eq!(
            as_json(text),
            r#"{"a":1,"b":["x","3","it's",null],"c":[{"d":"yes","e":null},"f"]}"#
        );
        let root = sound(text);
        let style = |path| match &at(&root, path).kind {
            Kind::Scalar { style, .. } => *style,
            _ => panic!("no scalar"),
        };
        assert_eq!(style("a"), Style::Plain);
        assert_eq!(style("b.0"), Style::Plain);
        assert_eq!(style("b.1"), Style::Quoted);
        assert_eq!(style("b.2"), Style::Quoted);
    }

    #[test]
    fn scalars_of_several_lines() {
        let text =
            "a: one\n  two\n\n  three\nb: |\n  x\n    y\n\nc: >-\n  p\n  q\n\n  r\nd: \"s\n  t\"\n";
        assert_eq!(
            as_json(text),
            r#"{"a":"one two\nthree","b":"x\n  y\n","c":"p q\nr","d":"s t"}"#
        );
        let root = sound(text);
        assert_eq!(cut(text, at(&root, "a").span), "one\n  two\n\n  three");
        assert_eq!(cut(text, at(&root, "b").span), "|\n  x\n    y");
        assert_eq!(cut(text, at(&root, "c").span), ">-\n  p\n  q\n\n  r");
        assert_eq!(cut(text, at(&root, "d").span), "\"s\n  t\"");
        assert!(matches!(
            at(&root, "b").kind,
            Kind::Scalar {
                style: Style::Quoted,
                ..
            }
        ));
    }

    #[test]
    fn a_block_scalar_begins_at_its_indicator() {
        let text = "- &a|b !!str # > no\n  |2-\n   x\n- >\n\n- k: |\n    y\n";
        let root = sound(text);
        assert_eq!(cut(text, at(&root, "0").span), "|2-\n   x");
        assert_eq!(cut(text, at(&root, "1").span), ">");
        assert_eq!(cut(text, at(&root, "2.k").span), "|\n    y");
    }

    #[test]
    fn places_are_bytes_o20() {
        for mark in ["", "\u{feff}"] {
            for line_break in ["\n", "\r\n"] {
                let text = format!(
                    "{mark}é: ü x # ä{line_break}l:{line_break}- [日, {{k: 'v'}}]{line_break}\
                     -  \"q\\u00e9\" {line_break}{line_break}# end{line_break}m: {{}}{line_break}"
                );
                let root = sound(&text);
                let place = |path: &str| cut(&text, at(&root, path).span);
                let entry = &root.map().unwrap()[0];
                assert_eq!(cut(&text, entry.key_span), "é");
                assert_eq!(place("é"), "ü x");
                assert_eq!(
                    place("l"),
                    format!("- [日, {{k: 'v'}}]{line_break}-  \"q\\u00e9\"")
                );
                assert_eq!(place("l.0"), "[日, {k: 'v'}]");
                assert_eq!(place("l.0.0"), "日");
                assert_eq!(place("l.0.1"), "{k: 'v'}");
                assert_eq!(place("l.0.1.k"), "'v'");
                assert_eq!(place("l.1"), "\"q\\u00e9\"");
                let whole = text.trim_start_matches('\u{feff}').trim_end();
                assert_eq!(cut(&text, root.span), whole);
            }
        }
    }

    #[test]
    fn places_of_block_lists_and_values_left_out() {
        let text = "a:\n# - c\n- - b\n  - c\n- d\ne:\n  - f: g\n    h: i\nk  :   # c\n";
        let root = sound(text);
        assert_eq!(cut(text, at(&root, "a").span), "- - b\n  - c\n- d");
        assert_eq!(cut(text, at(&root, "a.0").span), "- b\n  - c");
        assert_eq!(cut(text, at(&root, "e").span), "- f: g\n    h: i");
        assert_eq!(cut(text, at(&root, "e.0").span), "f: g\n    h: i");
        let colon = text.rfind(':').unwrap();
        assert_eq!(at(&root, "k").span, Span::new(colon + 1, colon + 1));
        assert!(at(&root, "k").is_null());
    }

    #[test]
    fn plain_text_is_borrowed() {
        for text in ["word", "\"word\"", "- a b"] {
            let root = sound(text);
            let node = root.list().map_or(&root, |items| &items[0]);
            assert!(matches!(
                &node.kind,
                Kind::Scalar {
                    text: Cow::Borrowed(_),
                    ..
                }
            ));
        }
    }

    #[test]
    fn an_empty_document_has_no_root_and_no_fault_l15() {
        for text in [
            "",
            "\n",
            "# c\n",
            "---\n",
            "--- # c\n...\n",
            "\u{feff}",
            "\r\n",
        ] {
            let parsed = parse(text);
            assert!(
                parsed.root.is_none() && parsed.faults.is_empty(),
                "{text:?}"
            );
        }
        for text in ["~", "null", "--- ''", "{}"] {
            assert!(parse(text).root.is_some(), "{text:?}");
        }
    }

    #[test]
    fn repeated_keys_name_both_places_l14() {
        let text = "a: 1\nb: {c: 1, 'c': 2}\n\"a\": 3\na: 4\n";
        let parsed = parse(text);
        let places: Vec<_> = parsed
            .faults
            .iter()
            .map(|f| {
                (
                    f.message.as_str(),
                    f.span.start,
                    f.also.clone().unwrap().0.start,
                )
            })
            .collect();
        assert_eq!(
            places,
            [
                ("key \"c\" is given twice", 15, 9),
                ("key \"a\" is given twice", 23, 0),
                ("key \"a\" is given twice", 30, 0),
            ]
        );
        assert_eq!(parsed.root.unwrap().map().unwrap().len(), 2);
    }

    #[test]
    fn faults_are_bounded_x37() {
        for text in [
            "?\n".repeat(5000),
            "- !x y\n".repeat(5000),
            "a: 1\n".repeat(5000),
        ] {
            let parsed = parse(&text);
            assert_eq!(parsed.faults.len(), 1001);
            assert_eq!(
                parsed.faults[1000].message,
                "too many faults: only 1000 are told"
            );
        }
    }

    #[test]
    fn tags_l14a() {
        assert_eq!(
            as_json(
                "- !!str 3\n- ! 4\n- !!int 5\n- !!int \"6\"\n- !!float 7.5\n- !!bool true\n- !!null ~\n- !!null\n- !!str\n- !!seq []\n- !!map\n  a: b\n- !<tag:yaml.org,2002:str> 8\n"
            ),
            r#"["3","4",5,6,7.5,true,null,null,"",[],{"a":"b"},"8"]"#
        );
        assert_eq!(
            one_fault("a: !color red"),
            ("unknown tag \"!color\"".into(), "!color")
        );
        assert_eq!(
            one_fault("a: !!set {b}"),
            ("unknown tag \"!!set\"".into(), "!!set")
        );
        assert_eq!(one_fault("a: !!timestamp 2020-01-01").1, "!!timestamp");
        assert_eq!(one_fault("- !e!x a").0, "unknown tag");
        assert_eq!(
            one_fault("a: !!int 2.5"),
            (
                "the tag !!int does not fit the text \"2.5\"".into(),
                "!!int"
            )
        );
        assert_eq!(
            one_fault("a: !!map [b]").0,
            "the tag !!map does not fit a list"
        );
        assert_eq!(one_fault("a: !!seq x").1, "!!seq");
        assert_eq!(one_fault("a: !!bool yes").1, "!!bool");
    }

    #[test]
    fn a_second_document_is_a_fault_l14a() {
        for text in [
            "a: 1\n---\nb: 2\n",
            "--- a\n--- b",
            "a\n...\n---\n",
            "---\n---\na: 1",
        ] {
            let (message, place) = one_fault(text);
            assert_eq!(
                (message.as_str(), place),
                ("expected one document, found a second", "---")
            );
        }
        let text = "a: 1\n---\nb: [";
        assert_eq!(
            Value::from_node(&parse(text).root.unwrap()).to_json(),
            r#"{"a":1}"#
        );
        assert_eq!(as_json("%YAML 1.2\n---\na: 1\n...\n# end\n"), r#"{"a":1}"#);
    }

    #[test]
    fn keys_are_text() {
        for (text, found, place) in [
            ("? [a]\n: b\n", "a list", "["),
            ("{{a: b}: c}", "a map", "{"),
            ("~: b", "null", "~"),
            (": b", "null", ""),
            ("a: &x [1]\n*x : b", "a list or a map", "*x"),
        ] {
            let (message, got) = one_fault(text);
            assert_eq!(
                message,
                format!("expected text as a key, found {found}"),
                "{text}"
            );
            assert!(
                place.starts_with(got) || got.starts_with(place),
                "{text} {got}"
            );
        }
        assert_eq!(
            as_json("1: a\ntrue: b\n'': c\n'null': d\n"),
            r#"{"1":"a","true":"b","":"c","null":"d"}"#
        );
        assert_eq!(as_json("? a\n: b\n"), r#"{"a":"b"}"#);
    }

    #[test]
    fn anchors_and_aliases() {
        let text = "a: &x {n: &y [1, \"\\n\"]}\nb: *x\nc: [*y, *x]\n&k key: *k\n*k : 2\n";
        let parsed = parse(text);
        assert_eq!(parsed.faults.len(), 1);
        assert_eq!(
            Value::from_node(&parsed.root.unwrap()).to_json(),
            r#"{"a":{"n":[1,"\n"]},"b":{"n":[1,"\n"]},"c":[[1,"\n"],{"n":[1,"\n"]}],"key":2}"#
        );
        let root = sound("a: &x [one]\nb: *x\n");
        assert_eq!(at(&root, "b").span, Span::new(15, 17));
        assert_eq!(at(&root, "b.0").span, at(&root, "a.0").span);
        // The nearest definition before the alias counts.
        assert_eq!(as_json("[&a 1, *a, &a 2, *a]"), "[1,1,2,2]");
        assert_eq!(
            one_fault("a: *b"),
            ("nothing is anchored as &b".into(), "*b")
        );
        assert!(parse("a: *b").root.is_none());
        let (message, place) = one_fault("&a [1, *a]");
        assert_eq!(
            message,
            "the alias stands inside the value that it refers to"
        );
        assert_eq!(place, "*a");
    }

    #[test]
    fn merge_keys() {
        let base = "x: &x {a: 1, b: 2}\ny: &y {b: 3, c: 4}\n";
        for (text, merged) in [
            ("z: {<<: *x, d: 5}", r#"{"a":1,"b":2,"d":5}"#),
            ("z: {b: 9, <<: *x}", r#"{"b":9,"a":1}"#),
            ("z: {<<: [*x, *y], c: 0}", r#"{"a":1,"b":2,"c":0}"#),
            ("z: {<<: {q: 1}}", r#"{"q":1}"#),
            ("z: {'<<': 1}", r#"{"<<":1}"#),
        ] {
            let text = format!("{base}{text}\n");
            let root = sound(&text);
            assert_eq!(Value::from_node(at(&root, "z")).to_json(), merged, "{text}");
        }
        let through = "a: &a {p: 1}\nb: &b {<<: *a, q: 2}\nc: {<<: *b}\n";
        assert_eq!(
            Value::from_node(at(&sound(through), "c")).to_json(),
            r#"{"p":1,"q":2}"#
        );
        assert_eq!(
            one_fault("a: {<<: word}"),
            ("expected a map, or a list of maps, under the merge key <<, found the text \"word\"".into(), "word")
        );
        // A fault of the merged map is told once.
        assert_eq!(faults("a: &a {p: 1, p: 2}\nb: *a\nc: {<<: *a}\n").len(), 1);
        assert_eq!(
            one_fault("a: {<<: {b: 1}, <<: {c: 2}}").0,
            "key \"<<\" is given twice"
        );
    }

    #[test]
    fn aliases_are_bounded_x36() {
        let mut lines = vec!["a0: &a0 [x,x,x,x,x,x,x,x,x]\n".to_owned()];
        for n in 1..18 {
            let refs = vec![format!("*a{}", n - 1); 9].join(",");
            lines.push(format!("a{n}: &a{n} [{refs}]\n"));
        }
        let text = lines.concat();
        let (message, place) = one_fault(&text);
        assert_eq!(message, "the aliases make the document too large to read");
        assert_eq!(place, "*a16");
        assert!(parse(&text).root.is_none());
        // Long text counts by its length.
        let long = format!(
            "a: &a \"{}\\n\"\nb: [{}]\n",
            "x".repeat(1_000_000),
            vec!["*a"; 1000].join(",")
        );
        assert_eq!(faults(&long).len(), 1);
        // Aliases deepen the tree too.
        let mut lines = vec!["- &a0 [x]\n".to_owned()];
        for n in 1..200 {
            lines.push(format!("- &a{n} [*a{}]\n", n - 1));
        }
        let deep = lines.concat();
        assert_eq!(faults(&deep)[0].0, "nested deeper than 128 levels");
        // Honest use is far from the bounds, and a large file without aliases is none of their business.
        let many = format!(
            "a: &a {{k: v, l: w}}\nb: [{}]\n",
            vec!["*a"; 3000].join(",")
        );
        assert_eq!(at(&sound(&many), "b").list().unwrap().len(), 3000);
        assert!(
            sound(&format!("[{}]", vec!["1"; 1_200_000].join(",")))
                .list()
                .is_some()
        );
    }

    #[test]
    fn nesting_is_bounded_x36() {
        let flow = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        sound(&flow(128));
        let block = |depth: usize| {
            let lines = (0..depth).map(|n| format!("{}a:\n", " ".repeat(n)));
            lines.collect::<Vec<_>>().concat()
        };
        sound(&block(128));
        let mixed =
            format!("{}x: {}", block(64), flow(65)).replace("x:", &format!("{}x:", " ".repeat(64)));
        for text in [
            flow(129),
            flow(10_000),
            "[".repeat(1_000_000),
            block(129),
            block(3_000),
            "- ".repeat(10_000),
            mixed,
        ] {
            let parsed = parse(&text);
            assert_eq!(parsed.faults.len(), 1);
            assert_eq!(parsed.faults[0].message, "nested deeper than 128 levels");
            assert!(parsed.root.is_none());
        }
    }

    #[test]
    fn syntax_errors_stand_at_their_place_r5() {
        for (text, message, place) in [
            (
                "a: [1, 2\n",
                "expected `]` to close this `[`, found the end",
                "[",
            ),
            ("é: \"x\n", "expected a closing quote, found the end", "\""),
            ("a: [1}", "a bracket opened by `[` is closed by `}`", "["),
            ("a: b: c", "a colon may not stand here", ":"),
            ("a: @b", "no value begins with `@`", "@"),
            (
                "a: x\u{1}y",
                "the character U+0001 is not allowed in YAML",
                "\u{1}",
            ),
            ("a: \0", "the character U+0000 is not allowed in YAML", "\0"),
            (
                "# é \u{7}\n",
                "the character U+0007 is not allowed in YAML",
                "\u{7}",
            ),
            ("a: \"\\q\"", "unknown escape in a double-quoted text", "\""),
        ] {
            assert_eq!(one_fault(text), (message.to_owned(), place), "{text:?}");
            assert!(parse(text).root.is_none(), "{text:?}");
        }
        assert_eq!(one_fault("a:\n\t- b\n").0, "expected spaces, found a tab");
        // What was found before it is told too.
        assert_eq!(faults("a: !x 1\nb: [").len(), 2);
    }

    #[test]
    fn a_part_of_a_scalar_has_a_place_o20() {
        let text =
            "a: \"ui/{{page}}.lua\"\nb: ui/{{page}}.lua\nc: 'it''s {{x}}'\nd: \"\\t{{x}}\"\n";
        let root = sound(text);
        assert_eq!(
            cut(text, part_span(text, at(&root, "a"), 3, 11)),
            "{{page}}"
        );
        assert_eq!(
            cut(text, part_span(text, at(&root, "b"), 3, 11)),
            "{{page}}"
        );
        assert_eq!(
            cut(text, part_span(text, at(&root, "c"), 5, 10)),
            "'it''s {{x}}'"
        );
        assert_eq!(
            cut(text, part_span(text, at(&root, "d"), 1, 6)),
            "\"\\t{{x}}\""
        );
        assert_eq!(part_span(text, &root, 0, 1), root.span);
    }

    fn same(yaml: &Node<'_>, json: &Node<'_>) -> bool {
        yaml.span == json.span
            && match (&yaml.kind, &json.kind) {
                (Kind::Scalar { text: a, style: s }, Kind::Scalar { text: b, style: t }) => {
                    a == b && (*s == Style::Quoted) == (*t == Style::Quoted)
                }
                (Kind::List(a), Kind::List(b)) => {
                    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
                }
                (Kind::Map(a), Kind::Map(b)) => {
                    a.len() == b.len()
                        && a.iter().zip(b).all(|(a, b)| {
                            a.key == b.key && a.key_span == b.key_span && same(&a.value, &b.value)
                        })
                }
                _ => false,
            }
    }

    fn json_document() -> impl Strategy<Value = String> {
        let text = || "[ -~é日\u{1f600}\u{a0}-\u{ff}\n\t\"\\\\]{0,12}";
        let leaf = prop_oneof![
            Just(serde_json::Value::Null),
            any::<bool>().prop_map(serde_json::Value::from),
            any::<i64>().prop_map(serde_json::Value::from),
            any::<f64>().prop_map(serde_json::Value::from),
            text().prop_map(serde_json::Value::from),
        ];
        let value = leaf.prop_recursive(5, 40, 6, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(serde_json::Value::from),
                prop::collection::vec((text(), inner), 0..6).prop_map(|entries| {
                    serde_json::Value::Object(entries.into_iter().collect())
                }),
            ]
        });
        (value, any::<bool>()).prop_map(|(value, pretty)| {
            if pretty {
                serde_json::to_string_pretty(&value).unwrap()
            } else {
                value.to_string()
            }
        })
    }

    fn near_yaml() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            6 => prop::sample::select(vec![
                "a", "b", ": ", ":", "\n", "\n  ", "\n    ", "- ", "? ", "[", "]", "{", "}", ", ", "&x ", "*x", "*x ",
                "<<: ", "!t ", "!!str ", "!", "|\n", ">-\n", "\"", "'", "#", " # c\n", "---\n", "...\n", "%", "\t",
                "\r\n", "\u{feff}", "\0", "é", "\\", "~", "1", "k: v\n", "&x\n", "|2\n", "@", "\u{85}",
            ])
            .prop_map(str::to_owned),
            1 => "\\PC{0,3}",
        ];
        prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
    }

    fn check_spans(text: &str, node: &Node<'_>, outer: Option<Span>) -> Result<(), TestCaseError> {
        let span = node.span.start as usize..node.span.end as usize;
        prop_assert!(text.get(span).is_some(), "{:?}", node);
        if let Some(outer) = outer {
            prop_assert!(
                outer.start <= node.span.start && node.span.end <= outer.end,
                "{text:?} {node:?} {outer:?}"
            );
        }
        // What an alias stands for lies where it was defined.
        if outer.is_none() || !cut(text, node.span).starts_with('*') {
            for item in node.list().unwrap_or_default() {
                check_spans(text, item, Some(node.span))?;
            }
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn json_is_yaml(text in json_document()) {
            let json = json::parse(&text).map_err(|f| TestCaseError::fail(f.message))?;
            let yaml = parse(&text);
            prop_assert!(yaml.faults.is_empty(), "{:?}", yaml.faults);
            prop_assert!(same(&yaml.root.unwrap(), &json), "{}", text);
        }

        #[test]
        fn no_text_makes_it_panic_x37(text in near_yaml()) {
            let parsed = parse(&text);
            for fault in &parsed.faults {
                prop_assert!(text.get(fault.span.start as usize..fault.span.end as usize).is_some());
            }
            if let Some(root) = &parsed.root {
                check_spans(&text, root, None)?;
            }
        }

        #[test]
        fn no_characters_make_it_panic_x37(text in any::<String>()) {
            let _ = parse(&text);
        }
    }
}
