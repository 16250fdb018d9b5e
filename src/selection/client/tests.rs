//! The client against a stub server: what is on the wire, what is retried, what is told.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use serde_json::value::RawValue;

use super::stub::{Reply, Request, Stub};
use super::{Answer, Client, Message, Model, ModelFault, Role, Settings};

const KEY: &str = "sk-live-0123456789abcdef";

/// A call's result, log and requests.
struct Outcome {
    result: Result<Answer, ModelFault>,
    log: Vec<String>,
    requests: Vec<Request>,
}

impl Outcome {
    fn answer(&self) -> &Answer {
        self.result.as_ref().unwrap()
    }

    fn fault(&self) -> String {
        self.result.as_ref().unwrap_err().to_string()
    }

    /// Everything that the call said, in every form; G4: never with the key.
    fn said(&self) -> String {
        format!("{:?}\n{}", self.result, self.log.join("\n"))
    }
}

fn client(base: &str, timeout: Duration) -> Client {
    let env = |name: &str| match name {
        "OPENAI_API_KEY" => Some(KEY.to_owned()),
        "OPENAI_BASE_URL" => Some(base.to_owned()),
        _ => None,
    };
    let mut settings = Settings::from_environment(Some("stub-model"), timeout, &env).unwrap();
    settings.pause = |_| {};
    Client::new(settings).unwrap()
}

fn messages() -> Vec<Message> {
    [(Role::System, "rules"), (Role::User, "question")]
        .map(|(role, content)| Message {
            role,
            content: content.to_owned(),
        })
        .to_vec()
}

fn ask_with(
    client: &Client,
    schema: Option<&RawValue>,
) -> (Result<Answer, ModelFault>, Vec<String>) {
    let log = RefCell::new(Vec::new());
    let result = client.ask(&messages(), schema, &|line| {
        log.borrow_mut().push(line.to_owned());
    });
    (result, log.into_inner())
}

fn run(replies: impl IntoIterator<Item = Reply>, schema: Option<&RawValue>) -> Outcome {
    let stub = Stub::start(replies).unwrap();
    let client = client(&stub.url(), Duration::from_secs(20));
    let (result, log) = ask_with(&client, schema);
    let outcome = Outcome {
        result,
        log,
        requests: stub.requests(),
    };
    let said = format!("{client:?}\n{}", outcome.said());
    assert!(!said.contains(KEY), "{said}");
    outcome
}

fn ask(replies: impl IntoIterator<Item = Reply>) -> Outcome {
    run(replies, None)
}

fn schema() -> Box<RawValue> {
    RawValue::from_string(r#"{"type":"object"}"#.to_owned()).unwrap()
}

fn has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no {part:?} in {text}");
    }
}

#[test]
fn k26_k28_k30_the_request_holds_exactly_what_the_rules_name() {
    let got = ask([Reply::completion("hi")]);
    assert_eq!(got.answer().text, "hi");
    assert_eq!(
        (got.answer().prompt_tokens, got.answer().completion_tokens),
        (11, 7)
    );
    let request = &got.requests[0];
    assert_eq!(
        request.body,
        r#"{"model":"stub-model","messages":[{"role":"system","content":"rules"},{"role":"user","content":"question"}],"temperature":0,"max_tokens":16384}"#
    );
    let head = request.head.to_lowercase();
    has(
        &head,
        &[
            "post /v1/chat/completions http/1.1\r\n",
            &format!("authorization: bearer {KEY}\r\n"),
            "content-type: application/json\r\n",
        ],
    );
}

