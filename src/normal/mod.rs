//! The normal model: a service with everything applied to everything.
//!
//! A template says as little as its author can get away with: the rest comes from types, from what these are derived
//! from, from defaults and from the templates that it copies. An orchestrator wants none of that. It wants every node
//! with all its properties, whatever they come from, every requirement with its relationship and the node at its other
//! end, and nothing that has to be looked up. That is what a [`Service`] is: flat, self-contained, ordered as the
//! source is (with what is inherited first), and the same for all versions of TOSCA.
//!
//! What can only be known when the service runs stays what it is: values that call functions are calls (see
//! [`Value`]), and requirements whose node has yet to be found are [`dangling`](Requirement::dangling).
//!
//! [`Outcome::service`](crate::Outcome::service) gives the model. It can be written in any format that serde knows,
//! and read again:
//!
//! ```
//! use tosca_parse::normal::Service;
//! use tosca_parse::{Entry, Parser};
//!
//! let parser = Parser::builder().build()?;
//! let text = "
//! tosca_definitions_version: tosca_2_0
//! node_types:
//!   Server:
//!     properties:
//!       size: { type: string, default: small }
//! service_template:
//!   node_templates:
//!     web: { type: Server }
//! ";
//! let outcome = parser.parse_entry(Entry::text(parser.address("service.yaml")?, text));
//! let service = outcome.service().expect("there is a service template");
//! assert_eq!(service.nodes["web"].properties["size"].value, Some("small".into()));
//!
//! let json = serde_json::to_string(&service)?;
//! assert_eq!(serde_json::from_str::<Service>(&json)?, service);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod build;
mod model;
mod value;

pub use model::*;
pub use value::{Call, Map, Name, Value};

use crate::grammar::tosca::resolve::Resolution;
use crate::phase::Program;
use crate::phase::inheritance::Complete;

/// The version of the form of a [`Service`]. Fields may be added within a version; none is removed, renamed or given
/// another meaning.
pub const VERSION: u32 = 1;

/// What a model shall say besides the service itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether everything says where it is written.
    pub positions: bool,
}

/// The JSON Schema of a [`Service`] as it is written: what `docs/model.schema.json` has.
///
/// ```
/// let schema = tosca_parse::normal::json_schema();
/// assert_eq!(schema["title"], "Service");
/// assert_eq!(schema["properties"]["model"]["const"], tosca_parse::normal::VERSION);
/// ```
#[cfg(feature = "schema")]
pub fn json_schema() -> serde_json::Value {
    crate::json_schema::of::<Service>()
}

/// The model of the service that the entry of a program describes; nothing if it describes none.
///
/// Requirements that the template leaves open are fulfilled as far as a resolution says.
pub(crate) fn service(
    program: &Program<Complete>,
    resolution: Option<&Resolution>,
    options: Options,
) -> Option<Service> {
    build::Builder::new(program, resolution, options).service()
}
