//! Builds problems from spans and nodes.

use crate::ard::{Document, NodeId};
use crate::diagnostic::{Diagnostic, Diagnostics, Edit, Help, Span};

/// A reported problem to which details can be added.
pub struct DiagnosticBuilder<'a> {
    /// `None` if the problem was not reported, because it is the consequence of a different problem or there are too
    /// many of its kind.
    diagnostic: Option<&'a mut Diagnostic>,
    document: Option<&'a Document>,
}

impl<'a> DiagnosticBuilder<'a> {
    /// Reports a problem.
    pub(crate) fn report(
        diagnostics: &'a mut Diagnostics,
        diagnostic: Diagnostic,
        document: Option<&'a Document>,
    ) -> Self {
        Self { diagnostic: diagnostics.push(diagnostic), document }
    }

    /// Creates a builder for a problem that is not reported, because it is the consequence of a different problem.
    pub(crate) fn unreported() -> Self {
        Self { diagnostic: None, document: None }
    }

    /// Adds help.
    pub fn help(mut self, help: impl Into<Help>) -> Self {
        if let Some(diagnostic) = &mut self.diagnostic {
            diagnostic.add_help(help.into());
        }
        self
    }

    /// Adds an edit that fixes the problem, for fixes that help can't express.
    pub fn edit(mut self, edit: Edit) -> Self {
        if let Some(diagnostic) = &mut self.diagnostic {
            diagnostic.edits.push(edit);
        }
        self
    }

    /// Adds a related span that explains the problem.
    pub fn related(mut self, span: Span, message: impl Into<String>) -> Self {
        if let Some(diagnostic) = &mut self.diagnostic {
            diagnostic.add_related(span, message.into());
        }
        self
    }

    /// Adds a related node of the same source that explains the problem.
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
