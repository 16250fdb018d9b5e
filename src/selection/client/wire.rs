//! The wire format: the body of a request, a completion's body, and a refusal's message.
//!
//! Decides which member of a response is read and in what order of preference (K26, K28-K32a). It knows no status and
//! no socket. Responses are read piece by piece, so that a hostile body costs no more memory than its own length (X37).

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt;

use serde::de::{IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Number;
use serde_json::value::RawValue;

use super::adapt::{self, Form};
use super::{Answer, Message, Settings};

/// The body of a request. Field order is the order on the wire.
#[derive(Serialize)]
struct Request<'a> {
    model: &'a str,
    messages: &'a [Message],
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<ResponseFormat<'a>>,
}

#[derive(Serialize)]
struct ResponseFormat<'a> {
    r#type: &'static str,
    json_schema: JsonSchema<'a>,
}

/// `strict` is not sent: it would make every optional kwarg required (N24).
#[derive(Serialize)]
struct JsonSchema<'a> {
    name: &'static str,
    schema: &'a RawValue,
}

/// The JSON of a request in the form `form`; the cap is there in every form (K28).
pub(super) fn request(
    settings: &Settings,
    messages: &[Message],
    schema: Option<&RawValue>,
    form: Form,
) -> Result<Vec<u8>, serde_json::Error> {
    let cap = settings.max_completion_tokens;
    serde_json::to_vec(&Request {
        model: &settings.model,
        messages,
        temperature: form
            .temperature
            .then(|| number(settings.sampling.temperature))
            .flatten(),
        seed: settings.sampling.seed,
        max_tokens: form.max_tokens.then_some(cap),
        max_completion_tokens: (!form.max_tokens).then_some(cap),
        response_format: schema.map(|schema| ResponseFormat {
            r#type: "json_schema",
            json_schema: JsonSchema {
                name: "sedum_invocations",
                schema,
            },
        }),
    })
}

/// A whole number without a fraction, as servers are used to seeing a temperature of 0.
fn number(value: f64) -> Option<Number> {
    if value == 0.0 {
        Some(Number::from(0))
    } else {
        Number::from_f64(value)
    }
}

/// Why a body is no completion.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unreadable {
    /// What is wrong, in words of ours.
    pub(super) problem: &'static str,
    /// The server's own message, when it sent one instead.
    pub(super) message: Option<String>,
    /// Whether the body's beginning may be shown.
    pub(super) excerpt: bool,
}

impl Unreadable {
    fn because(problem: &'static str) -> Self {
        Self {
            problem,
            message: None,
            excerpt: true,
        }
    }

    /// A completion that would carry the key on into the log.
    pub(super) fn key_echoed() -> Self {
        Self {
            excerpt: false,
            ..Self::because("the answer repeats the API key, so it was thrown away")
        }
    }
}

#[derive(Deserialize)]
struct Completion<'a> {
    #[serde(borrow)]
    choices: Option<&'a RawValue>,
    #[serde(borrow)]
    usage: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Choice<'a> {
    #[serde(borrow)]
    message: Option<&'a RawValue>,
    finish_reason: Option<String>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Spoken<'a> {
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(borrow)]
    reasoning_content: Option<&'a RawValue>,
}

#[derive(Deserialize, Default)]
struct Usage<'a> {
    #[serde(borrow)]
    prompt_tokens: Option<&'a RawValue>,
    #[serde(borrow)]
    completion_tokens: Option<&'a RawValue>,
}

/// Reads the body of a successful response as a completion: the first choice's text, and what is told about it.
pub(super) fn answer(body: &[u8]) -> Result<Answer, Unreadable> {
    let completion: Completion = serde_json::from_slice(body)
        .map_err(|_| Unreadable::because("the body is not the JSON object of a completion"))?;
    if let Some(error) = completion.error {
        return Err(reported(error));
    }
    let choices = completion
        .choices
        .ok_or_else(|| Unreadable::because("the body has no choices"))?;
    let first: First<Choice> = serde_json::from_str(choices.get())
        .map_err(|_| Unreadable::because("the choices are not a list of completions"))?;
    let choice = first
        .0
        .ok_or_else(|| Unreadable::because("the list of choices is empty"))?;
    let Some(message) = choice.message else {
        return Err(choice.error.map_or_else(
            || Unreadable::because("the first choice has no message"),
            reported,
        ));
    };
    let spoken: Spoken = serde_json::from_str(message.get())
        .map_err(|_| Unreadable::because("the first choice's message is not an object"))?;
    let (text, from_reasoning) = text_of(&spoken)?;
    let usage: Usage = completion
        .usage
        .and_then(|usage| serde_json::from_str(usage.get()).ok())
        .unwrap_or_default();
    Ok(Answer {
        text,
        truncated: choice.finish_reason.as_deref() == Some("length"),
        finish: choice.finish_reason,
        from_reasoning,
        prompt_tokens: count(usage.prompt_tokens),
        completion_tokens: count(usage.completion_tokens),
    })
}

