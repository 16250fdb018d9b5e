//! The command line: flags to a configuration, a configuration to a pipeline, what came out to a report (P17).
//!
//! One file a command. Flags are checked before any work (U11); this is the one place that prints an error and maps it
//! to an exit status (U3).

mod actions;
pub mod args;
mod completions;
mod failure;
mod grow;
mod render;
mod resolve;
mod schema;
mod signals;
mod terminal;
mod validate;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser as _;
use clap::error::ErrorKind;

use args::{Args, Command};
use failure::Failure;
use terminal::Terminal;

/// Runs the program with its arguments, the program's name first, and gives its exit status (U3): 0 for success, 1
/// when a run, validation or check failed, 2 for a usage error, 3 when the model endpoint failed.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let mut terminal = Terminal::default();
    let args = match Args::try_parse_from(arguments) {
        Ok(args) => args,
        Err(error) => return ExitCode::from(usage(&error, &mut terminal)),
    };
    terminal.set_color(args.color);
    let result = match args.command {
        Command::Grow(args) => grow::run(*args, &mut terminal),
        Command::Validate(args) => validate::run(&args, &mut terminal),
        Command::Resolve(args) => resolve::run(&args, &mut terminal),
        Command::Actions(args) => actions::run(&args, &mut terminal),
        Command::Render(args) => render::run(&args, &mut terminal),
        Command::Schema(args) => schema::run(&args, &mut terminal),
        Command::Completions(args) => {
            completions::run(&args, &mut terminal);
            Ok(())
        }
    };
    let mut status = 0;
    // Both may fail, and the run's own failure decides the status.
    if let Err(failure) = result {
        terminal.failure(&failure);
        status = failure.status;
    }
    ExitCode::from(finished(&mut terminal, status))
}

/// Writes out what is held back; the status that remains.
fn finished(terminal: &mut Terminal, status: u8) -> u8 {
    match terminal.finish() {
        Err(failure) if status == 0 => {
            terminal.failure(&failure);
            failure.status
        }
        _ => status,
    }
}

/// What clap has to say: help and version on stdout, anything else as one error.
fn usage(error: &clap::Error, terminal: &mut Terminal) -> u8 {
    let text = error.render();
    match error.kind() {
        ErrorKind::DisplayHelp => terminal.styled(&text),
        ErrorKind::DisplayVersion => terminal.out(crate::VERSION),
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            terminal.styled_error(&text);
            return 2;
        }
        _ => {
            let plain = text.to_string();
            let message = plain.strip_prefix("error: ").unwrap_or(&plain);
            terminal.failure(&Failure::usage(message.trim_end()));
            return 2;
        }
    }
    finished(terminal, 0)
}
