//! The types of entity fields: how they are read and inherited.

mod clauses;
mod enumerated;
mod list;
mod members;
mod reference;
mod scalar;
mod value;

pub use clauses::Clauses;
pub use enumerated::{EnumValue, Enumerated};
pub use list::List;
pub use members::{Child, Children, Members, Sequence};
pub use reference::{Reference, References};
pub use scalar::{Located, LocatedScalar, Scalar, Text, Texts};
pub use value::{Value, Values};
