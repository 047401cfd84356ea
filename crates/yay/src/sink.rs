//! Receivers of values, piece by piece, each with its position.

use std::rc::Rc;

use crate::data::Data;
use crate::error::Step;
use crate::source::{Source, SourceId, Span};

/// The provenance of a value.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The position of its use in the document: a scalar, a template, an item.
    pub stands: Span,
    /// The position of the value itself, which may be elsewhere if its use refers to it.
    pub written: Span,
    /// The loops, calls and includes around its use, innermost first.
    pub steps: Rc<[Step]>,
    /// Whether it must not be shown.
    pub secret: bool,
}

/// The kind of a scalar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ScalarKind {
    /// `None`.
    Null,
    /// A key without a value, which counts as empty text.
    Absent,
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A number with a fraction.
    Float(f64),
    /// Text.
    Text,
}

/// A scalar.
#[derive(Clone, Copy, Debug)]
pub struct Scalar<'a> {
    /// Its kind.
    pub kind: ScalarKind,
    /// Its text, as written if the source contains it: `1.10` is not `1.1`.
    pub text: &'a str,
    /// The text with `*****` for secrets; `None` if there are none.
    pub safe: Option<&'a str>,
}

/// Receives a value piece by piece.
///
/// Keys come before their values. Items, and keys with their values, that could not be evaluated are left out. A list
/// or a mapping whose content could not be determined may be missing after its key.
pub trait Sink {
    /// Announces a source that positions may be in from now on. Sources are numbered in the order in which they are
    /// announced.
    fn source(&mut self, _id: SourceId, _source: &Source) {}
    /// Receives a scalar.
    fn scalar(&mut self, scalar: &Scalar<'_>, origin: &Origin);
    /// Begins a list.
    fn begin_list(&mut self, origin: &Origin);
    /// Ends the list.
    fn end_list(&mut self);
    /// Begins a mapping.
    fn begin_map(&mut self, origin: &Origin);
    /// Receives a key and its position.
    fn key(&mut self, key: &str, at: Span);
    /// Receives a key that was computed from a secret: the key itself, the text that can be shown, and its position.
    fn secret_key(&mut self, _key: &str, safe: &str, at: Span) {
        self.key(safe, at);
    }
    /// Returns whether secrets are hidden. If so, a list or mapping that was computed from a secret is received as a
    /// scalar.
    fn hides_secrets(&self) -> bool {
        false
    }
    /// Ends the mapping.
    fn end_map(&mut self);
}

/// A sink that discards everything.
pub(crate) struct Nothing;

impl Sink for Nothing {
    fn scalar(&mut self, _scalar: &Scalar<'_>, _origin: &Origin) {}
    fn begin_list(&mut self, _origin: &Origin) {}
    fn end_list(&mut self) {}
    fn begin_map(&mut self, _origin: &Origin) {}
    fn key(&mut self, _key: &str, _at: Span) {}
    fn end_map(&mut self) {}
}

/// A sink that builds [`Data`].
#[derive(Default)]
pub(crate) struct DataSink {
    pub(crate) open: Vec<(Data, Option<String>)>,
    /// Whether secrets are masked.
    pub(crate) masked: bool,
    /// Whether there was a secret.
    pub(crate) is_secret: bool,
    pub(crate) made: Option<Data>,
}

impl DataSink {
    fn put(&mut self, data: Data) {
        match self.open.last_mut() {
            None => self.made = Some(data),
            Some((Data::Map(entries), key)) => entries.push((key.take().unwrap_or_default(), data)),
            Some((Data::List(items), _)) => items.push(data),
            Some(_) => {}
        }
    }

    fn close(&mut self) {
        if let Some((data, _)) = self.open.pop() {
            self.put(data);
        }
    }
}

impl Sink for DataSink {
    fn scalar(&mut self, scalar: &Scalar<'_>, _origin: &Origin) {
        self.is_secret |= scalar.safe.is_some();
        if let (true, Some(safe)) = (self.masked, scalar.safe) {
            return self.put(Data::Text(safe.to_owned()));
        }
        self.put(match scalar.kind {
            ScalarKind::Null => Data::Null,
            ScalarKind::Bool(truth) => Data::Bool(truth),
            ScalarKind::Int(number) => Data::Int(number),
            ScalarKind::Float(number) => Data::Float(number),
            ScalarKind::Absent | ScalarKind::Text => Data::Text(scalar.text.to_owned()),
        });
    }

    fn begin_list(&mut self, _origin: &Origin) {
        self.open.push((Data::List(Vec::new()), None));
    }

    fn end_list(&mut self) {
        self.close();
    }

    fn begin_map(&mut self, _origin: &Origin) {
        self.open.push((Data::Map(Vec::new()), None));
    }

    fn key(&mut self, key: &str, _at: Span) {
        if let Some((_, waiting)) = self.open.last_mut() {
            *waiting = Some(key.to_owned());
        }
    }

    fn secret_key(&mut self, key: &str, safe: &str, at: Span) {
        self.is_secret = true;
        self.key(if self.masked { safe } else { key }, at);
    }

    fn hides_secrets(&self) -> bool {
        self.masked
    }

    fn end_map(&mut self) {
        self.close();
    }
}
