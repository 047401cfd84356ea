//! `MuranoPL`, the language of `OpenStack` Murano: applications as classes with contracts, and models of objects.
//!
//! A [`Runtime`] has [packages](PackageSource), loads object models ([`Runtime::load`]), calls methods
//! ([`Runtime::call_object`]) and writes models ([`Runtime::save`]). Classes are loaded when they are first named.
//!
//! ```
//! use tosca_parse_murano::{Access, Arguments, PackageSource, Runtime};
//! use tosca_parse_yaql::Value;
//!
//! let text = "Namespaces: {=: t}
//! Name: Counter
//! Properties:
//!   count: {Contract: $.int().notNull(), Usage: InOut, Default: 1}
//! Methods:
//!   next:
//!     Body:
//!       - $.count: $.count + 1
//!       - Return: $.count
//! ";
//! let package = PackageSource::from_text("t", "1.4", &[], text)?;
//! let runtime = Runtime::builder().package(package).build()?;
//! let model = Value::dict([("?".into(), Value::dict([("type".into(), "t.Counter".into()), ("id".into(), "c".into())]))]);
//! runtime.load_object(&model)?;
//! let value = runtime.call_object("c", "next", Arguments::default(), Access::Session)?;
//! assert_eq!(value, Value::from(2_i64));
//! # Ok::<(), tosca_parse_yaql::Error>(())
//! ```
//!
//! Methods have no effect outside the runtime, and [`tosca_parse_yaql::Limits`] limit them.

// The derive macro writes absolute paths.
extern crate tosca_parse_engine as tosca_parse;

mod class;
mod contract;
mod core;
mod effect;
mod error;
#[cfg(feature = "form")]
mod form;
mod frame;
mod functions;
#[cfg(feature = "graph")]
pub mod graph;
mod interpret;
mod invoke;
pub mod language;
mod lineage;
mod meta;
mod mock;
mod model;
mod name;
mod natives;
mod object;
mod package;
mod place;
mod property;
mod reflect;
mod runtime;
mod schema;
mod serialize;
#[cfg(feature = "serve")]
mod serve;
mod session;
mod source_file;
mod statement;
mod template;
mod testing;
mod trace;
mod version;

pub use class::{
    Argument, ArgumentUsage, Class, ClassUsage, MetaSpec, Method, MethodUsage, Property, PropertyUsage, TypeSpec,
};
pub use effect::{Effect, EffectKind};
pub use error::{Failure, Kind, Thrown, categories, category, failure};
#[cfg(feature = "form")]
pub use form::{builder_form, class_form};
pub use invoke::{Access, Arguments};
pub use name::{Namespaces, TypeName};
pub use natives::{NativeCall, Natives};
pub use object::{Object, class_of, object_of};
pub use package::{Origin, Package, PackageSource};
pub use runtime::{Builder, Runtime};
pub use schema::{Entrance, Style};
pub use serialize::Format;
#[cfg(feature = "serve")]
pub use serve::{PackageProvider, ServeLimits, serve};
pub use statement::{Block, Catch, Statement, StatementKind, Throw, Try};
pub use template::{Content, Template, is_expression};
pub use testing::Test;
pub use trace::{Step, steps};
pub use version::{Requirement, Version};
