//! Values with their types; the content of lists and mappings is lazy.

use std::rc::Rc;

use crate::evaluate::Function;
use crate::graph::{BlockRef, ListId, ViewId};
use crate::source::Span;

/// The label of secrets, as a bit.
pub(crate) const SECRET: u64 = 1;
/// The label of a list or mapping that was computed from a secret: its keys, items and their number are secret too.
pub(crate) const SHAPE: u64 = 1 << 63;
/// The replacement of secrets in output.
pub(crate) const MASK: &str = "*****";

/// Returns the labels of a value that was computed from values with these labels.
pub(crate) fn derived(labels: u64) -> u64 {
    if labels & SECRET == 0 { labels } else { labels | SHAPE }
}

#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub(crate) kind: Kind,
    /// The position of the value.
    pub(crate) at: Span,
    /// The labels of the values that it was computed from, one bit each.
    pub(crate) labels: u64,
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Null,
    /// With its notation in the source.
    Bool(bool, Option<Rc<str>>),
    Int(i64, Option<Rc<str>>),
    Float(f64, Option<Rc<str>>),
    Text(Text),
    List(ListId),
    Map(ViewId),
    Macro(BlockRef),
    Prototype(BlockRef),
    Class(u32),
    Function(Function),
}

/// Text, with the form to show if it contains secrets.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub(crate) plain: Rc<str>,
    pub(crate) safe: Option<Rc<str>>,
    /// Whether nothing was written at all.
    pub(crate) absent: bool,
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Text { plain: text.into(), safe: None, absent: false }
    }
}

impl Value {
    pub(crate) fn new(kind: Kind, at: Span, labels: u64) -> Self {
        Value { kind, at, labels }
    }

    pub(crate) fn text(text: &str, at: Span, labels: u64) -> Self {
        Value::new(Kind::Text(text.into()), at, labels)
    }

    pub(crate) fn labeled(mut self, labels: u64) -> Self {
        self.labels |= labels;
        if let (true, Kind::Text(text)) = (labels & SHAPE != 0, &mut self.kind) {
            // The whole text is a secret, not only a part of it.
            text.safe = None;
        }
        self
    }

    /// Returns the labels that everything in the value inherits from it.
    pub(crate) fn shape(&self) -> u64 {
        if self.labels & SHAPE == 0 { 0 } else { self.labels }
    }

    pub(crate) fn is_secret(&self) -> bool {
        self.labels & SECRET != 0
    }

    /// Returns the type with its article, for messages.
    pub(crate) fn what(&self) -> &'static str {
        match self.kind {
            Kind::Null => "nothing",
            Kind::Bool(..) => "a truth value",
            Kind::Int(..) | Kind::Float(..) => "a number",
            Kind::Text(_) => "text",
            Kind::List(_) => "a list",
            Kind::Map(_) => "a mapping",
            Kind::Macro(_) => "a macro",
            Kind::Prototype(_) => "a prototype",
            Kind::Class(_) => "a class",
            Kind::Function(_) => "a function",
        }
    }

    /// Returns the value as text; `None` if it is not a scalar.
    pub(crate) fn as_text(&self) -> Option<Rc<str>> {
        match &self.kind {
            Kind::Bool(_, Some(written)) | Kind::Int(_, Some(written)) | Kind::Float(_, Some(written)) => {
                Some(written.clone())
            }
            Kind::Null => Some("None".into()),
            Kind::Bool(truth, None) => Some(if *truth { "True" } else { "False" }.into()),
            Kind::Int(number, None) => Some(number.to_string().into()),
            Kind::Float(number, None) => Some(float_text(*number).into()),
            Kind::Text(text) => Some(text.plain.clone()),
            _ => None,
        }
    }

    /// Returns the value as text that can be shown to anyone.
    pub(crate) fn safe_text(&self) -> Option<Rc<str>> {
        match &self.kind {
            Kind::Text(Text { safe: Some(safe), .. }) => Some(safe.clone()),
            _ if self.is_secret() => self.as_text().map(|_| MASK.into()),
            _ => self.as_text(),
        }
    }

    /// Returns the value as messages show it.
    pub(crate) fn shown(&self) -> String {
        const LONGEST: usize = 60;
        let Some(text) = self.safe_text() else { return self.what().to_owned() };
        if text.chars().count() <= LONGEST {
            return format!("`{text}`");
        }
        let short: String = text.chars().take(LONGEST).collect();
        format!("`{short}…`")
    }
}

/// Returns a number as Python writes it.
pub(crate) fn float_text(number: f64) -> String {
    if !number.is_finite() {
        return if number.is_nan() {
            "nan".into()
        } else if number > 0.0 {
            "inf".into()
        } else {
            "-inf".into()
        };
    }
    let size = number.abs();
    if size != 0.0 && !(1e-4..1e16).contains(&size) {
        let text = format!("{number:e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let (sign, digits) = match exponent.strip_prefix('-') {
            Some(digits) => ('-', digits),
            None => ('+', exponent),
        };
        return format!("{mantissa}e{sign}{digits:0>2}");
    }
    let text = number.to_string();
    if text.contains('.') { text } else { format!("{text}.0") }
}
