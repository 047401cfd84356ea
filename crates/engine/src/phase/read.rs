//! Phase 1: converts sources to raw data and raw data to entities, following imports.
//!
//! One source becomes one [`Unit`](super::Unit), which depends on little more than the text. Imported sources are read
//! as soon as the import has been read, before the rest of the importing source; each source is read once, even if it
//! is imported several times.
//!
//! # Problems
//!
//! This phase reports sources that can't be read or are not YAML, keynames that are missing or unknown or have a value
//! of the wrong kind (the rules with codes `T1...`), imports that fail, and sources that import each other in a loop.

mod calls;
mod enum_value;
mod form;
mod indentation;
mod keynames;
mod names;
mod reader;
mod unit;

pub(crate) use reader::ReadGaps;
pub use reader::Reader;
pub use reader::with_article;
pub use unit::read_alone;
pub(crate) use unit::{DecodedSource, ReadContext, blank_unit, data_unit, read_unit, unreadable};

use crate::ard::NodeId;
use crate::diagnostic::Diagnostic;
use crate::entity::{FieldDescription, LocalId, Lookup};
use crate::source::ImportTarget;
use crate::symbol::Symbol;

/// A requested import, as determined by the language's import entity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportRequest {
    /// The importing entity.
    pub entity: LocalId,
    /// The node that contains the address.
    pub node: NodeId,
    /// The imported source; `None` if the import does not name one. In that case, the import fails, and the reason has
    /// been reported or will be reported by a later phase.
    pub target: Option<ImportTarget>,
    /// The prefix of the imported names.
    pub prefix: Option<Symbol>,
    /// Whether this is a name whose declaration must be found, rather than an actual import. If nothing is found, this
    /// is reported where the name is looked up. Such imports may form loops.
    pub is_reference: bool,
}

/// A name that must be looked up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReferenceSite {
    pub(crate) name: Symbol,
    pub(crate) node: NodeId,
    /// The field that holds the name or whose value contains it.
    pub(crate) field: &'static FieldDescription,
    pub(crate) lookup: Option<&'static Lookup>,
    pub(crate) owner: LocalId,
}

/// The stage of a program that has been read.
#[derive(Debug, Default)]
pub struct Read {
    /// For each unit, the indexes of the imports that could not be resolved.
    pub failed_imports: Vec<Vec<usize>>,
    /// The problems with imports, sorted by unit.
    pub diagnostics: Vec<Diagnostic>,
}
