//! The types that fields of entities can have: each knows how it is read and how it is inherited.

mod members;
mod reference;
mod scalar;
mod value;
mod word;

pub use members::{Child, Children, Members, Sequence};
pub use reference::{Reference, References};
pub use scalar::{Given, Scalar, Text, Texts};
pub use value::{Clauses, Value, Values};
pub use word::{Word, Words};
