//! Recordings of calls: their results and requests.

use std::io;

use serde::Serialize;
use tosca_parse::graph::{Graph, Options};
use tosca_parse::murano::Effect;
use tosca_parse::murano::graph::Deployment;
use tosca_parse::yaql::{Error, Value};

use super::super::ExitStatus;
use super::super::args::Record;
use super::super::graph::put;
use super::super::streams::Streams;
use super::{refused, show};

/// The result of a call, and the requests that it would have sent, in order.
#[derive(Serialize)]
struct Recording {
    result: Value,
    steps: Vec<Value>,
}

pub(super) fn write(
    streams: &mut Streams,
    call: &str,
    format: Record,
    recorded: Result<(Value, Vec<Effect>), Error>,
) -> io::Result<ExitStatus> {
    let (result, effects) = match recorded {
        Ok(recorded) => recorded,
        Err(error) => return refused(streams, &error),
    };
    let graph = || Graph::of(&Deployment { title: call, effects: &effects }, Options::default());
    let diagram = match format {
        Record::Json => {
            let steps = effects.iter().map(Effect::to_value).collect();
            return show(streams, Ok(Recording { result, steps }));
        }
        Record::Dot => graph().dot(),
        Record::Mermaid => graph().mermaid(),
        Record::Svg => match graph().svg() {
            Ok(diagram) => diagram,
            Err(error) => {
                writeln!(streams.err(), "error: {error}")?;
                return Ok(ExitStatus::Invalid);
            }
        },
    };
    put(diagram.as_bytes(), None, streams)
}
