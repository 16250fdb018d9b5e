//! The chat-completions client: one question to a model server, one answer or one fault (K23-K34).
//!
//! It decides what goes over the wire, which failures are worth another attempt, and how a failure is told to a
//! person. It must not look into an answer's text, know what a catalog or a violation is, or show a transport fault to
//! the model. The key and the credentials of an address live in here and come out nowhere: no error, log line or
//! debug text holds them. Nothing else in the crate knows HTTP.

mod adapt;
mod conversation;
mod fault;
mod retry;
mod secret;
mod settings;
#[cfg(test)]
pub(crate) mod stub;
#[cfg(test)]
mod tests;
mod wire;

use std::io::Read as _;
use std::time::Duration;

use reqwest::blocking::{self, Response};
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, LOCATION, RETRY_AFTER};
use reqwest::redirect::Policy;
use serde_json::value::RawValue;

use self::adapt::{Form, Forms};
pub use self::conversation::{Answer, Message, Model, Role};
pub use self::fault::{Asked, ModelFault};
use self::retry::Retry;
use self::secret::Secrets;
pub use self::settings::{Sampling, Settings, SettingsError};
use self::wire::ServerMessage;

/// The longest completion body that is read, in bytes (X36).
const BODY_LIMIT: u64 = 32 * 1024 * 1024;
/// How much of a refusal is read: far more than a message shows, far less than could hurt.
const REFUSAL_LIMIT: u64 = 64 * 1024;
/// How long a server may take to accept a connection, unless the whole request has less.
const CONNECT_LIMIT: Duration = Duration::from_secs(10);

/// A client of one server for one run. Threads share it: what one call learns of the server, all know.
#[derive(Debug)]
pub struct Client {
    http: blocking::Client,
    settings: Settings,
    authorization: Option<HeaderValue>,
    secrets: Secrets,
    forms: Forms,
}

/// An attempt that brought no answer: what to tell, and what might still help.
#[derive(Debug)]
struct Failed {
    fault: Box<ModelFault>,
    retry: Retry,
    unsupported: Form,
}

impl Client {
    /// Makes a client; sends nothing. Fails when the platform's certificates or the TLS library cannot be used.
    pub fn new(settings: Settings) -> Result<Self, ModelFault> {
        let endpoint = &settings.endpoint;
        let setup = |cause: &str| ModelFault::Setup {
            endpoint: endpoint.shown().to_owned(),
            cause: crate::diag::shown(cause),
        };
        let http = builder(&settings).build();
        let http = match http {
            // Without TLS there is nothing to trust, so a machine without certificates can still ask.
            Err(_) if endpoint.url().scheme() == "http" => {
                builder(&settings).tls_certs_only([]).build()
            }
            other => other,
        };
        let http = http.map_err(|error| setup(&cause_of(&error)))?;
        let mut secrets = Secrets::new(&settings.key, endpoint);
        let authorization = authorization(&http, &settings)
            .map_err(|_| setup("the credentials cannot be sent in a header"))?;
        if let Some(value) = authorization.as_ref().and_then(|v| v.to_str().ok()) {
            secrets.add(value.split_once(' ').map_or(value, |(_, token)| token));
        }
        Ok(Self {
            http,
            settings,
            authorization,
            secrets,
            forms: Forms::default(),
        })
    }

    /// One request in the form `form`, and what came of it.
    fn attempt(&self, call: &Call<'_>, form: Form, attempts: u32) -> Result<Answer, Failed> {
        let asked = Asked {
            endpoint: self.settings.endpoint.shown().to_owned(),
            attempts,
        };
        let body = wire::request(&self.settings, call.messages, call.schema, form)
            .map_err(|cause| Failed::finally(ModelFault::setup(&asked, &cause.to_string())))?;
        let mut request = self
            .http
            .post(self.settings.endpoint.url().clone())
            .timeout(self.settings.timeout)
            .header(CONTENT_TYPE, "application/json")
            .body(body);
        if let Some(value) = &self.authorization {
            request = request.header(AUTHORIZATION, value.clone());
        }
        let response = request
            .send()
            .map_err(|error| self.transport(asked.clone(), &error))?;
        if response.status().is_success() {
            self.completion(asked, response, call.schema.is_some())
        } else {
            Err(self.refusal(asked, response, call.schema.is_some(), form))
        }
    }