#[test]
fn n24_a_schema_goes_along_verbatim_and_without_strict() {
    let odd = RawValue::from_string(r#"{"z":1, "a":[ 2 ]}"#.to_owned()).unwrap();
    let got = run([Reply::completion("{}")], Some(&odd));
    has(
        &got.requests[0].body,
        &[
            r#""temperature":0,"max_tokens":16384,"response_format":{"type":"json_schema","json_schema":{"name":"sedum_invocations","schema":{"z":1, "a":[ 2 ]}}}"#,
        ],
    );
}

#[test]
fn k25_without_a_key_no_authorization_is_sent() {
    let stub = Stub::start([Reply::completion("a"), Reply::error(401, "who are you")]).unwrap();
    let url = stub.url();
    let env = |name: &str| (name == "OPENAI_BASE_URL").then(|| url.clone());
    let settings = Settings::from_environment(Some("m"), Duration::from_secs(20), &env).unwrap();
    let client = Client::new(settings).unwrap();
    assert!(ask_with(&client, None).0.is_ok());
    let fault = ask_with(&client, None).0.unwrap_err().to_string();
    has(&fault, &["who are you", "without a key", "OPENAI_API_KEY"]);
    assert!(
        !stub.requests()[0]
            .head
            .to_lowercase()
            .contains("authorization")
    );
}

#[test]
fn credentials_of_the_address_are_sent_and_never_told() {
    let echo = "got Basic bWU6aHVzaC1odXNo (me:hush-hush)";
    let stub = Stub::start([Reply::error(401, echo)]).unwrap();
    let url = stub.url().replace("http://", "http://me:hush-hush@");
    let env = |name: &str| (name == "OPENAI_BASE_URL").then(|| url.clone());
    let settings = Settings::from_environment(Some("m"), Duration::from_secs(20), &env).unwrap();
    let client = Client::new(settings).unwrap();
    let (result, log) = ask_with(&client, None);
    let said = format!(
        "{result:?} {log:?} {client:?} {}",
        result.as_ref().unwrap_err()
    );
    assert!(
        !said.contains("hush") && !said.contains("bWU6aHVzaC1odXNo"),
        "{said}"
    );
    has(
        &stub.requests()[0].head.to_lowercase(),
        &["authorization: basic bwu6ahvzac1odxno\r\n"],
    );
}

#[test]
fn k32_a_refused_port_is_tried_five_times() {
    let port = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap().port()
    };
    let client = client(&format!("http://127.0.0.1:{port}"), Duration::from_secs(20));
    let (result, log) = ask_with(&client, None);
    let fault = result.unwrap_err();
    assert!(matches!(fault, ModelFault::Unreachable { .. }), "{fault:?}");
    has(
        &fault.to_string(),
        &[
            &format!("http://127.0.0.1:{port}/v1/chat/completions"),
            "5 attempts",
            "efused",
            "is a server running there?",
            "OPENAI_BASE_URL",
        ],
    );
    assert_eq!(log.len(), 5, "{log:?}");
}

#[test]
fn k32_a_dropped_connection_and_a_broken_body_are_retried() {
    let got = ask([
        Reply::dropped(),
        Reply::broken_off(),
        Reply::completion("a"),
    ]);
    assert_eq!(got.answer().text, "a");
    assert_eq!(got.requests.len(), 3);
    let bodies: Vec<_> = got.requests.iter().map(|request| &request.body).collect();
    assert!(bodies.windows(2).all(|pair| pair[0] == pair[1]));

    let got = ask(std::iter::repeat_n(Reply::broken_off(), 9));
    assert_eq!(got.requests.len(), 5);
    has(&got.fault(), &["5 attempts", "broke off"]);
    let got = ask(std::iter::repeat_n(Reply::raw("SSH-2.0-x\r\n"), 9));
    has(&got.fault(), &["does it speak HTTP there?"]);
}

#[test]
fn k32_a_server_that_hangs_is_a_time_out_wherever_it_hangs() {
    let too_long = Duration::from_secs(8);
    for slow in [
        Reply::completion("late").after(too_long),
        Reply::completion("late").stalled(too_long),
    ] {
        let stub = Stub::start([slow, Reply::completion("in time")]).unwrap();
        let client = client(&stub.url(), Duration::from_secs(1));
        let start = Instant::now();
        let (result, log) = ask_with(&client, None);
        assert_eq!(result.unwrap().text, "in time");
        assert!(
            start.elapsed() < Duration::from_secs(6),
            "{:?}",
            start.elapsed()
        );
        has(&log[0], &["no answer within 1 s"]);
    }
    let stub = Stub::start(std::iter::repeat_n(
        Reply::completion("late").after(too_long),
        9,
    ))
    .unwrap();
    let (result, _) = ask_with(&client(&stub.url(), Duration::from_millis(500)), None);
    has(
        &result.unwrap_err().to_string(),
        &["did not answer within 0.5 s", "5 attempts", "--timeout"],
    );
}

#[test]
fn k32_rate_limits_are_waited_out_as_the_server_names_them() {
    let far = "Fri, 31 Dec 2100 23:59:59 GMT";
    let got = ask([
        Reply::error(429, "slow down").header("Retry-After", "7"),
        Reply::error(429, "slow down").header("Retry-After", far),
        Reply::error(429, "slow down").header("Retry-After", "0"),
        Reply::error(503, "slow down"),
        Reply::completion("a"),
    ]);
    assert_eq!(got.answer().text, "a");
    has(&got.log[0], &["attempt 1", "429", "slow down", "in 7.0 s"]);
    has(&got.log[1], &["in 60.0 s"]);
    has(&got.log[2], &["in 0.0 s"]);
    has(&got.log[3], &["attempt 4", "503"]);
    has(
        &got.log[4],
        &["attempt 5", "finish reason stop", "11 prompt tokens"],
    );
    assert_eq!(got.log.len(), 5);
}

