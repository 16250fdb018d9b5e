//! When two spellings of a path are one file (R9a).
//!
//! It decides by letter case and Unicode normal form only; what a link leads to is the output tree's affair. A table of
//! lower-case letters would not do: file systems fold, and fold by the same table as a case-insensitive expression.

use foldhash::{HashMap, HashMapExt as _, HashSet, HashSetExt as _};
use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::canonical_combining_class;

/// The key under which two paths are one file on some file system: canonical decomposition and simple case folding
/// (R9a). It is for comparing only, never for showing or opening.
pub fn fold(path: &str) -> String {
    if path.is_ascii() {
        return path.to_ascii_lowercase();
    }
    path.nfd().map(fold_char).collect()
}

/// Whether a path is its own [`fold`] beyond doubt. Of such paths no two collide unless they are equal.
fn is_folded(path: &str) -> bool {
    path.bytes()
        .all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase())
}

/// Whether no two of these paths can be one file on some file system unless they are equal (R9a), as far as that is told
/// without comparing them.
pub fn are_plain<'p>(mut paths: impl Iterator<Item = &'p str>) -> bool {
    paths.all(is_folded)
}

/// One name for all characters that differ by case only: the first of them in Unicode's simple case folding that is no
/// combining mark, since one in a letter's place would change places with the marks behind it.
///
/// Lower-casing would keep `ς` apart from `σ` and `ſ` from `s`, which file systems do not.
fn fold_char(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    let mut same = ClassUnicode::new([ClassUnicodeRange::new(c, c)]);
    if same.try_case_fold_simple().is_err() {
        return c;
    }
    same.iter()
        .map(ClassUnicodeRange::start)
        .find(|first| canonical_combining_class(*first) == 0)
        .map_or(c, |first| first.to_ascii_lowercase())
}

/// What was seen under one folded prefix.
struct Seen<'p> {
    /// The first path that has the prefix, and how it spells the prefix's last component.
    first: &'p str,
    spelling: &'p str,
    /// Further spellings, each reported once.
    others: HashSet<&'p str>,
    /// The first path that is the prefix, whole.
    whole: Option<&'p str>,
}

/// The pairs of cleaned paths of one run that are one file on some file system (R9a): equal by [`fold`] and different
/// as text, or one's folder another spelling of the other's folder (or of the other itself).
///
/// Pairs come in the order of the paths, the earlier path first. A path is paired with the first one it collides with;
/// two spellings of a folder are reported once, not for every file below it. The cost is linear in the text.
pub fn conflicts<'p>(paths: impl Iterator<Item = &'p str>) -> Vec<(String, String)> {
    let mut seen: HashMap<String, Seen<'p>> = HashMap::new();
    let mut reported: HashSet<(&str, &str)> = HashSet::new();
    let mut pairs = Vec::new();
    let mut before = "";
    for path in paths {
        let folded = fold(path);
        let mut end = 0;
        let mut components = path.split('/').peekable();
        // The folders that it has in common with the path before it, letter by letter, were entered with that.
        let parent = path.rfind('/').map_or("", |end| &path[..=end]);
        let is_in_step = folded.rfind('/').map_or(0, |end| end + 1) == parent.len();
        if is_in_step && before.starts_with(parent) {
            end = parent.len();
            components = path[end..].split('/').peekable();
        }
        before = path;
        while let Some(component) = components.next() {
            // Folding neither adds nor removes a `/`, so the two paths have their components in step.
            end = folded[end..].find('/').map_or(folded.len(), |at| end + at);
            let is_whole = components.peek().is_none();
            for earlier in collisions(&mut seen, &folded[..end], path, component, is_whole) {
                if reported.insert((earlier, path)) {
                    pairs.push((earlier.to_owned(), path.to_owned()));
                }
            }
            end += 1;
        }
    }
    pairs
}

/// Enters one prefix of `path` and gives the earlier paths that this prefix makes it collide with.
fn collisions<'p>(
    seen: &mut HashMap<String, Seen<'p>>,
    prefix: &str,
    path: &'p str,
    component: &'p str,
    is_whole: bool,
) -> impl Iterator<Item = &'p str> + use<'p> {
    let (mut by_spelling, mut by_path) = (None, None);
    if let Some(known) = seen.get_mut(prefix) {
        if known.spelling != component && known.others.insert(component) {
            by_spelling = Some(known.first);
        }
        if is_whole {
            by_path = known.whole.filter(|whole| *whole != path);
            known.whole.get_or_insert(path);
        }
    } else {
        let entry = Seen {
            first: path,
            spelling: component,
            others: HashSet::new(),
            whole: is_whole.then_some(path),
        };
        seen.insert(prefix.to_owned(), entry);
    }
    by_spelling.into_iter().chain(by_path)
}