    /// Reads a successful response as a completion.
    fn completion(
        &self,
        asked: Asked,
        response: Response,
        schema_sent: bool,
    ) -> Result<Answer, Failed> {
        if response.content_length().is_some_and(|n| n > BODY_LIMIT) {
            return Err(Failed::finally(ModelFault::TooLarge { asked }));
        }
        let mut body = Vec::new();
        if let Err(error) = response.take(BODY_LIMIT + 1).read_to_end(&mut body) {
            return Err(self.transport(asked, &error));
        }
        if body.len() as u64 > BODY_LIMIT {
            return Err(Failed::finally(ModelFault::TooLarge { asked }));
        }
        let answer = wire::answer(&body).and_then(|mut answer| {
            if self.secrets.is_betrayed_by(&answer.text) {
                return Err(wire::Unreadable::key_echoed());
            }
            answer.finish = answer.finish.map(|finish| self.secrets.told(&finish, 60));
            Ok(answer)
        });
        answer.map_err(|unreadable| {
            Failed::finally(fault::not_a_completion(
                asked,
                &self.secrets,
                &unreadable,
                &body,
                schema_sent,
            ))
        })
    }

    /// What a status other than success means.
    fn refusal(&self, asked: Asked, response: Response, schema_sent: bool, form: Form) -> Failed {
        let status = response.status();
        let headers = response.headers().clone();
        let mut body = Vec::new();
        // A refusal whose body breaks off is still a refusal: what was read of it is told.
        let _ = response.take(REFUSAL_LIMIT).read_to_end(&mut body);
        let message = ServerMessage::read(&body);
        let unsupported = if status.as_u16() == 400 {
            message.unsupported().within(form)
        } else {
            Form::NONE
        };
        let circumstances = fault::Circumstances {
            status,
            schema_sent,
            key_sent: self.authorization.is_some(),
            model: &self.settings.model,
            cap: self.settings.max_completion_tokens,
            location: self.location(&headers),
        };
        Failed {
            fault: Box::new(fault::refused(
                asked,
                &self.secrets,
                &message,
                &circumstances,
            )),
            retry: retry::for_status(status.as_u16(), header(&headers, &RETRY_AFTER)),
            unsupported,
        }
    }

    /// Where a redirect leads, in full, as far as it may be shown.
    fn location(&self, headers: &HeaderMap) -> Option<String> {
        let location = header(headers, &LOCATION)?;
        let target = self.settings.endpoint.url().join(location).ok()?;
        Some(self.secrets.told(&settings::shown_url(&target), 200))
    }

    /// What an error below HTTP means: no connection, a broken one, or silence.
    fn transport(&self, asked: Asked, error: &(dyn std::error::Error + 'static)) -> Failed {
        let cause = self.secrets.told(&cause_of(error), 200);
        match retry::transport_kind(error) {
            retry::Transport::TimedOut { connecting } => {
                let limit = self.settings.timeout;
                let limit = if connecting {
                    limit.min(CONNECT_LIMIT)
                } else {
                    limit
                };
                Failed::retried(ModelFault::TimedOut {
                    asked,
                    limit,
                    connecting,
                })
            }
            retry::Transport::Tls => Failed::finally(ModelFault::NoTrust { asked, cause }),
            retry::Transport::NotConnected => {
                Failed::retried(ModelFault::Unreachable { asked, cause })
            }
            retry::Transport::Broken => Failed::retried(ModelFault::Broken { asked, cause }),
        }
    }
}

/// What one call sends, whatever its form.
struct Call<'a> {
    messages: &'a [Message],
    schema: Option<&'a RawValue>,
}

