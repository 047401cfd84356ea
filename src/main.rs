//! The command.

use std::process::ExitCode;

fn main() -> ExitCode {
    tosca_parse::cli::run(std::env::args_os())
}
