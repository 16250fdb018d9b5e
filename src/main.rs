//! The `sedum` program.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// A run makes and drops many small texts; the systems' own allocators take up to half of its time for that.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    sedum::cli::run(std::env::args_os())
}
