//! Where the program prints: stdout, stderr, colour, width, and a pipe that closes early.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::io::{self, IsTerminal as _, Write as _};

use clap::builder::StyledStr;

use crate::diag::{printable, printable_json};
use crate::pipeline::RunError;
use crate::platform;
use crate::report::failure;
use crate::report::findings::Drawing;

use super::args::Color;
use super::failure::Failure;

/// The program's two streams. Output to stdout is held back and written in large pieces.
pub(super) struct Terminal {
    out: io::BufWriter<io::Stdout>,
    color: Color,
    closed: bool,
    /// Why what was to be printed could not be.
    lost: Option<io::Error>,
}

impl Default for Terminal {
    fn default() -> Self {
        Self {
            out: io::BufWriter::with_capacity(1 << 16, io::stdout()),
            color: Color::Auto,
            closed: false,
            lost: None,
        }
    }
}

impl Terminal {
    pub fn set_color(&mut self, color: Color) {
        self.color = color;
    }

    /// Whether stdout takes colour.
    pub fn out_color(&self) -> bool {
        self.wants_color(io::stdout().is_terminal())
    }

    /// Whether stderr takes colour.
    pub fn error_color(&self) -> bool {
        self.wants_color(io::stderr().is_terminal())
    }

    fn wants_color(&self, is_terminal: bool) -> bool {
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        match self.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                is_terminal
                    && !is_set("NO_COLOR")
                    && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
                    && platform::console_reads_escapes()
            }
        }
    }

    /// Whether stdout is a terminal.
    pub fn is_terminal(&self) -> bool {
        self.out.get_ref().is_terminal()
    }

    /// Whether stderr is a terminal.
    pub fn error_is_terminal() -> bool {
        io::stderr().is_terminal()
    }

    /// How many columns a report may take: the terminal's, else 100.
    pub fn width() -> usize {
        terminal_size::terminal_size().map_or(100, |(width, _)| usize::from(width.0))
    }

    /// Prints text to stdout, with a line break at its end.
    pub fn out(&mut self, text: &str) {
        if self.closed {
            return;
        }
        let text = printable(text, self.out_color());
        let ending: &[u8] = if text.is_empty() || text.ends_with('\n') {
            b""
        } else {
            b"\n"
        };
        let written = self
            .out
            .write_all(text.as_bytes())
            .and_then(|()| self.out.write_all(ending));
        self.note(written);
    }

    /// Prints a JSON document to stdout.
    pub fn json(&mut self, document: &str) {
        self.out(&printable_json(document));
    }

    /// Ends the output at its first error. A reader that has gone away has seen what it wanted (U3); anything else loses
    /// what the command was for.
    fn note(&mut self, written: io::Result<()>) {
        let Err(error) = written else {
            return;
        };
        self.closed = true;
        if error.kind() != io::ErrorKind::BrokenPipe {
            self.lost = Some(error);
        }
    }

    /// Prints text to stderr, with a line break at its end, after what stdout has been given.
    pub fn err(&mut self, text: &str) {
        self.flush();
        let text = text.strip_suffix('\n').unwrap_or(text);
        let text = printable(text, self.error_color());
        let _ = writeln!(io::stderr().lock(), "{text}");
    }

    /// Prints a warning to stderr.
    pub fn warning(&mut self, text: &str) {
        self.err(&format!("sedum: warning: {text}"));
    }

    /// How stderr shows source lines: drawn on a terminal, left out elsewhere.
    pub fn drawing(&self) -> Option<Drawing> {
        Self::error_is_terminal().then(|| Drawing {
            color: self.error_color(),
            width: Self::width(),
        })
    }

    /// A failed run as it is to be printed.
    pub fn run_failed(&self, error: &RunError) -> Failure {
        Failure {
            status: error.status(),
            message: failure::message(error, self.drawing()),
        }
    }

    /// Prints a failure to stderr, once.
    pub fn failure(&mut self, failure: &Failure) {
        if !failure.message.is_empty() {
            self.err(&format!("sedum: {}", failure.message));
        }
    }

    /// Prints clap's text to stdout.
    pub fn styled(&mut self, text: &StyledStr) {
        let text = if self.out_color() {
            text.ansi().to_string()
        } else {
            text.to_string()
        };
        self.out(&text);
    }

    /// Prints clap's text to stderr.
    pub fn styled_error(&mut self, text: &StyledStr) {
        let text = if self.error_color() {
            text.ansi().to_string()
        } else {
            text.to_string()
        };
        self.err(&text);
    }

    fn flush(&mut self) {
        if !self.closed {
            let flushed = self.out.flush();
            self.note(flushed);
        }
    }

    /// Writes out what is held back. Fails when something that the command was to print is lost.
    pub fn finish(&mut self) -> Result<(), Failure> {
        self.flush();
        match self.lost.take() {
            None => Ok(()),
            Some(error) => Err(Failure::failed(format!(
                "stdout cannot be written: {error}; the command has done its work, but what it had to say is incomplete"
            ))),
        }
    }
}
