//! Diagrams of services and plans, in all formats of [`Graph`].
//!
//! Every node template is a box with its name, its type, and some properties; every requirement with a target is an
//! arrow; an open requirement is a marked line in the box of its node. Groups are frames.
//!
//! ```
//! use tosca_parse::graph::{Graph, Options};
//! use tosca_parse::normal::Service;
//! use tosca_parse::{Entry, Parser, TOSCA};
//!
//! let parser = Parser::builder(&TOSCA).build()?;
//! let text = "
//! tosca_definitions_version: tosca_2_0
//! node_types:
//!   Server: {}
//! service_template:
//!   node_templates:
//!     web: { type: Server }
//! ";
//! let outcome = parser.parse_entry(Entry::text(parser.address("service.yaml")?, text));
//! let service = Service::of(&outcome.program).ok_or("there is no service template")?;
//! let graph = Graph::of(&service, Options::default());
//! assert!(graph.svg()?.starts_with("<svg "));
//! assert!(graph.mermaid().contains("web"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod plan;
mod service;
mod subject;
mod substitution;
mod timeline;
mod value;

pub use subject::Subject;
pub use substitution::Substitutions;
pub use timeline::Timeline;
pub use tosca_parse_graph::*;
