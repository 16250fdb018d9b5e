//! The two parameters that some servers refuse, and whether a refusal is about them (K32).
//!
//! Decides only whether the server calls `max_tokens` or `temperature` unsupported. A cap that is merely too large is
//! no such refusal: asking in another form would not help, and dropping the temperature unasked breaks K30.

use std::sync::atomic::{AtomicBool, Ordering};

/// A set of the adaptable parameters: those a request is sent with, or those a server refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Form {
    /// The cap is called `max_tokens` (else `max_completion_tokens`).
    pub(super) max_tokens: bool,
    /// Temperature 0 is there.
    pub(super) temperature: bool,
}

impl Form {
    /// Neither parameter.
    pub(super) const NONE: Self = Self {
        max_tokens: false,
        temperature: false,
    };

    /// What of this set is in `sent` too: a server can only refuse what it was sent.
    pub(super) fn within(self, sent: Self) -> Self {
        Self {
            max_tokens: self.max_tokens && sent.max_tokens,
            temperature: self.temperature && sent.temperature,
        }
    }

    /// How the next request differs when the server refuses this set.
    pub(super) fn change(self) -> &'static str {
        match (self.max_tokens, self.temperature) {
            (true, true) => {
                "from now on with max_completion_tokens for max_tokens and without temperature"
            }
            (true, false) => "from now on with max_completion_tokens for max_tokens",
            (false, _) => "from now on without temperature",
        }
    }
}

/// What the server of a run has been found to refuse; it only ever grows.
#[derive(Debug, Default)]
pub(super) struct Forms {
    max_tokens_refused: AtomicBool,
    temperature_refused: AtomicBool,
}

impl Forms {
    /// The form to send now.
    pub(super) fn current(&self) -> Form {
        Form {
            max_tokens: !self.max_tokens_refused.load(Ordering::Relaxed),
            temperature: !self.temperature_refused.load(Ordering::Relaxed),
        }
    }

    /// Remembers that the server refuses `unsupported`.
    pub(super) fn adapt(&self, unsupported: Form) {
        if unsupported.max_tokens {
            self.max_tokens_refused.store(true, Ordering::Relaxed);
        }
        if unsupported.temperature {
            self.temperature_refused.store(true, Ordering::Relaxed);
        }
    }
}

/// Words by which servers say that they do not take a parameter at all, or not with this value.
const REFUSING: [&str; 15] = [
    "deprecated",
    "forbidden",
    "n't support",
    "no longer",
    "not accepted",
    "not allowed",
    "not available",
    "not permitted",
    "not recognized",
    "not support",
    "only the default",
    "unexpected",
    "unknown",
    "unrecognized",
    "unsupported",
];

/// Words by which servers say that a parameter is fine and its value is not.
const TOO_MUCH: [&str; 4] = ["exceed", "too high", "too large", "too long"];

/// Which parameters a refusal calls unsupported, from its message and, where the server gives them, the parameter and
/// code of its error object.
pub(super) fn unsupported(message: &str, param: Option<&str>, code: Option<&str>) -> Form {
    let message = message.to_lowercase();
    let coded = code.is_some_and(|c| c.starts_with("unsupported") || c.starts_with("unknown"));
    let is_refused = |name: &str, instead: Option<&str>| {
        if param == Some(name) && coded {
            return true;
        }
        // A server that says which parameter it means is believed, whatever else its message mentions.
        if param.is_some_and(|p| p != name && coded) {
            return false;
        }
        sentences(&message).any(|sentence| {
            names(sentence, name)
                && REFUSING.iter().any(|word| sentence.contains(word))
                && !TOO_MUCH.iter().any(|word| sentence.contains(word))
        }) || instead.is_some_and(|other| {
            names(&message, name) && sentences(&message).any(|s| names(s, "use") && names(s, other))
        })
    };
    Form {
        max_tokens: is_refused("max_tokens", Some("max_completion_tokens")),
        temperature: is_refused("temperature", None),
    }
}

/// The sentences of a message; a full stop inside a word, as in a model's name, ends none.
fn sentences(message: &str) -> impl Iterator<Item = &str> {
    message.split(". ").flat_map(|part| part.split("; "))
}

/// Whether `text` has `name` as a word of its own.
fn names(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, found)| {
        let before = text.get(..at).and_then(|t| t.chars().next_back());
        let after = text.get(at + found.len()..).and_then(|t| t.chars().next());
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CAP: Form = Form {
        max_tokens: true,
        temperature: false,
    };
    const HEAT: Form = Form {
        max_tokens: false,
        temperature: true,
    };
    const BOTH: Form = Form {
        max_tokens: true,
        temperature: true,
    };

    #[test]
    fn k32_unsupported_parameters_are_told_from_other_faults() {
        for (message, want) in [
            (
                "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
                CAP,
            ),
            (
                "Please use max_completion_tokens; max_tokens was given",
                CAP,
            ),
            ("max_tokens: Extra inputs are not permitted", CAP),
            (
                "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
                HEAT,
            ),
            ("`temperature` is deprecated for this model", HEAT),
            ("model m-5.1 doesn't support temperature", HEAT),
            ("Unsupported parameters: temperature, max_tokens", BOTH),
            ("unknown field max_tokens; temperature is fine", CAP),
            (
                "max_tokens is too large: 16384. This model supports at most 4096 completion tokens",
                Form::NONE,
            ),
            (
                "'max_tokens' or 'max_completion_tokens' is too large: 16384",
                Form::NONE,
            ),
            (
                "max_tokens exceeds what is allowed, unknown model limit",
                Form::NONE,
            ),
            ("unknown field my_max_tokens", Form::NONE),
            ("this build cannot constrain json_schema", Form::NONE),
            ("", Form::NONE),
        ] {
            assert_eq!(unsupported(message, None, None), want, "{message}");
        }
    }

    #[test]
    fn k32_the_error_objects_parameter_and_code_are_believed() {
        let code = Some("unsupported_parameter");
        assert_eq!(unsupported("no", Some("max_tokens"), code), CAP);
        assert_eq!(
            unsupported("no", Some("temperature"), Some("unsupported_value")),
            HEAT
        );
        assert_eq!(
            unsupported("no", Some("max_tokens"), Some("integer_above_max_value")),
            Form::NONE
        );
        let mentions = "unsupported: response_format (sent beside temperature, max_tokens)";
        assert_eq!(
            unsupported(mentions, Some("response_format"), code),
            Form::NONE
        );
    }

    #[test]
    fn k32_only_what_was_sent_can_be_refused_and_it_is_remembered() {
        let forms = Forms::default();
        assert_eq!(forms.current(), BOTH);
        forms.adapt(CAP);
        assert_eq!(forms.current(), HEAT);
        assert_eq!(BOTH.within(forms.current()), HEAT);
        forms.adapt(HEAT);
        assert_eq!(BOTH.within(forms.current()), Form::NONE);
    }
}
