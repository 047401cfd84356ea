//! Diagrams of packages, object models, and recorded deployments.

mod classes;
mod effects;
mod objects;

pub use effects::Deployment;

use tosca_parse_engine::phase::Program;
use tosca_parse_engine::phase::inheritance::Complete;
use tosca_parse_graph::{Graph, Options, ToGraph};

/// The entry of a program to draw: the objects of a model or the classes of a package or class file.
#[derive(Clone, Copy, Debug)]
pub struct Drawing<'a>(pub &'a Program<Complete>);

impl ToGraph for Drawing<'_> {
    fn to_graph(&self, options: Options) -> Graph {
        let Self(program) = *self;
        objects::graph(program, options.properties).unwrap_or_else(|| classes::graph(program, options.properties))
    }
}
