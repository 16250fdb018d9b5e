//! The rules for a path itself: its cleaned form, what makes it unsafe on some system, and when two are one file.
//!
//! All of it is lexical. It must not look at a file system: links, special files and what exists already are the
//! output tree's affair. A path here is slash-separated text, relative to the output directory.

mod spelling;

use std::borrow::Cow;

pub use spelling::{are_plain, conflicts, fold};

/// The shortest path that means the same (R10): no empty and no `.` component, `..` resolved where a folder precedes it.
///
/// `./x//k.rb` gives `x/k.rb`, `a/../x` gives `x`. A leading `/` stays, a leading `..` stays in a relative path and goes
/// in an absolute one, and nothing at all gives `.`.
pub fn clean(path: &str) -> String {
    let absolute = path.starts_with('/');
    let mut kept: Vec<&str> = Vec::new();
    for component in path.split('/') {
        match component {
            "" | "." => {}
            ".." if kept.last().is_some_and(|last| *last != "..") => {
                kept.pop();
            }
            ".." if absolute => {}
            _ => kept.push(component),
        }
    }
    let joined = kept.join("/");
    match (absolute, joined.is_empty()) {
        (true, _) => format!("/{joined}"),
        (false, true) => ".".to_owned(),
        (false, false) => joined,
    }
}

/// The path cleaned and without a leading `/`: the form in which paths and patterns are compared (F8, Q6).
pub(super) fn comparable(path: &str) -> Cow<'_, str> {
    let is_clean = !path.is_empty()
        && path
            .split('/')
            .all(|component| !matches!(component, "" | "." | ".."));
    if is_clean {
        return Cow::Borrowed(path);
    }
    let cleaned = clean(path);
    match cleaned.strip_prefix('/') {
        Some(relative) => Cow::Owned(relative.to_owned()),
        None if cleaned == "." => Cow::Borrowed(""),
        None => Cow::Owned(cleaned),
    }
}

/// The folders a path lies in, outermost first, and then the path itself; not the empty path.
pub(super) fn prefixes(path: &str) -> impl DoubleEndedIterator<Item = &str> {
    let folders = path.match_indices('/').map(|(at, _)| &path[..at]);
    folders.chain([path])
}

/// Why a path cannot be one that Sedum writes (R9, R9a). The text says what is wrong and what to do; it does not hold
/// the path, which the caller names.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PathFault {
    /// Nothing, or white space only.
    #[error("the path is empty: name a file inside the output directory")]
    Empty,
    /// It starts with `/`.
    #[error("the path is absolute: write it relative to the output directory")]
    Absolute,
    /// It climbs out of the output directory by `..`.
    #[error("the path leaves the output directory by `..`: name a file inside it")]
    Escapes,
    /// It holds a NUL or another control character.
    #[error("the path holds a control character: take it out")]
    Control,
    /// It holds a backslash.
    #[error("the path holds a backslash: write `/` between folders")]
    Backslash,
    /// It starts with a Windows drive (`c:`) or a network share (`//server/share`).
    #[error(
        "the path starts with a drive or a network share: write it relative to the output directory"
    )]
    Drive,
    /// A component is `.git`, in any letter case.
    #[error("the path leads into a `.git` folder, which belongs to git: name a file elsewhere")]
    GitComponent,
    /// This component is a device on Windows, with or without an extension.
    #[error("{0:?} is a device name on Windows: rename it")]
    DeviceName(String),
    /// This component ends in a dot or a space, which Windows drops.
    #[error("{0:?} ends in a dot or a space, which Windows drops: rename it")]
    TrailingDotOrSpace(String),
    /// It names a folder: a trailing `/`, or the output directory itself.
    #[error("the path names a folder: name a file")]
    Folder,
}

/// Holds a literal, recorded or rendered path to R9 and R9a, and gives its cleaned form (R10, Y8).
///
/// The first fault in the order of reading is the error; a path can have several.
pub fn check(path: &str) -> Result<String, PathFault> {
    check_text(path)?;
    if path.contains('\\') {
        return Err(PathFault::Backslash);
    }
    let cleaned = check_place(path)?;
    if path.ends_with('/') || cleaned == "." {
        return Err(PathFault::Folder);
    }
    check_components(&cleaned)?;
    Ok(cleaned)
}

/// Holds an `affected_scope` entry that is a pattern to R9 and R9a, as far as every path it authorises would be at
/// fault. Whether the pattern is readable (R11) is for [`super::scope::Entry::parse`] to say.
///
/// A backslash is the folder separator of another system more often than the escape of Q1, so it is an error, unless it
/// stands before `[` or `]` (`app/\[id\].ts` has no other spelling) or escapes one of `^ - [ ]` within a class.
pub fn check_scope_pattern(entry: &str) -> Result<(), PathFault> {
    check_text(entry)?;
    if has_foreign_backslash(entry) {
        return Err(PathFault::Backslash);
    }
    check_components(&check_place(entry)?)
}

/// The faults of a path as mere text.
fn check_text(path: &str) -> Result<(), PathFault> {
    if path.trim().is_empty() {
        return Err(PathFault::Empty);
    }
    if path.chars().any(char::is_control) {
        return Err(PathFault::Control);
    }
    let mut start = path.chars();
    let is_share = |c: Option<char>| matches!(c, Some('/' | '\\'));
    if starts_with_drive(path) || (is_share(start.next()) && is_share(start.next())) {
        return Err(PathFault::Drive);
    }
    Ok(())
}

/// The cleaned path, when it stays below the output directory.
fn check_place(path: &str) -> Result<String, PathFault> {
    if path.starts_with('/') {
        return Err(PathFault::Absolute);
    }
    let cleaned = clean(path);
    if cleaned == ".." || cleaned.starts_with("../") {
        return Err(PathFault::Escapes);
    }
    // `./c:/x` is a drive only once it is cleaned.
    if starts_with_drive(&cleaned) {
        return Err(PathFault::Drive);
    }
    Ok(cleaned)
}

fn check_components(cleaned: &str) -> Result<(), PathFault> {
    for component in cleaned.split('/').filter(|component| *component != ".") {
        if component.eq_ignore_ascii_case(".git") {
            return Err(PathFault::GitComponent);
        }
        if is_device(component) {
            return Err(PathFault::DeviceName(component.to_owned()));
        }
        if component.ends_with(['.', ' ']) {
            return Err(PathFault::TrailingDotOrSpace(component.to_owned()));
        }
    }
    Ok(())
}

fn starts_with_drive(path: &str) -> bool {
    matches!(path.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic())
}

/// Whether Windows takes the component for a device: what counts is the text before the first dot, blanks dropped.
fn is_device(component: &str) -> bool {
    let stem = component
        .split(['.', ':'])
        .next()
        .unwrap_or_default()
        .trim_end_matches(' ');
    let is = |name: &&str| stem.eq_ignore_ascii_case(name);
    if ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"]
        .iter()
        .any(is)
    {
        return true;
    }
    let is_port = |name: &str| name.eq_ignore_ascii_case("COM") || name.eq_ignore_ascii_case("LPT");
    let port = stem.split_at_checked(3).filter(|(name, _)| is_port(name));
    let mut digits = port.map(|(_, number)| number).unwrap_or_default().chars();
    matches!(digits.next(), Some('1'..='9' | '¹' | '²' | '³')) && digits.next().is_none()
}

fn has_foreign_backslash(entry: &str) -> bool {
    let mut in_class = false;
    let mut chars = entry.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('[' | ']') => {}
                Some('^' | '-') if in_class => {}
                _ => return true,
            },
            '[' => in_class = true,
            ']' | '/' => in_class = false,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests;
