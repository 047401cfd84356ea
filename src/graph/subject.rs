//! The subject of the diagram of a file.

use tosca_parse_graph::{Graph, Options, ToGraph};

use crate::entity::Topology;
use crate::normal::{self, Service, ServiceStream};
use crate::phase::Program;
use crate::phase::inheritance::Complete;

/// The topology that the entry of a program describes, without its secrets.
#[derive(Debug)]
pub enum Subject<'a> {
    /// The service of a TOSCA file.
    Service(Box<ServiceStream<'a>>),
    /// The topology of a file in another language.
    Topology(Topology),
}

impl<'a> Subject<'a> {
    /// Returns the topology of the entry, even if it is not valid; `None` if it has none.
    pub fn of(program: &'a Program<Complete>) -> Option<Self> {
        if let Some(topology) = program.language().and_then(|language| (language.topology)(program)) {
            return Some(Self::Topology(topology.masked(&program.secrets())));
        }
        let options = normal::Options { positions: true, ..normal::Options::default() };
        let service = Service::stream(program, options)?.masked(program.secrets());
        Some(Self::Service(Box::new(service)))
    }
}

impl ToGraph for Subject<'_> {
    fn to_graph(&self, options: Options) -> Graph {
        match self {
            Self::Service(service) => service.to_graph(options),
            Self::Topology(topology) => topology.to_graph(options),
        }
    }
}
