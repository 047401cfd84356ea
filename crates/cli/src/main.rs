//! The command.

use std::process::ExitCode;

use mimalloc::MiMalloc;
use tosca_parse::TOSCA;
use tosca_parse::cloudify::CLOUDIFY;
use tosca_parse::heat::HEAT;
use tosca_parse::murano::language::MURANO;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    tosca_parse_cli::run(&[&TOSCA, &MURANO, &HEAT, &CLOUDIFY], std::env::args_os())
}
