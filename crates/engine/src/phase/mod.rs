//! The five phases.
//!
//! 1. [`read`] converts sources to raw data and raw data to entities, and follows imports;
//! 2. [`namespace`] resolves every name;
//! 3. [`hierarchy`] finds the ancestors of types;
//! 4. [`inheritance`] completes types with inherited members;
//! 5. [`rendering`] applies types to templates.
//!
//! A phase is a function that takes the [`Program`] of the previous phase and returns a new one, together with the
//! problems that it found. A phase never fails and never changes the results of an earlier phase. The type of a program
//! shows which phases have run, so phases can't be run in the wrong order. No phase depends on a specific language:
//! phases use only the descriptions of entities; see [`crate::entity`].

mod cache;
mod context;
pub mod cycle;
pub(crate) mod files;
pub mod hierarchy;
pub mod inheritance;
mod lint;
pub mod migration;
mod missing_name;
pub mod namespace;
mod patterns;
mod problem;
mod program;
pub mod read;
mod relations;
pub mod rendering;
mod several_parents;

pub(crate) use cache::Caches;
pub use cache::Check;
pub use context::{Context, DiagnosticExt};
pub use files::NamedFile;
pub use lint::Lint;
pub(crate) use lint::run as run_lints;
pub use patterns::ExcessPatterns;
pub use problem::DiagnosticBuilder;
pub(crate) use program::{PresentKinds, UnitIndex};
pub use program::{Program, ResolvedImport, SiblingFiles, Unit, Units};
