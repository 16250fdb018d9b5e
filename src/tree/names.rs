//! Names and paths: which paths the tree takes, which it keeps for itself, how they are shown.
//!
//! Pure text; nothing here looks at a disk.

use std::fmt;

use super::error::TreeError;

/// The folder in the output directory that holds the lock and the run log; no path of a run may lie in it.
pub(super) const OWN_FOLDER: &str = ".sedum";
/// The lock, in [`OWN_FOLDER`] (X34).
pub(super) const LOCK_FILE: &str = "lock";

/// The longest path and the longest name in it that common systems take, in bytes.
const PATH_LIMIT: usize = 4_095;
const NAME_LIMIT: usize = 255;

const TEMPORARY_START: &str = ".sedum-";
const TEMPORARY_END: &str = ".tmp";

/// The name of the `counter`th temporary file of the program with id `pid` (X31).
pub(super) fn temporary_name(pid: u32, counter: u64) -> String {
    format!("{TEMPORARY_START}{pid}-{counter}{TEMPORARY_END}")
}

/// Which program a temporary file belonged to; `None` when `name` is not one that the tree gives (X31).
pub(super) fn temporary_owner(name: &str) -> Option<u32> {
    let (pid, counter) = name
        .strip_prefix(TEMPORARY_START)?
        .strip_suffix(TEMPORARY_END)?
        .split_once('-')?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    (digits(pid) && digits(counter))
        .then(|| pid.parse().ok())
        .flatten()
}

/// Whether `name`, a name without folders, is one that only the tree's own temporary files have (X31).
pub fn is_temporary_name(name: &str) -> bool {
    temporary_owner(name).is_some()
}

/// Refuses a path that is not relative, clean and written with slashes (X32). What a link makes of it is not seen here.
pub(super) fn check(path: &str) -> Result<(), TreeError> {
    let bad = |why| {
        Err(TreeError::BadPath {
            path: path.to_owned(),
            why,
        })
    };
    if path.is_empty() {
        return bad("it is empty");
    }
    if path.starts_with('/') {
        return bad("it is absolute");
    }
    if path.chars().any(char::is_control) {
        return bad("it holds a control character");
    }
    if path.contains('\\') {
        return bad("it holds a backslash where only `/` separates folders");
    }
    if matches!(path.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic()) {
        return bad("it starts with a drive");
    }
    // Refused here, because what would lie in a folder that does not exist yet is not asked of the system before the commit,
    // and a dry run must find what a commit would (C22).
    if path.len() > PATH_LIMIT {
        return bad("it is longer than 4095 bytes");
    }
    for name in path.split('/') {
        match name {
            _ if name.len() > NAME_LIMIT => return bad("it has a component longer than 255 bytes"),
            ".." => return bad("`..` climbs out of a folder"),
            "" | "." => return bad("it has an empty or `.` component"),
            _ => {}
        }
    }
    Ok(())
}

/// Whether no path may lead to `name` in a folder, which is the output directory itself when `at_root`.
pub(super) fn is_reserved(name: &str, at_root: bool) -> bool {
    name.eq_ignore_ascii_case(".git")
        || (at_root && name.eq_ignore_ascii_case(OWN_FOLDER))
        || is_temporary_name(name)
}

/// `folder/name`, or `name` alone in the output directory itself.
pub(super) fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() {
        name.to_owned()
    } else {
        format!("{folder}/{name}")
    }
}

/// A path as messages show it: characters that steer a terminal or turn text around are escaped.
pub(super) struct Shown<'a>(pub &'a str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write;
        for c in self.0.chars() {
            let turns = matches!(c, '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
            if c.is_control() || turns {
                write!(f, "{}", c.escape_unicode())?;
            } else {
                f.write_char(c)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn x31_temporary_names_are_recognised_and_others_are_not() {
        assert_eq!(temporary_name(42, 7), ".sedum-42-7.tmp");
        for name in [
            ".sedum-42-.tmp",
            ".sedum--1.tmp",
            ".sedum-1-2.tmp.bak",
            ".sedum-1-2",
            ".sedum-x-2.tmp",
            "sedum-1-2.tmp",
            ".sedum",
            "a.sedum-1-2.tmp",
            ".sedum-1-2-3.tmp",
            ".sedum-99999999999-1.tmp",
        ] {
            assert!(!is_temporary_name(name), "{name}");
        }
    }

    proptest! {
        #[test]
        fn x31_every_name_given_is_recognised_with_its_owner(pid: u32, counter: u64) {
            prop_assert_eq!(temporary_owner(&temporary_name(pid, counter)), Some(pid));
        }
    }

    #[test]
    fn x32_paths_that_leave_or_are_not_clean_are_refused() {
        for path in [
            "", "/a", "..", "../a", "a/../b", "a/..", "./a", "a//b", "a/", "a\\b", "C:a", "c:/a",
            "a\0b", "a\nb",
        ] {
            assert!(check(path).is_err(), "{path:?}");
        }
        for path in ["a", "a/b.c", ".a", "..a", "a..", "ab:c", "1:b", "a b/ü"] {
            assert!(check(path).is_ok(), "{path:?}");
        }
    }

    #[test]
    fn c22_paths_too_long_for_a_commit_are_refused_at_once() {
        assert!(check(&"n".repeat(255)).is_ok());
        assert!(check(&"n".repeat(256)).is_err());
        assert!(check(&"n/".repeat(2_047)[..4_093]).is_ok());
        assert!(check(&format!("{}n", "n/".repeat(2_047))).is_ok());
        assert!(check(&format!("{}nn", "n/".repeat(2_047))).is_err());
    }

    #[test]
    fn control_and_direction_characters_are_escaped_when_shown() {
        assert_eq!(
            Shown("a\u{1b}[31m\u{202e}ü\n").to_string(),
            "a\\u{1b}[31m\\u{202e}ü\\u{a}"
        );
    }
}