impl Model for Client {
    fn ask(
        &self,
        messages: &[Message],
        schema: Option<&RawValue>,
        log: &dyn Fn(&str),
    ) -> Result<Answer, ModelFault> {
        let call = Call { messages, schema };
        let mut delays = retry::DELAYS.iter();
        let mut attempts = 0;
        loop {
            attempts += 1;
            let form = self.forms.current();
            let failed = match self.attempt(&call, form, attempts) {
                Ok(answer) => {
                    log_answer(&answer, attempts, log);
                    return Ok(answer);
                }
                Err(failed) => failed,
            };
            let outcome = failed.fault.outcome();
            if failed.unsupported != Form::NONE {
                self.forms.adapt(failed.unsupported);
                let change = failed.unsupported.change();
                log(&format!(
                    "attempt {attempts}: {outcome}; asked again at once, {change}"
                ));
                continue;
            }
            let next = match failed.retry {
                Retry::Never => None,
                Retry::After(named) => delays.next().map(|usual| retry::wait(*usual, named)),
            };
            let Some(wait) = next else {
                log(&format!("attempt {attempts}: {outcome}; given up"));
                return Err(*failed.fault);
            };
            let seconds = wait.as_secs_f64();
            log(&format!(
                "attempt {attempts}: {outcome}; the next in {seconds:.1} s"
            ));
            (self.settings.pause)(wait);
        }
    }
}

impl Failed {
    /// A failure that another attempt would only repeat.
    fn finally(fault: ModelFault) -> Self {
        Self {
            fault: Box::new(fault),
            retry: Retry::Never,
            unsupported: Form::NONE,
        }
    }

    /// A failure that may pass by itself.
    fn retried(fault: ModelFault) -> Self {
        Self {
            fault: Box::new(fault),
            retry: Retry::After(None),
            unsupported: Form::NONE,
        }
    }
}

/// Chooses the cryptography of TLS, once for the whole program: a client cannot be made before. Further calls change
/// nothing.
pub fn choose_cryptography() {
    let _ = rustls::crypto::ring::default_provider().install_default();
}

/// How connections are made: HTTP/1.1, no redirect, a proxy where the environment names one.
fn builder(settings: &Settings) -> blocking::ClientBuilder {
    choose_cryptography();
    let builder = blocking::Client::builder()
        .user_agent(concat!("sedum/", env!("CARGO_PKG_VERSION")))
        .http1_only()
        // A redirect would carry the prompt to a place that nobody named, and turn most posts into gets.
        .redirect(Policy::none())
        .retry(reqwest::retry::never())
        .connect_timeout(CONNECT_LIMIT.min(settings.timeout));
    if settings.endpoint.is_loopback() {
        // A proxy's loopback is not ours, and few who run a local server think of NO_PROXY.
        builder.no_proxy()
    } else {
        builder
    }
}

/// The header that names who asks: the key, or else the credentials of the address; `None` for a server that is asked
/// without either (K25). The error is a value that no header can hold.
fn authorization(
    http: &blocking::Client,
    settings: &Settings,
) -> Result<Option<HeaderValue>, reqwest::Error> {
    let endpoint = &settings.endpoint;
    let request = http.post(endpoint.url().clone());
    let request = match (settings.key.exposed(), endpoint.credentials()) {
        ("", None) => return Ok(None),
        ("", Some((user, password))) => request.basic_auth(user, Some(password)),
        (key, _) => request.bearer_auth(key),
    };
    let mut value = request.build()?.headers().get(AUTHORIZATION).cloned();
    if let Some(value) = &mut value {
        value.set_sensitive(true);
    }
    Ok(value)
}

/// A header's value, when it is there and readable.
fn header<'a>(headers: &'a HeaderMap, name: &reqwest::header::HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

/// The innermost cause of an error, which is where the plain words stand.
fn cause_of(error: &(dyn std::error::Error + 'static)) -> String {
    retry::chain(error)
        .last()
        .map_or_else(String::new, ToString::to_string)
}

/// Tells the log what kind of answer came; its text is logged by whoever asked.
fn log_answer(answer: &Answer, attempt: u32, log: &dyn Fn(&str)) {
    let finish = answer.finish.as_deref().unwrap_or("not reported");
    let tokens = match (answer.prompt_tokens, answer.completion_tokens) {
        (0, 0) => "tokens not reported".to_owned(),
        (prompt, completion) => format!("{prompt} prompt tokens, {completion} completion tokens"),
    };
    log(&format!(
        "attempt {attempt}: answered, finish reason {finish}, {tokens}"
    ));
    if answer.from_reasoning {
        log("the answer was read from reasoning_content, because content was empty (K32a)");
    }
}
