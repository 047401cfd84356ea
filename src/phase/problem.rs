//! Building problems up, from whatever a phase knows places by.

use crate::ard::{Document, NodeId};
use crate::diagnostic::{Diagnostic, Span};

/// A problem that has been reported and can still be explained.
pub struct Problem<'a> {
    diagnostic: &'a mut Diagnostic,
    document: Option<&'a Document>,
}

impl<'a> Problem<'a> {
    /// Reports a problem.
    pub(crate) fn report(
        diagnostics: &'a mut Vec<Diagnostic>,
        diagnostic: Diagnostic,
        document: Option<&'a Document>,
    ) -> Self {
        let index = diagnostics.len();
        diagnostics.push(diagnostic);
        Self { diagnostic: &mut diagnostics[index], document }
    }

    /// Adds a remedy.
    pub fn help(self, help: impl Into<String>) -> Self {
        self.diagnostic.help.push(help.into());
        self
    }

    /// Adds a place that explains the problem.
    pub fn related(self, span: Span, message: impl Into<String>) -> Self {
        self.diagnostic.related.push(crate::diagnostic::Related { span, message: message.into() });
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
