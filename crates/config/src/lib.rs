//! The configurations of users and projects as data, for the command and the bindings.
//!
//! [`Settings`] combines the user's configuration, the project's and the values of the caller. It decides what a
//! project may set, and reports what it may not. It does not print, and does not know the arguments of the command.
//!
//! ```no_run
//! use std::path::Path;
//!
//! use tosca_parse_config::{Arguments, Settings, project};
//!
//! let file = Path::new("shop/service.yaml");
//! let settings = Settings::read(&Arguments::default(), project(file).as_deref())?;
//! let parser = settings.configure(tosca_parse::builder(), &[]).levels(settings.levels(&Default::default()));
//! # Ok::<(), tosca_parse_config::Error>(())
//! ```

mod custom_rules;
mod data;
pub mod dirs;
mod error;
mod file;
mod languages;
mod limits;
pub mod path_patterns;
mod project_files;
mod rule_selector;
#[cfg(feature = "schema")]
mod schema;
mod settings;
mod words;

pub use custom_rules::DeclaredRule;
pub use data::{Data, Fault, json};
pub use error::{Error, Position};
pub use file::{File, Formatting, Special};
pub use languages::{Languages, languages};
pub use limits::{Bounds, IndexLimits, KnownLimit, Limit, LimitUnit, RunLimits, StoreLimits, limits};
pub use rule_selector::{RuleOverrides, RuleSelector, warned, which};
#[cfg(feature = "schema")]
pub use schema::json_schema;
pub use settings::{
    Arguments, LARGEST, Layer, Settings, Trust, UserFile, here, is_configuration, project, with_option,
};
pub use words::{FailOn, Format, quirks_of, version_word};
