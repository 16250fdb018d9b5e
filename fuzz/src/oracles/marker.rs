//! Markers (section 19): what is written is read back, and lines and regions are what a naive reader sees.

use std::ops::Range;
use std::sync::OnceLock;

use regex::Regex;
use sedum::marker::{self, Comments, Element, Label, Line, Marker, Tier};
use sedum::value::{Number, Value};

use super::input;
use super::json::Json;

/// A comment prefix, a suffix, and a file in which they stand; the file's lines serve as a marker's texts, too.
pub fn check(data: &[u8]) {
    let Some(all) = input::text(data, 1 << 13) else {
        return;
    };
    let [prefix, suffix, text] = input::parts(&all);
    // What S13 and M5 refuse at load.
    let breaks = |text: &str| text.contains(['\n', '\r']);
    if prefix.trim().is_empty()
        || breaks(prefix)
        || breaks(suffix)
        || !Comments::suffix_is_breakable(prefix, suffix)
    {
        return;
    }
    let comments = Comments::new(prefix, Some(suffix));
    for line in text.lines() {
        agrees(&comments, line);
    }
    scanned(&comments, text);
    let lines: Vec<&str> = text.split('\n').collect();
    survives(&comments, made_of(&lines));
}

/// What a line is to a reader made of one regular expression (F21, M1, M10, M11, M17).
#[derive(Debug, PartialEq)]
pub enum Naive {
    Text,
    Anchor(String),
    Open(String, String),
    Close(String),
}

static SHAPE: OnceLock<Regex> = OnceLock::new();

/// The naive reader of a comment shape.
pub struct Reader {
    prefix: String,
    suffix: Option<String>,
    shape: &'static Regex,
}

impl Reader {
    pub fn new(comments: &Comments) -> Self {
        Self {
            prefix: comments.prefix().to_owned(),
            suffix: comments.suffix().map(str::to_owned),
            shape: SHAPE
                .get_or_init(|| Regex::new(r"^\s*(/?)sedum:(\S+)(?s:(.*))$").expect("it is one")),
        }
    }

    pub fn read(&self, line: &str) -> Naive {
        let mut trimmed = line.trim();
        if self.prefix.is_empty() || !trimmed.starts_with(&self.prefix) {
            return Naive::Text;
        }
        if let Some(suffix) = &self.suffix
            && trimmed.ends_with(suffix.as_str())
        {
            trimmed = &trimmed[..trimmed.len() - suffix.len()];
        }
        let Some(inner) = trimmed.strip_prefix(&self.prefix) else {
            return Naive::Text;
        };
        let Some(found) = self.shape.captures(inner) else {
            return Naive::Text;
        };
        let (word, rest) = (&found[2], found[3].trim());
        let closes = !found[1].is_empty();
        if let Some(name) = word.strip_prefix("anchor:")
            && !closes
        {
            let sound = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
            let is_anchor = rest.is_empty() && !name.is_empty() && name.chars().all(sound);
            return if is_anchor {
                Naive::Anchor(name.to_owned())
            } else {
                Naive::Text
            };
        }
        let action = word.split(':').next().unwrap_or_default();
        if action.is_empty() || action == "anchor" {
            return Naive::Text;
        }
        // `add:` is `add`: an empty variant is none.
        let label = if word.len() == action.len() + 1 {
            action
        } else {
            word
        };
        if closes {
            Naive::Close(label.to_owned())
        } else {
            Naive::Open(label.to_owned(), rest.to_owned())
        }
    }
}

fn agrees(comments: &Comments, line: &str) {
    let found = match comments.read(line) {
        Line::Text => Naive::Text,
        Line::Anchor(name) => Naive::Anchor(name.to_owned()),
        Line::Open(open) => Naive::Open(open.label.to_string(), open.attributes.to_owned()),
        Line::Close(label) => Naive::Close(label.to_string()),
    };
    assert_eq!(found, Reader::new(comments).read(line), "{line:?}");
    match comments.read(line) {
        Line::Open(open) => {
            // M20: what an unmodelled value says is nobody's business, so long as it is JSON by grammar.
            let sound = open.attributes.is_empty() || Json::keys(open.attributes).is_some();
            match open.parse() {
                Ok(marker) => {
                    assert!(sound, "{line:?}");
                    survives(comments, marker);
                }
                Err(fault) => {
                    assert!(!fault.to_string().is_empty());
                    assert!(
                        !sound
                            || line.contains("tier")
                            || line.contains("record")
                            || line.contains("writer")
                            || line.contains("kwargs")
                            || line.contains("\\u"),
                        "{line:?}: {fault}"
                    );
                }
            }
        }
        Line::Anchor(name) => {
            let line = comments.anchor_line("", name);
            if label_free_of_suffix(comments, &format!(" sedum:anchor:{name}")) {
                assert_eq!(comments.read(&line), Line::Anchor(name), "{line:?}");
            }
        }
        _ => {}
    }
}

/// Whether a line of this text ends where its suffix ends.
fn label_free_of_suffix(comments: &Comments, text: &str) -> bool {
    let Some(suffix) = comments.suffix() else {
        return true;
    };
    let whole = format!("{text} {suffix}");
    whole.find(suffix) == Some(whole.len() - suffix.len())
}

