//! YAQL, the query language of `OpenStack`: expressions over data, such as `$.users.where($.age > 26).name`.
//!
//! [`Expression::parse`] parses an expression. A [`Context`] has variables and functions, and evaluates expressions to
//! [`Value`]s. Functions are overloaded by the types of their arguments, may take arguments unevaluated, and may return
//! lazy iterators.
//!
//! ```
//! use tosca_parse_yaql::{Engine, Value};
//!
//! let engine = Engine::default();
//! let data = Value::list([3, 1, 2].map(Value::from).to_vec());
//! let value = engine.evaluate("$.where($ > 1).orderBy($)", data).unwrap();
//! assert_eq!(value, Value::list([2, 3].map(Value::from).to_vec()));
//! ```
//!
//! The crate knows no other language. A language that embeds YAQL extends it: [`Library`] holds further functions, and
//! a [`Host`] gives objects their attributes and methods.
//!
//! Evaluation is bounded by [`Limits`] in steps, memory, depth and time. An expression has no access to anything
//! outside of the evaluation, except for the clock and random numbers.

mod context;
mod dispatch;
mod engine;
mod error;
mod evaluate;
mod function;
mod integer;
mod iterate;
mod json;
mod lambda;
mod library;
mod meter;
mod operator;
mod pattern;
mod suggest;
mod syntax;
mod text;
mod timestamp;
mod value;

pub use self::context::{Context, Host};
pub use self::dispatch::{Actual, Evaluated, evaluate_arguments};
pub use self::engine::Engine;
pub use self::error::{Error, ErrorKind, Result};
pub use self::function::{
    BoundArgument, Call, Default as ParameterDefault, Function, Library, Parameter, Shape, Signature, Type,
};
pub use self::integer::Integer;
pub use self::iterate::Items;
pub use self::json::evaluate_json;
pub use self::lambda::Lambda;
pub use self::library::{formatting, legacy, standard};
pub use self::meter::{Dialect, Limits, Meter};
pub use self::pattern::{Pattern, ecma};
pub use self::syntax::{Argument, Constant, Expr, Expression, Kind, Name, Node, Operator, Syntax};
pub use self::timestamp::{Span, Timestamp};
pub use self::value::{Dict, NestedCollection, Object, Set, Value, View};