/// The text of a message, and whether it is the reasoning: a content of blanks only counts as empty (K32a).
fn text_of(spoken: &Spoken<'_>) -> Result<(String, bool), Unreadable> {
    let no_text =
        || Unreadable::because("the first choice's content is neither text nor parts with text");
    let content = match spoken.content {
        Some(raw) => {
            serde_json::from_str::<Text>(raw.get())
                .map_err(|_| no_text())?
                .0
        }
        None => String::new(),
    };
    if !content.trim().is_empty() {
        return Ok((content, false));
    }
    let reasoning = spoken
        .reasoning_content
        .and_then(|raw| serde_json::from_str::<Text>(raw.get()).ok())
        .map(|text| text.0)
        .filter(|text| !text.trim().is_empty());
    Ok(reasoning.map_or((content, false), |text| (text, true)))
}

/// A token count; what is no count counts as not reported (K31).
fn count(raw: Option<&RawValue>) -> u64 {
    raw.and_then(|raw| raw.get().parse().ok()).unwrap_or(0)
}

/// A server's error in place of a completion.
fn reported(error: &RawValue) -> Unreadable {
    Unreadable {
        message: Some(ServerMessage::of_error(error).text),
        ..Unreadable::because("the server reported an error in place of a completion")
    }
}

/// The first element of a list; the others are passed over, not kept.
struct First<T>(Option<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for First<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct List<T>(std::marker::PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for List<T> {
            type Value = First<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<First<T>, A::Error> {
                let first = list.next_element()?;
                while list.next_element::<IgnoredAny>()?.is_some() {}
                Ok(First(first))
            }
        }
        deserializer.deserialize_seq(List(std::marker::PhantomData))
    }
}

/// Text as servers send it: a string, null for none, or a list of parts whose texts are put together.
struct Text(String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Part<'a> {
            #[serde(borrow)]
            text: Option<Cow<'a, str>>,
        }
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Text;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("text or a list of parts")
            }
            fn visit_unit<E>(self) -> Result<Text, E> {
                Ok(Text(String::new()))
            }
            fn visit_str<E>(self, text: &str) -> Result<Text, E> {
                Ok(Text(text.to_owned()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Text, A::Error> {
                let mut text = String::new();
                while let Some(part) = list.next_element::<Part<'de>>()? {
                    text.push_str(part.text.as_deref().unwrap_or_default());
                }
                Ok(Text(text))
            }
        }
        deserializer.deserialize_any(Either)
    }
}

/// What a server says about a refusal. Its text is as received: not yet fit to be shown.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct ServerMessage {
    /// The message, or the whole body where none is found in it.
    pub(super) text: String,
    /// The parameter that the refusal is about.
    pub(super) param: Option<String>,
    /// The server's code for the refusal.
    pub(super) code: Option<String>,
    /// Whether the body is a page for a browser.
    pub(super) is_html: bool,
}

impl ServerMessage {
    /// Reads a refusal's body in whichever of the usual shapes it is: `error` as object or text, `message`, `detail`,
    /// or plain text.
    pub(super) fn read(body: &[u8]) -> Self {
        #[derive(Deserialize)]
        struct Outer<'a> {
            #[serde(borrow)]
            error: Option<&'a RawValue>,
            #[serde(borrow)]
            message: Option<&'a RawValue>,
            #[serde(borrow)]
            detail: Option<&'a RawValue>,
        }
        if let Ok(outer) = serde_json::from_slice::<Outer>(body) {
            if let Some(error) = outer.error {
                return Self::of_error(error);
            }
            if let Some(said) = outer.message.or(outer.detail) {
                return Self::plain(string(said).unwrap_or_else(|| said.get().to_owned()));
            }
        }
        Self {
            is_html: is_html(body),
            ..Self::plain(String::from_utf8_lossy(body).into_owned())
        }
    }

    /// Reads an error, be it an object or a text.
    fn of_error(error: &RawValue) -> Self {
        #[derive(Deserialize)]
        struct Inner<'a> {
            #[serde(borrow)]
            message: Option<&'a RawValue>,
            #[serde(borrow)]
            param: Option<&'a RawValue>,
            #[serde(borrow)]
            code: Option<&'a RawValue>,
        }
        let raw = error.get();
        let Ok(inner) = serde_json::from_str::<Inner>(raw) else {
            return Self::plain(string(error).unwrap_or_else(|| raw.to_owned()));
        };
        Self {
            text: inner
                .message
                .and_then(string)
                .unwrap_or_else(|| raw.to_owned()),
            param: inner.param.and_then(string),
            code: inner.code.and_then(string),
            is_html: false,
        }
    }

    fn plain(text: String) -> Self {
        Self {
            text,
            ..Self::default()
        }
    }

    /// Which of the adaptable parameters this calls unsupported (K32).
    pub(super) fn unsupported(&self) -> Form {
        adapt::unsupported(&self.text, self.param.as_deref(), self.code.as_deref())
    }
}

/// A JSON string's text.
fn string(raw: &RawValue) -> Option<String> {
    serde_json::from_str(raw.get()).ok()
}

/// Whether a body is a page for a browser.
pub(super) fn is_html(body: &[u8]) -> bool {
    let start = body.trim_ascii_start();
    let begins = |tag: &str| {
        start
            .get(..tag.len())
            .is_some_and(|begin| begin.eq_ignore_ascii_case(tag.as_bytes()))
    };
    begins("<!doctype html") || begins("<html") || begins("<head")
}
