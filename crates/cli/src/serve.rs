//! The HTTP service command.

use std::io;
use std::net::TcpListener;

use tosca_parse_serve::{Limits, Settings};

use super::ExitStatus;
use super::args::{ReadArgs, RuleOverrides, Serve, SourceArgs};
use super::parsers::Readers;
use super::streams::Streams;
use tosca_parse::Entry;
use tosca_parse::source::Address;

/// Serves validation, models, diagrams, plans, forms and migration over HTTP.
pub(super) fn run(arguments: Serve, streams: &mut Streams) -> io::Result<ExitStatus> {
    if arguments.max_bodies < arguments.max_body {
        writeln!(streams.err(), "error: `--max-bodies` must not be less than `--max-body`")?;
        return Ok(ExitStatus::Misused);
    }
    let reading = ReadArgs {
        access: SourceArgs {
            offline: !arguments.online,
            allow_private_network: arguments.allow_private_network,
            limit: arguments.limit,
            ..SourceArgs::default()
        },
        profile_path: arguments.profile_path,
        quirk: arguments.quirk,
        sandbox: true,
        ..ReadArgs::default()
    };
    let wishes = RuleOverrides::default();
    let mut readers = Readers::new(&reading, &wishes, None).searching_again();
    let parser = Address::parse("memory:/service.yaml")
        .map_err(|error| error.to_string())
        .and_then(|address| readers.entry(Entry::at(address)))
        .map(|(number, _)| readers.parser(number).clone());
    let parser = match parser {
        Ok(parser) => parser,
        Err(message) => {
            writeln!(streams.err(), "error: {message}")?;
            return Ok(ExitStatus::Misused);
        }
    };
    let listener = match TcpListener::bind(arguments.listen) {
        Ok(listener) => listener,
        Err(error) => {
            writeln!(streams.err(), "error: can't listen on {}: {error}", arguments.listen)?;
            return Ok(ExitStatus::Invalid);
        }
    };
    writeln!(streams.err(), "listening on http://{}", listener.local_addr()?)?;
    streams.err().flush()?;
    let mut limits = Limits::default();
    limits.body = arguments.max_body;
    limits.bodies = arguments.max_bodies;
    limits.time = arguments.timeout;
    limits.running = arguments.jobs.map_or(limits.running, usize::from);
    limits.waiting = arguments.max_waiting;
    limits.connections = arguments.max_connections;
    let mut settings = Settings::default();
    settings.limits = limits;
    settings.origins = arguments.cors;
    settings.is_logged = arguments.access_log;
    match tosca_parse_serve::serve(listener, parser, readers.memory.clone(), settings) {
        Ok(()) => Ok(ExitStatus::Valid),
        Err(error) => {
            writeln!(streams.err(), "error: {error}")?;
            Ok(ExitStatus::Invalid)
        }
    }
}
