//! Data with expressions in it: the content of class files.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use tosca_parse::ard::{self, Entry, Kind as NodeKind, Node, Style};
use tosca_parse::diagnostic::{Severity, SourceId};
use tosca_parse::symbol::Interner;
use tosca_parse_yaql::{Context, Error, Expression, Integer, Result, Syntax, Value};

use crate::place::within;
use crate::source_file::range;
use crate::trace;

/// A value with expressions in it and its position in its file.
#[derive(Clone, Debug)]
pub struct Template {
    /// The content.
    pub content: Content,
    /// The position, in bytes of the file.
    pub span: Range<u32>,
}

/// The content of a template.
#[derive(Clone, Debug)]
pub enum Content {
    /// Nothing.
    Null,
    /// A boolean.
    Boolean(bool),
    /// An integer.
    Integer(Integer),
    /// A number with a fraction.
    Float(f64),
    /// Text.
    String(Arc<str>),
    /// An expression.
    Yaql(Expression),
    /// A list.
    List(Vec<Template>),
    /// Entries in order.
    Map(Vec<(Template, Template)>),
}

impl Template {
    /// Reads a node of a document. Errors in expressions with an expression tag are added to a list, with positions in
    /// the file.
    pub(crate) fn of(node: Node<'_>, faults: &mut Vec<Error>) -> Self {
        let content = match node.kind() {
            NodeKind::List => Content::List(node.items().map(|item| Self::of(item, faults)).collect()),
            NodeKind::Map => {
                let entry = |entry: Entry<'_>| (Self::of(entry.key, faults), Self::of(entry.value, faults));
                Content::Map(node.entries().map(entry).collect())
            }
            _ => scalar(node).unwrap_or_else(|fault| {
                faults.push(fault);
                Content::String(node.text().into())
            }),
        };
        Self { content, span: range(node) }
    }

    /// Calls a function with the template and all templates in it, the outermost first.
    pub(crate) fn each<'t>(&'t self, visit: &mut dyn FnMut(&'t Self)) {
        visit(self);
        match &self.content {
            Content::List(items) => items.iter().for_each(|item| item.each(visit)),
            Content::Map(entries) => entries.iter().for_each(|(key, value)| {
                key.each(visit);
                value.each(visit);
            }),
            _ => {}
        }
    }

