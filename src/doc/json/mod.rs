//! Reads JSON (RFC 8259) strictly, with the place of every value.
//!
//! `serde_json` keeps no places, lets the last of two equal keys win without a word and spells numbers anew; all
//! three matter here (J10, J11, M4). What a document means is decided elsewhere: this folder knows the grammar and
//! nothing more, and it changes no value.
//!
//! `reader` walks lists and objects, with `strings` and `numbers` for what their names say; `words` tells what was
//! expected and found instead. [`compact`] drops white space and nothing else.

mod compact;
mod numbers;
mod reader;
mod split;
mod strings;
#[cfg(test)]
mod tests;
mod words;

pub use compact::compact;
pub use split::{read_around, read_item};

use super::node::{Fault, Node};
use reader::Reader;

/// The byte order mark that some editors put before a file's text.
const BOM: &str = "\u{feff}";

/// The first JSON value of a text.
#[derive(Clone, Debug)]
pub struct Read<'a> {
    /// The value; of a key given twice the last value stands.
    pub root: Node<'a>,
    /// The byte offset behind the value.
    pub end: usize,
    /// One fault for each repetition of a key in one object, in the order of the text: the later key, and beside it
    /// the first. Only so many are kept as a reader can take in.
    pub repeats: Vec<Fault>,
}

/// Reads the one JSON value that `text` holds; a repeated key (D4) and anything behind the value (J10) are faults.
pub fn parse(text: &str) -> Result<Node<'_>, Fault> {
    let read = read(text)?;
    if let Some(fault) = read.repeats.into_iter().next() {
        return Err(fault);
    }
    nothing_after(text, read.end)?;
    Ok(read.root)
}

/// As [`parse`], but a repeated key is no fault and its last value stands: the reading of a marker (J10).
pub fn parse_lenient_keys(text: &str) -> Result<Node<'_>, Fault> {
    let read = read(text)?;
    nothing_after(text, read.end)?;
    Ok(read.root)
}

/// Reads the JSON value that `text` begins with, whatever follows it, and the byte offset behind it; a repeated key
/// is a fault.
pub fn parse_prefix(text: &str) -> Result<(Node<'_>, usize), Fault> {
    let read = read(text)?;
    match read.repeats.into_iter().next() {
        Some(fault) => Err(fault),
        None => Ok((read.root, read.end)),
    }
}

/// Reads the JSON value that `text` begins with, and says which keys are repeated, so that a caller can tell such a
/// fault from one of syntax and knows by its place which part of the document it belongs to (D4). A byte order mark
/// at the start is passed over. The error is the first fault of syntax.
pub fn read(text: &str) -> Result<Read<'_>, Fault> {
    let start = if text.starts_with(BOM) { BOM.len() } else { 0 };
    let mut reader = Reader::new(text, start);
    reader.skip_space();
    read_at(text, reader.at)
}

/// As [`read`], of the value that begins at a byte offset of a text; places are those in the whole text.
pub fn read_at(text: &str, at: usize) -> Result<Read<'_>, Fault> {
    first_value(Reader::new(text, at))
}

fn first_value<'a>(mut reader: Reader<'a, '_>) -> Result<Read<'a>, Fault> {
    let root = reader.value("a value")?;
    let mut repeats = reader.repeats;
    repeats.sort_by_key(|fault| fault.span);
    Ok(Read {
        root,
        end: reader.at,
        repeats,
    })
}

fn nothing_after(text: &str, end: usize) -> Result<(), Fault> {
    let reader = Reader::new(text, end);
    let rest = reader.rest();
    let left = rest.trim_start_matches([' ', '\t', '\n', '\r']);
    if left.is_empty() {
        return Ok(());
    }
    let at = text.len() - left.len();
    let (token, found) = reader.found(at);
    Err(Fault::new(
        token,
        format!("expected nothing after the JSON value, found {found}"),
    ))
}
