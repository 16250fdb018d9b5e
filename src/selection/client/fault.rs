//! How a failed call is told: what was asked, what happened, what to do about it (K32, N24, U3).
//!
//! Decides the words only. What is retried is decided elsewhere, and every text of the server that comes in here goes
//! through the one function that takes secrets out of it.

use std::fmt;
use std::time::Duration;

use reqwest::StatusCode;
use thiserror::Error;

use super::secret::Secrets;
use super::wire::{self, ServerMessage, Unreadable};

/// The longest quotation of a server's message, in characters (K32).
const MESSAGE_SHOWN: usize = 500;
/// The longest quotation of a body that is no completion, in characters.
const BODY_SHOWN: usize = 200;
/// How much of a body is looked at for a quotation, in bytes.
const BODY_SEEN: usize = 64 * 1024;

/// What was asked: the place and how often. Displayed as the beginning of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The address, without credentials.
    pub endpoint: String,
    /// Requests sent for this call, at least 1.
    pub attempts: u32,
}

impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "model server {}", self.endpoint)?;
        if self.attempts > 1 {
            write!(f, " ({} attempts)", self.attempts)?;
        }
        Ok(())
    }
}

/// A call that brought no answer. It ends the run with exit status 3 (U3); its text is the whole message.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ModelFault {
    /// The client could not be made, or a request not be written.
    #[error(
        "the client for model server {endpoint} cannot be set up: {cause}; a server that is asked over https needs the system's \
         CA certificates: install them, or name a file of them in SSL_CERT_FILE"
    )]
    Setup {
        /// The address, without credentials.
        endpoint: String,
        /// What failed.
        cause: String,
    },
    /// No connection came about.
    #[error(
        "{asked} cannot be reached: {cause}; is a server running there? check OPENAI_BASE_URL, the network and any proxy"
    )]
    Unreachable {
        /// What was asked.
        asked: Asked,
        /// The cause, as the system names it.
        cause: String,
    },
    /// The connection broke before the answer was whole, or what came was no HTTP.
    #[error(
        "{asked} broke off its answer: {cause}; did the server stop or restart, and does it speak HTTP there? \
         its own log says more"
    )]
    Broken {
        /// What was asked.
        asked: Asked,
        /// The cause, as the HTTP library names it.
        cause: String,
    },
    /// No trusted connection came about.
    #[error(
        "{asked} cannot be reached safely: {cause}; check that OPENAI_BASE_URL names the right host and, for a server \
         without TLS, begins with http://"
    )]
    NoTrust {
        /// What was asked.
        asked: Asked,
        /// The cause, as the TLS library names it.
        cause: String,
    },
    /// The time was up.
    #[error("{asked} {}", in_time(*.limit, *.connecting))]
    TimedOut {
        /// What was asked.
        asked: Asked,
        /// The time that the server had.
        limit: Duration,
        /// Whether not even a connection had been made.
        connecting: bool,
    },
    /// The server answered with a status other than success.
    #[error("{asked} answered {}{}{}", named(*.status), quotation(.message), tail(.advice))]
    Refused {
        /// What was asked.
        asked: Asked,
        /// The status.
        status: u16,
        /// The server's own message, cut and escaped; empty when it sent none.
        message: String,
        /// What to do about it; may be empty.
        advice: String,
        /// Whether the schema is, or may well be, what was refused.
        schema: bool,
    },
    /// The server answered with success, but not with a completion.
    #[error("{asked} did not answer with a completion: {problem}{}{}", quotation(.quoted), tail(.advice))]
    NotACompletion {
        /// What was asked.
        asked: Asked,
        /// What is wrong.
        problem: &'static str,
        /// The server's own message or the body's beginning, cut and escaped; may be empty.
        quoted: String,
        /// What to do about it; may be empty.
        advice: String,
        /// Whether the message in its place is about the schema that was sent.
        schema: bool,
    },
    /// The body is longer than any completion may be (X36).
    #[error(
        "{asked} sent a body of more than 32 MiB, which is no completion; check OPENAI_BASE_URL and --model"
    )]
    TooLarge {
        /// What was asked.
        asked: Asked,
    },
}

