//! What the client is set up with: model, address, key, cap and time-out (K23-K25, K28, K33).
//!
//! Decides everything that the command line and the environment alone can show to be wrong, so that it is said before
//! any work (U11); every fault here is a usage error, exit status 2. It must not touch the network, and reads the
//! environment only through the function that it is given.

#[cfg(test)]
mod tests;

use std::fmt;
use std::net::IpAddr;
use std::time::Duration;

use reqwest::Url;
use thiserror::Error;

use super::secret::{Key, Secrets};

/// Where requests go when no base URL is named (K23).
const PUBLIC_BASE: &str = "https://api.openai.com/v1";
/// What is added to the base (K23).
const CALL: &str = "chat/completions";
/// The cap of a completion, in tokens, when none is named (K28).
const USUAL_CAP: u64 = 16_384;
/// How much of a wrong value a message shows, in characters.
const VALUE_SHOWN: usize = 200;

/// All that the client needs to know. Made only by [`Settings::from_environment`], so it is sound.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The model's name, sent as it is (K24).
    pub model: String,
    /// How long one request may take, from connecting to the last byte.
    pub timeout: Duration,
    /// The most tokens a completion may have (K28).
    pub max_completion_tokens: u64,
    /// How a wait between two attempts is spent: asleep. A test may pass a function that returns at once.
    pub pause: fn(Duration),
    /// How the model draws its answer: as K30 says, unless an experiment declares otherwise.
    pub sampling: Sampling,
    pub(super) endpoint: Endpoint,
    pub(super) key: Key,
}

/// How a model draws its answer. The default is temperature 0 and no seed, which is what `sedum` always sends (K30).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Sampling {
    /// The temperature.
    pub temperature: f64,
    /// The seed, for a server that takes one; none is sent without it.
    pub seed: Option<u64>,
}

/// What is wrong with the settings, and the likely mend. A usage error: exit status 2 (K25, U3).
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SettingsError {
    /// No model was named (K24).
    #[error(
        "no model is named: pass --model NAME or set SEDUM_MODEL, using a name that the model server knows"
    )]
    NoModel,
    /// Neither a key nor a base URL (K25).
    #[error(
        "no model endpoint is configured: set OPENAI_BASE_URL to the address of an OpenAI-compatible server, \
         or OPENAI_API_KEY to use the public OpenAI endpoint"
    )]
    NoEndpoint,
    /// A base URL that is no http or https address (K23).
    #[error(
        "OPENAI_BASE_URL is not an address that requests can go to: {problem} (it is \"{shown}\"); {mend}"
    )]
    BadBaseUrl {
        /// What is wrong.
        problem: String,
        /// The value, without credentials.
        shown: String,
        /// The likely mend.
        mend: String,
    },
    /// A key that no header can carry.
    #[error(
        "OPENAI_API_KEY holds a blank or another character that no key has: was something else copied along with it?"
    )]
    BadKey,
    /// A cap that is no positive integer (K28).
    #[error(
        "SEDUM_MAX_COMPLETION_TOKENS must be a positive integer, not \"{shown}\": set it to a number of tokens, \
         such as {USUAL_CAP}, or unset it"
    )]
    BadCap {
        /// The value, escaped and cut.
        shown: String,
    },
    /// A time-out of nothing, in which no request could be answered.
    #[error("--timeout must be more than 0 seconds")]
    NoTime,
}

impl Settings {
    /// Reads the settings for a run that will ask a model.
    ///
    /// `model` is what `--model` or its variable says; `timeout` is for one request; `env` looks up an environment
    /// variable. Blanks around a value are not part of it, and an empty key or address is the same as none (K25).
    pub fn from_environment(
        model: Option<&str>,
        timeout: Duration,
        env: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, SettingsError> {
        let model = model.map(str::trim).filter(|name| !name.is_empty());
        let model = model.ok_or(SettingsError::NoModel)?.to_owned();
        if timeout.is_zero() {
            return Err(SettingsError::NoTime);
        }
        let key = env("OPENAI_API_KEY").unwrap_or_default();
        let key = key.trim();
        let base = env("OPENAI_BASE_URL").unwrap_or_default();
        let base = match (base.trim(), key) {
            ("", "") => return Err(SettingsError::NoEndpoint),
            ("", _) => PUBLIC_BASE,
            (base, _) => base,
        };
        if !key.bytes().all(|b| b.is_ascii_graphic()) {
            return Err(SettingsError::BadKey);
        }
        let key = Key::new(key);
        Ok(Self {
            model,
            timeout,
            max_completion_tokens: cap(env("SEDUM_MAX_COMPLETION_TOKENS"))?,
            pause: std::thread::sleep,
            sampling: Sampling::default(),
            endpoint: Endpoint::from_base(base, &key)?,
            key,
        })
    }

    /// The address that requests go to, without credentials, fit to be shown.
    pub fn endpoint_shown(&self) -> &str {
        self.endpoint.shown()
    }
}

/// The cap that the variable names, or the usual one (K28).
fn cap(value: Option<String>) -> Result<u64, SettingsError> {
    let Some(value) = value else {
        return Ok(USUAL_CAP);
    };
    let digits = value.trim();
    let cap = digits.parse().unwrap_or(0);
    if cap == 0 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        let shown = Secrets::default().told(&value, VALUE_SHOWN);
        return Err(SettingsError::BadCap { shown });
    }
    Ok(cap)
}