#[test]
fn k32_the_fifth_failure_is_the_last_and_quotes_the_server() {
    let got = ask(std::iter::repeat_n(Reply::error(500, "out of memory"), 9));
    assert_eq!(got.requests.len(), 5);
    has(&got.fault(), &["5 attempts", "500", "\"out of memory\""]);
    assert_eq!(
        ask([Reply::error(500, "oh"), Reply::completion("a")])
            .answer()
            .text,
        "a"
    );
}

const NO_CAP: &str = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
const NO_HEAT: &str = "Unsupported value: 'temperature' does not support 0 with this model.";

#[test]
fn k32_an_unsupported_parameter_is_adapted_once_and_remembered() {
    let stub = Stub::start([
        Reply::error(400, NO_CAP),
        Reply::error(400, NO_HEAT),
        Reply::completion("a"),
        Reply::completion("b"),
    ])
    .unwrap();
    let client = client(&stub.url(), Duration::from_secs(20));
    assert_eq!(ask_with(&client, None).0.unwrap().text, "a");
    assert_eq!(ask_with(&client, None).0.unwrap().text, "b");
    let forms: Vec<_> = stub
        .requests()
        .iter()
        .map(|request| {
            let body = request.json();
            ["max_tokens", "max_completion_tokens", "temperature"].map(|name| body[name].as_u64())
        })
        .collect();
    let cap = Some(16_384);
    let adapted = [None, cap, None];
    assert_eq!(
        forms,
        [[cap, None, Some(0)], [None, cap, Some(0)], adapted, adapted]
    );
}

#[test]
fn k32_one_refusal_may_name_both_and_neither_costs_a_retry() {
    let both = "Unsupported parameters: max_tokens, temperature";
    let mut replies = vec![Reply::error(400, both)];
    replies.extend(std::iter::repeat_n(Reply::error(500, "oh"), 4));
    replies.push(Reply::completion("a"));
    let got = ask(replies);
    assert_eq!(got.answer().text, "a");
    let body = got.requests[1].json();
    assert!(body.get("max_tokens").is_none() && body.get("temperature").is_none());
}

#[test]
fn k32_a_parameter_refused_again_ends_the_run() {
    let got = ask(std::iter::repeat_n(Reply::error(400, NO_HEAT), 9));
    assert_eq!(got.requests.len(), 2);
    has(&got.fault(), &["400", "'temperature' does not support 0"]);
}

#[test]
fn k32_other_statuses_end_the_run_at_once_and_quote_the_server() {
    for (status, part) in [
        (400, "--model stub-model"),
        (401, "OPENAI_API_KEY"),
        (403, "OPENAI_API_KEY"),
        (404, "--model stub-model"),
        (413, ""),
        (418, ""),
    ] {
        let got = ask([
            Reply::error(status, "no such account: kilnworks"),
            Reply::completion("a"),
        ]);
        assert_eq!(got.requests.len(), 1, "{status}");
        let status = status.to_string();
        has(
            &got.fault(),
            &[
                "/v1/chat/completions",
                "no such account: kilnworks",
                &status,
                part,
            ],
        );
        assert!(!got.result.unwrap_err().refused_schema());
    }
}

#[test]
fn k32_a_server_that_knows_no_such_request_is_told_from_one_that_failed() {
    let page = "<!DOCTYPE HTML><p>Unsupported method ('POST').";
    let of = |status| ask(std::iter::repeat_n(Reply::new(status, page), 9)).fault();
    has(&of(501), &["501", "Unsupported method", "OPENAI_BASE_URL"]);
    assert!(!of(502).contains("OPENAI_BASE_URL"));
}

#[test]
fn k32_a_long_message_is_cut_at_500_characters() {
    let long = "é".repeat(600);
    let got = ask([Reply::error(403, &long)]);
    has(&got.fault(), &[&format!("\"{}...\"", "é".repeat(500))]);
}

#[test]
fn k32_a_cap_that_is_too_large_is_not_adapted_but_explained() {
    let got = ask([Reply::error(
        400,
        "max_tokens is too large: 16384. This model has a context of 8192",
    )]);
    assert_eq!(got.requests.len(), 1);
    has(
        &got.fault(),
        &["SEDUM_MAX_COMPLETION_TOKENS", "16384 tokens"],
    );
}

#[test]
fn n24_a_refused_schema_names_the_flag() {
    let said = "this build cannot constrain json_schema";
    let schema = schema();
    for reply in [
        Reply::error(400, said),
        Reply::error(422, "no"),
        Reply::error(200, "response_format is unknown here"),
    ] {
        let got = run([reply], Some(&schema));
        assert_eq!(got.requests.len(), 1);
        has(&got.fault(), &["--response-schema"]);
        assert!(got.result.unwrap_err().refused_schema());
    }
    has(
        &run([Reply::error(400, said)], Some(&schema)).fault(),
        &[said],
    );
    for other in [
        Reply::error(401, "no"),
        Reply::error(400, "the context is full"),
    ] {
        let got = run([other], Some(&schema));
        assert!(!got.fault().contains("--response-schema"));
    }
    assert!(
        !ask([Reply::error(400, said)])
            .fault()
            .contains("--response-schema")
    );
}