/// M3-M6, M10: a marker that is written is read back, writing it again gives the same, and its suffix only ends it.
fn survives(comments: &Comments, mut marker: Marker) {
    if !comments.label_fits(&marker.label) || marker.label.to_string().contains(char::is_control) {
        return;
    }
    let line = comments.open_line("\t ", &marker);
    assert!(!line.contains('\n') && !line.contains('\r'), "{line:?}");
    let Line::Open(open) = comments.read(&line) else {
        panic!("no opening line: {line:?}")
    };
    let back = open
        .parse()
        .unwrap_or_else(|fault| panic!("{line:?}: {fault}"));
    assert_eq!(back, marker, "{line:?}");
    for (name, value) in &marker.kwargs {
        assert_eq!(
            back.kwargs.get(name).map(Value::to_json),
            Some(value.to_json()),
            "J11: digits in {line:?}"
        );
    }
    assert_eq!(comments.open_line("\t ", &back), line);
    let names = Json::keys(open.attributes).expect("attributes are a JSON object");
    assert_eq!(
        names.first().map(String::as_str),
        Some("tier"),
        "M3: {line:?}"
    );
    let close = comments.close_line("\t ", &marker.label);
    assert_eq!(
        comments.read(&close),
        Line::Close(marker.label.as_ref()),
        "{close:?}"
    );
    if let Some(suffix) = comments.suffix() {
        // M5: unmodelled values stay as they are, so they alone may hold the suffix.
        marker.carried.clear();
        for line in [
            comments.open_line("", &marker),
            close.trim_start().to_owned(),
        ] {
            let body = line
                .strip_prefix(comments.prefix())
                .expect("a line has its prefix");
            assert_eq!(
                body.find(suffix),
                Some(body.len() - suffix.len()),
                "{line:?}"
            );
        }
    }
}

/// A marker whose texts are these lines.
fn made_of(lines: &[&str]) -> Marker {
    let mut lines = lines.iter().map(|line| line.replace('\u{21b5}', "\n"));
    let mut next = || lines.next().unwrap_or_default();
    let word = next();
    let word: String = word
        .chars()
        .filter(|c| !c.is_whitespace() && !c.is_control())
        .collect();
    let label = match word.split_once(':') {
        Some(("" | "anchor", _)) => Label::new("add", Some(&word)),
        Some((action, variant)) => Label::new(action, Some(variant)),
        None if word.is_empty() || word == "anchor" => Label::new("add", None),
        None => Label::new(word.as_str(), None),
    };
    let mut marker = Marker::new(label);
    marker.tier = Tier::parse(&next());
    marker.record = Some(next()).filter(|text| !text.is_empty());
    marker.writer = Some(next()).filter(|text| !text.is_empty());
    for at in 0..6 {
        let (name, text) = (next(), next());
        let value = match (at, Number::parse(&text)) {
            (0 | 1, Some(number)) => Value::Number(number),
            (2, _) => Value::List(vec![Value::Text(text), Value::Bool(true), Value::Null]),
            (3, _) => Value::Object(vec![(text, Value::Text(name.clone()))]),
            _ => Value::Text(text),
        };
        if at < 5 {
            marker.kwargs.insert(name, value);
        } else if !["tier", "record", "writer", "kwargs"].contains(&name.as_str()) {
            marker.carried.push((name, value.to_json()));
        }
    }
    marker
}

/// The regions of a text as byte ranges behind its byte-order mark; `None` when the text is corrupt (M15, M16).
pub fn regions(comments: &Comments, text: &str) -> Option<Vec<Range<usize>>> {
    let reader = Reader::new(comments);
    let mut found = Vec::new();
    let mut open: Option<(String, usize)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let bare = line
            .strip_suffix("\r\n")
            .or(line.strip_suffix('\n'))
            .unwrap_or(line);
        match (reader.read(bare), open.take()) {
            (Naive::Open(label, attributes), None) => {
                let Line::Open(line) = comments.read(bare) else {
                    panic!("{bare:?}")
                };
                assert_eq!(line.attributes, attributes);
                line.parse().ok()?;
                open = Some((label, start));
            }
            (Naive::Close(label), Some((opened, from))) => {
                if label != opened {
                    return None;
                }
                found.push(from..at);
            }
            // The closing line of the first is gone (M15).
            (Naive::Open(label, _), Some((opened, _))) if label == opened => return None,
            (_, still) => open = still,
        }
    }
    open.is_none().then_some(found)
}

/// C4, M15, M16: the elements one after another are the text, and the regions are those of the naive reader.
fn scanned(comments: &Comments, text: &str) {
    let bare = text.strip_prefix('\u{feff}').unwrap_or(text);
    let wanted = regions(comments, bare);
    let Ok(scan) = marker::scan(comments, text) else {
        assert_eq!(wanted, None, "{text:?}");
        return;
    };
    let mut found = Vec::new();
    let mut at = 0;
    for element in &scan.elements {
        let piece = match element {
            Element::Line(line) => format!("{}{}", line.text, line.ending),
            Element::Region(region) => {
                found.push(at..at + region.text.len());
                survives(comments, region.marker.clone());
                region.text.to_owned()
            }
        };
        assert_eq!(bare.get(at..at + piece.len()), Some(piece.as_str()));
        at += piece.len();
    }
    assert_eq!(at, bare.len());
    if !found.is_empty() {
        super::reach();
    }
    assert_eq!(Some(found), wanted, "{text:?}");
}