impl ModelFault {
    /// A request that could not be written.
    pub(super) fn setup(asked: &Asked, cause: &str) -> Self {
        Self::Setup {
            endpoint: asked.endpoint.clone(),
            cause: cause.to_owned(),
        }
    }

    /// Whether the server refused the response schema; the message then names `--response-schema` (N24).
    pub fn refused_schema(&self) -> bool {
        matches!(
            self,
            Self::Refused { schema: true, .. } | Self::NotACompletion { schema: true, .. }
        )
    }

    /// What happened, in short, for the log line of an attempt.
    pub(super) fn outcome(&self) -> String {
        match self {
            Self::Setup { cause, .. } => format!("not sent: {cause}"),
            Self::Unreachable { cause, .. } | Self::NoTrust { cause, .. } => {
                format!("no connection: {cause}")
            }
            Self::Broken { cause, .. } => format!("broken off: {cause}"),
            Self::TimedOut { limit, .. } => format!("no answer within {} s", limit.as_secs_f64()),
            Self::Refused {
                status, message, ..
            } => format!("status {}{}", named(*status), quotation(message)),
            Self::NotACompletion {
                problem, quoted, ..
            } => format!("{problem}{}", quotation(quoted)),
            Self::TooLarge { .. } => "a body of more than 32 MiB".to_owned(),
        }
    }
}

/// A status with its usual name.
fn named(status: u16) -> String {
    let known = StatusCode::from_u16(status).ok();
    match known.as_ref().and_then(StatusCode::canonical_reason) {
        Some(name) => format!("{status} {name}"),
        None => status.to_string(),
    }
}

/// The server's words, after a colon.
fn quotation(text: &str) -> String {
    if text.is_empty() {
        String::new()
    } else {
        format!(": \"{text}\"")
    }
}

/// Advice, after a semicolon.
fn tail(advice: &str) -> String {
    if advice.is_empty() {
        String::new()
    } else {
        format!("; {advice}")
    }
}

fn in_time(limit: Duration, connecting: bool) -> String {
    let seconds = limit.as_secs_f64();
    if connecting {
        format!(
            "did not accept a connection within {seconds} s; is a server running there? check OPENAI_BASE_URL"
        )
    } else {
        format!(
            "did not answer within {seconds} s; give it more time with --timeout SECONDS, or ask a faster --model"
        )
    }
}

/// What beside its message bears on a refusal.
pub(super) struct Circumstances<'a> {
    pub(super) status: StatusCode,
    /// Whether a response schema was sent.
    pub(super) schema_sent: bool,
    /// Whether a key or credentials were sent.
    pub(super) key_sent: bool,
    pub(super) model: &'a str,
    /// The completion cap that was sent, in tokens.
    pub(super) cap: u64,
    /// Where a redirect leads, fit to be shown.
    pub(super) location: Option<String>,
}

/// The fault of a status other than success.
pub(super) fn refused(
    asked: Asked,
    secrets: &Secrets,
    message: &ServerMessage,
    circumstances: &Circumstances<'_>,
) -> ModelFault {
    let status = circumstances.status;
    let schema = circumstances.schema_sent && concerns_schema(status.as_u16(), &message.text);
    let advice = if schema {
        WITHOUT_SCHEMA.to_owned()
    } else {
        secrets.told(&advice(message, circumstances), usize::MAX)
    };
    let shown = if message.is_html {
        BODY_SHOWN
    } else {
        MESSAGE_SHOWN
    };
    ModelFault::Refused {
        asked,
        status: status.as_u16(),
        message: secrets.told(&message.text, shown),
        advice,
        schema,
    }
}

/// What to do about a refused schema (N24).
const WITHOUT_SCHEMA: &str = "the request carried the schema of --response-schema: leave the flag out for a server that cannot use it";

