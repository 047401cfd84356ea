//! The command.
#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::exit)]
fn main() {
    let mut builder = tosca_parse::Parser::builder();
    let mut args = std::env::args().skip(1);
    let mut files = Vec::new();
    let mut quiet = false;
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--quiet" => quiet = true,
            "--profile-path" => builder = builder.profile_path(args.next().unwrap()),
            "--threads" => builder = builder.threads(args.next().unwrap().parse().unwrap()),
            _ => files.push(arg),
        }
    }
    let parser = builder.build().unwrap();
    let mut valid = true;
    for file in files {
        let outcome = parser.parse(&file).unwrap();
        valid &= outcome.is_valid();
        let _ = quiet;
        print!("{}", tosca_parse::diagnostic::render::Concise::new(&outcome.diagnostics, &outcome.sources));
    }
    std::process::exit(i32::from(!valid));
}
