//! Values as raw data, each with the position that it comes from.

use std::cell::RefCell;
use std::rc::Rc;

use tosca_parse_engine::ard::{self, Assembler, Document, Kind, ProvenanceId, ProvenanceStep};
use tosca_parse_engine::diagnostic;

use super::problem::Numbers;
use crate::error::Step;
use crate::sink::{Origin, Scalar, ScalarKind, Sink};
use crate::source::{Source, SourceId, Span};

/// A document that is being assembled.
pub(super) struct Assembly<'a> {
    pub(super) assembler: Assembler<'a>,
    numbers: Rc<RefCell<Numbers>>,
    /// The number of each source in diagnostics.
    shown: Vec<Option<diagnostic::SourceId>>,
    nowhere: diagnostic::Span,
    /// The position of a key without its value yet; `key_text` is its text.
    key: Option<ard::Origin>,
    key_text: String,
    /// The number of open maps and lists that are nested too deeply.
    refused: usize,
    /// The first position that is nested too deeply.
    pub(super) too_deep: Option<diagnostic::Span>,
    /// The provenance of each open map, for its keys.
    provenances: Vec<Option<ProvenanceId>>,
    /// The most recent steps and their provenance.
    known: Option<(Rc<[Step]>, Option<ProvenanceId>)>,
}

impl<'a> Assembly<'a> {
    pub(super) fn new(assembler: Assembler<'a>, numbers: Rc<RefCell<Numbers>>) -> Self {
        let nowhere = numbers.borrow().nowhere();
        Assembly {
            assembler,
            numbers,
            shown: Vec::new(),
            nowhere,
            key: None,
            key_text: String::new(),
            refused: 0,
            too_deep: None,
            provenances: Vec::new(),
            known: None,
        }
    }

    /// Ends the document. If its outermost map or list is not closed, it is incomplete.
    pub(super) fn finish(mut self, complete: bool) -> Document {
        if complete && self.assembler.depth() > 0 {
            self.assembler.close();
        }
        self.assembler.finish()
    }

    /// Returns the position in diagnostics; `None` for secrets and for data of the host.
    fn find(&self, span: Span) -> Option<diagnostic::Span> {
        let source = self.shown.get(span.source.0 as usize).copied().flatten()?;
        Some(diagnostic::Span { source, start: span.start, end: span.end })
    }

    fn span(&self, span: Span) -> diagnostic::Span {
        self.find(span).unwrap_or(self.nowhere)
    }

    /// Returns the position of a value and that of its use.
    fn origin(&mut self, origin: &Origin) -> ard::Origin {
        let provenance = self.provenance(&origin.steps);
        // Data of the host has no position, and documents with secrets are not shown.
        match self.find(origin.written) {
            Some(span) if origin.written == origin.stands => ard::Origin { span, used: None, provenance },
            Some(span) => ard::Origin { span, used: Some(self.span(origin.stands)), provenance },
            None => ard::Origin { span: self.span(origin.stands), used: None, provenance },
        }
    }

    /// Returns the loops, calls and includes around a value.
    fn provenance(&mut self, steps: &Rc<[Step]>) -> Option<ProvenanceId> {
        if let Some((known, provenance)) = &self.known
            && Rc::ptr_eq(known, steps)
        {
            return *provenance;
        }
        let provenance_step =
            |step: &Step| ProvenanceStep { span: self.span(step.at), what: step.what.trim_end_matches(':') };
        let provenance_steps: Vec<ProvenanceStep> = steps.iter().map(provenance_step).collect();
        let provenance = self.assembler.provenance(&provenance_steps);
        self.known = Some((steps.clone(), provenance));
        provenance
    }

    fn put_key(&mut self) {
        if let Some(at) = self.key.take() {
            self.assembler.scalar(Kind::String, &self.key_text, at);
        }
    }

    fn open(&mut self, kind: Kind, origin: &Origin) {
        if self.refused > 0 {
            self.refused += 1;
            return;
        }
        self.put_key();
        let place = self.origin(origin);
        if self.assembler.open(kind, place) {
            self.provenances.push(place.provenance);
            return;
        }
        self.refused = 1;
        self.too_deep.get_or_insert(place.span);
        self.assembler.scalar(Kind::Null, "", place);
    }

    fn close(&mut self) {
        self.key = None;
        if self.refused > 0 {
            self.refused -= 1;
        } else if self.provenances.pop().is_some() && !self.provenances.is_empty() {
            self.assembler.close();
        }
    }
}

impl Sink for Assembly<'_> {
    fn source(&mut self, id: SourceId, source: &Source) {
        self.shown.push(self.numbers.borrow().of(id, source));
    }

    fn scalar(&mut self, scalar: &Scalar<'_>, origin: &Origin) {
        if self.refused > 0 {
            return;
        }
        self.put_key();
        let (kind, text) = match scalar.kind {
            ScalarKind::Null | ScalarKind::Absent => (Kind::Null, ""),
            ScalarKind::Bool(true) => (Kind::Boolean, if scalar.text == "True" { "true" } else { scalar.text }),
            ScalarKind::Bool(false) => (Kind::Boolean, if scalar.text == "False" { "false" } else { scalar.text }),
            ScalarKind::Int(_) => (Kind::Integer, scalar.text),
            ScalarKind::Float(_) => (Kind::Float, scalar.text),
            ScalarKind::Text => (Kind::String, scalar.text),
        };
        if origin.secret && matches!(kind, Kind::String | Kind::Integer | Kind::Float) {
            self.assembler.secret(text);
        }
        let place = self.origin(origin);
        self.assembler.scalar(kind, text, place);
    }

    fn begin_list(&mut self, origin: &Origin) {
        self.open(Kind::List, origin);
    }

    fn end_list(&mut self) {
        self.close();
    }

    fn begin_map(&mut self, origin: &Origin) {
        self.open(Kind::Map, origin);
    }

    fn key(&mut self, key: &str, at: Span) {
        if self.refused == 0 {
            let provenance = self.provenances.last().copied().flatten();
            self.key = Some(ard::Origin { span: self.span(at), used: None, provenance });
            self.key_text.clear();
            self.key_text.push_str(key);
        }
    }

    fn secret_key(&mut self, key: &str, _safe: &str, at: Span) {
        if self.refused == 0 {
            self.assembler.secret(key);
        }
        self.key(key, at);
    }

    fn end_map(&mut self) {
        self.close();
    }
}
