//! `sedum completions`.

use clap::CommandFactory as _;

use super::args::{Args, CompletionsArgs};
use super::terminal::Terminal;

/// Prints a completion script, made from the command tree (O27).
pub(super) fn run(args: &CompletionsArgs, terminal: &mut Terminal) {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "sedum", &mut script);
    terminal.out(&String::from_utf8_lossy(&script));
}
