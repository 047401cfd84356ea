//! Phase 1: sources to raw data, raw data to entities, imports followed.
//!
//! One source makes one [`Unit`](super::Unit), which depends on the text alone. Imports are started as soon as they are
//! seen, before the rest of the importing source has been read; each source is read once, however many import it.
//!
//! # Problems
//!
//! Sources that can't be read, texts that are not YAML, keynames that are missing, unknown or of the wrong kind (the
//! rules with codes `T1...`), imports that fail, and sources that import each other in a loop.

mod calls;
mod form;
mod indentation;
mod keynames;
mod names;
mod reader;
mod unit;
mod word;

pub(crate) use reader::Losses;
pub use reader::Reader;
pub use reader::with_article;
pub use unit::read_alone;
pub(crate) use unit::{Surroundings, Written, blank_unit, data_unit, read_unit, unreadable};

use crate::ard::NodeId;
use crate::diagnostic::Diagnostic;
use crate::entity::{FieldDescription, Local, Lookup};
use crate::source::ImportTarget;
use crate::symbol::Symbol;

/// An import, as the language's import entity asks for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportRequest {
    /// The importing entity.
    pub entity: Local,
    /// Where the address stands.
    pub node: NodeId,
    /// What to import; nothing if the import does not say that. It is then a failed import, and whoever made the
    /// request has reported why, or a later phase will.
    pub target: Option<ImportTarget>,
    /// The prefix that the imported names get.
    pub prefix: Option<Symbol>,
    /// Whether it is a name that asks for what it stands for, rather than an import. That nothing is found is then reported
    /// where the name is looked up, and such imports may form loops.
    pub is_reference: bool,
}

/// A name that must be looked up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReferenceSite {
    pub(crate) name: Symbol,
    pub(crate) node: NodeId,
    /// The field that holds it, or in a value of which it is.
    pub(crate) field: &'static FieldDescription,
    pub(crate) lookup: Option<Lookup>,
    pub(crate) owner: Local,
}

/// The stage of a program that has been read.
#[derive(Debug, Default)]
pub struct Read {
    /// The imports of each unit that could not be followed, by number.
    pub failed_imports: Vec<Vec<usize>>,
    /// The problems of imports, by unit.
    pub diagnostics: Vec<Diagnostic>,
}
