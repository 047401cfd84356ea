//! The formatter, from the outside.

mod corpus;
mod properties;
mod style;
