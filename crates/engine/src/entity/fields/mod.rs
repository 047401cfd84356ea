//! The types of entity fields: how each is read and inherited.

mod list;
mod members;
mod reference;
mod scalar;
mod value;
mod word;

pub use list::List;
pub use members::{Child, Children, Members, Sequence};
pub use reference::{Reference, References};
pub use scalar::{Given, LocatedScalar, Scalar, Text, Texts};
pub use value::{Clauses, Value, Values};
pub use word::{Word, Words};
