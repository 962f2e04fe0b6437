//! Starts: command line, config, one command, exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    fieldpost::cli::main()
}
