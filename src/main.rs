//! The `sedum` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    sedum::cli::run(std::env::args_os())
}
