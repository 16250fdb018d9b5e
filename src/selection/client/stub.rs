//! A model server for tests: answers what it is told to, in order, on a free loopback port.
//!
//! It needs the standard library only and knows nothing of the client, so that any test may use it. Each connection
//! carries one request and is then closed. More requests than answers get a 418.

// No one test uses all of it.
#![allow(dead_code)]

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// One answer: a status, headers and a body, or a way of not answering.
#[derive(Debug, Clone)]
pub struct Reply {
    status: u16,
    headers: String,
    body: Vec<u8>,
    before: Duration,
    manner: Manner,
}

/// How a reply is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Manner {
    Whole,
    /// Nothing at all.
    Dropped,
    /// The body as it is, but announced as longer.
    BrokenOff,
    /// Headers at once, then no body until this long has passed.
    Stalled(Duration),
    /// The body as it is and nothing else: no status line, no headers.
    Raw,
}

impl Reply {
    /// A response with any status and body.
    pub fn new(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status,
            headers: String::new(),
            body: body.into(),
            before: Duration::ZERO,
            manner: Manner::Whole,
        }
    }

    /// An ordinary completion with this text.
    pub fn completion(text: &str) -> Self {
        let text = serde_json::Value::from(text);
        Self::new(
            200,
            format!(
                r#"{{"choices":[{{"index":0,"message":{{"role":"assistant","content":{text}}},"finish_reason":"stop"}}],
                "usage":{{"prompt_tokens":11,"completion_tokens":7,"total_tokens":18}}}}"#
            ),
        )
    }

    /// A refusal with the usual error object.
    pub fn error(status: u16, message: &str) -> Self {
        let message = serde_json::Value::from(message);
        Self::new(
            status,
            format!(
                r#"{{"error":{{"message":{message},"type":"invalid_request_error","param":null,"code":null}}}}"#
            ),
        )
    }

    /// The connection is closed without an answer.
    pub fn dropped() -> Self {
        Self::new(0, "").sent(Manner::Dropped)
    }

    /// The connection is closed in the middle of a body.
    pub fn broken_off() -> Self {
        Self::new(200, r#"{"choices":[{"mess"#).sent(Manner::BrokenOff)
    }

    /// Bytes that are no HTTP.
    pub fn raw(bytes: &str) -> Self {
        Self::new(0, bytes).sent(Manner::Raw)
    }

    /// With one header more.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        let _ = write!(self.headers, "{name}: {value}\r\n");
        self
    }

    /// Only after some time.
    pub fn after(mut self, time: Duration) -> Self {
        self.before = time;
        self
    }

    /// Headers at once, the body only after some time.
    pub fn stalled(self, time: Duration) -> Self {
        self.sent(Manner::Stalled(time))
    }

    fn sent(mut self, manner: Manner) -> Self {
        self.manner = manner;
        self
    }

    fn send(&self, stream: &mut TcpStream) -> std::io::Result<()> {
        thread::sleep(self.before);
        match self.manner {
            Manner::Dropped => return Ok(()),
            Manner::Raw => return stream.write_all(&self.body),
            _ => {}
        }
        let longer = usize::from(self.manner == Manner::BrokenOff);
        write!(
            stream,
            "HTTP/1.1 {} Stub\r\nContent-Length: {}\r\nConnection: close\r\n{}\r\n",
            self.status,
            self.body.len() + longer,
            self.headers
        )?;
        if let Manner::Stalled(time) = self.manner {
            thread::sleep(time);
        }
        stream.write_all(&self.body)
    }
}

/// A request as it arrived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The request line and the headers, a line each.
    pub head: String,
    /// The body.
    pub body: String,
}

impl Request {
    /// The body as JSON; null when it is none.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }

    fn read(stream: &TcpStream) -> std::io::Result<Self> {
        let mut reader = BufReader::new(stream);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") && reader.read_line(&mut head)? > 0 {}
        let lower = head.to_lowercase();
        let length = lower
            .lines()
            .find_map(|line| line.strip_prefix("content-length:"));
        let length = length.and_then(|n| n.trim().parse().ok()).unwrap_or(0);
        let mut body = String::new();
        reader.take(length).read_to_string(&mut body)?;
        Ok(Self { head, body })
    }
}

/// A running stub. Its thread ends with the test's program.
#[derive(Debug)]
pub struct Stub {
    address: std::net::SocketAddr,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Stub {
    /// Starts a stub that gives these answers, one a request.
    pub fn start(replies: impl IntoIterator<Item = Reply>) -> std::io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        let requests: Arc<Mutex<Vec<Request>>> = Arc::default();
        let replies: Arc<Mutex<std::collections::VecDeque<Reply>>> =
            Arc::new(Mutex::new(replies.into_iter().collect()));
        let seen = Arc::clone(&requests);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (seen, replies) = (Arc::clone(&seen), Arc::clone(&replies));
                thread::spawn(move || serve(stream, &seen, &replies));
            }
        });
        Ok(Self { address, requests })
    }

    /// The base URL to configure, with `/v1`.
    pub fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// What was asked so far, in the order of arrival.
    pub fn requests(&self) -> Vec<Request> {
        let requests = self.requests.lock();
        requests.unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn serve(
    mut stream: TcpStream,
    seen: &Mutex<Vec<Request>>,
    replies: &Mutex<std::collections::VecDeque<Reply>>,
) {
    let Ok(request) = Request::read(&stream) else {
        return;
    };
    let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
    seen.push(request);
    let mut replies = replies.lock().unwrap_or_else(PoisonError::into_inner);
    let reply = replies.pop_front();
    drop((seen, replies));
    let reply = reply.unwrap_or_else(|| Reply::error(418, "the stub has no answer for this"));
    // A client that hangs up is no fault of the stub.
    let _ = reply.send(&mut stream);
}
