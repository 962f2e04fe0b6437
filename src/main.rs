//! Starts: command line, config, one command, exit code.

use std::process::ExitCode;

/// With this allocator, threads that judge side by side do not wait for each other's memory.
#[global_allocator]
static ALLOC: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    fieldpost::cli::main()
}
