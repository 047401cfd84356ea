//! The files that scalars name, other than sources to import.
//!
//! A description marks the fields and arguments that are addresses of files, the reader records their nodes, and the
//! language determines the paths. The check of missing files, links and moved files rely on these paths.
//!
//! # Problems
//!
//! This phase reports files that do not exist, in the words of the language.

use super::context::Context;
use super::inheritance::Complete;
use super::{Program, SiblingFiles, Unit};
use crate::ard::{Node, NodeId};
use crate::diagnostic::{Diagnostic, Diagnostics, SourceId};
use crate::parallel;

/// The number of names that may be compared for suggestions in a batch.
const SUGGESTION_BUDGET: usize = 2_000;

/// The number of scalars that one thread processes in a batch.
const BATCH: usize = 64;

/// The number of batches that are processed before the problems are counted.
const BATCHES_PER_ROUND: usize = 64;

/// The file that a scalar names.
#[derive(Clone, Debug)]
pub struct NamedFile {
    /// The paths of the file, in order; the first one at which a file exists counts. A path is relative to the unit, or
    /// to the root if it begins with a slash, as for [`SiblingFiles::has`].
    pub paths: Vec<String>,
    /// Whether the scalar must be a URL, in which spaces are percent-encoded.
    pub is_url: bool,
    /// Reports that there is no file; `None` if it may be missing.
    pub report_missing: Option<fn(&mut Context<'_>, Node<'_>)>,
}

impl NamedFile {
    /// Creates the description of a file at a path that may be missing.
    pub fn at(path: impl Into<String>) -> Self {
        Self { paths: vec![path.into()], is_url: false, report_missing: None }
    }

    /// Returns whether it is known that there is no file.
    fn is_missing(&self, around: &SiblingFiles) -> bool {
        self.paths.iter().all(|path| around.has(path) == Some(false))
    }
}

impl Unit {
    /// Returns the file that a scalar in the unit names.
    fn named_file(&self, context: &Context<'_>, (node, owner): (NodeId, crate::entity::LocalId)) -> Option<NamedFile> {
        (self.language.named_file)(context, owner.of(self.id), self.document.node(node))
    }
}

impl Program<Complete> {
    /// Returns the files that scalars in a unit name, with their nodes. Addresses of imports are included.
    pub fn named_files(&self, unit: SourceId) -> Vec<(NodeId, NamedFile)> {
        let Some(unit) = self.unit(unit) else { return Vec::new() };
        let context = Context::new(self, 0);
        unit.files.iter().filter_map(|file| Some((file.0, unit.named_file(&context, *file)?))).collect()
    }
}

/// Reports the files that a unit names and that do not exist. The results depend on more than the text of sources, so
/// they are never cached. Also returns the number of names that were compared to suggest one.
pub(crate) fn check(program: &Program<Complete>, unit: SourceId) -> (Vec<Diagnostic>, usize) {
    let Some((unit, around)) = program.unit(unit).zip(program.surroundings(unit)) else { return Default::default() };
    let mut compared = 0;
    let mut diagnostics = Diagnostics::up_to(program.most_of_a_rule);
    for round in unit.files.chunks(BATCH * BATCHES_PER_ROUND) {
        let batches: Vec<_> = round.chunks(BATCH).collect();
        let found = parallel::map(&batches, |batch| {
            let mut context = Context::new(program, SUGGESTION_BUDGET);
            for file in *batch {
                let named = unit.named_file(&context, *file);
                let missing = named.filter(|named| named.report_missing.is_some() && named.is_missing(around));
                if let Some(report) = missing.and_then(|missing| missing.report_missing) {
                    report(&mut context, unit.document.node(file.0));
                }
            }
            (context.suggestions.spent(), context.into_diagnostics())
        });
        for (spent, found) in found {
            compared += spent;
            diagnostics.extend(found);
        }
    }
    (diagnostics.into_list(), compared)
}
