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
//! [`Service::of`] makes the model of a program. It can be written in any format that serde knows,
//! and read again:
//!
//! ```
//! use tosca_parse::normal::Service;
//! use tosca_parse::{Entry, Parser, TOSCA};
//!
//! let parser = Parser::builder(&TOSCA).build()?;
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
//! let service = Service::of(&outcome.program).expect("there is a service template");
//! assert_eq!(service.nodes["web"].properties["size"].value, Some("small".into()));
//!
//! let json = serde_json::to_string(&service)?;
//! assert_eq!(serde_json::from_str::<Service>(&json)?, service);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod build;
mod evaluate;
mod mask;
mod model;
mod parts;
mod plan;
mod stream;
mod value;

pub use evaluate::{Evaluation, Problem, ProblemKind};
pub use model::*;
pub use parts::{Parts, PartsIter};
pub use plan::{Action, Called, Difference, Kind, PLAN_VERSION, Plan, Related, Stage, Step as PlanStep};
#[cfg(feature = "schema")]
pub use plan::{differences_json_schema, plan_json_schema};
pub use stream::Stream;
pub use value::{Call, Map, Name, Value};

use crate::phase::Program;
use crate::phase::inheritance::Complete;
use crate::resolve::Resolution;

/// The version of the form of a [`Service`]. Fields may be added within a version; none is removed, renamed or given
/// another meaning.
pub const VERSION: u32 = 1;

/// What a model says besides the service itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// What fulfils the requirements that the template leaves open: see
    /// [`resolve`](crate::resolve::resolve_entry).
    pub resolution: Option<&'a Resolution>,
    /// Whether everything says where it is written.
    pub positions: bool,
    /// For evaluation: the values of attributes, by nodes and names.
    pub attributes: Option<&'a Map<Map<Value>>>,
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

impl Service {
    /// The service that the entry of a program describes, complete, and independent of everything else. Nothing if it
    /// describes none, as a profile has none.
    ///
    /// An invalid service has a model too, in which what is wrong is as it is written, or missing; see
    /// [`Outcome::is_valid`](crate::Outcome::is_valid).
    pub fn of(program: &Program<Complete>) -> Option<Self> {
        Self::with(program, Options::default())
    }

    /// Like [`of`](Self::of), with a say in what the model has besides.
    pub fn with(program: &Program<Complete>, options: Options<'_>) -> Option<Self> {
        Some(build::Builder::new(program, options)?.service())
    }

    /// The same for those who only write it down: nodes are made while they are written, and are gone then.
    pub fn stream<'a>(program: &'a Program<Complete>, options: Options<'a>) -> Option<Stream<'a>> {
        Stream::new(program, options)
    }
}
