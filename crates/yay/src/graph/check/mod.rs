//! Checks of documents beyond evaluation: names in branches that are not taken, arguments that no macro uses, keys
//! that are given twice, and keys whose layers have different types.
//!
//! They look at the text of all documents that were read, and never evaluate. Anything that can't be decided from the
//! text, such as the names of a document that was not included, counts as correct.

mod arguments;
mod layers;
mod names;
mod survey;

use super::Graph;
use crate::warning::Warning;

impl Graph<'_> {
    /// Checks all documents and returns the warnings, in the order of their positions. Evaluate everything first.
    pub(crate) fn check(&mut self) -> Vec<Warning> {
        let survey = self.survey();
        let mut warnings = self.unknown_names(&survey);
        warnings.extend(self.unused_arguments(&survey));
        warnings.extend(self.duplicate_keys());
        warnings.extend(self.changed_types());
        warnings.sort_by_key(|warning| (warning.at, warning.kind));
        warnings.dedup_by_key(|warning| (warning.at, warning.kind));
        warnings
    }
}