/// Whether a refusal of a request that carried a schema is about the schema. A request that a server calls bad most
/// likely is bad because of the one thing in it that not every server knows.
fn concerns_schema(status: u16, message: &str) -> bool {
    speaks_of_schema(message)
        || (matches!(status, 400 | 415 | 422) && !is_about_length(&message.to_lowercase()))
}

fn speaks_of_schema(message: &str) -> bool {
    let message = message.to_lowercase();
    ["schema", "response_format", "grammar", "structured output"]
        .iter()
        .any(|word| message.contains(word))
}

/// Whether a lower-case message says that prompt and cap together are too long.
fn is_about_length(message: &str) -> bool {
    ["context", "max_tokens", "max_completion_tokens", "too long"]
        .iter()
        .any(|word| message.contains(word))
}

/// What to do about a refusal that is not about a schema.
fn advice(message: &ServerMessage, circumstances: &Circumstances<'_>) -> String {
    let model = circumstances.model;
    match circumstances.status.as_u16() {
        300..=399 => match &circumstances.location {
            Some(place) => format!("it points to {place}, which is not followed: set OPENAI_BASE_URL to match"),
            None => "check OPENAI_BASE_URL".to_owned(),
        },
        401 | 403 if circumstances.key_sent => {
            format!("check OPENAI_API_KEY, and whether it may use --model {model}")
        }
        401 | 403 => "it was asked without a key: set OPENAI_API_KEY".to_owned(),
        402 => "check the account that OPENAI_API_KEY belongs to".to_owned(),
        407 => "a proxy wants credentials: check HTTPS_PROXY and HTTP_PROXY, or name the host in NO_PROXY".to_owned(),
        429 => "it limits how much may be asked: wait, lower --jobs, or check the account's quota".to_owned(),
        501 => NOT_THE_API.to_owned(),
        500..=599 => "the server, or a proxy before it, failed: its own log says more".to_owned(),
        404 | 405 | 410 if message.is_html => NO_API.to_owned(),
        404 | 405 | 410 => format!("check OPENAI_BASE_URL, and whether the server has --model {model}"),
        _ if message.is_html => NO_API.to_owned(),
        400 | 413 | 422 if is_about_length(&message.text.to_lowercase()) => format!(
            "prompt and answer must fit the model: the answer may take {} tokens, less with SEDUM_MAX_COMPLETION_TOKENS",
            circumstances.cap
        ),
        400 | 422 => format!("check --model {model}"),
        _ => String::new(),
    }
}

/// What a page for a browser suggests.
const NO_API: &str =
    "a page of HTML suggests that OPENAI_BASE_URL does not lead to an OpenAI-compatible API";

/// What a server suggests that does not know the request at all.
const NOT_THE_API: &str = "does OPENAI_BASE_URL lead to an OpenAI-compatible API?";

/// The fault of a successful response that is no completion.
pub(super) fn not_a_completion(
    asked: Asked,
    secrets: &Secrets,
    unreadable: &Unreadable,
    body: &[u8],
    schema_sent: bool,
) -> ModelFault {
    let schema = schema_sent && unreadable.message.as_deref().is_some_and(speaks_of_schema);
    let advice = if schema {
        WITHOUT_SCHEMA
    } else if unreadable.message.is_some() {
        "the server's own log says more"
    } else if wire::is_html(body) {
        NO_API
    } else if !unreadable.excerpt {
        "do not trust this server with a key"
    } else {
        NOT_THE_API
    };
    let quoted = match &unreadable.message {
        Some(message) => secrets.told(message, MESSAGE_SHOWN),
        None if unreadable.excerpt => {
            let seen = body.get(..BODY_SEEN).unwrap_or(body);
            secrets.told(&String::from_utf8_lossy(seen), BODY_SHOWN)
        }
        None => String::new(),
    };
    ModelFault::NotACompletion {
        asked,
        problem: unreadable.problem,
        quoted,
        advice: advice.to_owned(),
        schema,
    }
}
