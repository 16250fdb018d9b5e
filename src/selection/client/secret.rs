//! What must never be shown: the key and an address's credentials.
//!
//! Decides how received text is made fit to be told: secrets out, then cut, then escaped, in this order, so that no
//! cut leaves half a key standing. It must not print, and has no `Display` that could.

use std::fmt;

use super::settings::Endpoint;
use crate::diag;

/// What stands in a message where a secret was.
const REDACTED: &str = "[hidden]";
/// A shorter key is a placeholder (`x`, `-`) that would be found in every other word.
const SHORTEST: usize = 4;
/// From this length on a key is taken for a real one when an answer holds it: local servers are commonly given
/// `ollama` or `lm-studio`, which a record may well speak of.
const SURELY_SECRET: usize = 16;

/// An API key; its debug text does not hold it.
#[derive(Clone, Default)]
pub(super) struct Key(String);

impl Key {
    /// Takes a key that has been checked to be visible ASCII, or empty.
    pub(super) fn new(key: &str) -> Self {
        Self(key.to_owned())
    }

    /// The key itself, for the header and for the search; empty when there is none.
    pub(super) fn exposed(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_empty() { "none" } else { REDACTED })
    }
}

/// Every spelling of every secret of a run, longest first.
#[derive(Clone, Default)]
pub(super) struct Secrets {
    spellings: Vec<String>,
    key: String,
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(REDACTED)
    }
}

impl Secrets {
    /// The secrets of a run: its key, and the password of its address, plain and as written in the address.
    pub(super) fn new(key: &Key, endpoint: &Endpoint) -> Self {
        let mut secrets = Self {
            key: key.exposed().to_owned(),
            ..Self::default()
        };
        secrets.add(key.exposed());
        if let Some((_, password)) = endpoint.credentials() {
            secrets.add(password);
        }
        if let Some(password) = endpoint.written_password() {
            secrets.add(password);
        }
        secrets
    }

    /// Adds a secret, as it is and as JSON and addresses spell it.
    pub(super) fn add(&mut self, secret: &str) {
        if secret.len() < SHORTEST {
            return;
        }
        let json = serde_json::to_string(secret).unwrap_or_default();
        let json = json.trim_matches('"');
        for spelling in [
            secret.to_owned(),
            json.to_owned(),
            json.replace('/', "\\/"),
            percent_encoded(secret),
        ] {
            if spelling.len() >= SHORTEST && !self.spellings.contains(&spelling) {
                self.spellings.push(spelling);
            }
        }
        self.spellings.sort_by_key(|s| std::cmp::Reverse(s.len()));
    }

    /// Received text made fit for a message or the log: secrets taken out, blanks run together, cut at `limit`
    /// characters, control characters escaped (K32, O28).
    pub(super) fn told(&self, text: &str, limit: usize) -> String {
        let mut text = text.to_owned();
        for spelling in &self.spellings {
            if text.contains(spelling.as_str()) {
                text = text.replace(spelling.as_str(), REDACTED);
            }
        }
        let mut line = String::new();
        for word in text.split_whitespace() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        let Some((cut, _)) = line.char_indices().nth(limit) else {
            return diag::shown(&line);
        };
        format!("{}...", diag::shown(line.get(..cut).unwrap_or_default()))
    }

    /// Whether an answer holds the key, so that logging or recording it would give the key away (G4).
    pub(super) fn is_betrayed_by(&self, answer: &str) -> bool {
        self.key.len() >= SURELY_SECRET && answer.contains(self.key.as_str())
    }
}

/// Text as a query string spells it.
fn percent_encoded(text: &str) -> String {
    use std::fmt::Write as _;
    let mut out = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secrets(secret: &str) -> Secrets {
        let mut secrets = Secrets {
            key: secret.to_owned(),
            ..Secrets::default()
        };
        secrets.add(secret);
        secrets
    }

    #[test]
    fn k32_a_secret_is_taken_out_before_the_cut() {
        let text = format!("{} sk-abcdef", "x".repeat(9));
        assert_eq!(secrets("sk-abcdef").told(&text, 13), "xxxxxxxxx [hi...");
        assert_eq!(
            secrets("sk-abcdef").told("no key sk-abcdef here", 500),
            "no key [hidden] here"
        );
    }

    #[test]
    fn k32_a_secret_is_found_as_json_and_addresses_spell_it() {
        let secrets = secrets("a/b\"c+d");
        for text in ["a/b\"c+d", "a/b\\\"c+d", "a\\/b\\\"c+d", "a%2Fb%22c%2Bd"] {
            assert_eq!(secrets.told(text, 500), REDACTED, "{text}");
        }
    }

    #[test]
    fn o28_what_is_told_drives_no_terminal_and_is_one_line() {
        let none = Secrets::default();
        assert_eq!(none.told("a\n\n b\u{1b}[2J", 500), "a b\\u{1b}[2J");
        assert_eq!(none.told(&"é".repeat(501), 500).chars().count(), 503);
        assert_eq!(none.told(&"é".repeat(500), 500).chars().count(), 500);
    }

    #[test]
    fn g4_only_what_is_surely_a_key_betrays() {
        assert!(secrets("sk-0123456789abcdef").is_betrayed_by("x sk-0123456789abcdef y"));
        assert!(!secrets("ollama").is_betrayed_by("uses ollama"));
        assert!(!secrets("").is_betrayed_by("anything"));
    }
}