/// The address of the chat-completions call. Its credentials are kept apart from it, so that nothing shows them.
#[derive(Clone)]
pub(super) struct Endpoint {
    url: Url,
    shown: String,
    credentials: Option<(String, String)>,
    written_password: Option<String>,
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

impl Endpoint {
    /// The endpoint of a base URL (K23); the key is only there so that no error shows it.
    pub(super) fn from_base(base: &str, key: &Key) -> Result<Self, SettingsError> {
        let fault = |problem: &str, mend: &str| SettingsError::BadBaseUrl {
            problem: problem.to_owned(),
            shown: without_credentials(base, key),
            mend: mend.to_owned(),
        };
        let no_scheme = || {
            let host = base.split('/').next().unwrap_or_default();
            if base.contains("://") || !(host.contains(['.', ':']) || host == "localhost") {
                return "write it like http://localhost:8080/v1".to_owned();
            }
            format!("write http://{}", without_credentials(base, key))
        };
        let mut url = Url::parse(base).map_err(|e| fault(&e.to_string(), &no_scheme()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(fault("it is neither http nor https", &no_scheme()));
        }
        let mut path = url.path().trim_end_matches('/').to_owned();
        if path.ends_with(&format!("/{CALL}")) {
            let mend = format!("leave out /{CALL}, which is added to it");
            return Err(fault("it names a call, not the base of the API", &mend));
        }
        if path.is_empty() {
            path.push_str("/v1");
        }
        url.set_path(&format!("{path}/{CALL}"));
        url.set_fragment(None);
        let written_password = url.password().map(str::to_owned);
        let credentials = take_credentials(&mut url);
        let shown = without_key(&shown_url(&url), key);
        Ok(Self {
            url,
            shown,
            credentials,
            written_password,
        })
    }

    /// The address to ask, without credentials.
    pub(super) fn url(&self) -> &Url {
        &self.url
    }

    /// The user and password that the base URL held, decoded.
    pub(super) fn credentials(&self) -> Option<(&str, &str)> {
        let (user, password) = self.credentials.as_ref()?;
        Some((user, password))
    }

    /// The password as it was spelt in the base URL.
    pub(super) fn written_password(&self) -> Option<&str> {
        self.written_password.as_deref()
    }

    /// The address as a message shows it.
    pub(super) fn shown(&self) -> &str {
        &self.shown
    }

    /// Whether the server is on this machine.
    pub(super) fn is_loopback(&self) -> bool {
        let host = self.url.host_str().unwrap_or_default();
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        host == "localhost"
            || host.ends_with(".localhost")
            || bare.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
    }
}

/// An address without what may be secret in it: credentials go, a query is only hinted at.
pub(super) fn shown_url(url: &Url) -> String {
    let mut bare = url.clone();
    take_credentials(&mut bare);
    bare.set_query(None);
    bare.set_fragment(None);
    let query = if url.query().is_some() { "?..." } else { "" };
    format!("{}{query}", crate::diag::shown(bare.as_str()))
}

/// Takes user and password out of an address, decoded.
fn take_credentials(url: &mut Url) -> Option<(String, String)> {
    let user = percent_decoded(url.username());
    let password = percent_decoded(url.password().unwrap_or_default());
    // Only addresses without a host refuse this, and they have no credentials.
    let _ = url.set_password(None);
    let _ = url.set_username("");
    (!user.is_empty() || !password.is_empty()).then_some((user, password))
}

/// Text of an address with its `%` escapes read; bytes that are no UTF-8 are replaced.
fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('%') {
        bytes.extend_from_slice(before.as_bytes());
        let digits = after
            .get(..2)
            .filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
        if let Some(byte) = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            bytes.push(byte);
            rest = after.get(2..).unwrap_or_default();
        } else {
            bytes.push(b'%');
            rest = after;
        }
    }
    bytes.extend_from_slice(rest.as_bytes());
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A base URL as a message may show it though it could not be read: all that might be credentials or key is gone.
fn without_credentials(base: &str, key: &Key) -> String {
    let harmless = match (base.split_once("://"), base.rsplit_once('@')) {
        (Some((scheme, rest)), Some(_)) => {
            let host = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
            format!("{scheme}://{host}")
        }
        (None, Some((_, host))) => host.to_owned(),
        (_, None) => base.to_owned(),
    };
    let harmless = harmless
        .split_once('?')
        .map_or(harmless.as_str(), |(before, _)| before);
    without_key(harmless, key)
}

/// Text of the settings, fit to be shown.
fn without_key(text: &str, key: &Key) -> String {
    let mut secrets = Secrets::default();
    secrets.add(key.exposed());
    secrets.told(text, VALUE_SHOWN)
}
