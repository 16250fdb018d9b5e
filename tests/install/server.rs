//! A file server on the loopback interface that stands in for the releases page, and can fail as one does.
//!
//! It decides nothing about the installer. It answers HEAD and GET, one request a connection, and keeps a list of what was
//! asked for.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// What is answered for a path; a path without an answer is not found.
#[derive(Clone)]
pub enum Answer {
    Body(Vec<u8>),
    /// Another path of this server.
    Redirect(String),
    /// The whole length is announced, half of it comes, and the connection ends.
    Cut(Vec<u8>),
    /// The same, but the connection stays open until the client closes it.
    Stalled(Vec<u8>),
}

/// A running server; it ends when it is dropped.
pub struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    answers: BTreeMap<String, Answer>,
    asked: Mutex<Vec<String>>,
    over: AtomicBool,
}

impl Server {
    pub fn start(answers: BTreeMap<String, Answer>) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            answers,
            asked: Mutex::default(),
            over: AtomicBool::new(false),
        });
        let seen = Arc::clone(&shared);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if seen.over.load(Ordering::SeqCst) {
                    break;
                }
                let seen = Arc::clone(&seen);
                // A client that goes away is no fault of the server's.
                thread::spawn(move || answer(&stream, &seen).unwrap_or_default());
            }
        });
        Self { address, shared }
    }

    /// The address of a path.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// What was asked for so far, such as `GET /latest`.
    pub fn asked(&self) -> Vec<String> {
        self.shared.asked.lock().unwrap().clone()
    }

    /// Waits until this was asked for.
    pub fn wait_for(&self, request: &str) {
        let started = Instant::now();
        while !self.asked().iter().any(|asked| asked == request) {
            assert!(
                started.elapsed() < Duration::from_secs(20),
                "nobody asked for {request}"
            );
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.over.store(true, Ordering::SeqCst);
        // The loop sees the end at its next connection.
        drop(TcpStream::connect(self.address));
    }
}

fn answer(mut stream: &TcpStream, shared: &Shared) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream).lines();
    let request = lines.next().unwrap_or_else(|| Ok(String::new()))?;
    for line in lines.by_ref() {
        if line?.is_empty() {
            break;
        }
    }
    let mut words = request.split_whitespace();
    let (method, path) = (
        words.next().unwrap_or_default(),
        words.next().unwrap_or_default(),
    );
    shared
        .asked
        .lock()
        .unwrap()
        .push(format!("{method} {path}"));
    let (status, location, body, part) = match shared.answers.get(path) {
        None => ("404 Not Found", None, b"nothing here\n".to_vec(), 1),
        Some(Answer::Body(body)) => ("200 OK", None, body.clone(), 1),
        Some(Answer::Redirect(to)) => ("302 Found", Some(to), Vec::new(), 1),
        Some(Answer::Cut(body) | Answer::Stalled(body)) => ("200 OK", None, body.clone(), 2),
    };
    let location = location.map(|to| format!("Location: {to}\r\n"));
    write!(
        stream,
        "HTTP/1.1 {status}\r\n{}Content-Length: {}\r\nConnection: close\r\n\r\n",
        location.unwrap_or_default(),
        body.len()
    )?;
    if method != "HEAD" {
        stream.write_all(&body[..body.len() / part])?;
        if let Some(Answer::Stalled(_)) = shared.answers.get(path) {
            // The client's end is the end of what it sends.
            lines.next();
        }
    }
    Ok(())
}
