//! Building problems up, from whatever a phase knows places by.

use crate::ard::{Document, NodeId};
use crate::diagnostic::{Diagnostic, Diagnostics, Edit, Span};

/// A problem that has been reported and can still be explained.
pub struct Problem<'a> {
    /// Nothing if the problem was not reported: it follows from another one, or there are too many of its kind.
    diagnostic: Option<&'a mut Diagnostic>,
    document: Option<&'a Document>,
}

impl<'a> Problem<'a> {
    /// Reports a problem.
    pub(crate) fn report(
        diagnostics: &'a mut Diagnostics,
        diagnostic: Diagnostic,
        document: Option<&'a Document>,
    ) -> Self {
        Self { diagnostic: diagnostics.push(diagnostic), document }
    }

    /// A problem that is not reported, since it follows from another one.
    pub(crate) fn unreported() -> Self {
        Self { diagnostic: None, document: None }
    }

    /// Adds a remedy.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        if let Some(diagnostic) = &mut self.diagnostic {
            diagnostic.add_help(help.into());
        }
        self
    }

    /// Adds a change of the text that settles the problem, which help alone does not tell.
    pub fn edit(mut self, edit: Edit) -> Self {
        if let Some(diagnostic) = &mut self.diagnostic {
            diagnostic.edits.push(edit);
        }
        self
    }

    /// Adds a place that explains the problem.
    pub fn related(mut self, span: Span, message: impl Into<String>) -> Self {
        if let Some(diagnostic) = &mut self.diagnostic {
            diagnostic.add_related(span, message.into());
        }
        self
    }

    /// Adds a node of the same source that explains the problem.
    pub fn related_node(self, node: NodeId, message: impl Into<String>) -> Self {
        match self.document {
            Some(document) => {
                let span = document.node(node).span();
                self.related(span, message)
            }
            None => self,
        }
    }
}
