//! Phase 1: conversion of sources to raw data and of raw data to entities, following imports.
//!
//! One source becomes one [`Unit`](super::Unit), which depends only on the text. Imported sources are read as soon as
//! the import has been read, before the rest of the importing source; each source is read once, even if it is imported
//! several times.
//!
//! # Problems
//!
//! Sources that can't be read or are not YAML, keynames that are missing, unknown or of the wrong kind (the
//! rules with codes `T1...`), imports that fail, and sources that import each other in a loop.

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

/// An import, as requested by the import entity of the language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportRequest {
    /// The importing entity.
    pub entity: LocalId,
    /// The position of the address.
    pub node: NodeId,
    /// The imported source; `None` if the import names none. The import then fails; the reason has been reported, or
    /// will be by a later phase.
    pub target: Option<ImportTarget>,
    /// The prefix of the imported names.
    pub prefix: Option<Symbol>,
    /// Whether this is a name whose declaration must be found, rather than an import. If nothing is found, that is
    /// reported where the name is looked up; and such imports may form loops.
    pub is_reference: bool,
}

/// A name that must be looked up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReferenceSite {
    pub(crate) name: Symbol,
    pub(crate) node: NodeId,
    /// The field that holds it, or whose value it is in.
    pub(crate) field: &'static FieldDescription,
    pub(crate) lookup: Option<Lookup>,
    pub(crate) owner: LocalId,
}

/// The stage of a program that has been read.
#[derive(Debug, Default)]
pub struct Read {
    /// The indexes of the imports of each unit that could not be resolved.
    pub failed_imports: Vec<Vec<usize>>,
    /// The problems of imports, by unit.
    pub diagnostics: Vec<Diagnostic>,
}
