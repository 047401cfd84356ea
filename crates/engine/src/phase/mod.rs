//! The five phases.
//!
//! 1. [`read`] converts sources to raw data and raw data to entities, and follows imports;
//! 2. [`namespace`] resolves every name;
//! 3. [`hierarchy`] finds the ancestors of types;
//! 4. [`inheritance`] completes types with inherited members;
//! 5. [`rendering`] applies types to templates.
//!
//! A phase is a function from the [`Program`] of the previous phase to its own, together with the problems it found;
//! it never fails, and it never changes the results of an earlier phase. The type of a program shows which phases
//! have run, so a phase can't be given the result of a later or of a much earlier one. No phase knows a specific
//! language: all it uses is the descriptions of entities, see [`crate::entity`].

mod cache;
mod context;
pub mod cycle;
pub mod hierarchy;
pub mod inheritance;
mod lint;
mod missing_name;
pub mod namespace;
mod problem;
mod program;
pub mod read;
mod relations;
pub mod rendering;

pub(crate) use cache::Caches;
pub use cache::Check;
pub use context::{Context, DiagnosticExt};
pub use lint::Lint;
pub(crate) use lint::run as run_lints;
pub use problem::DiagnosticBuilder;
pub(crate) use program::{PresentKinds, UnitIndex};
pub use program::{Program, ResolvedImport, SiblingFiles, Unit, Units};
