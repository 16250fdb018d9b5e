//! Digests: SHA-256 of texts and of sets of named texts. What is digested is for the caller to say.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

/// How many digits a short digest has (H60).
const SHORT: usize = 12;

/// The whole digest of a text, in hexadecimal.
pub fn whole(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes()))
}

/// The first 12 digits.
pub fn short(text: &str) -> String {
    whole(text).chars().take(SHORT).collect()
}

/// A short digest of named texts: name, length and content of each, in the order of the names, so that no two sets have
/// one spelling.
pub fn of_set(texts: &BTreeMap<String, String>) -> String {
    let mut hash = Sha256::new();
    for (name, text) in texts {
        for part in [name, text] {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part.as_bytes());
        }
    }
    hex(&hash.finalize()).chars().take(SHORT).collect()
}

fn hex(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        let _ = write!(out, "{byte:02x}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The one-block example of FIPS 180-2.
    #[test]
    fn the_digest_is_sha256() {
        assert_eq!(
            whole("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        assert_eq!(short("abc"), "ba7816bf8f01");
    }

    #[test]
    fn h60_what_belongs_to_which_name_counts() {
        let set = |pairs: &[(&str, &str)]| {
            let owned = pairs
                .iter()
                .map(|(a, b)| ((*a).to_owned(), (*b).to_owned()));
            of_set(&owned.collect())
        };
        assert_ne!(set(&[("a", "bc")]), set(&[("ab", "c")]));
        assert_ne!(set(&[("a", "")]), set(&[]));
        assert_eq!(
            set(&[("a", "1"), ("b", "2")]),
            set(&[("b", "2"), ("a", "1")])
        );
    }
}
