//! The complete command for a custom language: validation, fixes, baselines, configuration, reports, and a language
//! server.

use std::process::ExitCode;

use kitchen::KITCHEN;
use tosca_parse::TOSCA;

fn main() -> ExitCode {
    tosca_parse_cli::run(&[&KITCHEN, &TOSCA], std::env::args_os())
}
