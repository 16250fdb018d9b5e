//! Writes the man pages of the whole command tree into a folder: `cargo run --example man -- target/man`.
//!
//! Release archives carry the pages; the program does not, so the crate that makes them is no dependency of it.

use std::fs;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use clap::CommandFactory as _;
use sedum::cli::args::Args;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(folder), None) = (arguments.next(), arguments.next()) else {
        return failed("expected one argument, the folder to write the pages into");
    };
    let folder = Path::new(&folder);
    match write(folder) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failed(&format!("{} cannot be written: {error}", folder.display())),
    }
}

/// One page for the program, `sedum.1`, and one for each command, such as `sedum-grow.1`.
fn write(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    clap_mangen::generate_to(Args::command().disable_help_subcommand(true), folder)
}

#[allow(clippy::print_stderr)]
fn failed(why: &str) -> ExitCode {
    eprintln!("man: {why}");
    ExitCode::FAILURE
}
