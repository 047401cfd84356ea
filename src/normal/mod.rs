//! The normal model: a service with all types and definitions applied.
//!
//! A template contains little: the rest comes from types and their ancestors, from defaults, and from the templates
//! that it copies. An orchestrator needs the result: every node with all its properties, whatever their source, and
//! every requirement with its relationship and target node, without any lookup. A [`Service`] is this result: flat and
//! self-contained, in the order of the source (with inherited members first), and in the same form for all versions of
//! TOSCA.
//!
//! Expressions that are only known at runtime are kept: values that call functions remain calls (see [`Value`]), and
//! requirements without a target node are [`dangling`](Requirement::dangling).
//!
//! [`Service::of`] builds the model of a program. It can be serialized to, and deserialized from, any format that
//! serde supports:
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
mod json;
mod map;
pub(crate) mod mask;
mod model;
mod overlay_map;
mod plan;
mod stream;
mod value;

pub use evaluate::{Evaluation, EvaluationProblem, NestedService, NestingError, ProblemKind};
#[cfg(feature = "graph")]
pub(crate) use evaluate::{Substitutes, is_hosting};
#[cfg(feature = "schema")]
pub use evaluate::{evaluation_json_schema, nested_json_schema};
pub use map::{Map, Name};
pub use model::*;
pub use overlay_map::{OverlayMap, PartsIter};
pub use plan::{
    Action, Difference, DifferenceKind, PLAN_VERSION, Plan, PlannedCall, Related, Stage, Step as PlanStep, differences,
    each_difference,
};
#[cfg(feature = "schema")]
pub use plan::{differences_json_schema, plan_json_schema};
pub use stream::ServiceStream;
pub use value::{Call, Value};

use crate::resolve::Resolution;

/// The version of the format of a [`Service`]. Fields may be added within a version; none is removed, renamed or given
/// a different meaning.
pub const VERSION: u32 = 1;

/// The optional parts of a model.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// The targets found for open requirements: see [`resolve`](crate::resolve::resolve_entry).
    pub resolution: Option<&'a Resolution>,
    /// Whether entities have their source positions.
    pub positions: bool,
    /// For evaluation: the values of attributes, by node and name.
    pub attributes: Option<&'a Map<Map<Value>>>,
}

/// Returns the JSON Schema of a serialized [`Service`], which is published as `docs/model.schema.json`.
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
