//! Yay: configuration that computes itself.
//!
//! A Yay document is data with directives: mappings and lists that may hold `{{ expressions }}`, conditions, loops,
//! macros, prototypes and includes. Each part is a layer over the parts before it. Values are evaluated
//! on demand and have positions.
//!
//! ```
//! use tosca_parse_yay::{Config, Memory};
//!
//! let mut config = Config::new(Memory::default());
//! config.load("greeting.yay", "name: world\nhello: Hello, {{ name }}!\n");
//! config.load("override.yay", "name: Yay\n");
//! assert_eq!(config.root().get("hello").as_string()?, "Hello, Yay!");
//! # Ok::<(), tosca_parse_yay::Error>(())
//! ```

mod config;
mod data;
mod diagram;
mod error;
mod evaluate;
mod graph;
pub mod host;
mod limits;
mod name;
mod native;
mod node;
mod open;
mod sink;
mod source;
mod suggest;
mod syntax;
mod value;
mod warning;

pub use config::Config;
pub use data::Data;
pub use diagram::{Arrow, Diagram, DiagramBox, Stage};
pub use error::{Category, Error, Result, Step};
pub use limits::Limits;
pub use native::{Class, Params};
pub use node::Node;
pub use open::{LoadedDocument, Memory, OpenError, Opener};
pub use sink::{Origin, Scalar, ScalarKind, Sink};
pub use source::{Place, Source, SourceId, Sources, Span};
pub use warning::{Warning, WarningKind};

/// Evaluates Yay source text. Positions are lost, and the source can't include documents: use a [`Config`] with an
/// [`Opener`], or [`host::load_address`] for files.
///
/// ```
/// use tosca_parse_yay::{Data, load};
///
/// assert_eq!(load("a: 2\nb: {{ a * 21 }}\n")?.get("b"), Some(&Data::Int(42)));
/// # Ok::<(), tosca_parse_yay::Error>(())
/// ```
///
/// # Errors
///
/// Returns an error if evaluating anything fails; [`Error::each`] returns all errors that were found.
pub fn load(text: &str) -> Result<Data> {
    let mut config = Config::new(Memory::default());
    config.load("<text>", text);
    config.resolve()
}