    /// Calls a function with every entry of a map in it.
    pub(crate) fn each_entry<'t>(&'t self, visit: &mut dyn FnMut(&'t Self, &'t Self)) {
        self.each(&mut |part| part.as_map().unwrap_or_default().iter().for_each(|(key, value)| visit(key, value)));
    }

    /// Returns the parts of the template by position; if several have the same position, the outermost one.
    pub(crate) fn parts(&self) -> FxHashMap<Range<u32>, &Self> {
        let mut parts = FxHashMap::default();
        self.each(&mut |part| {
            parts.entry(part.span.clone()).or_insert(part);
        });
        parts
    }

    /// Returns the text, if it is a string.
    pub fn as_str(&self) -> Option<&str> {
        match &self.content {
            Content::String(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the text of a string, or the source text of an expression, for places where expressions are not
    /// evaluated.
    pub fn raw_text(&self) -> Option<&str> {
        match &self.content {
            Content::String(text) => Some(text),
            Content::Yaql(expression) => Some(expression.text()),
            _ => None,
        }
    }

    /// Returns the expression, if it is one.
    pub fn as_yaql(&self) -> Option<&Expression> {
        match &self.content {
            Content::Yaql(expression) => Some(expression),
            _ => None,
        }
    }

    /// Returns the entries, if it is a map.
    pub fn as_map(&self) -> Option<&[(Self, Self)]> {
        match &self.content {
            Content::Map(entries) => Some(entries),
            _ => None,
        }
    }

    /// Returns the value of a key.
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.as_map()?.iter().find(|(other, _)| other.as_str() == Some(key)).map(|(_, value)| value)
    }

    /// Returns whether the template is null.
    pub fn is_null(&self) -> bool {
        matches!(self.content, Content::Null)
    }

    /// Returns the value, with all expressions in it evaluated.
    ///
    /// # Errors
    ///
    /// Returns an error if the evaluation fails.
    pub fn evaluate(&self, context: &Context) -> Result<Value> {
        let value = match &self.content {
            Content::Yaql(expression) => {
                let value = context.evaluate(expression.root());
                return value.map_err(|error| trace::at(context, &self.span, Some(expression), error));
            }
            Content::List(items) => {
                Value::list(items.iter().map(|item| item.evaluate(context)).collect::<Result<_>>()?)
            }
            Content::Map(entries) => {
                let entry = |(key, value): &(Self, Self)| Ok((key.evaluate(context)?, value.evaluate(context)?));
                Value::dict(entries.iter().map(entry).collect::<Result<Vec<_>>>()?)
            }
            _ => self.raw_value(),
        };
        let checked = context.meter().check_value(&value);
        checked.map(|()| value).map_err(|error| trace::at(context, &self.span, None, error))
    }

    /// Returns the value, with expressions as their source text.
    pub fn raw_value(&self) -> Value {
        match &self.content {
            Content::Yaql(expression) => Value::String(expression.text().clone()),
            Content::List(items) => Value::list(items.iter().map(Self::raw_value).collect()),
            Content::Map(entries) => {
                Value::dict(entries.iter().map(|(key, value)| (key.raw_value(), value.raw_value())))
            }
            Content::Null => Value::Null,
            Content::Boolean(truth) => Value::Boolean(*truth),
            Content::Integer(number) => Value::Integer(number.clone()),
            Content::Float(number) => Value::Float(*number),
            Content::String(text) => Value::String(text.clone()),
        }
    }
}

/// Parses YAML or JSON as data, without expressions.
pub(crate) fn data(name: &str, text: &str) -> Result<Value> {
    let options = ard::Options { dialect: crate::language::MURANO.yaml, ..ard::Options::default() };
    let (document, problems) = ard::read(SourceId(0), text.into(), &Interner::new(), &options);
    match problems.iter().find(|problem| problem.severity == Severity::Error) {
        Some(problem) => Err(crate::error::value_error(format!("`{name}` is not valid: {}", problem.message))),
        // The root is a list of all documents in the source.
        None => {
            let root = document.root().and_then(|root| root.items().next());
            Ok(root.map_or(Value::Null, |root| Template::of(root, &mut Vec::new()).raw_value()))
        }
    }
}

/// Returns whether a plain string is an expression: it parses as one and is not just a name.
pub fn is_expression(text: &str) -> bool {
    expression(text).is_some()
}

fn expression(text: &str) -> Option<Expression> {
    let plain = |character: char| character.is_whitespace() || character.is_alphanumeric() || "_.".contains(character);
    if text.chars().all(plain) { None } else { Expression::parse(text, Syntax::Murano).ok() }
}

/// Returns an expression with an expression tag.
fn forced(node: Node<'_>) -> Result<Expression> {
    Expression::parse(node.text(), Syntax::Murano).map_err(|error| {
        let place = node.written().zip(error.span()).map(|(written, part)| within(written, node.text(), &part));
        let start = node.span().start;
        let place = place.map(|place| start + place.start..start + place.end);
        error.elsewhere().at(&place.unwrap_or(start..node.span().end))
    })
}

fn scalar(node: Node<'_>) -> Result<Content> {
    let text = node.text();
    if node.tag() == Some("!yaql") {
        return forced(node).map(Content::Yaql);
    }
    if !is_plain(node) || matches!(node.tag(), Some("tag:yaml.org,2002:str" | "!")) || is_date(text) {
        return Ok(Content::String(text.into()));
    }
    let number = || match node.as_integer() {
        Some(number) => Some(number.into()),
        None => Integer::parse(&text.replace('_', "")),
    };
    let typed = match node.kind() {
        NodeKind::Null => Some(Content::Null),
        NodeKind::Boolean => node.as_bool().map(Content::Boolean),
        NodeKind::Integer => number().map(Content::Integer),
        NodeKind::Float => node.as_float().map(Content::Float),
        _ => expression(text).map(Content::Yaql),
    };
    Ok(typed.unwrap_or_else(|| Content::String(text.into())))
}

/// Returns whether a scalar is written without quotes. Error recovery may have added quotes, which has been reported.
pub(crate) fn is_plain(node: Node<'_>) -> bool {
    node.style() == Style::Plain
        || node.style() == Style::SingleQuoted && node.written().is_some_and(|written| !written.starts_with('\''))
}

/// Returns a date, with or without a time.
fn is_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() >= 10
        && bytes[..10]
            .iter()
            .enumerate()
            .all(|(at, byte)| if at == 4 || at == 7 { *byte == b'-' } else { byte.is_ascii_digit() })
        && (bytes.len() == 10 || matches!(bytes[10], b'T' | b't' | b' '))
}
