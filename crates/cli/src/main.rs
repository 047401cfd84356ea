//! The command.

use std::process::ExitCode;

use mimalloc::MiMalloc;
use tosca_parse::LANGUAGES;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    tosca_parse_cli::run(LANGUAGES, std::env::args_os())
}