#[test]
fn k32_a_body_that_is_no_completion_ends_the_run() {
    let html = Reply::new(200, "<!doctype html><title>Hello</title>");
    has(
        &ask([html]).fault(),
        &["HTML", "OPENAI_BASE_URL", "<title>Hello"],
    );
    let page = Reply::new(404, "<html>nothing here");
    has(&ask([page]).fault(), &["404", "HTML", "nothing here"]);
    let long = Reply::new(200, "x".repeat(300));
    has(
        &ask([long]).fault(),
        &[&format!("\"{}...\"", "x".repeat(200))],
    );
    let empty = Reply::new(200, r#"{"choices":[]}"#);
    has(&ask([empty]).fault(), &["list of choices is empty"]);
    let failed = Reply::error(200, "the model crashed");
    let got = ask([failed]);
    assert_eq!(got.requests.len(), 1);
    has(&got.fault(), &["\"the model crashed\""]);
    let terminal = Reply::new(200, "\u{1b}]0;x\u{7}");
    assert!(!ask([terminal]).fault().contains('\u{1b}'));
}

#[test]
fn x36_a_body_over_32_mib_is_a_fault_announced_or_not() {
    let big = vec![b' '; 40 * 1024 * 1024];
    has(&ask([Reply::new(200, big.clone())]).fault(), &["32 MiB"]);
    let mut unannounced = b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".to_vec();
    unannounced.extend(big);
    let raw = Reply::raw(&String::from_utf8(unannounced).unwrap());
    has(&ask([raw]).fault(), &["32 MiB"]);
}

#[test]
fn k29_k32a_finish_and_reasoning_are_reported() {
    let body = r#"{"choices":[{"message":{"content":"","reasoning_content":"thought"},"finish_reason":"length"}]}"#;
    let got = ask([Reply::new(200, body)]);
    let want = Answer {
        text: "thought".into(),
        truncated: true,
        finish: Some("length".into()),
        from_reasoning: true,
        prompt_tokens: 0,
        completion_tokens: 0,
    };
    assert_eq!(got.answer(), &want);
    has(
        &got.log.join("\n"),
        &["reasoning_content", "tokens not reported"],
    );
}

#[test]
fn g4_a_server_that_echoes_the_key_gives_nothing_away() {
    let echo = format!("bad key {KEY}!");
    for reply in [
        Reply::error(401, &echo),
        Reply::new(500, echo.clone()),
        Reply::new(200, echo.clone()),
        Reply::error(200, &echo),
        Reply::new(302, "").header("Location", &format!("/login?key={KEY}")),
        Reply::new(302, "").header("Location", &format!("/{KEY}/login")),
        Reply::new(
            200,
            format!(r#"{{"choices":[{{"message":{{"content":"a"}},"finish_reason":"{KEY}"}}]}}"#),
        ),
    ] {
        // `run` itself asserts that the key is nowhere.
        let _ = ask(std::iter::repeat_n(reply, 5));
    }
    has(
        &ask([Reply::error(401, &echo)]).fault(),
        &["\"bad key [hidden]!\""],
    );
    let split = format!("{}{KEY}", "x".repeat(490));
    let got = ask([Reply::error(401, &split)]);
    assert!(!got.fault().contains("sk-live"), "{}", got.fault());
    has(
        &ask([Reply::completion(&echo)]).fault(),
        &["repeats the API key"],
    );
}

#[test]
fn a_redirect_is_told_and_not_followed() {
    let elsewhere = Stub::start([Reply::completion("stolen")]).unwrap();
    for status in [301, 302, 307, 308] {
        let target = format!("{}/chat/completions", elsewhere.url());
        let got = ask([Reply::new(status, "").header("Location", &target)]);
        assert_eq!(got.requests.len(), 1);
        has(&got.fault(), &[&target, "OPENAI_BASE_URL"]);
    }
    assert!(elsewhere.requests().is_empty());
}

#[test]
fn k32_what_one_thread_learns_of_the_server_all_know() {
    let mut replies = vec![Reply::error(400, NO_CAP); 2];
    replies.extend(std::iter::repeat_n(Reply::completion("a"), 6));
    let stub = Stub::start(replies).unwrap();
    let client = client(&stub.url(), Duration::from_secs(20));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                for _ in 0..2 {
                    // The second refusal may meet a call that already is in the new form; then it ends that call.
                    let _ = ask_with(&client, None);
                }
            });
        }
    });
    let last = stub.requests().pop().unwrap().json();
    assert!(last.get("max_tokens").is_none());
}
